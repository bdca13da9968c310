//! Whether what somebody wants to reach is in code that can never be executed: it was lowered, and nothing leads there.

use super::Needs;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{Function, InstructionKind, TerminatorKind};
use loupe_ir::source::{FileId, Span};
use std::collections::BTreeSet;

/// Whether the line or label that somebody asks for was lowered, and nothing of it can be executed. The functions are as they were lowered, with all of their blocks.
pub(super) fn is_target_dead(needs: &Needs, functions: &[Function]) -> bool {
    let mut is_written = false;
    for function in functions {
        let reachable = reachable(function);
        for (number, block) in function.blocks.iter().enumerate() {
            let is_asked =
                |span: Span| needs.target_line == Some(span.start.line) && span.file == FileId(0);
            let is_here = block.instructions.iter().any(|instruction| {
                let is_label = needs.error_label.is_some()
                    && matches!(&instruction.kind, InstructionKind::Check(check)
                        if check.kind == CheckKind::TargetReached);
                is_label || is_asked(instruction.span)
            });
            // Jumps belong to whatever they lead around.
            let is_jump = matches!(
                block.terminator.kind,
                TerminatorKind::Goto(_) | TerminatorKind::Unreachable
            );
            if is_here || !is_jump && is_asked(block.terminator.span) {
                if reachable.contains(&number) {
                    return false;
                }
                is_written = true;
            }
        }
    }
    is_written
}

/// The blocks that some way leads to from the first.
fn reachable(function: &Function) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let Some(block) = function.blocks.get(at) else { continue };
        for next in block.terminator.kind.successors() {
            if found.insert(next.index()) {
                open.push(next.index());
            }
        }
    }
    found
}
