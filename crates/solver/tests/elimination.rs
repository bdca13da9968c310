//! `∃ y. φ(x, y)` by elimination means what trying all values of `y` says.

use loupe_integer::{Integer, Signedness};
use loupe_solver::{Elimination, Limits, Z3};
use loupe_term::{Assignment, Node, Rounding, SymbolId, Term, Terms, Value, Width};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same cases every time: solvers are slow, and what fails must fail again.
fn runner(config: Config) -> TestRunner {
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// `a·x₀ + b·x₁ + c·y₀ + d·y₁ + e`, looked at in some way.
type Literal = ([i64; 4], i64, u8);

fn literal(terms: &mut Terms, symbols: &[Term; 4], (factors, constant, kind): &Literal) -> Term {
    let mut sum = terms.int(*constant);
    for (symbol, factor) in symbols.iter().zip(factors) {
        sum = terms.add_scaled(sum, *symbol, &Integer::from(*factor));
    }
    let (zero, one, three) = (terms.int(0), terms.int(1), terms.int(3));
    let width = Width { bits: 3, signedness: Signedness::Signed };
    match kind {
        0 | 1 => terms.le(sum, zero),
        2 => terms.eq(sum, zero),
        3 => terms.ne(sum, zero),
        4 => terms.divides(&Integer::from(4), sum),
        5 => {
            let quotient = terms.quotient(Rounding::Truncated, sum, three);
            terms.eq(quotient, one)
        }
        6 => {
            let wrapped = terms.wrap(width, sum);
            terms.lt(wrapped, symbols[0])
        }
        _ => {
            let negative = terms.lt(sum, zero);
            let chosen = terms.ite(negative, symbols[2], symbols[1]);
            terms.le(chosen, one)
        }
    }
}

fn id(terms: &Terms, symbol: Term) -> SymbolId {
    match terms.node(symbol) {
        Node::Symbol(id) => *id,
        node => panic!("a symbol, not {node:?}"),
    }
}

/// The values of the eliminated symbols lie within this.
const REACH: i64 = 5;

#[test]
fn elimination_means_trying_all_values() {
    let literal_plans = (prop::array::uniform4(-3..4i64), -6..7i64, 0..8u8);
    let plans = prop::collection::vec(literal_plans, 2..5);
    let config = Config { failure_persistence: None, ..Config::with_cases(60) };
    let solved = std::cell::Cell::new(0);
    let outcome = runner(config).run(&(plans, any::<bool>()), |(plans, together)| {
        let mut terms = Terms::new();
        let symbols = ["x0", "x1", "y0", "y1"].map(|name| terms.int_symbol(name));
        let ids = symbols.map(|symbol| id(&terms, symbol));
        let parts: Vec<Term> =
            plans.iter().map(|plan| literal(&mut terms, &symbols, plan)).collect();
        let mut formula = if together { terms.and(parts) } else { terms.or(parts) };
        let [low, high] = [-REACH, REACH].map(|bound| terms.int(bound));
        for symbol in &symbols[2..] {
            let bounds = [terms.le(low, *symbol), terms.le(*symbol, high), formula];
            formula = terms.and(bounds);
        }
        let limits = Limits { time: std::time::Duration::from_millis(100), ..Limits::default() };
        let result = Z3::new().eliminate(&mut terms, &ids[2..], formula, &limits);
        let Ok(Elimination::Formula(result)) = result else { return Ok(()) };
        solved.set(solved.get() + 1);
        let assign = |values: &[i64]| {
            let pairs = ids.iter().zip(values);
            let symbols = pairs.map(|(id, value)| (*id, Value::Int(Integer::from(*value))));
            Assignment { symbols: symbols.collect(), ..Assignment::default() }
        };
        for (x0, x1) in [(0, 0), (1, -2), (-3, 4), (7, 1), (-9, -5), (2, 30)] {
            let range = || -REACH..=REACH;
            let expected = range().any(|y0| {
                range().any(|y1| terms.holds(formula, &assign(&[x0, x1, y0, y1])) == Ok(true))
            });
            let found = terms.holds(result, &assign(&[x0, x1]));
            prop_assert_eq!(found, Ok(expected), "x0 = {}, x1 = {}", x0, x1);
        }
        Ok(())
    });
    outcome.expect("no difference");
    assert!(solved.get() > 10, "only {} eliminations", solved.get());
}
