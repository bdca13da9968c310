//! Whether two states of an execution are the same: then it goes round for ever, since nothing but the state decides what comes next.

use super::{ConcreteState, ConcreteValue};
use crate::state::Frame;
use crate::value::Value;

/// Whether two values are the same. Records and arrays that are values are not looked into, and neither are numbers with a fraction: they count as
/// different.
pub(super) fn is_same_value(one: &ConcreteValue, other: &ConcreteValue) -> bool {
    match (one, other) {
        (Value::Uninitialised, Value::Uninitialised) => true,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Pointer(a), Value::Pointer(b)) | (Value::Array(a), Value::Array(b)) => a == b,
        (Value::Function(a), Value::Function(b)) => a == b,
        _ => false,
    }
}

/// Whether two states are the same, what was read included. `false` says nothing.
pub fn is_same_state(one: &ConcreteState, other: &ConcreteState) -> bool {
    let is_same_frame = |(one, other): (&Frame<_>, &Frame<_>)| {
        one.function == other.function
            && one.block == other.block
            && one.next == other.next
            && one.target == other.target
            && one.stack == other.stack
            && one.caller_knows == other.caller_knows
            && one.locals.len() == other.locals.len()
            && one.locals.iter().zip(&other.locals).all(|(a, b)| is_same_value(a, b))
    };
    one.depth() == other.depth()
        && one.streams == other.streams
        && one.calls().zip(other.calls()).all(is_same_frame)
        && one.memory.is_same(&other.memory)
}
