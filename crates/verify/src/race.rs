//! Members of a portfolio take turns, and the first one that has an answer wins, by a clock that is the same on every machine.
//!
//! Each member has a *time* of its own: when it begins, and then what it has worked, in the units of the solver. A member whose time is behind comes before others, so those that begin late do not begin at
//! all where one of the first is quick. The winner is the one with an answer at the least time; others with less time on their clocks go on until they have passed it, or have an answer that came earlier.
//! So who wins does not depend on how fast threads are or how many there are, as long as no limit of real time fires.
//!
//! *Real time* matters in two places. A member that is in the middle of something long is known to be as far as the last question that was answered to it (`Interrupt::worked`): from there its clock is taken to go on as a clock does that whoever asks for the verdict gives,
//! the time of the processor, if it is to be the same on a busy machine; so others do not wait for it. And once there is an answer, members that might have had an earlier one stop by themselves with the first question
//! behind it; those that do not come there in several times as long as they should need are stopped. Neither can change a verdict, since every member's verdict is right.

use loupe_solver::Interrupt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A member may be so far ahead of others.
const LEAD: u64 = 50_000;
/// A member that says nothing for so long does not keep others from their turn.
const STALL: Duration = Duration::from_millis(500);
/// How long members that are behind may go on when there is an answer, by the clock that was given,
const GRACE: Duration = Duration::from_millis(300);
/// and for each unit of work by which they are behind: it is about a microsecond, on a good machine and with easy questions.
const GRACE_PER_WORK: Duration = Duration::from_micros(4);
/// but no longer than this.
const MOST_GRACE: Duration = Duration::from_secs(3);
/// So much longer in real time, should that clock stand still.
const PATIENCE: u32 = 10;
/// How often those who wait look at the clock.
const PERIOD: Duration = Duration::from_millis(10);

/// Where a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Waits,
    Runs,
    Over,
}

/// A member in the race.
struct Lane {
    begins: u64,
    time: u64,
    stage: Stage,
    /// When it was heard of last.
    heard: Moment,
    interrupt: Interrupt,
    /// Whether it has ended by itself.
    is_free: bool,
}

impl Lane {
    /// Its work so far is known.
    fn hear(&mut self, worked: u64, now: Moment) {
        let time = self.begins.saturating_add(worked);
        if time > self.time {
            (self.time, self.heard) = (time, now);
        }
    }

    /// What its clock would show if it went on as the one that was given does.
    fn estimate(&self, now: Moment) -> u64 {
        let unheard = now.given.saturating_sub(self.heard.given).as_micros() as u64;
        self.time.saturating_add(unheard)
    }
}

/// A moment in real time, and by the clock that was given.
#[derive(Clone, Copy)]
struct Moment {
    real: Instant,
    given: Duration,
}

/// Since when there is an answer, and how long others may go on, by the clock that was given.
#[derive(Clone, Copy)]
struct Since {
    moment: Moment,
    grace: Duration,
}

struct State {
    lanes: Vec<Lane>,
    /// Who was said to run last.
    said: Vec<usize>,
    /// The least time with an answer, the member that has it, and when it was known.
    won: Option<(u64, usize, Since)>,
    is_stopped: bool,
}

impl State {
    /// Those who run, if they are others than before.
    fn changed(&mut self) -> Option<&[usize]> {
        let running = self.lanes.iter().enumerate().filter(|(_, lane)| lane.stage == Stage::Runs);
        let running: Vec<usize> = running.map(|(number, _)| number).collect();
        let is_new = running != self.said;
        self.said = running;
        is_new.then_some(&self.said)
    }

    fn is_overtaken(&self, lane: usize) -> bool {
        self.won.is_some_and(|(time, winner, _)| (time, winner) < (self.lanes[lane].time, lane))
    }

