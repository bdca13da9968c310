//! What `loupe verify` says, as a whole: the programs in `tests/verify`, each with the text that comes out beside it.
//!
//! The first line of a program is `// loupe verify` with options. `LOUPE_BLESS=1` accepts what comes out.

use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    loupe_tests::root().join("verify")
}

/// The programs, by name.
fn programs() -> Vec<PathBuf> {
    let files = fs::read_dir(folder()).expect("a folder of programs");
    let files = files.map(|file| file.expect("a file").path());
    let is_program =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "c" || ending == "uc");
    let mut programs: Vec<PathBuf> = files.filter(is_program).collect();
    programs.sort();
    programs
}

/// The options of a program.
fn options(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a program");
    let first = text.lines().next().unwrap_or_default();
    let options = first.strip_prefix("// loupe verify").expect("the first line says how");
    options.split_whitespace().map(str::to_owned).collect()
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn the_visible_text_is_as_expected() {
    let bless = std::env::var_os("LOUPE_BLESS").is_some();
    let mut wrong = Vec::new();
    let programs = programs();
    assert!(programs.len() >= 12, "there are programs");
    for path in programs {
        let call = Loupe::new(["verify".to_owned(), name(&path)]).args(options(&path));
        let run = call.directory(folder()).run();
        let expected_file = path.with_extension(format!("{}.txt", ending(&path)));
        if bless {
            fs::write(&expected_file, &run.stdout).expect("a place to write to");
        }
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        if run.stdout != expected || !run.stderr.is_empty() {
            wrong.push(format!("== {}\n{run}\nexpected:\n{expected}", name(&path)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn ending(path: &Path) -> String {
    path.extension().expect("an ending").to_string_lossy().into_owned()
}

fn report(program: &str, more: &[&str]) -> Json {
    let mut options = options(&folder().join(program));
    options.retain(|option| option != "--explain");
    json_of(program, &options, more)
}

fn json_of(program: &str, options: &[String], more: &[&str]) -> Json {
    let call = Loupe::new(["verify", program]).args(options);
    let run = call.args(["--format", "json"]).args(more).directory(folder()).run();
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

#[test]
fn every_report_has_what_is_promised() {
    for path in programs() {
        let report = report(&name(&path), &["--explain"]);
        let promised = [
            "file",
            "property",
            "verdict",
            "reasons",
            "violation",
            "assumptions",
            "loops",
            "stats",
            "version",
            "explanation",
        ];
        for key in promised {
            assert!(report.get(key).is_some(), "{path:?}: {key}");
        }
        for key in ["seconds", "paths", "states", "queries", "solver_seconds", "peak_memory_bytes"]
        {
            assert!(report["stats"].get(key).is_some(), "{path:?}: stats.{key}");
        }
        for one in report["loops"].as_array().expect("a list") {
            for key in ["id", "function", "line", "type", "summary", "bound", "why"] {
                assert!(one.get(key).is_some(), "{path:?}: loops.{key}");
            }
        }
        let is_unsafe = report["verdict"] == "unsafe";
        assert_eq!(report["violation"]["path"].is_array(), is_unsafe, "{path:?}: a path");
        let is_unknown = report["verdict"] == "unknown";
        assert_eq!(report["reasons"].as_array().is_some_and(|r| !r.is_empty()), is_unknown);
        assert!(report["explanation"]["outline"].is_array(), "{path:?}");
    }
}

#[test]
fn loops_have_types_and_bounds() {
    let report = json_of("../../examples/race.c", &[], &[]);
    let one = &report["loops"][0];
    assert_eq!(one["type"], 1);
    assert_eq!(one["bound"], "max(0, goal - x, 2*goal - x - z)");
    assert_eq!((&one["summary"], &one["cases"]), (&"exact".into(), &6.into()));
}

#[test]
fn long_inputs_are_listed_by_runs() {
    let report = report("long-input.c", &[]);
    let violation = &report["violation"];
    let inputs = violation["inputs"].as_array().expect("a list");
    let times: u64 = inputs.iter().map(|run| run["times"].as_u64().expect("a number")).sum();
    assert!(times > 1_000 && inputs.len() < 100, "{inputs:?}");
    assert!(violation["input"].as_str().is_some_and(|text| text.contains(" x")), "{violation}");
    assert!(report["violations"][0].get("inputs").is_none(), "said once");
    assert!(report.to_string().len() < 20_000, "not megabytes");
}

#[test]
fn values_that_are_written_first_do_not_matter() {
    let report = report("uninitialised.c", &[]);
    let values = report["violation"]["uninitialised_values"].as_array().expect("a list");
    let names: Vec<&str> = values.iter().filter_map(|value| value["name"].as_str()).collect();
    assert_eq!(names, ["seen[2]", "limit"]);
}

#[test]
fn jumps_are_told_by_the_closed_form() {
    let report = report("jump.c", &[]);
    let steps = report["violation"]["path"].as_array().expect("steps");
    let visit = steps.iter().find(|step| step["step"] == "loop").expect("a loop");
    let skipped = &visit["by_closed_form"][0];
    assert_eq!(skipped["iterations"], 1_000_001);
    assert_eq!(skipped["runs"][0]["round"][0]["times"], 500_000);
    assert_eq!(skipped["runs"][1]["round"][0]["times"], 500_001);
}

/// A report as data on a program that is given as text.
fn report_on(name: &str, text: &str, options: &[&str]) -> Json {
    let file = written(name, text);
    let run = Loupe::new(["verify".into(), file.into_os_string()]).args(options);
    let run = run.args(["--format", "json"]).run();
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

fn written(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    fs::write(&file, text).expect("a place to write to");
    file
}

/// The path to the error in a program that is given as text.
fn path_of(name: &str, text: &str, options: &[&str]) -> String {
    let file = written(name, text);
    let run = Loupe::new(["verify".into(), file.into_os_string()]).args(options).run();
    let (_, path) = run.stdout.split_once("path:").unwrap_or_else(|| panic!("no path: {run}"));
    path.to_owned()
}

#[test]
fn what_a_made_up_entry_shows_is_not_said_of_the_program() {
    let freed = "#include <stdlib.h>
struct n { struct n *next; int v; };
int main() {
  struct n *h = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->next = h; h = x; }
  int k = 0;
  while (h) { struct n *t = h->next; free(h); h = t; k++; }
  return k;
}
";
    let report = report_on("freed.c", freed, &["--property", "valid-memsafety"]);
    assert_eq!(report["verdict"], "safe", "{report:#}");
    let all = report["loops"].as_array().expect("a list");
    let walk = all.iter().find(|one| one["line"] == 7).expect("the loop");
    assert!(walk["bound"].is_null() && walk["type"].is_null(), "{walk:#}");
    let why = walk["why"].to_string();
    assert!(why.contains("lists end"), "the assumption is said: {walk:#}");
    // Two pointers to the same number: the loop ends after one iteration, not after `*p`.
    let shared = "int main() { int x = 7, *p = &x, *q = &x; int i = 0;
  while (i < *p) { *q = 0; i++; }
  return i; }
";
    let report = report_on("shared.c", shared, &[]);
    assert!(report["loops"][0]["bound"].is_null(), "{report:#}");
    // What the loop does not touch does not matter.
    let apart = "int main() { int x = 7, *p = &x; int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) i++;
  return *p; }
";
    let report = report_on("apart.c", apart, &[]);
    assert_eq!(report["loops"][0]["bound"], "max(0, n - i)", "{report:#}");
}

#[test]
fn conditions_are_told_with_their_parentheses() {
    let text = "int main() {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (((a)) == ((7))) {
    if ((a) < (b)) {
      if (((b + 1)) > (2) && (b) != (')' + 0)) reach_error();
    }
  }
  return 0;
}
";
    let path = path_of("parentheses.c", text, &[]);
    for part in ["((a)) == ((7))", "(a) < (b)", "((b + 1)) > (2)"] {
        assert!(path.contains(part), "`{part}` in {path}");
    }
    for line in path.lines().take_while(|line| !line.starts_with("at the end")) {
        let count = |sign: char| line.replace("')'", "").matches(sign).count();
        assert_eq!(count('('), count(')'), "{line}");
    }
}

#[test]
fn long_executions_are_told() {
    let endless = "int main() { while (__VERIFIER_nondet_int()); return 0; }";
    let path = path_of("endless.c", endless, &["--property", "termination"]);
    assert!(path.contains("loop"), "{path}");
    let long = "int f(int x) { return x + 1; }
int main() {
  int s = 0;
  for (int i = 0; i < 3000000; i++) s = f(s) ^ i;
  if (s != 123456789) reach_error();
  return 0;
}
";
    let path = path_of("calls.c", long, &[]);
    assert!(path.contains("3,000,000"), "{path}");
}

#[test]
fn objects_of_arguments_are_as_large_as_objects_can_be() {
    for element in ["char", "short", "int", "long long"] {
        let text = format!(
            "int f(int x, {element} *p) {{ if (p && *p == 3 && *p == 4) reach_error(); return x; }}"
        );
        let report = report_on(&format!("{element}.c"), &text, &["--entry", "f"]);
        assert_eq!(report["verdict"], "safe", "{report:#}");
        let assumed = report["assumptions"].to_string();
        assert!(assumed.contains("of at most 2,147,483,647 bytes"), "{assumed}");
    }
}

#[test]
fn an_unknown_member_is_told_those_that_there_are() {
    let run = Loupe::new(["verify", "a.c", "--members", "foo"]).run();
    assert_eq!(run.status, 3, "{run}");
    assert!(run.stderr.contains("execution") && !run.stderr.contains("guided"), "{run}");
    let run = Loupe::new(["reach", "a.c", "--line", "1", "--members", "foo"]).run();
    assert!(run.stderr.contains("guided"), "{run}");
}

#[test]
fn errors_in_microc_end_executions() {
    let text = "main() { var x, y; x = input; y = 10 / x; return y; }";
    let report = report_on("ends.uc", text, &["--property", "termination"]);
    assert_eq!(report["verdict"], "safe", "{report:#}");
    let file = written("ends.uc", text).into_os_string();
    let run = Loupe::new(["run".into(), file]).args(["--property", "termination", "--input", "0"]);
    assert_eq!(run.run().status, 1);
}
