//! `verify --property`: what each property means, property files, several properties at once, and leaks of memory.

use loupe_tests::process::{Finished, Loupe, binary};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BEGIN: &str = "extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); extern void free(void *);\n\
                     extern void exit(int); extern void abort(void); extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                     struct node { int data; struct node *next; };\n";

/// A file that only the test `name` uses.
fn file(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("properties-{name}"));
    fs::write(&file, text).expect("a file");
    file
}

fn program(name: &str, text: &str) -> PathBuf {
    file(&format!("{name}.c"), &format!("{BEGIN}{text}\n"))
}

fn run(file: &Path, properties: &[&str], more: &[&str]) -> Finished {
    let mut call = Loupe::new(["verify".into(), file.to_owned()]);
    for property in properties {
        call = call.args(["--property", property]);
    }
    if !more.contains(&"--timeout") {
        call = call.args(["--timeout", "20"]);
    }
    call.args(more.iter().copied()).run()
}

fn json(run: &Finished) -> Json {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

fn verdict(file: &Path, property: &str) -> String {
    let run = run(file, &[property], &["--format", "json"]);
    let report = json(&run);
    let verdict = report["verdict"].as_str().expect("a verdict").to_owned();
    let status = match verdict.as_str() {
        "safe" => 0,
        "unsafe" => 1,
        _ => 2,
    };
    assert_eq!(run.status, status, "{run}");
    verdict
}

fn check(name: &str, text: &str, expected: &[(&str, &str)]) {
    let file = program(name, text);
    for (property, expected) in expected {
        assert_eq!(verdict(&file, property), *expected, "{name}: {property}");
    }
}

#[test]
fn each_property_counts_what_it_is_about() {
    check(
        "sum",
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; return y == 5; }",
        &[
            ("no-overflow", "unsafe"),
            ("def-behavior", "unsafe"),
            ("unreach-call", "safe"),
            ("valid-memsafety", "safe"),
            ("termination", "safe"),
        ],
    );
    check(
        "quotient",
        "int main(void) { int x = __VERIFIER_nondet_int(); return 8 / x; }",
        &[("def-behavior", "unsafe"), ("no-errors", "unsafe"), ("no-overflow", "unknown")],
    );
    check(
        "null",
        "int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) *p = 1; return 0; }",
        &[("valid-deref", "unsafe"), ("valid-memsafety", "unsafe"), ("valid-free", "unknown")],
    );
    check(
        "twice",
        "int main(void) { int *p = malloc(4); free(p); if (__VERIFIER_nondet_int()) free(p); return 0; }",
        &[("valid-free", "unsafe"), ("valid-memsafety", "unsafe"), ("valid-deref", "unknown")],
    );
    check(
        "uninitialised",
        "int main(void) { int x; if (x > 3) return 1; return 0; }",
        &[("def-behavior", "unsafe"), ("valid-memsafety", "safe"), ("unreach-call", "safe")],
    );
    check(
        "fine",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0) x--; return x > 3; }",
        &[("def-behavior", "safe"), ("no-overflow", "safe"), ("no-errors", "safe")],
    );
}

/// An error function is an error only for those who ask for it: for others its body counts, and what comes behind it.
#[test]
fn error_functions_are_functions() {
    check(
        "reached",
        "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }",
        &[
            ("unreach-call", "unsafe"),
            ("def-behavior", "safe"),
            ("no-overflow", "safe"),
            ("valid-memsafety", "safe"),
            ("termination", "safe"),
        ],
    );
    check(
        "goes-on",
        "void reach_error(void) { } \
         int main(void) { int x = __VERIFIER_nondet_int(); reach_error(); x = x + 1; if (x) while (1) ; return 0; }",
        &[("unreach-call", "unsafe"), ("no-overflow", "unsafe"), ("termination", "unsafe")],
    );
}

