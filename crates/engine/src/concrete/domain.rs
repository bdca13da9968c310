//! Numbers are numbers, memory is memory.

use super::ConcreteValue;
use super::float::{Float, LongFloat, Number, to_u128};
use super::halt::{Halt, internal, unsupported};
use super::input::{BadInput, ByteSource, InputSource};
use super::integers::{compare, compare_small, exact, ordered, quick, small, wrap_small};
use super::interpreter::{Options, Stream, Supervisor};
use super::memory::{Address, Aggregate, Memory, ObjectId, Word, targets_of};
use crate::domain::{
    Access, BEYOND_ADDRESSES, Contents, Domain, NewList, NewObject, Origin, Right, Targets, World,
};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{BinaryOp, CompareOp, FunctionId, GlobalId, Intrinsic, UnaryOp};
use loupe_ir::source::Span;
use loupe_ir::types::{FloatType, IntType, TypeId, Types};
use loupe_ir::validate::{MAX_WIDTH, ValueType};
use std::rc::Rc;

/// How many inputs and uninitialised values have been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Inputs.
    pub input: u64,
    /// Uninitialised values.
    pub undefined: u64,
    /// Bytes of the standard input.
    pub bytes: u64,
}

/// The domain of concrete values.
pub struct Concrete {
    pub(super) input: Box<dyn InputSource>,
    pub(super) undefined: Box<dyn InputSource>,
    pub(super) standard_input: Box<dyn ByteSource>,
    pub(super) command_line: Vec<Vec<u8>>,
    pub(super) end_of_input: Integer,
    pub(super) max_cells: u64,
    pub(super) max_bits: u64,
    pub(super) supervisor: Option<Supervisor>,
    /// The size of pointers.
    pub(super) word: Word,
    /// How many cells have been written in single steps since the supervisor was asked.
    pub(super) spent: usize,
    /// What has been written to the outside and not been handed on.
    pub(super) written: Vec<(Stream, Vec<u8>)>,
    /// Who has taken the values that the stream of uninitialised values has.
    pub(super) takes: Vec<Take>,
}

/// A piece of the stream of uninitialised values that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Take {
    /// Its first position.
    pub(super) position: u64,
    /// How many values.
    pub(super) count: u64,
    /// The object that they are in; `None` for a register.
    pub(super) origin: Option<Origin>,
}

/// So many pieces are remembered.
const MOST_TAKES: usize = 1 << 16;

/// So many cells may be written between two questions to the supervisor: some tens of megabytes.
const CELLS_BETWEEN_QUESTIONS: usize = 1 << 21;
/// So many bytes take about as long as a cell.
const BYTES_PER_CELL: usize = 16;

impl std::fmt::Debug for Concrete {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Concrete")
    }
}

impl Concrete {
    /// The domain of a program with these types.
    pub(super) fn new(types: &Types, options: Options) -> Self {
        Concrete {
            input: options.input,
            undefined: options.undefined,
            standard_input: options.standard_input,
            command_line: options.command_line,
            end_of_input: options.end_of_input,
            max_cells: options.max_cells,
            max_bits: options.max_bits,
            supervisor: options.supervisor,
            word: Word::of(types),
            spent: 0,
            written: Vec::new(),
            takes: Vec::new(),
        }
    }

    /// Remembers who has taken values, for those who tell of the run.
    fn note_take(&mut self, position: u64, count: u64, origin: Option<Origin>) {
        if self.takes.len() < MOST_TAKES {
            self.takes.push(Take { position, count, origin });
        }
    }

    /// Whether somebody outside wants the run to end.
    pub(super) fn ask_supervisor(&mut self) -> Result<(), Box<Halt>> {
        match self.supervisor.as_mut().and_then(|ask| ask()) {
            Some(limit) => Err(Box::new(Halt::Limit(limit))),
            None => Ok(()),
        }
    }

    /// Gives a new object of C the values that nobody has written: the next ones of their stream, one
    /// for each scalar. They are fixed from now on, whenever and however they are read.
    fn imagine(
        &mut self,
        world: World<'_, Concrete>,
        pointer: Address,
        elements: (TypeId, u64),
    ) -> Result<(), Box<Halt>> {
        let World { types, memory, streams } = world;
        let mut position = streams.undefined;
        memory.imagine(types, pointer, elements, |bits| {
            let value = self.undefined_bits(position, bits)?;
            position += 1;
            Ok(value)
        })
    }

