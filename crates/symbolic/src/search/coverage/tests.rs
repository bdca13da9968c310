//! Probabilities, and distances that follow what is covered.

use super::super::Location;
use super::super::groups::UNIT;
use super::super::testing::{
    PROGRAM, assert_likely, brute_force, compile, random_stack, start, starts, waiting,
};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A program with a block of at least ten steps before another, of which only the other is not covered,
/// and the places at which the distances of the thesis are found.
fn table(search: &mut impl FnMut(&Program) -> Coverage) -> (Coverage, [Location; 3]) {
    let program = compile(
        "main() { var x; output 1; output 2; output 3; output 4; output 5; output 6;
        output 7; output 8; output 9; output 10; x = input; if (x) { output x; } return x; }",
    );
    let mut search = search(&program);
    let (main, first) = (program.entry, program.function(program.entry).block(BlockId(0)));
    let goal = first.terminator.kind.successors().next().unwrap();
    for place in starts(&program) {
        if place.block != goal {
            search.covered(place.function, place.block);
        }
    }
    // One step for the terminator, one for the first step of the block behind it.
    let before = |distance| Location {
        next: first.instructions.len() + 2 - distance,
        ..start(main, BlockId(0))
    };
    (search, [before(10), before(5), start(main, goal)])
}

#[test]
fn probabilities_are_those_of_table_5_1() {
    let (mut search, places) = table(&mut |program| Coverage::new(program, 5));
    let mut counts = [0; 3];
    for _ in 0..1300 {
        for (key, place) in places.iter().enumerate() {
            search.add(waiting(key as u64, &[*place]));
        }
        counts[search.pick().unwrap().0 as usize] += 1;
        (0..3).for_each(|key| search.ended(StateKey(key)));
        assert!(search.is_empty());
    }
    assert_likely(&counts, &[1.0, 2.0, 10.0]);
}

#[test]
fn weights_are_exact() {
    let (mut search, places) = table(&mut |program| Coverage::new(program, 5));
    let mut expected = 0;
    for (place, weight) in places.iter().zip([UNIT / 10, UNIT / 5, UNIT]) {
        // Two states at each place count twice.
        for twice in 0..2 {
            search.add(waiting(weight + twice, &[*place]));
            expected += weight;
            search.states.choose(&mut Generator::new(0));
            assert_eq!(search.states.total(), expected);
        }
    }
    assert_eq!((UNIT % 10, expected), (0, 2 * 13 * (UNIT / 10)));
}

#[test]
fn states_with_nothing_ahead_come_late_but_come() {
    let (mut search, places) = table(&mut |program| Coverage::new(program, 5));
    for key in 0..100 {
        search.add(waiting(key, &[]));
    }
    search.add(waiting(100, &[places[0]]));
    assert_eq!(search.pick(), Some(StateKey(100)));
    let rest: BTreeSet<StateKey> = std::iter::from_fn(|| search.pick()).collect();
    assert_eq!(rest, (0..100).map(StateKey).collect());
}

#[test]
fn when_all_is_covered_all_are_equally_likely() {
    let (mut search, places) = table(&mut |program| Coverage::new(program, 5));
    let mut counts = [0; 3];
    for key in 0..3 {
        search.add(waiting(key, &[places[key as usize]]));
    }
    search.covered(places[2].function, places[2].block);
    for _ in 0..900 {
        counts[search.states.choose(&mut search.generator).unwrap().0 as usize] += 1;
    }
    assert_likely(&counts, &[1.0; 3]);
}

#[test]
fn stacks_of_states_that_are_gone_are_forgotten() {
    let program = compile(PROGRAM);
    let mut search = Coverage::new(&program, 1);
    for round in 0..100 {
        for key in 0..20 {
            search.add(waiting(key, &random_stack(&program, 40 + key, round)));
        }
        let (calls, by_point) = search.states.calls();
        assert!(calls >= 5 && by_point == calls);
        while search.pick().is_some() {}
        assert_eq!(search.states.calls(), (0, 0));
    }
}

proptest! {
    #[test]
    fn distances_follow_what_is_covered(
        states in prop::collection::vec((0..80_u64, any::<u64>()), 1..12),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let program = compile(PROGRAM);
        let mut search = Coverage::new(&program, 1);
        let stacks: Vec<Vec<Location>> =
            states.iter().map(|(steps, seed)| random_stack(&program, *steps, *seed)).collect();
        let mut left: BTreeSet<Location> = starts(&program).into_iter().collect();
        let mut order = order.iter();
        for (key, stack) in stacks.iter().enumerate() {
            search.add(waiting(key as u64, stack));
            for which in order.by_ref().take(2) {
                let goals: Vec<Location> = left.iter().copied().collect();
                let goal = *which.get(&goals);
                left.remove(&goal);
                search.covered(goal.function, goal.block);
            }
            search.states.choose(&mut Generator::new(0));
            for (key, stack) in stacks[..=key].iter().enumerate() {
                let found = search.states.distance(StateKey(key as u64)).unwrap();
                let expected = brute_force(&program, stack, &left, 30);
                prop_assert_eq!((found <= 30).then_some(found), expected);
            }
        }
    }
}
