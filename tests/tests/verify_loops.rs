//! Loops of which it is easy to believe too much: what a summary rests on must hold where it is used.

use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

const BEGIN: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                     extern void abort(void); void *malloc(unsigned long);\n";

/// What every way to handle loops says of a program that only the test `name` uses.
fn verdicts(name: &str, extension: &str, text: &str) -> Vec<String> {
    verdicts_within("20", name, extension, text)
}

/// The same, with a limit of so many seconds.
fn verdicts_within(seconds: &str, name: &str, extension: &str, text: &str) -> Vec<String> {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("loops-{name}.{extension}"));
    fs::write(&file, text).expect("a file");
    let verdict = |loops: &&str| {
        let call = Loupe::new(["verify".into(), file.clone()]);
        let run = call.args(["--format", "json", "--timeout", seconds, "--loops", loops]).run();
        let report: Json = serde_json::from_str(&run.stdout)
            .unwrap_or_else(|error| panic!("{name}: {error}\n{run}"));
        report["verdict"].as_str().unwrap_or_default().to_owned()
    };
    ["auto", "summary"].iter().map(verdict).collect()
}

fn fails(name: &str, text: &str) {
    assert_eq!(verdicts(name, "c", &format!("{BEGIN}{text}")), ["unsafe", "unsafe"], "{name}");
}

#[test]
fn ranges_that_only_one_entry_has() {
    fails(
        "ranges",
        "struct S { int state; int n; };
         void step(struct S *q) {
             for (int i = 0; i < q->n; i++) {
                 if (q->state > 255) reach_error();
                 q->state = (unsigned char)(q->state + 7);
             }
         }
         int main(void) {
             struct S *q = malloc(sizeof(struct S));
             q->n = __VERIFIER_nondet_int(); q->state = 0; step(q);
             q->state = __VERIFIER_nondet_int(); step(q);
             return 0;
         }",
    );
}

/// A machine with 40 states, from a state that is an input, and an error if a condition holds behind it.
fn machine(condition: &str) -> String {
    let states: String = (0..40)
        .map(|state| {
            let more = match state % 7 {
                0 => "a++;",
                1 => "last = s;",
                _ => "b++;",
            };
            format!("case {state}: {more} s = {}; break;\n", (state + 1) % 40)
        })
        .collect();
    format!(
        "{BEGIN}int main(void) {{
             int n = __VERIFIER_nondet_int(), start = __VERIFIER_nondet_int();
             if (n < 0 || n > 100000000) return 0;
             int s = start, last = -1; unsigned a = 0, b = 0;
             for (int i = 0; i < n; i++) switch (s) {{ {states} }}
             if ({condition}) reach_error();
             return 0;
         }}"
    )
}

#[test]
fn machines_with_many_states() {
    // 100 turns of 40 states, of which six count in a and twenty-eight in b.
    for (name, condition, verdict) in [
        ("turns", "start == 17 && n == 4000 && (a != 600 || b != 2800 || s != 17)", "safe"),
        ("outside", "start < 0 && (s != start || a != 0 || last != -1)", "safe"),
        ("kept", "start >= 0 && start < 40 && n > 40 && (last < 1 || last % 7 != 1)", "safe"),
        ("far", "start == 3 && n == 90000001 && s == 4 && last == 36 - 35", "unsafe"),
        ("near", "start == 3 && n == 5 && s == 8 && b == 4 && last == -1", "unsafe"),
    ] {
        let found = verdicts(&format!("machine-{name}"), "c", &machine(condition));
        assert_eq!(found, [verdict, verdict], "{name}");
    }
}

