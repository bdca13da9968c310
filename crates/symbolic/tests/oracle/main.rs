//! The executor against brute force: for programs whose inputs matter only in a small range, the paths,
//! outputs and errors that are found symbolically are those of running all inputs.

mod programs;
mod random;
mod subsumption;

use loupe_engine::concrete::{self, Interpreter, RunLength, Unobserved};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_ir::source::{Sources, Span};
use loupe_microc::{Dialect, lower, parse, resolve};
use loupe_symbolic::domain::{Symbolic, SymbolicIndex};
use loupe_symbolic::explore::{End, Exploration, Explorer, Leaf, Limits, Observer, Options};
use loupe_symbolic::output::Output;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::value::{Int, SymbolicValue};
use loupe_term::{Assignment, Node, Value as TermValue};

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

/// The program of a microc text.
pub fn microc(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", text);
    let tree = parse(file, text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let resolution = resolve(&tree).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    lower(&tree, &resolution, sources, Dialect::default())
}

/// What running the program shows.
fn run(program: &Program, inputs: &[Integer]) -> Seen {
    let options = concrete::Options {
        input: Box::new(inputs.iter().cloned().collect::<RunLength>()),
        max_steps: Some(100_000),
        max_depth: 200,
        ..concrete::Options::default()
    };
    let mut outputs = Vec::new();
    let end = Interpreter::new(program, options).run(&mut outputs, &mut Unobserved).end;
    let end = match end {
        concrete::End::Returned(Some(Value::Int(number))) => SeenEnd::Returned(Some(number)),
        concrete::End::Returned(_) => SeenEnd::Returned(None),
        concrete::End::Failed(failure) => SeenEnd::Failed(failure.kind, failure.span),
        _ => SeenEnd::GaveUp,
    };
    Seen { outputs, end }
}

/// Collects what paths show for each of some inputs.
struct Judge<'v> {
    vectors: &'v [Vec<Integer>],
    seen: Vec<Vec<Seen>>,
}

impl Judge<'_> {
    fn number(domain: &Symbolic, int: &Int, values: &Assignment) -> Integer {
        match int {
            Int::Known(number) => number.clone(),
            Int::Term(term) => match domain.terms.evaluate(*term, values) {
                Ok(TermValue::Int(number)) => number,
                other => panic!("no number: {other:?}"),
            },
        }
    }

    fn see(domain: &Symbolic, leaf: &Leaf, values: &Assignment) -> Seen {
        let outputs = leaf.outputs.iter().map(|output| match output {
            Output::Number(number) => Self::number(domain, number, values),
            other => panic!("microc does not put out {other:?}"),
        });
        let end = match &leaf.end {
            End::Returned(Some(SymbolicValue::Int(int))) => {
                SeenEnd::Returned(Some(Self::number(domain, int, values)))
            }
            End::Returned(_) => SeenEnd::Returned(None),
            End::Failed { kind, .. } => SeenEnd::Failed(*kind, leaf.span),
            _ => SeenEnd::GaveUp,
        };
        Seen { outputs: outputs.collect(), end }
    }
}

impl Observer for Judge<'_> {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        let conditions = leaf.path.conditions();
        let inputs = leaf.streams.inputs();
        for (vector, seen) in self.vectors.iter().zip(&mut self.seen) {
            let mut values = Assignment::default();
            let end = Integer::from(-1);
            for (position, input) in inputs.iter().enumerate() {
                let Node::Symbol(id) = domain.terms.node(input.symbol) else {
                    panic!("an input that is no symbol");
                };
                let value = vector.get(position).unwrap_or(&end).clone();
                values.symbols.insert(*id, TermValue::Int(value));
            }
            let holds = |condition: &loupe_term::Term| {
                domain.terms.holds(*condition, &values).expect("a truth value")
            };
            if conditions.iter().all(holds) {
                seen.push(Self::see(domain, leaf, &values));
            }
        }
    }
}

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The search.
    pub strategy: Strategy,
    /// What indices that depend on inputs become.
    pub index: SymbolicIndex,
}

/// All strategies, each with one way to treat indices.
pub const SETTINGS: [Setting; 8] = [
    Setting { strategy: Strategy::Bfs, index: SymbolicIndex::Ite },
    Setting { strategy: Strategy::Bfs, index: SymbolicIndex::Fork },
    Setting { strategy: Strategy::Dfs, index: SymbolicIndex::Ite },
    Setting { strategy: Strategy::Random, index: SymbolicIndex::Fork },
    Setting { strategy: Strategy::Tree, index: SymbolicIndex::Ite },
    Setting { strategy: Strategy::Coverage, index: SymbolicIndex::Fork },
    Setting { strategy: Strategy::Klee, index: SymbolicIndex::Ite },
    Setting { strategy: Strategy::Target, index: SymbolicIndex::Ite },
];

/// Explores a program, and compares it with runs on all of the inputs.
pub fn compare(
    text: &str,
    program: &Program,
    vectors: &[Vec<Integer>],
    setting: Setting,
) -> Exploration {
    let limits = Limits { depth: Some(30), iterations: Some(12), paths: Some(3_000), steps: None };
    let options = Options { limits, symbolic_index: setting.index, ..Options::default() };
    let search = strategy(setting.strategy, program, 7, &[]);
    let mut judge = Judge { vectors, seen: vec![Vec::new(); vectors.len()] };
    let explorer = Explorer::new(program, options, search);
    let exploration = explorer
        .run(&mut judge, &|_, _| None)
        .unwrap_or_else(|error| panic!("{text}\n{setting:?}: {error}"));
    let is_complete = exploration.stop == loupe_symbolic::explore::Stop::Complete;
    for (vector, seen) in vectors.iter().zip(&judge.seen) {
        let ran = run(program, vector);
        let cut = seen.iter().any(|seen| seen.end == SeenEnd::GaveUp) || !is_complete;
        if cut || ran.end == SeenEnd::GaveUp {
            continue;
        }
        assert_eq!(
            seen[..],
            [ran],
            "{text}\n{setting:?}, inputs {vector:?}: paths on the left, the run on the right"
        );
    }
    exploration
}
