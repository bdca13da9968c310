//! The corpus: programs with known answers that are not part of the project.
//!
//! It lies beside the work tree, and a machine may lack it; what needs it then says that it was
//! skipped. With `LOUPE_REQUIRE_CORPUS=1` that is a failure.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A folder of the corpus, or `None` if the machine does not have it, after saying so.
///
/// # Panics
///
/// If it is missing and `LOUPE_REQUIRE_CORPUS` is 1.
pub fn folder(name: &str) -> Option<PathBuf> {
    let folder = crate::root().join("../../shared/corpus").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let required = std::env::var_os("LOUPE_REQUIRE_CORPUS").is_some_and(|value| value == "1");
    assert!(!required, "there is no corpus in {}", folder.display());
    crate::tell(&format!("SKIPPED: no corpus in {}", folder.display()));
    None
}

/// Checks all cases on all processors, and tells how many are as they should be.
///
/// # Panics
///
/// If one is not; the message lists all of these.
pub fn check_all<C: Sync>(
    title: &str,
    cases: &[C],
    check: impl Fn(&C) -> Result<(), String> + Sync,
) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some((number, case)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            cases.get(number).map(|case| (number, case))
        } {
            if let Err(failure) = check(case) {
                failures.lock().expect("no check panics").push((number, failure));
            }
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    let mut failures = failures.into_inner().expect("no check panics");
    failures.sort();
    crate::tell(&format!("{title} {}/{}", cases.len() - failures.len(), cases.len()));
    let texts: Vec<String> = failures.into_iter().map(|(_, text)| text).collect();
    assert!(texts.is_empty(), "{title}:\n{}", texts.join("\n"));
}
