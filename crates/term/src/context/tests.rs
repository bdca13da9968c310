//! Assignments that satisfy the context are inside of all ranges and see no difference between a term
//! and what it is simplified to; a contradiction has none.

use super::*;
use crate::testing::{
    Builder, Elements, Plan, Truth, symbol_of, values, varied_plans, varied_truths,
};
use crate::{Assignment, BitOp, Origin, Rounding, Value, Width};
use loupe_integer::Signedness;
use proptest::prelude::*;

const BYTE: Width = Width { bits: 8, signedness: Signedness::Unsigned };
const INT: Width = Width { bits: 32, signedness: Signedness::Signed };

/// Bounds and congruences of sums of a few symbols: what contexts learn from.
fn literals() -> impl Strategy<Value = Truth> {
    let sum = || {
        let scaled = (0..3usize, -3i64..4).prop_map(|(symbol, factor)| {
            Plan::Mul(Box::new(Plan::Symbol(symbol)), Box::new(Plan::Int(factor)))
        });
        prop::collection::vec(scaled, 1..3).prop_map(|parts| {
            let add = |a, b| Plan::Add(Box::new(a), Box::new(b));
            parts.into_iter().reduce(add).expect("there is one")
        })
    };
    prop_oneof![
        4 => (sum(), -8i64..9).prop_map(|(a, b)| Truth::Le(a, Plan::Int(b))),
        1 => (sum(), -8i64..9).prop_map(|(a, b)| Truth::Eq(a, Plan::Int(b))),
        1 => (2i64..6, -2i64..3, sum())
            .prop_map(|(n, c, a)| Truth::Divides(n, Plan::Add(Box::new(a), Box::new(Plan::Int(c))))),
        1 => (sum(), -4i64..5)
            .prop_map(|(a, b)| Truth::Not(Box::new(Truth::Eq(a, Plan::Int(b))))),
    ]
}

fn assumptions() -> impl Strategy<Value = Vec<Truth>> {
    let assumption = prop_oneof![
        5 => literals(),
        1 => prop::collection::vec(literals(), 2..4).prop_map(Truth::And),
        1 => varied_truths(),
    ];
    prop::collection::vec(assumption, 1..5)
}

/// All values of the first three symbols in a box, the rest as they are.
fn box_around(builder: &Builder, rest: &Assignment) -> impl Iterator<Item = Assignment> {
    let symbols: Vec<_> =
        builder.symbols[..3].iter().map(|s| symbol_of(&builder.terms, *s)).collect();
    let rest = rest.clone();
    (0..13i64 * 13 * 13).map(move |code| {
        let mut assignment = rest.clone();
        for (symbol, digit) in symbols.iter().zip([code % 13, code / 13 % 13, code / 169]) {
            assignment.symbols.insert(*symbol, Value::Int(Integer::from(digit - 6)));
        }
        assignment
    })
}

fn all_hold(terms: &Terms, formulas: &[Term], assignment: &Assignment) -> bool {
    formulas.iter().all(|formula| terms.holds(*formula, assignment) == Ok(true))
}

