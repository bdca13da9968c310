//! What has changed from one campaign to another.

use crate::Answer;
use crate::record::{Grade, Record};
use crate::results::Results;
use crate::table::{Table, seconds};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// So many times as fast or as slow is a change that is told, and so many seconds.
const FACTOR: f64 = 2.0;
const LEAST_SECONDS: f64 = 0.1;

/// A change of the answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The new answer is wrong.
    Wrong,
    /// The answers contradict each other, and nobody knows which one is right.
    Contradiction,
    /// There was an answer, and is none.
    Lost,
    /// There was a wrong answer, and is none or a right one.
    Righted,
    /// There is an answer, and was none.
    Won,
    /// There was a report, and is none.
    Broken,
    /// There is a report, and was none.
    Mended,
}

impl Change {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Change::Wrong => "wrong",
            Change::Contradiction => "contradicts the old answer",
            Change::Lost => "lost",
            Change::Righted => "no longer wrong",
            Change::Won => "won",
            Change::Broken => "broken",
            Change::Mended => "no longer broken",
        }
    }

    /// Whether nobody wants it.
    pub const fn is_bad(self) -> bool {
        matches!(self, Change::Wrong | Change::Contradiction | Change::Lost)
    }
}

/// A run whose answer has changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Changed {
    /// The task.
    pub task: String,
    /// The configuration.
    pub configuration: String,
    /// What has changed.
    pub change: Change,
    /// What it was worth before.
    pub old: String,
    /// What it is worth now.
    pub new: String,
}

/// A run that takes another time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timed {
    /// The task.
    pub task: String,
    /// The configuration.
    pub configuration: String,
    /// Seconds before.
    pub old: f64,
    /// Seconds now.
    pub new: f64,
}

/// What has changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Runs whose answers have changed, the worst first.
    pub changed: Vec<Changed>,
    /// Runs that take much longer, the worst first.
    pub slower: Vec<Timed>,
    /// Runs that take much less, the best first.
    pub faster: Vec<Timed>,
    /// How many runs both have.
    pub common: usize,
    /// How many runs only the old one has.
    pub gone: usize,
    /// How many runs only the new one has.
    pub added: usize,
    /// Seconds before, of the runs that both have.
    pub old_seconds: f64,
    /// Seconds now.
    pub new_seconds: f64,
    /// What the old one was measured on and with.
    pub old: String,
    /// What the new one was measured on and with.
    pub new: String,
}

/// A run by the names of its task and configuration.
type Name = (String, String);

/// Runs with what they are worth.
fn by_name(results: &Results) -> BTreeMap<Name, (&Record, Grade)> {
    let named = results.graded().map(|(run, record, grade)| {
        ((run.task.name.clone(), run.configuration.name.clone()), (record, grade))
    });
    named.collect()
}

/// Compares.
pub fn compare(old: &Results, new: &Results) -> Comparison {
    let (before, now) = (by_name(old), by_name(new));
    let planned: BTreeSet<Name> = (new.campaign.runs())
        .map(|run| (run.task.name.clone(), run.configuration.name.clone()))
        .collect();
    let mut comparison = Comparison {
        added: now.keys().filter(|name| !before.contains_key(*name)).count(),
        old: old.provenance(),
        new: new.provenance(),
        ..Comparison::default()
    };
    for (name, old) in &before {
        let Some(new) = now.get(name) else {
            comparison.gone += 1;
            // A run that is not wanted any more is no loss; one that was not made is.
            if planned.contains(name) && has_answer(old) {
                comparison.add(name, Change::Lost, old.1.name(), "not run");
            }
            continue;
        };
        comparison.common += 1;
        comparison.add_times(name, old, new);
        if let Some(change) = change(old, new) {
            comparison.add(name, change, &worth(old), &worth(new));
        }
    }
    // Wrong is wrong, whether somebody asked before or not.
    for (name, new) in now.iter().filter(|(name, _)| !before.contains_key(*name)) {
        if new.1 == Grade::Wrong {
            comparison.add(name, Change::Wrong, "not run", &worth(new));
        }
    }
    comparison.sort();
    comparison
}

fn has_answer((record, grade): &(&Record, Grade)) -> bool {
    *grade != Grade::Wrong && record.answer.is_some_and(Answer::is_decided)
}

fn worth((record, grade): &(&Record, Grade)) -> String {
    match record.answer {
        Some(answer) if answer.is_decided() => format!("{answer} ({})", grade.name()),
        _ => grade.name().to_owned(),
    }
}

