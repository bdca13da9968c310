//! Cycles that are entered at several blocks.
//!
//! The regions are those of Steensgaard, *Sequentializing Program Dependence Graphs for Irreducible
//! Programs* (1993): a strongly connected component with one entry is a loop, one with several is a
//! region; the entries are taken away, and what remains is searched again. That does not depend on
//! the order of a walk.
//!
//! Components with one entry are the natural loops, which are known already. So only the *level* of
//! a loop is searched: its blocks without the header, and every loop in it as a single node. In a
//! level, each component of two nodes or more has several entries, for a single entry would dominate
//! the others and all of it would be a loop of its own. A level contains such a component exactly if
//! it contains a retreating edge that is no back edge; other levels are skipped, and a reducible
//! function costs one look at every edge.

use super::dominators::Dominators;
use super::graph::{Edge, FlowGraph};
use super::loops::{LoopForest, LoopId};
use crate::program::BlockId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::BTreeMap;

/// A part of a function in which every block reaches every other, and which is entered at several
/// blocks, so that none of them is its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrreducibleRegion {
    /// The blocks that are entered from outside, two or more, in reverse post-order. The blocks of a
    /// region around this one that this one leaves out count as outside, and so does the header of
    /// the loop around it.
    pub entries: Vec<BlockId>,
    /// All its blocks, natural loops and smaller regions in it included, in reverse post-order.
    pub blocks: Vec<BlockId>,
    /// The smallest natural loop that it lies in.
    pub within: Option<LoopId>,
}

/// The irreducible regions of `graph`.
pub(super) fn regions(
    graph: &FlowGraph,
    dominators: &Dominators,
    forest: &LoopForest,
) -> Vec<IrreducibleRegion> {
    let mut levels: BTreeMap<Option<LoopId>, Vec<BlockId>> = graph
        .edges()
        .filter(|edge| graph.is_retreating(*edge) && !dominators.dominates(edge.to, edge.from))
        .map(|edge| (forest.level(edge.to), Vec::new()))
        .collect();
    if levels.is_empty() {
        return Vec::new();
    }
    for block in graph.reverse_post_order() {
        if let Some(nodes) = levels.get_mut(&forest.level(*block)) {
            nodes.push(*block);
        }
    }
    let mut found = Vec::new();
    for (level, nodes) in levels {
        Level::new(graph, forest, level, nodes).search(graph, forest, &mut found);
    }
    found.sort_by_key(|region| graph.position(region.entries[0]));
    found
}

/// The graph of a loop without its header, or of the whole function, with the loops directly in it
/// as single nodes.
struct Level {
    id: Option<LoopId>,
    /// The blocks, and the headers of the loops, in reverse post-order.
    nodes: Vec<BlockId>,
    predecessors: Vec<Vec<usize>>,
    /// Whether a node is entered from outside of the level.
    entered: Vec<bool>,
}

impl Level {
    fn new(
        graph: &FlowGraph,
        forest: &LoopForest,
        id: Option<LoopId>,
        nodes: Vec<BlockId>,
    ) -> Self {
        let numbers: BTreeMap<BlockId, usize> =
            nodes.iter().enumerate().map(|(number, block)| (*block, number)).collect();
        let mut predecessors = vec![Vec::new(); nodes.len()];
        let mut entered = vec![false; nodes.len()];
        for (number, block) in nodes.iter().enumerate() {
            entered[number] = *block == BlockId(0);
            for from in graph.reachable_predecessors(*block) {
                if is_back_edge(forest, Edge { from, to: *block }) {
                    continue;
                }
                let source = representative(forest, id, from);
                match source.and_then(|source| numbers.get(&source)) {
                    Some(source) => predecessors[number].push(*source),
                    None => entered[number] = true,
                }
            }
        }
        Level { id, nodes, predecessors, entered }
    }

    /// Adds the regions of this level to `found`.
    fn search(&self, graph: &FlowGraph, forest: &LoopForest, found: &mut Vec<IrreducibleRegion>) {
        // The number of the part that a node is in, for parts that overlap no other open one.
        let mut part_of = vec![0; self.nodes.len()];
        let mut parts = 0;
        let mut open: Vec<Vec<usize>> = vec![(0..self.nodes.len()).collect()];
        while let Some(part) = open.pop() {
            for component in self.components(&part, &part_of) {
                parts += 1;
                for node in &component {
                    part_of[*node] = parts;
                }
                let is_entry = |node: &usize| {
                    let mut before = self.predecessors[*node].iter();
                    self.entered[*node] || before.any(|source| part_of[*source] != parts)
                };
                let (entries, rest): (Vec<_>, Vec<_>) = component.iter().partition(|n| is_entry(n));
                found.push(self.region(graph, forest, &component, &entries));
                parts += 1;
                for node in &rest {
                    part_of[*node] = parts;
                }
                open.push(rest);
            }
        }
    }

    /// The strongly connected components of two nodes or more in the graph of `part`, whose nodes
    /// have the same number in `part_of`.
    fn components(&self, part: &[usize], part_of: &[usize]) -> Vec<Vec<usize>> {
        let Some(first) = part.first() else { return Vec::new() };
        let mut graph: DiGraph<usize, ()> = DiGraph::new();
        let indices: BTreeMap<usize, _> =
            part.iter().map(|node| (*node, graph.add_node(*node))).collect();
        for (node, index) in &indices {
            for source in &self.predecessors[*node] {
                if part_of[*source] == part_of[*first] {
                    graph.add_edge(indices[source], *index, ());
                }
            }
        }
        let components = kosaraju_scc(&graph).into_iter().filter(|nodes| nodes.len() > 1);
        components.map(|nodes| nodes.into_iter().map(|index| graph[index]).collect()).collect()
    }

    fn region(
        &self,
        graph: &FlowGraph,
        forest: &LoopForest,
        component: &[usize],
        entries: &[usize],
    ) -> IrreducibleRegion {
        let mut blocks = Vec::new();
        for node in component {
            match forest.headed_by(self.nodes[*node]) {
                Some(inner) => blocks.extend_from_slice(forest.blocks(inner)),
                None => blocks.push(self.nodes[*node]),
            }
        }
        let mut entries: Vec<_> = entries.iter().map(|node| self.nodes[*node]).collect();
        graph.sort(&mut blocks);
        graph.sort(&mut entries);
        debug_assert!(entries.len() > 1, "a component with one entry is a natural loop");
        IrreducibleRegion { entries, blocks, within: self.id }
    }
}

fn is_back_edge(forest: &LoopForest, edge: Edge) -> bool {
    forest.headed_by(edge.to).is_some_and(|id| forest.contains(id, edge.from))
}

/// The node of `level` that `block` is or is in; `None` for what is outside.
fn representative(forest: &LoopForest, level: Option<LoopId>, block: BlockId) -> Option<BlockId> {
    if forest.level(block) == level {
        return Some(block);
    }
    let mut around = forest.around(block);
    let inner = around.find(|id| forest.get(*id).parent == level)?;
    Some(forest.get(inner).header)
}
