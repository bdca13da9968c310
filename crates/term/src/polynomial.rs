//! Integer arithmetic in canonical form.
//!
//! Every integer term is a polynomial over *atoms*, the terms that arithmetic does not look into. Two
//! terms that are equal as polynomials are the same term, so a polynomial identity is proved by
//! building both sides. That ends where polynomials would fit in no memory: a product of sums with too
//! many summands stays a product, whose factors are atoms then, and a number with too many digits is
//! not computed but unknown.

use crate::arena::Terms;
use crate::node::{Node, Sort, Sum, Term};
use loupe_integer::Integer;

/// Products of sums are multiplied out if that takes at most so many products of monomials.
const MAX_PRODUCTS: usize = 10_000;
/// Products of coefficients have at most so many bits.
const MAX_BITS: u64 = 1 << 18;
/// And all coefficients of a product together: nobody looks at the clock while they are computed.
const MAX_BITS_IN_ALL: u64 = 1 << 24;

/// A polynomial: a constant, and monomials in ascending order with coefficients that are not 0.
///
/// Its own arithmetic takes equal monomials for equal values. With ★ that is wrong; the arithmetic of
/// [`Terms`] knows.
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
        let (left, right) =
            ((&self.constant, &self.summands[..]), (&other.constant, &other.summands[..]));
        add_scaled(left, right, factor)
    }

    /// The greatest common divisor of the coefficients, without the constant; 0 if there are none.
    pub fn content(&self) -> Integer {
        content(&self.summands)
    }
}

/// The greatest common divisor of coefficients; 0 if there are none.
pub(crate) fn content(summands: &[(Term, Integer)]) -> Integer {
    let mut content = Integer::ZERO;
    for (_, coefficient) in summands {
        content = content.gcd(coefficient);
        if content == Integer::ONE {
            break;
        }
    }
    content
}

/// A constant and summands, wherever they are.
type View<'v> = (&'v Integer, &'v [(Term, Integer)]);

/// Whether a polynomial can be multiplied by a factor of so many bits.
fn can_grow((constant, summands): View<'_>, bits: u64) -> bool {
    let fits = |coefficient: &Integer| coefficient.bits().saturating_add(bits) <= MAX_BITS;
    // Nearly always both are small.
    bits <= 1 || (fits(constant) && summands.iter().all(|(_, coefficient)| fits(coefficient)))
}

/// How many bits the longest coefficient has.
fn longest((constant, summands): View<'_>) -> u64 {
    let coefficients = summands.iter().map(|(_, coefficient)| coefficient.bits());
    coefficients.fold(constant.bits(), u64::max)
}

/// `left + factor · right`.
fn add_scaled(left: View<'_>, right: View<'_>, factor: &Integer) -> Polynomial {
    let constant = left.0.add(&right.0.mul(factor));
    let (mut left, mut right) = (left.1, right.1);
    let mut summands = Vec::with_capacity(left.len() + right.len());
    loop {
        match (left, right) {
            ([(a, x), more @ ..], [(b, _), ..]) if a < b => {
                summands.push((*a, x.clone()));
                left = more;
            }
            ([(a, x), more @ ..], [(b, y), others @ ..]) if a == b => {
                let sum = x.add(&y.mul(factor));
                if !sum.is_zero() {
                    summands.push((*a, sum));
                }
                (left, right) = (more, others);
            }
            (_, [(b, y), others @ ..]) => {
                summands.push((*b, y.mul(factor)));
                right = others;
            }
            (rest, []) => {
                summands.extend_from_slice(rest);
                return Polynomial { constant, summands };
            }
        }
    }
}

