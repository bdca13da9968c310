//! Systems `x(k+1) = M·x(k) + f(k)` with integer matrices and exponential polynomials f.
//!
//! Some power N of M (one *round* of iterations) must have integer eigenvalues only: λ₁, …, λₙ. That covers
//! triangular systems, swaps, rotations and everything else of finite order, and what becomes constant
//! or grows with integer rates. Then Putzer's method needs no eigenvectors: with y⁰ = x and
//! yⁱ⁺¹ = (N - λᵢ₊₁)·yⁱ, each yⁱ obeys `yⁱ(n+1) = λᵢ₊₁·yⁱ(n) + yⁱ⁺¹(n) + Qᵢ·g(n)`, a recurrence of single
//! numbers, where Qᵢ = (N - λ₁)⋯(N - λᵢ) and g is what f adds in a round; and yⁿ = 0 by the theorem of
//! Cayley and Hamilton.
//!
//! Irrational rates (Fibonacci) are not solved. Results are verified elsewhere, by substitution.

use super::Obstacle;
use super::exponential::{Exponential, Move};
use super::sequence::{MAX_FIRST, MAX_PERIOD, Sequence, Shape};
use crate::arena::Terms;
use crate::node::Term;
use loupe_integer::Integer;

/// Powers of a round's matrix up to this one are tried.
const MAX_ROUNDS: usize = 12;
/// Larger systems are not solved.
pub(super) const MAX_DIMENSION: usize = 12;
/// Steps of the search for a root.
const MAX_ROOT_STEPS: usize = 2_000;

type Vector = Vec<Exponential>;
type Matrix = Vec<Vec<Integer>>;

/// What one iteration does: `x' = matrix·x + rest`.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) matrix: Vec<Vector>,
    pub(super) rest: Vector,
}

/// A system whose step depends on the iteration, as the shape says.
#[derive(Debug)]
pub(super) struct AffineSystem {
    pub(super) counter: Term,
    pub(super) shape: Shape,
    /// One step for each position of the shape.
    pub(super) steps: Vec<Step>,
    /// The entry values.
    pub(super) start: Vector,
}

/// The rounds of a system: how many of its periods make one, the eigenvalues of a round, and its matrix.
struct Rounds {
    iterations: usize,
    matrix: Matrix,
    eigenvalues: Vec<Integer>,
}

impl AffineSystem {
    /// The values of all variables.
    pub(super) fn solve(&self, terms: &mut Terms) -> Result<Vec<Sequence<Exponential>>, Obstacle> {
        if self.start.len() > MAX_DIMENSION {
            return Err(Obstacle::TooLarge);
        }
        let mut classes = Vec::new();
        for step in self.steps.iter().skip(self.shape.first) {
            classes.push(self.integer_matrix(terms, step)?);
        }
        let rounds = self.rounds(&classes)?;
        // Eigenvalues 0 forget their start: after as many rounds as there are of them, what is left of
        // yⁱ is the sum of the round before, also at the first iteration of the classes.
        let forgetting = rounds.eigenvalues.iter().filter(|value| value.is_zero()).count();
        let begin = self.shape.first + forgetting * rounds.iterations;
        if begin > MAX_FIRST {
            return Err(Obstacle::TooLarge);
        }
        let mut state = self.start.clone();
        let mut values = Vec::new();
        for iteration in 0..begin {
            let step = self.step(iteration, 0);
            let next = step.apply(terms, &state).ok_or(Obstacle::TooLarge)?;
            values.push(std::mem::replace(&mut state, next));
        }
        let per_round = (rounds.iterations / self.shape.period) as u32;
        let mut gain = vec![Exponential::default(); self.start.len()];
        for iteration in begin..begin + rounds.iterations {
            let step = self.step(iteration, per_round);
            gain = step.apply(terms, &gain).ok_or(Obstacle::TooLarge)?;
        }
        let mut class = rounds.putzer(&state, &gain).ok_or(Obstacle::TooLarge)?;
        for iteration in begin..begin + rounds.iterations {
            let step = self.step(iteration, per_round);
            let next = step.apply(terms, &class).ok_or(Obstacle::TooLarge)?;
            values.push(std::mem::replace(&mut class, next));
        }
        let shape = Shape { first: begin, period: rounds.iterations };
        let variables = (0..self.start.len()).map(|variable| {
            let own = values.iter().filter_map(|value| value.get(variable).cloned());
            let sequence = Sequence::new(shape, own.collect()).ok_or(Obstacle::TooLarge)?;
            Ok(sequence.compact(terms, self.counter))
        });
        variables.collect()
    }

