//! Generated programs: none of them makes Loupe panic or admit a bug, and its textual form runs as
//! the program itself does.

use loupe_engine::concrete::{
    Call, End, Halt, Interpreter, Options, Positions, RunLength, Unobserved,
};
use loupe_integer::Integer;
use loupe_ir::program::{ArrayKind, Program};
use loupe_ir::source::{FileId, Sources};
use loupe_ir::text;
use loupe_ir::types::IntType;
use loupe_ir::validate::validate;
use loupe_microc::{Dialect, ast, testing};
use proptest::prelude::*;
use std::fmt;

/// A program, shown as its source.
struct Source(String);

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.0)
    }
}

impl From<ast::Program> for Source {
    fn from(program: ast::Program) -> Self {
        Source(loupe_microc::print(&program))
    }
}

/// All readings of the language.
fn dialects() -> impl Strategy<Value = Dialect> {
    let numbers = prop_oneof![
        3 => Just(IntType::Unbounded),
        1 => Just(IntType::signed(32)),
        1 => Just(IntType::signed(8)),
    ];
    let arrays = prop_oneof![Just(ArrayKind::Reference), Just(ArrayKind::Value)];
    (numbers, arrays).prop_map(|(numbers, arrays)| Dialect { numbers, arrays })
}

fn inputs() -> impl Strategy<Value = Vec<i8>> {
    prop::collection::vec(any::<i8>(), 0..8)
}

/// The flowgraph of a generated program. If a literal is too large for the numbers of the dialect,
/// these have no bounds.
fn lower(source: &Source, mut dialect: Dialect) -> Program {
    let ast = loupe_microc::parse(FileId(0), &source.0).expect("what is printed can be parsed");
    let resolution = loupe_microc::resolve(&ast).expect("generated programs are resolved");
    if let IntType::Machine { width, .. } = dialect.numbers
        && loupe_microc::check_literals(&ast, width).is_err()
    {
        dialect.numbers = IntType::Unbounded;
    }
    let mut sources = Sources::new();
    sources.add("generated.uc".to_owned(), source.0.clone());
    loupe_microc::lower(&ast, &resolution, sources, dialect)
}

/// All that a run shows.
#[derive(Debug, PartialEq)]
struct Shown {
    end: String,
    output: Vec<Integer>,
    stack: Vec<Call>,
    steps: u64,
    positions: Positions,
}

fn run(program: &Program, inputs: &[i8]) -> Result<Shown, TestCaseError> {
    let entry = program.function(program.entry);
    let options = Options {
        arguments: (0..entry.params).map(Integer::from).collect(),
        input: Box::new(inputs.iter().map(|input| Integer::from(*input)).collect::<RunLength>()),
        max_steps: Some(5_000),
        max_depth: 200,
        max_cells: 10_000,
        max_bits: 10_000,
        ..Options::default()
    };
    let mut output = Vec::new();
    let run = Interpreter::new(program, options).run(&mut output, &mut Unobserved);
    if let End::Halted(Halt::Internal(error)) = &run.end {
        return Err(TestCaseError::fail(format!("internal error: {error}")));
    }
    let (stack, steps, positions) = (run.stack, run.steps, run.positions);
    Ok(Shown { end: format!("{:?}", run.end), output, stack, steps, positions })
}

/// Runs a program and its textual form, which must do the same.
fn check(source: &Source, dialect: Dialect, inputs: &[i8]) -> Result<Shown, TestCaseError> {
    let program = lower(source, dialect);
    validate(&program).map_err(|violation| TestCaseError::fail(violation.to_string()))?;
    let shown = run(&program, inputs)?;
    let read = text::parse(&text::print(&program));
    let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(&run(&read, inputs)?, &shown);
    Ok(shown)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_runs_or_fails_properly(
        program in testing::programs().prop_map(Source::from),
        dialect in dialects(),
        inputs in inputs(),
    ) {
        check(&program, dialect, &inputs)?;
    }

    #[test]
    fn typed_programs_end(
        program in testing::terminating_programs().prop_map(Source::from),
        dialect in dialects(),
        inputs in inputs(),
    ) {
        let shown = check(&program, dialect, &inputs)?;
        // Counted loops around each other may still take long.
        let halted = shown.end.starts_with("Halted") && !shown.end.contains("Limit");
        prop_assert!(!halted, "{}", shown.end);
    }
}
