//! Terms that make no sense.
//!
//! Constructors of arithmetic and logic do not return a `Result`, which every formula would have to
//! unwrap dozens of times. Given a term of a wrong sort, or of another arena, they give ★ of the sort
//! that the result should have: a value that nobody knows, so that what is built on it is unknown and
//! never wrong. The arena keeps the first such [`Misuse`] for those who report errors.
//!
//! A term of another arena can be told only if its number is too large; the identity of an arena
//! ([`Terms::identity`]) lets its users tell the other cases.

use crate::arena::Terms;
use crate::node::{Sort, Term, Width};

/// A term that makes no sense was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// A term has another sort than needed.
    #[error("a term of sort {needed:?} is needed, not {found:?}")]
    Sort {
        /// What is needed.
        needed: Sort,
        /// What was given.
        found: Sort,
    },
    /// A function is applied to too many or too few arguments.
    #[error("the function takes {needed} arguments, not {found}")]
    Arity {
        /// How many are needed.
        needed: usize,
        /// How many were given.
        found: usize,
    },
    /// An array with no element sort, or an index into something else.
    #[error("an array is needed, not a term of sort {0:?}")]
    NoArray(Sort),
    /// An array with too many dimensions.
    #[error("an array has at most {} dimensions", u8::MAX)]
    Dimensions,
    /// A binder of something that is no integer symbol.
    #[error("only an integer symbol can be bound")]
    NotBindable,
    /// A machine type with no bits, or more than there is reason for.
    #[error("a machine integer has from 1 to {max} bits, not {0}", max = Width::MAX_BITS)]
    Width(u32),
    /// A term, symbol or function of another arena.
    #[error("a term of another arena is used")]
    Foreign,
}

impl Terms {
    /// Checks that a term has a sort.
    pub fn require(&self, term: Term, needed: Sort) -> Result<(), Misuse> {
        match self.own_facts(term) {
            Some(facts) if facts.sort == needed => Ok(()),
            Some(facts) => Err(Misuse::Sort { needed, found: facts.sort }),
            None => Err(Misuse::Foreign),
        }
    }

    /// Checks that a term is an array, and gives the sort of its elements.
    pub(crate) fn require_array(&self, term: Term) -> Result<Sort, Misuse> {
        let facts = self.own_facts(term).ok_or(Misuse::Foreign)?;
        facts.sort.element().ok_or(Misuse::NoArray(facts.sort))
    }

    /// Whether all terms have a sort; if not, that is kept as a misuse.
    #[inline]
    pub(crate) fn all_are<const COUNT: usize>(&mut self, sort: Sort, parts: [Term; COUNT]) -> bool {
        let fits = |part| self.own_facts(part).is_some_and(|facts| facts.sort == sort);
        if parts.into_iter().all(fits) {
            return true;
        }
        if let Some(misuse) = parts.into_iter().find_map(|part| self.require(part, sort).err()) {
            self.record(misuse);
        }
        false
    }

    /// Whether a machine type makes sense; if not, that is kept as a misuse.
    #[inline]
    pub(crate) fn is_width(&mut self, width: Width) -> bool {
        let fits = (1..=Width::MAX_BITS).contains(&width.bits);
        if !fits {
            self.record(Misuse::Width(width.bits));
        }
        fits
    }
}

#[cfg(test)]
mod tests;
