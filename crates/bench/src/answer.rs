//! What a run can answer.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An answer of `loupe` to the question that it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Nothing goes wrong.
    Safe,
    /// Something goes wrong, and was seen to.
    Unsafe,
    /// The target is reached, and was seen to be.
    Reached,
    /// The target is never reached.
    Unreachable,
    /// Neither.
    Unknown,
}

impl Answer {
    /// All of them.
    pub const ALL: [Answer; 5] =
        [Answer::Safe, Answer::Unsafe, Answer::Reached, Answer::Unreachable, Answer::Unknown];

    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Reached => "reached",
            Answer::Unreachable => "unreachable",
            Answer::Unknown => "unknown",
        }
    }

    /// The answer of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Answer::ALL.into_iter().find(|answer| answer.name() == name)
    }

    /// Whether it settles the question.
    pub const fn is_decided(self) -> bool {
        !matches!(self, Answer::Unknown)
    }

    /// Whether it says that something happens, which was seen.
    pub const fn is_found(self) -> bool {
        matches!(self, Answer::Unsafe | Answer::Reached)
    }

    /// Whether both say the same: an error that is reached is a violation.
    pub const fn agrees_with(self, other: Answer) -> bool {
        self.is_decided() && other.is_decided() && self.is_found() == other.is_found()
    }

    /// Whether one of both must be wrong.
    pub const fn contradicts(self, other: Answer) -> bool {
        self.is_decided() && other.is_decided() && self.is_found() != other.is_found()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn answers_agree_across_commands() {
        assert!(Answer::Unsafe.agrees_with(Answer::Reached));
        assert!(Answer::Safe.contradicts(Answer::Reached));
        assert!(!Answer::Unknown.agrees_with(Answer::Unknown));
        assert!(!Answer::Unknown.contradicts(Answer::Safe));
        for answer in Answer::ALL {
            assert_eq!(Answer::from_name(answer.name()), Some(answer));
        }
    }
}