#[test]
fn property_files() {
    let text = "extern void bad(void); void start(int n) { if (n == 3) bad(); } \
                int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 == 7) { ERROR: bad(); } return 0; }";
    let c = program("files", text);
    let never = "void never(void); int main(void) { if (__VERIFIER_nondet_int() * 2 == 5) never(); return 0; }";
    let odd = program("files-odd", never);
    let line = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
    let table = [
        ("call", line("G ! call(bad())"), &c, "unsafe", "no call of bad"),
        ("unused", line("G ! call(unused())"), &c, "safe", "no call of unused"),
        ("never", line("G ! call(never())"), &odd, "safe", "no call of never"),
        ("label", line("G ! label(ERROR)"), &c, "unsafe", "no label ERROR"),
        ("error", line("G ! call(reach_error())"), &c, "safe", "unreach-call"),
        ("overflow", line("G ! overflow"), &c, "unsafe", "no-overflow"),
        ("end", line("F end"), &c, "safe", "termination"),
        (
            "memory",
            line("G valid-free") + &line("G valid-deref") + "\n" + &line("G valid-memtrack"),
            &c,
            "safe",
            "valid-memsafety",
        ),
        ("cleanup", line("G valid-memcleanup"), &c, "safe", "valid-memcleanup"),
        ("defined", line("G def-behavior"), &c, "unsafe", "def-behavior"),
        (
            "elsewhere",
            "CHECK( init(start()), LTL(G ! call(bad())) )".to_owned(),
            &c,
            "unsafe",
            "no call of bad",
        ),
    ];
    for (name, text, program, expected, property) in table {
        let path = file(&format!("{name}.prp"), &text);
        let run = run(program, &[&path.display().to_string()], &["--format", "json"]);
        let report = json(&run);
        assert_eq!(report["verdict"], expected, "{name}\n{run}");
        assert_eq!(report["property"], property, "{name}");
    }
}

#[test]
fn bad_properties() {
    let c = program("bad", "int main(void) { return 0; }");
    let race = file(
        "race.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G ! data-race) )\n",
    );
    let empty = file("empty.prp", "\n");
    let cover =
        file("cover.prp", "COVER( init(main()), FQL(COVER EDGES(@CALL(__VERIFIER_error))) )\n");
    let missing = file("x", "").with_file_name("there-is-none.prp");
    let table = [
        (race, ":2:30", "expected `call(f())`, `label(L)` or `overflow`, found `data-race`"),
        (empty, ":1:1", "expected `CHECK`, found the end of the file"),
        (cover, ":1:1", "expected `CHECK`, found `COVER`"),
        (missing, "", "there is no such file"),
    ];
    for (path, place, message) in table {
        let run = run(&c, &[&path.display().to_string()], &[]);
        assert_eq!(run.status, 3, "{run}");
        let place = format!("{}{place}", path.display());
        assert!(run.stderr.contains(&place) && run.stderr.contains(message), "{run}");
        assert_eq!(run.stdout, "", "{run}");
    }
    let named = run(&c, &["valid-everything"], &[]);
    assert_eq!(named.status, 3, "{named}");
    assert!(named.stderr.contains("valid-memcleanup, def-behavior"), "{named}");
    let other = file("other.prp", "CHECK( init(f()), LTL(F end) )");
    let both = run(&c, &[&other.display().to_string()], &["--entry", "main"]);
    assert_eq!(both.status, 3, "{both}");
}

#[test]
fn several_properties() {
    let c = program(
        "several",
        "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 == 2; }",
    );
    let all = run(&c, &["unreach-call,no-overflow", "termination"], &["--format", "json"]);
    assert_eq!(all.status, 1, "{all}");
    let report = json(&all);
    let results = report["results"].as_array().expect("results");
    let pairs: Vec<(&str, &str)> = results
        .iter()
        .filter_map(|result| Some((result["property"].as_str()?, result["verdict"].as_str()?)))
        .collect();
    let expected = [("unreach-call", "safe"), ("no-overflow", "unsafe"), ("termination", "safe")];
    assert_eq!(pairs, expected);
    assert_eq!(results[1]["violation"]["kind"], "signed-overflow");
    let text = run(&c, &["unreach-call,no-overflow"], &[]);
    let blocks: Vec<&str> = text.stdout.split("\n\n").collect();
    assert_eq!(blocks.len(), 2, "{text}");
    assert!(blocks[0].starts_with("unreach-call:\nsafe"), "{text}");
    assert!(blocks[1].starts_with("no-overflow:\nunsafe"), "{text}");
    let explored =
        Loupe::new(["explore".into(), c]).args(["--property", "unreach-call,no-overflow"]);
    assert_eq!(explored.run().status, 3);
}

/// One that takes all the time that it can have leaves the others theirs.
#[test]
fn time_is_shared() {
    let text = "unsigned collatz(unsigned n) { unsigned k = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } return k; } \
                int main(void) { int x = __VERIFIER_nondet_int(); if (x < 1) return 0; collatz(x); int y = x - 1; return y; }";
    let c = program("shared", text);
    let mut call = Loupe::new(["verify".into(), c]);
    call = call.args(["--property", "termination,unreach-call,termination", "--timeout", "3"]);
    let run = call.args(["--format", "json"]).run();
    let report = json(&run);
    let results = report["results"].as_array().expect("results");
    assert_eq!(results.len(), 3, "{run}");
    assert_eq!(results[0]["verdict"], "unknown", "{run}");
    let seconds = results[0]["stats"]["seconds"].as_f64().expect("seconds");
    assert!(seconds < 2.9, "{run}");
    assert_eq!(run.status, 2, "{run}");
}

