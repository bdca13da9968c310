//! A line on the terminal that says who is at work, and how far.

use crate::supervise;
use loupe_symbolic::explore::Exploration;
use loupe_verify::Member;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whatever is over sooner needs no line.
const FIRST: Duration = Duration::from_secs(1);
/// The line is written so often.
const PERIOD: Duration = Duration::from_millis(200);
/// Who has said nothing for so long is not at work.
const SILENT: Duration = Duration::from_secs(2);

/// What members have done.
pub(super) struct MemberProgress {
    start: Instant,
    /// Nothing where nobody looks on.
    shown: Option<Mutex<Shown>>,
}

#[derive(Default)]
struct Shown {
    members: BTreeMap<Member, Done>,
    last: Option<Instant>,
}

struct Done {
    states: u64,
    waiting: usize,
    heard: Instant,
}

impl MemberProgress {
    /// Only a terminal has one.
    pub(super) fn new(is_wanted: bool) -> Self {
        let shown = is_wanted && supervise::has_terminal_for_messages();
        MemberProgress { start: Instant::now(), shown: shown.then(Mutex::default) }
    }

    /// A member has come so far.
    pub(super) fn show(&self, member: Member, so_far: &Exploration, waiting: usize) {
        let Some(shown) = &self.shown else { return };
        let now = Instant::now();
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.members.insert(member, Done { states: so_far.states, waiting, heard: now });
        let is_due = match shown.last {
            None => now - self.start >= FIRST,
            Some(last) => now - last >= PERIOD,
        };
        if is_due {
            shown.last = Some(now);
            let seconds = (now - self.start).as_secs_f64();
            supervise::tell(&format!("\r\x1b[K{}", line(seconds, &shown.members, now)));
        }
    }
}

/// `3.2 s: execution 120 states (4 wait), invariants`
fn line(seconds: f64, members: &BTreeMap<Member, Done>, now: Instant) -> String {
    let at_work = members.iter().filter(|(_, done)| now - done.heard < SILENT);
    let one = |(member, done): (&Member, &Done)| match (done.states, done.waiting) {
        (0, _) => member.to_string(),
        (states, 0) => format!("{member} {states} states"),
        (states, waiting) => format!("{member} {states} states ({waiting} wait)"),
    };
    format!("{seconds:.1} s: {}", at_work.map(one).collect::<Vec<_>>().join(", "))
}

impl Drop for MemberProgress {
    fn drop(&mut self) {
        let Some(shown) = &self.shown else { return };
        if shown.lock().unwrap_or_else(PoisonError::into_inner).last.is_some() {
            supervise::tell("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_who_is_at_work() {
        let now = Instant::now();
        let done = |states, waiting| Done { states, waiting, heard: now };
        let members = BTreeMap::from([
            (Member::Invariants, done(0, 0)),
            (Member::Execution, done(120, 4)),
            (Member::Necessary, done(7, 0)),
        ]);
        let expected = "3.2 s: execution 120 states (4 wait), necessary 7 states, invariants";
        assert_eq!(line(3.21, &members, now), expected);
    }
}
