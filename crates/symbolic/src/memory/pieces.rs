//! Values in memory as numbers: pieces of them, and what pieces together are.

use super::access::Spot;
use super::{Background, Body, Entry, Memory, ObjectId, Written};
use crate::domain::{Outcome, Symbolic, Unknown};
use crate::halt::unsupported;
use crate::value::{Bool, Float, Int, SymbolicValue};
use loupe_engine::layout::Kind;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::types::{IntType, Types};
use loupe_term::Rounding;

/// A number that some bits are, and which of these bits have been written.
pub(super) struct Bits {
    pub(super) value: Int,
    pub(super) written: Written,
}

impl Bits {
    /// Whether `count` bits from `first` on have been written, of `size` bytes.
    pub(super) fn is_written(&self, first: u64, count: u64, size: u64) -> Outcome<Bool> {
        Ok(match &self.written {
            Written::If(truth) => *truth,
            Written::Mixed(truth) if count == size * 8 => *truth,
            Written::Mixed(_) => {
                return Err(unsupported("a part of memory that may have been written"));
            }
            Written::Bits(mask) => {
                let wanted = Integer::power_of_two(count as u32).sub(&Integer::ONE);
                let wanted = wanted.shift_left(first as u32);
                Bool::Known(mask.bit_and(&wanted) == wanted)
            }
        })
    }
}

impl Symbolic {
    /// The bits of a value that takes `size` bytes, as a number without a sign.
    pub(super) fn bits_of_value(
        &mut self,
        memory: &mut Memory,
        value: &SymbolicValue,
        size: u64,
    ) -> Outcome<Int> {
        let width = u32::try_from(size.saturating_mul(8)).unwrap_or(u32::MAX);
        match value {
            Value::Int(number) => {
                use loupe_engine::domain::Domain;
                Ok(self.wrap(IntType::unsigned(width), number))
            }
            Value::Bool(truth) => {
                use loupe_engine::domain::Domain;
                Ok(self.int_of_bool(truth))
            }
            Value::Float(Float::Known(bits)) => Ok(Int::Known(Integer::from(bits.0))),
            Value::LongFloat(Float::Known(bits)) => {
                let (high, low) = ((*bits.0 >> 64) as u64, *bits.0 as u64);
                Ok(Int::Known(Integer::from(high).shift_left(64).add(&Integer::from(low))))
            }
            Value::Float(Float::Unknown) | Value::LongFloat(Float::Unknown) => {
                Err(unsupported("the bits of a floating point number that depends on inputs"))
            }
            Value::Pointer(pointer) if size == self.space.word => self.address_of(memory, pointer),
            Value::Function(function) if size == self.space.word => {
                Ok(Int::Known(Integer::from(loupe_engine::space::of_function(*function))))
            }
            _ => Err(unsupported("a value that is read as another type than it was written")),
        }
    }

    /// `count` bits of a number without a sign, from the bit `first` on.
    pub(super) fn extract(&mut self, number: &Int, first: u64, count: u64) -> Int {
        let shift = u32::try_from(first).unwrap_or(u32::MAX);
        let keep = u32::try_from(count).unwrap_or(u32::MAX);
        match number {
            Int::Known(number) => {
                let moved = number.shift_right(shift);
                Int::Known(IntType::unsigned(keep).wrap(moved))
            }
            Int::Term(term) => {
                let mut term = *term;
                if first > 0 {
                    let divisor = self.terms.int(Integer::power_of_two(shift));
                    term = self.terms.quotient(Rounding::Euclidean, term, divisor);
                }
                self.low_bits_of(term, keep)
            }
        }
    }

    fn low_bits_of(&mut self, term: loupe_term::Term, count: u32) -> Int {
        use loupe_engine::domain::Domain;
        let number = self.int_of(term);
        self.wrap(IntType::unsigned(count), &number)
    }

