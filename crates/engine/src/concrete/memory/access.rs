//! Reading and writing.

use super::block::{Stored, Which};
use super::{Address, Aggregate, Block, Body, Life, Memory};
use crate::concrete::ConcreteValue;
use crate::concrete::domain::Concrete;
use crate::concrete::float::Number;
use crate::concrete::halt::{Halt, internal, unsupported};
use crate::domain::Access;
use crate::layout::{Scalars, size_of_value};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::types::{FloatType, IntType, TypeId, Types};
use loupe_ir::validate::ValueType;
use std::ops::Range;
use std::rc::Rc;

/// A place in a living object.
#[derive(Clone, Copy)]
struct Spot {
    body: u32,
    offset: i32,
}

impl Memory {
    /// Where a pointer leads to.
    #[inline]
    fn spot(&self, pointer: Address) -> Result<Spot, Box<Halt>> {
        let address = self.resolve(pointer);
        let object = address.object.ok_or_else(|| internal("a pointer to nothing is followed"))?;
        match self.objects[object.index()].life {
            Life::Alive(body) => Ok(Spot { body, offset: address.offset }),
            Life::Over | Life::Unused => Err(internal("an access to an object that has ended")),
        }
    }

    /// The body that a pointer leads to, and the first byte there.
    pub(super) fn start_of(&self, pointer: Address) -> Result<(u32, usize), Box<Halt>> {
        let Spot { body, offset } = self.spot(pointer)?;
        let start = usize::try_from(offset);
        Ok((body, start.map_err(|_| internal("an access before the start of an object"))?))
    }

    pub(in crate::concrete) fn load(
        &mut self,
        types: &Types,
        access: &Access<Concrete>,
    ) -> Result<ConcreteValue, Box<Halt>> {
        let Spot { body, offset } = self.spot(access.pointer)?;
        match (&self.bodies[body as usize], access.first_bit) {
            (Body::Cells(cells), None) => cells.load(types, offset, access.ty),
            (Body::Cells(_), Some(_)) => Err(bits_in_cells()),
            (Body::Bytes(block), first_bit) => {
                let (first, count) = bits(access.ty, first_bit, offset, block.len(), types)?;
                match first_bit {
                    Some(_) => self.load_bits(body, first, count, access.ty),
                    None => self.load_bytes(types, body, first / 8, access.ty),
                }
            }
        }
    }

    pub(in crate::concrete) fn store(
        &mut self,
        types: &Types,
        access: &Access<Concrete>,
        value: ConcreteValue,
    ) -> Result<(), Box<Halt>> {
        let Spot { body, offset } = self.spot(access.pointer)?;
        match (&mut self.bodies[body as usize], access.first_bit) {
            (Body::Cells(cells), None) => cells.store(types, offset, access.ty, value),
            (Body::Cells(_), Some(_)) => Err(bits_in_cells()),
            (Body::Bytes(block), first_bit) => {
                let (first, count) = bits(access.ty, first_bit, offset, block.len(), types)?;
                match (first_bit, value) {
                    (None, value) => self.store_bytes(types, body, first / 8, access.ty, value),
                    (Some(_), Value::Int(number)) => self.store_bits(body, first, count, &number),
                    (Some(_), _) => Err(internal("a bit-field holds integers")),
                }
            }
        }
    }

    /// Whether a value has been written; for an aggregate, all its scalars.
    pub(in crate::concrete) fn is_written(
        &self,
        types: &Types,
        access: &Access<Concrete>,
    ) -> Result<bool, Box<Halt>> {
        let Spot { body, offset } = self.spot(access.pointer)?;
        match (&self.bodies[body as usize], access.first_bit) {
            (Body::Cells(cells), None) => cells.is_written(types, offset, access.ty),
            (Body::Cells(_), Some(_)) => Err(bits_in_cells()),
            (Body::Bytes(block), first_bit) => {
                let (first, count) = bits(access.ty, first_bit, offset, block.len(), types)?;
                if let ValueType::Aggregate(ty) = access.ty {
                    let mut scalars = Scalars::new(types, ty, 1);
                    let written = scalars.all(|(start, size)| {
                        block.is_written(first + start as usize, size as usize)
                    });
                    return Ok(written);
                }
                Ok(block.is_written(first, count))
            }
        }
    }

