//! `loupe verify` on programs that others wrote, with the answers that others gave: some of each set that `make score` measures.

use loupe_tests::corpus::{check_all, folder};
use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Some tasks of each set of the C corpus: folders, property, and how many of each folder's tasks with that property are looked at.
const SETS: [(&str, &[&str], &str, usize); 8] = [
    (
        "svcomp16",
        &["svcomp16/loops", "svcomp16/loop-acceleration", "svcomp16/loop-lit", "svcomp16/loop-new"],
        "unreach-call",
        4,
    ),
    (
        "loops",
        &[
            "svcomp21/loop-crafted",
            "svcomp21/loop-invgen",
            "svcomp21/loops-crafted-1",
            "svcomp21/loop-invariants",
        ],
        "unreach-call",
        3,
    ),
    ("nla-digbench", &["svcomp21/nla-digbench"], "unreach-call", 4),
    (
        "arrays",
        &[
            "svcomp21/array-examples",
            "svcomp21/array-fpi",
            "svcomp21/array-patterns",
            "svcomp21/array-cav19",
            "svcomp21/array-industry-pattern",
        ],
        "unreach-call",
        3,
    ),
    ("recursive", &["svcomp21/recursive", "svcomp21/recursive-simple"], "unreach-call", 4),
    (
        "no-overflow",
        &["svcomp21/termination-crafted-lit", "svcomp21/nla-digbench", "svcomp21/recursive-simple"],
        "no-overflow",
        4,
    ),
    (
        "termination",
        &[
            "svcomp21/termination-restricted-15",
            "svcomp21/termination-crafted-lit",
            "svcomp21/loop-invariants",
        ],
        "termination",
        4,
    ),
    (
        "valid-memsafety",
        &["svcomp21/loop-invariants", "svcomp21/array-examples", "svcomp21/verifythis"],
        "valid-memsafety",
        3,
    ),
];

/// Tasks whose labels gcc contradicts: `scripts/score.py` says how.
const DISPUTED: [&str; 7] = [
    "svcomp21/array-cav19/array_init_var_plus_ind.c",
    "svcomp21/array-cav19/array_init_var_plus_ind3.c",
    "svcomp21/nla-digbench/geo1-ll.c",
    "svcomp21/nla-digbench/geo2-ll.c",
    "svcomp21/nla-digbench/hard2.c",
    "svcomp21/nla-digbench/bresenham-ll.c",
    "svcomp21/termination-restricted-15/MinusUserDefined.c",
];

/// A task of the manifest.
struct Task<'m> {
    path: &'m str,
    property: &'m str,
    holds: bool,
    data_model: &'m str,
}

/// The tasks whose labels nobody disputes.
fn tasks(manifest: &str) -> Vec<Task<'_>> {
    let task = |line| {
        let columns: Vec<&str> = str::split(line, '\t').collect();
        let [path, property, expected, data_model, _, note] = columns[..] else { return None };
        let property = property.split('/').next().unwrap_or_default();
        let data_model = if data_model == "LP64" { "LP64" } else { "ILP32" };
        let is_clear = !note.contains("ub:") && !DISPUTED.contains(&path);
        is_clear.then_some(Task { path, property, holds: expected == "true", data_model })
    };
    manifest.lines().skip(1).filter_map(task).collect()
}

/// A few tasks of every set, spread over each folder, for a short time: whatever is decided is decided as the label says, and something of each set is.
#[test]
fn no_verdict_on_the_corpus_is_wrong() {
    let Some(corpus) = folder("") else { return };
    let manifest = fs::read_to_string(corpus.join("manifest.tsv")).expect("a manifest");
    let tasks = tasks(&manifest);
    for (name, folders, property, count) in SETS {
        let decided = AtomicUsize::new(0);
        let mut chosen: Vec<&Task<'_>> = Vec::new();
        for folder in folders {
            let is_there = |task: &&Task<'_>| {
                task.property == property
                    && task.path.rsplit_once('/').is_some_and(|(f, _)| f == *folder)
            };
            let all: Vec<&Task<'_>> = tasks.iter().filter(is_there).collect();
            assert!(!all.is_empty(), "{folder} has no task for {property}");
            chosen.extend(all.iter().step_by(all.len().div_ceil(count)));
        }
        check_all(&format!("tasks of {name} without a wrong verdict"), &chosen, |task| {
            let call = Loupe::new(["verify".into(), corpus.join(task.path)]);
            let call = call.args(["--property", property, "--data-model", task.data_model]);
            let run = call.args(["--format", "json", "--timeout", "2"]).run();
            let report: Json = serde_json::from_str(&run.stdout)
                .map_err(|error| format!("{}: {error}\n{run}", task.path))?;
            let (right, status) = if task.holds { ("safe", 0) } else { ("unsafe", 1) };
            match report["verdict"].as_str() {
                Some("unknown") if run.status == 2 => Ok(()),
                Some(verdict) if verdict == right && run.status == status => {
                    decided.fetch_add(1, Ordering::Relaxed);
                    Ok(())
                }
                _ => Err(format!("{}: instead of {right}\n{run}", task.path)),
            }
        });
        assert!(decided.into_inner() > 0, "no task of {name} is decided");
    }
}
