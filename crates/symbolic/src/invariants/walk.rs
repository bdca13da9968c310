//! Executions from node to node.
//!
//! The semantics is the executor's. An execution starts where the program does, or at a node; it ends at the next header, where the program ends,
//! or where something happens that must not. All that ends it is a *link*: if an execution can start there with these values, and what was
//! decided on the way holds, then this is reached.

use super::nodes::{self, Fit, LeftOpen, Live, Node, Open, Place, place_of};
use super::{Stop, Stopped, Why};
use crate::domain::{Feasible, Outcome, Streams, Symbolic};
use crate::explore::{Options, Undefined};
use crate::halt::{Case, Halt};
use crate::loops::{LoopKey, Loops};
use crate::memory::Memory;
use crate::path::Path;
use crate::property::Judgement;
use crate::summary::{enters_loop, place_of as span_of, runs_through, unsupported_at};
use crate::value::{Bool, Int};
use fixedbitset::FixedBitSet;
use loupe_engine::semantics::{Control, Event, Machine};
use loupe_engine::state::State;
use loupe_integer::Integer;
use loupe_ir::check::{Calls, CheckKind};
use loupe_ir::program::{BlockId, FunctionId};
use loupe_ir::source::Span;
use loupe_term::Term;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How much work it may be.
const MAX_ROUNDS: usize = 24;
const MAX_RUNS: usize = 4096;
const MAX_STEPS: u64 = 2_000_000;
/// States with different objects at one header.
const MAX_SHAPES: usize = 8;
/// Calls that are nested more deeply are not followed.
const MAX_DEPTH: usize = 48;
/// Into so many numbers a value is split.
const MAX_CASES: usize = 16;
/// So many instructions are executed before the clock is looked at.
const QUANTUM: u64 = 1 << 14;

/// From one node to another, or to something that must not be reached.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// Where it starts; `None` where the program does.
    pub(crate) from: Option<usize>,
    /// What was decided, in order.
    pub(crate) conditions: Vec<Term>,
    pub(crate) to: Target,
}

/// Where a link leads.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// To a node, with these values for what it leaves open.
    Node(usize, Vec<Term>),
    /// To what must not be reached.
    Bad(Why),
}

/// An execution that has not ended.
#[derive(Clone)]
struct Run {
    from: Option<usize>,
    state: State<Symbolic>,
    path: Path,
    /// Loops that are executed as they are, with the depth of their calls.
    executed: Vec<(usize, LoopKey)>,
}

/// What was found.
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: Vec<Link>,
    /// The nodes of each place.
    pub(crate) by_place: BTreeMap<Place, Vec<usize>>,
}

/// Where executions are cut into links.
#[derive(Clone, Copy)]
pub(crate) enum Cuts<'c> {
    /// At headers of loops, and the proof needs all of them.
    Headers,
    /// At these blocks too. What cannot be cut is left out, as if it went wrong behind.
    Blocks(&'c Blocks),
}

/// Blocks of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks(pub(crate) Vec<FixedBitSet>);

impl Blocks {
    pub(crate) fn has(&self, function: FunctionId, block: BlockId) -> bool {
        self.0.get(function.index()).is_some_and(|blocks| blocks.contains(block.index()))
    }
}

/// Executes from node to node.
pub(crate) struct Walker<'w, 'p> {
    pub(crate) machine: &'w mut Machine<'p, Symbolic>,
    pub(crate) loops: &'w Loops,
    pub(crate) options: &'w Options,
    cuts: Cuts<'w>,
    pub(crate) stop: &'w Stop<'w>,
    /// What attempts to find invariants were allowed to cost so far.
    pub(crate) spent: u64,
    known: BTreeMap<(Place, usize), Open>,
    live: Live,
    nodes: Vec<Node>,
    by_place: BTreeMap<Place, Vec<usize>>,
    links: Vec<Link>,
    open: Vec<Run>,
    runs: usize,
    steps: u64,
    /// Whether some state does not fit yet.
    is_open: bool,
    /// Whether what does not fit now is left out.
    is_last: bool,
}

/// Stops at headers of loops, but for those that are executed as they are.
struct Headers<'h> {
    loops: &'h Loops,
    cuts: Cuts<'h>,
    depth: usize,
    executed: &'h [(usize, LoopKey)],
}

