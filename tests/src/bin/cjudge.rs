//! Looks at the C programs of the tests with gcc alone: whether they mean what the tests say they mean.
//!
//! A program that is to judge Loupe must have one meaning. So its output must be the same with and
//! without optimisation and the sanitizers must find nothing; if it claims to be the same for both data
//! models, it is run for both. A program that fails must fail in the eyes of gcc's sanitizers as well,
//! in the line that it names, as far as they know that kind of failure.
//!
//! This is for authors of programs, and too slow to be a test.

use loupe_tests::cgen::{self, Options};
use loupe_tests::corpus::check_all;
use loupe_tests::cprogram::{self, CProgram};
use loupe_tests::gcc::{self, Build, DataModel, PLAIN};
use loupe_tests::process::Finished;
use loupe_tests::snapshot::difference;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cjudge --gcc-only              look at everything
       cjudge features [TEXT]         programs whose name contains the text
       cjudge failures [TEXT]
       cjudge generated FROM TO       generated programs, for both data models
       cjudge show SEED [ILP32]       print a generated program";

const OPTIMISED: &[&str] = &["-fwrapv", "-O2", "-fno-strict-aliasing", "-w"];

/// With signed overflow and shifts of negative numbers allowed, as `-fwrapv` has it.
const SANITIZED: &[&str] = &[
    "-fwrapv",
    "-O0",
    "-g",
    "-w",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize=signed-integer-overflow,shift-base",
    "-fno-sanitize-recover=all",
];

/// For programs that fail: everything counts.
const STRICT: &[&str] = &[
    "-O0",
    "-g",
    "-w",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize=shift-base",
    "-fno-sanitize-recover=all",
];

/// For values that are not initialised, gcc has no sanitizer, but warnings.
const WARNING: &[&str] = &["-O1", "-Wall", "-Wextra"];

/// How many generated programs are compiled at once.
const BATCH: u64 = 25;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().ok();
    match words[..] {
        ["--gcc-only"] => {
            features("");
            failures("");
            generated(0, 1_000);
        }
        ["features"] => features(""),
        ["features", text] => features(text),
        ["failures"] => failures(""),
        ["failures", text] => failures(text),
        ["generated", from, to] if number(from) < number(to) && number(from).is_some() => {
            generated(number(from).unwrap_or(0), number(to).unwrap_or(0));
        }
        ["show", seed] if number(seed).is_some() => show(number(seed), DataModel::Lp64),
        ["show", seed, "ILP32"] if number(seed).is_some() => show(number(seed), DataModel::Ilp32),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn show(seed: Option<u64>, data_model: DataModel) {
    let units: Vec<_> =
        seed.into_iter().map(|seed| cgen::unit(seed, options(data_model))).collect();
    print!("{}", cgen::file(&units));
}

fn options(data_model: DataModel) -> Options {
    Options { data_model, ..Options::default() }
}

fn selected(mut programs: Vec<CProgram>, text: &str) -> Vec<CProgram> {
    programs.retain(|program| program.name.contains(text));
    programs
}

fn features(text: &str) {
    check_all("features of one meaning", &selected(cprogram::features(), text), |program| {
        one_meaning(program).map_err(|reason| format!("{}: {reason}", program.name))
    });
}

fn run(program: &CProgram, data_model: DataModel, flags: &[&str]) -> Result<Finished, String> {
    let standard = program.header.standard();
    let build = Build { files: &program.files, data_model, standard, flags };
    Ok(build.compile()?.run(program.input.as_deref()))
}

fn agree(what: &str, expected: &Finished, found: &Finished) -> Result<(), String> {
    if (expected.status, &expected.stdout) == (found.status, &found.stdout) {
        return Ok(());
    }
    let (before, after) = (expected.status, found.status);
    let lines = difference(&expected.stdout, &found.stdout);
    Err(format!("{what}: status {before} and {after}\n{lines}{}", found.stderr))
}

fn one_meaning(program: &CProgram) -> Result<(), String> {
    if program.header.model == Some(DataModel::Ilp32) {
        let plain = run(program, DataModel::Ilp32, PLAIN)?;
        return agree("optimised", &plain, &run(program, DataModel::Ilp32, OPTIMISED)?);
    }
    let plain = run(program, DataModel::Lp64, PLAIN)?;
    if plain.stdout.is_empty() {
        return Err("it prints nothing".to_owned());
    }
    agree("optimised", &plain, &run(program, DataModel::Lp64, OPTIMISED)?)?;
    agree("sanitized", &plain, &run(program, DataModel::Lp64, SANITIZED)?)?;
    if program.header.model.is_none() && gcc::can_judge(DataModel::Ilp32) {
        // The small library for i686 does not have everything; what it lacks is not looked at.
        match run(program, DataModel::Ilp32, PLAIN) {
            Err(message) if message.contains("undefined reference") => {}
            Ok(run) if run.stderr.contains("the small library") => {}
            narrow => agree("ILP32", &plain, &narrow?)?,
        }
    }
    Ok(())
}

fn failures(text: &str) {
    check_all("failures as gcc sees them", &selected(cprogram::failures(), text), |program| {
        fails(program).map_err(|reason| format!("{}: {reason}", program.name))
    });
}

fn fails(program: &CProgram) -> Result<(), String> {
    let header = &program.header;
    let failure = header.fails.as_ref().ok_or("it does not say how it fails")?;
    let Some(text) = &header.gcc else { return Ok(()) };
    let flags = if failure.kind == "uninitialised-value" { WARNING } else { STRICT };
    let build = Build {
        files: &program.files,
        data_model: DataModel::Lp64,
        standard: header.standard(),
        flags,
    };
    let executable = build.compile()?;
    let said = if flags == WARNING {
        executable.warnings.clone()
    } else {
        executable.run(program.input.as_deref()).stderr
    };
    let file = program.files[0].file_name().unwrap_or_default().to_string_lossy();
    let place = format!("{file}:{}", failure.line);
    if said.contains(text.as_str()) && said.contains(&place) {
        return Ok(());
    }
    Err(format!("gcc does not say `{text}` about {place}:\n{said}"))
}

fn generated(from: u64, to: u64) {
    let batches: Vec<(u64, DataModel)> = (from..to)
        .step_by(BATCH as usize)
        .flat_map(|start| [(start, DataModel::Lp64), (start, DataModel::Ilp32)])
        .filter(|(_, model)| gcc::can_judge(*model))
        .collect();
    check_all("batches of generated programs of one meaning", &batches, |(start, model)| {
        let seeds = *start..to.min(start + BATCH);
        let units: Vec<_> = seeds.map(|seed| cgen::unit(seed, options(*model))).collect();
        let files = [gcc::scratch_file("generated.c", &cgen::file(&units))];
        let result = batch_has_one_meaning(&files, *model);
        match result {
            Ok(()) => std::fs::remove_file(&files[0]).map_err(|error| error.to_string()),
            Err(reason) => Err(format!("{}: {reason}", files[0].display())),
        }
    });
}

fn batch_has_one_meaning(files: &[PathBuf], data_model: DataModel) -> Result<(), String> {
    let run = |flags: &[&str]| -> Result<Finished, String> {
        let build = Build { files, data_model, standard: "gnu11", flags };
        Ok(build.compile()?.run(None))
    };
    let plain = run(PLAIN)?;
    agree("optimised", &plain, &run(OPTIMISED)?)?;
    if data_model == DataModel::Ilp32 {
        return Ok(());
    }
    let sanitized = run(SANITIZED)?;
    agree("sanitized", &plain, &sanitized)?;
    if sanitized.stderr.is_empty() { Ok(()) } else { Err(sanitized.stderr) }
}
