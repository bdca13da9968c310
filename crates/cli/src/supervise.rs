//! Work that may break is done by a second process, so that a crash costs the answer and not the command.
//!
//! Z3 is a large library in another language: it can run into a bad pointer, overflow its stack or eat all
//! memory, and no Rust code in the same process survives that. So a command that uses it starts itself
//! again as a *worker*, passes its messages through, keeps its output back until it has ended, and
//! says *unknown* with the reason if it died.
//!
//! The worker's standard input is a pipe that nothing is written to. It ends when the command wants the
//! worker to stop, and when the command itself is gone, however that came about: so a signal to the command
//! alone gives the partial result, and no worker is left behind.

use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tells the worker that it is one.
const WORKER: &str = "LOUPE_WORKER";
/// How often the worker is looked at.
const PERIOD: Duration = Duration::from_millis(5);
/// How long a worker may take beyond its time before it is asked to end.
const OVERTIME: Duration = Duration::from_secs(3);
/// How long a worker may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Whether this process is the worker of another.
pub(crate) fn is_worker() -> bool {
    std::env::var_os(WORKER).is_some()
}

type Action = Box<dyn Fn() + Send>;

/// What is done when the user wants an end. A command that does several things in turn has one for each.
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

fn stop_all() {
    let actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    for action in &*actions {
        action();
    }
}

/// Calls `stop` when the user wants an end, by Ctrl-C or by a signal to the command whose worker this is. A worker that does not
/// end then says the first `last_words` that there were: what it has found, from a thread that the solver does not hold up.
pub(crate) fn on_stop(
    stop: impl Fn() + Send + 'static,
    last_words: impl FnOnce() + Send + 'static,
) -> Result<(), Failed> {
    let is_first = {
        let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
        actions.push(Box::new(stop));
        actions.len() == 1
    };
    if !is_first {
        return Ok(());
    }
    ctrlc::set_handler(stop_all)
        .map_err(|error| Failed::internal(format!("cannot listen for Ctrl-C: {error}")))?;
    if is_worker() {
        std::thread::spawn(move || {
            // An error says as well that nobody is there any more.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            stop_all();
            // Whoever still waits for the result waits no longer than this.
            std::thread::sleep(GRACE / 2);
            last_words();
            std::process::exit(Status::Unknown as i32);
        });
    }
    Ok(())
}

/// Why a worker was ended from here.
enum Ended {
    Memory,
    Asked,
    Time,
}

/// What a worker may use. It obeys limits of its own; these are for when that fails.
pub(crate) struct Allowed {
    pub(crate) megabytes: u64,
    /// In all; none if it may take as long as it likes.
    pub(crate) seconds: Option<f64>,
}

/// Runs the same command in a worker. Where that comes to nothing, the result is made from the reason.
pub(crate) fn run(
    allowed: &Allowed,
    console: &Console,
    without: impl FnOnce(&str) -> Option<String>,
) -> Result<ExitCode, Failed> {
    let cannot = |what: &str, error: std::io::Error| Failed::internal(format!("{what}: {error}"));
    let program = std::env::current_exe().map_err(|e| cannot("cannot find the program", e))?;
    let asked = Arc::new(AtomicBool::new(false));
    let handle = Arc::clone(&asked);
    ctrlc::set_handler(move || handle.store(true, Ordering::Relaxed))
        .map_err(|error| Failed::internal(format!("cannot listen for Ctrl-C: {error}")))?;
    let mut worker = Command::new(program)
        .args(std::env::args_os().skip(1))
        .env(WORKER, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| cannot("cannot start a worker", e))?;
    let mut pipe = worker.stdout.take();
    let (closed, is_closed) = mpsc::channel();
    let output = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was written before a crash is all there is.
        let _ = pipe.as_mut().map(|pipe| pipe.read_to_end(&mut bytes));
        // Nobody listens any more if the worker was ended.
        let _ = closed.send(());
        bytes
    });
    let ended = wait(&mut worker, allowed, &asked, &is_closed);
    let status = worker.wait().map_err(|e| cannot("cannot wait for the worker", e))?;
    let output = output.join().unwrap_or_default();
    if !output.is_empty() {
        write_result(&String::from_utf8_lossy(&output), None)?;
    }
    // A worker that was asked to end and had nothing to say has come to nothing too.
    if let Some(code) = status.code()
        && (ended.is_none() || !output.is_empty())
    {
        return Ok(ExitCode::from(u8::try_from(code).unwrap_or(Status::Internal as u8)));
    }
    let why = match ended {
        Some(Ended::Memory) => "the solver used too much memory".to_owned(),
        Some(Ended::Asked) => "interrupted".to_owned(),
        Some(Ended::Time) => "the time is over, and the solver did not stop".to_owned(),
        None => {
            let signal = status.signal().unwrap_or(0);
            format!("the solver library crashed (signal {signal})")
        }
    };
    console.note(&format!("unknown: {why}"));
    if output.is_empty()
        && let Some(result) = without(&why)
    {
        write_result(&result, None)?;
    }
    Ok(Status::Unknown.into())
}

/// Waits for the worker's end, and brings it about where that is needed.
fn wait(
    worker: &mut Child,
    allowed: &Allowed,
    asked: &AtomicBool,
    is_closed: &mpsc::Receiver<()>,
) -> Option<Ended> {
    let start = Instant::now();
    let mut since: Option<Instant> = None;
    let Allowed { megabytes, seconds } = *allowed;
    let most = megabytes.saturating_add(megabytes / 2).saturating_add(512);
    let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let longest = seconds.and_then(|time| time.checked_add(OVERTIME));
    let mut leash = worker.stdin.take();
    let mut asked_to_end = None;
    while let Ok(None) = worker.try_wait() {
        if resident_megabytes(worker.id()).is_some_and(|used| used > most) {
            let _ = worker.kill();
            return Some(Ended::Memory);
        }
        let is_late = longest.is_some_and(|longest| start.elapsed() > longest);
        if asked.load(Ordering::Relaxed) || is_late {
            // The terminal may have told the worker too; it ends by itself with what it has.
            drop(leash.take());
            let why = if is_late { Ended::Time } else { Ended::Asked };
            if since.get_or_insert_with(Instant::now).elapsed() > GRACE {
                let _ = worker.kill();
                return Some(why);
            }
            asked_to_end = Some(why);
        }
        // The end of its output is its end, and known at once.
        if is_closed.recv_timeout(PERIOD).is_ok() {
            break;
        }
    }
    asked_to_end
}

/// How much memory a process has; nothing if that cannot be told.
fn resident_megabytes(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}
