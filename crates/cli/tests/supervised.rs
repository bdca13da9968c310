//! What becomes of `loupe verify` when its worker dies, and when somebody wants it to stop: always a proper answer, a documented status, and no process that is left behind.
//!
//! Linux only: the processes are found in `/proc`, and where there is none, nothing is tested.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Execution finds no end here; invariants prove it safe.
const DIVIDED: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) { unsigned x = 1, y = 2, n = 0, m = 0;
  while (__VERIFIER_nondet_int()) {
    x = x + y; y = y + 3 * x + __VERIFIER_nondet_int();
    if (n + m < 10) { if (x > y) n++; else m++; }
    if (x > 10000) x = 0; }
  if (n + m > 10) reach_error(); return 0; }";

/// A program that only one test uses: its name tells its processes.
fn program(name: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, DIVIDED).expect("a file can be written");
    file
}

fn verifying(file: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.arg("verify").arg(file).args(["--format", "json"]).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts")
}

fn signal(process: u32, name: &str) {
    // It may have ended meanwhile.
    let _ = Command::new("kill").args([name, &process.to_string()]).stderr(Stdio::null()).status();
}

fn worker(command: &Child) -> Option<u32> {
    let children = format!("/proc/{0}/task/{0}/children", command.id());
    std::fs::read_to_string(children).ok()?.split_whitespace().next()?.parse().ok()
}

/// How long a process has had a processor, in hundredths of a second.
fn worked(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, behind_name) = text.rsplit_once(')')?;
    let times = behind_name.split_whitespace().skip(11).take(2);
    Some(times.filter_map(|time| time.parse::<u64>().ok()).sum())
}

