//! Objects as numbers.
//!
//! An object gets an address when somebody asks for it, as in the interpreter: the same ones in the same
//! order, so that replays see the same numbers. Where an object starts behind one whose size depends on
//! inputs, so does its address.

use super::{Memory, ObjectId, Reach};
use crate::domain::{Outcome, Symbolic};
use crate::halt::{internal, unsupported};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::domain::BEYOND_ADDRESSES;
use loupe_engine::space;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::CompareOp;
use loupe_ir::types::IntType;
use loupe_term::{Rounding, Term};
use rpds::{HashTrieMap, RedBlackTreeMap, Vector};

/// The size of pointers, and how many functions have addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    pub(crate) word: u64,
    pub(crate) functions: u64,
}

impl Space {
    /// How many bits an address has; programs whose pointers have no size in bytes have the largest.
    pub(crate) fn bits(self) -> u32 {
        if self.word == 4 { 32 } else { 64 }
    }

    /// Whether pointers have bytes at all.
    pub(crate) fn has_bytes(self) -> bool {
        matches!(self.word, 4 | 8)
    }
}

/// Which addresses are in use.
#[derive(Clone, Debug, Default)]
pub(super) struct Addresses {
    starts: HashTrieMap<ObjectId, Int>,
    /// Objects by their starts.
    known: RedBlackTreeMap<u64, ObjectId>,
    /// Those whose starts depend on inputs.
    unknown: Vector<ObjectId>,
    /// Where the next one starts; `None` before the first.
    pub(super) next: Option<Int>,
}

/// What may be at an address that depends on inputs.
enum At {
    Object(ObjectId),
    Function,
    Nothing,
    TooFar,
}

/// The numbers that fit the interpreter's pointers.
const OFFSETS: IntType = IntType::signed(32);

impl Addresses {
    /// Whether an object has an address.
    pub(super) fn has(&self, object: ObjectId) -> bool {
        self.starts.contains_key(&object)
    }
}

impl Symbolic {
    /// An address as a number without a sign.
    fn unsigned_address(&mut self, address: &Int) -> Int {
        use loupe_engine::domain::Domain;
        self.wrap(IntType::unsigned(self.space.bits()), address)
    }

    /// The offset of a pointer that was moved: addresses wrap around, and what does not fit the
    /// interpreter's pointers then has no model.
    pub(crate) fn offset(&mut self, sum: Int) -> Outcome<Int> {
        use loupe_engine::domain::Domain;
        if self.is_everywhere_of(OFFSETS, &sum) {
            return Ok(sum);
        }
        let sum = self.settled(&sum).map_or(sum, Int::Known);
        if let Int::Term(term) = sum {
            // Mostly a check says so; then nothing wraps around, and more is known of the term.
            let near = self.range_conditions(OFFSETS, term);
            let near = self.terms.and(near);
            let far = self.terms.not(near);
            if self.path.truth(near) == Some(true) || self.refuted(far)? {
                self.path.note(near);
                return Ok(sum);
            }
        }
        let fits = sum.known().is_some_and(|number| OFFSETS.contains(number));
        let wrapped = match self.space.has_bytes() && !fits {
            true => self.wrap(IntType::signed(self.space.bits()), &sum),
            false => sum,
        };
        if self.is_everywhere_of(OFFSETS, &wrapped) {
            return Ok(wrapped);
        }
        let beyond = || unsupported(BEYOND_ADDRESSES);
        let Int::Term(term) = wrapped else { return Err(beyond()) };
        let near = self.range_conditions(OFFSETS, term);
        let near = self.terms.and(near);
        match self.one_truth(Bool::Term(near))? {
            true => Ok(wrapped),
            false => Err(beyond()),
        }
    }

    /// Where an object starts.
    fn start_of(&mut self, memory: &mut Memory, object: ObjectId) -> Outcome<Int> {
        if let Some(start) = memory.addresses.starts.get(&object) {
            return Ok(start.clone());
        }
        let first = Integer::from(space::first_object(self.space.functions));
        let start = memory.addresses.next.clone().unwrap_or(Int::Known(first));
        if memory.object(object)?.reach == Reach::Far {
            return Err(unsupported("the address of a very large object as a number"));
        }
        let size = memory.object(object)?.size.clone();
        let size = self.settled(&size).map_or(size, Int::Known);
        let behind = self.behind(&start, &size);
        let room = IntType::unsigned(self.space.bits());
        if !self.is_everywhere_of(room, &behind) {
            return Err(unsupported("more addresses than the address space has"));
        }
        memory.addresses.next = Some(behind);
        memory.addresses.starts.insert_mut(object, start.clone());
        match start.known().and_then(Integer::to_usize) {
            Some(start) => memory.addresses.known.insert_mut(start as u64, object),
            None => memory.addresses.unknown.push_back_mut(object),
        }
        Ok(start)
    }

