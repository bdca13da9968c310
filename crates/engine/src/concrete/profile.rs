//! Counts what the loops of a program did in a concrete run, and which parts of it were executed.
//!
//! The counters are the judge of symbolic bounds: per loop, exit and path. A *visit* of a loop begins
//! when its header is entered from outside and ends when the loop is left. An *iteration* is a back
//! edge that is taken. An *iteration path* is the sequence of blocks from the header to the next
//! back edge, an *exit path* the one from the header to the end of the visit. In both an inner loop
//! stands as its header once, whatever happened inside.
//!
//! - The loops are the natural loops of [`LoopForest`]. A cycle with several entries is no loop: it is
//!   counted as coverage only, and a loop around it has a new path for every way through it.
//! - Counters belong to the activation: a call inside a loop, even a recursive one that enters the
//!   same loop again, does not disturb the visit of the caller.
//! - `return` never ends a visit by itself: a block that returns cannot come back to the header, so
//!   it lies outside of the loop, and the edge to it is an exit. A visit ends without an edge only
//!   when the whole run ends: at a failing check, an assumption that does not hold, an end of the
//!   program in a function that was called, or a limit. Such a visit is *stopped*.
//!
//! Paths are kept as a tree of their common beginnings, so that a step along an edge costs at most
//! one look into a hash table, and counting an iteration costs none.
//!
//! A profile adds up as many runs as it is shown, one after the other; call
//! [`finish`](Profile::finish) at the end of each.
//!
//! ```
//! use loupe_engine::concrete::profile::Profile;
//! use loupe_engine::concrete::{Interpreter, Options};
//! use loupe_ir::source::{FileId, Sources};
//! use loupe_microc::{Dialect, lower, parse, resolve};
//!
//! let text = "main() { var i; i = 0; while (i < 3) i = i + 1; return i; }";
//! let tree = parse(FileId(0), text).unwrap();
//! let resolution = resolve(&tree).unwrap();
//! let program = lower(&tree, &resolution, Sources::new(), Dialect::default());
//!
//! let mut profile = Profile::new(&program);
//! let run = Interpreter::new(&program, Options::default()).run(&mut Vec::new(), &mut profile);
//! profile.finish(&run);
//!
//! let (_, counted) = profile.loops(program.entry).next().unwrap();
//! assert_eq!((counted.entries, counted.iterations), (1, 3));
//! assert_eq!(counted.paths[0].most, 3);
//! ```

mod coverage;
mod loops;
mod paths;
mod shape;

pub use coverage::{Coverage, Tally};
pub use loops::{ExitPathProfile, ExitProfile, IterationRange, LoopProfile, PathProfile};
pub use paths::PathLimits;

use super::interpreter::{Observer, Run};
use loops::LoopCounters;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::program::{BlockId, Function, FunctionId, InstructionKind, Program};
use paths::Step;
use shape::{Arrival, Shape};

/// Counters of loops, paths and coverage, filled by watching runs of a program.
pub struct Profile<'p> {
    program: &'p Program,
    limits: PathLimits,
    functions: Vec<Counters>,
    /// The active calls, the innermost last.
    activations: Vec<Activation>,
    /// The loops that the active calls are in, inner ones after outer ones.
    visits: Vec<Visit>,
    visits_so_far: u64,
    /// The steps of this run in blocks that have been left; the terminator counts as one.
    steps: u64,
}

/// What is counted for a function.
struct Counters {
    shape: Shape,
    calls: u64,
    /// How often each edge of the shape was taken.
    edges: Vec<u64>,
    /// By how many iterations each exit of the shape was preceded in its visit.
    exits: Vec<Option<IterationRange>>,
    loops: Vec<LoopCounters>,
    /// How many instructions of a block were executed where it was left without an edge; the
    /// terminator counts as one.
    executed: Vec<usize>,
}

