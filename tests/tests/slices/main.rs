//! Slices of loops against the loops themselves: the interpreter runs both on the same inputs, and where
//! the loop is left, the slice is left by the same exit, after as many iterations, with the same values.
//!
//! `LOUPE_SLICE_SEEDS=N` and `LOUPE_SLICE_GRAPHS=N` look at more random programs. The figures of the corpus are
//! told even if all is well.

mod corpus;
mod graphs;
mod oracle;
mod read;
mod tracer;
mod traversals;

use loupe_gen::{Language, Parameters, Probability, Termination};
use loupe_tests::corpus::check_all;
use loupe_tests::{files_below, root, tell};
use oracle::{Tally, check_program};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

/// How many random programs of each language there are.
const SEEDS: u64 = 25;

/// Programs with many loops, some of which do not end.
fn parameters(language: Language, seed: u64) -> Parameters {
    Parameters {
        language,
        seed,
        for_loop_probability: Probability::percent(30),
        while_loop_probability: Probability::percent(30),
        max_inputs: 6,
        max_loop_depth: 3,
        max_iterations: 5,
        max_functions: 3,
        error_probability: Probability::percent(3),
        max_lists: 1,
        termination: if seed.is_multiple_of(4) {
            Termination::Perhaps
        } else {
            Termination::Always
        },
        ..Parameters::default()
    }
}

fn random_programs(language: Language) {
    let asked_for = std::env::var("LOUPE_SLICE_SEEDS").ok().and_then(|count| count.parse().ok());
    let seeds: Vec<u64> = (0..asked_for.unwrap_or(SEEDS)).collect();
    let tally = Mutex::new(Tally::default());
    check_all(&format!("slices of random programs, {language:?}"), &seeds, |seed| {
        let text = loupe_gen::generate(&parameters(language, *seed))
            .map_err(|error| format!("seed {seed}: {error}"))?;
        let program = match language {
            Language::Microc => read::microc(&text),
            Language::C => read::c(&format!("{seed}.c"), text.clone().into_bytes()),
        };
        let program = program.map_err(|error| format!("seed {seed}: {error}\n{text}"))?;
        let found = check_program(&program, *seed)
            .map_err(|error| format!("seed {seed}: {error}\n{text}"))?;
        tally.lock().expect("no check panics").add(&found);
        Ok(())
    });
    let tally = tally.into_inner().expect("no check panics");
    tell(&format!("slices, {language:?}: {tally}"));
    tally.assert_meaningful();
}

#[test]
fn random_microc() {
    random_programs(Language::Microc);
}

#[test]
fn random_c() {
    random_programs(Language::C);
}

/// The programs that test single features of C.
#[test]
fn features_of_c() {
    let is_c = |path: &PathBuf| path.extension().is_some_and(|name| name == "c");
    let files: Vec<PathBuf> = files_below(&root().join("c")).into_iter().filter(is_c).collect();
    let tally = Mutex::new(Tally::default());
    check_all("slices of the programs for features of C", &files, |file| {
        let text = fs::read(file).map_err(|error| error.to_string())?;
        // What the front end refuses is a matter of other tests.
        let Ok(program) = read::c(&file.to_string_lossy(), text) else { return Ok(()) };
        let found =
            check_program(&program, 1).map_err(|error| format!("{}: {error}", file.display()))?;
        tally.lock().expect("no check panics").add(&found);
        Ok(())
    });
    let tally = tally.into_inner().expect("no check panics");
    tell(&format!("slices, features of C: {tally}"));
    tally.assert_meaningful();
}
