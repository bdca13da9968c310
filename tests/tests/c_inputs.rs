//! What a C program takes as input where it does not ask for it: `volatile` objects, and what is declared
//! but defined nowhere.

use loupe_tests::process::{Finished, Loupe};
use std::fs;
use std::path::PathBuf;

/// Runs the units of a program that only the test `name` uses.
fn run(name: &str, units: &[&str], arguments: &[&str]) -> Finished {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let files: Vec<PathBuf> =
        (0..units.len()).map(|n| folder.join(format!("{name}{n}.c"))).collect();
    for (file, unit) in files.iter().zip(units) {
        fs::write(file, unit).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    Loupe::new(["run", "--pass-status"]).args(files).args(arguments).run()
}

fn status(name: &str, units: &[&str], arguments: &[&str]) -> i32 {
    run(name, units, arguments).status
}

#[test]
fn an_object_that_nobody_defines_is_an_input() {
    let unit = "extern int x; static int f(void) { return x; } int main(void) { return f(); }";
    assert_eq!(status("undefined_object", &[unit], &["--input", "5"]), 5);
}

#[test]
fn a_truth_value_from_outside_is_0_or_1() {
    let unit = "extern _Bool b; extern _Bool f(void); volatile _Bool v;\n\
                int main(void) { return b * 4 + f() * 2 + v; }";
    let arguments = |numbers| ["--volatile", "input", "--input", numbers];
    assert_eq!(status("truth_values", &[unit], &arguments("1 0 1")), 5);
    assert!(run("truth_values_2", &[unit], &arguments("2 0 1")).stderr.contains("does not fit"));
    assert!(run("truth_values_3", &[unit], &arguments("0 2 1")).stderr.contains("does not fit"));
    assert!(run("truth_values_4", &[unit], &arguments("0 1 2")).stderr.contains("does not fit"));
}

#[test]
fn every_read_of_a_volatile_object_is_an_input() {
    let unit = "volatile int v; struct { volatile int f : 4; } s;\n\
                int main(void) { int a = v++; int b = v += 2; int c = s.f; return a * 100 + b * 10 + c; }";
    let arguments = |numbers| ["--volatile", "input", "--input", numbers];
    assert_eq!(status("volatile_reads", &[unit], &arguments("1 3 7")), 157);
    assert!(run("volatile_bits", &[unit], &arguments("1 3 8")).stderr.contains("does not fit"));
}

#[test]
fn a_volatile_object_must_exist_to_be_read() {
    let unit = "#include <stdlib.h>\nint main(void) {\nvolatile int *p = malloc(4);\n\
                free((void *)p);\nreturn *p;\n}";
    let run = run("volatile_freed", &[unit], &["--volatile", "input", "--input", "1"]);
    assert!(run.status == 1 && run.stderr.contains("[invalid-access]"), "{run}");
}

#[test]
fn units_may_declare_what_nobody_defines_in_different_ways() {
    let first = "int f(); int g(void); int main(void) { f(1, 2); return g(); }";
    let second = "int f(int, int); int g(void) { return f(3, 4) ? 1 : 2; }";
    assert_eq!(status("declared_a", &[first, second], &["--input", "0 7"]), 1);
    assert_eq!(status("declared_b", &[second, first], &["--input", "7 0"]), 2);
    let other = "void f(int, char *, double); int g(void) { f(3, 0, 1.0); return 4; }";
    assert_eq!(status("declared_c", &[first, other], &["--input", "0 7"]), 4);
    assert_eq!(status("declared_d", &[other, first], &["--input", "0 7"]), 4);
}

#[test]
fn the_largest_tentative_definition_is_the_one() {
    let small = "int a[2]; int get(int); int main(void) { return get(5); }";
    let large = "int a[10]; int get(int i) { a[i] = 3; return a[i]; }";
    assert_eq!(status("tentative_a", &[small, large], &[]), 3);
    assert_eq!(status("tentative_b", &[large, small], &[]), 3);
}
