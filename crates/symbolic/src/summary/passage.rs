//! A loop that was passed by its summary: what it has read and put out, once values for all symbols are known.
//!
//! The trace of the case is gone iteration by iteration on the formulas of the paths. Where an iteration reads inputs, it reads what the case says, if that says something; else values are taken for which
//! its guard holds: those of the iteration before if they do, else the solver's. In the end the guard of the last path must hold; if it
//! does not (inputs may be tied to each other over many iterations), nothing is said.

use super::apply::symbol_of;
use super::solve::Solution;
use crate::domain::{Feasible, Outcome, Reading, Symbolic};
use crate::output::{Argument, Output};
use crate::trail::Trail;
use crate::value::{Int, SymbolicValue};
use loupe_integer::Integer;
use loupe_ir::source::Span;
use loupe_loops::{Repeated, Segment, Stream};
use loupe_term::{Assignment, Substitution, SymbolId, Term, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// More iterations are not gone through.
const MAX_ITERATIONS: u64 = 1 << 20;

/// So many paths are tried in vain where the order is not known.
const MAX_FAILURES: usize = 200;

/// A loop that was passed by its summary.
#[derive(Debug)]
pub struct Passage {
    pub(crate) solution: Rc<Solution>,
    pub(crate) case: usize,
    /// What header symbols were at entry, and what stands for the symbols of the case.
    pub(crate) substitution: Substitution,
    /// The position in the stream of uninitialised values at entry.
    pub(crate) before: Int,
    /// The symbol of that position at the start of the last iteration.
    pub(crate) last: Term,
    /// And behind the loop.
    pub(crate) after: Term,
}

/// What was read and put out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unwound {
    pub(crate) inputs: Vec<(Integer, Option<Span>)>,
    pub(crate) undefined: BTreeMap<usize, Integer>,
    pub(crate) outputs: Vec<Output>,
    iterations: u64,
}

impl Unwound {
    /// How much there is.
    fn length(&self) -> (usize, usize, usize) {
        (self.inputs.len(), self.outputs.len(), self.undefined.len())
    }
}

/// A part of a trace that is under way.
struct Open<'t> {
    segments: &'t [Segment],
    /// Which of them is next.
    next: usize,
    /// How often all of them are still repeated, this time included.
    times: u64,
    /// Counts are over the values here, at the start of each round; `None` for the trace itself, whose counts are over the entry.
    start: Option<Assignment>,
}

impl Symbolic {
    fn integer_in(&self, term: Term, values: &Assignment) -> Option<Integer> {
        match self.terms.evaluate(term, values) {
            Ok(Value::Int(number)) => Some(number),
            _ => None,
        }
    }

