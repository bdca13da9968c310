//! The programs in the thesis' tests of loop summarisation. Only one of them comes with an answer; the others are here, by hand,
//! and the interpreter confirms them on all inputs of a small range.

use crate::runs::{self, Ended};
use loupe_tests::corpus::{check_all, folder};
use loupe_tests::process::Loupe;
use loupe_tests::verdict;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::Path;

/// What a program does.
enum Answer {
    /// It cannot fail.
    Safe,
    /// It divides by zero in this line, and fails nowhere else.
    DividesByZero(u64),
    /// It is no program: a name in this line is not declared.
    Rejected(u64),
}
use Answer::{DividesByZero, Rejected, Safe};

/// A program, and why it has this answer.
struct Case {
    name: &'static str,
    answer: Answer,
    loops: usize,
}

/// Most return `1 / (x - z)`: the loop is not entered for `x = z ≥ n`, so that all of these fail.
const CASES: [Case; 15] = [
    // k·i without a division.
    Case { name: "001-get-all-paths-in-a-sequential-loop.uc", answer: Safe, loops: 1 },
    Case { name: "002-summary.uc", answer: DividesByZero(14), loops: 1 },
    // The conditions are those of 002 with the same number on both sides.
    Case { name: "003-summary-1-5.uc", answer: DividesByZero(14), loops: 1 },
    Case { name: "004-summary-1-6.uc", answer: DividesByZero(14), loops: 1 },
    Case { name: "005-summary-bigger-increment.uc", answer: DividesByZero(15), loops: 1 },
    // `a` is written before it is read on both paths.
    Case { name: "006-summary2.uc", answer: DividesByZero(16), loops: 1 },
    Case { name: "007-summary-arrays.uc", answer: DividesByZero(14), loops: 1 },
    Case { name: "008-summary-records.uc", answer: DividesByZero(14), loops: 1 },
    Case { name: "009-empty-loop-finishes.uc", answer: Safe, loops: 1 },
    // The loop changes nothing that its condition reads: it is not entered, or never ends.
    Case { name: "010-uncomputable-change.uc", answer: Safe, loops: 1 },
    // `x` and `z` of its last line are not declared.
    Case { name: "011-summary-type2.uc", answer: Rejected(21), loops: 0 },
    Case { name: "012-change-identity-function.uc", answer: Safe, loops: 1 },
    Case { name: "013-periods-of-cycles.uc", answer: DividesByZero(14), loops: 1 },
    Case { name: "014-periods-of-cycles-bigger-increment.uc", answer: DividesByZero(14), loops: 1 },
    Case {
        name: "015-periods-of-cycles-bigger-increment-2.uc",
        answer: DividesByZero(14),
        loops: 1,
    },
];

impl Answer {
    /// The errors that runs may show.
    fn errors(&self) -> BTreeSet<(String, u64)> {
        match self {
            DividesByZero(line) => BTreeSet::from([("division-by-zero".to_owned(), *line)]),
            Safe | Rejected(_) => BTreeSet::new(),
        }
    }
}

/// The errors of all inputs of a small range.
fn brute_force(file: &Path) -> Result<BTreeSet<(String, u64)>, String> {
    let program = runs::read(file)?;
    let numbers: Vec<i64> = (-4..=5).collect();
    let mut errors = BTreeSet::new();
    for inputs in runs::vectors(3, &numbers) {
        if let Ended::Failed(kind, line) = runs::run(&program, &inputs).ended {
            errors.insert((kind, line));
        }
    }
    Ok(errors)
}

fn check(corpus: &Path, case: &Case) -> Result<(), String> {
    let (file, name) = (corpus.join(case.name), case.name);
    if let Rejected(line) = case.answer {
        let run = Loupe::new(["verify".as_ref(), file.as_os_str()]).run();
        let places = verdict::errors(&run).into_iter().filter_map(|error| error.place);
        let lines: BTreeSet<u64> = places.map(|place| place.line).collect();
        let is_rejected = run.status == 3 && lines == BTreeSet::from([line]);
        return if is_rejected { Ok(()) } else { Err(format!("{name} is not rejected: {run}")) };
    }
    let (expected, seen) = (case.answer.errors(), brute_force(&file)?);
    if seen != expected {
        return Err(format!("{name}: runs show {seen:?} instead of {expected:?}"));
    }
    for mode in ["summary", "auto"] {
        let found = verified(&file, mode)?;
        if found != expected {
            return Err(format!("{name}: {mode} finds {found:?} instead of {expected:?}"));
        }
    }
    loops(&file, case)
}

/// The error that `loupe verify` finds; it is an error of this function if there is no verdict.
fn verified(file: &Path, mode: &str) -> Result<BTreeSet<(String, u64)>, String> {
    let call = Loupe::new(["verify".as_ref(), file.as_os_str()]);
    let run = call.args(["--format", "json", "--timeout", "20", "--loops", mode]).run();
    let report: Json =
        serde_json::from_str(&run.stdout).map_err(|error| format!("{error}\n{run}"))?;
    let violation = &report["violation"];
    match (report["verdict"].as_str(), violation["kind"].as_str(), violation["line"].as_u64()) {
        (Some("safe"), None, None) => Ok(BTreeSet::new()),
        (Some("unsafe"), Some(kind), Some(line)) => Ok(BTreeSet::from([(kind.to_owned(), line)])),
        _ => Err(format!("{}: {mode}: {run}", file.display())),
    }
}

/// All loops are exact.
fn loops(file: &Path, case: &Case) -> Result<(), String> {
    let name = case.name;
    let run = Loupe::new(["loops".as_ref(), file.as_os_str()]).args(["--format", "json"]).run();
    let report: Json =
        serde_json::from_str(&run.stdout).map_err(|error| format!("{error}\n{run}"))?;
    let loops = report["loops"].as_array().map_or(&[][..], Vec::as_slice);
    if loops.len() != case.loops {
        return Err(format!("{name}: {} loops", loops.len()));
    }
    if loops.iter().any(|own| own["summary"] != "exact") {
        let shown = loops.iter().map(|own| format!("{} {}", own["summary"], own["why"]));
        return Err(format!("{name}: {}", shown.collect::<Vec<_>>().join(", ")));
    }
    Ok(())
}

#[test]
fn loop_summarization_tests_of_the_thesis() {
    let Some(corpus) = folder("microc/dp/LoopSummarizationTest") else { return };
    assert_eq!(loupe_tests::files_below(&corpus).len(), CASES.len());
    check_all("loop summarisation tests of the thesis", &CASES, |case| check(&corpus, case));
}
