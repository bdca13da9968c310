//! Problems against executions: from the values that a concrete execution has at a header, exactly one path can be taken, and it leads to the
//! values or the exit that the execution comes to next.

use super::{Context, ExitKind, Extraction, Limits, Request, Tables, WhyNot, extract};
use crate::domain::{DomainOptions, Feasible, Streams, Symbolic, SymbolicIndex};
use crate::loops::Loops;
use crate::memory::Memory;
use crate::value::Bool;
use loupe_engine::semantics::{Control, Event, Machine};
use loupe_engine::state::State;
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_ir::source::Sources;
use loupe_loops::{End, Precision};
use loupe_microc::{Dialect, lower, parse, resolve};
use loupe_solver::{ChainOptions, Limits as SolverLimits};
use loupe_term::{Assignment, Term, Value};

fn microc(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", text);
    let tree = parse(file, text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let resolution = resolve(&tree).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    lower(&tree, &resolution, sources, Dialect::default())
}

/// Stops everywhere.
struct Everywhere;

impl Control<Symbolic> for Everywhere {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, _: FunctionId, _: BlockId, _: BlockId) {}

    fn stops(&mut self, _: FunctionId, _: BlockId, _: BlockId) -> bool {
        true
    }
}

/// A loop that is being executed.
struct Followed {
    extraction: Extraction,
    depth: usize,
    /// The values at the header, at the last time.
    values: Vec<(Term, Term)>,
}

/// An execution, and what was compared.
struct Execution<'p> {
    text: &'p str,
    machine: Machine<'p, Symbolic>,
    loops: Loops,
    state: State<Symbolic>,
    followed: Option<Followed>,
    iterations: usize,
    exits: usize,
    refused: Vec<WhyNot>,
}

impl<'p> Execution<'p> {
    fn new(text: &'p str, program: &'p Program) -> Self {
        let domain = DomainOptions {
            chain: ChainOptions::default(),
            limits: SolverLimits::default(),
            symbolic_index: SymbolicIndex::default(),
        };
        let mut machine = Machine::new(program, Symbolic::new(program, domain));
        let state =
            machine.start(Memory::default(), Streams::default(), Vec::new()).expect("a start");
        let loops = Loops::new(program);
        let (iterations, exits, refused) = (0, 0, Vec::new());
        Execution { text, machine, loops, state, followed: None, iterations, exits, refused }
    }

    fn values(&mut self, extraction: &Extraction) -> Vec<(Term, Term)> {
        let cells = extraction.cells.iter().filter_map(|cell| Some((cell, cell.spot.as_ref()?)));
        cells
            .map(|(cell, spot)| {
                let value = spot.read(&mut self.machine.domain, &self.state);
                (cell.symbol, value.expect("a variable that is there"))
            })
            .collect()
    }

    /// The execution has entered a block.
    fn entered(&mut self, from: BlockId) {
        let Some(frame) = self.state.frames.last() else { return };
        let (function, block, depth) = (frame.function, frame.block, self.state.depth());
        match self.followed.take() {
            Some(followed) if followed.depth == depth && followed.extraction.key.0 == function => {
                let header = self.loops.of(function).get(followed.extraction.key.1).header;
                if block == header {
                    let values = self.values(&followed.extraction);
                    self.check(&followed, &End::Again, Some(&values));
                    self.iterations += 1;
                    self.followed = Some(Followed { values, ..followed });
                } else if !self.loops.of(function).contains(followed.extraction.key.1, block) {
                    let found = self.check(&followed, &End::Exit(0), None);
                    let kind = &followed.extraction.exits[found].kind;
                    assert_eq!(*kind, ExitKind::Block(block), "{}", self.text);
                    self.exits += 1;
                } else {
                    self.followed = Some(followed);
                }
            }
            other => self.followed = other,
        }
        let enters = super::enters_loop(&self.loops, function, from, block);
        if self.followed.is_none() && enters {
            let limits = Limits::default();
            let region = super::body::loop_at(&self.loops, &self.state).expect("a loop");
            let (context, tables) = (Context::General, Tables::default());
            let request = Request { state: &self.state, region, context, tables, limits: &limits };
            match extract(&mut self.machine, &self.loops, &request) {
                // What is approximated may have several ways.
                Ok(extraction)
                    if extraction.problem.paths.iter().any(|p| p.precision == Precision::Over) => {}
                Ok(extraction) => {
                    let values = self.values(&extraction);
                    self.followed = Some(Followed { extraction, depth, values });
                }
                Err(why) => self.refused.push(why),
            }
        }
    }

