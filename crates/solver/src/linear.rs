//! An exact decision procedure for small conjunctions of linear integer constraints.
//!
//! It is the Omega test (Pugh, *The Omega test: a fast and practical integer programming algorithm
//! for dependence analysis*, 1991) with bounds propagation before it, disequalities that are split
//! only where a model violates them, and the origin of every derived row, so that a contradiction
//! names the constraints it needs. Work is counted in elementary steps and limited; answers depend on
//! nothing else. It is made for what a symbolic executor asks all day, a few constraints over a few
//! variables, and gives up early on the rest: there is no simplex method and nothing is kept between
//! two questions.
//!
//! ```
//! use loupe_integer::Integer;
//! use loupe_solver::linear::{Answer, Budget, Constraint, Relation, Variable, solve};
//!
//! let [x, y] = [Variable(0), Variable(1)];
//! let constraint = |x_factor, y_factor, constant, relation| {
//!     let factors = [(x, Integer::from(x_factor)), (y, Integer::from(y_factor))];
//!     Constraint::new(factors.to_vec(), Integer::from(constant), relation)
//! };
//! // 27 ≤ 11x + 13y ≤ 45 ∧ -10 ≤ 7x - 9y ≤ 4 has real solutions but no integer ones.
//! let constraints = [
//!     constraint(11, 13, -45, Relation::AtMostZero),
//!     constraint(-11, -13, 27, Relation::AtMostZero),
//!     constraint(7, -9, -4, Relation::AtMostZero),
//!     constraint(-7, 9, -10, Relation::AtMostZero),
//! ];
//! assert_eq!(solve(&constraints, Budget::default()), Answer::Unsat(vec![0, 1, 2, 3]));
//! assert!(matches!(solve(&constraints[1..], Budget::default()), Answer::Sat(_)));
//! ```

mod atoms;
mod candidate;
mod choice;
mod constraint;
mod decide;
mod eliminate;
mod equality;
mod model;
mod origin;
mod outline;
mod problem;
mod propagate;
mod row;
mod solve;

pub use constraint::{Answer, Budget, Constraint, Model, Relation, Variable};
pub use decide::{Decision, decide};
pub use solve::solve;

#[cfg(test)]
mod formula_tests;
#[cfg(test)]
mod tests;
