//! The way to a state as a list of decisions, and going it again.
//!
//! That is how states get from one thread to another: terms and objects stay where they are, and whoever
//! gets the decisions executes the program from its start along them. No question is asked on the way:
//! what was possible for the one is possible for the other.

use super::Explorer;
use crate::domain::{Feasible, Outcome};
use loupe_integer::Integer;
use std::collections::VecDeque;

/// What was decided where something was open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// One of several sides of a branch.
    Side(u32),
    /// The only side that is possible.
    OnlySide(u32),
    /// A check holds, which it need not.
    Holds,
    /// A check holds in any case.
    HoldsAnyway,
    /// A check fails, and the path ends.
    Fails,
    /// A number is this one, of several.
    Number(Integer),
    /// A number is this one in any case.
    OnlyNumber(Integer),
    /// One of several cases.
    Case(u32),
    /// The only case that is possible.
    OnlyCase(u32),
}

/// Decisions that are still to be made.
pub(crate) type Guide = VecDeque<Decision>;

impl Explorer<'_> {
    /// The decision that was made here before, if the way is one that was gone before.
    pub(super) fn guided(&mut self) -> Outcome<Option<Decision>> {
        let domain = &mut self.machine.domain;
        let Some(guide) = &mut domain.guide else { return Ok(None) };
        if let Some(decision) = guide.pop_front() {
            return Ok(Some(decision));
        }
        // The end of the known way: from here on, values for which an execution comes here are needed.
        domain.guide = None;
        let conditions = domain.path.conditions();
        if let Feasible::Yes(model) = domain.ask(&conditions)? {
            domain.path.set_model(model);
        }
        Ok(None)
    }

    /// Whether the way is one that was gone before.
    pub(super) fn is_guided(&self) -> bool {
        self.machine.domain.guide.as_ref().is_some_and(|guide| !guide.is_empty())
    }
}
