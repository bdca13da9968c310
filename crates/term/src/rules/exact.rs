//! Quotients that are exact whatever the values are: `(x² - x) / 2`. Sums over sums are made of them.

use super::Rule;
use super::division::division;
use crate::arena::Terms;
use crate::node::{Node, Rounding, Term};
use crate::polynomial::Polynomial;
use loupe_integer::Integer;

/// For quotients and remainders.
pub(super) const EXACT: &[Rule] = &[Rule {
    name: "divide-exactly",
    argument: "p % c = 0 if c divides p for all values; p / c is then the same with both roundings",
    apply: divide_exactly,
}];

/// For comparisons with 0.
pub(super) const COMPARED: &[Rule] = &[Rule {
    name: "compare-multiplied",
    argument: "c > 0: q + p / c has the sign of c·q + p, where c divides p for all values",
    apply: compare_multiplied,
}];

/// For wrapping.
pub(super) const WRAPPED: &[Rule] = &[Rule {
    name: "wrap-multiplied",
    argument: "(k·c)·(p / c) = k·p, where c divides p for all values",
    apply: wrap_multiplied,
}];

/// Residues are tried as long as there are not more combinations.
const MAX_COMBINATIONS: u64 = 1_000;
/// Monomials of higher degree are not looked at.
const MAX_DEGREE: u32 = 12;

/// Whether an integer divides a polynomial whatever the values of its atoms are. They matter up to multiples of the divisor only, so finitely
/// many are tried; `false` says nothing if those are too many.
fn divides_always(terms: &Terms, divisor: &Integer, polynomial: &Polynomial) -> bool {
    let Some(divisor) = divisor.to_i64().filter(|d| (2..=1_000).contains(d)) else { return false };
    let residue = |value: &Integer| value.rem_euclidean(&Integer::from(divisor))?.to_i64();
    let Some(constant) = residue(&polynomial.constant) else { return false };
    let mut atoms: Vec<Term> = Vec::new();
    let mut monomials = Vec::with_capacity(polynomial.summands.len());
    let mut highest = 0;
    for (monomial, coefficient) in &polynomial.summands {
        let Some(coefficient) = residue(coefficient) else { return false };
        let mut factors = Vec::new();
        for (atom, exponent) in terms.factors(*monomial) {
            let place = atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            });
            factors.push((place, exponent));
        }
        let degree = factors.iter().map(|(_, exponent)| *exponent).fold(0, u32::saturating_add);
        highest = highest.max(degree);
        monomials.push((coefficient, factors));
    }
    // A linear one is divided by what divides its coefficients, and simpler rules know.
    if !(2..=MAX_DEGREE).contains(&highest) {
        return false;
    }
    let combinations = (divisor as u64).checked_pow(atoms.len() as u32);
    let Some(combinations) = combinations.filter(|count| *count <= MAX_COMBINATIONS) else {
        return false;
    };
    (0..combinations).all(|mut number| {
        let values: Vec<i64> = atoms
            .iter()
            .map(|_| {
                let value = number % divisor as u64;
                number /= divisor as u64;
                value as i64
            })
            .collect();
        let sum = monomials.iter().fold(constant, |sum, (coefficient, factors)| {
            let product = factors.iter().fold(*coefficient, |product, (place, exponent)| {
                (0..*exponent).fold(product, |product, _| product * values[*place] % divisor)
            });
            (sum + product) % divisor
        });
        sum == 0
    })
}

impl Terms {
    /// Dividend and divisor of a quotient that is exact whatever the values are, like `(x² - x) / 2`.
    pub fn exact_quotient(&self, term: Term) -> Option<(Polynomial, Integer)> {
        let Node::Quotient(_, dividend, divisor) = *self.node(term) else { return None };
        let divisor = self.as_int(divisor)?.clone();
        let dividend = self.polynomial(dividend);
        divides_always(self, &divisor, &dividend).then_some((dividend, divisor))
    }
}

fn divide_exactly(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (rounding, is_quotient, a, b) = division(node)?;
    if is_quotient && rounding == Rounding::Euclidean || terms.is_starred(a) {
        return None;
    }
    let divisor = terms.as_int(b)?;
    if !divides_always(terms, divisor, &terms.polynomial(a)) {
        return None;
    }
    Some(match is_quotient {
        true => terms.quotient(Rounding::Euclidean, a, b),
        false => terms.int(0),
    })
}

fn compare_multiplied(terms: &mut Terms, node: &Node) -> Option<Term> {
    let (Node::NonPositive(a) | Node::Zero(a)) = *node else { return None };
    if terms.is_starred(a) {
        return None;
    }
    let Polynomial { constant, summands } = terms.polynomial(a);
    let (atom, dividend, divisor) = summands.iter().find_map(|(monomial, _)| {
        let (dividend, divisor) = terms.exact_quotient(*monomial)?;
        Some((*monomial, dividend, divisor))
    })?;
    let mut multiplied = Polynomial::constant(constant.mul(&divisor));
    for (monomial, coefficient) in summands {
        multiplied = match monomial == atom {
            true => multiplied.add_scaled(&dividend, &coefficient),
            false => {
                let single =
                    Polynomial { constant: Integer::ZERO, summands: vec![(monomial, coefficient)] };
                multiplied.add_scaled(&single, &divisor)
            }
        };
    }
    let multiplied = terms.term_of(multiplied);
    Some(match node {
        Node::Zero(_) => terms.zero(multiplied),
        _ => terms.non_positive(multiplied),
    })
}

fn wrap_multiplied(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = *node else { return None };
    if terms.is_starred(a) {
        return None;
    }
    let Polynomial { constant, summands } = terms.polynomial(a);
    let mut multiplied = Polynomial::constant(constant);
    let mut is_simpler = false;
    for (monomial, coefficient) in summands {
        let exact = terms.exact_quotient(monomial).and_then(|(dividend, divisor)| {
            let is_multiple = coefficient.rem_euclidean(&divisor)?.is_zero();
            is_multiple.then_some((dividend, coefficient.div_floor(&divisor)?))
        });
        is_simpler |= exact.is_some();
        let single = |monomial| Polynomial {
            constant: Integer::ZERO,
            summands: vec![(monomial, Integer::ONE)],
        };
        let (part, factor) = exact.unwrap_or_else(|| (single(monomial), coefficient));
        multiplied = multiplied.add_scaled(&part, &factor);
    }
    if !is_simpler {
        return None;
    }
    let multiplied = terms.term_of(multiplied);
    Some(terms.wrap(width, multiplied))
}
