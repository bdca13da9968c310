//! What is known of terms where some formulas hold.
//!
//! A [`Context`] learns from the literals of the formulas that it is told to assume: bounds,
//! congruences and truth values of terms. Bounds are kept for *keys*, polynomials without constant
//! whose coefficients have no common divisor and whose first is positive, and are propagated through
//! linear constraints as in constraint solvers (intervals with a bounded number of steps, since
//! `x < y ∧ y < x` would go on for ever). Every bound carries the assumptions that it follows from, so
//! that a contradiction names its own.
//!
//! This decides what is plain; it is no decision procedure. It does not branch, does not combine
//! constraints into new ones, and learns nothing from ★, disjunctions or quantifiers but that they
//! hold.

mod fact;
mod range;
mod simplify;
mod transfer;

pub use range::Range;

use crate::arena::Terms;
use crate::node::{Node, Sort, Sum, Term};
use crate::polynomial::Polynomial;
use fact::{Fact, Reasons};
use loupe_integer::Integer;
use range::{absolute, solve_congruence};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// So many constraints are looked at after each assumption.
const MAX_STEPS: usize = 200;
/// Longer sums do not bound their monomials.
const MAX_SUMMANDS: usize = 32;
/// So many terms are looked into for what is known of a monomial while assumptions are made.
const MAX_LOOKED_INTO: usize = 500;
/// Bounds with more bits are not propagated: they come from constraints that chase each other.
const MAX_BOUND_BITS: u64 = 512;

/// What is known of terms where some formulas hold.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// How many formulas have been assumed.
    assumptions: usize,
    /// Bounds and residue classes of keys.
    known: FxHashMap<Term, Fact>,
    /// Values that keys do not have.
    excluded: FxHashMap<Term, BTreeMap<Integer, Reasons>>,
    /// Formulas that hold or do not.
    truths: FxHashMap<Term, (bool, Reasons)>,
    /// The keys that are sums in which a monomial occurs.
    sums: FxHashMap<Term, Vec<Term>>,
    /// Keys of which something new is known.
    news: VecDeque<Term>,
    contradiction: Option<Reasons>,
    /// What has been found out about terms.
    memo: FxHashMap<Term, Fact>,
}

/// An integer term as `factor · key + constant`.
struct Keyed {
    key: Term,
    factor: Integer,
    constant: Integer,
}

impl Context {
    /// A context in which nothing is assumed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Assumes a formula, and gives its number: from 0, one more for each.
    pub fn assume(&mut self, terms: &mut Terms, formula: Term) -> usize {
        let number = self.assumptions;
        self.assumptions += 1;
        let reasons = Reasons::one(number);
        let mut open = vec![formula];
        while let Some(part) = open.pop() {
            match terms.node(part) {
                // Of the values of ★ in different places nothing is known.
                _ if terms.is_starred(part) && !matches!(terms.node(part), Node::And(_)) => {}
                Node::And(parts) => open.extend(parts.iter().rev()),
                _ if terms.sort(part) == Sort::Bool => self.learn(terms, part, &reasons),
                _ => {}
            }
        }
        self.propagate(terms);
        // What was found out before is still right, but more may be known now.
        self.memo.clear();
        number
    }

    /// How many formulas have been assumed.
    pub fn assumptions(&self) -> usize {
        self.assumptions
    }

    /// Whether the assumptions cannot all hold. If not, they may still be contradictory.
    pub fn is_contradictory(&self) -> bool {
        self.contradiction.is_some()
    }

    /// The numbers of assumptions that cannot all hold, ascending, if there is a contradiction.
    pub fn contradiction(&self) -> Option<&[usize]> {
        self.contradiction.as_ref().map(Reasons::list)
    }

    /// The values that a term can have. Of a contradictory context that may be anything.
    pub fn range(&mut self, terms: &Terms, term: Term) -> Range {
        self.fact(terms, term).range
    }

    /// Whether a formula holds, or does not, if that is plain.
    pub fn decide(&mut self, terms: &Terms, formula: Term) -> Option<bool> {
        match terms.sort(formula) {
            Sort::Bool => self.fact(terms, formula).range.as_bool(),
            Sort::Int | Sort::Array(_) => None,
        }
    }

    fn contradict(&mut self, reasons: Reasons) {
        self.contradiction.get_or_insert(reasons);
    }

