//! The chain, put together: the one place that says which link comes before which.
//!
//! ```text
//! log · quantifiers · split · cache · linear · simplify · ranges · algebra · second solver · Z3
//! ```
//!
//! What is cheap comes first. The cache stands behind the split, where queries are small and come back
//! often, and before all that computes, so that every answer is remembered. The linear procedure takes
//! about as long as simplification alone, and mostly knows the answer: so only what it leaves is
//! simplified, and then offered to it once more. Z3's context is made when the first query reaches it.

use crate::answer::{Answer, Door, Error, LinkStatistics, Query, Solver};
use crate::limits::Limits;
use crate::links::external::{External, SolverCommand};
use crate::links::{
    Algebra, Cache, CrossCheck, Gradual, Layer, Linear, Link, Log, Quantifiers, Ranges,
    SecondOpinion, Simplify, Split, decide_gradually,
};
use crate::z3::Z3;
use loupe_term::{Term, Terms};
use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::str::FromStr;

/// A link that can be left out, for measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkName {
    /// Instances of bounded quantifiers.
    Quantifiers,
    /// Independent parts.
    Split,
    /// Answers of before.
    Cache,
    /// Linear constraints.
    Linear,
    /// Solving equalities and using what the assertions say of each other.
    Simplify,
    /// Intervals and congruences.
    Ranges,
    /// Combinations of polynomials.
    Algebra,
}

impl LinkName {
    /// All of them, from the outermost.
    pub const ALL: [LinkName; 7] = [
        LinkName::Quantifiers,
        LinkName::Split,
        LinkName::Cache,
        LinkName::Linear,
        LinkName::Simplify,
        LinkName::Ranges,
        LinkName::Algebra,
    ];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            LinkName::Quantifiers => "quantifiers",
            LinkName::Simplify => "simplify",
            LinkName::Split => "split",
            LinkName::Cache => "cache",
            LinkName::Ranges => "ranges",
            LinkName::Algebra => "algebra",
            LinkName::Linear => "linear",
        }
    }
}

impl fmt::Display for LinkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no link `{0}`; the links are quantifiers, split, cache, linear, simplify, ranges, algebra"
)]
pub struct NoSuchLink(String);

impl FromStr for LinkName {
    type Err = NoSuchLink;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = LinkName::ALL.into_iter().find(|link| link.name() == text);
        named.ok_or_else(|| NoSuchLink(text.to_owned()))
    }
}

/// What the links before the solver do for a query, on average: a fraction of a millisecond.
const WORK_OF_LINKS: u64 = 300;

/// What it is to make a term, and to find out what is known of it.
const WORK_OF_TERM: u64 = 2;

/// How a chain is put together.
#[derive(Default)]
pub struct ChainOptions {
    /// The links to leave out.
    pub without: BTreeSet<LinkName>,
    /// Where every query is written.
    pub log: Option<Box<dyn Write>>,
    /// Another solver, and when it is asked.
    pub second: Option<(SolverCommand, SecondOpinion)>,
}

/// The chain.
///
/// ```
/// use loupe_solver::{Answer, Chain, ChainOptions, Limits};
/// use loupe_term::Terms;
///
/// let mut terms = Terms::new();
/// let (x, y, ten) = (terms.int_symbol("x"), terms.int_symbol("y"), terms.int(10));
/// let assertions = [terms.lt(x, y), terms.lt(y, ten), terms.lt(ten, x)];
/// let mut chain = Chain::new(ChainOptions::default());
/// let answer = chain.check(&mut terms, &assertions, &Limits::default())?;
/// assert!(matches!(answer, Answer::Unsat(_)));
/// let answer = chain.check(&mut terms, &assertions[..2], &Limits::default())?;
/// let Answer::Sat(model) = answer else { panic!("such numbers exist") };
/// assert_eq!(terms.holds(assertions[0], &model.values), Ok(true));
/// # Ok::<(), loupe_solver::Error>(())
/// ```
pub struct Chain {
    first: Box<dyn Solver>,
    door: Door,
    /// How many queries there were.
    asked: u64,
}

impl Chain {
    /// A chain for the current thread.
    pub fn new(options: ChainOptions) -> Self {
        let ChainOptions { without, log, second } = options;
        let mut chain: Box<dyn Solver> = Box::new(Z3::new());
        if let Some((command, when)) = second {
            let external = Box::new(External::new(command));
            chain = Box::new(Link::new(CrossCheck::new(external, when), chain));
        }
        for link in LinkName::ALL.into_iter().rev().filter(|link| !without.contains(link)) {
            chain = match link {
                LinkName::Quantifiers => linked(Quantifiers, chain),
                LinkName::Split => linked(Split::default(), chain),
                LinkName::Cache => linked(Cache::default(), chain),
                LinkName::Linear => linked(Linear, chain),
                LinkName::Simplify => {
                    let linear = !without.contains(&LinkName::Linear);
                    linked(Simplify::new(linear.then_some(Linear)), chain)
                }
                LinkName::Ranges => linked(Ranges, chain),
                LinkName::Algebra => linked(Algebra, chain),
            };
        }
        if let Some(out) = log {
            chain = linked(Log::new(out), chain);
        }
        Chain { first: chain, door: Door::default(), asked: 0 }
    }

    /// Whether the assertions can hold together.
    ///
    /// # Errors
    ///
    /// As [`Solver::check`].
    pub fn check(
        &mut self,
        terms: &mut Terms,
        assertions: &[Term],
        limits: &Limits,
    ) -> Result<Answer, Error> {
        self.door.admit(terms, assertions)?;
        self.asked += 1;
        let answer = self.first.check(terms, &Query { assertions, limits });
        limits.interrupt.note(self.work());
        answer
    }

    /// What the first `most` instances of each `∀` tell of the assertions: more than [`Chain::check`] would say, since values for which only these hold
    /// are of use too where they are tried out.
    ///
    /// # Errors
    ///
    /// As [`Solver::check`].
    pub fn check_instances(
        &mut self,
        terms: &mut Terms,
        assertions: &[Term],
        limits: &Limits,
        most: u32,
    ) -> Result<Gradual, Error> {
        self.door.admit(terms, assertions)?;
        let Chain { first, asked, .. } = self;
        let mut ask = |terms: &mut Terms, query: &Query<'_>| {
            *asked += 1;
            first.check(terms, query)
        };
        decide_gradually(&mut ask, terms, &Query { assertions, limits }, most)
    }

    /// How much was done for all queries so far, in the units of [`Limits::work`]: the same whenever the same is asked, on any machine.
    pub fn work(&self) -> u64 {
        self.asked * WORK_OF_LINKS + self.first.work()
    }

    /// What solvers have done of that: not what it is to ask them, or to find an answer without them.
    pub fn solver_work(&self) -> u64 {
        self.first.work()
    }

    /// The same with what was done to make the terms: what deadlines are for, since large formulas cost time before anything is asked about them.
    pub fn spent(&self, terms: &Terms) -> u64 {
        self.work() + terms.len() as u64 * WORK_OF_TERM
    }

    /// What the links have done, outermost first.
    pub fn statistics(&self) -> Vec<LinkStatistics> {
        self.first.statistics()
    }
}

fn linked(layer: impl Layer + 'static, inner: Box<dyn Solver>) -> Box<dyn Solver> {
    Box::new(Link::new(layer, inner))
}