struct Activation {
    function: FunctionId,
    /// The block that is executed.
    block: BlockId,
    /// How many calls it has made in that block since it entered it.
    calls: usize,
    /// Where its part of [`Profile::visits`] starts.
    first_visit: usize,
}

/// A visit that has not ended yet.
struct Visit {
    id: LoopId,
    /// Different for all visits.
    serial: u64,
    iterations: u64,
    /// The path since the header; `None` if it is one too many to be remembered.
    path: Option<Step>,
    /// What is to be undone at its end, see [`paths::Paths`].
    undo_from: usize,
}

impl<'p> Profile<'p> {
    /// A profile of no runs yet.
    pub fn new(program: &'p Program) -> Self {
        Self::with_limits(program, PathLimits::default())
    }

    /// The same with other limits on the paths that are told apart.
    pub fn with_limits(program: &'p Program, limits: PathLimits) -> Self {
        let counters = |function: &Function| {
            let shape = Shape::new(function);
            Counters {
                calls: 0,
                edges: vec![0; shape.edges.len()],
                exits: vec![None; shape.exits.len()],
                loops: shape.forest.loops.iter().map(|l| LoopCounters::new(l.header)).collect(),
                executed: vec![0; function.blocks.len()],
                shape,
            }
        };
        Profile {
            program,
            limits,
            functions: program.functions.iter().map(counters).collect(),
            activations: Vec::new(),
            visits: Vec::new(),
            visits_so_far: 0,
            steps: 0,
        }
    }

    /// Ends the calls and visits that were open when `run`, the run that was watched last, ended.
    pub fn finish(&mut self, run: &Run) {
        // A caller stands at its last call. What is left of the steps belongs to the innermost.
        let callers = &self.activations[..self.activations.len().saturating_sub(1)];
        let mut executed: Vec<usize> = callers.iter().map(|call| self.position(call)).collect();
        let known = self.steps + executed.iter().map(|count| *count as u64).sum::<u64>();
        executed.push(usize::try_from(run.steps.saturating_sub(known)).unwrap_or(usize::MAX));
        self.steps = 0;
        while let Some(activation) = self.activations.pop() {
            self.leave(&activation, executed[self.activations.len()]);
        }
    }

    /// The loops of a function.
    pub fn forest(&self, function: FunctionId) -> &LoopForest {
        &self.functions[function.index()].shape.forest
    }

    /// What was counted for one loop of a function.
    pub fn loop_profile(&self, function: FunctionId, id: LoopId) -> LoopProfile {
        self.functions[function.index()].loop_profile(id)
    }

    /// The same for all loops of a function, in the order of its [`forest`](Self::forest).
    pub fn loops(&self, function: FunctionId) -> impl Iterator<Item = (LoopId, LoopProfile)> + '_ {
        let counters = &self.functions[function.index()];
        counters.shape.forest.iter().map(|(id, _)| (id, counters.loop_profile(id)))
    }

    /// How often a function was called; the start of the program is a call.
    pub fn calls(&self, function: FunctionId) -> u64 {
        self.functions[function.index()].calls
    }

    /// How often each block of a function was entered.
    pub fn block_counts(&self, function: FunctionId) -> Vec<u64> {
        self.functions[function.index()].block_counts()
    }

    /// How often an edge was taken; 0 if there is none such.
    pub fn edge_count(&self, function: FunctionId, edge: Edge) -> u64 {
        let counters = &self.functions[function.index()];
        counters.shape.find(edge).map_or(0, |index| counters.edges[index])
    }

    /// What was executed of the whole program.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for (function, counters) in self.program.functions.iter().zip(&self.functions) {
            coverage.add(function, counters);
        }
        coverage
    }

    /// What was executed of one function.
    pub fn function_coverage(&self, function: FunctionId) -> Coverage {
        let mut coverage = Coverage::default();
        coverage.add(self.program.function(function), &self.functions[function.index()]);
        coverage
    }

    /// How many instructions a call has executed in its block up to its last call.
    fn position(&self, activation: &Activation) -> usize {
        let block = self.program.function(activation.function).block(activation.block);
        let mut calls =
            block.instructions.iter().enumerate().filter(|(_, instruction)| {
                matches!(instruction.kind, InstructionKind::Call { .. })
            });
        let last = activation.calls.checked_sub(1).and_then(|before| calls.nth(before));
        last.map_or(0, |(at, _)| at + 1)
    }

    /// Begins a visit of a loop of the innermost call.
    fn open(&mut self, function: FunctionId, id: LoopId) {
        self.visits_so_far += 1;
        let serial = self.visits_so_far;
        let counters = &mut self.functions[function.index()].loops[id.index()];
        let undo_from = counters.open();
        self.visits.push(Visit { id, serial, iterations: 0, path: Some(Step::START), undo_from });
    }

    /// Ends a call whose block was executed up to some instruction, and its visits.
    fn leave(&mut self, activation: &Activation, executed: usize) {
        let counters = &mut self.functions[activation.function.index()];
        let most = &mut counters.executed[activation.block.index()];
        *most = executed.max(*most);
        for visit in self.visits.drain(activation.first_visit..).rev() {
            counters.loops[visit.id.index()].stop(&visit, self.limits);
        }
    }
}

