//! Counts by definition, from the complete trace.

use super::super::*;
use crate::concrete::{Concrete, Memory, Options, Positions};
use crate::semantics::{Control, Event, Machine};
use loupe_ir::program::TerminatorKind;
use loupe_ir::source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Remembers everything.
#[derive(Default)]
pub(super) struct Recorder {
    calls: Vec<Trace>,
    /// The calls that have not returned.
    open: Vec<usize>,
    time: usize,
}

/// The blocks of one call with the times at which they were entered.
struct Trace {
    function: FunctionId,
    depth: usize,
    blocks: Vec<(usize, BlockId)>,
}

impl Observer for Recorder {
    fn called(&mut self, function: FunctionId) {
        self.time += 1;
        let blocks = vec![(self.time, BlockId(0))];
        self.open.push(self.calls.len());
        self.calls.push(Trace { function, depth: self.open.len(), blocks });
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.time += 1;
        let call = &mut self.calls[*self.open.last().expect("an open call")];
        assert_eq!(call.function, function);
        assert_eq!(call.blocks.last().map(|(_, block)| *block), Some(from));
        call.blocks.push((self.time, to));
    }

    fn returned(&mut self) {
        self.open.pop();
    }
}

/// A piece of a visit: from the header to the next header, or to the end of the visit.
struct Piece {
    visit: usize,
    /// When it was complete.
    time: usize,
    blocks: Vec<BlockId>,
    end: PieceEnd,
}

#[derive(PartialEq)]
enum PieceEnd {
    Header,
    Exit(Edge),
    Stop,
}

impl Recorder {
    fn traces(&self, function: FunctionId) -> impl Iterator<Item = &Trace> {
        self.calls.iter().filter(move |trace| trace.function == function)
    }

    pub(super) fn calls(&self, function: FunctionId) -> u64 {
        self.traces(function).count() as u64
    }

    pub(super) fn block_counts(&self, program: &Program, function: FunctionId) -> Vec<u64> {
        let mut counts = vec![0; program.function(function).blocks.len()];
        for (_, block) in self.traces(function).flat_map(|trace| &trace.blocks) {
            counts[block.index()] += 1;
        }
        counts
    }

    /// How often an edge leads into the loop, and how often a call starts in it.
    pub(super) fn visits(&self, function: FunctionId, forest: &LoopForest, id: LoopId) -> u64 {
        let starts = self.traces(function).map(|trace| {
            let inside = |at: usize| forest.contains(id, trace.blocks[at].1);
            let starts = |at: &usize| inside(*at) && (*at == 0 || !inside(at - 1));
            (0..trace.blocks.len()).filter(starts).count() as u64
        });
        starts.sum()
    }

