//! From what a process has written to a record.

use crate::Answer;
use crate::campaign::{Campaign, Run};
use crate::configuration::Question;
use crate::record::{CUT_SHORT, Ended, Figures, LoopFigures, Record};
use serde_json::Value as Json;

/// Why a process is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// It has exited with a status.
    Exited(i32),
    /// A signal has ended it.
    Signal(i32),
    /// It was killed because it went on and on.
    Killed,
    /// It never was.
    NotStarted(String),
}

/// A process that is gone.
#[derive(Clone, Debug)]
pub struct Observed {
    /// Why.
    pub way: Way,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// How long it took.
    pub seconds: f64,
}

/// More of a reason is not kept.
const MOST_OF_WHY: usize = 300;

/// The exit statuses of `loupe` that mean something here.
const VIOLATION: i32 = 1;
const BAD_INPUT: i32 = 3;

/// What came of a run.
pub fn record(campaign: &Campaign, run: &Run<'_>, observed: &Observed) -> Record {
    let mut record = Record {
        task: run.task.name.clone(),
        configuration: run.configuration.name.clone(),
        fingerprint: campaign.fingerprint(run),
        ended: Ended::Broken,
        status: None,
        answer: None,
        // Clocks know no more than that.
        seconds: (observed.seconds * 1e6).round() / 1e6,
        figures: Figures::default(),
        why: String::new(),
    };
    match &observed.way {
        Way::NotStarted(why) => {
            record.ended = Ended::NotStarted;
            record.why = shortened(why);
        }
        Way::Killed => {
            record.ended = Ended::Hung;
            record.why = "it went on beyond its time and was killed".to_owned();
        }
        Way::Signal(signal) => {
            record.ended = Ended::Crashed;
            record.status = Some(*signal);
            record.why = format!("signal {signal}");
        }
        Way::Exited(BAD_INPUT) => {
            record.ended = Ended::Rejected;
            record.status = Some(BAD_INPUT);
            record.why = first_message(&observed.stderr);
        }
        Way::Exited(status) => {
            record.status = Some(*status);
            match read(run.question(), *status, &observed.stdout) {
                Ok(read) => {
                    record.ended = Ended::Finished;
                    (record.answer, record.figures) = (read.answer, read.figures);
                    record.why = shortened(&read.why);
                }
                Err(why) => {
                    let message = first_message(&observed.stderr);
                    record.why = if message.is_empty() { why } else { message };
                }
            }
        }
    }
    record
}

/// What a report says.
#[derive(Default)]
struct Read {
    answer: Option<Answer>,
    figures: Figures,
    why: String,
}

fn read(question: Question, status: i32, stdout: &str) -> Result<Read, String> {
    if !(0..=CUT_SHORT).contains(&status) {
        return Err(format!("status {status}"));
    }
    let report: Json = serde_json::from_str(stdout)
        .map_err(|error| format!("the report is no JSON ({error}), status {status}"))?;
    match question {
        Question::Verify => decided(&report, &report["verdict"], status),
        Question::Reach => decided(&report, &report["answer"], status),
        Question::Explore => Ok(explored(&report, status)),
        Question::Test => Ok(tested(&report)),
        Question::Loops => Ok(surveyed(&report)),
        Question::Costs => Ok(estimated(&report)),
    }
}

