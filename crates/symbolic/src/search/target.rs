//! `target`: the state that is nearest to given places, by the distance that [`coverage`](super::coverage)
//! uses; the oldest of several, and states that cannot reach any of the places last. What has had many turns, with those before it that it came from, counts as further away: the way may lead round and round
//! in a loop that nobody leaves.
//!
//! The thesis has no such strategy. "Cannot reach" is what the flowgraph says, where a computed call leads to
//! functions whose address is taken; such states wait all the same.

use super::distance::Distances;
use super::flow::{Flow, Point, UNREACHABLE};
use super::ranked::Ranked;
use super::{Location, Search, StateKey, Waiting};
use loupe_ir::analysis::location::steps;
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_ir::source::{FileId, Span};
use rustc_hash::FxHashMap;

/// The strategy `target`.
#[derive(Debug)]
pub(super) struct Target {
    reach: Reach,
    states: Ranked<u64>,
    /// How many turns a state has had, those of the states that it came from included.
    turns: FxHashMap<StateKey, u64>,
}

/// A turn is worth so many steps.
const STEPS_OF_A_TURN: u64 = 16;

/// Which of some places can be reached from where.
#[derive(Debug)]
pub(crate) struct Reach {
    distances: Distances,
}

impl Reach {
    pub(crate) fn new(program: &Program, places: &[Location]) -> Self {
        let flow = Flow::new(program, places);
        let points = places.iter().filter_map(|place| flow.point(*place));
        let goals: Vec<Point> = points.map(|(point, _)| point).collect();
        Reach { distances: Distances::new(flow, goals.into_iter()) }
    }

    /// How far it is to the nearest place.
    fn distance(&self, stack: &[Location]) -> u64 {
        stack.iter().fold(UNREACHABLE, |outside, place| self.distances.of_call(*place, outside))
    }

    /// Whether the flowgraph has a way to one of the places.
    pub(crate) fn is_possible(&self, stack: &[Location]) -> bool {
        let is_known = |place: &Location| self.distances.flow().point(*place).is_some();
        !stack.iter().all(is_known) || self.distance(stack) != UNREACHABLE
    }
}

impl Target {
    pub(super) fn new(program: &Program, targets: &[Location]) -> Self {
        let reach = Reach::new(program, targets);
        Target { reach, states: Ranked::default(), turns: FxHashMap::default() }
    }
}

impl Search for Target {
    fn forked(&mut self, parent: StateKey, child: StateKey) {
        if let Some(turns) = self.turns.get(&parent).copied() {
            self.turns.insert(child, turns);
        }
    }

    fn add(&mut self, waiting: Waiting) {
        let turns = self.turns.get(&waiting.key).copied().unwrap_or(0);
        let distance = self.reach.distance(&waiting.stack);
        let worth = turns.saturating_mul(STEPS_OF_A_TURN);
        self.states.add(waiting.key, distance.saturating_add(worth));
    }

    fn pick(&mut self) -> Option<StateKey> {
        let key = self.states.pop_first()?;
        *self.turns.entry(key).or_default() += 1;
        Some(key)
    }

    fn ended(&mut self, key: StateKey) {
        self.turns.remove(&key);
        self.states.remove(key);
    }

    fn covered(&mut self, _: FunctionId, _: BlockId) {}

    fn len(&self) -> usize {
        self.states.len()
    }
}

/// What belongs to a line of the source: the instructions and terminators that start on it; if there are
/// none, those that go on over it.
pub fn places_of_line(program: &Program, file: FileId, line: u32) -> Vec<Location> {
    let starting = places_starting_in(program, file, line);
    if !starting.is_empty() {
        return starting;
    }
    places(program, |span| span.file == file && (span.start.line..=span.end.line).contains(&line))
}

/// The instructions and terminators that start on a line.
pub fn places_starting_in(program: &Program, file: FileId, line: u32) -> Vec<Location> {
    places(program, |span| span.file == file && span.start.line == line)
}

fn places(program: &Program, belongs: impl Fn(Span) -> bool) -> Vec<Location> {
    let mut places = Vec::new();
    for (function, content) in program.functions() {
        for (block, _) in content.blocks() {
            let found = steps(content, block).filter(|(_, step)| belongs(step.span()));
            places.extend(found.map(|(at, _)| Location {
                function,
                block,
                next: at.index as usize,
            }));
        }
    }
    places
}

#[cfg(test)]
mod tests;
