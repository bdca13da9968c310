//! The executor against brute force: for programs whose inputs matter only in a small range, the paths,
//! outputs and errors that are found symbolically are those of running all inputs.

mod combinations;
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
use loupe_symbolic::domain::Reading;
use loupe_symbolic::domain::{Symbolic, SymbolicIndex};
use loupe_symbolic::explore::{
    End, Exploration, Explorer, Leaf, Limits, Merge, MergeStrategy, Observer, Options,
};
use loupe_symbolic::output::Output;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::trail::Stop;
use loupe_symbolic::value::{Int, SymbolicValue};
use loupe_term::{Assignment, Node, Sort, SymbolId, Value as TermValue};
use std::collections::BTreeSet;

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
        let outputs =
            leaf.outputs.along(|selector| domain.terms.holds(selector, values) == Ok(true));
        let outputs = outputs.iter().map(|output| match output {
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
        let selectors = selectors(domain, &conditions);
        for (vector, seen) in self.vectors.iter().zip(&mut self.seen) {
            // Selectors of ways that were not gone may be anything.
            let mut here = BTreeSet::new();
            for chosen in 0..1_u32 << selectors.len() {
                let values = inputs(domain, leaf, vector, (&selectors, chosen));
                let holds = |condition: &loupe_term::Term| {
                    domain.terms.holds(*condition, &values).expect("a truth value")
                };
                if conditions.iter().all(holds) {
                    here.insert(Self::see(domain, leaf, &values));
                }
            }
            seen.extend(here);
        }
    }
}

/// Symbols that say which of two merged ways is gone.
fn selectors(domain: &Symbolic, conditions: &[loupe_term::Term]) -> Vec<SymbolId> {
    let all: BTreeSet<SymbolId> =
        conditions.iter().flat_map(|condition| domain.terms.free_symbols(*condition)).collect();
    let mut found: Vec<SymbolId> = all.into_iter().collect();
    found.retain(|id| domain.terms.symbol(*id).sort == Sort::Bool);
    assert!(found.len() < 16, "too many selectors");
    found
}

/// The values of symbols if these are the inputs: which symbol stands for an input depends on the way that is gone.
fn inputs(
    domain: &Symbolic,
    leaf: &Leaf,
    vector: &[Integer],
    (selectors, chosen): (&[SymbolId], u32),
) -> Assignment {
    let mut values = Assignment::default();
    for (number, selector) in selectors.iter().enumerate() {
        values.symbols.insert(*selector, TermValue::Bool(chosen >> number & 1 == 1));
    }
    let mut position = 0;
    leaf.streams.readings_trail().walk(|stop| match stop {
        Stop::Fork(selector) => domain.terms.holds(selector, &values).expect("a truth value"),
        Stop::Item(Reading::Loop(_)) => panic!("no loop is passed here"),
        Stop::Item(Reading::Input(input)) => {
            let Node::Symbol(id) = domain.terms.node(input.symbol) else {
                panic!("an input that is no symbol");
            };
            let value = vector.get(position).cloned().unwrap_or(Integer::from(-1));
            values.symbols.insert(*id, TermValue::Int(value));
            position += 1;
            true
        }
    });
    values
}

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The search.
    pub strategy: Strategy,
    /// What indices that depend on inputs become.
    pub index: SymbolicIndex,
    /// Which states are merged.
    pub merge: MergeStrategy,
    /// What merging may cost.
    pub credit: u64,
}

/// The same without merging.
const fn unmerged(strategy: Strategy, index: SymbolicIndex) -> Setting {
    Setting { strategy, index, merge: MergeStrategy::None, credit: Merge::CREDIT }
}

/// All strategies, each with one way to merge.
pub const MERGING: [Setting; 8] = [
    merged(Strategy::Bfs, MergeStrategy::Dynamic),
    merged(Strategy::Bfs, MergeStrategy::Aggressive),
    merged(Strategy::Dfs, MergeStrategy::Lattice),
    merged(Strategy::Random, MergeStrategy::Recursive),
    merged(Strategy::Tree, MergeStrategy::Aggressive),
    merged(Strategy::Coverage, MergeStrategy::Dynamic),
    merged(Strategy::Klee, MergeStrategy::Aggressive),
    merged(Strategy::Target, MergeStrategy::Dynamic),
];

const fn merged(strategy: Strategy, merge: MergeStrategy) -> Setting {
    Setting { strategy, index: SymbolicIndex::Ite, merge, credit: Merge::CREDIT }
}

/// All strategies, each with one way to treat indices.
pub const SETTINGS: [Setting; 8] = [
    unmerged(Strategy::Bfs, SymbolicIndex::Ite),
    unmerged(Strategy::Bfs, SymbolicIndex::Fork),
    unmerged(Strategy::Dfs, SymbolicIndex::Ite),
    unmerged(Strategy::Random, SymbolicIndex::Fork),
    unmerged(Strategy::Tree, SymbolicIndex::Ite),
    unmerged(Strategy::Coverage, SymbolicIndex::Fork),
    unmerged(Strategy::Klee, SymbolicIndex::Ite),
    unmerged(Strategy::Target, SymbolicIndex::Ite),
];

/// Explores a program, and compares it with runs on all of the inputs.
pub fn compare(
    text: &str,
    program: &Program,
    vectors: &[Vec<Integer>],
    setting: Setting,
) -> Exploration {
    let limits = Limits { depth: Some(30), iterations: Some(12), paths: Some(3_000), steps: None };
    let merge = Merge { strategy: setting.merge, credit: setting.credit, ..Merge::default() };
    let mut options =
        Options { limits, symbolic_index: setting.index, merge, ..Options::default() };
    if setting.merge == MergeStrategy::Aggressive {
        // What was merged whatever it costs may be hard: what is not known then is not compared.
        options.solver.work /= 50;
    }
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
