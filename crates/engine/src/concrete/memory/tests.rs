//! Blocks of bytes against a naive model: every bit on its own, and every byte of a pointer known by name.

use super::*;
use crate::concrete::halt::Halt;
use crate::domain::Access;
use crate::value::Value;
use loupe_ir::program::{Block as BasicBlock, Function, FunctionId, Terminator, TerminatorKind};
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_ir::types::{FloatType, IntType};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The sizes of the objects.
const SIZES: [usize; 3] = [24, 40, 9];

/// Something that is done to memory.
#[derive(Clone, Debug)]
enum Action {
    StoreInt { to: Where, bytes: usize, value: i64 },
    StoreBits { to: Where, first: usize, width: usize, value: i64 },
    StoreFloat { to: Where, format: FloatType, bits: u128 },
    StorePointer { to: Where, target: Where },
    StoreFunction { to: Where },
    StoreAbsolute { to: Where, address: i32 },
    Copy { to: Where, from: Where, count: usize },
    ThroughValue { to: Where, from: Where, count: usize },
    Fill { to: Where, byte: u8, count: usize },
    Forget { to: Where, bytes: usize },
    Expose(usize),
}

/// An object and an offset, neither of which need exist.
#[derive(Clone, Copy, Debug)]
struct Where {
    object: usize,
    offset: usize,
}

impl Where {
    /// So that `size` bytes fit; `None` if they cannot.
    fn fit(self, size: usize) -> Option<(usize, usize)> {
        let object = self.object % SIZES.len();
        let last = SIZES[object].checked_sub(size)?;
        Some((object, self.offset % (last + 1)))
    }
}

fn places() -> impl Strategy<Value = Where> {
    // Half of them where pointers are.
    let offset =
        prop_oneof![0usize..64, (0usize..6).prop_map(|i| 8 * i), (0usize..10).prop_map(|i| 4 * i)];
    (0usize..3, offset).prop_map(|(object, offset)| Where { object, offset })
}

fn actions() -> impl Strategy<Value = Action> {
    let value = prop_oneof![any::<i64>(), -2i64..3];
    let format = prop_oneof![Just(FloatType::F32), Just(FloatType::F64), Just(FloatType::F80)];
    prop_oneof![
        2 => (places(), 1usize..=8, value.clone())
            .prop_map(|(to, bytes, value)| Action::StoreInt { to, bytes, value }),
        2 => (places(), 0usize..20, 1usize..64, value)
            .prop_map(|(to, first, width, value)| Action::StoreBits { to, first, width, value }),
        1 => (places(), format, any::<u128>())
            .prop_map(|(to, format, bits)| Action::StoreFloat { to, format, bits }),
        4 => (places(), places()).prop_map(|(to, target)| Action::StorePointer { to, target }),
        1 => places().prop_map(|to| Action::StoreFunction { to }),
        1 => (places(), any::<i32>())
            .prop_map(|(to, address)| Action::StoreAbsolute { to, address }),
        4 => (places(), places(), 0usize..24)
            .prop_map(|(to, from, count)| Action::Copy { to, from, count }),
        2 => (places(), places(), 1usize..24)
            .prop_map(|(to, from, count)| Action::ThroughValue { to, from, count }),
        1 => (places(), any::<u8>(), 0usize..24)
            .prop_map(|(to, byte, count)| Action::Fill { to, byte, count }),
        1 => (places(), 1usize..8).prop_map(|(to, bytes)| Action::Forget { to, bytes }),
        1 => (0usize..3).prop_map(Action::Expose),
    ]
}

/// A pointer of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Object(usize, usize),
    Function,
}

/// A byte of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Byte {
    Number(u8),
    /// The byte with this number of a pointer.
    Of(Target, usize),
}

/// What each byte is, and which of its bits have been written.
struct Model {
    word: usize,
    bytes: BTreeMap<(usize, usize), (Byte, u8)>,
}

impl Model {
    fn new(word: usize) -> Self {
        let mut bytes = BTreeMap::new();
        for (object, size) in SIZES.iter().enumerate() {
            bytes.extend((0..*size).map(|at| ((object, at), (Byte::Number(0), 0))));
        }
        Model { word, bytes }
    }

