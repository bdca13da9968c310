//! Random programs for tests: every construct, no sense.

use crate::check::{Calls, Check, CheckKind, Predicate};
use crate::program::{
    ArrayKind, Base, BinaryOp, Block, BlockId, CompareOp, Const, Function, FunctionId, Global,
    GlobalAccess, GlobalId, Initial, Instruction, InstructionKind, Intrinsic, Local, LocalId,
    Operand, Place, Program, Projection, Region, Rvalue, StatementId, Storage, Symbol, Symbols,
    Terminator, TerminatorKind, UnaryOp,
};
use crate::source::{FileId, Position, Sources, Span};
use crate::types::{
    FloatType, IntType, RecordField, RecordId, RecordType, Tag, Type, TypeId, Types,
};
use loupe_integer::{Integer, Signedness};
use proptest::prelude::*;
use std::collections::HashSet;

/// Programs in which everything that is referred to exists.
pub(crate) fn programs() -> impl Strategy<Value = Program> {
    choices().prop_map(|choices| Generator::new(choices, 0).program())
}

/// Programs in which much that is referred to does not exist.
pub(crate) fn malformed_programs() -> impl Strategy<Value = Program> {
    choices().prop_map(|choices| Generator::new(choices, 1).program())
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..800)
}

/// Makes a program from a list of choices; when they are used up, always chooses the first.
struct Generator {
    choices: std::vec::IntoIter<u32>,
    /// How far beyond the end indices may go.
    beyond: usize,
    types: Types,
    symbols: Symbols,
    counts: Counts,
}

/// How many there are of what is referred to.
#[derive(Default)]
struct Counts {
    types: usize,
    records: usize,
    functions: usize,
    globals: usize,
    locals: usize,
    blocks: usize,
    statements: usize,
}

const NAMES: [&str; 14] = [
    "x",
    "",
    "operator()",
    "a b",
    "\"\\\n\t\r\u{1}",
    "é→",
    "true",
    "b0",
    "f1",
    "i32",
    "global",
    "memory",
    "%1",
    "//",
];

impl Generator {
    fn new(choices: Vec<u32>, beyond: usize) -> Self {
        Generator {
            choices: choices.into_iter(),
            beyond,
            types: Types::new(1),
            symbols: Symbols::default(),
            counts: Counts::default(),
        }
    }

    /// A number less than `count`, or 0.
    fn pick(&mut self, count: usize) -> usize {
        self.choices.next().unwrap_or(0) as usize % count.max(1)
    }

