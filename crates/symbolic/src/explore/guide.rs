//! The way to a state as a list of decisions, and going it again.
//!
//! That is how states get from one part of an exploration to another: terms and objects stay where they are, and whoever
//! gets the decisions executes the program from its start along them. No question is asked on the way:
//! what was possible for the one is possible for the other.

use super::{Branch, Explorer};
use crate::domain::{Feasible, Outcome};
use crate::halt::{Halt, internal};
use crate::search::Location;
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
    /// Whether something is impossible.
    Refuted(bool),
    /// The remainder that an offset has when it is divided by the size of an access, if it has only one.
    Residue(Option<Integer>),
}

/// A decision, and where it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was decided.
    pub decision: Decision,
    /// Where; the next instruction stands there.
    pub at: Option<Location>,
}

/// Decisions that are still to be made.
pub(crate) type Guide = VecDeque<Step>;

/// A way that was gone before cannot be gone again: what decides is not the same.
pub(super) fn lost() -> Box<Halt> {
    internal("a path cannot be followed again")
}

impl Branch {
    /// Where it stands.
    pub(super) fn here(&self) -> Option<Location> {
        self.state.frames.last().map(super::location)
    }

    /// Notes a decision.
    pub(super) fn decide(&mut self, decision: Decision) {
        let at = self.here();
        self.decisions.push_front_mut(Step { decision, at });
    }
}

impl Explorer<'_> {
    /// Notes what the domain has decided since it was asked last. What it has taken from the guide must be of
    /// this place.
    pub(super) fn note_decided(&mut self, branch: &mut Branch) -> Outcome<()> {
        let here = branch.here();
        for Step { decision, at } in std::mem::take(&mut self.machine.domain.decided) {
            if at.is_some() && at != here {
                return Err(lost());
            }
            branch.decide(decision);
        }
        Ok(())
    }

    /// The decision that was made here before, if the way is one that was gone before.
    pub(super) fn guided(&mut self, branch: &Branch) -> Outcome<Option<Decision>> {
        let here = branch.here();
        let domain = &mut self.machine.domain;
        let Some(guide) = &mut domain.guide else { return Ok(None) };
        if let Some(Step { decision, at }) = guide.pop_front() {
            // Decisions of another place mean that the two ways have parted: nothing found on this one would
            // be what was asked for.
            return if at == here { Ok(Some(decision)) } else { Err(lost()) };
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
