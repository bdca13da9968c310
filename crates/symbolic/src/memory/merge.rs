//! Two memories as one: objects with choices between what each of them holds.

use super::arrays::Array;
use super::{Aggregate, Background, Body, Entry, Memory, Object, ObjectId, SpellOut, Written};
use crate::domain::{Outcome, Symbolic, Unknown};
use crate::merge::{Apart, Merged, Merger, Merging, merged};
use std::rc::Rc;

impl Memory {
    /// The objects that hold different things in two memories of states at the same place.
    pub(crate) fn different(&self, other: &Memory) -> Result<Vec<ObjectId>, Apart> {
        if !self.has_addresses_of(other) {
            return Err(Apart::Addresses);
        }
        let mut different = Vec::new();
        for (number, (a, b)) in (0..).zip(self.objects.iter().zip(other.objects.iter())) {
            if Rc::ptr_eq(a, b) || !a.is_alive && !b.is_alive {
                continue;
            }
            if !(a.is_alive && b.is_alive && a.is_made_like(b)) {
                return Err(Apart::Objects);
            }
            if !a.holds_what(b) {
                different.push(ObjectId(number));
            }
        }
        Ok(different)
    }

    /// Whether one of two memories has a living object that the other one has not made.
    pub(crate) fn lives_alone(&self, other: &Memory) -> bool {
        let (fewer, more) = match self.objects.len() <= other.objects.len() {
            true => (self, other),
            false => (other, self),
        };
        more.lives_since(fewer.objects.len())
    }

    /// Adds the objects that only another memory has. Nothing here points to them.
    fn adopt(&mut self, other: &Memory) {
        for object in other.objects.iter().skip(self.objects.len()) {
            self.objects.push_back_mut(Rc::clone(object));
        }
    }
}

impl Object {
    /// Whether another object, made in the same way, holds the same.
    fn holds_what(&self, other: &Object) -> bool {
        let same_background = match (&self.background, &other.background) {
            (Background::Unknown { position: a, .. }, Background::Unknown { position: b, .. }) => {
                a == b
            }
            _ => true,
        };
        same_background
            && match (&self.body, &other.body) {
                (Body::Entries(a), Body::Entries(b)) => {
                    let same = |((at, a), (other, b)): ((_, &Entry), (_, &Entry))| {
                        at == other && a.is_same(b)
                    };
                    a.size() == b.size() && a.iter().zip(b.iter()).all(same)
                }
                (Body::Array(a), Body::Array(b)) => {
                    (a.stride, a.int, a.elements, a.written, a.is_unknown)
                        == (b.stride, b.int, b.elements, b.written, b.is_unknown)
                }
                _ => false,
            }
    }
}

impl Symbolic {
    /// The memory of a state that two others are merged to; `different` are the objects in which these differ.
    pub(crate) fn merged_memory(
        &mut self,
        merging: Merging<'_>,
        (a, b): (&Memory, &Memory),
        different: &[ObjectId],
    ) -> Merged<Memory> {
        let (mut a, mut b) = (a.clone(), b.clone());
        for id in different {
            merged!(self.align(merging, (&mut a, &mut b), *id));
        }
        let mut memory = a.clone();
        memory.adopt(&b);
        for id in different {
            let (a, b) =
                (Rc::clone(&a.objects[id.0 as usize]), Rc::clone(&b.objects[id.0 as usize]));
            let body = merged!(self.merged_body(merging, &memory, (&a, &b)));
            let background = match (&a.background, &b.background) {
                (
                    Background::Unknown { occasion, position: a },
                    Background::Unknown { position: b, .. },
                ) => {
                    let position = Merger::new(self, merging, &memory).int(a, b);
                    Background::Unknown { occasion: *occasion, position }
                }
                (background, _) => background.clone(),
            };
            let object = memory.object_mut(*id)?;
            (object.body, object.background) = (body, background);
        }
        if let Err(apart) = self.merge_unknowns(merging, &mut memory, (&a, &b)) {
            return Ok(Err(apart));
        }
        Ok(Ok(memory))
    }

    /// Makes an object hold the same pieces in both memories, whatever they are.
    fn align(
        &mut self,
        merging: Merging<'_>,
        (a, b): (&mut Memory, &mut Memory),
        id: ObjectId,
    ) -> Merged<()> {
        for is_turned in [false, true] {
            let (lacks, has) = if is_turned { (&mut *b, &*a) } else { (&mut *a, &*b) };
            for piece in lacks.missing_of(has, id) {
                let spelled = match piece {
                    SpellOut::Entry(id, at, size, like) => {
                        lacks.is_free(id, at, size)
                            && is_modelled(self.spell_out(
                                merging.types,
                                lacks,
                                (id, at, size),
                                &like,
                            ))? == Some(true)
                    }
                    SpellOut::Array(id, stride, int) => {
                        let array = self.spell_out_array(merging.types, lacks, (id, stride, int));
                        is_modelled(array)?.is_some()
                    }
                };
                if !spelled {
                    return Ok(Err(Apart::Pieces));
                }
            }
        }
        Ok(Ok(()))
    }

