//! Stories against profiles of the same runs.

use super::*;
use crate::concrete::profile::Profile;
use crate::concrete::{Interpreter, Observer, Options, RunLength};
use loupe_ir::program::Program;
use loupe_ir::source::Sources;
use loupe_microc::{Dialect, lower, parse, print, resolve, testing};
use proptest::prelude::*;

fn compile(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.mc", text);
    let program = parse(file, text).expect("a program");
    let resolution = resolve(&program).expect("known names");
    lower(&program, &resolution, sources, Dialect::default())
}

fn run(
    program: &Program,
    inputs: &[i64],
    max_steps: u64,
    observer: &mut impl Observer,
) -> super::super::Run {
    let numbers = inputs.iter().copied().map(Integer::from);
    let options = Options {
        input: Box::new(numbers.collect::<RunLength>()),
        max_steps: Some(max_steps),
        max_cells: 100_000,
        max_bits: 10_000,
        ..Options::default()
    };
    Interpreter::new(program, options).run(&mut Vec::new(), observer)
}

fn story(program: &Program, inputs: &[i64], max_steps: u64) -> Story {
    let mut recorder = Recorder::new(program);
    run(program, inputs, max_steps, &mut recorder);
    recorder.finish()
}

/// The counts of a story are those of the profile.
fn check(program: &Program, inputs: &[i64], max_steps: u64) {
    let mut profile = Profile::new(program);
    let end = run(program, inputs, max_steps, &mut profile);
    profile.finish(&end);
    let story = story(program, inputs, max_steps);
    let tallies = story.tallies();
    for (function, _) in program.functions() {
        for (id, counted) in profile.loops(function) {
            let told = tallies.loops.get(&(function, id)).cloned().unwrap_or_default();
            assert_eq!(told.visits, counted.entries, "visits of {function:?} {id:?}");
            assert_eq!(told.iterations, counted.iterations, "iterations of {function:?} {id:?}");
            assert_eq!(told.most, counted.most, "most iterations of {function:?} {id:?}");
            let named = story.paths.get(&(function, id)).cloned().unwrap_or_default();
            let expected: Vec<_> =
                counted.paths.iter().map(|path| (path.blocks.clone(), path.count)).collect();
            let paths: Vec<_> = (0..)
                .zip(named)
                .map(|(number, blocks)| (blocks, told.paths.get(&number).copied().unwrap_or(0)))
                .collect();
            assert_eq!(paths, expected, "paths of {function:?} {id:?}");
        }
    }
}

fn runs(paths: &[u32]) -> Runs {
    let mut runs = Runs::default();
    paths.iter().for_each(|path| runs.push(*path));
    runs.close();
    runs
}

#[test]
fn repeated_runs_are_one_pattern() {
    let one = |path, times| Pattern { round: vec![(path, times)], times: 1 };
    assert_eq!(runs(&[1, 1, 1, 2]).patterns(), [one(1, 3), one(2, 1)]);
    let alternating: Vec<u32> = [1, 2].repeat(50);
    let both = Pattern { round: vec![(1, 1), (2, 1)], times: 50 };
    assert_eq!(runs(&alternating).patterns(), std::slice::from_ref(&both));
    let uneven: Vec<u32> = [0].into_iter().chain(alternating).chain([1, 1]).collect();
    assert_eq!(runs(&uneven).patterns(), [one(0, 1), both, one(1, 2)]);
    let waltz: Vec<u32> = [1, 1, 2, 3].repeat(7);
    let round = vec![(1, 2), (2, 1), (3, 1)];
    assert_eq!(runs(&waltz).patterns(), [Pattern { round, times: 7 }]);
}

#[test]
fn a_failing_block_reads_nothing_behind_its_failure() {
    let program = compile("main() { var x; x = input; output 1 / x; x = input; return x; }");
    let story = story(&program, &[0, 5], 1000);
    assert_eq!(story.steps.iter().count(), 1);
    let NamedValue { name, value } = &story.values[0];
    assert_eq!((name.as_str(), value.as_str()), ("x", "0"));
}

#[test]
fn recursion_without_end_makes_no_endless_story() {
    let text = "f(n) { var i; i = 0; while (i < 2) i = i + 1; if (n > 0) { i = f(n - 1); } return i; } \
                main() { return f(20000); }";
    let program = compile(text);
    check(&program, &[], 2_000_000);
    assert!(story(&program, &[], 300_000).steps.iter().count() <= 100);
}

fn placed(program: &loupe_microc::ast::Program) -> Program {
    compile(&print(program))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn patterns_lose_nothing(paths in prop::collection::vec(0u32..3, 0..300)) {
        let runs = runs(&paths);
        let mut all: Vec<u32> = Vec::new();
        for Pattern { round, times } in runs.patterns() {
            for _ in 0..*times {
                all.extend(round.iter().flat_map(|(path, row)| (0..*row).map(|_| *path)));
            }
        }
        prop_assert_eq!(&all[..], &paths[..all.len()]);
        prop_assert_eq!(runs.others.values().sum::<u64>() as usize, paths.len() - all.len());
    }

    #[test]
    fn terminating_programs_are_told_with_the_counts_of_their_profile(
        program in testing::terminating_programs(),
        inputs in prop::collection::vec(-3i64..10, 0..8),
    ) {
        check(&placed(&program), &inputs, 20_000);
    }

    #[test]
    fn all_programs_are_told_with_the_counts_of_their_profile(
        program in testing::programs(),
        inputs in prop::collection::vec(-3i64..10, 0..8),
    ) {
        check(&placed(&program), &inputs, 2_000);
    }
}
