//! What gcc builds in.

use super::function::Lowering;
use super::place::Purpose;
use super::types::int_type;
use crate::tree::{Atomic, BinaryOp, Builtin, Classify, ExprId, TypeId, TypeKind};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    BinaryOp as IrOp, CompareOp, Const, Initial, InstructionKind, Operand, Place, Projection,
    Region, Rvalue, TerminatorKind, UnaryOp,
};
use loupe_ir::source::Span;
use loupe_ir::types::{FloatType, IntType, Type, TypeId as IrType};
use std::rc::Rc;

impl Lowering<'_, '_> {
    /// The value of a built-in expression.
    pub(super) fn builtin(
        &mut self,
        id: ExprId,
        builtin: Builtin,
        arguments: &[ExprId],
    ) -> Operand {
        let unit = Rc::clone(&self.unit);
        let (ty, span) = (unit.expr(id).ty, unit.expr(id).span);
        let nothing = |lowering: &mut Self| lowering.placeholder(ty, span);
        match (builtin, arguments) {
            (Builtin::VaStart, [list]) => {
                self.start_list(*list, span);
                nothing(self)
            }
            (Builtin::VaArg, [list]) => self.next_argument(*list, ty, span),
            (Builtin::VaEnd, _) => nothing(self),
            (Builtin::VaCopy, [to, from]) => {
                self.copy_list(*to, *from, span);
                nothing(self)
            }
            (Builtin::LeadingZeros, [value]) => self.bits_function("clz", *value, ty, span),
            (Builtin::TrailingZeros, [value]) => self.bits_function("ctz", *value, ty, span),
            (Builtin::OneBits, [value]) => self.bits_function("popcount", *value, ty, span),
            (Builtin::Parity, [value]) => self.bits_function("parity", *value, ty, span),
            (Builtin::FirstSet, [value]) => self.bits_function("ffs", *value, ty, span),
            (Builtin::RedundantSign, [value]) => self.bits_function("clrsb", *value, ty, span),
            (Builtin::ByteSwap, [value]) => self.bits_function("bswap", *value, ty, span),
            (Builtin::Abs, [value]) => self.absolute(*value, ty, span),
            (Builtin::Overflow { op, at }, [left, right, rest @ ..]) => {
                self.overflow(op, at, (*left, *right), rest.first().copied(), ty, span)
            }
            (Builtin::Atomic(atomic), arguments) => self.atomic(atomic, arguments, ty, span),
            (Builtin::Unreachable, _) => {
                let reason = "`__builtin_unreachable()`";
                self.never(CheckKind::UnreachableReached, reason, span);
                let next = self.builder.new_block();
                self.builder.go_on(next);
                nothing(self)
            }
            (Builtin::Trap, _) => {
                self.end_program(TerminatorKind::Abort, span);
                nothing(self)
            }
            (Builtin::Alloca, [size]) => self.alloca(*size, ty, span),
            (Builtin::FloatAbs, [value]) => self.float_abs(*value, span),
            (Builtin::CopySign, [value, sign]) => self.copy_sign(*value, *sign, span),
            (Builtin::Classify(question), arguments) => {
                self.classify(question, arguments, ty, span)
            }
            (Builtin::FpClassify, [answers @ .., value]) => {
                self.fp_classify(answers, *value, ty, span)
            }
            _ => {
                self.unsupported("this built-in function", span);
                nothing(self)
            }
        }
    }

    /// Calls a function of the library's model that counts or moves bits.
    fn bits_function(&mut self, name: &str, value: ExprId, ty: TypeId, span: Span) -> Operand {
        let from = self.unit.expr(value).ty;
        let operand = self.value(value);
        let Some(IntType::Machine { width, .. }) = int_type(&self.unit, from) else {
            self.unsupported("bits of something that is no integer", span);
            return self.placeholder(ty, span);
        };
        if matches!(name, "clz" | "ctz") {
            let predicate = Predicate::NonZero(operand.clone());
            self.builder.check(CheckKind::InvalidShift, predicate, span);
        }
        let name = format!("__loupe_{name}{width}");
        let Some((function, param, result)) = self.library_function(&name) else {
            self.unsupported("this built-in function", span);
            return self.placeholder(ty, span);
        };
        let argument = match (int_type(&self.unit, from), self.linker.shared.types.as_int(param)) {
            (Some(from), Some(to)) => self.as_int(operand, from, to, span),
            _ => operand,
        };
        let target = self.builder.temporary(result, span);
        let callee = Operand::Const(Const::Function(function));
        let call =
            InstructionKind::Call { target: Some(target), callee, arguments: vec![argument] };
        self.builder.push(call, span);
        match (self.linker.shared.types.as_int(result), int_type(&self.unit, ty)) {
            (Some(from), Some(to)) => self.as_int(Operand::Local(target), from, to, span),
            _ => Operand::Local(target),
        }
    }