    fn put(&mut self, (object, at): (usize, usize), bytes: impl IntoIterator<Item = (Byte, u8)>) {
        for (i, byte) in bytes.into_iter().enumerate() {
            *self.bytes.get_mut(&(object, at + i)).expect("it fits") = byte;
        }
    }

    fn get(&self, (object, at): (usize, usize), count: usize) -> Vec<(Byte, u8)> {
        (at..at + count).map(|at| self.bytes[&(object, at)]).collect()
    }

    fn numbers(&mut self, place: (usize, usize), bytes: &[u8]) {
        self.put(place, bytes.iter().map(|byte| (Byte::Number(*byte), 0xff)));
    }

    fn pointer(&mut self, place: (usize, usize), target: Target) {
        let word = self.word;
        self.put(place, (0..word).map(|i| (Byte::Of(target, i), 0xff)));
    }

    /// The number that a byte is.
    fn number(&self, memory: &mut Memory, byte: Byte) -> u8 {
        match byte {
            Byte::Number(number) => number,
            Byte::Of(target, i) => {
                let address = match target {
                    Target::Object(object, offset) => {
                        memory.address(address(object, offset)).expect("it has an address")
                    }
                    Target::Function => Addresses::function(FunctionId(0)),
                };
                address.to_le_bytes()[i]
            }
        }
    }

    fn integer(&self, memory: &mut Memory, place: (usize, usize), count: usize) -> u128 {
        let bytes = self.get(place, count);
        bytes
            .into_iter()
            .rev()
            .fold(0, |number, (byte, _)| number << 8 | u128::from(self.number(memory, byte)))
    }
}

fn address(object: usize, offset: usize) -> Address {
    Address { object: ObjectId::new(object), offset: offset as i32 }
}

fn int(width: usize) -> ValueType {
    ValueType::Int(IntType::unsigned(width as u32))
}

/// A program with one function, and arrays of bytes of all small lengths.
fn program(word: u64) -> (Program, Vec<TypeId>) {
    let mut types = Types::new(word);
    let byte = types.int(IntType::unsigned(8));
    let arrays =
        (0..=40).map(|length| types.intern(Type::Array { element: byte, length })).collect();
    let position = Position { line: 1, column: 1 };
    let span = Span { file: FileId(0), start: position, end: position };
    let terminator = Terminator {
        kind: TerminatorKind::Return(None),
        span,
        statement: loupe_ir::program::StatementId(0),
    };
    let main = Function {
        name: "main".to_owned(),
        params: 0,
        result: None,
        locals: Vec::new(),
        statements: vec![span],
        blocks: vec![BasicBlock { instructions: Vec::new(), terminator }],
        span,
    };
    let program = Program {
        sources: Sources::new(),
        types,
        symbols: Default::default(),
        globals: Vec::new(),
        functions: vec![main],
        entry: FunctionId(0),
    };
    (program, arrays)
}

/// Both, side by side.
struct Both {
    types: Types,
    arrays: Vec<TypeId>,
    memory: Memory,
    model: Model,
}

impl Both {
    fn new(word: usize) -> Self {
        let (program, arrays) = program(word as u64);
        let mut memory = Memory::new(&program);
        for size in SIZES {
            let object = NewObject {
                element: arrays[size],
                count: Integer::ONE,
                contents: Contents::Uninitialised,
                origin: Origin::Heap,
                access: GlobalAccess::ReadWrite,
            };
            memory.allocate(&program.types, object, u64::MAX).expect("it is small");
        }
        Both { types: program.types, arrays, memory, model: Model::new(word) }
    }

    fn access(&self, (object, at): (usize, usize), ty: ValueType) -> Access<Concrete> {
        Access { pointer: address(object, at), ty, first_bit: None }
    }

    fn store(
        &mut self,
        place: (usize, usize),
        ty: ValueType,
        value: ConcreteValue,
    ) -> Result<(), Box<Halt>> {
        let access = self.access(place, ty);
        self.memory.store(&self.types, &access, value)
    }

    fn load(&mut self, place: (usize, usize), ty: ValueType) -> Result<ConcreteValue, Box<Halt>> {
        let access = self.access(place, ty);
        self.memory.load(&self.types, &access)
    }

