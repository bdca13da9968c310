//! Dominators and post-dominators.
//!
//! A block *dominates* another if every path from the entry to the other goes through it; it
//! *post-dominates* another if every path from the other to an exit goes through it. Every block
//! does both to itself. The trees are computed by petgraph, after Cooper, Harvey and Kennedy, *A
//! Simple, Fast Dominance Algorithm* (2001), which is linear on chains but quadratic in the depth of
//! the tree where many edges join branches of very different depth: 30,000 early exits to one block
//! take about a second. Preorder numbers of the tree then answer a question in constant time (Dietz,
//! *Maintaining order in a linked list*, 1982).

use super::graph::{FlowGraph, Lists};
use crate::program::BlockId;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use std::iter;

/// The dominators of a function's blocks.
///
/// A block that cannot be reached from the entry dominates nothing and is dominated by nothing, not
/// even by itself.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    /// The dominators in `graph`.
    pub fn new(graph: &FlowGraph) -> Self {
        let edges = graph.edges().map(|edge| (edge.from.0, edge.to.0));
        Dominators { tree: Tree::new(graph.len(), 0, edges) }
    }

    /// The closest other block that dominates `block`; `None` for the entry and for what cannot be
    /// reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent[block.index()]
    }

    /// Whether `a` dominates `b`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.tree.is_ancestor(a, b)
    }

    /// Whether `a` dominates `b` and is another block.
    pub fn strictly_dominates(&self, a: BlockId, b: BlockId) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The blocks whose immediate dominator is `block`, by number.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        self.tree.children.get(block.index())
    }

    /// The other blocks that dominate `block`, the closest first.
    pub fn strict_dominators(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.tree.ancestors(block)
    }
}

/// The post-dominators of a function's blocks.
///
/// The blocks without successors lead to one virtual exit. A block from which no exit can be reached
/// (an infinite loop, or what leads only there) has no post-dominators and is none; paths that end
/// in such blocks do not count. That is the *weak* relation: where a branch leads into an infinite
/// loop on one side, the other side may still post-dominate the branch, because whatever gets to an
/// exit gets there. [`reaches_exit`](Self::reaches_exit) tells such blocks from those whose
/// immediate post-dominator is the virtual exit.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    exit: BlockId,
}

impl PostDominators {
    /// The post-dominators in `graph`, those of unreachable blocks included.
    pub fn new(graph: &FlowGraph) -> Self {
        let count = graph.len() as u32;
        let edges = (0..count).flat_map(|from| {
            let successors = graph.successors(BlockId(from));
            let last = successors.is_empty().then_some((count, from));
            successors.iter().map(move |to| (to.0, from)).chain(last)
        });
        let tree = Tree::new(graph.len() + 1, count, edges);
        PostDominators { tree, exit: BlockId(count) }
    }

    /// The closest other block that post-dominates `block`; `None` if there is only the virtual
    /// exit, or if `block` reaches no exit.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent[block.index()].filter(|parent| *parent != self.exit)
    }

    /// Whether `a` post-dominates `b`.
    pub fn post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.tree.is_ancestor(a, b)
    }

    /// Whether `a` post-dominates `b` and is another block.
    pub fn strictly_post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        a != b && self.post_dominates(a, b)
    }

    /// Whether there is a path from `block` to a block without successors.
    pub fn reaches_exit(&self, block: BlockId) -> bool {
        self.tree.numbers[block.index()].is_some()
    }

    /// The blocks whose immediate post-dominator is `block`, by number.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        self.tree.children.get(block.index())
    }

    /// The other blocks that post-dominate `block`, the closest first.
    pub fn strict_post_dominators(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.tree.ancestors(block).take_while(|above| *above != self.exit)
    }
}

/// A dominator tree over nodes `0..count`, which need not all be in it.
#[derive(Clone, Debug)]
struct Tree {
    parent: Vec<Option<BlockId>>,
    children: Lists,
    /// The numbers in preorder of a node and of the last one below it; `None` outside of the tree.
    numbers: Vec<Option<(u32, u32)>>,
}

impl Tree {
    fn new(count: usize, root: u32, edges: impl Iterator<Item = (u32, u32)>) -> Self {
        if count == 0 {
            let children = Lists::new(0, &[]);
            return Tree { parent: Vec::new(), children, numbers: Vec::new() };
        }
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, count);
        for _ in 0..count {
            graph.add_node(());
        }
        graph.extend_with_edges(edges);
        let dominators = simple_fast(&graph, NodeIndex::from(root));
        let parent: Vec<Option<BlockId>> = graph
            .node_indices()
            .map(|node| dominators.immediate_dominator(node).map(|up| BlockId(up.index() as u32)))
            .collect();
        let below: Vec<(BlockId, BlockId)> = (0..)
            .map(BlockId)
            .zip(&parent)
            .filter_map(|(node, parent)| Some(((*parent)?, node)))
            .collect();
        let children = Lists::new(count, &below);
        let numbers = number(&children, BlockId(root));
        Tree { parent, children, numbers }
    }

    fn is_ancestor(&self, a: BlockId, b: BlockId) -> bool {
        match (self.numbers[a.index()], self.numbers[b.index()]) {
            (Some((first, last)), Some((number, _))) => first <= number && number <= last,
            _ => false,
        }
    }

    fn ancestors(&self, node: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        iter::successors(self.parent[node.index()], |above| self.parent[above.index()])
    }
}

fn number(children: &Lists, root: BlockId) -> Vec<Option<(u32, u32)>> {
    let mut numbers = vec![None; children.len()];
    let mut next = 0;
    let mut stack = vec![(root, next, children.get(root.index()).iter())];
    while let Some((node, first, open)) = stack.last_mut() {
        if let Some(child) = open.next() {
            next += 1;
            stack.push((*child, next, children.get(child.index()).iter()));
        } else {
            numbers[node.index()] = Some((*first, next));
            stack.pop();
        }
    }
    numbers
}

#[cfg(test)]
mod tests;
