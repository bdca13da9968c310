//! C: from source to the flowgraph language.
//!
//! [`front`] reads source text into a typed tree ([`tree`]); it alone knows the library that parses
//! and checks C. [`lower`] turns trees into a flowgraph, with what they use of the model of the C library
//! ([`library`]). [`json`] shows a tree.

mod compile;
mod depth;
pub mod front;
pub mod headers;
pub mod json;
pub mod library;
pub mod lower;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tree;

pub use compile::{Rejected, Source, Units, compile, read};
