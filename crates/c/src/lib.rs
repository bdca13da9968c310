//! C: from source to the flowgraph language.
//!
//! [`front`] reads source text into a typed tree ([`tree`]); it alone knows the library that parses
//! and checks C. [`json`] shows that tree.

pub mod front;
pub mod lower;
pub mod json;
pub mod tree;
