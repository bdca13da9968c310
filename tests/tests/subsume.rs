//! `--subsume`: what it proves alone, with loops executed iteration by iteration, and what it says.

use loupe_tests::corpus;
use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

fn program(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("subsume-{name}"));
    fs::write(&file, text).expect("a file");
    file
}

fn json(run: &Finished) -> Json {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
}

fn verified(file: &Path, more: &[&str]) -> Json {
    let call = Loupe::new(["verify".into(), file.to_owned()]);
    let call = call.args(["--subsume", "--loops", "unroll", "--format", "json"]);
    json(&call.args(more.iter().copied()).run())
}

const LOOP: &str = "main() {\n  var x, y, i, n;\n  x = input;\n  i = input;\n  n = input;\n  y = x;\n  while (i < n) {\n    x = x + 1;\n    i = i + 1;\n  }\n  if (x < y) {\n    x = 1 / 0;\n  }\n  return 0;\n}\n";

#[test]
fn a_loop_without_bounds_is_proved_by_one_iteration() {
    let file = program("loop.uc", LOOP);
    let report = verified(&file, &[]);
    assert_eq!(report["verdict"], "safe", "{report:#}");
    let found = &report["subsumption"];
    assert!(found["subsumed"].as_u64() > Some(0) && found["induction_kept"] == 1, "{report:#}");
    let annotations = found["annotations"].as_array().expect("annotations");
    let of_loop = annotations.iter().find(|known| known["line"] == 7).expect("one of the loop");
    assert_eq!(of_loop["text"], "y <= x");
    let run = Loupe::new(["explore".into(), file]).args(["--subsume", "--annotations"]).run();
    assert!(run.stdout.contains(":7:10: y <= x"), "{run}");
    assert!(run.stdout.contains("subsumption: "), "{run}");
}

#[test]
fn what_it_is_not_for_is_said() {
    let file = program("ends.uc", LOOP);
    let report = verified(&file, &["--property", "termination", "--timeout", "2"]);
    assert!(report["subsumption"]["why_not"].is_string(), "{report:#}");
    assert_eq!(report["subsumption"]["subsumed"], 0);
}

#[test]
fn errors_are_found_on_real_paths() {
    let text = LOOP.replace("x < y", "x == y + 3");
    let report = verified(&program("fails.uc", &text), &[]);
    assert_eq!(report["verdict"], "unsafe", "{report:#}");
}

#[test]
fn programs_of_the_thesis_are_proved() {
    let Some(folder) = corpus::folder("microc") else { return };
    let manifest = fs::read_to_string(folder.join("dp/manifest.json")).expect("a manifest");
    let manifest: Json = serde_json::from_str(&manifest).expect("JSON");
    let mut proved = 0;
    for entry in manifest.as_array().expect("a list") {
        let file = entry["file"].as_str().expect("a file");
        if !file.contains("PathSubsumption") || entry["expect"]["symex_error"] != false {
            continue;
        }
        let report = verified(&folder.join(file), &["--timeout", "5"]);
        assert_eq!(report["verdict"], "safe", "{file}: {report:#}");
        proved += 1;
    }
    assert!(proved >= 15, "{proved}");
}
