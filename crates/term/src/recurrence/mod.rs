//! Closed forms of recurrences: the values of variables after k iterations of one path.
//!
//! A path of a loop updates its variables all at once, from their values at the start of the iteration.
//! [`solve`] takes these updates and gives for each variable its value after k iterations as a term over
//! the entry values and k, or says why not; what cannot be solved does not spoil what does not depend on
//! it. Section 3.3 of *Abstracting path conditions* and section 4 of *Proteus* have the plain cases (steps,
//! resets, values of the last writer); the rest is the classical theory of linear recurrences. In the
//! order in which they are tried, component by component of the graph of dependencies:
//!
//! * *affine* systems over exponential polynomials, with integer rates after some number of iterations:
//!   steps, resets, `c·x + d`, sums of powers, swaps, rotations, what forgets its start;
//! * the same *modulo* a number: `wrap(w, x + c)`, `(x + c) mod m`. Wrapping commutes with sums and
//!   products, so the system is solved in ℤ and wrapped once at the end;
//! * *values of the last writer*: any term over solved variables, one iteration late;
//! * *repetition*: the state after a + p iterations is the state after a (toggles, fixpoints);
//! * *truncated remainders*, taken for Euclidean ones under the condition that no dividend is negative.
//!
//! Every form is verified before it is given: the base `form(0) = x` and the step
//! `form(k+1) = update(forms at k)`, both by an argument that [`Proof`] names. Where an argument needs a fact
//! that is no identity, the [`Prover`] of the caller is asked; what it does not prove makes the form
//! [`Conditional`], another type than [`Proved`]. Arrays are not solved here, nor are products of changing
//! variables with each other in a cycle, irrational rates, or sums over what is no polynomial.
//!
//! ```
//! use loupe_term::recurrence::{IdentitiesOnly, Solution, System, solve};
//! use loupe_term::{Rounding, Terms};
//!
//! // i, s := i + 1, s + i
//! let mut terms = Terms::new();
//! let [i, s, k] = ["i", "s", "k"].map(|name| terms.int_symbol(name));
//! let one = terms.int(1);
//! let updates = [(i, terms.add(i, one)), (s, terms.add(s, i))];
//! let system = System { counter: k, updates: &updates, facts: &[] };
//! let solutions = solve(&mut terms, &system, &mut IdentitiesOnly)?;
//!
//! // s + i·k + (k² - k) / 2
//! let (product, square) = (terms.mul(i, k), terms.mul(k, k));
//! let (numerator, two) = (terms.sub(square, k), terms.int(2));
//! let half = terms.quotient(Rounding::Euclidean, numerator, two);
//! let expected = terms.sum([s, product, half]);
//! let Some(Solution::Proved(sum)) = solutions.get(&terms, s) else { panic!("a sum is solved") };
//! assert_eq!(sum.form().value(), expected);
//! # Ok::<(), loupe_term::recurrence::BadSystem>(())
//! ```

mod affine;
mod congruence;
mod exponential;
mod obligations;
mod rational;
mod reading;
mod repetition;
mod sequence;
mod systems;

pub use obligations::{Argument, Claims, Conditional, Form, Lemma, Means, Proof, Proved};

use crate::arena::Terms;
use crate::misuse::Misuse;
use crate::node::{Node, Sort, SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// One path: what an iteration does to the variables.
#[derive(Clone, Copy, Debug)]
pub struct System<'a> {
    /// An integer symbol for the number of iterations, used nowhere else. It is taken to be at least 0.
    pub counter: Term,
    /// Variables (symbols) and their values after one iteration, over the values before it. Symbols without
    /// update do not change.
    pub updates: &'a [(Term, Term)],
    /// What is known of the values at entry. Conditions are to be proved from these.
    pub facts: &'a [Term],
}

/// Somebody who can prove that a formula is valid: true for all values of its symbols.
pub trait Prover {
    /// Whether `claim` is proved. `false` says nothing.
    fn proves(&mut self, terms: &mut Terms, claim: Term) -> bool;
}

impl<F: FnMut(&mut Terms, Term) -> bool> Prover for F {
    fn proves(&mut self, terms: &mut Terms, claim: Term) -> bool {
        self(terms, claim)
    }
}

/// The prover that proves nothing: forms then rest on identities alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdentitiesOnly;

impl Prover for IdentitiesOnly {
    fn proves(&mut self, _: &mut Terms, _: Term) -> bool {
        false
    }
}

