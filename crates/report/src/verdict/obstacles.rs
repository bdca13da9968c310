//! Why nothing is known: what stands in the way, the most important first, and what might help.

use super::Verified;
use crate::explore::{Verdict, open_loops};
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::{Exploration, Stop};
use loupe_symbolic::loops::Loops;
use loupe_symbolic::property::Property;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// So many obstacles are listed.
const SHOWN: usize = 10;

/// Something that stands in the way of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Where, if it has a place.
    pub span: Option<Span>,
    /// What.
    pub what: String,
    /// On how many paths.
    pub paths: u64,
    /// What might help.
    pub help: Option<String>,
}

/// How much an obstacle matters: what no technique can get over comes first, what more time might solve last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    NotModelled,
    Undefined,
    Error,
    Limit,
    Solver,
    Other,
}

/// What is known of obstacles of a kind, by how they begin.
fn rank(what: &str) -> (Rank, Option<&'static str>) {
    let table: [(&str, Rank, Option<&'static str>); 9] = [
        (
            "not modelled",
            Rank::NotModelled,
            Some("leave it out of the program, or define a model of it in the program"),
        ),
        (
            "undefined behaviour",
            Rank::Undefined,
            Some("--assume-defined drops such executions; --property no-errors reports them"),
        ),
        ("an error without an input", Rank::Error, None),
        (
            "an error behind an approximated loop",
            Rank::Error,
            Some(
                "--loops auto looks for it with exact summaries, --loops unroll by executing loops",
            ),
        ),
        ("the interpreter's limits", Rank::Error, None),
        ("the limit of", Rank::Limit, None),
        ("a loop was repeated", Rank::Limit, Some("--max-iterations sets this limit")),
        (
            "the solver does not know",
            Rank::Solver,
            Some("--timeout gives more time; --members invariants needs other questions"),
        ),
        (
            "the solver has no answer",
            Rank::Solver,
            Some("--timeout gives more time; --members invariants needs other questions"),
        ),
    ];
    let known = table.iter().find(|(begins, ..)| what.starts_with(begins));
    match known {
        Some((_, Rank::Limit, None)) => (Rank::Limit, limit_help(what)),
        Some((_, rank, help)) => (*rank, *help),
        None => (Rank::Other, None),
    }
}

fn limit_help(what: &str) -> Option<&'static str> {
    let table = [
        ("nested calls", "--max-depth sets this limit"),
        ("steps", "the path is longer than a replay may be"),
        ("paths", "--max-paths sets this limit"),
        ("memory", "--max-memory sets this limit"),
    ];
    table.into_iter().find(|(word, _)| what.contains(word)).map(|(_, help)| help)
}

/// What stands in the way of a verdict, the most important first.
pub fn obstacles(verified: &Verified<'_>) -> Vec<Obstacle> {
    if verified.verdict() != Verdict::Unknown {
        return Vec::new();
    }
    let exploration = &verified.report.exploration;
    let mut all: Vec<(Rank, Obstacle)> = Vec::new();
    for (unsure, paths) in &exploration.unsure {
        let (rank, help) = rank(&unsure.what);
        let (span, what) = (Some(unsure.span), unsure.what.clone());
        let help = help.map(str::to_owned);
        all.push((rank, Obstacle { span, what, paths: *paths, help }));
    }
    all.sort_by_key(|(rank, obstacle)| (*rank, std::cmp::Reverse(obstacle.paths)));
    let mut all: Vec<Obstacle> = all.into_iter().map(|(_, obstacle)| obstacle).collect();
    if let Some(stopped) = stopped(verified, exploration) {
        // Where everything else is an obstacle too, having no more time is not the first of them.
        let is_first = all.is_empty() || exploration.stop != Stop::Time;
        all.insert(if is_first { 0 } else { all.len() }, stopped);
    }
    all.extend(loops_in_the_way(verified, exploration));
    if let Some(what) = verified.lost.clone() {
        all.push(Obstacle { span: None, what, paths: 0, help: None });
    }
    all
}

/// That the exploration was stopped.
fn stopped(verified: &Verified<'_>, exploration: &Exploration) -> Option<Obstacle> {
    let help = match exploration.stop {
        Stop::Complete | Stop::FirstError => return None,
        Stop::Paths(_) => Some("--max-paths sets this limit".to_owned()),
        Stop::Ways(_) => None,
        Stop::Time => Some(format!("--timeout gives more than {} s", verified.timeout)),
        Stop::Memory(_) => Some("--max-memory sets this limit".to_owned()),
        Stop::Interrupted | Stop::TooLarge => None,
    };
    Some(Obstacle { span: None, what: exploration.stop.to_string(), paths: 0, help })
}

/// Loops that had to be executed because nobody knows a summary of them.
fn loops_in_the_way(verified: &Verified<'_>, exploration: &Exploration) -> Vec<Obstacle> {
    let program = verified.program;
    if verified.property == Property::Termination {
        let one = |(span, what): (Span, String)| {
            let help = Some("--timeout gives more time to look for a measure".to_owned());
            Obstacle { span: Some(span), what, paths: 0, help }
        };
        return open_loops(program, exploration).into_iter().map(one).collect();
    }
    let loops = Loops::new(program);
    let mut all = Vec::new();
    for ((function, id), figures) in &exploration.loops {
        let id = loupe_ir::analysis::loops::LoopId(*id);
        let span = loops.of(*function).get(id).span(program.function(*function));
        for why in figures.reasons.iter().filter(|_| figures.executed > 0).take(1) {
            let what = format!("this loop has no exact summary: {why}");
            let help = "--loops summary passes it by an approximation".to_owned();
            all.push(Obstacle { span: Some(span), what, paths: 0, help: Some(help) });
        }
    }
    all
}

/// An obstacle in a line, without what might help.
pub(super) fn reason(program: &Program, obstacle: &Obstacle) -> String {
    let place =
        obstacle.span.map(|span| format!("{}:{}: ", program.sources.name(span.file), span.start));
    let more = match obstacle.paths {
        0 | 1 => String::new(),
        paths => format!(" ({paths} paths)"),
    };
    format!("{}{}{more}", place.unwrap_or_default(), obstacle.what)
}

/// For people.
pub(super) fn text(verified: &Verified<'_>) -> Vec<String> {
    let all = obstacles(verified);
    let mut lines = Vec::new();
    let mut helped = BTreeMap::new();
    for obstacle in all.iter().take(SHOWN) {
        lines.push(reason(verified.program, obstacle));
        // The same advice is given once.
        if let Some(help) = &obstacle.help
            && helped.insert(help.clone(), ()).is_none()
        {
            lines.push(format!("  help: {help}"));
        }
    }
    if all.len() > SHOWN {
        lines.push(format!("… {} more", all.len() - SHOWN));
    }
    lines.extend(others(verified));
    lines
}

/// What the other members have come to, in a line.
fn others(verified: &Verified<'_>) -> Option<String> {
    let tried: Vec<&str> = verified.report.others.iter().map(|run| run.member.name()).collect();
    (!tried.is_empty()).then(|| format!("also tried: {}", tried.join(", ")))
}

/// As data.
pub(super) fn json(verified: &Verified<'_>) -> Json {
    let program = verified.program;
    let one = |obstacle: &Obstacle| {
        json!({
            "file": obstacle.span.map(|span| program.sources.name(span.file)),
            "line": obstacle.span.map(|span| span.start.line),
            "column": obstacle.span.map(|span| span.start.column),
            "what": obstacle.what,
            "paths": obstacle.paths,
            "help": obstacle.help,
        })
    };
    obstacles(verified).iter().map(one).collect()
}
