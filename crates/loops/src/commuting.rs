//! Loops in which inputs choose among paths that commute (GUIDE 4.5).
//!
//! All iteration paths have the same guard over the variables, inputs alone decide between them, and each adds amounts that the loop does not change. So the values after
//! any number of iterations depend only on how often each path was taken. If the guard, once false, stays false, then it holds before every
//! iteration if it holds before the last one, in whatever order the others came. So the counts that are possible are: all 0, or some path is taken at least once and the
//! guard holds in the state one iteration of that path earlier. Both directions are an argument: this is exact.

use crate::certificate::{Claim, Obligation};
use crate::induction::Induction;
use crate::logic::Logic;
use crate::problem::{End, Loop, Path, Precision};
use crate::step::witnesses;
use crate::summary::{Case, Repeated, Segment, Summary, Tag};
use loupe_solver::Error;
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term, Width};
use std::collections::BTreeSet;

struct Commuting<'c> {
    problem: &'c Loop,
    variables: Vec<SymbolId>,
    /// The iteration paths, and what each adds to each variable.
    paths: Vec<(usize, Vec<Term>)>,
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
    let cases = std::mem::take(&mut summary.cases);
    for mut case in cases {
        let known: Vec<Term> = problem.entry.iter().copied().chain([case.condition]).collect();
        let all: Vec<Term> = problem.facts.iter().chain(&known).copied().collect();
        if problem.entry.is_empty() || !logic.refuted(&all)? {
            case.condition = logic.terms.and(known);
            summary.cases.push(case);
        }
    }
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
        reasons: Vec::new(),
        obligations,
        witnesses,
    }))
}

fn recognise<'c>(logic: &mut Logic<'_>, problem: &'c Loop) -> Result<Option<Commuting<'c>>, Error> {
    let symbols = problem.variables.iter().map(|variable| variable.symbol);
    let variables: Vec<SymbolId> = symbols.filter_map(|symbol| logic.symbol_of(symbol)).collect();
    let changing: BTreeSet<SymbolId> = variables.iter().copied().collect();
    if problem.paths.iter().any(|path| path.precision == Precision::Over) {
        return Ok(None);
    }
    let mut paths = Vec::new();
    let mut wraps = vec![None; problem.variables.len()];
    let mut shared: Option<Term> = None;
    let mut all_witnesses = Vec::new();
    for (number, path) in problem.paths.iter().enumerate() {
        if path.end != End::Again {
            all_witnesses.push(Vec::new());
            continue;
        }
        let fresh: BTreeSet<SymbolId> =
            path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)).collect();
        let (choice, guard): (Vec<Term>, Vec<Term>) =
            logic.conjuncts(path.guard).into_iter().partition(|part| logic.mentions(*part, &fresh));
        let guard = logic.terms.and(guard);
        if choice.is_empty() || *shared.get_or_insert(guard) != guard {
            return Ok(None);
        }
        match witnesses(logic, path, &choice, &fresh)? {
            Ok(found) => all_witnesses.push(found),
            Err(_) => return Ok(None),
        }
        let mut amounts = Vec::new();
        for (variable, update) in problem.variables.iter().zip(&path.updates) {
            if logic.terms.sort(variable.symbol) != Sort::Int {
                return Ok(None);
            }
            // A sum that does not wrap where the guard holds.
            let known: Vec<Term> = problem.facts.iter().copied().chain([guard]).collect();
            let mut update = logic.simplify(&known, &[*update])[0];
            let unread = logic
                .symbol_of(variable.symbol)
                .is_some_and(|id| !logic.terms.free_symbols(guard).contains(&id));
            if let (Node::Wrap(width, sum), true) = (logic.terms.node(update).clone(), unread) {
                let wrapped = logic.terms.wrap(width, variable.symbol);
                let in_range = logic.terms.eq(wrapped, variable.symbol);
                if wraps[amounts.len()].replace(width).is_some_and(|other| other != width)
                    || !logic.proves(&problem.facts, in_range)?
                {
                    return Ok(None);
                }
                update = sum;
            }
            let amount = logic.terms.sub(update, variable.symbol);
            if logic.terms.is_starred(amount) || logic.mentions(amount, &changing) {
                return Ok(None);
            }
            amounts.push(amount);
        }
        paths.push((number, amounts));
    }
    let Some(guard) = shared.filter(|_| paths.len() > 1) else { return Ok(None) };
    let obligations = Vec::new();
    Ok(Some(Commuting {
        problem,
        variables,
        paths,
        wraps,
        guard,
        obligations,
        witnesses: all_witnesses,
    }))
}

impl Commuting<'_> {
    /// Whether the guard, once false, stays false, whichever path is taken.
    fn stays_false(&mut self, logic: &mut Logic<'_>) -> Result<bool, Error> {
        let ended = logic.terms.not(self.guard);
        for (number, amounts) in &self.paths {
            let after: Vec<Term> = self
                .problem
                .variables
                .iter()
                .zip(amounts)
                .map(|(variable, amount)| logic.terms.add(variable.symbol, *amount))
                .collect();
            let again = self.at(logic, self.guard, &after);
            let never = logic.terms.and([ended, again]);
            if !logic.refuted(&[never])? {
                return Ok(false);
            }
            let name = format!("the guard, once false, stays false on path {}", number + 1);
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
        let (mut counters, mut trace) = (Vec::new(), Vec::new());
        if let Some(last) = last {
            for (at, (origin, amounts)) in self.paths.iter().enumerate() {
                let count = logic.terms.fresh("k", Sort::Int, Origin::default());
                let least = logic.terms.int(i64::from(at == last));
                conditions.push(logic.terms.le(least, count));
                for (value, amount) in values.iter_mut().zip(amounts) {
                    let product = logic.terms.mul(count, *amount);
                    *value = logic.terms.add(*value, product);
                }
                counters.push(count);
                trace.push(Segment { what: Repeated::Path(*origin), count });
            }
            let segment = trace.remove(last);
            trace.push(segment);
            let earlier: Vec<Term> = values
                .iter()
                .zip(&self.paths[last].1)
                .map(|(value, amount)| logic.terms.sub(*value, *amount))
                .collect();
            conditions.push(self.at(logic, self.guard, &earlier));
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
            exit,
            trace,
            last: number,
        }))
    }
}
