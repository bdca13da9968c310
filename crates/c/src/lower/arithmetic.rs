//! Operations on scalars, and conversions between them.

use super::function::Lowering;
use super::types::{BYTE, float_type, int_type, is_signed};
use crate::tree::{BinaryOp as TreeOp, Length, TypeId, TypeKind};
use loupe_integer::{Integer, Signedness};
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{BinaryOp, CompareOp, Const, Operand, Rvalue, UnaryOp};
use loupe_ir::source::Span;
use loupe_ir::types::{FloatType, IntType, Type, TypeId as IrType};

/// Whether a machine integer has more bits than another one.
fn is_wider(int: IntType, than: IntType) -> bool {
    match (int, than) {
        (IntType::Machine { width, .. }, IntType::Machine { width: other, .. }) => width > other,
        _ => false,
    }
}

/// The operation in the flowgraph, if it is no comparison.
fn operation(op: TreeOp) -> Option<BinaryOp> {
    Some(match op {
        TreeOp::Add => BinaryOp::Add,
        TreeOp::Sub => BinaryOp::Sub,
        TreeOp::Mul => BinaryOp::Mul,
        TreeOp::Div => BinaryOp::Div,
        TreeOp::Rem => BinaryOp::Rem,
        TreeOp::BitAnd => BinaryOp::BitAnd,
        TreeOp::BitOr => BinaryOp::BitOr,
        TreeOp::BitXor => BinaryOp::BitXor,
        TreeOp::Shl => BinaryOp::Shl,
        TreeOp::Shr => BinaryOp::Shr,
        _ => return None,
    })
}

