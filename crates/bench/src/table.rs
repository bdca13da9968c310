//! Tables: as Markdown, as CSV, and the usual ones of a campaign.

use crate::campaign::Run;
use crate::record::{Grade, Record};
use crate::results::Results;
use crate::summary::Summary;

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// What its columns are.
    pub header: Vec<String>,
    /// Its rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
    /// What has to be said below it.
    pub notes: Vec<String>,
}

/// Seconds, with as many digits as mean something.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 100.0 => format!("{seconds:.0}"),
        _ if seconds >= 1.0 => format!("{seconds:.1}"),
        _ => format!("{seconds:.3}"),
    }
}

/// Whether a cell stands where a number would: documents write `T/O` or `-` there.
fn is_mark(cell: &str) -> bool {
    let mut letters = cell.chars();
    cell.len() <= 3 && letters.all(|c| c.is_ascii_uppercase() || "/-".contains(c))
}

/// Whether a cell is a number, which stands on the right.
fn is_number(cell: &str) -> bool {
    let digits = cell.trim_end_matches([' ', 's', '%', '×']);
    digits.is_empty() || digits.chars().all(|c| c.is_ascii_digit() || ".,-+ /".contains(c))
}

impl Table {
    /// A table without notes.
    pub fn new(title: impl Into<String>, header: &[&str], rows: Vec<Vec<String>>) -> Self {
        let header = header.iter().map(|&cell| cell.to_owned()).collect();
        Table { title: title.into(), header, rows, notes: Vec::new() }
    }

    /// Whether all cells of a column are numbers.
    pub fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        let has_numbers =
            cells.clone().all(|cell| cell.is_empty()) || cells.clone().any(|cell| !is_mark(cell));
        has_numbers && cells.all(|cell| is_number(cell) || is_mark(cell))
    }

    /// As Markdown, laid out so that it can be read as it stands.
    pub fn markdown(&self) -> String {
        let escaped =
            |cell: &String| cell.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ");
        let header: Vec<String> = self.header.iter().map(escaped).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(escaped).collect()).collect();
        let width = |column: usize| {
            let cells = rows.iter().chain([&header]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let line = |row: &[String]| {
            let cells =
                row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                    match self.is_numeric(column) {
                        true => format!("{cell:>width$}"),
                        false => format!("{cell:<width$}"),
                    }
                });
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let rule = widths.iter().enumerate().map(|(column, width)| match self.is_numeric(column) {
            true => format!("{}:", "-".repeat(width + 1)),
            false => "-".repeat(width + 2),
        });
        let mut text = format!("### {}\n\n{}", self.title, line(&header));
        text += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        rows.iter().for_each(|row| text += &line(row));
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text
    }
}

/// The columns behind set and configuration.
const COLUMNS: [&str; 15] = [
    "runs", "correct", "wrong", "disputed", "decided", "unknown", "timeouts", "failed", "seconds",
    "median s", "states", "queries", "paths", "coverage", "errors",
];

fn row(summary: &Summary) -> Vec<String> {
    let s = summary;
    let counts =
        [s.runs, s.correct, s.wrong, s.disputed, s.decided, s.unknown, s.timeouts, s.failed];
    let mut cells: Vec<String> = counts.iter().map(usize::to_string).collect();
    cells.push(seconds(s.seconds));
    cells.push(s.median().map(seconds).unwrap_or_default());
    cells.extend([s.states, s.queries, s.paths].iter().map(u64::to_string));
    cells.push(s.coverage.map(|coverage| coverage.to_string()).unwrap_or_default());
    cells.push(s.errors.to_string());
    cells
}

/// The runs of a set in a configuration; of all sets if none is named.
pub fn summary(results: &Results, set: Option<&str>, configuration: &str) -> Summary {
    let own = results.graded().filter(|(run, ..)| {
        set.is_none_or(|set| run.task.set == set) && run.configuration.name == configuration
    });
    Summary::of(own.map(|(_, record, grade)| (record, grade)))
}

/// Sets and configurations, and all sets together.
pub fn overview(results: &Results) -> Table {
    let sets = results.campaign.sets();
    let mut rows = Vec::new();
    let together = (sets.len() > 1).then_some(("together", None));
    let groups = sets.iter().map(|set| (*set, Some(*set))).chain(together);
    for (name, set) in groups {
        for configuration in &results.campaign.configurations {
            let summary = summary(results, set, &configuration.name);
            if summary.runs > 0 {
                let names = [name.to_owned(), configuration.name.clone()];
                rows.push(names.into_iter().chain(row(&summary)).collect());
            }
        }
    }
    let header: Vec<&str> = ["set", "configuration"].into_iter().chain(COLUMNS).collect();
    let mut table = Table::new("Sets and configurations", &header, rows);
    drop_empty_columns(&mut table);
    table.notes.push(results.provenance());
    table
}

