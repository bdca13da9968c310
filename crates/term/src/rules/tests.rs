//! One example for each rule; that they keep values is tested on random terms.

use crate::*;
use loupe_integer::{Integer, Signedness};
use std::collections::BTreeSet;

/// Symbols that the examples speak of.
struct Symbols {
    x: Term,
    y: Term,
    i: Term,
    array: Term,
}

type Build = fn(&mut Terms, &Symbols) -> Term;

const BYTE: Width = Width { bits: 8, signedness: Signedness::Unsigned };
const SHORT: Width = Width { bits: 16, signedness: Signedness::Signed };

fn sorted(term: Result<Term, Misuse>) -> Term {
    term.expect("sorts fit")
}

/// x·(x + 1) / 2, which is exact.
fn triangle(t: &mut Terms, x: Term) -> Term {
    let one = t.int(1);
    let next = t.add(x, one);
    let (product, two) = (t.mul(x, next), t.int(2));
    t.quotient(Rounding::Euclidean, product, two)
}

/// The name of a rule, what it applies to, and what comes out.
const EXAMPLES: &[(&str, Build, Build)] = &[
    (
        "unknown",
        |t, s| {
            let star = t.star(Sort::Int);
            t.quotient(Rounding::Truncated, s.x, star)
        },
        |t, _| t.star(Sort::Int),
    ),
    (
        "divide-constants",
        |t, _| {
            let (a, b) = (t.int(-7), t.int(2));
            t.quotient(Rounding::Truncated, a, b)
        },
        |t, _| t.int(-3),
    ),
    (
        "divide-by-one",
        |t, s| {
            let one = t.int(1);
            t.quotient(Rounding::Truncated, s.x, one)
        },
        |_, s| s.x,
    ),
    (
        "divide-by-zero",
        |t, s| {
            let zero = t.int(0);
            t.remainder(Rounding::Euclidean, s.x, zero)
        },
        |_, s| s.x,
    ),
    (
        "divide-multiples",
        |t, s| {
            let (six, three) = (t.scale(s.x, &Integer::from(6)), t.int(3));
            t.quotient(Rounding::Euclidean, six, three)
        },
        |t, s| t.scale(s.x, &Integer::from(2)),
    ),
    (
        "power-constant",
        |t, _| {
            let ten = t.int(10);
            t.power(2, ten)
        },
        |t, _| t.int(1024),
    ),
    (
        "wrap-constant",
        |t, _| {
            let a = t.int(300);
            t.wrap(BYTE, a)
        },
        |t, _| t.int(44),
    ),
    (
        "wrap-wrap",
        |t, s| {
            let inner = t.wrap(SHORT, s.x);
            t.wrap(BYTE, inner)
        },
        |t, s| t.wrap(BYTE, s.x),
    ),
    (
        "wrap-modulus",
        |t, s| {
            let sum = t.add_scaled(s.x, s.y, &Integer::from(256));
            t.wrap(BYTE, sum)
        },
        |t, s| t.wrap(BYTE, s.x),
    ),
    (
        "bits-constants",
        |t, _| {
            let (a, b) = (t.int(12), t.int(10));
            t.bits(BitOp::And, BYTE, a, b)
        },
        |t, _| t.int(8),
    ),
    (
        "bits-mask",
        |t, s| {
            let mask = t.int(15);
            t.bits(BitOp::And, SHORT, s.x, mask)
        },
        |t, s| {
            let sixteen = t.int(16);
            t.remainder(Rounding::Euclidean, s.x, sixteen)
        },
    ),
    (
        "ite-constant",
        |t, s| {
            let yes = t.bool(true);
            t.ite(yes, s.x, s.y)
        },
        |_, s| s.x,
    ),
    (
        "ite-same",
        |t, s| {
            let less = t.lt(s.x, s.y);
            t.ite(less, s.x, s.x)
        },
        |_, s| s.x,
    ),
    (
        "ite-truth",
        |t, s| {
            let (less, no) = (t.lt(s.x, s.y), t.bool(false));
            let zero = t.zero(s.x);
            t.ite(less, zero, no)
        },
        |t, s| {
            let less = t.lt(s.x, s.y);
            let zero = t.zero(s.x);
            t.and([less, zero])
        },
    ),
    (
        "select-store",
        |t, s| {
            let one = t.int(1);
            let next = t.add(s.i, one);
            let array = sorted(t.store(s.array, next, s.x));
            sorted(t.select(array, s.i))
        },
        |t, s| sorted(t.select(s.array, s.i)),
    ),
    (
        "select-constant",
        |t, s| {
            let array = sorted(t.constant_array(2, s.x));
            let row = sorted(t.select(array, s.i));
            sorted(t.select(row, s.y))
        },
        |_, s| s.x,
    ),
    (
        "select-lambda",
        |t, s| {
            let body = t.mul(s.i, s.i);
            let array = sorted(t.lambda(s.i, body));
            sorted(t.select(array, s.x))
        },
        |t, s| t.mul(s.x, s.x),
    ),
    (
        "store-store",
        |t, s| {
            let first = sorted(t.store(s.array, s.i, s.x));
            sorted(t.store(first, s.i, s.y))
        },
        |t, s| sorted(t.store(s.array, s.i, s.y)),
    ),
    (
        "store-same",
        |t, s| {
            let element = sorted(t.select(s.array, s.i));
            sorted(t.store(s.array, s.i, element))
        },
        |_, s| s.array,
    ),
    (
        "quantify-constant",
        |t, s| {
            let no = t.bool(false);
            sorted(t.quantify(Quantifier::Forall, s.i, [s.x, s.y], no))
        },
        |t, s| t.le(s.y, s.x),
    ),
    (
        "quantify-few",
        |t, s| {
            let one = t.int(1);
            let (next, body) = (t.add(s.x, one), t.lt(s.i, s.y));
            sorted(t.quantify(Quantifier::Exists, s.i, [s.x, next], body))
        },
        |t, s| t.lt(s.x, s.y),
    ),
    (
        "quantify-point",
        |t, s| {
            let parts = [t.ne(s.i, s.x), t.lt(s.i, s.y)];
            let body = t.or(parts);
            let end = t.int(9);
            sorted(t.quantify(Quantifier::Forall, s.i, [s.y, end], body))
        },
        |t, s| {
            let end = t.int(9);
            let parts = [t.lt(s.x, s.y), t.le(end, s.x)];
            t.or(parts)
        },
    ),
    (
        "divide-zero",
        |t, s| {
            let zero = t.int(0);
            t.remainder(Rounding::Truncated, zero, s.x)
        },
        |t, _| t.int(0),
    ),
    (
        "divide-by-negative",
        |t, s| {
            let divisor = t.int(-3);
            t.quotient(Rounding::Euclidean, s.x, divisor)
        },
        |t, s| {
            let three = t.int(3);
            let quotient = t.quotient(Rounding::Euclidean, s.x, three);
            t.neg(quotient)
        },
    ),
    ("remainder-self", |t, s| t.remainder(Rounding::Truncated, s.x, s.x), |t, _| t.int(0)),
    (
        "divide-twice",
        |t, s| {
            let (two, three) = (t.int(2), t.int(3));
            let half = t.quotient(Rounding::Truncated, s.x, two);
            t.quotient(Rounding::Truncated, half, three)
        },
        |t, s| {
            let six = t.int(6);
            t.quotient(Rounding::Truncated, s.x, six)
        },
    ),
    (
        "divide-split",
        |t, s| {
            let (seven, three) = (t.int(7), t.int(3));
            let sum = t.add_scaled(s.x, s.y, &Integer::from(6));
            let sum = t.add(sum, seven);
            t.quotient(Rounding::Euclidean, sum, three)
        },
        |t, s| {
            let (one, two, three) = (t.int(1), t.int(2), t.int(3));
            let next = t.add(s.x, one);
            let quotient = t.quotient(Rounding::Euclidean, next, three);
            let twice = t.scale(s.y, &Integer::from(2));
            t.sum([quotient, twice, two])
        },
    ),
    (
        "divide-exactly",
        |t, s| {
            let one = t.int(1);
            let next = t.add(s.x, one);
            let (product, two) = (t.mul(s.x, next), t.int(2));
            t.remainder(Rounding::Truncated, product, two)
        },
        |t, _| t.int(0),
    ),
    (
        "compare-multiplied",
        |t, s| {
            let triangle = triangle(t, s.x);
            t.le(triangle, s.y)
        },
        |t, s| {
            let one = t.int(1);
            let next = t.add(s.x, one);
            let (product, twice) = (t.mul(s.x, next), t.scale(s.y, &Integer::from(2)));
            t.le(product, twice)
        },
    ),
    (
        "wrap-multiplied",
        |t, s| {
            let triangle = triangle(t, s.x);
            let sixfold = t.scale(triangle, &Integer::from(6));
            t.wrap(SHORT, sixfold)
        },
        |t, s| {
            let one = t.int(1);
            let next = t.add(s.x, one);
            let product = t.mul(s.x, next);
            let threefold = t.scale(product, &Integer::from(3));
            t.wrap(SHORT, threefold)
        },
    ),
    (
        "wrap-fits",
        |t, s| {
            let inner = t.wrap(BYTE, s.x);
            t.wrap(SHORT, inner)
        },
        |t, s| t.wrap(BYTE, s.x),
    ),
    (
        "wrap-sum",
        |t, s| {
            let inner = t.wrap(SHORT, s.x);
            let sum = t.add_scaled(s.y, inner, &Integer::from(3));
            t.wrap(BYTE, sum)
        },
        |t, s| {
            let sum = t.add_scaled(s.y, s.x, &Integer::from(3));
            t.wrap(BYTE, sum)
        },
    ),
    (
        "wrap-sum",
        |t, s| {
            let sum = t.add(s.x, s.y);
            let (inner, other) = (t.wrap(SHORT, sum), t.wrap(BYTE, s.x));
            let product = t.mul(inner, other);
            t.wrap(BYTE, product)
        },
        |t, s| {
            let (square, product) = (t.mul(s.x, s.x), t.mul(s.x, s.y));
            let sum = t.add(square, product);
            t.wrap(BYTE, sum)
        },
    ),
    (
        "bits-wrap",
        |t, s| {
            let inner = t.wrap(SHORT, s.x);
            t.bits(BitOp::Xor, BYTE, inner, s.y)
        },
        |t, s| t.bits(BitOp::Xor, BYTE, s.x, s.y),
    ),
    ("bits-same", |t, s| t.bits(BitOp::And, BYTE, s.x, s.x), |t, s| t.wrap(BYTE, s.x)),
    (
        "bits-neutral",
        |t, s| {
            let ones = t.int(-1);
            t.bits(BitOp::And, SHORT, ones, s.x)
        },
        |t, s| t.wrap(SHORT, s.x),
    ),
    (
        "bits-shift",
        |t, s| {
            let three = t.int(3);
            t.bits(BitOp::Shl, BYTE, s.x, three)
        },
        |t, s| {
            let eight = t.scale(s.x, &Integer::from(8));
            t.wrap(BYTE, eight)
        },
    ),
    (
        "bits-order",
        |t, s| t.bits(BitOp::Or, BYTE, s.y, s.x),
        |t, s| t.bits(BitOp::Or, BYTE, s.x, s.y),
    ),
    (
        "ite-order",
        |t, s| {
            let (zero, even) = (t.zero(s.x), t.divides(&Integer::from(2), s.x));
            let (odd, positive) = (t.not(even), t.not(zero));
            let either = t.or([odd, positive]);
            t.ite(either, s.x, s.y)
        },
        |t, s| {
            let (zero, even) = (t.zero(s.x), t.divides(&Integer::from(2), s.x));
            let both = t.and([even, zero]);
            t.ite(both, s.y, s.x)
        },
    ),
    (
        "ite-nested",
        |t, s| {
            let less = t.lt(s.x, s.y);
            let not_less = t.not(less);
            let inner = t.ite(not_less, s.i, s.y);
            t.ite(less, inner, s.x)
        },
        |t, s| {
            let less = t.lt(s.x, s.y);
            t.ite(less, s.y, s.x)
        },
    ),
    (
        "ite-equal",
        |t, s| {
            let different = t.ne(s.x, s.y);
            t.ite(different, s.x, s.y)
        },
        |_, s| s.x,
    ),
    (
        "compare-ite",
        |t, s| {
            let (less, zero, one) = (t.lt(s.x, s.y), t.int(0), t.int(1));
            let number = t.ite(less, one, zero);
            t.zero(number)
        },
        |t, s| t.le(s.y, s.x),
    ),
    (
        "zero-remainder",
        |t, s| {
            let (two, three) = (t.int(2), t.int(3));
            let rest = t.remainder(Rounding::Euclidean, s.x, three);
            t.eq(rest, two)
        },
        |t, s| {
            let two = t.int(2);
            let difference = t.sub(s.x, two);
            t.divides(&Integer::from(3), difference)
        },
    ),
    (
        "divides-wrapped",
        |t, s| {
            let wrapped = t.wrap(BYTE, s.x);
            let sum = t.add(wrapped, s.y);
            t.divides(&Integer::from(4), sum)
        },
        |t, s| {
            let sum = t.add(s.x, s.y);
            t.divides(&Integer::from(4), sum)
        },
    ),
    (
        "select-ite",
        |t, s| {
            let less = t.lt(s.x, s.y);
            let first = sorted(t.store(s.array, s.i, s.x));
            let second = sorted(t.store(s.array, s.i, s.y));
            let array = t.ite(less, first, second);
            sorted(t.select(array, s.i))
        },
        |t, s| {
            let less = t.lt(s.x, s.y);
            t.ite(less, s.x, s.y)
        },
    ),
    ("lambda-constant", |t, s| sorted(t.lambda(s.i, s.x)), |t, s| sorted(t.constant_array(1, s.x))),
    (
        "lambda-select",
        |t, s| {
            let element = sorted(t.select(s.array, s.i));
            sorted(t.lambda(s.i, element))
        },
        |_, s| s.array,
    ),
    (
        "same-store",
        |t, s| {
            let array = sorted(t.store(s.array, s.i, s.x));
            t.eq(s.array, array)
        },
        |t, s| {
            let element = sorted(t.select(s.array, s.i));
            t.eq(element, s.x)
        },
    ),
];

#[test]
fn every_rule_has_an_example() {
    let rules: BTreeSet<_> = super::all().map(|rule| rule.name).collect();
    let examples: BTreeSet<_> = EXAMPLES.iter().map(|(name, ..)| *name).collect();
    assert_eq!(rules.len(), super::all().count(), "names are different");
    assert_eq!(rules, examples);
}

#[test]
fn the_examples_come_out() {
    for (name, before, after) in EXAMPLES {
        let mut terms = Terms::new();
        let [x, y, i] = ["x", "y", "i"].map(|name| terms.int_symbol(name));
        let array = terms.fresh("a", Sort::Array(1), Origin::default());
        let symbols = Symbols { x, y, i, array };
        let (before, after) = (before(&mut terms, &symbols), after(&mut terms, &symbols));
        assert_eq!(before, after, "{name}: {:?} and {:?}", terms.node(before), terms.node(after));
    }
}
