//! Formatted input and output.
//!
//! [`loupe_engine::text`] works on numbers, so it is run with stand-ins for what depends on inputs, and what
//! it asks for is recorded. That says what is put out for any inputs, and how long it is (`lengths`): which
//! arguments are asked does not depend on their values, except by widths and precisions among them, which
//! must be known.

use super::floats::UNKNOWN;
use super::lengths::bits;
use super::{Outcome, Symbolic};
use crate::halt::{Halt, internal, unsupported};
use crate::memory::Memory;
use crate::output::{Argument, Output};
use crate::value::{Float, Int, Pointer, SymbolicValue};
use loupe_engine::domain::{Domain, World};
use loupe_engine::text::{
    self, Arguments, DataModel, FloatFormat, FormatError, Input, ScanError, Size, Stored, Target,
    Targets,
};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::types::{FloatType, IntType, TypeId, Types};
use loupe_ir::validate::ValueType;

use super::streams::Streams;

/// A text that is longer ends the path.
pub(super) const MAX_TEXT: usize = 1 << 24;
/// What a byte can be, and the end.
const BYTES: usize = 257;
/// A number in a text may be one of so many.
const MAX_NUMBERS: usize = 64;

/// The arguments of a variadic call: one behind the other in a block of memory, each at the next multiple
/// of a word.
struct Variadic<'a> {
    domain: &'a mut Symbolic,
    types: &'a Types,
    memory: &'a mut Memory,
    first: Pointer,
    next: Pointer,
    /// What a number that depends on inputs becomes.
    numbers: Numbers,
    /// What has been asked for.
    asked: Vec<Argument>,
}

/// What a number that depends on inputs becomes, in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// It stays one.
    Symbolic,
    /// It must be known.
    Known,
}

/// What is wrong if an argument cannot be read.
fn missing(mut halt: Box<Halt>) -> Box<Halt> {
    if let Halt::Failed { kind, detail } = &mut *halt {
        *kind = CheckKind::InvalidCall;
        *detail = "the format wants more arguments than there are".to_owned();
    }
    halt
}

impl Variadic<'_> {
    /// Where the next argument of `size` bytes starts.
    fn slot(&mut self, size: u64) -> Outcome<Pointer> {
        let word = self.domain.space.word;
        let start = self.domain.one_number(&self.next.offset)?;
        let far = || unsupported("arguments far outside of their block");
        let start = (start.to_usize().ok_or_else(far)? as u64).next_multiple_of(word);
        let end = start + size.next_multiple_of(word);
        let at = |offset: u64| Pointer {
            object: self.first.object,
            offset: Int::Known(Integer::from(offset)),
        };
        let slot = at(start);
        self.next = at(end);
        Ok(slot)
    }

    fn read(&mut self, ty: ValueType, size: u64) -> Outcome<SymbolicValue> {
        let slot = self.slot(size)?;
        self.domain.read_raw(self.types, self.memory, &slot, (ty, size)).map_err(missing)
    }

    fn pointer_in(&mut self, slot: &Pointer) -> Outcome<Pointer> {
        let what = (ValueType::Pointer(TypeId::ANY), self.domain.space.word);
        match self.domain.read_raw(self.types, self.memory, slot, what).map_err(missing)? {
            Value::Pointer(pointer) => Ok(pointer),
            Value::Function(function) => Ok(self.domain.function(function)),
            _ => Err(internal("a pointer was expected")),
        }
    }

    fn note_text(&mut self, argument: usize, characters: &[Int]) {
        if let Some(Argument::Pointer { text, .. }) = self.asked.get_mut(argument) {
            *text = characters.to_vec();
        }
    }
}

