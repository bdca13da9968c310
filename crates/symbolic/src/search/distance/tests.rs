//! Distances against a search over stacks, and updates against computing everything anew.

use super::super::testing::{
    PROGRAM, brute_force, compile, entry, function, lowered, random_stack, start, starts,
    successors,
};
use super::*;
use loupe_ir::program::{BlockId, Program};
use loupe_microc::testing::programs;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn to(program: &Program, goals: &BTreeSet<Location>) -> Distances {
    let goals: Vec<Location> = goals.iter().copied().collect();
    let flow = Flow::new(program, &goals);
    let points: Vec<Point> = goals.iter().filter_map(|place| Some(flow.point(*place)?.0)).collect();
    Distances::new(flow, points.into_iter())
}

fn of_stack(distances: &Distances, stack: &[Location]) -> u64 {
    stack.iter().fold(UNREACHABLE, |outside, place| distances.of_call(*place, outside))
}

#[track_caller]
fn check(program: &Program, distances: &Distances, stack: &[Location], goals: &BTreeSet<Location>) {
    const LIMIT: u64 = 60;
    let found = of_stack(distances, stack);
    let expected = brute_force(program, stack, goals, LIMIT);
    assert_eq!((found <= LIMIT).then_some(found), expected, "{stack:?} to {goals:?}: {found}");
}

/// All stacks that can be reached without too much recursion.
fn stacks(program: &Program) -> Vec<Vec<Location>> {
    let mut seen = BTreeSet::from([entry(program)]);
    let mut all = vec![entry(program)];
    let mut at = 0;
    while let Some(stack) = all.get(at) {
        for next in successors(program, stack) {
            if (1..5).contains(&next.len()) && seen.insert(next.clone()) {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

#[test]
fn from_everywhere_to_every_block_of_a_program() {
    let program = compile(PROGRAM);
    let stacks = stacks(&program);
    assert!(stacks.len() > 100 && stacks.iter().any(|stack| stack.len() == 4));
    for goal in starts(&program) {
        let goals = BTreeSet::from([goal]);
        let distances = to(&program, &goals);
        for stack in stacks.iter().step_by(7) {
            check(&program, &distances, stack, &goals);
        }
    }
}

#[test]
fn a_function_that_does_not_return_hides_what_comes_after_it() {
    let program =
        compile("f() { var r; r = f(); return r; } main() { var x; x = f(); output x; return x; }");
    let main = function(&program, "main");
    let block = program.function(main).block(BlockId(0));
    let end = Location { next: block.instructions.len(), ..start(main, BlockId(0)) };
    let distances = to(&program, &BTreeSet::from([end]));
    assert_eq!(of_stack(&distances, &entry(&program)), UNREACHABLE);
    let returned = [Location { next: block.instructions.len() - 1, ..end }];
    assert_eq!(of_stack(&distances, &returned), 2);
    // Inside of the function, all that is left lies before the return.
    let inside = [returned[0], start(function(&program, "f"), BlockId(0))];
    assert_eq!(of_stack(&distances, &inside), UNREACHABLE);
}

#[test]
fn ways_of_more_steps_than_numbers_can_count_are_none() {
    let mut text = "f0() { return 0; }".to_owned();
    for i in 1..70 {
        text += &format!("f{i}() {{ var a, b; a = f{0}(); b = f{0}(); return a; }}", i - 1);
    }
    let program = compile(&(text + "main() { var x; x = f69(); output x; return x; }"));
    let main = program.entry;
    let last = program.function(main).block(BlockId(0)).instructions.len();
    let goals = BTreeSet::from([Location { next: last, ..start(main, BlockId(0)) }]);
    assert_eq!(of_stack(&to(&program, &goals), &entry(&program)), UNREACHABLE);
    let near = BTreeSet::from([start(function(&program, "f0"), BlockId(0))]);
    assert!(of_stack(&to(&program, &near), &entry(&program)) < 1000);
}

#[test]
fn places_that_do_not_exist_are_far_away() {
    let program = compile("main() { return 0; }");
    let distances = to(&program, &starts(&program).into_iter().collect());
    let main = start(program.entry, BlockId(0));
    for nowhere in [
        Location { function: loupe_ir::program::FunctionId(7), ..main },
        Location { block: BlockId(7), ..main },
        Location { next: 70, ..main },
    ] {
        assert_eq!(of_stack(&distances, &[nowhere]), UNREACHABLE);
        assert_eq!(of_stack(&distances, &[nowhere, main]), 1);
    }
    assert_eq!(of_stack(&distances, &[]), UNREACHABLE);
}

#[test]
fn an_update_looks_at_what_changes_only() {
    // Each function is its own world for the distances ahead: covering one leaves the others alone.
    let mut text = String::new();
    for i in 0..500 {
        text += &format!(
            "f{i}(n) {{ if (n == 0) {{ n = 1; }} while (n > 0) {{ n = n - 1; }} return n; }}"
        );
    }
    let program = compile(&(text + "main() { return 0; }"));
    let mut distances = to(&program, &starts(&program).into_iter().collect());
    let starts: Vec<Point> = distances.flow().starts().collect();
    let all = super::work::count(|| {
        for start in starts {
            distances.drop_goal(start);
            distances.update();
        }
    });
    assert!(all < 100 * distances.flow().len() as u64, "{all} for {}", distances.flow().len());
}

proptest! {
    #[test]
    fn random_programs(
        tree in programs(),
        goals in prop::collection::vec((any::<prop::sample::Index>(), 0..3_usize), 1..3),
        steps in 0..60_u64,
        seed: u64,
    ) {
        let program = lowered(&tree);
        let starts = starts(&program);
        let goals: BTreeSet<Location> =
            goals.iter().map(|(start, next)| Location { next: *next, ..*start.get(&starts) }).collect();
        let distances = to(&program, &goals);
        check(&program, &distances, &random_stack(&program, steps, seed), &goals);
    }

    #[test]
    fn updates_give_what_computing_anew_gives(
        tree in programs(),
        order in prop::collection::vec((any::<prop::sample::Index>(), 1..3_usize), 1..20),
    ) {
        let program = lowered(&tree);
        let mut left: BTreeSet<Location> = starts(&program).into_iter().collect();
        let mut distances = to(&program, &left);
        for (which, together) in order {
            for _ in 0..together {
                let goals: Vec<Location> = left.iter().copied().collect();
                let Some(goal) = goals.get(which.index(goals.len().max(1))) else { break };
                left.remove(goal);
                let (point, _) = distances.flow().point(*goal).unwrap();
                distances.drop_goal(point);
            }
            let before = distances.ahead.clone();
            let changed: BTreeSet<Point> = distances.update().into_iter().collect();
            prop_assert_eq!(&distances.ahead, &to(&program, &left).ahead);
            for (point, before) in before.into_iter().enumerate() {
                prop_assert_eq!(before != distances.ahead[point], changed.contains(&point));
            }
        }
    }
}
