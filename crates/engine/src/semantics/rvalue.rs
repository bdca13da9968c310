//! What assignments compute.

use super::{Machine, broken};
use crate::domain::{Contents, Domain, NewObject, Origin};
use crate::state::State;
use crate::value::{Record, Sequence, Value};
use loupe_integer::Integer;
use loupe_ir::program::{
    ArrayKind, BinaryOp, CompareOp, Function, Initial, Operand, Rvalue, UnaryOp,
};
use loupe_ir::types::{Type, TypeId};
use std::rc::Rc;

impl<D: Domain> Machine<'_, D> {
    /// The value that is assigned to a register.
    pub(super) fn rvalue(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        value: &Rvalue,
    ) -> Result<Value<D>, D::Halt> {
        let frame = Self::frame(state)?;
        match value {
            Rvalue::Use(operand) => Ok(self.operand(frame, operand)),
            Rvalue::Binary(BinaryOp::And, a, b) => {
                let (a, b) = (self.bool_operand(frame, a)?, self.bool_operand(frame, b)?);
                Ok(Value::Bool(self.domain.and(&a, &b)))
            }
            Rvalue::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = (self.bool_operand(frame, a)?, self.bool_operand(frame, b)?);
                Ok(Value::Bool(self.domain.or(&a, &b)))
            }
            Rvalue::Binary(op, a, b) => {
                let ty = self.int_type(function, a)?;
                let (a, b) = (self.int_operand(frame, a)?, self.int_operand(frame, b)?);
                Ok(Value::Int(self.domain.binary(*op, ty, &a, &b)?))
            }
            Rvalue::Compare(op, a, b) => Ok(Value::Bool(self.compare(state, *op, a, b)?)),
            Rvalue::Load(place) => self.load(state, function, place),
            Rvalue::Unary(UnaryOp::Not, a) => {
                let a = self.bool_operand(frame, a)?;
                Ok(Value::Bool(self.domain.not(&a)))
            }
            Rvalue::Unary(op, a) => {
                let ty = self.int_type(function, a)?;
                let a = self.int_operand(frame, a)?;
                Ok(Value::Int(self.domain.unary(*op, ty, &a)?))
            }
            Rvalue::Convert(a, ty) => {
                let a = self.operand(frame, a);
                self.convert(a, *ty)
            }
            Rvalue::Downcast(a, _) => Ok(self.operand(frame, a)),
            Rvalue::AddressOf(place) => {
                Ok(Value::Pointer(self.address_of(state, function, place)?))
            }
            Rvalue::Offset { pointer, index, element } => {
                let pointer = self.pointer_operand(frame, pointer)?;
                let index = self.int_operand(frame, index)?.into_owned();
                Ok(Value::Pointer(self.advance_elements(&pointer, &index, *element)?))
            }
            Rvalue::Allocate { element, count, initial } => {
                let count = self.int_operand(frame, count)?.into_owned();
                let contents = match initial {
                    Initial::Uninitialised => Contents::Uninitialised,
                    Initial::Zero => Contents::Zero,
                    Initial::Value(value) => Contents::Repeat(self.operand(frame, value)),
                };
                let new = NewObject { element: *element, count, contents, origin: Origin::Heap };
                let types = &self.program.types;
                Ok(Value::Pointer(self.domain.allocate(types, &mut state.memory, new)?))
            }
            Rvalue::Array(kind, elements) => {
                let elements = elements.iter().map(|e| self.operand(frame, e)).collect();
                self.array(state, *kind, elements)
            }
            Rvalue::Record(fields) => {
                self.domain.spend(fields.len())?;
                let fields = fields.iter().map(|(name, e)| (*name, self.operand(frame, e)));
                Ok(Value::Record(Rc::new(Record { fields: fields.collect() })))
            }
            Rvalue::Input(ty) => {
                let ty = self.int_type_of(*ty)?;
                Ok(Value::Int(self.domain.input(&mut state.streams, ty)?))
            }
            Rvalue::Undefined(ty) => {
                let ty = self.int_type_of(*ty)?;
                Ok(Value::Int(self.domain.undefined(&mut state.streams, ty)?))
            }
        }
    }

    fn array(
        &mut self,
        state: &mut State<D>,
        kind: ArrayKind,
        elements: Vec<Value<D>>,
    ) -> Result<Value<D>, D::Halt> {
        self.domain.spend(elements.len())?;
        match kind {
            ArrayKind::Value => Ok(Value::Sequence(Rc::new(Sequence { values: elements }))),
            ArrayKind::Reference => {
                let count = self.domain.int(&Integer::from(elements.len()));
                let contents = Contents::List(elements);
                let new = NewObject { element: TypeId::ANY, count, contents, origin: Origin::Heap };
                let types = &self.program.types;
                Ok(Value::Array(self.domain.allocate(types, &mut state.memory, new)?))
            }
        }
    }

    fn convert(&mut self, value: Value<D>, to: TypeId) -> Result<Value<D>, D::Halt> {
        match (value, self.program.types.get(to)) {
            (Value::Int(a), Type::Int(to)) => Ok(Value::Int(self.domain.wrap(*to, &a))),
            (Value::Bool(a), Type::Int(to)) => {
                let a = self.domain.int_of_bool(&a);
                Ok(Value::Int(self.domain.wrap(*to, &a)))
            }
            (Value::Int(a), Type::Bool) => {
                let zero = self.domain.int(&Integer::ZERO);
                Ok(Value::Bool(self.domain.compare(CompareOp::Ne, &a, &zero)))
            }
            (
                value @ (Value::Pointer(_) | Value::Function(_)),
                Type::Pointer(_) | Type::Function,
            ) => Ok(value),
            (value, to) => Err(broken::<D>(format!("{value:?} cannot become {to:?}"))),
        }
    }

    fn compare(
        &mut self,
        state: &mut State<D>,
        op: CompareOp,
        a: &Operand,
        b: &Operand,
    ) -> Result<D::Bool, D::Halt> {
        let frame = Self::frame(state)?;
        match (self.operand(frame, a), self.operand(frame, b)) {
            (Value::Int(a), Value::Int(b)) => Ok(self.domain.compare(op, &a, &b)),
            (Value::Pointer(a), Value::Pointer(b)) => self.domain.compare_pointers(op, &a, &b),
            (Value::Bool(a), Value::Bool(b)) => {
                let (a, b) = (self.domain.int_of_bool(&a), self.domain.int_of_bool(&b));
                Ok(self.domain.compare(op, &a, &b))
            }
            (a, b) => self.compare_functions(op, &a, &b),
        }
    }

    /// Functions are equal to themselves only; none is null.
    fn compare_functions(
        &mut self,
        op: CompareOp,
        a: &Value<D>,
        b: &Value<D>,
    ) -> Result<D::Bool, D::Halt> {
        let same = match (a, b) {
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Function(_), Value::Pointer(_)) | (Value::Pointer(_), Value::Function(_)) => {
                false
            }
            (a, b) => return Err(broken::<D>(format!("{a:?} and {b:?} are not comparable"))),
        };
        match op {
            CompareOp::Eq => Ok(self.domain.bool(same)),
            CompareOp::Ne => Ok(self.domain.bool(!same)),
            _ => Err(broken::<D>("functions have no order")),
        }
    }
}
