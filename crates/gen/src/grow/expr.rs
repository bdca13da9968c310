//! Expressions, with their ranges.

use super::range::Range;
use super::scope::Cell;
use super::{Grower, Value};
use crate::parameters::ErrorKind;
use crate::tree::{Expr, FIELDS, Number, Operator, Place};

const COMPARISONS: [Operator; 6] =
    [Operator::Lt, Operator::Le, Operator::Gt, Operator::Ge, Operator::Eq, Operator::Ne];

/// microc: factors must not be larger, lest repeated squaring makes numbers of millions of digits.
const MAX_FACTOR: i64 = 1_000_000;

impl Grower<'_> {
    /// A number.
    pub(super) fn number(&mut self, depth: u32) -> Value {
        if depth == 0 || self.random.one_in(3) {
            return self.leaf();
        }
        if self.random.one_in(12) {
            let expr = self.comparison(depth - 1);
            return Value { expr, range: Range::TRUTH, number: Number::Int };
        }
        let left = self.number(depth - 1);
        let choices = if self.is_dense() { 10 } else { 8 };
        let operator = match self.random.below(choices) {
            0..3 => Operator::Add,
            3..5 => Operator::Sub,
            5 => Operator::Mul,
            6 | 8.. if self.parameters.divisions => Operator::Div,
            7 if self.parameters.divisions && self.is_c() => Operator::Rem,
            _ => Operator::Add,
        };
        // Two constants could be one.
        let left = if left.range.is_constant() { self.read().unwrap_or(left) } else { left };
        if matches!(operator, Operator::Div | Operator::Rem) {
            return self.quotient(operator, left);
        }
        let right = self.number(depth - 1);
        self.combine(operator, left.clone(), right).unwrap_or(left)
    }

    pub(super) fn constant(&mut self) -> Value {
        let value = self.random.between(-2, 5);
        Value { expr: Expr::Number(value), range: Range::constant(value), number: Number::Int }
    }

    /// A constant or something that is read.
    fn leaf(&mut self) -> Value {
        if self.random.one_in(3) {
            return self.constant();
        }
        self.read().unwrap_or_else(|| self.constant())
    }

    /// Something that is read.
    pub(super) fn read(&mut self) -> Option<Value> {
        let found = match self.random.below(10) {
            0 | 1 => self.element(),
            2 => self.field(),
            3 => self.target(),
            4 => self.unset_variable(),
            _ => None,
        };
        found.or_else(|| self.variable())
    }

    pub(super) fn variable(&mut self) -> Option<Value> {
        let readable = self.scope.indices(|variable| variable.is_readable());
        let index = *self.random.pick(&readable)?;
        Some(self.value_of(index))
    }

    pub(super) fn value_of(&self, index: usize) -> Value {
        let variable = &self.scope.numbers[index];
        let number = if variable.number == Number::Byte { Number::Int } else { variable.number };
        Value { expr: Expr::variable(&variable.name), range: variable.cell.range, number }
    }

    fn unset_variable(&mut self) -> Option<Value> {
        if !self.dares(ErrorKind::Uninitialised) {
            return None;
        }
        let unset = self.scope.indices(|variable| variable.unset);
        let index = *self.random.pick(&unset)?;
        let value = self.value_of(index);
        let place = Place::Variable(self.scope.numbers[index].name.clone());
        Some(Value { expr: Expr::Read(place.planted(ErrorKind::Uninitialised)), ..value })
    }

    fn element(&mut self) -> Option<Value> {
        let which = self.random.below(self.scope.arrays.len());
        let array = self.scope.arrays.get(which)?;
        let (name, range, length) = (array.name.clone(), array.cell.range, array.length);
        let expr = Expr::Read(self.element_of(name, length));
        Some(Value { expr, range, number: Number::Int })
    }

    fn field(&mut self) -> Option<Value> {
        let record = self.random.pick(&self.scope.records)?;
        let (name, range) = (record.name.clone(), record.cell.range);
        let field = FIELDS[self.random.below(FIELDS.len())];
        let expr = Expr::Read(Place::Field(name, field));
        Some(Value { expr, range, number: Number::Int })
    }

    fn target(&mut self) -> Option<Value> {
        let pointer = self.random.pick(&self.scope.pointers)?.clone();
        if pointer.nullable && !self.dares(ErrorKind::Null) {
            return None;
        }
        let range = self.scope.target_range(&pointer)?;
        let place = Place::Target(pointer.name);
        let place = if pointer.nullable { place.planted(ErrorKind::Null) } else { place };
        let expr = Expr::Read(place);
        Some(Value { expr, range, number: Number::Int })
    }

    /// The result of an arithmetic operator. In C, a signed result must fit unless overflow is planned.
    pub(super) fn combine(
        &mut self,
        operator: Operator,
        left: Value,
        right: Value,
    ) -> Option<Value> {
        let expr = Expr::binary(operator, left.expr, right.expr);
        if !self.is_c() {
            let small = |range: Range| range.size() <= MAX_FACTOR;
            let both_small = small(left.range) && small(right.range);
            let by_constant = left.range.is_constant() || right.range.is_constant();
            if operator == Operator::Mul && !both_small && !by_constant {
                return None;
            }
            let range = Range::combine(operator, left.range, right.range);
            return Some(Value { expr, range, number: Number::Int });
        }
        if left.number == Number::Unsigned || right.number == Number::Unsigned {
            // Both become unsigned first.
            let convert = |range: Range| {
                if Range::UNSIGNED.contains(range) { range } else { Range::UNSIGNED }
            };
            let range = Range::combine(operator, convert(left.range), convert(right.range));
            return Some(Value { expr, range: convert(range), number: Number::Unsigned });
        }
        // The least number by -1 does not fit; neither does the remainder.
        let divides = matches!(operator, Operator::Div | Operator::Rem);
        if divides && left.range.low == Range::INT.low && right.range.has(-1) {
            return None;
        }
        let range = Range::combine(operator, left.range, right.range);
        if Range::INT.contains(range) {
            return Some(Value { expr, range, number: Number::Int });
        }
        self.dares(ErrorKind::Overflow).then_some(Value {
            expr: expr.planted(ErrorKind::Overflow),
            range: Range::INT,
            number: Number::Int,
        })
    }

    /// A number that may be assigned to a cell.
    pub(super) fn value_for(&mut self, cell: &Cell) -> Expr {
        for _ in 0..4 {
            let value = self.number(self.parameters.max_expression_depth);
            // Who overwrites much with constants soon depends on no input.
            if value.range.is_constant() && !self.random.one_in(3) {
                continue;
            }
            if cell.assignable.contains(value.range) {
                return value.expr;
            }
            // A remainder is smaller, and has the sign of what it is taken of.
            let modulus = self.random.between(2, 10);
            let remainder = Range::around_zero(modulus - 1);
            if self.is_c()
                && self.parameters.divisions
                && cell.assignable.contains(remainder)
                && self.random.one_in(2)
            {
                return Expr::binary(Operator::Rem, value.expr, Expr::Number(modulus));
            }
        }
        let (low, high) = (cell.assignable.low.max(-2), cell.assignable.high.min(5));
        Expr::Number(self.random.between(low, high))
    }

    /// Something to branch on.
    pub(super) fn condition(&mut self) -> Expr {
        let depth = self.parameters.max_expression_depth.saturating_sub(1);
        match self.random.below(8) {
            0 => {
                let operator = [Operator::And, Operator::Or][self.random.below(2)];
                Expr::binary(operator, self.comparison(depth), self.comparison(depth))
            }
            1 => Expr::Not(Box::new(self.comparison(depth))),
            _ => self.comparison(depth),
        }
    }

    /// A comparison that, as far as ranges tell, can go both ways.
    pub(super) fn comparison(&mut self, depth: u32) -> Expr {
        let operator = COMPARISONS[self.random.below(COMPARISONS.len())];
        // gcc warns about comparisons of truth values with other numbers and of things with themselves.
        let truth = |value: &Value| matches!(value.expr.bare(), Expr::Binary(op, ..) if COMPARISONS.contains(op));
        let sum = if depth > 0 && self.random.one_in(3) { Some(self.number(depth)) } else { None };
        let sum = sum.filter(|value| !truth(value) && !value.range.is_constant());
        let left = sum.or_else(|| self.read()).unwrap_or_else(|| self.constant());
        let right = self.number(depth.min(1));
        let alike = match (left.expr.bare(), right.expr.bare()) {
            // `x * y` and `y * x` are the same for gcc too.
            (Expr::Binary(first, ..), Expr::Binary(second, ..)) => first == second,
            (left, right) => left == right,
        };
        let silly = alike || truth(&right) || right.range.is_constant();
        let right = if silly || self.random.one_in(2) {
            Expr::Number(self.near(left.range))
        } else {
            right.expr
        };
        Expr::binary(operator, left.expr, right)
    }

    /// A constant that numbers of a range can be equal to, and can differ from.
    fn near(&mut self, range: Range) -> i64 {
        let (low, high) = (range.low.max(-3), range.high.min(5));
        if low > high { range.low.clamp(-1_000, 1_000) } else { self.random.between(low, high) }
    }
}