    /// `None` if the action does not fit.
    fn act(&mut self, action: &Action) -> Option<Result<(), Box<Halt>>> {
        let word = self.model.word;
        let pointer = ValueType::Pointer(TypeId::ANY);
        Some(match *action {
            Action::StoreInt { to, bytes, value } => {
                let to = to.fit(bytes)?;
                self.model.numbers(to, &value.to_le_bytes()[..bytes]);
                let int = IntType::signed(8 * bytes as u32);
                let number = int.wrap(Integer::from(value));
                self.store(to, ValueType::Int(int), Value::Int(number))
            }
            Action::StoreBits { to, first, width, value } => {
                let to = to.fit((first + width).div_ceil(8))?;
                self.store_bits(to, first, width, value)
            }
            Action::StoreFloat { to, format, bits } => {
                let size = format.bits() as usize / 8;
                let to = to.fit(size)?;
                self.model.numbers(to, &bits.to_le_bytes()[..size]);
                let bits = if size == 16 { bits } else { bits & ((1 << (8 * size)) - 1) };
                let value = crate::concrete::float::Number::from_bits(bits, format);
                // What the unit of the x87 would not make has no bits of its own.
                let stored = value.bits().to_le_bytes();
                self.model.numbers(to, &stored[..size]);
                self.store(to, ValueType::Float(format), value.value())
            }
            Action::StorePointer { to, target } => {
                let (to, (object, offset)) = (to.fit(word)?, target.fit(0)?);
                self.model.pointer(to, Target::Object(object, offset));
                self.store(to, pointer, Value::Pointer(address(object, offset)))
            }
            Action::StoreFunction { to } => {
                let to = to.fit(word)?;
                self.model.pointer(to, Target::Function);
                self.store(to, ValueType::Function, Value::Function(FunctionId(0)))
            }
            Action::StoreAbsolute { to, address } => {
                let to = to.fit(word)?;
                self.model.numbers(to, &i64::from(address).to_le_bytes()[..word]);
                self.store(to, pointer, Value::Pointer(Address { object: None, offset: address }))
            }
            Action::Copy { to, from, count } => {
                let (to, from) = (to.fit(count)?, from.fit(count)?);
                let bytes = self.model.get(from, count);
                self.model.put(to, bytes);
                let (to, from) = (address(to.0, to.1), address(from.0, from.1));
                self.memory.copy(to, from, count)
            }
            Action::ThroughValue { to, from, count } => {
                let (to, from) = (to.fit(count)?, from.fit(count)?);
                let bytes = self.model.get(from, count);
                self.model.put(to, bytes);
                let ty = ValueType::Aggregate(self.arrays[count]);
                match self.load(from, ty) {
                    Ok(value) => self.store(to, ty, value),
                    Err(halt) => Err(halt),
                }
            }
            Action::Fill { to, byte, count } => {
                let to = to.fit(count)?;
                self.model.numbers(to, &vec![byte; count]);
                self.memory.fill(address(to.0, to.1), byte, count)
            }
            Action::Forget { to, bytes } => {
                let to = to.fit(bytes)?;
                self.model.put(to, (0..bytes).map(|_| (Byte::Number(0), 0)));
                self.store(to, int(8 * bytes), Value::Uninitialised)
            }
            Action::Expose(object) => self.memory.address(address(object, 0)).map(|_| ()),
        })
    }

    fn store_bits(
        &mut self,
        to: (usize, usize),
        first: usize,
        width: usize,
        value: i64,
    ) -> Result<(), Box<Halt>> {
        for bit in first..first + width {
            let place = (to.0, to.1 + bit / 8);
            let (old, written) = self.model.bytes[&place];
            // Where bits of a pointer are overwritten, the whole of it is a number from now on; which
            // byte of which pointer the rest was makes no difference to a number.
            let number = self.model.number(&mut self.memory, old);
            let one = 1u8 << (bit % 8);
            let new = match value >> (bit - first) & 1 {
                0 => number & !one,
                _ => number | one,
            };
            self.model.bytes.insert(place, (Byte::Number(new), written | one));
        }
        let access =
            Access { pointer: address(to.0, to.1), ty: int(width), first_bit: Some(first as u32) };
        let number = Value::Int(IntType::unsigned(width as u32).wrap(Integer::from(value)));
        self.memory.store(&self.types, &access, number)
    }

