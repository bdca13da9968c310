//! The procedure against brute force and against Z3.

use super::*;
use loupe_integer::Integer;
use z3::ast::{Bool, Int};

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

fn random_relation(random: &mut Random) -> Relation {
    match random.below(12) {
        0..=6 => Relation::AtMostZero,
        7 | 8 => Relation::Zero,
        9 => Relation::NonZero,
        10 => Relation::Divisible(Integer::from(random.between(2, 12))),
        _ => Relation::Indivisible(Integer::from(random.between(2, 12))),
    }
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
    Constraint::new(coefficients, constant, random_relation(random))
}

/// Constraints, some of which are about nearly the same as others.
fn random_constraints(random: &mut Random, mix: &Mix) -> Vec<Constraint> {
    let mut constraints: Vec<Constraint> = Vec::new();
    for _ in 0..mix.literals {
        let like = random.below(1 + constraints.len() as u64) as usize;
        let constraint = match constraints.get(like) {
            Some(like) if random.chance(40) => similar_constraint(random, like),
            _ => random_constraint(random, mix),
        };
        constraints.push(constraint);
    }
    constraints
}

/// The same or the opposite sum with another constant, not far away, in some relation.
fn similar_constraint(random: &mut Random, like: &Constraint) -> Constraint {
    let sign = Integer::from(if random.chance(50) { -1 } else { 1 });
    let coefficients = like.coefficients().iter().map(|(v, factor)| (*v, factor.mul(&sign)));
    let near = Integer::from(random.between(-1, 1));
    let constant = like.constant().mul(&sign).add(&near);
    let relation = if random.chance(30) { Relation::NonZero } else { random_relation(random) };
    Constraint::new(coefficients.collect(), constant, relation)
}

/// `low ≤ variable ≤ high`.
fn range(variable: u32, low: i64, high: i64) -> [Constraint; 2] {
    let bound = |factor: i64, constant: i64| {
        let coefficients = vec![(Variable(variable), Integer::from(factor))];
        Constraint::new(coefficients, Integer::from(constant), Relation::AtMostZero)
    };
    [bound(-1, low), bound(1, -high)]
}

/// Whether random variables have bounds besides the random constraints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Bounded,
    Unbounded,
}