/// Arrays that loops write, search and compare; each with a claim that holds and one that does not.
#[test]
fn arrays() {
    let fill = "for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();";
    for (name, body, holds, fails) in [
        (
            "fill",
            "for (i = 0; i < n; i++) a[i] = 2 * i + 1;",
            "k >= n || a[k] == 2 * k + 1",
            "k >= n || a[k] != 77777",
        ),
        (
            "copy",
            &format!("{fill} for (i = 0; i < n; i++) b[i] = a[i];"),
            "k >= n || a[k] == b[k]",
            "k >= n || a[k] + 6 != 3 * b[k]",
        ),
        (
            "find",
            &format!("{fill} for (i = 0; i < n && a[i] != x; i++) ;"),
            "i == n || a[i] == x",
            "i == n || a[i] != x",
        ),
        (
            "carried",
            "a[0] = 3; for (i = 1; i < n; i++) a[i] = a[i - 1] + 2;",
            "k >= n || n < 1 || a[k] == 2 * k + 3",
            "k >= n || a[k] != 40003",
        ),
        (
            "down",
            "for (i = n - 1; i >= 0; i--) a[i] = n - i;",
            "k >= n || a[k] == n - k",
            "k >= n || a[k] != 12345",
        ),
        (
            "twice",
            "for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i += 2) a[i] = 2;",
            "k >= n || a[k] == (k % 2 ? 1 : 2)",
            "k >= n || a[k] == 1",
        ),
        (
            "last",
            "for (i = 0; i + 1 < n; i++) { a[i] = 7; a[i + 1] = i; }",
            "k + 2 >= n || a[k] == 7",
            "k >= n || a[k] == 7 || a[k] != 41",
        ),
    ] {
        for (claim, verdict) in [(holds, "safe"), (fails, "unsafe")] {
            let text = format!(
                "{BEGIN}int a[100000], b[100000];
                 int main(void) {{
                     int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), i;
                     if (n < 0 || n > 100000 || k < 0 || k >= 100000) return 0;
                     {body}
                     if (!({claim})) reach_error();
                     return 0;
                 }}"
            );
            let found = verdicts(&format!("array-{name}-{verdict}"), "c", &text);
            assert_eq!(found, [verdict, verdict], "{name}: {claim}");
        }
    }
}

/// What nobody has written has values of its type, and the same ones wherever they are copied to.
#[test]
fn elements_that_nobody_has_written() {
    for (name, claim, verdict) in [
        ("same", "b[k] == a[k] && b[1024] == a[1024]", "safe"),
        ("range", "(long long)b[k] + 10 <= 2147483700LL", "safe"),
        ("top", "(long long)b[k] + 10 <= 2147483650LL", "unsafe"),
    ] {
        let text = format!(
            "{BEGIN}int b[2048];
             int main(void) {{
                 int a[2048], i, k = __VERIFIER_nondet_int();
                 if (k < 0 || k >= 2048) return 0;
                 for (i = 0; i < 2048; i++) b[i] = a[i];
                 if (!({claim})) reach_error();
                 return 0;
             }}"
        );
        let found = verdicts(&format!("unwritten-{name}"), "c", &text);
        assert_eq!(found, [verdict, verdict], "{name}: {claim}");
    }
}

#[test]
fn other_fields_of_the_same_record() {
    let text = "f(p, n) { var i; i = 0; while (i < n) { (*p).a = (*p).a + (*p).b; i = i + 1; } return (*p).a; }
                main() { var n, p, x, y; n = input; p = alloc {a: 0, b: 1}; x = f(p, n);
                (*p).a = 0; (*p).b = 5; y = f(p, n); if (n > 3) { x = 1 / (y - 5 * n); } return 0; }";
    assert_eq!(verdicts("fields", "uc", text), ["unsafe", "unsafe"]);
}

#[test]
fn zeros_and_uninitialised_values_at_the_same_place() {
    fails(
        "background",
        "int n;
         void f(int *p) { int i = 0; while (i < n) { if (p[1] == 7) reach_error(); i++; } }
         int main(void) {
             n = __VERIFIER_nondet_int();
             if (n < 0 || n > 100000) abort();
             if (__VERIFIER_nondet_int()) { int a[2] = {0}; f(a); } else { int b[2]; b[0] = 0; f(b); }
             return 0;
         }",
    );
}

