//! The parts of a `scanf` format.

use super::super::{DataModel, Length, is_space};
use super::Target;

/// A conversion.
pub(super) struct Spec {
    /// Where its value goes; nowhere with `*`.
    pub(super) target: Option<Target>,
    /// The most bytes it reads.
    pub(super) width: Option<usize>,
    pub(super) length: Length,
    /// `m`: the text is put into a new object.
    pub(super) allocates: bool,
    pub(super) letter: u8,
    /// The characters that `[` accepts; none if the format ends before the set does.
    pub(super) set: Option<Set>,
}

impl Spec {
    /// Whether white space before the value is not skipped.
    pub(super) fn keeps_space(&self) -> bool {
        matches!(self.letter, b'[' | b'c' | b'C' | b'n')
    }
}

/// A set of characters.
pub(super) struct Set([bool; 256]);

impl Set {
    pub(super) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    /// The set that begins after `[`, which is taken off the format; none if it does not end.
    fn parse(format: &mut &[u8]) -> Option<Set> {
        let negated = skip_if(format, b'^');
        let mut members = [false; 256];
        let text = *format;
        let mut at = 0;
        // Here `]` does not end the set and `-` makes no range.
        if let Some(&byte @ (b']' | b'-')) = text.first() {
            members[usize::from(byte)] = true;
            at = 1;
        }
        loop {
            let byte = *text.get(at)?;
            let before = at.checked_sub(1).and_then(|index| text.get(index)).copied();
            match (before, text.get(at + 1).copied()) {
                _ if byte == b']' => break,
                (Some(first), Some(last)) if byte == b'-' && last != b']' && first <= last => {
                    // The last one is added when its turn comes.
                    members[usize::from(first)..usize::from(last)].fill(true);
                }
                _ => members[usize::from(byte)] = true,
            }
            at += 1;
        }
        *format = &text[at + 1..];
        Some(Set(members.map(|member| member != negated)))
    }
}

/// A part of a format.
pub(super) enum Part {
    /// White space.
    Space,
    /// A byte that must be in the input.
    Literal(u8),
    Conversion(Box<Spec>),
    /// The format ends inside a conversion.
    Broken,
}

fn skip_if(format: &mut &[u8], byte: u8) -> bool {
    let found = format.first() == Some(&byte);
    if found {
        *format = &format[1..];
    }
    found
}

/// The decimal number that the format begins with; `usize::MAX` if it is larger than `int`.
fn number(format: &mut &[u8]) -> usize {
    let length = format.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = format.split_at(length);
    *format = rest;
    let add = |sum: i32, &digit: &u8| sum.checked_mul(10)?.checked_add(i32::from(digit - b'0'));
    let value = digits.iter().try_fold(0, add);
    value.and_then(|value| usize::try_from(value).ok()).unwrap_or(usize::MAX)
}

fn length(format: &mut &[u8], model: DataModel) -> Length {
    let Some(&byte) = format.first() else { return Length::Int };
    let length = match byte {
        b'h' => Length::Short,
        b'l' => Length::Long,
        b'L' | b'q' => Length::LongDouble,
        b'z' | b't' | b'j' => Length::of_typedef(byte, model).unwrap_or(Length::Int),
        _ => return Length::Int,
    };
    *format = &format[1..];
    match byte {
        b'h' if skip_if(format, b'h') => Length::Char,
        b'l' if skip_if(format, b'l') => Length::LongLong,
        _ => length,
    }
}

impl Part {
    /// Takes the next part off the format; none at its end.
    pub(super) fn next(format: &mut &[u8], model: DataModel) -> Option<Part> {
        let (&byte, rest) = format.split_first()?;
        *format = rest;
        Some(match byte {
            b'%' => match Spec::parse(format, model) {
                Some(spec) => Part::Conversion(Box::new(spec)),
                None => Part::Broken,
            },
            byte if is_space(byte) => Part::Space,
            byte => Part::Literal(byte),
        })
    }
}

impl Spec {
    /// Takes what follows `%` off the format; none if the format ends before the conversion does.
    fn parse(format: &mut &[u8], model: DataModel) -> Option<Spec> {
        let mut target = Some(Target::Next);
        let mut width = 0;
        let mut has_width = format.first().is_some_and(u8::is_ascii_digit);
        if has_width {
            width = number(format);
            if skip_if(format, b'$') {
                // `%0$d` is `%d`.
                target = Some(width.checked_sub(1).map_or(Target::Next, Target::Index));
                has_width = false;
                width = 0;
            }
        }
        if !has_width {
            while let Some(b'*' | b'\'' | b'I') = format.first() {
                if skip_if(format, b'*') {
                    target = None;
                } else {
                    *format = &format[1..];
                }
            }
            width = number(format);
        }
        let allocates = skip_if(format, b'm');
        let length = match allocates {
            true if skip_if(format, b'l') => Length::Long,
            true => Length::Int,
            false => length(format, model),
        };
        let (&letter, rest) = format.split_first()?;
        *format = rest;
        let set = match letter {
            b'[' => Set::parse(format),
            _ => None,
        };
        let width = (width != 0 && width != usize::MAX).then_some(width);
        Some(Spec { target, width, length, allocates, letter, set })
    }
}