    /// That exactly one path can be taken, and that it leads where the execution has come to; which exit that is.
    fn check(&mut self, followed: &Followed, end: &End, after: Option<&[(Term, Term)]>) -> usize {
        let domain = &mut self.machine.domain;
        let mut known: Vec<Term> = Vec::new();
        for (symbol, value) in &followed.values {
            known.push(domain.terms.eq(*symbol, *value));
        }
        let zero = domain.terms.int(0);
        for input in self.state.streams.inputs() {
            known.push(domain.terms.eq(input.symbol, zero));
        }
        let mut taken = Vec::new();
        for (number, path) in followed.extraction.problem.paths.iter().enumerate() {
            let all = [&known[..], &[path.guard]].concat();
            match domain.ask(&all).expect("no bug") {
                Feasible::No => {}
                Feasible::Yes(model) => taken.push((number, model)),
                Feasible::Unknown(reason) => panic!("{}\n{reason}", self.text),
            }
        }
        let [(number, model)] = &taken[..] else {
            let paths = &followed.extraction.problem.paths;
            let guards: Vec<String> =
                paths.iter().map(|path| domain.terms.text(path.guard)).collect();
            panic!("{}\n{} paths can be taken: {guards:?}", self.text, taken.len());
        };
        let path = &followed.extraction.problem.paths[*number];
        if let Some(after) = after {
            assert_eq!(path.end, *end, "{}", self.text);
            for ((_, value), update) in after.iter().zip(&path.updates) {
                let expected = domain.terms.evaluate(*value, model).expect("a value");
                let found = domain.terms.evaluate(*update, model).expect("a value");
                assert_eq!(expected, found, "{}\n{}", self.text, domain.terms.text(*update));
                assert!(matches!(found, Value::Int(_) | Value::Array(_)));
            }
        }
        match path.end {
            End::Exit(exit) => exit,
            End::Again => {
                assert_eq!(*end, End::Again, "{}: the loop is left", self.text);
                0
            }
        }
    }

    /// Whether a condition holds if all inputs are 0.
    fn is_true(&mut self, condition: Bool) -> bool {
        let domain = &mut self.machine.domain;
        let condition = domain.condition(condition);
        domain.terms.holds(condition, &Assignment::default()) == Ok(true)
    }

    fn run(&mut self) {
        let mut budget = 20_000;
        let from = |state: &State<Symbolic>| state.frames.last().map_or(BlockId(0), |f| f.block);
        loop {
            let before = from(&self.state);
            let event = self.machine.advance(&mut self.state, &mut Everywhere, &mut budget);
            match event {
                Ok(Event::Entered) => self.entered(before),
                Ok(Event::Branch { condition, then, otherwise }) => {
                    let before = from(&self.state);
                    let to = if self.is_true(condition) { then } else { otherwise };
                    Machine::<Symbolic>::enter(&mut self.state, to);
                    self.entered(before);
                }
                Ok(Event::Checked { holds, .. }) if self.is_true(holds) => {}
                Ok(Event::Called | Event::Returned | Event::Written | Event::Output(_)) => {}
                _ => return,
            }
        }
    }
}

/// Follows an execution in which all inputs are 0; how many iterations and exits were compared, and what was refused.
fn follow(text: &str) -> (usize, usize, Vec<WhyNot>) {
    let program = microc(text);
    let mut execution = Execution::new(text, &program);
    execution.run();
    (execution.iterations, execution.exits, execution.refused)
}

