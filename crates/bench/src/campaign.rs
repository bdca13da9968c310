//! Which runs there are, in which order, and how each is called.

use crate::configuration::{Configuration, Question, Setting, check_names};
use crate::{Answer, ConfigurationError, fingerprint};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// A program and what is asked of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its name in tables; no two tasks of a campaign have the same.
    pub name: String,
    /// The group that it is counted in.
    pub set: String,
    /// Where the program lies on this machine.
    #[serde(skip)]
    pub file: String,
    /// The fingerprint of its text.
    pub content: String,
    /// The command, if the task says.
    pub question: Option<Question>,
    /// Options that belong to the question; those of a configuration come before them.
    pub settings: Vec<Setting>,
    /// The right answer, where it is known.
    pub expected: Option<Answer>,
    /// Whether people disagree about the right answer.
    #[serde(default)]
    pub is_disputed: bool,
    /// The names of its configurations; none means all.
    #[serde(default)]
    pub configurations: Vec<String>,
    /// It is run so often while it takes less than a second, and the fastest run counts.
    pub repeats: u32,
}

impl Task {
    /// A program of which nothing else is known.
    pub fn new(name: impl Into<String>, set: impl Into<String>, file: impl Into<String>) -> Self {
        Task {
            name: name.into(),
            set: set.into(),
            file: file.into(),
            content: String::new(),
            question: None,
            settings: Vec::new(),
            expected: None,
            is_disputed: false,
            configurations: Vec::new(),
            repeats: 1,
        }
    }
}

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Seconds.
    pub seconds: f64,
    /// Megabytes of memory.
    pub megabytes: u64,
}

/// Tasks × configurations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Campaign {
    /// The suite that it comes from, if it does.
    pub suite: Option<String>,
    /// The tasks, in their order.
    pub tasks: Vec<Task>,
    /// The configurations, in theirs.
    pub configurations: Vec<Configuration>,
    /// What each run may use.
    pub limits: Limits,
    /// Where chance begins, in generators and in runs.
    pub seed: u64,
    /// The version of Loupe.
    pub version: String,
}

/// A campaign that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CampaignError {
    /// No programs.
    #[error("there is no program to run")]
    NoTask,
    /// Two tasks of one name.
    #[error("two programs are called `{0}`")]
    SameName(String),
    /// Configurations.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// Limits.
    #[error("{0} seconds are no limit of time")]
    NoTime(f64),
}

/// The keys that change what is asked, and not only how an answer is looked for.
const MEANING: [&str; 14] = [
    "arrays",
    "assume-defined",
    "check",
    "data-model",
    "entry",
    "error",
    "function",
    "int-width",
    "label",
    "line",
    "property",
    "returns",
    "std",
    "volatile",
];

/// A task in a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Run<'c> {
    /// The task.
    pub task: &'c Task,
    /// The configuration.
    pub configuration: &'c Configuration,
}

impl<'c> Run<'c> {
    /// The command.
    pub fn question(&self) -> Question {
        self.task.question.or(self.configuration.question).unwrap_or(Question::Verify)
    }

    /// What a question means: runs of a task that differ in nothing else have the same right answer.
    pub(crate) fn meaning(&self) -> String {
        let own = self.configuration.settings.iter().chain(&self.task.settings);
        let own = own.filter(|setting| MEANING.contains(&setting.key.as_str()));
        let mut known: BTreeMap<&str, String> = BTreeMap::new();
        for setting in own {
            // What was said before holds.
            known.entry(&setting.key).or_insert_with(|| setting.to_string());
        }
        known.into_values().collect::<Vec<_>>().join(" ")
    }

    /// The right answer to what is asked, where it is known: the configuration may ask for another property than the task.
    pub fn expected(&self) -> Option<Answer> {
        let property = |settings: &'c [Setting]| settings.iter().find(|own| own.key == "property");
        match (property(&self.task.settings), property(&self.configuration.settings)) {
            (own, Some(other)) if own != Some(other) => None,
            _ => self.task.expected,
        }
    }
}

