//! What `loupe loops` has found so far, and prints.

use super::Group;
use crate::args::{Emit, Format, Survey as Wanted};
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use loupe_report::loops::{self as report, Detail, Timed, Totals};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is printed.
enum Form {
    Scripts,
    Pictures,
    Text,
    Json,
}

/// A file that was looked at.
pub(super) struct Read {
    pub(super) group: usize,
    pub(super) name: String,
    pub(super) loops: Vec<Timed>,
    /// How many loops there are, also those that there was no time for.
    pub(super) planned: usize,
    pub(super) script: Option<String>,
    pub(super) assumptions: BTreeSet<String>,
}

impl Read {
    pub(super) fn new(group: usize, file: &Path) -> Self {
        let (loops, assumptions) = (Vec::new(), BTreeSet::new());
        let name = file.display().to_string();
        Read { group, name, loops, planned: 0, script: None, assumptions }
    }
}

impl Read {
    /// How many loops there was no time for.
    fn unseen(&self) -> usize {
        self.planned.saturating_sub(self.loops.len())
    }
}

/// All that was found.
pub(super) struct Listing {
    pub(super) read: Vec<Read>,
    pub(super) status: Status,
    groups: Vec<Group>,
    console: Console,
    form: Form,
    summary: bool,
    is_printed: bool,
}

/// The listing, for the thread that finds and for the one that ends it all.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<Listing>>);

impl Shared {
    pub(super) fn new(listing: Listing) -> Self {
        Shared(Arc::new(Mutex::new(listing)))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Listing> {
        // A panic while the lock is held leaves nothing half-done in it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listing {
    pub(super) fn new(command: &Wanted, console: &Console, groups: &[Group]) -> Self {
        let form = match (command.emit, command.dot, command.format) {
            (Some(Emit::Smt2), ..) => Form::Scripts,
            (None, true, _) => Form::Pictures,
            (None, false, Format::Json) => Form::Json,
            (None, false, Format::Text) => Form::Text,
        };
        Listing {
            read: Vec::new(),
            status: Status::Done,
            groups: groups.to_vec(),
            console: console.clone(),
            form,
            summary: command.summary,
            is_printed: false,
        }
    }

    /// The worst is what the command ends with: bad input before what was cut short.
    pub(super) fn worsen(&mut self, status: Status) {
        if self.status == Status::Done || status == Status::BadInput {
            self.status = status;
        }
    }

    /// The file that is being read.
    pub(super) fn last(&mut self, change: impl FnOnce(&mut Read)) {
        if let Some(read) = self.read.last_mut() {
            change(read);
        }
    }

    /// Prints it, once.
    pub(super) fn print(&mut self) -> Result<(), Failed> {
        if std::mem::replace(&mut self.is_printed, true) {
            return Ok(());
        }
        let text = match self.form {
            Form::Scripts => self.scripts(),
            Form::Pictures => self.pictures(),
            Form::Json => format!("{:#}", self.json()),
            Form::Text => self.text(),
        };
        write_result(&text, None)
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

    fn text(&self) -> String {
        let several = self.read.len() > 1;
        let detail = if self.summary { Detail::Cases } else { Detail::Line };
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
        if several || self.groups.iter().any(|group| group.is_folder) {
            out += &report::table(&self.totals());
        }
        out
    }

    fn totals(&self) -> Vec<Totals> {
        let total = |(number, group): (usize, &Group)| {
            let mut totals = Totals { name: group.name.clone(), ..Totals::default() };
            for read in self.read.iter().filter(|read| read.group == number) {
                totals.files += 1;
                read.loops.iter().for_each(|timed| totals.add(timed));
                totals.add_unseen(read.unseen());
            }
            totals
        };
        self.groups.iter().enumerate().map(total).collect()
    }

    fn json(&self) -> Json {
        let file = |read: &Read| {
            let loops: Vec<Json> =
                read.loops.iter().map(|timed| report::json(&read.name, timed)).collect();
            let unseen = read.unseen();
            let mut object = json!({
                "file": read.name,
                "loops": loops,
                "assumptions": read.assumptions,
                "version": env!("CARGO_PKG_VERSION"),
            });
            if unseen > 0 {
                object["unseen"] = json!(unseen);
            }
            object
        };
        match (&self.read[..], &self.groups[..]) {
            ([only], [group]) if !group.is_folder => file(only),
            _ => {
                let results: Vec<Json> = self.read.iter().map(file).collect();
                let totals = self.totals();
                let sum = report::sum(&totals).json();
                let totals: Vec<Json> = totals.iter().map(Totals::json).collect();
                json!({ "results": results, "totals": totals, "total": sum })
            }
        }
    }
}
