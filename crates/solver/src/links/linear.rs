//! Answers conjunctions of linear constraints without a solver library.

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Evidence, Model, Query};
use crate::limits::Pains;
use crate::linear::{self, Budget, Decision};
use loupe_term::Terms;

/// The layer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear;

impl Linear {
    /// The answer, if it can be found this way.
    pub(super) fn decide(self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        if query.limits.pains == Pains::Hard {
            return None;
        }
        match linear::decide(terms, query.assertions, Budget::default(), &query.limits.interrupt) {
            // Only what evaluates to true is called `Sat` there.
            Decision::Sat(values) => {
                Some(Answer::Sat(Model { values, evidence: Evidence::Evaluated }))
            }
            Decision::Unsat(core) => Some(Answer::Unsat(core)),
            Decision::Unknown => None,
        }
    }
}

impl Layer for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        match self.decide(terms, query) {
            Some(answer) => Ok(answer),
            None => inner.check(terms, query),
        }
    }
}
