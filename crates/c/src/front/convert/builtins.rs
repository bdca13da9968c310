//! Calls, and what is built into the compiler.

use loupe_ir::source::Span;
use rucc_sema::{
    AtomicOp, BitCount, Classify as FromClassify, Conversion, ExprKind as From, OverflowOp, Rmw,
    Sign, library_name, unchecked_name,
};

use super::{Converter, Entity};
use crate::tree::{
    Atomic, BinaryOp, Builtin, Classify, ExprId, ExprKind, FunctionId, Signature, TypeId, TypeKind,
};

/// Checking variants of library functions: the function itself, and which arguments are dropped.
/// Loupe checks every access, so these need no size of the object.
const CHECKING: &[(&str, &str, &[usize])] = &[
    ("__builtin___sprintf_chk", "sprintf", &[1, 2]),
    ("__builtin___snprintf_chk", "snprintf", &[2, 3]),
    ("__builtin___vsprintf_chk", "vsprintf", &[1, 2]),
    ("__builtin___vsnprintf_chk", "vsnprintf", &[2, 3]),
    ("__builtin___printf_chk", "printf", &[0]),
    ("__builtin___vprintf_chk", "vprintf", &[0]),
    ("__builtin___fprintf_chk", "fprintf", &[1]),
    ("__builtin___vfprintf_chk", "vfprintf", &[1]),
];

