//! What the semantics of instructions needs to know about values.
//!
//! [`crate::semantics`] says what every instruction does, once. A [`Domain`] says what numbers,
//! truth values, pointers and memory *are*: [`crate::concrete::Concrete`] has numbers, a symbolic
//! executor has terms. Neither can disagree with the other about the meaning of a program, because
//! neither contains it.

use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{
    BinaryOp, CompareOp, FunctionId, GlobalAccess, GlobalId, Intrinsic, LocalId, UnaryOp,
};
use loupe_ir::source::Span;
use loupe_ir::types::{FloatType, IntType, TypeId, Types};
use loupe_ir::validate::ValueType;
use std::fmt::Debug;

/// Why a pointer has no model that is moved further than addresses go. That is undefined in C as well (6.5.6, 8), so executions need not go on from there.
pub const BEYOND_ADDRESSES: &str = "a pointer beyond the address space";

/// The contents of a new object.
pub enum Contents<D: Domain> {
    /// Nothing that has been written. What can be read all the same comes from the stream of
    /// uninitialised values.
    Uninitialised,
    /// Zeros and null pointers.
    Zero,
    /// This in every element.
    Repeat(Value<D>),
    /// These, one after the other.
    List(Vec<Value<D>>),
}

/// How an object came to be, which says who may end it and what people call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A local variable; ends with `dead`.
    Local(FunctionId, LocalId),
    /// A global variable; never ends.
    Global(GlobalId),
    /// Allocated by the program; ends with `free`.
    Heap,
    /// Allocated on the stack, without a name; the program cannot give it back, but the front end can.
    Stack,
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
    /// What the program may do with it.
    pub access: GlobalAccess,
}

/// A new list: `count` nodes, each an object of its own.
pub struct NewList<D: Domain> {
    /// The type of a node, a struct.
    pub node: TypeId,
    /// The number of its field that points to the next node.
    pub link: u32,
    /// How many.
    pub count: D::Int,
    /// How the nodes came to be.
    pub origin: Origin,
}

/// A value in memory: where it is and what it is.
pub struct Access<D: Domain> {
    /// A pointer to its start; for a bit-field, to the byte that its first bit is counted from.
    pub pointer: D::Pointer,
    /// Its type.
    pub ty: ValueType,
    /// The first bit, if it is a bit-field.
    pub first_bit: Option<u32>,
}

/// What somebody wants to do with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Read it.
    Read,
    /// Read and write it.
    Write,
}

/// The objects that pointers lead to, by number.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// There are pointers to these.
    pub sure: Vec<u32>,
    /// And perhaps to these.
    pub perhaps: Vec<u32>,
}

/// What surrounds an operation.
pub struct World<'a, D: Domain> {
    /// The types of the program.
    pub types: &'a Types,
    /// All objects.
    pub memory: &'a mut D::Memory,
    /// Inputs and uninitialised values.
    pub streams: &'a mut D::Streams,
}

