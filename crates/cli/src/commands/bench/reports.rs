//! Tables and plots as files.

use super::journal;
use crate::console::write_whole;
use crate::load::read_bytes;
use crate::status::Failed;
use loupe_bench::journal::Journal;
use loupe_bench::suite::Suite;
use loupe_bench::table::{self, Table};
use loupe_bench::{FORM, Results, page, plot};
use std::fs;
use std::path::Path;

/// The files that a folder gets, besides the journal.
const RESULTS: &str = "results.json";
const ROWS: &str = "results.csv";
const TABLES: &str = "results.md";
pub(super) const PAGE: &str = "report.html";
const PLOTS: &str = "plots";

/// Makes a folder, if it is not there.
pub(super) fn make_folder(folder: &Path) -> Result<(), Failed> {
    fs::create_dir_all(folder).map_err(|error| {
        Failed::bad_input(format!("cannot make the folder `{}`: {error}", folder.display()))
    })
}

/// What is shown of results: sets and configurations, the tables of the suite, and what has to be looked at.
pub(super) fn tables(results: &Results) -> Result<Vec<Table>, Failed> {
    let mut tables = vec![table::overview(results)];
    if let Some(name) = &results.campaign.suite {
        let suite = Suite::named(name).map_err(|error| Failed::bad_input(error.to_string()))?;
        tables.extend(suite.tables(results));
    }
    tables.extend(table::conspicuous(results));
    Ok(tables)
}

/// All tables, for people.
pub(super) fn text(tables: &[Table]) -> String {
    tables.iter().map(Table::markdown).collect::<Vec<_>>().join("\n")
}

/// The results as data.
pub(super) fn json(results: &Results) -> Result<String, Failed> {
    serde_json::to_string_pretty(results)
        .map_err(|error| Failed::internal(format!("results have no JSON: {error}")))
}

/// Writes all files.
pub(super) fn write(results: &Results, tables: &[Table], folder: &Path) -> Result<(), Failed> {
    let plots = plot::all(results);
    let rows = table::csv(&table::runs(results))
        .map_err(|error| Failed::internal(format!("results have no CSV: {error}")))?;
    let write = |name: &Path, text: &str| {
        let path = folder.join(name);
        write_whole(&path, text).map_err(|error| {
            Failed::bad_input(format!("cannot write `{}`: {error}", path.display()))
        })
    };
    make_folder(&folder.join(PLOTS))?;
    write(Path::new(RESULTS), &(json(results)? + "\n"))?;
    write(Path::new(ROWS), &rows)?;
    write(Path::new(TABLES), &text(tables))?;
    write(Path::new(PAGE), &page::page(results, tables, &plots))?;
    for plot in &plots {
        write(&Path::new(PLOTS).join(format!("{}.svg", plot.name)), &plot.file())?;
    }
    Ok(())
}

/// Reads results, a journal, or what a folder has of them: the journal first, since it is the truth.
pub(super) fn read(path: &Path) -> Result<Results, Failed> {
    if path.is_dir() {
        let found = [journal::NAME, RESULTS].map(|name| path.join(name));
        return match found.iter().find(|file| file.is_file()) {
            Some(file) => read(file),
            None => Err(Failed::bad_input(format!(
                "`{}` has no results: neither {} nor {RESULTS}",
                path.display(),
                journal::NAME
            ))),
        };
    }
    let bytes = read_bytes(path)?;
    let bad = |why: String| Failed::bad_input(format!("`{}`: {why}", path.display()));
    if path.extension().is_some_and(|end| end == "jsonl") {
        let journal = Journal::read(&bytes).map_err(|error| bad(error.to_string()))?;
        let last = journal.headers.last().ok_or_else(|| bad("the journal is empty".to_owned()))?;
        return Ok(Results::new(&journal.headers, &last.campaign, journal.records.clone()));
    }
    let results: Results = serde_json::from_slice(&bytes)
        .map_err(|error| bad(format!("these are no results of `loupe bench`: {error}")))?;
    match results.form {
        FORM => Ok(results),
        other => Err(bad(format!("they have the form {other}, and this Loupe reads form {FORM}"))),
    }
}
