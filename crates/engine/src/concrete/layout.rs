//! Which scalars an object of some type consists of.

use loupe_ir::types::{Type, TypeId, Types};
use std::collections::HashMap;
use std::rc::Rc;

/// The scalars of one element of an object, in the order of their offsets.
#[derive(Debug)]
pub(super) struct Layout {
    /// How many units of memory an element takes.
    pub(super) size: u64,
    /// Offsets and types.
    pub(super) scalars: Vec<(u64, TypeId)>,
}

impl Layout {
    /// Which scalar starts `offset` units after the start of an object of such elements.
    pub(super) fn index(&self, offset: u64) -> Option<usize> {
        let element = usize::try_from(offset / self.size.max(1)).ok()?;
        let rest = offset % self.size.max(1);
        let scalar = self.scalars.binary_search_by_key(&rest, |(start, _)| *start).ok()?;
        element.checked_mul(self.scalars.len())?.checked_add(scalar)
    }
}

/// The layouts that have been needed so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Layouts {
    known: HashMap<TypeId, Rc<Layout>>,
}

/// More scalars than any struct has; an object of that size would not fit in the limits anyway.
const MAX_SCALARS: usize = 1 << 24;

impl Layouts {
    /// The layout of `ty`.
    pub(super) fn get(&mut self, types: &Types, ty: TypeId) -> Result<Rc<Layout>, NoLayout> {
        if let Some(layout) = self.known.get(&ty) {
            return Ok(Rc::clone(layout));
        }
        let layout = Rc::new(Layout { size: types.size_of(ty), scalars: scalars(types, ty)? });
        self.known.insert(ty, Rc::clone(&layout));
        Ok(layout)
    }
}

/// Why a type has no layout of separate scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLayout {
    /// It has too many.
    TooLarge,
    /// Some of them overlap, as in a union, other than by being at the same place and of the same
    /// size. A write to one of these changes a part of the other, which cells do not show.
    Overlapping,
}

fn scalars(types: &Types, ty: TypeId) -> Result<Vec<(u64, TypeId)>, NoLayout> {
    let mut found = Vec::new();
    let mut open = vec![(0, ty)];
    while let Some((offset, ty)) = open.pop() {
        if found.len() + open.len() > MAX_SCALARS {
            return Err(NoLayout::TooLarge);
        }
        match types.get(ty) {
            Type::Array { element, length } => {
                let size = types.size_of(*element);
                if *length > MAX_SCALARS as u64 {
                    return Err(NoLayout::TooLarge);
                }
                open.extend((0..*length).rev().map(|i| (offset + i * size, *element)));
            }
            Type::Record(record) => {
                let fields = &types.record(*record).fields;
                open.extend(fields.iter().rev().map(|f| (offset + f.offset, f.ty)));
            }
            _ => found.push((offset, ty)),
        }
    }
    // Members of a union that are of one size share a cell, and the first one stands for all.
    found.sort_by_key(|(offset, _)| *offset);
    found.dedup_by_key(|(offset, ty)| (*offset, types.size_of(*ty)));
    let overlap = |pair: &[(u64, TypeId)]| pair[0].0 + types.size_of(pair[0].1) > pair[1].0;
    if found.windows(2).any(overlap) {
        return Err(NoLayout::Overlapping);
    }
    Ok(found)
}
