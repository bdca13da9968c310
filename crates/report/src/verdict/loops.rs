//! What became of each loop, in a line.

use super::Verified;
use crate::run::count;
use crate::story::line_of;
use loupe_ir::analysis::loops::LoopId;
use loupe_ir::program::{FunctionId, Program};
use loupe_ir::source::Span;
use loupe_loops::Tag;
use loupe_symbolic::explore::{Exploration, LoopFigures};
use loupe_symbolic::invariants::Invariant;
use loupe_symbolic::loops::{LoopKey, Loops};
use loupe_verify::{Member, Studied};
use serde_json::{Value as Json, json};

/// So many loops are listed.
const SHOWN: usize = 20;
/// Longer bounds are left out of the text.
const BOUND: usize = 80;

/// A loop that was come to.
pub(super) struct Met<'m> {
    pub(super) key: LoopKey,
    pub(super) span: Span,
    /// What became of it, unless it was simply executed.
    pub(super) figures: Option<&'m LoopFigures>,
    pub(super) invariants: Vec<&'m Invariant>,
    pub(super) studied: Option<&'m Studied>,
}

/// The loops of the user's functions that some execution comes to, by place.
pub fn met(program: &Program, exploration: &Exploration) -> Vec<LoopKey> {
    let loops = Loops::new(program);
    let mut all: Vec<(Span, LoopKey)> = Vec::new();
    for (function, code) in program.functions() {
        if !program.sources.is_users(code.span) || code.name.starts_with(Program::START) {
            continue;
        }
        for (id, own) in loops.of(function).iter() {
            let span = own.span(code);
            let has_figures = exploration.loops.contains_key(&(function, id.0));
            let invariant = |one: &Invariant| (one.function, one.span) == (function, span);
            let is_met = exploration.coverage.has(function, own.header)
                || has_figures
                || exploration.invariants.iter().any(invariant);
            if is_met {
                all.push((span, (function, id)));
            }
        }
    }
    all.sort_unstable();
    all.into_iter().map(|(_, key)| key).collect()
}

/// The same with all that is known of them.
pub(super) fn all<'m>(verified: &'m Verified<'_>) -> Vec<Met<'m>> {
    let (program, exploration) = (verified.program, &verified.report.exploration);
    let loops = Loops::new(program);
    let one = |key: LoopKey| {
        let span = loops.of(key.0).get(key.1).span(program.function(key.0));
        let invariant = |one: &&Invariant| (one.function, one.span) == (key.0, span);
        Met {
            key,
            span,
            figures: exploration.loops.get(&(key.0, key.1.0)),
            invariants: exploration.invariants.iter().filter(invariant).collect(),
            studied: verified.studied.get(&key),
        }
    };
    met(program, exploration).into_iter().map(one).collect()
}

/// One line for each loop, and who has decided.
pub(super) fn text(verified: &Verified<'_>) -> Vec<String> {
    let all = all(verified);
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(|met| line(verified, met)).collect();
    if all.len() > SHOWN {
        lines.push(format!("… {} more loops", all.len() - SHOWN));
    }
    if let Some(winner) = verified.report.winner {
        let paths = match winner {
            Member::Values | Member::Invariants | Member::Necessary => String::new(),
            _ => format!(", {}", count(verified.report.exploration.paths(), "path")),
        };
        let words = match winner {
            Member::Execution if all.is_empty() => "symbolic execution",
            winner => in_words(winner),
        };
        lines.push(format!("decided by {words}{paths}"));
    }
    lines
}

/// A member for people.
pub(super) fn in_words(member: Member) -> &'static str {
    match member {
        Member::Guided => "symbolic execution that necessary conditions guide",
        Member::Execution => "symbolic execution with exact summaries of loops",
        Member::Values => "sets of possible values",
        Member::Necessary => "necessary conditions for errors",
        Member::Invariants => "invariants of loops",
        Member::Unrolling => "symbolic execution, loops executed",
        Member::Targeted => "symbolic execution toward what may go wrong, loops executed",
        Member::Compact => "symbolic execution with templates of cycles",
        Member::Approximation => "symbolic execution with approximations of loops",
    }
}

fn line(verified: &Verified<'_>, met: &Met<'_>) -> String {
    let program = verified.program;
    let place = line_of(program, met.span);
    let mut parts = Vec::new();
    for invariant in &met.invariants {
        parts.push(format!("invariant {}", invariant.text));
    }
    match met.figures {
        Some(figures) => parts.extend(contribution(verified, figures)),
        None if met.invariants.is_empty() => parts.push(match verified.report.winner {
            Some(Member::Values | Member::Invariants) => "no invariant is needed".to_owned(),
            _ => "executed, iteration by iteration".to_owned(),
        }),
        None => {}
    }
    if let Some(bound) = met.studied.and_then(|studied| studied.bound.as_ref())
        && bound.chars().count() <= BOUND
    {
        parts.push(match bound.as_str() {
            "1" => "at most 1 iteration".to_owned(),
            bound => format!("at most {bound} iterations"),
        });
    }
    format!("loop at {place} in {}: {}", function_name(program, met.key.0), parts.join("; "))
}

pub(super) fn function_name(program: &Program, function: FunctionId) -> &str {
    &program.function(function).name
}

/// What a loop's summaries have contributed, in words.
fn contribution(verified: &Verified<'_>, figures: &LoopFigures) -> Vec<String> {
    let mut parts = Vec::new();
    let cases = count(figures.cases as u64, "case");
    if let Some(tag) = figures.tag {
        parts.push(match (tag, verified.report.winner) {
            (_, Some(Member::Necessary)) => "passed by a necessary condition".to_owned(),
            (Tag::Exact, Some(Member::Compact)) => format!("template of a cycle, {cases}"),
            (Tag::Exact, _) => format!("exact summary, {cases}"),
            (Tag::Template, _) => format!("template, {cases}"),
            (Tag::Over, _) => format!("over-approximation, {cases}"),
            (Tag::Under, _) => format!("under-approximation, {cases}"),
        });
    }
    if figures.executed > 0 {
        parts.push(match figures.executed {
            1 => "executed once".to_owned(),
            times => format!("executed {times} times"),
        });
    }
    if figures.diverging > 0 {
        parts.push("may run for ever".to_owned());
    }
    // Why it is not better matters where there is no exact summary.
    let is_exact = matches!(figures.tag, Some(Tag::Exact | Tag::Template));
    if !is_exact && let Some(reason) = figures.reasons.first() {
        parts.push(reason.clone());
    }
    parts
}

/// Each loop as data.
pub(super) fn json(verified: &Verified<'_>) -> Json {
    let program = verified.program;
    let one = |met: Met<'_>| {
        let nothing = LoopFigures::default();
        let figures = met.figures.unwrap_or(&nothing);
        let mut why: Vec<&str> = figures.reasons.iter().map(String::as_str).collect();
        match met.studied {
            None => why.push("type and bound: there was no time left for them"),
            Some(studied) => why.extend(studied.why.as_deref()),
        }
        why.dedup();
        let (_, LoopId(id)) = met.key;
        json!({
            "id": id,
            "function": function_name(program, met.key.0),
            "file": program.sources.name(met.span.file),
            "line": met.span.start.line,
            "type": met.studied.and_then(|studied| studied.kind),
            "summary": figures.tag.map(|tag| tag.name()),
            "cases": figures.tag.map(|_| figures.cases),
            "bound": met.studied.and_then(|studied| studied.bound.as_ref()),
            "passed": figures.passed,
            "executed": figures.executed,
            "diverging": figures.diverging,
            "why": why,
        })
    };
    all(verified).into_iter().map(one).collect()
}
