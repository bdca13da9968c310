//! Initialisers with several values for one place.
//!
//! The last one counts, and what was there before is not even evaluated, as gcc has it. But the front end
//! does not say where braces stood: `.p = {.x = 1}` makes `p.y` zero, `.p.x = 1` leaves it as it is, and
//! both are one value at the same place. The text tells the second form; otherwise, where it makes a
//! difference, the initialiser is not modelled. (Braces that name only members without a value before are
//! not noticed.)

use std::collections::BTreeMap;

use super::Converter;
use crate::tree::{ExprKind, Initial, Length, TypeId, TypeKind};

/// Bits of an object, from the first to one behind the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bits {
    start: u64,
    end: u64,
}

impl Bits {
    fn contains(self, other: Bits) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl Converter<'_, '_> {
    /// The values of an initialiser for an object of type `ty` without those that are replaced.
    pub(super) fn without_replaced(
        &mut self,
        initials: Vec<(Initial, rucc_diag::Span)>,
        ty: TypeId,
    ) -> Vec<Initial> {
        let mut current: BTreeMap<u64, (Bits, usize)> = BTreeMap::new();
        let mut is_replaced = vec![false; initials.len()];
        // Parts of the object in which something is replaced, with the first value that does it.
        let mut parts: BTreeMap<Bits, usize> = BTreeMap::new();
        for (number, (initial, written)) in initials.iter().enumerate() {
            let bits = self.bits_of(initial, ty);
            let overlapping = current.range(..bits.end).rev();
            let overlapping: Vec<_> = overlapping
                .map(|(_, entry)| *entry)
                .take_while(|(earlier, _)| earlier.end > bits.start)
                .collect();
            for (earlier, which) in overlapping {
                current.remove(&earlier.start);
                is_replaced[which] = true;
                if !bits.contains(earlier) {
                    self.not_modelled(initial);
                } else if let Some(part) = self.part_around(ty, bits)
                    && self.places.designators_before(*written) != self.depth(ty, bits)
                {
                    parts.entry(part).or_insert(number);
                }
            }
            current.insert(bits.start, (bits, number));
        }
        for (part, first) in parts {
            let left = current.range(part.start..part.end);
            if left.into_iter().any(|(_, (_, number))| *number < first) {
                self.not_modelled(&initials[first].0);
            }
        }
        let mut replaced = is_replaced.into_iter();
        let kept = initials.into_iter().filter(|_| !replaced.next().unwrap_or(false));
        kept.map(|(initial, _)| initial).collect()
    }

    fn not_modelled(&mut self, initial: &Initial) {
        let words = "an initialiser that replaces another one in part".to_owned();
        self.unit.exprs[initial.value.index()].kind = ExprKind::Unsupported(words);
    }

    /// The bits of an object of type `ty` that a value is for. A string literal is for a whole array,
    /// which may be longer.
    fn bits_of(&self, initial: &Initial, ty: TypeId) -> Bits {
        let expr = &self.unit.exprs[initial.value.index()];
        if let ExprKind::String(_) = expr.kind {
            return self.array_at(ty, initial.offset * 8);
        }
        let (start, width) = match initial.bits {
            Some(bits) => (initial.offset * 8 + u64::from(bits.first), u64::from(bits.width)),
            None => {
                let size = self.unit.types[expr.ty.index()].size.unwrap_or(0);
                (initial.offset * 8, size.saturating_mul(8))
            }
        };
        Bits { start, end: start.saturating_add(width) }
    }

    /// The innermost array or struct of an object that has a bit.
    fn array_at(&self, ty: TypeId, start: u64) -> Bits {
        let (mut ty, mut found) = (ty, Bits { start: 0, end: u64::MAX });
        let mut bit = Bits { start, end: start + 1 };
        while let Some((part, inner)) = self.part_with(ty, bit)
            && matches!(
                self.unit.types[inner.index()].kind,
                TypeKind::Array { .. } | TypeKind::Record(_)
            )
        {
            let base = start - bit.start;
            found = Bits { start: base + part.start, end: base + part.end };
            bit = Bits { start: bit.start - part.start, end: bit.end - part.start };
            ty = inner;
        }
        found
    }

    /// How many designators lead to some bits of an object, if they are a value of their own.
    fn depth(&self, ty: TypeId, bits: Bits) -> usize {
        let (mut ty, mut bits, mut depth) = (ty, bits, 0);
        loop {
            depth += 1;
            match self.part_with(ty, bits) {
                Some((part, inner)) if part != bits => {
                    bits = Bits { start: bits.start - part.start, end: bits.end - part.start };
                    ty = inner;
                }
                _ => return depth,
            }
        }
    }

    /// The array or struct in an object that some bits are a proper part of.
    fn part_around(&self, ty: TypeId, bits: Bits) -> Option<Bits> {
        let (part, _) = self.part_with(ty, bits)?;
        (part != bits).then_some(part)
    }

    /// The element or member, other than a bit-field, that has these bits.
    fn part_with(&self, ty: TypeId, bits: Bits) -> Option<(Bits, TypeId)> {
        match self.unit.types[ty.index()].kind {
            TypeKind::Array { element, length: Length::Fixed(_) | Length::Unknown } => {
                let size = self.unit.types[element.index()].size?.checked_mul(8)?;
                let start = bits.start - bits.start.checked_rem(size)?;
                Some((Bits { start, end: start + size }, element))
            }
            TypeKind::Record(record) => {
                let record = &self.unit.records[record.index()];
                let all = record.fields.iter().filter(|field| field.bits.is_none());
                let mut all = all.map(|field| {
                    let size = self.unit.types[field.ty.index()].size.unwrap_or(0);
                    (Bits { start: field.offset * 8, end: (field.offset + size) * 8 }, field.ty)
                });
                all.find(|(part, _)| part.contains(bits))
            }
            _ => None,
        }
    }
}
