//! Random programs.

use super::{MERGING, SETTINGS, compare, vectors};
use loupe_gen::{Parameters, generate};
use loupe_ir::source::Sources;
use loupe_microc::testing::terminating_programs;
use loupe_microc::{Dialect, lower, parse, print, resolve};
use loupe_symbolic::explore::{Options, explore};
use loupe_symbolic::search::{Strategy, strategy};
use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::TestRunner;

/// How many programs are compared.
const PROGRAMS: usize = 300;

#[test]
fn random_programs_are_explored_as_they_run() {
    let mut runner = TestRunner::deterministic();
    let vectors = vectors(2, -1..=2);
    let (mut complete, mut failing, mut forked) = (0, 0, 0);
    let mut number = 0;
    while number < PROGRAMS {
        let tree = terminating_programs().new_tree(&mut runner).expect("a program").current();
        let text = print(&tree);
        let mut sources = Sources::new();
        let file = sources.add("test.uc", text.as_str());
        let Ok(tree) = parse(file, &text) else { continue };
        let Ok(resolution) = resolve(&tree) else { continue };
        let program = lower(&tree, &resolution, sources, Dialect::default());
        if program.function(program.entry).params != 0 {
            continue;
        }
        number += 1;
        let setting = SETTINGS[number % SETTINGS.len()];
        let exploration = compare(&text, &program, &vectors, setting);
        complete += usize::from(exploration.stop == loupe_symbolic::explore::Stop::Complete);
        failing += usize::from(!exploration.violations.is_empty());
        forked += usize::from(exploration.states > 1);
    }
    println!("{complete} complete, {failing} failing, {forked} with several states");
    assert!(complete > PROGRAMS / 2 && failing > PROGRAMS / 20 && forked > PROGRAMS / 20);
}

/// How many generated programs are compared.
const GENERATED: u64 = 250;

#[test]
fn generated_programs_are_explored_as_they_run() {
    let (mut complete, mut failing, mut paths) = (0, 0, 0);
    for seed in 0..GENERATED {
        let parameters = Parameters { seed, max_inputs: 2, ..Parameters::default() };
        let text = generate(&parameters).expect("parameters that make sense");
        let program = super::microc(&text);
        let range = parameters.input_range.expect("small inputs");
        let vectors = vectors(2, i64::from(range.low)..=i64::from(range.high));
        let setting = SETTINGS[seed as usize % SETTINGS.len()];
        let exploration = compare(&text, &program, &vectors, setting);
        complete += u64::from(exploration.stop == loupe_symbolic::explore::Stop::Complete);
        failing += u64::from(!exploration.violations.is_empty());
        paths += exploration.paths();
    }
    println!("{complete} complete, {failing} failing, {paths} paths");
    assert!(complete > GENERATED * 9 / 10 && failing > GENERATED / 4 && paths > 4 * GENERATED);
}

/// How many generated programs are explored in all ways.
const IN_ALL_WAYS: u64 = 60;

#[test]
fn all_strategies_and_numbers_of_threads_give_the_same() {
    for seed in 1_000..1_000 + IN_ALL_WAYS {
        let parameters = Parameters { seed, max_inputs: 2, ..Parameters::default() };
        let text = generate(&parameters).expect("parameters that make sense");
        let program = super::microc(&text);
        let mut expected = None;
        for kind in Strategy::ALL.iter().copied() {
            for jobs in [1, 3] {
                let options = Options::default();
                let search = || strategy(kind, &program, seed, &[]);
                let found = explore(&program, &options, &search, jobs, &|_, _| None)
                    .unwrap_or_else(|error| panic!("{text}\n{kind} {jobs}: {error}"));
                let errors: Vec<_> = found.violations.keys().copied().collect();
                let unsure: Vec<_> = found.unsure.keys().cloned().collect();
                let counts = (found.finished, found.failed, found.pruned, found.states);
                let seen = (errors, unsure, counts, found.forks.clone());
                let expected = expected.get_or_insert_with(|| seen.clone());
                assert_eq!(*expected, seen, "{text}\n{kind} in {jobs} threads");
            }
        }
    }
}

/// How many generated programs are explored with merging; more if `LOUPE_MERGE` says so.
fn merged_programs() -> u64 {
    let more = std::env::var("LOUPE_MERGE").ok().and_then(|number| number.parse().ok());
    more.unwrap_or(96)
}

#[test]
fn merged_states_stand_for_all_paths_and_no_others() {
    let (mut complete, mut merged, mut apart, mut split) = (0, 0, 0, 0);
    for seed in 0..merged_programs() {
        let parameters = Parameters {
            seed,
            max_inputs: 2 + (seed % 3) as u32 / 2,
            max_top_level_statements: 8,
            ..Parameters::default()
        };
        let text = generate(&parameters).expect("parameters that make sense");
        let program = super::microc(&text);
        let range = parameters.input_range.expect("small inputs");
        let vectors =
            vectors(parameters.max_inputs as usize, i64::from(range.low)..=i64::from(range.high));
        let setting = MERGING[seed as usize % MERGING.len()];
        let exploration = compare(&text, &program, &vectors, setting);
        // Cut off as soon as possible, and split.
        let without_credit =
            super::Setting { credit: [0, 2_000][seed as usize / 8 % 2], ..setting };
        split += compare(&text, &program, &vectors, without_credit).merging.split;
        complete += u64::from(exploration.stop == loupe_symbolic::explore::Stop::Complete);
        merged += exploration.merging.merged;
        apart += exploration.merging.apart.values().sum::<u64>();
    }
    println!(
        "{complete} complete, {merged} pairs merged, {apart} could not be, {split} split again"
    );
    assert!(complete > merged_programs() * 8 / 10 && merged > merged_programs() && split > 0);
}
