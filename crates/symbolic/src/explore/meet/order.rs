//! Who comes first where states wait for each other.
//!
//! A state at a join waits for another one that can still come there and that is *before* it: in the flowgraph
//! without the edges back, or in an earlier iteration of a loop that both are in. That is an order, so there is always
//! a state that waits for nobody.

use crate::explore::{Branch, Explorer};
use crate::loops::Loops;
use crate::search::StateKey;
use fixedbitset::FixedBitSet;
use loupe_engine::state::Frame;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::program::{BlockId, FunctionId, Program};
use std::cell::OnceCell;

/// A state is put off so often at most: what it waits for may never come.
const PATIENCE: u32 = 200;
/// Functions with more blocks have no order: who can come where takes the square of them.
const MAX_BLOCKS: usize = 1 << 12;
/// States whose calls nest deeper are not put off.
const MAX_DEPTH: usize = 64;

/// The order of blocks in all functions.
pub(super) struct Order {
    functions: Vec<OnceCell<Option<Blocks>>>,
}

/// The blocks of a function.
struct Blocks {
    /// Their places in reverse post-order.
    positions: Vec<u32>,
    /// Which blocks each of them leads to, by whatever way.
    leads_to: Vec<FixedBitSet>,
}

impl Blocks {
    fn new(program: &Program, function: FunctionId) -> Option<Blocks> {
        let graph = FlowGraph::new(program.function(function));
        if graph.len() > MAX_BLOCKS {
            return None;
        }
        let blocks = || (0..graph.len() as u32).map(BlockId);
        let positions = blocks().map(|block| graph.position(block).unwrap_or(u32::MAX)).collect();
        let leads_to = blocks().map(|block| {
            let mut found = FixedBitSet::with_capacity(graph.len());
            let mut open = vec![block];
            while let Some(block) = open.pop() {
                for next in graph.successors(block) {
                    if !found.put(next.index()) {
                        open.push(*next);
                    }
                }
            }
            found
        });
        Some(Blocks { positions, leads_to: leads_to.collect() })
    }
}

impl Order {
    pub(super) fn new(program: &Program) -> Self {
        Order { functions: program.functions.iter().map(|_| OnceCell::new()).collect() }
    }

    fn of(&self, program: &Program, function: FunctionId) -> Option<&Blocks> {
        let cell = &self.functions[function.index()];
        cell.get_or_init(|| Blocks::new(program, function)).as_ref()
    }

    /// Where a call stands: for each loop around it, the header and the iteration, and then the block.
    fn rank(
        blocks: &Blocks,
        loops: &Loops,
        branch: &Branch,
        (depth, frame): (u32, &Frame<crate::domain::Symbolic>),
    ) -> Vec<(u32, u64)> {
        let forest = loops.of(frame.function);
        let mut rank: Vec<(u32, u64)> = forest
            .around(frame.block)
            .map(|id| {
                let header = forest.get(id).header;
                let iteration = branch.counters.iterations(depth, (frame.function, id));
                (blocks.positions[header.index()], iteration)
            })
            .collect();
        rank.reverse();
        rank.push((blocks.positions[frame.block.index()], 0));
        rank
    }

    /// Whether a state can still come to where another one waits, and is before it.
    fn is_before(
        &self,
        (program, loops): (&Program, &Loops),
        first: &Branch,
        waiting: &Branch,
    ) -> bool {
        let depth = waiting.state.depth();
        if first.state.depth() < depth || depth > MAX_DEPTH {
            return false;
        }
        // The calls of the first one, up to as many as the other one has, the innermost of these first.
        let mut ours = first.state.calls().skip(first.state.depth() - depth);
        let mut theirs = waiting.state.calls();
        let (Some(our), Some(their)) = (ours.next(), theirs.next()) else { return false };
        if our.function != their.function
            || !ours.map(super::location).eq(theirs.map(super::location))
        {
            return false;
        }
        let Some(blocks) = self.of(program, our.function) else { return false };
        if !blocks.leads_to[our.block.index()].contains(their.block.index()) {
            return false;
        }
        let depth = depth as u32;
        let rank = |branch, frame| Order::rank(blocks, loops, branch, (depth, frame));
        rank(first, our) < rank(waiting, their)
    }
}

impl Explorer<'_> {
    /// Whether a state that was picked is put off, because another one may come to its place.
    pub(in crate::explore) fn puts_off(&mut self, key: StateKey) -> bool {
        let Some(meeting) = &self.meeting else { return false };
        let (Some(order), Some(branch)) = (&meeting.order, self.waiting.get(&key)) else {
            return false;
        };
        if !branch.is_at_join || branch.put_off >= PATIENCE {
            return false;
        }
        let place = meeting.places.get(&branch.place_hash());
        if place.is_some_and(|place| place.credit.is_used_up()) {
            return false;
        }
        let around = (self.machine.program, &self.loops);
        let waits = self.waiting.values().any(|other| order.is_before(around, other, branch));
        if waits && let Some(branch) = self.waiting.get_mut(&key) {
            branch.put_off += 1;
            self.result.merging.put_off += 1;
        }
        waits
    }
}
