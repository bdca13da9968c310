//! A C translation unit after type checking: the tree that lowering reads.
//!
//! Everything that C leaves implicit is written out: every conversion is a node, names are resolved,
//! constants are folded, types are canonical and have their layout, `switch` has its table, initialisers
//! are lists of values with offsets. The front end that produces it ([`crate::front`]) wraps a young
//! library, so this is the boundary: lowering knows this tree and nothing else.

use loupe_integer::Signedness;
use loupe_ir::source::Span;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the list that it numbers.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A type, in [`Unit::types`].
    TypeId
}
index! {
    /// A struct or union, in [`Unit::records`].
    RecordId
}
index! {
    /// A type of functions, in [`Unit::signatures`].
    SignatureId
}
index! {
    /// An object: a variable, a parameter, a compound literal; in [`Unit::objects`].
    ObjectId
}
index! {
    /// A function, in [`Unit::functions`].
    FunctionId
}
index! {
    /// An expression, in [`Unit::exprs`].
    ExprId
}
index! {
    /// A statement, in [`Unit::stmts`].
    StmtId
}
index! {
    /// A string literal, in [`Unit::strings`].
    StringId
}
index! {
    /// A label, in [`Unit::labels`].
    LabelId
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The name of its file, as the user gave it.
    pub name: String,
    /// The types.
    pub types: Vec<Type>,
    /// The structs and unions.
    pub records: Vec<Record>,
    /// The types of functions.
    pub signatures: Vec<Signature>,
    /// All objects: globals, locals, parameters, compound literals.
    pub objects: Vec<Object>,
    /// All functions that are declared or defined.
    pub functions: Vec<Function>,
    /// The expressions.
    pub exprs: Vec<Expr>,
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The string literals, each with its terminating zero.
    pub strings: Vec<StringLiteral>,
    /// The labels.
    pub labels: Vec<Label>,
    /// Objects and functions of file scope, in the order in which they were first declared.
    pub top_level: Vec<TopLevel>,
    /// Assembler text at file scope.
    pub assembler: Vec<Span>,
}

/// A declaration at file scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TopLevel {
    /// Of an object.
    Object(ObjectId),
    /// Of a function.
    Function(FunctionId),
}

/// A type with its layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// As C writes it (`size_t`, `struct node *`), for people.
    pub name: String,
    /// The size in bytes; `None` for functions, incomplete types and arrays of variable length.
    pub size: Option<u64>,
    /// The alignment in bytes; 1 where there is none.
    pub align: u64,
}

/// What a type is, without qualifiers and names of typedefs. Enumerations are their integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// No value.
    Void,
    /// `_Bool`: one byte, 0 or 1.
    Bool,
    /// Integers of so many bits. `char` has its sign here.
    Int {
        /// How many bits.
        width: u32,
        /// Whether they have a sign.
        signedness: Signedness,
    },
    /// Floating point numbers.
    Float(FloatKind),
    /// A pointer to an object or a function.
    Pointer(TypeId),
    /// An array.
    Array {
        /// The type of its elements.
        element: TypeId,
        /// How many.
        length: Length,
    },
    /// A function.
    Function(SignatureId),
    /// A struct or union.
    Record(RecordId),
    /// Something that Loupe does not model: complex numbers, vectors, decimal floats.
    Unsupported,
}

/// The formats of floating point numbers that are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// The 80 bits of the x87.
    Extended,
}

/// How long an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many elements.
    Fixed(u64),
    /// Unknown: an incomplete type, or the last member of a struct.
    Unknown,
    /// The value that this expression had when the declaration was executed.
    Variable(ExprId),
}

/// A struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its tag, or an invented name.
    pub name: String,
    /// Whether it is a union.
    pub is_union: bool,
    /// Its members, unnamed ones included.
    pub fields: Vec<Field>,
    /// Its size in bytes; `None` if it is incomplete.
    pub size: Option<u64>,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name; `None` for an anonymous struct or union and for padding bits.
    pub name: Option<String>,
    /// The type.
    pub ty: TypeId,
    /// Where it starts, in bytes.
    pub offset: u64,
    /// For a bit-field: the first bit, counted from `offset`, and the width.
    pub bits: Option<Bits>,
}

/// Where the bits of a bit-field are. Bit 0 is the least significant one of the byte at the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The first bit.
    pub first: u32,
    /// How many.
    pub width: u32,
}

/// A type of functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// What it returns; a type of kind `Void` for nothing.
    pub result: TypeId,
    /// What it takes, as far as that was declared.
    pub params: Vec<TypeId>,
    /// What is known about further arguments.
    pub more: More,
}

