//! Queries with operations on bits, as a whole in the theory of bit-vectors.
//!
//! Over integers, Z3 is weak on such queries. Where the range of every symbol is known, each term gets a
//! two's complement vector that is wide enough for all its values, so that nothing ever overflows and
//! the vectors *are* the integers. The ranges of the symbols are asserted too: they follow from the
//! query, and outside of them the vectors would mean something else.

use super::translate::WrongSort;
use loupe_integer::{Integer, Signedness};
use loupe_term::{Assignment, BitOp, Node, Rounding, Sort, SymbolId, Term, Terms, Value, Width};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use z3::ast::{BV, Bool};

/// A range of integers, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) low: Integer,
    pub(super) high: Integer,
}

impl Span {
    fn new(low: Integer, high: Integer) -> Self {
        Span { low, high }
    }

    fn point(value: &Integer) -> Self {
        Span::new(value.clone(), value.clone())
    }

    fn of_width(width: Width) -> Self {
        match width.signedness {
            Signedness::Unsigned => {
                Span::new(Integer::ZERO, Integer::power_of_two(width.bits).sub(&Integer::ONE))
            }
            Signedness::Signed => {
                let half = Integer::power_of_two(width.bits.saturating_sub(1));
                Span::new(half.neg(), half.sub(&Integer::ONE))
            }
        }
    }

    fn contains(&self, other: &Span) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    fn join(&self, other: &Span) -> Span {
        Span::new(
            self.low.clone().min(other.low.clone()),
            self.high.clone().max(other.high.clone()),
        )
    }

    fn add(&self, other: &Span) -> Span {
        Span::new(self.low.add(&other.low), self.high.add(&other.high))
    }

    fn mul(&self, other: &Span) -> Span {
        let corners = [
            self.low.mul(&other.low),
            self.low.mul(&other.high),
            self.high.mul(&other.low),
            self.high.mul(&other.high),
        ];
        let [first, rest @ ..] = corners;
        rest.into_iter().fold(Span::point(&first), |span, corner| span.join(&Span::point(&corner)))
    }

    /// The largest magnitude.
    fn magnitude(&self) -> Integer {
        self.low.neg().max(self.high.clone()).max(Integer::ZERO)
    }

    /// How many bits hold all values, sign included.
    fn bits(&self) -> Option<u32> {
        let one = Integer::ONE;
        // -2ⁿ needs n+1 bits, 2ⁿ-1 too.
        let negative = if self.low.is_negative() { self.low.add(&one).bits() } else { 0 };
        let positive = if self.high.is_negative() { 0 } else { self.high.bits() };
        u32::try_from(negative.max(positive) + 1).ok().filter(|bits| *bits <= MAX_BITS)
    }
}

/// Wider vectors are not worth it.
const MAX_BITS: u32 = 300;

/// A vector with the range of its values.
#[derive(Clone)]
struct Vector {
    vector: BV,
    span: Span,
}

/// Why a query has no such form: a range that is not known, a vector that would be too wide, an
/// operation that has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoVectors;

impl From<WrongSort> for NoVectors {
    fn from(_: WrongSort) -> Self {
        NoVectors
    }
}

type Encoded<T> = Result<T, NoVectors>;

/// The encoding of one query.
pub(super) struct Encoding<'r> {
    /// The ranges of the integer symbols.
    ranges: &'r FxHashMap<SymbolId, Span>,
    integers: FxHashMap<Term, Vector>,
    truths: FxHashMap<Term, Bool>,
    symbols: BTreeMap<SymbolId, BV>,
    truth_symbols: BTreeMap<SymbolId, Bool>,
}

impl<'r> Encoding<'r> {
    pub(super) fn new(ranges: &'r FxHashMap<SymbolId, Span>) -> Self {
        Encoding {
            ranges,
            integers: FxHashMap::default(),
            truths: FxHashMap::default(),
            symbols: BTreeMap::new(),
            truth_symbols: BTreeMap::new(),
        }
    }

    /// A formula over bit-vectors.
    pub(super) fn formula(&mut self, terms: &Terms, root: Term) -> Encoded<Bool> {
        for term in terms.post_order(root) {
            match terms.sort(term) {
                Sort::Int if !self.integers.contains_key(&term) => {
                    let vector = self.integer(terms, term)?;
                    self.integers.insert(term, vector);
                }
                Sort::Bool if !self.truths.contains_key(&term) => {
                    let truth = self.truth(terms, term)?;
                    self.truths.insert(term, truth);
                }
                Sort::Int | Sort::Bool => {}
                Sort::Array(_) => return Err(NoVectors),
            }
        }
        self.truths.get(&root).cloned().ok_or(NoVectors)
    }