    /// What a loop has read and put out, if these are the values of all symbols. The values of the positions that only the loop knows
    /// are added to them.
    pub(crate) fn unwind(
        &mut self,
        passage: &Passage,
        model: &mut Assignment,
        unwound: &mut Unwound,
    ) -> Outcome<Option<()>> {
        let solution = &passage.solution;
        let Some(case) = solution.summary.cases.get(passage.case) else { return Ok(None) };
        if let Some(inputs) = self.read_only(passage, model) {
            unwound.inputs.extend(inputs);
            return Ok(self.stands(passage, &passage.before, model));
        }
        let Some(mut walk) = Walk::start(self, passage, model) else { return Ok(None) };
        let Some(mut draws) = self.draws(passage, model) else { return Ok(None) };
        if !case.taken.is_empty() && walk.in_some_order(self, passage, model, unwound)?.is_none() {
            return Ok(None);
        }
        let mut open = vec![Open { segments: &case.trace[..], next: 0, times: 1, start: None }];
        while let Some(part) = open.last_mut() {
            let Some(segment) = part.segments.get(part.next) else {
                part.times -= 1;
                if part.times == 0 {
                    open.pop();
                } else {
                    part.next = 0;
                    part.start = Some(walk.values.clone());
                }
                continue;
            };
            part.next += 1;
            let count = match &part.start {
                Some(start) => self.integer_in(segment.count, start),
                None => {
                    let count = self.terms.substitute(segment.count, &passage.substitution);
                    self.integer_in(count, model)
                }
            };
            let Some(count) = count.and_then(|count| count.to_usize()) else { return Ok(None) };
            let count = count as u64;
            match &segment.what {
                Repeated::Path(path) => {
                    let given = segment.inputs.iter().map(|(input, value)| {
                        let value = self.terms.substitute(*value, &passage.substitution);
                        Some((symbol_of(self, *input)?, self.integer_in(value, model)?))
                    });
                    let Some(given) = given.collect::<Option<Vec<_>>>() else { return Ok(None) };
                    for _ in 0..count {
                        let inputs = match given.is_empty() {
                            _ if !case.streams.is_empty() => {
                                let Some(inputs) = walk.streamed(self, passage, model) else {
                                    return Ok(None);
                                };
                                inputs
                            }
                            true => next_inputs(&mut draws, *path),
                            false => given.clone(),
                        };
                        if walk.iterate(self, *path, inputs, unwound)?.is_none() {
                            return Ok(None);
                        }
                    }
                }
                Repeated::OneOf(paths) => {
                    for _ in 0..count {
                        let Some(inputs) = walk.streamed(self, passage, model) else {
                            return Ok(None);
                        };
                        let Some(path) = walk.next_of(self, paths, &inputs) else {
                            return Ok(None);
                        };
                        if walk.iterate(self, path, inputs, unwound)?.is_none() {
                            return Ok(None);
                        }
                    }
                }
                Repeated::Round(_) if count == 0 => {}
                Repeated::Round(segments) => {
                    let start = Some(walk.values.clone());
                    open.push(Open { segments, next: 0, times: count, start });
                }
            }
        }
        // The last path reads what the model says.
        if let (Some(symbol), position) = (symbol_of(self, passage.last), walk.position.clone()) {
            model.symbols.insert(symbol, Value::Int(position));
        }
        let last: Vec<(SymbolId, Term)> = solution.extraction.problem.paths[case.last]
            .fresh
            .iter()
            .filter_map(|fresh| symbol_of(self, fresh.symbol))
            .filter_map(|symbol| Some((symbol, *passage.substitution.get(&symbol)?)))
            .collect();
        for (symbol, own) in last {
            let Ok(value) = self.terms.evaluate(own, model) else { return Ok(None) };
            walk.values.symbols.insert(symbol, value);
        }
        let guard = solution.extraction.problem.paths[case.last].guard;
        if self.terms.holds(guard, &walk.values) != Ok(true)
            || walk.pass(self, case.last, unwound)?.is_none()
        {
            return Ok(None);
        }
        if let Some(symbol) = symbol_of(self, passage.after) {
            model.symbols.insert(symbol, Value::Int(walk.position));
        }
        Ok(Some(()))
    }
}

impl Symbolic {
    /// The position in the stream of uninitialised values is what it was.
    fn stands(&self, passage: &Passage, before: &Int, model: &mut Assignment) -> Option<()> {
        let position = match before {
            Int::Known(number) => number.clone(),
            Int::Term(term) => self.integer_in(*term, model)?,
        };
        for symbol in [passage.last, passage.after] {
            model.symbols.insert(symbol_of(self, symbol)?, Value::Int(position.clone()));
        }
        Some(())
    }

    /// What an iteration has read.
    fn streamed(
        &mut self,
        passage: &Passage,
        stream: &Stream,
        iteration: u64,
        model: &Assignment,
    ) -> Option<Integer> {
        let mut at = passage.substitution.clone();
        let number = self.terms.int(Integer::from(iteration as usize));
        at.insert(symbol_of(self, stream.iteration)?, number);
        let value = self.terms.substitute(stream.value, &at);
        self.integer_in(value, model)
    }

