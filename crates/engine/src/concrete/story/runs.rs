//! A sequence of iterations in short: runs of the same path, and patterns of such runs that repeat.

use super::PathNumber;
use std::collections::BTreeMap;

/// Patterns of so many runs are recognised.
const LONGEST: usize = 4;
/// So many patterns are kept; what comes behind is counted by path.
const MOST: usize = 200;

/// Runs of paths that repeat together: each path with how often it is taken in a row, and how often all of that comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// One round.
    pub round: Vec<(PathNumber, u64)>,
    /// How often.
    pub times: u64,
}

/// The paths of iterations, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    patterns: Vec<Pattern>,
    /// The run that may still grow.
    open: Option<(PathNumber, u64)>,
    /// How often paths were taken behind these.
    pub others: BTreeMap<PathNumber, u64>,
}

impl Runs {
    /// Another iteration.
    #[inline]
    pub(super) fn push(&mut self, path: PathNumber) {
        match &mut self.open {
            Some((last, times)) if *last == path => *times += 1,
            _ => self.begin(path),
        }
    }

    fn begin(&mut self, path: PathNumber) {
        self.close();
        if self.patterns.len() < MOST {
            self.open = Some((path, 1));
        } else {
            *self.others.entry(path).or_default() += 1;
        }
    }

    /// No run grows any more.
    pub(super) fn close(&mut self) {
        let Some(run) = self.open.take() else { return };
        self.patterns.push(Pattern { round: vec![run], times: 1 });
        self.fold();
    }

    /// Makes a pattern of the last runs if they repeat what comes before them.
    fn fold(&mut self) {
        let all = &mut self.patterns;
        for length in 2..=LONGEST {
            let Some(start) = all.len().checked_sub(length) else { return };
            let is_single = |pattern: &Pattern| pattern.times == 1 && pattern.round.len() == 1;
            if !all[start..].iter().all(is_single) {
                return;
            }
            let round: Vec<_> = all[start..].iter().map(|pattern| pattern.round[0]).collect();
            if let Some(before) = start.checked_sub(1).map(|before| &mut all[before])
                && before.round == round
            {
                before.times += 1;
                all.truncate(start);
                return;
            }
            let Some(earlier) = start.checked_sub(length) else { continue };
            let same = all[earlier..start].iter().zip(&round);
            if same.into_iter().all(|(pattern, run)| is_single(pattern) && pattern.round[0] == *run)
            {
                all.truncate(earlier);
                all.push(Pattern { round, times: 2 });
                return;
            }
        }
    }

    /// In this order; then come the [others](Self::others).
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// How often each path was taken.
    pub fn totals(&self) -> BTreeMap<PathNumber, u64> {
        let mut totals = self.others.clone();
        for Pattern { round, times } in &self.patterns {
            for (path, in_a_row) in round {
                *totals.entry(*path).or_default() += in_a_row * times;
            }
        }
        if let Some((path, times)) = self.open {
            *totals.entry(path).or_default() += times;
        }
        totals
    }
}
