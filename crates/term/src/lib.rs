//! Formulas: hash-consed terms in canonical form.
//!
//! [`Terms`] is an arena in which every term stands once, so that equality is a comparison of two
//! numbers. Constructors keep terms canonical: integers are polynomials over atoms, formulas are in
//! negation normal form with comparisons `p ≤ 0` and `p = 0`, binders are named by their height, and a
//! table of [`rules`] simplifies the rest while it is built. [`Terms::evaluate`] defines what
//! everything means; [`recurrence`] solves updates that are iterated. Nothing here knows of programs or of
//! solvers, and nothing recurses over the depth of a term.
//!
//! ```
//! use loupe_term::{Assignment, Terms, Value};
//!
//! let mut terms = Terms::new();
//! let (n, i) = (terms.int_symbol("n"), terms.int_symbol("i"));
//! let (sum, difference) = (terms.add(n, i), terms.sub(n, i));
//! let product = terms.mul(sum, difference);
//! let (n2, i2) = (terms.mul(n, n), terms.mul(i, i));
//! assert_eq!(product, terms.sub(n2, i2)); // a polynomial identity
//! let less = terms.lt(n, i);
//! let (at_least, not_less) = (terms.le(i, n), terms.not(less));
//! assert_eq!(at_least, not_less);
//! assert_eq!(terms.holds(at_least, &Assignment::default()), Ok(true)); // both are 0
//! ```

mod arena;
mod build;
mod context;
mod equalities;
mod eval;
mod exchange;
pub mod infix;
mod logic;
mod misuse;
mod node;
mod polynomial;
pub mod recurrence;
pub mod rules;
pub mod smtlib;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod traverse;
mod weaken;

pub use arena::{ArenaId, Branch, Counted, Function, Origin, Symbol, Terms, Which};
pub use context::{Context, Range};
pub use equalities::{Derived, Elimination, Solved};
pub use eval::{ArrayValue, Assignment, NoValue, Value};
pub use exchange::{Mapping, Portable};
pub use infix::Names;
pub use misuse::Misuse;
pub use node::{
    Binder, BitOp, FunctionId, Node, Quantifier, Rounding, Sort, Sum, SymbolId, Term, Width,
};
pub use polynomial::Polynomial;
pub use rules::power;
pub use traverse::Substitution;

#[cfg(test)]
mod tests;
