//! The syntax tree of microc (grammar: listing 2.1 of the thesis, with the readings of the README).
//!
//! Expressions live in an arena, [`Exprs`], in *post-order*: the parts of an expression come before
//! it, from left to right, and all nodes of one expression lie next to each other. So evaluation
//! order is arena order, a sum of a hundred thousand terms is no deeper than any other expression,
//! and nothing here needs recursion over expressions. Statements nest as boxes; the parser bounds
//! their depth by [`MAX_NESTING`].

use loupe_integer::Integer;
use loupe_ir::source::Span;
use std::ops::Range;

/// How deep blocks, parentheses and prefix operators may nest.
pub const MAX_NESTING: usize = 1_000;

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions, in the order of the source.
    pub functions: Vec<Function>,
    /// All expressions.
    pub exprs: Exprs,
}

/// A function: declarations, statements, and the `return` at its end.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Ident>,
    /// The variables of its `var` statements, one list per statement.
    pub vars: Vec<VarStmt>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// What it returns.
    pub result: ExprId,
    /// The `return` statement.
    pub return_span: Span,
    /// The whole function.
    pub span: Span,
}

/// `var a, b;`
#[derive(Clone, Debug)]
pub struct VarStmt {
    /// The declared names.
    pub names: Vec<Ident>,
    /// The whole statement.
    pub span: Span,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The whole statement; for `if` and `while`, nested statements included.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `place = value;`
    Assign {
        /// The left side: a name, dereference, element or field.
        place: ExprId,
        /// The right side.
        value: ExprId,
    },
    /// `output value;`
    Output(ExprId),
    /// `if (guard) then [else otherwise]`
    If {
        /// The guard.
        guard: ExprId,
        /// Run if the guard is not 0.
        then: Box<Stmt>,
        /// Run if the guard is 0.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while (guard) body`
    While {
        /// The guard.
        guard: ExprId,
        /// Run as long as the guard is not 0.
        body: Box<Stmt>,
    },
    /// `{ … }`
    Block(Vec<Stmt>),
}

/// An expression of a program, as an index into its [`Exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// An expression with its places.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole expression, parentheses around it excluded.
    pub span: Span,
    /// Where a run-time error of this very operation is reported: the operator of a binary
    /// expression, `.field` of an access, `[index]` of an element, `(args)` of a call; otherwise
    /// the same as `span`.
    pub anchor: Span,
    /// The first node of this expression in the arena: `first..=self` are its nodes.
    pub first: ExprId,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number; the sign belongs to the literal.
    Number(Integer),
    /// `null`
    Null,
    /// `input`
    Input,
    /// A variable, a parameter or a function.
    Name(String),
    /// `&name`
    AddressOf(Ident),
    /// `*pointer`
    Deref(ExprId),
    /// `alloc value`
    Alloc(ExprId),
    /// `!value`
    Not(ExprId),
    /// `left op right`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `callee(args)`
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// `[a, b, …]`
    Array(Vec<ExprId>),
    /// `{f: a, g: b, …}`
    Record(Vec<(Ident, ExprId)>),
    /// `record.field`
    Field {
        /// The record.
        record: ExprId,
        /// The field's name.
        field: Ident,
    },
    /// `array[index]`
    Index {
        /// The array.
        array: ExprId,
        /// The index.
        index: ExprId,
    },
}

/// The binary operators.
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
    /// `&&`, both sides always evaluated
    And,
    /// `||`, both sides always evaluated
    Or,
}

impl BinaryOp {
    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// How tightly it binds: from 1 (`&&`, `||`) to 5 (`*`, `/`); all are left-associative.
    pub const fn precedence(self) -> u8 {
        match self {
            BinaryOp::And | BinaryOp::Or => 1,
            BinaryOp::Eq | BinaryOp::Ne => 2,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 3,
            BinaryOp::Add | BinaryOp::Sub => 4,
            BinaryOp::Mul | BinaryOp::Div => 5,
        }
    }
}

/// The expressions of a program, in post-order.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Vec<Expr>,
}

impl Exprs {
    /// Adds an expression whose parts are already here. `first` is the first node of its leftmost
    /// part, or `None` if it has no parts.
    pub fn push(
        &mut self,
        kind: ExprKind,
        span: Span,
        anchor: Span,
        first: Option<ExprId>,
    ) -> ExprId {
        let id = ExprId(self.nodes.len() as u32);
        let first = first.map_or(id, |part| self.get(part).first);
        self.nodes.push(Expr { kind, span, anchor, first });
        id
    }

    /// The expression with this number.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize]
    }

    /// The nodes of the expression `id` in evaluation order, itself last.
    pub fn nodes_of(&self, id: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        let range: Range<u32> = self.get(id).first.0..id.0 + 1;
        range.map(ExprId)
    }

    /// All expressions in the order of the arena, which is that of the source.
    pub fn iter(&self) -> impl Iterator<Item = &Expr> {
        self.nodes.iter()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