    /// The step of an iteration, with `factor` periods for the counter.
    fn step(&self, iteration: usize, factor: u32) -> Step {
        let (position, n) = self.shape.position(iteration);
        let by = Move { factor, offset: n as i64 };
        let moved = |vector: &Vector| vector.iter().map(|part| part.moved(by)).collect();
        match self.steps.get(position) {
            Some(step) => {
                Step { matrix: step.matrix.iter().map(moved).collect(), rest: moved(&step.rest) }
            }
            // Impossible: there is a step for each position.
            None => Step { matrix: Vec::new(), rest: Vec::new() },
        }
    }

    fn integer_matrix(&self, terms: &mut Terms, step: &Step) -> Result<Matrix, Obstacle> {
        let entry = |entry: &Exponential, terms: &mut Terms| match entry.as_integer() {
            Some(integer) => Ok(integer),
            None => Err(Obstacle::Factor(entry.to_term(terms, self.counter))),
        };
        let mut matrix = Vec::new();
        for row in &step.matrix {
            let row: Result<Vec<_>, _> = row.iter().map(|part| entry(part, terms)).collect();
            matrix.push(row?);
        }
        Ok(matrix)
    }

    /// The shortest round whose matrix has integer eigenvalues, and not -1: alternating signs are two
    /// classes, not a power of -1.
    fn rounds(&self, classes: &[Matrix]) -> Result<Rounds, Obstacle> {
        let dimension = self.start.len();
        let period = classes.iter().fold(identity(dimension), |round, step| times(step, &round));
        let mut matrix = identity(dimension);
        for count in 1..=MAX_ROUNDS {
            matrix = times(&period, &matrix);
            let iterations = count * self.shape.period;
            if iterations > MAX_PERIOD {
                return Err(Obstacle::TooLarge);
            }
            if let Some(mut eigenvalues) = integer_roots(characteristic(&matrix))
                && !eigenvalues.contains(&Integer::from(-1))
            {
                // Zeros last, so that they are solved first.
                eigenvalues.sort_by_key(Integer::is_zero);
                return Ok(Rounds { iterations, matrix, eigenvalues });
            }
        }
        Err(Obstacle::Rates)
    }
}

impl Step {
    fn apply(&self, terms: &mut Terms, state: &Vector) -> Option<Vector> {
        let mut next = self.rest.clone();
        for (row, sum) in self.matrix.iter().zip(&mut next) {
            for (coefficient, value) in row.iter().zip(state) {
                let product = coefficient.product(terms, value)?;
                sum.add_scaled(&product, &Integer::ONE);
            }
        }
        Some(next)
    }
}

impl Rounds {
    /// The solution of `x(0) = start`, `x(n+1) = N·x(n) + gain(n)`; for eigenvalues 0, `start` comes
    /// after as many rounds as there are of them.
    fn putzer(&self, start: &Vector, gain: &Vector) -> Option<Vector> {
        let mut products = vec![identity(start.len())];
        for value in &self.eigenvalues {
            let last = products.last()?;
            products.push(times(&minus(&self.matrix, value), last));
        }
        // The last product is 0 (Cayley, Hamilton).
        let mut solution = vec![Exponential::default(); start.len()];
        for (product, value) in products.iter().zip(&self.eigenvalues).rev() {
            let (begin, gain) = (scaled(product, start), scaled(product, gain));
            let rows = solution.iter().zip(gain).zip(begin).map(|((above, mut gain), begin)| {
                gain.add_scaled(above, &Integer::ONE);
                if value.is_zero() {
                    Some(gain.moved(Move { factor: 1, offset: -1 }))
                } else {
                    gain.accumulated(value, &begin)
                }
            });
            solution = rows.collect::<Option<Vector>>()?;
        }
        Some(solution)
    }
}

