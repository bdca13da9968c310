//! Writes every query down, as SMT-LIB that any solver reads.
//!
//! A log is a sequence of scripts, each followed by a line with the answer and the time, and by
//! `(reset)`. [`entries`] reads it back.

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Query};
use crate::script;
use loupe_term::{Term, Terms};
use std::io::Write;
use std::time::Instant;

/// Starts the line that ends an entry.
const ANSWER: &str = ";; answer ";

/// The layer.
pub struct Log {
    out: Box<dyn Write>,
    number: u64,
}

impl Log {
    /// A log that is written to `out`.
    pub fn new(out: Box<dyn Write>) -> Self {
        Log { out, number: 0 }
    }
}

impl Layer for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        let start = Instant::now();
        let answer = inner.check(terms, query);
        let time = start.elapsed();
        self.number += 1;
        let text = match script::of_query(terms, query.assertions) {
            Ok(script) => script.text,
            Err(reason) => format!("; query {} cannot be printed: {reason}\n", self.number),
        };
        let word = match &answer {
            Ok(Answer::Sat(_)) => "sat".to_owned(),
            Ok(Answer::Unsat(_)) => "unsat".to_owned(),
            Ok(Answer::Unknown(reason)) => format!("unknown ({reason})"),
            Err(error) => format!("error ({error})"),
        };
        // A line is a line, whatever a solver's own words are.
        let word = word.replace(['\n', '\r'], " ");
        let (number, seconds) = (self.number, time.as_secs_f64());
        let entry =
            format!(";; query {number}\n{text}{ANSWER}{word} after {seconds:.6} s\n(reset)\n");
        let written = self.out.write_all(entry.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|e| Error::Surroundings(format!("the log cannot be written: {e}")))?;
        answer
    }
}

/// One query of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The assertions.
    pub assertions: Vec<Term>,
    /// The answer, in the words of the log.
    pub answer: String,
}

/// Reads a log. Symbols of the same name in different queries are the same.
///
/// # Errors
///
/// If a script in it cannot be read; the position is that in the log.
pub fn entries(terms: &mut Terms, log: &str) -> Result<Vec<Entry>, script::ReadError> {
    let mut reader = script::Reader::default();
    let mut entries = Vec::new();
    let (mut text, mut first_line) = (String::new(), 1);
    for (number, line) in (1..).zip(log.lines()) {
        let Some(answer) = line.strip_prefix(ANSWER) else {
            if line == "(reset)" {
                (text, first_line) = (String::new(), number + 1);
            } else {
                text.push_str(line);
                text.push('\n');
            }
            continue;
        };
        let assertions = reader.assertions(terms, &text).map_err(|mut error| {
            error.position.line += first_line - 1;
            error
        })?;
        let answer = answer.rsplit_once(" after ").map_or(answer, |(word, _)| word).to_owned();
        entries.push(Entry { assertions, answer });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests;
