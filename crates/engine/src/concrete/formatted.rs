//! Formatted input and output: what `crate::text` needs of memory and of the standard input.
//!
//! The arguments of a variadic call lie one behind the other in a block of memory, each at the next
//! multiple of a word.

use super::domain::{Concrete, Positions};
use super::halt::{Halt, Limit, internal, unsupported};
use super::input::ByteSource;
use super::interpreter::Stream;
use super::memory::{Address, Memory};
use super::{ConcreteValue, float::Number};
use crate::domain::World;
use crate::text::{
    self, Arguments, DataModel, FloatFormat, FormatError, Input, ScanError, Size, Stored, Target,
    Targets,
};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::types::{FloatType, Types};

/// A text that is longer stops the run.
const MAX_TEXT: usize = 1 << 28;

/// The arguments of a variadic call.
struct Variadic<'a> {
    types: &'a Types,
    memory: &'a mut Memory,
    model: DataModel,
    first: Address,
    next: Address,
    max_cells: u64,
}

impl Variadic<'_> {
    fn word(&self) -> usize {
        self.model.long().bytes()
    }

    /// Where the next argument of `size` bytes starts.
    fn slot(&mut self, size: usize) -> Result<Address, Box<Halt>> {
        let far = || unsupported("arguments far outside of their block");
        let start = usize::try_from(self.next.offset).map_err(|_| far())?;
        let end = start + size.next_multiple_of(self.word());
        let at = |offset: usize| i32::try_from(offset).map_err(|_| far());
        let slot = Address { offset: at(start)?, ..self.next };
        self.next = Address { offset: at(end)?, ..self.next };
        Ok(slot)
    }

    fn bits(&mut self, size: usize) -> Result<u128, Box<Halt>> {
        let slot = self.slot(size)?;
        let bytes = self.memory.read(slot, size).map_err(missing)?;
        let mut bits = [0; 16];
        bits[..size].copy_from_slice(&bytes);
        Ok(u128::from_le_bytes(bits))
    }

    fn pointer_in(&mut self, slot: Address) -> Result<Address, Box<Halt>> {
        match self.memory.read_pointer(self.types, slot).map_err(missing)? {
            Value::Pointer(pointer) => Ok(pointer),
            Value::Function(function) => Ok(Memory::function(function)),
            _ => Err(internal("a pointer was expected")),
        }
    }
}

/// What is wrong if an argument cannot be read.
fn missing(halt: Box<Halt>) -> Box<Halt> {
    match *halt {
        Halt::Failed { .. } => Box::new(Halt::Failed {
            kind: CheckKind::InvalidCall,
            detail: "the format wants more arguments than there are".to_owned(),
        }),
        other => Box::new(other),
    }
}

impl Arguments for Variadic<'_> {
    type Pointer = Address;
    type Error = Box<Halt>;

    fn integer(&mut self, size: Size) -> Result<u64, Box<Halt>> {
        Ok(self.bits(size.bytes())? as u64)
    }

    fn double(&mut self) -> Result<u64, Box<Halt>> {
        Ok(self.bits(8)? as u64)
    }

    fn long_double(&mut self) -> Result<u128, Box<Halt>> {
        let size = match self.model {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        };
        Ok(self.bits(size)? & ((1 << 80) - 1))
    }

    fn pointer(&mut self) -> Result<Address, Box<Halt>> {
        let word = self.word();
        let slot = self.slot(word)?;
        self.pointer_in(slot)
    }

    fn address(&mut self, pointer: &Address) -> Result<u64, Box<Halt>> {
        self.memory.address(*pointer)
    }

    fn string(&mut self, pointer: &Address, limit: Option<usize>) -> Result<Vec<u8>, Box<Halt>> {
        self.memory.read_text(*pointer, limit, 1)
    }

    fn wide_string(
        &mut self,
        pointer: &Address,
        limit: Option<usize>,
    ) -> Result<Vec<u32>, Box<Halt>> {
        let bytes = self.memory.read_text(*pointer, limit, 4)?;
        Ok(bytes.as_chunks().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect())
    }

    fn store(&mut self, pointer: &Address, size: Size, value: u64) -> Result<(), Box<Halt>> {
        self.memory.write(*pointer, &value.to_le_bytes()[..size.bytes()])
    }
}

impl Targets for Variadic<'_> {
    type Error = Box<Halt>;

    fn store(&mut self, target: Target, value: Stored<'_>) -> Result<(), Box<Halt>> {
        let to = match target {
            Target::Next => self.pointer()?,
            Target::Index(index) => {
                let next = self.next;
                self.next = self.first;
                let word = self.word();
                let slot = (0..=index).try_fold(self.first, |_, _| self.slot(word))?;
                self.next = next;
                self.pointer_in(slot)?
            }
        };
        match value {
            Stored::Integer { size, bits } => {
                self.memory.write(to, &bits.to_le_bytes()[..size.bytes()])
            }
            Stored::Address(address) => {
                let pointer = self.memory.pointer_at(&Integer::from(address))?;
                self.memory.write_pointer(self.types, to, pointer)
            }
            Stored::Float { format, bits } => {
                let size = match format {
                    FloatFormat::Single => 4,
                    FloatFormat::Double => 8,
                    FloatFormat::Extended => 10,
                };
                self.memory.write(to, &bits.to_le_bytes()[..size])
            }
            Stored::Bytes(bytes) => self.memory.write(to, bytes),
            Stored::Allocated(bytes) => {
                let object = self.memory.allocate_bytes(bytes, self.max_cells)?;
                self.memory.write_pointer(self.types, to, object)
            }
        }
    }
}

/// The standard input.
struct StandardInput<'a> {
    source: &'a mut dyn ByteSource,
    positions: &'a mut Positions,
}

