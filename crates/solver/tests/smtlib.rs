//! What is printed as SMT-LIB means what evaluation says.
//!
//! Random formulas are printed together with equalities that fix every symbol, read by Z3, and its answer
//! is compared with the value of the formula: if the formula is true, it must be satisfiable and its
//! negation must not be. Both are asked, so that neither a wrong operation nor an axiom that excludes
//! everything goes unnoticed.

use loupe_integer::{Integer, Signedness};
use loupe_term::smtlib::{Dialect, Options, Statement, print};
use loupe_term::testing::{
    Builder, Elements, Truth, Values, array_truths, rich_truths, truths, values,
};
use loupe_term::{Assignment, BitOp, Rounding, Term, Terms, Value, Width};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use z3::{Config, Params, SatResult, Solver, with_z3_config};

/// Steps that Z3 may take for one question. Not time, so that answers do not depend on the machine.
const STEPS: u32 = 40_000;

/// Z3's answer. In a context of its own: a recursive function can be defined only once in one.
fn ask(text: &str) -> SatResult {
    with_z3_config(&Config::new(), || {
        let solver = Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", STEPS);
        solver.set_params(&params);
        solver.from_string(text);
        // An error in the text would only leave assertions out.
        let count = text.lines().filter(|line| line.starts_with("(assert ")).count();
        assert_eq!(solver.get_assertions().len(), count, "{text}");
        solver.check()
    })
}

/// Formulas that fix the integers and the truth values of a builder.
fn pins(builder: &mut Builder, values: &Values) -> Vec<Term> {
    let terms = &mut builder.terms;
    let mut pins = Vec::new();
    for (symbol, value) in builder.symbols.iter().zip(&values.symbols) {
        let value = terms.int(*value);
        pins.push(terms.eq(*symbol, value));
    }
    for (flag, value) in builder.flags.iter().zip(&values.flags) {
        pins.push(if *value { *flag } else { terms.not(*flag) });
    }
    pins
}

/// Fixes the arrays and the function, by definitions in the place of their declarations: to say by
/// formulas what they are everywhere needs quantifiers, and Z3 would often not know.
fn fix_arrays(text: String, values: &Values) -> String {
    let number = |value: &i64| match value {
        ..0 => format!("(- {})", -value),
        _ => value.to_string(),
    };
    let mut row = "((as const (Array Int Int)) 0)".to_owned();
    let mut applied = "0".to_owned();
    for (index, value) in values.elements.iter().enumerate() {
        let value = number(value);
        row = format!("(store {row} {index} {value})");
        applied = format!("(ite (and (= i {index}) (= j 1)) {value} {applied})");
    }
    let rows = "(Array Int (Array Int Int))";
    let matrix = format!("(store ((as const {rows}) ((as const (Array Int Int)) 0)) 1 {row})");
    text.replace(
        "(declare-const a (Array Int Int))",
        &format!("(define-fun a () (Array Int Int) {row})"),
    )
    .replace(
        "(declare-const m (Array Int (Array Int Int)))",
        &format!("(define-fun m () {rows} {matrix})"),
    )
    .replace(
        "(declare-fun f (Int Int) Int)",
        &format!("(define-fun f ((i Int) (j Int)) Int {applied})"),
    )
}

fn script(builder: &Builder, formulas: &[Term], dialect: Dialect, values: &Values) -> String {
    let statements: Vec<_> = formulas.iter().copied().map(Statement::Assert).collect();
    let options = Options { dialect, ..Options::default() };
    let printed = print(&builder.terms, &statements, &options).expect("there is a form");
    fix_arrays(printed.text, values)
}

/// How often Z3 had to be asked, and how often it did not know.
#[derive(Debug, Default)]
struct Figures {
    asked: u32,
    /// Where the answer should have been that it is satisfiable: with an axiom for an array that is
    /// defined by a formula, Z3 has to find a whole model of it.
    unknown_satisfiable: u32,
    unknown_unsatisfiable: u32,
    true_formulas: u32,
}

