//! `loupe loops`

use crate::args::{Emit, Format, Language, Source, Survey as Wanted};
use crate::commands::explore::Clock;
use crate::console::{Console, write_result};
use crate::load::{self, Purpose};
use crate::status::{Failed, Status};
use loupe_loops::assumption;
use loupe_report::loops::{self as report, Detail, Timed, Totals};
use loupe_solver::Interrupt;
use loupe_symbolic::summary::survey::{Options, Questions, Survey};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Files with these endings are looked for in folders.
const ENDINGS: [&str; 5] = ["c", "i", "uc", "microc", "lir"];

pub(crate) fn execute(command: &Wanted, console: &Console) -> Result<ExitCode, Failed> {
    let groups = groups(command)?;
    let timeout = Duration::try_from_secs_f64(command.timeout)
        .map_err(|_| Failed::bad_input("--timeout: not a number of seconds"))?;
    let interrupt = Interrupt::default();
    let mut options = Options::default();
    options.effort.limits.interrupt = interrupt.clone();
    let clock = Clock::start(timeout, interrupt)?;
    let mut work = Work {
        command,
        console,
        clock,
        options,
        progress: Progress::new(command, groups.iter().map(|group| group.files.len()).sum()),
        read: Vec::new(),
        status: Status::Done,
        used: Used::default(),
    };
    for group in &groups {
        work.group(group)?;
    }
    work.finish(&groups)
}

/// An argument: a file, or a folder with all that is in it.
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
fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
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

/// A file that was looked at.
struct Read {
    group: usize,
    name: String,
    loops: Vec<Timed>,
    script: Option<String>,
    assumptions: BTreeSet<String>,
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
    read: Vec<Read>,
    status: Status,
    used: Used,
}

