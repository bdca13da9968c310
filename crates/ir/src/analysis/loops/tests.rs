use super::*;
use crate::analysis::testing::{blocks, function, graphs, line, reach, reversed, shape};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn forest_of(function: &Function) -> LoopForest {
    let graph = FlowGraph::new(function);
    LoopForest::new(&graph, &Dominators::new(&graph))
}

fn forest(successors: &[&[u32]]) -> LoopForest {
    forest_of(&shape(successors))
}

fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
    pairs.iter().map(|(from, to)| Edge { from: BlockId(*from), to: BlockId(*to) }).collect()
}

#[test]
fn three_levels() {
    let forest = forest(&[
        &[1],    // before
        &[2, 7], // outer header
        &[3, 6], // middle header
        &[4, 5], // inner header
        &[3],    // inner latch
        &[2],    // middle latch
        &[1],    // outer latch
        &[],     // after
    ]);
    let headers: Vec<_> = forest.loops.iter().map(|l| (l.header, l.depth, l.parent)).collect();
    assert_eq!(
        headers,
        [(BlockId(1), 1, None), (BlockId(2), 2, Some(LoopId(0))), (BlockId(3), 3, Some(LoopId(1)))]
    );
    assert_eq!(forest.get(LoopId(0)).children, [LoopId(1)]);
    assert_eq!(forest.blocks(LoopId(0)), blocks(&[1, 2, 3, 4, 5, 6]));
    assert_eq!(forest.blocks(LoopId(1)), blocks(&[2, 3, 4, 5]));
    assert_eq!(forest.blocks(LoopId(2)), blocks(&[3, 4]));
    assert_eq!(forest.get(LoopId(1)).entries, edges(&[(1, 2)]));
    assert_eq!(forest.get(LoopId(1)).exits, edges(&[(2, 6)]));
    assert_eq!(forest.innermost(BlockId(5)), Some(LoopId(1)));
    assert_eq!(forest.innermost(BlockId(7)), None);
    assert_eq!(forest.around(BlockId(4)).collect::<Vec<_>>(), [LoopId(2), LoopId(1), LoopId(0)]);
    assert!(forest.is_reducible());
}

#[test]
fn two_latches_are_one_loop() {
    let forest = forest(&[&[1], &[2, 5], &[3, 4], &[1], &[1], &[]]);
    assert_eq!(forest.loops.len(), 1);
    let only = forest.get(LoopId(0));
    assert_eq!(only.latches, blocks(&[3, 4]));
    assert_eq!(only.back_edges().collect::<Vec<_>>(), edges(&[(3, 1), (4, 1)]));
    assert_eq!(forest.blocks(LoopId(0)), blocks(&[1, 2, 3, 4]));
}

#[test]
fn a_block_can_be_a_loop() {
    let forest = forest(&[&[1], &[1, 2], &[]]);
    let only = forest.get(LoopId(0));
    assert_eq!((only.header, &only.latches), (BlockId(1), &blocks(&[1])));
    assert_eq!(only.exits, edges(&[(1, 2)]));
    assert_eq!(forest.blocks(LoopId(0)), blocks(&[1]));
}

#[test]
fn a_break_out_of_two_loops_is_an_exit_of_both() {
    let forest = forest(&[&[1], &[2, 4], &[3, 1], &[2, 4], &[]]);
    assert_eq!(forest.get(LoopId(0)).exits, edges(&[(1, 4), (3, 4)]));
    assert_eq!(forest.get(LoopId(1)).exits, edges(&[(2, 1), (3, 4)]));
}

#[test]
fn an_infinite_loop_has_no_exits() {
    let forest = forest(&[&[1], &[2], &[1]]);
    assert!(forest.get(LoopId(0)).exits.is_empty());
}

#[test]
fn what_is_never_reached_has_no_loops() {
    let forest = forest(&[&[], &[2], &[1, 0], &[2]]);
    assert!(forest.loops.is_empty() && forest.irreducible.is_empty());
}

#[test]
fn an_unreachable_edge_into_a_loop_is_no_entry() {
    let forest = forest(&[&[1], &[2, 3], &[1], &[], &[2, 1]]);
    assert_eq!(forest.blocks(LoopId(0)), blocks(&[1, 2]));
    assert_eq!(forest.get(LoopId(0)).entries, edges(&[(0, 1)]));
    assert!(forest.is_reducible());
}

#[test]
fn a_cycle_with_two_entries_is_irreducible() {
    let forest = forest(&[&[1, 2], &[2], &[1, 3], &[]]);
    assert!(forest.loops.is_empty() && !forest.is_reducible());
    let region =
        IrreducibleRegion { entries: blocks(&[2, 1]), blocks: blocks(&[2, 1]), within: None };
    assert_eq!(forest.irreducible, [region]);
}

