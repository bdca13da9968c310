//! State merging and subsumption beside plain exploration: programs with many branches, programs of other kinds, and what subsumption proves alone.
//!
//! The programs with many branches are listed in `benches/programs/branch-heavy.tsv`, with the rule that chose them. The observation of the thesis was that
//! merging made everything slower, so the other kinds matter as much: random programs with the parameters of its chapter 6, and every tenth program of the corpus that is not on the list.

use crate::tool::{Task, home, loupe, median, on_all, percent, setting, tasks};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

const STRATEGIES: [&str; 6] = ["none", "aggressive", "lattice", "recursive", "dynamic", "auto"];
/// How long an exploration of a program with many branches may take.
const SECONDS: f64 = 10.0;
/// Each loop is repeated so often at most, so that trees are finite.
const ITERATIONS: &str = "12";
/// What takes less than this in any way is too short to be compared.
const SHORT: f64 = 0.002;
/// Short explorations are measured so often; the least time counts.
const TIMES: usize = 3;
/// Of each kind of random programs.
const RANDOM: u64 = 25;

pub(crate) fn print() -> Result<(), String> {
    let corpus = home().join("../shared/corpus");
    if !corpus.is_dir() {
        println!("  not measured: there is no corpus in {}", corpus.display());
        return Ok(());
    }
    let listed = branch_heavy()?;
    many_branches(&corpus, &listed);
    others(&listed)?;
    subsumption();
    Ok(())
}

/// A program of the list, and its data model.
struct Listed {
    name: String,
    data_model: String,
}

fn branch_heavy() -> Result<Vec<Listed>, String> {
    let list = home().join("benches/programs/branch-heavy.tsv");
    let text = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let entry = |line: &str| {
        let (name, data_model) = line.split_once('\t')?;
        Some(Listed { name: name.to_owned(), data_model: data_model.to_owned() })
    };
    Ok(lines.filter_map(entry).collect())
}

/// What an exploration has come to: whether everything was explored, and how long it took.
#[derive(Clone, Copy)]
struct Explored {
    is_complete: bool,
    seconds: f64,
    states: u64,
}

fn explored(file: &Path, data_model: &str, merge: &str, seconds: f64) -> Result<Explored, String> {
    let file = file.display().to_string();
    let limit = seconds.to_string();
    let once = || -> Result<Explored, String> {
        let report = loupe([
            "explore",
            &file,
            "--data-model",
            data_model,
            "--merge",
            merge,
            "--max-iterations",
            ITERATIONS,
            "--timeout",
            &limit,
            "--format",
            "json",
        ])?
        .json()?;
        Ok(Explored {
            is_complete: report["stopped"] == "all paths were explored",
            seconds: report["seconds"].as_f64().unwrap_or(seconds),
            states: report["states"].as_u64().unwrap_or(0),
        })
    };
    let mut best = once()?;
    for _ in 1..TIMES {
        if best.seconds < 0.1 {
            let again = once()?;
            best = if again.seconds < best.seconds { again } else { best };
        }
    }
    Ok(best)
}

fn many_branches(corpus: &Path, listed: &[Listed]) {
    println!(
        "Programs with many branches, loops up to {ITERATIONS} iterations, {SECONDS} s each\n"
    );
    print!("{:<58} {:>8}", "program", "states");
    STRATEGIES.iter().for_each(|strategy| print!(" {strategy:>10}"));
    println!("\n{:<58} {:>8} {:>10}  (seconds; * cut short)", "", "none", "");
    let rows = on_all(listed, |Listed { name, data_model }| {
        let file = corpus.join(name);
        STRATEGIES.map(|merge| explored(&file, data_model, merge, SECONDS))
    });
    let mut totals = [0.0; STRATEGIES.len()];
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); STRATEGIES.len()];
    for (Listed { name, .. }, row) in listed.iter().zip(&rows) {
        let states = row[0].as_ref().map_or(0, |none| none.states);
        print!("{name:<58} {states:>8}");
        for (number, one) in row.iter().enumerate() {
            match (one, &row[0]) {
                (Ok(one), Ok(none)) => {
                    totals[number] += one.seconds;
                    ratios[number].push(none.seconds / one.seconds.max(0.001));
                    print!(" {:>9.3}{}", one.seconds, if one.is_complete { ' ' } else { '*' });
                }
                _ => print!(" {:>10}", "-"),
            }
        }
        println!();
    }
    print!("{:<67}", "in all");
    totals.iter().for_each(|total| print!(" {total:>9.2} "));
    print!("\n{:<67}", "times faster than none, in all");
    totals.iter().for_each(|total| print!(" {:>9.1} ", totals[0] / total.max(0.001)));
    print!("\n{:<67}", "times faster than none, in the median");
    ratios.into_iter().for_each(|ratios| print!(" {:>9.1} ", median(ratios)));
    println!("\n");
}

/// The parameters of the thesis' sets: how many statements are loops with a counter, how many are loops of other shapes, how deep blocks nest.
const SETS: [(&str, &str, &str); 4] =
    [("0.15", "0.1", "3"), ("0.5", "0.1", "3"), ("0.15", "0.5", "3"), ("0.15", "0.1", "5")];

