//! Quotients, remainders and powers.

use super::Rule;
use crate::arena::Terms;
use crate::node::{Node, Rounding, Term};
use crate::polynomial::Polynomial;
use loupe_integer::Integer;

/// For quotients and remainders.
pub(super) const DIVISION: &[Rule] = &[
    Rule { name: "divide-constants", argument: "the definition", apply: divide_constants },
    Rule { name: "divide-by-one", argument: "x / 1 = x, x % 1 = 0", apply: divide_by_unit },
    Rule { name: "divide-by-zero", argument: "x / 0 = 0, x % 0 = x", apply: divide_by_zero },
    Rule { name: "divide-zero", argument: "0 / x = 0 % x = 0, also for x = 0", apply: divide_zero },
    Rule {
        name: "divide-by-negative",
        argument: "x / -c = -(x / c), x % -c = x % c, with both roundings",
        apply: divide_by_negative,
    },
    Rule {
        name: "divide-multiples",
        argument: "(c·x) / c = x, (c·x) % c = 0",
        apply: divide_multiple,
    },
    Rule { name: "remainder-self", argument: "x divides x, and 0 % 0 = 0", apply: remainder_self },
    Rule {
        name: "divide-twice",
        argument: "(x / c) / d = x / (c·d) for c, d > 0; (x % (c·d)) % d = x % d; (x % y) % y = x % y",
        apply: divide_twice,
    },
    Rule {
        name: "divide-split",
        argument: "(c·x + y) / c = x + y / c and (c·x + y) % c = y % c, rounded down, c > 0",
        apply: divide_split,
    },
];

/// For powers.
pub(super) const POWER: &[Rule] =
    &[Rule { name: "power-constant", argument: "the definition", apply: power_constant }];

/// Quotient or remainder: which rounding, which one, and the operands.
pub(super) fn division(node: &Node) -> Option<(Rounding, bool, Term, Term)> {
    match node {
        Node::Quotient(rounding, a, b) => Some((*rounding, true, *a, *b)),
        Node::Remainder(rounding, a, b) => Some((*rounding, false, *a, *b)),
        _ => None,
    }
}

/// The quotient of integers; 0 if the divisor is 0.
pub(crate) fn quotient(rounding: Rounding, a: &Integer, b: &Integer) -> Integer {
    let exact = match rounding {
        Rounding::Truncated => a.div_truncated(b),
        Rounding::Euclidean => a.rem_euclidean(b).and_then(|rest| a.sub(&rest).div_truncated(b)),
    };
    exact.unwrap_or(Integer::ZERO)
}

/// The remainder of integers; the dividend if the divisor is 0.
pub(crate) fn remainder(rounding: Rounding, a: &Integer, b: &Integer) -> Integer {
    let exact = match rounding {
        Rounding::Truncated => a.rem_truncated(b),
        Rounding::Euclidean => a.rem_euclidean(b),
    };
    exact.unwrap_or_else(|| a.clone())
}

fn divide_constants(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (rounding, is_quotient, a, b) = division(node)?;
    let (a, b) = (terms.as_int(a)?, terms.as_int(b)?);
    let result = if is_quotient { quotient(rounding, a, b) } else { remainder(rounding, a, b) };
    Some(terms.int(result))
}

fn divide_by_unit(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (_, is_quotient, a, b) = division(node)?;
    let unit = terms.as_int(b)?.clone();
    let is_unit = unit == Integer::ONE || unit == Integer::from(-1);
    match (is_unit, is_quotient) {
        (true, true) => Some(terms.scale(a, &unit)),
        (true, false) => Some(terms.int(0)),
        (false, _) => None,
    }
}

fn divide_by_zero(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (_, is_quotient, a, b) = division(node)?;
    if !terms.as_int(b)?.is_zero() {
        return None;
    }
    Some(if is_quotient { terms.int(0) } else { a })
}

fn divide_multiple(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (_, is_quotient, a, b) = division(node)?;
    let divisor = terms.as_int(b)?.clone();
    let mut polynomial = terms.polynomial(a);
    let multiple = |value: &Integer| value.rem_euclidean(&divisor).is_some_and(|r| r.is_zero());
    let all = multiple(&polynomial.constant)
        && polynomial.summands.iter().all(|(_, coefficient)| multiple(coefficient));
    if !all {
        return None;
    }
    if !is_quotient {
        return Some(terms.int(0));
    }
    polynomial.constant = polynomial.constant.div_truncated(&divisor)?;
    for (_, coefficient) in &mut polynomial.summands {
        *coefficient = coefficient.div_truncated(&divisor)?;
    }
    Some(terms.from_polynomial(polynomial))
}

