//! `loupe reach`: places that are reached, that are not, and targets that make no sense.

use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

/// The running example of *Abstracting Path Conditions*, section 2, with some more lines; each line that a test asks for says so.
const COUNTS: &str = "extern int __VERIFIER_nondet_int(void);
int A[100];
int main(void) {
  int n = __VERIFIER_nondet_int(), k = 0, i;
  if (n < 0 || n > 100) return 0;
  for (i = 0; i < 100; i++) A[i] = __VERIFIER_nondet_int();
  for (i = 3; i < n; ++i) {
    if (A[i] == 1)
      ++k;
  }
  if (k > 12)
    n = 5;

  if (k > 97)
bad:
    n = 6;
  return n;
}
int never(void) { return 1; }
";

fn file(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("reach-{name}"));
    fs::write(&file, text).expect("a file");
    file
}

fn ask(file: &Path, target: &[&str]) -> Json {
    let call = Loupe::new(["reach".into(), file.to_path_buf()]).args(target);
    let run = call.args(["--format", "json", "--timeout", "20"]).run();
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{target:?}: {error}\n{run}"))
}

fn answers(file: &Path, targets: &[(&[&str], &str)]) {
    for (target, expected) in targets {
        let report = ask(file, target);
        assert_eq!(report["answer"], *expected, "{target:?}\n{report:#}");
        let has_inputs = report["violation"]["inputs"].is_array();
        assert_eq!(has_inputs, *expected == "reached", "{target:?}\n{report:#}");
    }
}

#[test]
fn lines_labels_and_functions() {
    let file = file("counts.c", COUNTS);
    let targets: [(&[&str], &str); 7] = [
        (&["--line", "9"], "reached"),
        (&["--line", "12"], "reached"),
        (&["--line", "16"], "unreachable"),
        (&["--label", "bad"], "unreachable"),
        (&["--line", "17"], "reached"),
        (&["--function", "main"], "reached"),
        (&["--function", "never"], "unreachable"),
    ];
    answers(&file, &targets);
    let report = ask(&file, &["--line", "12"]);
    let ways = report["necessary"]["ways"].as_array().expect("ways");
    assert!(!ways.is_empty() && ways[0]["line"] == 12, "{report:#}");
}

/// The programs of the paper whose targets nobody reaches, and what its incompleteness theorem says is not found out.
#[test]
fn loops_that_never_end_there() {
    let two = file(
        "two.c",
        "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  while (i < n && i < 1000000) i += 4;
  if (i == 15)
    return 1;
  while (i != j + 7) j += 2;
  return 0;
}",
    );
    answers(&two, &[(&["--line", "6"], "unreachable"), (&["--line", "8"], "unreachable")]);
    let incomplete = file(
        "incomplete.c",
        "int main(void) {
  int i = 1;
  while (i < 3) if (i == 2) i = 1; else i = 2;
  return 0;
}",
    );
    // The search behind the necessary condition knows better.
    let answer = ask(&incomplete, &["--line", "4"]);
    assert_ne!(answer["answer"], "reached", "{answer:#}");
}

#[test]
fn microc_and_errors() {
    let program = file(
        "sum.uc",
        "main() {
  var n, s, i;
  n = input;
  s = 0; i = 0;
  while (i < n) {
    i = i + 1;
    if (i > 4) { s = s + 2; } else { s = s + 1; }
  }
  if (s == 10) { output 1; }
  if (s == 0 - 1) { output 2; }
  return s;
}",
    );
    answers(&program, &[(&["--line", "9"], "reached"), (&["--line", "11"], "reached")]);
    let failing = file(
        "error.c",
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x * 2 == 14) reach_error(); return 0; }",
    );
    answers(&failing, &[(&["--error"], "reached")]);
}

/// Counts of elements, which only witnesses that are different elements give, and numbers that functions return.
#[test]
fn returned_numbers() {
    let counts = file(
        "letters.c",
        "int letters(char const *const p) {
  int u = 0, v = 0, i;
  for (i = 0; p[i] != 'T'; ++i) {
    if (p[i] == 'U') ++u;
    if (p[i] == 'V') ++v;
  }
  return u == 4 && v == 3;
}
int steps(int n) {
  int i = 0;
  while (i < n) i += 4;
  return i;
}
int main(void) { return 7; }",
    );
    let targets: [(&[&str], &str); 5] = [
        (&["--entry", "letters", "--returns", "1"], "reached"),
        (&["--entry", "steps", "--returns", "15", "--assume", "n < 1000000"], "unreachable"),
        (&["--entry", "steps", "--returns", "400"], "reached"),
        (&["--returns", "7"], "reached"),
        (&["--returns", "-7"], "unreachable"),
    ];
    answers(&counts, &targets);
}

