//! Refutes disequalities of polynomials that follow from equations.
//!
//! Solvers for non-linear integers guess and branch; whether a polynomial is a combination of others is a matter of division. A disequality `p ≠ 0` contradicts equations `qᵢ = 0` if p reduces to 0 by
//! them: each step takes a multiple of some qᵢ off that cancels a monomial of p, so in the end p is a combination of the qᵢ. Machine integers are the same in the ring modulo 2ⁿ: there, wraps of n bits or more
//! change nothing, and an equation holds modulo 2ⁿ whatever it was. If p is 0 modulo 2ⁿ and less than 2ⁿ away from 0, it is 0.
//!
//! This is no complete procedure (that would be a Gröbner basis): divisors are taken as they come, each by its leading monomial.

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Query};
use crate::limits::Pains;
use loupe_integer::Integer;
use loupe_term::{Context, Node, Range, Rounding, Term, Terms};
use std::collections::BTreeSet;

/// So many steps a reduction may have.
const MAX_STEPS: usize = 200;
/// So many summands a polynomial may have on the way.
const MAX_SUMMANDS: usize = 200;
/// And so many factors each of them.
const MAX_DEGREE: u32 = 24;
/// So many equations are looked at.
const MAX_EQUATIONS: usize = 64;
/// And so many disequalities.
const MAX_GOALS: usize = 16;

/// The layer.
#[derive(Default)]
pub struct Algebra;

impl Layer for Algebra {
    fn name(&self) -> &'static str {
        "algebra"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        let is_easy = !query.assertions.iter().any(|assertion| terms.has_product(*assertion));
        if is_easy
            || query.limits.pains == Pains::Hard
            || !is_contradictory(terms, query.assertions)
        {
            return inner.check(terms, query);
        }
        Ok(Answer::Unsat((0..query.assertions.len()).collect()))
    }
}

/// The ring in which something is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ring {
    /// Integers.
    Integers,
    /// Integers modulo two to the power of so many.
    Modulo(u32),
}

impl Ring {
    /// A polynomial that is the same in the ring.
    fn reduced(self, terms: &mut Terms, polynomial: Term) -> Term {
        let Ring::Modulo(bits) = self else { return polynomial };
        let below = terms.congruent(polynomial, bits);
        let modulus = Integer::power_of_two(bits);
        // The representative next to 0, so that what was 1 or -1 stays so.
        let small = |number: &Integer| {
            let rest = number.rem_euclidean(&modulus).unwrap_or(Integer::ZERO);
            if rest.add(&rest) > modulus { rest.sub(&modulus) } else { rest }
        };
        let mut polynomial = terms.polynomial(below);
        polynomial.constant = small(&polynomial.constant);
        for (_, coefficient) in &mut polynomial.summands {
            *coefficient = small(coefficient);
        }
        polynomial.summands.retain(|(_, coefficient)| !coefficient.is_zero());
        terms.from_polynomial(polynomial)
    }

    /// A number c with `c · divisor = dividend`, if there is one and it is easy to find.
    fn quotient(self, dividend: &Integer, divisor: &Integer) -> Option<Integer> {
        if dividend.rem_euclidean(divisor)?.is_zero() {
            return dividend.div_floor(divisor);
        }
        match self {
            Ring::Integers => None,
            Ring::Modulo(bits) => Some(dividend.mul(&inverse(divisor, bits)?)),
        }
    }
}

/// The number that an odd one is 1 with, modulo 2ⁿ: each of Newton's steps doubles the number of bits that are right.
fn inverse(odd: &Integer, bits: u32) -> Option<Integer> {
    let (modulus, two) = (Integer::power_of_two(bits), Integer::from(2));
    if odd.rem_euclidean(&two)?.is_zero() {
        return None;
    }
    let mut found = Integer::ONE;
    for _ in 0..=bits.ilog2() + 1 {
        let error = two.sub(&odd.mul(&found));
        found = found.mul(&error).rem_euclidean(&modulus)?;
    }
    (odd.mul(&found).rem_euclidean(&modulus)? == Integer::ONE).then_some(found)
}

/// An equation `polynomial = 0`, by which a monomial can be replaced.
struct Equation {
    polynomial: Term,
    leading: Vec<(Term, u32)>,
    coefficient: Integer,
}

impl Equation {
    /// The equation with its largest monomial first; where some has the coefficient 1 or -1, the largest of these.
    fn new(terms: &Terms, polynomial: Term) -> Option<Self> {
        let all = terms.polynomial(polynomial).summands;
        let rank = |(monomial, coefficient): &(Term, Integer)| {
            let factors = terms.factors(*monomial);
            let degree: u32 = factors.iter().map(|(_, exponent)| *exponent).sum();
            let is_unit = *coefficient == Integer::ONE || *coefficient == Integer::from(-1);
            (is_unit, degree, *monomial)
        };
        let (leading, coefficient) = all.iter().max_by_key(|summand| rank(summand))?.clone();
        Some(Equation { polynomial, leading: terms.factors(leading), coefficient })
    }