    /// So many bits that nobody has written: a value of their stream, if it has so many.
    pub(super) fn undefined_bits(
        &mut self,
        position: u64,
        bits: u64,
    ) -> Result<Option<Integer>, Box<Halt>> {
        let Some(value) = self.undefined.get(position).map_err(Halt::Input)? else {
            return Ok(None);
        };
        let bits = u32::try_from(bits).unwrap_or(u32::MAX);
        let ty = IntType::unsigned(bits);
        // A negative number stands for the same bits.
        if !ty.contains(&value) && !IntType::signed(bits).contains(&value) {
            return Err(Box::new(Halt::Input(BadInput::OutOfRange { position, value, ty })));
        }
        Ok(Some(value))
    }

    /// A number of units of memory.
    fn units(&mut self, count: &Integer) -> Result<usize, Box<Halt>> {
        let count = count.to_usize().ok_or_else(|| internal("a range of impossible size"))?;
        self.spend(count / BYTES_PER_CELL)?;
        Ok(count)
    }
}

fn next(
    source: &mut dyn InputSource,
    position: &mut u64,
    ty: IntType,
    at_end: &Integer,
) -> Result<Integer, Box<Halt>> {
    let Some(value) = source.get(*position).map_err(Halt::Input)? else {
        *position += 1;
        return Ok(ty.wrap(at_end.clone()));
    };
    if !ty.contains(&value) {
        let error = BadInput::OutOfRange { position: *position, value, ty };
        return Err(Box::new(Halt::Input(error)));
    }
    *position += 1;
    Ok(value)
}

impl Domain for Concrete {
    type Int = Integer;
    type Bool = bool;
    type Float = Float;
    type LongFloat = LongFloat;
    type Pointer = Address;
    type Aggregate = Rc<Aggregate>;
    type Memory = Memory;
    type Streams = Positions;
    type Halt = Box<Halt>;

    #[inline]
    fn int(&mut self, value: &Integer) -> Integer {
        value.clone()
    }

    #[inline]
    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn unary(&mut self, op: UnaryOp, ty: IntType, a: &Integer) -> Result<Integer, Box<Halt>> {
        match op {
            UnaryOp::Neg => Ok(ty.wrap(a.neg())),
            UnaryOp::BitNot => Ok(ty.wrap(a.neg().sub(&Integer::ONE))),
            UnaryOp::Not => Err(internal("numbers have no truth value")),
        }
    }

