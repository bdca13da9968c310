//! Statements that fail: for some inputs, or always.

use super::Grower;
use crate::parameters::ErrorKind;
use crate::tree::{Assertion, Expr, Number, Operator, Place, Stmt, Type};

impl Grower<'_> {
    /// Shows the result of an operation that fails for one value of a variable, as far as its range tells.
    pub(super) fn daring_statement(&mut self) -> Option<Vec<Stmt>> {
        if !self.dares(ErrorKind::Division) {
            return None;
        }
        let small = |v: &super::Variable| {
            v.is_readable() && v.number == Number::Int && v.cell.range.size() <= 8
        };
        let small = self.scope.indices(small);
        let index = *self.random.pick(&small)?;
        let variable = self.value_of(index);
        let zero_at = self.random.between(variable.range.low, variable.range.high);
        let divisor = Expr::binary(Operator::Sub, variable.expr, Expr::Number(zero_at));
        let dividend = Expr::Number(self.random.between(1, 12));
        Some(vec![Stmt::Output(Expr::binary(Operator::Div, dividend, divisor), Number::Int)])
    }

    /// Puts a statement that certainly fails at a random place among the statements of `main` and the blocks
    /// in them; whether it is reached is another matter.
    pub(super) fn plant_error(&mut self, statements: &mut Vec<Stmt>) {
        let failing = self.certain_failure();
        let places = count_places(statements);
        let mut place = self.random.below(places);
        insert(statements, &mut place, &mut Some(failing));
    }

    /// Statements that fail.
    fn certain_failure(&mut self) -> Vec<Stmt> {
        let mut kinds: Vec<ErrorKind> = vec![ErrorKind::Null];
        if self.parameters.divisions {
            kinds.push(ErrorKind::Division);
        }
        if self.is_c() {
            kinds.push(ErrorKind::Assertion);
        }
        if !self.scope.arrays.is_empty() {
            kinds.push(ErrorKind::Bounds);
        }
        match self.random.pick(&kinds) {
            Some(ErrorKind::Division) => {
                let zero = self.name("zero");
                let value = Expr::binary(Operator::Div, Expr::Number(1), Expr::variable(&zero));
                let int = Type::Number(Number::Int);
                vec![
                    Stmt::Declare(zero, int, Some(Expr::Number(0))),
                    Stmt::Output(value, Number::Int),
                ]
            }
            Some(ErrorKind::Bounds) => {
                let array = self.random.pick(&self.scope.arrays);
                let place = array.map(|array| {
                    let behind = Expr::Number(array.length as i64);
                    Place::Element(array.name.clone(), Box::new(behind))
                });
                let write = place.map(|place| Stmt::Assign(place, Expr::Number(1)));
                write.into_iter().collect()
            }
            Some(ErrorKind::Assertion) => {
                let never = Expr::binary(Operator::Ne, Expr::Number(0), Expr::Number(0));
                vec![Stmt::Assert(Assertion::Reach, never)]
            }
            _ => {
                let nowhere = self.name("nowhere");
                let write = Stmt::Assign(Place::Target(nowhere.clone()), Expr::Number(1));
                vec![Stmt::Declare(nowhere, Type::Pointer, Some(Expr::Null)), write]
            }
        }
    }
}

/// How many places there are between statements, before the first and behind the last included.
fn count_places(block: &mut [Stmt]) -> usize {
    let inside = |stmt: &mut Stmt| -> usize {
        stmt.blocks_mut().into_iter().map(|block| count_places(block)).sum()
    };
    block.len() + 1 + block.iter_mut().map(inside).sum::<usize>()
}

/// Inserts statements at a place of [`count_places`], which counts down to 0.
fn insert(block: &mut Vec<Stmt>, place: &mut usize, made: &mut Option<Vec<Stmt>>) {
    if made.is_none() {
        return;
    }
    if *place <= block.len() {
        if let Some(made) = made.take() {
            block.splice(*place..*place, made);
        }
        return;
    }
    *place -= block.len() + 1;
    for stmt in block {
        for inner in stmt.blocks_mut() {
            insert(inner, place, made);
            if made.is_none() {
                return;
            }
        }
    }
}
