//! Simple candidates for a way that was drafted: executions with as few iterations as the conditions of the way seem to allow.
//!
//! What they are worth is found out by replays, and a contradiction says nothing of the way itself, since other executions may go it.

use super::{Branch, Explorer};
use crate::domain::{Feasible, Outcome, Symbolic};
use loupe_solver::{Answer, Gradual};
use loupe_term::{Assignment, Node, Sort, Substitution, SymbolId, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// As many instances as are asked for of what is said of one loop.
const INSTANCES: u32 = 10;

/// Symbols that are multiplied with others.
fn factors(domain: &Symbolic, conditions: &[Term]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for part in conditions.iter().flat_map(|part| domain.terms.post_order(*part)) {
        if let Node::Product(atoms) = domain.terms.node(part) {
            found.extend(atoms.iter().filter_map(|(atom, _)| match domain.terms.node(*atom) {
                Node::Symbol(id) => Some(*id),
                _ => None,
            }));
        }
    }
    found
}

/// Numbers of iterations that are not open any more.
type Fixed = BTreeMap<SymbolId, Term>;

fn put_in(domain: &mut Symbolic, conditions: &[Term], fixed: &Fixed) -> Vec<Term> {
    let store: Substitution = fixed.iter().map(|(id, term)| (*id, *term)).collect();
    conditions.iter().map(|part| domain.terms.substitute(*part, &store)).collect()
}

/// The counters of each loop on the way, the first loop first.
fn counters_by_loop(domain: &Symbolic, branch: &Branch) -> Vec<Vec<SymbolId>> {
    let counters = |counters: &[Term]| {
        let symbols = counters.iter().filter_map(|counter| match domain.terms.node(*counter) {
            Node::Symbol(id) => Some(*id),
            _ => None,
        });
        symbols.collect()
    };
    let mut all: Vec<Vec<SymbolId>> =
        branch.passed.newest_first().map(|passed| counters(&passed.counters)).collect();
    all.reverse();
    all
}

impl Explorer<'_> {
    /// Those of these counters that may be 0 all together, as far as conditions tell that are easy, and values for which these hold.
    fn without_iterations(
        &mut self,
        conditions: &[Term],
        counters: impl IntoIterator<Item = SymbolId>,
    ) -> Outcome<Option<(Fixed, Assignment)>> {
        let domain = &mut self.machine.domain;
        let mut known: Vec<Term> = (conditions.iter().copied())
            .filter(|part| domain.is_easy(*part) && !domain.terms.has_product(*part))
            .collect();
        let Feasible::Yes(mut model) = domain.ask(&known)? else { return Ok(None) };
        let zero = domain.terms.int(0);
        let mut fixed = Fixed::new();
        let mentioned: BTreeSet<SymbolId> =
            conditions.iter().flat_map(|part| domain.terms.free_symbols(*part)).collect();
        for id in counters {
            let counter = domain.terms.symbol_term(id);
            if domain.terms.sort(counter) != Sort::Int || !mentioned.contains(&id) {
                continue;
            }
            let none = domain.terms.eq(counter, zero);
            known.push(none);
            match domain.terms.holds(none, &model) == Ok(true) {
                true => {
                    fixed.insert(id, zero);
                }
                false => match domain.ask(&known)? {
                    Feasible::Yes(other) => {
                        fixed.insert(id, zero);
                        model = other;
                    }
                    _ => {
                        known.pop();
                    }
                },
            }
        }
        Ok(Some((fixed, Assignment::clone(&model))))
    }

    /// The conditions for the simplest executions that they seem to allow: no iteration of any path that may have none, and certain values for factors of products, such that what is left is linear and small. `None` if
    /// that is nothing new.
    pub(super) fn simplest(
        &mut self,
        branch: &Branch,
        conditions: &[Term],
    ) -> Outcome<Option<Vec<Term>>> {
        // The last loop first.
        let counters = counters_by_loop(&self.machine.domain, branch).into_iter().rev().flatten();
        let Some((mut fixed, model)) = self.without_iterations(conditions, counters)? else {
            return Ok(None);
        };
        let domain = &mut self.machine.domain;
        for id in factors(domain, conditions) {
            let symbol = domain.terms.symbol_term(id);
            if !fixed.contains_key(&id)
                && let Ok(Value::Int(number)) = domain.terms.evaluate(symbol, &model)
            {
                fixed.insert(id, domain.terms.int(number));
            }
        }
        if fixed.is_empty() {
            return Ok(None);
        }
        let mut simple = put_in(domain, conditions, &fixed);
        for (id, number) in fixed {
            let symbol = domain.terms.symbol_term(id);
            simple.push(domain.terms.eq(symbol, number));
        }
        Ok(Some(simple))
    }

    /// Values for which the conditions of a way with several loops seem to hold, found as an execution goes it: how often the first loop is repeated, by what is said as far as its end, then the second, and so on. No question
    /// is about more than one loop that is open, while what is said of all at once grows with each of them.
    pub(super) fn loop_by_loop(
        &mut self,
        branch: &Branch,
        conditions: &[Term],
        most: u32,
    ) -> Outcome<Option<Assignment>> {
        let loops = counters_by_loop(&self.machine.domain, branch);
        let loops: Vec<Vec<SymbolId>> =
            loops.into_iter().filter(|counters| !counters.is_empty()).collect();
        if loops.len() < 2 {
            return Ok(None);
        }
        let domain = &mut self.machine.domain;
        let number_of = |id: &SymbolId| loops.iter().position(|counters| counters.contains(id));
        // The last loop of which a condition speaks.
        let mut stages: Vec<Vec<Term>> = vec![Vec::new(); loops.len()];
        for part in conditions {
            let free = domain.terms.free_symbols(*part);
            let last = free.iter().filter_map(number_of).max().unwrap_or(0);
            stages[last].push(*part);
        }
        let mut fixed = Fixed::new();
        let mut so_far: Vec<Term> = Vec::new();
        let mut found = None;
        for (stage, counters) in stages.into_iter().zip(&loops) {
            so_far.extend(stage);
            let domain = &mut self.machine.domain;
            let asked = put_in(domain, &so_far, &fixed);
            let Some(mut values) = self.shortest(&asked, counters, most)? else { return Ok(None) };
            let terms = &mut self.machine.domain.terms;
            for id in counters {
                let symbol = terms.symbol_term(*id);
                if terms.sort(symbol) == Sort::Int
                    && !fixed.contains_key(id)
                    && let Ok(Value::Int(number)) = terms.evaluate(symbol, &values)
                {
                    fixed.insert(*id, terms.int(number));
                }
            }
            // What was put in has a value too.
            for (id, number) in &fixed {
                if let Some(number) = terms.as_int(*number) {
                    values.symbols.insert(*id, Value::Int(number.clone()));
                }
            }
            found = Some(values);
        }
        Ok(found)
    }

    /// Values for which conditions seem to hold, without iterations of one loop if possible.
    fn shortest(
        &mut self,
        conditions: &[Term],
        counters: &[SymbolId],
        most: u32,
    ) -> Outcome<Option<Assignment>> {
        let Some((none, _)) = self.without_iterations(conditions, counters.iter().copied())? else {
            return Ok(None);
        };
        if !none.is_empty() {
            let simple = put_in(&mut self.machine.domain, conditions, &none);
            if let Some(mut values) = self.some_values(&simple, most)? {
                let zero = |id: &SymbolId| (*id, Value::Int(0.into()));
                values.symbols.extend(none.keys().map(zero));
                return Ok(Some(values));
            }
        }
        self.some_values(conditions, most.min(INSTANCES))
    }

    fn some_values(&mut self, conditions: &[Term], most: u32) -> Outcome<Option<Assignment>> {
        Ok(match self.first_instances(conditions, most)? {
            Gradual::Answer(Answer::Sat(model)) => Some(model.values),
            Gradual::Candidate(values) => Some(values),
            Gradual::Answer(Answer::Unsat(_) | Answer::Unknown(_)) => None,
        })
    }
}
