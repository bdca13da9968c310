//! What is found out when the verdict is there: how errors come about, and what is known of loops. None of it may cost the verdict.

use super::verify::processor_time;
use crate::status::Failed;
use crate::supervise;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_report::verdict::met;
use loupe_solver::Interrupt;
use loupe_symbolic::explore::{Exploration, Teller, Told};
use loupe_symbolic::loops::LoopKey;
use loupe_verify::{Studied, study};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Stories have at most so long.
const STORIES: Duration = Duration::from_secs(5);
/// Whatever was left of the time, stories have so long: a worker may take a little longer than its time.
const LEAST: Duration = Duration::from_millis(500);
/// Loops have so long, together, by the time of the processor; mostly their work is limited before that.
const LOOPS: Duration = Duration::from_secs(2);
/// The same in real time, on a machine that is busy with other things.
const LOOPS_AT_MOST: Duration = Duration::from_secs(6);
/// How often the time of the processor is looked at.
const PERIOD: Duration = Duration::from_millis(100);
/// Who was interrupted has so long to say so.
const GRACE: Duration = Duration::from_millis(300);
/// A thread for loops has so much stack: Z3 recurs over the depth of formulas.
const STACK: usize = 64 << 20;

/// The time behind a verdict.
pub(super) struct Afterwards {
    interrupt: Interrupt,
    left: Duration,
}

impl Afterwards {
    /// With so many seconds of the user's time left.
    pub(super) fn new(left: f64) -> Result<Self, Failed> {
        let left = Duration::try_from_secs_f64(left).unwrap_or_default();
        let interrupt = Interrupt::default();
        let stop = interrupt.clone();
        supervise::on_stop(move || stop.request(), || {})?;
        Ok(Afterwards { interrupt, left })
    }

    /// The errors as stories.
    pub(super) fn told(
        &self,
        program: &Program,
        exploration: &Exploration,
        end_of_input: Integer,
    ) -> Vec<Told> {
        let interrupt = Interrupt::default();
        self.end_after(self.left.min(STORIES).max(LEAST), &interrupt);
        let teller = Teller { program, end_of_input, interrupt };
        let violations = exploration.violations.values().map(|found| teller.violation(found));
        let endless = exploration.endless.values().map(|found| teller.endless(found));
        violations.chain(endless).collect()
    }

    /// Types and bounds of the loops that were come to, as many as there is time for.
    pub(super) fn studied(
        &self,
        program: &Program,
        exploration: &Exploration,
    ) -> BTreeMap<LoopKey, Studied> {
        let wanted = met(program, exploration);
        let mut known = BTreeMap::new();
        if wanted.is_empty() || self.interrupt.is_requested() {
            return known;
        }
        // A worker that takes much longer than its time is ended.
        let real = LOOPS_AT_MOST.min(self.left.max(LEAST));
        let (deadline, used) = (Instant::now() + real, processor_time());
        let interrupt = self.interrupt.clone();
        let (tell, told) = mpsc::channel();
        let (program, stop) = (program.clone(), interrupt.clone());
        // In a thread of its own, which nobody has to wait for.
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let tell = |key, studied| {
                // Nobody listens any more when the time is over.
                let _ = tell.send((key, studied));
            };
            // A loop that breaks Loupe is one of which nothing is known.
            let _ = study(&program, &wanted, &stop, tell);
        });
        if thread.is_err() {
            return known;
        }
        loop {
            match told.recv_timeout(PERIOD) {
                Ok((key, studied)) => {
                    known.insert(key, studied);
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => return known,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let is_late = processor_time().saturating_sub(used) > LOOPS;
                    if is_late || Instant::now() > deadline {
                        break;
                    }
                }
            }
        }
        interrupt.request();
        // The solver must not be at work when the process ends.
        let last = Instant::now() + GRACE;
        while told.recv_timeout(last.saturating_duration_since(Instant::now())).is_ok() {}
        known
    }

    fn end_after(&self, time: Duration, interrupt: &Interrupt) {
        let (own, all) = (interrupt.clone(), self.interrupt.clone());
        let end = Instant::now() + time;
        std::thread::spawn(move || {
            while Instant::now() < end && !all.is_requested() {
                std::thread::sleep(Duration::from_millis(20));
            }
            own.request();
        });
    }
}
