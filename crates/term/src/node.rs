//! What terms are made of.

use loupe_integer::{Integer, Signedness};

/// A term, as a number in its [`Terms`](crate::Terms). Equal terms of one arena have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Which one of its arena it is; parts have smaller numbers than wholes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A free variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// Which one of its arena it is.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// An uninterpreted function from integers to integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub(crate) u32);

impl FunctionId {
    /// Which one of its arena it is.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The kind of values that a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// Arrays with so many dimensions, at least one: functions from all integers to integers, or to
    /// arrays with one dimension less.
    Array(u8),
}

impl Sort {
    /// The sort of the elements of an array.
    pub fn element(self) -> Option<Sort> {
        match self {
            Sort::Array(1) => Some(Sort::Int),
            Sort::Bool | Sort::Int | Sort::Array(0) => None,
            Sort::Array(dimensions) => Some(Sort::Array(dimensions - 1)),
        }
    }
}

/// How a quotient is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// So that the remainder is in `0..|divisor|`, as in SMT-LIB.
    Euclidean,
    /// Toward zero, as in C and microc; the remainder has the sign of the dividend.
    Truncated,
}

/// The integers of a machine type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Width {
    /// How many bits, from 1.
    pub bits: u32,
    /// Whether there is a sign.
    pub signedness: Signedness,
}

impl Width {
    /// Wider types make no sense.
    pub const MAX_BITS: u32 = 1 << 16;

    /// The least and the greatest value.
    pub fn bounds(self) -> (Integer, Integer) {
        match self.signedness {
            Signedness::Unsigned => {
                (Integer::ZERO, Integer::power_of_two(self.bits).sub(&Integer::ONE))
            }
            Signedness::Signed => {
                let half = Integer::power_of_two(self.bits.saturating_sub(1));
                (half.neg(), half.sub(&Integer::ONE))
            }
        }
    }
}

/// Operations on the bits of the two's complement of machine integers. The operands are wrapped to
/// the width first, and the result has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BitOp {
    /// And.
    And,
    /// Or.
    Or,
    /// Exclusive or.
    Xor,
    /// Left shift by a count below the width; 0 for other counts.
    Shl,
    /// Right shift by a count below the width, arithmetic for signed types; 0 for other counts.
    Shr,
}

/// Whether all or some values are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// All.
    Forall,
    /// Some.
    Exists,
}

/// The outermost operation of a term. Nodes in an arena are canonical: see the constructors of
/// [`Terms`](crate::Terms) for what that means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A free variable.
    Symbol(SymbolId),
    /// The variable of the enclosing binder of this height.
    Bound(u32),
    /// An unknown value of this sort (★ in the papers).
    Star(Sort),
    /// `constant + Σ coefficient · monomial`.
    Sum(Sum),
    /// `Π atom ^ exponent`.
    Product(Box<[(Term, u32)]>),
    /// The quotient; 0 if the divisor is 0.
    Quotient(Rounding, Term, Term),
    /// The remainder; the dividend if the divisor is 0.
    Remainder(Rounding, Term, Term),
    /// `base ^ exponent`; 1 if the exponent is negative.
    Power(Integer, Term),
    /// The value of the low bits of an integer.
    Wrap(Width, Term),
    /// An operation on bits.
    Bits(BitOp, Width, Term, Term),
    /// The second if the first is true, else the third.
    Ite(Term, Term, Term),
    /// The element of an array at an index.
    Select(Term, Term),
    /// An array with another element at an index.
    Store(Term, Term, Term),
    /// The array of these dimensions with the same integer everywhere.
    ConstantArray(u8, Term),
    /// The array whose element at χ is the body, χ being the variable of this binder.
    Lambda(Binder, Term),
    /// An uninterpreted function.
    Apply(FunctionId, Box<[Term]>),
    /// Negation of something that is no comparison.
    Not(Term),
    /// Conjunction of at least two; no short one is a part of another.
    And(Box<[Term]>),
    /// Disjunction of at least two; no short one is a part of another.
    Or(Box<[Term]>),
    /// The integer is at most 0.
    NonPositive(Term),
    /// The integer is 0.
    Zero(Term),
    /// The positive integer, at least 2, divides the term.
    Divides(Integer, Term),
    /// Two arrays are the same.
    SameArray(Term, Term),
    /// The body holds for all or some values of the binder's variable from the first bound up to, but
    /// not including, the second.
    Quantified(Quantifier, Binder, [Term; 3]),
}

/// A binder of a variable. Its height is one more than the heights of all binders below it, so that
/// terms that differ in the names of bound variables only are the same term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binder(pub(crate) u32);

impl Binder {
    /// Its height: its variable is the [`Node::Bound`] of that height.
    pub fn height(self) -> u32 {
        self.0
    }
}

/// A polynomial in canonical form: at least one summand if there is no constant, monomials in
/// ascending order, each once, no coefficient 0; never a single monomial with coefficient 1 and
/// constant 0, which is that monomial.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// The constant.
    pub constant: Integer,
    /// Monomials and coefficients.
    pub summands: Box<[(Term, Integer)]>,
}
