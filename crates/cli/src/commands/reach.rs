//! `loupe reach`

use super::explore::{How, Work, draft, peak_memory};
use crate::args::{self, Emit, Format, Goal, Reach};
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::FileId;
use loupe_report::explore::{self as report, Verdict};
use loupe_report::reach::{Answer, Backbone};
use loupe_symbolic::domain::Symbolic;
use loupe_symbolic::explore::{
    AllErrors, Draft, DraftFor, Exploration, Fate, Leaf, Observer, Readable,
};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Location, Strategy, places_of_line};
use loupe_symbolic::target::{beginning, with_return_target, with_targets};
use loupe_term::Term;
use serde_json::json;
use std::process::ExitCode;

pub(crate) fn execute(reach: &Reach, console: &Console) -> Result<ExitCode, Failed> {
    if reach.exploring.property.is_some() || reach.exploring.target.is_some() {
        let what = "`reach` has a target of its own: leave `--property` and `--target` out";
        return Err(Failed::bad_input(what));
    }
    let mut work = Work::new(&reach.source, &reach.exploring, Strategy::Dfs, console)?;
    let what = describe(&reach.goal);
    if reach.goal.error {
        work.property = Property::UnreachCall;
    } else if let Some(number) = reach.goal.returns {
        work.property = Property::Target;
        let entry = reach.source.c.entry.as_deref().unwrap_or("main");
        let program = with_return_target(&work.loaded.program, entry, &Integer::from(number));
        work.loaded.program = program.ok_or_else(|| {
            Failed::bad_input(format!("--returns: `{entry}` returns no number of a known type"))
        })?;
    } else {
        work.property = Property::Target;
        let places = places(&work.loaded.program, &reach.goal)?;
        work.loaded.program = with_targets(&work.loaded.program, &places);
    }
    let timeout = reach.exploring.timeout;
    let mut backbones = Backbones::default();
    let purpose = if reach.no_guide { DraftFor::Answer } else { DraftFor::Guidance };
    let how = How {
        all: AllErrors::StopAtFirst,
        timeout,
        keep_tree: false,
        loops: args::Loops::Auto,
        live: reach.format == Format::Text,
        instances: reach.instances,
        // Who says how to treat loops wants nothing else.
        draft: reach
            .exploring
            .loops
            .is_none()
            .then(|| Draft { ways: reach.max_ways, ..draft(timeout, purpose) }),
    };
    let (exploration, seconds) = work.run(how, Some(&mut backbones))?;
    let drafts = exploration.drafts;
    let verdict = Verdict::of(&exploration);
    if let (Some(Emit::Smt2), Some(script)) = (reach.emit, &backbones.script) {
        write_result(script, None)?;
        return Ok(status(verdict).into());
    }
    let (is_whole, limit) = (drafts.is_whole, drafts.limit);
    let answer = Answer { what: &what, verdict, backbones: &backbones.found, is_whole, limit };
    match reach.format {
        Format::Text => {
            for violation in exploration.violations.values() {
                if let Some(message) = report::violation(&work.loaded.program, violation) {
                    console.message(&message, &work.loaded.program.sources);
                }
            }
            work.note_assumptions(&exploration, console);
            let reasons = reasons(&work, &exploration, verdict);
            write_result(&answer.text(&reasons), None)?;
        }
        Format::Json => {
            let program = &work.loaded.program;
            let inputs = exploration.violations.values().next();
            let mut object = answer.json();
            object["file"] =
                json!(reach.source.files.first().map(|file| file.display().to_string()));
            object["reasons"] = json!(reasons(&work, &exploration, verdict));
            object["violation"] =
                json!(inputs.map(|violation| report::violation_json(program, violation)));
            object["assumptions"] = json!(work.assumptions(&exploration));
            object["templates"] = report::templates_json(&exploration);
            object["stats"] = json!({
                "seconds": seconds,
                "paths": exploration.paths(),
                "states": exploration.states,
                "queries": exploration.queries.queries,
                "unknown_queries": exploration.queries.unknown,
                "solver_seconds": exploration.queries.time.as_secs_f64(),
                "peak_memory_bytes": peak_memory(),
            });
            let (instances, whole) =
                (drafts.instances_time.as_secs_f64(), drafts.whole_time.as_secs_f64());
            object["necessary"]["states"] = json!(drafts.states);
            object["necessary"]["searched"] = json!(drafts.is_followed);
            object["necessary"]["dropped"] = json!(drafts.dropped);
            object["necessary"]["refuted"] = json!(drafts.refuted);
            object["necessary"]["candidates"] = json!(drafts.candidates);
            object["necessary"]["seconds"] = json!({
                "build": (drafts.time.as_secs_f64() - instances - whole).max(0.0),
                "instances": instances,
                "whole": whole,
            });
            object["version"] = json!(env!("CARGO_PKG_VERSION"));
            write_result(&format!("{object:#}"), None)?;
        }
    }
    Ok(status(verdict).into())
}

