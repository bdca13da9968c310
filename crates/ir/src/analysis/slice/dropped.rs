//! What a slice leaves out that could have ended the loop, or could be seen from outside.

use super::super::location::{Location, Step, steps};
use super::super::loops::{LoopForest, LoopId};
use super::super::uses::{Access, visit_accesses};
use super::calls::{Calls, known_callee};
use super::effects::{reads_standard_input, takes_input};
use super::relevance::Relevance;
use crate::check::CheckKind;
use crate::program::{
    Base, BlockId, Function, FunctionId, InstructionKind, Place, Projection, Storage,
};
use crate::source::Span;
use std::collections::BTreeSet;

/// Why a call may not come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hazard {
    /// A check may fail.
    Check,
    /// An assumption may not hold.
    Assumption,
    /// A loop may not end.
    Loop,
    /// A recursion may not end.
    Recursion,
    /// The program may end with a status.
    Exit,
    /// The program may end abnormally.
    Abort,
    /// Nothing is known of the function.
    Unknown,
}

/// A cycle within the loop that is gone, and with it the question whether it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedLoop {
    /// Its header; for an irreducible cycle its first entry.
    pub header: BlockId,
    /// Its place in the source.
    pub span: Span,
}

/// A call that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedCall {
    /// Where it stood.
    pub location: Location,
    /// Its place in the source.
    pub span: Span,
    /// The function, if the call names it.
    pub callee: Option<FunctionId>,
    /// Why it may not have come back; if there is nothing, it always does.
    pub hazards: BTreeSet<Hazard>,
    /// Whether it may write output.
    pub outputs: bool,
}

/// A check that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedCheck {
    /// Where it stood.
    pub location: Location,
    /// Its place in the source.
    pub span: Span,
    /// What it was about.
    pub kind: CheckKind,
}

/// What else somebody could notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SideEffect {
    /// Output.
    Output,
    /// An input or a part of the standard input is taken.
    Input,
    /// A global or an object in memory is written.
    Write,
    /// An object is given back.
    Free,
}

/// A side effect that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedEffect {
    /// Where it stood.
    pub location: Location,
    /// Its place in the source.
    pub span: Span,
    /// What it was.
    pub effect: SideEffect,
}

/// What a slice leaves out. What only computes values that nobody needs is not listed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Inner loops, outer ones before those in them, and then irreducible cycles. An inner loop that is not
    /// listed iterates as often as before.
    pub loops: Vec<DroppedLoop>,
    /// Calls.
    pub calls: Vec<DroppedCall>,
    /// Checks.
    pub checks: Vec<DroppedCheck>,
    /// Assumptions.
    pub assumptions: Vec<(Location, Span)>,
    /// Other side effects.
    pub effects: Vec<DroppedEffect>,
    /// Branches that are jumps now.
    pub branches: Vec<(Location, Span)>,
}

impl Dropped {
    /// Whether everything that is gone is sure to have ended without failing. If not, the loop may end in
    /// fewer cases than its slice, and a summary of the slice is one of more than the executions.
    pub fn cannot_stop(&self) -> bool {
        let calls_return = self.calls.iter().all(|call| call.hazards.is_empty());
        self.loops.is_empty()
            && self.checks.is_empty()
            && self.assumptions.is_empty()
            && calls_return
    }
}

/// What is left out of the loop `id`.
pub(super) fn dropped(
    function: &Function,
    forest: &LoopForest,
    id: LoopId,
    calls: &Calls,
    relevance: &Relevance<'_>,
) -> Dropped {
    let mut dropped =
        Dropped { loops: loops(function, forest, id, relevance), ..Dropped::default() };
    for block in forest.blocks(id) {
        for (location, step) in steps(function, *block) {
            if !relevance.keeps(location) {
                dropped.add(function, calls, location, step);
            }
        }
    }
    dropped
}

fn loops(
    function: &Function,
    forest: &LoopForest,
    id: LoopId,
    relevance: &Relevance<'_>,
) -> Vec<DroppedLoop> {
    let inside = |block: &BlockId| forest.contains(id, *block);
    let inner = forest.iter().filter(|(inner, l)| *inner != id && inside(&l.header));
    let gone =
        inner.filter(|(inner, _)| !forest.blocks(*inner).iter().any(|b| relevance.visits(*b)));
    let mut all: Vec<DroppedLoop> =
        gone.map(|(_, l)| DroppedLoop { header: l.header, span: l.span(function) }).collect();
    for region in forest.irreducible_in(id) {
        if !region.blocks.iter().any(|block| relevance.visits(*block))
            && let Some(header) = region.entries.first()
        {
            let span = function.block(*header).terminator.span;
            all.push(DroppedLoop { header: *header, span });
        }
    }
    all
}

impl Dropped {
    fn add(&mut self, function: &Function, calls: &Calls, location: Location, step: Step<'_>) {
        let span = step.span();
        match step {
            Step::Terminator(terminator) => {
                let mut next = terminator.kind.successors();
                let first = next.next();
                if next.any(|other| Some(other) != first) {
                    self.branches.push((location, span));
                }
            }
            Step::Instruction(instruction) => match &instruction.kind {
                InstructionKind::Check(check) => {
                    self.checks.push(DroppedCheck { location, span, kind: check.kind });
                }
                InstructionKind::Assume(_) => self.assumptions.push((location, span)),
                InstructionKind::Call { callee, .. } => {
                    let effects = calls.of(callee);
                    self.calls.push(DroppedCall {
                        location,
                        span,
                        callee: known_callee(callee),
                        hazards: effects.hazards.clone(),
                        outputs: effects.outputs,
                    });
                }
                _ => {}
            },
        }
        let found = side_effects(function, step).into_iter();
        self.effects.extend(found.map(|effect| DroppedEffect { location, span, effect }));
    }
}

fn side_effects(function: &Function, step: Step<'_>) -> BTreeSet<SideEffect> {
    let mut effects = BTreeSet::new();
    visit_accesses(step, &mut |access| match access {
        Access::Store(place) if !is_register(function, place) => {
            effects.insert(SideEffect::Write);
        }
        Access::StoreRange => {
            effects.insert(SideEffect::Write);
        }
        Access::Free => {
            effects.insert(SideEffect::Free);
        }
        Access::Output => {
            effects.insert(SideEffect::Output);
        }
        _ => {}
    });
    if takes_input(step) || reads_standard_input(step) {
        effects.insert(SideEffect::Input);
    }
    effects
}

/// Whether a write to `place` changes a register and nothing else. An element of a register may be one
/// of an array that others see.
fn is_register(function: &Function, place: &Place) -> bool {
    let shared = |step: &Projection| matches!(step, Projection::Deref | Projection::Index(_));
    match place.base {
        Base::Local(local) => {
            function.local(local).storage == Storage::Register
                && !place.projections.iter().any(shared)
        }
        Base::Global(_) => false,
    }
}
