//! Links in words that the engine for Horn clauses can deal with: linear arithmetic and arrays, as far as that goes.
//!
//! Everything here may weaken what a link says, so that it holds of more executions, and never strengthen it.

use crate::domain::Symbolic;
use loupe_integer::Integer;
use loupe_term::{Node, Origin, Sort, Term, Terms, Width};

/// What becomes of sums that are wrapped to the range of a machine type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wraps {
    /// Nothing wraps, which must be proved along with everything else.
    Ruled,
    /// What wraps is told by cases.
    Exact,
}

/// A link while it is put in other words.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// What was decided, in order.
    pub(super) conditions: Vec<Term>,
    /// The values for the node that it leads to.
    pub(super) values: Vec<Term>,
    /// What must not hold besides: each all of these conditions.
    pub(super) never: Vec<Vec<Term>>,
}

/// More parts of a link are not put in other words.
const MAX_PARTS: usize = 400;

impl Words {
    /// Puts an unknown value in for every part that the engine has no theory of. The part has some value in every execution, so whatever holds for
    /// all values of the unknown holds for that one.
    pub(super) fn forget_hard(&mut self, domain: &mut Symbolic) -> Option<()> {
        for _ in 0..MAX_PARTS {
            let terms = &domain.terms;
            let roots = self.conditions.iter().chain(&self.values);
            let found = roots.copied().find_map(|root| outermost(terms, root, is_hard));
            let Some(part) = found else { return Some(()) };
            let range = match domain.terms.node(part) {
                Node::Bits(_, width, ..) => Some(width.bounds()),
                _ => None,
            };
            let sort = domain.terms.sort(part);
            let unknown = domain.terms.fresh("unknown", sort, Origin::default());
            self.replace(&mut domain.terms, 0, part, unknown);
            if let Some(range) = range {
                let inside = inside(&mut domain.terms, range, unknown);
                self.conditions.insert(0, inside);
            }
        }
        None
    }

    /// Takes all wraps away, or tells them by cases.
    pub(super) fn unwrap(&mut self, domain: &mut Symbolic, wraps: Wraps) -> Option<()> {
        let mut at = 0;
        for _ in 0..MAX_PARTS {
            let roots = self.conditions.iter().chain(&self.values).skip(at);
            let is_wrap = |terms: &Terms, term: Term| matches!(terms.node(term), Node::Wrap(..));
            let found = roots.enumerate().find_map(|(number, root)| {
                let wrap = innermost(&domain.terms, *root, is_wrap)?;
                Some((number, wrap))
            });
            let Some((number, wrap)) = found else { return Some(()) };
            at += number;
            let Node::Wrap(width, inner) = *domain.terms.node(wrap) else { return None };
            let new = match wraps {
                Wraps::Ruled => {
                    self.rule_out(&mut domain.terms, at, width, inner);
                    inner
                }
                Wraps::Exact => by_cases(domain, width, inner),
            };
            if new == wrap {
                return None;
            }
            self.replace(&mut domain.terms, at, wrap, new);
        }
        None
    }

    /// That something wraps where it is computed must not happen. The order matters: what was decided before has no wraps left in it, because the same was
    /// said of those, so the first one to wrap in an execution would do so where all of that holds, as it stands.
    fn rule_out(&mut self, terms: &mut Terms, at: usize, width: Width, inner: Term) {
        let inside = inside(terms, width.bounds(), inner);
        let outside = terms.not(inside);
        if terms.as_bool(outside) == Some(false) {
            return;
        }
        let before = at.min(self.conditions.len());
        let mut never = self.conditions[..before].to_vec();
        never.push(outside);
        self.never.push(never);
    }

    /// Puts another term in, from this condition or value on.
    fn replace(&mut self, terms: &mut Terms, at: usize, old: Term, new: Term) {
        for root in self.conditions.iter_mut().chain(&mut self.values).skip(at) {
            *root = terms.replace_part(*root, old, new);
        }
    }
}

/// Whether the engine has no theory of an operation.
fn is_hard(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Bits(..)
        | Node::Lambda(..)
        | Node::Quantified(..)
        | Node::Apply(..)
        | Node::Power(..)
        | Node::Star(_) => true,
        Node::Quotient(_, _, divisor) | Node::Remainder(_, _, divisor) => {
            terms.as_int(*divisor).is_none()
        }
        _ => false,
    }
}

/// The part of a term that comes first from above.
fn outermost(terms: &Terms, root: Term, is: impl Fn(&Terms, Term) -> bool) -> Option<Term> {
    let order = terms.post_order(root);
    order.into_iter().rev().find(|part| is(terms, *part) && terms.is_closed(*part))
}

/// A part of a term in which there is no other one.
fn innermost(terms: &Terms, root: Term, is: impl Fn(&Terms, Term) -> bool) -> Option<Term> {
    terms.post_order(root).into_iter().find(|part| is(terms, *part))
}

fn inside(terms: &mut Terms, (low, high): (Integer, Integer), term: Term) -> Term {
    let (low, high) = (terms.int(low), terms.int(high));
    let both = [terms.le(low, term), terms.le(term, high)];
    terms.and(both)
}

/// The low bits of a number. Most numbers wrap once at most, and then there are three cases; others are remainders.
fn by_cases(domain: &mut Symbolic, width: Width, inner: Term) -> Term {
    let (low, high) = width.bounds();
    let modulus = Integer::power_of_two(width.bits);
    let range = domain.range_everywhere(inner);
    let wraps_once = range.low.is_some_and(|least| least >= low.sub(&modulus))
        && range.high.is_some_and(|most| most <= high.add(&modulus));
    let terms = &mut domain.terms;
    let (least, most, all) = (terms.int(low.clone()), terms.int(high), terms.int(modulus));
    if wraps_once {
        let (below, above) = (terms.lt(inner, least), terms.lt(most, inner));
        let (more, less) = (terms.add(inner, all), terms.sub(inner, all));
        let rest = terms.ite(above, less, inner);
        return terms.ite(below, more, rest);
    }
    // low + ((inner - low) mod 2ⁿ)
    let shifted = terms.sub(inner, least);
    let rest = terms.remainder(loupe_term::Rounding::Euclidean, shifted, all);
    terms.add(rest, least)
}

/// The sorts that relations of the engine can have.
pub(super) fn is_sort(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Bool | Sort::Array(1))
}
