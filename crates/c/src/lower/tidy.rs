//! Cleaning up after lowering: what cannot be reached, what jumps only, what is assigned for nobody.

use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::initialised::definitely_initialised;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    Base, Block, BlockId, Const, Function, FunctionId, InstructionKind, LocalId, Operand, Rvalue,
    StatementId, TerminatorKind,
};
use std::collections::{HashMap, HashSet};

/// Removes checks for missing results of functions that always give one. A call through a pointer may
/// reach any function.
pub(super) fn drop_needless_result_checks(
    function: &mut Function,
    may_fall_off: &HashSet<FunctionId>,
) {
    let mut doubtful: HashMap<LocalId, bool> = HashMap::new();
    for block in &mut function.blocks {
        block.instructions.retain(|instruction| match &instruction.kind {
            InstructionKind::Call { target: Some(target), callee, .. } => {
                let may = match callee {
                    Operand::Const(Const::Function(id)) => may_fall_off.contains(id),
                    _ => !may_fall_off.is_empty(),
                };
                doubtful.insert(*target, may);
                true
            }
            InstructionKind::Check(check) if check.kind == CheckKind::MissingReturn => {
                match &check.predicate {
                    Predicate::Initialised(place) => match place.base {
                        Base::Local(local) => doubtful.get(&local).copied().unwrap_or(true),
                        Base::Global(_) => true,
                    },
                    _ => true,
                }
            }
            _ => true,
        });
    }
}

/// Whether a function may return a value that it never computed.
pub(super) fn may_return_nothing(function: &Function) -> bool {
    let reached = reachable(function);
    function.blocks.iter().zip(reached).any(|(block, reached)| {
        let TerminatorKind::Return(Some(Operand::Local(value))) = &block.terminator.kind else {
            return false;
        };
        let is_nothing =
            |kind: &InstructionKind| matches!(kind, InstructionKind::Live(l) if l == value);
        reached && block.instructions.iter().any(|instruction| is_nothing(&instruction.kind))
    })
}

/// Makes a function obey the rules of the flowgraph, and removes what does nothing.
pub(super) fn tidy(function: &mut Function) {
    thread_jumps(function);
    merge_chains(function);
    drop_unreachable(function);
    drop_proven_checks(function);
    drop_dead_assignments(function);
    drop_unused_locals(function);
    drop_unused_statements(function);
}

/// Jumps to blocks that only jump go where these go.
fn thread_jumps(function: &mut Function) {
    let mut next: Vec<Option<BlockId>> = function
        .blocks
        .iter()
        .map(|block| match block.terminator.kind {
            TerminatorKind::Goto(next) if block.instructions.is_empty() => Some(next),
            _ => None,
        })
        .collect();
    // The entry block stays where it is, and an empty loop is a loop.
    next[0] = None;
    let resolve = |start: BlockId| {
        let mut at = start;
        let mut steps = 0;
        while let Some(to) = next[at.index()] {
            at = to;
            steps += 1;
            if steps > next.len() {
                return start;
            }
        }
        at
    };
    let resolved: Vec<BlockId> =
        (0..function.blocks.len()).map(|block| resolve(BlockId(block as u32))).collect();
    for block in &mut function.blocks {
        for successor in block.terminator.kind.successors_mut() {
            *successor = resolved[successor.index()];
        }
        if let TerminatorKind::Branch { then, otherwise, .. } = block.terminator.kind
            && then == otherwise
        {
            block.terminator.kind = TerminatorKind::Goto(then);
        }
    }
}

/// A block that is the only successor of its only predecessor becomes a part of it.
fn merge_chains(function: &mut Function) {
    let reached = reachable(function);
    let mut predecessors = vec![0u32; function.blocks.len()];
    for (number, block) in function.blocks.iter().enumerate() {
        if reached[number] {
            for next in block.terminator.kind.successors() {
                predecessors[next.index()] += 1;
            }
        }
    }
    let starts = reached.iter().enumerate().filter(|(_, reached)| **reached);
    for (start, _) in starts {
        while let TerminatorKind::Goto(next) = function.blocks[start].terminator.kind {
            let next = next.index();
            if next == start || next == 0 || predecessors[next] != 1 {
                break;
            }
            let unreachable = TerminatorKind::Unreachable;
            let terminator = function.blocks[next].terminator.clone();
            let instructions = std::mem::take(&mut function.blocks[next].instructions);
            function.blocks[next].terminator.kind = unreachable;
            predecessors[next] = 0;
            let block = &mut function.blocks[start];
            block.instructions.extend(instructions);
            block.terminator = terminator;
        }
    }
}

fn reachable(function: &Function) -> Vec<bool> {
    let mut reached = vec![false; function.blocks.len()];
    let mut open = vec![BlockId(0)];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut reached[id.index()], true) {
            open.extend(function.block(id).terminator.kind.successors());
        }
    }
    reached
}

