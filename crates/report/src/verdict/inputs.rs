//! Inputs in the order in which they are read, each with its line.

use crate::run::integer;
use crate::story::line_of;
use loupe_engine::concrete::RunLength;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::Model;
use serde_json::{Value as Json, json};

/// So many lines are written about inputs.
const LINES: usize = 16;
/// So many runs of equal inputs are written in a line.
const RUNS: usize = 24;
/// More inputs than this are listed by runs of equal ones.
const LISTED: usize = 1_000;

/// What is read, for people; what comes for ever is read over and over then.
pub(super) fn text(
    program: &Program,
    model: &Model,
    forever: &[(Integer, Option<Span>)],
) -> Vec<String> {
    let mut lines = Vec::new();
    if model.inputs.is_empty() && forever.is_empty() {
        lines.push("inputs: none".to_owned());
    } else {
        let all: Vec<_> = model.inputs.iter().cloned().zip(model.places.iter().copied()).collect();
        let mut by_line = by_line(program, &all, "");
        by_line.extend(self::by_line(program, forever, ", for ever"));
        lines.push("inputs:".to_owned());
        let more = by_line.len().saturating_sub(LINES);
        lines.extend(by_line.into_iter().take(LINES).map(|line| format!("  {line}")));
        if more > 0 {
            lines.push(format!("  … {more} more lines"));
        }
    }
    if !model.standard_input.is_empty() {
        lines.push(format!("standard input: \"{}\"", model.standard_input.escape_ascii()));
    }
    if let [_, arguments @ ..] = &model.command_line[..]
        && !arguments.is_empty()
    {
        let quoted = arguments.iter().map(|text| format!("\"{}\"", text.escape_ascii()));
        lines.push(format!("arguments: {}", quoted.collect::<Vec<_>>().join(" ")));
    }
    lines
}

/// Inputs that one line reads one after the other are in one line.
fn by_line(program: &Program, inputs: &[(Integer, Option<Span>)], then: &str) -> Vec<String> {
    let place = |span: &Option<Span>| span.map(|span| line_of(program, span));
    let mut lines = Vec::new();
    for part in inputs.chunk_by(|(_, one), (_, other)| place(one) == place(other)) {
        let place = part.first().and_then(|(_, span)| place(span));
        let place = place.map_or(String::new(), |place| place + ": ");
        let values: Vec<Integer> = part.iter().map(|(value, _)| value.clone()).collect();
        lines.push(format!("{place}{}{then}", shortened(&values)));
    }
    lines
}

/// Numbers with equal ones in a row written once, as far as a line goes.
fn shortened(values: &[Integer]) -> String {
    let runs: Vec<&[Integer]> = values.chunk_by(|one, other| one == other).collect();
    let shown: usize = runs.iter().take(RUNS).map(|run| run.len()).sum();
    let text = run_length(&values[..shown]);
    match values.len() - shown {
        0 => text,
        more => format!("{text}, … {more} more"),
    }
}

/// Numbers as `--input` takes them: equal ones in a row written once.
pub(crate) fn run_length(values: &[Integer]) -> String {
    values.iter().cloned().collect::<RunLength>().to_string()
}

/// Inputs in order, each with the line that reads it. Of a long list, equal ones in a row are one entry that says how many they are.
pub(crate) fn listed(inputs: &[Integer], places: &[Option<Span>]) -> Vec<Json> {
    let line = |place: &Option<Span>| place.map(|place| place.start.line);
    let all: Vec<(&Integer, Option<u32>)> = inputs.iter().zip(places.iter().map(line)).collect();
    let value = |value: &Integer| integer(&value.to_string());
    if all.len() <= LISTED {
        let one = |(number, line): &(&Integer, _)| json!({ "value": value(number), "line": line });
        return all.iter().map(one).collect();
    }
    let runs = all.chunk_by(|one, other| one == other);
    runs.map(|run| {
        let (number, line) = run[0];
        json!({ "value": value(number), "line": line, "times": run.len() })
    })
    .collect()
}
