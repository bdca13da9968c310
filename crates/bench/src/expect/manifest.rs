//! Manifests.

use super::{Expectation, answer, data_model};
use std::collections::BTreeMap;

/// Programs by their paths, as a manifest writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    rows: BTreeMap<String, Vec<Expectation>>,
    /// The paths in the order of the rows.
    order: Vec<String>,
}

/// A manifest that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// A column is missing.
    #[error(
        "line 1: there is no column `{0}`; a manifest has columns `path`, `expected`, and perhaps `property`, `data_model`, `note`, with tabs between them"
    )]
    NoColumn(&'static str),
    /// A row has no answer.
    #[error(
        "line {line}: `{found}` is no answer; expected true, false, safe, unsafe, reached, unreachable or unknown"
    )]
    NoAnswer {
        /// Its line.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// A row has not all of its columns.
    #[error("line {0}: there are not enough columns")]
    Short(u64),
    /// It is no text.
    #[error("{0}")]
    Unreadable(String),
}

impl Manifest {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let unreadable = |error: csv::Error| ManifestError::Unreadable(error.to_string());
        let mut builder = csv::ReaderBuilder::new();
        let mut reader =
            builder.delimiter(b'\t').quoting(false).flexible(true).from_reader(text.as_bytes());
        let header = reader.headers().map_err(unreadable)?.clone();
        let column = |names: &[&str]| header.iter().position(|cell| names.contains(&cell.trim()));
        let path = column(&["path", "program", "file"]).ok_or(ManifestError::NoColumn("path"))?;
        let expected = column(&["expected"]).ok_or(ManifestError::NoColumn("expected"))?;
        let (property, model, note) =
            (column(&["property"]), column(&["data_model"]), column(&["note"]));
        let mut manifest = Manifest::default();
        for row in reader.records() {
            let row = row.map_err(unreadable)?;
            let line = row.position().map_or(0, csv::Position::line);
            let cell =
                |column: Option<usize>| column.and_then(|column| row.get(column)).map(str::trim);
            let needed = |column: usize| cell(Some(column)).ok_or(ManifestError::Short(line));
            let (path, found) = (needed(path)?.to_owned(), needed(expected)?);
            let no_answer = || ManifestError::NoAnswer { line, found: found.to_owned() };
            let known = Expectation {
                // `valid-memsafety/valid-deref` names the part that is violated.
                property: (cell(property).and_then(|name| name.split('/').next()))
                    .filter(|name| !name.is_empty() && *name != "-")
                    .map(str::to_owned),
                expected: Some(answer(found).ok_or_else(no_answer)?),
                data_model: cell(model).and_then(data_model),
                is_disputed: cell(note).is_some_and(|note| note.contains("ub:")),
            };
            let rows = manifest.rows.entry(path.clone()).or_default();
            if rows.is_empty() {
                manifest.order.push(path);
            }
            rows.push(known);
        }
        Ok(manifest)
    }

    /// What is known of a program.
    pub fn of(&self, path: &str) -> &[Expectation] {
        self.rows.get(path).map_or(&[], Vec::as_slice)
    }

    /// The programs whose paths begin so, in the order of the rows.
    pub fn below<'m>(&'m self, prefix: &'m str) -> impl Iterator<Item = &'m str> {
        self.order.iter().map(String::as_str).filter(move |path| path.starts_with(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    #[test]
    fn rows_are_read_by_the_names_of_columns() {
        let text = "path\tproperty\texpected\tdata_model\tloc\tnote\n\
                    a/x.i\tunreach-call\tfalse\tILP32\t22\tproteus\n\
                    a/x.i\tvalid-memsafety/valid-deref\ttrue\tlp64\t22\tub:deref\n\
                    b/\"y.c\tno-overflow\tsafe\t-\t22\n";
        let manifest = Manifest::parse(text).expect("a manifest");
        let [first, second] = manifest.of("a/x.i") else { panic!("two rows") };
        assert_eq!(
            (first.expected, first.data_model.as_deref()),
            (Some(Answer::Unsafe), Some("ILP32"))
        );
        assert!(!first.is_disputed && second.is_disputed);
        assert_eq!(second.property.as_deref(), Some("valid-memsafety"));
        assert_eq!(second.data_model.as_deref(), Some("LP64"));
        assert_eq!(manifest.of("b/\"y.c")[0].data_model, None);
        assert_eq!(manifest.of("nobody"), []);
        assert_eq!(manifest.below("a/").collect::<Vec<_>>(), ["a/x.i"]);
        let small = Manifest::parse("program\texpected\nx.uc\tunsafe\n").expect("a manifest");
        assert_eq!(small.of("x.uc")[0].expected, Some(Answer::Unsafe));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, message) in [
            ("", "no column `path`"),
            ("path\tverdict\n", "no column `expected`"),
            ("path\texpected\na\tyes\n", "line 2: `yes` is no answer"),
            ("path\texpected\na\ttrue\nb\n", "line 3: there are not enough"),
        ] {
            let complaint = Manifest::parse(text).expect_err("no manifest").to_string();
            assert!(complaint.contains(message), "{text}: {complaint}");
        }
    }
}