/// Writes random programs to a folder for this run.
fn random_programs() -> Result<Vec<PathBuf>, String> {
    let folder = std::env::temp_dir().join(format!("loupe-figures-{}", std::process::id()));
    let mut files = Vec::new();
    for (number, (counted, others, depth)) in SETS.into_iter().enumerate() {
        let own = folder.join(number.to_string());
        let (count, output) = (RANDOM.to_string(), own.display().to_string());
        let made = loupe([
            "gen",
            "--like",
            "thesis",
            "--count",
            &count,
            "-o",
            &output,
            "--for-loop-probability",
            counted,
            "--while-loop-probability",
            others,
            "--max-block-depth",
            depth,
        ])?;
        if made.status != 0 {
            return Err(made.stderr);
        }
        files.extend((0..RANDOM).map(|seed| own.join(format!("{seed}.uc"))));
    }
    Ok(files)
}

fn others(listed: &[Listed]) -> Result<(), String> {
    let random = random_programs()?;
    let limit: f64 = setting("LOUPE_SECONDS").unwrap_or(3.0);
    let mut programs: Vec<(PathBuf, String)> =
        random.into_iter().map(|file| (file, "LP64".to_owned())).collect();
    let wanted =
        |task: &Task| task.property == "unreach-call" && listed.iter().all(|l| l.name != task.name);
    let corpus = tasks(wanted).unwrap_or_default().into_iter().step_by(10);
    programs.extend(corpus.map(|task| (task.file, task.data_model)));
    println!(
        "Other programs: {} random ones and every tenth of the corpus, {limit} s each\n",
        RANDOM as usize * SETS.len()
    );
    let merging = ["lattice", "dynamic", "auto"];
    let rows = on_all(&programs, |(file, data_model)| {
        let none = explored(file, data_model, "none", limit)?;
        let others: Vec<Result<Explored, String>> =
            merging.iter().map(|merge| explored(file, data_model, merge, limit)).collect();
        Ok::<_, String>((none, others))
    });
    for (number, merge) in merging.iter().enumerate() {
        let (mut slower, mut short, mut lost, mut won) = (Vec::new(), 0, 0, 0);
        for (none, others) in rows.iter().flatten() {
            let Ok(one) = &others[number] else { continue };
            match (none.is_complete, one.is_complete) {
                (true, false) => lost += 1,
                (false, true) => won += 1,
                _ => {}
            }
            match none.seconds.max(one.seconds) < SHORT {
                true => short += 1,
                false => slower.push(one.seconds.max(SHORT / 2.0) / none.seconds.max(SHORT / 2.0)),
            }
        }
        let count = slower.len();
        slower.sort_by(f64::total_cmp);
        let upper = slower.get(count * 9 / 10).copied().unwrap_or(f64::NAN);
        println!(
            "  {merge:<8} {:.2} times as long as none in the median of {count} ({upper:.2} for the ninth of ten), {short} too short to tell; {won} explored to the end that none does not, {lost} the other way round",
            median(slower)
        );
    }
    println!();
    if let Some(folder) = programs.first().and_then(|(file, _)| file.parent()?.parent()) {
        // What is left behind is in the folder for such things anyway.
        let _ = fs::remove_dir_all(folder);
    }
    Ok(())
}

/// What is proved with loops executed, by annotations alone.
fn subsumption() {
    let is_loops = |name: &str| {
        name.starts_with("svcomp16/")
            || name.starts_with("svcomp21/loop-")
            || name.starts_with("svcomp21/loops-")
    };
    let wanted = |task: &Task| task.property == "unreach-call" && is_loops(&task.name);
    let Some(all) = tasks(wanted) else { return };
    let limit: f64 = setting("LOUPE_SECONDS").unwrap_or(10.0);
    let ask = |task: &Task, more: &[&str]| -> Result<Json, String> {
        let (file, limit) = (task.file.display().to_string(), limit.to_string());
        let usual = ["verify", &file, "--data-model", &task.data_model, "--loops", "unroll"];
        loupe(usual.iter().chain(more).chain(&["--timeout", &limit, "--format", "json"]))?.json()
    };
    let answers = on_all(&all, |task| {
        let verdict = |report: Result<Json, String>| match report {
            Ok(report) => report["verdict"].as_str().unwrap_or("-").to_owned(),
            Err(_) => "-".to_owned(),
        };
        (verdict(ask(task, &["--subsume"])), verdict(ask(task, &[])))
    });
    let (mut with, mut without, mut of) = (0, 0, 0);
    for (task, (subsumed, plain)) in all.iter().zip(&answers) {
        let wrong = if task.holds { "unsafe" } else { "safe" };
        if !task.is_disputed && (subsumed == wrong || plain == wrong) {
            println!("  WRONG: {} is called {wrong}", task.name);
        }
        if task.holds {
            of += 1;
            with += usize::from(subsumed == "safe");
            without += usize::from(plain == "safe");
        }
    }
    println!(
        "Subsumption alone, {limit} s: {with} of {of} tasks of the loop directories whose property holds are proved ({:.0} %); without it {without}",
        percent(with, of)
    );
}
