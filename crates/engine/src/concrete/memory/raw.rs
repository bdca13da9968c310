//! Bytes for functions that are not made of instructions: no check of the program stands before what
//! these read and write, so it is made here.

use super::block::Which;
use super::{Address, Block, Body, Life, Memory};
use crate::concrete::ConcreteValue;
use crate::concrete::halt::{Halt, Limit, internal};
use crate::domain::{Access, Origin, Right};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::GlobalAccess;
use loupe_ir::types::{TypeId, Types};
use loupe_ir::validate::ValueType;
use std::ops::Range;

impl Memory {
    /// That bytes can be used in this way.
    fn demand(&self, pointer: Address, count: usize, right: Right) -> Result<(), Box<Halt>> {
        if self.accessible(pointer, &Integer::from(count), right) {
            return Ok(());
        }
        let address = self.resolve(pointer);
        let life = address.object.map(|object| self.objects[object.index()].life);
        Err(invalid(match (life, right) {
            _ if pointer.is_null() => "a null pointer is followed",
            (None, _) => "a pointer that leads to no object is followed",
            (Some(Life::Over | Life::Unused), _) => "the object has ended",
            (Some(_), Right::Read) => "the end of the object is passed",
            (Some(_), Right::Write) => "the end of the object is passed, or it is constant",
        }))
    }

    /// Bytes of a block, with all of them to be read as they are.
    fn block_at(
        &mut self,
        pointer: Address,
        count: usize,
    ) -> Result<(&mut Block, Range<usize>), Box<Halt>> {
        let (body, start) = self.start_of(pointer)?;
        let range = start..start + count;
        let Memory { bodies, objects, addresses, word, .. } = self;
        match &mut bodies[body as usize] {
            Body::Bytes(block) if range.end <= block.len() => {
                let address = |stored| addresses.of(objects, stored);
                block.settle(*word, &range, Which::Touched, address)?;
                Ok((block, range))
            }
            _ => Err(internal("bytes where there are none")),
        }
    }

    /// `count` bytes.
    pub(in crate::concrete) fn read(
        &mut self,
        pointer: Address,
        count: usize,
    ) -> Result<Vec<u8>, Box<Halt>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.demand(pointer, count, Right::Read)?;
        let (block, range) = self.block_at(pointer, count)?;
        Ok(block.bytes()[range].to_vec())
    }

    /// Units of `unit` bytes up to a zero, or to `limit` of them.
    pub(in crate::concrete) fn read_text(
        &mut self,
        pointer: Address,
        limit: Option<usize>,
        unit: usize,
    ) -> Result<Vec<u8>, Box<Halt>> {
        if limit == Some(0) {
            return Ok(Vec::new());
        }
        self.demand(pointer, unit, Right::Read)?;
        let size = self.resolve(pointer).object.map_or(0, |o| self.objects[o.index()].size);
        let (_, start) = self.start_of(pointer)?;
        let left = (size as usize - start) / unit;
        let count = limit.unwrap_or(usize::MAX).min(left);
        let (block, range) = self.block_at(pointer, count * unit)?;
        let bytes = &block.bytes()[range];
        let zero = bytes.chunks_exact(unit).position(|unit| unit.iter().all(|byte| *byte == 0));
        match zero {
            Some(end) => Ok(bytes[..end * unit].to_vec()),
            None if limit.is_some_and(|limit| limit <= count) => Ok(bytes.to_vec()),
            None => Err(invalid("a text does not end before its object does")),
        }
    }

    /// Writes bytes.
    pub(in crate::concrete) fn write(
        &mut self,
        pointer: Address,
        bytes: &[u8],
    ) -> Result<(), Box<Halt>> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.demand(pointer, bytes.len(), Right::Write)?;
        let word = self.word;
        let (block, range) = self.block_at(pointer, bytes.len())?;
        block.remove_stored(word, &range);
        block.put_bytes(range.start, bytes);
        Ok(())
    }

    /// The pointer that is stored somewhere.
    pub(in crate::concrete) fn read_pointer(
        &mut self,
        types: &Types,
        pointer: Address,
    ) -> Result<ConcreteValue, Box<Halt>> {
        self.demand(pointer, self.word.0, Right::Read)?;
        let ty = ValueType::Pointer(TypeId::ANY);
        self.load(types, &Access { pointer, ty, first_bit: None })
    }

    /// Stores a pointer.
    pub(in crate::concrete) fn write_pointer(
        &mut self,
        types: &Types,
        pointer: Address,
        value: ConcreteValue,
    ) -> Result<(), Box<Halt>> {
        self.demand(pointer, self.word.0, Right::Write)?;
        let ty = ValueType::Pointer(TypeId::ANY);
        self.store(types, &Access { pointer, ty, first_bit: None }, value)
    }

    /// A new object on the heap that holds these bytes.
    pub(in crate::concrete) fn allocate_bytes(
        &mut self,
        bytes: &[u8],
        max_cells: u64,
    ) -> Result<ConcreteValue, Box<Halt>> {
        let size = u32::try_from(bytes.len()).ok().filter(|size| *size <= i32::MAX as u32);
        let limit = || Box::new(Halt::Limit(Limit::Memory { cells: max_cells }));
        let size = size.ok_or_else(limit)?;
        self.reserve(u64::from(size).div_ceil(super::BYTES_PER_CELL), max_cells)?;
        let mut block = Block::default();
        block.reset(bytes.len());
        block.put_bytes(0, bytes);
        let body = self.new_body(Body::Bytes(block))?;
        let (origin, access) = (Origin::Heap, GlobalAccess::ReadWrite);
        let object = super::Object { origin, size, life: Life::Alive(body), access };
        Ok(Value::Pointer(self.register(object)?))
    }
}

fn invalid(what: &str) -> Box<Halt> {
    Box::new(Halt::Failed { kind: CheckKind::InvalidAccess, detail: what.to_owned() })
}
