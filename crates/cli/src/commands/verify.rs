//! `loupe verify`

use super::afterwards::Afterwards;
use super::explore::{How, Work, peak_memory, wanted_draft};
use super::progress::MemberProgress;
use crate::args::{self, Format, Verify};
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use crate::supervise::{self, Resumed};
use loupe_report::explore::Verdict;
use loupe_report::verdict::{self, Detail, Verified};
use loupe_symbolic::explore::{AllErrors, Exploration, Merge, Subsumed};
use loupe_symbolic::search::Strategy;
use loupe_verify::{Member, Report, Request};
use serde_json::{Value as Json, json};
use several::Part;
use std::process::ExitCode;
use std::time::Duration;

pub(crate) mod several;

pub(crate) fn verify(verify: &Verify, console: &Console) -> Result<ExitCode, Failed> {
    let part = several::own_part(verify, console)?;
    let (source, exploring) = (&verify.source, &verify.exploring);
    let work = Work::for_task(&part.task, source, exploring, Strategy::Bfs, console)?;
    let resumed = supervise::resumed();
    let timeout = resumed.as_ref().map_or(part.seconds, |resumed| resumed.seconds);
    let Some((report, seconds)) = explored(verify, &work, timeout, resumed.as_ref())? else {
        let why = resumed.map_or_else(|| "nobody is left".to_owned(), |resumed| resumed.why);
        write_result(&unknown(verify, &part, &why), None)?;
        return Ok(Status::Unknown.into());
    };
    let afterwards = Afterwards::new(timeout - seconds)?;
    let program = &work.loaded.program;
    let verified = Verified {
        program,
        file: part.task.file(&verify.source),
        property: work.property,
        told: afterwards.told(program, &report.exploration, work.end_of_input()),
        studied: afterwards.studied(program, &report.exploration),
        assumptions: work.assumptions(&report.exploration),
        report: &report,
        lost: resumed.map(|resumed| resumed.why),
        timeout,
        seconds,
        peak_memory: peak_memory(),
    };
    let detail = if verify.explain { Detail::Explained } else { Detail::Short };
    let text = match verify.format {
        Format::Text => verdict::text(&verified, console.result_style(), detail),
        Format::Json => {
            let mut object = verdict::json(&verified, detail, env!("CARGO_PKG_VERSION"));
            object["property"] = json!(part.task.name());
            format!("{object:#}")
        }
    };
    write_result(&text, None)?;
    Ok(match verified.verdict() {
        Verdict::Safe => Status::Done,
        Verdict::Unsafe => Status::Violation,
        Verdict::Unknown => Status::Unknown,
    }
    .into())
}

/// What is found out about the program in this time, and how long that took: all members race, unless the user says how to explore. Nothing if those with whom workers died are all there were.
fn explored(
    verify: &Verify,
    work: &Work<'_>,
    timeout: f64,
    resumed: Option<&Resumed>,
) -> Result<Option<(Report, f64)>, Failed> {
    let exploring = &verify.exploring;
    let how = How {
        all: if verify.all_errors { AllErrors::GoOn } else { AllErrors::StopAtFirst },
        timeout,
        keep_tree: false,
        loops: args::Loops::Auto,
        live: false,
        instances: args::INSTANCES,
        draft: wanted_draft(exploring, timeout),
        limit_cost: Merge::LIMIT_COST,
        subsumed: Subsumed::All,
    };
    let is_plain = exploring.leaves_open_how() && !exploring.guide && !verify.all_errors;
    let is_invariants = exploring.loops == Some(args::Loops::Invariants);
    if !is_plain && verify.members.is_empty() && !is_invariants {
        let how = How { live: verify.format == Format::Text, ..how };
        let (exploration, seconds) = work.run(how, None)?;
        let (winner, decided, others) = (None, None, Vec::new());
        return Ok(Some((Report { winner, decided, exploration, others }, seconds)));
    }
    let mut members = match &verify.members[..] {
        _ if is_invariants => vec![Member::Invariants],
        [] => Member::for_verdicts(),
        members => members.to_vec(),
    };
    members.retain(|member| member.is_for(work.property));
    if let Some(resumed) = resumed {
        members.retain(|member| !resumed.left_out.iter().any(|name| name == member.name()));
        if members.is_empty() {
            return Ok(None);
        }
    }
    let jobs = exploring.jobs_of_members();
    let progress = MemberProgress::new(verify.format == Format::Text);
    let watcher = |member: Member, so_far: &Exploration, waiting: usize| {
        progress.show(member, so_far, waiting);
    };
    let listener = |running: &[Member]| {
        let names: Vec<&str> = running.iter().map(|member| member.name()).collect();
        supervise::say(&names);
    };
    let verified = work.watched(&how, |options, supervisor| {
        let program = &work.loaded.program;
        let (listener, clock, watcher) = (&listener, &processor_time, &watcher);
        let request = Request { program, options, members, jobs, listener, clock, watcher };
        loupe_verify::verify(&request, supervisor)
    });
    verified.map(Some)
}

/// How long this process has had a processor: on a busy machine, real time says nothing of how far members are. Nothing where the system does not tell.
pub(super) fn processor_time() -> Duration {
    /// Linux counts in hundredths of a second there.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold anything.
    let behind_name = text.rsplit_once(')').map_or("", |(_, behind)| behind);
    let ticks = behind_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|number| number.parse::<u32>().ok()).map(|ticks| TICK * ticks).sum()
}

/// The report of a verification that came to nothing.
fn unknown(verify: &Verify, part: &Part, why: &str) -> String {
    let verdict = Verdict::Unknown.name();
    match verify.format {
        Format::Text => format!("{verdict}\n  {why}"),
        Format::Json => {
            let object = json!({
                "file": part.task.file(&verify.source),
                "property": part.task.name(),
                "verdict": verdict,
                "reasons": [why],
                "obstacles": [],
                "violation": null,
                "violations": [],
                "assumptions": [],
                "loops": [],
                "templates": null,
                "subsumption": null,
                "stats": no_stats(part.seconds),
                "version": env!("CARGO_PKG_VERSION"),
            });
            format!("{object:#}")
        }
    }
}

/// The figures of what came to nothing in so many seconds.
pub(super) fn no_stats(seconds: f64) -> Json {
    json!({
        "seconds": seconds, "paths": 0, "states": 0, "explored": 0, "queries": 0,
        "unknown_queries": 0, "solver_seconds": 0.0, "peak_memory_bytes": null,
    })
}
