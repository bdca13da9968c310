//! The verifier: several techniques race for a verdict, and none of them is ever wrong.
//!
//! ```
//! use loupe_ir::source::Sources;
//! use loupe_verify::{Request, verify};
//!
//! let text = "main() { var i, n; n = input; i = 0; while (i < n) i = i + 1; if (i < 0) output 1 / 0; return 0; }";
//! let mut sources = Sources::new();
//! let tree = loupe_microc::parse(sources.add("race.uc", text), text).unwrap();
//! let names = loupe_microc::resolve(&tree).unwrap();
//! let program = loupe_microc::lower(&tree, &names, sources, Default::default());
//! let report = verify(&Request::new(&program), &|_, _| None)?;
//! assert!(report.exploration.is_safe());
//! # Ok::<(), loupe_engine::domain::InternalError>(())
//! ```
//!
//! Whatever a [`Member`] calls safe is safe, and an error counts only after a replay, so which one answers first matters only for the time that it takes and for which
//! inputs are shown. Those are the same in every run, see `race`.

mod member;
mod race;
mod study;
mod values;

pub use member::{Member, NoSuchMember};
pub use race::Place;
pub use study::{Studied, study};

use loupe_engine::domain::InternalError;
use loupe_ir::program::Program;
use loupe_solver::Interrupt;
use loupe_symbolic::explore::{Exploration, Explorer, Observer, Options, Stop, Supervisor};
use loupe_symbolic::invariants::{self, Outcome};
use loupe_symbolic::search::{self, Location};
use loupe_symbolic::target::places_of_errors;
use race::{Race, Turn};
use std::cell::RefCell;
use std::sync::{LazyLock, OnceLock};
use std::thread::{Builder, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// The work of the last attempts to find invariants: as much as there is time for.
const MOST_WORK: u64 = 2_000_000_000;

/// Z3 recurs over the depth of formulas, as deep as a first thread would let it.
const STACK: usize = 64 << 20;

/// What is to be verified, and how.
pub struct Request<'p> {
    /// A valid program.
    pub program: &'p Program,
    /// The property, what is assumed, limits; what is done about loops is for the members to choose. What is said of a draft is for [`Member::Guided`]. The interrupt of the solver's limits stops all of them.
    pub options: Options,
    /// Who races.
    pub members: Vec<Member>,
    /// How many of them run at once.
    pub jobs: usize,
    /// Is told how far members are.
    pub watcher: &'p Watcher<'p>,
    /// Is told what members have come to that have ended: what is known if others do not.
    pub found: &'p Found<'p>,
    /// Is told who runs, whenever that changes: if the process dies, one of these was the reason.
    pub listener: Listener<'p>,
    /// The clock by which members that are behind may go on for a moment when there is an answer.
    pub clock: &'p (dyn Fn() -> Duration + Sync),
}

/// Somebody who is told how far members are: how much they have found, and how many states wait.
pub type Watcher<'w> = dyn Fn(Member, &Exploration, usize) + Sync + 'w;

/// Somebody who is told what a member has come to.
pub type Found<'f> = dyn Fn(Member, &Exploration) + Sync + 'f;

/// The time since somebody asked first.
fn real_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Somebody who is told which members run.
pub type Listener<'l> = &'l (dyn Fn(&[Member]) + Sync);

impl<'p> Request<'p> {
    /// All members, one at a time, with the usual options.
    pub fn new(program: &'p Program) -> Self {
        let (members, jobs) = (Member::for_verdicts(), 1);
        let (options, listener) = (Options::default(), &|_: &[Member]| ());
        let (clock, watcher) = (&real_time, &|_: Member, _: &Exploration, _: usize| ());
        let found = &|_: Member, _: &Exploration| ();
        Request { program, options, members, jobs, watcher, found, listener, clock }
    }
}

/// What a member has come to.
#[derive(Debug)]
pub struct Run {
    /// Who.
    pub member: Member,
    /// What it has found.
    pub exploration: Exploration,
    /// Where it was when the verdict was there.
    pub place: Place,
}

/// What all of them have come to.
#[derive(Debug)]
pub struct Report {
    /// Who has decided; nobody if the verdict is unknown.
    pub winner: Option<Member>,
    /// When, by the clock of the race, which counts work.
    pub decided: Option<u64>,
    /// What the winner has found, or else the first member.
    pub exploration: Exploration,
    /// What the others have found that were begun.
    pub others: Vec<Run>,
}

/// Verifies a program. The supervisor is asked now and then whether everything must stop.
///
/// # Errors
///
/// If Loupe is broken; nothing that a program does is an error here.
pub fn verify(request: &Request<'_>, supervisor: &Supervisor<'_>) -> Result<Report, InternalError> {
    verify_observed(request, supervisor, None)
}

/// Somebody who looks at what one member explores.
pub type Observed<'o> = (Member, &'o mut (dyn Observer + Send));

