//! `loupe loops`

mod listing;

use crate::args::{Emit, Format, Language, Source, Survey as Wanted};
use crate::commands::explore::Clock;
use crate::console::Console;
use crate::load::{self, Demands, Purpose};
use crate::status::{Failed, Status};
use crate::supervise;
use listing::{Listing, Read, Shared};
use loupe_loops::assumption;
use loupe_report::loops::Timed;
use loupe_solver::Interrupt;
use loupe_symbolic::summary::survey::{Found, Options, Questions, Survey};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Files with these endings are looked for in folders.
pub(super) const ENDINGS: [&str; 5] = ["c", "i", "uc", "microc", "lir"];

pub(crate) fn execute(command: &Wanted, console: &Console) -> Result<ExitCode, Failed> {
    let groups = groups(command)?;
    let timeout = Duration::try_from_secs_f64(command.timeout)
        .map_err(|_| Failed::bad_input("--timeout: not a number of seconds"))?;
    let interrupt = Interrupt::default();
    let mut options = Options::with_effort(command.effort);
    options.effort.limits.interrupt = interrupt.clone();
    let listing = Shared::new(Listing::new(command, console, &groups));
    let so_far = listing.clone();
    let clock = Clock::start(timeout, interrupt, move || {
        let mut listing = so_far.lock();
        listing.worsen(Status::Unknown);
        // Nobody is left to tell if that cannot be written.
        let _ = listing.print();
    })?;
    let mut work = Work {
        command,
        console,
        clock,
        options,
        progress: Progress::new(command, groups.iter().map(|group| group.files.len()).sum()),
        listing,
        used: Used::default(),
    };
    for (number, group) in groups.iter().enumerate() {
        work.group(number, group)?;
    }
    work.finish()
}

/// An argument: a file, or a folder with all that is in it.
#[derive(Clone)]
struct Group {
    name: String,
    is_folder: bool,
    files: Vec<PathBuf>,
}

fn groups(command: &Wanted) -> Result<Vec<Group>, Failed> {
    if let Some(text) = &command.source.c.assume {
        let wrong = |error: assumption::NoFormula| Failed::bad_input(format!("--assume: {error}"));
        assumption::names(text).map_err(wrong)?;
    }
    let mut groups = Vec::new();
    for argument in &command.source.files {
        let name = argument.display().to_string();
        let is_folder = argument.is_dir();
        let files = if is_folder { programs_in(argument)? } else { vec![argument.clone()] };
        groups.push(Group { name, is_folder, files });
    }
    if groups.is_empty() {
        // A compilation database names the files.
        let sources = load::c_sources(&command.source)?;
        let files = sources.into_iter().map(|source| PathBuf::from(source.name)).collect();
        groups.push(Group { name: "compilation database".to_owned(), is_folder: true, files });
    }
    Ok(groups)
}

/// The programs in a folder and all below it, by name.
pub(super) fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let unreadable = |error: std::io::Error| {
            Failed::bad_input(format!("cannot read `{}`: {error}", folder.display()))
        };
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = entry.path();
            // Links are not followed: they may lead back.
            if entry.file_type().map_err(unreadable)?.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .and_then(|e| e.to_str())
                .is_some_and(|e| ENDINGS.contains(&e))
            {
                found.insert(path);
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// Which wishes of the user met something.
#[derive(Default)]
struct Used {
    function: bool,
    assumption: bool,
    loops: bool,
}

struct Work<'w> {
    command: &'w Wanted,
    console: &'w Console,
    clock: Clock,
    options: Options,
    progress: Progress,
    listing: Shared,
    used: Used,
}

