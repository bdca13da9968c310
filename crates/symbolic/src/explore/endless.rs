//! Executions that never end (GUIDE 4.7), for the property `termination`.
//!
//! Three things show that an execution never ends: values at the header that are in a certified diverging set of the loop's summary; values in a
//! recurrent set, with the inputs that are read over and over; and a state of a concrete run that comes again without anything having been
//! read. The first two are replayed: the interpreter comes to the loop on the inputs of a model, the set holds for the registers that it has
//! there, and it is still in the same activation of the loop after many iterations. The third is a replay.
//!
//! Behind an approximation nothing is reported. Recursion without end is none of this: a real machine has a stack.

use super::decide::ends_at;
use super::jump::{Jump, Jumper, Plan, Planner};
use super::stay::Stay;
use super::{Branch, Endless, Explorer, LoopMode, Model, Proof, Way};
use crate::domain::{Feasible, Outcome, Reading};
use crate::loops::{LoopKey, Loops};
use crate::property::Property;
use crate::summary::{
    Fate, Solution, any_result, entry_values, fate, possible_divergence, recurrences, returns,
    symbol_of,
};
use crate::value::{Int, SymbolicValue};
use loupe_engine::concrete::{
    self, BadInput, Concrete, ConcreteState, InputSource, Interpreter, Limit, RunLength,
    is_same_state,
};
use loupe_engine::semantics::Machine;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{BlockId, FunctionId, LocalId};
use loupe_ir::source::Span;
use loupe_loops::Turn;
use loupe_term::{Assignment, SymbolId, Term, Terms, Value as TermValue};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A replay that has made so many iterations will make all others.
const ENOUGH_ITERATIONS: u64 = 100_000;

/// Or one that has been asked so often whether it goes on, since it came into the loop: iterations may be long.
const ENOUGH_QUESTIONS: u64 = 48;

/// Replays take at most so many steps.
const MAX_STEPS: u64 = 50_000_000;

/// A state that comes again is looked for in so many steps.
const LASSO_STEPS: u64 = 1 << 20;

/// Loops on the way are gone through by the iteration, so few are better.
const FEW_ITERATIONS: i64 = 1_000;

/// A loop of which nothing is found out is tried so often.
const MAX_ATTEMPTS: u32 = 6;

/// Inputs that are read one after the other, and then over and over.
pub(super) struct Repeating {
    pub(super) first: Vec<Integer>,
    pub(super) then: Vec<Integer>,
}

impl InputSource for Repeating {
    fn get(&mut self, position: u64) -> Result<Option<Integer>, BadInput> {
        let Ok(position) = usize::try_from(position) else { return Ok(None) };
        if let Some(number) = self.first.get(position) {
            return Ok(Some(number.clone()));
        }
        let length = self.then.len();
        let behind = position - self.first.len();
        Ok(behind.checked_rem(length).map(|at| self.then[at].clone()))
    }
}

/// Values at the header from which executions may stay in the loop.
struct Suspect {
    /// Which: over the values at the header.
    set: Term,
    /// What is read in each round, and where.
    inputs: Vec<(Integer, Option<Span>)>,
}

/// A replay that stays in a loop.
struct Stayed {
    iterations: u64,
    /// Which time it has come to the loop.
    visit: u64,
    /// So many steps, if nothing had been gone over.
    steps: Option<u64>,
    plan: Plan,
    /// So many steps it has made, beside what it has gone over.
    replayed: u64,
}

/// How many steps a run takes that goes over no iterations, at most.
fn steps_without_jumps(run: &concrete::Run, jumps: &[Jump]) -> Option<u64> {
    let mut steps = Integer::from(run.steps);
    for jump in jumps {
        steps = steps.add(jump.most_steps.as_ref()?);
    }
    u64::try_from(steps.to_usize()?).ok()
}

/// What came out of looking for an execution that never leaves a loop.
enum Search {
    Found,
    /// There may be one that makes many iterations before.
    Far,
    Nothing,
}

/// What is known of a loop that a state has come to.
pub(super) enum Judged {
    /// All executions leave it.
    Ends,
    /// One that never does was found.
    Endless,
    /// One that never does makes many iterations before: others shall have their turn first.
    Later,
    /// Neither, and why.
    Open(String),
}

