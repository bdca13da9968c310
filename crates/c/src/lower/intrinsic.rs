//! Functions by which the model of the C library says what C cannot: `__loupe_…`.

use super::function::Lowering;
use super::types::int_type;
use crate::tree::{ExprId, TypeId, TypeKind};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    Const, Initial, InstructionKind, Intrinsic as IrIntrinsic, Operand, Region, Rvalue,
    TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::types::IntType;

/// What such a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intrinsic {
    /// An instruction of its own, with the arguments as they are; the last one may be a list.
    Plain(IrIntrinsic),
    /// The same with a list of arguments at the end.
    WithList(IrIntrinsic),
    Input,
    InputBool,
    Assume,
    Fail(CheckKind, &'static str),
    Exit,
    Abort,
    Allocate,
    Release,
    Releasable,
    Size,
    Copy,
    Fill,
    Disjoint,
    Readable,
}

/// The intrinsic of this name.
pub(super) fn lookup(name: &str) -> Option<Intrinsic> {
    let name = name.strip_prefix("__loupe_")?;
    Some(match name {
        "put" => Intrinsic::Plain(IrIntrinsic::PutByte),
        "get" => Intrinsic::Plain(IrIntrinsic::GetByte),
        "at_end" => Intrinsic::Plain(IrIntrinsic::AtEnd),
        "argument_count" => Intrinsic::Plain(IrIntrinsic::ArgumentCount),
        "argument_byte" => Intrinsic::Plain(IrIntrinsic::ArgumentByte),
        "parse_float" => Intrinsic::Plain(IrIntrinsic::ParseFloat),
        "math1" => Intrinsic::Plain(IrIntrinsic::Math),
        "math2" => Intrinsic::Plain(IrIntrinsic::Math2),
        "print" => Intrinsic::WithList(IrIntrinsic::Print),
        "format" => Intrinsic::WithList(IrIntrinsic::Format),
        "scan" => Intrinsic::WithList(IrIntrinsic::Scan),
        "scan_text" => Intrinsic::WithList(IrIntrinsic::ScanText),
        "input_bool" => Intrinsic::InputBool,
        "assume" => Intrinsic::Assume,
        "error" => Intrinsic::Fail(CheckKind::ErrorReached, "the function is called"),
        "assertion_failed" => Intrinsic::Fail(CheckKind::Assertion, "it does not hold"),
        "unsupported" => Intrinsic::Fail(CheckKind::Unsupported, "this function of the C library"),
        "exit" => Intrinsic::Exit,
        "abort" => Intrinsic::Abort,
        "allocate" => Intrinsic::Allocate,
        "release" => Intrinsic::Release,
        "releasable" => Intrinsic::Releasable,
        "size" => Intrinsic::Size,
        "copy" => Intrinsic::Copy,
        "fill" => Intrinsic::Fill,
        "disjoint" => Intrinsic::Disjoint,
        "readable" => Intrinsic::Readable,
        _ if name.starts_with("input_") => Intrinsic::Input,
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    /// A call of an intrinsic; its result, if it has one.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Option<Operand> {
        match intrinsic {
            Intrinsic::Plain(kind) => {
                let values = arguments.iter().map(|argument| self.value(*argument)).collect();
                self.push_intrinsic(kind, values, ty, span)
            }
            Intrinsic::WithList(kind) => {
                let (list, first) = arguments.split_last()?;
                let mut values: Vec<_> = first.iter().map(|a| self.value(*a)).collect();
                values.push(self.list_pointer(*list, span));
                self.push_intrinsic(kind, values, ty, span)
            }
            Intrinsic::Input => {
                let ty = self.ty(ty);
                Some(self.builder.assign(ty, Rvalue::Input(ty), span))
            }
            Intrinsic::InputBool => {
                let bit = IntType::unsigned(1);
                let narrow = self.linker.shared.types.int(bit);
                let value = self.builder.assign(narrow, Rvalue::Input(narrow), span);
                let to = int_type(&self.unit, ty)?;
                Some(self.as_int(value, bit, to, span))
            }
            Intrinsic::Assume => {
                let truth = self.truth(*arguments.first()?);
                self.builder.push(InstructionKind::Assume(truth), span);
                None
            }
            Intrinsic::Fail(kind, reason) => {
                self.never(kind, reason, span);
                let next = self.builder.new_block();
                self.builder.go_on(next);
                None
            }
            Intrinsic::Exit => {
                let status = self.value(*arguments.first()?);
                self.end_program(TerminatorKind::Exit(status), span);
                None
            }
            Intrinsic::Abort => {
                self.end_program(TerminatorKind::Abort, span);
                None
            }
            Intrinsic::Allocate => self.allocate(arguments, ty, span),
            Intrinsic::Release | Intrinsic::Releasable => {
                let pointer = self.value(*arguments.first()?);
                let predicate = Predicate::Freeable(pointer.clone());
                self.builder.check(CheckKind::InvalidFree, predicate, span);
                if intrinsic == Intrinsic::Release {
                    self.builder.push(InstructionKind::Free(pointer), span);
                }
                None
            }
            Intrinsic::Size => {
                let pointer = self.value(*arguments.first()?);
                let result = self.ty(ty);
                Some(self.builder.assign(result, Rvalue::ObjectSize { pointer, result }, span))
            }
            Intrinsic::Copy | Intrinsic::Fill | Intrinsic::Disjoint | Intrinsic::Readable => {
                self.range(intrinsic, arguments, span)
            }
        }
    }

    fn push_intrinsic(
        &mut self,
        intrinsic: IrIntrinsic,
        arguments: Vec<Operand>,
        ty: TypeId,
        span: Span,
    ) -> Option<Operand> {
        let target = match self.kind(ty) {
            TypeKind::Void => None,
            _ => {
                let ty = self.ty(ty);
                Some(self.builder.temporary(ty, span))
            }
        };
        self.builder.push(InstructionKind::Intrinsic { target, intrinsic, arguments }, span);
        target.map(Operand::Local)
    }

    /// A new object of so many bytes.
    fn allocate(&mut self, arguments: &[ExprId], ty: TypeId, span: Span) -> Option<Operand> {
        let [size, flag] = arguments else { return None };
        let count = self.value(*size);
        let zeroed = self.value(*flag);
        let element = self.byte();
        let bytes = self.byte_pointer();
        let pointer = self.builder.temporary(bytes, span);
        let blocks = [(); 3].map(|()| self.builder.new_block());
        let [yes, no, join] = blocks;
        let kind = match zeroed {
            Operand::Const(Const::Int(value, _)) if value.is_zero() => TerminatorKind::Goto(no),
            Operand::Const(_) => TerminatorKind::Goto(yes),
            value => {
                let condition = self.non_zero(value, self.unit.expr(*flag).ty, span);
                TerminatorKind::Branch { condition, then: yes, otherwise: no }
            }
        };
        self.builder.end(kind, span);
        for (block, initial) in [(yes, Initial::Zero), (no, Initial::Uninitialised)] {
            self.builder.go_on(block);
            let (region, count) = (Region::Heap, count.clone());
            self.builder.set(pointer, Rvalue::Allocate { region, element, count, initial }, span);
            self.builder.end(TerminatorKind::Goto(join), span);
        }
        self.builder.go_on(join);
        Some(self.retyped(Operand::Local(pointer), ty, span))
    }

    /// Something with a range of memory, checked.
    fn range(&mut self, kind: Intrinsic, arguments: &[ExprId], span: Span) -> Option<Operand> {
        let [first, second, count] = arguments else { return None };
        let first = self.value(*first);
        let second = self.value(*second);
        let count = self.value(*count);
        if matches!(&count, Operand::Const(Const::Int(n, _)) if *n == Integer::ZERO) {
            return None;
        }
        let access = |pointer: &Operand, write: bool| {
            let (pointer, count) = (pointer.clone(), count.clone());
            if write {
                Predicate::WritableRange { pointer, count }
            } else {
                Predicate::AccessibleRange { pointer, count }
            }
        };
        match kind {
            Intrinsic::Copy => {
                self.builder.check(CheckKind::InvalidAccess, access(&first, true), span);
                self.builder.check(CheckKind::InvalidAccess, access(&second, false), span);
                let copy = InstructionKind::Copy { to: first, from: second, count };
                self.builder.push(copy, span);
            }
            Intrinsic::Fill => {
                self.builder.check(CheckKind::InvalidAccess, access(&first, true), span);
                let fill = InstructionKind::Fill { to: first, byte: second, count };
                self.builder.push(fill, span);
            }
            Intrinsic::Readable => {
                self.builder.check(CheckKind::InvalidAccess, access(&first, false), span);
                self.builder.check(CheckKind::InvalidAccess, access(&second, false), span);
            }
            _ => {
                let predicate = Predicate::Disjoint { left: first, right: second, count };
                self.builder.check(CheckKind::OverlappingCopy, predicate, span);
            }
        }
        None
    }
}
