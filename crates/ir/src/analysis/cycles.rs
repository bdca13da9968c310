//! Cyclic paths of a flowgraph.
//!
//! A *cycle* is a cyclic path without repeated blocks, its *core*, with an *entry*: a block of it into which an edge leads that is not the
//! last one of the path. All other edges that start on the path are its *exits* (Slaby, Strejček and Trtík, *Compact Symbolic Execution*,
//! 2013, Definition 1). A loop with a branch has several cycles, and one cyclic path is a cycle for each of its entries.

use super::graph::{Edge, FlowGraph};
use crate::program::BlockId;

/// How many cyclic paths are looked for in a function.
const MAX_PATHS: usize = 512;
/// And how many steps that may take: not every walk comes back to where it began.
const MAX_STEPS: usize = 200_000;

/// A cyclic path with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    core: Vec<BlockId>,
}

impl Cycle {
    /// The blocks of the path, from the entry on.
    pub fn core(&self) -> &[BlockId] {
        &self.core
    }

    /// The block where it is entered.
    pub fn entry(&self) -> BlockId {
        self.core[0]
    }

    /// Whether it goes along an edge.
    pub fn has(&self, edge: Edge) -> bool {
        let next = self.core.iter().skip(1).chain(self.core.first());
        self.core.iter().zip(next).any(|(from, to)| (*from, *to) == (edge.from, edge.to))
    }

    /// The edges by which it is left.
    pub fn exits<'c>(&'c self, graph: &'c FlowGraph) -> impl Iterator<Item = Edge> + 'c {
        let edges = self.core.iter().flat_map(|from| {
            graph.successors(*from).iter().map(|to| Edge { from: *from, to: *to })
        });
        edges.filter(|edge| !self.has(*edge))
    }
}

/// The cycles of a function.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// The cycles, those with the same core one after the other.
    pub cycles: Vec<Cycle>,
    /// Whether these are all that there are.
    pub is_complete: bool,
}

impl Cycles {
    /// The cycles of a graph, as far as they can be reached.
    pub fn new(graph: &FlowGraph) -> Self {
        let mut search = Search { graph, paths: Vec::new(), steps: MAX_STEPS };
        let is_complete =
            graph.reverse_post_order().iter().all(|start| search.from(*start).is_some());
        let mut cycles = Vec::new();
        for path in search.paths {
            let before = path.iter().cycle().skip(path.len() - 1);
            for (number, (entry, last)) in path.iter().zip(before).enumerate() {
                let mut edges = graph.reachable_predecessors(*entry);
                // The first block of a function is also entered without an edge.
                if edges.any(|from| from != *last) || *entry == BlockId(0) {
                    let mut core = path.clone();
                    core.rotate_left(number);
                    cycles.push(Cycle { core });
                }
            }
        }
        Cycles { cycles, is_complete }
    }

    /// The cycles that are entered at a block, with their numbers.
    pub fn entered_at(&self, block: BlockId) -> impl Iterator<Item = (usize, &Cycle)> {
        self.cycles.iter().enumerate().filter(move |(_, cycle)| cycle.entry() == block)
    }
}

/// Looks for cyclic paths.
struct Search<'g> {
    graph: &'g FlowGraph,
    /// What was found, each from its first block in reverse post-order on.
    paths: Vec<Vec<BlockId>>,
    steps: usize,
}

impl Search<'_> {
    /// Finds the paths whose first block in reverse post-order is `start`; none if there are too many.
    fn from(&mut self, start: BlockId) -> Option<()> {
        let back = self.leads_back(start);
        if !back[start.index()] {
            return Some(());
        }
        let mut is_on_path = vec![false; self.graph.len()];
        let mut path = vec![start];
        let mut open = vec![self.graph.successors(start).iter()];
        while let Some(next) = open.last_mut() {
            self.steps = self.steps.checked_sub(1)?;
            match next.next() {
                Some(to) if *to == start => {
                    if self.paths.len() == MAX_PATHS {
                        return None;
                    }
                    self.paths.push(path.clone());
                }
                Some(to) if back[to.index()] && !is_on_path[to.index()] => {
                    is_on_path[to.index()] = true;
                    path.push(*to);
                    open.push(self.graph.successors(*to).iter());
                }
                Some(_) => {}
                None => {
                    open.pop();
                    if let Some(block) = path.pop() {
                        is_on_path[block.index()] = false;
                    }
                }
            }
        }
        Some(())
    }

    /// From which blocks behind `start` in reverse post-order a way leads there, through such blocks only.
    fn leads_back(&self, start: BlockId) -> Vec<bool> {
        let first = self.graph.position(start);
        let mut leads = vec![false; self.graph.len()];
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            for before in self.graph.reachable_predecessors(block) {
                if self.graph.position(before) >= first && !leads[before.index()] {
                    leads[before.index()] = true;
                    if before != start {
                        open.push(before);
                    }
                }
            }
        }
        leads
    }
}

#[cfg(test)]
mod tests;