/// The same, with somebody who looks at one of the members. What that one does depends on when others are stopped; what it has done by the time when the verdict was found ([`Report::decided`]) does not.
///
/// # Errors
///
/// If Loupe is broken; nothing that a program does is an error here.
pub fn verify_observed(
    request: &Request<'_>,
    supervisor: &Supervisor<'_>,
    mut observed: Option<Observed<'_>>,
) -> Result<Report, InternalError> {
    let property = request.options.property;
    let mut members: Vec<Member> =
        request.members.iter().copied().filter(|member| member.is_for(property)).collect();
    members.sort_unstable();
    members.dedup();
    if members.is_empty() {
        members.push(Member::Execution);
    }
    let running = |lanes: &[usize]| {
        let running: Vec<Member> = lanes.iter().map(|lane| members[*lane]).collect();
        (request.listener)(&running);
    };
    let begins = members.iter().map(|member| member.begins(&members));
    let race = Race::new(begins, request.jobs, &running, request.clock);
    let goals = Goals::new();
    let results: Vec<_> = std::thread::scope(|scope| {
        let (race, members, goals) = (&race, &members, &goals);
        let mut threads = Vec::with_capacity(members.len());
        for (lane, member) in members.iter().copied().enumerate() {
            let looks = observed.take_if(|(watched, _)| *watched == member);
            let run = move || match looks {
                Some((_, observer)) => {
                    run(request, race, (lane, member), (observer, supervisor), goals)
                }
                None => run(request, race, (lane, member), (&mut (), supervisor), goals),
            };
            let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            // Who has no thread comes to nothing; without any, nobody has run.
            let thread = thread.inspect_err(|_| race.ended(lane, 0, false));
            threads.push(thread);
        }
        let stop: &Interrupt = &request.options.solver.interrupt;
        race.watch(|| stop.is_requested());
        let joined = |thread: std::io::Result<ScopedJoinHandle<'_, _>>| match thread {
            Ok(thread) => thread.join(),
            Err(_) => Ok(Ok(None)),
        };
        threads.into_iter().map(joined).collect()
    });
    let winner = race.winner();
    let mut runs = Vec::with_capacity(members.len());
    let mut broken = None;
    for (lane, result) in results.into_iter().enumerate() {
        match result {
            Ok(Ok(Some(exploration))) => runs.push((lane, exploration)),
            Ok(Ok(None)) => {}
            Ok(Err(error)) => broken = broken.or(Some(error)),
            Err(_) => {
                let what = format!("the member `{}` panicked", members[lane]);
                broken = broken.or(Some(InternalError(what)));
            }
        }
    }
    let first = winner.or_else(|| runs.first().map(|(lane, _)| *lane));
    let Some(position) = runs.iter().position(|(lane, _)| Some(*lane) == first) else {
        // Nobody had a turn before everything had to stop.
        let nothing = Outcome::Unknown(Vec::new());
        let mut exploration = Exploration::of_invariants(request.program, nothing, 0);
        exploration.stop = supervisor(&exploration, 0).unwrap_or(Stop::Interrupted);
        let (winner, decided, others) = (None, None, Vec::new());
        return match broken {
            Some(error) => Err(error),
            None => Ok(Report { winner, decided, exploration, others }),
        };
    };
    // A verdict of one is no worse for what is broken in another; without one it must be known.
    if let (None, Some(error)) = (winner, broken) {
        return Err(error);
    }
    let (_, exploration) = runs.remove(position);
    let others = runs.into_iter();
    let others = others.map(|(lane, exploration)| {
        let place = race.place(lane);
        Run { member: members[lane], exploration, place }
    });
    let others = others.collect();
    let (winner, decided) = (winner.map(|lane| members[lane]), race.decided());
    Ok(Report { winner, decided, exploration, others })
}

/// The only places where something may go wrong, once somebody has asked for them; nothing if nobody knows.
type Goals = OnceLock<Option<Vec<Location>>>;

/// Runs a member when it is its turn; nothing if that never comes.
fn run(
    request: &Request<'_>,
    race: &Race<'_>,
    (lane, member): (usize, Member),
    (observer, supervisor): (&mut dyn Observer, &Supervisor<'_>),
    goals: &Goals,
) -> Result<Option<Exploration>, InternalError> {
    let ends = EndsAnyway { race, lane };
    if race.turn(lane, 0) == Turn::Over {
        return Ok(None);
    }
    let (mut options, strategy) = member.plan(&request.options);
    options.solver.interrupt = race.interrupt(lane);
    let mut errors = places_of_errors(request.program, options.property);
    if member.has_goals()
        && let Some(goals) = goals.get_or_init(|| values::goals(request.program, &options))
    {
        errors.clone_from(goals);
        options.goals = Some(goals.as_slice().into());
    }
    let search = search::strategy(strategy, request.program, options.seed, &errors);
    let supervised = |so_far: &Exploration, waiting: usize| {
        (request.watcher)(member, so_far, waiting);
        let stop = supervisor(so_far, waiting);
        if stop.is_some() || race.turn(lane, so_far.effort) == Turn::Goes {
            return stop;
        }
        // Time may have run out while it waited.
        supervisor(so_far, waiting).or(Some(Stop::Interrupted))
    };
    let exploration = match member {
        Member::Values => values::prove(request.program, &options),
        Member::Invariants => {
            options.solver.work = MOST_WORK;
            let nothing = Outcome::Unknown(Vec::new());
            let so_far = RefCell::new(Exploration::of_invariants(request.program, nothing, 0));
            let stop = |effort: u64| {
                so_far.borrow_mut().effort = effort;
                supervised(&so_far.borrow(), 0).map(|stop| stop.to_string())
            };
            let (outcome, effort) = invariants::prove(request.program, &options, &stop)?;
            Exploration::of_invariants(request.program, outcome, effort)
        }
        _ => Explorer::new(request.program, options, search).run(observer, &supervised)?,
    };
    let has_answer = exploration.is_violated() || exploration.is_safe();
    (request.found)(member, &exploration);
    race.ended(lane, exploration.effort, has_answer);
    std::mem::forget(ends);
    Ok(Some(exploration))
}

/// Nobody waits for a member that comes to nothing.
struct EndsAnyway<'r> {
    race: &'r Race<'r>,
    lane: usize,
}

impl Drop for EndsAnyway<'_> {
    fn drop(&mut self) {
        self.race.ended(self.lane, 0, false);
    }
}
