//! The table of simplification rules.
//!
//! A rule looks at a node whose parts are already simplified and gives an equal term that is not
//! worse: a part of the node, a constant, or something with fewer operations of the same kind. Each
//! has a one-line argument and an example among the tests; on random terms, the tests compare what is
//! built with and without the table by evaluation.

use crate::arena::Terms;
use crate::node::{BitOp, Node, Quantifier, Rounding, Sort, Term};
use loupe_integer::Integer;

/// A rule.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Why both sides are equal.
    pub argument: &'static str,
    apply: fn(&mut Terms, &Node) -> Option<Term>,
}

/// The rules, in the order in which they are tried.
pub const RULES: &[Rule] = &[
    Rule { name: "unknown", argument: "what depends on ★ is unknown", apply: unknown },
    Rule { name: "divide-constants", argument: "the definition", apply: divide_constants },
    Rule { name: "divide-by-one", argument: "x / 1 = x, x % 1 = 0", apply: divide_by_unit },
    Rule { name: "divide-by-zero", argument: "x / 0 = 0, x % 0 = x", apply: divide_by_zero },
    Rule {
        name: "divide-multiples",
        argument: "(c·x) / c = x, (c·x) % c = 0",
        apply: divide_multiple,
    },
    Rule { name: "power-constant", argument: "the definition", apply: power_constant },
    Rule { name: "wrap-constant", argument: "the definition", apply: wrap_constant },
    Rule { name: "wrap-wrap", argument: "low bits of low bits", apply: wrap_wrap },
    Rule { name: "wrap-modulus", argument: "2ⁿ·x has no low bits", apply: wrap_modulus },
    Rule { name: "bits-constants", argument: "the definition", apply: bits_constants },
    Rule {
        name: "bits-mask", argument: "the low bits are the remainder by 2ⁿ", apply: bits_mask
    },
    Rule { name: "ite-constant", argument: "the definition", apply: ite_constant },
    Rule { name: "ite-same", argument: "both ways lead to the same", apply: ite_same },
    Rule {
        name: "ite-truth", argument: "ite(c, a, b) = (c ∧ a) ∨ (¬c ∧ b)", apply: ite_truth
    },
    Rule {
        name: "select-store",
        argument: "what was just written, or not there",
        apply: select_store,
    },
    Rule { name: "select-constant", argument: "the same everywhere", apply: select_constant },
    Rule { name: "select-lambda", argument: "the definition", apply: select_lambda },
    Rule { name: "store-store", argument: "the later write hides the earlier", apply: store_store },
    Rule { name: "store-same", argument: "a[i] := a[i] changes nothing", apply: store_same },
    Rule {
        name: "quantify-constant",
        argument: "a body without its variable",
        apply: quantify_constant,
    },
    Rule { name: "quantify-few", argument: "no value, or just one", apply: quantify_few },
];

/// The first rule's result for a node.
pub(crate) fn apply(terms: &mut Terms, node: &Node) -> Option<Term> {
    RULES.iter().find_map(|rule| (rule.apply)(terms, node))
}

fn unknown(terms: &mut Terms, node: &Node) -> Option<Term> {
    let star = |terms: &Terms, term: Term| matches!(terms.node(term), Node::Star(_));
    let (unknown, sort) = match node {
        Node::Quotient(_, a, b) | Node::Remainder(_, a, b) | Node::Bits(_, _, a, b) => {
            (star(terms, *a) || star(terms, *b), Sort::Int)
        }
        Node::Power(_, a) | Node::Wrap(_, a) => (star(terms, *a), Sort::Int),
        Node::Apply(_, parts) => (parts.iter().any(|part| star(terms, *part)), Sort::Int),
        Node::Ite(condition, then, _) => (terms.is_starred(*condition), terms.sort(*then)),
        Node::Select(array, index) => {
            let sort = terms.sort(*array).element()?;
            (star(terms, *array) || terms.is_starred(*index), sort)
        }
        Node::Store(array, index, _) => {
            (star(terms, *array) || terms.is_starred(*index), terms.sort(*array))
        }
        _ => return None,
    };
    unknown.then(|| terms.star(sort))
}

/// Quotient or remainder: which rounding, which one, and the operands.
fn division(node: &Node) -> Option<(Rounding, bool, Term, Term)> {
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

fn wrap_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = node else {
        return None;
    };
    let result = terms.as_int(*a)?.wrap(width.bits, width.signedness);
    Some(terms.int(result))
}

