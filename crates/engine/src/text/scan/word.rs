//! Characters and strings in the input of `scanf`.

use super::super::is_space;
use super::spec::Spec;
use super::{Input, ScanError, Scanner, Stop, Stored, Targets};

/// Characters that were read, in the form in which they are stored.
struct Text {
    bytes: Vec<u8>,
    wide: bool,
}

impl Text {
    fn new(spec: &Spec) -> Self {
        let wide = spec.length.is_wide() || matches!(spec.letter, b'C' | b'S');
        Text { bytes: Vec::new(), wide }
    }

    /// Adds a character. In the C locale only those of ASCII are wide characters as well.
    fn push(&mut self, byte: u8) -> Result<(), NoCharacter> {
        match (self.wide, byte) {
            (false, _) => self.bytes.push(byte),
            (true, 0x80..) => return Err(NoCharacter::Outside),
            (true, _) => self.bytes.extend(u32::from(byte).to_le_bytes()),
        }
        if self.wide && byte == 0 { Err(NoCharacter::Zero) } else { Ok(()) }
    }

    /// Adds the zero at the end of a string.
    fn end(&mut self) {
        self.bytes.resize(self.bytes.len() + if self.wide { 4 } else { 1 }, 0);
    }
}

/// A byte that ends the reading of wide characters.
enum NoCharacter {
    /// It is not one.
    Outside,
    /// It is one, and is stored, but means the end of a string.
    Zero,
}

impl<I: Input, T: Targets<Error = I::Error>> Scanner<'_, I, T> {
    /// `%c`
    pub(super) fn characters(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        let mut text = Text::new(spec);
        let mut left = spec.width.unwrap_or(1);
        let mut next = self.reader.next()?;
        if next.is_none() {
            return Err(Stop::Input);
        }
        while let Some(byte) = next {
            if text.push(byte).is_err() {
                return self.give_up(spec, &text);
            }
            left -= 1;
            next = if left > 0 { self.reader.next()? } else { None };
        }
        self.store_text(spec, &text)
    }

    /// `%s`
    pub(super) fn word(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        self.while_accepted(spec, |byte| !is_space(byte))
    }

    /// `%[`
    pub(super) fn set(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        let Some(set) = &spec.set else { return Err(Stop::Matching) };
        self.while_accepted(spec, |byte| set.contains(byte))
    }

    fn while_accepted(
        &mut self,
        spec: &Spec,
        accepts: impl Fn(u8) -> bool,
    ) -> Result<(), Stop<I::Error>> {
        let mut text = Text::new(spec);
        let mut count = 0;
        let most = spec.width.unwrap_or(usize::MAX);
        let mut next = self.reader.next()?;
        if next.is_none() {
            return Err(Stop::Input);
        }
        while let Some(byte) = next {
            if !accepts(byte) {
                self.reader.put_back();
                break;
            }
            match (text.push(byte), spec.letter, spec.target) {
                (Ok(()), ..) | (Err(NoCharacter::Zero), b'[', _) => {}
                (Err(NoCharacter::Outside), b'[', None) => {}
                (Err(NoCharacter::Outside), b'[', Some(_)) => {
                    return Err(Stop::Error(ScanError::WideCharacter));
                }
                (Err(_), ..) => return self.give_up(spec, &text),
            }
            count += 1;
            next = if count < most { self.reader.next()? } else { None };
        }
        if count == 0 {
            return Err(Stop::Matching);
        }
        text.end();
        self.store_text(spec, &text)
    }

    fn store_text(&mut self, spec: &Spec, text: &Text) -> Result<(), Stop<I::Error>> {
        let value = match spec.allocates {
            true => Stored::Allocated(&text.bytes),
            false => Stored::Bytes(&text.bytes),
        };
        self.store(spec, value)
    }

    /// Ends the scan at a byte that is no wide character. What was read before it is in memory.
    fn give_up(&mut self, spec: &Spec, text: &Text) -> Result<(), Stop<I::Error>> {
        if let Some(target) = spec.target
            && !spec.allocates
            && !text.bytes.is_empty()
        {
            self.targets.store(target, Stored::Bytes(&text.bytes))?;
        }
        Err(Stop::Matching)
    }
}
