//! The edges of a function, and its blocks in reverse post-order.

use crate::program::{BlockId, Function};

/// An edge from a block to one that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Where it starts.
    pub from: BlockId,
    /// Where it leads.
    pub to: BlockId,
}

/// The edges of a function, collected once, and an order of the blocks.
///
/// The entry is block 0. Two ways from one block to the same other block are one edge.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    successors: Lists,
    predecessors: Lists,
    order: Vec<BlockId>,
    position: Vec<Option<u32>>,
}

impl FlowGraph {
    /// The graph of `function`.
    pub fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let mut edges = Vec::with_capacity(count);
        let mut seen_from: Vec<Option<BlockId>> = vec![None; count];
        for (from, block) in function.blocks() {
            for to in block.terminator.kind.successors() {
                if seen_from[to.index()].replace(from) != Some(from) {
                    edges.push((from, to));
                }
            }
        }
        Self::from_edges(count, edges)
    }

    /// A graph of `count` blocks from its edges, each once.
    pub(super) fn from_edges(count: usize, mut edges: Vec<(BlockId, BlockId)>) -> Self {
        let successors = Lists::new(count, &edges);
        for (from, to) in &mut edges {
            std::mem::swap(from, to);
        }
        let predecessors = Lists::new(count, &edges);
        let order = reverse_post_order(&successors);
        let mut position = vec![None; count];
        for (place, block) in order.iter().enumerate() {
            position[block.index()] = Some(place as u32);
        }
        FlowGraph { successors, predecessors, order, position }
    }

    /// How many blocks there are, unreachable ones included.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// The blocks that may come after `block`, each once, in the order of its terminator.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.get(block.index())
    }

    /// The blocks that may come before `block`, each once, by number; unreachable ones included.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.get(block.index())
    }

    /// The same without the unreachable ones.
    pub fn reachable_predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.predecessors(block).iter().copied().filter(|before| self.is_reachable(*before))
    }

    /// The blocks that can be reached from the entry, in reverse post-order: a block comes before
    /// its successors, except along edges that go back. Of two branches of which neither leads to
    /// the other, the first comes first.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// The place of `block` in [`reverse_post_order`](Self::reverse_post_order); `None` if it cannot
    /// be reached.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        self.position[block.index()]
    }

    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }

    /// The edges between blocks that can be reached, by source in reverse post-order.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.order
            .iter()
            .flat_map(|from| self.successors(*from).iter().map(|to| Edge { from: *from, to: *to }))
    }

    /// Whether `edge` goes back in reverse post-order, or from a block to itself. Every cycle has
    /// such an edge.
    pub fn is_retreating(&self, edge: Edge) -> bool {
        self.position(edge.to) <= self.position(edge.from)
    }

    /// Sorts blocks by reverse post-order.
    pub(super) fn sort(&self, blocks: &mut [BlockId]) {
        blocks.sort_unstable_by_key(|block| self.position(*block));
    }
}

/// Depth first from block 0. Successors are visited from the last to the first, so that the first
/// ends up in front in the reversed order.
fn reverse_post_order(successors: &Lists) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    let Some(first) = seen.first_mut() else { return order };
    *first = true;
    let mut stack = vec![(BlockId(0), successors.get(0).iter().rev())];
    while let Some((block, open)) = stack.last_mut() {
        let Some(next) = open.next() else {
            order.push(*block);
            stack.pop();
            continue;
        };
        if !std::mem::replace(&mut seen[next.index()], true) {
            stack.push((*next, successors.get(next.index()).iter().rev()));
        }
    }
    order.reverse();
    order
}

/// One list of blocks per number, all in one vector.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<BlockId>,
}

impl Lists {
    /// `count` lists; each pair puts its second into the list of its first, in the order given.
    pub(super) fn new(count: usize, pairs: &[(BlockId, BlockId)]) -> Self {
        let mut starts = vec![0; count + 1];
        for (list, _) in pairs {
            starts[list.index() + 1] += 1;
        }
        for list in 0..count {
            starts[list + 1] += starts[list];
        }
        let mut free = starts.clone();
        let mut items = vec![BlockId(0); pairs.len()];
        for (list, item) in pairs {
            let slot = &mut free[list.index()];
            items[*slot] = *item;
            *slot += 1;
        }
        Lists { starts, items }
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// One of them.
    pub(super) fn get(&self, list: usize) -> &[BlockId] {
        &self.items[self.starts[list]..self.starts[list + 1]]
    }
}

#[cfg(test)]
mod tests;
