//! Techniques on and off, side by side: what each configuration of an exploration has come to.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What an exploration with some configuration has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The program.
    pub file: String,
    /// How it was explored.
    pub configuration: String,
    /// Nothing was left open and nothing cut off: the errors are all that there are.
    pub is_complete: bool,
    /// The errors, each with its place and kind.
    pub errors: Vec<String>,
    /// Paths that have ended.
    pub paths: u64,
    /// How many paths those stand for that have ended without an error, where states were merged.
    pub stands_for: Option<u64>,
    /// Whether that is only an upper bound.
    pub stands_for_fewer: bool,
    /// States that were made.
    pub states: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// How long it took.
    pub seconds: f64,
    /// What was left open first, or why there is nothing.
    pub open: Option<String>,
    /// What was chosen that had been left open.
    pub chosen: Vec<String>,
}

impl Row {
    /// What is known by it.
    pub fn verdict(&self) -> &'static str {
        match (self.errors.is_empty(), self.is_complete) {
            (false, _) => "unsafe",
            (true, true) => "safe",
            (true, false) => "unknown",
        }
    }

    /// A row from the report of `loupe explore`.
    pub fn of_report(file: &str, configuration: &str, report: &Json) -> Row {
        let number = |value: &Json| value.as_u64().unwrap_or(0);
        let paths = &report["paths"];
        let ended = ["finished", "failed", "assumed_away", "cut_off"];
        let open = report["open"].as_array().and_then(|open| open.first());
        let errors = report["errors"].as_array().into_iter().flatten().map(|error| {
            let place = |name: &str| error[name].to_string();
            let (file, kind) = (error["file"].as_str(), error["kind"].as_str());
            let (file, kind) = (file.unwrap_or_default(), kind.unwrap_or_default());
            format!("{file}:{}:{}: {kind}", place("line"), place("column"))
        });
        let chosen = report["chosen"].as_object().into_iter().flatten();
        let is_over = report["stopped"] == "all paths were explored";
        Row {
            file: file.to_owned(),
            configuration: configuration.to_owned(),
            is_complete: is_over && open.is_none() && number(&paths["cut_off"]) == 0,
            errors: errors.collect(),
            paths: ended.iter().map(|how| number(&paths[*how])).sum(),
            stands_for: report["merging"]["stands_for"].as_u64(),
            stands_for_fewer: report["merging"]["stands_for_is_exact"] == false,
            states: number(&report["states"]),
            queries: number(&report["queries"]),
            seconds: report["seconds"].as_f64().unwrap_or(0.0),
            open: open.and_then(Json::as_str).map(str::to_owned),
            chosen: chosen
                .map(|(option, choice)| {
                    format!("{option} {}", choice["taken"].as_str().unwrap_or_default())
                })
                .collect(),
        }
    }

    /// A row of which nothing is known.
    pub fn nothing(file: &str, configuration: &str, why: &str, seconds: f64) -> Row {
        Row {
            file: file.to_owned(),
            configuration: configuration.to_owned(),
            is_complete: false,
            errors: Vec::new(),
            paths: 0,
            stands_for: None,
            stands_for_fewer: false,
            states: 0,
            queries: 0,
            seconds,
            open: Some(why.to_owned()),
            chosen: Vec::new(),
        }
    }
}

/// The first line of the table.
pub fn heading() -> String {
    format!(
        "{:26} {:8} {:>6} {:>8} {:>12} {:>8} {:>8} {:>9}",
        "configuration", "verdict", "errors", "paths", "stand for", "states", "queries", "seconds"
    )
}

/// A line of it.
pub fn line(row: &Row) -> String {
    let at_most = if row.stands_for_fewer { "≤ " } else { "" };
    let stands_for =
        row.stands_for.map_or_else(|| "-".to_owned(), |paths| format!("{at_most}{paths}"));
    let mut line = format!(
        "{:26} {:8} {:>6} {:>8} {:>12} {:>8} {:>8} {:>9.3}",
        row.configuration,
        row.verdict(),
        row.errors.len(),
        row.paths,
        stands_for,
        row.states,
        row.queries,
        row.seconds
    );
    if !row.chosen.is_empty() {
        line = format!("{line}  chosen: {}", row.chosen.join(", "));
    }
    match &row.open {
        Some(open) if !row.is_complete => format!("{line}  {open}"),
        _ => line,
    }
}

/// Rows of the same program that cannot both be right: an exploration that has missed an error, or has one that there is not.
pub fn contradictions(rows: &[Row]) -> Vec<String> {
    let mut by_file: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_file.entry(&row.file).or_default().push(row);
    }
    let mut found = Vec::new();
    for (file, rows) in by_file {
        for complete in rows.iter().filter(|row| row.is_complete) {
            for other in &rows {
                let missed = other.errors.iter().find(|error| !complete.errors.contains(error));
                found.extend(missed.map(|error| {
                    let (by, not_by) = (&other.configuration, &complete.configuration);
                    format!("{file}: {error} is found with `{by}`, and not with `{not_by}`, which has explored everything")
                }));
            }
        }
    }
    found.dedup();
    found
}

/// Everything as one object.
pub fn json(rows: &[Row]) -> Json {
    let row = |row: &Row| {
        json!({
            "file": row.file, "configuration": row.configuration, "verdict": row.verdict(),
            "complete": row.is_complete, "errors": row.errors, "paths": row.paths,
            "stands_for": row.stands_for,
            "stands_for_is_exact": row.stands_for.map(|_| !row.stands_for_fewer), "states": row.states, "queries": row.queries,
            "seconds": row.seconds, "open": row.open, "chosen": row.chosen,
        })
    };
    json!({
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "contradictions": contradictions(rows),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(configuration: &str, errors: &[&str], is_complete: bool) -> Row {
        let errors = errors.iter().map(|error| (*error).to_owned()).collect();
        Row { errors, is_complete, ..Row::nothing("a.c", configuration, "", 0.0) }
    }

    #[test]
    fn what_was_missed_is_a_contradiction() {
        let whole = row("unroll", &["a.c:3:1: x", "a.c:4:1: y"], true);
        let part = row("merge", &["a.c:3:1: x"], false);
        assert_eq!(contradictions(&[whole.clone(), part.clone()]), Vec::<String>::new());
        let wrong = Row { is_complete: true, ..part };
        let found = contradictions(&[whole, wrong]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("a.c:4:1: y is found with `unroll`, and not with `merge`"));
        // Another program is none of it.
        let other = Row { file: "b.c".to_owned(), ..row("unroll", &["a.c:3:1: x"], true) };
        assert_eq!(contradictions(&[other, row("merge", &[], true)]), Vec::<String>::new());
    }

    #[test]
    fn rows_say_what_reports_say() {
        let report = json!({
            "paths": {"finished": 3, "failed": 1, "assumed_away": 0, "cut_off": 0, "pruned": 9},
            "errors": [{"file": "a.c", "line": 3, "column": 7, "kind": "reached-error"}],
            "open": [], "states": 8, "queries": 5, "seconds": 0.25,
            "merging": {"stands_for": 40, "stands_for_is_exact": false}, "stopped": "all paths were explored",
            "chosen": {"merge": {"taken": "dynamic", "why": "…"}},
        });
        let row = Row::of_report("a.c", "all", &report);
        assert_eq!((row.verdict(), row.is_complete, row.paths), ("unsafe", true, 4));
        assert_eq!(row.errors, ["a.c:3:7: reached-error"]);
        assert_eq!(row.chosen, ["merge dynamic"]);
        assert!(line(&row).contains(" ≤ 40 "), "{}", line(&row));
    }
}