fn number(value: &Value) -> Option<Integer> {
    match value {
        Value::Int(value) => Some(value.clone()),
        Value::Bool(value) => Some(Integer::from(*value)),
        Value::Array(_) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn contexts_tell_the_truth(
        assumed in assumptions(),
        plan in varied_plans(),
        truth in varied_truths(),
        world in values(),
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let assumed: Vec<Term> = assumed.iter().map(|truth| builder.truth(truth)).collect();
        let targets = [builder.int(&plan), builder.truth(&truth)];
        let mut context = Context::new();
        for formula in &assumed {
            context.assume(&mut builder.terms, *formula);
        }
        let ranges = targets.map(|target| context.range(&builder.terms, target));
        let simpler = targets.map(|target| context.simplify(&mut builder.terms, target));
        for (before, after) in targets.iter().zip(&simpler) {
            prop_assert!(builder.terms.size(*after) <= builder.terms.size(*before));
            prop_assert!(builder.terms.is_closed(*after));
        }
        let core: Vec<Term> = match context.contradiction() {
            Some(numbers) => numbers.iter().map(|number| assumed[*number]).collect(),
            None => assumed.clone(),
        };
        let rest = builder.assignment(&world);
        let mut satisfying = 0;
        for assignment in box_around(&builder, &rest) {
            if !all_hold(&builder.terms, &core, &assignment) {
                continue;
            }
            prop_assert!(!context.is_contradictory(), "{:?}", context.contradiction());
            satisfying += 1;
            if satisfying > 40 {
                break;
            }
            for ((target, range), simpler) in targets.iter().zip(&ranges).zip(&simpler) {
                let Ok(value) = builder.terms.evaluate(*target, &assignment) else { continue };
                let number = number(&value).expect("no array");
                prop_assert!(range.contains(&number), "{number} is not in {range:?}");
                prop_assert_eq!(builder.terms.evaluate(*simpler, &assignment), Ok(value));
            }
        }
    }

    /// The targets speak of the same few sums as the assumptions, so that much is decided.
    #[test]
    fn conjunctions_keep_their_meaning(
        assumed in prop::collection::vec(literals(), 0..3),
        parts in prop::collection::vec(prop_oneof![
            literals(),
            prop::collection::vec(literals(), 2..4).prop_map(Truth::Or),
        ], 2..5),
        world in values(),
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let assumed: Vec<Term> = assumed.iter().map(|truth| builder.truth(truth)).collect();
        let mut context = Context::new();
        for formula in &assumed {
            context.assume(&mut builder.terms, *formula);
        }
        for target in [Truth::And(parts.clone()), Truth::Or(parts)] {
            let target = builder.truth(&target);
            let simpler = context.simplify(&mut builder.terms, target);
            let rest = builder.assignment(&world);
            for assignment in box_around(&builder, &rest).step_by(7) {
                if all_hold(&builder.terms, &assumed, &assignment) {
                    let expected = builder.terms.holds(target, &assignment);
                    prop_assert_eq!(builder.terms.holds(simpler, &assignment), expected);
                }
            }
        }
    }

    /// Each operation on small operands, with bounds on these.
    #[test]
    fn operations_stay_in_range(
        op in 0..16usize,
        bits in 1u32..7,
        bounds in [-9i64..10, 0i64..8, -9i64..10, 0i64..8],
        step in 1i64..4,
    ) {
        let mut terms = Terms::new();
        let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
        let signedness = if op % 2 == 0 { Signedness::Signed } else { Signedness::Unsigned };
        let width = Width { bits, signedness };
        let rounding = if op % 2 == 0 { Rounding::Euclidean } else { Rounding::Truncated };
        let bit_op = [BitOp::And, BitOp::Or, BitOp::Xor, BitOp::Shl, BitOp::Shr];
        let term = match op / 2 {
            0 => terms.quotient(rounding, x, y),
            1 => terms.remainder(rounding, x, y),
            2 => {
                let sum = terms.add_scaled(x, y, &Integer::from(3));
                terms.wrap(width, sum)
            }
            kind => terms.bits(bit_op[kind - 3], width, x, y),
        };
        let square = terms.mul(x, x);
        let product = terms.mul(square, y);
        let power = terms.power(step - 2, y);
        let [low_x, more_x, low_y, more_y] = bounds;
        let mut context = Context::new();
        for (symbol, low, more) in [(x, low_x, more_x), (y, low_y, more_y)] {
            let (low, high) = (terms.int(low), terms.int(low + more));
            let parts = [terms.le(low, symbol), terms.le(symbol, high)];
            let both = terms.and(parts);
            context.assume(&mut terms, both);
        }
        let shift = terms.int(low_x);
        let from_low = terms.sub(x, shift);
        let stepped = terms.divides(&Integer::from(step), from_low);
        context.assume(&mut terms, stepped);
        prop_assert!(!context.is_contradictory());
        for term in [term, product, power] {
            let range = context.range(&terms, term);
            let simpler = context.simplify(&mut terms, term);
            for a in (low_x..=low_x + more_x).step_by(step as usize) {
                for b in low_y..=low_y + more_y {
                    let mut assignment = Assignment::default();
                    for (symbol, value) in [(x, a), (y, b)] {
                        let value = Value::Int(Integer::from(value));
                        assignment.symbols.insert(symbol_of(&terms, symbol), value);
                    }
                    let value = terms.evaluate(term, &assignment).expect("it is small");
                    let number = number(&value).expect("no array");
                    prop_assert!(range.contains(&number), "{a} {b}: {number} not in {range:?}");
                    prop_assert_eq!(terms.evaluate(simpler, &assignment), Ok(value));
                }
            }
        }
    }
}

/// A context in which a symbol is between two bounds.
fn between(terms: &mut Terms, symbol: Term, low: i64, high: i64) -> Context {
    let (low, high) = (terms.int(low), terms.int(high));
    let parts = [terms.le(low, symbol), terms.le(symbol, high)];
    let both = terms.and(parts);
    let mut context = Context::new();
    context.assume(terms, both);
    context
}

#[test]
fn machine_arithmetic_becomes_arithmetic() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let mut context = between(&mut terms, x, 0, 100);
    let (one, sixteen, mask) = (terms.int(1), terms.int(16), terms.int(15));
    let next = terms.add(x, one);
    let wrapped = terms.wrap(INT, next);
    assert_eq!(context.simplify(&mut terms, wrapped), next);
    let byte = terms.wrap(BYTE, next);
    assert_eq!(context.simplify(&mut terms, byte), next);
    let shift = terms.int(4);
    let shifted = terms.bits(BitOp::Shr, INT, x, shift);
    let divided = terms.quotient(Rounding::Euclidean, x, sixteen);
    assert_eq!(context.simplify(&mut terms, shifted), divided);
    let truncated = terms.quotient(Rounding::Truncated, x, sixteen);
    assert_eq!(context.simplify(&mut terms, truncated), divided);
    let masked = terms.bits(BitOp::And, INT, x, mask);
    let rest = terms.remainder(Rounding::Euclidean, x, sixteen);
    assert_eq!(context.simplify(&mut terms, masked), rest);
    let hundred = terms.int(101);
    let kept = terms.remainder(Rounding::Truncated, x, hundred);
    assert_eq!(context.simplify(&mut terms, kept), x);
}

