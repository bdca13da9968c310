//! Automata of loops that are known.

use super::*;
use crate::testing::{Example, chain, counting, interleaved, with_input};

fn automaton(example: &mut Example) -> (Pda, Interleaving) {
    let (mut chain, limits) = chain();
    let Example { terms, problem, summary, .. } = example;
    let mut pda = Pda::new(terms, &mut chain, problem, &limits).expect("queries make sense");
    pda.note_counts(summary);
    let order = pda.interleaving(terms, &mut chain, problem, summary, &limits);
    (pda, order.expect("queries make sense"))
}

fn edges(pda: &Pda) -> Vec<(usize, usize)> {
    pda.edges.iter().map(|edge| (edge.from + 1, edge.to + 1)).collect()
}

#[test]
fn figure_2_of_proteus() {
    let mut example = interleaved();
    let (pda, order) = automaton(&mut example);
    assert_eq!(edges(&pda), [(1, 2), (1, 3), (2, 1)]);
    assert_eq!(pda.initial, [0, 1, 2]);
    assert_eq!(order, Interleaving::Periodic);
    // Without a solution, nobody knows the order.
    example.summary.tag = Tag::Over;
    assert_eq!(automaton(&mut example).1, Interleaving::Irregular);
}

#[test]
fn inputs_that_only_leave_are_no_order() {
    let (pda, order) = automaton(&mut with_input());
    assert_eq!((edges(&pda), order), (vec![(1, 2), (1, 3)], Interleaving::Sequential));
}

#[test]
fn inputs_that_choose_are_irregular() {
    // while (i < n) if (nondet()) i++; else i += 2;
    let mut example = with_input();
    let two = example.terms.int(2);
    let i = example.problem.variables[0].symbol;
    example.problem.paths[2].updates[0] = example.terms.add(i, two);
    example.problem.paths[2].end = End::Again;
    assert_eq!(automaton(&mut example).1, Interleaving::Irregular);
}

#[test]
fn the_picture() {
    let mut example = counting(2);
    let (pda, _) = automaton(&mut example);
    let mut terms = std::mem::take(&mut example.terms);
    let words =
        Words::new(&mut terms, &example.problem, Some(&example.summary), &Default::default());
    let dot = pda.dot(&mut terms, &words, "loop_2");
    expect_test::expect![[r#"
        digraph "loop_2" {
          node [shape=box, fontname=monospace];
          p1 [label="p1: 3\li < n\li = i + 2", style=bold];
          p2 [label="p2: 2\ln <= i", peripheries=2];
          p1 -> p2 [label="⌈(n - i)/2⌉"];
        }
    "#]]
    .assert_eq(&dot);
}
