//! What states become at the headers of loops: they pass the loop by its summary, or execute it.
//!
//! In `auto`, a loop that is over after a few iterations with nothing to decide is executed: that costs less than a summary, and leaves
//! constants where a summary would leave terms. A loop whose summary is not exact is executed as well. A loop that is no problem of
//! numbers at its first iteration may be one at the second (a variable has a value then, a pointer points to something), so it is tried once
//! more there.

use super::draft::Doubt;
use super::endless::Judged;
use super::jump::Passed;
use super::leaf::End;
use super::run::Ran;
use super::{AllErrors, Branch, Explorer, ForkReason, LoopMode, Observer, Options, Way};
use crate::domain::{Feasible, Outcome};
use crate::halt::internal;
use crate::loops::{LoopKey, Loops, Region};
use crate::path::Path;
use crate::property::{Judgement, Property};
use crate::summary::{
    Applied, Continuation, ExitKind, Site, Solution, Wanted, apply, enters_loop, runs_through,
};
use crate::value::SymbolicValue;
use loupe_engine::value::Value;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{BlockId, FunctionId};
use loupe_loops::{Repeated, Segment, Tag};
use loupe_solver::Reason;
use loupe_term::{Substitution, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is done about loops. That a tree has no endless branches is nothing to go by where the question is whether there are any, so
/// there templates of cycles give way to summaries of whole loops, which say what they leave out.
pub(super) fn mode(options: &Options) -> LoopMode {
    match (options.loops, options.property) {
        (LoopMode::Compact, Property::Termination) => LoopMode::Auto,
        (mode, _) => mode,
    }
}

/// Whether states stop where they come along an edge.
pub(super) fn is_stop(
    options: &Options,
    loops: &Loops,
    (depth, function): (u32, FunctionId),
    (from, to): (BlockId, BlockId),
    again: &[(u32, LoopKey)],
) -> bool {
    match mode(options) {
        LoopMode::Unroll => return false,
        LoopMode::Compact => {
            return !loops.cycles_at(function, to, options.templates.entries()).is_empty();
        }
        LoopMode::Summary | LoopMode::Auto | LoopMode::Necessary => {}
    }
    enters_loop(loops, function, from, to)
        || !again.is_empty()
            && loops
                .of(function)
                .headed_by(to)
                .is_some_and(|id| again.contains(&(depth, (function, id))))
}

impl Explorer<'_> {
    /// Whether a state stops where it has come along an edge.
    pub(super) fn stops_at(
        &self,
        branch: &Branch,
        function: FunctionId,
        edge: (BlockId, BlockId),
    ) -> bool {
        let at = (branch.state.depth() as u32, function);
        is_stop(&self.options, &self.loops, at, edge, &branch.again)
    }

    /// A state has come to the header of a loop.
    pub(super) fn at_header(
        &mut self,
        mut branch: Box<Branch>,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let mode = mode(&self.options);
        // On a way that was gone before, no loop was passed: states that have passed one stay where they are.
        if mode == LoopMode::Unroll || self.is_guided() {
            return Ok(Ran::On(branch));
        }
        if mode == LoopMode::Compact {
            return self.at_cycles(branch, observer);
        }
        let Some(frame) = branch.state.frames.last() else { return Ok(Ran::On(branch)) };
        let Some(id) = self.loops.of(frame.function).headed_by(frame.block) else {
            return Ok(Ran::On(branch));
        };
        let key = (frame.function, id);
        let activation = (branch.state.depth() as u32, key);
        let is_second = branch.again.contains(&activation);
        branch.again.retain(|known| *known != activation);
        let region = Region::Loop(key);
        if self.solutions.given_up(region).is_some() {
            self.result.loops.entry((key.0, key.1.0)).or_default().executed += 1;
            return Ok(Ran::On(branch));
        }
        if mode == LoopMode::Auto && runs_through(&mut self.machine, &self.loops, &branch.state)? {
            return Ok(Ran::On(branch));
        }
        let conditions = self.machine.domain.path.conditions();
        let is_termination = self.options.property == Property::Termination;
        let worst = match mode {
            _ if is_termination => Tag::Over,
            LoopMode::Summary | LoopMode::Necessary => Tag::Over,
            _ => Tag::Template,
        };
        let wanted = Wanted { state: &branch.state, region, conditions: &conditions, worst };
        let limits = &self.options.loop_limits;
        let solved = self.solutions.solve(&mut self.machine, &self.loops, limits, &wanted)?;
        let why = match solved {
            Ok(solution) => {
                let ways = self.ways_behind(&branch, &solution)?;
                // A necessary condition is no better for what comes out of single iterations.
                let is_lost = |applied: &'_ Applied| match mode {
                    LoopMode::Necessary => None,
                    _ => applied.lost().map(str::to_owned),
                };
                let lost = ways.iter().find_map(|(_, applied, _)| is_lost(applied));
                let open = match lost {
                    None if is_termination => match self.judge(&branch, &solution)? {
                        Judged::Open(why) => Some(why),
                        Judged::Endless if self.options.all_errors == AllErrors::StopAtFirst => {
                            self.search.ended(branch.key);
                            return Ok(Ran::Over);
                        }
                        Judged::Later => {
                            (branch.is_at_header, branch.is_postponed) = (true, true);
                            branch.path = std::mem::take(&mut self.machine.domain.path);
                            self.add(*branch)?;
                            return Ok(Ran::Over);
                        }
                        Judged::Ends | Judged::Endless => None,
                    },
                    lost => lost,
                };
                match open {
                    None => return self.pass(branch, &solution, ways, observer),
                    Some(what) => what,
                }
            }
            Err(why) => why.what,
        };
        branch.is_postponed = false;
        let figures = self.result.loops.entry((key.0, key.1.0)).or_default();
        figures.executed += 1;
        figures.reasons.insert(why);
        if !is_second {
            branch.again.push(activation);
        }
        Ok(Ran::On(branch))
    }

    /// The states behind a loop, by the cases that are possible.
    pub(super) fn ways_behind(
        &mut self,
        branch: &Branch,
        solution: &Rc<Solution>,
    ) -> Outcome<Vec<(usize, Applied, Path)>> {
        let path = std::mem::take(&mut self.machine.domain.path);
        let mut ways = Vec::new();
        for case in 0..solution.summary.cases.len() {
            self.machine.domain.path = path.clone();
            if let Some(applied) = apply(&mut self.machine, solution, case, &branch.state)? {
                ways.push((case, applied, std::mem::take(&mut self.machine.domain.path)));
            }
        }
        self.machine.domain.path = path;
        Ok(ways)
    }

    /// One state for each case that is possible.
    pub(super) fn pass(
        &mut self,
        mut branch: Box<Branch>,
        solution: &Rc<Solution>,
        mut ways: Vec<(usize, Applied, Path)>,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let key = solution.extraction.key;
        self.result.loops.entry((key.0, key.1.0)).or_default().pass(&solution.summary);
        self.count_diverging(&branch, solution)?;
        branch.is_postponed = false;
        branch.way = match (branch.way, solution.summary.tag) {
            (Way::Approximated, _) | (_, Tag::Over | Tag::Under) => Way::Approximated,
            _ => Way::Passed,
        };
        if let [_] = ways[..]
            && let Some((case, applied, path)) = ways.pop()
        {
            self.machine.domain.path = path;
            return self.behind(branch, solution, (case, applied), observer);
        }
        *self.result.forks.entry(ForkReason::Loop).or_default() += 1;
        let place = self.place(&branch);
        if let Some(tree) = &mut self.result.tree {
            tree.forked(branch.key, place);
        }
        branch.state.share();
        for (case, applied, path) in ways {
            let mut child = branch.clone();
            let mut condition = solution.summary.cases[case].condition;
            if self.result.tree.is_some() {
                // For people, in the values of this entry.
                let terms = &mut self.machine.domain.terms;
                condition = terms.substitute(condition, &applied.substitution);
            }
            child.key = self.new_state(branch.key, condition);
            self.search.forked(branch.key, child.key);
            self.machine.domain.path = path;
            if let Ran::On(mut on) = self.behind(child, solution, (case, applied), observer)? {
                on.path = std::mem::take(&mut self.machine.domain.path);
                self.add(*on)?;
            }
        }
        self.search.ended(branch.key);
        Ok(Ran::Over)
    }

    /// A state goes on behind the loop.
    fn behind(
        &mut self,
        mut branch: Box<Branch>,
        solution: &Rc<Solution>,
        (case, applied): (usize, Applied),
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let Applied { state, counters, then, outputs, is_over, substitution, .. } = applied;
        let substitution = Rc::new(substitution);
        let solved = Rc::clone(solution);
        let counters = counters.into();
        branch.passed.push(Passed { solution: solved, case, substitution, counters });
        let before = std::mem::replace(&mut branch.state, state);
        branch.stands_for.perhaps_fewer();
        self.cover(solution, case, &branch, observer);
        if let Some(output) = outputs {
            branch.outputs.push(output);
        }
        if is_over {
            branch.way = Way::Approximated;
        }
        match then {
            Continuation::Enter(block) => {
                if let Some((end, span)) = self.arrive(&mut branch, block) {
                    self.end(&branch, end, span, observer)?;
                    return Ok(Ran::Over);
                }
                Ok(Ran::On(branch))
            }
            Continuation::Returned(_) => Ok(Ran::On(branch)),
            Continuation::End(kind, site, value) => {
                if branch.state.frames.is_empty() {
                    branch.state.frames = before.frames;
                }
                let site = site.through(&self.machine, branch.state.calls());
                self.end_behind(&branch, kind, (site, value), observer)?;
                Ok(Ran::Over)
            }
        }
    }

    /// Whether values are known that take the path to a failing check; an error is worth another question.
    fn can_be_reached(&mut self, branch: &Branch, kind: CheckKind) -> Outcome<bool> {
        if self.machine.domain.path.model().is_some() {
            return Ok(true);
        }
        if self.options.property.judge(kind) != Judgement::Error {
            return Ok(false);
        }
        let always = self.machine.domain.terms.bool(true);
        let Feasible::Yes(model) = self.ask_again(branch, always)? else { return Ok(false) };
        self.machine.domain.path.set_model(model);
        Ok(true)
    }

    /// The program ends in the loop.
    fn end_behind(
        &mut self,
        branch: &Branch,
        kind: ExitKind,
        (site, value): (Site, Option<SymbolicValue>),
        observer: &mut dyn Observer,
    ) -> Outcome<()> {
        let end = match (kind, value) {
            (ExitKind::Finished, value) => End::Returned(value),
            (ExitKind::Exited, Some(Value::Int(status))) => End::Exited(status),
            (ExitKind::Aborted, _) => End::Aborted,
            // Values for which a necessary condition holds are a candidate at most.
            (ExitKind::Failed(kind), _) if self.machine.domain.drafts => {
                self.draft(branch, Doubt::Fails(kind), site);
                self.search.ended(branch.key);
                return Ok(());
            }
            (ExitKind::Failed(kind), _) if self.can_be_reached(branch, kind)? => {
                let judgement = self.options.property.judge(kind);
                End::Failed { kind, judgement }
            }
            (ExitKind::Failed(kind), _) => {
                let reason = "whether a loop is left there is not known";
                End::MayFail(kind, Reason::Incomplete(reason.into()))
            }
            (ExitKind::AssumptionFailed, _) => {
                self.result.assumed_away += 1;
                self.search.ended(branch.key);
                return Ok(());
            }
            (ExitKind::Lost(what), _) if self.machine.domain.drafts => {
                self.draft(branch, Doubt::NotModelled(what), site);
                self.search.ended(branch.key);
                return Ok(());
            }
            (ExitKind::Lost(what), _) => End::Unsupported(what),
            _ => return Err(internal("an exit that leads nowhere")),
        };
        let ends = matches!(end, End::Failed { .. } | End::MayFail(..));
        self.end_at(branch, end, site, observer)?;
        if ends {
            // A failing check goes on elsewhere, but not this one.
            self.search.ended(branch.key);
        }
        Ok(())
    }

    /// Notes entries from which the loop never ends, if they are possible here.
    fn count_diverging(&mut self, branch: &Branch, solution: &Rc<Solution>) -> Outcome<()> {
        let domain = &mut self.machine.domain;
        let mut substitution = Substitution::default();
        for cell in &solution.extraction.cells {
            let value = cell.spot.as_ref().and_then(|spot| spot.read(domain, &branch.state));
            if let (Some(value), loupe_term::Node::Symbol(id)) =
                (value, domain.terms.node(cell.symbol))
            {
                substitution.insert(*id, value);
            }
        }
        let conditions: Vec<Term> =
            solution.summary.diverging.iter().map(|entry| entry.condition).collect();
        for condition in conditions {
            let condition = self.machine.domain.terms.substitute(condition, &substitution);
            if !matches!(self.machine.domain.feasible(condition)?, Feasible::No) {
                self.result.diverging += 1;
                let key = solution.extraction.key;
                self.result.loops.entry((key.0, key.1.0)).or_default().diverging += 1;
            }
        }
        Ok(())
    }

    /// What the case executes is covered.
    fn cover(
        &mut self,
        solution: &Rc<Solution>,
        case: usize,
        branch: &Branch,
        observer: &mut dyn Observer,
    ) {
        let Some(case) = solution.summary.cases.get(case) else { return };
        let mut paths: BTreeSet<usize> = BTreeSet::from([case.last]);
        let mut open: Vec<&Segment> = case.trace.iter().collect();
        while let Some(segment) = open.pop() {
            match &segment.what {
                Repeated::Path(path) => {
                    paths.insert(*path);
                }
                Repeated::Round(segments) => open.extend(segments),
                // Which of them are taken is not said.
                Repeated::OneOf(_) => {}
            }
        }
        let mut news = false;
        for path in paths {
            let Some(way) = solution.extraction.ways.get(path) else { continue };
            for (function, from, to) in &way.edges {
                if self.result.coverage.enter(*function, *to) {
                    self.search.covered(*function, *to);
                }
                news |= self.result.coverage.take(*function, *from, *to);
            }
        }
        if news {
            observer.reached(&mut self.machine.domain, branch.prefix());
        }
    }
}
