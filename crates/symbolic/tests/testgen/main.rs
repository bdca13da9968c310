//! Test generation against brute force: the branches that generated tests cover, out of those that any
//! input reaches.

mod programs;
mod support;
mod unreachable;

use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{self, Interpreter, RunLength};
use loupe_gen::{Language, Parameters, generate};
use loupe_integer::Integer;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::program::{FunctionId, Program, TerminatorKind};
use loupe_symbolic::explore::{Exploration, Explorer, Limits, Options};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::testgen::{self, Generator, Suite};
use std::collections::BTreeSet;

type Ways = BTreeSet<(FunctionId, Edge)>;

/// How far programs are explored.
struct Budget {
    paths: u64,
    strategy: Strategy,
}

fn end_of_input(language: Language) -> Integer {
    Integer::from(if language == Language::C { 0 } else { -1 })
}

/// The tests of a program.
fn tests(program: &Program, language: Language, budget: &Budget) -> (Suite, Exploration) {
    let options = Options {
        property: Property::NoErrors,
        limits: Limits { paths: Some(budget.paths), depth: Some(200), ..Limits::default() },
        end_of_input: end_of_input(language),
        ..Options::default()
    };
    let search = strategy(budget.strategy, program, 0, &[]);
    let explorer = Explorer::new(program, options, search);
    let max_steps = 1_000_000;
    let options = testgen::Options { end_of_input: end_of_input(language), max_steps };
    let mut generator = Generator::new(program, options);
    let exploration = explorer.run(&mut generator, &|_, _| None).expect("no internal error");
    (generator.finish(&exploration), exploration)
}

/// The ways out of branches of the user that runs on these inputs take.
fn ways<'i>(
    program: &Program,
    language: Language,
    inputs: impl IntoIterator<Item = (&'i [Integer], &'i [Integer])>,
) -> Ways {
    let mut profile = Profile::new(program);
    for (inputs, undefined) in inputs {
        let options = concrete::Options {
            input: Box::new(inputs.iter().cloned().collect::<RunLength>()),
            undefined: Box::new(undefined.iter().cloned().collect::<RunLength>()),
            end_of_input: end_of_input(language),
            command_line: vec![b"program".to_vec()],
            max_steps: Some(1_000_000),
            ..concrete::Options::default()
        };
        let run = Interpreter::new(program, options).run(&mut Vec::new(), &mut profile);
        profile.finish(&run);
    }
    let mut taken = Ways::new();
    for (id, function) in program.functions() {
        if !program.sources.is_users(function.span) || function.name.starts_with(Program::START) {
            continue;
        }
        for (from, block) in function.blocks() {
            let to: Vec<_> = match &block.terminator.kind {
                TerminatorKind::Branch { then, otherwise, .. } => vec![*then, *otherwise],
                TerminatorKind::Switch { cases, default, .. } => {
                    cases.iter().map(|(_, to)| *to).chain([*default]).collect()
                }
                _ => Vec::new(),
            };
            let edges = to.into_iter().map(|to| Edge { from, to });
            taken.extend(edges.filter(|e| profile.edge_count(id, *e) > 0).map(|e| (id, e)));
        }
    }
    taken
}

/// All inputs of some length from these numbers.
fn vectors(length: u32, numbers: &[i64]) -> Vec<Vec<Integer>> {
    let mut all: Vec<Vec<Integer>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |shorter: &Vec<Integer>| {
            let shorter = shorter.clone();
            let one_more = |n: &i64| [&shorter[..], &[Integer::from(*n)]].concat();
            numbers.iter().map(one_more).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn of_suite(suite: &Suite) -> impl Iterator<Item = (&[Integer], &[Integer])> {
    suite.tests.iter().map(|test| (&test.model.inputs[..], &test.model.undefined[..]))
}

/// How many branches some input reaches, and how many of these tests cover.
#[derive(Default)]
struct Score {
    reachable: usize,
    covered: usize,
    tests: usize,
    errors: usize,
}

impl Score {
    fn add(&mut self, program: &Program, language: Language, numbers: &[i64], inputs: u32) {
        let budget = Budget { paths: 300, strategy: Strategy::Klee };
        let (suite, exploration) = tests(program, language, &budget);
        let all = vectors(inputs, numbers);
        let reachable = ways(program, language, all.iter().map(|v| (&v[..], &[][..])));
        let covered = ways(program, language, of_suite(&suite));
        // What the suite says of itself is what another measurement finds.
        assert_eq!(suite.branches.covered, covered.len());
        assert_eq!(suite.branches.total - suite.branches.covered, suite.uncovered.len());
        assert!(suite.tests.len() <= suite.branches.total + 1 + exploration.violations.len());
        self.reachable += reachable.len();
        self.covered += reachable.intersection(&covered).count();
        self.tests += suite.tests.len();
        self.errors += exploration.violations.len();
    }

    fn judge(&self, name: &str) {
        let Score { reachable, covered, tests, errors } = self;
        println!("{name}: {covered} of {reachable} branches, {tests} tests, {errors} errors");
        assert!(*covered * 100 >= *reachable * 98, "{name}: {covered} of {reachable}");
    }
}

fn generated(language: Language, seeds: std::ops::Range<u64>) -> Score {
    let mut score = Score::default();
    for seed in seeds {
        let parameters = Parameters { language, seed, ..Parameters::default() };
        let text = generate(&parameters).expect("usual parameters");
        let program = support::compile(language, &text);
        // All inputs that make a difference, and some beyond.
        score.add(&program, language, &[-100, -1, 0, 1, 2, 3, 100], parameters.max_inputs);
    }
    score
}

#[test]
fn branches_of_random_microc_programs_are_covered() {
    let score = generated(Language::Microc, 0..40);
    score.judge("microc");
    assert!(score.reachable > 200 && score.errors > 5, "the programs show something");
}

#[test]
fn branches_of_random_c_programs_are_covered() {
    let score = generated(Language::C, 0..40);
    score.judge("C");
    assert!(score.reachable > 200 && score.errors > 5, "the programs show something");
}
