//! C's `printf`, `scanf` and `strtod` over the memory of a run.
//!
//! [`crate::text`] knows the formats; this module reads arguments from where variadic calls put them and
//! strings from where pointers lead. A pointer that leads nowhere fails like one that the program follows
//! itself.

use super::domain::Concrete;
use super::float::Number;
use super::halt::{Halt, internal, unsupported};
use super::interpreter::Stream;
use super::{Address, ConcreteValue, Memory, Positions};
use crate::domain::{Access, Domain, Right, World};
use crate::text::{
    self, Arguments, DataModel, FloatFormat, FormatError, Input, ScanError, Size, Stored, Target,
    Targets,
};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::types::{FloatType, IntType, TypeId, Types};
use loupe_ir::validate::ValueType;
use std::cell::RefCell;

/// Longer output of one call is refused.
const MAX_OUTPUT: usize = 1 << 26;

type Result<T> = std::result::Result<T, Box<Halt>>;

/// The memory of a run, with what is needed to read and write it.
pub(super) struct Place<'a> {
    domain: &'a mut Concrete,
    types: &'a Types,
    memory: &'a mut Memory,
    positions: &'a mut Positions,
}

impl<'a> Place<'a> {
    pub(super) fn new(domain: &'a mut Concrete, world: World<'a, Concrete>) -> Self {
        Place { domain, types: world.types, memory: world.memory, positions: world.streams }
    }

    fn model(&self) -> DataModel {
        if self.types.pointer_size() == 4 { DataModel::Ilp32 } else { DataModel::Lp64 }
    }

    fn moved(&self, pointer: Address, bytes: usize) -> Result<Address> {
        let offset = i32::try_from(bytes).ok().and_then(|bytes| pointer.offset.checked_add(bytes));
        let offset = offset.ok_or_else(|| unsupported("a pointer beyond the address space"))?;
        Ok(Address { offset, ..pointer })
    }

    /// That so many bytes can be read or written.
    fn check(&mut self, pointer: Address, count: usize, right: Right) -> Result<()> {
        let count = Integer::from(count);
        if self.domain.accessible(self.memory, &pointer, &count, right) {
            return Ok(());
        }
        let detail = if pointer.is_null() {
            "the C library follows a null pointer here"
        } else {
            "the C library accesses memory here that is not there"
        };
        let kind =
            if pointer.is_null() { CheckKind::NullDereference } else { CheckKind::InvalidAccess };
        Err(Box::new(Halt::Failed { kind, detail: detail.to_owned() }))
    }

    fn load(&mut self, pointer: Address, ty: ValueType, size: usize) -> Result<ConcreteValue> {
        self.check(pointer, size, Right::Read)?;
        self.domain.load(self.types, self.memory, &Access { pointer, ty, first_bit: None })
    }

    fn load_bits(&mut self, pointer: Address, width: u32) -> Result<u128> {
        let ty = ValueType::Int(IntType::unsigned(width));
        match self.load(pointer, ty, width as usize / 8)? {
            Value::Int(number) => Ok(super::float::to_u128(&number)),
            _ => Err(internal("bytes that are no number")),
        }
    }

    fn store(
        &mut self,
        pointer: Address,
        ty: ValueType,
        size: usize,
        value: ConcreteValue,
    ) -> Result<()> {
        self.check(pointer, size, Right::Write)?;
        let access = Access { pointer, ty, first_bit: None };
        self.domain.store(self.types, self.memory, &access, value)
    }

    fn store_bits(&mut self, pointer: Address, size: usize, bits: u64) -> Result<()> {
        let ty = ValueType::Int(IntType::unsigned(size as u32 * 8));
        self.store(pointer, ty, size, Value::Int(Integer::from(bits)))
    }

    fn store_bytes(&mut self, pointer: Address, bytes: &[u8]) -> Result<()> {
        for (at, byte) in bytes.iter().enumerate() {
            let pointer = self.moved(pointer, at)?;
            self.store_bits(pointer, 1, u64::from(*byte))?;
        }
        Ok(())
    }

    /// The units of a text up to a zero, or so many.
    fn text(&mut self, pointer: Address, unit: usize, limit: Option<usize>) -> Result<Vec<u32>> {
        let mut units = Vec::new();
        while limit.is_none_or(|limit| units.len() < limit) {
            let at = self.moved(pointer, units.len() * unit)?;
            let value = self.load_bits(at, unit as u32 * 8)? as u32;
            if value == 0 {
                break;
            }
            units.push(value);
            if units.len() > MAX_OUTPUT {
                return Err(unsupported("a text of this length"));
            }
        }
        Ok(units)
    }

    fn string(&mut self, pointer: Address) -> Result<Vec<u8>> {
        let units = self.text(pointer, 1, None)?;
        Ok(units.into_iter().map(|unit| unit as u8).collect())
    }

