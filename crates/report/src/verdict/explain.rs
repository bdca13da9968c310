//! The outline of a proof, or of how an error was found, or of how far it was gone.

use super::Verified;
use super::loops::{self, Met, function_name, in_words};
use super::obstacles::{obstacles, reason};
use crate::explore::{Verdict, merging_text, subsumption_text};
use crate::run::count;
use crate::story::{grouped, line_of};
use loupe_loops::Tag;
use loupe_symbolic::explore::{Exploration, Violation};
use loupe_verify::{Member, Place};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The parts of a certificate, by how what was proved begins or ends.
const PARTS: [(&str, &[&str]); 6] = [
    ("splitting of paths", &["a part of path", "the parts of path"]),
    ("guards in all iterations", &["the guard holds"]),
    ("values at the end", &["ends with its values", "the values"]),
    ("exits", &["takes its exit"]),
    ("coverage", &["every entry", "is in a case", "leaving at once", "coverage"]),
    ("entries without an end", &["diverging"]),
];

/// What was proved for a summary, counted by the part of the argument that it belongs to.
fn certificate(proved: &[String]) -> BTreeMap<&'static str, usize> {
    let mut parts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for name in proved {
        let known = PARTS.iter().find(|(_, words)| words.iter().any(|word| name.contains(word)));
        *parts.entry(known.map_or("other steps", |(part, _)| *part)).or_default() += 1;
    }
    parts
}

/// For people.
pub(super) fn text(verified: &Verified<'_>) -> Vec<String> {
    let exploration = &verified.report.exploration;
    let mut lines = Vec::new();
    if let Some(winner) = verified.report.winner {
        lines.push(format!("decided by the member `{}`: {}", winner.name(), in_words(winner)));
    }
    match verified.verdict() {
        Verdict::Safe => lines.extend(proof(verified, exploration)),
        Verdict::Unsafe => lines.extend(refutation(verified, exploration)),
        Verdict::Unknown => {}
    }
    lines.extend(members(verified));
    lines
}

/// Why every execution is covered.
fn proof(verified: &Verified<'_>, exploration: &Exploration) -> Vec<String> {
    let mut lines = Vec::new();
    match verified.report.winner {
        Some(Member::Invariants) => {
            lines.push(
                "from the start and from each loop, every step up to the next loop keeps these:"
                    .to_owned(),
            );
            for invariant in &exploration.invariants {
                let place = line_of(verified.program, invariant.span);
                lines.push(format!("  loop at {place}: {}", invariant.text));
            }
            lines.push("checked clause by clause; no error can follow them".to_owned());
        }
        Some(Member::Values) => lines.push(
            "at each place, all values that can be there were found at once, whatever the path; with these, no check can fail"
                .to_owned(),
        ),
        Some(Member::Necessary) => {
            let drafts = &exploration.drafts;
            lines.push(format!(
                "{} to an error, {} of them refuted by what every execution along them satisfies",
                count(drafts.ways, "way"),
                drafts.refuted
            ));
        }
        _ => {
            lines.push(paths(exploration));
            lines.extend(merging_text(&exploration.merging));
            lines.extend(subsumption_text(exploration));
        }
    }
    for met in loops::all(verified) {
        lines.extend(summary(verified, &met));
    }
    lines
}

/// How the paths have ended that cover all executions.
fn paths(exploration: &Exploration) -> String {
    let Exploration { finished, assumed_away, pruned, .. } = exploration;
    let mut parts = Vec::new();
    for (number, how) in [(finished, "end without an error"), (assumed_away, "are assumed away")] {
        if *number > 0 {
            parts.push(format!("{number} {how}"));
        }
    }
    if *pruned > 0 {
        parts.push(match pruned {
            1 => "nobody can take 1 side of a branch".to_owned(),
            pruned => format!("nobody can take {pruned} sides of branches"),
        });
    }
    format!("{}: {}", count(exploration.paths(), "path"), parts.join(", "))
}

