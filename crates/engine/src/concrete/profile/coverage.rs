//! Which parts of a program were executed.
//!
//! Only blocks that can be reached from the entry of their function count; functions that are never
//! called count.

use super::Counters;
use loupe_ir::program::{Block, Function, TerminatorKind};
use loupe_ir::source::{FileId, Span};
use std::collections::BTreeMap;

/// How many of some things were executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// Those that were executed.
    pub covered: usize,
    /// All.
    pub total: usize,
}

impl Tally {
    fn add(&mut self, covered: bool) {
        self.covered += usize::from(covered);
        self.total += 1;
    }
}

/// What was executed of a function or of a program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Coverage {
    /// The functions that were called.
    pub functions: Tally,
    /// The blocks that were entered.
    pub blocks: Tally,
    /// The instructions that were executed; the terminator of a block is one.
    pub instructions: Tally,
    /// The edges of branches and switches that were taken. Two cases with the same block are one
    /// edge.
    pub branches: Tally,
    /// The lines on which an instruction or a terminator starts, and whether one of those on the
    /// line was executed. In a block that the run stopped in, only what stands before the stop was.
    pub lines: BTreeMap<FileId, BTreeMap<u32, bool>>,
}

impl Coverage {
    /// How many of the lines of a file were executed.
    pub fn file(&self, file: FileId) -> Tally {
        let mut tally = Tally::default();
        let lines = self.lines.get(&file);
        lines.into_iter().flatten().for_each(|(_, covered)| tally.add(*covered));
        tally
    }

    /// Adds what was executed of a function.
    pub(super) fn add(&mut self, function: &Function, counters: &Counters) {
        self.functions.add(counters.calls > 0);
        let counts = counters.block_counts();
        for id in counters.shape.graph.reverse_post_order() {
            let block = function.block(*id);
            let taken = &counters.edges[counters.shape.edges_from(*id)];
            self.blocks.add(counts[id.index()] > 0);
            if let TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } =
                &block.terminator.kind
            {
                taken.iter().for_each(|count| self.branches.add(*count > 0));
            }
            // Who leaves along an edge has executed the whole block.
            let left = taken.iter().any(|count| *count > 0);
            let executed = if left { usize::MAX } else { counters.executed[id.index()] };
            let instructions = block.instructions.len() + 1;
            self.instructions.covered += executed.min(instructions);
            self.instructions.total += instructions;
            self.add_lines(block, executed);
        }
    }

    fn add_lines(&mut self, block: &Block, executed: usize) {
        let instructions = block.instructions.iter().map(|instruction| instruction.span);
        let spans = instructions.chain([block.terminator.span]);
        for (position, Span { file, start, .. }) in spans.enumerate() {
            let lines = self.lines.entry(file).or_default();
            *lines.entry(start.line).or_default() |= position < executed;
        }
    }
}