    /// An index of something of which there are `count`.
    fn index(&mut self, count: usize) -> u32 {
        self.pick(count + self.beyond) as u32
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.pick(items.len())]
    }

    fn list<T>(&mut self, most: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.pick(most + 1)).map(|_| item(self)).collect()
    }

    fn name(&mut self) -> String {
        let mut name = self.one_of(&NAMES).to_owned();
        if self.pick(8) == 1 {
            name.extend(char::from_u32(self.pick(0x11_0000) as u32));
        }
        name
    }

    fn integer(&mut self) -> Integer {
        let small = Integer::from(self.pick(10) as i64 - 3);
        if self.pick(6) == 1 { small.shift_left(70) } else { small }
    }

    fn int_type(&mut self) -> IntType {
        let width = self.one_of(&[8, 1, 32, 64, 128]);
        let signedness = self.one_of(&[Signedness::Signed, Signedness::Unsigned]);
        self.one_of(&[IntType::Unbounded, IntType::Machine { width, signedness }])
    }

    fn span(&mut self) -> Span {
        let mut position = || Position::new(self.pick(9) as u32, self.pick(9) as u32);
        let (start, end) = (position(), position());
        Span::new(FileId(self.pick(3) as u32), start, end)
    }

    fn new_type(&mut self) {
        let part = self.ty();
        let ty = match self.pick(5) {
            4 => Type::Float(self.one_of(&FloatType::ALL)),
            0 => Type::Pointer(part),
            1 => Type::Array { element: part, length: self.pick(5) as u64 },
            2 if self.counts.records > 0 => Type::Record(RecordId(self.index(self.counts.records))),
            _ => Type::Int(self.int_type()),
        };
        let id = self.types.intern(ty);
        self.counts.types = self.counts.types.max(id.0 as usize + 1);
    }

    fn ty(&mut self) -> TypeId {
        TypeId(self.index(self.counts.types))
    }

    fn symbol(&mut self) -> Symbol {
        Symbol(self.index(self.symbols.len()))
    }

    fn program(mut self) -> Program {
        self.types = Types::new(self.pick(3) as u64);
        self.counts.types = 5;
        self.counts.records = self.pick(3);
        self.list(8, Self::new_type);
        for _ in 0..self.counts.records {
            let fields = self.list(3, |g| RecordField {
                name: g.name(),
                ty: g.ty(),
                offset: g.pick(20) as u64,
                first_bit: if g.pick(3) == 1 { Some(g.pick(40) as u32) } else { None },
            });
            let (name, size) = (self.name(), self.pick(30) as u64);
            self.types.add_record(RecordType { name, fields, size });
        }
        for _ in 0..=self.pick(3) {
            let name = self.name();
            self.symbols.intern(&name);
        }
        let mut sources = Sources::new();
        for name in self.list(2, Self::name) {
            sources.add(name, "text");
        }
        self.counts.functions = 1 + self.pick(3);
        let globals = self.list(2, |g| Global {
            name: g.name(),
            ty: g.ty(),
            initial: g.list(2, |g| (g.pick(9) as u64, g.constant())),
            access: g.one_of(&[GlobalAccess::ReadWrite, GlobalAccess::ReadOnly]),
            span: g.span(),
        });
        self.counts.globals = globals.len();
        let mut functions: Vec<_> = (0..self.counts.functions).map(|_| self.function()).collect();
        let mut names = HashSet::new();
        for function in &mut functions {
            while !names.insert(function.name.clone()) {
                function.name.push('_');
            }
        }
        let entry = FunctionId(self.index(functions.len()));
        Program { sources, types: self.types, symbols: self.symbols, globals, functions, entry }
    }

    fn function(&mut self) -> Function {
        let locals = self.list(5, |g| Local {
            name: if g.pick(3) == 0 { None } else { Some(g.name()) },
            ty: g.ty(),
            storage: g.one_of(&[Storage::Register, Storage::Memory]),
            span: g.span(),
        });
        let statements = self.list(2, Self::span);
        self.counts.locals = locals.len();
        self.counts.statements = statements.len();
        self.counts.blocks = 1 + self.pick(3);
        let params = self.pick(locals.len() + 1 + self.beyond);
        let result = if self.pick(2) == 0 { None } else { Some(self.ty()) };
        let blocks = (0..self.counts.blocks).map(|_| self.block()).collect();
        let (name, span) = (self.name(), self.span());
        Function { name, params, result, locals, statements, blocks, span }
    }

    fn block(&mut self) -> Block {
        let instructions = self.list(12, |g| {
            let (kind, span, statement) = (g.instruction(), g.span(), g.statement());
            Instruction { kind, span, statement }
        });
        let (kind, span, statement) = (self.terminator(), self.span(), self.statement());
        Block { instructions, terminator: Terminator { kind, span, statement } }
    }

    fn statement(&mut self) -> StatementId {
        StatementId(self.index(self.counts.statements))
    }

    fn local(&mut self) -> LocalId {
        LocalId(self.index(self.counts.locals))
    }

    fn block_id(&mut self) -> BlockId {
        BlockId(self.index(self.counts.blocks))
    }

    fn constant(&mut self) -> Const {
        match self.pick(6) {
            4 => Const::Float(
                self.pick(1000) as u128 * 0x1234_5678_9abc_def0,
                self.one_of(&FloatType::ALL),
            ),
            5 => {
                Const::Address(GlobalId(self.index(self.counts.globals)), self.pick(20) as i64 - 9)
            }
            0 => Const::Int(self.integer(), self.int_type()),
            1 => Const::Bool(self.pick(2) == 1),
            2 => Const::Null,
            _ => Const::Function(FunctionId(self.index(self.counts.functions))),
        }
    }

    fn operand(&mut self) -> Operand {
        match self.pick(2) {
            0 => Operand::Local(self.local()),
            _ => Operand::Const(self.constant()),
        }
    }

    fn place(&mut self) -> Place {
        let base = match self.pick(3) {
            0 => Base::Global(GlobalId(self.index(self.counts.globals))),
            _ => Base::Local(self.local()),
        };
        let projections = self.list(4, |g| match g.pick(4) {
            0 => Projection::Deref,
            1 => Projection::Field(g.pick(3) as u32),
            2 => Projection::Index(g.operand()),
            _ => Projection::Named(g.symbol()),
        });
        Place { base, projections }
    }

    fn instruction(&mut self) -> InstructionKind {
        match self.pick(15) {
            12 => InstructionKind::Copy {
                to: self.operand(),
                from: self.operand(),
                count: self.operand(),
            },
            13 => InstructionKind::Fill {
                to: self.operand(),
                byte: self.operand(),
                count: self.operand(),
            },
            14 => InstructionKind::Intrinsic {
                target: if self.pick(2) == 0 { None } else { Some(self.local()) },
                intrinsic: self.one_of(Intrinsic::ALL),
                arguments: self.list(3, Self::operand),
            },
            0 => InstructionKind::Store { place: self.place(), value: self.operand() },
            1 => InstructionKind::Call {
                target: if self.pick(2) == 0 { None } else { Some(self.local()) },
                callee: self.operand(),
                arguments: self.list(3, Self::operand),
            },
            2 | 3 => InstructionKind::Check(Check {
                kind: self.one_of(CheckKind::ALL),
                predicate: self.predicate(),
            }),
            4 => InstructionKind::Assume(self.operand()),
            5 => InstructionKind::Output(self.operand()),
            6 => InstructionKind::Live(self.local()),
            7 => InstructionKind::Dead(self.local()),
            8 => InstructionKind::Free(self.operand()),
            _ => InstructionKind::Assign { target: self.local(), value: self.rvalue() },
        }
    }

    fn terminator(&mut self) -> TerminatorKind {
        match self.pick(7) {
            0 => TerminatorKind::Goto(self.block_id()),
            1 => TerminatorKind::Branch {
                condition: self.operand(),
                then: self.block_id(),
                otherwise: self.block_id(),
            },
            2 => TerminatorKind::Switch {
                value: self.operand(),
                cases: self.list(3, |g| (g.integer(), g.block_id())),
                default: self.block_id(),
            },
            3 => TerminatorKind::Return(match self.pick(2) {
                0 => None,
                _ => Some(self.operand()),
            }),
            4 => TerminatorKind::Exit(self.operand()),
            5 => TerminatorKind::Abort,
            _ => TerminatorKind::Unreachable,
        }
    }

    fn rvalue(&mut self) -> Rvalue {
        match self.pick(16) {
            14 => Rvalue::Difference {
                left: self.operand(),
                right: self.operand(),
                element: self.ty(),
                result: self.ty(),
            },
            15 => Rvalue::ObjectSize { pointer: self.operand(), result: self.ty() },
            0 => Rvalue::Use(self.operand()),
            1 => Rvalue::Load(self.place()),
            2 => Rvalue::Unary(
                self.one_of(&[UnaryOp::Neg, UnaryOp::BitNot, UnaryOp::Not]),
                self.operand(),
            ),
            3 => Rvalue::Binary(self.binary_op(), self.operand(), self.operand()),
            4 => {
                use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
                let op = self.one_of(&[Eq, Ne, Lt, Le, Gt, Ge]);
                Rvalue::Compare(op, self.operand(), self.operand())
            }
            5 => Rvalue::Convert(self.operand(), self.ty()),
            6 => Rvalue::Downcast(self.operand(), self.ty()),
            7 => Rvalue::AddressOf(self.place()),
            8 => Rvalue::Offset {
                pointer: self.operand(),
                index: self.operand(),
                element: self.ty(),
            },
            9 => Rvalue::Allocate {
                region: self.one_of(&[Region::Heap, Region::Stack, Region::Call]),
                element: self.ty(),
                count: self.operand(),
                initial: match self.pick(4) {
                    0 => Initial::Uninitialised,
                    1 => Initial::Zero,
                    2 => Initial::Linked { link: self.pick(3) as u32 },
                    _ => Initial::Value(self.operand()),
                },
            },
            10 => Rvalue::Array(
                self.one_of(&[ArrayKind::Reference, ArrayKind::Value]),
                self.list(3, Self::operand),
            ),
            11 => Rvalue::Record(self.list(3, |g| (g.symbol(), g.operand()))),
            12 => Rvalue::Input(self.ty()),
            _ => Rvalue::Undefined(self.ty()),
        }
    }

    fn binary_op(&mut self) -> BinaryOp {
        use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Div, Mul, Or, Rem, Shl, Shr, Sub};
        self.one_of(&[Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, And, Or])
    }

    fn predicate(&mut self) -> Predicate {
        match self.pick(26) {
            23 => Predicate::Tracked(Calls::All),
            24 => Predicate::Tracked(Calls::Outer),
            25 => Predicate::AllFreed,
            22 => Predicate::Never(self.symbol()),
            14 => Predicate::Writable(self.operand(), self.ty()),
            15 => Predicate::AccessibleRange { pointer: self.operand(), count: self.operand() },
            16 => Predicate::WritableRange { pointer: self.operand(), count: self.operand() },
            17 => Predicate::Disjoint {
                left: self.operand(),
                right: self.operand(),
                count: self.operand(),
            },
            18 => Predicate::SameObject(self.operand(), self.operand()),
            19 => Predicate::InObject {
                pointer: self.operand(),
                index: self.operand(),
                element: self.ty(),
            },
            20 => Predicate::Representable(self.operand(), self.ty()),
            21 => Predicate::Accepts {
                function: self.operand(),
                arguments: self.list(3, Self::ty),
                result: if self.pick(2) == 0 { None } else { Some(self.ty()) },
            },
            0 => Predicate::Holds(self.operand()),
            1 => Predicate::NonZero(self.operand()),
            2 => Predicate::NonNull(self.operand()),
            3 => Predicate::Initialised(self.place()),
            4 => Predicate::Is(self.place(), self.one_of(&Tag::ALL)),
            5 => Predicate::IsNot(self.place(), self.one_of(&Tag::ALL)),
            6 => Predicate::HasField(self.place(), self.symbol()),
            7 => Predicate::InBounds { array: self.place(), index: self.operand() },
            8 => Predicate::InRange { index: self.operand(), length: self.operand() },
            9 => Predicate::Takes(self.operand(), self.pick(4) as u32),
            10 => Predicate::Comparable(self.operand(), self.operand()),
            11 => Predicate::Fits(self.binary_op(), self.operand(), self.operand()),
            12 => Predicate::Accessible(self.operand(), self.ty()),
            _ => Predicate::Freeable(self.operand()),
        }
    }
}
