//! Annotations backwards: the weakest condition under which all ways from a node lead to what is annotated.

use super::visit::Ended;
use super::{MAX_ANNOTATIONS, Subsumption, WORK, cost, substitution};
use crate::domain::{Feasible, Outcome, Symbolic};
use loupe_engine::semantics::Machine;
use loupe_solver::{Answer, Elimination, Limits, Z3};
use loupe_term::{SymbolId, Term};
use std::time::Duration;

/// Larger conditions are made smaller: they do for the state at hand then, and for fewer others.
const LARGE: usize = 80;
/// Where nothing else is left, inputs are eliminated from conditions that are not larger, and within this time.
const SMALL: usize = 40;
const ELIMINATION: Duration = Duration::from_millis(300);
/// Even larger ones are no use.
const TOO_LARGE: usize = 300;
/// So many visits are kept when nobody has looked at them.
const MAX_ENDED: usize = 4096;

impl Subsumption {
    /// Annotates the places of visits that are over.
    pub(super) fn settle(&mut self, machine: &mut Machine<'_, Symbolic>) -> Outcome<()> {
        let ended = std::mem::take(&mut *self.ended.borrow_mut());
        for at in ended.into_iter().take(MAX_ENDED) {
            if machine.domain.limits.interrupt.is_requested() || self.budget == 0 {
                break;
            }
            let leads_to = self.out[at.node].iter().filter_map(|way| self.ways[*way].to.as_ref());
            let news = leads_to.map(|(to, _)| self.news_at[*to]).max().unwrap_or(1);
            if news <= self.looked_at[at.node] {
                continue;
            }
            // What was found by induction says more than iterations looked at one by one.
            if self.cyclic[at.node] && self.covers(machine, &at)? {
                continue;
            }
            // A loop that ends after a few iterations here may take more elsewhere.
            if at.times >= self.depth && self.is_turn(at.node) {
                if self.induct(machine, &at)? {
                    continue;
                }
                self.failed(at.node);
            }
            self.looked_at[at.node] = self.news;
            let begun = cost(&machine.domain);
            self.look_back(&mut machine.domain, &at)?;
            self.budget = self.budget.saturating_sub(cost(&machine.domain) - begun);
        }
        Ok(())
    }

    /// Annotates a place by what is known where its ways lead to.
    fn look_back(&mut self, domain: &mut Symbolic, at: &Ended) -> Outcome<()> {
        let node = at.node;
        let mut parts = Vec::new();
        for way in self.out[node].clone() {
            if domain.limits.interrupt.is_requested() {
                return Ok(());
            }
            let Some(part) = self.before_way(domain, way)? else { return Ok(()) };
            parts.push(part);
        }
        let mut weakest = domain.terms.and(parts.iter().copied());
        if domain.terms.as_bool(weakest) == Some(false) {
            return Ok(());
        }
        if domain.terms.size(weakest) > LARGE {
            weakest = self.for_state(domain, at)?;
            if domain.terms.size(weakest) > TOO_LARGE
                || domain.terms.as_bool(weakest) == Some(false)
            {
                return Ok(());
            }
        }
        // Products of sums grow whenever something is put in.
        if domain.terms.has_product(weakest) && domain.terms.size(weakest) > SMALL {
            return Ok(());
        }
        if self.known[node].contains(&weakest) || !self.leads_well(domain, node, weakest)? {
            return Ok(());
        }
        // What says less than others takes their place: they follow from it wherever somebody relies on them.
        let mut kept = Vec::new();
        let opposite = domain.terms.not(weakest);
        for known in &self.known[node] {
            let mut asked = self.graph.nodes[node].facts.clone();
            asked.extend([*known, opposite]);
            if !matches!(domain.answer(&asked)?, Answer::Unsat(_)) {
                kept.push(*known);
            }
        }
        if kept.len() >= MAX_ANNOTATIONS {
            return Ok(());
        }
        self.known[node] = kept;
        self.annotate(node, weakest);
        Ok(())
    }

