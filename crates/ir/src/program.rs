//! Programs, functions, blocks, and what stands in them.
//!
//! A *register* is a local variable that nobody can point to; instructions compute in registers. A
//! *memory* local is an object that pointers can reach; it is read and written through places only.
//! Instructions do not fail: whatever could go wrong is tested by a [`Check`] before them.

use crate::check::Check;
use crate::source::{Sources, Span};
use crate::types::{FloatType, IntType, TypeId, Types};
use loupe_integer::Integer;
use std::collections::HashMap;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the list that it numbers.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A function of the program.
    FunctionId
}
index! {
    /// A global variable of the program.
    GlobalId
}
index! {
    /// A local variable, parameter or temporary of a function.
    LocalId
}
index! {
    /// A basic block of a function; block 0 is the entry.
    BlockId
}
index! {
    /// A statement of the source, as an index into [`Function::statements`].
    StatementId
}
index! {
    /// The name of a field of a dynamic record, as an index into [`Program::symbols`].
    Symbol
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The source files.
    pub sources: Sources,
    /// The types.
    pub types: Types,
    /// The names of fields of dynamic records.
    pub symbols: Symbols,
    /// The global variables.
    pub globals: Vec<Global>,
    /// The functions.
    pub functions: Vec<Function>,
    /// Where execution starts.
    pub entry: FunctionId,
}

impl Program {
    /// What the name of a function begins with that front ends put before the user's own, to prepare what
    /// it is called with.
    pub const START: &str = "loupe.start";

    /// The function with this number.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The functions with their numbers.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.functions.iter().enumerate().map(|(i, f)| (FunctionId(i as u32), f))
    }
}

/// Names, each once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, Symbol>,
}

impl Symbols {
    /// The number of `name`.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.numbers.get(name) {
            return *symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), symbol);
        symbol
    }

    /// The name with this number.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// A global variable: an object that lives from start to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its initial scalars, with their offsets in units of memory; the rest is zero.
    pub initial: Vec<(u64, Const)>,
    /// Whether the program may write to it.
    pub access: GlobalAccess,
    /// Its declaration.
    pub span: Span,
}

/// What a program may do with a global variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GlobalAccess {
    /// Read and write it.
    ReadWrite,
    /// Only read it: a string literal, a constant.
    ReadOnly,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// What it returns; `None` for nothing.
    pub result: Option<TypeId>,
    /// Parameters, variables and temporaries.
    pub locals: Vec<Local>,
    /// The statements of the source, in the order in which they were lowered.
    pub statements: Vec<Span>,
    /// The basic blocks, entry first.
    pub blocks: Vec<Block>,
    /// The whole function in the source.
    pub span: Span,
}

impl Function {
    /// The local with this number.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    /// The block with this number.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The blocks with their numbers.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        self.blocks.iter().enumerate().map(|(i, b)| (BlockId(i as u32), b))
    }

    /// The locals with their numbers.
    pub fn locals(&self) -> impl Iterator<Item = (LocalId, &Local)> {
        self.locals.iter().enumerate().map(|(i, l)| (LocalId(i as u32), l))
    }

    /// The predecessors of every block, in the order of the blocks; a block that branches to
    /// another in two ways is there once.
    pub fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut all = vec![Vec::new(); self.blocks.len()];
        for (id, block) in self.blocks() {
            for next in block.terminator.kind.successors() {
                let before: &mut Vec<BlockId> = &mut all[next.index()];
                if before.last() != Some(&id) {
                    before.push(id);
                }
            }
        }
        all
    }
}

/// A parameter, variable or temporary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The name in the source; `None` for a temporary.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// Where it lives.
    pub storage: Storage,
    /// Its declaration, or the expression whose value a temporary holds.
    pub span: Span,
}

/// Where a local lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Nothing points to it.
    Register,
    /// It is an object; pointers may reach it.
    Memory,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it does, one after the other.
    pub instructions: Vec<Instruction>,
    /// Where it goes.
    pub terminator: Terminator,
}

