//! Work that may break is done by a second process, so that a crash costs the answer and not the command.
//!
//! Z3 is a large library in another language: it can run into a bad pointer, overflow its stack or eat all
//! memory, and no Rust code in the same process survives that. So a command that uses it starts itself
//! again as a *worker*, passes its messages through, keeps its output back until it has ended, and
//! says *unknown* with the reason if it died. A worker that says who is at work (`say`) loses less: those who
//! were when it died are left out, and another worker goes on with the others in the time that is left.
//!
//! The worker's standard input is a socket. What the worker says goes through it to the command: who is at work, messages for the user, and that its result is complete, in case that the library does not let it end.
//! Its standard error is the library's (and that of whoever panics): it is kept back, and shown only where Loupe is broken or `LOUPE_LIBRARY_MESSAGES` is set. In the other
//! direction nothing is written, and it ends when the command wants the worker to stop, and when the command itself is gone, however that came about: so a signal to the command
//! alone gives the partial result, and no worker is left behind.

use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Tells the worker that it is one.
const WORKER: &str = "LOUPE_WORKER";
/// Tells it whether the command writes to a terminal.
const TERMINAL: &str = "LOUPE_WORKER_TERMINAL";
/// Tells it whether messages go to one.
const MESSAGES: &str = "LOUPE_WORKER_MESSAGES";
/// The user wants to see what the solver library writes.
const LIBRARY: &str = "LOUPE_LIBRARY_MESSAGES";
/// Tells a command that whoever has started it holds its standard input, and wants it to end when that does: `loupe bench` leaves nobody behind, however it ends itself.
pub(crate) const LEASH: &str = "LOUPE_LEASH";
/// More than this of it is not kept.
const MOST_KEPT: u64 = 1 << 16;
/// What a worker says begins so if it is a message, or the end of the result.
const MESSAGE: char = '!';
const RESULT: char = '=';
/// Tells it which part of the command is its own, and how many seconds that has.
const PART: &str = "LOUPE_WORKER_PART";
/// Tell a worker who was at work when those before it died, how that was, and how much time is left.
const LEFT_OUT: &str = "LOUPE_WORKER_LEFT_OUT";
const WHY: &str = "LOUPE_WORKER_WHY";
const SECONDS: &str = "LOUPE_WORKER_SECONDS";
/// With less time than this, no other worker is started.
const LEAST_SECONDS: f64 = 0.2;
/// How often the worker is looked at.
const PERIOD: Duration = Duration::from_millis(5);
/// How long a worker may take beyond its time before it is asked to end.
const OVERTIME: Duration = Duration::from_secs(2);
/// How long a worker may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Whether this process is the worker of another.
pub(crate) fn is_worker() -> bool {
    std::env::var_os(WORKER).is_some()
}

/// Whether results end up on a terminal.
pub(crate) fn writes_to_terminal() -> bool {
    match is_worker() {
        true => std::env::var_os(TERMINAL).is_some(),
        false => std::io::stdout().is_terminal(),
    }
}

/// Whether messages end up on a terminal.
pub(crate) fn has_terminal_for_messages() -> bool {
    match is_worker() {
        true => std::env::var_os(MESSAGES).is_some(),
        false => std::io::stderr().is_terminal(),
    }
}

/// A message for the user, as it is to be written.
pub(crate) fn tell(text: &str) {
    // There is nobody to tell if standard error is gone.
    match is_worker() {
        // In one line, whatever is in it.
        true => say_line(&format!("{MESSAGE}{}", Json::from(text))),
        false => drop(std::io::stderr().write_all(text.as_bytes())),
    }
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

/// The result was written: nothing that still goes on in this process matters, and it need not end by itself.
pub(crate) fn leave(status: Status) -> ! {
    if !is_worker() {
        std::process::exit(status as i32);
    }
    say_line(&format!("{RESULT}{}", status as u8));
    loop {
        std::thread::park();
    }
}

/// Why a worker was ended from here.
enum Ended {
    Memory,
    Asked,
    Time,
    /// Its result is complete, with this status.
    Left(u8),
}

/// What a worker may use. It obeys limits of its own; these are for when that fails.
#[derive(Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) megabytes: u64,
    /// In all; none if it may take as long as it likes.
    pub(crate) seconds: Option<f64>,
}