    /// A function of the model with one parameter: its number, parameter and result.
    fn library_function(
        &mut self,
        name: &str,
    ) -> Option<(loupe_ir::program::FunctionId, IrType, IrType)> {
        let (index, function) = self.linker.definition(name)?;
        let unit = self.linker.unit(index);
        let signature = unit.signature(unit.function(function).signature);
        let param = self.linker.ty(index, *signature.params.first()?);
        let result = self.linker.ty(index, signature.result);
        Some((self.linker.function(index, function), param, result))
    }

    fn absolute(&mut self, value: ExprId, ty: TypeId, span: Span) -> Operand {
        let operand = self.value(value);
        let Some(int) = int_type(&self.unit, ty) else {
            self.unsupported("an absolute value of this type", span);
            return operand;
        };
        let ir = self.ty(ty);
        let result = self.builder.temporary(ir, span);
        self.builder.set(result, Rvalue::Use(operand.clone()), span);
        let zero = Operand::Const(Const::Int(Integer::ZERO, int));
        let negative = self.compared(CompareOp::Lt, operand.clone(), zero, span);
        let (yes, join) = (self.builder.new_block(), self.builder.new_block());
        let kind = TerminatorKind::Branch { condition: negative, then: yes, otherwise: join };
        self.builder.end(kind, span);
        self.builder.go_on(yes);
        let turned = self.negated(operand, ty, span);
        self.assign_register(result, turned, span);
        self.builder.flow_into(join, span);
        Operand::Local(result)
    }

    /// Computes in integers that hold every result, and compares with what fits.
    fn overflow(
        &mut self,
        op: BinaryOp,
        at: TypeId,
        (left, right): (ExprId, ExprId),
        target: Option<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let types = (self.unit.expr(left).ty, self.unit.expr(right).ty);
        let (left, right) = (self.value(left), self.value(right));
        let pointer = target.map(|target| (self.value(target), self.unit.expr(target).ty));
        let ints = (int_type(&self.unit, types.0), int_type(&self.unit, types.1));
        let (Some(from_left), Some(from_right), Some(int)) =
            (ints.0, ints.1, int_type(&self.unit, at))
        else {
            self.unsupported("an overflow of something that is no integer", span);
            return self.placeholder(ty, span);
        };
        // Twice the widest operand and a sign hold sums, differences and products.
        let width = |int: IntType| match int {
            IntType::Machine { width, .. } => width,
            IntType::Unbounded => 128,
        };
        let wide = IntType::signed(2 * width(from_left).max(width(from_right)).max(width(int)) + 2);
        let wide_ty = self.linker.shared.types.int(wide);
        let left = self.as_int(left, from_left, wide, span);
        let right = self.as_int(right, from_right, wide, span);
        let operation = match op {
            BinaryOp::Add => IrOp::Add,
            BinaryOp::Sub => IrOp::Sub,
            _ => IrOp::Mul,
        };
        let exact = self.builder.assign(wide_ty, Rvalue::Binary(operation, left, right), span);
        let narrow = self.as_int(exact.clone(), wide, int, span);
        let back = self.as_int(narrow.clone(), int, wide, span);
        let differs = self.compared(CompareOp::Ne, exact, back, span);
        if let Some((pointer, pointer_ty)) = pointer {
            let target = self.pointee(pointer_ty);
            let spot = self.followed(pointer, target, Purpose::Access, span);
            self.store(&spot, narrow, span);
        }
        self.number_of(differs, ty, span)
    }

