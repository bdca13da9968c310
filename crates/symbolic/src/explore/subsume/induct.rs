//! Annotations by induction: what all iterations of a loop preserve.
//!
//! A *region* is a set of nodes, with a set of conditions for each. Whatever some way inside does not preserve is taken away, until all is preserved (Flanagan and Leino, *Houdini*, 2001).
//! Then all ways out of the region, and all that must not be gone, are asked for; and what the answers rest on, and what that rests on in turn, is what is kept.

use super::guess::Guesses;
use super::visit::Ended;
use super::{MAX_ANNOTATIONS, QUESTION, Subsumption, cost, substitution};
use crate::domain::{Feasible, Outcome, Symbolic};
use loupe_engine::semantics::Machine;
use loupe_solver::Answer;
use loupe_term::Term;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many questions are asked in one attempt.
const MAX_QUESTIONS: usize = 2000;
/// So many conditions are tried alone.
const MAX_SINGLE: usize = 10;
/// Larger regions are not looked at.
const MAX_NODES: usize = 60;

/// A set of conditions for each node of a region.
pub(super) type Sets = BTreeMap<usize, Vec<Term>>;

impl Subsumption {
    /// Tries to annotate the loop whose header a state was at; whether that shows that the state is harmless.
    pub(super) fn induct(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        at: &Ended,
    ) -> Outcome<bool> {
        let domain = &mut machine.domain;
        let node = at.node;
        let mut begun = cost(domain);
        if self.budget == 0 {
            return Ok(false);
        }
        if self.known[node].len() >= MAX_ANNOTATIONS {
            return Ok(false);
        }
        let ahead = self.reachable(node);
        let around = ahead.iter().copied().filter(|n| self.reachable(*n).contains(&node));
        let around: BTreeSet<usize> = around.collect();
        self.figures.tried += 1;
        let is_all = around == ahead;
        let mut regions = vec![around];
        if !is_all {
            regions.push(ahead);
        }
        for region in regions {
            if region.len() > MAX_NODES || !region.contains(&node) {
                continue;
            }
            for guesses in [Guesses::Relations, Guesses::All] {
                let found = self.sets_of(domain, &region, (at, guesses))?;
                self.budget = self.budget.saturating_sub(cost(domain) - begun);
                begun = cost(domain);
                let Some(sets) = found else { continue };
                self.figures.kept += 1;
                for (node, set) in sets {
                    let annotation = domain.terms.and(set);
                    self.annotate(node, annotation);
                }
                return self.covers(machine, at);
            }
        }
        Ok(false)
    }

    /// Conditions of a region that keep the rule, and that a state which waits satisfies.
    fn sets_of(
        &mut self,
        domain: &mut Symbolic,
        region: &BTreeSet<usize>,
        (at, guesses): (&Ended, Guesses),
    ) -> Outcome<Option<Sets>> {
        let mut sets = self.guesses(domain, region, (at, guesses))?;
        let own = sets.remove(&at.node).unwrap_or_default();
        let own = self.that_hold(domain, at, own)?;
        sets.insert(at.node, own);
        let affordable = usize::try_from(self.budget / QUESTION).unwrap_or(MAX_QUESTIONS);
        let mut questions = MAX_QUESTIONS.min(affordable);
        if !self.preserved(domain, region, &mut sets, &mut questions)? {
            return Ok(None);
        }
        self.needed(domain, region, &sets, &mut questions)
    }

    /// Those that hold of a state which waits.
    fn that_hold(
        &self,
        domain: &mut Symbolic,
        at: &Ended,
        guesses: Vec<Term>,
    ) -> Outcome<Vec<Term>> {
        let store = substitution(domain, &self.graph.nodes[at.node], &at.values);
        domain.path = at.path.clone();
        let mut held = Vec::new();
        for guess in guesses {
            if domain.limits.interrupt.is_requested() {
                break;
            }
            let here = domain.terms.substitute(guess, &store);
            let fails = domain.terms.not(here);
            if let Feasible::No = domain.feasible(fails)? {
                held.push(guess);
            }
        }
        Ok(held)
    }

    /// The ways from a region's nodes.
    fn ways_of(&self, region: &BTreeSet<usize>) -> Vec<usize> {
        region.iter().flat_map(|node| self.out[*node].iter().copied()).collect()
    }

    /// What is known where a way begins, and that it is gone but does not lead to an annotation.
    fn asked(&self, domain: &mut Symbolic, way: usize, set: &[Term]) -> Vec<Term> {
        let way = &self.ways[way];
        let mut asked: Vec<Term> = set.to_vec();
        asked.extend(&self.graph.nodes[way.from].facts);
        asked.extend(&way.conditions);
        if let Some((to, store)) = &way.to
            && !self.known[*to].is_empty()
        {
            let known = self.known_of(domain, *to, store);
            asked.push(domain.terms.not(known));
        }
        asked
    }

