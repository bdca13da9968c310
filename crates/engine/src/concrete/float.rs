//! Floating point numbers.
//!
//! 32 and 64 bits are the machine's own: IEEE says what every operation gives. 80 bits are done by
//! software. Where IEEE leaves the bits of "not a number" open, they are those of the x86: the first operand
//! that is none, made quiet, or the negative default.

use super::ConcreteValue;
use super::halt::{Halt, internal};
use crate::value::Value;
use loupe_integer::{Integer, Signedness};
use loupe_ir::program::{BinaryOp, CompareOp};
use loupe_ir::types::{FloatType, IntType};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert};
use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

/// The bits of a number of 32 or 64 bits; its type says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float(pub u64);

/// The bits of a number of 80 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongFloat(pub Rc<u128>);

/// A number with its format.
#[derive(Clone, Copy)]
pub enum Number {
    /// 32 bits.
    Single(f32),
    /// 64 bits.
    Double(f64),
    /// 80 bits.
    Extended(X87DoubleExtended),
}

/// What a finite number is made of: `(-1)^negative · mantissa · 2^exponent`.
struct Parts {
    negative: bool,
    mantissa: u64,
    exponent: i32,
}

impl Number {
    /// The number with these bits.
    pub fn from_bits(bits: u128, ty: FloatType) -> Self {
        match ty {
            FloatType::F32 => Number::Single(f32::from_bits(bits as u32)),
            FloatType::F64 => Number::Double(f64::from_bits(bits as u64)),
            FloatType::F80 => Number::Extended(X87DoubleExtended::from_bits(bits)),
        }
    }

    /// A value of the program.
    pub fn of(value: &ConcreteValue, ty: FloatType) -> Result<Self, Box<Halt>> {
        match value {
            Value::Float(Float(bits)) => Ok(Number::from_bits(u128::from(*bits), ty)),
            Value::LongFloat(LongFloat(bits)) => Ok(Number::from_bits(**bits, ty)),
            _ => Err(internal("a floating point number was expected")),
        }
    }

    /// Its bits.
    pub fn bits(self) -> u128 {
        match self {
            Number::Single(a) => u128::from(a.to_bits()),
            Number::Double(a) => u128::from(a.to_bits()),
            Number::Extended(a) => a.to_bits(),
        }
    }

    /// As a value of the program.
    pub fn value(self) -> ConcreteValue {
        match self {
            Number::Single(a) => Value::Float(Float(u64::from(a.to_bits()))),
            Number::Double(a) => Value::Float(Float(a.to_bits())),
            Number::Extended(a) => Value::LongFloat(LongFloat(Rc::new(a.to_bits()))),
        }
    }

    /// As a number of 64 bits.
    pub(super) fn to_f64(self) -> f64 {
        match self.convert(FloatType::F64) {
            Number::Double(a) => a,
            // `convert` gives what it is asked for.
            Number::Single(_) | Number::Extended(_) => f64::NAN,
        }
    }

    /// The number with the other sign.
    pub fn negate(self) -> Self {
        match self {
            Number::Single(a) => Number::Single(-a),
            Number::Double(a) => Number::Double(-a),
            Number::Extended(a) => Number::Extended(-a),
        }
    }

    /// A sum, difference, product or quotient of numbers of one format.
    pub fn binary(self, op: BinaryOp, other: Self) -> Result<Self, Box<Halt>> {
        let result = match (self, other) {
            (Number::Single(a), Number::Single(b)) => Number::Single(native(op, a, b)?),
            (Number::Double(a), Number::Double(b)) => Number::Double(native(op, a, b)?),
            (Number::Extended(a), Number::Extended(b)) => Number::Extended(native(op, a, b)?),
            _ => return Err(internal("numbers of two formats")),
        };
        Ok(if result.is_nan() { self.not_a_number(other) } else { result })
    }

    /// What an operation gives on the x86 if its result is not a number.
    fn not_a_number(self, other: Self) -> Self {
        if self.is_nan() {
            self.quiet()
        } else if other.is_nan() {
            other.quiet()
        } else {
            match self {
                Number::Single(_) => Number::Single(f32::from_bits(0xffc0_0000)),
                Number::Double(_) => Number::Double(f64::from_bits(0xfff8_0000_0000_0000)),
                Number::Extended(_) => {
                    Number::from_bits(0xffff_c000_0000_0000_0000, FloatType::F80)
                }
            }
        }
    }

    fn quiet(self) -> Self {
        match self {
            Number::Single(a) => Number::Single(f32::from_bits(a.to_bits() | 1 << 22)),
            Number::Double(a) => Number::Double(f64::from_bits(a.to_bits() | 1 << 51)),
            Number::Extended(a) => Number::from_bits(a.to_bits() | 1 << 62, FloatType::F80),
        }
    }

    pub(super) fn is_nan(self) -> bool {
        match self {
            Number::Single(a) => a.is_nan(),
            Number::Double(a) => a.is_nan(),
            Number::Extended(a) => a.is_nan(),
        }
    }