    /// The ranges of the symbols that have been met.
    pub(super) fn ranges(&self) -> Encoded<Vec<Bool>> {
        let mut all = Vec::new();
        for (symbol, vector) in &self.symbols {
            let span = self.ranges.get(symbol).ok_or(NoVectors)?;
            let bits = span.bits().ok_or(NoVectors)?;
            all.push(vector.bvsge(constant(&span.low, bits)?));
            all.push(vector.bvsle(constant(&span.high, bits)?));
        }
        Ok(all)
    }

    /// The values of the symbols in a model.
    pub(super) fn values(&self, model: &z3::Model) -> Assignment {
        let mut values = Assignment::default();
        for (symbol, vector) in &self.symbols {
            let value = model.eval(vector, true).and_then(|value| signed(&value));
            if let Some(value) = value {
                values.symbols.insert(*symbol, Value::Int(value));
            }
        }
        for (symbol, truth) in &self.truth_symbols {
            if let Some(value) = model.eval(truth, true).and_then(|value| value.as_bool()) {
                values.symbols.insert(*symbol, Value::Bool(value));
            }
        }
        values
    }

    fn get(&self, term: Term) -> Encoded<&Vector> {
        self.integers.get(&term).ok_or(NoVectors)
    }

    fn get_truth(&self, term: Term) -> Encoded<Bool> {
        self.truths.get(&term).cloned().ok_or(NoVectors)
    }

    fn truth(&mut self, terms: &Terms, term: Term) -> Encoded<Bool> {
        let all = |parts: &[Term]| -> Encoded<Vec<Bool>> {
            parts.iter().map(|part| self.get_truth(*part)).collect()
        };
        Ok(match terms.node(term) {
            Node::Bool(value) => Bool::from_bool(*value),
            Node::Symbol(symbol) => {
                let truth = Bool::new_const(format!("s{}", symbol.number()));
                self.truth_symbols.insert(*symbol, truth.clone());
                truth
            }
            Node::Not(a) => self.get_truth(*a)?.not(),
            Node::And(parts) => Bool::and(&all(parts)?),
            Node::Or(parts) => Bool::or(&all(parts)?),
            Node::Ite(condition, then, otherwise) => {
                let [condition, then, otherwise] = [
                    self.get_truth(*condition)?,
                    self.get_truth(*then)?,
                    self.get_truth(*otherwise)?,
                ];
                condition.ite(&then, &otherwise)
            }
            Node::NonPositive(a) => {
                let vector = &self.get(*a)?.vector;
                vector.bvsle(BV::from_i64(0, vector.get_size()))
            }
            Node::Zero(a) => {
                let vector = &self.get(*a)?.vector;
                vector.eq(BV::from_i64(0, vector.get_size()))
            }
            Node::Divides(divisor, a) => {
                let a = self.get(*a)?;
                let span = a.span.join(&Span::point(divisor));
                let bits = span.bits().ok_or(NoVectors)?;
                let rest = extended(&a.vector, bits).bvsrem(constant(divisor, bits)?);
                rest.eq(BV::from_i64(0, bits))
            }
            _ => return Err(NoVectors),
        })
    }

