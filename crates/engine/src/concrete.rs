//! Execution with concrete values: the interpreter, and the judge of everything symbolic.

mod domain;
mod explain;
mod input;
mod interpreter;
mod layout;
mod memory;
pub mod profile;

pub use domain::{Concrete, Halt, Limit, Positions};
pub use explain::describe;
pub use input::{BadInput, InputSource, RunLength, parse_input_file};
pub use interpreter::{
    Call, End, Failure, Interpreter, Observer, Options, Output, Run, Supervisor, Unobserved,
};
pub use memory::{Address, Memory, ObjectId};

/// A value of the interpreter.
pub type ConcreteValue = crate::value::Value<Concrete>;
/// A state of the interpreter.
pub type ConcreteState = crate::state::State<Concrete>;

const _: () = assert!(size_of::<ConcreteValue>() == 16, "a value is two words");
