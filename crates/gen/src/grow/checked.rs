//! Operations that could fail: divisions and accesses to arrays.
//!
//! Unless chance dares, a divisor or an index is valid by construction: the range of what it is computed from says so.
//! Where it dares, the operation is marked as planted.

use super::range::Range;
use super::scope::Variable;
use super::{Grower, Value};
use crate::parameters::ErrorKind;
use crate::tree::{Expr, Number, Operator, Place, Stmt};

/// Variables of this size are added to constants and squared in divisors and indices.
const SMALL: i64 = 100;

impl Grower<'_> {
    /// A division or a remainder; where that cannot be made, its left side.
    pub(super) fn quotient(&mut self, operator: Operator, left: Value) -> Value {
        let risk = if self.dares(ErrorKind::Division) {
            self.daring(|value| value.range.has(0))
        } else {
            None
        };
        let planted = risk.is_some();
        let divisor = match risk {
            Some(expr) => Value { expr, range: Range::ANY, number: Number::Int },
            None => self.divisor(),
        };
        let Some(made) = self.combine(operator, left.clone(), divisor) else { return left };
        if !planted {
            return made;
        }
        Value { expr: made.expr.planted(ErrorKind::Division), ..made }
    }

    /// A number that is not 0.
    fn divisor(&mut self) -> Value {
        let computed = if self.is_dense() { 5 } else { 3 };
        let found = match self.random.below(6) {
            choice if choice >= computed => None,
            0 | 3 => self.other_than_zero(),
            1 | 4 => self.shifted_from_zero(),
            _ => self.square_and_more(),
        };
        found.unwrap_or_else(|| self.constant_divisor())
    }

    fn constant_divisor(&mut self) -> Value {
        let value = [2, 3, 2, 4, -2, 5][self.random.below(6)];
        Value { expr: Expr::Number(value), range: Range::constant(value), number: Number::Int }
    }

    fn other_than_zero(&mut self) -> Option<Value> {
        let found = self.scope.indices(|v| v.is_readable() && !v.cell.range.has(0));
        self.random.pick(&found).map(|index| self.value_of(*index))
    }

    /// A number that is read and whose range is short.
    fn small_number(&mut self) -> Option<Value> {
        let small = |v: &Variable| {
            v.is_readable() && v.number == Number::Int && v.cell.range.size() <= SMALL
        };
        let small = self.scope.indices(small);
        self.random.pick(&small).map(|index| self.value_of(*index))
    }

    /// `x + 3`, where `x` is at least -2.
    fn shifted_from_zero(&mut self) -> Option<Value> {
        let value = self.small_number()?;
        let least = self.random.between(1, 3);
        self.shifted(value, least)
    }

    /// A value with a constant added, so that it is at least `least`.
    fn shifted(&mut self, value: Value, least: i64) -> Option<Value> {
        let (operator, amount) = match least - value.range.low {
            0 => return Some(value),
            more @ 1.. => (Operator::Add, more),
            less => (Operator::Sub, -less),
        };
        let constant = Expr::Number(amount);
        let amount = Value { expr: constant, range: Range::constant(amount), number: Number::Int };
        self.combine(operator, value, amount)
    }

    /// `x * x + 1`, which ranges alone would not find out to be positive.
    fn square_and_more(&mut self) -> Option<Value> {
        let value = self.small_number()?;
        let more = self.random.between(1, 3);
        let square = Expr::binary(Operator::Mul, value.expr.clone(), value.expr);
        let size = value.range.size();
        let range = Range::new(more, size * size + more);
        let expr = Expr::binary(Operator::Add, square, Expr::Number(more));
        Some(Value { expr, range, number: Number::Int })
    }

    /// An element of an array of this length, which is there unless chance dares otherwise.
    pub(super) fn element_of(&mut self, array: String, length: usize) -> Place {
        let inside = Range::new(0, length as i64 - 1);
        if self.dares(ErrorKind::Bounds)
            && let Some(index) = self.daring(|value| !inside.contains(value.range))
        {
            return Place::Element(array, Box::new(index)).planted(ErrorKind::Bounds);
        }
        Place::Element(array, Box::new(self.index(inside)))
    }

    /// An index that is in this range, which starts at 0.
    fn index(&mut self, inside: Range) -> Expr {
        let computed = if self.is_dense() { 7 } else { 6 };
        let found = match self.random.below(8) {
            choice if choice >= computed => None,
            0..3 => self.fitting_index(inside),
            3 | 4 => self.shifted_index(inside),
            _ => self.remainder_index(inside),
        };
        found.unwrap_or_else(|| Expr::Number(self.random.between(0, inside.high)))
    }

    fn fitting_index(&mut self, inside: Range) -> Option<Expr> {
        let fitting = self.scope.indices(|v| v.is_readable() && inside.contains(v.cell.range));
        self.random.pick(&fitting).map(|index| self.value_of(*index).expr)
    }

    /// `x + 1`, or `2 - x`, where the range of `x` is no longer than the array.
    fn shifted_index(&mut self, inside: Range) -> Option<Expr> {
        let width = |range: Range| range.high - range.low;
        let short = |v: &Variable| {
            let fits = v.cell.range.size() <= SMALL && width(v.cell.range) <= inside.high;
            v.is_readable() && v.number == Number::Int && fits
        };
        let short = self.scope.indices(short);
        let index = *self.random.pick(&short)?;
        let value = self.value_of(index);
        if self.random.one_in(3) {
            let from = Expr::Number(value.range.high);
            return Some(Expr::binary(Operator::Sub, from, value.expr));
        }
        let room = inside.high - width(value.range);
        let least = self.random.between(0, room);
        self.shifted(value, least).map(|value| value.expr)
    }

    /// A remainder, which is inside if it is taken of what is not negative, and otherwise after
    /// `(x % 3 + 3) % 3`.
    fn remainder_index(&mut self, inside: Range) -> Option<Expr> {
        if !self.parameters.divisions {
            return None;
        }
        let whole = |v: &Variable| v.is_readable() && v.number == Number::Int;
        let natural = self.scope.indices(|v| v.is_readable() && v.cell.range.low >= 0);
        let whole = self.scope.indices(whole);
        let length = || Expr::Number(inside.high + 1);
        let remainder = |value| Expr::binary(Operator::Rem, value, length());
        if self.random.one_in(2)
            && let Some(index) = self.random.pick(&natural)
        {
            return Some(remainder(self.value_of(*index).expr));
        }
        let index = *self.random.pick(&whole)?;
        let value = self.value_of(index).expr;
        // Without an operator for remainders it would become a line of its own.
        if !self.is_c() {
            return None;
        }
        Some(remainder(Expr::binary(Operator::Add, remainder(value), length())))
    }

    /// A simple expression of type `int` with inputs that has a property, if one is found: mostly a
    /// variable with few values and a constant, so that it goes wrong for some inputs only.
    fn daring(&mut self, is_risky: impl Fn(&Value) -> bool) -> Option<Expr> {
        for _ in 0..8 {
            let few = if self.random.one_in(4) { None } else { self.number_of_few_values() };
            let value = match few {
                Some(value) if self.random.one_in(2) => {
                    let one = Expr::Number(self.random.between(value.range.low, value.range.high));
                    let expr = Expr::binary(Operator::Sub, value.expr, one);
                    let width = value.range.high - value.range.low;
                    Value { expr, range: Range::around_zero(width), number: value.number }
                }
                Some(value) => value,
                None => self.variable()?,
            };
            let is_used = value.number == Number::Int && !value.range.is_constant();
            if is_risky(&value) && is_used {
                return Some(value.expr);
            }
        }
        None
    }

    fn number_of_few_values(&mut self) -> Option<Value> {
        let few =
            |v: &Variable| v.is_readable() && v.number == Number::Int && v.cell.range.size() <= 8;
        let few = self.scope.indices(few);
        self.random.pick(&few).map(|index| self.value_of(*index))
    }

    /// Shows the result of an operation that fails for one value of a variable, as far as its range tells; where few
    /// of many operations fail, also one that fails for none.
    pub(super) fn daring_statement(&mut self) -> Option<Vec<Stmt>> {
        let dares = self.dares(ErrorKind::Division);
        let is_safe_wanted = self.is_dense() && self.parameters.divisions;
        if !dares && !is_safe_wanted {
            return None;
        }
        let small =
            |v: &Variable| v.is_readable() && v.number == Number::Int && v.cell.range.size() <= 8;
        let small = self.scope.indices(small);
        let index = *self.random.pick(&small)?;
        let Value { expr, range, .. } = self.value_of(index);
        let zero_at = match (dares, self.random.one_in(2)) {
            (true, _) => self.random.between(range.low, range.high),
            (false, true) => range.low - self.random.between(1, 3),
            (false, false) => range.high + self.random.between(1, 3),
        };
        let divisor = match zero_at {
            0 => expr,
            1.. => Expr::binary(Operator::Sub, expr, Expr::Number(zero_at)),
            _ => Expr::binary(Operator::Add, expr, Expr::Number(-zero_at)),
        };
        let dividend = Expr::Number(self.random.between(1, 12));
        let quotient = Expr::binary(Operator::Div, dividend, divisor);
        let quotient = if dares { quotient.planted(ErrorKind::Division) } else { quotient };
        Some(vec![Stmt::Output(quotient, Number::Int)])
    }

    /// A statement with an operation that could fail.
    pub(super) fn checked_statement(&mut self) -> Option<Vec<Stmt>> {
        match self.random.below(6) {
            0 | 1 if self.parameters.divisions => {
                let left = self.number(1);
                let quotient = self.quotient(Operator::Div, left);
                Some(vec![Stmt::Output(quotient.expr, quotient.number)])
            }
            0..3 => self.array_statement(),
            3 => self.pointer_statement(),
            4 => self.list_statement(),
            _ => self.failing_statement(),
        }
    }
}