/// What a summary of a loop rests on.
fn summary(verified: &Verified<'_>, met: &Met<'_>) -> Vec<String> {
    let Some(figures) = met.figures else { return Vec::new() };
    let Some(tag) = figures.tag else { return Vec::new() };
    let place = line_of(verified.program, met.span);
    let name = function_name(verified.program, met.key.0);
    let used = match tag {
        Tag::Exact | Tag::Template => "precisely the executions that leave it",
        Tag::Over => "all executions that leave it, and perhaps more",
        Tag::Under => "some executions that leave it",
    };
    let mut lines = vec![format!(
        "loop at {place} in {name}: summary `{}` with {} ({used}), used {}",
        tag.name(),
        count(figures.cases as u64, "case"),
        match figures.passed {
            1 => "once".to_owned(),
            times => format!("{times} times"),
        }
    )];
    let parts = certificate(&figures.proved);
    if !parts.is_empty() {
        let all: Vec<String> =
            parts.iter().map(|(part, count)| format!("{part} ({count})")).collect();
        let total = count(figures.proved.len() as u64, "obligation");
        lines.push(format!("  certificate of {total}, all proved: {}", all.join(", ")));
    }
    lines
}

/// How an error was found.
fn refutation(verified: &Verified<'_>, exploration: &Exploration) -> Vec<String> {
    let mut lines = Vec::new();
    for violation in exploration.violations.values() {
        let Violation { jumps, paths, model, .. } = violation;
        let inputs = count(model.inputs.len() as u64, "input");
        lines.push(format!(
            "{} to the error; {inputs} for one of them came from a model of its conditions, and a run on them fails there too",
            count(*paths, "path")
        ));
        for jump in jumps {
            let place = line_of(verified.program, jump.loop_span);
            lines.push(format!(
                "the replay went over {} iterations of the loop at {place} by its closed form, which is certified",
                grouped(&jump.iterations.to_string())
            ));
        }
    }
    for found in exploration.endless.values() {
        lines.push(format!(
            "a replay came to the loop at {} and stayed, as was proved for its values there",
            line_of(verified.program, found.span)
        ));
    }
    for met in loops::all(verified) {
        lines.extend(summary(verified, &met));
    }
    lines
}

/// What each member has come to: nothing that depends on how fast the machine is, where there is a verdict.
fn members(verified: &Verified<'_>) -> Vec<String> {
    let report = verified.report;
    let first = report.winner.map(|winner| (winner.name(), &report.exploration));
    let first = first.or_else(|| {
        let is_race = !report.others.is_empty();
        is_race.then_some(("the first member", &report.exploration))
    });
    let row = |(name, exploration): (&str, &Exploration)| {
        let verdict = Verdict::of(exploration).name();
        let why = match Verdict::of(exploration) {
            Verdict::Unknown => {
                let unsure = exploration.unsure.keys().next();
                let unsure = unsure.map(|unsure| {
                    format!("{}: {}", line_of(verified.program, unsure.span), unsure.what)
                });
                unsure.unwrap_or_else(|| exploration.stop.to_string())
            }
            Verdict::Safe | Verdict::Unsafe => String::new(),
        };
        let why = if why.is_empty() { why } else { format!("; {why}") };
        format!(
            "{name}: {verdict} after {} and {}{why}",
            count(exploration.states, "state"),
            match exploration.queries.queries {
                1 => "1 query".to_owned(),
                queries => format!("{queries} queries"),
            }
        )
    };
    // How far those were who were stopped is a matter of time.
    let others = report.others.iter().filter(|run| run.place != Place::Early).map(|run| {
        let name = run.member.name();
        match (run.place, report.winner) {
            (Place::Ended, _) => row((name, &run.exploration)),
            (_, Some(_)) => format!("{name}: was not needed any more"),
            (_, None) => format!("{name}: had not come to its end"),
        }
    });
    first.map(row).into_iter().chain(others).collect()
}

/// As data.
pub(super) fn json(verified: &Verified<'_>) -> Json {
    let program = verified.program;
    let summaries: Vec<Json> = loops::all(verified)
        .iter()
        .filter_map(|met| {
            let figures = met.figures?;
            let tag = figures.tag?;
            Some(json!({
                "function": function_name(program, met.key.0),
                "line": met.span.start.line,
                "summary": tag.name(),
                "cases": figures.cases,
                "certificate": certificate(&figures.proved),
                "obligations": figures.proved,
            }))
        })
        .collect();
    let reasons: Vec<String> =
        obstacles(verified).iter().map(|obstacle| reason(program, obstacle)).collect();
    json!({
        "member": verified.report.winner.map(Member::name),
        "technique": verified.report.winner.map(in_words),
        "outline": text(verified),
        "summaries": summaries,
        "paths": {
            "finished": verified.report.exploration.finished,
            "assumed_away": verified.report.exploration.assumed_away,
            "pruned": verified.report.exploration.pruned,
        },
        "assumptions": verified.assumptions,
        "obstacles": reasons,
    })
}
