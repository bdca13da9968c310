//! One iteration of a loop, along all of its paths.
//!
//! The semantics is the executor's, and so is what a path condition is; but nothing is searched for, nothing is replayed, and all
//! that ends a path is noted as an exit of the loop.

use super::apply::{Applied, Continuation, apply};
use super::ends::{Fate, fate};
use super::solve::{Question, Solutions, Wanted};
use super::{ExitKind, InnerLoop, Limits, Site, WhyNot};
use crate::domain::{Feasible, Outcome, Symbolic};
use crate::halt::{Case, Halt, internal};
use crate::loops::{Counters, Loops, Onward, Region};
use crate::output::Output;
use crate::path::Path;
use crate::value::{Bool, Int, SymbolicValue};
use loupe_engine::semantics::{Control, Event, Machine};
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{BlockId, FunctionId};
use loupe_ir::source::Span;
use loupe_loops::{Fresh, FreshKind, Precision, Tag};
use loupe_term::Term;
use rpds::List;

/// A loop inside that has no summary may be repeated so often on a path.
const MAX_REPEATED: u64 = 64;

/// An edge that was taken.
pub(crate) type Edge = (FunctionId, BlockId, BlockId);

/// An execution of the body that has not ended.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) state: State<Symbolic>,
    pub(crate) path: Path,
    pub(crate) outputs: List<Output>,
    /// Counters of loops inside, and what they have read.
    pub(crate) fresh: Vec<Fresh>,
    pub(crate) precision: Precision,
    pub(crate) edges: List<Edge>,
    /// Lines of branches and which side was taken, for people.
    pub(crate) label: List<String>,
    counters: Counters,
}

/// How an execution of the body ended.
pub(crate) enum Ending {
    /// At the header.
    Again,
    /// Outside, there, with this value if it is returned or is a status.
    Exit(ExitKind, Site, Option<SymbolicValue>),
}

/// An execution of the body that has ended.
pub(crate) struct Done {
    pub(crate) run: Run,
    pub(crate) ending: Ending,
}

/// What is executed.
pub(crate) struct Body<'b, 'p> {
    pub(crate) machine: &'b mut Machine<'p, Symbolic>,
    pub(crate) loops: &'b Loops,
    pub(crate) limits: &'b Limits,
    pub(crate) solutions: &'b mut Solutions,
    pub(crate) region: Region,
    /// How deep the call is that the loop runs in.
    pub(crate) depth: usize,
    pub(crate) inner: Vec<InnerLoop>,
    open: Vec<Run>,
    done: Vec<Done>,
    steps: u64,
}

/// Stops where the body ends and where loops inside begin.
struct Walk<'w> {
    loops: &'w Loops,
    region: Region,
    is_own_call: bool,
    depth: u32,
    edges: &'w mut List<Edge>,
    counters: &'w mut Counters,
    /// A loop inside was repeated too often.
    exceeded: bool,
}

impl Control<Symbolic> for Walk<'_> {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.edges.push_front_mut((function, from, to));
        let repeated = self.counters.edge(self.loops, self.depth, function, (from, to));
        self.exceeded |= repeated.is_some_and(|times| times > MAX_REPEATED);
    }

    fn stops(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        self.exceeded
            || match self.is_own_call {
                true => stops(self.loops, self.region, (from, to)),
                false => enters_loop(self.loops, function, from, to),
            }
    }
}

/// Whether an edge comes into a loop from outside.
pub(crate) fn enters_loop(loops: &Loops, function: FunctionId, from: BlockId, to: BlockId) -> bool {
    let forest = loops.of(function);
    forest.headed_by(to).is_some_and(|id| !forest.contains(id, from))
}

/// Whether an execution of a region stops behind an edge of its own: where the region ends, and where a loop inside begins. On a
/// cycle there is none of these: it goes past them.
fn stops(loops: &Loops, region: Region, (from, to): (BlockId, BlockId)) -> bool {
    match (loops.onward(region, (from, to)), region) {
        (Onward::Again | Onward::Outside, _) => true,
        (Onward::Inside, Region::Loop((function, _))) => enters_loop(loops, function, from, to),
        (Onward::Inside, Region::Cycle(..)) => false,
    }
}

/// What one of several ways holds, and what is to be done on it.
type Side = (Term, BlockId);

