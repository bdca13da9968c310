//! Configurations: named ways to look at programs.
//!
//! On the command line: `name: loops=summary,merge=lattice,subsume`, where several values of one key stand between `+`
//! (`members=execution+invariants`), and the name is the text itself if there is none. In a file:
//!
//! ```toml
//! timeout = 10
//!
//! [[configuration]]
//! name = "summaries"
//! loops = "summary"
//! subsume = true
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;

/// The commands that answer questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Whether a property holds.
    Verify,
    /// What the tree of executions looks like.
    Explore,
    /// Whether a place is reached.
    Reach,
    /// Which inputs cover a program.
    Test,
    /// What its loops do.
    Loops,
    /// How many queries each variable will be in.
    Costs,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 6] = [
        Question::Verify,
        Question::Explore,
        Question::Reach,
        Question::Test,
        Question::Loops,
        Question::Costs,
    ];

    /// The command that asks it.
    pub const fn command(self) -> &'static str {
        match self {
            Question::Verify => "verify",
            Question::Explore => "explore",
            Question::Reach => "reach",
            Question::Test => "test",
            Question::Loops => "loops",
            Question::Costs => "costs",
        }
    }

    /// Whether an option for all runs means something to it: loops are looked at without chance, and estimates
    /// have neither chance in them nor much memory.
    pub(crate) fn takes(self, key: &str) -> bool {
        match self {
            Question::Loops => key != "seed",
            Question::Costs => !["seed", "max-memory"].contains(&key),
            _ => true,
        }
    }

    fn from_command(name: &str) -> Option<Self> {
        Question::ALL.into_iter().find(|question| question.command() == name)
    }
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    /// A value, or nothing: it may stand alone.
    Perhaps,
    /// A value.
    Value,
    /// One value or several.
    Values,
}

/// An option of `loupe` that a configuration can set.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
}

const fn key(name: &'static str, takes: Takes) -> Key {
    Key { name, takes }
}

/// All keys besides `command`; which of them go together with which command is the command's to say.
pub const KEYS: &[Key] = &[
    key("all-errors", Takes::Nothing),
    key("arrays", Takes::Value),
    key("assume-defined", Takes::Nothing),
    key("cap", Takes::Value),
    key("check", Takes::Values),
    key("compile-commands", Takes::Value),
    key("data-model", Takes::Value),
    key("effort", Takes::Value),
    key("entry", Takes::Value),
    key("error", Takes::Nothing),
    key("first-error", Takes::Nothing),
    key("function", Takes::Value),
    key("guide", Takes::Nothing),
    key("int-width", Takes::Value),
    key("jobs", Takes::Value),
    key("k", Takes::Value),
    key("kappa", Takes::Value),
    key("label", Takes::Value),
    key("limit-cost", Takes::Value),
    key("line", Takes::Value),
    key("loops", Takes::Value),
    key("max-depth", Takes::Value),
    key("max-iterations", Takes::Value),
    key("max-paths", Takes::Value),
    key("max-ways", Takes::Value),
    key("members", Takes::Values),
    key("merge", Takes::Value),
    key("method", Takes::Value),
    key("no-guide", Takes::Nothing),
    key("property", Takes::Value),
    key("returns", Takes::Value),
    key("search", Takes::Value),
    key("seed", Takes::Value),
    key("std", Takes::Value),
    key("subsume", Takes::Perhaps),
    key("subsume-depth", Takes::Value),
    key("symbolic-index", Takes::Value),
    key("system-headers", Takes::Nothing),
    key("templates", Takes::Value),
    key("volatile", Takes::Value),
    key("without", Takes::Values),
];

/// The key that is no option: which command is called.
const COMMAND: &str = "command";

/// A key and its value, written `key=value`, or `key` alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct Setting {
    /// The option, without its dashes.
    pub key: String,
    /// Its value, if it takes one.
    pub value: Option<String>,
}

impl Setting {
    /// A key with a value.
    pub fn new(key: &str, value: impl Into<String>) -> Self {
        Setting { key: key.to_owned(), value: Some(value.into()) }
    }

    /// As a command line has it.
    pub fn arguments(&self) -> impl Iterator<Item = String> {
        let takes = KEYS.iter().find(|key| key.name == self.key).map(|key| key.takes);
        let (option, value) = match (takes, &self.value) {
            // Behind an option that may stand alone, a value would be taken for something else.
            (Some(Takes::Perhaps), Some(value)) => (format!("--{}={value}", self.key), None),
            (_, value) => (format!("--{}", self.key), value.clone()),
        };
        std::iter::once(option).chain(value)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.key),
            None => f.write_str(&self.key),
        }
    }
}

