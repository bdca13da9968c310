//! Terms built with and without the rules have the same values; substitution is evaluation.

mod hostile;

use crate::testing::{Builder, Elements, symbol_of, values, varied_plans, varied_truths};
use crate::*;
use loupe_integer::{Integer, Signedness};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn rules_keep_values(plan in varied_plans(), world in values()) {
        let (mut with, mut without) = (Builder::new(Terms::new(), Elements::Read), Builder::new(Terms::without_rules(), Elements::Read));
        let (simple, raw) = (with.int(&plan), without.int(&plan));
        let found = with.terms.evaluate(simple, &with.assignment(&world));
        let expected = without.terms.evaluate(raw, &without.assignment(&world));
        if let Ok(expected) = expected {
            prop_assert_eq!(found, Ok(expected));
        }
    }

    #[test]
    fn rules_keep_truth(truth in varied_truths(), world in values()) {
        let (mut with, mut without) = (Builder::new(Terms::new(), Elements::Read), Builder::new(Terms::without_rules(), Elements::Read));
        let (simple, raw) = (with.truth(&truth), without.truth(&truth));
        let assignment = with.assignment(&world);
        let expected = without.terms.evaluate(raw, &without.assignment(&world));
        if let Ok(expected) = expected {
            prop_assert_eq!(with.terms.evaluate(simple, &assignment), Ok(expected.clone()));
            // Negation turns it around, and twice is nothing.
            let negated = with.terms.not(simple);
            prop_assert_ne!(with.terms.evaluate(negated, &assignment), Ok(expected));
            prop_assert_eq!(with.terms.not(negated), simple);
        }
    }

    #[test]
    fn substitution_is_evaluation(truth in varied_truths(), plan in varied_plans(), world in values()) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let (formula, term) = (builder.truth(&truth), builder.int(&plan));
        let symbol = symbol_of(&builder.terms, builder.symbols[1]);
        let substitution: Substitution = FxHashMap::from_iter([(symbol, term)]);
        let substituted = builder.terms.substitute(formula, &substitution);
        let mut assignment = builder.assignment(&world);
        let found = builder.terms.evaluate(substituted, &assignment);
        if let Ok(value) = builder.terms.evaluate(term, &assignment) {
            assignment.symbols.insert(symbol, value);
            if let (Ok(expected), Ok(found)) = (builder.terms.evaluate(formula, &assignment), found) {
                prop_assert_eq!(found, expected);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Below binders, with binders inside; without the rules, the array is not put into anything.
    #[test]
    fn arrays_can_be_put_in(truth in varied_truths(), plan in varied_plans(), world in values()) {
        let [found, expected] = [Terms::new(), Terms::without_rules()].map(|terms| {
            let mut builder = Builder::new(terms, Elements::Read);
            let (formula, body) = (builder.truth(&truth), builder.int(&plan));
            let array = builder.terms.lambda(builder.symbols[0], body).expect("sorts fit");
            let symbol = symbol_of(&builder.terms, builder.array);
            let substitution: Substitution = FxHashMap::from_iter([(symbol, array)]);
            let put = builder.terms.substitute(formula, &substitution);
            assert!(builder.terms.is_closed(put));
            builder.terms.holds(put, &builder.assignment(&world))
        });
        if let (Ok(found), Ok(expected)) = (found, expected) {
            prop_assert_eq!(found, expected);
        }
    }

    /// Two assignments of two symbols each, one after the other.
    #[test]
    fn composition_is_evaluation_in_sequence(
        stored in prop::collection::vec(varied_plans(), 4),
        truth in varied_truths(),
        world in values(),
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let values: Vec<Term> = stored.iter().map(|plan| builder.int(plan)).collect();
        let formula = builder.truth(&truth);
        let ids: Vec<_> = builder.symbols.iter().map(|s| symbol_of(&builder.terms, *s)).collect();
        let first: Substitution = FxHashMap::from_iter([(ids[0], values[0]), (ids[1], values[1])]);
        let then: Substitution = FxHashMap::from_iter([(ids[1], values[2]), (ids[2], values[3])]);
        let composed = builder.terms.compose(&first, &then);
        let at_once = builder.terms.substitute(formula, &composed);
        // The state after each of the two.
        let run = |store: &Substitution, before: &Assignment| {
            let mut after = before.clone();
            for (symbol, value) in store {
                let value = builder.terms.evaluate(*value, before).ok()?;
                after.symbols.insert(*symbol, value);
            }
            Some(after)
        };
        let before = builder.assignment(&world);
        let after = run(&first, &before).and_then(|between| run(&then, &between));
        if let Some(after) = after
            && let (Ok(expected), Ok(found)) =
                (builder.terms.evaluate(formula, &after), builder.terms.evaluate(at_once, &before))
        {
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn equal_terms_are_the_same() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let sum = terms.add(x, y);
    let square = terms.mul(sum, sum);
    let (xx, yy, xy) = (terms.mul(x, x), terms.mul(y, y), terms.mul(x, y));
    let two_xy = terms.scale(xy, &Integer::from(2));
    let expanded = terms.sum([yy, two_xy, xx]);
    assert_eq!(square, expanded);
    let (a, b) = (terms.lt(x, y), terms.le(y, x));
    assert_eq!(terms.not(a), b);
}

#[test]
fn arrays_are_the_same_however_they_are_listed() {
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.fresh(name, Sort::Array(1), Origin::default()));
    let same = terms.eq(a, b);
    let array = |elements: &[(i64, i64)]| {
        let value = |value| Value::Int(Integer::from(value));
        let elements = elements.iter().map(|(at, it)| (Integer::from(*at), value(*it)));
        Value::Array(ArrayValue { elements: elements.collect(), default: value(0) }.into())
    };
    let mut assignment = Assignment::default();
    assignment.symbols.insert(symbol_of(&terms, a), array(&[(1, 0), (2, 5)]));
    for (other, expected) in [(array(&[(2, 5)]), true), (array(&[(1, 5), (2, 5)]), false)] {
        assignment.symbols.insert(symbol_of(&terms, b), other);
        assert_eq!(terms.holds(same, &assignment), Ok(expected));
    }
}

#[test]
fn polynomials_come_in_any_order() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let one = Integer::ONE;
    let summands = vec![(y, one.clone()), (x, one.clone()), (y, one.neg()), (x, Integer::ZERO)];
    let messy = Polynomial { constant: Integer::ZERO, summands };
    assert_eq!(terms.from_polynomial(messy), x);
}

#[test]
fn bound_names_do_not_matter() {
    let mut terms = Terms::new();
    let (i, j, n) = (terms.int_symbol("i"), terms.int_symbol("j"), terms.int_symbol("n"));
    let zero = terms.int(0);
    let (below_i, below_j) = (terms.lt(i, n), terms.lt(j, n));
    let all_i = terms.quantify(Quantifier::Forall, i, [zero, n], below_i).expect("sorts fit");
    let all_j = terms.quantify(Quantifier::Forall, j, [zero, n], below_j).expect("sorts fit");
    assert_eq!(all_i, all_j);
}

#[test]
fn nothing_is_caught_by_a_binder() {
    // ∀i<n. x ≤ i, with x := ite(∃i<n. i = y, 1, 0), under a binder of the same height.
    let mut terms = Terms::new();
    let names = ["i", "j", "n", "x", "y"];
    let [i, j, n, x, y] = names.map(|name| terms.int_symbol(name));
    let (zero, one) = (terms.int(0), terms.int(1));
    let at_most = terms.le(x, i);
    let all = terms.quantify(Quantifier::Forall, i, [zero, n], at_most).expect("sorts fit");
    let equal = terms.eq(j, y);
    let some = terms.quantify(Quantifier::Exists, j, [zero, n], equal).expect("sorts fit");
    let value = terms.ite(some, one, zero);
    let symbol = symbol_of(&terms, x);
    let put = terms.substitute(all, &FxHashMap::from_iter([(symbol, value)]));
    for (y_value, expected) in [(1, false), (5, true)] {
        let mut assignment = Assignment::default();
        for (symbol, value) in [(symbol_of(&terms, n), 3), (symbol_of(&terms, y), y_value)] {
            assignment.symbols.insert(symbol, Value::Int(Integer::from(value)));
        }
        assert_eq!(terms.holds(put, &assignment), Ok(expected));
        // The same for i = 0 alone.
        let Node::Quantified(_, binder, [_, _, body]) = *terms.node(put) else { unreachable!() };
        let first = terms.instantiate(binder, body, zero);
        assert_eq!(terms.holds(first, &assignment), Ok(expected));
    }
}

#[test]
fn depth_is_no_problem() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let width = Width { bits: 8, signedness: Signedness::Unsigned };
    let (mut term, one) = (x, terms.int(1));
    for _ in 0..1_000_000 {
        let next = terms.add(term, one);
        // Alternating widths, so that no rule applies.
        term = terms.bits(BitOp::Xor, width, next, x);
    }
    assert!(terms.size(term) > 1_000_000);
    assert!(terms.evaluate(term, &Assignment::default()).is_ok());
    let symbol = symbol_of(&terms, x);
    let two = terms.int(2);
    let put = terms.substitute(term, &FxHashMap::from_iter([(symbol, two)]));
    assert!(terms.as_int(put).is_some(), "constants are folded all the way up");
    let mut formula = terms.le(x, one);
    for i in 0..100_000 {
        let bound = terms.int(i);
        let literal = terms.le(x, bound);
        formula =
            if i % 2 == 0 { terms.and([formula, literal]) } else { terms.or([formula, literal]) };
    }
    assert_ne!(terms.not(formula), formula);
}

