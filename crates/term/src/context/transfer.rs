//! The range of a node from the ranges of its parts.

use super::fact::{Fact, Reasons};
use super::range::{Range, absolute};
use crate::arena::Terms;
use crate::node::{BitOp, Node, Quantifier, Rounding, Sort, Sum, Term, Width};
use crate::rules;
use loupe_integer::Integer;

/// All values of a machine type.
pub(super) fn type_range(width: Width) -> Range {
    let (low, high) = width.bounds();
    Range::between(Some(low), Some(high))
}

/// Whether all values are of a machine type.
pub(super) fn fits(range: &Range, width: Width) -> bool {
    let all = type_range(width);
    matches!((&all.low, &all.high), (Some(low), Some(high)) if range.is_within(low, high))
}

/// What is known of a term without assumptions on it: by its node and what is known of its parts.
pub(super) fn node_fact<'f>(
    terms: &Terms,
    term: Term,
    of: &impl Fn(Term) -> Option<&'f Fact>,
) -> Fact {
    match terms.node(term) {
        Node::Sum(sum) => sum_fact(sum, of),
        Node::NonPositive(a) => of(*a).map_or_else(|| any(terms, term), non_positive),
        Node::And(parts) => connective_fact(parts, false, of),
        Node::Or(parts) => connective_fact(parts, true, of),
        Node::Ite(condition, then, otherwise) => {
            let decided = of(*condition).and_then(|fact| Some((fact.range.as_bool()?, fact)));
            let Some((truth, why)) = decided else {
                return by_parts(terms, term, of);
            };
            let Some(branch) = of(if truth { *then } else { *otherwise }) else {
                return any(terms, term);
            };
            Fact::because(branch.range.clone(), branch.reasons().and(&why.reasons()))
        }
        _ => by_parts(terms, term, of),
    }
}

fn any(terms: &Terms, term: Term) -> Fact {
    Fact::always(if terms.sort(term) == Sort::Bool { Range::truth() } else { Range::ALL })
}

/// The general case: the range of the node, for the reasons of all parts.
fn by_parts<'f>(terms: &Terms, term: Term, of: &impl Fn(Term) -> Option<&'f Fact>) -> Fact {
    let Some(range) = node_range(terms.node(term), &|part| of(part).map(|fact| &fact.range)) else {
        return any(terms, term);
    };
    let mut reasons = Reasons::default();
    terms.node(term).for_each_child(|part| {
        if let Some(fact) = of(part)
            && !reasons.are_many()
        {
            reasons = reasons.and(&fact.reasons());
        }
    });
    if reasons.are_many() { alone(terms, term) } else { Fact::because(range, reasons) }
}

/// What is known of a term if nothing is of its parts.
pub(super) fn alone(terms: &Terms, term: Term) -> Fact {
    let (integer, truth) = (Range::ALL, Range::truth());
    let range = node_range(terms.node(term), &|part| match terms.sort(part) {
        Sort::Bool => Some(&truth),
        Sort::Int | Sort::Array(_) => Some(&integer),
    });
    range.map_or_else(|| any(terms, term), Fact::always)
}

fn sum_fact<'f>(sum: &Sum, of: &impl Fn(Term) -> Option<&'f Fact>) -> Fact {
    let mut total = Fact::always(Range::exactly(sum.constant.clone()));
    for (monomial, coefficient) in &sum.summands {
        let Some(fact) = of(*monomial) else {
            return Fact::always(Range::ALL);
        };
        let (low, high) = if coefficient.is_negative() {
            (&fact.high, &fact.low)
        } else {
            (&fact.low, &fact.high)
        };
        total.range = total.range.add(&fact.range.scale(coefficient));
        total.low = total.low.and(low);
        total.high = total.high.and(high);
        total.congruence = total.congruence.and(&fact.congruence);
        if total.has_many_reasons() {
            return Fact::always(Range::ALL);
        }
    }
    // A bound may have been moved to the next value of the residue class.
    if total.range.modulus != Integer::ONE {
        total.low = total.low.and(&total.congruence);
        total.high = total.high.and(&total.congruence);
    }
    total
}

