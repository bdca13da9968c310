//! The solver behind Loupe.

mod answer;
mod features;
mod library;
mod limits;
pub mod links;
mod z3;

pub use answer::{Answer, Error, Evidence, LinkStatistics, Model, Query, Reason, Solver};
pub use library::{LibraryVersion, NEEDED, ParseVersionError, VersionMismatch, check_library};
pub use limits::{Interrupt, Limits};
pub use z3::{Atom, Clause, Elimination, Goalpost, HornAnswer, HornSystem, Invariant, Optimum};
pub use z3::{RelationId, Z3, memory_in_use};
