//! What is wrong with a script, and where.

use crate::node::Sort;
use crate::smtlib::sort_text;
use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

impl Position {
    /// The place behind a text that starts here.
    pub(super) fn moved_over(mut self, text: &str) -> Self {
        for character in text.chars() {
            if character == '\n' {
                self = Position { line: self.line.saturating_add(1), column: 1 };
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
        self
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {kind}")]
pub struct ReadError {
    /// Where.
    pub position: Position,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadErrorKind {
    /// Something else is needed here.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What is needed.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A term has another sort than needed.
    #[error(
        "expected a term of sort {}, found one of sort {}",
        sort_text(*.needed), sort_text(*.found)
    )]
    Sort {
        /// What is needed.
        needed: Sort,
        /// What is there.
        found: Sort,
    },
    /// A function has too many or too few arguments.
    #[error("expected {needed}, found {found}")]
    Arity {
        /// How many are needed, in words.
        needed: String,
        /// How many there are.
        found: usize,
    },
    /// A name that nothing has.
    #[error("`{0}` is not declared")]
    Undeclared(String),
    /// A name that something has already.
    #[error("`{0}` is declared already")]
    Redeclared(String),
    /// SMT-LIB, but not of the subset.
    #[error("{0}: this is not supported")]
    Unsupported(String),
    /// One of Loupe's operations is defined in another way.
    #[error("the definition of `{0}` is not the one that belongs to the name")]
    OtherDefinition(String),
    /// A term that would be too large.
    #[error("what this stands for is too large")]
    TooLarge,
}
