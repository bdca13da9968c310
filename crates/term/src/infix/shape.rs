//! What canonical terms look like to people: sums with signs, comparisons with two sides, maxima.

use crate::arena::Terms;
use crate::node::{Node, Sum, Term};
use crate::polynomial::Polynomial;
use loupe_integer::Integer;
use std::cmp::Reverse;

/// A summand: a monomial with a coefficient, or a constant.
#[derive(Clone, Debug)]
pub(crate) struct Summand {
    pub(crate) negative: bool,
    /// The absolute value.
    pub(crate) coefficient: Integer,
    /// None for the constant.
    pub(crate) monomial: Option<Term>,
}

/// A comparison of two sums.
pub(crate) struct Comparison {
    pub(crate) left: Vec<Summand>,
    pub(crate) sign: &'static str,
    pub(crate) right: Vec<Summand>,
}

/// Which comparison with 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    NonPositive,
    Zero,
    NotZero,
}

fn summand(monomial: Option<Term>, value: &Integer) -> Summand {
    let negative = value.is_negative();
    let coefficient = if negative { value.neg() } else { value.clone() };
    Summand { negative, coefficient, monomial }
}

/// The monomials of a polynomial as summands, higher degrees first.
fn monomials(terms: &Terms, polynomial: &Polynomial) -> Vec<Summand> {
    let mut summands: Vec<(u64, Summand)> = (polynomial.summands.iter())
        .map(|(monomial, value)| (degree(terms, *monomial), summand(Some(*monomial), value)))
        .collect();
    summands.sort_by_key(|(degree, _)| Reverse(*degree)); // stable
    summands.into_iter().map(|(_, summand)| summand).collect()
}

fn degree(terms: &Terms, monomial: Term) -> u64 {
    match terms.node(monomial) {
        Node::Product(factors) => factors.iter().map(|(_, exponent)| u64::from(*exponent)).sum(),
        _ => 1,
    }
}

/// The summands in the order in which they are printed: a positive one first if there is one, and the
/// constant last unless it has to be that one.
pub(super) fn summands(terms: &Terms, sum: &Sum) -> Vec<Summand> {
    let Sum { constant, summands } = sum;
    let polynomial = Polynomial { constant: constant.clone(), summands: summands.to_vec() };
    let (mut ordered, negative): (Vec<_>, Vec<_>) =
        monomials(terms, &polynomial).into_iter().partition(|summand| !summand.negative);
    let positive = !constant.is_negative() && !constant.is_zero();
    let first = positive && ordered.is_empty();
    if first {
        ordered.push(summand(None, constant));
    }
    ordered.extend(negative);
    if !first && !constant.is_zero() {
        ordered.push(summand(None, constant));
    }
    ordered
}

/// A comparison of a term with 0, with all summands on the side where they are positive.
pub(crate) fn comparison(terms: &Terms, relation: Relation, term: Term) -> Comparison {
    let polynomial = terms.polynomial(term);
    let (mut left, mut right): (Vec<_>, Vec<_>) =
        monomials(terms, &polynomial).into_iter().partition(|summand| !summand.negative);
    right.iter_mut().for_each(|summand| summand.negative = false);
    let constant = polynomial.constant;
    let (loose, strict, flipped, flipped_strict) = match relation {
        Relation::NonPositive => ("<=", "<", ">=", ">"),
        Relation::Zero => ("==", "==", "==", "=="),
        Relation::NotZero => ("!=", "!=", "!=", "!="),
    };
    // l + 1 ≤ r is l < r.
    let strictly = relation == Relation::NonPositive && constant == Integer::ONE;
    let rest = if strictly { Integer::ZERO } else { constant };
    if left.is_empty() {
        // rest ≤ r is r ≥ rest.
        let sign = if strictly { flipped_strict } else { flipped };
        return Comparison { left: right, sign, right: vec![summand(None, &rest)] };
    }
    if right.is_empty() || rest.is_negative() {
        right.push(summand(None, &rest.neg()));
    } else if !rest.is_zero() {
        left.push(summand(None, &rest));
    }
    Comparison { left, sign: if strictly { strict } else { loose }, right }
}

/// A choice that has a name.
pub(super) enum Extremum {
    Max(Term, Term),
    Min(Term, Term),
    Absolute(Term),
    MinusAbsolute(Term),
}

/// Which extremum `ite(condition, then, otherwise)` is, if any.
pub(super) fn extremum(
    terms: &Terms,
    condition: Term,
    then: Term,
    otherwise: Term,
) -> Option<Extremum> {
    let Node::NonPositive(compared) = terms.node(condition) else {
        return None;
    };
    let compared = terms.polynomial(*compared);
    let (a, b) = (terms.polynomial(then), terms.polynomial(otherwise));
    let minus_one = Integer::from(-1);
    // If the condition says b ≤ a or b < a, the choice is the larger one; where both are equal, it does
    // not matter which is chosen.
    let says = |difference: Polynomial| {
        let strict = Polynomial {
            constant: difference.constant.add(&Integer::ONE),
            summands: difference.summands.clone(),
        };
        normal(difference).as_ref() == Some(&compared) || normal(strict).as_ref() == Some(&compared)
    };
    let opposite = a.add_scaled(&b, &Integer::ONE);
    let opposite = opposite.constant.is_zero() && opposite.summands.is_empty();
    // Of x and -x, the one that is printed without a sign in front.
    let positive = |polynomial: &Polynomial| {
        polynomial.summands.first().is_some_and(|(_, coefficient)| !coefficient.is_negative())
    };
    let plain = if positive(&a) { then } else { otherwise };
    let constant_first = |x: Term, y: Term| match terms.node(y) {
        Node::Int(_) => (y, x),
        _ => (x, y),
    };
    let (x, y) = constant_first(then, otherwise);
    if says(b.add_scaled(&a, &minus_one)) {
        Some(if opposite { Extremum::Absolute(plain) } else { Extremum::Max(x, y) })
    } else if says(a.add_scaled(&b, &minus_one)) {
        Some(if opposite { Extremum::MinusAbsolute(plain) } else { Extremum::Min(x, y) })
    } else {
        None
    }
}

/// The polynomial `q` such that `p ≤ 0` is stored as `q ≤ 0`; none for constants.
fn normal(mut polynomial: Polynomial) -> Option<Polynomial> {
    let content = polynomial.content();
    for (_, coefficient) in &mut polynomial.summands {
        *coefficient = coefficient.div_floor(&content)?;
    }
    polynomial.constant = polynomial.constant.neg().div_floor(&content)?.neg();
    Some(polynomial)
}
