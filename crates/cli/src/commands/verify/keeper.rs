//! What members have come to so far: the report, should the process have to end before all of them do.
//!
//! The solver library and long computations may look neither at interrupts nor at the clock, and a thread cannot be ended. So whoever verifies does not wait for
//! threads when the time is over, or when there is a verdict and others do not give way: what is known then is written, from another thread, and the process ends.

use super::super::afterwards::Afterwards;
use super::super::explore::{Work, peak_memory};
use super::{Form, status};
use crate::console::write_result;
use crate::status::Failed;
use crate::supervise;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_report::verdict::Verified;
use loupe_symbolic::explore::{Exploration, Stop};
use loupe_symbolic::invariants::Outcome;
use loupe_symbolic::property::Property;
use loupe_verify::{Member, Place, Report, Run};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a member has found is kept so often.
const OFTEN: Duration = Duration::from_millis(250);
/// Members have so long when the time is over,
const GRACE: Duration = Duration::from_millis(800);
/// or when there is a verdict.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the clock is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// What is known of a member.
struct Kept {
    exploration: Exploration,
    at: Instant,
    has_ended: bool,
}

impl Kept {
    fn has_answer(&self) -> bool {
        self.exploration.is_violated() || self.has_ended && self.exploration.is_safe()
    }
}

#[derive(Default)]
struct State {
    members: BTreeMap<Member, Kept>,
    answered: Option<Instant>,
    /// Somebody writes the report.
    is_over: bool,
}

/// Keeps what members have come to.
#[derive(Clone)]
pub(super) struct Keeper {
    state: Arc<Mutex<State>>,
    start: Instant,
}

/// All that a report says besides.
struct Frame {
    form: Form,
    program: Program,
    property: Property,
    assumptions: Vec<String>,
    end_of_input: Integer,
    lost: Option<String>,
    timeout: f64,
}

impl Keeper {
    /// Watches over a verification that begins now.
    pub(super) fn watch(
        work: &Work<'_>,
        form: &Form,
        (timeout, lost): (f64, Option<String>),
    ) -> Result<Self, Failed> {
        let keeper = Keeper { state: Arc::default(), start: Instant::now() };
        let program = work.loaded.program.clone();
        let nothing = nothing(&program);
        let frame = Frame {
            form: form.clone(),
            property: work.property,
            assumptions: work.assumptions(&nothing),
            end_of_input: work.end_of_input(),
            program,
            lost,
            timeout,
        };
        let frame = Arc::new(frame);
        let (own, words) = (keeper.clone(), Arc::clone(&frame));
        supervise::on_stop(|| {}, move || own.speak(&words, Stop::Interrupted))?;
        let Some(end) = Duration::try_from_secs_f64(timeout).ok() else { return Ok(keeper) };
        let own = keeper.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(PERIOD);
                let state = own.lock();
                if state.is_over {
                    return;
                }
                let answered = state.answered;
                drop(state);
                let is_late = own.start.elapsed().checked_sub(GRACE).is_some_and(|used| used > end);
                if is_late || answered.is_some_and(|at| at.elapsed() > PATIENCE) {
                    own.speak(&frame, Stop::Time);
                    return;
                }
            }
        });
        Ok(keeper)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A member is so far.
    pub(super) fn keep(&self, member: Member, so_far: &Exploration) {
        let mut state = self.lock();
        let now = Instant::now();
        let is_due = state.members.get(&member).is_none_or(|kept| now - kept.at > OFTEN);
        if is_due || so_far.is_violated() {
            let exploration = so_far.clone();
            state.members.insert(member, Kept { exploration, at: now, has_ended: false });
        }
    }

    /// A member has ended.
    pub(super) fn ended(&self, member: Member, exploration: &Exploration) {
        let mut state = self.lock();
        let now = Instant::now();
        let kept = Kept { exploration: exploration.clone(), at: now, has_ended: true };
        if kept.has_answer() {
            state.answered.get_or_insert(now);
        }
        state.members.insert(member, kept);
    }

    /// All have ended: nobody else writes the report. Whoever does that already ends the process.
    pub(super) fn finish(&self) {
        if std::mem::replace(&mut self.lock().is_over, true) {
            loop {
                std::thread::park();
            }
        }
    }

    /// Writes what is known, and ends the process.
    fn speak(&self, frame: &Frame, why: Stop) {
        let mut state = self.lock();
        if std::mem::replace(&mut state.is_over, true) {
            return;
        }
        let report = report(&frame.program, std::mem::take(&mut state.members), &why);
        drop(state);
        let seconds = self.start.elapsed().as_secs_f64();
        let Ok(afterwards) = Afterwards::new(0.0) else { return };
        let end_of_input = frame.end_of_input.clone();
        let told = afterwards.told(&frame.program, &report.exploration, end_of_input);
        let mut assumptions = frame.assumptions.clone();
        assumptions.extend(report.exploration.assumptions.iter().cloned());
        let verified = Verified {
            program: &frame.program,
            file: frame.form.file.clone(),
            property: frame.property,
            told,
            studied: BTreeMap::new(),
            assumptions,
            report: &report,
            lost: frame.lost.clone(),
            run: frame.form.run.clone(),
            timeout: frame.timeout,
            seconds,
            peak_memory: peak_memory(),
        };
        let text = frame.form.text(&verified);
        if write_result(&text, None).is_ok() {
            supervise::leave(status(&verified));
        }
    }
}

/// What is known where nothing is.
fn nothing(program: &Program) -> Exploration {
    Exploration::of_invariants(program, Outcome::Unknown(Vec::new()), 0)
}

/// The report of what is known.
fn report(program: &Program, members: BTreeMap<Member, Kept>, why: &Stop) -> Report {
    let winner = members.iter().find(|(_, kept)| kept.has_answer()).map(|(member, _)| *member);
    let mut runs: Vec<Run> = Vec::with_capacity(members.len());
    for (member, Kept { mut exploration, has_ended, .. }) in members {
        if !has_ended {
            exploration.stop = why.clone();
        }
        let place = if has_ended { Place::Ended } else { Place::Stopped };
        runs.push(Run { member, exploration, place });
    }
    let first = winner.or_else(|| runs.first().map(|run| run.member));
    let exploration = match runs.iter().position(|run| Some(run.member) == first) {
        Some(position) => runs.remove(position).exploration,
        None => Exploration { stop: why.clone(), ..nothing(program) },
    };
    Report { winner, decided: None, exploration, others: runs }
}
