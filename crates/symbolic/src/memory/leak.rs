//! Which objects are allocated, and what pointers in memory and in values lead to.

use super::{Body, Entry, Memory, ObjectId, Written};
use crate::value::{Bool, SymbolicValue};
use loupe_engine::domain::{Origin, Targets};
use loupe_engine::value::{Leaves, Value};

impl Memory {
    /// The objects that live and came to be in such a way.
    pub(crate) fn living_of(&self, is_wanted: fn(Origin) -> bool) -> Vec<u32> {
        let objects = (0..).zip(self.objects.iter());
        let wanted = objects.filter(|(_, object)| object.is_alive && is_wanted(object.origin));
        wanted.map(|(number, _)| number).collect()
    }

    /// Adds what pointers in a living object lead to. Arrays hold numbers only.
    pub(crate) fn targets_in(&self, object: u32, found: &mut Targets) {
        let object = self.objects.get(object as usize).filter(|object| object.is_alive);
        if let Some(Body::Entries(entries)) = object.map(|object| &object.body) {
            entries.values().for_each(|entry| targets_of_entry(entry, found));
        }
    }

    /// Whether an object has an address as a number.
    pub(crate) fn has_address(&self, object: u32) -> bool {
        self.addresses.has(ObjectId(object))
    }
}

/// What may not have been written may be no pointer.
fn targets_of_entry(entry: &Entry, found: &mut Targets) {
    let mut inside = Targets::default();
    targets_of(&entry.value, &mut inside);
    let is_written = entry.written == Written::If(Bool::Known(true));
    let into = if is_written { &mut found.sure } else { &mut found.perhaps };
    into.append(&mut inside.sure);
    found.perhaps.append(&mut inside.perhaps);
}

/// Adds what pointers in a value lead to.
pub(crate) fn targets_of(value: &SymbolicValue, found: &mut Targets) {
    for leaf in Leaves::of(value) {
        match leaf {
            Value::Pointer(pointer) | Value::Array(pointer) => {
                found.sure.extend(pointer.object.map(|object| object.0));
            }
            // Values with a layout are held by nothing that is a value, so this goes no deeper.
            Value::Aggregate(aggregate) => {
                aggregate.entries.iter().for_each(|(_, entry)| targets_of_entry(entry, found));
            }
            _ => {}
        }
    }
}