    /// Atomic operations of a program with one thread.
    fn atomic(&mut self, atomic: Atomic, arguments: &[ExprId], ty: TypeId, span: Span) -> Operand {
        let unit = Rc::clone(&self.unit);
        let mut values = Vec::new();
        for argument in arguments {
            values.push((self.value(*argument), unit.expr(*argument).ty));
        }
        if atomic == Atomic::Fence {
            return self.placeholder(ty, span);
        }
        let Some((pointer, pointer_ty)) = values.first().cloned() else {
            return self.placeholder(ty, span);
        };
        let object_ty = self.pointee(pointer_ty);
        let object = |lowering: &mut Self, (pointer, ty): (Operand, TypeId)| {
            let target = lowering.pointee(ty);
            lowering.followed(pointer, target, Purpose::Access, span)
        };
        let spot = self.followed(pointer, object_ty, Purpose::Access, span);
        match (atomic, values.as_slice()) {
            (Atomic::Load, _) => self.load_copy(&spot, span),
            (Atomic::LoadInto, [_, to, ..]) => {
                let value = self.load_copy(&spot, span);
                let to = object(self, to.clone());
                self.store(&to, value, span);
                self.placeholder(ty, span)
            }
            (Atomic::Store, [_, (value, from), ..]) => {
                let value = self.converted(value.clone(), *from, object_ty, span);
                self.store(&spot, value, span);
                self.placeholder(ty, span)
            }
            (Atomic::Exchange, [_, (value, from), ..]) => {
                let old = self.load_copy(&spot, span);
                let value = self.converted(value.clone(), *from, object_ty, span);
                self.store(&spot, value, span);
                old
            }
            (Atomic::ExchangeInto, [_, value, to, ..]) => {
                let old = self.load_copy(&spot, span);
                let value = self.value_or_target(value.clone(), object_ty, span);
                self.store(&spot, value, span);
                let to = object(self, to.clone());
                self.store(&to, old, span);
                self.placeholder(ty, span)
            }
            (Atomic::TestAndSet, _) => {
                let old = self.load_copy(&spot, span);
                let one = match int_type(&self.unit, object_ty) {
                    Some(int) => self.int_const(1, int),
                    None => self.int_const(1, super::types::BYTE),
                };
                self.store(&spot, one, span);
                let truth = self.non_zero(old, object_ty, span);
                self.number_of(truth, ty, span)
            }
            (
                Atomic::Fetch { op, is_negated } | Atomic::Update { op, is_negated },
                [_, (value, from), ..],
            ) => {
                let old = self.load_copy(&spot, span);
                let new = match *self.kind(object_ty) {
                    TypeKind::Pointer(_) => {
                        let mut count = self.as_offset(value.clone(), *from, span);
                        if op == BinaryOp::Sub {
                            count = self.negated_offset(count, span);
                        }
                        // These count in bytes.
                        let bytes = self.byte_pointer();
                        let base = self.as_pointer(old.clone(), bytes, span);
                        let element = self.byte();
                        let moved = Rvalue::Offset { pointer: base, index: count, element };
                        let moved = self.builder.assign(bytes, moved, span);
                        self.retyped(moved, object_ty, span)
                    }
                    _ => {
                        let value = self.converted(value.clone(), *from, object_ty, span);
                        let ir = self.ty(object_ty);
                        let operation = match op {
                            BinaryOp::Add => IrOp::Add,
                            BinaryOp::Sub => IrOp::Sub,
                            BinaryOp::BitAnd => IrOp::BitAnd,
                            BinaryOp::BitOr => IrOp::BitOr,
                            _ => IrOp::BitXor,
                        };
                        let new = Rvalue::Binary(operation, old.clone(), value);
                        let new = self.builder.assign(ir, new, span);
                        if is_negated {
                            self.builder.assign(ir, Rvalue::Unary(UnaryOp::BitNot, new), span)
                        } else {
                            new
                        }
                    }
                };
                self.store(&spot, new.clone(), span);
                let result = if matches!(atomic, Atomic::Fetch { .. }) { old } else { new };
                self.converted(result, object_ty, ty, span)
            }
            (
                Atomic::SwapBool | Atomic::SwapValue,
                [_, (expected, from), (value, value_ty), ..],
            ) => {
                let expected = self.converted(expected.clone(), *from, object_ty, span);
                let value = self.converted(value.clone(), *value_ty, object_ty, span);
                let old = self.load_copy(&spot, span);
                let same = self.compared(CompareOp::Eq, old.clone(), expected, span);
                let (yes, join) = (self.builder.new_block(), self.builder.new_block());
                let condition = same.clone();
                let kind = TerminatorKind::Branch { condition, then: yes, otherwise: join };
                self.builder.end(kind, span);
                self.builder.go_on(yes);
                self.store(&spot, value, span);
                self.builder.flow_into(join, span);
                match atomic {
                    Atomic::SwapBool => self.number_of(same, ty, span),
                    _ => old,
                }
            }
            (Atomic::CompareExchange, [_, expected, value, ..]) => {
                let expected = object(self, expected.clone());
                let value = self.value_or_target(value.clone(), object_ty, span);
                let old = self.load_copy(&spot, span);
                let wanted = self.load_copy(&expected, span);
                let same = self.compared(CompareOp::Eq, old.clone(), wanted, span);
                let blocks = [(); 3].map(|()| self.builder.new_block());
                let [yes, no, join] = blocks;
                let condition = same.clone();
                let kind = TerminatorKind::Branch { condition, then: yes, otherwise: no };
                self.builder.end(kind, span);
                self.builder.go_on(yes);
                self.store(&spot, value, span);
                self.builder.end(TerminatorKind::Goto(join), span);
                self.builder.go_on(no);
                self.store(&expected, old, span);
                self.builder.flow_into(join, span);
                self.number_of(same, ty, span)
            }
            _ => {
                self.unsupported("this atomic operation", span);
                self.placeholder(ty, span)
            }
        }
    }

