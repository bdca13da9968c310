//! Replays that jump: a loop of millions of iterations is gone over by the certified closed form of its summary.
//!
//! A jump is made only where the interpreter stands at the header with the very values that the case was instantiated with, and where the
//! condition of the case holds for them; what the loop leaves is then what the certificate of the case says. These values are the variables of the loop and
//! all that its iterations read besides, in registers and in memory: the path may have come here by an approximation, and the interpreter may stand here at
//! another time than the path. Loops that take inputs, write memory, follow pointers or put something out are executed.
//!
//! A loop that is left in the middle, where a check fails, is gone over up to the header of that last iteration, which the interpreter executes.

use crate::domain::Symbolic;
use crate::loops::{Loops, Region};
use crate::summary::{ExitKind, Extraction, Solution, Write, enters_loop};
use crate::trail::Trail;
use crate::value::Int;
use loupe_engine::concrete::story::Stretch;
use loupe_engine::concrete::{self, Concrete, ConcreteState};
use loupe_engine::semantics::Machine;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::program::{BlockId, Function, FunctionId, InstructionKind, LocalId, Place, Program};
use loupe_ir::source::Span;
use loupe_loops::{Repeated, Segment, Tag};
use loupe_term::{Assignment, Node, Substitution, Term, Value as TermValue};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Fewer iterations are executed.
const LEAST: i64 = 1 << 14;

/// A loop that a path has passed.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    pub(super) solution: Rc<Solution>,
    pub(super) case: usize,
    pub(super) substitution: Rc<Substitution>,
    /// The parameters of the case: numbers of iterations, mostly.
    pub(super) counters: Rc<[Term]>,
}

/// Iterations that a replay has gone over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The loop.
    pub loop_span: Span,
    /// How many iterations.
    pub iterations: Integer,
    /// What they are, in this order; empty if that is not told.
    pub parts: Vec<Stretch>,
    /// Where the run goes on.
    pub to: BlockId,
    /// Registers that the iterations write and of which it is not known what they hold then, because nobody reads them.
    pub lost: Vec<LocalId>,
}

/// A jump that is possible.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    pub(super) region: Region,
    /// Where it is made.
    pub(super) entry: BlockId,
    /// What registers must hold.
    before: Vec<(LocalId, Integer)>,
    /// What places in memory must hold.
    places: Vec<(Place, Integer)>,
    /// What those that the loop changes hold when it is left.
    pub(super) last: Vec<(LocalId, Integer)>,
    /// Those of them that hold the same behind it.
    still: Vec<(LocalId, Integer)>,
    /// What registers hold behind the loop.
    pub(super) after: Vec<(LocalId, Integer)>,
    pub(super) to: BlockId,
    pub(super) jump: Jump,
}

impl Possible {
    /// Whether it is made in that block.
    pub(super) fn is_at(&self, function: FunctionId, block: BlockId) -> bool {
        (self.region.key().0, self.entry) == (function, block)
    }

    /// Whether a call stands before this loop, with the values that the jump was made for. Then what follows is what the case says,
    /// however the call came there.
    pub(super) fn fits(
        &self,
        machine: &mut Machine<'_, Concrete>,
        state: &mut ConcreteState,
    ) -> bool {
        let Some(frame) = state.frames.last() else { return false };
        let holds = |(local, expected): &(LocalId, Integer)| {
            let value = frame.locals.get(local.index());
            matches!(value, Some(Value::Int(number)) if number == expected)
        };
        if !self.is_at(frame.function, frame.block) || !self.before.iter().all(holds) {
            return false;
        }
        let function = machine.program.function(frame.function);
        self.places.iter().all(|(place, expected)| {
            let value = machine.load(state, function, place);
            matches!(value, Ok(Value::Int(number)) if number == *expected)
        })
    }
}

/// The jumps that are possible on a path for certain values, in the order of the path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(super) possible: Vec<Possible>,
}

/// What plans are made from.
pub(crate) struct Planner<'p> {
    pub(crate) program: &'p Program,
    pub(crate) loops: &'p Loops,
    pub(crate) domain: &'p Symbolic,
}

