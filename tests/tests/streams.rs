//! Pipes, signals and typing: what happens between Loupe and the world while a program runs.
#![cfg(unix)]

use loupe_tests::process::{Finished, Loupe, finish};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

/// A process that runs a program.
struct Running {
    child: Child,
    start: Instant,
}

/// Starts a program that only the test `name` uses.
fn start(name: &str, program: &str, arguments: &[&str]) -> Running {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.uc"));
    fs::write(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let call = Loupe::new(["run".into(), path]).args(arguments);
    let mut command = call.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Running { child: command.spawn().expect("loupe starts"), start: Instant::now() }
}

impl Running {
    fn stdout(&mut self) -> BufReader<ChildStdout> {
        BufReader::new(self.child.stdout.take().expect("it is a pipe"))
    }

    fn type_line(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().expect("it is a pipe");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("it reads");
    }

    /// As Ctrl-C does.
    fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the signal can be sent");
    }

    /// Waits for its end, without more input.
    fn finish(mut self) -> Finished {
        drop(self.child.stdin.take());
        self.finish_while_open()
    }

    fn finish_while_open(self) -> Finished {
        // `finish` keeps standard input open until the end.
        finish(self.child, self.start).expect("it ends in time")
    }
}

fn read_line(stdout: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).expect("a line comes");
    line
}

const COUNT: &str = "main() { var i; i = 0; while (1) { output i; i = i + 1; } return 0; }";
const IDLE: &str = "main() { output 1; output 2; while (1) { } return 0; }";

/// `loupe run … > /dev/full`
#[test]
#[cfg(target_os = "linux")]
fn output_that_is_lost_is_an_error() {
    for program in [COUNT, "main() { output 1; return 0; }"] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lost.uc");
        fs::write(&path, program).expect("a temporary file");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let mut command = Loupe::new(["run".into(), path]).command();
        let output = command.stdin(Stdio::null()).stdout(full).output().expect("loupe starts");
        assert_eq!(output.status.code(), Some(3));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("cannot write to standard output"), "{text}");
    }
}

/// `loupe run … | head -1`
#[test]
fn output_that_is_closed_early_is_no_error() {
    let mut run = start("closed-early", COUNT, &[]);
    let mut stdout = run.stdout();
    assert_eq!(read_line(&mut stdout), "0\n");
    drop(stdout);
    let run = run.finish();
    assert_eq!(run.status, 0, "{run}");
}

#[test]
fn output_that_is_closed_before_the_end_is_no_error() {
    for command in ["run", "cfg", "ast"] {
        let call = Loupe::new([command, "programs/run/pass/sort.uc"]);
        let mut child = call.command();
        child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("loupe starts");
        drop(child.stdout.take());
        let run = finish(child, Instant::now()).expect("it ends");
        assert_eq!(run.status, 0, "{call}\n{run}");
    }
}

#[test]
fn an_interrupt_ends_a_loop_and_keeps_its_output() {
    let run = start("interrupt", IDLE, &[]);
    // Nothing says when the loop has started; an interrupt before that must work as well, once the
    // program has been read.
    std::thread::sleep(std::time::Duration::from_millis(500));
    run.interrupt();
    let run = run.finish();
    assert_eq!((run.status, run.stdout.as_str()), (2, "1\n2\n"), "{run}");
    assert!(run.stderr.starts_with("error: stopped: interrupted"), "{run}");
    assert!(run.stderr.contains("interrupt.uc:1:"), "it says where: {run}");
}