/// What is done when a worker dies.
pub(crate) enum Recovery<'a> {
    /// What it has written is all there is.
    None,
    /// Nothing is left but to say so.
    Say(&'a dyn Fn(&str) -> String),
    /// Whoever was at work then is left out in another worker, and if nobody was, this is the result.
    LeaveOut(&'a dyn Fn(&str) -> String),
}

/// The part of a command that does several things in turn which a worker is to do.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// Which of them.
    pub(crate) number: usize,
    /// In so many seconds.
    pub(crate) seconds: f64,
}

impl Share {
    /// The part that is this worker's; nothing if the command does one thing only.
    pub(crate) fn of_worker() -> Option<Share> {
        let text = std::env::var(PART).ok().filter(|_| is_worker())?;
        let (number, seconds) = text.split_once(' ')?;
        Some(Share { number: number.parse().ok()?, seconds: seconds.parse().ok()? })
    }
}

/// What a worker has come to.
pub(crate) struct Worked {
    /// What it has written, or what was made from the reason why it came to nothing.
    pub(crate) output: String,
    pub(crate) status: u8,
}

/// Whether the user wants an end.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on signals are noticed; there is one of these for a process.
    pub(crate) fn listen() -> Result<Stop, Failed> {
        let asked = Arc::new(AtomicBool::new(false));
        let handle = Arc::clone(&asked);
        ctrlc::set_handler(move || handle.store(true, Ordering::Relaxed))
            .map_err(|error| Failed::internal(format!("cannot listen for Ctrl-C: {error}")))?;
        if std::env::var_os(LEASH).is_some() {
            let handle = Arc::clone(&asked);
            std::thread::spawn(move || {
                // An error says as well that nobody is there any more.
                let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
                handle.store(true, Ordering::Relaxed);
            });
        }
        Ok(Stop(asked))
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How a worker has died.
struct Death {
    why: String,
    /// What it was doing.
    during: String,
    may_go_on: bool,
    /// What it has written.
    output: String,
}

/// Runs the same command in a worker.
pub(crate) fn run(
    allowed: &Allowed,
    console: &Console,
    recovery: &Recovery<'_>,
) -> Result<ExitCode, Failed> {
    let worked = work(allowed, None, &Stop::listen()?, console, recovery)?;
    if !worked.output.is_empty() {
        write_result(&worked.output, None)?;
    }
    Ok(worked.status.into())
}

/// Runs the same command in a worker, or a part of it, and in another one if that dies and something is left to do.
pub(crate) fn work(
    allowed: &Allowed,
    share: Option<&Share>,
    stop: &Stop,
    console: &Console,
    recovery: &Recovery<'_>,
) -> Result<Worked, Failed> {
    let start = Instant::now();
    let mut lost = Lost::default();
    loop {
        let used = start.elapsed().as_secs_f64();
        let seconds = allowed.seconds.map(|seconds| seconds - used);
        let death = match attempt(&Allowed { seconds, ..*allowed }, share, stop, &lost)? {
            Ok(worked) => return Ok(worked),
            Err(death) => death,
        };
        let used = start.elapsed().as_secs_f64();
        let left = allowed.seconds.map_or(f64::INFINITY, |seconds| seconds - used);
        let resumes = matches!(recovery, Recovery::LeaveOut(_))
            && death.may_go_on
            && !death.during.is_empty()
            && left >= LEAST_SECONDS;
        if resumes {
            lost.add(&death);
            console.note(&format!("note: {}; going on without", lost.why));
            continue;
        }
        let why = [lost.why, death.why].into_iter().filter(|why| !why.is_empty());
        let why = why.collect::<Vec<_>>().join("; ");
        console.note(&format!("unknown: {why}"));
        let output = match recovery {
            Recovery::LeaveOut(unknown) => unknown(&why),
            Recovery::Say(unknown) if death.output.is_empty() => unknown(&why),
            Recovery::Say(_) | Recovery::None => death.output,
        };
        return Ok(Worked { output, status: Status::Unknown as u8 });
    }
}

/// What workers before this one were doing when they died, and how.
#[derive(Default)]
struct Lost {
    members: Vec<String>,
    why: String,
}

impl Lost {
    fn add(&mut self, death: &Death) {
        self.members.extend(death.during.split_whitespace().map(str::to_owned));
        let separator = if self.why.is_empty() { "" } else { "; " };
        let during = death.during.split_whitespace().collect::<Vec<_>>().join(", ");
        self.why += &format!("{separator}{} during {during}", death.why);
    }
}

/// Runs one worker: what it has come to, or how it died.
fn attempt(
    allowed: &Allowed,
    share: Option<&Share>,
    stop: &Stop,
    lost: &Lost,
) -> Result<Result<Worked, Death>, Failed> {
    let cannot = |what: &str, error: std::io::Error| Failed::internal(format!("{what}: {error}"));
    let program = std::env::current_exe().map_err(|e| cannot("cannot find the program", e))?;
    let no_leash = |e| cannot("cannot talk to a worker", e);
    let (leash, end) = UnixStream::pair().map_err(no_leash)?;
    let listening = leash.try_clone().map_err(no_leash)?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1)).env(WORKER, "1").stdout(Stdio::piped());
    command.stdin(OwnedFd::from(end));
    command.stderr(Stdio::piped());
    if writes_to_terminal() {
        command.env(TERMINAL, "1");
    }
    if has_terminal_for_messages() {
        command.env(MESSAGES, "1");
    }
    if let Some(Share { number, seconds }) = share {
        command.env(PART, format!("{number} {seconds}"));
    }
    if let (false, Some(seconds)) = (lost.members.is_empty(), allowed.seconds) {
        command.env(LEFT_OUT, lost.members.join(" ")).env(WHY, &lost.why);
        command.env(SECONDS, seconds.to_string());
    }
    let spawned = command.spawn();
    // The worker's end is closed here, so that its end can be seen.
    drop(command);
    let mut worker = spawned.map_err(|e| cannot("cannot start a worker", e))?;
    let during = Arc::new(Mutex::new(String::new()));
    let said = Arc::clone(&during);
    let (left, has_left) = mpsc::channel();
    let listener = std::thread::spawn(move || {
        for line in BufReader::new(listening).lines().map_while(Result::ok) {
            if let Some(text) = line.strip_prefix(MESSAGE) {
                let text: Option<String> = serde_json::from_str(text).ok();
                text.iter().for_each(|text| tell(text));
            } else if let Some(status) = line.strip_prefix(RESULT) {
                // Nobody listens any more if the worker was ended.
                let _ = status.parse().map(|status: u8| left.send(status));
            } else {
                *said.lock().unwrap_or_else(PoisonError::into_inner) = line;
            }
        }
    });
    let library = worker.stderr.take().map(kept_back);
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
    let ended = wait(&mut worker, allowed, &stop.0, &leash, (&is_closed, &has_left));
    let status = worker.wait().map_err(|e| cannot("cannot wait for the worker", e))?;
    let output = output.join().unwrap_or_default();
    let output = String::from_utf8_lossy(&output).into_owned();
    // All that it has said is there when it is gone.
    let _ = listener.join();
    let library = library.and_then(|library| library.join().ok()).unwrap_or_default();
    let is_broken = status.code() == Some(Status::Internal as i32);
    if is_broken || std::env::var_os(LIBRARY).is_some() {
        tell(&String::from_utf8_lossy(&library));
    }
    if let Some(Ended::Left(status)) = ended {
        return Ok(Ok(Worked { output, status }));
    }
    let during = during.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // A worker that was asked to end and had nothing to say has come to nothing too; a status that Loupe does not have is the library's.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    if let Some(code) = code
        && code <= Status::Internal as u8
        && (ended.is_none() || !output.is_empty())
    {
        return Ok(Ok(Worked { output, status: code }));
    }
    let (why, may_go_on) = match ended {
        Some(Ended::Memory) => ("the solver used too much memory".to_owned(), true),
        Some(Ended::Asked) => ("interrupted".to_owned(), false),
        Some(Ended::Left(_)) | Some(Ended::Time) => {
            ("the time is over, and the solver did not stop".to_owned(), false)
        }
        None => {
            let how = status.signal().map(|signal| format!("signal {signal}"));
            let how = how.unwrap_or_else(|| format!("status {}", status.code().unwrap_or(-1)));
            (format!("the solver library crashed ({how})"), true)
        }
    };
    Ok(Err(Death { why, during, may_go_on, output }))
}

