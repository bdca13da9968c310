//! Objects of machine types: bytes.
//!
//! Beside the bytes stand two things that C's memory has and a computer's has not: which bits have been
//! written, and which pointers are stored where. A pointer to an object is no number until somebody looks
//! at its bytes, so it is kept apart, in slots of its size; the bytes below it mean nothing until
//! [`Block::settle`] has put its address there. Addresses without an object are plain bytes, and so are
//! pointers that do not lie in a slot.

use super::mask::{Mask, parts};
use super::{ObjectId, Word};
use loupe_integer::{Integer, Signedness};
use loupe_ir::program::FunctionId;
use std::ops::Range;

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Pointer(ObjectId, i32),
    Function(FunctionId),
}

/// A sequence of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    bytes: Vec<u8>,
    written: Mask,
    /// By slot; empty as long as there is none.
    stored: Vec<Option<Stored>>,
    /// How many slots hold something.
    count: usize,
}

/// Which of the pointers in a range.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Each that it touches.
    Touched,
    /// Those that it cuts.
    Cut,
}

impl Default for Block {
    fn default() -> Self {
        Block { bytes: Vec::new(), written: Mask::None, stored: Vec::new(), count: 0 }
    }
}

impl Block {
    /// Zeros that nobody has written, in the place of what was there.
    pub(super) fn reset(&mut self, size: usize) {
        self.bytes.clear();
        self.bytes.resize(size, 0);
        self.written = Mask::None;
        self.stored.clear();
        self.count = 0;
    }

    /// The zeros count as written.
    pub(super) fn mark_written(&mut self) {
        self.written = Mask::All;
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All bytes; those below pointers mean nothing unless these are settled.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes bytes; no pointer is there.
    pub(super) fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        let range = at..at + bytes.len();
        self.bytes[range.clone()].copy_from_slice(bytes);
        self.written.set(self.bytes.len(), range);
    }

