//! The objects of a concrete execution.
//!
//! An object is a block of bytes or a list of cells; a pointer is an object and an offset in units of
//! memory, or an address without an object. Objects are not reused as long as there may be a pointer to
//! them, so one to an object that has ended stays recognisable; what they hold is gone when they end.

mod access;
mod addresses;
mod block;
mod cells;
mod collect;
mod leak;
mod mask;
mod quick;
mod raw;
mod same;

use super::ConcreteValue;
use super::domain::Concrete;
use super::halt::{Halt, Limit, internal, unsupported};
use crate::domain::{Contents, NewObject, Origin, Right};
use crate::layout::{Kind, Shapes};
use addresses::{Addresses, At};
pub use block::Block;
use cells::{Cells, Layouts, NoLayout};
pub(super) use leak::targets_of;
use loupe_integer::{Integer, Signedness};
use loupe_ir::program::{FunctionId, GlobalAccess, Program};
use loupe_ir::types::{Type, TypeId, Types};
use loupe_ir::validate::ValueType;
use std::num::NonZeroU32;

/// An object. Counted from 1, so that a pointer that may have none is no larger than another: a value
/// then fits in two words, which the speed of the interpreter depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(NonZeroU32);

impl ObjectId {
    /// The object with this index in the list of objects.
    pub(super) fn new(index: usize) -> Option<Self> {
        let number = u32::try_from(index).ok()?.checked_add(1)?;
        NonZeroU32::new(number).map(ObjectId)
    }

    #[inline]
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A place in an object, which may lie outside, or an address without an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The object, if there is one.
    pub object: Option<ObjectId>,
    /// The offset in units of memory, or the address; one beyond 2³¹ is written with a sign.
    pub offset: i32,
}

impl Address {
    /// The pointer to nothing.
    pub const NULL: Address = Address { object: None, offset: 0 };

    /// Whether this is null.
    #[inline]
    pub fn is_null(self) -> bool {
        self == Address::NULL
    }
}

/// The size of a pointer in units of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(usize);

impl Word {
    /// The one of a program.
    pub(super) fn of(types: &Types) -> Self {
        Word(usize::try_from(types.pointer_size()).unwrap_or(usize::MAX))
    }

    /// How many bytes a pointer has.
    pub(super) fn bytes(self) -> usize {
        self.0
    }

    /// How many bits an address has; programs whose pointers have no size in bytes have the largest.
    fn bits(self) -> u32 {
        if self.0 == 4 { 32 } else { 64 }
    }

    /// An address as a number of this size.
    pub(super) fn wrap(self, address: u64) -> u64 {
        if self.0 == 4 { u64::from(address as u32) } else { address }
    }

    /// The sum of an offset or absolute address and a distance, if it can be represented.
    #[inline]
    pub(super) fn advance(self, offset: i32, units: &Integer) -> Option<i32> {
        if let Some(units) = units.to_i64()
            && let Some(sum) = i64::from(offset).checked_add(units)
            && let Ok(sum) = i32::try_from(sum)
        {
            return Some(sum);
        }
        // Addresses wrap around; microc's pointers are none.
        if !matches!(self.0, 4 | 8) {
            return None;
        }
        let sum = Integer::from(offset).add(units).wrap(self.bits(), Signedness::Signed);
        i32::try_from(sum.to_i64()?).ok()
    }
}

/// What became of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// It lives; this is the index of what it holds.
    Alive(u32),
    /// It has ended.
    Over,
    /// Nobody knows it any more.
    Unused,
}

/// What is known of an object, also when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) origin: Origin,
    /// In units of memory.
    pub(super) size: u32,
    pub(super) life: Life,
    pub(super) access: GlobalAccess,
}

/// What a living object holds.
#[derive(Clone, Debug)]
enum Body {
    Bytes(Block),
    Cells(Cells),
}

