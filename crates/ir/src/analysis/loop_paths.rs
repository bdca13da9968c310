//! How many paths a loop has.
//!
//! A path leads from the header back to it, or to an exit; an inner loop on the way is one step, which
//! may be left along each of its exits, as in the flowgraph of a loop of Proteus (Xie et al., 2016,
//! section 2.3). Checks are no branches here. Whether a path can be executed is not asked.
//!
//! In irreducible cycles, edges that go back in reverse post-order lead nowhere, so only the ways through
//! that do not repeat anything count.

use super::graph::{Edge, FlowGraph};
use super::loops::{LoopForest, LoopId};

/// How many paths loop `id` has; `u128::MAX` for more than can be counted.
pub fn count_paths(graph: &FlowGraph, forest: &LoopForest, id: LoopId) -> u128 {
    let this = forest.get(id);
    let mut paths = vec![0_u128; graph.len()];
    // A block comes before its successors in this order, so they are done before it.
    for block in forest.blocks(id).iter().rev() {
        let inner = forest.innermost(*block).filter(|inner| *inner != id);
        let edges: Vec<Edge> = match inner {
            // Only the headers of loops directly inside stand for anything.
            Some(inner) if forest.get(inner).parent != Some(id) => continue,
            Some(inner) if forest.get(inner).header != *block => continue,
            Some(inner) => forest.get(inner).exits.clone(),
            None => {
                let next = graph.successors(*block).iter();
                next.map(|to| Edge { from: *block, to: *to }).collect()
            }
        };
        let onward = edges.iter().map(|edge| {
            if edge.to == this.header || !forest.contains(id, edge.to) {
                1
            } else if inner.is_none() && graph.is_retreating(*edge) {
                0
            } else {
                paths[edge.to.index()]
            }
        });
        paths[block.index()] = onward.fold(0, u128::saturating_add);
    }
    paths[this.header.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dominators::Dominators;
    use crate::analysis::testing::{diamonds, shape};
    use crate::program::BlockId;

    fn paths(successors: &[&[u32]], header: u32) -> u128 {
        let graph = FlowGraph::new(&shape(successors));
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        count_paths(&graph, &forest, forest.headed_by(BlockId(header)).expect("a loop"))
    }

    #[test]
    fn a_test_and_a_branch() {
        // while (a) { if (b) …; else …; }: two ways around and one out.
        assert_eq!(paths(&[&[1], &[2, 6], &[3, 4], &[5], &[5], &[1], &[]], 1), 3);
    }

    #[test]
    fn an_inner_loop_is_one_step_with_two_exits() {
        // The inner loop 2-3 leads to 4 from its test and out of both loops from its body.
        assert_eq!(paths(&[&[1], &[2, 5], &[3, 4], &[2, 5], &[1], &[]], 1), 3);
        assert_eq!(paths(&[&[1], &[2, 5], &[3, 4], &[2, 5], &[1], &[]], 2), 3);
    }

    #[test]
    fn numbers_that_are_too_large_stop_growing() {
        let successors = diamonds(200);
        let lists: Vec<&[u32]> = successors.iter().map(Vec::as_slice).collect();
        assert_eq!(paths(&lists, 1), u128::MAX);
    }

    #[test]
    fn an_irreducible_cycle_is_crossed_once() {
        // 2 and 3 lead to each other; both are entered from the header.
        let count = paths(&[&[1], &[2, 3], &[3, 4], &[2, 4], &[1, 5], &[]], 1);
        assert!((4..=8).contains(&count), "{count}");
    }
}
