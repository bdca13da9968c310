//! What assignments compute.

use super::{Machine, broken};
use crate::domain::{Contents, Domain, NewList, NewObject, Origin, World};
use crate::state::State;
use crate::value::{Record, Sequence, Value};
use loupe_integer::Integer;
use loupe_ir::program::{
    ArrayKind, BinaryOp, CompareOp, Function, GlobalAccess, Initial, Operand, Region, Rvalue,
    UnaryOp,
};
use loupe_ir::types::{IntType, TypeId};
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
            Rvalue::Use(operand) | Rvalue::Downcast(operand, _) => self.operand(frame, operand),
            Rvalue::Binary(BinaryOp::And, a, b) => {
                let (a, b) = (self.bool_operand(frame, a)?, self.bool_operand(frame, b)?);
                Ok(Value::Bool(self.domain.and(&a, &b)))
            }
            Rvalue::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = (self.bool_operand(frame, a)?, self.bool_operand(frame, b)?);
                Ok(Value::Bool(self.domain.or(&a, &b)))
            }
            Rvalue::Binary(op, a, b) => self.binary(state, function, *op, a, b),
            Rvalue::Compare(op, a, b) => Ok(Value::Bool(self.compare(state, function, *op, a, b)?)),
            Rvalue::Load(place) => self.load(state, function, place),
            Rvalue::Unary(UnaryOp::Not, a) => {
                let a = self.bool_operand(frame, a)?;
                Ok(Value::Bool(self.domain.not(&a)))
            }
            Rvalue::Unary(op, a) => match self.operand(frame, a)? {
                Value::Int(number) => {
                    let ty = self.int_type(function, a)?;
                    Ok(Value::Int(self.domain.unary(*op, ty, &number)?))
                }
                number => self.domain.float_negate(self.float_type(function, a)?, &number),
            },
            Rvalue::Convert(a, ty) => self.convert(state, function, a, *ty),
            Rvalue::AddressOf(place) => {
                Ok(Value::Pointer(self.address_of(state, function, place)?))
            }
            Rvalue::Offset { pointer, index, element } => {
                let pointer = self.pointer_operand(frame, pointer)?;
                let index = self.int_operand(frame, index)?.into_owned();
                Ok(Value::Pointer(self.advance_elements(
                    &state.memory,
                    &pointer,
                    (&index, *element),
                )?))
            }
            Rvalue::Difference { left, right, element, result } => {
                let left = self.pointer_operand(frame, left)?;
                let right = self.pointer_operand(frame, right)?;
                let units = self.domain.difference(&state.memory, &left, &right)?;
                self.elements(&units, *element, *result)
            }
            Rvalue::ObjectSize { pointer, result } => {
                let pointer = self.pointer_operand(frame, pointer)?;
                let size = self.domain.object_size(&state.memory, &pointer)?;
                let result = self.int_type_of(*result)?;
                Ok(Value::Int(self.domain.wrap(result, &size)))
            }
            Rvalue::Allocate { region, element, count, initial } => {
                let count = self.int_operand(frame, count)?.into_owned();
                let origin = match region {
                    Region::Heap => Origin::Heap,
                    Region::Stack | Region::Call => Origin::Stack,
                };
                let contents = match initial {
                    Initial::Uninitialised => Contents::Uninitialised,
                    Initial::Zero => Contents::Zero,
                    Initial::Value(value) => Contents::Repeat(self.operand(frame, value)?),
                    Initial::Linked { link } => {
                        let list = NewList { node: *element, link: *link, count, origin };
                        let State { memory, streams, .. } = state;
                        let world = World { types: &self.program.types, memory, streams };
                        return Ok(Value::Pointer(self.domain.allocate_list(world, list)?));
                    }
                };
                let access = GlobalAccess::ReadWrite;
                let new = NewObject { element: *element, count, contents, origin, access };
                let object = self.allocate(state, new)?;
                if *region == Region::Call {
                    Self::frame(state)?.stack.push(object.clone());
                }
                Ok(Value::Pointer(object))
            }
            Rvalue::Array(kind, elements) => {
                let elements = elements.iter().map(|e| self.operand(frame, e));
                let elements = elements.collect::<Result<_, _>>()?;
                self.array(state, *kind, elements)
            }
            Rvalue::Record(fields) => {
                self.domain.spend(fields.len())?;
                let fields = fields.iter().map(|(name, e)| Ok((*name, self.operand(frame, e)?)));
                let fields = fields.collect::<Result<_, D::Halt>>()?;
                Ok(Value::Record(Rc::new(Record { fields })))
            }
            Rvalue::Input(ty) => self.input(state, *ty),
            Rvalue::Undefined(ty) => self.undefined(state, *ty),
        }
    }

    fn binary(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        op: BinaryOp,
        a: &Operand,
        b: &Operand,
    ) -> Result<Value<D>, D::Halt> {
        let frame = Self::frame(state)?;
        match (self.operand(frame, a)?, self.operand(frame, b)?) {
            (Value::Int(left), Value::Int(right)) => {
                let ty = self.int_type(function, a)?;
                Ok(Value::Int(self.domain.binary(op, ty, &left, &right)?))
            }
            (left, right) => {
                let ty = self.float_type(function, a)?;
                self.domain.float_binary(op, ty, &left, &right)
            }
        }
    }

    /// How many elements take so many units of memory, as a number of type `result`.
    fn elements(
        &mut self,
        units: &D::Int,
        element: TypeId,
        result: TypeId,
    ) -> Result<Value<D>, D::Halt> {
        // What takes no room at all lies at a distance of 0.
        let size = self.program.types.size_of(element).max(1);
        let size = self.domain.int(&Integer::from(size));
        let count = self.domain.binary(BinaryOp::Div, IntType::Unbounded, units, &size)?;
        let result = self.int_type_of(result)?;
        Ok(Value::Int(self.domain.wrap(result, &count)))
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
                let (element, origin) = (TypeId::ANY, Origin::Heap);
                let access = GlobalAccess::ReadWrite;
                let new = NewObject { element, count, contents, origin, access };
                Ok(Value::Array(self.allocate(state, new)?))
            }
        }
    }

    fn compare(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        op: CompareOp,
        a: &Operand,
        b: &Operand,
    ) -> Result<D::Bool, D::Halt> {
        let frame = Self::frame(state)?;
        let (left, right) = match (self.operand(frame, a)?, self.operand(frame, b)?) {
            (Value::Int(left), Value::Int(right)) => {
                return Ok(self.domain.compare(op, &left, &right));
            }
            (Value::Bool(left), Value::Bool(right)) => {
                let left = self.domain.int_of_bool(&left);
                let right = self.domain.int_of_bool(&right);
                return Ok(self.domain.compare(op, &left, &right));
            }
            (left @ (Value::Float(_) | Value::LongFloat(_)), right) => {
                let ty = self.float_type(function, a)?;
                return self.domain.float_compare(op, ty, &left, &right);
            }
            (Value::Pointer(left), Value::Pointer(right)) => (left, right),
            (Value::Function(left), Value::Function(right)) => {
                (self.domain.function(left), self.domain.function(right))
            }
            (Value::Pointer(left), Value::Function(right)) => (left, self.domain.function(right)),
            (Value::Function(left), Value::Pointer(right)) => (self.domain.function(left), right),
            (a, b) => return Err(broken::<D>(format!("{a:?} and {b:?} are not comparable"))),
        };
        self.domain.compare_pointers(&mut state.memory, op, &left, &right)
    }
}