/// The contents of a struct or array with a layout, as one value.
#[derive(Clone)]
pub enum Aggregate {
    /// Of machine types.
    Bytes(Block),
    /// With parts that have no size in bytes.
    Cells(Vec<ConcreteValue>),
}

impl std::fmt::Debug for Aggregate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Aggregate::Bytes(block) => write!(f, "aggregate of {} bytes", block.len()),
            Aggregate::Cells(cells) => write!(f, "aggregate of {} cells", cells.len()),
        }
    }
}

/// All objects.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    bodies: Vec<Body>,
    /// Bodies that no object has.
    free_bodies: Vec<u32>,
    addresses: Addresses,
    word: Word,
    shapes: Shapes,
    layouts: Layouts,
    /// What living objects take, in cells.
    in_use: u64,
    /// Objects that nobody knows, to be used again.
    unused: Vec<ObjectId>,
    /// How many objects have ended and are still known.
    ended: usize,
    /// How many of these there may be before it is worth looking whether they must be.
    bearable: usize,
}

/// So many bytes take as much room as a cell.
const BYTES_PER_CELL: u64 = 16;
/// The room of an object is kept for the next one if it is not larger.
const MAX_KEPT: usize = 1 << 12;

impl Memory {
    /// No objects.
    pub fn new(program: &Program) -> Self {
        let word = Word::of(&program.types);
        Memory {
            objects: Vec::new(),
            bodies: Vec::new(),
            free_bodies: Vec::new(),
            addresses: Addresses::new(word, program.functions.len() as u64),
            word,
            shapes: Shapes::default(),
            layouts: Layouts::default(),
            in_use: 0,
            unused: Vec::new(),
            ended: 0,
            bearable: 0,
        }
    }

