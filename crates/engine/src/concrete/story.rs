//! A run as a story: what was read, what was decided, which loops ran how often along which paths, which calls were made.
//!
//! A story is short however long the run is. Iterations of a loop are kept as runs of the same [path](super::profile), and patterns that repeat as such;
//! what happened within an iteration that came back to the header is only counted. The iteration that did not come back (the loop was left in it, or the run
//! ended) is told in full. A list of steps keeps its beginning and its end. What is left out is counted too, so the numbers of a story are those
//! of the [profile](super::profile::Profile) of the same run.
//!
//! Only what the user wrote is told: what a model of a library function reads is read where the user called it.

mod recorder;
mod runs;
mod values;

pub use recorder::Recorder;
pub use runs::{Pattern, Runs};
pub use values::NamedValue;

use loupe_integer::Integer;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::analysis::loops::LoopId;
use loupe_ir::program::{BlockId, FunctionId, LocalId};
use loupe_ir::source::Span;
use std::collections::{BTreeMap, VecDeque};

/// A loop of a program.
pub type LoopKey = (FunctionId, LoopId);

/// The way of an iteration, as a number in the order in which the paths of its loop were first completed.
pub type PathNumber = u32;

/// So many steps at the beginning of a list are kept.
const FIRST: usize = 48;
/// So many at its end.
const LAST: usize = 48;

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// In this order.
    pub steps: Steps,
    /// The iteration paths of each loop: their blocks from the header to the one before the back edge; an inner loop is its header.
    pub paths: BTreeMap<LoopKey, Vec<Vec<BlockId>>>,
    /// What variables hold where the run ended.
    pub values: Vec<NamedValue>,
    /// Who took the values of the stream of uninitialised values, by position.
    pub uninitialised: BTreeMap<u64, Uninitialised>,
}

/// Who took a value of the stream of uninitialised values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uninitialised {
    /// Its name, with the number of the element where there are several.
    pub name: String,
    /// Its declaration, if it has one.
    pub span: Option<Span>,
    /// Which execution of the declaration, from 1.
    pub occurrence: u64,
}

/// Steps, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    first: Vec<Step>,
    last: VecDeque<Step>,
    /// How many between these were left out.
    pub left_out: u64,
    /// What the loops did in those.
    pub tallies: Tallies,
}

impl Steps {
    /// Those at the beginning; others may be left out behind them.
    pub fn first(&self) -> &[Step] {
        &self.first
    }

    /// Those at the end.
    pub fn last(&self) -> impl Iterator<Item = &Step> {
        self.last.iter()
    }

    /// All that are kept.
    pub fn iter(&self) -> impl Iterator<Item = &Step> {
        self.first.iter().chain(&self.last)
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    fn push(&mut self, step: Step) {
        if self.first.len() < FIRST {
            self.first.push(step);
            return;
        }
        self.last.push_back(step);
        if self.last.len() > LAST
            && let Some(old) = self.last.pop_front()
        {
            self.left_out += 1;
            self.tallies.add_step(&old);
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Step {
    /// An input was read.
    Input {
        /// Its number, from 0.
        index: u64,
        /// Where the user's program reads it.
        span: Option<Span>,
        /// The variable that it goes to.
        name: Option<String>,
    },
    /// One of several ways was taken.
    Decision {
        /// The function.
        function: FunctionId,
        /// From the block that decides.
        edge: Edge,
    },
    /// A loop was visited.
    Loop(Box<Visit>),
    /// A function was called.
    Call(Box<Called>),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Called {
    /// The function.
    pub function: FunctionId,
    /// Where it was called.
    pub span: Option<Span>,
    /// What happened in it.
    pub steps: Steps,
    /// Whether it came back.
    pub returned: bool,
}

/// A visit of a loop.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The loop.
    pub key: LoopKey,
    /// How many back edges were taken.
    pub iterations: u64,
    /// Along which paths.
    pub runs: Runs,
    /// How many inputs these iterations read, and the number of the first.
    pub inputs: (u64, u64),
    /// What the loops in these iterations did.
    pub within: Tallies,
    /// Iterations that were gone over by a closed form.
    pub skipped: Vec<Skipped>,
    /// What happened in the iteration that did not come back to the header.
    pub rest: Steps,
    /// How it was left; `None` if the run ended in it.
    pub left: Option<Edge>,
}

/// Iterations that were gone over by a closed form: what it says of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// How many.
    pub iterations: Integer,
    /// What was repeated, in this order; empty if that is not known.
    pub parts: Vec<Stretch>,
    /// Variables of which nobody knows what they hold behind these: nothing reads them.
    pub lost: Vec<LocalId>,
}

/// A part of what a closed form goes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// Iterations of one path, by the edges that it takes.
    Path {
        /// The edges in the function of the loop.
        edges: Vec<Edge>,
        /// How often.
        times: Integer,
    },
    /// A round of several.
    Round {
        /// One round.
        parts: Vec<Stretch>,
        /// How often.
        times: Integer,
    },
}

/// What a loop did over several visits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often it was entered.
    pub visits: u64,
    /// How many iterations there were.
    pub iterations: u64,
    /// The fewest of one visit.
    pub fewest: u64,
    /// The most of one visit.
    pub most: u64,
    /// How often each path was taken.
    pub paths: BTreeMap<PathNumber, u64>,
}

/// What loops did over several visits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// By loop.
    pub loops: BTreeMap<LoopKey, Tally>,
}

impl Tallies {
    /// Counts what is in another.
    pub fn add(&mut self, other: &Tallies) {
        for (key, more) in &other.loops {
            let own = self.loops.entry(*key).or_default();
            own.fewest = if own.visits == 0 { more.fewest } else { own.fewest.min(more.fewest) };
            own.most = own.most.max(more.most);
            own.visits += more.visits;
            own.iterations += more.iterations;
            for (path, times) in &more.paths {
                *own.paths.entry(*path).or_default() += times;
            }
        }
    }

    /// Counts a step and all that happened in it.
    pub fn add_step(&mut self, step: &Step) {
        let mut open = vec![step];
        while let Some(step) = open.pop() {
            match step {
                Step::Input { .. } | Step::Decision { .. } => {}
                Step::Call(called) => {
                    self.add(&called.steps.tallies);
                    open.extend(called.steps.iter());
                }
                Step::Loop(visit) => {
                    self.add_visit(visit);
                    self.add(&visit.rest.tallies);
                    open.extend(visit.rest.iter());
                }
            }
        }
    }

    /// Counts a visit without what happened in its last iteration.
    fn add_visit(&mut self, visit: &Visit) {
        let own = Tally {
            visits: 1,
            iterations: visit.iterations,
            fewest: visit.iterations,
            most: visit.iterations,
            paths: visit.runs.totals(),
        };
        let loops = BTreeMap::from([(visit.key, own)]);
        self.add(&Tallies { loops });
        self.add(&visit.within);
    }
}

impl Story {
    /// What all loops did in the whole run.
    pub fn tallies(&self) -> Tallies {
        let mut all = self.steps.tallies.clone();
        for step in self.steps.iter() {
            all.add_step(step);
        }
        all
    }
}

#[cfg(test)]
mod tests;
