//! Loops, solved.

pub mod bounds;
pub mod certificate;
pub mod classify;
pub mod emit;
pub mod pda;
pub mod problem;
pub mod show;
pub mod summary;
#[cfg(test)]
mod testing;

pub use problem::{End, Fresh, FreshKind, Loop, Path, Precision, Variable};
pub use summary::{Case, Divergence, Repeated, Segment, Summary, Tag};

use loupe_solver::{Chain, Error, Limits};
use loupe_term::Terms;

/// How much work a summary may be.
#[derive(Clone, Debug)]
pub struct Effort {
    /// What each query may cost.
    pub limits: Limits,
    /// How many cases there may be.
    pub cases: usize,
    /// How many parts of traces are looked at.
    pub nodes: usize,
}

impl Default for Effort {
    fn default() -> Self {
        let limits = Limits { work: 200_000, ..Limits::default() };
        Effort { limits, cases: 64, nodes: 400 }
    }
}

/// The best summary of a loop.
///
/// # Errors
///
/// If a query makes no sense or a bug was found; a loop that cannot be solved has a summary that says so.
pub fn summarise(
    _terms: &mut Terms,
    _chain: &mut Chain,
    _problem: &Loop,
    _effort: &Effort,
) -> Result<Summary, Error> {
    Ok(Summary {
        tag: Tag::Under,
        cases: Vec::new(),
        diverging: Vec::new(),
        reasons: vec!["not yet".into()],
    })
}
