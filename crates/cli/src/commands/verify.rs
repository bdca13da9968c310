//! `loupe verify`

use super::explore::{How, Work, peak_memory, property_of, wanted_draft};
use crate::args::{self, Format, Verify};
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use loupe_ir::program::Program;
use loupe_report::explore::{self as report, Verdict};
use loupe_symbolic::explore::{AllErrors, Exploration};
use loupe_symbolic::invariants::Invariant;
use loupe_symbolic::property::Property;
use loupe_symbolic::search::Strategy;
use loupe_verify::{Member, Report, Request};
use serde_json::{Value as Json, json};
use std::num::NonZeroUsize;
use std::process::ExitCode;

pub(crate) fn verify(verify: &Verify, console: &Console) -> Result<ExitCode, Failed> {
    let work = Work::new(&verify.source, &verify.exploring, Strategy::Bfs, console)?;
    let (report, seconds) = explored(verify, &work)?;
    let exploration = &report.exploration;
    let program = &work.loaded.program;
    let verdict = Verdict::of(exploration);
    let reasons = match verdict {
        Verdict::Unknown if work.property == Property::Termination => {
            let reasons = report::reasons(program, exploration);
            reasons.into_iter().chain(report::open_loops(program, exploration)).collect()
        }
        Verdict::Unknown => report::reasons(program, exploration),
        Verdict::Safe | Verdict::Unsafe => Vec::new(),
    };
    match verify.format {
        Format::Text => {
            for violation in exploration.violations.values() {
                if let Some(message) = report::violation(program, violation) {
                    console.message(&message, &program.sources);
                }
            }
            for found in exploration.endless.values() {
                console.message(&report::endless(program, found), &program.sources);
            }
            work.note_assumptions(exploration, console);
            let mut lines = vec![verdict.name().to_owned()];
            lines.extend(exploration.invariants.iter().map(|invariant| {
                let name = &program.function(invariant.function).name;
                let line = invariant.span.start.line;
                format!("  at the loop in line {line} of `{name}`: {}", invariant.text)
            }));
            lines.extend(reasons.iter().map(|reason| format!("  {reason}")));
            write_result(&lines.join("\n"), None)?;
        }
        Format::Json => {
            let object = verdict_json(&work, &report, &reasons, seconds);
            write_result(&format!("{object:#}"), None)?;
        }
    }
    Ok(match verdict {
        Verdict::Safe => Status::Done,
        Verdict::Unsafe => Status::Violation,
        Verdict::Unknown => Status::Unknown,
    }
    .into())
}

/// What is found out about the program, and how long that took: all members race, unless the user says how to explore.
fn explored(verify: &Verify, work: &Work<'_>) -> Result<(Report, f64), Failed> {
    let exploring = &verify.exploring;
    let timeout = exploring.timeout;
    let how = How {
        all: if verify.all_errors { AllErrors::GoOn } else { AllErrors::StopAtFirst },
        timeout,
        keep_tree: false,
        loops: args::Loops::Auto,
        live: verify.format == Format::Text,
        instances: args::INSTANCES,
        draft: wanted_draft(exploring, timeout),
    };
    let is_plain = exploring.loops.is_none()
        && exploring.search.is_none()
        && exploring.max_paths.is_none()
        && exploring.max_iterations.is_none()
        && !exploring.guide
        && !verify.all_errors;
    let is_invariants = exploring.loops == Some(args::Loops::Invariants);
    if !is_plain && verify.members.is_empty() && !is_invariants {
        let (exploration, seconds) = work.run(how, None)?;
        return Ok((Report { winner: None, exploration, others: Vec::new() }, seconds));
    }
    let members = match &verify.members[..] {
        _ if is_invariants => vec![Member::Invariants],
        [] => Member::ALL.to_vec(),
        members => members.to_vec(),
    };
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = exploring.jobs.map_or_else(cores, NonZeroUsize::get);
    work.watched(&how, |options, supervisor| {
        let request = Request { program: &work.loaded.program, options, members, jobs };
        loupe_verify::verify(&request, supervisor)
    })
}

/// The report of a verification that came to nothing.
pub(crate) fn unknown(verify: &Verify, why: &str) -> String {
    let property = property_of(&verify.source, &verify.exploring);
    let verdict = Verdict::Unknown.name();
    match verify.format {
        Format::Text => format!("{verdict}\n  {why}"),
        Format::Json => {
            let stats = json!({
                "seconds": verify.exploring.timeout, "paths": 0, "states": 0, "queries": 0,
                "unknown_queries": 0, "solver_seconds": 0.0, "peak_memory_bytes": null,
            });
            let object = json!({
                "file": verify.source.files.first().map(|file| file.display().to_string()),
                "property": property.name(),
                "verdict": verdict,
                "reasons": [why],
                "violation": null,
                "violations": [],
                "assumptions": [],
                "loops": [],
                "templates": null,
                "stats": stats,
                "version": env!("CARGO_PKG_VERSION"),
            });
            format!("{object:#}")
        }
    }
}

fn verdict_json(work: &Work<'_>, report: &Report, reasons: &[String], seconds: f64) -> Json {
    let program = &work.loaded.program;
    let exploration = &report.exploration;
    let violations = exploration.violations.values();
    let violations = violations.map(|found| report::violation_json(program, found));
    let endless = exploration.endless.values();
    let endless = endless.map(|found| report::endless_json(program, found));
    let violations: Vec<Json> = violations.chain(endless).collect();
    let file = work.source.files.first().map(|file| file.display().to_string());
    json!({
        "file": file,
        "property": work.property.name(),
        "verdict": Verdict::of(exploration).name(),
        "reasons": reasons,
        "violation": violations.first(),
        "violations": violations,
        "assumptions": work.assumptions(exploration),
        "loops": report::loops_json(program, exploration),
        "invariants": invariants_json(program, exploration),
        "templates": report::templates_json(exploration),
        "stats": {
            "seconds": seconds,
            "paths": exploration.paths(),
            "states": exploration.states,
            "queries": exploration.queries.queries,
            "unknown_queries": exploration.queries.unknown,
            "solver_seconds": exploration.queries.time.as_secs_f64(),
            "peak_memory_bytes": peak_memory(),
        },
        "member": report.winner.map(Member::name),
        "members": members_json(report),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// What holds whenever a loop is come to.
fn invariants_json(program: &Program, exploration: &Exploration) -> Vec<Json> {
    let row = |invariant: &Invariant| {
        json!({
            "function": program.function(invariant.function).name,
            "line": invariant.span.start.line,
            "invariant": invariant.text,
        })
    };
    exploration.invariants.iter().map(row).collect()
}

/// What the members have done that were begun, the one with the verdict first.
fn members_json(report: &Report) -> Vec<Json> {
    let row = |member: Member, exploration: &Exploration| {
        json!({
            "member": member.name(),
            "verdict": Verdict::of(exploration).name(),
            "effort": exploration.effort,
            "states": exploration.states,
            "queries": exploration.queries.queries,
        })
    };
    let winner = report.winner.map(|member| row(member, &report.exploration));
    let others = report.others.iter().map(|run| row(run.member, &run.exploration));
    winner.into_iter().chain(others).collect()
}
