//! Initialisers of objects that exist before the program runs.

use super::link::{Linker, UnitIndex};
use super::types::{float_type, int_type, pointer_width};
use crate::tree::{ExprId, ExprKind, Initial, Storage, TypeKind, Unit};
use loupe_integer::Integer;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::{Const, GlobalId};
use loupe_ir::types::IntType;
use std::collections::BTreeMap;

/// A constant under construction.
#[derive(Clone, Debug)]
enum Value {
    Int(Integer),
    Float(u128),
    Function(loupe_ir::program::FunctionId),
    Address(GlobalId, i64),
}

/// The initial scalars of an object. Later entries replace earlier ones at the same place; bit-fields are
/// gathered in bytes.
pub(super) fn initial(
    linker: &mut Linker<'_>,
    index: UnitIndex,
    entries: &[Initial],
) -> Vec<(u64, Const)> {
    let unit = linker.unit(index);
    let mut scalars: BTreeMap<u64, Const> = BTreeMap::new();
    let mut bits: BTreeMap<u64, u8> = BTreeMap::new();
    for entry in entries {
        let expr = unit.expr(entry.value);
        if let ExprKind::String(string) = &expr.kind {
            string_at(&unit, *string, expr.ty, entry.offset, &mut scalars);
            continue;
        }
        if let Some(nested) = compound(&unit, entry.value) {
            let inner = initial(linker, index, nested);
            scalars.extend(inner.into_iter().map(|(offset, value)| (entry.offset + offset, value)));
            continue;
        }
        if let ExprKind::Unsupported(what) = &expr.kind {
            linker.error(Diagnostic::error(expr.span, format!("not modelled: {what}")));
            continue;
        }
        let Some(value) = evaluate(linker, index, entry.value) else {
            let error = Diagnostic::error(
                expr.span,
                "this is not a constant that Loupe can evaluate",
            )
            .help("an object that exists before the program runs needs a constant initialiser");
            linker.error(error);
            continue;
        };
        match (entry.bits, value) {
            (Some(field), Value::Int(value)) => {
                for bit in 0..field.width {
                    let set = !value.shift_right(bit).bit_and(&Integer::ONE).is_zero();
                    let at = field.first + bit;
                    let byte = bits.entry(entry.offset + u64::from(at / 8)).or_default();
                    let mask = 1 << (at % 8);
                    *byte = if set { *byte | mask } else { *byte & !mask };
                }
            }
            (_, value) => {
                scalars.insert(entry.offset, as_const(linker, &unit, index, entry.value, value));
            }
        }
    }
    let byte = IntType::unsigned(8);
    scalars.extend(
        bits.into_iter().map(|(at, value)| (at, Const::Int(Integer::from(i64::from(value)), byte))),
    );
    scalars.into_iter().collect()
}

/// The entries of a compound literal that is copied as a whole.
fn compound(unit: &Unit, id: ExprId) -> Option<&[Initial]> {
    let mut id = id;
    loop {
        match &unit.expr(id).kind {
            ExprKind::Load { place, .. } => id = *place,
            ExprKind::CompoundLiteral(object) | ExprKind::Object(object) => {
                let is_whole = matches!(
                    unit.ty(unit.expr(id).ty).kind,
                    TypeKind::Record(_) | TypeKind::Array { .. }
                );
                return unit.object(*object).initial.as_deref().filter(|_| is_whole);
            }
            _ => return None,
        }
    }
}

fn string_at(
    unit: &Unit,
    string: crate::tree::StringId,
    ty: crate::tree::TypeId,
    offset: u64,
    scalars: &mut BTreeMap<u64, Const>,
) {
    let literal = unit.string(string);
    let room = match &unit.ty(ty).kind {
        TypeKind::Array { length: crate::tree::Length::Fixed(length), .. } => *length as usize,
        _ => literal.elements.len(),
    };
    let int = match literal.unit {
        1 => IntType::signed(8),
        size => IntType::unsigned(size * 8),
    };
    for (number, value) in literal.elements.iter().enumerate().take(room) {
        let at = offset + number as u64 * u64::from(literal.unit);
        let value = int.wrap(Integer::from(i64::from(*value)));
        scalars.insert(at, Const::Int(value, int));
    }
}

fn as_const(
    linker: &mut Linker<'_>,
    unit: &Unit,
    index: UnitIndex,
    id: ExprId,
    value: Value,
) -> Const {
    let ty = unit.expr(id).ty;
    match value {
        Value::Function(function) => Const::Function(function),
        Value::Address(global, offset) => Const::Address(global, offset),
        Value::Float(bits) => match unit.ty(ty).kind {
            TypeKind::Float(float) => Const::Float(bits, float_type(float)),
            _ => Const::Int(Integer::ZERO, IntType::unsigned(8)),
        },
        Value::Int(value) => {
            let pointer = IntType::unsigned(pointer_width(linker.options.data_model));
            let is_pointer = matches!(unit.ty(ty).kind, TypeKind::Pointer(_));
            if is_pointer && value.is_zero() {
                return Const::Null;
            }
            let _ = index;
            let int = int_type(unit, ty).unwrap_or(pointer);
            Const::Int(int.wrap(value), int)
        }
    }
}

