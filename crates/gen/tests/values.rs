//! Sets of possible values (`loupe_ir::analysis::values`) against runs: where a run comes, somebody was expected, and the check that fails was not said to hold.
//!
//! `LOUPE_VALUES=N` looks at N programs of each kind.

mod support;

use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{End, Interpreter, Options, RunLength};
use loupe_gen::{Language, Parameters, Probability, ThesisSet, sample_inputs};
use loupe_integer::Integer;
use loupe_ir::analysis::values::PossibleValues;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{BlockId, InstructionKind, Program};
use loupe_ir::source::Span;
use std::collections::BTreeSet;
use support::compile;

const STEPS: u64 = 5_000_000;

/// What was seen over many programs.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    lost: u64,
    runs: u64,
    failures: u64,
    checks: usize,
    doubtful: usize,
    blocks: usize,
    unreached: usize,
}

/// The checks of a program, by kind and place.
fn checks(program: &Program) -> usize {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    instructions.filter(|one| matches!(one.kind, InstructionKind::Check(_))).count()
}

fn look(program: &Program, text: &str, inputs: &[Vec<i64>], tally: &mut Tally) {
    tally.programs += 1;
    let Some(values) = PossibleValues::of(program, STEPS) else {
        tally.lost += 1;
        return;
    };
    let doubtful: BTreeSet<(CheckKind, Span)> = values
        .doubtful_checks(program)
        .map(|(id, at, check)| {
            let block = program.function(id).block(at.block);
            (check.kind, block.instructions[at.index as usize].span)
        })
        .collect();
    tally.checks += checks(program);
    tally.doubtful += values.doubtful_checks(program).count();
    for inputs in inputs {
        let input: RunLength = inputs.iter().map(|input| Integer::from(*input)).collect();
        let options = Options {
            input: Box::new(input),
            max_steps: Some(20_000),
            max_bits: 2_000,
            ..Options::default()
        };
        let mut profile = Profile::new(program);
        let run = Interpreter::new(program, options).run(&mut Vec::new(), &mut profile);
        profile.finish(&run);
        tally.runs += 1;
        for (id, _) in program.functions() {
            for (block, count) in (0..).map(BlockId).zip(profile.block_counts(id)) {
                let is_expected = count == 0 || values.is_reached(id, block);
                assert!(is_expected, "{inputs:?} comes to b{} of {id:?}\n{text}", block.0);
            }
        }
        if let End::Failed(failure) = run.end {
            tally.failures += 1;
            let is_expected = doubtful.contains(&(failure.kind, failure.span));
            assert!(is_expected, "{inputs:?}: {failure:?} was excluded\n{text}");
        }
    }
    for (id, function) in program.functions() {
        let blocks = (0..function.blocks.len() as u32).map(BlockId);
        tally.blocks += function.blocks.len();
        tally.unreached += blocks.filter(|block| !values.is_reached(id, *block)).count();
    }
}

fn tally(usual: u64, parameters: impl Fn(u64) -> Parameters) -> Tally {
    let wanted = std::env::var("LOUPE_VALUES").ok().and_then(|number| number.parse().ok());
    let mut tally = Tally::default();
    for seed in 0..wanted.unwrap_or(usual) {
        let parameters = parameters(seed);
        let generated = loupe_gen::program(&parameters).expect("the parameters make sense");
        let program = compile(&parameters, &generated.text);
        let mut inputs = sample_inputs(&parameters, 8);
        // Some that nobody has thought of.
        inputs.extend((0..8).map(|n| (0..40).map(|k| (n * 7 + k * (n + 3)) % 11 - 3).collect()));
        look(&program, &generated.text, &inputs, &mut tally);
    }
    println!("{tally:?}");
    tally
}

fn usual(language: Language, seed: u64) -> Parameters {
    Parameters {
        language,
        seed,
        errors: "all".parse().expect("all kinds"),
        error_probability: Probability::percent(40),
        ..Parameters::default()
    }
}

