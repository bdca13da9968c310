//! C programs, one for each feature of C, judged by gcc: Loupe runs them with the same output and the
//! same status. And C programs that fail: Loupe says how, and in which line. And C programs that gcc
//! accepts and Loupe refuses: it says so about a place.
//!
//! What the programs look like stands in [`loupe_tests::cprogram`]; `cjudge` looks at the programs
//! themselves. Tests are named after the programs: `cargo test --test c_features -- bitfields`.

use libtest_mimic::{Arguments, Failed, Trial};
use loupe_tests::cprogram::{self, CProgram, Failure};
use loupe_tests::gcc::{self, Build, DataModel, PLAIN};
use loupe_tests::process::{Finished, Loupe};
use loupe_tests::snapshot::difference;
use loupe_tests::verdict;
use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let features = cprogram::features().into_iter().map(|program| trial(program, runs_as_judged));
    let failures = cprogram::failures().into_iter().map(|program| trial(program, fails_as_told));
    let gaps = cprogram::gaps().into_iter().map(|program| trial(program, refused_with_a_place));
    libtest_mimic::run(&arguments, features.chain(failures).chain(gaps).collect()).exit_code()
}

fn trial(program: CProgram, check: fn(&CProgram) -> Result<(), String>) -> Trial {
    Trial::test(program.name.clone(), move || check(&program).map_err(Failed::from))
}

/// Loupe on a program, for a data model.
fn loupe(program: &CProgram, model: DataModel) -> Result<Loupe, String> {
    let mut call = Loupe::new(["run", "--data-model", model.name()]);
    if let Some(standard) = &program.header.standard {
        call = call.args(["--std", standard]);
    }
    if let Some(kind) = &program.header.check {
        call = call.args(["--check", kind]);
    }
    if let Some(input) = &program.input {
        call =
            call.input(fs::read(input).map_err(|error| format!("{}: {error}", input.display()))?);
    }
    Ok(call.args(&program.files))
}

/// The output and the status are those of gcc, for every data model that the program is for.
fn runs_as_judged(program: &CProgram) -> Result<(), String> {
    // The output of a program for both data models is the same, so either of them can judge.
    let judge = program.header.models()[0];
    if !gcc::can_judge(judge) {
        return Ok(());
    }
    let build = Build {
        files: &program.files,
        data_model: judge,
        standard: program.header.standard(),
        flags: PLAIN,
    };
    let expected = build.compile()?.run(program.input.as_deref());
    for model in program.header.models() {
        let call = loupe(program, *model)?.args(["--pass-status"]);
        agree(&expected, &call.run()).map_err(|reason| format!("{call}\n{reason}"))?;
    }
    Ok(())
}

fn agree(expected: &Finished, found: &Finished) -> Result<(), String> {
    if expected.stdout != found.stdout {
        let lines = difference(&expected.stdout, &found.stdout);
        return Err(format!("the output (-) became (+) {lines}{}", found.stderr));
    }
    if expected.status != found.status {
        let (expected, status) = (expected.status, found.status);
        return Err(format!("status {status} instead of {expected}\n{}", found.stderr));
    }
    Ok(())
}

/// The run ends with the failure that the program names.
fn fails_as_told(program: &CProgram) -> Result<(), String> {
    let Some(Failure { kind, line }) = &program.header.fails else {
        return Err("it does not say how it fails".to_owned());
    };
    for model in program.header.models() {
        let call = loupe(program, *model)?;
        let run = call.run();
        let error = verdict::errors(&run).into_iter().next();
        let found = error.as_ref().and_then(|error| Some((error.kind()?, error.place?.line)));
        if run.status != 1 || found != Some((kind.as_str(), *line)) {
            return Err(format!("{call}\ninstead of {kind} in line {line}:\n{run}"));
        }
    }
    Ok(())
}

/// gcc accepts the program, Loupe does not, and says where it stumbles.
fn refused_with_a_place(program: &CProgram) -> Result<(), String> {
    for model in program.header.models() {
        if gcc::can_judge(*model) {
            let standard = program.header.standard();
            let build = Build { files: &program.files, data_model: *model, standard, flags: PLAIN };
            build.compile()?;
        }
        let call = loupe(program, *model)?;
        let run = call.run();
        if run.status == 0 {
            return Err("it works: it belongs into the folder of a feature".to_owned());
        }
        let place = verdict::errors(&run).into_iter().next().and_then(|error| error.place);
        if run.status != 3 || place.is_none() {
            return Err(format!("{call}\nis not refused with a place:\n{run}"));
        }
    }
    Ok(())
}
