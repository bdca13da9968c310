//! Loops in which inputs choose among paths that commute, or are amounts themselves (GUIDE 4.5).
//!
//! All iteration paths have the same guard over the variables, inputs alone decide between them, and each adds amounts that the loop does not change, or inputs of a range. So the values after
//! any number of iterations depend only on how often each path was taken and what its inputs sum up to, which is anything in as many times the range. If the guard, once false, stays false, then it holds before every
//! iteration if it holds before the last one, in whatever order the others came. So the counts that are possible are: all 0, or some path is taken at least once and the
//! guard holds in the state one iteration of that path earlier. Both directions are an argument: this is exact.

use crate::accelerate::linear;
use crate::certificate::{Claim, Obligation};
use crate::drawn::take_range;
use crate::induction::Induction;
use crate::logic::Logic;
use crate::problem::{End, Loop, Path, Precision, Variable};
use crate::step::witnesses;
use crate::summary::{Case, Covers, Draw, Repeated, Segment, Summary, Tag};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term, Width};
use std::collections::BTreeSet;

/// What a path adds.
struct Adds {
    path: usize,
    /// To each variable, without inputs.
    amounts: Vec<Term>,
    inputs: Vec<Added>,
}

/// An input that a path adds.
struct Added {
    input: Term,
    range: (Integer, Integer),
    /// How often to each variable.
    times: Vec<Integer>,
}

struct Commuting<'c> {
    problem: &'c Loop,
    variables: Vec<SymbolId>,
    /// The iteration paths.
    paths: Vec<Adds>,
    /// The width to which each variable is wrapped. Wrapping commutes with sums, so it is enough to do it at the end, where nobody looks at the
    /// variable before: the guard does not depend on it, and no path reads it but to add to it.
    wraps: Vec<Option<Width>>,
    guard: Term,
    obligations: Vec<Obligation>,
    witnesses: Vec<Vec<(Term, Term)>>,
}

/// The summary of such a loop; `None` if it is another one. What is known of the entry does not help here and comes in at the end, since an induction must
/// speak of all values at the header.
pub(crate) fn commuting(logic: &mut Logic<'_>, problem: &Loop) -> Result<Option<Summary>, Error> {
    let general = Loop { entry: Vec::new(), ..problem.clone() };
    let Some(mut summary) = for_all_entries(logic, &general)? else { return Ok(None) };
    summary.at_entry(logic, problem)?;
    Ok(Some(summary))
}

fn for_all_entries(logic: &mut Logic<'_>, problem: &Loop) -> Result<Option<Summary>, Error> {
    let Some(mut found) = recognise(logic, problem)? else { return Ok(None) };
    if !found.stays_false(logic)? {
        return Ok(None);
    }
    let mut cases = Vec::new();
    for (number, path) in problem.paths.iter().enumerate() {
        let End::Exit(exit) = path.end else { continue };
        cases.extend(found.leave(logic, None, path, number, exit)?);
        for last in 0..found.paths.len() {
            cases.extend(found.leave(logic, Some(last), path, number, exit)?);
        }
    }
    let mut induction = Induction::new(logic, problem);
    if induction.realised(logic, &cases, &found.witnesses)?.is_err() {
        return Ok(None);
    }
    if induction.closed(logic, &cases)?.is_err() {
        return Ok(None);
    }
    let Commuting { mut obligations, witnesses, .. } = found;
    obligations.extend(induction.obligations);
    Ok(Some(Summary {
        tag: Tag::Exact,
        cases,
        diverging: Vec::new(),
        covers: Covers::Ending,
        under: None,
        reasons: Vec::new(),
        obligations,
        witnesses,
    }))
}

