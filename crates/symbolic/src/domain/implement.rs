//! The operations that the semantics of instructions needs.

use super::floats::UNKNOWN;
use super::{Streams, Symbolic};
use crate::halt::{Halt, internal, unsupported};
use crate::memory::{Aggregate, Memory, targets_of};
use crate::value::{Bool, Float, Int, Pointer, SymbolicValue, small};
use loupe_engine::concrete::float::{self, LongFloat, Number};
use loupe_engine::concrete::integers;
use loupe_engine::domain::{Access, Domain, NewList, NewObject, Origin, Right, Targets, World};
use loupe_integer::Integer;
use loupe_ir::program::{BinaryOp, CompareOp, FunctionId, GlobalId, Intrinsic, UnaryOp};
use loupe_ir::source::Span;
use loupe_ir::types::{FloatType, IntType, Types};

impl Domain for Symbolic {
    type Int = Int;
    type Bool = Bool;
    type Float = Float<float::Float>;
    type LongFloat = Float<LongFloat>;
    type Pointer = Pointer;
    type Aggregate = Aggregate;
    type Memory = Memory;
    type Streams = Streams;
    type Halt = Box<Halt>;

    fn int(&mut self, value: &Integer) -> Int {
        Int::Known(value.clone())
    }

    fn bool(&mut self, value: bool) -> Bool {
        Bool::Known(value)
    }

