//! Bounded quantifiers, replaced by their first instances.
//!
//! Formulas are in negation normal form, so a quantifier that is reached through conjunctions,
//! disjunctions and bodies of quantifiers alone occurs positively. There
//!
//! - `∃τ∈[a,b). φ(τ)` may be replaced by `a ≤ s < b ∧ φ(s)` with a new symbol `s`: equally satisfiable,
//!   and a model of the new formula is one of the old. Each instance of an enclosing `∀` has its own `s`.
//! - `∀τ∈[a,b). φ(τ)` implies its first K instances, `⋀ᵢ (a+i ≥ b ∨ φ(a+i))`: a *weakening*. If it is
//!   unsatisfiable, so is the original. (The bounds themselves stay as they are: bounding `b - a` by K
//!   would be the other direction.)
//! - the first K instances together with `b - a ≤ K` imply the `∀`: a *strengthening*. If it is
//!   satisfiable, so is the original.
//!
//! The two directions have different types, and each allows just one conclusion.
//! Quantifiers at other places (in the condition of an `ite` that is an integer, in the body of a λ)
//! are left as they are.

mod gradual;
mod relevant;

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Query, Reason};
use loupe_integer::Integer;
use loupe_term::{Assignment, Node, Origin, Quantifier, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::time::Instant;

pub use gradual::Gradual;
pub(crate) use gradual::decide as decide_gradually;

/// A formula that is implied by another one, up to symbols that only it has.
#[derive(Clone, Copy, Debug)]
pub struct Weakened(Term);

/// A formula that implies another one.
#[derive(Clone, Copy, Debug)]
pub struct Strengthened(Term);

impl Weakened {
    /// The formula. If it is unsatisfiable, so is the original; nothing follows if it is satisfiable.
    pub fn formula(self) -> Term {
        self.0
    }
}

impl Strengthened {
    /// The formula. If it is satisfiable, so is the original, with the same values; nothing follows if
    /// it is unsatisfiable.
    pub fn formula(self) -> Term {
        self.0
    }
}

/// No formula grows to more instances than this.
const MAX_INSTANCES: usize = 2_000;

/// The formula with each ∀ replaced by its first `count` instances.
pub fn weaken(terms: &mut Terms, formula: Term, count: u32) -> Weakened {
    Weakened(instantiate(terms, formula, count, Direction::Weaker))
}

/// The formula with each ∀ replaced by its first `count` instances and the claim that there are no
/// more.
pub fn strengthen(terms: &mut Terms, formula: Term, count: u32) -> Strengthened {
    Strengthened(instantiate(terms, formula, count, Direction::Stronger))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Weaker,
    Stronger,
}

fn instantiate(terms: &mut Terms, formula: Term, count: u32, direction: Direction) -> Term {
    let mut budget = MAX_INSTANCES;
    let mut current = formula;
    // From outside to inside: each round replaces the outermost quantifiers, and the instances have
    // those that were inside. Binders are nested finitely often, so this ends.
    while let Some(next) = round(terms, current, count, direction, &mut budget) {
        current = next;
    }
    current
}

/// Replaces the outermost quantifiers; nothing if there are none.
fn round(
    terms: &mut Terms,
    formula: Term,
    count: u32,
    direction: Direction,
    budget: &mut usize,
) -> Option<Term> {
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    let mut any = false;
    let mut open = vec![formula];
    while let Some(&term) = open.last() {
        if new.contains_key(&term) {
            open.pop();
            continue;
        }
        let replaced = match terms.node(term).clone() {
            Node::And(parts) | Node::Or(parts) => {
                let waiting = open.len();
                open.extend(parts.iter().filter(|part| !new.contains_key(part)));
                if open.len() > waiting {
                    continue;
                }
                let is_and = matches!(terms.node(term), Node::And(_));
                let parts: Vec<Term> =
                    parts.iter().map(|part| new.get(part).copied().unwrap_or(*part)).collect();
                if is_and { terms.and(parts) } else { terms.or(parts) }
            }
            Node::Quantified(Quantifier::Exists, binder, [low, high, body]) => {
                any = true;
                let origin = Origin { description: "some value in a range".into() };
                let witness = terms.fresh("some", Sort::Int, origin);
                let (above, below) = (terms.le(low, witness), terms.lt(witness, high));
                let body = terms.instantiate(binder, body, witness);
                terms.and([above, below, body])
            }
            Node::Quantified(Quantifier::Forall, binder, [low, high, body]) => {
                any = true;
                let fits = usize::try_from(count).is_ok_and(|count| count <= *budget);
                let count = if fits { count } else { 0 };
                *budget = budget.saturating_sub(count as usize);
                let mut parts = Vec::new();
                for i in 0..count {
                    let offset = terms.int(i64::from(i));
                    let value = terms.add(low, offset);
                    let (outside, holds) =
                        (terms.le(high, value), terms.instantiate(binder, body, value));
                    parts.push(terms.or([outside, holds]));
                }
                if direction == Direction::Stronger {
                    let length = terms.sub(high, low);
                    let most = terms.int(Integer::from(i64::from(count)));
                    parts.push(terms.le(length, most));
                }
                terms.and(parts)
            }
            _ => term,
        };
        new.insert(term, replaced);
        open.pop();
    }
    any.then(|| new.get(&formula).copied().unwrap_or(formula))
}

/// The layer: what a solver does not know of a query with quantifiers, instances may tell.
#[derive(Default)]
pub struct Quantifiers;

/// How many of the first instances are tried where those that matter do not tell.
const MANY: u32 = 16;

impl Layer for Quantifiers {
    fn name(&self) -> &'static str {
        "quantifiers"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        let is_quantified = |term: &Term| has_quantifier(terms, *term);
        if !query.assertions.iter().any(is_quantified) {
            return inner.check(terms, query);
        }
        // Instances are cheap and mostly enough, and there are several rounds of them; what is left of the work is for the query as it is.
        let start = Instant::now();
        let share = |parts| query.limits.share(parts).after(start.elapsed());
        if let Some(answer) = relevant::decide(inner, terms, query, &share(12))? {
            return Ok(answer);
        }
        let (first, limits) = (MANY, share(8));
        let mut ask = |terms: &mut Terms, query: &Query<'_>| inner.check(terms, query);
        let instances = Query { limits: &limits, ..*query };
        match gradual::decide(&mut ask, terms, &instances, first)? {
            Gradual::Answer(answer @ (Answer::Sat(_) | Answer::Unsat(_))) => return Ok(answer),
            Gradual::Answer(Answer::Unknown(reason @ (Reason::Interrupted | Reason::Time))) => {
                return Ok(Answer::Unknown(reason));
            }
            Gradual::Answer(Answer::Unknown(_)) | Gradual::Candidate(_) => {}
        }
        inner.check(terms, &Query { limits: &share(2), ..*query })
    }
}

/// Whether a quantifier stands where it can be replaced.
fn has_quantifier(terms: &Terms, formula: Term) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        match terms.node(term) {
            Node::Quantified(..) => return true,
            Node::And(parts) | Node::Or(parts) if seen.insert(term) => open.extend(parts),
            _ => {}
        }
    }
    false
}

fn number_of(terms: &Terms, term: Term, values: &Assignment) -> Option<Integer> {
    match terms.evaluate(term, values) {
        Ok(Value::Int(number)) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
