//! Test generation: a small set of inputs that covers what an exploration has found to be reachable.
//!
//! A [`Generator`] watches an exploration. Whenever a state is the first to take a way out of a branch, values
//! for its path condition are an input, whatever becomes of that path; ended paths, and those that are left
//! when the exploration stops, are inputs too. Nothing is believed: every input is run by the
//! interpreter, and what counts is what was executed there (`points`). In the end a small set of inputs
//! is chosen that executes all that any of them does (`cover`), and inputs that show errors are added, one
//! for each place.
//!
//! This is the test generation of KLEE (Cadar, Dunbar, Engler, OSDI 2008, section 2) with one difference: there a
//! state yields a test when it ends, here as soon as it has reached something new.
//!
//! Runs of many iterations go over most of them where a summary says how they end (`explore/skip.rs`).
//!
//! The search strategy decides what is found. What stays open then can be asked for, way by way ([`Generator::open_ways`]): each is a target of its own, which is reached by an
//! input to try, or proved to be unreachable, or neither.
//!
//! Not done: inputs are not changed at random.

mod cover;
mod points;
mod replay;

pub use points::{Way, WayKind};
pub use replay::{Printed, Replay};

use crate::domain::Symbolic;
use crate::explore::{Exploration, Jump, Leaf, Model, Observer, Plan, Planner, Prefix, Violation};
use crate::loops::Loops;
use cover::Candidate;
use fixedbitset::FixedBitSet;
use loupe_engine::concrete::profile::{Coverage, Profile, Tally};
use loupe_engine::concrete::{End, Run};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use points::{Points, Trace};
use std::collections::{BTreeMap, HashSet};

/// More inputs are kept only if they execute something new.
const MAX_CANDIDATES: usize = 1 << 12;
/// So many instructions are executed, about, on inputs of states that are left when the exploration stops.
const STEPS_FOR_ABANDONED: u64 = 100_000_000;

/// How tests are made.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is read behind the end of the input.
    pub end_of_input: Integer,
    /// Runs on inputs are stopped after so many instructions, unless they show an error.
    pub max_steps: u64,
}

/// Why there is a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It executes something that no other one does.
    Coverage,
    /// It shows an error of this kind.
    Error(CheckKind),
}

/// Whether what a run shows depends on values that nobody has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uninitialised {
    /// It did not when they were others.
    NoMatter,
    /// It did.
    Matter,
}

/// An input, and what happens on it.
#[derive(Debug)]
pub struct Test {
    /// Why it is there.
    pub purpose: Purpose,
    /// The inputs.
    pub model: Model,
    /// How the run on them ended.
    pub run: Run,
    /// What it put out.
    pub printed: Printed,
    /// Whether the end or the output depends on uninitialised values.
    pub uninitialised: Uninitialised,
    /// Iterations that the run has gone over, by the closed forms of summaries.
    pub jumps: Vec<Jump>,
}

/// A set of tests, and what it covers in functions of the user.
#[derive(Debug)]
pub struct Suite {
    /// The tests: first those for coverage, then the errors in the order of their places.
    pub tests: Vec<Test>,
    /// The ways out of branches that were taken.
    pub branches: Tally,
    /// Those that were not, and of which nobody knows whether they can be.
    pub uncovered: Vec<Way>,
    /// Those that no execution takes, which was proved.
    pub unreachable: Vec<Way>,
    /// Functions, instructions and lines; its branches are those of the profile.
    pub coverage: Coverage,
    /// How many inputs were tried.
    pub tried: u64,
    /// How many new places had a path condition for which nobody knows values.
    pub without_values: u64,
}

impl Suite {
    /// How many lines have been executed.
    pub fn lines(&self) -> Tally {
        let mut all = Tally::default();
        for file in self.coverage.lines.keys() {
            let Tally { covered, total } = self.coverage.file(*file);
            all.covered += covered;
            all.total += total;
        }
        all
    }
}

/// Collects inputs during an exploration.
#[derive(Debug)]
pub struct Generator<'p> {
    program: &'p Program,
    loops: Loops,
    options: Options,
    points: Points,
    candidates: Vec<Candidate>,
    /// What some candidate executes.
    covered: FixedBitSet,
    /// What different candidates execute.
    traces: HashSet<FixedBitSet>,
    tried: u64,
    without_values: u64,
    steps_for_abandoned: u64,
    /// The ways that no execution takes.
    unreachable: FixedBitSet,
}

