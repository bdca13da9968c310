//! From C's types to those of the flowgraph.
//!
//! `_Bool` is an unsigned byte. `void *` is a pointer to bytes, a pointer to a function is a function. The
//! elements of an array of variable length stand for the array: its pointers point to them. What is not
//! modelled is so many bytes.

use crate::front::DataModel;
use crate::tree::{self, Bits, FloatKind, Length, TypeKind, Unit};
use loupe_integer::Signedness;
use loupe_ir::types::{FloatType, IntType, RecordField, RecordId, RecordType, Type, TypeId, Types};
use std::collections::HashMap;

/// The types of one unit in the flowgraph, as far as they were asked for.
#[derive(Default)]
pub(super) struct UnitTypes {
    types: Vec<Option<TypeId>>,
    records: Vec<Option<RecordShape>>,
}

/// The types of the program, which the units share.
pub(super) struct Shared {
    pub(super) types: Types,
    /// Structs and unions that look the same in several units are one.
    records: HashMap<Key, RecordId>,
}

impl Shared {
    pub(super) fn new(types: Types) -> Self {
        Shared { types, records: HashMap::new() }
    }
}

/// What a struct or union looks like. Two that look the same may still have members that point to
/// different things; a pointer changes its type where that shows.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    name: String,
    size: Option<u64>,
    fields: Vec<(Option<String>, String, u64, Option<Bits>)>,
}

impl Key {
    fn of(unit: &Unit, record: &tree::Record) -> Self {
        let fields = record.fields.iter().map(|field| {
            (field.name.clone(), unit.ty(field.ty).name.clone(), field.offset, field.bits)
        });
        Key { name: record.name.clone(), size: record.size, fields: fields.collect() }
    }
}

/// A record in the flowgraph.
#[derive(Clone)]
struct RecordShape {
    id: RecordId,
    /// The number of each member there; members without bits have none.
    fields: Vec<Option<u32>>,
}

/// Integers as wide as pointers.
pub(super) fn pointer_width(model: DataModel) -> u32 {
    match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    }
}

/// A byte without a sign.
pub(super) const BYTE: IntType = IntType::unsigned(8);

impl UnitTypes {
    /// The type in the flowgraph.
    pub(super) fn get(&mut self, unit: &Unit, types: &mut Shared, ty: tree::TypeId) -> TypeId {
        self.types.resize(unit.types.len(), None);
        if let Some(known) = self.types[ty.index()] {
            return known;
        }
        let id = self.make(unit, types, ty);
        self.types[ty.index()] = Some(id);
        id
    }

    fn make(&mut self, unit: &Unit, types: &mut Shared, ty: tree::TypeId) -> TypeId {
        let tree::Type { kind, size, .. } = unit.ty(ty);
        let made = match kind {
            TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => Type::Int(BYTE),
            TypeKind::Int { width, signedness } => {
                Type::Int(IntType::Machine { width: *width, signedness: *signedness })
            }
            TypeKind::Float(float) => Type::Float(float_type(*float)),
            TypeKind::Pointer(target) => {
                if matches!(unit.ty(*target).kind, TypeKind::Function(_)) {
                    return TypeId::FUNCTION;
                }
                Type::Pointer(self.get(unit, types, *target))
            }
            TypeKind::Array { element, length } => {
                let is_variable = unit.ty(*element).size.is_none()
                    && matches!(unit.ty(*element).kind, TypeKind::Array { .. });
                let element = self.get(unit, types, *element);
                match length {
                    // The innermost elements stand for arrays of arrays of variable length.
                    _ if is_variable => return element,
                    Length::Fixed(length) => Type::Array { element, length: *length },
                    Length::Unknown => Type::Array { element, length: 0 },
                    Length::Variable(_) => return element,
                }
            }
            TypeKind::Record(record) => Type::Record(self.record(unit, types, *record).id),
            TypeKind::Unsupported => {
                let element = types.types.int(BYTE);
                Type::Array { element, length: size.unwrap_or(1) }
            }
        };
        types.types.intern(made)
    }

    /// The number of a member in the flowgraph.
    pub(super) fn field(
        &mut self,
        unit: &Unit,
        types: &mut Shared,
        record: tree::RecordId,
        field: u32,
    ) -> Option<u32> {
        self.record(unit, types, record).fields.get(field as usize).copied().flatten()
    }

    fn record(&mut self, unit: &Unit, types: &mut Shared, id: tree::RecordId) -> RecordShape {
        self.records.resize(unit.records.len(), None);
        if let Some(known) = &self.records[id.index()] {
            return known.clone();
        }
        let record = unit.record(id);
        let size = record.size.unwrap_or(0);
        let mut numbers = Vec::new();
        let mut count = 0;
        for field in &record.fields {
            let exists = field.bits.is_none_or(|bits| bits.width > 0);
            numbers.push(exists.then_some(count));
            count += u32::from(exists);
        }
        let key = Key::of(unit, record);
        if let Some(known) = types.records.get(&key) {
            let shape = RecordShape { id: *known, fields: numbers };
            self.records[id.index()] = Some(shape.clone());
            return shape;
        }
        let name = record.name.clone();
        let made = types.types.add_record(RecordType { name, fields: Vec::new(), size });
        types.records.insert(key, made);
        let shape = RecordShape { id: made, fields: numbers };
        // Known before its members are looked at: they may point to it.
        self.records[id.index()] = Some(shape.clone());
        let mut fields = Vec::new();
        for (number, field) in record.fields.iter().enumerate() {
            let ty = match field.bits {
                Some(bits) if bits.width == 0 => continue,
                Some(bits) => types.types.int(IntType::Machine {
                    width: bits.width,
                    signedness: signedness(unit, field.ty),
                }),
                None => self.get(unit, types, field.ty),
            };
            let name = field.name.clone().unwrap_or_else(|| format!("#{number}"));
            let first_bit = field.bits.map(|bits| bits.first);
            fields.push(RecordField { name, ty, offset: field.offset, first_bit });
        }
        types.types.complete_record(made, fields, size);
        shape
    }
}

/// Whether the numbers of a type have a sign.
fn signedness(unit: &Unit, ty: tree::TypeId) -> Signedness {
    match unit.ty(ty).kind {
        TypeKind::Int { signedness, .. } => signedness,
        _ => Signedness::Unsigned,
    }
}

/// The format in the flowgraph.
pub(super) fn float_type(kind: FloatKind) -> FloatType {
    match kind {
        FloatKind::Single => FloatType::F32,
        FloatKind::Double => FloatType::F64,
        FloatKind::Extended => FloatType::F80,
    }
}

/// The integers of a type, if it is one of integers or `_Bool`.
pub(super) fn int_type(unit: &Unit, ty: tree::TypeId) -> Option<IntType> {
    match unit.ty(ty).kind {
        TypeKind::Int { width, signedness } => Some(IntType::Machine { width, signedness }),
        TypeKind::Bool => Some(BYTE),
        _ => None,
    }
}

/// Whether a type is signed integers.
pub(super) fn is_signed(int: IntType) -> bool {
    matches!(int, IntType::Machine { signedness: Signedness::Signed, .. })
}
