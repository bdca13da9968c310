//! Programs of Table 2 of *Abstracting Path Conditions* (Strejček and Trtík 2012): how long it takes to build the necessary condition and to decide it, beside the figures of the paper; and error locations of the corpus,
//! with and without guidance.

use crate::tool::{Task, home, limit, loupe, median, on_all, percent, tasks};
use serde_json::Value as Json;
use std::path::PathBuf;

/// A program, what is asked of it, and what the paper has: seconds to build φ̂, and in all.
struct Program {
    name: &'static str,
    file: &'static str,
    target: &'static [&'static str],
    paper: (f64, f64),
}

const fn program(
    name: &'static str,
    file: &'static str,
    target: &'static [&'static str],
    paper: (f64, f64),
) -> Program {
    Program { name, file, target, paper }
}

const PROGRAMS: [Program; 7] = [
    program("Hello", "hello/hello.c", &["--error"], (0.021, 0.181)),
    program("HW", "HW/HW.c", &["--error"], (0.073, 0.941)),
    program("HWM", "HWM/HWM.c", &["--error"], (1.715, 4.660)),
    program("MatrIR", "matrIR/matrIR.c", &["--error"], (0.015, 0.035)),
    program("WinDriver", "", &["--error"], (0.178, 0.627)),
    // The driver reads a command line of any length; the function is what the paper has.
    program(
        "OneLoop",
        "OneLoop/OneLoop.c",
        &["--entry", "OneLoop", "--returns", "1"],
        (0.001, 0.003),
    ),
    program("TwoLoops", "TwoLoops/TwoLoops.c", &["--line", "5"], (0.002, 0.003)),
];

/// Error locations of the corpus: so many tasks whose error is reached, and so many whose error is not, evenly spread over its list.
const LOCATIONS: usize = 25;

pub(crate) fn print() -> Result<(), String> {
    let corpus = home().join("../shared/corpus/rudla");
    if !corpus.is_dir() {
        println!("  not measured: there is no corpus in {}", corpus.display());
        return Ok(());
    }
    println!(
        "{:<10} {:>12} {:>9} {:>9} {:>9} {:>9} | {:>9} {:>9}",
        "program", "answer", "build", "first K", "whole", "in all", "paper:", "in all"
    );
    let timeout = limit().to_string();
    for Program { name, file, target, paper } in &PROGRAMS {
        let path: PathBuf = match file.is_empty() {
            true => home().join("benches/programs/windriver.c"),
            false => corpus.join(file),
        };
        let path = path.display().to_string();
        let usual = ["reach", &path, "--format", "json", "--timeout", &timeout];
        let ran = loupe(usual.iter().chain(*target))?;
        let report = ran.json()?;
        let part = |name: &str| report["necessary"]["seconds"][name].as_f64().unwrap_or(f64::NAN);
        println!(
            "{name:<10} {:>12} {:>9.3} {:>9.3} {:>9.3} {:>9.3} | {:>9.3} {:>9.3}",
            report["answer"].as_str().unwrap_or("-"),
            part("build"),
            part("instances"),
            part("whole"),
            ran.time.as_secs_f64(),
            paper.0,
            paper.1,
        );
    }
    println!("  seconds; in all is the time of the whole process");
    locations(&timeout)
}

/// Every n-th of a list, so many of them.
fn spread<T>(all: Vec<T>) -> Vec<T> {
    let step = (all.len() / LOCATIONS).max(1);
    all.into_iter().step_by(step).take(LOCATIONS).collect()
}

fn locations(timeout: &str) -> Result<(), String> {
    let wanted = |holds: bool| {
        tasks(|task| task.property == "unreach-call" && task.holds == holds && !task.is_disputed)
    };
    let (Some(reached), Some(unreachable)) = (wanted(false), wanted(true)) else { return Ok(()) };
    let mut chosen = spread(reached);
    chosen.extend(spread(unreachable));
    let ask = |task: &Task, command: &[&str]| -> Result<Json, String> {
        let file = task.file.display().to_string();
        let usual = [&file, "--format", "json", "--timeout", timeout];
        let model = ["--data-model", &task.data_model];
        loupe(command.iter().chain(&usual).chain(&model))?.json()
    };
    let asked = on_all(&chosen, |task| {
        let raced = ask(task, &["reach", "--error"])?;
        let guided = ask(task, &["reach", "--error", "--members", "guided"])?;
        let classic = ask(task, &["reach", "--error", "--loops", "unroll"])?;
        Ok::<_, String>((raced, guided, classic))
    });
    let (mut decided, mut alone) = (0, 0);
    let (mut ratios, mut large, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for (task, reports) in chosen.iter().zip(asked) {
        let Ok((raced, guided, classic)) = reports else { continue };
        decided += usize::from(is_right(task, &raced));
        if is_right(task, &guided) {
            alone += 1;
            let (with, without) = (explored(&guided), explored(&classic).max(1.0));
            ratios.push(with / without);
            behind.push(searched(&guided) / without);
            if without >= MANY {
                large.push(with / without);
            }
        }
    }
    println!(
        "\n  {} error locations at {timeout} s: {decided} decided ({:.0} %), {alone} of them by the condition and the search that it guides alone",
        chosen.len(),
        percent(decided, chosen.len()),
    );
    let count = large.len();
    println!(
        "  states explored for these, those of the draft included: {:.2} of what plain execution explores in that time, in the median; {:.3} for the {count} of them where that is {MANY} or more",
        median(ratios),
        median(large),
    );
    println!(
        "  states that are explored once the condition is known: {:.2} of what plain execution explores, in the median",
        median(behind),
    );
    Ok(())
}

/// Where plain execution explores so many states there is something to save.
const MANY: f64 = 20.0;

/// Whether a report has the right answer; a wrong one is shouted about.
fn is_right(task: &Task, report: &Json) -> bool {
    let answer = report["answer"].as_str().unwrap_or("-");
    let right = if task.holds { "unreachable" } else { "reached" };
    if answer != right && answer != "unknown" {
        println!("  WRONG: {} is called {answer}", task.name);
    }
    answer == right
}

/// How many states were explored, before and after a necessary condition was known.
fn explored(report: &Json) -> f64 {
    let number = |value: &Json| value.as_f64().unwrap_or(0.0);
    let drafted = number(&report["necessary"]["explored"]);
    // Where the draft was all there was, its states are the states.
    match was_searched(report) {
        true => drafted + searched(report),
        false => number(&report["stats"]["explored"]),
    }
}

fn was_searched(report: &Json) -> bool {
    report["necessary"]["searched"] == true
}

/// How many states were explored when a necessary condition was known: none where it was the answer.
fn searched(report: &Json) -> f64 {
    let explored = report["stats"]["explored"].as_f64().unwrap_or(0.0);
    if was_searched(report) { explored } else { 0.0 }
}
