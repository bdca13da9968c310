//! `loupe explore --ablate`: each technique on and off, for each program, in one table.
//!
//! Each exploration is the work of a process of its own, with as much time as one exploration has; one that breaks is a
//! row of which nothing is known.

use crate::args::{Explore, Format, Loops, Subsume};
use crate::commands::explore::seconds;
use crate::console::{Console, write_result};
use crate::status::{Failed, Status};
use crate::supervise::{self, Allowed, Recovery, Share, Stop};
use loupe_report::ablation::{self, Row};
use loupe_symbolic::explore::MergeStrategy;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// A technique that is another one than the user says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Nothing,
    Loops(Loops),
    Merge(MergeStrategy),
    Subsume(Subsume),
    Guide(Guide),
    /// What is chosen by estimates.
    Auto,
    /// All that combine.
    Everything,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guide {
    On,
    Off,
}

/// An exploration of a program.
struct Run {
    file: PathBuf,
    change: Change,
}

const LOOPS: [(Loops, &str); 4] = [
    (Loops::Unroll, "--loops unroll"),
    (Loops::Auto, "--loops auto"),
    (Loops::Summary, "--loops summary"),
    (Loops::Compact, "--loops compact"),
];

impl Change {
    /// All that are changes to what the user says.
    fn all(explore: &Explore) -> Vec<Change> {
        let exploring = &explore.exploring;
        let loops = exploring.loops.unwrap_or(Loops::Unroll);
        let merge = exploring.merge.unwrap_or_default();
        let subsume = exploring.subsume.unwrap_or(Subsume::Never);
        let mut all = vec![Change::Nothing];
        let others = LOOPS.iter().filter(|(other, _)| *other != loops);
        all.extend(others.map(|(other, _)| Change::Loops(*other)));
        let others = MergeStrategy::ALL.into_iter();
        let others = others.filter(|other| *other != merge && *other != MergeStrategy::Auto);
        all.extend(others.map(Change::Merge));
        let others = [Subsume::Never, Subsume::Always];
        all.extend(others.into_iter().filter(|other| *other != subsume).map(Change::Subsume));
        all.push(Change::Guide(if exploring.guide { Guide::Off } else { Guide::On }));
        all.extend([Change::Auto, Change::Everything]);
        all
    }

    fn name(self) -> String {
        match self {
            Change::Nothing => "as given".to_owned(),
            Change::Loops(loops) => {
                let named = LOOPS.iter().find(|(known, _)| *known == loops);
                named.map_or("", |(_, name)| name).to_owned()
            }
            Change::Merge(merge) => format!("--merge {merge}"),
            Change::Subsume(Subsume::Never) => "without --subsume".to_owned(),
            Change::Subsume(_) => "--subsume".to_owned(),
            Change::Guide(Guide::On) => "--guide".to_owned(),
            Change::Guide(Guide::Off) => "without --guide".to_owned(),
            Change::Auto => "everything auto".to_owned(),
            Change::Everything => "everything on".to_owned(),
        }
    }

    fn apply(self, explore: &mut Explore) {
        let exploring = &mut explore.exploring;
        match self {
            Change::Nothing => {}
            Change::Loops(loops) => exploring.loops = Some(loops),
            Change::Merge(merge) => exploring.merge = Some(merge),
            Change::Subsume(subsume) => exploring.subsume = Some(subsume),
            Change::Guide(guide) => exploring.guide = guide == Guide::On,
            Change::Auto => {
                exploring.loops = Some(Loops::Auto);
                exploring.merge = Some(MergeStrategy::Auto);
                exploring.subsume = Some(Subsume::Auto);
            }
            Change::Everything => {
                exploring.loops = Some(Loops::Auto);
                exploring.merge = Some(MergeStrategy::Dynamic);
                exploring.subsume = Some(Subsume::Always);
                exploring.guide = true;
            }
        }
    }
}

/// All explorations, program by program.
fn runs(explore: &Explore) -> Vec<Run> {
    let changes = Change::all(explore);
    let of_file = |file: &PathBuf| {
        let file = file.clone();
        changes.iter().map(move |change| Run { file: file.clone(), change: *change })
    };
    explore.source.files.iter().flat_map(of_file).collect()
}

/// What this worker is to do: one of the explorations.
pub(crate) fn own_part(explore: &Explore) -> Result<Explore, Failed> {
    let number = Share::of_worker().map_or(0, |share| share.number);
    let run = runs(explore).into_iter().nth(number);
    let run = run.ok_or_else(|| Failed::internal("there is no such exploration"))?;
    let mut own = explore.clone();
    own.source.files = vec![run.file];
    own.format = Format::Json;
    run.change.apply(&mut own);
    Ok(own)
}

/// Has workers do all explorations.
pub(crate) fn supervise(explore: &Explore, console: &Console) -> Result<ExitCode, Failed> {
    let (stop, seconds) = (Stop::listen()?, seconds(explore));
    let allowed = Allowed { megabytes: explore.exploring.max_memory, seconds: Some(seconds) };
    let is_text = explore.format == Format::Text;
    let mut rows: Vec<Row> = Vec::new();
    let runs = runs(explore);
    let mut unreadable: Option<&PathBuf> = None;
    let mut cannot_read = false;
    for (number, run) in runs.iter().enumerate() {
        if stop.is_asked() {
            break;
        }
        // What cannot be read cannot be read in any configuration, and the reason was given.
        if unreadable == Some(&run.file) {
            continue;
        }
        let file = run.file.display().to_string();
        if is_text && rows.last().is_none_or(|row| row.file != file) {
            let gap = if number == 0 { "" } else { "\n" };
            write_result(&format!("{gap}{file}:\n  {}", ablation::heading()), None)?;
        }
        let begun = Instant::now();
        let share = Share { number, seconds };
        let worked = supervise::work(&allowed, Some(&share), &stop, console, &Recovery::None)?;
        if worked.status == Status::BadInput as u8 {
            unreadable = Some(&run.file);
            cannot_read = true;
            continue;
        }
        let name = run.change.name();
        let row = match serde_json::from_str(&worked.output) {
            Ok(report) => Row::of_report(&file, &name, &report),
            Err(_) => {
                let used = begun.elapsed().as_secs_f64();
                Row::nothing(&file, &name, "it ended without a result", used)
            }
        };
        if is_text {
            write_result(&format!("  {}", ablation::line(&row)), None)?;
        }
        rows.push(row);
    }
    if !is_text {
        write_result(&format!("{:#}", ablation::json(&rows)), None)?;
    }
    let wrong = ablation::contradictions(&rows);
    if !wrong.is_empty() {
        return Err(Failed::internal(format!(
            "explorations contradict each other: {}",
            wrong.join("; ")
        )));
    }
    if cannot_read {
        return Ok(Status::BadInput.into());
    }
    Ok(status(&rows, stop.is_asked()).into())
}

/// What is known of all programs.
fn status(rows: &[Row], is_cut_short: bool) -> Status {
    let is_open = |file: &str| {
        let mut own = rows.iter().filter(|row| row.file == file);
        own.all(|row| row.verdict() == "unknown")
    };
    if rows.iter().any(|row| !row.errors.is_empty()) {
        Status::Violation
    } else if is_cut_short || rows.iter().any(|row| is_open(&row.file)) {
        Status::Unknown
    } else {
        Status::Done
    }
}
