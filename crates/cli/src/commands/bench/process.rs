//! A run: a process of the same program.

use crate::status::Failed;
use crate::supervise::{LEASH, Stop};
use loupe_bench::{Campaign, Observed, Question, Run, Way};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a process is looked at.
const PERIOD: Duration = Duration::from_millis(5);
/// A process ends by itself when its time is over; one that takes so many times as long and so many seconds more is killed.
const FACTOR: f64 = 1.5;
const MORE: f64 = 5.0;
/// `loupe test` runs its tests when its time is over, which takes so long at most.
const TESTS: f64 = 125.0;
/// How long a process may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(3);
/// More of an output is not kept; a report that is longer is none.
const MOST: u64 = 64 << 20;
/// A run that takes longer is not repeated.
const QUICK: f64 = 1.0;

/// The programs that runs call and write.
pub(super) struct Tools {
    binary: PathBuf,
    /// A folder for what runs write, which nobody wants.
    scratch: PathBuf,
}

impl Tools {
    pub(super) fn new() -> Result<Self, Failed> {
        let binary = std::env::current_exe()
            .map_err(|error| Failed::internal(format!("cannot find the program: {error}")))?;
        let name = format!("loupe-bench-{}", std::process::id());
        Ok(Tools { binary, scratch: std::env::temp_dir().join(name) })
    }

    /// Makes a run, as often as its task says; the fastest counts. Nothing if it was interrupted.
    pub(super) fn observe(
        &self,
        campaign: &Campaign,
        run: &Run<'_>,
        stop: &Stop,
    ) -> Option<Observed> {
        let mut best: Option<Observed> = None;
        for _ in 0..run.task.repeats.max(1) {
            let observed = self.observe_once(campaign, run, stop)?;
            let is_over = observed.seconds > QUICK || !matches!(observed.way, Way::Exited(_));
            // One that ends in another way is no faster one of the same.
            let is_better =
                |best: &Observed| observed.seconds < best.seconds && observed.way == best.way;
            if best.as_ref().is_none_or(is_better) {
                best = Some(observed);
            }
            if is_over {
                break;
            }
        }
        best
    }

    fn observe_once(&self, campaign: &Campaign, run: &Run<'_>, stop: &Stop) -> Option<Observed> {
        let mut command = Command::new(&self.binary);
        command.args(campaign.arguments(run));
        let mut seconds = campaign.limits.seconds * FACTOR + MORE;
        let mut scratch = None;
        if run.question() == Question::Test {
            seconds += TESTS;
            let folder = self.scratch.join(campaign.fingerprint(run));
            command.arg("-o").arg(&folder).arg("--force");
            scratch = Some(folder);
        }
        command.arg("--").arg(&run.task.file).env(LEASH, "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for us; we tell the others.
        command.process_group(0);
        let start = Instant::now();
        let observed = match command.spawn() {
            Ok(child) => watch(child, start, Duration::from_secs_f64(seconds.min(1e9)), stop),
            Err(error) => Some(Observed {
                way: Way::NotStarted(format!("the process cannot be started: {error}")),
                stdout: String::new(),
                stderr: String::new(),
                seconds: 0.0,
            }),
        };
        if let Some(folder) = scratch {
            // It may not even be there.
            let _ = std::fs::remove_dir_all(folder);
        }
        observed
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        // It is there only if there were tests.
        let _ = std::fs::remove_dir(&self.scratch);
    }
}

/// Waits for the end of a process; nothing if the user wanted that.
fn watch(mut child: Child, start: Instant, longest: Duration, stop: &Stop) -> Option<Observed> {
    // While we hold this, the process knows that somebody wants its result.
    let mut leash = child.stdin.take();
    let (closed, is_closed) = mpsc::channel();
    let stdout = child.stdout.take().map(|pipe| read(pipe, Some(closed)));
    let stderr = child.stderr.take().map(|pipe| read(pipe, None));
    let mut asked: Option<(Instant, Asked)> = None;
    while let Ok(None) = child.try_wait() {
        let why = match (stop.is_asked(), start.elapsed() > longest) {
            (true, _) => Some(Asked::ByUser),
            (false, true) => Some(Asked::ByClock),
            (false, false) => None,
        };
        if let Some(why) = why {
            leash = None;
            let (since, _) = *asked.get_or_insert((Instant::now(), why));
            if since.elapsed() > GRACE {
                // It may have ended just now.
                let _ = child.kill();
                break;
            }
        }
        // The end of its output is its end, and known at once.
        if is_closed.recv_timeout(PERIOD).is_ok() {
            break;
        }
    }
    let status = child.wait();
    let seconds = start.elapsed().as_secs_f64();
    drop(leash);
    let text = |reader: Option<JoinHandle<Vec<u8>>>| {
        let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    let way = match (asked, status) {
        (Some((_, Asked::ByUser)), _) => return None,
        // Whoever stops a process group stops its members one by one.
        _ if stop.is_asked() => return None,
        (Some((_, Asked::ByClock)), _) => Way::Killed,
        (None, Ok(status)) => way(status),
        (None, Err(error)) => Way::NotStarted(format!("the process cannot be waited for: {error}")),
    };
    Some(Observed { way, stdout, stderr, seconds })
}

/// Why a process was asked to end.
#[derive(Clone, Copy)]
enum Asked {
    ByUser,
    ByClock,
}

fn way(status: ExitStatus) -> Way {
    match (status.code(), status.signal()) {
        (Some(code), _) => Way::Exited(code),
        (None, signal) => Way::Signal(signal.unwrap_or_default()),
    }
}

/// Reads all, and says when that is done.
fn read(
    mut pipe: impl Read + Send + 'static,
    done: Option<mpsc::Sender<()>>,
) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read is all there is.
        let _ = pipe.by_ref().take(MOST).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        if let Some(done) = done {
            // Nobody listens any more if the process was killed.
            let _ = done.send(());
        }
        bytes
    })
}
