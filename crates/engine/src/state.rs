//! The state of an execution: the call stack with its registers, memory, and streams.

use crate::domain::Domain;
use crate::value::Value;
use loupe_ir::program::{BlockId, FunctionId, LocalId};
use std::rc::Rc;

/// The state of an execution.
pub struct State<D: Domain> {
    /// The innermost calls, the innermost of all last; empty when the program has ended.
    pub frames: Vec<Frame<D>>,
    /// The calls below these, which other states may have as well.
    pub below: Option<Rc<Below<D>>>,
    /// All objects.
    pub memory: D::Memory,
    /// Inputs and uninitialised values.
    pub streams: D::Streams,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        State {
            frames: self.frames.clone(),
            below: self.below.clone(),
            memory: self.memory.clone(),
            streams: self.streams.clone(),
        }
    }
}

impl<D: Domain> State<D> {
    /// How many calls are active.
    pub fn depth(&self) -> usize {
        self.frames.len() + self.below.as_ref().map_or(0, |below| below.depth)
    }

    /// The active calls, the innermost first.
    pub fn calls(&self) -> impl Iterator<Item = &Frame<D>> {
        let below = std::iter::successors(self.below.as_deref(), |node| node.below.as_deref());
        self.frames.iter().rev().chain(below.map(|node| &node.frame))
    }

    /// Moves all calls but the innermost to where clones of the state share them.
    pub fn share(&mut self) {
        let Some(innermost) = self.frames.pop() else { return };
        for frame in self.frames.drain(..) {
            let depth = self.below.as_ref().map_or(0, |below| below.depth) + 1;
            self.below = Some(Rc::new(Below { frame, below: self.below.take(), depth }));
        }
        self.frames.push(innermost);
    }

    /// Makes the innermost of the shared calls one of this state alone.
    pub(crate) fn unshare_one(&mut self) {
        let Some(node) = self.below.take() else { return };
        match Rc::try_unwrap(node) {
            Ok(mut node) => {
                self.below = node.below.take();
                self.frames.push(node.frame.take());
            }
            Err(node) => {
                self.below = node.below.clone();
                self.frames.push(node.frame.clone());
            }
        }
    }
}

/// A call that several states may have, and those below it.
pub struct Below<D: Domain> {
    /// The call.
    pub frame: Frame<D>,
    /// The ones below.
    pub below: Option<Rc<Below<D>>>,
    /// How many they are together.
    depth: usize,
}

/// One after the other instead of one inside the other: calls can nest deeply.
impl<D: Domain> Drop for Below<D> {
    fn drop(&mut self) {
        let mut next = self.below.take();
        while let Some(mut node) = next.and_then(Rc::into_inner) {
            next = node.below.take();
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

    /// The call, and nothing left of it here.
    fn take(&mut self) -> Self {
        let (locals, stack) = (std::mem::take(&mut self.locals), std::mem::take(&mut self.stack));
        Frame { locals, stack, ..*self }
    }
}

impl<D: Domain> Clone for Frame<D> {
    fn clone(&self) -> Self {
        Frame { locals: self.locals.clone(), stack: self.stack.clone(), ..*self }
    }
}
