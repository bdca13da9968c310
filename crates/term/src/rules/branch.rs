//! Conditional terms, and comparisons of them.

use super::Rule;
use crate::arena::Terms;
use crate::node::{Node, Quantifier, Rounding, Sort, Term};
use loupe_integer::Integer;

/// For `ite`.
pub(super) const ITE: &[Rule] = &[
    Rule { name: "ite-constant", argument: "the definition", apply: ite_constant },
    Rule { name: "ite-same", argument: "both ways lead to the same", apply: ite_same },
    Rule {
        name: "ite-truth", argument: "ite(c, a, b) = (c ∧ a) ∨ (¬c ∧ b)", apply: ite_truth
    },
    Rule { name: "ite-order", argument: "ite(¬c, a, b) = ite(c, b, a)", apply: ite_order },
    Rule { name: "ite-nested", argument: "the condition is the same inside", apply: ite_nested },
    Rule { name: "ite-equal", argument: "ite(x = y, x, y) = y", apply: ite_equal },
];

/// For comparisons with 0 and divisibility.
pub(super) const COMPARISON: &[Rule] = &[
    Rule {
        name: "compare-ite",
        argument: "the comparison of each branch, which are constants",
        apply: compare_ite,
    },
    Rule {
        name: "zero-remainder",
        argument: "x % c = r iff c divides x - r, if r can be a remainder",
        apply: zero_remainder,
    },
    Rule {
        name: "divides-wrapped",
        argument: "wrapping changes a value by a multiple of 2ⁿ, and so of what divides 2ⁿ",
        apply: divides_wrapped,
    },
];

fn ite_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Ite(condition, then, otherwise) = node else {
        return None;
    };
    Some(if terms.as_bool(*condition)? { *then } else { *otherwise })
}

fn ite_same(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Ite(_, then, otherwise) = node else {
        return None;
    };
    (then == otherwise && !terms.is_starred(*then)).then_some(*then)
}

fn ite_truth(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Ite(condition, then, otherwise) = *node else {
        return None;
    };
    if terms.sort(then) != Sort::Bool {
        return None;
    }
    let opposite = terms.not(condition);
    let (first, second) = (terms.and([condition, then]), terms.and([opposite, otherwise]));
    Some(terms.or([first, second]))
}

/// Whether a condition is the one of itself and its negation that stands in an `ite`. The negation of
/// one that is not is.
fn is_canonical(terms: &Terms, condition: Term) -> bool {
    match terms.node(condition) {
        Node::Not(_) | Node::Or(_) | Node::Quantified(Quantifier::Exists, ..) => false,
        Node::NonPositive(a) => match terms.node(*a) {
            // 1 - p in the negation has the opposite signs.
            Node::Sum(sum) => sum.summands.first().is_none_or(|(_, c)| !c.is_negative()),
            _ => true,
        },
        _ => true,
    }
}

fn ite_order(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Ite(condition, then, otherwise) = *node else {
        return None;
    };
    if is_canonical(terms, condition) {
        return None;
    }
    let opposite = terms.not(condition);
    // A negation that is simpler than it should be must not send us back and forth.
    is_canonical(terms, opposite).then(|| terms.ite(opposite, otherwise, then))
}

fn ite_nested(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Ite(condition, then, otherwise) = *node else {
        return None;
    };
    let first = match *terms.node(then) {
        Node::Ite(inner, first, _) if inner == condition => first,
        _ => then,
    };
    let second = match *terms.node(otherwise) {
        Node::Ite(inner, _, second) if inner == condition => second,
        _ => otherwise,
    };
    ((first, second) != (then, otherwise)).then(|| terms.ite(condition, first, second))
}

fn ite_equal(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Ite(condition, then, otherwise) = *node else {
        return None;
    };
    if !matches!(terms.node(condition), Node::Zero(_))
        || terms.sort(then) != Sort::Int
        || terms.is_starred(then)
        || terms.is_starred(otherwise)
    {
        return None;
    }
    (terms.eq(then, otherwise) == condition).then_some(otherwise)
}

/// A sum with one monomial: what it is, its coefficient and the constant.
fn single(terms: &Terms, term: Term) -> Option<(Term, Integer, Integer)> {
    match terms.node(term) {
        Node::Sum(sum) => match &sum.summands[..] {
            [(monomial, coefficient)] => {
                Some((*monomial, coefficient.clone(), sum.constant.clone()))
            }
            _ => None,
        },
        _ => Some((term, Integer::ONE, Integer::ZERO)),
    }
}

fn compare_ite(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (Node::NonPositive(a) | Node::Zero(a) | Node::Divides(_, a)) = node else {
        return None;
    };
    let (monomial, coefficient, constant) = single(terms, *a)?;
    let Node::Ite(condition, then, otherwise) = *terms.node(monomial) else {
        return None;
    };
    let value = |branch| Some(terms.as_int(branch)?.mul(&coefficient).add(&constant));
    let (then, otherwise) = (value(then)?, value(otherwise)?);
    let mut compare = |value: Integer| {
        let value = terms.int(value);
        match node {
            Node::NonPositive(_) => terms.non_positive(value),
            Node::Zero(_) => terms.zero(value),
            Node::Divides(divisor, _) => terms.divides(divisor, value),
            _ => terms.star_bool(),
        }
    };
    let (then, otherwise) = (compare(then), compare(otherwise));
    Some(terms.ite(condition, then, otherwise))
}

fn zero_remainder(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Zero(a) = node else {
        return None;
    };
    let (monomial, coefficient, constant) = single(terms, *a)?;
    let Node::Remainder(rounding, dividend, divisor) = *terms.node(monomial) else {
        return None;
    };
    let divisor = terms.as_int(divisor).filter(|divisor| **divisor > Integer::ZERO)?.clone();
    if coefficient != Integer::ONE {
        return None;
    }
    // The remainder is this; it has the absolute value and, if Euclidean, the sign that it may have.
    let rest = constant.neg();
    let size = if rest.is_negative() { constant } else { rest.clone() };
    if size >= divisor || (rest.is_negative() && rounding == Rounding::Euclidean) {
        return Some(terms.bool(false));
    }
    if rounding == Rounding::Truncated && !rest.is_zero() {
        return None;
    }
    let rest = terms.int(rest);
    let difference = terms.sub(dividend, rest);
    Some(terms.divides(&divisor, difference))
}

fn divides_wrapped(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Divides(divisor, a) = node else {
        return None;
    };
    let polynomial = terms.polynomial(*a);
    let mut sum = terms.int(polynomial.constant.clone());
    let mut is_changed = false;
    for (monomial, coefficient) in &polynomial.summands {
        let mut value = *monomial;
        if let Node::Wrap(width, inner) = *terms.node(value) {
            let modulus = Integer::power_of_two(width.bits);
            if modulus.rem_euclidean(divisor).is_some_and(|rest| rest.is_zero()) {
                (value, is_changed) = (inner, true);
            }
        }
        sum = terms.add_scaled(sum, value, coefficient);
    }
    is_changed.then(|| terms.divides(divisor, sum))
}
