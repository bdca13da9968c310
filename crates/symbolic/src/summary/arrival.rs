//! How a program first comes to a loop: where values have no types, only an execution tells what they are.
//!
//! The program is executed symbolically, one path after the other, until one comes to the header. There, all numbers in registers of the function become
//! arbitrary; arrays and records stay as they are. What the loop changes in them is arbitrary for whoever summarises it, so what is left of this one execution is how
//! large they are, which fields they have, and what the loop only reads of them. Whoever shows the result says so.

use super::arbitrary::{Arbitrary, Declared};
use crate::domain::{Feasible, Outcome, Streams, Symbolic};
use crate::halt::{Case, Halt};
use crate::loops::{LoopKey, Loops};
use crate::memory::Memory;
use crate::path::Path;
use crate::value::{Bool, Int};
use loupe_engine::semantics::{Control, Event, Machine};
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::program::{BlockId, FunctionId};
use loupe_ir::types::{IntType, Type};
use loupe_term::Term;
use std::collections::BTreeSet;

/// So many instructions are executed on the way.
const MAX_STEPS: u64 = 20_000;

/// And so many paths are begun.
const MAX_PATHS: usize = 64;

/// Stops at a header.
struct Way {
    function: FunctionId,
    header: BlockId,
}

impl Control<Symbolic> for Way {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, _: FunctionId, _: BlockId, _: BlockId) {}

    fn stops(&mut self, function: FunctionId, _: BlockId, to: BlockId) -> bool {
        (function, to) == (self.function, self.header)
    }
}

/// States that are on their way.
struct Search {
    way: Way,
    open: Vec<(State<Symbolic>, Path)>,
    begun: usize,
    steps: u64,
}

/// A state at the header of a loop as the program first comes to it, with arbitrary numbers in registers; none if it is not found.
pub(super) fn arrival(
    machine: &mut Machine<'_, Symbolic>,
    loops: &Loops,
    (function, id): LoopKey,
) -> Outcome<Option<Arbitrary>> {
    let header = loops.of(function).get(id).header;
    // A function with parameters stands for the start of a program that has none.
    if machine.program.function(machine.program.entry).params > 0 {
        return Ok(None);
    }
    machine.domain.path = Path::default();
    let start = machine.start(Memory::default(), Streams::default(), Vec::new())?;
    let way = Way { function, header };
    let open = vec![(start, Path::default())];
    let mut search = Search { way, open, begun: 1, steps: MAX_STEPS };
    let mut found = None;
    while found.is_none()
        && search.begun <= MAX_PATHS
        && let Some((state, path)) = search.open.pop()
    {
        machine.domain.path = path;
        found = search.walk(machine, state)?;
    }
    machine.domain.path = Path::default();
    Ok(found.map(|state| generalised(machine, function, state)))
}

impl Search {
    /// Executes up to the next decision, and makes it; the state, if it is at the header.
    fn walk(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        mut state: State<Symbolic>,
    ) -> Outcome<Option<State<Symbolic>>> {
        loop {
            let event = match machine.advance(&mut state, &mut self.way, &mut self.steps) {
                Ok(event) => event,
                Err(halt) => match *halt {
                    Halt::Internal(error) => return Err(error.into()),
                    Halt::Again => {
                        step_back(&mut state);
                        continue;
                    }
                    Halt::Split(cases) => {
                        step_back(&mut state);
                        self.split(machine, &state, cases);
                        return Ok(None);
                    }
                    _ => return Ok(None),
                },
            };
            let sides: Vec<(Term, BlockId)> = match event {
                Event::Entered => return Ok(Some(state)),
                Event::Called | Event::Returned | Event::Written | Event::Output(_) => continue,
                Event::Checked { holds, .. } | Event::Assumed(holds) => {
                    let holds = machine.domain.condition(holds);
                    if let Feasible::No = machine.domain.feasible(holds)? {
                        return Ok(None);
                    }
                    machine.domain.assume(holds, None);
                    continue;
                }
                Event::Branch { condition, then, otherwise } => {
                    let condition = machine.domain.condition(condition);
                    let negation = machine.domain.terms.not(condition);
                    vec![(condition, then), (negation, otherwise)]
                }
                Event::Switch { value, cases, default } => {
                    machine.domain.sides(&value, cases, default)
                }
                Event::Finished(_) | Event::Exited(_) | Event::Aborted | Event::Paused => {
                    return Ok(None);
                }
            };
            let path = std::mem::take(&mut machine.domain.path);
            for (condition, block) in sides.into_iter().rev() {
                machine.domain.path = path.clone();
                if matches!(machine.domain.feasible(condition)?, Feasible::No) {
                    continue;
                }
                machine.domain.assume(condition, None);
                let mut child = state.clone();
                Machine::<Symbolic>::enter(&mut child, block);
                let here = child.frames.last().map(|frame| (frame.function, frame.block));
                if here == Some((self.way.function, self.way.header)) {
                    return Ok(Some(child));
                }
                self.open.push((child, std::mem::take(&mut machine.domain.path)));
                self.begun += 1;
            }
            return Ok(None);
        }
    }

    fn split(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        state: &State<Symbolic>,
        cases: Vec<Case>,
    ) {
        let path = std::mem::take(&mut machine.domain.path);
        for Case { condition, known, model, .. } in cases.into_iter().rev() {
            machine.domain.path = path.clone();
            machine.domain.assume(condition, model);
            if let Some((term, number)) = known {
                machine.domain.path.learn(term, number);
            }
            self.open.push((state.clone(), std::mem::take(&mut machine.domain.path)));
            self.begun += 1;
        }
    }
}

fn step_back(state: &mut State<Symbolic>) {
    if let Some(frame) = state.frames.last_mut() {
        frame.next -= 1;
    }
}

/// The state with arbitrary numbers in the registers of the innermost call.
fn generalised(
    machine: &mut Machine<'_, Symbolic>,
    function: FunctionId,
    mut state: State<Symbolic>,
) -> Arbitrary {
    let program = machine.program;
    let code = program.function(function);
    let mut declared = Vec::new();
    let locals = state.frames.last_mut().map(|frame| &mut frame.locals);
    for ((number, local), slot) in code.locals().zip(locals.into_iter().flatten()) {
        if !matches!(slot, Value::Int(_)) {
            continue;
        }
        let ty = match program.types.get(local.ty) {
            Type::Int(ty) => *ty,
            _ => IntType::Unbounded,
        };
        let name = local.name.clone().unwrap_or_else(|| format!("t{}", number.0));
        let symbol = machine.domain.typed_symbol(&name, ty);
        *slot = Value::Int(Int::Term(symbol));
        declared.push(Declared { name, symbol, local: Some(number) });
    }
    let what = "arrays, records and what pointers point to are as the program first comes to the loop with them";
    let assumptions = BTreeSet::from([what.to_owned()]);
    Arbitrary { state, facts: Vec::new(), declared, unnamed: Vec::new(), assumptions }
}
