//! Loops that are passed by their summaries against loops that are executed: the same errors, outputs and results, by the interpreter
//! on all inputs of a small range, and by the explorer without summaries.

mod arrays;
mod c;
mod generated;
mod jumps;
mod necessary;
mod printed;
mod programs;
mod theorems;
mod written;

use loupe_engine::concrete::{self, Interpreter, RunLength, Unobserved};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_ir::source::{Sources, Span};
use loupe_microc::{Dialect, lower, parse, resolve};
use loupe_symbolic::domain::{Feasible, Reading, Symbolic};
use loupe_symbolic::explore::{
    End, Exploration, Explorer, Leaf, Limits, LoopMode, Model, Observer, Options, Stop,
};
use loupe_symbolic::output::Output;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::value::{Int, SymbolicValue};
use loupe_term::{Assignment, Value as TermValue};

/// What can be seen of an execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    outputs: Vec<Integer>,
    end: SeenEnd,
}

/// How it ended, as far as that can be seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeenEnd {
    /// With a number, if it is one.
    Returned(Option<Integer>),
    /// With an error.
    Failed(CheckKind, Span),
    /// A limit, or something without a model.
    GaveUp,
}

/// The program of a microc text.
pub fn microc(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", text);
    let tree = parse(file, text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let resolution = resolve(&tree).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    lower(&tree, &resolution, sources, Dialect::default())
}

/// Numbers that look random.
pub struct Dice(pub u64);

impl Dice {
    /// One below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// One of several texts.
    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// All inputs of some length from a range.
pub fn vectors(length: usize, range: std::ops::RangeInclusive<i64>) -> Vec<Vec<Integer>> {
    let mut all: Vec<Vec<Integer>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |shorter: &Vec<Integer>| {
            let shorter = shorter.clone();
            range.clone().map(move |number| [&shorter[..], &[Integer::from(number)]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// What running the program shows.
fn run(program: &Program, model: &Model) -> Seen {
    let stream = |numbers: &[Integer]| Box::new(numbers.iter().cloned().collect::<RunLength>());
    let options = concrete::Options {
        input: stream(&model.inputs),
        undefined: stream(&model.undefined),
        max_steps: Some(200_000),
        max_depth: 200,
        ..concrete::Options::default()
    };
    let mut outputs = Vec::new();
    let end = Interpreter::new(program, options).run(&mut outputs, &mut Unobserved).end;
    let end = match end {
        concrete::End::Returned(Some(Value::Int(number))) => SeenEnd::Returned(Some(number)),
        concrete::End::Returned(_) => SeenEnd::Returned(None),
        concrete::End::Exited(number) => SeenEnd::Returned(Some(number)),
        concrete::End::Failed(failure) => SeenEnd::Failed(failure.kind, failure.span),
        _ => SeenEnd::GaveUp,
    };
    Seen { outputs, end }
}

/// Compares what paths show with runs.
struct Judge<'v> {
    program: &'v Program,
    text: &'v str,
    vectors: &'v [Vec<Integer>],
    seen: Vec<Vec<Seen>>,
    /// Whether a loop that was passed reads inputs, so that vectors say nothing.
    is_open: bool,
    /// How many paths were replayed.
    replayed: usize,
    unknowns: Unknowns,
}

/// What it means that the solver does not know whether an input takes a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknowns {
    /// That is a defect.
    Forbidden,
    /// Nothing can be said of inputs then.
    Allowed,
}

impl Judge<'_> {
    fn see(domain: &mut Symbolic, leaf: &Leaf, values: &Assignment) -> Option<Seen> {
        let number = |domain: &Symbolic, int: &Int| match int {
            Int::Known(number) => number.clone(),
            Int::Term(term) => match domain.terms.evaluate(*term, values) {
                Ok(TermValue::Int(number)) => number,
                other => panic!("no number: {other:?}"),
            },
        };
        let outputs = domain.outputs_of(&leaf.outputs, values).expect("no bug")?;
        let outputs = outputs.iter().map(|output| match output {
            Output::Number(int) => number(domain, int),
            other => panic!("microc does not put out {other:?}"),
        });
        let outputs = outputs.collect();
        let end = match &leaf.end {
            End::Returned(Some(SymbolicValue::Int(int))) | End::Exited(int) => {
                SeenEnd::Returned(Some(number(domain, int)))
            }
            End::Returned(_) => SeenEnd::Returned(None),
            End::Failed { kind, .. } => SeenEnd::Failed(*kind, leaf.span),
            _ => SeenEnd::GaveUp,
        };
        Some(Seen { outputs, end })
    }
}

impl Observer for Judge<'_> {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        if leaf.is_approximated {
            self.is_open = true;
            return;
        }
        // A path shows what a run on its inputs shows.
        if let Some(values) = domain.path_model()
            && let Some(model) =
                domain.inputs_of(&leaf.streams, &leaf.memory, &values).expect("no bug")
            && let Some(seen) = Self::see(domain, leaf, &values)
            && seen.end != SeenEnd::GaveUp
        {
            let ran = run(self.program, &model);
            if ran.end != SeenEnd::GaveUp {
                assert_eq!(
                    seen, ran,
                    "{}\n{model:?}: the path on the left, the run on the right",
                    self.text
                );
                self.replayed += 1;
            }
        }
        // Every vector takes one path.
        let readings = leaf.streams.readings();
        if readings.iter().any(|reading| matches!(reading, Reading::Loop(_))) {
            self.is_open = true;
            return;
        }
        for (vector, seen) in self.vectors.iter().zip(&mut self.seen) {
            let end = Integer::from(-1);
            let mut conditions = Vec::new();
            for (position, input) in leaf.streams.inputs().iter().enumerate() {
                let value = vector.get(position).unwrap_or(&end).clone();
                let value = domain.terms.int(value);
                conditions.push(domain.terms.eq(input.symbol, value));
            }
            let all = domain.terms.and(conditions);
            match domain.feasible(all).expect("no bug") {
                Feasible::No => {}
                Feasible::Yes(values) => {
                    if let Some(one) = Self::see(domain, leaf, &values) {
                        seen.push(one);
                    }
                }
                Feasible::Unknown(_) if self.unknowns == Unknowns::Allowed => self.is_open = true,
                Feasible::Unknown(reason) => panic!("{}\n{reason}", self.text),
            }
        }
    }
}