/// What loops leave in arrays, on several paths and in rows of a matrix.
#[test]
fn arrays_that_loops_write() {
    let text = "extern int __VERIFIER_nondet_int(void);
int c[100][50];
int main(void) {
  int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), a[100];
  if (n < 1 || n > 50 || x < 0 || x >= n) return 0;
  for (int i = 0; i < n; i++)
    if (i % 2 == 0) a[i] = 2 * i + 1; else a[i] = 5;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < n; j++)
      if (j % 2 == 0) c[i][j] = i; else c[i][j] = 1000;
  if (a[x] == 6)
    return 1;
  if (a[x] == 5 && x > 20)
    return 2;
  if (c[30][x] == 31)
    return 3;
  return 0;
}
";
    let file = file("written.c", text);
    let targets: [(&[&str], &str); 3] = [
        (&["--line", "12"], "unreachable"),
        (&["--line", "14"], "reached"),
        (&["--line", "16"], "unreachable"),
    ];
    answers(&file, &targets);
}

/// Functions that call themselves, on the way and in loops: what they compute is forgotten, and each check in them may fail.
#[test]
fn functions_that_call_themselves() {
    let text = "extern int __VERIFIER_nondet_int(void);
int calls;
int fib(int n) { calls = n; return n <= 1 ? n : fib(n - 1) + fib(n - 2); }
int sink(int n) {
  if (n == 3)
    return 7;
  return n <= 0 ? 0 : sink(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = 5, k;
  int r = fib(n);
  if (m != 5)
    return 1;
  for (k = 0; k < n; k++) r = fib(k);
  if (n > 0 && k != n)
    return 3;
  return sink(n);
}
";
    let file = file("recursion.c", text);
    let targets: [(&[&str], &str); 3] = [
        (&["--line", "13"], "unreachable"),
        (&["--line", "16"], "unreachable"),
        (&["--line", "6"], "reached"),
    ];
    answers(&file, &targets);
}

#[test]
fn guidance_changes_no_verdict() {
    let file = file("guided.c", COUNTS);
    for (line, expected) in [("12", "reached"), ("16", "unreachable")] {
        for more in [&["--no-guide"][..], &["--k", "2"]] {
            let report = ask(&file, &[&["--line", line], more].concat());
            assert_eq!(report["answer"], expected, "{line} {more:?}\n{report:#}");
        }
    }
}

/// What people read: counters by loop and path, with a legend, and nothing that types say anyway.
#[test]
fn a_condition_for_people() {
    let file = file("people.c", COUNTS);
    let call = Loupe::new(["reach".into(), file.clone()]).args(["--line", "12"]);
    let run = call.args(["--timeout", "20"]).run();
    for line in [
        "way 1 to line 12:",
        "in0 >= 0",
        "k6 == 100",
        "k7.1 >= 13",
        "where k6       counts the iterations of the loop at line 6",
        "k7.1     counts the iterations of the loop at line 7 through lines 7-9",
        "k7.2     counts the iterations of the loop at line 7 through lines 7-8",
    ] {
        let is_there = run.stdout.lines().any(|other| other.trim() == line);
        assert!(is_there, "{line}\n{run}");
    }
    assert!(!run.stdout.contains("2147483648") && !run.stdout.contains("2147483647"), "{run}");
    let report = ask(&file, &["--line", "12"]);
    let counters = report["necessary"]["ways"][0]["counters"].as_array().expect("counters");
    let second = counters.iter().find(|counter| counter["name"] == "k7.2").expect("a counter");
    assert_eq!(second["loop"]["line"], 7, "{second:#}");
    assert_eq!(second["path"], 2, "{second:#}");
    assert_eq!(second["lines"], serde_json::json!([7, 8]), "{second:#}");
    // Solvers are told everything.
    let script = Loupe::new(["reach".into(), file]).args(["--line", "12", "--emit", "smt2"]).run();
    assert!(script.stdout.contains("2147483647"), "{script}");
}

/// Two loops in one line have columns, a comparison that is no range of the type stays, and what every iteration reads has the name of its line.
#[test]
fn names_of_counters() {
    let file = file(
        "columns.c",
        "int __VERIFIER_nondet_int(void); long __VERIFIER_nondet_long(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i, last = 0, other = 0;
  long wide = __VERIFIER_nondet_long();
  if (wide > 2147483647 || n > 1000) return 0;
  for (i = 0; i < n; i++)
    last = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++) other = __VERIFIER_nondet_int(); for (i = 0; i < n; i++) other += last;
  if (last == 5 && other == 7 && wide != 7)
    return 1;
  return 0;
}",
    );
    let call = Loupe::new(["reach".into(), file.clone()]).args(["--line", "10"]);
    let run = call.args(["--timeout", "20", "--data-model", "LP64"]).run();
    let text = &run.stdout;
    assert!(text.contains("k6 ") && text.contains("k8:15 "), "{run}");
    assert!(text.contains("the loop at line 8, column 15"), "{run}");
    assert!(text.contains("in1 <= 2147483647"), "{run}");
    assert!(!text.contains("in0 <= 2147483647"), "{run}");
    assert!(text.contains("in@7"), "{run}");
}

