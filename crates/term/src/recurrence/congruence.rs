//! Wrapped values and remainders: systems that are solved up to multiples of a number.
//!
//! `wrap(w, a)` and the Euclidean `a mod m` depend on a modulo 2ʷ and m alone, and sums and products respect
//! congruence. So the wraps inside of polynomials may be left out, the system is solved in ℤ (the *shadow*),
//! and each value is wrapped once. A modulus 0 fits in: congruent then means equal, and `a mod 0 = a`.
//! What reads a value in another way (a quotient, a comparison, a larger width) reads the wrapped one.

use super::Obstacle;
use super::exponential::{Exponential, MAX_EXPONENT};
use super::obligations::{Argument, Lemma, Means, under, with_counter_bound};
use super::reading::Component;
use super::sequence::{Sequence, Shape};
use super::systems::{Shadow, Solved, Solver};
use crate::arena::Terms;
use crate::node::{Node, Rounding, SymbolId, Term, Width};
use crate::polynomial::Polynomial;
use loupe_integer::{Integer, Signedness};
use std::collections::{BTreeMap, BTreeSet};

/// Wider machine integers are not looked into.
const MAX_BITS: u32 = 4_096;
/// Polynomials with more summands are not looked into.
const MAX_SUMMANDS: usize = 2_000;

/// What is done to a value that is known up to multiples of a modulus.
#[derive(Clone, Copy, Debug)]
enum Reduction {
    Wrap(Width),
    Remainder(Term),
}

impl Reduction {
    fn apply(self, terms: &mut Terms, value: Term) -> Term {
        match self {
            Reduction::Wrap(width) => terms.wrap(width, value),
            Reduction::Remainder(modulus) => terms.remainder(Rounding::Euclidean, value, modulus),
        }
    }
}

/// A term that is a reduction of another one.
struct Reduced {
    reduction: Reduction,
    modulus: Term,
    inner: Term,
}

