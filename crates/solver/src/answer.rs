//! Questions to a solver, and its answers.

use crate::limits::Limits;
use loupe_term::{ArenaId, Assignment, Misuse, Sort, Term, Terms};
use std::time::Duration;

/// Is the conjunction of these assertions satisfiable?
///
/// The order matters for speed alone: a solver that works incrementally keeps what it knows of a
/// common beginning, so a path condition is asked for in the order in which it grew.
#[derive(Clone, Copy, Debug)]
pub struct Query<'q> {
    /// What shall hold. No ★ may occur in it.
    pub assertions: &'q [Term],
    /// How much may be spent.
    pub limits: &'q Limits,
}

/// What a solver found out.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There are values for which all assertions hold.
    Sat(Model),
    /// There are none, already for these assertions: positions in the query, ascending.
    Unsat(Vec<usize>),
    /// It could not be found out.
    Unknown(Reason),
}

/// Values for which all assertions of a query hold.
#[derive(Clone, Debug)]
pub struct Model {
    /// The values; what is missing is 0, false or an array of such.
    pub values: Assignment,
    /// How far they can be trusted.
    pub evidence: Evidence,
}

/// How far a model can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Every assertion was evaluated and is true.
    Evaluated,
    /// A solver says so, but some assertion cannot be evaluated (a quantifier over a huge range), or the
    /// solver's values could not all be read. Good only as a candidate for a replay.
    Claimed,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The budget of work is spent. The same query with the same budget ends the same way.
    #[error("the budget of work is spent")]
    Work,
    /// The clock ran out.
    #[error("the time is over")]
    Time,
    /// More memory would be needed.
    #[error("the memory limit is reached")]
    Memory,
    /// Somebody asked to stop.
    #[error("it was interrupted")]
    Interrupted,
    /// The method has no answer for such a query, in its own words.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// A model was found that does not satisfy the query.
    #[error("the solver's model does not satisfy the query")]
    WrongModel,
    /// The solver library or process broke, in its own words.
    #[error("the solver failed: {0}")]
    Failure(String),
}

/// A query that makes no sense, or a bug. Never an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An assertion is no truth value, or was built by a misuse of the arena.
    #[error("the query is not well-formed: {0}")]
    Misuse(#[from] Misuse),
    /// ★ occurs in an assertion: it must be weakened or strengthened first.
    #[error("an unknown value occurs in assertion {0}")]
    Unknown(usize),
    /// Another arena than in the queries before.
    #[error("the terms belong to another arena than those of earlier queries")]
    OtherArena,
    /// Two solvers contradict each other.
    #[error("internal error: two solvers disagree: {0}")]
    Disagreement(String),
    /// A model does not satisfy its query (in debug builds; [`Reason::WrongModel`] otherwise).
    #[error("internal error: a model of {solver} does not satisfy assertion {assertion}")]
    WrongModel {
        /// Whose model it is.
        solver: &'static str,
        /// The position of an assertion that is false in it.
        assertion: usize,
    },
    /// Something around the solver failed: a log cannot be written, a process cannot be started.
    #[error("{0}")]
    Surroundings(String),
}

/// One way to answer queries; links of the chain wrap others.
pub trait Solver {
    /// Answers a query.
    ///
    /// # Errors
    ///
    /// If the query makes no sense or a bug was found; a solver that cannot find the answer says
    /// [`Answer::Unknown`] instead.
    fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error>;

    /// What it and all behind it have done so far, outermost first.
    fn statistics(&self) -> Vec<LinkStatistics>;

    /// How much it and all behind it have worked so far, see [`LinkStatistics::work`].
    fn work(&self) -> u64 {
        self.statistics().iter().map(|link| link.work).sum()
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        (**self).check(terms, query)
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        (**self).statistics()
    }

    fn work(&self) -> u64 {
        (**self).work()
    }
}

/// What one link has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkStatistics {
    /// The link's name.
    pub link: &'static str,
    /// How many queries came in.
    pub queries: u64,
    /// How many of these it answered without asking those behind it.
    pub answered: u64,
    /// How long it took, with those behind it.
    pub time: Duration,
    /// How much it has worked, in the units of [`Limits::work`](crate::Limits); only solvers count that.
    pub work: u64,
}

