//! Initialisers with several values for one place.
//!
//! The last one counts, and what was there before is not even evaluated, as gcc has it. Braces replace all
//! of what they are for: `.p = {.x = 1}` makes `p.y` zero, `.p.x = 1` leaves it as it is. The checked program
//! has the same value at the same place for both; where braces stood is looked up in the parsed one.

use std::collections::{BTreeMap, HashMap};

use super::Converter;
use super::braces::Role;
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

/// An object, or an element or member of it at any depth.
#[derive(Clone, Copy)]
struct Part {
    ty: TypeId,
    bits: Bits,
}

/// What is known of the values of an initialiser.
struct Values<'i> {
    all: &'i [(Initial, rucc_diag::Span)],
    is_replaced: Vec<bool>,
    /// Those that are not replaced yet, by their first bit.
    current: BTreeMap<u64, (Bits, usize)>,
}

impl Values<'_> {
    /// Drops the current values in a part that do not fulfil a condition.
    fn keep(&mut self, part: Bits, is_kept: impl Fn(rucc_diag::Span) -> bool) {
        let inside = self.current.range(part.start..part.end).map(|(_, entry)| *entry);
        let dropped: Vec<_> = inside.filter(|(_, which)| !is_kept(self.all[*which].1)).collect();
        for (bits, which) in dropped {
            self.current.remove(&bits.start);
            self.is_replaced[which] = true;
        }
    }
}

impl Converter<'_, '_> {
    /// The values of an initialiser for an object of type `ty` without those that are replaced.
    pub(super) fn without_replaced(
        &mut self,
        initials: Vec<(Initial, rucc_diag::Span)>,
        ty: TypeId,
    ) -> Vec<Initial> {
        let is_replaced = vec![false; initials.len()];
        let mut values = Values { all: &initials, is_replaced, current: BTreeMap::new() };
        let mut parts: HashMap<usize, Part> = HashMap::new();
        let mut before = None;
        for (number, (initial, written)) in initials.iter().enumerate() {
            let bits = self.bits_of(initial, ty);
            let innermost = self.braces.around(*written);
            if innermost.is_some_and(|list| !parts.contains_key(&list)) {
                self.enter_braces((ty, bits), innermost, before, &mut parts, &mut values);
            }
            let overlapping = values.current.range(..bits.end).rev();
            let overlapping: Vec<_> = overlapping
                .map(|(_, entry)| *entry)
                .take_while(|(earlier, _)| earlier.end > bits.start)
                .collect();
            for (earlier, which) in overlapping {
                values.current.remove(&earlier.start);
                values.is_replaced[which] = true;
                if !bits.contains(earlier) {
                    self.not_modelled(initial);
                }
            }
            values.current.insert(bits.start, (bits, number));
            before = Some(bits);
        }
        let mut replaced = values.is_replaced.into_iter();
        let kept = initials.into_iter().filter(|_| !replaced.next().unwrap_or(false));
        kept.map(|(initial, _)| initial).collect()
    }

    /// The first value in some braces, for `bits`: nothing that is written before the braces stays in the
    /// part that they are for. That is where their designators lead; or else the largest part without the
    /// value `before`, because braces that were left out are not seen.
    fn enter_braces(
        &self,
        (ty, bits): (TypeId, Bits),
        innermost: Option<usize>,
        before: Option<Bits>,
        parts: &mut HashMap<usize, Part>,
        values: &mut Values<'_>,
    ) {
        let mut part = Part { ty, bits: Bits { start: 0, end: u64::MAX } };
        for number in self.braces.parts_around(innermost) {
            if let Some(known) = parts.get(&number) {
                part = *known;
                continue;
            }
            let list = self.braces.list(number);
            let mut steps = 0;
            while let Some(inner) = self.part_with(part, bits) {
                part = inner;
                steps += 1;
                let is_found = match list.role {
                    Role::Designated(wanted) => steps == wanted,
                    Role::Next => before.is_none_or(|before| !inner.bits.contains(before)),
                    Role::Object => true,
                };
                if is_found {
                    values.keep(inner.bits, |written| list.contains(written));
                    break;
                }
            }
            parts.insert(number, part);
        }
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
        let mut part = Part { ty, bits: Bits { start: 0, end: u64::MAX } };
        while let Some(inner) = self.part_with(part, Bits { start, end: start + 1 })
            && matches!(
                self.unit.types[inner.ty.index()].kind,
                TypeKind::Array { .. } | TypeKind::Record(_)
            )
        {
            part = inner;
        }
        part.bits
    }

    /// The element or member of a part, other than a bit-field, that has these bits.
    fn part_with(&self, whole: Part, bits: Bits) -> Option<Part> {
        let base = whole.bits.start;
        let part = |start: u64, size: u64, ty| {
            let start = base.checked_add(start)?;
            let bits = Bits { start, end: start.checked_add(size.checked_mul(8)?)? };
            Some(Part { ty, bits })
        };
        match self.unit.types[whole.ty.index()].kind {
            TypeKind::Array { element, length: Length::Fixed(_) | Length::Unknown } => {
                let size = self.unit.types[element.index()].size?;
                let start = bits.start - base;
                part(start - start.checked_rem(size.checked_mul(8)?)?, size, element)
            }
            TypeKind::Record(record) => {
                let fields = self.unit.records[record.index()].fields.iter();
                let mut members = fields.filter(|field| field.bits.is_none()).filter_map(|field| {
                    let size = self.unit.types[field.ty.index()].size.unwrap_or(0);
                    part(field.offset * 8, size, field.ty)
                });
                members.find(|member| member.bits.contains(bits))
            }
            _ => None,
        }
    }
}
