//! The whole way of a microc program, from its text to what it outputs, against independent judges:
//! an interpreter of syntax trees that follows the definition of the language word by word, and gcc.

mod gcc;
mod grown;
mod interpreter;
mod typed;

use interpreter::{Behaviour, End, Limits};
use loupe_engine::concrete::{
    self, ConcreteValue, Halt, Interpreter, Options, RunLength, Unobserved,
};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{self as ir, ArrayKind};
use loupe_ir::source::Sources;
use loupe_ir::types::IntType;
use loupe_ir::validate::validate;
use loupe_microc::ast::{ExprKind, Exprs, Program};
use loupe_microc::testing::{programs, terminating_programs};
use loupe_microc::{Dialect, Resolution, lower, parse, print, resolve};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use std::fmt;

/// The limits of the reference. Those of the engine are so much larger that it must come to the end
/// of whatever the reference comes to the end of.
const LIMITS: Limits = Limits { steps: 1_000, depth: 40, bits: 2_000 };

/// How many steps the engine may take for one of the reference.
const STEPS_PER_STEP: u64 = 20;

/// A program before and after it is lowered.
struct Compiled {
    tree: Program,
    resolution: Resolution,
    graph: ir::Program,
}

fn compile(text: &str, dialect: Dialect) -> Compiled {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", text);
    let tree = parse(file, text).expect("it parses");
    let resolution = resolve(&tree).expect("it resolves");
    let graph = lower(&tree, &resolution, sources, dialect);
    validate(&graph).unwrap_or_else(|violation| panic!("{text}\n{dialect:?}\n{violation}"));
    Compiled { tree, resolution, graph }
}

