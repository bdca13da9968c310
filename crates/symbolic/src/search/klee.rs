//! `klee`: `tree` and `coverage` in turns, over the same waiting states, `tree` first.
//!
//! As in the thesis, which took it from KLEE. KLEE's weights are others: the inverse square of the distance, plus
//! that of how long ago the state covered something new.

use super::coverage::Coverage;
use super::generator::Generator;
use super::tree::Tree;
use super::{Search, StateKey, Waiting};
use loupe_ir::program::{BlockId, FunctionId, Program};

/// Whose turn it is.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Tree,
    Coverage,
}

/// The strategy `klee`.
#[derive(Debug)]
pub(super) struct Klee {
    tree: Tree,
    coverage: Coverage,
    turn: Turn,
}

impl Klee {
    pub(super) fn new(program: &Program, seed: u64) -> Self {
        // Two streams of numbers that have nothing to do with each other.
        let mut seeds = Generator::new(seed);
        Klee {
            tree: Tree::new(seeds.next()),
            coverage: Coverage::new(program, seeds.next()),
            turn: Turn::Tree,
        }
    }
}

impl Search for Klee {
    fn forked(&mut self, parent: StateKey, child: StateKey) {
        self.tree.forked(parent, child);
    }

    fn add(&mut self, waiting: Waiting) {
        self.tree.add(waiting.clone());
        self.coverage.add(waiting);
    }

    fn pick(&mut self) -> Option<StateKey> {
        match self.turn {
            Turn::Tree => {
                self.turn = Turn::Coverage;
                let key = self.tree.pick()?;
                self.coverage.take(key);
                Some(key)
            }
            Turn::Coverage => {
                self.turn = Turn::Tree;
                let key = self.coverage.pick()?;
                self.tree.take(key);
                Some(key)
            }
        }
    }

    fn ended(&mut self, key: StateKey) {
        self.tree.ended(key);
        self.coverage.ended(key);
    }

    fn covered(&mut self, function: FunctionId, block: BlockId) {
        self.coverage.covered(function, block);
    }

    fn len(&self) -> usize {
        self.tree.len()
    }
}
