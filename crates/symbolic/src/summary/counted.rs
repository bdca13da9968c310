//! What numbers of iterations count, in words of the program.

use super::extract::Way;
use crate::loops::{LoopKey, Loops};
use loupe_ir::program::{BlockId, Program};
use loupe_ir::source::{Position, Span};
use loupe_loops::{End, Path};
use loupe_term::{Branch, Counted, Which};
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
    let mut places = Vec::new();
    for (path, way) in paths {
        let own = starts(program, (key, span), way);
        all.push(Counted {
            place: name.place.clone(),
            whose: name.words.clone(),
            line: span.start.line,
            column: span.start.column,
            path: (path.end == End::Again).then(|| numbers.next()).flatten(),
            lines: own.iter().map(|at| at.line).collect::<BTreeSet<u32>>().into_iter().collect(),
            branch: None,
            which: Which::All,
        });
        places.push(own);
    }
    for number in 0..all.len() {
        all[number].branch = branch(&all, &places, number);
    }
    all
}

/// What tells an iteration from others through the same lines.
fn branch(all: &[Counted], places: &[BTreeSet<Position>], number: usize) -> Option<Branch> {
    let own = &all[number];
    let is_alike = |(other, counted): &(usize, &Counted)| {
        *other != number && counted.path.is_some() && counted.lines == own.lines
    };
    let others: BTreeSet<Position> = (all.iter().enumerate().filter(is_alike))
        .flat_map(|(other, _)| places[other].iter().copied())
        .collect();
    if own.path.is_none() || others.is_empty() {
        return None;
    }
    let through = places[number].difference(&others).next();
    let around = || others.difference(&places[number]).next();
    match through {
        Some(at) => Some(Branch::Through(at.line, at.column)),
        None => around().map(|at| Branch::Around(at.line, at.column)),
    }
}

/// Where what a way goes through starts, in the function of the loop.
fn starts(
    program: &Program,
    ((function, _), span): (LoopKey, Span),
    way: &Way,
) -> BTreeSet<Position> {
    let code = program.function(function);
    let own = way.edges.iter().filter(|(whose, ..)| *whose == function);
    let blocks: BTreeSet<BlockId> = own.flat_map(|(_, from, to)| [*from, *to]).collect();
    let mut starts = BTreeSet::new();
    for block in blocks.into_iter().map(|block| code.block(block)) {
        let instructions = block.instructions.iter().map(|instruction| instruction.span);
        let here = instructions.chain([block.terminator.span]).filter(|at| at.file == span.file);
        starts.extend(here.map(|at| at.start));
    }
    starts
}
