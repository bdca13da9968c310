//! Leaks of memory as something that an execution can fail at: checks where executions end.
//!
//! What is lost stays lost, so a look at the end of an execution finds whatever was lost on the way. An execution ends where the entry function returns, at `exit`, at `abort` and where an assertion
//! fails. When the entry function has returned, only global variables are left; at the other ends all calls are still active, and so are their variables. That memory is *given back* is asked
//! only of programs that end by themselves: by a return or by `exit`.
//!
//! Executions that never end have no such check. They are left out only by those who pass a loop without executing it, and these look before each: iterations
//! that a summary or an invariant covers leave all objects and all live pointers as they are, so what is tracked before the first of them is tracked before all.

use crate::property::Property;
use loupe_ir::check::{Calls, Check, CheckKind, Predicate};
use loupe_ir::program::{Block, Instruction, InstructionKind, Program, TerminatorKind};

/// The program with the checks that a property about leaks needs.
pub fn with_leak_checks(mut program: Program, property: Property) -> Program {
    let at_end = |calls: Calls| match property {
        Property::ValidMemcleanup => Predicate::AllFreed,
        _ => Predicate::Tracked(calls),
    };
    let entry = program.entry;
    for (number, function) in (0..).zip(&mut program.functions) {
        let is_entry = number == entry.0;
        for block in &mut function.blocks {
            check_before_failures(block);
            let predicate = match block.terminator.kind {
                TerminatorKind::Return(_) if is_entry => at_end(Calls::Outer),
                TerminatorKind::Exit(_) => at_end(Calls::All),
                TerminatorKind::Abort => Predicate::Tracked(Calls::All),
                _ => continue,
            };
            let (span, statement) = (block.terminator.span, block.terminator.statement);
            let kind = InstructionKind::Check(Check { kind: CheckKind::MemoryLeak, predicate });
            block.instructions.push(Instruction { kind, span, statement });
        }
    }
    program
}

/// A look before each check that ends the program without being an error.
fn check_before_failures(block: &mut Block) {
    let ends = |instruction: &Instruction| match &instruction.kind {
        InstructionKind::Check(check) => {
            matches!(check.kind, CheckKind::Assertion | CheckKind::ErrorReached)
        }
        _ => false,
    };
    let mut all = Vec::with_capacity(block.instructions.len());
    for instruction in block.instructions.drain(..) {
        if ends(&instruction) {
            let predicate = Predicate::Tracked(Calls::All);
            let kind = InstructionKind::Check(Check { kind: CheckKind::MemoryLeak, predicate });
            all.push(Instruction { kind, ..instruction.clone() });
        }
        all.push(instruction);
    }
    block.instructions = all;
}
