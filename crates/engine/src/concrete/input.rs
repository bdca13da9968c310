//! Streams of inputs: `in[0], in[1], …`, and the same for uninitialised values.
//!
//! A stream is written as numbers between spaces, commas or line ends. `7 x3` stands for `7 7 7`.

use loupe_integer::Integer;
use loupe_ir::types::IntType;
use std::fmt;

/// A stream of numbers.
pub trait InputSource {
    /// The number at `position`, or `None` behind the end. Positions are asked for in order; a
    /// source must be able to give the last one again.
    fn get(&mut self, position: u64) -> Result<Option<Integer>, BadInput>;
}

/// A stream of bytes: the standard input of a program.
pub trait ByteSource {
    /// The byte at `position`, or `None` behind the end. Positions are asked for in order; a source must
    /// be able to give the last one again.
    fn byte(&mut self, position: u64) -> Result<Option<u8>, BadInput>;
}

impl ByteSource for Vec<u8> {
    fn byte(&mut self, position: u64) -> Result<Option<u8>, BadInput> {
        Ok(usize::try_from(position).ok().and_then(|position| self.get(position).copied()))
    }
}

/// Why an input cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadInput {
    /// Something that is no number.
    #[error("input {}: `{word}` is not a number", position + 1)]
    NotANumber {
        /// The position in the stream, from 0.
        position: u64,
        /// What stands there.
        word: String,
    },
    /// A repetition that repeats nothing or cannot be read.
    #[error("input {}: `{word}` is not a repetition; write for example `7 x3` for `7 7 7`", position + 1)]
    Repetition {
        /// The position in the stream, from 0.
        position: u64,
        /// What stands there.
        word: String,
    },
    /// A number that its type does not have.
    #[error("input {}: {value} does not fit in type {ty}", position + 1)]
    OutOfRange {
        /// The position in the stream, from 0.
        position: u64,
        /// The number.
        value: Integer,
        /// The type.
        ty: IntType,
    },
    /// The input could not be read at all.
    #[error("the input cannot be read: {0}")]
    Unreadable(String),
}

impl BadInput {
    /// The same, in a stream of which this one starts at `position`.
    pub fn moved_by(mut self, start: u64) -> Self {
        match &mut self {
            BadInput::NotANumber { position, .. }
            | BadInput::Repetition { position, .. }
            | BadInput::OutOfRange { position, .. } => *position += start,
            BadInput::Unreadable(_) => {}
        }
        self
    }
}

/// Reads a file of inputs. Behind a line `uninitialised:` it gives the values of uninitialised
/// variables, behind a line `inputs:` inputs again; `#` starts a comment.
pub fn parse_input_file(text: &str) -> Result<(RunLength, RunLength), BadInput> {
    let (mut inputs, mut undefined) = (RunLength::default(), RunLength::default());
    let mut current = &mut inputs;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        match line.trim() {
            "inputs:" => current = &mut inputs,
            "uninitialised:" => current = &mut undefined,
            numbers => current.read(numbers)?,
        }
    }
    Ok((inputs, undefined))
}

/// A list of numbers in which each may stand for many equal ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLength {
    /// Numbers with the position behind their last copy.
    runs: Vec<(Integer, u64)>,
    /// The run that was asked for last.
    current: usize,
}

/// Longer words are shown cut off in messages.
const SHOWN: usize = 40;

fn shown(word: &str) -> String {
    if word.chars().count() <= SHOWN {
        return word.to_owned();
    }
    word.chars().take(SHOWN).chain("…".chars()).collect()
}

impl RunLength {
    /// Reads a stream.
    pub fn parse(text: &str) -> Result<Self, BadInput> {
        let mut list = RunLength::default();
        list.read(text)?;
        Ok(list)
    }

    fn read(&mut self, text: &str) -> Result<(), BadInput> {
        let separators = |c: char| c.is_whitespace() || c == ',';
        let mut words = text.split(separators).filter(|word| !word.is_empty());
        words.try_for_each(|word| self.read_word(word))
    }

