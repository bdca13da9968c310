//! Which objects are allocated, and what pointers in memory and in values lead to.

use super::{Aggregate, Block, Body, Life, Memory, ObjectId};
use crate::concrete::ConcreteValue;
use crate::domain::{Origin, Targets};
use crate::value::{Leaves, Value};

impl ObjectId {
    /// The number by which [`crate::domain::Domain`] knows it.
    pub(in crate::concrete) fn number(self) -> u32 {
        self.index() as u32
    }
}

impl Memory {
    /// The objects that live and were allocated, or the others.
    pub(in crate::concrete) fn living_of(&self, is_wanted: fn(Origin) -> bool) -> Vec<u32> {
        let lives = |life: Life| matches!(life, Life::Alive(_));
        let objects = (0..).zip(&self.objects);
        let wanted = objects.filter(|(_, object)| lives(object.life) && is_wanted(object.origin));
        wanted.map(|(number, _)| number).collect()
    }

    /// Adds what pointers in a living object lead to.
    pub(in crate::concrete) fn targets_in(&self, object: u32, found: &mut Targets) {
        let object = self.objects.get(object as usize);
        let Some(Life::Alive(body)) = object.map(|object| object.life) else { return };
        match self.bodies.get(body as usize) {
            Some(Body::Bytes(block)) => targets_in_block(block, found),
            Some(Body::Cells(cells)) => {
                cells.values().iter().for_each(|value| targets_of(value, found));
            }
            None => {}
        }
    }

    /// Whether an object has an address.
    pub(in crate::concrete) fn has_address(&self, object: u32) -> bool {
        let object = ObjectId::new(object as usize);
        object.is_some_and(|object| self.addresses.known(object).is_some())
    }

    /// How many bytes an object has.
    pub(in crate::concrete) fn bytes_of(&self, object: u32) -> u32 {
        self.objects.get(object as usize).map_or(0, |object| object.size)
    }
}

fn targets_in_block(block: &Block, found: &mut Targets) {
    found.sure.extend(block.targets().map(ObjectId::number));
}

/// Adds what pointers in a value lead to.
pub(in crate::concrete) fn targets_of(value: &ConcreteValue, found: &mut Targets) {
    let mut leaves = Leaves::of(value);
    while let Some(leaf) = leaves.next() {
        match leaf {
            Value::Pointer(address) | Value::Array(address) => {
                found.sure.extend(address.object.map(ObjectId::number));
            }
            Value::Aggregate(aggregate) => match &**aggregate {
                Aggregate::Bytes(block) => targets_in_block(block, found),
                Aggregate::Cells(cells) => leaves.extend(cells),
            },
            _ => {}
        }
    }
}
