//! Lists as arrays, against brute force: functions over lists are run on all short lists with small values, and explored in several manners.
//!
//! What a run does is never ruled out; what an exploration claims to be reached is replayed by itself, and a replay that differs is an error. Executing
//! loops one iteration after the other finds everything that short lists do.

mod programs;

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_entry;
use loupe_engine::concrete::{self, Interpreter, RunLength, Unobserved};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::{Exploration, Explorer, Limits, LoopMode, Options, Stop};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};
use std::collections::BTreeMap;

/// Some lists: the inputs and the uninitialised values that make them.
#[derive(Clone, Debug, Default)]
struct World {
    inputs: Vec<i64>,
    undefined: Vec<i64>,
}

/// All lists of at most so many nodes whose columns hold numbers from 0 to below these.
fn lists(most: usize, columns: &[i64]) -> Vec<World> {
    let mut all = Vec::new();
    for length in 0..=most {
        let ranges: Vec<i64> = columns.iter().flat_map(|range| vec![*range; length]).collect();
        let mut contents: Vec<Vec<i64>> = vec![Vec::new()];
        for range in ranges {
            let longer = |known: &Vec<i64>| {
                let known = known.clone();
                (0..range).map(move |value| [&known[..], &[value]].concat())
            };
            contents = contents.iter().flat_map(longer).collect();
        }
        let inputs = vec![length as i64];
        let worlds = contents.into_iter();
        all.extend(worlds.map(|undefined| World { inputs: inputs.clone(), undefined }));
    }
    all
}

/// All pairs.
fn pairs(first: &[World], second: &[World]) -> Vec<World> {
    let pair = |a: &World, b: &World| World {
        inputs: [&a.inputs[..], &b.inputs[..]].concat(),
        undefined: [&a.undefined[..], &b.undefined[..]].concat(),
    };
    first.iter().flat_map(|a| second.iter().map(move |b| pair(a, b))).collect()
}

type Errors = BTreeMap<(Span, CheckKind), World>;

/// The errors that runs come to, each with a world.
fn errors(program: &Program, worlds: &[World]) -> Errors {
    let mut found = Errors::new();
    for world in worlds {
        let stream = |numbers: &[i64]| {
            let numbers = numbers.iter().map(|number| Integer::from(*number));
            Box::new(numbers.collect::<RunLength>())
        };
        let options = concrete::Options {
            input: stream(&world.inputs),
            undefined: stream(&world.undefined),
            ..concrete::Options::default()
        };
        let run = Interpreter::new(program, options).run(&mut Vec::new(), &mut Unobserved);
        match run.end {
            concrete::End::Failed(failure) => {
                found.entry((failure.span, failure.kind)).or_insert_with(|| world.clone());
            }
            concrete::End::Returned(_) => {}
            other => panic!("{world:?}: {other:?}"),
        }
    }
    found
}

/// Explorations that are more work than this, about seconds, are given up.
const EFFORT: u64 = 3_000_000;

fn explore(text: &str, program: &Program, loops: LoopMode) -> Exploration {
    let iterations = (loops == LoopMode::Unroll).then_some(5);
    let limits = Limits { iterations, paths: Some(300), ..Limits::default() };
    let options = Options { limits, loops, property: Property::NoErrors, ..Options::default() };
    let search = strategy(Strategy::Bfs, program, 7, &[]);
    // Some summaries are hard work, and what was found by then is compared all the same.
    let enough = |found: &Exploration, _: usize| {
        (loops != LoopMode::Unroll && found.effort > EFFORT).then_some(Stop::Time)
    };
    let explored = Explorer::new(program, options, search).run(&mut (), &enough);
    explored.unwrap_or_else(|error| panic!("{text}\n{loops:?}: {error}"))
}

/// What was found out about functions.
#[derive(Debug, Default)]
struct Figures {
    /// In how many manners functions were proved.
    proved: usize,
    /// How many errors were found in which manners.
    found: usize,
}

/// Compares a function `f` in all manners with runs.
fn compare(text: &str, worlds: &[World], figures: &mut Figures) {
    let text = format!("extern void reach_error(void);\n{text}");
    let checks = Checks { signed_overflow: false, uninitialised: false, pointer_arithmetic: false };
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = compile_entry(&text, model, checks, "f").program;
        let expected = errors(&program, worlds);
        for loops in [LoopMode::Unroll, LoopMode::Auto, LoopMode::Summary, LoopMode::Necessary] {
            // The rest does not depend on the size of pointers.
            if model == DataModel::Ilp32 && loops != LoopMode::Auto {
                continue;
            }
            let found = explore(&text, &program, loops);
            let is_closed =
                found.unsure.is_empty() && found.cut_off == 0 && found.stop == Stop::Complete;
            for (error, world) in &expected {
                // Errors in the model of the library are told apart by calls, which runs do not say.
                let known = found
                    .violations
                    .values()
                    .any(|violation| (violation.failure.span, violation.failure.kind) == *error);
                assert!(
                    known || !is_closed,
                    "{text}\n{loops:?} rules out {error:?}, which happens for {world:?}"
                );
                assert!(
                    known || loops != LoopMode::Unroll,
                    "{text}\n{error:?} is not found, which happens for {world:?}\n{:?}",
                    found.unsure
                );
            }
            figures.proved += usize::from(found.is_safe());
            figures.found += found.violations.len();
        }
    }
}