fn non_positive(fact: &Fact) -> Fact {
    let range = &fact.range;
    if range.high.as_ref().is_some_and(|high| *high <= Integer::ZERO) {
        Fact::because(Range::exactly(Integer::ONE), fact.high.clone())
    } else if range.is_at_least(&Integer::ONE) {
        Fact::because(Range::exactly(Integer::ZERO), fact.low.clone())
    } else {
        Fact::always(Range::truth())
    }
}

/// Of a conjunction, for which false is decisive, or of a disjunction.
fn connective_fact<'f>(
    parts: &[Term],
    decisive: bool,
    of: &impl Fn(Term) -> Option<&'f Fact>,
) -> Fact {
    let mut reasons = Reasons::default();
    let mut decided = true;
    for part in parts {
        match of(*part).and_then(|fact| Some((fact.range.as_bool()?, fact))) {
            Some((truth, fact)) if truth == decisive => return fact.clone(),
            Some((_, fact)) if !reasons.are_many() => reasons = reasons.and(&fact.reasons()),
            Some(_) => {}
            None => decided = false,
        }
    }
    if decided && !reasons.are_many() {
        Fact::because(Range::exactly(Integer::from(!decisive)), reasons)
    } else {
        Fact::always(Range::truth())
    }
}

/// The range of a node; `None` if nothing is known.
fn node_range<'f>(node: &Node, of: &impl Fn(Term) -> Option<&'f Range>) -> Option<Range> {
    let truth = |value: bool| Some(Range::exactly(Integer::from(value)));
    match node {
        Node::Bool(value) => truth(*value),
        Node::Int(value) => Some(Range::exactly(value.clone())),
        Node::Product(factors) => {
            let mut product = Range::exactly(Integer::ONE);
            for (atom, exponent) in factors {
                product = product.mul(&of(*atom)?.power(*exponent));
            }
            Some(product)
        }
        Node::Quotient(rounding, a, b) => quotient(*rounding, of(*a)?, of(*b)?),
        Node::Remainder(rounding, a, b) => remainder(*rounding, of(*a)?, of(*b)?),
        Node::Power(base, exponent) => power(base, of(*exponent)?),
        Node::Wrap(width, a) => Some(wrap(*width, of(*a)?)),
        Node::Bits(op, width, a, b) => Some(bits(*op, *width, of(*a)?, of(*b)?)),
        Node::Ite(_, a, b) | Node::Store(a, _, b) => Some(of(*a)?.join(of(*b)?)),
        Node::Select(array, _) => of(*array).cloned(),
        Node::ConstantArray(_, value) => of(*value).cloned(),
        Node::Lambda(_, body) => of(*body).cloned(),
        Node::Not(a) => truth(!of(*a)?.as_bool()?),
        Node::Zero(a) => match of(*a)? {
            range if range.value().is_some_and(Integer::is_zero) => truth(true),
            range if !range.contains(&Integer::ZERO) => truth(false),
            _ => None,
        },
        Node::Divides(divisor, a) => {
            let range = of(*a)?;
            // The values are residue + k·modulus: all alike if the divisor divides the modulus.
            let common = range.modulus.gcd(divisor);
            let divides = range.residue.rem_euclidean(&common)?.is_zero();
            if common == *divisor || !divides { truth(divides) } else { None }
        }
        Node::Quantified(quantifier, _, [low, high, body]) => {
            let empty = of(*high)?.high.as_ref()? <= of(*low)?.low.as_ref()?;
            let trivial = *quantifier == Quantifier::Forall;
            if empty || of(*body)?.as_bool() == Some(trivial) { truth(trivial) } else { None }
        }
        Node::Symbol(_)
        | Node::Bound(_)
        | Node::Star(_)
        | Node::Apply(..)
        | Node::SameArray(..)
        | Node::Sum(_)
        | Node::NonPositive(_)
        | Node::And(_)
        | Node::Or(_) => None,
    }
}

