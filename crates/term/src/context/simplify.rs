//! Terms made simpler by what is known.
//!
//! From the bottom up, under the context: what has only one value becomes that value, machine
//! arithmetic that cannot overflow becomes arithmetic, remainders of what is small enough vanish. Then
//! parts under what holds around them: the branches of an `ite` under its condition or the negation of
//! it, each part of a conjunction under those before it, each part of a disjunction under the negations
//! of those before it. "Before" keeps this from going round in circles, where two parts are each
//! dropped because of the other. Contexts for parts are copies, so their number is bounded.
//!
//! Below binders, variables have names (see `Terms::enter`) of which nothing is known, so that what is
//! found out holds for all of their values.

use super::transfer::{fits, keeps};
use super::{Context, Range};
use crate::arena::Terms;
use crate::node::{BitOp, Node, Rounding, Sort, Term};
use loupe_integer::Integer;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many copies of the context are made for one term.
const MAX_COPIES: usize = 40;
/// Parts within parts, so deep.
const MAX_NESTING: usize = 3;
/// Contexts that know more are not copied.
const MAX_COPIED: usize = 2_000;
/// So many writes are looked through for an element of an array.
const MAX_WRITES: usize = 50;

/// So many terms are rebuilt for each that is to be simplified, and so many more.
const MAX_WORK: (usize, usize) = (20, 10_000);

/// What may still be spent.
struct Effort {
    copies: usize,
    nesting: usize,
    work: usize,
}

impl Context {
    /// A term that has the same value as `term` wherever the assumptions hold, and is not larger.
    pub fn simplify(&mut self, terms: &mut Terms, term: Term) -> Term {
        let work = terms.size(term).saturating_mul(MAX_WORK.0).saturating_add(MAX_WORK.1);
        let mut effort = Effort { copies: MAX_COPIES, nesting: MAX_NESTING, work };
        let simpler = self.simplify_with(terms, term, &mut effort);
        if simpler == term || terms.size(simpler) > terms.size(term) { term } else { simpler }
    }

    fn simplify_with(&mut self, terms: &mut Terms, root: Term, effort: &mut Effort) -> Term {
        if effort.work == 0 {
            return root;
        }
        let order = terms.post_order(root);
        let Some(work) = effort.work.checked_sub(order.len()) else {
            effort.work = 0;
            return root;
        };
        effort.work = work;
        let scope = terms.enter(terms.binders(root));
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in order {
            let rebuilt = terms.rebuild(term, &scope, &new);
            let simpler = self.improve(terms, rebuilt, effort);
            new.insert(term, simpler);
        }
        terms.leave(scope);
        new.get(&root).copied().unwrap_or(root)
    }

    /// A simpler term for one whose parts are simple.
    fn improve(&mut self, terms: &mut Terms, term: Term, effort: &mut Effort) -> Term {
        if let Some(constant) = self.constant(terms, term) {
            return constant;
        }
        let better = match *terms.node(term) {
            Node::Wrap(width, a) => fits(&self.range(terms, a), width).then_some(a),
            Node::Quotient(Rounding::Truncated, a, b) => {
                self.is_euclidean(terms, a, b).then(|| terms.quotient(Rounding::Euclidean, a, b))
            }
            Node::Remainder(rounding, a, b) => self.simpler_remainder(terms, rounding, a, b),
            Node::Bits(BitOp::Shr, width, a, b) => {
                let count = terms.as_int(b).and_then(Integer::to_i64);
                let count = count.and_then(|count| u32::try_from(count).ok());
                let count = count.filter(|count| *count < width.bits);
                count.filter(|_| fits(&self.range(terms, a), width)).map(|count| {
                    // Shifts round down, as Euclidean division by a positive number does.
                    let divisor = terms.int(Integer::power_of_two(count));
                    terms.quotient(Rounding::Euclidean, a, divisor)
                })
            }
            Node::NonPositive(a) => {
                let natural = self.range(terms, a).is_natural();
                natural.then(|| terms.zero(a))
            }
            Node::Select(array, index) => self.below_writes(terms, array, index),
            Node::Ite(condition, then, otherwise) => {
                self.simpler_branches(terms, [condition, then, otherwise], effort)
            }
            Node::And(_) | Node::Or(_) => self.simpler_parts(terms, term, effort),
            _ => None,
        };
        match better {
            Some(better) => self.constant(terms, better).unwrap_or(better),
            None => term,
        }
    }

