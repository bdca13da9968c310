//! `loupe gen`: files, options, and gcc's opinion.

use loupe_tests::gcc::{self, DataModel};
use loupe_tests::process::{Finished, Loupe};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn generate(options: &[&str]) -> Finished {
    Loupe::new(["gen"]).args(options.iter().copied()).run()
}

/// A folder that only the test `name` uses, and that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("gen-{name}"));
    // It may be there from the last time.
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_first_line_generates_the_program_again() {
    for options in [
        &["--seed", "5"][..],
        &["--language", "c", "--seed", "9", "--input-range", "-3..1", "--max-inputs", "2"],
        &["--may-diverge", "--no-divisions", "--guaranteed-error", "--errors", "bounds,null"],
        &["--loops", "sequential,nested", "--error-rate", "0.01", "--max-statements", "200"],
        &["--like", "thesis", "--for-loop-probability", "0.5", "--max-block-depth", "5"],
        &[
            "--for-loop-probability",
            "0.5",
            "--while-loop-probability",
            "0.25",
            "--input-range",
            "any",
        ],
    ] {
        let output = generate(options);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{output}");
        let first = output.stdout.lines().next().unwrap_or_default();
        let command = first.strip_prefix("// loupe ").unwrap_or_else(|| panic!("{output}"));
        let again = Loupe::new(command.split(' ')).run();
        assert_eq!(again.stdout, output.stdout);
        for option in options {
            let usual = ["--language", "--seed"].contains(option);
            assert!(usual || first.contains(option), "{first} has no {option}");
        }
    }
}

#[test]
fn options_have_other_names() {
    let one = generate(&["--lang", "c", "--endless"]);
    let other = generate(&["--language", "c", "--may-diverge"]);
    assert_eq!((one.status, one.stdout), (0, other.stdout));
}

#[test]
fn bad_options_are_told() {
    for (options, message) in [
        (&["--for-loop-probability", "2"][..], "`2` is no probability"),
        (&["--input-range", "3"], "`3` is no range of inputs"),
        (&["--errors", "typo"], "`typo` is no kind of error"),
        (&["--loops", "square"], "`square` is no shape of loops"),
        (&["--error-rate", "x"], "`x` is no probability"),
        (&["--like", "thesis", "--lang", "c"], "microc programs"),
        (&["--count", "1", "-o", "/proc/nowhere"], "cannot make the folder"),
        (&["--max-block-depth", "31"], "max-block-depth must be from 0 to 30, not 31"),
        (&["--for-loop-probability", "1", "--while-loop-probability", "0.1"], "more than 1"),
        (&["--count", "3"], "--output"),
        (&["-o", "/nowhere/at/all.uc"], "cannot write"),
    ] {
        let output = generate(options);
        assert_eq!(output.status, 3, "{output}");
        assert!(output.stderr.contains(message), "{output}");
    }
}

#[test]
fn programs_go_to_files_that_run() {
    let folder = folder("files");
    let path = folder.display().to_string();
    let output = generate(&["--seed", "7", "--count", "3", "-o", &path]);
    assert_eq!((output.status, output.stdout.as_str()), (0, ""), "{output}");
    for seed in 7..10 {
        let file = folder.join(format!("{seed}.uc"));
        let text = fs::read_to_string(&file).expect("a program");
        assert_eq!(text, generate(&["--seed", &seed.to_string()]).stdout);
        let run = Loupe::new(["run".into(), file]).args(["--input", "1 2 3"]).run();
        assert!(run.status <= 1, "{run}");
    }
}

fn manifest(folder: &Path) -> Json {
    let text = fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    serde_json::from_str(&text).expect("JSON")
}

/// The inputs of a manifest, as `--input` takes them.
fn words(input: &Json) -> String {
    let numbers = input.as_array().expect("a list").iter().map(Json::to_string);
    numbers.collect::<Vec<_>>().join(" ")
}

/// That a run on these inputs fails at a place, in a function or in one that called another.
fn check_error(folder: &Path, program: &Json, error: &Json) {
    let run = program["run"].as_str().expect("a command").strip_prefix("loupe ");
    let run = run.expect("a command of loupe").split(' ');
    let output = Loupe::new(run)
        .directory(folder)
        .args(["--format", "json", "--color", "never", "--input", &words(&error["input"])])
        .run();
    assert_eq!(output.status, 1, "{error}: {output}");
    let report: Json = serde_json::from_str(&output.stdout).expect("JSON");
    let place = (&error["line"], &error["column"]);
    let calls = report["stack"].as_array().into_iter().flatten();
    let at = calls.map(|call| &call["at"]).chain([&report["error"]["at"]]);
    let places: Vec<_> = at.map(|at| (&at["line"], &at["column"])).collect();
    assert!(places.contains(&place), "{error}: {output}");
}

