//! Reading and writing at places that are known.

use super::pieces::Bits;
use super::{Aggregate, Background, Body, Entry, Memory, ObjectId, Written};
use crate::domain::{Outcome, Symbolic};
use crate::halt::{Halt, internal, unsupported};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::domain::Domain;
use loupe_engine::layout::{Kind, size_of_value};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::types::{IntType, Types};
use loupe_ir::validate::ValueType;

/// More bytes other than 0 are not written at once.
const MAX_FILLED: u64 = 1 << 22;

/// Some units of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(super) object: ObjectId,
    pub(super) offset: u64,
    pub(super) size: u64,
}

/// What is read: its type, and the first bit if it is a bit-field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct What {
    pub(crate) ty: ValueType,
    pub(crate) first_bit: Option<u32>,
}

impl What {
    /// How many units of memory have something of it.
    pub(crate) fn size(self, types: &Types) -> u64 {
        match (self.first_bit, self.ty) {
            (Some(first), ValueType::Int(IntType::Machine { width, .. })) => {
                u64::from((first + width).div_ceil(8))
            }
            _ => size_of_value(types, self.ty),
        }
    }
}

impl Symbolic {
    /// What stands at a place.
    pub(super) fn load_at(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
        what: What,
    ) -> Outcome<SymbolicValue> {
        if let ValueType::Aggregate(_) = what.ty {
            return Ok(Value::Aggregate(self.copy_out(types, memory, spot)?));
        }
        if let Some(first) = what.first_bit {
            let ValueType::Int(int @ IntType::Machine { width, .. }) = what.ty else {
                return Err(internal("a bit-field that is no integer"));
            };
            let Bits { value, .. } =
                self.read_bits(types, memory, spot.object, (spot.offset, spot.size))?;
            let field = self.extract(&value, u64::from(first), u64::from(width));
            return Ok(Value::Int(self.wrap(int, &field)));
        }
        let object = memory.object(spot.object)?;
        let Body::Entries(entries) = &object.body else {
            return Err(internal("an array is read elsewhere"));
        };
        match entries.get(&spot.offset) {
            Some(entry) if entry.size == spot.size => {
                let value = entry.value.clone();
                self.as_type(memory, value, what.ty, spot.size)
            }
            _ if object.kind == Kind::Cells => {
                self.background_cell(object_background(object), what.ty)
            }
            _ => {
                let Bits { value, .. } =
                    self.read_bits(types, memory, spot.object, (spot.offset, spot.size))?;
                self.value_of_bits(memory, value, what.ty)
            }
        }
    }

    /// A cell that nobody has written.
    fn background_cell(&mut self, is_zero: bool, ty: ValueType) -> Outcome<SymbolicValue> {
        if !is_zero {
            return Ok(Value::Uninitialised);
        }
        Ok(match ty {
            ValueType::Bool => Value::Bool(Bool::Known(false)),
            ValueType::Pointer(_) | ValueType::Function | ValueType::Null | ValueType::Address => {
                Value::Pointer(Pointer::NULL)
            }
            ValueType::Float(float) => self.float(0, float),
            _ => Value::Int(Int::ZERO),
        })
    }

    /// A value that was written as one of another type of the same size.
    fn as_type(
        &mut self,
        memory: &mut Memory,
        value: SymbolicValue,
        ty: ValueType,
        size: u64,
    ) -> Outcome<SymbolicValue> {
        match (&value, ty) {
            // What stands there is the number.
            (
                Value::Pointer(Pointer { object: None, offset }),
                ValueType::Pointer(_) | ValueType::Function | ValueType::Null | ValueType::Address,
            ) if self.space.has_bytes() && *offset != Int::ZERO => {
                let address = self.bits_of_value(memory, &value, size)?;
                self.pointer_at(memory, &address)
            }
            (Value::Int(number), ValueType::Int(int)) => Ok(Value::Int(self.wrap(int, number))),
            (_, ValueType::Any)
            | (
                Value::Pointer(_) | Value::Function(_),
                ValueType::Pointer(_) | ValueType::Function | ValueType::Null | ValueType::Address,
            )
            | (Value::Float(_), ValueType::Float(_))
            | (Value::LongFloat(_), ValueType::Float(_))
            | (Value::Bool(_), ValueType::Bool)
            | (Value::Uninitialised | Value::Array(_) | Value::Record(_) | Value::Sequence(_), _) => {
                Ok(value)
            }
            _ => {
                let bits = self.bits_of_value(memory, &value, size)?;
                self.value_of_bits(memory, bits, ty)
            }
        }
    }

