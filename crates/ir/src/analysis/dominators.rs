//! Dominators and post-dominators.
//!
//! A block *dominates* another if every path from the entry to the other goes through it; it
//! *post-dominates* another if every path from the other to an exit goes through it. Every block
//! does both to itself. Preorder numbers of the dominator tree answer a question in constant time
//! (Dietz, *Maintaining order in a linked list*, 1982).
//!
//! The trees are built by Semi-NCA (Georgiadis, *Linear-Time Algorithms for Dominators and Related
//! Problems*, 2005; Buchsbaum et al., *Linear-Time Algorithms for Dominators and Other
//! Path-Problems*, 2008). Number the nodes in the order of a depth-first search. The *semidominator*
//! of a node is the lowest number from which a path leads to it over higher numbers than its own
//! only. The immediate dominator is then the closest of the search parent and its dominators whose
//! number is not above the semidominator:
//!
//! - the dominators of a node also dominate its parent, and a path from the semidominator avoids all
//!   that lie between the two;
//! - a path around a dominator of the parent would have to join the tree below it at the node
//!   itself, whose semidominator would be lower than that dominator.
//!
//! Paths are compressed for the semidominators (Lengauer and Tarjan, *A Fast Algorithm for Finding
//! Dominators in a Flowgraph*, 1979), and the search among the dominators of the parent takes the
//! jumps of Myers, *An Applicative Random-Access Stack* (1983), so that the whole takes O(m log n)
//! for m edges and n blocks, whatever the shape.

use super::graph::{FlowGraph, Lists};
use crate::program::BlockId;
use std::{iter, slice};

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
        let after = |block| graph.successors(block);
        let before = |block| graph.predecessors(block);
        Dominators { tree: Tree::new(graph.len(), BlockId(0), after, before) }
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
        let exit = BlockId(graph.len() as u32);
        let is_last = |block: &BlockId| graph.successors(*block).is_empty();
        let last: Vec<BlockId> = (0..exit.0).map(BlockId).filter(is_last).collect();
        // The edges are turned: what comes after the virtual exit are the last blocks.
        let after = |block| if block == exit { &last } else { graph.predecessors(block) };
        let before = |block| match block {
            block if block == exit => &[],
            block if is_last(&block) => slice::from_ref(&exit),
            block => graph.successors(block),
        };
        let tree = Tree::new(graph.len() + 1, exit, after, before);
        PostDominators { tree, exit }
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
    /// The tree of what can be reached from `root`, which is there unless `count` is 0. `after` and
    /// `before` give the ends of the edges from and to a node.
    fn new<'a>(
        count: usize,
        root: BlockId,
        after: impl Fn(BlockId) -> &'a [BlockId],
        before: impl Fn(BlockId) -> &'a [BlockId],
    ) -> Self {
        if count == 0 {
            let children = Lists::new(0, &[]);
            return Tree { parent: Vec::new(), children, numbers: Vec::new() };
        }
        let search = Search::new(count, root, after);
        let immediate = search.immediate_dominators(&search.semidominators(before));
        let mut parent = vec![None; count];
        for (node, dominator) in search.order.iter().zip(immediate).skip(1) {
            parent[node.index()] = Some(search.order[dominator as usize]);
        }
        let below: Vec<(BlockId, BlockId)> = (0..)
            .map(BlockId)
            .zip(&parent)
            .filter_map(|(node, parent)| Some(((*parent)?, node)))
            .collect();
        let children = Lists::new(count, &below);
        let numbers = number(&children, root);
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

/// A depth-first search from the root. Nodes go by their numbers here, the order in which they were
/// found: the root is 0.
struct Search {
    order: Vec<BlockId>,
    /// The number of every node that was found.
    number: Vec<Option<u32>>,
    /// From where every number was found; the root's is itself.
    parent: Vec<u32>,
}

impl Search {
    fn new<'a>(count: usize, root: BlockId, after: impl Fn(BlockId) -> &'a [BlockId]) -> Self {
        let mut number = vec![None; count];
        number[root.index()] = Some(0);
        let mut search = Search { order: vec![root], number, parent: vec![0] };
        let mut stack = vec![(0, after(root).iter())];
        while let Some((from, open)) = stack.last_mut() {
            let Some(&node) = open.next() else {
                stack.pop();
                continue;
            };
            if search.number[node.index()].is_none() {
                let found = search.order.len() as u32;
                search.number[node.index()] = Some(found);
                search.order.push(node);
                search.parent.push(*from);
                stack.push((found, after(node).iter()));
            }
        }
        search
    }

    /// The semidominator of every number; the root's is itself.
    fn semidominators<'a>(&self, before: impl Fn(BlockId) -> &'a [BlockId]) -> Vec<u32> {
        let mut semi = vec![0; self.order.len()];
        // Of numbers that are done: one further up, and the least semidominator below that.
        let mut above = self.parent.clone();
        let mut least = semi.clone();
        let mut path = Vec::new();
        for node in (1..self.order.len() as u32).rev() {
            let mut best = node;
            let sources = before(self.order[node as usize]).iter();
            for source in sources.filter_map(|source| self.number[source.index()]) {
                if source <= node {
                    best = best.min(source);
                    continue;
                }
                let mut top = source as usize;
                while above[top] > node {
                    path.push(top);
                    top = above[top] as usize;
                }
                let mut lowest = least[top];
                while let Some(inner) = path.pop() {
                    lowest = lowest.min(least[inner]);
                    least[inner] = lowest;
                    above[inner] = above[top];
                }
                best = best.min(lowest);
            }
            semi[node as usize] = best;
            least[node as usize] = best;
        }
        semi
    }

    /// The immediate dominator of every number; the root's is itself.
    fn immediate_dominators(&self, semi: &[u32]) -> Vec<u32> {
        let mut immediate = vec![0; semi.len()];
        let mut depth = vec![0_u32; semi.len()];
        // A dominator further up. Two jumps of one length become one of both, and one more step.
        let mut jump = vec![0; semi.len()];
        for node in 1..semi.len() {
            let mut up = self.parent[node];
            while up > semi[node] {
                let far = jump[up as usize];
                up = if far > semi[node] { far } else { immediate[up as usize] };
            }
            immediate[node] = up;
            depth[node] = depth[up as usize] + 1;
            let far = jump[up as usize];
            let farther = jump[far as usize];
            let [start, middle, end] = [up, far, farther].map(|number| depth[number as usize]);
            jump[node] = if start - middle == middle - end { farther } else { up };
        }
        immediate
    }
}

/// The preorder numbers of [`Tree`].
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