    fn load_bits(
        &mut self,
        body: u32,
        first: usize,
        count: usize,
        ty: ValueType,
    ) -> Result<ConcreteValue, Box<Halt>> {
        let block = self.settled(body, first / 8..(first + count).div_ceil(8))?;
        let ValueType::Int(int) = ty else {
            return Err(internal("a bit-field holds integers"));
        };
        Ok(Value::Int(int.wrap(block.bits(first, count))))
    }

    fn store_bits(
        &mut self,
        body: u32,
        first: usize,
        count: usize,
        number: &Integer,
    ) -> Result<(), Box<Halt>> {
        // A pointer of which some bits are overwritten is one no more.
        let range = first / 8..(first + count).div_ceil(8);
        let word = self.word;
        self.settled(body, range.clone())?;
        let block = self.block_mut(body)?;
        block.remove_stored(word, &range);
        block.put_bits(first, count, number);
        Ok(())
    }

    fn load_bytes(
        &mut self,
        types: &Types,
        body: u32,
        at: usize,
        ty: ValueType,
    ) -> Result<ConcreteValue, Box<Halt>> {
        let size = size_of_value(types, ty) as usize;
        match ty {
            ValueType::Int(IntType::Machine { width, signedness }) => {
                let block = self.settled(body, at..at + size)?;
                if size <= 8 {
                    let word = block.word(at, size) as i64;
                    let small = Integer::wrap_small(word, width, signedness);
                    return Ok(Value::Int(small.unwrap_or(Integer::ZERO)));
                }
                let bits = block.bits(8 * at, 8 * size);
                Ok(Value::Int(bits.wrap(width, signedness)))
            }
            ValueType::Float(float) => {
                let block = self.settled(body, at..at + size)?;
                let low = u128::from(block.word(at, size.min(8)));
                let high = match float {
                    FloatType::F80 => u128::from(block.word(at + 8, 2)) << 64,
                    FloatType::F32 | FloatType::F64 => 0,
                };
                Ok(Number::from_bits(high | low, float).value())
            }
            ValueType::Pointer(_) | ValueType::Function | ValueType::Null | ValueType::Address => {
                match self.block(body)?.stored_at(self.word, at) {
                    Some(Stored::Pointer(object, offset)) => {
                        Ok(Value::Pointer(Address { object: Some(object), offset }))
                    }
                    Some(Stored::Function(function)) => Ok(Value::Function(function)),
                    None => {
                        let word = self.settled(body, at..at + size)?.word(at, size);
                        if word == 0 {
                            return Ok(Value::Pointer(Address::NULL));
                        }
                        self.pointer_at(&Integer::from(word))
                    }
                }
            }
            ValueType::Aggregate(_) => {
                let part = self.part_of_block(body, at..at + size)?;
                Ok(Value::Aggregate(Rc::new(part)))
            }
            ValueType::Any | ValueType::Bool | ValueType::Int(IntType::Unbounded) => {
                Err(unsupported("a value without a size in bytes is read from bytes"))
            }
        }
    }