fn wrap_wrap(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(outer, a) = node else {
        return None;
    };
    match terms.node(*a) {
        Node::Wrap(inner, _) if inner == outer => Some(*a),
        Node::Wrap(inner, b) if outer.bits <= inner.bits => {
            let (outer, b) = (*outer, *b);
            Some(terms.wrap(outer, b))
        }
        _ => None,
    }
}

fn wrap_modulus(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = node else {
        return None;
    };
    let modulus = Integer::power_of_two(width.bits);
    let mut polynomial = terms.polynomial(*a);
    let before = polynomial.summands.len();
    let multiple = |value: &Integer| value.rem_euclidean(&modulus).is_some_and(|r| r.is_zero());
    polynomial.summands.retain(|(_, coefficient)| !multiple(coefficient));
    if polynomial.summands.len() == before {
        return None;
    }
    let a = terms.from_polynomial(polynomial);
    Some(terms.wrap(*width, a))
}

fn bits_constants(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(op, width, a, b) = node else {
        return None;
    };
    let result = crate::eval::bits(*op, *width, terms.as_int(*a)?, terms.as_int(*b)?);
    Some(terms.int(result))
}

fn bits_mask(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(BitOp::And, width, a, b) = *node else {
        return None;
    };
    let (mask, other) = match (terms.as_int(a), terms.as_int(b)) {
        (Some(mask), None) => (mask.clone(), b),
        (None, Some(mask)) => (mask.clone(), a),
        _ => return None,
    };
    // Only what the type holds, so that the mask is not changed by wrapping. All ones of a signed
    // type are -1, which is no mask.
    let modulus = mask.add(&Integer::ONE);
    let bits = u32::try_from(mask.bits()).ok()?;
    if mask.is_negative()
        || modulus != Integer::power_of_two(bits)
        || mask.wrap(width.bits, width.signedness) != mask
    {
        return None;
    }
    let modulus = terms.int(modulus);
    Some(terms.remainder(Rounding::Euclidean, other, modulus))
}

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

/// Whether two indices are equal, if that is plain.
fn same_index(terms: &mut Terms, a: Term, b: Term) -> Option<bool> {
    let equal = terms.eq(a, b);
    terms.as_bool(equal)
}

fn select_store(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, index) = *node else {
        return None;
    };
    // As far down as the indices are plainly different.
    let mut current = array;
    while let Node::Store(below, at, value) = *terms.node(current) {
        match same_index(terms, index, at) {
            Some(true) => return Some(value),
            Some(false) => current = below,
            None => break,
        }
    }
    if current == array {
        return None;
    }
    terms.select(current, index).ok()
}

fn select_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, _) = *node else {
        return None;
    };
    match *terms.node(array) {
        Node::ConstantArray(1, value) => Some(value),
        Node::ConstantArray(dimensions, value) => terms.constant_array(dimensions - 1, value).ok(),
        _ => None,
    }
}

fn select_lambda(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, index) = *node else {
        return None;
    };
    match *terms.node(array) {
        Node::Lambda(binder, body) => Some(terms.instantiate(binder, body, index)),
        _ => None,
    }
}

fn store_store(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Store(array, index, value) = *node else {
        return None;
    };
    let Node::Store(below, at, _) = *terms.node(array) else {
        return None;
    };
    if !same_index(terms, index, at)? {
        return None;
    }
    terms.store(below, index, value).ok()
}

fn store_same(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Store(array, index, value) = *node else {
        return None;
    };
    // The two times that an unknown array is named, it may be another.
    (*terms.node(value) == Node::Select(array, index) && !terms.is_starred(array)).then_some(array)
}

fn quantify_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Quantified(quantifier, _, [low, high, body]) = *node else {
        return None;
    };
    match (quantifier, terms.as_bool(body)?) {
        (Quantifier::Forall, true) | (Quantifier::Exists, false) => Some(body),
        (Quantifier::Exists, true) => Some(terms.lt(low, high)),
        (Quantifier::Forall, false) => Some(terms.le(high, low)),
    }
}

fn quantify_few(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Quantified(quantifier, binder, [low, high, body]) = *node else {
        return None;
    };
    let count = terms.sub(high, low);
    let count = terms.as_int(count)?.clone();
    if count <= Integer::ZERO {
        return Some(terms.bool(quantifier == Quantifier::Forall));
    }
    (count == Integer::ONE).then(|| terms.instantiate(binder, body, low))
}

#[cfg(test)]
mod tests;
