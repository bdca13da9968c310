//! Objects with parts that have no size in bytes: a list of cells, each with one scalar or one dynamic
//! value.
//!
//! An access that does not fit the layout (a part of a scalar, a value of another kind) halts as not modelled.

use super::super::halt::{Halt, internal, unsupported};
use super::super::same::is_same_value;
use super::super::{Concrete, ConcreteValue};
use super::Aggregate;
use crate::domain::Contents;
use crate::layout::size_of_value;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::types::{Type, TypeId, Types};
use loupe_ir::validate::ValueType;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The scalars of one element of an object, in the order of their offsets.
#[derive(Debug)]
pub(super) struct Layout {
    /// How many units of memory an element takes.
    size: u64,
    /// Offsets and types.
    scalars: Vec<(u64, TypeId)>,
}

impl Layout {
    /// Which scalar starts `offset` units after the start of an object of such elements.
    fn index(&self, offset: u64) -> Option<usize> {
        let element = usize::try_from(offset / self.size.max(1)).ok()?;
        let rest = offset % self.size.max(1);
        let scalar = self.scalars.binary_search_by_key(&rest, |(start, _)| *start).ok()?;
        element.checked_mul(self.scalars.len())?.checked_add(scalar)
    }

    /// How many scalars an element has.
    pub(super) fn scalars(&self) -> u64 {
        self.scalars.len() as u64
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
                if fields.iter().any(|field| field.first_bit.is_some()) {
                    return Err(NoLayout::Overlapping);
                }
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

/// The cells of an object.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    values: Vec<ConcreteValue>,
    layout: Rc<Layout>,
    /// The size in units of memory.
    size: u64,
}

impl Cells {
    /// Whether both hold the same; `false` says nothing.
    pub(super) fn is_same(&self, other: &Cells) -> bool {
        Rc::ptr_eq(&self.layout, &other.layout)
            && self.size == other.size
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(|(a, b)| is_same_value(a, b))
    }

