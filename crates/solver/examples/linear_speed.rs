//! How long the linear procedure takes: the mean time for each question, and that of the slowest. Run
//! it in release mode.

use loupe_integer::{Integer, Signedness};
use loupe_solver::Interrupt;
use loupe_solver::linear::{
    Answer, Budget, Constraint, Decision, Relation, Variable, decide, solve,
};
use loupe_term::{Rounding, Term, Terms, Width};
use std::time::{Duration, Instant};

const COUNT: u64 = 20_000;

fn main() {
    for (literals, variables, coefficient) in
        [(3, 2, 1), (5, 3, 1), (5, 3, 3), (10, 5, 2), (20, 8, 1), (5, 3, 100)]
    {
        let mut seed = 1;
        let questions: Vec<Vec<Constraint>> =
            (0..COUNT).map(|_| conjunction(&mut seed, literals, variables, coefficient)).collect();
        let name = format!("{literals} literals, {variables} variables, up to {coefficient}");
        measure(&name, &questions, |question| match solve(question, Budget::default()) {
            Answer::Sat(_) => 0,
            Answer::Unsat(_) => 1,
            Answer::Unknown => 2,
        });
    }
    let mut terms = Terms::new();
    let loops: Vec<Vec<Term>> = (0..COUNT as i64).map(|n| loop_question(&mut terms, n)).collect();
    measure("a loop's formulas", &loops, |question| decision(&terms, question));
    let wraps: Vec<Vec<Term>> = (0..COUNT as i64).map(|n| wrap_question(&mut terms, n)).collect();
    measure("wrapped sums and remainders", &wraps, |question| decision(&terms, question));
}

fn decision(terms: &Terms, question: &[Term]) -> usize {
    match decide(terms, question, Budget::default(), &Interrupt::default()) {
        Decision::Sat(_) => 0,
        Decision::Unsat(_) => 1,
        Decision::Unknown => 2,
    }
}

fn measure<T>(name: &str, questions: &[T], answer: impl Fn(&T) -> usize) {
    let mut answers = [0; 3];
    let (mut longest, start) = (Duration::ZERO, Instant::now());
    for question in questions {
        let before = Instant::now();
        answers[answer(question)] += 1;
        let took = before.elapsed();
        if took > longest {
            // The machine may have been busy with something else.
            let again = Instant::now();
            answer(question);
            longest = longest.max(took.min(again.elapsed()));
        }
    }
    let mean = start.elapsed() / questions.len() as u32;
    let [sat, unsat, unknown] = answers;
    println!(
        "{name}: {mean:?} each, at most {longest:?} ({sat} sat, {unsat} unsat, {unknown} unknown)"
    );
}

fn random(seed: &mut u64, low: i64, high: i64) -> i64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    low + ((*seed >> 33) % (high - low + 1) as u64) as i64
}

fn conjunction(seed: &mut u64, literals: u32, variables: u32, largest: i64) -> Vec<Constraint> {
    let literal = |seed: &mut u64| {
        let chosen = (0..3).map(|_| random(seed, 0, i64::from(variables) - 1) as u32);
        let chosen: Vec<u32> = chosen.collect();
        let term = |v: &u32| (Variable(*v), Integer::from(random(seed, -largest, largest)));
        let coefficients: Vec<_> = chosen.iter().map(term).collect();
        let relation = match random(seed, 0, 9) {
            0..=6 => Relation::AtMostZero,
            7 => Relation::Zero,
            8 => Relation::NonZero,
            _ => Relation::Divisible(Integer::from(random(seed, 2, 8))),
        };
        Constraint::new(coefficients, Integer::from(random(seed, -50, 50)), relation)
    };
    (0..literals).map(|_| literal(seed)).collect()
}

/// 0 ≤ i ∧ i < n ∧ n ≤ 100 ∧ i = start + 2·k ∧ k ≥ 0 ∧ i ≥ n - 1 - c.
fn loop_question(terms: &mut Terms, number: i64) -> Vec<Term> {
    let [i, n, k] = ["i", "n", "k"].map(|name| terms.int_symbol(name));
    let [zero, hundred] = [0, 100].map(|value| terms.int(value));
    let offset = terms.int(number % 7 - 3);
    let stepped = terms.add_scaled(offset, k, &Integer::from(2));
    let far = terms.int(number % 5 * 30);
    vec![
        terms.le(zero, i),
        terms.lt(i, n),
        terms.le(n, hundred),
        terms.eq(i, stepped),
        terms.le(zero, k),
        terms.le(far, k),
    ]
}

/// x and y are bytes, s = (x + y) as 32 bits, s % 10 = c ∧ s ≥ d.
fn wrap_question(terms: &mut Terms, number: i64) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| terms.int_symbol(name));
    let [zero, byte, ten] = [0, 255, 10].map(|value| terms.int(value));
    let sum = terms.add(x, y);
    let sum = terms.wrap(Width { bits: 32, signedness: Signedness::Signed }, sum);
    let rest = terms.remainder(Rounding::Truncated, sum, ten);
    let (digit, least) = (terms.int(number % 12), terms.int(number % 700));
    vec![
        terms.le(zero, x),
        terms.le(x, byte),
        terms.le(zero, y),
        terms.le(y, byte),
        terms.eq(rest, digit),
        terms.le(least, sum),
    ]
}
