//! Where an exploration may end states of which nothing can come: those from which, by the flowgraph, none of the places can be reached where something can go wrong at all.
//!
//! Which places these are, somebody has found who looks at all paths at once ([`loupe_ir::analysis::values`]). A state that is out of reach of all of them fails nowhere, and neither does what becomes of it, so
//! it counts as one that ends without an error, whatever it would do yet. (Of whether it ends this says nothing, nor of what it has lost by then, so it is not for termination and leaks.)

use super::{Branch, Explorer};
use crate::search::{Location, Reach};
use loupe_ir::program::Program;

/// The places where something may go wrong.
pub(super) struct Goals {
    reach: Reach,
}

impl Goals {
    pub(super) fn new(program: &Program, places: &[Location]) -> Self {
        Goals { reach: Reach::new(program, places) }
    }
}

impl Explorer<'_> {
    /// Whether nothing can go wrong any more, whatever a state does.
    pub(super) fn is_out_of_reach(&self, branch: &Branch) -> bool {
        let Some(goals) = &self.goals else { return false };
        let mut stack = branch.stack().to_vec();
        // It may have to execute an instruction again.
        if let Some(innermost) = stack.last_mut() {
            innermost.next = innermost.next.saturating_sub(1);
        }
        !goals.reach.is_possible(&stack)
    }

    /// Ends a state from which nothing can go wrong.
    pub(super) fn end_out_of_reach(&mut self, branch: &Branch) {
        self.result.finished += 1;
        self.search.ended(branch.key);
    }
}