    /// Whether it is a member's turn.
    fn may_run(&self, lane: usize, jobs: usize, now: Moment) -> bool {
        let unfinished = |other: &&Lane| other.stage != Stage::Over;
        let own = (self.lanes[lane].time, lane);
        let waits = |(_, other): &(usize, &Lane)| other.stage == Stage::Waits;
        let is_next = self.lanes.iter().enumerate().filter(waits).all(|(n, l)| own <= (l.time, n));
        let busy = |other: &&Lane| {
            let unheard = now.real.saturating_duration_since(other.heard.real);
            other.stage == Stage::Runs && unheard < STALL
        };
        let least = self.lanes.iter().filter(unfinished).map(|other| match other.stage {
            Stage::Runs => other.estimate(now),
            _ => other.time,
        });
        is_next
            && self.lanes.iter().filter(busy).count() < jobs
            && least.min().is_none_or(|least| own.0 <= least.saturating_add(LEAD))
    }

    /// Notes how far members are that are in the middle of something.
    fn listen(&mut self, now: Moment) {
        for lane in self.lanes.iter_mut().filter(|lane| lane.stage == Stage::Runs) {
            lane.hear(lane.interrupt.worked(), now);
        }
    }

    /// How far those are behind a time who might have an answer before it.
    fn arrears(&self, time: u64) -> u64 {
        let unfinished = self.lanes.iter().filter(|lane| lane.stage != Stage::Over);
        unfinished.map(|lane| time.saturating_sub(lane.time)).max().unwrap_or(0)
    }

    /// Sees to it that nobody works much longer than the winner has.
    fn stop_losers(&mut self) {
        let Some((time, ..)) = self.won else { return };
        for number in 0..self.lanes.len() {
            let (lane, is_overtaken) = (&self.lanes[number], self.is_overtaken(number));
            lane.interrupt.request_behind(time.saturating_sub(lane.begins));
            if is_overtaken {
                lane.interrupt.request();
            }
        }
    }
}

/// Where a member was when the verdict was there, by the clock of the race: the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It had come to its end.
    Ended,
    /// It was at work: how far it has come then depends on when it was stopped.
    Stopped,
    /// It should not have begun yet.
    Early,
}

/// What a member is told when it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It may go on.
    Goes,
    /// Another one has won, or nobody may go on.
    Over,
}

/// Somebody who is told which members run, whenever these are others.
pub(crate) type Listener<'l> = &'l (dyn Fn(&[usize]) + Sync);

/// How much time has been used.
pub(crate) type Clock<'l> = &'l (dyn Fn() -> Duration + Sync);

/// A race.
pub(crate) struct Race<'l> {
    state: Mutex<State>,
    news: Condvar,
    jobs: usize,
    listener: Listener<'l>,
    clock: Clock<'l>,
}

