//! Every analysis on functions that are larger than any stack, and on shapes that make careless
//! algorithms quadratic.

use super::dominators::{Dominators, PostDominators};
use super::graph::FlowGraph;
use super::initialised::definitely_initialised;
use super::liveness::Liveness;
use super::location::Location;
use super::loops::{LoopForest, LoopId};
use super::testing::{Op, Sample, SampleBlock, function};
use super::use_def::{Definition, UseDef};
use crate::program::{BlockId, LocalId};

const A: LocalId = LocalId(0);
const B: LocalId = LocalId(1);

#[test]
fn a_chain_of_a_million_blocks() {
    let last = 999_999;
    let mut blocks: Vec<_> = (1..=last)
        .map(|next| SampleBlock { ops: Vec::new(), condition: A, next: vec![next] })
        .collect();
    blocks[0].ops = vec![Op::Constant(B)];
    blocks.push(SampleBlock { ops: vec![Op::Check(B), Op::Output(B)], condition: A, next: vec![] });
    let sample = Sample(blocks);
    let function = sample.function();
    let graph = FlowGraph::new(&function);
    assert_eq!(graph.position(BlockId(last)), Some(last));
    let dominators = Dominators::new(&graph);
    assert!(dominators.dominates(BlockId(0), BlockId(last)));
    assert!(PostDominators::new(&graph).post_dominates(BlockId(last), BlockId(0)));
    assert!(LoopForest::new(&graph, &dominators).loops.is_empty());
    assert!(Liveness::new(&function, &graph).is_live_in(BlockId(last / 2), B));
    assert_eq!(definitely_initialised(&function, &graph).redundant_checks().len(), 1);
    let start = Definition::At(Location::new(BlockId(0), 0));
    assert_eq!(UseDef::new(&function, &graph).uses(B, start).len(), 2);
}

#[test]
fn loops_nested_ten_thousand_deep() {
    let depth = 10_000;
    // Block i heads a loop; block depth + i is the latch of the loop at depth - 1 - i.
    let heads = (0..depth).map(|i| vec![i + 1]);
    let latches = (0..depth).map(|i| vec![depth - 1 - i, depth + i + 1]);
    let successors: Vec<_> = heads.chain(latches).chain([Vec::new()]).collect();
    let graph = FlowGraph::new(&function(&successors));
    let forest = LoopForest::new(&graph, &Dominators::new(&graph));
    assert_eq!(forest.loops.len(), depth as usize);
    let innermost = LoopId(depth - 1);
    assert_eq!(forest.get(innermost).depth, depth);
    assert_eq!(forest.blocks(innermost).len(), 2);
    assert_eq!(forest.blocks(LoopId(0)).len(), 2 * depth as usize);
}

#[test]
fn many_loops_and_one_irreducible_region() {
    // Two entries to the cycle of 1 and 2, then a chain of loops of one block each.
    let count = 100_000;
    let mut successors = vec![vec![1, 2], vec![2], vec![1, 3]];
    successors.extend((3..count).map(|i| vec![i, i + 1]));
    successors.push(Vec::new());
    let graph = FlowGraph::new(&function(&successors));
    let forest = LoopForest::new(&graph, &Dominators::new(&graph));
    assert_eq!(forest.loops.len(), count as usize - 3);
    assert_eq!(forest.irreducible.len(), 1);
}

#[test]
fn a_switch_with_many_cases_in_a_loop() {
    let count = 200_000;
    let mut successors = vec![vec![1], (2..count).collect()];
    successors.extend((2..count - 1).map(|_| vec![1]));
    successors.push(Vec::new());
    let graph = FlowGraph::new(&function(&successors));
    let forest = LoopForest::new(&graph, &Dominators::new(&graph));
    assert_eq!(forest.get(LoopId(0)).latches.len(), count as usize - 3);
    assert_eq!(forest.get(LoopId(0)).exits.len(), 1);
}
