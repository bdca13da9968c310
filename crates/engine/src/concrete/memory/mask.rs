//! Which bits of a block have been written.

use std::ops::Range;

/// Which bits of a block have been written; most often all of them or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    All,
    None,
    /// One bit for each bit.
    Some {
        bits: Vec<u8>,
        missing: usize,
    },
}

impl Mask {
    /// Marks bytes of a block of `length` bytes as written.
    pub(super) fn set(&mut self, length: usize, range: Range<usize>) {
        if matches!(self, Mask::All) || range.is_empty() {
            return;
        }
        if range.len() == length {
            *self = Mask::All;
            return;
        }
        let (bits, missing) = self.in_detail(length);
        for byte in &mut bits[range] {
            *missing -= byte.count_zeros() as usize;
            *byte = 0xff;
        }
        self.simplify();
    }

    /// Marks `count` bits from the bit `first` on as written.
    pub(super) fn set_bits(&mut self, length: usize, first: usize, count: usize) {
        if matches!(self, Mask::All) {
            return;
        }
        let (bits, missing) = self.in_detail(length);
        for (at, part) in parts(first, count) {
            *missing -= (part & !bits[at]).count_ones() as usize;
            bits[at] |= part;
        }
        self.simplify();
    }

    /// Marks bytes as not written.
    pub(super) fn clear(&mut self, length: usize, range: Range<usize>) {
        if matches!(self, Mask::None) || range.is_empty() {
            return;
        }
        if range.len() == length {
            *self = Mask::None;
            return;
        }
        let (bits, missing) = self.in_detail(length);
        for byte in &mut bits[range] {
            *missing += byte.count_ones() as usize;
            *byte = 0;
        }
    }

    /// Whether `count` bits from the bit `first` on have been written.
    pub(super) fn has(&self, first: usize, count: usize) -> bool {
        match self {
            Mask::All => true,
            Mask::None => count == 0,
            Mask::Some { bits, .. } => {
                parts(first, count).all(|(at, part)| bits[at] & part == part)
            }
        }
    }

    /// The mask of a part of a block.
    pub(super) fn slice(&self, range: Range<usize>) -> Mask {
        match self {
            Mask::All => Mask::All,
            Mask::None => Mask::None,
            Mask::Some { bits, .. } => {
                let bits = bits[range].to_vec();
                let missing = bits.iter().map(|byte| byte.count_zeros() as usize).sum();
                let mut mask = Mask::Some { bits, missing };
                mask.simplify();
                mask
            }
        }
    }

    /// Replaces the mask of a part of a block of `length` bytes.
    pub(super) fn put(&mut self, length: usize, range: Range<usize>, part: &Mask) {
        match part {
            Mask::All => self.set(length, range),
            Mask::None => self.clear(length, range),
            Mask::Some { bits: new, .. } => {
                let (bits, missing) = self.in_detail(length);
                for (byte, new) in bits[range].iter_mut().zip(new) {
                    *missing += byte.count_ones() as usize;
                    *missing -= new.count_ones() as usize;
                    *byte = *new;
                }
                self.simplify();
            }
        }
    }

    fn in_detail(&mut self, length: usize) -> (&mut Vec<u8>, &mut usize) {
        let simple = match self {
            Mask::All => Some((0xff, 0)),
            Mask::None => Some((0, 8 * length)),
            Mask::Some { .. } => None,
        };
        if let Some((byte, missing)) = simple {
            *self = Mask::Some { bits: vec![byte; length], missing };
        }
        match self {
            Mask::Some { bits, missing } => (bits, missing),
            Mask::All | Mask::None => unreachable!("it has just been written out"),
        }
    }

    fn simplify(&mut self) {
        if matches!(self, Mask::Some { missing: 0, .. }) {
            *self = Mask::All;
        }
    }
}

/// The bytes that `count` bits from the bit `first` on lie in, and which of their bits these are.
pub(super) fn parts(first: usize, count: usize) -> impl Iterator<Item = (usize, u8)> {
    let end = first + count;
    let bytes = if count == 0 { 0..0 } else { first / 8..end.div_ceil(8) };
    bytes.map(move |at| {
        let low = first.saturating_sub(8 * at).min(8);
        let high = (end - 8 * at).min(8);
        (at, (0xffu16 << low & !(0xffff << high)) as u8)
    })
}
