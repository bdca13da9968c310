//! The functions of SMT-LIB, applied to terms.

use super::error::ReadErrorKind;
use crate::arena::Terms;
use crate::misuse::Misuse;
use crate::node::{Node, Rounding, Sort, Term};
use crate::polynomial::Polynomial;
use crate::smtlib::operation::Operation;
use loupe_integer::Integer;

/// A function of the theories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Abs,
    Compare(Comparison),
    Select,
    Store,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Le,
    Lt,
    Ge,
    Gt,
}

/// Products have at most so many summands before equal ones are added.
const MAX_SUMMANDS: usize = 100_000;
/// Monomials have at most this degree.
const MAX_DEGREE: u64 = 10_000;
/// Coefficients of products have at most so many bits.
const MAX_BITS: u64 = 1_000_000;
/// So many arguments of `distinct` are compared with each other.
const MAX_DISTINCT: usize = 1_000;

type Applied = Result<Term, ReadErrorKind>;

impl Builtin {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "not" => Builtin::Not,
            "and" => Builtin::And,
            "or" => Builtin::Or,
            "xor" => Builtin::Xor,
            "=>" => Builtin::Implies,
            "=" => Builtin::Equal,
            "distinct" => Builtin::Distinct,
            "ite" => Builtin::Ite,
            "+" => Builtin::Add,
            "-" => Builtin::Sub,
            "*" => Builtin::Mul,
            "div" => Builtin::Div,
            "mod" => Builtin::Mod,
            "abs" => Builtin::Abs,
            "<=" => Builtin::Compare(Comparison::Le),
            "<" => Builtin::Compare(Comparison::Lt),
            ">=" => Builtin::Compare(Comparison::Ge),
            ">" => Builtin::Compare(Comparison::Gt),
            "select" => Builtin::Select,
            "store" => Builtin::Store,
            _ => return None,
        })
    }

    /// The smallest and largest number of arguments.
    fn arity(self) -> (usize, usize) {
        match self {
            Builtin::Not | Builtin::Abs => (1, 1),
            Builtin::And | Builtin::Or | Builtin::Add | Builtin::Sub | Builtin::Mul => {
                (1, usize::MAX)
            }
            Builtin::Xor
            | Builtin::Implies
            | Builtin::Equal
            | Builtin::Distinct
            | Builtin::Div
            | Builtin::Compare(_) => (2, usize::MAX),
            Builtin::Mod | Builtin::Select => (2, 2),
            Builtin::Ite | Builtin::Store => (3, 3),
        }
    }

    /// Whether a value is fixed that SMT-LIB leaves open: a divisor may be 0.
    pub(super) fn fixes_division(self, terms: &Terms, arguments: &[Term]) -> bool {
        let by_constant =
            |divisor: &Term| terms.as_int(*divisor).is_some_and(|value| !value.is_zero());
        matches!(self, Builtin::Div | Builtin::Mod) && !arguments.iter().skip(1).all(by_constant)
    }

    pub(super) fn apply(self, terms: &mut Terms, arguments: &[Term]) -> Applied {
        let (fewest, most) = self.arity();
        if !(fewest..=most).contains(&arguments.len()) {
            let needed = match (fewest, most) {
                (1, 1) => "1 argument".to_owned(),
                (_, usize::MAX) => format!("at least {fewest} arguments"),
                _ => format!("{fewest} arguments"),
            };
            return Err(ReadErrorKind::Arity { needed, found: arguments.len() });
        }
        match self {
            Builtin::Not | Builtin::And | Builtin::Or | Builtin::Xor | Builtin::Implies => {
                require_all(terms, arguments, Sort::Bool)?;
            }
            Builtin::Add
            | Builtin::Sub
            | Builtin::Mul
            | Builtin::Div
            | Builtin::Mod
            | Builtin::Abs
            | Builtin::Compare(_) => require_all(terms, arguments, Sort::Int)?,
            Builtin::Equal | Builtin::Distinct => {
                if let Some(first) = arguments.first() {
                    let sort = terms.sort(*first);
                    require_all(terms, arguments, sort)?;
                }
            }
            Builtin::Ite | Builtin::Select | Builtin::Store => {}
        }
        match self {
            Builtin::And => Ok(terms.and(arguments.iter().copied())),
            Builtin::Or => Ok(terms.or(arguments.iter().copied())),
            Builtin::Add => Ok(terms.sum(arguments.iter().copied())),
            Builtin::Equal => Ok(chain(terms, arguments, Terms::eq)),
            Builtin::Compare(comparison) => {
                Ok(chain(terms, arguments, |terms, a, b| match comparison {
                    Comparison::Le => terms.le(a, b),
                    Comparison::Lt => terms.lt(a, b),
                    Comparison::Ge => terms.le(b, a),
                    Comparison::Gt => terms.lt(b, a),
                }))
            }
            Builtin::Distinct => distinct(terms, arguments),
            Builtin::Xor => left(terms, arguments, |terms, a, b| Ok(terms.ne(a, b))),
            Builtin::Mul => left(terms, arguments, product),
            Builtin::Div => {
                left(terms, arguments, |terms, a, b| Ok(terms.quotient(Rounding::Euclidean, a, b)))
            }
            Builtin::Implies => Ok(implication(terms, arguments)),
            Builtin::Sub => match arguments {
                [one] => Ok(terms.neg(*one)),
                _ => left(terms, arguments, |terms, a, b| Ok(terms.sub(a, b))),
            },
            _ => self.apply_fixed(terms, arguments),
        }
    }

    /// Functions with a fixed number of arguments.
    fn apply_fixed(self, terms: &mut Terms, arguments: &[Term]) -> Applied {
        match (self, arguments) {
            (Builtin::Not, [a]) => Ok(terms.not(*a)),
            (Builtin::Abs, [a]) => {
                let negated = terms.neg(*a);
                Ok(terms.max(*a, negated))
            }
            (Builtin::Mod, [a, b]) => Ok(terms.remainder(Rounding::Euclidean, *a, *b)),
            (Builtin::Ite, [condition, then, otherwise]) => {
                require_all(terms, &[*condition], Sort::Bool)?;
                let sort = terms.sort(*then);
                require_all(terms, &[*otherwise], sort)?;
                Ok(terms.ite(*condition, *then, *otherwise))
            }
            (Builtin::Select, [array, index]) => terms.select(*array, *index).map_err(misuse),
            (Builtin::Store, [array, index, value]) => {
                terms.store(*array, *index, *value).map_err(misuse)
            }
            _ => Err(ReadErrorKind::Unsupported(format!("{self:?}"))),
        }
    }
}

