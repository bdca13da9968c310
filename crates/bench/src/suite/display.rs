//! Tables of documents with our figures beside theirs.

use super::Suite;
use crate::campaign::Run;
use crate::record::{Counts, Grade, LoopFigures, Record};
use crate::results::Results;
use crate::summary::Summary;
use crate::table::{Table, seconds};
use serde::Deserialize;

/// A table of a document.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DocumentTable {
    title: String,
    /// What its rows are.
    by: By,
    /// The sets that it is about; none means all.
    #[serde(default)]
    sets: Vec<String>,
    /// The columns of the document.
    #[serde(default)]
    columns: Vec<String>,
    /// Our columns.
    ours: Vec<Column>,
    row: Vec<Row>,
    /// What has to be said about it.
    #[serde(default)]
    notes: Vec<String>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Set,
    Task,
    Configuration,
}

impl By {
    /// What a row is called.
    fn word(self) -> &'static str {
        match self {
            By::Set => "set",
            By::Task => "program",
            By::Configuration => "configuration",
        }
    }

    /// What a run is counted by.
    fn name<'r>(self, run: &'r Run<'_>) -> &'r str {
        match self {
            By::Set => &run.task.set,
            By::Task => &run.task.name,
            By::Configuration => &run.configuration.name,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    /// The set, task or configuration; [`ALL`] for those of all rows.
    key: String,
    /// How the document calls it, if not so.
    name: Option<String>,
    /// The figures of the document.
    #[serde(default)]
    document: Vec<String>,
}

/// The key of a row for all, and the configuration that stands for the best one in each row.
const ALL: &str = "*";

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Column {
    title: String,
    configuration: String,
    figure: Figure,
    /// Another configuration, of whose figure this one is a part: the column shows how many times as much the other one has.
    against: Option<String>,
}

/// What can stand in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Figure {
    /// The name of the configuration.
    Which,
    /// The answer, or how the run ended; of several, how many are right or decided.
    Answer,
    Runs,
    Correct,
    Wrong,
    Safe,
    Unsafe,
    /// Runs without an answer, for whatever reason.
    Undecided,
    Timeouts,
    Failed,
    Seconds,
    States,
    Queries,
    UnknownQueries,
    Coverage,
    Errors,
    Points,
    /// Branches that are covered, of how many.
    Branches,
    Cycles,
    Templates,
    /// Seconds for building a necessary condition.
    Build,
    /// Programs that could not be read.
    Unread,
    /// Loops, and how many of them have loops in them.
    Loops,
    /// Loops of a type, and their share.
    #[serde(rename = "type-1")]
    Type1,
    #[serde(rename = "type-2")]
    Type2,
    #[serde(rename = "type-3")]
    Type3,
    #[serde(rename = "type-4")]
    Type4,
    NoType,
    /// Loops with an exact summary or a template.
    Exact,
    /// Loops of a type that have a bound, whatever it assumes, and their share.
    #[serde(rename = "bounded-1")]
    Bounded1,
    #[serde(rename = "bounded-2")]
    Bounded2,
    #[serde(rename = "bounded-3")]
    Bounded3,
    #[serde(rename = "bounded-4")]
    Bounded4,
    /// Loops with a bound.
    Bounded,
    /// Loops with a bound that assumes nothing.
    BoundedAlways,
    /// Loops with a bound that assumes something.
    BoundedIf,
    /// Loops with a bound that says as often as a call gives something.
    BoundedByCalls,
    /// Loops that a slice makes simpler.
    Simplified,
    /// The part of the paths of a loop that a slice leaves out, on average.
    PathsRemoved,
}

/// The runs of a row in a configuration.
struct Cell<'r> {
    configuration: &'r str,
    runs: Vec<(&'r Record, Grade)>,
    summary: Summary,
}

impl Suite {
    /// The tables of the document, with what was measured beside it.
    pub fn tables(&self, results: &Results) -> Vec<Table> {
        self.table.iter().map(|table| table.fill(results)).collect()
    }
}