    /// The pieces of all visits in the order in which they were complete.
    fn pieces(&self, function: FunctionId, forest: &LoopForest, id: LoopId) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut visit = 0;
        for trace in self.traces(function) {
            let mut current: Option<Vec<BlockId>> = None;
            let mut before = None;
            for (time, block) in &trace.blocks {
                let header = *block == forest.get(id).header;
                let inside = forest.contains(id, *block);
                let edge = before.map(|from| Edge { from, to: *block });
                if let (Some(blocks), Some(edge), true) = (&mut current, edge, header || !inside) {
                    let blocks = contract(forest, id, &std::mem::take(blocks));
                    let end = if header { PieceEnd::Header } else { PieceEnd::Exit(edge) };
                    pieces.push(Piece { visit, time: *time, blocks, end });
                }
                if inside {
                    current.get_or_insert_default().push(*block);
                } else if current.take().is_some() {
                    visit += 1;
                }
                before = Some(*block);
            }
            if let Some(blocks) = current {
                let blocks = contract(forest, id, &blocks);
                let time = usize::MAX - trace.depth;
                pieces.push(Piece { visit, time, blocks, end: PieceEnd::Stop });
                visit += 1;
            }
        }
        pieces.sort_by_key(|piece| piece.time);
        pieces
    }

    pub(super) fn loop_profile(
        &self,
        function: FunctionId,
        forest: &LoopForest,
        id: LoopId,
    ) -> LoopProfile {
        let pieces = self.pieces(function, forest, id);
        let is_iteration = |piece: &&Piece| piece.end == PieceEnd::Header;
        let iterations_of = |visit: usize| {
            pieces.iter().filter(is_iteration).filter(|piece| piece.visit == visit).count() as u64
        };
        let ends = |wanted: Option<Edge>| {
            let ends = pieces.iter().filter(move |piece| match piece.end {
                PieceEnd::Header => false,
                PieceEnd::Exit(edge) => wanted.is_none_or(|wanted| edge == wanted),
                PieceEnd::Stop => false,
            });
            ends.map(|piece| iterations_of(piece.visit)).collect::<Vec<_>>()
        };
        let mut exits = forest.get(id).exits.clone();
        exits.sort();
        let exits = exits.into_iter().map(|edge| {
            let visits = ends(Some(edge));
            ExitProfile { edge, count: visits.len() as u64, iterations: range(&visits) }
        });
        let visits = pieces.iter().map(|piece| piece.visit).max().map_or(0, |visit| visit + 1);
        LoopProfile {
            header: forest.get(id).header,
            entries: visits as u64,
            iterations: pieces.iter().filter(is_iteration).count() as u64,
            completed: range(&ends(None)),
            most: (0..visits).map(iterations_of).max().unwrap_or(0),
            stopped: pieces.iter().filter(|p| p.end == PieceEnd::Stop).count() as u64,
            exits: exits.collect(),
            paths: paths(&pieces),
            other_iterations: 0,
            exit_paths: exit_paths(&pieces),
            other_exits: 0,
        }
    }

    /// Without lines.
    pub(super) fn coverage(&self, program: &Program) -> Coverage {
        let mut coverage = Coverage::default();
        for (id, function) in program.functions() {
            let traces = || self.traces(id).map(|trace| &trace.blocks);
            let taken: BTreeSet<(BlockId, BlockId)> =
                traces().flat_map(|blocks| blocks.windows(2).map(|w| (w[0].1, w[1].1))).collect();
            let entered: BTreeSet<BlockId> = traces().flatten().map(|(_, block)| *block).collect();
            let reachable = reachable(function);
            let branches: BTreeSet<(BlockId, BlockId)> = reachable
                .iter()
                .filter(|block| {
                    let kind = &function.block(**block).terminator.kind;
                    matches!(kind, TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. })
                })
                .flat_map(|from| {
                    let kind = &function.block(*from).terminator.kind;
                    kind.successors().map(|to| (*from, to))
                })
                .collect();
            coverage.functions.total += 1;
            coverage.functions.covered += usize::from(!entered.is_empty());
            coverage.blocks.total += reachable.len();
            coverage.blocks.covered += entered.len();
            coverage.branches.total += branches.len();
            coverage.branches.covered += branches.intersection(&taken).count();
        }
        coverage
    }
}

/// Every stay in a loop directly in this one becomes the header of that loop.
fn contract(forest: &LoopForest, id: LoopId, blocks: &[BlockId]) -> Vec<BlockId> {
    let inner = |block: BlockId| {
        forest.get(id).children.iter().copied().find(|child| forest.contains(*child, block))
    };
    let mut path = Vec::new();
    let mut stay = None;
    for block in blocks {
        let inside = inner(*block);
        if inside.is_none() || inside != stay {
            path.push(inside.map_or(*block, |child| forest.get(child).header));
        }
        stay = inside;
    }
    path
}

fn range(iterations: &[u64]) -> Option<IterationRange> {
    let (fewest, most) = (iterations.iter().min()?, iterations.iter().max()?);
    Some(IterationRange { fewest: *fewest, most: *most })
}

