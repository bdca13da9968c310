use super::*;
use crate::campaign::tests::campaign;
use crate::record::{Ended, Figures};
use crate::{Answer, Setting};

/// A machine that nobody has.
pub(crate) fn machine() -> Machine {
    Machine {
        processor: "Test 1".to_owned(),
        cores: 2,
        megabytes: Some(100),
        system: "Linux".to_owned(),
        jobs: 1,
    }
}

/// The record of a run with this answer, after so many seconds.
pub(crate) fn answered(campaign: &Campaign, run: &Run<'_>, answer: Answer, seconds: f64) -> Record {
    Record {
        task: run.task.name.clone(),
        configuration: run.configuration.name.clone(),
        fingerprint: campaign.fingerprint(run),
        ended: Ended::Finished,
        status: Some(0),
        answer: Some(answer),
        seconds,
        figures: Figures { states: Some(10), queries: Some(20), ..Figures::default() },
        why: String::new(),
    }
}

/// The header of a campaign.
pub(crate) fn header(campaign: &Campaign) -> Header {
    Header {
        form: FORM,
        shard: Shard::WHOLE,
        machine: machine(),
        versions: "loupe 1 (Z3 5)".to_owned(),
        campaign: campaign.clone(),
    }
}

/// Results in which the answers come from a function of the numbers of task and configuration.
pub(crate) fn results(tasks: usize, of: impl Fn(usize, usize) -> (Answer, f64)) -> Results {
    let campaign = campaign(tasks);
    let records = campaign.runs().enumerate().map(|(number, run)| {
        let (answer, seconds) = of(number / 2, number % 2);
        answered(&campaign, &run, answer, seconds)
    });
    Results::new(&[header(&campaign)], &campaign, records.collect())
}

#[test]
fn parts_together_are_the_whole() {
    let whole = results(5, |task, _| (Answer::Safe, task as f64));
    let part = |number: usize| {
        let shard: Shard = format!("{number}/3").parse().expect("a part");
        let own: Vec<String> =
            whole.campaign.runs_in(shard).map(|run| run.task.name.clone()).collect();
        let records = whole.records.iter().filter(|record| own.contains(&record.task));
        let header = Header { shard, ..header(&whole.campaign) };
        Results::new(&[header], &whole.campaign, records.cloned().collect())
    };
    assert_eq!(part(1).missing(), 6);
    // In another order than that of the parts.
    let merged = Results::merge(vec![part(3), part(1), part(2)]).expect("one campaign");
    assert_eq!(merged, whole);
    assert_eq!(merged.missing(), 0);
    let other = results(4, |_, _| (Answer::Safe, 1.0));
    assert_eq!(Results::merge(vec![part(1), other]), Err(MergeError::Other(2)));
    assert_eq!(Results::merge(Vec::new()), Err(MergeError::Nothing));
}

#[test]
fn the_first_final_record_of_a_run_counts() {
    let campaign = campaign(1);
    let run = campaign.runs().next().expect("a run");
    let first = answered(&campaign, &run, Answer::Safe, 1.0);
    let failed = Record { ended: Ended::NotStarted, ..first.clone() };
    let second = answered(&campaign, &run, Answer::Safe, 2.0);
    let stale = Record { fingerprint: "0".to_owned(), ..first.clone() };
    let all = vec![stale, failed, first.clone(), second];
    let results = Results::new(&[], &campaign, all);
    assert_eq!(results.records, [first]);
}

#[test]
fn answers_to_one_question_agree() {
    let of =
        |answers: [Answer; 2]| results(1, move |_, configuration| (answers[configuration], 1.0));
    assert_eq!(of([Answer::Safe, Answer::Unknown]).contradictions(), []);
    let apart = of([Answer::Safe, Answer::Reached]);
    assert_eq!(apart.contradictions(), [("p0", ["usual", "unroll"])]);
    let mut other = apart.clone();
    other.campaign.configurations[1].settings.push(Setting::new("property", "termination"));
    other.records[1].fingerprint.clear();
    assert_eq!(other.contradictions(), [], "another question has another answer");
}

#[test]
fn provenance_names_machine_versions_seed_and_limits() {
    let results = results(1, |_, _| (Answer::Safe, 1.0));
    assert_eq!(
        results.provenance(),
        "loupe 1 (Z3 5); Test 1, 2 cores, 100 MB, Linux, 1 at once; limits 5 s and 1000 MB for each run; seed 7"
    );
}

#[test]
fn results_go_through_json() {
    let results = results(3, |task, _| (Answer::Unknown, task as f64 / 3.0));
    let text = serde_json::to_string(&results).expect("JSON");
    let mut read: Results = serde_json::from_str(&text).expect("results");
    // Where programs lie is of no interest to others.
    read.campaign.tasks.iter_mut().for_each(|task| task.file = "p.c".to_owned());
    assert_eq!(read, results);
}