    /// Learns from one literal.
    fn learn(&mut self, terms: &mut Terms, literal: Term, reasons: &Reasons) {
        match terms.node(literal) {
            Node::Bool(true) => {}
            Node::Bool(false) => self.contradict(reasons.clone()),
            Node::NonPositive(a) => {
                let Keyed { key, factor, constant } = keyed(terms, *a);
                // factor · key ≤ -constant, rounded to the inside.
                let bound = constant.neg().div_floor(&absolute(&factor));
                let range = if factor.is_negative() {
                    Range::between(bound.map(|bound| bound.neg()), None)
                } else {
                    Range::between(None, bound)
                };
                self.restrict(terms, key, Fact::because(range, reasons.clone()));
            }
            Node::Zero(a) => {
                let keyed = keyed(terms, *a);
                match keyed.solution() {
                    Some(value) => {
                        let range = Range::exactly(value);
                        self.restrict(terms, keyed.key, Fact::because(range, reasons.clone()));
                    }
                    None => self.contradict(reasons.clone()),
                }
            }
            Node::Divides(divisor, a) => {
                let (divisor, a) = (divisor.clone(), *a);
                self.learn_residue(terms, a, (&divisor, &Integer::ZERO), reasons);
            }
            Node::Not(inner) => {
                let inner = *inner;
                self.learn_negated(terms, inner, reasons);
                self.hold(inner, false, reasons);
            }
            _ => self.hold(literal, true, reasons),
        }
    }

    /// Learns from a literal that does not hold.
    fn learn_negated(&mut self, terms: &mut Terms, inner: Term, reasons: &Reasons) {
        match terms.node(inner) {
            Node::Zero(a) => {
                let keyed = keyed(terms, *a);
                if let Some(value) = keyed.solution() {
                    let excluded = self.excluded.entry(keyed.key).or_default();
                    excluded.entry(value).or_insert_with(|| reasons.clone());
                    let known = self.known.get(&keyed.key).cloned();
                    self.restrict(
                        terms,
                        keyed.key,
                        known.unwrap_or_else(|| Fact::always(Range::ALL)),
                    );
                }
            }
            Node::Divides(divisor, a) if *divisor == Integer::from(2) => {
                let (divisor, a) = (divisor.clone(), *a);
                self.learn_residue(terms, a, (&divisor, &Integer::ONE), reasons);
            }
            _ => {}
        }
    }

    /// Learns that `a` is congruent to a residue.
    fn learn_residue(
        &mut self,
        terms: &mut Terms,
        a: Term,
        (modulus, residue): (&Integer, &Integer),
        reasons: &Reasons,
    ) {
        let Keyed { key, factor, constant } = keyed(terms, a);
        match solve_congruence(&factor, &residue.sub(&constant), modulus) {
            Some((modulus, residue)) => {
                let range = Range::congruent(&modulus, &residue);
                self.restrict(terms, key, Fact::because(range, reasons.clone()));
            }
            None => self.contradict(reasons.clone()),
        }
    }

    fn hold(&mut self, formula: Term, truth: bool, reasons: &Reasons) {
        match self.truths.get(&formula) {
            Some((known, why)) if *known != truth => {
                let both = why.and(reasons);
                self.contradict(both);
            }
            Some(_) => {}
            None => {
                self.truths.insert(formula, (truth, reasons.clone()));
            }
        }
    }

    /// Adds to what is known of a key.
    fn restrict(&mut self, terms: &Terms, key: Term, fact: Fact) {
        let known = self.known.get(&key);
        let mut new = match known.map_or(Ok(fact.clone()), |known| known.meet(&fact)) {
            Ok(new) => new,
            Err(reasons) => return self.contradict(reasons),
        };
        if let Err(reasons) = self.avoid_excluded(key, &mut new) {
            return self.contradict(reasons);
        }
        if known.is_none_or(|known| known.range != new.range) && new.range != Range::ALL {
            if self.known.insert(key, new).is_none()
                && let Node::Sum(sum) = terms.node(key)
            {
                for (monomial, _) in &sum.summands {
                    self.sums.entry(*monomial).or_default().push(key);
                }
            }
            self.news.push_back(key);
        }
    }

