//! Terms as people write them.
//!
//! [`Terms::display`] prints a term on one line, with as few parentheses as needed:
//!
//! - integers: `2*x^2 - y + 1`, `2^k`, `x / y` and `x % y` (truncated), `x div y` and `x mod y`
//!   (Euclidean), `max(a, b)`, `min(a, b)`, `abs(x)`, `ite(c, a, b)`, `f(x, y)`;
//! - machine integers: `u32(x)` and `i8(x)` for the value of the low bits, `and_u32(x, y)`, `or_`,
//!   `xor_`, `shl_` and `shr_` for operations on bits, so that no precedence has to be remembered;
//! - arrays: `a[i][j]`, `a[i := v]` (another element), `const(v)` and `const_2(v)` (the same everywhere,
//!   in one dimension and two), `fun χ. body`;
//! - formulas: `x < y + 1`, `x == y`, `x != y`, `3 | x + 1` (divides), `!p`, `&&`, `||`,
//!   `forall t in [0, n). body` and `exists`;
//! - `★` is an unknown value.
//!
//! From loose to tight bind: binders, `||`, `&&`, comparisons, `+` `-`, then `*` `/` `%` `div` `mod`
//! (from left to right), the sign, `^`, and what stands behind a term in brackets.
//!
//! Terms are canonical and not as the user wrote them, so printing undoes some of it: a comparison `p ≤ 0`
//! is printed with the positive summands on the left and the others on the right (`i < n`, `i >= 3`), and
//! choices that are a maximum, minimum or absolute value are printed as such.
//!
//! A term is a graph that may be exponentially large as a text, and deep. Printing uses an explicit
//! stack and takes a limit on the characters: a text that would be longer ends in `…` there, wherever
//! that is. Shared parts are printed wherever they occur.

mod names;
mod shape;
mod write;

use crate::arena::Terms;
use crate::node::Term;
pub use names::Names;
pub(crate) use shape::{Relation, Summand, comparison};
use std::fmt;
pub(crate) use write::{bit_op_name, width_name};

/// So many characters are printed where nobody says how many.
pub const DEFAULT_LIMIT: usize = 10_000;

/// A term as text: see [`Terms::display`].
pub struct Displayed<'t> {
    terms: &'t Terms,
    names: &'t Names,
    term: Term,
    limit: usize,
}

impl Terms {
    /// A term as people write it, with these names, up to [`DEFAULT_LIMIT`] characters.
    ///
    /// ```
    /// use loupe_term::{Names, Terms};
    ///
    /// let mut terms = Terms::new();
    /// let (n, i) = (terms.int_symbol("n"), terms.int_symbol("i"));
    /// let (less, zero) = (terms.lt(i, n), terms.int(0));
    /// let left = terms.sub(n, i);
    /// let bound = terms.max(zero, left);
    /// let names = Names::of(&terms, [less, bound]);
    /// assert_eq!(terms.display(less, &names).to_string(), "i < n");
    /// assert_eq!(terms.display(bound, &names).to_string(), "max(0, n - i)");
    /// ```
    pub fn display<'t>(&'t self, term: Term, names: &'t Names) -> Displayed<'t> {
        Displayed { terms: self, names, term, limit: DEFAULT_LIMIT }
    }

    /// A term alone as people write it, with its own names.
    pub fn text(&self, term: Term) -> String {
        self.display(term, &Names::of(self, [term])).to_string()
    }
}

impl Displayed<'_> {
    /// The same with another limit on characters. A cut text has one more, `…`.
    pub fn limited(self, limit: usize) -> Self {
        Displayed { limit, ..self }
    }
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&write::write(self.terms, self.names, self.term, self.limit))
    }
}

#[cfg(test)]
mod reader;
#[cfg(test)]
mod tests;
