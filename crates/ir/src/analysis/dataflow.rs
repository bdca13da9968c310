//! A solver for dataflow problems.
//!
//! The iterative algorithm with a worklist (Kildall, *A Unified Approach to Global Program
//! Optimization*, 1973), which takes the blocks in reverse post-order, or in post-order for problems
//! that go backward. It ends if facts form a lattice without infinite ascending chains and
//! transfer is monotone.

use super::graph::FlowGraph;
use super::location::{Location, Step, steps};
use crate::program::{BlockId, Function};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which way facts flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From a block to its successors.
    Forward,
    /// From a block to its predecessors.
    Backward,
}

/// A dataflow problem.
pub trait Analysis {
    /// What is known at a place.
    type Fact: Clone;

    /// Which way facts flow.
    const DIRECTION: Direction;

    /// What is known before anything has been seen: the neutral element of [`join`](Self::join).
    fn bottom(&self) -> Self::Fact;

    /// What is known at the entry of the function, or for [`Direction::Backward`] at its exits.
    fn boundary(&self) -> Self::Fact;

    /// Joins `from` into `into`; says whether that changed `into`.
    fn join(&self, into: &mut Self::Fact, from: &Self::Fact) -> bool;

    /// Carries `fact` over a step: from before it to behind it, or for [`Direction::Backward`] from
    /// behind it to before it.
    fn transfer(&self, location: Location, step: Step<'_>, fact: &mut Self::Fact);
}

/// Solves `analysis` for `function`, whose graph is `graph`.
///
/// The result is what is known at the start of every block, or for [`Direction::Backward`] at its
/// end. At a block that cannot be reached from the entry it is [`Analysis::bottom`].
pub fn solve<A: Analysis>(analysis: &A, function: &Function, graph: &FlowGraph) -> Vec<A::Fact> {
    let order = graph.reverse_post_order();
    let mut facts = vec![analysis.bottom(); graph.len()];
    for block in order {
        let is_boundary = match A::DIRECTION {
            Direction::Forward => *block == BlockId(0),
            Direction::Backward => graph.successors(*block).is_empty(),
        };
        if is_boundary {
            analysis.join(&mut facts[block.index()], &analysis.boundary());
        }
    }
    let rank = |position: u32| match A::DIRECTION {
        Direction::Forward => position,
        Direction::Backward => order.len() as u32 - 1 - position,
    };
    let mut open: BinaryHeap<Reverse<u32>> = (0..order.len() as u32).map(Reverse).collect();
    let mut is_open = FixedBitSet::with_capacity(graph.len());
    is_open.insert_range(..);
    while let Some(Reverse(next)) = open.pop() {
        let block = order[rank(next) as usize];
        is_open.remove(block.index());
        let mut fact = facts[block.index()].clone();
        transfer_block(analysis, function, block, &mut fact);
        let dependents = match A::DIRECTION {
            Direction::Forward => graph.successors(block),
            Direction::Backward => graph.predecessors(block),
        };
        for dependent in dependents {
            let Some(position) = graph.position(*dependent) else { continue };
            let changed = analysis.join(&mut facts[dependent.index()], &fact);
            if changed && !is_open.put(dependent.index()) {
                open.push(Reverse(rank(position)));
            }
        }
    }
    facts
}

/// Carries `fact` over a whole block, in the direction of the problem.
pub fn transfer_block<A: Analysis>(
    analysis: &A,
    function: &Function,
    block: BlockId,
    fact: &mut A::Fact,
) {
    match A::DIRECTION {
        Direction::Forward => {
            for (location, step) in steps(function, block) {
                analysis.transfer(location, step, fact);
            }
        }
        Direction::Backward => {
            for (location, step) in steps(function, block).rev() {
                analysis.transfer(location, step, fact);
            }
        }
    }
}

/// The join of problems that ask whether something holds on some path.
pub fn unite(into: &mut FixedBitSet, from: &FixedBitSet) -> bool {
    let changed = !from.is_subset(into);
    into.union_with(from);
    changed
}

/// The join of problems that ask whether something holds on all paths.
pub fn intersect(into: &mut FixedBitSet, from: &FixedBitSet) -> bool {
    let changed = !into.is_subset(from);
    into.intersect_with(from);
    changed
}
