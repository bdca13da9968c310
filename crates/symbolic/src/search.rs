//! Which waiting state is executed next.

use loupe_ir::program::{BlockId, FunctionId};
use std::rc::Rc;

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
    /// Where each of its calls stands, the innermost last.
    pub stack: Rc<[Location]>,
}

/// A search strategy.
///
/// An execution starts with one state, the root. A state that is picked is executed until it forks or
/// ends; what it forks into is announced by [`Search::forked`], and each of the new states is then added.
pub trait Search {
    /// A state of which `parent` is the origin exists from now on; it will be added.
    fn forked(&mut self, parent: StateKey, child: StateKey);
    /// A state waits.
    fn add(&mut self, waiting: Waiting);
    /// The state to go on with, which waits no longer; `None` if no state waits.
    fn pick(&mut self) -> Option<StateKey>;
    /// A state that was picked has ended.
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