impl<'p> Generator<'p> {
    /// Tests for a valid program.
    pub fn new(program: &'p Program, options: Options) -> Self {
        let points = Points::new(program);
        Generator {
            program,
            loops: Loops::new(program),
            options,
            covered: FixedBitSet::with_capacity(points.len()),
            unreachable: FixedBitSet::with_capacity(points.len()),
            points,
            candidates: Vec::new(),
            traces: HashSet::new(),
            tried: 0,
            without_values: 0,
            steps_for_abandoned: STEPS_FOR_ABANDONED,
        }
    }

    /// Runs the program on an input, and keeps that if it is of use; how many instructions it took.
    fn attempt(&mut self, model: Model, plan: Plan) -> u64 {
        let replay = Replay::limited(&self.options);
        let (run, points, plan) = self.watched(&replay, &model, plan);
        self.tried += 1;
        let news = !points.is_subset(&self.covered);
        let has_room = self.candidates.len() < MAX_CANDIDATES;
        if self.traces.contains(&points) || !(news || has_room) {
            return run.steps;
        }
        self.covered.union_with(&points);
        self.traces.insert(points.clone());
        self.candidates.push(Candidate { model, plan, points, rank: rank(&run.end) });
        run.steps
    }

    /// A run with what it covers, and the plan without what leads astray.
    fn watched(&self, replay: &Replay<'_>, model: &Model, plan: Plan) -> (Run, FixedBitSet, Plan) {
        let mut trace = Trace::new(&self.points);
        let program = (self.program, &self.loops);
        if let Some((run, ..)) = replay.run_planned(program, (model, &plan), &mut trace) {
            let points = trace.finish(&run);
            return (run, points, plan);
        }
        let mut trace = Trace::new(&self.points);
        let (run, _) = Replay::limited(&self.options).run(self.program, model, &mut trace);
        let points = trace.finish(&run);
        (run, points, Plan::default())
    }

    fn attempt_prefix(&mut self, domain: &mut Symbolic, prefix: Prefix<'_>) -> u64 {
        let Some(values) = domain.path_model() else {
            self.without_values += 1;
            return 0;
        };
        match domain.inputs_of(prefix.streams, prefix.memory, &values).ok().flatten() {
            Some(model) => {
                let (program, loops) = (self.program, &self.loops);
                let plan = Planner { program, loops, domain }.plan(prefix.passed, &values);
                self.attempt(model, plan)
            }
            None => {
                self.without_values += 1;
                0
            }
        }
    }

    /// The ways that no input takes so far, with their numbers, without those that are known to be unreachable.
    pub fn open_ways(&self) -> Vec<(usize, Way)> {
        let all = self.points.ways().iter().enumerate();
        let open = all.filter(|(number, _)| {
            !self.covered.contains(*number) && !self.unreachable.contains(*number)
        });
        open.map(|(number, way)| (number, way.clone())).collect()
    }

    /// Tries an input that somebody else has found.
    pub fn try_input(&mut self, model: &Model) {
        self.attempt(model.clone(), Plan::default());
    }

    /// Notes that no execution takes a way: that was proved.
    pub fn prove_unreachable(&mut self, number: usize) {
        self.unreachable.grow(number + 1);
        self.unreachable.insert(number);
    }

    /// Chooses the tests; `exploration` is the one that was watched.
    pub fn finish(self, exploration: &Exploration) -> Suite {
        let errors: Vec<&Violation> = exploration.violations.values().collect();
        let watched = |error: &&Violation| {
            let (_, points, plan) =
                self.watched(&self.replay_of(error), &error.model, error.plan.clone());
            (points, plan)
        };
        let (fixed, plans): (Vec<FixedBitSet>, Vec<Plan>) = errors.iter().map(watched).unzip();
        let chosen = cover::choose(&self.candidates, &fixed, self.points.ways().len());
        let limited = Replay::limited(&self.options);
        let mut profile = Profile::new(self.program);
        let mut tests = Vec::with_capacity(chosen.len() + errors.len());
        for index in chosen {
            let Candidate { model, plan, .. } = &self.candidates[index];
            tests.push(self.test(Purpose::Coverage, (model, plan), &limited, &mut profile));
        }
        for (error, plan) in errors.into_iter().zip(&plans) {
            let purpose = Purpose::Error(error.kind);
            let replay = self.replay_of(error);
            let mut test = self.test(purpose, (&error.model, plan), &replay, &mut profile);
            // The replay that has found it could go over more iterations than one that is watched.
            if matches!(test.run.end, End::Halted(_)) {
                (test.run, test.jumps) = (error.replay(), error.jumps.clone());
            }
            tests.push(test);
        }
        self.suite(tests, &profile)
    }

