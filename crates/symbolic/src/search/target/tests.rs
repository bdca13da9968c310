//! The order against brute force, and the places of lines.

use super::super::testing::{PROGRAM, brute_force, compile, entry, random_stack, start, waiting};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn a_line_has_the_steps_that_start_on_it() {
    let program = compile(
        "main() {\n  var x;\n  x = input;\n  if (x\n\n    > 3) {\n    output x;\n  }\n  return x;\n}\n",
    );
    let line = |line| places_of_line(&program, FileId(0), line);
    let blocks = |line: u32| -> BTreeSet<BlockId> {
        places_of_line(&program, FileId(0), line).into_iter().map(|place| place.block).collect()
    };
    assert!(!line(3).is_empty() && !line(7).is_empty());
    assert!(blocks(3).is_disjoint(&blocks(7)));
    assert_eq!(blocks(5), blocks(4), "the condition goes on over line 5");
    assert_eq!(line(99), []);
    // The sum goes on over the second line, but only the call starts there.
    let program = compile("f() { return 1; } main() { return 1 +\n f(); }");
    let [place] = places_of_line(&program, FileId(0), 2)[..] else { panic!("one place") };
    let call = &program.function(place.function).block(place.block).instructions[place.next];
    assert!(matches!(call.kind, loupe_ir::program::InstructionKind::Call { .. }));
    assert_eq!(places_of_line(&program, FileId(1), 3), []);
}

#[test]
fn a_place_in_the_middle_of_a_block_is_seen_from_there() {
    let program = compile("main() { output 1; output 2; output 3; return 0; }");
    let at = |next| Location { next, ..start(program.entry, BlockId(0)) };
    let mut search = Target::new(&program, &[at(2)]);
    for next in 0..4 {
        search.add(waiting(next, &[at(next as usize)]));
    }
    let order: Vec<u64> = std::iter::from_fn(|| search.pick()).map(|key| key.0).collect();
    assert_eq!(order, [2, 1, 0, 3], "3 is behind it");
}

#[test]
fn without_targets_the_oldest_comes_first() {
    let program = compile("main() { return 0; }");
    let mut search = Target::new(&program, &[]);
    for key in [5, 3, 9] {
        search.add(waiting(key, &entry(&program)));
    }
    let order: Vec<u64> = std::iter::from_fn(|| search.pick()).map(|key| key.0).collect();
    assert_eq!(order, [5, 3, 9]);
}

proptest! {
    #[test]
    fn the_nearest_is_picked_first(
        states in prop::collection::vec((0..80_u64, any::<u64>()), 1..12),
        line in 2..14_u32,
    ) {
        const LIMIT: u64 = 40;
        let program = compile(PROGRAM);
        let targets = places_of_line(&program, FileId(0), line);
        let goals = targets.iter().copied().collect();
        let mut search = Target::new(&program, &targets);
        let mut expected = Vec::new();
        for (key, (steps, seed)) in states.into_iter().enumerate() {
            let stack = random_stack(&program, steps, seed);
            search.add(waiting(key as u64, &stack));
            let distance = brute_force(&program, &stack, &goals, LIMIT);
            expected.push((distance.unwrap_or(LIMIT + 1), key as u64));
        }
        expected.sort();
        let (near, far): (Vec<_>, Vec<_>) = expected.into_iter().partition(|(d, _)| *d <= LIMIT);
        let order: Vec<u64> = std::iter::from_fn(|| search.pick()).map(|key| key.0).collect();
        prop_assert!(order.iter().take(near.len()).eq(near.iter().map(|(_, key)| key)));
        let last: BTreeSet<u64> = order[near.len()..].iter().copied().collect();
        prop_assert_eq!(last, far.into_iter().map(|(_, key)| key).collect());
    }
}
