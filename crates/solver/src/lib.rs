//! The solver behind Loupe.
//!
//! So far this is only what a start needs: [`check_library`] makes sure that the Z3 which the
//! loader found is the one that Loupe was built for. The chain of solvers will live here too, and
//! no other crate names an SMT library.

mod library;

pub use library::{LibraryVersion, NEEDED, ParseVersionError, VersionMismatch, check_library};
