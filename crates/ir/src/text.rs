//! The textual form of programs: what tests are written in, and what people read.
//!
//! One item, declaration or instruction per line; `//` starts a comment; indentation means nothing.
//!
//! ```text
//! pointer-size 8                       units of memory that a pointer takes; 1 if left out
//! source 0 "list.c"                    a file of the source, without its text
//! record 0 "node" size 16 { "v": i32 at 0, "next": ptr record 0 at 8 }
//! global g%0: [i32; 4] = { 0: 5i32, 4: -1i32 } @1:1-1:5
//! entry @main
//!
//! fn @main(n%0: any @2:6-2:7, memory x%1: any @2:9-2:10) -> any @2:1-5:2 {
//!   let i%2: int @3:3-3:4              a register
//!   let memory y%3: any @3:6-3:7       a local in memory
//!   let %4: bool @4:9-4:14             a temporary
//!   stmt #0 @3:3-3:10                  a statement of the source
//! b0:
//!   i%2 = add i%2, 1 @3:3-3:8 #0       where it stands, and its statement
//!   return n%0 @4:3-4:9 #0
//! }
//! ```
//!
//! A number is followed by its type unless that is `int`: `5`, `-1i32`. The parts of a place follow
//! its base: `.*` is what it points to, `.#1` a field of a struct, `[%3]` an element, `.next` a
//! field of a dynamic record. `float 4607182418800017408 f64` is a floating point number by its bits,
//! `address global g%0 4` a pointer into a global. Names other than identifiers stand in quotes. A span in another file
//! than the first starts with the number of the file: `@f1:3:3-3:10`.
//!
//! Reading back what was printed gives the same program, except that the text of source files is
//! lost, and that types and symbols are numbered in the order in which the text has them. The
//! reader accepts what is well-formed as text; [`validate`](crate::validate) says whether it makes
//! sense as a program.

mod body;
mod lex;
mod parse;
mod print;
mod words;

#[cfg(test)]
mod generate;
#[cfg(test)]
mod tests;

pub use parse::parse;
pub use print::{print, print_instruction, print_operand, print_terminator, print_type};

/// A text that is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

/// How deep types may be nested in each other, so that nobody has to fear recursion over them.
pub const MAX_TYPE_NESTING: usize = 256;
