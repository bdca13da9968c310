//! C: from source to the flowgraph language.
//!
//! [`front`] reads source text into a typed tree ([`tree`]); it alone knows the library that parses
//! and checks C. [`headers`] holds the standard headers and the model of the C library.

pub mod front;
pub mod headers;
pub mod tree;
