//! Exploration in several threads.
//!
//! What is explored is divided into *parts*, each with terms and a solver of its own, and each in a thread that ends with it: so what a part finds, asks and counts
//! depends on nothing that others do. One that has become large gives half of the states that wait in it to a new part, as the decisions that lead to them (see
//! `guide`). When that is, and which ones, is a matter of how much was done in the part, never of who has nothing to do; and what parts have found is put together in
//! the order in which they came out of each other. Hence, if nothing stops the exploration, all that it says is the same in every run, with any number of threads
//! above one. (In one thread there is one part; then states are merged and values remembered across what would be borders of parts, so figures may differ.)

use super::Step;
use super::guide::Guide;
use super::{Branch, Coverage, Exploration, Explorer, Options, Stop, Supervisor, Way};
use crate::domain::Outcome;
use crate::halt::Halt;
use crate::search::{Search, StateKey};
use loupe_engine::domain::InternalError;
use loupe_ir::program::Program;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A part gives states away when it has executed so many, or done so much work; one that was given to has twice as much to do before it gives, and whoever has given
/// twice as much again.
const MANY_STATES: u64 = 256;
const MUCH_WORK: u64 = 400_000;
/// After so many times giving is no longer put off further.
const MOST_DOUBLED: u32 = 24;

/// What threads share.
#[derive(Default)]
pub(super) struct Pool {
    state: Mutex<Shared>,
    news: Condvar,
    /// How many paths have ended, in all threads.
    paths: AtomicU64,
}

#[derive(Default)]
struct Shared {
    open: Vec<Part>,
    waiting: usize,
    stop: Option<Stop>,
    is_over: bool,
}

/// A part of an exploration.
#[derive(Default)]
pub(super) struct Part {
    /// Which of those that its origin has given away it is, and so on from the first part on: parts are put together in this order.
    name: Vec<u32>,
    /// The ways to states that were not begun yet.
    ways: VecDeque<Vec<Step>>,
    /// What was covered already.
    coverage: Option<Coverage>,
    /// How often it has given states away.
    given: u32,
    /// How many states were executed, and how much work was done, when it gave last.
    executed: u64,
    worked: u64,
}

impl Part {
    /// Whether it is time to give states away.
    fn is_large(&self, so_far: &Exploration) -> bool {
        let doubled = (self.name.len() as u32 + self.given).min(MOST_DOUBLED);
        so_far.explored - self.executed >= MANY_STATES << doubled
            || so_far.effort.saturating_sub(self.worked) >= MUCH_WORK << doubled
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A thread that panicked has not left anything half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self, part: Part) {
        self.lock().open.push(part);
        self.news.notify_one();
    }

    /// The next part; `None` when all threads have nothing to do, or one has stopped.
    fn take(&self, workers: usize) -> Option<Part> {
        let mut shared = self.lock();
        loop {
            if shared.is_over {
                return None;
            }
            if let Some(part) = shared.open.pop() {
                return Some(part);
            }
            shared.waiting += 1;
            if shared.waiting == workers {
                shared.is_over = true;
                self.news.notify_all();
                return None;
            }
            shared = self.news.wait(shared).unwrap_or_else(PoisonError::into_inner);
            shared.waiting -= 1;
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

impl Explorer<'_> {
    /// Gives half of what waits to a new part, if this one has become large.
    pub(super) fn share_work(&mut self) -> Outcome<()> {
        let Some(pool) = self.pool.filter(|_| self.part.is_large(&self.result)) else {
            return Ok(());
        };
        let mut keys: Vec<StateKey> = self.waiting.keys().copied().collect();
        keys.sort_unstable();
        keys.retain(|key| self.waiting.get(key).is_some_and(Branch::can_be_given));
        let mut ways = VecDeque::new();
        // Those that are close to each other share what is known of them: every second one makes both parts as large.
        for key in keys.into_iter().skip(1).step_by(2) {
            let Some(branch) = self.waiting.remove(&key) else { continue };
            self.left(&branch);
            self.search.ended(key);
            let mut decisions: Vec<_> = branch.decisions.iter().cloned().collect();
            decisions.reverse();
            ways.push_back(decisions);
        }
        let half = self.part.ways.len().div_ceil(2);
        ways.extend(self.part.ways.split_off(half));
        if ways.is_empty() {
            return Ok(());
        }
        let mut name = self.part.name.clone();
        name.push(self.part.given);
        self.part.given += 1;
        (self.part.executed, self.part.worked) = (self.result.explored, self.result.effort);
        let coverage = Some(self.result.coverage.clone());
        pool.give(Part { name, ways, coverage, ..Part::default() });
        Ok(())
    }

    /// Explores all of a part.
    fn explore_part(
        &mut self,
        part: Part,
        search: &(dyn Fn() -> Box<dyn Search> + Sync),
        supervisor: &Supervisor<'_>,
    ) -> Result<Stop, Box<Halt>> {
        self.part = part;
        if let Some(coverage) = self.part.coverage.take() {
            self.result.coverage = coverage;
        }
        while let Some(way) = self.part.ways.pop_front() {
            self.machine.domain.guide = Some(Guide::from(way));
            self.restart(search());
            let stop = self.explore(&mut (), supervisor)?;
            if stop != Stop::Complete {
                return Ok(stop);
            }
        }
        Ok(Stop::Complete)
    }
}

impl Branch {
    /// Whether its decisions say all of how it came to be: not how loops were passed or states merged.
    fn can_be_given(&self) -> bool {
        self.way == Way::Executed && !self.is_at_header && !self.is_merged()
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
    pool.give(Part { ways: VecDeque::from([Vec::new()]), ..Part::default() });
    let explored = |part: Part| -> Result<(Vec<u32>, Exploration), InternalError> {
        let _guard = StopOnPanic(&pool);
        let name = part.name.clone();
        let mut explorer = Explorer::new(program, options.clone(), search());
        explorer.pool = Some(&pool);
        match explorer.explore_part(part, search, supervisor) {
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
        explorer.result.queries = explorer.machine.domain.query_statistics();
        explorer.note_effort();
        Ok((name, explorer.result))
    };
    let broken = || InternalError("a thread of the exploration panicked".to_owned());
    let work = || -> Result<Vec<(Vec<u32>, Exploration)>, InternalError> {
        let mut found = Vec::new();
        while let Some(part) = pool.take(jobs) {
            // In a thread of its own, since the solver library keeps things for each thread.
            let one = std::thread::scope(|scope| scope.spawn(|| explored(part)).join());
            found.push(one.map_err(|_| broken())??);
        }
        Ok(found)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join()).collect()
    });
    let mut parts = Vec::new();
    for result in results {
        parts.extend(result.map_err(|_| broken())??);
    }
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut whole = Exploration::new(program);
    for (_, part) in parts {
        whole.add(part);
    }
    whole.stop = pool.stopped().unwrap_or(Stop::Complete);
    Ok(whole)
}