/// What is known about arguments behind the declared ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum More {
    /// There are none.
    None,
    /// `...`
    Variadic,
    /// A declaration without a prototype: `int f();`.
    Unspecified,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name; `None` for compound literals and unnamed parameters.
    pub name: Option<String>,
    /// Its type. A parameter that was declared as an array is a pointer.
    pub ty: TypeId,
    /// How long it lives, and who shares it.
    pub storage: Storage,
    /// Whether it is defined here.
    pub state: Definition,
    /// What it holds at first: zeros overwritten by these in order. `None` if nothing was said.
    pub initial: Option<Vec<Initial>>,
    /// `__attribute__((cleanup(f)))`.
    pub cleanup: Option<FunctionId>,
    /// Whether its type is `const`-qualified.
    pub is_const: bool,
    /// The name that other units know it by: that of the source, unless that gives another
    /// (`asm("…")`).
    pub link_name: Option<String>,
    /// The object that this is another name of (`alias`), by its link name.
    pub alias: Option<String>,
    /// Whether another definition may replace this one, or none may exist at all.
    pub is_weak: bool,
    /// Its size, if the initialiser of a flexible array member makes it larger than its type.
    pub extent: Option<u64>,
    /// Its declaration.
    pub span: Span,
}

/// How long an object lives, and who shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As long as the program; shared with other units under its name.
    External,
    /// As long as the program; known in this unit or block only.
    Static,
    /// As long as its block is executed.
    Automatic,
    /// A parameter.
    Parameter,
}

/// How much of a definition a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// None.
    Declared,
    /// One, unless there is another.
    Tentative,
    /// One.
    Defined,
}

/// One value of an initialiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Initial {
    /// Where it goes, in bytes from the start of the object.
    pub offset: u64,
    /// For a bit-field: its bits, counted from `offset`.
    pub bits: Option<Bits>,
    /// The value, converted to the type of what is there. A string literal (an lvalue of array type)
    /// stands for its characters, an expression of struct type for all of it.
    pub value: ExprId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// The name that other units know it by: the same, unless the source gives another (`asm("…")`).
    pub link_name: String,
    /// Its type.
    pub signature: SignatureId,
    /// Whether other units share it under its name.
    pub is_external: bool,
    /// The function that this is another name of (`alias`, `weakref`), by its link name.
    pub alias: Option<String>,
    /// Whether another definition may replace this one.
    pub is_weak: bool,
    /// Whether it never returns.
    pub is_noreturn: bool,
    /// An `inline` definition that is used only if no other unit defines the function.
    pub is_inline_only: bool,
    /// Its priority among the functions that run before `main`.
    pub constructor: Option<u32>,
    /// Its priority among the functions that run after `main`.
    pub destructor: Option<u32>,
    /// Whether it was declared by being called only.
    pub is_implicit: bool,
    /// The parameters of the definition.
    pub params: Vec<ObjectId>,
    /// The body.
    pub body: Option<StmtId>,
    /// The labels in the body.
    pub labels: Vec<LabelId>,
    /// The whole definition, or the declaration if there is none.
    pub span: Span,
    /// Where the name stands in it.
    pub name_span: Span,
}

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// Its elements, in units of `unit` bytes, with the terminating zero.
    pub elements: Vec<u32>,
    /// The size of an element: 1, 2 or 4 bytes.
    pub unit: u32,
}

/// A label of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The labelled statement (of kind [`StmtKind::Label`]).
    pub stmt: Option<StmtId>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type. That of a place is the type of the object there.
    pub ty: TypeId,
    /// Where it stands. What a macro expands to stands where the macro is used.
    pub span: Span,
}