    #[inline(always)]
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: IntType,
        a: &Integer,
        b: &Integer,
    ) -> Result<Integer, Box<Halt>> {
        let small = a.to_i64().zip(b.to_i64());
        match small.and_then(|(a, b)| quick(op, ty, a, b)) {
            Some(result) => Ok(result),
            None => self.large(op, ty, a, b),
        }
    }

    #[inline(always)]
    fn quick_binary(
        op: BinaryOp,
        ty: IntType,
        a: &Value<Self>,
        b: &Value<Self>,
    ) -> Option<Integer> {
        quick(op, ty, small(a)?, small(b)?)
    }

    #[inline(always)]
    fn quick_compare(op: CompareOp, a: &Value<Self>, b: &Value<Self>) -> Option<bool> {
        Some(compare_small(op, small(a)?, small(b)?))
    }

    #[inline(always)]
    fn quick_advance(
        pointer: &Address,
        index: Option<(&Integer, u64)>,
        offset: u64,
    ) -> Option<Address> {
        // All of these are small, or else the sum does not fit.
        let mut units = i64::from(pointer.offset).checked_add_unsigned(offset)?;
        if let Some((index, size)) = index {
            let size = i64::try_from(size).ok()?;
            units = units.checked_add(index.to_i64()?.checked_mul(size)?)?;
        }
        Some(Address { offset: i32::try_from(units).ok()?, ..*pointer })
    }

    #[inline(always)]
    fn quick_load(memory: &Memory, pointer: &Address, ty: ValueType) -> Option<Value<Self>> {
        memory.quick_load(*pointer, ty)
    }

    #[inline(always)]
    fn quick_store(
        memory: &mut Memory,
        pointer: &Address,
        ty: ValueType,
        value: &Value<Self>,
    ) -> Option<()> {
        memory.quick_store(*pointer, ty, value)
    }

    #[inline(always)]
    fn quick_initialised(memory: &Memory, pointer: &Address, ty: ValueType) -> Option<bool> {
        memory.quick_initialised(*pointer, ty)
    }

    #[inline(always)]
    fn compare(&mut self, op: CompareOp, a: &Integer, b: &Integer) -> bool {
        compare(op, a, b)
    }

    #[inline(always)]
    fn wrap(&mut self, ty: IntType, a: &Integer) -> Integer {
        if let (Some(small), IntType::Machine { width, signedness }) = (a.to_i64(), ty)
            && let Some(wrapped) = wrap_small(small, width, signedness)
        {
            return wrapped;
        }
        ty.wrap(a.clone())
    }

    fn fits(&mut self, op: BinaryOp, ty: IntType, a: &Integer, b: &Integer) -> bool {
        // What is shifted so far is not computed: it fits nowhere, unless it is 0.
        if op == BinaryOp::Shl && *b > Integer::from(MAX_WIDTH) {
            return a.is_zero();
        }
        exact(op, a, b).is_ok_and(|result| ty.contains(&result))
    }

    fn not(&mut self, a: &bool) -> bool {
        !a
    }

    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }

    fn or(&mut self, a: &bool, b: &bool) -> bool {
        *a || *b
    }

    fn int_of_bool(&mut self, a: &bool) -> Integer {
        Integer::from(*a)
    }

    fn float(&mut self, bits: u128, ty: FloatType) -> Value<Self> {
        Number::from_bits(bits, ty).value()
    }

    fn float_of_bits(&mut self, bits: &Integer, ty: FloatType) -> Result<Value<Self>, Box<Halt>> {
        Ok(Number::from_bits(to_u128(bits), ty).value())
    }

    fn float_negate(&mut self, ty: FloatType, a: &Value<Self>) -> Result<Value<Self>, Box<Halt>> {
        Ok(Number::of(a, ty)?.negate().value())
    }

    fn float_binary(
        &mut self,
        op: BinaryOp,
        ty: FloatType,
        a: &Value<Self>,
        b: &Value<Self>,
    ) -> Result<Value<Self>, Box<Halt>> {
        Ok(Number::of(a, ty)?.binary(op, Number::of(b, ty)?)?.value())
    }

    fn float_compare(
        &mut self,
        op: CompareOp,
        ty: FloatType,
        a: &Value<Self>,
        b: &Value<Self>,
    ) -> Result<bool, Box<Halt>> {
        Number::of(a, ty)?.compare(op, Number::of(b, ty)?)
    }

    fn float_of_int(&mut self, a: &Integer, to: FloatType) -> Result<Value<Self>, Box<Halt>> {
        Ok(Number::of_integer(a, to).value())
    }

    fn float_of_float(
        &mut self,
        from: FloatType,
        a: &Value<Self>,
        to: FloatType,
    ) -> Result<Value<Self>, Box<Halt>> {
        Ok(Number::of(a, from)?.convert(to).value())
    }

    fn int_of_float(
        &mut self,
        from: FloatType,
        a: &Value<Self>,
        to: IntType,
    ) -> Result<Integer, Box<Halt>> {
        Ok(Number::of(a, from)?.to_integer(to))
    }

    fn representable(
        &mut self,
        from: FloatType,
        a: &Value<Self>,
        to: IntType,
    ) -> Result<bool, Box<Halt>> {
        let truncated = Number::of(a, from)?.truncated();
        Ok(truncated.is_some_and(|integer| to.contains(&integer)))
    }

    #[inline]
    fn null(&mut self) -> Address {
        Address::NULL
    }

    #[inline]
    fn global(&mut self, global: GlobalId) -> Address {
        Address { object: ObjectId::new(global.index()), offset: 0 }
    }

    #[inline]
    fn function(&mut self, function: FunctionId) -> Address {
        Memory::function(function)
    }

    #[inline]
    fn is_null(&mut self, _memory: &Memory, pointer: &Address) -> bool {
        pointer.is_null()
    }

    fn compare_pointers(
        &mut self,
        memory: &mut Memory,
        op: CompareOp,
        a: &Address,
        b: &Address,
    ) -> Result<bool, Box<Halt>> {
        let order = match (a.object, b.object) {
            // Compared with a number, an object needs one; but none is null.
            (Some(_), None) | (None, Some(_)) if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                let is_null = a.is_null() || b.is_null();
                let equal = !is_null && memory.address(*a)? == memory.address(*b)?;
                return Ok(equal == (op == CompareOp::Eq));
            }
            (Some(left), Some(right)) if left == right => a.offset.cmp(&b.offset),
            // All addresses are above that of null.
            (Some(_), None) if b.is_null() => std::cmp::Ordering::Greater,
            (None, Some(_)) if a.is_null() => std::cmp::Ordering::Less,
            // As numbers without a sign.
            (None, None) => (a.offset as u32).cmp(&(b.offset as u32)),
            _ => match op {
                CompareOp::Eq => return Ok(false),
                CompareOp::Ne => return Ok(true),
                _ => return Err(unsupported("the order of pointers into different objects")),
            },
        };
        Ok(ordered(op, order))
    }

    #[inline]
    fn advance(
        &mut self,
        _: Option<&Memory>,
        pointer: &Address,
        units: &Integer,
    ) -> Result<Address, Box<Halt>> {
        let offset = self.word.advance(pointer.offset, units);
        let offset = offset.ok_or_else(|| unsupported(BEYOND_ADDRESSES))?;
        Ok(Address { offset, ..*pointer })
    }

    fn difference(
        &mut self,
        _memory: &Memory,
        a: &Address,
        b: &Address,
    ) -> Result<Integer, Box<Halt>> {
        if a.object != b.object {
            return Err(unsupported("the difference of pointers into different objects"));
        }
        Ok(Integer::from(i64::from(a.offset) - i64::from(b.offset)))
    }

    fn same_object(&mut self, _memory: &Memory, a: &Address, b: &Address) -> bool {
        a.object == b.object
    }

    fn address(&mut self, memory: &mut Memory, pointer: &Address) -> Result<Integer, Box<Halt>> {
        Ok(Integer::from(memory.address(*pointer)?))
    }

    fn pointer_at(
        &mut self,
        memory: &mut Memory,
        address: &Integer,
    ) -> Result<Value<Self>, Box<Halt>> {
        memory.pointer_at(address)
    }

    fn allocate(
        &mut self,
        world: World<'_, Self>,
        object: NewObject<Self>,
    ) -> Result<Address, Box<Halt>> {
        let World { types, memory, streams } = world;
        let NewObject { element, origin, .. } = object;
        let fresh = match &object.contents {
            Contents::Uninitialised => Some(memory.scalars(types, element, &object.count)),
            _ => None,
        };
        let count = object.count.to_usize().unwrap_or(0) as u64;
        let pointer = memory.allocate(types, object, self.max_cells)?;
        if let Origin::Global(global) = origin
            && pointer != self.global(global)
        {
            return Err(internal("globals are not the first objects"));
        }
        if let Some(scalars @ 1..) = fresh {
            // Mostly there is nothing, and all is 0.
            let first = self.undefined.get(streams.undefined).map_err(Halt::Input)?;
            if first.is_some() {
                self.note_take(streams.undefined, scalars, Some(origin));
                self.imagine(World { types, memory, streams }, pointer, (element, count))?;
            }
            streams.undefined = streams.undefined.saturating_add(scalars);
        }
        Ok(pointer)
    }

    fn allocate_list(
        &mut self,
        world: World<'_, Self>,
        list: NewList<Self>,
    ) -> Result<Address, Box<Halt>> {
        self.make_list(world, list)
    }

    fn release(&mut self, memory: &mut Memory, pointer: &Address) -> Result<(), Box<Halt>> {
        if let Some(object) = memory.resolve(*pointer).object {
            memory.release(object);
        }
        Ok(())
    }

    #[inline]
    fn load(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        access: &Access<Self>,
    ) -> Result<Value<Self>, Box<Halt>> {
        memory.load(types, access)
    }

    #[inline]
    fn store(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        access: &Access<Self>,
        value: Value<Self>,
    ) -> Result<(), Box<Halt>> {
        memory.store(types, access, value)
    }

    fn copy(
        &mut self,
        _types: &Types,
        memory: &mut Memory,
        (to, from): (&Address, &Address),
        count: &Integer,
    ) -> Result<(), Box<Halt>> {
        match self.units(count)? {
            0 => Ok(()),
            count => memory.copy(*to, *from, count),
        }
    }

    fn fill(
        &mut self,
        _types: &Types,
        memory: &mut Memory,
        to: &Address,
        byte: &Integer,
        count: &Integer,
    ) -> Result<(), Box<Halt>> {
        let byte = IntType::unsigned(8).wrap(byte.clone()).to_i64().unwrap_or(0) as u8;
        match self.units(count)? {
            0 => Ok(()),
            count => memory.fill(*to, byte, count),
        }
    }

    fn initialised(
        &mut self,
        types: &Types,
        memory: &Memory,
        access: &Access<Self>,
    ) -> Result<bool, Box<Halt>> {
        memory.is_written(types, access)
    }

    fn length(&mut self, memory: &Memory, pointer: &Address) -> Integer {
        Integer::from(pointer.object.map_or(0, |object| memory.length(object)))
    }

    fn object_size(&mut self, memory: &Memory, pointer: &Address) -> Result<Integer, Box<Halt>> {
        match memory.resolve(*pointer).object {
            Some(object) => Ok(Integer::from(memory.object(object).size)),
            None => Err(unsupported("the size of an object that there is none of")),
        }
    }

    #[inline]
    fn accessible(
        &mut self,
        memory: &Memory,
        pointer: &Address,
        count: &Integer,
        right: Right,
    ) -> bool {
        memory.accessible(*pointer, count, right)
    }

    fn disjoint(&mut self, memory: &Memory, a: &Address, b: &Address, count: &Integer) -> bool {
        let (a, b) = (memory.resolve(*a), memory.resolve(*b));
        let distance = i64::from(a.offset) - i64::from(b.offset);
        a.object != b.object || Integer::from(distance.abs()) >= *count
    }

    fn in_object(&mut self, memory: &Memory, pointer: &Address, units: &Integer) -> bool {
        let pointer = memory.resolve(*pointer);
        match pointer.object {
            Some(object) => {
                let moved = Integer::from(pointer.offset).add(units);
                let size = memory.living(object).map(|object| Integer::from(object.size));
                !moved.is_negative() && size.is_some_and(|size| moved <= size)
            }
            None => units.is_zero(),
        }
    }

    fn freeable(&mut self, memory: &Memory, pointer: &Address) -> Result<bool, Box<Halt>> {
        Ok(memory.freeable(*pointer))
    }

    fn allocated(&self, memory: &Memory) -> Vec<u32> {
        memory.living_of(|origin| origin == Origin::Heap)
    }

    fn object_of(&self, pointer: &Address) -> Option<u32> {
        pointer.object.map(ObjectId::number)
    }

    fn variables(&self, memory: &Memory) -> Vec<u32> {
        memory.living_of(|origin| origin != Origin::Heap)
    }

    fn targets_in(&self, memory: &Memory, object: u32, found: &mut Targets) {
        memory.targets_in(object, found);
    }

    fn targets_of(&self, value: &ConcreteValue, found: &mut Targets) {
        targets_of(value, found);
    }

    fn has_address(&self, memory: &Memory, object: u32) -> bool {
        memory.has_address(object)
    }

    fn not_modelled(what: &'static str) -> Box<Halt> {
        unsupported(what)
    }

    fn intrinsic(
        &mut self,
        world: World<'_, Self>,
        intrinsic: Intrinsic,
        arguments: &[Value<Self>],
    ) -> Result<Option<Value<Self>>, Box<Halt>> {
        self.execute_intrinsic(world, intrinsic, arguments)
    }

    #[inline]
    fn spend(&mut self, cells: usize) -> Result<(), Box<Halt>> {
        self.spent = self.spent.saturating_add(cells);
        if self.spent < CELLS_BETWEEN_QUESTIONS {
            return Ok(());
        }
        self.spent = 0;
        self.ask_supervisor()
    }

    fn position(&mut self, index: &Integer, length: usize) -> Result<usize, Box<Halt>> {
        let index = index.to_usize().filter(|index| *index < length);
        index.ok_or_else(|| internal("an index out of range without a check before it"))
    }

    fn input(
        &mut self,
        streams: &mut Positions,
        ty: IntType,
        _place: Option<Span>,
    ) -> Result<Integer, Box<Halt>> {
        next(&mut *self.input, &mut streams.input, ty, &self.end_of_input)
    }

    fn undefined(&mut self, streams: &mut Positions, ty: IntType) -> Result<Integer, Box<Halt>> {
        if self.undefined.get(streams.undefined).map_err(Halt::Input)?.is_some() {
            self.note_take(streams.undefined, 1, None);
        }
        next(&mut *self.undefined, &mut streams.undefined, ty, &Integer::ZERO)
    }
}