    /// The value of type `ty` that some bits are.
    pub(super) fn value_of_bits(
        &mut self,
        memory: &mut Memory,
        bits: Int,
        ty: ValueType,
    ) -> Outcome<SymbolicValue> {
        match ty {
            ValueType::Int(int) => Ok(Value::Int(self.wrap(int, &bits))),
            ValueType::Bool => {
                Ok(Value::Bool(self.compare(loupe_ir::program::CompareOp::Ne, &bits, &Int::ZERO)))
            }
            ValueType::Float(float) => self.float_of_bits(&bits, float),
            ValueType::Pointer(_) | ValueType::Function | ValueType::Null | ValueType::Address => {
                self.pointer_at(memory, &bits)
            }
            ValueType::Any | ValueType::Aggregate(_) => Err(internal("bits without a type")),
        }
    }

    /// Writes a value to a place.
    pub(super) fn store_at(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
        what: What,
        (value, written): (SymbolicValue, Written),
    ) -> Outcome<()> {
        if let Value::Aggregate(held) = &value {
            return self.copy_in(types, memory, spot, held.clone());
        }
        let (value, written) = match what.first_bit {
            Some(first) => self.with_bit_field(types, memory, spot, (what.ty, first), &value)?,
            None => (value, written),
        };
        self.put(memory, spot, Entry { size: spot.size, value, written })
    }

    fn put(&mut self, memory: &mut Memory, spot: Spot, entry: Entry) -> Outcome<()> {
        let object = memory.object(spot.object)?;
        let is_bytes = object.kind == Kind::Bytes;
        let is_same = match &object.body {
            Body::Entries(entries) => {
                entries.get(&spot.offset).is_some_and(|old| old.size == spot.size)
            }
            Body::Array(_) => false,
        };
        if !is_same {
            self.clear(memory, spot)?;
        }
        let entry = if is_bytes { self.at_slot(memory, spot.offset, entry)? } else { entry };
        if let Body::Entries(entries) = &mut memory.object_mut(spot.object)?.body {
            entries.insert_mut(spot.offset, entry);
        }
        Ok(())
    }

    /// The bytes around a bit-field with another value in it.
    fn with_bit_field(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
        (ty, first): (ValueType, u32),
        value: &SymbolicValue,
    ) -> Outcome<(SymbolicValue, Written)> {
        let (ValueType::Int(IntType::Machine { width, .. }), Value::Int(value)) = (ty, value)
        else {
            return Err(internal("a bit-field that is no integer"));
        };
        let old = self.read_bits(types, memory, spot.object, (spot.offset, spot.size))?;
        let field = self.extract(&old.value, u64::from(first), u64::from(width));
        let factor = Integer::power_of_two(first);
        let removed = self.scaled(&field, &factor.neg());
        let new = self.wrap(IntType::unsigned(width), value);
        let added = self.scaled(&new, &factor);
        let rest = self.sum(&old.value, &removed);
        let whole = self.sum(&rest, &added);
        let all = Integer::power_of_two((spot.size * 8) as u32).sub(&Integer::ONE);
        let own = Integer::power_of_two(width).sub(&Integer::ONE).shift_left(first);
        let before = match old.written {
            Written::If(Bool::Known(true)) => all.clone(),
            Written::If(Bool::Known(false)) => Integer::ZERO,
            Written::Bits(bits) => bits,
            Written::If(Bool::Term(_)) | Written::Mixed(_) => {
                return Err(unsupported("a bit-field in memory that may have been written"));
            }
        };
        let bits = before.bit_or(&own);
        let written = if bits == all { Written::ALL } else { Written::Bits(bits) };
        Ok((Value::Int(whole), written))
    }