fn recognise<'c>(logic: &mut Logic<'_>, problem: &'c Loop) -> Result<Option<Commuting<'c>>, Error> {
    let symbols = problem.variables.iter().map(|variable| variable.symbol);
    let variables: Vec<SymbolId> = symbols.filter_map(|symbol| logic.symbol_of(symbol)).collect();
    let is_known = |path: &Path| path.precision == Precision::Exact;
    let is_number = |variable: &Variable| logic.terms.sort(variable.symbol) == Sort::Int;
    if !problem.paths.iter().all(is_known) || !problem.variables.iter().all(is_number) {
        return Ok(None);
    }
    let mut found = Commuting {
        problem,
        variables,
        paths: Vec::new(),
        wraps: vec![None; problem.variables.len()],
        guard: logic.terms.bool(true),
        obligations: Vec::new(),
        witnesses: Vec::new(),
    };
    let mut shared: Option<Term> = None;
    for (number, path) in problem.paths.iter().enumerate() {
        if path.end != End::Again {
            found.witnesses.push(Vec::new());
            continue;
        }
        let mut open = path.clone();
        let Some(adds) = found.adds(logic, number, &mut open)? else { return Ok(None) };
        let fresh: BTreeSet<SymbolId> =
            open.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)).collect();
        let (choice, guard): (Vec<Term>, Vec<Term>) =
            logic.conjuncts(open.guard).into_iter().partition(|part| logic.mentions(*part, &fresh));
        let guard = logic.terms.and(guard);
        let is_chosen = !choice.is_empty() || !adds.inputs.is_empty();
        if !is_chosen || *shared.get_or_insert(guard) != guard {
            return Ok(None);
        }
        let Ok(mut witness) = witnesses(logic, &open, &choice, &fresh)? else { return Ok(None) };
        for added in &adds.inputs {
            witness.push((added.input, logic.terms.int(added.range.0.clone())));
        }
        found.witnesses.push(witness);
        found.paths.push(adds);
    }
    let Some(guard) = shared else { return Ok(None) };
    found.guard = guard;
    // One path is solved better by itself, unless its guard depends on what it reads.
    let read = logic.terms.free_symbols(guard);
    let is_read = |added: &Added| {
        let mut times = found.variables.iter().zip(&added.times);
        times.any(|(variable, times)| read.contains(variable) && !times.is_zero())
    };
    if found.paths.len() == 1 && !found.paths[0].inputs.iter().any(is_read) {
        return Ok(None);
    }
    Ok(Some(found))
}

