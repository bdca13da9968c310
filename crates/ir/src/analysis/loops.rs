//! Natural loops and how they are nested.
//!
//! A *back edge* leads from a *latch* to a block that dominates it, the *header*. Its natural loop is
//! the header and all blocks that reach the latch without going through the header (Aho, Lam, Sethi
//! and Ullman, *Compilers*, 2nd edition, section 9.6). Loops with the same header are merged into
//! one. Then two loops are either nested or have no block in common, so they form a forest.
//!
//! The forest is built from the inside out: a walk back from the latches steps over a loop that is
//! already known in one go, with union-find, as in Havlak, *Nesting of Reducible and Irreducible
//! Loops* (1997). Cycles that are entered at several blocks are no natural loops; they are listed as
//! [irreducible regions](LoopForest::irreducible). Both are sought among the blocks that can be
//! reached from the entry only.

use super::dominators::Dominators;
use super::graph::{Edge, FlowGraph};
pub use super::irreducible::IrreducibleRegion;
use crate::program::{BlockId, Function, StatementId};
use crate::source::Span;
use std::iter;

/// A loop of a function, as an index into [`LoopForest::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

impl LoopId {
    /// As an index into [`LoopForest::loops`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block that dominates the others; the only one that is entered from outside.
    pub header: BlockId,
    /// The blocks with an edge back to the header, in reverse post-order.
    pub latches: Vec<BlockId>,
    /// The edges from outside to the header, by source in reverse post-order. The entry of the
    /// function is also entered without an edge.
    pub entries: Vec<Edge>,
    /// The edges from inside to outside, by source in reverse post-order. Failing checks and calls
    /// that do not return leave without an edge. A loop without exits is infinite.
    pub exits: Vec<Edge>,
    /// The smallest loop around it.
    pub parent: Option<LoopId>,
    /// The largest loops in it, in the order of the forest.
    pub children: Vec<LoopId>,
    /// How many loops its header is in: 1 for an outermost loop.
    pub depth: u32,
    first: u32,
    end: u32,
}

impl Loop {
    /// The edges from the latches to the header.
    pub fn back_edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.latches.iter().map(|latch| Edge { from: *latch, to: self.header })
    }

    /// The statement that the loop belongs to: of the statements that end its header and its
    /// latches, the one that starts first. For `while` and `for` that is the header's; for
    /// `do`–`while`, where the header may end with the first `if` of the body, it is the latch's.
    pub fn statement(&self, function: &Function) -> StatementId {
        let ends = iter::once(&self.header).chain(&self.latches);
        let statements = ends.map(|block| function.block(*block).terminator.statement);
        let header = function.block(self.header).terminator.statement;
        let start = |id: &StatementId| function.statements.get(id.index()).map(|span| span.start);
        statements.filter(|id| start(id).is_some()).min_by_key(start).unwrap_or(header)
    }

    /// The place of that statement in the source.
    pub fn span(&self, function: &Function) -> Span {
        let span = function.statements.get(self.statement(function).index());
        span.copied().unwrap_or(function.block(self.header).terminator.span)
    }

    /// The line on which it starts.
    pub fn line(&self, function: &Function) -> u32 {
        self.span(function).start.line
    }
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct LoopForest {
    /// The natural loops by header in reverse post-order: an outer loop comes before the loops in
    /// it.
    pub loops: Vec<Loop>,
    /// The cycles that are entered at several blocks, by first entry in reverse post-order: an outer
    /// region comes before the regions in it.
    pub irreducible: Vec<IrreducibleRegion>,
    innermost: Vec<Option<LoopId>>,
    /// The blocks of all loops, so arranged that every loop is one piece.
    layout: Vec<BlockId>,
    place: Vec<Option<u32>>,
}

impl LoopForest {
    /// The loops of `graph`, whose dominators are `dominators`.
    pub fn new(graph: &FlowGraph, dominators: &Dominators) -> Self {
        let mut loops = headers(graph, dominators);
        let innermost = nest(graph, &mut loops);
        let mut forest = LoopForest {
            loops,
            irreducible: Vec::new(),
            innermost,
            layout: Vec::new(),
            place: vec![None; graph.len()],
        };
        forest.arrange(graph);
        forest.find_borders(graph);
        forest.irreducible = super::irreducible::regions(graph, dominators, &forest);
        forest
    }

    /// The loop with this number.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }

