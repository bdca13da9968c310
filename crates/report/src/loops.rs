//! What is known of loops: tables and cases for people, JSON, and totals like Tables 3 and 4 of Proteus.

use loupe_loops::Tag;
use loupe_loops::bounds::Bound;
use loupe_symbolic::summary::survey::{CaseText, Known, Limit, Outlined, Study};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// A loop that was looked at, and how long it took.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The loop.
    pub study: Study,
    /// Seconds.
    pub seconds: f64,
}

/// How much is said of each loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A line.
    Line,
    /// Its paths, exits and cases as well.
    Cases,
}

/// The loops of a file as a table.
pub fn text(loops: &[Timed], detail: Detail) -> String {
    let header =
        ["place", "function", "depth", "type", "summary", "paths", "edges", "cases", "bound"];
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).to_vec()];
    rows.extend(loops.iter().map(row));
    let widths: Vec<usize> = (0..header.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
        let Some(timed) = number.checked_sub(1).and_then(|number| loops.get(number)) else {
            continue;
        };
        for reason in reasons(&timed.study) {
            let _ = writeln!(out, "    {reason}");
        }
        if detail == Detail::Line {
            continue;
        }
        if let Ok(known) = &timed.study.outcome {
            write_cases(&mut out, known);
        }
        if let Some(known) = &timed.study.slice {
            let _ = writeln!(out, "    the slice to what decides when the loop is left:");
            write_cases(&mut out, known);
        }
    }
    out
}

fn row(timed: &Timed) -> Vec<String> {
    let found = &timed.study.found;
    let start = found.span.start;
    let mut row = vec![
        format!("{}:{}", start.line, start.column),
        found.function.clone(),
        found.depth.to_string(),
    ];
    let kind = timed.study.kind();
    row.push(kind.map_or("-".to_owned(), |kind| kind.number.to_string()));
    match &timed.study.outcome {
        Err(_) => row.extend(["none", "-", "-", "-"].map(str::to_owned)),
        Ok(known) => row.extend([
            known.tag.name().to_owned(),
            known.paths.len().to_string(),
            known.edges.to_string(),
            known.cases.len().to_string(),
        ]),
    }
    row.push(bound_text(&timed.study));
    row
}

/// The bound with how it grows; what is not bounded says so.
fn bound_text(study: &Study) -> String {
    let Some(Limit { text, growth, .. }) = study.bound() else { return "unknown".to_owned() };
    let mut text = format!("{text} ({growth})");
    if best(study).is_some_and(|known| !known.endless.is_empty()) {
        text += ", or endless";
    }
    text
}

/// Where the bound comes from, if it comes from formulas.
fn best(study: &Study) -> Option<&Known> {
    let own = study.outcome.as_deref().ok();
    own.filter(|known| known.bound.is_some()).or(study.slice.as_deref()).or(own)
}

/// Why a loop is not known better, and what its bound assumes beside what is assumed of the loop.
fn reasons(study: &Study) -> Vec<String> {
    let mut all = own_reasons(study);
    let limit = study.bound().filter(|limit| limit.assumptions != study.assumptions);
    if let Some(limit) = limit.filter(|limit| !limit.assumptions.is_empty()) {
        all.push(format!("the bound holds if {}", limit.assumptions.join("; ")));
    }
    all
}

fn own_reasons(study: &Study) -> Vec<String> {
    match &study.outcome {
        Err(why) => vec![format!("why: line {}: {}", why.span.start.line, why.what)],
        Ok(known) => {
            let mut all: Vec<String> =
                known.reasons.iter().map(|reason| format!("why: {reason}")).collect();
            if all.is_empty() && study.bound().is_none() {
                all.extend(known.unbounded.iter().map(|why| format!("no bound: {why}")));
            }
            all
        }
    }
}

