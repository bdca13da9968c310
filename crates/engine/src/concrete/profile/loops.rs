//! What is counted for one loop.

use super::Visit;
use super::paths::{PathLimits, Paths, Step};
use super::shape::Shape;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::program::BlockId;

/// What one loop did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopProfile {
    /// Its header.
    pub header: BlockId,
    /// How many visits there were: how often it was entered from outside.
    pub entries: u64,
    /// How many back edges were taken, over all visits.
    pub iterations: u64,
    /// The iterations of one visit, over the visits that ended at an exit; `None` if none did.
    pub completed: Option<IterationRange>,
    /// The most iterations of any visit, those that were stopped included.
    pub most: u64,
    /// How many visits ended with the run. After [`finish`](super::Profile::finish) all others
    /// have ended at an exit.
    pub stopped: u64,
    /// Its exits by source and then by target.
    pub exits: Vec<ExitProfile>,
    /// Its iteration paths in the order in which they were first completed.
    pub paths: Vec<PathProfile>,
    /// How many iterations went along other paths, which the [limits](PathLimits) left out.
    pub other_iterations: u64,
    /// Its exit paths in the order in which they were first completed. Where the run stopped in
    /// several calls at once, the innermost comes first.
    pub exit_paths: Vec<ExitPathProfile>,
    /// How many visits ended along other paths, which the [limits](PathLimits) left out.
    pub other_exits: u64,
}

/// The numbers of iterations that some visits had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterationRange {
    /// The smallest.
    pub fewest: u64,
    /// The largest.
    pub most: u64,
}

impl IterationRange {
    /// Makes `range` contain `iterations`.
    pub(super) fn include(range: &mut Option<IterationRange>, iterations: u64) {
        let old = range.unwrap_or(IterationRange { fewest: iterations, most: iterations });
        let (fewest, most) = (old.fewest.min(iterations), old.most.max(iterations));
        *range = Some(IterationRange { fewest, most });
    }
}

/// How often a loop was left along one of its exits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitProfile {
    /// The edge.
    pub edge: Edge,
    /// How many visits ended here.
    pub count: u64,
    /// How many iterations those visits had; `None` if there was no such visit.
    pub iterations: Option<IterationRange>,
}

/// An iteration path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathProfile {
    /// Its blocks from the header to the one before the back edge; an inner loop is its header.
    pub blocks: Vec<BlockId>,
    /// How many iterations went along it, over all visits.
    pub count: u64,
    /// The same within the one visit that took it most often.
    pub most: u64,
}

/// An exit path: the end of a visit, which each visit has at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitPathProfile {
    /// Its blocks from the header on; an inner loop is its header.
    pub blocks: Vec<BlockId>,
    /// The edge that it leaves along, which may start within an inner loop; `None` where the run
    /// stopped in the last of the blocks, as an error exit does.
    pub exit: Option<Edge>,
    /// How many visits ended along it.
    pub count: u64,
}

/// The counters of a loop.
pub(super) struct LoopCounters {
    header: BlockId,
    entries: u64,
    iterations: u64,
    completed: Option<IterationRange>,
    most: u64,
    stopped: u64,
    /// How many visits have not ended yet.
    open: u64,
    paths: Paths,
}

impl LoopCounters {
    pub(super) fn new(header: BlockId) -> Self {
        LoopCounters {
            header,
            entries: 0,
            iterations: 0,
            completed: None,
            most: 0,
            stopped: 0,
            open: 0,
            paths: Paths::new(header),
        }
    }

    /// Begins a visit and gives its [`undo_from`](Visit::undo_from).
    pub(super) fn open(&mut self) -> usize {
        self.entries += 1;
        self.open += 1;
        self.paths.undo_position()
    }

    /// The visit goes on to another block of the loop that is not its header, or to the header of
    /// an inner loop.
    #[inline]
    pub(super) fn step(&mut self, visit: &mut Visit, block: BlockId, limits: PathLimits) {
        visit.path = visit.path.and_then(|path| self.paths.step(path, block, limits));
    }

    /// The visit takes a back edge.
    #[inline]
    pub(super) fn iterate(&mut self, visit: &mut Visit, limits: PathLimits) {
        self.iterations += 1;
        visit.iterations += 1;
        self.most = self.most.max(visit.iterations);
        self.paths.iterate(visit, self.open > 1, limits);
        visit.path = Some(Step::START);
    }

    /// The visit ends at an exit, an index into [`Shape::exits`].
    pub(super) fn exit(&mut self, visit: &Visit, exit: u32, limits: PathLimits) {
        self.open -= 1;
        IterationRange::include(&mut self.completed, visit.iterations);
        self.paths.end(visit, Some(exit), limits);
    }

    /// The visit ends with the run.
    pub(super) fn stop(&mut self, visit: &Visit, limits: PathLimits) {
        self.open -= 1;
        self.stopped += 1;
        self.paths.end(visit, None, limits);
    }

    pub(super) fn profile(&self, shape: &Shape, exits: Vec<ExitProfile>) -> LoopProfile {
        LoopProfile {
            header: self.header,
            entries: self.entries,
            iterations: self.iterations,
            completed: self.completed,
            most: self.most,
            stopped: self.stopped,
            exits,
            paths: self.paths.iteration_profiles(),
            other_iterations: self.paths.other_iterations,
            exit_paths: self.paths.exit_profiles(shape),
            other_exits: self.paths.other_exits,
        }
    }
}
