//! What came out of a verification: the verdict, and why it can be believed.

mod explain;
mod inputs;
mod json;
mod loops;
mod obstacles;
mod replay;

pub(crate) use inputs::{listed, run_length};
pub use json::{json, members, stats};
pub use loops::met;
pub use obstacles::{Obstacle, obstacles};

use crate::explore::{Verdict, choices_text, endless};
use crate::message::{Message, Style};
use crate::run;
use crate::story::{self, Ending, Telling};
use loupe_ir::program::Program;
use loupe_symbolic::explore::{Model, Told};
use loupe_symbolic::loops::LoopKey;
use loupe_symbolic::property::Property;
use loupe_verify::{Report, Studied};
use std::collections::BTreeMap;

/// A program that was verified.
pub struct Verified<'v> {
    /// The program.
    pub program: &'v Program,
    /// What the user called it.
    pub file: Option<String>,
    /// What was asked.
    pub property: Property,
    /// What the members have come to.
    pub report: &'v Report,
    /// The errors as stories: those of checks in their order, then the executions that never end.
    pub told: Vec<Told>,
    /// What is known of loops by themselves.
    pub studied: BTreeMap<LoopKey, Studied>,
    /// What the verdict rests on.
    pub assumptions: Vec<String>,
    /// How those were lost that are not in the report.
    pub lost: Option<String>,
    /// The command that runs the program as it was verified: its inputs are missing.
    pub run: String,
    /// What was given for time, in seconds.
    pub timeout: f64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The most memory that the process had.
    pub peak_memory: Option<u64>,
}

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What everybody wants to know.
    Short,
    /// How it was found, too.
    Explained,
}

impl Verified<'_> {
    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(&self.report.exploration)
    }
}

/// Everything for people, the verdict first.
pub fn text(verified: &Verified<'_>, style: Style, detail: Detail) -> String {
    let mut parts = vec![verified.verdict().name().to_owned()];
    match verified.verdict() {
        Verdict::Unsafe => parts.extend(errors(verified, style)),
        Verdict::Safe => parts.extend(indented(loops::text(verified))),
        Verdict::Unknown => {
            parts.extend(indented(obstacles::text(verified)));
            parts.extend(indented(loops::text(verified)));
        }
    }
    parts.extend(indented(choices_text(&verified.report.exploration).collect()));
    if detail == Detail::Explained {
        let outline = explain::text(verified);
        // Where time was over before anybody had come to an end, there is none.
        if !outline.is_empty() {
            parts.push("how:".to_owned());
            parts.extend(indented(outline));
        }
    }
    if !verified.assumptions.is_empty() {
        parts.push("assumed:".to_owned());
        parts.extend(indented(verified.assumptions.clone()));
    }
    parts.join("\n")
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

/// The errors with their stories.
fn errors(verified: &Verified<'_>, style: Style) -> Vec<String> {
    let Verified { program, report, .. } = verified;
    let exploration = &report.exploration;
    let mut parts = Vec::new();
    let mut told = verified.told.iter();
    for violation in exploration.violations.values() {
        let Some(message) = run::message(program, &violation.replay()) else { continue };
        parts.push(message.render(&program.sources, style));
        let told = told.next();
        let model = told.map_or(&violation.model, |told| &told.model);
        parts.extend(inputs::text(program, model, &[]));
        parts.extend(uninitialised(verified, told));
        parts.extend(path(verified, told, Ending::Error));
        parts.push(replay::text(&replay::of_violation(verified, model)));
        for jump in violation.jumps.iter().filter(|_| told.is_none_or(|told| told.story.is_none()))
        {
            let place = story::line_of(program, jump.loop_span);
            let iterations = story::grouped(&jump.iterations.to_string());
            parts.push(format!(
                "  the replay went over {iterations} iterations of the loop at {place} by its closed form"
            ));
        }
    }
    for found in exploration.endless.values() {
        let message = endless(program, found);
        // Inputs have a part of their own.
        let notes = message.notes.into_iter();
        let notes = notes.filter(|note| !is_about_inputs(note)).collect();
        parts.push(Message { notes, ..message }.render(&program.sources, style));
        let told = told.next();
        let forever: Vec<_> =
            found.forever.iter().cloned().zip(found.forever_places.iter().copied()).collect();
        parts.extend(inputs::text(program, &found.model, &forever));
        parts.extend(path(verified, told, Ending::Never(found.span)));
        parts.push(replay::text(&replay::of_endless(verified, found)));
    }
    parts
}

fn is_about_inputs(note: &str) -> bool {
    note.starts_with("inputs: ") || note == "without inputs"
}

/// The path to an error, and what variables hold there.
fn path(verified: &Verified<'_>, told: Option<&Told>, ending: Ending) -> Vec<String> {
    let program = verified.program;
    let Some(Told { model, story }) = told else { return Vec::new() };
    let Some(story) = story else {
        return vec!["path: too long to be told".to_owned()];
    };
    let telling = Telling { program, story, inputs: &model.inputs, ending };
    let lines = story::text(&telling);
    let mut parts = Vec::new();
    if !lines.is_empty() {
        parts.push("path:".to_owned());
        parts.extend(indented(lines));
    }
    if !story.values.is_empty() && ending == Ending::Error {
        let values = story.values.iter().map(|value| format!("{} = {}", value.name, value.value));
        parts.push(format!("at the end: {}", values.collect::<Vec<_>>().join(", ")));
    }
    parts
}

/// Uninitialised values that matter, by name.
fn uninitialised(verified: &Verified<'_>, told: Option<&Told>) -> Vec<String> {
    let Some(Told { model, story }) = told else { return Vec::new() };
    let values = named_values(model, story.as_ref());
    let one = |value: &NamedUninitialised| {
        let place = value.span.map(|span| format!(" ({})", story::line_of(verified.program, span)));
        let again = match value.occurrence {
            0 | 1 => String::new(),
            time => format!(", time {time}"),
        };
        format!("  {} = {}{}{again}", value.name, value.value, place.unwrap_or_default())
    };
    let mut lines: Vec<String> = values.iter().take(MOST_VALUES).map(one).collect();
    if values.len() > MOST_VALUES {
        lines.push(format!("  … {} more", values.len() - MOST_VALUES));
    }
    if !lines.is_empty() {
        lines.insert(0, "uninitialised values that matter:".to_owned());
    }
    lines
}

/// So many uninitialised values are listed.
const MOST_VALUES: usize = 12;

/// An uninitialised value.
struct NamedUninitialised {
    name: String,
    span: Option<loupe_ir::source::Span>,
    occurrence: u64,
    position: usize,
    value: loupe_integer::Integer,
}

/// Uninitialised values that are not 0, which all others are, by name.
fn named_values(
    model: &Model,
    story: Option<&loupe_engine::concrete::story::Story>,
) -> Vec<NamedUninitialised> {
    let one = |(position, value): (usize, &loupe_integer::Integer)| {
        let known = story.and_then(|story| story.uninitialised.get(&(position as u64)));
        let unnamed = || format!("value {position}");
        NamedUninitialised {
            name: known.map_or_else(unnamed, |known| known.name.clone()),
            span: known.and_then(|known| known.span),
            occurrence: known.map_or(0, |known| known.occurrence),
            position,
            value: value.clone(),
        }
    };
    let all = model.undefined.iter().enumerate();
    all.filter(|(_, value)| !value.is_zero()).map(one).collect()
}
