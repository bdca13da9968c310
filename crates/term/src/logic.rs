//! Truth values in canonical form.
//!
//! Formulas are kept in *negation normal form*: negation stands only before symbols, divisibility and
//! equality of arrays. Comparisons of integers are `p ≤ 0` and `p = 0` with the greatest common divisor
//! of the coefficients divided out, so that the negation of a comparison is one again and equal
//! comparisons are the same term.

mod connect;

use crate::arena::Terms;
use crate::node::{Node, Quantifier, Sort, Term};
use crate::polynomial::Polynomial;
use connect::Connective;
use loupe_integer::Integer;

impl Terms {
    pub(crate) fn star_bool(&mut self) -> Term {
        self.intern(Node::Star(Sort::Bool))
    }

    /// `a ≤ 0`.
    pub fn non_positive(&mut self, a: Term) -> Term {
        let zero = self.int(0);
        self.le(a, zero)
    }

    /// `a = 0`.
    pub fn zero(&mut self, a: Term) -> Term {
        if !self.all_are(Sort::Int, [a]) || matches!(self.node(a), Node::Star(_)) {
            return self.star_bool();
        }
        let polynomial = self.polynomial(a);
        self.zero_polynomial(polynomial)
    }

    /// `a ≤ b`.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        match self.combination(a, b, &Integer::from(-1)) {
            Some(difference) => self.non_positive_polynomial(difference),
            None => self.star_bool(),
        }
    }

    /// `a < b`.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        match self.combination(a, b, &Integer::from(-1)) {
            Some(mut difference) => {
                difference.constant = difference.constant.add(&Integer::ONE);
                self.non_positive_polynomial(difference)
            }
            None => self.star_bool(),
        }
    }

    fn non_positive_polynomial(&mut self, mut polynomial: Polynomial) -> Term {
        if polynomial.summands.is_empty() {
            return self.bool(polynomial.constant <= Integer::ZERO);
        }
        let content = polynomial.content();
        if content != Integer::ONE {
            // Σ g·cᵢ·mᵢ + d ≤ 0 iff Σ cᵢ·mᵢ ≤ ⌊-d/g⌋, because the left side is an integer.
            divide_summands(&mut polynomial, &content);
            let bound = polynomial.constant.neg().div_floor(&content);
            polynomial.constant = bound.unwrap_or(Integer::ZERO).neg();
        }
        let a = self.term_of(polynomial);
        self.make(Node::NonPositive(a))
    }

    fn zero_polynomial(&mut self, mut polynomial: Polynomial) -> Term {
        if polynomial.summands.is_empty() {
            return self.bool(polynomial.constant.is_zero());
        }
        let mut content = polynomial.content();
        // Of p and -p, the one whose first coefficient is positive.
        if polynomial.summands.first().is_some_and(|(_, coefficient)| coefficient.is_negative()) {
            content = content.neg();
        }
        if content != Integer::ONE {
            // Σ g·cᵢ·mᵢ = -d has no solution unless g divides d.
            let rest = polynomial.constant.rem_euclidean(&content);
            if rest.is_some_and(|rest| !rest.is_zero()) {
                return self.bool(false);
            }
            divide_summands(&mut polynomial, &content);
            let constant = polynomial.constant.div_floor(&content);
            polynomial.constant = constant.unwrap_or(Integer::ZERO);
        }
        let a = self.term_of(polynomial);
        self.make(Node::Zero(a))
    }

    /// `a = b`, for integers, truth values and arrays.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let sort = self.own_facts(a).map_or(self.sort(b), |facts| facts.sort);
        if !self.all_are(sort, [a, b]) {
            return self.star_bool();
        }
        if a == b && !self.is_starred(a) {
            return self.bool(true);
        }
        match sort {
            Sort::Int => match self.combination(a, b, &Integer::from(-1)) {
                Some(difference) => self.zero_polynomial(difference),
                None => self.star_bool(),
            },
            Sort::Bool => self.iff(a, b),
            Sort::Array(_) => {
                let (a, b) = (a.min(b), a.max(b));
                if self.is_starred(a) || self.is_starred(b) {
                    return self.star_bool();
                }
                self.make(Node::SameArray(a, b))
            }
        }
    }

    /// `a ≠ b`.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Whether the integer `divisor` divides `a`; 0 divides only 0.
    pub fn divides(&mut self, divisor: &Integer, a: Term) -> Term {
        if !self.all_are(Sort::Int, [a]) {
            return self.star_bool();
        }
        if divisor.is_zero() {
            return self.zero(a);
        }
        let divisor = if divisor.is_negative() { divisor.neg() } else { divisor.clone() };
        match self.node(a) {
            Node::Star(_) => return self.star_bool(),
            Node::Int(value) => {
                let divides = value.rem_euclidean(&divisor).is_some_and(|rest| rest.is_zero());
                return self.bool(divides);
            }
            _ if divisor == Integer::ONE => return self.bool(true),
            _ => {}
        }
        // Coefficients matter only modulo the divisor.
        let polynomial = self.polynomial(a);
        let modulo = |value: &Integer| value.rem_euclidean(&divisor).unwrap_or(Integer::ZERO);
        let constant = modulo(&polynomial.constant);
        let summands = polynomial.summands.iter().map(|(m, c)| (*m, modulo(c)));
        let summands: Vec<_> = summands.filter(|(_, c)| !c.is_zero()).collect();
        if summands.is_empty() {
            return self.bool(constant.is_zero());
        }
        let mut polynomial = Polynomial { constant, summands };
        // d·g | g·p + r needs g | r, and then is d | p + r/g.
        let common = polynomial.content().gcd(&divisor);
        let mut divisor = divisor;
        if common != Integer::ONE {
            let rest = polynomial.constant.rem_euclidean(&common);
            if rest.is_some_and(|rest| !rest.is_zero()) {
                return self.bool(false);
            }
            divide_summands(&mut polynomial, &common);
            let exact = |value: &Integer| value.div_floor(&common).unwrap_or(Integer::ZERO);
            polynomial.constant = exact(&polynomial.constant);
            divisor = exact(&divisor);
            if divisor == Integer::ONE {
                return self.bool(true);
            }
        }
        let a = self.term_of(polynomial);
        self.make(Node::Divides(divisor, a))
    }

    /// Both are true or both are false.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let (both, neither) = (self.and([a, b]), self.and([not_a, not_b]));
        self.or([both, neither])
    }

    /// If `a` is true, so is `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// The conjunction of many.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.connect(Connective::And, parts)
    }

    /// The disjunction of many.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.connect(Connective::Or, parts)
    }

    /// The negation, pushed down to the literals.
    pub fn not(&mut self, term: Term) -> Term {
        if !self.all_are(Sort::Bool, [term]) {
            return self.star_bool();
        }
        // An explicit stack: a formula may be as deep as memory allows. What has been negated once is
        // remembered, so that shared parts are not negated again.
        let mut open = vec![term];
        while let Some(&current) = open.last() {
            if self.negation(current).is_some() {
                open.pop();
                continue;
            }
            let waiting = open.len();
            self.node_for_each_negated(current, &mut open);
            if open.len() == waiting {
                let negated = self.negate(current);
                self.remember_negation(current, negated);
                open.pop();
            }
        }
        // The loop ends only when the negation is known.
        self.negation(term).unwrap_or(term)
    }

    /// Pushes the parts that must be negated before `term` can be.
    fn node_for_each_negated(&self, term: Term, open: &mut Vec<Term>) {
        let missing = |part: &Term| self.negation(*part).is_none();
        match self.node(term) {
            Node::And(parts) | Node::Or(parts) => open.extend(parts.iter().filter(|p| missing(p))),
            Node::Ite(_, then, otherwise) => {
                open.extend([*then, *otherwise].iter().filter(|part| missing(part)));
            }
            Node::Quantified(_, _, [_, _, body]) => {
                open.extend([*body].iter().filter(|p| missing(p)))
            }
            _ => {}
        }
    }

    /// The negation of a term whose parts have been negated.
    fn negate(&mut self, term: Term) -> Term {
        let known = |terms: &Terms, part: Term| terms.negation(part).unwrap_or(part);
        match self.node(term).clone() {
            Node::Bool(value) => self.bool(!value),
            Node::Star(_) => term,
            Node::Not(inner) => inner,
            Node::NonPositive(a) => {
                // ¬(p ≤ 0) iff 1 - p ≤ 0.
                let one = self.int(1);
                self.le(one, a)
            }
            Node::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| known(self, *part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| known(self, *part)).collect();
                self.and(parts)
            }
            Node::Ite(condition, then, otherwise) => {
                let (then, otherwise) = (known(self, then), known(self, otherwise));
                self.ite(condition, then, otherwise)
            }
            Node::Quantified(quantifier, binder, [low, high, body]) => {
                let dual = match quantifier {
                    Quantifier::Forall => Quantifier::Exists,
                    Quantifier::Exists => Quantifier::Forall,
                };
                let (binder, body) = self.settle(binder, known(self, body));
                self.make(Node::Quantified(dual, binder, [low, high, body]))
            }
            _ => self.intern(Node::Not(term)),
        }
    }
}

fn divide_summands(polynomial: &mut Polynomial, divisor: &Integer) {
    for (_, coefficient) in &mut polynomial.summands {
        *coefficient = coefficient.div_floor(divisor).unwrap_or(Integer::ZERO);
    }
}

#[cfg(test)]
mod tests;
