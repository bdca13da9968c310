//! Sets of integers: an interval and a residue class.

use loupe_integer::Integer;

/// The integers between two bounds, both included, that are congruent to a residue. For truth values,
/// 0 is false and 1 is true; for arrays, these are the integers that they contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// No value is less.
    pub low: Option<Integer>,
    /// No value is greater.
    pub high: Option<Integer>,
    /// All values differ from the residue by multiples of this; 1 if nothing is known, 0 if there is
    /// only one value.
    pub modulus: Integer,
    /// The least integer from 0 on in the residue class; the only value if the modulus is 0.
    pub residue: Integer,
}

/// Larger numbers are no bounds: products of products have bounds that fit in no memory.
const MAX_BITS: u64 = 4_096;
/// Larger moduli are not worth their cost.
const MAX_MODULUS_BITS: u64 = 256;

/// A value or an infinity: `None` is less than everything in lower bounds, and greater than
/// everything in upper ones.
type Bound = Option<Integer>;

impl Range {
    /// All integers.
    pub const ALL: Range =
        Range { low: None, high: None, modulus: Integer::ONE, residue: Integer::ZERO };

    /// One integer.
    pub fn exactly(value: Integer) -> Range {
        Range {
            low: Some(value.clone()),
            high: Some(value.clone()),
            modulus: Integer::ZERO,
            residue: value,
        }
    }

    /// All integers between two bounds; all integers if there are none.
    pub fn between(low: Bound, high: Bound) -> Range {
        Range { low, high, ..Range::ALL }.settled()
    }

    /// The integers that differ from a residue by multiples of a modulus.
    pub fn congruent(modulus: &Integer, residue: &Integer) -> Range {
        Range { modulus: modulus.clone(), residue: residue.clone(), ..Range::ALL }.settled()
    }

    /// The least value, if there is one.
    pub fn low(&self) -> Option<&Integer> {
        self.low.as_ref()
    }

    /// The greatest value, if there is one.
    pub fn high(&self) -> Option<&Integer> {
        self.high.as_ref()
    }

    /// Both truth values.
    pub(super) fn truth() -> Range {
        Range::between(Some(Integer::ZERO), Some(Integer::ONE))
    }

    /// The only value, if there is only one.
    pub fn value(&self) -> Option<&Integer> {
        self.modulus.is_zero().then_some(&self.residue)
    }

    /// The truth value that all values are, if it is one.
    pub(super) fn as_bool(&self) -> Option<bool> {
        self.value().map(|value| !value.is_zero())
    }

    /// Whether an integer may be a value.
    pub fn contains(&self, value: &Integer) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
            && congruent(value, &self.residue, &self.modulus)
    }

    /// Whether no value is less than `low` or greater than `high`.
    pub fn is_within(&self, low: &Integer, high: &Integer) -> bool {
        self.is_at_least(low) && self.high.as_ref().is_some_and(|own| own <= high)
    }

    /// Whether no value is less than `low`.
    pub fn is_at_least(&self, low: &Integer) -> bool {
        self.low.as_ref().is_some_and(|own| own >= low)
    }

    /// Whether no value is less than 0.
    pub(super) fn is_natural(&self) -> bool {
        self.is_at_least(&Integer::ZERO)
    }

    /// The greatest absolute value, if there is one.
    pub(super) fn magnitude(&self) -> Bound {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        Some(low.neg().max(high.clone()).max(low.clone()))
    }

    /// In canonical form: bounds that are values, and a modulus of 0 for one value. For a set that is
    /// empty, what is given back does not matter.
    pub(super) fn settled(mut self) -> Range {
        match self.residue.rem_euclidean(&self.modulus) {
            Some(residue) => self.residue = residue,
            None if self.residue.bits() > MAX_BITS => return Range::ALL,
            None => return Range::exactly(self.residue),
        }
        let is_small = |bound: &Integer| bound.bits() <= MAX_BITS;
        (self.low, self.high) = (self.low.filter(is_small), self.high.filter(is_small));
        if self.modulus.bits() > MAX_MODULUS_BITS {
            (self.modulus, self.residue) = (Integer::ONE, Integer::ZERO);
        }
        let Range { modulus, residue, low, high } = &mut self;
        if *modulus != Integer::ONE {
            let up = |low: &Integer| low.add(&residue.sub(low).rem_euclidean(modulus)?).into();
            let down = |high: &Integer| high.sub(&high.sub(residue).rem_euclidean(modulus)?).into();
            *low = low.as_ref().and_then(up);
            *high = high.as_ref().and_then(down);
        }
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low == high => Range::exactly(low.clone()),
            _ => self,
        }
    }

    /// Whether there is no value.
    pub(super) fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    /// What is in one of both.
    pub fn join(&self, other: &Range) -> Range {
        let either = |a: &Bound, b: &Bound, pick: fn(Integer, Integer) -> Integer| {
            Some(pick(a.clone()?, b.clone()?))
        };
        // Both residues are congruent modulo their difference.
        let difference = self.residue.sub(&other.residue);
        Range {
            low: either(&self.low, &other.low, Integer::min),
            high: either(&self.high, &other.high, Integer::max),
            modulus: self.modulus.gcd(&other.modulus).gcd(&difference),
            residue: self.residue.clone(),
        }
        .settled()
    }

    /// All sums.
    pub fn add(&self, other: &Range) -> Range {
        let sum = |a: &Bound, b: &Bound| Some(a.as_ref()?.add(b.as_ref()?));
        Range {
            low: sum(&self.low, &other.low),
            high: sum(&self.high, &other.high),
            modulus: self.modulus.gcd(&other.modulus),
            residue: self.residue.add(&other.residue),
        }
        .settled()
    }

    /// All products with one factor.
    pub fn scale(&self, factor: &Integer) -> Range {
        let scaled = |bound: &Bound| bound.as_ref().map(|bound| bound.mul(factor));
        let (low, high) = (scaled(&self.low), scaled(&self.high));
        if factor.is_zero() {
            return Range::exactly(Integer::ZERO);
        }
        let (low, high) = if factor.is_negative() { (high, low) } else { (low, high) };
        let modulus = self.modulus.mul(factor);
        Range { low, high, modulus: absolute(&modulus), residue: self.residue.mul(factor) }
            .settled()
    }

    /// All products.
    pub fn mul(&self, other: &Range) -> Range {
        // (r + q·i)(s + p·j) = r·s + q·s·i + p·r·j + q·p·i·j.
        let (q, r, p, s) = (&self.modulus, &self.residue, &other.modulus, &other.residue);
        let modulus = q.mul(p).gcd(&q.mul(s)).gcd(&p.mul(r));
        let (low, high) = self.product_bounds(other);
        Range { low, high, modulus: absolute(&modulus), residue: r.mul(s) }.settled()
    }

    /// The bounds of products: attained where both factors are at a bound.
    fn product_bounds(&self, other: &Range) -> (Bound, Bound) {
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (&self.low, &self.high, &other.low, &other.high)
        {
            let corners = [a.mul(c), a.mul(d), b.mul(c), b.mul(d)];
            return (corners.iter().min().cloned(), corners.iter().max().cloned());
        }
        // Without all bounds: only what follows from signs.
        let corner = |a: &Bound, b: &Bound| Some(a.as_ref()?.mul(b.as_ref()?));
        let sign = |range: &Range| {
            let natural = range.is_natural();
            let negative = range.high.as_ref().is_some_and(|high| *high <= Integer::ZERO);
            (natural, negative)
        };
        match (sign(self), sign(other)) {
            ((true, _), (true, _)) => {
                (corner(&self.low, &other.low), corner(&self.high, &other.high))
            }
            ((_, true), (_, true)) => {
                (corner(&self.high, &other.high), corner(&self.low, &other.low))
            }
            ((true, _), (_, true)) => {
                (corner(&self.high, &other.low), corner(&self.low, &other.high))
            }
            ((_, true), (true, _)) => {
                (corner(&self.low, &other.high), corner(&self.high, &other.low))
            }
            _ => (None, None),
        }
    }

    /// All powers with one exponent, if these are not too large.
    pub(super) fn power(&self, exponent: u32) -> Range {
        let power = |bound: &Bound| {
            let bound = bound.as_ref()?;
            let bits = bound.bits().saturating_mul(u64::from(exponent));
            (bits <= MAX_BITS).then(|| crate::eval::integer_power(bound, exponent))
        };
        match exponent {
            0 => Range::exactly(Integer::ONE),
            1 => self.clone(),
            _ if exponent % 2 == 1 => Range::between(power(&self.low), power(&self.high)),
            _ => {
                let low = if self.is_natural() {
                    power(&self.low)
                } else if self.high.as_ref().is_some_and(|high| *high <= Integer::ZERO) {
                    power(&self.high)
                } else {
                    None
                };
                Range::between(low.or(Some(Integer::ZERO)), power(&self.magnitude()))
            }
        }
    }
}