/// One of Loupe's own operations.
pub(super) fn operate(terms: &mut Terms, operation: &Operation, arguments: &[Term]) -> Applied {
    require_all(terms, arguments, Sort::Int)?;
    match (operation, arguments) {
        (Operation::Quotient(rounding), [a, b]) => Ok(terms.quotient(*rounding, *a, *b)),
        (Operation::Remainder(rounding), [a, b]) => Ok(terms.remainder(*rounding, *a, *b)),
        (Operation::Power(base), [a]) => Ok(terms.power(base.clone(), *a)),
        (Operation::Raise(exponent), [a]) => raise(terms, *a, *exponent),
        (Operation::Wrap(width), [a]) => Ok(terms.wrap(*width, *a)),
        (Operation::Bits(op, width), [a, b]) => Ok(terms.bits(*op, *width, *a, *b)),
        (Operation::Divides(divisor), [a]) => Ok(terms.divides(divisor, *a)),
        (Operation::Constant(dimensions), [a]) => {
            terms.constant_array(*dimensions, *a).map_err(misuse)
        }
        _ => {
            let needed = format!("{} arguments", operation.arity());
            Err(ReadErrorKind::Arity { needed, found: arguments.len() })
        }
    }
}

pub(super) fn require_all(
    terms: &Terms,
    arguments: &[Term],
    sort: Sort,
) -> Result<(), ReadErrorKind> {
    arguments.iter().try_for_each(|argument| terms.require(*argument, sort)).map_err(misuse)
}

