//! `tree`: a random walk down the execution tree, from the root to a waiting state.
//!
//! The nodes of the tree are states, the children of a node what it forked into. The walk goes to each child
//! with a waiting state below it with the same probability, so states that few forks lie before are picked
//! often, however many descendants a loop has made elsewhere.
//!
//! What a walk costs: nodes that lead nowhere are removed, and a node with one child is replaced by it, which
//! changes no probability. So every step is a choice of at least two, a leaf that is l steps away is reached
//! with probability p ≤ 2⁻ˡ, thus l ≤ -log₂ p, and the expected number of steps is at most Σ p · -log₂ p, the
//! entropy of the leaves, which is at most log₂ n for n leaves. This holds for any shape of the tree, also for
//! one that is n deep. (States that are being executed keep their place in the tree, because their forks go
//! there; each may add a step without a choice. So may the node above the root.)
//!
//! Differences from the thesis: it has no contraction; a state that forks and goes on waiting itself is one
//! more choice beside its children; states may end while they wait.

use super::generator::Generator;
use super::{Search, StateKey, Waiting, work};
use loupe_ir::program::{BlockId, FunctionId};
use rustc_hash::FxHashMap;

/// What a node's state is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Activity {
    /// It is picked or about to be added: forks may come, so its node must stay.
    Running,
    Waiting,
    Ended,
}

/// A node of the tree. *Open* means that its state waits, or one below.
#[derive(Debug)]
struct Node {
    key: StateKey,
    activity: Activity,
    parent: usize,
    /// Where it stands in `children` of its parent.
    position: usize,
    /// The open ones first.
    children: Vec<usize>,
    open_children: usize,
}

impl Node {
    fn is_open(&self) -> bool {
        self.activity == Activity::Waiting || self.open_children > 0
    }
}

/// Stands above the first state, and above states whose origin is not known.
const TOP: usize = 0;

/// The strategy `tree`.
#[derive(Debug)]
pub(super) struct Tree {
    generator: Generator,
    nodes: Vec<Node>,
    free: Vec<usize>,
    /// The node of each state that has not ended.
    places: FxHashMap<StateKey, usize>,
    waiting: usize,
    /// States that have forked since the last pick.
    forked: Vec<StateKey>,
}

impl Tree {
    pub(super) fn new(seed: u64) -> Self {
        let top = Node {
            key: StateKey(0),
            activity: Activity::Ended,
            parent: TOP,
            position: 0,
            children: Vec::new(),
            open_children: 0,
        };
        Tree {
            generator: Generator::new(seed),
            nodes: vec![top],
            free: Vec::new(),
            places: FxHashMap::default(),
            waiting: 0,
            forked: Vec::new(),
        }
    }

    /// The state waits no longer; it is executed from now on.
    pub(super) fn take(&mut self, key: StateKey) {
        self.end_forked();
        if let Some(node) = self.places.get(&key).copied() {
            self.set_activity(node, Activity::Running);
        }
    }

    /// Where a random walk ends.
    fn walk(&mut self) -> Option<StateKey> {
        let mut at = TOP;
        loop {
            work::tick();
            let node = &self.nodes[at];
            let itself = usize::from(node.activity == Activity::Waiting);
            let choice = self.generator.index(node.open_children + itself);
            if choice < node.open_children {
                at = node.children[choice];
            } else if itself == 1 {
                return Some(node.key);
            } else {
                return None;
            }
        }
    }

    /// What has forked and was not added again has ended.
    fn end_forked(&mut self) {
        for key in std::mem::take(&mut self.forked) {
            let place = self.places.get(&key);
            if place.is_some_and(|node| self.nodes[*node].activity == Activity::Running) {
                self.end(key);
            }
        }
    }

    fn end(&mut self, key: StateKey) {
        if let Some(node) = self.places.remove(&key) {
            self.set_activity(node, Activity::Ended);
            self.tidy(node);
        }
    }

    /// A new node for a state that is running.
    fn attach(&mut self, key: StateKey, parent: usize) -> usize {
        let node = Node {
            key,
            activity: Activity::Running,
            parent,
            position: self.nodes[parent].children.len(),
            children: Vec::new(),
            open_children: 0,
        };
        let number = match self.free.pop() {
            Some(number) => {
                self.nodes[number] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].children.push(number);
        self.places.insert(key, number);
        number
    }

    fn set_activity(&mut self, node: usize, activity: Activity) {
        let was_open = self.nodes[node].is_open();
        let before = std::mem::replace(&mut self.nodes[node].activity, activity);
        self.waiting -= usize::from(before == Activity::Waiting);
        self.waiting += usize::from(activity == Activity::Waiting);
        self.tell_ancestors(node, was_open);
    }

    /// Whether a node is open may have changed, so its parent sorts it in anew, and so on upwards.
    ///
    /// It goes on upwards only through nodes that are closed before or after. Each of these is running or
    /// has several children, all closed, so there are fewer than twice as many as running states.
    fn tell_ancestors(&mut self, mut node: usize, mut was_open: bool) {
        while node != TOP && self.nodes[node].is_open() != was_open {
            work::tick();
            let parent = self.nodes[node].parent;
            let parent_was_open = self.nodes[parent].is_open();
            let position = self.nodes[node].position;
            if was_open {
                self.nodes[parent].open_children -= 1;
                self.swap_children(parent, position, self.nodes[parent].open_children);
            } else {
                self.swap_children(parent, position, self.nodes[parent].open_children);
                self.nodes[parent].open_children += 1;
            }
            (node, was_open) = (parent, parent_was_open);
        }
    }

    fn swap_children(&mut self, parent: usize, first: usize, second: usize) {
        self.nodes[parent].children.swap(first, second);
        for position in [first, second] {
            let child = self.nodes[parent].children[position];
            self.nodes[child].position = position;
        }
    }

    /// Removes `node` if nothing is below it any more, and then perhaps its parent; replaces the first node
    /// that stays by its child if it has only one. Each round but the last removes a node.
    fn tidy(&mut self, mut node: usize) {
        while node != TOP && self.nodes[node].activity == Activity::Ended {
            work::tick();
            let Node { parent, position, .. } = self.nodes[node];
            match self.nodes[node].children[..] {
                [] => {
                    let last = self.nodes[parent].children.len() - 1;
                    self.swap_children(parent, position, last);
                    self.nodes[parent].children.pop();
                    self.free.push(node);
                    node = parent;
                }
                [child] => {
                    // It is open if and only if `node` was: the parent's order stays right.
                    self.nodes[parent].children[position] = child;
                    self.nodes[child].parent = parent;
                    self.nodes[child].position = position;
                    self.free.push(node);
                    return;
                }
                _ => return,
            }
        }
    }
}

impl Search for Tree {
    fn forked(&mut self, parent: StateKey, child: StateKey) {
        if self.places.contains_key(&child) {
            return;
        }
        let origin = self.places.get(&parent).copied();
        if origin.is_some() && self.forked.last() != Some(&parent) {
            self.forked.push(parent);
        }
        self.attach(child, origin.unwrap_or(TOP));
    }

    fn add(&mut self, waiting: Waiting) {
        let known = self.places.get(&waiting.key).copied();
        let node = known.unwrap_or_else(|| self.attach(waiting.key, TOP));
        self.set_activity(node, Activity::Waiting);
    }

    fn pick(&mut self) -> Option<StateKey> {
        let key = self.walk()?;
        self.take(key);
        Some(key)
    }

    fn ended(&mut self, key: StateKey) {
        self.end(key);
    }

    fn covered(&mut self, _: FunctionId, _: BlockId) {}

    fn len(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests;
