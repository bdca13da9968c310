//! Merging that costs more than it saves is cut off.
//!
//! Choices between values make questions harder, and nobody knows beforehand how hard. So what merging costs and saves is counted, in the solver's units of work and
//! never by the clock. A question of a merged state *saves* what its paths would have spent on questions of their own, each as much as questions about states that
//! were never merged have cost so far; it *costs* what the solver does for it. Making one state of two costs something too. As long as the sum is positive, merging is
//! worth it; if it is not, a place is *closed*: no states are merged there any more.
//!
//! *For a state.* A single question may be too much work as well: that closes the place where the state was merged last. A state that was merged where a place was closed
//! because of questions is *split*: it becomes the states again that it was made of ([`crate::merge::resolve`]), as far as these are possible. An operation that
//! has asked too much has changed nothing, and is carried out again. If there are too many, they stay merged in what was merged last.

use super::{Explorer, Location, Meeting, Represented};
use crate::domain::{Feasible, Outcome};
use crate::explore::Branch;
use crate::explore::run::Ran;
use crate::halt::Halt;
use crate::merge::{Resolved, Resolver};
use crate::trail::Trail;
use loupe_term::Term;
use rpds::RedBlackTreeMap;

/// What was saved before is good for so many times the credit.
const MOST_CREDITS: i64 = 8;
/// What it is to ask a question that the links before the solver answer, and one that values at hand answer.
const WORK_OF_QUESTION: u64 = 60;
const WORK_OF_LOOK: u64 = 10;
/// What it is to merge two states, beside the terms that are made.
const WORK_OF_MERGE: i64 = 300;
const WORK_OF_TERM: i64 = 2;
/// A state counts for so many paths at most: how many it stands for is an upper bound, and most of them might end soon.
const MOST_PATHS: u64 = 64;
/// A question of a merged state may take so many times as much work as those of its paths, and half of the credit in any case.
const PATIENCE: u64 = 16;
/// A state is split into so many at most.
const MOST_WAYS: usize = 64;
/// Of more merges nobody keeps what they have chosen by.
const MOST_SELECTORS: usize = 256;

/// The merges that a state has come out of.
#[derive(Clone, Debug, Default)]
pub(in crate::explore) struct Merges {
    /// What they have chosen by. Those on one side of a later merge matter only on that side. `None` if they are too many, or cannot be undone.
    chosen: Option<Choices>,
    newest: Option<Location>,
    /// As many places as were closed because of questions when these were looked at.
    looked_at: u64,
}

/// What merges have chosen by.
#[derive(Clone, Debug, Default)]
struct Choices {
    /// A mark for each merge, so that no two ways are the same.
    trail: Trail<u64>,
    /// All selectors and places, by the numbers of merges.
    all: RedBlackTreeMap<u64, (Term, Location)>,
}

impl Merges {
    /// A state that was never merged.
    pub(in crate::explore) fn none() -> Self {
        Merges { chosen: Some(Choices::default()), ..Merges::default() }
    }

    /// Those of two states and the one that made one of them.
    pub(super) fn merged(
        &self,
        other: &Merges,
        number: u64,
        (selector, at): (Term, Location),
    ) -> Self {
        let chosen = match (&self.chosen, &other.chosen) {
            (Some(a), Some(b)) => {
                let (mut all, fewer) = match a.all.size() >= b.all.size() {
                    true => (a.all.clone(), &b.all),
                    false => (b.all.clone(), &a.all),
                };
                for (number, merge) in fewer {
                    all.insert_mut(*number, *merge);
                }
                all.insert_mut(number, (selector, at));
                let (mut then, mut otherwise) = (a.trail.clone(), b.trail.clone());
                then.push(number);
                otherwise.push(number);
                let trail = Trail::merged(selector, &then, &otherwise);
                (all.size() <= MOST_SELECTORS).then_some(Choices { trail, all })
            }
            _ => None,
        };
        Merges { chosen, newest: Some(at), looked_at: self.looked_at.min(other.looked_at) }
    }

    pub(super) fn are_any(&self) -> bool {
        self.newest.is_some()
    }
}

/// What questions have cost.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    questions: u64,
    looks: u64,
    work: u64,
}

impl Asked {
    fn work(&self) -> u64 {
        self.work + self.questions * WORK_OF_QUESTION + self.looks * WORK_OF_LOOK
    }

    fn add(&mut self, more: Asked) {
        self.questions += more.questions;
        self.looks += more.looks;
        self.work += more.work;
    }

    fn since(&self, before: Asked) -> Asked {
        Asked {
            questions: self.questions - before.questions,
            looks: self.looks - before.looks,
            work: self.work - before.work,
        }
    }
}