#[test]
fn an_uninitialised_value_in_each_iteration() {
    let renewed = "int main(void) {
             int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), a = 0, b = 0;
             for (int i = 0; i < n; i++) {
                 int t; int *p = &t;
                 for (int j = 0; j < m; j++) { if (*p > 0) a = 1; else b = 1; }
             }
             if (a && b) reach_error();
             return 0;
         }";
    // An approximation of the outer loop shows no execution, but must not rule this one out.
    let found = verdicts("renewed", "c", &format!("{BEGIN}{renewed}"));
    assert_eq!(found[0], "unsafe");
    assert_ne!(found[1], "safe");
    fails(
        "first-look",
        "int main(void) {
             int *p = malloc(4);
             int n = __VERIFIER_nondet_int(), s = 0, i = 0;
             if (n < 0 || n > 100000) abort();
             while (i < n) { s = *p; i++; }
             if (s != 0) reach_error();
             return 0;
         }",
    );
}

#[test]
fn an_approximated_way_out_is_no_way_out() {
    let text = "int main(void) {
             int n = __VERIFIER_nondet_int(), i = 0, y = 27;
             unsigned a = 0, b = 0;
             while (i < n) {
                 if (__VERIFIER_nondet_int()) { i++; a++; }
                 else if (__VERIFIER_nondet_int()) { i++; b++; }
                 else { while (y != 1) { if (y % 2) y = 3 * y + 1; else y /= 2; if (y > 1000000) goto out; } break; }
             }
             return 0;
             out: reach_error(); return 0;
         }";
    let found = verdicts("approximated", "c", &format!("{BEGIN}{text}"));
    assert!(!found.contains(&"unsafe".to_owned()), "{found:?}");
}

/// What a loop reads is told apart by its sum and by its last value: the inputs of a violation are found from these.
/// The sum of a and b is 3 all the time, which an approximation does not know; what it leaves in `g` is not what a run finds there.
const APPROXIMATED: &str = "unsigned h = __VERIFIER_nondet_int(), c = 0, a = 1, b = 2;
    while (c < 1000) {
        unsigned t = a; a = b; b = t;
        if (h % 3 == 1) { h = h*5 + c; } else { h = h*h; a = a+b; b = a-b; a = a-b; }
        c++;
    }";

#[test]
fn a_replay_goes_over_iterations_only_where_it_finds_what_they_read() {
    for (name, globals, rest) in [
        (
            "jump-global",
            "unsigned g;",
            "g = a + b; unsigned i = 0; while (i < g) i++; if (i > 50000) reach_error();",
        ),
        (
            "jump-pointer",
            "",
            "unsigned g = a + b, *p = &g; unsigned i = 0; while (i < *p) i++; if (i > 50000) reach_error();",
        ),
        (
            "jump-field",
            "struct { int x; unsigned g; } s;",
            "s.g = a + b; unsigned i = 0; while (i < s.g) i++; if (i > 50000) reach_error();",
        ),
        (
            "jump-table",
            "const unsigned T[] = {5, 7, 9, 11, 100000, 4};",
            "const unsigned *p = &T[(a + b) % 6]; unsigned i = 0; while (i < *p) i++; if (i > 50000) reach_error();",
        ),
    ] {
        let text = format!("{BEGIN}{globals} int main(void) {{ {APPROXIMATED} {rest} return 0; }}");
        let said = verdicts_within("3", name, "c", &text);
        assert!(said.iter().all(|verdict| verdict != "unsafe"), "{name}: {said:?}");
    }
}

