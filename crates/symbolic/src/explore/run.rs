//! The loop of the exploration: picks states, runs them, and follows what they become.

use super::{Branch, Exploration, Explorer, Observer, Stop};
use crate::domain::Symbolic;
use crate::explore::leaf::End;
use crate::halt::Halt;
use crate::loops::{Counters, Loops};
use crate::property::Property;
use crate::search::Search;
use crate::summary::Site;
use crate::value::Bool;
use loupe_engine::domain::InternalError;
use loupe_engine::semantics::{Control, Event};
use loupe_ir::program::{BlockId, FunctionId};
use loupe_ir::source::Span;

/// So many instructions are executed before others have their turn.
const QUANTUM: u64 = 1 << 16;

/// So much work with questions is done for one state before others have their turn: where each iteration of a loop asks and never forks, that is much less than so many instructions.
const TURN: u64 = 20_000;

/// So many loops are passed, one right behind the other, before others have their turn: templates of cycles may lead from one to the next for ever.
const MAX_PASSES: u32 = 64;

/// So many instructions are as much work as a unit of the solver's.
const STEPS_PER_WORK: u64 = 8;

/// Asked now and then whether the exploration must stop for reasons outside of it.
pub type Supervisor<'s> = dyn Fn(&Exploration, usize) -> Option<Stop> + Sync + 's;

/// What is noted on the way.
struct Watch<'w> {
    loops: &'w Loops,
    counters: &'w mut Counters,
    coverage: &'w mut super::Coverage,
    search: &'w mut dyn Search,
    depth: u32,
    limit: u64,
    /// The first loop that was repeated too often, and its header.
    exceeded: Option<(FunctionId, BlockId)>,
    /// Whether a way was taken for the first time.
    news: bool,
    options: &'w super::Options,
    /// Where states meet, if others are on their way.
    meeting: Option<&'w super::meet::Meeting>,
    /// Whether it has stopped where a loop is entered.
    is_at_header: bool,
    /// Whether it has stopped where others may come too.
    is_at_join: bool,
    again: &'w [(u32, crate::loops::LoopKey)],
    /// Where states stop that may be like others.
    cuts: Option<&'w crate::invariants::Blocks>,
    /// Whether it has stopped at such a place.
    is_at_cut: bool,
}

impl Watch<'_> {
    fn enter(&mut self, function: FunctionId, block: BlockId) {
        if self.coverage.enter(function, block) {
            self.search.covered(function, block);
        }
    }
}

impl Control<Symbolic> for Watch<'_> {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.enter(function, to);
        self.news |= self.coverage.take(function, from, to);
        let repeated = self.counters.edge(self.loops, self.depth, function, (from, to));
        if repeated.is_some_and(|times| times > self.limit) {
            self.exceeded.get_or_insert((function, to));
        }
    }

    fn stops(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        let at = (self.depth, function);
        self.is_at_header =
            super::headers::is_stop(self.options, self.loops, at, (from, to), self.again);
        self.is_at_join = self.meeting.is_some_and(|meeting| meeting.stops_at(function, to));
        self.is_at_cut = self.cuts.is_some_and(|cuts| cuts.has(function, to));
        self.is_at_header || self.is_at_join || self.is_at_cut
    }
}

/// What became of a state that was run.
pub(super) enum Ran {
    /// It goes on.
    On(Box<Branch>),
    /// It has ended, or has become others, which wait.
    Over,
}

impl<'p> Explorer<'p> {
    /// Explores the program.
    ///
    /// # Errors
    ///
    /// If Loupe is broken; nothing that a program does is an error here.
    pub fn run(
        mut self,
        observer: &mut dyn Observer,
        supervisor: &Supervisor<'_>,
    ) -> Result<Exploration, InternalError> {
        match self.explore(observer, supervisor) {
            Ok(stop) => {
                self.result.stop = stop;
                if super::headers::mode(&self.options) == super::LoopMode::Compact {
                    self.count_cycles();
                }
                self.abandon(observer);
                self.result.queries = self.machine.domain.query_statistics();
                self.note_effort();
                Ok(self.result)
            }
            Err(halt) => Err(match *halt {
                Halt::Internal(error) => error,
                other => InternalError(format!("the exploration halted: {other}")),
            }),
        }
    }

