//! `random`: any waiting state, all equally likely.
//!
//! As in the thesis. It says that an array and a stack of the same states implement it; here it is an array,
//! and a table says where in it each state stands.

use super::generator::Generator;
use super::{Search, StateKey, Waiting};
use loupe_ir::program::{BlockId, FunctionId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The strategy `random`.
#[derive(Debug)]
pub(super) struct Random {
    generator: Generator,
    states: Vec<StateKey>,
    positions: FxHashMap<StateKey, usize>,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        let generator = Generator::new(seed);
        Random { generator, states: Vec::new(), positions: FxHashMap::default() }
    }
}

impl Search for Random {
    fn forked(&mut self, _: StateKey, _: StateKey) {}

    fn add(&mut self, waiting: Waiting) {
        if let Entry::Vacant(free) = self.positions.entry(waiting.key) {
            free.insert(self.states.len());
            self.states.push(waiting.key);
        }
    }

    fn pick(&mut self) -> Option<StateKey> {
        let at = self.generator.index(self.states.len());
        let key = *self.states.get(at)?;
        self.ended(key);
        Some(key)
    }

    fn ended(&mut self, key: StateKey) {
        let Some(at) = self.positions.remove(&key) else { return };
        self.states.swap_remove(at);
        if let Some(moved) = self.states.get(at) {
            self.positions.insert(*moved, at);
        }
    }

    fn covered(&mut self, _: FunctionId, _: BlockId) {}

    fn len(&self) -> usize {
        self.states.len()
    }
}
