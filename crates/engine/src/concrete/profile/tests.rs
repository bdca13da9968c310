//! The profile against counts by definition, on programs and on random walks through random graphs,
//! and worked examples.

mod examples;
mod oracle;
mod walks;

use super::*;
use crate::concrete::{Interpreter, Options, RunLength};
use loupe_integer::Integer;
use loupe_ir::source::{FileId, Sources};
use loupe_microc::{Dialect, lower, parse, print, resolve, testing};
use oracle::Recorder;
use proptest::prelude::*;

fn compile(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.mc", text);
    let program = parse(file, text).expect("a program");
    let resolution = resolve(&program).expect("known names");
    lower(&program, &resolution, sources, Dialect::default())
}

/// The same limits and inputs each time it is called.
fn options(inputs: &[i64], max_steps: u64) -> Options {
    let numbers = inputs.iter().copied().map(Integer::from);
    Options {
        input: Box::new(numbers.collect::<RunLength>()),
        max_steps: Some(max_steps),
        max_cells: 100_000,
        max_bits: 10_000,
        ..Options::default()
    }
}

fn run(program: &Program, inputs: &[i64], max_steps: u64, observer: &mut impl Observer) -> Run {
    Interpreter::new(program, options(inputs, max_steps)).run(&mut Vec::new(), observer)
}

fn profiled<'p>(program: &'p Program, inputs: &[i64], max_steps: u64) -> (Profile<'p>, Run) {
    let mut profile = Profile::new(program);
    let run = run(program, inputs, max_steps, &mut profile);
    profile.finish(&run);
    (profile, run)
}

/// Everything but the lines.
fn check_counts(program: &Program, profile: &Profile<'_>, recorder: &Recorder) {
    for (function, _) in program.functions() {
        for (id, counted) in profile.loops(function) {
            let expected = recorder.loop_profile(function, profile.forest(function), id);
            assert_eq!(counted, expected, "{function:?} {id:?}");
            assert_eq!(counted.entries, recorder.visits(function, profile.forest(function), id));
        }
        assert_eq!(profile.block_counts(function), recorder.block_counts(program, function));
        assert_eq!(profile.calls(function), recorder.calls(function));
    }
    let coverage = profile.coverage();
    let expected = recorder.coverage(program);
    assert_eq!(coverage.functions, expected.functions);
    assert_eq!(coverage.blocks, expected.blocks);
    assert_eq!(coverage.branches, expected.branches);
}

fn check(program: &Program, inputs: &[i64], max_steps: u64) {
    let (profile, _) = profiled(program, inputs, max_steps);
    let mut recorder = Recorder::default();
    run(program, inputs, max_steps, &mut recorder);
    check_counts(program, &profile, &recorder);
    let (lines, instructions) = oracle::lines(program, options(inputs, max_steps), max_steps);
    assert_eq!(profile.coverage().lines, lines);
    assert_eq!(profile.coverage().instructions, instructions);
}

/// A program that its generator gave no places, with places.
fn placed(program: &loupe_microc::ast::Program) -> Program {
    compile(&print(program))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn terminating_programs_are_counted_by_definition(
        program in testing::terminating_programs(),
        inputs in prop::collection::vec(-3i64..10, 0..8),
    ) {
        check(&placed(&program), &inputs, 20_000);
    }

    #[test]
    fn all_programs_are_counted_by_definition(
        program in testing::programs(),
        inputs in prop::collection::vec(-3i64..10, 0..8),
    ) {
        check(&placed(&program), &inputs, 2_000);
    }
}