/// What the variables of the first loop are called.
fn names(text: &str) -> Vec<String> {
    let program = microc(text);
    let mut execution = Execution::new(text, &program);
    execution.run();
    let limits = Limits::default();
    let mut state = execution
        .machine
        .start(Memory::default(), Streams::default(), Vec::new())
        .expect("a start");
    let mut budget = 1_000;
    loop {
        let before = state.frames.last().map_or(BlockId(0), |frame| frame.block);
        let event = execution.machine.advance(&mut state, &mut Everywhere, &mut budget);
        let Ok(Event::Entered) = event else { panic!("{text}: no loop") };
        let Some(frame) = state.frames.last() else { panic!("no call") };
        if super::enters_loop(&execution.loops, frame.function, before, frame.block) {
            let region = super::body::loop_at(&execution.loops, &state).expect("a loop");
            let (context, tables) = (Context::General, Tables::default());
            let request = Request { state: &state, region, context, tables, limits: &limits };
            let found = extract(&mut execution.machine, &execution.loops, &request);
            return found.expect("a problem").cells.into_iter().map(|cell| cell.name).collect();
        }
    }
}

#[test]
fn a_counter() {
    let text =
        "main() { var i, s; i = 0; s = 5; while (i < 9) { s = s * 2 - i; i = i + 1; } return s; }";
    assert_eq!(follow(text), (9, 1, Vec::new()));
    assert_eq!(names(text), ["i", "s"]);
}

#[test]
fn what_does_not_change_is_no_variable() {
    let text = "main() { var i, n, d, t; n = 12; d = 3; i = 0; t = 0;
        while (i < n) { d = 3; t = i * d; i = i + d; } return i + t; }";
    assert_eq!(names(text), ["i", "t"]);
    assert_eq!(follow(text).0, 4);
}

#[test]
fn what_is_written_before_it_is_read_matters_behind_the_loop_only() {
    let text = "main() { var i, t; i = 0; while (i < 3) { t = i * 7; i = i + t + 1; } return i; }";
    assert_eq!(names(text), ["i"]);
}

#[test]
fn cells_and_fields_have_names() {
    let text = "main() { var a, r, i; a = [1, 2, 3]; r = {x: 1, y: 2}; i = 0;
        while (i < 5) { a[2] = a[2] + i; r.y = r.y + a[2]; i = i + 1; } return r.y; }";
    let names = names(text);
    // What matters behind the loop comes after what matters at the header.
    assert_eq!(names[..3], ["r.y", "i", "a[2]"], "{names:?}");
    assert_eq!(follow(text).0, 5);
}

#[test]
fn phases_and_a_loop_inside() {
    let text = "main() { var x, y, s; x = 0; y = 50; s = 0;
        while (x < 100) { if (x < y) { x = x + 7; } else { x = x + 11; y = y - 1; } s = s + x; }
        x = 0;
        while (x < 6) { y = 0; while (y < x) { s = s + y; y = y + 1; } x = x + 1; }
        return s; }";
    let (iterations, exits, refused) = follow(text);
    assert_eq!((exits, refused), (2, Vec::new()));
    assert!(iterations > 12);
}

#[test]
fn a_list_that_grows_is_no_problem_of_numbers() {
    let text =
        "main() { var p, i; p = null; i = 0; while (i < 3) { p = alloc p; i = i + 1; } return i; }";
    let (_, _, refused) = follow(text);
    assert!(
        refused.iter().any(|why| why.what.contains("allocated") || why.what.contains("points")),
        "{refused:?}"
    );
}

/// How many programs are followed.
const SEEDS: u64 = 6;

#[test]
fn generated_programs_do_what_their_problems_say() {
    use loupe_gen::{Parameters, generate};
    let (mut iterations, mut exits, mut refused) = (0, 0, 0);
    for seed in 0..SEEDS {
        let parameters = Parameters { seed, max_inputs: 1, ..Parameters::default() };
        let Ok(text) = generate(&parameters) else { continue };
        let (more, left, why) = follow(&text);
        iterations += more;
        exits += left;
        refused += why.len();
    }
    println!("{iterations} iterations, {exits} exits, {refused} refused");
    assert!(iterations + exits > 5, "{iterations} {exits} {refused}");
}
