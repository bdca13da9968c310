//! The objects of a symbolic execution.
//!
//! An object is a map from offsets to what has been written there, over a *background*: what is there where
//! nobody has written. What is read as it was written needs no more than that map; what is read in other
//! pieces is put together from the numbers that the written values are, byte by byte. An object that is
//! accessed at too many places that are not known becomes an array term, for good (`arrays`).
//!
//! Linked lists are arrays too (`lists`).
//!
//! Objects of microc have values of any kind in units of memory of size 1, and no bytes: what does not
//! fit there is not modelled. Clones of a memory share all objects that neither has changed.

mod access;
mod addresses;
mod arrays;
mod changes;
mod choices;
mod far;
mod leak;
mod lists;
mod merge;
mod pieces;
mod places;
mod ranges;
mod raw;
mod resolve;
mod shape;

use crate::domain::{Outcome, Symbolic, Unknown};
use crate::halt::{internal, unsupported};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use addresses::Addresses;
pub(crate) use addresses::Space;
use arrays::Array;
pub(crate) use changes::{Change, Elements as ArrayElements, Held};
pub(crate) use choices::Choices;
pub(crate) use leak::targets_of;
use loupe_engine::domain::{Contents, NewObject, Origin, Right, World};
use loupe_engine::layout::{Kind, Scalars};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::GlobalAccess;
use loupe_ir::types::{TypeId, Types};
pub(crate) use places::MAX_CHOICES;
use rpds::{RedBlackTreeMap, Vector};
use rustc_hash::FxHashMap;
pub(crate) use shape::{SpellOut, terms_of_value};
use std::rc::Rc;

/// An object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// A value in memory.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// How many units of memory it takes.
    size: u64,
    value: SymbolicValue,
    written: Written,
}

/// How much of a value in memory has been written. The rest are uninitialised values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// All of it, if this is true; else nothing.
    If(Bool),
    /// These bits of it.
    Bits(Integer),
    /// All of it, if this is true; else some part, nobody knows which.
    Mixed(Bool),
}

impl Written {
    const ALL: Written = Written::If(Bool::Known(true));
    const NOTHING: Written = Written::If(Bool::Known(false));
}

/// What is where nobody has written.
#[derive(Clone, Debug)]
enum Background {
    /// Zeros and null pointers.
    Zero,
    /// Nothing, and no values either (microc).
    Nothing,
    /// Uninitialised values: one for each scalar, from this position of their stream on.
    Unknown { occasion: u64, position: Int },
}

/// What an object holds.
#[derive(Clone, Debug)]
enum Body {
    Entries(RedBlackTreeMap<u64, Entry>),
    Array(Array),
}

/// An object.
#[derive(Clone, Debug)]
struct Object {
    origin: Origin,
    access: GlobalAccess,
    is_alive: bool,
    /// In units of memory.
    size: Int,
    /// The type of the elements that it was made of.
    element: TypeId,
    kind: Kind,
    background: Background,
    body: Body,
    reach: Reach,
    /// Which part of a list it is, if it is one.
    list: Option<lists::Part>,
}

/// How large an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The interpreter can have it: it has up to [`MAX_SIZE`] bytes.
    Near,
    /// It cannot: nothing that happens with such an object is ever replayed, but proofs speak of it. See `far.rs`.
    Far,
}

/// All objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Vector<Rc<Object>>,
    /// Uninitialised values that have been looked at, by occasion and number.
    unknowns: RedBlackTreeMap<(u64, u64), Unknown>,
    addresses: Addresses,
}

/// The contents of a struct or array with a layout, as one value.
#[derive(Clone, Debug)]
pub struct Aggregate {
    size: u64,
    /// Where nothing stands, there was nothing (microc), or zeros.
    entries: Vec<(u64, Entry)>,
}

/// The scalars of one element of a type: the first bit and the number of bits of each.
#[derive(Debug, Default)]
pub(crate) struct ScalarTables {
    known: FxHashMap<TypeId, Rc<[(u64, u64)]>>,
}

impl ScalarTables {
    fn get(&mut self, types: &Types, ty: TypeId) -> Rc<[(u64, u64)]> {
        let all = self.known.entry(ty).or_insert_with(|| Scalars::new(types, ty, 1).collect());
        Rc::clone(all)
    }
}

/// The largest object that has a size in memory: larger offsets do not fit the interpreter's pointers.
const MAX_SIZE: i64 = i32::MAX as i64;

impl Object {
    /// Whether there are pointers in it, which arrays of numbers do not have.
    fn has_pointers(&self) -> bool {
        match &self.body {
            Body::Entries(entries) => entries
                .values()
                .any(|entry| matches!(entry.value, Value::Pointer(_) | Value::Function(_))),
            Body::Array(_) => false,
        }
    }
}