    /// A value for an object, or what a pointer to one points to: the general forms of the operations pass
    /// pointers.
    fn value_or_target(
        &mut self,
        (value, ty): (Operand, TypeId),
        object: TypeId,
        span: Span,
    ) -> Operand {
        match *self.kind(ty) {
            TypeKind::Pointer(target)
                if target == object && !matches!(self.kind(object), TypeKind::Pointer(_)) =>
            {
                let from = self.followed(value, target, Purpose::Access, span);
                self.load_copy(&from, span)
            }
            _ => self.converted(value, ty, object, span),
        }
    }

    /// The value at a place, in a temporary of its own.
    fn load_copy(&mut self, spot: &super::place::Spot, span: Span) -> Operand {
        let value = self.load_spot(spot, span);
        if spot.register(self).is_none() {
            return value;
        }
        let ty = self.ty(spot.ty);
        self.builder.assign(ty, Rvalue::Use(value), span)
    }

    fn alloca(&mut self, size: ExprId, ty: TypeId, span: Span) -> Operand {
        let count = self.value(size);
        let element = self.byte();
        let bytes = self.byte_pointer();
        let (region, initial) = (Region::Call, Initial::Uninitialised);
        let pointer = self.builder.temporary(bytes, span);
        let value = Rvalue::Allocate { region, element, count, initial };
        self.builder.set(pointer, value, span);
        self.retyped(Operand::Local(pointer), ty, span)
    }

    /// The bits of a floating point number as an integer, through memory.
    fn float_bits(&mut self, value: Operand, format: FloatType, ty: TypeId, span: Span) -> Place {
        let object = self.materialise(value, ty, span);
        let int = match format {
            FloatType::F32 => IntType::unsigned(32),
            FloatType::F64 => IntType::unsigned(64),
            FloatType::F80 => IntType::unsigned(80),
        };
        let int = self.linker.shared.types.int(int);
        let pointer = self.address_of_place(&Place::local(object), span);
        let wanted = self.linker.shared.types.intern(Type::Pointer(int));
        let register = self.builder.temporary(wanted, span);
        self.builder.set(register, Rvalue::Convert(pointer, wanted), span);
        Place::local(register).project(Projection::Deref)
    }

    /// The number with its sign bit changed by a function of the bits.
    fn with_bits(
        &mut self,
        value: Operand,
        ty: TypeId,
        span: Span,
        change: impl FnOnce(&mut Self, Operand, IntType) -> Operand,
    ) -> Operand {
        let format = self.float_format(ty);
        let place = self.float_bits(value, format, ty, span);
        let int = IntType::unsigned(format.bits());
        let int_ty = self.linker.shared.types.int(int);
        let bits = self.builder.assign(int_ty, Rvalue::Load(place.clone()), span);
        let value = change(self, bits, int);
        self.builder.push(InstructionKind::Store { place: place.clone(), value }, span);
        let Place { base: loupe_ir::program::Base::Local(register), .. } = place else {
            return self.placeholder(ty, span);
        };
        let float = self.ty(ty);
        let wanted = self.linker.shared.types.intern(Type::Pointer(float));
        let pointer = self.builder.temporary(wanted, span);
        let back = Rvalue::Convert(Operand::Local(register), wanted);
        self.builder.set(pointer, back, span);
        let place = Place::local(pointer).project(Projection::Deref);
        self.builder.assign(float, Rvalue::Load(place), span)
    }