impl Input for StandardInput<'_> {
    type Error = Box<Halt>;

    fn peek(&mut self) -> Result<Option<u8>, Box<Halt>> {
        Ok(self.source.byte(self.positions.bytes).map_err(Halt::Input)?)
    }

    fn advance(&mut self) -> Result<(), Box<Halt>> {
        self.positions.bytes += 1;
        Ok(())
    }
}

/// A text in memory.
struct Text {
    bytes: Vec<u8>,
    at: usize,
}

impl Input for Text {
    type Error = Box<Halt>;

    fn peek(&mut self) -> Result<Option<u8>, Box<Halt>> {
        Ok(self.bytes.get(self.at).copied())
    }

    fn advance(&mut self) -> Result<(), Box<Halt>> {
        self.at += 1;
        Ok(())
    }
}

impl Concrete {
    fn model(&self) -> DataModel {
        if self.word.bytes() == 4 { DataModel::Ilp32 } else { DataModel::Lp64 }
    }

    fn variadic<'a>(
        &self,
        types: &'a Types,
        memory: &'a mut Memory,
        first: Address,
    ) -> Variadic<'a> {
        let (model, max_cells) = (self.model(), self.max_cells);
        Variadic { types, memory, model, first, next: first, max_cells }
    }

    /// The text that `printf` makes, and the number that it returns.
    fn text(
        &mut self,
        world: World<'_, Concrete>,
        format: Address,
        arguments: Address,
    ) -> Result<(Vec<u8>, Integer), Box<Halt>> {
        let World { types, memory, .. } = world;
        let format = memory.read_text(format, None, 1)?;
        let options = text::Options { model: self.model(), limit: MAX_TEXT };
        let mut arguments = self.variadic(types, memory, arguments);
        let mut out = Vec::new();
        let result = match text::format(&format, &mut arguments, options, &mut out) {
            Ok(()) => Integer::from(out.len()),
            Err(
                FormatError::Incomplete | FormatError::Overflow | FormatError::WideCharacter(_),
            ) => Integer::from(-1),
            Err(FormatError::Argument(halt)) => return Err(halt),
            Err(FormatError::TooLong(_)) => {
                let cells = self.max_cells;
                return Err(Box::new(Halt::Limit(Limit::Memory { cells })));
            }
            Err(FormatError::Position(_) | FormatError::Conflict(_)) => {
                return Err(unsupported("a format whose meaning is undefined"));
            }
        };
        Ok((out, result))
    }

    pub(super) fn print(
        &mut self,
        world: World<'_, Concrete>,
        stream: Stream,
        format: Address,
        arguments: Address,
    ) -> Result<Integer, Box<Halt>> {
        let (text, result) = self.text(world, format, arguments)?;
        self.written.push((stream, text));
        Ok(result)
    }

    /// `size` bytes are there for the text; a number without end stands for as many as it takes.
    pub(super) fn format(
        &mut self,
        world: World<'_, Concrete>,
        (to, size): (Address, &Integer),
        format: Address,
        arguments: Address,
    ) -> Result<Integer, Box<Halt>> {
        let World { types, memory, streams } = world;
        let inner = World { types, memory: &mut *memory, streams };
        let (mut text, result) = self.text(inner, format, arguments)?;
        if size.is_zero() {
            return Ok(result);
        }
        // What does not fit in a `usize` is more than any text has.
        let room = size.to_usize().unwrap_or(usize::MAX);
        text.truncate(room - 1);
        text.push(0);
        memory.write(to, &text)?;
        Ok(result)
    }

    pub(super) fn scan(
        &mut self,
        world: World<'_, Concrete>,
        format: Address,
        arguments: Address,
    ) -> Result<Integer, Box<Halt>> {
        let World { types, memory, streams } = world;
        let format = memory.read_text(format, None, 1)?;
        let model = self.model();
        let mut targets = self.variadic(types, memory, arguments);
        let source = &mut *self.standard_input;
        let mut input = StandardInput { source, positions: streams };
        scanned(text::scan(&format, &mut input, &mut targets, model))
    }

    pub(super) fn scan_text(
        &mut self,
        world: World<'_, Concrete>,
        text: Address,
        format: Address,
        arguments: Address,
    ) -> Result<Integer, Box<Halt>> {
        let World { types, memory, .. } = world;
        let format = memory.read_text(format, None, 1)?;
        let mut input = Text { bytes: memory.read_text(text, None, 1)?, at: 0 };
        let model = self.model();
        let mut targets = self.variadic(types, memory, arguments);
        scanned(text::scan(&format, &mut input, &mut targets, model))
    }

    pub(super) fn parse_float(
        &mut self,
        world: World<'_, Concrete>,
        text: Address,
        end: Address,
    ) -> Result<ConcreteValue, Box<Halt>> {
        let World { types, memory, .. } = world;
        let bytes = memory.read_text(text, None, 1)?;
        let parsed = text::parse_float(&bytes, FloatFormat::Double);
        if !end.is_null() {
            let length = i32::try_from(parsed.length).unwrap_or(i32::MAX);
            let behind = Address { offset: text.offset.saturating_add(length), ..text };
            memory.write_pointer(types, end, Value::Pointer(behind))?;
        }
        Ok(Number::from_bits(parsed.bits, FloatType::F64).value())
    }
}

fn scanned(result: Result<i32, ScanError<Box<Halt>>>) -> Result<Integer, Box<Halt>> {
    match result {
        Ok(count) => Ok(Integer::from(count)),
        Err(ScanError::Access(halt)) => Err(halt),
        Err(ScanError::WideCharacter) => {
            Err(unsupported("a byte outside ASCII in a set of wide characters"))
        }
    }
}