    fn address(&mut self, pointer: &ConcreteValue) -> Result<u64> {
        match pointer {
            Value::Pointer(pointer) => self.memory.address(*pointer),
            Value::Function(function) => self.memory.address(Memory::function(*function)),
            _ => Err(internal("a pointer that is none")),
        }
    }
}

fn pointer(value: &ConcreteValue) -> Result<Address> {
    match value {
        Value::Pointer(pointer) => Ok(*pointer),
        Value::Function(function) => Ok(Memory::function(*function)),
        _ => Err(internal("a pointer that is none")),
    }
}

/// The arguments behind the declared ones.
struct List<'p, 'a> {
    place: &'p RefCell<Place<'a>>,
    at: Address,
    start: Address,
}

impl List<'_, '_> {
    fn word(&self) -> usize {
        self.place.borrow().types.pointer_size() as usize
    }

    /// The next argument of so many bytes.
    fn take(&mut self, size: usize, alignment: usize) -> Result<Address> {
        let passed = (self.at.offset - self.start.offset) as usize;
        let gap = passed.next_multiple_of(alignment) - passed;
        let at = self.place.borrow().moved(self.at, gap)?;
        self.at = self.place.borrow().moved(at, size.next_multiple_of(self.word()))?;
        Ok(at)
    }

    fn pointer_at(&mut self, at: Address) -> Result<ConcreteValue> {
        let size = self.word();
        self.place.borrow_mut().load(at, ValueType::Pointer(TypeId::ANY), size)
    }
}

impl Arguments for List<'_, '_> {
    type Pointer = ConcreteValue;
    type Error = Box<Halt>;

    fn integer(&mut self, size: Size) -> Result<u64> {
        let at = self.take(size.bytes(), self.word())?;
        Ok(self.place.borrow_mut().load_bits(at, size.bytes() as u32 * 8)? as u64)
    }

    fn double(&mut self) -> Result<u64> {
        let at = self.take(8, self.word())?;
        Ok(self.place.borrow_mut().load_bits(at, 64)? as u64)
    }

    fn long_double(&mut self) -> Result<u128> {
        let (size, alignment) = if self.word() == 8 { (16, 16) } else { (12, 4) };
        let at = self.take(size, alignment)?;
        self.place.borrow_mut().load_bits(at, 80)
    }

    fn pointer(&mut self) -> Result<ConcreteValue> {
        let at = self.take(self.word(), self.word())?;
        self.pointer_at(at)
    }

    fn address(&mut self, pointer: &ConcreteValue) -> Result<u64> {
        self.place.borrow_mut().address(pointer)
    }

    fn string(&mut self, value: &ConcreteValue, limit: Option<usize>) -> Result<Vec<u8>> {
        let units = self.place.borrow_mut().text(pointer(value)?, 1, limit)?;
        Ok(units.into_iter().map(|unit| unit as u8).collect())
    }

    fn wide_string(&mut self, value: &ConcreteValue, limit: Option<usize>) -> Result<Vec<u32>> {
        self.place.borrow_mut().text(pointer(value)?, 4, limit)
    }

    fn store(&mut self, value: &ConcreteValue, size: Size, bits: u64) -> Result<()> {
        self.place.borrow_mut().store_bits(pointer(value)?, size.bytes(), bits)
    }
}

impl Targets for List<'_, '_> {
    type Error = Box<Halt>;

    fn store(&mut self, target: Target, stored: Stored<'_>) -> Result<()> {
        let at = match target {
            Target::Next => self.take(self.word(), self.word())?,
            Target::Index(number) => self.place.borrow().moved(self.start, number * self.word())?,
        };
        let value = self.pointer_at(at)?;
        let to = pointer(&value)?;
        let mut place = self.place.borrow_mut();
        match stored {
            Stored::Integer { size, bits } => place.store_bits(to, size.bytes(), bits),
            Stored::Address(address) => {
                let value = place.memory.pointer_at(&Integer::from(address))?;
                let size = place.types.pointer_size() as usize;
                place.store(to, ValueType::Pointer(TypeId::ANY), size, value)
            }
            Stored::Float { format, bits } => {
                let (ty, size) = match format {
                    FloatFormat::Single => (FloatType::F32, 4),
                    FloatFormat::Double => (FloatType::F64, 8),
                    FloatFormat::Extended => (FloatType::F80, 10),
                };
                let number = Number::from_bits(bits, ty).value();
                place.store(to, ValueType::Float(ty), size, number)
            }
            Stored::Bytes(bytes) => place.store_bytes(to, bytes),
            Stored::Allocated(_) => Err(unsupported("`%m` in `scanf`")),
        }
    }
}

/// The standard input.
struct StandardInput<'p, 'a>(&'p RefCell<Place<'a>>);

impl Input for StandardInput<'_, '_> {
    type Error = Box<Halt>;