    fn integer(&mut self, terms: &Terms, term: Term) -> Encoded<Vector> {
        Ok(match terms.node(term) {
            Node::Int(value) => {
                let span = Span::point(value);
                let bits = span.bits().ok_or(NoVectors)?;
                Vector { vector: constant(value, bits)?, span }
            }
            Node::Symbol(symbol) => {
                let span = self.ranges.get(symbol).ok_or(NoVectors)?.clone();
                let bits = span.bits().ok_or(NoVectors)?;
                let vector = BV::new_const(format!("v{}_{bits}", symbol.number()), bits);
                self.symbols.insert(*symbol, vector.clone());
                Vector { vector, span }
            }
            Node::Sum(sum) => {
                let mut span = Span::point(&sum.constant);
                for (monomial, coefficient) in &sum.summands {
                    span = span.add(&self.get(*monomial)?.span.mul(&Span::point(coefficient)));
                }
                // Modulo 2ᵇ the order of operations does not matter, and the result fits.
                let bits = span.bits().ok_or(NoVectors)?;
                let mut total = constant(&sum.constant, bits)?;
                for (monomial, coefficient) in &sum.summands {
                    let part = resized(&self.get(*monomial)?.vector, bits);
                    total = total.bvadd(part.bvmul(constant(coefficient, bits)?));
                }
                Vector { vector: total, span }
            }
            Node::Product(factors) => {
                let mut span = Span::point(&Integer::ONE);
                for (atom, exponent) in factors {
                    for _ in 0..*exponent {
                        span = span.mul(&self.get(*atom)?.span);
                        span.bits().ok_or(NoVectors)?;
                    }
                }
                let bits = span.bits().ok_or(NoVectors)?;
                let mut product = BV::from_i64(1, bits);
                for (atom, exponent) in factors {
                    let atom = resized(&self.get(*atom)?.vector, bits);
                    for _ in 0..*exponent {
                        product = product.bvmul(&atom);
                    }
                }
                Vector { vector: product, span }
            }
            Node::Quotient(rounding, a, b) => self.divided(*rounding, *a, *b)?.0,
            Node::Remainder(rounding, a, b) => self.divided(*rounding, *a, *b)?.1,
            Node::Wrap(width, a) => wrapped(self.get(*a)?, *width)?,
            Node::Bits(op, width, a, b) => {
                bits(*op, checked(*width)?, self.get(*a)?, self.get(*b)?)
            }
            Node::Ite(condition, then, otherwise) => {
                let condition = self.get_truth(*condition)?;
                let (then, otherwise) = (self.get(*then)?, self.get(*otherwise)?);
                let span = then.span.join(&otherwise.span);
                let bits = span.bits().ok_or(NoVectors)?;
                let vector = condition
                    .ite(&extended(&then.vector, bits), &extended(&otherwise.vector, bits));
                Vector { vector, span }
            }
            _ => return Err(NoVectors),
        })
    }

    /// Quotient and remainder.
    fn divided(&self, rounding: Rounding, a: Term, b: Term) -> Encoded<(Vector, Vector)> {
        let (a, b) = (self.get(a)?, self.get(b)?);
        if let Some(shift) = power_of_two(&b.span)
            && (rounding == Rounding::Euclidean || !a.span.low.is_negative())
        {
            return Ok(shifted(a, shift));
        }
        // One bit more than both, for -2ⁿ / -1 and the correction by one.
        let bits = a.span.join(&b.span).bits().ok_or(NoVectors)? + 1;
        let (x, y) = (extended(&a.vector, bits), extended(&b.vector, bits));
        let (zero, one) = (BV::from_i64(0, bits), BV::from_i64(1, bits));
        let (mut quotient, mut rest) = (x.bvsdiv(&y), x.bvsrem(&y));
        if rounding == Rounding::Euclidean {
            // Truncation leaves a negative rest for negative dividends.
            let (negative, positive) = (rest.bvslt(&zero), y.bvsgt(&zero));
            let (more, less) = (quotient.bvadd(&one), quotient.bvsub(&one));
            quotient = negative.ite(&positive.ite(&less, &more), &quotient);
            rest = negative.ite(&positive.ite(&rest.bvadd(&y), &rest.bvsub(&y)), &rest);
        }
        let by_zero = y.eq(&zero);
        quotient = by_zero.ite(&zero, &quotient);
        rest = by_zero.ite(&x, &rest);
        let reach = a.span.magnitude().add(&Integer::ONE);
        let quotients = Span::new(reach.neg(), reach);
        let reach = a.span.magnitude().max(b.span.magnitude());
        let rests = Span::new(reach.neg(), reach);
        let sized = |vector: BV, span: Span| -> Encoded<Vector> {
            let bits = span.bits().ok_or(NoVectors)?;
            Ok(Vector { vector: resized(&vector, bits), span })
        };
        Ok((sized(quotient, quotients)?, sized(rest, rests)?))
    }
}

/// The exponent, if there is only one value and it is a power of two.
fn power_of_two(span: &Span) -> Option<u32> {
    let exponent = u32::try_from(span.low.bits()).ok()?.checked_sub(1)?;
    (span.low == span.high && span.low == Integer::power_of_two(exponent)).then_some(exponent)
}

