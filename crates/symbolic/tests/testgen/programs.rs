//! Programs that show one thing each.

use super::{Budget, Score, support, tests};
use loupe_engine::concrete::End;
use loupe_engine::value::Value;
use loupe_gen::Language;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_symbolic::explore::{Explorer, Limits, Options, Stop};
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::testgen::{self, Generator, Purpose, Uninitialised, WayKind};

const BUDGET: Budget = Budget { paths: 200, strategy: Strategy::Klee };

#[test]
fn hand_written_programs_are_covered_as_far_as_inputs_can() {
    let mut score = Score::default();
    for text in [
        "main() { var a; a = input; if (a == 2) { if (a == 3) { output 1; } else { output 2; } } else { } return 0; }",
        "main() { var a, i; a = input; i = 0; while (i < a) { if (i == 2) { output i; } else { } i = i + 1; } return i; }",
        "main() { var a; a = [1, 2, 3]; output a[input] / input; if (input > 1) { output 1; } else { } return 0; }",
        "f(n) { var r; if (n > 0) { r = f(n - 1) + 1; } else { r = 0; } return r; } \
         main() { var r; r = f(input); if (r == 3) { output r; } else { } return r; }",
    ] {
        let program = support::compile(Language::Microc, text);
        score.add(&program, Language::Microc, &[-1, 0, 1, 2, 3, 4], 3);
    }
    for text in [
        "int __VERIFIER_nondet_int(void); void reach_error(void); \
         int main(void) { int n = __VERIFIER_nondet_int(); \
           switch (n) { case 0: n = 5; case 1: n++; break; case 2: case 3: n--; break; default: return 9; } \
           if (n == 6) reach_error(); return n; }",
        "_Bool __VERIFIER_nondet_bool(void); char __VERIFIER_nondet_char(void); \
         int main(void) { char t[4] = { 1, 2, 3, 4 }; char c = __VERIFIER_nondet_char(); \
           if (c < 0 || c > 3) return 1; if (t[(int)c] == 3 && __VERIFIER_nondet_bool()) return 2; return 0; }",
        "unsigned __VERIFIER_nondet_uint(void); void __VERIFIER_assume(int); \
         int main(void) { unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n != 2); \
           return n == 2 ? 1 : n == 3 ? 2 : 0; }",
    ] {
        let program = support::compile(Language::C, text);
        score.add(&program, Language::C, &[0, 1, 2, 3, 4], 2);
    }
    score.judge("hand-written");
    assert_eq!(score.covered, score.reachable);
}

/// No path of this program ends, and the branch in the loop is covered all the same.
#[test]
fn paths_that_never_end_yield_tests() {
    let text = "main() { var a, b; a = input; b = 0; while (1) { \
                if (a == 7) { b = b + 1; } else { b = b - 1; } \
                if (b == 40) { output b; } else { } } return 0; }";
    let program = support::compile(Language::Microc, text);
    let (suite, exploration) = tests_with_steps(&program);
    assert_eq!(exploration.paths(), 0);
    assert_eq!(exploration.stop, Stop::Time);
    let left: Vec<String> = suite.uncovered.iter().map(|way| way.kind.to_string()).collect();
    // Only the way out of the endless loop.
    assert_eq!(left, ["false"]);
    let inputs: Vec<&[Integer]> = suite.tests.iter().map(|t| &t.model.inputs[..]).collect();
    assert!(inputs.contains(&&[Integer::from(7)][..]), "{inputs:?}");
    assert!(suite.tests.iter().all(|test| matches!(test.run.end, End::Halted(_))));
}

/// A path that an assumption ends has no end of its own, but what it has reached counts.
#[test]
fn paths_that_are_assumed_away_yield_tests() {
    let text = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); \
                int main(void) { int a = __VERIFIER_nondet_int(); \
                if (a == 7) a = 8; __VERIFIER_assume(a != 8); return 0; }";
    let program = support::compile(Language::C, text);
    let (suite, exploration) = tests(&program, Language::C, &BUDGET);
    assert_eq!((exploration.finished, exploration.assumed_away), (1, 1));
    assert_eq!(suite.branches.covered, 2);
    assert!(suite.tests.iter().any(|test| matches!(test.run.end, End::AssumptionFailed)));
}

/// An exploration that is stopped after a number of looks, as a clock would.
fn tests_with_steps(
    program: &loupe_ir::program::Program,
) -> (loupe_symbolic::testgen::Suite, loupe_symbolic::explore::Exploration) {
    use loupe_symbolic::explore::{Explorer, Options};
    use loupe_symbolic::search::strategy;
    use loupe_symbolic::testgen::{self, Generator};
    let search = strategy(Strategy::Bfs, program, 0, &[]);
    let explorer = Explorer::new(program, Options::default(), search);
    let options = testgen::Options { end_of_input: Integer::from(-1), max_steps: 10_000 };
    let mut generator = Generator::new(program, options);
    let looks = std::sync::atomic::AtomicU32::new(0);
    let supervisor = |_: &_, _| {
        let before = looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (before >= 5).then_some(Stop::Time)
    };
    let exploration = explorer.run(&mut generator, &supervisor).expect("no internal error");
    (generator.finish(&exploration), exploration)
}

/// What states that are left would have met is met by running on.
#[test]
fn states_that_are_left_yield_tests() {
    let text = "main() { var a, i; a = input; i = 0; \
                while (i < a) { i = i + 1; } \
                if (i == 0) { output 1; } else { output 2; } return 0; }";
    let program = support::compile(Language::Microc, text);
    let budget = Budget { paths: 1, strategy: Strategy::Bfs };
    let (suite, exploration) = tests(&program, Language::Microc, &budget);
    assert_eq!(exploration.stop, Stop::Paths(1));
    assert_eq!(suite.branches.covered, 4);
}

