//! The state of an execution: the call stack with its registers, memory, and streams.

use crate::domain::Domain;
use crate::value::Value;
use loupe_ir::program::{BlockId, FunctionId, LocalId};

/// The state of an execution.
pub struct State<D: Domain> {
    /// The active calls, the innermost last; empty when the program has ended.
    pub frames: Vec<Frame<D>>,
    /// All objects.
    pub memory: D::Memory,
    /// Inputs and uninitialised values.
    pub streams: D::Streams,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        State {
            frames: self.frames.clone(),
            memory: self.memory.clone(),
            streams: self.streams.clone(),
        }
    }
}

/// An active call.
pub struct Frame<D: Domain> {
    /// The function.
    pub function: FunctionId,
    /// The block that is executed.
    pub block: BlockId,
    /// The next instruction in it; one past the last stands for the terminator.
    pub next: usize,
    /// The locals: the values of registers, and pointers to the objects of memory locals. Behind
    /// them stand the constants of the function.
    pub locals: Vec<Value<D>>,
    /// The caller's register for the result.
    pub target: Option<LocalId>,
    /// The objects that end with this call.
    pub stack: Vec<D::Pointer>,
}

impl<D: Domain> Clone for Frame<D> {
    fn clone(&self) -> Self {
        Frame { locals: self.locals.clone(), stack: self.stack.clone(), ..*self }
    }
}
