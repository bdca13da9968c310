//! How often each loop has been repeated on a path.
//!
//! Counters belong to the path: each activation of a loop, in each call, has its own.

use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::program::{BlockId, FunctionId, Program};
use std::collections::BTreeMap;

/// The loops of all functions.
#[derive(Debug)]
pub struct Loops {
    forests: Vec<LoopForest>,
}

/// A loop of a program.
pub type LoopKey = (FunctionId, LoopId);

impl Loops {
    /// Finds them.
    pub fn new(program: &Program) -> Self {
        let forest = |function| {
            let graph = FlowGraph::new(function);
            LoopForest::new(&graph, &Dominators::new(&graph))
        };
        Loops { forests: program.functions.iter().map(forest).collect() }
    }

    /// The loops of a function.
    pub fn of(&self, function: FunctionId) -> &LoopForest {
        &self.forests[function.index()]
    }
}

/// The loops that a path is in, the innermost last.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    active: Vec<Active>,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    /// How deep the call is that the loop runs in.
    depth: u32,
    key: LoopKey,
    iterations: u64,
}

impl Counters {
    /// The path goes from one block to another, in a call of this depth. Gives how often the loop has been
    /// repeated whose header it comes to.
    pub fn edge(
        &mut self,
        loops: &Loops,
        depth: u32,
        function: FunctionId,
        (from, to): (BlockId, BlockId),
    ) -> Option<u64> {
        let forest = loops.of(function);
        let inside = |active: &Active| {
            active.depth < depth
                || active.depth == depth
                    && active.key.0 == function
                    && forest.contains(active.key.1, to)
        };
        while self.active.pop_if(|active| !inside(active)).is_some() {}
        let header = forest.headed_by(to)?;
        let key = (function, header);
        let repeats = forest.contains(header, from);
        match self.active.last_mut() {
            Some(active) if active.depth == depth && active.key == key && repeats => {
                active.iterations += 1;
                Some(active.iterations)
            }
            _ => {
                self.active.push(Active { depth, key, iterations: 0 });
                Some(0)
            }
        }
    }

    /// The innermost loop, in the calls up to this depth.
    pub fn innermost(&self, depth: u32) -> Option<LoopKey> {
        let active = self.active.iter().rev().find(|active| active.depth <= depth);
        active.map(|active| active.key)
    }
}

/// What a loop has cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// States that were made in it.
    pub states: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// How long these took, in seconds.
    pub seconds: f64,
}

/// What each loop has cost; `None` stands for what is outside of all loops.
pub type Profile = BTreeMap<Option<(FunctionId, u32)>, Cost>;