    /// What must hold at the start of a way so that it leads to what is annotated; `None` if that cannot be said.
    fn before_way(&self, domain: &mut Symbolic, way: usize) -> Outcome<Option<Term>> {
        let way = &self.ways[way];
        let mut gone = way.conditions.clone();
        if let Some((to, store)) = &way.to {
            let known = self.known_of(domain, *to, store);
            gone.push(domain.terms.not(known));
        }
        let fails = domain.terms.and(gone.iter().copied());
        let own = &self.own[way.from];
        let free = domain.terms.free_symbols(fails);
        let fresh: Vec<SymbolId> = free.into_iter().filter(|id| !own.contains(id)).collect();
        if fresh.is_empty() {
            return Ok(Some(domain.terms.not(fails)));
        }
        // Whatever is read on the way, it must not fail. What is said of the rest alone is enough for that, and mostly all.
        let mut parts = Vec::new();
        for part in gone {
            for part in super::conjuncts(domain, part) {
                if self.is_own(domain, way.from, part) {
                    parts.push(part);
                }
            }
        }
        let rest = domain.terms.and(parts);
        let is_nothing = domain.terms.as_bool(rest) == Some(true);
        if is_nothing && domain.terms.size(fails) <= SMALL {
            let limits = Limits { time: ELIMINATION, ..domain.limits.clone() };
            let found = Z3::new().eliminate(&mut domain.terms, &fresh, fails, &limits)?;
            if let Elimination::Formula(fails) = found
                && domain.terms.free_symbols(fails).is_subset(own)
            {
                return Ok(Some(domain.terms.not(fails)));
            }
        }
        Ok(Some(domain.terms.not(rest)))
    }

    /// A condition that is smaller, and that the state at hand satisfies if it satisfies the weakest one: of each way, either what it leads to holds there anyway, or it
    /// cannot be gone for a few of its conditions.
    fn for_state(&self, domain: &mut Symbolic, at: &Ended) -> Outcome<Term> {
        let store = substitution(domain, &self.graph.nodes[at.node], &at.values);
        let mut parts: Vec<Term> = Vec::new();
        for number in &self.out[at.node] {
            let way = &self.ways[*number];
            let Some(whole) = self.before_way(domain, *number)? else {
                return Ok(domain.terms.bool(false));
            };
            if domain.terms.as_bool(whole) == Some(true) {
                continue;
            }
            let mut shorter = None;
            if let Some((to, values)) = &way.to {
                for known in &self.known[*to] {
                    let there = domain.terms.substitute(*known, values);
                    if self.is_own(domain, at.node, there) {
                        let here = domain.terms.substitute(there, &store);
                        let fails = domain.terms.not(here);
                        domain.path = at.path.clone();
                        if matches!(domain.feasible(fails)?, Feasible::No) {
                            shorter = Some(there);
                            break;
                        }
                    }
                }
            }
            if shorter.is_none() {
                shorter = self.never_gone(domain, at, *number)?;
            }
            parts.push(shorter.unwrap_or(whole));
        }
        Ok(domain.terms.and(parts))
    }

    /// Why a state cannot go a way, if it cannot: that one of a few conditions does not hold.
    fn never_gone(&self, domain: &mut Symbolic, at: &Ended, way: usize) -> Outcome<Option<Term>> {
        let store = substitution(domain, &self.graph.nodes[at.node], &at.values);
        let conditions = &self.ways[way].conditions;
        let mut asked = at.path.conditions();
        let before = asked.len();
        let here: Vec<Term> = conditions
            .iter()
            .map(|condition| domain.terms.substitute(*condition, &store))
            .collect();
        asked.extend(here);
        let Answer::Unsat(core) = domain.answer(&asked)? else { return Ok(None) };
        let needed = core.into_iter().filter_map(|number| number.checked_sub(before));
        let needed: Vec<Term> = needed.map(|number| conditions[number]).collect();
        if !needed.iter().all(|condition| self.is_own(domain, at.node, *condition)) {
            return Ok(None);
        }
        let gone = domain.terms.and(needed);
        Ok(Some(domain.terms.not(gone)))
    }

    /// Whether a formula speaks of a node's symbols only.
    pub(super) fn is_own(&self, domain: &Symbolic, node: usize, formula: Term) -> bool {
        domain.terms.free_symbols(formula).is_subset(&self.own[node])
    }

    /// Whether an annotation keeps the rule, whatever it was made by.
    fn leads_well(&self, domain: &mut Symbolic, node: usize, annotation: Term) -> Outcome<bool> {
        let usual = std::mem::replace(&mut domain.limits.work, WORK);
        let mut is_well = true;
        for number in &self.out[node] {
            if domain.limits.interrupt.is_requested() {
                is_well = false;
                break;
            }
            let way = &self.ways[*number];
            let mut asked = self.graph.nodes[node].facts.clone();
            asked.push(annotation);
            asked.extend(&way.conditions);
            if let Some((to, store)) = &way.to {
                let known = self.known_of(domain, *to, store);
                asked.push(domain.terms.not(known));
            }
            if !matches!(domain.answer(&asked)?, Answer::Unsat(_)) {
                is_well = false;
                break;
            }
        }
        domain.limits.work = usual;
        Ok(is_well)
    }
}
