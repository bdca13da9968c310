//! Numbers with a point from text: `strtof`, `strtod` and `strtold`.
//!
//! The text is an exact ratio of two integers, which is rounded once.

use super::float::{FloatFormat, Ratio};
use super::is_space;
use num_bigint::BigUint;
use num_traits::{One, Zero};

pub use super::float::Range;

/// A number that was read from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedFloat {
    /// The bits of the number in the format asked for.
    pub bits: u128,
    /// How many bytes of the text were used, white space before the number included; zero if there
    /// is no number.
    pub length: usize,
    /// Whether it fits the format.
    pub range: Range,
}

/// The number that `text` begins with after white space; zero if there is none.
///
/// ```
/// use loupe_engine::text::{FloatFormat, parse_float};
///
/// let parsed = parse_float(b" 0x1.8p1 apples", FloatFormat::Double);
/// assert_eq!((f64::from_bits(parsed.bits as u64), parsed.length), (3.0, 8));
/// ```
pub fn parse_float(text: &[u8], format: FloatFormat) -> ParsedFloat {
    let mut cursor = Cursor { text, at: 0 };
    cursor.skip_while(is_space);
    let negative = cursor.peek() == Some(b'-');
    if matches!(cursor.peek(), Some(b'-' | b'+')) {
        cursor.at += 1;
    }
    let target = Target { format, negative };
    let parsed = special(&mut cursor, target)
        .or_else(|| hexadecimal(&mut cursor, target))
        .or_else(|| decimal(&mut cursor, target));
    match parsed {
        Some((bits, range)) => ParsedFloat { bits, length: cursor.at, range },
        None => ParsedFloat { bits: 0, length: 0, range: Range::Normal },
    }
}

/// What is made of a number.
#[derive(Clone, Copy)]
struct Target {
    format: FloatFormat,
    negative: bool,
}

impl Target {
    fn zero(self) -> (u128, Range) {
        self.round(BigUint::zero(), BigUint::one())
    }

    fn round(self, numerator: BigUint, denominator: BigUint) -> (u128, Range) {
        self.format.nearest(self.negative, &Ratio { numerator, denominator })
    }
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().take_while(|&&byte| condition(byte)).count();
        self.at += length;
        &rest[..length]
    }

    /// Skips `word`, in letters of any size.
    fn skip_word(&mut self, word: &[u8]) -> bool {
        let found =
            self.rest().get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
        if found {
            self.at += word.len();
        }
        found
    }
}

/// `inf`, `infinity`, `nan` and `nan(…)`.
fn special(cursor: &mut Cursor<'_>, target: Target) -> Option<(u128, Range)> {
    if cursor.skip_word(b"inf") {
        cursor.skip_word(b"inity");
        return Some((target.format.infinity(target.negative), Range::Normal));
    }
    if !cursor.skip_word(b"nan") {
        return None;
    }
    let (payload, range) = parenthesized(cursor).and_then(payload).unwrap_or((0, Range::Normal));
    Some((target.format.not_a_number(target.negative, payload), range))
}

/// The letters, digits and underscores between parentheses, if that is what follows.
fn parenthesized<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let start = cursor.at;
    if cursor.skip_word(b"(") {
        let inside = cursor.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if cursor.skip_word(b")") {
            return Some(inside);
        }
    }
    cursor.at = start;
    None
}

/// The integer that `text` is as a whole, in C's notation; the largest one if it is too large.
fn payload(text: &[u8]) -> Option<(u64, Range)> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', digits @ ..] if !digits.is_empty() => (digits, 16),
        [b'0', ..] => (text, 8),
        _ => (text, 10),
    };
    let digit = |&byte: &u8| char::from(byte).to_digit(radix).map(u64::from);
    let digits: Option<Vec<u64>> = digits.iter().map(digit).collect();
    let add = |sum: u64, &digit: &u64| sum.checked_mul(u64::from(radix))?.checked_add(digit);
    Some(match digits?.iter().try_fold(0, add) {
        Some(value) => (value, Range::Normal),
        None => (u64::MAX, Range::Overflow),
    })
}

/// The digits of a number and where its point is.
struct Digits {
    /// Their values, without zeros at the beginning.
    digits: Vec<u8>,
    /// How many digits stand after the point, those in `digits` and dropped zeros alike.
    fraction: i64,
}

/// The most digits that are looked at. A number halfway between two others has at most 16446 digits
/// after the point, and less than 11600 that are not leading zeros (in base 16: less than 20), so of
/// what follows it only matters whether it is zero.
const MOST_DIGITS: usize = 12_000;