    /// The loops with their numbers, outer ones before inner ones.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (LoopId, &Loop)> {
        self.loops.iter().enumerate().map(|(i, l)| (LoopId(i as u32), l))
    }

    /// The blocks of a loop, those of the loops in it included: the header first, an inner loop in
    /// one piece, otherwise in reverse post-order. Where the graph is reducible, a block comes
    /// before its successors, except along back edges: this is the weak topological order of
    /// Bourdoncle, *Efficient chaotic iteration strategies with widenings* (1993).
    pub fn blocks(&self, id: LoopId) -> &[BlockId] {
        let this = self.get(id);
        &self.layout[this.first as usize..this.end as usize]
    }

    /// Whether `block` is in this loop or in one of the loops in it.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let this = self.get(id);
        self.place[block.index()].is_some_and(|place| (this.first..this.end).contains(&place))
    }

    /// The smallest loop that `block` is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The loops that `block` is in, the smallest first.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        iter::successors(self.innermost(block), |id| self.get(*id).parent)
    }

    /// The loop whose header is `block`.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block).filter(|id| self.get(*id).header == block)
    }

    /// Whether every cycle of the function is a natural loop, or made of such.
    pub fn is_reducible(&self) -> bool {
        self.irreducible.is_empty()
    }

    /// The irreducible regions inside a loop.
    pub fn irreducible_in(&self, id: LoopId) -> impl Iterator<Item = &IrreducibleRegion> {
        self.irreducible.iter().filter(move |region| self.contains(id, region.entries[0]))
    }

    /// Where `block` stands in the forest: in the loop that it is directly in, while a header stands
    /// for its whole loop in the loop around it.
    pub(super) fn level(&self, block: BlockId) -> Option<LoopId> {
        match self.headed_by(block) {
            Some(id) => self.get(id).parent,
            None => self.innermost(block),
        }
    }

    /// Fills `layout` by a walk through the forest.
    fn arrange(&mut self, graph: &FlowGraph) {
        let mut members: Vec<Vec<BlockId>> = vec![Vec::new(); self.loops.len()];
        for block in graph.reverse_post_order() {
            if let Some(level) = self.level(*block) {
                members[level.index()].push(*block);
            }
        }
        for root in 0..self.loops.len() {
            if self.loops[root].parent.is_some() {
                continue;
            }
            self.enter(root);
            let mut stack = vec![(root, members[root].iter())];
            while let Some((current, open)) = stack.last_mut() {
                let Some(block) = open.next() else {
                    self.loops[*current].end = self.layout.len() as u32;
                    stack.pop();
                    continue;
                };
                match self.headed_by(*block) {
                    Some(inner) => {
                        self.enter(inner.index());
                        stack.push((inner.index(), members[inner.index()].iter()));
                    }
                    None => self.put(*block),
                }
            }
        }
    }

    fn enter(&mut self, index: usize) {
        self.loops[index].first = self.layout.len() as u32;
        self.put(self.loops[index].header);
    }

    fn put(&mut self, block: BlockId) {
        self.place[block.index()] = Some(self.layout.len() as u32);
        self.layout.push(block);
    }

    fn find_borders(&mut self, graph: &FlowGraph) {
        for edge in graph.edges() {
            let mut inside = self.innermost(edge.from);
            while let Some(id) = inside.filter(|id| !self.contains(*id, edge.to)) {
                self.loops[id.index()].exits.push(edge);
                inside = self.get(id).parent;
            }
            if let Some(id) = self.headed_by(edge.to)
                && !self.contains(id, edge.from)
            {
                self.loops[id.index()].entries.push(edge);
            }
        }
    }
}

/// One loop per header, with its latches and nothing else.
fn headers(graph: &FlowGraph, dominators: &Dominators) -> Vec<Loop> {
    let mut loops = Vec::new();
    for header in graph.reverse_post_order() {
        let before = graph.predecessors(*header).iter().copied();
        let mut latches: Vec<_> =
            before.filter(|latch| dominators.dominates(*header, *latch)).collect();
        if latches.is_empty() {
            continue;
        }
        graph.sort(&mut latches);
        loops.push(Loop {
            header: *header,
            latches,
            entries: Vec::new(),
            exits: Vec::new(),
            parent: None,
            children: Vec::new(),
            depth: 0,
            first: 0,
            end: 0,
        });
    }
    loops
}

/// Finds parents, children and depths; gives the smallest loop of every block.
fn nest(graph: &FlowGraph, loops: &mut [Loop]) -> Vec<Option<LoopId>> {
    let mut innermost: Vec<Option<LoopId>> = vec![None; graph.len()];
    let mut known = Outermost::new(loops.len());
    // Headers of inner loops come later in the order: the walk back from a loop's latches meets
    // loops that are complete, and blocks that are in no smaller loop.
    for id in (0..loops.len() as u32).rev().map(LoopId) {
        let header = loops[id.index()].header;
        innermost[header.index()] = Some(id);
        let mut open = loops[id.index()].latches.clone();
        while let Some(block) = open.pop() {
            match innermost[block.index()].map(|inner| known.find(inner)) {
                Some(inner) if inner == id => {}
                Some(inner) => {
                    known.put_into(inner, id);
                    loops[inner.index()].parent = Some(id);
                    open.extend(graph.reachable_predecessors(loops[inner.index()].header));
                }
                None => {
                    innermost[block.index()] = Some(id);
                    open.extend(graph.reachable_predecessors(block));
                }
            }
        }
    }
    for index in 0..loops.len() {
        let parent = loops[index].parent.map(LoopId::index);
        loops[index].depth = 1 + parent.map_or(0, |parent| loops[parent].depth);
        if let Some(parent) = parent {
            loops[parent].children.push(LoopId(index as u32));
        }
    }
    innermost
}

/// The largest loop found so far around each loop: union-find with path halving.
struct Outermost(Vec<LoopId>);

impl Outermost {
    fn new(count: usize) -> Self {
        Outermost((0..count as u32).map(LoopId).collect())
    }

    fn find(&mut self, mut id: LoopId) -> LoopId {
        while self.0[id.index()] != id {
            let above = self.0[id.index()];
            self.0[id.index()] = self.0[above.index()];
            id = above;
        }
        id
    }

    fn put_into(&mut self, inner: LoopId, outer: LoopId) {
        self.0[inner.index()] = outer;
    }
}

#[cfg(test)]
mod tests;
