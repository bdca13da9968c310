//! Runs the binary beside this one, and reads the list of the corpus.

use serde_json::Value as Json;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A call that has ended.
pub(crate) struct Ran {
    /// The exit status; 128 if a signal ended it.
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Of the whole process, as its caller sees it.
    pub(crate) time: Duration,
}

impl Ran {
    /// The object on standard output.
    pub(crate) fn json(&self) -> Result<Json, String> {
        let wrong = |error: serde_json::Error| format!("{error}; it says {}", self.stderr.trim());
        serde_json::from_str(&self.stdout).map_err(wrong)
    }
}

/// Runs `loupe`.
pub(crate) fn loupe<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
) -> Result<Ran, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let binary = own.with_file_name("loupe");
    let start = Instant::now();
    let output = Command::new(&binary).args(arguments).output();
    let output = output.map_err(|error| format!("{}: {error}", binary.display()))?;
    let time = start.elapsed();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Ran {
        status: output.status.code().unwrap_or(128),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        time,
    })
}

/// The folder of the project.
pub(crate) fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// How long a task may take, in seconds.
pub(crate) fn limit() -> f64 {
    setting("LOUPE_SECONDS").unwrap_or(5.0)
}

/// A number that the user has set.
pub(crate) fn setting<N: std::str::FromStr>(name: &str) -> Option<N> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// A task of the corpus.
pub(crate) struct Task {
    /// Its name in the corpus.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) property: String,
    /// Whether the property holds.
    pub(crate) holds: bool,
    pub(crate) data_model: String,
    /// Whether the answer is disputed.
    pub(crate) is_disputed: bool,
}

/// The tasks of the corpus that are wanted, in the order of its list; `None` if the machine has no corpus, after saying so.
pub(crate) fn tasks(wanted: impl Fn(&Task) -> bool) -> Option<Vec<Task>> {
    let corpus = home().join("../shared/corpus");
    let Ok(list) = fs::read_to_string(corpus.join("manifest.tsv")) else {
        println!("  not measured: there is no corpus in {}", corpus.display());
        return None;
    };
    let task = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let (name, property, holds, data_model) =
            (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let note = fields.nth(1).unwrap_or_default();
        let file = corpus.join(&name);
        let holds = holds == "true";
        Some(Task { name, file, property, holds, data_model, is_disputed: note.contains("ub:") })
    };
    Some(list.lines().skip(1).filter_map(task).filter(wanted).collect())
}

/// The value in the middle.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A part of a whole in percent.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// What becomes of all items, on all processors, in their order.
pub(crate) fn on_all<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        while let Some((number, item)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            items.get(number).map(|item| (number, item))
        } {
            let result = work(item);
            // A poisoned lock means that another thread has panicked, which ends this program anyway.
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(worker)));
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
