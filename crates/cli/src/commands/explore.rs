//! `loupe explore`, and what commands that explore have in common

pub(crate) mod ablate;

use super::assumptions::{data_model_assumption, library_assumptions};
use crate::args::{self, DataModel, Explore, Exploring, Format, Index, Source};
use crate::console::{Console, write_result, write_whole};
use crate::load::{self, Loaded, Purpose};
use crate::properties::{self, Task};
use crate::status::{Failed, Status};
use crate::supervise;
use loupe_engine::domain::InternalError;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::FileId;
use loupe_report::explore::{self as report, Verdict};
use loupe_solver::{Interrupt, Limits as SolverLimits};
use loupe_symbolic::domain::SymbolicIndex;
use loupe_symbolic::explore::{
    AllErrors, Draft, DraftFor, DraftUntil, Exploration, Explorer, Limits, LoopMode, Merge,
    Observer, Options, Stop, Subsumed, Supervisor, Templates, Undefined, explore as explore_in,
};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{self, Strategy, places_of_line};
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many states are executed between two looks at the memory of the process.
const STATES_BETWEEN_LOOKS: u64 = 64;

pub(crate) fn explore(explore: &Explore, console: &Console) -> Result<ExitCode, Failed> {
    let work = Work::new(&explore.source, &explore.exploring, Strategy::Bfs, console)?;
    let first = explore.first_error || explore.thesis;
    let all = if first { AllErrors::StopAtFirst } else { AllErrors::GoOn };
    let timeout = seconds(explore);
    let how = How {
        all,
        timeout,
        keep_tree: explore.tree.is_some(),
        loops: args::Loops::Unroll,
        live: explore.format == Format::Text,
        instances: args::INSTANCES,
        draft: wanted_draft(&explore.exploring, timeout),
        limit_cost: if explore.thesis { THESIS_LIMIT_COST } else { Merge::LIMIT_COST },
        subsumed: Subsumed::All,
    };
    let (exploration, seconds) = work.run(how, None)?;
    let program = &work.loaded.program;
    if let (Some(file), Some(tree)) = (&explore.tree, &exploration.tree) {
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let text = match is_json {
            true => format!("{:#}", loupe_report::tree::json(program, tree)),
            false => loupe_report::tree::dot(program, tree),
        };
        write_result(&text, Some(file))?;
    }
    if let Some(folder) = &explore.output {
        write_figures(folder, &exploration, seconds)?;
    }
    match explore.format {
        Format::Text => {
            for violation in exploration.violations.values() {
                if let Some(message) = report::violation(program, violation) {
                    console.message(&message, &program.sources);
                }
            }
            for found in exploration.endless.values() {
                console.message(&report::endless(program, found), &program.sources);
            }
            let mut text = report::text(program, &exploration);
            if explore.profile {
                text = format!("{text}\n{}", report::profile(program, &exploration));
            }
            if explore.annotations {
                text = format!("{text}\n{}", report::annotations(program, &exploration));
            }
            work.note_assumptions(&exploration, console);
            write_result(&text, None)?;
        }
        Format::Json => {
            let mut object = report::json(program, &exploration);
            object["seconds"] = json!(seconds);
            object["peak_memory_bytes"] = json!(peak_memory());
            object["assumptions"] = json!(work.assumptions(&exploration));
            write_result(&format!("{object:#}"), None)?;
        }
    }
    Ok(status(&exploration).into())
}

/// What the exploration of a program comes to if no proof is asked for.
pub(super) fn status(exploration: &Exploration) -> Status {
    match Verdict::of(exploration) {
        Verdict::Unsafe => Status::Violation,
        // That paths have no model or end undefined was said; it is only cut short by a limit.
        _ if exploration.stop == Stop::Complete && exploration.cut_off == 0 => Status::Done,
        _ => Status::Unknown,
    }
}

/// The limit for the costs of merging that the thesis' executor has.
const THESIS_LIMIT_COST: u64 = 1;

/// How long the thesis' executor runs.
const THESIS_SECONDS: f64 = 30.0;

