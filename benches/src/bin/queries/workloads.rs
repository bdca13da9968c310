//! Queries as a symbolic executor asks them, from programs written as Rust functions.
//!
//! A program is run once for each path: [`Run::branch`] follows the choices of a prefix, and behind its
//! end asks the solver for both sides, goes on with one and leaves the other for later. Every question
//! goes through a chain that writes a log.

use loupe_integer::{Integer, Signedness};
use loupe_solver::{Answer, Chain, Limits};
use loupe_term::{BitOp, Origin, Rounding, Sort, Term, Terms, Width};

/// A program to explore.
pub(crate) struct Workload {
    /// Its name in the table.
    pub(crate) name: &'static str,
    /// At most so many paths are followed.
    pub(crate) paths: usize,
    /// The program.
    pub(crate) program: fn(&mut Run<'_>) -> Option<()>,
}

/// All of them.
pub(crate) const WORKLOADS: &[Workload] = &[
    Workload { name: "sort", paths: 150, program: sort },
    Workload { name: "parser", paths: 250, program: parser },
    Workload { name: "search", paths: 200, program: search },
    Workload { name: "counters", paths: 200, program: counters },
    Workload { name: "wrap", paths: 80, program: wrap },
    Workload { name: "bits", paths: 40, program: bits },
    Workload { name: "products", paths: 30, program: products },
];

/// One run of a program.
pub(crate) struct Run<'e> {
    /// Where its terms are.
    pub(crate) terms: &'e mut Terms,
    chain: &'e mut Chain,
    inputs: &'e mut Vec<Term>,
    read: usize,
    prefix: Vec<bool>,
    taken: usize,
    path: Vec<Term>,
    waiting: &'e mut Vec<Vec<bool>>,
}

impl Run<'_> {
    /// The next input: the same symbol in every run.
    fn input(&mut self) -> Term {
        self.read += 1;
        while self.inputs.len() < self.read {
            let fresh = self.terms.int_symbol("in");
            self.inputs.push(fresh);
        }
        self.inputs[self.read - 1]
    }

    /// An input between two bounds.
    fn between(&mut self, low: i64, high: i64) -> Term {
        let input = self.input();
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let (above, below) = (self.terms.le(low, input), self.terms.le(input, high));
        self.path.extend([above, below]);
        input
    }

    fn is_possible(&mut self, condition: Term) -> bool {
        self.path.push(condition);
        let limits = Limits { work: 200_000, ..Limits::default() };
        let answer = self.chain.check(self.terms, &self.path, &limits);
        self.path.pop();
        !matches!(answer, Ok(Answer::Unsat(_)))
    }

    /// Which way the run goes; nothing if there is none.
    fn branch(&mut self, condition: Term) -> Option<bool> {
        let opposite = self.terms.not(condition);
        let choice = match self.prefix.get(self.taken) {
            Some(choice) => *choice,
            None => {
                let (then, otherwise) = (self.is_possible(condition), self.is_possible(opposite));
                if !then && !otherwise {
                    return None;
                }
                if then && otherwise {
                    let mut other = self.prefix.clone();
                    other.push(false);
                    self.waiting.push(other);
                }
                self.prefix.push(then);
                then
            }
        };
        self.taken += 1;
        self.path.push(if choice { condition } else { opposite });
        Some(choice)
    }
}

/// Explores a program, depth first.
pub(crate) fn explore(terms: &mut Terms, chain: &mut Chain, workload: &Workload) {
    let (mut inputs, mut waiting) = (Vec::new(), vec![Vec::new()]);
    for _ in 0..workload.paths {
        let Some(prefix) = waiting.pop() else { break };
        let mut run = Run {
            terms: &mut *terms,
            chain: &mut *chain,
            inputs: &mut inputs,
            read: 0,
            prefix,
            taken: 0,
            path: Vec::new(),
            waiting: &mut waiting,
        };
        // A run that cannot go on has no more questions.
        let _ = (workload.program)(&mut run);
    }
}

/// Insertion sort of five inputs.
fn sort(run: &mut Run<'_>) -> Option<()> {
    let mut sorted: Vec<Term> = Vec::new();
    for _ in 0..5 {
        let next = run.input();
        let mut at = sorted.len();
        while at > 0 {
            let smaller = run.terms.lt(next, sorted[at - 1]);
            if !run.branch(smaller)? {
                break;
            }
            at -= 1;
        }
        sorted.insert(at, next);
    }
    Some(())
}

