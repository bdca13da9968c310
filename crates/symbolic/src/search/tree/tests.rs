//! The tree against one that is never pruned, and what is left of it.

use super::super::testing::{assert_likely, waiting};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

const ROOT: StateKey = StateKey(0);

/// A tree whose first state has been picked.
fn rooted() -> Tree {
    let mut tree = Tree::new(7);
    tree.add(waiting(0, &[]));
    assert_eq!(tree.pick(), Some(ROOT));
    tree
}

fn fork(tree: &mut Tree, parent: u64, children: &[u64]) {
    for child in children {
        tree.forked(StateKey(parent), StateKey(*child));
    }
    for child in children {
        tree.add(waiting(*child, &[]));
    }
}

/// The states that a walk may end at, with their exact probabilities and the number of steps.
fn leaves(tree: &Tree) -> BTreeMap<StateKey, (f64, usize)> {
    let mut leaves = BTreeMap::new();
    let mut open = vec![(TOP, 1.0, 0)];
    while let Some((at, probability, steps)) = open.pop() {
        let node = &tree.nodes[at];
        let itself = usize::from(node.activity == Activity::Waiting);
        let each = probability / (node.open_children + itself) as f64;
        if itself == 1 {
            assert!(leaves.insert(node.key, (each, steps)).is_none());
        }
        let children = node.children[..node.open_children].iter();
        open.extend(children.map(|child| (*child, each, steps + 1)));
    }
    leaves
}

/// What must hold of the nodes at any time between picks.
fn check_nodes(tree: &Tree) {
    let mut seen = 0;
    let mut open = vec![TOP];
    while let Some(at) = open.pop() {
        seen += 1;
        let node = &tree.nodes[at];
        for (position, child) in node.children.iter().enumerate() {
            let below = &tree.nodes[*child];
            assert_eq!((below.parent, below.position), (at, position));
            assert_eq!(below.is_open(), position < node.open_children);
            open.push(*child);
        }
        if at != TOP && node.activity == Activity::Ended {
            assert!(node.children.len() >= 2, "a node that should have been removed");
        } else if at != TOP {
            assert_eq!(tree.places.get(&node.key), Some(&at));
        }
    }
    assert_eq!(seen + tree.free.len(), tree.nodes.len(), "nodes that nothing leads to");
}

#[test]
fn each_fork_halves_the_probability() {
    let mut counts = [0; 4];
    let mut tree = rooted();
    fork(&mut tree, 0, &[1, 2]);
    tree.take(StateKey(2));
    fork(&mut tree, 2, &[3, 4, 5]);
    for _ in 0..3000 {
        let key = tree.walk().unwrap();
        counts[[1, 3, 4, 5].iter().position(|leaf| StateKey(*leaf) == key).unwrap()] += 1;
    }
    assert_likely(&counts, &[3.0, 1.0, 1.0, 1.0]);
}

#[test]
fn a_state_that_forks_and_waits_again_is_a_choice_beside_its_children() {
    let mut tree = rooted();
    fork(&mut tree, 0, &[1, 2]);
    tree.add(waiting(0, &[]));
    tree.end_forked();
    assert!(leaves(&tree).into_values().eq([(1.0 / 3.0, 1), (1.0 / 3.0, 2), (1.0 / 3.0, 2)]));
}

#[test]
fn what_has_ended_is_removed() {
    let mut tree = rooted();
    fork(&mut tree, 0, &[1, 2]);
    tree.take(StateKey(1));
    fork(&mut tree, 1, &[3, 4]);
    tree.end_forked();
    assert_eq!(tree.nodes.len() - tree.free.len(), 6, "the top, 0, 1, and three that wait");
    tree.ended(StateKey(2));
    // 0 had 1 left, and 1 took its place.
    assert_eq!(tree.nodes.len() - tree.free.len(), 4);
    tree.ended(StateKey(3));
    assert_eq!(tree.nodes.len() - tree.free.len(), 2);
    assert_eq!(tree.pick(), Some(StateKey(4)));
    tree.ended(StateKey(4));
    assert_eq!(tree.nodes.len() - tree.free.len(), 1);
    check_nodes(&tree);
    assert_eq!(tree.pick(), None);
}

#[test]
fn a_chain_of_forks_with_one_survivor_each_takes_no_steps() {
    let mut tree = rooted();
    for round in 0..10_000 {
        let (left, right) = (2 * round + 1, 2 * round + 2);
        fork(&mut tree, if round == 0 { 0 } else { left - 1 }, &[left, right]);
        tree.ended(StateKey(left));
        assert_eq!(tree.pick(), Some(StateKey(right)));
    }
    assert!(tree.nodes.len() < 10, "{}", tree.nodes.len());
}

