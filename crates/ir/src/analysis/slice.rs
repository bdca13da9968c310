//! Slices of loops: what decides when a loop is left, and what given variables are then.
//!
//! Step 1 of Proteus (Xie et al., *Proteus: Computing Disjunctive Loop Summary via Path Dependency
//! Analysis*, 2016, section 2.3): before the paths of a loop are counted, what does not matter to the
//! question is removed from it. A bound asks for the exit conditions; other questions ask for the
//! values of variables behind the loop, too. The slice is static and backward, along control dependence
//! (`slice/control.rs`) and data dependence (`slice/effects.rs`, `slice/relevance.rs`). A called function is
//! kept or dropped as a whole, by a summary of what it may do (`slice/calls.rs`).
//!
//! **What holds.** If the loop, entered in some state, is left by an exit edge after n iterations, then its
//! slice, entered in the same state, is left by the same edge after n iterations, with the same values of
//! the variables asked for. Inner loops that are still there iterate as often as before.
//!
//! **What does not.** The slice may be left where the loop does not come to an end: because an inner loop
//! does not end, a call does not come back, a check fails, an assumption does not hold. Everything of that
//! kind that was removed is listed ([`Dropped`]): only if it is proved harmless is a summary of
//! the slice one of the loop.
//!
//! Left to the environment, and hence not the same in a slice: the numbers of addresses, where they are
//! seen in other ways than by converting pointers; values of uninitialised memory; with [`Inputs::Fresh`],
//! which input is which.
//!
//! Every function of a program has a body here, and it is believed. Functions whose body is a mere
//! assumption can be named ([`Slicer::distrust`]): those may read and write everything that pointers lead
//! to, and all globals, and may not come back.
//!
//! ```
//! use loupe_ir::analysis::slice::{Criterion, Slicer, apply};
//! use loupe_ir::analysis::loops::LoopId;
//!
//! let source = "
//! entry @main
//! fn @main() -> int @1:1-9:2 {
//!   let i%0: int @1:1-1:2
//!   let s%1: int @1:1-1:2
//!   let %2: bool @1:1-1:2
//!   stmt #0 @1:1-1:10
//! b0:
//!   i%0 = 0 @1:1-1:2 #0
//!   s%1 = 0 @1:1-1:2 #0
//!   goto b1 @1:1-1:2 #0
//! b1:
//!   %2 = lt i%0, 10 @1:1-1:2 #0
//!   branch %2, b2, b3 @1:1-1:2 #0
//! b2:
//!   s%1 = add s%1, i%0 @1:1-1:2 #0
//!   i%0 = add i%0, 1 @1:1-1:2 #0
//!   goto b1 @1:1-1:2 #0
//! b3:
//!   return s%1 @1:1-1:2 #0
//! }
//! ";
//! let program = loupe_ir::text::parse(source)?;
//! let slicer = Slicer::new(&program);
//! let slice = slicer.slice(program.entry, LoopId(0), &Criterion::exits())?;
//! assert_eq!(slice.instructions.kept, 2); // of three: the sum is gone
//! let sliced = apply(&program, &slice)?;
//! loupe_ir::validate::validate(&sliced.program)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod calls;
mod control;
mod dropped;
mod effects;
mod relevance;
#[cfg(test)]
mod tests;

pub use apply::{Sliced, apply};
pub use dropped::{
    Dropped, DroppedCall, DroppedCheck, DroppedEffect, DroppedLoop, Hazard, SideEffect,
};

use super::dominators::Dominators;
use super::graph::FlowGraph;
use super::location::{Location, Step};
use super::loops::{LoopForest, LoopId};
use crate::program::{
    Base, BlockId, Function, FunctionId, GlobalId, InstructionKind, LocalId, Program, Storage,
    Terminator,
};
use calls::Calls;
pub(super) use calls::{known_callee, taken_functions};
use control::{Control, Meeting};
use effects::{Resources, Surroundings};
pub(super) use effects::{exposed_globals, exposed_locals};
use fixedbitset::FixedBitSet;
use relevance::{Question, Relevance};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// A variable, as a slice sees it: whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A local of the function, in a register or in memory.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
}

impl From<Base> for Variable {
    fn from(base: Base) -> Self {
        match base {
            Base::Local(local) => Variable::Local(local),
            Base::Global(global) => Variable::Global(global),
        }
    }
}

/// What inputs are to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Inputs {
    /// Values of one stream, each with its position: an input that matters keeps those before it.
    #[default]
    Positions,
    /// Arbitrary values, each for itself: an input that nobody needs can go. The same inputs then mean
    /// something else to the slice than to the loop.
    Fresh,
}

/// What a slice must keep: when and where the loop is left, and more.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Criterion {
    /// Variables whose values at the exits must be kept.
    pub variables: Vec<Variable>,
    /// What inputs are.
    pub inputs: Inputs,
}

impl Criterion {
    /// The exit conditions alone.
    pub fn exits() -> Self {
        Criterion::default()
    }