#[test]
fn bounds_go_through_sums() {
    // x + y ≤ 10, y ≥ x, x ≥ 4: x and y are 4 to 6 and 4 to 5.
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let (four, ten) = (terms.int(4), terms.int(10));
    let sum = terms.add(x, y);
    let formulas = [terms.le(sum, ten), terms.le(x, y), terms.le(four, x)];
    let mut context = Context::new();
    for formula in formulas {
        context.assume(&mut terms, formula);
    }
    let expected = |low: i64, high: i64| Range::between(Some(low.into()), Some(high.into()));
    assert_eq!(context.range(&terms, y), expected(4, 6));
    let twice = terms.scale(sum, &Integer::from(2));
    let range = context.range(&terms, twice);
    assert_eq!((range.low, range.high), (Some(16.into()), Some(20.into())));
    assert_eq!(range.modulus, Integer::from(2));
}

#[test]
fn contradictions_name_their_assumptions() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.int_symbol(name));
    let [zero, three, five] = [0, 3, 5].map(|value| terms.int(value));
    let formulas = [
        terms.le(z, five),
        terms.le(five, x),
        terms.le(zero, y),
        terms.lt(x, y),
        terms.le(y, three),
    ];
    let mut context = Context::new();
    for formula in formulas {
        context.assume(&mut terms, formula);
    }
    assert_eq!(context.contradiction(), Some(&[1, 3, 4][..]));
    // 2x = y, y odd.
    let (twice, two) = (terms.scale(x, &Integer::from(2)), Integer::from(2));
    let even = terms.divides(&two, y);
    let formulas = [terms.eq(twice, y), terms.le(x, five), terms.not(even)];
    let mut context = Context::new();
    for formula in formulas {
        context.assume(&mut terms, formula);
    }
    assert_eq!(context.contradiction(), Some(&[0, 2][..]));
}