    /// What a loop has read that does nothing else to be noted, and of whose iterations it is said what they read: then no values have to be followed, which may be
    /// those of arrays that only a formula describes.
    fn read_only(
        &mut self,
        passage: &Passage,
        model: &Assignment,
    ) -> Option<Vec<(Integer, Option<Span>)>> {
        let solution = &passage.solution;
        let case = solution.summary.cases.get(passage.case)?;
        if !case.taken.is_empty() {
            return None;
        }
        let extraction = &solution.extraction;
        let is_said = |symbol: Term| case.streams.iter().any(|stream| stream.input == symbol);
        let mut parts = Vec::new();
        for segment in &case.trace {
            let Repeated::Path(path) = segment.what else { return None };
            if !segment.inputs.is_empty() {
                return None;
            }
            let count = self.terms.substitute(segment.count, &passage.substitution);
            let count = self.integer_in(count, model)?.to_usize()? as u64;
            parts.push((path, count));
        }
        for (path, is_last) in
            parts.iter().map(|(path, _)| (*path, false)).chain([(case.last, true)])
        {
            let way = extraction.ways.get(path)?;
            let is_still =
                matches!(&way.undefined, Int::Term(term) if *term == extraction.undefined);
            let reads = way.readings.iter().all(|reading| match reading {
                Reading::Input(input) => is_last || is_said(input.symbol),
                Reading::Loop(_) => false,
            });
            if !is_still || !reads || !way.unknowns.is_empty() || !way.outputs.is_empty() {
                return None;
            }
        }
        let mut inputs = Vec::new();
        let mut iteration = 0;
        for (path, count) in parts {
            let way = extraction.ways.get(path)?;
            if way.readings.is_empty() {
                iteration += count;
                continue;
            }
            for _ in 0..count {
                if iteration > MAX_ITERATIONS || self.limits.interrupt.is_requested() {
                    return None;
                }
                for reading in way.readings.iter() {
                    let Reading::Input(input) = reading else { return None };
                    let stream = case.streams.iter().find(|own| own.input == input.symbol)?;
                    let value = self.streamed(passage, stream, iteration, model)?;
                    inputs.push((value, input.place));
                }
                iteration += 1;
            }
        }
        for reading in extraction.ways.get(case.last)?.readings.iter() {
            let Reading::Input(input) = reading else { return None };
            let own = *passage.substitution.get(&symbol_of(self, input.symbol)?)?;
            inputs.push((self.integer_in(own, model)?, input.place));
        }
        Some(inputs)
    }
}

/// A sum of inputs of a path, of which so much in so many iterations is still to be read.
struct Drawn {
    path: usize,
    input: SymbolId,
    left: Integer,
    total: Integer,
}

/// The next inputs of a path: an even share of each sum. Shares stay in the range of the input, since the mean of what is left does.
fn next_inputs(draws: &mut [Drawn], path: usize) -> Vec<(SymbolId, Integer)> {
    let mut inputs: Vec<(SymbolId, Integer)> = Vec::new();
    for draw in draws.iter_mut().filter(|draw| draw.path == path && draw.left > Integer::ZERO) {
        if inputs.iter().any(|(input, _)| *input == draw.input) {
            continue;
        }
        if let Some(share) = draw.total.div_floor(&draw.left) {
            draw.total = draw.total.sub(&share);
            draw.left = draw.left.sub(&Integer::ONE);
            inputs.push((draw.input, share));
        }
    }
    inputs
}

