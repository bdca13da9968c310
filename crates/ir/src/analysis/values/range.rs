//! Sets of integers between two bounds, with or without zero.

use crate::program::CompareOp;
use crate::types::IntType;
use loupe_integer::{Integer, Signedness};

/// The integers from one bound to the other, perhaps without zero. Never empty: what would be is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    /// No bound if there is none.
    low: Option<Integer>,
    high: Option<Integer>,
    /// Zero lies between the bounds, strictly, and is left out.
    is_holed: bool,
}

/// A number between the bounds of a range that widening may stop at.
pub(super) type Landmarks = Vec<Integer>;

impl Range {
    pub(super) const ALL: Range = Range { low: None, high: None, is_holed: false };

    pub(super) fn exactly(number: Integer) -> Self {
        Range { low: Some(number.clone()), high: Some(number), is_holed: false }
    }

    pub(super) fn truth() -> Self {
        Range { low: Some(Integer::ZERO), high: Some(Integer::ONE), is_holed: false }
    }

    pub(super) fn between(low: Option<Integer>, high: Option<Integer>) -> Option<Self> {
        Range { low, high, is_holed: false }.normal()
    }

    /// All numbers of a type.
    pub(super) fn of(ty: IntType) -> Self {
        match ty {
            IntType::Unbounded => Range::ALL,
            IntType::Machine { width, signedness } => {
                let (low, high) = match signedness {
                    Signedness::Unsigned => (Integer::ZERO, Integer::power_of_two(width)),
                    Signedness::Signed => {
                        let half = Integer::power_of_two(width.saturating_sub(1));
                        (half.neg(), half)
                    }
                };
                let high = high.sub(&Integer::ONE);
                Range { low: Some(low), high: Some(high), is_holed: false }
            }
        }
    }

    /// Empty ranges are none, and a hole at a bound is a bound.
    fn normal(mut self) -> Option<Self> {
        if self.is_holed {
            if self.low.as_ref().is_some_and(Integer::is_zero) {
                self.low = Some(Integer::ONE);
            }
            if self.high.as_ref().is_some_and(Integer::is_zero) {
                self.high = Some(Integer::ONE.neg());
            }
        }
        if let (Some(low), Some(high)) = (&self.low, &self.high)
            && low > high
        {
            return None;
        }
        self.is_holed &= self.encloses_zero();
        Some(self)
    }

    fn encloses_zero(&self) -> bool {
        self.low.as_ref().is_none_or(|low| *low <= Integer::ZERO)
            && self.high.as_ref().is_none_or(|high| *high >= Integer::ZERO)
    }

    pub(super) fn has_zero(&self) -> bool {
        !self.is_holed && self.encloses_zero()
    }

    pub(super) fn low(&self) -> Option<&Integer> {
        self.low.as_ref()
    }

    pub(super) fn high(&self) -> Option<&Integer> {
        self.high.as_ref()
    }

    /// The only number, if there is but one.
    pub(super) fn only(&self) -> Option<&Integer> {
        self.low.as_ref().filter(|low| Some(*low) == self.high.as_ref())
    }

    /// All numbers of either.
    pub(super) fn join(&self, other: &Range) -> Range {
        let low = match (&self.low, &other.low) {
            (Some(one), Some(other)) => Some(one.min(other).clone()),
            _ => None,
        };
        let high = match (&self.high, &other.high) {
            (Some(one), Some(other)) => Some(one.max(other).clone()),
            _ => None,
        };
        let is_holed = !self.has_zero() && !other.has_zero();
        let joined = Range { low, high, is_holed };
        joined.normal().unwrap_or(Range::ALL)
    }

