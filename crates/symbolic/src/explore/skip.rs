//! Runs that are watched and go over iterations all the same: what tests of programs with long loops cover.
//!
//! A [`Jumper`](super::jump) leaves a loop as soon as it comes to it, so whoever watches sees neither the body nor the way out. Here the
//! first iterations are executed. Then the registers get the values with which the loop is left, at its header, and the interpreter
//! goes on from there: it evaluates the condition itself, and leaves the loop by an edge of the program. That works for loops that are left at
//! their header, and where the header may be executed twice: what it writes, it does not read before. Where the run does not leave the
//! loop as foreseen, it is [astray](Skipper::is_astray), and nothing of it counts.

use super::jump::{Jump, Plan, Possible};
use crate::loops::{Loops, Region};
use crate::summary::enters_loop;
use loupe_engine::concrete::{Concrete, ConcreteState, Observer};
use loupe_engine::semantics::Machine;
use loupe_engine::value::Value;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::analysis::location::Step;
use loupe_ir::analysis::uses::{Access, visit_accesses};
use loupe_ir::program::{BlockId, FunctionId, Program};

/// So many iterations are executed before the rest is gone over.
const EXECUTED: u64 = 1 << 16;

/// Watches a run on behalf of somebody else, and goes over iterations.
pub(crate) struct Skipper<'s, O> {
    loops: &'s Loops,
    watcher: &'s mut O,
    possible: Vec<Possible>,
    armed: Option<Armed>,
    /// The edge by which the loop that was gone over is left.
    expected: Option<(FunctionId, BlockId, BlockId)>,
    is_lost: bool,
    made: Vec<Jump>,
}

/// A loop that is executed, and will be gone over.
struct Armed {
    possible: Possible,
    header: BlockId,
    /// How many calls are active in it.
    depth: usize,
    left: u64,
}

impl<'s, O: Observer> Skipper<'s, O> {
    /// Goes over loops as planned, for somebody who watches.
    pub(crate) fn new(program: &Program, loops: &'s Loops, plan: Plan, watcher: &'s mut O) -> Self {
        let mut possible = plan.possible;
        // Where only a cycle is left, the loop goes on: nothing of what comes then can be foreseen at its header.
        possible.retain(|possible| matches!(possible.region, Region::Loop(_)));
        // Where a check fails in the middle, the last iteration is no way out either.
        possible.retain(|possible| possible.to != possible.entry);
        possible.retain(|possible| is_left_at_header(program, loops, possible));
        let (armed, expected, made) = (None, None, Vec::new());
        Skipper { loops, watcher, possible, armed, expected, is_lost: false, made }
    }

    /// Whether a loop was left otherwise than foreseen: then the run means nothing.
    pub(crate) fn is_astray(&self) -> bool {
        self.is_lost || self.expected.is_some()
    }

    /// The iterations that were gone over.
    pub(crate) fn made(self) -> Vec<Jump> {
        self.made
    }

    /// Comes to a loop from outside.
    fn arm(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        let Some(frame) = state.frames.last() else { return };
        let (function, header) = (frame.function, frame.block);
        if self.armed.as_ref().is_some_and(|armed| !armed.possible.is_at(function, header)) {
            return;
        }
        let mut fits = |possible: &Possible| possible.fits(machine, state);
        let number = self.possible.iter().position(&mut fits);
        self.armed = number.map(|number| Armed {
            possible: self.possible.remove(number),
            header,
            depth: state.frames.len(),
            left: EXECUTED,
        });
    }

    /// Goes over the rest of the iterations.
    fn skip(&mut self, state: &mut ConcreteState, armed: Armed) {
        let Some(frame) = state.frames.last_mut() else { return };
        let Possible { region, last, after, to, jump, .. } = armed.possible;
        // What matters behind the loop only is in `after` alone.
        for (local, value) in last.into_iter().chain(after) {
            if let Some(slot) = frame.locals.get_mut(local.index()) {
                *slot = Value::Int(value);
            }
        }
        self.expected = Some((region.key().0, armed.header, to));
        self.made.push(jump);
    }
}

/// Whether the loop is left from its header alone, which can be executed twice as well as once.
fn is_left_at_header(program: &Program, loops: &Loops, possible: &Possible) -> bool {
    let (function, id) = possible.region.key();
    let header = loops.of(function).get(id).header;
    let function = program.function(function);
    let block = function.block(header);
    let liveness = Liveness::new(function, &FlowGraph::new(function));
    let mut can_repeat = true;
    for instruction in &block.instructions {
        visit_accesses(Step::Instruction(instruction), &mut |access| {
            can_repeat &= match access {
                // Read before it is written, it would be another value the second time.
                Access::Assign(register) => !liveness.is_live_in(header, register),
                Access::Read(_) | Access::Load(_) | Access::Probe(_) | Access::Examine => true,
                Access::Address(_) | Access::LoadRange => true,
                _ => false,
            };
        });
    }
    can_repeat && block.terminator.kind.successors().any(|successor| successor == possible.to)
}

impl<O: Observer> Observer for Skipper<'_, O> {
    fn called(&mut self, function: FunctionId) {
        self.watcher.called(function);
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        if let Some(expected) = self.expected.take() {
            self.is_lost |= expected != (function, from, to);
        }
        self.watcher.edge(function, from, to);
    }

    fn returned(&mut self) {
        self.watcher.returned();
    }

    fn jumps(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        if let Some(armed) = &mut self.armed
            && armed.possible.is_at(function, to)
        {
            armed.left = armed.left.saturating_sub(1);
            if armed.left == 0 {
                return true;
            }
        }
        !self.possible.is_empty() && enters_loop(self.loops, function, from, to)
    }

    fn jump(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        let place = state.frames.last().map(|frame| (frame.function, frame.block));
        let depth = state.frames.len();
        let is_there = |armed: &mut Armed| {
            armed.left == 0
                && armed.depth == depth
                && place.is_some_and(|(function, block)| armed.possible.is_at(function, block))
        };
        match self.armed.take_if(is_there) {
            Some(armed) => self.skip(state, armed),
            None => self.arm(machine, state),
        }
    }
}
