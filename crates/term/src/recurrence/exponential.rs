//! Exponential polynomials: Σ c · m · nᵈ · bⁿ over a counter n, with rational coefficients c, products m
//! of entry values, degrees d and integer bases b ≠ 0.
//!
//! They are closed under what a loop does to them: sums, products, moving the counter, and the solution
//! of `y(n+1) = λ·y(n) + h(n)`. Kept in canonical form, so that equal representations prove equal values
//! for every n ≥ 0.

use super::rational::Rational;
use crate::arena::Terms;
use crate::node::{Node, Rounding, Term};
use crate::polynomial::Polynomial;
use crate::rules;
use loupe_integer::Integer;
use std::collections::BTreeMap;

/// More summands than these are too many for a value that anybody wants to see.
const MAX_SUMMANDS: usize = 400;
/// Higher powers are not multiplied out.
pub(super) const MAX_EXPONENT: u32 = 64;
/// Bases of more bits are not followed.
const MAX_BASE_BITS: u64 = 512;

/// What a coefficient stands before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    base: Integer,
    degree: u32,
    /// A product of entry values; `None` is 1.
    monomial: Option<Term>,
}

/// An exponential polynomial in a counter n ≥ 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exponential {
    /// No coefficient is 0.
    summands: BTreeMap<Part, Rational>,
}

/// The counter n becomes `factor · n + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) factor: u32,
    pub(super) offset: i64,
}

impl Exponential {
    /// An integer.
    pub(super) fn constant(value: Integer) -> Self {
        Self::single(value, None)
    }

    /// A monomial over terms that do not contain the counter.
    pub(super) fn monomial(monomial: Term) -> Self {
        Self::single(Integer::ONE, Some(monomial))
    }

    fn single(coefficient: Integer, monomial: Option<Term>) -> Self {
        let mut result = Exponential::default();
        result.put(Part { base: Integer::ONE, degree: 0, monomial }, Rational::from(coefficient));
        result
    }

    fn put(&mut self, part: Part, coefficient: Rational) {
        let sum = match self.summands.get(&part) {
            Some(known) => known.add(&coefficient),
            None => coefficient,
        };
        if sum.is_zero() {
            self.summands.remove(&part);
        } else {
            self.summands.insert(part, sum);
        }
    }

    /// The integer that this is for every n, if it is one.
    pub(super) fn as_integer(&self) -> Option<Integer> {
        let mut summands = self.summands.iter();
        match (summands.next(), summands.next()) {
            (None, _) => Some(Integer::ZERO),
            (Some((part, coefficient)), None) => {
                let plain =
                    part.degree == 0 && part.base == Integer::ONE && part.monomial.is_none();
                coefficient.as_integer().filter(|_| plain).cloned()
            }
            _ => None,
        }
    }

    /// Whether there is no power of a base other than 1.
    pub(super) fn is_polynomial(&self) -> bool {
        self.summands.keys().all(|part| part.base == Integer::ONE)
    }

    /// `self + factor · other`.
    pub(super) fn add_scaled(&mut self, other: &Self, factor: &Integer) {
        let factor = Rational::from(factor.clone());
        for (part, coefficient) in &other.summands {
            self.put(part.clone(), coefficient.mul(&factor));
        }
    }

    /// The product; `None` if it is too large.
    pub(super) fn product(&self, terms: &mut Terms, other: &Self) -> Option<Self> {
        let mut result = Exponential::default();
        for (a, x) in &self.summands {
            for (b, y) in &other.summands {
                let monomial = match (a.monomial, b.monomial) {
                    (Some(a), Some(b)) => Some(terms.mul(a, b)),
                    (one, None) | (None, one) => one,
                };
                // An exponent beyond all bounds: two unknown values must not be taken for the same.
                if monomial.is_some_and(|monomial| terms.is_starred(monomial)) {
                    return None;
                }
                let (base, degree) = (a.base.mul(&b.base), a.degree + b.degree);
                if base.bits() > MAX_BASE_BITS {
                    return None;
                }
                result.put(Part { base, degree, monomial }, x.mul(y));
                if result.summands.len() > MAX_SUMMANDS {
                    return None;
                }
            }
        }
        Some(result)
    }

    /// The product with a power; `None` if it is too large.
    pub(super) fn times_power(
        mut self,
        terms: &mut Terms,
        base: &Self,
        exponent: u32,
    ) -> Option<Self> {
        if exponent > MAX_EXPONENT {
            return None;
        }
        for _ in 0..exponent {
            self = self.product(terms, base)?;
        }
        Some(self)
    }

