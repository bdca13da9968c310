//! microc: from source to the flowgraph language.
//!
//! microc is the language of the course NI-APR at FIT CTU: functions, numbers of any size, arrays,
//! records, pointers and first-class functions (grammar: listing 2.1 of the thesis). This crate
//! reads it, checks its names and prints it again:
//!
//! ```
//! use loupe_ir::source::FileId;
//!
//! let source = "main() { var x; x = (1 + 2); return x; }";
//! let program = loupe_microc::parse(FileId(0), source).unwrap();
//! let resolution = loupe_microc::resolve(&program).unwrap();
//! assert_eq!(resolution.locals(resolution.main()).len(), 1);
//! assert!(loupe_microc::print(&program).contains("x = 1 + 2;"));
//! ```
//!
//! What an input can get wrong comes back as a list of
//! [`Diagnostic`](loupe_ir::diagnostic::Diagnostic)s, at most twenty of them and a last one that
//! says that there are more. Nothing here reads files or prints.

pub mod ast;
mod errors;
pub mod json;
mod lexer;
pub mod lower;
pub mod parser;
pub mod print;
pub mod resolve;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use json::to_json;
pub use lower::{Dialect, lower};
pub use parser::parse;
pub use print::{print, print_expr};
pub use resolve::{
    Binding, FunctionIndex, LocalIndex, Resolution, check_literals, check_value_arrays, resolve,
};