impl Arguments for Variadic<'_> {
    /// The pointer, and which argument it is.
    type Pointer = (Pointer, usize);
    type Error = Box<Halt>;

    fn integer(&mut self, size: Size) -> Outcome<u64> {
        let ty = IntType::signed(size.bytes() as u32 * 8);
        let Value::Int(mut number) = self.read(ValueType::Int(ty), size.bytes() as u64)? else {
            return Err(internal("an integer was expected"));
        };
        if self.numbers == Numbers::Known {
            number = Int::Known(self.domain.one_of(&number, MAX_NUMBERS)?);
        }
        let bits = stand_in(&number, 0);
        self.asked.push(Argument::Integer(size, number));
        Ok(bits)
    }

    fn double(&mut self) -> Outcome<u64> {
        let value = self.read(ValueType::Float(FloatType::F64), 8)?;
        let bits = float_bits(&value, FloatType::F64)? as u64;
        self.asked.push(Argument::Float(value));
        Ok(bits)
    }

    fn long_double(&mut self) -> Outcome<u128> {
        let size = if self.domain.space.word == 4 { 12 } else { 16 };
        let value = self.read(ValueType::Float(FloatType::F80), size)?;
        let bits = float_bits(&value, FloatType::F80)?;
        self.asked.push(Argument::Float(value));
        Ok(bits)
    }

    fn pointer(&mut self) -> Outcome<(Pointer, usize)> {
        let slot = self.slot(self.domain.space.word)?;
        let pointer = self.pointer_in(&slot)?;
        self.asked.push(Argument::Pointer { address: Int::ZERO, text: Vec::new() });
        Ok((pointer, self.asked.len() - 1))
    }

    fn address(&mut self, (pointer, argument): &(Pointer, usize)) -> Outcome<u64> {
        let number = self.domain.address_of(self.memory, pointer)?;
        let number = match pointer.object {
            // That it is not null is all that is asked of a text.
            Some(_) if self.numbers == Numbers::Symbolic => number,
            _ => Int::Known(self.domain.one_of(&number, MAX_NUMBERS)?),
        };
        let bits = stand_in(&number, 1);
        if let Some(Argument::Pointer { address, .. }) = self.asked.get_mut(*argument) {
            *address = number;
        }
        Ok(bits)
    }

    fn string(
        &mut self,
        (pointer, argument): &(Pointer, usize),
        limit: Option<usize>,
    ) -> Outcome<Vec<u8>> {
        let text = self.domain.read_text(self.types, self.memory, pointer, limit, 1)?;
        self.note_text(*argument, &text);
        Ok(text.iter().map(|byte| stand_in(byte, u64::from(b'A')) as u8).collect())
    }

    fn wide_string(
        &mut self,
        (pointer, argument): &(Pointer, usize),
        limit: Option<usize>,
    ) -> Outcome<Vec<u32>> {
        let text = self.domain.read_text(self.types, self.memory, pointer, limit, 4)?;
        let text: Outcome<Vec<Integer>> =
            text.iter().map(|character| self.domain.one_of(character, MAX_NUMBERS)).collect();
        let text: Vec<Int> = text?.into_iter().map(Int::Known).collect();
        self.note_text(*argument, &text);
        Ok(text.iter().map(|character| stand_in(character, 0) as u32).collect())
    }

    fn store(&mut self, (pointer, _): &(Pointer, usize), size: Size, value: u64) -> Outcome<()> {
        if self.asked.iter().any(|argument| matches!(argument, Argument::Integer(_, Int::Term(_))))
        {
            return Err(unsupported("`%n` behind a number that depends on inputs"));
        }
        let number = (size.bytes() as u64, &Integer::from(value));
        self.domain.write_number(self.types, self.memory, pointer, number)
    }
}

/// The bits of a number, or what stands for it.
fn stand_in(number: &Int, otherwise: u64) -> u64 {
    match number {
        Int::Known(number) => bits(number),
        Int::Term(_) => otherwise,
    }
}

/// The bits of a floating point number, which must be known: how long its text is depends on all of it.
fn float_bits(value: &SymbolicValue, ty: FloatType) -> Outcome<u128> {
    match value {
        Value::Float(Float::Unknown) | Value::LongFloat(Float::Unknown) => {
            Err(unsupported(UNKNOWN))
        }
        value => match Symbolic::number(value, ty)? {
            Some(number) => Ok(number.bits()),
            None => Err(unsupported(UNKNOWN)),
        },
    }
}