    fn float_abs(&mut self, value: ExprId, span: Span) -> Operand {
        let ty = self.unit.expr(value).ty;
        let value = self.value(value);
        self.with_bits(value, ty, span, |lowering, bits, int| {
            let IntType::Machine { width, .. } = int else { return bits };
            let mask = Integer::power_of_two(width - 1).sub(&Integer::ONE);
            let mask = Operand::Const(Const::Int(mask, int));
            let ty = lowering.linker.shared.types.int(int);
            lowering.builder.assign(ty, Rvalue::Binary(IrOp::BitAnd, bits, mask), span)
        })
    }

    fn copy_sign(&mut self, value: ExprId, sign: ExprId, span: Span) -> Operand {
        let (ty, sign_ty) = (self.unit.expr(value).ty, self.unit.expr(sign).ty);
        let value = self.value(value);
        let sign = self.value(sign);
        let is_negative = self.sign_bit(sign, sign_ty, span);
        self.with_bits(value, ty, span, |lowering, bits, int| {
            let IntType::Machine { width, .. } = int else { return bits };
            let top = Integer::power_of_two(width - 1);
            let mask = Operand::Const(Const::Int(top.sub(&Integer::ONE), int));
            let ty = lowering.linker.shared.types.int(int);
            let cleared =
                lowering.builder.assign(ty, Rvalue::Binary(IrOp::BitAnd, bits, mask), span);
            let bit = lowering.builder.assign(ty, Rvalue::Convert(is_negative, ty), span);
            let count = Operand::Const(Const::Int(Integer::from(width - 1), IntType::unsigned(32)));
            let moved = lowering.builder.assign(ty, Rvalue::Binary(IrOp::Shl, bit, count), span);
            lowering.builder.assign(ty, Rvalue::Binary(IrOp::BitOr, cleared, moved), span)
        })
    }

    /// Whether the sign bit is set, as a truth value.
    fn sign_bit(&mut self, value: Operand, ty: TypeId, span: Span) -> Operand {
        let format = self.float_format(ty);
        let place = self.float_bits(value, format, ty, span);
        let int = IntType::unsigned(format.bits());
        let int_ty = self.linker.shared.types.int(int);
        let bits = self.builder.assign(int_ty, Rvalue::Load(place), span);
        let top = Operand::Const(Const::Int(Integer::power_of_two(format.bits() - 1), int));
        self.compared(CompareOp::Ge, bits, top, span)
    }

    /// A floating point constant from a `double`.
    fn float_const(format: FloatType, value: f64) -> Operand {
        let bits = match format {
            FloatType::F32 => u128::from((value as f32).to_bits()),
            FloatType::F64 => u128::from(value.to_bits()),
            // Infinity and powers of two are all that is asked for.
            FloatType::F80 if value.is_infinite() => (0x7fff << 64) | (1 << 63),
            FloatType::F80 if value == 0.0 => 0,
            FloatType::F80 => (1u128 << 64) | (1 << 63),
        };
        Operand::Const(Const::Float(bits, format))
    }

    /// The least normal number.
    fn least_normal(format: FloatType) -> Operand {
        let bits = match format {
            FloatType::F32 => u128::from(f32::MIN_POSITIVE.to_bits()),
            FloatType::F64 => u128::from(f64::MIN_POSITIVE.to_bits()),
            FloatType::F80 => (1u128 << 64) | (1 << 63),
        };
        Operand::Const(Const::Float(bits, format))
    }

    fn magnitude(&mut self, value: Operand, ty: TypeId, span: Span) -> Operand {
        self.with_bits(value, ty, span, |lowering, bits, int| {
            let IntType::Machine { width, .. } = int else { return bits };
            let mask = Integer::power_of_two(width - 1).sub(&Integer::ONE);
            let mask = Operand::Const(Const::Int(mask, int));
            let ty = lowering.linker.shared.types.int(int);
            lowering.builder.assign(ty, Rvalue::Binary(IrOp::BitAnd, bits, mask), span)
        })
    }

    fn both(&mut self, op: IrOp, left: Operand, right: Operand, span: Span) -> Operand {
        self.builder.assign(IrType::BOOL, Rvalue::Binary(op, left, right), span)
    }

