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

/// Graphs of few blocks, and chains with a few more edges, whose trees are deep.
fn shapes() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let chains = (2..40_u32).prop_flat_map(|count| {
        let more = prop::collection::vec((0..count - 1, 0..count), 0..8);
        more.prop_map(move |more| {
            let mut successors = chain(count);
            for (from, to) in more {
                successors[from as usize].push(to);
            }
            successors
        })
    });
    prop_oneof![2 => graphs(12), 1 => chains]
}

/// Every block leads to the next.
fn chain(count: u32) -> Vec<Vec<u32>> {
    (1..count).map(|next| vec![next]).chain([Vec::new()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// `a` dominates `b` if `b` cannot be reached without `a`.
    #[test]
    fn dominance_is_what_it_is_by_definition(successors in shapes()) {
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
    fn post_dominance_is_what_it_is_by_definition(successors in shapes()) {
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
    fn the_immediate_dominator_is_the_closest(successors in shapes()) {
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

    /// The same for post-dominators, where the virtual exit is no block.
    #[test]
    fn the_immediate_post_dominator_is_the_closest(successors in shapes()) {
        let tree = PostDominators::new(&FlowGraph::new(&function(&successors)));
        for block in (0..successors.len() as u32).map(BlockId) {
            let all = (0..successors.len() as u32).map(BlockId);
            let strict: Vec<_> = all.filter(|a| tree.strictly_post_dominates(*a, block)).collect();
            let closest =
                strict.iter().find(|a| strict.iter().all(|b| tree.post_dominates(*b, **a)));
            prop_assert_eq!(tree.immediate(block), closest.copied());
            let mut listed: Vec<_> = tree.strict_post_dominators(block).collect();
            listed.sort_unstable();
            prop_assert_eq!(listed, strict);
        }
    }
}

/// The immediate dominators and post-dominators of a large graph are as given.
fn check_large(
    successors: &[Vec<u32>],
    immediate: impl Fn(u32) -> Option<u32>,
    immediate_post: impl Fn(u32) -> Option<u32>,
) {
    let graph = FlowGraph::new(&function(successors));
    let (tree, post) = (Dominators::new(&graph), PostDominators::new(&graph));
    for block in 0..successors.len() as u32 {
        assert_eq!(tree.immediate(BlockId(block)).map(|above| above.0), immediate(block));
        assert_eq!(post.immediate(BlockId(block)).map(|above| above.0), immediate_post(block));
    }
}

#[test]
fn a_chain_of_a_million_blocks() {
    let last = 999_999;
    check_large(
        &chain(last + 1),
        |block| block.checked_sub(1),
        |block| (block < last).then_some(block + 1),
    );
}

#[test]
fn two_hundred_thousand_blocks_with_one_exit() {
    let exit = 200_000;
    let mut successors = chain(exit + 1);
    for next in &mut successors[..exit as usize - 1] {
        next.push(exit);
    }
    let immediate = |block: u32| if block == exit { Some(0) } else { block.checked_sub(1) };
    check_large(&successors, immediate, |block| (block < exit).then_some(exit));
}

#[test]
fn loops_nested_a_hundred_thousand_deep() {
    // Blocks up to the middle are headers, and those behind it are the latches, inside out.
    let depth = 100_000;
    let mut successors = chain(2 * depth + 1);
    for header in 0..depth {
        successors[(2 * depth - 1 - header) as usize].push(header);
    }
    check_large(
        &successors,
        |block| block.checked_sub(1),
        |block| (block < 2 * depth).then_some(block + 1),
    );
}

/// The cases at the end of a long chain are also reached from its start, so that each of them has
/// its dominator far above its parent in a depth-first search.
#[test]
fn many_ways_around_a_long_chain() {
    let (length, cases) = (100_000, 100_000);
    let mut successors = chain(length);
    successors[length as usize - 1] = (length..length + cases).collect();
    successors[0].extend(length..length + cases);
    successors.extend((0..cases).map(|_| Vec::new()));
    let immediate = |block: u32| if block < length { block.checked_sub(1) } else { Some(0) };
    let before_cases = length - 1;
    check_large(&successors, immediate, |block| {
        (1..before_cases).contains(&block).then_some(block + 1)
    });
    let turned = FlowGraph::new(&function(&reversed(&successors)));
    let post = PostDominators::new(&turned);
    for block in 0..length + cases {
        assert_eq!(post.immediate(BlockId(block)).map(|above| above.0), immediate(block));
    }
}
