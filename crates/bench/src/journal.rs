//! Journals: lines to which others are only ever added.
//!
//! A line is a JSON object with one key, `header` or `run`. A line that is no such object was torn when somebody was killed, or is no line of
//! ours; it says nothing.

use crate::record::Record;
use crate::results::{FORM, Header};
use serde::{Deserialize, Serialize};

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// Somebody begins to write.
    Header(Box<Header>),
    /// A run has ended.
    Run(Box<Record>),
}

impl Entry {
    /// Its line, with the end of the line.
    ///
    /// # Errors
    ///
    /// If it has no JSON, which would be a bug.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|text| text + "\n")
    }
}

/// What stands in a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// Who has written.
    pub headers: Vec<Header>,
    /// What came of runs, in the order in which they ended.
    pub records: Vec<Record>,
    /// How many lines say nothing.
    pub torn: usize,
    /// Whether the last line has no end; whoever adds one has to begin with an end of line.
    pub is_cut: bool,
}

/// A journal that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// Nobody says what it is about.
    #[error("this is no journal of `loupe bench`: no line has a header")]
    NoHeader,
    /// It was written by another Loupe.
    #[error("this journal has the form {0}, and this Loupe reads form {FORM}")]
    OtherForm(u32),
}

impl Journal {
    /// Reads one; bytes that are no text are torn lines too.
    ///
    /// # Errors
    ///
    /// If it is not empty, but none of ours.
    pub fn read(bytes: &[u8]) -> Result<Self, JournalError> {
        let mut journal = Journal {
            is_cut: bytes.last().is_some_and(|byte| *byte != b'\n'),
            ..Journal::default()
        };
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(Entry::Header(header)) if header.form != FORM => {
                    return Err(JournalError::OtherForm(header.form));
                }
                Ok(Entry::Header(header)) => journal.headers.push(*header),
                Ok(Entry::Run(record)) => journal.records.push(*record),
                Err(_) => journal.torn += 1,
            }
        }
        let is_empty = journal.records.is_empty() && journal.torn == 0;
        match journal.headers.is_empty() && !is_empty {
            // Whoever was killed within the first line has lost nothing.
            true if journal.records.is_empty() && journal.torn == 1 && journal.is_cut => {
                Ok(journal)
            }
            true => Err(JournalError::NoHeader),
            false => Ok(journal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use crate::campaign::tests::campaign;
    use crate::results::tests::{answered, header};

    /// The lines of a campaign with two runs.
    fn text() -> String {
        let campaign = campaign(1);
        let header = Entry::Header(Box::new(header(&campaign)));
        let runs = campaign
            .runs()
            .map(|run| Entry::Run(Box::new(answered(&campaign, &run, Answer::Safe, 0.25))));
        let entries = std::iter::once(header).chain(runs);
        entries.map(|entry| entry.line().expect("JSON")).collect()
    }

    #[test]
    fn a_journal_that_is_cut_anywhere_keeps_all_whole_lines() {
        let text = text();
        let whole = Journal::read(text.as_bytes()).expect("a journal");
        assert_eq!((whole.headers.len(), whole.records.len(), whole.torn), (1, 2, 0));
        let ends: Vec<usize> =
            text.char_indices().filter(|(_, c)| *c == '\n').map(|(at, _)| at).collect();
        for cut in 0..=text.len() {
            let journal = Journal::read(&text.as_bytes()[..cut]).expect("a part of a journal");
            // A line is there as soon as its object is, with or without its end.
            let lines = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(journal.headers.len() + journal.records.len(), lines, "cut at {cut}");
            assert!(journal.torn <= 1);
            // Whoever goes on begins with an end of line, and all is as if nothing had been torn.
            let rest = if journal.is_cut { "\n" } else { "" };
            let resumed = format!("{}{rest}{text}", &text[..cut]);
            let resumed = Journal::read(resumed.as_bytes()).expect("a journal that goes on");
            assert_eq!(resumed.records.len(), 2 + lines.saturating_sub(1), "cut at {cut}");
        }
    }

    #[test]
    fn other_files_are_no_journals() {
        assert_eq!(Journal::read(b""), Ok(Journal::default()));
        assert_eq!(Journal::read(b"main() { }\n"), Err(JournalError::NoHeader));
        assert_eq!(Journal::read(b"a\nb"), Err(JournalError::NoHeader));
        let other = text().replacen("\"form\":1", "\"form\":99", 1);
        assert_eq!(Journal::read(other.as_bytes()), Err(JournalError::OtherForm(99)));
        let mut bytes = text().into_bytes();
        bytes.extend([0xff, 0xfe, b'\n']);
        assert_eq!(Journal::read(&bytes).expect("a journal").torn, 1);
    }
}
