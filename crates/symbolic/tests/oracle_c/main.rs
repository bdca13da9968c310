//! The executor on C against brute force: for programs whose inputs matter only in a small range, the
//! outputs, errors and results on the paths are those of running all inputs.

mod generated;
mod memory;
mod outcomes;
mod streams;
mod uninitialised;

use loupe_c::front::DataModel;
use loupe_c::testing::{ALL_CHECKS, compile_text};
use loupe_engine::concrete::{self, Interpreter, RunLength, Stream, Unobserved};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_symbolic::domain::{Symbolic, SymbolicIndex};
use loupe_symbolic::explore::{End, Exploration, Explorer, Leaf, Limits, Observer, Options, Stop};
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::value::Int;
use loupe_term::{Assignment, Node, Term, Value as TermValue};

/// The program of a C text, with all checks.
pub fn compile(text: &str, data_model: DataModel) -> Program {
    compile_text(text, data_model, ALL_CHECKS).program
}

/// What a run gets from outside.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The inputs.
    pub inputs: Vec<i64>,
    /// The standard input.
    pub standard_input: Vec<u8>,
    /// The arguments behind the name of the program.
    pub arguments: Vec<Vec<u8>>,
}

/// All inputs of some length from a range.
pub fn inputs(length: usize, range: std::ops::RangeInclusive<i64>) -> Vec<World> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |shorter: &Vec<i64>| {
            let shorter = shorter.clone();
            range.clone().map(move |number| [&shorter[..], &[number]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.into_iter().map(|inputs| World { inputs, ..World::default() }).collect()
}

/// What can be seen of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    end: String,
    output: String,
}

/// A limit, or something without a model.
const GAVE_UP: &str = "gave up";

#[derive(Default)]
struct Written(Vec<u8>);

impl concrete::Output for Written {
    fn number(&mut self, _value: &Integer) -> bool {
        true
    }

    fn bytes(&mut self, _stream: Stream, bytes: &[u8]) -> bool {
        self.0.extend(bytes);
        true
    }
}

fn run(program: &Program, world: &World) -> Seen {
    let inputs = world.inputs.iter().map(|number| Integer::from(*number));
    let name = [b"program".to_vec()].into_iter();
    let options = concrete::Options {
        input: Box::new(inputs.collect::<RunLength>()),
        standard_input: Box::new(world.standard_input.clone()),
        command_line: name.chain(world.arguments.clone()).collect(),
        max_steps: Some(100_000),
        max_depth: 200,
        ..concrete::Options::default()
    };
    let mut written = Written::default();
    let end = match Interpreter::new(program, options).run(&mut written, &mut Unobserved).end {
        concrete::End::Returned(Some(Value::Int(number))) => format!("returned {number}"),
        concrete::End::Returned(_) => "returned".to_owned(),
        concrete::End::Exited(status) => format!("exited {status}"),
        concrete::End::Aborted => "aborted".to_owned(),
        concrete::End::Failed(failure) => {
            format!("{} at {:?}", failure.kind.name(), failure.span.start)
        }
        _ => GAVE_UP.to_owned(),
    };
    Seen { end, output: written.0.escape_ascii().to_string() }
}

/// Collects what paths show in each of some worlds.
struct Judge<'v> {
    worlds: &'v [World],
    seen: Vec<Vec<Seen>>,
}

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
    let end = match &leaf.end {
        End::Returned(Some(Value::Int(int))) => {
            format!("returned {}", number(domain, int, values))
        }
        End::Returned(_) => "returned".to_owned(),
        End::Exited(status) => format!("exited {}", number(domain, status, values)),
        End::Aborted => "aborted".to_owned(),
        End::Failed { kind, .. } => format!("{} at {:?}", kind.name(), leaf.span.start),
        _ => GAVE_UP.to_owned(),
    };
    let mut output = Vec::new();
    for part in leaf.outputs.oldest_first() {
        output.extend(domain.bytes_of(part, values).expect("bytes").1);
    }
    Seen { end, output: output.escape_ascii().to_string() }
}

fn set(domain: &Symbolic, values: &mut Assignment, symbol: Term, value: i64) {
    let Node::Symbol(id) = domain.terms.node(symbol) else { panic!("no symbol") };
    values.symbols.insert(*id, TermValue::Int(Integer::from(value)));
}

/// The values that the symbols of a path have in a world.
fn values_in(domain: &Symbolic, leaf: &Leaf, world: &World) -> Assignment {
    let mut values = Assignment::default();
    for (position, input) in leaf.streams.inputs().iter().enumerate() {
        let value = world.inputs.get(position).copied().unwrap_or(-1);
        set(domain, &mut values, input.symbol, value);
    }
    for (position, symbol) in leaf.streams.standard_input().into_iter().enumerate() {
        let value = world.standard_input.get(position).map_or(-1, |byte| i64::from(*byte));
        set(domain, &mut values, symbol, value);
    }
    let line = leaf.streams.command_line();
    if let Some(symbol) = line.count_symbol {
        set(domain, &mut values, symbol, world.arguments.len() as i64);
    }
    for ((argument, position), symbol) in line.bytes.iter() {
        let byte = world.arguments.get(argument - 1).and_then(|text| text.get(*position));
        set(domain, &mut values, *symbol, byte.map_or(0, |byte| i64::from(*byte)));
    }
    values
}

impl Observer for Judge<'_> {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        let conditions = leaf.path.conditions();
        for (world, seen) in self.worlds.iter().zip(&mut self.seen) {
            let values = values_in(domain, leaf, world);
            let holds =
                |condition: &Term| domain.terms.holds(*condition, &values).expect("a truth value");
            if conditions.iter().all(holds) {
                seen.push(see(domain, leaf, &values));
            }
        }
    }
}

/// How often a comparison said something.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// How many worlds were compared.
    pub compared: usize,
    /// How many were not, because an execution or a path gave up.
    pub given_up: usize,
}

/// Explores a program, and compares it with runs in all of the worlds.
pub fn compare(
    text: &str,
    program: &Program,
    worlds: &[World],
    index: SymbolicIndex,
) -> (Exploration, Figures) {
    let limits =
        Limits { depth: Some(100), iterations: Some(100), paths: Some(3_000), steps: None };
    let options = Options { limits, symbolic_index: index, ..Options::default() };
    let search = strategy(Strategy::Bfs, program, 7, &[]);
    let mut judge = Judge { worlds, seen: vec![Vec::new(); worlds.len()] };
    let exploration = Explorer::new(program, options, search)
        .run(&mut judge, &|_, _| None)
        .unwrap_or_else(|error| panic!("{text}\n{index:?}: {error}"));
    let is_complete = exploration.stop == Stop::Complete;
    let mut figures = Figures::default();
    for (world, seen) in worlds.iter().zip(&judge.seen) {
        let ran = run(program, world);
        let cut = seen.iter().any(|seen| seen.end == GAVE_UP) || !is_complete;
        if cut || ran.end == GAVE_UP {
            figures.given_up += 1;
            continue;
        }
        figures.compared += 1;
        assert_eq!(
            seen[..],
            [ran],
            "{text}\n{index:?}, {world:?}: paths on the left, the run on the right"
        );
    }
    (exploration, figures)
}
