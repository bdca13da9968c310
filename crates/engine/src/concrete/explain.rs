//! Why a check failed, in words and with the values that made it fail.

mod pointers;

use super::domain::Concrete;
use super::float::Number;
use super::{Address, ConcreteState, ConcreteValue, Memory};
use crate::semantics::Machine;
use crate::value::Value;
use loupe_ir::check::{Check, CheckKind, Predicate};
use loupe_ir::program::{InstructionKind, Operand, Place, Program, Rvalue};
use loupe_ir::text::print_type;
use loupe_ir::types::{Tag, TypeId};
use loupe_ir::validate::{ValueType, operand_type};

/// Longer numbers and texts are cut off.
const SHOWN: usize = 60;

/// A value in words: numbers and `null` as they are, the rest by what it is.
pub fn describe(program: &Program, memory: &Memory, value: &ConcreteValue) -> String {
    let text = match value {
        Value::Uninitialised => "nothing".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Float(_) | Value::LongFloat(_) => "a floating point number".to_owned(),
        Value::Aggregate(_) => "a struct or array".to_owned(),
        Value::Pointer(address) if address.is_null() => "null".to_owned(),
        Value::Pointer(Address { object: None, offset }) => format!("the address {offset:#x}"),
        Value::Pointer(_) => "a pointer".to_owned(),
        Value::Function(function) => format!("the function `{}`", program.function(*function).name),
        Value::Array(first) => elements(first.object.map_or(0, |object| memory.length(object))),
        Value::Sequence(sequence) => elements(sequence.values.len()),
        Value::Record(record) => {
            let mut text = String::from("{");
            for (i, (name, value)) in record.fields.iter().enumerate() {
                let separator = if i == 0 { "" } else { ", " };
                let name = program.symbols.name(*name);
                // A record inside is not opened: the text stays short, and this needs no recursion.
                let value = match value {
                    Value::Record(_) => "{…}".to_owned(),
                    Value::Int(number) => number.to_string(),
                    other => other.tag().map_or("nothing", Tag::name).to_owned(),
                };
                text.push_str(&format!("{separator}{name}: {value}"));
                if text.len() > SHOWN {
                    break;
                }
            }
            text + "}"
        }
    };
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN).chain("…".chars()).collect()
}

fn elements(count: usize) -> String {
    match count {
        1 => "an array of 1 element".to_owned(),
        count => format!("an array of {count} elements"),
    }
}

/// Why `check`, which has just failed in `state`, did so.
pub(super) fn failure(
    machine: &mut Machine<'_, Concrete>,
    state: &mut ConcreteState,
    check: &Check,
) -> String {
    let mut values = Values { machine, state };
    match &check.predicate {
        // The length of an array that is made here.
        Predicate::Holds(condition) if check.kind == CheckKind::InvalidAccess => {
            match values.compared(condition) {
                Some(length) => format!("the length of the array is {length}"),
                None => "the length of the array is not positive".to_owned(),
            }
        }
        // The title says it all.
        Predicate::Holds(_) => String::new(),
        Predicate::Never(reason) => values.machine.program.symbols.name(*reason).to_owned(),
        Predicate::NonZero(_) => "the divisor is 0".to_owned(),
        Predicate::NonNull(_) => "the pointer is null".to_owned(),
        Predicate::Initialised(_) if check.kind == CheckKind::MissingReturn => {
            "the function has ended without a value, which is used here".to_owned()
        }
        Predicate::Initialised(place) => match values.name(place) {
            Some(name) => format!("`{name}` has not been given a value"),
            None => "nothing has been written here yet".to_owned(),
        },
        Predicate::Is(place, tag) => {
            format!("{} is needed here, this is {}", tag.with_article(), values.at(place))
        }
        Predicate::IsNot(place, Tag::Record) => {
            format!("a record cannot hold the record {}; use a pointer to it", values.at(place))
        }
        Predicate::IsNot(place, tag) => {
            format!("{} is not allowed here, this is {}", tag.with_article(), values.at(place))
        }
        Predicate::HasField(place, name) => {
            let name = values.machine.program.symbols.name(*name).to_owned();
            format!("there is no field `{name}` in {}", values.at(place))
        }
        Predicate::InBounds { array, index } => {
            format!("the index is {}, and this is {}", values.of(index), values.at(array))
        }
        Predicate::InRange { index, length } if check.kind == CheckKind::InvalidShift => {
            format!("the count is {}, the width is {}", values.of(index), values.of(length))
        }
        Predicate::InRange { index, length } => {
            format!("the index is {}, the length is {}", values.of(index), values.of(length))
        }
        Predicate::Takes(callee, given) => {
            let takes = match values.value(callee) {
                Some(Value::Function(id)) => values.machine.program.function(id).params,
                _ => 0,
            };
            format!("{} takes {} but is given {given}", values.of(callee), arguments(takes))
        }
        Predicate::Comparable(a, b) => {
            format!(
                "only two numbers or two pointers can be compared, these are {} and {}",
                values.of(a),
                values.of(b)
            )
        }
        Predicate::Fits(_, a, b) => {
            format!("the result for {} and {} does not fit in its type", values.of(a), values.of(b))
        }
        Predicate::Representable(number, ty) => values.number_and_type(number, *ty),
        Predicate::Accepts { function, .. } => match values.value(function) {
            Some(Value::Function(id)) => {
                let name = &values.machine.program.function(id).name;
                format!("`{name}` takes other arguments, or returns something else")
            }
            _ => format!("{} is no function", values.of(function)),
        },
        about_memory => pointers::failure(&mut values, about_memory),
    }
}

fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}

/// The values of operands and places in the state of the failure.
pub(super) struct Values<'m, 'p> {
    pub(super) machine: &'m mut Machine<'p, Concrete>,
    pub(super) state: &'m mut ConcreteState,
}

impl Values<'_, '_> {
    pub(super) fn value(&mut self, operand: &Operand) -> Option<ConcreteValue> {
        let frame = self.state.frames.last()?;
        self.machine.operand(frame, operand).ok()
    }

    /// A floating point number, and the integers that do not have it.
    fn number_and_type(&mut self, operand: &Operand, to: TypeId) -> String {
        let to = print_type(self.machine.program, to);
        match self.float(operand) {
            Some(number) if number.is_nan() => format!("this is not a number, and no `{to}`"),
            Some(number) => format!("{number} is no `{to}`"),
            None => format!("the number is no `{to}`"),
        }
    }

    fn float(&mut self, operand: &Operand) -> Option<Number> {
        let program = self.machine.program;
        let function = program.function(self.state.frames.last()?.function);
        match operand_type(program, function, operand) {
            Ok(ValueType::Float(ty)) => Number::of(&self.value(operand)?, ty).ok(),
            _ => None,
        }
    }

    pub(super) fn of(&mut self, operand: &Operand) -> String {
        match self.value(operand) {
            Some(value) => describe(self.machine.program, &self.state.memory, &value),
            None => "nothing".to_owned(),
        }
    }

    /// The left side of the comparison in the current block that gave this truth value.
    fn compared(&mut self, condition: &Operand) -> Option<String> {
        let Operand::Local(truth) = condition else { return None };
        let frame = self.state.frames.last()?;
        let block = self.machine.program.function(frame.function).block(frame.block);
        let passed = block.instructions.get(..frame.next)?;
        let left = passed.iter().rev().find_map(|instruction| match &instruction.kind {
            InstructionKind::Assign { target, value: Rvalue::Compare(_, left, _) }
                if target == truth =>
            {
                Some(left)
            }
            _ => None,
        })?;
        Some(self.of(left))
    }

    fn at(&mut self, place: &Place) -> String {
        match self.machine.value_at(self.state, place) {
            Ok(value) => describe(self.machine.program, &self.state.memory, &value),
            Err(_) => "nothing".to_owned(),
        }
    }

    /// The name of the variable that a place is.
    fn name(&self, place: &Place) -> Option<String> {
        let loupe_ir::program::Base::Local(local) = place.base else {
            return None;
        };
        let function = self.machine.program.function(self.state.frames.last()?.function);
        function.local(local).name.clone().filter(|_| place.projections.is_empty())
    }
}