    /// With the counter moved: `factor · n + offset` for n. Bases are not 0, so that negative powers
    /// of them are fractions, and no summand is left out for want of one.
    pub(super) fn moved(&self, by: Move) -> Self {
        let mut result = Exponential::default();
        let factor = Integer::from(by.factor);
        for (part, coefficient) in &self.summands {
            let (Some(base), Some(scale)) = (
                Rational::power(&part.base, i64::from(by.factor)),
                Rational::power(&part.base, by.offset),
            ) else {
                continue;
            };
            let base = base.as_integer().cloned().unwrap_or(Integer::ONE);
            let coefficient = coefficient.mul(&scale);
            // (f·n + o)ᵈ = Σ C(d,e) · fᵉ · oᵈ⁻ᵉ · nᵉ
            for degree in 0..=part.degree {
                let rest = i64::from(part.degree - degree);
                let (Some(f), Some(o)) = (
                    Rational::power(&factor, i64::from(degree)),
                    Rational::power(&Integer::from(by.offset), rest),
                ) else {
                    continue;
                };
                let choose = Rational::from(binomial(part.degree, degree));
                let value = coefficient.mul(&choose).mul(&f).mul(&o);
                result.put(Part { base: base.clone(), degree, monomial: part.monomial }, value);
            }
        }
        result
    }

    /// A polynomial with n/divisor for n, for a divisor that is not 0.
    pub(super) fn stretched(&self, divisor: u32) -> Self {
        let mut result = Exponential::default();
        for (part, coefficient) in &self.summands {
            let scale = Rational::power(&Integer::from(divisor), -i64::from(part.degree));
            let scale = scale.unwrap_or(Rational::one());
            result.put(part.clone(), coefficient.mul(&scale));
        }
        result
    }

    /// The solution of `y(0) = start`, `y(n+1) = factor·y(n) + self(n)`, for a factor other than 0: a
    /// particular solution, and the power of the factor that corrects its start. `None` if it is too large.
    pub(super) fn accumulated(&self, factor: &Integer, start: &Self) -> Option<Self> {
        if factor.is_zero() || factor.bits() > MAX_BASE_BITS {
            return None;
        }
        let mut groups: BTreeMap<(Integer, Option<Term>), Vec<Rational>> = BTreeMap::new();
        for (part, coefficient) in &self.summands {
            let group = groups.entry((part.base.clone(), part.monomial)).or_default();
            let zero = Rational::from(Integer::ZERO);
            group.resize(group.len().max(part.degree as usize + 1), zero);
            if let Some(place) = group.get_mut(part.degree as usize) {
                *place = coefficient.clone();
            }
        }
        let mut result = Exponential::default();
        for ((base, monomial), coefficients) in groups {
            let particular = particular(&base, factor, &coefficients)?;
            for (degree, coefficient) in (0..).zip(particular) {
                result.put(Part { base: base.clone(), degree, monomial }, coefficient);
            }
        }
        let mut correction = start.clone();
        correction.add_scaled(&result.moved(Move { factor: 0, offset: 0 }), &Integer::from(-1));
        for (part, coefficient) in correction.summands {
            // The start does not contain the counter: its parts are plain monomials.
            result.put(Part { base: factor.clone(), ..part }, coefficient);
        }
        (result.summands.len() <= MAX_SUMMANDS).then_some(result)
    }

    /// A term over the counter as an exponential polynomial, if it is one.
    pub(super) fn of_term(terms: &mut Terms, counter: Term, term: Term) -> Option<Self> {
        // Unknown values must not be taken for the same.
        if terms.is_starred(term) {
            return None;
        }
        let polynomial = terms.polynomial(term);
        let mut result = Exponential::constant(polynomial.constant);
        for (monomial, coefficient) in polynomial.summands {
            let mut product = Exponential::constant(coefficient);
            for (atom, exponent) in terms.factors(monomial) {
                let factor = Self::of_atom(terms, counter, atom)?;
                product = product.times_power(terms, &factor, exponent)?;
            }
            result.add_scaled(&product, &Integer::ONE);
        }
        Some(result)
    }