    /// The constant that a term is, if that is known.
    fn constant(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        let range: Range = match terms.sort(term) {
            Sort::Array(_) => return None,
            Sort::Bool | Sort::Int => self.range(terms, term),
        };
        match terms.sort(term) {
            Sort::Bool => range.as_bool().map(|truth| terms.bool(truth)),
            _ => range.value().map(|value| terms.int(value.clone())),
        }
    }

    /// Whether both roundings are the same: neither operand is negative.
    fn is_euclidean(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        self.range(terms, a).is_natural() && self.range(terms, b).is_natural()
    }

    fn simpler_remainder(
        &mut self,
        terms: &mut Terms,
        rounding: Rounding,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        let (dividend, divisor) = (self.range(terms, a), self.range(terms, b));
        if keeps(rounding, &dividend, &divisor) {
            return Some(a);
        }
        if rounding == Rounding::Truncated {
            let same = dividend.is_natural() && divisor.is_natural();
            return same.then(|| terms.remainder(Rounding::Euclidean, a, b));
        }
        // All dividends between the same two multiples of the divisor.
        let divisor = divisor.value()?;
        let first = dividend.low?.div_floor(divisor)?;
        let last = dividend.high?.div_floor(divisor)?;
        if first != last || divisor.is_negative() {
            return None;
        }
        let multiple = terms.int(first.mul(divisor));
        Some(terms.sub(a, multiple))
    }

    /// The element at an index, below writes at other indices.
    fn below_writes(&mut self, terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
        let mut current = array;
        for _ in 0..MAX_WRITES {
            let Node::Store(below, at, value) = *terms.node(current) else { break };
            let equal = terms.eq(index, at);
            match self.decide(terms, equal) {
                Some(true) => return Some(value),
                Some(false) => current = below,
                None => break,
            }
        }
        if current == array { None } else { terms.select(current, index).ok() }
    }

    /// A copy to be used for a part of a term, if that may still be had.
    fn copy(&self, effort: &mut Effort) -> Option<Context> {
        let size = self.known.len() + self.excluded.len() + self.truths.len();
        if effort.copies == 0 || effort.nesting == 0 || effort.work == 0 || size > MAX_COPIED {
            return None;
        }
        effort.copies -= 1;
        // What has been found out is left behind: with more assumptions, it has to be found again.
        Some(Context {
            assumptions: self.assumptions,
            known: self.known.clone(),
            excluded: self.excluded.clone(),
            truths: self.truths.clone(),
            sums: self.sums.clone(),
            news: VecDeque::new(),
            contradiction: self.contradiction.clone(),
            memo: FxHashMap::default(),
        })
    }

    /// Each branch where it is taken.
    fn simpler_branches(
        &mut self,
        terms: &mut Terms,
        [condition, then, otherwise]: [Term; 3],
        effort: &mut Effort,
    ) -> Option<Term> {
        let mut holds = self.copy(effort)?;
        holds.assume(terms, condition);
        if holds.is_contradictory() {
            return Some(otherwise);
        }
        let mut fails = self.copy(effort)?;
        let opposite = terms.not(condition);
        fails.assume(terms, opposite);
        if fails.is_contradictory() {
            return Some(then);
        }
        effort.nesting -= 1;
        let simpler_then = holds.simplify_with(terms, then, effort);
        let simpler_otherwise = fails.simplify_with(terms, otherwise, effort);
        effort.nesting += 1;
        Some(terms.ite(condition, simpler_then, simpler_otherwise))
    }

    /// Each part of a conjunction where those before it hold, each part of a disjunction where those
    /// before it do not. Literals come first: more is learned from them.
    fn simpler_parts(
        &mut self,
        terms: &mut Terms,
        term: Term,
        effort: &mut Effort,
    ) -> Option<Term> {
        let (is_conjunction, parts) = match terms.node(term) {
            Node::And(parts) => (true, parts),
            Node::Or(parts) => (false, parts),
            _ => return None,
        };
        let mut parts = parts.to_vec();
        let is_joined = |part: &Term| matches!(terms.node(*part), Node::And(_) | Node::Or(_));
        parts.sort_by_key(is_joined);
        let mut context = self.copy(effort)?;
        effort.nesting -= 1;
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            if effort.work == 0 {
                kept.push(part);
                continue;
            }
            let simpler = context.simplify_with(terms, part, effort);
            kept.push(simpler);
            let assumed = if is_conjunction { simpler } else { terms.not(simpler) };
            context.assume(terms, assumed);
            if context.is_contradictory() {
                // The parts so far decide: they cannot all hold, or cannot all fail.
                kept = vec![terms.bool(!is_conjunction)];
                break;
            }
        }
        effort.nesting += 1;
        Some(if is_conjunction { terms.and(kept) } else { terms.or(kept) })
    }
}
