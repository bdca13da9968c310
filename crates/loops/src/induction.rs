//! What makes a summary complete, checked by induction and without a look at how it was found.
//!
//! The cases of a summary are a relation `C` between entries and exits. It holds all executions that leave the loop if it is *closed*: every exit path by itself is
//! in `C`, and an iteration before an execution in `C` gives one in `C` again. Both are formulas over one iteration, whatever inputs it reads. That
//! they hold is proved with a witness for the counters: one more iteration of some part of the trace, or a part of its own.
//!
//! The other direction, that what `C` says happens, is checked along the traces (`certify`), or, where counts stand for iterations in any order, by a second
//! induction: where counts are left, some path can be taken, and the rest is in `C` with one iteration less. The sum of the counts falls, so that ends.
//!
//! Entries that never leave are *kept*: no exit is enabled there, some iteration is, and every iteration leads to such an entry again (GUIDE 4.7).

use crate::certificate::{Claim, Obligation};
use crate::logic::Logic;
use crate::problem::{End, Loop, Path};
use crate::summary::{Case, Divergence, Repeated, Segment};
use loupe_solver::Error;
use loupe_term::{Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// So many claims are proved for one summary; a larger one is not checked this way.
const MAX_CLAIMS: usize = 600;

/// What was not proved.
pub(crate) type Failure = String;

type Proved = Result<Result<(), Failure>, Error>;

pub(crate) struct Induction<'i> {
    problem: &'i Loop,
    variables: Vec<SymbolId>,
    pub(crate) obligations: Vec<Obligation>,
}

/// A trace with its counters, as one sees it from another one.
struct View<'v> {
    trace: &'v [Segment],
    counters: &'v [Term],
}

impl<'i> Induction<'i> {
    pub(crate) fn new(logic: &Logic<'_>, problem: &'i Loop) -> Self {
        let symbols = problem.variables.iter();
        let variables = symbols.filter_map(|variable| logic.symbol_of(variable.symbol)).collect();
        Induction { problem, variables, obligations: Vec::new() }
    }

    /// The cases hold all executions that leave the loop.
    pub(crate) fn closed(&mut self, logic: &mut Logic<'_>, cases: &[Case]) -> Proved {
        let iterations = self.problem.iterations().count();
        if iterations * cases.len() > MAX_CLAIMS {
            return Ok(Err("there are too many cases for a proof by induction".into()));
        }
        for (number, path) in self.problem.paths.iter().enumerate() {
            let proved = match path.end {
                End::Exit(exit) => self.leaves(logic, cases, (number, path), exit)?,
                End::Again => self.precedes(logic, cases, (number, path))?,
            };
            if proved.is_err() {
                return Ok(proved);
            }
        }
        Ok(Ok(()))
    }

    /// Leaving at once is in a case.
    fn leaves(
        &mut self,
        logic: &mut Logic<'_>,
        cases: &[Case],
        (number, path): (usize, &Path),
        exit: usize,
    ) -> Proved {
        let zero = logic.terms.int(0);
        let mut ways = Vec::new();
        for case in cases.iter().filter(|case| case.exit == exit) {
            let store = counts(logic, &case.counters, &vec![zero; case.counters.len()]);
            ways.push(self.is_in(logic, case, &store, &path.updates));
        }
        let any = logic.terms.or(ways);
        let given: Vec<Term> = self.problem.facts.iter().copied().chain([path.guard]).collect();
        let name = format!("leaving at once by path {} is in a case", number + 1);
        self.claim(logic, &name, &given, any)
    }

    /// An iteration before what is in a case is in a case.
    fn precedes(
        &mut self,
        logic: &mut Logic<'_>,
        cases: &[Case],
        (number, path): (usize, &Path),
    ) -> Proved {
        let after: Substitution =
            self.variables.iter().copied().zip(path.updates.iter().copied()).collect();
        for (which, case) in cases.iter().enumerate() {
            let mut given = self.problem.facts.clone();
            given.push(path.guard);
            given.extend(logic.put_all(&self.problem.facts, &after));
            given.push(logic.put(case.condition, &after));
            let values = logic.put_all(&case.values, &after);
            let rest: Vec<Segment> = case
                .trace
                .iter()
                .map(|part| Segment {
                    what: part.what.clone(),
                    count: logic.put(part.count, &after),
                })
                .collect();
            let mut ways = Vec::new();
            for longer in cases.iter().filter(|longer| longer.exit == case.exit) {
                let to = View { trace: &longer.trace, counters: &longer.counters };
                for store in witnesses(logic, &rest, &to, number, 1) {
                    ways.push(self.is_in(logic, longer, &store, &values));
                }
            }
            let any = logic.terms.or(ways);
            let name = format!("path {} before case {} is in a case", number + 1, which + 1);
            let proved = self.claim(logic, &name, &given, any)?;
            if proved.is_err() {
                return Ok(proved);
            }
        }
        Ok(Ok(()))
    }

