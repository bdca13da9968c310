//! How a bound grows with the values at entry.

use loupe_term::{Node, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt;

/// How a bound grows with the values at entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Growth {
    /// Like a polynomial of this degree.
    Polynomial(u32),
    /// Like a power.
    Exponential,
    /// Nobody knows.
    Unknown,
}

impl Growth {
    /// How a term grows; of maxima and minima, the part that grows most.
    pub fn of(terms: &Terms, term: Term) -> Self {
        let mut known: FxHashMap<Term, Growth> = FxHashMap::default();
        for part in terms.post_order(term) {
            let of = |part: &Term| known.get(part).copied().unwrap_or(Growth::Unknown);
            let growth = match terms.node(part) {
                Node::Int(_) => Growth::Polynomial(0),
                Node::Symbol(_) => Growth::Polynomial(1),
                Node::Sum(sum) => {
                    let summands = sum.summands.iter().map(|(monomial, _)| of(monomial));
                    summands.max().unwrap_or(Growth::Polynomial(0))
                }
                Node::Product(factors) => {
                    let one = Growth::Polynomial(0);
                    factors.iter().fold(one, |all, (atom, exponent)| all.times(of(atom), *exponent))
                }
                // A quotient is no larger than the dividend; a remainder is less than the divisor.
                Node::Quotient(_, dividend, _) => of(dividend),
                Node::Remainder(_, _, divisor) if terms.as_int(*divisor).is_some() => {
                    Growth::Polynomial(0)
                }
                Node::Remainder(_, dividend, divisor) => of(dividend).max(of(divisor)),
                Node::Ite(_, then, otherwise) => of(then).max(of(otherwise)),
                Node::Power(..) => Growth::Exponential,
                Node::Select(..) => Growth::Polynomial(1),
                _ => Growth::Unknown,
            };
            known.insert(part, growth);
        }
        known.get(&term).copied().unwrap_or(Growth::Unknown)
    }

    fn times(self, other: Growth, exponent: u32) -> Growth {
        match (self, other) {
            (Growth::Polynomial(a), Growth::Polynomial(b)) => {
                Growth::Polynomial(a.saturating_add(b.saturating_mul(exponent)))
            }
            (a, b) => a.max(b),
        }
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Growth::Polynomial(0) => "constant",
            Growth::Polynomial(1) => "linear",
            Growth::Polynomial(2) => "quadratic",
            Growth::Polynomial(3) => "cubic",
            Growth::Polynomial(degree) => return write!(f, "degree {degree}"),
            Growth::Exponential => "exponential",
            Growth::Unknown => "unknown",
        })
    }
}