#[test]
fn an_interrupt_ends_endless_output() {
    let mut run = start("interrupt-output", COUNT, &[]);
    let mut stdout = run.stdout();
    assert_eq!(read_line(&mut stdout), "0\n");
    run.interrupt();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("numbers");
    assert!(rest.ends_with('\n'), "the last number is whole");
    let run = run.finish();
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn an_interrupt_ends_waiting_for_input() {
    let mut run = start("interrupt-input", "main() { output 5; return input; }", &[]);
    let mut stdout = run.stdout();
    assert_eq!(read_line(&mut stdout), "5\n");
    run.interrupt();
    let run = run.finish_while_open();
    assert_eq!(run.status, 2, "{run}");
    assert!(run.stderr.contains("interrupted"), "{run}");
}

#[test]
fn an_interrupt_leaves_whole_json() {
    let run = start("interrupt-json", IDLE, &["--format", "json"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    run.interrupt();
    let run = run.finish();
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.status, &json["end"]), (2, &"limit".into()), "{run}");
    assert_eq!(json["output"], serde_json::json!([1, 2]));
}

/// Who types sees the answer to each line before typing the next one.
#[test]
fn input_can_be_typed() {
    let program =
        "main() { var x; x = input; while (x != -1) { output x * x; x = input; } return 0; }";
    let mut run = start("typed", program, &[]);
    let mut stdout = run.stdout();
    for (typed, answers) in
        [("3", &["9"][..]), ("", &[]), ("4 5", &["16", "25"]), ("6 x2", &["36", "36"])]
    {
        run.type_line(typed);
        for answer in answers {
            assert_eq!(read_line(&mut stdout), format!("{answer}\n"));
        }
    }
    let run = run.finish();
    assert_eq!((run.status, run.stderr.as_str()), (0, "result: 0\n"), "{run}");
}

#[test]
fn characters_can_be_typed() {
    let program =
        "main() { var c; c = input; while (c != -1) { output c + 1; c = input; } return 0; }";
    let run = Loupe::new(["run", "--lang", "microc", "--ascii"]);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("characters.uc");
    fs::write(&path, program).expect("a file");
    let run = run.args([path]).input("HAL").run();
    assert_eq!((run.status, run.stdout.as_str()), (0, "IBM"), "{run}");
}

#[test]
fn nothing_is_read_that_the_program_does_not_want() {
    let run = start("unread", "main() { return 3; }", &[]);
    let run = run.finish_while_open();
    assert_eq!((run.status, run.stderr.as_str()), (0, "result: 3\n"), "{run}");
}

#[test]
fn a_long_input_is_no_problem() {
    let program = "main() { var n, x; n = 0; x = input; while (x != -1) { n = n + x; x = input; } return n; }";
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long-input.uc");
    fs::write(&path, program).expect("a file");
    let run = Loupe::new(["run".into(), path.clone()]).input("1 ".repeat(300_000)).run();
    assert_eq!(run.stderr, "result: 300000\n");
    let run = Loupe::new(["run".into(), path]).args(["--input", "2 x300000"]).run();
    assert_eq!(run.stderr, "result: 600000\n");
}

#[test]
fn times_are_told_on_request() {
    let call = Loupe::new(["run", "programs/run/pass/sort.uc", "--input", "", "--time"]);
    let run = call.run();
    assert!(run.stderr.contains("\ntime: ") && run.stderr.ends_with(" steps\n"), "{run}");
    let run = call.args(["--format", "json"]).run();
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(json["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{run}");
}

#[test]
fn results_go_to_a_file_on_request() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("written.json");
    let program = "programs/run/pass/sort.uc";
    let printed = Loupe::new(["ast", program]).run();
    let written = Loupe::new(["ast", program, "-o"]).args([&path]).run();
    assert_eq!((written.status, written.stdout.as_str()), (0, ""), "{written}");
    assert_eq!(fs::read_to_string(&path).expect("it was written"), printed.stdout);
}

#[test]
fn colour_is_for_terminals_and_on_request() {
    let call = |colour: &[&str]| {
        Loupe::new(["run", "programs/run/fail/index-negative.uc"]).args(colour).run().stderr
    };
    assert!(!call(&[]).contains('\u{1b}'));
    assert!(!call(&["--color", "never"]).contains('\u{1b}'));
    assert!(call(&["--color", "always"]).contains('\u{1b}'));
}
