//! What came of a run.

mod loops;

pub use loops::{Counts, LoopCounts, LoopFigures};

use crate::Answer;
use crate::campaign::{Limits, Run};
use serde::{Deserialize, Serialize};

/// How a process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// With a report.
    Finished,
    /// With a message that the program or the call cannot be read.
    Rejected,
    /// With an internal error, or without a report.
    Broken,
    /// By a signal.
    Crashed,
    /// It went on long beyond its time and was killed.
    Hung,
    /// It could not be started.
    NotStarted,
}

impl Ended {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Ended::Finished => "finished",
            Ended::Rejected => "rejected",
            Ended::Broken => "broken",
            Ended::Crashed => "crashed",
            Ended::Hung => "hung",
            Ended::NotStarted => "not started",
        }
    }
}

/// What a report counts; nothing where it does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// Seconds by the report's own clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Paths that have ended, however that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<u64>,
    /// Path coverage, as the thesis has it: paths that have ended without an error; one that was merged counts for all that it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<u64>,
    /// States.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Queries to the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<u64>,
    /// Queries without an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_queries: Option<u64>,
    /// Seconds in the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_seconds: Option<f64>,
    /// The most memory, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Errors that were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// Branches that were covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches: Option<u64>,
    /// All branches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_branches: Option<u64>,
    /// Cycles that were looked at for templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// Templates that were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub templates: Option<u64>,
    /// Seconds in which a necessary condition was built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_seconds: Option<f64>,
    /// Loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loops: Option<LoopFigures>,
}

/// What came of a run: a line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The task.
    pub task: String,
    /// The configuration.
    pub configuration: String,
    /// The fingerprint of the run.
    pub fingerprint: String,
    /// How it ended.
    pub ended: Ended,
    /// The exit status, or the signal if there was one.
    pub status: Option<i32>,
    /// The answer, if there was a report with one.
    pub answer: Option<Answer>,
    /// Seconds of the whole process, as whoever waits for it sees them.
    pub seconds: f64,
    /// What was counted.
    pub figures: Figures,
    /// Why there is no answer, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// What a record is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The answer is right.
    Correct,
    /// The answer is wrong.
    Wrong,
    /// The answer is another one than expected, but people disagree about that.
    Disputed,
    /// There is an answer, and nobody knows whether it is right.
    Decided,
    /// There was no question that has an answer, and a report.
    Done,
    /// The time was over without an answer.
    Timeout,
    /// There is no answer for another reason.
    Unknown,
    /// There is no report.
    Failed,
}

impl Grade {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Correct => "correct",
            Grade::Wrong => "WRONG",
            Grade::Disputed => "disputed",
            Grade::Decided => "decided",
            Grade::Done => "done",
            Grade::Timeout => "timeout",
            Grade::Unknown => "unknown",
            Grade::Failed => "failed",
        }
    }

    /// Whether the run has brought what was wanted, as far as anybody knows.
    pub const fn is_success(self) -> bool {
        matches!(self, Grade::Correct | Grade::Decided | Grade::Done)
    }
}

/// With this part of its time behind it, a run without an answer has run out of it: commands stop a moment before.
const OUT_OF_TIME: f64 = 0.98;

/// The exit status of a command that a limit has cut short.
pub(crate) const CUT_SHORT: i32 = 2;

impl Record {
    /// What it is worth.
    pub fn grade(&self, run: &Run<'_>, limits: &Limits) -> Grade {
        let is_late = self.seconds >= limits.seconds * OUT_OF_TIME;
        match (self.ended, self.answer) {
            (Ended::Hung, _) => Grade::Timeout,
            (Ended::Finished, Some(answer)) if answer.is_decided() => match run.expected() {
                None => Grade::Decided,
                Some(expected) if answer.agrees_with(expected) => Grade::Correct,
                Some(_) if run.task.is_disputed => Grade::Disputed,
                Some(_) => Grade::Wrong,
            },
            // Without a question, whoever was not cut short has brought what was wanted.
            (Ended::Finished, None) if self.status != Some(CUT_SHORT) => Grade::Done,
            (Ended::Finished, _) if is_late => Grade::Timeout,
            (Ended::Finished, _) => Grade::Unknown,
            _ => Grade::Failed,
        }
    }

    /// Whether the run need not be made again.
    pub fn is_final(&self) -> bool {
        self.ended != Ended::NotStarted
    }
}