fn evaluate(linker: &mut Linker<'_>, index: UnitIndex, id: ExprId) -> Option<Value> {
    let unit = linker.unit(index);
    let expr = unit.expr(id);
    match &expr.kind {
        ExprKind::Int(value) => Some(Value::Int(Integer::from(*value))),
        ExprKind::Float(bits) => Some(Value::Float(*bits)),
        ExprKind::Convert(operand) => {
            let value = evaluate(linker, index, *operand)?;
            convert(linker, &unit, *operand, id, value)
        }
        ExprKind::AddressOf(place) | ExprKind::Decay(place) => address(linker, index, *place),
        ExprKind::Function(function) => Some(Value::Function(linker.function(index, *function))),
        ExprKind::PointerAdd { pointer, index: count, is_negative, .. } => {
            let base = evaluate(linker, index, *pointer)?;
            let Value::Int(count) = evaluate(linker, index, *count)? else { return None };
            let TypeKind::Pointer(target) = unit.ty(expr.ty).kind else { return None };
            let size = unit.ty(target).size.unwrap_or(1);
            let bytes = count.mul(&Integer::from(size as usize));
            let bytes = if *is_negative { bytes.neg() } else { bytes };
            match base {
                Value::Address(global, offset) => {
                    Some(Value::Address(global, offset.checked_add(bytes.to_i64()?)?))
                }
                Value::Int(base) => Some(Value::Int(base.add(&bytes))),
                Value::Float(_) | Value::Function(_) => None,
            }
        }
        ExprKind::PointerDifference { left, right } => {
            let (left, right) = (evaluate(linker, index, *left)?, evaluate(linker, index, *right)?);
            let (Value::Address(a, from), Value::Address(b, to)) = (left, right) else {
                return None;
            };
            (a == b).then(|| Value::Int(Integer::from(from - to)))
        }
        ExprKind::LabelAddress(label) => {
            let (global, offset) = linker.label_address(index, *label)?;
            Some(Value::Address(global, offset))
        }
        ExprKind::Load { place, .. } => {
            // A constant object that was folded nowhere else: `static const int n = 3; int m = n;`.
            let ExprKind::Object(object) = unit.expr(*place).kind else { return None };
            let object = unit.object(object);
            match object.initial.as_deref() {
                Some([only]) if object.is_const && only.offset == 0 && only.bits.is_none() => {
                    evaluate(linker, index, only.value)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn convert(
    linker: &mut Linker<'_>,
    unit: &Unit,
    from: ExprId,
    to: ExprId,
    value: Value,
) -> Option<Value> {
    let to = unit.expr(to).ty;
    let width = pointer_width(linker.options.data_model);
    match (&unit.ty(to).kind, value) {
        (TypeKind::Bool, Value::Int(value)) => Some(Value::Int(Integer::from(!value.is_zero()))),
        (TypeKind::Bool, Value::Address(..) | Value::Function(_)) => Some(Value::Int(Integer::ONE)),
        (TypeKind::Int { .. }, Value::Int(value)) => {
            Some(Value::Int(int_type(unit, to)?.wrap(value)))
        }
        // An address keeps its meaning in an integer that can hold it.
        (TypeKind::Int { width: bits, .. }, value @ (Value::Address(..) | Value::Function(_))) => {
            (*bits >= width).then_some(value)
        }
        (TypeKind::Pointer(_), Value::Int(value)) => {
            let _ = from;
            Some(Value::Int(IntType::unsigned(width).wrap(value)))
        }
        (TypeKind::Pointer(_), value) => Some(value),
        (TypeKind::Float(to), Value::Float(bits)) => match unit.ty(unit.expr(from).ty).kind {
            TypeKind::Float(from) if from == *to => Some(Value::Float(bits)),
            _ => None,
        },
        _ => None,
    }
}

/// The address of a place that exists before the program runs.
fn address(linker: &mut Linker<'_>, index: UnitIndex, id: ExprId) -> Option<Value> {
    let unit = linker.unit(index);
    let expr = unit.expr(id);
    match &expr.kind {
        ExprKind::Object(object) | ExprKind::CompoundLiteral(object) => {
            let storage = unit.object(*object).storage;
            matches!(storage, Storage::External | Storage::Static)
                .then(|| Value::Address(linker.global(index, *object), 0))
        }
        ExprKind::Function(function) => Some(Value::Function(linker.function(index, *function))),
        ExprKind::String(string) => {
            Some(Value::Address(linker.string(index, *string, expr.span), 0))
        }
        ExprKind::Member { base, field } => {
            let TypeKind::Record(record) = unit.ty(unit.expr(*base).ty).kind else { return None };
            let offset =
                i64::try_from(unit.record(record).fields.get(*field as usize)?.offset).ok()?;
            match address(linker, index, *base)? {
                Value::Address(global, base) => Some(Value::Address(global, base + offset)),
                Value::Int(base) => Some(Value::Int(base.add(&Integer::from(offset)))),
                Value::Float(_) | Value::Function(_) => None,
            }
        }
        ExprKind::Deref(pointer) => evaluate(linker, index, *pointer),
        ExprKind::Subscript { base, index: count } => {
            let base = evaluate(linker, index, *base)?;
            let Value::Int(count) = evaluate(linker, index, *count)? else { return None };
            let bytes = count.mul(&Integer::from(unit.ty(expr.ty).size? as usize));
            match base {
                Value::Address(global, offset) => {
                    Some(Value::Address(global, offset.checked_add(bytes.to_i64()?)?))
                }
                Value::Int(base) => Some(Value::Int(base.add(&bytes))),
                Value::Float(_) | Value::Function(_) => None,
            }
        }
        _ => None,
    }
}
