//! Formulas without ★ that follow from, or imply, formulas with it.
//!
//! A necessary condition may forget what it does not know: every literal with ★ becomes *true*. The
//! argument needs negation normal form. Every occurrence of ★ stands for some value; for any choice of
//! them, a literal implies *true*, and conjunction, disjunction, the branches of `ite` and the body of
//! a quantifier are monotone: if their parts are replaced by what these imply, so is the whole. What is
//! not monotone counts as part of a literal: the condition of an `ite` and the bounds of a quantifier.
//! With ★ in one of those, the whole `ite` or quantifier is unknown: also ∃, for which the range may
//! be anything. [`Terms::strengthen`] is the same with *false*, in the other direction.

use crate::arena::Terms;
use crate::node::{Node, Sort, Term};
use rustc_hash::FxHashSet;

impl Terms {
    /// A formula without ★ that holds whenever `formula` holds for some values of its ★s, each of
    /// which may be another.
    pub fn weaken(&mut self, formula: Term) -> Term {
        let yes = self.bool(true);
        self.forget(formula, yes)
    }

    /// A formula without ★ that holds only if `formula` holds for all values of its ★s.
    pub fn strengthen(&mut self, formula: Term) -> Term {
        let no = self.bool(false);
        self.forget(formula, no)
    }

    /// The formula with `unknown` for its literals with ★.
    fn forget(&mut self, formula: Term, unknown: Term) -> Term {
        if !self.all_are(Sort::Bool, [formula]) {
            return unknown;
        }
        if !self.is_starred(formula) {
            return formula;
        }
        let literals = self.unknown_literals(formula);
        // Where else such a literal occurs, it is inside of another of them.
        self.replace(formula, |_, term| literals.contains(&term).then_some(unknown))
    }

    /// Whether a formula is not a literal, and ★ is only where weakening its parts weakens it.
    fn is_monotone(&self, term: Term) -> bool {
        match self.node(term) {
            Node::And(_) | Node::Or(_) => true,
            Node::Ite(condition, ..) => !self.is_starred(*condition),
            Node::Quantified(_, _, [low, high, _]) => {
                !self.is_starred(*low) && !self.is_starred(*high)
            }
            _ => false,
        }
    }

    /// What is unknown in a formula as a whole, though the parts around it are not.
    fn unknown_literals(&self, formula: Term) -> FxHashSet<Term> {
        let (mut literals, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            if !self.is_starred(term) || !seen.insert(term) {
                continue;
            }
            if self.is_monotone(term) {
                self.node(term).for_each_child(|part| open.push(part));
            } else {
                literals.insert(term);
            }
        }
        literals
    }
}

#[cfg(test)]
mod tests;