/// Compares the answers for one formula with its value.
fn compare(truth: &Truth, values: &Values, dialect: Dialect, figures: &mut Figures) {
    let mut builder = Builder::new(Terms::new(), Elements::Read);
    let formula = builder.truth(truth);
    let mut builder = builder.with_elements(Elements::PushedDown);
    let evaluated = builder.truth(truth);
    let Ok(value) = builder.terms.holds(evaluated, &builder.assignment(values)) else {
        return;
    };
    figures.true_formulas += u32::from(value);
    let negated = builder.terms.not(formula);
    let pins = pins(&mut builder, values);
    for (claim, holds) in [(formula, value), (negated, !value)] {
        let formulas: Vec<Term> = pins.iter().copied().chain([claim]).collect();
        let text = script(&builder, &formulas, dialect, values);
        let expected = if holds { SatResult::Sat } else { SatResult::Unsat };
        figures.asked += 1;
        match ask(&text) {
            SatResult::Unknown if holds => figures.unknown_satisfiable += 1,
            SatResult::Unknown => figures.unknown_unsatisfiable += 1,
            answer => assert_eq!(answer, expected, "{dialect:?}\n{text}"),
        }
    }
}

/// Compares many formulas; few answers may be missing.
fn compare_many(formulas: impl Strategy<Value = Truth>, dialect: Dialect, count: u32) {
    let mut runner = TestRunner::deterministic();
    let cases = (formulas, values());
    let mut figures = Figures::default();
    for _ in 0..count {
        let (truth, values) = cases.new_tree(&mut runner).expect("a case can be drawn").current();
        compare(&truth, &values, dialect, &mut figures);
    }
    eprintln!("{dialect:?}: {figures:?}");
    assert!(figures.asked > count, "{figures:?}");
    assert!(figures.unknown_satisfiable * 5 < figures.asked, "{figures:?}");
    assert!(figures.unknown_unsatisfiable * 50 < figures.asked, "{figures:?}");
    assert!(figures.true_formulas * 5 > count, "{figures:?}");
}

/// Every operation on small integers. Without rules, operations on constants stay what they are.
fn operations_on_constants(terms: &mut Terms) -> Vec<Term> {
    use BitOp::{And, Or, Shl, Shr, Xor};
    let mut all = Vec::new();
    for (x, y) in (-9i64..=9).flat_map(|x| (-3..=9).map(move |y| (x, y))) {
        let (a, b) = (terms.int(x), terms.int(y));
        for rounding in [Rounding::Euclidean, Rounding::Truncated] {
            all.push(terms.quotient(rounding, a, b));
            all.push(terms.remainder(rounding, a, b));
        }
        all.push(terms.power(x, b));
        let signs = [Signedness::Signed, Signedness::Unsigned];
        for (bits, signedness) in [1, 3, 4].into_iter().flat_map(|n| signs.map(|s| (n, s))) {
            let width = Width { bits, signedness };
            all.push(terms.wrap(width, a));
            all.extend([And, Or, Xor, Shl, Shr].map(|op| terms.bits(op, width, a, b)));
        }
    }
    all
}

/// All operations have the values of evaluation, one by one.
fn compare_operations(dialect: Dialect) {
    let mut terms = Terms::without_rules();
    let mut statements = Vec::new();
    for operation in operations_on_constants(&mut terms) {
        let value = terms.evaluate(operation, &Assignment::default()).expect("it has a value");
        let Value::Int(value) = value else { panic!("an integer, not {value:?}") };
        let value = terms.int(value);
        statements.push(Statement::Assert(terms.eq(operation, value)));
    }
    // Powers of a term, which are a product of the same.
    let x = terms.int_symbol("x");
    for exponent in 1..40 {
        let power = terms.pow(x, exponent);
        let value = Integer::from(3);
        let value = (1..exponent).fold(value.clone(), |product, _| product.mul(&value));
        let value = terms.int(value);
        statements.push(Statement::Assert(terms.eq(power, value)));
    }
    let options = Options { dialect, ..Options::default() };
    let text = print(&terms, &statements, &options).expect("there is a form").text;
    let text = text.replace("(declare-const x Int)", "(define-fun x () Int 3)");
    with_z3_config(&Config::new(), || {
        let solver = Solver::new();
        solver.from_string(text.as_str());
        let assertions = solver.get_assertions();
        assert_eq!(assertions.len(), statements.len());
        assert_eq!(solver.check(), SatResult::Sat, "{dialect:?}");
    });
}

#[test]
fn operations_mean_evaluation() {
    compare_operations(Dialect::Portable);
    compare_operations(Dialect::Conversions);
}

#[test]
fn portable_arithmetic_means_evaluation() {
    compare_many(truths(), Dialect::Portable, 500);
}

#[test]
fn converted_arithmetic_means_evaluation() {
    compare_many(truths(), Dialect::Conversions, 500);
}

#[test]
fn portable_arrays_mean_evaluation() {
    compare_many(rich_truths(), Dialect::Portable, 300);
}

#[test]
fn converted_arrays_mean_evaluation() {
    compare_many(array_truths(), Dialect::Conversions, 300);
}
