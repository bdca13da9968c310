//! Execution of flowgraphs.
//!
//! The meaning of instructions is written once, in [`semantics`], over an abstract [`domain`] of
//! values. [`concrete`] is the domain of ordinary values and the interpreter that runs a program with
//! them.

pub mod concrete;
pub mod domain;
pub mod layout;
pub mod semantics;
pub mod space;
pub mod state;
pub mod text;
pub mod value;
