//! Solutions of the rest, extended, are solutions of all assertions, and the other way round.

use super::*;
use crate::testing::{
    Builder, Elements, Plan, Truth, symbol_of, values, varied_plans, varied_truths,
};
use crate::{Assignment, Origin, Sort, Value};
use proptest::prelude::*;

/// A work limit that is never met.
const ENOUGH: usize = 1_000_000;

fn equalities() -> impl Strategy<Value = Truth> {
    let scaled = || {
        (0..4usize, -2i64..3).prop_map(|(symbol, factor)| {
            Plan::Mul(Box::new(Plan::Symbol(symbol)), Box::new(Plan::Int(factor)))
        })
    };
    prop_oneof![
        2 => (scaled(), scaled(), -3i64..4).prop_map(|(a, b, c)| {
            Truth::Eq(Plan::Add(Box::new(a), Box::new(b)), Plan::Int(c))
        }),
        1 => (scaled(), varied_plans()).prop_map(|(a, b)| Truth::Eq(a, b)),
    ]
}

fn assertions() -> impl Strategy<Value = Vec<Truth>> {
    let assertion = prop_oneof![
        3 => equalities(),
        1 => varied_truths(),
        1 => (equalities(), varied_truths()).prop_map(|(a, b)| Truth::And(vec![a, b])),
    ];
    prop::collection::vec(assertion, 1..5)
}

fn holds_all<'f>(
    terms: &Terms,
    formulas: impl IntoIterator<Item = &'f Term>,
    assignment: &Assignment,
) -> Option<bool> {
    let mut all = true;
    for formula in formulas {
        all &= terms.holds(*formula, assignment).ok()?;
    }
    Some(all)
}

/// The assignment with the values of the eliminated symbols.
fn extended(terms: &Terms, solved: &Solved, assignment: &Assignment) -> Option<Assignment> {
    let mut extended = assignment.clone();
    for elimination in solved.eliminated.iter().rev() {
        let value = terms.evaluate(elimination.definition, &extended).ok()?;
        extended.symbols.insert(elimination.symbol, value);
    }
    Some(extended)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_same_solutions(
        assertions in assertions(),
        worlds in prop::collection::vec(values(), 30),
        work in prop_oneof![Just(ENOUGH), 0..100usize],
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let originals: Vec<Term> = assertions.iter().map(|truth| builder.truth(truth)).collect();
        let solved = builder.terms.solve_equalities(&originals, work);
        let terms = &builder.terms;
        for derived in &solved.remaining {
            prop_assert!(derived.because.is_sorted() && !derived.because.is_empty());
            let symbols = terms.free_symbols(derived.formula);
            let gone = solved.eliminated.iter().any(|gone| symbols.contains(&gone.symbol));
            prop_assert!(!gone);
        }
        for world in &worlds {
            let assignment = builder.assignment(world);
            // What is derived follows from the assertions that it names.
            for derived in &solved.remaining {
                let named = derived.because.iter().map(|number| &originals[*number]);
                if holds_all(terms, named, &assignment) == Some(true) {
                    prop_assert_ne!(terms.holds(derived.formula, &assignment), Ok(false));
                }
            }
            for gone in &solved.eliminated {
                let named = gone.because.iter().map(|number| &originals[*number]);
                if holds_all(terms, named, &assignment) == Some(true)
                    && let Ok(value) = terms.evaluate(gone.definition, &assignment)
                {
                    prop_assert_eq!(Some(&value), assignment.symbols.get(&gone.symbol));
                }
            }
            // All solutions of the rest are solutions, and only those.
            let Some(extended) = extended(terms, &solved, &assignment) else { continue };
            let rest = solved.remaining.iter().map(|derived| &derived.formula);
            let (rest, all) =
                (holds_all(terms, rest, &extended), holds_all(terms, &originals, &extended));
            if let (Some(rest), Some(all)) = (rest, all) {
                prop_assert_eq!(rest, all);
            }
        }
    }
}

#[test]
fn chains_are_solved() {
    // x = y + 1, y = 2z, b, x ≤ 5, b → z ≥ 3.
    let mut terms = Terms::new();
    let [z, y, x] = ["z", "y", "x"].map(|name| terms.int_symbol(name));
    let flag = terms.fresh("b", Sort::Bool, Origin::default());
    let (one, three, five) = (terms.int(1), terms.int(3), terms.int(5));
    let (next, twice) = (terms.add(y, one), terms.scale(z, &Integer::from(2)));
    let (first, second) = (terms.eq(x, next), terms.eq(y, twice));
    let (at_most, at_least) = (terms.le(x, five), terms.le(three, z));
    let conditional = terms.implies(flag, at_least);
    let assertions = [first, second, flag, at_most, conditional];
    let solved = terms.solve_equalities(&assertions, ENOUGH);
    let two = terms.int(2);
    let bound = terms.le(z, two);
    assert_eq!(
        solved.remaining,
        [
            Derived { formula: bound, because: vec![0, 1, 3] },
            Derived { formula: at_least, because: vec![2, 4] },
        ]
    );
    let gone: Vec<_> = solved.eliminated.iter().map(|gone| gone.symbol).collect();
    assert_eq!(gone, [x, y, flag].map(|term| symbol_of(&terms, term)));
}

#[test]
fn contradictions_name_their_assertions() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let (one, two, three) = (terms.int(1), terms.int(2), terms.int(3));
    let assertions = [terms.eq(x, one), terms.eq(y, three), terms.eq(x, two)];
    let solved = terms.solve_equalities(&assertions, ENOUGH);
    let no = terms.bool(false);
    assert_eq!(solved.remaining, [Derived { formula: no, because: vec![0, 2] }]);
}

#[test]
fn definitions_do_not_go_round() {
    // x = f(x) and x = y + f(x) do not say what x is; the second says what y is.
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let function = terms.function("f", 1);
    let image = terms.apply(function, &[x]).expect("sorts fit");
    let (fixed, sum) = (terms.eq(x, image), terms.add(y, image));
    let second = terms.eq(x, sum);
    let solved = terms.solve_equalities(&[fixed, second], ENOUGH);
    assert_eq!(solved.remaining, [Derived { formula: fixed, because: vec![0] }]);
    assert_eq!(solved.eliminated.len(), 1);
    let mut assignment = Assignment::default();
    assignment.symbols.insert(symbol_of(&terms, x), Value::Int(Integer::ZERO));
    assert_eq!(
        terms.evaluate(solved.eliminated[0].definition, &assignment),
        Ok(Value::Int(0.into()))
    );
}

#[test]
fn long_chains_are_quick() {
    // x₀ = 0, xᵢ₊₁ = xᵢ + 1.
    let mut terms = Terms::new();
    let one = terms.int(1);
    let mut last = terms.int_symbol("x");
    let mut assertions = vec![terms.zero(last)];
    for _ in 0..5_000 {
        let next = terms.int_symbol("x");
        let successor = terms.add(last, one);
        assertions.push(terms.eq(next, successor));
        last = next;
    }
    let end = terms.int(5_000);
    assertions.push(terms.ne(last, end));
    let solved = terms.solve_equalities(&assertions, ENOUGH);
    assert_eq!(solved.remaining.len(), 1);
    assert_eq!(terms.as_bool(solved.remaining[0].formula), Some(false));
    assert_eq!(solved.remaining[0].because.len(), assertions.len());
}