    /// The bits `first..first + count` of the object where nobody has written, as a number.
    fn background_bits(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        id: ObjectId,
        (first, count): (u64, u64),
    ) -> Outcome<Bits> {
        let object = memory.object(id)?;
        let (occasion, position) = match &object.background {
            Background::Zero => return Ok(Bits { value: Int::ZERO, written: Written::ALL }),
            Background::Nothing => return Err(unsupported("a value that nobody has written")),
            Background::Unknown { occasion, position } => (*occasion, position.clone()),
        };
        // A copy of an object whose values are an array of symbols by now: one value must not have two.
        if memory.unknowns.contains_key(&(occasion, u64::MAX)) {
            return Err(unsupported("uninitialised values that are also elements of an array"));
        }
        let element = object.element;
        let element_bits = types.size_of(element).saturating_mul(8).max(1);
        let table = self.scalars.get(types, element);
        let mut value = Int::ZERO;
        let mut at = first;
        while at < first + count {
            let (number, rest) = (at / element_bits, at % element_bits);
            // The last scalar that starts here or before.
            let index = table.partition_point(|(start, _)| *start <= rest);
            let Some(index) = index.checked_sub(1).filter(|i| rest < table[*i].0 + table[*i].1)
            else {
                // Padding is 0, up to the next scalar.
                let next = table.get(index).map_or(element_bits, |(start, _)| *start);
                at += next - rest;
                continue;
            };
            let (start, bits) = table[index];
            let scalar = number * table.len() as u64 + index as u64;
            let place = self.sum(&position, &Int::Known(Integer::from(scalar)));
            let ty = IntType::unsigned(u32::try_from(bits).unwrap_or(u32::MAX));
            let symbol = self.unknown_in_object(memory, (occasion, scalar), place, ty);
            let skip = rest - start;
            let taken = (bits - skip).min(first + count - at);
            let piece = self.extract(&symbol, skip, taken);
            let shift = u32::try_from(at - first).unwrap_or(u32::MAX);
            let piece = self.scaled(&piece, &Integer::power_of_two(shift));
            value = self.sum(&value, &piece);
            at += taken;
        }
        Ok(Bits { value, written: Written::NOTHING })
    }

    fn unknown_in_object(
        &mut self,
        memory: &mut Memory,
        key: (u64, u64),
        position: Int,
        ty: IntType,
    ) -> Int {
        let symbol = self.unknown_symbol(key, ty);
        memory.unknowns.insert_mut(key, Unknown { position, symbol, count: None, when: None });
        Int::Term(symbol)
    }

    /// `size` bytes at an offset, as a number without a sign.
    pub(super) fn read_bits(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        id: ObjectId,
        (offset, size): (u64, u64),
    ) -> Outcome<Bits> {
        let mut result = Bits { value: Int::ZERO, written: Written::ALL };
        let mut mask = Integer::ZERO;
        let mut is_partly = false;
        let mut mixed: Option<Bool> = None;
        let mut at = offset;
        while at < offset + size {
            let object = memory.object(id)?;
            if object.kind == Kind::Cells {
                return Err(unsupported("an access that does not fit what was written"));
            }
            let Body::Entries(entries) = &object.body else {
                return Err(unsupported("an access in the middle of an array"));
            };
            let before = entries.range(..=at).next_back();
            let (piece, taken) = match before.filter(|(start, entry)| at < *start + entry.size) {
                Some((start, entry)) => {
                    let (skip, entry) = (at - start, entry.clone());
                    let taken = (entry.size - skip).min(offset + size - at);
                    (self.piece_of(memory, &entry, skip, taken)?, taken)
                }
                None => {
                    let next = entries.range(at..).next().map_or(u64::MAX, |(start, _)| *start);
                    let taken = next.min(offset + size) - at;
                    (self.background_bits(types, memory, id, (at * 8, taken * 8))?, taken)
                }
            };
            let shift = u32::try_from((at - offset) * 8).unwrap_or(u32::MAX);
            let moved = self.scaled(&piece.value, &Integer::power_of_two(shift));
            result.value = self.sum(&result.value, &moved);
            let all = Integer::power_of_two((taken * 8) as u32).sub(&Integer::ONE);
            let bits = match piece.written {
                Written::If(Bool::Known(true)) => all,
                Written::If(Bool::Known(false)) => Integer::ZERO,
                Written::Bits(bits) => bits,
                Written::If(Bool::Term(_)) if taken == size => {
                    return Ok(Bits { value: result.value, written: piece.written });
                }
                Written::If(truth) | Written::Mixed(truth) => {
                    let before = mixed.unwrap_or(Bool::Known(true));
                    mixed = Some(self.both(before, truth));
                    all
                }
            };
            is_partly |= bits != Integer::power_of_two((taken * 8) as u32).sub(&Integer::ONE);
            mask = mask.add(&bits.shift_left(shift));
            at += taken;
        }
        if let Some(truth) = mixed {
            let truth = if is_partly { Bool::Known(false) } else { truth };
            result.written = Written::Mixed(truth);
        } else if is_partly {
            let nothing = mask.is_zero();
            result.written = if nothing { Written::NOTHING } else { Written::Bits(mask) };
        }
        Ok(result)
    }