impl Targets for Variadic<'_> {
    type Error = Box<Halt>;

    fn store(&mut self, target: Target, value: Stored<'_>) -> Outcome<()> {
        let to = match target {
            Target::Next => self.pointer()?.0,
            Target::Index(index) => {
                let next = std::mem::replace(&mut self.next, self.first.clone());
                let mut slot = self.first.clone();
                for _ in 0..=index {
                    slot = self.slot(self.domain.space.word)?;
                }
                self.next = next;
                self.pointer_in(&slot)?
            }
        };
        let Variadic { domain, types, memory, .. } = self;
        match value {
            Stored::Integer { size, bits } => {
                let number = (size.bytes() as u64, &Integer::from(bits));
                domain.write_number(types, memory, &to, number)
            }
            Stored::Address(address) => {
                let pointer = domain.at_address(memory, &Int::Known(Integer::from(address)))?;
                domain.write_pointer(types, memory, &to, pointer)
            }
            Stored::Float { format, bits } => {
                let size = match format {
                    FloatFormat::Single => 4,
                    FloatFormat::Double => 8,
                    FloatFormat::Extended => 10,
                };
                let (high, low) = ((bits >> 64) as u64, bits as u64);
                let bits = Integer::from(high).shift_left(64).add(&Integer::from(low));
                domain.write_number(types, memory, &to, (size, &bits))
            }
            Stored::Bytes(bytes) => {
                let bytes: Vec<Int> =
                    bytes.iter().map(|byte| Int::Known(Integer::from(*byte))).collect();
                domain.write_bytes(types, memory, &to, &bytes)
            }
            Stored::Allocated(bytes) => {
                let object = memory.new_bytes(bytes)?;
                domain.write_pointer(types, memory, &to, Value::Pointer(object))
            }
        }
    }
}

/// Formatted text, with stand-ins for what depends on inputs.
struct Printed {
    format: Vec<u8>,
    arguments: Vec<Argument>,
    /// The text.
    text: Vec<u8>,
    /// What `printf` returns.
    result: Int,
}

/// The bytes of something that is to be scanned, which are made known one by one.
enum Scanned<'a> {
    Standard(&'a mut Streams),
    Text(Vec<Int>, usize),
}

/// The input of a scan. It and the targets both need the domain; so what is read is taken beforehand for a
/// text, and for the standard input as much as it turns out to need.
struct Known {
    bytes: Vec<u8>,
    /// Whether nothing comes behind these.
    is_all: bool,
    at: usize,
}

impl Input for Known {
    type Error = Box<Halt>;

    fn peek(&mut self) -> Outcome<Option<u8>> {
        match self.bytes.get(self.at) {
            None if !self.is_all => Err(Box::new(Halt::Limit(MORE.to_owned()))),
            byte => Ok(byte.copied()),
        }
    }

    fn advance(&mut self) -> Outcome<()> {
        self.at += 1;
        Ok(())
    }
}

/// More input is needed.
const MORE: &str = "more of the standard input";

impl Symbolic {
    pub(super) fn data_model(&self) -> DataModel {
        if self.space.word == 4 { DataModel::Ilp32 } else { DataModel::Lp64 }
    }

    /// The text at a pointer, which must be known.
    fn known_text(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
    ) -> Outcome<Vec<u8>> {
        let text = self.read_text(types, memory, pointer, None, 1)?;
        text.iter()
            .map(|byte| Ok(stand_in(&Int::Known(self.one_of(byte, BYTES)?), 0) as u8))
            .collect()
    }

    fn printed(
        &mut self,
        (types, memory): (&Types, &mut Memory),
        format: &Pointer,
        first: &Pointer,
        numbers: Numbers,
    ) -> Outcome<Printed> {
        let format = self.known_text(types, memory, format)?;
        let options = text::Options { model: self.data_model(), limit: MAX_TEXT };
        // What is asked, or whether it fails, depends on numbers only here.
        let is_special = format.iter().any(|byte| b"*pCS$".contains(byte))
            || format.windows(2).any(|pair| pair == b"lc");
        let numbers = if is_special { Numbers::Known } else { numbers };
        let mut arguments = Variadic {
            domain: self,
            types,
            memory,
            first: first.clone(),
            next: first.clone(),
            numbers,
            asked: Vec::new(),
        };
        let mut text = Vec::new();
        let result = match text::format(&format, &mut arguments, options, &mut text) {
            Ok(()) => Integer::from(text.len()),
            Err(
                FormatError::Incomplete | FormatError::Overflow | FormatError::WideCharacter(_),
            ) => Integer::from(-1),
            Err(FormatError::Argument(halt)) => return Err(halt),
            Err(FormatError::TooLong(_)) => {
                return Err(Box::new(Halt::Limit(format!("a text of more than {MAX_TEXT} bytes"))));
            }
            Err(FormatError::Position(_) | FormatError::Conflict(_)) => {
                return Err(unsupported("a format whose meaning is undefined"));
            }
        };
        let arguments = arguments.asked;
        Ok(Printed { format, arguments, text, result: Int::Known(result) })
    }