impl Converter<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: rucc_sema::ExprId,
        args: rucc_sema::ExprList,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let tast = self.tast;
        let name = self.builtin_name(callee);
        if let Some(name) = &name {
            if let Some(call) = self.checking_call(name, callee, args, ty, span) {
                return call;
            }
            if library_name(name).is_none() {
                let words = format!("the built-in function `{name}`");
                return self.push_expr(ExprKind::Unsupported(words), ty, span);
            }
        }
        let callee = self.expr(callee);
        let arguments = tast[args].iter().map(|argument| self.expr(*argument)).collect();
        self.push_expr(ExprKind::Call { callee, arguments }, ty, span)
    }

    /// The name of a function that the compiler declares, if that is what is called.
    fn builtin_name(&self, callee: rucc_sema::ExprId) -> Option<String> {
        let From::Convert { kind: Conversion::FunctionDecay, operand } = self.tast[callee].kind
        else {
            return None;
        };
        let From::Decl(decl) = self.tast[operand].kind else { return None };
        let decl = &self.tast[decl];
        let name = self.text(decl.name?);
        let is_reserved =
            ["__builtin_", "__sync_", "__atomic_"].iter().any(|p| name.starts_with(p));
        (is_reserved && decl.body.is_none()).then_some(name)
    }

    /// A call of a checking variant of a library function, as a call of the function.
    fn checking_call(
        &mut self,
        name: &str,
        callee: rucc_sema::ExprId,
        args: rucc_sema::ExprList,
        ty: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        let tast = self.tast;
        let count = tast[args].len();
        let last = count.checked_sub(1).map(|last| [last]);
        let (plain, dropped) = match CHECKING.iter().find(|(checking, ..)| *checking == name) {
            Some((_, plain, dropped)) => (*plain, *dropped),
            None => (unchecked_name(name)?, last.as_ref()?.as_slice()),
        };
        let callee = self.expr(callee);
        let pointer = self.unit.exprs[callee.index()].ty;
        let TypeKind::Pointer(function) = self.unit.types[pointer.index()].kind else {
            return None;
        };
        let TypeKind::Function(signature) = self.unit.types[function.index()].kind else {
            return None;
        };
        let checking = self.unit.signatures[signature.index()].clone();
        let kept = |index: &usize| !dropped.contains(index);
        let params = (0..checking.params.len()).filter(kept).map(|i| checking.params[i]).collect();
        let signature = self.intern_signature(Signature { params, ..checking });
        let (designator, pointer) = self.library_function(plain, signature, span);
        let callee = self.push_expr(ExprKind::Decay(designator), pointer, span);
        let arguments = (0..count).filter(kept).map(|index| self.expr(tast[args][index])).collect();
        Some(self.push_expr(ExprKind::Call { callee, arguments }, ty, span))
    }

    /// What is neither an operator nor a call.
    pub(super) fn builtin(&mut self, id: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let tast = self.tast;
        let node = tast[id];
        let (builtin, args) = match node.kind {
            From::VaStart { list } => (Builtin::VaStart, vec![list]),
            From::VaArg { list } => (Builtin::VaArg, vec![list]),
            From::VaEnd { list } => (Builtin::VaEnd, vec![list]),
            From::VaCopy { dst, src } => (Builtin::VaCopy, vec![dst, src]),
            From::Classify { op, lhs, rhs } => {
                (Builtin::Classify(question(op)), [Some(lhs), rhs].into_iter().flatten().collect())
            }
            From::FpClassify { value, answers } => {
                let mut args = tast[answers].to_vec();
                args.push(value);
                (Builtin::FpClassify, args)
            }
            From::Sign { op: Sign::Clear, lhs, .. } => (Builtin::FloatAbs, vec![lhs]),
            From::Sign { op: Sign::Of, lhs, rhs } => {
                (Builtin::CopySign, [Some(lhs), rhs].into_iter().flatten().collect())
            }
            From::Abs { operand } => (Builtin::Abs, vec![operand]),
            From::ByteSwap { operand } => (Builtin::ByteSwap, vec![operand]),
            From::BitCount { operand, count } => (counted(count), vec![operand]),
            From::Overflow { op, args, stores, .. } => {
                return self.overflow(op, args, stores, ty, span);
            }
            From::Atomic { op, args, .. } => (Builtin::Atomic(atomic(op)), tast[args].to_vec()),
            From::Unreachable => (Builtin::Unreachable, Vec::new()),
            From::Trap => (Builtin::Trap, Vec::new()),
            From::Alloca { size } => (Builtin::Alloca, vec![size]),
            // The value; the rest is advice.
            From::Expect { value, .. } => return self.expr(value),
            From::Prefetch { address, .. } => {
                let address = self.expr(address);
                return self.converted(address, ty, span);
            }
            // What gcc answers without optimisation.
            From::ConstantP { .. } => return self.number(0, node.ty, span),
            From::ObjectSize { kind, .. } => {
                let unknown = if kind & 2 == 0 { -1 } else { 0 };
                return self.number(unknown, node.ty, span);
            }
            kind => {
                let words = unsupported(&kind).to_owned();
                return self.push_expr(ExprKind::Unsupported(words), ty, span);
            }
        };
        let args: Vec<ExprId> = args.into_iter().map(|arg| self.expr(arg)).collect();
        if let Some(arg) =
            args.iter().find(|arg| self.is_unsupported(self.unit.exprs[arg.index()].ty))
        {
            let kind = self.unit.exprs[arg.index()].kind.clone();
            let words = match kind {
                ExprKind::Unsupported(words) => words,
                _ => "this type".to_owned(),
            };
            return self.push_expr(ExprKind::Unsupported(words), ty, span);
        }
        self.push_expr(ExprKind::Builtin(builtin, args), ty, span)
    }

    fn overflow(
        &mut self,
        op: OverflowOp,
        args: rucc_sema::ExprList,
        stores: bool,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let op = match op {
            OverflowOp::Add => BinaryOp::Add,
            OverflowOp::Sub => BinaryOp::Sub,
            OverflowOp::Mul => BinaryOp::Mul,
        };
        let args = self.tast[args].to_vec();
        let result = args.last().map(|last| self.tast[*last].ty);
        let at = result.and_then(|result| {
            if stores { rucc_types::pointee(self.types, result) } else { Some(result) }
        });
        let Some(at) = at else {
            let words = "an operation with an overflow check".to_owned();
            return self.push_expr(ExprKind::Unsupported(words), ty, span);
        };
        let at = self.ty(at);
        // The third operand of the form that stores nothing is there for its type only.
        let count = if stores { 3 } else { 2 };
        let args = args.into_iter().take(count).map(|arg| self.expr(arg)).collect();
        self.push_expr(ExprKind::Builtin(Builtin::Overflow { op, at }, args), ty, span)
    }

    /// The function of the library with this name: a designator of it and the type of a pointer to it.
    fn library_function(
        &mut self,
        name: &str,
        signature: crate::tree::SignatureId,
        span: Span,
    ) -> (ExprId, TypeId) {
        let function = self.function_type(signature);
        let pointer = self.pointer_type(function);
        let id: FunctionId = self.external_function(name, signature, span);
        (self.push_expr(ExprKind::Function(id), function, span), pointer)
    }

    /// The function that a declaration is, if it is one.
    pub(super) fn function_of(&mut self, decl: rucc_sema::DeclId) -> Option<FunctionId> {
        match self.entity(decl) {
            Entity::Function(function) => Some(function),
            Entity::Object(_) => None,
        }
    }
}