/// Programs in other languages are programs of their own.
#[test]
fn several_programs() {
    let good = file("good.uc", "main() { var x; x = input; return x + 1; }\n");
    let bad = file("bad.uc", "main() { var x; x = input; return 1 / x; }\n");
    let run = Loupe::new(["verify".into(), good, bad]).args(["--format", "json"]).run();
    assert_eq!(run.status, 1, "{run}");
    let verdicts: Vec<Json> = json(&run)["results"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|r| r["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["safe", "unsafe"]);
}

/// Programs with what `valid-memtrack` and `valid-memcleanup` say of them; whether AddressSanitizer agrees that memory is lost is looked at below.
const LEAKS: &[(&str, &str, &str, &str)] = &[
    ("freed", "int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }", "safe", "safe"),
    ("lost", "int main(void) { int *p = malloc(4); *p = 1; return 0; }", "unsafe", "unsafe"),
    ("global", "int *g; int main(void) { g = malloc(4); return 0; }", "safe", "unsafe"),
    ("static", "int main(void) { static int *p; p = malloc(4); return 0; }", "safe", "unsafe"),
    (
        "overwritten",
        "int *g; int main(void) { g = malloc(4); *g = 1; g = 0; return 0; }",
        "unsafe",
        "unsafe",
    ),
    (
        "interior",
        "int *g; int main(void) { int *p = malloc(40); g = p + 3; return 0; }",
        "safe",
        "unsafe",
    ),
    (
        "exit",
        "int main(void) { int *p = malloc(4); *p = 1; if (*p) exit(0); free(p); return 0; }",
        "safe",
        "unsafe",
    ),
    (
        "exit-lost",
        "int main(void) { int *p = malloc(4); *p = 1; p = 0; exit(0); }",
        "unsafe",
        "unsafe",
    ),
    (
        "scope-over",
        "int main(void) { { int *p = malloc(4); *p = 1; } exit(0); }",
        "unsafe",
        "unsafe",
    ),
    (
        "returned",
        "int *make(void) { return malloc(4); } int main(void) { make(); free(make()); return 0; }",
        "unsafe",
        "unsafe",
    ),
    (
        "cycle",
        "int main(void) { struct node *a = malloc(16), *b = malloc(16); a->next = b; b->next = a; return 0; }",
        "unsafe",
        "unsafe",
    ),
    (
        "list",
        "struct node *head; int main(void) { for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = head; head = n; } return 0; }",
        "safe",
        "unsafe",
    ),
    (
        "cut",
        "struct node *head; int main(void) { for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = head; head = n; } head->next = 0; return 0; }",
        "unsafe",
        "unsafe",
    ),
    (
        "given-back",
        "int main(void) { struct node *head = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = head; head = n; } \
         while (head) { struct node *n = head->next; free(head); head = n; } return 0; }",
        "safe",
        "safe",
    ),
];

#[test]
fn leaks() {
    for (name, text, tracked, cleaned) in LEAKS {
        let expected = [("valid-memtrack", *tracked), ("valid-memcleanup", *cleaned)];
        check(&format!("leak-{name}"), text, &expected);
    }
}

/// What depends on inputs, on loops and on how an execution ends.
#[test]
fn leaks_on_some_paths() {
    let table = [
        (
            "input",
            "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() == 7) return 1; free(p); return 0; }",
            "unsafe",
        ),
        (
            "abort",
            "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) abort(); free(p); return 0; }",
            "safe",
        ),
        (
            "abort-lost",
            "int main(void) { int *p = malloc(4); p = 0; if (__VERIFIER_nondet_int()) abort(); while (1) ; }",
            "unsafe",
        ),
        (
            "assumed",
            "void assume_abort_if_not(int c) { if (!c) abort(); } \
             int main(void) { int *p = malloc(4); assume_abort_if_not(__VERIFIER_nondet_int() > 0); free(p); return 0; }",
            "safe",
        ),
        (
            "failed",
            "int *g; int main(void) { g = malloc(4); if (__VERIFIER_nondet_int()) { g = 0; reach_error(); } free(g); return 0; }",
            "unsafe",
        ),
        (
            "each",
            "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) { int *p = malloc(4); *p = i; } return 0; }",
            "unsafe",
        ),
        (
            "none",
            "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) { int *p = malloc(4); *p = i; free(p); } return 0; }",
            "safe",
        ),
        (
            "over",
            "int main(void) { int n = __VERIFIER_nondet_int(), s = 0; int *p = malloc(4); for (int i = 0; i < n; i++) s += i; free(p); return s; }",
            "safe",
        ),
        (
            "forgotten",
            "int main(void) { int n = __VERIFIER_nondet_int(); int *p = malloc(4); for (int i = 0; i < n; i++) p = 0; if (n <= 0) free(p); return 0; }",
            "unsafe",
        ),
        ("kept-for-ever", "int *g; int main(void) { g = malloc(4); while (1) ; }", "safe"),
    ];
    for (name, text, expected) in table {
        check(&format!("path-{name}"), text, &[("valid-memtrack", expected)]);
    }
}

/// Memory that is lost before an endless loop is lost, though no execution ends; and a number may be all that is known of memory.
#[test]
fn leaks_that_are_never_called_safe() {
    let table = [
        ("before", "int main(void) { int *p = malloc(4); *p = 1; p = 0; while (1) ; }"),
        (
            "counting",
            "int *g; int main(void) { unsigned i = 0; g = malloc(4); g = 0; while (1) i++; }",
        ),
        ("inside", "int *g; int main(void) { unsigned i = 0; while (1) { g = malloc(4); i++; } }"),
        ("number", "unsigned long g; int main(void) { g = (unsigned long)malloc(4); return 0; }"),
    ];
    for (name, text) in table {
        let file = program(&format!("never-{name}"), text);
        let run = run(&file, &["valid-memtrack"], &["--format", "json", "--timeout", "2"]);
        assert_ne!(json(&run)["verdict"], "safe", "{name}\n{run}");
    }
}

/// Where gcc has AddressSanitizer: what it says is lost at the end is what violates `valid-memtrack`, for programs that end by a return. (At `exit` it takes what
/// lies below the stack for pointers.)
#[test]
fn leaks_as_the_sanitizer_sees_them() {
    for (name, text, tracked, _) in LEAKS.iter().filter(|(_, text, ..)| !text.contains("exit(0)")) {
        let source = file(
            &format!("lsan-{name}.c"),
            &format!(
                "#include <stdlib.h>\nstruct node {{ int data; struct node *next; }};\n{text}\n"
            ),
        );
        let binary = source.with_extension("out");
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O0", "-fsanitize=address", "-o"]).arg(&binary).arg(&source);
        if !gcc.status().is_ok_and(|status| status.success()) {
            loupe_tests::tell(
                "leaks_as_the_sanitizer_sees_them is skipped: gcc has no AddressSanitizer here",
            );
            return;
        }
        let mut run = Command::new(&binary);
        run.env("ASAN_OPTIONS", "detect_leaks=1")
            .env("LSAN_OPTIONS", "use_registers=0:use_stacks=0");
        let output = run.output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("LeakSanitizer has encountered a fatal error") {
            loupe_tests::tell(
                "leaks_as_the_sanitizer_sees_them is skipped: LeakSanitizer does not work here",
            );
            return;
        }
        let is_lost = said.contains("detected memory leaks");
        assert_eq!(is_lost, *tracked == "unsafe", "{name}\n{said}");
    }
}

/// The command that a report names, run by a shell: its status.
fn replayed(report: &Json) -> Option<i32> {
    let command = report["violation"]["replay"].as_str().expect("a command");
    let rest = command.split_once("loupe run ").expect("loupe run");
    let command = format!("{}\"$LOUPE\" run {}", rest.0, rest.1);
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).env("LOUPE", binary()).stdin(std::process::Stdio::null());
    let output = shell.output().expect("a shell");
    output.status.code()
}

#[test]
fn what_a_report_names_replays_the_violation() {
    let programs = [
        (
            "overflow",
            "no-overflow",
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5) x = x + 2147483640; return 0; }",
        ),
        (
            "lost",
            "valid-memtrack",
            "int main(void) { char *p = malloc(3); if (__VERIFIER_nondet_int() == 77) p = 0; free(p); return 0; }",
        ),
        ("kept", "valid-memcleanup", "char *p; int main(void) { p = malloc(3); return 0; }"),
        (
            "reached",
            "unreach-call",
            "int main(void) { if (__VERIFIER_nondet_int() == 5 && __VERIFIER_nondet_int() == -7) reach_error(); return 0; }",
        ),
        (
            "twice",
            "valid-free",
            "int main(void) { char *p = malloc(3); free(p); free(p); return 0; }",
        ),
        (
            "unset",
            "unreach-call",
            "int main(void) { int x, y; if (y == 3 && x == 12) reach_error(); return 0; }",
        ),
        (
            "typed",
            "unreach-call",
            "extern int getchar(void); int main(void) { if (getchar() == 'a' && getchar() == '\\'') reach_error(); return 0; }",
        ),
        (
            "called",
            "unreach-call",
            "int main(int argc, char **argv) { if (argc == 2 && argv[1][0] == 'x') reach_error(); return 0; }",
        ),
    ];
    for (name, property, text) in programs {
        let file = program(&format!("replay of {name}"), text);
        let report = json(&run(&file, &[property], &["--format", "json"]));
        assert_eq!(report["verdict"], "unsafe", "{name}: {report:#}");
        assert_eq!(replayed(&report), Some(1), "{name}: {}", report["violation"]["replay"]);
        let text = run(&file, &[property], &[]).stdout;
        assert!(text.contains("replay: "), "{text}");
    }
}