impl Observer for Profile<'_> {
    fn called(&mut self, function: FunctionId) {
        let block = BlockId(0);
        let first_visit = self.visits.len();
        if let Some(caller) = self.activations.last_mut() {
            caller.calls += 1;
        }
        self.activations.push(Activation { function, block, calls: 0, first_visit });
        let counters = &mut self.functions[function.index()];
        counters.calls += 1;
        if let Some(id) = counters.shape.forest.headed_by(block) {
            self.open(function, id);
        }
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        let counters = &mut self.functions[function.index()];
        let (Some(activation), Some(index)) =
            (self.activations.last_mut(), counters.shape.find(Edge { from, to }))
        else {
            panic!("internal error: a step from {from:?} to {to:?} that is no edge of a call");
        };
        activation.block = to;
        activation.calls = 0;
        counters.edges[index] += 1;
        let edge = &counters.shape.edges[index];
        self.steps += edge.steps;
        for exit in edge.exits.clone() {
            let Some(visit) = self.visits.pop() else {
                panic!("internal error: a loop is left that was not entered");
            };
            counters.loops[visit.id.index()].exit(&visit, exit, self.limits);
            IterationRange::include(&mut counters.exits[exit as usize], visit.iterations);
        }
        let arrival = edge.arrival;
        if let Some(visit) = self.visits[activation.first_visit..].last_mut() {
            let counters = &mut counters.loops[visit.id.index()];
            match arrival {
                Arrival::Header => counters.iterate(visit, self.limits),
                Arrival::Inside | Arrival::Entry(_) => counters.step(visit, to, self.limits),
            }
        }
        if let Arrival::Entry(id) = arrival {
            self.open(function, id);
        }
    }

    fn returned(&mut self) {
        if let Some(activation) = self.activations.pop() {
            let block = self.program.function(activation.function).block(activation.block);
            let executed = block.instructions.len() + 1;
            self.steps += executed as u64;
            self.leave(&activation, executed);
        }
    }
}

impl Counters {
    fn block_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.executed.len()];
        if let Some(entry) = counts.first_mut() {
            *entry = self.calls;
        }
        for (edge, count) in self.shape.edges.iter().zip(&self.edges) {
            counts[edge.edge.to.index()] += count;
        }
        counts
    }

    fn loop_profile(&self, id: LoopId) -> LoopProfile {
        let exits = self.shape.exits_of[id.index()].iter().map(|number| {
            let edge = self.shape.exits[*number as usize].edge;
            let count = self.shape.find(edge).map_or(0, |index| self.edges[index]);
            ExitProfile { edge, count, iterations: self.exits[*number as usize] }
        });
        self.loops[id.index()].profile(&self.shape, exits.collect())
    }
}

#[cfg(test)]
mod tests;
