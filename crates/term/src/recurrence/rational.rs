//! Exact fractions.

use loupe_integer::Integer;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rational {
    numerator: Integer,
    denominator: Integer,
}

impl From<Integer> for Rational {
    fn from(numerator: Integer) -> Self {
        Rational { numerator, denominator: Integer::ONE }
    }
}

impl Rational {
    /// `numerator / denominator`; `None` if the denominator is 0.
    pub(super) fn new(numerator: Integer, denominator: Integer) -> Option<Self> {
        let common = numerator.gcd(&denominator);
        let common = if denominator.is_negative() { common.neg() } else { common };
        // The divisions are exact. Only 0/0 has the divisor 0; n/0 keeps the denominator 0.
        let numerator = numerator.div_floor(&common)?;
        let denominator = denominator.div_floor(&common)?;
        (!denominator.is_zero()).then_some(Rational { numerator, denominator })
    }

    /// In lowest terms, for a denominator that is known not to be 0.
    fn reduced(numerator: Integer, denominator: Integer) -> Self {
        Rational::new(numerator, denominator).unwrap_or(Rational::from(Integer::ZERO))
    }

    pub(super) fn one() -> Self {
        Rational::from(Integer::ONE)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    pub(super) fn denominator(&self) -> &Integer {
        &self.denominator
    }

    /// The value, if it is an integer.
    pub(super) fn as_integer(&self) -> Option<&Integer> {
        (self.denominator == Integer::ONE).then_some(&self.numerator)
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let left = self.numerator.mul(&other.denominator);
        let right = other.numerator.mul(&self.denominator);
        Self::reduced(left.add(&right), self.denominator.mul(&other.denominator))
    }

    pub(super) fn neg(&self) -> Self {
        Rational { numerator: self.numerator.neg(), denominator: self.denominator.clone() }
    }

    pub(super) fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        let numerator = self.numerator.mul(&other.numerator);
        Self::reduced(numerator, self.denominator.mul(&other.denominator))
    }

    /// The quotient; `None` if the divisor is 0.
    pub(super) fn div(&self, other: &Self) -> Option<Self> {
        let numerator = self.numerator.mul(&other.denominator);
        Rational::new(numerator, self.denominator.mul(&other.numerator))
    }

    /// `base ^ exponent`, also for negative exponents; `None` for 0 to a negative one.
    pub(super) fn power(base: &Integer, exponent: i64) -> Option<Self> {
        let mut result = Rational::one();
        let base = Rational::from(base.clone());
        for _ in 0..exponent.unsigned_abs() {
            result = result.mul(&base);
        }
        if exponent < 0 { Rational::one().div(&result) } else { Some(result) }
    }
}