impl Explorer<'_> {
    /// Whether executions leave the loop that a state has come to.
    pub(super) fn judge(&mut self, branch: &Branch, solution: &Rc<Solution>) -> Outcome<Judged> {
        let key = solution.extraction.key;
        if self.attempts.get(&key).is_some_and(|times| *times >= MAX_ATTEMPTS) {
            let what = "it was tried several times in vain to show that it ends".to_owned();
            return Ok(Judged::Open(what));
        }
        let why = match fate(&mut self.machine, solution, &branch.state)? {
            Fate::Ends => return Ok(Judged::Ends),
            Fate::Open(why) => why,
        };
        if branch.way == Way::Approximated {
            return Ok(Judged::Open(format!("behind an approximated loop: {why}")));
        }
        match self.is_endless(branch, solution)? {
            Search::Found => return Ok(Judged::Endless),
            Search::Far => return Ok(Judged::Later),
            Search::Nothing => {}
        }
        *self.attempts.entry(key).or_default() += 1;
        Ok(Judged::Open(why))
    }

    /// Looks for an execution that never leaves the loop, and notes it.
    fn is_endless(&mut self, branch: &Branch, solution: &Rc<Solution>) -> Outcome<Search> {
        let entry = entry_values(&mut self.machine, solution, &branch.state)?;
        for set in self.suspects(branch, solution)? {
            let domain = &mut self.machine.domain;
            let condition = domain.terms.substitute(set.set, &entry);
            let (model, is_far) = match self.short_way(branch, condition)? {
                Some(found) => found,
                None => continue,
            };
            if is_far && !branch.is_postponed {
                return Ok(Search::Far);
            }
            let domain = &mut self.machine.domain;
            let streams = &branch.state.streams;
            let inputs = domain.inputs_of(streams, &branch.state.memory, &model)?;
            let Some(inputs) = inputs else { continue };
            let Some(stayed) = self.stays(branch, solution, &set, (&inputs, &model)) else {
                continue;
            };
            let (forever, forever_places) = set.inputs.into_iter().unzip();
            let key = solution.extraction.key;
            self.note_endless(branch, key, |span| Endless {
                span,
                function: key.0,
                key,
                model: inputs,
                forever,
                forever_places,
                proof: Proof::Recurrent,
                iterations: stayed.iterations,
                steps: stayed.steps,
                visit: Some(stayed.visit),
                plan: stayed.plan,
                replayed: stayed.replayed,
            });
            return Ok(Search::Found);
        }
        // An execution for each way to begin.
        let guards = solution.extraction.problem.iterations().map(|(_, path)| path.guard);
        let guards: Vec<Term> = guards.take(4).collect();
        for guard in guards {
            let domain = &mut self.machine.domain;
            let guard = domain.terms.substitute(guard, &entry);
            if let Feasible::Yes(model) = domain.feasible(guard)?
                && self.comes_again(branch, &model)?
            {
                return Ok(Search::Found);
            }
        }
        Ok(Search::Nothing)
    }

    /// Values for which a state comes here and a condition holds; where that is possible, with few iterations of the loops on the way. Whether there are
    /// many.
    fn short_way(
        &mut self,
        branch: &Branch,
        condition: Term,
    ) -> Outcome<Option<(Rc<Assignment>, bool)>> {
        let domain = &mut self.machine.domain;
        let most = domain.terms.int(FEW_ITERATIONS);
        let mut few = vec![condition];
        for passed in branch.passed.newest_first() {
            let Some(case) = passed.solution.summary.cases.get(passed.case) else { continue };
            // What reads nothing is jumped over.
            let reads = passed.solution.extraction.ways.iter().any(|way| !way.readings.is_empty());
            for segment in case.trace.iter().filter(|_| reads) {
                let count = domain.terms.substitute(segment.count, &passed.substitution);
                few.push(domain.terms.le(count, most));
            }
        }
        let few = domain.terms.and(few);
        for (condition, is_far) in [(few, false), (condition, true)] {
            if let Feasible::Yes(model) = domain.feasible(condition)? {
                return Ok(Some((model, is_far)));
            }
        }
        Ok(None)
    }

    fn suspects(&mut self, branch: &Branch, solution: &Rc<Solution>) -> Outcome<Vec<Suspect>> {
        let entry = entry_values(&mut self.machine, solution, &branch.state)?;
        let mut suspects = Vec::new();
        if !possible_divergence(&mut self.machine.domain, solution, &entry)?.is_empty() {
            let sets = solution.summary.diverging.iter();
            // What such a loop reads does not decide where it goes.
            suspects.extend(sets.map(|set| Suspect { set: set.condition, inputs: Vec::new() }));
        }
        for found in recurrences(&mut self.machine, solution, &branch.state)? {
            let turns = found.round.iter().map(|turn| self.inputs_of_turn(solution, turn));
            if let Some(inputs) = turns.collect::<Option<Vec<_>>>() {
                suspects.push(Suspect { set: found.set, inputs: inputs.concat() });
            }
        }
        Ok(suspects)
    }

    /// What is read in one iteration, in order, and where; `None` if it depends on something that cannot be told for all iterations: what a loop inside
    /// reads, or an uninitialised value.
    fn inputs_of_turn(
        &self,
        solution: &Rc<Solution>,
        turn: &Turn,
    ) -> Option<Vec<(Integer, Option<Span>)>> {
        let domain = &self.machine.domain;
        let way = solution.extraction.ways.get(turn.path)?;
        let path = solution.extraction.problem.paths.get(turn.path)?;
        let mut inputs = Vec::new();
        let mut read = BTreeSet::new();
        for reading in &way.readings {
            let Reading::Input(input) = reading else { return None };
            let value = turn.inputs.iter().find(|(symbol, _)| *symbol == input.symbol);
            inputs.push((value?.1.clone(), input.place));
            read.insert(symbol_of(domain, input.symbol)?);
        }
        let others: BTreeSet<SymbolId> = turn
            .inputs
            .iter()
            .filter_map(|(symbol, _)| symbol_of(domain, *symbol))
            .filter(|symbol| !read.contains(symbol))
            .collect();
        let is_free =
            |term: &Term| domain.terms.free_symbols(*term).iter().all(|s| !others.contains(s));
        (is_free(&path.guard) && path.updates.iter().all(is_free)).then_some(inputs)
    }

    /// A replay that is in the loop, where there was no reason to go on.
    fn stays(
        &self,
        branch: &Branch,
        solution: &Rc<Solution>,
        set: &Suspect,
        (inputs, model): (&Model, &Assignment),
    ) -> Option<Stayed> {
        let extraction = &solution.extraction;
        let terms = &self.machine.domain.terms;
        let mut registers = Vec::new();
        let mut is_seen = true;
        let mentioned = terms.free_symbols(set.set);
        for cell in &extraction.cells {
            let Some(symbol) = symbol_of(&self.machine.domain, cell.symbol) else { continue };
            match cell.register() {
                Some(local) => registers.push((local, symbol)),
                None => is_seen &= !mentioned.contains(&symbol),
            }
        }
        let (program, domain) = (self.machine.program, &self.machine.domain);
        let plan = Planner { program, loops: &self.loops, domain }.plan(&branch.passed, model);
        let mut watcher = Watcher {
            jumper: Jumper::new(&self.loops, plan.clone()),
            stay: Stay::new(&self.loops, extraction.key),
            check: is_seen.then_some(Check { terms, set: set.set, model, registers }),
            holds: None,
            has_entered: false,
        };
        let then = set.inputs.iter().map(|(number, _)| number.clone()).collect();
        let asked = watcher.stay.inside();
        let is_enough = move || {
            let mut inside = asked.get();
            inside.questions += u64::from(inside.depth.is_some());
            inside.is_enough = inside.depth.is_some()
                && (inside.iterations >= ENOUGH_ITERATIONS
                    || inside.iterations > 0 && inside.questions >= ENOUGH_QUESTIONS);
            asked.set(inside);
            inside.is_enough
        };
        let run = self.run_on(inputs, then, (MAX_STEPS, Box::new(is_enough)), &mut watcher);
        let inside = watcher.stay.inside().get();
        if !inside.is_enough || watcher.holds == Some(false) {
            return None;
        }
        let steps = steps_without_jumps(&run, &watcher.jumper.made);
        let (iterations, visit) = (inside.iterations, inside.visits);
        Some(Stayed { iterations, visit, steps, plan, replayed: run.steps })
    }

    /// Runs the program on the inputs of a model, and then on others over and over.
    fn run_on(
        &self,
        model: &Model,
        then: Vec<Integer>,
        (steps, mut is_enough): (u64, Box<dyn FnMut() -> bool>),
        observer: &mut impl concrete::Observer,
    ) -> concrete::Run {
        let interrupt = self.machine.domain.limits.interrupt.clone();
        let supervisor = move || {
            let stops = is_enough() || interrupt.is_requested();
            stops.then_some(Limit::Interrupted)
        };
        let options = concrete::Options {
            input: Box::new(Repeating { first: model.inputs.clone(), then }),
            undefined: Box::new(model.undefined.iter().cloned().collect::<RunLength>()),
            end_of_input: self.options.end_of_input.clone(),
            standard_input: Box::new(model.standard_input.clone()),
            command_line: model.command_line.clone(),
            max_steps: Some(steps),
            supervisor: Some(Box::new(supervisor)),
            ..concrete::Options::default()
        };
        Interpreter::new(self.machine.program, options).run(&mut Quiet, observer)
    }

    /// Whether a run on the inputs of a model comes to the same state again; it is noted then.
    pub(super) fn comes_again(&mut self, branch: &Branch, model: &Assignment) -> Outcome<bool> {
        let (streams, memory) = (&branch.state.streams, &branch.state.memory);
        let inputs = self.machine.domain.inputs_of(streams, memory, model)?;
        let Some(inputs) = inputs else { return Ok(false) };
        let is_found = Rc::new(Cell::new(false));
        let mut lasso = Lasso {
            loops: &self.loops,
            saved: None,
            length: 0,
            power: 1,
            round: Vec::new(),
            is_found: Rc::clone(&is_found),
        };
        let asked = Rc::clone(&is_found);
        let limits = (LASSO_STEPS, Box::new(move || asked.get()) as Box<dyn FnMut() -> bool>);
        let run = self.run_on(&inputs, Vec::new(), limits, &mut lasso);
        if !is_found.get() {
            return Ok(false);
        }
        // The loop around all others that the round goes through is the one that never ends.
        let outermost = lasso.round.iter().min_by_key(|(depth, (function, id))| {
            (*depth, self.loops.of(*function).get(*id).depth)
        });
        let (Some((_, key)), iterations) = (outermost.copied(), lasso.length) else {
            return Ok(false);
        };
        self.note_endless(branch, key, |span| Endless {
            span,
            function: key.0,
            key,
            model: inputs,
            forever: Vec::new(),
            forever_places: Vec::new(),
            proof: Proof::Repeated,
            iterations,
            steps: Some(run.steps),
            // Whoever is there after as many steps is in the round.
            visit: None,
            plan: Plan::default(),
            replayed: run.steps,
        });
        Ok(true)
    }

    fn note_endless(&mut self, branch: &Branch, key: LoopKey, found: impl FnOnce(Span) -> Endless) {
        let span = self.loops.of(key.0).get(key.1).span(self.machine.program.function(key.0));
        let span = self.site(branch, span).shown();
        self.result.diverging += 1;
        self.result.loops.entry((key.0, key.1.0)).or_default().diverging += 1;
        self.result.endless.entry(span).or_insert_with(|| found(span));
    }

    /// Whether a state that has just called a function was taken to where it returns: if the function calls itself and all chains of nested calls are known to
    /// end, its result is arbitrary. What depends on nothing is executed.
    pub(super) fn passes_recursion(&mut self, branch: &mut Branch) -> Outcome<bool> {
        if self.options.property != Property::Termination
            || self.options.loops == LoopMode::Unroll
            || self.is_guided()
        {
            return Ok(false);
        }
        let Some(frame) = branch.state.frames.last() else { return Ok(false) };
        let function = frame.function;
        let parameters = self.machine.program.function(function).params;
        let is_open = |value: &SymbolicValue| matches!(value, Value::Int(Int::Term(_)));
        if !frame.locals.iter().take(parameters).any(is_open)
            || branch.state.calls().skip(1).any(|call| call.function == function)
            || self.recursions.contains(&function)
        {
            return Ok(false);
        }
        let (property, undefined) = (self.options.property, self.options.undefined);
        let is_end = |kind| ends_at(property, undefined, kind);
        if !returns(&mut self.machine, &self.loops, &branch.state, &is_end)? {
            self.recursions.insert(function);
            return Ok(false);
        }
        branch.way = Way::Approximated;
        let result = any_result(&mut self.machine, function);
        self.machine.leave(&mut branch.state, result)?;
        Ok(true)
    }

    /// A state has executed many instructions: perhaps it goes round.
    pub(super) fn goes_round(&mut self, branch: &Branch) -> Outcome<bool> {
        if branch.way == Way::Approximated {
            return Ok(false);
        }
        let Some(model) = self.machine.domain.path.model().cloned() else { return Ok(false) };
        self.comes_again(branch, &model)
    }
}

