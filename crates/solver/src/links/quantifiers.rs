//! Bounded quantifiers, replaced by instances.
//!
//! Formulas are in negation normal form, so a quantifier that is reached through conjunctions,
//! disjunctions and bodies of quantifiers alone occurs positively. There
//!
//! - `∃τ∈[a,b). φ(τ)` may be replaced by `a ≤ s < b ∧ φ(s)` with a new symbol `s`: equally satisfiable,
//!   and a model of the new formula is one of the old. Each instance of an enclosing `∀` has its own `s`.
//! - `∀τ∈[a,b). φ(τ)` implies its first K instances, `⋀ᵢ (a+i ≥ b ∨ φ(a+i))`: a *weakening*. If it is
//!   unsatisfiable, so is the original. (The bounds themselves stay as they are: bounding `b - a` by K
//!   would be the other direction.)
//! - whatever instances there are, values for which the original *evaluates* to true are an answer.
//!
//! Quantifiers at other places (in the condition of an `ite` that is an integer, in the body of a λ)
//! are left as they are.

mod gradual;
mod relevant;

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Query, Reason};
use loupe_integer::Integer;
use loupe_term::{Assignment, Node, Term, Terms, Value};
use std::time::Instant;

pub use gradual::Gradual;
pub(crate) use gradual::decide as decide_gradually;

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
