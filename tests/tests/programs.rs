//! File tests: the programs in `programs/`, each with directives that say what comes of it.
//!
//! The folder of a program says what it is about (`run`, `cfg`, `ast`, `ir`) and what is expected
//! (`pass`, `fail`, `limit`, `reject`); its directives say exactly how to call `loupe` and what must
//! happen (see [`loupe_tests::directive`]). All that users see is pinned in a snapshot beside the
//! program, `NAME.expected` for the first directive and `NAME.2.expected` for the second; with
//! `LOUPE_BLESS=1` they are written anew.
//!
//! There is a test for every directive, and one for every other way to run the program that must agree
//! with it. Tests are named after the program and the line of the directive, so that
//! `cargo test --test programs -- run/fail` or `-- div.uc:1:run:norm` run some of them.

use libtest_mimic::{Arguments, Failed, Trial};
use loupe_tests::directive::{self, Directive, Outcome};
use loupe_tests::process::{Finished, Loupe};
use loupe_tests::verdict::Verdict;
use loupe_tests::{files_below, root, snapshot};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}

/// A program with one of its directives.
#[derive(Clone, Debug)]
struct Case {
    /// The program, as seen from the folder of the tests.
    program: PathBuf,
    directive: Directive,
    /// Where the text that users see is kept.
    snapshot: PathBuf,
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut snapshots = BTreeSet::new();
    let mut unused = Vec::new();
    for file in files_below(&root().join("programs")) {
        let file = file.strip_prefix(root()).expect("it is below the root").to_owned();
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("uc" | "lir" | "c") => match cases(&file) {
                Ok(cases) => {
                    snapshots.extend(cases.iter().map(|case| case.snapshot.clone()));
                    trials.extend(cases.iter().flat_map(trials_of));
                }
                Err(reason) => {
                    trials.push(Trial::test(title(&file), || Err(Failed::from(reason))));
                }
            },
            // Inputs are named by directives, which fail if they are not there.
            Some("input") => {}
            _ => unused.push(file),
        }
    }
    unused.retain(|file| !snapshots.contains(file));
    trials.push(Trial::test("nothing-is-stale", move || check_unused(&unused)));
    trials
}

/// The name of a program in the names of its tests.
fn title(program: &Path) -> String {
    program.strip_prefix("programs").unwrap_or(program).display().to_string()
}

fn cases(program: &Path) -> Result<Vec<Case>, String> {
    let text = fs::read_to_string(root().join(program)).map_err(|error| error.to_string())?;
    let directives = directive::parse(&text).map_err(|wrong| wrong.to_string())?;
    let numbered = (1..).zip(directives).map(|(number, directive)| {
        check_folder(program, &directive)?;
        let ending = if number == 1 { "expected".to_owned() } else { format!("{number}.expected") };
        let snapshot = PathBuf::from(format!("{}.{ending}", program.display()));
        Ok(Case { program: program.to_owned(), directive, snapshot })
    });
    numbered.collect()
}

/// The folder promises what the directive says.
fn check_folder(program: &Path, directive: &Directive) -> Result<(), String> {
    let folders =
        program.parent().into_iter().flat_map(Path::iter).filter_map(|name| name.to_str());
    for folder in folders {
        let fits = match folder {
            "run" | "cfg" | "ast" => directive.command == folder,
            "pass" => {
                matches!(directive.outcome, Outcome::Ok | Outcome::Result(_) | Outcome::Status(_))
            }
            "fail" => matches!(directive.outcome, Outcome::Error { .. }),
            "limit" => matches!(directive.outcome, Outcome::Limit | Outcome::Unsupported),
            "reject" => matches!(directive.outcome, Outcome::Rejected(_)),
            _ => true,
        };
        if !fits {
            return Err(format!("line {}: this does not belong in `{folder}`", directive.line));
        }
    }
    Ok(())
}

/// What nobody looks at any more.
fn check_unused(unused: &[PathBuf]) -> Result<(), Failed> {
    let (stale, others): (Vec<_>, Vec<_>) =
        unused.iter().partition(|file| file.extension().is_some_and(|name| name == "expected"));
    if snapshot::blessing() {
        for file in stale {
            fs::remove_file(root().join(file))?;
        }
    } else if !stale.is_empty() {
        return Err(format!("no directive has these snapshots: {stale:?}").into());
    }
    if others.is_empty() { Ok(()) } else { Err(format!("what are {others:?}?").into()) }
}

