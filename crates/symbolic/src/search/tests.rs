//! What all strategies have in common, and what picks cost.

use super::Strategy;
use super::testing::{PROGRAM, assert_likely, compile, entry, random_stack, starts, waiting};
use super::*;
use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use std::collections::BTreeSet;

fn all(program: &Program, seed: u64) -> Vec<(Strategy, Box<dyn Search>)> {
    let targets = places_of_line(program, loupe_ir::source::FileId(0), 11);
    assert!(!targets.is_empty());
    let make = |kind: &Strategy| (*kind, strategy(*kind, program, seed, &targets));
    Strategy::ALL.iter().map(make).collect()
}

#[test]
fn names_are_read_back() {
    for strategy in Strategy::ALL {
        assert_eq!(strategy.to_string().parse(), Ok(*strategy));
    }
    let error = "Bfs".parse::<Strategy>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no search strategy `Bfs`; \
         there are bfs, dfs, random, tree, coverage, klee, target"
    );
}

fn order(kind: Strategy, keys: &[u64]) -> Vec<u64> {
    let program = compile(PROGRAM);
    let mut search = strategy(kind, &program, 1, &[]);
    for key in keys {
        search.add(waiting(*key, &entry(&program)));
    }
    // A state that is there keeps its place, and one that waits may end.
    search.add(waiting(keys[0], &entry(&program)));
    search.ended(StateKey(keys[2]));
    std::iter::from_fn(|| search.pick()).map(|key| key.0).collect()
}

#[test]
fn the_oldest_and_the_newest() {
    assert_eq!(order(Strategy::Bfs, &[4, 2, 9, 7]), [4, 2, 7]);
    assert_eq!(order(Strategy::Dfs, &[4, 2, 9, 7]), [7, 2, 4]);
}

#[test]
fn all_states_are_equally_likely_for_random() {
    let program = compile("main() { return 0; }");
    let mut search = strategy(Strategy::Random, &program, 3, &[]);
    let mut counts = [0; 7];
    (0..7).for_each(|key| search.add(waiting(key, &entry(&program))));
    for _ in 0..7000 {
        let key = search.pick().unwrap().0;
        counts[key as usize] += 1;
        search.add(waiting(key, &entry(&program)));
    }
    assert_likely(&counts, &[1.0; 7]);
}

#[test]
fn klee_takes_turns() {
    // The tree halves what a fork shares; coverage sees one state near to something, and many with nothing.
    let program = compile("main() { return 0; }");
    let mut firsts = [0; 2];
    for seed in 0..200 {
        let mut search = strategy(Strategy::Klee, &program, seed, &[]);
        search.add(waiting(0, &[]));
        assert_eq!(search.pick(), Some(StateKey(0)));
        (1..=100).for_each(|child| search.forked(StateKey(0), StateKey(child)));
        (1..100).for_each(|child| search.add(waiting(child, &[])));
        search.add(waiting(100, &entry(&program)));
        // It is coverage's turn.
        assert_eq!(search.pick(), Some(StateKey(100)));
        search.forked(StateKey(100), StateKey(101));
        search.add(waiting(101, &entry(&program)));
        firsts[usize::from(search.pick() == Some(StateKey(101)))] += 1;
    }
    assert!(firsts[0] > 180, "the tree does not know that 101 is near something: {firsts:?}");
}

/// What a driver may do.
#[derive(Clone, Debug)]
enum Call {
    /// Picks a state, which forks into so many; they are added, or end at once.
    Fork(usize),
    /// Picks a state, which forks into so many and waits again.
    ForkAndWait(usize),
    /// Picks a state, which ends.
    End,
    /// A waiting state ends.
    EndWaiting(prop::sample::Index),
    Cover(prop::sample::Index),
    /// Mistakes, which must change nothing: states that are not known, places that do not exist.
    Nonsense(u64),
    AddAgain(prop::sample::Index),
}

fn calls() -> impl proptest::strategy::Strategy<Value = Vec<Call>> {
    let call = prop_oneof![
        6 => (0..5_usize).prop_map(Call::Fork),
        1 => (0..3_usize).prop_map(Call::ForkAndWait),
        2 => Just(Call::End),
        1 => any::<prop::sample::Index>().prop_map(Call::EndWaiting),
        2 => any::<prop::sample::Index>().prop_map(Call::Cover),
        1 => (1000..1010_u64).prop_map(Call::Nonsense),
        1 => any::<prop::sample::Index>().prop_map(Call::AddAgain),
    ];
    prop::collection::vec(call, 0..60)
}

/// A strategy beside the set of what should be waiting.
struct Checked<'p> {
    program: &'p Program,
    search: Box<dyn Search>,
    waiting: BTreeSet<StateKey>,
    next: u64,
    picks: Vec<StateKey>,
}