impl Symbolic {
    /// The sums of inputs that a case speaks of.
    fn draws(&mut self, passage: &Passage, model: &Assignment) -> Option<Vec<Drawn>> {
        let case = passage.solution.summary.cases.get(passage.case)?;
        let mut value = |term: Term| {
            let term = self.terms.substitute(term, &passage.substitution);
            self.integer_in(term, model)
        };
        let numbers: Option<Vec<(Integer, Integer)>> =
            case.draws.iter().map(|draw| Some((value(draw.count)?, value(draw.total)?))).collect();
        let draws = case.draws.iter().zip(numbers?).map(|(draw, (left, total))| {
            Some(Drawn { path: draw.path, input: symbol_of(self, draw.input)?, left, total })
        });
        draws.collect()
    }
}

/// The values of header symbols, iteration by iteration.
struct Walk<'w> {
    solution: &'w Solution,
    values: Assignment,
    /// The position in the stream of uninitialised values.
    position: Integer,
    undefined: Option<SymbolId>,
    /// How many there were.
    iterations: u64,
}

impl<'w> Walk<'w> {
    fn start(domain: &Symbolic, passage: &'w Passage, model: &Assignment) -> Option<Self> {
        let extraction = &passage.solution.extraction;
        let mut values = model.clone();
        for cell in &extraction.cells {
            let symbol = symbol_of(domain, cell.symbol)?;
            if let Some(entry) = passage.substitution.get(&symbol) {
                values.symbols.insert(symbol, domain.terms.evaluate(*entry, model).ok()?);
            }
        }
        let position = match &passage.before {
            Int::Known(number) => number.clone(),
            Int::Term(term) => domain.integer_in(*term, model)?,
        };
        let undefined = symbol_of(domain, extraction.undefined);
        Some(Walk { solution: &passage.solution, values, position, undefined, iterations: 0 })
    }

    /// What the next iteration reads, as far as the case says that.
    fn streamed(
        &self,
        domain: &mut Symbolic,
        passage: &Passage,
        model: &Assignment,
    ) -> Option<Vec<(SymbolId, Integer)>> {
        let case = passage.solution.summary.cases.get(passage.case)?;
        let mut inputs = Vec::new();
        for stream in &case.streams {
            let value = domain.streamed(passage, stream, self.iterations, model)?;
            inputs.push((symbol_of(domain, stream.input)?, value));
        }
        Some(inputs)
    }

    /// The path that is next, of some that read this.
    fn next_of(
        &mut self,
        domain: &Symbolic,
        paths: &[usize],
        inputs: &[(SymbolId, Integer)],
    ) -> Option<usize> {
        for (symbol, number) in inputs {
            self.values.symbols.insert(*symbol, Value::Int(number.clone()));
        }
        let all = &self.solution.extraction.problem.paths;
        let is_next = |path: &usize| {
            all.get(*path)
                .is_some_and(|path| domain.terms.holds(path.guard, &self.values) == Ok(true))
        };
        paths.iter().copied().find(is_next)
    }

    /// Iterations of paths of which only the numbers are known: in an order in which each can be taken, the same one again and again where it can. Whether that is the order of an execution with the values of
    /// the model is for a replay to say.
    fn in_some_order(
        &mut self,
        domain: &mut Symbolic,
        passage: &Passage,
        model: &Assignment,
        unwound: &mut Unwound,
    ) -> Outcome<Option<()>> {
        let Some(case) = self.solution.summary.cases.get(passage.case) else { return Ok(None) };
        let mut left: Vec<(&[usize], u64)> = Vec::with_capacity(case.taken.len());
        for (paths, count) in &case.taken {
            let count = domain.terms.substitute(*count, &passage.substitution);
            let count = domain.integer_in(count, model).and_then(|count| count.to_usize());
            let Some(count) = count else { return Ok(None) };
            left.push((paths, count as u64));
        }
        let mut last = None;
        let mut failures = 0;
        while left.iter().any(|(_, count)| *count > 0) {
            let open = left.iter().enumerate().filter(|(_, (_, count))| *count > 0);
            let mut open: Vec<(usize, usize)> = open
                .flat_map(|(at, (paths, _))| paths.iter().map(move |path| (at, *path)))
                .collect();
            open.sort_by_key(|next| last != Some(*next));
            let mut next = None;
            for (at, path) in open {
                // Where it cannot be taken nothing has been read.
                let before = unwound.length();
                if self.iterate(domain, path, Vec::new(), unwound)?.is_some() {
                    next = Some((at, path));
                    break;
                }
                failures += 1;
                if failures > MAX_FAILURES || unwound.length() != before {
                    return Ok(None);
                }
            }
            let Some((at, _)) = next else { return Ok(None) };
            left[at].1 -= 1;
            last = next;
        }
        Ok(Some(()))
    }

