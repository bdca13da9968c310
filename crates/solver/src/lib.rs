//! The solver behind Loupe: whether formulas can hold, and with which values.
//!
//! Queries are conjunctions of [terms](loupe_term). They go through a [`Chain`] of [`links`]: each
//! answers what it can and hands the rest on, and Z3 stands at the end. A [`Model`] has been evaluated on
//! the query where that is possible; limits on work make answers reproducible; what is beyond them is
//! [`Answer::Unknown`] with the reason. No other crate names an SMT library.
//!
//! ```
//! use loupe_solver::{Answer, Chain, ChainOptions, Limits};
//! use loupe_term::Terms;
//!
//! let mut terms = Terms::new();
//! let (n, i) = (terms.int_symbol("n"), terms.int_symbol("i"));
//! let (in_loop, next) = (terms.lt(i, n), terms.le(n, i));
//! let mut chain = Chain::new(ChainOptions::default());
//! let both = chain.check(&mut terms, &[in_loop, next], &Limits::default())?;
//! assert!(matches!(both, Answer::Unsat(_)));
//! # Ok::<(), loupe_solver::Error>(())
//! ```

mod answer;
mod chain;
mod features;
mod library;
mod limits;
pub mod linear;
pub mod links;
mod script;
mod z3;

pub use answer::{Answer, Error, Evidence, LinkStatistics, Model, Query, Reason, Solver};
pub use chain::{Chain, ChainOptions, LinkName, NoSuchLink};
pub use library::{LibraryVersion, NEEDED, ParseVersionError, VersionMismatch, check_library};
pub use limits::{Deadline, Interrupt, Limits, Pains};
pub use links::{Gradual, SecondOpinion, SolverCommand};
pub use script::script_of;
pub use z3::{
    Atom, Clause, Elimination, Goalpost, Guidance, HornAnswer, HornSystem, Invariant, Optimum,
};
pub use z3::{RelationId, Z3, memory_in_use, survives_panics};
