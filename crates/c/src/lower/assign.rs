//! Assignments, compound assignments and increments.
//!
//! The place is evaluated before the value: left to right.

use super::function::Lowering;
use super::place::{Access, Purpose, Spot};
use super::types::int_type;
use crate::tree::{BinaryOp, ExprId, ExprKind, TypeId, TypeKind};
use loupe_integer::Integer;
use loupe_ir::program::{Const, InstructionKind, Operand, Rvalue};
use loupe_ir::source::Span;
use std::rc::Rc;

impl Lowering<'_, '_> {
    /// `place = value`
    pub(super) fn assignment(&mut self, place: ExprId, value: ExprId, span: Span) -> Operand {
        let spot = self.place(place, Purpose::Access);
        let value = self.value(value);
        self.store(&spot, value, span)
    }

    /// Writes a value of the place's type; what is read back from there.
    pub(super) fn store(&mut self, spot: &Spot, value: Operand, span: Span) -> Operand {
        self.check_access(spot, Access::Write, span);
        if let Some(register) = spot.register(self) {
            self.assign_register(register, value, span);
            return Operand::Local(register);
        }
        let Some(bits) = spot.bits else {
            let value = match self.kind(spot.ty) {
                TypeKind::Pointer(_) => {
                    let actual = self.place_type(&spot.place);
                    self.as_pointer(value, actual, span)
                }
                _ => value,
            };
            let (place, kept) = (spot.place.clone(), value.clone());
            self.builder.push(InstructionKind::Store { place, value }, span);
            return kept;
        };
        let Some(int) = int_type(&self.unit, spot.ty) else { return value };
        let narrow = self.as_int(value, int, bits.int, span);
        let place = spot.place.clone();
        self.builder.push(InstructionKind::Store { place, value: narrow.clone() }, span);
        self.as_int(narrow, bits.int, int, span)
    }

    /// `place op= value`
    pub(super) fn update(&mut self, id: ExprId) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let ExprKind::Update { place, op, computation, value, is_volatile } = expr.kind else {
            return self.placeholder(expr.ty, expr.span);
        };
        let spot = self.place(place, Purpose::Access);
        let right_ty = unit.expr(value).ty;
        let right = self.value(value);
        let old = self.load_from(&spot, is_volatile, expr.span);
        let new = if matches!(self.kind(spot.ty), TypeKind::Pointer(_)) && Self::is_sum(op) {
            let count = if op == BinaryOp::Sub {
                let count = self.as_offset(right, right_ty, expr.span);
                self.negated_offset(count, expr.span)
            } else {
                self.as_index(right, right_ty, expr.span)
            };
            let element = self.pointee(spot.ty);
            self.move_pointer(old, count, element, expr.span)
        } else {
            let old = self.converted(old, spot.ty, computation, expr.span);
            let result = self.arithmetic(op, (old, right), computation, expr.span);
            self.converted(result, computation, spot.ty, expr.span)
        };
        self.store(&spot, new, expr.span)
    }

    /// `++` and `--`; the value is the old one if it is a postfix operator and the value is wanted.
    pub(super) fn step(&mut self, id: ExprId, is_postfix: bool) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let ExprKind::Step { place, is_increment, is_volatile, .. } = expr.kind else {
            return self.placeholder(expr.ty, expr.span);
        };
        let span = expr.span;
        let spot = self.place(place, Purpose::Access);
        let mut old = self.load_from(&spot, is_volatile, span);
        if is_postfix && spot.register(self).is_some() {
            let ty = self.ty(spot.ty);
            old = self.builder.assign(ty, Rvalue::Use(old), span);
        }
        let new = self.stepped(old.clone(), spot.ty, is_increment, span);
        let stored = self.store(&spot, new, span);
        if is_postfix { old } else { stored }
    }

    /// The next or the previous value.
    fn stepped(&mut self, old: Operand, ty: TypeId, is_increment: bool, span: Span) -> Operand {
        match *self.kind(ty) {
            TypeKind::Pointer(element) => {
                let int = self.offset_type();
                let one = Integer::from(if is_increment { 1 } else { -1 });
                let count = Operand::Const(Const::Int(one, int));
                self.move_pointer(old, count, element, span)
            }
            // `b++` makes it true, `b--` turns it.
            TypeKind::Bool if is_increment => self.int_const(1, super::types::BYTE),
            TypeKind::Bool => {
                let zero = self.int_const(0, super::types::BYTE);
                let op = loupe_ir::program::CompareOp::Eq;
                let truth = self.compared(op, old, zero, span);
                self.number_of(truth, ty, span)
            }
            TypeKind::Float(_) => {
                let one = self.float_one(ty);
                let op = if is_increment { BinaryOp::Add } else { BinaryOp::Sub };
                self.arithmetic(op, (old, one), ty, span)
            }
            _ => self.stepped_integer(old, ty, is_increment, span),
        }
    }

    /// Small integers are promoted, stepped, and converted back, so that they cannot overflow.
    fn stepped_integer(
        &mut self,
        old: Operand,
        ty: TypeId,
        is_increment: bool,
        span: Span,
    ) -> Operand {
        let op = if is_increment { BinaryOp::Add } else { BinaryOp::Sub };
        let Some(int) = int_type(&self.unit, ty) else {
            self.unsupported("an increment of this type", span);
            return old;
        };
        let loupe_ir::types::IntType::Machine { width, .. } = int else { return old };
        let one = Operand::Const(Const::Int(Integer::ONE, int));
        if width >= 32 {
            return self.arithmetic(op, (old, one), ty, span);
        }
        // The result wraps in the small type exactly as the conversion back would make it.
        let ir = self.ty(ty);
        let operation = match op {
            BinaryOp::Add => loupe_ir::program::BinaryOp::Add,
            _ => loupe_ir::program::BinaryOp::Sub,
        };
        self.builder.assign(ir, Rvalue::Binary(operation, old, one), span)
    }

    fn float_one(&mut self, ty: TypeId) -> Operand {
        use loupe_ir::types::FloatType;
        let format = self.float_format(ty);
        let bits = match format {
            FloatType::F32 => u128::from(1f32.to_bits()),
            FloatType::F64 => u128::from(1f64.to_bits()),
            FloatType::F80 => (0x3fff << 64) | (1 << 63),
        };
        Operand::Const(Const::Float(bits, format))
    }
}
