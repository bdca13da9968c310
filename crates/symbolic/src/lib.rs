//! Symbolic execution of flowgraphs.
//!
//! The meaning of instructions is the one of [`loupe_engine::semantics`], over terms instead of numbers.

pub mod search;