#[test]
fn an_irreducible_region_inside_a_loop_is_found() {
    // 1 is the header of a loop around the cycle of 2 and 3, which is entered at both.
    let forest = forest(&[&[1], &[2, 3], &[3], &[2, 4], &[1, 5], &[]]);
    assert_eq!(forest.loops.len(), 1);
    assert_eq!(forest.irreducible.len(), 1);
    assert_eq!(forest.irreducible[0].within, Some(LoopId(0)));
    assert_eq!(forest.irreducible[0].entries, blocks(&[3, 2]));
    assert_eq!(forest.irreducible_in(LoopId(0)).count(), 1);
}

#[test]
fn loops_and_regions_inside_a_region_are_found() {
    // 1 and 2 are the entries of a region; 3 heads a loop with 4; 5 and 6 are a region inside.
    let forest = forest(&[&[1, 2], &[3, 5], &[1, 6], &[4, 2], &[3], &[6], &[5, 2]]);
    assert_eq!(forest.loops.len(), 1);
    assert_eq!(forest.blocks(LoopId(0)), blocks(&[3, 4]));
    let regions: Vec<_> = forest
        .irreducible
        .iter()
        .map(|region| (numbers(&region.entries), numbers(&region.blocks)))
        .collect();
    let set = |numbers: &[u32]| numbers.iter().copied().collect::<BTreeSet<u32>>();
    assert_eq!(regions, [(set(&[1, 2]), set(&[1, 2, 3, 4, 5, 6])), (set(&[5, 6]), set(&[5, 6]))]);
}

#[test]
fn the_line_is_that_of_the_loop_statement() {
    let mut function = shape(&[&[1], &[2, 3], &[3], &[1, 4], &[]]);
    function.statements = vec![line(2), line(3), line(9)];
    // A `do` on line 2 whose body starts with an `if` on line 3.
    function.blocks[1].terminator.statement = StatementId(1);
    function.blocks[3].terminator.statement = StatementId(0);
    let forest = forest_of(&function);
    assert_eq!(forest.get(LoopId(0)).line(&function), 2);
    // A `while` on line 3 whose last statement is on line 9.
    function.blocks[3].terminator.statement = StatementId(2);
    assert_eq!(forest.get(LoopId(0)).statement(&function), StatementId(1));
}

/// The blocks of the natural loops by header, from the definition.
fn natural_loops(successors: &[Vec<u32>]) -> BTreeMap<u32, BTreeSet<u32>> {
    let reachable = reach(successors, 0, None);
    let before = reversed(successors);
    let mut loops: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (latch, next) in (0..).zip(successors) {
        for header in next {
            let dominates = !reach(successors, 0, Some(*header)).contains(&latch);
            if reachable.contains(&latch) && dominates {
                let body = loops.entry(*header).or_default();
                body.insert(*header);
                let inside = reach(&before, latch, Some(*header));
                body.extend(inside.intersection(&reachable));
            }
        }
    }
    loops
}

/// The irreducible regions, as blocks and entries: components are taken apart again and again. A
/// component with one entry loses it; so does one with several, which is a region.
fn regions(successors: &[Vec<u32>]) -> BTreeSet<(BTreeSet<u32>, BTreeSet<u32>)> {
    let mut found = BTreeSet::new();
    let reachable = reach(successors, 0, None);
    let before = reversed(successors);
    let mut open = vec![reachable.clone()];
    while let Some(part) = open.pop() {
        let inside = |from: &u32| -> Vec<u32> {
            let next = successors[*from as usize].iter();
            next.copied().filter(|to| part.contains(from) && part.contains(to)).collect()
        };
        let graph: Vec<Vec<u32>> = (0..successors.len() as u32).map(|b| inside(&b)).collect();
        let mut components = BTreeSet::new();
        for block in &part {
            let onward = reach(&graph, *block, None);
            let component: BTreeSet<u32> =
                onward.into_iter().filter(|b| reach(&graph, *b, None).contains(block)).collect();
            if component.len() > 1 {
                components.insert(component);
            }
        }
        for component in components {
            let is_entry = |block: &&u32| {
                let mut sources = before[**block as usize].iter();
                **block == 0
                    || sources.any(|from| reachable.contains(from) && !component.contains(from))
            };
            let entries: BTreeSet<u32> = component.iter().filter(is_entry).copied().collect();
            open.push(component.difference(&entries).copied().collect());
            if entries.len() > 1 {
                found.insert((component, entries));
            }
        }
    }
    found
}

