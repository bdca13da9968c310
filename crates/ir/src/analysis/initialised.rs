//! Which registers have definitely been initialised.
//!
//! A register is *definitely initialised* at a place if it has been assigned on every path to it,
//! since the entry of the function or since its last declaration (the definite assignment of Gosling
//! et al., *The Java Language Specification*, chapter 16, without a look at conditions). Parameters
//! are from the start. Beside assignments and results of calls, a passed
//! `check uninitialised-value initialised x` counts: where such a check is followed by a second one,
//! the second cannot be the first to fail.
//!
//! Three things do not count: a write to a part of a register, the assignment of an undefined value,
//! and everything about memory locals.

use super::dataflow::{self, Analysis, Direction};
use super::graph::FlowGraph;
use super::location::{Location, Step, steps};
use super::registers::{Exposed, RegisterAccess, visit_registers};
use crate::check::{CheckKind, Predicate};
use crate::program::{Base, Function, InstructionKind, LocalId, Place, Rvalue, Storage};
use fixedbitset::FixedBitSet;

/// The definitely initialised registers of a function.
///
/// The answers are exact, in terms of paths, at the steps that read the register or ask whether it
/// is initialised; elsewhere a `false` may mean that nobody wants to know. In a block that cannot
/// be reached from the entry, everything is initialised.
#[derive(Clone, Debug)]
pub struct DefinitelyInitialised<'f> {
    function: &'f Function,
    exposed: Exposed,
    starts: Vec<FixedBitSet>,
}

/// The definitely initialised registers of `function`, whose graph is `graph`.
pub fn definitely_initialised<'f>(
    function: &'f Function,
    graph: &FlowGraph,
) -> DefinitelyInitialised<'f> {
    let exposed = Exposed::new(function);
    let problem = Problem { function, exposed: &exposed };
    let starts = dataflow::solve(&problem, function, graph);
    DefinitelyInitialised { function, exposed, starts }
}

impl DefinitelyInitialised<'_> {
    /// Whether `register` is definitely initialised before the step at `location`.
    pub fn is_initialised(&self, location: Location, register: LocalId) -> bool {
        let before =
            steps(self.function, location.block).take_while(|(place, _)| *place < location);
        let mut initialised = self
            .exposed
            .number(register)
            .is_some_and(|number| self.starts[location.block.index()].contains(number));
        for (_, step) in before {
            visit_changes(self.function, step, &mut |local, becomes| {
                if local == register {
                    initialised = becomes;
                }
            });
        }
        initialised
    }

    /// The places of the checks `uninitialised-value initialised x` that cannot fail, or at least
    /// not before another such check of `x` has failed. All of them may be removed together: on
    /// every path, what first initialises `x` is an assignment or a check that is not listed.
    pub fn redundant_checks(&self) -> Vec<Location> {
        // What the current block has done to each register so far, with the block's number.
        let mut inside = vec![None; self.function.locals.len()];
        let mut redundant = Vec::new();
        for (block, _) in self.function.blocks() {
            for (location, step) in steps(self.function, block) {
                if let Some(register) = checked_register(self.function, step) {
                    let number = self.exposed.number(register);
                    let initialised = match inside[register.index()] {
                        Some((known, initialised)) if known == block => initialised,
                        _ => number.is_some_and(|n| self.starts[block.index()].contains(n)),
                    };
                    if initialised {
                        redundant.push(location);
                    }
                }
                visit_changes(self.function, step, &mut |local, becomes| {
                    inside[local.index()] = Some((block, becomes));
                });
            }
        }
        redundant
    }
}

/// The register that `step` checks to be initialised as a whole.
fn checked_register(function: &Function, step: Step<'_>) -> Option<LocalId> {
    let Step::Instruction(instruction) = step else { return None };
    let InstructionKind::Check(check) = &instruction.kind else { return None };
    match &check.predicate {
        Predicate::Initialised(Place { base: Base::Local(local), projections })
            if check.kind == CheckKind::Uninitialised && projections.is_empty() =>
        {
            Some(*local).filter(|local| function.local(*local).storage == Storage::Register)
        }
        _ => None,
    }
}

/// Calls `visit` for the registers that become initialised (`true`) or uninitialised (`false`).
fn visit_changes(function: &Function, step: Step<'_>, visit: &mut impl FnMut(LocalId, bool)) {
    if let Some(register) = checked_register(function, step) {
        visit(register, true);
        return;
    }
    visit_registers(function, step, &mut |access| match access {
        RegisterAccess::Write(local) => visit(local, !assigns_undefined(step)),
        RegisterAccess::Clear(local) => visit(local, false),
        RegisterAccess::Read(_) | RegisterAccess::Update(_) => {}
    });
}

fn assigns_undefined(step: Step<'_>) -> bool {
    let Step::Instruction(instruction) = step else { return false };
    matches!(instruction.kind, InstructionKind::Assign { value: Rvalue::Undefined(_), .. })
}

struct Problem<'f> {
    function: &'f Function,
    exposed: &'f Exposed,
}

impl Analysis for Problem<'_> {
    type Fact = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.exposed.len());
        all.insert_range(..);
        all
    }

    fn boundary(&self) -> FixedBitSet {
        let mut parameters = FixedBitSet::with_capacity(self.exposed.len());
        let numbers = 0..self.exposed.len();
        let is_parameter = |n: &usize| self.exposed.register(*n).index() < self.function.params;
        parameters.extend(numbers.filter(is_parameter));
        parameters
    }

    fn join(&self, into: &mut FixedBitSet, from: &FixedBitSet) -> bool {
        dataflow::intersect(into, from)
    }

    fn transfer(&self, _: Location, step: Step<'_>, fact: &mut FixedBitSet) {
        visit_changes(self.function, step, &mut |local, becomes| {
            if let Some(number) = self.exposed.number(local) {
                fact.set(number, becomes);
            }
        });
    }
}

#[cfg(test)]
mod tests;
