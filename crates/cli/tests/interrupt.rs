//! A signal to the command gives what was found so far, and ends the worker too.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Has paths without end.
const ENDLESS: &str = "main() { var a; a = 0; while (input == a) { a = a + 1; } return 0; }";

/// An exploration that has been running for a while.
fn exploring(name: &str) -> Child {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, ENDLESS).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.arg("explore").arg(file).args(["--timeout", "100"]);
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    std::thread::sleep(Duration::from_secs(3));
    started.expect("the command starts")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal can be sent");
}

fn finished(child: Child) -> Output {
    child.wait_with_output().expect("the command ends")
}

#[test]
fn a_signal_to_the_command_alone_gives_the_partial_result() {
    for name in ["-INT", "-TERM"] {
        let child = exploring("interrupted.uc");
        signal(&child, name);
        let Output { status, stdout, stderr } = finished(child);
        let (text, messages) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert_eq!(status.code(), Some(2), "{name}: {messages}");
        assert!(text.contains("stopped: it was interrupted"), "{name}: {text}{messages}");
    }
}

/// Linux only: elsewhere there is nobody to ask.
#[test]
fn a_command_that_is_killed_leaves_no_worker() {
    let child = exploring("killed.uc");
    let tasks = format!("/proc/{0}/task/{0}/children", child.id());
    let workers = std::fs::read_to_string(tasks);
    signal(&child, "-KILL");
    let start = Instant::now();
    finished(child);
    let Ok(workers) = workers else { return };
    let worker = workers.split_whitespace().next().expect("there is a worker");
    let worker = PathBuf::from(format!("/proc/{worker}/status"));
    let lives = || {
        let status = std::fs::read_to_string(&worker).unwrap_or_default();
        status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
    };
    while lives() {
        assert!(start.elapsed() < Duration::from_secs(20), "the worker goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}
