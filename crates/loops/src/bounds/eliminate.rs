//! The largest value of a count whose counters are only restricted.

use super::Work;
use crate::summary::Case;
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Rounding, SymbolId, Term, Terms};

/// So many replacements are made before a count is given up.
const MOST_STEPS: usize = 24;

/// In which direction a count goes with a counter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// `factor · counter + rest`.
struct Linear {
    factor: Term,
    rest: Term,
}

impl Work<'_> {
    /// A bound for the count without counters and inputs of the case. In each step, the count is linear in a counter
    /// with a factor of known sign; so it is largest where the counter is, and any upper bound of the counter that the
    /// condition contains may be put in its place.
    pub(super) fn without_counters(
        &mut self,
        case: &Case,
        count: Term,
    ) -> Result<Option<Term>, Error> {
        let mut count = count;
        let own = case.counters.iter().chain(&case.inputs);
        let own: Vec<SymbolId> = own.filter_map(|symbol| symbol_of(self.terms, *symbol)).collect();
        for _ in 0..MOST_STEPS {
            let free = self.terms.free_symbols(count);
            let open: Vec<SymbolId> = own.iter().copied().filter(|s| free.contains(s)).collect();
            if open.is_empty() {
                return Ok(Some(count));
            }
            let mut next = None;
            for counter in open {
                next = self.replaced(case, count, counter, &own)?;
                if next.is_some() {
                    break;
                }
            }
            let Some(next) = next else { return Ok(None) };
            count = next;
        }
        Ok(None)
    }

    /// The count with a counter replaced by its bound.
    fn replaced(
        &mut self,
        case: &Case,
        count: Term,
        counter: SymbolId,
        own: &[SymbolId],
    ) -> Result<Option<Term>, Error> {
        let Some(Linear { factor, rest }) = linear(self.terms, count, counter) else {
            return Ok(None);
        };
        let zero = self.terms.int(0);
        let grows = self.terms.le(zero, factor);
        let shrinks = self.terms.le(factor, zero);
        let direction = if self.follows(&[case.condition], grows)? {
            Direction::Up
        } else if self.follows(&[case.condition], shrinks)? {
            Direction::Down
        } else {
            return Ok(None);
        };
        let mut limits = self.limits_of(case, counter, direction);
        // Those without counters end the work.
        limits.sort_by_key(|limit| {
            let free = self.terms.free_symbols(*limit);
            (own.iter().filter(|symbol| free.contains(symbol)).count(), *limit)
        });
        let Some(mut best) = limits.first().copied() else { return Ok(None) };
        let symbols = self.terms.free_symbols(best);
        let is_final = |term: Term, terms: &Terms| {
            let free = terms.free_symbols(term);
            !own.iter().any(|symbol| free.contains(symbol))
        };
        if !own.iter().any(|symbol| symbols.contains(symbol)) {
            for other in limits.into_iter().skip(1) {
                if is_final(other, self.terms) {
                    best = self.tighter(case, best, other, direction)?;
                }
            }
        }
        let largest = self.terms.mul(factor, best);
        Ok(Some(self.terms.add(largest, rest)))
    }

    /// Of two limits, the one that says more.
    fn tighter(
        &mut self,
        case: &Case,
        a: Term,
        b: Term,
        direction: Direction,
    ) -> Result<Term, Error> {
        let (low, high) = match direction {
            Direction::Up => (a, b),
            Direction::Down => (b, a),
        };
        let a_says_more = self.terms.le(low, high);
        let b_says_more = self.terms.le(high, low);
        if self.follows(&[case.condition], a_says_more)? {
            return Ok(a);
        }
        if self.follows(&[case.condition], b_says_more)? {
            return Ok(b);
        }
        Ok(self.terms.ite(a_says_more, a, b))
    }

    /// The limits of a counter in one direction that stand in the condition.
    fn limits_of(&mut self, case: &Case, counter: SymbolId, direction: Direction) -> Vec<Term> {
        let parts = match self.terms.node(case.condition) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![case.condition],
        };
        let mut limits = Vec::new();
        for part in parts {
            let (compared, is_equation) = match self.terms.node(part) {
                Node::NonPositive(compared) => (*compared, false),
                Node::Zero(compared) => (*compared, true),
                _ => continue,
            };
            let Some(Linear { factor, rest }) = linear(self.terms, compared, counter) else {
                continue;
            };
            if self.terms.is_starred(rest) {
                continue;
            }
            let Some(factor) = self.terms.as_int(factor).cloned() else { continue };
            // factor · counter + rest ≤ 0 bounds the counter from above if the factor is positive.
            let bounds = if factor.is_negative() { Direction::Down } else { Direction::Up };
            if bounds != direction && !is_equation {
                continue;
            }
            limits.push(self.limit(&factor, rest, direction));
        }
        limits
    }

    /// The largest or smallest counter with `factor · counter + rest ≤ 0` or `= 0`.
    fn limit(&mut self, factor: &Integer, rest: Term, direction: Direction) -> Term {
        let (size, value) = match factor.is_negative() {
            true => (factor.neg(), rest),
            false => (factor.clone(), self.terms.neg(rest)),
        };
        // Rounded to the inside: down for an upper limit, up for a lower one.
        let size_term = self.terms.int(size.clone());
        let value = match direction {
            Direction::Up => value,
            Direction::Down => {
                let most = self.terms.int(size.sub(&Integer::ONE));
                self.terms.add(value, most)
            }
        };
        self.terms.quotient(Rounding::Euclidean, value, size_term)
    }
}

/// A term as a linear one in a symbol, which occurs nowhere else in it.
fn linear(terms: &mut Terms, term: Term, symbol: SymbolId) -> Option<Linear> {
    let polynomial = terms.polynomial(term);
    let mut factor = terms.int(0);
    let mut rest = terms.int(polynomial.constant.clone());
    for (monomial, coefficient) in polynomial.summands {
        if !terms.free_symbols(monomial).contains(&symbol) {
            rest = terms.add_scaled(rest, monomial, &coefficient);
            continue;
        }
        let mut others = terms.int(1);
        for (atom, exponent) in terms.factors(monomial) {
            if matches!(terms.node(atom), Node::Symbol(own) if *own == symbol) {
                if exponent > 1 {
                    return None;
                }
            } else if terms.free_symbols(atom).contains(&symbol) {
                return None;
            } else {
                let power = terms.pow(atom, exponent);
                others = terms.mul(others, power);
            }
        }
        factor = terms.add_scaled(factor, others, &coefficient);
    }
    (terms.as_int(factor) != Some(&Integer::ZERO)).then_some(Linear { factor, rest })
}

fn symbol_of(terms: &Terms, term: Term) -> Option<SymbolId> {
    match terms.node(term) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}
