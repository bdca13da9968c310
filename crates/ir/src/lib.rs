//! The flowgraph language: what front ends produce and everything else works on.
//!
//! A [`Program`](program::Program) is a list of functions; a function is a graph of basic blocks over
//! typed locals, after the model of rustc's MIR. Every possible failure is an explicit
//! [`Check`](check::Check). The language has a textual form ([`text`]) that can be read back, rules
//! that every graph obeys ([`validate`]), and the usual analyses of graphs ([`analysis`]).
//!
//! ```
//! let source = "
//! entry @main
//! fn @main() -> int @1:1-1:20 {
//!   let n%0: int @1:5-1:6
//!   stmt #0 @1:1-1:10
//! b0:
//!   n%0 = input int @1:5-1:10 #0
//!   check division-by-zero nonzero n%0 @1:5-1:10 #0
//!   return n%0 @1:1-1:10 #0
//! }
//! ";
//! let program = loupe_ir::text::parse(source)?;
//! loupe_ir::validate::validate(&program).expect("well-formed");
//! assert_eq!(loupe_ir::text::parse(&loupe_ir::text::print(&program))?, program);
//! # Ok::<(), loupe_ir::text::SyntaxError>(())
//! ```

pub mod analysis;
pub mod check;
pub mod diagnostic;
pub mod program;
mod rename;
pub mod source;
pub mod text;
pub mod types;
pub mod validate;
