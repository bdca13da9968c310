//! Summaries that are wrong on purpose: the induction must notice.

use super::Induction;
use crate::logic::Logic;
use crate::summary::Case;
use crate::text;
use crate::{Effort, Summary, Tag, summarise};
use loupe_solver::{Chain, ChainOptions};
use loupe_term::Terms;

/// Loops in which inputs choose, or counters stay in the cases.
const LOOPS: [(&str, &str); 6] = [
    ("x", "in0 != 0 -> x := x + 3; in0 == 0 -> exit"),
    ("x n", "x < n && in0 != 0 -> x := x + 1; x < n && in0 == 0 -> exit 1; x >= n -> exit"),
    (
        "x y",
        "x > 0 && y > 0 && in0 > 3 -> x := x - 1; x > 0 && y > 0 && in0 <= 3 -> y := y - 1; x <= 0 || y <= 0 -> exit",
    ),
    ("x:u8 s", "in0 != 0 -> x := u8(x + 200), s := s + 1; in0 == 0 -> exit"),
    (
        "s a",
        "in0 != 0 && s == 1 -> s := 2, a := a + 1; in0 != 0 && s == 2 -> s := 1; in0 == 0 || s != 1 && s != 2 -> exit",
    ),
    (
        "i j n m",
        "i < n && in0 != 0 && j < m -> j := j + 1; i < n && in0 != 0 && j >= m -> j := 0, i := i + 1; i < n && in0 == 0 -> exit 1; i >= n -> exit 0",
    ),
];

/// Changes cases; `false` if there is nothing to change at this position.
type Spoil = fn(&mut Logic<'_>, &mut Vec<Case>, usize) -> bool;

/// How many spoiled summaries were refused, of how many.
fn refused(spoil: Spoil) -> (usize, usize) {
    let (mut noticed, mut all) = (0, 0);
    for (variables, loop_text) in LOOPS {
        for position in 0..40 {
            let mut terms = Terms::new();
            let declared: Vec<_> = variables
                .split_whitespace()
                .map(|name| match name.split_once(':') {
                    Some((name, ty)) => (name, Some(text::width(ty))),
                    None => (name, None),
                })
                .collect();
            let text::Parsed { problem, .. } = text::parse(&mut terms, &declared, loop_text);
            let mut chain = Chain::new(ChainOptions::default());
            let effort = Effort::default();
            let summary = summarise(&mut terms, &mut chain, &problem, &effort).expect("no errors");
            let Summary { tag, mut cases, witnesses, .. } = summary;
            assert_eq!(tag, Tag::Exact, "{loop_text}");
            let mut logic = Logic::new(&mut terms, &mut chain, &effort.limits, effort.questions);
            let check = |logic: &mut Logic<'_>, cases: &[Case]| {
                let mut induction = Induction::new(logic, &problem);
                let closed = induction.closed(logic, cases).expect("no errors");
                let is_in_any_order = cases.iter().any(|case| case.counters.len() > 1)
                    && cases.iter().all(|case| case.counters.len() == case.trace.len());
                match is_in_any_order {
                    true => {
                        closed.and(induction.realised(logic, cases, &witnesses).expect("no errors"))
                    }
                    false => closed,
                }
            };
            if position == 0 {
                assert_eq!(check(&mut logic, &cases), Ok(()), "{loop_text}");
            }
            if !spoil(&mut logic, &mut cases, position) {
                break;
            }
            all += 1;
            noticed += usize::from(check(&mut logic, &cases).is_err());
        }
    }
    (noticed, all)
}

fn check(spoil: Spoil) {
    let (noticed, all) = refused(spoil);
    assert!(all >= 15, "only {all} were spoiled");
    assert_eq!(noticed, all);
}

#[test]
fn a_case_is_missing() {
    check(|_, cases, position| {
        let is_there = position < cases.len();
        if is_there {
            cases.remove(position);
        }
        is_there
    });
}

#[test]
fn a_value_is_wrong() {
    check(|logic, cases, position| {
        let Some(case) = cases.get_mut(position) else { return false };
        let one = logic.terms.int(1);
        case.values[0] = logic.terms.add(case.values[0], one);
        true
    });
}

#[test]
fn an_exit_is_wrong() {
    check(|_, cases, position| {
        let Some(case) = cases.get_mut(position) else { return false };
        case.exit += 1;
        true
    });
}

#[test]
fn a_count_is_too_small() {
    // The counts that are left are at most 5.
    let (noticed, all) = refused(|logic, cases, position| {
        let counted: Vec<usize> =
            (0..cases.len()).filter(|at| !cases[*at].counters.is_empty()).collect();
        let Some(at) = counted.get(position) else { return false };
        let five = logic.terms.int(5);
        let few = logic.terms.le(cases[*at].counters[0], five);
        cases[*at].condition = logic.terms.and([cases[*at].condition, few]);
        true
    });
    assert!(all >= 8, "only {all} were spoiled");
    assert_eq!(noticed, all);
}