impl DocumentTable {
    fn fill(&self, results: &Results) -> Table {
        let graded: Vec<(Run<'_>, &Record, Grade)> = results.graded().collect();
        let keys: Vec<&str> = self.row.iter().map(|row| row.key.as_str()).collect();
        let rows = self.row.iter().map(|row| {
            let is_own = |run: &Run<'_>| {
                let name = self.by.name(run);
                let is_in = self.sets.is_empty() || self.sets.contains(&run.task.set);
                is_in && if row.key == ALL { keys.contains(&name) } else { name == row.key }
            };
            let name = match (&row.name, row.key.as_str()) {
                (Some(name), _) => name.clone(),
                (None, ALL) => "together".to_owned(),
                (None, key) => key.to_owned(),
            };
            let own = graded.iter().filter(|(run, ..)| is_own(run));
            let own: Vec<_> = own.map(|(run, record, grade)| (run, *record, *grade)).collect();
            let theirs = (0..self.columns.len())
                .map(|column| row.document.get(column).cloned().unwrap_or_default());
            let ours = self.ours.iter().map(|column| column.text(&own, results));
            std::iter::once(name).chain(theirs).chain(ours).collect()
        });
        let rows = rows.collect();
        let ours = self.ours.iter().map(|column| column.title.as_str());
        let header: Vec<&str> = std::iter::once(self.by.word())
            .chain(self.columns.iter().map(String::as_str))
            .chain(ours)
            .collect();
        let mut table = Table::new(&self.title, &header, rows);
        table.notes.clone_from(&self.notes);
        table.notes.push(results.provenance());
        table
    }
}

impl Column {
    fn text(&self, own: &[(&Run<'_>, &Record, Grade)], results: &Results) -> String {
        let of = |configuration: &str| cell(own, configuration, results);
        let Some(cell) = of(&self.configuration) else { return "-".to_owned() };
        let Some(against) = &self.against else { return self.figure.text(&cell) };
        let other = of(against).and_then(|other| self.figure.number(&other.summary));
        match (self.figure.number(&cell.summary), other) {
            (Some(number), Some(other)) if number > 0.0 => format!("{:.1} ×", other / number),
            _ => "-".to_owned(),
        }
    }
}

/// The runs of a configuration, or of the best one: the one with the fewest runs without success, and of these the fastest. Nothing if there are none.
fn cell<'r>(
    own: &[(&Run<'r>, &'r Record, Grade)],
    configuration: &str,
    results: &'r Results,
) -> Option<Cell<'r>> {
    let of = |name: &'r str| {
        let runs = own.iter().filter(|(run, ..)| run.configuration.name == name);
        let runs: Vec<_> = runs.map(|(_, record, grade)| (*record, *grade)).collect();
        let summary = Summary::of(runs.iter().copied());
        (!runs.is_empty()).then_some(Cell { configuration: name, runs, summary })
    };
    let names = results.campaign.configurations.iter().map(|known| known.name.as_str());
    let mut cells =
        names.filter(|name| configuration == ALL || *name == configuration).filter_map(of);
    let mut best = cells.next()?;
    for cell in cells {
        let rank = |cell: &Cell<'_>| {
            let Summary { runs, wrong, seconds, .. } = &cell.summary;
            (*wrong, runs - cell.summary.successes(), *seconds)
        };
        if rank(&cell) < rank(&best) {
            best = cell;
        }
    }
    Some(best)
}

impl Figure {
    /// As a number, if it is one.
    fn number(self, summary: &Summary) -> Option<f64> {
        let count = match self {
            Figure::Runs => summary.runs as u64,
            Figure::Correct => summary.correct as u64,
            Figure::Wrong => summary.wrong as u64,
            Figure::Safe => summary.safe as u64,
            Figure::Unsafe => summary.found as u64,
            Figure::Undecided => (summary.unknown + summary.timeouts + summary.failed) as u64,
            Figure::Timeouts => summary.timeouts as u64,
            Figure::Failed => summary.failed as u64,
            Figure::Seconds => return Some(summary.seconds),
            Figure::States => summary.states,
            Figure::Queries => summary.queries,
            Figure::UnknownQueries => summary.unknown_queries,
            Figure::Coverage => return summary.coverage.map(|coverage| coverage as f64),
            Figure::Errors => summary.errors,
            Figure::Points => return Some(summary.points as f64),
            Figure::Unread => summary.failed as u64,
            Figure::Loops
            | Figure::Type1
            | Figure::Type2
            | Figure::Type3
            | Figure::Type4
            | Figure::NoType
            | Figure::Exact
            | Figure::Bounded1
            | Figure::Bounded2
            | Figure::Bounded3
            | Figure::Bounded4
            | Figure::Bounded
            | Figure::BoundedAlways
            | Figure::BoundedIf
            | Figure::BoundedByCalls
            | Figure::Simplified
            | Figure::PathsRemoved
            | Figure::Which
            | Figure::Answer
            | Figure::Branches
            | Figure::Cycles
            | Figure::Templates
            | Figure::Build => return None,
        };
        Some(count as f64)
    }