    /// An error is run to its end, unless that was found by going over iterations.
    fn replay_of(&self, error: &Violation) -> Replay<'_> {
        match error.jumps.is_empty() {
            true => Replay::unlimited(&self.options),
            false => Replay::limited(&self.options),
        }
    }

    fn test(
        &self,
        purpose: Purpose,
        (model, plan): (&Model, &Plan),
        replay: &Replay<'_>,
        profile: &mut Profile<'p>,
    ) -> Test {
        let program = (self.program, &self.loops);
        let planned = replay.run_planned(program, (model, plan), profile);
        // A plan that has led astray was dropped before.
        let (run, printed, jumps) = planned.unwrap_or_else(|| {
            let (run, printed) = replay.run(self.program, model, profile);
            (run, printed, Vec::new())
        });
        profile.finish(&run);
        let uninitialised = replay.uninitialised(self.program, model, (&run, &printed));
        Test { purpose, model: model.clone(), run, printed, uninitialised, jumps }
    }

    /// What the tests cover, as the profile of their runs has it.
    fn suite(self, tests: Vec<Test>, profile: &Profile<'p>) -> Suite {
        let mut branches = Tally::default();
        let (mut uncovered, mut unreachable) = (Vec::new(), Vec::new());
        for (number, way) in self.points.ways().iter().enumerate() {
            let taken = profile.edge_count(way.function, way.edge) > 0;
            branches.covered += usize::from(taken);
            branches.total += 1;
            let is_proved = self.unreachable.contains(number);
            debug_assert!(!(taken && is_proved), "a run takes a way that was called unreachable");
            match (taken, is_proved) {
                (true, _) => {}
                (false, true) => unreachable.push(way.clone()),
                (false, false) => uncovered.push(way.clone()),
            }
        }
        let mut coverage = Coverage::default();
        for function in self.points.functions() {
            add(&mut coverage, profile.function_coverage(function));
        }
        let (tried, without_values) = (self.tried, self.without_values);
        Suite { tests, branches, uncovered, unreachable, coverage, tried, without_values }
    }
}

impl Observer for Generator<'_> {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        let Leaf { streams, memory, passed, .. } = leaf;
        let prefix = Prefix { streams, memory, passed };
        self.attempt_prefix(domain, prefix);
    }

    fn reached(&mut self, domain: &mut Symbolic, prefix: Prefix<'_>) {
        self.attempt_prefix(domain, prefix);
    }

    fn abandoned(&mut self, domain: &mut Symbolic, prefix: Prefix<'_>) {
        // Only values at hand: what the solver may still do is over. What these states have reached has
        // its inputs already; here only what lies behind can be new, so it need not be looked for at any price.
        if self.steps_for_abandoned > 0 && domain.path.model().is_some() {
            let steps = self.attempt_prefix(domain, prefix);
            self.steps_for_abandoned = self.steps_for_abandoned.saturating_sub(steps);
        }
    }
}

/// The better a run ends, the smaller: a test should end by itself, and mean something.
fn rank(end: &End) -> u32 {
    match end {
        End::Returned(_) | End::Exited(_) => 0,
        End::Aborted => 1,
        End::Failed(_) => 2,
        End::AssumptionFailed => 3,
        End::Halted(_) => 4,
    }
}

fn add(sum: &mut Coverage, coverage: Coverage) {
    let tallies = [
        (&mut sum.functions, coverage.functions),
        (&mut sum.blocks, coverage.blocks),
        (&mut sum.instructions, coverage.instructions),
        (&mut sum.branches, coverage.branches),
    ];
    for (sum, Tally { covered, total }) in tallies {
        sum.covered += covered;
        sum.total += total;
    }
    for (file, lines) in coverage.lines {
        let known: &mut BTreeMap<u32, bool> = sum.lines.entry(file).or_default();
        for (line, covered) in lines {
            *known.entry(line).or_default() |= covered;
        }
    }
}
