//! Loops that need no summary: those that are over after a few iterations, with nothing to decide.

use crate::domain::{Outcome, Symbolic};
use crate::loops::{LoopKey, Loops};
use crate::value::Bool;
use loupe_engine::semantics::{Control, Event, Machine};
use loupe_engine::state::State;
use loupe_ir::program::{BlockId, FunctionId};

/// A loop that takes more iterations is worth a summary.
const MAX_ITERATIONS: u64 = 64;

/// And so is one that takes more instructions, loops inside included.
const MAX_STEPS: u64 = 20_000;

/// Counts iterations of a loop, and stops outside of it.
struct Count<'c> {
    loops: &'c Loops,
    key: LoopKey,
    header: BlockId,
    is_own_call: bool,
    iterations: &'c mut u64,
}

impl Control<Symbolic> for Count<'_> {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, _: FunctionId, _: BlockId, to: BlockId) {
        if self.is_own_call && to == self.header {
            *self.iterations += 1;
        }
    }

    fn stops(&mut self, function: FunctionId, _: BlockId, to: BlockId) -> bool {
        *self.iterations > MAX_ITERATIONS
            || self.is_own_call && !self.loops.of(function).contains(self.key.1, to)
    }
}

/// Whether the loop whose header a state stands at is left after a few iterations, with nothing to decide. The state is not changed, and
/// nothing that happens on the way is kept.
pub(crate) fn runs_through(
    machine: &mut Machine<'_, Symbolic>,
    loops: &Loops,
    state: &State<Symbolic>,
) -> Outcome<bool> {
    let Some(frame) = state.frames.last() else { return Ok(false) };
    let Some(id) = loops.of(frame.function).headed_by(frame.block) else { return Ok(false) };
    let (key, header, depth) = ((frame.function, id), frame.block, state.depth());
    let path = machine.domain.path.clone();
    let decided = std::mem::take(&mut machine.domain.decided);
    let guide = machine.domain.guide.take();
    let mut copy = state.clone();
    let (mut iterations, mut budget) = (0, MAX_STEPS);
    let result = loop {
        let is_own_call = copy.depth() == depth;
        let mut count = Count { loops, key, header, is_own_call, iterations: &mut iterations };
        match machine.advance(&mut copy, &mut count, &mut budget) {
            Ok(Event::Entered) => break iterations <= MAX_ITERATIONS,
            Ok(Event::Called | Event::Written | Event::Output(_)) => {}
            Ok(Event::Returned) if copy.depth() < depth => break true,
            Ok(Event::Returned) => {}
            Ok(Event::Finished(_) | Event::Exited(_) | Event::Aborted) => break true,
            Ok(Event::Branch { condition: Bool::Known(truth), then, otherwise }) => {
                let to = if truth { then } else { otherwise };
                let is_own_call = copy.depth() == depth;
                if is_own_call && !loops.of(key.0).contains(key.1, to) {
                    break true;
                }
                iterations += u64::from(is_own_call && to == header);
                Machine::<Symbolic>::enter(&mut copy, to);
            }
            Ok(Event::Switch { value, cases, default }) => {
                let Some(number) = value.known() else { break false };
                let to = cases.iter().find(|(case, _)| case == number);
                let to = to.map_or(default, |(_, block)| *block);
                let is_own_call = copy.depth() == depth;
                if is_own_call && !loops.of(key.0).contains(key.1, to) {
                    break true;
                }
                iterations += u64::from(is_own_call && to == header);
                Machine::<Symbolic>::enter(&mut copy, to);
            }
            Ok(_) | Err(_) => break false,
        }
        if iterations > MAX_ITERATIONS {
            break false;
        }
    };
    let domain = &mut machine.domain;
    (domain.path, domain.decided, domain.guide) = (path, decided, guide);
    domain.written.clear();
    Ok(result)
}