/// What an expression is. *Places* are the lvalues: they have no value until they are loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer (also of an enumeration, `_Bool` or pointer type).
    Int(i128),
    /// A floating point number: its bits in the format of the type.
    Float(u128),
    /// Place: a string literal, an array.
    String(StringId),
    /// Place: an object.
    Object(ObjectId),
    /// Place: a compound literal; evaluating it initialises its object.
    CompoundLiteral(ObjectId),
    /// A function designator.
    Function(FunctionId),
    /// A member, by its index in [`Record::fields`]. A place if the base is one; the base may also
    /// be a value (the result of a call).
    Member {
        /// The struct or union.
        base: ExprId,
        /// Which member.
        field: u32,
    },
    /// Place: what a pointer points to. If that is a function, a function designator.
    Deref(ExprId),
    /// Place: an element. The base is a pointer value, an array has decayed.
    Subscript {
        /// The pointer.
        base: ExprId,
        /// The index, an integer.
        index: ExprId,
    },
    /// The value at a place.
    Load {
        /// The place.
        place: ExprId,
        /// Whether the object is `volatile`.
        is_volatile: bool,
    },
    /// A pointer to the first element of the array at a place, or to the function that is designated.
    Decay(ExprId),
    /// A pointer to a place or function.
    AddressOf(ExprId),
    /// An operation with one operand of the type of the result (`Not` gives an `int` of any scalar).
    Unary(UnaryOp, ExprId),
    /// An operation on two numbers of one type; a shift count may have another. Comparisons may be
    /// of pointers and give an `int`.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `pointer + index`, or `pointer - index`.
    PointerAdd {
        /// The pointer.
        pointer: ExprId,
        /// How many elements.
        index: ExprId,
        /// Whether the index is subtracted.
        is_negative: bool,
        /// Whether the pointer is written behind the index, which is then evaluated first.
        is_swapped: bool,
    },
    /// `left - right` of two pointers, in elements.
    PointerDifference {
        /// The left pointer.
        left: ExprId,
        /// The right pointer.
        right: ExprId,
    },
    /// `left && right`, an `int`.
    And(ExprId, ExprId),
    /// `left || right`, an `int`.
    Or(ExprId, ExprId),
    /// `place = value`.
    Assign {
        /// The place; it may be a bit-field.
        place: ExprId,
        /// The value, of the place's type.
        value: ExprId,
    },
    /// `place op= value`. With a pointer on the left, `op` is `Add` or `Sub` and the value an integer.
    Update {
        /// The place.
        place: ExprId,
        /// The operation.
        op: BinaryOp,
        /// The type in which it is computed; the left operand is converted to it, the result from it.
        computation: TypeId,
        /// The right operand, converted already.
        value: ExprId,
        /// Whether the object is `volatile`.
        is_volatile: bool,
    },
    /// `++` or `--`.
    Step {
        /// The place.
        place: ExprId,
        /// Whether it is incremented.
        is_increment: bool,
        /// Whether the value of the expression is the old one.
        is_postfix: bool,
        /// Whether the object is `volatile`.
        is_volatile: bool,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// The condition, a scalar.
        condition: ExprId,
        /// The value if it is true; `None` in GNU's `a ?: b`, where it is the value of the condition,
        /// converted to the type of the expression.
        then: Option<ExprId>,
        /// The value if it is false.
        otherwise: ExprId,
    },
    /// `left, right`.
    Comma(ExprId, ExprId),
    /// The value converted to the type of the expression: between scalars, to `_Bool`, to `void`.
    Convert(ExprId),
    /// A call. The callee is a pointer to a function; arguments have the types of the parameters, or
    /// are promoted.
    Call {
        /// The function.
        callee: ExprId,
        /// The arguments.
        arguments: Vec<ExprId>,
    },
    /// `({ … })`. Its value is that of the last statement, if that is an expression.
    Statement(StmtId),
    /// The value that this length of a [`Length::Variable`] has: the one that was computed when the
    /// declaration of the type was executed, or computed here if no declaration has the type
    /// (`sizeof(int[n])`).
    ArrayLength(ExprId),
    /// `&&label`.
    LabelAddress(LabelId),
    /// Something built in.
    Builtin(Builtin, Vec<ExprId>),
    /// Something that Loupe does not model, in words.
    Unsupported(String),
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `!`: 1 if the scalar is zero or null, else 0.
    Not,
}

/// Operations with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// What is built in. The arguments are those of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `va_start(list)`; the argument is a pointer to the list.
    VaStart,
    /// `va_arg(list, T)`; T is the type of the expression.
    VaArg,
    /// `va_end(list)`.
    VaEnd,
    /// `va_copy(to, from)`.
    VaCopy,
    /// `__builtin_clz`: leading zero bits; undefined for 0.
    LeadingZeros,
    /// `__builtin_ctz`: trailing zero bits; undefined for 0.
    TrailingZeros,
    /// `__builtin_popcount`.
    OneBits,
    /// `__builtin_parity`.
    Parity,
    /// `__builtin_ffs`.
    FirstSet,
    /// `__builtin_clrsb`.
    RedundantSign,
    /// `__builtin_bswap16/32/64`.
    ByteSwap,
    /// `__builtin_abs` and relatives, on integers.
    Abs,
    /// `__builtin_add_overflow(a, b, pointer)`: the arguments keep their types; whether the exact result
    /// does not fit in what the pointer points to, where it is stored wrapped. Without a third argument
    /// (`__builtin_add_overflow_p`): whether it does not fit in `at`.
    Overflow {
        /// The operation: `Add`, `Sub` or `Mul`.
        op: BinaryOp,
        /// The type of the result.
        at: TypeId,
    },
    /// An atomic operation, as if there were one thread.
    Atomic(Atomic),
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `__builtin_alloca(size)`.
    Alloca,
    /// `__builtin_fabs` and relatives.
    FloatAbs,
    /// `__builtin_copysign`.
    CopySign,
    /// A question about one floating point number, answered by an `int`.
    Classify(Classify),
    /// `__builtin_fpclassify`: nan, infinite, normal, subnormal, zero, value.
    FpClassify,
}