#[test]
fn a_replay_goes_over_the_iterations_that_were_meant() {
    for (name, text) in [
        (
            "twice-global",
            "unsigned g;
             unsigned f(void) { unsigned i = 0; while (i < g) i++; return i; }
             int main(void) { g = 100; unsigned a = f(); g = 100000; unsigned b = f();
                 if (a == 100 && b == 100000) reach_error(); return 0; }",
        ),
        (
            "twice-pointer",
            "unsigned f(unsigned *n) { unsigned i = 0; while (i < *n) i++; return i; }
             int main(void) { unsigned x = 100, y = 100000, a = f(&x), b = f(&y);
                 if (a == 100 && b == 100000) reach_error(); return 0; }",
        ),
        // More iterations than are executed one by one, up to what stands in memory.
        (
            "long-global",
            "unsigned g = 3000000000u;
             int main(void) { unsigned i = 0, s = 0; while (i < g) { i++; s += 3; }
                 if (s == 410065408u) reach_error(); return 0; }",
        ),
    ] {
        fails(name, text);
    }
}

#[test]
fn functions_that_call_themselves_are_approximated() {
    let begin = "int g; int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
         int count(int n) { g++; return n > 0 ? count(n - 1) + 1 : 0; }
         int stop(int n) { if (n == 3) reach_error(); return n > 0 ? stop(n - 1) : 0; }
         int half(int n) { return n > 0 ? half(n - 1) + 10 / n : 10 / n; }";
    // What the summary says, of programs that have an error where it is not `safe`.
    for (name, rest, expected) in [
        (
            "recursion-counter",
            "int i = 0, s = 0; while (i < n) { s = fact(i % 5); i++; } if (n > 0 && i != n) reach_error();",
            &["safe"][..],
        ),
        (
            "recursion-result",
            "int i = 0, s = 0; while (i < 3) { s = fact(i + 2); i++; } if (s != 0) reach_error();",
            &["unsafe", "unknown"],
        ),
        (
            "recursion-global",
            "int i = 0; while (i < 3) { count(i); i++; } if (g == 6) reach_error();",
            &["unsafe", "unknown"],
        ),
        (
            "recursion-kept",
            "int i = 0, g0 = 7; while (i < 3) { count(i); i++; } if (g0 != 7) reach_error();",
            &["safe"],
        ),
        ("recursion-error", "int i = 0; while (i < 5) { stop(i); i++; }", &["unsafe", "unknown"]),
        (
            "recursion-division",
            "int i = 0; while (i < 5) { half(i); i++; }",
            &["unsafe", "unknown"],
        ),
    ] {
        let text = format!(
            "{BEGIN}{begin} int main(void) {{ int n = __VERIFIER_nondet_int(); {rest} return 0; }}"
        );
        let said = verdicts_within("5", name, "c", &text);
        assert!(expected.contains(&said[1].as_str()), "{name}: {said:?}");
    }
}

#[test]
fn what_is_read_does_not_move_in_strides() {
    let text = "main() { var x, z, b, a, go; x = input; z = input; b = 0; go = 1;
        while (go == 1) {
            a = x - z - input;
            if (a >= 0) { go = 0; } else {
            if (a < 0 - 10) { x = x + 2; } else { z = z - 4; b = b + 1; } }
        }
        if (b > 5) { b = 1/0; }
        return b; }";
    let said = verdicts_within("5", "strides", "uc", text);
    assert!(said.iter().all(|verdict| verdict != "safe"), "{said:?}");
}

