//! Tests that nobody can argue with: verdicts against runs of an interpreter that shares nothing with Loupe, against verdicts on the same program written otherwise, and against
//! those of every other technique.
//!
//! `LOUPE_TRUST=N` looks at N programs of each kind; some dozens are part of the usual tests.

mod change;
mod judge;
mod metamorphic;
mod print;
mod run;
mod techniques;
mod tree;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many programs of each kind, or as many as the environment says.
fn programs(usual: u64) -> u64 {
    let wanted = std::env::var("LOUPE_TRUST").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(usual)
}

/// Checks all seeds on all processors, and fails with all that is wrong.
fn check_all(seeds: u64, check: impl Fn(u64) -> Result<(), String> + Sync) {
    let first = std::env::var("LOUPE_TRUST_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let next = AtomicU64::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                return;
            }
            if let Err(what) = check(first + seed) {
                wrong.lock().expect("no check panics").push((seed, what));
            }
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    let mut wrong = wrong.into_inner().expect("no check panics");
    wrong.sort();
    let texts: Vec<String> =
        wrong.into_iter().map(|(seed, text)| format!("seed {}: {text}", first + seed)).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n\n"));
}
