//! What states become where something must be decided.

use super::draft::Doubt;
use super::guide::lost;
use super::leaf::{Confirmed, End};
use super::options::Undefined;
use super::run::Ran;
use super::tree::in_words;
use super::{Branch, Decision, Explorer, ForkReason, Observer, Unsure, Violation, Way as Came};
use crate::domain::{Feasible, Outcome, Symbolic};
use crate::halt::{Case, Halt, internal};
use crate::output::Output;
use crate::property::{Judgement, Property};
use crate::search::StateKey;
use crate::summary::Site;
use crate::value::{Bool, Int};
use loupe_engine::concrete;
use loupe_engine::semantics::{Event, Machine};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::BlockId;
use loupe_ir::source::Span;
use loupe_term::{Assignment, Term};
use std::rc::Rc;

/// What is assumed where the address of an object is a number.
const ADDRESSES: &str =
    "objects lie one behind the other, in the order in which their addresses are asked for";

/// One of several ways that a state can go.
struct Way {
    condition: Term,
    /// Values for which it goes this way; `None` if nobody knows whether there are any.
    model: Option<Rc<Assignment>>,
    then: Then,
    decision: Decision,
}

/// What happens on a way.
enum Then {
    /// It enters a block.
    Enter(BlockId),
    /// It does again what could not be done; this term has this value.
    Again(Option<(Term, Integer)>),
}

/// Objects whose size an error does not tell are not larger than this, if that is possible: what can be read, and what can be replayed.
pub(super) const SMALL_OBJECTS: [i64; 2] = [1 << 12, 1 << 24];

/// What became of an error that somebody wants to note.
pub(super) enum Recorded {
    Yes,
    /// At another call of the same model.
    Elsewhere,
    /// Nobody knows what is read on the way.
    NoInputs,
    /// A replay does not come there.
    NotConfirmed,
}