    /// Where the next object starts. All starts are multiples of the alignment.
    fn behind(&mut self, start: &Int, size: &Int) -> Int {
        let known = |int: &Int| int.known().and_then(Integer::to_usize).map(|number| number as u64);
        if let (Some(start), Some(size)) = (known(start), known(size)) {
            return Int::Known(Integer::from(space::behind(start, size)));
        }
        let alignment = Integer::from(space::ALIGNMENT);
        let above = Int::Known(alignment.sub(&Integer::ONE));
        let raised = self.sum(size, &above);
        let (raised, divisor) = (self.term(&raised), self.terms.int(alignment.clone()));
        let blocks = self.terms.quotient(Rounding::Euclidean, raised, divisor);
        let blocks = self.int_of(blocks);
        let rounded = self.scaled(&blocks, &alignment);
        let end = self.sum(start, &rounded);
        self.sum(&end, &Int::Known(alignment))
    }

    /// The number that a pointer is; its object has an address from now on.
    pub(crate) fn address_of(&mut self, memory: &mut Memory, pointer: &Pointer) -> Outcome<Int> {
        let pointer = &self.plain(pointer)?;
        if let Some(address) = self.address_in_list(memory, pointer)? {
            return Ok(address);
        }
        let number = match pointer.object {
            None => pointer.offset.clone(),
            Some(object) => {
                let start = self.start_of(memory, object)?;
                self.sum(&start, &pointer.offset)
            }
        };
        Ok(self.unsigned_address(&number))
    }

    /// The pointer, or function, with this address.
    pub(crate) fn at_address(
        &mut self,
        memory: &mut Memory,
        address: &Int,
    ) -> Outcome<SymbolicValue> {
        use loupe_engine::domain::Domain;
        let address = self.settled(address).map_or_else(|| address.clone(), Int::Known);
        let signed = self.wrap(IntType::signed(self.space.bits()), &address);
        let absolute = |offset| Value::Pointer(Pointer { object: None, offset });
        if !self.space.has_bytes() {
            return Ok(absolute(address));
        }
        let number = self.unsigned_address(&address);
        if let (Int::Known(number), true) = (&number, memory.addresses.unknown.is_empty()) {
            let number = IntType::signed(64).wrap(number.clone()).to_i64();
            let number = number.ok_or_else(|| internal("an address"))? as u64;
            if let Some(pointer) = self.object_at(memory, number)? {
                return Ok(Value::Pointer(pointer));
            }
            if let Some(function) = space::function_at(number, self.space.functions) {
                return Ok(Value::Function(function));
            }
            return match signed.known() {
                Some(offset) if OFFSETS.contains(offset) => Ok(absolute(signed)),
                _ => Err(unsupported("an address far from all objects")),
            };
        }
        match self.what_is_at(memory, &number, &signed)? {
            At::Object(object) => {
                let start = self.start_of(memory, object)?;
                let negative = self.scaled(&start, &Integer::from(-1));
                let offset = self.sum(&number, &negative);
                Ok(Value::Pointer(Pointer { object: Some(object), offset }))
            }
            At::Function => {
                let number = self.one_number(&number)?;
                let number = number.to_usize().ok_or_else(|| internal("an address"))? as u64;
                match space::function_at(number, self.space.functions) {
                    Some(function) => Ok(Value::Function(function)),
                    None => Ok(absolute(Int::Known(Integer::from(number)))),
                }
            }
            At::Nothing => Ok(absolute(signed)),
            At::TooFar => Err(unsupported("an address far from all objects")),
        }
    }

    /// The place in an object that a known address is; all starts are known.
    fn object_at(&mut self, memory: &Memory, address: u64) -> Outcome<Option<Pointer>> {
        let Some((start, object)) = memory.addresses.known.range(..=address).next_back() else {
            return Ok(None);
        };
        let offset = Integer::from(address - start);
        let size = memory.object(*object)?.size.clone();
        let (object, size) = (*object, self.settled(&size));
        // The last one alone can have an unknown size here, and what is behind it is nobody's.
        let Some(size) = size else {
            return Err(unsupported("an address near an object whose size depends on inputs"));
        };
        let inside = offset <= size && OFFSETS.contains(&offset);
        Ok(inside.then_some(Pointer { object: Some(object), offset: Int::Known(offset) }))
    }

