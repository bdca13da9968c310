//! Which inputs of a run belong to instructions that a slice keeps.

use loupe_engine::concrete::Observer;
use loupe_ir::analysis::location::Location;
use loupe_ir::analysis::slice::Slice;
use loupe_ir::program::{BlockId, FunctionId, InstructionKind, Program, Rvalue};

/// Follows a run instruction by instruction, as far as edges and calls tell where it is.
pub(crate) struct Tracer<'a> {
    program: &'a Program,
    slice: &'a Slice,
    loop_blocks: &'a [BlockId],
    calls: Vec<Call>,
    /// By position in the stream of inputs: whether the slice takes it as well.
    pub(crate) kept: Vec<bool>,
}

struct Call {
    function: FunctionId,
    block: BlockId,
    next: usize,
    /// Whether the slice makes this call, too.
    kept: bool,
}

impl<'a> Tracer<'a> {
    pub(crate) fn new(program: &'a Program, slice: &'a Slice, loop_blocks: &'a [BlockId]) -> Self {
        Tracer { program, slice, loop_blocks, calls: Vec::new(), kept: Vec::new() }
    }

    /// The innermost call goes on to its next call, or to the end of its block; says whether what it
    /// stands at then is kept.
    fn advance(&mut self) -> bool {
        let Some(call) = self.calls.last_mut() else { return true };
        let block = self.program.function(call.function).block(call.block);
        let in_loop =
            call.function == self.slice.function && self.loop_blocks.contains(&call.block);
        while let Some(instruction) = block.instructions.get(call.next) {
            let location = Location::new(call.block, call.next as u32);
            let kept = call.kept && (!in_loop || self.slice.keeps(location));
            call.next += 1;
            match &instruction.kind {
                InstructionKind::Assign { value: Rvalue::Input(_), .. } => self.kept.push(kept),
                InstructionKind::Call { .. } => return kept,
                _ => {}
            }
        }
        call.kept
    }
}

impl Observer for Tracer<'_> {
    fn called(&mut self, function: FunctionId) {
        let kept = self.advance();
        self.calls.push(Call { function, block: BlockId(0), next: 0, kept });
    }

    fn edge(&mut self, _function: FunctionId, _from: BlockId, to: BlockId) {
        self.advance();
        if let Some(call) = self.calls.last_mut() {
            call.block = to;
            call.next = 0;
        }
    }

    fn returned(&mut self) {
        self.advance();
        self.calls.pop();
    }
}