    fn unary(&mut self, op: UnaryOp, ty: IntType, a: &Int) -> Result<Int, Box<Halt>> {
        let negative = self.scaled(a, &Integer::from(-1));
        match op {
            UnaryOp::Neg => Ok(self.wrap(ty, &negative)),
            UnaryOp::BitNot => {
                let less = self.sum(&negative, &Int::Known(Integer::from(-1)));
                Ok(self.wrap(ty, &less))
            }
            UnaryOp::Not => Err(internal("numbers have no truth value")),
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: IntType, a: &Int, b: &Int) -> Result<Int, Box<Halt>> {
        self.operate(op, ty, a, b)
    }

    #[inline]
    fn quick_binary(
        op: BinaryOp,
        ty: IntType,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Option<Int> {
        integers::quick(op, ty, small(a)?, small(b)?).map(Int::Known)
    }

    #[inline]
    fn quick_compare(op: CompareOp, a: &SymbolicValue, b: &SymbolicValue) -> Option<Bool> {
        let (a, b) = (Integer::from(small(a)?), Integer::from(small(b)?));
        Some(Bool::Known(integers::compare(op, &a, &b)))
    }

    fn compare(&mut self, op: CompareOp, a: &Int, b: &Int) -> Bool {
        self.compared(op, a, b)
    }

    fn wrap(&mut self, ty: IntType, a: &Int) -> Int {
        match a {
            Int::Known(number) => Int::Known(ty.wrap(number.clone())),
            Int::Term(term) => self.wrapped(ty, *term),
        }
    }

    fn fits(&mut self, op: BinaryOp, ty: IntType, a: &Int, b: &Int) -> Bool {
        // What cannot be said of an operation does not fit: the check fails, and that is replayed.
        self.fitting(op, ty, a, b).unwrap_or(Bool::Known(false))
    }

    fn not(&mut self, a: &Bool) -> Bool {
        match *a {
            Bool::Known(truth) => Bool::Known(!truth),
            Bool::Term(term) => {
                let negation = self.terms.not(term);
                self.truth_of(negation)
            }
        }
    }

    fn and(&mut self, a: &Bool, b: &Bool) -> Bool {
        self.both(*a, *b)
    }

    fn or(&mut self, a: &Bool, b: &Bool) -> Bool {
        self.either(*a, *b)
    }

    fn int_of_bool(&mut self, a: &Bool) -> Int {
        match *a {
            Bool::Known(truth) => Int::Known(Integer::from(truth)),
            Bool::Term(term) => self.choice(term, &Int::Known(Integer::ONE), &Int::ZERO),
        }
    }

    fn float(&mut self, bits: u128, ty: FloatType) -> SymbolicValue {
        Self::float_value(Some(Number::from_bits(bits, ty)), ty)
    }

    fn float_of_bits(&mut self, bits: &Int, ty: FloatType) -> Result<SymbolicValue, Box<Halt>> {
        let number = bits.known().map(|bits| Number::from_bits(float::to_u128(bits), ty));
        Ok(Self::float_value(number, ty))
    }

    fn float_negate(
        &mut self,
        ty: FloatType,
        a: &SymbolicValue,
    ) -> Result<SymbolicValue, Box<Halt>> {
        let number = Self::number(a, ty)?.map(Number::negate);
        Ok(Self::float_value(number, ty))
    }

    fn float_binary(
        &mut self,
        op: BinaryOp,
        ty: FloatType,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Result<SymbolicValue, Box<Halt>> {
        let result = match (Self::number(a, ty)?, Self::number(b, ty)?) {
            (Some(a), Some(b)) => Some(a.binary(op, b).map_err(|halt| internal(halt.to_string()))?),
            _ => None,
        };
        Ok(Self::float_value(result, ty))
    }

    fn float_compare(
        &mut self,
        op: CompareOp,
        ty: FloatType,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Result<Bool, Box<Halt>> {
        let (a, b) = Self::two_numbers(ty, a, b)?;
        let truth = a.compare(op, b).map_err(|halt| internal(halt.to_string()))?;
        Ok(Bool::Known(truth))
    }

    fn float_of_int(&mut self, a: &Int, to: FloatType) -> Result<SymbolicValue, Box<Halt>> {
        let number = self.settled(a).map(|number| Number::of_integer(&number, to));
        Ok(Self::float_value(number, to))
    }

    fn float_of_float(
        &mut self,
        from: FloatType,
        a: &SymbolicValue,
        to: FloatType,
    ) -> Result<SymbolicValue, Box<Halt>> {
        let number = Self::number(a, from)?.map(|number| number.convert(to));
        Ok(Self::float_value(number, to))
    }

    fn int_of_float(
        &mut self,
        from: FloatType,
        a: &SymbolicValue,
        to: IntType,
    ) -> Result<Int, Box<Halt>> {
        match Self::number(a, from)? {
            Some(number) => Ok(Int::Known(number.to_integer(to))),
            None => Err(unsupported(UNKNOWN)),
        }
    }

    fn representable(
        &mut self,
        from: FloatType,
        a: &SymbolicValue,
        to: IntType,
    ) -> Result<Bool, Box<Halt>> {
        match Self::number(a, from)? {
            Some(number) => {
                let fits = number.truncated().is_some_and(|integer| to.contains(&integer));
                Ok(Bool::Known(fits))
            }
            None => Err(unsupported(UNKNOWN)),
        }
    }

    fn null(&mut self) -> Pointer {
        Pointer::NULL
    }

    fn global(&mut self, global: GlobalId) -> Pointer {
        Pointer::to(crate::memory::ObjectId(global.0))
    }

    fn function(&mut self, function: FunctionId) -> Pointer {
        let address = loupe_engine::concrete::function_address(function);
        Pointer { object: None, offset: Int::Known(Integer::from(address)) }
    }

    fn is_null(&mut self, memory: &Memory, pointer: &Pointer) -> Bool {
        if let Some(null) = self.on_sides(pointer, |domain, side| domain.is_null(memory, side)) {
            return null;
        }
        if let Some(null) = self.null_in_list(memory, pointer) {
            return null;
        }
        match pointer.object {
            Some(_) => Bool::Known(false),
            None => self.compared(CompareOp::Eq, &pointer.offset, &Int::ZERO),
        }
    }

    fn compare_pointers(
        &mut self,
        memory: &mut Memory,
        op: CompareOp,
        a: &Pointer,
        b: &Pointer,
    ) -> Result<Bool, Box<Halt>> {
        let (a, b) = (&self.plain(a)?, &self.plain(b)?);
        if let Some(truth) = self.compare_in_list(memory, op, (a, b))? {
            return Ok(truth);
        }
        match (a.object, b.object) {
            // Compared with a number, an object needs one; but none is null.
            (Some(_), None) | (None, Some(_)) if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                let number = if a.object.is_none() { &a.offset } else { &b.offset };
                let is_null = self.compared(CompareOp::Eq, number, &Int::ZERO);
                if self.one_truth(is_null)? {
                    return Ok(Bool::Known(op == CompareOp::Ne));
                }
                let (a, b) = (self.address(memory, a)?, self.address(memory, b)?);
                Ok(self.compared(op, &a, &b))
            }
            (Some(left), Some(right)) if left == right => {
                Ok(self.compared(op, &a.offset, &b.offset))
            }
            // As numbers without a sign.
            (None, None) => {
                let ty = IntType::unsigned(32);
                let (a, b) = (self.wrap(ty, &a.offset), self.wrap(ty, &b.offset));
                Ok(self.compared(op, &a, &b))
            }
            // All addresses are above that of null.
            _ => match op {
                CompareOp::Eq => Ok(Bool::Known(false)),
                CompareOp::Ne => Ok(Bool::Known(true)),
                _ if *b == Pointer::NULL => {
                    Ok(Bool::Known(integers::ordered(op, std::cmp::Ordering::Greater)))
                }
                _ if *a == Pointer::NULL => {
                    Ok(Bool::Known(integers::ordered(op, std::cmp::Ordering::Less)))
                }
                _ => Err(unsupported("the order of pointers into different objects")),
            },
        }
    }

    fn advance(
        &mut self,
        memory: Option<&Memory>,
        pointer: &Pointer,
        units: &Int,
    ) -> Result<Pointer, Box<Halt>> {
        if let Some(memory) = memory
            && let Some(moved) = self.advance_in_list(memory, pointer, units)?
        {
            return Ok(moved);
        }
        let offset = self.sum(&pointer.offset, units);
        let word = self.space.word;
        let far = memory.zip(pointer.object);
        let offset = match far.and_then(|(memory, object)| memory.far_offsets(object, word)) {
            Some(offsets) => self.far_offset(offset, offsets)?,
            None => self.offset(offset)?,
        };
        Ok(Pointer { object: pointer.object, offset })
    }

    fn difference(&mut self, memory: &Memory, a: &Pointer, b: &Pointer) -> Result<Int, Box<Halt>> {
        let (a, b) = (&self.plain(a)?, &self.plain(b)?);
        if let Some(distance) = self.difference_in_list(memory, a, b)? {
            return Ok(distance);
        }
        if a.object != b.object {
            return Err(unsupported("the difference of pointers into different objects"));
        }
        let negative = self.scaled(&b.offset, &Integer::from(-1));
        Ok(self.sum(&a.offset, &negative))
    }

    fn same_object(&mut self, memory: &Memory, a: &Pointer, b: &Pointer) -> Bool {
        for (pointer, other) in [(a, b), (b, a)] {
            let same =
                self.on_sides(pointer, |domain, side| domain.same_object(memory, side, other));
            if let Some(same) = same {
                return same;
            }
        }
        let known = Bool::Known(a.object == b.object);
        self.same_node(memory, a, b).unwrap_or(known)
    }

    fn address(&mut self, memory: &mut Memory, pointer: &Pointer) -> Result<Int, Box<Halt>> {
        self.address_of(memory, pointer)
    }

    fn pointer_at(
        &mut self,
        memory: &mut Memory,
        address: &Int,
    ) -> Result<SymbolicValue, Box<Halt>> {
        self.at_address(memory, address)
    }

    fn allocate(
        &mut self,
        world: World<'_, Self>,
        object: NewObject<Self>,
    ) -> Result<Pointer, Box<Halt>> {
        self.new_object(world, object)
    }

    fn allocate_list(
        &mut self,
        world: World<'_, Self>,
        list: NewList<Self>,
    ) -> Result<Pointer, Box<Halt>> {
        self.new_list(world, list)
    }

    fn release(&mut self, memory: &mut Memory, pointer: &Pointer) -> Result<(), Box<Halt>> {
        let pointer = &self.plain(pointer)?;
        // Of pointers into lists, null alone may be given back.
        if memory.is_in_list(pointer) {
            return Ok(());
        }
        match self.resolved(memory, pointer)?.object {
            Some(object) => memory.release(object),
            None => Ok(()),
        }
    }

    fn load(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        access: &Access<Self>,
    ) -> Result<SymbolicValue, Box<Halt>> {
        self.load_value(types, memory, access)
    }

    fn store(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        access: &Access<Self>,
        value: SymbolicValue,
    ) -> Result<(), Box<Halt>> {
        self.store_value(types, memory, access, value)
    }

    fn copy(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        (to, from): (&Pointer, &Pointer),
        count: &Int,
    ) -> Result<(), Box<Halt>> {
        self.copy_units(types, memory, (to, from), count)
    }

    fn fill(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        to: &Pointer,
        byte: &Int,
        count: &Int,
    ) -> Result<(), Box<Halt>> {
        self.fill_units(types, memory, to, (byte, count))
    }

    fn initialised(
        &mut self,
        types: &Types,
        memory: &Memory,
        access: &Access<Self>,
    ) -> Result<Bool, Box<Halt>> {
        self.is_written(types, memory, access)
    }

    fn length(&mut self, memory: &Memory, pointer: &Pointer) -> Int {
        let length = |pointer: &Pointer| memory.size(pointer).unwrap_or(Int::ZERO);
        let chosen = self.number_on_sides(pointer, |_, side| length(side));
        chosen.unwrap_or_else(|| length(pointer))
    }

    fn object_size(&mut self, memory: &Memory, pointer: &Pointer) -> Result<Int, Box<Halt>> {
        let pointer = &self.plain(pointer)?;
        if let Some(size) = self.node_size(memory, pointer)? {
            return Ok(size);
        }
        let pointer = self.resolved(memory, pointer)?;
        let size = memory.size(&pointer);
        size.ok_or_else(|| unsupported("the size of an object that there is none of"))
    }

    fn accessible(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
        count: &Int,
        right: Right,
    ) -> Bool {
        let ask =
            |domain: &mut Symbolic, side: &Pointer| domain.accessible(memory, side, count, right);
        if let Some(inside) = self.on_sides(pointer, ask) {
            return inside;
        }
        if let Some(inside) = self.accessible_in_list(memory, pointer, count) {
            return inside;
        }
        let mut result = self.compared(CompareOp::Eq, count, &Int::ZERO);
        for (here, pointer) in self.possible(memory, pointer) {
            let Some(size) = memory.size(&pointer).filter(|_| memory.grants(&pointer, right))
            else {
                continue;
            };
            let end = self.sum(&pointer.offset, count);
            let low = self.compared(CompareOp::Le, &Int::ZERO, &pointer.offset);
            let high = self.compared(CompareOp::Le, &end, &size);
            let forward = self.compared(CompareOp::Le, &Int::ZERO, count);
            let both = self.both(low, high);
            let inside = self.both(both, forward);
            let inside = self.both(here, inside);
            result = self.either(result, inside);
        }
        result
    }

    fn disjoint(&mut self, memory: &Memory, a: &Pointer, b: &Pointer, count: &Int) -> Bool {
        for (pointer, other) in [(a, b), (b, a)] {
            let ask =
                |domain: &mut Symbolic, side: &Pointer| domain.disjoint(memory, side, other, count);
            if let Some(apart) = self.on_sides(pointer, ask) {
                return apart;
            }
        }
        if let Some(apart) = self.disjoint_in_list(memory, (a, b), count) {
            return apart;
        }
        let mut overlaps = Bool::Known(false);
        for (a_here, a) in self.possible(memory, a) {
            for (b_here, b) in self.possible(memory, b) {
                if a.object != b.object {
                    continue;
                }
                let (a_end, b_end) = (self.sum(&a.offset, count), self.sum(&b.offset, count));
                let before = self.compared(CompareOp::Lt, &b.offset, &a_end);
                let behind = self.compared(CompareOp::Lt, &a.offset, &b_end);
                let both = self.both(before, behind);
                let here = self.both(a_here, b_here);
                let both = self.both(both, here);
                overlaps = self.either(overlaps, both);
            }
        }
        self.not(&overlaps)
    }

    fn in_object(&mut self, memory: &Memory, pointer: &Pointer, units: &Int) -> Bool {
        let ask = |domain: &mut Symbolic, side: &Pointer| domain.in_object(memory, side, units);
        if let Some(stays) = self.on_sides(pointer, ask) {
            return stays;
        }
        if let Some(stays) = self.stays_in_node(memory, pointer, units) {
            return stays;
        }
        let unmoved = self.compared(CompareOp::Eq, units, &Int::ZERO);
        let (mut result, mut nowhere) = (Bool::Known(false), Bool::Known(true));
        for (here, pointer) in self.possible(memory, pointer) {
            let elsewhere = self.not(&here);
            nowhere = self.both(nowhere, elsewhere);
            let Some(size) = memory.size(&pointer).filter(|_| memory.grants(&pointer, Right::Read))
            else {
                continue;
            };
            let moved = self.sum(&pointer.offset, units);
            let low = self.compared(CompareOp::Le, &Int::ZERO, &moved);
            let high = self.compared(CompareOp::Le, &moved, &size);
            let inside = self.both(low, high);
            let inside = self.both(here, inside);
            result = self.either(result, inside);
        }
        let unmoved = self.both(nowhere, unmoved);
        self.either(result, unmoved)
    }

    fn freeable(&mut self, memory: &Memory, pointer: &Pointer) -> Result<Bool, Box<Halt>> {
        self.refuse_freed_list(memory, pointer)?;
        Ok(self.can_be_freed(memory, pointer))
    }

    fn allocated(&self, memory: &Memory) -> Vec<u32> {
        memory.living_of(|origin| origin == Origin::Heap)
    }

    fn object_of(&self, pointer: &Pointer) -> Option<u32> {
        pointer.object.map(|object| object.0)
    }

    fn variables(&self, memory: &Memory) -> Vec<u32> {
        memory.living_of(|origin| origin != Origin::Heap)
    }

    fn targets_in(&self, memory: &Memory, object: u32, found: &mut Targets) {
        memory.targets_in(object, found);
    }

    fn targets_of(&self, value: &SymbolicValue, found: &mut Targets) {
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
        arguments: &[SymbolicValue],
    ) -> Result<Option<SymbolicValue>, Box<Halt>> {
        self.execute_intrinsic(world, intrinsic, arguments)
    }

    fn position(&mut self, index: &Int, length: usize) -> Result<usize, Box<Halt>> {
        let index = self.one_number(index)?;
        let index = index.to_usize().filter(|index| *index < length);
        index.ok_or_else(|| internal("an index out of range without a check before it"))
    }

    const WANTS_PLACES: bool = true;

    fn input(
        &mut self,
        streams: &mut Streams,
        ty: IntType,
        place: Option<Span>,
    ) -> Result<Int, Box<Halt>> {
        Ok(self.next_input(streams, ty, place))
    }

    fn undefined(&mut self, streams: &mut Streams, ty: IntType) -> Result<Int, Box<Halt>> {
        self.next_undefined(streams, ty)
    }
}
