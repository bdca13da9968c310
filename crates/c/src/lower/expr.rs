//! Expressions: their values, their truth, their effects.

use super::Volatile;
use super::arithmetic::comparison;
use super::function::Lowering;
use super::place::{Access, Purpose, Spot};
use super::types::int_type;
use crate::tree::{BinaryOp, ExprId, ExprKind, StmtKind, TypeId, TypeKind, UnaryOp};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    BlockId, CompareOp, Const, GlobalId, InstructionKind, LocalId, Operand, Rvalue, TerminatorKind,
    UnaryOp as IrUnary,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type, TypeId as IrType};
use std::rc::Rc;

impl Lowering<'_, '_> {
    /// The value of an expression: a scalar, or a struct as a whole.
    pub(super) fn value(&mut self, id: ExprId) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => self.integer(*value, expr.ty, span),
            ExprKind::Float(bits) => {
                Operand::Const(Const::Float(*bits, self.float_format(expr.ty)))
            }
            ExprKind::Load { place, is_volatile } => self.load(*place, *is_volatile, span),
            ExprKind::Decay(place) | ExprKind::AddressOf(place) => {
                self.address(*place, expr.ty, span)
            }
            ExprKind::Function(function) => {
                if self.linker.is_absent(self.index, *function) {
                    return Operand::Const(Const::Null);
                }
                Operand::Const(Const::Function(self.linker.function(self.index, *function)))
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let value = self.value(*operand);
                self.negated(value, expr.ty, span)
            }
            ExprKind::Unary(UnaryOp::BitNot, operand) => {
                let value = self.value(*operand);
                let ty = self.ty(expr.ty);
                self.builder.assign(ty, Rvalue::Unary(IrUnary::BitNot, value), span)
            }
            ExprKind::Unary(UnaryOp::Not, _) => {
                let truth = self.truth(id);
                self.number_of(truth, expr.ty, span)
            }
            ExprKind::Binary { op, left, right } => {
                if comparison(*op).is_some() {
                    let truth = self.truth(id);
                    return self.number_of(truth, expr.ty, span);
                }
                let left = self.value(*left);
                let right = self.value(*right);
                self.arithmetic(*op, (left, right), expr.ty, span)
            }
            ExprKind::PointerAdd { .. } => self.pointer_sum(id),
            ExprKind::PointerDifference { left, right } => {
                let pointer = unit.expr(*left).ty;
                let left = self.value(*left);
                let right = self.value(*right);
                let element = self.pointee(pointer);
                self.pointer_difference((left, right), element, expr.ty, span)
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.connective(id),
            ExprKind::Assign { place, value } => self.assignment(*place, *value, span),
            ExprKind::Update { .. } => self.update(id),
            ExprKind::Step { is_postfix, .. } => self.step(id, *is_postfix),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(id, *condition, *then, *otherwise)
            }
            ExprKind::Comma(left, right) => {
                self.effect(*left);
                self.value(*right)
            }
            ExprKind::Convert(operand) => {
                if matches!(self.kind(expr.ty), TypeKind::Void) {
                    self.effect(*operand);
                    return self.placeholder(expr.ty, span);
                }
                let from = unit.expr(*operand).ty;
                let value = self.value(*operand);
                self.converted(value, from, expr.ty, span)
            }
            ExprKind::Call { callee, arguments } => {
                let result = self.call(id, *callee, arguments, true);
                result.unwrap_or_else(|| self.placeholder(expr.ty, span))
            }
            ExprKind::Statement(stmt) => {
                let result = self.statement_value(*stmt);
                result.unwrap_or_else(|| self.placeholder(expr.ty, span))
            }
            ExprKind::ArrayLength(length) => {
                let register = match self.lengths.get(length) {
                    Some(known) => *known,
                    None => self.evaluate_length(*length, span),
                };
                let from = self.offset_type();
                match int_type(&self.unit, expr.ty) {
                    Some(to) => self.as_int(Operand::Local(register), from, to, span),
                    None => Operand::Local(register),
                }
            }
            ExprKind::LabelAddress(label) => match self.linker.label_address(self.index, *label) {
                Some((global, offset)) => Operand::Const(Const::Address(global, offset)),
                None => {
                    self.unsupported("the address of an unknown label", span);
                    Operand::Const(Const::Null)
                }
            },
            ExprKind::Builtin(builtin, arguments) => self.builtin(id, *builtin, arguments),
            ExprKind::Unsupported(what) => {
                self.unsupported(what, span);
                self.placeholder(expr.ty, span)
            }
            ExprKind::Member { .. } => {
                // A member of a value.
                let spot = self.place(id, Purpose::Access);
                self.load_spot(&spot, span)
            }
            ExprKind::Object(_)
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Deref(_)
            | ExprKind::Subscript { .. } => self.load(id, false, span),
        }
    }

    /// Evaluates an expression whose value nobody wants.
    pub(super) fn effect(&mut self, id: ExprId) {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        match &expr.kind {
            ExprKind::Convert(operand) if !self.may_fail(*operand, expr.ty) => {
                self.effect(*operand);
            }
            ExprKind::Call { callee, arguments } => {
                self.call(id, *callee, arguments, false);
            }
            ExprKind::Comma(left, right) => {
                self.effect(*left);
                self.effect(*right);
            }
            ExprKind::Step { .. } => {
                self.step(id, false);
            }
            ExprKind::Statement(stmt) => self.stmt(*stmt),
            ExprKind::And(..) | ExprKind::Or(..) => {
                let join = self.builder.new_block();
                self.branch(id, join, join);
                self.builder.go_on(join);
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                let blocks = [(); 3].map(|()| self.builder.new_block());
                let [yes, no, join] = blocks;
                self.branch(*condition, yes, no);
                self.builder.go_on(yes);
                self.effect(*then);
                self.builder.end(TerminatorKind::Goto(join), expr.span);
                self.builder.go_on(no);
                self.effect(*otherwise);
                self.builder.flow_into(join, expr.span);
            }
            // A place of type void or function has nothing to load.
            ExprKind::Deref(_) | ExprKind::Function(_) if !self.is_loadable(expr.ty) => {
                if let ExprKind::Deref(pointer) = expr.kind {
                    self.effect(pointer);
                }
            }
            _ => {
                self.value(id);
            }
        }
    }

    /// Whether a conversion is checked.
    fn may_fail(&self, operand: ExprId, to: TypeId) -> bool {
        let from = self.kind(self.unit.expr(operand).ty);
        matches!((from, self.kind(to)), (TypeKind::Float(_), TypeKind::Int { .. }))
    }

    fn is_loadable(&self, ty: TypeId) -> bool {
        !matches!(self.kind(ty), TypeKind::Void | TypeKind::Function(_))
    }

    /// What a pointer type points to.
    pub(super) fn pointee(&self, ty: TypeId) -> TypeId {
        match self.kind(ty) {
            TypeKind::Pointer(target) => *target,
            _ => ty,
        }
    }

    fn integer(&mut self, value: i128, ty: TypeId, span: Span) -> Operand {
        if let Some(int) = int_type(&self.unit, ty) {
            return Operand::Const(Const::Int(int.wrap(Integer::from(value)), int));
        }
        if value == 0 {
            return self.placeholder(ty, span);
        }
        let address = self.size_type();
        let number = Operand::Const(Const::Int(address.wrap(Integer::from(value)), address));
        let ty = self.ty(ty);
        self.builder.assign(ty, Rvalue::Convert(number, ty), span)
    }

    fn load(&mut self, place: ExprId, is_volatile: bool, span: Span) -> Operand {
        let ty = self.unit.expr(place).ty;
        if matches!(self.kind(ty), TypeKind::Array { .. }) && !self.is_place(place) {
            return self.value(place);
        }
        if !self.is_place(place) {
            return self.value(place);
        }
        let spot = self.place(place, Purpose::Access);
        self.load_from(&spot, is_volatile, span)
    }

    /// The value at a place, or an input if that is what a `volatile` object gives.
    pub(super) fn load_from(&mut self, spot: &Spot, is_volatile: bool, span: Span) -> Operand {
        let (true, Volatile::Input, Some(int)) =
            (is_volatile, self.linker.options.volatile, int_type(&self.unit, spot.ty))
        else {
            return self.load_spot(spot, span);
        };
        self.check_access(spot, Access::Read, span);
        let input = match (spot.bits, self.kind(spot.ty)) {
            (_, TypeKind::Bool) => IntType::unsigned(1),
            (Some(bits), _) => bits.int,
            (None, _) => int,
        };
        let ty = self.ty(spot.ty);
        self.linker.input(&mut self.builder, input, ty, span)
    }

    /// The value at a place.
    pub(super) fn load_spot(&mut self, spot: &Spot, span: Span) -> Operand {
        self.check_access(spot, Access::Read, span);
        let scalar = self.is_scalar(spot.ty);
        if scalar && self.linker.options.checks.uninitialised {
            let predicate = Predicate::Initialised(spot.place.clone());
            self.builder.check(CheckKind::Uninitialised, predicate, span);
        }
        if let Some(register) = spot.register(self) {
            return Operand::Local(register);
        }
        if let Some(bits) = spot.bits {
            let ty = self.linker.shared.types.int(bits.int);
            let value = self.builder.assign(ty, Rvalue::Load(spot.place.clone()), span);
            return match int_type(&self.unit, spot.ty) {
                Some(to) => self.as_int(value, bits.int, to, span),
                None => value,
            };
        }
        let ty = self.ty(spot.ty);
        let actual = self.place_type(&spot.place);
        let load = Rvalue::Load(spot.place.clone());
        if actual == ty || !matches!(self.kind(spot.ty), TypeKind::Pointer(_)) {
            return self.builder.assign(ty, load, span);
        }
        // Another unit sees something else behind the pointer.
        let value = self.builder.assign(actual, load, span);
        self.as_pointer(value, ty, span)
    }

    /// `&place`, or the pointer that an array or function becomes.
    pub(super) fn address(&mut self, place: ExprId, ty: TypeId, span: Span) -> Operand {
        let unit = Rc::clone(&self.unit);
        let target = unit.expr(place);
        match &target.kind {
            ExprKind::Function(_) => return self.value(place),
            ExprKind::Deref(pointer) => {
                let from = unit.expr(*pointer).ty;
                let value = self.value(*pointer);
                return self.converted(value, from, ty, span);
            }
            _ => {}
        }
        if !self.is_place(place) {
            // An array in a value: `f().array`.
            let value = self.value(place);
            let object = self.materialise(value, target.ty, span);
            let place = loupe_ir::program::Place::local(object);
            let pointer = self.address_of_place(&place, span);
            return self.retyped(pointer, ty, span);
        }
        if let ExprKind::Subscript { base, index } = &target.kind
            && !matches!(unit.expr(*base).kind, ExprKind::Decay(_))
        {
            let from = unit.expr(*index).ty;
            let pointer = self.value(*base);
            let count = self.value(*index);
            let count = self.as_index(count, from, span);
            let moved = self.move_pointer(pointer, count, target.ty, span);
            return self.retyped(moved, ty, span);
        }
        let spot = self.place(place, Purpose::Address);
        let pointer = self.address_of_place(&spot.place, span);
        self.retyped(pointer, ty, span)
    }

    /// A pointer with the type that `ty` has in the flowgraph.
    pub(super) fn retyped(&mut self, pointer: Operand, ty: TypeId, span: Span) -> Operand {
        let wanted = self.ty(ty);
        self.as_pointer(pointer, wanted, span)
    }

    /// A pointer of this type of the flowgraph.
    pub(super) fn as_pointer(&mut self, pointer: Operand, wanted: IrType, span: Span) -> Operand {
        match &pointer {
            Operand::Local(local) if self.builder.locals[local.index()].ty == wanted => pointer,
            Operand::Const(Const::Null | Const::Address(..)) => pointer,
            _ => self.builder.assign(wanted, Rvalue::Convert(pointer, wanted), span),
        }
    }

    fn pointer_sum(&mut self, id: ExprId) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let ExprKind::PointerAdd { pointer, index, is_negative, is_swapped } = expr.kind else {
            return self.placeholder(expr.ty, expr.span);
        };
        let from = unit.expr(index).ty;
        let (base, count) = if is_swapped {
            let count = self.value(index);
            (self.value(pointer), count)
        } else {
            let base = self.value(pointer);
            (base, self.value(index))
        };
        let count = if is_negative {
            let count = self.as_offset(count, from, expr.span);
            self.negated_offset(count, expr.span)
        } else {
            self.as_index(count, from, expr.span)
        };
        let element = self.pointee(expr.ty);
        self.move_pointer(base, count, element, expr.span)
    }

    pub(super) fn negated_offset(&mut self, count: Operand, span: Span) -> Operand {
        let int = self.offset_type();
        if let Operand::Const(Const::Int(value, _)) = &count {
            return Operand::Const(Const::Int(int.wrap(value.neg()), int));
        }
        let ty = self.linker.shared.types.int(int);
        self.builder.assign(ty, Rvalue::Unary(IrUnary::Neg, count), span)
    }

    /// Whether an expression is neither zero nor null, as a truth value.
    pub(super) fn truth(&mut self, id: ExprId) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let span = expr.span;
        match &expr.kind {
            ExprKind::Binary { op, left, right } if let Some(op) = comparison(*op) => {
                self.comparison(op, *left, *right, span)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let truth = self.truth(*operand);
                if let Operand::Const(Const::Bool(value)) = truth {
                    return Operand::Const(Const::Bool(!value));
                }
                self.builder.assign(IrType::BOOL, Rvalue::Unary(IrUnary::Not, truth), span)
            }
            // Conversions that keep zero apart from everything else.
            ExprKind::Convert(operand) if self.keeps_zero(*operand, expr.ty) => {
                self.truth(*operand)
            }
            _ => {
                let value = self.value(id);
                self.non_zero(value, expr.ty, span)
            }
        }
    }

    /// Whether a conversion makes nothing zero that is not.
    fn keeps_zero(&self, operand: ExprId, to: TypeId) -> bool {
        let from = self.unit.expr(operand).ty;
        if matches!(self.kind(to), TypeKind::Bool) {
            return self.is_scalar(from);
        }
        let width = |ty| match self.kind(ty) {
            TypeKind::Bool => Some(8),
            TypeKind::Int { width, .. } => Some(*width),
            _ => None,
        };
        matches!((width(from), width(to)), (Some(from), Some(to)) if from <= to)
    }

    fn comparison(&mut self, op: CompareOp, left: ExprId, right: ExprId, span: Span) -> Operand {
        let unit = Rc::clone(&self.unit);
        let (left_ty, right_ty) = (unit.expr(left).ty, unit.expr(right).ty);
        let left = self.value(left);
        let right = self.value(right);
        if let (Operand::Const(Const::Int(a, _)), Operand::Const(Const::Int(b, _))) =
            (&left, &right)
        {
            let holds = match op {
                CompareOp::Eq => a == b,
                CompareOp::Ne => a != b,
                CompareOp::Lt => a < b,
                CompareOp::Le => a <= b,
                CompareOp::Gt => a > b,
                CompareOp::Ge => a >= b,
            };
            return Operand::Const(Const::Bool(holds));
        }
        let is_pointer = |ty| matches!(self.kind(ty), TypeKind::Pointer(_));
        if is_pointer(left_ty) && is_pointer(right_ty) {
            return self.pointer_comparison(op, left, right, span);
        }
        if !self.is_scalar(left_ty) {
            let what = format!("a comparison of `{}`", unit.ty(left_ty).name);
            self.unsupported(&what, span);
            return Operand::Const(Const::Bool(false));
        }
        self.compared(op, left, right, span)
    }

    fn pointer_comparison(
        &mut self,
        op: CompareOp,
        left: Operand,
        right: Operand,
        span: Span,
    ) -> Operand {
        let is_function = |operand: &Operand| match operand {
            Operand::Local(local) => self.builder.locals[local.index()].ty == IrType::FUNCTION,
            Operand::Const(constant) => matches!(constant, Const::Function(_)),
        };
        let (left_is, right_is) = (is_function(&left), is_function(&right));
        if !left_is && !right_is {
            return self.compared(op, left, right, span);
        }
        if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
            self.unsupported("an order of functions", span);
            return Operand::Const(Const::Bool(false));
        }
        let left = self.as_function(left, span);
        let right = self.as_function(right, span);
        self.compared(op, left, right, span)
    }

    fn as_function(&mut self, value: Operand, span: Span) -> Operand {
        match &value {
            Operand::Const(Const::Function(_) | Const::Null) => value,
            Operand::Local(local) if self.builder.locals[local.index()].ty == IrType::FUNCTION => {
                value
            }
            _ => self.builder.assign(
                IrType::FUNCTION,
                Rvalue::Convert(value, IrType::FUNCTION),
                span,
            ),
        }
    }

    /// Goes to one of two blocks.
    pub(super) fn branch(&mut self, id: ExprId, then: BlockId, otherwise: BlockId) {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        match &expr.kind {
            ExprKind::And(left, right) => {
                let next = self.builder.new_block();
                self.branch(*left, next, otherwise);
                self.builder.go_on(next);
                self.branch(*right, then, otherwise);
            }
            ExprKind::Or(left, right) => {
                let next = self.builder.new_block();
                self.branch(*left, then, next);
                self.builder.go_on(next);
                self.branch(*right, then, otherwise);
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.branch(*operand, otherwise, then),
            ExprKind::Comma(left, right) => {
                self.effect(*left);
                self.branch(*right, then, otherwise);
            }
            ExprKind::Convert(operand) if self.keeps_zero(*operand, expr.ty) => {
                self.branch(*operand, then, otherwise);
            }
            _ => {
                let condition = self.truth(id);
                let kind = match condition {
                    Operand::Const(Const::Bool(true)) => TerminatorKind::Goto(then),
                    Operand::Const(Const::Bool(false)) => TerminatorKind::Goto(otherwise),
                    _ if then == otherwise => TerminatorKind::Goto(then),
                    condition => TerminatorKind::Branch { condition, then, otherwise },
                };
                self.builder.end(kind, expr.span);
            }
        }
    }

    /// `&&` and `||` where the value is wanted.
    fn connective(&mut self, id: ExprId) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let ty = self.ty(expr.ty);
        let result = self.builder.temporary(ty, expr.span);
        let blocks = [(); 3].map(|()| self.builder.new_block());
        let [yes, no, join] = blocks;
        self.branch(id, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.builder.go_on(block);
            let value = self.integer(value, expr.ty, expr.span);
            self.builder.set(result, Rvalue::Use(value), expr.span);
            self.builder.end(TerminatorKind::Goto(join), expr.span);
        }
        self.builder.go_on(join);
        Operand::Local(result)
    }

    fn conditional(
        &mut self,
        id: ExprId,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    ) -> Operand {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let is_void = matches!(self.kind(expr.ty), TypeKind::Void);
        let ty = self.ty(expr.ty);
        let result = self.builder.temporary(ty, expr.span);
        let blocks = [(); 3].map(|()| self.builder.new_block());
        let [yes, no, join] = blocks;
        let value = match then {
            Some(_) => {
                self.branch(condition, yes, no);
                None
            }
            None => {
                let from = unit.expr(condition).ty;
                let value = self.value(condition);
                let truth = self.non_zero(value.clone(), from, expr.span);
                let kind = TerminatorKind::Branch { condition: truth, then: yes, otherwise: no };
                self.builder.end(kind, expr.span);
                Some((value, from))
            }
        };
        self.builder.go_on(yes);
        let first = match (then, value) {
            (Some(then), _) => self.arm(then, is_void),
            (None, Some((value, from))) => self.converted(value, from, expr.ty, expr.span),
            (None, None) => self.placeholder(expr.ty, expr.span),
        };
        let arm = unit.expr(then.unwrap_or(condition)).span;
        self.settle(result, first, is_void, arm);
        self.builder.end(TerminatorKind::Goto(join), expr.span);
        self.builder.go_on(no);
        let second = self.arm(otherwise, is_void);
        self.settle(result, second, is_void, unit.expr(otherwise).span);
        self.builder.flow_into(join, expr.span);
        Operand::Local(result)
    }

    fn arm(&mut self, id: ExprId, is_void: bool) -> Operand {
        if is_void {
            self.effect(id);
            return Operand::Const(Const::Null);
        }
        self.value(id)
    }

    fn settle(&mut self, result: LocalId, value: Operand, is_void: bool, span: Span) {
        if !is_void {
            self.assign_register(result, value, span);
        }
    }

    /// Writes to a register; pointers change their type on the way if they must.
    pub(super) fn assign_register(&mut self, target: LocalId, value: Operand, span: Span) {
        let ty = self.builder.locals[target.index()].ty;
        let is_pointer =
            matches!(self.linker.shared.types.get(ty), Type::Pointer(_) | Type::Function);
        if is_pointer
            && let Operand::Local(local) = &value
            && self.builder.locals[local.index()].ty != ty
        {
            self.builder.set(target, Rvalue::Convert(value, ty), span);
            return;
        }
        if !self.builder.retarget(&value, target) {
            self.builder.set(target, Rvalue::Use(value), span);
        }
    }

    /// The value of `({ … })`.
    fn statement_value(&mut self, stmt: crate::tree::StmtId) -> Option<Operand> {
        let unit = Rc::clone(&self.unit);
        let StmtKind::Block(stmts) = &unit.stmt(stmt).kind else {
            self.stmt(stmt);
            return None;
        };
        let scope = self.scopes.opened_by(stmt)?;
        let outer = self.enter_scope(scope, unit.stmt(stmt).span);
        let mut result = None;
        for (position, inner) in stmts.iter().enumerate() {
            if position + 1 == stmts.len() {
                result = self.last_value(*inner);
            } else {
                self.stmt(*inner);
            }
        }
        self.leave_scope(outer, unit.stmt(stmt).span);
        result
    }

    /// The value of the last statement, copied out of the block.
    fn last_value(&mut self, stmt: crate::tree::StmtId) -> Option<Operand> {
        let unit = Rc::clone(&self.unit);
        match &unit.stmt(stmt).kind {
            StmtKind::Expr(expr) => {
                let ty = unit.expr(*expr).ty;
                if matches!(self.kind(ty), TypeKind::Void) {
                    self.effect(*expr);
                    return None;
                }
                let span = unit.expr(*expr).span;
                let value = self.value(*expr);
                let ty = self.ty(ty);
                let copy = self.builder.temporary(ty, span);
                self.builder.set(copy, Rvalue::Use(value), span);
                Some(Operand::Local(copy))
            }
            StmtKind::Label(label, body) => {
                self.place_label(*label, unit.stmt(stmt).span);
                self.last_value(*body)
            }
            _ => {
                self.stmt(stmt);
                None
            }
        }
    }

    /// Ends the objects that live as long as the current full expression.
    pub(super) fn end_temporaries(&mut self, span: Span) {
        for object in std::mem::take(&mut self.temporaries) {
            self.builder.push(InstructionKind::Dead(object), span);
        }
    }

    /// A pointer into a global.
    pub(super) fn global_address(global: GlobalId) -> Operand {
        Operand::Const(Const::Address(global, 0))
    }

    /// Whether an operation is one of those that a pointer may be updated by.
    pub(super) fn is_sum(op: BinaryOp) -> bool {
        matches!(op, BinaryOp::Add | BinaryOp::Sub)
    }
}