fn numbers(blocks: &[BlockId]) -> BTreeSet<u32> {
    blocks.iter().map(|block| block.0).collect()
}

fn is_acyclic(successors: &[Vec<u32>]) -> bool {
    (0..)
        .zip(successors)
        .all(|(from, next)| next.iter().all(|to| !reach(successors, *to, None).contains(&from)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn loops_are_natural_and_nested_by_inclusion(successors in graphs(10)) {
        let forest = forest_of(&function(&successors));
        let expected = natural_loops(&successors);
        prop_assert_eq!(forest.loops.len(), expected.len());
        for (id, this) in forest.iter() {
            let body = &expected[&this.header.0];
            prop_assert_eq!(&numbers(forest.blocks(id)), body);
            prop_assert_eq!(forest.blocks(id).len(), body.len());
            prop_assert_eq!(forest.blocks(id)[0], this.header);
            let around = expected.iter().filter(|(_, other)| {
                other.len() > body.len() && other.is_superset(body)
            });
            let parent = around.min_by_key(|(_, other)| other.len()).map(|(header, _)| *header);
            prop_assert_eq!(this.parent.map(|id| forest.get(id).header.0), parent);
            prop_assert!(this.parent.is_none_or(|parent| parent < id));
            for block in 0..successors.len() as u32 {
                prop_assert_eq!(forest.contains(id, BlockId(block)), body.contains(&block));
            }
        }
        for block in 0..successors.len() as u32 {
            let inside = expected.iter().filter(|(_, body)| body.contains(&block));
            let smallest = inside.min_by_key(|(_, body)| body.len()).map(|(header, _)| *header);
            let found = forest.innermost(BlockId(block)).map(|id| forest.get(id).header.0);
            prop_assert_eq!(found, smallest);
        }
    }

    #[test]
    fn borders_are_the_edges_between_inside_and_outside(successors in graphs(10)) {
        let forest = forest_of(&function(&successors));
        let graph = FlowGraph::new(&function(&successors));
        for (id, this) in forest.iter() {
            let inside = |block| forest.contains(id, block);
            let edges = |from: bool, to: bool| -> Vec<Edge> {
                let wanted = |e: &Edge| inside(e.from) == from && inside(e.to) == to;
                graph.edges().filter(wanted).collect()
            };
            prop_assert_eq!(&this.exits, &edges(true, false));
            prop_assert_eq!(&this.entries, &edges(false, true));
            let back = edges(true, true).into_iter().filter(|edge| edge.to == this.header);
            prop_assert_eq!(this.back_edges().collect::<Vec<_>>(), back.collect::<Vec<_>>());
        }
    }

    /// A graph is reducible if it has no cycles without its back edges.
    #[test]
    fn reducibility_is_what_it_is_by_definition(successors in graphs(8)) {
        let forest = forest_of(&function(&successors));
        let reachable = reach(&successors, 0, None);
        let mut forward = successors.clone();
        for (from, next) in (0..).zip(&mut forward) {
            let is_back = |to: u32| !reach(&successors, 0, Some(to)).contains(&from);
            next.retain(|to| reachable.contains(&from) && !is_back(*to));
        }
        prop_assert_eq!(forest.is_reducible(), is_acyclic(&forward));
    }

    #[test]
    fn regions_are_components_with_several_entries(successors in graphs(12)) {
        let forest = forest_of(&function(&successors));
        let found: BTreeSet<_> = forest
            .irreducible
            .iter()
            .map(|region| (numbers(&region.blocks), numbers(&region.entries)))
            .collect();
        prop_assert_eq!(found.len(), forest.irreducible.len());
        prop_assert_eq!(found, regions(&successors));
        for region in &forest.irreducible {
            let around = forest.iter().filter(|(id, this)| {
                let inside = |block: &BlockId| forest.contains(*id, *block);
                region.blocks.iter().all(inside) && !region.blocks.contains(&this.header)
            });
            let smallest = around.min_by_key(|(id, _)| forest.blocks(*id).len());
            prop_assert_eq!(region.within, smallest.map(|(id, _)| id));
        }
    }

    /// In a reducible graph, a loop's blocks are in topological order, but for back edges.
    #[test]
    fn blocks_of_a_loop_are_in_order(successors in graphs(7)) {
        let function = function(&successors);
        let forest = forest_of(&function);
        let graph = FlowGraph::new(&function);
        for (id, _) in forest.iter().filter(|_| forest.is_reducible()) {
            let order = forest.blocks(id);
            let place = |block| order.iter().position(|other| *other == block);
            for edge in graph.edges().filter(|edge| !graph.is_retreating(*edge)) {
                if let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) {
                    prop_assert!(from < to);
                }
            }
        }
    }
}
