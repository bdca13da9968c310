use super::*;
use crate::analysis::testing::{blocks, function, graphs, reach, reversed, shape};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn dominators(successors: &[&[u32]]) -> Dominators {
    Dominators::new(&FlowGraph::new(&shape(successors)))
}

fn post_dominators(successors: &[&[u32]]) -> PostDominators {
    PostDominators::new(&FlowGraph::new(&shape(successors)))
}

#[test]
fn a_branch_dominates_its_sides_and_their_end() {
    let tree = dominators(&[&[1, 2], &[3], &[3], &[]]);
    assert_eq!(tree.immediate(BlockId(3)), Some(BlockId(0)));
    assert_eq!(tree.immediate(BlockId(0)), None);
    assert_eq!(tree.children(BlockId(0)), blocks(&[1, 2, 3]));
    assert!(tree.dominates(BlockId(0), BlockId(3)) && !tree.dominates(BlockId(1), BlockId(3)));
    assert!(tree.dominates(BlockId(3), BlockId(3)));
    assert!(!tree.strictly_dominates(BlockId(3), BlockId(3)));
}

#[test]
fn unreachable_blocks_are_outside_of_the_tree() {
    let tree = dominators(&[&[1], &[], &[1]]);
    assert_eq!(tree.immediate(BlockId(1)), Some(BlockId(0)));
    assert_eq!(tree.immediate(BlockId(2)), None);
    assert!(!tree.dominates(BlockId(2), BlockId(2)));
}

#[test]
fn two_exits_meet_in_the_virtual_exit() {
    let tree = post_dominators(&[&[1], &[2, 3], &[], &[]]);
    assert_eq!(tree.immediate(BlockId(0)), Some(BlockId(1)));
    assert_eq!(tree.immediate(BlockId(1)), None);
    assert!(tree.reaches_exit(BlockId(1)));
    assert_eq!(tree.strict_post_dominators(BlockId(0)).collect::<Vec<_>>(), blocks(&[1]));
}

#[test]
fn an_infinite_loop_has_no_post_dominators() {
    let tree = post_dominators(&[&[1, 2], &[1], &[]]);
    assert!(!tree.reaches_exit(BlockId(1)));
    assert_eq!(tree.immediate(BlockId(1)), None);
    assert!(!tree.post_dominates(BlockId(1), BlockId(1)));
    assert_eq!(tree.immediate(BlockId(0)), Some(BlockId(2)));
}

#[test]
fn a_function_without_blocks_has_empty_trees() {
    dominators(&[]);
    post_dominators(&[]);
}

proptest! {
    /// `a` dominates `b` if `b` cannot be reached without `a`.
    #[test]
    fn dominance_is_what_it_is_by_definition(successors in graphs(9)) {
        let tree = Dominators::new(&FlowGraph::new(&function(&successors)));
        let reachable = reach(&successors, 0, None);
        for a in 0..successors.len() as u32 {
            let without = reach(&successors, 0, Some(a));
            for b in 0..successors.len() as u32 {
                let expected = reachable.contains(&b) && !without.contains(&b);
                prop_assert_eq!(tree.dominates(BlockId(a), BlockId(b)), expected, "{} {}", a, b);
            }
        }
    }

    /// `a` post-dominates `b` if `b` reaches an exit, but none without `a`.
    #[test]
    fn post_dominance_is_what_it_is_by_definition(successors in graphs(9)) {
        let tree = PostDominators::new(&FlowGraph::new(&function(&successors)));
        let exits = || (0..).zip(&successors).filter(|(_, next)| next.is_empty());
        let before = reversed(&successors);
        let leads_out = |without| -> BTreeSet<u32> {
            exits().flat_map(|(exit, _)| reach(&before, exit, without)).collect()
        };
        let all = leads_out(None);
        for a in 0..successors.len() as u32 {
            let without = leads_out(Some(a));
            prop_assert_eq!(tree.reaches_exit(BlockId(a)), all.contains(&a));
            for b in 0..successors.len() as u32 {
                let expected = all.contains(&b) && !without.contains(&b);
                let found = tree.post_dominates(BlockId(a), BlockId(b));
                prop_assert_eq!(found, expected, "{} {}", a, b);
            }
        }
    }

    /// The immediate dominator is the strict one that all other strict ones dominate.
    #[test]
    fn the_immediate_dominator_is_the_closest(successors in graphs(9)) {
        let tree = Dominators::new(&FlowGraph::new(&function(&successors)));
        for block in (0..successors.len() as u32).map(BlockId) {
            let all = (0..successors.len() as u32).map(BlockId);
            let strict: Vec<_> = all.filter(|a| tree.strictly_dominates(*a, block)).collect();
            let closest = strict.iter().find(|a| strict.iter().all(|b| tree.dominates(*b, **a)));
            prop_assert_eq!(tree.immediate(block), closest.copied());
            let mut listed: Vec<_> = tree.strict_dominators(block).collect();
            listed.sort_unstable();
            prop_assert_eq!(listed, strict);
        }
    }
}
