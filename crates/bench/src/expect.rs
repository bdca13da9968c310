//! Which answers are right, as far as somebody has written that down.
//!
//! - A *manifest* is a table with tabs between its columns; its first line names them. `path` (or `program`, `file`) and `expected` must
//!   be there; `property`, `data_model` and `note` may be. `expected` is `true` or `false` for whether the property holds, or an answer
//!   of `loupe`. A note `ub:…` marks a program about whose answer people disagree. One program may have several rows, one for each property.
//! - A *task file* is what SV-COMP puts beside a program (`.yml`, format 2.0).
//! - A *directive* is a comment in the program itself: `// loupe: verify safe`.

mod directive;
mod manifest;
mod task_file;

pub use directive::directive;
pub use manifest::{Manifest, ManifestError};
pub use task_file::{TaskFile, TaskFileError};

use crate::Answer;
use crate::campaign::Task;
use crate::configuration::Setting;

/// What is known of a program: with which property and data model it has which answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The property, if it says.
    pub property: Option<String>,
    /// The right answer.
    pub expected: Option<Answer>,
    /// The data model, if it says.
    pub data_model: Option<String>,
    /// Whether people disagree about the answer.
    pub is_disputed: bool,
}

impl Expectation {
    /// The task with what is known of it.
    pub fn apply(&self, task: &mut Task) {
        let settings = [("property", &self.property), ("data-model", &self.data_model)];
        for (key, value) in settings {
            if let Some(value) = value {
                task.settings.push(Setting::new(key, value));
            }
        }
        task.expected = self.expected;
        task.is_disputed = self.is_disputed;
    }
}

/// The properties that `loupe` knows.
const PROPERTIES: [&str; 10] = [
    "unreach-call",
    "no-errors",
    "no-overflow",
    "valid-memsafety",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "valid-memcleanup",
    "def-behavior",
    "termination",
];

/// The data models that `loupe` knows.
fn data_model(name: &str) -> Option<String> {
    let name = name.to_ascii_uppercase();
    ["ILP32", "LP64"].contains(&name.as_str()).then_some(name)
}

/// `true`, `false`, or an answer.
fn answer(text: &str) -> Option<Answer> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(Answer::Safe),
        "false" => Some(Answer::Unsafe),
        other => Answer::from_name(other),
    }
}