    /// The exit conditions and the values of these variables at the exits.
    pub fn variables(variables: impl IntoIterator<Item = Variable>) -> Self {
        Criterion { variables: variables.into_iter().collect(), ..Criterion::default() }
    }

    /// The same with another view of inputs.
    pub fn with_inputs(self, inputs: Inputs) -> Self {
        Criterion { inputs, ..self }
    }
}

/// What is wrong with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SliceError {
    /// The program has no such function.
    #[error("the program has no function number {}", .0.0)]
    NoSuchFunction(FunctionId),
    /// The function has no such loop.
    #[error("the function has no loop number {}", .0.0)]
    NoSuchLoop(LoopId),
    /// There is no such variable.
    #[error("there is no variable {0:?}")]
    NoSuchVariable(Variable),
}

/// How many of something there were, and are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Count {
    /// In the loop.
    pub all: usize,
    /// In the slice.
    pub kept: usize,
}

/// Where a branch leads that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Jump {
    Block(BlockId),
    /// To the header, as this latch does.
    Header(Terminator),
}

/// A part of a loop that is enough for a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The function.
    pub function: FunctionId,
    /// The loop.
    pub loop_id: LoopId,
    /// Its header.
    pub header: BlockId,
    /// The variables whose values at the header matter. Those that the loop does not change are
    /// among them.
    pub variables: BTreeSet<Variable>,
    /// Whether it matters what is in memory that only pointers lead to.
    pub depends_on_memory: bool,
    /// The instructions of the loop.
    pub instructions: Count,
    /// The branches of the loop.
    pub branches: Count,
    /// What is gone and could have made a difference.
    pub dropped: Dropped,
    /// Whether a kept call may call the function itself.
    is_recursive: bool,
    blocks: Vec<BlockId>,
    kept: BTreeSet<Location>,
    jumps: BTreeMap<BlockId, Jump>,
}

impl Slice {
    /// Whether a step of the loop is kept. An unconditional end of a block is never in the way and
    /// counts as not kept.
    pub fn keeps(&self, location: Location) -> bool {
        self.kept.contains(&location)
    }

    /// The kept steps, in order.
    pub fn kept(&self) -> impl Iterator<Item = Location> + '_ {
        self.kept.iter().copied()
    }

    /// Whether it is smaller than the loop.
    pub fn is_simpler(&self) -> bool {
        self.instructions.kept < self.instructions.all || self.branches.kept < self.branches.all
    }
}

/// Slices loops of one program.
#[derive(Debug)]
pub struct Slicer<'p> {
    program: &'p Program,
    exposed_globals: BTreeSet<GlobalId>,
    calls: Calls,
}

impl<'p> Slicer<'p> {
    /// A slicer for `program`, which must be valid.
    pub fn new(program: &'p Program) -> Self {
        Self::distrust(program, &BTreeSet::new())
    }

    /// The same if nothing is known of what the functions `unknown` do.
    pub fn distrust(program: &'p Program, unknown: &BTreeSet<FunctionId>) -> Self {
        Slicer {
            program,
            exposed_globals: effects::exposed_globals(program),
            calls: Calls::new(program, unknown),
        }
    }

    /// The slice of a loop of a function, by its number in the [`LoopForest`] of the function.
    ///
    /// # Errors
    ///
    /// If there is no such function, loop or variable.
    pub fn slice(
        &self,
        function: FunctionId,
        id: LoopId,
        criterion: &Criterion,
    ) -> Result<Slice, SliceError> {
        let body = self.program.functions.get(function.index());
        let body = body.ok_or(SliceError::NoSuchFunction(function))?;
        let graph = FlowGraph::new(body);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        self.slice_in(Place { function, body, graph: &graph, forest: &forest }, id, criterion)
    }

    /// The slices of all loops of a function, in the order of its [`LoopForest`].
    ///
    /// # Errors
    ///
    /// If there is no such function or variable.
    pub fn slice_all(
        &self,
        function: FunctionId,
        criterion: &Criterion,
    ) -> Result<Vec<Slice>, SliceError> {
        let body = self.program.functions.get(function.index());
        let body = body.ok_or(SliceError::NoSuchFunction(function))?;
        let graph = FlowGraph::new(body);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let place = Place { function, body, graph: &graph, forest: &forest };
        forest.iter().map(|(id, _)| self.slice_in(place, id, criterion)).collect()
    }

