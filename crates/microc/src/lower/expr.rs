//! Expressions.

use super::stmt::Lowering;
use super::tags::TagSet;
use crate::ast::{BinaryOp, Expr, ExprId, ExprKind, Ident};
use crate::resolve::{Binding, LocalIndex};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    self as ir, ArrayKind, CompareOp, Const, FunctionId, Initial, InstructionKind, LocalId,
    Operand, Projection, Region, Rvalue, Storage, UnaryOp,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Tag, TypeId};

/// The value of an expression: an operand, its static type, and what it can be at run time.
#[derive(Clone, Debug)]
pub(super) struct Lowered {
    operand: Operand,
    ty: TypeId,
    tags: TagSet,
    pub(super) span: Span,
}

impl Lowering<'_, '_> {
    /// Evaluates an expression, in the order of its nodes: parts first, from left to right.
    pub(super) fn value(&mut self, root: ExprId) -> Lowered {
        let ast = self.context.ast;
        let exprs = &ast.exprs;
        let first = exprs.get(root).first;
        let mut values: Vec<Option<Lowered>> = Vec::new();
        for id in exprs.nodes_of(root) {
            let mut part = |part: ExprId| -> Lowered {
                let value = values[(part.0 - first.0) as usize].take();
                value.expect("every part of an expression is used once, by its parent")
            };
            let expr = exprs.get(id);
            let value = match &expr.kind {
                ExprKind::Number(value) => Some(self.number(value.clone(), expr.span)),
                ExprKind::Null => Some(self.null(expr.span)),
                ExprKind::Input => {
                    let value = Rvalue::Input(self.context.numbers);
                    Some(self.temporary(self.context.numbers, value, id))
                }
                ExprKind::Name(_) => Some(self.name(id)),
                ExprKind::AddressOf(_) => Some(self.address_of(id)),
                ExprKind::Deref(pointer) => {
                    let pointer = part(*pointer);
                    Some(self.deref(id, pointer))
                }
                ExprKind::Alloc(value) => {
                    let value = part(*value);
                    Some(self.alloc(id, value))
                }
                ExprKind::Not(value) => {
                    let value = part(*value);
                    let truth = self.as_truth(value, expr.anchor);
                    Some(self.temporary(TypeId::BOOL, Rvalue::Unary(UnaryOp::Not, truth), id))
                }
                ExprKind::Binary { op, left, right } => {
                    let (left, right) = (part(*left), part(*right));
                    Some(self.binary(id, *op, left, right))
                }
                ExprKind::Call { callee, args } => {
                    let callee = part(*callee);
                    let args = args.iter().map(|arg| part(*arg)).collect();
                    Some(self.call(id, callee, args))
                }
                ExprKind::Array(elements) => {
                    let elements: Vec<_> = elements.iter().map(|element| part(*element)).collect();
                    Some(self.array(id, elements))
                }
                ExprKind::Record(fields) => {
                    let fields: Vec<_> =
                        fields.iter().map(|(name, value)| (name, part(*value))).collect();
                    Some(self.record(id, fields))
                }
                ExprKind::Field { record, field } => {
                    let record = part(*record);
                    Some(self.field(id, record, field))
                }
                ExprKind::Index { array, index } => {
                    let (array, index) = (part(*array), part(*index));
                    Some(self.index(id, array, index))
                }
            };
            values.push(value);
        }
        values.pop().flatten().expect("an expression has a node")
    }

    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        self.context.ast.exprs.get(id)
    }

    /// Puts a value into a temporary that stands for the expression `id`.
    fn temporary(&mut self, ty: TypeId, value: Rvalue, id: ExprId) -> Lowered {
        let span = self.expr(id).span;
        let operand = self.builder.assign(ty, value, span);
        Lowered { operand, ty, tags: self.context.tags.expression(id), span }
    }

    fn number(&mut self, value: Integer, span: Span) -> Lowered {
        let operand = Operand::Const(Const::Int(value, self.context.dialect.numbers));
        Lowered { operand, ty: self.context.numbers, tags: TagSet::NUMBER, span }
    }

    fn null(&mut self, span: Span) -> Lowered {
        let operand = Operand::Const(Const::Null);
        Lowered { operand, ty: TypeId::POINTER, tags: TagSet::POINTER, span }
    }

    fn name(&mut self, id: ExprId) -> Lowered {
        let span = self.expr(id).span;
        let tags = self.context.tags.expression(id);
        let local = match self.context.resolution.binding(id) {
            Binding::Function(function) => {
                let operand = Operand::Const(Const::Function(FunctionId(function.0)));
                return Lowered { operand, ty: TypeId::FUNCTION, tags, span };
            }
            Binding::Local(LocalIndex(local)) => LocalId(local),
        };
        let initialised = Predicate::Initialised(ir::Place::local(local));
        self.builder.check(CheckKind::Uninitialised, initialised, span);
        let declaration = &self.builder.locals[local.index()];
        match declaration.storage {
            // Nothing in an expression changes a register, so the value need not be copied now.
            Storage::Register => {
                Lowered { operand: Operand::Local(local), ty: declaration.ty, tags, span }
            }
            Storage::Memory => {
                self.temporary(TypeId::ANY, Rvalue::Load(ir::Place::local(local)), id)
            }
        }
    }

    fn address_of(&mut self, id: ExprId) -> Lowered {
        match self.context.resolution.binding(id) {
            Binding::Local(LocalIndex(local)) => {
                let place = ir::Place::local(LocalId(local));
                self.temporary(TypeId::POINTER, Rvalue::AddressOf(place), id)
            }
            // Refused before; a null pointer keeps the graph well-formed.
            Binding::Function(_) => self.null(self.expr(id).span),
        }
    }

    fn deref(&mut self, id: ExprId, pointer: Lowered) -> Lowered {
        let target = self.pointee(pointer);
        let span = self.expr(id).span;
        if self.context.cells_start_empty {
            let initialised = Predicate::Initialised(target.clone());
            self.builder.check(CheckKind::Uninitialised, initialised, span);
        }
        self.temporary(TypeId::ANY, Rvalue::Load(target), id)
    }

    /// The place that a pointer leads to, after the checks that it does.
    fn pointee(&mut self, pointer: Lowered) -> ir::Place {
        let span = pointer.span;
        let pointer = self.as_tagged(pointer, Tag::Pointer, TypeId::POINTER, span);
        let local = self.in_local(pointer.clone(), TypeId::POINTER, span);
        self.builder.check(CheckKind::NullDereference, Predicate::NonNull(pointer), span);
        ir::Place::local(local).project(Projection::Deref)
    }

    fn alloc(&mut self, id: ExprId, value: Lowered) -> Lowered {
        let value = self.as_type(value, TypeId::ANY);
        let count = Operand::Const(Const::Int(Integer::ONE, IntType::Unbounded));
        let initial = Initial::Value(value);
        let new = Rvalue::Allocate { region: Region::Heap, element: TypeId::ANY, count, initial };
        self.temporary(TypeId::POINTER, new, id)
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, left: Lowered, right: Lowered) -> Lowered {
        match op {
            BinaryOp::Add => self.arithmetic(id, ir::BinaryOp::Add, left, right),
            BinaryOp::Sub => self.arithmetic(id, ir::BinaryOp::Sub, left, right),
            BinaryOp::Mul => self.arithmetic(id, ir::BinaryOp::Mul, left, right),
            BinaryOp::Div => self.arithmetic(id, ir::BinaryOp::Div, left, right),
            BinaryOp::And => self.connective(id, ir::BinaryOp::And, left, right),
            BinaryOp::Or => self.connective(id, ir::BinaryOp::Or, left, right),
            BinaryOp::Eq => self.equality(id, CompareOp::Eq, left, right),
            BinaryOp::Ne => self.equality(id, CompareOp::Ne, left, right),
            BinaryOp::Lt => self.order(id, CompareOp::Lt, left, right),
            BinaryOp::Le => self.order(id, CompareOp::Le, left, right),
            BinaryOp::Gt => self.order(id, CompareOp::Gt, left, right),
            BinaryOp::Ge => self.order(id, CompareOp::Ge, left, right),
        }
    }

    fn connective(
        &mut self,
        id: ExprId,
        op: ir::BinaryOp,
        left: Lowered,
        right: Lowered,
    ) -> Lowered {
        let anchor = self.expr(id).anchor;
        let (left, right) = (self.as_truth(left, anchor), self.as_truth(right, anchor));
        self.temporary(TypeId::BOOL, Rvalue::Binary(op, left, right), id)
    }

    fn order(&mut self, id: ExprId, op: CompareOp, left: Lowered, right: Lowered) -> Lowered {
        let anchor = self.expr(id).anchor;
        let (left, right) = (self.as_number(left, anchor), self.as_number(right, anchor));
        self.temporary(TypeId::BOOL, Rvalue::Compare(op, left, right), id)
    }

    fn arithmetic(
        &mut self,
        id: ExprId,
        op: ir::BinaryOp,
        left: Lowered,
        right: Lowered,
    ) -> Lowered {
        let anchor = self.expr(id).anchor;
        let (left, right) = (self.as_number(left, anchor), self.as_number(right, anchor));
        if op == ir::BinaryOp::Div {
            self.builder.check(
                CheckKind::DivisionByZero,
                Predicate::NonZero(right.clone()),
                anchor,
            );
        }
        self.temporary(self.context.numbers, Rvalue::Binary(op, left, right), id)
    }

    fn equality(&mut self, id: ExprId, op: CompareOp, left: Lowered, right: Lowered) -> Lowered {
        let anchor = self.expr(id).anchor;
        let both = |tag| left.tags.only(tag) && right.tags.only(tag);
        let (numbers, pointers) = (both(Tag::Number), both(Tag::Pointer));
        let ty = if numbers { self.context.numbers } else { TypeId::ANY };
        let dynamic = left.ty == TypeId::ANY || right.ty == TypeId::ANY;
        let at = left.span;
        let (mut left, right) = (self.as_type(left, ty), self.as_type(right, ty));
        if !numbers && !pointers {
            if !dynamic {
                // Values of different static types; there is such a comparison only if one is dynamic.
                left = Operand::Local(self.in_local(left, TypeId::ANY, at));
            }
            let comparable = Predicate::Comparable(left.clone(), right.clone());
            self.builder.check(CheckKind::TypeError, comparable, anchor);
        }
        self.temporary(TypeId::BOOL, Rvalue::Compare(op, left, right), id)
    }

    fn call(&mut self, id: ExprId, callee: Lowered, args: Vec<Lowered>) -> Lowered {
        let span = self.expr(id).span;
        let tags = self.context.tags.expression(id);
        let (callee, arguments, ty) = match callee.operand {
            Operand::Const(Const::Function(function)) => {
                let index = crate::resolve::FunctionIndex(function.0);
                let arguments = args.into_iter().enumerate().map(|(position, arg)| {
                    let ty = self.context.local_type(index, position);
                    self.as_type(arg, ty)
                });
                let arguments = arguments.collect();
                let ty = self.context.result_type(index);
                (callee.operand, arguments, ty)
            }
            _ => {
                let at = callee.span;
                let callee = self.as_tagged(callee, Tag::Function, TypeId::FUNCTION, at);
                let takes = Predicate::Takes(callee.clone(), args.len() as u32);
                self.builder.check(CheckKind::ArgumentCount, takes, self.expr(id).anchor);
                let arguments = args.into_iter().map(|arg| self.as_type(arg, TypeId::ANY));
                (callee, arguments.collect(), TypeId::ANY)
            }
        };
        let target = self.builder.temporary(ty, span);
        let call = InstructionKind::Call { target: Some(target), callee, arguments };
        self.builder.push(call, span);
        Lowered { operand: Operand::Local(target), ty, tags, span }
    }

    fn array(&mut self, id: ExprId, elements: Vec<Lowered>) -> Lowered {
        let elements = elements.into_iter().map(|e| self.as_type(e, TypeId::ANY)).collect();
        self.temporary(TypeId::ANY, Rvalue::Array(self.context.dialect.arrays, elements), id)
    }

    fn record(&mut self, id: ExprId, fields: Vec<(&Ident, Lowered)>) -> Lowered {
        let mut lowered = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let (tags, span) = (value.tags, value.span);
            let value = self.as_type(value, TypeId::ANY);
            let may_nest = self.context.dialect.arrays == ArrayKind::Value;
            if let Operand::Local(local) = value
                && !may_nest
                && !tags.never(Tag::Record)
            {
                let flat = Predicate::IsNot(ir::Place::local(local), Tag::Record);
                self.builder.check(CheckKind::NestedRecord, flat, span);
            }
            lowered.push((self.context.symbols.intern(&name.name), value));
        }
        self.temporary(TypeId::ANY, Rvalue::Record(lowered), id)
    }

    fn field(&mut self, id: ExprId, record: Lowered, field: &Ident) -> Lowered {
        let anchor = self.expr(id).anchor;
        let name = self.context.symbols.intern(&field.name);
        let place = self.tagged_place(record, Tag::Record, anchor);
        let exists = Predicate::HasField(place.clone(), name);
        self.builder.check(CheckKind::MissingField, exists, anchor);
        self.temporary(TypeId::ANY, Rvalue::Load(place.project(Projection::Named(name))), id)
    }

    fn index(&mut self, id: ExprId, array: Lowered, index: Lowered) -> Lowered {
        let anchor = self.expr(id).anchor;
        let place = self.tagged_place(array, Tag::Array, anchor);
        let index = self.as_number(index, anchor);
        let inside = Predicate::InBounds { array: place.clone(), index: index.clone() };
        self.builder.check(CheckKind::IndexOutOfBounds, inside, anchor);
        self.temporary(TypeId::ANY, Rvalue::Load(place.project(Projection::Index(index))), id)
    }

    /// A register that holds a value, after the check that it has the tag `tag`.
    fn tagged_place(&mut self, value: Lowered, tag: Tag, span: Span) -> ir::Place {
        let proven = value.tags.only(tag);
        let at = value.span;
        let operand = self.as_type(value, TypeId::ANY);
        let place = ir::Place::local(self.in_local(operand, TypeId::ANY, at));
        if !proven {
            self.builder.check(CheckKind::TypeError, Predicate::Is(place.clone(), tag), span);
        }
        place
    }

    /// A register of type `ty` that holds the operand.
    pub(super) fn in_local(&mut self, operand: Operand, ty: TypeId, span: Span) -> LocalId {
        match operand {
            Operand::Local(local) if self.builder.locals[local.index()].ty == ty => local,
            other => self.local_for(ty, Rvalue::Use(other), span),
        }
    }

    fn local_for(&mut self, ty: TypeId, value: Rvalue, span: Span) -> LocalId {
        let target = self.builder.temporary(ty, span);
        self.builder.push(InstructionKind::Assign { target, value }, span);
        target
    }

    /// The value as a number; reported at `span` if it is none.
    pub(super) fn as_number(&mut self, value: Lowered, span: Span) -> Operand {
        self.as_tagged(value, Tag::Number, self.context.numbers, span)
    }

    /// The value as a truth value: a number that is not 0.
    pub(super) fn as_truth(&mut self, value: Lowered, span: Span) -> Operand {
        if value.ty == TypeId::BOOL {
            return value.operand;
        }
        let at = value.span;
        let number = self.as_number(value, span);
        let zero = Operand::Const(Const::Int(Integer::ZERO, self.context.dialect.numbers));
        self.builder.assign(TypeId::BOOL, Rvalue::Compare(CompareOp::Ne, number, zero), at)
    }

    /// The value as one of type `ty`, whose values are those with the tag `tag`. If it may be
    /// something else, that is checked, and reported at `span`.
    pub(super) fn as_tagged(
        &mut self,
        value: Lowered,
        tag: Tag,
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let value = self.plain(value);
        if value.ty == ty {
            return value.operand;
        }
        let at = value.span;
        let local = match (value.ty, value.operand) {
            (TypeId::ANY, Operand::Local(local)) => local,
            (_, operand) => self.local_for(TypeId::ANY, Rvalue::Use(operand), at),
        };
        if !value.tags.only(tag) {
            let is = Predicate::Is(ir::Place::local(local), tag);
            self.builder.check(CheckKind::TypeError, is, span);
        }
        self.builder.assign(ty, Rvalue::Downcast(Operand::Local(local), ty), at)
    }

    /// The value as one of type `ty`.
    pub(super) fn as_type(&mut self, value: Lowered, ty: TypeId) -> Operand {
        let value = self.plain(value);
        if value.ty == ty || ty == TypeId::ANY {
            return value.operand;
        }
        let tag = match ty {
            TypeId::POINTER => Tag::Pointer,
            TypeId::FUNCTION => Tag::Function,
            _ => Tag::Number,
        };
        let span = value.span;
        self.as_tagged(value, tag, ty, span)
    }

    /// The value as one that microc has: truth values are numbers.
    fn plain(&mut self, value: Lowered) -> Lowered {
        if value.ty != TypeId::BOOL {
            return value;
        }
        let ty = self.context.numbers;
        let operand = self.builder.assign(ty, Rvalue::Convert(value.operand, ty), value.span);
        Lowered { operand, ty, ..value }
    }
}
