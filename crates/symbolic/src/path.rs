//! What is known on a path.

use loupe_integer::Integer;
use loupe_term::{Assignment, Term};
use rpds::{HashTrieMap, List};
use std::rc::Rc;

/// The path condition: what inputs must be like for an execution to come this way, in the order in which
/// it grew. Clones share all that they have in common.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The newest first.
    conditions: List<Term>,
    /// Conditions that are known to hold, or not to.
    truths: HashTrieMap<Term, bool>,
    /// Terms that have only one value on this path.
    values: HashTrieMap<Term, Integer>,
    /// Values of symbols for which all conditions hold, if some are at hand.
    model: Option<Rc<Assignment>>,
}

impl Path {
    /// How many conditions there are.
    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The conditions, the oldest first.
    pub fn conditions(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.conditions.iter().copied().collect();
        all.reverse();
        all
    }

    /// Adds a condition; `negation` is its opposite. The model stays only if it is one of the new
    /// condition too.
    pub fn assume(&mut self, condition: Term, negation: Term, model: Option<Rc<Assignment>>) {
        self.conditions.push_front_mut(condition);
        self.truths.insert_mut(condition, true);
        self.truths.insert_mut(negation, false);
        self.model = model;
    }

    /// Remembers that a condition follows from the others.
    pub fn note(&mut self, condition: Term) {
        self.truths.insert_mut(condition, true);
    }

    /// Remembers the only value of a term.
    pub fn learn(&mut self, term: Term, value: Integer) {
        self.values.insert_mut(term, value);
    }

    /// Whether a condition holds, if that was assumed before.
    #[inline]
    pub fn truth(&self, condition: Term) -> Option<bool> {
        self.truths.get(&condition).copied()
    }

    /// The only value of a term, if that is known.
    pub fn value(&self, term: Term) -> Option<&Integer> {
        self.values.get(&term)
    }

    /// Values for which all conditions hold.
    pub fn model(&self) -> Option<&Rc<Assignment>> {
        self.model.as_ref()
    }

    /// Sets values for which all conditions hold.
    pub fn set_model(&mut self, model: Rc<Assignment>) {
        self.model = Some(model);
    }
}