/// Leaves out what is 0 in all rows and of which nobody asks then.
fn drop_empty_columns(table: &mut Table) {
    for name in ["disputed", "decided", "failed", "coverage"] {
        let Some(column) = table.header.iter().position(|cell| cell == name) else { continue };
        let is_empty =
            |row: &Vec<String>| row.get(column).is_none_or(|cell| cell.is_empty() || cell == "0");
        if table.rows.iter().all(is_empty) {
            table.header.remove(column);
            table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
}

/// The runs that somebody has to look at: wrong and disputed answers, and runs without a report.
pub fn conspicuous(results: &Results) -> Option<Table> {
    let is_shown = |grade: Grade| matches!(grade, Grade::Wrong | Grade::Disputed | Grade::Failed);
    let shown = results.graded().filter(|(.., grade)| is_shown(*grade));
    let mut rows: Vec<Vec<String>> = shown
        .map(|(run, record, grade)| {
            let answer = record.answer.map_or(record.ended.name(), crate::Answer::name);
            let expected = run.expected().map_or("", crate::Answer::name);
            let cells = [&run.task.name, &run.configuration.name, grade.name(), answer, expected];
            cells.into_iter().map(str::to_owned).chain([record.why.clone()]).collect()
        })
        .collect();
    for (task, [one, other]) in results.contradictions() {
        let why = "the answers of both contradict each other, so one is wrong";
        let cells = [task, &format!("{one}, {other}"), "WRONG", "", "", why];
        rows.push(cells.map(str::to_owned).to_vec());
    }
    let header = ["program", "configuration", "grade", "answer", "expected", "why"];
    (!rows.is_empty()).then(|| Table::new("What has to be looked at", &header, rows))
}

/// The columns of [`runs`].
const RUN: [&str; 22] = [
    "program",
    "set",
    "configuration",
    "expected",
    "answer",
    "grade",
    "ended",
    "status",
    "seconds",
    "reported seconds",
    "solver seconds",
    "paths",
    "coverage",
    "states",
    "queries",
    "unknown queries",
    "errors",
    "branches",
    "all branches",
    "memory bytes",
    "fingerprint",
    "why",
];

/// All runs that were made, one row each.
pub fn runs(results: &Results) -> Table {
    let rows = results.graded().map(|(run, record, grade)| run_row(&run, record, grade));
    let mut table = Table::new("Runs", &RUN, rows.collect());
    table.notes.push(results.provenance());
    table
}

fn run_row(run: &Run<'_>, record: &Record, grade: Grade) -> Vec<String> {
    let count = |figure: Option<u64>| figure.map(|figure| figure.to_string()).unwrap_or_default();
    let time =
        |figure: Option<f64>| figure.map(|figure| format!("{figure:.6}")).unwrap_or_default();
    let f = &record.figures;
    vec![
        run.task.name.clone(),
        run.task.set.clone(),
        run.configuration.name.clone(),
        run.expected().map_or("", crate::Answer::name).to_owned(),
        record.answer.map_or("", crate::Answer::name).to_owned(),
        grade.name().to_owned(),
        record.ended.name().to_owned(),
        record.status.map(|status| status.to_string()).unwrap_or_default(),
        time(Some(record.seconds)),
        time(f.seconds),
        time(f.solver_seconds),
        count(f.paths),
        count(f.coverage),
        count(f.states),
        count(f.queries),
        count(f.unknown_queries),
        count(f.errors),
        count(f.branches),
        count(f.all_branches),
        count(f.memory),
        record.fingerprint.clone(),
        record.why.clone(),
    ]
}

/// A table as CSV.
///
/// # Errors
///
/// If the library refuses, which would be a bug.
pub fn csv(table: &Table) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&table.header)?;
    for row in &table.rows {
        writer.write_record(row)?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use crate::results::tests::results;

    #[test]
    fn markdown_is_aligned_and_escaped() {
        let rows = vec![
            vec!["a|b".to_owned(), "1.5".to_owned()],
            vec!["long name".to_owned(), "100".to_owned()],
        ];
        let mut table = Table::new("T", &["program", "seconds"], rows);
        table.notes.push("measured here".to_owned());
        let expected = "### T\n\n\
                        | program   | seconds |\n\
                        |-----------|--------:|\n\
                        | a\\|b      |     1.5 |\n\
                        | long name |     100 |\n\nmeasured here\n";
        assert_eq!(table.markdown(), expected);
    }

    #[test]
    fn an_overview_has_all_sets_and_their_sum() {
        let results = results(5, |task, configuration| match configuration {
            0 if task.is_multiple_of(2) => (Answer::Safe, 1.0),
            0 => (Answer::Unsafe, 1.0),
            _ => (Answer::Unknown, 6.0),
        });
        let table = overview(&results);
        let names: Vec<_> =
            table.rows.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
        let expected = ["first", "second", "together"];
        let expected = expected.map(|set| [(set, "usual"), (set, "unroll")]).concat();
        assert_eq!(names, expected);
        let cell = |row: usize, name: &str| {
            let column = table.header.iter().position(|cell| cell == name).expect("a column");
            table.rows[row][column].as_str()
        };
        assert_eq!((cell(4, "runs"), cell(4, "correct"), cell(4, "seconds")), ("5", "5", "5.0"));
        assert_eq!((cell(5, "timeouts"), cell(5, "median s")), ("5", ""));
        assert!(!table.header.contains(&"failed".to_owned()));
        assert!(table.notes[0].contains("seed 7"));
        assert_eq!(conspicuous(&results), None);
    }

    #[test]
    fn csv_is_read_back() {
        let mut results = results(2, |_, _| (Answer::Safe, 0.5));
        results.records[0].why = "a, \"b\"".to_owned();
        let text = csv(&runs(&results)).expect("CSV");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().expect("a header").len(), RUN.len());
        let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
        assert_eq!((rows.len(), &rows[0][RUN.len() - 1]), (4, "a, \"b\""));
        let wrong = conspicuous(&results).expect("the second task is unsafe");
        assert_eq!(wrong.rows.len(), 2);
    }
}