/// A system that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSystem {
    /// The counter is no integer symbol.
    #[error("the counter is no integer symbol")]
    Counter,
    /// The counter occurs in an update or a fact, or is updated.
    #[error("the counter is used in the system")]
    CounterInUse,
    /// Something else than a symbol is updated.
    #[error("only symbols can be updated")]
    NoSymbol(Term),
    /// A symbol has two updates.
    #[error("a variable is updated twice")]
    Twice(SymbolId),
    /// A value has another sort than its variable, or a fact is no truth value.
    #[error(transparent)]
    Sort(#[from] Misuse),
}

/// Why a variable is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It depends on this variable, which is not solved.
    DependsOn(SymbolId),
    /// It is an array that changes.
    Array,
    /// Its update contains ★.
    Unknown(Term),
    /// Its update contains this product, in which variables of the cycle are multiplied with each other.
    Product(Term),
    /// Its update multiplies a variable of the cycle with this, which is no integer constant.
    Factor(Term),
    /// Its update contains this, which is no polynomial in the counter, in a place where it would have to be
    /// summed up or depends on the variable itself.
    NoPolynomial(Term),
    /// The variables of its cycle grow with rates that are not integers, as in Fibonacci's numbers.
    Rates,
    /// The form would be too large.
    TooLarge,
    /// A form was found, but it did not pass its verification. This is a defect of this module.
    Unverified,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Its value after k iterations, for all k ≥ 0 and all entry values that obey the facts.
    Proved(Proved),
    /// The same, if conditions hold that have not been proved.
    Conditional(Conditional),
    /// Why there is no form.
    Refused(Obstacle),
}

impl Solution {
    /// The form, if it is proved.
    pub fn proved(&self) -> Option<&Form> {
        match self {
            Solution::Proved(proved) => Some(proved.form()),
            Solution::Conditional(_) | Solution::Refused(_) => None,
        }
    }
}

/// What is known of all variables of a system.
#[derive(Clone, Debug)]
pub struct Solutions {
    counter: Term,
    facts: Vec<Term>,
    updates: BTreeMap<SymbolId, Term>,
    solutions: BTreeMap<SymbolId, Solution>,
}

impl Solutions {
    /// The solution of a variable; `None` for what has no update.
    pub fn get(&self, terms: &Terms, variable: Term) -> Option<&Solution> {
        match terms.node(variable) {
            Node::Symbol(symbol) => self.solutions.get(symbol),
            _ => None,
        }
    }

    /// All variables and their solutions.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Solution)> {
        self.solutions.iter().map(|(symbol, solution)| (*symbol, solution))
    }
}

/// The values of all variables of a system after k iterations.
///
/// # Errors
///
/// If the system makes no sense.
pub fn solve(
    terms: &mut Terms,
    system: &System<'_>,
    prover: &mut dyn Prover,
) -> Result<Solutions, BadSystem> {
    let updates = check(terms, system)?;
    let mut solver = systems::Solver::new(terms, system, updates.clone(), prover);
    solver.solve_all();
    let solutions = solver.finish();
    let facts = system.facts.to_vec();
    Ok(Solutions { counter: system.counter, facts, updates, solutions })
}

/// The updates by symbol, if the system makes sense.
fn check(terms: &Terms, system: &System<'_>) -> Result<BTreeMap<SymbolId, Term>, BadSystem> {
    let Node::Symbol(counter) = *terms.node(system.counter) else {
        return Err(BadSystem::Counter);
    };
    if terms.sort(system.counter) != Sort::Int {
        return Err(BadSystem::Counter);
    }
    let mut used = BTreeSet::new();
    for fact in system.facts {
        terms.require(*fact, Sort::Bool)?;
        used.extend(terms.free_symbols(*fact));
    }
    let mut updates = BTreeMap::new();
    for (variable, update) in system.updates {
        let Node::Symbol(symbol) = *terms.node(*variable) else {
            return Err(BadSystem::NoSymbol(*variable));
        };
        terms.require(*update, terms.sort(*variable))?;
        used.insert(symbol);
        used.extend(terms.free_symbols(*update));
        if updates.insert(symbol, *update).is_some() {
            return Err(BadSystem::Twice(symbol));
        }
    }
    if used.contains(&counter) { Err(BadSystem::CounterInUse) } else { Ok(updates) }
}

#[cfg(test)]
mod tests;
