//! Places in a function: the instructions and terminators of its blocks.

use crate::program::{BlockId, Function, Instruction, StatementId, Terminator};
use crate::source::Span;
use std::fmt;
use std::iter;

/// An instruction or a terminator, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The block.
    pub block: BlockId,
    /// The instruction's index in its block; the terminator's is the number of instructions.
    pub index: u32,
}

impl Location {
    /// The place with this index in `block`.
    pub const fn new(block: BlockId, index: u32) -> Self {
        Location { block, index }
    }

    /// The place of the terminator of `block`.
    pub fn terminator(function: &Function, block: BlockId) -> Self {
        Location { block, index: function.block(block).instructions.len() as u32 }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}[{}]", self.block.0, self.index)
    }
}

/// What stands at a [`Location`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'f> {
    /// An instruction.
    Instruction(&'f Instruction),
    /// The end of a block.
    Terminator(&'f Terminator),
}

impl<'f> Step<'f> {
    /// What stands at `location`, if there is such a place.
    pub fn at(function: &'f Function, location: Location) -> Option<Self> {
        let block = function.blocks.get(location.block.index())?;
        let index = location.index as usize;
        if index == block.instructions.len() {
            return Some(Step::Terminator(&block.terminator));
        }
        block.instructions.get(index).map(Step::Instruction)
    }

    /// Its place in the source.
    pub fn span(self) -> Span {
        match self {
            Step::Instruction(instruction) => instruction.span,
            Step::Terminator(terminator) => terminator.span,
        }
    }

    /// The statement that it belongs to.
    pub fn statement(self) -> StatementId {
        match self {
            Step::Instruction(instruction) => instruction.statement,
            Step::Terminator(terminator) => terminator.statement,
        }
    }
}

/// The steps of `block` with their places, the terminator last.
pub fn steps(
    function: &Function,
    block: BlockId,
) -> impl DoubleEndedIterator<Item = (Location, Step<'_>)> {
    let content = function.block(block);
    let instructions = content.instructions.iter().enumerate().map(move |(index, instruction)| {
        (Location::new(block, index as u32), Step::Instruction(instruction))
    });
    let end = Location::terminator(function, block);
    instructions.chain(iter::once((end, Step::Terminator(&content.terminator))))
}
