//! The procedure against brute force and against Z3.

use super::*;
use loupe_integer::Integer;
use z3::ast::{Ast, Bool, Int};

/// SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// What random conjunctions look like.
struct Mix {
    variables: u64,
    literals: u64,
    coefficient: i64,
    constant: i64,
    /// In percent, how many variables occur in a literal.
    density: u64,
}

fn random_constraint(random: &mut Random, mix: &Mix) -> Constraint {
    let mut coefficients = Vec::new();
    for variable in 0..mix.variables {
        if random.chance(mix.density) {
            let coefficient = random.between(-mix.coefficient, mix.coefficient);
            coefficients.push((Variable(variable as u32), Integer::from(coefficient)));
        }
    }
    let constant = Integer::from(random.between(-mix.constant, mix.constant));
    let relation = match random.below(12) {
        0..=6 => Relation::AtMostZero,
        7 | 8 => Relation::Zero,
        9 => Relation::NonZero,
        10 => Relation::Divisible(Integer::from(random.between(2, 12))),
        _ => Relation::Indivisible(Integer::from(random.between(2, 12))),
    };
    Constraint::new(coefficients, constant, relation)
}

/// `low ≤ variable ≤ high`.
fn range(variable: u32, low: i64, high: i64) -> [Constraint; 2] {
    let bound = |factor: i64, constant: i64| {
        let coefficients = vec![(Variable(variable), Integer::from(factor))];
        Constraint::new(coefficients, Integer::from(constant), Relation::AtMostZero)
    };
    [bound(-1, low), bound(1, -high)]
}

fn random_conjunction(random: &mut Random) -> (Vec<Constraint>, u64) {
    let variables = 1 + random.below(5);
    let literals = 1 + random.below(8);
    let (coefficient, constant) =
        [(1, 10), (3, 20), (10, 100), (100, 10_000), (5, 1_000_000)][random.below(5) as usize];
    let density = [40, 60, 100][random.below(3) as usize];
    let mix = Mix { variables, literals, coefficient, constant, density };
    let mut constraints: Vec<_> =
        (0..mix.literals).map(|_| random_constraint(random, &mix)).collect();
    if random.chance(50) {
        for variable in 0..variables {
            let low = random.between(-30, 30);
            let high = low + random.between(0, 60);
            let [lower, upper] = range(variable as u32, low, high);
            match random.below(4) {
                0 => constraints.push(lower),
                1 => constraints.push(upper),
                _ => constraints.extend([lower, upper]),
            }
        }
    }
    (constraints, variables)
}

/// Z3 with variables that are built once.
struct Oracle {
    solver: z3::Solver,
    variables: Vec<Int>,
}

impl Oracle {
    fn new() -> Self {
        let variables = (0..5).map(|i| Int::new_const(format!("x{i}"))).collect();
        Oracle { solver: z3::Solver::new(), variables }
    }

    fn formula(&self, constraint: &Constraint) -> Bool {
        let number = |value: &Integer| Int::from_i64(value.to_i64().expect("small"));
        let mut parts = vec![number(constraint.constant())];
        for (variable, factor) in constraint.coefficients() {
            parts.push(&self.variables[variable.0 as usize] * &number(factor));
        }
        let sum = Int::add(&parts);
        let zero = Int::from_i64(0);
        match constraint.relation() {
            Relation::AtMostZero => sum.le(&zero),
            Relation::Zero => sum.eq(&zero),
            Relation::NonZero => sum.eq(&zero).not(),
            Relation::Divisible(divisor) => sum.modulo(&number(divisor)).eq(&zero),
            Relation::Indivisible(divisor) => sum.modulo(&number(divisor)).eq(&zero).not(),
        }
    }

    fn check(&self, constraints: &[Constraint]) -> z3::SatResult {
        self.solver.push();
        for constraint in constraints {
            self.solver.assert(self.formula(constraint));
        }
        let result = self.solver.check();
        self.solver.pop(1);
        result
    }
}

#[test]
fn z3_agrees_on_random_conjunctions() {
    let oracle = Oracle::new();
    let mut random = Random(1);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    let start = std::time::Instant::now();
    let mut own = std::time::Duration::ZERO;
    for _ in 0..100_000 {
        let (constraints, _) = random_conjunction(&mut random);
        let before = std::time::Instant::now();
        let answer = solve(&constraints, Budget::default());
        own += before.elapsed();
        match answer {
            // A model proves itself: no oracle is needed.
            Answer::Sat(model) => {
                sat += 1;
                assert!(constraints.iter().all(|c| c.holds(|v| model.value(v))), "{constraints:?}");
            }
            Answer::Unsat(core) => {
                unsat += 1;
                // That the core is unsatisfiable implies that the whole is.
                let core: Vec<_> = core.iter().map(|index| constraints[*index].clone()).collect();
                assert_eq!(oracle.check(&core), z3::SatResult::Unsat, "{constraints:?} {core:?}");
            }
            Answer::Unknown => unknown += 1,
        }
    }
    println!("{sat} {unsat} {unknown} own {own:?} all {:?}", start.elapsed());
    assert!(unknown < 1_000, "{unknown} unknown of {sat} satisfiable, {unsat} unsatisfiable");
    assert!(sat > 20_000 && unsat > 20_000, "{sat} {unsat}");
}
