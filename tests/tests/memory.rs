//! A run that takes too much memory ends as a limit, wherever the memory went.
//!
//! When exactly that is noticed depends on the machine, so only the ending is looked at.

use loupe_tests::process::Loupe;
use std::fs;
use std::path::PathBuf;

/// The megabytes that a run may have.
const LIMIT: &str = "150";

fn check(name: &str, dialect: &[&str], program: &str) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("memory-{name}.uc"));
    fs::write(&file, program).expect("a temporary file");
    let run = Loupe::new(["run", "--max-memory", LIMIT])
        .args(dialect.iter().copied())
        .args([file.as_os_str().to_owned()])
        .run();
    assert_eq!(run.status, 2, "{run}");
    assert!(run.stderr.contains("the limit of 150 MB of memory was reached"), "{run}");
}

#[test]
fn values_that_live_in_no_object() {
    check(
        "nested",
        &[],
        "main() { var r, s; r = {b: 0}; while (1) { s = r; r.b = s; } return 0; }",
    );
}

#[test]
fn copies_of_large_arrays() {
    let zeros = vec!["0"; 2_000].join(", ");
    let program = format!(
        "main() {{ var list, big, i; big = [{zeros}]; list = null; i = 0;
         while (1) {{ big[0] = i; list = alloc {{value: big, next: list}}; i = i + 1; }}
         return 0; }}"
    );
    check("copies", &["--arrays", "value"], &program);
}

#[test]
fn frames_of_large_functions() {
    let statements = "x = x + 1 * 2 - 3;\n".repeat(20_000);
    let program = format!("f(x) {{ {statements} return f(x); }} main() {{ return f(1); }}");
    check("frames", &[], &program);
}