    fn is_negative(self) -> bool {
        match self {
            Number::Single(a) => a.is_sign_negative(),
            Number::Double(a) => a.is_sign_negative(),
            Number::Extended(a) => a.is_negative(),
        }
    }

    /// A comparison; all but `≠` are false for what is not a number.
    pub fn compare(self, op: CompareOp, other: Self) -> Result<bool, Box<Halt>> {
        let order = match (self, other) {
            (Number::Single(a), Number::Single(b)) => a.partial_cmp(&b),
            (Number::Double(a), Number::Double(b)) => a.partial_cmp(&b),
            (Number::Extended(a), Number::Extended(b)) => a.partial_cmp(&b),
            _ => return Err(internal("numbers of two formats")),
        };
        Ok(match op {
            CompareOp::Eq => order == Some(Ordering::Equal),
            CompareOp::Ne => order != Some(Ordering::Equal),
            CompareOp::Lt => order == Some(Ordering::Less),
            CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            CompareOp::Gt => order == Some(Ordering::Greater),
            CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        })
    }

    /// The same number, rounded to another format.
    pub fn convert(self, to: FloatType) -> Self {
        let mut loses = false;
        match (self, to) {
            (Number::Single(_), FloatType::F32)
            | (Number::Double(_), FloatType::F64)
            | (Number::Extended(_), FloatType::F80) => self,
            (Number::Single(a), FloatType::F64) => Number::Double(f64::from(a)),
            (Number::Double(a), FloatType::F32) => Number::Single(a as f32),
            (Number::Single(a), FloatType::F80) => {
                let a = Single::from_bits(u128::from(a.to_bits()));
                Number::Extended(a.convert(&mut loses).value)
            }
            (Number::Double(a), FloatType::F80) => {
                let a = Double::from_bits(u128::from(a.to_bits()));
                Number::Extended(a.convert(&mut loses).value)
            }
            (Number::Extended(a), FloatType::F32) => {
                let a: Single = a.convert(&mut loses).value;
                Number::from_bits(a.to_bits(), FloatType::F32)
            }
            (Number::Extended(a), FloatType::F64) => {
                let a: Double = a.convert(&mut loses).value;
                Number::from_bits(a.to_bits(), FloatType::F64)
            }
        }
    }

    /// An integer, rounded to nearest.
    pub fn of_integer(integer: &Integer, to: FloatType) -> Self {
        match (integer.to_i64(), to) {
            (Some(small), FloatType::F32) => Number::Single(small as f32),
            (Some(small), FloatType::F64) => Number::Double(small as f64),
            (Some(small), FloatType::F80) => {
                Number::Extended(X87DoubleExtended::from_i128(i128::from(small)).value)
            }
            (None, _) => Self::of_large_integer(integer, to),
        }
    }

    fn of_large_integer(integer: &Integer, to: FloatType) -> Self {
        let absolute = if integer.is_negative() { integer.neg() } else { integer.clone() };
        // The first 96 bits decide how it is rounded, together with whether any is set behind them.
        let behind = u32::try_from(integer.bits().saturating_sub(96)).unwrap_or(u32::MAX);
        let head = absolute.shift_right(behind);
        let exact = head.shift_left(behind) == absolute;
        let bits = to_u128(&head) | u128::from(!exact);
        let up = i32::try_from(behind).unwrap_or(i32::MAX);
        let number = match to {
            FloatType::F32 => {
                let rounded = Single::from_u128(bits).value.scalbn(up);
                Number::from_bits(rounded.to_bits(), to)
            }
            FloatType::F64 => {
                let rounded = Double::from_u128(bits).value.scalbn(up);
                Number::from_bits(rounded.to_bits(), to)
            }
            FloatType::F80 => Number::Extended(X87DoubleExtended::from_u128(bits).value.scalbn(up)),
        };
        if integer.is_negative() { number.negate() } else { number }
    }

    /// The number rounded toward zero; `None` if it is infinite or not a number.
    pub fn truncated(self) -> Option<Integer> {
        let Parts { negative, mantissa, exponent } = self.parts()?;
        let mantissa = Integer::from(mantissa);
        let absolute = match u32::try_from(exponent) {
            Ok(up) => mantissa.shift_left(up),
            Err(_) => mantissa.shift_right(exponent.unsigned_abs()),
        };
        Some(if negative { absolute.neg() } else { absolute })
    }

    fn parts(self) -> Option<Parts> {
        let bits = self.bits();
        let (exponent_bits, mantissa_bits) = match self {
            Number::Single(_) => (8, 23),
            Number::Double(_) => (11, 52),
            // The bit before the point is written.
            Number::Extended(_) => (15, 64),
        };
        let largest = (1i32 << exponent_bits) - 1;
        let exponent = ((bits >> mantissa_bits) as i32) & largest;
        if exponent == largest {
            return None;
        }
        let fraction = (bits & ((1 << mantissa_bits) - 1)) as u64;
        let explicit = matches!(self, Number::Extended(_));
        let hidden = if exponent == 0 || explicit { 0 } else { 1u64 << mantissa_bits };
        let bias = largest / 2;
        let point = if explicit { 63 } else { mantissa_bits };
        Some(Parts {
            negative: bits >> (exponent_bits + mantissa_bits) & 1 == 1,
            mantissa: fraction | hidden,
            exponent: exponent.max(1) - bias - point,
        })
    }

