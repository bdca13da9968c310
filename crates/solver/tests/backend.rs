//! The backend means by a formula what evaluation says.

use loupe_integer::Integer;
use loupe_solver::{Answer, Evidence, Limits, Query, Solver, Z3};
use loupe_term::testing::{Builder, Elements, Values, truths, values};
use loupe_term::{Term, Terms};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same cases every time: solvers are slow, and what fails must fail again.
fn runner(config: Config) -> TestRunner {
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn check(z3: &mut Z3, terms: &mut Terms, assertions: &[Term]) -> Answer {
    let limits = Limits { work: 100_000, ..Limits::default() };
    z3.check(terms, &Query { assertions, limits: &limits }).expect("a sensible query")
}

/// Formulas that leave one value for every symbol.
fn pins(builder: &mut Builder, values: &Values) -> Vec<Term> {
    let Builder { terms, symbols, flags, array, .. } = builder;
    let mut pins = Vec::new();
    for (symbol, value) in symbols.iter().zip(&values.symbols) {
        let value = terms.int(*value);
        pins.push(terms.eq(*symbol, value));
    }
    for (flag, value) in flags.iter().zip(&values.flags) {
        pins.push(if *value { *flag } else { terms.not(*flag) });
    }
    let zero = terms.int(0);
    let mut written = terms.constant_array(1, zero).expect("an integer");
    for (index, value) in values.elements.iter().enumerate() {
        let (index, value) = (terms.int(Integer::from(index)), terms.int(*value));
        written = terms.store(written, index, value).expect("sorts fit");
    }
    pins.push(terms.eq(*array, written));
    pins
}

#[test]
fn pinned_formulas_have_their_value() {
    let mut runner = runner(Config { failure_persistence: None, ..Config::with_cases(1_500) });
    let counts = std::cell::Cell::new((0, 0));
    let outcome = runner.run(&(truths(), values()), |(truth, values)| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let formula = builder.truth(&truth);
        let assignment = builder.assignment(&values);
        let Ok(expected) = builder.terms.holds(formula, &assignment) else { return Ok(()) };
        let mut assertions = pins(&mut builder, &values);
        assertions.push(formula);
        let answer = check(&mut Z3::new(), &mut builder.terms, &assertions);
        let (known, unknown) = counts.get();
        match answer {
            Answer::Sat(model) => {
                prop_assert!(expected);
                prop_assert_eq!(model.evidence, Evidence::Evaluated);
                counts.set((known + 1, unknown));
            }
            Answer::Unsat(_) => {
                prop_assert!(!expected);
                counts.set((known + 1, unknown));
            }
            Answer::Unknown(_) => counts.set((known, unknown + 1)),
        }
        Ok(())
    });
    outcome.expect("no disagreement");
    let (known, unknown) = counts.get();
    println!("{known} answered, {unknown} unknown");
    assert!(unknown * 50 < known, "{unknown} unknown of {known}");
}

#[test]
fn unsatisfiable_formulas_have_no_small_model() {
    let mut runner = runner(Config { failure_persistence: None, ..Config::with_cases(400) });
    let samples = proptest::collection::vec(values(), 60);
    let unsat = std::cell::Cell::new(0);
    let formulas = proptest::collection::vec(truths(), 1..4);
    let outcome = runner.run(&(formulas, samples), |(formulas, samples)| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let assertions: Vec<Term> = formulas.iter().map(|truth| builder.truth(truth)).collect();
        let Answer::Unsat(core) = check(&mut Z3::new(), &mut builder.terms, &assertions) else {
            return Ok(());
        };
        unsat.set(unsat.get() + 1);
        for values in &samples {
            let assignment = builder.assignment(values);
            let mut holds = core.iter().map(|at| builder.terms.holds(assertions[*at], &assignment));
            prop_assert!(!holds.all(|truth| truth == Ok(true)), "{:?}", values);
        }
        Ok(())
    });
    outcome.expect("no counterexample");
    assert!(unsat.get() > 20, "only {} unsatisfiable formulas", unsat.get());
}
