//! Ways to errors that were drafted: where loops are passed by necessary conditions, nobody asks on the way whether something can hold in all iterations. That is asked here, once for each way that
//! leads to an error, after *Abstracting Path Conditions* (Strejček and Trtík, ISSTA 2012), sections 4 and 5.
//!
//! The conditions of a way are its part of φ̂. They and their weakening φ̂ᴷ (the first K instances of each `∀`, see `solver::links::quantifiers::gradual`) are asked in turns: unsatisfiable, either is a proof that
//! nobody goes this way; a model of either is a *candidate*, which is replayed. One that misses is blocked, by its numbers of iterations, and K grows. What is blocked is not refuted, so
//! only a contradiction that needs no blocked candidate is a proof.

use super::decide::{Recorded, SMALL_OBJECTS};
use super::leaf::{End, Leaf};
use super::{
    AllErrors, Branch, Draft, DraftUntil, Explorer, LoopMode, Observer, Stop, Supervisor,
    Undefined, Unsure, Way,
};
use crate::domain::{Feasible, Outcome};
use crate::property::Judgement;
use crate::summary::{Site, failures, pass_by};
use crate::value::{Int, SymbolicValue};
use loupe_engine::value::Value;
use loupe_ir::check::CheckKind;
use loupe_ir::source::Span;
use loupe_solver::{Answer, Gradual, Reason};
use loupe_term::{Assignment, Sort, Term, Value as Number};
use std::time::{Duration, Instant};

/// What a question about a necessary condition may cost: a condition that is not decided soon is hardly ever decided, and other ways are open.
pub(super) const WORK: u64 = 4_000_000;
/// So many candidates of a way are tried.
const MAX_CANDIDATES: usize = 6;
/// As many instances as are asked for first.
const FEW_INSTANCES: u32 = 10;
/// What a first look at a way may cost, as a part of what others may.
const QUICK_SHARE: u64 = 2;
/// K grows by this factor when a candidate misses.
const GROWTH: u32 = 2;
/// But not beyond this.
const MOST_INSTANCES: u32 = 400;

/// A way to an error, of which nobody knows yet whether it can be gone.
#[derive(Clone)]
pub(super) struct Drafted {
    branch: Branch,
    kind: CheckKind,
    site: Site,
    /// That it is no candidate that has missed.
    blocked: Vec<Term>,
    /// Why nothing is known yet.
    reason: Reason,
    /// The last candidate.
    candidate: Option<Assignment>,
    /// How many there were before it.
    number: usize,
}

/// What a way says that is not refuted, in symbols that mean the same in every exploration.
pub(super) struct Lead {
    pub(super) conditions: Vec<Term>,
    /// Values for which that seems to hold.
    pub(super) candidate: Option<Assignment>,
}

/// A way to something else that speaks against a proof, if it can be gone.
pub(super) struct Doubtful {
    branch: Branch,
    doubt: Doubt,
    site: Site,
}

/// Where a way leads.
#[derive(Clone, Debug)]
pub(super) enum Doubt {
    /// To a check that fails.
    Fails(CheckKind),
    /// To something that has no model.
    NotModelled(String),
}

/// What became of ways to errors, and how long that took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DraftFigures {
    /// Ways to an error.
    pub ways: u64,
    /// Those that nobody can go.
    pub refuted: u64,
    /// Values that were tried.
    pub candidates: u64,
    /// How long the first instances took.
    pub instances_time: Duration,
    /// How long the conditions as they are took.
    pub whole_time: Duration,
    /// How long it took in all, where an exploration came after it.
    pub time: Duration,
    /// How many states that were.
    pub states: u64,
    /// How many of them were executed.
    pub explored: u64,
    /// Ways that end in something without a model or at a limit: behind them there may be others.
    pub gaps: u64,
    /// Whether there are no other ways.
    pub is_whole: bool,
    /// How much work had been done when that was known.
    pub whole_since: u64,
    /// Why it was given up, if it was.
    pub limit: Option<DraftLimit>,
    /// Whether an exploration came after it.
    pub is_followed: bool,
    /// States that were dropped because nothing leads from there to an error.
    pub dropped: u64,
}

