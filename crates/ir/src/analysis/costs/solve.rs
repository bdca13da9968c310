//! The least fixed point of backward data flow: section 5.4.3.2 of the thesis, and where values get.

use super::step::Steps;
use super::walk::{Fact, Scratch, Walk, Wanted};
use super::weights::Weights;
use super::{Points, Prepared, Stop, Stopped};
use crate::program::BlockId;
use fixedbitset::FixedBitSet;
use std::collections::BinaryHeap;

/// A function, and what is known where it ends.
pub(super) struct Task<'a, V> {
    pub(super) prepared: &'a Prepared,
    pub(super) at_end: &'a dyn Fn(BlockId) -> &'a [(u32, V)],
}

impl<V: Copy + PartialEq + Default> Task<'_, V> {
    /// What is known at the end of a block.
    fn meet<W: Weights<Value = V>>(
        &self,
        block: BlockId,
        starts: &[Fact<V>],
        walk: &mut Walk<'_, W>,
        scratch: &mut Scratch<V>,
    ) {
        scratch.fit(self.prepared.numbering.len());
        scratch.branch(&mut walk.weights, (self.at_end)(block));
        for next in self.prepared.graph.successors(block) {
            scratch.branch(&mut walk.weights, &starts[next.index()]);
        }
    }

    fn steps(&self, block: BlockId) -> &Steps {
        &self.prepared.steps[block.index()]
    }
}

/// What is known at the start of each block.
pub(super) fn fixed_point<W: Weights>(
    task: &Task<'_, W::Value>,
    walk: &mut Walk<'_, W>,
    scratch: &mut Scratch<W::Value>,
    stop: &mut Stop<'_>,
) -> Result<Vec<Fact<W::Value>>, Stopped> {
    let graph = &task.prepared.graph;
    let order = graph.reverse_post_order();
    let mut starts = vec![Fact::default(); graph.len()];
    // Blocks that come late in the order are taken first.
    let mut open: BinaryHeap<u32> = (0..order.len() as u32).collect();
    let mut is_open = FixedBitSet::with_capacity(order.len());
    is_open.insert_range(..);
    while let Some(position) = open.pop() {
        stop.check()?;
        is_open.remove(position as usize);
        let block = order[position as usize];
        task.meet(block, &starts, walk, scratch);
        let fact = walk.block(task.steps(block), scratch, |_| {}, Wanted::Start);
        if fact == starts[block.index()] {
            continue;
        }
        starts[block.index()] = fact;
        for before in graph.predecessors(block) {
            if let Some(position) = graph.position(*before)
                && !is_open.put(position as usize)
            {
                open.push(position);
            }
        }
    }
    Ok(starts)
}

/// What is known at the points of each block, from what is known at their starts.
pub(super) fn points<W: Weights<Value = u64>>(
    task: &Task<'_, u64>,
    walk: &mut Walk<'_, W>,
    scratch: &mut Scratch<u64>,
    starts: &[Fact<u64>],
) -> Vec<Points> {
    let graph = &task.prepared.graph;
    let mut all = vec![Points::default(); graph.len()];
    for block in graph.reverse_post_order() {
        task.meet(*block, starts, walk, scratch);
        all[block.index()] = Points::of(walk, task.steps(*block), scratch);
    }
    all
}