    /// How many objects have been made.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    pub(super) fn object(&self, object: ObjectId) -> &Object {
        &self.objects[object.index()]
    }

    /// How many values of the stream of uninitialised values an object takes.
    pub(super) fn scalars(&mut self, types: &Types, element: TypeId, count: &Integer) -> u64 {
        let shape = self.shapes.get(types, element);
        match (shape.kind, count.to_usize()) {
            (Kind::Bytes, Some(count)) => shape.scalars.saturating_mul(count as u64),
            _ => 0,
        }
    }

    pub(super) fn allocate(
        &mut self,
        types: &Types,
        new: NewObject<Concrete>,
        max_cells: u64,
    ) -> Result<Address, Box<Halt>> {
        let too_large = || Box::new(Halt::Limit(Limit::Memory { cells: max_cells }));
        if new.count.is_negative() {
            return Err(internal("an object of a negative number of elements"));
        }
        let count = new.count.to_usize().ok_or_else(too_large)? as u64;
        let size = types.size_of(new.element).checked_mul(count).ok_or_else(too_large)?;
        // Offsets have 32 bits and a sign.
        let size = u32::try_from(size).ok().filter(|size| *size <= i32::MAX as u32);
        let size = size.ok_or_else(too_large)?;
        let (kind, cells) = match self.shapes.get(types, new.element).kind {
            Kind::Bytes => (Kind::Bytes, u64::from(size).div_ceil(BYTES_PER_CELL)),
            Kind::Cells => {
                let layout = self.layout(types, new.element, max_cells)?;
                (Kind::Cells, layout.0.scalars().saturating_mul(layout.1).saturating_mul(count))
            }
        };
        self.reserve(cells, max_cells)?;
        let NewObject { element, contents, origin, access, .. } = new;
        let body = match kind {
            Kind::Bytes => self.new_block(types, element, size as usize, contents)?,
            Kind::Cells => {
                let (layout, factor) = self.layout(types, element, max_cells)?;
                let cells = Cells::new(types, layout, factor.saturating_mul(count), contents)?;
                self.new_body(Body::Cells(cells))?
            }
        };
        self.register(Object { origin, size, life: Life::Alive(body), access })
    }

    /// That there is room for so many cells, which are in use from now on.
    fn reserve(&mut self, cells: u64, max_cells: u64) -> Result<(), Box<Halt>> {
        // An object without cells still takes room in the list of objects.
        let listed = self.objects.len() as u64;
        if self.in_use.saturating_add(cells).saturating_add(listed) > max_cells {
            return Err(Box::new(Halt::Limit(Limit::Memory { cells: max_cells })));
        }
        self.in_use += cells;
        Ok(())
    }

    /// Gives a new object its number.
    fn register(&mut self, new: Object) -> Result<Address, Box<Halt>> {
        let object = match self.unused.pop() {
            Some(object) => {
                self.objects[object.index()] = new;
                object
            }
            None => {
                self.objects.push(new);
                ObjectId::new(self.objects.len() - 1)
                    .ok_or_else(|| unsupported("more objects than can be counted"))?
            }
        };
        Ok(Address { object: Some(object), offset: 0 })
    }

    /// The layout of the innermost elements of an array of arrays, and how many there are of them.
    fn layout(
        &mut self,
        types: &Types,
        mut element: TypeId,
        max_cells: u64,
    ) -> Result<(std::rc::Rc<cells::Layout>, u64), Box<Halt>> {
        let mut count = 1u64;
        while let Type::Array { element: inner, length } = types.get(element) {
            element = *inner;
            count = count.saturating_mul(*length);
        }
        match self.layouts.get(types, element) {
            Ok(layout) => Ok((layout, count)),
            Err(NoLayout::TooLarge) => {
                Err(Box::new(Halt::Limit(Limit::Memory { cells: max_cells })))
            }
            Err(NoLayout::Overlapping) => {
                Err(unsupported("a union whose members overlap in part, with unbounded numbers"))
            }
        }
    }

    fn new_block(
        &mut self,
        types: &Types,
        element: TypeId,
        size: usize,
        contents: Contents<Concrete>,
    ) -> Result<u32, Box<Halt>> {
        let body = match self.free_bodies.pop() {
            Some(body) => body,
            None => self.new_body(Body::Bytes(Block::default()))?,
        };
        let Body::Bytes(block) = &mut self.bodies[body as usize] else {
            return Err(internal("cells where there should be bytes"));
        };
        block.reset(size);
        match contents {
            Contents::Uninitialised => {}
            Contents::Zero => block.mark_written(),
            Contents::Repeat(value) => {
                let step = usize::try_from(types.size_of(element)).unwrap_or(0);
                let ty = ValueType::of(types, element);
                for at in (0..size).step_by(step.max(1)) {
                    self.store_bytes(types, body, at, ty, value.clone())?;
                }
            }
            Contents::List(_) => return Err(internal("a list of values for a block of bytes")),
        }
        Ok(body)
    }

    fn new_body(&mut self, body: Body) -> Result<u32, Box<Halt>> {
        let number = u32::try_from(self.bodies.len());
        let number = number.map_err(|_| internal("more objects than can be counted"))?;
        self.bodies.push(body);
        Ok(number)
    }

    /// Ends an object.
    pub(super) fn release(&mut self, object: ObjectId) {
        let object = &mut self.objects[object.index()];
        let Life::Alive(number) = object.life else {
            return;
        };
        object.life = Life::Over;
        self.ended += 1;
        let body = &mut self.bodies[number as usize];
        let cells = match body {
            Body::Bytes(block) => {
                let cells = u64::from(object.size).div_ceil(BYTES_PER_CELL);
                if block.capacity() > MAX_KEPT {
                    *block = Block::default();
                } else {
                    block.reset(0);
                }
                cells
            }
            Body::Cells(cells) => {
                let count = cells.len() as u64;
                *body = Body::Bytes(Block::default());
                count
            }
        };
        self.free_bodies.push(number);
        self.in_use = self.in_use.saturating_sub(cells);
    }

    /// How many cells an object has.
    pub fn length(&self, object: ObjectId) -> usize {
        match self.body(object) {
            Some(Body::Cells(cells)) => cells.len(),
            Some(Body::Bytes(block)) => block.len(),
            None => 0,
        }
    }

    /// What is known of an object, if it has not ended.
    pub(super) fn living(&self, object: ObjectId) -> Option<&Object> {
        let object = &self.objects[object.index()];
        matches!(object.life, Life::Alive(_)).then_some(object)
    }

    fn body(&self, object: ObjectId) -> Option<&Body> {
        match self.objects[object.index()].life {
            Life::Alive(body) => Some(&self.bodies[body as usize]),
            Life::Over | Life::Unused => None,
        }
    }

    /// Whether `count` units from an address on can be used in this way.
    #[inline]
    pub(super) fn accessible(&self, address: Address, count: &Integer, right: Right) -> bool {
        if count.is_zero() {
            return true;
        }
        let address = self.resolve(address);
        let (Some(object), Some(count)) = (address.object, count.to_i64()) else {
            return false;
        };
        let object = &self.objects[object.index()];
        let start = i64::from(address.offset);
        let inside = start >= 0 && count >= 0 && count <= i64::from(object.size) - start;
        inside
            && matches!(object.life, Life::Alive(_))
            && (right == Right::Read || object.access == GlobalAccess::ReadWrite)
    }

    /// Whether the program may give this back.
    pub(super) fn freeable(&self, address: Address) -> bool {
        if address.is_null() {
            return true;
        }
        let address = self.resolve(address);
        address.object.is_some_and(|object| {
            let object = &self.objects[object.index()];
            matches!(object.life, Life::Alive(_))
                && object.origin == Origin::Heap
                && address.offset == 0
        })
    }

    /// The object that an absolute address leads to, if it leads to one.
    #[inline]
    pub(super) fn resolve(&self, address: Address) -> Address {
        if address.object.is_some() { address } else { self.resolve_absolute(address) }
    }

    #[cold]
    fn resolve_absolute(&self, address: Address) -> Address {
        match self.addresses.find(&self.objects, self.absolute(address.offset)) {
            At::Object(address) => address,
            At::Function(_) | At::Nothing => address,
        }
    }

    /// An absolute address as a number.
    fn absolute(&self, offset: i32) -> u64 {
        self.word.wrap(i64::from(offset) as u64)
    }

    /// The number that a pointer is; its object has an address from now on.
    pub(super) fn address(&mut self, pointer: Address) -> Result<u64, Box<Halt>> {
        match pointer.object {
            None => Ok(self.absolute(pointer.offset)),
            Some(object) => {
                let stored = block::Stored::Pointer(object, pointer.offset);
                self.addresses.of(&self.objects, stored)
            }
        }
    }

    /// What is at an address.
    pub(super) fn pointer_at(&self, address: &Integer) -> Result<ConcreteValue, Box<Halt>> {
        use crate::value::Value;
        let bits = self.word.bits();
        let signed = address.wrap(bits, Signedness::Signed).to_i64().unwrap_or(0);
        match self.addresses.find(&self.objects, self.word.wrap(signed as u64)) {
            At::Object(address) => Ok(Value::Pointer(address)),
            At::Function(function) => Ok(Value::Function(function)),
            At::Nothing => match i32::try_from(signed) {
                Ok(offset) => Ok(Value::Pointer(Address { object: None, offset })),
                Err(_) => Err(unsupported("an address far from all objects")),
            },
        }
    }

    /// The address of a function, to which there is no object.
    pub(super) fn function(function: FunctionId) -> Address {
        // Where it does not fit there is no such function: programs are smaller than that.
        let offset = i32::try_from(Addresses::function(function)).unwrap_or(i32::MAX);
        Address { object: None, offset }
    }
}

/// The address that a function has as a number.
pub(super) fn function_address(function: FunctionId) -> u64 {
    Addresses::function(function)
}

#[cfg(test)]
mod tests;
