//! `loupe bench`: campaigns, journals that survive whatever happens, comparisons, pages.

mod campaigns;
mod interrupted;
mod page;

use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

/// Safe for all inputs.
const SAFE: &str =
    "// loupe: verify safe\nmain() { var x; x = input; if (x > 3) { x = 3; } return x; }\n";
/// Divides by zero for an input.
const UNSAFE: &str = "// loupe: verify unsafe\nmain() { var x; x = input; return 10 / (x - 7); }\n";
/// No program.
const BROKEN: &str = "main() {\n    var x\n}\n";
/// Has paths without end.
const ENDLESS: &str = "main() { var a; a = 0; while (input == a) { a = a + 1; } return 0; }";

/// A folder that only one test uses, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench").join(name);
    // It is not there if nobody has made it before.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

/// Writes programs into a folder.
fn write(folder: &Path, programs: &[(&str, &str)]) {
    for (name, text) in programs {
        fs::write(folder.join(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// `loupe bench` in a folder.
fn bench(folder: &Path, arguments: &[&str]) -> Loupe {
    Loupe::new(["bench"]).args(arguments.iter().copied()).directory(folder)
}

/// The results in a folder.
fn results(folder: &Path) -> Json {
    let path = folder.join("results.json");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// The records of results, without what depends on time.
fn answers(results: &Json) -> Vec<String> {
    let records = results["records"].as_array().expect("records");
    let words = records.iter().map(|record| {
        format!(
            "{} {} {} {}",
            record["task"], record["configuration"], record["ended"], record["answer"]
        )
    });
    words.collect()
}

/// The runs in a journal, by configuration and fingerprint.
fn journalled(folder: &Path) -> Vec<(String, String)> {
    let text = fs::read(folder.join("journal.jsonl")).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<Json>(line).ok());
    let runs = entries.filter_map(|entry| {
        let run = entry.get("run")?;
        let word = |name: &str| run[name].as_str().map(str::to_owned);
        Some((word("configuration")?, word("fingerprint")?))
    });
    runs.collect()
}

/// The call has ended with this status.
fn check_status(run: &Finished, status: i32) {
    assert_eq!(run.status, status, "{run}");
}
