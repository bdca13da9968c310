//! How much an answer may cost.

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
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            work: 20_000_000,
            time: Duration::from_secs(60),
            memory: 2 << 30,
            interrupt: Interrupt::default(),
        }
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