    fn read_word(&mut self, word: &str) -> Result<(), BadInput> {
        let position = self.len();
        if let Some(count) = word.strip_prefix('x') {
            let bad = || BadInput::Repetition { position, word: shown(word) };
            let count: u64 = count.parse().map_err(|_| bad())?;
            let more = count.checked_sub(1).ok_or_else(bad)?;
            let (_, end) = self.runs.last_mut().ok_or_else(bad)?;
            *end = end.checked_add(more).ok_or_else(bad)?;
            return Ok(());
        }
        match word.parse::<Integer>() {
            Ok(value) if word.len() <= MAX_DIGITS => {
                self.push(value);
                Ok(())
            }
            _ => Err(BadInput::NotANumber { position, word: shown(word) }),
        }
    }

    /// Adds a number at the end.
    pub fn push(&mut self, value: Integer) {
        let end = self.len() + 1;
        self.runs.push((value, end));
    }

    /// The numbers, each with how often it is repeated.
    pub fn runs(self) -> impl Iterator<Item = (Integer, u64)> {
        let mut start = 0;
        self.runs.into_iter().map(move |(value, end)| {
            let count = end - start;
            start = end;
            (value, count)
        })
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.runs.last().map_or(0, |(_, end)| *end)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

/// Numbers of more digits are refused, as in programs.
const MAX_DIGITS: usize = 1_001;

impl FromIterator<Integer> for RunLength {
    fn from_iter<I: IntoIterator<Item = Integer>>(numbers: I) -> Self {
        let mut list = RunLength::default();
        numbers.into_iter().for_each(|number| list.push(number));
        list
    }
}

impl InputSource for RunLength {
    fn get(&mut self, position: u64) -> Result<Option<Integer>, BadInput> {
        if self.current > 0 && position < self.runs[self.current - 1].1 {
            self.current = self.runs.partition_point(|(_, end)| *end <= position);
        }
        while let Some((value, end)) = self.runs.get(self.current) {
            if position < *end {
                return Ok(Some(value.clone()));
            }
            self.current += 1;
        }
        Ok(None)
    }
}

impl fmt::Display for RunLength {
    /// Equal numbers in a row are written once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut start = 0;
        let mut runs = self.runs.iter().peekable();
        while let Some((value, end)) = runs.next() {
            let mut end = *end;
            while let Some((_, further)) = runs.next_if(|(next, _)| next == value) {
                end = *further;
            }
            let separator = if start == 0 { "" } else { ", " };
            match end - start {
                1 => write!(f, "{separator}{value}")?,
                count => write!(f, "{separator}{value} x{count}")?,
            }
            start = end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, printed: &str, numbers: &[i64]) {
        let mut list = RunLength::parse(text).expect("a stream");
        assert_eq!(list.to_string(), printed);
        for (position, number) in numbers.iter().enumerate() {
            assert_eq!(list.get(position as u64), Ok(Some(Integer::from(*number))));
        }
        assert_eq!(list.get(list.len()), Ok(None));
        // Backwards as well.
        for (position, number) in numbers.iter().enumerate().rev() {
            assert_eq!(list.get(position as u64), Ok(Some(Integer::from(*number))));
        }
    }

    #[test]
    fn streams_are_read_and_written() {
        check("", "", &[]);
        check("1 2,3\n-4", "1, 2, 3, -4", &[1, 2, 3, -4]);
        check("7 x3, 0 x2 5", "7 x3, 0 x2, 5", &[7, 7, 7, 0, 0, 5]);
        check("7 7 7", "7 x3", &[7, 7, 7]);
        check("7 x1", "7", &[7]);
    }

    #[test]
    fn a_long_stream_takes_no_room() {
        let mut list = RunLength::parse("0 x1000000000000, 9").expect("a stream");
        assert_eq!(list.len(), 1_000_000_000_001);
        assert_eq!(list.get(999_999_999_999), Ok(Some(Integer::ZERO)));
        assert_eq!(list.get(1_000_000_000_000), Ok(Some(Integer::from(9))));
        assert_eq!(list.get(1_000_000_000_001), Ok(None));
    }

    #[test]
    fn what_is_no_stream_is_refused() {
        for text in ["a", "1.5", "x3", "1 x0", "1 x", "1 x-1", "1 x18446744073709551615 x2", "--1"]
        {
            assert!(RunLength::parse(text).is_err(), "{text:?}");
        }
        let error = RunLength::parse("1 2 three").expect_err("no number");
        assert_eq!(error.to_string(), "input 3: `three` is not a number");
    }
}
