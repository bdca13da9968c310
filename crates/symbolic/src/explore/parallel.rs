//! Exploration in several threads.
//!
//! Each thread has its own terms and its own solver. One that has nothing to do gets the way to a state that
//! waits in another, as a list of decisions (see `guide`). The paths are the same as in one thread, so is
//! the verdict and the set of places with errors; which inputs are shown for an error may differ.

use super::Step;
use super::guide::Guide;
use super::{Exploration, Explorer, Options, Stop, Supervisor};
use crate::halt::Halt;
use crate::search::Search;
use loupe_engine::domain::InternalError;
use loupe_ir::program::Program;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What threads share.
#[derive(Default)]
pub(super) struct Pool {
    state: Mutex<Shared>,
    news: Condvar,
    /// How many threads have nothing to do.
    hungry: AtomicUsize,
    /// How many paths have ended, in all threads.
    paths: AtomicU64,
}

#[derive(Default)]
struct Shared {
    tasks: Vec<Vec<Step>>,
    waiting: usize,
    stop: Option<Stop>,
    is_over: bool,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A thread that panicked has not left anything half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody would take a task.
    pub(super) fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    pub(super) fn give(&self, task: Vec<Step>) {
        self.lock().tasks.push(task);
        self.news.notify_one();
    }

    /// The next task; `None` when all threads have nothing to do, or one has stopped.
    fn take(&self, workers: usize) -> Option<Vec<Step>> {
        let mut shared = self.lock();
        loop {
            if shared.is_over {
                return None;
            }
            if let Some(task) = shared.tasks.pop() {
                return Some(task);
            }
            shared.waiting += 1;
            self.hungry.store(shared.waiting, Ordering::Relaxed);
            if shared.waiting == workers {
                shared.is_over = true;
                self.news.notify_all();
                return None;
            }
            shared = self.news.wait(shared).unwrap_or_else(PoisonError::into_inner);
            shared.waiting -= 1;
            self.hungry.store(shared.waiting, Ordering::Relaxed);
        }
    }

    /// Everybody stops.
    pub(super) fn stop(&self, stop: Stop) {
        let mut shared = self.lock();
        shared.stop.get_or_insert(stop);
        shared.is_over = true;
        self.news.notify_all();
    }

    /// Why everybody stops, if they do.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.lock().stop.clone()
    }

    /// Adds to the number of paths; how many there are now.
    pub(super) fn count(&self, paths: u64) -> u64 {
        self.paths.fetch_add(paths, Ordering::Relaxed) + paths
    }
}

/// Lets nobody wait for a thread that has panicked.
struct StopOnPanic<'p>(&'p Pool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(Stop::Interrupted);
        }
    }
}

/// Explores a program in so many threads; `search` makes a strategy for each.
///
/// # Errors
///
/// If Loupe is broken.
pub fn explore(
    program: &Program,
    options: &Options,
    search: &(dyn Fn() -> Box<dyn Search> + Sync),
    jobs: usize,
    supervisor: &Supervisor<'_>,
) -> Result<Exploration, InternalError> {
    if jobs <= 1 {
        return Explorer::new(program, options.clone(), search()).run(&mut (), supervisor);
    }
    let pool = Pool::default();
    pool.give(Vec::new());
    let work = || -> Result<Exploration, InternalError> {
        let _guard = StopOnPanic(&pool);
        let mut explorer = Explorer::new(program, options.clone(), search());
        explorer.pool = Some(&pool);
        while let Some(task) = pool.take(jobs) {
            explorer.machine.domain.guide = Some(Guide::from(task));
            explorer.restart(search());
            match explorer.explore(&mut (), supervisor) {
                Ok(Stop::Complete) => {}
                Ok(stop) => pool.stop(stop),
                Err(halt) => {
                    pool.stop(Stop::Interrupted);
                    return Err(match *halt {
                        Halt::Internal(error) => error,
                        other => InternalError(format!("the exploration halted: {other}")),
                    });
                }
            }
        }
        explorer.result.queries = explorer.machine.domain.query_statistics();
        Ok(explorer.result)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join()).collect()
    });
    let mut whole = Exploration::new(program);
    for result in results {
        let Ok(result) = result else {
            return Err(InternalError("a thread of the exploration panicked".to_owned()));
        };
        whole.add(result?);
    }
    whole.stop = pool.stopped().unwrap_or(Stop::Complete);
    Ok(whole)
}
