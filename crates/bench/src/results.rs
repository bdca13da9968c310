//! The records of a campaign, in its order.

use crate::answer::Answer;
use crate::campaign::{Campaign, Limits, Run, Shard};
use crate::record::{Grade, Record};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The form of journals and results; a reader knows its own.
pub const FORM: u32 = 1;

/// Where something was measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Machine {
    /// Its processor.
    pub processor: String,
    /// How many threads it runs at once.
    pub cores: usize,
    /// Its memory in megabytes, if it tells.
    pub megabytes: Option<u64>,
    /// Its operating system.
    pub system: String,
    /// How many runs were made at once.
    pub jobs: usize,
}

impl Machine {
    /// In a line.
    pub fn text(&self) -> String {
        let memory =
            self.megabytes.map(|megabytes| format!(", {megabytes} MB")).unwrap_or_default();
        let Machine { processor, cores, system, jobs, .. } = self;
        format!("{processor}, {cores} cores{memory}, {system}, {jobs} at once")
    }
}

/// What a journal begins with, and has again wherever somebody goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORM`].
    pub form: u32,
    /// The part of the campaign that is run.
    pub shard: Shard,
    /// The machine.
    pub machine: Machine,
    /// The version of Loupe and of its solver, in words.
    pub versions: String,
    /// The campaign.
    pub campaign: Campaign,
}

/// The records of a campaign that there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// [`FORM`].
    pub form: u32,
    /// The campaign.
    pub campaign: Campaign,
    /// The machines that have worked on it.
    pub machines: Vec<Machine>,
    /// The versions of Loupe and of its solver, in words.
    pub versions: Vec<String>,
    /// A record for each run that was made, in the order of the campaign.
    pub records: Vec<Record>,
}

/// Results that do not belong together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are none.
    #[error("there is nothing to put together")]
    Nothing,
    /// They are of other campaigns.
    #[error(
        "the results number {0} are of another campaign: other programs, configurations, limits, seed or version"
    )]
    Other(usize),
}

impl Results {
    /// What some journals have of a campaign: for each run the first record that is final, or the last one.
    pub fn new(headers: &[Header], campaign: &Campaign, records: Vec<Record>) -> Self {
        let mut known: BTreeMap<(String, String), Record> = BTreeMap::new();
        for record in records {
            let key = (record.configuration.clone(), record.fingerprint.clone());
            if known.get(&key).is_none_or(|known| !known.is_final()) {
                known.insert(key, record);
            }
        }
        let own = campaign.runs().filter_map(|run| {
            known.remove(&(run.configuration.name.clone(), campaign.fingerprint(&run)))
        });
        let records = own.collect();
        let machines = distinct(headers.iter().map(|header| header.machine.clone()));
        let versions = distinct(headers.iter().map(|header| header.versions.clone()));
        Results { form: FORM, campaign: campaign.clone(), machines, versions, records }
    }

    /// One for several parts of a campaign.
    ///
    /// # Errors
    ///
    /// If there are none, or they are not of one campaign.
    pub fn merge(parts: Vec<Results>) -> Result<Self, MergeError> {
        let mut parts = parts.into_iter();
        let mut merged = parts.next().ok_or(MergeError::Nothing)?;
        let mut headers = (merged.machines.clone(), merged.versions.clone());
        let mut records = std::mem::take(&mut merged.records);
        for (number, part) in (2..).zip(parts) {
            if !part.campaign.is_same_as(&merged.campaign) {
                return Err(MergeError::Other(number));
            }
            headers.0.extend(part.machines);
            headers.1.extend(part.versions);
            records.extend(part.records);
        }
        let mut whole = Results::new(&[], &merged.campaign, records);
        (whole.machines, whole.versions) =
            (distinct(headers.0.into_iter()), distinct(headers.1.into_iter()));
        Ok(whole)
    }

    /// The runs with their records, in the order of the campaign; none where a run was not made.
    pub fn runs(&self) -> impl Iterator<Item = (Run<'_>, Option<&Record>)> {
        let key = |record: &'_ Record| (record.configuration.clone(), record.task.clone());
        let known: BTreeMap<(String, String), &Record> =
            self.records.iter().map(|record| (key(record), record)).collect();
        self.campaign.runs().map(move |run| {
            let key = (run.configuration.name.clone(), run.task.name.clone());
            let record = known.get(&key).copied();
            (run, record)
        })
    }

    /// The runs that were made, with what they are worth.
    pub fn graded(&self) -> impl Iterator<Item = (Run<'_>, &Record, Grade)> {
        let limits = self.campaign.limits;
        self.runs().filter_map(move |(run, record)| {
            record.map(|record| (run, record, record.grade(&run, &limits)))
        })
    }

    /// How many runs there are no records of.
    pub fn missing(&self) -> usize {
        self.campaign.runs().count().saturating_sub(self.records.len())
    }

    /// Runs of one task that answer the same question and contradict each other, by the names of their configurations: one of both is wrong.
    pub fn contradictions(&self) -> Vec<(&str, [&str; 2])> {
        let mut found = Vec::new();
        let mut first: BTreeMap<(&str, String), (Answer, &str)> = BTreeMap::new();
        for (run, record, _) in self.graded() {
            let Some(answer) = record.answer.filter(|answer| answer.is_decided()) else { continue };
            let (task, own) = (run.task.name.as_str(), run.configuration.name.as_str());
            let known = first.entry((task, run.meaning())).or_insert((answer, own));
            if known.0.contradicts(answer) {
                found.push((task, [known.1, own]));
            }
        }
        found
    }

    /// On what, with what and within which limits it was measured, in a line.
    pub fn provenance(&self) -> String {
        let Limits { seconds, megabytes } = self.campaign.limits;
        let machines: Vec<String> = self.machines.iter().map(Machine::text).collect();
        let versions = self.versions.join("; ");
        let seed = self.campaign.seed;
        let missing = match self.missing() {
            0 => String::new(),
            missing => format!("; {missing} runs are missing"),
        };
        format!(
            "{versions}; {}; limits {seconds} s and {megabytes} MB for each run; seed {seed}{missing}",
            machines.join(" and ")
        )
    }
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
pub(crate) mod tests;
