//! A place of a program as something that an execution can fail at: so whatever finds errors finds executions that come there, and whatever proves that there are none proves that none does.

use crate::property::{Judgement, Property};
use crate::search::Location;
use loupe_integer::Integer;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::check::{Check, CheckKind, Predicate};
use loupe_ir::program::{
    Block, BlockId, CompareOp, Const, FunctionId, Instruction, InstructionKind, Local, LocalId,
    Operand, Program, Rvalue, Storage, Terminator, TerminatorKind,
};
use loupe_ir::types::Type;
use std::collections::BTreeMap;

/// Where errors of a property are: the checks that count.
pub fn places_of_errors(program: &Program, property: Property) -> Vec<Location> {
    let mut places = Vec::new();
    for (function, content) in program.functions() {
        for (block, code) in content.blocks() {
            for (next, instruction) in code.instructions.iter().enumerate() {
                if let InstructionKind::Check(check) = &instruction.kind
                    && property.judge(check.kind) == Judgement::Error
                {
                    places.push(Location { function, block, next });
                }
            }
        }
    }
    places
}

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

/// The program with a check on each of these edges that never holds. All blocks and loops keep their numbers: what is new comes behind them.
pub fn with_targets_on(program: &Program, edges: &[(FunctionId, Edge)]) -> Program {
    let mut program = program.clone();
    let reason = program.symbols.intern("the target is here");
    for (function, Edge { from, to }) in edges {
        let Some(code) = program.functions.get_mut(function.index()) else { continue };
        let between = BlockId(code.blocks.len() as u32);
        let Some(block) = code.blocks.get_mut(from.index()) else { continue };
        let (span, statement) = (block.terminator.span, block.terminator.statement);
        let turn = |way: &mut BlockId| {
            if way == to {
                *way = between;
            }
        };
        match &mut block.terminator.kind {
            TerminatorKind::Goto(way) => turn(way),
            TerminatorKind::Branch { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(turn)
            }
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, way)| turn(way));
                turn(default);
            }
            TerminatorKind::Return(_)
            | TerminatorKind::Exit(_)
            | TerminatorKind::Abort
            | TerminatorKind::Unreachable => continue,
        }
        let check = Check { kind: CheckKind::TargetReached, predicate: Predicate::Never(reason) };
        let kind = InstructionKind::Check(check);
        let terminator = Terminator { kind: TerminatorKind::Goto(*to), span, statement };
        code.blocks
            .push(Block { instructions: vec![Instruction { kind, span, statement }], terminator });
    }
    program
}

/// The program with a check before each return of a function that does not hold where it returns this number; `None` if it returns no number of a type that is known.
pub fn with_return_target(program: &Program, name: &str, number: &Integer) -> Option<Program> {
    let mut program = program.clone();
    let truth = program.types.intern(Type::Bool);
    let at = program.functions.iter().position(|function| function.name == name)?;
    let function = program.functions.get_mut(at)?;
    let int = program.types.as_int(function.result?)?;
    let wanted = Operand::Const(Const::Int(number.clone(), int));
    // What does not fit in the type is never returned.
    let is_possible = int.contains(number);
    for block in function.blocks.iter_mut().filter(|_| is_possible) {
        let TerminatorKind::Return(Some(value)) = &block.terminator.kind else { continue };
        let other = LocalId(function.locals.len() as u32);
        let (span, statement) = (block.terminator.span, block.terminator.statement);
        let (name, storage) = (None, Storage::Register);
        function.locals.push(Local { name, ty: truth, storage, span });
        let value = Rvalue::Compare(CompareOp::Ne, value.clone(), wanted.clone());
        let predicate = Predicate::Holds(Operand::Local(other));
        let check = Check { kind: CheckKind::TargetReached, predicate };
        for kind in
            [InstructionKind::Assign { target: other, value }, InstructionKind::Check(check)]
        {
            block.instructions.push(Instruction { kind, span, statement });
        }
    }
    Some(program)
}

/// Where a function begins.
pub fn beginning(program: &Program, name: &str) -> Option<Location> {
    let mut named = program.functions().filter(|(_, content)| content.name == name);
    let (function, content) = named.next()?;
    let block = content.blocks().next()?.0;
    Some(Location { function, block, next: 0 })
}
