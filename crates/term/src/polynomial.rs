//! Integer arithmetic in canonical form.
//!
//! Every integer term is a polynomial over *atoms*, the terms that arithmetic does not look into. Two
//! terms that are equal as polynomials are the same term, so a polynomial identity is proved by
//! building both sides.

use crate::arena::Terms;
use crate::node::{Node, Sort, Sum, Term};
use loupe_integer::Integer;

/// A polynomial: a constant, and monomials in ascending order with coefficients that are not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial {
    /// The constant.
    pub constant: Integer,
    /// Monomials and coefficients.
    pub summands: Vec<(Term, Integer)>,
}

impl Polynomial {
    /// The constant polynomial `value`.
    pub fn constant(value: Integer) -> Self {
        Polynomial { constant: value, summands: Vec::new() }
    }

    /// `self + factor · other`.
    pub fn add_scaled(&self, other: &Polynomial, factor: &Integer) -> Polynomial {
        let constant = self.constant.add(&other.constant.mul(factor));
        let mut summands = Vec::with_capacity(self.summands.len() + other.summands.len());
        let (mut left, mut right) =
            (self.summands.iter().peekable(), other.summands.iter().peekable());
        loop {
            let (monomial, coefficient) = match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) if a < b => next(&mut left, None),
                (Some((a, _)), Some((b, _))) if a > b => next(&mut right, Some(factor)),
                (Some((a, x)), Some((_, y))) => {
                    let both = (*a, x.add(&y.mul(factor)));
                    left.next();
                    right.next();
                    both
                }
                (Some(_), None) => next(&mut left, None),
                (None, Some(_)) => next(&mut right, Some(factor)),
                (None, None) => break,
            };
            if !coefficient.is_zero() {
                summands.push((monomial, coefficient));
            }
        }
        Polynomial { constant, summands }
    }

    /// The greatest common divisor of the coefficients, without the constant; 0 if there are none.
    pub fn content(&self) -> Integer {
        self.summands.iter().fold(Integer::ZERO, |gcd, (_, coefficient)| gcd.gcd(coefficient))
    }
}

/// The next summand of a list that is known to have one.
fn next<'a>(
    list: &mut std::iter::Peekable<impl Iterator<Item = &'a (Term, Integer)>>,
    factor: Option<&Integer>,
) -> (Term, Integer) {
    match (list.next(), factor) {
        (Some((monomial, coefficient)), Some(factor)) => (*monomial, coefficient.mul(factor)),
        (Some((monomial, coefficient)), None) => (*monomial, coefficient.clone()),
        // Unreachable: both callers have peeked. A zero coefficient is dropped.
        (None, _) => (Term(0), Integer::ZERO),
    }
}

impl Terms {
    /// An integer term as a polynomial over its atoms.
    pub fn polynomial(&self, term: Term) -> Polynomial {
        match self.node(term) {
            Node::Int(value) => Polynomial::constant(value.clone()),
            Node::Sum(sum) => {
                Polynomial { constant: sum.constant.clone(), summands: sum.summands.to_vec() }
            }
            _ => Polynomial { constant: Integer::ZERO, summands: vec![(term, Integer::ONE)] },
        }
    }

    /// The term of a polynomial, whose monomials may come in any order.
    pub fn from_polynomial(&mut self, polynomial: Polynomial) -> Term {
        let Polynomial { constant, mut summands } = polynomial;
        let ascending = summands.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending || summands.iter().any(|(_, coefficient)| coefficient.is_zero()) {
            summands = collect(summands);
        }
        match &summands[..] {
            [] => self.int(constant),
            [(monomial, one)] if constant.is_zero() && *one == Integer::ONE => *monomial,
            _ => self.intern(Node::Sum(Sum { constant, summands: summands.into() })),
        }
    }

    /// Whether one of the terms is the unknown integer, which makes all arithmetic unknown.
    fn unknown(&self, a: Term, b: Term) -> bool {
        let is_star = |term| matches!(self.node(term), Node::Star(_));
        is_star(a) || is_star(b)
    }

    pub(crate) fn star_int(&mut self) -> Term {
        self.intern(Node::Star(Sort::Int))
    }

