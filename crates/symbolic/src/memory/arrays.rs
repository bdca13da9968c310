//! Objects as array terms: those of many numbers that are accessed at places that depend on inputs, and
//! those whose length does.
//!
//! The elements are numbers of one machine type, whichever the first such access had; accesses of other
//! sizes are put together from elements, or are parts of one, where it is known which part.

use super::access::{Spot, What};
use super::{Aggregate, Background, Body, Entry, Memory, ObjectId, Written};
use crate::domain::{Outcome, Symbolic, Unknown};
use crate::halt::{internal, unsupported};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::domain::Domain;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::types::{IntType, Types};
use loupe_ir::validate::ValueType;
use loupe_term::{Node, Rounding, Term};

/// An object as an array.
#[derive(Clone, Debug)]
pub(super) struct Array {
    /// How many bytes an element has.
    pub(super) stride: u64,
    /// The type of the elements.
    pub(super) int: IntType,
    /// The elements, by their numbers.
    pub(super) elements: Term,
    /// 1 for each element that has been written; `None` if all have.
    pub(super) written: Option<Term>,
    /// Whether elements may be values of symbols that nobody has put in range.
    pub(super) is_unknown: bool,
}

/// Objects with more elements that have been written do not become arrays.
const MAX_ELEMENTS: usize = 1 << 12;

