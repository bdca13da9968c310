//! Floating point numbers as `printf` writes them.

use super::super::float::{Finite, FloatFormat, Magnitude};
use super::field::Field;
use super::spec::Spec;

/// A number to be written.
pub(super) struct Real {
    sign: &'static [u8],
    format: FloatFormat,
    bits: u128,
    magnitude: Magnitude,
}

/// A written number.
#[derive(Default)]
pub(super) struct Text {
    sign: &'static [u8],
    prefix: &'static [u8],
    body: Vec<u8>,
    zeros: usize,
    suffix: Vec<u8>,
}

impl Text {
    pub(super) fn field(&self) -> Field<'_> {
        Field {
            sign: self.sign,
            prefix: self.prefix,
            leading_zeros: 0,
            body: &self.body,
            trailing_zeros: self.zeros,
            suffix: &self.suffix,
        }
    }
}

/// What is to become of a number.
#[derive(Clone, Copy)]
struct Style {
    precision: Option<usize>,
    /// The point is written even if no digit follows it, and `g` keeps its zeros.
    alternate: bool,
}

/// The precision where none is given.
const USUAL_PRECISION: usize = 6;

impl Real {
    pub(super) fn new(spec: &Spec, format: FloatFormat, bits: u128) -> Self {
        let sign: &[u8] = if format.is_negative(bits) { b"-" } else { spec.flags.sign() };
        Real { sign, format, bits, magnitude: format.decode(bits) }
    }

    pub(super) fn is_finite(&self) -> bool {
        matches!(self.magnitude, Magnitude::Finite(_))
    }

    /// The number with the significand as it is stored, for `%a`: it prints a leading bit where none
    /// should be.
    fn stored(&self, value: Finite) -> Finite {
        match self.format {
            FloatFormat::Extended => Finite { significand: self.bits as u64, ..value },
            FloatFormat::Single | FloatFormat::Double => value,
        }
    }

    pub(super) fn text(&self, spec: &Spec, precision: Option<usize>) -> Text {
        let style = Style { precision, alternate: spec.flags.alternate };
        let letter = spec.conversion.unwrap_or(b'f');
        let mut text = match self.magnitude {
            Magnitude::Infinite => Text { body: b"inf".to_vec(), ..Text::default() },
            Magnitude::NotANumber => Text { body: b"nan".to_vec(), ..Text::default() },
            Magnitude::Finite(value) => match letter.to_ascii_lowercase() {
                b'e' => scientific(value, style),
                b'g' => general(value, style),
                b'a' => hexadecimal(self.stored(value), self.format, style),
                _ => fixed(value, style),
            },
        };
        if letter.is_ascii_uppercase() {
            text.body.make_ascii_uppercase();
            text.suffix.make_ascii_uppercase();
            text.prefix = if text.prefix.is_empty() { b"" } else { b"0X" };
        }
        text.sign = self.sign;
        text
    }
}

fn fixed(value: Finite, style: Style) -> Text {
    let precision = style.precision.unwrap_or(USUAL_PRECISION);
    let digits = value.fixed(precision);
    let mut body = digits.whole;
    if precision > 0 || style.alternate {
        body.push(b'.');
    }
    body.extend(digits.fraction);
    Text { body, zeros: digits.zeros, ..Text::default() }
}

fn scientific(value: Finite, style: Style) -> Text {
    let precision = style.precision.unwrap_or(USUAL_PRECISION);
    let digits = value.scientific(precision.saturating_add(1));
    let mut body = digits.digits;
    if precision > 0 || style.alternate {
        body.insert(1, b'.');
    }
    Text { body, zeros: digits.zeros, suffix: power_of_ten(digits.exponent), ..Text::default() }
}

/// `e+05`
fn power_of_ten(exponent: i32) -> Vec<u8> {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs()).into_bytes()
}

