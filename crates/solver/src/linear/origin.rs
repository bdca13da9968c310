//! From which facts something was derived.
//!
//! Every derived row carries an [`Origin`], a number in a graph whose leaves are the facts that were
//! given and the assumptions of the case splits around. Joining two origins adds one node; the leaves
//! are collected only when a contradiction has been found.

/// Where a row comes from: a node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin(u32);

impl Origin {
    /// From nothing: a definition of a fresh variable, which is always possible.
    pub(super) const NONE: Origin = Origin(0);
}

#[derive(Clone, Copy)]
enum Node {
    None,
    Leaf(u32),
    Join(Origin, Origin),
}

/// The graph.
pub(super) struct Derivations {
    nodes: Vec<Node>,
    /// For each node, in which walk it was met last.
    met: Vec<u32>,
    walks: u32,
    /// How many nodes the last walk met.
    walked: usize,
}

impl Derivations {
    pub(super) fn new() -> Self {
        let mut nodes = Vec::with_capacity(64);
        nodes.push(Node::None);
        Derivations { nodes, met: Vec::new(), walks: 0, walked: 0 }
    }

    fn push(&mut self, node: Node) -> Origin {
        self.nodes.push(node);
        Origin((self.nodes.len() - 1) as u32)
    }

    /// The fact or assumption with this number.
    pub(super) fn leaf(&mut self, number: usize) -> Origin {
        self.push(Node::Leaf(number as u32))
    }

    /// From both.
    #[inline]
    pub(super) fn join(&mut self, a: Origin, b: Origin) -> Origin {
        if a == b || b == Origin::NONE {
            a
        } else if a == Origin::NONE {
            b
        } else {
            self.push(Node::Join(a, b))
        }
    }

    /// The leaves of an origin, ascending.
    pub(super) fn leaves(&mut self, origin: Origin) -> Vec<usize> {
        self.walks += 1;
        self.walked = 0;
        self.met.resize(self.nodes.len(), 0);
        let mut leaves = Vec::new();
        let mut open = vec![origin];
        while let Some(Origin(index)) = open.pop() {
            let index = index as usize;
            if std::mem::replace(&mut self.met[index], self.walks) == self.walks {
                continue;
            }
            self.walked += 1;
            match self.nodes[index] {
                Node::None => {}
                Node::Leaf(number) => leaves.push(number as usize),
                Node::Join(a, b) => open.extend([a, b]),
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    fn without(&mut self, origin: Origin, leaf: usize) -> Option<Origin> {
        let leaves = self.leaves(origin);
        leaves.binary_search(&leaf).ok()?;
        let mut rest = Origin::NONE;
        for other in leaves.into_iter().filter(|other| *other != leaf) {
            let other = self.leaf(other);
            rest = self.join(rest, other);
        }
        Some(rest)
    }
}

/// Why work on a problem ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// What this comes from contradicts itself.
    Conflict(Origin),
    /// No steps are left.
    OutOfSteps,
}

/// What all work on one question shares.
pub(super) struct Effort {
    pub(super) derivations: Derivations,
    pub(super) steps: u64,
}

impl Effort {
    pub(super) fn new(steps: u64) -> Self {
        Effort { derivations: Derivations::new(), steps }
    }

    /// Pays for some steps.
    #[inline]
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(Stop::OutOfSteps)?;
        Ok(())
    }

    #[inline]
    pub(super) fn join(&mut self, a: Origin, b: Origin) -> Origin {
        self.derivations.join(a, b)
    }

    /// An origin without a leaf, or nothing if the leaf is not in it.
    pub(super) fn without(&mut self, origin: Origin, leaf: usize) -> Result<Option<Origin>, Stop> {
        let rest = self.derivations.without(origin, leaf);
        self.spend(1 + self.derivations.walked / 4)?;
        Ok(rest)
    }

    /// A contradiction between two facts.
    pub(super) fn conflict(&mut self, a: Origin, b: Origin) -> Stop {
        Stop::Conflict(self.join(a, b))
    }
}
