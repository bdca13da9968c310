//! `bfs`: the state that has waited longest.
//!
//! As in the thesis, except that it is no plain queue: states that wait may end (they are merged, say), so
//! they are found by their keys too.

use super::ranked::Ranked;
use super::{Search, StateKey, Waiting};
use loupe_ir::program::{BlockId, FunctionId};

/// The strategy `bfs`.
#[derive(Debug, Default)]
pub(super) struct Bfs {
    states: Ranked<()>,
}

impl Search for Bfs {
    fn forked(&mut self, _: StateKey, _: StateKey) {}

    fn add(&mut self, waiting: Waiting) {
        self.states.add(waiting.key, ());
    }

    fn pick(&mut self) -> Option<StateKey> {
        self.states.pop_first()
    }

    fn ended(&mut self, key: StateKey) {
        self.states.remove(key);
    }

    fn covered(&mut self, _: FunctionId, _: BlockId) {}

    fn len(&self) -> usize {
        self.states.len()
    }
}