impl Checked<'_> {
    fn add(&mut self, key: StateKey) {
        // Every tenth state stands nowhere, some in places that the program does not have.
        let stack = match key.0 % 10 {
            9 => Vec::new(),
            8 => vec![Location { next: 999, ..entry(self.program)[0] }],
            _ => random_stack(self.program, key.0 % 50, key.0),
        };
        self.search.add(waiting(key.0, &stack));
        self.waiting.insert(key);
    }

    fn pick(&mut self) -> Option<StateKey> {
        let key = self.search.pick();
        self.picks.extend(key);
        match key {
            Some(key) => assert!(self.waiting.remove(&key), "{key:?} does not wait"),
            None => assert!(self.waiting.is_empty(), "{:?} wait", self.waiting),
        }
        key
    }

    fn fork(&mut self, parent: StateKey, count: usize) {
        let children: Vec<StateKey> = (0..count as u64).map(|i| StateKey(self.next + i)).collect();
        self.next += count as u64;
        children.iter().for_each(|child| self.search.forked(parent, *child));
        for child in children {
            if child.0 % 7 == 6 { self.search.ended(child) } else { self.add(child) }
        }
    }

    fn run(&mut self, call: &Call) {
        match call {
            Call::Fork(count) => {
                let Some(key) = self.pick() else { return };
                self.fork(key, *count);
                // Who forked may be said to have ended, or not.
                if key.0.is_multiple_of(2) {
                    self.search.ended(key);
                }
            }
            Call::ForkAndWait(count) => {
                let Some(key) = self.pick() else { return };
                self.fork(key, *count);
                self.add(key);
            }
            Call::End => {
                let Some(key) = self.pick() else { return };
                self.search.ended(key);
            }
            Call::EndWaiting(which) => {
                let Some(key) = self.one_that_waits(which) else { return };
                self.waiting.remove(&key);
                self.search.ended(key);
            }
            Call::Cover(which) => {
                let Location { function, block, .. } = *which.get(&starts(self.program));
                self.search.covered(function, block);
            }
            Call::Nonsense(key) => {
                self.search.ended(StateKey(*key));
                self.search.forked(StateKey(*key), StateKey(key + 100));
                self.search.covered(FunctionId(*key as u32), BlockId(0));
                self.search.covered(FunctionId(0), BlockId(*key as u32));
            }
            Call::AddAgain(which) => {
                let Some(key) = self.one_that_waits(which) else { return };
                self.search.add(waiting(key.0, &entry(self.program)));
            }
        }
        assert_eq!(self.search.len(), self.waiting.len());
        assert_eq!(self.search.is_empty(), self.waiting.is_empty());
    }

    fn one_that_waits(&self, which: &prop::sample::Index) -> Option<StateKey> {
        let all: Vec<StateKey> = self.waiting.iter().copied().collect();
        (!all.is_empty()).then(|| *which.get(&all))
    }
}

fn run(program: &Program, search: Box<dyn Search>, calls: &[Call]) -> Vec<StateKey> {
    let (waiting, picks) = (BTreeSet::new(), Vec::new());
    let mut checked = Checked { program, search, waiting, next: 1, picks };
    checked.add(StateKey(0));
    calls.iter().for_each(|call| checked.run(call));
    while checked.pick().is_some() {}
    checked.picks
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn every_state_that_waits_is_picked_once(calls in calls(), seed: u64) {
        let program = compile(PROGRAM);
        let picks = |seed| all(&program, seed).into_iter().map(|(_, search)| run(&program, search, &calls));
        prop_assert!(picks(seed).eq(picks(seed)), "the same seed must give the same picks");
    }
}

/// Something for a strategy to do.
struct Load<'p> {
    kind: Strategy,
    program: &'p Program,
    /// The stacks of states, by their keys.
    stack: &'p dyn Fn(u64) -> Vec<Location>,
    /// What is covered on the way, a block every 50 picks.
    covered: Vec<Location>,
}

impl Load<'_> {
    /// How many rounds of loops 2,000 picks take, with the forks between them, when about `count` states wait.
    fn work(&self, count: u64) -> u64 {
        let mut search = strategy(self.kind, self.program, 11, &[]);
        search.add(waiting(0, &(self.stack)(0)));
        let mut next = 1;
        let mut round = |search: &mut Box<dyn Search>, children: u64| {
            let key = search.pick().expect("one waits");
            (next..next + children).for_each(|child| search.forked(key, StateKey(child)));
            (next..next + children).for_each(|key| search.add(waiting(key, &(self.stack)(key))));
            next += children;
        };
        while (search.len() as u64) < count {
            round(&mut search, 2);
        }
        work::count(|| {
            for step in 0..2_000 {
                if let Some(place) = self.covered.get(step / 50) {
                    search.covered(place.function, place.block);
                }
                // Two new states and none in turns: the number stays about the same.
                round(&mut search, if step % 2 == 0 { 2 } else { 0 });
            }
        })
    }

    /// Ten times as many waiting states are little more work.
    fn check(&self) {
        let [few, many] = [10_000, 100_000].map(|count| self.work(count));
        // log 100,000 / log 10,000 = 1.25
        assert!(many as f64 <= 1.5 * few as f64, "{}: {few}, then {many}", self.kind);
        assert!(many <= 2_000 * 10 * 17, "{}: {many}", self.kind);
    }
}

#[test]
fn picks_take_logarithmic_time_while_blocks_are_covered() {
    let program = compile(PROGRAM);
    let stacks: Vec<Vec<Location>> = (0..500).map(|i| random_stack(&program, i % 100, i)).collect();
    let stack = |key: u64| stacks[key as usize % stacks.len()].clone();
    // The others have no loops of their own.
    for kind in [Strategy::Tree, Strategy::Coverage, Strategy::Klee] {
        let covered = starts(&program);
        Load { kind, program: &program, stack: &stack, covered }.check();
    }
}

#[test]
fn picks_take_logarithmic_time_when_no_two_states_have_the_same_stack() {
    let program = compile(PROGRAM);
    let places = starts(&program);
    // The digits of the key: all different, and with common beginnings.
    let stack = |key: u64| -> Vec<Location> {
        (0..18).map(|digit| places[(key >> digit & 1) as usize]).collect()
    };
    let kind = Strategy::Coverage;
    Load { kind, program: &program, stack: &stack, covered: Vec::new() }.check();
}