/// How long an exploration may take.
pub(crate) fn seconds(explore: &Explore) -> f64 {
    if explore.thesis { THESIS_SECONDS } else { explore.exploring.timeout }
}

/// The files that the thesis' executor writes.
fn write_figures(folder: &Path, exploration: &Exploration, seconds: f64) -> Result<(), Failed> {
    let cannot = |error: std::io::Error| {
        Failed::bad_input(format!("cannot write to `{}`: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    // Paths with an error do not count, as in section 6.2 of the thesis.
    let figures = [
        ("coverage.txt", exploration.finished.to_string()),
        ("time.txt", format!("{:.0}", seconds * 1000.0)),
        ("error.txt", exploration.violations.len().to_string()),
    ];
    for (name, figure) in figures {
        write_whole(&folder.join(name), format!("{figure}\n")).map_err(cannot)?;
    }
    Ok(())
}

/// How a program is explored, beyond what the user says.
pub(super) struct How {
    pub(super) all: AllErrors,
    pub(super) timeout: f64,
    pub(super) keep_tree: bool,
    /// What is done about loops where nobody says.
    pub(super) loops: args::Loops,
    /// Whether somebody may look on.
    pub(super) live: bool,
    /// How many instances of conditions on all iterations are looked at.
    pub(super) instances: u32,
    /// Whether a necessary condition is looked for first.
    pub(super) draft: Option<Draft>,
    /// So many questions about what differs are too many for merging, where nobody says.
    pub(super) limit_cost: u64,
    /// Which states stop of which nothing can come, if any shall.
    pub(super) subsumed: Subsumed,
}

/// The part of the time that a necessary condition has.
const DRAFT_SHARE: f64 = 0.5;

/// That a necessary condition is looked for first.
pub(super) fn draft(timeout: f64, purpose: DraftFor) -> Draft {
    let time = Duration::try_from_secs_f64(timeout * DRAFT_SHARE).unwrap_or(Duration::MAX);
    Draft { time, purpose, ways: Draft::WAYS, until: DraftUntil::Gone }
}

/// The draft that the user wants.
pub(super) fn wanted_draft(exploring: &Exploring, timeout: f64) -> Option<Draft> {
    exploring.guide.then(|| draft(timeout, DraftFor::Guidance))
}

/// A line on the terminal that says how far it is.
struct Progress {
    start: Instant,
    /// When it was written last, in milliseconds from the start.
    last: AtomicU64,
}

impl Progress {
    /// Only a terminal has one.
    fn new() -> Option<Self> {
        let is_terminal = supervise::has_terminal_for_messages();
        is_terminal.then(|| Progress { start: Instant::now(), last: AtomicU64::new(800) })
    }

    fn show(&self, so_far: &Exploration, waiting: usize) {
        let now = self.start.elapsed().as_millis() as u64;
        let last = self.last.load(Ordering::Relaxed);
        // Whoever is first in a fifth of a second writes it.
        let is_due = now >= last + 200;
        let order = Ordering::Relaxed;
        if is_due && self.last.compare_exchange(last, now, order, order).is_ok() {
            let (paths, errors) = (so_far.paths(), so_far.violations.len());
            let seconds = now as f64 / 1000.0;
            supervise::tell(&format!(
                "\r\x1b[K{seconds:.1} s: {paths} paths, {waiting} states wait, {errors} errors"
            ));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.last.load(Ordering::Relaxed) > 800 {
            supervise::tell("\r\x1b[K");
        }
    }
}

/// Whether a run-time error that is not looked for is an end like others: what fails in microc is an error with a meaning, and errors end executions.
pub(super) fn errors_end(property: Property, source: &Source) -> bool {
    matches!(property, Property::Termination | Property::Target) && !load::is_c(source)
}

/// A program that is about to be explored.
pub(super) struct Work<'a> {
    pub(super) source: Source,
    exploring: &'a Exploring,
    pub(super) property: Property,
    pub(super) search: Strategy,
    pub(super) loaded: Loaded,
}

impl<'a> Work<'a> {
    /// The program, with a search that is taken unless the user wants another.
    pub(super) fn new(
        source: &Source,
        exploring: &'a Exploring,
        usual: Strategy,
        console: &Console,
    ) -> Result<Self, Failed> {
        let task = properties::single(source, exploring, console)?;
        Work::for_task(&task, source, exploring, usual, console)
    }

    /// The same for one of several things that are asked.
    pub(super) fn for_task(
        task: &Task,
        source: &Source,
        exploring: &'a Exploring,
        usual: Strategy,
        console: &Console,
    ) -> Result<Self, Failed> {
        let search = exploring.search.unwrap_or(usual);
        let (property, source) = (task.property, task.source(source)?);
        let demands = task.demands();
        let mut loaded = load::checked_program(&source, Purpose::Execute, &demands, console)?;
        let entry = loaded.program.function(loaded.program.entry);
        if entry.params > 0 {
            let name = &entry.name;
            return Err(Failed::bad_input(format!(
                "`{name}` takes arguments; let it read inputs instead"
            )));
        }
        loaded.program = task.with_checks(loaded.program)?;
        Ok(Work { source, exploring, property, search, loaded })
    }

    /// The same for another program, of which only matters whether something is reached.
    pub(super) fn for_targets(&self, program: Program) -> Self {
        let assumptions = self.loaded.assumptions.clone();
        let loaded = Loaded { program, assumptions, is_target_dead: false };
        let (property, search) = (Property::Target, Strategy::Dfs);
        let source = self.source.clone();
        Work { source, exploring: self.exploring, property, search, loaded }
    }

    fn options(&self, how: &How, interrupt: Interrupt) -> Options {
        let exploring = self.exploring;
        let loops = exploring.loops.unwrap_or(how.loops);
        let solver = SolverLimits { interrupt, ..SolverLimits::default() };
        Options {
            goals: None,
            property: self.property,
            all_errors: how.all,
            keep_tree: how.keep_tree,
            undefined: match exploring.assume_defined {
                true => Undefined::AssumedAbsent,
                false if errors_end(self.property, &self.source) => Undefined::Ended,
                false => Undefined::Unknown,
            },
            limits: Limits {
                paths: exploring.max_paths,
                depth: Some(exploring.max_depth),
                iterations: exploring.max_iterations,
                steps: None,
            },
            symbolic_index: match exploring.symbolic_index {
                Index::Ite => SymbolicIndex::Ite,
                Index::Fork => SymbolicIndex::Fork,
            },
            loops: match loops {
                args::Loops::Unroll => LoopMode::Unroll,
                args::Loops::Summary => LoopMode::Summary,
                args::Loops::Compact => LoopMode::Compact,
                args::Loops::Necessary => LoopMode::Necessary,
                args::Loops::Auto | args::Loops::Invariants => LoopMode::Auto,
            },
            templates: match exploring.templates {
                args::Templates::Turns => Templates::InTurns,
                args::Templates::Random => Templates::AtRandom,
            },
            instances: how.instances,
            draft: how.draft,
            merge: exploring.merge(how.limit_cost),
            subsume: exploring.subsume(how.subsumed),
            seed: exploring.seed,
            loop_limits: loupe_symbolic::summary::Limits::default(),
            solver,
            without_links: exploring.without.iter().copied().collect(),
            end_of_input: self.end_of_input(),
        }
    }

    /// What is read behind the end of the input.
    pub(super) fn end_of_input(&self) -> Integer {
        Integer::from(if load::is_c(&self.source) { 0 } else { -1 })
    }

    /// Explores the program; how long it took.
    pub(super) fn run(
        &self,
        how: How,
        observer: Option<&mut dyn Observer>,
    ) -> Result<(Exploration, f64), Failed> {
        let exploring = self.exploring;
        if exploring.loops == Some(args::Loops::Invariants) {
            return Err(Failed::bad_input("--loops invariants is for `loupe verify`"));
        }
        let program = &self.loaded.program;
        let targets = match exploring.target {
            // The file that was named first has the lines that the user means.
            Some(line) => places_of_line(program, FileId(0), line),
            None => Vec::new(),
        };
        if exploring.target.is_some() && targets.is_empty() {
            return Err(Failed::bad_input("--target: nothing is executed in that line"));
        }
        let (kind, seed) = (self.search, exploring.seed);
        let search = || search::strategy(kind, program, seed, &targets);
        let jobs = exploring.jobs.map_or(1, NonZeroUsize::get);
        self.watched(&how, |options, supervisor| match observer {
            // Whoever watches sees paths one after the other.
            Some(observer) => Explorer::new(program, options, search()).run(observer, supervisor),
            None => explore_in(program, &options, &search, jobs, supervisor),
        })
    }

    /// Does something under the limits of time and memory, with a line on the terminal that says how far it is; how long it took.
    pub(super) fn watched<T>(
        &self,
        how: &How,
        work: impl FnOnce(Options, &Supervisor<'_>) -> Result<T, InternalError>,
    ) -> Result<(T, f64), Failed> {
        let timeout = Duration::try_from_secs_f64(how.timeout);
        let timeout =
            timeout.map_err(|_| Failed::bad_input("--timeout: not a number of seconds"))?;
        let interrupt = Interrupt::default();
        let clock = Clock::start(timeout, interrupt.clone(), || {})?;
        let options = self.options(how, interrupt);
        let progress = how.live.then(Progress::new).flatten();
        let looks = AtomicU64::new(0);
        let supervisor = |so_far: &Exploration, waiting: usize| {
            if let Some(progress) = &progress {
                progress.show(so_far, waiting);
            }
            let looks = looks.fetch_add(1, Ordering::Relaxed);
            clock.stop().or_else(|| too_large(looks, self.exploring.max_memory))
        };
        let worked = work(options, &supervisor);
        drop(progress);
        let result = worked.map_err(|error| Failed::internal(error.to_string()))?;
        Ok((result, clock.seconds()))
    }

    pub(super) fn assumptions(&self, exploration: &Exploration) -> Vec<String> {
        let mut all = self.loaded.assumptions.clone();
        if let Some(text) = &self.source.c.assume {
            all.push(format!("`{text}` holds where the program starts"));
        }
        if load::is_c(&self.source) {
            let model = self.source.c.data_model.unwrap_or(DataModel::Lp64);
            all.extend(data_model_assumption(&self.loaded.program, model));
        }
        all.extend(library_assumptions(&self.loaded.program));
        all.extend(exploration.assumptions.iter().cloned());
        if self.exploring.assume_defined {
            all.push("nothing undefined happens".to_owned());
        }
        all
    }

    pub(super) fn note_assumptions(&self, exploration: &Exploration, console: &Console) {
        for assumption in self.assumptions(exploration) {
            console.note(&format!("note: {assumption}"));
        }
    }
}

/// Says when it is time to stop, and stops what the solver does then.
pub(super) struct Clock {
    start: Instant,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
}

impl Clock {
    /// Starts it. A worker that does not stop when it is asked to says its `last_words`.
    pub(super) fn start(
        timeout: Duration,
        interrupt: Interrupt,
        last_words: impl FnOnce() + Send + 'static,
    ) -> Result<Self, Failed> {
        let start = Instant::now();
        let deadline = start.checked_add(timeout);
        let interrupted = Arc::new(AtomicBool::new(false));
        let (set, stop) = (Arc::clone(&interrupted), interrupt.clone());
        let stop = move || {
            set.store(true, Ordering::Relaxed);
            stop.request();
        };
        supervise::on_stop(stop, last_words)?;
        std::thread::spawn(move || {
            std::thread::sleep(timeout);
            interrupt.request();
        });
        Ok(Clock { start, deadline, interrupted })
    }

    pub(super) fn stop(&self) -> Option<Stop> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| Stop::Time)
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Whether the process has more memory than it may, where the system tells.
fn too_large(looks: u64, megabytes: u64) -> Option<Stop> {
    if !looks.is_multiple_of(STATES_BETWEEN_LOOKS) {
        return None;
    }
    (status_of_process("VmRSS:")? > megabytes << 20).then_some(Stop::Memory(megabytes))
}

pub(super) fn peak_memory() -> Option<u64> {
    status_of_process("VmHWM:")
}

/// A number of bytes that the system says of this process.
fn status_of_process(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
