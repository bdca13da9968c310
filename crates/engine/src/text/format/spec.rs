//! The conversions of a `printf` format.

use super::super::{DataModel, Length, Size, is_real};
use super::Kind;

/// The flags of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// `-`
    pub(super) left: bool,
    /// `+`
    pub(super) plus: bool,
    /// A space.
    pub(super) space: bool,
    /// `#`
    pub(super) alternate: bool,
    /// `0`
    pub(super) zero: bool,
    /// `'`: groups of thousands, of which the C locale has none.
    pub(super) group: bool,
    /// `I`: the locale's digits, which are the usual ones in the C locale.
    pub(super) other_digits: bool,
}

impl Flags {
    fn set(&mut self, byte: u8) -> bool {
        match byte {
            b'-' => self.left = true,
            b'+' => self.plus = true,
            b' ' => self.space = true,
            b'#' => self.alternate = true,
            b'0' => self.zero = true,
            b'\'' => self.group = true,
            b'I' => self.other_digits = true,
            _ => return false,
        }
        true
    }

    /// The flags that come first when an unknown conversion is printed.
    pub(super) fn text(self) -> impl Iterator<Item = u8> {
        let sign = match (self.plus, self.space) {
            (true, _) => Some(b'+'),
            (false, true) => Some(b' '),
            (false, false) => None,
        };
        let alternate = self.alternate.then_some(b'#');
        let group = self.group.then_some(b'\'');
        [alternate, group, sign].into_iter().flatten()
    }

    /// What stands before a number that is not negative.
    pub(super) fn sign(self) -> &'static [u8] {
        match (self.plus, self.space) {
            (true, _) => b"+",
            (false, true) => b" ",
            (false, false) => b"",
        }
    }
}

/// The index of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source(pub(super) usize);

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Fixed(i32),
    Argument(Source),
}

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spec {
    /// Some argument is referred to by number.
    pub(super) is_positional: bool,
    pub(super) argument: Source,
    pub(super) flags: Flags,
    pub(super) width: Amount,
    pub(super) precision: Option<Amount>,
    pub(super) length: Length,
    /// The letter of the conversion; none at the end of the format.
    pub(super) conversion: Option<u8>,
}

/// The number larger than `int`.
struct TooLarge;

/// The decimal number that `text` begins with, if it does, and what follows.
fn number(text: &[u8]) -> Result<(Option<i32>, &[u8]), TooLarge> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    let add = |sum: i32, &digit: &u8| sum.checked_mul(10)?.checked_add(i32::from(digit - b'0'));
    match digits.iter().try_fold(0, add) {
        None => Err(TooLarge),
        Some(_) if digits.is_empty() => Ok((None, rest)),
        Some(value) => Ok((Some(value), rest)),
    }
}

/// The index in `1$`, if `text` begins with one.
fn position(text: &[u8]) -> Result<Option<(Source, &[u8])>, TooLarge> {
    let (Some(value), [b'$', rest @ ..]) = number(text)? else { return Ok(None) };
    Ok(usize::try_from(value)
        .ok()
        .and_then(|value| value.checked_sub(1))
        .map(|i| (Source(i), rest)))
}

/// A part of a format.
pub(super) enum Part<'a> {
    Text(&'a [u8]),
    Conversion(Spec),
    /// A number in a conversion is larger than `int`. Nothing follows.
    Overflow,
}

/// Reads a format from left to right.
pub(super) struct Parser<'a> {
    rest: &'a [u8],
    model: DataModel,
    /// The argument that the next conversion without a number takes.
    next_argument: usize,
    /// Some argument of the current conversion is referred to by number.
    is_positional: bool,
}

