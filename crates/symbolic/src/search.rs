//! Which waiting state is executed next.
//!
//! The strategies of section 5.3.2.2 of the thesis (the ideas are in its section 3.6): [`Strategy`] names
//! them, [`strategy`] makes one. Beside the six of the thesis there is one that heads for given places.
//!
//! | strategy | picks | cost of a pick with n waiting states |
//! |---|---|---|
//! | `bfs`, `dfs` | the oldest, the newest | O(log n) |
//! | `random` | any, all equally likely | O(1) |
//! | `tree` | by a random walk down the execution tree | O(log n) expected |
//! | `coverage` | with probability proportional to 1 / distance to a block that is not covered | O(log n) |
//! | `klee` | by the last two in turns | O(log n) expected |
//! | `target` | the nearest to given places | O(log n) |
//!
//! What `coverage` recomputes after new blocks were covered comes on top of these figures: it is proportional
//! to the distances that change, and there are at most as many such changes as blocks. To add a state costs
//! `coverage`, `klee` and `target` one lookup for every call on its stack.
//!
//! A strategy knows keys and places only: no terms, no path conditions. Nothing here forgets a state: each
//! one that is added is picked once, unless it ends first.

mod bfs;
mod coverage;
mod dfs;
mod distance;
mod flow;
pub(crate) mod generator;
mod groups;
mod klee;
mod random;
mod ranked;
mod target;
mod tree;
mod weights;

use bfs::Bfs;
use coverage::Coverage;
use dfs::Dfs;
use klee::Klee;
use loupe_ir::program::{BlockId, FunctionId, Program};
use random::Random;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;
use target::Target;
use thiserror::Error;
use tree::Tree;

pub(crate) use target::Reach;
pub use target::{places_of_line, places_starting_in};

/// A state that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateKey(pub u64);

/// A place in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The function.
    pub function: FunctionId,
    /// The block in it.
    pub block: BlockId,
    /// The next instruction; one past the last stands for the terminator.
    pub next: usize,
}

/// What a strategy is told of a state that begins to wait.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The state.
    pub key: StateKey,
    /// Where each of its calls goes on, the innermost last; the others do so behind their call, when the
    /// one after them has returned.
    pub stack: Rc<[Location]>,
}

/// A search strategy.
///
/// An execution starts with one state, the root. A state that is picked is executed until it forks or
/// ends; what it forks into is announced by [`Search::forked`], and each of the new states is then added,
/// or ends at once.
pub trait Search {
    /// A state of which `parent` is the origin exists from now on; it will be added. All forks of a state
    /// are announced before the next pick; by then it has ended, unless it was added again itself.
    fn forked(&mut self, parent: StateKey, child: StateKey);
    /// A state waits. If it does so already, nothing changes.
    fn add(&mut self, waiting: Waiting);
    /// The state to go on with, which waits no longer; `None` if no state waits.
    fn pick(&mut self) -> Option<StateKey>;
    /// A state has ended: one that was picked, or one that waited and need not be executed any more, because
    /// it was merged into another, say.
    fn ended(&mut self, key: StateKey);
    /// A block was executed for the first time.
    fn covered(&mut self, function: FunctionId, block: BlockId);
    /// How many states wait.
    fn len(&self) -> usize;
    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The search strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// The state that has waited longest.
    #[default]
    Bfs,
    /// The state that has waited shortest.
    Dfs,
    /// Any state.
    Random,
    /// A random walk down the execution tree.
    Tree,
    /// States that are near to what has not been executed.
    Coverage,
    /// `Tree` and `Coverage` in turns.
    Klee,
    /// The state that is nearest to given places.
    Target,
}

impl Strategy {
    /// All of them.
    pub const ALL: &[Strategy] = &[
        Strategy::Bfs,
        Strategy::Dfs,
        Strategy::Random,
        Strategy::Tree,
        Strategy::Coverage,
        Strategy::Klee,
        Strategy::Target,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Bfs => "bfs",
            Strategy::Dfs => "dfs",
            Strategy::Random => "random",
            Strategy::Tree => "tree",
            Strategy::Coverage => "coverage",
            Strategy::Klee => "klee",
            Strategy::Target => "target",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is none of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no search strategy `{0}`; there are {names}", names = names())]
pub struct UnknownStrategy(pub String);

fn names() -> String {
    Strategy::ALL.iter().map(|strategy| strategy.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let known = Strategy::ALL.iter().find(|strategy| strategy.name() == name);
        known.copied().ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

/// A strategy of this kind for an execution of `program`.
///
/// The same seed and the same calls give the same picks. Only [`Strategy::Target`] looks at `targets`
/// ([`places_of_line`] finds those of a line); if there are none, all states are equally far from them, and
/// the oldest comes first.
pub fn strategy(
    kind: Strategy,
    program: &Program,
    seed: u64,
    targets: &[Location],
) -> Box<dyn Search> {
    match kind {
        Strategy::Bfs => Box::new(Bfs::default()),
        Strategy::Dfs => Box::new(Dfs::default()),
        Strategy::Random => Box::new(Random::new(seed)),
        Strategy::Tree => Box::new(Tree::new(seed)),
        Strategy::Coverage => Box::new(Coverage::new(program, seed)),
        Strategy::Klee => Box::new(Klee::new(program, seed)),
        Strategy::Target => Box::new(Target::new(program, targets)),
    }
}

/// Counts what strategies do in loops of their own, so that tests can see how it grows without a clock.
mod work {
    #[cfg(test)]
    thread_local! {
        static DONE: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    /// One round of a loop.
    #[inline]
    pub(super) fn tick() {
        #[cfg(test)]
        DONE.set(DONE.get() + 1);
    }

    /// How many rounds `run` takes.
    #[cfg(test)]
    pub(super) fn count(run: impl FnOnce()) -> u64 {
        let before = DONE.get();
        run();
        DONE.get() - before
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
