//! Techniques by choice (`--merge auto`, `--subsume auto`), and all of them side by side (`explore --ablate`).

use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

fn program(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("techniques-{name}"));
    fs::write(&file, text).expect("a file");
    file
}

fn json(run: &Finished) -> Json {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

fn chosen(file: &Path, command: &str, more: &[&str]) -> Json {
    let call = Loupe::new([command.into(), file.to_owned()]);
    let report = json(&call.args(more.iter().copied()).args(["--format", "json"]).run());
    report["chosen"].clone()
}

/// Branches on inputs, each of which adds to a sum that is asked about at the end.
fn branches(count: usize) -> String {
    let mut text =
        "int __VERIFIER_nondet_int(void); void reach_error(void);\nint main(void) {\n  int n = 0;\n"
            .to_owned();
    for number in 0..count {
        text += &format!("  if (__VERIFIER_nondet_int() > {number}) n++;\n");
    }
    text + &format!("  if (n > {count}) reach_error();\n  return 0;\n}}\n")
}

#[test]
fn what_is_worth_it_is_chosen_and_said() {
    let auto = ["--loops", "unroll", "--merge", "auto", "--subsume", "auto"];
    let small = chosen(&program("small.c", &branches(3)), "explore", &auto);
    assert_eq!(small["merge"]["taken"], "none", "{small:#}");
    assert_eq!(small["subsume"]["taken"], "never", "{small:#}");
    let large = program("large.c", &branches(12));
    for command in ["explore", "verify"] {
        let large = chosen(&large, command, &auto);
        assert_eq!(large["merge"]["taken"], "dynamic", "{command}: {large:#}");
        let why = large["merge"]["why"].as_str().expect("a reason");
        assert!(why.contains("places where sides of branches meet"), "{why}");
        assert_eq!(large["subsume"]["taken"], "never", "{command}: {large:#}");
    }
    // Nothing is chosen where nothing is left open.
    assert_eq!(chosen(&large, "explore", &[]), serde_json::json!({}));
    let endless = "main() { var x, y, i, n; x = input; i = input; n = input; y = x; while (i < n) { x = x + 1; i = i + 1; } if (x < y) { x = 1 / 0; } return 0; }";
    let endless = program("endless.uc", endless);
    let found = chosen(&endless, "explore", &["--subsume", "auto"]);
    assert_eq!(found["subsume"]["taken"], "always", "{found:#}");
    let run = Loupe::new(["verify".into(), endless]);
    let run = run.args(["--loops", "unroll", "--subsume", "auto", "--merge=auto"]).run();
    assert_eq!(run.stdout.lines().next(), Some("safe"), "{run}");
    assert!(run.stdout.contains("chosen: --subsume always, since "), "{run}");
}

#[test]
fn an_option_that_may_stand_alone_does_not_swallow_a_file() {
    let file = program("alone.c", &branches(2));
    let run = Loupe::new(["explore".into(), "--subsume".into(), file.clone()]).run();
    assert_eq!(run.status, 0, "{run}");
    let run = Loupe::new(["explore".into(), file]).args(["--subsume=sometimes"]).run();
    assert_eq!(run.status, 3, "{run}");
    assert!(run.stderr.contains("always") && run.stderr.contains("auto"), "{run}");
}

#[test]
fn techniques_are_compared_and_do_not_contradict_each_other() {
    let safe = program("safe.c", &branches(6));
    let wrong = branches(6).replace("n > 6", "n == 6");
    let failing = program("failing.c", &wrong);
    let call = Loupe::new(["explore".into(), "--ablate".into(), safe.clone(), failing.clone()]);
    let run = call.args(["--format", "json"]).run();
    assert_eq!(run.status, 1, "{run}");
    let report = json(&run);
    assert_eq!(report["contradictions"], serde_json::json!([]));
    let rows = report["rows"].as_array().expect("rows");
    let of = |file: &Path| -> Vec<&Json> {
        rows.iter().filter(|row| row["file"] == file.display().to_string()).collect()
    };
    for (file, verdict) in [(&safe, "safe"), (&failing, "unsafe")] {
        let own = of(file);
        let named = |name: &str| own.iter().find(|row| row["configuration"] == name);
        for name in ["as given", "--loops auto", "--merge dynamic", "--subsume", "--guide"] {
            let row = named(name).unwrap_or_else(|| panic!("no row `{name}`: {report:#}"));
            assert_eq!(row["verdict"], verdict, "{name}: {row:#}");
        }
        let plain = named("as given").map(|row| row["states"].as_u64());
        let merged = named("--merge dynamic").map(|row| row["states"].as_u64());
        assert!(merged < plain, "{report:#}");
    }
    let text = Loupe::new(["explore".into(), "--ablate".into(), safe]).run();
    assert_eq!(text.status, 0, "{text}");
    assert!(text.stdout.contains("  configuration ") && text.stdout.contains("\n  everything on"));
}

#[test]
fn what_cannot_be_read_costs_the_others_nothing() {
    let good = program("good.c", &branches(2));
    let bad = program("bad.c", "int main(void) { return\n");
    let call = Loupe::new(["explore".into(), "--ablate".into(), bad, good]);
    let run = call.args(["--format", "json"]).run();
    assert!(run.stderr.contains("bad.c"), "{run}");
    let rows = json(&run)["rows"].as_array().map_or(0, Vec::len);
    assert!(rows >= 10, "{run}");
    assert_eq!(run.status, 3, "{run}");
}