impl Headers<'_> {
    fn is_stop(&self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        let forest = self.loops.of(function);
        let Some(id) = forest.headed_by(to) else {
            return self.is_other_cycle(function, from, to) || self.is_join(function, to);
        };
        enters_loop(self.loops, function, from, to)
            || !self.executed.contains(&(self.depth, (function, id)))
    }

    /// Inside of a loop that is executed as it is, everything is.
    fn is_join(&self, function: FunctionId, to: BlockId) -> bool {
        let Cuts::Blocks(blocks) = self.cuts else { return false };
        let forest = self.loops.of(function);
        let is_executed = |(depth, key): &(usize, LoopKey)| match *depth == self.depth {
            true => key.0 == function && forest.contains(key.1, to),
            false => *depth < self.depth,
        };
        blocks.has(function, to) && !self.executed.iter().any(is_executed)
    }

    /// Cycles that are entered at several places are no loops; whatever goes backward may be a part of one.
    fn is_other_cycle(&self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        !self.loops.of(function).irreducible.is_empty() && to <= from
    }
}

impl Control<Symbolic> for Headers<'_> {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, _: FunctionId, _: BlockId, _: BlockId) {}

    fn stops(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        self.is_stop(function, from, to)
    }
}

type Walked<T> = Outcome<Result<T, Stopped>>;

impl<'w, 'p> Walker<'w, 'p> {
    pub(crate) fn new(
        machine: &'w mut Machine<'p, Symbolic>,
        loops: &'w Loops,
        options: &'w Options,
        cuts: Cuts<'w>,
        stop: &'w Stop<'w>,
    ) -> Self {
        Walker {
            machine,
            loops,
            options,
            cuts,
            stop,
            spent: 0,
            known: BTreeMap::new(),
            live: Live::default(),
            nodes: Vec::new(),
            by_place: BTreeMap::new(),
            links: Vec::new(),
            open: Vec::new(),
            runs: 0,
            steps: 0,
            is_open: false,
            is_last: false,
        }
    }

    /// All nodes and links of the program.
    pub(crate) fn walk(&mut self) -> Walked<Graph> {
        self.machine.domain.most_cases = MAX_CASES;
        let mut is_hurried = false;
        for round in 1..=MAX_ROUNDS {
            let is_last = round == MAX_ROUNDS || is_hurried;
            self.is_last = is_last && matches!(self.cuts, Cuts::Blocks(_));
            (self.nodes, self.links) = (Vec::new(), Vec::new());
            self.by_place.clear();
            (self.runs, self.steps, self.is_open) = (0, 0, false);
            self.open.clear();
            let state = self.machine.start(Memory::default(), Streams::default(), Vec::new())?;
            let mut path = Path::default();
            path.set_model(Rc::default());
            self.open.push(Run { from: None, state, path, executed: Vec::new() });
            let mut over = None;
            while let Some(run) = self.open.pop() {
                if let Err(stopped) = self.go(run)? {
                    over = Some(stopped);
                    break;
                }
            }
            if let Some(stopped) = over {
                match self.cuts {
                    Cuts::Headers => return Ok(Err(stopped)),
                    Cuts::Blocks(_) if !is_hurried => is_hurried = true,
                    Cuts::Blocks(_) => return Ok(Err(stopped)),
                }
                continue;
            }
            if !self.is_open || self.is_last {
                let nodes = std::mem::take(&mut self.nodes);
                let links = std::mem::take(&mut self.links);
                let by_place = std::mem::take(&mut self.by_place);
                return Ok(Ok(Graph { nodes, links, by_place }));
            }
        }
        Ok(Err(Stopped("it was not found out what the loops change".to_owned())))
    }

    /// How much work it has been so far, in the units of the solver, whatever the clock says. An attempt to find invariants counts with all that it was allowed.
    pub(crate) fn effort(&self) -> u64 {
        self.machine.domain.work() + self.steps / 8 + self.spent
    }

    /// Why nothing more is done.
    fn is_over(&self) -> Option<Stopped> {
        if let Some(what) = (self.stop)(self.effort()) {
            return Some(Stopped(what));
        }
        if self.runs > MAX_RUNS {
            return Some(Stopped(format!("there are more than {MAX_RUNS} ways between loops")));
        }
        (self.steps > MAX_STEPS).then(|| Stopped("the ways between loops are too long".to_owned()))
    }

