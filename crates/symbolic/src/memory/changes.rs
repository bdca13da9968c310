//! What has changed in memory between two states of a path, and putting values into it directly.
//!
//! That is how the variables of a loop are found and set. Nothing here is an access of the program, so nothing is checked.

use super::{Aggregate, Background, Body, Entry, Memory, Object, ObjectId, Written};
use crate::domain::{Outcome, Symbolic, Unknown};
use crate::halt::internal;
use crate::summary::Rewrite;
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::domain::Origin;
use loupe_engine::layout::Kind;
use loupe_engine::value::Value;
use loupe_ir::types::{IntType, TypeId, Types};
use loupe_term::Term;
use std::rc::Rc;

/// Something that differs.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// What stands at an offset: both have something of the same size there.
    Entry(ObjectId, u64),
    /// Only the newer one has something there, which takes so many units.
    Added(ObjectId, u64, u64),
    /// The elements of an array.
    Elements(ObjectId),
    /// The newer one is an array of elements of this size and type.
    Array(ObjectId, u64, IntType),
    /// The newer one has ended.
    Released(ObjectId),
}

/// A value in memory, with whether it has been written.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) value: SymbolicValue,
    pub(crate) written: Bool,
}

/// An array, and which of its elements have been written if not all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) elements: Term,
    pub(crate) written: Option<Term>,
}

impl Memory {
    /// What differs from an earlier memory in the objects that this had.
    pub(crate) fn changes(&self, before: &Memory) -> Result<Vec<Change>, String> {
        if self.has_more_addresses(before) {
            return Err("the address of an object is looked at as a number".to_owned());
        }
        let mut changes = Vec::new();
        for (number, (new, old)) in (0..).zip(self.objects.iter().zip(before.objects.iter())) {
            if !Rc::ptr_eq(new, old) {
                object_changes(ObjectId(number), old, new, &mut changes)?;
            }
        }
        Ok(changes)
    }

    /// Whether objects that have been made since live.
    pub(crate) fn lives_since(&self, count: usize) -> bool {
        self.objects.iter().skip(count).any(|object| object.is_alive)
    }

    /// How an object came to be, and the type of its elements.
    pub(crate) fn origin(&self, id: ObjectId) -> Option<(Origin, TypeId)> {
        self.objects.get(id.0 as usize).map(|object| (object.origin, object.element))
    }

    /// What stands at an offset.
    pub(crate) fn held(&self, id: ObjectId, offset: u64) -> Option<Held> {
        match &self.objects.get(id.0 as usize)?.body {
            Body::Entries(entries) => {
                let Entry { value, written, .. } = entries.get(&offset)?;
                let Written::If(written) = written else { return None };
                Some(Held { value: value.clone(), written: *written })
            }
            Body::Array(_) => None,
        }
    }

    /// How many units the value at an offset takes.
    pub(crate) fn held_size(&self, id: ObjectId, offset: u64) -> Option<u64> {
        match &self.objects.get(id.0 as usize)?.body {
            Body::Entries(entries) => entries.get(&offset).map(|entry| entry.size),
            Body::Array(_) => None,
        }
    }

    /// Puts another value where one stands.
    pub(crate) fn hold(&mut self, id: ObjectId, offset: u64, held: Held) -> Outcome<()> {
        let Body::Entries(entries) = &mut self.object_mut(id)?.body else {
            return Err(internal("a value in an array"));
        };
        let size = entries.get(&offset).map(|entry| entry.size);
        let size = size.ok_or_else(|| internal("a variable that is not there"))?;
        let Held { value, written } = held;
        entries.insert_mut(offset, Entry { size, value, written: Written::If(written) });
        Ok(())
    }

    /// Puts a value of this size where there may be none.
    pub(crate) fn put_held(&mut self, at: (ObjectId, u64, u64), held: Held) -> Outcome<()> {
        let (id, offset, size) = at;
        let Body::Entries(entries) = &mut self.object_mut(id)?.body else {
            return Err(internal("a value in an array"));
        };
        let Held { value, written } = held;
        entries.insert_mut(offset, Entry { size, value, written: Written::If(written) });
        Ok(())
    }