fn random_conjunction(random: &mut Random, bounds: Bounds) -> Vec<Constraint> {
    let variables = 1 + random.below(5);
    let literals = 1 + random.below(8);
    let (coefficient, constant) =
        [(1, 10), (3, 20), (10, 100), (100, 10_000), (5, 1_000_000)][random.below(5) as usize];
    let density = [40, 60, 100][random.below(3) as usize];
    let mix = Mix { variables, literals, coefficient, constant, density };
    let mut constraints = random_constraints(random, &mix);
    if bounds == Bounds::Bounded {
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
    constraints
}

/// Z3 with variables that are built once.
struct Oracle {
    solver: z3::Solver,
    variables: Vec<Int>,
}

impl Oracle {
    fn new() -> Self {
        let variables = (0..5).map(|i| Int::new_const(format!("x{i}"))).collect();
        Oracle { solver: z3::Solver::new_for_logic("QF_LIA").expect("a logic"), variables }
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
            Relation::Divisible(divisor) => sum.modulo(number(divisor)).eq(&zero),
            Relation::Indivisible(divisor) => sum.modulo(number(divisor)).eq(&zero).not(),
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

/// Checks the answers for 50,000 random conjunctions.
fn check_against_z3(bounds: Bounds) {
    let oracle = Oracle::new();
    let mut random = Random(1);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for _ in 0..50_000 {
        let constraints = random_conjunction(&mut random, bounds);
        match solve(&constraints, Budget::default()) {
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
    println!("{sat} satisfiable, {unsat} unsatisfiable, {unknown} unknown");
    assert!(sat > 10_000 && unsat > 10_000 && unknown < 500, "{sat} {unsat} {unknown}");
}

#[test]
fn z3_agrees_on_bounded_conjunctions() {
    check_against_z3(Bounds::Bounded);
}

#[test]
fn z3_agrees_on_unbounded_conjunctions() {
    check_against_z3(Bounds::Unbounded);
}

/// Whether some values in the box satisfy the constraints on three variables.
fn has_solution_in_box(constraints: &[Constraint], size: i64) -> bool {
    let side = 2 * size + 1;
    (0..side.pow(3)).any(|number| {
        let value =
            |variable: Variable| Integer::from((number / side.pow(variable.0)) % side - size);
        constraints.iter().all(|constraint| constraint.holds(value))
    })
}

#[test]
fn brute_force_agrees_on_boxes() {
    let mut random = Random(2);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..6_000 {
        let coefficient = [2, 5, 12, 40][round % 4];
        let literals = 2 + random.below(5);
        let mix =
            Mix { variables: 3, literals, coefficient, constant: 4 * coefficient, density: 80 };
        let mut constraints = random_constraints(&mut random, &mix);
        constraints.extend((0..3).flat_map(|variable| range(variable, -4, 4)));
        let expected = has_solution_in_box(&constraints, 4);
        match solve(&constraints, Budget::default()) {
            Answer::Sat(_) => {
                sat += 1;
                assert!(expected, "{constraints:?}");
            }
            Answer::Unsat(core) => {
                unsat += 1;
                assert!(!expected, "{constraints:?}");
                let core: Vec<_> = core.iter().map(|index| constraints[*index].clone()).collect();
                let again = solve(&core, Budget { steps: 1_000_000 });
                assert!(matches!(again, Answer::Unsat(_)), "{constraints:?} {core:?}");
            }
            Answer::Unknown => panic!("a box is small: {constraints:?}"),
        }
    }
    assert!(sat > 1_500 && unsat > 1_500, "{sat} {unsat}");
}

/// `Σ coefficients[i] · xᵢ + constant` in a relation.
fn constraint(coefficients: &[i64], constant: i64, relation: Relation) -> Constraint {
    let numbered = (0..).map(Variable).zip(coefficients.iter().map(|a| Integer::from(*a)));
    Constraint::new(numbered.collect(), Integer::from(constant), relation)
}

#[test]
fn cores_leave_out_what_is_not_needed() {
    use Relation::{AtMostZero, Divisible, NonZero, Zero};
    let constraints = [
        constraint(&[0, 0, 1], -7, AtMostZero),
        constraint(&[1, -1], 0, Zero),
        constraint(&[0, 0, -1], 2, AtMostZero),
        constraint(&[1, 0, 0, 1], 3, AtMostZero),
        constraint(&[0, 2], -1, Divisible(Integer::from(4))),
        constraint(&[0, 0, 1], -5, NonZero),
    ];
    assert_eq!(solve(&constraints, Budget::default()), Answer::Unsat(vec![4]));
    let constraints = [
        constraint(&[0, 1], -7, AtMostZero),
        constraint(&[1], 0, NonZero),
        constraint(&[1], -1, AtMostZero),
        constraint(&[-1], 0, AtMostZero),
        constraint(&[0, 1], -3, NonZero),
        constraint(&[1], -1, NonZero),
    ];
    assert_eq!(solve(&constraints, Budget::default()), Answer::Unsat(vec![1, 2, 3, 5]));
}

#[test]
fn three_different_integers_do_not_fit_in_two() {
    let mut constraints: Vec<_> = (0..3).flat_map(|variable| range(variable, 1, 2)).collect();
    assert!(matches!(solve(&constraints, Budget::default()), Answer::Sat(_)));
    for different in [[1, -1, 0], [0, 1, -1], [1, 0, -1]] {
        constraints.push(constraint(&different, 0, Relation::NonZero));
    }
    assert_eq!(solve(&constraints, Budget::default()), Answer::Unsat((0..9).collect()));
    // Any two of them may differ.
    assert!(matches!(solve(&constraints[..8], Budget::default()), Answer::Sat(_)));
}

#[test]
fn divisors_may_be_zero_negative_or_one() {
    let zero = Integer::ZERO;
    let check = |relation: Relation, expected: Option<i64>| {
        let fixed = constraint(&[1], -6, Relation::Zero);
        match (solve(&[fixed, constraint(&[1], 0, relation)], Budget::default()), expected) {
            (Answer::Sat(model), Some(value)) => {
                assert_eq!(model.value(Variable(0)), Integer::from(value));
            }
            (Answer::Unsat(core), None) => assert!(core.contains(&1)),
            (answer, _) => panic!("{answer:?}"),
        }
    };
    check(Relation::Divisible(zero.clone()), None);
    check(Relation::Indivisible(zero), Some(6));
    check(Relation::Divisible(Integer::from(-3)), Some(6));
    check(Relation::Indivisible(Integer::from(-3)), None);
    check(Relation::Indivisible(Integer::from(-4)), Some(6));
    check(Relation::Divisible(Integer::ONE), Some(6));
    check(Relation::Indivisible(Integer::ONE), None);
}

#[test]
fn numbers_may_be_long() {
    // 2¹⁰⁰·x + (2¹⁰⁰ + 1)·y = 2²⁰⁰ with 0 ≤ y < 2⁵⁰: only y = 0.
    let power = Integer::power_of_two(100);
    let next = power.add(&Integer::ONE);
    let [x, y] = [Variable(7), Variable(1_000_000_000)];
    let total = Integer::power_of_two(200).neg();
    let equal = Constraint::new(vec![(y, next), (x, power.clone())], total, Relation::Zero);
    let bound = |factor: i64, constant: Integer| {
        Constraint::new(vec![(y, Integer::from(factor))], constant, Relation::AtMostZero)
    };
    let mut constraints =
        vec![equal, bound(-1, Integer::ZERO), bound(1, Integer::power_of_two(50).neg())];
    let Answer::Sat(model) = solve(&constraints, Budget::default()) else {
        panic!("it has a solution");
    };
    assert_eq!(model.values(), [(x, power), (y, Integer::ZERO)]);
    constraints.push(Constraint::new(vec![(y, Integer::ONE)], Integer::ZERO, Relation::NonZero));
    assert_eq!(solve(&constraints, Budget::default()), Answer::Unsat(vec![0, 1, 2, 3]));
}

#[test]
fn nothing_is_satisfiable_and_no_budget_is_no_answer() {
    assert_eq!(solve(&[], Budget::default()), Answer::Sat(Model::default()));
    let mut random = Random(3);
    for _ in 0..2_000 {
        let constraints = random_conjunction(&mut random, Bounds::Bounded);
        let limited = solve(&constraints, Budget { steps: random.below(100) });
        let answer = solve(&constraints, Budget::default());
        // The budget changes only whether there is an answer.
        assert!(limited == Answer::Unknown || limited == answer, "{constraints:?}");
    }
}
