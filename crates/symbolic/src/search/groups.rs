//! Waiting states, grouped by their stacks of calls, with weights by their distance to what is not covered.
//!
//! States with the same stack have the same distance. Stacks share their outer calls in a tree, so that a
//! distance that changes is computed once for all states it matters to, and those it does not matter to cost
//! nothing.

use super::distance::Distances;
use super::flow::{Flow, Point, UNREACHABLE};
use super::generator::Generator;
use super::weights::Weights;
use super::{Location, StateKey, Waiting, work};
use loupe_ir::program::{BlockId, FunctionId, Program};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The weight of a state at distance 1; that at distance d has 1/d of it, exactly if d ≤ 20. There is room for
/// the weights of 2³² states in a number of 64 bits.
pub(super) const UNIT: u64 = 16 * 232_792_560;

/// The weight of a state from which nothing uncovered can be reached.
const HOPELESS: u64 = 1;

fn weight(distance: u64) -> u64 {
    if distance == UNREACHABLE { HOPELESS } else { (UNIT / distance.max(1)).max(HOPELESS) }
}

/// A call on stacks, with all calls outside of it.
#[derive(Debug, Default)]
struct Call {
    /// The call outside; that of an outermost call is [`OUTSIDE`].
    caller: usize,
    /// How many are outside.
    depth: usize,
    place: Option<Location>,
    distance: u64,
    /// The calls right inside.
    inner: BTreeSet<usize>,
    /// The states whose innermost call this is.
    states: Vec<StateKey>,
}

/// Stands for what called the program: nothing is reached after the return to it.
const OUTSIDE: usize = 0;

/// Waiting states with weights.
#[derive(Debug)]
pub(super) struct Groups {
    distances: Distances,
    calls: Vec<Call>,
    free: Vec<usize>,
    /// The calls by their callers and places.
    numbers: FxHashMap<(usize, Location), usize>,
    /// The calls whose distance depends on that of a point.
    at_point: BTreeMap<Point, BTreeSet<usize>>,
    /// Of all states of a call together.
    weights: Weights,
    /// The call and the position in its list of each waiting state.
    homes: FxHashMap<StateKey, (usize, usize)>,
}

impl Groups {
    /// No states; nothing is covered.
    pub(super) fn new(program: &Program) -> Self {
        let flow = Flow::new(program, &[]);
        let goals: Vec<Point> = flow.starts().collect();
        Groups {
            distances: Distances::new(flow, goals.into_iter()),
            calls: vec![Call { distance: UNREACHABLE, ..Call::default() }],
            free: Vec::new(),
            numbers: FxHashMap::default(),
            at_point: BTreeMap::new(),
            weights: Weights::new(),
            homes: FxHashMap::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.homes.len()
    }

    pub(super) fn covered(&mut self, function: FunctionId, block: BlockId) {
        if let Some((start, _)) = self.distances.flow().point(Location { function, block, next: 0 })
        {
            self.distances.drop_goal(start);
        }
    }

    pub(super) fn add(&mut self, waiting: &Waiting) {
        if self.homes.contains_key(&waiting.key) {
            return;
        }
        let call = waiting.stack.iter().fold(OUTSIDE, |caller, place| self.call(caller, *place));
        let states = &mut self.calls[call].states;
        self.homes.insert(waiting.key, (call, states.len()));
        states.push(waiting.key);
        self.weigh(call);
    }

    pub(super) fn remove(&mut self, key: StateKey) {
        let Some((call, position)) = self.homes.remove(&key) else { return };
        let states = &mut self.calls[call].states;
        states.swap_remove(position);
        if let Some(moved) = states.get(position) {
            self.homes.insert(*moved, (call, position));
        }
        self.weigh(call);
        self.release(call);
    }

    /// A state, with a probability proportional to its weight.
    pub(super) fn choose(&mut self, generator: &mut Generator) -> Option<StateKey> {
        self.update();
        let total = self.weights.total();
        if total == 0 {
            return None;
        }
        let (call, point) = self.weights.find(generator.below(total));
        let Call { distance, states, .. } = &self.calls[call];
        states.get((point / weight(*distance)) as usize).copied()
    }

    /// The number of a call; it gets one if it has none.
    fn call(&mut self, caller: usize, place: Location) -> usize {
        if let Some(number) = self.numbers.get(&(caller, place)) {
            return *number;
        }
        let number = self.free.pop().unwrap_or(self.calls.len());
        let Call { depth, distance: outside, .. } = self.calls[caller];
        let call = Call {
            caller,
            depth: depth + 1,
            place: Some(place),
            distance: self.distances.of_call(place, outside),
            ..Call::default()
        };
        if number == self.calls.len() {
            self.calls.push(call);
        } else {
            self.calls[number] = call;
        }
        self.calls[caller].inner.insert(number);
        self.numbers.insert((caller, place), number);
        if let Some((point, _)) = self.distances.flow().point(place) {
            self.at_point.entry(point).or_default().insert(number);
        }
        number
    }

    /// Forgets a call that no waiting state has on its stack, and then perhaps those outside of it.
    fn release(&mut self, mut call: usize) {
        while let Call { caller, place: Some(place), states, inner, .. } = &self.calls[call]
            && states.is_empty()
            && inner.is_empty()
        {
            work::tick();
            let (caller, place) = (*caller, *place);
            self.numbers.remove(&(caller, place));
            if let Some((point, _)) = self.distances.flow().point(place)
                && let Some(calls) = self.at_point.get_mut(&point)
            {
                calls.remove(&call);
            }
            self.calls[caller].inner.remove(&call);
            self.free.push(call);
            call = caller;
        }
    }

    fn weigh(&mut self, call: usize) {
        let Call { distance, states, .. } = &self.calls[call];
        self.weights.set(call, weight(*distance) * states.len() as u64);
    }

    /// Brings weights up to date with what was covered. The calls outside come first, so that none is
    /// looked at twice.
    fn update(&mut self) {
        let mut open = BTreeSet::new();
        for point in self.distances.update() {
            let calls = self.at_point.get(&point).into_iter().flatten();
            open.extend(calls.map(|call| (self.calls[*call].depth, *call)));
        }
        while let Some((depth, number)) = open.pop_first() {
            work::tick();
            let Call { caller, place, distance, .. } = self.calls[number];
            let Some(place) = place else { continue };
            let updated = self.distances.of_call(place, self.calls[caller].distance);
            if updated != distance {
                self.calls[number].distance = updated;
                open.extend(self.calls[number].inner.iter().map(|inner| (depth + 1, *inner)));
                self.weigh(number);
            }
        }
    }
}

/// What tests want to see.
#[cfg(test)]
impl Groups {
    pub(super) fn total(&self) -> u64 {
        self.weights.total()
    }

    pub(super) fn distance(&self, key: StateKey) -> Option<u64> {
        Some(self.calls[self.homes.get(&key)?.0].distance)
    }

    /// How many calls are known, the outside aside, and how many are known by points.
    pub(super) fn calls(&self) -> (usize, usize) {
        let by_point = self.at_point.values().map(BTreeSet::len).sum();
        (self.calls.len() - self.free.len() - 1, by_point)
    }
}
