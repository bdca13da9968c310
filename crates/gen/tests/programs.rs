//! Generated programs are accepted by the front ends, end, and are worth executing.

mod support;

use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{End, Halt, Interpreter, Options, Run, RunLength};
use loupe_gen::{
    ErrorKind, ErrorKinds, InputRange, Language, Parameters, Probability, Termination, generate,
};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use support::compile;

const SEEDS: u64 = 400;

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
    if seed % 11 == 0 {
        (unusual.max_arrays, unusual.max_records, unusual.max_pointers) = (0, 0, 0);
        (unusual.max_lists, unusual.max_functions, unusual.max_block_depth) = (0, 0, 0);
        (unusual.max_variables, unusual.max_expression_depth, unusual.max_inputs) = (1, 0, 1);
    }
    unusual
}

fn run(program: &Program, inputs: &[i64], profile: &mut Profile<'_>) -> Run {
    let input: RunLength = inputs.iter().map(|input| Integer::from(*input)).collect();
    let options = Options {
        input: Box::new(input),
        max_steps: Some(1_000_000),
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
            let run = run(&program, &inputs, &mut profile);
            let context = || format!("seed {seed}, inputs {inputs:?}: {:?}\n{source}", run.end);
            assert!(run.positions.input <= u64::from(parameters.max_inputs), "{}", context());
            paths.insert((run.steps, format!("{:?}", run.stack)));
            match &run.end {
                End::Failed(failure) => {
                    failed = true;
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
        shares.count("has an array", source.contains('['));
        for kind in kinds {
            shares.count(kind, true);
        }
    }
    shares
}

#[test]
fn microc_programs_are_interesting() {
    let shares = measure(Language::Microc);
    eprintln!("{shares:#?}");
}

#[test]
fn c_programs_are_interesting() {
    let shares = measure(Language::C);
    eprintln!("{shares:#?}");
}

/// Whatever the parameters are, front ends and gcc accept the program, and runs do not confuse the
/// interpreter.
#[test]
fn unusual_parameters_give_good_programs() {
    for language in [Language::Microc, Language::C] {
        for seed in 0..SEEDS {
            let parameters = unusual(language, seed);
            let source = text(&parameters);
            let program = compile(&parameters, &source);
            let mut profile = Profile::new(&program);
            for inputs in [vec![], vec![1, 2, 3], vec![3, -7, 1000, 0]] {
                let run = run(&program, &inputs, &mut profile);
                let context = || format!("{:?}\n{source}", run.end);
                assert!(run.positions.input <= u64::from(parameters.max_inputs), "{}", context());
                let must_end = parameters.termination == Termination::Always;
                match &run.end {
                    // An input that its type cannot hold.
                    End::Halted(Halt::Input(_)) => {}
                    End::Halted(Halt::Limit(_)) => assert!(!must_end, "{}", context()),
                    End::Halted(_) => panic!("{}", context()),
                    _ => {}
                }
            }
        }
    }
}
