//! What is wrong with a pointer.

use super::Values;
use crate::concrete::memory::Life;
use crate::concrete::{Address, Memory, ObjectId};
use crate::domain::{Domain, Origin, Right};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::Predicate;
use loupe_ir::program::{Operand, Program};
use loupe_ir::types::TypeId;

/// Why a predicate about memory does not hold.
pub(super) fn failure(values: &mut Values<'_, '_>, predicate: &Predicate) -> String {
    match predicate {
        Predicate::Accessible(pointer, ty) => values.access(pointer, Count::Of(*ty), Right::Read),
        Predicate::Writable(pointer, ty) => values.access(pointer, Count::Of(*ty), Right::Write),
        Predicate::AccessibleRange { pointer, count } => {
            values.access(pointer, Count::Operand(count), Right::Read)
        }
        Predicate::WritableRange { pointer, count } => {
            values.access(pointer, Count::Operand(count), Right::Write)
        }
        Predicate::Disjoint { left, right, count } => {
            let distance = values.distance(left, right);
            format!("two ranges of {} bytes start {distance}", values.of(count))
        }
        Predicate::SameObject(left, right) => {
            let (left, right) = (values.target(left), values.target(right));
            format!("one pointer points to {left}, the other to {right}")
        }
        Predicate::InObject { pointer, index, element } => {
            values.arithmetic(pointer, index, *element)
        }
        Predicate::Freeable(pointer) => values.free(pointer),
        Predicate::AllFreed => values.kept(),
        Predicate::Tracked(_) => "no pointer leads to some allocated memory any more".to_owned(),
        // All others are explained elsewhere.
        _ => String::new(),
    }
}

/// How many units of memory are wanted.
enum Count<'a> {
    Of(TypeId),
    Operand(&'a Operand),
}

impl Values<'_, '_> {
    /// What is allocated and not given back.
    fn kept(&self) -> String {
        let memory = &self.state.memory;
        let kept = self.machine.domain.allocated(memory);
        match kept[..] {
            [object] => format!("{} allocated bytes are not freed", memory.bytes_of(object)),
            _ => format!("{} allocated objects are not freed", kept.len()),
        }
    }

    fn pointer(&mut self, operand: &Operand) -> Option<Address> {
        match self.value(operand)? {
            Value::Pointer(pointer) => Some(self.state.memory.resolve(pointer)),
            Value::Function(function) => Some(self.machine.domain.function(function)),
            _ => None,
        }
    }