    /// One iteration along a path, that reads this if the case says so.
    fn iterate(
        &mut self,
        domain: &mut Symbolic,
        path: usize,
        inputs: Vec<(SymbolId, Integer)>,
        unwound: &mut Unwound,
    ) -> Outcome<Option<()>> {
        unwound.iterations += 1;
        self.iterations += 1;
        let fixed: Vec<SymbolId> = inputs.iter().map(|(symbol, _)| *symbol).collect();
        for (symbol, number) in inputs {
            self.values.symbols.insert(symbol, Value::Int(number));
        }
        let Some(formulas) = self.solution.extraction.problem.paths.get(path) else {
            return Ok(None);
        };
        if unwound.iterations > MAX_ITERATIONS || domain.limits.interrupt.is_requested() {
            return Ok(None);
        }
        if domain.terms.holds(formulas.guard, &self.values) != Ok(true)
            && !self.choose(domain, formulas, &fixed)?
        {
            return Ok(None);
        }
        if self.pass(domain, path, unwound)?.is_none() {
            return Ok(None);
        }
        let cells = &self.solution.extraction.cells;
        let mut next = Vec::with_capacity(cells.len());
        for (cell, update) in cells.iter().zip(&formulas.updates) {
            let (Some(symbol), Ok(value)) =
                (symbol_of(domain, cell.symbol), domain.terms.evaluate(*update, &self.values))
            else {
                return Ok(None);
            };
            next.push((symbol, value));
        }
        self.values.symbols.extend(next);
        Ok(Some(()))
    }

    /// Values of what an iteration reads, for which it goes this way.
    fn choose(
        &mut self,
        domain: &mut Symbolic,
        path: &loupe_loops::Path,
        fixed: &[SymbolId],
    ) -> Outcome<bool> {
        let fresh = path.fresh.iter().filter_map(|fresh| symbol_of(domain, fresh.symbol));
        let fresh: Vec<SymbolId> = fresh.filter(|symbol| !fixed.contains(symbol)).collect();
        if fresh.is_empty() {
            return Ok(false);
        }
        let mut known = Substitution::default();
        for symbol in domain.terms.free_symbols(path.guard) {
            if !fresh.contains(&symbol)
                && let Some(Value::Int(number)) = self.values.symbols.get(&symbol)
            {
                let number = domain.terms.int(number.clone());
                known.insert(symbol, number);
            }
        }
        let guard = domain.terms.substitute(path.guard, &known);
        let Feasible::Yes(model) = domain.ask(&[guard])? else { return Ok(false) };
        for symbol in fresh {
            let value = model.symbols.get(&symbol).cloned();
            self.values.symbols.insert(symbol, value.unwrap_or(Value::Int(Integer::ZERO)));
        }
        Ok(domain.terms.holds(path.guard, &self.values) == Ok(true))
    }

