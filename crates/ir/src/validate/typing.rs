//! The types of operands, places and results.
//!
//! These functions look at no more than they need to find a type; that all the rest is in order is
//! for [`validate`](super::validate) to say, after which none of them fails.

use super::rules::{Rule, Violation};
use crate::program::{
    Base, Const, Function, GlobalId, Local, LocalId, Operand, Place, Program, Projection, Rvalue,
    Storage,
};
use crate::text::print_type;
use crate::types::{FloatType, IntType, Type, TypeId, Types};

/// The type of a value.
///
/// Unlike a [`TypeId`], it need not be in the table of types: a constant or a result may have a
/// type that no variable of the program has. And it knows null, whose type is that of any pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A dynamic value.
    Any,
    /// A truth value.
    Bool,
    /// An integer.
    Int(IntType),
    /// A floating point number.
    Float(FloatType),
    /// A function, or null.
    Function,
    /// A pointer to an object of this type, or null.
    Pointer(TypeId),
    /// Null: it belongs to every type of pointers, to functions, and to `any`.
    Null,
    /// A constant pointer into a global: it belongs to every type of pointers.
    Address,
    /// An array or record of this type.
    Aggregate(TypeId),
}

impl ValueType {
    /// The type of the values of `id`, which must exist.
    pub fn of(types: &Types, id: TypeId) -> Self {
        match types.get(id) {
            Type::Any => ValueType::Any,
            Type::Bool => ValueType::Bool,
            Type::Int(int) => ValueType::Int(*int),
            Type::Float(float) => ValueType::Float(*float),
            Type::Function => ValueType::Function,
            Type::Pointer(target) => ValueType::Pointer(*target),
            Type::Array { .. } | Type::Record(_) => ValueType::Aggregate(id),
        }
    }

    /// Whether a value of this type can be put where one of type `target` is expected.
    pub fn fits(self, target: ValueType) -> bool {
        match target {
            ValueType::Any => {
                !matches!(self, ValueType::Bool | ValueType::Float(_) | ValueType::Aggregate(_))
            }
            // A pointer into a global is one to whatever the program takes it for.
            ValueType::Pointer(_) if self == ValueType::Address => true,
            ValueType::Function | ValueType::Pointer(_) if self == ValueType::Null => true,
            _ => self == target,
        }
    }

    /// Whether values of this type are pointers; null is.
    pub fn is_pointer(self) -> bool {
        matches!(self, ValueType::Pointer(_) | ValueType::Null | ValueType::Address)
    }

    /// Whether values of this type are neither arrays nor records.
    pub fn is_scalar(self) -> bool {
        !matches!(self, ValueType::Aggregate(_))
    }

    /// The integers of this type, if it is one of integers.
    pub fn as_int(self) -> Option<IntType> {
        match self {
            ValueType::Int(int) => Some(int),
            _ => None,
        }
    }

    /// The type as the textual form writes it.
    pub fn print(self, program: &Program) -> String {
        match self {
            ValueType::Any => "any".to_owned(),
            ValueType::Bool => "bool".to_owned(),
            ValueType::Int(int) => int.to_string(),
            ValueType::Float(float) => float.name().to_owned(),
            ValueType::Function => "fn".to_owned(),
            ValueType::Pointer(target) => format!("ptr {}", print_type(program, target)),
            ValueType::Null => "null".to_owned(),
            ValueType::Address => "address".to_owned(),
            ValueType::Aggregate(id) => print_type(program, id),
        }
    }
}

/// The local with this number.
pub(super) fn local(function: &Function, id: LocalId) -> Result<&Local, Violation> {
    function.locals.get(id.index()).ok_or_else(|| {
        let count = function.locals.len();
        Violation::new(Rule::LocalExists, format!("%{} is none of the {count} locals", id.0))
    })
}

/// That the type exists.
pub(super) fn type_exists(types: &Types, id: TypeId) -> Result<(), Violation> {
    if types.contains(id) {
        return Ok(());
    }
    Err(Violation::new(Rule::TypeExists, format!("there is no type number {}", id.0)))
}

/// The type of a local.
fn local_type(program: &Program, function: &Function, id: LocalId) -> Result<TypeId, Violation> {
    let ty = local(function, id)?.ty;
    type_exists(&program.types, ty)?;
    Ok(ty)
}

/// The type of a global.
fn global_type(program: &Program, id: GlobalId) -> Result<TypeId, Violation> {
    let global = program.globals.get(id.index()).ok_or_else(|| {
        let count = program.globals.len();
        Violation::new(Rule::GlobalExists, format!("%{} is none of the {count} globals", id.0))
    })?;
    type_exists(&program.types, global.ty)?;
    Ok(global.ty)
}

/// The type of a constant.
pub fn const_type(value: &Const) -> ValueType {
    match value {
        Const::Int(_, int) => ValueType::Int(*int),
        Const::Bool(_) => ValueType::Bool,
        Const::Float(_, float) => ValueType::Float(*float),
        Const::Null => ValueType::Null,
        Const::Address(..) => ValueType::Address,
        Const::Function(_) => ValueType::Function,
    }
}