    /// The size and the type of the elements of an object that is an array.
    pub(crate) fn element_type(&self, id: ObjectId) -> Option<(u64, IntType)> {
        match &self.objects.get(id.0 as usize)?.body {
            Body::Array(array) => Some((array.stride, array.int)),
            Body::Entries(_) => None,
        }
    }

    /// The elements of an object that is an array.
    pub(crate) fn elements(&self, id: ObjectId) -> Option<Elements> {
        match &self.objects.get(id.0 as usize)?.body {
            Body::Array(array) => {
                Some(Elements { elements: array.elements, written: array.written })
            }
            Body::Entries(_) => None,
        }
    }

    /// Puts other elements in. They may be anything: nobody has put them in range.
    pub(crate) fn set_elements(&mut self, id: ObjectId, new: Elements) -> Outcome<()> {
        let Body::Array(array) = &mut self.object_mut(id)?.body else {
            return Err(internal("an array that is none"));
        };
        array.elements = new.elements;
        array.written = new.written;
        array.is_unknown = true;
        Ok(())
    }

    /// Uninitialised values that were looked at since, with their occasions and numbers.
    pub(crate) fn looked_at_since(&self, before: &Memory) -> Vec<((u64, u64), Unknown)> {
        let new = self.unknowns.iter().filter(|(key, _)| !before.unknowns.contains_key(key));
        new.map(|(key, unknown)| (*key, unknown.clone())).collect()
    }

    /// The same without those that are elements of arrays.
    pub(crate) fn single_looked_at_since(&self, before: &Memory) -> Vec<((u64, u64), Unknown)> {
        let mut new = self.looked_at_since(before);
        new.retain(|(_, unknown)| unknown.count.is_none());
        new
    }

    /// Objects of uninitialised values that were there before, and have become arrays since.
    pub(crate) fn arrays_since(&self, before: &Memory) -> Vec<ObjectId> {
        let objects = (0..).map(ObjectId).zip(self.objects.iter().zip(&before.objects));
        let new = objects.filter(|(_, (now, then))| {
            matches!(now.background, Background::Unknown { .. })
                && matches!(now.body, Body::Array(_))
                && matches!(then.body, Body::Entries(_))
        });
        new.map(|(id, _)| id).collect()
    }

    /// All uninitialised values that were looked at.
    pub(crate) fn all_looked_at(&self) -> impl Iterator<Item = (&(u64, u64), &Unknown)> {
        self.unknowns.iter()
    }

    /// Whether the uninitialised values of an occasion are elements of an array.
    pub(crate) fn has_unknown_array(&self, occasion: u64) -> bool {
        self.unknowns.contains_key(&(occasion, u64::MAX))
    }

    /// Notes an uninitialised value that is looked at.
    pub(crate) fn look_at(&mut self, key: (u64, u64), unknown: Unknown) {
        self.unknowns.insert_mut(key, unknown);
    }

    /// Adds the objects that another memory has beyond so many, rewritten.
    pub(crate) fn add_rewritten(
        &mut self,
        from: &Memory,
        beyond: usize,
        rewrite: &mut Rewrite<'_>,
    ) -> Outcome<()> {
        for object in from.objects.iter().skip(beyond) {
            let mut object = (**object).clone();
            object.size = rewrite.int(&object.size);
            // Its other parts keep their distances: all new objects move by the same number.
            if let Some(part) = &mut object.list {
                part.count = rewrite.int(&part.count);
            }
            if let Background::Unknown { occasion, position } = &mut object.background {
                *occasion = rewrite.occasion(*occasion);
                *position = rewrite.int(position);
            }
            match &mut object.body {
                Body::Entries(entries) => {
                    let old: Vec<(u64, Entry)> =
                        entries.iter().map(|(at, entry)| (*at, entry.clone())).collect();
                    for (at, entry) in old {
                        entries.insert_mut(at, entry.rewritten(rewrite)?);
                    }
                }
                Body::Array(array) => {
                    array.elements = rewrite.term(array.elements);
                    array.written = array.written.map(|written| rewrite.term(written));
                }
            }
            self.objects.push_back_mut(Rc::new(object));
        }
        Ok(())
    }
}

