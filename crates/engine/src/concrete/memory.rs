//! The objects of a concrete execution.
//!
//! An object is a list of cells, each with one scalar (or one dynamic value). A pointer is an object
//! and an offset in units of memory; the object's layout says which cell that is. Objects are never
//! reused, so a pointer to one that has ended stays recognisable.

use super::domain::{Concrete, Halt, Limit};
use super::layout::{Layout, Layouts, NoLayout};
use crate::domain::{Contents, InternalError, NewObject, Origin};
use crate::value::{Sequence, Value};
use loupe_integer::Integer;
use loupe_ir::types::{IntType, Type, TypeId, Types};
use std::num::NonZeroU32;
use std::rc::Rc;

/// An object. Counted from 1, so that a pointer that may be null is no larger than another: a value
/// then fits in two words, which the speed of the interpreter depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(NonZeroU32);

impl ObjectId {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A place in an object; it may lie outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The object.
    pub object: ObjectId,
    /// The offset in units of memory.
    pub offset: i32,
}

#[derive(Clone, Debug)]
struct Object {
    cells: Vec<Value<Concrete>>,
    layout: Rc<Layout>,
    /// The size in units of memory.
    size: u64,
    origin: Origin,
    alive: bool,
}

/// All objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Vec<Object>,
    layouts: Layouts,
    /// How many cells living objects have.
    cells: u64,
}

impl Memory {
    /// No objects.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many objects have been made.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    pub(super) fn allocate(
        &mut self,
        types: &Types,
        new: NewObject<Concrete>,
        max_cells: u64,
    ) -> Result<Address, Box<Halt>> {
        let too_large = Box::new(Halt::Limit(Limit::Memory { cells: max_cells }));
        if new.count.is_negative() {
            return Err(internal("an object of a negative number of elements"));
        }
        let Some((element, count)) = flatten(types, new.element, &new.count) else {
            return Err(too_large);
        };
        let layout = match self.layouts.get(types, element) {
            Ok(layout) => layout,
            Err(NoLayout::TooLarge) => return Err(too_large),
            Err(NoLayout::Overlapping) => {
                return Err(unsupported("a union whose members overlap in part"));
            }
        };
        let cells = count.saturating_mul(layout.scalars.len() as u64);
        // An object without cells still takes room in the list of objects.
        if self.cells.saturating_add(cells).saturating_add(self.objects.len() as u64) > max_cells {
            return Err(too_large);
        }
        self.cells += cells;
        let size = layout.size.saturating_mul(count);
        let cells = fill(types, &layout, count, new.contents)?;
        self.objects.push(Object { cells, layout, size, origin: new.origin, alive: true });
        let number = u32::try_from(self.objects.len()).ok().and_then(NonZeroU32::new);
        let object = ObjectId(number.ok_or(too_large)?);
        Ok(Address { object, offset: 0 })
    }

    pub(super) fn release(&mut self, object: ObjectId) {
        let object = &mut self.objects[object.index()];
        object.alive = false;
        self.cells = self.cells.saturating_sub(object.cells.len() as u64);
        object.cells = Vec::new();
    }

    /// How many cells an object has.
    pub fn length(&self, object: ObjectId) -> usize {
        self.objects[object.index()].cells.len()
    }

    /// Whether `size` units from an address on lie in a living object.
    pub(super) fn accessible(&self, address: Address, size: u64) -> bool {
        let object = &self.objects[address.object.index()];
        let Ok(start) = u64::try_from(address.offset) else {
            return false;
        };
        object.alive && start.checked_add(size).is_some_and(|end| end <= object.size)
    }

    /// Whether the program may give this back.
    pub(super) fn freeable(&self, address: Address) -> bool {
        let object = &self.objects[address.object.index()];
        object.alive && object.origin == Origin::Heap && address.offset == 0
    }

    pub(super) fn load(
        &self,
        types: &Types,
        address: Address,
        ty: TypeId,
    ) -> Result<Value<Concrete>, Box<Halt>> {
        let object = &self.objects[address.object.index()];
        if !types.is_scalar(ty) {
            let range = object.range(types, address.offset, ty)?;
            let values = object.cells[range].to_vec();
            return Ok(Value::Sequence(Rc::new(Sequence { values })));
        }
        let value = object.cells[object.cell(types, address.offset, ty)?].clone();
        match (value, types.get(ty)) {
            (Value::Int(value), Type::Int(int)) => Ok(Value::Int(int.wrap(value))),
            (Value::Int(_), Type::Pointer(_) | Type::Function | Type::Bool)
            | (Value::Pointer(_) | Value::Function(_), Type::Int(_) | Type::Bool)
            | (Value::Bool(_), Type::Int(_) | Type::Pointer(_) | Type::Function) => {
                Err(unsupported("a value that is read as another type than it was written"))
            }
            (value, _) => Ok(value),
        }
    }

    pub(super) fn store(
        &mut self,
        types: &Types,
        address: Address,
        ty: TypeId,
        value: Value<Concrete>,
    ) -> Result<(), Box<Halt>> {
        let object = &mut self.objects[address.object.index()];
        if types.is_scalar(ty) {
            let cell = object.cell(types, address.offset, ty)?;
            object.cells[cell] = value;
            return Ok(());
        }
        let range = object.range(types, address.offset, ty)?;
        match value {
            Value::Sequence(held) if held.values.len() == range.len() => {
                object.cells[range].clone_from_slice(&held.values);
                Ok(())
            }
            _ => Err(internal("an aggregate is written with another shape")),
        }
    }
}

