//! Whether a run is in a loop, and which time it has come there.

use crate::loops::{LoopKey, Loops};
use loupe_engine::concrete::ConcreteState;
use loupe_ir::program::{BlockId, FunctionId};
use std::cell::Cell;
use std::rc::Rc;

/// Where a run is.
#[derive(Clone, Copy, Default)]
pub(super) struct Inside {
    /// The depth of the call whose activation of the loop it is in.
    pub(super) depth: Option<usize>,
    pub(super) iterations: u64,
    /// How often it was asked since.
    pub(super) questions: u64,
    /// Whether there is no reason to go on.
    pub(super) is_enough: bool,
    /// How often the loop has been entered.
    pub(super) visits: u64,
}

impl Inside {
    /// The loop has been left.
    fn left(self) -> Self {
        Inside { visits: self.visits, ..Inside::default() }
    }
}

/// Follows a run into a loop and out of it.
pub(super) struct Stay<'l> {
    loops: &'l Loops,
    key: LoopKey,
    header: BlockId,
    depth: usize,
    inside: Rc<Cell<Inside>>,
}

impl<'l> Stay<'l> {
    pub(super) fn new(loops: &'l Loops, key: LoopKey) -> Self {
        let header = loops.of(key.0).get(key.1).header;
        Stay { loops, key, header, depth: 0, inside: Rc::default() }
    }

    /// Where the run is, for those who ask while it goes on.
    pub(super) fn inside(&self) -> Rc<Cell<Inside>> {
        Rc::clone(&self.inside)
    }

    pub(super) fn called(&mut self) {
        self.depth += 1;
    }

    pub(super) fn returned(&mut self) {
        if self.inside.get().depth == Some(self.depth) {
            self.leave();
        }
        self.depth -= 1;
    }

    /// The run goes along an edge; whether it comes to the loop from outside.
    pub(super) fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        let mut inside = self.inside.get();
        let is_here = inside.depth == Some(self.depth);
        if function != self.key.0 || inside.depth.is_some() && !is_here {
            return false;
        }
        let forest = self.loops.of(function);
        let (comes, goes) = (forest.contains(self.key.1, from), forest.contains(self.key.1, to));
        let has_entered = to == self.header && !comes;
        if has_entered {
            inside = Inside { depth: Some(self.depth), ..inside.left() };
            inside.visits += 1;
        } else if is_here && to == self.header {
            inside.iterations += 1;
        } else if is_here && !goes {
            inside = inside.left();
        }
        self.inside.set(inside);
        has_entered
    }

    /// Whether a run stands at the header.
    pub(super) fn is_at_header(&self, state: &ConcreteState) -> bool {
        let at = state.frames.last().map(|frame| (frame.function, frame.block));
        at == Some((self.key.0, self.header))
    }

    /// The loop has been left without an edge: its iterations were gone over.
    pub(super) fn leave(&mut self) {
        self.inside.set(self.inside.get().left());
    }
}