/// The comparison in the flowgraph.
pub(super) fn comparison(op: TreeOp) -> Option<CompareOp> {
    Some(match op {
        TreeOp::Eq => CompareOp::Eq,
        TreeOp::Ne => CompareOp::Ne,
        TreeOp::Lt => CompareOp::Lt,
        TreeOp::Le => CompareOp::Le,
        TreeOp::Gt => CompareOp::Gt,
        TreeOp::Ge => CompareOp::Ge,
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    /// An operation on two numbers of type `ty`, checked.
    pub(super) fn arithmetic(
        &mut self,
        op: TreeOp,
        (left, right): (Operand, Operand),
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let Some(operation) = operation(op) else {
            self.unsupported("this operation", span);
            return self.placeholder(ty, span);
        };
        let Some(int) = int_type(&self.unit, ty) else {
            let simple = matches!(op, TreeOp::Add | TreeOp::Sub | TreeOp::Mul | TreeOp::Div);
            if !matches!(self.kind(ty), TypeKind::Float(_)) || !simple {
                let name = self.unit.ty(ty).name.clone();
                self.unsupported(&format!("arithmetic on `{name}`"), span);
                return self.placeholder(ty, span);
            }
            let ty = self.ty(ty);
            return self.builder.assign(ty, Rvalue::Binary(operation, left, right), span);
        };
        self.check_arithmetic(operation, &left, &right, int, span);
        let ty = self.ty(ty);
        self.builder.assign(ty, Rvalue::Binary(operation, left, right), span)
    }

    fn check_arithmetic(
        &mut self,
        op: BinaryOp,
        left: &Operand,
        right: &Operand,
        int: IntType,
        span: Span,
    ) {
        let constant = |operand: &Operand| match operand {
            Operand::Const(Const::Int(value, _)) => Some(value.clone()),
            _ => None,
        };
        let overflow = self.linker.options.checks.signed_overflow;
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if is_signed(int) && overflow => {
                let predicate = Predicate::Fits(op, left.clone(), right.clone());
                self.builder.check(CheckKind::SignedOverflow, predicate, span);
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let divisor = constant(right);
                if divisor.as_ref().is_none_or(Integer::is_zero) {
                    let predicate = Predicate::NonZero(right.clone());
                    self.builder.check(CheckKind::DivisionByZero, predicate, span);
                }
                // The least number divided by -1 traps, whatever is said about overflow.
                let minus_one = Integer::from(-1);
                if is_signed(int) && divisor.is_none_or(|divisor| divisor == minus_one) {
                    let predicate = Predicate::Fits(BinaryOp::Div, left.clone(), right.clone());
                    self.builder.check(CheckKind::SignedOverflow, predicate, span);
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let IntType::Machine { width, .. } = int else { return };
                let is_inside = constant(right)
                    .is_some_and(|count| !count.is_negative() && count < Integer::from(width));
                if !is_inside {
                    let length =
                        Operand::Const(Const::Int(Integer::from(width), IntType::Unbounded));
                    let predicate = Predicate::InRange { index: right.clone(), length };
                    self.builder.check(CheckKind::InvalidShift, predicate, span);
                }
                if op == BinaryOp::Shl && is_signed(int) && overflow {
                    let predicate = Predicate::Fits(op, left.clone(), right.clone());
                    self.builder.check(CheckKind::SignedOverflow, predicate, span);
                }
            }
            _ => {}
        }
    }

    /// `-value`, checked.
    pub(super) fn negated(&mut self, value: Operand, ty: TypeId, span: Span) -> Operand {
        if let Some(int) = int_type(&self.unit, ty)
            && is_signed(int)
            && self.linker.options.checks.signed_overflow
        {
            let zero = Operand::Const(Const::Int(Integer::ZERO, int));
            let predicate = Predicate::Fits(BinaryOp::Sub, zero, value.clone());
            self.builder.check(CheckKind::SignedOverflow, predicate, span);
        }
        let ty = self.ty(ty);
        self.builder.assign(ty, Rvalue::Unary(UnaryOp::Neg, value), span)
    }

    /// A comparison of two scalars of one type, as a truth value.
    pub(super) fn compared(
        &mut self,
        op: CompareOp,
        left: Operand,
        right: Operand,
        span: Span,
    ) -> Operand {
        self.builder.assign(IrType::BOOL, Rvalue::Compare(op, left, right), span)
    }

    /// Whether a scalar is neither zero nor null, as a truth value.
    pub(super) fn non_zero(&mut self, value: Operand, ty: TypeId, span: Span) -> Operand {
        if let Operand::Const(Const::Int(value, _)) = &value {
            return Operand::Const(Const::Bool(!value.is_zero()));
        }
        let zero = self.placeholder(ty, span);
        self.compared(CompareOp::Ne, value, zero, span)
    }

    /// A truth value as a number of this type.
    pub(super) fn number_of(&mut self, truth: Operand, ty: TypeId, span: Span) -> Operand {
        if let (Operand::Const(Const::Bool(value)), Some(int)) = (&truth, int_type(&self.unit, ty))
        {
            return Operand::Const(Const::Int(Integer::from(*value), int));
        }
        let ty = self.ty(ty);
        self.builder.assign(ty, Rvalue::Convert(truth, ty), span)
    }

    /// An integer of another type.
    pub(super) fn as_int(
        &mut self,
        value: Operand,
        from: IntType,
        to: IntType,
        span: Span,
    ) -> Operand {
        if from == to {
            return value;
        }
        if let Operand::Const(Const::Int(value, _)) = value {
            return Operand::Const(Const::Int(to.wrap(value), to));
        }
        let ty = self.linker.shared.types.int(to);
        self.builder.assign(ty, Rvalue::Convert(value, ty), span)
    }

    /// An integer as one that pointers can be moved by. One that is too wide for that must lead out of any
    /// object, rather than be cut to fit.
    pub(super) fn as_offset(&mut self, value: Operand, from: TypeId, span: Span) -> Operand {
        match int_type(&self.unit, from) {
            Some(int) => {
                let offset = self.as_int(value.clone(), int, self.offset_type(), span);
                if is_wider(int, self.offset_type()) {
                    let back = self.as_int(offset.clone(), self.offset_type(), int, span);
                    let truth = self.linker.shared.types.intern(Type::Bool);
                    let is_same = Rvalue::Compare(CompareOp::Eq, back, value);
                    let is_same = self.builder.assign(truth, is_same, span);
                    let predicate = Predicate::Holds(is_same);
                    self.builder.check(CheckKind::PointerArithmetic, predicate, span);
                }
                offset
            }
            None => {
                self.unsupported("an index that is no integer", span);
                self.int_const(0, self.offset_type())
            }
        }
    }

    /// An integer as a number of elements; it stays as it is if pointers are wide enough for it.
    pub(super) fn as_index(&mut self, value: Operand, from: TypeId, span: Span) -> Operand {
        let (Some(IntType::Machine { width, signedness }), IntType::Machine { width: wide, .. }) =
            (int_type(&self.unit, from), self.offset_type())
        else {
            return self.as_offset(value, from, span);
        };
        let is_signed = signedness == Signedness::Signed;
        if width < wide || (width == wide && is_signed) {
            return value;
        }
        self.as_offset(value, from, span)
    }

    /// A scalar of another type.
    pub(super) fn converted(
        &mut self,
        value: Operand,
        from: TypeId,
        to: TypeId,
        span: Span,
    ) -> Operand {
        let (from_kind, to_kind) = (self.kind(from).clone(), self.kind(to).clone());
        if from == to || from_kind == to_kind {
            return value;
        }
        match (&from_kind, &to_kind) {
            (_, TypeKind::Bool) if self.is_scalar(from) => {
                let truth = self.non_zero(value, from, span);
                self.number_of(truth, to, span)
            }
            (TypeKind::Float(_), TypeKind::Int { .. }) => {
                let ty = self.ty(to);
                let predicate = Predicate::Representable(value.clone(), ty);
                self.builder.check(CheckKind::InvalidConversion, predicate, span);
                self.builder.assign(ty, Rvalue::Convert(value, ty), span)
            }
            (TypeKind::Bool | TypeKind::Int { .. }, TypeKind::Int { .. }) => {
                match (int_type(&self.unit, from), int_type(&self.unit, to)) {
                    (Some(from), Some(to)) => self.as_int(value, from, to, span),
                    _ => value,
                }
            }
            (TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float(_), TypeKind::Float(_)) => {
                let ty = self.ty(to);
                self.builder.assign(ty, Rvalue::Convert(value, ty), span)
            }
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) => {
                let ty = self.ty(to);
                if let Operand::Local(local) = &value
                    && self.builder.locals[local.index()].ty == ty
                {
                    return value;
                }
                match value {
                    Operand::Const(Const::Null) => value,
                    Operand::Const(Const::Address(..)) if ty != IrType::FUNCTION => value,
                    _ => self.builder.assign(ty, Rvalue::Convert(value, ty), span),
                }
            }
            (TypeKind::Pointer(_), TypeKind::Int { .. }) => {
                let address = self.size_type();
                let ty = self.linker.shared.types.int(address);
                let value = self.builder.assign(ty, Rvalue::Convert(value, ty), span);
                match int_type(&self.unit, to) {
                    Some(to) => self.as_int(value, address, to, span),
                    None => value,
                }
            }
            (TypeKind::Bool | TypeKind::Int { .. }, TypeKind::Pointer(_)) => {
                let value = match int_type(&self.unit, from) {
                    Some(from) => self.as_int(value, from, self.size_type(), span),
                    None => value,
                };
                if matches!(&value, Operand::Const(Const::Int(value, _)) if value.is_zero()) {
                    return Operand::Const(Const::Null);
                }
                let ty = self.ty(to);
                self.builder.assign(ty, Rvalue::Convert(value, ty), span)
            }
            _ => {
                let (from, name) = (&self.unit.ty(from).name, &self.unit.ty(to).name);
                let what = format!("a conversion from `{from}` to `{name}`");
                self.unsupported(&what, span);
                self.placeholder(to, span)
            }
        }
    }

    /// The pointer `count` elements of type `element` further on.
    pub(super) fn move_pointer(
        &mut self,
        pointer: Operand,
        count: Operand,
        element: TypeId,
        span: Span,
    ) -> Operand {
        let (index, element) = self.in_fixed_elements(count, element, span);
        let ty = match &pointer {
            Operand::Local(local) => self.builder.locals[local.index()].ty,
            Operand::Const(_) => self.linker.shared.types.intern(Type::Pointer(element)),
        };
        if ty == IrType::FUNCTION {
            self.unsupported("arithmetic on a pointer to a function", span);
            return pointer;
        }
        if self.linker.options.checks.pointer_arithmetic {
            let (pointer, index) = (pointer.clone(), index.clone());
            let predicate = Predicate::InObject { pointer, index, element };
            self.builder.check(CheckKind::PointerArithmetic, predicate, span);
        }
        self.builder.assign(ty, Rvalue::Offset { pointer, index, element }, span)
    }

    /// A number of elements, which may be arrays of variable length, as a number of elements whose size
    /// is known.
    fn in_fixed_elements(
        &mut self,
        count: Operand,
        element: TypeId,
        span: Span,
    ) -> (Operand, IrType) {
        let (mut count, mut element) = (count, element);
        if self.unit.ty(element).size.is_none()
            && matches!(self.kind(element), TypeKind::Array { .. })
        {
            let from = match &count {
                Operand::Const(Const::Int(_, int)) => Some(*int),
                Operand::Local(local) => {
                    self.linker.shared.types.as_int(self.builder.locals[local.index()].ty)
                }
                Operand::Const(_) => None,
            };
            if let Some(from) = from {
                count = self.as_int(count, from, self.offset_type(), span);
            }
        }
        while self.unit.ty(element).size.is_none()
            && let TypeKind::Array { element: inner, length } = *self.kind(element)
        {
            if let Some(length) = self.length_of(length, span) {
                let ty = self.linker.shared.types.int(self.offset_type());
                count = self.builder.assign(ty, Rvalue::Binary(BinaryOp::Mul, count, length), span);
            }
            element = inner;
        }
        (count, self.ty(element))
    }

    /// The length of an array, if it has one.
    pub(super) fn length_of(&mut self, length: Length, span: Span) -> Option<Operand> {
        match length {
            Length::Fixed(length) => Some(self.int_const(length, self.offset_type())),
            Length::Unknown => None,
            Length::Variable(expr) => Some(Operand::Local(match self.lengths.get(&expr) {
                Some(known) => *known,
                None => self.evaluate_length(expr, span),
            })),
        }
    }

    /// How many elements lie between two pointers.
    pub(super) fn pointer_difference(
        &mut self,
        (left, right): (Operand, Operand),
        element: TypeId,
        result: TypeId,
        span: Span,
    ) -> Operand {
        let predicate = Predicate::SameObject(left.clone(), right.clone());
        self.builder.check(CheckKind::PointerArithmetic, predicate, span);
        let offset = self.linker.shared.types.int(self.offset_type());
        let one = self.int_const(1, self.offset_type());
        let (size, fixed) = self.in_fixed_elements(one, element, span);
        let difference = Rvalue::Difference { left, right, element: fixed, result: offset };
        let mut difference = self.builder.assign(offset, difference, span);
        if let Operand::Local(_) = size {
            let quotient = Rvalue::Binary(BinaryOp::Div, difference, size.clone());
            let predicate = Predicate::NonZero(size);
            self.builder.check(CheckKind::DivisionByZero, predicate, span);
            difference = self.builder.assign(offset, quotient, span);
        }
        match int_type(&self.unit, result) {
            Some(to) => self.as_int(difference, self.offset_type(), to, span),
            None => difference,
        }
    }

    /// The format of a floating point type, or that of `double`.
    pub(super) fn float_format(&self, ty: TypeId) -> FloatType {
        match self.kind(ty) {
            TypeKind::Float(float) => float_type(*float),
            _ => FloatType::F64,
        }
    }

    /// The type of bytes.
    pub(super) fn byte(&mut self) -> IrType {
        self.linker.shared.types.int(BYTE)
    }
}