#[test]
fn a_condition_for_solvers() {
    let file = file("script.c", COUNTS);
    let call = Loupe::new(["reach".into(), file]).args(["--line", "12", "--emit", "smt2"]);
    let run = call.args(["--timeout", "20"]).run();
    assert!(run.stdout.contains("(check-sat)") && run.stdout.contains("; way 1"), "{run}");
    assert_eq!(run.status, 1, "{run}");
}

#[test]
fn targets_that_make_no_sense() {
    let file = file("nonsense.c", COUNTS);
    let cases: [(&[&str], &str); 10] = [
        (&["--line", "-1"], "lines are numbered from 1"),
        (&["--entry", "nobody", "--returns", "1"], "nobody"),
        (&["--line", "12", "--guide", "--no-guide"], "cannot be used with"),
        (&["--line", "13"], "nothing is executed in line 13; the nearest is line 12"),
        (&["--line", "1000"], "the file has lines 1 to"),
        (&["--line", "0"], "the file has lines 1 to"),
        (&["--label", "nowhere"], "there is no label `nowhere`"),
        (&["--function", "nobody"], "no function `nobody`"),
        (&[], "required"),
        (&["--line", "12", "--property", "no-errors"], "leave `--property`"),
    ];
    for (target, expected) in cases {
        let run = Loupe::new(["reach".into(), file.clone()]).args(target).run();
        assert_eq!(run.status, 3, "{target:?}\n{run}");
        assert!(run.stderr.contains(expected), "{target:?}\n{run}");
    }
}

/// More ways than anybody looks at: that is said, and the program is searched. Half of the ways lead to line 25, whichever the first are that are looked at.
#[test]
fn too_many_ways() {
    let mut text =
        String::from("int __VERIFIER_nondet_int(void);\nint main(void) {\n  int s = 0, t = 0;\n");
    for bit in 0..20 {
        let bit = 1 << bit;
        text +=
            &format!("  if (__VERIFIER_nondet_int() > 0) s += {bit}, t += {bit}; else s += 0;\n");
    }
    text += "  if (s % 2 == 1)\n    return 1;\n  if (s != t)\n    return 2;\n  return 0;\n}\n";
    let file = file("ways.c", &text);
    let call = Loupe::new(["reach".into(), file.clone()]).args(["--line", "27", "--timeout", "3"]);
    let run = call.args(["--max-ways", "200"]).run();
    let message = "more than 200 ways to the target; the necessary condition is not complete, searching instead";
    assert!(run.status == 2 && run.stdout.contains(message), "{run}");
    let call = Loupe::new(["reach".into(), file.clone()]).args(["--line", "27", "--timeout", "3"]);
    let run = call.args(["--max-ways", "200", "--emit", "smt2"]).run();
    let is_weak = run.stdout.starts_with("; incomplete: more than 200 ways to the target")
        && run.stdout.contains("(assert true)");
    assert!(run.status == 2 && is_weak, "{run}");
    let report = ask(&file, &["--line", "25", "--max-ways", "200"]);
    assert_eq!(report["answer"], "reached", "{report:#}");
    let report = ask(&file, &["--line", "4", "--max-ways", "200"]);
    assert!(report["answer"] == "reached" && report["necessary"]["limit"].is_null(), "{report:#}");
}