#[test]
fn values_of_microc_programs_are_expected() {
    let tally = tally(150, |seed| usual(Language::Microc, seed));
    assert_eq!(tally.lost, 0);
    assert!(tally.failures > 100 && tally.doubtful * 2 < tally.checks, "{tally:?}");
}

#[test]
fn values_of_the_thesis_programs_are_expected() {
    let tally = tally(200, |seed| {
        let set = ThesisSet {
            for_percent: 20,
            while_percent: 15,
            max_block_depth: 2 + (seed % 3) as u32,
            guaranteed_error: seed % 3 == 0,
            divisions: seed % 2 == 0,
        };
        Parameters::thesis(&set, seed)
    });
    assert_eq!(tally.lost, 0);
    assert!(tally.failures > 50 && tally.doubtful * 4 < tally.checks, "{tally:?}");
    assert!(tally.unreached > 0, "{tally:?}");
}

#[test]
fn values_of_c_programs_are_expected() {
    let tally = tally(100, |seed| usual(Language::C, seed));
    assert!(tally.lost == 0 && tally.failures > 50, "{tally:?}");
    assert!(tally.doubtful < tally.checks, "{tally:?}");
}

/// Programs by hand, with how many of their checks may fail.
#[test]
fn values_of_programs_by_hand_are_expected() {
    for (text, doubtful) in [
        // Arrays of two lengths: the index is in one and not in the other.
        ("main() { var a; a = [1, 2, 3]; if (input) a = [1]; return a[2]; }", 1),
        ("main() { var a; a = [1, 2, 3]; if (input) a = [1, 4]; return a[1] + a[0]; }", 0),
        // How two variables compare, across a loop and a step.
        (
            "main() { var x, y; x = input; y = input; while (x < y) x = x + 1; if (x < y) output 1 / 0; return 0; }",
            0,
        ),
        (
            "main() { var x, y; x = input; y = input; while (x < y) x = x + 2; if (x > y) output 1 / 0; return 0; }",
            1,
        ),
        (
            "main() { var x, y, p; x = input; y = input; p = &x; while (x < y) *p = *p + 1; if (x < y) output 1 / 0; return 0; }",
            0,
        ),
        (
            "main() { var x, y; x = input; y = x; y = y + 1; if (x == y) output 1 / 0; if (y > x) return 1; output 1 / 0; return 0; }",
            0,
        ),
        // A pointer with two targets writes to one of them.
        (
            "main() { var x, y, p; x = 1; y = 2; p = &x; if (input) p = &y; *p = 0; return 1 / x; }",
            1,
        ),
        ("main() { var x, y, p; x = 1; y = 2; p = &x; *p = 5; p = &y; *p = 0; return 1 / x; }", 0),
        // What a function writes through a pointer.
        ("set(p) { *p = 0; return 0; } main() { var x, y; x = 1; y = set(&x); return 1 / x; }", 1),
        // Fields are there in all records or in some.
        ("main() { var r; r = {a: 1}; if (input) r = {a: 2, b: 3}; return r.a + r.b; }", 1),
        // Zero is left out of a range.
        ("main() { var x; x = input; if (x != 0) return 1 / x; return 0; }", 0),
        ("main() { var x; x = input; while (x == 0) x = input; return 1 / (x * x); }", 0),
    ] {
        let microc = Parameters { language: Language::Microc, ..Parameters::default() };
        let program = compile(&microc, text);
        let values = PossibleValues::of(&program, STEPS).expect("followed");
        let found = values.doubtful_checks(&program).count();
        assert_eq!(found, doubtful, "{text}");
        let inputs: Vec<Vec<i64>> =
            [[0, 0, 0], [1, 2, 0], [2, 1, 1], [0, 1, 2], [0, 0, 7], [-1, 5, 0]]
                .map(Vec::from)
                .to_vec();
        look(&program, text, &inputs, &mut Tally::default());
    }
}
