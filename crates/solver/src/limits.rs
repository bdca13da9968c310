//! How much an answer may cost.

use crate::answer::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What may be spent on one query.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Work in the solver's own units; deterministic, so this is the limit to rely on. About a
    /// million is a second of Z3.
    pub work: u64,
    /// The clock behind it. Where it strikes first, results differ from machine to machine.
    pub time: Duration,
    /// Bytes that the solver library may use.
    pub memory: u64,
    /// Stops the query from outside.
    pub interrupt: Interrupt,
    /// Whether the links are asked that look for easy answers.
    pub pains: Pains,
}

/// Which links are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pains {
    /// All of them.
    #[default]
    All,
    /// Not those that look for easy answers: it is known that there is none.
    Hard,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            work: 20_000_000,
            time: Duration::from_secs(60),
            memory: 2 << 30,
            interrupt: Interrupt::default(),
            pains: Pains::All,
        }
    }
}

impl Limits {
    /// What is left of them after some time.
    pub(crate) fn after(&self, spent: Duration) -> Limits {
        Limits { time: self.time.saturating_sub(spent), ..self.clone() }
    }

    /// A part of the work, which is never none: a solver may take that for no limit.
    pub(crate) fn share(&self, parts: u64) -> Limits {
        Limits { work: (self.work / parts.max(1)).max(1), ..self.clone() }
    }

    /// The work as Z3 takes it, which means by 0 that there is no limit.
    pub(crate) fn z3_work(&self) -> u32 {
        u32::try_from(self.work).unwrap_or(u32::MAX).max(1)
    }

    /// Why nothing more may be begun.
    pub(crate) fn exhausted(&self) -> Option<Reason> {
        if self.interrupt.is_requested() {
            return Some(Reason::Interrupted);
        }
        self.time.is_zero().then_some(Reason::Time)
    }
}

/// By when something must be done: after a share of work, which is the same on every machine. Far behind it there is a clock, for what nobody counts.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    work: u64,
    clock: Option<Instant>,
}

/// A unit of work is about a microsecond; on a machine with other things to do it may take so many.
const SLOWNESS: u64 = 10;

impl Deadline {
    /// After so much more work, where so much was spent ([`Chain::spent`](crate::Chain::spent)).
    pub fn after(spent: u64, work: u64) -> Self {
        let clock = Duration::from_micros(work.saturating_mul(SLOWNESS));
        Deadline { work: spent.saturating_add(work), clock: Instant::now().checked_add(clock) }
    }

    /// Whether it has passed when so much is spent.
    pub fn has_passed(&self, spent: u64) -> bool {
        spent > self.work || self.clock.is_some_and(|clock| Instant::now() > clock)
    }

    /// How much work is left then.
    pub fn left(&self, spent: u64) -> u64 {
        self.work.saturating_sub(spent)
    }
}

/// What is known of whoever is to be stopped.
#[derive(Debug)]
struct Signals {
    is_requested: AtomicBool,
    /// How much has been worked so far, as far as that is known.
    worked: AtomicU64,
    /// With more work than this it stops by itself.
    most: AtomicU64,
}

/// A request to stop, which any thread may make.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<Signals>);

impl Default for Interrupt {
    fn default() -> Self {
        Interrupt(Arc::new(Signals {
            is_requested: AtomicBool::new(false),
            worked: AtomicU64::new(0),
            most: AtomicU64::new(u64::MAX),
        }))
    }
}

impl Interrupt {
    /// Asks to stop: the query under way ends soon with
    /// [`Reason::Interrupted`](crate::Reason::Interrupted), and those after it at once.
    pub fn request(&self) {
        self.0.is_requested.store(true, Ordering::Relaxed);
    }

    /// Asks to stop as soon as more than this has been worked, by what [`Interrupt::note`] is told.
    pub fn request_behind(&self, most: u64) {
        self.0.most.fetch_min(most, Ordering::Relaxed);
    }

    /// So much has been worked in all.
    pub fn note(&self, worked: u64) {
        let worked = self.0.worked.fetch_max(worked, Ordering::Relaxed).max(worked);
        if worked > self.0.most.load(Ordering::Relaxed) {
            self.request();
        }
    }

    /// How much has been worked, as far as that is known.
    pub fn worked(&self) -> u64 {
        self.0.worked.load(Ordering::Relaxed)
    }

    /// Whether somebody has asked to stop.
    pub fn is_requested(&self) -> bool {
        self.0.is_requested.load(Ordering::Relaxed)
    }

    /// Takes the request back.
    pub fn clear(&self) {
        self.0.is_requested.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_a_share_of_work() {
        let deadline = Deadline::after(1_000, 500_000);
        assert_eq!(deadline.left(201_000), 300_000);
        assert!(!deadline.has_passed(501_000));
        assert!(deadline.has_passed(501_001));
        assert_eq!(deadline.left(600_000), 0);
    }

    #[test]
    fn whoever_has_worked_enough_stops() {
        let interrupt = Interrupt::default();
        interrupt.note(u64::MAX - 1);
        assert!(!interrupt.is_requested());
        let interrupt = Interrupt::default();
        interrupt.request_behind(100);
        interrupt.request_behind(200);
        interrupt.note(100);
        assert!(!interrupt.is_requested());
        interrupt.note(90);
        assert_eq!(interrupt.worked(), 100);
        interrupt.note(101);
        assert!(interrupt.is_requested());
    }
}
