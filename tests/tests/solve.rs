//! `loupe solve`: answers, limits, errors, other solvers, and a solver library that dies.

use loupe_tests::process::{Finished, Loupe, binary};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A query that no solver answers: Fermat's equation for cubes.
const HARD: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (> x 0))(assert (> y 0))(assert (> z 0))
(assert (= (+ (* x x x) (* y y y)) (* z z z)))
(check-sat)
";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("a folder for tests");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn solve(query: &std::path::Path, options: &[&str]) -> Finished {
    let mut words = vec!["solve".into(), query.as_os_str().to_owned()];
    words.extend(options.iter().map(|option| (*option).into()));
    Loupe::new(words).run()
}

#[test]
fn scopes_models_and_cores() {
    let query = file(
        "scopes.smt2",
        "(declare-const a (Array Int Int))(declare-const p Bool)(declare-const i Int)
(push 1)(assert (= (select a i) 7))(assert (= i 3))(assert p)(check-sat)(pop 1)
(assert (< i 2))(assert (or p (> i 0)))(assert (> i 5))(check-sat)
",
    );
    let output = solve(&query, &[]);
    assert_eq!(
        output.stdout,
        "sat\n  a = [3: 7, else 0]\n  i = 3\n  p = true\nunsat\n  i <= 1\n  i >= 6\n"
    );
    assert_eq!(output.status, 0);
    let output = solve(&query, &["--format", "json", "--stats"]);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("one object");
    assert_eq!(json["answers"][0]["model"]["i"], "3");
    assert_eq!(json["answers"][1]["answer"], "unsat");
}

#[test]
fn every_link_can_be_left_out() {
    let query = file("links.smt2", "(declare-const x Int)(assert (> x 4))(check-sat)");
    let output = solve(&query, &["--stats"]);
    for link in ["quantifiers", "split", "cache", "linear", "simplify", "ranges"] {
        assert!(output.stdout.contains(link), "{output}");
        let output = solve(&query, &["--stats", "--without", link]);
        assert!(output.stdout.starts_with("sat\n  x = "), "{output}");
        assert!(!output.stdout.contains(link), "{output}");
    }
}

#[test]
fn limits_end_as_unknown() {
    let query = file("limits.smt2", HARD);
    for (options, reason) in [
        (["--work", "20000"], "budget of work"),
        (["--timeout", "0.2"], "time is over"),
        (["--max-memory", "1"], "memory limit"),
    ] {
        let output = solve(&query, &options);
        assert_eq!(output.status, 2, "{output}");
        assert!(output.stdout.starts_with("unknown: "), "{output}");
        assert!(output.stdout.contains(reason), "{output}");
    }
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let query = file("mistake.smt2", "(declare-const b Bool)\n(assert (+ b 1))\n");
    let output = solve(&query, &[]);
    assert_eq!(output.status, 3);
    assert!(output.stderr.contains("mistake.smt2:2:12"), "{output}");
    assert!(output.stderr.contains("expected a term of sort Int"), "{output}");
    let query = file("good.smt2", "(check-sat)");
    for options in [
        &["--without", "nonsense"][..],
        &["--solver-cmd", "no-such-solver", "--cross-check", "--without", "linear,cache"],
        &["--solver-cmd", "an 'open quote"],
        &["--log", "/no/such/folder/log"],
        &["--cross-check"],
    ] {
        let output = solve(&query, options);
        assert_eq!(output.status, 3, "{options:?}: {output}");
        assert!(!output.stderr.is_empty(), "{options:?}");
    }
}

#[test]
fn a_log_can_be_put_to_the_solver_again() {
    let query = file(
        "logged.smt2",
        "(declare-const x Int)(assert (> (* x x) 50))(check-sat)(assert (< x 8))(assert (> x (- 8)))
(check-sat)",
    );
    let log = query.with_extension("log");
    let output = solve(&query, &["--log", &log.to_string_lossy()]);
    assert_eq!(output.status, 0, "{output}");
    let text = fs::read_to_string(&log).expect("a log");
    assert_eq!(text.matches(";; answer ").count(), 2, "{text}");
    let again = solve(&log, &[]);
    assert_eq!(again.stdout.matches("sat\n").count(), 2, "{again}");
    assert!(again.stdout.contains("unsat\n"), "{again}");
}