pub(super) fn misuse(misuse: Misuse) -> ReadErrorKind {
    match misuse {
        Misuse::Sort { needed, found } => ReadErrorKind::Sort { needed, found },
        Misuse::Arity { needed, found } => {
            ReadErrorKind::Arity { needed: format!("{needed} arguments"), found }
        }
        Misuse::NoArray(sort) => ReadErrorKind::Sort { needed: Sort::Array(1), found: sort },
        Misuse::NotBindable => ReadErrorKind::Unsupported("binding this variable".to_owned()),
        other @ (Misuse::Dimensions | Misuse::Width(_) | Misuse::Foreign) => {
            ReadErrorKind::Unsupported(other.to_string())
        }
    }
}

/// From left to right.
fn left(
    terms: &mut Terms,
    arguments: &[Term],
    mut apply: impl FnMut(&mut Terms, Term, Term) -> Applied,
) -> Applied {
    let mut rest = arguments.iter().copied();
    let first = rest.next().unwrap_or_else(|| terms.int(0));
    rest.try_fold(first, |a, b| apply(terms, a, b))
}

/// Each two that are next to each other.
fn chain(
    terms: &mut Terms,
    arguments: &[Term],
    mut relation: impl FnMut(&mut Terms, Term, Term) -> Term,
) -> Term {
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    let all: Vec<Term> = pairs.map(|(a, b)| relation(terms, *a, *b)).collect();
    terms.and(all)
}

fn distinct(terms: &mut Terms, arguments: &[Term]) -> Applied {
    if arguments.len() > MAX_DISTINCT {
        return Err(ReadErrorKind::TooLarge);
    }
    let mut all = Vec::new();
    for (position, a) in arguments.iter().enumerate() {
        for b in arguments.iter().skip(position + 1) {
            all.push(terms.ne(*a, *b));
        }
    }
    Ok(terms.and(all))
}

/// From right to left: `a → (b → c)`.
fn implication(terms: &mut Terms, arguments: &[Term]) -> Term {
    let mut rest = arguments.iter().rev().copied();
    let last = rest.next().unwrap_or_else(|| terms.bool(true));
    rest.fold(last, |b, a| terms.implies(a, b))
}

fn product(terms: &mut Terms, a: Term, b: Term) -> Applied {
    let [x, y] = [a, b].map(|term| terms.polynomial(term));
    let summands = (x.summands.len() + 1).saturating_mul(y.summands.len() + 1);
    if summands > MAX_SUMMANDS
        || degree(terms, &x) + degree(terms, &y) > MAX_DEGREE
        || bits(&x) + bits(&y) > MAX_BITS
    {
        return Err(ReadErrorKind::TooLarge);
    }
    Ok(terms.mul(a, b))
}

fn raise(terms: &mut Terms, a: Term, exponent: u32) -> Applied {
    if u64::from(exponent) > MAX_DEGREE {
        return Err(ReadErrorKind::TooLarge);
    }
    let one = terms.int(1);
    (0..exponent).try_fold(one, |power, _| product(terms, power, a))
}

fn degree(terms: &Terms, polynomial: &Polynomial) -> u64 {
    let of_monomial = |monomial: Term| match terms.node(monomial) {
        Node::Product(factors) => factors.iter().map(|(_, exponent)| u64::from(*exponent)).sum(),
        _ => 1u64,
    };
    polynomial.summands.iter().map(|(monomial, _)| of_monomial(*monomial)).max().unwrap_or(0)
}

/// How long the longest coefficient is.
fn bits(polynomial: &Polynomial) -> u64 {
    let coefficients = polynomial.summands.iter().map(|(_, coefficient)| coefficient);
    coefficients.chain([&polynomial.constant]).map(Integer::bits).max().unwrap_or(0)
}