/// A scanner of numbers and operators over eight characters.
fn parser(run: &mut Run<'_>) -> Option<()> {
    let mut value = run.terms.int(0);
    let (zero, nine, plus) = (run.terms.int(48), run.terms.int(57), run.terms.int(43));
    for _ in 0..8 {
        let letter = run.between(0, 255);
        let (above, below) = (run.terms.le(zero, letter), run.terms.le(letter, nine));
        let digit = run.terms.and([above, below]);
        if run.branch(digit)? {
            let tens = run.terms.scale(value, &Integer::from(10));
            let digit = run.terms.sub(letter, zero);
            value = run.terms.add(tens, digit);
            let limit = run.terms.int(5_000);
            let large = run.terms.lt(limit, value);
            if run.branch(large)? {
                break;
            }
            continue;
        }
        let is_plus = run.terms.eq(letter, plus);
        if !run.branch(is_plus)? {
            break;
        }
        value = run.terms.int(0);
    }
    Some(())
}

/// Binary search for a key in an array.
fn search(run: &mut Run<'_>) -> Option<()> {
    let array = run.terms.fresh("table", Sort::Array(1), Origin::default());
    let key = run.between(-1_000, 1_000);
    let (mut low, mut high) = (0, 64);
    while low < high {
        let middle = (low + high) / 2;
        let index = run.terms.int(middle);
        let element = run.terms.select(array, index).ok()?;
        let equal = run.terms.eq(element, key);
        if run.branch(equal)? {
            return Some(());
        }
        let less = run.terms.lt(element, key);
        if run.branch(less)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(())
}

/// Three counters that move by different steps until one passes a bound.
fn counters(run: &mut Run<'_>) -> Option<()> {
    let bound = run.between(5, 40);
    let [mut a, mut b, mut c] = [run.between(0, 9), run.between(0, 9), run.between(0, 9)];
    for round in 0..6 {
        let (two, three) = (run.terms.int(2), run.terms.int(3));
        let even = run.terms.divides(&Integer::from(2), a);
        if run.branch(even)? {
            a = run.terms.add(a, three);
        } else {
            b = run.terms.add(b, two);
        }
        let ahead = run.terms.lt(a, b);
        if run.branch(ahead)? {
            let step = run.terms.int(round);
            c = run.terms.add(c, step);
        }
        let sum = run.terms.sum([a, b, c]);
        let past = run.terms.lt(bound, sum);
        if run.branch(past)? {
            break;
        }
    }
    Some(())
}

const UNSIGNED: Width = Width { bits: 32, signedness: Signedness::Unsigned };

/// A checksum in unsigned arithmetic.
fn wrap(run: &mut Run<'_>) -> Option<()> {
    let mut sum = run.terms.int(5_381);
    for round in 0..5 {
        let byte = run.between(0, 255);
        let scaled = run.terms.scale(sum, &Integer::from(33));
        let next = run.terms.add(scaled, byte);
        sum = run.terms.wrap(UNSIGNED, next);
        let modulus = run.terms.int(7);
        let rest = run.terms.remainder(Rounding::Euclidean, sum, modulus);
        let wanted = run.terms.int(round);
        let hit = run.terms.eq(rest, wanted);
        if run.branch(hit)? {
            break;
        }
    }
    Some(())
}

/// Tests of bits.
fn bits(run: &mut Run<'_>) -> Option<()> {
    let mut word = run.between(0, 65_535);
    for bit in 0..5 {
        let mask = run.terms.int(1i64 << bit);
        let masked = run.terms.bits(BitOp::And, UNSIGNED, word, mask);
        let zero = run.terms.int(0);
        let clear = run.terms.eq(masked, zero);
        if run.branch(clear)? {
            let shift = run.terms.int(1);
            word = run.terms.bits(BitOp::Shr, UNSIGNED, word, shift);
        } else {
            let key = run.terms.int(0xAAAA);
            word = run.terms.bits(BitOp::Xor, UNSIGNED, word, key);
        }
    }
    Some(())
}

/// Products of inputs, where nothing but Z3 helps.
fn products(run: &mut Run<'_>) -> Option<()> {
    let (x, y) = (run.between(2, 60), run.between(2, 60));
    let mut area = run.terms.mul(x, y);
    for round in 0..4 {
        let z = run.between(1, 12);
        let limit = run.terms.int(400 + 150 * round);
        let large = run.terms.lt(limit, area);
        if run.branch(large)? {
            let square = run.terms.mul(z, z);
            area = run.terms.sub(area, square);
        } else {
            let more = run.terms.mul(x, z);
            area = run.terms.add(area, more);
        }
    }
    Some(())
}