/// A solver that says the opposite of everything, and others that do not work.
#[test]
fn another_solver_is_asked() {
    let query = file("other.smt2", "(declare-const x Int)(assert (= (* x x) 49))(check-sat)");
    let hard = file("other-hard.smt2", HARD);
    let liar = "sh -c 'while read line; do case \"$line\" in *loupe-done*) echo unsat; echo loupe-done;; esac; done'";
    let output = solve(&query, &["--solver-cmd", liar, "--cross-check"]);
    assert_eq!(output.status, 4, "{output}");
    assert!(output.stderr.contains("disagree"), "{output}");
    // Asked only where Z3 does not know.
    let output = solve(&query, &["--solver-cmd", liar]);
    assert!(output.stdout.starts_with("sat\n"), "{output}");
    let output = solve(&hard, &["--solver-cmd", liar, "--work", "20000"]);
    assert!(output.stdout.starts_with("unsat\n"), "{output}");
    for broken in ["true", "sh -c 'echo nonsense; exit 1'", "sh -c 'cat > /dev/null'"] {
        let options = ["--solver-cmd", broken, "--work", "20000", "--timeout", "1"];
        let output = solve(&hard, &options);
        assert_eq!(output.status, 2, "{broken}: {output}");
        assert!(output.stdout.starts_with("unknown: "), "{broken}: {output}");
    }
}

/// The process that a process has started.
fn child_of(parent: u32) -> Option<u32> {
    let processes = fs::read_dir("/proc").ok()?;
    processes.filter_map(Result::ok).find_map(|entry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // Behind the name, which may have spaces: the state and the parent.
        let (_, rest) = stat.rsplit_once(')')?;
        let found: u32 = rest.split_whitespace().nth(1)?.parse().ok()?;
        (found == parent).then_some(number)
    })
}

/// Starts a command that goes on for long, and sends its worker a signal; what came of it.
fn signalled(arguments: &[&str], signal: &str) -> std::process::Output {
    let command = Command::new(binary())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("loupe starts");
    let start = Instant::now();
    let worker = loop {
        if let Some(worker) = child_of(command.id()) {
            break worker;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "there is no worker");
        std::thread::sleep(Duration::from_millis(10));
    };
    std::thread::sleep(Duration::from_millis(300));
    let sent = Command::new("kill").args([signal, &worker.to_string()]).status();
    assert!(sent.expect("kill runs").success());
    command.wait_with_output().expect("loupe ends")
}

#[test]
fn a_crash_of_the_solver_is_survived() {
    let query = file("crash.smt2", HARD);
    let query = query.to_str().expect("a plain name");
    let options = ["--work", "100000000000", "--timeout", "50"];
    let output = signalled(&[&["solve", query][..], &options].concat(), "-ABRT");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the solver library crashed (signal 6)"), "{message}");
}

#[test]
fn a_solver_that_does_not_stop_is_stopped() {
    let text = "main() { var x, n; n = input; x = 0; while (x != n) { x = x + 1; } return x; }";
    let program = file("stops.uc", text);
    let program = program.to_str().expect("a plain name");
    // A process that is held does not obey its own limits.
    let options = ["--loops", "unroll", "--timeout", "2", "--format", "json"];
    let output = signalled(&[&["verify", program][..], &options].concat(), "-STOP");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the time is over, and the solver did not stop"), "{message}");
    // A verdict all the same.
    let json = String::from_utf8_lossy(&output.stdout);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["verdict"], "unknown", "{json}");
    assert_eq!(json["property"], "no-errors", "{json}");
    assert!(json["reasons"][0].as_str().is_some_and(|why| why.contains("did not stop")), "{json}");
}
