//! A loop as the summarisers see it: variables at the header, and the paths of one iteration.
//!
//! Nothing here knows of programs. Whoever executes the body once from arbitrary values at the header gets such a loop: every way
//! back to the header is an iteration path, every way out an exit path; what happens on the way is a guard and an update over the values
//! at the header. A loop inside the body has been replaced by the cases of its own summary.

use loupe_term::{Counted, Term};

/// A loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loop {
    /// What iterations may change.
    pub variables: Vec<Variable>,
    /// The ways through the body. The guards of any two exclude each other, given the inputs and other fresh values; together they
    /// cover everything that [`Loop::facts`] allows, unless [`Loop::is_partial`].
    pub paths: Vec<Path>,
    /// What holds at the header in every iteration, whatever the values are: the ranges of types, and what is known of symbols that
    /// do not change.
    pub facts: Vec<Term>,
    /// What is known of the values at entry, besides; empty for a summary that shall hold for all entries.
    pub entry: Vec<Term>,
    /// How many exits there are; paths name them by number. What is there is the caller's business.
    pub exits: usize,
    /// Some ways through the body are missing (there were too many), and why: then nothing can be exact.
    pub is_partial: Option<String>,
    /// Whether the guards of two paths exclude each other.
    pub ways: Ways,
    /// What counts of iterations of the paths are, in their order, for people; empty where nobody says.
    pub counted: Vec<Counted>,
}

/// Whether values and inputs determine the path that is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ways {
    /// They do, as in every program.
    #[default]
    One,
    /// There may be several: a part of a loop that is left at any time.
    Several,
}

/// Something that the loop may change: a scalar at the header.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Its value at the header: a symbol, of sort integer or array.
    pub symbol: Term,
    /// Its name for people.
    pub name: String,
}

/// One way through the body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// When it is taken: over the values at the header, symbols that do not change, and [`Path::fresh`].
    pub guard: Term,
    /// The value of each variable afterwards, in their order; ★ where it is not known.
    pub updates: Vec<Term>,
    /// Symbols that take a new value in every iteration.
    pub fresh: Vec<Fresh>,
    /// Where it leads to.
    pub end: End,
    /// Whether guard and updates are precise. What an inner summary that is `over` stands for is not.
    pub precision: Precision,
    /// Where it goes, for people: lines or decisions.
    pub label: String,
}

/// A symbol that takes a new value in every iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fresh {
    /// The symbol.
    pub symbol: Term,
    /// What it is.
    pub kind: FreshKind,
}

/// What a fresh value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FreshKind {
    /// Read from an input; any value in the range that the guard gives it is possible.
    Input,
    /// A counter of an inner loop, or another value that some formula of the guard describes.
    Counter,
}

/// Where a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Back to the header.
    Again,
    /// Out of the loop, by this exit.
    Exit(usize),
}

/// How well a path describes the executions that go its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// All of them, and nothing else.
    #[default]
    Exact,
    /// All of them, and perhaps more.
    Over,
}

impl Loop {
    /// The paths that lead back to the header.
    pub fn iterations(&self) -> impl Iterator<Item = (usize, &Path)> {
        self.paths.iter().enumerate().filter(|(_, path)| path.end == End::Again)
    }
}
