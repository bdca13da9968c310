//! Machine arithmetic.

use super::Rule;
use crate::arena::Terms;
use crate::node::{BitOp, Node, Rounding, Term, Width};
use loupe_integer::{Integer, Signedness};

/// For wrapping.
pub(super) const WRAP: &[Rule] = &[
    Rule { name: "wrap-constant", argument: "the definition", apply: wrap_constant },
    Rule { name: "wrap-fits", argument: "all values are of the type", apply: wrap_fits },
    Rule { name: "wrap-wrap", argument: "low bits of low bits", apply: wrap_wrap },
    Rule { name: "wrap-modulus", argument: "2ⁿ·x has no low bits", apply: wrap_modulus },
    Rule {
        name: "wrap-sum",
        argument: "low bits of sums and products come from low bits of their parts",
        apply: wrap_sum,
    },
];

/// For operations on bits.
pub(super) const BITS: &[Rule] = &[
    Rule { name: "bits-constants", argument: "the definition", apply: bits_constants },
    Rule {
        name: "bits-wrap",
        argument: "operands are wrapped anyway, but for counts",
        apply: bits_wrap,
    },
    Rule { name: "bits-same", argument: "bit by bit", apply: bits_same },
    Rule { name: "bits-neutral", argument: "bit by bit; no shift", apply: bits_neutral },
    Rule {
        name: "bits-mask", argument: "the low bits are the remainder by 2ⁿ", apply: bits_mask
    },
    Rule {
        name: "bits-shift",
        argument: "a left shift multiplies; counts beyond the width give 0",
        apply: bits_shift,
    },
    Rule { name: "bits-order", argument: "bit by bit, in either order", apply: bits_order },
];

fn wrap_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = node else {
        return None;
    };
    let result = terms.as_int(*a)?.wrap(width.bits, width.signedness);
    Some(terms.int(result))
}

fn wrap_wrap(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = *node else {
        return None;
    };
    let below = low_bits(terms, width, a);
    (below != a).then(|| terms.wrap(width, below))
}

/// A term with the same low bits, below what only takes low bits.
fn low_bits(terms: &Terms, width: Width, term: Term) -> Term {
    let mut current = term;
    while let Node::Wrap(inner, below) = terms.node(current)
        && width.bits <= inner.bits
    {
        current = *below;
    }
    current
}

fn wrap_modulus(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = node else {
        return None;
    };
    let modulus = Integer::power_of_two(width.bits);
    let mut polynomial = terms.polynomial(*a);
    let (before, constant) = (polynomial.summands.len(), polynomial.constant.clone());
    let multiple = |value: &Integer| value.rem_euclidean(&modulus).is_some_and(|r| r.is_zero());
    polynomial.summands.retain(|(_, coefficient)| !multiple(coefficient));
    if multiple(&constant) {
        polynomial.constant = Integer::ZERO;
    }
    if polynomial.summands.len() == before && polynomial.constant == constant {
        return None;
    }
    let a = terms.term_of(polynomial);
    Some(terms.wrap(*width, a))
}

fn bits_constants(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(op, width, a, b) = node else {
        return None;
    };
    let result = crate::eval::bits(*op, *width, terms.as_int(*a)?, terms.as_int(*b)?);
    Some(terms.int(result))
}

fn bits_mask(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(BitOp::And, width, a, b) = *node else {
        return None;
    };
    let (mask, other) = match (terms.as_int(a), terms.as_int(b)) {
        (Some(mask), None) => (mask.clone(), b),
        (None, Some(mask)) => (mask.clone(), a),
        _ => return None,
    };
    // Only what the type holds, so that the mask is not changed by wrapping. All ones of a signed
    // type are -1, which is no mask.
    let modulus = mask.add(&Integer::ONE);
    let bits = u32::try_from(mask.bits()).ok()?;
    if mask.is_negative()
        || modulus != Integer::power_of_two(bits)
        || mask.wrap(width.bits, width.signedness) != mask
    {
        return None;
    }
    let modulus = terms.int(modulus);
    Some(terms.remainder(Rounding::Euclidean, other, modulus))
}

/// Whether all values that a node of machine arithmetic can have are in a machine type.
fn is_of(terms: &Terms, term: Term, outer: Width) -> bool {
    let holds = |low: &Integer, high: &Integer| {
        let kept = |value: &Integer| value.wrap(outer.bits, outer.signedness) == *value;
        kept(low) && kept(high)
    };
    match terms.node(term) {
        Node::Wrap(inner, _) | Node::Bits(_, inner, ..) => match inner.signedness {
            Signedness::Unsigned => {
                holds(&Integer::ZERO, &Integer::power_of_two(inner.bits).sub(&Integer::ONE))
            }
            Signedness::Signed => {
                let half = Integer::power_of_two(inner.bits - 1);
                holds(&half.neg(), &half.sub(&Integer::ONE))
            }
        },
        Node::Remainder(Rounding::Euclidean, _, divisor) => {
            let divisor = terms.as_int(*divisor).filter(|divisor| **divisor > Integer::ZERO);
            divisor.is_some_and(|divisor| holds(&Integer::ZERO, &divisor.sub(&Integer::ONE)))
        }
        _ => false,
    }
}

fn wrap_fits(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = *node else {
        return None;
    };
    is_of(terms, a, width).then_some(a)
}

fn wrap_sum(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Wrap(width, a) = *node else {
        return None;
    };
    let below = terms.congruent(a, width.bits);
    (below != a).then(|| terms.wrap(width, below))
}