    /// Executes up to the next decision, and makes it, until the execution ends or becomes several.
    fn go(&mut self, mut run: Run) -> Walked<()> {
        self.runs += 1;
        self.machine.domain.path = std::mem::take(&mut run.path);
        loop {
            if let Some(stopped) = self.is_over() {
                if self.is_last {
                    self.bad(&run, stopped.0, None);
                    return Ok(Ok(()));
                }
                return Ok(Err(stopped));
            }
            let mut budget = QUANTUM;
            let depth = run.state.depth();
            run.executed.retain(|known| is_inside(self.loops, &run.state, *known));
            let (loops, cuts) = (self.loops, self.cuts);
            let mut headers = Headers { loops, cuts, depth, executed: &run.executed };
            let event = self.machine.advance(&mut run.state, &mut headers, &mut budget);
            self.steps += QUANTUM - budget;
            let domain = &mut self.machine.domain;
            domain.written.clear();
            domain.decided.clear();
            // Where objects lie is an assumption, and nothing that a node says of them.
            if run.state.memory.has_addresses() {
                match self.left_out(&run, "the address of an object is looked at") {
                    Ok(()) => return Ok(Ok(())),
                    Err(stopped) => return Ok(Err(stopped)),
                }
            }
            let event = match event {
                Ok(event) => event,
                Err(halt) => match self.halted(run, *halt)? {
                    Some(on) => {
                        run = on;
                        continue;
                    }
                    None => return Ok(Ok(())),
                },
            };
            let on = match event {
                Event::Paused | Event::Written | Event::Output(_) | Event::Returned => Some(run),
                Event::Called if run.state.depth() > MAX_DEPTH => {
                    let what = format!("calls are nested more than {MAX_DEPTH} deep");
                    self.bad(&run, what, None);
                    None
                }
                Event::Called => Some(run),
                Event::Entered => match self.arrived(run)? {
                    Ok(on) => on,
                    Err(stopped) => return Ok(Err(stopped)),
                },
                Event::Checked { check, holds, instruction } => {
                    self.check(run, check.kind, holds, instruction.span)?
                }
                Event::Assumed(holds) => {
                    let domain = &mut self.machine.domain;
                    let holds = domain.condition(holds);
                    match domain.feasible(holds)? {
                        Feasible::No => None,
                        Feasible::Yes(model) => {
                            domain.assume(holds, Some(model));
                            Some(run)
                        }
                        Feasible::Unknown(_) => {
                            domain.assume(holds, None);
                            Some(run)
                        }
                    }
                }
                Event::Branch { condition, then, otherwise } => {
                    let sides = self.sides_of_branch(condition, then, otherwise);
                    match self.ways(run, &sides)? {
                        Ok(on) => on,
                        Err(stopped) => return Ok(Err(stopped)),
                    }
                }
                Event::Switch { value, cases, default } => {
                    let sides = self.sides_of_switch(&value, cases, default);
                    match self.ways(run, &sides)? {
                        Ok(on) => on,
                        Err(stopped) => return Ok(Err(stopped)),
                    }
                }
                Event::Finished(_) | Event::Exited(_) | Event::Aborted => None,
            };
            match on {
                Some(on) => run = on,
                None => return Ok(Ok(())),
            }
        }
    }

    fn span(&self, run: &Run) -> Span {
        let program = self.machine.program;
        let span = span_of(program, &run.state);
        span.unwrap_or_else(|| program.function(program.entry).span)
    }

    /// What an execution does here must not be reached.
    fn bad(&mut self, run: &Run, what: String, span: Option<Span>) {
        let span = span.unwrap_or_else(|| self.span(run));
        let users = self.machine.program.sources.is_users(span);
        let span = match users {
            true => span,
            false => self.machine.users_place(&run.state).unwrap_or(span),
        };
        let conditions = self.machine.domain.path.conditions();
        let to = Target::Bad(Why { what, span });
        self.links.push(Link { from: run.from, conditions, to });
    }

    fn halted(&mut self, mut run: Run, halt: Halt) -> Outcome<Option<Run>> {
        let what = match halt {
            Halt::Again => {
                step_back(&mut run);
                return Ok(Some(run));
            }
            Halt::Split(cases) => {
                let path = std::mem::take(&mut self.machine.domain.path);
                for Case { condition, known, model, .. } in cases.into_iter().rev() {
                    let mut child = run.clone();
                    step_back(&mut child);
                    self.machine.domain.path = path.clone();
                    self.machine.domain.assume(condition, model);
                    if let Some((term, number)) = known {
                        self.machine.domain.path.learn(term, number);
                    }
                    child.path = std::mem::take(&mut self.machine.domain.path);
                    self.open.push(child);
                }
                return Ok(None);
            }
            Halt::Failed { kind, .. } => {
                let span = self.span(&run);
                return self.check(run, kind, Bool::Known(false), span);
            }
            Halt::Internal(error) => return Err(error.into()),
            Halt::Unsupported(what) => format!("not modelled: {what}"),
            Halt::Limit(what) => what,
            Halt::Costly => halt.to_string(),
            Halt::Solver(reason) => format!("the solver has no answer: {reason}"),
        };
        self.bad(&run, what, None);
        Ok(None)
    }

