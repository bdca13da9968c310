//! What a generated program has in scope: variables with their shapes, and the types of its structs.

use super::types::IntType;

/// What a variable is.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Int(IntType),
    Double,
    Float,
    /// The length is a power of two, as all lengths are, so that a mask keeps an index inside.
    Array(IntType, usize),
    Matrix(IntType, usize, usize),
    /// By its number in the list of records.
    Struct(usize),
    StructArray(usize, usize),
    /// The union that every program has: the same eight bytes as integers of all sizes.
    Union,
    /// Points to some living integer of this type, never to nothing.
    Pointer(IntType),
    /// Points to an element of the array `home`, which has this length.
    Walker {
        home: String,
        element: IntType,
        length: usize,
    },
    /// Points to a [`Shape::Pointer`] that may hold addresses of objects up to this level.
    PointerPointer {
        to: IntType,
        level: usize,
    },
    StructPointer(usize),
}

/// Whether statements may change a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    ReadOnly,
    Writable,
    /// It is being declared: its name hides others, but it has no value yet.
    Unborn,
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) access: Access,
    /// How deep the block is that it dies with; 0 if it never dies.
    pub(super) level: usize,
    /// Whether a variable of the same name hides it.
    pub(super) hidden: bool,
    /// The variable that it hides, by its number.
    pub(super) hides: Option<usize>,
}

impl Variable {
    /// Whether it is or has integers; every shape has, but floating numbers.
    pub(super) fn has_integers(&self) -> bool {
        !matches!(self.shape, Shape::Double | Shape::Float)
    }
}

/// An integer that can be read, and perhaps written.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    pub(super) ty: IntType,
    pub(super) kind: PlaceKind,
    pub(super) level: usize,
}

/// What may be done with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// A variable by its name: naming it evaluates nothing.
    Named,
    /// Anything else that has an address.
    Object,
    /// A bit-field that promotes to `int` or `unsigned`.
    BitField,
    /// A bit-field wider than `int`. The standard leaves the type of its value open, so it is cast
    /// whenever it is read.
    WideBitField,
}

/// A struct.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) shape: FieldShape,
}

#[derive(Clone, Debug)]
pub(super) enum FieldShape {
    Int(IntType),
    Bits(IntType, u32),
    Array(IntType, usize),
    Struct(usize),
    /// To a variable of the file.
    Pointer(IntType),
}

/// A function without effects, which may be called anywhere in an expression.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) result: Returned,
    /// About how many statements a call runs.
    pub(super) cost: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Parameter {
    Int(IntType),
    /// A small number of turns.
    Depth,
    Struct(usize),
    /// Only functions with effects have these.
    Pointer(IntType),
    StructPointer(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    Int(IntType),
    Struct(usize),
}