    fn peek(&mut self) -> Result<Option<u8>> {
        let place = &mut *self.0.borrow_mut();
        let at = place.positions.bytes;
        Ok(place.domain.standard_input.get(at).map_err(Halt::Input)?)
    }

    fn advance(&mut self) -> Result<()> {
        self.0.borrow_mut().positions.bytes += 1;
        Ok(())
    }
}

/// A text that is read.
struct Text {
    bytes: Vec<u8>,
    at: usize,
}

impl Input for Text {
    type Error = Box<Halt>;

    fn peek(&mut self) -> Result<Option<u8>> {
        Ok(self.bytes.get(self.at).copied())
    }

    fn advance(&mut self) -> Result<()> {
        self.at += 1;
        Ok(())
    }
}

/// The formatted text; `None` if `printf` would return -1 after this much of it.
fn formatted(place: Place<'_>, format: Address, list: Address) -> Result<(Vec<u8>, bool)> {
    let place = RefCell::new(place);
    let format = place.borrow_mut().string(format)?;
    let options = text::Options { model: place.borrow().model(), limit: MAX_OUTPUT };
    let mut arguments = List { place: &place, at: list, start: list };
    let mut out = Vec::new();
    match text::format(&format, &mut arguments, options, &mut out) {
        Ok(()) => Ok((out, true)),
        Err(FormatError::Argument(halt)) => Err(halt),
        Err(FormatError::Incomplete | FormatError::Overflow | FormatError::WideCharacter(_)) => {
            Ok((out, false))
        }
        Err(FormatError::TooLong(_)) => Err(unsupported("an output of this length")),
        Err(FormatError::Position(_) | FormatError::Conflict(_)) => {
            Err(unsupported("this format of `printf`"))
        }
    }
}

fn count(number: usize, is_good: bool) -> ConcreteValue {
    let good = i32::try_from(number).ok().filter(|_| is_good);
    Value::Int(Integer::from(good.unwrap_or(-1)))
}

impl Concrete {
    /// `vfprintf`
    pub(super) fn print(
        &mut self,
        world: World<'_, Concrete>,
        stream: Stream,
        format: Address,
        list: Address,
    ) -> Result<ConcreteValue> {
        let (out, is_good) = formatted(Place::new(self, world), format, list)?;
        let result = count(out.len(), is_good);
        self.written.push((stream, out));
        Ok(result)
    }

    /// `vsnprintf`
    pub(super) fn format_into(
        &mut self,
        world: World<'_, Concrete>,
        (to, size): (Address, &Integer),
        format: Address,
        list: Address,
    ) -> Result<ConcreteValue> {
        let World { types, memory, streams } = world;
        let inner = World { types, memory: &mut *memory, streams: &mut *streams };
        let (mut out, is_good) = formatted(Place::new(self, inner), format, list)?;
        let result = count(out.len(), is_good);
        // Any size beyond the text is enough, and `(size_t)-1` says that there is no limit.
        let room = size.to_usize().unwrap_or(usize::MAX);
        if let Some(most) = room.checked_sub(1) {
            out.truncate(most);
            out.push(0);
            Place::new(self, World { types, memory, streams }).store_bytes(to, &out)?;
        }
        Ok(result)
    }

    /// `vscanf`, or `vsscanf` if there is a text.
    pub(super) fn scan(
        &mut self,
        world: World<'_, Concrete>,
        source: Option<Address>,
        format: Address,
        list: Address,
    ) -> Result<ConcreteValue> {
        let place = RefCell::new(Place::new(self, world));
        let format = place.borrow_mut().string(format)?;
        let model = place.borrow().model();
        let mut targets = List { place: &place, at: list, start: list };
        let result = match source {
            None => text::scan(&format, &mut StandardInput(&place), &mut targets, model),
            Some(source) => {
                let bytes = place.borrow_mut().string(source)?;
                text::scan(&format, &mut Text { bytes, at: 0 }, &mut targets, model)
            }
        };
        match result {
            Ok(count) => Ok(Value::Int(Integer::from(count))),
            Err(ScanError::Access(halt)) => Err(halt),
            Err(ScanError::WideCharacter) => Err(unsupported("wide characters in `scanf`")),
        }
    }

    /// `strtod`
    pub(super) fn parse_float(
        &mut self,
        world: World<'_, Concrete>,
        source: Address,
        end: Address,
    ) -> Result<ConcreteValue> {
        let mut place = Place::new(self, world);
        let bytes = place.string(source)?;
        let parsed = text::parse_float(&bytes, FloatFormat::Double);
        if !end.is_null() {
            let behind = place.moved(source, parsed.length)?;
            let size = place.types.pointer_size() as usize;
            let ty = ValueType::Pointer(TypeId::ANY);
            place.store(end, ty, size, Value::Pointer(behind))?;
        }
        Ok(Number::from_bits(parsed.bits, FloatType::F64).value())
    }
}