impl Work<'_> {
    fn group(&mut self, group: &Group) -> Result<(), Failed> {
        let number = self.read.last().map_or(0, |read| read.group + 1);
        let number = if self.read.is_empty() { 0 } else { number };
        for file in &group.files {
            if self.clock.stop().is_some() {
                self.worsen(Status::Unknown);
                break;
            }
            match self.file(number, file) {
                Ok(read) => self.read.push(read),
                // One that cannot be read does not stop the others.
                Err(Failed::Message(Status::Internal, text)) => {
                    return Err(Failed::Message(Status::Internal, text));
                }
                Err(failed) => {
                    if let Failed::Message(_, text) = &failed {
                        self.console.error(text);
                    }
                    self.worsen(Status::BadInput);
                    let (name, loops) = (file.display().to_string(), Vec::new());
                    let assumptions = BTreeSet::new();
                    self.read.push(Read { group: number, name, loops, script: None, assumptions });
                }
            }
            self.progress.file_done();
        }
        Ok(())
    }

    /// The worst is what the command ends with: bad input before what was cut short.
    fn worsen(&mut self, status: Status) {
        if self.status == Status::Done || status == Status::BadInput {
            self.status = status;
        }
    }

    fn file(&mut self, group: usize, file: &Path) -> Result<Read, Failed> {
        let command = self.command;
        let mut source: Source = command.source.clone();
        let assume = source.c.assume.take();
        source.files = vec![file.to_owned()];
        if source.lang.is_none() && file.extension().is_some_and(|ending| ending == "h") {
            source.lang = Some(Language::C);
        }
        let loaded = load::checked_program(&source, Purpose::Show, &[], self.console)?;
        let program = &loaded.program;
        let survey = Survey::new(program, self.options.clone());
        let mut survey = survey.map_err(|error| Failed::internal(error.to_string()))?;
        let asked = Questions { assume: assume.as_deref(), interest: &command.interest };
        let mut read = Read {
            group,
            name: file.display().to_string(),
            loops: Vec::new(),
            script: None,
            assumptions: loaded.assumptions.iter().cloned().collect(),
        };
        for found in survey.loops() {
            if command.function.as_ref().is_some_and(|wanted| *wanted != found.function) {
                continue;
            }
            self.used.function = true;
            if self.clock.stop().is_some() {
                self.worsen(Status::Unknown);
                break;
            }
            self.progress.show(&read.name);
            let start = Instant::now();
            let study = survey.study(&found, &asked);
            let study = study.map_err(|error| Failed::internal(error.to_string()))?;
            let seconds = start.elapsed().as_secs_f64();
            self.used.loops = true;
            self.used.assumption |= study.assumptions.iter().any(|text| text.ends_with("at entry"));
            read.assumptions.extend(study.assumptions.iter().cloned());
            self.progress.loop_done();
            read.loops.push(Timed { study, seconds });
        }
        for (function, span) in survey.irreducible() {
            let name = &program.function(function).name;
            self.console.note(&format!(
                "note: {}:{}: a cycle in `{name}` is entered at several places and is no loop",
                read.name, span.start.line
            ));
        }
        if command.emit == Some(Emit::Smt2) {
            let script = survey.script();
            read.script = Some(script.map_err(|error| Failed::bad_input(error.to_string()))?);
        }
        Ok(read)
    }

    fn finish(mut self, groups: &[Group]) -> Result<ExitCode, Failed> {
        self.progress.clear();
        let command = self.command;
        let names_nothing = self.status == Status::Done && self.used.loops;
        if let Some(function) = &command.function
            && !self.used.function
            && self.status == Status::Done
        {
            let text = format!("--function: there is no loop in a function `{function}`");
            return Err(Failed::bad_input(text));
        }
        if command.source.c.assume.is_some() && !self.used.assumption && names_nothing {
            return Err(Failed::bad_input("--assume: no loop has all of these variables"));
        }
        let text = match (command.emit, command.dot, command.format) {
            (Some(Emit::Smt2), ..) => self.scripts(),
            (None, true, _) => self.pictures(),
            (None, false, Format::Json) => format!("{:#}", self.json(groups)),
            (None, false, Format::Text) => self.text(groups),
        };
        write_result(&text, None)?;
        Ok(self.status.into())
    }

    fn scripts(&self) -> String {
        let several = self.read.len() > 1;
        let mut out = String::new();
        for read in &self.read {
            if several {
                out +=
                    &format!("{}; {}\n", if out.is_empty() { "" } else { "(reset)\n" }, read.name);
            }
            for assumption in &read.assumptions {
                out += &format!("; assumed: {assumption}\n");
            }
            out += read.script.as_deref().unwrap_or("");
        }
        out
    }

    fn pictures(&self) -> String {
        let loops = self.read.iter().flat_map(|read| &read.loops);
        let known = loops.filter_map(|timed| timed.study.outcome.as_ref().ok());
        known.map(|known| known.dot.as_str()).collect()
    }

    fn text(&self, groups: &[Group]) -> String {
        let several = self.read.len() > 1;
        let detail = if self.command.summary { Detail::Cases } else { Detail::Line };
        let mut out = String::new();
        for read in &self.read {
            let is_quiet = several && read.loops.is_empty();
            if is_quiet {
                continue;
            }
            if several {
                out += &format!("{}\n", read.name);
            }
            out += &match read.loops.is_empty() {
                true if self.status == Status::Done => "no loops\n".to_owned(),
                true => String::new(),
                false => report::text(&read.loops, detail),
            };
            for assumption in &read.assumptions {
                self.console.note(&format!("note: {assumption}"));
            }
            if several {
                out.push('\n');
            }
        }
        if several || groups.iter().any(|group| group.is_folder) {
            out += &report::table(&self.totals(groups));
        }
        out
    }

    fn totals(&self, groups: &[Group]) -> Vec<Totals> {
        let total = |(number, group): (usize, &Group)| {
            let mut totals = Totals { name: group.name.clone(), ..Totals::default() };
            for read in self.read.iter().filter(|read| read.group == number) {
                totals.files += 1;
                read.loops.iter().for_each(|timed| totals.add(timed));
            }
            totals
        };
        groups.iter().enumerate().map(total).collect()
    }

    fn json(&self, groups: &[Group]) -> Json {
        let file = |read: &Read| {
            let loops: Vec<Json> =
                read.loops.iter().map(|timed| report::json(&read.name, timed)).collect();
            json!({
                "file": read.name,
                "loops": loops,
                "assumptions": read.assumptions,
                "version": env!("CARGO_PKG_VERSION"),
            })
        };
        match (&self.read[..], groups) {
            ([only], [group]) if !group.is_folder => file(only),
            _ => {
                let results: Vec<Json> = self.read.iter().map(file).collect();
                let totals = self.totals(groups);
                let sum = report::sum(&totals).json();
                let totals: Vec<Json> = totals.iter().map(Totals::json).collect();
                json!({ "results": results, "totals": totals, "total": sum })
            }
        }
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
        let is_wanted = command.format == Format::Text && std::io::stderr().is_terminal();
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
        eprint!("\r\x1b[K{bar} {done}/{files} files, {loops} loops: {file}");
    }

    fn clear(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
            self.shown = false;
        }
    }
}
