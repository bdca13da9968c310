//! Numbers in the input of `scanf`.

use super::super::parse::parse_float;
use super::super::{FloatFormat, Length, Size};
use super::spec::Spec;
use super::{Input, Reader, Scanner, Stop, Stored, Targets};

/// The bytes of a number, as many as the width allows.
struct Field<'r, 'a, I> {
    reader: &'r mut Reader<'a, I>,
    /// The byte read last; none at the end of the field or of the input.
    current: Option<u8>,
    /// How many bytes there may be from the current one on.
    left: Option<usize>,
    text: Vec<u8>,
}

impl<'r, 'a, I: Input> Field<'r, 'a, I> {
    fn start(reader: &'r mut Reader<'a, I>, spec: &Spec) -> Result<Self, Stop<I::Error>> {
        let current = reader.next()?;
        match current {
            None => Err(Stop::Input),
            Some(_) => Ok(Field { reader, current, left: spec.width, text: Vec::new() }),
        }
    }

    /// Whether the current byte is `byte`, in any case.
    fn is(&self, byte: u8) -> bool {
        self.is_one(|current| current.eq_ignore_ascii_case(&byte))
    }

    fn is_one(&self, condition: impl Fn(u8) -> bool) -> bool {
        self.current.is_some_and(condition)
    }

    /// Drops the current byte and reads the next one.
    fn skip(&mut self) -> Result<(), Stop<I::Error>> {
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.current = if self.left == Some(0) { None } else { self.reader.next()? };
        Ok(())
    }

    /// Takes the current byte as part of the number.
    fn take(&mut self) -> Result<(), Stop<I::Error>> {
        self.text.extend(self.current);
        self.skip()
    }

    /// Puts the current byte back, which is not part of the number.
    fn end(self) -> Vec<u8> {
        if self.current.is_some() {
            self.reader.put_back();
        }
        self.text
    }
}

impl<I: Input, T: Targets<Error = I::Error>> Scanner<'_, I, T> {
    pub(super) fn integer(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        let mut field = Field::start(&mut self.reader, spec)?;
        if matches!(field.current, Some(b'-' | b'+')) {
            field.take()?;
        }
        let mut radix = match spec.letter {
            b'd' | b'u' => Some(10),
            b'o' => Some(8),
            b'i' => None,
            _ => Some(16),
        };
        if field.is(b'0') {
            field.take()?;
            match radix.is_none_or(|radix| radix == 16) && field.is(b'x') {
                true => {
                    radix = radix.or(Some(16));
                    field.skip()?;
                }
                false => radix = radix.or(Some(8)),
            }
        }
        let radix = radix.unwrap_or(10);
        while field.is_one(|byte| char::from(byte).is_digit(radix)) {
            field.take()?;
        }
        if matches!(field.text[..], [] | [b'-' | b'+']) {
            let is_null = spec.letter == b'p' && field.text.is_empty() && field.is(b'(');
            match is_null && null_pointer(&mut field)? {
                true => return self.store(spec, Stored::Address(0)),
                false => {
                    field.end();
                    return Err(Stop::Matching);
                }
            }
        }
        let text = field.end();
        let value = self.integer_value(spec, &text, radix);
        self.store(spec, value)
    }

    /// The value that `strtol` and its relatives give, cut to what is stored.
    fn integer_value(&self, spec: &Spec, text: &[u8], radix: u32) -> Stored<'static> {
        if spec.letter == b'p' {
            return Stored::Address(unsigned(text, radix, self.model.long()));
        }
        let size = spec.length.size(self.model);
        let parsed = size.max(self.model.long());
        let bits = match spec.letter {
            b'd' | b'i' => signed(text, radix, parsed) as u64,
            _ => unsigned(text, radix, parsed),
        };
        Stored::Integer { size, bits: size.truncate(bits) }
    }

    pub(super) fn real(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        let mut field = Field::start(&mut self.reader, spec)?;
        if matches!(field.current, Some(b'-' | b'+')) {
            field.take()?;
        }
        let text = match field.current.map(|byte| byte.to_ascii_lowercase()) {
            Some(b'n') => named(field, b"nan", b"")?,
            Some(b'i') => named(field, b"inf", b"inity")?,
            _ => digits(field)?,
        };
        let format = match spec.length {
            Length::LongLong | Length::LongDouble => FloatFormat::Extended,
            Length::Long => FloatFormat::Double,
            Length::Int | Length::Short | Length::Char => FloatFormat::Single,
        };
        let parsed = parse_float(&text, format);
        if parsed.length == 0 {
            return Err(Stop::Matching);
        }
        self.store(spec, Stored::Float { format, bits: parsed.bits })
    }
}