    pub(super) fn store_bytes(
        &mut self,
        types: &Types,
        body: u32,
        at: usize,
        ty: ValueType,
        value: ConcreteValue,
    ) -> Result<(), Box<Halt>> {
        let size = size_of_value(types, ty) as usize;
        let range = at..at + size;
        let word = self.word;
        match (ty, value) {
            (ValueType::Int(IntType::Machine { .. }), Value::Int(number)) => {
                self.overwrite(body, &range)?;
                let block = self.block_mut(body)?;
                match number.to_i64() {
                    Some(small) if size <= 8 => block.put_word(at, size, small as u64),
                    _ => block.put_bits(8 * at, 8 * size, &number),
                }
                Ok(())
            }
            (ValueType::Float(float), value @ (Value::Float(_) | Value::LongFloat(_))) => {
                let bits = Number::of(&value, float)?.bits();
                self.overwrite(body, &range)?;
                let block = self.block_mut(body)?;
                block.put_word(at, size.min(8), bits as u64);
                if float == FloatType::F80 {
                    block.put_word(at + 8, 2, (bits >> 64) as u64);
                }
                Ok(())
            }
            (_, Value::Pointer(Address { object: Some(object), offset })) if size == word.0 => {
                self.store_pointer(body, range, Stored::Pointer(object, offset))
            }
            (_, Value::Function(function)) if size == word.0 => {
                self.store_pointer(body, range, Stored::Function(function))
            }
            (_, Value::Pointer(absolute)) if size == word.0 => {
                self.overwrite(body, &range)?;
                let number = self.absolute(absolute.offset);
                self.block_mut(body)?.put_word(at, size, number);
                Ok(())
            }
            (ValueType::Aggregate(_), Value::Aggregate(part)) => {
                self.put_part(body, at, size, &part)
            }
            (_, Value::Uninitialised) => {
                self.overwrite(body, &range)?;
                self.block_mut(body)?.forget(range);
                Ok(())
            }
            _ => Err(unsupported("a value without a size in bytes is written to bytes")),
        }
    }

    fn store_pointer(
        &mut self,
        body: u32,
        range: Range<usize>,
        stored: Stored,
    ) -> Result<(), Box<Halt>> {
        let word = self.word;
        self.overwrite(body, &range)?;
        if self.block_mut(body)?.store(word, range.start, stored) {
            return Ok(());
        }
        // Not in a slot: only its address can be written.
        let address = self.addresses.of(&self.objects, stored)?;
        self.block_mut(body)?.put_word(range.start, word.0, address);
        Ok(())
    }

    /// Copies units of memory.
    pub(in crate::concrete) fn copy(
        &mut self,
        to: Address,
        from: Address,
        count: usize,
    ) -> Result<(), Box<Halt>> {
        let (to, from) = (self.spot(to)?, self.spot(from)?);
        let part = match &self.bodies[from.body as usize] {
            Body::Cells(cells) => cells.part(from.offset, count as u64)?,
            Body::Bytes(block) => {
                let range = byte_range(from.offset, count, block.len())?;
                self.part_of_block(from.body, range)?
            }
        };
        match &mut self.bodies[to.body as usize] {
            Body::Cells(cells) => cells.put(to.offset, count as u64, &part),
            Body::Bytes(block) => {
                let range = byte_range(to.offset, count, block.len())?;
                self.put_part(to.body, range.start, count, &part)
            }
        }
    }

    /// Writes one byte into many.
    pub(in crate::concrete) fn fill(
        &mut self,
        to: Address,
        byte: u8,
        count: usize,
    ) -> Result<(), Box<Halt>> {
        let Spot { body, offset } = self.spot(to)?;
        let Body::Bytes(block) = &self.bodies[body as usize] else {
            return Err(unsupported("bytes are written to values without a size in bytes"));
        };
        let range = byte_range(offset, count, block.len())?;
        self.overwrite(body, &range)?;
        self.block_mut(body)?.fill(range, byte);
        Ok(())
    }

    /// Gives a new object of `count` elements values that nobody has written: for each scalar, in order, the
    /// next one of `values`, which is asked for a number of so many bits.
    pub(in crate::concrete) fn imagine(
        &mut self,
        types: &Types,
        pointer: Address,
        (element, count): (TypeId, u64),
        mut values: impl FnMut(u64) -> Result<Option<Integer>, Box<Halt>>,
    ) -> Result<(), Box<Halt>> {
        let Spot { body, .. } = self.spot(pointer)?;
        let block = self.block_mut(body)?;
        for (first, width) in Scalars::new(types, element, count) {
            let Some(value) = values(width)? else {
                break;
            };
            block.imagine(first as usize, width as usize, &value);
        }
        Ok(())
    }

    /// The same for some bits of an object.
    pub(in crate::concrete) fn imagine_scalar(
        &mut self,
        pointer: Address,
        (first, width): (u64, u64),
        value: &Integer,
    ) -> Result<(), Box<Halt>> {
        let Spot { body, .. } = self.spot(pointer)?;
        self.block_mut(body)?.imagine(first as usize, width as usize, value);
        Ok(())
    }

