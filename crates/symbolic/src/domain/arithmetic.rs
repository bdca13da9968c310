//! Operations on integers and truth values.

use super::{Outcome, Symbolic, bounds, width};
use crate::halt::{Halt, internal, unsupported};
use crate::value::{Bool, Int};
use loupe_engine::concrete::integers;
use loupe_integer::Integer;
use loupe_ir::program::{BinaryOp, CompareOp};
use loupe_ir::types::IntType;
use loupe_term::{BitOp, Rounding, Term};

/// Numbers with more bits end a path.
const MAX_BITS: u64 = 1 << 20;

impl Symbolic {
    /// An operation on numbers of type `ty`.
    pub(super) fn operate(&mut self, op: BinaryOp, ty: IntType, a: &Int, b: &Int) -> Outcome<Int> {
        if let (Int::Known(a), Int::Known(b)) = (a, b) {
            return known(op, ty, a, b).map(Int::Known);
        }
        let (a, b) = (self.term(a), self.term(b));
        let exact = match op {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                return self.bitwise(op, ty, a, b);
            }
            BinaryOp::Shr => return self.shift_right(ty, a, b),
            op => self.exact(op, a, b)?,
        };
        Ok(self.wrapped(ty, exact))
    }

    /// The mathematical result of an operation. A quotient is only asked for where the divisor is not 0.
    fn exact(&mut self, op: BinaryOp, a: Term, b: Term) -> Outcome<Term> {
        Ok(match op {
            BinaryOp::Add => self.terms.add(a, b),
            BinaryOp::Sub => self.terms.sub(a, b),
            BinaryOp::Mul => self.terms.mul(a, b),
            BinaryOp::Div => self.terms.quotient(Rounding::Truncated, a, b),
            BinaryOp::Rem => self.terms.remainder(Rounding::Truncated, a, b),
            BinaryOp::Shl => {
                let factor = self.terms.power(2, b);
                self.terms.mul(a, factor)
            }
            _ => return Err(unsupported("this operation on numbers of any size")),
        })
    }

    /// The number of type `ty` with the low bits of a term.
    pub(super) fn wrapped(&mut self, ty: IntType, term: Term) -> Int {
        let Some(width) = width(ty) else { return self.int_of(term) };
        if self.fits_everywhere(ty, term) {
            return self.int_of(term);
        }
        let wrapped = self.terms.wrap(width, term);
        self.int_of(wrapped)
    }

    /// Whether a number is of type `ty`, whatever the inputs are.
    pub(crate) fn is_everywhere_of(&mut self, ty: IntType, int: &Int) -> bool {
        match int {
            Int::Known(number) => ty.contains(number),
            Int::Term(term) => self.fits_everywhere(ty, *term),
        }
    }

    /// Whether a term is a number of type `ty`, whatever the inputs are. The ranges of symbols hold on
    /// every path on which they occur, so no path is asked.
    fn fits_everywhere(&mut self, ty: IntType, term: Term) -> bool {
        let Some((low, high)) = bounds(ty) else { return true };
        let range = self.everywhere.range(&self.terms, term);
        range.low.is_some_and(|least| least >= low) && range.high.is_some_and(|most| most <= high)
    }

    /// Bits are those of the two's complement. A mask of the lowest bits is a remainder, which more is
    /// known about than about bits.
    fn bitwise(&mut self, op: BinaryOp, ty: IntType, a: Term, b: Term) -> Outcome<Int> {
        let Some(width) = width(ty) else {
            return Err(unsupported("an operation on the bits of numbers of any size"));
        };
        if op == BinaryOp::BitAnd {
            for (value, mask) in [(a, b), (b, a)] {
                if let Some(modulus) = self.terms.as_int(mask).and_then(low_bits) {
                    let modulus = self.terms.int(modulus);
                    let rest = self.terms.remainder(Rounding::Euclidean, value, modulus);
                    return Ok(self.wrapped(ty, rest));
                }
            }
        }
        let op = match op {
            BinaryOp::BitAnd => BitOp::And,
            BinaryOp::BitOr => BitOp::Or,
            _ => BitOp::Xor,
        };
        let result = self.terms.bits(op, width, a, b);
        Ok(self.int_of(result))
    }

    /// Both kinds of right shifts are quotients that are rounded down: a number without a sign is not
    /// negative.
    fn shift_right(&mut self, ty: IntType, a: Term, count: Term) -> Outcome<Int> {
        let divisor = self.terms.power(2, count);
        let quotient = self.terms.quotient(Rounding::Euclidean, a, divisor);
        Ok(self.wrapped(ty, quotient))
    }

    /// A comparison.
    pub(crate) fn compared(&mut self, op: CompareOp, a: &Int, b: &Int) -> Bool {
        if let (Int::Known(a), Int::Known(b)) = (a, b) {
            return Bool::Known(integers::compare(op, a, b));
        }
        let (a, b) = (self.term(a), self.term(b));
        let condition = match op {
            CompareOp::Eq => self.terms.eq(a, b),
            CompareOp::Ne => self.terms.ne(a, b),
            CompareOp::Lt => self.terms.lt(a, b),
            CompareOp::Le => self.terms.le(a, b),
            CompareOp::Gt => self.terms.lt(b, a),
            CompareOp::Ge => self.terms.le(b, a),
        };
        self.plain_truth(condition)
    }

    /// The truth value of a condition; what holds whatever the inputs are is not asked any further.
    pub(crate) fn plain_truth(&mut self, condition: Term) -> Bool {
        match self.everywhere.decide(&self.terms, condition) {
            Some(truth) => Bool::Known(truth),
            None => self.truth_of(condition),
        }
    }

    /// Whether the mathematical result of an operation is of type `ty`.
    pub(super) fn fitting(&mut self, op: BinaryOp, ty: IntType, a: &Int, b: &Int) -> Outcome<Bool> {
        let Some((low, high)) = bounds(ty) else { return Ok(Bool::Known(true)) };
        if let (Int::Known(a), Int::Known(b)) = (a, b) {
            if op == BinaryOp::Shl && *b > Integer::from(MAX_BITS as i64) {
                return Ok(Bool::Known(a.is_zero()));
            }
            let fits = integers::exact(op, a, b).is_ok_and(|exact| ty.contains(&exact));
            return Ok(Bool::Known(fits));
        }
        if let (BinaryOp::Shl, Int::Known(number), IntType::Machine { width, .. }) = (op, a, ty) {
            return Ok(self.few_enough(b, ty, (number, width)));
        }
        let (a, b) = (self.term(a), self.term(b));
        let exact = self.exact(op, a, b)?;
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let (above, below) = (self.terms.le(low, exact), self.terms.le(exact, high));
        let fits = self.terms.and([above, below]);
        Ok(self.plain_truth(fits))
    }

    /// The conditions for a term to be of type `ty`.
    pub(crate) fn range_conditions(&mut self, ty: IntType, term: Term) -> Vec<Term> {
        let Some((low, high)) = bounds(ty) else { return Vec::new() };
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        vec![self.terms.le(low, term), self.terms.le(term, high)]
    }

    /// Whether a number of so many bits that is shifted to the left by so many places is still of its type. With each place its amount grows, so this is a
    /// question for the places alone, without powers, which solvers know little of.
    fn few_enough(&mut self, places: &Int, ty: IntType, (number, width): (&Integer, u32)) -> Bool {
        if number.is_zero() {
            return Bool::Known(true);
        }
        let fits = |places: &u32| ty.contains(&number.shift_left(*places));
        let most = (0..=width).take_while(fits).count();
        self.compared(CompareOp::Lt, places, &Int::Known(Integer::from(most as u64)))
    }

    /// The conjunction.
    pub(crate) fn both(&mut self, a: Bool, b: Bool) -> Bool {
        match (a, b) {
            (Bool::Known(true), other) | (other, Bool::Known(true)) => other,
            (Bool::Known(false), _) | (_, Bool::Known(false)) => Bool::Known(false),
            (Bool::Term(a), Bool::Term(b)) => {
                let both = self.terms.and([a, b]);
                self.truth_of(both)
            }
        }
    }

    /// The disjunction.
    pub(crate) fn either(&mut self, a: Bool, b: Bool) -> Bool {
        match (a, b) {
            (Bool::Known(false), other) | (other, Bool::Known(false)) => other,
            (Bool::Known(true), _) | (_, Bool::Known(true)) => Bool::Known(true),
            (Bool::Term(a), Bool::Term(b)) => {
                let either = self.terms.or([a, b]);
                self.truth_of(either)
            }
        }
    }

    /// The sum, as numbers of any size.
    pub(crate) fn sum(&mut self, a: &Int, b: &Int) -> Int {
        if let (Int::Known(a), Int::Known(b)) = (a, b) {
            return Int::Known(a.add(b));
        }
        let (a, b) = (self.term(a), self.term(b));
        let sum = self.terms.add(a, b);
        self.int_of(sum)
    }

    /// The product with a number, as numbers of any size.
    pub(crate) fn scaled(&mut self, a: &Int, factor: &Integer) -> Int {
        match a {
            Int::Known(a) => Int::Known(a.mul(factor)),
            Int::Term(a) => {
                let product = self.terms.scale(*a, factor);
                self.int_of(product)
            }
        }
    }

    /// A choice.
    pub(crate) fn choice(&mut self, condition: Term, then: &Int, otherwise: &Int) -> Int {
        if then == otherwise {
            return then.clone();
        }
        let (then, otherwise) = (self.term(then), self.term(otherwise));
        let choice = self.terms.ite(condition, then, otherwise);
        self.int_of(choice)
    }
}

/// An operation on numbers.
fn known(op: BinaryOp, ty: IntType, a: &Integer, b: &Integer) -> Outcome<Integer> {
    let small = a.to_i64().zip(b.to_i64());
    if let Some(result) = small.and_then(|(a, b)| integers::quick(op, ty, a, b)) {
        return Ok(result);
    }
    let too_large = || Box::new(Halt::Limit(format!("a number has more than {MAX_BITS} bits")));
    let expected = match op {
        BinaryOp::Mul => a.bits() + b.bits(),
        BinaryOp::Shl => a.bits() + b.to_usize().map_or(u64::MAX / 2, |count| count as u64),
        _ => 0,
    };
    if expected > MAX_BITS {
        return Err(too_large());
    }
    let exact = integers::exact(op, a, b).map_err(|halt| internal(halt.to_string()))?;
    let result = ty.wrap(exact);
    if result.bits() > MAX_BITS { Err(too_large()) } else { Ok(result) }
}

/// The power of two that a mask of the lowest bits is one less than.
fn low_bits(mask: &Integer) -> Option<Integer> {
    if mask.is_negative() || mask.is_zero() {
        return None;
    }
    let next = mask.add(&Integer::ONE);
    next.bit_and(mask).is_zero().then_some(next)
}
