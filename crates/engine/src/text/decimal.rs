//! Exact decimal digits of binary numbers.
//!
//! A finite binary number has finitely many decimal digits, so a huge precision asks only for zeros
//! after them: these are counted, not made. Ties go to the even digit.

use super::float::Finite;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// Digits of a number with the point at a fixed place.
pub(super) struct Fixed {
    /// The digits (ASCII) before the point, at least one.
    pub(super) whole: Vec<u8>,
    /// The digits after the point.
    pub(super) fraction: Vec<u8>,
    /// How many zeros follow them.
    pub(super) zeros: usize,
}

/// Digits of a number whose point is after the first digit.
pub(super) struct Scientific {
    /// The digits (ASCII), at least one; the first is zero only for zero.
    pub(super) digits: Vec<u8>,
    /// How many zeros follow them.
    pub(super) zeros: usize,
    /// The power of ten.
    pub(super) exponent: i32,
}

impl Finite {
    /// The digits of the number with `places` of them after the point.
    pub(super) fn fixed(self, places: usize) -> Fixed {
        // The number is a multiple of 2^exponent, hence of 10^exponent.
        let present = places.min(self.exponent.min(0).unsigned_abs() as usize);
        let mut digits = self.scaled_by_ten(present as i32).to_str_radix(10).into_bytes();
        if digits.len() <= present {
            let missing = present + 1 - digits.len();
            digits.splice(0..0, std::iter::repeat_n(b'0', missing));
        }
        let fraction = digits.split_off(digits.len() - present);
        Fixed { whole: digits, fraction, zeros: places - present }
    }

    /// The `count` (at least one) most significant digits of the number.
    pub(super) fn scientific(self, count: usize) -> Scientific {
        if self.significand == 0 {
            return Scientific { digits: vec![b'0'], zeros: count - 1, exponent: 0 };
        }
        // As above: this many digits after the point are enough for all there are.
        let most = self.exponent.min(0).unsigned_abs() as i32;
        let mut exponent = self.decimal_exponent_at_most();
        loop {
            let wanted = i32::try_from(count - 1).unwrap_or(i32::MAX).saturating_sub(exponent);
            let places = wanted.min(most);
            let digits = self.scaled_by_ten(places).to_str_radix(10).into_bytes();
            // The power of ten of the first digit that came out; larger than the estimate if that
            // was too small or if rounding carried.
            let actual = digits.len() as i32 - 1 - places;
            if actual == exponent {
                let zeros = count.saturating_sub(digits.len());
                return Scientific { digits, zeros, exponent };
            }
            exponent = actual;
        }
    }

    /// Whether the number is less than `10^power`.
    pub(super) fn is_below_power_of_ten(self, power: u32) -> bool {
        let ten = BigUint::from(10u32).pow(power);
        let significand = BigUint::from(self.significand);
        match self.exponent >= 0 {
            true => significand << self.exponent.unsigned_abs() < ten,
            false => significand < ten << self.exponent.unsigned_abs(),
        }
    }

    /// The power of ten of the first digit, or one less; the number is not zero.
    fn decimal_exponent_at_most(self) -> i32 {
        let bits = self.exponent + 63 - self.significand.leading_zeros() as i32;
        // bits * log10(2), rounded down. The factor is log10(2) * 2^32 = 1292913986.56..., rounded
        // in the direction that makes the product smaller.
        let factor: i64 = if bits < 0 { 1_292_913_987 } else { 1_292_913_986 };
        ((i64::from(bits) * factor) >> 32) as i32
    }

    /// The number times `10^power`, rounded to an integer.
    fn scaled_by_ten(self, power: i32) -> BigUint {
        let ten = |power: i32| BigUint::from(10u32).pow(power.unsigned_abs());
        let significand = BigUint::from(self.significand);
        match (power >= 0, self.exponent >= 0) {
            (true, true) => (significand * ten(power)) << self.exponent.unsigned_abs(),
            (true, false) => {
                round_shift(&(significand * ten(power)), u64::from(self.exponent.unsigned_abs()))
            }
            (false, true) => {
                round_quotient(&(significand << self.exponent.unsigned_abs()), &ten(power))
            }
            (false, false) => {
                round_quotient(&significand, &(ten(power) << self.exponent.unsigned_abs()))
            }
        }
    }
}

/// `value / 2^count`, rounded.
fn round_shift(value: &BigUint, count: u64) -> BigUint {
    let quotient = value >> count;
    let half = count - 1;
    // `count` is at least one, so the bit below the point exists; what is below that bit is zero
    // exactly if the lowest set bit is not there.
    let is_half_or_more = value.bit(half);
    let is_more_than_half = is_half_or_more && value.trailing_zeros() != Some(half);
    match is_more_than_half || is_half_or_more && quotient.bit(0) {
        true => quotient + 1u32,
        false => quotient,
    }
}

/// `numerator / denominator`, rounded.
fn round_quotient(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    let quotient = numerator / denominator;
    let remainder = numerator - &quotient * denominator;
    match (remainder << 1u32).cmp(denominator) {
        Ordering::Greater => quotient + 1u32,
        Ordering::Equal if quotient.bit(0) => quotient + 1u32,
        Ordering::Equal | Ordering::Less => quotient,
    }
}
