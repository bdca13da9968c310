//! Values of variables and memory cells, over any [`Domain`].

mod leaves;

pub use leaves::Leaves;

use crate::domain::Domain;
use loupe_ir::program::{FunctionId, Symbol};
use loupe_ir::types::Tag;
use std::fmt;
use std::rc::Rc;

/// The value of a variable or a memory cell.
///
/// Records and arrays that are values can hold others to any depth, so nothing here follows them
/// by recursion: not the destructors, and not what is printed for debugging. (What has a layout is held
/// by nothing that is a value, so it ends the chain.)
pub enum Value<D: Domain> {
    /// None yet.
    Uninitialised,
    /// An integer.
    Int(D::Int),
    /// A truth value.
    Bool(D::Bool),
    /// A floating point number of 32 or 64 bits.
    Float(D::Float),
    /// One of 80 bits, which does not fit where the others do.
    LongFloat(D::LongFloat),
    /// A pointer into an object, or an address without one; null is among these.
    Pointer(D::Pointer),
    /// A function.
    Function(FunctionId),
    /// A reference to a dynamic array; the pointer points to its first element.
    Array(D::Pointer),
    /// A dynamic record; assignment copies it, hence the sharing.
    Record(Rc<Record<D>>),
    /// A dynamic array that is copied on assignment.
    Sequence(Rc<Sequence<D>>),
    /// The contents of a struct or array with a layout.
    Aggregate(D::Aggregate),
}

impl<D: Domain> fmt::Debug for Value<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Uninitialised => f.write_str("nothing"),
            Value::Int(a) => a.fmt(f),
            Value::Bool(a) => a.fmt(f),
            Value::Float(a) => a.fmt(f),
            Value::LongFloat(a) => a.fmt(f),
            Value::Pointer(a) => write!(f, "pointer {a:?}"),
            Value::Function(a) => write!(f, "function {}", a.0),
            Value::Array(a) => write!(f, "array at {a:?}"),
            Value::Record(a) => write!(f, "record of {} fields", a.fields.len()),
            Value::Sequence(a) => write!(f, "sequence of {} values", a.values.len()),
            Value::Aggregate(a) => a.fmt(f),
        }
    }
}

// By hand: deriving it would demand `D: Clone`.
impl<D: Domain> Clone for Value<D> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Value::Uninitialised => Value::Uninitialised,
            Value::Int(a) => Value::Int(a.clone()),
            Value::Bool(a) => Value::Bool(a.clone()),
            Value::Float(a) => Value::Float(a.clone()),
            Value::LongFloat(a) => Value::LongFloat(a.clone()),
            Value::Pointer(a) => Value::Pointer(a.clone()),
            Value::Function(a) => Value::Function(*a),
            Value::Array(a) => Value::Array(a.clone()),
            Value::Record(a) => Value::Record(Rc::clone(a)),
            Value::Sequence(a) => Value::Sequence(Rc::clone(a)),
            Value::Aggregate(a) => Value::Aggregate(a.clone()),
        }
    }
}

impl<D: Domain> Value<D> {
    /// The tag of a dynamic value; `None` for what only typed programs have.
    pub fn tag(&self) -> Option<Tag> {
        match self {
            Value::Int(_) => Some(Tag::Number),
            Value::Pointer(_) => Some(Tag::Pointer),
            Value::Function(_) => Some(Tag::Function),
            Value::Array(_) | Value::Sequence(_) => Some(Tag::Array),
            Value::Record(_) => Some(Tag::Record),
            Value::Uninitialised
            | Value::Bool(_)
            | Value::Float(_)
            | Value::LongFloat(_)
            | Value::Aggregate(_) => None,
        }
    }

    /// Whether it holds other values directly.
    fn holds_others(&self) -> bool {
        matches!(self, Value::Record(_) | Value::Sequence(_))
    }
}

/// A dynamic record. Its fields are fixed when it is made; their order is the one of the source.
pub struct Record<D: Domain> {
    /// Names and values.
    pub fields: Vec<(Symbol, Value<D>)>,
}

impl<D: Domain> Clone for Record<D> {
    fn clone(&self) -> Self {
        Record { fields: self.fields.clone() }
    }
}

impl<D: Domain> Record<D> {
    /// Where the field of this name is. Records are short: looking at each name is fast enough.
    pub fn position(&self, name: Symbol) -> Option<usize> {
        self.fields.iter().position(|(known, _)| *known == name)
    }
}

impl<D: Domain> Drop for Record<D> {
    fn drop(&mut self) {
        if self.fields.iter().any(|(_, value)| value.holds_others()) {
            drop_all(self.fields.drain(..).map(|(_, value)| value).collect());
        }
    }
}

/// Values, one after the other.
pub struct Sequence<D: Domain> {
    /// The values.
    pub values: Vec<Value<D>>,
}

impl<D: Domain> Clone for Sequence<D> {
    fn clone(&self) -> Self {
        Sequence { values: self.values.clone() }
    }
}

impl<D: Domain> Drop for Sequence<D> {
    fn drop(&mut self) {
        if self.values.iter().any(Value::holds_others) {
            drop_all(std::mem::take(&mut self.values));
        }
    }
}

/// Drops values, and what only they hold, one after the other instead of one inside the other.
fn drop_all<D: Domain>(mut open: Vec<Value<D>>) {
    while let Some(value) = open.pop() {
        match value {
            Value::Record(shared) => {
                if let Some(mut record) = Rc::into_inner(shared) {
                    open.extend(record.fields.drain(..).map(|(_, value)| value));
                }
            }
            Value::Sequence(shared) => {
                if let Some(mut sequence) = Rc::into_inner(shared) {
                    open.append(&mut sequence.values);
                }
            }
            _ => {}
        }
    }
}