/// What a worker that comes after another one has to know.
pub(crate) struct Resumed {
    /// Who was at work when those before it died.
    pub(crate) left_out: Vec<String>,
    /// How they died.
    pub(crate) why: String,
    /// How much time is left.
    pub(crate) seconds: f64,
}

/// Whether others have died before this worker.
pub(crate) fn resumed() -> Option<Resumed> {
    let (left_out, why) = (std::env::var(LEFT_OUT).ok()?, std::env::var(WHY).ok()?);
    let seconds = std::env::var(SECONDS).ok()?.parse().ok()?;
    let left_out = left_out.split_whitespace().map(str::to_owned).collect();
    is_worker().then_some(Resumed { left_out, why, seconds })
}

/// Tells the command whose worker this is who is at work.
pub(crate) fn say(names: &[&str]) {
    if is_worker() {
        say_line(&names.join(" "));
    }
}

fn say_line(line: &str) {
    let Ok(descriptor) = std::io::stdin().as_fd().try_clone_to_owned() else { return };
    // If nobody listens, the worker ends soon.
    let _ = UnixStream::from(descriptor).write_all(format!("{line}\n").as_bytes());
}

/// Reads what the library writes, and keeps the beginning.
fn kept_back(mut pipe: ChildStderr) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        // What cannot be read is not shown.
        let _ = pipe.by_ref().take(MOST_KEPT).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        kept
    })
}

/// Waits for the worker's end, and brings it about where that is needed.
fn wait(
    worker: &mut Child,
    allowed: &Allowed,
    asked: &AtomicBool,
    leash: &UnixStream,
    (is_closed, has_left): (&mpsc::Receiver<()>, &mpsc::Receiver<u8>),
) -> Option<Ended> {
    let start = Instant::now();
    let mut since: Option<Instant> = None;
    let Allowed { megabytes, seconds } = *allowed;
    let most = megabytes.saturating_add(megabytes / 2).saturating_add(512);
    let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let longest = seconds.and_then(|time| time.checked_add(OVERTIME));
    let mut asked_to_end = None;
    while let Ok(None) = worker.try_wait() {
        if resident_megabytes(worker.id()).is_some_and(|used| used > most) {
            let _ = worker.kill();
            return Some(Ended::Memory);
        }
        if let Ok(status) = has_left.try_recv() {
            let _ = worker.kill();
            return Some(Ended::Left(status));
        }
        let is_late = longest.is_some_and(|longest| start.elapsed() > longest);
        if asked.load(Ordering::Relaxed) || is_late {
            // The terminal may have told the worker too; it ends by itself with what it has.
            let _ = leash.shutdown(Shutdown::Write);
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
