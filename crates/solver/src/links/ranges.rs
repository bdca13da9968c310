//! Answers what intervals and congruences already tell.

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Query};
use crate::limits::Pains;
use loupe_term::{Context, Terms};

/// The layer.
#[derive(Default)]
pub struct Ranges;

impl Layer for Ranges {
    fn name(&self) -> &'static str {
        "ranges"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        if query.limits.pains == Pains::Hard {
            return inner.check(terms, query);
        }
        let mut context = Context::new();
        for assertion in query.assertions {
            if query.limits.interrupt.is_requested() {
                break;
            }
            context.assume(terms, *assertion);
            if let Some(blame) = context.contradiction() {
                return Ok(Answer::Unsat(blame.to_vec()));
            }
        }
        inner.check(terms, query)
    }
}
