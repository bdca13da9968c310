//! The loops of SV-COMP: how many are solved and bounded, how fast, and why the others are not.

use crate::tool::{Task, limit, loupe, median, on_all, percent, tasks};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::collections::BTreeSet;

/// The goals: solved, bounded (percent), and the median time for a loop (milliseconds).
const GOALS: (f64, f64, f64) = (60.0, 80.0, 10.0);
/// So many reasons are shown.
const REASONS: usize = 12;

/// What is counted in a folder.
#[derive(Default)]
struct Figures {
    files: usize,
    /// Files that could not be read.
    unread: usize,
    /// Files with a loop that took too long; loops behind it were not looked at.
    cut: usize,
    tags: BTreeMap<String, usize>,
    bounded: usize,
    seconds: Vec<f64>,
    reasons: BTreeMap<String, (usize, String)>,
}

impl Figures {
    fn loops(&self) -> usize {
        self.seconds.len()
    }

    fn tagged(&self, names: &[&str]) -> usize {
        names.iter().filter_map(|name| self.tags.get(*name)).sum()
    }

    fn add(&mut self, file: &str, own: &Json) {
        let tag = own["summary"].as_str().unwrap_or("none");
        *self.tags.entry(tag.to_owned()).or_default() += 1;
        self.bounded += usize::from(own["bound"].is_string());
        self.seconds.push(own["seconds"].as_f64().unwrap_or(f64::NAN));
        if tag != "exact" && tag != "template" {
            let why = own["why"][0].as_str().unwrap_or("no reason");
            let example = format!("{file}:{}", own["line"]);
            self.reasons.entry(general(why)).or_insert((0, example)).0 += 1;
        }
    }

    fn merge(&mut self, other: &Figures) {
        self.files += other.files;
        self.unread += other.unread;
        self.cut += other.cut;
        self.bounded += other.bounded;
        self.seconds.extend(&other.seconds);
        for (tag, count) in &other.tags {
            *self.tags.entry(tag.clone()).or_default() += count;
        }
        for (why, (count, example)) in &other.reasons {
            self.reasons.entry(why.clone()).or_insert((0, example.clone())).0 += count;
        }
    }

    fn line(&self, name: &str) {
        let (loops, solved) = (self.loops(), self.tagged(&["exact", "template"]));
        println!(
            "{name:<32} {:>5} {loops:>5}   {solved:>5} {:>4.0} % {:>5} {:>5} {:>5}   {:>5} {:>4.0} %   {:>8.2} ms {:>8.2} s",
            self.files,
            percent(solved, loops),
            self.tagged(&["over"]),
            self.tagged(&["under"]),
            self.tagged(&["none"]),
            self.bounded,
            percent(self.bounded, loops),
            median(self.seconds.clone()) * 1e3,
            self.seconds.iter().sum::<f64>(),
        );
    }
}

/// A reason without the names and numbers of one loop: what stands in quotes, and digits.
fn general(why: &str) -> String {
    let quoted = why.split('`').enumerate();
    let text = quoted.map(|(number, part)| if number % 2 == 0 { part } else { "…" });
    let text: String = text.collect();
    let mut out = String::new();
    for character in text.chars() {
        let character = if character.is_ascii_digit() { '#' } else { character };
        if !(character == '#' && out.ends_with('#')) {
            out.push(character);
        }
    }
    out.chars().take(110).collect()
}

/// The loops of all files of a folder of the corpus.
fn folder(tasks: &[&Task]) -> Result<Figures, String> {
    let timeout = limit().to_string();
    let reports = on_all(tasks, |task| {
        let file = task.file.display().to_string();
        let model = if task.data_model == "LP64" { "LP64" } else { "ILP32" };
        loupe(["loops", &file, "--data-model", model, "--format", "json", "--timeout", &timeout])
    });
    let mut figures = Figures { files: tasks.len(), ..Figures::default() };
    for (task, ran) in tasks.iter().zip(reports) {
        let ran = ran?;
        let report = if ran.status == 3 { None } else { ran.json().ok() };
        let Some(report) = report else {
            figures.unread += 1;
            continue;
        };
        figures.cut += usize::from(ran.status == 2);
        for own in report["loops"].as_array().into_iter().flatten() {
            figures.add(&task.name, own);
        }
    }
    Ok(figures)
}

pub(crate) fn print() -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let is_wanted =
        |task: &Task| task.name.starts_with("svcomp16/") || task.name.starts_with("svcomp21/loop");
    let Some(mut tasks) = tasks(is_wanted) else { return Ok(()) };
    // A file has a line for each of its properties.
    tasks.retain(|task| seen.insert(task.name.clone()));
    let mut folders: BTreeMap<&str, Vec<&Task>> = BTreeMap::new();
    for task in &tasks {
        let name = task.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        folders.entry(name).or_default().push(task);
    }
    println!(
        "{:<32} {:>5} {:>5}   {:>12} {:>5} {:>5} {:>5}   {:>12}   {:>11} {:>10}",
        "folder", "files", "loops", "exact", "over", "under", "none", "bounded", "median", "all"
    );
    let mut sums: BTreeMap<&str, Figures> = BTreeMap::new();
    for (name, tasks) in &folders {
        let figures = folder(tasks)?;
        figures.line(name);
        let corpus = name.split('/').next().unwrap_or_default();
        sums.entry(corpus).or_default().merge(&figures);
    }
    let mut all = Figures::default();
    for (name, figures) in &sums {
        figures.line(name);
        all.merge(figures);
    }
    all.line("together");
    println!(
        "  `exact` counts templates; goals: {} % exact, {} % bounded, median {} ms",
        GOALS.0, GOALS.1, GOALS.2
    );
    println!(
        "  {} files could not be read; {} took more than {} s, and loops behind the slow one are not counted",
        all.unread,
        all.cut,
        limit()
    );
    let mut reasons: Vec<_> = all.reasons.iter().collect();
    reasons.sort_by_key(|(why, (count, _))| (std::cmp::Reverse(*count), (*why).clone()));
    println!("\n  why not exact, the most frequent first reasons of {}:", reasons.len());
    for (why, (count, example)) in reasons.into_iter().take(REASONS) {
        println!("  {count:>4}  {why}\n        first in {example}");
    }
    Ok(())
}