impl From<Setting> for String {
    fn from(setting: Setting) -> String {
        setting.to_string()
    }
}

impl From<String> for Setting {
    fn from(text: String) -> Setting {
        match text.split_once('=') {
            Some((key, value)) => Setting::new(key, value),
            None => Setting { key: text, value: None },
        }
    }
}

/// A way to look at programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// Its name in tables.
    pub name: String,
    /// The command, where the task does not say; `verify` if nobody does.
    pub question: Option<Question>,
    /// Its options, in the order of their keys.
    pub settings: Vec<Setting>,
}

/// A configuration that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationError {
    /// A key that there is not.
    #[error("configuration `{configuration}`: there is no key `{key}`; the keys are {}", known())]
    UnknownKey {
        /// Where it stands.
        configuration: String,
        /// The key.
        key: String,
    },
    /// A key without its value.
    #[error("configuration `{configuration}`: `{key}` needs a value, as in `{key}=…`")]
    NoValue {
        /// Where it stands.
        configuration: String,
        /// The key.
        key: String,
    },
    /// A key with a value that is none of its own.
    #[error("configuration `{configuration}`: {key} cannot be {found}, only {expected}")]
    BadValue {
        /// Where it stands.
        configuration: String,
        /// The key.
        key: String,
        /// The value.
        found: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A key that is there twice.
    #[error("configuration `{configuration}`: `{key}` is there twice")]
    Twice {
        /// Where it stands.
        configuration: String,
        /// The key.
        key: String,
    },
    /// No name.
    #[error("a configuration needs a name: `--config \"name: key=value,…\"`")]
    NoName,
    /// Two of one name.
    #[error("two configurations are called `{0}`")]
    SameName(String),
    /// The file cannot be read as TOML.
    #[error("{0}")]
    File(String),
    /// The file has something at its top that there is not.
    #[error(
        "there is no `{0}` in a file of configurations, only `timeout`, `max-memory` and tables `[[configuration]]`"
    )]
    UnknownEntry(String),
    /// The file has a number that is none.
    #[error("`{0}` must be a number greater than 0")]
    NoNumber(&'static str),
    /// The file has no configuration.
    #[error("there is no table `[[configuration]]`")]
    Empty,
}

/// The keys, for messages.
fn known() -> String {
    let names = KEYS.iter().map(|key| key.name);
    std::iter::once(COMMAND).chain(names).collect::<Vec<_>>().join(", ")
}

impl Configuration {
    /// `loupe verify` as it is.
    pub fn usual() -> Self {
        Configuration { name: "usual".to_owned(), question: None, settings: Vec::new() }
    }

    /// Reads `name: key=value,…`.
    ///
    /// # Errors
    ///
    /// If it makes no sense; whether values do is the command's to say.
    pub fn parse(text: &str) -> Result<Self, ConfigurationError> {
        let (name, settings) = match text.split_once(':') {
            Some((name, settings)) if !name.contains('=') => (name.trim(), settings),
            _ => (text.trim(), text),
        };
        let mut configuration = Configuration::named(name)?;
        for setting in settings.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            match setting.split_once('=') {
                Some((key, value)) => configuration.set(key.trim(), Some(value.trim()))?,
                None => configuration.set(setting, None)?,
            }
        }
        configuration.sort();
        Ok(configuration)
    }

    fn named(name: &str) -> Result<Self, ConfigurationError> {
        if name.is_empty() {
            return Err(ConfigurationError::NoName);
        }
        Ok(Configuration { name: name.to_owned(), question: None, settings: Vec::new() })
    }

    fn sort(&mut self) {
        self.settings.sort_by(|one, other| one.key.cmp(&other.key));
    }

    /// Whether it says something about an option.
    pub fn has(&self, key: &str) -> bool {
        self.settings.iter().any(|setting| setting.key == key)
    }

    fn set(&mut self, key: &str, value: Option<&str>) -> Result<(), ConfigurationError> {
        let (configuration, name) = (self.name.clone(), key.to_owned());
        let is_there = self.has(key) || (key == COMMAND && self.question.is_some());
        if is_there {
            return Err(ConfigurationError::Twice { configuration, key: name });
        }
        let bad = |found: &str, expected| ConfigurationError::BadValue {
            configuration: self.name.clone(),
            key: key.to_owned(),
            found: found.to_owned(),
            expected,
        };
        if key == COMMAND {
            let found = value.unwrap_or("nothing");
            let question = Question::from_command(found);
            self.question = Some(
                question
                    .ok_or_else(|| bad(found, "verify, explore, reach, test, loops or costs"))?,
            );
            return Ok(());
        }
        let Some(known) = KEYS.iter().find(|known| known.name == key) else {
            return Err(ConfigurationError::UnknownKey { configuration, key: name });
        };
        let value = match (known.takes, value) {
            (Takes::Nothing | Takes::Perhaps, None | Some("true")) => None,
            // As if it were not there.
            (Takes::Nothing | Takes::Perhaps, Some("false")) => return Ok(()),
            (Takes::Nothing, Some(found)) => return Err(bad(found, "true or false")),
            (_, None | Some("")) => {
                return Err(ConfigurationError::NoValue { configuration, key: name });
            }
            (Takes::Value | Takes::Perhaps, Some(value)) => Some(value.to_owned()),
            (Takes::Values, Some(values)) => Some(values.replace('+', ",")),
        };
        self.settings.push(Setting { key: name, value });
        Ok(())
    }
}