#[test]
fn parts_under_what_holds_around_them() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let [zero, three, five] = [0, 3, 5].map(|value| terms.int(value));
    let mut context = Context::new();
    // ite(0 ≤ x, max(x, 0), y) = ite(0 ≤ x, x, y).
    let natural = terms.le(zero, x);
    let nested = terms.max(x, zero);
    let nested = terms.wrap(INT, nested);
    let small = terms.le(x, three);
    let both = terms.and([natural, small]);
    let before = terms.ite(both, nested, y);
    let after = terms.ite(both, x, y);
    assert_eq!(context.simplify(&mut terms, before), after);
    // x ≤ 3 ∧ (y = 0 ∨ x ≤ 5) = x ≤ 3; x ≤ 3 ∧ (y = 0 ∨ x ≥ 5) = x ≤ 3 ∧ y = 0.
    let (other, weaker, opposite) = (terms.zero(y), terms.le(x, five), terms.le(five, x));
    let redundant = terms.or([other, weaker]);
    let conjunction = terms.and([small, redundant]);
    assert_eq!(context.simplify(&mut terms, conjunction), small);
    let unit = terms.or([other, opposite]);
    let conjunction = terms.and([small, unit]);
    let expected = terms.and([small, other]);
    assert_eq!(context.simplify(&mut terms, conjunction), expected);
    // Neither of two equal parts is lost because of the other.
    let sum = terms.add(x, y);
    let (first, second) = (terms.le(sum, five), terms.le(sum, three));
    let either = terms.or([first, second]);
    let again = terms.and([second, either]);
    assert_eq!(context.simplify(&mut terms, again), second);
}

#[test]
fn arrays_by_what_is_known_of_indices() {
    let mut terms = Terms::new();
    let (i, j) = (terms.int_symbol("i"), terms.int_symbol("j"));
    let array = terms.fresh("a", Sort::Array(1), Origin::default());
    let seven = terms.int(7);
    let written = terms.store(array, i, seven).expect("sorts fit");
    let element = terms.select(written, j).expect("sorts fit");
    let (less, equal) = (terms.lt(i, j), terms.eq(i, j));
    let mut context = Context::new();
    context.assume(&mut terms, less);
    let below = terms.select(array, j).expect("sorts fit");
    assert_eq!(context.simplify(&mut terms, element), below);
    let mut context = Context::new();
    context.assume(&mut terms, equal);
    assert_eq!(context.simplify(&mut terms, element), seven);
    // All elements of a constant array after writes.
    let zeros = terms.int(0);
    let zeros = terms.constant_array(1, zeros).expect("sorts fit");
    let written = terms.store(zeros, i, seven).expect("sorts fit");
    let element = terms.select(written, j).expect("sorts fit");
    let range = Context::new().range(&terms, element);
    assert_eq!((range.low, range.high, range.modulus), (Some(0.into()), Some(7.into()), 7.into()));
}

#[test]
fn nothing_is_learned_from_unknown_values() {
    let mut terms = Terms::new();
    let flag = terms.fresh("b", Sort::Bool, Origin::default());
    let (star, one, zero) = (terms.star(Sort::Int), terms.int(1), terms.int(0));
    let half = terms.ite(flag, star, one);
    let (at_most, at_least) = (terms.le(half, zero), terms.le(one, half));
    let mut context = Context::new();
    context.assume(&mut terms, at_most);
    context.assume(&mut terms, at_least);
    assert!(!context.is_contradictory());
    assert_eq!(context.range(&terms, half), Range::ALL);
}

#[test]
fn effort_is_bounded() {
    // Many comparisons of the same large terms: not all of it again for each of them.
    let mut terms = Terms::new();
    let function = terms.function("f", 2);
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let mut large = x;
    for _ in 0..2_000 {
        large = terms.apply(function, &[large, y]).expect("sorts fit");
    }
    let mut parts = Vec::new();
    for i in 0..2_000 {
        let bound = terms.int(i);
        let image = terms.apply(function, &[large, bound]).expect("sorts fit");
        parts.push(terms.le(image, bound));
    }
    let all = terms.and(parts);
    assert_eq!(Context::new().simplify(&mut terms, all), all);
}

#[test]
fn depth_and_chasing_are_no_problem() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let zero = terms.int(0);
    let mut context = Context::new();
    // Each pushes the other up, without end.
    for formula in [terms.lt(x, y), terms.lt(y, x), terms.le(zero, x)] {
        context.assume(&mut terms, formula);
    }
    let function = terms.function("f", 1);
    let mut term = x;
    for _ in 0..100_000 {
        let next = terms.apply(function, &[term]).expect("sorts fit");
        term = terms.wrap(BYTE, next);
    }
    let mut context = Context::new();
    let ranged = context.range(&terms, term);
    assert_eq!(ranged.high, Some(255.into()));
    assert_eq!(context.simplify(&mut terms, term), term);
}