    /// Everything that can be read is the same.
    fn compare(&mut self) -> Result<(), TestCaseError> {
        for (object, size) in SIZES.iter().enumerate() {
            for (first, width) in (0..8 * size).flat_map(|bit| [(bit, 1), (bit, 6), (bit, 13)]) {
                if first + width <= 8 * size {
                    self.compare_written(object, first, width)?;
                }
            }
            for at in 0..=size - self.model.word {
                self.compare_pointer((object, at))?;
            }
            for bytes in 1..=size.min(&9).to_owned() {
                for at in 0..=size - bytes {
                    let expected = self.model.integer(&mut self.memory, (object, at), bytes);
                    let found = self.load((object, at), int(8 * bytes)).map_err(failed)?;
                    prop_assert_eq!(as_integer(&found), expected, "{} {} {}", object, at, bytes);
                }
            }
        }
        Ok(())
    }

    fn compare_written(
        &self,
        object: usize,
        first: usize,
        width: usize,
    ) -> Result<(), TestCaseError> {
        let expected = (first..first + width).all(|bit| {
            let (_, written) = self.model.bytes[&(object, bit / 8)];
            written >> (bit % 8) & 1 == 1
        });
        let access = Access {
            pointer: address(object, first / 8),
            ty: int(width),
            first_bit: Some((first % 8) as u32),
        };
        let found = self.memory.is_written(&self.types, &access);
        prop_assert_eq!(found, Ok(expected), "{} {} {}", object, first, width);
        Ok(())
    }

    fn compare_pointer(&mut self, place: (usize, usize)) -> Result<(), TestCaseError> {
        let word = self.model.word;
        let expected = self.model.integer(&mut self.memory, place, word);
        let found = match self.load(place, ValueType::Pointer(TypeId::ANY)) {
            Ok(found) => found,
            // An arbitrary number is far from everything that is there.
            Err(halt) => {
                prop_assert!(matches!(*halt, Halt::Unsupported(_)), "{}", halt);
                prop_assert!(word == 8);
                return Ok(());
            }
        };
        let number = match &found {
            Value::Pointer(pointer) => self.memory.address(*pointer).map_err(failed)?,
            Value::Function(function) => Addresses::function(*function),
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        };
        prop_assert_eq!(u128::from(number), expected);
        // All bytes of one pointer are that pointer.
        let bytes = self.model.get(place, word);
        if let (Byte::Of(target, 0), _) = bytes[0]
            && bytes.iter().enumerate().all(|(i, (byte, _))| *byte == Byte::Of(target, i))
        {
            let same = match (&found, target) {
                (Value::Pointer(found), Target::Object(object, offset)) => {
                    *found == address(object, offset)
                }
                (Value::Function(_), Target::Function) => true,
                _ => false,
            };
            prop_assert!(same, "{:?} is not {:?}", found, target);
        }
        Ok(())
    }
}

fn failed(halt: Box<Halt>) -> TestCaseError {
    TestCaseError::fail(halt.to_string())
}

fn as_integer(value: &ConcreteValue) -> u128 {
    match value {
        Value::Int(number) => crate::concrete::float::to_u128(number),
        other => panic!("{other:?} is no number"),
    }
}

fn check(word: usize, actions: &[Action], often: bool) -> Result<(), TestCaseError> {
    let mut both = Both::new(word);
    for action in actions {
        if let Some(Err(halt)) = both.act(action) {
            return Err(failed(halt));
        }
        // Looking at everything gives everything an address, so it must not always be done.
        if often {
            both.compare()?;
        }
    }
    both.compare()
}

proptest! {
    #[test]
    fn bytes_are_as_the_model_has_them(
        actions in prop::collection::vec(actions(), 1..30),
        narrow in any::<bool>(),
    ) {
        check(if narrow { 4 } else { 8 }, &actions, false)?;
    }

    #[test]
    fn also_when_looked_at_all_the_time(
        actions in prop::collection::vec(actions(), 1..6),
        narrow in any::<bool>(),
    ) {
        check(if narrow { 4 } else { 8 }, &actions, true)?;
    }
}