impl LinkStatistics {
    /// Of a link that has done nothing yet.
    pub fn new(link: &'static str) -> Self {
        LinkStatistics { link, queries: 0, answered: 0, time: Duration::ZERO, work: 0 }
    }
}

/// What evaluation says of a model.
pub(crate) enum Evaluated {
    /// Every assertion is true.
    True,
    /// This assertion is false.
    False(usize),
    /// Some cannot be evaluated, the others are true.
    Open,
}

/// Evaluates the assertions of a query.
pub(crate) fn evaluate(terms: &Terms, assertions: &[Term], values: &Assignment) -> Evaluated {
    let mut open = false;
    for (position, truth) in terms.truths(assertions, values).into_iter().enumerate() {
        match truth {
            Ok(true) => {}
            Ok(false) => return Evaluated::False(position),
            Err(_) => open = true,
        }
    }
    if open { Evaluated::Open } else { Evaluated::True }
}

/// The answer that candidate values justify: a model that was evaluated where that is possible.
pub(crate) fn answer_with(
    terms: &Terms,
    solver: &'static str,
    assertions: &[Term],
    values: Assignment,
) -> Result<Answer, Error> {
    let evidence = match evaluate(terms, assertions, &values) {
        Evaluated::True => Evidence::Evaluated,
        Evaluated::Open => Evidence::Claimed,
        Evaluated::False(assertion) => return wrong_model(solver, assertion),
    };
    Ok(Answer::Sat(Model { values, evidence }))
}

/// The same for values that extend a model of an equivalent query. If that model was only claimed, values
/// that turn out to be wrong are no bug.
pub(crate) fn extended(
    terms: &Terms,
    solver: &'static str,
    assertions: &[Term],
    values: Assignment,
    evidence: Evidence,
) -> Result<Answer, Error> {
    match (evidence, evaluate(terms, assertions, &values)) {
        (Evidence::Claimed, Evaluated::False(_)) => {
            Ok(Answer::Sat(Model { values, evidence: Evidence::Claimed }))
        }
        _ => answer_with(terms, solver, assertions, values),
    }
}

/// A model that is none: a bug, which stops a debug build; otherwise there is just no answer.
fn wrong_model(solver: &'static str, assertion: usize) -> Result<Answer, Error> {
    if cfg!(debug_assertions) {
        return Err(Error::WrongModel { solver, assertion });
    }
    Ok(Answer::Unknown(Reason::WrongModel))
}

/// The door of a solver: lets queries in that make sense and belong to one arena.
///
/// What is remembered of terms (translations, answers) is true of one arena only, and numbers of terms
/// do not tell to which arena they belong.
#[derive(Default)]
pub(crate) struct Door {
    arena: Option<ArenaId>,
}

impl Door {
    /// Whether a query makes sense.
    pub(crate) fn admit(&mut self, terms: &Terms, assertions: &[Term]) -> Result<(), Error> {
        let identity = terms.identity();
        if *self.arena.get_or_insert_with(|| identity.clone()) != identity {
            return Err(Error::OtherArena);
        }
        for (position, assertion) in assertions.iter().enumerate() {
            terms.require(*assertion, Sort::Bool)?;
            if terms.is_starred(*assertion) {
                // A misuse shows as ★, and then it is the better message.
                let misuse = terms.misuse().cloned().map(Error::Misuse);
                return Err(misuse.unwrap_or(Error::Unknown(position)));
            }
        }
        Ok(())
    }
}

/// The error for a query that cannot be translated although it was admitted.
pub(crate) fn ill_sorted(terms: &Terms, assertions: &[Term]) -> Error {
    let found = assertions.iter().map(|term| terms.sort(*term)).find(|sort| *sort != Sort::Bool);
    Error::Misuse(Misuse::Sort { needed: Sort::Bool, found: found.unwrap_or(Sort::Bool) })
}
