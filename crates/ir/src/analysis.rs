//! The usual analyses of flowgraphs.
//!
//! All of them work on one function that obeys the rules of [`validate`](crate::validate); none of
//! them but [`values`] knows the values that a program computes with. [`graph`] gives the edges and an order of the
//! blocks; [`dominators`] and [`loops`] build on it. [`uses`] says what a single step reads and
//! writes; [`dataflow`] carries such facts along the edges, which makes [`liveness`], [`use_def`] and
//! [`initialised`].
//!
//! Nothing here recurses over the size of a function, and every result that can be listed is listed
//! in an order that depends on the function alone.
//!
//! A failing check, a call that never returns and an assumption that does not hold leave a function
//! without an edge. No analysis here sees them: what it says of "every path" is about paths along the
//! edges of the graph.

pub mod costs;
pub mod cycles;
pub mod dataflow;
pub mod dominators;
pub mod graph;
pub mod initialised;
mod irreducible;
pub mod liveness;
pub mod location;
pub mod loop_paths;
pub mod loops;
pub mod meetings;
mod registers;
#[cfg(test)]
mod scale_tests;
pub mod slice;
#[cfg(test)]
mod testing;
pub mod traversals;
pub mod use_def;
pub mod uses;
pub mod values;
