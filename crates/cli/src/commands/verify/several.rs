//! Several properties, or several programs, in one call: each is the work of a process of its own, one after the other, and all are reported.
//!
//! Each has as much time as is left, divided by how many are still to come; so whoever is quick leaves its time to the others. A part that is cut off or
//! breaks is *unknown* and costs the others nothing.

use super::unknown;
use crate::args::{Format, Verify};
use crate::console::{Console, write_result};
use crate::properties::{self, Task};
use crate::status::{Failed, Status};
use crate::supervise::{self, Allowed, Recovery, Share, Stop, Worked};
use serde_json::{Value as Json, json};
use std::process::ExitCode;
use std::time::Instant;

/// One of the things that are asked, and its time.
pub(super) struct Part {
    pub(super) task: Task,
    pub(super) seconds: f64,
}

/// What this worker is to do.
pub(super) fn own_part(verify: &Verify, console: &Console) -> Result<Part, Failed> {
    let tasks = properties::tasks(&verify.source, &verify.exploring, console)?;
    let share = Share::of_worker();
    let share = share.unwrap_or(Share { number: 0, seconds: verify.exploring.timeout });
    let task = tasks.into_iter().nth(share.number);
    // A property file may be another one by now.
    let task = task.ok_or_else(|| Failed::bad_input("a property file has changed meanwhile"))?;
    Ok(Part { task, seconds: share.seconds })
}

/// Has workers do all that is asked.
pub(crate) fn supervise(verify: &Verify, console: &Console) -> Result<ExitCode, Failed> {
    let tasks = properties::tasks(&verify.source, &verify.exploring, console)?;
    let (start, timeout) = (Instant::now(), verify.exploring.timeout);
    let megabytes = verify.exploring.max_memory;
    let (stop, count) = (Stop::listen()?, tasks.len());
    let mut results = Vec::new();
    let mut statuses = Vec::new();
    for (number, task) in tasks.into_iter().enumerate() {
        let is_only = count == 1;
        let left = (timeout - start.elapsed().as_secs_f64()).max(0.0);
        let seconds = if is_only { timeout } else { left / (count - number) as f64 };
        let part = Part { task, seconds };
        if !is_only && verify.format == Format::Text {
            let gap = if number == 0 { "" } else { "\n" };
            write_result(&format!("{gap}{}:", part.task.heading()), None)?;
        }
        let begun = Instant::now();
        let worked = match !is_only && stop.is_asked() {
            true => nothing(verify, &part, ("interrupted", 0.0), Status::Unknown),
            false => {
                let allowed = Allowed { megabytes, seconds: Some(seconds) };
                let share = (!is_only).then_some(Share { number, seconds });
                let without =
                    |why: &str| unknown(verify, &part, (why, begun.elapsed().as_secs_f64()));
                let recovery = Recovery::LeaveOut(&without);
                supervise::work(&allowed, share.as_ref(), &stop, console, &recovery)?
            }
        };
        // What cannot be read cannot be read for any property, and the reason was given.
        if worked.status == Status::BadInput as u8 {
            return Ok(worked.status.into());
        }
        let worked = match worked.output.is_empty() {
            false => worked,
            // The message about it is all that there is to say.
            true if worked.status == Status::Internal as u8 && is_only => {
                return Ok(worked.status.into());
            }
            true if worked.status == Status::Internal as u8 => nothing(
                verify,
                &part,
                ("internal error", begun.elapsed().as_secs_f64()),
                Status::Internal,
            ),
            true => nothing(
                verify,
                &part,
                ("it ended without a result", begun.elapsed().as_secs_f64()),
                Status::Unknown,
            ),
        };
        statuses.push(worked.status);
        match (is_only, verify.format) {
            (true, _) | (false, Format::Text) => write_result(&worked.output, None)?,
            (false, Format::Json) => results.push(parsed(&worked.output)?),
        }
    }
    if count > 1 && verify.format == Format::Json {
        write_result(&format!("{:#}", json!({ "results": results })), None)?;
    }
    Ok(overall(&statuses).into())
}

/// The report of a part of which nothing is known.
fn nothing(verify: &Verify, part: &Part, why: (&str, f64), status: Status) -> Worked {
    Worked { output: unknown(verify, part, why), status: status as u8 }
}

fn parsed(output: &str) -> Result<Json, Failed> {
    serde_json::from_str(output)
        .map_err(|error| Failed::internal(format!("a worker's report is no JSON: {error}")))
}

/// The status of all parts together: the worst news, in the order of how much they matter.
fn overall(statuses: &[u8]) -> u8 {
    let order = [Status::Internal, Status::BadInput, Status::Violation, Status::Unknown];
    let order = order.map(|status| status as u8);
    order.into_iter().find(|status| statuses.contains(status)).unwrap_or(Status::Done as u8)
}