fn write_cases(out: &mut String, known: &Known) {
    let _ = writeln!(out, "    type {}: {}", known.kind.number, known.kind.reason);
    for (number, path) in known.paths.iter().enumerate() {
        let end = match path.exit {
            Some(exit) => format!("exit {exit}"),
            None => "again".to_owned(),
        };
        let _ = writeln!(out, "    p{}: {} → {end}", number + 1, path.guard);
        if !path.changes.is_empty() {
            let _ = writeln!(out, "        {}", path.changes.join(", "));
        }
        if let (None, Some(bound)) = (path.exit, &path.bound) {
            let _ = writeln!(out, "        at most {} times", bound.text);
        }
    }
    for (number, exit) in known.exits.iter().enumerate() {
        let bound = exit.bound.as_ref();
        let bound = bound.map_or(String::new(), |bound| format!(", after at most {}", bound.text));
        let _ = writeln!(out, "    exit {number}: {}{bound}", exit.text);
    }
    for (number, case) in known.cases.iter().enumerate() {
        let _ = writeln!(out, "    case {}: {}", number + 1, case.condition);
        let _ = writeln!(out, "        {} → exit {}", case.trace, case.exit);
        if !case.changes.is_empty() {
            let _ = writeln!(out, "        {}", case.changes.join(", "));
        }
        if let Some(bound) = &case.bound {
            let most = if case.is_counted { "" } else { "at most " };
            let _ = writeln!(out, "        {most}{} iterations", bound.text);
        }
    }
    if !known.part.is_empty() {
        let _ = writeln!(out, "    these are certain, though there may be others:");
    }
    for (number, case) in known.part.iter().enumerate() {
        let _ = writeln!(out, "    under case {}: {}", number + 1, case.condition);
        let _ = writeln!(out, "        {} → exit {}", case.trace, case.exit);
        if !case.changes.is_empty() {
            let _ = writeln!(out, "        {}", case.changes.join(", "));
        }
    }
    for endless in &known.endless {
        let _ = writeln!(out, "    endless: {}", endless.condition);
        let _ = writeln!(out, "        {}", endless.trace);
    }
}

/// A loop as JSON.
pub fn json(file: &str, timed: &Timed) -> Json {
    let found = &timed.study.found;
    let start = found.span.start;
    let mut object = json!({
        "file": file,
        "function": found.function,
        "line": start.line,
        "column": start.column,
        "depth": found.depth,
        "nested": found.is_nested,
        "seconds": timed.seconds,
        "assumptions": timed.study.assumptions,
        "type": null,
        "summary": "none",
        "bound": null,
        "growth": "unknown",
    });
    if found.file != file {
        object["included"] = json!(found.file);
    }
    match &timed.study.outcome {
        Err(why) => {
            object["why"] = json!([why.what]);
            object["why_line"] = json!(why.span.start.line);
        }
        Ok(known) => add_known(&mut object, known),
    }
    if let Some(known) = &timed.study.slice {
        let mut slice = json!({});
        add_known(&mut slice, known);
        object["slice"] = slice;
    }
    if let Some(measure) = &timed.study.measure {
        object["measure"] = json!({ "text": measure.text, "assumptions": measure.assumptions });
    }
    if let Some(Outlined { bound: Some((text, _)), assumptions, .. }) = &timed.study.outlined {
        object["outline"] = json!({ "bound": text, "assumptions": assumptions });
    }
    if let Some(limit) = timed.study.bound() {
        object["bound"] = json!(limit.text);
        object["growth"] = json!(limit.growth.to_string());
        object["bound_assumes"] = json!(limit.assumptions);
    }
    if let Some(reduced) = &timed.study.reduced {
        object["reduced"] = json!({
            "instructions": reduced.all, "kept": reduced.kept,
            "is_simpler": reduced.kept < reduced.all, "paths_removed": reduced.paths_removed,
        });
    }
    if let Some(kind) = timed.study.kind() {
        object["type"] = json!(kind.number);
    }
    object
}

fn add_known(object: &mut Json, known: &Known) {
    let text = |bound: &Option<Bound>| bound.as_ref().map(|bound| bound.text.clone());
    object["type"] = json!(known.kind.number);
    object["interleaving"] = json!(known.kind.interleaving.name());
    object["type_reason"] = json!(known.kind.reason);
    object["summary"] = json!(known.tag.name());
    object["why"] = json!(known.reasons);
    object["pda"] = json!({ "states": known.paths.len(), "edges": known.edges });
    object["bound"] = json!(text(&known.bound));
    object["growth"] =
        json!(known.bound.as_ref().map_or("unknown".to_owned(), |bound| bound.growth.to_string()));
    object["unbounded"] = json!(known.unbounded);
    object["modelled"] = json!(known.is_modelled);
    if let Some(sliced) = &known.sliced {
        object["sliced"] = json!({
            "instructions": sliced.all, "kept": sliced.kept, "harmless": sliced.is_harmless,
        });
    }
    object["endless"] = known
        .endless
        .iter()
        .map(|endless| json!({ "condition": endless.condition, "trace": endless.trace }))
        .collect();
    object["paths"] = known
        .paths
        .iter()
        .map(|path| {
            json!({
                "label": path.label, "guard": path.guard, "changes": path.changes,
                "exit": path.exit, "bound": text(&path.bound),
            })
        })
        .collect();
    object["exits"] = known
        .exits
        .iter()
        .map(|exit| json!({ "text": exit.text, "line": exit.line, "bound": text(&exit.bound) }))
        .collect();
    let cases = |cases: &[CaseText]| -> Json {
        let one = |case: &CaseText| {
            json!({
                "condition": case.condition, "values": case.changes, "exit": case.exit,
                "trace": case.trace, "bound": text(&case.bound),
            })
        };
        cases.iter().map(one).collect()
    };
    object["cases"] = cases(&known.cases);
    if !known.part.is_empty() {
        object["under"] = cases(&known.part);
    }
}