/// The report of `verify` or `reach`.
fn decided(report: &Json, answer: &Json, status: i32) -> Result<Read, String> {
    let answer = answer.as_str().and_then(Answer::from_name).ok_or("the report has no answer")?;
    let expected = match answer {
        Answer::Unknown => CUT_SHORT,
        found if found.is_found() => VIOLATION,
        _ => 0,
    };
    if status != expected {
        return Err(format!("the report says {answer}, the status is {status}"));
    }
    let stats = &report["stats"];
    let errors = report["violations"].as_array().map(|found| found.len() as u64);
    let figures = Figures {
        seconds: stats["seconds"].as_f64(),
        paths: stats["paths"].as_u64(),
        coverage: None,
        states: stats["states"].as_u64(),
        queries: stats["queries"].as_u64(),
        unknown_queries: stats["unknown_queries"].as_u64(),
        solver_seconds: stats["solver_seconds"].as_f64(),
        memory: stats["peak_memory_bytes"].as_u64(),
        errors: errors.or(Some(u64::from(answer.is_found()))),
        cycles: report["templates"]["cycles"].as_u64(),
        templates: report["templates"]["found"].as_u64(),
        build_seconds: report["necessary"]["seconds"]["build"].as_f64(),
        ..Figures::default()
    };
    let why = match answer.is_decided() {
        true => String::new(),
        false => first(&report["reasons"]),
    };
    Ok(Read { answer: Some(answer), figures, why })
}

/// The report of `explore`: all paths without an error and without a doubt are a proof.
fn explored(report: &Json, status: i32) -> Read {
    let paths = &report["paths"];
    let count = |name: &str| paths[name].as_u64();
    let ended = ["finished", "failed", "assumed_away", "cut_off"].map(count);
    let is_open = report["open"].as_array().is_none_or(|open| !open.is_empty());
    let answer = match status {
        VIOLATION => Answer::Unsafe,
        0 if !is_open => Answer::Safe,
        _ => Answer::Unknown,
    };
    let stands_for = report["merging"]["stands_for"].as_u64();
    let figures = Figures {
        seconds: report["seconds"].as_f64(),
        paths: ended.into_iter().sum(),
        coverage: stands_for.or(count("finished")),
        states: report["states"].as_u64(),
        queries: report["queries"].as_u64(),
        unknown_queries: report["queries_without_answer"].as_u64(),
        solver_seconds: report["solver_seconds"].as_f64(),
        memory: report["peak_memory_bytes"].as_u64(),
        errors: report["errors"].as_array().map(|errors| errors.len() as u64),
        branches: report["coverage"]["branches"].as_u64(),
        all_branches: report["coverage"]["all_branches"].as_u64(),
        ..Figures::default()
    };
    let why = match answer {
        Answer::Unknown if is_open => first(&report["open"]),
        Answer::Unknown => report["stopped"].as_str().unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    Read { answer: Some(answer), figures, why }
}

/// The report of `test`, which answers no question and counts no states.
fn tested(report: &Json) -> Read {
    let branches = &report["coverage"]["branches"];
    let figures = Figures {
        seconds: report["seconds"].as_f64(),
        paths: report["paths"].as_u64(),
        errors: report["errors"].as_u64(),
        branches: branches["covered"].as_u64(),
        all_branches: branches["total"].as_u64(),
        ..Figures::default()
    };
    Read { answer: None, figures, why: String::new() }
}

/// The report of `loops`, which answers no question either.
fn surveyed(report: &Json) -> Read {
    let loops = report["loops"].as_array().into_iter().flatten();
    let figures = Figures {
        seconds: Some(loops.filter_map(|own| own["seconds"].as_f64()).sum()),
        loops: Some(LoopFigures::read(report)),
        ..Figures::default()
    };
    Read { answer: None, figures, why: String::new() }
}

/// The report of `costs`, which answers no question either.
fn estimated(report: &Json) -> Read {
    let figures = Figures { seconds: report["seconds"].as_f64(), ..Figures::default() };
    Read { answer: None, figures, why: String::new() }
}

fn first(reasons: &Json) -> String {
    reasons[0].as_str().unwrap_or_default().to_owned()
}

/// The first error that was told, with its place where one is named behind it.
fn first_message(stderr: &str) -> String {
    let mut lines = stderr.lines().map(str::trim).skip_while(|line| !line.starts_with("error"));
    let Some(message) = lines.next() else {
        return shortened(stderr.lines().next().unwrap_or_default());
    };
    let place = lines.next().and_then(|line| line.strip_prefix("--> "));
    shortened(&match place {
        Some(place) => format!("{place}: {message}"),
        None => message.to_owned(),
    })
}

/// One line of bounded length.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_OF_WHY) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
