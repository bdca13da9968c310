//! What checks demand.

use super::{Machine, broken};
use crate::domain::Domain;
use crate::state::State;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::Predicate;
use loupe_ir::program::{CompareOp, Function, Operand, Place};
use loupe_ir::types::Tag;

impl<D: Domain> Machine<'_, D> {
    /// Whether a predicate holds in a state.
    pub fn predicate(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        predicate: &Predicate,
    ) -> Result<D::Bool, D::Halt> {
        match predicate {
            Predicate::Holds(condition) => self.bool_operand(Self::frame(state)?, condition),
            Predicate::NonZero(value) => {
                let value = self.int_operand(Self::frame(state)?, value)?;
                let zero = self.domain.int(&Integer::ZERO);
                Ok(self.domain.compare(CompareOp::Ne, &value, &zero))
            }
            Predicate::NonNull(value) => self.non_null(state, value),
            Predicate::Initialised(place) => {
                let value = self.load(state, function, place)?;
                Ok(self.domain.bool(!matches!(value, Value::Uninitialised)))
            }
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
            Predicate::Takes(callee, count) => match self.operand(Self::frame(state)?, callee) {
                Value::Function(callee) => {
                    let params = self.program.function(callee).params;
                    Ok(self.domain.bool(params == *count as usize))
                }
                other => Err(broken::<D>(format!("{other:?} is no function"))),
            },
            Predicate::Comparable(a, b) => {
                let frame = Self::frame(state)?;
                let (a, b) = (self.operand(frame, a).tag(), self.operand(frame, b).tag());
                let comparable = a == b && matches!(a, Some(Tag::Number | Tag::Pointer));
                Ok(self.domain.bool(comparable))
            }
            Predicate::Fits(op, a, b) => {
                let ty = self.int_type(function, a)?;
                let frame = Self::frame(state)?;
                let (a, b) = (self.int_operand(frame, a)?, self.int_operand(frame, b)?);
                Ok(self.domain.fits(*op, ty, &a, &b))
            }
            Predicate::Accessible(pointer, ty) => {
                let pointer = self.pointer_operand(Self::frame(state)?, pointer)?;
                Ok(self.domain.accessible(&self.program.types, &state.memory, &pointer, *ty))
            }
            Predicate::Freeable(pointer) => {
                let pointer = self.pointer_operand(Self::frame(state)?, pointer)?;
                Ok(self.domain.freeable(&state.memory, &pointer))
            }
        }
    }

    fn non_null(&mut self, state: &mut State<D>, value: &Operand) -> Result<D::Bool, D::Halt> {
        match self.operand(Self::frame(state)?, value) {
            Value::Function(_) => Ok(self.domain.bool(true)),
            Value::Pointer(pointer) => {
                let null = self.domain.is_null(&pointer);
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