    /// `a + factor · b`.
    pub fn add_scaled(&mut self, a: Term, b: Term, factor: &Integer) -> Term {
        if factor.is_zero() {
            return a;
        }
        if self.unknown(a, b) {
            return self.star_int();
        }
        let sum = self.polynomial(a).add_scaled(&self.polynomial(b), factor);
        self.from_polynomial(sum)
    }

    /// The sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, b, &Integer::ONE)
    }

    /// The difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, b, &Integer::from(-1))
    }

    /// The product with an integer.
    pub fn scale(&mut self, a: Term, factor: &Integer) -> Term {
        let zero = self.int(0);
        self.add_scaled(zero, a, factor)
    }

    /// The negated integer.
    pub fn neg(&mut self, a: Term) -> Term {
        self.scale(a, &Integer::from(-1))
    }

    /// The sum of many, without building what is between.
    pub fn sum(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        let mut constant = Integer::ZERO;
        let mut summands: Vec<(Term, Integer)> = Vec::new();
        for part in parts {
            if matches!(self.node(part), Node::Star(_)) {
                return self.star_int();
            }
            let polynomial = self.polynomial(part);
            constant = constant.add(&polynomial.constant);
            summands.extend(polynomial.summands);
        }
        let summands = collect(summands);
        self.from_polynomial(Polynomial { constant, summands })
    }

    /// The product.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        match (self.as_int(a).cloned(), self.as_int(b).cloned()) {
            (Some(a), _) => return self.scale(b, &a),
            (_, Some(b)) => return self.scale(a, &b),
            (None, None) => {}
        }
        if self.unknown(a, b) {
            return self.star_int();
        }
        let (left, right) = (self.polynomial(a), self.polynomial(b));
        let mut summands =
            Vec::with_capacity((left.summands.len() + 1) * (right.summands.len() + 1));
        for (x, p) in &left.summands {
            for (y, q) in &right.summands {
                summands.push((self.monomial_product(*x, *y), p.mul(q)));
            }
            summands.push((*x, p.mul(&right.constant)));
        }
        for (y, q) in &right.summands {
            summands.push((*y, q.mul(&left.constant)));
        }
        let constant = left.constant.mul(&right.constant);
        self.from_polynomial(Polynomial { constant, summands: collect(summands) })
    }

    /// `a` to the power of a small number.
    pub fn pow(&mut self, a: Term, exponent: u32) -> Term {
        let mut result = self.int(1);
        for _ in 0..exponent {
            result = self.mul(result, a);
        }
        result
    }

    /// The factors of a monomial with their exponents.
    pub fn factors(&self, monomial: Term) -> Vec<(Term, u32)> {
        match self.node(monomial) {
            Node::Product(factors) => factors.to_vec(),
            _ => vec![(monomial, 1)],
        }
    }

    fn monomial_product(&mut self, a: Term, b: Term) -> Term {
        let mut factors = self.factors(a);
        for (atom, exponent) in self.factors(b) {
            match factors.binary_search_by_key(&atom, |(known, _)| *known) {
                Ok(at) => factors[at].1 += exponent,
                Err(at) => factors.insert(at, (atom, exponent)),
            }
        }
        self.intern(Node::Product(factors.into()))
    }

    /// Whether a term is linear: a sum of atoms, none multiplied with another.
    pub fn is_linear(&self, term: Term) -> bool {
        let product = |monomial: &Term| matches!(self.node(*monomial), Node::Product(_));
        match self.node(term) {
            Node::Sum(sum) => !sum.summands.iter().any(|(monomial, _)| product(monomial)),
            _ => !product(&term),
        }
    }
}

/// Summands in order, each monomial once.
fn collect(mut summands: Vec<(Term, Integer)>) -> Vec<(Term, Integer)> {
    summands.sort_by_key(|(monomial, _)| *monomial);
    let mut collected: Vec<(Term, Integer)> = Vec::with_capacity(summands.len());
    for (monomial, coefficient) in summands {
        match collected.last_mut() {
            Some((last, sum)) if *last == monomial => *sum = sum.add(&coefficient),
            _ => collected.push((monomial, coefficient)),
        }
    }
    collected.retain(|(_, coefficient)| !coefficient.is_zero());
    collected
}