/// Questions about a floating point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Classify {
    /// `isnan`
    IsNan,
    /// `isinf`
    IsInfinite,
    /// `__builtin_isinf_sign`
    InfiniteSign,
    /// `isfinite`
    IsFinite,
    /// `isnormal`
    IsNormal,
    /// `signbit`
    SignBit,
    /// `isunordered`, of two
    IsUnordered,
    /// `islessgreater`, of two
    IsLessGreater,
}

/// Atomic operations, for one thread. The first argument is a pointer to the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomic {
    /// `*p`
    Load,
    /// `*q = *p`
    LoadInto,
    /// `*p = v`
    Store,
    /// Nothing.
    Fence,
    /// `*p == *e ? (*p = v, 1) : (*e = *p, 0)`; arguments `p, e, v`
    CompareExchange,
    /// `*p == e ? (*p = v, 1) : 0`
    SwapBool,
    /// the old `*p`; `*p = v` if it was `e`
    SwapValue,
    /// the old `*p`; `*p = v`
    Exchange,
    /// `*q = *p; *p = v`; arguments `p, v, q`
    ExchangeInto,
    /// whether the byte was set; it is set
    TestAndSet,
    /// the old value; the new one is `*p op v` (negated for `nand`)
    Fetch {
        /// The operation.
        op: BinaryOp,
        /// Whether the result is negated bitwise.
        is_negated: bool,
    },
    /// the same, giving the new value
    Update {
        /// The operation.
        op: BinaryOp,
        /// Whether the result is negated bitwise.
        is_negated: bool,
    },
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression, for its effects.
    Expr(ExprId),
    /// `{ … }`
    Block(Vec<StmtId>),
    /// Declarations of objects.
    Declare(Vec<ObjectId>),
    /// Declarations of types (`typedef int row[n];`): the lengths in them are computed here. Those in
    /// the types of parameters are computed by such a statement at the start of the body.
    Lengths(Vec<TypeId>),
    /// `if`
    If {
        /// The condition, a scalar.
        condition: ExprId,
        /// If it is true.
        then: StmtId,
        /// If it is false.
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for`. Declarations in its first clause live as long as the loop.
    For {
        /// The first clause.
        initial: Option<StmtId>,
        /// The condition.
        condition: Option<ExprId>,
        /// The third clause.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`
    Switch {
        /// The value, an integer.
        value: ExprId,
        /// The body.
        body: StmtId,
        /// The cases, in the order of the source.
        cases: Vec<Case>,
        /// The statement of kind [`StmtKind::Default`] in the body.
        default: Option<StmtId>,
    },
    /// `case …: body`. Which values lead here says the table of the `switch`.
    Case(StmtId),
    /// `default: body`
    Default(StmtId),
    /// `label: body`
    Label(LabelId, StmtId),
    /// `goto label`
    Goto(LabelId),
    /// `goto *pointer`
    ComputedGoto(ExprId),
    /// `asm`
    Asm {
        /// Whether it is a mere barrier: no text, no outputs.
        is_empty: bool,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<ExprId>),
}

/// One `case` of a `switch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
    /// The statement of kind [`StmtKind::Case`] in the body.
    pub stmt: StmtId,
}

macro_rules! lookup {
    ($($name:ident: $id:ident => $list:ident: $item:ident, $doc:literal;)*) => {
        impl Unit {
            $(
                #[doc = $doc]
                pub fn $name(&self, id: $id) -> &$item {
                    &self.$list[id.index()]
                }
            )*
        }
    };
}

lookup! {
    ty: TypeId => types: Type, "The type with this number.";
    record: RecordId => records: Record, "The struct or union with this number.";
    signature: SignatureId => signatures: Signature, "The type of functions with this number.";
    object: ObjectId => objects: Object, "The object with this number.";
    function: FunctionId => functions: Function, "The function with this number.";
    expr: ExprId => exprs: Expr, "The expression with this number.";
    stmt: StmtId => stmts: Stmt, "The statement with this number.";
    string: StringId => strings: StringLiteral, "The string literal with this number.";
    label: LabelId => labels: Label, "The label with this number.";
}

impl Function {
    /// Whether it takes arguments behind the declared ones.
    pub fn signature_is_variadic(&self, unit: &Unit) -> bool {
        unit.signature(self.signature).more == More::Variadic
    }
}