    /// The side on which a check fails must not be reached, unless executions are allowed to end there; the other goes on.
    fn check(
        &mut self,
        run: Run,
        kind: CheckKind,
        holds: Bool,
        span: Span,
    ) -> Outcome<Option<Run>> {
        let domain = &mut self.machine.domain;
        let holds = domain.condition(holds);
        if domain.path.truth(holds) == Some(true) {
            return Ok(Some(run));
        }
        let fails = domain.terms.not(holds);
        if let Feasible::No = domain.feasible(fails)? {
            // What never holds cannot fail either: nobody comes here.
            if domain.terms.as_bool(holds) == Some(false) {
                return Ok(None);
            }
            domain.path.note(holds);
            return Ok(Some(run));
        }
        let what = match self.options.property.judge(kind) {
            Judgement::Ends => None,
            Judgement::Undefined if self.options.undefined != Undefined::Unknown => None,
            Judgement::Undefined => {
                Some(format!("undefined behaviour may be possible: {}", kind.title()))
            }
            Judgement::NotModelled => {
                let what = unsupported_at(self.machine.program, &run.state);
                Some(format!("not modelled: {what}"))
            }
            Judgement::Error => Some(format!("no invariant rules this out: {}", kind.title())),
        };
        if let Some(what) = what {
            let passed = self.machine.domain.path.clone();
            self.machine.domain.assume(fails, None);
            self.bad(&run, what, Some(span));
            self.machine.domain.path = passed;
        }
        let domain = &mut self.machine.domain;
        match domain.feasible(holds)? {
            Feasible::No => return Ok(None),
            Feasible::Yes(model) => domain.assume(holds, Some(model)),
            Feasible::Unknown(_) => domain.assume(holds, None),
        }
        Ok(Some(run))
    }

    fn sides_of_branch(
        &mut self,
        condition: Bool,
        then: BlockId,
        otherwise: BlockId,
    ) -> Vec<(Term, BlockId)> {
        let domain = &mut self.machine.domain;
        let condition = domain.condition(condition);
        let truth = domain.terms.as_bool(condition).or_else(|| domain.path.truth(condition));
        let always = domain.terms.bool(true);
        match truth {
            Some(true) => vec![(always, then)],
            Some(false) => vec![(always, otherwise)],
            None => vec![(condition, then), (domain.terms.not(condition), otherwise)],
        }
    }

    fn sides_of_switch(
        &mut self,
        value: &Int,
        cases: &[(Integer, BlockId)],
        default: BlockId,
    ) -> Vec<(Term, BlockId)> {
        let domain = &mut self.machine.domain;
        if let Some(number) = domain.settled(value) {
            let case = cases.iter().find(|(case, _)| *case == number);
            let always = domain.terms.bool(true);
            return vec![(always, case.map_or(default, |(_, block)| *block))];
        }
        domain.sides(value, cases, default)
    }

    /// Goes all ways that are possible. One of them is, so the last one needs no question if no other is.
    fn ways(&mut self, run: Run, sides: &[(Term, BlockId)]) -> Walked<Option<Run>> {
        let mut possible = Vec::new();
        for (number, (condition, block)) in sides.iter().enumerate() {
            let is_last = number + 1 == sides.len() && possible.is_empty();
            if is_last {
                possible.push((*condition, None, *block));
                continue;
            }
            match self.machine.domain.feasible(*condition)? {
                Feasible::No => {}
                Feasible::Yes(model) => possible.push((*condition, Some(model), *block)),
                Feasible::Unknown(_) => possible.push((*condition, None, *block)),
            }
        }
        if let [(condition, _, block)] = possible[..] {
            self.machine.domain.path.note(condition);
            return self.enter(run, block);
        }
        let path = std::mem::take(&mut self.machine.domain.path);
        for (condition, model, block) in possible.into_iter().rev() {
            self.machine.domain.path = path.clone();
            self.machine.domain.assume(condition, model);
            match self.enter(run.clone(), block)? {
                Ok(Some(mut on)) => {
                    on.path = std::mem::take(&mut self.machine.domain.path);
                    self.open.push(on);
                }
                Ok(None) => {}
                Err(stopped) => return Ok(Err(stopped)),
            }
        }
        Ok(Ok(None))
    }

