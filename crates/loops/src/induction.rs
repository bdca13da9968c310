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

use crate::certificate::{Failure, Obligation, prove};
use crate::logic::Logic;
use crate::problem::{End, Loop, Path};
use crate::summary::{Case, Divergence, Draw, Repeated, Segment};
use loupe_solver::Error;
use loupe_term::{Origin, Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// So many claims are proved for one summary; a larger one is not checked this way.
const MAX_CLAIMS: usize = 600;

type Proved = Result<Result<(), Failure>, Error>;

pub(crate) struct Induction<'i> {
    problem: &'i Loop,
    variables: Vec<SymbolId>,
    pub(crate) obligations: Vec<Obligation>,
}

/// The iteration by which a trace is longer.
struct First {
    /// Its path.
    number: usize,
    /// What it reads.
    inputs: Vec<Term>,
    /// Instead of the symbols of the path.
    names: Substitution,
}

/// A trace with its counters, as one sees it from another one.
struct View<'v> {
    trace: &'v [Segment],
    counters: &'v [Term],
    draws: &'v [Draw],
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
        // It reads inputs of its own: the last path of a case may have symbols in common with it.
        let mut first = First { number, inputs: Vec::new(), names: Substitution::default() };
        for fresh in &path.fresh {
            let own = logic.terms.fresh("in", Sort::Int, Origin::default());
            first.names.extend(logic.symbol_of(fresh.symbol).map(|id| (id, own)));
            first.inputs.push(own);
        }
        for (_, other) in self.problem.iterations() {
            for (fresh, own) in other.fresh.iter().zip(&first.inputs) {
                if let Some(id) = logic.symbol_of(fresh.symbol) {
                    first.names.entry(id).or_insert(*own);
                }
            }
        }
        let updates = logic.put_all(&path.updates, &first.names);
        let after: Substitution = self.variables.iter().copied().zip(updates).collect();
        for (which, case) in cases.iter().enumerate() {
            let mut given = self.problem.facts.clone();
            given.push(logic.put(path.guard, &first.names));
            given.extend(logic.put_all(&self.problem.facts, &after));
            given.push(logic.put(case.condition, &after));
            let values = logic.put_all(&case.values, &after);
            let rest: Vec<Segment> =
                case.trace.iter().map(|part| part.map(|term| logic.put(term, &after))).collect();
            let from = View { trace: &rest, counters: &case.counters, draws: &case.draws };
            let mut ways = Vec::new();
            for longer in cases.iter().filter(|longer| longer.exit == case.exit) {
                let to = View::of(longer);
                for store in witnesses(logic, &from, &to, &first, 1) {
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
        let zero = logic.terms.int(0);
        for (which, case) in cases.iter().enumerate() {
            if case.counters.is_empty() {
                continue;
            }
            let given: Vec<Term> =
                self.problem.facts.iter().copied().chain([case.condition]).collect();
            let mut ways = Vec::new();
            for (number, path) in self.problem.iterations() {
                for part in case.trace.iter().filter(|part| is_path(&part.what, number)) {
                    let step = first_step(logic, case, part, inputs.get(number));
                    let guard = logic.put(path.guard, &step.inputs);
                    let updates = logic.put_all(&path.updates, &step.inputs);
                    let mut after = step.left;
                    after.extend(self.variables.iter().copied().zip(updates));
                    for next in cases.iter().filter(|next| next.last == case.last) {
                        let is_same = std::ptr::eq(next, case);
                        if is_same != step.is_counted || !is_same && !next.counters.is_empty() {
                            continue;
                        }
                        let mut parts = vec![guard, step.is_there];
                        parts.push(logic.put(next.condition, &after));
                        for (left, right) in next.values.iter().zip(&case.values) {
                            let left = logic.put(*left, &after);
                            parts.push(logic.terms.eq(left, *right));
                        }
                        ways.push(logic.terms.and(parts));
                    }
                }
            }
            let none_negative: Vec<Term> =
                case.trace.iter().map(|part| logic.terms.le(zero, part.count)).collect();
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
        let from = View { trace: &set.trace, counters: &set.counters, draws: &[] };
        let first = First { number, inputs: Vec::new(), names: Substitution::default() };
        let mut ways = Vec::new();
        for next in sets {
            let to = View { trace: &next.trace, counters: &next.counters, draws: &[] };
            for counts in witnesses(logic, &from, &to, &first, -1) {
                // Counters are those of the set, the variables those afterwards.
                let mut store = after.clone();
                store.extend(counts);
                ways.push(logic.put(next.condition, &store));
            }
        }
        logic.terms.or(ways)
    }

    fn claim(&mut self, logic: &mut Logic<'_>, name: &str, given: &[Term], claim: Term) -> Proved {
        prove(logic, &mut self.obligations, name, given, claim)
    }
}

/// An iteration that is taken out of a case.
struct Step {
    /// Whether a count falls. Otherwise it is the last iteration, which is the only one then.
    is_counted: bool,
    /// When there is one.
    is_there: Term,
    /// What it reads.
    inputs: Substitution,
    /// What is left of the counters.
    left: Substitution,
}

/// The first iteration of a part of a case, with these inputs. Of a sum it takes what the others could not make up for.
fn first_step(
    logic: &mut Logic<'_>,
    case: &Case,
    part: &Segment,
    inputs: Option<&Vec<(Term, Term)>>,
) -> Step {
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let symbol =
        |logic: &Logic<'_>, (of, value): &(Term, Term)| Some((logic.symbol_of(*of)?, *value));
    let all = inputs.into_iter().flatten().chain(&part.inputs);
    let mut inputs: Substitution = all.filter_map(|pair| symbol(logic, pair)).collect();
    let mut left = Substitution::default();
    let Some(counter) = logic.symbol_of(part.count) else {
        let counted = case.trace.iter().filter(|other| logic.symbol_of(other.count).is_some());
        let counts: Vec<Term> = counted.map(|other| other.count).collect();
        let none: Vec<Term> = counts.into_iter().map(|count| logic.terms.eq(count, zero)).collect();
        return Step { is_counted: false, is_there: logic.terms.and(none), inputs, left };
    };
    let fewer = logic.terms.sub(part.count, one);
    left.insert(counter, fewer);
    for draw in case.draws.iter().filter(|draw| draw.count == part.count) {
        let most = logic.terms.scale(fewer, &draw.range.1);
        let needed = logic.terms.sub(draw.total, most);
        let least = logic.terms.int(draw.range.0.clone());
        let is_little = logic.terms.le(needed, least);
        let taken = logic.terms.ite(is_little, least, needed);
        let rest = logic.terms.sub(draw.total, taken);
        inputs.extend(logic.symbol_of(draw.input).map(|id| (id, taken)));
        left.extend(logic.symbol_of(draw.total).map(|id| (id, rest)));
    }
    Step { is_counted: true, is_there: logic.terms.le(one, part.count), inputs, left }
}

fn counts(logic: &Logic<'_>, counters: &[Term], values: &[Term]) -> Substitution {
    counters
        .iter()
        .zip(values)
        .filter_map(|(counter, value)| Some((logic.symbol_of(*counter)?, *value)))
        .collect()
}

impl<'v> View<'v> {
    fn of(case: &'v Case) -> Self {
        View { trace: &case.trace, counters: &case.counters, draws: &case.draws }
    }

    /// The parts of another trace that are the same as those of this one: from the end, since the difference is at the start, and then wherever they are.
    fn matched(&self, other: &View<'_>) -> Vec<Option<usize>> {
        let mut matched: Vec<Option<usize>> = vec![None; self.trace.len()];
        let mut rest = other.trace.len();
        for (at, part) in self.trace.iter().enumerate().rev() {
            let found = other.trace[..rest].iter().rposition(|other| is_alike(other, part));
            if let Some(found) = found {
                matched[at] = Some(found);
                rest = found;
            }
        }
        for (at, part) in self.trace.iter().enumerate() {
            if matched[at].is_none() {
                let mut all = other.trace.iter().enumerate();
                let found =
                    all.find(|(n, other)| is_alike(other, part) && !matched.contains(&Some(*n)));
                matched[at] = found.map(|(n, _)| n);
            }
        }
        matched
    }

    /// What stands for a counter that is no count: a sum of inputs, or an input.
    fn drawn(
        &self,
        logic: &mut Logic<'_>,
        other: &View<'_>,
        matched: &[Option<usize>],
        counter: Term,
        counted: Option<usize>,
    ) -> Option<Term> {
        if let Some(at) = self.draws.iter().position(|draw| draw.total == counter) {
            let draw = &self.draws[at];
            let is_same = |other: &&Draw| other.path == draw.path && other.input == draw.input;
            let later = self.draws[at..].iter().filter(is_same).count();
            let known = other.draws.iter().rev().filter(is_same).nth(later - 1);
            let known = known.map_or_else(|| logic.terms.int(0), |draw| draw.total);
            return Some(match Some(draw.path) == counted {
                true => logic.terms.add(known, draw.input),
                false => known,
            });
        }
        for (at, part) in self.trace.iter().enumerate() {
            if let Some((input, _)) = part.inputs.iter().find(|(_, value)| *value == counter) {
                let known = matched[at].and_then(|found| {
                    let inputs = &other.trace[found].inputs;
                    inputs.iter().find(|(of, _)| of == input).map(|(_, value)| *value)
                });
                return Some(known.unwrap_or(*input));
            }
        }
        None
    }
}

/// Values for the counters of a trace that is one iteration of a path longer (or shorter) than another. These are guesses, good ones: nothing
/// depends on them but whether the proof is found.
fn witnesses(
    logic: &mut Logic<'_>,
    other: &View<'_>,
    to: &View<'_>,
    first: &First,
    difference: i64,
) -> Vec<Substitution> {
    let number = first.number;
    let matched = to.matched(other);
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let mut found: Vec<Vec<Term>> = Vec::new();
    // The iteration is one that is counted (by a part of its own or not; by a path that stands for its path), or one whose inputs the trace has.
    let mut counted: Vec<Option<usize>> = vec![Some(number), None];
    counted.extend(to.draws.iter().map(|draw| Some(draw.path)));
    counted.dedup();
    let guesses = counted.into_iter().flat_map(|counted| [(counted, one), (counted, zero)]);
    for (counted, unmatched) in guesses {
        let mut plain = Vec::new();
        let mut drawn = Vec::new();
        for counter in to.counters {
            let value = to.drawn(logic, other, &matched, *counter, counted);
            let value = value.map(|value| logic.put(value, &first.names));
            drawn.push(value.is_some());
            let at = to.trace.iter().position(|part| part.count == *counter);
            let is_own =
                at.is_some_and(|at| counted.is_some_and(|n| is_path(&to.trace[at].what, n)));
            let value = value.or_else(|| Some(other.trace[matched[at?]?].count));
            plain.push(value.unwrap_or(if is_own { one } else { unmatched }));
        }
        for changed in 0..plain.len() {
            let step = logic.terms.int(difference);
            let others = match drawn[changed] {
                true => other_inputs(logic, plain[changed], first),
                false => vec![logic.terms.add(plain[changed], step), zero, one],
            };
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

/// Another path that stands for this one has inputs of its own, which may be meant.
fn other_inputs(logic: &mut Logic<'_>, value: Term, first: &First) -> Vec<Term> {
    first.inputs.iter().map(|input| logic.terms.add(value, *input)).collect()
}

fn is_path(what: &Repeated, number: usize) -> bool {
    matches!(what, Repeated::Path(path) if *path == number)
}

/// Whether the same is repeated, however often, and wherever a round begins.
fn is_alike(one: &Segment, other: &Segment) -> bool {
    let same = match (&one.what, &other.what) {
        (Repeated::Path(one), Repeated::Path(other)) => one == other,
        (Repeated::Round(_), Repeated::Round(_)) | (Repeated::OneOf(_), Repeated::OneOf(_)) => {
            paths_of(&one.what) == paths_of(&other.what)
        }
        _ => false,
    };
    same && one.inputs.is_empty() == other.inputs.is_empty()
}

fn paths_of(what: &Repeated) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::new(), vec![what]);
    while let Some(what) = open.pop() {
        match what {
            Repeated::Path(path) => {
                found.insert(*path);
            }
            Repeated::Round(parts) => open.extend(parts.iter().map(|part| &part.what)),
            Repeated::OneOf(paths) => found.extend(paths),
        }
    }
    found
}

#[cfg(test)]
mod tests;
