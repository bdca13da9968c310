//! The output of `printf`, and how a converted value is laid out in it.

use super::FormatError;

/// How a value is padded.
#[derive(Clone, Copy)]
pub(super) struct Padding {
    pub(super) width: usize,
    /// Spaces follow.
    pub(super) left: bool,
    /// Zeros between the sign and the digits; after them together with `left`.
    pub(super) zero: bool,
}

/// A converted value. Long runs of zeros are counted, so that a huge precision costs nothing before
/// the limit of the output is checked.
#[derive(Default)]
pub(super) struct Field<'a> {
    pub(super) sign: &'a [u8],
    pub(super) prefix: &'a [u8],
    pub(super) leading_zeros: usize,
    pub(super) body: &'a [u8],
    pub(super) trailing_zeros: usize,
    pub(super) suffix: &'a [u8],
}

impl Field<'_> {
    fn length(&self) -> usize {
        let texts = self.sign.len() + self.prefix.len() + self.body.len() + self.suffix.len();
        texts.saturating_add(self.leading_zeros).saturating_add(self.trailing_zeros)
    }
}

/// Output with a limit.
pub(super) struct Output<'a> {
    bytes: &'a mut Vec<u8>,
    start: usize,
    limit: usize,
}

/// The largest count that `printf` can return.
const MOST: usize = i32::MAX as usize;

impl<'a> Output<'a> {
    pub(super) fn new(bytes: &'a mut Vec<u8>, limit: usize) -> Self {
        let start = bytes.len();
        Output { bytes, start, limit }
    }

    /// How many bytes were put.
    pub(super) fn count(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn check<E>(&self, more: usize) -> Result<(), FormatError<E>> {
        match self.count().saturating_add(more) {
            count if count > MOST => Err(FormatError::Overflow),
            count if count > self.limit => Err(FormatError::TooLong(self.limit)),
            _ => Ok(()),
        }
    }

    pub(super) fn put<E>(&mut self, text: &[u8]) -> Result<(), FormatError<E>> {
        self.check(text.len())?;
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    fn fill(&mut self, byte: u8, count: usize) {
        self.bytes.extend(std::iter::repeat_n(byte, count));
    }

    pub(super) fn field<E>(
        &mut self,
        field: &Field<'_>,
        padding: Padding,
    ) -> Result<(), FormatError<E>> {
        let length = field.length();
        self.check(length.max(padding.width))?;
        let missing = padding.width.saturating_sub(length);
        let (before, zeros, after) = match padding {
            Padding { left: true, .. } => (0, 0, missing),
            Padding { zero: true, .. } => (0, missing, 0),
            _ => (missing, 0, 0),
        };
        self.fill(b' ', before);
        self.bytes.extend_from_slice(field.sign);
        self.bytes.extend_from_slice(field.prefix);
        self.fill(b'0', zeros + field.leading_zeros);
        self.bytes.extend_from_slice(field.body);
        self.fill(b'0', field.trailing_zeros);
        self.bytes.extend_from_slice(field.suffix);
        self.fill(if padding.zero { b'0' } else { b' ' }, after);
        Ok(())
    }
}
