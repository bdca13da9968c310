//! `coverage`: any waiting state, with a probability proportional to 1/d, where d is its distance to the
//! nearest block that has not been covered.
//!
//! The distance is the number of steps that a state must execute, at best, until it has executed the first
//! step of such a block: on its way through functions that it calls, into them, and after it has returned from
//! those that it is in.
//!
//! Differences from the thesis: it covers statements, this covers blocks, and counts instructions on the way.
//! (It calls 1/d a cost, and the text prefers lower ones; its table 5.1 has probabilities as here.) It does
//! not say what a call costs, nor what becomes of a state that has nothing uncovered ahead; here its weight is
//! less than 10⁻⁹ of that of a state at distance 1, but not 0. Nor does it say when distances are computed;
//! here states with the same stack share one, and only what is covered changes it.
//!
//! All blocks count, those of library functions too. Who does not care for some says at once that they are
//! covered.

use super::generator::Generator;
use super::groups::Groups;
use super::{Search, StateKey, Waiting};
use loupe_ir::program::{BlockId, FunctionId, Program};

/// The strategy `coverage`.
#[derive(Debug)]
pub(super) struct Coverage {
    generator: Generator,
    states: Groups,
}

impl Coverage {
    pub(super) fn new(program: &Program, seed: u64) -> Self {
        Coverage { generator: Generator::new(seed), states: Groups::new(program) }
    }

    /// The state waits no longer.
    pub(super) fn take(&mut self, key: StateKey) {
        self.states.remove(key);
    }
}

impl Search for Coverage {
    fn forked(&mut self, _: StateKey, _: StateKey) {}

    fn add(&mut self, waiting: Waiting) {
        self.states.add(&waiting);
    }

    fn pick(&mut self) -> Option<StateKey> {
        let key = self.states.choose(&mut self.generator)?;
        self.take(key);
        Some(key)
    }

    fn ended(&mut self, key: StateKey) {
        self.take(key);
    }

    fn covered(&mut self, function: FunctionId, block: BlockId) {
        self.states.covered(function, block);
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

#[cfg(test)]
mod tests;