/// What merging costs and saves.
#[derive(Debug)]
pub(super) struct Account {
    /// What states have asked that were never merged.
    plain: Asked,
    /// What was asked to split states, which saves nothing.
    splitting: Asked,
    /// What was saved beyond what it has cost, with the credit.
    balance: i64,
    credit: i64,
    first_credit: i64,
    /// How many places were closed because of questions.
    closed: u64,
    /// How many merges there were.
    merges: u64,
}

impl Account {
    pub(super) fn new(credit: u64) -> Self {
        let credit = i64::try_from(credit).unwrap_or(i64::MAX / MOST_CREDITS);
        let (balance, first_credit) = (credit, credit);
        let plain = Asked::default();
        let splitting = plain;
        Account { plain, splitting, balance, credit, first_credit, closed: 0, merges: 0 }
    }

    pub(super) fn next_merge(&mut self) -> u64 {
        self.merges += 1;
        self.merges
    }

    /// What questions like these cost where nothing was merged.
    fn usual(&self, asked: Asked) -> u64 {
        let Asked { questions, looks, .. } = asked;
        let extra = match self.plain.questions {
            0 => 0,
            all => questions.saturating_mul(self.plain.work) / all,
        };
        Asked { questions, looks, work: extra }.work()
    }

    /// Adds what was saved or, if it is negative, lost; whether there is nothing left. Each place that is closed then leaves half as much to the others.
    fn add(&mut self, gain: i64) -> bool {
        self.balance =
            self.balance.saturating_add(gain).min(self.first_credit.saturating_mul(MOST_CREDITS));
        if self.balance >= 0 || gain >= 0 {
            return false;
        }
        self.credit /= 2;
        self.balance = self.credit;
        true
    }
}

/// A state that is run, and what was asked before.
pub(in crate::explore) struct Turn {
    paths: u64,
    newest: Option<Location>,
    before: Asked,
}

impl Meeting {
    /// No states are merged at a place any more; whether some were before.
    fn close(&mut self, place: &Location) -> bool {
        self.join(place).is_some_and(|join| !std::mem::replace(&mut join.is_closed, true))
    }

    fn is_closed(&mut self, place: &Location) -> bool {
        self.join(place).is_some_and(|join| join.is_closed && join.is_undone)
    }
}

