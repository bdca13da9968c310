//! The words and names of the textual form, as the printer and the parser both need them.

use crate::check::CheckKind;
use crate::program::{ArrayKind, BinaryOp, CompareOp, Intrinsic, UnaryOp};
use crate::types::{FloatType, Tag};
use std::fmt::{self, Write as _};

/// What has one word in the textual form.
pub(super) trait Word: Sized {
    /// The word.
    fn word(self) -> &'static str;

    /// What the word stands for.
    fn from_word(word: &str) -> Option<Self>;
}

macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl Word for $type {
            fn word(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)*
                }
            }

            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($type::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words!(UnaryOp { Neg = "neg", BitNot = "bitnot", Not = "not" });
words!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    Div = "div",
    Rem = "rem",
    BitAnd = "bitand",
    BitOr = "bitor",
    BitXor = "bitxor",
    Shl = "shl",
    Shr = "shr",
    And = "and",
    Or = "or",
});
words!(CompareOp { Eq = "eq", Ne = "ne", Lt = "lt", Le = "le", Gt = "gt", Ge = "ge" });
words!(ArrayKind { Reference = "reference", Value = "value" });

impl Word for Tag {
    fn word(self) -> &'static str {
        self.name()
    }

    fn from_word(word: &str) -> Option<Self> {
        Tag::ALL.into_iter().find(|tag| tag.name() == word)
    }
}

impl Word for FloatType {
    fn word(self) -> &'static str {
        self.name()
    }

    fn from_word(word: &str) -> Option<Self> {
        FloatType::ALL.into_iter().find(|float| float.name() == word)
    }
}

impl Word for Intrinsic {
    fn word(self) -> &'static str {
        self.name()
    }

    fn from_word(word: &str) -> Option<Self> {
        Intrinsic::ALL.iter().copied().find(|intrinsic| intrinsic.name() == word)
    }
}

impl Word for CheckKind {
    fn word(self) -> &'static str {
        self.name()
    }

    fn from_word(word: &str) -> Option<Self> {
        CheckKind::ALL.iter().copied().find(|kind| kind.name() == word)
    }
}

/// Whether an identifier may start so.
pub(super) fn starts_identifier(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Whether an identifier may go on so.
pub(super) fn continues_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A name: as it is if it is an identifier, in quotes otherwise.
pub(super) struct Name<'a>(pub(super) &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain =
            self.0.starts_with(starts_identifier) && self.0.chars().all(continues_identifier);
        if plain { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// A name in quotes. What could not be seen, or would end the line, is escaped.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
