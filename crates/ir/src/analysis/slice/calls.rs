//! What a call may do, by a summary of every function.
//!
//! The effects of a function are those of its steps and of the functions that it calls, over the whole
//! program, without regard to order: what Cooper and Kennedy, *Interprocedural Side-Effect Analysis in
//! Linear Time* (1988), call GMOD and GREF. A call of an unknown function may go to every function whose
//! address is taken.
//!
//! Locals of the called function are left out: nobody else names them, and what is reached through
//! pointers is one thing here.

use super::super::graph::FlowGraph;
use super::super::location::{Step, steps};
use super::super::uses::{Access, Hops, visit_accesses};
use super::dropped::Hazard;
use super::effects::{asks_for_address, reads_standard_input, takes_input};
use crate::program::{
    Base, BlockId, Const, Function, FunctionId, GlobalId, InstructionKind, Operand, Program,
    TerminatorKind,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// What a call of a function may do.
#[derive(Clone, Debug, Default)]
pub(super) struct CallEffects {
    /// Globals that are read by name.
    pub(super) reads: BTreeSet<GlobalId>,
    /// Globals that are written by name.
    pub(super) writes: BTreeSet<GlobalId>,
    /// Whether something is read through a pointer.
    pub(super) reads_memory: bool,
    /// Whether something is written through a pointer.
    pub(super) writes_memory: bool,
    /// Whether inputs are taken.
    pub(super) takes_input: bool,
    /// Whether the standard input is read.
    pub(super) reads_standard_input: bool,
    /// Whether pointers become numbers.
    pub(super) asks_for_address: bool,
    /// Whether there is output.
    pub(super) outputs: bool,
    /// Why it may not come back.
    pub(super) hazards: BTreeSet<Hazard>,
}

impl CallEffects {
    /// What a function may do of which nothing is known.
    fn unknown(program: &Program) -> Self {
        let all: BTreeSet<GlobalId> = (0..program.globals.len() as u32).map(GlobalId).collect();
        CallEffects {
            reads: all.clone(),
            writes: all,
            reads_memory: true,
            writes_memory: true,
            takes_input: true,
            reads_standard_input: true,
            asks_for_address: true,
            outputs: true,
            hazards: BTreeSet::from([Hazard::Unknown]),
        }
    }

    /// Adds what `other` may do.
    fn add(&mut self, other: &CallEffects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.hazards.extend(&other.hazards);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.takes_input |= other.takes_input;
        self.reads_standard_input |= other.reads_standard_input;
        self.asks_for_address |= other.asks_for_address;
        self.outputs |= other.outputs;
    }
}

/// The summaries of all functions.
#[derive(Debug)]
pub(super) struct Calls {
    functions: Vec<CallEffects>,
    /// Of all functions together that an unknown pointer may lead to.
    indirect: CallEffects,
    /// Who calls whom. The last node stands for calls through pointers.
    graph: DiGraph<(), ()>,
}

impl Calls {
    /// The summaries for `program`. Of the functions in `unknown` nothing is believed.
    pub(super) fn new(program: &Program, unknown: &BTreeSet<FunctionId>) -> Self {
        let taken = taken_functions(program);
        let mut graph = DiGraph::new();
        for _ in &program.functions {
            graph.add_node(());
        }
        let indirect = graph.add_node(());
        for function in taken {
            graph.add_edge(indirect, node(function), ());
        }
        let mut effects = Vec::with_capacity(program.functions.len() + 1);
        for (id, function) in program.functions() {
            if unknown.contains(&id) {
                effects.push(CallEffects::unknown(program));
                graph.add_edge(node(id), indirect, ());
                continue;
            }
            let (own, callees) = direct(program, function);
            effects.push(own);
            for callee in callees {
                graph.update_edge(node(id), callee.map_or(indirect, node), ());
            }
        }
        effects.push(CallEffects::default());
        propagate(&graph, &mut effects);
        let indirect = effects.pop().unwrap_or_default();
        Calls { functions: effects, indirect, graph }
    }

    /// What a call may do.
    pub(super) fn of(&self, callee: &Operand) -> &CallEffects {
        let known = known_callee(callee).and_then(|id| self.functions.get(id.index()));
        known.unwrap_or(&self.indirect)
    }

    /// Whether a call may lead to `function`.
    pub(super) fn leads_to(&self, callee: &Operand, function: FunctionId) -> bool {
        let indirect = NodeIndex::new(self.functions.len());
        let mut open = vec![known_callee(callee).map_or(indirect, node)];
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            if next == node(function) {
                return true;
            }
            if seen.insert(next) {
                open.extend(self.graph.neighbors(next));
            }
        }
        false
    }
}

/// The function that is called, if the call names it.
pub(in crate::analysis) fn known_callee(callee: &Operand) -> Option<FunctionId> {
    match callee {
        Operand::Const(Const::Function(id)) => Some(*id),
        _ => None,
    }
}

fn node(function: FunctionId) -> NodeIndex {
    NodeIndex::new(function.index())
}