/// The type of an operand of `function`.
///
/// # Errors
///
/// If the operand is a local that does not exist.
pub fn operand_type(
    program: &Program,
    function: &Function,
    operand: &Operand,
) -> Result<ValueType, Violation> {
    match operand {
        Operand::Local(id) => {
            Ok(ValueType::of(&program.types, local_type(program, function, *id)?))
        }
        Operand::Const(value) => Ok(const_type(value)),
    }
}

/// The type of what stands at a place of `function`.
///
/// # Errors
///
/// If the place goes through something that does not exist, or that has no such parts.
pub fn place_type(
    program: &Program,
    function: &Function,
    place: &Place,
) -> Result<TypeId, Violation> {
    let base = base_type(program, function, place.base)?;
    let register = match place.base {
        Base::Local(id) => function.local(id).storage == Storage::Register,
        Base::Global(_) => false,
    };
    let first = place.projections.first();
    let parts = matches!(first, Some(Projection::Field(_) | Projection::Index(_)));
    if register && parts && !program.types.is_scalar(base) {
        let message = "a struct or array in a register is read and written as a whole";
        return Err(Violation::new(Rule::PartsInMemory, message));
    }
    place.projections.iter().try_fold(base, |ty, step| projected_type(program, ty, step))
}

/// The type of the start of a place.
///
/// # Errors
///
/// If it does not exist.
pub fn base_type(program: &Program, function: &Function, base: Base) -> Result<TypeId, Violation> {
    match base {
        Base::Local(id) => local_type(program, function, id),
        Base::Global(id) => global_type(program, id),
    }
}

/// The type of a part of what has the type `whole`, which must exist.
///
/// # Errors
///
/// If there is no such part.
pub fn projected_type(
    program: &Program,
    whole: TypeId,
    projection: &Projection,
) -> Result<TypeId, Violation> {
    let types = &program.types;
    let wrong = |rule, what: &str| {
        Violation::new(rule, format!("`{}` has no {what}", print_type(program, whole)))
    };
    let part = match (projection, types.get(whole)) {
        (Projection::Deref, Type::Pointer(target)) => *target,
        (Projection::Deref, _) => return Err(wrong(Rule::DerefOfPointer, "target")),
        (Projection::Field(field), Type::Record(id)) => {
            let record = types.records().get(id.0 as usize).ok_or_else(|| {
                Violation::new(Rule::RecordExists, format!("there is no record {}", id.0))
            })?;
            let field = record.fields.get(*field as usize).ok_or_else(|| {
                Violation::new(
                    Rule::FieldExists,
                    format!("`{}` has no field {field}", print_type(program, whole)),
                )
            })?;
            field.ty
        }
        (Projection::Field(_), _) => return Err(wrong(Rule::FieldOfRecord, "numbered fields")),
        (Projection::Index(_), Type::Array { element, .. }) => *element,
        (Projection::Index(_) | Projection::Named(_), Type::Any) => TypeId::ANY,
        (Projection::Index(_), _) => return Err(wrong(Rule::IndexOfArray, "elements")),
        (Projection::Named(_), _) => return Err(wrong(Rule::NamedOfAny, "named fields")),
    };
    type_exists(types, part)?;
    Ok(part)
}

/// The type of what an assignment of `function` computes.
///
/// # Errors
///
/// If it depends on the type of an operand or place that has none.
pub fn rvalue_type(
    program: &Program,
    function: &Function,
    value: &Rvalue,
) -> Result<ValueType, Violation> {
    let of = |id: TypeId| {
        type_exists(&program.types, id)?;
        Ok(ValueType::of(&program.types, id))
    };
    match value {
        Rvalue::Use(value) | Rvalue::Unary(_, value) | Rvalue::Binary(_, value, _) => {
            operand_type(program, function, value)
        }
        Rvalue::Load(place) => of(place_type(program, function, place)?),
        Rvalue::Compare(..) => Ok(ValueType::Bool),
        Rvalue::Convert(_, to) | Rvalue::Downcast(_, to) => of(*to),
        Rvalue::AddressOf(place) => Ok(ValueType::Pointer(place_type(program, function, place)?)),
        Rvalue::Offset { pointer, element, .. } => {
            let pointer = operand_type(program, function, pointer)?;
            let untyped = matches!(pointer, ValueType::Null | ValueType::Address);
            Ok(if untyped { ValueType::Pointer(*element) } else { pointer })
        }
        Rvalue::Difference { result, .. } | Rvalue::ObjectSize { result, .. } => of(*result),
        Rvalue::Allocate { element, .. } => {
            type_exists(&program.types, *element)?;
            Ok(ValueType::Pointer(*element))
        }
        Rvalue::Array(..) | Rvalue::Record(_) => Ok(ValueType::Any),
        Rvalue::Input(ty) | Rvalue::Undefined(ty) => of(*ty),
    }
}
