//! cvc5, which shares no code with us, agrees with the chain and with Z3.
//!
//! It is set up by `make test`. Where it is missing the test is skipped, loudly, unless
//! LOUPE_REQUIRE_CVC5 is set.

use loupe_integer::Integer;
use loupe_solver::links::External;
use loupe_solver::{Answer, Chain, ChainOptions, Limits, Query, Solver, SolverCommand, Z3};
use loupe_term::testing::{Builder, Elements, truths};
use loupe_term::{Term, Terms};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::{Cell, RefCell};
use std::path::Path;

/// The same cases every time: solvers are slow, and what fails must fail again.
fn runner(config: Config) -> TestRunner {
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn cvc5() -> Option<External> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !home.join(".deps/cvc5").exists() {
        let missing = "cvc5 is not set up: run `python3 scripts/setup-cvc5.py`";
        assert!(std::env::var_os("LOUPE_REQUIRE_CVC5").is_none(), "{missing}");
        eprintln!("SKIPPED: {missing}");
        return None;
    }
    let command = format!("python3 '{}' 40", home.join("scripts/cvc5-stdin.py").display());
    Some(External::new(SolverCommand::parse(&command).expect("a command")))
}

/// How two solvers answered the same queries.
#[derive(Default)]
struct Tally {
    sat: Cell<u32>,
    unsat: Cell<u32>,
    unknown: Cell<u32>,
}

impl Tally {
    fn count(&self, ours: &Answer, theirs: &Answer) -> Result<(), TestCaseError> {
        let counter = match (ours, theirs) {
            (Answer::Sat(_), Answer::Sat(_)) => &self.sat,
            (Answer::Unsat(_), Answer::Unsat(_)) => &self.unsat,
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => &self.unknown,
            _ => return Err(TestCaseError::fail(format!("{ours:?}, but cvc5: {theirs:?}"))),
        };
        counter.set(counter.get() + 1);
        Ok(())
    }

    /// Both must have answered much, in both ways; cvc5 has little time, and no closed form of powers.
    fn conclude(&self, what: &str, at_least: u32) {
        let (sat, unsat, unknown) = (self.sat.get(), self.unsat.get(), self.unknown.get());
        println!("{what}: {sat} sat, {unsat} unsat, {unknown} unknown to one of them");
        assert!(sat >= at_least && unsat >= at_least, "{sat} sat, {unsat} unsat");
        assert!(unknown < sat + unsat, "{unknown} unknown");
    }
}

/// Asks all three.
fn ask(
    tally: &Tally,
    cvc5: &RefCell<External>,
    terms: &mut Terms,
    assertions: &[Term],
) -> Result<(), TestCaseError> {
    let limits = Limits { work: 100_000, ..Limits::default() };
    let query = Query { assertions, limits: &limits };
    let chain = Chain::new(ChainOptions::default()).check(terms, assertions, &limits);
    let bare = Z3::new().check(terms, &query).expect("a sensible query");
    let theirs = cvc5.borrow_mut().check(terms, &query).expect("cvc5 starts");
    tally.count(&chain.expect("a sensible query"), &theirs)?;
    tally.count(&bare, &theirs)
}

#[test]
fn on_formulas_of_all_kinds() {
    let Some(cvc5) = cvc5() else { return };
    let (cvc5, tally) = (RefCell::new(cvc5), Tally::default());
    let formulas = proptest::collection::vec(truths(), 1..4);
    let outcome = runner(Config { failure_persistence: None, ..Config::with_cases(1_000) }).run(
        &formulas,
        |formulas| {
            let mut builder = Builder::new(Terms::new(), Elements::Read);
            let assertions: Vec<Term> = formulas.iter().map(|truth| builder.truth(truth)).collect();
            ask(&tally, &cvc5, &mut builder.terms, &assertions)
        },
    );
    outcome.expect("no disagreement");
    tally.conclude("formulas of all kinds", 100);
}

#[test]
fn on_linear_constraints() {
    let Some(cvc5) = cvc5() else { return };
    let (cvc5, tally) = (RefCell::new(cvc5), Tally::default());
    let literal = (proptest::collection::vec(-4..5i64, 4), -9..10i64, 0..5u8);
    let literals = proptest::collection::vec(literal, 3..10);
    let outcome = runner(Config { failure_persistence: None, ..Config::with_cases(1_500) }).run(
        &literals,
        |literals| {
            let mut builder = Builder::new(Terms::new(), Elements::Read);
            let Builder { terms, symbols, .. } = &mut builder;
            let mut assertions = Vec::new();
            for (coefficients, constant, kind) in &literals {
                let mut sum = terms.int(*constant);
                for (symbol, coefficient) in symbols.iter().zip(coefficients) {
                    sum = terms.add_scaled(sum, *symbol, &Integer::from(*coefficient));
                }
                let zero = terms.int(0);
                assertions.push(match kind {
                    0 | 1 => terms.le(sum, zero),
                    2 => terms.eq(sum, zero),
                    3 => terms.ne(sum, zero),
                    _ => terms.divides(&Integer::from(5), sum),
                });
            }
            ask(&tally, &cvc5, terms, &assertions)
        },
    );
    outcome.expect("no disagreement");
    tally.conclude("linear constraints", 100);
}
