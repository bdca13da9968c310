//! Generated C programs: Loupe and gcc agree on every variable of each.
//!
//! Fifty programs make one file, which both run once. `LOUPE_C_PROGRAMS=N` looks at more of them; the
//! first programs are always the same.

use loupe_tests::cgen::{self, Options, Unit};
use loupe_tests::corpus::check_all;
use loupe_tests::gcc::{self, Build, DataModel, PLAIN};
use loupe_tests::process::{Finished, Loupe};
use loupe_tests::snapshot::difference;
use std::fs;
use std::path::{Path, PathBuf};

/// How many programs make a file.
const BATCH: u64 = 50;

#[test]
fn lp64_programs_run_as_with_gcc() {
    judge(DataModel::Lp64, 2_000);
}

#[test]
fn ilp32_programs_run_as_with_gcc() {
    judge(DataModel::Ilp32, 500);
}

fn judge(data_model: DataModel, count: u64) {
    if !gcc::can_judge(data_model) {
        return;
    }
    let asked_for = std::env::var("LOUPE_C_PROGRAMS").ok().and_then(|count| count.parse().ok());
    let count: u64 = asked_for.unwrap_or(count);
    let batches: Vec<u64> = (0..count).step_by(BATCH as usize).collect();
    let title = format!("batches of generated programs, {}", data_model.name());
    check_all(&title, &batches, |first| {
        let seeds = *first..count.min(first + BATCH);
        let options = Options { data_model, ..Options::default() };
        let units: Vec<Unit> = seeds.map(|seed| cgen::unit(seed, options)).collect();
        check(&units, data_model)
    });
}

/// Runs a file with these programs with gcc and with Loupe.
fn check(units: &[Unit], data_model: DataModel) -> Result<(), String> {
    let file = gcc::scratch_file("generated.c", &cgen::file(units));
    let build =
        Build { files: std::slice::from_ref(&file), data_model, standard: "gnu11", flags: PLAIN };
    let expected = build.compile()?.run(None);
    let call =
        Loupe::new(["run", "--pass-status", "--data-model", data_model.name()]).args([&file]);
    let found = call.run();
    let _ = fs::remove_file(&file);
    if (expected.status, &expected.stdout) == (found.status, &found.stdout) {
        return Ok(());
    }
    Err(report(units, data_model, &expected, &found))
}

/// What is different in the first program that differs, which is kept as a file of its own.
fn report(units: &[Unit], data_model: DataModel, expected: &Finished, found: &Finished) -> String {
    let pairs = expected.stdout.lines().zip(found.stdout.lines());
    let same = pairs.take_while(|(a, b)| a == b).count();
    // Each line begins with the seed of the program that wrote it.
    let line = expected.stdout.lines().nth(same).or_else(|| found.stdout.lines().nth(same));
    let seed = line.and_then(|line| line.split(' ').next()).unwrap_or_default();
    let of_seed = |text: &str| -> String {
        let lines = text.lines().filter(|line| line.split(' ').next() == Some(seed));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let lines = difference(&of_seed(&expected.stdout), &of_seed(&found.stdout));
    let kept =
        units.iter().find(|unit| unit.seed.to_string() == seed).map(|unit| keep(unit, data_model));
    let kept =
        kept.map_or_else(|| "no program stands out".to_owned(), |path| path.display().to_string());
    format!(
        "{}, seed {seed}: {kept}\nstatus {} instead of {}\n{lines}{}",
        data_model.name(),
        found.status,
        expected.status,
        found.stderr
    )
}

fn keep(unit: &Unit, data_model: DataModel) -> PathBuf {
    let name = format!("generated-{}-{}.c", data_model.name(), unit.seed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Without the file the seed still tells which program it was.
    let _ = fs::write(&path, cgen::file(std::slice::from_ref(unit)));
    path
}