impl<'a> Iterator for Parser<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if self.skip_if(b'%') {
            let spec = self.spec();
            return Some(spec.map_or_else(
                |TooLarge| {
                    self.rest = &[];
                    Part::Overflow
                },
                Part::Conversion,
            ));
        }
        let length = self.rest.iter().take_while(|&&byte| byte != b'%').count();
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(Part::Text(text))
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(format: &'a [u8], model: DataModel) -> Self {
        Parser { rest: format, model, next_argument: 0, is_positional: false }
    }

    fn first(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn skip(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn skip_if(&mut self, byte: u8) -> bool {
        let found = self.first() == Some(byte);
        if found {
            self.skip();
        }
        found
    }

    fn position(&mut self) -> Result<Option<Source>, TooLarge> {
        Ok(position(self.rest)?.map(|(source, rest)| {
            self.rest = rest;
            self.is_positional = true;
            source
        }))
    }

    fn take_argument(&mut self) -> Source {
        let taken = Source(self.next_argument);
        self.next_argument += 1;
        taken
    }

    fn amount(&mut self) -> Result<Option<Amount>, TooLarge> {
        if self.skip_if(b'*') {
            let source = self.position()?;
            return Ok(Some(Amount::Argument(source.unwrap_or_else(|| self.take_argument()))));
        }
        let (value, rest) = number(self.rest)?;
        self.rest = rest;
        Ok(value.map(Amount::Fixed))
    }

    fn length(&mut self) -> Length {
        let Some(byte) = self.first() else { return Length::Int };
        let length = match byte {
            b'h' => Length::Short,
            b'l' => Length::Long,
            b'L' | b'q' => Length::LongDouble,
            _ => match Length::of_typedef(byte, self.model) {
                Some(length) => length,
                None => return Length::Int,
            },
        };
        self.skip();
        match byte {
            b'h' if self.skip_if(b'h') => Length::Char,
            b'l' if self.skip_if(b'l') => Length::LongLong,
            _ => length,
        }
    }

    /// The conversion after `%`.
    fn spec(&mut self) -> Result<Spec, TooLarge> {
        self.is_positional = false;
        let argument = self.position()?;
        let mut flags = Flags::default();
        while self.first().is_some_and(|byte| flags.set(byte)) {
            self.skip();
        }
        let width = self.amount()?.unwrap_or(Amount::Fixed(0));
        let precision = match self.skip_if(b'.') {
            true => Some(self.amount()?.unwrap_or(Amount::Fixed(0))),
            false => None,
        };
        let length = self.length();
        let conversion = self.first();
        self.skip();
        let mut spec = Spec {
            is_positional: self.is_positional,
            argument: argument.unwrap_or(Source(self.next_argument)),
            flags,
            width,
            precision,
            length,
            conversion,
        };
        if argument.is_none() && spec.kind(self.model).is_some() {
            spec.argument = self.take_argument();
        }
        Ok(spec)
    }
}

impl Spec {
    /// Whether there is such a conversion.
    fn is_known(&self) -> bool {
        self.conversion.is_some_and(|letter| b"%diuoxXbBeEfFgGaAcCsSpnm".contains(&letter))
    }

    /// Whether the first of glibc's two parsers accepts it.
    pub(super) fn is_plain(&self) -> bool {
        let is_allowed = match self.length {
            Length::Short => self.conversion.is_some_and(|letter| b"%diuoxXbBn".contains(&letter)),
            _ => self.is_known(),
        };
        !self.is_positional && is_allowed
    }

    /// The arguments that the conversion takes, and their types.
    pub(super) fn arguments(&self, model: DataModel) -> impl Iterator<Item = (Source, Kind)> {
        let amount = |amount: Amount| match amount {
            Amount::Fixed(_) => None,
            Amount::Argument(source) => Some((source, Kind::Integer(Size::Four))),
        };
        let value = self.kind(model).map(|kind| (self.argument, kind));
        [amount(self.width), self.precision.and_then(amount), value].into_iter().flatten()
    }

    /// The type of the argument that is converted, if there is one.
    fn kind(&self, model: DataModel) -> Option<Kind> {
        match self.conversion? {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
                Some(Kind::Integer(self.length.size(model).max(Size::Four)))
            }
            letter if is_real(letter) => {
                Some(if self.length.is_long_double() { Kind::LongDouble } else { Kind::Double })
            }
            b'c' | b'C' => Some(Kind::Integer(Size::Four)),
            b's' | b'S' | b'p' | b'n' => Some(Kind::Pointer),
            _ => None,
        }
    }

    /// The conversion that prints an address.
    pub(super) fn as_hexadecimal(&self) -> Spec {
        Spec { flags: Flags { alternate: true, ..self.flags }, conversion: Some(b'x'), ..*self }
    }
}
