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
use std::fmt;

/// The limits of the reference. Those of the engine are so much larger that it must come to the end
/// of whatever the reference comes to the end of.
const LIMITS: Limits = Limits { steps: 2_000, depth: 50, bits: 2_000 };

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

/// A program, the numbers that it computes with, and what it reads.
struct Case {
    text: String,
    numbers: IntType,
    inputs: Vec<i8>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, inputs {:?}:\n{}", self.numbers, self.inputs, self.text)
    }
}

impl Case {
    /// Compares it in all dialects with its numbers.
    fn check(&self) {
        let inputs: Vec<Integer> = self.inputs.iter().map(|input| Integer::from(*input)).collect();
        for arrays in [ArrayKind::Reference, ArrayKind::Value] {
            compare(&self.text, Dialect { numbers: self.numbers, arrays }, &inputs);
        }
    }
}

fn cases(programs: impl Strategy<Value = Program>) -> impl Strategy<Value = Case> {
    let numbers = [IntType::Unbounded, IntType::signed(8), IntType::signed(32)];
    let inputs = prop::collection::vec(any::<i8>(), 0..6);
    (programs, prop::sample::select(numbers.to_vec()), inputs).prop_map(
        |(program, numbers, inputs)| {
            let text = print(&with_literals_of(&program, numbers));
            Case { text, numbers, inputs }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_any_program(case in cases(programs())) {
        case.check();
    }

    #[test]
    fn on_programs_that_end(case in cases(terminating_programs())) {
        case.check();
    }
}