impl Commuting<'_> {
    /// What a path adds, if that is all it does. The path loses the inputs that it adds, and their ranges.
    fn adds(
        &mut self,
        logic: &mut Logic<'_>,
        number: usize,
        path: &mut Path,
    ) -> Result<Option<Adds>, Error> {
        let changing: BTreeSet<SymbolId> = self.variables.iter().copied().collect();
        let known: Vec<Term> = self.problem.facts.iter().copied().chain([path.guard]).collect();
        let mut adds = Adds { path: number, amounts: Vec::new(), inputs: Vec::new() };
        for (at, variable) in self.problem.variables.iter().enumerate() {
            // A sum that does not wrap where the guard holds.
            let mut update = logic.simplify(&known, &[path.updates[at]])[0];
            let read = |path: &Path| {
                let own = logic.symbol_of(variable.symbol);
                own.is_some_and(|id| logic.terms.free_symbols(path.guard).contains(&id))
            };
            let is_read = self.problem.iterations().any(|(_, path)| read(path));
            if let (Node::Wrap(width, sum), false) = (logic.terms.node(update).clone(), is_read) {
                let wrapped = logic.terms.wrap(width, variable.symbol);
                let in_range = logic.terms.eq(wrapped, variable.symbol);
                if self.wraps[at].replace(width).is_some_and(|other| other != width)
                    || !logic.proves(&self.problem.facts, in_range)?
                {
                    return Ok(None);
                }
                update = sum;
            }
            let amount = logic.terms.sub(update, variable.symbol);
            if logic.terms.is_starred(amount) || logic.mentions(amount, &changing) {
                return Ok(None);
            }
            adds.amounts.push(amount);
        }
        for fresh in path.fresh.clone() {
            let Some(symbol) = logic.symbol_of(fresh.symbol) else { return Ok(None) };
            let alone = BTreeSet::from([symbol]);
            if !adds.amounts.iter().any(|amount| logic.mentions(*amount, &alone)) {
                continue;
            }
            let mut times = Vec::new();
            for amount in &mut adds.amounts {
                let Some((rest, slope)) = linear(logic, *amount, symbol) else { return Ok(None) };
                let Some(number) = logic.terms.as_int(slope).cloned() else { return Ok(None) };
                times.push(number);
                *amount = rest;
            }
            let Some(range) = take_range(logic, path, symbol)? else { return Ok(None) };
            path.fresh.retain(|other| *other != fresh);
            adds.inputs.push(Added { input: fresh.symbol, range, times });
        }
        // Nothing else depends on what is read.
        path.updates = self.problem.variables.iter().map(|variable| variable.symbol).collect();
        Ok(Some(adds))
    }

    /// Whether the guard, once false, stays false, whichever path is taken and whatever it reads.
    fn stays_false(&mut self, logic: &mut Logic<'_>) -> Result<bool, Error> {
        let ended = logic.terms.not(self.guard);
        let start: Vec<Term> = self.problem.variables.iter().map(|v| v.symbol).collect();
        for adds in &self.paths {
            let mut never = vec![ended];
            let mut after = start.clone();
            let inputs: Vec<Term> = adds.inputs.iter().map(|added| added.input).collect();
            adds.once(logic, &mut after, &inputs, &mut never);
            never.push(self.at(logic, self.guard, &after));
            let never = logic.terms.and(never);
            if !logic.refuted(&[never])? {
                return Ok(false);
            }
            let name = format!("the guard, once false, stays false on path {}", adds.path + 1);
            self.obligations.push(Obligation { name, claim: Claim::Unsat(never) });
        }
        Ok(true)
    }

    fn at(&self, logic: &mut Logic<'_>, term: Term, values: &[Term]) -> Term {
        let store: Substitution =
            self.variables.iter().copied().zip(values.iter().copied()).collect();
        logic.put(term, &store)
    }

    /// The case with this last path, or without iterations, that leaves by an exit.
    fn leave(
        &self,
        logic: &mut Logic<'_>,
        last: Option<usize>,
        path: &Path,
        number: usize,
        exit: usize,
    ) -> Result<Option<Case>, Error> {
        let mut conditions = Vec::new();
        let mut values: Vec<Term> = self.problem.variables.iter().map(|v| v.symbol).collect();
        let (mut counters, mut trace, mut draws) = (Vec::new(), Vec::new(), Vec::new());
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        if let Some(last) = last {
            // All iterations but the last, in any order.
            for adds in &self.paths {
                let count = logic.terms.fresh("k", Sort::Int, Origin::default());
                conditions.push(logic.terms.le(zero, count));
                counters.push(count);
                trace.push(Segment::new(Repeated::Path(adds.path), count));
                for (value, amount) in values.iter_mut().zip(&adds.amounts) {
                    let product = logic.terms.mul(count, *amount);
                    *value = logic.terms.add(*value, product);
                }
                for added in &adds.inputs {
                    let total = logic.terms.fresh("sum", Sort::Int, Origin::default());
                    added.within(logic, total, count, &mut conditions);
                    added.add(logic, &mut values, total);
                    counters.push(total);
                    let (path, input, range) = (adds.path, added.input, added.range.clone());
                    draws.push(Draw { path, input, range, count, total });
                }
            }
            conditions.push(self.at(logic, self.guard, &values));
            let adds = &self.paths[last];
            let mut inputs = Vec::new();
            for added in &adds.inputs {
                let own = logic.terms.fresh("in", Sort::Int, Origin::default());
                counters.push(own);
                inputs.push((added.input, own));
            }
            let own: Vec<Term> = inputs.iter().map(|(_, own)| *own).collect();
            adds.once(logic, &mut values, &own, &mut conditions);
            trace.push(Segment { what: Repeated::Path(adds.path), count: one, inputs });
        }
        for (value, wrap) in values.iter_mut().zip(&self.wraps) {
            if let (Some(width), true) = (wrap, last.is_some()) {
                *value = logic.terms.wrap(*width, *value);
            }
        }
        conditions.push(self.at(logic, path.guard, &values));
        let all: Vec<Term> = self.problem.facts.iter().chain(&conditions).copied().collect();
        if logic.refuted(&all)? {
            return Ok(None);
        }
        let updates: Vec<Term> =
            path.updates.iter().map(|update| self.at(logic, *update, &values)).collect();
        Ok(Some(Case {
            condition: logic.terms.and(conditions),
            counters,
            inputs: path.fresh.iter().map(|fresh| fresh.symbol).collect(),
            values: updates,
            before: values,
            exit,
            trace,
            last: number,
            draws,
            streams: Vec::new(),
            taken: Vec::new(),
        }))
    }
}

impl Adds {
    /// One iteration with these inputs, and what holds of them.
    fn once(
        &self,
        logic: &mut Logic<'_>,
        values: &mut [Term],
        inputs: &[Term],
        conditions: &mut Vec<Term>,
    ) {
        let one = logic.terms.int(1);
        for (value, amount) in values.iter_mut().zip(&self.amounts) {
            *value = logic.terms.add(*value, *amount);
        }
        for (added, input) in self.inputs.iter().zip(inputs) {
            added.within(logic, *input, one, conditions);
            added.add(logic, values, *input);
        }
    }
}

impl Added {
    /// The sum of so many inputs is in its range.
    fn within(&self, logic: &mut Logic<'_>, sum: Term, count: Term, conditions: &mut Vec<Term>) {
        let least = logic.terms.scale(count, &self.range.0);
        let most = logic.terms.scale(count, &self.range.1);
        conditions.extend([logic.terms.le(least, sum), logic.terms.le(sum, most)]);
    }

    fn add(&self, logic: &mut Logic<'_>, values: &mut [Term], sum: Term) {
        for (value, times) in values.iter_mut().zip(&self.times) {
            *value = logic.terms.add_scaled(*value, sum, times);
        }
    }
}
