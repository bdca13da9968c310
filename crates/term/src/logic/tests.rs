//! Conjunctions and disjunctions say what their parts say, and no part too many.

use crate::testing::symbol_of;
use crate::*;
use loupe_integer::Integer;
use proptest::prelude::*;

/// A comparison of `x` or of `2x - 3y` with an integer.
type Literal = (u8, u8, i64);

fn build(terms: &mut Terms, [x, y]: [Term; 2], (what, how, value): Literal) -> Term {
    let twice = terms.scale(x, &Integer::from(2));
    let difference = terms.add_scaled(twice, y, &Integer::from(-3));
    let (spoken_of, value) = (if what == 0 { x } else { difference }, terms.int(value));
    match how {
        0 => terms.le(spoken_of, value),
        1 => terms.le(value, spoken_of),
        2 => terms.eq(spoken_of, value),
        _ => terms.ne(spoken_of, value),
    }
}

fn literals() -> impl Strategy<Value = Vec<Literal>> {
    proptest::collection::vec((0..2u8, 0..4u8, -3i64..4), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn comparisons_are_resolved(literals in literals()) {
        let mut terms = Terms::new();
        let symbols = ["x", "y"].map(|name| terms.int_symbol(name));
        let parts: Vec<Term> =
            literals.iter().map(|literal| build(&mut terms, symbols, *literal)).collect();
        let (all, any) = (terms.and(parts.iter().copied()), terms.or(parts.iter().copied()));
        for (a, b) in (-5i64..6).flat_map(|a| (-5i64..6).map(move |b| (a, b))) {
            let mut assignment = Assignment::default();
            for (symbol, value) in symbols.into_iter().zip([a, b]) {
                let value = Value::Int(Integer::from(value));
                assignment.symbols.insert(symbol_of(&terms, symbol), value);
            }
            let mut truths = parts.iter().map(|part| terms.holds(*part, &assignment) == Ok(true));
            prop_assert_eq!(terms.holds(all, &assignment), Ok(truths.clone().all(|truth| truth)));
            prop_assert_eq!(terms.holds(any, &assignment), Ok(truths.any(|truth| truth)));
        }
        // One at a time, in any order, is the same as all at once.
        for (whole, backwards) in [(all, false), (any, true)] {
            let mut step = terms.bool(!backwards);
            let mut parts = parts.clone();
            if backwards {
                parts.reverse();
            }
            for part in parts {
                step = if backwards { terms.or([step, part]) } else { terms.and([part, step]) };
            }
            prop_assert_eq!(step, whole);
        }
        // Negation is a mirror.
        let negated: Vec<Term> = parts.iter().map(|part| terms.not(*part)).collect();
        let none = terms.and(negated);
        prop_assert_eq!(terms.not(any), none);
    }
}

#[test]
fn examples() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let [two, three, four, five] = [2, 3, 4, 5].map(|value| terms.int(value));
    let (at_most_3, at_most_5) = (terms.le(x, three), terms.le(x, five));
    let (at_least_3, at_least_5) = (terms.le(three, x), terms.le(five, x));
    let is_3 = terms.eq(x, three);
    let (no, yes) = (terms.bool(false), terms.bool(true));
    assert_eq!(terms.and([at_most_3, at_most_5]), at_most_3);
    assert_eq!(terms.or([at_most_3, at_most_5]), at_most_5);
    assert_eq!(terms.and([at_most_3, at_least_3]), is_3);
    assert_eq!(terms.and([at_most_3, at_least_5]), no);
    assert_eq!(terms.or([at_least_3, at_most_5]), yes);
    let (below, above, not_3) = (terms.le(x, two), terms.le(four, x), terms.not(is_3));
    assert_eq!(terms.or([below, above]), not_3);
    assert_eq!(terms.or([below, is_3]), at_most_3);
    assert_eq!(terms.and([at_most_3, not_3]), below);
    // x ∧ (x ∨ y) = x, and the mirror.
    let other = terms.zero(y);
    let either = terms.or([is_3, other]);
    assert_eq!(terms.and([is_3, either]), is_3);
    let both = terms.and([is_3, other]);
    assert_eq!(terms.or([is_3, both]), is_3);
}

#[test]
fn many_parts_are_quick() {
    let mut terms = Terms::new();
    let mut parts = Vec::new();
    for i in 0..100_000i64 {
        let x = terms.int_symbol("x");
        let (low, high, middle) = (terms.int(-i), terms.int(i), terms.int(i / 2));
        parts.extend([terms.le(low, x), terms.le(x, high), terms.le(x, middle)]);
    }
    let all = terms.and(parts);
    let Node::And(kept) = terms.node(all) else { panic!("a conjunction") };
    // Of three, two are needed; of the first symbol, one: it is 0.
    assert_eq!(kept.len(), 200_000 - 1);
}

#[test]
fn what_comparisons_are_resolved_to_is_joined_too() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let p = terms.fresh("p", Sort::Bool, Origin::default());
    let [one, two, three, five] = [1, 2, 3, 5].map(|value| terms.int(value));
    let rest = terms.remainder(Rounding::Euclidean, x, three);
    // x mod 3 = 1 is a divisibility, which is there already.
    let (below, above, is_one) = (terms.le(rest, one), terms.le(one, rest), terms.eq(rest, one));
    assert_eq!(terms.and([below, above, is_one]), is_one);
    // x mod 3 = 5 is false.
    let (below, above) = (terms.le(rest, five), terms.le(five, rest));
    let no = terms.bool(false);
    assert_eq!(terms.and([below, above, p]), no);
    // A choice between constants is its condition, which is a conjunction here.
    let (low, high) = (terms.le(one, x), terms.le(x, five));
    let q = terms.fresh("q", Sort::Bool, Origin::default());
    let inside = terms.and([low, p]);
    let chosen = terms.ite(inside, two, five);
    let chosen = terms.add(chosen, x);
    let chosen = terms.sub(chosen, x);
    let (below, above) = (terms.le(chosen, two), terms.le(two, chosen));
    let all = terms.and([below, above, high, q]);
    assert_eq!(all, terms.and([low, p, high, q]));
}