impl<'b, 'p> Body<'b, 'p> {
    pub(crate) fn new(
        machine: &'b mut Machine<'p, Symbolic>,
        loops: &'b Loops,
        limits: &'b Limits,
        solutions: &'b mut Solutions,
        (region, depth): (Region, usize),
    ) -> Self {
        let (inner, open, done) = (Vec::new(), Vec::new(), Vec::new());
        Body { machine, loops, limits, solutions, region, depth, inner, open, done, steps: 0 }
    }

    /// All executions of the body from a state at the header. The conditions of `path` hold there.
    pub(crate) fn run(
        &mut self,
        state: State<Symbolic>,
        path: Path,
    ) -> Outcome<Result<Vec<Done>, WhyNot>> {
        let run = Run {
            state,
            path,
            outputs: List::new(),
            fresh: Vec::new(),
            precision: Precision::Exact,
            edges: List::new(),
            label: List::new(),
            counters: Counters::default(),
        };
        self.open.push(run);
        while let Some(run) = self.open.pop() {
            if self.machine.domain.limits.interrupt.is_requested() {
                let what = "it was interrupted".to_owned();
                return Ok(Err(WhyNot { what, span: self.span() }));
            }
            if self.solutions.is_late(&self.machine.domain) {
                let what = "it takes too long to find out what an iteration does".to_owned();
                return Ok(Err(WhyNot { what, span: self.span() }));
            }
            if let Err(why) = self.go(run)? {
                return Ok(Err(why));
            }
            if self.open.len() + self.done.len() > self.limits.paths {
                let what = format!("an iteration has more than {} paths", self.limits.paths);
                return Ok(Err(WhyNot { what, span: self.span() }));
            }
        }
        Ok(Ok(std::mem::take(&mut self.done)))
    }

    fn span(&self) -> Span {
        let (function, id) = self.region.key();
        self.loops.of(function).get(id).span(self.machine.program.function(function))
    }

    /// Executes up to the next decision, and makes it.
    fn go(&mut self, mut run: Run) -> Outcome<Result<(), WhyNot>> {
        self.machine.domain.path = std::mem::take(&mut run.path);
        loop {
            let mut budget = self.limits.steps.saturating_sub(self.steps);
            let before = budget;
            let depth = run.state.depth();
            let mut walk = Walk {
                loops: self.loops,
                region: self.region,
                is_own_call: depth == self.depth,
                depth: depth as u32,
                edges: &mut run.edges,
                counters: &mut run.counters,
                exceeded: false,
            };
            let event = self.machine.advance(&mut run.state, &mut walk, &mut budget);
            let exceeded = walk.exceeded;
            self.steps += before - budget;
            for output in self.machine.domain.written.drain(..) {
                run.outputs.push_front_mut(output);
            }
            if exceeded {
                let what = "a loop inside has no summary and is repeated too often".to_owned();
                return Ok(Err(WhyNot { what, span: self.place(&run) }));
            }
            let span = self.place(&run);
            let event = match event {
                Ok(event) => event,
                Err(halt) => match self.halted(run, *halt, span)? {
                    Some(on) => {
                        run = on;
                        continue;
                    }
                    None => return Ok(Ok(())),
                },
            };
            let next = match event {
                Event::Paused => {
                    let what = "the body of the loop is too long".to_owned();
                    return Ok(Err(WhyNot { what, span }));
                }
                Event::Written => Some(run),
                Event::Entered => self.arrived(run)?,
                Event::Called => {
                    let calls: Vec<FunctionId> =
                        run.state.calls().map(|frame| frame.function).collect();
                    let inside = &calls[..calls.len() - self.depth + 1];
                    if inside.len() > self.limits.calls {
                        let what = "calls in the loop are nested too deeply".to_owned();
                        return Ok(Err(WhyNot { what, span }));
                    }
                    match inside[1..].contains(&inside[0]) {
                        false => Some(run),
                        true => match self.forget(run, span)? {
                            Ok(on) => Some(on),
                            Err(why) => return Ok(Err(why)),
                        },
                    }
                }
                Event::Returned if run.state.depth() < self.depth => {
                    let value = returned(self.machine.program, &run.state);
                    self.finish(run, ExitKind::Returned, span, value);
                    None
                }
                Event::Returned => Some(run),
                Event::Output(number) => {
                    run.outputs.push_front_mut(Output::Number(number));
                    Some(run)
                }
                Event::Checked { check, holds, instruction } => {
                    let exit = ExitKind::Failed(check.kind);
                    self.check(run, holds, exit, instruction.span)?
                }
                Event::Assumed(holds) => {
                    self.check(run, holds, ExitKind::AssumptionFailed, span)?
                }
                Event::Branch { condition, then, otherwise } => {
                    self.branch(run, condition, then, otherwise)?
                }
                Event::Switch { value, cases, default } => {
                    self.switch(run, &value, cases, default)?
                }
                Event::Finished(value) => {
                    self.finish(run, ExitKind::Finished, span, value);
                    None
                }
                Event::Exited(status) => {
                    self.finish(run, ExitKind::Exited, span, Some(Value::Int(status)));
                    None
                }
                Event::Aborted => {
                    self.finish(run, ExitKind::Aborted, span, None);
                    None
                }
            };
            match next {
                Some(on) => run = on,
                None => return Ok(Ok(())),
            }
        }
    }

