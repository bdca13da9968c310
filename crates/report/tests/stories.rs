//! Stories of generated programs: their counts are those of the interpreter's own profile, and they can be told whatever happens.

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::story::{Recorder, Story};
use loupe_engine::concrete::{Interpreter, Observer, Options, Run, RunLength};
use loupe_gen::{Language, Parameters, Probability, generate};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::Sources;
use loupe_microc::{Dialect, lower, parse, resolve};
use loupe_report::story::{Ending, Telling, json, text};

/// So many programs of each language; `LOUPE_STORIES` for more.
fn programs() -> u64 {
    let wanted = std::env::var("LOUPE_STORIES").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(1_000)
}

fn program(language: Language, seed: u64) -> Program {
    let error_probability = Probability::percent(30);
    let parameters = Parameters { language, seed, error_probability, ..Parameters::default() };
    let source = generate(&parameters).expect("usual parameters");
    match language {
        Language::C => compile_text(&source, DataModel::Lp64, Checks::default()).program,
        Language::Microc => {
            let mut sources = Sources::new();
            let tree = parse(sources.add("test.uc", source.as_str()), &source).expect("a program");
            let names = resolve(&tree).expect("known names");
            lower(&tree, &names, sources, Dialect::default())
        }
    }
}

fn inputs(seed: u64) -> Vec<Integer> {
    (0..4u64).map(|at| Integer::from((seed.wrapping_mul(31) >> (at * 3)) as i64 % 5 - 1)).collect()
}

fn run(program: &Program, inputs: &[Integer], observer: &mut impl Observer) -> Run {
    let options = Options {
        input: Box::new(inputs.iter().cloned().collect::<RunLength>()),
        max_steps: Some(20_000),
        max_depth: 500,
        ..Options::default()
    };
    Interpreter::new(program, options).run(&mut Vec::new(), observer)
}

/// What the story says of loops is what the profile has counted.
fn compare(program: &Program, profile: &Profile<'_>, story: &Story, what: &str) {
    let tallies = story.tallies();
    for (function, code) in program.functions() {
        if !program.sources.is_users(code.span) {
            continue;
        }
        for (id, counted) in profile.loops(function) {
            let told = tallies.loops.get(&(function, id)).cloned().unwrap_or_default();
            assert_eq!(told.visits, counted.entries, "{what}: visits in {}", code.name);
            assert_eq!(told.iterations, counted.iterations, "{what}: iterations in {}", code.name);
            let taken = told.paths.values().sum::<u64>();
            assert_eq!(taken, counted.iterations, "{what}: paths in {}", code.name);
            for (number, path) in counted.paths.iter().enumerate() {
                let told = told.paths.get(&(number as u32)).copied();
                assert_eq!(told, Some(path.count), "{what}: path {number} in {}", code.name);
            }
        }
    }
}

fn check(language: Language, seed: u64) -> usize {
    let what = format!("{language:?} {seed}");
    let (program, inputs) = (program(language, seed), inputs(seed));
    let mut profile = Profile::new(&program);
    let end = run(&program, &inputs, &mut profile);
    profile.finish(&end);
    let mut recorder = Recorder::new(&program);
    run(&program, &inputs, &mut recorder);
    let story = recorder.finish();
    compare(&program, &profile, &story, &what);
    let telling =
        Telling { program: &program, story: &story, inputs: &inputs, ending: Ending::Error };
    let lines = text(&telling);
    assert!(lines.len() <= 41, "{what}: {} lines", lines.len());
    assert!(json(&telling).is_array(), "{what}");
    lines.len()
}

#[test]
fn microc_programs_are_told_as_they_ran() {
    let lines: usize = (0..programs()).map(|seed| check(Language::Microc, seed)).sum();
    assert!(lines as u64 > programs(), "most programs have something to tell: {lines} lines");
}

#[test]
fn c_programs_are_told_as_they_ran() {
    let lines: usize = (0..programs() / 4).map(|seed| check(Language::C, seed)).sum();
    assert!(lines as u64 > programs() / 4, "most programs have something to tell: {lines} lines");
}