    /// What is at an address, which may be several things: then the state is to be split.
    fn what_is_at(&mut self, memory: &Memory, number: &Int, signed: &Int) -> Outcome<At> {
        let mut places = Vec::new();
        let mut conditions = Vec::new();
        let mut elsewhere = Vec::new();
        for object in memory.addressed() {
            let inside = self.inside(memory, object, number, &Int::ZERO)?;
            let inside = self.condition(inside);
            places.push(At::Object(object));
            conditions.push(inside);
            elsewhere.push(self.terms.not(inside));
        }
        let (first, end) = space::functions(self.space.functions);
        let low = self.compared(CompareOp::Le, &Int::Known(Integer::from(first)), number);
        let high = self.compared(CompareOp::Lt, number, &Int::Known(Integer::from(end)));
        let function = self.both(low, high);
        let function = self.condition(function);
        let (term, not_function) = (self.term(signed), self.terms.not(function));
        let near = self.range_conditions(OFFSETS, term);
        let near = self.terms.and(near);
        let far = self.terms.not(near);
        for (place, own) in [
            (At::Function, vec![function]),
            (At::Nothing, vec![not_function, near]),
            (At::TooFar, vec![not_function, far]),
        ] {
            let all: Vec<Term> = elsewhere.iter().copied().chain(own).collect();
            conditions.push(self.terms.and(all));
            places.push(place);
        }
        let which = self.which(&conditions)?;
        places.into_iter().nth(which).ok_or_else(|| internal("a case that there is none of"))
    }

    /// Whether `count` units from an address on lie in an object that has one; also right behind it.
    fn inside(
        &mut self,
        memory: &Memory,
        object: ObjectId,
        address: &Int,
        count: &Int,
    ) -> Outcome<Bool> {
        let size = memory.object(object)?.size.clone();
        let start = memory.addresses.starts.get(&object).cloned();
        let start = start.ok_or_else(|| internal("an object without an address"))?;
        let (last, end) = (self.sum(address, count), self.sum(&start, &size));
        let low = self.compared(CompareOp::Le, &start, address);
        let high = self.compared(CompareOp::Le, &last, &end);
        Ok(self.both(low, high))
    }

    /// A pointer into the object that an address without one leads to, if that can be told.
    pub(crate) fn resolved(&mut self, memory: &Memory, pointer: &Pointer) -> Outcome<Pointer> {
        let pointer = &self.plain(pointer)?;
        if pointer.object.is_some() || memory.addresses.starts.is_empty() {
            return Ok(pointer.clone());
        }
        let mut copy = memory.clone();
        let address = self.unsigned_address(&pointer.offset);
        match self.at_address(&mut copy, &address)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Ok(pointer.clone()),
        }
    }

    /// Where an address without an object leads to, as a list of places with conditions: for questions
    /// that must not split the state. What is in none leads to no object.
    pub(crate) fn possible(&mut self, memory: &Memory, pointer: &Pointer) -> Vec<(Bool, Pointer)> {
        if pointer.object.is_some() {
            return vec![(Bool::Known(true), pointer.clone())];
        }
        let address = self.unsigned_address(&pointer.offset);
        let mut found = Vec::new();
        for object in memory.addressed() {
            let Ok(inside) = self.inside(memory, object, &address, &Int::ZERO) else { continue };
            let Some(start) = memory.addresses.starts.get(&object).cloned() else { continue };
            if inside != Bool::Known(false) {
                let negative = self.scaled(&start, &Integer::from(-1));
                let offset = self.sum(&address, &negative);
                found.push((inside, Pointer { object: Some(object), offset }));
            }
        }
        found
    }
}

impl Memory {
    /// Whether the same objects have the same addresses.
    pub(super) fn has_addresses_of(&self, other: &Memory) -> bool {
        let (a, b) = (&self.addresses, &other.addresses);
        a.next == b.next
            && a.known.iter().eq(b.known.iter())
            && a.unknown.iter().eq(b.unknown.iter())
            && a.unknown.iter().all(|object| a.starts.get(object) == b.starts.get(object))
    }

    /// Whether objects have addresses that have none in another memory of before.
    pub(super) fn has_more_addresses(&self, before: &Memory) -> bool {
        self.addresses.starts.size() > before.addresses.starts.size()
    }

    /// The objects that have addresses.
    fn addressed(&self) -> Vec<ObjectId> {
        let Addresses { known, unknown, .. } = &self.addresses;
        known.values().chain(unknown.iter()).copied().collect()
    }
}
