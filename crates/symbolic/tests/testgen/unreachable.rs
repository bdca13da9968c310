//! Ways out of branches that are called unreachable, against brute force: no run on any small input takes one.

use super::{Ways, end_of_input, support, vectors, ways};
use loupe_gen::{Language, Parameters, generate};
use loupe_ir::program::{Program, TerminatorKind};
use loupe_symbolic::explore::{
    AllErrors, Draft, DraftFor, DraftUntil, Explorer, Limits, LoopMode, Options, Undefined,
};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::target::with_targets_on;
use std::time::Duration;

/// How many programs of each language are looked at.
const PROGRAMS: u64 = 12;
/// So many ways of each are asked for one by one.
const WAYS: usize = 5;

/// All ways out of branches of the user.
fn all_ways(program: &Program) -> Ways {
    let mut all = Ways::new();
    for (id, function) in program.functions() {
        if !program.sources.is_users(function.span) || function.name.starts_with(Program::START) {
            continue;
        }
        for (from, block) in function.blocks() {
            if let TerminatorKind::Branch { then, otherwise, .. } = block.terminator.kind
                && then != otherwise
            {
                let edge = |to| (id, loupe_ir::analysis::graph::Edge { from, to });
                all.extend([edge(then), edge(otherwise)]);
            }
        }
    }
    all
}

/// Whether it is proved that none of these ways is taken.
fn is_proved(program: &Program, language: Language, targets: &Ways, undefined: Undefined) -> bool {
    let targets: Vec<_> = targets.iter().copied().collect();
    let aimed = with_targets_on(program, &targets);
    let time = Duration::from_millis(100);
    let mut options = Options {
        property: Property::Target,
        all_errors: AllErrors::StopAtFirst,
        undefined,
        limits: Limits { paths: Some(30), depth: Some(40), iterations: Some(5), steps: None },
        loops: LoopMode::Auto,
        draft: Some(Draft { time, purpose: DraftFor::Guidance, ways: 50, until: DraftUntil::Gone }),
        end_of_input: end_of_input(language),
        ..Options::default()
    };
    (options.solver.work, options.solver.time) = (50_000, Duration::from_millis(50));
    let search = strategy(Strategy::Dfs, &aimed, 0, &[]);
    let explored = Explorer::new(&aimed, options, search).run(&mut (), &|_, _| None);
    explored.expect("no internal error").is_safe()
}

/// How many ways were asked for, and how many proved to be unreachable.
fn check(language: Language, seed: u64) -> (usize, usize) {
    let parameters = Parameters { language, seed, ..Parameters::default() };
    let text = generate(&parameters).expect("usual parameters");
    let program = support::compile(language, &text);
    let inputs = vectors(parameters.max_inputs, &[-100, -1, 0, 1, 2, 3, 100]);
    let taken = ways(&program, language, inputs.iter().map(|v| (&v[..], &[][..])));
    let undefined = match language {
        // An error ends a program.
        Language::Microc => Undefined::Ended,
        Language::C => Undefined::Unknown,
    };
    let all = all_ways(&program);
    let mut proved = 0;
    // Those that runs take are asked for as well: that they are unreachable must not be proved.
    let step = (all.len() / WAYS).max(1);
    for way in all.iter().skip(seed as usize % step).step_by(step) {
        let is_unreachable = is_proved(&program, language, &Ways::from([*way]), undefined);
        assert!(!(is_unreachable && taken.contains(way)), "{text}\n{way:?} is taken");
        proved += usize::from(is_unreachable);
    }
    let open: Ways = all.difference(&taken).copied().collect();
    if is_proved(&program, language, &open, undefined) {
        proved += open.len();
    }
    (all.len(), proved)
}

#[test]
fn no_run_takes_a_way_that_was_called_unreachable() {
    let (mut all, mut proved) = (0, 0);
    for seed in 0..PROGRAMS {
        for language in [Language::Microc, Language::C] {
            let (ways, unreachable) = check(language, seed);
            (all, proved) = (all + ways, proved + unreachable);
        }
    }
    println!("{proved} of {all} ways were called unreachable");
    assert!(proved > 5, "the programs show something: {proved} of {all}");
}
