use super::*;
use crate::results::tests::results;

/// The changes from one answer to another, for a task whose right answer is `safe`.
fn changes(old: Answer, new: Answer) -> Vec<Change> {
    let of = |answer| results(1, move |_, _| (answer, 1.0));
    let comparison = compare(&of(old), &of(new));
    assert_eq!(comparison.common, 2);
    let mut changes: Vec<Change> = comparison.changed.iter().map(|own| own.change).collect();
    changes.dedup();
    changes
}

#[test]
fn answers_are_won_lost_and_wrong() {
    assert_eq!(changes(Answer::Safe, Answer::Safe), []);
    assert_eq!(changes(Answer::Unknown, Answer::Unknown), []);
    assert_eq!(changes(Answer::Safe, Answer::Unknown), [Change::Lost]);
    assert_eq!(changes(Answer::Unknown, Answer::Safe), [Change::Won]);
    assert_eq!(changes(Answer::Safe, Answer::Unsafe), [Change::Wrong]);
    assert_eq!(changes(Answer::Unsafe, Answer::Unsafe), [Change::Wrong]);
    assert_eq!(changes(Answer::Unsafe, Answer::Unknown), [Change::Righted]);
    let bad = [Change::Wrong, Change::Contradiction, Change::Lost];
    assert!(bad.into_iter().all(Change::is_bad) && !Change::Won.is_bad());
}

#[test]
fn without_a_right_answer_a_contradiction_is_bad() {
    let of = |answer| {
        let mut results = results(1, move |_, _| (answer, 1.0));
        results.campaign.tasks[0].expected = None;
        results
    };
    let comparison = compare(&of(Answer::Safe), &of(Answer::Unsafe));
    assert!(comparison.is_bad());
    assert_eq!(comparison.changed[0].change, Change::Contradiction);
    assert!(comparison.text().contains("2 contradicts the old answer"), "{}", comparison.text());
}

#[test]
fn runs_that_were_not_made_are_lost_and_those_that_are_not_wanted_are_not() {
    let old = results(3, |_, _| (Answer::Safe, 1.0));
    let mut cut = old.clone();
    cut.records.truncate(2);
    let comparison = compare(&old, &cut);
    // The second task is expected to be unsafe, so its wrong answer is no loss.
    assert_eq!((comparison.gone, comparison.changed.len()), (4, 2));
    assert!(comparison.is_bad());
    let smaller = results(1, |_, _| (Answer::Safe, 1.0));
    let comparison = compare(&old, &smaller);
    assert_eq!((comparison.gone, comparison.is_bad()), (4, false));
    assert_eq!(compare(&smaller, &old).added, 4);
    // A wrong answer is bad although nobody asked before.
    assert!(compare(&smaller, &old).is_bad());
}

#[test]
fn large_differences_of_time_are_told() {
    let old = results(3, |task, _| (Answer::Unknown, [1.0, 0.01, 4.0][task]));
    let new = results(3, |task, _| (Answer::Unknown, [3.0, 0.03, 1.0][task]));
    let comparison = compare(&old, &new);
    assert_eq!((comparison.slower.len(), comparison.faster.len()), (2, 2));
    assert_eq!((comparison.slower[0].old, comparison.slower[0].new), (1.0, 3.0));
    assert!(!comparison.is_bad());
    let text = comparison.text();
    assert!(text.contains("2 runs are much slower, 2 much faster"), "{text}");
    assert!(text.contains("no answer has changed"), "{text}");
}