/// How many loops there are of which kind.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Whose they are.
    pub name: String,
    /// How many files were read.
    pub files: usize,
    /// How many could not be.
    pub unread: usize,
    /// How many loops there are.
    pub loops: usize,
    /// How many of them have loops in them.
    pub nested: usize,
    /// How many are of each type, and how many of those are bounded; the first is for those without one.
    pub types: [(usize, usize); 5],
    /// How many have a bound that assumes something.
    pub assumed: usize,
    /// How many have an exact summary or a template.
    pub exact: usize,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl Totals {
    /// Counts a loop.
    pub fn add(&mut self, timed: &Timed) {
        self.loops += 1;
        self.nested += usize::from(timed.study.found.is_nested);
        self.seconds += timed.seconds;
        if let Ok(known) = &timed.study.outcome {
            let exact = matches!(known.tag, Tag::Exact | Tag::Template) && known.is_modelled;
            self.exact += usize::from(exact);
        }
        let kind = timed.study.kind().map_or(0, |kind| usize::from(kind.number));
        let limit = timed.study.bound();
        let assumes = limit.as_ref().is_some_and(|limit| !limit.assumptions.is_empty());
        self.assumed += usize::from(assumes);
        let bounded = limit.is_some();
        if let Some((count, bounds)) = self.types.get_mut(kind) {
            *count += 1;
            *bounds += usize::from(bounded);
        }
    }

    /// Counts loops that there was no time for.
    pub fn add_unseen(&mut self, loops: usize) {
        self.loops += loops;
        self.types[0].0 += loops;
    }

    /// How many are bounded.
    pub fn bounded(&self) -> usize {
        self.types.iter().map(|(_, bounded)| bounded).sum()
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.name.clone(), format!("{} ({})", self.loops, self.nested)];
        let (without, typed) = self.types.split_at(1);
        for (count, _) in typed.iter().chain(without) {
            cells.push(share(*count, self.loops));
        }
        cells.push(share(self.exact, self.loops));
        for (count, bounded) in typed {
            cells.push(share(*bounded, *count));
        }
        cells.push(share(self.bounded(), self.loops));
        cells.push(share(self.assumed, self.loops));
        cells.push(format!("{:.2}", self.seconds));
        cells
    }

    /// As JSON.
    pub fn json(&self) -> Json {
        let types: serde_json::Map<String, Json> = (self.types.iter().enumerate())
            .map(|(kind, (count, bounded))| {
                let name = if kind == 0 { "none".to_owned() } else { kind.to_string() };
                (name, json!({ "loops": count, "bounded": bounded }))
            })
            .collect();
        json!({
            "name": self.name, "files": self.files, "unread": self.unread, "loops": self.loops,
            "nested": self.nested, "types": types, "exact": self.exact, "bounded": self.bounded(),
            "assumed": self.assumed,
            "seconds": self.seconds,
        })
    }
}

fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => part.to_string(),
        _ => format!("{part} ({:.1}%)", 100.0 * part as f64 / whole as f64),
    }
}

/// Totals as one table, with their sum where there are several.
pub fn table(all: &[Totals]) -> String {
    let header = [
        "",
        "loops (nested)",
        "type 1",
        "type 2",
        "type 3",
        "type 4",
        "no type",
        "exact",
        "bounded 1",
        "bounded 2",
        "bounded 3",
        "bounded 4",
        "bounded",
        "assuming",
        "seconds",
    ];
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).to_vec()];
    rows.extend(all.iter().map(Totals::cells));
    if all.len() > 1 {
        rows.push(sum(all).cells());
    }
    let columns = header.len();
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// The sum of several.
pub fn sum(all: &[Totals]) -> Totals {
    let mut sum = Totals { name: "total".to_owned(), ..Totals::default() };
    for part in all {
        sum.files += part.files;
        sum.unread += part.unread;
        sum.loops += part.loops;
        sum.nested += part.nested;
        sum.assumed += part.assumed;
        sum.exact += part.exact;
        sum.seconds += part.seconds;
        for (own, other) in sum.types.iter_mut().zip(part.types) {
            *own = (own.0 + other.0, own.1 + other.1);
        }
    }
    sum
}