impl Entry {
    fn rewritten(&self, rewrite: &mut Rewrite<'_>) -> Outcome<Entry> {
        let value = rewrite.value(&self.value)?;
        let written = match &self.written {
            Written::If(truth) => Written::If(rewrite.bool(*truth)),
            Written::Bits(bits) => Written::Bits(bits.clone()),
            Written::Mixed(truth) => Written::Mixed(rewrite.bool(*truth)),
        };
        Ok(Entry { size: self.size, value, written })
    }

    pub(super) fn is_same(&self, other: &Entry) -> bool {
        self.size == other.size
            && self.written == other.written
            && crate::summary::is_same(&self.value, &other.value)
    }
}

impl Aggregate {
    /// With other values.
    pub(crate) fn rewritten(&self, rewrite: &mut Rewrite<'_>) -> Outcome<Aggregate> {
        let entries = self.entries.iter().map(|(at, entry)| Ok((*at, entry.rewritten(rewrite)?)));
        let entries = entries.collect::<Outcome<_>>()?;
        Ok(Aggregate { size: self.size, entries })
    }

    /// Whether it holds the same.
    pub(crate) fn is_same(&self, other: &Aggregate) -> bool {
        self.size == other.size
            && self.entries.len() == other.entries.len()
            && self
                .entries
                .iter()
                .zip(&other.entries)
                .all(|((a, x), (b, y))| a == b && x.is_same(y))
    }
}

fn object_changes(
    id: ObjectId,
    old: &Object,
    new: &Object,
    changes: &mut Vec<Change>,
) -> Result<(), String> {
    if old.is_alive && !new.is_alive {
        changes.push(Change::Released(id));
        return Ok(());
    }
    match (&old.body, &new.body) {
        (Body::Entries(before), Body::Entries(after)) => {
            for (at, entry) in after.iter() {
                match before.get(at) {
                    Some(known) if known.is_same(entry) => {}
                    Some(known) if known.size == entry.size => changes.push(Change::Entry(id, *at)),
                    None => {
                        let behind = before.range(*at..*at + entry.size).next();
                        let earlier = before.range(..*at).next_back();
                        let overlaps = earlier.is_some_and(|(start, e)| start + e.size > *at);
                        if behind.is_some() || overlaps {
                            return Err("memory is accessed in pieces of different sizes".into());
                        }
                        changes.push(Change::Added(id, *at, entry.size));
                    }
                    Some(_) => return Err("memory is accessed in pieces of different sizes".into()),
                }
            }
            if before.keys().any(|at| !after.contains_key(at)) {
                return Err("memory is accessed in pieces of different sizes".into());
            }
            Ok(())
        }
        (Body::Entries(_), Body::Array(array)) => {
            changes.push(Change::Array(id, array.stride, array.int));
            Ok(())
        }
        (Body::Array(before), Body::Array(after)) => {
            if before.stride != after.stride || before.int != after.int {
                return Err("an array is accessed in pieces of different sizes".into());
            }
            if before.elements != after.elements || before.written != after.written {
                changes.push(Change::Elements(id));
            }
            Ok(())
        }
        (Body::Array(_), Body::Entries(_)) => Err("an array is copied as a whole".into()),
    }
}

impl Symbolic {
    /// Makes a memory hold in one piece what another one has there: what nobody has written is spelled out.
    pub(crate) fn spell_out(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        (id, offset, size): (ObjectId, u64, u64),
        like: &SymbolicValue,
    ) -> Outcome<bool> {
        let object = memory.object(id)?;
        let is_zero = matches!(object.background, Background::Zero);
        let (value, written) = match (object.kind, is_zero, like) {
            (_, true, Value::Pointer(_)) => (Value::Pointer(Pointer::NULL), Written::ALL),
            (_, true, Value::Int(_)) => (Value::Int(Int::ZERO), Written::ALL),
            (Kind::Bytes, false, Value::Int(_)) => {
                let bits = self.read_bits(types, memory, id, (offset, size))?;
                (Value::Int(bits.value), bits.written)
            }
            _ => return Ok(false),
        };
        let Body::Entries(entries) = &mut memory.object_mut(id)?.body else { return Ok(false) };
        entries.insert_mut(offset, Entry { size, value, written });
        Ok(true)
    }

    /// Makes an object of a memory an array as another one has it.
    pub(crate) fn spell_out_array(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        (id, stride, int): (ObjectId, u64, IntType),
    ) -> Outcome<()> {
        self.make_array(types, memory, id, (stride, int))
    }
}