    /// At least what is in both.
    pub(super) fn meet(&self, other: &Range) -> Option<Range> {
        let low = match (&self.low, &other.low) {
            (Some(one), Some(other)) => Some(one.max(other).clone()),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        let high = match (&self.high, &other.high) {
            (Some(one), Some(other)) => Some(one.min(other).clone()),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        let is_holed = !self.has_zero() || !other.has_zero();
        Range { low, high, is_holed }.normal()
    }

    pub(super) fn without_zero(&self) -> Option<Range> {
        Range { is_holed: true, ..self.clone() }.normal()
    }

    pub(super) fn contains(&self, other: &Range) -> bool {
        let below = match (&self.low, &other.low) {
            (None, _) => true,
            (Some(own), Some(other)) => own <= other,
            (Some(_), None) => false,
        };
        let above = match (&self.high, &other.high) {
            (None, _) => true,
            (Some(own), Some(other)) => own >= other,
            (Some(_), None) => false,
        };
        below && above && (self.has_zero() || !other.has_zero())
    }

    /// What contains both, and where `newer` goes beyond, as far as the next landmark: so only so many steps are possible.
    pub(super) fn widened(&self, newer: &Range, landmarks: &Landmarks) -> Range {
        let joined = self.join(newer);
        let low = match joined.low == self.low {
            true => joined.low,
            false => joined
                .low
                .and_then(|low| landmarks.iter().rev().find(|mark| **mark <= low).cloned()),
        };
        let high = match joined.high == self.high {
            true => joined.high,
            false => {
                joined.high.and_then(|high| landmarks.iter().find(|mark| **mark >= high).cloned())
            }
        };
        Range { low, high, is_holed: joined.is_holed }.normal().unwrap_or(Range::ALL)
    }

    fn bounds(&self) -> Option<(&Integer, &Integer)> {
        self.low.as_ref().zip(self.high.as_ref())
    }

    pub(super) fn neg(&self) -> Range {
        let turned = |bound: &Option<Integer>| bound.as_ref().map(Integer::neg);
        Range { low: turned(&self.high), high: turned(&self.low), is_holed: self.is_holed }
    }

    pub(super) fn add(&self, other: &Range) -> Range {
        let sum = |one: &Option<Integer>, other: &Option<Integer>| {
            one.as_ref().zip(other.as_ref()).map(|(one, other)| one.add(other))
        };
        let (low, high) = (sum(&self.low, &other.low), sum(&self.high, &other.high));
        Range { low, high, is_holed: false }
    }

    pub(super) fn sub(&self, other: &Range) -> Range {
        self.add(&other.neg())
    }

    pub(super) fn mul(&self, other: &Range) -> Range {
        // A product is zero only if a factor is.
        let is_holed = !self.has_zero() && !other.has_zero();
        let (low, high) = match (self.bounds(), other.bounds()) {
            (Some((a, b)), Some((c, d))) => {
                let products = [a.mul(c), a.mul(d), b.mul(c), b.mul(d)];
                (products.iter().min().cloned(), products.iter().max().cloned())
            }
            _ => self.sign_of_product(other),
        };
        Range { low, high, is_holed }.normal().unwrap_or(Range::ALL)
    }

    fn sign_of_product(&self, other: &Range) -> (Option<Integer>, Option<Integer>) {
        let is_up = |range: &Range| range.low.as_ref().is_some_and(|low| !low.is_negative());
        let is_down =
            |range: &Range| range.high.as_ref().is_some_and(|high| *high <= Integer::ZERO);
        let has_same_sign = is_up(self) && is_up(other) || is_down(self) && is_down(other);
        let has_other_sign = is_up(self) && is_down(other) || is_down(self) && is_up(other);
        (has_same_sign.then_some(Integer::ZERO), has_other_sign.then_some(Integer::ZERO))
    }

    /// The largest absolute value, if there is one.
    fn magnitude(&self) -> Option<Integer> {
        let (low, high) = self.bounds()?;
        Some(low.neg().max(high.clone()))
    }

    /// Quotients are no larger than the dividend, whatever the divisor is, and have the product of the signs.
    pub(super) fn div(&self, other: &Range) -> Range {
        if let (Some(one), Some(other)) = (self.only(), other.only())
            && let Some(quotient) = one.div_truncated(other)
        {
            return Range::exactly(quotient);
        }
        let (low, high) = self.sign_of_product(other);
        let most = self.magnitude();
        let low = low.or_else(|| most.as_ref().map(Integer::neg));
        Range::between(low, high.or(most)).unwrap_or(Range::ALL)
    }

    /// Remainders have the sign of the dividend, are no larger, and are smaller than the divisor.
    pub(super) fn rem(&self, other: &Range) -> Range {
        if let (Some(one), Some(other)) = (self.only(), other.only())
            && let Some(remainder) = one.rem_truncated(other)
        {
            return Range::exactly(remainder);
        }
        let below = other.magnitude().map(|most| most.sub(&Integer::ONE).max(Integer::ZERO));
        let most = match (self.magnitude(), below) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let is_up = self.low.as_ref().is_some_and(|low| !low.is_negative());
        let is_down = self.high.as_ref().is_some_and(|high| *high <= Integer::ZERO);
        let low = if is_up { Some(Integer::ZERO) } else { most.as_ref().map(Integer::neg) };
        let high = if is_down { Some(Integer::ZERO) } else { most };
        Range::between(low, high).unwrap_or(Range::ALL)
    }

    /// Those numbers of this range that compare so with some number of the other.
    pub(super) fn comparing(&self, op: CompareOp, other: &Range) -> Option<Range> {
        let one = Integer::ONE;
        match op {
            CompareOp::Eq => self.meet(other),
            CompareOp::Ne => match other.only() {
                Some(number) if number.is_zero() => self.without_zero(),
                Some(number) if self.low.as_ref() == Some(number) => {
                    Range { low: Some(number.add(&one)), ..self.clone() }.normal()
                }
                Some(number) if self.high.as_ref() == Some(number) => {
                    Range { high: Some(number.sub(&one)), ..self.clone() }.normal()
                }
                _ => Some(self.clone()),
            },
            CompareOp::Lt | CompareOp::Le => {
                let Some(high) = &other.high else { return Some(self.clone()) };
                let high = if op == CompareOp::Lt { high.sub(&one) } else { high.clone() };
                self.meet(&Range { low: None, high: Some(high), is_holed: false })
            }
            CompareOp::Gt | CompareOp::Ge => {
                let Some(low) = &other.low else { return Some(self.clone()) };
                let low = if op == CompareOp::Gt { low.add(&one) } else { low.clone() };
                self.meet(&Range { low: Some(low), high: None, is_holed: false })
            }
        }
    }
}
