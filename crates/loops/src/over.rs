//! The summary that every loop has: a superset of its executions.
//!
//! After APC (*Abstracting path conditions*, section 3.3), with one counter for each path. Either no iteration is made, or there is a last one. Before it,
//! a variable that every path changes by an amount that the loop does not change is its first value plus the sum of counts times amounts; another one is unknown but
//! for its range, and where no path makes it smaller (or larger) it is not smaller (or larger) than at first. Then the guard of the last path holds,
//! its update is made, and an exit is taken. Every execution that leaves the loop is of this form; not everything of this form is an execution.

use crate::logic::Logic;
use crate::parts::Parts;
use crate::problem::{End, Loop, Path};
use crate::summary::{Case, Covers, Summary, Tag};
use loupe_solver::Error;
use loupe_term::{Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// More cases than these are put together.
const MAX_CASES: usize = 64;

/// The over-approximation of a loop, with the reasons why there is nothing better.
pub(crate) fn over(
    logic: &mut Logic<'_>,
    problem: &Loop,
    reasons: Vec<String>,
) -> Result<Summary, Error> {
    let mut cases = Vec::new();
    if problem.is_partial.is_none() {
        let builder = Builder::new(logic, problem)?;
        for (last, exit) in problem.paths.iter().enumerate() {
            let End::Exit(number) = exit.end else { continue };
            cases.extend(builder.none(logic, exit, last, number)?);
            if problem.paths.len() > MAX_CASES {
                continue;
            }
            for (path, _) in problem.iterations() {
                cases.extend(builder.some(logic, path, exit, last, number)?);
            }
        }
    }
    let tag = match problem.is_partial.is_some() || problem.paths.len() > MAX_CASES {
        true => Tag::Under,
        false => Tag::Over,
    };
    if tag == Tag::Under {
        cases.clear();
    }
    let witnesses = Vec::new();
    Ok(Summary {
        tag,
        cases,
        diverging: Vec::new(),
        covers: Covers::Ending,
        under: None,
        reasons,
        obligations: Vec::new(),
        witnesses,
    })
}

/// How a variable changes over many iterations.
enum Change {
    /// Not at all.
    No,
    /// By a constant amount on each path.
    Sum(Vec<Term>),
    /// Unknown, but not below or above its first value.
    Unknown { grows: bool, falls: bool },
}

struct Builder<'b> {
    problem: &'b Loop,
    variables: Vec<SymbolId>,
    /// The iteration paths, by number.
    paths: Vec<usize>,
    changes: Vec<Change>,
}

impl<'b> Builder<'b> {
    fn new(logic: &mut Logic<'_>, problem: &'b Loop) -> Result<Self, Error> {
        let symbols = problem.variables.iter().map(|variable| variable.symbol);
        let variables: Vec<SymbolId> =
            symbols.filter_map(|symbol| logic.symbol_of(symbol)).collect();
        let paths: Vec<usize> = problem.iterations().map(|(number, _)| number).collect();
        let mut builder = Builder { problem, variables, paths, changes: Vec::new() };
        for variable in 0..builder.variables.len() {
            let change = builder.change(logic, variable)?;
            builder.changes.push(change);
        }
        Ok(builder)
    }