    fn place(&self, run: &Run) -> Span {
        place(self.machine.program, &run.state).unwrap_or_else(|| self.span())
    }

    /// An execution has ended; its condition is the one that the domain has.
    pub(super) fn finish(
        &mut self,
        run: Run,
        kind: ExitKind,
        span: Span,
        value: Option<SymbolicValue>,
    ) {
        let site = self.through(&run, Site::at(self.machine.program, span));
        self.end(run, Ending::Exit(kind, site, value));
    }

    /// A site that an execution has come to: only the calls in the loop and the one with the loop are its own.
    fn through(&self, run: &Run, site: Site) -> Site {
        let own = (run.state.depth() + 1).saturating_sub(self.depth);
        site.through(self.machine, run.state.calls().take(own))
    }

    fn end(&mut self, mut run: Run, ending: Ending) {
        run.path = std::mem::take(&mut self.machine.domain.path);
        self.done.push(Done { run, ending });
    }

    fn halted(&mut self, mut run: Run, halt: Halt, span: Span) -> Outcome<Option<Run>> {
        let lost = match halt {
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
                self.finish(run, ExitKind::Failed(kind), span, None);
                return Ok(None);
            }
            Halt::Internal(error) => return Err(error.into()),
            Halt::Unsupported(what) | Halt::Limit(what) => what,
            Halt::Costly => halt.to_string(),
            Halt::Solver(reason) => format!("the solver has no answer: {reason}"),
        };
        self.finish(run, ExitKind::Lost(lost), span, None);
        Ok(None)
    }

    /// The side on which a check fails is an exit.
    fn check(&mut self, run: Run, holds: Bool, exit: ExitKind, span: Span) -> Outcome<Option<Run>> {
        let domain = &mut self.machine.domain;
        let holds = domain.condition(holds);
        if domain.path.truth(holds) == Some(true) {
            return Ok(Some(run));
        }
        let fails = domain.terms.not(holds);
        let exit = match exit {
            ExitKind::Failed(CheckKind::Unsupported) => {
                ExitKind::Lost(unsupported_at(self.machine.program, &run.state))
            }
            exit => exit,
        };
        let can_fail = domain.feasible(fails)?;
        if let Feasible::No = can_fail {
            // What never holds cannot fail either: nobody comes here.
            if domain.terms.as_bool(holds) == Some(false) {
                return Ok(None);
            }
            domain.path.note(holds);
            return Ok(Some(run));
        }
        let passed = domain.path.clone();
        domain.assume(fails, None);
        self.finish(run.clone(), exit, span, None);
        let domain = &mut self.machine.domain;
        domain.path = passed;
        if let Feasible::No = domain.feasible(holds)? {
            return Ok(None);
        }
        domain.assume(holds, None);
        Ok(Some(run))
    }

    fn branch(
        &mut self,
        run: Run,
        condition: Bool,
        then: BlockId,
        otherwise: BlockId,
    ) -> Outcome<Option<Run>> {
        let condition = match condition {
            Bool::Known(truth) => {
                return self.enter(run, if truth { then } else { otherwise });
            }
            Bool::Term(term) => term,
        };
        let domain = &mut self.machine.domain;
        if let Some(truth) = domain.path.truth(condition) {
            return self.enter(run, if truth { then } else { otherwise });
        }
        let negation = domain.terms.not(condition);
        self.ways(run, &[(condition, then), (negation, otherwise)])
    }

    fn switch(
        &mut self,
        run: Run,
        value: &Int,
        cases: &[(Integer, BlockId)],
        default: BlockId,
    ) -> Outcome<Option<Run>> {
        let domain = &mut self.machine.domain;
        if let Some(number) = domain.settled(value) {
            let case = cases.iter().find(|(case, _)| *case == number);
            return self.enter(run, case.map_or(default, |(_, block)| *block));
        }
        let sides = domain.sides(value, cases, default);
        self.ways(run, &sides)
    }

    /// Goes all ways that are possible.
    fn ways(&mut self, run: Run, sides: &[Side]) -> Outcome<Option<Run>> {
        let line = self.place(&run).start.line;
        let mut possible = Vec::new();
        for (number, (condition, block)) in sides.iter().enumerate() {
            let is_last = number + 1 == sides.len() && possible.is_empty();
            if is_last || !matches!(self.machine.domain.feasible(*condition)?, Feasible::No) {
                possible.push((number, *condition, *block));
            }
        }
        if let [(_, condition, block)] = possible[..] {
            self.machine.domain.path.note(condition);
            return self.enter(run, block);
        }
        let path = std::mem::take(&mut self.machine.domain.path);
        for (number, condition, block) in possible.into_iter().rev() {
            let mut child = run.clone();
            let side = match (sides.len(), number) {
                (2, 0) => "yes".to_owned(),
                (2, _) => "no".to_owned(),
                (_, number) => format!("way {}", number + 1),
            };
            child.label.push_front_mut(format!("{line} {side}"));
            self.machine.domain.path = path.clone();
            self.machine.domain.assume(condition, None);
            if let Some(mut on) = self.enter(child, block)? {
                on.path = std::mem::take(&mut self.machine.domain.path);
                self.open.push(on);
            }
        }
        Ok(None)
    }

    /// Goes to a block.
    fn enter(&mut self, mut run: Run, block: BlockId) -> Outcome<Option<Run>> {
        let Some(frame) = run.state.frames.last() else { return Ok(Some(run)) };
        let (function, from, depth) = (frame.function, frame.block, run.state.depth());
        run.edges.push_front_mut((function, from, block));
        run.counters.edge(self.loops, depth as u32, function, (from, block));
        Machine::<Symbolic>::enter(&mut run.state, block);
        let stops = match depth == self.depth {
            true => stops(self.loops, self.region, (from, block)),
            false => enters_loop(self.loops, function, from, block),
        };
        match stops {
            true => self.arrived(run),
            false => Ok(Some(run)),
        }
    }

    /// An execution stands at the start of a block that is not simply executed.
    fn arrived(&mut self, run: Run) -> Outcome<Option<Run>> {
        let Some(frame) = run.state.frames.last() else { return Ok(Some(run)) };
        let (function, block) = (frame.function, frame.block);
        if run.state.depth() == self.depth {
            let Some((_, from, _)) = run.edges.first() else {
                return Err(internal("an execution that came along no edge"));
            };
            let onward = self.loops.onward(self.region, (*from, block));
            if onward == Onward::Again {
                self.end(run, Ending::Again);
                return Ok(None);
            }
            if onward == Onward::Outside {
                let code = self.machine.program.function(function);
                let first = code.block(block).instructions.first();
                let span = first.map_or(code.block(block).terminator.span, |first| first.span);
                self.finish(run, ExitKind::Block(block), span, None);
                return Ok(None);
            }
        }
        self.inner(run)
    }

    /// An execution stands at the header of a loop inside.
    fn inner(&mut self, run: Run) -> Outcome<Option<Run>> {
        if super::quick::runs_through(self.machine, self.loops, &run.state)? {
            return Ok(Some(run));
        }
        let conditions = self.machine.domain.path.conditions();
        let path = std::mem::take(&mut self.machine.domain.path);
        let Some(region) = loop_at(self.loops, &run.state) else { return Ok(Some(run)) };
        let wanted =
            Wanted { state: &run.state, region, conditions: &conditions, worst: Tag::Over };
        let solved = self.solutions.solve(self.machine, self.loops, self.limits, &wanted)?;
        self.machine.domain.path = path;
        let solution = match solved {
            Ok(solution) => solution,
            // It is executed as it is, as far as that goes.
            Err(_) => return Ok(Some(run)),
        };
        let ends = self.solutions.question == Question::Termination
            && fate(self.machine, &solution, &run.state)? == Fate::Ends;
        let path = std::mem::take(&mut self.machine.domain.path);
        let mut behind = Vec::new();
        for case in 0..solution.summary.cases.len() {
            self.machine.domain.path = path.clone();
            let Some(applied) = apply(self.machine, &solution, case, &run.state)? else { continue };
            // A necessary condition says no less for that.
            let is_better = self.solutions.question != Question::Necessary;
            if is_better && applied.lost().is_some() {
                self.machine.domain.path = path;
                return Ok(Some(run));
            }
            behind.push((applied, std::mem::take(&mut self.machine.domain.path)));
        }
        self.inner.push(InnerLoop {
            key: solution.extraction.key,
            tag: solution.summary.tag,
            may_diverge: solution.may_diverge(),
            ends,
            reasons: solution.summary.reasons.clone(),
        });
        for (applied, path) in behind.into_iter().rev() {
            let mut child = run.clone();
            if applied.is_over {
                child.precision = Precision::Over;
            }
            self.machine.domain.path = path;
            self.applied(child, applied)?;
        }
        Ok(None)
    }

    fn applied(&mut self, mut run: Run, applied: Applied) -> Outcome<()> {
        let Applied { state, counters, inputs, then, outputs, .. } = applied;
        run.state = state;
        let fresh = |kind| move |symbol: &Term| Fresh { symbol: *symbol, kind };
        run.fresh.extend(counters.iter().map(fresh(FreshKind::Counter)));
        run.fresh.extend(inputs.iter().map(fresh(FreshKind::Input)));
        if let Some(output) = outputs {
            run.outputs.push_front_mut(output);
        }
        let on = match then {
            Continuation::Enter(block) => self.enter(run, block)?,
            Continuation::Returned(span) if run.state.depth() < self.depth => {
                let value = returned(self.machine.program, &run.state);
                self.finish(run, ExitKind::Returned, span, value);
                None
            }
            Continuation::Returned(_) => Some(run),
            Continuation::End(kind, site, value) => {
                let site = self.through(&run, site);
                self.end(run, Ending::Exit(kind, site, value));
                None
            }
        };
        if let Some(mut on) = on {
            on.path = std::mem::take(&mut self.machine.domain.path);
            self.open.push(on);
        }
        Ok(())
    }
}