impl<'l> Race<'l> {
    /// Members that begin at these times, of which so many run at once.
    pub(crate) fn new(
        begins: impl IntoIterator<Item = u64>,
        jobs: usize,
        listener: Listener<'l>,
        clock: Clock<'l>,
    ) -> Self {
        let heard = Moment { real: Instant::now(), given: clock() };
        let lane = |begins| {
            let interrupt = Interrupt::default();
            Lane { begins, time: begins, stage: Stage::Waits, heard, interrupt, is_free: false }
        };
        let lanes = begins.into_iter().map(lane).collect();
        let state = Mutex::new(State { lanes, said: Vec::new(), won: None, is_stopped: false });
        Race { state, news: Condvar::new(), jobs: jobs.max(1), listener, clock }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has not left anything half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Moment {
        Moment { real: Instant::now(), given: (self.clock)() }
    }

    /// What stops the solver of a member.
    pub(crate) fn interrupt(&self, lane: usize) -> Interrupt {
        self.lock().lanes[lane].interrupt.clone()
    }

    /// A member has worked so much; it waits for its next turn.
    pub(crate) fn turn(&self, lane: usize, worked: u64) -> Turn {
        let mut now = self.now();
        let mut state = self.lock();
        let at = &mut state.lanes[lane];
        at.hear(worked, now);
        (at.stage, at.heard) = (Stage::Waits, now);
        self.news.notify_all();
        loop {
            state.listen(now);
            if state.is_stopped || state.is_overtaken(lane) {
                return Turn::Over;
            }
            if state.may_run(lane, self.jobs, now) {
                let at = &mut state.lanes[lane];
                (at.stage, at.heard) = (Stage::Runs, now);
                // Said before anybody else can change it, so the last word is true.
                state.changed().into_iter().for_each(self.listener);
                return Turn::Goes;
            }
            let waited = self.news.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            now = self.now();
        }
    }

    /// A member has ended, after so much work in all, with an answer or without.
    pub(crate) fn ended(&self, lane: usize, worked: u64, has_answer: bool) {
        let now = self.now();
        let mut state = self.lock();
        state.listen(now);
        let is_stopped = state.is_stopped;
        let at = &mut state.lanes[lane];
        at.hear(worked, now);
        at.stage = Stage::Over;
        at.is_free = !is_stopped && !at.interrupt.is_requested();
        let time = at.time;
        let is_earlier = match state.won {
            None => true,
            // How much somebody has done who was stopped in the middle is a matter of luck.
            Some(_) if state.is_stopped => false,
            Some((least, winner, _)) => (time, lane) < (least, winner),
        };
        if has_answer && is_earlier {
            let grace = micros(GRACE_PER_WORK, state.arrears(time)).saturating_add(GRACE);
            let grace = grace.min(MOST_GRACE);
            let since = state.won.map_or(Since { moment: now, grace }, |(.., since)| since);
            state.won = Some((time, lane, since));
        }
        state.stop_losers();
        state.changed().into_iter().for_each(self.listener);
        drop(state);
        self.news.notify_all();
    }

    /// Watches until all members have ended; `is_stopped` says when nobody may go on.
    pub(crate) fn watch(&self, is_stopped: impl Fn() -> bool) {
        let mut state = self.lock();
        while state.lanes.iter().any(|lane| lane.stage != Stage::Over) {
            let is_late = state.won.is_some_and(|(.., since)| {
                let used = (self.clock)().saturating_sub(since.moment.given);
                used > since.grace || since.moment.real.elapsed() > since.grace * PATIENCE
            });
            if is_late || is_stopped() {
                state.is_stopped = true;
                state.lanes.iter().for_each(|lane| lane.interrupt.request());
                self.news.notify_all();
            }
            let waited = self.news.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// When somebody had an answer.
    pub(crate) fn decided(&self) -> Option<u64> {
        self.lock().won.map(|(time, ..)| time)
    }

    /// Where a member was when the verdict was there, by the clock that counts work; who was at work without one.
    pub(crate) fn place(&self, lane: usize) -> Place {
        let state = self.lock();
        let at = &state.lanes[lane];
        match state.won {
            Some((time, winner, _)) if (time, winner) < (at.begins, lane) => Place::Early,
            Some((time, winner, _)) if (time, winner) < (at.time, lane) => Place::Stopped,
            _ if at.is_free => Place::Ended,
            _ => Place::Stopped,
        }
    }

    /// Who has won.
    pub(crate) fn winner(&self) -> Option<usize> {
        self.lock().won.map(|(_, winner, _)| winner)
    }
}

/// How long so much work takes, if a unit takes this.
fn micros(unit: Duration, work: u64) -> Duration {
    unit.saturating_mul(u32::try_from(work).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs members that each work in steps until they have an answer, if they ever have one; who wins.
    fn winner(members: &[(u64, u64, Option<u64>)], jobs: usize) -> Option<usize> {
        let race =
            Race::new(members.iter().map(|(begins, ..)| *begins), jobs, &|_| (), &crate::real_time);
        std::thread::scope(|scope| {
            for (lane, (_, step, answer)) in members.iter().enumerate() {
                let race = &race;
                scope.spawn(move || {
                    let mut worked = 0;
                    while race.turn(lane, worked) == Turn::Goes {
                        worked += step;
                        if answer.is_some_and(|answer| worked >= answer) {
                            return race.ended(lane, worked, true);
                        }
                        if worked > 10_000_000 {
                            break;
                        }
                    }
                    race.ended(lane, worked, false);
                });
            }
            race.watch(|| false);
        });
        race.winner()
    }

    #[test]
    fn the_least_time_wins_with_any_number_of_threads() {
        let members = [(0, 1_000, Some(900_000)), (200_000, 10, Some(40_000)), (0, 5_000, None)];
        for jobs in 1..=4 {
            assert_eq!(winner(&members, jobs), Some(1), "{jobs} jobs");
        }
        let members = [(0, 100, Some(239_999)), (200_000, 10, Some(40_000))];
        for jobs in 1..=3 {
            assert_eq!(winner(&members, jobs), Some(0), "{jobs} jobs");
        }
    }

    #[test]
    fn who_runs_is_said_whenever_it_changes() {
        let heard = Mutex::new(Vec::new());
        let listener = |running: &[usize]| heard.lock().expect("heard").push(running.to_vec());
        let race = Race::new([0, 10], 2, &listener, &crate::real_time);
        assert_eq!(race.turn(0, 0), Turn::Goes);
        assert_eq!(race.turn(0, 5), Turn::Goes);
        assert_eq!(race.turn(1, 0), Turn::Goes);
        race.ended(0, 30, false);
        race.ended(1, 30, false);
        let heard = heard.lock().expect("heard");
        assert_eq!(*heard, [vec![0], vec![0, 1], vec![1], vec![]]);
    }

    #[test]
    fn without_an_answer_nobody_wins() {
        assert_eq!(winner(&[(0, 50_000, None), (10, 70_000, None)], 1), None);
    }

    #[test]
    fn who_begins_late_does_not_begin_where_another_is_quick() {
        let race = Race::new([0, 1_000_000], 2, &|_| (), &crate::real_time);
        assert_eq!(race.turn(0, 0), Turn::Goes);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let turn = race.turn(1, 0);
                race.ended(1, 0, false);
                turn
            });
            std::thread::sleep(PERIOD);
            race.ended(0, 100, true);
            assert_eq!(second.join().ok(), Some(Turn::Over));
            race.watch(|| false);
        });
        assert_eq!(race.winner(), Some(0));
    }

