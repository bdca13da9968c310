//! Input with one byte that can be put back, as `scanf` reads it.

use super::Input;

pub(super) struct Reader<'a, I> {
    input: &'a mut I,
    /// The byte read last, until it is taken out of the input or put back.
    held: Option<u8>,
    count: usize,
}

impl<'a, I: Input> Reader<'a, I> {
    pub(super) fn new(input: &'a mut I) -> Self {
        Reader { input, held: None, count: 0 }
    }

    /// How many bytes were read and not put back.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The next byte; none at the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<u8>, I::Error> {
        self.finish()?;
        self.held = self.input.peek()?;
        self.count += usize::from(self.held.is_some());
        Ok(self.held)
    }

    /// Undoes the last `next`.
    pub(super) fn put_back(&mut self) {
        self.count -= usize::from(self.held.take().is_some());
    }

    /// Takes the byte read last out of the input.
    pub(super) fn finish(&mut self) -> Result<(), I::Error> {
        match self.held.take() {
            Some(_) => self.input.advance(),
            None => Ok(()),
        }
    }
}