    pub(super) fn explore(
        &mut self,
        observer: &mut dyn Observer,
        supervisor: &Supervisor<'_>,
    ) -> Result<Stop, Box<Halt>> {
        if let Some(stop) = self.prepare_guidance(observer, supervisor)? {
            return Ok(stop);
        }
        self.prepare_subsumption()?;
        let stop = self.explore_all(observer, supervisor)?;
        self.note_open();
        self.note_subsumption();
        self.note_dropped();
        Ok(stop)
    }

    /// The state to go on with.
    fn pick(&mut self) -> Result<Option<Branch>, Box<Halt>> {
        if let Some(branch) = self.guidance.as_mut().and_then(|guidance| guidance.pick()) {
            return Ok(Some(branch));
        }
        let mut put_off = Vec::new();
        let key = loop {
            let Some(key) = self.search.pick() else { break None };
            if !self.puts_off(key) {
                break Some(key);
            }
            put_off.push(key);
        };
        for key in put_off {
            self.wait(key);
        }
        let Some(key) = key else { return self.wake() };
        let branch = self.waiting.remove(&key);
        let branch =
            branch.ok_or_else(|| crate::halt::internal("a state that does not wait was picked"))?;
        self.left(&branch);
        Ok(Some(branch))
    }

    /// Explores from the first instruction on.
    pub(super) fn explore_all(
        &mut self,
        observer: &mut dyn Observer,
        supervisor: &Supervisor<'_>,
    ) -> Result<Stop, Box<Halt>> {
        let root = match self.root() {
            Ok(root) => root,
            Err(halt) if matches!(*halt, Halt::Limit(_)) => return Ok(Stop::TooLarge),
            Err(halt) => return Err(halt),
        };
        // One that was made elsewhere has been counted there.
        if !self.is_guided() {
            self.result.states += 1;
        }
        // What the models of library functions do is no reason to go there.
        let program = self.machine.program;
        for (number, function) in (0..).zip(&program.functions) {
            if !program.sources.is_users(function.span) {
                let blocks = 0..function.blocks.len() as u32;
                blocks.for_each(|block| self.search.covered(FunctionId(number), BlockId(block)));
            }
        }
        let entry = self.machine.program.entry;
        if self.result.coverage.enter(entry, BlockId(0)) {
            self.search.covered(entry, BlockId(0));
        }
        self.add(root)?;
        while let Some(branch) = self.pick()? {
            self.note_effort();
            if let Some(stop) = supervisor(&self.result, self.waiting.len()) {
                return Ok(stop);
            }
            self.choose()?;
            if self.is_out_of_reach(&branch) {
                self.end_out_of_reach(&branch);
                continue;
            }
            // Behind merged ways an input is no longer known by its position.
            if !branch.is_merged() && self.leads_nowhere(&branch.path)? {
                self.search.ended(branch.key);
                continue;
            }
            let paths = self.result.paths();
            self.result.explored += 1;
            self.run_branch(branch, observer)?;
            if let Some(stop) = self.settle_some(observer)? {
                return Ok(stop);
            }
            if let Some(stop) = self.is_enough(paths) {
                return Ok(stop);
            }
            self.share_work()?;
        }
        if !self.waiting.is_empty() {
            return Err(crate::halt::internal("states wait that the search has forgotten"));
        }
        let stop = self.settle_all(observer, supervisor)?;
        Ok(stop.unwrap_or(Stop::Complete))
    }

    /// Counts what has been done so far.
    pub(super) fn note_effort(&mut self) {
        self.result.effort = self.machine.domain.work() + self.result.steps / STEPS_PER_WORK;
    }

    /// Shows the states that nobody will go on with, the oldest first.
    fn abandon(&mut self, observer: &mut dyn Observer) {
        let mut left: Vec<Branch> = self.waiting.drain().map(|(_, branch)| branch).collect();
        left.extend(self.put_aside());
        left.sort_unstable_by_key(|branch| branch.key);
        for mut branch in left {
            self.machine.domain.path = std::mem::take(&mut branch.path);
            observer.abandoned(&mut self.machine.domain, branch.prefix());
        }
    }