    /// An object of `count` elements.
    pub(super) fn new(
        types: &Types,
        layout: Rc<Layout>,
        count: u64,
        contents: Contents<Concrete>,
    ) -> Result<Self, Box<Halt>> {
        let size = layout.size.saturating_mul(count);
        let values = fill(types, &layout, count, contents)?;
        Ok(Cells { values, layout, size })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn values(&self) -> &[ConcreteValue] {
        &self.values
    }

    #[inline]
    pub(super) fn load(
        &self,
        types: &Types,
        offset: i32,
        ty: ValueType,
    ) -> Result<ConcreteValue, Box<Halt>> {
        if let ValueType::Aggregate(ty) = ty {
            let range = self.range(offset, types.size_of(ty))?;
            let values = self.values[range].to_vec();
            return Ok(Value::Aggregate(Rc::new(Aggregate::Cells(values))));
        }
        let value = self.values[self.cell(types, offset, ty)?].clone();
        match (value, ty) {
            (Value::Int(value), ValueType::Int(int)) => Ok(Value::Int(int.wrap(value))),
            (Value::Int(_), ValueType::Pointer(_) | ValueType::Function | ValueType::Bool)
            | (Value::Pointer(_) | Value::Function(_), ValueType::Int(_) | ValueType::Bool)
            | (Value::Bool(_), ValueType::Int(_) | ValueType::Pointer(_) | ValueType::Function)
            | (Value::Float(_) | Value::LongFloat(_), ValueType::Int(_) | ValueType::Pointer(_)) => {
                Err(unsupported("a value that is read as another type than it was written"))
            }
            (value, _) => Ok(value),
        }
    }

    #[inline]
    pub(super) fn store(
        &mut self,
        types: &Types,
        offset: i32,
        ty: ValueType,
        value: ConcreteValue,
    ) -> Result<(), Box<Halt>> {
        let ValueType::Aggregate(ty) = ty else {
            let cell = self.cell(types, offset, ty)?;
            self.values[cell] = value;
            return Ok(());
        };
        match value {
            Value::Aggregate(held) => self.put(offset, types.size_of(ty), &held),
            _ => Err(internal("an aggregate is written with another shape")),
        }
    }

    pub(super) fn is_written(
        &self,
        types: &Types,
        offset: i32,
        ty: ValueType,
    ) -> Result<bool, Box<Halt>> {
        let range = match ty {
            ValueType::Aggregate(ty) => self.range(offset, types.size_of(ty))?,
            scalar => {
                let cell = self.cell(types, offset, scalar)?;
                cell..cell + 1
            }
        };
        let written = |value: &ConcreteValue| !matches!(value, Value::Uninitialised);
        Ok(self.values[range].iter().all(written))
    }

    /// A copy of `size` units.
    pub(super) fn part(&self, offset: i32, size: u64) -> Result<Aggregate, Box<Halt>> {
        Ok(Aggregate::Cells(self.values[self.range(offset, size)?].to_vec()))
    }

    /// Overwrites `size` units.
    pub(super) fn put(
        &mut self,
        offset: i32,
        size: u64,
        part: &Aggregate,
    ) -> Result<(), Box<Halt>> {
        let range = self.range(offset, size)?;
        match part {
            Aggregate::Cells(values) if values.len() == range.len() => {
                self.values[range].clone_from_slice(values);
                Ok(())
            }
            _ => Err(unsupported("memory that is copied to where other things are")),
        }
    }

    /// The cell at an offset that holds a value of type `ty`.
    #[inline]
    fn cell(&self, types: &Types, offset: i32, ty: ValueType) -> Result<usize, Box<Halt>> {
        let offset = u64::try_from(offset)
            .map_err(|_| internal("an access before the start of an object"))?;
        let Some(index) = self.layout.index(offset) else {
            return Err(unsupported("an access in the middle of a scalar"));
        };
        if index >= self.values.len() {
            return Err(internal("an access behind the end of an object, or after it"));
        }
        let (_, held) = self.layout.scalars[index % self.layout.scalars.len()];
        // `any` has no size of its own: it is used for what has been checked otherwise.
        let any = ty == ValueType::Any || held == TypeId::ANY;
        if !any && types.size_of(held) != size_of_value(types, ty) {
            return Err(unsupported("an access to a part of a scalar"));
        }
        Ok(index)
    }

    /// The cells of `size` units at an offset.
    fn range(&self, offset: i32, size: u64) -> Result<Range<usize>, Box<Halt>> {
        let start = u64::try_from(offset)
            .map_err(|_| internal("an access before the start of an object"))?;
        if start.checked_add(size).is_none_or(|end| end > self.size) {
            return Err(internal("an access behind the end of an object"));
        }
        let first = self.layout.index(start);
        let end = if start + size == self.size {
            Some(self.values.len())
        } else {
            self.layout.index(start + size)
        };
        match (first, end) {
            (Some(first), Some(end)) if first <= end && end <= self.values.len() => Ok(first..end),
            _ => Err(unsupported("an aggregate that does not fit the object's layout")),
        }
    }
}

fn fill(
    types: &Types,
    layout: &Layout,
    count: u64,
    contents: Contents<Concrete>,
) -> Result<Vec<ConcreteValue>, Box<Halt>> {
    let count = usize::try_from(count).map_err(|_| internal("an object of impossible size"))?;
    let scalars = layout.scalars.len();
    match contents {
        Contents::Uninitialised => Ok(vec![Value::Uninitialised; count * scalars]),
        Contents::Zero => {
            let one: Vec<_> = layout.scalars.iter().map(|(_, ty)| zero(types, *ty)).collect();
            Ok(one.iter().cloned().cycle().take(count * scalars).collect())
        }
        Contents::Repeat(Value::Aggregate(held)) => match &*held {
            Aggregate::Cells(cells)
                if !cells.is_empty() && (count * scalars).is_multiple_of(cells.len()) =>
            {
                Ok(cells.iter().cloned().cycle().take(count * scalars).collect())
            }
            _ => Err(internal("an object is filled with another shape")),
        },
        Contents::Repeat(value) => Ok(vec![value; count * scalars]),
        Contents::List(values) if values.len() == count * scalars => Ok(values),
        Contents::List(_) => Err(internal("an object is filled with another shape")),
    }
}

fn zero(types: &Types, ty: TypeId) -> ConcreteValue {
    match types.get(ty) {
        Type::Bool => Value::Bool(false),
        Type::Pointer(_) | Type::Function => Value::Pointer(super::Address::NULL),
        Type::Int(_) | Type::Any => Value::Int(Integer::ZERO),
        Type::Float(float) => super::super::float::Number::from_bits(0, *float).value(),
        Type::Array { .. } | Type::Record(_) => Value::Uninitialised,
    }
}