fn divide_zero(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (_, _, a, _) = division(node)?;
    terms.as_int(a)?.is_zero().then_some(a)
}

fn divide_by_negative(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (rounding, is_quotient, a, b) = division(node)?;
    let divisor = terms.as_int(b)?;
    if !divisor.is_negative() {
        return None;
    }
    let positive = divisor.neg();
    let positive = terms.int(positive);
    if !is_quotient {
        return Some(terms.remainder(rounding, a, positive));
    }
    let quotient = terms.quotient(rounding, a, positive);
    Some(terms.neg(quotient))
}

fn remainder_self(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Remainder(_, a, b) = *node else {
        return None;
    };
    (a == b && !terms.is_starred(a)).then(|| terms.int(0))
}

fn divide_twice(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (rounding, is_quotient, a, b) = division(node)?;
    let (inner, x, first) = match terms.node(a) {
        Node::Quotient(inner, x, first) if is_quotient => (inner, *x, *first),
        Node::Remainder(inner, x, first) if !is_quotient => (inner, *x, *first),
        _ => return None,
    };
    if *inner != rounding {
        return None;
    }
    let positive = |term| terms.as_int(term).filter(|value| **value > Integer::ZERO);
    match (is_quotient, positive(first), positive(b)) {
        (true, Some(first), Some(second)) => {
            let both = first.mul(second);
            let both = terms.int(both);
            Some(terms.quotient(rounding, x, both))
        }
        (false, Some(first), Some(second)) if first.rem_euclidean(second)?.is_zero() => {
            Some(terms.remainder(rounding, x, b))
        }
        (false, ..) if first == b && !terms.is_starred(b) => Some(a),
        _ => None,
    }
}

fn divide_split(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (Rounding::Euclidean, is_quotient, a, b) = division(node)? else {
        return None;
    };
    let divisor = terms.as_int(b).filter(|divisor| **divisor > Integer::ONE)?.clone();
    let (mut rest, mut whole) = (terms.polynomial(a), Polynomial::constant(Integer::ZERO));
    for (monomial, coefficient) in std::mem::take(&mut rest.summands) {
        if coefficient.rem_euclidean(&divisor)?.is_zero() {
            whole.summands.push((monomial, coefficient.div_floor(&divisor)?));
        } else {
            rest.summands.push((monomial, coefficient));
        }
    }
    whole.constant = rest.constant.div_floor(&divisor)?;
    if whole == Polynomial::constant(Integer::ZERO) {
        return None;
    }
    rest.constant = rest.constant.rem_euclidean(&divisor)?;
    let rest = terms.term_of(rest);
    if !is_quotient {
        return Some(terms.remainder(Rounding::Euclidean, rest, b));
    }
    let (whole, rest) = (terms.term_of(whole), terms.quotient(Rounding::Euclidean, rest, b));
    Some(terms.add(whole, rest))
}

/// Powers of constants are computed up to so many bits.
const MAX_POWER_BITS: u64 = 4_096;

/// `base ^ exponent`, if it is not too large; 1 if the exponent is negative.
pub fn power(base: &Integer, exponent: &Integer) -> Option<Integer> {
    if exponent.is_negative() || exponent.is_zero() {
        return Some(Integer::ONE);
    }
    if base.bits() <= 1 {
        // 0, 1 and -1 to any power.
        let odd = !exponent.bit_and(&Integer::ONE).is_zero();
        let minus_one = base.is_negative();
        return Some(if minus_one && !odd { Integer::ONE } else { base.clone() });
    }
    let count = u64::try_from(exponent.to_i64()?).ok()?;
    if count.checked_mul(base.bits())? > MAX_POWER_BITS {
        return None;
    }
    Some((0..count).fold(Integer::ONE, |product, _| product.mul(base)))
}

fn power_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Power(base, exponent) = node else {
        return None;
    };
    if *base == Integer::ONE {
        return Some(terms.int(1));
    }
    let result = power(base, terms.as_int(*exponent)?)?;
    Some(terms.int(result))
}