    /// Notes what an iteration reads and puts out.
    fn pass(
        &mut self,
        domain: &mut Symbolic,
        path: usize,
        unwound: &mut Unwound,
    ) -> Outcome<Option<()>> {
        let Some(way) = self.solution.extraction.ways.get(path) else { return Ok(None) };
        if let Some(symbol) = self.undefined {
            self.values.symbols.insert(symbol, Value::Int(self.position.clone()));
        }
        let readings = way.readings.iter();
        for reading in readings {
            match reading {
                Reading::Input(input) => {
                    let Some(number) = domain.integer_in(input.symbol, &self.values) else {
                        return Ok(None);
                    };
                    unwound.inputs.push((number, input.place));
                }
                Reading::Loop(inner) => {
                    let mut values = self.values.clone();
                    // Loops inside loops inside loops: as deep as they nest.
                    if domain.unwind(inner, &mut values, unwound)?.is_none() {
                        return Ok(None);
                    }
                    self.values = values;
                }
            }
        }
        for unknown in way.unknowns.iter().filter(|unknown| unknown.count.is_none()) {
            let position = match &unknown.position {
                Int::Known(number) => Some(number.clone()),
                Int::Term(term) => domain.integer_in(*term, &self.values),
            };
            let number = domain.integer_in(unknown.symbol, &self.values);
            let (Some(position), Some(number)) = (position.and_then(|p| p.to_usize()), number)
            else {
                return Ok(None);
            };
            unwound.undefined.insert(position, number);
        }
        for output in &way.outputs {
            if domain.put_out(output, &mut self.values, unwound)?.is_none() {
                return Ok(None);
            }
        }
        let after = match &way.undefined {
            Int::Known(number) => Some(number.clone()),
            Int::Term(term) => domain.integer_in(*term, &self.values),
        };
        let Some(after) = after else { return Ok(None) };
        self.position = after;
        Ok(Some(()))
    }
}

impl Symbolic {
    /// What was put out for these values of symbols: everything in it is known.
    fn put_out(
        &mut self,
        output: &Output,
        values: &mut Assignment,
        unwound: &mut Unwound,
    ) -> Outcome<Option<()>> {
        let known = |domain: &Symbolic, int: &Int| match int {
            Int::Known(_) => Some(int.clone()),
            Int::Term(term) => domain.integer_in(*term, values).map(Int::Known),
        };
        let put = match output {
            Output::Number(number) => known(self, number).map(Output::Number),
            Output::Byte { stream, byte } => known(self, stream)
                .zip(known(self, byte))
                .map(|(stream, byte)| Output::Byte { stream, byte }),
            Output::Text { stream, format, arguments } => {
                let arguments = arguments.iter().map(|argument| {
                    Some(match argument {
                        Argument::Integer(size, int) => Argument::Integer(*size, known(self, int)?),
                        Argument::Float(value) => Argument::Float(SymbolicValue::clone(value)),
                        Argument::Pointer { address, text } => Argument::Pointer {
                            address: known(self, address)?,
                            text: text.iter().map(|c| known(self, c)).collect::<Option<_>>()?,
                        },
                    })
                });
                let arguments: Option<Vec<Argument>> = arguments.collect();
                known(self, stream).zip(arguments).map(|(stream, arguments)| Output::Text {
                    stream,
                    format: format.clone(),
                    arguments,
                })
            }
            Output::Loop(inner) => {
                // What it has read was noted when it was passed.
                let mut apart = Unwound::default();
                if self.unwind(inner, &mut values.clone(), &mut apart)?.is_none() {
                    return Ok(None);
                }
                unwound.outputs.extend(apart.outputs);
                return Ok(Some(()));
            }
        };
        let Some(put) = put else { return Ok(None) };
        unwound.outputs.push(put);
        Ok(Some(()))
    }

    /// What a path has put out, for these values of symbols; `None` if that cannot be said.
    ///
    /// # Errors
    ///
    /// If Loupe is broken.
    pub fn outputs_of(
        &mut self,
        outputs: &Trail<Output>,
        model: &Assignment,
    ) -> Result<Option<Vec<Output>>, Box<crate::halt::Halt>> {
        let mut unwound = Unwound::default();
        for output in outputs.along(|selector| self.chosen(selector, model)) {
            let mut values = model.clone();
            if self.put_out(&output, &mut values, &mut unwound)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(unwound.outputs))
    }
}