    /// As text, if it is about loops.
    fn of_loops(self, cell: &Cell<'_>) -> Option<String> {
        let mut all = LoopFigures::default();
        let figures = cell.runs.iter().filter_map(|(record, _)| record.figures.loops.as_ref());
        figures.for_each(|own| all.add(own));
        let all = all.counts();
        let total = all.total();
        let of_type = |kind: usize| Some(share(all.types[kind].loops, total.loops));
        let bounded = |counts: Counts| Some(share(counts.all_bounded(), counts.loops));
        match self {
            Figure::Loops => Some(format!("{} ({})", total.loops, all.nested)),
            Figure::NoType => of_type(0),
            Figure::Type1 => of_type(1),
            Figure::Type2 => of_type(2),
            Figure::Type3 => of_type(3),
            Figure::Type4 => of_type(4),
            Figure::Exact => Some(share(all.exact, total.loops)),
            Figure::Bounded1 => bounded(all.types[1]),
            Figure::Bounded2 => bounded(all.types[2]),
            Figure::Bounded3 => bounded(all.types[3]),
            Figure::Bounded4 => bounded(all.types[4]),
            Figure::Bounded => bounded(total),
            Figure::BoundedAlways => Some(share(total.bounded, total.loops)),
            Figure::BoundedIf => Some(share(total.assumed, total.loops)),
            Figure::BoundedByCalls => Some(share(total.given, total.loops)),
            Figure::Simplified => Some(share(all.simplified, total.loops)),
            Figure::PathsRemoved if total.loops > 0 => {
                Some(format!("{:.2}%", 100.0 * all.removed / total.loops as f64))
            }
            _ => None,
        }
    }

    fn text(self, cell: &Cell<'_>) -> String {
        if let Some(text) = self.of_loops(cell) {
            return text;
        }
        let sum = |figure: fn(&Record) -> Option<u64>| {
            let known: Vec<u64> =
                cell.runs.iter().filter_map(|(record, _)| figure(record)).collect();
            if known.is_empty() { "-".to_owned() } else { known.iter().sum::<u64>().to_string() }
        };
        match self {
            Figure::Which => cell.configuration.to_owned(),
            Figure::Answer => answer(cell),
            Figure::Branches => {
                let covered = sum(|record| record.figures.branches);
                format!("{covered}/{}", sum(|record| record.figures.all_branches))
            }
            Figure::Cycles => sum(|record| record.figures.cycles),
            Figure::Templates => sum(|record| record.figures.templates),
            Figure::Build => {
                let known = cell.runs.iter().filter_map(|(record, _)| record.figures.build_seconds);
                known.reduce(|one, other| one + other).map_or("-".to_owned(), seconds)
            }
            Figure::Seconds => seconds(cell.summary.seconds),
            other => {
                other.number(&cell.summary).map_or("-".to_owned(), |number| format!("{number}"))
            }
        }
    }
}

/// A number and its share.
fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => part.to_string(),
        _ => format!("{part} ({:.2}%)", 100.0 * part as f64 / whole as f64),
    }
}

/// The answer of one run; how many of several have a right one, or one at all.
fn answer(cell: &Cell<'_>) -> String {
    let [(record, grade)] = cell.runs[..] else {
        return format!("{} of {}", cell.summary.successes(), cell.summary.runs);
    };
    let name = record.answer.map_or(record.ended.name(), crate::Answer::name);
    match grade {
        Grade::Wrong => format!("{name} (WRONG)"),
        Grade::Timeout => "timeout".to_owned(),
        _ => name.to_owned(),
    }
}