/// What the engine makes of a program.
fn execute(
    program: &ir::Program,
    arguments: &[Integer],
    inputs: &[Integer],
    max_steps: u64,
) -> Behaviour {
    let options = Options {
        arguments: arguments.to_vec(),
        input: Box::new(inputs.iter().cloned().collect::<RunLength>()),
        max_steps: Some(max_steps),
        max_bits: LIMITS.bits * 10,
        max_depth: LIMITS.depth * 10,
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

/// Runs a program both ways and compares what can be seen; what the reference says.
fn compare(text: &str, dialect: Dialect, inputs: &[Integer]) -> Behaviour {
    let Compiled { tree, resolution, graph } = compile(text, dialect);
    let main = &tree.functions[resolution.main().0 as usize];
    let arguments: Vec<Integer> = (5..).take(main.params.len()).map(Integer::from).collect();
    let expected = interpreter::run(&tree, &resolution, dialect, LIMITS, &arguments, inputs);
    let found = execute(&graph, &arguments, inputs, LIMITS.steps * STEPS_PER_STEP);
    let same = match expected.end {
        End::GaveUp => expected.outputs.iter().zip(&found.outputs).all(|(a, b)| a == b),
        _ => expected == found,
    };
    assert!(same, "{text}\n{dialect:?}\nexpected {expected}\n   found {found}");
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
    fn check(&self) -> [Behaviour; 2] {
        let inputs: Vec<Integer> = self.inputs.iter().map(|input| Integer::from(*input)).collect();
        [ArrayKind::Reference, ArrayKind::Value]
            .map(|arrays| compare(&self.text, Dialect { numbers: self.numbers, arrays }, &inputs))
    }
}

/// Cases of programs that are turned into text, given their numbers.
fn cases<P>(
    programs: impl Strategy<Value = P>,
    text: fn(P, IntType) -> String,
) -> impl Strategy<Value = Case> {
    let numbers = [IntType::Unbounded, IntType::signed(8), IntType::signed(32)];
    let inputs = prop::collection::vec(any::<i8>(), 0..6);
    (programs, prop::sample::select(numbers.to_vec()), inputs).prop_map(
        move |(program, numbers, inputs)| Case { text: text(program, numbers), numbers, inputs },
    )
}

/// The text of a program, all of whose literals are made numbers of the right type.
fn printed(program: Program, numbers: IntType) -> String {
    let mut exprs = Exprs::default();
    for expr in program.exprs.iter() {
        let kind = match &expr.kind {
            ExprKind::Number(value) => ExprKind::Number(numbers.wrap(value.clone())),
            other => other.clone(),
        };
        let leaf = expr.first.0 as usize == exprs.len();
        exprs.push(kind, expr.span, expr.anchor, (!leaf).then_some(expr.first));
    }
    print(&Program { functions: program.functions, exprs })
}

fn typed_cases() -> impl Strategy<Value = Case> {
    cases(typed::programs(), |text, _| text)
}

/// So many cases, unless `PROPTEST_CASES` says otherwise.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        max_shrink_iters: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn on_any_program(case in cases(programs(), printed)) {
        case.check();
    }

    #[test]
    fn on_programs_that_end(case in cases(terminating_programs(), printed)) {
        case.check();
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn on_programs_that_get_far(case in typed_cases()) {
        case.check();
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn on_programs_that_grow(
        statements in prop::collection::vec(grown::statement(), 1..30),
        arrays in prop::sample::select(vec![ArrayKind::Reference, ArrayKind::Value]),
    ) {
        let dialect = Dialect { numbers: IntType::Unbounded, arrays };
        let inputs = [Integer::ZERO, Integer::ONE];
        let mut program: Vec<&str> = Vec::new();
        for statement in &statements {
            program.push(statement);
            let end = compare(&grown::program(&program), dialect, &inputs).end;
            if matches!(end, End::Failed(..)) {
                program.pop();
            }
        }
    }
}

/// Small programs that show one rule each, most of them wrong at some time.
#[test]
fn on_small_programs() {
    let texts = [
        "main() { return null == 1; }",
        "main() { var x, y; x = null; y = 1; return x != y; }",
        "g() { return {f: main()}.f; } main() { return {}; }",
        "main() { if (input == 7) { output main() == null; } return null; }",
        "main() { var x; x.f = 1; return 0; }",
        "main() { var x; x[0] = 1; return 0; }",
        "main() { var x; (*&x).f = 1; return 0; }",
        "main() { var x; x = 5; x.f = 1; return 0; }",
        "main() { var x; x = 5; x[0] = 1 / 0; return 0; }",
        "main() { *null = 1 / 0; return 0; }",
        "main() { *5 = 1 / 0; return 0; }",
        "main() { [1][null] = 1 / 0; return 0; }",
        "main() { [1][1 / 0] = *null; return 0; }",
        "main() { return 5(1 / 0); }",
        "main() { return 5(1); }",
        "main() { return {f: {}, g: 1 / 0}.f; }",
        "set(p) { *p = [3]; return 4; } main() { var a; a = [1]; a[0] = set(&a); return a[0]; }",
        "f(p) { *p = 5; return 4; } main() { var a; a = [1]; a[0] = f(&a); return a[0]; }",
        "f(p) { *p = 5; return 4; } main() { var r; r = {f: 1}; r.f = f(&r); return r.f; }",
        "main() { var a, b; a = [[1]]; b = a; b[0][0] = 2; return a[0][0]; }",
        "main() { var r, s; r = {f: 1}; s = r; s.f = r; s.f.f = 2; return r.f * 10 + s.f.f; }",
    ];
    for text in texts {
        Case { text: text.to_owned(), numbers: IntType::Unbounded, inputs: vec![7] }.check();
    }
}

/// A comparison is worth something only if what is compared is varied.
#[test]
fn programs_end_in_all_ways() {
    let mut runner = TestRunner::deterministic();
    let cases = typed_cases();
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..500 {
        let case = cases.new_tree(&mut runner).expect("no filters").current();
        for behaviour in case.check() {
            let name = match behaviour.end {
                End::Returned(_) => "returned",
                End::Failed(kind, _) => kind.name(),
                End::GaveUp => "gave up",
            };
            *ends.entry(name).or_default() += 1;
        }
    }
    let kinds = [
        CheckKind::ArgumentCount,
        CheckKind::DivisionByZero,
        CheckKind::IndexOutOfBounds,
        CheckKind::MissingField,
        CheckKind::NestedRecord,
        CheckKind::NullDereference,
        CheckKind::TypeError,
        CheckKind::Uninitialised,
    ];
    assert!(kinds.iter().all(|kind| ends.contains_key(kind.name())), "{ends:?}");
    assert!(ends["returned"] > 150 && ends["gave up"] < 200, "{ends:?}");
}