    /// Whether everything at a place has been written.
    pub(super) fn written_at(
        &mut self,
        types: &Types,
        memory: &Memory,
        spot: Spot,
        what: What,
    ) -> Outcome<Bool> {
        let object = memory.object(spot.object)?;
        let is_zero = object_background(object);
        let Body::Entries(entries) = &object.body else {
            return Ok(Bool::Known(true));
        };
        if let (Some(entry), None) = (entries.get(&spot.offset), what.first_bit)
            && entry.size == spot.size
            && let Written::If(truth) = entry.written
        {
            return Ok(match entry.value {
                Value::Uninitialised => Bool::Known(false),
                _ => truth,
            });
        }
        if object.kind == Kind::Cells && !matches!(what.ty, ValueType::Aggregate(_)) {
            return Ok(Bool::Known(is_zero));
        }
        // Reading the bits says which have been written; what it makes up on the way is thrown away.
        let mut copy = memory.clone();
        let first = u64::from(what.first_bit.unwrap_or(0));
        let width = match (what.first_bit, what.ty) {
            (Some(_), ValueType::Int(IntType::Machine { width, .. })) => u64::from(width),
            _ => spot.size * 8,
        };
        if let (ValueType::Aggregate(ty), Kind::Bytes) = (what.ty, object.kind) {
            // Padding is never written.
            let mut all = Bool::Known(true);
            for (start, bits) in self.scalars.get(types, ty).iter().copied() {
                let (first, end) =
                    (spot.offset + start / 8, spot.offset + (start + bits).div_ceil(8));
                let read = self.read_bits(types, &mut copy, spot.object, (first, end - first))?;
                let fine = read.is_written(start % 8, bits, end - first)?;
                all = self.both(all, fine);
            }
            return Ok(all);
        }
        if object.kind == Kind::Cells {
            let held = self.copy_out(types, &mut copy, spot)?;
            let all = held.entries.iter().all(|(_, entry)| entry.written == Written::ALL);
            let covered: u64 = held.entries.iter().map(|(_, entry)| entry.size).sum();
            return Ok(Bool::Known(all && (is_zero || covered == spot.size)));
        }
        let bits = self.read_bits(types, &mut copy, spot.object, (spot.offset, spot.size))?;
        bits.is_written(first, width, spot.size)
    }

    /// Whether a value is written as a whole or not at all; `None` if only a part of it may be.
    pub(super) fn written_as_whole(
        &mut self,
        types: &Types,
        memory: &Memory,
        spot: Spot,
        what: What,
    ) -> Outcome<Option<Bool>> {
        if memory.object(spot.object)?.kind == Kind::Cells {
            return Ok(Some(self.written_at(types, memory, spot, what)?));
        }
        let mut copy = memory.clone();
        let bits = self.read_bits(types, &mut copy, spot.object, (spot.offset, spot.size))?;
        Ok(match (bits.written, what.first_bit) {
            (Written::If(Bool::Known(true)), _) => Some(Bool::Known(true)),
            (Written::If(truth), None) => Some(truth),
            _ => None,
        })
    }

