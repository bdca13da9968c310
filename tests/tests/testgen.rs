//! `loupe test`: folders of tests, harnesses that gcc compiles, and bad usage.

use loupe_tests::gcc::{self, DataModel};
use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that only the test `name` uses, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("testgen-{name}"));
    // It may be there from the last time.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

/// A program in a folder of its own.
fn program(name: &str, text: &str) -> (PathBuf, String) {
    let folder = folder(name.split('.').next().unwrap_or(name));
    let file = folder.join(name);
    fs::write(&file, text).expect("a file can be written");
    let file = path(&file);
    (folder, file)
}

/// The tests of programs with a limit that no clock has a say in.
fn generate(arguments: &[&str]) -> Finished {
    Loupe::new(["test", "--timeout", "600"]).args(arguments.iter().copied()).run()
}

/// All files below a folder, by their names.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = loupe_tests::files_below(folder).into_iter();
    let read = |file: PathBuf| {
        let bytes = fs::read(&file).expect("a file");
        (file.strip_prefix(folder).expect("below").to_owned(), bytes)
    };
    files.map(read).collect()
}

fn tests_of(folder: &Path) -> Json {
    let text = fs::read_to_string(folder.join("tests.json")).expect("tests.json");
    serde_json::from_str(&text).expect("JSON")
}

/// Every input file, run by itself, ends as the list says.
fn check_runs(folder: &Path, file: &str, more: &[&str]) {
    let object = tests_of(folder);
    for test in object["tests"].as_array().expect("a list") {
        let name = test["name"].as_str().expect("a name");
        let input = path(&folder.join(format!("{name}.in")));
        let arguments = ["run", file, "--format", "json", "--input-file", &input];
        let run = Loupe::new(arguments).args(more.iter().copied()).run();
        let run: Json = serde_json::from_str(&run.stdout).expect("JSON");
        let expected = &test["expected"];
        let kind = |end: &Json| end["error"]["kind"].clone();
        assert_eq!(kind(&run), kind(expected), "{name} of {file}");
        if expected["status"] != Json::Null {
            assert_eq!(run["result"], expected["status"], "{name} of {file}");
        }
        let is_empty = |json: &Json| json == "" || json.as_array().is_some_and(Vec::is_empty);
        let (seen, known) = (&run["output"], &expected["output"]);
        assert!(seen == known || is_empty(seen) && is_empty(known), "{name}: {seen} {known}");
    }
}

const TRIANGLE: &str = include_str!("../testgen/triangle.c");

#[test]
fn a_folder_has_all_that_is_needed() {
    let (folder, file) = program("triangle.c", TRIANGLE);
    let out = folder.join("out");
    let output = generate(&[&file, "-o", &path(&out)]);
    assert_eq!(output.status, 1, "{output}");
    assert!(output.stdout.contains("covered: 33 of 33 branches"), "{output}");
    assert!(output.stdout.contains("errors: 1"), "{output}");
    assert!(output.stderr.contains("[error-reached]"), "{output}");
    let object = tests_of(&out);
    assert_eq!(object["coverage"]["branches"]["covered"], 33);
    assert_eq!(object["property"], "unreach-call");
    assert_eq!(object["uncovered"], Json::Array(Vec::new()));
    let tests = object["tests"].as_array().expect("a list");
    let last = tests.last().expect("a test");
    assert_eq!((&last["purpose"], &last["expected"]["end"]), (&"error".into(), &"failed".into()));
    assert_eq!(contents(&out).len(), tests.len() + 1);
    check_runs(&out, &file, &[]);
    // The same on standard output, and a second time only if asked for.
    let again = generate(&[&file, "-o", &path(&out), "--format", "json"]);
    assert_eq!(again.status, 3, "{again}");
    fs::write(out.join("999.in"), "# stale").expect("a file can be written");
    let again = generate(&[&file, "-o", &path(&out), "--format", "json", "--force"]);
    assert_eq!(again.status, 1, "{again}");
    let printed: Json = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(printed["tests"], object["tests"]);
    assert!(!out.join("999.in").exists());
}

