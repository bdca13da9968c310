//! Bytes for functions that are not made of instructions: no check of the program stands before what
//! these read and write, so it is made here.

use super::{Background, Body, Entry, Memory, Object, ObjectId, Written};
use crate::domain::{Outcome, Symbolic};
use crate::halt::{Halt, internal};
use crate::value::{Int, Pointer, SymbolicValue};
use loupe_engine::domain::{Access, Domain, Origin, Right};
use loupe_engine::layout::Kind;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{CompareOp, GlobalAccess};
use loupe_ir::types::{IntType, TypeId, Types};
use loupe_ir::validate::ValueType;
use rpds::RedBlackTreeMap;
use std::rc::Rc;

fn invalid(what: &str) -> Box<Halt> {
    Box::new(Halt::Failed { kind: CheckKind::InvalidAccess, detail: what.to_owned() })
}

/// The number of units that something small takes.
fn units(count: u64) -> Int {
    Int::Known(Integer::from(count))
}

impl Symbolic {
    /// That bytes can be used in this way, and where they are: at a known offset.
    pub(crate) fn demand(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
        count: u64,
        right: Right,
    ) -> Outcome<Pointer> {
        Self::refuse_list(memory, pointer)?;
        let fine = self.accessible(memory, pointer, &units(count), right);
        if !self.one_truth(fine)? {
            return Err(invalid("what is read or written is not in an object, or constant"));
        }
        let Pointer { object, offset } = self.resolved(memory, pointer)?;
        let offset = Int::Known(self.one_number(&offset)?);
        Ok(Pointer { object, offset })
    }

    /// Before bytes are looked at as they are: pointers there have addresses from now on.
    fn touch(&mut self, memory: &mut Memory, pointer: &Pointer, end: u64) -> Outcome<()> {
        let (Some(id), Some(start)) = (pointer.object, pointer.offset.known()) else {
            return Err(internal("bytes at no known place"));
        };
        let start = start.to_usize().ok_or_else(|| internal("bytes before an object"))? as u64;
        let Body::Entries(entries) = &memory.object(id)?.body else { return Ok(()) };
        let before = entries.range(..start).next_back();
        let before = before.filter(|(at, entry)| **at + entry.size > start);
        let hit: Vec<SymbolicValue> = before
            .into_iter()
            .chain(entries.range(start..end.max(start)))
            .map(|(_, entry)| &entry.value)
            .filter(|value| matches!(value, Value::Pointer(_)))
            .cloned()
            .collect();
        for value in hit {
            if let Value::Pointer(pointer) = value {
                self.address_of(memory, &pointer)?;
            }
        }
        Ok(())
    }

    fn unit_at(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
        unit: u64,
    ) -> Outcome<Int> {
        let ty = ValueType::Int(IntType::unsigned((unit * 8) as u32));
        let access = Access { pointer: pointer.clone(), ty, first_bit: None };
        match self.load_value(types, memory, &access)? {
            Value::Int(number) => Ok(number),
            _ => Err(internal("bytes that are no number")),
        }
    }

    /// Units of `unit` bytes up to a zero, or to `limit` of them. Which of them is the first zero must be
    /// known.
    pub(crate) fn read_text(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
        limit: Option<usize>,
        unit: u64,
    ) -> Outcome<Vec<Int>> {
        if limit == Some(0) {
            return Ok(Vec::new());
        }
        let start = self.demand(memory, pointer, unit, Right::Read)?;
        let first = start.offset.known().and_then(Integer::to_usize).unwrap_or(0) as u64;
        let most = limit.map_or(u64::MAX, |limit| (limit as u64).saturating_mul(unit));
        self.touch(memory, &start, first.saturating_add(most))?;
        let mut text = Vec::new();
        let mut at = start.clone();
        while limit.is_none_or(|limit| text.len() < limit) {
            let fine = self.accessible(memory, &at, &units(unit), Right::Read);
            if !self.one_truth(fine)? {
                return Err(invalid("a text does not end before its object does"));
            }
            let character = self.unit_at(types, memory, &at, unit)?;
            let is_end = self.compared(CompareOp::Eq, &character, &Int::ZERO);
            if self.one_truth(is_end)? {
                break;
            }
            text.push(character);
            at.offset = self.sum(&at.offset, &units(unit));
        }
        Ok(text)
    }

    /// Writes bytes.
    pub(crate) fn write_bytes(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
        bytes: &[Int],
    ) -> Outcome<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut at = self.demand(memory, pointer, bytes.len() as u64, Right::Write)?;
        let first = at.offset.known().and_then(Integer::to_usize).unwrap_or(0);
        self.touch(memory, &at, (first + bytes.len()) as u64)?;
        for byte in bytes {
            let ty = ValueType::Int(IntType::unsigned(8));
            let access = Access { pointer: at.clone(), ty, first_bit: None };
            self.store_value(types, memory, &access, Value::Int(byte.clone()))?;
            at.offset = self.sum(&at.offset, &units(1));
        }
        Ok(())
    }

    /// Writes a number of so many bytes.
    pub(crate) fn write_number(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
        number: (u64, &Integer),
    ) -> Outcome<()> {
        let (size, number) = number;
        let bytes: Vec<Int> = (0..size as u32)
            .map(|at| IntType::unsigned(8).wrap(number.shift_right(8 * at)))
            .map(Int::Known)
            .collect();
        self.write_bytes(types, memory, pointer, &bytes)
    }

    /// A value of some type, at a place of which `size` bytes must be there.
    pub(crate) fn read_raw(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
        (ty, size): (ValueType, u64),
    ) -> Outcome<SymbolicValue> {
        let pointer = self.demand(memory, pointer, size, Right::Read)?;
        self.load_value(types, memory, &Access { pointer, ty, first_bit: None })
    }

    /// Stores a pointer.
    pub(crate) fn write_pointer(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Pointer,
        value: SymbolicValue,
    ) -> Outcome<()> {
        let pointer = self.demand(memory, pointer, self.space.word, Right::Write)?;
        let ty = ValueType::Pointer(TypeId::ANY);
        self.store_value(types, memory, &Access { pointer, ty, first_bit: None }, value)
    }
}

impl Memory {
    /// A new object on the heap that holds these bytes.
    pub(crate) fn new_bytes(&mut self, bytes: &[u8]) -> Outcome<Pointer> {
        let mut entries = RedBlackTreeMap::new();
        for (at, byte) in (0..).zip(bytes) {
            let value = Value::Int(Int::Known(Integer::from(*byte)));
            entries.insert_mut(at, Entry { size: 1, value, written: Written::ALL });
        }
        self.add_object(Object {
            origin: Origin::Heap,
            access: GlobalAccess::ReadWrite,
            is_alive: true,
            size: units(bytes.len() as u64),
            element: TypeId::ANY,
            kind: Kind::Bytes,
            background: Background::Zero,
            body: Body::Entries(entries),
            reach: super::Reach::Near,
            list: None,
        })
    }

    /// Gives a new object its number.
    pub(super) fn add_object(&mut self, object: Object) -> Outcome<Pointer> {
        let id = u32::try_from(self.objects.len());
        let id = ObjectId(id.map_err(|_| internal("more objects than can be counted"))?);
        self.objects.push_back_mut(Rc::new(object));
        Ok(Pointer::to(id))
    }
}
