//! Traces that are wrong on purpose: the certificate must notice.

use super::Certifier;
use crate::Effort;
use crate::automaton::{Automaton, Limits};
use crate::logic::Logic;
use crate::split::Wraps;
use crate::step::{Steps, steps};
use crate::text;
use crate::traces::Traces;
use loupe_solver::{Chain, ChainOptions};
use loupe_term::{Node, Terms};

const LOOPS: [(&str, &str); 6] = [
    ("i n s", "i < n -> i := i + 2, s := s + 1; i >= n -> exit"),
    ("x n z", "x < n && z > x -> x := x + 1; x < n && z <= x -> z := z + 1; x >= n -> exit"),
    (
        "i j n m",
        "i < n && j < m -> j := j + 1; i < n && j >= m -> j := 0, i := i + 1; i >= n -> exit",
    ),
    ("x y", "x > 0 -> x := y, y := x - 1; x <= 0 -> exit"),
    ("x", "x != 0 -> x := x - 2; x == 0 -> exit"),
    ("x n", "x < n && x < 50 -> x := x + 1; x < n && x >= 50 -> x := x + 3; x >= n -> exit"),
];

/// Something wrong with traces; gives false if there is nothing to spoil.
type Spoil = fn(&mut Logic<'_>, &Steps, &mut Traces, usize) -> bool;

/// How many of the spoiled traces the certificate refuses, of how many.
fn refused(spoil: Spoil) -> (usize, usize) {
    let (mut noticed, mut all) = (0, 0);
    for (variables, loop_text) in LOOPS {
        for position in 0..8 {
            let mut terms = Terms::new();
            let declared: Vec<_> = variables.split_whitespace().map(|name| (name, None)).collect();
            let text::Parsed { problem, names } = text::parse(&mut terms, &declared, loop_text);
            assert_eq!(names.len(), declared.len());
            let mut chain = Chain::new(ChainOptions::default());
            let effort = Effort::default();
            let mut logic = Logic::new(&mut terms, &mut chain, &effort.limits, effort.questions);
            let steps =
                steps(&mut logic, &problem, Wraps::Guards).expect("no errors").expect("steps");
            let limits = Limits { cases: effort.cases, nodes: effort.nodes };
            let mut automaton = Automaton::new(&steps, Vec::new(), limits);
            let mut traces =
                automaton.explore(&mut logic, crate::Rest::Dropped).expect("no errors");
            assert!(traces.missing.is_empty(), "{:?}", traces.missing);
            let sound = Certifier::new(&problem, &steps).certify(&mut logic, &traces);
            assert_eq!(sound.expect("no errors"), Ok(()), "{loop_text}");
            if !spoil(&mut logic, &steps, &mut traces, position) {
                continue;
            }
            all += 1;
            let spoiled = Certifier::new(&problem, &steps).certify(&mut logic, &traces);
            noticed += usize::from(spoiled.expect("no errors").is_err());
        }
    }
    (noticed, all)
}

fn check(spoil: Spoil) {
    let (noticed, all) = refused(spoil);
    assert!(all >= 5, "only {all} were spoiled");
    assert_eq!(noticed, all);
}

#[test]
fn a_case_is_missing() {
    check(|_, _, traces, position| {
        let has_counters = traces.cases.iter().any(|(_, case)| !case.counters.is_empty());
        let spoils = !has_counters && position < traces.cases.len();
        if spoils {
            traces.cases.remove(position);
        }
        spoils
    });
}

#[test]
fn a_condition_is_too_weak() {
    check(|logic, _, traces, position| {
        let Some((_, case)) = traces.cases.get_mut(position) else { return false };
        let Node::And(parts) = logic.terms.node(case.condition).clone() else { return false };
        case.condition = logic.terms.and(parts[1..].iter().copied());
        true
    });
}

#[test]
fn a_value_is_wrong() {
    check(|logic, _, traces, position| {
        let Some((_, case)) = traces.cases.get_mut(position) else { return false };
        let one = logic.terms.int(1);
        case.values[0] = logic.terms.add(case.values[0], one);
        true
    });
}

#[test]
fn a_part_is_repeated_once_more() {
    check(|logic, _, traces, position| {
        let Some((node, _)) = traces.cases.get_mut(position) else { return false };
        let Some(piece) = node.trace.last_mut() else { return false };
        let one = logic.terms.int(1);
        piece.count = logic.terms.add(piece.count, one);
        true
    });
}

#[test]
fn another_path_leaves() {
    check(|_, steps, traces, position| {
        let Some((node, _)) = traces.cases.get_mut(position) else { return false };
        node.next = (node.next + 1) % steps.steps.len();
        true
    });
}

#[test]
fn what_diverges_is_missing() {
    let (noticed, all) = refused(|_, _, traces, position| {
        let spoils = position < traces.diverging.len();
        if spoils {
            traces.diverging.remove(position);
        }
        spoils
    });
    assert!(all > 0);
    assert_eq!(noticed, all);
}