    fn change(&self, logic: &mut Logic<'_>, variable: usize) -> Result<Change, Error> {
        let symbol = self.problem.variables[variable].symbol;
        let paths = self.paths.iter().map(|number| &self.problem.paths[*number]);
        let updates: Vec<(&Path, Term)> =
            paths.map(|path| (path, path.updates[variable])).collect();
        if updates.iter().all(|(_, update)| *update == symbol) {
            return Ok(Change::No);
        }
        if logic.terms.sort(symbol) != Sort::Int {
            return Ok(Change::Unknown { grows: false, falls: false });
        }
        let mut changing: BTreeSet<SymbolId> = self.variables.iter().copied().collect();
        for (path, _) in &updates {
            changing.extend(path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)));
        }
        let mut amounts = Vec::new();
        let (mut grows, mut falls) = (true, true);
        for (path, update) in &updates {
            let amount = logic.terms.sub(*update, symbol);
            let is_fixed = !logic.terms.is_starred(amount) && !logic.mentions(amount, &changing);
            amounts.push(is_fixed.then_some(amount));
            let zero = logic.terms.int(0);
            let given: Vec<Term> = self
                .problem
                .facts
                .iter()
                .copied()
                .chain([logic.terms.weaken(path.guard)])
                .collect();
            let (up, down) = (logic.terms.le(zero, amount), logic.terms.le(amount, zero));
            let starred = logic.terms.is_starred(amount);
            grows = grows && !starred && logic.proves(&given, up)?;
            falls = falls && !starred && logic.proves(&given, down)?;
        }
        Ok(match amounts.into_iter().collect() {
            Some(amounts) => Change::Sum(amounts),
            None => Change::Unknown { grows, falls },
        })
    }

    /// The case without iterations.
    fn none(
        &self,
        logic: &mut Logic<'_>,
        exit: &Path,
        last: usize,
        number: usize,
    ) -> Result<Option<Case>, Error> {
        let parts = Parts { conditions: self.problem.entry.clone(), ..Parts::default() };
        let values: Vec<Term> = self.problem.variables.iter().map(|v| v.symbol).collect();
        self.leave(logic, parts, &values, exit, last, number)
    }

    /// The case whose last iteration takes a path.
    fn some(
        &self,
        logic: &mut Logic<'_>,
        path: usize,
        exit: &Path,
        last: usize,
        number: usize,
    ) -> Result<Option<Case>, Error> {
        let mut parts = Parts { conditions: self.problem.entry.clone(), ..Parts::default() };
        let before = self.before(logic, &mut parts);
        let values = self.take(logic, &mut parts, &before, &self.problem.paths[path]);
        self.leave(logic, parts, &values, exit, last, number)
    }

    /// Values after some iterations.
    fn before(&self, logic: &mut Logic<'_>, parts: &mut Parts) -> Vec<Term> {
        let counts = parts.counts(logic, self.paths.iter().map(|_| None));
        let mut values = Vec::new();
        for (variable, change) in self.problem.variables.iter().zip(&self.changes) {
            let symbol = variable.symbol;
            values.push(match change {
                Change::No => symbol,
                Change::Sum(amounts) => {
                    let mut value = symbol;
                    for (count, amount) in counts.iter().zip(amounts) {
                        let product = logic.terms.mul(*count, *amount);
                        value = logic.terms.add(value, product);
                    }
                    value
                }
                Change::Unknown { grows, falls } => {
                    let value = parts.fresh(logic, &variable.name, logic.terms.sort(symbol));
                    if *grows {
                        parts.conditions.push(logic.terms.le(symbol, value));
                    }
                    if *falls {
                        parts.conditions.push(logic.terms.le(value, symbol));
                    }
                    value
                }
            });
        }
        let store: Substitution =
            self.variables.iter().copied().zip(values.iter().copied()).collect();
        parts.conditions.extend(logic.put_all(&self.problem.facts, &store));
        values
    }

    /// One path from some values: its guard is a condition.
    fn take(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        before: &[Term],
        path: &Path,
    ) -> Vec<Term> {
        let mut store: Substitution =
            self.variables.iter().copied().zip(before.iter().copied()).collect();
        parts.anew(logic, path, &mut store);
        let guard = logic.terms.weaken(path.guard);
        parts.conditions.push(logic.put(guard, &store));
        let mut values = Vec::new();
        for (update, variable) in path.updates.iter().zip(&self.problem.variables) {
            values.push(match logic.terms.is_starred(*update) {
                true => parts.fresh(logic, &variable.name, logic.terms.sort(variable.symbol)),
                false => logic.put(*update, &store),
            });
        }
        let after: Substitution =
            self.variables.iter().copied().zip(values.iter().copied()).collect();
        if path.end == End::Again {
            parts.conditions.extend(logic.put_all(&self.problem.facts, &after));
        }
        values
    }

    fn leave(
        &self,
        logic: &mut Logic<'_>,
        mut parts: Parts,
        before: &[Term],
        exit: &Path,
        last: usize,
        number: usize,
    ) -> Result<Option<Case>, Error> {
        let values = self.take(logic, &mut parts, before, exit);
        let all: Vec<Term> = self.problem.facts.iter().chain(&parts.conditions).copied().collect();
        if logic.refuted(&all)? {
            return Ok(None);
        }
        Ok(Some(parts.case(logic, values, (last, number))))
    }
}
