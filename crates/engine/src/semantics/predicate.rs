//! What checks demand.

use super::{Machine, broken};
use crate::domain::{Domain, Right};
use crate::state::State;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::Predicate;
use loupe_ir::program::{CompareOp, Function, Operand, Place};
use loupe_ir::types::{FloatType, IntType, Tag, Type, TypeId, Types};

impl<D: Domain> Machine<'_, D> {
    /// Whether a predicate holds in a state.
    pub fn predicate(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        predicate: &Predicate,
    ) -> Result<D::Bool, D::Halt> {
        match predicate {
            Predicate::Never(_) => Ok(self.domain.bool(false)),
            Predicate::Holds(condition) => self.bool_operand(Self::frame(state)?, condition),
            Predicate::NonZero(value) => {
                let value = self.int_operand(Self::frame(state)?, value)?;
                let zero = self.domain.int(&Integer::ZERO);
                Ok(self.domain.compare(CompareOp::Ne, &value, &zero))
            }
            Predicate::NonNull(value) => self.non_null(state, value),
            Predicate::Initialised(place) => self.initialised(state, function, place),
            Predicate::Is(place, tag) => self.has_tag(state, function, place, *tag),
            Predicate::IsNot(place, tag) => {
                let is = self.has_tag(state, function, place, *tag)?;
                Ok(self.domain.not(&is))
            }
            Predicate::HasField(place, name) => match self.load(state, function, place)? {
                Value::Record(record) => Ok(self.domain.bool(record.position(*name).is_some())),
                other => Err(broken::<D>(format!("{other:?} is no record"))),
            },
            Predicate::InBounds { array, index } => {
                let length = match self.load(state, function, array)? {
                    Value::Array(first) => self.domain.length(&state.memory, &first),
                    Value::Sequence(elements) => {
                        self.domain.int(&Integer::from(elements.values.len()))
                    }
                    other => return Err(broken::<D>(format!("{other:?} is no array"))),
                };
                self.in_range(state, index, &length)
            }
            Predicate::InRange { index, length } => {
                let length = self.int_operand(Self::frame(state)?, length)?.into_owned();
                self.in_range(state, index, &length)
            }
            Predicate::Takes(callee, count) => match self.operand(Self::frame(state)?, callee)? {
                Value::Function(callee) => {
                    let params = self.program.function(callee).params;
                    Ok(self.domain.bool(params == *count as usize))
                }
                other => Err(broken::<D>(format!("{other:?} is no function"))),
            },
            Predicate::Comparable(a, b) => {
                let frame = Self::frame(state)?;
                let (a, b) = (self.operand(frame, a)?.tag(), self.operand(frame, b)?.tag());
                let comparable = a == b && matches!(a, Some(Tag::Number | Tag::Pointer));
                Ok(self.domain.bool(comparable))
            }
            Predicate::Fits(op, a, b) => {
                let ty = self.int_type(function, a)?;
                let frame = Self::frame(state)?;
                let (a, b) = (self.int_operand(frame, a)?, self.int_operand(frame, b)?);
                Ok(self.domain.fits(*op, ty, &a, &b))
            }
            Predicate::Representable(value, to) => {
                let from = self.float_type(function, value)?;
                let value = self.operand(Self::frame(state)?, value)?;
                let to = self.int_type_of(*to)?;
                self.domain.representable(from, &value, to)
            }
            Predicate::Accepts { function, arguments, result } => {
                self.accepts(state, function, arguments, *result)
            }
            about_memory => self.memory_predicate(state, about_memory),
        }
    }

    fn memory_predicate(
        &mut self,
        state: &mut State<D>,
        predicate: &Predicate,
    ) -> Result<D::Bool, D::Halt> {
        let frame = Self::frame(state)?;
        match predicate {
            Predicate::Accessible(pointer, ty) | Predicate::Writable(pointer, ty) => {
                let pointer = self.pointer_operand(frame, pointer)?;
                let size = self.domain.int(&Integer::from(self.program.types.size_of(*ty)));
                Ok(self.domain.accessible(&state.memory, &pointer, &size, right(predicate)))
            }
            Predicate::AccessibleRange { pointer, count }
            | Predicate::WritableRange { pointer, count } => {
                let pointer = self.pointer_operand(frame, pointer)?;
                let count = self.int_operand(frame, count)?.into_owned();
                Ok(self.domain.accessible(&state.memory, &pointer, &count, right(predicate)))
            }
            Predicate::Disjoint { left, right, count } => {
                let left = self.pointer_operand(frame, left)?;
                let right = self.pointer_operand(frame, right)?;
                let count = self.int_operand(frame, count)?.into_owned();
                Ok(self.domain.disjoint(&state.memory, &left, &right, &count))
            }
            Predicate::SameObject(left, right) => {
                let left = self.pointer_operand(frame, left)?;
                let right = self.pointer_operand(frame, right)?;
                Ok(self.domain.same_object(&state.memory, &left, &right))
            }
            Predicate::InObject { pointer, index, element } => {
                let pointer = self.pointer_operand(frame, pointer)?;
                let index = self.int_operand(frame, index)?;
                let units = self.units(&index, *element)?;
                Ok(self.domain.in_object(&state.memory, &pointer, &units))
            }
            Predicate::Freeable(pointer) => {
                let pointer = self.pointer_operand(frame, pointer)?;
                self.domain.freeable(&state.memory, &pointer)
            }
            Predicate::Tracked(calls) => self.tracked(state, *calls),
            Predicate::AllFreed => {
                let is_empty = self.domain.allocated(&state.memory).is_empty();
                Ok(self.domain.bool(is_empty))
            }
            other => Err(broken::<D>(format!("{other:?} is not about memory"))),
        }
    }

    /// Whether a function can be called as if it had these types.
    fn accepts(
        &mut self,
        state: &mut State<D>,
        function: &Operand,
        arguments: &[TypeId],
        result: Option<TypeId>,
    ) -> Result<D::Bool, D::Halt> {
        let function = match self.operand(Self::frame(state)?, function)? {
            Value::Function(function) => self.program.function(function),
            // An address where no function is.
            Value::Pointer(_) => return Ok(self.domain.bool(false)),
            other => return Err(broken::<D>(format!("{other:?} is no function"))),
        };
        let types = &self.program.types;
        let alike = |a: TypeId, b: TypeId| class(types, a) == class(types, b);
        let parameters = &function.locals[..function.params];
        let fits = parameters.len() == arguments.len()
            && parameters.iter().zip(arguments).all(|(p, a)| alike(p.ty, *a))
            && result.is_none_or(|wanted| function.result.is_some_and(|r| alike(r, wanted)));
        Ok(self.domain.bool(fits))
    }

    fn non_null(&mut self, state: &mut State<D>, value: &Operand) -> Result<D::Bool, D::Halt> {
        match self.operand(Self::frame(state)?, value)? {
            Value::Function(_) => Ok(self.domain.bool(true)),
            Value::Pointer(pointer) => {
                let null = self.domain.is_null(&state.memory, &pointer);
                Ok(self.domain.not(&null))
            }
            other => Err(broken::<D>(format!("{other:?} is no pointer"))),
        }
    }

    fn has_tag(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        place: &Place,
        tag: Tag,
    ) -> Result<D::Bool, D::Halt> {
        let value = self.load(state, function, place)?;
        Ok(self.domain.bool(value.tag() == Some(tag)))
    }

    fn in_range(
        &mut self,
        state: &mut State<D>,
        index: &Operand,
        length: &D::Int,
    ) -> Result<D::Bool, D::Halt> {
        let index = self.int_operand(Self::frame(state)?, index)?;
        let zero = self.domain.int(&Integer::ZERO);
        let low = self.domain.compare(CompareOp::Ge, &index, &zero);
        let high = self.domain.compare(CompareOp::Lt, &index, length);
        Ok(self.domain.and(&low, &high))
    }
}

/// What somebody wants to do with memory who asks for this.
fn right(predicate: &Predicate) -> Right {
    match predicate {
        Predicate::Writable(..) | Predicate::WritableRange { .. } => Right::Write,
        _ => Right::Read,
    }
}

/// What types that are passed in the same way have in common.
#[derive(PartialEq, Eq)]
enum Class {
    Int(u32),
    Pointer,
    Float(FloatType),
    Aggregate(u64),
    Other(TypeId),
}

fn class(types: &Types, ty: TypeId) -> Class {
    match types.get(ty) {
        Type::Int(IntType::Machine { width, .. }) => Class::Int(*width),
        Type::Pointer(_) | Type::Function => Class::Pointer,
        Type::Float(float) => Class::Float(*float),
        Type::Array { .. } | Type::Record(_) => Class::Aggregate(types.size_of(ty)),
        Type::Any | Type::Bool | Type::Int(IntType::Unbounded) => Class::Other(ty),
    }
}
