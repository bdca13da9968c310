//! What explorations report: each error once, where users see it, and why a path was cut off.

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_ir::program::Program;
use loupe_symbolic::explore::{Exploration, Explorer, Limits, Options, explore};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};

const HEAD: &str =
    "#include <string.h>\nint __VERIFIER_nondet_int(void); void reach_error(void);\n";

fn program(body: &str) -> Program {
    compile_text(&format!("{HEAD}{body}"), DataModel::Lp64, Checks::default()).program
}

fn explored(body: &str, property: Property, limits: Limits) -> Exploration {
    let program = program(body);
    let search = strategy(Strategy::Bfs, &program, 0, &[]);
    let options = Options { property, limits, ..Options::default() };
    let explored = Explorer::new(&program, options, search).run(&mut (), &|_, _| None);
    explored.unwrap_or_else(|error| panic!("{body}\n{error}"))
}

fn lines_of_errors(exploration: &Exploration) -> Vec<u32> {
    exploration.violations.values().map(|found| found.span.start.line).collect()
}

const TWICE: &str = "int main(void) { int x = __VERIFIER_nondet_int(); char a[4], b[4] = {0};
    if (x == 1) reach_error();
    if (x == 2) reach_error();
    if (x == 3) memcpy(a, b, 5);
    if (x == 4) memcpy(a, b, 6);
    return 0; }";

/// Both errors happen at one place of the library's model, and at two of the user.
#[test]
fn errors_in_models_of_library_functions_are_where_they_are_called() {
    let found = explored(TWICE, Property::UnreachCall, Limits::default());
    assert_eq!(lines_of_errors(&found), [4, 5]);
    let found = explored(TWICE, Property::ValidMemsafety, Limits::default());
    assert_eq!(lines_of_errors(&found), [6, 7]);
}

#[test]
fn what_is_open_in_models_of_library_functions_is_open_where_they_are_called() {
    let found = explored(TWICE, Property::UnreachCall, Limits::default());
    let lines: Vec<u32> = found.unsure.keys().map(|unsure| unsure.span.start.line).collect();
    assert_eq!(lines, [6, 7]);
}

/// Whether the loop depends on inputs or not, it is the loop that is named, and the limit.
#[test]
fn loops_that_are_repeated_too_often_are_named() {
    for bound in ["20", "__VERIFIER_nondet_int()"] {
        let body = format!(
            "int main(void) {{ int s = 0, n = {bound};
            for (int i = 0; i < n; i++)
                s += i;
            return s + (int)strlen(\"x\"); }}"
        );
        let limits = Limits { iterations: Some(10), ..Limits::default() };
        let found = explored(&body, Property::UnreachCall, limits);
        let open: Vec<_> =
            found.unsure.keys().map(|open| (open.span.start.line, &open.what[..])).collect();
        assert_eq!(open, [(4, "a loop was repeated more than 10 times")], "{bound}");
        assert_eq!(found.cut_off, 1, "{bound}");
    }
}

/// Nobody waits for a thread that has panicked, and what the others found is not taken for all.
#[test]
fn a_thread_that_panics_is_an_error() {
    let program = program(
        "int main(void) { int n = 0; while (__VERIFIER_nondet_int() == n) n++; return n; }",
    );
    let search = || strategy(Strategy::Bfs, &program, 0, &[]);
    for jobs in [2, 4] {
        let supervisor = |so_far: &Exploration, _: usize| {
            assert!(so_far.states < 20, "this panic is part of the test");
            None
        };
        let result = explore(&program, &Options::default(), &search, jobs, &supervisor);
        let error = result.expect_err("a thread has panicked").to_string();
        assert!(error.contains("panicked"), "{error}");
    }
}