/// Carries effects from callees to callers. Components come after those that they lead to, so one pass is
/// enough; within one, what one function does, all may do.
fn propagate(graph: &DiGraph<(), ()>, effects: &mut [CallEffects]) {
    for component in kosaraju_scc(graph) {
        let mut together = CallEffects::default();
        let recursive = match component.as_slice() {
            [single] => graph.contains_edge(*single, *single),
            _ => true,
        };
        if recursive {
            together.hazards.insert(Hazard::Recursion);
        }
        for member in &component {
            together.add(&effects[member.index()]);
            for callee in graph.neighbors(*member) {
                together.add(&effects[callee.index()]);
            }
        }
        for member in component {
            effects[member.index()] = together.clone();
        }
    }
}

/// The functions whose address is taken: those that stand anywhere but as the callee of a call.
pub(in crate::analysis) fn taken_functions(program: &Program) -> BTreeSet<FunctionId> {
    let mut taken = BTreeSet::new();
    let mut take = |constant: &Const| {
        if let Const::Function(id) = constant {
            taken.insert(*id);
        }
    };
    for global in &program.globals {
        global.initial.iter().for_each(|(_, constant)| take(constant));
    }
    for (block, function) in all_blocks(program) {
        for (_, step) in steps(function, block) {
            let callee = callee(step);
            visit_accesses(step, &mut |access| {
                if let Access::Read(operand @ Operand::Const(constant)) = access
                    && !callee.is_some_and(|callee| std::ptr::eq(callee, operand))
                {
                    take(constant);
                }
            });
        }
    }
    taken
}

/// All blocks of a program with their functions.
pub(super) fn all_blocks(program: &Program) -> impl Iterator<Item = (BlockId, &Function)> {
    program
        .functions
        .iter()
        .flat_map(|function| function.blocks().map(move |(block, _)| (block, function)))
}

/// What a step calls, if it is a call.
pub(super) fn callee(step: Step<'_>) -> Option<&Operand> {
    match step {
        Step::Instruction(instruction) => match &instruction.kind {
            InstructionKind::Call { callee, .. } => Some(callee),
            _ => None,
        },
        Step::Terminator(_) => None,
    }
}

/// What the steps of a function itself do, and whom they call; `None` for a pointer.
fn direct(program: &Program, function: &Function) -> (CallEffects, BTreeSet<Option<FunctionId>>) {
    let mut effects = CallEffects::default();
    let mut callees = BTreeSet::new();
    for (block, _) in function.blocks() {
        for (_, step) in steps(function, block) {
            callees.extend(callee(step).map(known_callee));
            effects.hazards.extend(hazard(step));
            effects.asks_for_address |= asks_for_address(program, function, step);
            effects.takes_input |= takes_input(step);
            effects.reads_standard_input |= reads_standard_input(step);
            visit_accesses(step, &mut |access| effects.include(program, function, access));
        }
    }
    let graph = FlowGraph::new(function);
    if graph.edges().any(|edge| graph.is_retreating(edge)) {
        effects.hazards.insert(Hazard::Loop);
    }
    (effects, callees)
}

/// Why a step may be the last.
fn hazard(step: Step<'_>) -> Option<Hazard> {
    match step {
        Step::Instruction(instruction) => match &instruction.kind {
            InstructionKind::Check(_) => Some(Hazard::Check),
            InstructionKind::Assume(_) => Some(Hazard::Assumption),
            _ => None,
        },
        Step::Terminator(terminator) => match &terminator.kind {
            TerminatorKind::Exit(_) => Some(Hazard::Exit),
            TerminatorKind::Abort => Some(Hazard::Abort),
            _ => None,
        },
    }
}

impl CallEffects {
    fn include(&mut self, program: &Program, function: &Function, access: Access<'_>) {
        match access {
            Access::Load(place) | Access::Probe(place) => {
                self.read(place.base);
                self.reads_memory |= Hops::of(program, function, place).most >= 1;
            }
            Access::Address(place) => {
                let hops = Hops::of(program, function, place);
                if hops.most >= 1 {
                    self.read(place.base);
                }
                self.reads_memory |= hops.most >= 2;
            }
            Access::Store(place) => {
                let hops = Hops::of(program, function, place);
                if let (Base::Global(global), 0) = (place.base, hops.fewest) {
                    self.writes.insert(global);
                }
                if hops.most >= 1 {
                    self.read(place.base);
                }
                self.reads_memory |= hops.most >= 2;
                self.writes_memory |= hops.most >= 1;
            }
            Access::LoadRange => self.reads_memory = true,
            Access::StoreRange => self.writes_memory = true,
            Access::Output => self.outputs = true,
            // What is local, only makes or ends objects, or is seen at the step itself.
            Access::Read(_)
            | Access::Input
            | Access::Examine
            | Access::Assign(_)
            | Access::Live(_)
            | Access::Dead(_)
            | Access::Allocate
            | Access::Free
            | Access::Call
            | Access::Undefined => {}
        }
    }

    fn read(&mut self, base: Base) {
        if let Base::Global(global) = base {
            self.reads.insert(global);
        }
    }
}
