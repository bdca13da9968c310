//! The floating point formats of x86: from bits to an exact value, and from an exact value to the
//! nearest number.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;

/// A floating point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    /// `float`: IEEE binary32.
    Single,
    /// `double`: IEEE binary64.
    Double,
    /// `long double`: the 80 bits of the x87, whose leading significand bit is explicit.
    Extended,
}

/// A finite number: `significand * 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Finite {
    pub(super) significand: u64,
    pub(super) exponent: i32,
}

/// What a bit pattern stands for, without its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Magnitude {
    Infinite,
    NotANumber,
    Finite(Finite),
}

/// How a number was changed to fit its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// The number is as precise as the format is.
    Normal,
    /// It was too large and became infinite, or the payload of a "not a number" was too large
    /// (`ERANGE`).
    Overflow,
    /// It was too small to keep its precision (`ERANGE`).
    Underflow,
}

/// `numerator / denominator`, the denominator being positive.
pub(super) struct Ratio {
    pub(super) numerator: BigUint,
    pub(super) denominator: BigUint,
}

impl FloatFormat {
    /// How many bits the significand has.
    pub(super) const fn precision(self) -> u32 {
        match self {
            FloatFormat::Single => 24,
            FloatFormat::Double => 53,
            FloatFormat::Extended => 64,
        }
    }

    /// The exponent of the largest power of two, which is also the bias of the stored exponent.
    pub(super) const fn bias(self) -> i32 {
        match self {
            FloatFormat::Single => 127,
            FloatFormat::Double => 1023,
            FloatFormat::Extended => 16383,
        }
    }

    /// The exponent of the last significand bit of the smallest numbers.
    pub(super) const fn least_exponent(self) -> i32 {
        2 - self.bias() - self.precision() as i32
    }

    /// How many bits of the significand are stored.
    const fn stored_significand(self) -> u32 {
        match self {
            FloatFormat::Single => 23,
            FloatFormat::Double => 52,
            FloatFormat::Extended => 64,
        }
    }

    const fn sign_position(self) -> u32 {
        match self {
            FloatFormat::Single => 31,
            FloatFormat::Double => 63,
            FloatFormat::Extended => 79,
        }
    }

    /// Whether the number with these bits has a minus sign.
    pub(super) const fn is_negative(self, bits: u128) -> bool {
        bits >> self.sign_position() & 1 == 1
    }

    /// What `bits` stand for.
    pub(super) fn decode(self, bits: u128) -> Magnitude {
        let stored_bits = self.stored_significand();
        let stored = (bits & ((1 << stored_bits) - 1)) as u64;
        let biased = (bits >> stored_bits) as i32 & (2 * self.bias() + 1);
        let leading = 1u64 << (self.precision() - 1);
        let fraction = stored & (leading - 1);
        let is_special = biased == 2 * self.bias() + 1;
        // The x87 has patterns without the leading bit that should be there, which are not numbers.
        let lacks_leading = self == FloatFormat::Extended && biased != 0 && stored & leading == 0;
        if lacks_leading || is_special && fraction != 0 {
            return Magnitude::NotANumber;
        }
        if is_special {
            return Magnitude::Infinite;
        }
        let significand = match biased == 0 {
            // It also has patterns with a leading bit that should not be there. glibc drops it,
            // unless nothing else is there.
            true if fraction == 0 => stored,
            true => fraction,
            false => stored | leading,
        };
        let exponent = biased.max(1) - 1 + self.least_exponent();
        Magnitude::Finite(Finite { significand, exponent })
    }

    fn with_sign(self, negative: bool, bits: u128) -> u128 {
        bits | u128::from(negative) << self.sign_position()
    }

    /// The bits of an infinity.
    pub(super) fn infinity(self, negative: bool) -> u128 {
        let exponent = (2 * self.bias() + 1) as u128;
        let leading = match self {
            FloatFormat::Extended => 1 << 63,
            FloatFormat::Single | FloatFormat::Double => 0,
        };
        self.with_sign(negative, exponent << self.stored_significand() | leading)
    }

    /// The bits of a quiet "not a number" with a payload, which is cut to what fits.
    pub(super) fn not_a_number(self, negative: bool, payload: u64) -> u128 {
        let quiet = 1u64 << (self.precision() - 2);
        self.infinity(negative) | u128::from(quiet | payload & (quiet - 1))
    }

