//! Exploration that is guided by a necessary condition: *Abstracting Path Conditions* (Strejček and Trtík, ISSTA 2012), section 5.
//!
//! First the ways to errors are drafted (`draft.rs`). If that neither finds an error nor proves that there is none, the program is explored as it is, in the same arena, with what is known then:
//!
//! - A state whose path condition φᵢ contradicts φ̂, that is, the conditions of every way, is *dropped*: no execution from there comes to an error. This needs all ways; where the draft was cut short or met something
//!   without a model, nothing is dropped.
//! - States that a *candidate* goes through, values for which the conditions of some way hold, come first.
//!
//! *What symbols mean.* φ̂ and φᵢ speak of the same inputs only where these have the same symbols. An input is known by its position, and so is an uninitialised value; behind an approximated loop that reads some, positions in a draft are
//! not those in an execution. So only what was read before that keeps its symbol, and everything else in the conditions of a way (counters, witnesses, later inputs) is renamed: φ̂ says that such values exist.
//!
//! *What dropping means for proofs.* Executions that are dropped do not come to an error, but they may come to something undefined, behind which anything may happen. So an exploration that has dropped states is a proof only if the draft
//! has refuted all ways to undefined behaviour.

use super::draft::{DraftLimit, Lead};
use super::options::{Draft, DraftFor, DraftUntil};
use super::{
    AllErrors, Branch, Exploration, Explorer, Leaf, LoopMode, Observer, Stop, Supervisor, Unsure,
};
use crate::domain::{Outcome, Reading, Symbolic};
use crate::path::Path;
use crate::property::Property;
use crate::summary::{Question, Solutions};
use crate::value::Int;
use loupe_solver::{Answer, Gradual};
use loupe_term::{Assignment, Node, Origin, Substitution, SymbolId, Term};
use std::collections::BTreeSet;
use std::time::Instant;

/// With more ways than this, states are not compared with them.
const MAX_WAYS: usize = 8;
/// So many instances of what is said of all iterations are looked at for each state.
const INSTANCES: u32 = 3;
/// What the comparison of a state with a way may cost, as a part of what other questions may.
const SHARE: u64 = 8;

/// What guides an exploration.
pub(super) struct Guidance {
    /// The conditions of the ways that are not refuted; `None` if there may be others.
    ways: Option<Vec<Vec<Term>>>,
    /// Values that may lead to an error.
    candidates: Vec<Assignment>,
    /// What dropped executions may come to that is undefined.
    undefined: BTreeSet<Unsure>,
    /// States that a candidate goes through, the newest last.
    favoured: Vec<Branch>,
}

impl Guidance {
    /// The newest state that a candidate goes through.
    pub(super) fn pick(&mut self) -> Option<Branch> {
        self.favoured.pop()
    }
}

