//! The links of the chain. Each is a [`Layer`], which answers what it can and asks the solver behind it
//! for the rest; [`Link`] joins the two and counts.

mod algebra;
mod cache;
mod cross_check;
pub(crate) mod external;
mod linear;
mod log;
mod quantifiers;
mod ranges;
mod simplify;
mod split;

use crate::answer::{Answer, Error, LinkStatistics, Query, Solver};
use loupe_term::Terms;
use std::time::Instant;

pub use algebra::Algebra;
pub use cache::Cache;
pub use cross_check::{CrossCheck, SecondOpinion};
pub use external::{External, SolverCommand};
pub use linear::Linear;
pub use log::{Entry, Log, entries};
pub(crate) use quantifiers::decide_gradually;
pub use quantifiers::{Gradual, Quantifiers};
pub use ranges::Ranges;
pub use simplify::Simplify;
pub use split::Split;

/// What a link does to a query.
pub trait Layer {
    /// The name in statistics.
    fn name(&self) -> &'static str;

    /// Answers a query, with the help of the solver behind it.
    ///
    /// # Errors
    ///
    /// As [`Solver::check`].
    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error>;

    /// Statistics of solvers that belong to the layer itself.
    fn own_statistics(&self) -> Vec<LinkStatistics> {
        Vec::new()
    }
}

/// The solver behind a layer.
pub struct Inner<'s> {
    solver: &'s mut dyn Solver,
    calls: u64,
}

impl Inner<'_> {
    /// Asks it.
    ///
    /// # Errors
    ///
    /// As [`Solver::check`].
    pub fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        self.calls += 1;
        self.solver.check(terms, query)
    }
}

/// A layer before a solver.
pub struct Link<L> {
    layer: L,
    inner: Box<dyn Solver>,
    statistics: LinkStatistics,
}

impl<L: Layer> Link<L> {
    /// Puts a layer before a solver.
    pub fn new(layer: L, inner: Box<dyn Solver>) -> Self {
        let statistics = LinkStatistics::new(layer.name());
        Link { layer, inner, statistics }
    }
}

impl<L: Layer> Solver for Link<L> {
    fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        let start = Instant::now();
        let mut inner = Inner { solver: self.inner.as_mut(), calls: 0 };
        let answer = self.layer.check(&mut inner, terms, query);
        self.statistics.queries += 1;
        self.statistics.answered += u64::from(inner.calls == 0);
        self.statistics.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        let mut all = vec![self.statistics.clone()];
        all.extend(self.layer.own_statistics());
        all.extend(self.inner.statistics());
        all
    }

    fn work(&self) -> u64 {
        let own = self.layer.own_statistics();
        own.iter().map(|link| link.work).sum::<u64>() + self.statistics.work + self.inner.work()
    }
}

#[cfg(test)]
mod tests;
