//! The whole chain, and the chain without each of its links, give the answers of bare Z3.

use loupe_integer::Integer;
use loupe_solver::{Answer, Chain, ChainOptions, Limits, LinkName, Query, Solver, Z3};
use loupe_term::testing::{Builder, Elements, truths};
use loupe_term::{Term, Terms};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;

/// The same cases every time: solvers are slow, and what fails must fail again.
fn runner(config: Config) -> TestRunner {
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn limits() -> Limits {
    Limits { work: 100_000, ..Limits::default() }
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

/// Bare Z3, which is asked every question once.
#[derive(Default)]
struct Oracle {
    z3: Z3,
    words: BTreeMap<Vec<Term>, &'static str>,
}

impl Oracle {
    fn word(&mut self, terms: &mut Terms, assertions: &[Term]) -> &'static str {
        if let Some(known) = self.words.get(assertions) {
            return known;
        }
        let answer = self.z3.check(terms, &Query { assertions, limits: &limits() });
        let word = word(&answer.expect("a sensible query"));
        self.words.insert(assertions.to_vec(), word);
        word
    }

    /// Whether a model is one, and whether a core is unsatisfiable by itself.
    fn justify(
        &mut self,
        terms: &mut Terms,
        assertions: &[Term],
        answer: &Answer,
    ) -> Result<(), TestCaseError> {
        match answer {
            Answer::Sat(model) => {
                for assertion in assertions {
                    prop_assert_ne!(terms.holds(*assertion, &model.values), Ok(false));
                }
            }
            Answer::Unsat(core) => {
                prop_assert!(core.is_sorted() && core.iter().all(|at| *at < assertions.len()));
                let core: Vec<Term> = core.iter().map(|at| assertions[*at]).collect();
                prop_assert_ne!(self.word(terms, &core), "sat", "the core is satisfiable");
            }
            Answer::Unknown(_) => {}
        }
        Ok(())
    }
}

/// Paths that grow by one condition, as an executor asks for them.
fn compare(
    oracle: &mut Oracle,
    chain: &mut Chain,
    terms: &mut Terms,
    path: &[Term],
) -> Result<(), TestCaseError> {
    for length in 1..=path.len() {
        let assertions = &path[..length];
        let found = chain.check(terms, assertions, &limits()).expect("a sensible query");
        let (found_word, bare_word) = (word(&found), oracle.word(terms, assertions));
        if found_word != "unknown" && bare_word != "unknown" {
            prop_assert_eq!(found_word, bare_word);
        }
        oracle.justify(terms, assertions, &found)?;
    }
    Ok(())
}

#[test]
fn the_chain_agrees_with_bare_z3() {
    let mut runner = runner(Config { failure_persistence: None, ..Config::with_cases(250) });
    let paths = proptest::collection::vec(truths(), 1..6);
    let outcome = runner.run(&paths, |path| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let path: Vec<Term> = path.iter().map(|truth| builder.truth(truth)).collect();
        let mut chain = Chain::new(ChainOptions::default());
        compare(&mut Oracle::default(), &mut chain, &mut builder.terms, &path)
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
    let mut runner = runner(Config { failure_persistence: None, ..Config::with_cases(120) });
    let outcome = runner.run(&conditions(), |plan| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let path: Vec<Term> = plan.iter().map(|plan| condition(&mut builder, plan)).collect();
        let mut oracle = Oracle::default();
        for without in LinkName::ALL {
            let options =
                ChainOptions { without: [without].into_iter().collect(), ..Default::default() };
            let mut chain = Chain::new(options);
            prop_assert!(chain.statistics().iter().all(|link| link.link != without.name()));
            compare(&mut oracle, &mut chain, &mut builder.terms, &path)?;
        }
        Ok(())
    });
    outcome.expect("no disagreement");
}

#[test]
fn one_chain_answers_many_paths() {
    // The same chain for all, so that its cache is full of other paths.
    let mut runner = runner(Config { failure_persistence: None, ..Config::with_cases(1) });
    let plans = proptest::collection::vec(conditions(), 300);
    let outcome = runner.run(&plans, |plans| {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let (mut chain, mut oracle) = (Chain::new(ChainOptions::default()), Oracle::default());
        for plan in &plans {
            let path: Vec<Term> = plan.iter().map(|plan| condition(&mut builder, plan)).collect();
            compare(&mut oracle, &mut chain, &mut builder.terms, &path)?;
        }
        Ok(())
    });
    outcome.expect("no disagreement");
}
