//! `loupe gen`: files, options, and gcc's opinion.

use loupe_tests::gcc::{self, DataModel};
use loupe_tests::process::{Finished, Loupe};
use std::fs;
use std::path::PathBuf;
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
        &["--endless", "--no-divisions", "--guaranteed-error", "--errors", "bounds,null"],
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
fn bad_options_are_told() {
    for (options, message) in [
        (&["--for-loop-probability", "2"][..], "`2` is no probability"),
        (&["--input-range", "3"], "`3` is no range of inputs"),
        (&["--errors", "typo"], "`typo` is no kind of error"),
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
    ] {
        let folder = folder(name);
        let path = folder.display().to_string();
        let output = generate(&[&["--language", "c", "-o", &path], options].concat());
        assert_eq!(output.status, 0, "{output}");
        let mut command = Command::new("gcc");
        command.args(["-std=gnu11", "-Wall", "-Werror", "-fsyntax-only"]);
        command.args(loupe_tests::files_below(&folder));
        let judged = command.output().expect("gcc starts");
        assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stderr));
    }
}
