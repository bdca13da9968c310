//! `loupe verify`

use super::afterwards::Afterwards;
use super::explore::{How, Work, peak_memory, wanted_draft};
use super::progress::MemberProgress;
use crate::args::{self, Format, Verify};
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use crate::supervise::{self, Resumed};
use keeper::Keeper;
use loupe_report::explore::Verdict;
use loupe_report::message::Style;
use loupe_report::verdict::{self, Detail, Verified};
use loupe_symbolic::explore::{AllErrors, Exploration, Merge, Subsumed};
use loupe_symbolic::search::Strategy;
use loupe_verify::{Member, Report, Request};
use serde_json::{Value as Json, json};
use several::Part;
use std::process::ExitCode;
use std::time::Duration;

mod keeper;
pub(crate) mod several;

pub(crate) fn verify(verify: &Verify, console: &Console) -> Result<ExitCode, Failed> {
    let part = several::own_part(verify, console)?;
    let (source, exploring) = (&verify.source, &verify.exploring);
    let work = Work::for_task(&part.task, source, exploring, Strategy::Bfs, console)?;
    let resumed = supervise::resumed();
    let timeout = resumed.as_ref().map_or(part.seconds, |resumed| resumed.seconds);
    let form = Form::new(verify, &part, console);
    let lost = resumed.as_ref().map(|resumed| resumed.why.clone());
    let keeper = Keeper::watch(&work, &form, (timeout, lost))?;
    let explored = explored(verify, &work, &keeper, (timeout, resumed.as_ref()))?;
    keeper.finish();
    let Some((report, seconds)) = explored else {
        let why = resumed.map_or_else(|| "nobody is left".to_owned(), |resumed| resumed.why);
        write_result(&unknown(verify, &part, (&why, 0.0)), None)?;
        return Ok(Status::Unknown.into());
    };
    let afterwards = Afterwards::new(timeout - seconds)?;
    let program = &work.loaded.program;
    let verified = Verified {
        program,
        file: form.file.clone(),
        property: work.property,
        told: afterwards.told(program, &report.exploration, work.end_of_input()),
        studied: afterwards.studied(program, &report.exploration),
        assumptions: work.assumptions(&report.exploration),
        report: &report,
        lost: resumed.map(|resumed| resumed.why),
        run: form.run.clone(),
        timeout,
        seconds,
        peak_memory: peak_memory(),
    };
    write_result(&form.text(&verified), None)?;
    Ok(status(&verified).into())
}

/// The exit status of a verdict.
fn status(verified: &Verified<'_>) -> Status {
    match verified.verdict() {
        Verdict::Safe => Status::Done,
        Verdict::Unsafe => Status::Violation,
        Verdict::Unknown => Status::Unknown,
    }
}

/// How a report is written.
#[derive(Clone)]
struct Form {
    format: Format,
    detail: Detail,
    style: Style,
    /// The file that is verified, and what is asked, as reports name them.
    file: Option<String>,
    asked: String,
    /// The command that runs the program.
    run: String,
}

impl Form {
    fn new(verify: &Verify, part: &Part, console: &Console) -> Self {
        Form {
            format: verify.format,
            detail: if verify.explain { Detail::Explained } else { Detail::Short },
            style: console.result_style(),
            file: part.task.file(&verify.source),
            asked: part.task.name(),
            run: part.task.command(&verify.source),
        }
    }

    fn text(&self, verified: &Verified<'_>) -> String {
        match self.format {
            Format::Text => verdict::text(verified, self.style, self.detail),
            Format::Json => {
                let mut object = verdict::json(verified, self.detail, env!("CARGO_PKG_VERSION"));
                object["property"] = json!(self.asked);
                format!("{object:#}")
            }
        }
    }
}

/// What is found out about the program in this time, and how long that took: all members race, unless the user says how to explore. Nothing if those with whom workers died are all there were.
fn explored(
    verify: &Verify,
    work: &Work<'_>,
    keeper: &Keeper,
    (timeout, resumed): (f64, Option<&Resumed>),
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
        keeper.keep(member, so_far);
    };
    let found = |member: Member, exploration: &Exploration| keeper.ended(member, exploration);
    let listener = |running: &[Member]| {
        let names: Vec<&str> = running.iter().map(|member| member.name()).collect();
        supervise::say(&names);
    };
    let verified = work.watched(&how, |options, supervisor| {
        let program = &work.loaded.program;
        let (listener, clock) = (&listener, &processor_time);
        let (watcher, found) = (&watcher, &found);
        let request = Request { program, options, members, jobs, listener, clock, watcher, found };
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

/// The report of a verification that came to nothing in so many seconds.
fn unknown(verify: &Verify, part: &Part, (why, seconds): (&str, f64)) -> String {
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
                "invariants": [],
                "templates": null,
                "chosen": {},
                "merging": null,
                "subsumption": null,
                "stats": no_stats(seconds),
                "member": null,
                "members": [],
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
