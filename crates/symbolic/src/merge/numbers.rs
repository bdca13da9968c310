//! Numbers as choices between two, with what both have in common outside of the choice.
//!
//! Behind ways that add different numbers to something, `s ? x + 1 : x + 2` is `x + 2 - [s]`, where `[s]` is 1 if `s` holds and else 0. So sums stay sums: choices
//! that were made one after the other stand side by side instead of one inside the other, and what several variables owe to the same choice adds up or
//! cancels. Numbers that wrap around are chosen between before they do: both are remainders by the same modulus.

use crate::domain::Symbolic;
use loupe_integer::Integer;
use loupe_term::{Node, Polynomial, Term, Width};

impl Symbolic {
    /// One number where the selector holds, and the other one elsewhere.
    pub(super) fn chosen_number(&mut self, selector: Term, a: Term, b: Term) -> Term {
        if let Some((width, inner_a, inner_b)) = self.before_wrapping(a, b)
            && let Some(sum) = self.chosen_sum(selector, inner_a, inner_b)
        {
            return self.terms.wrap(width, sum);
        }
        match self.chosen_sum(selector, a, b) {
            Some(sum) => sum,
            None => self.terms.ite(selector, a, b),
        }
    }

    /// What two numbers are before they wrap around in the same type, if at least one of them does.
    fn before_wrapping(&mut self, a: Term, b: Term) -> Option<(Width, Term, Term)> {
        let inner = |domain: &Symbolic, term: Term| match domain.terms.node(term) {
            Node::Wrap(width, inner) => Some((*width, *inner)),
            _ => None,
        };
        match (inner(self, a), inner(self, b)) {
            (Some((width, a)), Some((other, b))) if width == other => Some((width, a, b)),
            (Some((width, a)), None) if self.is_within(width, b) => Some((width, a, b)),
            (None, Some((width, b))) if self.is_within(width, a) => Some((width, a, b)),
            _ => None,
        }
    }

    /// Whether a number is the same after it wraps around, whatever the inputs are.
    fn is_within(&mut self, width: Width, term: Term) -> bool {
        let (low, high) = width.bounds();
        let range = self.range_everywhere(term);
        range.low.is_some_and(|least| least >= low) && range.high.is_some_and(|most| most <= high)
    }

    /// The choice as a sum, if both have something in common.
    fn chosen_sum(&mut self, selector: Term, a: Term, b: Term) -> Option<Term> {
        let difference = self.terms.sub(a, b);
        if let Some(step) = self.terms.as_int(difference).cloned() {
            let indicator = self.indicator(selector);
            return Some(self.terms.add_scaled(b, indicator, &step));
        }
        let (one, other) = (self.terms.polynomial(a), self.terms.polynomial(b));
        let is_common = |summand: &&(Term, Integer)| other.summands.contains(summand);
        let summands: Vec<_> = one.summands.iter().filter(is_common).cloned().collect();
        if summands.is_empty() {
            return None;
        }
        let common = Polynomial { constant: Integer::ZERO, summands };
        let common = self.terms.from_polynomial(common);
        let (a, b) = (self.terms.sub(a, common), self.terms.sub(b, common));
        let choice = self.terms.ite(selector, a, b);
        Some(self.terms.add(common, choice))
    }

    /// 1 where the selector holds, and 0 elsewhere: the same term for a selector and, as what is left to 1, for its opposite.
    fn indicator(&mut self, selector: Term) -> Term {
        let (one, zero) = (self.terms.int(1), self.terms.int(0));
        let choice = self.terms.ite(selector, one, zero);
        match self.terms.node(choice) {
            Node::Ite(condition, then, _) if *then == zero => {
                let condition = *condition;
                let opposite = self.terms.ite(condition, one, zero);
                self.terms.sub(one, opposite)
            }
            _ => choice,
        }
    }
}
