//! Experiments: programs × configurations, and what came of them.
//!
//! This crate is what `loupe bench` knows; processes, files and the clock are the command's.
//!
//! - A [`Task`] is a program with a question: which command looks at it, with which options, and which answer is
//!   known to be right, if one is.
//! - A [`Configuration`] is a way to look at tasks: options of `loupe` under a name.
//! - A *run* is a task in a configuration within [`Limits`], in a process of its own. Its *fingerprint* is made
//!   of all that its outcome depends on (the program's text, the arguments, the limits, the version), so that two
//!   runs with the same fingerprint are the same run, on whatever machine and at whatever time.
//! - A [`Campaign`] is a list of tasks and a list of configurations. The list of its runs follows from
//!   it and from nothing else: tasks in their order, and for each its configurations in theirs. So a [`Shard`] is well
//!   defined (every n-th task, with all configurations, so that times that are compared come from one machine),
//!   and so is what is left to do after an interruption (the runs whose fingerprints the journal does not have).
//! - A [`Record`] is what came of a run, whatever that is: an answer with its figures, a program that
//!   was refused, a crash, a process that had to be killed. Nothing that a run does ends a campaign.
//! - A *journal* ([`journal`]) is a file to which lines are only ever added: a [`Header`] with the campaign and the machine each
//!   time somebody starts to write, and a record as soon as a run has ended. It is the truth; tables, plots and pages
//!   ([`table`], [`plot`], [`page`]) are made from it and can be made again. Whoever is killed while writing leaves
//!   a torn line behind, which is passed over, and that run is done again.
//! - [`Results`] are the records of a campaign in its order. Journals of shards are put together to one.
//! - A [`suite`] is a campaign that is known beforehand, as data: those of the documents that Loupe follows, with the
//!   figures printed there, which stand beside ours in its tables.
//!
//! Not here: what makes times comparable. The command says on which machine they were measured, and every table and
//! plot repeats it together with versions, seed and limits.

mod answer;
mod campaign;
pub mod compare;
mod configuration;
pub mod expect;
mod fingerprint;
pub mod journal;
pub mod page;
pub mod plot;
mod record;
mod report;
mod results;
pub mod suite;
mod summary;
pub mod table;

pub use answer::Answer;
pub use campaign::{Campaign, CampaignError, Limits, Run, Shard, Task};
pub use configuration::{
    Configuration, ConfigurationError, ConfigurationFile, KEYS, Key, Question, Setting, Takes,
    check_names,
};
pub use fingerprint::fingerprint;
pub use record::{Counts, Ended, Figures, Grade, LoopCounts, LoopFigures, Record};
pub use report::{Observed, Way, record};
pub use results::{FORM, Header, Machine, MergeError, Results};
pub use summary::Summary;