/// Nobody reads what the program writes.
struct Quiet;

impl concrete::Output for Quiet {
    fn number(&mut self, _value: &Integer) -> bool {
        true
    }

    fn bytes(&mut self, _stream: concrete::Stream, _bytes: &[u8]) -> bool {
        true
    }
}

/// A set that the values at the header are in.
struct Check<'w> {
    terms: &'w Terms,
    set: Term,
    model: &'w Assignment,
    registers: Vec<(LocalId, SymbolId)>,
}

impl Check<'_> {
    fn holds(&self, state: &ConcreteState) -> Option<bool> {
        let frame = state.frames.last()?;
        let mut values = self.model.clone();
        for (local, symbol) in &self.registers {
            let Value::Int(number) = frame.locals.get(local.index())? else { return None };
            values.symbols.insert(*symbol, TermValue::Int(number.clone()));
        }
        self.terms.holds(self.set, &values).ok()
    }
}

/// Watches whether a replay stays in a loop.
struct Watcher<'w> {
    jumper: Jumper<'w>,
    stay: Stay<'w>,
    check: Option<Check<'w>>,
    /// Whether the values were in the set where the loop was entered last.
    holds: Option<bool>,
    has_entered: bool,
}

impl concrete::Observer for Watcher<'_> {
    fn called(&mut self, _function: FunctionId) {
        self.stay.called();
    }

    fn returned(&mut self) {
        self.stay.returned();
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.has_entered = self.stay.edge(function, from, to);
    }

    fn jumps(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        std::mem::take(&mut self.has_entered) || self.jumper.jumps(function, from, to)
    }

    fn jump(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        let was_here = self.stay.is_at_header(state);
        if was_here {
            self.holds = self.check.as_ref().and_then(|check| check.holds(state));
        }
        self.jumper.jump(machine, state);
        if was_here && !self.stay.is_at_header(state) {
            self.stay.leave();
        }
    }
}

