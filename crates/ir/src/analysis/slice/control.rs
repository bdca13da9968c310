//! Control dependence within one iteration of a loop.
//!
//! After Ferrante, Ottenstein and Warren, *The Program Dependence Graph and Its Use in Optimization*
//! (1987): a block depends on a branch if one side of the branch always leads to it and another may not.
//!
//! The graph is that of *one iteration*: edges back to the header lead to an end of their own, and so does
//! every exit. With the back edges left in, the test behind a `continue` would post-dominate the
//! condition of the `continue`, which decides about the number of iterations all the same. What the ends
//! depend on decides whether the loop goes on, and which exit it takes.
//!
//! Edges back to headers of inner loops have a node in the middle, for the same reason: what these
//! depend on decides how often the inner loop iterates.
//!
//! Every block of a natural loop reaches its header, so in this graph every block reaches an end.

use super::super::dominators::PostDominators;
use super::super::graph::{Edge, FlowGraph};
use super::super::loops::{LoopForest, LoopId};
use crate::program::BlockId;
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};

/// Where a branch leads that decides nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// To a block of the loop.
    Block(BlockId),
    /// To the next iteration.
    Header,
}

/// What the nodes of the graph of one iteration stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Block(BlockId),
    Next,
    Exit,
    /// An edge back to the header of an inner loop.
    Back(LoopId, BlockId),
}

/// The control dependences of a loop. Blocks are numbered within the loop.
pub(super) struct Control {
    blocks: Vec<BlockId>,
    places: BTreeMap<BlockId, usize>,
    nodes: Vec<Node>,
    /// By node: the branches that it depends on, as numbers of blocks.
    depends: Vec<Vec<usize>>,
    meetings: Vec<Option<Meeting>>,
}

impl Control {
    /// The dependences in loop `id` of `forest`.
    pub(super) fn new(graph: &FlowGraph, forest: &LoopForest, id: LoopId) -> Self {
        let blocks = forest.blocks(id).to_vec();
        let places: BTreeMap<BlockId, usize> = blocks.iter().copied().zip(0..).collect();
        let mut nodes: Vec<Node> = blocks.iter().copied().map(Node::Block).collect();
        let next = nodes.len();
        nodes.push(Node::Next);
        let mut edges = Vec::new();
        for (place, block) in blocks.iter().enumerate() {
            for to in graph.successors(*block) {
                let edge = Edge { from: *block, to: *to };
                let target = match places.get(to) {
                    None => new_node(&mut nodes, Node::Exit),
                    Some(0) => next,
                    Some(inside) => match inner_back_edge(forest, edge) {
                        Some(inner) => {
                            let back = new_node(&mut nodes, Node::Back(inner, *to));
                            edges.push((number(back), number(*inside)));
                            back
                        }
                        None => *inside,
                    },
                };
                edges.push((number(place), number(target)));
            }
        }
        let iteration = FlowGraph::from_edges(nodes.len(), edges);
        let post_dominators = PostDominators::new(&iteration);
        let depends = dependences(&iteration, &post_dominators);
        let meeting = |place| match nodes.get(post_dominators.immediate(number(place))?.index())? {
            Node::Block(block) | Node::Back(_, block) => Some(Meeting::Block(*block)),
            Node::Next => Some(Meeting::Header),
            // A way to the next iteration does not go through an exit.
            Node::Exit => None,
        };
        let meetings = (0..blocks.len()).map(meeting).collect();
        Control { blocks, places, nodes, depends, meetings }
    }

    /// The blocks of the loop; their numbers are their places here. The header is the first.
    pub(super) fn blocks(&self) -> &[BlockId] {
        &self.blocks
    }

    /// The number of a block of the loop.
    pub(super) fn place(&self, block: BlockId) -> Option<usize> {
        self.places.get(&block).copied()
    }

    /// The branches that a block depends on, as numbers of blocks.
    pub(super) fn of_block(&self, place: usize) -> &[usize] {
        self.depends.get(place).map_or(&[], Vec::as_slice)
    }

    /// The branches that decide whether the loop goes on and which exit it takes.
    pub(super) fn of_ends(&self) -> BTreeSet<usize> {
        self.of_nodes(|node| matches!(node, Node::Next | Node::Exit))
    }

    /// The branches that decide how often an inner loop iterates.
    pub(super) fn of_iterations(&self, inner: LoopId) -> BTreeSet<usize> {
        self.of_nodes(|node| matches!(node, Node::Back(id, _) if *id == inner))
    }

    fn of_nodes(&self, wanted: impl Fn(&Node) -> bool) -> BTreeSet<usize> {
        let nodes = self.nodes.iter().zip(&self.depends).filter(|(node, _)| wanted(node));
        nodes.flat_map(|(_, branches)| branches.iter().copied()).collect()
    }

    /// Where the ways from a block meet again.
    pub(super) fn meeting(&self, place: usize) -> Option<Meeting> {
        self.meetings.get(place).copied().flatten()
    }
}

fn number(node: usize) -> BlockId {
    BlockId(node as u32)
}

fn new_node(nodes: &mut Vec<Node>, node: Node) -> usize {
    nodes.push(node);
    nodes.len() - 1
}

/// The inner loop that `edge` goes back in.
fn inner_back_edge(forest: &LoopForest, edge: Edge) -> Option<LoopId> {
    forest.headed_by(edge.to).filter(|inner| forest.contains(*inner, edge.from))
}

/// By node, the branches that it depends on: for an edge from a branch, these are the nodes on the way up
/// the tree of post-dominators from its target to where the branch itself hangs.
fn dependences(graph: &FlowGraph, post_dominators: &PostDominators) -> Vec<Vec<usize>> {
    let mut depends = vec![Vec::new(); graph.len()];
    let mut seen = FixedBitSet::with_capacity(graph.len());
    for branch in (0..graph.len()).filter(|node| graph.successors(number(*node)).len() > 1) {
        let end = post_dominators.immediate(number(branch));
        let mut marked = Vec::new();
        for target in graph.successors(number(branch)) {
            let mut node = Some(*target);
            while let Some(block) = node.filter(|node| Some(*node) != end) {
                // What lies above was marked from another target of this branch.
                if seen.put(block.index()) {
                    break;
                }
                marked.push(block.index());
                depends[block.index()].push(branch);
                node = post_dominators.immediate(block);
            }
        }
        for block in marked {
            seen.remove(block);
        }
    }
    depends
}