    fn classify(
        &mut self,
        question: Classify,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let Some(first) = arguments.first() else { return self.placeholder(ty, span) };
        let float = self.unit.expr(*first).ty;
        let format = self.float_format(float);
        let x = self.value(*first);
        let infinity = Self::float_const(format, f64::INFINITY);
        let answer = match (question, arguments.get(1)) {
            (Classify::IsNan, _) => self.compared(CompareOp::Ne, x.clone(), x, span),
            (Classify::SignBit, _) => self.sign_bit(x, float, span),
            (Classify::IsInfinite, _) => {
                let size = self.magnitude(x, float, span);
                self.compared(CompareOp::Eq, size, infinity, span)
            }
            (Classify::IsFinite, _) => {
                let size = self.magnitude(x, float, span);
                self.compared(CompareOp::Lt, size, infinity, span)
            }
            (Classify::IsNormal, _) => {
                let size = self.magnitude(x, float, span);
                let small = Self::least_normal(format);
                let above = self.compared(CompareOp::Ge, size.clone(), small, span);
                let below = self.compared(CompareOp::Lt, size, infinity, span);
                self.both(IrOp::And, above, below, span)
            }
            (Classify::IsUnordered, Some(second)) => {
                let y = self.value(*second);
                let left = self.compared(CompareOp::Ne, x.clone(), x, span);
                let right = self.compared(CompareOp::Ne, y.clone(), y, span);
                self.both(IrOp::Or, left, right, span)
            }
            (Classify::IsLessGreater, Some(second)) => {
                let y = self.value(*second);
                let less = self.compared(CompareOp::Lt, x.clone(), y.clone(), span);
                let greater = self.compared(CompareOp::Gt, x, y, span);
                self.both(IrOp::Or, less, greater, span)
            }
            (Classify::InfiniteSign, _) => return self.infinite_sign(x, float, ty, span),
            _ => {
                self.unsupported("this question about a number", span);
                return self.placeholder(ty, span);
            }
        };
        self.number_of(answer, ty, span)
    }

    /// 1, -1 or 0.
    fn infinite_sign(&mut self, x: Operand, float: TypeId, ty: TypeId, span: Span) -> Operand {
        let format = self.float_format(float);
        let positive = Self::float_const(format, f64::INFINITY);
        let above = self.compared(CompareOp::Eq, x.clone(), positive.clone(), span);
        let above = self.number_of(above, ty, span);
        let negative = {
            let ir = self.ty(float);
            self.builder.assign(ir, Rvalue::Unary(UnaryOp::Neg, positive), span)
        };
        let below = self.compared(CompareOp::Eq, x, negative, span);
        let below = self.number_of(below, ty, span);
        let ir = self.ty(ty);
        self.builder.assign(ir, Rvalue::Binary(IrOp::Sub, above, below), span)
    }

    /// Which of five answers fits: nan, infinite, normal, subnormal, zero.
    fn fp_classify(
        &mut self,
        answers: &[ExprId],
        value: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let [nan, infinite, normal, subnormal, zero] = answers else {
            self.unsupported("`__builtin_fpclassify` in this form", span);
            return self.placeholder(ty, span);
        };
        let float = self.unit.expr(value).ty;
        let format = self.float_format(float);
        let x = self.value(value);
        let size = self.magnitude(x.clone(), float, span);
        let ir = self.ty(ty);
        let result = self.builder.temporary(ir, span);
        let join = self.builder.new_block();
        let tests = [
            (CompareOp::Ne, x.clone(), x, *nan),
            (CompareOp::Eq, size.clone(), Self::float_const(format, f64::INFINITY), *infinite),
            (CompareOp::Eq, size.clone(), Self::float_const(format, 0.0), *zero),
            (CompareOp::Ge, size, Self::least_normal(format), *normal),
        ];
        for (op, left, right, answer) in tests {
            let condition = self.compared(op, left, right, span);
            let (yes, no) = (self.builder.new_block(), self.builder.new_block());
            let kind = TerminatorKind::Branch { condition, then: yes, otherwise: no };
            self.builder.end(kind, span);
            self.builder.go_on(yes);
            let answer = self.value(answer);
            self.builder.set(result, Rvalue::Use(answer), span);
            self.builder.end(TerminatorKind::Goto(join), span);
            self.builder.go_on(no);
        }
        let answer = self.value(*subnormal);
        self.builder.set(result, Rvalue::Use(answer), span);
        self.builder.flow_into(join, span);
        Operand::Local(result)
    }
}