    /// Some bytes of a value.
    fn piece_of(
        &mut self,
        memory: &mut Memory,
        entry: &Entry,
        skip: u64,
        taken: u64,
    ) -> Outcome<Bits> {
        let bits = self.bits_of_value(memory, &entry.value, entry.size)?;
        let value = self.extract(&bits, skip * 8, taken * 8);
        let written = match &entry.written {
            Written::Bits(mask) => {
                let moved = mask.shift_right(u32::try_from(skip * 8).unwrap_or(u32::MAX));
                Written::Bits(IntType::unsigned((taken * 8) as u32).wrap(moved))
            }
            other => other.clone(),
        };
        Ok(Bits { value, written })
    }

    /// Makes room for some units: nothing stands there any more, and of what reaches over the ends the
    /// rest stays.
    pub(super) fn clear(&mut self, memory: &mut Memory, spot: Spot) -> Outcome<()> {
        let Spot { object: id, offset, size } = spot;
        let object = memory.object(id)?;
        let kind = object.kind;
        let Body::Entries(entries) = &object.body else {
            return Err(unsupported("an access in the middle of an array"));
        };
        let end = offset + size;
        let mut hit: Vec<(u64, Entry)> = Vec::new();
        if let Some((start, entry)) = entries.range(..offset).next_back()
            && start + entry.size > offset
        {
            hit.push((*start, entry.clone()));
        }
        hit.extend(entries.range(offset..end).map(|(start, entry)| (*start, entry.clone())));
        let mut kept: Vec<(u64, Entry)> = Vec::new();
        for (start, entry) in &hit {
            let (before, behind) =
                (offset.saturating_sub(*start), (start + entry.size).saturating_sub(end));
            if kind == Kind::Cells && before + behind > 0 {
                return Err(unsupported("an access to a part of a scalar"));
            }
            for (skip, taken) in [(0, before), (entry.size - behind, behind)] {
                if taken > 0 {
                    let Bits { value, written } = self.piece_of(memory, entry, skip, taken)?;
                    kept.push((
                        start + skip,
                        Entry { size: taken, value: Value::Int(value), written },
                    ));
                }
            }
        }
        if let Body::Entries(entries) = &mut memory.object_mut(id)?.body {
            for (start, _) in hit {
                entries.remove_mut(&start);
            }
            for (start, entry) in kept {
                entries.insert_mut(start, entry);
            }
        }
        Ok(())
    }

    /// An entry that is to stand at an offset of an object of bytes. A pointer that does not lie in a slot of
    /// its size is its address, as in the interpreter.
    pub(super) fn at_slot(
        &mut self,
        memory: &mut Memory,
        offset: u64,
        entry: Entry,
    ) -> Outcome<Entry> {
        let is_pointer = matches!(entry.value, Value::Pointer(_) | Value::Function(_));
        if !is_pointer || !self.space.has_bytes() || offset.is_multiple_of(self.space.word) {
            return Ok(entry);
        }
        let bits = self.bits_of_value(memory, &entry.value, entry.size)?;
        Ok(Entry { value: Value::Int(bits), ..entry })
    }
}