fn identity(dimension: usize) -> Matrix {
    let row = |i| (0..dimension).map(|j| Integer::from(i == j)).collect();
    (0..dimension).map(row).collect()
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    let row = |row: &Vec<Integer>| {
        let mut sums = vec![Integer::ZERO; columns];
        for (factor, other) in row.iter().zip(b) {
            for (sum, value) in sums.iter_mut().zip(other) {
                *sum = sum.add(&factor.mul(value));
            }
        }
        sums
    };
    a.iter().map(row).collect()
}

/// The matrix with `value` taken off its diagonal.
fn minus(matrix: &Matrix, value: &Integer) -> Matrix {
    let mut result = matrix.clone();
    for (i, row) in result.iter_mut().enumerate() {
        if let Some(diagonal) = row.get_mut(i) {
            *diagonal = diagonal.sub(value);
        }
    }
    result
}

fn scaled(matrix: &Matrix, vector: &Vector) -> Vector {
    let row = |row: &Vec<Integer>| {
        let mut sum = Exponential::default();
        for (factor, value) in row.iter().zip(vector) {
            sum.add_scaled(value, factor);
        }
        sum
    };
    matrix.iter().map(row).collect()
}

/// The characteristic polynomial, highest coefficient (1) first, by the method of Faddeev and LeVerrier.
fn characteristic(matrix: &Matrix) -> Vec<Integer> {
    let mut coefficients = vec![Integer::ONE];
    let mut product = matrix.clone();
    for k in 1..=matrix.len() {
        let diagonal = product.iter().enumerate().filter_map(|(i, row)| row.get(i));
        let trace = diagonal.fold(Integer::ZERO, |sum, value| sum.add(value));
        // Exact: the coefficients of the characteristic polynomial are integers.
        let coefficient = trace.div_floor(&Integer::from(k)).unwrap_or(Integer::ZERO).neg();
        product = times(matrix, &minus(&product, &coefficient.neg()));
        coefficients.push(coefficient);
    }
    coefficients
}

/// The roots of a polynomial with highest coefficient 1 (which comes first), each as often as it is one, if
/// all of them are integers.
fn integer_roots(mut polynomial: Vec<Integer>) -> Option<Vec<Integer>> {
    let mut roots = Vec::new();
    while polynomial.len() > 1 {
        let root = largest_integer_root(&polynomial)?;
        // Synthetic division by (x - root).
        let mut carry = Integer::ZERO;
        for coefficient in &mut polynomial {
            carry = carry.mul(&root).add(coefficient);
            *coefficient = carry.clone();
        }
        polynomial.pop();
        roots.push(root);
    }
    Some(roots)
}

/// The largest root, if all roots are integers. Newton's method from above: it comes down to the largest
/// root and never passes it if all roots are real. What is found is checked to be a root.
fn largest_integer_root(polynomial: &[Integer]) -> Option<Integer> {
    let magnitude = |value: &Integer| if value.is_negative() { value.neg() } else { value.clone() };
    // Cauchy's bound.
    let mut x = polynomial.iter().map(magnitude).max()?.add(&Integer::ONE);
    for _ in 0..MAX_ROOT_STEPS {
        let (mut value, mut slope) = (Integer::ZERO, Integer::ZERO);
        for coefficient in polynomial {
            slope = slope.mul(&x).add(&value);
            value = value.mul(&x).add(coefficient);
        }
        if value.is_zero() {
            return Some(x);
        }
        if value.is_negative() || slope <= Integer::ZERO {
            return None;
        }
        let step = value.div_floor(&slope)?;
        // Less than 1 away from a root of a line, hence less than the degree away from a root: go on in
        // single steps until it is found or passed.
        let step = if step.is_zero() { Integer::ONE } else { step };
        x = x.sub(&step);
    }
    None
}
