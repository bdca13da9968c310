//! What `scanf` makes of input.

mod number;
mod reader;
mod spec;
mod word;

use super::{DataModel, FloatFormat, Size, is_real, is_space};
use reader::Reader;
use spec::{Part, Spec};
use thiserror::Error;

/// A stream of bytes.
pub trait Input {
    /// Why the stream cannot be read.
    type Error;

    /// The next byte, which stays in the stream; none at its end.
    fn peek(&mut self) -> Result<Option<u8>, Self::Error>;
    /// Takes the byte that was seen last out of the stream.
    fn advance(&mut self) -> Result<(), Self::Error>;
}

/// Which argument a value is stored through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The next one.
    Next,
    /// That with this index, counted from zero (`%1$d` has index 0).
    Index(usize),
}

/// A value that is to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored<'a> {
    /// An integer; its lowest bits, as many as the size says.
    Integer {
        /// How large it is.
        size: Size,
        /// Its bits.
        bits: u64,
    },
    /// An address that was read with `%p`.
    Address(u64),
    /// A floating point number.
    Float {
        /// Its format.
        format: FloatFormat,
        /// Its bits.
        bits: u128,
    },
    /// Bytes: characters of one byte or of four, little endian, with the zero at their end if the
    /// conversion writes one.
    Bytes(&'a [u8]),
    /// The same, but the argument points to a pointer, which is set to a new heap object that holds
    /// the bytes (`%ms`).
    Allocated(&'a [u8]),
}

/// The arguments of a call: pointers to where values go.
pub trait Targets {
    /// Why a value cannot be stored.
    type Error;

    /// Stores a value.
    fn store(&mut self, target: Target, value: Stored<'_>) -> Result<(), Self::Error>;
}

/// Why scanning ended without a result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScanError<E> {
    /// Input could not be read or a value could not be stored.
    #[error("{0}")]
    Access(E),
    /// `%l[` met a byte outside ASCII: glibc leaves that character as it was in memory.
    #[error("a byte outside ASCII in a set of wide characters")]
    WideCharacter,
}

/// How a scan ends before its format does.
enum Stop<E> {
    /// The input does not match.
    Matching,
    /// There is no input left.
    Input,
    Error(ScanError<E>),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Stop::Error(ScanError::Access(error))
    }
}

/// Reads what `format` describes, which ends at its first zero byte if it has one. The result is that
/// of `scanf`: the number of values stored (`%n` does not count), or −1 if the input ended before the
/// first of them and before it could mismatch.
pub fn scan<I: Input, T: Targets<Error = I::Error>>(
    format: &[u8],
    input: &mut I,
    targets: &mut T,
    model: DataModel,
) -> Result<i32, ScanError<I::Error>> {
    let mut format = format.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut scanner =
        Scanner { reader: Reader::new(input), targets, model, stored: 0, skips_space: false };
    let end = scanner.run(&mut format);
    scanner.reader.finish().map_err(ScanError::Access)?;
    match end {
        Ok(()) | Err(Stop::Matching) => Ok(scanner.stored),
        Err(Stop::Input) if scanner.stored == 0 => Ok(-1),
        Err(Stop::Input) => Ok(scanner.stored),
        Err(Stop::Error(error)) => Err(error),
    }
}

struct Scanner<'a, I: Input, T> {
    reader: Reader<'a, I>,
    targets: &'a mut T,
    model: DataModel,
    stored: i32,
    /// White space in the format was seen. It is skipped in the input only when something follows, or
    /// at the end, because it matches also where the input has ended.
    skips_space: bool,
}

impl<I: Input, T: Targets<Error = I::Error>> Scanner<'_, I, T> {
    fn run(&mut self, format: &mut &[u8]) -> Result<(), Stop<I::Error>> {
        while let Some(part) = Part::next(format, self.model) {
            match part {
                Part::Space => self.skips_space = true,
                Part::Literal(byte) => self.literal(byte)?,
                Part::Conversion(spec) => self.conversion(&spec)?,
                Part::Broken => return Err(Stop::Matching),
            }
        }
        if self.skips_space {
            self.skip_space()?;
        }
        Ok(())
    }

    fn skip_space(&mut self) -> Result<(), Stop<I::Error>> {
        while self.reader.next()?.is_some_and(is_space) {}
        self.reader.put_back();
        self.skips_space = false;
        Ok(())
    }

    fn literal(&mut self, expected: u8) -> Result<(), Stop<I::Error>> {
        if self.skips_space {
            self.skip_space()?;
        }
        match self.reader.next()? {
            None => Err(Stop::Input),
            Some(byte) if byte == expected => Ok(()),
            Some(_) => {
                self.reader.put_back();
                Err(Stop::Matching)
            }
        }
    }

    fn conversion(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        if self.skips_space || !spec.keeps_space() {
            self.skip_space()?;
        }
        match spec.letter {
            b'%' => self.literal(b'%'),
            b'n' => self.count(spec),
            b'c' | b'C' => self.characters(spec),
            b's' | b'S' => self.word(spec),
            b'[' => self.set(spec),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => self.integer(spec),
            letter if is_real(letter) => self.real(spec),
            _ => Err(Stop::Matching),
        }
    }

    fn count(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        let Some(target) = spec.target else { return Ok(()) };
        let size = spec.length.size(self.model);
        let value = Stored::Integer { size, bits: size.truncate(self.reader.count() as u64) };
        Ok(self.targets.store(target, value)?)
    }

    /// Stores a value that counts.
    fn store(&mut self, spec: &Spec, value: Stored<'_>) -> Result<(), Stop<I::Error>> {
        if let Some(target) = spec.target {
            self.targets.store(target, value)?;
            self.stored += 1;
        }
        Ok(())
    }
}
