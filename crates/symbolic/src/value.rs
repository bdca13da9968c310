//! What values are, symbolically.
//!
//! What is known is kept as it is, so that a part of a program that does not depend on inputs runs like in
//! the interpreter and makes no terms; a term is never a constant.

use loupe_engine::domain::Domain;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_term::Term;
use std::fmt;

use crate::domain::Symbolic;
use crate::memory::ObjectId;

/// A value of a symbolic execution.
pub type SymbolicValue = Value<Symbolic>;

/// An integer.
#[derive(Clone, PartialEq, Eq)]
pub enum Int {
    /// This one.
    Known(Integer),
    /// The value of a term that is no constant.
    Term(Term),
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int::Known(Integer::ZERO);

    /// The number, if it is known.
    #[inline]
    pub fn known(&self) -> Option<&Integer> {
        match self {
            Int::Known(number) => Some(number),
            Int::Term(_) => None,
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Known(number) => write!(f, "{number}"),
            Int::Term(term) => write!(f, "term {}", term.index()),
        }
    }
}

/// A truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bool {
    /// This one.
    Known(bool),
    /// The value of a term that is no constant.
    Term(Term),
}

/// A floating point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float<B> {
    /// The number with these bits.
    Known(B),
    /// One that depends on inputs. There are no terms for it: what depends on its value is not modelled.
    Unknown,
}

/// A place in an object, which may lie outside, or an address without an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The object, if there is one.
    pub object: Option<ObjectId>,
    /// The offset in units of memory, or the address.
    pub offset: Int,
}

impl Pointer {
    /// The pointer to nothing.
    pub const NULL: Pointer = Pointer { object: None, offset: Int::ZERO };

    /// The start of an object.
    pub fn to(object: ObjectId) -> Self {
        Pointer { object: Some(object), offset: Int::ZERO }
    }
}

/// The number that a value is, if it is known and small.
#[inline]
pub(crate) fn small<D: Domain<Int = Int>>(value: &Value<D>) -> Option<i64> {
    match value {
        Value::Int(Int::Known(number)) => number.to_i64(),
        _ => None,
    }
}