fn question(op: FromClassify) -> Classify {
    match op {
        FromClassify::Unordered => Classify::IsUnordered,
        FromClassify::LessGreater => Classify::IsLessGreater,
        FromClassify::Nan => Classify::IsNan,
        FromClassify::Infinite => Classify::IsInfinite,
        FromClassify::Finite => Classify::IsFinite,
        FromClassify::Normal => Classify::IsNormal,
        FromClassify::SignBit => Classify::SignBit,
        FromClassify::InfiniteSign => Classify::InfiniteSign,
    }
}

fn counted(count: BitCount) -> Builtin {
    match count {
        BitCount::Leading => Builtin::LeadingZeros,
        BitCount::Trailing => Builtin::TrailingZeros,
        BitCount::Ones => Builtin::OneBits,
        BitCount::Parity => Builtin::Parity,
        BitCount::FirstSet => Builtin::FirstSet,
        BitCount::RedundantSign => Builtin::RedundantSign,
    }
}

fn atomic(op: AtomicOp) -> Atomic {
    let parts = |rmw| match rmw {
        Rmw::Add => (BinaryOp::Add, false),
        Rmw::Sub => (BinaryOp::Sub, false),
        Rmw::And => (BinaryOp::BitAnd, false),
        Rmw::Nand => (BinaryOp::BitAnd, true),
        Rmw::Or => (BinaryOp::BitOr, false),
        Rmw::Xor => (BinaryOp::BitXor, false),
    };
    match op {
        AtomicOp::Load => Atomic::Load,
        AtomicOp::LoadInto => Atomic::LoadInto,
        AtomicOp::Store => Atomic::Store,
        AtomicOp::Fence | AtomicOp::SignalFence => Atomic::Fence,
        AtomicOp::CompareExchange => Atomic::CompareExchange,
        AtomicOp::SwapBool => Atomic::SwapBool,
        AtomicOp::SwapValue => Atomic::SwapValue,
        AtomicOp::Exchange => Atomic::Exchange,
        AtomicOp::ExchangeInto => Atomic::ExchangeInto,
        AtomicOp::TestAndSet => Atomic::TestAndSet,
        AtomicOp::Fetch(rmw) => {
            let (op, is_negated) = parts(rmw);
            Atomic::Fetch { op, is_negated }
        }
        AtomicOp::Update(rmw) => {
            let (op, is_negated) = parts(rmw);
            Atomic::Update { op, is_negated }
        }
    }
}

fn unsupported(kind: &From) -> &'static str {
    match kind {
        From::Complex { .. } => "complex numbers",
        From::Shuffle { .. }
        | From::ShuffleVector { .. }
        | From::ConvertVector { .. }
        | From::Elementwise { .. } => "vectors",
        From::FrameAddress { .. } | From::SpEntry => "the addresses of stack frames",
        From::ThreadPointer => "the address of a thread's storage",
        From::TimeStamp { .. } => "the clock of the processor",
        From::Eflags { .. } | From::XState { .. } => "registers of the processor",
        From::CpuModel { .. } => "questions about the processor",
        From::ApplyArgs | From::Apply { .. } => "`__builtin_apply`",
        From::Jump { .. } => "`__builtin_setjmp` and `__builtin_longjmp`",
        _ => "something built into the compiler",
    }
}