    /// From these entries with these counters, the case says these values.
    fn is_in(
        &self,
        logic: &mut Logic<'_>,
        case: &Case,
        store: &Substitution,
        values: &[Term],
    ) -> Term {
        let mut parts = vec![logic.put(case.condition, store)];
        for (left, right) in case.values.iter().zip(values) {
            let left = logic.put(*left, store);
            parts.push(logic.terms.eq(left, *right));
        }
        logic.terms.and(parts)
    }

    /// Where counts stand for iterations in any order: while some are left, a path can be taken with these inputs, and what is left is in a case.
    pub(crate) fn realised(
        &mut self,
        logic: &mut Logic<'_>,
        cases: &[Case],
        inputs: &[Vec<(Term, Term)>],
    ) -> Proved {
        let one = logic.terms.int(1);
        let zero = logic.terms.int(0);
        for (which, case) in cases.iter().enumerate() {
            if case.counters.is_empty() {
                continue;
            }
            let given: Vec<Term> =
                self.problem.facts.iter().copied().chain([case.condition]).collect();
            let mut ways = Vec::new();
            for (number, path) in self.problem.iterations() {
                let Some(at) = position(&case.trace, number) else { continue };
                let chosen = inputs.get(number).into_iter().flatten();
                let chosen: Substitution = chosen
                    .filter_map(|(symbol, value)| Some((logic.symbol_of(*symbol)?, *value)))
                    .collect();
                let guard = logic.put(path.guard, &chosen);
                let updates = logic.put_all(&path.updates, &chosen);
                let mut after: Substitution =
                    self.variables.iter().copied().zip(updates.iter().copied()).collect();
                let counter = case.trace[at].count;
                let some = logic.terms.le(one, counter);
                let fewer = logic.terms.sub(counter, one);
                if let Some(symbol) = logic.symbol_of(counter) {
                    after.insert(symbol, fewer);
                }
                for next in cases.iter().filter(|next| next.last == case.last) {
                    let is_same = std::ptr::eq(next, case);
                    if !is_same && !next.counters.is_empty() {
                        continue;
                    }
                    let mut parts = vec![guard, some, logic.put(next.condition, &after)];
                    if !is_same {
                        let mut left: Vec<Term> = case.counters.clone();
                        left = logic.put_all(&left, &after);
                        parts.extend(left.into_iter().map(|count| logic.terms.eq(count, zero)));
                    }
                    for (left, right) in next.values.iter().zip(&case.values) {
                        let left = logic.put(*left, &after);
                        parts.push(logic.terms.eq(left, *right));
                    }
                    ways.push(logic.terms.and(parts));
                }
            }
            let none_negative: Vec<Term> =
                case.counters.iter().map(|counter| logic.terms.le(zero, *counter)).collect();
            let any = logic.terms.or(ways);
            let claim = logic.terms.and(none_negative.into_iter().chain([any]));
            let name = format!("case {} happens, one iteration after the other", which + 1);
            let proved = self.claim(logic, &name, &given, claim)?;
            if proved.is_err() {
                return Ok(proved);
            }
        }
        Ok(Ok(()))
    }

    /// From these entries the loop is never left.
    pub(crate) fn kept(&mut self, logic: &mut Logic<'_>, sets: &[&Divergence]) -> Proved {
        if self.problem.paths.len() * sets.len() > MAX_CLAIMS {
            return Ok(Err("there are too many diverging entries for a proof".into()));
        }
        for (which, set) in sets.iter().enumerate() {
            let mut given = self.problem.facts.clone();
            given.push(set.condition);
            for (number, path) in self.problem.paths.iter().enumerate() {
                let claim = match path.end {
                    End::Exit(_) => logic.terms.not(path.guard),
                    End::Again => {
                        let stays = self.stays(logic, sets, set, (number, path));
                        logic.terms.implies(path.guard, stays)
                    }
                };
                let name =
                    format!("diverging entries {} are kept by path {}", which + 1, number + 1);
                let proved = self.claim(logic, &name, &given, claim)?;
                if proved.is_err() {
                    return Ok(proved);
                }
            }
        }
        Ok(Ok(()))
    }