    /// Takes away what some way inside does not preserve; whether that came to an end.
    fn preserved(
        &self,
        domain: &mut Symbolic,
        region: &BTreeSet<usize>,
        sets: &mut Sets,
        questions: &mut usize,
    ) -> Outcome<bool> {
        let mut open: VecDeque<usize> = self.ways_of(region).into();
        while let Some(number) = open.pop_front() {
            let way = &self.ways[number];
            let Some((to, store)) = &way.to else { continue };
            if !region.contains(to) {
                continue;
            }
            let before = sets.get(&way.from).cloned().unwrap_or_default();
            let asked = self.asked(domain, number, &before);
            let mut set = sets.get(to).cloned().unwrap_or_default();
            let size = set.len();
            let mut after: Vec<Term> =
                set.iter().map(|guess| domain.terms.substitute(*guess, store)).collect();
            // All at once first; a model tells which of them to take away.
            loop {
                let all = domain.terms.and(after.iter().copied());
                if domain.terms.as_bool(all) == Some(true) {
                    break;
                }
                if *questions == 0 || domain.limits.interrupt.is_requested() {
                    return Ok(false);
                }
                *questions -= 1;
                let mut asked = asked.clone();
                asked.push(domain.terms.not(all));
                let lost: Vec<bool> = match domain.answer(&asked)? {
                    Answer::Unsat(_) => break,
                    Answer::Sat(model) => {
                        let fails =
                            |guess: &Term| domain.terms.holds(*guess, &model.values) != Ok(true);
                        after.iter().map(fails).collect()
                    }
                    Answer::Unknown(_) => {
                        self.unproved(domain, &asked[..asked.len() - 1], &after, questions)?
                    }
                };
                if !lost.contains(&true) {
                    return Ok(false);
                }
                let mut flags = lost.iter();
                set.retain(|_| !*flags.next().unwrap_or(&false));
                let mut flags = lost.iter();
                after.retain(|_| !*flags.next().unwrap_or(&false));
            }
            if set.len() < size {
                let to = *to;
                sets.insert(to, set);
                for way in &self.out[to] {
                    if !open.contains(way) {
                        open.push_back(*way);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Which of some conditions do not follow one by one.
    fn unproved(
        &self,
        domain: &mut Symbolic,
        given: &[Term],
        guesses: &[Term],
        questions: &mut usize,
    ) -> Outcome<Vec<bool>> {
        let mut unproved = Vec::with_capacity(guesses.len());
        for guess in guesses {
            if *questions == 0 || domain.limits.interrupt.is_requested() {
                unproved.push(true);
                continue;
            }
            *questions -= 1;
            let mut asked = given.to_vec();
            asked.push(domain.terms.not(*guess));
            unproved.push(!matches!(domain.answer(&asked)?, Answer::Unsat(_)));
        }
        Ok(unproved)
    }

    /// Of conditions that are preserved, those that keep the rule; none if even all of them do not.
    fn needed(
        &self,
        domain: &mut Symbolic,
        region: &BTreeSet<usize>,
        sets: &Sets,
        questions: &mut usize,
    ) -> Outcome<Option<Sets>> {
        let none = Vec::new();
        let mut needed: Sets = region.iter().map(|node| (*node, Vec::new())).collect();
        let mut open: VecDeque<usize> = self.ways_of(region).into();
        while let Some(number) = open.pop_front() {
            if *questions == 0 || domain.limits.interrupt.is_requested() {
                return Ok(None);
            }
            *questions -= 1;
            let way = &self.ways[number];
            let inside = way.to.as_ref().filter(|(to, _)| region.contains(to));
            // Nothing is asked of where it leads yet.
            let claim = match inside {
                Some((to, store)) => {
                    let parts = needed.get(to).unwrap_or(&none).clone();
                    let parts = parts.into_iter().map(|part| domain.terms.substitute(part, store));
                    let parts: Vec<Term> = parts.collect();
                    domain.terms.and(parts)
                }
                None => domain.terms.bool(false),
            };
            if domain.terms.as_bool(claim) == Some(true) {
                continue;
            }
            let have = needed.get(&way.from).unwrap_or(&none).clone();
            let rest = sets.get(&way.from).unwrap_or(&none).iter();
            let rest: Vec<Term> = rest.filter(|guess| !have.contains(guess)).copied().collect();
            let fails = domain.terms.not(claim);
            let Some(more) = self.suffices(domain, number, (&have, &rest), fails, questions)?
            else {
                return Ok(None);
            };
            if more.is_empty() {
                continue;
            }
            if let Some(own) = needed.get_mut(&way.from) {
                own.extend(more);
            }
            let from = way.from;
            for (number, way) in self.ways.iter().enumerate() {
                let leads_there = way.to.as_ref().is_some_and(|(to, _)| *to == from);
                if leads_there && region.contains(&way.from) && !open.contains(&number) {
                    open.push_back(number);
                }
            }
        }
        Ok(Some(needed))
    }

    /// What is needed, beside what is needed anyway, so that a way does not fail; none if all is too little. A single short condition is better than many.
    fn suffices(
        &self,
        domain: &mut Symbolic,
        way: usize,
        (have, rest): (&[Term], &[Term]),
        fails: Term,
        questions: &mut usize,
    ) -> Outcome<Option<Vec<Term>>> {
        let mut single: Vec<Term> = rest.to_vec();
        single.sort_by_key(|guess| domain.terms.size(*guess));
        let tries = std::iter::once(None).chain(single.into_iter().take(MAX_SINGLE).map(Some));
        for guess in tries {
            if domain.limits.interrupt.is_requested() {
                return Ok(None);
            }
            *questions = questions.saturating_sub(1);
            let set: Vec<Term> = have.iter().copied().chain(guess).collect();
            let mut asked = self.asked(domain, way, &set);
            asked.push(fails);
            if let Answer::Unsat(_) = domain.answer(&asked)? {
                return Ok(Some(guess.into_iter().collect()));
            }
        }
        let set: Vec<Term> = have.iter().chain(rest).copied().collect();
        let mut asked = self.asked(domain, way, &set);
        asked.push(fails);
        Ok(match domain.answer(&asked)? {
            Answer::Unsat(core) => {
                let more = core.into_iter().filter(|at| (have.len()..set.len()).contains(at));
                Some(more.map(|at| set[at]).collect())
            }
            Answer::Sat(_) | Answer::Unknown(_) => None,
        })
    }
}