impl Campaign {
    /// Checks that it makes sense.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn check(&self) -> Result<(), CampaignError> {
        check_names(&self.configurations)?;
        if self.tasks.is_empty() {
            return Err(CampaignError::NoTask);
        }
        if !(self.limits.seconds.is_finite() && self.limits.seconds > 0.0) {
            return Err(CampaignError::NoTime(self.limits.seconds));
        }
        let mut names = BTreeSet::new();
        match self.tasks.iter().find(|task| !names.insert(&task.name)) {
            Some(task) => Err(CampaignError::SameName(task.name.clone())),
            None => Ok(()),
        }
    }

    /// All runs: task by task, each with all of its configurations.
    pub fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.tasks.iter().flat_map(|task| self.runs_of(task))
    }

    /// The runs of the tasks of a shard.
    pub fn runs_in(&self, shard: Shard) -> impl Iterator<Item = Run<'_>> {
        let tasks = self.tasks.iter().enumerate();
        let own = tasks.filter(move |(number, _)| shard.has(*number)).map(|(_, task)| task);
        own.flat_map(|task| self.runs_of(task))
    }

    fn runs_of<'c>(&'c self, task: &'c Task) -> impl Iterator<Item = Run<'c>> {
        let is_own = |configuration: &&Configuration| {
            task.configurations.is_empty() || task.configurations.contains(&configuration.name)
        };
        let own = self.configurations.iter().filter(is_own);
        own.map(move |configuration| Run { task, configuration })
    }

    /// The arguments of `loupe` for a run, without the program.
    pub fn arguments(&self, run: &Run<'_>) -> Vec<String> {
        let usual = [
            Setting::new("seed", self.seed.to_string()),
            Setting::new("timeout", self.limits.seconds.to_string()),
            Setting::new("max-memory", self.limits.megabytes.to_string()),
            Setting::new("format", "json"),
        ];
        let mut settings = run.configuration.settings.clone();
        // What was said before holds: first the configuration, then the task.
        let usual = usual.iter().filter(|setting| run.question().takes(&setting.key));
        for setting in run.task.settings.iter().chain(usual) {
            if settings.iter().all(|known| known.key != setting.key) {
                settings.push(setting.clone());
            }
        }
        let command = run.question().command().to_owned();
        std::iter::once(command).chain(settings.iter().flat_map(Setting::arguments)).collect()
    }

    /// Of all that the outcome of a run depends on.
    pub fn fingerprint(&self, run: &Run<'_>) -> String {
        let arguments = self.arguments(run);
        let repeats = run.task.repeats.to_string();
        let own = [&self.version, &run.task.name, &run.task.content, &repeats];
        fingerprint(own.into_iter().chain(&arguments).map(|piece| piece.as_bytes()))
    }

    /// Whether another campaign has the same runs.
    pub fn is_same_as(&self, other: &Campaign) -> bool {
        let list = |campaign: &Campaign| -> Vec<(String, String)> {
            let name = |run: &Run<'_>| run.configuration.name.clone();
            campaign.runs().map(|run| (name(&run), campaign.fingerprint(&run))).collect()
        };
        list(self) == list(other)
    }

    /// The sets, in the order in which tasks come to them.
    pub fn sets(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let sets = self.tasks.iter().map(|task| task.set.as_str());
        sets.filter(|set| seen.insert(*set)).collect()
    }
}

/// A part of a campaign: one of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    /// Which one, from 1.
    number: usize,
    /// Of so many.
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether the task with this number, from 0, belongs to it.
    pub const fn has(self, task: usize) -> bool {
        task % self.of == self.number - 1
    }
}

/// Not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part like `2/5`: the second of five")]
pub struct NoShard(String);

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            Some((number.parse::<usize>().ok()?, of.parse::<usize>().ok()?))
        });
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err(NoShard(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = NoShard;

    fn try_from(text: String) -> Result<Self, NoShard> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
pub(crate) mod tests;