/// The absolute value.
pub(super) fn absolute(value: &Integer) -> Integer {
    if value.is_negative() { value.neg() } else { value.clone() }
}

/// Whether two integers differ by a multiple of a modulus.
pub(super) fn congruent(a: &Integer, b: &Integer, modulus: &Integer) -> bool {
    let difference = a.sub(b);
    difference.rem_euclidean(modulus).map_or(difference.is_zero(), |rest| rest.is_zero())
}

/// The residue class, as modulus and residue, of the solutions of `factor · x ≡ residue`, modulo a
/// modulus from 1 on; `None` if there is no solution.
pub(super) fn solve_congruence(
    factor: &Integer,
    residue: &Integer,
    modulus: &Integer,
) -> Option<(Integer, Integer)> {
    let common = factor.gcd(modulus);
    let exact = |value: &Integer| value.div_floor(&common);
    if !residue.rem_euclidean(&common)?.is_zero() {
        return None;
    }
    let (factor, residue, modulus) = (exact(factor)?, exact(residue)?, exact(modulus)?);
    let solution = inverse(&factor, &modulus)?.mul(&residue).rem_euclidean(&modulus)?;
    Some((modulus, solution))
}

/// The inverse of a number modulo another with which it has no divisor in common.
fn inverse(value: &Integer, modulus: &Integer) -> Option<Integer> {
    // Euclid's algorithm; each pair is a remainder r and a number s with s·value ≡ r.
    let mut previous = (modulus.clone(), Integer::ZERO);
    let mut current = (value.rem_euclidean(modulus)?, Integer::ONE);
    while !current.0.is_zero() {
        let quotient = previous.0.div_floor(&current.0)?;
        let next =
            (previous.0.sub(&quotient.mul(&current.0)), previous.1.sub(&quotient.mul(&current.1)));
        previous = std::mem::replace(&mut current, next);
    }
    previous.1.rem_euclidean(modulus)
}

/// What two residue classes have in common, as modulus and residue; `None` if nothing.
pub(super) fn intersect_classes(
    (q, r): (&Integer, &Integer),
    (p, s): (&Integer, &Integer),
) -> Option<(Integer, Integer)> {
    if q.is_zero() {
        return congruent(r, s, p).then(|| (q.clone(), r.clone()));
    }
    if p.is_zero() {
        return intersect_classes((p, s), (q, r));
    }
    // x = r + q·t with q·t ≡ s - r (mod p).
    let (step, t) = solve_congruence(q, &s.sub(r), p)?;
    Some((q.mul(&step), r.add(&q.mul(&t))))
}
