//! A program in which only the slice of a loop is left.

use super::super::location::Location;
use super::{Jump, Slice, SliceError};
use crate::program::{Block, BlockId, Function, FunctionId, Program, TerminatorKind};

/// A program in which a loop has been replaced by its slice.
#[derive(Clone, Debug)]
pub struct Sliced {
    /// The program. What stands outside of the loop is as before, so behind the loop only the values that
    /// the slice was asked for are right.
    pub program: Program,
    /// The function with the slice. If a call in the slice may lead back to the function, that must find
    /// it whole: then the slice is in a new function, which nobody calls unless the program starts there.
    pub function: FunctionId,
    /// The header of the loop there.
    pub header: BlockId,
    /// What became of the blocks of the function; `None` for those that are gone.
    pub blocks: Vec<Option<BlockId>>,
}

/// Replaces a loop of `program` by its slice.
///
/// # Errors
///
/// If the slice is not one of this program.
pub fn apply(program: &Program, slice: &Slice) -> Result<Sliced, SliceError> {
    let whole = program
        .functions
        .get(slice.function.index())
        .ok_or(SliceError::NoSuchFunction(slice.function))?;
    if slice.blocks.iter().any(|block| block.index() >= whole.blocks.len()) {
        return Err(SliceError::NoSuchLoop(slice.loop_id));
    }
    let mut function = whole.clone();
    for block in &slice.blocks {
        cut(&mut function.blocks[block.index()], *block, slice);
    }
    let blocks = remove_unreachable(&mut function);
    let header = blocks.get(slice.header.index()).copied().flatten();
    let header = header.ok_or(SliceError::NoSuchLoop(slice.loop_id))?;
    let mut program = program.clone();
    let mut id = slice.function;
    if slice.is_recursive {
        id = FunctionId(program.functions.len() as u32);
        function.name = new_name(&program, &function.name);
        if program.entry == slice.function {
            program.entry = id;
        }
        program.functions.push(function);
    } else {
        program.functions[id.index()] = function;
    }
    Ok(Sliced { program, function: id, header, blocks })
}

/// Removes what is not in the slice from one block of the loop.
fn cut(block: &mut Block, id: BlockId, slice: &Slice) {
    let mut index = 0;
    let count = block.instructions.len() as u32;
    block.instructions.retain(|_| {
        index += 1;
        slice.keeps(Location::new(id, index - 1))
    });
    if slice.keeps(Location::new(id, count)) {
        return;
    }
    let Some(jump) = slice.jumps.get(&id) else { return };
    match jump {
        Jump::Block(to) => block.terminator.kind = TerminatorKind::Goto(*to),
        // It takes the place of a latch, and loops are found in the source by their latches.
        Jump::Header(like) => {
            block.terminator = like.clone();
            block.terminator.kind = TerminatorKind::Goto(slice.header);
        }
    }
}

/// Removes the blocks that cannot be reached and says what became of all.
fn remove_unreachable(function: &mut Function) -> Vec<Option<BlockId>> {
    let mut reached = vec![false; function.blocks.len()];
    let mut open = vec![BlockId(0)];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            open.extend(function.block(block).terminator.kind.successors());
        }
    }
    let mut next = 0;
    let mut number = |reached: &bool| {
        reached.then(|| {
            next += 1;
            BlockId(next - 1)
        })
    };
    let blocks: Vec<Option<BlockId>> = reached.iter().map(&mut number).collect();
    let mut index = 0;
    function.blocks.retain(|_| {
        index += 1;
        reached[index - 1]
    });
    for block in &mut function.blocks {
        for next in block.terminator.kind.successors_mut() {
            *next = blocks[next.index()].unwrap_or(*next);
        }
    }
    blocks
}

/// A name that no function has.
fn new_name(program: &Program, name: &str) -> String {
    let mut name = format!("{name}.slice");
    while program.functions.iter().any(|function| function.name == name) {
        name.push('\'');
    }
    name
}