#[test]
fn errors_are_tests_of_their_own_one_for_each_place() {
    let text = "main() { var a, b; a = input; b = input; \
                if (a == 1) { output 1 / b; } else { } \
                if (a == 2) { output 2 / b; } else { } \
                return b; }";
    let program = support::compile(Language::Microc, text);
    let (suite, exploration) = tests(&program, Language::Microc, &BUDGET);
    assert_eq!(exploration.stop, Stop::Complete);
    let errors: Vec<_> =
        suite.tests.iter().filter(|test| test.purpose != Purpose::Coverage).collect();
    assert_eq!(errors.len(), 2);
    for test in errors {
        assert_eq!(test.purpose, Purpose::Error(CheckKind::DivisionByZero));
        let End::Failed(failure) = &test.run.end else { panic!("{:?}", test.run.end) };
        assert_eq!(failure.kind, CheckKind::DivisionByZero);
    }
    assert!(suite.uncovered.is_empty());
    // The errors cover their branches, but not what comes behind them.
    assert!(suite.tests.len() <= 4, "{}", suite.tests.len());
}

/// A test for an error does not stand in for one that gets past it.
#[test]
fn what_comes_behind_a_check_is_covered_too() {
    let text =
        "int __VERIFIER_nondet_int(void); int main(void) { return 100 / __VERIFIER_nondet_int(); }";
    let program = support::compile(Language::C, text);
    let (suite, _) = tests(&program, Language::C, &BUDGET);
    assert_eq!(suite.tests.len(), 2);
    assert_eq!(suite.coverage.instructions.covered, suite.coverage.instructions.total);
}

#[test]
fn ways_that_nobody_takes_are_named() {
    let text = "int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int() & 3; \
                switch (n) { case 1: return 1; case 7: case 8: return 2; default: break; }\n\
                if (n == 9) return 4; return 5; }";
    let program = support::compile(Language::C, text);
    let (suite, _) = tests(&program, Language::C, &BUDGET);
    let left: Vec<_> = suite.uncovered.iter().map(|way| (way.span.start.line, &way.kind)).collect();
    let values = vec![Integer::from(7), Integer::from(8)];
    let cases = WayKind::Cases { values, others: false };
    assert_eq!(left, [(1, &cases), (2, &WayKind::True)]);
    assert_eq!(cases.to_string(), "case 7, case 8");
}

#[test]
fn what_depends_on_uninitialised_values_is_told() {
    for (text, expected) in [
        ("int main(void) { int x; if (x == 5) return 1; return 0; }", Uninitialised::Matter),
        (
            "int main(void) { int x; x = 3; int y[2]; y[0] = x; return y[0]; }",
            Uninitialised::NoMatter,
        ),
    ] {
        let program = support::compile(Language::C, text);
        let (suite, _) = tests(&program, Language::C, &BUDGET);
        let matters = suite.tests.iter().any(|t| t.uninitialised == Uninitialised::Matter);
        assert_eq!(matters, expected == Uninitialised::Matter, "{text}");
    }
}

/// A run with other uninitialised values may have no end, even if the one that shows the error does.
#[test]
fn whether_uninitialised_values_matter_is_found_out_in_time() {
    let text = "void reach_error(void); int main(void) { int x; \
                if (x != 1) reach_error(); else for (;;) {} return 0; }";
    let program = support::compile(Language::C, text);
    let budget = Budget { paths: 1, strategy: Strategy::Bfs };
    let (suite, exploration) = tests(&program, Language::C, &budget);
    assert_eq!(exploration.violations.len(), 1);
    let error = suite.tests.iter().find(|test| test.purpose != Purpose::Coverage);
    assert_eq!(error.map(|test| test.uninitialised), Some(Uninitialised::Matter));
}

/// That a run is cut off says nothing about uninitialised values.
#[test]
fn runs_without_an_end_do_not_depend_on_uninitialised_values() {
    let text = "int main(void) { int x[2]; x[0] = 1; for (;;) {} return x[0]; }";
    let program = support::compile(Language::C, text);
    let search = strategy(Strategy::Bfs, &program, 0, &[]);
    let limits = Limits { steps: Some(1_000), ..Limits::default() };
    let explorer = Explorer::new(&program, Options { limits, ..Options::default() }, search);
    let options = testgen::Options { end_of_input: Integer::ZERO, max_steps: 10_000 };
    let mut generator = Generator::new(&program, options);
    let exploration = explorer.run(&mut generator, &|_, _| None).expect("no internal error");
    let suite = generator.finish(&exploration);
    let matter: Vec<_> = suite.tests.iter().map(|test| test.uninitialised).collect();
    assert_eq!(matter, [Uninitialised::NoMatter]);
}

/// The output and the result are those of the run.
#[test]
fn tests_know_what_they_expect() {
    let text = "main() { var a; a = input; output a + 1; return a * 2; }";
    let program = support::compile(Language::Microc, text);
    let (suite, _) = tests(&program, Language::Microc, &BUDGET);
    let [test] = &suite.tests[..] else { panic!("{} tests", suite.tests.len()) };
    let [input] = &test.model.inputs[..] else { panic!("{:?}", test.model) };
    assert_eq!(test.printed.numbers, [input.add(&Integer::ONE)]);
    let End::Returned(Some(Value::Int(result))) = &test.run.end else { panic!() };
    assert_eq!(*result, input.add(input));
}