#[test]
fn sums_and_last_values_of_inputs() {
    fails(
        "sums",
        "extern unsigned char __VERIFIER_nondet_uchar(void);
         int main(void) {
             unsigned n = __VERIFIER_nondet_uchar(), s = 0, i = 0; unsigned char v = 0;
             while (i < n) { v = __VERIFIER_nondet_uchar(); s += v; ++i; }
             if (s == 12345 && v == 77) reach_error();
             return 0;
         }",
    );
    fails(
        "steps",
        "int main(void) {
             int i = 0, k = 0;
             while (i < 1000000) {
                 int j = __VERIFIER_nondet_int();
                 if (!(1 <= j && j < 1000000)) abort();
                 i += j; k++;
             }
             if (k == 17 && i == 1000003) reach_error();
             return 0;
         }",
    );
    fails(
        "writers",
        "int main(void) {
             int x = 0, m = 0, n = __VERIFIER_nondet_int();
             while (x < n) { if (__VERIFIER_nondet_int()) m = x; x++; }
             if (n > 1000 && m == n - 5) reach_error();
             return 0;
         }",
    );
    let holds = "int main(void) {
             int x = 0, m = 0, s = 0, n = __VERIFIER_nondet_int();
             if (n > 1000) return 0;
             while (x < n) {
                 int j = __VERIFIER_nondet_int();
                 if (j < 2 || j > 5) abort();
                 if (__VERIFIER_nondet_int()) m = x;
                 s += j; x++;
             }
             if (n > 0 && (m < 0 || m >= n || s < 2 * n || s > 5 * n)) reach_error();
             return 0;
         }";
    assert_eq!(verdicts("bounded-sums", "c", &format!("{BEGIN}{holds}")), ["safe", "safe"]);
}

/// A loop over a large array is executed, and that is found out at once: not after a question for every index.
#[test]
fn large_arrays_are_given_up_at_once() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("loops-large.c");
    let text = "int main(void) { int a[20000]; int i;
                for (i = 0; i < 20000; i++) a[i] = 42;
                for (i = 0; i < 20000; i++) if (a[i] != 42) reach_error();
                return 0; }";
    fs::write(&file, format!("{BEGIN}{text}")).expect("a file");
    let run = Loupe::new(["verify".into(), file]).args(["--format", "json"]).run();
    let report: Json = serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}\n{run}"));
    assert_eq!(report["verdict"], "safe", "{run}");
    let queries = report["stats"]["queries"].as_u64().expect("a number");
    assert!(queries < 200, "{queries} queries");
}

/// What one way to handle loops says.
fn verdict_with(loops: &[&str], name: &str, text: &str) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("loops-{name}.c"));
    fs::write(&file, format!("{BEGIN}{text}")).expect("a file");
    let call = Loupe::new(["verify".into(), file]);
    let run = call.args(["--format", "json", "--timeout", "20", "--loops"]).args(loops).run();
    let report: Json =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{run}"));
    report["verdict"].as_str().unwrap_or_default().to_owned()
}

/// An array of as many inputs as an input says, a loop over it, and an error under a condition that an index chooses.
fn over_elements(element: &str, work: &str, condition: &str) -> String {
    format!(
        "int main(void) {{ {element} a[1000], b[1000]; signed char c = 0; int n = __VERIFIER_nondet_int(), s = 0;
         if (n < 1 || n > 1000) return 0;
         for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
         int m = a[0];
         for (int i = 0; i < n; i++) {{ {work} }}
         int x = __VERIFIER_nondet_int();
         if (x >= 0 && x < n && ({condition})) reach_error(); return 0; }}"
    )
}

/// No order of the paths has a pattern: elements choose among them.
#[test]
fn elements_that_choose() {
    let least = "if (a[i] < m) m = a[i];";
    let marks = "if (a[i] > 0) b[i] = 1; else b[i] = -1;";
    let count = "if (a[i] == 7) s++;";
    let programs = [
        ("least", "int", least, "a[x] < m", "safe"),
        ("least-found", "int", least, "a[x] == m && x > 3", "unsafe"),
        ("greatest", "short", "if (a[i] > m) m = a[i];", "a[x] > m", "safe"),
        (
            "greatest-found",
            "short",
            "if (a[i] > m) m = a[i];",
            "a[x] > m - 2 && m > 7 && x == 2",
            "unsafe",
        ),
        ("marks", "int", marks, "(a[x] > 0) != (b[x] == 1)", "safe"),
        ("marks-found", "int", marks, "b[x] == 1 && x > 5", "unsafe"),
        ("marks-char", "signed char", marks, "b[x] == 0", "safe"),
        ("counted-least", "int", count, "s < 0 || s > n", "safe"),
        ("counted-all", "int", count, "s == n && a[x] != 7", "safe"),
        ("counted-found", "int", count, "s == n && x > 5", "unsafe"),
        ("counted-wraps", "int", "if (a[i] == 7) c += 100;", "c < 0", "unsafe"),
    ];
    for (name, element, work, condition, expected) in programs {
        let text = over_elements(element, work, condition);
        assert_eq!(verdict_with(&["auto"], name, &text), expected, "{name}");
    }
}

