//! The paths of one loop: a tree of their beginnings, and how often each was taken.
//!
//! How often a path was taken within one visit is kept at the path itself, together with the visit
//! that this number belongs to. Visits of one loop can be open at the same time, by recursion, but
//! then the one that began last ends first: what it replaced is noted and put back at its end.

use super::{ExitPathProfile, PathProfile, Visit, shape::Shape};
use loupe_ir::program::BlockId;
use std::collections::HashMap;

/// How many paths are told apart. What is beyond is counted in one number, so that a program with
/// too many paths needs no more memory than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathLimits {
    /// How many iteration paths of a loop, and how many exit paths.
    pub paths: usize,
    /// How many different beginnings of its paths.
    pub beginnings: usize,
}

impl Default for PathLimits {
    fn default() -> Self {
        PathLimits { paths: 10_000, beginnings: 1 << 18 }
    }
}

/// The beginning of a path, as an index into the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step(u32);

impl Step {
    /// The header alone.
    pub(super) const START: Step = Step(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

struct Node {
    parent: Option<Step>,
    block: BlockId,
    /// The continuation that was taken last: most are taken again.
    last: Option<Step>,
    /// The iteration path that ends here.
    path: Option<u32>,
}

struct IterationPath {
    end: Step,
    count: u64,
    most: u64,
    /// The visit that took it last, and how often that visit has taken it.
    visit: u64,
    within_visit: u64,
}

struct ExitPath {
    end: Step,
    exit: Option<u32>,
    count: u64,
}

/// What a visit found at a path when it took it for the first time.
struct Replaced {
    path: u32,
    visit: u64,
    within_visit: u64,
}

/// The paths of one loop.
pub(super) struct Paths {
    nodes: Vec<Node>,
    children: HashMap<(Step, BlockId), Step>,
    iteration_paths: Vec<IterationPath>,
    exit_paths: Vec<ExitPath>,
    exit_numbers: HashMap<(Step, Option<u32>), usize>,
    replaced: Vec<Replaced>,
    /// Iterations along paths beyond the limits.
    pub(super) other_iterations: u64,
    /// Ends of visits along paths beyond the limits.
    pub(super) other_exits: u64,
}

impl Paths {
    pub(super) fn new(header: BlockId) -> Self {
        Paths {
            nodes: vec![Node { parent: None, block: header, last: None, path: None }],
            children: HashMap::new(),
            iteration_paths: Vec::new(),
            exit_paths: Vec::new(),
            exit_numbers: HashMap::new(),
            replaced: Vec::new(),
            other_iterations: 0,
            other_exits: 0,
        }
    }

    /// The path that goes on to `block`.
    #[inline]
    pub(super) fn step(&mut self, from: Step, block: BlockId, limits: PathLimits) -> Option<Step> {
        if let Some(last) = self.nodes[from.index()].last
            && self.nodes[last.index()].block == block
        {
            return Some(last);
        }
        let next = match self.children.get(&(from, block)) {
            Some(next) => *next,
            None if self.nodes.len() >= limits.beginnings => return None,
            None => {
                let next = Step(u32::try_from(self.nodes.len()).ok()?);
                self.nodes.push(Node { parent: Some(from), block, last: None, path: None });
                self.children.insert((from, block), next);
                next
            }
        };
        self.nodes[from.index()].last = Some(next);
        Some(next)
    }

    /// Where the notes of a visit that begins now start.
    pub(super) fn undo_position(&self) -> usize {
        self.replaced.len()
    }

    /// Counts an iteration; `nested` if another visit of this loop is open around this one.
    #[inline]
    pub(super) fn iterate(&mut self, visit: &Visit, nested: bool, limits: PathLimits) {
        let Some(number) = visit.path.and_then(|end| self.iteration_path(end, limits)) else {
            self.other_iterations += 1;
            return;
        };
        let path = &mut self.iteration_paths[number as usize];
        if path.visit != visit.serial {
            if nested {
                let (visit, within_visit) = (path.visit, path.within_visit);
                self.replaced.push(Replaced { path: number, visit, within_visit });
            }
            path.visit = visit.serial;
            path.within_visit = 0;
        }
        path.count += 1;
        path.within_visit += 1;
        path.most = path.most.max(path.within_visit);
    }

    #[inline]
    fn iteration_path(&mut self, end: Step, limits: PathLimits) -> Option<u32> {
        let known = &mut self.nodes[end.index()].path;
        if known.is_none() && self.iteration_paths.len() < limits.paths {
            *known = Some(u32::try_from(self.iteration_paths.len()).ok()?);
            let path = IterationPath { end, count: 0, most: 0, visit: 0, within_visit: 0 };
            self.iteration_paths.push(path);
        }
        *known
    }

    /// Ends a visit at an exit, an index into [`Shape::exits`], or without one.
    pub(super) fn end(&mut self, visit: &Visit, exit: Option<u32>, limits: PathLimits) {
        for old in self.replaced.drain(visit.undo_from..) {
            let path = &mut self.iteration_paths[old.path as usize];
            path.visit = old.visit;
            path.within_visit = old.within_visit;
        }
        let Some(end) = visit.path else {
            self.other_exits += 1;
            return;
        };
        if let Some(number) = self.exit_numbers.get(&(end, exit)) {
            self.exit_paths[*number].count += 1;
        } else if self.exit_paths.len() < limits.paths {
            self.exit_numbers.insert((end, exit), self.exit_paths.len());
            self.exit_paths.push(ExitPath { end, exit, count: 1 });
        } else {
            self.other_exits += 1;
        }
    }

    pub(super) fn iteration_profiles(&self) -> Vec<PathProfile> {
        let profile = |path: &IterationPath| PathProfile {
            blocks: self.blocks(path.end),
            count: path.count,
            most: path.most,
        };
        self.iteration_paths.iter().map(profile).collect()
    }

    pub(super) fn exit_profiles(&self, shape: &Shape) -> Vec<ExitPathProfile> {
        let profile = |path: &ExitPath| ExitPathProfile {
            blocks: self.blocks(path.end),
            exit: path.exit.map(|exit| shape.exits[exit as usize].edge),
            count: path.count,
        };
        self.exit_paths.iter().map(profile).collect()
    }

    fn blocks(&self, end: Step) -> Vec<BlockId> {
        let up = |step: &Step| self.nodes[step.index()].parent;
        let steps = std::iter::successors(Some(end), up);
        let mut blocks: Vec<_> = steps.map(|step| self.nodes[step.index()].block).collect();
        blocks.reverse();
        blocks
    }
}