impl Object {
    /// The cell at an offset that holds a value of type `ty`.
    fn cell(&self, types: &Types, offset: i32, ty: TypeId) -> Result<usize, Box<Halt>> {
        let offset = u64::try_from(offset)
            .map_err(|_| internal("an access before the start of an object"))?;
        let Some(index) = self.layout.index(offset) else {
            return Err(unsupported("an access in the middle of a scalar"));
        };
        if index >= self.cells.len() {
            return Err(internal("an access behind the end of an object, or after it"));
        }
        let (_, held) = self.layout.scalars[index % self.layout.scalars.len()];
        // `any` has no size of its own: it is used for what has been checked otherwise.
        if ty != TypeId::ANY && held != TypeId::ANY && types.size_of(held) != types.size_of(ty) {
            return Err(unsupported("an access to a part of a scalar"));
        }
        Ok(index)
    }

    /// The cells of an array or struct of type `ty` at an offset.
    fn range(
        &self,
        types: &Types,
        offset: i32,
        ty: TypeId,
    ) -> Result<std::ops::Range<usize>, Box<Halt>> {
        let size = types.size_of(ty);
        let start = u64::try_from(offset)
            .map_err(|_| internal("an access before the start of an object"))?;
        if start.checked_add(size).is_none_or(|end| end > self.size) {
            return Err(internal("an access behind the end of an object"));
        }
        let first = self.layout.index(start);
        let end = if start + size == self.size {
            Some(self.cells.len())
        } else {
            self.layout.index(start + size)
        };
        match (first, end) {
            (Some(first), Some(end)) if first <= end && end <= self.cells.len() => Ok(first..end),
            _ => Err(unsupported("an aggregate that does not fit the object's layout")),
        }
    }
}

fn internal(what: &str) -> Box<Halt> {
    InternalError(what.to_owned()).into()
}

fn unsupported(what: &'static str) -> Box<Halt> {
    Box::new(Halt::Unsupported(what))
}

/// An object of `count` arrays is one of more elements; `None` if these are too many.
fn flatten(types: &Types, mut element: TypeId, count: &Integer) -> Option<(TypeId, u64)> {
    let mut count = count.to_i64().and_then(|count| u64::try_from(count).ok())?;
    while let Type::Array { element: inner, length } = types.get(element) {
        element = *inner;
        count = count.checked_mul(*length)?;
    }
    Some((element, count))
}

fn fill(
    types: &Types,
    layout: &Layout,
    count: u64,
    contents: Contents<Concrete>,
) -> Result<Vec<Value<Concrete>>, Box<Halt>> {
    let count = usize::try_from(count).map_err(|_| internal("an object of impossible size"))?;
    let scalars = layout.scalars.len();
    match contents {
        Contents::Uninitialised => Ok(vec![Value::Uninitialised; count * scalars]),
        Contents::Zero => {
            let one: Vec<_> = layout.scalars.iter().map(|(_, ty)| zero(types, *ty)).collect();
            Ok(one.iter().cloned().cycle().take(count * scalars).collect())
        }
        Contents::Repeat(Value::Sequence(held)) if layout.scalars[..] != [(0, TypeId::ANY)] => {
            let cells = &held.values;
            if cells.is_empty() || !(count * scalars).is_multiple_of(cells.len()) {
                return Err(internal("an object is filled with another shape"));
            }
            Ok(cells.iter().cloned().cycle().take(count * scalars).collect())
        }
        Contents::Repeat(value) => Ok(vec![value; count * scalars]),
        Contents::List(values) if values.len() == count * scalars => Ok(values),
        Contents::List(_) => Err(internal("an object is filled with another shape")),
    }
}

fn zero(types: &Types, ty: TypeId) -> Value<Concrete> {
    match types.get(ty) {
        Type::Bool => Value::Bool(false),
        Type::Pointer(_) | Type::Function => Value::Pointer(None),
        Type::Int(IntType::Unbounded | IntType::Machine { .. }) | Type::Any => {
            Value::Int(Integer::ZERO)
        }
        Type::Array { .. } | Type::Record(_) => Value::Uninitialised,
    }
}
