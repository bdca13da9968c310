//! `dfs`: the state that has waited shortest.
//!
//! As in the thesis, except that it is no plain stack: states that wait may end (they are merged, say), so
//! they are found by their keys too.

use super::ranked::Ranked;
use super::{Search, StateKey, Waiting};
use loupe_ir::program::{BlockId, FunctionId};

/// The strategy `dfs`.
#[derive(Debug, Default)]
pub(super) struct Dfs {
    states: Ranked<()>,
}

impl Search for Dfs {
    fn forked(&mut self, _: StateKey, _: StateKey) {}

    fn add(&mut self, waiting: Waiting) {
        self.states.add(waiting.key, ());
    }

    fn pick(&mut self) -> Option<StateKey> {
        self.states.pop_last()
    }

    fn ended(&mut self, key: StateKey) {
        self.states.remove(key);
    }

    fn covered(&mut self, _: FunctionId, _: BlockId) {}

    fn len(&self) -> usize {
        self.states.len()
    }
}
