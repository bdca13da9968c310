//! `loupe costs`: the worked example of the thesis, C and microc, text and JSON, limits and bad input.

use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

/// The program of the thesis' listing 4.8, whose lines are those of the listing.
const LISTING: &str = "costs/queries.uc";

fn costs(arguments: &[&str]) -> Finished {
    Loupe::new(["costs"]).args(arguments.iter().copied()).run()
}

fn json_of(arguments: &[&str]) -> Json {
    let run = costs(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{run}");
    serde_json::from_str(&run.stdout).expect("one object")
}

fn temporary(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("costs");
    fs::create_dir_all(&folder).expect("a folder for tests");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn function<'a>(report: &'a Json, name: &str) -> &'a Json {
    let functions = report["functions"].as_array().expect("functions");
    functions.iter().find(|function| function["name"] == name).expect("this function")
}

/// What is said of a variable at the first statement of a line.
fn at(report: &Json, name: &str, line: u64, variable: &str) -> u64 {
    let locations = function(report, name)["locations"].as_array().expect("places");
    let here = locations.iter().find(|place| place["line"] == line);
    let here = here.unwrap_or_else(|| panic!("nothing starts in line {line}: {report:#}"));
    here["variables"][variable].as_u64().unwrap_or(0)
}

/// Section 4.3.1: every number, line by line; where a comment has two lines, it belongs to the first. Two of them contradict
/// the others. By the text, line 19 asks about `argc` as it does about `arg`, so it is 1 + 2 + 0 = 3, which lines 11 to
/// 15 have, too, and not 2; and `arg` has 1 + 16 + 8 = 25 in line 9, not 24. What comes before follows from that.
#[test]
fn the_worked_example_of_the_thesis_comes_out() {
    let listing: [(u64, &[(&str, u64)]); 14] = [
        (6, &[("r", 6)]),
        (7, &[("r", 6), ("arg", 25)]),
        (8, &[("r", 6), ("arg", 25), ("argc", 10)]),
        (9, &[("r", 6), ("arg", 25), ("argc", 10), ("argv", 7)]),
        (11, &[("r", 3), ("arg", 16), ("argc", 6), ("argv", 5)]),
        (13, &[("arg", 8), ("argc", 3), ("argv", 2)]),
        (15, &[("r", 3), ("arg", 8), ("argc", 3), ("argv", 2)]),
        (19, &[("r", 3), ("arg", 8), ("argc", 3), ("argv", 2)]),
        (21, &[("r", 2), ("arg", 7), ("argc", 2), ("argv", 2)]),
        (23, &[("r", 2), ("arg", 7), ("argc", 2), ("argv", 2), ("i", 5)]),
        (25, &[("r", 1), ("arg", 4), ("argc", 1), ("argv", 1), ("i", 3)]),
        (27, &[("r", 1), ("arg", 4), ("argc", 1), ("argv", 1), ("i", 3)]),
        (30, &[("r", 1), ("arg", 1), ("argc", 1)]),
        (32, &[("r", 1)]),
    ];
    let report = json_of(&[LISTING, "--method", "recursive", "--kappa", "1"]);
    for (line, known) in listing {
        for variable in ["r", "arg", "argc", "argv", "i"] {
            let expected = known.iter().find(|(name, _)| *name == variable);
            let expected = expected.map_or(0, |(_, count)| *count);
            assert_eq!(at(&report, "main", line, variable), expected, "{variable} in line {line}");
        }
    }
    for line in [33, 36] {
        assert_eq!(at(&report, "main", line, "r"), 0);
    }
}

#[test]
fn more_iterations_have_more_queries_and_a_limit_holds() {
    let arg = |options: &[&str]| at(&json_of(&[&[LISTING], options].concat()), "main", 19, "arg");
    let by_kappa = ["1", "2", "3"].map(|kappa| arg(&["--method", "recursive", "--kappa", kappa]));
    assert!(by_kappa.is_sorted() && by_kappa[0] < by_kappa[2], "{by_kappa:?}");
    assert_eq!(arg(&[]), 10, "the lattice is what one gets");
    assert_eq!(arg(&["--cap", "7"]), 7);
    let report = json_of(&[LISTING]);
    assert_eq!(at(&report, "main", 19, "r"), 1, "one query on each path");
    assert_eq!(report["method"], "lattice");
    assert_eq!(report["cap"], 10);
    assert_eq!(report["complete"], true);
}

