//! The headers and the model of the C library, as text.
//!
//! They are part of the binary, so that a program means the same on every machine. The model is C
//! like any other: what it cannot say in C, it asks of the intrinsics in `loupe.h`.

/// The standard headers, by the name in `#include <…>`, in order: the folder `include`.
pub const HEADERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// The model of the C library, by the names of its files, in order: the folder `library`.
pub const LIBRARY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));
