//! The types that Proteus states.

use super::*;
use crate::testing::{Example, counting, interleaved, with_input};
use loupe_integer::Signedness;
use loupe_term::Width;

fn found(example: &mut Example, order: Interleaving, checks: &[usize]) -> LoopType {
    let words = Words::new(&mut example.terms, &example.problem, None, &Default::default());
    classify(&mut example.terms, &example.problem, order, checks, &words)
}

fn number(example: &mut Example, order: Interleaving) -> (u8, String) {
    let found = found(example, order, &[]);
    (found.number, found.reason)
}

#[test]
fn all_four_types() {
    let (first, reason) = number(&mut interleaved(), Interleaving::Periodic);
    assert_eq!(first, 1);
    assert_eq!(
        reason,
        "all conditions are induction conditions; paths follow each other in periods"
    );
    assert_eq!(number(&mut interleaved(), Interleaving::Irregular).0, 2);
    let (third, reason) = number(&mut with_input(), Interleaving::Sequential);
    assert_eq!(third, 3);
    assert!(reason.starts_with("`nondet"), "{reason}");
    assert_eq!(number(&mut with_input(), Interleaving::Irregular).0, 4);
}

#[test]
fn a_step_that_is_not_constant_is_no_induction() {
    let mut example = counting(1);
    let i = example.problem.variables[0].symbol;
    let n = example.declared[1].1;
    example.problem.paths[0].updates[0] = example.terms.add(i, n);
    assert_eq!(number(&mut example, Interleaving::Sequential).0, 1); // n does not change
    example.problem.paths[0].updates[0] = example.terms.add(i, i);
    assert_eq!(number(&mut example, Interleaving::Sequential).0, 3);
    example.problem.paths[0].updates[0] = example.terms.star(loupe_term::Sort::Int);
    assert_eq!(number(&mut example, Interleaving::Sequential).0, 3);
}

#[test]
fn wraps_and_checks_do_not_count() {
    let mut example = counting(1);
    let width = Width { bits: 32, signedness: Signedness::Unsigned };
    let next = example.problem.paths[0].updates[0];
    example.problem.paths[0].updates[0] = example.terms.wrap(width, next);
    // A check that an element is not 0: an exit of its own, and a part of the guard of the other path.
    let array = example.terms.fresh("a", loupe_term::Sort::Array(1), Default::default());
    let element =
        example.terms.select(array, example.problem.variables[0].symbol).expect("an array");
    let zero = example.terms.int(0);
    let (fine, fails) = (example.terms.ne(element, zero), example.terms.eq(element, zero));
    let guard = example.problem.paths[0].guard;
    example.problem.paths[0].guard = example.terms.and([guard, fine]);
    let mut failing = example.problem.paths[0].clone();
    failing.guard = example.terms.and([guard, fails]);
    failing.end = End::Exit(1);
    example.problem.paths.push(failing);
    example.problem.exits = 2;
    let order = Interleaving::Sequential;
    assert_eq!(found(&mut example, order, &[1]).number, 1);
    assert_eq!(found(&mut example, order, &[]).number, 3);
}