    fn merged_body(
        &mut self,
        merging: Merging<'_>,
        memory: &Memory,
        (a, b): (&Object, &Object),
    ) -> Merged<Body> {
        match (&a.body, &b.body) {
            (Body::Entries(a), Body::Entries(b)) => {
                if a.size() != b.size() {
                    return Ok(Err(Apart::Pieces));
                }
                let mut entries = a.clone();
                for ((at, a), (other, b)) in a.iter().zip(b.iter()) {
                    if at != other {
                        return Ok(Err(Apart::Pieces));
                    }
                    if !a.is_same(b) {
                        let entry = merged!(Merger::new(self, merging, memory).entry(a, b));
                        entries.insert_mut(*at, entry);
                    }
                }
                Ok(Ok(Body::Entries(entries)))
            }
            (Body::Array(a), Body::Array(b)) if a.stride == b.stride && a.int == b.int => {
                let elements = self.terms.ite(merging.selector, a.elements, b.elements);
                let written = match (a.written, b.written) {
                    (None, None) => None,
                    (a, b) => {
                        let one = self.terms.int(1);
                        let all = self.terms.constant_array(1, one)?;
                        let (a, b) = (a.unwrap_or(all), b.unwrap_or(all));
                        Some(self.terms.ite(merging.selector, a, b))
                    }
                };
                let is_unknown = a.is_unknown || b.is_unknown;
                Ok(Ok(Body::Array(Array { elements, written, is_unknown, ..a.clone() })))
            }
            _ => Ok(Err(Apart::Pieces)),
        }
    }

    /// What was looked at on one side only is what was looked at where an execution goes that way.
    fn merge_unknowns(
        &mut self,
        merging: Merging<'_>,
        memory: &mut Memory,
        (a, b): (&Memory, &Memory),
    ) -> Result<(), Apart> {
        let selector = merging.selector;
        let negation = self.terms.not(selector);
        let always = self.terms.bool(true);
        for (key, theirs) in b.unknowns.iter() {
            let when = |unknown: &Unknown| unknown.when.unwrap_or(always);
            let unknown = match a.unknowns.get(key) {
                Some(ours) if ours.symbol == theirs.symbol && ours.is_like(theirs) => {
                    let position =
                        Merger::new(self, merging, memory).int(&ours.position, &theirs.position);
                    let when = self.chosen_truth(selector, when(ours), when(theirs));
                    Unknown { position, when: Some(when), ..ours.clone() }
                }
                Some(_) => return Err(Apart::Objects),
                None => {
                    let when = self.terms.and([negation, when(theirs)]);
                    Unknown { when: Some(when), ..theirs.clone() }
                }
            };
            memory.unknowns.insert_mut(*key, unknown);
        }
        for (key, ours) in a.unknowns.iter().filter(|(key, _)| !b.unknowns.contains_key(key)) {
            let when = self.terms.and([selector, ours.when.unwrap_or(always)]);
            memory.unknowns.insert_mut(*key, Unknown { when: Some(when), ..ours.clone() });
        }
        Ok(())
    }
}

impl Unknown {
    /// Whether it stands for the same, wherever that is in the stream.
    fn is_like(&self, other: &Unknown) -> bool {
        match (&self.count, &other.count) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                (&a.size, a.stride, a.scalar, a.int) == (&b.size, b.stride, b.scalar, b.int)
            }
            _ => false,
        }
    }
}

impl Merger<'_> {
    pub(crate) fn entry(&mut self, a: &Entry, b: &Entry) -> Merged<Entry> {
        if a.size != b.size {
            return Ok(Err(Apart::Pieces));
        }
        let written = match (&a.written, &b.written) {
            (a, b) if a == b => a.clone(),
            (Written::If(a), Written::If(b)) => Written::If(self.truth(*a, *b)),
            _ => return Ok(Err(Apart::Pieces)),
        };
        let value = merged!(self.value(&a.value, &b.value));
        Ok(Ok(Entry { size: a.size, value, written }))
    }

    pub(crate) fn aggregate(&mut self, a: &Aggregate, b: &Aggregate) -> Merged<Aggregate> {
        let are_alike = a.size == b.size
            && a.entries.len() == b.entries.len()
            && a.entries.iter().zip(&b.entries).all(|(a, b)| a.0 == b.0);
        if !are_alike {
            return Ok(Err(Apart::Pieces));
        }
        let mut entries = Vec::with_capacity(a.entries.len());
        for ((at, a), (_, b)) in a.entries.iter().zip(&b.entries) {
            entries.push((*at, merged!(self.entry(a, b))));
        }
        Ok(Ok(Aggregate { size: a.size, entries }))
    }
}

/// What has no model is no reason to stop: the states stay apart.
fn is_modelled<T>(outcome: Outcome<T>) -> Outcome<Option<T>> {
    match outcome {
        Ok(done) => Ok(Some(done)),
        Err(halt) => match *halt {
            crate::halt::Halt::Internal(error) => Err(error.into()),
            _ => Ok(None),
        },
    }
}