    #[test]
    fn who_was_stopped_does_not_win_any_more() {
        let race = Race::new([0, 10, 20], 3, &|_| (), &crate::real_time);
        for lane in 0..3 {
            assert_eq!(race.turn(lane, 0), Turn::Goes);
        }
        race.ended(2, 1_000_000, true);
        // Nobody has come to an end in time.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !race.interrupt(0).is_requested() {
                    std::thread::sleep(PERIOD);
                }
                race.ended(0, 5, true);
                race.ended(1, 5, false);
            });
            race.watch(|| true);
        });
        assert_eq!(race.winner(), Some(2));
        assert_eq!(race.place(0), Place::Stopped);
    }

    #[test]
    fn who_is_behind_an_answer_stops_by_itself_when_it_has_worked_more() {
        let race = Race::new([0, 0, 500], 2, &|_| (), &crate::real_time);
        assert_eq!(race.turn(0, 0), Turn::Goes);
        assert_eq!(race.turn(1, 0), Turn::Goes);
        race.ended(0, 400, true);
        let behind = race.interrupt(1);
        behind.note(400);
        assert!(!behind.is_requested());
        behind.note(401);
        assert!(behind.is_requested());
        race.ended(1, 401, false);
        assert_eq!((race.place(1), race.place(2)), (Place::Stopped, Place::Early));
    }
}