/// Sends a signal to the worker once it has worked so long; whether that came.
fn end_worker(command: &mut Child, hundredths: u64, name: &str) -> bool {
    while let Ok(None) = command.try_wait() {
        if let Some(worker) = worker(command)
            && worked(worker).is_some_and(|worked| worked >= hundredths)
        {
            signal(worker, name);
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

struct Answer {
    status: Option<i32>,
    verdict: String,
    reasons: String,
    messages: String,
}

/// What the command says in the end, which must be one JSON object that goes with its status.
fn answer(command: Child) -> Answer {
    let Output { status, stdout, stderr } = command.wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&stderr).into_owned();
    let text = String::from_utf8_lossy(&stdout);
    let report: Json = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {status:?}\n{text}\n{messages}"));
    let verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
    let expected = match verdict.as_str() {
        "safe" => 0,
        "unsafe" => 1,
        _ => 2,
    };
    assert_eq!(status.code(), Some(expected), "{text}{messages}");
    Answer { status: status.code(), verdict, reasons: report["reasons"].to_string(), messages }
}

/// Nobody works on a file any more.
fn assert_nobody_is_left(file: &Path) {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let start = Instant::now();
    let works = |entry: std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(name)
    };
    let anybody =
        || std::fs::read_dir("/proc").is_ok_and(|mut all| all.any(|e| e.is_ok_and(works)));
    while anybody() {
        assert!(start.elapsed() < Duration::from_secs(20), "somebody works on {name}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn has_proc() -> bool {
    Path::new("/proc/self/stat").exists()
}

#[test]
fn a_worker_that_dies_leaves_an_answer() {
    if !has_proc() {
        return;
    }
    let file = program("worker-dies.c");
    // Not -SEGV: Rust's handler takes the first one for a fault that comes again at once.
    for name in ["-ILL", "-KILL", "-ABRT"] {
        // The only member dies with the worker.
        let arguments = ["--members", "execution", "--timeout", "30"];
        let mut command = verifying(&file, &arguments);
        assert!(end_worker(&mut command, 30, name), "{name}: it ended before");
        let Answer { status, verdict, reasons, messages } = answer(command);
        assert_eq!((status, verdict.as_str()), (Some(2), "unknown"), "{name}: {messages}");
        assert!(reasons.contains("the solver library crashed (signal"), "{name}: {reasons}");
        assert!(reasons.contains("during execution"), "{name}: {reasons}");
    }
    assert_nobody_is_left(&file);
}

#[test]
fn what_the_dead_worker_was_not_at_goes_on() {
    if !has_proc() {
        return;
    }
    let file = program("goes-on.c");
    let mut resumed = 0;
    // Earlier and later: somewhere in between, one member has begun and the other has not ended.
    for hundredths in [2, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 35] {
        let arguments = ["--members", "execution,invariants", "--jobs", "1", "--timeout", "30"];
        let mut command = verifying(&file, &arguments);
        end_worker(&mut command, hundredths, "-ABRT");
        let Answer { verdict, messages, .. } = answer(command);
        assert_ne!(verdict, "unsafe", "{messages}");
        let is_resumed = messages.contains("during execution; going on without");
        assert!(!is_resumed || verdict == "safe", "{messages}");
        resumed += usize::from(is_resumed);
    }
    assert!(resumed > 0, "no worker died during execution");
    assert_nobody_is_left(&file);
}

#[test]
fn a_second_death_is_survived_too() {
    if !has_proc() {
        return;
    }
    let file = program("dies-twice.c");
    let mut command = verifying(&file, &["--members", "execution,unrolling", "--timeout", "30"]);
    assert!(end_worker(&mut command, 40, "-KILL"));
    std::thread::sleep(Duration::from_millis(100));
    end_worker(&mut command, 40, "-KILL");
    let Answer { verdict, reasons, .. } = answer(command);
    assert_eq!(verdict, "unknown");
    assert!(reasons.contains("crashed (signal 9) during"), "{reasons}");
    assert_nobody_is_left(&file);
}

#[test]
fn a_signal_at_any_moment_ends_it_properly() {
    if !has_proc() {
        return;
    }
    let file = program("any-moment.c");
    for (number, milliseconds) in [0, 5, 15, 30, 60, 90, 140, 200, 350, 600].into_iter().enumerate()
    {
        let name = if number % 2 == 0 { "-INT" } else { "-TERM" };
        let command = verifying(&file, &["--members", "execution,unrolling", "--timeout", "60"]);
        std::thread::sleep(Duration::from_millis(milliseconds));
        signal(command.id(), name);
        let start = Instant::now();
        let output = command.wait_with_output().expect("it ends");
        assert!(start.elapsed() < Duration::from_secs(30), "{name} after {milliseconds} ms");
        let text = String::from_utf8_lossy(&output.stdout);
        match output.status.code() {
            // Before it listens, a signal ends it as any program.
            None => assert_eq!(text, "", "{name} after {milliseconds} ms"),
            Some(code) => {
                let messages = String::from_utf8_lossy(&output.stderr);
                assert_eq!(code, 2, "{name} after {milliseconds} ms: {text}{messages}");
                let report: Json = serde_json::from_str(&text).expect("a JSON object");
                assert_eq!(report["verdict"], "unknown");
                assert_ne!(report["reasons"], serde_json::json!([]));
            }
        }
    }
    assert_nobody_is_left(&file);
}

#[test]
fn a_signal_leaves_no_half_written_file() {
    let file = program("half-written.c");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("half-written");
    let mut written = 0;
    for milliseconds in [0, 40, 120, 300, 600, 900] {
        let _ = std::fs::remove_dir_all(&folder);
        let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
        command.args(["test", "--timeout", "60", "-o"]).arg(&folder).arg(&file);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(milliseconds));
        signal(command.id(), "-INT");
        command.wait_with_output().expect("it ends");
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            assert!(!name.starts_with('.'), "{name} is a draft");
            if path.extension().is_some_and(|kind| kind == "in") {
                let mut run = Command::new(env!("CARGO_BIN_EXE_loupe"));
                run.arg("run").arg(&file).arg("--input-file").arg(&path);
                run.args(["--max-steps", "100000"]);
                let run = run.output().expect("it runs");
                let messages = String::from_utf8_lossy(&run.stderr);
                assert_ne!(run.status.code(), Some(3), "{name}: {messages}");
                written += 1;
            }
        }
    }
    println!("{written} tests were written before signals");
    assert_nobody_is_left(&file);
}

/// Whatever is promised of reports.
const KEYS: [&str; 13] = [
    "file",
    "property",
    "verdict",
    "reasons",
    "obstacles",
    "violation",
    "violations",
    "assumptions",
    "loops",
    "invariants",
    "stats",
    "member",
    "members",
];

#[test]
fn a_worker_that_stands_still_is_reported_in_full() {
    if !has_proc() {
        return;
    }
    let file = program("stands-still.c");
    let start = Instant::now();
    let mut command = verifying(&file, &["--members", "execution,unrolling", "--timeout", "1"]);
    assert!(end_worker(&mut command, 20, "-STOP"));
    let output = command.wait_with_output().expect("it ends");
    assert!(start.elapsed() < Duration::from_secs(15));
    let report: Json = serde_json::from_slice(&output.stdout).expect("a JSON object");
    assert_eq!(report["verdict"], "unknown");
    for key in KEYS {
        assert!(report.get(key).is_some(), "{key}: {report:#}");
    }
    // How long it took, not how long it might have.
    assert!(report["stats"]["seconds"].as_f64().is_some_and(|seconds| seconds > 2.0));
    assert_nobody_is_left(&file);
}

#[test]
fn what_was_found_is_reported_when_the_time_is_over() {
    let file = program("time-is-over.c");
    let command = verifying(&file, &["--members", "execution,unrolling", "--timeout", "0.5"]);
    let output = command.wait_with_output().expect("it ends");
    let report: Json = serde_json::from_slice(&output.stdout).expect("a JSON object");
    assert_eq!(report["verdict"], "unknown");
    for key in KEYS {
        assert!(report.get(key).is_some(), "{key}: {report:#}");
    }
    let members = report["members"].as_array().expect("a list");
    assert!(report["stats"]["states"].as_u64().is_some_and(|states| states > 0), "{members:?}");
}
