//! Values of variables and memory cells, over any [`Domain`].

use crate::domain::Domain;
use loupe_ir::program::{FunctionId, Symbol};
use loupe_ir::types::Tag;
use std::rc::Rc;

/// The value of a variable or a memory cell.
#[derive(Debug)]
pub enum Value<D: Domain> {
    /// None yet.
    Uninitialised,
    /// An integer.
    Int(D::Int),
    /// A truth value.
    Bool(D::Bool),
    /// A pointer into an object, or null.
    Pointer(D::Pointer),
    /// A function.
    Function(FunctionId),
    /// A reference to a dynamic array; the pointer points to its first element.
    Array(D::Pointer),
    /// A dynamic record; assignment copies it, hence the sharing.
    Record(Rc<Record<D>>),
    /// A dynamic array that is copied on assignment, or the cells of an array or struct with a
    /// layout.
    Sequence(Rc<Vec<Value<D>>>),
}

// By hand: deriving it would demand `D: Clone`.
impl<D: Domain> Clone for Value<D> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Value::Uninitialised => Value::Uninitialised,
            Value::Int(a) => Value::Int(a.clone()),
            Value::Bool(a) => Value::Bool(a.clone()),
            Value::Pointer(a) => Value::Pointer(a.clone()),
            Value::Function(a) => Value::Function(*a),
            Value::Array(a) => Value::Array(a.clone()),
            Value::Record(a) => Value::Record(Rc::clone(a)),
            Value::Sequence(a) => Value::Sequence(Rc::clone(a)),
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
            Value::Uninitialised | Value::Bool(_) => None,
        }
    }
}

/// A dynamic record. Its fields are fixed when it is made; their order is the one of the source.
#[derive(Debug)]
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