#[test]
fn a_tree_that_is_as_deep_as_it_has_leaves_is_walked_in_two_steps_on_average() {
    let mut tree = rooted();
    let mut last = 0;
    for round in 0..50_000 {
        tree.take(StateKey(last));
        fork(&mut tree, last, &[2 * round + 1, 2 * round + 2]);
        last = 2 * round + 2;
    }
    tree.end_forked();
    // The leaf at depth l has the probability 2⁻ˡ, so the entropy is 2. The top and the root come before.
    let steps = work::count(|| (0..1000).for_each(|_| assert!(tree.walk().is_some())));
    assert!((3_800..4_200).contains(&steps), "{steps}");
}

/// What happens to a state that was picked.
#[derive(Clone, Debug)]
enum Fate {
    Fork(usize),
    ForkAndWait(usize),
    Wait,
    End,
}

fn fates() -> impl Strategy<Value = Vec<(Fate, bool)>> {
    let fate = prop_oneof![
        4 => (1..5_usize).prop_map(Fate::Fork),
        1 => (1..3_usize).prop_map(Fate::ForkAndWait),
        1 => Just(Fate::Wait),
        2 => Just(Fate::End),
    ];
    prop::collection::vec((fate, any::<bool>()), 0..60)
}

/// A tree in which every state stays for ever.
#[derive(Default)]
struct Whole {
    parents: BTreeMap<u64, u64>,
    waiting: Vec<u64>,
}

impl Whole {
    /// The exact probabilities, by the definition: each node with waiting states below it is equally likely
    /// among its siblings, and so is the parent itself if it waits.
    fn probabilities(&self) -> BTreeMap<StateKey, f64> {
        let mut choices: BTreeMap<u64, std::collections::BTreeSet<Option<u64>>> = BTreeMap::new();
        for leaf in &self.waiting {
            choices.entry(*leaf).or_default().insert(None);
            let mut at = *leaf;
            while let Some(parent) = self.parents.get(&at) {
                choices.entry(*parent).or_default().insert(Some(at));
                at = *parent;
            }
        }
        let probability = |leaf: &u64| {
            let mut probability = 1.0 / choices[leaf].len() as f64;
            let mut at = *leaf;
            while let Some(parent) = self.parents.get(&at) {
                probability /= choices[parent].len() as f64;
                at = *parent;
            }
            (StateKey(*leaf), probability)
        };
        self.waiting.iter().map(probability).collect()
    }
}

proptest! {
    #[test]
    fn pruning_changes_no_probability_and_bounds_the_walk_by_the_entropy(fates in fates(), seed: u64) {
        let mut tree = Tree::new(seed);
        let mut whole = Whole { waiting: vec![0], ..Whole::default() };
        tree.add(waiting(0, &[]));
        let mut next = 1;
        for (fate, also_end_another) in fates {
            let Some(key) = tree.pick() else { break };
            whole.waiting.retain(|waiting| *waiting != key.0);
            if let (Fate::Fork(count) | Fate::ForkAndWait(count), first) = (&fate, next) {
                next += *count as u64;
                let children: Vec<u64> = (first..next).collect();
                fork(&mut tree, key.0, &children);
                whole.parents.extend(children.iter().map(|child| (*child, key.0)));
                whole.waiting.extend(children);
            }
            match fate {
                Fate::ForkAndWait(_) | Fate::Wait => {
                    tree.add(waiting(key.0, &[]));
                    whole.waiting.push(key.0);
                }
                Fate::End => tree.ended(key),
                Fate::Fork(_) => {}
            }
            if also_end_another && whole.waiting.len() > 1 {
                let other = whole.waiting.swap_remove(0);
                tree.ended(StateKey(other));
            }
            tree.end_forked();
            check_nodes(&tree);
            let leaves = leaves(&tree);
            let expected = whole.probabilities();
            prop_assert_eq!(leaves.len(), expected.len());
            let (mut length, mut entropy) = (0.0, 0.0);
            for (key, (probability, steps)) in leaves {
                prop_assert!((probability - expected[&key]).abs() < 1e-9);
                length += probability * steps as f64;
                entropy -= probability * probability.log2();
            }
            // The step from the top is no choice. A waiting state above others is a leaf that ends one
            // step earlier.
            prop_assert!(length <= entropy + 1.0 + 1e-9, "{} > {}", length, entropy);
        }
    }
}
