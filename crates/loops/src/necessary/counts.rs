//! Counters of loops inside as terms: the relation of inner to outer counters of the long version of *Abstracting Path Conditions*, section 5.1.2.
//!
//! A loop inside another has counters of its own, new in every iteration of the outer one. Where what a path says of such a counter determines it, as `max(0, ⌈e⌉)` for a linear e over the values at the header of the outer loop, that term takes its place: nothing is
//! new then, and with the values after κ iterations put in it is the report's `max(0, M·κ + w)`. The report has a solver guess the coefficients, in a query that leaves arrays existentially interpreted and so accepts nonsense for `while (A[j] != 0) j++`. Here the condition under
//! which the inner loop is left says what e is, and the equation is *proved* from the guard of the path, for all values of everything in it, arrays included.

use super::is_easy;
use crate::accelerate::linear;
use crate::logic::Logic;
use crate::problem::{End, FreshKind, Loop, Path};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Rounding, Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// So many terms are tried.
const MAX_GUESSES: usize = 3;

/// So many choices in an update are looked at.
const MAX_CHOICES: usize = 6;

/// Puts terms in the place of counters of loops inside, where the guard of their path determines these.
///
/// If a guard G implies `c = e`, with c new on the path and not in e, then G holds for some c exactly if G with e in the place of c holds, and what the path does is the same with e.
pub(super) fn counted(logic: &mut Logic<'_>, problem: &mut Loop) -> Result<(), Error> {
    let facts = problem.facts.clone();
    for path in problem.paths.iter_mut().filter(|path| path.end == End::Again) {
        let counters = path.fresh.iter().filter(|fresh| fresh.kind == FreshKind::Counter);
        let counters: Vec<Term> = counters.map(|fresh| fresh.symbol).collect();
        for counter in counters {
            let Some(id) = logic.symbol_of(counter) else { continue };
            if logic.terms.sort(counter) != Sort::Int {
                continue;
            }
            let Some(term) = determined(logic, (&facts, path), counter)? else { continue };
            let store = Substitution::from_iter([(id, term)]);
            path.guard = logic.put(path.guard, &store);
            path.updates = logic.put_all(&path.updates, &store);
            path.fresh.retain(|fresh| fresh.symbol != counter);
        }
    }
    Ok(())
}

/// What a counter is, if the guard of its path says so.
fn determined(
    logic: &mut Logic<'_>,
    (facts, path): (&[Term], &Path),
    counter: Term,
) -> Result<Option<Term>, Error> {
    let guard = logic.terms.weaken(path.guard);
    let mut given: Vec<Term> = logic.conjuncts(guard);
    let bound: BTreeSet<SymbolId> =
        path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)).collect();
    let mut guesses: Vec<Term> = Vec::new();
    for part in given.iter().rev() {
        let Some(guess) = guess(logic, *part, (counter, &bound)) else { continue };
        if !guesses.contains(&guess) {
            guesses.push(guess);
        }
    }
    guesses.truncate(MAX_GUESSES);
    given.extend(facts);
    given.retain(|part| is_easy(logic, *part) && !logic.terms.has_product(*part));
    let zero = logic.terms.int(0);
    for guess in guesses {
        let most = logic.terms.max(zero, guess);
        let same = logic.terms.eq(counter, most);
        if !logic.proves(&given, same)? {
            continue;
        }
        let some = logic.terms.le(zero, guess);
        return Ok(Some(if logic.proves(&given, some)? { guess } else { most }));
    }
    Ok(None)
}

/// The least number of iterations for which a literal holds that is about their number: `e - c·κ ≤ 0`, or `e = κ`.
fn guess(
    logic: &mut Logic<'_>,
    part: Term,
    (counter, bound): (Term, &BTreeSet<SymbolId>),
) -> Option<Term> {
    let (sum, is_equation) = match *logic.terms.node(part) {
        Node::NonPositive(sum) => (sum, false),
        Node::Zero(sum) => (sum, true),
        _ => return None,
    };
    let id = logic.symbol_of(counter)?;
    let (rest, slope) = linear(logic, sum, id)?;
    let slope = logic.terms.as_int(slope)?.clone();
    if slope == Integer::ZERO || logic.mentions(rest, bound) || logic.terms.is_starred(rest) {
        return None;
    }
    // The least κ with `rest + slope·κ ≤ 0`, or the only one with `= 0`.
    let zero = logic.terms.int(0);
    let (size, rest) = match (slope.is_negative(), is_equation) {
        (true, _) => (slope.neg(), rest),
        (false, true) => (slope, logic.terms.sub(zero, rest)),
        (false, false) => return None,
    };
    Some(match size == Integer::from(1) {
        true => rest,
        false => {
            // ⌈e / c⌉ is ⌊(e + c - 1) / c⌋.
            let ahead = logic.terms.int(size.sub(&Integer::from(1)));
            let above = logic.terms.add(rest, ahead);
            let size = logic.terms.int(size);
            logic.terms.quotient(Rounding::Euclidean, above, size)
        }
    })
}

/// The problem with choices in updates that the guard of their path decides: `max(0, n - i)` iterations of a loop inside are `n - i` where `i < n`, which has a sum.
pub(super) fn without_needless_choices(
    logic: &mut Logic<'_>,
    problem: &mut Loop,
) -> Result<(), Error> {
    let facts = problem.facts.clone();
    for path in problem.paths.iter_mut().filter(|path| path.end == End::Again) {
        let mut given = facts.clone();
        let guard = logic.terms.weaken(path.guard);
        given.extend(logic.conjuncts(guard));
        given.retain(|part| is_easy(logic, *part));
        for update in &mut path.updates {
            if logic.terms.sort(*update) != Sort::Int || logic.terms.is_starred(*update) {
                continue;
            }
            for _ in 0..MAX_CHOICES {
                let Some(decided) = decided(logic, &given, *update)? else { break };
                *update = decided;
            }
        }
    }
    Ok(())
}

/// A term with one choice less, if one of the first is decided.
fn decided(logic: &mut Logic<'_>, given: &[Term], term: Term) -> Result<Option<Term>, Error> {
    let parts = logic.terms.post_order(term);
    let mut choices = parts.into_iter().filter_map(|part| match *logic.terms.node(part) {
        Node::Ite(condition, then, otherwise)
            if logic.terms.is_closed(part) && is_easy(logic, condition) =>
        {
            Some((part, condition, then, otherwise))
        }
        _ => None,
    });
    let Some((part, condition, then, otherwise)) = choices.next() else { return Ok(None) };
    let opposite = logic.terms.not(condition);
    let side = match () {
        () if logic.proves(given, condition)? => then,
        () if logic.proves(given, opposite)? => otherwise,
        () => return Ok(None),
    };
    Ok(Some(logic.terms.replace_part(term, part, side)))
}