    fn enter(&mut self, mut run: Run, block: BlockId) -> Walked<Option<Run>> {
        let Some(frame) = run.state.frames.last() else { return Ok(Ok(Some(run))) };
        let (function, from, depth) = (frame.function, frame.block, run.state.depth());
        Machine::<Symbolic>::enter(&mut run.state, block);
        let (loops, cuts) = (self.loops, self.cuts);
        let headers = Headers { loops, cuts, depth, executed: &run.executed };
        match headers.is_stop(function, from, block) {
            true => self.arrived(run),
            false => Ok(Ok(Some(run))),
        }
    }

    /// An execution stands at a header.
    fn arrived(&mut self, mut run: Run) -> Walked<Option<Run>> {
        let depth = run.state.depth();
        let at = run.state.frames.last().and_then(|frame| {
            let id = self.loops.of(frame.function).headed_by(frame.block)?;
            Some((depth, (frame.function, id)))
        });
        if let Some(at) = at {
            run.executed.retain(|known| known.0 < depth || *known != at);
            if runs_through(self.machine, self.loops, &run.state)? {
                run.executed.push(at);
                return Ok(Ok(Some(run)));
            }
        }
        let streams = &run.state.streams;
        if streams.has_looked_beyond(&Streams::default()) {
            let what = "a loop behind a look at the standard input or the command line";
            return Ok(self.left_out(&run, what).map(|()| None));
        }
        self.live.clear_others(self.machine.program, &mut run.state);
        // Executions may stay in the loop for ever, and never come to where leaks are checked.
        if self.options.property.asks_for_leaks()
            && self.machine.tracked(&run.state, Calls::All)? != Bool::Known(true)
        {
            self.bad(&run, "allocated memory may be lost before the loop".to_owned(), None);
            return Ok(Ok(None));
        }
        let place = place_of(&run.state);
        let here = self.by_place.get(&place).cloned().unwrap_or_default();
        for (number, id) in here.iter().enumerate() {
            let known = self.known.entry((place.clone(), number)).or_default();
            match self.nodes[*id].fit(self.machine, run.state.clone(), known)? {
                Fit::Yes(values) => {
                    self.link(&run, Target::Node(*id, values));
                    return Ok(Ok(None));
                }
                Fit::Later if self.is_last => {
                    let what = "what changes from visit to visit was not found out";
                    return Ok(self.left_out(&run, what).map(|()| None));
                }
                Fit::Later => {
                    self.is_open = true;
                    return Ok(Ok(None));
                }
                Fit::No => {}
            }
        }
        if here.len() >= MAX_SHAPES {
            let what = "the objects that there are change from iteration to iteration";
            return Ok(self.left_out(&run, what).map(|()| None));
        }
        let known = self.known.entry((place.clone(), here.len())).or_default();
        let left_open = match self.cuts {
            Cuts::Headers => LeftOpen::Hard,
            Cuts::Blocks(_) => LeftOpen::Terms,
        };
        let (node, values) = nodes::make(self.machine, run.state.clone(), known, left_open)?;
        let id = self.nodes.len();
        self.link(&run, Target::Node(id, values));
        let mut path = Path::default();
        for fact in &node.facts {
            let negation = self.machine.domain.terms.not(*fact);
            path.assume(*fact, negation, None);
        }
        let state = node.state.clone();
        self.nodes.push(node);
        self.by_place.entry(place).or_default().push(id);
        self.open.push(Run { from: Some(id), state, path, executed: Vec::new() });
        Ok(Ok(None))
    }

    /// An execution cannot be followed further: where all are needed, nothing more is done.
    fn left_out(&mut self, run: &Run, what: &str) -> Result<(), Stopped> {
        match self.cuts {
            Cuts::Headers => Err(Stopped(what.to_owned())),
            Cuts::Blocks(_) => {
                self.bad(run, what.to_owned(), None);
                Ok(())
            }
        }
    }

    fn link(&mut self, run: &Run, to: Target) {
        let conditions = self.machine.domain.path.conditions();
        self.links.push(Link { from: run.from, conditions, to });
    }
}

/// Whether a call of a state is in a loop.
fn is_inside(loops: &Loops, state: &State<Symbolic>, (depth, key): (usize, LoopKey)) -> bool {
    let frame = depth.checked_sub(1).and_then(|level| state.frames.get(level));
    frame.is_some_and(|frame| {
        frame.function == key.0 && loops.of(key.0).contains(key.1, frame.block)
    })
}

/// The instruction has been passed, but nothing of it done.
fn step_back(run: &mut Run) {
    if let Some(frame) = run.state.frames.last_mut() {
        frame.next -= 1;
    }
}