    /// A copy of a part of a block.
    fn part_of_block(&mut self, body: u32, range: Range<usize>) -> Result<Aggregate, Box<Halt>> {
        let word = self.word;
        let in_slots = range.start.is_multiple_of(word.0);
        self.settle(body, &range, if in_slots { Which::Cut } else { Which::Touched })?;
        Ok(Aggregate::Bytes(self.block(body)?.part(word, range)))
    }

    /// Overwrites a part of a block.
    fn put_part(
        &mut self,
        body: u32,
        at: usize,
        size: usize,
        part: &Aggregate,
    ) -> Result<(), Box<Halt>> {
        let Aggregate::Bytes(part) = part else {
            return Err(unsupported("values without a size in bytes are copied to bytes"));
        };
        if part.len() != size {
            return Err(internal("an aggregate is written with another size"));
        }
        let word = self.word;
        self.overwrite(body, &(at..at + size))?;
        if at.is_multiple_of(word.0) {
            self.block_mut(body)?.put(word, at, part);
            return Ok(());
        }
        let mut part = part.clone();
        part.settle(word, &(0..size), Which::Touched, |stored| {
            self.addresses.of(&self.objects, stored)
        })?;
        self.block_mut(body)?.put(word, at, &part);
        Ok(())
    }

    /// Before bytes are overwritten: pointers there are no more, but what is left of them is their
    /// addresses.
    #[inline]
    fn overwrite(&mut self, body: u32, range: &Range<usize>) -> Result<(), Box<Halt>> {
        self.settle(body, range, Which::Cut)?;
        let word = self.word;
        self.block_mut(body)?.remove_stored(word, range);
        Ok(())
    }

    /// The block, with the bytes in the range to be read as they are.
    #[inline]
    fn settled(&mut self, body: u32, range: Range<usize>) -> Result<&Block, Box<Halt>> {
        self.settle(body, &range, Which::Touched)?;
        self.block(body)
    }

    #[inline]
    fn settle(&mut self, body: u32, range: &Range<usize>, which: Which) -> Result<(), Box<Halt>> {
        let Memory { bodies, objects, addresses, word, .. } = self;
        match &mut bodies[body as usize] {
            Body::Bytes(block) => {
                block.settle(*word, range, which, |stored| addresses.of(objects, stored))
            }
            Body::Cells(_) => Err(internal("cells where there should be bytes")),
        }
    }

    #[inline]
    fn block(&self, body: u32) -> Result<&Block, Box<Halt>> {
        match &self.bodies[body as usize] {
            Body::Bytes(block) => Ok(block),
            Body::Cells(_) => Err(internal("cells where there should be bytes")),
        }
    }

    #[inline]
    fn block_mut(&mut self, body: u32) -> Result<&mut Block, Box<Halt>> {
        match &mut self.bodies[body as usize] {
            Body::Bytes(block) => Ok(block),
            Body::Cells(_) => Err(internal("cells where there should be bytes")),
        }
    }
}

fn bits_in_cells() -> Box<Halt> {
    unsupported("a bit-field beside values without a size in bytes")
}

/// The bytes of a range, which must lie in the block.
fn byte_range(offset: i32, count: usize, length: usize) -> Result<Range<usize>, Box<Halt>> {
    let outside = || internal("an access outside of an object");
    let start = usize::try_from(offset).map_err(|_| outside())?;
    match start.checked_add(count) {
        Some(end) if end <= length => Ok(start..end),
        _ => Err(outside()),
    }
}

/// The first bit of a value in a block of `length` bytes, and how many it has.
#[inline]
fn bits(
    ty: ValueType,
    first_bit: Option<u32>,
    offset: i32,
    length: usize,
    types: &Types,
) -> Result<(usize, usize), Box<Halt>> {
    let first = first_bit.unwrap_or(0) as usize;
    let count = match (first_bit, ty) {
        (Some(_), ValueType::Int(IntType::Machine { width, .. })) => width as usize,
        _ => 8 * size_of_value(types, ty) as usize,
    };
    let range = byte_range(offset, (first + count).div_ceil(8), length)?;
    Ok((8 * range.start + first, count))
}
