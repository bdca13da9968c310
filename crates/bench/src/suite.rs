//! Suites: campaigns that are known beforehand, as data, with the figures that documents print.
//!
//! A suite is a file in `suites/`. It names configurations, limits, tasks (parts of the corpus by what their paths begin with,
//! single programs with a question of their own, or sets of generated programs), and tables. A table has the rows of the document; what was
//! measured stands to the right of what the document says.

mod display;
mod generated;

use crate::answer::Answer;
use crate::campaign::{Limits, Task};
use crate::configuration::{Configuration, Question, Setting};
use crate::expect::Manifest;
use crate::{ConfigurationError, fingerprint};
use display::DocumentTable;
use generated::Generated;
use loupe_gen::BadParameters;
use serde::Deserialize;

/// The suites, by their names.
const SUITES: [(&str, &str); 7] = [
    ("thesis", include_str!("../suites/thesis.toml")),
    ("thesis-merging", include_str!("../suites/thesis-merging.toml")),
    ("thesis-search", include_str!("../suites/thesis-search.toml")),
    ("proteus", include_str!("../suites/proteus.toml")),
    ("proteus-projects", include_str!("../suites/proteus-projects.toml")),
    ("rudla", include_str!("../suites/rudla.toml")),
    ("apc", include_str!("../suites/apc.toml")),
];

/// Programs that suites bring along.
const PROGRAMS: [(&str, &str); 1] =
    [("windriver.c", include_str!("../../../benches/programs/windriver.c"))];

/// So many seeds are kept for each set of generated programs.
const SEEDS: u64 = 1_000_000;

/// A suite.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Suite {
    /// What it is about.
    title: String,
    /// Seconds for each run.
    timeout: f64,
    /// Megabytes for each run.
    max_memory: u64,
    /// As on the command line.
    configurations: Vec<String>,
    #[serde(default)]
    set: Vec<CorpusSet>,
    #[serde(default)]
    task: Vec<SuiteTask>,
    #[serde(default)]
    generated: Vec<Generated>,
    #[serde(default)]
    project: Vec<Project>,
    table: Vec<DocumentTable>,
}

/// A part of the corpus.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CorpusSet {
    name: String,
    /// What the paths of its programs begin with.
    prefix: String,
    property: String,
    #[serde(default)]
    configurations: Vec<String>,
}

/// A program with a question of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SuiteTask {
    name: String,
    set: String,
    /// Its path in the corpus, or one of [`PROGRAMS`].
    file: Option<String>,
    program: Option<String>,
    question: Question,
    #[serde(default)]
    settings: Vec<Setting>,
    expected: Option<Answer>,
    #[serde(default)]
    configurations: Vec<String>,
    #[serde(default = "once")]
    repeats: u32,
}

/// A program of many files that was built on this machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Project {
    /// Its name, which is that of its set.
    pub name: String,
    /// The folder with its compilation database, among those of all projects.
    pub folder: String,
    /// What is asked about each of its files.
    question: Question,
}

fn once() -> u32 {
    1
}

/// Where the program of a task comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file in the corpus, by its path there.
    Corpus(String),
    /// A text that is to be written to a file of this name.
    Text(String, String),
}

/// A suite that cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SuiteError {
    /// There is none of this name.
    #[error("there is no suite `{name}`; the suites are {}", names().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// Its data makes no sense, which is a bug.
    #[error("internal error: the suite `{0}`: {1}")]
    Broken(String, String),
    /// The corpus has not what it needs.
    #[error("the corpus has no program whose path begins with `{0}`")]
    NoPrograms(String),
    /// Programs cannot be generated so.
    #[error(transparent)]
    Generator(#[from] BadParameters),
}

/// The names of all suites.
pub fn names() -> Vec<&'static str> {
    SUITES.iter().map(|(name, _)| *name).collect()
}