    /// What the leading monomial must be multiplied by to become another one.
    fn cofactor(&self, terms: &mut Terms, monomial: Term) -> Option<Term> {
        let mut factors = terms.factors(monomial);
        for (atom, exponent) in &self.leading {
            let (_, left) = factors.iter_mut().find(|(other, _)| other == atom)?;
            *left = left.checked_sub(*exponent)?;
        }
        let mut product = terms.int(1);
        for (atom, exponent) in factors {
            let power = terms.pow(atom, exponent);
            product = terms.mul(product, power);
        }
        Some(product)
    }
}

/// Whether some disequality contradicts the equations.
fn is_contradictory(terms: &mut Terms, assertions: &[Term]) -> bool {
    let (mut equal, mut unequal) = (Vec::new(), Vec::new());
    let mut open: Vec<Term> = assertions.to_vec();
    while let Some(part) = open.pop() {
        match terms.node(part) {
            Node::And(parts) => open.extend(parts.iter().copied()),
            Node::Zero(polynomial) => equal.push(*polynomial),
            Node::Not(negated) => {
                if let Node::Zero(polynomial) = terms.node(*negated) {
                    unequal.push(*polynomial);
                }
            }
            _ => {}
        }
    }
    if unequal.is_empty() || equal.len() > MAX_EQUATIONS || unequal.len() > MAX_GOALS {
        return false;
    }
    let mut context = Context::new();
    for assertion in assertions {
        context.assume(terms, *assertion);
    }
    equal.extend(definitions(terms, &mut context, assertions));
    let mut rings = BTreeSet::from([Ring::Integers]);
    for polynomial in unequal.iter().chain(&equal) {
        for (monomial, _) in terms.polynomial(*polynomial).summands {
            rings.extend(terms.factors(monomial).into_iter().filter_map(|(atom, _)| {
                match terms.node(atom) {
                    Node::Wrap(width, _) => Some(Ring::Modulo(width.bits)),
                    _ => None,
                }
            }));
        }
    }
    let mut is_refuted = |goal: &Term| {
        let mut rings = rings.iter().copied();
        rings.any(|ring| {
            is_small(&mut context, terms, *goal, ring) && vanishes(terms, *goal, &equal, ring)
        })
    };
    unequal.iter().any(&mut is_refuted)
}

/// Whether a number that is 0 in a ring is 0.
fn is_small(context: &mut Context, terms: &Terms, number: Term, ring: Ring) -> bool {
    let Ring::Modulo(bits) = ring else { return true };
    let modulus = Integer::power_of_two(bits);
    match context.range(terms, number) {
        Range { low: Some(low), high: Some(high), .. } => high < modulus && modulus.neg() < low,
        _ => false,
    }
}

/// What quotients by numbers mean.
fn definitions(terms: &mut Terms, context: &mut Context, assertions: &[Term]) -> Vec<Term> {
    let mut quotients: BTreeSet<(Term, Term, Term, Rounding)> = BTreeSet::new();
    for assertion in assertions {
        let parts = terms.post_order(*assertion);
        // What is below a binder may be about its variable.
        let binds =
            |part: &Term| matches!(terms.node(*part), Node::Lambda(..) | Node::Quantified(..));
        if parts.iter().any(binds) {
            continue;
        }
        for part in parts {
            if let Node::Quotient(rounding, dividend, divisor) = *terms.node(part)
                && terms.as_int(divisor).is_some_and(|divisor| !divisor.is_zero())
            {
                quotients.insert((part, dividend, divisor, rounding));
            }
        }
    }
    let mut equal = Vec::new();
    for (quotient, dividend, divisor, rounding) in quotients.into_iter().take(MAX_EQUATIONS) {
        let product = terms.mul(quotient, divisor);
        let mut rest = terms.remainder(rounding, dividend, divisor);
        if let Range { low: Some(low), high: Some(high), .. } = context.range(terms, rest)
            && low == high
        {
            rest = terms.int(low);
        }
        let difference = terms.sub(dividend, product);
        equal.push(terms.sub(difference, rest));
    }
    equal
}

/// Whether a polynomial is a combination of others in a ring.
fn vanishes(terms: &mut Terms, goal: Term, equal: &[Term], ring: Ring) -> bool {
    let mut equations = Vec::with_capacity(equal.len());
    for polynomial in equal {
        let reduced = ring.reduced(terms, *polynomial);
        if !terms.is_starred(reduced) {
            equations.extend(Equation::new(terms, reduced));
        }
    }
    let mut left = ring.reduced(terms, goal);
    for _ in 0..MAX_STEPS {
        if terms.is_starred(left) {
            return false;
        }
        let polynomial = terms.polynomial(left);
        if polynomial.summands.is_empty() {
            return polynomial.constant.is_zero();
        }
        if polynomial.summands.len() > MAX_SUMMANDS || terms.degree(left) > MAX_DEGREE {
            return false;
        }
        let step = polynomial.summands.iter().find_map(|(monomial, coefficient)| {
            equations.iter().find_map(|equation| {
                let multiple = ring.quotient(coefficient, &equation.coefficient)?;
                let cofactor = equation.cofactor(terms, *monomial)?;
                Some((equation.polynomial, cofactor, multiple))
            })
        });
        let Some((equation, cofactor, multiple)) = step else { return false };
        let product = terms.mul(equation, cofactor);
        let after = terms.add_scaled(left, product, &multiple.neg());
        left = ring.reduced(terms, after);
    }
    false
}

#[cfg(test)]
mod tests;
