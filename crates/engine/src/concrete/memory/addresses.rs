//! Addresses: objects as numbers.
//!
//! An object has no address until the program asks for one, by converting a pointer or by looking at its
//! bytes. Then it gets the next free one of [`crate::space`], for good: also when the object has ended, its
//! addresses lead to it and to nothing else.

use super::block::Stored;
use super::{Address, Object, ObjectId, Word};
use crate::concrete::halt::{Halt, unsupported};
use crate::space;
use loupe_ir::program::FunctionId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Which addresses are in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Addresses {
    word: Word,
    functions: u64,
    starts: FxHashMap<ObjectId, u64>,
    objects: BTreeMap<u64, ObjectId>,
    next: u64,
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Object(Address),
    Function(FunctionId),
    Nothing,
}

impl Addresses {
    pub(super) fn new(word: Word, functions: u64) -> Self {
        Addresses {
            word,
            functions,
            starts: FxHashMap::default(),
            objects: BTreeMap::new(),
            next: space::first_object(functions),
        }
    }

    /// The address of a function.
    pub(super) fn function(function: FunctionId) -> u64 {
        space::of_function(function)
    }

    /// Where an object starts, if that has ever been asked.
    pub(super) fn known(&self, object: ObjectId) -> Option<u64> {
        self.starts.get(&object).copied()
    }

    /// Where an object starts.
    pub(super) fn start(&mut self, objects: &[Object], object: ObjectId) -> Result<u64, Box<Halt>> {
        if let Some(start) = self.known(object) {
            return Ok(start);
        }
        let start = self.next;
        let size = u64::from(objects[object.index()].size);
        let behind = space::behind(start, size);
        if self.word.wrap(behind) != behind {
            return Err(unsupported("more addresses than the address space has"));
        }
        self.next = behind;
        self.starts.insert(object, start);
        self.objects.insert(start, object);
        Ok(start)
    }

    /// The number that a stored pointer is.
    pub(super) fn of(&mut self, objects: &[Object], stored: Stored) -> Result<u64, Box<Halt>> {
        match stored {
            Stored::Function(function) => Ok(Self::function(function)),
            Stored::Pointer(object, offset) => {
                let start = self.start(objects, object)?;
                Ok(self.word.wrap(start.wrapping_add_signed(i64::from(offset))))
            }
        }
    }

    /// What is at an address. Right behind an object still belongs to it.
    pub(super) fn find(&self, objects: &[Object], address: u64) -> At {
        if let Some((start, object)) = self.objects.range(..=address).next_back()
            && address - start <= u64::from(objects[object.index()].size)
            && let Ok(offset) = i32::try_from(address - start)
        {
            return At::Object(Address { object: Some(*object), offset });
        }
        space::function_at(address, self.functions).map_or(At::Nothing, At::Function)
    }
}
