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
        let guided = ask(task, &["reach", "--error"])?;
        let free = ask(task, &["reach", "--error", "--no-guide"])?;
        let classic = ask(task, &["verify", "--loops", "unroll"])?;
        Ok::<_, String>((guided, free, classic))
    });
    let (mut decided, mut wrong) = (0, 0);
    let (mut to_free, mut to_classic) = (Vec::new(), Vec::new());
    for (task, reports) in chosen.iter().zip(asked) {
        let Ok((guided, free, classic)) = reports else { continue };
        let answer = guided["answer"].as_str().unwrap_or("-");
        let right = if task.holds { "unreachable" } else { "reached" };
        if answer != right {
            let is_wrong = answer != "unknown";
            wrong += usize::from(is_wrong);
            if is_wrong {
                println!("  WRONG: {} is called {answer}", task.name);
            }
            continue;
        }
        decided += 1;
        let with = states(&guided);
        to_free.push(with / states(&free).max(1.0));
        to_classic.push(with / states(&classic).max(1.0));
    }
    println!(
        "\n  {} error locations at {timeout} s: {decided} decided ({:.0} %), {wrong} wrong",
        chosen.len(),
        percent(decided, chosen.len()),
    );
    println!(
        "  states of those decided, those of the draft included, in the median: {:.2} of what they are without guidance, {:.2} of what execution of all loops takes in that time",
        median(to_free),
        median(to_classic),
    );
    Ok(())
}

/// How many states there were, before and after a necessary condition was known.
fn states(report: &Json) -> f64 {
    let number = |value: &Json| value.as_f64().unwrap_or(0.0);
    let drafted = number(&report["necessary"]["states"]);
    let explored = number(&report["stats"]["states"]);
    // Where the draft was all there was, its states are the states.
    let was_searched = report["necessary"]["searched"] == true;
    if was_searched { drafted + explored } else { explored }
}