/// An instruction with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub kind: InstructionKind,
    /// The expression that it computes, or its place in the statement.
    pub span: Span,
    /// The statement that it belongs to.
    pub statement: StatementId,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// `register = value`
    Assign {
        /// The register that is written.
        target: LocalId,
        /// The value.
        value: Rvalue,
    },
    /// Writes to a place.
    Store {
        /// Where.
        place: Place,
        /// What.
        value: Operand,
    },
    /// Calls a function.
    Call {
        /// The register for the result.
        target: Option<LocalId>,
        /// The function.
        callee: Operand,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// Ends in an error unless its predicate holds.
    Check(Check),
    /// Ends harmlessly unless the operand is true.
    Assume(Operand),
    /// Writes a number to the program's output.
    Output(Operand),
    /// The declaration of a local is executed: it holds no value; in memory it is a new object.
    Live(LocalId),
    /// The object of a memory local ends.
    Dead(LocalId),
    /// Gives back what was allocated.
    Free(Operand),
    /// Copies units of memory as they are: values, pointers, what is uninitialised. The ranges may
    /// overlap.
    Copy {
        /// A pointer to where they go.
        to: Operand,
        /// A pointer to where they are.
        from: Operand,
        /// How many.
        count: Operand,
    },
    /// Writes one byte into many units of memory.
    Fill {
        /// A pointer to the first.
        to: Operand,
        /// The byte, an integer of which the low 8 bits count.
        byte: Operand,
        /// How many.
        count: Operand,
    },
    /// Something that is no matter of values and memory alone.
    Intrinsic {
        /// The register for the result.
        target: Option<LocalId>,
        /// What.
        intrinsic: Intrinsic,
        /// The arguments.
        arguments: Vec<Operand>,
    },
}

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $intrinsic:ident = $name:literal;)*) => {
        /// What front ends may ask of the world around the program, and functions whose meaning is
        /// not worth spelling out in instructions. The result of each is an integer or floating point
        /// number, as said; all pointers must be checked before.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Intrinsic {
            $($(#[$doc])* $intrinsic,)*
        }

        impl Intrinsic {
            /// All of them.
            pub const ALL: &[Intrinsic] = &[$(Intrinsic::$intrinsic),*];

            /// The name in the textual form.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Intrinsic::$intrinsic => $name,)*
                }
            }
        }
    };
}

intrinsics! {
    /// `(stream, byte)`: writes a byte to standard output (1) or standard error (2).
    PutByte = "put-byte";
    /// `()`: the next byte of the standard input, or -1 at its end.
    GetByte = "get-byte";
    /// `()`: 1 if the standard input is at its end, else 0; nothing is read.
    AtEnd = "at-end";
    /// `(stream, format, arguments)`: C's `vfprintf`; the arguments are a pointer to values one behind the
    /// other, as variadic calls pass them. How many bytes were written.
    Print = "print";
    /// `(to, size, format, arguments)`: C's `vsnprintf`.
    Format = "format";
    /// `(format, arguments)`: C's `vscanf`. How many conversions were stored, or -1.
    Scan = "scan";
    /// `(text, format, arguments)`: C's `vsscanf`.
    ScanText = "scan-text";
    /// `()`: how many command line arguments there are, the program's name included.
    ArgumentCount = "argument-count";
    /// `(argument, position)`: a byte of a command line argument, or 0 at its end.
    ArgumentByte = "argument-byte";
    /// `(text, end)`: C's `strtod`; `end` is a pointer to a pointer, or null.
    ParseFloat = "parse-float";
    /// `(function, x)`: a function of the mathematical library, of one number of type `f64`.
    Math = "math";
    /// `(function, x, y)`: one of two numbers.
    Math2 = "math2";
}

/// The end of a block, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminator {
    /// Where it goes.
    pub kind: TerminatorKind,
    /// Its place.
    pub span: Span,
    /// The statement that it belongs to.
    pub statement: StatementId,
}

/// Where a block goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminatorKind {
    /// To another block.
    Goto(BlockId),
    /// To one of two blocks.
    Branch {
        /// The condition, a truth value.
        condition: Operand,
        /// Where to go if it is true.
        then: BlockId,
        /// Where to go if it is false.
        otherwise: BlockId,
    },
    /// To the block of a value.
    Switch {
        /// The value, an integer.
        value: Operand,
        /// Values, all different, and their blocks.
        cases: Vec<(Integer, BlockId)>,
        /// Where to go for any other value.
        default: BlockId,
    },
    /// Back to the caller.
    Return(Option<Operand>),
    /// The program ends with this status.
    Exit(Operand),
    /// The program ends abnormally, which is no error.
    Abort,
    /// Never executed, because a check before it always fails.
    Unreachable,
}

impl TerminatorKind {
    /// The blocks that may come next.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + '_ {
        let (first, second, cases): (_, _, &[(Integer, BlockId)]) = match self {
            TerminatorKind::Goto(next) => (Some(*next), None, &[]),
            TerminatorKind::Branch { then, otherwise, .. } => (Some(*then), Some(*otherwise), &[]),
            TerminatorKind::Switch { cases, default, .. } => (None, Some(*default), cases),
            TerminatorKind::Return(_)
            | TerminatorKind::Exit(_)
            | TerminatorKind::Abort
            | TerminatorKind::Unreachable => (None, None, &[]),
        };
        first.into_iter().chain(cases.iter().map(|(_, next)| *next)).chain(second)
    }

    /// The same for changing them.
    pub fn successors_mut(&mut self) -> impl Iterator<Item = &mut BlockId> {
        let (first, second, cases): (_, _, &mut [(Integer, BlockId)]) = match self {
            TerminatorKind::Goto(next) => (Some(next), None, &mut []),
            TerminatorKind::Branch { then, otherwise, .. } => {
                (Some(then), Some(otherwise), &mut [])
            }
            TerminatorKind::Switch { cases, default, .. } => (None, Some(default), cases),
            TerminatorKind::Return(_)
            | TerminatorKind::Exit(_)
            | TerminatorKind::Abort
            | TerminatorKind::Unreachable => (None, None, &mut []),
        };
        first.into_iter().chain(cases.iter_mut().map(|(_, next)| next)).chain(second)
    }
}

