use super::*;
use crate::analysis::testing::{blocks, diamonds, function, graphs, shape};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn cores(successors: &[&[u32]]) -> BTreeSet<Vec<BlockId>> {
    let graph = FlowGraph::new(&shape(successors));
    let found = Cycles::new(&graph);
    assert!(found.is_complete);
    found.cycles.into_iter().map(|cycle| cycle.core).collect()
}

/// Fig. 2 of the paper: a loop with a branch. The cores are abcea, abdea, eabce and eabde.
#[test]
fn a_loop_with_a_branch() {
    // 0 → a; a = 1, b = 2, c = 3, d = 4, e = 5; 6 is behind the loop.
    let found = cores(&[&[1], &[2, 6], &[3, 4], &[5], &[5], &[1], &[]]);
    let expected = [[1, 2, 3, 5], [1, 2, 4, 5], [5, 1, 2, 3], [5, 1, 2, 4]];
    assert_eq!(found, expected.iter().map(|core| blocks(core)).collect());
}

/// Fig. 3: insertion sort, where the inner loop is left in two ways. There are seven.
#[test]
fn two_nested_loops() {
    // a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7; the inner loop is c e f g, left from c and from e.
    let found = cores(&[&[1], &[2, 8], &[3], &[5, 4], &[1], &[6, 4], &[7], &[3], &[]]);
    let expected: [&[u32]; 7] = [
        &[1, 2, 3, 4],
        &[1, 2, 3, 5, 4],
        &[3, 4, 1, 2],
        &[3, 5, 4, 1, 2],
        &[3, 5, 6, 7],
        &[4, 1, 2, 3],
        &[4, 1, 2, 3, 5],
    ];
    assert_eq!(found, expected.iter().map(|core| blocks(core)).collect());
}

#[test]
fn a_block_that_leads_to_itself() {
    let graph = FlowGraph::new(&shape(&[&[1], &[1, 2], &[]]));
    let found = Cycles::new(&graph);
    assert_eq!(found.cycles.len(), 1);
    assert_eq!(found.cycles[0].core(), blocks(&[1]));
    let exits: Vec<Edge> = found.cycles[0].exits(&graph).collect();
    assert_eq!(exits, [Edge { from: BlockId(1), to: BlockId(2) }]);
}

#[test]
fn too_many_paths_are_not_all_listed() {
    let found = Cycles::new(&FlowGraph::new(&function(&diamonds(40))));
    assert!(!found.is_complete && !found.cycles.is_empty());
}

/// All cyclic paths without repetition, by trying all walks.
fn by_definition(graph: &FlowGraph) -> BTreeSet<Vec<BlockId>> {
    let mut found = BTreeSet::new();
    for entry in graph.reverse_post_order() {
        let mut open = vec![vec![*entry]];
        while let Some(walk) = open.pop() {
            let last = walk[walk.len() - 1];
            for to in graph.successors(last) {
                if to == entry {
                    let mut others = graph.reachable_predecessors(*entry);
                    if others.any(|from| from != last) || *entry == BlockId(0) {
                        found.insert(walk.clone());
                    }
                } else if !walk.contains(to) {
                    open.push(walk.iter().copied().chain([*to]).collect());
                }
            }
        }
    }
    found
}

proptest! {
    #[test]
    fn the_definition_is_met(successors in graphs(7)) {
        let graph = FlowGraph::new(&function(&successors));
        let found = Cycles::new(&graph);
        prop_assume!(found.is_complete);
        let count = found.cycles.len();
        let cores: BTreeSet<Vec<BlockId>> = found.cycles.iter().map(|c| c.core.clone()).collect();
        prop_assert_eq!(count, cores.len(), "each once");
        prop_assert_eq!(cores, by_definition(&graph));
        for cycle in &found.cycles {
            let leaving: BTreeSet<Edge> = cycle.exits(&graph).collect();
            for edge in graph.edges().filter(|edge| cycle.core.contains(&edge.from)) {
                prop_assert!(cycle.has(edge) != leaving.contains(&edge));
            }
        }
    }
}