impl Planner<'_> {
    /// All jumps that are possible on a path that has passed these loops, if symbols have these values.
    pub(crate) fn plan(&self, passed: &Trail<Passed>, model: &Assignment) -> Plan {
        let passed = passed.along(|selector| self.domain.chosen(selector, model));
        let possible = passed.iter().filter_map(|passed| self.possible(passed, model));
        Plan { possible: possible.collect() }
    }

    fn possible(&self, passed: &Passed, model: &Assignment) -> Option<Possible> {
        let domain = self.domain;
        let extraction = &passed.solution.extraction;
        let case = passed.solution.summary.cases.get(passed.case)?;
        let exit = extraction.states.get(case.exit)?;
        let reads = extraction.reads.as_ref()?;
        if !matches!(passed.solution.summary.tag, Tag::Exact | Tag::Template) {
            return None;
        }
        let entry = self.loops.entry_of(extraction.region);
        let to = match exit.kind {
            ExitKind::Block(to) => to,
            // The last iteration is executed, and fails by itself.
            ExitKind::Failed(_) => entry,
            _ => return None,
        };
        let quiet = extraction.ways.iter().all(|way| {
            way.readings.is_empty()
                && way.outputs.is_empty()
                && way.unknowns.is_empty()
                && way.occasions == 0
        });
        if !quiet || !exit.released.is_empty() || exit.created.is_some() {
            return None;
        }
        // The values of the symbols of the case: those at entry, and those of the instance.
        let mut values = model.clone();
        for (symbol, term) in passed.substitution.iter() {
            values.symbols.insert(*symbol, domain.terms.evaluate(*term, model).ok()?);
        }
        if domain.terms.holds(case.condition, &values) != Ok(true) {
            return None;
        }
        let mut before = Vec::new();
        for cell in extraction.cells.iter().filter(|cell| cell.spot.is_some()) {
            before.push((cell.register()?, number(domain, cell.symbol, &values)?));
        }
        let frame = extraction.plain.frames.last()?;
        for local in &extraction.live {
            if before.iter().any(|(known, _)| known == local) {
                continue;
            }
            match frame.locals.get(local.index())? {
                Value::Int(int) => before.push((*local, known(domain, int, model)?)),
                _ if reads.registers.contains(local) => return None,
                _ => {}
            }
        }
        let places = reads.places.iter();
        let places = places.map(|(place, int)| Some((place.clone(), known(domain, int, model)?)));
        let places = places.collect::<Option<Vec<_>>>()?;
        let (mut finals, mut last) = (values.clone(), Vec::new());
        for (cell, value) in extraction.cells.iter().zip(&case.values) {
            if let Node::Symbol(id) = domain.terms.node(cell.symbol)
                && let Ok(value) = domain.terms.evaluate(*value, &values)
            {
                if let (Some(register), TermValue::Int(number)) = (cell.register(), &value) {
                    last.push((register, number.clone()));
                }
                finals.symbols.insert(*id, value);
            }
        }
        if to == entry {
            let is_whole = extraction.cells.iter().all(|cell| {
                cell.register().is_some_and(|own| last.iter().any(|(known, _)| *known == own))
            });
            let (iterations, parts) = stretches(domain, extraction, &case.trace, &values)?;
            if !is_whole || iterations < Integer::from(LEAST) {
                return None;
            }
            let (region, still, after) = (extraction.region, last.clone(), Vec::new());
            let function = self.program.function(extraction.key.0);
            let loop_span = self.loops.of(extraction.key.0).get(extraction.key.1).span(function);
            let jump = Jump { loop_span, iterations, parts, to, lost: Vec::new() };
            return Some(Possible { region, entry, before, places, last, still, after, to, jump });
        }
        let mut after = Vec::new();
        for write in &exit.writes {
            let Write::Register(local, Value::Int(int)) = write else { return None };
            after.push((*local, known(domain, int, &finals)?));
        }
        let (iterations, parts) = stretches(domain, extraction, &case.trace, &values)?;
        if iterations < Integer::from(LEAST) {
            return None;
        }
        let function = self.program.function(extraction.key.0);
        // Where the way out writes a register that nobody reads behind it, what it held at the header is no more.
        let way = extraction.ways.get(case.last)?.edges.iter();
        let on_the_way = way.filter(|(own, ..)| *own == extraction.key.0).map(|(_, from, _)| *from);
        let rewritten = written(function, on_the_way.chain([entry]));
        let mut still = last.clone();
        still.retain(|(local, _)| !rewritten.contains(local));
        let blocks = self.loops.of(extraction.key.0).blocks(extraction.key.1);
        let mut lost = written(function, blocks.iter().copied());
        lost.retain(|local| !still.iter().chain(&after).any(|(known, _)| known == local));
        let loop_span = self.loops.of(extraction.key.0).get(extraction.key.1).span(function);
        let jump = Jump { loop_span, iterations, parts, to, lost: lost.into_iter().collect() };
        let region = extraction.region;
        Some(Possible { region, entry, before, places, last, still, after, to, jump })
    }
}