/// Looks for a state that comes again at the header of a loop (Brent, *An improved Monte Carlo factorization algorithm*, 1980).
struct Lasso<'l> {
    loops: &'l Loops,
    /// A state that was seen, and is compared with the next ones.
    saved: Option<ConcreteState>,
    /// How many headers have been passed since.
    length: u64,
    power: u64,
    /// The headers that have been passed since, with the depth of the call.
    round: Vec<(usize, LoopKey)>,
    is_found: Rc<Cell<bool>>,
}

impl concrete::Observer for Lasso<'_> {
    fn jumps(&mut self, function: FunctionId, _from: BlockId, to: BlockId) -> bool {
        !self.is_found.get() && self.loops.of(function).headed_by(to).is_some()
    }

    fn jump(&mut self, _: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        let Some(frame) = state.frames.last() else { return };
        let Some(id) = self.loops.of(frame.function).headed_by(frame.block) else { return };
        self.length += 1;
        let here = (state.depth(), (frame.function, id));
        if !self.round.contains(&here) {
            self.round.push(here);
        }
        if self.saved.as_ref().is_some_and(|saved| is_same_state(saved, state)) {
            self.is_found.set(true);
            return;
        }
        if self.saved.is_none() || self.length == self.power {
            self.saved = Some(state.clone());
            (self.power, self.length) = (self.power * 2, 0);
            self.round.clear();
        }
    }
}
