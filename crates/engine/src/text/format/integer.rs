//! Integers as `printf` writes them.

use super::field::Field;
use super::spec::Spec;

/// What kind of number a conversion takes it for; only some have a sign.
#[derive(Clone, Copy)]
enum Signs {
    /// `+` and space count.
    Shown,
    /// They do not.
    None,
}

/// An integer and whether it has a sign.
#[derive(Clone, Copy)]
pub(super) struct Number {
    magnitude: u64,
    negative: bool,
    signs: Signs,
}

impl Number {
    pub(super) fn signed(value: i64) -> Self {
        Number { magnitude: value.unsigned_abs(), negative: value < 0, signs: Signs::Shown }
    }

    pub(super) fn unsigned(magnitude: u64) -> Self {
        Number { magnitude, negative: false, signs: Signs::None }
    }

    /// An address: glibc shows a sign if asked to.
    pub(super) fn address(magnitude: u64) -> Self {
        Number { magnitude, negative: false, signs: Signs::Shown }
    }
}

/// A written integer.
pub(super) struct Digits {
    sign: &'static [u8],
    prefix: &'static [u8],
    zeros: usize,
    digits: Vec<u8>,
}

impl Digits {
    pub(super) fn field(&self) -> Field<'_> {
        Field {
            sign: self.sign,
            prefix: self.prefix,
            leading_zeros: self.zeros,
            body: &self.digits,
            ..Field::default()
        }
    }
}

/// The digits of `number`, at least as many as the precision says.
pub(super) fn digits(spec: &Spec, precision: Option<usize>, number: Number) -> Digits {
    let value = number.magnitude;
    let text = match spec.conversion {
        _ if value == 0 && precision == Some(0) => String::new(),
        Some(b'o') => format!("{value:o}"),
        Some(b'x') => format!("{value:x}"),
        Some(b'X') => format!("{value:X}"),
        Some(b'b' | b'B') => format!("{value:b}"),
        _ => format!("{value}"),
    };
    let alternate = spec.flags.alternate;
    let prefix: &'static [u8] = match spec.conversion {
        Some(b'x') if alternate && value != 0 => b"0x",
        Some(b'X') if alternate && value != 0 => b"0X",
        Some(b'b') if alternate && value != 0 => b"0b",
        Some(b'B') if alternate && value != 0 => b"0B",
        _ => b"",
    };
    let mut zeros = precision.unwrap_or(1).saturating_sub(text.len());
    // The alternate form of octal numbers begins with a zero.
    if spec.conversion == Some(b'o') && alternate && zeros == 0 && !text.starts_with("0") {
        zeros = 1;
    }
    let sign: &'static [u8] = match (number.signs, number.negative) {
        (Signs::Shown, true) => b"-",
        (Signs::Shown, false) => spec.flags.sign(),
        (Signs::None, _) => b"",
    };
    Digits { sign, prefix, zeros, digits: text.into_bytes() }
}