fn quotient(rounding: Rounding, a: &Range, b: &Range) -> Option<Range> {
    if let Some(divisor) = b.value() {
        // Quotients by a constant are monotone in the dividend.
        let divided =
            |bound: &Option<Integer>| Some(rules::quotient(rounding, bound.as_ref()?, divisor));
        let (low, high) = (divided(&a.low), divided(&a.high));
        let falling = divisor.is_negative();
        return Some(match divisor.is_zero() {
            true => Range::exactly(Integer::ZERO),
            false if falling => Range::between(high, low),
            false => Range::between(low, high),
        });
    }
    if a.is_natural() && b.is_natural() {
        return Some(Range::between(Some(Integer::ZERO), a.high.clone()));
    }
    // No quotient is larger than the dividend.
    let magnitude = a.magnitude()?;
    Some(Range::between(Some(magnitude.neg()), Some(magnitude)))
}

fn remainder(rounding: Rounding, a: &Range, b: &Range) -> Option<Range> {
    let (zero, one) = (Integer::ZERO, Integer::ONE);
    let divisor = b.value().filter(|divisor| !divisor.is_zero()).map(absolute);
    // The dividend itself, if it is smaller than the divisor or that is 0.
    if b.value().is_some_and(Integer::is_zero) || keeps(rounding, a, b) {
        return Some(a.clone());
    }
    if rounding == Rounding::Euclidean
        && let Some(divisor) = &divisor
        && let (Some(low), Some(high)) = (&a.low, &a.high)
    {
        // All dividends between the same two multiples.
        let (first, last) = (low.div_floor(divisor)?, high.div_floor(divisor)?);
        if first == last {
            return Some(a.add(&Range::exactly(first.mul(divisor).neg())));
        }
    }
    // Never farther from 0 than the dividend, where both are on the same side of 0.
    let least =
        |x: &Integer, y: Option<&Integer>| y.map_or(x.clone(), |y| x.clone().min(y.clone()));
    let largest = b.magnitude().map(|magnitude| magnitude.sub(&one));
    let nonzero = !b.contains(&zero);
    let range = match rounding {
        Rounding::Euclidean if a.is_natural() => {
            let high = match (&a.high, &largest) {
                (Some(high), Some(largest)) if nonzero => Some(least(high, Some(largest))),
                (None, largest) if nonzero => largest.clone(),
                (high, _) => high.clone(),
            };
            Range::between(Some(zero), high)
        }
        Rounding::Euclidean if nonzero => Range::between(Some(zero), largest),
        Rounding::Euclidean => return None,
        Rounding::Truncated => {
            let high = a.high.as_ref().map(|high| high.clone().max(zero.clone()));
            let low = a.low.as_ref().map(|low| low.clone().min(zero.clone()));
            match largest.filter(|_| nonzero) {
                Some(largest) => {
                    let high = high.map_or(largest.clone(), |high| least(&high, Some(&largest)));
                    let low = low.map_or(largest.neg(), |low| low.max(largest.neg()));
                    Range::between(Some(low), Some(high))
                }
                None => Range::between(low, high),
            }
        }
    };
    let Some(divisor) = divisor else {
        return Some(range);
    };
    // It differs from the dividend by a multiple of the divisor.
    let modulus = a.modulus.gcd(&divisor);
    Some(Range { modulus, residue: a.residue.clone(), ..range }.settled())
}

/// Whether remainders are the dividends themselves.
pub(super) fn keeps(rounding: Rounding, a: &Range, b: &Range) -> bool {
    let Some(divisor) = b.value().map(absolute) else {
        return false;
    };
    let largest = divisor.sub(&Integer::ONE);
    match rounding {
        Rounding::Euclidean => a.is_within(&Integer::ZERO, &largest),
        Rounding::Truncated => a.is_within(&largest.neg(), &largest),
    }
}