/// Reads the rest of `(nil)`. The byte that mismatches can be put back, those before it cannot.
fn null_pointer<I: Input>(field: &mut Field<'_, '_, I>) -> Result<bool, Stop<I::Error>> {
    if field.left.is_some_and(|left| left < 5) {
        return Ok(false);
    }
    for expected in *b"nil)" {
        field.skip()?;
        if !field.is(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads a word and, if what follows begins like its continuation, that one too. A byte that
/// mismatches is lost.
fn named<I: Input>(
    mut field: Field<'_, '_, I>,
    word: &[u8],
    continuation: &[u8],
) -> Result<Vec<u8>, Stop<I::Error>> {
    expect(&mut field, word)?;
    if continuation.first().is_some_and(|&first| field.is(first)) {
        expect(&mut field, continuation)?;
    }
    Ok(field.end())
}

fn expect<I: Input>(field: &mut Field<'_, '_, I>, word: &[u8]) -> Result<(), Stop<I::Error>> {
    for &expected in word {
        if !field.is(expected) {
            return Err(Stop::Matching);
        }
        field.take()?;
    }
    Ok(())
}

/// Reads what can be a number with a point; whether it is one is for the parser to say.
fn digits<I: Input>(mut field: Field<'_, '_, I>) -> Result<Vec<u8>, Stop<I::Error>> {
    let signs = field.text.len();
    let mut radix = 10;
    let mut mark = b'e';
    let mut has_digit = false;
    if field.is(b'0') {
        field.take()?;
        // A prefix that fills the field is none.
        match field.is(b'x') && field.left != Some(1) {
            true => {
                field.take()?;
                (radix, mark) = (16, b'p');
            }
            false => has_digit = true,
        }
    }
    let mut has_point = false;
    let mut has_exponent = false;
    loop {
        let after_mark = has_exponent && field.text.last() == Some(&mark);
        if field.is_one(|byte| byte.is_ascii_digit())
            || !has_exponent && field.is_one(|byte| char::from(byte).is_digit(radix))
        {
            has_digit = true;
            field.take()?;
        } else if after_mark && field.is_one(|byte| matches!(byte, b'-' | b'+')) {
            field.take()?;
        } else if has_digit && !has_exponent && field.is(mark) {
            (has_exponent, has_point) = (true, true);
            field.text.push(mark);
            field.skip()?;
        } else if !has_point && field.is(b'.') {
            has_point = true;
            field.take()?;
        } else {
            break;
        }
    }
    let text = field.end();
    let is_empty = text.len() == signs || radix == 16 && text.len() == signs + 2;
    if is_empty { Err(Stop::Matching) } else { Ok(text) }
}

/// Whether a number has a minus sign, and its magnitude if it has at most 64 bits.
fn magnitude(text: &[u8], radix: u32) -> (bool, Option<u64>) {
    let negative = text.first() == Some(&b'-');
    let mut digits = text.iter().filter_map(|&byte| char::from(byte).to_digit(radix));
    let add = |sum: u64, digit: u32| sum.checked_mul(radix.into())?.checked_add(digit.into());
    (negative, digits.try_fold(0, add))
}

/// `strtol` for a `long` of the given size: too large numbers become the nearest one.
fn signed(text: &[u8], radix: u32, size: Size) -> i64 {
    let (negative, magnitude) = magnitude(text, radix);
    let most = i64::MAX >> (64 - 8 * size.bytes());
    let value = magnitude.and_then(|value| i64::try_from(value).ok());
    match (negative, value) {
        (false, Some(value)) if value <= most => value,
        (true, Some(value)) if value <= most => -value,
        (false, _) => most,
        (true, _) => -most - 1,
    }
}

/// `strtoul`: too large numbers become the largest one; a minus sign negates modulo 2^bits.
fn unsigned(text: &[u8], radix: u32, size: Size) -> u64 {
    let (negative, magnitude) = magnitude(text, radix);
    let most = u64::MAX >> (64 - 8 * size.bytes());
    match (negative, magnitude) {
        (false, Some(value)) if value <= most => value,
        (true, Some(value)) if value <= most => size.truncate(value.wrapping_neg()),
        _ => most,
    }
}