#[test]
fn two_runs_give_the_same_folder() {
    let folder = folder("determinism");
    for (name, options) in [
        ("complete", &["--language", "microc", "--seed", "3"][..]),
        ("cut", &["--language", "microc", "--seed", "8", "--endless", "--input-range", "any"]),
        ("c", &["--language", "c", "--seed", "4"]),
    ] {
        let extension = if name == "c" { "c" } else { "uc" };
        let file = path(&folder.join(format!("{name}.{extension}")));
        let made = Loupe::new(["gen", "-o", &file]).args(options.iter().copied()).run();
        assert_eq!(made.status, 0, "{made}");
        let [first, second] = ["1", "2"].map(|number| {
            let out = folder.join(format!("{name}-{number}"));
            let output = generate(&[&file, "-o", &path(&out), "--max-paths", "40"]);
            assert!(output.status <= 2, "{output}");
            contents(&out)
        });
        assert!(first.len() > 2, "{name}: {} files", first.len());
        assert_eq!(first, second, "{name}");
    }
}

/// What `make check` says of a harness.
fn make_check(out: &Path) -> (bool, String) {
    let mut make = Command::new("make");
    let made = make.arg("-C").arg(out.join("harness")).arg("check").output().expect("make starts");
    let text = [made.stdout, made.stderr].concat();
    (made.status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// Generates tests, and has gcc's program judged by them; what gcov says of branches and lines.
fn harnessed(name: &str, files: &[String], options: &[&str]) -> String {
    let out = folder(&format!("{name}-out"));
    let mut arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let to = path(&out);
    arguments.extend(["-o", &to, "--harness"]);
    arguments.extend(options);
    let output = generate(&arguments);
    assert!(output.status <= 2, "{output}");
    let (passes, text) = make_check(&out);
    assert!(passes, "{name}: {text}");
    assert!(!text.contains("warning"), "{name}: {text}");
    let tests = tests_of(&out)["tests"].as_array().map_or(0, Vec::len);
    assert!(text.contains(&format!("tests: {tests} passed, 0 failed")), "{name}: {text}");
    assert!(text.contains("Lines executed:"), "{name}: {text}");
    text
}

fn judge_is_here() -> bool {
    let make = Command::new("make").arg("--version").output().is_ok();
    let both = make && gcc::can_judge(DataModel::Lp64);
    if !make {
        loupe_tests::tell("SKIPPED: no make");
    }
    both
}

fn corpus(name: &str) -> String {
    path(&loupe_tests::root().join("testgen").join(name))
}

#[test]
fn gcc_confirms_the_tests() {
    if !judge_is_here() {
        return;
    }
    for (name, files, options, branches) in [
        ("triangle", &["triangle.c"][..], &[][..], "Taken at least once:100.00% of 33"),
        // The library's `reach_error`, an assertion, an abort, an assumption.
        ("ends", &["ends.c"], &["--property", "no-errors"], "Taken at least once:100.00% of 8"),
        // All types of inputs, random numbers, the time.
        ("types", &["types.c"], &["--max-paths", "100"], "Taken at least once:100.00% of 28"),
        // Several files, a header in a folder, a macro.
        (
            "several",
            &["several/main.c", "several/part.c"],
            &["-I", "INCLUDE", "-D", "LIMIT=7"],
            "Taken at least once:100.00% of 2",
        ),
        // A loop without end, and a value that nobody has written.
        (
            "open",
            &["open.c"],
            &["--max-iterations", "50", "--max-steps", "100000"],
            "Branches executed:100.00% of 6",
        ),
    ] {
        let files: Vec<String> = files.iter().map(|file| corpus(file)).collect();
        let include = corpus("several/include");
        let options: Vec<&str> =
            options.iter().map(|o| if *o == "INCLUDE" { include.as_str() } else { o }).collect();
        let text = harnessed(name, &files, &options);
        assert!(text.contains(branches), "{name}: {text}");
    }
}

#[test]
fn gcc_confirms_the_tests_of_random_programs() {
    if !judge_is_here() {
        return;
    }
    for seed in ["1", "10", "16"] {
        let file = path(&folder(&format!("random-{seed}")).join("a program.c"));
        let made = Loupe::new(["gen", "--language", "c", "--seed", seed, "-o", &file]).run();
        assert_eq!(made.status, 0, "{made}");
        harnessed(&format!("random-{seed}-"), &[file], &["--max-paths", "100"]);
    }
}

#[test]
fn a_harness_for_the_other_data_model() {
    if !judge_is_here() {
        return;
    }
    let folder = folder("ilp32");
    let (file, binary) = (folder.join("empty.c"), folder.join("empty"));
    fs::write(&file, "#include <stdio.h>\nint main(void) { return 0; }\n").expect("a file");
    let mut gcc = Command::new("gcc");
    let tried = gcc.args(["-m32", "--coverage", "-o"]).args([&binary, &file]).output();
    if tried.is_ok_and(|output| output.status.success()) {
        harnessed(
            "types32",
            &[corpus("types.c")],
            &["--data-model", "ILP32", "--max-paths", "100"],
        );
    } else {
        loupe_tests::tell("SKIPPED: gcc has no 32-bit library here");
    }
    // The flag is there in any case.
    let out = folder.join("out");
    let output =
        generate(&[&corpus("triangle.c"), "-o", &path(&out), "--harness", "--data-model", "ILP32"]);
    assert_eq!(output.status, 1, "{output}");
    let makefile = fs::read_to_string(out.join("harness/Makefile")).expect("a makefile");
    assert!(makefile.contains("MODEL = -m32\n"), "{makefile}");
}

/// A harness that could not tell a wrong program from a right one would be of no use.
#[test]
fn the_harness_sees_what_is_different() {
    if !judge_is_here() {
        return;
    }
    let (folder, file) = program("different.c", TRIANGLE);
    let out = folder.join("out");
    let output = generate(&[&file, "-o", &path(&out), "--harness"]);
    assert_eq!(output.status, 1, "{output}");
    assert!(make_check(&out).0);
    for (right, wrong, message) in [
        ("return 3;", "return 5;", "expected exit:3, but this is exit:5"),
        ("\"%d\\n\"", "\"%x;\\n\"", "the output is another"),
        ("if (k == 24)", "if (k == 25)", "expected error, but this is exit:24"),
    ] {
        assert!(TRIANGLE.contains(right));
        fs::write(&file, TRIANGLE.replace(right, wrong)).expect("a file can be written");
        let (passes, text) = make_check(&out);
        assert!(!passes && text.contains(message), "{wrong}: {text}");
    }
}

#[test]
fn limits_and_bad_usage_are_told() {
    let (folder, file) = program("usage.c", "int f(void); int main(void) { return f(); }\n");
    let out = path(&folder.join("out"));
    let (_, microc) = program("usage2.uc", "main() { while (input != 7) { } return 0; }\n");
    for (arguments, status, message) in [
        (&[file.as_str()][..], 3, "--output"),
        (&[&file, "-o", &out, "--harness"], 3, "`f` is not defined"),
        (&[&file, "-o", "/dev/null/tests"], 3, "cannot make the folder"),
        (&[&file, "-o", &file], 3, "cannot make the folder"),
        (&[&file, "-o", &path(&folder)], 3, "is not empty; --force"),
        (&[&microc, "-o", &out, "--harness"], 3, "only C programs"),
        (&[&file, "-o", &out, "--harness", "--entry", "main"], 3, "must start in `main`"),
        (&["/nowhere.c", "-o", &out], 3, "there is no such file"),
        (&[&file, "-o", &out, "--search", "luck"], 3, "luck"),
        (&[&microc, "-o", &out, "--max-paths", "2"], 2, "covered: 2 of 2 branches"),
    ] {
        let output = generate(arguments);
        assert_eq!(output.status, status, "{arguments:?}: {output}");
        assert!(format!("{}{}", output.stdout, output.stderr).contains(message), "{output}");
    }
    // What is refused leaves nothing behind.
    assert!(!folder.join("out/harness").exists());
}