/// Removes blocks that cannot be reached. Nothing may go to the entry block, so it gets one before it if
/// something does.
fn drop_unreachable(function: &mut Function) {
    let reached = reachable(function);
    let mut numbers = vec![BlockId(0); function.blocks.len()];
    let mut kept: Vec<Block> = Vec::new();
    for (number, block) in std::mem::take(&mut function.blocks).into_iter().enumerate() {
        if reached[number] {
            numbers[number] = BlockId(kept.len() as u32);
            kept.push(block);
        }
    }
    let mut to_entry = false;
    for block in &mut kept {
        for successor in block.terminator.kind.successors_mut() {
            *successor = numbers[successor.index()];
            to_entry |= successor.0 == 0;
        }
    }
    if to_entry {
        let moved = BlockId(kept.len() as u32);
        for block in &mut kept {
            for successor in block.terminator.kind.successors_mut() {
                if successor.0 == 0 {
                    *successor = moved;
                }
            }
        }
        let mut terminator = kept[0].terminator.clone();
        terminator.kind = TerminatorKind::Goto(moved);
        let old = std::mem::replace(&mut kept[0], Block { instructions: Vec::new(), terminator });
        kept.push(old);
    }
    function.blocks = kept;
}

/// Removes checks for initialisation of variables that have a value on every path.
fn drop_proven_checks(function: &mut Function) {
    let graph = FlowGraph::new(function);
    let redundant = definitely_initialised(function, &graph).redundant_checks();
    let redundant: HashSet<_> =
        redundant.into_iter().map(|at| (at.block.index(), at.index as usize)).collect();
    remove(function, &redundant);
}

/// Removes undefined values that nobody reads: those of variables that are initialised first.
fn drop_dead_assignments(function: &mut Function) {
    let mut dead = HashSet::new();
    {
        let graph = FlowGraph::new(function);
        let liveness = Liveness::new(function, &graph);
        for (id, _) in function.blocks() {
            liveness.walk_back(id, |location, step, live| {
                let loupe_ir::analysis::location::Step::Instruction(instruction) = step else {
                    return;
                };
                let unread = match &instruction.kind {
                    InstructionKind::Assign { target, value: Rvalue::Undefined(_) } => {
                        !live.contains(target)
                    }
                    InstructionKind::Live(local) => {
                        let storage = function.local(*local).storage;
                        storage == loupe_ir::program::Storage::Register && !live.contains(local)
                    }
                    _ => false,
                };
                if unread {
                    dead.insert((location.block.index(), location.index as usize));
                }
            });
        }
    }
    remove(function, &dead);
}

fn remove(function: &mut Function, places: &HashSet<(usize, usize)>) {
    if places.is_empty() {
        return;
    }
    for (number, block) in function.blocks.iter_mut().enumerate() {
        let mut index = 0;
        block.instructions.retain(|_| {
            let keep = !places.contains(&(number, index));
            index += 1;
            keep
        });
    }
}

/// Temporaries that nothing mentions any more take room in every call.
fn drop_unused_locals(function: &mut Function) {
    let mut used = vec![false; function.locals.len()];
    used[..function.params].fill(true);
    for (local, used) in function.locals.iter().zip(&mut used) {
        *used |= local.name.is_some();
    }
    for block in &mut function.blocks {
        visit_locals(block, &mut |local| used[local.index()] = true);
    }
    if used.iter().all(|used| *used) {
        return;
    }
    let mut numbers = vec![LocalId(0); used.len()];
    let mut count = 0;
    for (number, used) in used.iter().enumerate() {
        numbers[number] = LocalId(count);
        count += u32::from(*used);
    }
    let mut keep = used.iter();
    function.locals.retain(|_| keep.next().copied().unwrap_or(true));
    for block in &mut function.blocks {
        visit_locals(block, &mut |local| *local = numbers[local.index()]);
    }
}

/// Statements that nothing belongs to any more: the head of a function that does nothing, what cannot be
/// reached.
fn drop_unused_statements(function: &mut Function) {
    let mut used = vec![false; function.statements.len()];
    visit_statements(function, &mut |statement| used[statement.index()] = true);
    if used.iter().all(|used| *used) {
        return;
    }
    let mut numbers = vec![StatementId(0); used.len()];
    let mut count = 0;
    for (number, used) in used.iter().enumerate() {
        numbers[number] = StatementId(count);
        count += u32::from(*used);
    }
    let mut keep = used.iter();
    function.statements.retain(|_| keep.next().copied().unwrap_or(true));
    visit_statements(function, &mut |statement| *statement = numbers[statement.index()]);
}

fn visit_statements(function: &mut Function, visit: &mut impl FnMut(&mut StatementId)) {
    for block in &mut function.blocks {
        for instruction in &mut block.instructions {
            visit(&mut instruction.statement);
        }
        visit(&mut block.terminator.statement);
    }
}

/// Calls `visit` for every local that a block mentions.
fn visit_locals(block: &mut Block, visit: &mut impl FnMut(&mut LocalId)) {
    for instruction in &mut block.instructions {
        instruction.kind.visit_locals_mut(visit);
    }
    block.terminator.kind.visit_locals_mut(visit);
}
