//! What objects of a type consist of.
//!
//! The scalars of a type are numbered in the order of their places, because an object takes as many values
//! of the stream of uninitialised values as it has scalars. Members of a union overlap; there, the first and
//! largest ones count, and what only others cover is 0.

use loupe_ir::types::{IntType, RecordField, RecordType, Type, TypeId, Types};
use loupe_ir::validate::ValueType;
use std::cmp::Reverse;

/// What an object of some type is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How it is represented.
    pub kind: Kind,
    /// How many scalars it has.
    pub scalars: u64,
}

/// How an object is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By bytes.
    Bytes,
    /// By cells, each with a value: it has parts that have no size in bytes.
    Cells,
}

/// The shapes that have been needed so far, by type.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    known: Vec<Option<Shape>>,
}

impl Shapes {
    /// The shape of `ty`.
    #[inline]
    pub fn get(&mut self, types: &Types, ty: TypeId) -> Shape {
        match self.known.get(ty.0 as usize) {
            Some(Some(shape)) => *shape,
            _ => self.compute(types, ty),
        }
    }

    /// Parts first; a type is looked at again when they are known.
    fn compute(&mut self, types: &Types, ty: TypeId) -> Shape {
        let mut open = vec![ty];
        let mut shape = Shape { kind: Kind::Bytes, scalars: 0 };
        while let Some(ty) = open.last() {
            let unknown = match self.try_shape(types, *ty) {
                Ok(found) => {
                    shape = found;
                    let at = ty.0 as usize;
                    if self.known.len() <= at {
                        self.known.resize(at + 1, None);
                    }
                    self.known[at] = Some(found);
                    open.pop();
                    continue;
                }
                Err(unknown) => unknown,
            };
            open.push(unknown);
        }
        shape
    }

    fn known(&self, ty: TypeId) -> Result<Shape, TypeId> {
        self.known.get(ty.0 as usize).copied().flatten().ok_or(ty)
    }

    /// The shape, or a part whose shape must be known first.
    fn try_shape(&self, types: &Types, ty: TypeId) -> Result<Shape, TypeId> {
        let scalar = |kind| Ok(Shape { kind, scalars: 1 });
        match types.get(ty) {
            Type::Any | Type::Bool | Type::Int(IntType::Unbounded) => scalar(Kind::Cells),
            Type::Int(IntType::Machine { .. }) | Type::Float(_) => scalar(Kind::Bytes),
            // microc's pointers have no size in bytes.
            Type::Function | Type::Pointer(_) => match types.pointer_size() {
                4 | 8 => scalar(Kind::Bytes),
                _ => scalar(Kind::Cells),
            },
            Type::Array { element, length } => {
                let Shape { kind, scalars } = self.known(*element)?;
                Ok(Shape { kind, scalars: scalars.saturating_mul(*length) })
            }
            Type::Record(record) => {
                let record = types.record(*record);
                let mut kind = Kind::Bytes;
                for field in &record.fields {
                    if self.known(field.ty)?.kind == Kind::Cells {
                        kind = Kind::Cells;
                    }
                }
                let mut scalars = 0u64;
                for field in covering(types, record) {
                    scalars = scalars.saturating_add(self.known(field.ty)?.scalars);
                }
                Ok(Shape { kind, scalars })
            }
        }
    }
}

/// How many units of memory a value of this type takes.
pub fn size_of_value(types: &Types, ty: ValueType) -> u64 {
    match ty {
        ValueType::Any | ValueType::Bool | ValueType::Int(IntType::Unbounded) => 1,
        ValueType::Int(IntType::Machine { width, .. }) => u64::from(width.div_ceil(8)),
        // The padding behind 80 bits is none of its business.
        ValueType::Float(float) => u64::from(float.bits() / 8),
        ValueType::Function | ValueType::Pointer(_) | ValueType::Null | ValueType::Address => {
            types.pointer_size()
        }
        ValueType::Aggregate(ty) => types.size_of(ty),
    }
}

/// The first bit of a field, and how many bits it has.
fn extent(types: &Types, field: &RecordField) -> (u64, u64) {
    let start = field.offset.saturating_mul(8);
    match (field.first_bit, types.get(field.ty)) {
        (Some(first), Type::Int(IntType::Machine { width, .. })) => {
            (start.saturating_add(u64::from(first)), u64::from(*width))
        }
        _ => (start, types.size_of(field.ty).saturating_mul(8)),
    }
}

/// The fields of a record that do not overlap an earlier one of these, in the order of their places.
fn covering<'t>(types: &Types, record: &'t RecordType) -> Vec<&'t RecordField> {
    let mut fields: Vec<_> = record.fields.iter().map(|f| (extent(types, f), f)).collect();
    fields.sort_by_key(|((start, size), _)| (*start, Reverse(*size)));
    let mut covered = 0;
    fields.retain(|((start, size), _)| {
        let free = *start >= covered;
        if free {
            covered = start.saturating_add(*size);
        }
        free
    });
    fields.into_iter().map(|(_, field)| field).collect()
}

/// The scalars of an object, in order: the first bit and the number of bits.
pub struct Scalars<'t> {
    types: &'t Types,
    /// Parts that are still to come, the next one last: where they start, and how often they are
    /// repeated.
    open: Vec<(u64, Part, u64)>,
}

#[derive(Clone, Copy)]
enum Part {
    Typed(TypeId),
    Bits(u64),
}

impl<'t> Scalars<'t> {
    /// Those of `count` elements of type `element`.
    pub fn new(types: &'t Types, element: TypeId, count: u64) -> Self {
        Scalars { types, open: vec![(0, Part::Typed(element), count)] }
    }
}

impl Iterator for Scalars<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        loop {
            let (start, part, count) = self.open.pop()?;
            let Some(more) = count.checked_sub(1) else {
                continue;
            };
            let ty = match part {
                Part::Bits(size) => return Some((start, size)),
                Part::Typed(ty) => ty,
            };
            let size = 8 * self.types.size_of(ty);
            if more > 0 {
                self.open.push((start + size, part, more));
            }
            match self.types.get(ty) {
                Type::Array { element, length } => {
                    self.open.push((start, Part::Typed(*element), *length));
                }
                Type::Record(record) => {
                    let fields = covering(self.types, self.types.record(*record));
                    for field in fields.into_iter().rev() {
                        let (at, bits) = extent(self.types, field);
                        let part = match field.first_bit {
                            Some(_) => Part::Bits(bits),
                            None => Part::Typed(field.ty),
                        };
                        self.open.push((start + at, part, 1));
                    }
                }
                // Of a size of bytes, the type may use only some.
                Type::Int(IntType::Machine { width, .. }) => {
                    return Some((start, u64::from(*width)));
                }
                Type::Float(float) => return Some((start, u64::from(float.bits()))),
                _ => return Some((start, size)),
            }
        }
    }
}
