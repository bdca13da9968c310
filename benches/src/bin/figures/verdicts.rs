//! The tasks of SV-COMP 2016 about loops: how many get the right verdict, by summaries and by execution.

use crate::tool::{Task, limit, loupe, on_all, tasks};
use std::collections::BTreeMap;
use std::time::Instant;

const MODES: [&str; 2] = ["auto", "unroll"];

/// What became of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Right,
    Wrong,
    Open,
}

/// The outcome in each mode, and the seconds.
type Row = [(Outcome, f64); MODES.len()];

fn judge(task: &Task, mode: &str) -> Result<(Outcome, f64), String> {
    let (file, timeout) = (task.file.display().to_string(), limit().to_string());
    let ran = loupe([
        "verify",
        &file,
        "--property",
        &task.property,
        "--data-model",
        &task.data_model,
        "--timeout",
        &timeout,
        "--loops",
        mode,
        "--format",
        "json",
    ])?;
    let verdict = ran.json().ok().and_then(|report| report["verdict"].as_str().map(str::to_owned));
    let outcome = match (verdict.as_deref(), task.holds) {
        (Some("safe"), true) | (Some("unsafe"), false) => Outcome::Right,
        (Some("safe"), false) | (Some("unsafe"), true) => Outcome::Wrong,
        _ => Outcome::Open,
    };
    Ok((outcome, ran.time.as_secs_f64()))
}

/// All tasks, in all modes.
fn judge_all(tasks: &[Task]) -> Result<Vec<Row>, String> {
    let rows = on_all(tasks, |task| MODES.map(|mode| judge(task, mode)));
    rows.into_iter().map(|[first, second]| Ok([first?, second?])).collect()
}

pub(crate) fn print() -> Result<(), String> {
    let is_wanted = |task: &Task| task.name.starts_with("svcomp16/");
    let Some(tasks) = tasks(is_wanted) else { return Ok(()) };
    let start = Instant::now();
    let rows = judge_all(&tasks)?;
    let mut folders: BTreeMap<&str, Vec<(&Task, &Row)>> = BTreeMap::new();
    for (task, row) in tasks.iter().zip(&rows) {
        let folder = task.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        folders.entry(folder).or_default().push((task, row));
        folders.entry("together").or_default().push((task, row));
    }
    print!("{:<28} {:>5}", "folder", "tasks");
    MODES.iter().for_each(|mode| print!("   {mode:>6}: right wrong  open    time"));
    println!();
    for (folder, rows) in &folders {
        print!("{folder:<28} {:>5}", rows.len());
        for mode in 0..MODES.len() {
            let count = |wanted| rows.iter().filter(|(_, row)| row[mode].0 == wanted).count();
            let seconds: f64 = rows.iter().map(|(_, row)| row[mode].1).sum();
            let (right, wrong) = (count(Outcome::Right), count(Outcome::Wrong));
            print!("   {:>13} {wrong:>5} {:>5} {seconds:>5.0} s", right, count(Outcome::Open));
        }
        println!();
    }
    println!(
        "  {} s for each task, {:.0} s in all; time is summed over tasks",
        limit(),
        start.elapsed().as_secs_f64()
    );
    for (task, row) in tasks.iter().zip(&rows) {
        let wrong = (0..MODES.len()).filter(|mode| row[*mode].0 == Outcome::Wrong);
        for mode in wrong {
            let note = if task.is_disputed { " (its answer is disputed)" } else { "" };
            println!("  WRONG with {}: {}{note}", MODES[mode], task.name);
        }
        if row[0].0 != Outcome::Right && row[1].0 == Outcome::Right {
            println!("  only executing decides {}", task.name);
        }
    }
    let open = tasks.iter().zip(&rows).filter(|(_, row)| row[0].0 == Outcome::Open);
    let open: Vec<&str> = open.map(|(task, _)| task.name.as_str()).collect();
    println!("  open with {}: {}", MODES[0], open.join(", "));
    Ok(())
}
