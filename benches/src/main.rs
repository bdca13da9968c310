//! Measures Loupe beside a baseline in the same run, and prints the ratios.
//!
//! Now: `loupe run` on microc programs and on the same programs in C, beside the latter compiled with
//! `gcc -O0`. The outputs must be the same, or the measurement is void. Numbers are `long` in C and of any
//! size in microc. The results are appended to `benches/results.tsv` with the commit that they belong to.
//! Nothing fails because it is slow.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::{Duration, Instant};

/// A hundred million iterations of a loop should take at most so many times what the baseline takes.
const GOAL: f64 = 25.0;
/// The programs with that loop.
const GOAL_PROGRAMS: [&str; 2] = ["sum.uc", "sum.c"];
/// Each program is run so many times; the fastest counts, because noise only ever adds.
const RUNS: usize = 3;

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("cannot run {command}: {error}")]
    NotStarted { command: String, error: io::Error },
    #[error("{command} failed:\n{output}")]
    Failed { command: String, output: String },
    #[error("{program}: the outputs of Loupe and the baseline differ")]
    Different { program: String },
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
}

struct Measurement {
    program: String,
    baseline: Duration,
    loupe: Duration,
}

impl Measurement {
    fn ratio(&self) -> f64 {
        self.loupe.as_secs_f64() / self.baseline.as_secs_f64()
    }
}

fn main() -> ExitCode {
    match measure_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all() -> Result<(), Failure> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let loupe = beside_this_program("loupe");
    println!("loupe run, beside gcc -O0; the fastest of {RUNS} runs");
    println!("{:<10} {:>10} {:>10} {:>8}", "program", "gcc -O0", "loupe", "ratio");
    let mut results = Vec::new();
    for program in programs(&home.join("programs"))? {
        let result = measure(&loupe, &program)?;
        println!(
            "{:<10} {:>8.3} s {:>8.3} s {:>8.1}",
            result.program,
            result.baseline.as_secs_f64(),
            result.loupe.as_secs_f64(),
            result.ratio()
        );
        results.push(result);
    }
    for result in results.iter().filter(|r| GOAL_PROGRAMS.contains(&r.program.as_str())) {
        let (program, ratio) = (&result.program, result.ratio());
        println!("{program}, a hundred million iterations: {ratio:.1}; the goal is at most {GOAL}");
    }
    keep(&home.join("results.tsv"), &results)
}

/// The microc programs, each with its C program behind it.
fn programs(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let io = |error| Failure::Io { path: folder.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "uc") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found.into_iter().flat_map(|path| [path.with_extension("c"), path]).collect())
}

fn measure(loupe: &Path, program: &Path) -> Result<Measurement, Failure> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let compiled = beside_this_program(&format!("bench-{name}"));
    run(Command::new("gcc").arg("-O0").arg("-o").arg(&compiled).arg(program.with_extension("c")))?;
    let mut baseline = Duration::MAX;
    let mut own = Duration::MAX;
    for _ in 0..RUNS {
        let (time, expected) = run(&mut Command::new(&compiled))?;
        baseline = baseline.min(time);
        let (time, output) = run(Command::new(loupe).arg("run").arg(program))?;
        own = own.min(time);
        if output.stdout != expected.stdout {
            return Err(Failure::Different { program: name });
        }
    }
    Ok(Measurement { program: name, baseline, loupe: own })
}

fn run(command: &mut Command) -> Result<(Duration, Output), Failure> {
    let start = Instant::now();
    let output = command
        .output()
        .map_err(|error| Failure::NotStarted { command: format!("{command:?}"), error })?;
    let time = start.elapsed();
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Failed { command: format!("{command:?}"), output: text });
    }
    Ok((time, output))
}

/// A file in the folder of this program, where `make bench` has built `loupe` as well.
fn beside_this_program(name: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name(name)
}

fn keep(file: &Path, results: &[Measurement]) -> Result<(), Failure> {
    let io = |error| Failure::Io { path: file.to_owned(), error };
    let is_new = !file.exists();
    let mut out = OpenOptions::new().create(true).append(true).open(file).map_err(io)?;
    if is_new {
        writeln!(out, "commit\tprogram\tgcc -O0 (s)\tloupe (s)\tratio").map_err(io)?;
    }
    let commit = commit();
    for result in results {
        let (baseline, own) = (result.baseline.as_secs_f64(), result.loupe.as_secs_f64());
        let (program, ratio) = (&result.program, result.ratio());
        writeln!(out, "{commit}\t{program}\t{baseline:.3}\t{own:.3}\t{ratio:.1}").map_err(io)?;
    }
    Ok(())
}

/// The commit that is measured, marked if the files differ from it.
fn commit() -> String {
    let git = Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=12"]).output();
    match git {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}