impl Work<'_> {
    fn group(&mut self, number: usize, group: &Group) -> Result<(), Failed> {
        for file in &group.files {
            if self.clock.stop().is_some() {
                self.listing.lock().worsen(Status::Unknown);
                break;
            }
            self.listing.lock().read.push(Read::new(number, file));
            match self.file(file) {
                Ok(()) => {}
                // One that cannot be read does not stop the others.
                Err(Failed::Message(Status::Internal, text)) => {
                    return Err(Failed::Message(Status::Internal, text));
                }
                Err(failed) => {
                    if let Failed::Message(_, text) = &failed {
                        self.console.error(text);
                    }
                    self.listing.lock().worsen(Status::BadInput);
                }
            }
            self.progress.file_done();
        }
        Ok(())
    }

    fn file(&mut self, file: &Path) -> Result<(), Failed> {
        let command = self.command;
        let mut source: Source = command.source.clone();
        let assume = source.c.assume.take();
        source.files = vec![file.to_owned()];
        if source.lang.is_none() && file.extension().is_some_and(|ending| ending == "h") {
            source.lang = Some(Language::C);
        }
        let loaded =
            load::checked_program(&source, Purpose::Show, &Demands::default(), self.console)?;
        let program = &loaded.program;
        let survey = Survey::new(program, self.options.clone());
        let mut survey = survey.map_err(|error| Failed::internal(error.to_string()))?;
        let asked = Questions { assume: assume.as_deref(), interest: &command.interest };
        let name = file.display().to_string();
        self.listing.lock().last(|read| read.assumptions.extend(loaded.assumptions.clone()));
        let all = survey.loops();
        let is_wanted = |found: &&Found| {
            command.function.as_ref().is_none_or(|wanted| *wanted == found.function)
        };
        let planned = all.iter().filter(is_wanted).count();
        self.listing.lock().last(|read| read.planned = planned);
        for found in all {
            if command.function.as_ref().is_some_and(|wanted| *wanted != found.function) {
                continue;
            }
            self.used.function = true;
            if self.clock.stop().is_some() {
                self.listing.lock().worsen(Status::Unknown);
                break;
            }
            self.progress.show(&name);
            let start = Instant::now();
            let study = survey.study(&found, &asked);
            let study = study.map_err(|error| Failed::internal(error.to_string()))?;
            let seconds = start.elapsed().as_secs_f64();
            self.used.loops = true;
            self.used.assumption |= study.assumptions.iter().any(|text| text.ends_with("at entry"));
            self.progress.loop_done();
            self.listing.lock().last(|read| {
                read.assumptions.extend(study.assumptions.iter().cloned());
                read.loops.push(Timed { study, seconds });
            });
        }
        for (function, span) in survey.irreducible() {
            let (called, line) = (&program.function(function).name, span.start.line);
            self.console.note(&format!(
                "note: {name}:{line}: a cycle in `{called}` is entered at several places and is no loop"
            ));
        }
        if command.emit == Some(Emit::Smt2) {
            let script = survey.script().map_err(|error| Failed::bad_input(error.to_string()))?;
            self.listing.lock().last(|read| read.script = Some(script));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<ExitCode, Failed> {
        self.progress.clear();
        let command = self.command;
        let mut listing = self.listing.lock();
        let is_done = listing.status == Status::Done;
        if let Some(function) = &command.function
            && !self.used.function
            && is_done
        {
            let text = format!("--function: there is no loop in a function `{function}`");
            return Err(Failed::bad_input(text));
        }
        if command.source.c.assume.is_some() && !self.used.assumption && is_done && self.used.loops
        {
            return Err(Failed::bad_input("--assume: no loop has all of these variables"));
        }
        listing.print()?;
        Ok(listing.status.into())
    }
}

/// A bar on the terminal that says how far it is.
struct Progress {
    shown: bool,
    is_wanted: bool,
    start: Instant,
    last: Duration,
    files: usize,
    done: usize,
    loops: usize,
}

impl Progress {
    /// Only a terminal has one, and only after a second.
    fn new(command: &Wanted, files: usize) -> Self {
        let is_wanted = command.format == Format::Text && supervise::has_terminal_for_messages();
        let (start, last) = (Instant::now(), Duration::from_millis(800));
        Progress { shown: false, is_wanted, start, last, files, done: 0, loops: 0 }
    }

    fn file_done(&mut self) {
        self.done += 1;
    }

    fn loop_done(&mut self) {
        self.loops += 1;
    }

    fn show(&mut self, file: &str) {
        let now = self.start.elapsed();
        if !self.is_wanted || now < self.last + Duration::from_millis(200) {
            return;
        }
        (self.last, self.shown) = (now, true);
        let width = 24;
        let full = width * self.done / self.files.max(1);
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(width - full));
        let (done, files, loops) = (self.done, self.files, self.loops);
        supervise::tell(&format!("\r\x1b[K{bar} {done}/{files} files, {loops} loops: {file}"));
    }

    fn clear(&mut self) {
        if self.shown {
            supervise::tell("\r\x1b[K");
            self.shown = false;
        }
    }
}