    /// A copy of some units of an object, as they are.
    pub(super) fn copy_out(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
    ) -> Outcome<Aggregate> {
        if matches!(memory.object(spot.object)?.body, Body::Array(_)) {
            return self.copy_elements(types, memory, spot);
        }
        let mut held = Aggregate { size: spot.size, entries: Vec::new() };
        let end = spot.offset + spot.size;
        let mut at = spot.offset;
        while at < end {
            let object = memory.object(spot.object)?;
            let (kind, is_zero) = (object.kind, object_background(object));
            let Body::Entries(entries) = &object.body else {
                return Err(unsupported("a copy of an array whose elements are not known"));
            };
            let before = entries.range(..=at).next_back();
            let (entry, taken) = match before.filter(|(start, entry)| at < *start + entry.size) {
                Some((start, entry)) if *start == at && at + entry.size <= end => {
                    let (entry, size) = (entry.clone(), entry.size);
                    // A part that does not start at a slot has none.
                    let entry = match kind {
                        Kind::Bytes => self.at_slot(memory, spot.offset, entry)?,
                        Kind::Cells => entry,
                    };
                    (Some(entry), size)
                }
                Some((start, entry)) => {
                    if kind == Kind::Cells {
                        return Err(unsupported("an aggregate that does not fit the object"));
                    }
                    let taken = (start + entry.size).min(end) - at;
                    let bits = self.read_bits(types, memory, spot.object, (at, taken))?;
                    let (value, written) = (Value::Int(bits.value), bits.written);
                    (Some(Entry { size: taken, value, written }), taken)
                }
                None => {
                    let next =
                        entries.range(at..).next().map_or(end, |(start, _)| (*start).min(end));
                    let taken = next - at;
                    let entry = match (kind, is_zero) {
                        // Zeros of all types in one: pieces of 0 are 0.
                        (Kind::Bytes, true) => {
                            let (value, written) = (Value::Int(Int::ZERO), Written::ALL);
                            Some(Entry { size: taken, value, written })
                        }
                        (Kind::Bytes, false) => {
                            let bits = self.read_bits(types, memory, spot.object, (at, taken))?;
                            let (value, written) = (Value::Int(bits.value), bits.written);
                            Some(Entry { size: taken, value, written })
                        }
                        (Kind::Cells, false) => None,
                        (Kind::Cells, true) => {
                            return Err(unsupported("a copy of cells that nobody has written"));
                        }
                    };
                    (entry, taken)
                }
            };
            if let Some(entry) = entry {
                held.entries.push((at - spot.offset, entry));
            }
            at += taken;
        }
        Ok(held)
    }

    /// Writes a copy of some units of memory.
    pub(super) fn copy_in(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
        held: Aggregate,
    ) -> Outcome<()> {
        if held.size != spot.size {
            return Err(internal("an aggregate of another size"));
        }
        if matches!(memory.object(spot.object)?.body, Body::Array(_)) {
            return self.put_elements(types, memory, spot, held);
        }
        self.clear(memory, spot)?;
        let kind = memory.object(spot.object)?.kind;
        let mut placed = Vec::with_capacity(held.entries.len());
        for (at, entry) in held.entries {
            let entry = match kind {
                Kind::Bytes => self.at_slot(memory, spot.offset, entry)?,
                Kind::Cells => entry,
            };
            placed.push((spot.offset + at, entry));
        }
        if let Body::Entries(entries) = &mut memory.object_mut(spot.object)?.body {
            for (at, entry) in placed {
                entries.insert_mut(at, entry);
            }
        }
        Ok(())
    }

    /// Writes a byte `spot.size` times.
    pub(super) fn fill_at(&mut self, memory: &mut Memory, spot: Spot, byte: &Int) -> Outcome<()> {
        let byte = self.wrap(IntType::unsigned(8), byte);
        let is_zero = byte == Int::ZERO;
        if !is_zero && spot.size > MAX_FILLED {
            return Err(Box::new(Halt::Limit(format!("{} bytes are filled at once", spot.size))));
        }
        self.clear(memory, spot)?;
        // Zeros in one piece; of others as many as a scalar has.
        let piece = if is_zero { spot.size } else { 8 };
        let mut at = spot.offset;
        while at < spot.offset + spot.size {
            // At multiples of the size, as scalars are.
            let end = if is_zero { at + piece } else { (at / piece + 1) * piece };
            let size = end.min(spot.offset + spot.size) - at;
            let factor = (0..size).fold(Integer::ZERO, |sum, number| {
                sum.add(&Integer::power_of_two((number * 8) as u32))
            });
            let value = if is_zero { Int::ZERO } else { self.scaled(&byte, &factor) };
            if let Body::Entries(entries) = &mut memory.object_mut(spot.object)?.body {
                let (value, written) = (Value::Int(value), Written::ALL);
                entries.insert_mut(at, Entry { size, value, written });
            }
            at += size;
        }
        Ok(())
    }
}

/// Whether what nobody has written is 0.
fn object_background(object: &super::Object) -> bool {
    matches!(object.background, Background::Zero)
}