impl Digits {
    /// Reads digits with at most one point among them. None, with nothing read, if there is no digit.
    fn read(cursor: &mut Cursor<'_>, radix: u32) -> Option<Digits> {
        let is_digit = |byte: u8| char::from(byte).is_digit(radix);
        let start = cursor.at;
        let whole = cursor.skip_while(is_digit);
        let mut fraction: &[u8] = &[];
        if cursor.peek() == Some(b'.') {
            cursor.at += 1;
            fraction = cursor.skip_while(is_digit);
        }
        if whole.is_empty() && fraction.is_empty() {
            cursor.at = start;
            return None;
        }
        let value = |&byte: &u8| char::from(byte).to_digit(radix).unwrap_or(0) as u8;
        let all = whole.iter().chain(fraction).map(value);
        let mut digits: Vec<u8> = all.skip_while(|&digit| digit == 0).collect();
        let mut fraction = fraction.len() as i64;
        if digits.len() > MOST_DIGITS {
            let rest = digits.split_off(MOST_DIGITS);
            let is_inexact = rest.iter().any(|&digit| digit != 0);
            fraction -= rest.len() as i64;
            digits.push(u8::from(is_inexact));
            fraction += 1;
        }
        Some(Digits { digits, fraction })
    }

    fn value(&self, radix: u32) -> BigUint {
        BigUint::from_radix_be(&self.digits, radix).unwrap_or_default()
    }
}

/// The exponent after the letter `mark`, if there is one: some number beyond all formats if it is
/// too large.
fn exponent(cursor: &mut Cursor<'_>, mark: &[u8]) -> i64 {
    let start = cursor.at;
    if !cursor.skip_word(mark) {
        return 0;
    }
    let negative = cursor.peek() == Some(b'-');
    if matches!(cursor.peek(), Some(b'-' | b'+')) {
        cursor.at += 1;
    }
    let digits = cursor.skip_while(|byte| byte.is_ascii_digit());
    if digits.is_empty() {
        cursor.at = start;
        return 0;
    }
    let add = |sum: i64, &digit: &u8| {
        sum.checked_mul(10)?.checked_add(i64::from(digit - b'0')).filter(|&sum| sum < FAR)
    };
    let magnitude = digits.iter().try_fold(0, add).unwrap_or(FAR);
    if negative { -magnitude } else { magnitude }
}

/// An exponent that no text can compensate with its digits.
const FAR: i64 = 1 << 60;

/// Powers of two and of ten up to this one cover all formats with all the digits that are looked at.
const MOST_EXPONENT: i64 = 100_000;

fn decimal(cursor: &mut Cursor<'_>, target: Target) -> Option<(u128, Range)> {
    let digits = Digits::read(cursor, 10)?;
    let exponent = exponent(cursor, b"e");
    if digits.digits.is_empty() {
        return Some(target.zero());
    }
    // The first digit that is not zero stands for 10^first.
    let first = exponent - digits.fraction + digits.digits.len() as i64 - 1;
    if first.abs() > MOST_EXPONENT {
        return Some(extreme(first, target));
    }
    let scale = BigUint::from(10u32).pow((exponent - digits.fraction).unsigned_abs() as u32);
    let value = digits.value(10);
    Some(match exponent >= digits.fraction {
        true => target.round(value * scale, BigUint::one()),
        false => target.round(value, scale),
    })
}

/// A number whose exponent is beyond all formats.
fn extreme(exponent: i64, target: Target) -> (u128, Range) {
    let far = BigUint::one() << MOST_EXPONENT.unsigned_abs();
    match exponent > 0 {
        true => target.round(far, BigUint::one()),
        false => target.round(BigUint::one(), far),
    }
}

fn hexadecimal(cursor: &mut Cursor<'_>, target: Target) -> Option<(u128, Range)> {
    let start = cursor.at;
    let digits = match cursor.skip_word(b"0x") {
        true => Digits::read(cursor, 16),
        false => None,
    };
    let Some(digits) = digits else {
        cursor.at = start;
        return None;
    };
    let exponent = exponent(cursor, b"p");
    if digits.digits.is_empty() {
        return Some(target.zero());
    }
    let last = exponent - 4 * digits.fraction;
    let first = last + 4 * (digits.digits.len() as i64 - 1);
    if first.abs() > MOST_EXPONENT {
        return Some(extreme(first, target));
    }
    let value = digits.value(16);
    let scale = last.unsigned_abs();
    Some(match last >= 0 {
        true => target.round(value << scale, BigUint::one()),
        false => target.round(value, BigUint::one() << scale),
    })
}
