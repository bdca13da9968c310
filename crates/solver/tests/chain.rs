//! The whole chain, and the chain without each of its links, give the answers of bare Z3.

use loupe_integer::Integer;
use loupe_solver::{Answer, Chain, ChainOptions, Limits, LinkName, Query, Solver, Z3};
use loupe_term::testing::{Builder, Elements, truths, values};
use loupe_term::{Term, Terms};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn limits() -> Limits {
    Limits { work: 500_000, ..Limits::default() }
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

/// Whether a model is one, and whether a core is unsatisfiable by itself.
fn justified(terms: &mut Terms, assertions: &[Term], answer: &Answer) -> Result<(), TestCaseError> {
    match answer {
        Answer::Sat(model) => {
            for assertion in assertions {
                prop_assert_ne!(terms.holds(*assertion, &model.values), Ok(false));
            }
        }
        Answer::Unsat(core) => {
            prop_assert!(core.is_sorted() && core.iter().all(|at| *at < assertions.len()));
            let core: Vec<Term> = core.iter().map(|at| assertions[*at]).collect();
            let again = Z3::new().check(terms, &Query { assertions: &core, limits: &limits() });
            prop_assert!(!matches!(again, Ok(Answer::Sat(_))), "the core is satisfiable");
        }
        Answer::Unknown(_) => {}
    }
    Ok(())
}

/// Paths that grow by one condition, as an executor asks for them.
fn compare(chain: &mut Chain, builder: &mut Builder, path: &[Term]) -> Result<(), TestCaseError> {
    let terms = &mut builder.terms;
    for length in 1..=path.len() {
        let assertions = &path[..length];
        let found = chain.check(terms, assertions, &limits()).expect("a sensible query");
        let bare = Z3::new().check(terms, &Query { assertions, limits: &limits() });
        let bare = bare.expect("a sensible query");
        let (found_word, bare_word) = (word(&found), word(&bare));
        if found_word != "unknown" && bare_word != "unknown" {
            prop_assert_eq!(found_word, bare_word);
        }
        justified(terms, assertions, &found)?;
    }
    Ok(())
}

#[test]
fn the_chain_agrees_with_bare_z3() {
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(250) });
    let paths = proptest::collection::vec(truths(), 1..6);
    let outcome = runner.run(&paths, |path| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let path: Vec<Term> = path.iter().map(|truth| builder.truth(truth)).collect();
        compare(&mut Chain::new(ChainOptions::default()), &mut builder, &path)
    });
    outcome.expect("no disagreement");
}

/// Small linear conditions, with which most links have something to do.
fn conditions() -> impl Strategy<Value = Vec<(usize, i64, usize, i64, u8)>> {
    let condition = (0..4usize, -3..4i64, 0..4usize, -8..9i64, 0..5u8);
    proptest::collection::vec(condition, 1..9)
}

fn condition(builder: &mut Builder, plan: &(usize, i64, usize, i64, u8)) -> Term {
    let (first, factor, second, constant, kind) = *plan;
    let (x, y) = (builder.symbols[first], builder.symbols[second]);
    let terms = &mut builder.terms;
    let scaled = terms.scale(x, &Integer::from(factor));
    let constant = terms.int(constant);
    let sum = terms.add(scaled, constant);
    match kind {
        0 => terms.le(sum, y),
        1 => terms.lt(y, sum),
        2 => terms.eq(sum, y),
        3 => terms.ne(sum, y),
        _ => terms.divides(&Integer::from(3), sum),
    }
}

#[test]
fn every_link_can_be_left_out() {
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(120) });
    let outcome = runner.run(&conditions(), |plan| {
        for without in LinkName::ALL {
            let mut builder = Builder::new(Terms::new(), Elements::Read);
            let path: Vec<Term> = plan.iter().map(|plan| condition(&mut builder, plan)).collect();
            let options =
                ChainOptions { without: [without].into_iter().collect(), ..Default::default() };
            let mut chain = Chain::new(options);
            prop_assert!(chain.statistics().iter().all(|link| link.link != without.name()));
            compare(&mut chain, &mut builder, &path)?;
        }
        Ok(())
    });
    outcome.expect("no disagreement");
}

#[test]
fn one_chain_answers_many_paths() {
    // The same chain for all, so that its cache is full of other paths.
    let mut builder = Builder::new(Terms::new(), Elements::Read);
    let mut chain = Chain::new(ChainOptions::default());
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(1) });
    let plans = proptest::collection::vec(conditions(), 300);
    let outcome = runner.run(&(plans, values()), |(plans, _)| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let mut chain = Chain::new(ChainOptions::default());
        for plan in &plans {
            let path: Vec<Term> = plan.iter().map(|plan| condition(&mut builder, plan)).collect();
            compare(&mut chain, &mut builder, &path)?;
        }
        Ok(())
    });
    outcome.expect("no disagreement");
    let term = builder.terms.bool(true);
    assert!(matches!(chain.check(&mut builder.terms, &[term], &limits()), Ok(Answer::Sat(_))));
}