    /// Moves bounds away from values that are excluded.
    fn avoid_excluded(&self, key: Term, fact: &mut Fact) -> Result<(), Reasons> {
        let Some(excluded) = self.excluded.get(&key) else {
            return Ok(());
        };
        let why_not = |value: &Option<Integer>| excluded.get(value.as_ref()?);
        // Each turn uses another excluded value.
        loop {
            let (low, high) = (fact.range.low.clone(), fact.range.high.clone());
            let next = if let (Some(reasons), Some(low)) = (why_not(&low), low) {
                let range = Range::between(Some(low.add(&Integer::ONE)), None);
                Fact::because(range, fact.low.and(reasons))
            } else if let (Some(reasons), Some(high)) = (why_not(&high), high) {
                let range = Range::between(None, Some(high.sub(&Integer::ONE)));
                Fact::because(range, fact.high.and(reasons))
            } else {
                return Ok(());
            };
            *fact = fact.meet(&next)?;
        }
    }

    /// Draws conclusions from what is new, for a bounded time.
    fn propagate(&mut self, terms: &Terms) {
        let mut steps = 0;
        while let Some(key) = self.news.pop_front() {
            let others = self.sums.get(&key).cloned().unwrap_or_default();
            for sum in [key].into_iter().chain(others) {
                if steps == MAX_STEPS || self.is_contradictory() {
                    self.news.clear();
                    return;
                }
                steps += 1;
                if let Node::Sum(node) = terms.node(sum) {
                    self.bound_monomials(terms, sum, node);
                }
            }
        }
    }

    /// Bounds each monomial of a sum by what is known of the sum and the others.
    fn bound_monomials(&mut self, terms: &Terms, key: Term, sum: &Sum) {
        if sum.summands.len() > MAX_SUMMANDS {
            return;
        }
        let whole = self.known.get(&key).cloned();
        let Some(whole) = whole else { return };
        let facts: Vec<Fact> = sum
            .summands
            .iter()
            .map(|(monomial, coefficient)| {
                scaled(&self.monomial_fact(terms, *monomial), coefficient)
            })
            .collect();
        // What is left for each: whole - Σ of the others, those behind it and those before it.
        let minus = Integer::from(-1);
        let taken: Vec<Fact> = facts.iter().map(|fact| scaled(fact, &minus)).collect();
        let mut behind = vec![whole];
        for fact in taken.iter().skip(1).rev() {
            behind.extend(behind.last().map(|sum| plus(sum, fact)));
        }
        let mut before: Option<Fact> = None;
        for ((monomial, coefficient), fact) in sum.summands.iter().zip(&taken) {
            let Some(rest) = behind.pop() else { return };
            let left = before.as_ref().map_or_else(|| rest.clone(), |before| plus(&rest, before));
            before = Some(before.map_or_else(|| fact.clone(), |before| plus(&before, fact)));
            match divided(&left, coefficient) {
                Ok(fact) if is_small(&fact.range) && !fact.has_many_reasons() => {
                    self.restrict(terms, *monomial, fact)
                }
                Ok(_) => {}
                Err(reasons) => self.contradict(reasons),
            }
        }
    }

    fn monomial_fact(&mut self, terms: &Terms, monomial: Term) -> Fact {
        let fact = self.fact_within(terms, monomial, MAX_LOOKED_INTO);
        let fact = fact.unwrap_or_else(|| transfer::alone(terms, monomial));
        // What was found out earlier may be less than is known now.
        match self.known.get(&monomial) {
            Some(known) => fact.meet(known).unwrap_or_else(|reasons| {
                self.contradict(reasons);
                fact
            }),
            None => fact,
        }
    }

    /// What is known of a term.
    fn fact(&mut self, terms: &Terms, root: Term) -> Fact {
        let fact = self.fact_within(terms, root, usize::MAX);
        fact.unwrap_or_else(|| Fact::always(Range::ALL))
    }

