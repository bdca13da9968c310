//! What `loupe verify` says of small C programs that were hard to get right.

use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\n\
                      extern unsigned __VERIFIER_nondet_uint(void);\n\
                      extern unsigned long __VERIFIER_nondet_ulong(void);\n\
                      extern void reach_error(void);\n\
                      #include <stdlib.h>\n#include <string.h>\n";

/// The report on a program that only the test `name` uses.
fn report(name: &str, main: &str, arguments: &[&str]) -> Json {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("verify-{name}.c"));
    fs::write(&file, format!("{INPUTS}int main(void) {{ {main} return 0; }}\n")).expect("a file");
    let call = Loupe::new(["verify".into(), file]).args(["--format", "json", "--timeout", "20"]);
    let run = call.args(arguments).run();
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{run}"))
}

fn verdict(name: &str, main: &str, arguments: &[&str]) -> String {
    report(name, main, arguments)["verdict"].as_str().unwrap_or_default().to_owned()
}

/// An access whose alignment only the solver knows, and many states to share.
const SHARED: &str = "int buf[8]; for (int i = 0; i < 8; i++) buf[i] = 5;\
    unsigned k = __VERIFIER_nondet_uint(); if (k > 28 || k % 4) return 0;\
    int v = *(int *)((char *)buf + k); int n = 0; if (v != 5) n += 1000;\
    for (int i = 0; i < 7; i++) { int x = __VERIFIER_nondet_int(); if (x > 0) n += 1 << i; }";

#[test]
fn threads_lose_no_path() {
    let main = format!("{SHARED} if (n == 63) reach_error();");
    for round in 0..4 {
        let name = format!("threads{round}");
        assert_eq!(verdict(&name, &main, &["--jobs", "3"]), "unsafe");
    }
    let main = format!("{SHARED} if (n == 128) reach_error();");
    assert_eq!(verdict("threads-safe", &main, &["--jobs", "3"]), "safe");
}

#[test]
fn an_uninitialised_value_is_the_same_however_it_is_read() {
    let main = "int a[100]; int x = a[3]; int i = __VERIFIER_nondet_int();\
                if (i >= 0 && i < 100) { int y = a[i]; if (i == 3 && x != y) reach_error(); }";
    assert_eq!(verdict("unknown-twice", main, &[]), "safe");
    let main = "int a[100]; int x = a[3]; int i = __VERIFIER_nondet_int();\
                if (i >= 0 && i < 100) { int y = a[i]; if (i != 3 && x + 1 == y) reach_error(); }";
    assert_eq!(verdict("unknown-apart", main, &[]), "unsafe");
}

#[test]
fn pointers_from_nowhere_are_read_once() {
    assert_eq!(verdict("wild", "int *p, *q; if (p == q) reach_error();", &[]), "unsafe");
}

#[test]
fn what_the_interpreter_cannot_hold_is_unknown() {
    let main = "char *p = malloc(2000000000); if (p) reach_error();";
    assert_eq!(verdict("large", main, &[]), "unknown");
    let main = "char *p = malloc(2000000000); memset(p, 1, 2000000000);";
    assert_eq!(verdict("long-fill", main, &[]), "unknown");
}

#[test]
fn memory_that_is_lost_is_an_error() {
    let property = ["--property", "valid-memsafety"];
    assert_eq!(verdict("leak", "int *p = malloc(4); p = 0;", &property), "unsafe");
    assert_eq!(verdict("no-leak", "int *p = malloc(4); free(p);", &property), "safe");
}

#[test]
fn what_is_assumed_is_said() {
    let assumed = |name: &str, main: &str| {
        let report = report(name, main, &[]);
        let all = report["assumptions"].as_array().cloned().unwrap_or_default();
        // All of these programs declare functions with sizes.
        let (model, others): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|one| one.as_str().is_some_and(|one| one.starts_with("the data model")));
        assert_eq!(model.len(), 1, "{others:?}");
        others.len()
    };
    assert_eq!(assumed("assumes-nothing", "int x = __VERIFIER_nondet_int();"), 0);
    assert_eq!(assumed("assumes-memory", "if (!malloc(4)) reach_error();"), 1);
    assert_eq!(assumed("assumes-no-file", "if (getenv(\"X\")) reach_error();"), 1);
    let addresses = "int a, b; if ((unsigned long)&a > (unsigned long)&b) reach_error();";
    assert_eq!(assumed("assumes-addresses", addresses), 1);
}

#[test]
fn a_pointer_is_its_number() {
    let main = "int x; unsigned long n = __VERIFIER_nondet_ulong(); int *p = (int *)n;\
                if (p != &x && (unsigned long)&x == n) reach_error();";
    assert_ne!(verdict("numbers", main, &[]), "unsafe");
}
