//! `--merge`: states that meet become one, and errors stay what they are.

use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

const STRATEGIES: [&str; 5] = ["none", "aggressive", "lattice", "recursive", "dynamic"];

fn program(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("merge-{name}"));
    fs::write(&file, text).expect("a file");
    file
}

fn json(run: &Finished) -> Json {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

fn explored(file: &Path, merge: &str) -> Json {
    let call = Loupe::new(["explore".into(), file.to_owned()]);
    json(&call.args(["--merge", merge, "--format", "json"]).run())
}

/// As many independent branches, the sides of which are counted.
fn branches(count: usize) -> String {
    let mut text = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
                    int main(void) {\n  int count = 0;\n"
        .to_owned();
    for number in 0..count {
        text += &format!("  if (__VERIFIER_nondet_int() > {number}) count++;\n");
    }
    text + &format!("  if (count > {count}) reach_error();\n  return 0;\n}}\n")
}

#[test]
fn ways_that_meet_are_one() {
    let file = program("branches.c", &branches(8));
    assert_eq!(explored(&file, "none")["paths"]["finished"], 256);
    // The sum over all paths is larger than the path with most questions: fewer are merged.
    let few = explored(&file, "recursive");
    assert!(few["paths"]["finished"].as_u64() < Some(256), "{few:#}");
    for merge in ["aggressive", "lattice", "dynamic"] {
        let report = explored(&file, merge);
        assert_eq!(report["paths"]["finished"], 1, "{merge}: {report:#}");
        assert_eq!(report["merging"]["merged"], 8, "{merge}: {report:#}");
        assert_eq!(report["merging"]["stands_for"], 256, "{merge}: {report:#}");
        assert_eq!(report["merging"]["stands_for_is_exact"], true, "{merge}: {report:#}");
    }
}

/// The second branch depends on what the first one has asked.
const DEPENDENT: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), a = 0, b = 0;
  if (y != x) y = x;
  if (x > 0) a = 1;
  if (y > 5) b = 1;
  if (b > a) reach_error();
  return 0;
}
";

#[test]
fn how_many_paths_a_merged_state_stands_for_is_a_bound_where_nobody_knows() {
    let file = program("dependent.c", DEPENDENT);
    let paths = explored(&file, "none")["paths"]["finished"].as_u64();
    let report = explored(&file, "aggressive");
    assert_eq!(report["merging"]["stands_for_is_exact"], false, "{report:#}");
    assert!(report["merging"]["stands_for"].as_u64() > paths, "{report:#}");
    let run = Loupe::new(["explore".into(), file]).args(["--merge", "aggressive"]).run();
    assert!(run.stdout.contains("the finished paths stand for at most "), "{run}");
}

#[test]
fn what_no_exploration_of_paths_finishes_is_proved() {
    let file = program("many.c", &branches(40));
    let call = Loupe::new(["verify".into(), file]);
    let run = call.args(["--loops", "unroll", "--merge", "dynamic", "--format", "json"]).run();
    assert_eq!(json(&run)["verdict"], "safe", "{run}");
}

/// A pointer to one of two objects, an object that only one of two ways has made, and arrays with different elements.
const POINTERS: &str = r#"
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node one = {1, 0}, two = {2, 0};
    struct node *p, *q = 0;
    int seen[4] = {0};
    int c = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int(), k;
    if (c > 3) { p = &one; seen[1] = 5; } else { p = &two; seen[2] = 7; k = __VERIFIER_nondet_int(); }
    if (d) { q = malloc(sizeof *q); q->value = 3; q->next = p; }
    k = __VERIFIER_nondet_int();
    if (k < 0) p->value += 10;
    if (q) {
        if (q->next->value == 12 && seen[2] == 7 && q->value == 3) reach_error();
        if (q->next != p) reach_error();
        if (c > 3 && p != &one) reach_error();
    }
    if (p == &one && seen[1] != 5) reach_error();
    if (!d && q) reach_error();
    return 0;
}
"#;

#[test]
fn pointers_and_objects_are_merged_with_what_they_share() {
    let file = program("pointers.c", POINTERS);
    for merge in STRATEGIES {
        let report = explored(&file, merge);
        let errors = report["errors"].as_array().expect("errors");
        let lines: Vec<&Json> = errors.iter().map(|error| &error["line"]).collect();
        assert_eq!(lines, [16], "{merge}: {report:#}");
        assert_eq!(report["open"].as_array().map(Vec::len), Some(0), "{merge}: {report:#}");
        if merge == "aggressive" {
            assert!(report["merging"]["merged"].as_u64() >= Some(3), "{report:#}");
        }
    }
}

#[test]
fn nonsense_is_refused() {
    let file = program("nonsense.c", &branches(1));
    let run = Loupe::new(["explore".into(), file]).args(["--merge", "always"]).run();
    assert!(run.stderr.contains("there is no merge strategy `always`"), "{run}");
}