    /// How much room is kept for the next object.
    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity() + self.stored.capacity() * size_of::<Option<Stored>>()
    }

    /// `size` bytes, at most 8, as a number.
    #[inline]
    pub(super) fn word(&self, at: usize, size: usize) -> u64 {
        let bytes = &self.bytes[at..at + size];
        // The usual sizes without a loop.
        match *bytes {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        }
    }

    /// `count` bits from the bit `first` on, as a number that is at least 0.
    pub(super) fn bits(&self, first: usize, count: usize) -> Integer {
        let bytes = &self.bytes[first / 8..(first + count).div_ceil(8)];
        let number = bytes.chunks(8).rev().fold(Integer::ZERO, |number, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            number.shift_left(64).add(&Integer::from(u64::from_le_bytes(word)))
        });
        number.shift_right((first % 8) as u32).wrap(count as u32, Signedness::Unsigned)
    }

    /// Writes `size` bytes, at most 8; no pointer is there.
    #[inline]
    pub(super) fn put_word(&mut self, at: usize, size: usize, word: u64) {
        let bytes = &mut self.bytes[at..at + size];
        match bytes.len() {
            1 => bytes.copy_from_slice(&word.to_le_bytes()[..1]),
            4 => bytes.copy_from_slice(&word.to_le_bytes()[..4]),
            8 => bytes.copy_from_slice(&word.to_le_bytes()),
            size => bytes.copy_from_slice(&word.to_le_bytes()[..size]),
        }
        if !matches!(self.written, Mask::All) {
            self.written.set(self.bytes.len(), at..at + size);
        }
    }

    /// Writes `count` bits from the bit `first` on, the low ones of the number; no pointer is there.
    pub(super) fn put_bits(&mut self, first: usize, count: usize, number: &Integer) {
        let shifted = number.shift_left((first % 8) as u32);
        for (at, part) in parts(first, count) {
            let byte = byte_of(&shifted, at - first / 8);
            self.bytes[at] = self.bytes[at] & !part | byte & part;
        }
        self.written.set_bits(self.bytes.len(), first, count);
    }

    /// Writes one byte into many; no pointer is there.
    pub(super) fn fill(&mut self, range: Range<usize>, byte: u8) {
        self.bytes[range.clone()].fill(byte);
        self.written.set(self.bytes.len(), range);
    }

    /// Gives bits that have not been written a value, which does not count as writing.
    pub(super) fn imagine(&mut self, first: usize, count: usize, number: &Integer) {
        let written = std::mem::replace(&mut self.written, Mask::All);
        self.put_bits(first, count, number);
        self.written = written;
    }

    /// Bytes count as not written, whatever was there.
    pub(super) fn forget(&mut self, range: Range<usize>) {
        self.bytes[range.clone()].fill(0);
        self.written.clear(self.bytes.len(), range);
    }

    /// Whether bits have been written.
    pub(super) fn is_written(&self, first: usize, count: usize) -> bool {
        self.written.has(first, count)
    }

    /// What is stored in the slot that starts at this byte, if one does.
    #[inline]
    pub(super) fn stored_at(&self, word: Word, at: usize) -> Option<Stored> {
        if self.count == 0 || !at.is_multiple_of(word.0) {
            return None;
        }
        *self.stored.get(at / word.0)?
    }

    /// Whether these bytes lie in the block.
    #[inline(always)]
    pub(super) fn holds(&self, at: usize, size: usize) -> bool {
        self.bytes.len().checked_sub(size).is_some_and(|last| at <= last)
    }

    /// Whether a pointer is stored in these bytes.
    #[inline(always)]
    pub(super) fn has_stored(&self, word: Word, at: usize, size: usize) -> bool {
        self.count > 0
            && self.stored[self.slots(word, &(at..at + size))].iter().any(Option::is_some)
    }

    /// Puts a pointer into the slot that starts at this byte; `false` if none does.
    pub(super) fn store(&mut self, word: Word, at: usize, stored: Stored) -> bool {
        if !at.is_multiple_of(word.0) || at + word.0 > self.bytes.len() {
            return false;
        }
        if self.stored.is_empty() {
            self.stored.resize(self.bytes.len() / word.0, None);
        }
        let slot = &mut self.stored[at / word.0];
        self.count += usize::from(slot.is_none());
        *slot = Some(stored);
        self.written.set(self.bytes.len(), at..at + word.0);
        true
    }

    /// No pointer is stored in these bytes any more.
    #[inline]
    pub(super) fn remove_stored(&mut self, word: Word, range: &Range<usize>) {
        if self.count == 0 || range.is_empty() {
            return;
        }
        let slots = self.slots(word, range);
        for slot in &mut self.stored[slots] {
            self.count -= usize::from(slot.take().is_some());
        }
    }

    /// Puts addresses into the bytes below pointers in a range.
    pub(super) fn settle<E>(
        &mut self,
        word: Word,
        range: &Range<usize>,
        which: Which,
        mut address: impl FnMut(Stored) -> Result<u64, E>,
    ) -> Result<(), E> {
        if self.count == 0 || range.is_empty() {
            return Ok(());
        }
        for slot in self.slots(word, range) {
            let bytes = slot * word.0..(slot + 1) * word.0;
            let whole = range.start <= bytes.start && bytes.end <= range.end;
            if let Some(stored) = self.stored[slot]
                && (which == Which::Touched || !whole)
            {
                let address = address(stored)?.to_le_bytes();
                self.bytes[bytes].copy_from_slice(&address[..word.0]);
            }
        }
        Ok(())
    }

    /// The slots that a range touches.
    fn slots(&self, word: Word, range: &Range<usize>) -> Range<usize> {
        let end = range.end.div_ceil(word.0).min(self.stored.len());
        (range.start / word.0).min(end)..end
    }

    /// All objects that are pointed to from here.
    pub(super) fn targets(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.stored.iter().flatten().filter_map(|stored| match stored {
            Stored::Pointer(object, _) => Some(*object),
            Stored::Function(_) => None,
        })
    }

    /// A copy of a part, in which the pointers that the range cuts, or all if it starts inside a slot,
    /// must be settled.
    pub(super) fn part(&self, word: Word, range: Range<usize>) -> Block {
        let mut part = Block {
            bytes: self.bytes[range.clone()].to_vec(),
            written: self.written.slice(range.clone()),
            ..Block::default()
        };
        if self.count > 0 && range.start.is_multiple_of(word.0) {
            let first = (range.start / word.0).min(self.stored.len());
            let end = (range.end / word.0).clamp(first, self.stored.len());
            part.count = self.stored[first..end].iter().flatten().count();
            if part.count > 0 {
                part.stored = self.stored[first..end].to_vec();
            }
        }
        part
    }

    /// Overwrites a part; the pointers that it cuts must be settled, and those of the new part as well
    /// unless `at` is the start of a slot.
    pub(super) fn put(&mut self, word: Word, at: usize, part: &Block) {
        let range = at..at + part.bytes.len();
        self.remove_stored(word, &range);
        self.bytes[range.clone()].copy_from_slice(&part.bytes);
        self.written.put(self.bytes.len(), range, &part.written);
        if part.count == 0 || !at.is_multiple_of(word.0) {
            return;
        }
        if self.stored.is_empty() {
            self.stored.resize(self.bytes.len() / word.0, None);
        }
        for (slot, new) in self.stored[at / word.0..].iter_mut().zip(&part.stored) {
            *slot = *new;
        }
        self.count += part.count;
    }
}

/// A byte of the two's complement of a number.
fn byte_of(number: &Integer, at: usize) -> u8 {
    let byte = number.shift_right((8 * at) as u32).bit_and(&Integer::from(0xff));
    byte.to_i64().unwrap_or(0) as u8
}
