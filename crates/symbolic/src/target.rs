//! A place of a program as something that an execution can fail at: so whatever finds errors finds executions that come there, and whatever proves that there are none proves that none does.

use crate::search::Location;
use loupe_ir::check::{Check, CheckKind, Predicate};
use loupe_ir::program::{BlockId, FunctionId, Instruction, InstructionKind, Program};
use std::collections::BTreeMap;

/// The program with a check before each of these places that never holds.
pub fn with_targets(program: &Program, places: &[Location]) -> Program {
    let mut program = program.clone();
    let reason = program.symbols.intern("the target is here");
    // Behind the first place in a block nothing is executed any more.
    let mut first: BTreeMap<(FunctionId, BlockId), usize> = BTreeMap::new();
    for place in places {
        let at = first.entry((place.function, place.block)).or_insert(place.next);
        *at = place.next.min(*at);
    }
    for ((function, block), at) in first {
        let Some(block) = program
            .functions
            .get_mut(function.index())
            .and_then(|function| function.blocks.get_mut(block.index()))
        else {
            continue;
        };
        let (span, statement) = match block.instructions.get(at) {
            Some(instruction) => (instruction.span, instruction.statement),
            None => (block.terminator.span, block.terminator.statement),
        };
        let check = Check { kind: CheckKind::TargetReached, predicate: Predicate::Never(reason) };
        let kind = InstructionKind::Check(check);
        let at = at.min(block.instructions.len());
        block.instructions.insert(at, Instruction { kind, span, statement });
    }
    program
}

/// Where a function begins.
pub fn beginning(program: &Program, name: &str) -> Option<Location> {
    let mut named = program.functions().filter(|(_, content)| content.name == name);
    let (function, content) = named.next()?;
    let block = content.blocks().next()?.0;
    Some(Location { function, block, next: 0 })
}