    /// Gives a state away if somebody else has nothing to do.
    fn share_work(&mut self) -> Result<(), Box<Halt>> {
        let Some(pool) = self.pool.filter(|pool| pool.is_hungry()) else { return Ok(()) };
        if self.waiting.len() < 2 {
            return Ok(());
        }
        let Some(branch) = self.search.pick().and_then(|key| self.waiting.remove(&key)) else {
            return Ok(());
        };
        self.left(&branch);
        if branch.way != super::Way::Executed || branch.is_at_header || branch.is_merged() {
            // Decisions do not say how loops were passed or states merged: such a state stays where it is.
            return self.add(branch);
        }
        self.search.ended(branch.key);
        let mut decisions: Vec<_> = branch.decisions.iter().cloned().collect();
        decisions.reverse();
        pool.give(decisions);
        Ok(())
    }

    /// Begins anew, with what is covered already.
    pub(super) fn restart(&mut self, mut search: Box<dyn Search>) {
        for (function, block) in self.result.coverage.blocks() {
            search.covered(function, block);
        }
        self.search = search;
    }

    /// Why the exploration is over; it had ended so many paths before.
    fn is_enough(&self, before: u64) -> Option<Stop> {
        let first = self.options.all_errors == super::options::AllErrors::StopAtFirst;
        if first && self.result.is_violated() {
            return Some(Stop::FirstError);
        }
        if let Some(stop) = self.pool.and_then(|pool| pool.stopped()) {
            return Some(stop);
        }
        let limit = self.options.limits.paths?;
        let paths = match self.pool {
            Some(pool) => pool.count(self.result.paths() - before),
            None => self.result.paths(),
        };
        (paths >= limit && !self.search.is_empty()).then_some(Stop::Paths(limit))
    }

    /// Runs a state until it waits, ends, or has become others.
    fn run_branch(
        &mut self,
        mut branch: Branch,
        observer: &mut dyn Observer,
    ) -> Result<(), Box<Halt>> {
        self.machine.domain.path = std::mem::take(&mut branch.path);
        let mut budget = QUANTUM;
        let worked = self.machine.domain.work();
        let mut branch = Box::new(branch);
        branch.is_at_join = false;
        // How many headers there were one behind the other, without an instruction between them.
        let mut passes = 0;
        loop {
            if branch.is_at_join && self.may_meet() && !self.is_guided() {
                branch.path = std::mem::take(&mut self.machine.domain.path);
                return self.add(*branch);
            }
            branch.is_at_join = false;
            if std::mem::take(&mut branch.is_at_cut) {
                match self.at_cut(branch)? {
                    Ran::Over => return Ok(()),
                    Ran::On(on) => branch = on,
                }
            }
            if std::mem::take(&mut branch.is_at_header) {
                if self.is_out_of_reach(&branch) {
                    self.end_out_of_reach(&branch);
                    return Ok(());
                }
                match self.at_header(branch, observer)? {
                    Ran::Over => return Ok(()),
                    Ran::On(on) => branch = on,
                }
                passes += 1;
                if branch.is_at_header && passes == MAX_PASSES {
                    branch.path = std::mem::take(&mut self.machine.domain.path);
                    return self.add(*branch);
                }
                // Behind the loop there may be such a place at once.
                if branch.is_at_cut || branch.is_at_header {
                    continue;
                }
            }
            passes = 0;
            let before = budget;
            let (event, exceeded) = {
                let mut watch = Watch {
                    loops: &self.loops,
                    counters: &mut branch.counters,
                    coverage: &mut self.result.coverage,
                    search: &mut *self.search,
                    depth: branch.state.depth() as u32,
                    limit: self.options.limits.iterations.unwrap_or(u64::MAX),
                    exceeded: None,
                    news: false,
                    options: &self.options,
                    meeting: self.meeting.as_ref().filter(|_| !self.waiting.is_empty()),
                    is_at_header: false,
                    is_at_join: false,
                    again: &branch.again,
                    cuts: self.subsumption.as_ref().map(|own| own.cuts()),
                    is_at_cut: false,
                };
                let event = self.machine.advance(&mut branch.state, &mut watch, &mut budget);
                let Watch { exceeded, news, is_at_header, is_at_join, is_at_cut, .. } = watch;
                if let Ok(Event::Entered) = event {
                    (branch.is_at_header, branch.is_at_join) = (is_at_header, is_at_join);
                    branch.is_at_cut = is_at_cut;
                }
                // A way that is taken without a decision is taken by all executions of the path.
                if news {
                    observer.reached(&mut self.machine.domain, branch.prefix());
                }
                (event, exceeded)
            };
            let steps = before - budget;
            branch.steps += steps;
            self.result.steps += steps;
            self.note_decided(&mut branch)?;
            for output in self.machine.domain.written.drain(..) {
                branch.outputs.push(output);
            }
            if let (Ok(_), Some((function, header))) = (&event, exceeded) {
                let (end, span) = self.repeated(function, header);
                return self.end(&branch, end, span, observer);
            }
            let statistics = self.machine.domain.query_statistics();
            let depth = branch.state.depth() as u32;
            let inside = branch.counters.innermost(depth);
            let states = self.result.states;
            let ran = match event {
                Ok(event) => self.follow(branch, event, observer)?,
                Err(halt) => self.halted(branch, *halt, observer)?,
            };
            self.note_cost(inside, states, statistics);
            match ran {
                Ran::Over => return Ok(()),
                Ran::On(on) => branch = on,
            }
            if let Some(limit) = self.options.limits.steps
                && branch.steps >= limit
            {
                let span = self.place(&branch);
                let end = End::Limit(format!("the limit of {limit} steps was reached"));
                return self.end(&branch, end, span, observer);
            }
            if budget == 0
                && self.options.property == Property::Termination
                && (branch.steps / QUANTUM).is_power_of_two()
                && self.goes_round(&branch)?
            {
                self.search.ended(branch.key);
                return Ok(());
            }
            if budget == 0 && (self.is_guided() || branch.is_at_header) {
                budget = QUANTUM;
            }
            // A state that never forks would not let anybody look at the clock.
            let is_over = self.machine.domain.limits.interrupt.is_requested()
                || self.machine.domain.work() - worked > TURN && !branch.is_at_header;
            if budget == 0 || is_over && !self.is_guided() {
                branch.path = std::mem::take(&mut self.machine.domain.path);
                return self.add(*branch);
            }
        }
    }

