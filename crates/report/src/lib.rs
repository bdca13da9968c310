//! What Loupe says: messages with excerpts of the source, text, JSON and DOT.
//!
//! Nothing here reads files or prints; everything returns text.

pub mod ablation;
pub mod costs;
pub mod explore;
pub mod graph;
pub mod loops;
pub mod message;
pub mod profile;
pub mod query;
pub mod reach;
pub mod run;
pub mod story;
pub mod testgen;
pub mod tree;
pub mod verdict;
