//! How much an answer may cost.

use crate::answer::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

/// A request to stop, which any thread may make.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks to stop: the query under way ends soon with
    /// [`Reason::Interrupted`](crate::Reason::Interrupted), and those after it at once.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes the request back.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