/// The loop whose header a state stands at.
pub(crate) fn loop_at(loops: &Loops, state: &State<Symbolic>) -> Option<Region> {
    let frame = state.frames.last()?;
    let id = loops.of(frame.function).headed_by(frame.block)?;
    Some(Region::Loop((frame.function, id)))
}

/// The instruction has been passed, but nothing of it done.
fn step_back(run: &mut Run) {
    if let Some(frame) = run.state.frames.last_mut() {
        frame.next -= 1;
    }
}

/// The value that the caller has got from a call that has just returned.
fn returned(
    program: &loupe_ir::program::Program,
    state: &State<Symbolic>,
) -> Option<SymbolicValue> {
    use loupe_ir::program::InstructionKind;
    let frame = state.frames.last()?;
    let block = program.function(frame.function).block(frame.block);
    match &block.instructions.get(frame.next.checked_sub(1)?)?.kind {
        InstructionKind::Call { target, .. } => frame.locals.get((*target)?.index()).cloned(),
        _ => None,
    }
}

/// Where a state stands: at the instruction that it has just begun.
pub(crate) fn place(program: &loupe_ir::program::Program, state: &State<Symbolic>) -> Option<Span> {
    let frame = state.frames.last()?;
    let block = program.function(frame.function).block(frame.block);
    let current = block.instructions.get(frame.next.saturating_sub(1));
    let at_end = frame.next > block.instructions.len();
    Some(match current {
        Some(instruction) if !at_end => instruction.span,
        _ => block.terminator.span,
    })
}

/// What has no model where a state stands.
pub(crate) fn unsupported_at(
    program: &loupe_ir::program::Program,
    state: &State<Symbolic>,
) -> String {
    use loupe_ir::check::Predicate;
    use loupe_ir::program::InstructionKind;
    let instruction = state.frames.last().and_then(|frame| {
        let block = program.function(frame.function).block(frame.block);
        block.instructions.get(frame.next.checked_sub(1)?)
    });
    match instruction.map(|instruction| &instruction.kind) {
        Some(InstructionKind::Check(check)) => match &check.predicate {
            Predicate::Never(reason) => program.symbols.name(*reason).to_owned(),
            _ => "what a run meets here".to_owned(),
        },
        _ => "this".to_owned(),
    }
}
