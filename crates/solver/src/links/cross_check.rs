//! Asks a second solver.

use super::{Inner, Layer};
use crate::answer::{Answer, Error, LinkStatistics, Query, Solver};
use loupe_term::Terms;

/// When the second solver is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondOpinion {
    /// Always, and a contradiction is an error.
    Always,
    /// Only where the first does not know.
    IfUnknown,
}

/// The layer: the solver behind it is the first, its own the second.
pub struct CrossCheck {
    second: Box<dyn Solver>,
    when: SecondOpinion,
}

impl CrossCheck {
    /// Asks `second` when `when` says so.
    pub fn new(second: Box<dyn Solver>, when: SecondOpinion) -> Self {
        CrossCheck { second, when }
    }

    fn disagreement(&self, first: &str, second: &str) -> Error {
        let statistics = self.second.statistics();
        let name = statistics.last().map_or("the second solver", |statistics| statistics.link);
        Error::Disagreement(format!("the first says {first}, {name} says {second}"))
    }
}

impl Layer for CrossCheck {
    fn name(&self) -> &'static str {
        match self.when {
            SecondOpinion::Always => "cross-check",
            SecondOpinion::IfUnknown => "portfolio",
        }
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        let first = inner.check(terms, query)?;
        let known = !matches!(first, Answer::Unknown(_));
        if known && self.when == SecondOpinion::IfUnknown {
            return Ok(first);
        }
        let second = self.second.check(terms, query)?;
        match (&first, &second) {
            (Answer::Sat(_), Answer::Unsat(_)) => Err(self.disagreement("sat", "unsat")),
            (Answer::Unsat(_), Answer::Sat(_)) => Err(self.disagreement("unsat", "sat")),
            (Answer::Unknown(_), Answer::Sat(_) | Answer::Unsat(_)) => Ok(second),
            _ => Ok(first),
        }
    }

    fn own_statistics(&self) -> Vec<LinkStatistics> {
        self.second.statistics()
    }
}
