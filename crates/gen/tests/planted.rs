//! What goes wrong in generated programs goes wrong where the generator says that it planted an error.

mod support;

use loupe_engine::concrete::{End, Interpreter, Options, Run, RunLength, Unobserved};
use loupe_gen::{
    ErrorKind, ErrorKinds, Generated, Language, Parameters, Planted, Probability, Style,
    sample_inputs,
};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::Position;
use std::collections::BTreeSet;
use support::compile;

fn program(parameters: &Parameters) -> Generated {
    loupe_gen::program(parameters).expect("the parameters make sense")
}

fn run(program: &Program, inputs: &[i64]) -> Run {
    let input: RunLength = inputs.iter().map(|input| Integer::from(*input)).collect();
    let options = Options {
        input: Box::new(input),
        max_steps: Some(3_000_000),
        max_bits: 10_000,
        ..Options::default()
    };
    Interpreter::new(program, options).run(&mut Vec::new(), &mut Unobserved)
}

/// The planted error that a run has met.
fn met<'g>(generated: &'g Generated, program: &Program, run: &Run) -> Option<&'g Planted> {
    let End::Failed(failure) = &run.end else { return None };
    let spans = run.stack.iter().map(|call| call.span).chain([failure.span]);
    let places: Vec<Position> =
        spans.filter(|span| program.sources.is_users(*span)).map(|span| span.start).collect();
    generated.planted.iter().find(|planted| {
        planted.kind.checks().contains(&failure.kind.name())
            && places.contains(&Position::new(planted.line, planted.column))
    })
}

/// How many planted errors there are in the programs of some seeds, and how many of them sample inputs lead to.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    places: u64,
    planted: u64,
    met: u64,
    kinds: BTreeSet<ErrorKind>,
}

fn tally(seeds: u64, runs: usize, parameters: impl Fn(u64) -> Parameters) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..seeds {
        let parameters = parameters(seed);
        let generated = program(&parameters);
        let compiled = compile(&parameters, &generated.text);
        let mut found: BTreeSet<(u32, u32)> = BTreeSet::new();
        for inputs in sample_inputs(&parameters, runs) {
            let run = run(&compiled, &inputs);
            if !matches!(run.end, End::Failed(_)) {
                continue;
            }
            let met = met(&generated, &compiled, &run).unwrap_or_else(|| {
                let (end, planted) = (&run.end, &generated.planted);
                panic!("{inputs:?}: {end:?} was not planted: {planted:?}\n{}", generated.text)
            });
            found.insert((met.line, met.column));
            tally.kinds.insert(met.kind);
        }
        tally.programs += 1;
        tally.places += generated.places;
        tally.planted += generated.planted.len() as u64;
        tally.met += found.len() as u64;
    }
    println!("{tally:?}");
    tally
}

/// All kinds of errors are planted, runs fail nowhere else, and many of them are within reach.
#[test]
fn runs_fail_where_errors_were_planted() {
    for language in [Language::Microc, Language::C] {
        let tally = tally(200, 40, |seed| Parameters {
            language,
            seed,
            errors: "all".parse().expect("all kinds"),
            input_range: if seed % 5 == 0 { None } else { Parameters::default().input_range },
            guaranteed_error: seed % 3 == 0,
            max_functions: 4,
            ..Parameters::default()
        });
        let missing: Vec<_> = (ErrorKind::ALL.into_iter())
            .filter(|kind| kind.is_in(language) && !tally.kinds.contains(kind))
            .collect();
        assert!(missing.is_empty(), "{language}: {missing:?} never met");
        // Whoever ends a run keeps others out of reach.
        assert!(tally.met * 4 > tally.planted, "{language}: {tally:?}");
    }
}

/// Large programs with many places that could fail and few that do (section 7.1 of the thesis).
fn large(language: Language, seed: u64, rate: &str) -> Parameters {
    Parameters {
        language,
        seed,
        error_rate: Some(rate.parse().expect("a probability")),
        errors: "division,bounds,null,assertion".parse().expect("kinds of errors"),
        max_top_level_statements: 200,
        max_statements: 600,
        max_variables: 12,
        max_arrays: 4,
        max_records: 4,
        max_pointers: 4,
        max_lists: 2,
        max_functions: 6,
        ..Parameters::default()
    }
}

#[test]
fn large_programs_without_errors_could_fail_in_many_places() {
    for language in [Language::Microc, Language::C] {
        let tally = tally(12, 12, |seed| large(language, seed, "0"));
        assert_eq!((tally.planted, tally.met), (0, 0), "{language}");
        assert!(tally.places > 60 * tally.programs, "{language}: {tally:?}");
    }
}

/// As many as the rate says, of the places where the generator had a choice: never more, and not much less.
#[test]
fn the_error_rate_is_kept() {
    for language in [Language::Microc, Language::C] {
        for (rate, percent) in [("0.02", 2), ("0.1", 10)] {
            let (mut places, mut planted) = (0, 0);
            for seed in 0..60 {
                let generated = program(&large(language, seed, rate));
                places += generated.places;
                planted += generated.planted.len() as u64;
            }
            let context = format!("{language}, {rate}: {planted} of {places}");
            println!("{context}");
            assert!(planted * 100 <= places * percent * 3 / 2, "{context}");
            assert!(planted * 100 * 4 >= places * percent, "{context}");
        }
    }
}

/// A guaranteed error is one more, and may stand anywhere: at the top, in nested blocks, and in functions.
#[test]
fn guaranteed_errors_stand_everywhere() {
    for language in [Language::Microc, Language::C] {
        let (mut nested, mut elsewhere) = (0, 0);
        let seeds = 200;
        for seed in 0..seeds {
            let parameters = Parameters {
                language,
                seed,
                guaranteed_error: true,
                errors: ErrorKinds::new(Vec::new()),
                ..Parameters::default()
            };
            let generated = program(&parameters);
            let [planted] = generated.planted.as_slice() else {
                panic!("{:?}\n{}", generated.planted, generated.text)
            };
            let lines: Vec<&str> = generated.text.lines().collect();
            let line = planted.line as usize - 1;
            // `if (…) { reach_error(); }` nests by itself.
            let own = if planted.kind == ErrorKind::Assertion { 8 } else { 4 };
            nested += u32::from(lines[line].len() - lines[line].trim_start().len() > own);
            let main = lines.iter().position(|line| line.contains("main("));
            elsewhere += u32::from(main.is_some_and(|main| line < main));
        }
        let context = format!("{language}: {nested} nested, {elsewhere} in functions");
        println!("{context}");
        assert!((40..180).contains(&nested) && (20..150).contains(&elsewhere), "{context}");
    }
}

/// Programs like those of the thesis have errors at other places too, but the guaranteed one is told.
#[test]
fn guaranteed_errors_of_thesis_programs_are_told() {
    let mut met_ones = 0;
    for seed in 0..40 {
        let parameters = Parameters {
            seed,
            style: Style::Thesis,
            guaranteed_error: true,
            for_loop_probability: Probability::percent(5),
            while_loop_probability: Probability::percent(5),
            ..Parameters::default()
        };
        let generated = program(&parameters);
        assert_eq!(generated.planted.len(), 1, "{}", generated.text);
        let compiled = compile(&parameters, &generated.text);
        let is_met = sample_inputs(&parameters, 10)
            .iter()
            .any(|inputs| met(&generated, &compiled, &run(&compiled, inputs)).is_some());
        met_ones += u32::from(is_met);
    }
    println!("{met_ones} of 40 met");
    assert!((8..40).contains(&met_ones), "{met_ones} of 40");
}