#[test]
fn a_run_counts_what_the_property_counts() {
    let text = "int main(void) { int x = 2147483647; x = x + __VERIFIER_nondet_int(); malloc(1); return 10 / x; }";
    let file = program("counted", text);
    let status = |property: &str, input: &str| {
        let call = Loupe::new(["run".into(), file.to_owned()]);
        call.args(["--property", property, "--input", input]).run().status
    };
    assert_eq!(status("no-overflow", "1"), 1);
    assert_eq!(status("no-overflow", "-1"), 0);
    assert_eq!(status("valid-memtrack", "0"), 1);
    assert_eq!(status("unreach-call", "0"), 0);
    // What is not defined is no violation of this property.
    assert_eq!(status("unreach-call", "-2147483647"), 2);
}

#[test]
fn a_loop_of_thousands_of_millions_of_iterations_is_replayed_by_its_closed_form() {
    let text = "int main(void) { long long s = 0; for (long long i = 0; i < 5000000000LL; i++) s += i; return 0; }";
    let file = program("far", text);
    let report = json(&run(&file, &["no-overflow"], &["--format", "json"]));
    assert_eq!(report["verdict"], "unsafe", "{report:#}");
    assert_eq!(report["violation"]["jumps"][0]["iterations"], 4_294_967_296_u64, "{report:#}");
    let story = report["violation"]["story"].to_string();
    assert!(story.contains("4,294,967,296 iterations"), "{story}");
}

