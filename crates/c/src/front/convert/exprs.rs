//! Expressions.

use loupe_ir::source::Span;
use rucc_ast::{BinaryOp as FromBinary, UnaryOp as FromUnary};
use rucc_sema::{Category, Conversion, ExprKind as From};
use rucc_types::{Qualifiers, TypeKind as FromType};

use super::{Converter, Entity};
use crate::tree::{
    BinaryOp, Definition, ExprId, ExprKind, Initial, Object, ObjectId, StmtKind, Storage, TypeId,
    TypeKind, UnaryOp,
};

impl Converter<'_, '_> {
    /// An expression: a value, a place or a function designator, as in the tree of the front end.
    pub(super) fn expr(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let node = self.tast[id];
        let from_span = self.tast.expr_span(id);
        let span = self.places.span_or_start(from_span);
        let known_lengths = self.lengths.len();
        let ty = self.ty(node.ty);
        let has_new_lengths = self.lengths.len() > known_lengths;
        if let Some(length) = self.length_exprs.get(&id) {
            return self.push_expr(ExprKind::ArrayLength(*length), ty, span);
        }
        let is_value = node.category == Category::Rvalue;
        if is_value && self.is_unsupported(ty) {
            let words = self.words(node.ty);
            return self.push_expr(ExprKind::Unsupported(words), ty, span);
        }
        let kind = match node.kind {
            From::Error => {
                self.lost(from_span, "expression");
                ExprKind::Unsupported("an expression with an error".to_owned())
            }
            From::Const(value) => return self.constant(self.tast[value], node.ty, span),
            From::Str(literal) => ExprKind::String(self.string(literal)),
            From::Decl(decl) => self.named(decl, from_span),
            From::Member { base, field } => self.member(base, field),
            From::Subscript { base, index } => self.subscript(base, index),
            From::Call { callee, args } => return self.call(callee, args, ty, span),
            From::Unary { op, operand } => return self.unary(op, operand, ty, span),
            From::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs),
            From::Assign { op, computation, lhs, rhs } => {
                self.assignment(op, computation, lhs, rhs)
            }
            From::Cond { cond, then, otherwise } => self.conditional(cond, then, otherwise, ty),
            From::Comma { lhs, rhs } => {
                let left = self.expr(lhs);
                ExprKind::Comma(left, self.expr(rhs))
            }
            From::Cast(operand) => {
                let value = self.conversion(operand, ty, span);
                if !has_new_lengths {
                    return value;
                }
                // The lengths in the type of a cast are computed where it stands.
                let lengths = self.push_stmt(StmtKind::Lengths(vec![ty]), span);
                let value = self.push_stmt(StmtKind::Expr(value), span);
                ExprKind::Statement(self.push_stmt(StmtKind::Block(vec![lengths, value]), span))
            }
            From::Convert { kind, operand } => {
                return self.implicit_conversion(kind, operand, ty, span);
            }
            From::CompoundLiteral(decl) => {
                return self.compound_literal(decl, node.category, ty, span);
            }
            From::StmtExpr(body) => ExprKind::Statement(self.stmt(body)),
            From::LabelAddr(label) => ExprKind::LabelAddress(self.label(label)),
            _ => return self.builtin(id, ty, span),
        };
        self.push_expr(kind, ty, span)
    }

    fn named(&mut self, decl: rucc_sema::DeclId, span: rucc_diag::Span) -> ExprKind {
        match self.entity(decl) {
            Entity::Object(object) => ExprKind::Object(object),
            Entity::Function(function) => {
                // A call of an unknown function declares it, and stands where the declaration does.
                let is_declared_here = self.tast.decl_span(decl) == span;
                let known = &mut self.unit.functions[function.index()];
                if is_declared_here && known.body.is_none() && !known.name.starts_with("__builtin_")
                {
                    known.is_implicit = true;
                }
                ExprKind::Function(function)
            }
        }
    }

    /// A scalar that is compared with zero; the comparison is left to the user of the condition.
    pub(super) fn condition(&mut self, id: rucc_sema::ExprId) -> ExprId {
        match self.tast[id].kind {
            From::Convert { kind: Conversion::Bool, operand } => self.expr(operand),
            _ => self.expr(id),
        }
    }

    fn member(&mut self, base: rucc_sema::ExprId, field: u32) -> ExprKind {
        let record = self.ty(self.tast[base].ty);
        if self.is_unsupported(record) {
            return ExprKind::Unsupported(self.words(self.tast[base].ty));
        }
        ExprKind::Member { base: self.expr(base), field }
    }

    fn subscript(&mut self, base: rucc_sema::ExprId, index: rucc_sema::ExprId) -> ExprKind {
        if rucc_types::is_vector(self.types, self.tast[base].ty) {
            return ExprKind::Unsupported("vectors".to_owned());
        }
        let base = self.expr(base);
        ExprKind::Subscript { base, index: self.expr(index) }
    }

    fn unary(
        &mut self,
        op: FromUnary,
        operand: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let is_volatile = self.is_volatile(operand);
        let step = |place, is_increment, is_postfix| ExprKind::Step {
            place,
            is_increment,
            is_postfix,
            is_volatile,
        };
        let kind = match op {
            // The operand is promoted already.
            FromUnary::Plus => return self.expr(operand),
            FromUnary::Minus => ExprKind::Unary(UnaryOp::Neg, self.expr(operand)),
            FromUnary::BitNot => ExprKind::Unary(UnaryOp::BitNot, self.expr(operand)),
            FromUnary::Not => ExprKind::Unary(UnaryOp::Not, self.condition(operand)),
            FromUnary::Deref => ExprKind::Deref(self.expr(operand)),
            FromUnary::AddrOf => {
                // `&*p` is `p`: C evaluates neither operator.
                if let From::Unary { op: FromUnary::Deref, operand } = self.tast[operand].kind {
                    return self.conversion(operand, ty, span);
                }
                ExprKind::AddressOf(self.expr(operand))
            }
            FromUnary::PreInc => step(self.expr(operand), true, false),
            FromUnary::PreDec => step(self.expr(operand), false, false),
            FromUnary::PostInc => step(self.expr(operand), true, true),
            FromUnary::PostDec => step(self.expr(operand), false, true),
            FromUnary::Real | FromUnary::Imag => {
                ExprKind::Unsupported("complex numbers".to_owned())
            }
        };
        self.push_expr(kind, ty, span)
    }

    fn binary(
        &mut self,
        op: FromBinary,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
    ) -> ExprKind {
        if matches!(op, FromBinary::LogAnd | FromBinary::LogOr) {
            let left = self.condition(lhs);
            let right = self.condition(rhs);
            return match op {
                FromBinary::LogAnd => ExprKind::And(left, right),
                _ => ExprKind::Or(left, right),
            };
        }
        let [points_left, points_right] =
            [lhs, rhs].map(|side| rucc_types::is_pointer(self.types, self.tast[side].ty));
        let left = self.expr(lhs);
        let right = self.expr(rhs);
        for operand in [lhs, rhs] {
            let from = self.tast[operand].ty;
            let ty = self.ty(from);
            if self.is_unsupported(ty) {
                return ExprKind::Unsupported(self.words(from));
            }
        }
        let add = |pointer, index, is_swapped| ExprKind::PointerAdd {
            pointer,
            index,
            is_negative: op == FromBinary::Sub,
            is_swapped,
        };
        match (op, points_left, points_right) {
            (FromBinary::Add | FromBinary::Sub, true, false) => add(left, right, false),
            (FromBinary::Add, false, true) => add(right, left, true),
            (FromBinary::Sub, true, true) => ExprKind::PointerDifference { left, right },
            _ => match operator(op) {
                Some(op) => ExprKind::Binary { op, left, right },
                None => ExprKind::Unsupported("an operator of another kind".to_owned()),
            },
        }
    }

    fn assignment(
        &mut self,
        op: Option<FromBinary>,
        computation: rucc_types::TypeId,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
    ) -> ExprKind {
        let place = self.expr(lhs);
        let target = self.ty(self.tast[lhs].ty);
        if self.is_unsupported(target) {
            return ExprKind::Unsupported(self.words(self.tast[lhs].ty));
        }
        let Some(op) = op else {
            return ExprKind::Assign { place, value: self.expr(rhs) };
        };
        let Some(op) = operator(op) else {
            return ExprKind::Unsupported("an operator of another kind".to_owned());
        };
        let (computation, value) = self.bit_field_computation(op, lhs, rhs, computation);
        let computation_here = self.ty(computation);
        if self.is_unsupported(computation_here) {
            return ExprKind::Unsupported(self.words(computation));
        }
        let value = match value {
            Some(original) => {
                let original = self.expr(original);
                let span = self.unit.exprs[original.index()].span;
                self.converted(original, computation_here, span)
            }
            None => self.expr(rhs),
        };
        let is_volatile = self.is_volatile(lhs);
        ExprKind::Update { place, op, computation: computation_here, value, is_volatile }
    }

    /// The type in which `lhs op= rhs` is computed, and the right operand before the conversion that
    /// the front end wrote, if it chose another type. A bit-field that is narrower than `int` is
    /// promoted to `int` whatever its declared type, which the front end forgets in this one place.
    fn bit_field_computation(
        &mut self,
        op: BinaryOp,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
        computation: rucc_types::TypeId,
    ) -> (rucc_types::TypeId, Option<rucc_sema::ExprId>) {
        let Some(width) = self.bit_field_width(lhs) else { return (computation, None) };
        let declared = self.tast[lhs].ty;
        if !rucc_types::is_integer(self.types, self.tast[rhs].ty) {
            return (computation, None);
        }
        let declared = self.types.unqualified(declared);
        let promoted = rucc_types::promote_bit_field(self.types, declared, width, self.target);
        let promoted = rucc_types::promote(self.types, promoted, self.target);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return (promoted, None);
        }
        let original = match self.tast[rhs].kind {
            From::Convert { kind: Conversion::Arithmetic, operand } => operand,
            _ => rhs,
        };
        let original_ty = self.tast[original].ty;
        if !rucc_types::is_integer(self.types, original_ty) {
            return (computation, None);
        }
        match rucc_types::usual_arithmetic(self.types, promoted, original_ty, self.target) {
            Some(common) => (common, Some(original)),
            None => (computation, None),
        }
    }

    fn bit_field_width(&self, place: rucc_sema::ExprId) -> Option<u32> {
        let From::Member { base, field } = self.tast[place].kind else { return None };
        let record = self.types.canonical(self.tast[base].ty);
        let FromType::Record(record) = self.types.kind(record) else { return None };
        self.types.record_info(record).fields.get(field as usize)?.bits
    }

    fn conditional(
        &mut self,
        cond: rucc_sema::ExprId,
        then: rucc_sema::ExprId,
        otherwise: rucc_sema::ExprId,
        ty: TypeId,
    ) -> ExprKind {
        let condition = self.condition(cond);
        // In GNU's `a ?: b` the second operand is the very node of the condition, perhaps converted.
        let is_short = self.stripped(then) == self.stripped(cond);
        let then = (!is_short).then(|| self.arm(then, ty));
        let otherwise = self.arm(otherwise, ty);
        ExprKind::Conditional { condition, then, otherwise }
    }

    /// An operand of `? :`. If one has no value, neither has the other.
    fn arm(&mut self, id: rucc_sema::ExprId, ty: TypeId) -> ExprId {
        let arm = self.expr(id);
        if self.unit.types[ty.index()].kind != TypeKind::Void {
            return arm;
        }
        let span = self.unit.exprs[arm.index()].span;
        self.converted(arm, ty, span)
    }

    /// A node below implicit conversions of values.
    fn stripped(&self, id: rucc_sema::ExprId) -> rucc_sema::ExprId {
        let mut id = id;
        while let From::Convert {
            kind: Conversion::Bool | Conversion::Arithmetic | Conversion::Pointer,
            operand,
        } = self.tast[id].kind
        {
            id = operand;
        }
        id
    }

    /// A value converted to a type.
    fn conversion(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let value = self.expr(operand);
        let from = self.unit.exprs[value.index()].ty;
        if self.is_unsupported(from) && self.unit.types[ty.index()].kind != TypeKind::Void {
            let words = self.words(self.tast[operand].ty);
            return self.push_expr(ExprKind::Unsupported(words), ty, span);
        }
        // A struct is only ever converted to a compatible one.
        if self.is_record(value) && self.unit.types[ty.index()].kind != TypeKind::Void {
            return value;
        }
        self.converted(value, ty, span)
    }

    fn implicit_conversion(
        &mut self,
        kind: Conversion,
        operand: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        match kind {
            Conversion::Lvalue => self.load(operand, ty, span),
            Conversion::ArrayDecay => {
                let place = self.expr(operand);
                let place = self.in_memory(place);
                self.push_expr(ExprKind::Decay(place), ty, span)
            }
            Conversion::FunctionDecay => {
                let designator = self.expr(operand);
                // `*f` of a pointer to a function is `f`.
                if let ExprKind::Deref(pointer) = self.unit.exprs[designator.index()].kind {
                    return self.converted(pointer, ty, span);
                }
                self.push_expr(ExprKind::Decay(designator), ty, span)
            }
            Conversion::Arithmetic
            | Conversion::Pointer
            | Conversion::Bool
            | Conversion::NullPointer
            | Conversion::Void => self.conversion(operand, ty, span),
            Conversion::Broadcast => {
                self.push_expr(ExprKind::Unsupported("vectors".to_owned()), ty, span)
            }
            Conversion::Hardbool => {
                let words = "an enumeration with `hardbool`".to_owned();
                self.push_expr(ExprKind::Unsupported(words), ty, span)
            }
        }
    }

    fn load(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let place = self.expr(operand);
        // A member of a value is a value.
        if !self.is_place(place) {
            return place;
        }
        let is_volatile = self.is_volatile(operand);
        self.push_expr(ExprKind::Load { place, is_volatile }, ty, span)
    }

    /// Whether a place is that of a `volatile` object.
    fn is_volatile(&self, place: rucc_sema::ExprId) -> bool {
        self.types.object_quals(self.tast[place].ty).has(Qualifiers::VOLATILE)
    }

    /// Whether an expression is a place rather than a value.
    fn is_place(&self, expr: ExprId) -> bool {
        let mut expr = expr;
        while let ExprKind::Member { base, .. } = self.unit.exprs[expr.index()].kind {
            expr = base;
        }
        matches!(
            self.unit.exprs[expr.index()].kind,
            ExprKind::Object(_)
                | ExprKind::String(_)
                | ExprKind::CompoundLiteral(_)
                | ExprKind::Deref(_)
                | ExprKind::Subscript { .. }
        )
    }

    /// The same member of a place, if this is a member of a value: an array in the result of a call
    /// has to be somewhere for a pointer to point to.
    fn in_memory(&mut self, expr: ExprId) -> ExprId {
        if self.is_place(expr) {
            return expr;
        }
        let whole = self.unit.exprs[expr.index()].clone();
        let ExprKind::Member { base, field } = whole.kind else { return expr };
        let base = match self.unit.exprs[base.index()].kind {
            ExprKind::Member { .. } => self.in_memory(base),
            _ => self.temporary(base),
        };
        self.push_expr(ExprKind::Member { base, field }, whole.ty, whole.span)
    }

    /// An unnamed object that holds a value.
    fn temporary(&mut self, value: ExprId) -> ExprId {
        let whole = self.unit.exprs[value.index()].clone();
        let object = ObjectId(self.unit.objects.len() as u32);
        self.unit.objects.push(Object {
            name: None,
            ty: whole.ty,
            storage: Storage::Automatic,
            state: Definition::Defined,
            initial: Some(vec![Initial { offset: 0, bits: None, value }]),
            cleanup: None,
            is_const: false,
            link_name: None,
            alias: None,
            is_weak: false,
            extent: None,
            span: whole.span,
        });
        self.push_expr(ExprKind::CompoundLiteral(object), whole.ty, whole.span)
    }

    fn compound_literal(
        &mut self,
        decl: rucc_sema::DeclId,
        category: Category,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let Entity::Object(object) = self.entity(decl) else {
            self.lost(self.tast.decl_span(decl), "compound literal");
            return self.push_expr(
                ExprKind::Unsupported("a compound literal".to_owned()),
                ty,
                span,
            );
        };
        let kind = match self.unit.objects[object.index()].storage {
            // It is initialised before the program starts, like every static object.
            Storage::Static => ExprKind::Object(object),
            _ => ExprKind::CompoundLiteral(object),
        };
        let place = self.push_expr(kind, ty, span);
        if category != Category::Rvalue {
            return place;
        }
        self.push_expr(ExprKind::Load { place, is_volatile: false }, ty, span)
    }
}

/// The operation; `&&` and `||` are none.
pub(super) fn operator(op: FromBinary) -> Option<BinaryOp> {
    Some(match op {
        FromBinary::Add => BinaryOp::Add,
        FromBinary::Sub => BinaryOp::Sub,
        FromBinary::Mul => BinaryOp::Mul,
        FromBinary::Div => BinaryOp::Div,
        FromBinary::Rem => BinaryOp::Rem,
        FromBinary::BitAnd => BinaryOp::BitAnd,
        FromBinary::BitOr => BinaryOp::BitOr,
        FromBinary::BitXor => BinaryOp::BitXor,
        FromBinary::Shl => BinaryOp::Shl,
        FromBinary::Shr => BinaryOp::Shr,
        FromBinary::Eq => BinaryOp::Eq,
        FromBinary::Ne => BinaryOp::Ne,
        FromBinary::Lt => BinaryOp::Lt,
        FromBinary::Le => BinaryOp::Le,
        FromBinary::Gt => BinaryOp::Gt,
        FromBinary::Ge => BinaryOp::Ge,
        FromBinary::LogAnd | FromBinary::LogOr => return None,
    })
}