static ZERO: Integer = Integer::ZERO;

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

    /// The same without a copy; an atom is looked at as the summand that it is.
    fn view<'v>(&'v self, term: Term, as_summand: &'v [(Term, Integer); 1]) -> View<'v> {
        match self.node(term) {
            Node::Int(value) => (value, &[]),
            Node::Sum(sum) => (&sum.constant, &sum.summands),
            _ => (&ZERO, as_summand),
        }
    }

    /// The monomials of an integer term with their coefficients.
    pub(crate) fn summands<'v>(
        &'v self,
        term: Term,
        as_summand: &'v [(Term, Integer); 1],
    ) -> &'v [(Term, Integer)] {
        self.view(term, as_summand).1
    }

    /// `a + factor · b` as a polynomial; `None` if it is unknown.
    pub(crate) fn combination(&mut self, a: Term, b: Term, factor: &Integer) -> Option<Polynomial> {
        if self.unknown(a, b) || self.share_unknown(a, b) {
            return None;
        }
        let (one, other) = ([(a, Integer::ONE)], [(b, Integer::ONE)]);
        let (left, right) = (self.view(a, &one), self.view(b, &other));
        can_grow(right, factor.bits()).then(|| add_scaled(left, right, factor))
    }

    /// The term of a polynomial, whose monomials may be any integer terms in any order.
    pub fn from_polynomial(&mut self, polynomial: Polynomial) -> Term {
        let Polynomial { constant, summands } = polynomial;
        let mut flat = Polynomial::constant(constant);
        for (part, coefficient) in summands {
            if !self.all_are(Sort::Int, [part]) {
                return self.star_int();
            }
            let as_summand = [(part, Integer::ONE)];
            if !can_grow(self.view(part, &as_summand), coefficient.bits()) {
                return self.star_int();
            }
            match self.node(part) {
                Node::Star(_) if coefficient.is_zero() => {}
                Node::Star(_) => return self.star_int(),
                Node::Int(value) => flat.constant = flat.constant.add(&value.mul(&coefficient)),
                Node::Sum(sum) => {
                    flat.constant = flat.constant.add(&sum.constant.mul(&coefficient));
                    let scaled = sum.summands.iter().map(|(m, c)| (*m, c.mul(&coefficient)));
                    flat.summands.extend(scaled);
                }
                _ => flat.summands.push((part, coefficient)),
            }
        }
        self.term_of_summands(flat)
    }

    /// The term of a polynomial whose summands are monomials, in any order.
    fn term_of_summands(&mut self, polynomial: Polynomial) -> Term {
        let Polynomial { constant, summands } = polynomial;
        match self.collect(summands) {
            Some(summands) => self.term_of(Polynomial { constant, summands }),
            None => self.star_int(),
        }
    }

    /// The term of a polynomial in canonical form.
    pub(crate) fn term_of(&mut self, polynomial: Polynomial) -> Term {
        let Polynomial { constant, summands } = polynomial;
        match &summands[..] {
            [] => self.int(constant),
            [(monomial, one)] if constant.is_zero() && *one == Integer::ONE => *monomial,
            _ => self.intern(Node::Sum(Sum { constant, summands: summands.into() })),
        }
    }

    /// The term of a polynomial in canonical form, if there is one.
    pub(crate) fn find_polynomial(&self, polynomial: Polynomial) -> Option<Term> {
        let Polynomial { constant, summands } = polynomial;
        match &summands[..] {
            [] => self.find(&Node::Int(constant)),
            [(monomial, one)] if constant.is_zero() && *one == Integer::ONE => Some(*monomial),
            _ => self.find(&Node::Sum(Sum { constant, summands: summands.into() })),
        }
    }

    /// Summands in order, each monomial once; `None` if the same unknown monomial comes twice: every
    /// ★ may be another value, so that they must not be taken together.
    fn collect(&self, mut summands: Vec<(Term, Integer)>) -> Option<Vec<(Term, Integer)>> {
        summands.retain(|(_, coefficient)| !coefficient.is_zero());
        if summands.is_sorted_by(|a, b| a.0 < b.0) {
            return Some(summands);
        }
        summands.sort_by_key(|(monomial, _)| *monomial);
        let mut collected: Vec<(Term, Integer)> = Vec::with_capacity(summands.len());
        for (monomial, coefficient) in summands {
            match collected.last_mut() {
                Some((last, _)) if *last == monomial && self.is_starred(monomial) => return None,
                Some((last, sum)) if *last == monomial => *sum = sum.add(&coefficient),
                _ => collected.push((monomial, coefficient)),
            }
        }
        collected.retain(|(_, coefficient)| !coefficient.is_zero());
        Some(collected)
    }

    /// Whether arithmetic with these terms is unknown: one of them is, or has no sense.
    fn unknown(&mut self, a: Term, b: Term) -> bool {
        if !self.all_are(Sort::Int, [a, b]) {
            return true;
        }
        let is_star = |term| matches!(self.node(term), Node::Star(_));
        (self.is_starred(a) && is_star(a)) || (self.is_starred(b) && is_star(b))
    }

    /// Whether two sums have an unknown monomial in common. Every ★ may be another value, so that the
    /// monomials must not be taken together: `t - t` is unknown if `t` is.
    fn share_unknown(&self, a: Term, b: Term) -> bool {
        if !self.is_starred(a) || !self.is_starred(b) {
            return false;
        }
        let (a, b) = (self.polynomial(a), self.polynomial(b));
        let in_b = |m: &Term| b.summands.binary_search_by_key(m, |(other, _)| *other).is_ok();
        a.summands.iter().any(|(monomial, _)| self.is_starred(*monomial) && in_b(monomial))
    }

    pub(crate) fn star_int(&mut self) -> Term {
        self.intern(Node::Star(Sort::Int))
    }

    /// `a + factor · b`.
    pub fn add_scaled(&mut self, a: Term, b: Term, factor: &Integer) -> Term {
        if factor.is_zero() && self.all_are(Sort::Int, [a, b]) {
            return a;
        }
        match self.combination(a, b, factor) {
            Some(sum) => self.term_of(sum),
            None => self.star_int(),
        }
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
        let summands = parts.into_iter().map(|part| (part, Integer::ONE)).collect();
        self.from_polynomial(Polynomial { constant: Integer::ZERO, summands })
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
        let products = (left.summands.len() + 1).saturating_mul(right.summands.len() + 1);
        if products > MAX_PRODUCTS {
            return self.monomial_product(a, b).unwrap_or_else(|| self.star_int());
        }
        let (left_view, right_view) =
            ((&left.constant, &left.summands[..]), (&right.constant, &right.summands[..]));
        let bits = longest(left_view).saturating_add(longest(right_view));
        let in_all = bits.saturating_mul(products as u64);
        if !can_grow(left_view, longest(right_view)) || in_all > MAX_BITS_IN_ALL {
            return self.star_int();
        }
        let mut summands = Vec::with_capacity(products);
        for (x, p) in &left.summands {
            for (y, q) in &right.summands {
                let Some(product) = self.monomial_product(*x, *y) else {
                    return self.star_int();
                };
                summands.push((product, p.mul(q)));
            }
            summands.push((*x, p.mul(&right.constant)));
        }
        for (y, q) in &right.summands {
            summands.push((*y, q.mul(&left.constant)));
        }
        let constant = left.constant.mul(&right.constant);
        self.term_of_summands(Polynomial { constant, summands })
    }

    /// `a` to the power of a small number.
    pub fn pow(&mut self, a: Term, exponent: u32) -> Term {
        if !self.all_are(Sort::Int, [a]) {
            return self.star_int();
        }
        // By squaring: a monomial or a constant may have a large exponent.
        let (mut result, mut square, mut rest) = (self.int(1), a, exponent);
        while rest > 0 {
            if rest % 2 == 1 {
                result = self.mul(result, square);
            }
            rest /= 2;
            if rest > 0 {
                square = self.mul(square, square);
            }
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

    /// The product of monomials, or of sums that are taken for atoms; `None` if that is unknown: an unknown atom twice, which need not be
    /// the same value twice, or an exponent beyond all bounds.
    fn monomial_product(&mut self, a: Term, b: Term) -> Option<Term> {
        let mut factors = self.factors(a);
        for (atom, exponent) in self.factors(b) {
            match factors.binary_search_by_key(&atom, |(known, _)| *known) {
                Ok(_) if self.is_starred(atom) => return None,
                Ok(at) => factors[at].1 = factors[at].1.checked_add(exponent)?,
                Err(at) => factors.insert(at, (atom, exponent)),
            }
        }
        Some(self.intern(Node::Product(factors.into())))
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
