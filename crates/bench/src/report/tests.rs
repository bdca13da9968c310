use super::*;
use crate::campaign::tests::campaign;
use crate::record::Grade;

fn observed(way: Way, stdout: &str) -> Observed {
    Observed { way, stdout: stdout.to_owned(), stderr: String::new(), seconds: 1.5 }
}

/// The record of the first task, and its grade; the right answer is `safe`.
fn of(question: Question, observed: &Observed) -> (Record, Grade) {
    let mut campaign = campaign(1);
    campaign.tasks[0].question = Some(question);
    let run = campaign.runs().next().expect("a run");
    let record = record(&campaign, &run, observed);
    let grade = record.grade(&run, &campaign.limits);
    (record, grade)
}

#[test]
fn verdicts_are_read() {
    let report = r#"{"verdict": "safe", "reasons": [], "violations": [], "stats":
        {"seconds": 0.5, "paths": 3, "states": 7, "queries": 9, "peak_memory_bytes": 1000}}"#;
    let (record, grade) = of(Question::Verify, &observed(Way::Exited(0), report));
    assert_eq!((record.answer, grade), (Some(Answer::Safe), Grade::Correct));
    assert_eq!((record.figures.states, record.figures.queries), (Some(7), Some(9)));
    assert_eq!(record.figures.errors, Some(0));
    let report = r#"{"answer": "reached", "stats": {}}"#;
    let (record, grade) = of(Question::Reach, &observed(Way::Exited(1), report));
    assert_eq!((record.answer, grade), (Some(Answer::Reached), Grade::Wrong));
    let report = r#"{"verdict": "unknown", "reasons": ["the loop at line 3"], "stats": {}}"#;
    let (record, grade) = of(Question::Verify, &observed(Way::Exited(2), report));
    assert_eq!((record.why.as_str(), grade), ("the loop at line 3", Grade::Unknown));
}

#[test]
fn what_cannot_be_believed_is_broken() {
    let report = r#"{"verdict": "safe", "stats": {}}"#;
    for (way, stdout) in [
        (Way::Exited(1), report),
        (Way::Exited(0), "safe"),
        (Way::Exited(0), "{}"),
        (Way::Exited(4), report),
    ] {
        let (record, grade) = of(Question::Verify, &observed(way, stdout));
        assert_eq!((record.ended, grade), (Ended::Broken, Grade::Failed));
        assert!(!record.why.is_empty());
    }
}

#[test]
fn every_end_is_a_record() {
    for (way, ended, grade) in [
        (Way::Signal(11), Ended::Crashed, Grade::Failed),
        (Way::Killed, Ended::Hung, Grade::Timeout),
        (Way::NotStarted("no processes left".to_owned()), Ended::NotStarted, Grade::Failed),
        (Way::Exited(3), Ended::Rejected, Grade::Failed),
    ] {
        let (record, own) = of(Question::Verify, &observed(way, ""));
        assert_eq!((record.ended, own), (ended, grade));
        assert_eq!(record.is_final(), ended != Ended::NotStarted);
    }
}

#[test]
fn an_exploration_counts_what_merged_paths_stand_for() {
    let report = |merging: &str, open: &str| {
        format!(
            r#"{{"paths": {{"finished": 3, "failed": 1, "assumed_away": 0, "cut_off": 0}},
                "errors": [], "open": {open}, "states": 4, "merging": {merging}, "seconds": 1}}"#
        )
    };
    let read = |status, text: &str| of(Question::Explore, &observed(Way::Exited(status), text));
    let (record, _) = read(0, &report("null", "[]"));
    assert_eq!((record.figures.coverage, record.figures.paths), (Some(3), Some(4)));
    assert_eq!(record.answer, Some(Answer::Safe));
    let (record, _) = read(0, &report(r#"{"stands_for": 12}"#, r#"["a: no model"]"#));
    assert_eq!((record.figures.coverage, record.answer), (Some(12), Some(Answer::Unknown)));
    assert_eq!(record.why, "a: no model");
    let (record, grade) = read(1, &report("null", "[]"));
    assert_eq!((record.answer, grade), (Some(Answer::Unsafe), Grade::Wrong));
}

#[test]
fn late_and_without_an_answer_is_a_timeout() {
    let report = r#"{"verdict": "unknown", "reasons": ["the time is over"], "stats": {}}"#;
    let late = Observed { seconds: 5.01, ..observed(Way::Exited(2), report) };
    assert_eq!(of(Question::Verify, &late).1, Grade::Timeout);
}

#[test]
fn tests_that_were_cut_short_are_no_success() {
    let report =
        r#"{"coverage": {"branches": {"covered": 3, "total": 4}}, "errors": 1, "paths": 5}"#;
    let (record, grade) = of(Question::Test, &observed(Way::Exited(0), report));
    assert_eq!((record.figures.branches, record.figures.all_branches), (Some(3), Some(4)));
    assert_eq!((record.figures.errors, record.figures.paths), (Some(1), Some(5)));
    assert_eq!((record.answer, grade), (None, Grade::Done));
    let cut = observed(Way::Exited(2), report);
    assert_eq!(of(Question::Test, &cut).1, Grade::Unknown);
    assert_eq!(of(Question::Test, &Observed { seconds: 6.0, ..cut }).1, Grade::Timeout);
}

#[test]
fn messages_keep_their_place() {
    let stderr = "note: x\nerror: expected `;`\n  --> p.uc:3:5\n   |\n";
    assert_eq!(first_message(stderr), "p.uc:3:5: error: expected `;`");
    assert_eq!(first_message("something else\nmore"), "something else");
    assert_eq!(first_message(""), "");
    assert_eq!(shortened(&"ä".repeat(500)).chars().count(), MOST_OF_WHY + 1);
}

#[test]
fn estimates_answer_nothing_and_may_be_cut_short() {
    let report = r#"{"method": "lattice", "seconds": 0.25, "complete": true, "functions": []}"#;
    let (record, grade) = of(Question::Costs, &observed(Way::Exited(0), report));
    assert_eq!((record.answer, grade), (None, Grade::Done));
    assert_eq!(record.figures.seconds, Some(0.25));
    let late = Observed { seconds: 6.0, ..observed(Way::Exited(2), report) };
    assert_eq!(of(Question::Costs, &late).1, Grade::Timeout);
}