/// Euclidean quotient and remainder by a power of two: the high bits and the low bits.
fn shifted(a: &Vector, shift: u32) -> (Vector, Vector) {
    let bits = a.vector.get_size();
    let divisor = Integer::power_of_two(shift);
    let floor = |value: &Integer| value.shift_right(shift);
    let span = Span::new(floor(&a.span.low), floor(&a.span.high));
    let quotient = match shift < bits {
        true => a.vector.extract(bits - 1, shift),
        // Nothing but the sign is left.
        false => a.vector.extract(bits - 1, bits - 1),
    };
    let rest = Span::new(Integer::ZERO, divisor.sub(&Integer::ONE));
    let low = match shift {
        0 => BV::from_i64(0, 1),
        _ => resized(&a.vector, shift).zero_ext(1),
    };
    (Vector { vector: quotient, span }, Vector { vector: low, span: rest })
}

/// The integer as a vector.
fn constant(value: &Integer, bits: u32) -> Encoded<BV> {
    let unsigned = value.wrap(bits, Signedness::Unsigned);
    BV::from_str(bits, &unsigned.to_string()).ok_or(NoVectors)
}

/// The same integer in at least as many bits.
fn extended(vector: &BV, bits: u32) -> BV {
    match bits.saturating_sub(vector.get_size()) {
        0 => vector.clone(),
        more => vector.sign_ext(more),
    }
}

/// The same integer modulo 2ᵇ.
fn resized(vector: &BV, bits: u32) -> BV {
    if vector.get_size() > bits { vector.extract(bits - 1, 0) } else { extended(vector, bits) }
}

/// A width whose vectors are not too wide, with the bit for the sign that unsigned types need.
fn checked(width: Width) -> Encoded<Width> {
    if width.bits < MAX_BITS { Ok(width) } else { Err(NoVectors) }
}

/// A vector of exactly the bits of a machine type, as the integer that they mean.
fn of_machine(vector: BV, width: Width) -> Vector {
    let span = Span::of_width(width);
    match width.signedness {
        Signedness::Unsigned => Vector { vector: vector.zero_ext(1), span },
        Signedness::Signed => Vector { vector, span },
    }
}

fn wrapped(a: &Vector, width: Width) -> Encoded<Vector> {
    if Span::of_width(width).contains(&a.span) {
        return Ok(a.clone());
    }
    Ok(of_machine(resized(&a.vector, checked(width)?.bits), width))
}

fn bits(op: BitOp, width: Width, a: &Vector, b: &Vector) -> Vector {
    let (x, y) = (resized(&a.vector, width.bits), resized(&b.vector, width.bits));
    let result = match (op, width.signedness) {
        (BitOp::And, _) => x.bvand(y),
        (BitOp::Or, _) => x.bvor(y),
        (BitOp::Xor, _) => x.bvxor(y),
        (BitOp::Shl, _) => x.bvshl(y),
        (BitOp::Shr, Signedness::Signed) => x.bvashr(y),
        (BitOp::Shr, Signedness::Unsigned) => x.bvlshr(y),
    };
    let result = match op {
        BitOp::And | BitOp::Or | BitOp::Xor => result,
        BitOp::Shl | BitOp::Shr => {
            // Compared as integers, with a bit to spare for the sign of the width.
            let size = b.vector.get_size().max(33);
            let count = extended(&b.vector, size);
            let (low, high) = (BV::from_i64(0, size), BV::from_i64(i64::from(width.bits), size));
            let valid = Bool::and(&[count.bvsge(low), count.bvslt(high)]);
            valid.ite(&result, &BV::from_i64(0, width.bits))
        }
    };
    of_machine(result, width)
}

/// The value of a vector as a two's complement number.
fn signed(vector: &BV) -> Option<Integer> {
    let bits = vector.get_size();
    // Printed as `#x…` or `#b…`.
    let text = vector.to_string();
    let (digits, radix_bits) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 4),
        (_, Some(digits)) => (digits, 1),
        _ => return None,
    };
    let mut value = Integer::ZERO;
    for digit in digits.chars() {
        let digit = Integer::from(i64::from(digit.to_digit(1 << radix_bits)?));
        value = value.shift_left(radix_bits).add(&digit);
    }
    Some(value.wrap(bits, Signedness::Signed))
}
