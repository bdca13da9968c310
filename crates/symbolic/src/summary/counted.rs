//! What numbers of iterations count, in words of the program.

use super::extract::Way;
use crate::loops::{LoopKey, Loops};
use loupe_ir::program::{BlockId, Program};
use loupe_ir::source::Span;
use loupe_loops::{End, Path};
use loupe_term::{Counted, Which};
use std::collections::BTreeSet;

/// What a count of each path through a loop counts. Iterations are numbered; ways out have no number.
pub(super) fn counted<'w>(
    (program, loops): (&Program, &Loops),
    (key, span): (LoopKey, Span),
    paths: impl Iterator<Item = (&'w Path, &'w Way)>,
) -> Vec<Counted> {
    let Some(name) = loops.name(key) else { return Vec::new() };
    let mut numbers = 1..;
    let mut all = Vec::new();
    for (path, way) in paths {
        all.push(Counted {
            place: name.place.clone(),
            whose: name.words.clone(),
            line: span.start.line,
            column: span.start.column,
            path: (path.end == End::Again).then(|| numbers.next()).flatten(),
            lines: lines(program, (key, span), way).into_iter().collect(),
            which: Which::All,
        });
    }
    all
}

/// The lines that a way goes through, in the function of the loop.
fn lines(program: &Program, ((function, _), span): (LoopKey, Span), way: &Way) -> BTreeSet<u32> {
    let code = program.function(function);
    let own = way.edges.iter().filter(|(whose, ..)| *whose == function);
    let blocks: BTreeSet<BlockId> = own.flat_map(|(_, from, to)| [*from, *to]).collect();
    let mut lines = BTreeSet::new();
    for block in blocks.into_iter().map(|block| code.block(block)) {
        let instructions = block.instructions.iter().map(|instruction| instruction.span);
        let here = instructions.chain([block.terminator.span]).filter(|at| at.file == span.file);
        lines.extend(here.map(|at| at.start.line));
    }
    lines
}
