//! The values and types of operands.

use super::{Machine, broken};
use crate::domain::Domain;
use crate::state::Frame;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{Const, Function, Operand};
use loupe_ir::types::{FloatType, IntType, Type, TypeId};
use std::borrow::Cow;

impl<D: Domain> Machine<'_, D> {
    /// The value of an operand.
    #[inline]
    pub fn operand(&mut self, frame: &Frame<D>, operand: &Operand) -> Result<Value<D>, D::Halt> {
        match operand {
            Operand::Local(local) => Ok(frame.locals[local.index()].clone()),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    /// The value of a constant, which is the same in all states.
    pub(super) fn constant(&mut self, constant: &Const) -> Result<Value<D>, D::Halt> {
        Ok(match constant {
            Const::Int(value, _) => Value::Int(self.domain.int(value)),
            Const::Bool(value) => Value::Bool(self.domain.bool(*value)),
            Const::Float(bits, ty) => self.domain.float(*bits, *ty),
            Const::Null => Value::Pointer(self.domain.null()),
            Const::Function(function) => Value::Function(*function),
            Const::Address(global, offset) => {
                let start = self.domain.global(*global);
                let offset = self.domain.int(&Integer::from(*offset));
                Value::Pointer(self.domain.advance(None, &start, &offset)?)
            }
        })
    }

    #[inline]
    pub(super) fn int_operand<'f>(
        &mut self,
        frame: &'f Frame<D>,
        operand: &Operand,
    ) -> Result<Cow<'f, D::Int>, D::Halt> {
        match operand {
            Operand::Local(local) => match &frame.locals[local.index()] {
                Value::Int(value) => Ok(Cow::Borrowed(value)),
                other => Err(broken::<D>(format!("a number was expected, not {other:?}"))),
            },
            Operand::Const(Const::Int(value, _)) => Ok(Cow::Owned(self.domain.int(value))),
            Operand::Const(other) => {
                Err(broken::<D>(format!("a number was expected, not {other:?}")))
            }
        }
    }

    #[inline]
    pub(super) fn bool_operand(
        &mut self,
        frame: &Frame<D>,
        operand: &Operand,
    ) -> Result<D::Bool, D::Halt> {
        match operand {
            Operand::Local(local) => match &frame.locals[local.index()] {
                Value::Bool(value) => Ok(value.clone()),
                other => Err(broken::<D>(format!("a truth value was expected, not {other:?}"))),
            },
            Operand::Const(Const::Bool(value)) => Ok(self.domain.bool(*value)),
            Operand::Const(other) => {
                Err(broken::<D>(format!("a truth value was expected, not {other:?}")))
            }
        }
    }

    /// A pointer. One to data may have been made from a function.
    pub(super) fn pointer_operand(
        &mut self,
        frame: &Frame<D>,
        operand: &Operand,
    ) -> Result<D::Pointer, D::Halt> {
        match self.operand(frame, operand)? {
            Value::Pointer(pointer) => Ok(pointer),
            Value::Function(function) => Ok(self.domain.function(function)),
            other => Err(broken::<D>(format!("a pointer was expected, not {other:?}"))),
        }
    }

    /// The integers that an operand is one of.
    #[inline]
    pub(super) fn int_type(
        &self,
        function: &Function,
        operand: &Operand,
    ) -> Result<IntType, D::Halt> {
        match operand {
            Operand::Const(Const::Int(_, ty)) => Ok(*ty),
            Operand::Local(local) => self.int_type_of(function.local(*local).ty),
            Operand::Const(other) => Err(broken::<D>(format!("{other:?} is no integer"))),
        }
    }

    #[inline]
    pub(super) fn int_type_of(&self, ty: TypeId) -> Result<IntType, D::Halt> {
        match self.program.types.get(ty) {
            Type::Int(int) => Ok(*int),
            other => Err(broken::<D>(format!("{other:?} is no type of integers"))),
        }
    }

    /// The format of an operand that is a floating point number.
    pub(super) fn float_type(
        &self,
        function: &Function,
        operand: &Operand,
    ) -> Result<FloatType, D::Halt> {
        match operand {
            Operand::Const(Const::Float(_, ty)) => Ok(*ty),
            Operand::Local(local) => match self.program.types.get(function.local(*local).ty) {
                Type::Float(ty) => Ok(*ty),
                other => Err(broken::<D>(format!("{other:?} is no floating point format"))),
            },
            Operand::Const(other) => Err(broken::<D>(format!("{other:?} is no such number"))),
        }
    }
}