impl Symbolic {
    /// Makes an object an array of numbers of this size and type.
    pub(super) fn make_array(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        id: ObjectId,
        (stride, int): (u64, IntType),
    ) -> Outcome<()> {
        let object = memory.object(id)?;
        let (background, element) = (object.background.clone(), object.element);
        let Body::Entries(entries) = &object.body else { return Ok(()) };
        let mut numbers: Vec<u64> = Vec::new();
        for (start, entry) in entries.iter() {
            let (first, last) = (start / stride, (start + entry.size - 1) / stride);
            // One entry can be as large as its object: zeros that were written at once.
            if numbers.len() as u64 + (last - first) >= MAX_ELEMENTS as u64 {
                return Err(unsupported("an index that depends on inputs, in a large object"));
            }
            numbers.extend(first..=last);
        }
        if let Background::Unknown { occasion, .. } = &background {
            let scalar = self.uniform_scalar(types, element)?;
            // What was looked at already has symbols of its own, and so do arrays of other elements.
            let looked_at = memory.unknowns.range((*occasion, 0)..=(*occasion, u64::MAX));
            for ((_, number), unknown) in looked_at {
                match &unknown.count {
                    Some(known) if known.stride == stride && known.int == int => {}
                    Some(_) => return Err(unsupported("an array of elements of two sizes")),
                    None => {
                        let (start, end) = (number * scalar, (number + 1) * scalar - 1);
                        numbers.extend(start / stride..=end / stride);
                    }
                }
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let zero = self.terms.int(Integer::ZERO);
        let one = self.terms.int(Integer::ONE);
        let mut record = None;
        let (mut elements, mut written, is_unknown) = match &background {
            Background::Zero => (self.terms.constant_array(1, zero)?, None, false),
            Background::Nothing => return Err(unsupported("an array of values of any kind")),
            Background::Unknown { occasion, position } => {
                let array = self.unknown_array(*occasion, stride);
                let scalar = self.uniform_scalar(types, element)?;
                let size = memory.object(id)?.size.clone();
                let unknown = Unknown {
                    position: position.clone(),
                    symbol: array,
                    count: Some(crate::domain::Elements { size, stride, scalar, int }),
                    when: None,
                };
                record = Some(((*occasion, u64::MAX), unknown));
                (array, Some(self.terms.constant_array(1, zero)?), true)
            }
        };
        for number in numbers {
            let bits = self.read_bits(types, memory, id, (number * stride, stride))?;
            let value = self.wrap(int, &bits.value);
            let (index, value) = (self.terms.int(Integer::from(number)), self.term(&value));
            elements = self.terms.store(elements, index, value)?;
            if let Some(array) = written {
                let flag = match bits.written {
                    Written::If(Bool::Known(true)) => one,
                    Written::If(Bool::Term(truth)) => self.terms.ite(truth, one, zero),
                    Written::If(Bool::Known(false)) => zero,
                    Written::Bits(_) | Written::Mixed(_) => {
                        return Err(unsupported("an array of elements that are written in part"));
                    }
                };
                written = Some(self.terms.store(array, index, flag)?);
            }
        }
        if let Some((key, unknown)) = record {
            memory.unknowns.insert_mut(key, unknown);
        }
        memory.object_mut(id)?.body =
            Body::Array(Array { stride, int, elements, written, is_unknown });
        Ok(())
    }

    /// How many bytes each scalar of an object has whose scalars are all alike and without gaps.
    fn uniform_scalar(&mut self, types: &Types, element: loupe_ir::types::TypeId) -> Outcome<u64> {
        let table = self.scalars.get(types, element);
        let uneven =
            || unsupported("an index that depends on inputs, in an object of different parts");
        let (_, bits) = *table.first().ok_or_else(uneven)?;
        let even =
            (0..).zip(table.iter()).all(|(i, (start, size))| *size == bits && *start == i * bits);
        let full = table.len() as u64 * bits == types.size_of(element) * 8 && bits % 8 == 0;
        if even && full { Ok(bits / 8) } else { Err(uneven()) }
    }

    /// The number of the element that an access starts in, and which byte of it comes first.
    pub(super) fn element_at(&mut self, offset: &Int, stride: u64) -> Outcome<(Term, u64)> {
        let divisor = Integer::from(stride);
        let offset = match self.settled(offset) {
            Some(number) => Int::Known(number),
            None => offset.clone(),
        };
        let term = self.term(&offset);
        let polynomial = self.terms.polynomial(term);
        let content = polynomial.content();
        let residue = self.constant_part(term).rem_euclidean(&divisor).unwrap_or(Integer::ZERO);
        let is_plain =
            content.rem_euclidean(&divisor) == Some(Integer::ZERO) || offset.known().is_some();
        let rest = if is_plain {
            residue
        } else {
            let stride = self.terms.int(divisor.clone());
            let rest = self.terms.remainder(Rounding::Euclidean, term, stride);
            let rest = self.int_of(rest);
            self.one_number(&rest)?
        };
        let negative = self.terms.int(rest.neg());
        let start = self.terms.add(term, negative);
        let stride_term = self.terms.int(divisor);
        let index = self.terms.quotient(Rounding::Euclidean, start, stride_term);
        let rest = rest.to_usize().ok_or_else(|| internal("a remainder"))?;
        Ok((index, rest as u64))
    }

    pub(super) fn array(&self, memory: &Memory, id: ObjectId) -> Outcome<Array> {
        match &memory.object(id)?.body {
            Body::Array(array) => Ok(array.clone()),
            Body::Entries(_) => Err(internal("an object that is no array")),
        }
    }

    /// An element as a number without a sign.
    fn element_bits(&mut self, array: &Array, index: Term) -> Outcome<Int> {
        let value = self.element(array, index)?;
        let bits = IntType::unsigned((array.stride * 8) as u32);
        Ok(self.wrap(bits, &value))
    }

    /// An element. What nobody has written is in the range of its type, although the symbol does not say so.
    fn element(&mut self, array: &Array, index: Term) -> Outcome<Int> {
        let value = self.terms.select(array.elements, index)?;
        if array.is_unknown && !matches!(self.terms.node(value), Node::Int(_)) {
            for condition in self.range_conditions(array.int, value) {
                self.assume_harmless_element(condition)?;
            }
        }
        Ok(self.int_of(value))
    }

    /// Adds a condition about an element. Elements that nobody has written are arbitrary numbers of their
    /// type, and the others satisfy it anyway; so some model still does, but perhaps not the one at hand.
    fn assume_harmless_element(&mut self, condition: Term) -> Outcome<()> {
        let model = self.path.model().cloned();
        let holds = model.filter(|model| self.terms.holds(condition, model) == Ok(true));
        self.harmless.insert(condition);
        if self.terms.as_bool(condition) != Some(true) && self.path.truth(condition) != Some(true) {
            self.assume(condition, holds);
        }
        Ok(())
    }

    pub(super) fn load_element(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        id: ObjectId,
        offset: &Int,
        what: What,
    ) -> Outcome<SymbolicValue> {
        let array = self.array(memory, id)?;
        let size = what.size(types);
        let int = match (what.ty, what.first_bit) {
            (ValueType::Int(int), None) => int,
            (_, Some(_)) => return Err(unsupported("a bit-field in an array of numbers")),
            (other, None) => {
                // The bits of what it is.
                let ty = ValueType::Int(IntType::unsigned((size * 8) as u32));
                let what = What { ty, first_bit: None };
                let Value::Int(bits) = self.load_element(types, memory, id, offset, what)? else {
                    return Err(internal("bits that are no number"));
                };
                return self.value_of_bits(memory, bits, other);
            }
        };
        let (index, skip) = self.element_at(offset, array.stride)?;
        if size == array.stride && skip == 0 {
            let value = self.element(&array, index)?;
            return Ok(Value::Int(if int == array.int { value } else { self.wrap(int, &value) }));
        }
        let mut value = Int::ZERO;
        let (mut done, mut at) = (0, skip);
        while done < size {
            let number = self.terms.int(Integer::from((at / array.stride) as i64));
            let number = self.terms.add(index, number);
            let bits = self.element_bits(&array, number)?;
            let (first, taken) =
                (at % array.stride, (array.stride - at % array.stride).min(size - done));
            let piece = self.extract(&bits, first * 8, taken * 8);
            let piece = self.scaled(&piece, &Integer::power_of_two((done * 8) as u32));
            value = self.sum(&value, &piece);
            done += taken;
            at += taken;
        }
        Ok(Value::Int(self.wrap(int, &value)))
    }

    /// The bits of a value that no object needs an address for: the interpreter, which keeps pointers in
    /// bytes, would give it one later.
    fn bits_with_address(
        &mut self,
        memory: &mut Memory,
        value: &SymbolicValue,
        size: u64,
    ) -> Outcome<Int> {
        if let Value::Pointer(Pointer { object: Some(object), .. }) = value
            && !memory.addresses.has(*object)
        {
            return Err(unsupported("a pointer in an array of numbers"));
        }
        self.bits_of_value(memory, value, size)
    }

    pub(super) fn store_element(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        id: ObjectId,
        (offset, what): (&Int, What),
        value: SymbolicValue,
    ) -> Outcome<()> {
        let size = what.size(types);
        if what.first_bit.is_some() {
            return Err(unsupported("a bit-field in an array of numbers"));
        }
        let value = &match value {
            Value::Int(number) => number,
            other => self.bits_with_address(memory, &other, size)?,
        };
        let mut array = self.array(memory, id)?;
        let (index, skip) = self.element_at(offset, array.stride)?;
        if skip % array.stride != 0 || size % array.stride != 0 {
            return Err(unsupported("a write to a part of an element that depends on inputs"));
        }
        let bits = self.wrap(IntType::unsigned((size * 8) as u32), value);
        let one = self.terms.int(Integer::ONE);
        for number in 0..size / array.stride {
            let at = self.terms.int(Integer::from(number));
            let at = self.terms.add(index, at);
            let piece = match size == array.stride {
                true => self.wrap(array.int, value),
                false => {
                    let piece = self.extract(&bits, number * array.stride * 8, array.stride * 8);
                    self.wrap(array.int, &piece)
                }
            };
            let piece = self.term(&piece);
            array.elements = self.terms.store(array.elements, at, piece)?;
            if let Some(written) = array.written {
                array.written = Some(self.terms.store(written, at, one)?);
            }
        }
        memory.object_mut(id)?.body = Body::Array(array);
        Ok(())
    }

    /// Whether all elements of an access have been written.
    pub(super) fn element_written(
        &mut self,
        types: &Types,
        memory: &Memory,
        id: ObjectId,
        offset: &Int,
        what: What,
    ) -> Outcome<Bool> {
        let array = self.array(memory, id)?;
        let Some(written) = array.written else { return Ok(Bool::Known(true)) };
        let size = what.size(types);
        let (index, skip) = self.element_at(offset, array.stride)?;
        let one = self.terms.int(Integer::ONE);
        let mut all = Bool::Known(true);
        for number in 0..(skip + size).div_ceil(array.stride) {
            let at = self.terms.int(Integer::from(number));
            let at = self.terms.add(index, at);
            let flag = self.terms.select(written, at)?;
            let is_written = self.terms.eq(flag, one);
            all = self.both(all, self.truth_of(is_written));
        }
        Ok(all)
    }

    /// A copy of some units of an array, element by element.
    pub(super) fn copy_elements(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
    ) -> Outcome<Aggregate> {
        let stride = self.array(memory, spot.object)?.stride;
        let mut held = Aggregate { size: spot.size, entries: Vec::new() };
        let (mut at, end) = (spot.offset, spot.offset + spot.size);
        if spot.size / stride > MAX_ELEMENTS as u64 {
            return Err(unsupported("a copy of many elements that depend on inputs"));
        }
        while at < end {
            let size = (stride - at % stride).min(end - at);
            let ty = ValueType::Int(IntType::unsigned((size * 8) as u32));
            let (what, offset) = (What { ty, first_bit: None }, Int::Known(Integer::from(at)));
            let written = self.element_written(types, memory, spot.object, &offset, what)?;
            let value = self.load_element(types, memory, spot.object, &offset, what)?;
            let written = Written::If(written);
            held.entries.push((at - spot.offset, Entry { size, value, written }));
            at += size;
        }
        Ok(held)
    }

    /// Writes a copy of some units of memory into an array.
    pub(super) fn put_elements(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        spot: Spot,
        held: Aggregate,
    ) -> Outcome<()> {
        for (at, entry) in held.entries {
            if entry.written != Written::ALL {
                return Err(unsupported("uninitialised values that are copied into an array"));
            }
            let value = self.bits_with_address(memory, &entry.value, entry.size)?;
            let ty = ValueType::Int(IntType::unsigned((entry.size * 8) as u32));
            let (what, offset) =
                (What { ty, first_bit: None }, Int::Known(Integer::from(spot.offset + at)));
            self.store_element(types, memory, spot.object, (&offset, what), Value::Int(value))?;
        }
        Ok(())
    }

    /// Writes a byte to all units of an object.
    pub(super) fn fill_whole(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        byte: &Int,
    ) -> Outcome<()> {
        let byte = self.wrap(IntType::unsigned(8), byte);
        let value = self.term(&byte);
        let elements = self.terms.constant_array(1, value)?;
        let object = memory.object_mut(id)?;
        object.background = Background::Zero;
        object.body = match byte == Int::ZERO {
            true => Body::Entries(rpds::RedBlackTreeMap::new()),
            false => Body::Array(Array {
                stride: 1,
                int: IntType::unsigned(8),
                elements,
                written: None,
                is_unknown: false,
            }),
        };
        Ok(())
    }
}
