//! The journal as a file.

use super::reports;
use crate::console::Console;
use crate::status::Failed;
use loupe_bench::journal::{Entry, Journal};
use loupe_bench::{Campaign, Header, Record, Results, Run};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Its name in the folder.
pub(super) const NAME: &str = "journal.jsonl";

/// What is done with the runs that a journal has already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Earlier {
    /// There should be none.
    Refused,
    /// They count.
    Kept,
}

/// A journal that is being written. Nobody else writes to it meanwhile.
pub(super) struct JournalFile {
    path: PathBuf,
    file: File,
    journal: Journal,
}

/// Runs that need not be made again, by configuration and fingerprint.
pub(super) struct Done<'c> {
    campaign: &'c Campaign,
    runs: BTreeSet<(String, String)>,
}

impl Done<'_> {
    pub(super) fn has(&self, run: &Run<'_>) -> bool {
        let name = run.configuration.name.clone();
        self.runs.contains(&(name, self.campaign.fingerprint(run)))
    }
}

impl JournalFile {
    /// Opens the journal of a folder, which is made if it is not there. One that has runs is only added to by those who want that.
    pub(super) fn open(folder: &Path, earlier: Earlier, console: &Console) -> Result<Self, Failed> {
        reports::make_folder(folder)?;
        let path = folder.join(NAME);
        let cannot = |what: &str, error: std::io::Error| {
            Failed::bad_input(format!("cannot {what} `{}`: {error}", path.display()))
        };
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(|error| cannot("write", error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failed::bad_input(format!(
                    "another `loupe bench` is writing to `{}`",
                    folder.display()
                )));
            }
            // Where there are no locks, there are none.
            Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| cannot("read", error))?;
        let journal = Journal::read(&bytes)
            .map_err(|error| Failed::bad_input(format!("`{}`: {error}", path.display())))?;
        if earlier == Earlier::Refused && !journal.records.is_empty() {
            return Err(Failed::bad_input(format!(
                "`{}` has {} runs of an earlier call: `--resume` goes on with them, `-o` names another folder",
                path.display(),
                journal.records.len()
            )));
        }
        if journal.torn > 0 {
            console.note(&format!(
                "note: {} torn line(s) in `{}`; what they were about is done again",
                journal.torn,
                path.display()
            ));
        }
        Ok(JournalFile { path, file, journal })
    }

    /// Says who writes from here on, unless that is who has written last.
    pub(super) fn begin(&mut self, header: Header) -> Result<(), Failed> {
        let entry = |header: Header| Entry::Header(Box::new(header));
        let line = line(&entry(header.clone()))?;
        let last = self.journal.headers.last().cloned().map(|last| self::line(&entry(last)));
        let is_known = last.transpose()?.is_some_and(|last| last == line);
        let cut = std::mem::take(&mut self.journal.is_cut);
        if cut {
            self.write("\n")?;
        }
        if !is_known {
            self.write(&line)?;
        }
        // What was read knows nothing of where programs lie.
        self.journal.headers.push(header);
        Ok(())
    }

    /// Adds what came of a run; when this returns, nobody who kills this process takes it away.
    pub(super) fn add(&mut self, record: Record) -> Result<(), Failed> {
        let entry = Entry::Run(Box::new(record));
        self.write(&line(&entry)?)?;
        if let Entry::Run(record) = entry {
            self.journal.records.push(*record);
        }
        Ok(())
    }

    /// In one piece, so that at most the end of a line is missing.
    fn write(&mut self, text: &str) -> Result<(), Failed> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| {
            Failed::bad_input(format!("cannot write `{}`: {error}", self.path.display()))
        })
    }

    /// The runs that need not be made again.
    pub(super) fn done<'c>(&self, campaign: &'c Campaign) -> Done<'c> {
        let final_ones = self.journal.records.iter().filter(|record| record.is_final());
        let key = |record: &Record| (record.configuration.clone(), record.fingerprint.clone());
        Done { campaign, runs: final_ones.map(key).collect() }
    }

    /// What there is of a campaign.
    pub(super) fn results(&self, campaign: &Campaign) -> Results {
        Results::new(&self.journal.headers, campaign, self.journal.records.clone())
    }
}

fn line(entry: &Entry) -> Result<String, Failed> {
    entry.line().map_err(|error| Failed::internal(format!("a record has no JSON: {error}")))
}