    fn of_atom(terms: &mut Terms, counter: Term, atom: Term) -> Option<Self> {
        let mut result = Exponential::default();
        let one = Integer::ONE;
        if atom == counter {
            result.put(Part { base: one, degree: 1, monomial: None }, Rational::one());
            return Some(result);
        }
        // As a fraction also where it does not change: one value must have one form.
        if let Some((dividend, divisor)) = terms.exact_quotient(atom) {
            let dividend = terms.term_of(dividend);
            let dividend = Self::of_term(terms, counter, dividend)?;
            let scale = Rational::new(one, divisor)?;
            for (part, coefficient) in dividend.summands {
                result.put(part, coefficient.mul(&scale));
            }
            return Some(result);
        }
        if !terms.post_order(atom).contains(&counter) {
            return Some(Self::monomial(atom));
        }
        // b^(c·n + d) is b^d · (b^c)^n where neither c nor d is negative: the exponent is never
        // negative then, where a power would be 1.
        let Node::Power(base, exponent) = terms.node(atom) else { return None };
        let Polynomial { constant, summands } = terms.polynomial(*exponent);
        match &summands[..] {
            [(monomial, slope)]
                if *monomial == counter
                    && !slope.is_negative()
                    && !constant.is_negative()
                    && !base.is_zero() =>
            {
                let scale = Rational::from(rules::power(base, &constant)?);
                let base = rules::power(base, slope)?;
                result.put(Part { base, degree: 0, monomial: None }, scale);
                Some(result)
            }
            _ => None,
        }
    }

    /// The value as a term, for a value that is known to be an integer for every n ≥ 0 and all values
    /// of its monomials. The summands with integer coefficients are integers, hence the sum of the others
    /// is one too: their common denominator divides their numerator, and the quotient is exact.
    pub(super) fn to_term(&self, terms: &mut Terms, counter: Term) -> Term {
        let mut denominator = Integer::ONE;
        for coefficient in self.summands.values() {
            let other = coefficient.denominator();
            let common = denominator.gcd(other);
            let missing = other.div_floor(&common).unwrap_or(Integer::ONE);
            denominator = denominator.mul(&missing);
        }
        let scale = Rational::from(denominator.clone());
        let (mut whole, mut numerator) = (Vec::new(), Vec::new());
        for (part, coefficient) in &self.summands {
            let mut product = terms.pow(counter, part.degree);
            if part.base != Integer::ONE {
                let power = terms.power(part.base.clone(), counter);
                product = terms.mul(product, power);
            }
            if let Some(monomial) = part.monomial {
                product = terms.mul(product, monomial);
            }
            match (coefficient.as_integer(), coefficient.mul(&scale).as_integer()) {
                (Some(integer), _) => whole.push(terms.scale(product, integer)),
                (None, Some(scaled)) => numerator.push(terms.scale(product, scaled)),
                // Impossible: the scale is a multiple of every denominator.
                (None, None) => {}
            }
        }
        let numerator = terms.sum(numerator);
        let denominator = terms.int(denominator);
        let fraction = terms.quotient(Rounding::Euclidean, numerator, denominator);
        whole.push(fraction);
        terms.sum(whole)
    }
}

/// The polynomial P with `base·P(n+1) - factor·P(n) = h(n)`, by its coefficients from the highest down.
/// If base and factor are the same, the highest terms cancel and P has one degree more than h.
fn particular(base: &Integer, factor: &Integer, h: &[Rational]) -> Option<Vec<Rational>> {
    let zero = Rational::from(Integer::ZERO);
    let base_value = Rational::from(base.clone());
    let resonant = base == factor;
    let mut found = vec![zero; h.len() + usize::from(resonant)];
    for (degree, goal) in h.iter().enumerate().rev() {
        // The coefficient of n^degree: (base - factor)·P_degree + base · Σ_{e > degree} C(e, degree)·P_e.
        let mut rest = goal.clone();
        for (higher, coefficient) in found.iter().enumerate().skip(degree + 1) {
            let choose = Rational::from(binomial(higher as u32, degree as u32));
            rest = rest.sub(&base_value.mul(&choose).mul(coefficient));
        }
        let (place, divisor) = if resonant {
            (degree + 1, base_value.mul(&Rational::from(Integer::from(degree + 1))))
        } else {
            (degree, base_value.sub(&Rational::from(factor.clone())))
        };
        if let Some(place) = found.get_mut(place) {
            *place = rest.div(&divisor)?;
        }
    }
    Some(found)
}

/// How many ways there are to choose `k` of `n`.
fn binomial(n: u32, k: u32) -> Integer {
    let mut result = Integer::ONE;
    for i in 0..k.min(n) {
        result = result.mul(&Integer::from(n - i));
        // Exact: a product of i+1 consecutive integers over (i+1)!.
        result = result.div_floor(&Integer::from(i + 1)).unwrap_or(Integer::ZERO);
    }
    result
}