/// Two indices that move towards each other: what is read was not written before as long as they have not met.
#[test]
fn reversing() {
    let swap = "int t = a[i]; a[i] = a[j]; a[j] = t;";
    let programs = [
        ("reversed", "i < j", "a[k] == b[n - 1 - k]", "safe"),
        ("reversed-not", "i < j", "a[k] == b[k]", "unsafe"),
        // Whoever goes on behind the middle swaps everything back.
        ("reversed-twice", "j >= 0", "n != 7 || a[k] == b[n - 1 - k]", "unsafe"),
    ];
    for (name, guard, claim, expected) in programs {
        let text = format!(
            "int a[1000], b[1000];
             int main(void) {{
                 int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
                 if (n < 1 || n > 1000 || k < 0 || k >= n) return 0;
                 for (int i = 0; i < n; i++) b[i] = a[i] = __VERIFIER_nondet_int();
                 for (int i = 0, j = n - 1; {guard}; i++, j--) {{ {swap} }}
                 if (!({claim})) reach_error();
                 return 0;
             }}"
        );
        assert_eq!(verdict_with(&["auto"], name, &text), expected, "{name}");
    }
}

/// Functions of the library on texts and memory of any length.
#[test]
fn texts_and_memory_of_any_length() {
    let programs = [
        ("length", "strcpy(d, s); if (strlen(d) != l) reach_error();", "safe"),
        ("end", "strcpy(d, s); if (d[l] != 0) reach_error();", "safe"),
        ("copied", "strcpy(d, s); if (l > 50 && d[40] == 'x') reach_error();", "unsafe"),
        ("found", "char *p = strchr(s, 'x'); if (p && p - s >= l) reach_error();", "safe"),
        ("part", "memcpy(d, s, l); if (l > 3 && d[3] != s[3]) reach_error();", "safe"),
        ("filled", "memset(d, 7, l); if (l > 9 && d[7] == 7) reach_error();", "unsafe"),
        (
            "beyond",
            "memcpy(d + 1, s, l + 1); if (l > 5 && d[l] != s[l - 1]) reach_error();",
            "safe",
        ),
    ];
    for (name, work, expected) in programs {
        let text = format!(
            "#include <string.h>
             int main(void) {{
                 int n = __VERIFIER_nondet_int();
                 if (n < 1 || n > 10000) return 0;
                 char *s = malloc(n), *d = malloc(n + 1);
                 for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_int();
                 s[n - 1] = 0;
                 unsigned long l = strlen(s);
                 {work}
                 return 0;
             }}"
        );
        assert_eq!(verdict_with(&["auto"], &format!("text-{name}"), &text), expected, "{name}");
    }
}

/// Cyclic paths are passed by templates, one after the other.
#[test]
fn compact_trees() {
    let search = "int main(void) { int a[1000], n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), i = 0;
         if (n < 0 || n > 1000) return 0;
         for (int j = 0; j < 1000; j++) a[j] = __VERIFIER_nondet_int();
         while (i < n && a[i] != x) i++;";
    let count = "int main(void) { int n = __VERIFIER_nondet_int(), c = 0;
         for (int i = 0; i < n; i++) if (__VERIFIER_nondet_int() > 5) c++;";
    let table = "int main(void) { const int t[6] = {72, 101, 108, 108, 111, 0}; int a[100], i = 0;
         while (i < 99 && t[i] != 0 && a[i] == t[i]) i++;";
    let programs = [
        (
            "search",
            format!("{search} if (i == 700 && i < n) reach_error(); return 0; }}"),
            "unsafe",
        ),
        (
            "search-safe",
            format!("{search} if (i < n && a[i] != x) reach_error(); return 0; }}"),
            "safe",
        ),
        (
            "count",
            format!("{count} if (c == 300 && n > 1000) reach_error(); return 0; }}"),
            "unsafe",
        ),
        ("table", format!("{table} if (t[i] == 0) reach_error(); return 0; }}"), "unsafe"),
        ("table-safe", format!("{table} if (i > 5) reach_error(); return 0; }}"), "safe"),
    ];
    for (name, text, expected) in programs {
        for templates in ["turns", "random"] {
            let options = ["compact", "--templates", templates];
            let found = verdict_with(&options, &format!("compact-{name}"), &text);
            assert_eq!(found, expected, "{name} {templates}");
        }
    }
}

