use super::*;
use crate::analysis::testing::{blocks, function, graphs, reach, reversed, shape};
use proptest::prelude::*;

#[test]
fn the_first_branch_comes_first() {
    let graph = FlowGraph::new(&shape(&[&[2, 1], &[3], &[3], &[]]));
    assert_eq!(graph.reverse_post_order(), blocks(&[0, 2, 1, 3]));
}

#[test]
fn a_loop_comes_before_what_follows_it() {
    let graph = FlowGraph::new(&shape(&[&[1], &[2, 3], &[1], &[]]));
    assert_eq!(graph.reverse_post_order(), blocks(&[0, 1, 2, 3]));
}

#[test]
fn two_ways_to_a_block_are_one_edge() {
    let graph = FlowGraph::new(&shape(&[&[1, 2, 1, 2], &[], &[1, 1]]));
    assert_eq!(graph.successors(BlockId(0)), blocks(&[1, 2]));
    assert_eq!(graph.predecessors(BlockId(1)), blocks(&[0, 2]));
}

#[test]
fn unreachable_blocks_have_no_position() {
    let graph = FlowGraph::new(&shape(&[&[1], &[], &[1, 2]]));
    assert_eq!(graph.position(BlockId(2)), None);
    assert_eq!(graph.predecessors(BlockId(1)), blocks(&[0, 2]));
    assert_eq!(graph.reachable_predecessors(BlockId(1)).collect::<Vec<_>>(), blocks(&[0]));
}

#[test]
fn a_function_without_blocks_has_an_empty_graph() {
    let graph = FlowGraph::new(&function(&[]));
    assert!(graph.is_empty() && graph.reverse_post_order().is_empty());
}

proptest! {
    #[test]
    fn the_order_has_exactly_the_reachable_blocks(successors in graphs(10)) {
        let graph = FlowGraph::new(&function(&successors));
        let mut order = graph.reverse_post_order().to_vec();
        prop_assert_eq!(order[0], BlockId(0));
        order.sort_unstable();
        let reachable: Vec<_> = reach(&successors, 0, None).into_iter().map(BlockId).collect();
        prop_assert_eq!(order, reachable);
    }

    /// Without its retreating edges, the graph has no cycle: all others go forward. And whoever
    /// retreats does so on a cycle.
    #[test]
    fn retreating_edges_lie_on_cycles(successors in graphs(10)) {
        let graph = FlowGraph::new(&function(&successors));
        for edge in graph.edges().filter(|edge| graph.is_retreating(*edge)) {
            prop_assert!(reach(&successors, edge.to.0, None).contains(&edge.from.0));
        }
    }

    #[test]
    fn predecessors_are_successors_turned(successors in graphs(10)) {
        let graph = FlowGraph::new(&function(&successors));
        for (block, mut before) in reversed(&successors).into_iter().enumerate() {
            before.dedup();
            let found = graph.predecessors(BlockId(block as u32));
            prop_assert_eq!(found, blocks(&before));
        }
    }
}