fn paths(pieces: &[Piece]) -> Vec<PathProfile> {
    let mut found: Vec<PathProfile> = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.end == PieceEnd::Header) {
        if found.iter().any(|path| path.blocks == piece.blocks) {
            continue;
        }
        let mut by_visit: BTreeMap<usize, u64> = BTreeMap::new();
        let same = |other: &&Piece| other.end == PieceEnd::Header && other.blocks == piece.blocks;
        pieces.iter().filter(same).for_each(|other| *by_visit.entry(other.visit).or_default() += 1);
        found.push(PathProfile {
            blocks: piece.blocks.clone(),
            count: by_visit.values().sum(),
            most: by_visit.values().max().copied().unwrap_or(0),
        });
    }
    found
}

fn exit_paths(pieces: &[Piece]) -> Vec<ExitPathProfile> {
    let mut found: Vec<ExitPathProfile> = Vec::new();
    for piece in pieces {
        let exit = match piece.end {
            PieceEnd::Header => continue,
            PieceEnd::Exit(edge) => Some(edge),
            PieceEnd::Stop => None,
        };
        let blocks = piece.blocks.clone();
        match found.iter_mut().find(|path| path.blocks == blocks && path.exit == exit) {
            Some(path) => path.count += 1,
            None => found.push(ExitPathProfile { blocks, exit, count: 1 }),
        }
    }
    found
}

fn reachable(function: &Function) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::from([BlockId(0)]);
    let mut open = vec![BlockId(0)];
    while let Some(block) = open.pop() {
        let next = function.block(block).terminator.kind.successors();
        open.extend(next.filter(|next| found.insert(*next)));
    }
    found
}

type Lines = BTreeMap<FileId, BTreeMap<u32, bool>>;

/// The lines of a program, whether an instruction on them was executed, and how many instructions were: seen
/// step by step.
pub(super) fn lines(program: &Program, options: Options, max_steps: u64) -> (Lines, Tally) {
    let mut lines = Lines::new();
    let mut executed = BTreeSet::new();
    let mut instructions = Tally::default();
    for function in &program.functions {
        for block in reachable(function) {
            for at in 0..=function.block(block).instructions.len() {
                let span = span_at(function, block, at);
                lines.entry(span.file).or_default().insert(span.start.line, false);
                instructions.total += 1;
            }
        }
    }
    let domain = Concrete::new(&program.types, options);
    let mut machine = Machine::new(program, domain);
    let started = machine.start(Memory::new(program), Positions::default(), Vec::new());
    let Ok(mut state) = started else { return (lines, instructions) };
    for _ in 0..max_steps {
        let Some(frame) = state.frames.last() else { break };
        let span = span_at(program.function(frame.function), frame.block, frame.next);
        lines.entry(span.file).or_default().insert(span.start.line, true);
        executed.insert((frame.function, frame.block, frame.next));
        let next = match machine.advance(&mut state, &mut Decided, &mut 1) {
            Ok(Event::Branch { condition, then, otherwise }) => {
                if condition {
                    then
                } else {
                    otherwise
                }
            }
            Ok(Event::Switch { value, cases, default }) => {
                cases.iter().find(|(case, _)| *case == value).map_or(default, |(_, next)| *next)
            }
            Ok(Event::Paused | Event::Called | Event::Returned | Event::Output(_)) => continue,
            _ => break,
        };
        Machine::<Concrete>::enter(&mut state, next);
    }
    instructions.covered = executed.len();
    (lines, instructions)
}

struct Decided;

impl Control<Concrete> for Decided {
    fn decide(&mut self, condition: &bool) -> Option<bool> {
        Some(*condition)
    }

    fn edge(&mut self, _: FunctionId, _: BlockId, _: BlockId) {}
}

fn span_at(function: &Function, block: BlockId, at: usize) -> Span {
    let block = function.block(block);
    block.instructions.get(at).map_or(block.terminator.span, |instruction| instruction.span)
}