impl Explorer<'_> {
    /// Drafts the ways to errors before the program is explored. A reason to stop means that nothing else is to be done.
    pub(super) fn prepare_guidance(
        &mut self,
        observer: &mut dyn Observer,
        supervisor: &Supervisor<'_>,
    ) -> Outcome<Option<Stop>> {
        let Some(Draft { time, purpose, ways: most, until }) = self.options.draft else {
            return Ok(None);
        };
        if matches!(self.options.loops, LoopMode::Necessary)
            || self.options.property == Property::Termination
            || self.pool.is_some()
        {
            return Ok(None);
        }
        let start = Instant::now();
        let usual = self.options.clone();
        self.options.loops = LoopMode::Necessary;
        if until == DraftUntil::Whole {
            self.options.all_errors = AllErrors::GoOn;
        }
        self.machine.domain.limits.work = usual.solver.work.min(super::draft::WORK);
        self.machine.domain.drafts = true;
        self.solutions = Solutions::for_question(Question::Necessary, self.options.property);
        let bounded = |so_far: &Exploration, waiting: usize| {
            // A fork makes at least two states of one, so at least half of all states are ends of ways.
            let is_too_much = so_far.states.div_ceil(2) > most;
            supervisor(so_far, waiting)
                .or_else(|| is_too_much.then_some(Stop::Ways(most)))
                .or_else(|| (start.elapsed() > time).then_some(Stop::Time))
        };
        let stop = self.explore_all(observer, &bounded)?;
        self.result.drafts.states = self.result.states;
        self.result.drafts.explored = self.result.explored;
        self.result.drafts.time = start.elapsed();
        if stop == Stop::Complete {
            self.note_wholeness();
        }
        let is_whole = stop == Stop::Complete && self.result.drafts.is_whole;
        self.result.drafts.limit = match stop {
            Stop::Ways(most) => Some(DraftLimit::Ways(most)),
            Stop::Time => Some(DraftLimit::Time { ways: self.ways_drafted as u64 }),
            _ => None,
        };
        self.options = usual;
        self.machine.domain.limits.work = self.options.solver.work;
        self.machine.domain.drafts = false;
        let is_answered = until == DraftUntil::Whole && self.result.is_violated();
        let stop = if is_answered { Stop::FirstError } else { stop };
        self.result.stop = stop.clone();
        let is_over = matches!(stop, Stop::Interrupted | Stop::FirstError | Stop::Memory(_));
        if is_over || self.result.is_safe() || supervisor(&self.result, 0).is_some() {
            return Ok(Some(stop));
        }
        let undefined = std::mem::take(&mut self.undefined);
        let leads = std::mem::take(&mut self.leads);
        let candidates = leads.iter().filter_map(|lead| lead.candidate.clone()).collect();
        let all = leads.into_iter().map(|lead| lead.conditions).collect::<Vec<_>>();
        let ways = (is_whole && all.len() <= MAX_WAYS).then_some(all);
        if purpose == DraftFor::Guidance {
            let favoured = Vec::new();
            self.guidance = Some(Guidance { ways, candidates, undefined, favoured });
        }
        self.begin_anew();
        Ok(None)
    }

    /// Forgets the states of a draft, and what is known only of it.
    fn begin_anew(&mut self) {
        let fresh = Exploration {
            tree: self.options.keep_tree.then(super::Tree::default),
            ..Exploration::new(self.machine.program)
        };
        let drafted = std::mem::replace(&mut self.result, fresh);
        self.result.drafts = drafted.drafts;
        self.result.drafts.is_followed = true;
        self.result.violations = drafted.violations;
        self.result.assumptions = drafted.assumptions;
        for key in self.waiting.drain().map(|(key, _)| key).collect::<BTreeSet<_>>() {
            self.search.ended(key);
        }
        while self.search.pick().is_some() {}
        self.drafted.clear();
        self.doubtful.clear();
        self.solutions = Solutions::for_question(Question::Reach, self.options.property);
    }

    /// Keeps what a way says for the exploration that comes after the draft.
    pub(super) fn lead(&mut self, leaf: &Leaf, conditions: &[Term], candidate: Option<Assignment>) {
        let domain = &mut self.machine.domain;
        let shared = shared_symbols(domain, leaf);
        let mut renamed = Substitution::default();
        let free: BTreeSet<SymbolId> =
            conditions.iter().flat_map(|part| domain.terms.free_symbols(*part)).collect();
        for id in free.into_iter().filter(|id| !shared.contains(id)) {
            let symbol = domain.terms.symbol_term(id);
            let (name, sort) = (domain.terms.symbol(id).name.clone(), domain.terms.sort(symbol));
            renamed.insert(id, domain.terms.fresh(&name, sort, Origin::default()));
        }
        let mut own = Vec::with_capacity(conditions.len());
        for part in conditions {
            own.push(domain.terms.substitute(*part, &renamed));
        }
        // Only what both know of is a candidate for both.
        let candidate = candidate.map(|mut values| {
            values.symbols.retain(|id, _| shared.contains(id));
            values
        });
        self.leads.push(Lead { conditions: own, candidate });
    }

    /// Whether no execution of a state comes to an error.
    pub(super) fn leads_nowhere(&mut self, path: &Path) -> Outcome<bool> {
        let Some(Guidance { ways: Some(ways), .. }) = &self.guidance else { return Ok(false) };
        let ways = ways.clone();
        let conditions = path.conditions();
        let domain = &mut self.machine.domain;
        let usual = domain.limits.work;
        domain.limits.work = usual / SHARE;
        let mut is_possible = false;
        for way in ways {
            let asked: Vec<Term> = conditions.iter().copied().chain(way).collect();
            let answer = domain.ask_instances(&asked, INSTANCES);
            if !matches!(answer, Ok(Gradual::Answer(Answer::Unsat(_)))) {
                is_possible = true;
                break;
            }
        }
        domain.limits.work = usual;
        if !is_possible {
            self.result.drafts.dropped += 1;
        }
        Ok(!is_possible)
    }

    /// Whether a candidate goes through a state; then it comes before all others.
    pub(super) fn favours(&mut self, branch: &Branch) -> bool {
        let Some(guidance) = &self.guidance else { return false };
        let conditions = branch.path.conditions();
        let terms = &self.machine.domain.terms;
        let goes = |values: &Assignment| {
            conditions.iter().all(|condition| terms.holds(*condition, values) == Ok(true))
        };
        guidance.candidates.iter().any(goes)
    }

    /// Puts a state before all others.
    pub(super) fn favour(&mut self, branch: Branch) {
        if let Some(guidance) = &mut self.guidance {
            guidance.favoured.push(branch);
        }
    }

    /// What was dropped is no part of a proof, if it may have come to something undefined.
    pub(super) fn note_dropped(&mut self) {
        let Some(guidance) = &mut self.guidance else { return };
        if self.result.drafts.dropped > 0 && !self.result.is_violated() {
            for unsure in std::mem::take(&mut guidance.undefined) {
                self.result.unsure.entry(unsure).or_insert(1);
            }
        }
    }
}

/// The symbols of what is read on the way to a leaf at positions that are those of every execution.
fn shared_symbols(domain: &Symbolic, leaf: &Leaf) -> BTreeSet<SymbolId> {
    let mut shared: Vec<Term> = Vec::new();
    for reading in leaf.streams.readings() {
        let Reading::Input(input) = reading else { break };
        shared.push(input.symbol);
    }
    let unknowns = leaf.streams.unknowns().chain(leaf.memory.unknowns());
    for unknown in unknowns {
        if let Int::Known(_) = unknown.position {
            shared.push(unknown.symbol);
        }
    }
    shared.extend(leaf.streams.standard_input());
    shared.extend(leaf.streams.command_line().bytes.values());
    shared.extend(leaf.streams.command_line().count_symbol);
    let ids = shared.into_iter().filter_map(|symbol| match domain.terms.node(symbol) {
        Node::Symbol(id) => Some(*id),
        _ => None,
    });
    ids.collect()
}
