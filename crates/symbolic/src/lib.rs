//! Symbolic execution of flowgraphs.
//!
//! The meaning of instructions is the one of [`loupe_engine::semantics`], over terms instead of numbers.

pub mod domain;
pub mod explore;
pub mod halt;
pub mod invariants;
pub mod leak;
pub mod loops;
pub mod memory;
pub mod merge;
pub mod output;
pub mod path;
pub mod property;
pub mod search;
pub mod summary;
pub mod target;
pub mod testgen;
pub mod trail;
pub mod value;
