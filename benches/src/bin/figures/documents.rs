//! The programs of Proteus and of the thesis: type, tag and time of each loop, and the verdict beside the one of execution.

use crate::tool::{home, limit, loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

/// Each program is looked at so often; the fastest counts, because noise only ever adds.
const RUNS: usize = 3;

/// The loops of a program, from the run in which the slowest of them was fastest.
fn loops(file: &Path) -> Result<Vec<Json>, String> {
    let mut best: Option<(f64, Vec<Json>)> = None;
    for _ in 0..RUNS {
        let report =
            loupe(["loops".as_ref(), "--format".as_ref(), "json".as_ref(), file.as_os_str()])?;
        let found = report.json()?["loops"].as_array().cloned().unwrap_or_default();
        let seconds = found.iter().filter_map(|own| own["seconds"].as_f64()).sum();
        if best.as_ref().is_none_or(|(best, _)| seconds < *best) {
            best = Some((seconds, found));
        }
    }
    Ok(best.map(|(_, found)| found).unwrap_or_default())
}

/// Verdict and seconds.
fn verdict(file: &Path, loops: &str) -> Result<(String, f64), String> {
    let timeout = limit().to_string();
    let options = ["verify", "--format", "json", "--timeout", &timeout, "--loops", loops];
    let arguments = options.iter().map(AsRef::as_ref).chain([file.as_os_str()]);
    let ran = loupe(arguments)?;
    let report = ran.json()?;
    Ok((report["verdict"].as_str().unwrap_or("-").to_owned(), ran.time.as_secs_f64()))
}

pub(crate) fn print() -> Result<(), String> {
    let folder = home().join("tests/documents");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    println!(
        "{:<18} {:>4} {:>4} {:<8} {:>9}   {:<8} {:>9}   {:<8} {:>9}",
        "program", "line", "type", "summary", "time", "summary", "", "unroll", ""
    );
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let verdicts = [verdict(file, "summary")?, verdict(file, "unroll")?];
        for (number, own) in loops(file)?.iter().enumerate() {
            let shown = if number == 0 { name.as_str() } else { "" };
            let text = |key: &str| own[key].as_str().unwrap_or("-").to_owned();
            let milliseconds = own["seconds"].as_f64().unwrap_or(f64::NAN) * 1e3;
            print!(
                "{shown:<18} {:>4} {:>4} {:<8} {milliseconds:>6.2} ms",
                own["line"].to_string(),
                own["type"].as_u64().map_or("-".to_owned(), |number| number.to_string()),
                text("summary"),
            );
            if number == 0 {
                for (verdict, seconds) in &verdicts {
                    print!("   {verdict:<8} {seconds:>7.3} s");
                }
            }
            println!();
            if let (true, Some(why)) = (text("summary") != "exact", own["why"][0].as_str()) {
                println!("{:<18}      {why}", "");
            }
        }
    }
    Ok(())
}
