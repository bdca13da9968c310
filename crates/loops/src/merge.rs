//! Cases that are one: a trace with `k ≥ n` repetitions, and the same trace with `n - 1`.
//!
//! A path or a round is solved for one repetition and for many apart, because closed forms may hold only from some iteration on. Where they hold from the start, the
//! two cases say the same of different numbers, and become one. All that is compared are terms in normal form, so nothing has to be proved.

use crate::logic::Logic;
use crate::summary::{Case, Repeated, Segment};
use loupe_integer::Integer;
use loupe_term::{Substitution, Term};
use std::collections::BTreeSet;

/// The same cases in fewer, where the facts hold.
pub(crate) fn merged(logic: &mut Logic<'_>, facts: &[Term], mut cases: Vec<Case>) -> Vec<Case> {
    let mut at = 0;
    while at < cases.len() {
        match extended(logic, facts, &cases, at) {
            Some((wider, other)) => {
                cases[at] = wider;
                cases.remove(other);
                at -= usize::from(other < at);
            }
            None => at += 1,
        }
    }
    cases
}

/// A case that counts from one less, and the case that it then contains.
fn extended(
    logic: &mut Logic<'_>,
    facts: &[Term],
    cases: &[Case],
    at: usize,
) -> Option<(Case, usize)> {
    let case = &cases[at];
    if !case.draws.is_empty() {
        return None;
    }
    for counter in &case.counters {
        let Some((least, others)) = bounded(logic, case, *counter) else { continue };
        let Some(symbol) = logic.symbol_of(*counter) else { continue };
        let before = least.sub(&Integer::ONE);
        if before < Integer::ZERO {
            continue;
        }
        let number = logic.terms.int(before);
        let store: Substitution = [(symbol, number)].into_iter().collect();
        let conditions: BTreeSet<Term> = logic
            .put_all(&others, &store)
            .into_iter()
            .flat_map(|part| logic.conjuncts(part))
            .collect();
        // `wrap(x + 0)` is x, since x is in its range.
        let values = logic.put_all(&case.values, &store);
        let values = logic.simplify(facts, &values);
        let trace: Vec<Segment> =
            case.trace.iter().map(|part| part.map(|term| logic.put(term, &store))).collect();
        let trace = tidied(logic, trace);
        let rest: Vec<Term> = case.counters.iter().copied().filter(|k| k != counter).collect();
        let same = cases.iter().enumerate().position(|(number, other)| {
            number != at
                && other.exit == case.exit
                && other.last == case.last
                && other.values == values
                && other.counters == rest
                && other.draws.is_empty()
                && logic.conjuncts(other.condition).into_iter().collect::<BTreeSet<_>>()
                    == conditions
                && is_same(&tidied(logic, other.trace.clone()), &trace)
        });
        let Some(same) = same else { continue };
        let bound = logic.terms.le(number, *counter);
        let condition = logic.terms.and(others.into_iter().chain([bound]));
        let before = logic.put_all(&case.before, &store);
        let before = match logic.simplify(facts, &before) == cases[same].before {
            true => case.before.clone(),
            false => Vec::new(),
        };
        return Some((Case { condition, before, ..case.clone() }, same));
    }
    None
}

/// The least value of a counter, if the condition has one, and what else it says.
fn bounded(logic: &mut Logic<'_>, case: &Case, counter: Term) -> Option<(Integer, Vec<Term>)> {
    let parts = logic.conjuncts(case.condition);
    for (at, part) in parts.iter().enumerate() {
        for least in 1..=MAX_LEAST {
            let number = logic.terms.int(least);
            if logic.terms.le(number, counter) == *part {
                let mut others = parts.clone();
                others.remove(at);
                return Some((Integer::from(least), others));
            }
        }
    }
    None
}

/// Closed forms hold from one of the first iterations on.
const MAX_LEAST: i64 = 8;

/// Without what is repeated not at all.
fn tidied(logic: &Logic<'_>, trace: Vec<Segment>) -> Vec<Segment> {
    let is_none = |part: &Segment| logic.terms.as_int(part.count) == Some(&Integer::ZERO);
    trace.into_iter().filter(|part| !is_none(part)).collect()
}

fn is_same(one: &[Segment], other: &[Segment]) -> bool {
    let mut open = vec![(one, other)];
    while let Some((one, other)) = open.pop() {
        if one.len() != other.len() {
            return false;
        }
        for (one, other) in one.iter().zip(other) {
            if one.count != other.count || one.inputs != other.inputs {
                return false;
            }
            match (&one.what, &other.what) {
                (Repeated::Path(one), Repeated::Path(other)) if one == other => {}
                (Repeated::OneOf(one), Repeated::OneOf(other)) if one == other => {}
                (Repeated::Round(one), Repeated::Round(other)) => open.push((one, other)),
                _ => return false,
            }
        }
    }
    true
}
