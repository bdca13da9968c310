//! Replays that jump: a loop of millions of iterations is gone over by the certified closed form of its summary.
//!
//! A jump is made only where the interpreter stands at the header with the very values that the case was instantiated with, and where the
//! condition of the case holds for them; what the loop leaves is then what the certificate of the case says. These values are the variables of the loop and
//! all that its iterations read besides, in registers and in memory: the path may have come here by an approximation, and the interpreter may stand here at
//! another time than the path. Loops that take inputs, write memory, follow pointers or put something out are executed.
//!
//! A loop that is left in the middle, where a check fails, is gone over up to the header of that last iteration, which the interpreter executes. So registers get
//! the values that they have there, after the whole iterations, and not those with which the loop is left: what the last iteration changes before the
//! check (`while (y-- > 0) x++`) it will change itself.

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
use loupe_loops::{Case, Repeated, Segment, Tag};
use loupe_term::{Assignment, Node, Substitution, Term, Value as TermValue};
use std::collections::{BTreeMap, BTreeSet};
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
    /// At most so many instructions are executed in them; `None` if other loops or calls are among them.
    pub(crate) most_steps: Option<Integer>,
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
        let function = self.program.function(extraction.key.0);
        let loop_span = self.loops.of(extraction.key.0).get(extraction.key.1).span(function);
        let (iterations, parts) = stretches(domain, extraction, &case.trace, &values)?;
        if iterations < Integer::from(LEAST) {
            return None;
        }
        let region = extraction.region;
        let most_steps = self.most_steps(region).map(|most| iterations.mul(&most));
        if to == entry {
            let still = self.at_header(extraction, case, &values)?;
            let lost = self.lost_at_header(extraction, case, exit.site.span, &still);
            let jump = Jump { loop_span, iterations, parts, to, most_steps, lost };
            let (last, after) = (still.clone(), Vec::new());
            return Some(Possible { region, entry, before, places, last, still, after, to, jump });
        }
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
        let mut after = Vec::new();
        for write in &exit.writes {
            let Write::Register(local, Value::Int(int)) = write else { return None };
            after.push((*local, known(domain, int, &finals)?));
        }
        // Where the way out writes a register that nobody reads behind it, what it held at the header is no more.
        let way = extraction.ways.get(case.last)?.edges.iter();
        let on_the_way = way.filter(|(own, ..)| *own == extraction.key.0).map(|(_, from, _)| *from);
        let rewritten = written(function, on_the_way.chain([entry]));
        let mut still = last.clone();
        still.retain(|(local, _)| !rewritten.contains(local));
        let blocks = self.loops.of(extraction.key.0).blocks(extraction.key.1);
        let mut lost = written(function, blocks.iter().copied());
        lost.retain(|local| !still.iter().chain(&after).any(|(known, _)| known == local));
        let lost = lost.into_iter().collect();
        let jump = Jump { loop_span, iterations, parts, to, most_steps, lost };
        Some(Possible { region, entry, before, places, last, still, after, to, jump })
    }

    /// What registers hold at the header after the whole iterations of a case, if that is known of all that matter there.
    ///
    /// [`Case::before`] is by the same closed forms as the values behind the case, before the path that leaves is put on them. Numbers that count modulo a power of
    /// two may stand there unwrapped, and a register holds the one of its type. Summaries are made in many ways, so what is said of this one is tried: from
    /// these values the path that leaves is taken, and it leads to the values of the case. Then whoever stands there executes this very path.
    fn at_header(
        &self,
        extraction: &Extraction,
        case: &Case,
        values: &Assignment,
    ) -> Option<Vec<(LocalId, Integer)>> {
        let domain = self.domain;
        let path = extraction.problem.paths.get(case.last)?;
        let (mut here, mut registers) = (values.clone(), Vec::new());
        for (cell, before) in extraction.cells.iter().zip(&case.before) {
            // What has no place matters behind exits only.
            if cell.spot.is_none() {
                continue;
            }
            let value = number(domain, *before, values)?;
            let value = cell.ty.map_or(value.clone(), |int| int.wrap(value));
            let Node::Symbol(id) = domain.terms.node(cell.symbol) else { return None };
            here.symbols.insert(*id, TermValue::Int(value.clone()));
            registers.push((cell.register()?, value));
        }
        if domain.terms.holds(path.guard, &here) != Ok(true) {
            return None;
        }
        for (update, value) in path.updates.iter().zip(&case.values) {
            let leads_to = domain.terms.evaluate(*update, &here);
            let expected = domain.terms.evaluate(*value, values);
            if let (Ok(leads_to), Ok(expected)) = (leads_to, expected)
                && leads_to != expected
            {
                return None;
            }
        }
        let is_known = |local: &LocalId| registers.iter().any(|(known, _)| known == local);
        let written = self.written_in(extraction);
        let mut matter = extraction.live.iter().filter(|local| written.contains(local));
        matter.all(is_known).then_some(registers)
    }

    /// How many instructions an iteration executes at most: each block once, with its end.
    fn most_steps(&self, region: Region) -> Option<Integer> {
        let function = region.key().0;
        let (code, forest) = (self.program.function(function), self.loops.of(function));
        let entry = self.loops.entry_of(region);
        let mut most = 0;
        for block in self.loops.blocks_of(region) {
            let instructions = &code.block(*block).instructions;
            let is_call = |kind: &InstructionKind| matches!(kind, InstructionKind::Call { .. });
            let has_inner = *block != entry && forest.headed_by(*block).is_some();
            if has_inner || instructions.iter().any(|own| is_call(&own.kind)) {
                return None;
            }
            most += instructions.len() as u64 + 1;
        }
        Some(Integer::from(most))
    }

    /// The registers that iterations write.
    fn written_in(&self, extraction: &Extraction) -> BTreeSet<LocalId> {
        let blocks = self.loops.blocks_of(extraction.region);
        written(self.program.function(extraction.key.0), blocks.iter().copied())
    }

    /// The registers of which it is not known what they hold where a check fails in the iteration that begins at the header: those that iterations write and that nobody
    /// reads there, unless this iteration has written them again.
    fn lost_at_header(
        &self,
        extraction: &Extraction,
        case: &Case,
        failed: Span,
        known: &[(LocalId, Integer)],
    ) -> Vec<LocalId> {
        let mut lost = self.written_in(extraction);
        lost.retain(|local| !known.iter().any(|(known, _)| known == local));
        let again = self.written_again(extraction, case, failed);
        lost.into_iter().filter(|local| !again.contains(local)).collect()
    }

    /// The registers that the path which leaves a case has written for certain when a check fails. Of paths that are several ways in one, nothing is certain.
    fn written_again(
        &self,
        extraction: &Extraction,
        case: &Case,
        failed: Span,
    ) -> BTreeSet<LocalId> {
        let own = extraction.key.0;
        let mut again = BTreeSet::new();
        let Some(way) = extraction.ways.get(case.last) else { return again };
        let next: BTreeMap<BlockId, BlockId> =
            way.edges.iter().filter(|edge| edge.0 == own).map(|edge| (edge.1, edge.2)).collect();
        if next.len() != way.edges.len() {
            return again;
        }
        let function = self.program.function(own);
        let mut block = self.loops.entry_of(extraction.region);
        for _ in 0..=next.len() {
            let Some(to) = next.get(&block) else {
                let instructions = &function.block(block).instructions;
                let before = instructions.iter().take_while(|own| own.span != failed);
                again.extend(before.filter_map(|own| target(&own.kind)));
                break;
            };
            again.extend(written(function, [block].into_iter()));
            block = *to;
        }
        again
    }
}

/// The registers that are written in some blocks.
fn written(function: &Function, blocks: impl Iterator<Item = BlockId>) -> BTreeSet<LocalId> {
    let instructions = blocks.flat_map(|block| &function.block(block).instructions);
    instructions.filter_map(|instruction| target(&instruction.kind)).collect()
}

/// The register that an instruction writes.
fn target(kind: &InstructionKind) -> Option<LocalId> {
    match kind {
        InstructionKind::Assign { target, .. } => Some(*target),
        InstructionKind::Call { target, .. } | InstructionKind::Intrinsic { target, .. } => *target,
        _ => None,
    }
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