/// Labels and lines in code that nobody executes, functions that nobody calls, programs without loops, files without a program.
#[test]
fn targets_where_nothing_happens() {
    let dead = file(
        "dead.c",
        "int other(int x);
int main(void) {
  int x = other(2);
  return x;
bad:
  x = 1;
  return x;
}
int other(int x) {
  if (x > 100)
    x = 7;
good:
  /* a comment */
  x++;
  return x;
}
int never(void) { return 3; }
// the end
",
    );
    let targets: [(&[&str], &str); 8] = [
        (&["--label", "good"], "reached"),
        (&["--label", "bad"], "unreachable"),
        (&["--line", "6"], "unreachable"),
        (&["--line", "7"], "unreachable"),
        (&["--line", "11"], "unreachable"),
        (&["--line", "15"], "reached"),
        (&["--line", "17"], "unreachable"),
        (&["--function", "never"], "unreachable"),
    ];
    answers(&dead, &targets);
    let cases: [(&[&str], &str); 3] = [
        (&["--line", "13"], "nothing is executed in line 13"),
        (&["--line", "18"], "nothing is executed in line 18; the nearest is line 17"),
        (&["--line", "19"], "the file has lines 1 to 18"),
    ];
    for (target, expected) in cases {
        let run = Loupe::new(["reach".into(), dead.clone()]).args(target).run();
        assert!(run.status == 3 && run.stderr.contains(expected), "{target:?}\n{run}");
    }
    for name in ["empty.c", "empty.uc"] {
        let run = Loupe::new(["reach".into(), file(name, "")]).args(["--line", "1"]).run();
        assert!(run.status == 3 && run.stderr.contains("main"), "{run}");
    }
}

/// Lists, whose nodes are `next^k`: the long report on abstract path conditions, *Treating lists as arrays*.
const LISTS: &str = "struct node { int v; struct node *next; };
int count(struct node *l) {
  int s = 0;
  while (l) { if (l->v == 7) s++; l = l->next; }
  if (s == 5) return 1;
  return 0;
}
int beyond(struct node *l) {
  int s = 0, n = 0;
  for (struct node *p = l; p; p = p->next) n++;
  while (l) { if (l->v == 7) s++; l = l->next; }
  if (s > n) return 1;
  return 0;
}
int after(struct node *l) {
  while (l) l = l->next;
  return l->v;
}
int relinked(struct node *l) {
  if (l && l->next) { l->next = 0; return 1; }
  return 0;
}
";

#[test]
fn lists_are_arrays() {
    let file = file("lists.c", LISTS);
    let targets: [(&[&str], &str); 4] = [
        (&["--entry", "count", "--returns", "1"], "reached"),
        (&["--entry", "beyond", "--returns", "1"], "unreachable"),
        (&["--entry", "beyond", "--returns", "0"], "reached"),
        (&["--entry", "relinked", "--returns", "1"], "unknown"),
    ];
    answers(&file, &targets);
    // The inputs are the number of nodes, and what they hold.
    let report = ask(&file, &["--entry", "count", "--returns", "1"]);
    let assumptions = report["assumptions"].to_string();
    assert!(assumptions.contains("each list that `count` is called with has fewer"), "{report:#}");
}

#[test]
fn behind_the_last_node_is_nothing() {
    let file = file("behind.c", LISTS);
    for property in ["valid-memsafety", "no-errors"] {
        let call = Loupe::new(["verify".into(), file.clone()]);
        let run = call.args(["--entry", "after", "--property", property, "--timeout", "20"]).run();
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(text.contains("unsafe"), "{run}");
        assert!(text.contains("null pointer dereference"), "{run}");
    }
}

#[test]
fn what_is_found_about_lists_can_be_run() {
    let file = file("run.c", LISTS);
    let inputs = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reach-lists-inputs");
    for (nodes, result) in [("7 x5", "1"), ("7 x4", "0")] {
        fs::write(&inputs, format!("5\nuninitialised:\n{nodes}\n")).expect("a file");
        let call =
            Loupe::new(["run".into(), file.clone()]).args(["--entry", "count", "--input-file"]);
        let run = call.args([inputs.as_os_str()]).run();
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(text.contains(&format!("result: {result}")), "{run}");
    }
}

