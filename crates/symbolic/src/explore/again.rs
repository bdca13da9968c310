//! Errors that the solver could not decide, asked for again.
//!
//! What stands behind templates says something of all iterations, and the solver may not know whether that can hold. A *failed leaf* of the compact
//! tree is not the last word (the paper leaves it at that): with few iterations the same question is easy. So the numbers of iterations are first
//! bounded, then given one by one. Values that are found so are values of the path; that there are none proves nothing, and so in the end the question is asked once more
//! as it is, with more time.

use super::{Branch, Explorer};
use crate::domain::{Feasible, Outcome};
use loupe_term::{Sort, Term};

/// So many questions are asked again in an exploration.
const MAX_AGAIN: u32 = 64;
/// The iterations of so many cycles are given, those that were passed last.
const MAX_GIVEN: usize = 3;
/// Up to these numbers.
const MOST: i64 = 3;
/// Numbers of iterations that count as few.
const FEW: i64 = 12;
/// What a question with given numbers may cost.
const LITTLE: u64 = 500_000;
/// How much more the last one may cost.
const MORE: u64 = 4;

impl Explorer<'_> {
    /// Whether a condition can hold on the current path, of which the solver did not know it. The path is that of `branch`.
    pub(super) fn ask_again(&mut self, branch: &Branch, condition: Term) -> Outcome<Feasible> {
        let unknown = || Feasible::Unknown(loupe_solver::Reason::Incomplete("asked again".into()));
        if branch.passed.is_empty() || self.asked_again >= MAX_AGAIN {
            return Ok(unknown());
        }
        self.asked_again += 1;
        let usual = self.machine.domain.limits.clone();
        self.machine.domain.limits.work = usual.work.min(LITTLE);
        let found = self.with_few_iterations(branch, condition);
        self.machine.domain.limits.work = usual.work.saturating_mul(MORE);
        let answer = match found? {
            Some(found) => Ok(found),
            None => self.machine.domain.feasible(condition),
        };
        self.machine.domain.limits = usual;
        answer
    }

    fn with_few_iterations(
        &mut self,
        branch: &Branch,
        condition: Term,
    ) -> Outcome<Option<Feasible>> {
        let domain = &mut self.machine.domain;
        let counters =
            branch.passed.newest_first().flat_map(|passed| passed.counters.iter().copied());
        let counters: Vec<Term> =
            counters.filter(|counter| domain.terms.sort(*counter) == Sort::Int).collect();
        let few = domain.terms.int(FEW);
        let bounds: Vec<Term> =
            counters.iter().map(|counter| domain.terms.le(*counter, few)).collect();
        let mut tried = vec![bounds];
        let given = &counters[..counters.len().min(MAX_GIVEN)];
        let mut choices: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in given {
            let longer = |start: &Vec<i64>| {
                let start = start.clone();
                (0..=MOST).map(move |number| [&start[..], &[number]].concat())
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        choices.sort_by_key(|numbers| numbers.iter().sum::<i64>());
        for numbers in choices.iter().filter(|numbers| !numbers.is_empty()) {
            let mut all = Vec::with_capacity(numbers.len());
            for (counter, number) in given.iter().zip(numbers) {
                let number = domain.terms.int(*number);
                all.push(domain.terms.eq(*counter, number));
            }
            tried.push(all);
        }
        let path = domain.path.conditions();
        for given in tried {
            if domain.limits.interrupt.is_requested() {
                break;
            }
            let assertions: Vec<Term> =
                path.iter().copied().chain([condition]).chain(given).collect();
            if let found @ Feasible::Yes(_) = domain.ask(&assertions)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