    pub(super) fn print(
        &mut self,
        world: World<'_, Symbolic>,
        stream: &Int,
        format: &Pointer,
        arguments: &Pointer,
    ) -> Outcome<Int> {
        let World { types, memory, .. } = world;
        let printed = self.printed((types, memory), format, arguments, Numbers::Symbolic)?;
        let Printed { format, arguments, result, .. } = printed;
        let length = match result.known().is_some_and(Integer::is_negative) {
            true => result,
            false => self.length_of(&format, &arguments, result)?,
        };
        self.written.push(Output::Text { stream: stream.clone(), format, arguments });
        Ok(length)
    }

    /// `size` bytes are there for the text; a number without end stands for as many as it takes.
    pub(super) fn print_to(
        &mut self,
        world: World<'_, Symbolic>,
        (to, size): (Pointer, Int),
        format: &Pointer,
        arguments: &Pointer,
    ) -> Outcome<Int> {
        let World { types, memory, .. } = world;
        let printed = self.printed((types, memory), format, arguments, Numbers::Known)?;
        let size = self.one_number(&size)?;
        if size.is_zero() {
            return Ok(printed.result);
        }
        let mut bytes = self.places_of(&printed.format, &printed.arguments, &printed.text)?;
        bytes.truncate(size.to_usize().unwrap_or(usize::MAX) - 1);
        bytes.push(Int::ZERO);
        self.write_bytes(types, memory, &to, &bytes)?;
        Ok(printed.result)
    }

    /// Scans the text at a pointer, or the standard input.
    pub(super) fn scan(
        &mut self,
        world: World<'_, Symbolic>,
        from: Option<&Pointer>,
        format: &Pointer,
        first: &Pointer,
    ) -> Outcome<Int> {
        let World { types, memory, streams } = world;
        let format = self.known_text(types, memory, format)?;
        let mut source = match from {
            Some(text) => {
                let text = self.read_text(types, memory, text, None, 1)?;
                Scanned::Text(text, 0)
            }
            None => Scanned::Standard(streams),
        };
        let mut input = Known { bytes: Vec::new(), is_all: false, at: 0 };
        loop {
            let mut copy = memory.clone();
            let (next, numbers) = (first.clone(), Numbers::Known);
            let mut targets = Variadic {
                domain: self,
                types,
                memory: &mut copy,
                first: first.clone(),
                next,
                numbers,
                asked: Vec::new(),
            };
            let model = targets.domain.data_model();
            input.at = 0;
            match text::scan(&format, &mut input, &mut targets, model) {
                Ok(count) => {
                    *memory = copy;
                    if let Scanned::Standard(streams) = source {
                        streams.take(input.at, input.bytes.len());
                    }
                    return Ok(Int::Known(Integer::from(count)));
                }
                Err(ScanError::WideCharacter) => {
                    return Err(unsupported("a byte outside ASCII in a set of wide characters"));
                }
                Err(ScanError::Access(halt)) => match &*halt {
                    Halt::Limit(what) if what == MORE => {}
                    _ => return Err(halt),
                },
            }
            match self.next_scanned(&mut source)? {
                Some(byte) => input.bytes.push(byte),
                None => input.is_all = true,
            }
        }
    }

    /// The next byte of what is scanned, which must be known.
    fn next_scanned(&mut self, source: &mut Scanned<'_>) -> Outcome<Option<u8>> {
        let byte = match source {
            Scanned::Text(text, at) => {
                let Some(byte) = text.get(*at).cloned() else { return Ok(None) };
                *at += 1;
                byte
            }
            Scanned::Standard(streams) => self.next_byte(streams)?,
        };
        let byte = self.one_of(&byte, BYTES)?;
        Ok(byte.to_usize().and_then(|byte| u8::try_from(byte).ok()))
    }

    pub(super) fn parse_float(
        &mut self,
        world: World<'_, Symbolic>,
        text: &Pointer,
        end: &Pointer,
    ) -> Outcome<SymbolicValue> {
        let World { types, memory, .. } = world;
        let bytes = self.known_text(types, memory, text)?;
        let parsed = text::parse_float(&bytes, FloatFormat::Double);
        let null = self.is_null(memory, end);
        if !self.one_truth(null)? {
            let length = Int::Known(Integer::from(parsed.length));
            let offset = self.sum(&text.offset, &length);
            let behind = Value::Pointer(Pointer { object: text.object, offset });
            self.write_pointer(types, memory, end, behind)?;
        }
        Ok(self.float(parsed.bits, FloatType::F64))
    }
}