/// Checks that no two have the same name.
///
/// # Errors
///
/// If two have.
pub fn check_names(configurations: &[Configuration]) -> Result<(), ConfigurationError> {
    for (number, one) in configurations.iter().enumerate() {
        if configurations[..number].iter().any(|other| other.name == one.name) {
            return Err(ConfigurationError::SameName(one.name.clone()));
        }
    }
    Ok(())
}

/// A file of configurations.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationFile {
    /// Seconds for each run, if it says.
    pub timeout: Option<f64>,
    /// Megabytes for each run, if it says.
    pub max_memory: Option<u64>,
    /// The configurations, in their order.
    pub configurations: Vec<Configuration>,
}

impl ConfigurationFile {
    /// Reads TOML.
    ///
    /// # Errors
    ///
    /// If it is none, or makes no sense.
    pub fn parse(text: &str) -> Result<Self, ConfigurationError> {
        let table = text.parse::<toml::Table>();
        // The library's message is an excerpt over several lines.
        let table =
            table.map_err(|error| ConfigurationError::File(error.to_string().trim().to_owned()))?;
        let mut file =
            ConfigurationFile { timeout: None, max_memory: None, configurations: Vec::new() };
        for (name, value) in &table {
            match name.as_str() {
                "timeout" => file.timeout = Some(seconds(value)?),
                "max-memory" => file.max_memory = Some(megabytes(value)?),
                "configuration" => file.configurations = configurations(value)?,
                other => return Err(ConfigurationError::UnknownEntry(other.to_owned())),
            }
        }
        if file.configurations.is_empty() {
            return Err(ConfigurationError::Empty);
        }
        Ok(file)
    }
}

fn seconds(value: &toml::Value) -> Result<f64, ConfigurationError> {
    let number = value.as_float().or(value.as_integer().map(|number| number as f64));
    let number = number.filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or(ConfigurationError::NoNumber("timeout"))
}

fn megabytes(value: &toml::Value) -> Result<u64, ConfigurationError> {
    let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
    number.filter(|number| *number > 0).ok_or(ConfigurationError::NoNumber("max-memory"))
}

fn configurations(value: &toml::Value) -> Result<Vec<Configuration>, ConfigurationError> {
    let tables = value.as_array().ok_or(ConfigurationError::Empty)?;
    tables.iter().map(configuration).collect()
}

fn configuration(value: &toml::Value) -> Result<Configuration, ConfigurationError> {
    let table = value.as_table().ok_or(ConfigurationError::Empty)?;
    let name = table.get("name").and_then(toml::Value::as_str).unwrap_or_default();
    let mut configuration = Configuration::named(name)?;
    for (key, value) in table.iter().filter(|(key, _)| *key != "name") {
        let text = scalar(value).or_else(|| {
            let values: Option<Vec<String>> = value.as_array()?.iter().map(scalar).collect();
            values.map(|values| values.join(","))
        });
        let Some(text) = text else {
            return Err(ConfigurationError::BadValue {
                configuration: name.to_owned(),
                key: key.clone(),
                found: value.type_str().to_owned(),
                expected: "a text, a number, true, false, or a list of these",
            });
        };
        configuration.set(key, Some(&text))?;
    }
    configuration.sort();
    Ok(configuration)
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
