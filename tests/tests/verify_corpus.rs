//! `loupe verify` on programs that others wrote, with the answers that others gave.

use loupe_tests::corpus::{check_all, folder};
use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;

/// Programs of the thesis with recursion without a bound, or with very many paths: neither executing loops nor solving them decides
/// these. They are labelled as without errors.
const OPEN: [&str; 2] = [
    "dp/PathSubsumptionTest/029-random-generated-test-finishes-with-no-error-2.uc",
    "dp/SymbolicExecutorTest/015-factorial-of-number-bigger-then-2-is-even.uc",
];

/// Programs that are labelled as without errors, and divide by zero all the same: the replayed input
/// proves it.
const WRONG_LABELS: [&str; 2] = [
    "dp/SymbolicExecutorTest/037-random-factory-test-7.uc",
    "dp/SymbolicExecutorTest3/004-sequential-unbounded-loop-finishes-with-summarization-correc.uc",
];

/// `loupe verify` with a program of the corpus: the verdict.
fn verdict(file: &str, arguments: &[&str]) -> Result<String, String> {
    let Some(corpus) = folder("microc") else { return Err("no corpus".to_owned()) };
    let path = corpus.join(file);
    let run = Loupe::new(["verify".into(), path]).args(["--format", "json"]).args(arguments).run();
    let report: Json =
        serde_json::from_str(&run.stdout).map_err(|error| format!("{file}: {error}\n{run}"))?;
    let verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
    let expected = match verdict.as_str() {
        "safe" => 0,
        "unsafe" => 1,
        _ => 2,
    };
    if run.status != expected {
        return Err(format!("{file}: `{verdict}` with another status\n{run}"));
    }
    Ok(verdict)
}

#[test]
fn programs_of_the_thesis_get_the_answers_of_their_labels() {
    let Some(corpus) = folder("microc") else { return };
    let manifest = fs::read_to_string(corpus.join("dp/manifest.json")).expect("a manifest");
    let manifest: Vec<Json> = serde_json::from_str(&manifest).expect("a list");
    let labelled: Vec<(String, bool)> = manifest
        .iter()
        .filter_map(|entry| {
            let label = entry["expect"]["symex_error"].as_bool()?;
            Some((entry["file"].as_str()?.to_owned(), label))
        })
        .collect();
    assert_eq!(labelled.len(), 124);
    check_all("programs of the thesis", &labelled, |(file, fails)| {
        if OPEN.contains(&file.as_str()) {
            // What can be seen quickly is not wrong.
            return match verdict(file, &["--max-paths", "100", "--timeout", "10"])?.as_str() {
                "unsafe" => Err(format!("{file}: unsafe, which its label denies")),
                _ => Ok(()),
            };
        }
        let expected = match *fails || WRONG_LABELS.contains(&file.as_str()) {
            true => "unsafe",
            false => "safe",
        };
        let found = verdict(file, &["--timeout", "10"])?;
        if found == expected {
            Ok(())
        } else {
            Err(format!("{file}: {found} instead of {expected}"))
        }
    });
}