/// The tests for a directive: what it says, and the other ways to get the same.
fn trials_of(case: &Case) -> Vec<Trial> {
    let Directive { line, command, .. } = &case.directive;
    let name = format!("{}:{line}:{command}", title(&case.program));
    let trial = |name: String, test: fn(&Case, &str) -> Result<(), String>| {
        let (case, own_name) = (case.clone(), name.clone());
        Trial::test(name, move || test(&case, &own_name).map_err(Failed::from))
    };
    let mut trials = vec![trial(name.clone(), as_directed)];
    if command == "run" {
        trials.push(trial(format!("{name}:json"), json_agrees));
        if !matches!(case.directive.outcome, Outcome::Rejected(_)) {
            trials.push(trial(format!("{name}:norm"), normal_form_agrees));
        }
    }
    trials
}

fn call(command: &str, program: &Path, arguments: &[String]) -> Loupe {
    Loupe::new([Path::new(command), program]).args(arguments)
}

impl Case {
    fn call(&self) -> Loupe {
        call(&self.directive.command, &self.program, &self.directive.arguments)
    }

    fn json(&self) -> Finished {
        self.call().args(["--format", "json"]).run()
    }
}

/// The directive holds, and everything that users see is as it was.
fn as_directed(case: &Case, _: &str) -> Result<(), String> {
    let call = case.call();
    let run = call.run();
    if let Some(reason) = case.directive.outcome.missed_by(&run) {
        let line = case.directive.line;
        return Err(format!("line {line}: {reason}\n{call}\n{run}"));
    }
    snapshot::check(&root().join(&case.snapshot), &format!("$ {call}\n{run}"))
}

/// JSON says the same as the text.
fn json_agrees(case: &Case, _: &str) -> Result<(), String> {
    let (text, json) = (case.call().run(), case.json());
    if let Outcome::Rejected(_) = case.directive.outcome {
        return agree(text.status, json.status, &text, &json);
    }
    let (text_says, json_says) = (Some(Verdict::of_text(&text)), Verdict::of_json(&json));
    agree(text_says, json_says, &text, &json)
}

/// The normalised flowgraph does the same as the program, step by step.
fn normal_form_agrees(case: &Case, name: &str) -> Result<(), String> {
    let (reading, running) = split(&case.directive.arguments);
    let file = format!("{}.lir", name.replace(['/', ':'], "-"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    let printed = call("cfg", &case.program, &reading).args(["--norm", "-o"]).args([&file]).run();
    if printed.status != 0 {
        return Err(format!("there is no flowgraph:\n{printed}"));
    }
    // A flowgraph does not say that it was C, so the form of the output is that of microc.
    if case.program.extension().is_some_and(|extension| extension == "c") {
        let (source, graph) = (case.call().run(), call("run", &file, &running).run());
        let says = |run: &Finished| (run.status, run.stdout.clone());
        return agree(says(&source), says(&graph), &source, &graph);
    }
    let source = case.json();
    let graph = call("run", &file, &running).args(["--format", "json"]).run();
    let says = |run: &Finished| (run.status, run.stdout.clone());
    agree(says(&source), says(&graph), &source, &graph)
}

/// The options about how a program is read; each has a value in the next word.
const READING: &[&str] = &[
    "--int-width",
    "--arrays",
    "--lang",
    "--data-model",
    "--std",
    "-I",
    "-D",
    "-U",
    "--entry",
    "--assume",
    "--check",
    "--volatile",
];

/// The options about how a program is read, and those about how it is run.
fn split(arguments: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut reading, mut running) = (Vec::new(), Vec::new());
    let mut words = arguments.iter().cloned();
    while let Some(word) = words.next() {
        if READING.contains(&word.as_str()) {
            reading.push(word);
            reading.extend(words.next());
        } else {
            running.push(word);
        }
    }
    (reading, running)
}

fn agree<T: PartialEq>(a: T, b: T, run_a: &Finished, run_b: &Finished) -> Result<(), String> {
    if a == b { Ok(()) } else { Err(format!("these do not agree:\n{run_a}\nand\n{run_b}")) }
}