impl Solver<'_> {
    fn reduced(&mut self, term: Term) -> Option<Reduced> {
        match *self.terms.node(term) {
            Node::Wrap(width, inner) if width.bits <= MAX_BITS => {
                let modulus = self.terms.int(Integer::power_of_two(width.bits));
                Some(Reduced { reduction: Reduction::Wrap(width), modulus, inner })
            }
            Node::Remainder(Rounding::Euclidean, inner, modulus)
                if self.changing(modulus).is_empty() =>
            {
                Some(Reduced { reduction: Reduction::Remainder(modulus), modulus, inner })
            }
            _ => None,
        }
    }

    /// Whether congruent modulo `multiple` implies congruent modulo `modulus`.
    pub(super) fn is_multiple(&self, multiple: Term, modulus: Term) -> bool {
        let integers = (self.terms.as_int(multiple), self.terms.as_int(modulus));
        multiple == modulus
            || matches!(integers, (Some(multiple), Some(modulus))
                if multiple.rem_euclidean(modulus).is_some_and(|rest| rest.is_zero()))
    }

    /// A polynomial that is congruent to the term, with reductions left out; `None` if it is too large.
    fn stripped(&mut self, term: Term, modulus: Term) -> Option<Term> {
        let mut current = term;
        loop {
            let polynomial = self.terms.polynomial(current);
            let mut changed = false;
            let mut parts = vec![self.terms.int(polynomial.constant)];
            for (monomial, coefficient) in polynomial.summands {
                let mut product = self.terms.int(coefficient);
                for (atom, exponent) in self.terms.factors(monomial) {
                    let inner = self.reduced(atom);
                    let inner = inner.filter(|inner| self.is_multiple(inner.modulus, modulus));
                    let factor = inner.map_or(atom, |inner| inner.inner);
                    changed |= factor != atom;
                    if exponent > MAX_EXPONENT {
                        return None;
                    }
                    for _ in 0..exponent {
                        product = self.terms.mul(product, factor);
                        self.small(product)?;
                    }
                }
                parts.push(product);
            }
            if !changed {
                return Some(current);
            }
            current = self.terms.sum(parts);
            self.small(current)?;
        }
    }

    fn small(&self, term: Term) -> Option<()> {
        let Polynomial { summands, .. } = self.terms.polynomial(term);
        (summands.len() <= MAX_SUMMANDS).then_some(())
    }

    /// Solves a component some of whose updates are reductions, modulo a number that divides all of their
    /// moduli; `None` if there is none. Variables that this does not determine are values of a last
    /// writer, once the others are known.
    pub(super) fn congruent(
        &mut self,
        updates: &BTreeMap<SymbolId, Term>,
    ) -> Option<Result<(), Obstacle>> {
        let mut reduced = BTreeMap::new();
        for (symbol, update) in updates {
            if let Some(outer) = self.reduced(*update) {
                reduced.insert(*symbol, outer);
            }
        }
        let moduli: Vec<Term> = reduced.values().map(|outer| outer.modulus).collect();
        let divides_all =
            |modulus: &Term| moduli.iter().all(|multiple| self.is_multiple(*multiple, *modulus));
        let modulus = moduli.iter().copied().find(divides_all)?;
        Some(self.congruent_modulo(updates, &reduced, modulus))
    }

    fn congruent_modulo(
        &mut self,
        updates: &BTreeMap<SymbolId, Term>,
        reduced: &BTreeMap<SymbolId, Reduced>,
        modulus: Term,
    ) -> Result<(), Obstacle> {
        let mut shadows = BTreeMap::new();
        for (symbol, update) in updates {
            let inner = reduced.get(symbol).map_or(*update, |outer| outer.inner);
            shadows.insert(*symbol, self.stripped(inner, modulus).ok_or(Obstacle::TooLarge)?);
        }
        let component = Component { updates: &shadows, modulus: Some(modulus) };
        let sequences = self.sequences(&component)?;
        let needed: Vec<Term> = updates.values().copied().collect();
        let open = self.open_claims(&needed);
        for (symbol, sequence) in updates.keys().zip(&sequences) {
            let Some(outer) = reduced.get(symbol) else { continue };
            if !self.is_multiple(modulus, outer.modulus) {
                continue;
            }
            let solved = Solved {
                value: self.reduce(*symbol, outer.reduction, sequence)?,
                exact: None,
                shadow: None,
                argument: Argument::Congruence,
                lemmas: Vec::new(),
                open: open.clone(),
            };
            self.solved.insert(*symbol, solved);
        }
        let rest = self.derive_rest(updates);
        // Values are congruent to their shadows, however they were solved.
        for (symbol, sequence) in updates.keys().zip(sequences) {
            if let Some(solved) = self.solved.get_mut(symbol) {
                solved.shadow = Some(Shadow { modulus, sequence });
            }
        }
        rest
    }

    /// The reduced shadow from the first iteration on; before that, the entry value as it is.
    fn reduce(
        &mut self,
        symbol: SymbolId,
        reduction: Reduction,
        shadow: &Sequence<Exponential>,
    ) -> Result<Sequence<Term>, Obstacle> {
        let late = Shape { first: 1, period: 1 };
        let shape = shadow.shape().join(late).ok_or(Obstacle::TooLarge)?;
        let entry = self.terms.intern(Node::Symbol(symbol));
        let values = shadow.reshaped(self.terms, self.counter, shape);
        let mut reduced = Vec::with_capacity(values.len());
        for (iteration, value) in values.iter().enumerate() {
            let value = value.to_term(self.terms, self.counter);
            if self.terms.is_starred(value) {
                return Err(Obstacle::TooLarge);
            }
            reduced.push(match iteration {
                0 => entry,
                _ => reduction.apply(self.terms, value),
            });
        }
        let values = Sequence::new(shape, reduced).ok_or(Obstacle::TooLarge)?;
        Ok(values.compact(self.terms, self.counter))
    }

    /// Solves the variables of a component that depend on solved ones alone.
    fn derive_rest(&mut self, updates: &BTreeMap<SymbolId, Term>) -> Result<(), Obstacle> {
        let mut rest: Vec<(SymbolId, Term)> = updates.iter().map(|(s, u)| (*s, *u)).collect();
        loop {
            rest.retain(|(symbol, _)| !self.solved.contains_key(symbol));
            let Some(first) = rest.first() else { return Ok(()) };
            let ready = rest.iter().find(|(_, update)| {
                self.changing(*update).iter().all(|symbol| self.solved.contains_key(symbol))
            });
            match ready {
                Some((symbol, _)) => self.last_writer(*symbol)?,
                None => return Err(Obstacle::NoPolynomial(first.1)),
            }
        }
    }

    /// Solves a component with truncated remainders as if they were Euclidean, and wrapped dividends as if
    /// they were not wrapped. That is right as long as the dividends are not negative and in the range of
    /// their type: with the forms up to iteration k right, this is a claim about the forms at k.
    pub(super) fn truncated(&mut self, updates: &BTreeMap<SymbolId, Term>) -> bool {
        let mut conditions = Vec::new();
        let mut relaxed = updates.clone();
        for update in relaxed.values_mut() {
            let Node::Remainder(Rounding::Truncated, dividend, modulus) = *self.terms.node(*update)
            else {
                continue;
            };
            let mut inner = dividend;
            if let Node::Wrap(width, unwrapped) = *self.terms.node(dividend)
                && width.bits <= MAX_BITS
            {
                inner = unwrapped;
                conditions.extend(self.in_range(width, unwrapped));
            }
            conditions.push(inner);
            *update = self.terms.remainder(Rounding::Euclidean, inner, modulus);
        }
        if conditions.is_empty() {
            return false;
        }
        let before = self.solved.clone();
        // A remainder that rounds down may be no remainder any more: (2·x + 1) mod 2 = 1.
        let relaxed = match self.congruent(&relaxed) {
            Some(found) => found,
            None => self.affine(&relaxed),
        };
        let solved = relaxed.is_ok() && self.settle(updates, &conditions);
        if !solved {
            // What was solved of it rests on conditions that nobody knows.
            self.solved = before;
        }
        solved
    }

    /// Terms that are not negative iff a value is in the range of a type.
    fn in_range(&mut self, width: Width, value: Term) -> [Term; 2] {
        let size = Integer::power_of_two(width.bits);
        let low = match width.signedness {
            Signedness::Unsigned => Integer::ZERO,
            Signedness::Signed => Integer::power_of_two(width.bits.saturating_sub(1)).neg(),
        };
        let high = self.terms.int(low.add(&size).sub(&Integer::ONE));
        let low = self.terms.int(low);
        [self.terms.sub(value, low), self.terms.sub(high, value)]
    }

    /// Proves that terms are not negative in any iteration, or leaves that open.
    fn settle(&mut self, updates: &BTreeMap<SymbolId, Term>, conditions: &[Term]) -> bool {
        let facts = with_counter_bound(self.terms, self.facts, self.counter);
        let (mut lemmas, mut open) = (Vec::new(), BTreeSet::new());
        for condition in conditions {
            let Ok(values) = self.values_of(*condition) else { return false };
            for value in values.positions() {
                let zero = self.terms.int(0);
                let holds = self.terms.le(zero, *value);
                let claim = under(self.terms, &facts, holds);
                if self.is_non_negative(*value, &facts) {
                    lemmas.push(Lemma { claim, means: Means::Bounds });
                } else if self.prover.proves(self.terms, claim) {
                    lemmas.push(Lemma { claim, means: Means::Prover });
                } else {
                    open.insert(claim);
                }
            }
        }
        for symbol in updates.keys() {
            if let Some(solved) = self.solved.get_mut(symbol) {
                solved.lemmas.extend(lemmas.iter().copied());
                solved.open.extend(open.iter().copied());
            }
        }
        true
    }

    /// Whether a term is plainly not negative: a sum of products of such, with positive coefficients.
    fn is_non_negative(&mut self, term: Term, facts: &[Term]) -> bool {
        let Polynomial { constant, summands } = self.terms.polynomial(term);
        let mut atoms = BTreeSet::new();
        for (monomial, _) in &summands {
            let odd = |(atom, exponent): (Term, u32)| (exponent % 2 == 1).then_some(atom);
            atoms.extend(self.terms.factors(*monomial).into_iter().filter_map(odd));
        }
        let positive = summands.iter().all(|(_, coefficient)| !coefficient.is_negative());
        let zero = self.terms.int(0);
        positive
            && !constant.is_negative()
            && atoms.into_iter().all(|atom| match self.terms.node(atom) {
                Node::Wrap(width, _) => width.signedness == Signedness::Unsigned,
                Node::Power(base, _) => !base.is_negative(),
                Node::Remainder(Rounding::Euclidean, _, modulus)
                    if self.terms.as_int(*modulus).is_some_and(|modulus| !modulus.is_zero()) =>
                {
                    true
                }
                _ => {
                    let at_least = self.terms.le(zero, atom);
                    facts.contains(&at_least)
                }
            })
    }
}
