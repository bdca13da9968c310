//! Powers `cᵏ` with a symbolic exponent, for a solver that knows none.
//!
//! A power of a base from 2 on is an uninterpreted function to Z3. It is told facts that are true of
//! powers: enough for the arguments about growth and divisibility that closed forms of loops need.
//! Hence `unsat` is right. A model may contradict the definition; then it is corrected for just the
//! exponent that it chose, and Z3 is asked again.

use super::translate::{Translation, WrongSort, numeral, power_of};
use crate::features::{FeatureTable, Features};
use loupe_integer::Integer;
use loupe_term::{Assignment, Node, Term, Terms, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use z3::ast::{Bool, Int};

/// So many exponents of one base are compared with each other.
const MAX_PAIRED: usize = 40;

/// The powers in a query, by base (at least 2), with their exponents.
#[derive(Default)]
pub(super) struct Powers {
    exponents: BTreeMap<Integer, Vec<Term>>,
    any: bool,
}

impl Powers {
    pub(super) fn of(terms: &Terms, features: &mut FeatureTable, assertions: &[Term]) -> Self {
        let mut powers = Powers { any: true, ..Powers::default() };
        let mut seen = FxHashSet::default();
        for assertion in assertions {
            for term in terms.post_order(*assertion) {
                let Node::Power(base, exponent) = terms.node(term) else { continue };
                let base = if base.is_negative() { base.neg() } else { base.clone() };
                // Nothing can be said at the top of an exponent that varies under a binder.
                if base > Integer::ONE
                    && !features.of(terms, *exponent).has(Features::BOUND)
                    && seen.insert((base.clone(), *exponent))
                {
                    powers.exponents.entry(base).or_default().push(*exponent);
                }
            }
        }
        powers
    }

    /// Whether no power occurs, so that Z3 knows the whole meaning of the query.
    pub(super) fn is_empty(&self) -> bool {
        !self.any
    }

    /// Facts that hold for all powers in the query.
    pub(super) fn facts(
        &self,
        terms: &mut Terms,
        translation: &mut Translation,
    ) -> Result<Vec<Bool>, WrongSort> {
        let mut facts = Vec::new();
        for (base, exponents) in &self.exponents {
            let constant = numeral(base);
            for exponent in exponents {
                let k = translation.integer(terms, *exponent)?;
                let (power, below) = (power_of(base, &k), power_of(base, &Int::sub(&[&k, &one()])));
                let positive = k.gt(0);
                // c⁰ = 1, and negative exponents count as 0.
                facts.push(k.le(0).implies(power.eq(one())));
                // cᵏ = c · cᵏ⁻¹ with cᵏ⁻¹ ≥ k for k ≥ 1, as c ≥ 2.
                facts.push(positive.implies(power.eq(Int::mul(&[&constant, &below]))));
                facts.push(positive.implies(below.ge(&k)));
                facts.push(power.ge(1));
            }
            let paired = exponents.get(..MAX_PAIRED).unwrap_or(exponents);
            for (at, first) in paired.iter().enumerate() {
                for second in &paired[at + 1..] {
                    facts.extend(pair(terms, translation, base, [*first, *second])?);
                }
            }
        }
        Ok(facts)
    }

    /// The true values of the powers at the exponents that a model chose.
    pub(super) fn corrections(
        &self,
        terms: &Terms,
        translation: &mut Translation,
        values: &Assignment,
    ) -> Result<Vec<Bool>, WrongSort> {
        let mut corrections = Vec::new();
        for (base, exponents) in &self.exponents {
            for exponent in exponents {
                let Ok(Value::Int(value)) = terms.evaluate(*exponent, values) else { continue };
                let Some(power) = loupe_term::power(base, &value) else { continue };
                let k = translation.integer(terms, *exponent)?;
                let is_value = k.eq(numeral(&value));
                corrections.push(is_value.implies(power_of(base, &k).eq(numeral(&power))));
            }
        }
        Ok(corrections)
    }
}

fn one() -> Int {
    Int::from_i64(1)
}

/// Two powers of one base: the larger exponent has the larger power, and a constant distance is a
/// constant factor.
fn pair(
    terms: &mut Terms,
    translation: &mut Translation,
    base: &Integer,
    exponents: [Term; 2],
) -> Result<Vec<Bool>, WrongSort> {
    let distance = terms.sub(exponents[1], exponents[0]);
    let [k, l] =
        [translation.integer(terms, exponents[0])?, translation.integer(terms, exponents[1])?];
    let (ck, cl) = (power_of(base, &k), power_of(base, &l));
    if let Some(distance) = terms.as_int(distance) {
        let (lower, [low, high]) = match distance.is_negative() {
            true => (&l, [&cl, &ck]),
            false => (&k, [&ck, &cl]),
        };
        let size = if distance.is_negative() { distance.neg() } else { distance.clone() };
        if let Some(factor) = loupe_term::power(base, &size) {
            return Ok(vec![lower.ge(0).implies(high.eq(Int::mul(&[&numeral(&factor), low])))]);
        }
    }
    let constant = numeral(base);
    Ok(vec![
        k.le(&l).implies(ck.le(&cl)),
        l.le(&k).implies(cl.le(&ck)),
        // One step more is a factor more, once there are steps.
        Bool::and(&[k.lt(&l), l.gt(0)]).implies(Int::mul(&[&constant, &ck]).le(&cl)),
        Bool::and(&[l.lt(&k), k.gt(0)]).implies(Int::mul(&[&constant, &cl]).le(&ck)),
    ])
}