    /// The number as an integer. What is not in the range of `to`, which is for a check to exclude, becomes
    /// what x86-64 makes of it.
    pub fn to_integer(self, to: IntType) -> Integer {
        let exact = self.truncated();
        if let Some(exact) = &exact
            && to.contains(exact)
        {
            return exact.clone();
        }
        let (width, unsigned) = match to {
            IntType::Unbounded => return exact.unwrap_or(Integer::ZERO),
            IntType::Machine { width, signedness } => (width, signedness == Signedness::Unsigned),
        };
        // The instructions have registers of 32 and 64 bits, and one value for all that does not fit.
        let register = if width < 32 || (width == 32 && !unsigned) { 32 } else { 64 };
        let top = Integer::power_of_two(63);
        let convert = |value: Option<Integer>| {
            let fits = |value: &Integer| IntType::signed(register).contains(value);
            value.filter(fits).unwrap_or_else(|| Integer::power_of_two(register - 1).neg())
        };
        // Half of what has 64 bits and no sign is converted after a subtraction.
        let large = match &exact {
            Some(exact) => *exact >= top,
            None => !self.is_nan() && !self.is_negative(),
        };
        let converted = if width == 64 && unsigned && large {
            convert(exact.map(|exact| exact.sub(&top))).bit_xor(&top)
        } else {
            convert(exact)
        };
        to.wrap(converted)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Single(a) => fmt::Display::fmt(a, f),
            Number::Double(a) => fmt::Display::fmt(a, f),
            Number::Extended(a) => fmt::Display::fmt(a, f),
        }
    }
}

/// The numbers that have the four operations.
trait Arithmetic: Copy {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
}

macro_rules! arithmetic {
    ($($ty:ty: $($unpack:ident)?;)*) => {$(
        impl Arithmetic for $ty {
            fn add(self, other: Self) -> Self {
                (self + other)$(.$unpack)?
            }
            fn sub(self, other: Self) -> Self {
                (self - other)$(.$unpack)?
            }
            fn mul(self, other: Self) -> Self {
                (self * other)$(.$unpack)?
            }
            fn div(self, other: Self) -> Self {
                (self / other)$(.$unpack)?
            }
        }
    )*};
}

arithmetic! {
    f32: ;
    f64: ;
    X87DoubleExtended: value;
}

fn native<T: Arithmetic>(op: BinaryOp, a: T, b: T) -> Result<T, Box<Halt>> {
    match op {
        BinaryOp::Add => Ok(a.add(b)),
        BinaryOp::Sub => Ok(a.sub(b)),
        BinaryOp::Mul => Ok(a.mul(b)),
        BinaryOp::Div => Ok(a.div(b)),
        _ => Err(internal("an operation that floating point numbers do not have")),
    }
}

/// The low 128 bits of the two's complement.
pub fn to_u128(integer: &Integer) -> u128 {
    let word = |from: u32| {
        let word = integer.shift_right(from).wrap(64, Signedness::Signed);
        word.to_i64().unwrap_or(0) as u64
    };
    u128::from(word(64)) << 64 | u128::from(word(0))
}

/// The nearest number to a remainder in the sense of IEEE, which the machine has no instruction for.
pub(super) fn remainder(a: f64, b: f64) -> f64 {
    let double = |a: f64| Double::from_bits(u128::from(a.to_bits()));
    f64::from_bits(double(a).ieee_rem(double(b)).value.to_bits() as u64)
}

/// The functions of the mathematical library, by their numbers in its model.
pub fn function(number: i64, x: f64) -> Option<f64> {
    Some(match number {
        0 => x.sqrt(),
        1 => x.sin(),
        2 => x.cos(),
        3 => x.tan(),
        4 => x.asin(),
        5 => x.acos(),
        6 => x.atan(),
        7 => x.sinh(),
        8 => x.cosh(),
        9 => x.tanh(),
        10 => x.exp(),
        11 => x.exp2(),
        12 => x.ln(),
        13 => x.log2(),
        14 => x.log10(),
        15 => x.floor(),
        16 => x.ceil(),
        17 => x.round(),
        18 => x.trunc(),
        19 => x.round_ties_even(),
        20 => x.cbrt(),
        21 => x.exp_m1(),
        22 => x.ln_1p(),
        23 => x.abs(),
        _ => return None,
    })
}

/// Those of two numbers.
pub fn function_of_two(number: i64, x: f64, y: f64) -> Option<f64> {
    Some(match number {
        0 => x.powf(y),
        1 => x % y,
        2 => x.atan2(y),
        3 => x.hypot(y),
        4 => x.min(y),
        5 => x.max(y),
        6 => x.copysign(y),
        7 => remainder(x, y),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