/// `%g`: as many significant digits as the precision says, with an exponent only if that is shorter,
/// without zeros at the end.
fn general(value: Finite, style: Style) -> Text {
    let count = style.precision.unwrap_or(USUAL_PRECISION).max(1);
    let mut digits = value.scientific(count);
    if !style.alternate || loses_zeros(value, count, digits.exponent) {
        digits.zeros = 0;
        while digits.digits.len() > 1 && digits.digits.last() == Some(&b'0') {
            digits.digits.pop();
        }
    }
    let exponent = digits.exponent;
    let is_short = exponent >= -4 && i64::try_from(count).is_ok_and(|n| i64::from(exponent) < n);
    let mut body = digits.digits;
    let mut zeros = digits.zeros;
    if is_short && exponent < 0 {
        body.splice(0..0, std::iter::repeat_n(b'0', exponent.unsigned_abs() as usize));
    }
    // How many of the digits are before the point.
    let whole = if is_short { exponent.max(0).unsigned_abs() as usize + 1 } else { 1 };
    if body.len() < whole {
        // Zeros before the point: some of the counted ones, unless these were dropped above.
        let missing = whole - body.len();
        body.extend(std::iter::repeat_n(b'0', missing));
        zeros = zeros.saturating_sub(missing);
    }
    if body.len() > whole || style.alternate {
        body.insert(whole, b'.');
    }
    let suffix = if is_short { Vec::new() } else { power_of_ten(exponent) };
    Text { body, zeros, suffix, ..Text::default() }
}

/// Whether the zeros go even where they are asked for: so glibc does if the number would do without an
/// exponent but for its last digits, which round it up to a power of ten.
fn loses_zeros(value: Finite, count: usize, exponent: i32) -> bool {
    u32::try_from(exponent).is_ok_and(|exponent| {
        usize::try_from(exponent) == Ok(count) && value.is_below_power_of_ten(exponent)
    })
}

/// `%a`: the significand as it is stored. A `double` has one bit before the point, a `long double`
/// four.
fn hexadecimal(value: Finite, format: FloatFormat, style: Style) -> Text {
    let fraction_digits: u32 = match format {
        FloatFormat::Extended => 15,
        FloatFormat::Single | FloatFormat::Double => 13,
    };
    let point = fraction_digits * 4;
    let shift = (point + 1).saturating_sub(format.precision());
    let mut significand = u128::from(value.significand) << shift;
    let mut exponent = value.exponent - shift as i32 + point as i32;
    let wanted = style.precision.unwrap_or(usize::MAX);
    let kept = u32::try_from(wanted).unwrap_or(u32::MAX).min(fraction_digits);
    significand = round_digits(significand, (fraction_digits - kept) * 4);
    if value.significand == 0 {
        exponent = 0;
    }
    if significand >> point > 15 {
        significand >>= 4;
        exponent += 4;
    }
    let mut body = format!("{:x}", significand >> point).into_bytes();
    let digits =
        format!("{:0width$x}", significand & ((1 << point) - 1), width = fraction_digits as usize);
    let mut fraction = digits.into_bytes();
    fraction.truncate(kept as usize);
    if style.precision.is_none() {
        while fraction.last() == Some(&b'0') {
            fraction.pop();
        }
    }
    if !fraction.is_empty() || style.alternate || style.precision.is_some_and(|digits| digits > 0) {
        body.push(b'.');
    }
    body.extend(fraction);
    let zeros = style.precision.map_or(0, |digits| digits.saturating_sub(kept as usize));
    let suffix = format!("p{exponent:+}").into_bytes();
    Text { prefix: b"0x", body, zeros, suffix, ..Text::default() }
}

/// `value` with its lowest `bits` rounded away: to the nearest, ties to even.
fn round_digits(value: u128, bits: u32) -> u128 {
    let unit = 1u128 << bits;
    let rest = value % unit;
    let floor = value - rest;
    let is_odd = floor & unit != 0;
    match rest * 2 > unit || rest * 2 == unit && is_odd {
        true => floor + unit,
        false => floor,
    }
}