    fn number(&mut self, operand: &Operand) -> Option<Integer> {
        match self.value(operand)? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    fn access(&mut self, pointer: &Operand, count: Count<'_>, right: Right) -> String {
        let count = match count {
            Count::Of(ty) => Some(Integer::from(self.machine.program.types.size_of(ty))),
            Count::Operand(count) => self.number(count),
        };
        let (Some(pointer), Some(count)) = (self.pointer(pointer), count) else {
            return "this is no pointer".to_owned();
        };
        let (program, memory) = (self.machine.program, &self.state.memory);
        let Some(object) = pointer.object else {
            return no_object(pointer);
        };
        if let Some(gone) = gone(program, memory, object) {
            return gone;
        }
        let size = i64::from(memory.object(object).size);
        let offset = i64::from(pointer.offset);
        let name = name(program, memory, object);
        if offset < 0 || offset >= size {
            return format!("the pointer points {} {name}", beside(offset, size));
        }
        if Integer::from(size - offset) < count {
            let count = bytes(&count);
            return match size - offset {
                1 => format!("of {count} only 1 is in {name}"),
                left => format!("of {count} only {left} are in {name}"),
            };
        }
        match right {
            Right::Write => format!("{name} must not be written to"),
            Right::Read => format!("{name} cannot be read"),
        }
    }

    fn arithmetic(&mut self, pointer: &Operand, index: &Operand, element: TypeId) -> String {
        let size = Integer::from(self.machine.program.types.size_of(element));
        let (Some(pointer), Some(index)) = (self.pointer(pointer), self.number(index)) else {
            return "this is no pointer".to_owned();
        };
        let (program, memory) = (self.machine.program, &self.state.memory);
        let Some(object) = pointer.object else {
            return format!("{}; it cannot be moved by {index}", no_object(pointer));
        };
        if let Some(gone) = gone(program, memory, object) {
            return gone;
        }
        let moved = Integer::from(pointer.offset).add(&index.mul(&size));
        let size = i64::from(memory.object(object).size);
        let name = name(program, memory, object);
        match moved.to_i64() {
            Some(offset) => format!("the pointer would point {} {name}", beside(offset, size)),
            None => format!("the pointer would point far outside of {name}"),
        }
    }

    fn free(&mut self, pointer: &Operand) -> String {
        let Some(pointer) = self.pointer(pointer) else {
            return "this is no pointer".to_owned();
        };
        let (program, memory) = (self.machine.program, &self.state.memory);
        let Some(object) = pointer.object else {
            return no_object(pointer);
        };
        let known = memory.object(object);
        let name = name(program, memory, object);
        match (known.origin, known.life) {
            (Origin::Heap, Life::Alive(_)) => {
                let size = i64::from(known.size);
                let place = beside(i64::from(pointer.offset), size);
                format!("the pointer points {place} {name}, not to its start")
            }
            (Origin::Heap, _) => format!("{name} has been freed before"),
            _ => format!("{name} was not allocated"),
        }
    }

    /// How far apart two pointers are.
    fn distance(&mut self, left: &Operand, right: &Operand) -> String {
        let offset = |pointer: Option<Address>| pointer.map_or(0, |p| i64::from(p.offset));
        let distance = offset(self.pointer(left)) - offset(self.pointer(right));
        match distance.abs() {
            0 => "at the same place".to_owned(),
            apart => format!("{} apart", bytes(&Integer::from(apart))),
        }
    }

    /// What a pointer points to.
    fn target(&mut self, pointer: &Operand) -> String {
        match self.pointer(pointer) {
            Some(Address { object: Some(object), .. }) => {
                name(self.machine.program, &self.state.memory, object)
            }
            _ => self.of(pointer),
        }
    }
}

/// An address without an object.
fn no_object(pointer: Address) -> String {
    if pointer.is_null() {
        return "the pointer is null".to_owned();
    }
    format!("the pointer is the address {:#x}, where no object is", pointer.offset)
}

/// That an object has ended, if it has.
fn gone(program: &Program, memory: &Memory, object: ObjectId) -> Option<String> {
    let known = memory.object(object);
    let name = name(program, memory, object);
    match (known.life, known.origin) {
        (Life::Alive(_), _) => None,
        (_, Origin::Heap) => Some(format!("use after free: {name} was freed")),
        _ => Some(format!("{name} is gone: its block has ended")),
    }
}

/// An object with its size.
fn name(program: &Program, memory: &Memory, object: ObjectId) -> String {
    let known = memory.object(object);
    let size = bytes(&Integer::from(known.size));
    match known.origin {
        Origin::Local(function, local) => match &program.function(function).local(local).name {
            Some(name) => format!("`{name}` ({size})"),
            None => format!("a temporary object of {size}"),
        },
        Origin::Global(global) => match program.globals[global.index()].name.as_str() {
            // No variable of C has such a name.
            name if name.starts_with("string.") => format!("the string literal of {size}"),
            name => format!("`{name}` ({size})"),
        },
        Origin::Heap => format!("the allocated object of {size}"),
        Origin::Stack => format!("the object of {size} on the stack"),
    }
}

/// Where an offset lies that may be outside of an object, which is named behind this.
fn beside(offset: i64, size: i64) -> String {
    let far = |distance: i64| bytes(&Integer::from(distance));
    if offset < 0 {
        return format!("{} before the start of", far(-offset));
    }
    match offset - size {
        0 => "right behind the end of".to_owned(),
        behind if behind > 0 => format!("{} behind the end of", far(behind)),
        _ if offset == 0 => "to the start of".to_owned(),
        _ => format!("{} behind the start of", far(offset)),
    }
}

fn bytes(count: &Integer) -> String {
    if *count == Integer::ONE { "1 byte".to_owned() } else { format!("{count} bytes") }
}
