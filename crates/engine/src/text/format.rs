//! What `printf` prints.

mod field;
mod integer;
mod real;
mod spec;

use super::{DataModel, FloatFormat, Length, Size, is_real};
use field::{Field, Output, Padding};
use spec::{Amount, Parser, Part, Source, Spec};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why formatting ended early. What precedes the conversion at fault is in the output.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError<E> {
    /// An argument or the memory it points to could not be read or written.
    #[error("{0}")]
    Argument(E),
    /// The format ends inside a conversion: `printf` returns −1 (`EINVAL`).
    #[error("the format ends inside a conversion")]
    Incomplete,
    /// A width, a precision or the output is larger than `int` can tell: `printf` returns −1
    /// (`EOVERFLOW`).
    #[error("the formatted text is longer than INT_MAX")]
    Overflow,
    /// A wide character is no character of the C locale: `printf` returns −1 (`EILSEQ`).
    #[error("the wide character {0:#x} is no character of the C locale")]
    WideCharacter(u32),
    /// The output is longer than the options allow.
    #[error("the formatted text is longer than the limit of {0} bytes")]
    TooLong(usize),
    /// The format refers to the argument with this number, which is more than can be given.
    #[error("the format refers to argument {0}")]
    Position(usize),
    /// The format uses the argument with this number as values of different kinds, which is
    /// undefined.
    #[error("the format uses argument {0} with different types")]
    Conflict(usize),
}

/// The arguments of a call, in order, and the memory behind them.
pub trait Arguments {
    /// A pointer.
    type Pointer: Clone;
    /// Why an argument cannot be read.
    type Error;

    /// The bits of the next argument, an `int` (size four) or larger integer.
    fn integer(&mut self, size: Size) -> Result<u64, Self::Error>;
    /// The bits of the next argument, a `double`.
    fn double(&mut self) -> Result<u64, Self::Error>;
    /// The 80 bits of the next argument, a `long double`.
    fn long_double(&mut self) -> Result<u128, Self::Error>;
    /// The next argument, a pointer.
    fn pointer(&mut self) -> Result<Self::Pointer, Self::Error>;

    /// The number that `%p` prints; zero for the null pointer and for no other.
    fn address(&mut self, pointer: &Self::Pointer) -> Result<u64, Self::Error>;
    /// The bytes at a pointer that is not null, up to a zero (not included) or the limit. Nothing
    /// beyond these may be required to be readable.
    fn string(
        &mut self,
        pointer: &Self::Pointer,
        limit: Option<usize>,
    ) -> Result<Vec<u8>, Self::Error>;
    /// The same for characters of type `wchar_t`.
    fn wide_string(
        &mut self,
        pointer: &Self::Pointer,
        limit: Option<usize>,
    ) -> Result<Vec<u32>, Self::Error>;
    /// Stores the lowest bits of `value` (`%n`).
    fn store(&mut self, pointer: &Self::Pointer, size: Size, value: u64)
    -> Result<(), Self::Error>;
}

/// What formatting depends on beside the format and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of C's integers.
    pub model: DataModel,
    /// How many bytes may be put out.
    pub limit: usize,
}

/// Appends to `out` what `printf` prints for `format`, which ends at its first zero byte if it has
/// one. The count that `printf` returns is the number of bytes appended.
pub fn format<A: Arguments>(
    format: &[u8],
    arguments: &mut A,
    options: Options,
    out: &mut Vec<u8>,
) -> Result<(), FormatError<A::Error>> {
    let text = format.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut printer = Printer {
        values: positional_values(text, arguments, options.model)?,
        arguments,
        model: options.model,
        mode: Mode::Fast,
        output: Output::new(out, options.limit),
    };
    for part in Parser::new(text, options.model) {
        match part {
            Part::Text(text) => printer.output.put(text)?,
            Part::Overflow => return Err(FormatError::Overflow),
            Part::Conversion(spec) => {
                let ends = spec.conversion.is_none();
                if spec.is_positional || !spec.is_plain() && !ends {
                    printer.mode = Mode::General;
                }
                if ends && printer.mode == Mode::Fast {
                    return Err(FormatError::Incomplete);
                }
                printer.print(&spec)?;
            }
        }
    }
    Ok(())
}