/// A program in which jumps are the only statements of some lines.
const JUMPS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, t = 0;
    goto inside;
    while (i < 5) {
        i++;
    inside:
        if (n == 77)
            break;
        if (n == 78 && n == 79) {
        A:
            continue;
        }
        if (n == 80) {
        B: ;
        }
        switch (n & 3) {
        case 0:
            t++;
            break;
        case 9:
            break;
        }
        // nothing
    }
    return t;
}
";

#[test]
fn jumps_are_places_too() {
    let file = file("jumps.c", JUMPS);
    let answer = |goal: &[&str]| {
        let run = Loupe::new(["reach".into(), file.clone()]).args(goal).run();
        let inputs = run.stderr.lines().find_map(|line| line.split("inputs: ").nth(1));
        (run.status, inputs.unwrap_or("").to_owned())
    };
    assert_eq!(answer(&["--line", "9"]), (1, "77".to_owned()));
    assert_eq!(answer(&["--line", "12"]), (0, String::new()));
    assert_eq!(answer(&["--line", "22"]), (0, String::new()));
    assert_eq!(answer(&["--line", "20"]).0, 1);
    assert_eq!(answer(&["--line", "24"]).0, 3, "a comment");
    assert_eq!(answer(&["--label", "A"]), (0, String::new()));
    assert_eq!(answer(&["--label", "B"]), (1, "80".to_owned()));
    assert_eq!(answer(&["--label", "C"]).0, 3);
}

/// A loop of which no iteration is whole, since something in it ends the program: with an input read on the way to the target and what comes behind it.
fn one_iteration(behind: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void); extern void exit(int); extern void abort(void);
extern void __VERIFIER_assume(int);
int a = 0, zero = 0, table[3];
void g(void) {{ a = 1; }}
int main() {{
  int k = 1, n;
  while (k > 0) {{
    n = __VERIFIER_nondet_int();
    if (n == 7) {{
      a = 1;
      g();
    }}
    {behind}
    k = k - 1;
  }}
  return 0;
}}"
    )
}

#[test]
fn targets_in_iterations_that_nobody_completes() {
    let endings = [
        "if (k == 1) exit(0);",
        "__VERIFIER_assume(0);",
        "__VERIFIER_assume(k > 1);",
        "a = 1 / zero;",
        "table[k + 2] = 1;",
        "while (k == 1) a = a;",
        "abort();",
        "exit(0);",
        "return 0;",
        "if (n > 100) exit(0);",
        "if (n == 8) continue;",
    ];
    for (number, behind) in endings.into_iter().enumerate() {
        let file = file(&format!("partial-{number}.c"), &one_iteration(behind));
        for target in [["--line", "10"], ["--function", "g"]] {
            for more in [&[][..], &["--members", "guided"], &["--members", "necessary"]] {
                let report = ask(&file, &[&target, more].concat());
                let inputs = &report["violation"]["inputs"];
                assert_eq!(report["answer"], "reached", "{behind} {target:?} {more:?}\n{report:#}");
                let last = inputs.as_array().and_then(|all| all.last());
                let last = last.map(|input| &input["value"]);
                assert_eq!(last, Some(&Json::from(7)), "{behind} {target:?} {more:?}\n{report:#}");
            }
            let report = ask(&file, &[&target[..], &["--members", "guided"]].concat());
            let ways = report["necessary"]["ways"].as_array().expect("ways");
            assert!(ways.iter().any(|way| way["possible"] == true), "{behind}\n{report:#}");
        }
    }
    let program = file(
        "partial.uc",
        "g() { return 1; }
main() { var n, k;
  k = 1;
  while (k > 0) {
    n = input;
    if (n == 7) {
      output 1;
      n = g();
    }
    output 1 / 0;
    k = k - 1;
  }
  return 0;
}",
    );
    for target in [["--line", "7"], ["--function", "g"]] {
        for more in [&[][..], &["--members", "guided"]] {
            let report = ask(&program, &[&target, more].concat());
            assert_eq!(report["answer"], "reached", "{target:?} {more:?}\n{report:#}");
        }
    }
}