/// Why a necessary condition was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftLimit {
    /// There are more ways than this through the program.
    Ways(u64),
    /// Its share of the time was over.
    Time {
        /// So many ways to errors were known by then.
        ways: u64,
    },
}

/// What became of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Somebody has gone it.
    Gone,
    /// Nobody can go it.
    Refuted,
    /// Neither is known.
    Open(Reason),
}

/// A way to an error on which loops were passed by necessary conditions.
#[derive(Clone, Copy, Debug)]
pub struct DraftedWay<'w> {
    /// How many there were before it.
    pub number: usize,
    /// Its end.
    pub leaf: &'w Leaf,
    /// What every execution satisfies that goes it, in simple words.
    pub conditions: &'w [Term],
    /// How much work had been done by now ([`super::Exploration::effort`]).
    pub effort: u64,
}

/// What is known of a way while somebody looks for an execution that goes it.
#[derive(Clone)]
struct Chase<'c> {
    candidate: Option<Assignment>,
    conditions: &'c [Term],
    /// That objects are small.
    small: Option<Term>,
    /// That it is none of the candidates that have missed.
    blocked: Vec<Term>,
    reason: Reason,
}

impl Chase<'_> {
    fn missed(&mut self, blocking: Option<Term>, candidate: &Assignment) {
        self.candidate = Some(candidate.clone());
        self.blocked.extend(blocking);
        self.reason = Reason::Incomplete("candidates miss it".into());
    }
}

