//! Waiting states in the order of a rank.

use super::StateKey;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Waiting states, ordered by `R` and, where it is equal, by how long they have waited.
#[derive(Debug)]
pub(super) struct Ranked<R> {
    states: BTreeMap<(R, u64), StateKey>,
    ranks: FxHashMap<StateKey, (R, u64)>,
    added: u64,
}

impl<R: Ord> Default for Ranked<R> {
    fn default() -> Self {
        Ranked { states: BTreeMap::new(), ranks: FxHashMap::default(), added: 0 }
    }
}

impl<R: Ord + Copy> Ranked<R> {
    /// Adds a state behind all others of its rank; one that is there keeps its place.
    pub(super) fn add(&mut self, key: StateKey, rank: R) {
        let place = (rank, self.added);
        if let std::collections::hash_map::Entry::Vacant(free) = self.ranks.entry(key) {
            free.insert(place);
            self.states.insert(place, key);
            self.added += 1;
        }
    }

    pub(super) fn remove(&mut self, key: StateKey) {
        if let Some(place) = self.ranks.remove(&key) {
            self.states.remove(&place);
        }
    }

    pub(super) fn pop_first(&mut self) -> Option<StateKey> {
        let (_, key) = self.states.pop_first()?;
        self.ranks.remove(&key);
        Some(key)
    }

    pub(super) fn pop_last(&mut self) -> Option<StateKey> {
        let (_, key) = self.states.pop_last()?;
        self.ranks.remove(&key);
        Some(key)
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }
}