impl Explorer<'_> {
    fn asked(&self) -> Asked {
        let statistics = self.machine.domain.query_statistics();
        Asked {
            questions: statistics.queries,
            looks: statistics.by_model,
            work: self.machine.domain.solver_work(),
        }
    }

    /// A state is about to be run.
    pub(in crate::explore) fn begins_turn(&mut self, branch: &Branch) -> Option<Turn> {
        self.meeting.as_ref()?;
        let paths = branch.stands_for.most().min(MOST_PATHS);
        let before = self.asked();
        if let Some(meeting) = &mut self.meeting {
            meeting.account.splitting = Asked::default();
        }
        Some(Turn { paths, newest: branch.merges.newest, before })
    }

    /// It was run.
    pub(in crate::explore) fn ends_turn(&mut self, turn: Option<Turn>) {
        let Some(Turn { paths, newest, before }) = turn else { return };
        let asked = self.asked().since(before);
        let Some(meeting) = &mut self.meeting else { return };
        let account = &mut meeting.account;
        let asked = asked.since(std::mem::take(&mut account.splitting));
        let Some(newest) = newest else {
            account.plain.add(asked);
            return;
        };
        let saved = account.usual(asked).saturating_mul(paths);
        let gain = saved as i64 - asked.work() as i64;
        if account.add(gain) {
            self.give_up_at(&newest);
        }
    }

    /// Merging at a place makes questions too hard.
    fn give_up_at(&mut self, place: &Location) {
        let Some(meeting) = &mut self.meeting else { return };
        meeting.account.closed += 1;
        self.result.merging.given_up += u64::from(meeting.close(place));
        if let Some(join) = meeting.join(place) {
            join.is_undone = true;
        }
    }

    /// Two states have become one, for which so many terms were made.
    pub(super) fn pays_for_merge(&mut self, at: Location, terms: usize) {
        let Some(meeting) = &mut self.meeting else { return };
        let cost = WORK_OF_MERGE + terms as i64 * WORK_OF_TERM;
        if meeting.account.add(-cost) {
            self.result.merging.given_up += u64::from(meeting.close(&at));
        }
    }

    /// What a question of a state may cost, if it may be split.
    pub(in crate::explore) fn patience(&self, branch: &Branch) -> Option<u64> {
        let meeting = self.meeting.as_ref()?;
        if !branch.merges.are_any() || branch.merges.chosen.is_none() || self.is_guided() {
            return None;
        }
        let one = Asked { questions: 1, ..Asked::default() };
        let paths = branch.stands_for.most().min(MOST_PATHS);
        let least = meeting.account.first_credit as u64 / 2;
        let usual = meeting.account.usual(one).saturating_mul(paths * PATIENCE);
        // Without any credit nothing may be more work.
        Some(if least == 0 { 0 } else { usual.max(least) })
    }

    /// Whether a condition can hold on the path of a state; `None` if that is too much work for one that may be split.
    pub(in crate::explore) fn feasible_at(
        &mut self,
        branch: &Branch,
        condition: Term,
    ) -> Outcome<Option<Feasible>> {
        self.machine.domain.patience = self.patience(branch);
        let feasible = self.machine.domain.feasible(condition);
        self.machine.domain.patience = None;
        match feasible {
            Ok(feasible) => Ok(Some(feasible)),
            Err(halt) if matches!(*halt, Halt::Costly) => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    /// A state has asked something that is too much work: it is split, and what it was about to do is done again.
    pub(in crate::explore) fn is_too_costly(&mut self, mut branch: Box<Branch>) -> Outcome<Ran> {
        branch.path = std::mem::take(&mut self.machine.domain.path);
        if let Some(newest) = branch.merges.newest {
            self.give_up_at(&newest);
        }
        if let Some(branch) = self.split(*branch)? {
            // Not possible: it goes on, whatever it costs.
            let mut branch = Box::new(branch);
            self.machine.domain.path = std::mem::take(&mut branch.path);
            return Ok(Ran::On(branch));
        }
        Ok(Ran::Over)
    }

    /// Splits a state that was picked if it was merged where that has turned out to be no good; it is given back if it was not split.
    pub(in crate::explore) fn split_if_closed(
        &mut self,
        mut branch: Branch,
    ) -> Outcome<Option<Branch>> {
        let Some(meeting) = &mut self.meeting else { return Ok(Some(branch)) };
        let closed = meeting.account.closed;
        if branch.merges.looked_at == closed {
            return Ok(Some(branch));
        }
        branch.merges.looked_at = closed;
        let Some(chosen) = &branch.merges.chosen else { return Ok(Some(branch)) };
        if !chosen.all.values().any(|(_, place)| meeting.is_closed(place)) {
            return Ok(Some(branch));
        }
        self.split(branch)
    }

    /// Makes of a state those that it was merged from; it is given back if that is not possible.
    fn split(&mut self, mut branch: Branch) -> Outcome<Option<Branch>> {
        let Some(Choices { trail, all }) = branch.merges.chosen.take() else {
            return Ok(Some(branch));
        };
        let selectors: Vec<Term> = all.values().map(|(selector, _)| *selector).collect();
        let before = self.asked();
        let domain = &mut self.machine.domain;
        let ways = domain.unmerged(&branch.path, (&trail, &selectors), MOST_WAYS)?;
        let asked = self.asked().since(before);
        if let Some(meeting) = &mut self.meeting {
            meeting.account.splitting.add(asked);
            meeting.account.add(-(asked.work() as i64));
        }
        if let [only] = &ways[..]
            && !only.is_whole
        {
            return Ok(Some(branch));
        }
        self.result.merging.split += 1;
        self.result.merging.split_into += ways.len() as u64;
        let place = self.place(&branch);
        if let Some(tree) = &mut self.result.tree {
            tree.forked(branch.key, place);
        }
        for resolved in &ways {
            let child = self.resolved(&branch, resolved);
            self.search.forked(branch.key, child.key);
            self.add(child)?;
        }
        self.search.ended(branch.key);
        Ok(None)
    }

    fn resolved(&mut self, branch: &Branch, resolved: &Resolved) -> Branch {
        let mut child = branch.clone();
        child.key = self.new_state(branch.key, resolved.condition);
        child.path = resolved.path.clone();
        if resolved.is_whole {
            child.stands_for = Represented::one();
            child.merges = Merges { looked_at: branch.merges.looked_at, ..Merges::none() };
        } else {
            child.stands_for.perhaps_fewer();
        }
        child.is_at_join = false;
        let mut resolver = Resolver::new(&mut self.machine.domain, resolved);
        child.state.memory = resolver.memory(&branch.state.memory);
        for frame in &mut child.state.frames {
            for value in &mut frame.locals {
                *value = resolver.value(value);
            }
        }
        child.state.share();
        child
    }
}
