//! `loupe verify` on programs that others wrote, with the answers that others gave.

use loupe_tests::corpus::{check_all, folder};
use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;

/// Programs of the thesis with loops or recursion without a bound, or with very many paths: executing loops
/// iteration by iteration does not decide them. They are labelled as without errors.
const OPEN: [&str; 33] = [
    "dp/LoopSummarizationTest/009-empty-loop-finishes.uc",
    "dp/PathSubsumptionTest/006-summarization-from-paper-3.uc",
    "dp/PathSubsumptionTest/009-summarization-more-complicated-loop.uc",
    "dp/PathSubsumptionTest/010-nested-loop.uc",
    "dp/PathSubsumptionTest/029-random-generated-test-finishes-with-no-error-2.uc",
    "dp/SymbolicExecutorTest/005-unrolled-nested-summarization-2.uc",
    "dp/SymbolicExecutorTest/006-basic-nested-summarization.uc",
    "dp/SymbolicExecutorTest/007-basic-nested-summarization-array.uc",
    "dp/SymbolicExecutorTest/008-basic-nested-nested-summarization.uc",
    "dp/SymbolicExecutorTest/009-basic-nested-nested-summarization-arrays.uc",
    "dp/SymbolicExecutorTest/010-nested-periodic-loop-unrolled.uc",
    "dp/SymbolicExecutorTest/015-factorial-of-number-bigger-then-2-is-even.uc",
    "dp/SymbolicExecutorTest/034-random-factory-test-4.uc",
    "dp/SymbolicExecutorTest2/001-non-increment-update.uc",
    "dp/SymbolicExecutorTest2/005-type-1-nested-loop-summarizable.uc",
    "dp/SymbolicExecutorTest3/002-loops-in-subsumption-paper.uc",
    "dp/SymbolicExecutorTest3/003-unreachable-error.uc",
    "dp/SymbolicExecutorTest3/007-sequential-unbounded-loop-finishes-with-summarization-correc.uc",
    "dp/SymbolicExecutorTest3/008-simple-sequential-summarization-is-correct.uc",
    "dp/SymbolicExecutorTest3/010-simple-sequential-summarization-is-correct.uc",
    "dp/SymbolicExecutorTest3/016-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/018-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/019-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/021-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/022-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/024-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/025-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/027-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/028-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/030-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/031-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/033-unbounded-periodic-loop-finishes-with-summarization-correctl.uc",
    "dp/SymbolicExecutorTest3/037-unrolled-nested-summarization.uc",
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
