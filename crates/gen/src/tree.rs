//! The programs that are generated, before they are written down.
//!
//! One tree for both languages. What only one of them has (assertions, `break`; arrays that are
//! assigned) is generated for that one only. Recursion over these trees is bounded by the parameters for
//! the nesting of blocks and expressions.
//!
//! Where an error is planted, the place or the expression that fails says so; see [`crate::text`] for how that becomes
//! a line and a column.

use crate::parameters::ErrorKind;

/// The type of a number. microc has only the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Int,
    Unsigned,
    Byte,
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Number(Number),
    /// An array of so many numbers.
    Array(usize),
    /// A record of numbers.
    Record,
    /// A pointer to a number.
    Pointer,
    /// A pointer to a node of a list, or null.
    List,
}

/// The fields of all records.
pub(crate) const FIELDS: [&str; 2] = ["first", "second"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    /// C only.
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl Operator {
    pub(crate) const fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Sub => "-",
            Operator::Mul => "*",
            Operator::Div => "/",
            Operator::Rem => "%",
            Operator::Eq => "==",
            Operator::Ne => "!=",
            Operator::Lt => "<",
            Operator::Le => "<=",
            Operator::Gt => ">",
            Operator::Ge => ">=",
            Operator::And => "&&",
            Operator::Or => "||",
        }
    }

    /// How tightly it binds. Operators on the same level other than sums and products get parentheses.
    const fn level(self) -> u8 {
        match self {
            Operator::And | Operator::Or => 1,
            Operator::Eq
            | Operator::Ne
            | Operator::Lt
            | Operator::Le
            | Operator::Gt
            | Operator::Ge => 2,
            Operator::Add | Operator::Sub => 3,
            Operator::Mul | Operator::Div | Operator::Rem => 4,
        }
    }
}

/// What can be read and, but for lists' heads, written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Variable(String),
    Element(String, Box<Expr>),
    Field(String, &'static str),
    /// What a pointer to a number points to.
    Target(String),
    /// A field of what a pointer points to.
    Through(String, &'static str),
    /// One that there may not be.
    Planted(ErrorKind, Box<Place>),
}

impl Place {
    /// With an error of this kind.
    pub(crate) fn planted(self, kind: ErrorKind) -> Self {
        Place::Planted(kind, Box::new(self))
    }

    pub(crate) fn is_planted(&self) -> bool {
        matches!(self, Place::Planted(..))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Number(i64),
    Read(Place),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Call(String, Vec<Expr>),
    Input(Number),
    Null,
    AddressOf(String),
    /// As an initialiser; in microc also elsewhere.
    Array(Vec<Expr>),
    Record(Vec<Expr>),
    /// A new node with a value and what follows it.
    Node(Box<Expr>, Box<Expr>),
    /// microc: something new that a pointer points to.
    Alloc(Box<Expr>),
    /// One that may fail.
    Planted(ErrorKind, Box<Expr>),
}

impl Expr {
    pub(crate) fn variable(name: &str) -> Self {
        Expr::Read(Place::Variable(name.to_owned()))
    }

    pub(crate) fn binary(operator: Operator, left: Expr, right: Expr) -> Self {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    /// With an error of this kind.
    pub(crate) fn planted(self, kind: ErrorKind) -> Self {
        Expr::Planted(kind, Box::new(self))
    }

    /// Without errors around it.
    pub(crate) fn bare(&self) -> &Expr {
        let mut bare = self;
        while let Expr::Planted(_, inner) = bare {
            bare = inner;
        }
        bare
    }

    /// Whether an operand of `operator` on this side needs parentheses.
    pub(crate) fn needs_parentheses(&self, operator: Operator, side: Side) -> bool {
        let Expr::Binary(inner, ..) = self.bare() else { return false };
        let (outer, inner) = (operator.level(), inner.level());
        match side {
            Side::Left => inner < outer || (inner == outer && inner < 3),
            Side::Right => inner <= outer,
        }
    }
}

/// A side of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The ways in which C says that something must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assertion {
    /// `assert(…)`
    Standard,
    /// `__VERIFIER_assert(…)`
    Verifier,
    /// `if (!(…)) reach_error();`
    Reach,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stmt {
    /// C declares here; microc declares at the start of the function and assigns here.
    Declare(String, Type, Option<Expr>),
    Assign(Place, Expr),
    Output(Expr, Number),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    /// C only: the body comes first.
    DoWhile(Vec<Stmt>, Expr),
    /// A counter of its own that starts at the first number and grows by the second.
    For {
        counter: String,
        start: Expr,
        guard: Expr,
        step: i64,
        body: Vec<Stmt>,
    },
    Block(Vec<Stmt>),
    /// C only, as everything that follows.
    Break,
    Continue,
    Assert(Assertion, Expr),
    Assume(Expr),
    Exit,
}

impl Stmt {
    /// `place = place + amount`
    pub(crate) fn increase(place: Place, operator: Operator, amount: Expr) -> Self {
        let old = Expr::Read(place.clone());
        Stmt::Assign(place, Expr::binary(operator, old, amount))
    }

    /// The blocks inside, in the order of the text; an `else` that is not there is an empty one.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, then, otherwise) => vec![then, otherwise],
            Stmt::While(_, body)
            | Stmt::DoWhile(body, _)
            | Stmt::For { body, .. }
            | Stmt::Block(body) => vec![body],
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) body: Vec<Stmt>,
    /// Which statements of the body chance has made: neither declarations at the start nor the output of results.
    pub(crate) core: std::ops::Range<usize>,
    pub(crate) result: Expr,
}

/// `main` comes last.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
}
