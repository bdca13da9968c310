//! Objects that are larger than the interpreter's.
//!
//! The interpreter's pointers have offsets of 32 bits with a sign, so no object of its has more than [`MAX_SIZE`] bytes. Programs may allocate more: up to 4 GiB where addresses have 32 bits, and far more where
//! they have 64. What happens with such an object can be proved, but never replayed: the interpreter stops where it is allocated. So an error on such a path is no verdict, and nobody compares what
//! offsets are there with those of the interpreter.
//!
//! Addresses wrap around, and the offset that a pointer has is the one of all that are equal modulo the size of the address space which lies in a certain range: for other objects from -2³¹ on, as in the interpreter, and for these
//! from 0 on if addresses have 32 bits, since any number from 0 to 2³² - 1 may lie inside. With 64 bits all offsets inside are small, and those before the object are negative.

use super::{MAX_SIZE, Memory, ObjectId, Reach, Space};
use crate::domain::{Outcome, Symbolic};
use crate::halt::Halt;
use crate::value::{Bool, Int};
use loupe_engine::domain::{Domain, Origin};
use loupe_engine::layout::Kind;
use loupe_integer::Integer;
use loupe_ir::types::IntType;

/// The most bytes that an object can have, by the number of bits of an address. (Half of an address space of 64 bits would be as good: nobody has so much.)
fn largest(space: Space) -> Option<i64> {
    match space.bits() {
        _ if !space.has_bytes() => None,
        32 => Some(i64::from(u32::MAX)),
        _ => Some(1 << 47),
    }
}

/// The offsets of pointers into such objects, by the size of pointers.
fn offsets(word: u64) -> IntType {
    match word {
        4 => IntType::unsigned(32),
        _ => IntType::signed(64),
    }
}

impl Memory {
    /// The offsets that pointers into an object can have, if it is larger than the interpreter's.
    pub(crate) fn far_offsets(&self, object: ObjectId, word: u64) -> Option<IntType> {
        let object = self.objects.get(object.0 as usize)?;
        (object.reach == Reach::Far).then(|| offsets(word))
    }
}

impl Symbolic {
    /// How large an object of this size is; the state is split where both are possible.
    pub(super) fn reach_of(
        &mut self,
        size: &Int,
        (kind, origin): (Kind, Origin),
    ) -> Outcome<Reach> {
        let too_large = |size: &str| Box::new(Halt::Limit(format!("an object of {size} bytes")));
        // Constants lead into global objects before there is a memory, so that only what is allocated may be as large.
        // A draft looks for candidates, which such an object would keep from being replayed, and its ways should be few.
        let most = largest(self.space)
            .filter(|_| kind == Kind::Bytes && origin == Origin::Heap && !self.drafts);
        match size {
            Int::Known(size) if size.is_negative() => Err(too_large(&size.to_string())),
            Int::Known(size) if *size <= Integer::from(MAX_SIZE) => Ok(Reach::Near),
            Int::Known(size) => match most {
                Some(most) if *size <= Integer::from(most) => Ok(Reach::Far),
                _ => Err(too_large(&size.to_string())),
            },
            Int::Term(_) if kind != Kind::Bytes => Ok(Reach::Near),
            Int::Term(term) => {
                for (most, reach) in [(Some(MAX_SIZE), Reach::Near), (most, Reach::Far)] {
                    let Some(most) = most else { continue };
                    let most = self.terms.int(most);
                    let fits = self.terms.le(*term, most);
                    if self.one_truth(Bool::Term(fits))? {
                        return Ok(reach);
                    }
                }
                let most = most.unwrap_or(MAX_SIZE);
                Err(too_large(&format!("more than {most}")))
            }
        }
    }

    /// The offset of a pointer into such an object that was moved.
    pub(crate) fn far_offset(&mut self, sum: Int, offsets: IntType) -> Outcome<Int> {
        if self.is_everywhere_of(offsets, &sum) {
            return Ok(sum);
        }
        let sum = self.settled(&sum).map_or(sum, Int::Known);
        if let Int::Term(term) = sum {
            let inside = self.range_conditions(offsets, term);
            let inside = self.terms.and(inside);
            let outside = self.terms.not(inside);
            if self.path.truth(inside) == Some(true) || self.refuted(outside)? {
                self.path.note(inside);
                return Ok(sum);
            }
        }
        Ok(self.wrap(offsets, &sum))
    }
}
