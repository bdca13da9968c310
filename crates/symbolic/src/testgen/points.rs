//! What there is to cover in functions of the user, and what a run has covered of it.
//!
//! The *points* are numbered: first the ways out of all branches, then the blocks (that they are entered),
//! then the blocks again (that they are left, and not by a failure in their middle). Only what can be
//! reached from the entry of its function counts, and models of library functions do not.

use fixedbitset::FixedBitSet;
use loupe_engine::concrete::{End, Observer, Run};
use loupe_integer::Integer;
use loupe_ir::analysis::graph::{Edge, FlowGraph};
use loupe_ir::program::{BlockId, Function, FunctionId, Program, Terminator, TerminatorKind};
use loupe_ir::source::Span;
use std::fmt;

/// When a way is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayKind {
    /// If the condition holds.
    True,
    /// If it does not.
    False,
    /// For some cases of a switch, and perhaps for all values that are no case.
    Cases {
        /// The cases.
        values: Vec<Integer>,
        /// Whether other values go the same way.
        others: bool,
    },
}

impl fmt::Display for WayKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WayKind::True => f.write_str("true"),
            WayKind::False => f.write_str("false"),
            WayKind::Cases { values, others } => {
                let mut words: Vec<String> = values.iter().map(|v| format!("case {v}")).collect();
                if *others {
                    words.push("default".to_owned());
                }
                f.write_str(&words.join(", "))
            }
        }
    }
}

/// A way out of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where the branch is.
    pub function: FunctionId,
    /// From its block to the next one.
    pub edge: Edge,
    /// When it is taken.
    pub kind: WayKind,
    /// The branch in the source.
    pub span: Span,
}

/// The points of a program.
#[derive(Debug)]
pub(super) struct Points {
    ways: Vec<Way>,
    /// By function, if it is the user's.
    functions: Vec<Option<FunctionPoints>>,
    /// How many blocks the user's functions have.
    blocks: usize,
}

#[derive(Debug)]
struct FunctionPoints {
    /// The number of the first block among those of all functions.
    first_block: usize,
    /// By block: where its ways lead, and their numbers.
    ways: Vec<Vec<(BlockId, usize)>>,
}

impl Points {
    pub(super) fn new(program: &Program) -> Self {
        let mut points = Points { ways: Vec::new(), functions: Vec::new(), blocks: 0 };
        for (id, function) in program.functions() {
            let is_users = program.sources.is_users(function.span)
                && !function.name.starts_with(Program::START);
            let of_function = is_users.then(|| points.function(id, function));
            points.functions.push(of_function);
        }
        points
    }

    fn function(&mut self, id: FunctionId, function: &Function) -> FunctionPoints {
        let first_block = self.blocks;
        self.blocks += function.blocks.len();
        let graph = FlowGraph::new(function);
        let mut ways = vec![Vec::new(); function.blocks.len()];
        // In the order of the blocks, which is that of the source, roughly.
        for (number, of_block) in ways.iter_mut().enumerate() {
            let from = BlockId(number as u32);
            if !graph.is_reachable(from) {
                continue;
            }
            let terminator = &function.block(from).terminator;
            for (to, kind) in ways_of(terminator) {
                of_block.push((to, self.ways.len()));
                let edge = Edge { from, to };
                self.ways.push(Way { function: id, edge, kind, span: terminator.span });
            }
        }
        FunctionPoints { first_block, ways }
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.ways.len() + 2 * self.blocks
    }

    /// The ways out of branches, which are the first points.
    pub(super) fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The functions of the user.
    pub(super) fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let all = (0..).map(FunctionId).zip(&self.functions);
        all.filter(|(_, points)| points.is_some()).map(|(id, _)| id)
    }

    fn of(&self, function: FunctionId) -> Option<&FunctionPoints> {
        self.functions.get(function.index())?.as_ref()
    }
}

/// The ways out of a block that has several.
fn ways_of(terminator: &Terminator) -> Vec<(BlockId, WayKind)> {
    match &terminator.kind {
        TerminatorKind::Branch { then, otherwise, .. } if then != otherwise => {
            vec![(*then, WayKind::True), (*otherwise, WayKind::False)]
        }
        TerminatorKind::Switch { cases, default, .. } => {
            let mut ways: Vec<(BlockId, Vec<Integer>)> = Vec::new();
            for (value, to) in cases {
                match ways.iter_mut().find(|(known, _)| known == to) {
                    Some((_, values)) => values.push(value.clone()),
                    None => ways.push((*to, vec![value.clone()])),
                }
            }
            if ways.iter().all(|(to, _)| to != default) {
                ways.push((*default, Vec::new()));
            }
            if ways.len() < 2 {
                return Vec::new();
            }
            let kind = |(to, values)| (to, WayKind::Cases { values, others: to == *default });
            ways.into_iter().map(kind).collect()
        }
        _ => Vec::new(),
    }
}

/// Watches a run.
pub(super) struct Trace<'t> {
    points: &'t Points,
    seen: FixedBitSet,
    /// The active calls and the blocks in which they are.
    calls: Vec<(FunctionId, BlockId)>,
}

impl<'t> Trace<'t> {
    pub(super) fn new(points: &'t Points) -> Self {
        let seen = FixedBitSet::with_capacity(points.len());
        Trace { points, seen, calls: Vec::new() }
    }

    /// What was covered; `run` is the run that was watched.
    pub(super) fn finish(mut self, run: &Run) -> FixedBitSet {
        // The return of the entry function is the end, which nobody announces.
        if matches!(run.end, End::Returned(_)) {
            self.returned();
        }
        self.seen
    }

    fn entered(&mut self, function: FunctionId, block: BlockId) {
        if let Some(points) = self.points.of(function) {
            self.seen.insert(self.points.ways.len() + points.first_block + block.index());
        }
    }

    fn left(&mut self, function: FunctionId, block: BlockId) {
        if let Some(points) = self.points.of(function) {
            let first = self.points.ways.len() + self.points.blocks + points.first_block;
            self.seen.insert(first + block.index());
        }
    }
}

impl Observer for Trace<'_> {
    fn called(&mut self, function: FunctionId) {
        self.calls.push((function, BlockId(0)));
        self.entered(function, BlockId(0));
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        if let Some((_, block)) = self.calls.last_mut() {
            *block = to;
        }
        let Some(points) = self.points.of(function) else {
            return;
        };
        let way = points.ways[from.index()].iter().find(|(known, _)| *known == to);
        if let Some((_, number)) = way {
            self.seen.insert(*number);
        }
        self.left(function, from);
        self.entered(function, to);
    }

    fn returned(&mut self) {
        if let Some((function, block)) = self.calls.pop() {
            self.left(function, block);
        }
    }
}