impl Suite {
    /// The suite of this name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn named(name: &str) -> Result<Self, SuiteError> {
        let found = SUITES.iter().find(|(known, _)| *known == name);
        let (_, text) = found.ok_or_else(|| SuiteError::Unknown { name: name.to_owned() })?;
        toml::from_str(text).map_err(|error| SuiteError::Broken(name.to_owned(), error.to_string()))
    }

    /// What it is about.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What each run may use.
    pub fn limits(&self) -> Limits {
        Limits { seconds: self.timeout, megabytes: self.max_memory }
    }

    /// Its configurations.
    ///
    /// # Errors
    ///
    /// If they make no sense, which is a bug.
    pub fn configurations(&self) -> Result<Vec<Configuration>, ConfigurationError> {
        self.configurations.iter().map(|text| Configuration::parse(text)).collect()
    }

    /// Whether some of its programs lie in the corpus.
    pub fn needs_corpus(&self) -> bool {
        !self.set.is_empty() || self.task.iter().any(|task| task.file.is_some())
    }

    /// The programs that have to be built before, by whoever knows this machine.
    pub fn projects(&self) -> &[Project] {
        &self.project
    }

    /// Its tasks, and where their programs come from. The manifest is that of the corpus; sets of generated programs have so many times their usual
    /// size, and chance begins at the seed.
    ///
    /// # Errors
    ///
    /// If the corpus lacks them.
    pub fn tasks(
        &self,
        manifest: &Manifest,
        (scale, seed): (f64, u64),
    ) -> Result<Vec<(Task, Origin)>, SuiteError> {
        let mut tasks = Vec::new();
        for set in &self.set {
            let before = tasks.len();
            tasks.extend(set.tasks(manifest));
            if tasks.len() == before {
                return Err(SuiteError::NoPrograms(set.prefix.clone()));
            }
        }
        for task in &self.task {
            tasks.push(task.task()?);
        }
        for (number, set) in (0..).zip(&self.generated) {
            // No two sets have programs in common.
            tasks.extend(set.tasks(scale, seed.wrapping_add(number * SEEDS))?);
        }
        Ok(tasks)
    }
}

impl CorpusSet {
    fn tasks(&self, manifest: &Manifest) -> Vec<(Task, Origin)> {
        let mut tasks = Vec::new();
        for path in manifest.below(&self.prefix) {
            let own = |property: &Option<String>| property.as_ref() == Some(&self.property);
            let Some(known) = manifest.of(path).iter().find(|known| own(&known.property)) else {
                continue;
            };
            let configurations = self.configurations.clone();
            let mut task = Task { configurations, ..Task::new(path, &self.name, "") };
            known.apply(&mut task);
            tasks.push((task, Origin::Corpus(path.to_owned())));
        }
        tasks
    }
}

impl Project {
    /// The task for a file of the project that is called so and compiled as this database says.
    pub fn task(&self, name: &str, database: &str) -> Task {
        Task {
            question: Some(self.question),
            settings: vec![Setting::new("compile-commands", database)],
            ..Task::new(format!("{}/{name}", self.name), &self.name, "")
        }
    }
}

impl SuiteTask {
    fn task(&self) -> Result<(Task, Origin), SuiteError> {
        let task = Task {
            question: Some(self.question),
            settings: self.settings.clone(),
            expected: self.expected,
            configurations: self.configurations.clone(),
            repeats: self.repeats,
            ..Task::new(&self.name, &self.set, "")
        };
        let origin = match (&self.file, &self.program) {
            (Some(path), None) => Origin::Corpus(path.clone()),
            (None, Some(name)) => own_program(name)?,
            _ => {
                let why = "a task has a file or a program".to_owned();
                return Err(SuiteError::Broken(self.name.clone(), why));
            }
        };
        Ok((task, origin))
    }
}

fn own_program(name: &str) -> Result<Origin, SuiteError> {
    let found = PROGRAMS.iter().find(|(known, _)| *known == name);
    let broken = || SuiteError::Broken(name.to_owned(), "there is no such program".to_owned());
    let (name, text) = found.ok_or_else(broken)?;
    Ok(Origin::Text((*name).to_owned(), (*text).to_owned()))
}

impl Task {
    /// The task for a program that lies here and has this text.
    pub fn at(self, file: impl Into<String>, content: &[u8]) -> Self {
        Task { file: file.into(), content: fingerprint([content]), ..self }
    }
}

#[cfg(test)]
mod tests;