fn change(old: &(&Record, Grade), new: &(&Record, Grade)) -> Option<Change> {
    let failed = |run: &(&Record, Grade)| run.1 == Grade::Failed;
    let contradict = match (old.0.answer, new.0.answer) {
        (Some(old), Some(new)) => old.contradicts(new),
        _ => false,
    };
    match (has_answer(old), has_answer(new)) {
        _ if new.1 == Grade::Wrong => Some(Change::Wrong),
        _ if old.1 == Grade::Wrong => Some(Change::Righted),
        (true, true) if contradict => Some(Change::Contradiction),
        (true, false) => Some(Change::Lost),
        (false, true) => Some(Change::Won),
        _ if failed(new) && !failed(old) => Some(Change::Broken),
        _ if failed(old) && !failed(new) => Some(Change::Mended),
        _ => None,
    }
}

impl Comparison {
    fn add(&mut self, (task, configuration): &Name, change: Change, old: &str, new: &str) {
        self.changed.push(Changed {
            task: task.clone(),
            configuration: configuration.clone(),
            change,
            old: old.to_owned(),
            new: new.to_owned(),
        });
    }

    fn add_times(
        &mut self,
        (task, configuration): &Name,
        old: &(&Record, Grade),
        new: &(&Record, Grade),
    ) {
        let (old, new) = (old.0.seconds, new.0.seconds);
        self.old_seconds += old;
        self.new_seconds += new;
        let timed = Timed { task: task.clone(), configuration: configuration.clone(), old, new };
        if new >= FACTOR * old && new - old >= LEAST_SECONDS {
            self.slower.push(timed);
        } else if old >= FACTOR * new && old - new >= LEAST_SECONDS {
            self.faster.push(timed);
        }
    }

    fn sort(&mut self) {
        let name = |changed: &Changed| (changed.task.clone(), changed.configuration.clone());
        self.changed.sort_by_key(|changed| (changed.change, name(changed)));
        let by_difference = |one: &Timed, other: &Timed| {
            (other.new - other.old).abs().total_cmp(&(one.new - one.old).abs())
        };
        self.slower.sort_by(by_difference);
        self.faster.sort_by(by_difference);
    }

    /// Whether an answer is wrong or was lost.
    pub fn is_bad(&self) -> bool {
        self.changed.iter().any(|changed| changed.change.is_bad())
    }

    /// For people.
    pub fn text(&self) -> String {
        let count = |change: Change| self.changed.iter().filter(|own| own.change == change).count();
        let all = [
            Change::Wrong,
            Change::Contradiction,
            Change::Lost,
            Change::Righted,
            Change::Won,
            Change::Broken,
            Change::Mended,
        ];
        let mut answers: Vec<String> = all
            .into_iter()
            .filter(|change| count(*change) > 0)
            .map(|change| format!("{} {}", count(change), change.words()))
            .collect();
        if answers.is_empty() {
            answers.push("no answer has changed".to_owned());
        }
        let Comparison { common, gone, added, old_seconds, new_seconds, .. } = self;
        let mut text = format!(
            "old: {}\nnew: {}\n\n{common} runs in both, {gone} only in the old, {added} only in the new: {}\n{} s before, {} s now; {} runs are much slower, {} much faster\n",
            self.old,
            self.new,
            answers.join(", "),
            seconds(*old_seconds),
            seconds(*new_seconds),
            self.slower.len(),
            self.faster.len(),
        );
        if !self.changed.is_empty() {
            let rows = self.changed.iter().map(|own| {
                let words = own.change.words().to_owned();
                vec![
                    own.task.clone(),
                    own.configuration.clone(),
                    words,
                    own.old.clone(),
                    own.new.clone(),
                ]
            });
            let header = ["program", "configuration", "change", "old", "new"];
            text += &format!("\n{}", Table::new("Answers", &header, rows.collect()).markdown());
        }
        for (title, timed) in [("Slower", &self.slower), ("Faster", &self.faster)] {
            if timed.is_empty() {
                continue;
            }
            let rows = timed.iter().map(|own| {
                let (old, new) = (seconds(own.old), seconds(own.new));
                vec![own.task.clone(), own.configuration.clone(), old, new]
            });
            let header = ["program", "configuration", "old s", "new s"];
            text += &format!("\n{}", Table::new(title, &header, rows.collect()).markdown());
        }
        text
    }
}

#[cfg(test)]
mod tests;