    fn slice_in(
        &self,
        place: Place<'_>,
        id: LoopId,
        criterion: &Criterion,
    ) -> Result<Slice, SliceError> {
        let Place { function, body, graph, forest } = place;
        let this = forest.loops.get(id.index()).ok_or(SliceError::NoSuchLoop(id))?;
        for variable in &criterion.variables {
            self.check(body, *variable)?;
        }
        let around = Surroundings {
            program: self.program,
            function: body,
            calls: &self.calls,
            exposed_globals: &self.exposed_globals,
            inputs: criterion.inputs,
        };
        let control = Control::new(graph, forest, id);
        let resources = Resources::new(&around, forest.blocks(id), &criterion.variables);
        let mut wanted = FixedBitSet::with_capacity(resources.len());
        wanted.extend(criterion.variables.iter().map(|variable| resources.known(*variable)));
        let relevance = Relevance::new(Question {
            function: body,
            forest,
            id,
            control: &control,
            resources: &resources,
            wanted,
            wanted_objects: objects(body, &criterion.variables),
        });
        let at_header = relevance.at_header().cloned().unwrap_or_default();
        let kept = relevance.kept();
        let (instructions, branches) = counts(graph, body, forest.blocks(id), &kept);
        Ok(Slice {
            function,
            loop_id: id,
            header: this.header,
            variables: resources.variables(&at_header),
            depends_on_memory: Resources::has_memory(&at_header),
            instructions,
            branches,
            dropped: dropped::dropped(body, forest, id, &self.calls, &relevance),
            is_recursive: self.is_recursive(function, body, &kept),
            blocks: forest.blocks(id).to_vec(),
            jumps: jumps(&control, &relevance, body, &this.latches),
            kept,
        })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Whether a step is a call that may write through pointers, or to this variable.
    pub(super) fn call_writes(&self, step: Step<'_>, base: Option<Base>) -> bool {
        calls::callee(step).is_some_and(|callee| {
            let effects = self.calls.of(callee);
            let writes_global = match base {
                Some(Base::Global(global)) => effects.writes.contains(&global),
                _ => false,
            };
            effects.writes_memory || writes_global
        })
    }

    fn check(&self, function: &Function, variable: Variable) -> Result<(), SliceError> {
        let exists = match variable {
            Variable::Local(local) => local.index() < function.locals.len(),
            Variable::Global(global) => global.index() < self.program.globals.len(),
        };
        if exists { Ok(()) } else { Err(SliceError::NoSuchVariable(variable)) }
    }

    fn is_recursive(
        &self,
        function: FunctionId,
        body: &Function,
        kept: &BTreeSet<Location>,
    ) -> bool {
        let instruction = |at: &Location| body.block(at.block).instructions.get(at.index as usize);
        kept.iter().filter_map(instruction).any(|instruction| match &instruction.kind {
            InstructionKind::Call { callee, .. } => self.calls.leads_to(callee, function),
            _ => false,
        })
    }
}

/// Slices one loop; who has several asks a [`Slicer`].
///
/// # Errors
///
/// If there is no such function, loop or variable.
pub fn slice(
    program: &Program,
    function: FunctionId,
    id: LoopId,
    criterion: &Criterion,
) -> Result<Slice, SliceError> {
    Slicer::new(program).slice(function, id, criterion)
}

/// A function with what is known of its graph.
#[derive(Clone, Copy)]
struct Place<'a> {
    function: FunctionId,
    body: &'a Function,
    graph: &'a FlowGraph,
    forest: &'a LoopForest,
}

/// The memory locals among variables.
fn objects(function: &Function, variables: &[Variable]) -> Vec<LocalId> {
    let memory = |variable: &Variable| match variable {
        Variable::Local(local) if function.local(*local).storage == Storage::Memory => Some(*local),
        Variable::Local(_) | Variable::Global(_) => None,
    };
    variables.iter().filter_map(memory).collect()
}

fn counts(
    graph: &FlowGraph,
    function: &Function,
    blocks: &[BlockId],
    kept: &BTreeSet<Location>,
) -> (Count, Count) {
    let (mut instructions, mut branches) = (Count::default(), Count::default());
    for block in blocks {
        let end = Location::terminator(function, *block);
        instructions.all += end.index as usize;
        branches.all += usize::from(graph.successors(*block).len() > 1);
        branches.kept += usize::from(kept.contains(&end));
        instructions.kept += kept.range(Location::new(*block, 0)..end).count();
    }
    (instructions, branches)
}

/// Where the ends of blocks lead that are not kept. In a block with one way out that is the same as
/// before: nothing depends on it, so it is not kept, and all its ways meet where it leads.
fn jumps(
    control: &Control,
    relevance: &Relevance<'_>,
    function: &Function,
    latches: &[BlockId],
) -> BTreeMap<BlockId, Jump> {
    let mut jumps = BTreeMap::new();
    for (place, block) in control.blocks().iter().enumerate() {
        if relevance.keeps(Location::terminator(function, *block)) {
            continue;
        }
        let own = &function.block(*block).terminator;
        let jump = match control.meeting(place) {
            Some(Meeting::Block(to)) => Jump::Block(to),
            Some(Meeting::Header) => {
                let latch = latches.contains(block).then_some(*block).or(latches.first().copied());
                Jump::Header(latch.map_or(own, |latch| &function.block(latch).terminator).clone())
            }
            None => continue,
        };
        jumps.insert(*block, jump);
    }
    jumps
}
