//! What every edge of a function means for its loops, worked out before the run.

use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::{Edge, FlowGraph};
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::program::{BlockId, Function};
use std::ops::Range;

/// The reachable part of a function.
pub(super) struct Shape {
    pub(super) graph: FlowGraph,
    pub(super) forest: LoopForest,
    /// The edges by source and then by target.
    pub(super) edges: Vec<EdgeShape>,
    /// Where the edges of a block start, and the end of the last ones.
    starts: Vec<usize>,
    /// The exits of all loops by edge; where one edge leaves several loops, the innermost first.
    pub(super) exits: Vec<Exit>,
    /// By loop: its exits, as indices into [`exits`](Self::exits).
    pub(super) exits_of: Vec<Vec<u32>>,
}

/// An edge.
pub(super) struct EdgeShape {
    pub(super) edge: Edge,
    /// How many steps the block that it starts from takes.
    pub(super) steps: u64,
    /// The exits that it is, as indices into [`Shape::exits`].
    pub(super) exits: Range<u32>,
    pub(super) arrival: Arrival,
}

/// Where an edge leads, after the loops that it leaves have been left.
#[derive(Clone, Copy)]
pub(super) enum Arrival {
    /// To a block of the same loop, or of none.
    Inside,
    /// Back to the header of the innermost loop that is left over.
    Header,
    /// To the header of a loop from outside.
    Entry(LoopId),
}

/// An edge as the exit of a loop.
pub(super) struct Exit {
    pub(super) left: LoopId,
    pub(super) edge: Edge,
}

impl Shape {
    pub(super) fn new(function: &Function) -> Self {
        let graph = FlowGraph::new(function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let mut sorted: Vec<Edge> = graph.edges().collect();
        sorted.sort_unstable();
        let mut starts = vec![0; graph.len() + 1];
        for edge in &sorted {
            starts[edge.from.index() + 1] += 1;
        }
        for block in 0..graph.len() {
            starts[block + 1] += starts[block];
        }
        let mut exits = Vec::new();
        let mut edges = Vec::with_capacity(sorted.len());
        for edge in sorted {
            let first = exits.len() as u32;
            let left = forest.around(edge.from).take_while(|id| !forest.contains(*id, edge.to));
            exits.extend(left.map(|left| Exit { left, edge }));
            let arrival = match forest.headed_by(edge.to) {
                Some(id) if forest.contains(id, edge.from) => Arrival::Header,
                Some(id) => Arrival::Entry(id),
                None => Arrival::Inside,
            };
            let steps = function.block(edge.from).instructions.len() as u64 + 1;
            edges.push(EdgeShape { edge, steps, exits: first..exits.len() as u32, arrival });
        }
        let mut exits_of = vec![Vec::new(); forest.loops.len()];
        for (number, exit) in exits.iter().enumerate() {
            exits_of[exit.left.index()].push(number as u32);
        }
        Shape { graph, forest, edges, starts, exits, exits_of }
    }

    /// The edges from a block.
    pub(super) fn edges_from(&self, block: BlockId) -> Range<usize> {
        self.starts[block.index()]..self.starts[block.index() + 1]
    }

    /// An edge as an index into [`edges`](Self::edges).
    #[inline]
    pub(super) fn find(&self, edge: Edge) -> Option<usize> {
        let range = self.edges_from(edge.from);
        let found = self.edges[range.clone()].binary_search_by_key(&edge.to, |e| e.edge.to);
        Some(range.start + found.ok()?)
    }
}
