//! Arguments of `printf` in the memory layout of the x86-64 ABI.

use loupe_engine::text::{Arguments, Size};
use std::collections::BTreeMap;

/// The arguments of a call.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    bytes: Vec<u8>,
    at: usize,
    /// What the pointers point to, by the place of the pointer.
    pub(crate) blocks: BTreeMap<usize, Vec<u8>>,
}

/// Arguments were read that are not there.
#[derive(Debug)]
pub(crate) struct Missing;

impl Memory {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn push_integer(&mut self, bits: u64) {
        self.bytes.extend(bits.to_le_bytes());
    }

    pub(crate) fn push_long_double(&mut self, bits: u128) {
        self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        self.bytes.extend(bits.to_le_bytes());
    }

    /// A pointer to these bytes.
    pub(crate) fn push_block(&mut self, block: Vec<u8>) {
        self.blocks.insert(self.bytes.len(), block);
        self.push_integer(0);
    }

    fn take(&mut self) -> Result<u64, Missing> {
        let slot = self.bytes.get(self.at..self.at + 8).ok_or(Missing)?;
        self.at += 8;
        Ok(u64::from_le_bytes(slot.try_into().expect("eight bytes")))
    }
}

#[derive(Clone)]
pub(crate) enum Pointer {
    Absolute(u64),
    Block(usize),
}

impl Memory {
    fn block(&self, pointer: &Pointer) -> Result<&[u8], Missing> {
        match pointer {
            Pointer::Absolute(_) => Err(Missing),
            Pointer::Block(at) => Ok(&self.blocks[at]),
        }
    }
}

/// The elements before the first zero, at most `limit`; none if they are not all there.
fn text<T: Copy + PartialEq + Default>(
    all: impl Iterator<Item = T>,
    limit: Option<usize>,
) -> Result<Vec<T>, Missing> {
    let mut text = Vec::new();
    for item in all {
        if item == T::default() || Some(text.len()) == limit {
            return Ok(text);
        }
        text.push(item);
    }
    if Some(text.len()) == limit { Ok(text) } else { Err(Missing) }
}

impl Arguments for Memory {
    type Pointer = Pointer;
    type Error = Missing;

    fn integer(&mut self, size: Size) -> Result<u64, Missing> {
        self.take().map(|bits| size.truncate(bits))
    }

    fn double(&mut self) -> Result<u64, Missing> {
        self.take()
    }

    fn long_double(&mut self) -> Result<u128, Missing> {
        self.at = self.at.next_multiple_of(16);
        let low = self.take()?;
        let high = self.take()?;
        Ok(u128::from(low) | u128::from(high as u16) << 64)
    }

    fn pointer(&mut self) -> Result<Pointer, Missing> {
        let at = self.at;
        let bits = self.take()?;
        Ok(if self.blocks.contains_key(&at) { Pointer::Block(at) } else { Pointer::Absolute(bits) })
    }

    fn address(&mut self, pointer: &Pointer) -> Result<u64, Missing> {
        match pointer {
            Pointer::Absolute(address) => Ok(*address),
            Pointer::Block(at) => Ok(0x1000 + *at as u64),
        }
    }

    fn string(&mut self, pointer: &Pointer, limit: Option<usize>) -> Result<Vec<u8>, Missing> {
        text(self.block(pointer)?.iter().copied(), limit)
    }

    fn wide_string(
        &mut self,
        pointer: &Pointer,
        limit: Option<usize>,
    ) -> Result<Vec<u32>, Missing> {
        let unit = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        text(self.block(pointer)?.chunks_exact(4).map(unit), limit)
    }

    fn store(&mut self, pointer: &Pointer, size: Size, value: u64) -> Result<(), Missing> {
        let Pointer::Block(at) = pointer else { return Err(Missing) };
        let block = self.blocks.get_mut(at).ok_or(Missing)?;
        let bytes = value.to_le_bytes();
        block.get_mut(..size.bytes()).ok_or(Missing)?.copy_from_slice(&bytes[..size.bytes()]);
        Ok(())
    }
}
