//! Whether two memories are the same, so that what comes next is the same as well.

use super::{Body, Memory};

impl Memory {
    /// Whether both hold the same, in the same objects. `false` says nothing.
    pub(in crate::concrete) fn is_same(&self, other: &Memory) -> bool {
        let is_same_body = |(one, other): (&Body, &Body)| match (one, other) {
            (Body::Bytes(a), Body::Bytes(b)) => a == b,
            (Body::Cells(a), Body::Cells(b)) => a.is_same(b),
            _ => false,
        };
        // What else there is (layouts, when to look for what nobody needs) does not decide what a program does.
        self.objects == other.objects
            && self.free_bodies == other.free_bodies
            && self.unused == other.unused
            && self.addresses == other.addresses
            && self.in_use == other.in_use
            && self.bodies.len() == other.bodies.len()
            && self.bodies.iter().zip(&other.bodies).all(is_same_body)
    }
}