/// Each input of a manifest leads to the error that it is said to lead to, and what a run fails with is planted.
#[test]
fn manifests_say_what_runs_show() {
    for (name, options) in [
        ("errors", &["--error-probability", "0.3", "--guaranteed-error", "--count", "10"][..]),
        ("c-errors", &["--lang", "c", "--errors", "all", "--guaranteed-error", "--count", "10"]),
        (
            "rate",
            &[
                "--lang",
                "c",
                "--error-rate",
                "0.1",
                "--max-top-level-statements",
                "60",
                "--max-statements",
                "300",
                "--count",
                "6",
            ],
        ),
        ("thesis", &["--like", "thesis", "--guaranteed-error", "--count", "8"]),
    ] {
        let folder = folder(&format!("manifest-{name}"));
        let path = folder.display().to_string();
        let output = generate(&[options, &["-o", &path]].concat());
        assert_eq!(output.status, 0, "{output}");
        let manifest = manifest(&folder);
        let (mut met, mut unmet) = (0, 0);
        for program in manifest["programs"].as_array().expect("programs") {
            let file = folder.join(program["file"].as_str().expect("a name"));
            let text = fs::read_to_string(file).expect("a program");
            let command = program["command"].as_str().expect("a command");
            assert_eq!(text.lines().next(), Some(format!("// {command}").as_str()));
            for error in program["planted"].as_array().expect("errors") {
                if error["input"].is_null() {
                    unmet += 1;
                } else {
                    met += 1;
                    check_error(&folder, program, error);
                }
            }
            let others = program["not_planted"].as_array().expect("errors");
            assert!(name == "thesis" || others.is_empty(), "{program:#}");
            others.iter().for_each(|error| check_error(&folder, program, error));
            let cut_short = program["runs"]["cut_short"].as_u64();
            assert!(name == "thesis" || cut_short == Some(0), "{program:#}");
        }
        println!("{name}: {met} errors within reach, {unmet} perhaps not");
        assert!(met >= 3 && met * 8 > unmet, "{name}: {met}, {unmet}");
        // And the same another time.
        let first = fs::read(folder.join("manifest.json")).expect("a manifest");
        assert_eq!(generate(&[options, &["-o", &path]].concat()).status, 0);
        assert_eq!(first, fs::read(folder.join("manifest.json")).expect("a manifest"));
    }
}

#[test]
fn a_manifest_has_the_parameters() {
    let folder = folder("parameters");
    let path = folder.display().to_string();
    let options = ["--seed", "3", "--count", "2", "--loops", "periodic", "--no-divisions"];
    let output = generate(&[&options[..], &["-o", &path]].concat());
    assert_eq!(output.status, 0, "{output}");
    let manifest = manifest(&folder);
    assert_eq!(
        manifest["command"],
        "loupe gen --language microc --seed 3 --no-divisions --loops periodic --count 2 -o DIR"
    );
    let parameters = &manifest["parameters"];
    assert_eq!(
        (&parameters["loops"], &parameters["no-divisions"]),
        (&json!("periodic"), &json!(true))
    );
    assert_eq!(parameters["max-inputs"], 3);
    let seeds: Vec<_> = (manifest["programs"].as_array().expect("programs").iter())
        .map(|program| program["seed"].as_u64())
        .collect();
    assert_eq!(seeds, [Some(3), Some(4)]);
}

/// gcc has nothing to say about C programs, all warnings on.
#[test]
fn gcc_accepts_c_programs() {
    if !gcc::can_judge(DataModel::Lp64) {
        return;
    }
    for (name, options) in [
        ("usual", &["--count", "400"][..]),
        ("any-input", &["--count", "60", "--input-range", "any", "--errors", "all", "--endless"]),
        ("large", &["--count", "60", "--max-block-depth", "5", "--max-statements", "200"]),
        ("failing", &["--count", "60", "--guaranteed-error", "--input-range", "0..3"]),
        ("dense", &["--count", "30", "--error-rate", "0.05", "--max-top-level-statements", "60"]),
        ("shapes", &["--count", "60", "--loops", "nested", "--for-loop-probability", "0.5"]),
    ] {
        let folder = folder(name);
        let path = folder.display().to_string();
        let output = generate(&[&["--language", "c", "-o", &path], options].concat());
        assert_eq!(output.status, 0, "{output}");
        let mut command = Command::new("gcc");
        command.args(["-std=gnu11", "-Wall", "-Werror", "-fsyntax-only"]);
        let files = loupe_tests::files_below(&folder).into_iter();
        command.args(files.filter(|file| file.extension().is_some_and(|end| end == "c")));
        let judged = command.output().expect("gcc starts");
        assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stderr));
    }
}