fn power(base: &Integer, exponent: &Range) -> Option<Range> {
    let at = |bound: &Option<Integer>| rules::power(base, bound.as_ref()?);
    if base.bits() <= 1 {
        // 0, 1 and -1.
        let low = if base.is_negative() { base.clone() } else { Integer::ZERO };
        return Some(Range::between(Some(low), Some(Integer::ONE)));
    }
    if base.is_negative() {
        let magnitude = rules::power(&base.neg(), exponent.high.as_ref()?)?;
        return Some(Range::between(Some(magnitude.neg()), Some(magnitude)));
    }
    let low = at(&exponent.low).unwrap_or(Integer::ONE);
    let range = Range::between(Some(low), at(&exponent.high));
    if exponent.is_at_least(&Integer::ONE) && range.value().is_none() {
        return Some(Range { modulus: base.clone(), ..range }.settled());
    }
    Some(range)
}

fn wrap(width: Width, a: &Range) -> Range {
    let all = type_range(width);
    let modulus = Integer::power_of_two(width.bits);
    if let (Some(low), Some(high), Some(least)) = (&a.low, &a.high, &all.low) {
        // How many times the modulus must be subtracted, for the least and the greatest.
        let turns = |value: &Integer| value.sub(least).div_floor(&modulus);
        if let (Some(first), Some(last)) = (turns(low), turns(high))
            && first == last
        {
            return a.add(&Range::exactly(first.mul(&modulus).neg()));
        }
    }
    let common = a.modulus.gcd(&modulus);
    Range { modulus: common, residue: a.residue.clone(), ..all }.settled()
}

/// The range of an operation on bits, whose operands are wrapped first.
fn bits(op: BitOp, width: Width, a: &Range, b: &Range) -> Range {
    let all = type_range(width);
    let (zero, x) = (Integer::ZERO, wrap(width, a));
    // The least 2ⁿ - 1 that is not below.
    let mask = |value: &Integer| {
        let bits = u32::try_from(value.bits()).unwrap_or(u32::MAX).min(Width::MAX_BITS);
        Integer::power_of_two(bits).sub(&Integer::ONE)
    };
    match op {
        BitOp::And | BitOp::Or | BitOp::Xor => {
            let y = wrap(width, b);
            match (op, x.is_natural(), y.is_natural(), &x.high, &y.high) {
                // Bits are only taken away.
                (BitOp::And, true, true, Some(p), Some(q)) => {
                    Range::between(Some(zero), Some(p.min(q).clone()))
                }
                (BitOp::And, true, false, high, _) | (BitOp::And, false, true, _, high) => {
                    Range::between(Some(zero), high.clone())
                }
                // Bits are only added, and none that neither has.
                (BitOp::Or, true, true, Some(p), Some(q)) => {
                    Range::between(x.low.clone().max(y.low.clone()), Some(mask(p.max(q))))
                }
                (BitOp::Xor, true, true, Some(p), Some(q)) => {
                    Range::between(Some(zero), Some(mask(p.max(q))))
                }
                _ => all,
            }
        }
        BitOp::Shl | BitOp::Shr => {
            let Some(count) = b.value() else {
                if op == BitOp::Shr {
                    // Toward 0 or -1, or 0 for counts that are too large.
                    let low = x.low.map(|low| low.min(zero.clone()));
                    return Range::between(low, x.high.map(|high| high.max(zero)));
                }
                return all;
            };
            let count = count.to_i64().and_then(|count| u32::try_from(count).ok());
            let Some(count) = count.filter(|count| *count < width.bits) else {
                return Range::exactly(zero);
            };
            if op == BitOp::Shl {
                return wrap(width, &x.scale(&Integer::power_of_two(count)));
            }
            let shifted = |bound: Option<Integer>| Some(bound?.shift_right(count));
            Range::between(shifted(x.low), shifted(x.high))
        }
    }
}
