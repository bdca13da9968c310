//! Generated programs are accepted by the front ends, end, and are worth executing.

mod support;

use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{End, Halt, Interpreter, Options, Run, RunLength, Unobserved};
use loupe_gen::{
    ErrorKind, ErrorKinds, InputRange, Language, Parameters, Probability, Style, Termination,
    generate,
};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use support::compile;

/// How many programs are run on all inputs.
const SEEDS: u64 = 250;

/// How many programs have unusual parameters, for each language.
const UNUSUAL: u64 = 200;

fn parameters(language: Language, seed: u64) -> Parameters {
    Parameters { language, seed, ..Parameters::default() }
}

fn text(parameters: &Parameters) -> String {
    generate(parameters).expect("the parameters make sense")
}

/// Parameters far from the usual ones, which depend on the seed.
fn unusual(language: Language, seed: u64) -> Parameters {
    let bit = |which: u32| seed >> which & 1 == 1;
    let mut unusual = parameters(language, seed);
    unusual.guaranteed_error = bit(0);
    unusual.divisions = bit(1);
    unusual.termination = if bit(2) { Termination::Always } else { Termination::Perhaps };
    unusual.input_range = match seed % 3 {
        0 => None,
        1 => Some(InputRange { low: 0, high: 3 }),
        _ => Some(InputRange { low: -9, high: -4 }),
    };
    unusual.errors = ErrorKinds::new(ErrorKind::ALL[..seed as usize % 7].to_vec());
    unusual.error_probability = Probability::percent(seed as u32 % 101);
    if bit(3) {
        unusual.for_loop_probability = Probability::percent(50);
        unusual.while_loop_probability = Probability::percent(50);
        (unusual.max_loop_depth, unusual.max_iterations) = (10, 9);
    }
    if bit(4) {
        unusual.max_block_depth = 6;
        (unusual.max_top_level_statements, unusual.max_block_statements) = (20, 10);
        (unusual.max_statements, unusual.max_expression_depth) = (300, 5);
    }
    if bit(5) {
        (unusual.max_arrays, unusual.max_records, unusual.max_pointers) = (3, 3, 3);
        (unusual.max_lists, unusual.max_functions, unusual.max_variables) = (2, 6, 9);
        unusual.max_inputs = 12;
    }
    unusual.loops = ["any", "any", "sequential", "periodic,nested", "irregular", "nested"]
        [seed as usize / 3 % 6]
        .parse()
        .expect("shapes");
    if seed.is_multiple_of(7) {
        unusual.error_rate = Some(Probability::percent(seed as u32 % 5));
    }
    if language == Language::Microc && seed % 32 == 13 {
        unusual.style = Style::Thesis;
    }
    if seed.is_multiple_of(11) {
        (unusual.max_arrays, unusual.max_records, unusual.max_pointers) = (0, 0, 0);
        (unusual.max_lists, unusual.max_functions, unusual.max_block_depth) = (0, 0, 0);
        (unusual.max_variables, unusual.max_expression_depth, unusual.max_inputs) = (1, 0, 1);
    }
    unusual
}

/// Whether a program may fail like this.
fn check_planned(parameters: &Parameters, kind: CheckKind, source: &str) {
    let is_planned = ErrorKind::ALL.into_iter().any(|planned| {
        let may_be = parameters.errors.contains(planned) || parameters.guaranteed_error;
        may_be && planned.checks().contains(&kind.name())
    });
    assert!(is_planned, "{}\n{source}", kind.name());
}

/// All that a run on these inputs shows, unless it ended because of an input out of the range.
fn shown(program: &Program, inputs: &[i64]) -> Option<String> {
    let input: RunLength = inputs.iter().map(|input| Integer::from(*input)).collect();
    let options = Options { input: Box::new(input), ..Options::default() };
    let mut output: Vec<Integer> = Vec::new();
    let run = Interpreter::new(program, options).run(&mut output, &mut Unobserved);
    match run.end {
        End::Exited(_) | End::AssumptionFailed => None,
        end => Some(format!("{end:?} {:?} {output:?}", run.stack)),
    }
}

/// What a program does with any inputs, it does with some of the range, or it ends at once.
#[test]
fn only_inputs_of_the_range_make_a_difference() {
    for language in [Language::Microc, Language::C] {
        for seed in 0..60 {
            let parameters = parameters(language, seed);
            let source = text(&parameters);
            let program = compile(&parameters, &source);
            let all: BTreeSet<_> =
                all_inputs(3).iter().filter_map(|inputs| shown(&program, inputs)).collect();
            for inputs in [[4, -2, 1_000], [-1_000_000, 1, 4], [2, 99, -99]] {
                let found = shown(&program, &inputs);
                let known = found.as_ref().is_none_or(|found| all.contains(found));
                assert!(known, "{inputs:?}: {found:?}\n{source}");
            }
        }
    }
}

