//! The whole way of a microc program, from its text to its outputs, against independent judges: an
//! interpreter of syntax trees that follows the definition of the language word by word.

mod interpreter;

use interpreter::{Behaviour, End, Limits};
use loupe_engine::concrete::{
    self, ConcreteValue, Halt, Interpreter, Options, RunLength, Unobserved,
};
use loupe_integer::Integer;
use loupe_ir::program::ArrayKind;
use loupe_ir::source::Sources;
use loupe_ir::types::IntType;
use loupe_microc::ast::{ExprKind, Exprs, Program};
use loupe_microc::testing::{programs, terminating_programs};
use loupe_microc::{Dialect, lower, parse, print, resolve};
use proptest::prelude::*;

/// The limits of the reference. Those of the engine are so much larger that it must come to the end
/// of whatever the reference comes to the end of.
const LIMITS: Limits = Limits { steps: 2_000, depth: 50, bits: 2_000 };

/// All dialects with these numbers.
fn dialects(numbers: IntType) -> [Dialect; 2] {
    [ArrayKind::Reference, ArrayKind::Value].map(|arrays| Dialect { numbers, arrays })
}

/// The program with all its literals made numbers of this type.
fn with_literals_of(program: &Program, numbers: IntType) -> Program {
    let mut exprs = Exprs::default();
    for expr in program.exprs.iter() {
        let kind = match &expr.kind {
            ExprKind::Number(value) => ExprKind::Number(numbers.wrap(value.clone())),
            other => other.clone(),
        };
        let leaf = expr.first.0 as usize == exprs.len();
        exprs.push(kind, expr.span, expr.anchor, (!leaf).then_some(expr.first));
    }
    Program { functions: program.functions.clone(), exprs }
}

/// What the engine makes of a program.
fn execute(
    program: &loupe_ir::program::Program,
    arguments: &[Integer],
    inputs: &[Integer],
) -> Behaviour {
    let options = Options {
        arguments: arguments.to_vec(),
        input: Box::new(inputs.iter().cloned().collect::<RunLength>()),
        max_steps: Some(LIMITS.steps * 25),
        max_bits: LIMITS.bits * 10,
        max_depth: LIMITS.depth * 10,
        max_cells: 1_000_000,
        ..Options::default()
    };
    let mut outputs = Vec::new();
    let run = Interpreter::new(program, options).run(&mut outputs, &mut Unobserved);
    let end = match run.end {
        concrete::End::Returned(Some(ConcreteValue::Int(result))) => End::Returned(result),
        concrete::End::Failed(failure) => End::Failed(failure.kind, failure.span),
        concrete::End::Halted(Halt::Limit(_)) => End::GaveUp,
        other => panic!("no end of a microc program: {other:?}"),
    };
    Behaviour { outputs, end }
}

/// Runs a program both ways and compares what can be seen.
fn compare(text: &str, dialect: Dialect, inputs: &[Integer]) -> Behaviour {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", text);
    let program = parse(file, text).expect("it parses");
    let resolution = resolve(&program).expect("it resolves");
    let main = &program.functions[resolution.main().0 as usize];
    let arguments: Vec<Integer> = (5..).take(main.params.len()).map(Integer::from).collect();
    let expected = interpreter::run(&program, &resolution, dialect, LIMITS, &arguments, inputs);
    let lowered = lower(&program, &resolution, sources, dialect);
    let found = execute(&lowered, &arguments, inputs);
    let same = match expected.end {
        End::GaveUp => expected.outputs.iter().zip(&found.outputs).all(|(a, b)| a == b),
        _ => expected == found,
    };
    assert!(same, "{text}\n{dialect:?}\nexpected {expected:?}\n   found {found:?}");
    expected
}

/// Compares a generated program in all dialects with these numbers.
fn check(program: &Program, numbers: IntType, inputs: &[i8]) {
    let inputs: Vec<Integer> =
        inputs.iter().map(|input| Integer::from(i64::from(*input))).collect();
    let text = print(&with_literals_of(program, numbers));
    for dialect in dialects(numbers) {
        compare(&text, dialect, &inputs);
    }
}

fn any_numbers() -> impl Strategy<Value = IntType> {
    prop::sample::select(vec![IntType::Unbounded, IntType::signed(8), IntType::signed(32)])
}

fn any_inputs() -> impl Strategy<Value = Vec<i8>> {
    prop::collection::vec(any::<i8>(), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_any_program(program in programs(), numbers in any_numbers(), inputs in any_inputs()) {
        check(&program, numbers, &inputs);
    }

    #[test]
    fn on_programs_that_end(program in terminating_programs(), numbers in any_numbers(), inputs in any_inputs()) {
        check(&program, numbers, &inputs);
    }
}
