//! Measures the symbolic executor: paths per second, queries per path, what the links of the solver are
//! good for, and the same programs in angr where that is installed.
//!
//! Nothing fails because it is slow. angr is found through `LOUPE_ANGR`, a Python with the package `angr`,
//! or through `python3`.

use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the links are measured by: each column leaves some out.
const COLUMNS: [(&str, &str); 4] = [
    ("all links", ""),
    ("no cache", "cache"),
    ("no linear", "linear"),
    ("only Z3", "quantifiers,split,cache,linear,simplify,ranges"),
];
/// Each measurement is made so often; the fastest counts, because noise only ever adds.
const RUNS: usize = 3;
/// The goals: paths per second on a program with cheap branches, and the ratio to angr.
const CHEAP: (&str, f64) = ("branches.c", 5_000.0);
const RATIO: f64 = 20.0;
/// So many states that wait must take less memory than this, in megabytes.
const LIVE: (f64, f64) = (10_000.0, 500.0);

struct Measured {
    paths: f64,
    seconds: f64,
    queries: f64,
    waiting: f64,
    megabytes: f64,
}

fn loupe() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name("loupe")
}

fn number(json: &Json, path: &[&str]) -> f64 {
    path.iter().fold(json, |json, key| &json[key]).as_f64().unwrap_or(f64::NAN)
}

/// One exploration.
fn explore(program: &Path, without: &str) -> Result<Measured, String> {
    let mut command = Command::new(loupe());
    command.args(["explore", "--format", "json", "--timeout", "60"]).arg(program);
    if !without.is_empty() {
        command.args(["--without", without]);
    }
    let output = command.output().map_err(|error| format!("cannot run loupe: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let json: Json = serde_json::from_str(&text).map_err(|error| {
        format!("{}: {error}\n{}", program.display(), String::from_utf8_lossy(&output.stderr))
    })?;
    let paths = ["finished", "failed", "assumed_away", "cut_off"];
    Ok(Measured {
        paths: paths.iter().map(|kind| number(&json, &["paths", kind])).sum(),
        seconds: number(&json, &["seconds"]),
        queries: number(&json, &["queries"]),
        waiting: number(&json, &["most_waiting"]),
        megabytes: number(&json, &["peak_memory_bytes"]) / 1e6,
    })
}

fn fastest(program: &Path, without: &str) -> Result<Measured, String> {
    let mut best = explore(program, without)?;
    for _ in 1..RUNS {
        let next = explore(program, without)?;
        if next.seconds < best.seconds {
            best = next;
        }
    }
    Ok(best)
}

/// What angr says of a program: paths and seconds.
fn angr(script: &Path, program: &Path) -> Option<(f64, f64)> {
    let python = std::env::var("LOUPE_ANGR").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python).arg(script).arg(program).output().ok()?;
    let json: Json = serde_json::from_slice(&output.stdout).ok()?;
    Some((json["paths"].as_f64()?, json["seconds"].as_f64()?))
}

fn measure() -> Result<(), String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = home.join("programs/paths");
    let script = home.join("../scripts/bench-angr.py");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut programs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    programs.sort();
    println!("loupe explore, the fastest of {RUNS}; angr once, where it is installed");
    print!("{:<12} {:>7} {:>9} {:>8}", "program", "paths", "paths/s", "queries");
    COLUMNS[1..].iter().for_each(|(name, _)| print!(" {name:>10}"));
    println!(" {:>10} {:>8}", "angr", "ratio");
    let mut least_ratio = f64::INFINITY;
    for program in &programs {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let all = fastest(program, "")?;
        let speed = all.paths / all.seconds;
        print!("{name:<12} {:>7} {speed:>9.0} {:>8.2}", all.paths, all.queries / all.paths);
        for (_, without) in &COLUMNS[1..] {
            let other = fastest(program, without)?;
            print!(" {:>9.2}x", other.seconds / all.seconds);
        }
        match angr(&script, program) {
            Some((paths, seconds)) => {
                let theirs = paths / seconds;
                least_ratio = least_ratio.min(speed / theirs);
                let note = if paths == all.paths { "" } else { " (other paths)" };
                println!(" {theirs:>8.1}/s {:>7.0}x{note}", speed / theirs);
            }
            None => println!(" {:>10} {:>8}", "-", "-"),
        }
        if name == CHEAP.0 {
            println!("  cheap branches: {speed:.0} paths per second; the goal is {}", CHEAP.1);
            let each = all.megabytes / all.waiting * LIVE.0;
            println!(
                "  memory: {:.0} MB with {} states waiting, so at most {each:.0} MB for {}; the goal is {}",
                all.megabytes, all.waiting, LIVE.0, LIVE.1
            );
        }
    }
    if least_ratio.is_finite() {
        println!("beside angr: at least {least_ratio:.0} times as fast; the goal is {RATIO}");
    }
    Ok(())
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
