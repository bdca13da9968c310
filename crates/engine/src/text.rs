//! What C's `printf`, `scanf` and `strtod` families do with bytes.
//!
//! Pure functions: arguments, memory and streams are behind traits that the caller implements, and
//! the caller's own errors pass through. The judge is glibc 2.36 on x86 in the C locale, also where
//! it goes beyond ISO C or falls short of it (`scanf` accepts `1e` as a number, `printf` copies
//! conversions it does not know to the output); the tests run both side by side.
//!
//! Deliberately absent: other locales (so `'` and `I` change nothing and every character is one
//! byte), other rounding modes than the default, conversions that a program registers, `errno`
//! (`%m` is the text of "no error").

mod decimal;
mod float;
mod format;
mod parse;
mod scan;

pub use float::FloatFormat;
pub use format::{Arguments, FormatError, Options, format};
pub use parse::{ParsedFloat, Range, parse_float};
pub use scan::{Input, ScanError, Stored, Target, Targets, scan};

/// How large C's integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `long` and pointers have four bytes.
    Ilp32,
    /// `long` and pointers have eight bytes.
    Lp64,
}

impl DataModel {
    /// The size of `long`, of `size_t` and of pointers.
    pub const fn long(self) -> Size {
        match self {
            DataModel::Ilp32 => Size::Four,
            DataModel::Lp64 => Size::Eight,
        }
    }
}

/// The size of an integer in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// `char`.
    One,
    /// `short`.
    Two,
    /// `int`.
    Four,
    /// `long long`.
    Eight,
}

impl Size {
    /// How many bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Size::One => 1,
            Size::Two => 2,
            Size::Four => 4,
            Size::Eight => 8,
        }
    }

    /// The lowest bits of `bits`, as many as an integer of this size has.
    pub const fn truncate(self, bits: u64) -> u64 {
        match self {
            Size::One => bits as u8 as u64,
            Size::Two => bits as u16 as u64,
            Size::Four => bits as u32 as u64,
            Size::Eight => bits,
        }
    }

    /// The lowest bits of `bits` as a signed integer of this size.
    pub const fn sign_extend(self, bits: u64) -> i64 {
        match self {
            Size::One => bits as i8 as i64,
            Size::Two => bits as i16 as i64,
            Size::Four => bits as i32 as i64,
            Size::Eight => bits as i64,
        }
    }
}

/// The length modifier of a conversion, after the aliases of the data model are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    Int,
    Long,
    /// `ll`: `long long` for integers, and for numbers with a point the same as `L`.
    LongLong,
    /// `L` or `q`: `long double`, and for integers the same as `ll`.
    LongDouble,
}

impl Length {
    /// The modifiers that stand for a typedef, if `byte` is one.
    fn of_typedef(byte: u8, model: DataModel) -> Option<Length> {
        match (byte, model) {
            (b'z' | b'Z' | b't', DataModel::Ilp32) => Some(Length::Int),
            (b'z' | b'Z' | b't' | b'j', DataModel::Lp64) => Some(Length::Long),
            (b'j', DataModel::Ilp32) => Some(Length::LongLong),
            _ => None,
        }
    }

    /// The size of the integer in memory.
    fn size(self, model: DataModel) -> Size {
        match self {
            Length::Char => Size::One,
            Length::Short => Size::Two,
            Length::Int => Size::Four,
            Length::Long => model.long(),
            Length::LongLong | Length::LongDouble => Size::Eight,
        }
    }

    /// Whether characters and strings are wide with this modifier.
    fn is_wide(self) -> bool {
        matches!(self, Length::Long | Length::LongLong | Length::LongDouble)
    }

    /// Whether a number with a point is a `long double` with this modifier.
    fn is_long_double(self) -> bool {
        matches!(self, Length::LongLong | Length::LongDouble)
    }
}

/// Whether a conversion of `printf` or `scanf` is for floating point numbers.
fn is_real(letter: u8) -> bool {
    b"eEfFgGaA".contains(&letter)
}

/// `isspace` in the C locale.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}
