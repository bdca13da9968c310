//! What a state may execute: whether it can still take a way out of a branch that nobody has taken.

use crate::explore::Coverage;
use loupe_ir::program::{BlockId, Const, FunctionId, InstructionKind, Operand, Program};
use std::collections::BTreeSet;

/// Whether all ways out of branches have been taken that executions from these blocks may come to, in these functions and all that they may call.
pub(super) fn is_covered(
    program: &Program,
    coverage: &Coverage,
    from: impl Iterator<Item = (FunctionId, BlockId)>,
) -> bool {
    let mut open: Vec<(FunctionId, BlockId)> = from.collect();
    let mut seen: BTreeSet<(FunctionId, BlockId)> = open.iter().copied().collect();
    while let Some((id, number)) = open.pop() {
        let function = program.function(id);
        let block = function.block(number);
        let next: BTreeSet<BlockId> = block.terminator.kind.successors().collect();
        let is_branch = next.len() > 1 && program.sources.is_users(function.span);
        if is_branch && next.iter().any(|to| !coverage.ways().contains(&(id, number, *to))) {
            return false;
        }
        let mut ahead: Vec<(FunctionId, BlockId)> = next.into_iter().map(|to| (id, to)).collect();
        for instruction in &block.instructions {
            let InstructionKind::Call { callee, .. } = &instruction.kind else { continue };
            match callee {
                Operand::Const(Const::Function(callee)) => ahead.push((*callee, BlockId(0))),
                // It may be any of them.
                _ => ahead.extend(program.functions().map(|(callee, _)| (callee, BlockId(0)))),
            }
        }
        open.extend(ahead.into_iter().filter(|block| seen.insert(*block)));
    }
    true
}