/// The largest number of an argument (`NL_ARGMAX` of glibc).
const MOST_ARGUMENTS: usize = 4096;

/// An argument.
#[derive(Clone)]
enum Value<P> {
    Integer(u64),
    Double(u64),
    LongDouble(u128),
    Pointer(P),
}

/// All arguments of a call, if some conversion refers to them by number.
type Values<P> = Option<Vec<Value<P>>>;

/// The type of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer(Size),
    Double,
    LongDouble,
    Pointer,
}

impl Kind {
    fn read<A: Arguments>(self, arguments: &mut A) -> Result<Value<A::Pointer>, A::Error> {
        Ok(match self {
            Kind::Integer(size) => Value::Integer(arguments.integer(size)?),
            Kind::Double => Value::Double(arguments.double()?),
            Kind::LongDouble => Value::LongDouble(arguments.long_double()?),
            Kind::Pointer => Value::Pointer(arguments.pointer()?),
        })
    }
}

/// All arguments, if some conversion refers to them by number. An argument that no conversion uses
/// is an `int`.
fn positional_values<A: Arguments>(
    text: &[u8],
    arguments: &mut A,
    model: DataModel,
) -> Result<Values<A::Pointer>, FormatError<A::Error>> {
    if !text.contains(&b'$') {
        return Ok(None);
    }
    let mut kinds = BTreeMap::new();
    let mut is_positional = false;
    for part in Parser::new(text, model) {
        // What else is wrong is told when its turn comes.
        let Part::Conversion(spec) = part else { continue };
        is_positional |= spec.is_positional;
        for (Source(index), kind) in spec.arguments(model) {
            if kinds.insert(index, kind).is_some_and(|other| other != kind) {
                return Err(FormatError::Conflict(index + 1));
            }
        }
    }
    if !is_positional {
        return Ok(None);
    }
    let count = kinds.keys().next_back().map_or(0, |&last| last.saturating_add(1));
    if count > MOST_ARGUMENTS {
        return Err(FormatError::Position(count));
    }
    let kind = |index: usize| kinds.get(&index).copied().unwrap_or(Kind::Integer(Size::Four));
    let values: Result<Vec<_>, _> = (0..count).map(|index| kind(index).read(arguments)).collect();
    values.map(Some).map_err(FormatError::Argument)
}

/// glibc has two implementations of most things, which differ in details. It begins with the fast one
/// and changes to the general one at the first conversion that the fast one cannot do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A format that ends inside a conversion is an error.
    Fast,
    /// Such a conversion is printed as it stands. `L` means nothing for integers where `long` is
    /// `long long`. A negative width does not switch the flag `0` off.
    General,
}

struct Printer<'a, A: Arguments> {
    arguments: &'a mut A,
    /// If there are none, the arguments are read one by one.
    values: Values<A::Pointer>,
    model: DataModel,
    mode: Mode,
    output: Output<'a>,
}

type Done<E> = Result<(), FormatError<E>>;