/// Explores a program with loops in some mode, and compares it with runs.
pub fn compare(
    text: &str,
    program: &Program,
    vectors: &[Vec<Integer>],
    mode: LoopMode,
) -> Exploration {
    compare_allowing(Unknowns::Forbidden, text, program, vectors, mode).0
}

/// The same where the solver may not know everything; whether all inputs were compared.
pub fn compare_allowing(
    unknowns: Unknowns,
    text: &str,
    program: &Program,
    vectors: &[Vec<Integer>],
    mode: LoopMode,
) -> (Exploration, bool) {
    let limits = Limits { depth: Some(30), iterations: Some(12), paths: Some(300), steps: None };
    let options = Options { limits, loops: mode, ..Options::default() };
    let search = strategy(Strategy::Dfs, program, 7, &[]);
    let seen = vec![Vec::new(); vectors.len()];
    let mut judge = Judge { program, text, vectors, seen, is_open: false, replayed: 0, unknowns };
    let explorer = Explorer::new(program, options, search);
    let exploration = explorer
        .run(&mut judge, &|_, _| None)
        .unwrap_or_else(|error| panic!("{text}\n{mode:?}: {error}"));
    let is_complete = exploration.stop == Stop::Complete && exploration.cut_off == 0;
    if judge.is_open || !is_complete {
        return (exploration, false);
    }
    for (vector, seen) in vectors.iter().zip(&mut judge.seen) {
        // Of an element that nobody wrote, any number may be called the last writer; paths that differ in that alone describe the same run.
        if unknowns == Unknowns::Allowed {
            seen.dedup();
        }
        let ran = run(program, &Model { inputs: vector.clone(), ..Model::default() });
        let unsure = seen.iter().any(|seen| seen.end == SeenEnd::GaveUp);
        match &ran.end {
            _ if unsure => {}
            // Runs for ever, or for long.
            SeenEnd::GaveUp => {}
            _ => assert_eq!(
                seen[..],
                [ran],
                "{text}\n{mode:?}, inputs {vector:?}: paths on the left, the run on the right\n{:#?}",
                exploration.loops
            ),
        }
    }
    (exploration, true)
}
