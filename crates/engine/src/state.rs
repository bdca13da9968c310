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
    /// Objects on the stack that end with the call, beside the locals.
    pub stack: Vec<D::Pointer>,
    /// How the caller came to call this function.
    pub caller_knows: CallerKnows,
}

/// What a caller knows of the function that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallerKnows {
    /// Which one it is: arguments and result are of its types.
    Function,
    /// Only its value: the types are alike, but a number may be of the other signedness.
    Value,
}

impl<D: Domain> Frame<D> {
    /// A call that is about to execute the first instruction.
    pub(crate) fn enter(
        function: FunctionId,
        locals: Vec<Value<D>>,
        target: Option<LocalId>,
        caller_knows: CallerKnows,
    ) -> Self {
        let (block, next, stack) = (BlockId(0), 0, Vec::new());
        Frame { function, block, next, locals, target, stack, caller_knows }
    }
}

impl<D: Domain> Clone for Frame<D> {
    fn clone(&self) -> Self {
        Frame { locals: self.locals.clone(), stack: self.stack.clone(), ..*self }
    }
}