/// Products of what is wrapped are multiplied out up to so many summands,
const MAX_SUMMANDS: usize = 32;
/// and up to this degree.
const MAX_DEGREE: u32 = 8;

impl Terms {
    /// A term that is the same modulo 2ⁿ, n being the number of bits, with fewer wraps: integers modulo 2ⁿ are a ring, and a wrap of at least n bits changes nothing in it, wherever in
    /// sums and products it stands.
    pub fn congruent(&mut self, term: Term, bits: u32) -> Term {
        if self.is_starred(term) {
            return term;
        }
        let mut current = term;
        // What was below may be a polynomial in which others show up.
        while let Some(below) = self.without_outer_wraps(current, bits) {
            current = below;
        }
        current
    }

    /// The same polynomial over what is below the wraps among its atoms; `None` if there are none, or if it becomes too large.
    fn without_outer_wraps(&mut self, term: Term, bits: u32) -> Option<Term> {
        let is_wrap = |terms: &Terms, atom: Term| matches!(terms.node(atom), Node::Wrap(width, _) if bits <= width.bits);
        let polynomial = self.polynomial(term);
        let mut sum = self.int(polynomial.constant.clone());
        let mut any = false;
        for (monomial, coefficient) in &polynomial.summands {
            let mut product = self.int(1);
            let mut summands: usize = 1;
            for (atom, exponent) in self.factors(*monomial) {
                let mut factor = atom;
                while is_wrap(self, factor)
                    && let Node::Wrap(_, below) = *self.node(factor)
                {
                    (factor, any) = (below, true);
                }
                if factor != atom {
                    let own = self.polynomial(factor).summands.len() + 1;
                    let power = own.checked_pow(exponent.min(MAX_DEGREE + 1));
                    summands = power.map_or(usize::MAX, |power| summands.saturating_mul(power));
                    if summands > MAX_SUMMANDS || exponent > MAX_DEGREE {
                        return None;
                    }
                }
                let power = self.pow(factor, exponent);
                product = self.mul(product, power);
            }
            sum = self.add_scaled(sum, product, coefficient);
        }
        (any && sum != term && self.degree(sum) <= MAX_DEGREE).then_some(sum)
    }

    /// The largest number of factors that a monomial of a polynomial has.
    pub fn degree(&self, term: Term) -> u32 {
        let degree = |monomial: &Term| {
            let factors = self.factors(*monomial);
            factors.iter().fold(0_u32, |sum, (_, exponent)| sum.saturating_add(*exponent))
        };
        let polynomial = self.polynomial(term);
        polynomial.summands.iter().map(|(monomial, _)| degree(monomial)).max().unwrap_or(0)
    }
}

fn bits_order(terms: &mut Terms, node: &Node) -> Option<Term> {
    match *node {
        Node::Bits(op @ (BitOp::And | BitOp::Or | BitOp::Xor), width, a, b) if b < a => {
            Some(terms.bits(op, width, b, a))
        }
        _ => None,
    }
}

fn bits_same(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(op, width, a, b) = *node else {
        return None;
    };
    if a != b || terms.is_starred(a) {
        return None;
    }
    match op {
        BitOp::And | BitOp::Or => Some(terms.wrap(width, a)),
        BitOp::Xor => Some(terms.int(0)),
        BitOp::Shl | BitOp::Shr => None,
    }
}

fn bits_neutral(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(op, width, a, b) = *node else {
        return None;
    };
    let wrapped = |value: &Integer| value.wrap(width.bits, width.signedness);
    let (constant, other) = match (op, terms.as_int(a), terms.as_int(b)) {
        (_, _, Some(constant)) => (constant, a),
        (BitOp::And | BitOp::Or | BitOp::Xor, Some(constant), _) => (constant, b),
        _ => return None,
    };
    let zero = match op {
        BitOp::Shl | BitOp::Shr => constant.is_zero(),
        _ => wrapped(constant).is_zero(),
    };
    let ones = wrapped(constant) == wrapped(&Integer::from(-1));
    match op {
        BitOp::Or | BitOp::Xor | BitOp::Shl | BitOp::Shr if zero => Some(terms.wrap(width, other)),
        BitOp::And if ones => Some(terms.wrap(width, other)),
        BitOp::Or if ones => {
            let ones = wrapped(&Integer::from(-1));
            Some(terms.int(ones))
        }
        BitOp::And if zero => Some(terms.int(0)),
        _ => None,
    }
}

fn bits_shift(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(op @ (BitOp::Shl | BitOp::Shr), width, a, b) = *node else {
        return None;
    };
    let count = terms.as_int(b)?;
    let count = count.to_i64().and_then(|count| u32::try_from(count).ok());
    match (op, count.filter(|count| *count < width.bits)) {
        (_, None) => Some(terms.int(0)),
        (BitOp::Shl, Some(count)) => {
            let scaled = terms.scale(a, &Integer::power_of_two(count));
            Some(terms.wrap(width, scaled))
        }
        _ => None,
    }
}

fn bits_wrap(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Bits(op, width, a, b) = *node else {
        return None;
    };
    let is_shift = matches!(op, BitOp::Shl | BitOp::Shr);
    let x = low_bits(terms, width, a);
    let y = if is_shift { b } else { low_bits(terms, width, b) };
    ((x, y) != (a, b)).then(|| terms.bits(op, width, x, y))
}
