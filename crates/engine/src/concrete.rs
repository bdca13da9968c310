//! Execution with concrete values: the interpreter, and the judge of everything symbolic.

mod domain;
mod explain;
pub mod float;
mod formatted;
mod halt;
mod input;
pub mod integers;
mod interpreter;
mod intrinsics;
mod lists;
mod memory;
pub mod profile;
mod same;
pub mod story;

pub use domain::{Concrete, Positions};
pub use explain::describe;
pub use halt::{Halt, Limit};
pub use input::{BadInput, ByteSource, InputSource, RunLength, parse_input_file};
pub use interpreter::{
    Call, End, Failure, Interpreter, Observer, Options, Output, Run, Stream, Supervisor, Unobserved,
};
pub use memory::{Address, Aggregate, Block, Memory, ObjectId};
pub use same::is_same_state;

/// A value of the interpreter.
pub type ConcreteValue = crate::value::Value<Concrete>;
/// A state of the interpreter.
pub type ConcreteState = crate::state::State<Concrete>;

const _: () = assert!(size_of::<ConcreteValue>() == 16, "a value is two words");

/// The address that a function has as a number.
pub fn function_address(function: loupe_ir::program::FunctionId) -> u64 {
    memory::function_address(function)
}
