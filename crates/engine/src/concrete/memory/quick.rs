//! The accesses of hot loops: scalars in blocks of bytes, through pointers to living objects.
//!
//! Each of these does what the general access does, or nothing. Whatever needs more (addresses, cells,
//! numbers that are not small, pointers that do not lie in their slots) is left to that.

use super::block::Stored;
use super::{Address, Block, Body, Life, Memory};
use crate::concrete::ConcreteValue;
use crate::concrete::float::Float;
use crate::concrete::integers::wrap_small;
use crate::value::Value;
use loupe_ir::types::{FloatType, IntType};
use loupe_ir::validate::ValueType;

/// How many bytes a scalar has; `None` for what is left to others.
#[inline(always)]
fn size_of_scalar(memory: &Memory, ty: ValueType) -> Option<usize> {
    match ty {
        ValueType::Int(IntType::Machine { width, .. }) if width <= 64 => {
            Some(width.div_ceil(8) as usize)
        }
        ValueType::Float(FloatType::F32) => Some(4),
        ValueType::Float(FloatType::F64) => Some(8),
        ValueType::Pointer(_) => Some(memory.word.0),
        _ => None,
    }
}

impl Memory {
    #[inline(always)]
    fn body_at(&self, pointer: Address) -> Option<(u32, usize)> {
        let Life::Alive(body) = self.objects[pointer.object?.index()].life else {
            return None;
        };
        Some((body, usize::try_from(pointer.offset).ok()?))
    }

    #[inline(always)]
    pub(in crate::concrete) fn quick_load(
        &self,
        pointer: Address,
        ty: ValueType,
    ) -> Option<ConcreteValue> {
        let size = size_of_scalar(self, ty)?;
        let (body, at) = self.body_at(pointer)?;
        let Body::Bytes(block) = &self.bodies[body as usize] else {
            return None;
        };
        if !block.holds(at, size) {
            return None;
        }
        match ty {
            ValueType::Pointer(_) => self.quick_load_pointer(block, at, size),
            _ if block.has_stored(self.word, at, size) => None,
            ValueType::Int(IntType::Machine { width, signedness }) => {
                let word = block.word(at, size) as i64;
                wrap_small(word, width, signedness).map(Value::Int)
            }
            ValueType::Float(_) => Some(Value::Float(Float(block.word(at, size)))),
            _ => None,
        }
    }

    #[inline(always)]
    fn quick_load_pointer(&self, block: &Block, at: usize, size: usize) -> Option<ConcreteValue> {
        match block.stored_at(self.word, at) {
            Some(Stored::Pointer(object, offset)) => {
                Some(Value::Pointer(Address { object: Some(object), offset }))
            }
            Some(Stored::Function(function)) => Some(Value::Function(function)),
            None if !block.has_stored(self.word, at, size) && block.word(at, size) == 0 => {
                Some(Value::Pointer(Address::NULL))
            }
            None => None,
        }
    }

    #[inline(always)]
    pub(in crate::concrete) fn quick_store(
        &mut self,
        pointer: Address,
        ty: ValueType,
        value: &ConcreteValue,
    ) -> Option<()> {
        let size = size_of_scalar(self, ty)?;
        let (body, at) = self.body_at(pointer)?;
        let word = self.word;
        let Body::Bytes(block) = &mut self.bodies[body as usize] else {
            return None;
        };
        if !block.holds(at, size) {
            return None;
        }
        let bits = match (ty, value) {
            (ValueType::Int(_), Value::Int(number)) => number.to_i64()? as u64,
            (ValueType::Float(_), Value::Float(Float(bits))) => *bits,
            (ValueType::Pointer(_), Value::Pointer(pointer)) => match pointer.object {
                Some(object) => {
                    let stored = Stored::Pointer(object, pointer.offset);
                    return block.store(word, at, stored).then_some(());
                }
                None if pointer.is_null() && at.is_multiple_of(word.0) => {
                    block.remove_stored(word, &(at..at + size));
                    0
                }
                None => return None,
            },
            _ => return None,
        };
        if block.has_stored(word, at, size) {
            return None;
        }
        block.put_word(at, size, bits);
        Some(())
    }

    #[inline(always)]
    pub(in crate::concrete) fn quick_initialised(
        &self,
        pointer: Address,
        ty: ValueType,
    ) -> Option<bool> {
        let size = size_of_scalar(self, ty)?;
        let (body, at) = self.body_at(pointer)?;
        match &self.bodies[body as usize] {
            Body::Bytes(block) if block.holds(at, size) => Some(block.is_written(8 * at, 8 * size)),
            _ => None,
        }
    }
}
