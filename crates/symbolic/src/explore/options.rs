//! How a program is explored.

use crate::domain::SymbolicIndex;
use crate::property::Property;
use crate::search::Location;
use loupe_integer::Integer;
use loupe_solver::{ChainOptions, Limits as SolverLimits, LinkName};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How far a program is explored. What is beyond makes the exploration incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many paths.
    pub paths: Option<u64>,
    /// How deep calls may nest.
    pub depth: Option<usize>,
    /// How often a loop may be repeated in a row.
    pub iterations: Option<u64>,
    /// How many instructions a path may have.
    pub steps: Option<u64>,
}

/// How a program is explored.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts as an error.
    pub property: Property,
    /// Whether exploration goes on behind the first error.
    pub all_errors: AllErrors,
    /// What executions that reach something undefined mean.
    pub undefined: Undefined,
    /// How far it goes.
    pub limits: Limits,
    /// What an access at a place that depends on inputs becomes.
    pub symbolic_index: SymbolicIndex,
    /// What is done about loops.
    pub loops: LoopMode,
    /// Which templates are applied.
    pub templates: Templates,
    /// How many instances of what is said of all iterations are looked at, where loops are passed by necessary conditions.
    pub instances: u32,
    /// Whether a necessary condition for errors is looked for first.
    pub draft: Option<Draft>,
    /// Which states are merged.
    pub merge: super::Merge,
    /// Whether states stop that are like others from which nothing went wrong.
    pub subsume: Option<Subsume>,
    /// The only places where something can go wrong, if somebody knows: states that cannot come to any need not go on.
    pub goals: Option<Arc<[Location]>>,
    /// Where random choices begin.
    pub seed: u64,
    /// How much work it may be to see what a loop does.
    pub loop_limits: crate::summary::Limits,
    /// What each question to the solver may cost.
    pub solver: SolverLimits,
    /// Links of the solver to leave out.
    pub without_links: BTreeSet<LinkName>,
    /// Whether the tree of executions is kept; only an exploration in one thread has one.
    pub keep_tree: bool,
    /// What is read behind the end of the input, in replays.
    pub end_of_input: Integer,
}

/// A necessary condition that is looked for before a program is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// How long that may take.
    pub time: Duration,
    /// What it is for.
    pub purpose: DraftFor,
    /// With more ways through the program than this, it is given up.
    pub ways: u64,
    /// When enough of it is known.
    pub until: DraftUntil,
}

impl Draft {
    /// So many ways are looked at where nobody says.
    pub const WAYS: u64 = 4_000;
}

/// How states are stopped of which nothing can come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subsume {
    /// So many iterations of a loop are executed before it is tried to say something of all of them.
    pub depth: u64,
    /// Which states stop.
    pub who: Subsumed,
    /// Whether that is certain.
    pub when: Subsuming,
}

/// Whether states stop of which nothing can come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subsuming {
    /// They do.
    #[default]
    Always,
    /// If the program is worth it.
    Auto,
}

/// Which states stop of which nothing can come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subsumed {
    /// All of them.
    #[default]
    All,
    /// Those that cannot take a way out of a branch for the first time either: tests shall take all of these.
    Covered,
}

impl Default for Subsume {
    fn default() -> Self {
        Subsume { depth: 1, who: Subsumed::All, when: Subsuming::Always }
    }
}

/// What a necessary condition is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftFor {
    /// For itself: what comes after it knows nothing of it.
    Answer,
    /// It guides the exploration that comes after it as well.
    Guidance,
}

/// When enough of a necessary condition is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DraftUntil {
    /// When an execution was found that goes one of the ways.
    #[default]
    Gone,
    /// When all ways are known: somebody wants the condition itself.
    Whole,
}

/// What is done about loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopMode {
    /// They are executed iteration by iteration.
    #[default]
    Unroll,
    /// They are passed by their summaries, approximations included; those that have none are executed.
    Summary,
    /// At the entry of a cycle, all of its iterations are passed at once by a template; where there is none, a step is executed.
    Compact,
    /// They are passed by conditions that every execution satisfies, with a counter for each path: what comes of it is necessary for coming somewhere, and seldom sufficient.
    Necessary,
    /// Short ones without decisions are executed, others are passed by their summaries if these are exact, and the
    /// rest is executed.
    Auto,
}

/// Which template is applied where several cycles are entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Templates {
    /// One that can make an iteration, and that the path has not taken for longest; at headers of loops only.
    #[default]
    InTurns,
    /// Any, at any entry.
    AtRandom,
}

/// Whether exploration goes on behind the first error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllErrors {
    /// It stops there.
    StopAtFirst,
    /// It goes on.
    GoOn,
}

/// What executions that reach something undefined mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// Nothing can be said of them.
    Unknown,
    /// There are none: the user says so.
    AssumedAbsent,
    /// They end there: the language says what happens.
    Ended,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            property: Property::NoErrors,
            all_errors: AllErrors::GoOn,
            undefined: Undefined::Unknown,
            limits: Limits::default(),
            symbolic_index: SymbolicIndex::default(),
            loops: LoopMode::default(),
            templates: Templates::default(),
            instances: 25,
            draft: None,
            merge: super::Merge::default(),
            subsume: None,
            goals: None,
            seed: 0,
            loop_limits: crate::summary::Limits::default(),
            solver: SolverLimits::default(),
            without_links: BTreeSet::new(),
            keep_tree: false,
            end_of_input: Integer::from(-1),
        }
    }
}

impl Options {
    /// The solver's chain of links.
    pub(crate) fn chain(&self) -> ChainOptions {
        ChainOptions { without: self.without_links.clone(), ..ChainOptions::default() }
    }
}
