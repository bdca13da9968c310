//! Terms as SMT-LIB 2.6, written and read.
//!
//! [`print()`] writes a script that means exactly what [`Terms::evaluate`](crate::Terms::evaluate) says,
//! although some operations are not those of SMT-LIB: these are functions named `loupe.…`, defined at the
//! head of the script, for any solver to read. [`read()`] reads scripts with linear and nonlinear integer
//! arithmetic, arrays, functions of integers and bounded quantifiers, and takes these names for the
//! operations that they are, so that what was printed comes back as the same terms.
//!
//! # Sharing
//!
//! A term is a graph and may be exponentially large as a tree. Parts that occur several times, and parts
//! of parts that would be long, are printed once, as `define-fun`. A part in which variables of
//! binders occur becomes a function of these variables. So the script is linear in the size of the graph
//! (times the number of variables that are in scope), and no text is nested deeply.
//!
//! # Arrays that are defined by a formula
//!
//! SMT-LIB 2.6 has no λ. An array `λχ. body` becomes a constant `loupe.lambda!1` that is declared, with
//! the axiom `∀χ. loupe.lambda!1[χ] = body`. If the variables `t` of binders around occur in the body,
//! it becomes a function of them, `∀t, χ. loupe.lambda!1(t)[χ] = body`, and `loupe.lambda!1(t)` stands
//! where the array stood. That is right, because arrays are extensional in SMT-LIB: the axiom leaves one
//! value for the array, which is the one that is meant; and a value satisfying it always exists
//! among all functions, so the axiom excludes nothing else. The same holds for arrays with
//! the same element everywhere: they are values of a function `loupe.const_1`.
//!
//! # What has no form
//!
//! ★, the unknown value: [`NoForm::Unknown`]. Widths beyond [`MAX_WIDTH`].

mod operation;
mod print;
mod read;

pub use operation::{Dialect, MAX_WIDTH};
pub use print::{Exists, NoForm, Options, Printed, Statement, print};
pub use read::{Command, Note, Position, ReadError, ReadErrorKind, Script, Vocabulary, read};

use crate::node::Sort;

/// A sort in SMT-LIB.
fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Array(dimensions) => {
            let dimensions = usize::from(dimensions);
            format!("{}Int{}", "(Array Int ".repeat(dimensions), ")".repeat(dimensions))
        }
    }
}

/// An integer in SMT-LIB, which has no negative literals.
fn int_text(value: &loupe_integer::Integer) -> String {
    if value.is_negative() { format!("(- {})", value.neg()) } else { value.to_string() }
}

#[cfg(test)]
mod tests;