/// What an instruction computes with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value of a register.
    Local(LocalId),
    /// A constant.
    Const(Const),
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// An integer of this type.
    Int(Integer, IntType),
    /// A truth value.
    Bool(bool),
    /// A floating point number: its bits in this format.
    Float(u128, FloatType),
    /// The pointer to nothing.
    Null,
    /// A function.
    Function(FunctionId),
    /// A pointer into a global, so many units of memory from its start.
    Address(GlobalId, i64),
}

/// A place that can be read and written: a variable, or a part of what it holds or points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// The way from there.
    pub projections: Vec<Projection>,
}

impl Place {
    /// A local itself.
    pub fn local(id: LocalId) -> Self {
        Place { base: Base::Local(id), projections: Vec::new() }
    }

    /// A part of this place.
    pub fn project(mut self, projection: Projection) -> Self {
        self.projections.push(projection);
        self
    }
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// At a local, in a register or in memory.
    Local(LocalId),
    /// At a global.
    Global(GlobalId),
}

/// One step from a place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    /// To what the pointer there points to.
    Deref,
    /// To a field of the struct or union there.
    Field(u32),
    /// To an element of the array there. A value of type `any` that is a reference to an array
    /// leads to the elements of that array.
    Index(Operand),
    /// To a field of the dynamic record there.
    Named(Symbol),
}

/// What an assignment computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rvalue {
    /// The operand itself.
    Use(Operand),
    /// What stands at a place.
    Load(Place),
    /// An operation with one operand.
    Unary(UnaryOp, Operand),
    /// An operation with two operands of one type, which is the result's too; the count of a shift may
    /// be of another integer type.
    Binary(BinaryOp, Operand, Operand),
    /// A comparison; the result is a truth value.
    Compare(CompareOp, Operand, Operand),
    /// The operand as a value of another type: integers wrap, truth values become 0 or 1, pointers
    /// change the type that they point to; floating point numbers are rounded to nearest, toward zero if
    /// an integer is wanted, where they must be in its range; a pointer becomes its address and an address
    /// a pointer.
    Convert(Operand, TypeId),
    /// A value of type `any`, known to be of this type.
    Downcast(Operand, TypeId),
    /// A pointer to a place in memory.
    AddressOf(Place),
    /// A pointer that is `index` elements of type `element` further on.
    Offset {
        /// The pointer.
        pointer: Operand,
        /// How many elements.
        index: Operand,
        /// Their type.
        element: TypeId,
    },
    /// How many elements of type `element` lie between two pointers into one object.
    Difference {
        /// The pointer that is further on, if the result is positive.
        left: Operand,
        /// The other one.
        right: Operand,
        /// The type of the elements.
        element: TypeId,
        /// The type of the result.
        result: TypeId,
    },
    /// How many units of memory the object takes that a pointer points into.
    ObjectSize {
        /// The pointer.
        pointer: Operand,
        /// The type of the result.
        result: TypeId,
    },
    /// A pointer to a new object of `count` elements.
    Allocate {
        /// Where.
        region: Region,
        /// The type of the elements.
        element: TypeId,
        /// How many.
        count: Operand,
        /// What they hold at first.
        initial: Initial,
    },
    /// A new dynamic array.
    Array(ArrayKind, Vec<Operand>),
    /// A dynamic record.
    Record(Vec<(Symbol, Operand)>),
    /// The next value of the input.
    Input(TypeId),
    /// The next value of the stream of uninitialised values. A pointer is given by its address, a
    /// floating point number by its bits.
    Undefined(TypeId),
}

/// Where a new object lives, which says who may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// On the heap: the program gives it back.
    Heap,
    /// On the stack: the front end gives it back where its block ends.
    Stack,
    /// On the stack: it ends with the call that made it.
    Call,
}

/// What a new object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Nothing that may be read.
    Uninitialised,
    /// Zeros.
    Zero,
    /// This value in every element.
    Value(Operand),
    /// Nothing that may be read; but the elements, which are structs on the stack, are objects of their own, and this field of each points to the next. It is null in the
    /// last one. The result is a pointer to the first, or null if there are none.
    Linked {
        /// The number of the field.
        link: u32,
    },
}

/// How a dynamic array behaves on assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayKind {
    /// Both sides are the same array afterwards.
    Reference,
    /// It is copied.
    Value,
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// The negated number.
    Neg,
    /// The integer with all bits turned.
    BitNot,
    /// The negated truth value.
    Not,
}

/// Operations with two operands. On machine integers the result wraps around; on floating point numbers,
/// which have the first four, it is rounded to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded toward zero; the divisor must not be zero.
    Div,
    /// Remainder, with the sign of the dividend; the divisor must not be zero.
    Rem,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Left shift; the count must be in range.
    Shl,
    /// Right shift, arithmetic for signed types; the count must be in range.
    Shr,
    /// Conjunction of truth values.
    And,
    /// Disjunction of truth values.
    Or,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}
