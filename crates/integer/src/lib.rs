//! Integers of any size.
//!
//! [`Integer`] holds what fits in 64 bits directly and the rest on the heap, always in the smallest
//! of the two forms, so that equality and hashing are structural. Programs and formulas mostly use
//! small numbers; arithmetic on these is a checked machine operation.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

/// Invariant: `Big` only for what does not fit in `Small`.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Arc<BigInt>),
}

use Repr::{Big, Small};

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer(Small(0));
    /// One.
    pub const ONE: Integer = Integer(Small(1));

    fn from_big(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Integer(Small(small)),
            None => Integer(Big(Arc::new(value))),
        }
    }

    fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(a) => BigInt::from(*a),
            Big(a) => BigInt::clone(a),
        }
    }

    /// The value as a machine integer, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(a) => Some(a),
            Big(_) => None,
        }
    }

    /// The value as an index, if it is one.
    #[inline]
    pub fn to_usize(&self) -> Option<usize> {
        self.to_i64().and_then(|a| usize::try_from(a).ok())
    }

    /// Whether this is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether this is less than zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(a) => *a < 0,
            Big(a) => a.is_negative(),
        }
    }

    /// How many bits the absolute value has.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small(a) => u64::from(64 - a.unsigned_abs().leading_zeros()),
            Big(a) => a.bits(),
        }
    }

    /// 2 to the power `exponent`.
    pub fn power_of_two(exponent: u32) -> Self {
        if exponent < 63 {
            Integer(Small(1 << exponent))
        } else {
            Self::from_big(BigInt::from(1) << exponent)
        }
    }

    /// The sum.
    #[inline]
    pub fn add(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Integer(Small(sum));
        }
        Self::from_big(self.to_big() + other.to_big())
    }

    /// The difference.
    #[inline]
    pub fn sub(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Integer(Small(difference));
        }
        Self::from_big(self.to_big() - other.to_big())
    }

    /// The product.
    #[inline]
    pub fn mul(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Integer(Small(product));
        }
        Self::from_big(self.to_big() * other.to_big())
    }

    /// The quotient rounded toward zero, as in C; `None` for a divisor of zero.
    #[inline]
    pub fn div_truncated(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) if *b != -1 => Some(Integer(Small(a / b))),
            _ => Some(Self::from_big(self.to_big() / other.to_big())),
        }
    }

    /// The remainder with the sign of the dividend, as in C; `None` for a divisor of zero.
    #[inline]
    pub fn rem_truncated(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) => Some(Integer(Small(a.checked_rem(*b).unwrap_or(0)))),
            _ => Some(Self::from_big(self.to_big() % other.to_big())),
        }
    }

    /// The remainder in `0..|other|`; `None` for a divisor of zero.
    pub fn rem_euclidean(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) => Some(Integer(Small(a.checked_rem_euclid(*b).unwrap_or(0)))),
            _ => Some(Self::from_big(self.to_big().mod_floor(&other.to_big().abs()))),
        }
    }

    /// The greatest common divisor, at least 0.
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer::from(a.unsigned_abs().gcd(&b.unsigned_abs())),
            _ => Self::from_big(self.to_big().gcd(&other.to_big())),
        }
    }

    /// The quotient rounded down; `None` for a divisor of zero.
    pub fn div_floor(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) if *b != -1 => Some(Integer(Small(a.div_floor(b)))),
            _ => Some(Self::from_big(self.to_big().div_floor(&other.to_big()))),
        }
    }

    /// The negated value.
    pub fn neg(&self) -> Self {
        Integer::ZERO.sub(self)
    }

    /// The value of the `width` low bits of the two's complement, read as a signed or unsigned
    /// number.
    #[inline]
    pub fn wrap(&self, width: u32, signedness: Signedness) -> Self {
        if let Small(a) = self.0
            && let Some(wrapped) = Self::wrap_small(a, width, signedness)
        {
            return wrapped;
        }
        let modulus = BigInt::from(1) << width;
        let mut low = self.to_big().mod_floor(&modulus);
        if signedness == Signedness::Signed && !low.is_zero() && low >= (&modulus >> 1u32) {
            low -= modulus;
        }
        Self::from_big(low)
    }

    /// The same for a machine integer, unless `width` is beyond 64 or 0.
    #[inline]
    pub fn wrap_small(value: i64, width: u32, signedness: Signedness) -> Option<Self> {
        if !(1..=64).contains(&width) {
            return None;
        }
        let unused = 64 - width;
        match signedness {
            Signedness::Signed => Some(Integer(Small((value << unused) >> unused))),
            Signedness::Unsigned => Some(Integer::from(((value as u64) << unused) >> unused)),
        }
    }

    /// Bitwise and, of the infinite two's complements.
    pub fn bit_and(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer(Small(a & b)),
            _ => Self::from_big(self.to_big() & other.to_big()),
        }
    }

    /// Bitwise or, of the infinite two's complements.
    pub fn bit_or(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer(Small(a | b)),
            _ => Self::from_big(self.to_big() | other.to_big()),
        }
    }

    /// Bitwise exclusive or, of the infinite two's complements.
    pub fn bit_xor(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer(Small(a ^ b)),
            _ => Self::from_big(self.to_big() ^ other.to_big()),
        }
    }

    /// The product with 2 to the power `count`.
    pub fn shift_left(&self, count: u32) -> Self {
        Self::from_big(self.to_big() << count)
    }

    /// The quotient by 2 to the power `count`, rounded down.
    pub fn shift_right(&self, count: u32) -> Self {
        match &self.0 {
            Small(a) => Integer(Small(a >> count.min(63))),
            Big(a) => Self::from_big(BigInt::clone(a) >> count),
        }
    }
}

/// Whether a machine integer has a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// No sign.
    Unsigned,
}

macro_rules! from_small {
    ($($from:ty),*) => {$(
        impl From<$from> for Integer {
            #[inline]
            fn from(value: $from) -> Self {
                Integer(Small(i64::from(value)))
            }
        }
    )*};
}

from_small!(bool, u8, u16, u32, i8, i16, i32, i64);

impl From<u64> for Integer {
    #[inline]
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(small) => Integer(Small(small)),
            Err(_) => Integer(Big(Arc::new(BigInt::from(value)))),
        }
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(small) => Integer(Small(small)),
            Err(_) => Integer(Big(Arc::new(BigInt::from(value)))),
        }
    }
}

impl From<usize> for Integer {
    fn from(value: usize) -> Self {
        Integer::from(value as u64)
    }
}

/// A text that is no decimal integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnInteger;

impl fmt::Display for NotAnInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal integer")
    }
}

impl std::error::Error for NotAnInteger {}

impl FromStr for Integer {
    type Err = NotAnInteger;

    /// Reads decimal digits with an optional `-` before them, and nothing else.
    fn from_str(text: &str) -> Result<Self, NotAnInteger> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NotAnInteger);
        }
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Integer(Small(small)));
        }
        text.parse::<BigInt>().map(Self::from_big).map_err(|_| NotAnInteger)
    }
}

impl PartialOrd for Integer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            // What does not fit in 64 bits is beyond everything that does.
            (Small(_), Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big(a), Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Big(a), Big(b)) => a.cmp(b),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(a) => fmt::Display::fmt(a, f),
            Big(a) => fmt::Display::fmt(a, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
