//! Whether two memories have the same objects, whatever these hold.

use super::{Background, Body, Entry, Memory, Object, ObjectId, Written};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::value::Value;
use loupe_ir::types::IntType;
use loupe_term::Term;

/// Something that is to be spelled out in a memory, so that it can be compared with another one.
#[derive(Clone, Debug)]
pub(crate) enum SpellOut {
    /// What stands at an offset and takes so many units: a value like this one.
    Entry(ObjectId, u64, u64, SymbolicValue),
    /// An array of elements of this size and type.
    Array(ObjectId, u64, IntType),
}

impl Memory {
    /// Whether the living objects of two memories are the same ones: they were made in the same way, with the same sizes, and where nobody has
    /// written to them they hold the same. Objects that have ended do not matter, and neither does how many of them there are behind the others.
    pub(crate) fn has_objects_of(&self, other: &Memory) -> bool {
        let most = self.objects.len().max(other.objects.len());
        (0..most).all(|number| match (self.objects.get(number), other.objects.get(number)) {
            (Some(a), Some(b)) if a.is_alive && b.is_alive => a.is_made_like(b),
            (a, b) => {
                let is_alive = |object: Option<&std::rc::Rc<Object>>| {
                    object.is_some_and(|object| object.is_alive)
                };
                !is_alive(a) && !is_alive(b)
            }
        })
    }

    /// Whether an object lives.
    pub(crate) fn is_living(&self, id: ObjectId) -> bool {
        self.objects.get(id.0 as usize).is_some_and(|object| object.is_alive)
    }

    /// Whether an object lives and has nothing in some units of it.
    pub(crate) fn is_free(&self, id: ObjectId, offset: u64, size: u64) -> bool {
        let object = self.objects.get(id.0 as usize).filter(|object| object.is_alive);
        let Some(Body::Entries(entries)) = object.map(|object| &object.body) else { return false };
        let before = entries.range(..offset).next_back();
        let overlaps = before.is_some_and(|(start, entry)| start + entry.size > offset);
        !overlaps && entries.range(offset..offset + size).next().is_none()
    }

    /// What another memory with the same objects has in pieces that this one does not have.
    pub(crate) fn missing(&self, other: &Memory) -> Vec<SpellOut> {
        let count = self.objects.len().min(other.objects.len()) as u32;
        (0..count).flat_map(|number| self.missing_of(other, ObjectId(number))).collect()
    }

    /// The same for one object.
    pub(crate) fn missing_of(&self, other: &Memory, id: ObjectId) -> Vec<SpellOut> {
        let number = id.0 as usize;
        let (Some(own), Some(other)) = (self.objects.get(number), other.objects.get(number)) else {
            return Vec::new();
        };
        if !own.is_alive || std::rc::Rc::ptr_eq(own, other) {
            return Vec::new();
        }
        match (&own.body, &other.body) {
            (Body::Entries(own), Body::Entries(other)) => {
                let new = other.iter().filter(|(at, _)| !own.contains_key(at));
                let spell = |(at, entry): (&u64, &Entry)| {
                    SpellOut::Entry(id, *at, entry.size, entry.value.clone())
                };
                new.map(spell).collect()
            }
            (Body::Entries(_), Body::Array(array)) => {
                vec![SpellOut::Array(id, array.stride, array.int)]
            }
            (Body::Array(_), _) => Vec::new(),
        }
    }

    /// The values that stand in living objects, with their places.
    pub(crate) fn living_entries(&self) -> impl Iterator<Item = (ObjectId, u64, &SymbolicValue)> {
        let living = (0..).zip(self.objects.iter()).filter(|(_, object)| object.is_alive);
        living.flat_map(|(number, object)| {
            let entries = match &object.body {
                Body::Entries(entries) => Some(entries.iter()),
                Body::Array(_) => None,
            };
            let entries = entries.into_iter().flatten();
            entries.map(move |(at, entry)| (ObjectId(number), *at, &entry.value))
        })
    }

    /// The living objects that are arrays.
    pub(crate) fn living_arrays(&self) -> impl Iterator<Item = ObjectId> {
        let all = (0..).zip(self.objects.iter());
        let arrays = all.filter(|(_, o)| o.is_alive && matches!(o.body, Body::Array(_)));
        arrays.map(|(number, _)| ObjectId(number))
    }

    /// All terms in living objects.
    pub(crate) fn living_terms(&self, terms: &mut Vec<Term>) {
        for object in self.objects.iter().filter(|object| object.is_alive) {
            terms_of_int(&object.size, terms);
            if let Some(part) = &object.list {
                terms_of_int(&part.count, terms);
            }
            match &object.body {
                Body::Entries(entries) => {
                    entries.values().for_each(|entry| terms_of_entry(entry, terms));
                }
                Body::Array(array) => {
                    terms.push(array.elements);
                    terms.extend(array.written);
                }
            }
        }
    }
}

impl Object {
    pub(super) fn is_made_like(&self, other: &Object) -> bool {
        let same_background = match (&self.background, &other.background) {
            (Background::Zero, Background::Zero) => true,
            (Background::Nothing, Background::Nothing) => true,
            // Where in their stream the values are matters to replays alone.
            (Background::Unknown { occasion: a, .. }, Background::Unknown { occasion: b, .. }) => {
                a == b
            }
            _ => false,
        };
        same_background
            && self.origin == other.origin
            && self.access == other.access
            && self.size == other.size
            && self.element == other.element
            && self.kind == other.kind
            // Offsets into larger ones have other ranges, whatever the sizes are called.
            && self.reach == other.reach
            && match (&self.list, &other.list) {
                (None, None) => true,
                (Some(a), Some(b)) => a.is_like(b),
                _ => false,
            }
    }
}

fn terms_of_int(int: &Int, terms: &mut Vec<Term>) {
    if let Int::Term(term) = int {
        terms.push(*term);
    }
}

fn terms_of_entry(entry: &Entry, terms: &mut Vec<Term>) {
    if let Written::If(Bool::Term(term)) | Written::Mixed(Bool::Term(term)) = &entry.written {
        terms.push(*term);
    }
    terms_of_value(&entry.value, terms);
}

/// All terms in a value.
pub(crate) fn terms_of_value(value: &SymbolicValue, terms: &mut Vec<Term>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Int(int) => terms_of_int(int, terms),
            Value::Bool(Bool::Term(term)) => terms.push(*term),
            Value::Pointer(Pointer { offset, .. }) | Value::Array(Pointer { offset, .. }) => {
                terms_of_int(offset, terms);
            }
            Value::Record(record) => open.extend(record.fields.iter().map(|field| &field.1)),
            Value::Sequence(sequence) => open.extend(sequence.values.iter()),
            Value::Aggregate(aggregate) => {
                for (_, entry) in &aggregate.entries {
                    if let Written::If(Bool::Term(term)) | Written::Mixed(Bool::Term(term)) =
                        &entry.written
                    {
                        terms.push(*term);
                    }
                    open.push(&entry.value);
                }
            }
            _ => {}
        }
    }
}