fn run(program: &Program, inputs: &[i64], max_steps: u64, profile: &mut Profile<'_>) -> Run {
    let input: RunLength = inputs.iter().map(|input| Integer::from(*input)).collect();
    let options = Options {
        input: Box::new(input),
        max_steps: Some(max_steps),
        max_depth: 100,
        max_bits: 10_000,
        ..Options::default()
    };
    let run = Interpreter::new(program, options).run(&mut Vec::new(), profile);
    profile.finish(&run);
    run
}

/// All sequences of so many inputs of the usual range.
fn all_inputs(count: u32) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |inputs: &Vec<i64>| {
            let inputs = inputs.clone();
            (-1..=3).map(move |last| [inputs.clone(), vec![last]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// What is counted over many programs, in percent.
#[derive(Debug, Default)]
struct Shares(BTreeMap<&'static str, u64>);

impl Shares {
    fn count(&mut self, what: &'static str, is: bool) {
        *self.0.entry(what).or_default() += u64::from(is);
    }

    fn percent(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default() * 100 / SEEDS
    }

    fn check(&self, what: &str, least: u64, most: u64) {
        let percent = self.percent(what);
        assert!((least..=most).contains(&percent), "{what}: {percent} % of the programs; {self:?}");
    }
}

/// Runs programs on all inputs of the range and counts what happens in them.
fn measure(language: Language) -> Shares {
    let mut shares = Shares::default();
    for seed in 0..SEEDS {
        let parameters = parameters(language, seed);
        let source = text(&parameters);
        let program = compile(&parameters, &source);
        let mut profile = Profile::new(&program);
        let mut kinds = BTreeSet::new();
        let mut paths = BTreeSet::new();
        let (mut failed, mut ended) = (false, false);
        for inputs in all_inputs(parameters.max_inputs) {
            let run = run(&program, &inputs, 1_000_000, &mut profile);
            let context = || format!("seed {seed}, inputs {inputs:?}: {:?}\n{source}", run.end);
            assert!(run.positions.input <= u64::from(parameters.max_inputs), "{}", context());
            paths.insert((run.steps, format!("{:?}", run.stack)));
            match &run.end {
                End::Failed(failure) => {
                    failed = true;
                    check_planned(&parameters, failure.kind, &source);
                    kinds.insert(failure.kind.name());
                }
                End::Returned(_) => ended = true,
                End::Exited(_) | End::AssumptionFailed => {}
                End::Aborted | End::Halted(_) => panic!("{}", context()),
            }
        }
        let mut loops = Vec::new();
        for (function, _) in program.functions() {
            for (_, counted) in profile.loops(function) {
                let bound = u64::from(parameters.max_iterations);
                assert!(counted.most <= bound, "seed {seed}: {counted:?}\n{source}");
                loops.push(counted.most);
            }
        }
        shares.count("fails and succeeds", failed && ended);
        shares.count("always fails", !ended);
        shares.count("never fails", !failed);
        shares.count("has a loop that iterates twice", loops.iter().any(|most| *most >= 2));
        shares.count("has five different runs", paths.len() >= 5);
        let body = source.split("main(").nth(1).unwrap_or_default();
        shares.count("has an array", body.contains('['));
        shares.count("has a record", body.contains("second"));
        shares.count("has a pointer", body.contains("p0"));
        shares.count("has a list", body.contains("new_node") || body.contains("alloc"));
        shares.count("calls a function", body.contains("f0(") || body.contains("f1("));
        shares.count("has a type other than int", body.contains("unsigned"));
        for kind in kinds {
            shares.count(kind, true);
        }
    }
    shares
}

fn check_common(shares: &Shares) {
    shares.check("fails and succeeds", 25, 80);
    shares.check("always fails", 5, 35);
    shares.check("never fails", 15, 60);
    shares.check("has a loop that iterates twice", 40, 90);
    shares.check("has five different runs", 30, 90);
    shares.check("has an array", 40, 90);
    shares.check("has a record", 30, 70);
    shares.check("has a pointer", 30, 90);
    shares.check("has a list", 20, 90);
    shares.check("calls a function", 20, 90);
    shares.check("division-by-zero", 15, 60);
    shares.check("index-out-of-bounds", 8, 50);
    shares.check("null-dereference", 3, 30);
}

#[test]
fn microc_programs_are_interesting() {
    let shares = measure(Language::Microc);
    check_common(&shares);
    shares.check("uninitialised-value", 3, 30);
}

#[test]
fn c_programs_are_interesting() {
    let shares = measure(Language::C);
    check_common(&shares);
    shares.check("error-reached", 5, 40);
    shares.check("assertion", 2, 30);
    shares.check("has a type other than int", 15, 60);
}

/// Whatever the parameters are, the front end accepts the program, and runs do not confuse the interpreter.
fn check_unusual(language: Language) {
    for seed in 0..UNUSUAL {
        let parameters = unusual(language, seed);
        let source = text(&parameters);
        let program = compile(&parameters, &source);
        let mut profile = Profile::new(&program);
        let planned = parameters.style == Style::Usual;
        let must_end = planned && parameters.termination == Termination::Always;
        let max_steps = if must_end { 1_000_000 } else { 5_000 };
        for inputs in [vec![1, 2, 3], vec![3, -7, 1000, 0]] {
            let run = run(&program, &inputs, max_steps, &mut profile);
            let context = || format!("{:?}\n{source}", run.end);
            let few = run.positions.input <= u64::from(parameters.max_inputs);
            assert!(few || !planned, "{}", context());
            match &run.end {
                // An input that its type cannot hold.
                End::Halted(Halt::Input(_)) => {}
                End::Halted(Halt::Limit(_)) => assert!(!must_end, "{}", context()),
                End::Halted(_) => panic!("{}", context()),
                End::Failed(failure) if planned => {
                    check_planned(&parameters, failure.kind, &source)
                }
                _ => {}
            }
        }
    }
}

#[test]
fn unusual_parameters_give_good_microc_programs() {
    check_unusual(Language::Microc);
}

#[test]
fn unusual_parameters_give_good_c_programs() {
    check_unusual(Language::C);
}

/// An error that is guaranteed is in the program, and with no other error it is the only one.
#[test]
fn a_guaranteed_error_is_often_reached() {
    for language in [Language::Microc, Language::C] {
        let mut reached = 0;
        for seed in 0..60 {
            let quiet = Parameters {
                errors: ErrorKinds::new(Vec::new()),
                guaranteed_error: true,
                ..parameters(language, seed)
            };
            let program = compile(&quiet, &text(&quiet));
            let run = run(&program, &[1, 2, 3], 1_000_000, &mut Profile::new(&program));
            reached += u32::from(matches!(run.end, End::Failed(_)));
        }
        assert!((20..=58).contains(&reached), "{language}: {reached} of 60");
    }
}

/// Without errors, nothing goes wrong.
#[test]
fn programs_without_planned_errors_do_not_fail() {
    for language in [Language::Microc, Language::C] {
        for seed in 0..100 {
            let quiet =
                Parameters { errors: ErrorKinds::new(Vec::new()), ..parameters(language, seed) };
            let source = text(&quiet);
            let program = compile(&quiet, &source);
            let mut profile = Profile::new(&program);
            for inputs in all_inputs(3).iter().step_by(7) {
                let run = run(&program, inputs, 1_000_000, &mut profile);
                assert!(!matches!(run.end, End::Failed(_)), "{:?}\n{source}", run.end);
            }
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    let probability = |percent| Probability::percent(percent);
    let loops = Parameters {
        for_loop_probability: probability(60),
        while_loop_probability: probability(60),
        ..Parameters::default()
    };
    let deep = Parameters { max_block_depth: 1_000_000, ..Parameters::default() };
    let empty =
        Parameters { input_range: Some(InputRange { low: 1, high: 0 }), ..Parameters::default() };
    let messages = [loops, deep, empty].map(|bad| generate(&bad).unwrap_err().to_string());
    expect_test::expect![[r#"
        [
            "the probabilities of loops add up to more than 1",
            "max-block-depth must be from 0 to 30, not 1000000",
            "`1..0` is no range of inputs like `-1..3`",
        ]
    "#]]
    .assert_debug_eq(&messages);
    for bad in ["", "1.5", "-1", "0.1234567", "x", "0.+1", "1e-1"] {
        assert!(bad.parse::<Probability>().is_err(), "{bad}");
    }
    for good in ["0", "1", "0.15", "0.000001", "1.0"] {
        let read: Probability = good.parse().expect("a probability");
        assert_eq!(read.to_string(), good.trim_end_matches(".0"));
    }
}

/// The same seed gives the same program for ever; who changes that on purpose blesses the snapshots.
#[test]
fn programs_stay_the_same() {
    let small = |language| Parameters {
        max_top_level_statements: 5,
        max_block_statements: 3,
        max_statements: 12,
        ..parameters(language, 2)
    };
    expect_test::expect_file!["snapshots/2.uc"].assert_eq(&text(&small(Language::Microc)));
    expect_test::expect_file!["snapshots/2.c"].assert_eq(&text(&small(Language::C)));
    // And all others, as far as their text tells.
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    for seed in 0..UNUSUAL {
        for language in [Language::Microc, Language::C] {
            for byte in text(&unusual(language, seed)).bytes() {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    expect_test::expect!["6c2cda9f5125570d"].assert_eq(&format!("{sum:016x}"));
}