impl Explorer<'_> {
    /// Keeps the current path for later.
    pub(super) fn draft(&mut self, branch: &Branch, doubt: Doubt, site: Site) {
        let mut branch = branch.clone();
        branch.path = self.machine.domain.path.clone();
        match doubt {
            Doubt::Fails(kind) => match self.options.property.judge(kind) {
                Judgement::Error => {
                    let (blocked, reason, candidate) = (Vec::new(), Reason::Work, None);
                    let number = self.ways_drafted;
                    self.ways_drafted += 1;
                    let drafted =
                        Drafted { branch, kind, site, blocked, reason, candidate, number };
                    self.drafted.push(drafted);
                }
                Judgement::Ends => {}
                Judgement::Undefined if self.options.undefined != Undefined::Unknown => {}
                Judgement::Undefined | Judgement::NotModelled => {
                    self.doubtful.push(Doubtful { branch, doubt, site });
                }
            },
            Doubt::NotModelled(_) => self.doubtful.push(Doubtful { branch, doubt, site }),
        }
    }

    /// Whether a state that has just called a function that is being called was taken to where it returns: on the way to an error, what such a call computes is forgotten, and each check in it may fail.
    pub(super) fn forgets_recursion(&mut self, branch: &mut Branch) -> Outcome<bool> {
        if self.options.loops != LoopMode::Necessary || self.is_guided() {
            return Ok(false);
        }
        let Some(frame) = branch.state.frames.last() else { return Ok(false) };
        let function = frame.function;
        if !branch.state.calls().skip(1).any(|call| call.function == function) {
            return Ok(false);
        }
        // What depends on nothing is executed.
        let parameters = self.machine.program.function(function).params;
        let is_open = |value: &SymbolicValue| matches!(value, Value::Int(Int::Term(_)));
        if !frame.locals.iter().take(parameters).any(is_open) {
            return Ok(false);
        }
        let Some(failures) = failures(self.machine.program, &branch.state) else {
            return Ok(false);
        };
        branch.way = Way::Approximated;
        for (kind, span) in failures {
            let site = Site::at(self.machine.program, span);
            self.draft(branch, Doubt::Fails(kind), site);
        }
        pass_by(&mut self.machine, &mut branch.state)?;
        Ok(true)
    }

    /// Shows what a way says to which an execution is known already: somebody may want to see what is necessary for it. It stays a way, whatever becomes of the replay.
    pub(super) fn show_known(
        &mut self,
        branch: &Branch,
        span: Span,
        observer: &mut dyn Observer,
    ) -> Outcome<()> {
        let leaf = self.leaf(branch, End::Aborted, span);
        let conditions = self.machine.domain.path.conditions();
        let conditions = self.machine.domain.without_wraps(&conditions)?;
        self.note_effort();
        let (number, effort) = (self.ways_drafted, self.result.effort);
        self.ways_drafted += 1;
        let way = DraftedWay { number, leaf: &leaf, conditions: &conditions, effort };
        observer.drafted(&mut self.machine.domain, &way);
        if self.options.draft.is_some() {
            let candidate = leaf.path.model().map(|model| Assignment::clone(model));
            self.lead(&leaf, &conditions, candidate);
        }
        Ok(())
    }

    /// Looks into the ways that were drafted since, as far as that is quick: often the first one is gone.
    pub(super) fn settle_some(&mut self, observer: &mut dyn Observer) -> Outcome<Option<Stop>> {
        while let Some(drafted) = self.drafted.get(self.looked_into) {
            self.looked_into += 1;
            let drafted = drafted.clone();
            self.machine.domain.path = drafted.branch.path.clone();
            let (leaf, conditions) = self.way_of(&drafted)?;
            self.note_effort();
            let (number, effort) = (drafted.number, self.result.effort);
            let way = DraftedWay { number, leaf: &leaf, conditions: &conditions, effort };
            observer.drafted(&mut self.machine.domain, &way);
            if self.is_only_wanted_whole() {
                continue;
            }
            let mut chase = self.chase(&leaf, &conditions);
            let usual = self.machine.domain.limits.work;
            self.machine.domain.limits.work = usual / QUICK_SHARE;
            let fate = self.look_into(&drafted, &leaf, &mut chase);
            self.machine.domain.limits.work = usual;
            let fate = fate?;
            let Chase { blocked, reason, candidate, .. } = chase;
            match fate {
                Some(fate) => {
                    self.looked_into -= 1;
                    self.drafted.remove(self.looked_into);
                    if let Some(stop) =
                        self.settled(&drafted, leaf, (&conditions, &fate), observer)?
                    {
                        return Ok(Some(stop));
                    }
                }
                None => {
                    if let Some(drafted) = self.drafted.get_mut(self.looked_into - 1) {
                        (drafted.blocked, drafted.reason) = (blocked, reason);
                        drafted.candidate = candidate;
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether one of the simplest executions that seem to go a way does so, or one with few iterations.
    fn look_into(
        &mut self,
        drafted: &Drafted,
        leaf: &Leaf,
        chase: &mut Chase<'_>,
    ) -> Outcome<Option<Fate>> {
        let most = self.options.instances.max(1);
        if let Some(simple) = self.simplest(&drafted.branch, chase.conditions)? {
            let mut simple = Chase { conditions: &simple, ..chase.clone() };
            // What is not simple may still be possible.
            if let Some(Fate::Gone) = self.try_instances(drafted, leaf, &mut simple, most)? {
                return Ok(Some(Fate::Gone));
            }
            chase.blocked = simple.blocked;
            chase.candidate = simple.candidate;
        }
        if let Some(values) = self.loop_by_loop(&drafted.branch, chase.conditions, most)? {
            if self.arrives(drafted, leaf, &values)? {
                return Ok(Some(Fate::Gone));
            }
            chase.missed(self.blocking(drafted, &values), &values);
        }
        self.try_instances(drafted, leaf, chase, most.min(FEW_INSTANCES))
    }

    /// Whether the answer is known, and only other ways are still looked for.
    fn is_only_wanted_whole(&self) -> bool {
        let is_wanted = |draft: &Draft| draft.until == DraftUntil::Whole;
        self.options.draft.as_ref().is_some_and(is_wanted) && self.result.is_violated()
    }

    /// Looks into all ways that were drafted.
    pub(super) fn settle_all(
        &mut self,
        observer: &mut dyn Observer,
        supervisor: &Supervisor<'_>,
    ) -> Outcome<Option<Stop>> {
        if self.options.loops != LoopMode::Necessary {
            return Ok(None);
        }
        self.note_wholeness();
        if let Some(stop) = self.settle_errors(observer, supervisor)? {
            return Ok(Some(stop));
        }
        // Whether something undefined is possible matters only where nothing else is.
        for Doubtful { branch, doubt, site } in std::mem::take(&mut self.doubtful) {
            self.note_effort();
            if let Some(stop) = supervisor(&self.result, self.waiting.len()) {
                return Ok(Some(stop));
            }
            let is_guide = self.options.draft.is_some();
            let is_undefined = matches!(doubt, Doubt::Fails(kind)
                if self.options.property.judge(kind) == Judgement::Undefined);
            // Where nobody is followed that comes to no error, one thing that is undefined is as bad as many.
            if is_guide && is_undefined && !self.undefined.is_empty() {
                continue;
            }
            let is_unsure = !self.result.unsure.is_empty() && !is_guide;
            let is_known = self.result.is_violated() || is_unsure;
            if !is_known && self.is_refuted(&branch)? {
                continue;
            }
            self.machine.domain.path = branch.path.clone();
            let end = match doubt {
                Doubt::Fails(kind) => {
                    End::Failed { kind, judgement: self.options.property.judge(kind) }
                }
                Doubt::NotModelled(what) => End::Unsupported(what),
            };
            self.end_at(&branch, end, site, observer)?;
        }
        Ok(None)
    }

    /// Notes that there are no other ways, if nothing without a model is on any. Where something is, it may still turn out that nobody comes there.
    pub(super) fn note_wholeness(&mut self) {
        let is_gap = |doubtful: &Doubtful| match doubtful.doubt {
            Doubt::Fails(kind) => self.options.property.judge(kind) == Judgement::NotModelled,
            Doubt::NotModelled(_) => true,
        };
        let is_whole = self.result.drafts.gaps == 0 && !self.doubtful.iter().any(is_gap);
        self.note_effort();
        if is_whole && !self.result.drafts.is_whole {
            self.result.drafts.is_whole = true;
            self.result.drafts.whole_since = self.result.effort;
        }
    }

    fn settle_errors(
        &mut self,
        observer: &mut dyn Observer,
        supervisor: &Supervisor<'_>,
    ) -> Outcome<Option<Stop>> {
        if let Some(stop) = self.settle_some(observer)? {
            return Ok(Some(stop));
        }
        self.looked_into = 0;
        for drafted in std::mem::take(&mut self.drafted) {
            self.note_effort();
            if let Some(stop) = supervisor(&self.result, self.waiting.len()) {
                return Ok(Some(stop));
            }
            if self.is_only_wanted_whole() {
                continue;
            }
            self.machine.domain.path = drafted.branch.path.clone();
            let (leaf, conditions) = self.way_of(&drafted)?;
            let fate = self.pursue(&drafted, &leaf, &conditions)?;
            let what = (&conditions[..], &fate);
            if let Some(stop) = self.settled(&drafted, leaf, what, observer)? {
                return Ok(Some(stop));
            }
        }
        Ok(None)
    }

    /// The end of a way, and its conditions in simple words.
    fn way_of(&mut self, drafted: &Drafted) -> Outcome<(Leaf, Vec<Term>)> {
        let leaf = self.leaf(&drafted.branch, End::Aborted, drafted.site.span);
        let conditions = drafted.branch.path.conditions();
        Ok((leaf, self.machine.domain.without_wraps(&conditions)?))
    }

    /// Notes what became of a way.
    fn settled(
        &mut self,
        drafted: &Drafted,
        mut leaf: Leaf,
        (conditions, fate): (&[Term], &Fate),
        observer: &mut dyn Observer,
    ) -> Outcome<Option<Stop>> {
        self.result.drafts.ways += 1;
        let Drafted { branch, kind, site, .. } = drafted;
        leaf.end = match fate {
            Fate::Gone => {
                self.result.failed += 1;
                End::Failed { kind: *kind, judgement: Judgement::Error }
            }
            Fate::Refuted => {
                self.result.drafts.refuted += 1;
                End::MayFail(*kind, Reason::Incomplete("refuted".into()))
            }
            Fate::Open(reason) => {
                self.result.failed += 1;
                let what = format!(
                    "no execution was found that comes here, nor a proof that there is none: {reason}"
                );
                *self.result.unsure.entry(Unsure { span: site.shown(), what }).or_default() += 1;
                End::MayFail(*kind, reason.clone())
            }
        };
        if *fate != Fate::Refuted && self.options.draft.is_some() {
            let candidate = drafted.candidate.clone();
            self.lead(&leaf, conditions, candidate);
        }
        self.machine.domain.path = branch.path.clone();
        self.note_effort();
        let (number, effort) = (drafted.number, self.result.effort);
        let way = DraftedWay { number, leaf: &leaf, conditions, effort };
        observer.settled(&mut self.machine.domain, &way, fate);
        if *fate != Fate::Refuted {
            observer.leaf(&mut self.machine.domain, &leaf);
        }
        // A candidate that has missed this way may have come to an error all the same.
        let is_enough =
            self.result.is_violated() && self.options.all_errors == AllErrors::StopAtFirst;
        Ok(is_enough.then_some(Stop::FirstError))
    }

    fn chase<'c>(&mut self, leaf: &Leaf, conditions: &'c [Term]) -> Chase<'c> {
        let small = self.small_objects(leaf);
        let (blocked, candidate) = (Vec::new(), None);
        Chase { candidate, conditions, small, blocked, reason: Reason::Work }
    }

    /// Tries to find somebody who goes a way, or a proof that there is nobody.
    fn pursue(&mut self, drafted: &Drafted, leaf: &Leaf, conditions: &[Term]) -> Outcome<Fate> {
        let mut chase = self.chase(leaf, conditions);
        chase.blocked.extend(&drafted.blocked);
        chase.reason = drafted.reason.clone();
        let most = self.options.instances.max(1);
        // A few instances have been tried; now φ̂ as it is, then more and more instances.
        match self.as_they_are(conditions)? {
            Feasible::No => return Ok(Fate::Refuted),
            Feasible::Yes(values) => {
                if self.arrives(drafted, leaf, &values)? {
                    return Ok(Fate::Gone);
                }
                chase.missed(self.blocking(drafted, &values), &values);
            }
            Feasible::Unknown(why) => chase.reason = why,
        }
        let mut most = most;
        for _ in 0..MAX_CANDIDATES {
            if self.machine.domain.limits.interrupt.is_requested() {
                chase.reason = Reason::Interrupted;
                break;
            }
            let before = chase.blocked.len();
            if let Some(fate) = self.try_instances(drafted, leaf, &mut chase, most)? {
                return Ok(fate);
            }
            if chase.blocked.len() == before {
                break;
            }
            most = (most * GROWTH).min(MOST_INSTANCES.max(self.options.instances));
        }
        Ok(Fate::Open(chase.reason))
    }

    /// Asks φ̂ᴷ and runs what comes out; `None` if nothing is known then.
    fn try_instances(
        &mut self,
        drafted: &Drafted,
        leaf: &Leaf,
        chase: &mut Chase<'_>,
        most: u32,
    ) -> Outcome<Option<Fate>> {
        // Inputs that people can read come first.
        for small in [chase.small, None].into_iter().skip(usize::from(chase.small.is_none())) {
            let proof = chase.conditions.len();
            let asked: Vec<Term> =
                chase.conditions.iter().chain(&chase.blocked).copied().chain(small).collect();
            let values = match self.first_instances(&asked, most)? {
                Gradual::Answer(Answer::Unsat(core)) if core.iter().all(|at| *at < proof) => {
                    return Ok(Some(Fate::Refuted));
                }
                Gradual::Answer(Answer::Unsat(_)) => {
                    if !chase.blocked.is_empty() {
                        chase.reason = Reason::Incomplete("all candidates miss it".into());
                    }
                    continue;
                }
                Gradual::Answer(Answer::Sat(model)) => model.values,
                Gradual::Candidate(values) => values,
                Gradual::Answer(Answer::Unknown(why)) => {
                    chase.reason = why;
                    continue;
                }
            };
            if self.arrives(drafted, leaf, &values)? {
                return Ok(Some(Fate::Gone));
            }
            chase.missed(self.blocking(drafted, &values), &values);
            return Ok(None);
        }
        Ok(None)
    }

    /// Objects of sizes that can be replayed.
    fn small_objects(&mut self, leaf: &Leaf) -> Option<Term> {
        let sizes = leaf.memory.unknown_sizes();
        if sizes.is_empty() {
            return None;
        }
        let terms = &mut self.machine.domain.terms;
        let most = terms.int(SMALL_OBJECTS[0]);
        let small: Vec<Term> = sizes.iter().map(|size| terms.le(*size, most)).collect();
        Some(terms.and(small))
    }

    /// Whether nobody can go a way.
    fn is_refuted(&mut self, branch: &Branch) -> Outcome<bool> {
        let conditions = branch.path.conditions();
        let conditions = self.machine.domain.without_wraps(&conditions)?;
        let most = self.options.instances;
        let instances = self.first_instances(&conditions, most)?;
        Ok(match instances {
            Gradual::Answer(Answer::Unsat(_)) => true,
            Gradual::Answer(Answer::Sat(_)) => false,
            _ => matches!(self.as_they_are(&conditions)?, Feasible::No),
        })
    }

    /// φ̂ᴷ.
    pub(super) fn first_instances(&mut self, conditions: &[Term], most: u32) -> Outcome<Gradual> {
        let start = Instant::now();
        let answer = self.machine.domain.ask_instances(conditions, most);
        self.result.drafts.instances_time += start.elapsed();
        answer
    }

    /// φ̂.
    fn as_they_are(&mut self, conditions: &[Term]) -> Outcome<Feasible> {
        let start = Instant::now();
        let answer = self.machine.domain.ask(conditions);
        self.result.drafts.whole_time += start.elapsed();
        answer
    }

    /// Whether a replay with these values comes to the error. One that comes to another call of the same model is noted, but it has
    /// not gone this way.
    fn arrives(&mut self, drafted: &Drafted, leaf: &Leaf, values: &Assignment) -> Outcome<bool> {
        self.result.drafts.candidates += 1;
        let recorded = self.record(&drafted.branch, leaf, (drafted.kind, drafted.site), values)?;
        Ok(matches!(recorded, Recorded::Yes))
    }

    /// That it is some other candidate, with other numbers of iterations; nothing where there are none.
    fn blocking(&mut self, drafted: &Drafted, values: &Assignment) -> Option<Term> {
        let domain = &mut self.machine.domain;
        let counters =
            drafted.branch.passed.newest_first().flat_map(|passed| passed.counters.iter());
        let counters: Vec<Term> =
            counters.copied().filter(|term| domain.terms.sort(*term) == Sort::Int).collect();
        let mut others = Vec::new();
        for counter in counters {
            if let Ok(Number::Int(number)) = domain.terms.evaluate(counter, values) {
                let number = domain.terms.int(number);
                others.push(domain.terms.ne(counter, number));
            }
        }
        (!others.is_empty()).then(|| domain.terms.or(others))
    }
}
