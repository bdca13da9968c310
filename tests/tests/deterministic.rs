//! The same command gives the same output, byte for byte, times aside, with any number of threads.

use loupe_tests::corpus::check_all;
use loupe_tests::process::Loupe;
use loupe_tests::{files_below, root};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// What is no time but says how far others were when they were stopped, which is a matter of time as well.
const MATTERS_OF_TIME: [&str; 3] = ["seconds", "solver_seconds", "peak_memory_bytes"];

/// All that a run says, times aside; whether the clock has cut it short.
fn said(file: &Path, jobs: &str) -> Result<(String, bool), String> {
    let call = Loupe::new(["verify".into(), file.to_owned()]);
    let run = call.args(["--format", "json", "--timeout", "10", "--jobs", jobs]).run();
    if run.status == 3 {
        return Ok((format!("{}{}", run.stdout, run.stderr), false));
    }
    let report = serde_json::from_str(&run.stdout);
    let mut report: Json = report.map_err(|error| format!("{}: {error}\n{run}", file.display()))?;
    if let Some(stats) = report["stats"].as_object_mut() {
        stats.retain(|name, _| !MATTERS_OF_TIME.contains(&name.as_str()));
    }
    if let Some(report) = report.as_object_mut() {
        report.remove("members");
    }
    let ends = ["the time is over", "there was no time left"];
    let said = format!("{} {}", report["reasons"], report["loops"]);
    let is_cut_short = ends.iter().any(|end| said.contains(end));
    Ok((format!("{}\n{report:#}\n{}", run.status, run.stderr), is_cut_short))
}

#[test]
fn a_verdict_is_the_same_every_time() {
    let folders = ["documents", "loops", "programs/c", "testgen", "../examples"];
    let files = folders.iter().flat_map(|folder| files_below(&root().join(folder)));
    let is_program = |file: &PathBuf| {
        file.extension().is_some_and(|extension| extension == "c" || extension == "uc")
    };
    let files: Vec<PathBuf> = files.filter(is_program).collect();
    assert!(files.len() > 48, "only {} programs", files.len());
    check_all("programs with the same answer every time", &files, |file| {
        let (first, is_cut_short) = said(file, "1")?;
        for jobs in ["1", "2"] {
            let (again, is_again_cut_short) = said(file, jobs)?;
            // Where the clock has the last word, less is promised.
            if first != again && !is_cut_short && !is_again_cut_short {
                let file = file.display();
                return Err(format!("{file} with {jobs} jobs:\n{first}\nand then\n{again}"));
            }
        }
        Ok(())
    });
}