impl Memory {
    /// How many objects have been made.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// The uninitialised values in objects that were looked at.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.unknowns.values()
    }

    fn object(&self, id: ObjectId) -> Outcome<&Object> {
        let object = self.objects.get(id.0 as usize);
        object.map(|object| &**object).ok_or_else(|| internal("an object that there is none of"))
    }

    fn object_mut(&mut self, id: ObjectId) -> Outcome<&mut Object> {
        let object = self.objects.get_mut(id.0 as usize);
        object.map(Rc::make_mut).ok_or_else(|| internal("an object that there is none of"))
    }

    /// The object that a pointer with one points into, if it lives.
    fn living(&self, pointer: &Pointer) -> Option<&Object> {
        let object = self.objects.get(pointer.object?.0 as usize)?;
        object.is_alive.then_some(&**object)
    }

    /// Ends an object.
    pub(crate) fn release(&mut self, id: ObjectId) -> Outcome<()> {
        let object = self.object_mut(id)?;
        object.is_alive = false;
        object.body = Body::Entries(RedBlackTreeMap::new());
        Ok(())
    }

    /// How many units an object has.
    pub(crate) fn size(&self, pointer: &Pointer) -> Option<Int> {
        let object = self.objects.get(pointer.object?.0 as usize)?;
        Some(object.size.clone())
    }

    /// The sizes of objects that depend on inputs.
    pub(crate) fn unknown_sizes(&self) -> Vec<loupe_term::Term> {
        let sizes = self.objects.iter().filter_map(|object| match object.size {
            Int::Term(size) if object.kind == Kind::Bytes => Some(size),
            _ => None,
        });
        let mut sizes: Vec<loupe_term::Term> = sizes.collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Whether an object has an address as a number.
    pub(crate) fn has_addresses(&self) -> bool {
        self.addresses.next.is_some()
    }

    /// Whether the program may give back what a pointer points to, as far as the offset is not asked.
    pub(crate) fn is_on_heap(&self, pointer: &Pointer) -> bool {
        self.living(pointer).is_some_and(|object| object.origin == Origin::Heap)
    }

    /// Whether something lives where a pointer points, and can be used in this way.
    pub(crate) fn grants(&self, pointer: &Pointer, right: Right) -> bool {
        let object = self.living(pointer);
        object.is_some_and(|o| right == Right::Read || o.access == GlobalAccess::ReadWrite)
    }
}

impl Symbolic {
    /// Makes an object.
    pub(crate) fn new_object(
        &mut self,
        world: World<'_, Symbolic>,
        new: NewObject<Symbolic>,
    ) -> Outcome<Pointer> {
        let World { types, memory, streams } = world;
        let element_size = types.size_of(new.element);
        let count = self.settled(&new.count).map_or_else(|| new.count.clone(), Int::Known);
        let size = self.scaled(&count, &Integer::from(element_size));
        let shape = self.shapes.get(types, new.element);
        let reach = self.reach_of(&size, (shape.kind, new.origin))?;
        let mut background = Background::Zero;
        if matches!(new.contents, Contents::Uninitialised | Contents::List(_)) {
            background = Background::Nothing;
        }
        if let (Kind::Bytes, Contents::Uninitialised) = (shape.kind, &new.contents) {
            let occasion = streams.occasions;
            streams.occasions += 1;
            let position = streams.undefined.clone();
            let scalars = self.scaled(&count, &Integer::from(shape.scalars));
            streams.undefined = self.sum(&position, &scalars);
            background = Background::Unknown { occasion, position };
        }
        let entries = first_entries(&new.contents, element_size, &count)?;
        let object = Object {
            origin: new.origin,
            access: new.access,
            is_alive: true,
            size,
            element: new.element,
            kind: shape.kind,
            background,
            body: Body::Entries(entries),
            reach,
            list: None,
        };
        memory.add_object(object)
    }
}

/// What a new object holds beside its background.
fn first_entries(
    contents: &Contents<Symbolic>,
    element_size: u64,
    count: &Int,
) -> Outcome<RedBlackTreeMap<u64, Entry>> {
    let mut entries = RedBlackTreeMap::new();
    let mut put = |offset: u64, size: u64, value: &SymbolicValue| match value {
        Value::Uninitialised => {}
        Value::Aggregate(held) => {
            for (at, part) in &held.entries {
                entries.insert_mut(offset + at, part.clone());
            }
        }
        value => {
            let value = value.clone();
            entries.insert_mut(offset, Entry { size, value, written: Written::ALL });
        }
    };
    match contents {
        Contents::Uninitialised | Contents::Zero => {}
        Contents::Repeat(value) => {
            let count = count.known().and_then(Integer::to_usize);
            let count =
                count.ok_or_else(|| unsupported("copies of a value, as many as an input says"))?;
            for number in 0..count as u64 {
                put(number * element_size, element_size, value);
            }
        }
        Contents::List(values) => {
            for (number, value) in (0..).zip(values) {
                put(number * element_size, element_size, value);
            }
        }
    }
    Ok(entries)
}