/// What `main` does not look at decides nothing, and of what nobody can give out nothing is said.
#[test]
fn command_lines_and_sizes() {
    let unused = "int main(int argc, char **argv) { return 0; }";
    assert_eq!(verdict_with(&["auto"], "unused", unused), "safe");
    let counted = "int main(int argc, char **argv) { if (argc == 2) reach_error(); return 0; }";
    assert_eq!(verdict_with(&["auto"], "counted", counted), "unsafe");
    for size in ["-1", "__VERIFIER_nondet_int()"] {
        let text = format!(
            "int main(void) {{ int n = {size}; malloc(n); if (n < 0) reach_error(); return 0; }}"
        );
        assert_eq!(verdict_with(&["auto"], "size", &text), "unknown", "{size}");
    }
}

/// Examples of the long version of *Abstracting Path Conditions*, appendix A: what the loops leave in arrays, and that nothing else is there.
#[test]
fn arrays_of_the_apc_report() {
    let one = "int a[1000];";
    let two = "int a[300][400];";
    let examples = [
        (
            "1",
            one,
            "for (i = 0; i < n; i++) a[i] = i;",
            "k >= n || a[k] == k",
            "k >= n || a[k] != 77",
        ),
        (
            "2",
            one,
            "for (i = 1; i < n; i++) { a[i - 1] = i; a[i] = i; }",
            "n < 2 || k >= n || a[k] == (k == n - 1 ? k : k + 1)",
            "n < 2 || k >= n || a[k] != 99",
        ),
        (
            "3",
            one,
            "for (i = 0; i < n; i++) if (i % 2 == 0) a[i] = 2 * i + 1; else a[i] = 5;",
            "k >= n || a[k] == (k % 2 == 0 ? 2 * k + 1 : 5)",
            "k >= n || a[k] != 41",
        ),
        (
            "5",
            two,
            "if (n > 400) return 0; for (i = 0; i < m; i++) for (j = 0; j < n; j++) a[i][j] = 7;",
            "k >= 400 || a[l][k] == (l < m && k < n ? 7 : 0)",
            "k >= 400 || l < 200 || a[l][k] != 7",
        ),
        (
            "6",
            two,
            "if (n > 400) return 0; for (i = 0; i < m; i++) for (j = i; j < n; j++) a[i][j] = 7;",
            "k >= 400 || a[l][k] == (l < m && l <= k && k < n ? 7 : 0)",
            "k >= 400 || l >= m || k >= n || a[l][k] == 7",
        ),
    ];
    for (name, declared, loops, holds, fails) in examples {
        for (claim, expected) in [(holds, "safe"), (fails, "unsafe")] {
            let text = format!(
                "{declared}
                 int main(void) {{
                     int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i, j;
                     int k = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
                     if (n < 0 || n > 1000 || k < 0 || k >= 1000) return 0;
                     if (m < 0 || m > 300 || l < 0 || l >= 300) return 0;
                     {loops}
                     if (!({claim})) reach_error();
                     return 0;
                 }}"
            );
            let found = verdict_with(&["auto"], &format!("apc-{name}"), &text);
            assert_eq!(found, expected, "example {name}: {claim}");
        }
    }
}
