//! Linear expressions.

use super::origin::{Effort, Origin, Stop};
use loupe_integer::Integer;
use std::cmp::Ordering;

/// `constant + Σ coefficient · variable`: variables ascending, each once, no coefficient 0.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) terms: Vec<(u32, Integer)>,
    pub(super) constant: Integer,
    pub(super) origin: Origin,
}

/// How two rows with the same variables compare, constants aside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    Opposite,
    Different,
}

/// `⌈a / b⌉` for `b` not 0.
pub(super) fn div_ceil(a: &Integer, b: &Integer) -> Integer {
    div_floor(&a.neg(), b).neg()
}

/// `⌊a / b⌋` for `b` not 0.
pub(super) fn div_floor(a: &Integer, b: &Integer) -> Integer {
    a.div_floor(b).unwrap_or(Integer::ZERO)
}

pub(super) fn is_unit(a: &Integer) -> bool {
    matches!(a.to_i64(), Some(1 | -1))
}

pub(super) fn absolute(a: &Integer) -> Integer {
    if a.is_negative() { a.neg() } else { a.clone() }
}

impl Row {
    /// `factor · variable + constant`.
    pub(super) fn single(variable: u32, factor: i64, constant: Integer, origin: Origin) -> Self {
        Row { terms: vec![(variable, Integer::from(factor))], constant, origin }
    }

    pub(super) fn coefficient(&self, variable: u32) -> Option<&Integer> {
        self.terms.iter().find(|(known, _)| *known == variable).map(|(_, coefficient)| coefficient)
    }

    /// `factor · self + other_factor · other`, for factors that are not 0.
    pub(super) fn combine(
        &self,
        factor: &Integer,
        other: &Row,
        other_factor: &Integer,
        effort: &mut Effort,
    ) -> Result<Row, Stop> {
        let constant = self.constant.mul(factor).add(&other.constant.mul(other_factor));
        let (mut left, mut right) = (&self.terms[..], &other.terms[..]);
        let mut terms = Vec::with_capacity(left.len() + right.len());
        while let ([(a, x), left_rest @ ..], [(b, y), right_rest @ ..]) = (left, right) {
            match a.cmp(b) {
                Ordering::Less => {
                    terms.push((*a, x.mul(factor)));
                    left = left_rest;
                }
                Ordering::Greater => {
                    terms.push((*b, y.mul(other_factor)));
                    right = right_rest;
                }
                Ordering::Equal => {
                    let sum = x.mul(factor).add(&y.mul(other_factor));
                    if !sum.is_zero() {
                        terms.push((*a, sum));
                    }
                    (left, right) = (left_rest, right_rest);
                }
            }
        }
        terms.extend(left.iter().map(|(a, x)| (*a, x.mul(factor))));
        terms.extend(right.iter().map(|(b, y)| (*b, y.mul(other_factor))));
        // Long numbers cost more than one step.
        let long = constant.bits().max(terms.first().map_or(0, |(_, a)| a.bits())) / 64;
        effort.spend(1 + terms.len() * (1 + long as usize))?;
        let origin = effort.join(self.origin, other.origin);
        Ok(Row { terms, constant, origin })
    }

    /// Changes all signs.
    pub(super) fn negate(&mut self) {
        self.terms.iter_mut().for_each(|(_, coefficient)| *coefficient = coefficient.neg());
        self.constant = self.constant.neg();
    }

    /// The greatest common divisor of the coefficients.
    pub(super) fn content(&self) -> Integer {
        let mut content = Integer::ZERO;
        for (_, coefficient) in &self.terms {
            if is_unit(coefficient) {
                return Integer::ONE;
            }
            content = content.gcd(coefficient);
            if content == Integer::ONE {
                break;
            }
        }
        content
    }

    fn divide_terms(&mut self, content: &Integer) {
        for (_, coefficient) in &mut self.terms {
            *coefficient = div_floor(coefficient, content);
        }
    }

    /// Divides `self ≤ 0` by the content. `Σ g·aᵢ·xᵢ + c ≤ 0` is `Σ aᵢ·xᵢ ≤ ⌊-c/g⌋`, because the left
    /// side is an integer.
    pub(super) fn tighten(&mut self) {
        let content = self.content();
        if content != Integer::ONE && !content.is_zero() {
            self.divide_terms(&content);
            self.constant = div_ceil(&self.constant, &content);
        }
    }

    /// Divides `self` by the content, if that divides the constant too: else `self` is never 0.
    pub(super) fn divide_exactly(&mut self) -> Option<()> {
        let content = self.content();
        if content == Integer::ONE || content.is_zero() {
            return Some(());
        }
        if !self.constant.rem_euclidean(&content)?.is_zero() {
            return None;
        }
        self.divide_terms(&content);
        self.constant = div_floor(&self.constant, &content);
        Some(())
    }

    pub(super) fn likeness(&self, other: &Row) -> Likeness {
        let (Some((a, x)), Some((b, y))) = (self.terms.first(), other.terms.first()) else {
            return Likeness::Different;
        };
        if a != b || self.terms.len() != other.terms.len() {
            return Likeness::Different;
        }
        let pairs = || self.terms.iter().zip(&other.terms);
        if x == y {
            let same = pairs().all(|(left, right)| left == right);
            return if same { Likeness::Same } else { Likeness::Different };
        }
        let opposite = |(a, x): &(u32, Integer), (b, y): &(u32, Integer)| {
            a == b && x.is_negative() != y.is_negative() && x.add(y).is_zero()
        };
        if pairs().all(|(left, right)| opposite(left, right)) {
            Likeness::Opposite
        } else {
            Likeness::Different
        }
    }

    /// The value without the term of one variable.
    pub(super) fn value_without(&self, variable: u32, values: &[Integer]) -> Integer {
        let mut sum = self.constant.clone();
        for (other, coefficient) in self.terms.iter().filter(|(other, _)| *other != variable) {
            if let Some(value) = values.get(*other as usize) {
                sum = sum.add(&coefficient.mul(value));
            }
        }
        sum
    }
}
