//! `loupe bench`
//!
//! The crate `loupe-bench` knows what a campaign is and what is made of it; here are the processes, the files and the clock.

mod journal;
mod machine;
mod prepare;
mod process;
mod programs;
mod progress;
mod reports;
mod runner;

use crate::args::{self, Bench, BenchAction, Compare, Format};
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use crate::supervise::Stop;
use journal::{Earlier, JournalFile};
use loupe_bench::compare::compare;
use loupe_bench::{Campaign, FORM, Grade, Header, Results, Shard};
use serde_json::json;
use std::num::NonZeroUsize;
use std::process::ExitCode;

pub(crate) fn execute(bench: &Bench, console: &Console) -> Result<ExitCode, Failed> {
    match &bench.action {
        Some(BenchAction::Compare(compare)) => compared(compare),
        Some(BenchAction::Merge(merge)) => merged(merge, console),
        None => run(bench, console),
    }
}

fn run(bench: &Bench, console: &Console) -> Result<ExitCode, Failed> {
    let jobs = bench.jobs.or_else(|| std::thread::available_parallelism().ok());
    let jobs = jobs.map_or(1, NonZeroUsize::get);
    let plan = prepare::plan(bench, console)?;
    let campaign = &plan.campaign;
    let header = Header {
        form: FORM,
        shard: bench.shard,
        machine: machine::machine(jobs),
        versions: format!("loupe {}", args::version()),
        campaign: campaign.clone(),
    };
    let stop = Stop::listen()?;
    let earlier = if bench.resume { Earlier::Kept } else { Earlier::Refused };
    let mut journal = JournalFile::open(&bench.output, earlier, console)?;
    plan.write_programs()?;
    journal.begin(header)?;
    let done = journal.done(campaign);
    let left: Vec<_> = campaign.runs_in(bench.shard).filter(|run| !done.has(run)).collect();
    let total = campaign.runs_in(bench.shard).count();
    runner::run_all(campaign, &left, total, jobs, &stop, &mut journal)?;
    let results = journal.results(campaign);
    let missing = unmade(&results, bench.shard);
    if missing > 0 {
        console.note(&format!(
            "interrupted: {missing} of {total} runs are missing; `--resume` goes on with them"
        ));
    }
    finish(&results, &bench.output, bench.format, console)?;
    Ok(status(&results, missing).into())
}

/// How many runs of a part were not made.
fn unmade(results: &Results, shard: Shard) -> usize {
    let planned = results.campaign.runs_in(shard);
    let planned: Vec<_> = planned.map(|run| (&run.task.name, &run.configuration.name)).collect();
    let made = results.runs().filter(|(run, record)| {
        record.is_some_and(|record| record.is_final())
            && planned.contains(&(&run.task.name, &run.configuration.name))
    });
    planned.len() - made.count()
}

/// Wrong answers come before missing ones.
fn status(results: &Results, missing: usize) -> Status {
    let is_wrong = results.graded().any(|(.., grade)| grade == Grade::Wrong);
    match missing {
        _ if is_wrong || !results.contradictions().is_empty() => Status::Violation,
        0 => Status::Done,
        _ => Status::Unknown,
    }
}

/// Writes all that is made of results.
fn finish(
    results: &Results,
    folder: &std::path::Path,
    format: Format,
    console: &Console,
) -> Result<(), Failed> {
    let tables = reports::tables(results)?;
    reports::write(results, &tables, folder)?;
    match format {
        Format::Json => write_result(&reports::json(results)?, None)?,
        Format::Text => write_result(&reports::text(&tables), None)?,
    }
    console.note(&format!("tables and plots: {}", folder.join(reports::PAGE).display()));
    Ok(())
}

fn compared(command: &Compare) -> Result<ExitCode, Failed> {
    let comparison = compare(&reports::read(&command.old)?, &reports::read(&command.new)?);
    let text = match command.format {
        Format::Json => format!("{:#}", json!(comparison)),
        Format::Text => comparison.text(),
    };
    write_result(&text, None)?;
    Ok(if comparison.is_bad() { Status::Violation } else { Status::Done }.into())
}

fn merged(command: &args::Merge, console: &Console) -> Result<ExitCode, Failed> {
    // Whoever reads results from a folder believes its journal, which would be another one.
    if command.output.join(journal::NAME).exists() && command.parts != [command.output.clone()] {
        return Err(Failed::bad_input(format!(
            "`{}` has a journal of its own; `-o` must name another folder",
            command.output.display()
        )));
    }
    let parts: Vec<Results> =
        command.parts.iter().map(|part| reports::read(part)).collect::<Result<_, _>>()?;
    let name = |number: usize| command.parts[number - 1].display();
    let results = Results::merge(parts).map_err(|error| match error {
        loupe_bench::MergeError::Other(number) => {
            Failed::bad_input(format!("`{}` and `{}`: {error}", name(1), name(number)))
        }
        loupe_bench::MergeError::Nothing => Failed::bad_input(error.to_string()),
    })?;
    reports::make_folder(&command.output)?;
    let missing = unmade(&results, Shard::WHOLE);
    if missing > 0 {
        console.note(&format!("{missing} runs are in none of the parts"));
    }
    finish(&results, &command.output, command.format, console)?;
    Ok(status(&results, missing).into())
}

/// A campaign and the programs that it has to bring along.
struct Plan {
    campaign: Campaign,
    /// Texts, and the files that they go to.
    texts: Vec<(std::path::PathBuf, String)>,
}
