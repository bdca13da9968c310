//! Conformance: programs that others wrote, with the answers that others gave.
//!
//! The corpus is described in its own `README.md`. Where our answer differs on purpose, the case says
//! why.

use loupe_tests::corpus::{check_all, folder};
use loupe_tests::files_below;
use loupe_tests::process::{Finished, Loupe};
use loupe_tests::verdict::{self, Place, Reported};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn manifest(path: &Path) -> Vec<Json> {
    serde_json::from_str(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// `loupe run` with a program.
fn run(program: &Path) -> Loupe {
    Loupe::new([Path::new("run"), program])
}

fn wrong(case: impl std::fmt::Display, expected: &str, run: &Finished) -> String {
    format!("{case}: expected {expected}, but\n{run}")
}

fn check_ok(case: impl std::fmt::Display, stdout: &str, run: &Finished) -> Result<(), String> {
    if run.status == 0 && run.stdout == stdout {
        return Ok(());
    }
    Err(wrong(case, &format!("success and the output\n{stdout}"), run))
}

#[test]
fn interpreter_tests_of_the_course() {
    let Some(corpus) = folder("microc") else { return };
    let cases = manifest(&corpus.join("ni-apr/interpreter-test/manifest.json"));
    assert_eq!(cases.len(), 25);
    check_all("interpreter tests", &cases, |case| interpreter_test(&corpus, case));
}

fn interpreter_test(corpus: &Path, case: &Json) -> Result<(), String> {
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    let file = text(&case["file"]);
    let mut call = run(&corpus.join(&file)).input(text(&case["stdin"]));
    let arguments = case["args"].as_array().map_or(&[][..], Vec::as_slice);
    if !arguments.is_empty() {
        call = call.args(["--args"]).args(arguments.iter().map(Json::to_string));
    }
    let (run, expect) = (call.run(), &case["expect"]);
    if let Some(error) = expect["error"].as_str() {
        let kind = match error {
            "Non-existing field (b) access in {a:1}" => "missing-field",
            "Nested records are not supported, use pointers" => "nested-record",
            other => return Err(format!("{file}: what is `{other}`?")),
        };
        // The programs were cut out of string literals that start with a line end.
        let line = expect["line"].as_u64().map(|line| line - 1);
        let place = line.zip(expect["col"].as_u64()).map(|(line, column)| Place { line, column });
        return check_error(&file, kind, place, &run);
    }
    // Every number is on a line of its own; the manifest leaves out the last line end.
    check_ok(&file, &lines(&text(&expect["stdout"])), &run)?;
    check_result(&file, &expect["ret"].to_string(), &run)
}

/// A text with an end of line behind the last line.
fn lines(text: &str) -> String {
    text.lines().map(|line| format!("{line}\n")).collect()
}

fn check_result(case: &str, expected: &str, run: &Finished) -> Result<(), String> {
    if run.status == 0 && verdict::result(run) == Some(expected) {
        return Ok(());
    }
    Err(wrong(case, &format!("the result {expected}"), run))
}

fn check_error(case: &str, kind: &str, at: Option<Place>, run: &Finished) -> Result<(), String> {
    let errors = verdict::errors(run);
    let error = errors.first();
    if run.status == 1
        && error.and_then(Reported::kind) == Some(kind)
        && error.and_then(|error| error.place) == at
    {
        return Ok(());
    }
    Err(wrong(case, &format!("{kind} at {at:?}"), run))
}

/// The outputs that the course recorded for its examples.
#[test]
fn examples_of_the_course() {
    let Some(corpus) = folder("microc/ni-apr") else { return };
    let recorded: Vec<PathBuf> = files_below(&corpus.join("tests/expected"));
    assert_eq!(recorded.len(), 33);
    check_all("course examples", &recorded, |recorded| {
        let name = recorded.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        course_example(&corpus, name, &read(recorded))
    });
}

fn course_example(corpus: &Path, name: &str, recorded: &str) -> Result<(), String> {
    let program = |name: &str| corpus.join(format!("examples/{name}.uc"));
    if let Some(code) = name.strip_prefix("bf-") {
        let code = corpus.join(format!("tests/resources/{code}.bf"));
        let call = run(&program("bf")).args(["--ascii", "--input-file"]).args([code]);
        return check_recorded(name, recorded, &call.run());
    }
    let Some(example) = name.strip_suffix(".uc") else {
        // NAME-INPUT
        let (example, input) = name.rsplit_once('-').ok_or_else(|| format!("{name}: no input"))?;
        let run = run(&program(example)).input(input).run();
        // Recorded with 5 as the input, as their content shows.
        if let "fac-iter-42" | "fac-rec-42" = name {
            let factorial = "1405006117752879898543142606244511569936384000000000\n";
            return check_ok(name, factorial, &run);
        }
        return check_recorded(name, recorded, &run);
    };
    if recorded.contains("error: I/O error Non-integer input") {
        // Recorded with an empty line as the input, which is no number to the course; to us it is no
        // input at all, and behind the end of the input every number is -1.
        let run = run(&program(example)).input("\n").run();
        // The factorial of -1, by recursion, takes as many calls as there may be.
        let status = if example == "fac-rec" { 2 } else { 0 };
        let fine = run.status == status;
        return if fine { Ok(()) } else { Err(wrong(name, "a run without error", &run)) };
    }
    let run = run(&program(example)).run();
    if recorded.contains("error: ") {
        return check_recorded_errors(name, recorded, &run);
    }
    check_recorded(name, recorded, &run)
}

/// The output of the program, and behind it its result.
fn check_recorded(name: &str, recorded: &str, run: &Finished) -> Result<(), String> {
    let result = verdict::result(run).unwrap_or("none");
    if run.status == 0 && format!("{}{result}\n", run.stdout) == recorded {
        return Ok(());
    }
    Err(wrong(name, &format!("output and result\n{recorded}"), run))
}

/// Errors as the course has them: `FILE:[LINE:COLUMN]: error: MESSAGE`.
fn check_recorded_errors(name: &str, recorded: &str, run: &Finished) -> Result<(), String> {
    let mut expected = Vec::new();
    for line in recorded.lines() {
        if let Some((place, message)) = line.split_once("]: error: ")
            && let Some((_, place)) = place.rsplit_once('[')
        {
            let place = Place::parse(place).ok_or_else(|| format!("{name}: `{place}`?"))?;
            expected.push(moved(name, message, place));
        }
    }
    let found: Vec<Place> =
        verdict::errors(run).into_iter().filter_map(|error| error.place).collect();
    if found == expected && !found.is_empty() && (run.status == 1 || run.status == 3) {
        return Ok(());
    }
    Err(wrong(name, &format!("errors at {expected:?}"), run))
}

/// Where we point at something else than the course.
fn moved(name: &str, message: &str, place: Place) -> Place {
    match (name, message) {
        // The course points at the `=`, we at the name: `    main = 5;` and `    f = g;`.
        ("err-funass1.uc" | "err-funass3.uc", "cannot assign to a function") => {
            Place { column: 5, ..place }
        }
        _ => place,
    }
}

/// The tests of a compiler: 32-bit numbers, and arrays that are copied.
#[test]
fn compiler_tests() {
    let Some(corpus) = folder("microc/kral-compiler") else { return };
    let programs = files_below(&corpus.join("in"));
    assert_eq!(programs.len(), 35);
    check_all("compiler tests", &programs, |program| {
        let name = program.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let run = run(program).args(["--arrays", "value", "--int-width", "32"]).run();
        check_ok(name, &read(&corpus.join(format!("ref/{name}.ref"))), &run)
    });
}

/// The programs in the tests of the thesis that read no input and whose outcome is known.
///
/// Without expectation are the two programs of its own interpreter tests, whose text does not say
/// what they give, and one that is only made into a flowgraph: these must just not break anything.
/// The 165 that read inputs are about what can happen for *some* input; a single run cannot answer
/// that.
#[test]
fn thesis_programs_without_input() {
    let Some(corpus) = folder("microc") else { return };
    let programs = manifest(&corpus.join("dp/manifest.json"));
    let without_input = programs.iter().filter(|program| program["uses_input"] == false);
    let known =
        |program: &&&Json| program["expect"].as_object().is_some_and(|expect| !expect.is_empty());
    let (known, unknown): (Vec<&Json>, Vec<&Json>) = without_input.partition(|p| known(&p));
    assert_eq!((programs.len(), known.len(), unknown.len()), (211, 43, 3));
    check_all("thesis programs", &known, |program| thesis_program(&corpus, program));
    check_all("thesis programs without expectation", &unknown, |program| {
        let file = program["file"].as_str().unwrap_or_default();
        unbroken(&run(&corpus.join(file)))
    });
}

fn thesis_program(corpus: &Path, program: &Json) -> Result<(), String> {
    let file = program["file"].as_str().unwrap_or_default();
    let run = run(&corpus.join(file)).run();
    let expect = &program["expect"];
    if let Some([result]) = expect["ret"].as_array().map(Vec::as_slice) {
        return check_result(file, &result.to_string(), &run);
    }
    // Some errors of the thesis are found before the program is run.
    let failed = matches!(run.status, 1 | 3) && !verdict::errors(&run).is_empty();
    let fine = run.status == 0;
    match expect["symex_error"].as_bool() {
        Some(true) if failed => Ok(()),
        Some(false) if fine => Ok(()),
        expected => Err(wrong(file, &format!("an error: {expected:?}"), &run)),
    }
}

/// Whether a call ends in a documented way.
fn unbroken(call: &Loupe) -> Result<(), String> {
    let run = call.run();
    let says_why = run.status == 0 || run.stderr.starts_with("error: ");
    if (0..=3).contains(&run.status) && says_why {
        return Ok(());
    }
    Err(format!("{call} broke:\n{run}"))
}

/// Everything in the corpus that is microc or nearly so, with several inputs: whatever comes out, it
/// comes out properly and in time.
#[test]
fn nothing_in_the_corpus_breaks_the_interpreter() {
    let Some(corpus) = folder("microc") else { return };
    let is_program = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("uc" | "microc" | "mc" | "tip"))
    };
    let programs: Vec<PathBuf> = files_below(&corpus).into_iter().filter(is_program).collect();
    assert!(programs.len() > 400, "only {} programs", programs.len());
    check_all("programs that break nothing", &programs, |program| {
        ["", "1 2 3", "0 x3, 7, -1, 1000000007, 5 x100"].iter().try_for_each(|input| {
            let limits = ["--lang", "microc", "--max-steps", "20000", "--input", input];
            unbroken(&run(program).args(limits))
        })
    });
}