/// The registers that are written in some blocks.
fn written(function: &Function, blocks: impl Iterator<Item = BlockId>) -> BTreeSet<LocalId> {
    let instructions = blocks.flat_map(|block| &function.block(block).instructions);
    let targets = instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::Assign { target, .. } => Some(*target),
        InstructionKind::Call { target, .. } | InstructionKind::Intrinsic { target, .. } => *target,
        _ => None,
    });
    targets.collect()
}

/// How many iterations a trace has, and along which paths.
///
/// The counts within a round are over the values at its start, so only constants are known; otherwise nobody says which paths these are.
fn stretches(
    domain: &Symbolic,
    extraction: &Extraction,
    trace: &[Segment],
    values: &Assignment,
) -> Option<(Integer, Vec<Stretch>)> {
    let path = |path: usize, times: Integer| {
        let own = |(function, ..): &&(FunctionId, _, _)| *function == extraction.key.0;
        let edges = extraction.ways.get(path)?.edges.iter().filter(own);
        let edges = edges.map(|(_, from, to)| Edge { from: *from, to: *to }).collect();
        Some(Stretch::Path { edges, times })
    };
    let nothing = Assignment::default();
    let round = |parts: &[Segment]| {
        let one = |part: &Segment| {
            let times = number(domain, part.count, &nothing)?;
            match part.what {
                Repeated::Path(number) => Some((times.clone(), path(number, times)?)),
                Repeated::Round(_) | Repeated::OneOf(_) => None,
            }
        };
        parts.iter().map(one).collect::<Option<Vec<_>>>()
    };
    let (mut iterations, mut all, mut is_told) = (Integer::ZERO, Vec::new(), true);
    for Segment { what, count, .. } in trace {
        let times = number(domain, *count, values)?;
        let part = match what {
            Repeated::Path(number) => path(*number, times.clone()).map(|part| (Integer::ONE, part)),
            Repeated::Round(parts) => round(parts).map(|parts| {
                let length = parts.iter().fold(Integer::ZERO, |sum, (times, _)| sum.add(times));
                let parts = parts.into_iter().map(|(_, part)| part).collect();
                (length, Stretch::Round { parts, times: times.clone() })
            }),
            Repeated::OneOf(_) => None,
        };
        is_told &= part.is_some();
        let (length, part) =
            part.map_or((Integer::ONE, None), |(length, part)| (length, Some(part)));
        iterations = iterations.add(&times.mul(&length));
        if !times.is_zero() {
            all.extend(part);
        }
    }
    Some((iterations, if is_told { all } else { Vec::new() }))
}

fn known(domain: &Symbolic, int: &Int, values: &Assignment) -> Option<Integer> {
    match int {
        Int::Known(number) => Some(number.clone()),
        Int::Term(term) => number(domain, *term, values),
    }
}

fn number(domain: &Symbolic, term: Term, values: &Assignment) -> Option<Integer> {
    match domain.terms.evaluate(term, values) {
        Ok(TermValue::Int(number)) => Some(number),
        _ => None,
    }
}

/// Watches a replay, and jumps.
pub(super) struct Jumper<'j> {
    loops: &'j Loops,
    possible: Vec<Possible>,
    pub(super) made: Vec<Jump>,
}

impl<'j> Jumper<'j> {
    /// Makes the jumps of a plan.
    pub(super) fn new(loops: &'j Loops, plan: Plan) -> Self {
        Jumper { loops, possible: plan.possible, made: Vec::new() }
    }
}

impl concrete::Observer for Jumper<'_> {
    fn jumps(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        // The iterations of a cycle begin wherever an execution comes to its entry, a loop is entered from outside.
        let begins = |possible: &Possible| match possible.region {
            Region::Loop(_) => enters_loop(self.loops, function, from, to),
            Region::Cycle(..) => true,
        };
        self.possible.iter().any(|possible| possible.is_at(function, to) && begins(possible))
    }

    fn jump(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        loop {
            let mut fits = |possible: &Possible| possible.fits(machine, state);
            let Some(number) = self.possible.iter().position(&mut fits) else { return };
            let Possible { still, after, to, jump, .. } = self.possible.remove(number);
            let Some(frame) = state.frames.last_mut() else { return };
            // What is not in `after` is read by nobody behind the loop, but people may want to see it.
            for (local, value) in still.into_iter().chain(after) {
                if let Some(slot) = frame.locals.get_mut(local.index()) {
                    *slot = Value::Int(value);
                }
            }
            self.made.push(jump);
            let (function, from) = (frame.function, frame.block);
            let goes_on = self.jumps(function, from, to);
            Machine::<Concrete>::enter(state, to);
            if !goes_on {
                return;
            }
        }
    }
}