    /// The bits of `value`, whose significand has at most the format's precision and whose exponent
    /// is one of the format.
    fn encode(self, negative: bool, value: Finite) -> u128 {
        let leading = 1u64 << (self.precision() - 1);
        let biased = match value.significand < leading {
            true => 0,
            false => value.exponent - self.least_exponent() + 1,
        };
        let stored = match self {
            FloatFormat::Extended => value.significand,
            FloatFormat::Single | FloatFormat::Double => value.significand & (leading - 1),
        };
        let bits = (biased as u128) << self.stored_significand() | u128::from(stored);
        self.with_sign(negative, bits)
    }

    /// The number nearest to `ratio`; of two equally near ones that with the even significand.
    pub(super) fn nearest(self, negative: bool, ratio: &Ratio) -> (u128, Range) {
        if ratio.numerator.is_zero() {
            return (self.with_sign(negative, 0), Range::Normal);
        }
        let magnitude = ratio.magnitude();
        let precise = magnitude - i64::from(self.precision()) + 1;
        let exponent = precise.max(i64::from(self.least_exponent()));
        let rounded = ratio.round(exponent).normalized(self.precision());
        let greatest = i64::from(self.least_exponent()) + 2 * i64::from(self.bias()) - 1;
        if rounded.exponent > greatest {
            return (self.infinity(negative), Range::Overflow);
        }
        let range = match exponent > precise && rounded.inexact && self.is_tiny(ratio, precise) {
            true => Range::Underflow,
            false => Range::Normal,
        };
        // In range: at most `greatest`, at least `least_exponent`, both of which are `i32`.
        let exponent = rounded.exponent as i32;
        let value = Finite { significand: rounded.significand, exponent };
        (self.encode(negative, value), range)
    }

    /// Whether `ratio`, which is smaller than the normal numbers, would still be so after rounding
    /// without a limit for exponents: x86 detects tininess after rounding.
    fn is_tiny(self, ratio: &Ratio, precise: i64) -> bool {
        let rounded = ratio.round(precise).normalized(self.precision());
        rounded.exponent < i64::from(self.least_exponent())
    }
}

/// A rounded number: `significand * 2^exponent`.
struct Rounded {
    significand: u64,
    /// Rounding carried out of 64 bits; the significand is then 2^64.
    carried: bool,
    exponent: i64,
    inexact: bool,
}

impl Rounded {
    /// The same number with a significand of at most `precision` bits, given that only a carry can
    /// have made it longer.
    fn normalized(self, precision: u32) -> Rounded {
        let overflows = self.carried || precision < 64 && self.significand >> precision != 0;
        match overflows {
            true => Rounded {
                significand: 1 << (precision - 1),
                carried: false,
                exponent: self.exponent + 1,
                inexact: self.inexact,
            },
            false => self,
        }
    }
}

impl Ratio {
    /// The largest `k` with `2^k <= self`; the ratio is not zero.
    fn magnitude(&self) -> i64 {
        // 2^(n-1) <= numerator < 2^n and 2^(d-1) <= denominator < 2^d, so k is n-d or n-d-1.
        let candidate = self.numerator.bits() as i64 - self.denominator.bits() as i64;
        let (scaled, whole) = self.scaled(candidate);
        match scaled < whole {
            true => candidate - 1,
            false => candidate,
        }
    }

    /// Numerator and denominator of `self / 2^exponent`.
    fn scaled(&self, exponent: i64) -> (BigUint, BigUint) {
        match exponent < 0 {
            true => (&self.numerator << exponent.unsigned_abs(), self.denominator.clone()),
            false => (self.numerator.clone(), &self.denominator << exponent.unsigned_abs()),
        }
    }

    /// The ratio as a multiple of `2^exponent`, which makes it at most 2^64.
    fn round(&self, exponent: i64) -> Rounded {
        let (numerator, denominator) = self.scaled(exponent);
        let quotient = &numerator / &denominator;
        let remainder = numerator - &quotient * &denominator;
        let inexact = !remainder.is_zero();
        let significand = quotient.to_u64().unwrap_or(u64::MAX);
        let up = match (remainder << 1u32).cmp(&denominator) {
            Ordering::Less => false,
            Ordering::Equal => significand & 1 == 1,
            Ordering::Greater => true,
        };
        let (significand, carried) = significand.overflowing_add(u64::from(up));
        Rounded { significand, carried, exponent, inexact }
    }
}