/// Integers, truth values, floating point numbers, pointers, memory and streams of inputs.
///
/// Operations are called only where the checks of the program have succeeded: divisors are not
/// zero, pointers are accessible, indices are in range. Every operation that may need more than it
/// can have (memory, time, a decision) returns [`Domain::Halt`].
///
/// Floating point numbers are passed as [`Value`]s with their format beside them, because they come in
/// two sizes: a value is to stay small, and 80 bits do not fit.
pub trait Domain: Sized + Debug {
    /// Integers.
    type Int: Clone + Debug;
    /// Truth values.
    type Bool: Clone + Debug;
    /// Floating point numbers of 32 and 64 bits.
    type Float: Clone + Debug;
    /// Floating point numbers of 80 bits.
    type LongFloat: Clone + Debug;
    /// Pointers into objects, and addresses without one, null among them.
    type Pointer: Clone + Debug;
    /// The contents of a struct or array with a layout, as one value.
    type Aggregate: Clone + Debug;
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
    /// The result of [`Domain::binary`] where it can be had at once; `None` says nothing, not even that
    /// the values are integers.
    #[inline]
    fn quick_binary(
        _op: BinaryOp,
        _ty: IntType,
        _a: &Value<Self>,
        _b: &Value<Self>,
    ) -> Option<Self::Int> {
        None
    }
    /// The same for [`Domain::compare`].
    #[inline]
    fn quick_compare(_op: CompareOp, _a: &Value<Self>, _b: &Value<Self>) -> Option<Self::Bool> {
        None
    }
    /// The pointer that is `offset` units, and elements of some size by an index, further on, where it can
    /// be had at once. Like all `quick` operations it does what the others do or nothing.
    #[inline]
    fn quick_advance(
        _pointer: &Self::Pointer,
        _index: Option<(&Self::Int, u64)>,
        _offset: u64,
    ) -> Option<Self::Pointer> {
        None
    }
    /// What [`Domain::load`] reads.
    #[inline]
    fn quick_load(
        _memory: &Self::Memory,
        _pointer: &Self::Pointer,
        _ty: ValueType,
    ) -> Option<Value<Self>> {
        None
    }
    /// Writes what [`Domain::store`] writes.
    #[inline]
    fn quick_store(
        _memory: &mut Self::Memory,
        _pointer: &Self::Pointer,
        _ty: ValueType,
        _value: &Value<Self>,
    ) -> Option<()> {
        None
    }
    /// What [`Domain::initialised`] says.
    #[inline]
    fn quick_initialised(
        _memory: &Self::Memory,
        _pointer: &Self::Pointer,
        _ty: ValueType,
    ) -> Option<Self::Bool> {
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

    /// The floating point number with these bits.
    fn float(&mut self, bits: u128, ty: FloatType) -> Value<Self>;
    /// The same for bits that are known to the domain only: an unsigned integer.
    fn float_of_bits(&mut self, bits: &Self::Int, ty: FloatType)
    -> Result<Value<Self>, Self::Halt>;
    /// The number with the other sign.
    fn float_negate(&mut self, ty: FloatType, a: &Value<Self>) -> Result<Value<Self>, Self::Halt>;
    /// A sum, difference, product or quotient, rounded to nearest.
    fn float_binary(
        &mut self,
        op: BinaryOp,
        ty: FloatType,
        a: &Value<Self>,
        b: &Value<Self>,
    ) -> Result<Value<Self>, Self::Halt>;
    /// A comparison; all but `≠` are false for what is not a number.
    fn float_compare(
        &mut self,
        op: CompareOp,
        ty: FloatType,
        a: &Value<Self>,
        b: &Value<Self>,
    ) -> Result<Self::Bool, Self::Halt>;
    /// An integer, rounded to nearest.
    fn float_of_int(&mut self, a: &Self::Int, to: FloatType) -> Result<Value<Self>, Self::Halt>;
    /// A number of another format, rounded to nearest.
    fn float_of_float(
        &mut self,
        from: FloatType,
        a: &Value<Self>,
        to: FloatType,
    ) -> Result<Value<Self>, Self::Halt>;
    /// The number, rounded toward zero, as an integer of type `to`.
    fn int_of_float(
        &mut self,
        from: FloatType,
        a: &Value<Self>,
        to: IntType,
    ) -> Result<Self::Int, Self::Halt>;
    /// Whether the number, rounded toward zero, is an integer of type `to`.
    fn representable(
        &mut self,
        from: FloatType,
        a: &Value<Self>,
        to: IntType,
    ) -> Result<Self::Bool, Self::Halt>;

    /// The pointer to nothing.
    fn null(&mut self) -> Self::Pointer;
    /// The pointer to the start of a global. It is the same in every state: globals are allocated
    /// first and in order, and [`Domain::allocate`] gives just this pointer for them.
    fn global(&mut self, global: GlobalId) -> Self::Pointer;
    /// The address of a function as a pointer, to which there is no object.
    fn function(&mut self, function: FunctionId) -> Self::Pointer;
    /// Whether a pointer is null.
    fn is_null(&mut self, memory: &Self::Memory, pointer: &Self::Pointer) -> Self::Bool;
    /// Whether two pointers are equal, or how those into one object are ordered.
    fn compare_pointers(
        &mut self,
        memory: &mut Self::Memory,
        op: CompareOp,
        a: &Self::Pointer,
        b: &Self::Pointer,
    ) -> Result<Self::Bool, Self::Halt>;
    /// The pointer `units` units of memory further on; the memory is missing where there is none yet, and the pointer is one to a global.
    fn advance(
        &mut self,
        memory: Option<&Self::Memory>,
        pointer: &Self::Pointer,
        units: &Self::Int,
    ) -> Result<Self::Pointer, Self::Halt>;
    /// How many units of memory `a` is further on than `b`.
    fn difference(
        &mut self,
        memory: &Self::Memory,
        a: &Self::Pointer,
        b: &Self::Pointer,
    ) -> Result<Self::Int, Self::Halt>;
    /// Whether two pointers point into one object, or are both addresses without one.
    fn same_object(
        &mut self,
        memory: &Self::Memory,
        a: &Self::Pointer,
        b: &Self::Pointer,
    ) -> Self::Bool;
    /// The address of what a pointer points to, at least 0. From now on that object has one.
    fn address(
        &mut self,
        memory: &mut Self::Memory,
        pointer: &Self::Pointer,
    ) -> Result<Self::Int, Self::Halt>;
    /// The pointer, or function, with this address.
    fn pointer_at(
        &mut self,
        memory: &mut Self::Memory,
        address: &Self::Int,
    ) -> Result<Value<Self>, Self::Halt>;

    /// Makes an object and returns a pointer to its start.
    fn allocate(
        &mut self,
        world: World<'_, Self>,
        object: NewObject<Self>,
    ) -> Result<Self::Pointer, Self::Halt>;
    /// Makes a list and returns a pointer to its first node, or null if there are none. The link of each node points to the next one, and
    /// is null in the last. The rest of the nodes are values of the stream of uninitialised values: first one scalar of all
    /// nodes, in their order, then the next scalar of all nodes, and so on.
    fn allocate_list(
        &mut self,
        world: World<'_, Self>,
        list: NewList<Self>,
    ) -> Result<Self::Pointer, Self::Halt>;
    /// Ends the object that a pointer points to; nothing for null.
    fn release(
        &mut self,
        memory: &mut Self::Memory,
        pointer: &Self::Pointer,
    ) -> Result<(), Self::Halt>;
    /// Reads a value. (That may give objects an address: their pointers can be read as numbers.)
    fn load(
        &mut self,
        types: &Types,
        memory: &mut Self::Memory,
        access: &Access<Self>,
    ) -> Result<Value<Self>, Self::Halt>;
    /// Writes a value.
    fn store(
        &mut self,
        types: &Types,
        memory: &mut Self::Memory,
        access: &Access<Self>,
        value: Value<Self>,
    ) -> Result<(), Self::Halt>;
    /// Copies `count` units of memory as they are, to the first place from the second; they may overlap.
    fn copy(
        &mut self,
        types: &Types,
        memory: &mut Self::Memory,
        ends: (&Self::Pointer, &Self::Pointer),
        count: &Self::Int,
    ) -> Result<(), Self::Halt>;
    /// Writes the low 8 bits of `byte` into `count` units of memory.
    fn fill(
        &mut self,
        types: &Types,
        memory: &mut Self::Memory,
        to: &Self::Pointer,
        byte: &Self::Int,
        count: &Self::Int,
    ) -> Result<(), Self::Halt>;
    /// Whether a value has been written.
    fn initialised(
        &mut self,
        types: &Types,
        memory: &Self::Memory,
        access: &Access<Self>,
    ) -> Result<Self::Bool, Self::Halt>;
    /// How many elements the object has that a pointer points to.
    fn length(&mut self, memory: &Self::Memory, pointer: &Self::Pointer) -> Self::Int;
    /// How many units of memory the object takes that a pointer points into.
    fn object_size(
        &mut self,
        memory: &Self::Memory,
        pointer: &Self::Pointer,
    ) -> Result<Self::Int, Self::Halt>;
    /// Whether `count` units of memory from a pointer on lie in a living object and can be used in
    /// this way; no units always can.
    fn accessible(
        &mut self,
        memory: &Self::Memory,
        pointer: &Self::Pointer,
        count: &Self::Int,
        right: Right,
    ) -> Self::Bool;
    /// Whether two ranges of `count` units of memory have none in common.
    fn disjoint(
        &mut self,
        memory: &Self::Memory,
        a: &Self::Pointer,
        b: &Self::Pointer,
        count: &Self::Int,
    ) -> Self::Bool;
    /// Whether a pointer that is moved by `units` stays in its object or right behind it.
    fn in_object(
        &mut self,
        memory: &Self::Memory,
        pointer: &Self::Pointer,
        units: &Self::Int,
    ) -> Self::Bool;
    /// Whether the pointer may be given to [`Domain::release`] by the program.
    fn freeable(
        &mut self,
        memory: &Self::Memory,
        pointer: &Self::Pointer,
    ) -> Result<Self::Bool, Self::Halt>;

    /// The allocated objects that live, by number.
    fn allocated(&self, memory: &Self::Memory) -> Vec<u32>;
    /// The number of the object that a pointer has.
    fn object_of(&self, pointer: &Self::Pointer) -> Option<u32>;
    /// The other objects that live: variables, and what is on the stack.
    fn variables(&self, memory: &Self::Memory) -> Vec<u32>;
    /// Adds the objects that pointers in a living object lead to.
    fn targets_in(&self, memory: &Self::Memory, object: u32, found: &mut Targets);
    /// Adds the objects that pointers in a value lead to.
    fn targets_of(&self, value: &Value<Self>, found: &mut Targets);
    /// Whether a number may be the address of an object, so that it may be known without a pointer to it.
    fn has_address(&self, memory: &Self::Memory, object: u32) -> bool;
    /// Something has no model.
    fn not_modelled(what: &'static str) -> Self::Halt;

    /// Something that is no matter of values and memory alone. What is written to the outside, the
    /// domain keeps for the driver, who gets an event.
    fn intrinsic(
        &mut self,
        world: World<'_, Self>,
        intrinsic: Intrinsic,
        arguments: &[Value<Self>],
    ) -> Result<Option<Value<Self>>, Self::Halt>;

    /// So many values are about to be copied or made in one step. A domain that watches over time and
    /// memory may stop here.
    fn spend(&mut self, _values: usize) -> Result<(), Self::Halt> {
        Ok(())
    }

    /// An index below `length` as a number.
    fn position(&mut self, index: &Self::Int, length: usize) -> Result<usize, Self::Halt>;

    /// Whether [`Domain::input`] wants to know where inputs are read.
    const WANTS_PLACES: bool = false;

    /// The next input, a value of type `ty`, and where the program reads it.
    fn input(
        &mut self,
        streams: &mut Self::Streams,
        ty: IntType,
        place: Option<Span>,
    ) -> Result<Self::Int, Self::Halt>;
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