    /// What is known of a term, found from the bottom up; `None` if more than so many terms had to be
    /// looked into for that.
    fn fact_within(&mut self, terms: &Terms, root: Term, mut most: usize) -> Option<Fact> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.memo.contains_key(&term) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            let memo = &self.memo;
            terms.node(term).for_each_child(|part| {
                if !memo.contains_key(&part) {
                    open.push(part);
                }
            });
            if open.len() == waiting {
                let fact = self.fact_of_node(terms, term);
                self.memo.insert(term, fact);
                open.pop();
            }
            most = most.checked_sub(1)?;
        }
        self.memo.get(&root).cloned()
    }

    /// What is known of a term whose parts have been found out.
    fn fact_of_node(&mut self, terms: &Terms, term: Term) -> Fact {
        let fact = transfer::node_fact(terms, term, &|part| self.memo.get(&part));
        let known = match terms.sort(term) {
            Sort::Bool => self.truths.get(&term).map(|(truth, reasons)| {
                Fact::because(Range::exactly(Integer::from(*truth)), reasons.clone())
            }),
            Sort::Int => self.known_of(terms, term),
            Sort::Array(_) => None,
        };
        let Some(known) = known else { return fact };
        fact.meet(&known).unwrap_or_else(|reasons| {
            self.contradict(reasons);
            known
        })
    }

    /// What is known of an integer as a whole.
    fn known_of(&self, terms: &Terms, term: Term) -> Option<Fact> {
        let Node::Sum(sum) = terms.node(term) else {
            return self.known.get(&term).cloned();
        };
        if let Some(known) = self.known.get(&term) {
            return Some(known.clone());
        }
        let (factor, key) = primitive(sum);
        let known = self.known.get(&terms.find_polynomial(key)?)?;
        let constant = Fact::always(Range::exactly(sum.constant.clone()));
        Some(plus(&scaled(known, &factor), &constant))
    }
}

impl Keyed {
    /// The value of the key for which the whole is 0.
    fn solution(&self) -> Option<Integer> {
        let value = self.constant.neg();
        let rest = value.rem_truncated(&self.factor)?;
        if rest.is_zero() { value.div_truncated(&self.factor) } else { None }
    }
}

fn keyed(terms: &mut Terms, term: Term) -> Keyed {
    let (factor, key, constant) = match terms.node(term) {
        Node::Sum(sum) => {
            let (factor, key) = primitive(sum);
            (factor, key, sum.constant.clone())
        }
        _ => return Keyed { key: term, factor: Integer::ONE, constant: Integer::ZERO },
    };
    Keyed { key: terms.from_polynomial(key), factor, constant }
}

/// A sum without its constant as a factor and a key.
fn primitive(sum: &Sum) -> (Integer, Polynomial) {
    let mut key = Polynomial { constant: Integer::ZERO, summands: sum.summands.to_vec() };
    let mut factor = key.content();
    if key.summands.first().is_some_and(|(_, coefficient)| coefficient.is_negative()) {
        factor = factor.neg();
    }
    for (_, coefficient) in &mut key.summands {
        *coefficient = coefficient.div_floor(&factor).unwrap_or(Integer::ONE);
    }
    (factor, key)
}

fn scaled(fact: &Fact, factor: &Integer) -> Fact {
    let (low, high) = if factor.is_negative() {
        (fact.high.clone(), fact.low.clone())
    } else {
        (fact.low.clone(), fact.high.clone())
    };
    Fact { range: fact.range.scale(factor), low, high, congruence: fact.congruence.clone() }
}

fn plus(a: &Fact, b: &Fact) -> Fact {
    // Bounds that are values of the residue classes stay so.
    Fact {
        range: a.range.add(&b.range),
        low: a.low.and(&b.low),
        high: a.high.and(&b.high),
        congruence: a.congruence.and(&b.congruence),
    }
}

/// What is known of `x` if `fact` is known of `factor · x`.
fn divided(fact: &Fact, factor: &Integer) -> Result<Fact, Reasons> {
    let flipped =
        if factor.is_negative() { scaled(fact, &Integer::from(-1)) } else { fact.clone() };
    let factor = absolute(factor);
    let Fact { range, low, high, congruence } = flipped;
    let up = |bound: &Integer| Some(bound.neg().div_floor(&factor)?.neg());
    let class = if range.modulus.is_zero() {
        // One value, which the bounds are as well.
        Some((Integer::ONE, Integer::ZERO))
    } else {
        solve_congruence(&factor, &range.residue, &range.modulus)
    };
    let (modulus, residue) = class.ok_or_else(|| congruence.clone())?;
    let bounds = Range {
        low: range.low.as_ref().and_then(up),
        high: range.high.as_ref().and_then(|bound| bound.div_floor(&factor)),
        ..Range::ALL
    };
    let bounds = Fact { range: bounds, low, high, congruence: Reasons::default() };
    bounds.meet(&Fact::because(Range::congruent(&modulus, &residue), congruence))
}

fn is_small(range: &Range) -> bool {
    let small = |bound: &Option<Integer>| bound.as_ref().is_none_or(|b| b.bits() <= MAX_BOUND_BITS);
    small(&range.low) && small(&range.high)
}

#[cfg(test)]
mod tests;