/// Reached is what a violation is for other commands.
fn status(verdict: Verdict) -> Status {
    match verdict {
        Verdict::Safe => Status::Done,
        Verdict::Unsafe => Status::Violation,
        Verdict::Unknown => Status::Unknown,
    }
}

fn reasons(work: &Work<'_>, exploration: &Exploration, verdict: Verdict) -> Vec<String> {
    match verdict {
        Verdict::Unknown => report::reasons(&work.loaded.program, exploration),
        Verdict::Safe | Verdict::Unsafe => Vec::new(),
    }
}

fn describe(goal: &Goal) -> String {
    match (goal.line, &goal.label, &goal.function) {
        (Some(line), ..) => format!("line {line}"),
        (_, Some(label), _) => format!("label `{label}`"),
        (.., Some(function)) => format!("function `{function}`"),
        _ if goal.returns.is_some() => {
            format!("a return of {}", goal.returns.unwrap_or_default())
        }
        _ => "an error".to_owned(),
    }
}

/// The instructions that are meant.
fn places(program: &Program, goal: &Goal) -> Result<Vec<Location>, Failed> {
    let file = FileId(0);
    if let Some(function) = &goal.function {
        let place = beginning(program, function).ok_or_else(|| {
            Failed::bad_input(format!(
                "--function: the program has no function `{function}` that can be executed"
            ))
        })?;
        return Ok(vec![place]);
    }
    let source = program.sources.get(file);
    let lines = source.map_or(0, |source| source.text.lines().count() as u32);
    if let Some(label) = &goal.label {
        let line = source.and_then(|source| line_of_label(&source.text, label));
        let line = line.ok_or_else(|| {
            Failed::bad_input(format!("--label: there is no label `{label}` in the file"))
        })?;
        let labelled = source.and_then(|source| labelled_line(&source.text, line, label));
        let found = labelled.map(|line| places_of_line(program, file, line));
        return found.filter(|places| !places.is_empty()).ok_or_else(|| {
            Failed::bad_input(format!(
                "--label: nothing is executed at `{label}` (line {line}); it is in dead code, or \
                 stands before no statement"
            ))
        });
    }
    let line = goal.line.unwrap_or(0);
    if line == 0 || line > lines {
        return Err(Failed::bad_input(format!("--line: the file has lines 1 to {lines}")));
    }
    let found = places_of_line(program, file, line);
    if found.is_empty() {
        let near = (1..=lines).filter(|other| !places_of_line(program, file, *other).is_empty());
        let near = near.min_by_key(|other| other.abs_diff(line));
        let hint = near.map_or(String::new(), |near| format!("; the nearest is line {near}"));
        return Err(Failed::bad_input(format!("--line: nothing is executed in line {line}{hint}")));
    }
    Ok(found)
}

/// The line with `label:` at its beginning.
fn line_of_label(text: &str, label: &str) -> Option<u32> {
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix(label)?.trim_start().strip_prefix(':')?;
        (!rest.starts_with(':')).then_some(())
    };
    (1..).zip(text.lines()).find(|(_, line)| begins(line).is_some()).map(|(number, _)| number)
}

/// The line in which the statement behind a label begins: its own, or the next one with more than blanks, comments and labels in it. No other line will do: where the statement is never executed, what comes behind
/// it may be, and is not what the user asks for.
fn labelled_line(text: &str, line: u32, label: &str) -> Option<u32> {
    let mut is_comment = false;
    for (number, content) in (1..).zip(text.lines()).skip(line.saturating_sub(1) as usize) {
        let mut rest = content.trim();
        if number == line {
            rest = rest.strip_prefix(label)?.trim_start().strip_prefix(':')?.trim_start();
        }
        loop {
            if is_comment {
                let Some(end) = rest.find("*/") else { break };
                (rest, is_comment) = (rest[end + 2..].trim_start(), false);
            }
            match rest.strip_prefix("/*") {
                Some(inside) => (rest, is_comment) = (inside, true),
                None => break,
            }
        }
        let is_label = |text: &str| {
            let name = text.strip_suffix(':').map(str::trim_end);
            name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        };
        if !is_comment && !rest.is_empty() && !rest.starts_with("//") && !is_label(rest) {
            return Some(number);
        }
    }
    None
}

/// Collects what must hold for coming to the target, way by way.
#[derive(Default)]
struct Backbones {
    found: Vec<Backbone>,
    script: Option<String>,
}

impl Observer for Backbones {
    fn leaf(&mut self, _: &mut Symbolic, _: &Leaf) {}

    fn way(&mut self, domain: &mut Symbolic, leaf: &Leaf, conditions: &[Term], fate: &Fate) {
        let line = leaf.span.start.line;
        let says = Readable::new(domain, leaf, conditions);
        self.found.push(Backbone { line, says, is_possible: *fate != Fate::Refuted });
        if let Ok(script) = loupe_solver::script_of(&domain.terms, conditions) {
            let number = self.found.len();
            let text = self.script.get_or_insert_with(String::new);
            *text += &format!("; way {number}, to line {line}\n{script}\n(reset)\n");
        }
    }
}