#[test]
fn c_programs_have_calls_and_memory() {
    let file = temporary(
        "calls.c",
        "extern int __VERIFIER_nondet_int(void);\n\
         int limit;\n\
         struct node { int value; struct node *next; };\n\
         static int half(int x, int by) {\n\
           if (x > limit) return x / by;\n\
           return x;\n\
         }\n\
         static int first(struct node *list) {\n\
           return list->value > 3;\n\
         }\n\
         int main(void) {\n\
           int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n\
           struct node own = {n, 0};\n\
           limit = m;\n\
           int h = half(n, m);\n\
           if (h == 7) return 1;\n\
           for (int i = 0; i < m; i++) { int i = 3; m -= i; }\n\
           if (first(&own)) return 2;\n\
           return 0;\n\
         }\n",
    );
    let file = file.to_str().expect("a name of plain characters");
    let report = json_of(&[file, "--method", "recursive"]);
    // `half` compares it, then divides (which may overflow), and what it returns is compared.
    assert_eq!(at(&report, "main", 15, "n"), 2 + 1);
    assert_eq!(at(&report, "half", 5, "by"), 2, "zero, and an overflow");
    assert_eq!(at(&report, "half", 5, "limit"), 1);
    assert!(at(&report, "main", 14, "m") > at(&report, "main", 15, "m"), "it becomes the limit");
    assert_eq!(at(&report, "main", 14, "limit"), 0);
    assert_eq!(at(&report, "first", 9, "list"), 2, "null, and whether it is an object");
    assert_eq!(function(&report, "main")["in_memory"], serde_json::json!(["own"]));
    let text = costs(&[file]);
    assert_eq!(text.status, 0, "{text}");
    assert!(text.stdout.contains("i@17:10 "), "two variables of one name: {text}");
    assert!(text.stdout.contains("(memory) includes own"), "{text}");
    assert!(!text.stdout.contains("limit 0"), "{text}");
}

#[test]
fn tables_have_the_statements_of_the_source() {
    let run = costs(&[LISTING, "--method", "recursive"]);
    assert_eq!(run.status, 0, "{run}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "main at costs/queries.uc:1:");
    let row = lines.iter().find(|line| line.trim_start().starts_with("19 ")).expect("line 19");
    let row: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(row[..4], ["19", "arg", "<", "argc"]);
    let about = row[5..].join(" ");
    assert!(about.starts_with("r 3, arg 8, argc 3, argv 2"), "{about}");
    assert_eq!(lines[lines.len() - 2], "method: recursive, kappa 1");
    assert!(lines[lines.len() - 1].starts_with("time: "), "{run}");
}

#[test]
fn results_go_to_a_file() {
    let file = temporary("report.json", "");
    let name = file.to_str().expect("a name of plain characters");
    let run = costs(&[LISTING, "--format", "json", "-o", name]);
    assert!(run.status == 0 && run.stdout.is_empty() && run.stderr.is_empty(), "{run}");
    let text = fs::read_to_string(&file).expect("the report");
    let report: Json = serde_json::from_str(&text).expect("one object");
    assert_eq!(at(&report, "main", 32, "r"), 1);
}

#[test]
fn it_stops_when_the_time_is_over() {
    let run = costs(&[LISTING, "--timeout", "0", "--format", "json"]);
    assert_eq!(run.status, 2, "{run}");
    let report: Json = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!(report["complete"], false);
    let text = costs(&[LISTING, "--timeout", "0"]);
    assert!(text.status == 2 && text.stdout.contains("stopped before the end"), "{text}");
}

/// Thousands of branches, and loops in loops: neither method may try all paths.
#[test]
fn large_programs_take_no_time() {
    let mut text = String::from("main() {\n var x, y;\n x = input; y = input;\n");
    for depth in 0..12 {
        text += &format!("while (x < {depth}) {{\n");
    }
    for number in 0..2_000 {
        text += &format!("if (x < y + {number}) x = x + 1; else y = y * x;\n");
    }
    text += &"}\n".repeat(12);
    text += "return x / y;\n}\n";
    let file = temporary("large.uc", &text);
    let file = file.to_str().expect("a name of plain characters");
    for method in ["lattice", "recursive"] {
        let report = json_of(&[file, "--method", method, "--kappa", "2", "--timeout", "50"]);
        assert!(at(&report, "main", 4, "x") > 0);
    }
}

#[test]
fn bad_input_is_refused() {
    for (arguments, message) in [
        (vec!["nowhere.uc"], "there is no such file"),
        (vec![LISTING, "--kappa", "0"], "0 is not in 1..=1000"),
        (vec![LISTING, "--cap", "0"], "0 is not in 1..=1000"),
        (vec![LISTING, "--method", "guess"], "invalid value 'guess'"),
        (vec![LISTING, "--timeout=-1"], "--timeout: not a number of seconds"),
        (vec![LISTING, LISTING], "only C programs may consist of several files"),
    ] {
        let run = costs(&arguments);
        assert!(run.status == 3 && run.stderr.contains(message), "{message}: {run}");
        assert!(run.stdout.is_empty(), "{run}");
    }
}