/// The condition itself is whole, though the first way is gone at once; whoever is told to race.
#[test]
fn a_condition_for_solvers_has_all_ways() {
    let file = file(
        "all-ways.c",
        "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i, s = 0;
  for (i = 0; i < 3; i++) { if (__VERIFIER_nondet_int() == 5) s++; if (n == 6) s += 2; }
  if (n == 1 || n == 2)
    goto out;
  if (n == 3)
    goto out;
  return 0;
out:
  return s;
}",
    );
    let script = |more: &[&str]| {
        let call = Loupe::new(["reach".into(), file.clone()]).args(["--line", "11"]);
        let run = call.args(["--emit", "smt2", "--timeout", "20"]).args(more).run();
        assert_eq!(run.status, 1, "{run}");
        run.stdout
    };
    let usual = script(&[]);
    assert!(usual.contains("; way 1") && usual.contains("; way 2"), "{usual}");
    assert!(!usual.contains("incomplete") && usual.contains("(= in0 3)"), "{usual}");
    assert_eq!(script(&["--members", "necessary"]), usual);
    assert_eq!(script(&["--no-guide"]), usual);
    let report = script(&["--format", "json"]);
    let report: Json = serde_json::from_str(&report).expect("one object");
    assert_eq!(report["necessary"]["smt2"], usual, "{report:#}");
    assert_eq!(report["necessary"]["complete"], true, "{report:#}");
    // Whoever only wants to know whether it is reached is told with the first way.
    assert_eq!(ask(&file, &["--line", "11"])["answer"], "reached");
}

/// What is undefined is told as `verify` tells it, and only where something can be.
#[test]
fn reasons_name_what_is_undefined() {
    let text = |access: &str| {
        format!(
            "int __VERIFIER_nondet_int(void);
int A[10], s;
int main(void) {{
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 2 || m < 2) return 0;
  {access}
  if (n % 1000 == 17 && n * n * n + m * m * m == 1000003)
    return 1;
  return 0;
}}"
        )
    };
    let undefined = file("undefined.c", &text("A[m] = 1;"));
    let members = ["--line", "8", "--members", "guided", "--timeout", "3"];
    let run = Loupe::new(["reach".into(), undefined]).args(members).run();
    assert!(!run.stdout.contains("were not followed"), "{run}");
    if run.status == 2 {
        assert!(run.stdout.contains("6:3: undefined behaviour is possible: "), "{run}");
        assert!(run.stdout.contains("help: --assume-defined drops such executions"), "{run}");
    }
    let defined = file("defined.c", &text("s = m;"));
    let run = Loupe::new(["reach".into(), defined]).args(members).run();
    assert!(!run.stdout.contains("undefined"), "{run}");
}

/// Half of the time is for the condition; that it was over is said.
#[test]
fn a_condition_that_takes_too_long() {
    let mut text =
        String::from("int __VERIFIER_nondet_int(void);\nint main(void) {\n  int s = 0;\n");
    for bit in 0..20 {
        text += &format!("  if (__VERIFIER_nondet_int() > 0) s += {}; else s += 0;\n", 1 << bit);
    }
    text += "  if (s == -5)\n    return 2;\n  return 0;\n}\n";
    let file = file("slow.c", &text);
    let members = ["--members", "guided", "--max-ways", "100000000", "--timeout", "1"];
    let run = Loupe::new(["reach".into(), file.clone()]).args(["--line", "25"]).args(members).run();
    let message = "the necessary condition was given up after 0 ways";
    assert!(run.status == 2 && run.stdout.contains(message), "{run}");
    let call = Loupe::new(["reach".into(), file]).args(["--line", "25"]).args(members);
    let run = call.args(["--format", "json"]).run();
    let report: Json = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!(report["necessary"]["limit"]["kind"], "time", "{report:#}");
}

/// Paths through the same lines are told apart by columns.
#[test]
fn counters_of_paths_in_one_line() {
    let file = file(
        "one-line.c",
        "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0, i;
  for (i = 0; i < n; i++) { if (i % 2) s++; else s += 2; }
  if (s == 5)
    return 1;
  return 0;
}",
    );
    let run = Loupe::new(["reach".into(), file]).args(["--line", "6", "--timeout", "20"]).run();
    assert!(run.stdout.contains("through line 4 (with 4:40)"), "{run}");
    assert!(run.stdout.contains("through line 4 (with 4:50)"), "{run}");
}