#[test]
fn nothing_is_caught_by_a_binder_of_an_array() {
    // ∃i∈2..4. a[i + [∃j<n. j = y]] = 7 with a := λχ. ite(∃d<3. d·d = χ, 7, 0): the binder around i
    // must go up, because the index goes below the binder of d.
    let mut terms = Terms::new();
    let [i, j, n, y, c, d] = ["i", "j", "n", "y", "c", "d"].map(|name| terms.int_symbol(name));
    let array = terms.fresh("a", Sort::Array(1), Origin::default());
    let [zero, one, two, three, four, seven] = [0, 1, 2, 3, 4, 7].map(|value| terms.int(value));
    let equal = terms.eq(j, y);
    let some = terms.quantify(Quantifier::Exists, j, [zero, n], equal).expect("sorts fit");
    let shift = terms.ite(some, one, zero);
    let index = terms.add(i, shift);
    let element = terms.select(array, index).expect("sorts fit");
    let hit = terms.eq(element, seven);
    let outer = terms.quantify(Quantifier::Exists, i, [two, four], hit).expect("sorts fit");
    let square = terms.mul(d, d);
    let is_square = terms.eq(square, c);
    let some = terms.quantify(Quantifier::Exists, d, [zero, three], is_square).expect("sorts fit");
    let value = terms.ite(some, seven, zero);
    let squares = terms.lambda(c, value).expect("sorts fit");
    let symbol = symbol_of(&terms, array);
    let put = terms.substitute(outer, &FxHashMap::from_iter([(symbol, squares)]));
    assert!(terms.is_closed(put));
    // Neither 2 nor 3 is a square; with a shift by 1, 3 becomes 4.
    for (n_value, expected) in [(0, false), (1, true)] {
        let mut assignment = Assignment::default();
        assignment.symbols.insert(symbol_of(&terms, n), Value::Int(Integer::from(n_value)));
        assert_eq!(terms.holds(put, &assignment), Ok(expected));
    }
}

#[test]
fn the_smallest_number_of_64_bits_is_a_factor_like_others() {
    // ∃τ<3. -2^63·τ + x = 0 for x = 0, by τ = 0, and for x = 2^63, by τ = 1.
    let mut terms = Terms::new();
    let [tau, x] = ["tau", "x"].map(|name| terms.int_symbol(name));
    let [zero, three, least] = [0, 3, i64::MIN].map(|value| terms.int(value));
    let product = terms.mul(least, tau);
    let sum = terms.add(product, x);
    let is_zero = terms.eq(sum, zero);
    let some = terms.quantify(Quantifier::Exists, tau, [zero, three], is_zero).expect("sorts fit");
    let half = Integer::power_of_two(63);
    for (value, expected) in [(Integer::ZERO, true), (half, true), (Integer::ONE, false)] {
        let mut assignment = Assignment::default();
        assignment.symbols.insert(symbol_of(&terms, x), Value::Int(value));
        assert_eq!(terms.holds(some, &assignment), Ok(expected));
    }
}