/// Computations that took long, and looked at no clock.
const LONG: &[(&str, &str)] = &[
    (
        "halved",
        "int main(void) { long long x = __VERIFIER_nondet_int(); while (x > 0) x = x - 1 - (x >> 1); return 0; }",
    ),
    (
        // In the middle of this, the solver library complains.
        "spacer",
        "int main(void) { struct { signed d : 5; } s; s.d = 2; unsigned char a = 0; for (long long i = 256; i != 4; i += 3) { a = s.d + i; s.d = 6; } return 0; }",
    ),
    (
        "replayed",
        "int main(void) { unsigned long long s = 0; int x = 1; for (unsigned long long i = 0; i < 50000000000ULL; i++) { s ^= i * s; if (s == 1234567) return 1; } return x + 2147483647; }",
    ),
];

#[test]
fn time_is_kept_to() {
    for (name, text) in LONG {
        let file = program(&format!("long-{name}"), text);
        for property in ["termination", "no-overflow"] {
            let start = std::time::Instant::now();
            let more = ["--format", "json", "--timeout", "1"];
            let run = run(&file, &[property], &more);
            let report = json(&run);
            assert_eq!(run.stderr, "", "{name}, {property}");
            // On a machine with other things to do it is more than 2.
            let seconds = start.elapsed().as_secs_f64();
            assert!(seconds < 3.5, "{name}, {property}: {seconds} s: {report:#}");
            for key in ["obstacles", "invariants", "templates", "stats", "member", "members"] {
                assert!(report.get(key).is_some(), "{name}, {property}: {key}");
            }
        }
    }
}

#[test]
fn constants_are_shifted_by_any_number_of_places() {
    let status = |shift: &str, most: i64| {
        let text = format!(
            "int main(void) {{ int s = __VERIFIER_nondet_int(); if (s < 0 || s > {most}) return 0; return {shift} << s; }}"
        );
        run(&file("shift.c", &text), &["no-overflow"], &[]).status
    };
    for (shift, most) in [("1", 30), ("3", 29), ("2147483647", 0)] {
        assert_eq!(status(shift, most), 0, "{shift} << {most}");
        assert_eq!(status(shift, most + 1), 1, "{shift} << {}", most + 1);
    }
    assert_eq!(status("0", 31), 0);
}