impl Explorer<'_> {
    /// Follows an event.
    pub(super) fn follow(
        &mut self,
        mut branch: Box<Branch>,
        event: Event<'_, Symbolic>,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let span = self.place(&branch);
        let end = match event {
            Event::Returned => {
                let place = branch.state.frames.last().map(super::location);
                branch.is_at_join = self.meeting.as_ref().is_some_and(|meeting| {
                    place.is_some_and(|place| meeting.stops_behind_call(&place))
                });
                return Ok(Ran::On(branch));
            }
            Event::Entered | Event::Paused | Event::Written => return Ok(Ran::On(branch)),
            Event::Called => {
                if let Some(frame) = branch.state.frames.last()
                    && self.result.coverage.enter(frame.function, BlockId(0))
                {
                    self.search.covered(frame.function, BlockId(0));
                    observer.reached(&mut self.machine.domain, branch.prefix());
                }
                if self.passes_recursion(&mut branch)? || self.forgets_recursion(&mut branch)? {
                    return Ok(Ran::On(branch));
                }
                match self.options.limits.depth {
                    Some(depth) if branch.state.depth() > depth => {
                        End::Limit(format!("the limit of {depth} nested calls was reached"))
                    }
                    _ => return Ok(Ran::On(branch)),
                }
            }
            Event::Output(number) => {
                branch.outputs.push(Output::Number(number));
                return Ok(Ran::On(branch));
            }
            Event::Checked { check, holds, instruction } => {
                return self.check(branch, check.kind, holds, (instruction.span, observer));
            }
            Event::Assumed(holds) => return self.assume(branch, holds),
            Event::Branch { condition, then, otherwise } => {
                let condition = (condition, then, otherwise);
                return self.branch(branch, condition, observer);
            }
            Event::Switch { value, cases, default } => {
                return self.switch(branch, &value, (cases, default), observer);
            }
            Event::Finished(value) => End::Returned(value),
            Event::Exited(status) => End::Exited(status),
            Event::Aborted => End::Aborted,
        };
        self.end(&branch, end, span, observer)?;
        Ok(Ran::Over)
    }

    /// What becomes of a state that could not go on.
    pub(super) fn halted(
        &mut self,
        mut branch: Box<Branch>,
        halt: Halt,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let span = self.place(&branch);
        let end = match halt {
            Halt::Again => {
                if let Some(frame) = branch.state.frames.last_mut() {
                    frame.next -= 1;
                }
                return Ok(Ran::On(branch));
            }
            // Whatever was split on a known way was split there before.
            Halt::Split(_) if self.is_guided() => return Err(lost()),
            Halt::Split(cases) => {
                let ways = cases.into_iter().map(|Case { condition, known, model, choice }| {
                    let model = model.or_else(|| self.path_model_of(condition));
                    let decision = match &known {
                        Some((_, number)) => Decision::Number(number.clone()),
                        None => Decision::Case(choice),
                    };
                    Way { condition, model, then: Then::Again(known), decision }
                });
                let ways = ways.collect();
                return self.fork(branch, ways, ForkReason::Number, observer);
            }
            Halt::Failed { kind, .. } => {
                return self.check(branch, kind, Bool::Known(false), (span, observer));
            }
            Halt::Costly => {
                if let Some(frame) = branch.state.frames.last_mut() {
                    frame.next -= 1;
                }
                return self.is_too_costly(branch);
            }
            Halt::Unsupported(what) => End::Unsupported(what),
            Halt::Solver(reason) => End::Solver(reason),
            Halt::Limit(what) => End::Limit(what),
            Halt::Internal(error) => return Err(error.into()),
        };
        self.end(&branch, end, span, observer)?;
        Ok(Ran::Over)
    }

    /// The values at hand, if a condition holds for them.
    fn path_model_of(&self, condition: Term) -> Option<Rc<Assignment>> {
        let domain = &self.machine.domain;
        let model = domain.path.model()?;
        (domain.terms.holds(condition, model) == Ok(true)).then(|| Rc::clone(model))
    }

    /// A check: the side on which it fails ends here, the other goes on.
    fn check(
        &mut self,
        mut branch: Box<Branch>,
        kind: CheckKind,
        holds: Bool,
        (span, observer): (Span, &mut dyn Observer),
    ) -> Outcome<Ran> {
        let judgement = self.options.property.judge(kind);
        let holds = self.machine.domain.condition(holds);
        if self.machine.domain.path.truth(holds) == Some(true) {
            return Ok(Ran::On(branch));
        }
        if let Some(decision) = self.guided(&branch)? {
            match decision {
                Decision::HoldsAnyway => {}
                Decision::Holds => self.machine.domain.assume(holds, None),
                _ => return Err(lost()),
            }
            branch.decide(decision);
            return Ok(Ran::On(branch));
        }
        let fails = self.machine.domain.terms.not(holds);
        let Some(can_fail) = self.feasible_at(&branch, fails)? else {
            return self.again_if_costly(branch);
        };
        let can_fail = match can_fail {
            known if self.machine.domain.drafts => known,
            Feasible::Unknown(reason) if judgement == Judgement::Error => {
                match self.ask_again(&branch, fails)? {
                    Feasible::Unknown(_) => Feasible::Unknown(reason),
                    known => known,
                }
            }
            known => known,
        };
        match can_fail {
            // What never holds cannot fail either: nobody comes here, which only this question has shown.
            Feasible::No if self.machine.domain.terms.as_bool(holds) == Some(false) => {
                self.result.pruned += 1;
                self.search.ended(branch.key);
                return Ok(Ran::Over);
            }
            Feasible::No => {
                branch.decide(Decision::HoldsAnyway);
                return Ok(Ran::On(branch));
            }
            Feasible::Yes(_)
                if self.machine.domain.drafts
                    && judgement == Judgement::Error
                    && branch.way == Came::Approximated =>
            {
                let passed = self.machine.domain.path.clone();
                self.machine.domain.assume(fails, None);
                self.draft(&branch, Doubt::Fails(kind), self.site(&branch, span));
                self.machine.domain.path = passed;
            }
            Feasible::Yes(model) => {
                let passed = self.machine.domain.path.clone();
                self.machine.domain.assume(fails, Some(model));
                let mut failing = branch.clone();
                failing.key = self.new_state(branch.key, fails);
                failing.decide(Decision::Fails);
                if self.machine.domain.drafts && judgement == Judgement::Error {
                    self.show_known(&failing, span, observer)?;
                }
                self.end(&failing, End::Failed { kind, judgement }, span, observer)?;
                self.machine.domain.path = passed;
            }
            Feasible::Unknown(_) if self.machine.domain.drafts => {
                let passed = self.machine.domain.path.clone();
                self.machine.domain.assume(fails, None);
                self.draft(&branch, Doubt::Fails(kind), self.site(&branch, span));
                self.machine.domain.path = passed;
            }
            Feasible::Unknown(reason) => {
                self.end(&branch, End::MayFail(kind, reason), span, observer)?;
            }
        }
        branch.stands_for.go_on_where(&mut self.machine.domain, holds);
        match self.machine.domain.feasible(holds)? {
            Feasible::No => return Ok(Ran::Over),
            Feasible::Yes(model) => self.machine.domain.assume(holds, Some(model)),
            Feasible::Unknown(_) => self.machine.domain.assume(holds, None),
        }
        *self.result.forks.entry(ForkReason::Check).or_default() += 1;
        branch.decide(Decision::Holds);
        Ok(Ran::On(branch))
    }

    /// The instruction that was begun is begun again.
    fn again_if_costly(&mut self, mut branch: Box<Branch>) -> Outcome<Ran> {
        if let Some(frame) = branch.state.frames.last_mut() {
            frame.next -= 1;
        }
        self.is_too_costly(branch)
    }

    fn assume(&mut self, mut branch: Box<Branch>, holds: Bool) -> Outcome<Ran> {
        let holds = self.machine.domain.condition(holds);
        if self.is_guided() {
            self.machine.domain.assume(holds, None);
            return Ok(Ran::On(branch));
        }
        branch.stands_for.go_on_where(&mut self.machine.domain, holds);
        let Some(feasible) = self.feasible_at(&branch, holds)? else {
            return self.again_if_costly(branch);
        };
        match feasible {
            Feasible::No => {
                self.result.assumed_away += 1;
                self.search.ended(branch.key);
                return Ok(Ran::Over);
            }
            Feasible::Yes(model) => self.machine.domain.assume(holds, Some(model)),
            Feasible::Unknown(_) => self.machine.domain.assume(holds, None),
        }
        Ok(Ran::On(branch))
    }

    pub(super) fn enter(
        &mut self,
        branch: &mut Branch,
        block: BlockId,
        observer: &mut dyn Observer,
    ) -> Option<(End, Span)> {
        let frame = branch.state.frames.last()?;
        let (function, from) = (frame.function, frame.block);
        let is_news = self.result.coverage.take(function, from, block);
        let exceeded = self.arrive(branch, block);
        if is_news {
            observer.reached(&mut self.machine.domain, branch.prefix());
        }
        exceeded
    }

    /// A state comes to a block, along an edge or from somewhere in a loop that it has passed.
    pub(super) fn arrive(&mut self, branch: &mut Branch, block: BlockId) -> Option<(End, Span)> {
        let frame = branch.state.frames.last()?;
        let (function, from) = (frame.function, frame.block);
        if self.result.coverage.enter(function, block) {
            self.search.covered(function, block);
        }
        let depth = branch.state.depth() as u32;
        let repeated = branch.counters.edge(&self.loops, depth, function, (from, block));
        Machine::<Symbolic>::enter(&mut branch.state, block);
        branch.is_at_header = self.stops_at(branch, function, (from, block));
        branch.is_at_join =
            self.meeting.as_ref().is_some_and(|meeting| meeting.stops_at(function, block));
        branch.is_at_cut = self.is_cut(function, block);
        let limit = self.options.limits.iterations?;
        let exceeded = repeated.is_some_and(|times| times > limit);
        exceeded.then(|| self.repeated(function, block))
    }

    fn branch(
        &mut self,
        branch: Box<Branch>,
        (condition, then, otherwise): (Bool, BlockId, BlockId),
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let condition = match condition {
            Bool::Known(truth) => {
                return self.go(branch, if truth { then } else { otherwise }, observer);
            }
            Bool::Term(term) => term,
        };
        if let Some(truth) = self.machine.domain.path.truth(condition) {
            return self.go(branch, if truth { then } else { otherwise }, observer);
        }
        let negation = self.machine.domain.terms.not(condition);
        let sides = [(condition, then), (negation, otherwise)];
        self.ways(branch, &sides, ForkReason::Branch, observer)
    }

    fn switch(
        &mut self,
        branch: Box<Branch>,
        value: &Int,
        (cases, default): (&[(Integer, BlockId)], BlockId),
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let domain = &mut self.machine.domain;
        if let Some(number) = domain.settled(value) {
            let case = cases.iter().find(|(case, _)| *case == number);
            let block = case.map_or(default, |(_, block)| *block);
            return self.go(branch, block, observer);
        }
        let sides = domain.sides(value, cases, default);
        self.ways(branch, &sides, ForkReason::Switch, observer)
    }

    fn go(
        &mut self,
        mut branch: Box<Branch>,
        block: BlockId,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        match self.enter(&mut branch, block, observer) {
            None => Ok(Ran::On(branch)),
            Some((end, span)) => {
                self.end(&branch, end, span, observer)?;
                Ok(Ran::Over)
            }
        }
    }

    /// Goes all of the ways that are possible. They exclude each other, and one of them is: so the last one
    /// needs no question if all others are impossible.
    fn ways(
        &mut self,
        mut branch: Box<Branch>,
        sides: &[(Term, BlockId)],
        reason: ForkReason,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        if let Some(decision) = self.guided(&branch)? {
            let (Decision::Side(side) | Decision::OnlySide(side)) = decision else {
                return Err(lost());
            };
            let Some((condition, block)) = sides.get(side as usize) else { return Err(lost()) };
            if decision == Decision::Side(side) {
                self.machine.domain.assume(*condition, None);
            }
            branch.decide(decision);
            return self.go(branch, *block, observer);
        }
        let mut ways = Vec::with_capacity(sides.len());
        let mut pruned = 0;
        for (number, (condition, block)) in sides.iter().enumerate() {
            if number + 1 == sides.len() && ways.is_empty() {
                branch.decide(Decision::OnlySide(number as u32));
                return self.go(branch, *block, observer);
            }
            let Some(feasible) = self.feasible_at(&branch, *condition)? else {
                self.result.pruned -= pruned;
                return self.is_too_costly(branch);
            };
            let model = match feasible {
                Feasible::No => {
                    self.result.pruned += 1;
                    pruned += 1;
                    continue;
                }
                Feasible::Yes(model) => Some(model),
                Feasible::Unknown(_) => None,
            };
            let decision = Decision::Side(number as u32);
            ways.push(Way { condition: *condition, model, then: Then::Enter(*block), decision });
        }
        self.fork(branch, ways, reason, observer)
    }

    /// Makes a state for each way.
    fn fork(
        &mut self,
        mut branch: Box<Branch>,
        ways: Vec<Way>,
        reason: ForkReason,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        if let [Way { then: Then::Enter(block), decision: Decision::Side(side), .. }] = &ways[..] {
            branch.decide(Decision::OnlySide(*side));
            return self.go(branch, *block, observer);
        }
        *self.result.forks.entry(reason).or_default() += 1;
        let place = self.place(&branch);
        if let Some(tree) = &mut self.result.tree {
            tree.forked(branch.key, place);
        }
        branch.state.share();
        let path = std::mem::take(&mut self.machine.domain.path);
        for way in ways {
            let mut child = (*branch).clone();
            child.key = self.new_state(branch.key, way.condition);
            child.decide(way.decision);
            self.machine.domain.path = path.clone();
            child.stands_for.go_on_where(&mut self.machine.domain, way.condition);
            self.machine.domain.assume(way.condition, way.model);
            self.search.forked(branch.key, child.key);
            let end = match way.then {
                Then::Enter(block) => self.enter(&mut child, block, observer),
                Then::Again(known) => {
                    // The instruction has been passed, but nothing of it done.
                    if let Some(frame) = child.state.frames.last_mut() {
                        frame.next -= 1;
                    }
                    if let Some((term, number)) = known {
                        self.machine.domain.path.learn(term, number);
                    }
                    None
                }
            };
            if let Some((end, span)) = end {
                self.end(&child, end, span, observer)?;
                continue;
            }
            child.path = std::mem::take(&mut self.machine.domain.path);
            self.add(child)?;
        }
        self.search.ended(branch.key);
        Ok(Ran::Over)
    }

    /// A state that comes from another one, with something more that holds.
    pub(super) fn new_state(&mut self, parent: StateKey, condition: Term) -> StateKey {
        self.result.states += 1;
        if let Some(tree) = &mut self.result.tree {
            tree.add(Some(parent), in_words(&self.machine.domain.terms, condition));
        }
        self.fresh_key()
    }

    /// A path ends where its state stands. Its condition is the one that the domain has.
    pub(super) fn end(
        &mut self,
        branch: &Branch,
        end: End,
        span: Span,
        observer: &mut dyn Observer,
    ) -> Outcome<()> {
        let site = self.site(branch, span);
        self.end_at(branch, end, site, observer)
    }

    /// A path ends, if need be inside of something that its state has passed as a whole.
    pub(super) fn end_at(
        &mut self,
        branch: &Branch,
        end: End,
        site: Site,
        observer: &mut dyn Observer,
    ) -> Outcome<()> {
        let mut leaf = self.leaf(branch, end, site.span);
        leaf.path = self.machine.domain.path.clone();
        if let Some(tree) = &mut self.result.tree {
            tree.ended(branch.key, site.shown(), leaf.end.words());
        }
        let is_gap = match &leaf.end {
            End::Unsupported(_) | End::Solver(_) | End::Limit(_) => true,
            End::Failed { kind, .. } | End::MayFail(kind, _) => {
                self.options.property.judge(*kind) == Judgement::NotModelled
            }
            End::Returned(_) | End::Exited(_) | End::Aborted => false,
        };
        self.result.drafts.gaps += u64::from(is_gap && self.machine.domain.drafts);
        let continues = matches!(leaf.end, End::MayFail(..) | End::Failed { .. });
        if !continues {
            self.search.ended(branch.key);
        }
        let unsure = match &leaf.end {
            End::Returned(_) | End::Exited(_) | End::Aborted => {
                self.result.finished += 1;
                let merging = &mut self.result.merging;
                let paths = &branch.stands_for;
                merging.stands_for = merging.stands_for.saturating_add(paths.most());
                merging.is_at_most |= !paths.is_exact();
                None
            }
            End::Failed { kind, judgement } => {
                self.result.failed += 1;
                self.failed(branch, &leaf, (*kind, site), *judgement)?
            }
            // Whether it ends here or goes on, which is followed as well, is all the same.
            End::MayFail(kind, _)
                if ends_at(self.options.property, self.options.undefined, *kind) =>
            {
                None
            }
            End::MayFail(kind, reason) => Some(format!(
                "the solver does not know whether this can fail ({}): {reason}",
                kind.title()
            )),
            End::Unsupported(what) => {
                self.result.failed += 1;
                Some(format!("not modelled: {what}"))
            }
            End::Solver(reason) => {
                self.result.failed += 1;
                Some(format!("the solver has no answer: {reason}"))
            }
            End::Limit(what) => {
                self.result.cut_off += 1;
                Some(what.clone())
            }
        };
        if let Some(what) = unsure {
            let unsure = Unsure { span: site.shown(), what };
            if let End::Failed { judgement: Judgement::Undefined, .. } = leaf.end
                && self.machine.domain.drafts
            {
                self.undefined.insert(unsure.clone());
            }
            *self.result.unsure.entry(unsure).or_default() += 1;
        }
        if leaf.memory.has_addresses() {
            self.result.assumptions.insert(ADDRESSES.to_owned());
        }
        observer.leaf(&mut self.machine.domain, &leaf);
        Ok(())
    }

    /// A check has failed: an error if a replay fails there too.
    fn failed(
        &mut self,
        branch: &Branch,
        leaf: &super::Leaf,
        (kind, site): (CheckKind, Site),
        judgement: Judgement,
    ) -> Outcome<Option<String>> {
        match judgement {
            Judgement::NotModelled => {
                return Ok(Some(format!("not modelled: {}", self.unsupported_at(branch))));
            }
            Judgement::Ends => return Ok(None),
            Judgement::Undefined if self.options.undefined != Undefined::Unknown => {
                return Ok(None);
            }
            Judgement::Undefined => {
                return Ok(Some(format!("undefined behaviour is possible: {}", kind.title())));
            }
            Judgement::Error => {}
        }
        let Some(model) = leaf.path.model() else {
            return Err(internal("a failing path without a model"));
        };
        let model = std::rc::Rc::clone(model);
        let model = self.with_small_objects(leaf, model)?;
        Ok(match self.record(branch, leaf, (kind, site), &model)? {
            Recorded::Yes => None,
            Recorded::NoInputs => {
                let what = "an error without an input that can be written down";
                Some(format!("{what}: {}", kind.title()))
            }
            Recorded::Elsewhere | Recorded::NotConfirmed if branch.way == Came::Approximated => {
                let what = "an error behind an approximated loop that no replay confirms";
                Some(format!("{what}: {}", kind.title()))
            }
            Recorded::Elsewhere => {
                let what = "an error whose replay fails at another call of the same function";
                Some(format!("{what}: {}", kind.title()))
            }
            Recorded::NotConfirmed => {
                let what = "the interpreter's limits are too narrow for the replay of an error";
                Some(format!("{what}: {}", kind.title()))
            }
        })
    }

    /// Notes an error, if a replay with these values confirms it.
    pub(super) fn record(
        &mut self,
        branch: &Branch,
        leaf: &super::Leaf,
        (kind, site): (CheckKind, Site),
        model: &Assignment,
    ) -> Outcome<Recorded> {
        let inputs = self.machine.domain.inputs_of(&leaf.streams, &leaf.memory, model)?;
        let Some(inputs) = inputs else { return Ok(Recorded::NoInputs) };
        let confirmed = self.confirmed(&inputs, (kind, site.span), (branch, model))?;
        let Some(Confirmed { run, jumps, plan }) = confirmed else {
            return Ok(Recorded::NotConfirmed);
        };
        let concrete::End::Failed(failure) = run.end else {
            return Err(internal("a replay that does not fail"));
        };
        // The error is where the replay says, whatever way was meant.
        let sources = &self.machine.program.sources;
        let mut calls = run.stack.iter().rev().map(|call| call.span);
        let span = calls.find(|span| sources.is_users(*span)).unwrap_or(site.span);
        let found = self.result.violations.entry((span, kind)).or_insert_with(|| Violation {
            kind,
            failure,
            stack: run.stack,
            span,
            model: inputs,
            jumps,
            plan,
            paths: 0,
        });
        found.paths += 1;
        Ok(match site.users {
            Some(meant) if meant != span => Recorded::Elsewhere,
            _ => Recorded::Yes,
        })
    }

    /// Values for the same path with objects that fit the interpreter's memory, if there are any, and that people can read, if there are
    /// any of these.
    fn with_small_objects(
        &mut self,
        leaf: &super::Leaf,
        model: Rc<Assignment>,
    ) -> Outcome<Rc<Assignment>> {
        let sizes = leaf.memory.unknown_sizes();
        for most in SMALL_OBJECTS {
            let domain = &mut self.machine.domain;
            let most = domain.terms.int(most);
            let small: Vec<Term> = sizes.iter().map(|size| domain.terms.le(*size, most)).collect();
            let small = domain.terms.and(small);
            if domain.terms.holds(small, &model) == Ok(true) {
                return Ok(model);
            }
            let mut assertions = leaf.path.conditions();
            assertions.push(small);
            if let Feasible::Yes(smaller) = domain.ask(&assertions)? {
                return Ok(smaller);
            }
        }
        Ok(model)
    }

    /// What has no model where a state stands.
    fn unsupported_at(&self, branch: &Branch) -> String {
        crate::summary::unsupported_at(self.machine.program, &branch.state)
    }
}

/// Whether executions simply end where a check of this kind fails.
pub(super) fn ends_at(property: Property, undefined: Undefined, kind: CheckKind) -> bool {
    match property.judge(kind) {
        Judgement::Ends => true,
        Judgement::Undefined => undefined == Undefined::Ended,
        Judgement::Error | Judgement::NotModelled => false,
    }
}