    /// A state that was picked waits again.
    fn wait(&mut self, key: crate::search::StateKey) {
        let Some(branch) = self.waiting.get(&key) else { return };
        let stack = branch.stack();
        self.search.add(crate::search::Waiting { key, stack });
    }

    fn note_cost(
        &mut self,
        inside: Option<crate::loops::LoopKey>,
        states: u64,
        before: crate::domain::QueryStatistics,
    ) {
        let after = self.machine.domain.query_statistics();
        let (states, queries) = (self.result.states - states, after.queries - before.queries);
        if states + queries == 0 {
            return;
        }
        let key = inside.map(|(function, id)| (function, id.0));
        let cost = self.result.profile.entry(key).or_default();
        cost.states += states;
        cost.queries += queries;
        cost.seconds += (after.time - before.time).as_secs_f64();
    }

    /// How a path ends that has repeated a loop too often, and where.
    pub(super) fn repeated(&self, function: FunctionId, header: BlockId) -> (End, Span) {
        let limit = self.options.limits.iterations.unwrap_or(u64::MAX);
        let code = self.machine.program.function(function);
        let forest = self.loops.of(function);
        let span = match forest.headed_by(header) {
            Some(id) => forest.get(id).span(code),
            None => code.block(header).terminator.span,
        };
        (End::Limit(format!("a loop was repeated more than {limit} times")), span)
    }

    /// A place to which a state has come.
    pub(super) fn site(&self, branch: &Branch, span: Span) -> Site {
        Site::at(self.machine.program, span).through(&self.machine, branch.state.calls())
    }

    /// Where a state stands: at the instruction that it has just begun.
    pub(super) fn place(&self, branch: &Branch) -> Span {
        let Some(frame) = branch.state.frames.last() else {
            return self.machine.program.function(self.machine.program.entry).span;
        };
        let function = self.machine.program.function(frame.function);
        let block = function.block(frame.block);
        let current = block.instructions.get(frame.next.saturating_sub(1));
        let at_end = frame.next > block.instructions.len();
        match current {
            Some(instruction) if !at_end => instruction.span,
            _ => block.terminator.span,
        }
    }
}