    fn stays(
        &self,
        logic: &mut Logic<'_>,
        sets: &[&Divergence],
        set: &Divergence,
        (number, path): (usize, &Path),
    ) -> Term {
        let after: Substitution =
            self.variables.iter().copied().zip(path.updates.iter().copied()).collect();
        let mut ways = Vec::new();
        for next in sets {
            let to = View { trace: &next.trace, counters: &next.counters };
            for counts in witnesses(logic, &set.trace, &to, number, -1) {
                // Counters are those of the set, the variables those afterwards.
                let mut store = after.clone();
                store.extend(counts);
                ways.push(logic.put(next.condition, &store));
            }
        }
        logic.terms.or(ways)
    }

    fn claim(&mut self, logic: &mut Logic<'_>, name: &str, given: &[Term], claim: Term) -> Proved {
        if logic.terms.as_bool(claim) == Some(true) {
            return Ok(Ok(()));
        }
        if !logic.proves(given, claim)? {
            return Ok(Err(format!("it was not proved that {name}")));
        }
        let opposite = logic.terms.not(claim);
        let never = logic.terms.and(given.iter().copied().chain([opposite]));
        if logic.terms.as_bool(never) != Some(false) {
            self.obligations.push(Obligation { name: name.into(), claim: Claim::Unsat(never) });
        }
        Ok(Ok(()))
    }
}

/// Where a path is in a trace.
fn position(trace: &[Segment], path: usize) -> Option<usize> {
    trace.iter().position(|part| matches!(part.what, Repeated::Path(number) if number == path))
}

fn counts(logic: &Logic<'_>, counters: &[Term], values: &[Term]) -> Substitution {
    counters
        .iter()
        .zip(values)
        .filter_map(|(counter, value)| Some((logic.symbol_of(*counter)?, *value)))
        .collect()
}

/// Values for the counters of a trace that is one iteration of a path longer (or shorter) than another. These are guesses, good ones: nothing
/// depends on them but whether the proof is found.
fn witnesses(
    logic: &mut Logic<'_>,
    other: &[Segment],
    to: &View<'_>,
    path: usize,
    difference: i64,
) -> Vec<Substitution> {
    // From the end, since the difference is at the start.
    let mut matched: Vec<Option<Term>> = vec![None; to.trace.len()];
    let mut rest = other.len();
    for (at, part) in to.trace.iter().enumerate().rev() {
        let found =
            other[..rest].iter().rposition(|candidate| is_alike(&candidate.what, &part.what));
        if let Some(found) = found {
            matched[at] = Some(other[found].count);
            rest = found;
        }
    }
    // Parts in any order: what was not found at its place may be elsewhere.
    for (at, part) in to.trace.iter().enumerate() {
        if matched[at].is_none() {
            let found = other.iter().find(|candidate| is_alike(&candidate.what, &part.what));
            matched[at] = found.map(|found| found.count);
        }
    }
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let mut found: Vec<Vec<Term>> = Vec::new();
    for unmatched in [one, zero] {
        let mut plain = Vec::new();
        for counter in to.counters {
            let at = to.trace.iter().position(|part| part.count == *counter);
            let own = at.is_some_and(
                |at| matches!(to.trace[at].what, Repeated::Path(number) if number == path),
            );
            let value = at.and_then(|at| matched[at]);
            plain.push(value.unwrap_or(if own { one } else { unmatched }));
        }
        for changed in 0..plain.len() {
            let step = logic.terms.int(difference);
            let others = [logic.terms.add(plain[changed], step), zero, one];
            for other in others {
                let mut values = plain.clone();
                values[changed] = other;
                found.push(values);
            }
        }
        found.push(plain);
    }
    let mut seen = BTreeSet::new();
    found.retain(|values| seen.insert(values.clone()));
    found.iter().map(|values| counts(logic, to.counters, values)).collect()
}

/// Whether the same is repeated, however often, and wherever a round begins.
fn is_alike(one: &Repeated, other: &Repeated) -> bool {
    match (one, other) {
        (Repeated::Path(one), Repeated::Path(other)) => one == other,
        (Repeated::Round(_), Repeated::Round(_)) => paths_of(one) == paths_of(other),
        _ => false,
    }
}

fn paths_of(what: &Repeated) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::new(), vec![what]);
    while let Some(what) = open.pop() {
        match what {
            Repeated::Path(path) => {
                found.insert(*path);
            }
            Repeated::Round(parts) => open.extend(parts.iter().map(|part| &part.what)),
        }
    }
    found
}

#[cfg(test)]
mod tests;