impl<A: Arguments> Printer<'_, A> {
    fn value(
        &mut self,
        Source(index): Source,
        kind: Kind,
    ) -> Result<Value<A::Pointer>, FormatError<A::Error>> {
        match &self.values {
            Some(values) => values.get(index).cloned().ok_or(FormatError::Position(index + 1)),
            None => kind.read(self.arguments).map_err(FormatError::Argument),
        }
    }

    fn integer(&mut self, source: Source, size: Size) -> Result<u64, FormatError<A::Error>> {
        match self.value(source, Kind::Integer(size))? {
            Value::Integer(bits) => Ok(bits),
            _ => Err(FormatError::Conflict(source.0 + 1)),
        }
    }

    fn pointer(&mut self, source: Source) -> Result<A::Pointer, FormatError<A::Error>> {
        match self.value(source, Kind::Pointer)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Err(FormatError::Conflict(source.0 + 1)),
        }
    }

    fn amount(&mut self, amount: Amount) -> Result<i64, FormatError<A::Error>> {
        match amount {
            Amount::Fixed(amount) => Ok(i64::from(amount)),
            Amount::Argument(source) => {
                Ok(Size::Four.sign_extend(self.integer(source, Size::Four)?))
            }
        }
    }

    /// Prints one conversion.
    fn print(&mut self, spec: &Spec) -> Done<A::Error> {
        let mut spec = *spec;
        if spec.length == Length::LongDouble && self.ignores_long_double(&spec) {
            spec.length = Length::Int;
        }
        let width = self.amount(spec.width)?;
        let precision = match spec.precision {
            Some(amount) => usize::try_from(self.amount(amount)?).ok(),
            None => None,
        };
        let keeps_zero = !spec.flags.left && (width >= 0 || self.mode == Mode::General);
        let padding = Padding {
            width: usize::try_from(width.unsigned_abs()).map_err(|_| FormatError::Overflow)?,
            left: spec.flags.left || width < 0,
            zero: spec.flags.zero && keeps_zero,
        };
        let job = Job { spec: &spec, precision, padding };
        match spec.conversion {
            Some(b'%') => self.output.put(b"%"),
            Some(b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B') => self.print_integer(&job),
            Some(letter) if is_real(letter) => self.print_real(&job),
            Some(b'c') if !spec.length.is_wide() => self.print_byte(&job),
            Some(b'c' | b'C') => self.print_wide_character(&job),
            Some(b's') if !spec.length.is_wide() => self.print_string(&job),
            Some(b's' | b'S') => self.print_wide_string(&job),
            Some(b'p') => self.print_pointer(&job),
            Some(b'm') => self.print_error_message(&job),
            Some(b'n') => self.store_count(&job),
            _ => self.print_unknown(&job),
        }
    }

    fn ignores_long_double(&self, spec: &Spec) -> bool {
        let is_real = spec.conversion.is_some_and(is_real);
        self.mode == Mode::General && self.model == DataModel::Lp64 && !is_real
    }

    fn print_integer(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let size = job.spec.length.size(self.model);
        let bits = self.integer(job.spec.argument, size.max(Size::Four))?;
        let number = match job.spec.conversion {
            Some(b'd' | b'i') => integer::Number::signed(size.sign_extend(bits)),
            _ => integer::Number::unsigned(size.truncate(bits)),
        };
        self.put_integer(job, number)
    }

    fn put_integer(&mut self, job: &Job<'_>, number: integer::Number) -> Done<A::Error> {
        // A precision switches the flag `0` off.
        let zero = job.padding.zero && job.precision.is_none() && !job.padding.left;
        let padding = Padding { zero, ..job.padding };
        let digits = integer::digits(job.spec, job.precision, number);
        self.output.field(&digits.field(), padding)
    }

    fn print_real(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let kind = match job.spec.length.is_long_double() {
            true => Kind::LongDouble,
            false => Kind::Double,
        };
        let (format, bits) = match self.value(job.spec.argument, kind)? {
            Value::Double(bits) => (FloatFormat::Double, u128::from(bits)),
            Value::LongDouble(bits) => (FloatFormat::Extended, bits),
            _ => return Err(FormatError::Conflict(job.spec.argument.0 + 1)),
        };
        let real = real::Real::new(job.spec, format, bits);
        let text = real.text(job.spec, job.precision);
        let mut padding = Padding { zero: job.padding.zero && real.is_finite(), ..job.padding };
        // Zeros after a number, as in `Mode::General`: `%a` does without them.
        if padding.left && padding.zero && matches!(job.spec.conversion, Some(b'a' | b'A')) {
            padding.width = 0;
        }
        self.output.field(&text.field(), padding)
    }

    fn print_byte(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let byte = self.integer(job.spec.argument, Size::Four)? as u8;
        self.put_text(&[byte], job.padding)
    }

    fn print_wide_character(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let character = self.integer(job.spec.argument, Size::Four)? as u32;
        self.put_text(&narrow(&[character])?, job.padding)
    }

    fn put_text(&mut self, text: &[u8], padding: Padding) -> Done<A::Error> {
        let padding = Padding { zero: false, ..padding };
        self.output.field(&Field { body: text, ..Field::default() }, padding)
    }

    fn print_string(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let pointer = self.pointer(job.spec.argument)?;
        if self.is_null(&pointer)? {
            return self.print_null(job);
        }
        let text = self.arguments.string(&pointer, job.precision).map_err(FormatError::Argument)?;
        self.put_text(&text, job.padding)
    }

    fn print_wide_string(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let pointer = self.pointer(job.spec.argument)?;
        if self.is_null(&pointer)? {
            return self.print_null(job);
        }
        let text =
            self.arguments.wide_string(&pointer, job.precision).map_err(FormatError::Argument)?;
        self.put_text(&narrow(&text)?, job.padding)
    }

    fn is_null(&mut self, pointer: &A::Pointer) -> Result<bool, FormatError<A::Error>> {
        Ok(self.arguments.address(pointer).map_err(FormatError::Argument)? == 0)
    }

    /// The null pointer as a string: all of the text or nothing.
    fn print_null(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let text: &[u8] = b"(null)";
        let fits = job.precision.is_none_or(|precision| precision >= text.len());
        self.put_text(if fits { text } else { b"" }, job.padding)
    }

    fn print_pointer(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let pointer = self.pointer(job.spec.argument)?;
        match self.arguments.address(&pointer).map_err(FormatError::Argument)? {
            0 => self.put_text(b"(nil)", job.padding),
            address => {
                let spec = job.spec.as_hexadecimal();
                let number = integer::Number::address(address);
                self.put_integer(&Job { spec: &spec, ..*job }, number)
            }
        }
    }

    fn print_error_message(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let text: &[u8] = if job.spec.flags.alternate { b"0" } else { b"Success" };
        let length = job.precision.unwrap_or(text.len()).min(text.len());
        self.put_text(&text[..length], job.padding)
    }

    fn store_count(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let pointer = self.pointer(job.spec.argument)?;
        let size = job.spec.length.size(self.model);
        let count = self.output.count() as u64;
        self.arguments.store(&pointer, size, count).map_err(FormatError::Argument)
    }

    /// A conversion that there is not: what was understood of it, in a fixed order.
    fn print_unknown(&mut self, job: &Job<'_>) -> Done<A::Error> {
        let mut text = vec![b'%'];
        text.extend(job.spec.flags.text());
        if job.padding.left {
            text.push(b'-');
        }
        if job.padding.zero {
            text.push(b'0');
        }
        if job.spec.flags.other_digits {
            text.push(b'I');
        }
        if job.padding.width != 0 {
            text.extend(job.padding.width.to_string().bytes());
        }
        if let Some(precision) = job.precision {
            text.extend(format!(".{precision}").bytes());
        }
        text.extend(job.spec.conversion);
        self.output.put(&text)
    }
}

/// A conversion whose width and precision are known.
#[derive(Clone, Copy)]
struct Job<'a> {
    spec: &'a Spec,
    precision: Option<usize>,
    padding: Padding,
}

/// The bytes of wide characters. In the C locale there are no others than ASCII's.
fn narrow<E>(text: &[u32]) -> Result<Vec<u8>, FormatError<E>> {
    let narrow = |&character: &u32| match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => Ok(byte),
        _ => Err(FormatError::WideCharacter(character)),
    };
    text.iter().map(narrow).collect()
}
