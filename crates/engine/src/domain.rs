//! What the semantics of instructions needs to know about values.
//!
//! [`crate::semantics`] says what every instruction does, once. A [`Domain`] says what integers,
//! truth values, pointers and memory *are*: [`crate::concrete::Concrete`] has numbers, a symbolic
//! executor has terms. Neither can disagree with the other about the meaning of a program, because
//! neither contains it.

use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{BinaryOp, CompareOp, UnaryOp};
use loupe_ir::types::{IntType, TypeId, Types};
use std::fmt::Debug;

/// The contents of a new object.
pub enum Contents<D: Domain> {
    /// Nothing that may be read.
    Uninitialised,
    /// Zeros and null pointers.
    Zero,
    /// This in every element.
    Repeat(Value<D>),
    /// These, one after the other.
    List(Vec<Value<D>>),
}

/// How an object came to be, which says who may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A local variable; ends with `dead`.
    Local,
    /// A global variable; never ends.
    Global,
    /// Allocated by the program; ends with `free`.
    Heap,
}

/// A new object: `count` elements of type `element`.
pub struct NewObject<D: Domain> {
    /// The type of the elements.
    pub element: TypeId,
    /// How many.
    pub count: D::Int,
    /// What they hold.
    pub contents: Contents<D>,
    /// How it came to be.
    pub origin: Origin,
}

/// Integers, truth values, pointers, memory and streams of inputs.
///
/// Operations are called only where the checks of the program have succeeded: divisors are not
/// zero, pointers are accessible, indices are in range. Every operation that may need more than it
/// can have (memory, time, a decision) returns [`Domain::Halt`].
pub trait Domain: Sized + Debug {
    /// Integers.
    type Int: Clone + Debug;
    /// Truth values.
    type Bool: Clone + Debug;
    /// Pointers into objects, and null.
    type Pointer: Clone + Debug;
    /// All objects.
    type Memory: Clone;
    /// Inputs and uninitialised values, with the positions that have been reached.
    type Streams: Clone;
    /// Why an operation could not be carried out.
    type Halt: From<InternalError>;

    /// The integer `value`.
    fn int(&mut self, value: &Integer) -> Self::Int;
    /// The truth value `value`.
    fn bool(&mut self, value: bool) -> Self::Bool;

    /// An operation on an integer of type `ty`.
    fn unary(&mut self, op: UnaryOp, ty: IntType, a: &Self::Int) -> Result<Self::Int, Self::Halt>;
    /// An operation on integers of type `ty`, with the result wrapped to that type.
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: IntType,
        a: &Self::Int,
        b: &Self::Int,
    ) -> Result<Self::Int, Self::Halt>;
    /// The result of [`Domain::binary`] where it can be had at once; `None` says nothing.
    #[inline]
    fn quick_binary(
        _op: BinaryOp,
        _ty: IntType,
        _a: &Self::Int,
        _b: &Self::Int,
    ) -> Option<Self::Int> {
        None
    }
    /// A comparison of integers.
    fn compare(&mut self, op: CompareOp, a: &Self::Int, b: &Self::Int) -> Self::Bool;
    /// The value of the integer in type `ty`.
    fn wrap(&mut self, ty: IntType, a: &Self::Int) -> Self::Int;
    /// Whether the mathematical result of an operation lies in type `ty`.
    fn fits(&mut self, op: BinaryOp, ty: IntType, a: &Self::Int, b: &Self::Int) -> Self::Bool;

    /// Negation.
    fn not(&mut self, a: &Self::Bool) -> Self::Bool;
    /// Conjunction.
    fn and(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool;
    /// Disjunction.
    fn or(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool;
    /// 1 for true and 0 for false.
    fn int_of_bool(&mut self, a: &Self::Bool) -> Self::Int;

    /// The pointer to nothing.
    fn null(&mut self) -> Self::Pointer;
    /// Whether a pointer is null.
    fn is_null(&mut self, pointer: &Self::Pointer) -> Self::Bool;
    /// Whether two pointers are equal, or how those into one object are ordered.
    fn compare_pointers(
        &mut self,
        op: CompareOp,
        a: &Self::Pointer,
        b: &Self::Pointer,
    ) -> Result<Self::Bool, Self::Halt>;
    /// The pointer `units` units of memory further on.
    fn advance(
        &mut self,
        pointer: &Self::Pointer,
        units: &Self::Int,
    ) -> Result<Self::Pointer, Self::Halt>;

    /// Makes an object and returns a pointer to its start.
    fn allocate(
        &mut self,
        types: &Types,
        memory: &mut Self::Memory,
        object: NewObject<Self>,
    ) -> Result<Self::Pointer, Self::Halt>;
    /// Ends the object that a pointer points to; nothing for null.
    fn release(
        &mut self,
        memory: &mut Self::Memory,
        pointer: &Self::Pointer,
    ) -> Result<(), Self::Halt>;
    /// Reads a value of type `ty`.
    fn load(
        &mut self,
        types: &Types,
        memory: &Self::Memory,
        pointer: &Self::Pointer,
        ty: TypeId,
    ) -> Result<Value<Self>, Self::Halt>;
    /// Writes a value of type `ty`.
    fn store(
        &mut self,
        types: &Types,
        memory: &mut Self::Memory,
        pointer: &Self::Pointer,
        ty: TypeId,
        value: Value<Self>,
    ) -> Result<(), Self::Halt>;
    /// How many elements the object has that a pointer points to.
    fn length(&mut self, memory: &Self::Memory, pointer: &Self::Pointer) -> Self::Int;
    /// Whether a value of type `ty` can be read and written there.
    fn accessible(
        &mut self,
        types: &Types,
        memory: &Self::Memory,
        pointer: &Self::Pointer,
        ty: TypeId,
    ) -> Self::Bool;
    /// Whether the pointer may be given to [`Domain::release`] by the program.
    fn freeable(&mut self, memory: &Self::Memory, pointer: &Self::Pointer) -> Self::Bool;

    /// So many values are about to be copied or made in one step. A domain that watches over time and
    /// memory may stop here.
    fn spend(&mut self, _values: usize) -> Result<(), Self::Halt> {
        Ok(())
    }

    /// An index below `length` as a number.
    fn position(&mut self, index: &Self::Int, length: usize) -> Result<usize, Self::Halt>;

    /// The next input, a value of type `ty`.
    fn input(&mut self, streams: &mut Self::Streams, ty: IntType) -> Result<Self::Int, Self::Halt>;
    /// The next uninitialised value, of type `ty`.
    fn undefined(
        &mut self,
        streams: &mut Self::Streams,
        ty: IntType,
    ) -> Result<Self::Int, Self::Halt>;
}

/// A flowgraph does what the rules of [`loupe_ir::validate`] or its own checks exclude: a bug in a
/// front end or in Loupe, never in the analysed program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InternalError(pub String);
