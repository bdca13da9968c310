//! Many runs in one row.

use crate::Answer;
use crate::record::{Grade, Record};

/// What came of some runs together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Runs that were made.
    pub runs: usize,
    /// Right answers.
    pub correct: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Answers against labels that are disputed.
    pub disputed: usize,
    /// Answers that nobody can judge, and reports that are no answers.
    pub decided: usize,
    /// Runs that ended without an answer before their time was over.
    pub unknown: usize,
    /// Runs whose time was over.
    pub timeouts: usize,
    /// Runs without a report.
    pub failed: usize,
    /// Answers that nothing happens.
    pub safe: usize,
    /// Answers that something happens.
    pub found: usize,
    /// Points, as SV-COMP 2013 gives them.
    pub points: i64,
    /// Seconds of all processes.
    pub seconds: f64,
    /// Seconds in solvers.
    pub solver_seconds: f64,
    /// Paths that have ended.
    pub paths: u64,
    /// Path coverage; nothing where no report has it.
    pub coverage: Option<u64>,
    /// States.
    pub states: u64,
    /// Queries.
    pub queries: u64,
    /// Queries without an answer.
    pub unknown_queries: u64,
    /// Errors that were found.
    pub errors: u64,
    /// The seconds of runs with success, in ascending order.
    pub times: Vec<f64>,
}

/// What SV-COMP 2013 gives for an answer: 2 for a proof, 1 for a violation, and minus 8 and 4 where they are wrong.
const fn points(answer: Answer, grade: Grade) -> i64 {
    match (grade, answer.is_found()) {
        (Grade::Correct, false) => 2,
        (Grade::Correct, true) => 1,
        (Grade::Wrong, false) => -8,
        (Grade::Wrong, true) => -4,
        _ => 0,
    }
}

impl Summary {
    /// Of these runs.
    pub fn of<'r>(runs: impl IntoIterator<Item = (&'r Record, Grade)>) -> Self {
        let mut summary = Summary::default();
        for (record, grade) in runs {
            summary.add(record, grade);
        }
        summary.times.sort_by(f64::total_cmp);
        summary
    }

    fn add(&mut self, record: &Record, grade: Grade) {
        self.runs += 1;
        *match grade {
            Grade::Correct => &mut self.correct,
            Grade::Wrong => &mut self.wrong,
            Grade::Disputed => &mut self.disputed,
            Grade::Decided | Grade::Done => &mut self.decided,
            Grade::Unknown => &mut self.unknown,
            Grade::Timeout => &mut self.timeouts,
            Grade::Failed => &mut self.failed,
        } += 1;
        if let Some(answer) = record.answer.filter(|answer| answer.is_decided()) {
            *if answer.is_found() { &mut self.found } else { &mut self.safe } += 1;
            self.points += points(answer, grade);
        }
        let figures = &record.figures;
        self.seconds += record.seconds;
        self.solver_seconds += figures.solver_seconds.unwrap_or_default();
        self.paths += figures.paths.unwrap_or_default();
        self.coverage = match (self.coverage, figures.coverage) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or_default().saturating_add(other.unwrap_or_default())),
        };
        self.states += figures.states.unwrap_or_default();
        self.queries += figures.queries.unwrap_or_default();
        self.unknown_queries += figures.unknown_queries.unwrap_or_default();
        self.errors += figures.errors.unwrap_or_default();
        if grade.is_success() {
            self.times.push(record.seconds);
        }
    }

    /// Runs that brought what was wanted, as far as anybody knows.
    pub fn successes(&self) -> usize {
        self.times.len()
    }

    /// The time in the middle of those with success.
    pub fn median(&self) -> Option<f64> {
        self.times.get(self.times.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn points_are_those_of_the_competition() {
        // The first answer is right, the second a false alarm, and so on: even ones are safe.
        let results = results(4, |task, configuration| match (task, configuration) {
            (_, 1) => (Answer::Unknown, 5.0),
            (0, _) => (Answer::Safe, 1.0),
            (1, _) => (Answer::Unsafe, 2.0),
            (2, _) => (Answer::Unsafe, 3.0),
            _ => (Answer::Safe, 4.0),
        });
        let of = |name: &str| {
            let own = results.graded().filter(|(run, ..)| run.configuration.name == name);
            Summary::of(own.map(|(_, record, grade)| (record, grade)))
        };
        let usual = of("usual");
        assert_eq!((usual.correct, usual.wrong, usual.points), (2, 2, 2 + 1 - 4 - 8));
        assert_eq!((usual.safe, usual.found, usual.seconds), (2, 2, 10.0));
        assert_eq!((usual.median(), usual.times.clone()), (Some(2.0), vec![1.0, 2.0]));
        let unroll = of("unroll");
        assert_eq!((unroll.timeouts, unroll.points, unroll.median()), (4, 0, None));
        assert_eq!((unroll.states, unroll.queries, unroll.coverage), (40, 80, None));
    }

    #[test]
    fn the_points_of_the_paper_come_out() {
        let given = |safe: i64, found: i64| {
            safe * points(Answer::Safe, Grade::Correct)
                + found * points(Answer::Unsafe, Grade::Correct)
        };
        assert_eq!((given(21, 25), given(10, 27)), (67, 47));
    }
}
