//! What is carried backwards along the flowgraph, and how it adds up.
//!
//! The same walk over the same effects ([`step`](super::step)) computes three things: how many queries come,
//! summed up over all paths ([`Sum`]); how many come on the path with most of them, up to a limit ([`Capped`]);
//! and which results of a function a value gets into ([`Reach`]).

use std::collections::HashMap;

/// Values that are carried backwards. The neutral element of all operations is the default.
pub(super) trait Weights {
    /// What is carried, for one variable.
    type Value: Copy + PartialEq + Default;

    /// Both: one thing happens, and then the other.
    fn plus(&mut self, left: Self::Value, right: Self::Value) -> Self::Value;

    /// One or the other, where paths part.
    fn branch(&mut self, left: Self::Value, right: Self::Value) -> Self::Value;

    /// What is known of the same thing under two names.
    fn either(&mut self, left: Self::Value, right: Self::Value) -> Self::Value;

    /// So many queries.
    fn queries(&mut self, count: u64) -> Self::Value;

    /// At most `total`, which is what is known of all queries together.
    fn within(&self, value: Self::Value, total: Self::Value) -> Self::Value;
}

/// Queries, summed up over all paths. Sums that are too large stay where numbers end.
pub(super) struct Sum;

impl Weights for Sum {
    type Value = u64;

    fn plus(&mut self, left: u64, right: u64) -> u64 {
        left.saturating_add(right)
    }

    fn branch(&mut self, left: u64, right: u64) -> u64 {
        left.saturating_add(right)
    }

    fn either(&mut self, left: u64, right: u64) -> u64 {
        left.max(right)
    }

    fn queries(&mut self, count: u64) -> u64 {
        count
    }

    fn within(&self, value: u64, total: u64) -> u64 {
        value.min(total)
    }
}

/// Queries on the path that has most of them, up to a limit.
pub(super) struct Capped(pub(super) u64);

impl Weights for Capped {
    type Value = u64;

    fn plus(&mut self, left: u64, right: u64) -> u64 {
        left.saturating_add(right).min(self.0)
    }

    fn branch(&mut self, left: u64, right: u64) -> u64 {
        left.max(right)
    }

    fn either(&mut self, left: u64, right: u64) -> u64 {
        left.max(right)
    }

    fn queries(&mut self, count: u64) -> u64 {
        count.min(self.0)
    }

    fn within(&self, value: u64, total: u64) -> u64 {
        value.min(total)
    }
}

/// Up to 64 queries one by one, as bits: what is asked once counts once, however many ways lead there.
pub(super) struct Single;

impl Weights for Single {
    type Value = u64;

    fn plus(&mut self, left: u64, right: u64) -> u64 {
        left | right
    }

    fn branch(&mut self, left: u64, right: u64) -> u64 {
        left | right
    }

    fn either(&mut self, left: u64, right: u64) -> u64 {
        left | right
    }

    fn queries(&mut self, _count: u64) -> u64 {
        0
    }

    fn within(&self, value: u64, _total: u64) -> u64 {
        value
    }
}

/// A set of numbers, as an index into a [`Reach`]; 0 is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct SetId(u32);

/// Sets of results, each kept once.
pub(super) struct Reach {
    sets: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, SetId>,
    unions: HashMap<(SetId, SetId), SetId>,
}

impl Reach {
    pub(super) fn new() -> Self {
        let numbers = HashMap::from([(Vec::new(), SetId(0))]);
        Reach { sets: vec![Vec::new()], numbers, unions: HashMap::new() }
    }

    /// The set of one number.
    pub(super) fn single(&mut self, number: u32) -> SetId {
        self.intern(vec![number])
    }

    /// The numbers in a set, in ascending order.
    pub(super) fn members(&self, set: SetId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    fn intern(&mut self, members: Vec<u32>) -> SetId {
        let next = SetId(self.sets.len() as u32);
        let id = *self.numbers.entry(members.clone()).or_insert(next);
        if id == next {
            self.sets.push(members);
        }
        id
    }

    fn union(&mut self, left: SetId, right: SetId) -> SetId {
        let empty = SetId::default();
        if left == right || right == empty {
            return left;
        }
        if left == empty {
            return right;
        }
        if let Some(known) = self.unions.get(&(left, right)) {
            return *known;
        }
        let mut members = [self.members(left), self.members(right)].concat();
        members.sort_unstable();
        members.dedup();
        let union = self.intern(members);
        self.unions.insert((left, right), union);
        union
    }
}

impl Weights for Reach {
    type Value = SetId;

    fn plus(&mut self, left: SetId, right: SetId) -> SetId {
        self.union(left, right)
    }

    fn branch(&mut self, left: SetId, right: SetId) -> SetId {
        self.union(left, right)
    }

    fn either(&mut self, left: SetId, right: SetId) -> SetId {
        self.union(left, right)
    }

    fn queries(&mut self, _count: u64) -> SetId {
        SetId::default()
    }

    fn within(&self, value: SetId, _total: SetId) -> SetId {
        value
    }
}
