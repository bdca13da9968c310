//! What people read.

use super::*;
use crate::testing::{Example, counting, interleaved, with_input};
use expect_test::{Expect, expect};

fn check(mut example: Example, expected: Expect) {
    let mut terms = std::mem::take(&mut example.terms);
    let words =
        Words::new(&mut terms, &example.problem, Some(&example.summary), &Default::default());
    let mut text = String::new();
    for case in &example.summary.cases {
        let condition = words.formula(&mut terms, case.condition);
        let changes = words.changes(&mut terms, &case.values).join(", ");
        text += &format!("{condition}: {} | {changes}\n", words.trace(&mut terms, case));
    }
    expected.assert_eq(&text);
}

#[test]
fn cases_are_readable() {
    check(
        counting(2),
        expect![[r#"
            n <= i: p2 | 
            i < n: p1^⌈(n - i)/2⌉ p2 | i = i + 2*⌈(n - i)/2⌉
        "#]],
    );
    check(
        interleaved(),
        expect![[r#"
            n <= x: p3 | 
            x < n && n <= z: p1^(n - x) p3 | x = n
            x < z && z < n: p1^(z - x) (p2 p1)^(n - z) p3 | x = n, z = n
            x < n && z <= x: p2^(x - z) (p2 p1)^(n - x) p3 | x = n, z = n
        "#]],
    );
    check(
        with_input(),
        expect![[r#"
        n <= i: p2 | 
        i < n: p1^(n - i) p2 | i = n
        nondet == 0 && i + k < n && k >= 0: p1^k p3 | i = i + k
    "#]],
    );
}

#[test]
fn quotients_are_rounded_as_on_paper() {
    let mut example = counting(1);
    let mut terms = std::mem::take(&mut example.terms);
    let words = Words::new(&mut terms, &example.problem, None, &Default::default());
    let (i, n) = (example.declared[0].1, example.declared[1].1);
    let mut quotient = |value: Term, divisor: i64, factor: i64| {
        let divisor = terms.int(divisor);
        let quotient = terms.quotient(Rounding::Euclidean, value, divisor);
        let scaled = terms.scale(quotient, &Integer::from(factor));
        words.value(&mut terms, scaled)
    };
    assert_eq!(quotient(n, 3, 1), "⌊n/3⌋");
    assert_eq!(quotient(n, 3, -1), "⌈(-n)/3⌉");
    assert_eq!(quotient(n, -3, 1), "⌈(-n)/3⌉");
    let (three, two) = (terms.int(3), terms.int(2));
    let (more, left) = (terms.add(n, two), terms.sub(i, n));
    let mut quotient = |value: Term, divisor: Term, factor: i64| {
        let quotient = terms.quotient(Rounding::Euclidean, value, divisor);
        let scaled = terms.scale(quotient, &Integer::from(factor));
        words.value(&mut terms, scaled)
    };
    assert_eq!(quotient(more, three, 2), "2*⌈n/3⌉");
    assert_eq!(quotient(left, three, -1), "⌈(n - i)/3⌉");
}
