//! Builds a million different terms and says how long that took and how much memory they need.
//!
//! A mixture as from programs: sums of few atoms, comparisons of them, conditional values, machine
//! arithmetic, conjunctions. The same numbers every time. Nothing fails because it is slow.

use loupe_integer::{Integer, Signedness};
use loupe_term::{Term, Terms, Width};
use std::time::Instant;

const TERMS: usize = 1_000_000;
/// Seconds and megabytes that it should take at most.
const GOAL: (f64, f64) = (1.0, 200.0);
/// It is measured so many times; the fastest counts, because noise only ever adds.
const RUNS: usize = 5;
const WIDTH: Width = Width { bits: 32, signedness: Signedness::Signed };

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn pick(&mut self, from: &[Term]) -> Term {
        from[self.below(from.len())]
    }
}

fn main() {
    let memory = resident_megabytes();
    let (mut best, mut asked) = (f64::MAX, 0);
    let mut growth = 0.0;
    for run in 0..RUNS {
        let start = Instant::now();
        let (terms, count) = build();
        best = best.min(start.elapsed().as_secs_f64());
        // Later runs reuse what the first has given back.
        if run == 0 {
            growth = resident_megabytes() - memory;
        }
        asked = count;
        assert!(terms.len() >= TERMS);
    }
    let (seconds, megabytes) = GOAL;
    println!("{TERMS} different terms, by {asked} constructors; the fastest of {RUNS} runs");
    println!("time    {best:8.3} s    the goal is at most {seconds} s");
    println!("memory  {growth:8.1} MB   the goal is at most {megabytes} MB");
}

fn build() -> (Terms, usize) {
    let mut terms = Terms::new();
    let mut random = Random(1);
    let mut atoms: Vec<Term> = (0..1_000).map(|_| terms.int_symbol("x")).collect();
    let mut sums = atoms.clone();
    let mut truths = vec![terms.le(atoms[0], atoms[1])];
    let mut asked = 0;
    while terms.len() < TERMS {
        asked += 1;
        let (a, b) = (random.pick(&atoms), random.pick(&sums));
        match random.below(20) {
            0..8 => {
                let (factor, constant) = (random.below(9) as i64 - 4, random.below(100));
                let shifted = terms.int(Integer::from(constant));
                let start = terms.add(a, shifted);
                let c = random.pick(&atoms);
                sums.push(terms.add_scaled(start, c, &Integer::from(factor)));
            }
            8..13 => {
                let comparison = terms.le(a, b);
                truths.push(comparison);
            }
            13..15 => {
                let equality = terms.eq(a, b);
                truths.push(equality);
            }
            15..17 => {
                let condition = random.pick(&truths);
                atoms.push(terms.ite(condition, a, b));
            }
            17..19 => atoms.push(terms.wrap(WIDTH, b)),
            _ => {
                let (p, q) = (random.pick(&truths), random.pick(&truths));
                truths.push(terms.and([p, q]));
            }
        }
    }
    (terms, asked)
}

/// The memory that the process really has, in megabytes; 0 where that cannot be read.
fn resident_megabytes() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<f64>().ok());
    pages.unwrap_or(0.0) * 4_096.0 / 1e6
}
