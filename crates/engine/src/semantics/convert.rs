//! Conversions, and scalars that come from streams.

use super::{Machine, broken};
use crate::domain::Domain;
use crate::state::{Frame, State};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{CompareOp, Function, Operand};
use loupe_ir::source::Span;
use loupe_ir::types::{FloatType, IntType, Type, TypeId};

impl<D: Domain> Machine<'_, D> {
    /// An operand as a value of type `to`.
    pub(super) fn convert(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        operand: &Operand,
        to: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        let value = self.operand(Self::frame(state)?, operand)?;
        match value {
            Value::Int(number) => self.convert_int(state, number, to),
            Value::Bool(truth) => {
                if *self.program.types.get(to) == Type::Bool {
                    return Ok(Value::Bool(truth));
                }
                let number = self.domain.int_of_bool(&truth);
                self.convert_int(state, number, to)
            }
            Value::Float(_) | Value::LongFloat(_) => {
                let from = self.float_type(function, operand)?;
                self.convert_float(from, &value, to)
            }
            Value::Pointer(_) | Value::Function(_) => self.convert_pointer(state, value, to),
            other => Err(broken::<D>(format!("{other:?} cannot become another type"))),
        }
    }

    fn convert_int(
        &mut self,
        state: &mut State<D>,
        number: D::Int,
        to: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        match self.program.types.get(to) {
            Type::Int(to) => Ok(Value::Int(self.domain.wrap(*to, &number))),
            Type::Bool => {
                let zero = self.domain.int(&Integer::ZERO);
                Ok(Value::Bool(self.domain.compare(CompareOp::Ne, &number, &zero)))
            }
            Type::Float(to) => self.domain.float_of_int(&number, *to),
            Type::Pointer(_) | Type::Function => self.domain.pointer_at(&mut state.memory, &number),
            other => Err(broken::<D>(format!("a number cannot become {other:?}"))),
        }
    }

    fn convert_float(
        &mut self,
        from: FloatType,
        value: &Value<D>,
        to: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        match self.program.types.get(to) {
            Type::Int(to) => Ok(Value::Int(self.domain.int_of_float(from, value, *to)?)),
            Type::Bool => {
                let zero = self.domain.float(0, from);
                let differs = self.domain.float_compare(CompareOp::Ne, from, value, &zero)?;
                Ok(Value::Bool(differs))
            }
            Type::Float(to) => self.domain.float_of_float(from, value, *to),
            other => Err(broken::<D>(format!("{value:?} cannot become {other:?}"))),
        }
    }

    fn convert_pointer(
        &mut self,
        state: &mut State<D>,
        value: Value<D>,
        to: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        let pointer = match (self.program.types.get(to), &value) {
            (Type::Pointer(_) | Type::Function, _) => return Ok(value),
            (_, Value::Pointer(pointer)) => pointer.clone(),
            (_, Value::Function(function)) => self.domain.function(*function),
            _ => return Err(broken::<D>(format!("{value:?} is no pointer"))),
        };
        match self.program.types.get(to) {
            Type::Int(to) => {
                let address = self.domain.address(&mut state.memory, &pointer)?;
                Ok(Value::Int(self.domain.wrap(*to, &address)))
            }
            Type::Bool => {
                let null = self.domain.is_null(&state.memory, &pointer);
                Ok(Value::Bool(self.domain.not(&null)))
            }
            other => Err(broken::<D>(format!("a pointer cannot become {other:?}"))),
        }
    }

    /// The next input as a value of type `ty`.
    pub(super) fn input(&mut self, state: &mut State<D>, ty: TypeId) -> Result<Value<D>, D::Halt> {
        let bits = self.bits_of(ty)?;
        let place = if D::WANTS_PLACES { self.users_place(state) } else { None };
        let before = state.streams.clone();
        let number = self.domain.input(&mut state.streams, bits, place)?;
        // What cannot be finished has read nothing.
        self.value_of_bits(state, number, ty).inspect_err(|_| state.streams = before)
    }

    /// The next uninitialised value as one of type `ty`.
    pub(super) fn undefined(
        &mut self,
        state: &mut State<D>,
        ty: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        let before = state.streams.clone();
        let number = self.domain.undefined(&mut state.streams, self.bits_of(ty)?)?;
        self.value_of_bits(state, number, ty).inspect_err(|_| state.streams = before)
    }

    /// Where the user's program stands: what a model of a library function does happens where that is
    /// called.
    pub fn users_place(&self, state: &State<D>) -> Option<Span> {
        self.users_place_among(state.calls())
    }

    /// The same where only these calls count, of which the innermost comes first.
    pub fn users_place_among<'s>(&self, calls: impl Iterator<Item = &'s Frame<D>>) -> Option<Span>
    where
        D: 's,
    {
        let sources = &self.program.sources;
        let mut places = calls.map(|frame| {
            let block = self.program.function(frame.function).block(frame.block);
            let current = block.instructions.get(frame.next.saturating_sub(1));
            current.map_or(block.terminator.span, |instruction| instruction.span)
        });
        places.find(|span| sources.is_users(*span))
    }

    /// The integers that stand for values of type `ty` in a stream.
    fn bits_of(&self, ty: TypeId) -> Result<IntType, D::Halt> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(int) => Ok(*int),
            Type::Any => Ok(IntType::Unbounded),
            Type::Bool => Ok(IntType::unsigned(1)),
            Type::Float(float) => Ok(IntType::unsigned(float.bits())),
            Type::Pointer(_) | Type::Function => match u32::try_from(types.pointer_size()) {
                Ok(size @ 1..=8) => Ok(IntType::unsigned(8 * size)),
                _ => Err(broken::<D>("a pointer without a size")),
            },
            other => Err(broken::<D>(format!("{other:?} is no scalar"))),
        }
    }

    fn value_of_bits(
        &mut self,
        state: &mut State<D>,
        number: D::Int,
        ty: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        match self.program.types.get(ty) {
            Type::Float(float) => self.domain.float_of_bits(&number, *float),
            Type::Any => Ok(Value::Int(number)),
            _ => self.convert_int(state, number, ty),
        }
    }
}
