//! Equalities: each eliminates a variable.
//!
//! A variable with coefficient ±1 is replaced at once. If there is none, the variable with the
//! smallest coefficient `a` is replaced by a fresh one, `σ = x + Σ qᵢ·xᵢ + q` with the rounded
//! quotients `qᵢ` of the other coefficients by `a`, which leaves `a·σ` and remainders of at most
//! `|a|/2`: Euclid's algorithm, and a change of variables that loses no solution. It ends with a unit,
//! because the coefficients are coprime. (Pugh's substitution does the same with larger numbers.)

use super::model::Step;
use super::origin::{Effort, Origin, Stop};
use super::problem::{Disequality, Edge, Problem, Range};
use super::row::{Row, absolute, div_floor, is_unit};
use loupe_integer::Integer;

impl Problem {
    /// Uses all equalities up.
    pub(super) fn solve_equalities(
        &mut self,
        steps: &mut Vec<Step>,
        effort: &mut Effort,
    ) -> Result<(), Stop> {
        while let Some(mut row) = self.next_equality() {
            effort.spend(row.terms.len() + 1)?;
            if row.terms.is_empty() && row.constant.is_zero() {
                continue;
            }
            if row.terms.is_empty() || row.divide_exactly().is_none() {
                return Err(Stop::Conflict(row.origin));
            }
            match self.unit_variable(&row) {
                Some(variable) => self.replace(variable, row, steps, effort)?,
                None => {
                    let (variable, definition) = self.reduction(&row);
                    self.equalities.push(row);
                    self.replace(variable, definition, steps, effort)?;
                }
            }
        }
        Ok(())
    }

    /// The next equality, one with a unit coefficient if possible.
    fn next_equality(&mut self) -> Option<Row> {
        let easy = |row: &Row| row.terms.iter().any(|(_, coefficient)| is_unit(coefficient));
        match self.equalities.iter().rposition(easy) {
            Some(index) => Some(self.equalities.swap_remove(index)),
            None => self.equalities.pop(),
        }
    }

    /// A variable with a unit coefficient, one without bounds if possible: bounds become rows.
    fn unit_variable(&self, row: &Row) -> Option<u32> {
        let units = || row.terms.iter().filter(|(_, a)| is_unit(a)).map(|(variable, _)| *variable);
        let free = |variable: &u32| {
            let range = self.range(*variable);
            range.lower.is_none() && range.upper.is_none()
        };
        units().find(free).or_else(|| units().next())
    }

    /// The variable with the smallest coefficient of an equality, and the row that is 0 and defines it
    /// by a fresh one.
    fn reduction(&mut self, row: &Row) -> (u32, Row) {
        let smallest = row.terms.iter().min_by_key(|(_, coefficient)| absolute(coefficient));
        let (variable, divisor) = smallest.cloned().unwrap_or((0, Integer::ONE));
        let half = div_floor(&absolute(&divisor), &Integer::from(2));
        let quotient = |value: &Integer| {
            let shift = if divisor.is_negative() { half.neg() } else { half.clone() };
            div_floor(&value.add(&shift), &divisor)
        };
        let mut terms: Vec<_> = row.terms.iter().map(|(v, a)| (*v, quotient(a))).collect();
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        terms.push((self.fresh_variable(), Integer::from(-1)));
        let constant = quotient(&row.constant);
        (variable, Row { terms, constant, origin: Origin::NONE })
    }

    /// Eliminates a variable by a row that is 0 and in which it has a unit coefficient.
    fn replace(
        &mut self,
        variable: u32,
        definition: Row,
        steps: &mut Vec<Step>,
        effort: &mut Effort,
    ) -> Result<(), Stop> {
        let Some(unit) = definition.coefficient(variable).cloned() else {
            return Ok(());
        };
        // a·x + rest with x eliminated: a·x + rest - (a/u)·definition, and 1/u is u.
        let without = |row: &Row, effort: &mut Effort| match row.coefficient(variable) {
            Some(a) => row.combine(&Integer::ONE, &definition, &a.mul(&unit).neg(), effort),
            None => Ok(row.clone()),
        };
        let occurs = |row: &Row| row.coefficient(variable).is_some();
        for equality in self.equalities.iter_mut().filter(|row| occurs(row)) {
            *equality = without(equality, effort)?;
        }
        for row in take_if(&mut self.inequalities, occurs) {
            let row = without(&row, effort)?;
            self.add_inequality(row, effort)?;
        }
        let changed = take_if(&mut self.disequalities, |known| occurs(&known.row));
        for Disequality { row, input } in changed {
            let row = without(&row, effort)?;
            self.add_disequality(Disequality { row, input })?;
        }
        let gone = Range { gone: true, ..Range::default() };
        let Range { lower, upper, .. } = std::mem::replace(self.range_mut(variable), gone);
        let bounds = [lower.map(|edge| (-1, edge)), upper.map(|edge| (1, edge))];
        for (sign, Edge { value, origin }) in bounds.into_iter().flatten() {
            let constant = if sign < 0 { value } else { value.neg() };
            let row = without(&Row::single(variable, sign, constant, origin), effort)?;
            self.add_inequality(row, effort)?;
        }
        steps.push(Step::Defined { variable, row: definition });
        Ok(())
    }
}

/// Takes what is asked for out of a list.
pub(super) fn take_if<T>(list: &mut Vec<T>, wanted: impl Fn(&T) -> bool) -> Vec<T> {
    let mut taken = Vec::new();
    let mut index = 0;
    while index < list.len() {
        if wanted(&list[index]) {
            taken.push(list.swap_remove(index));
        } else {
            index += 1;
        }
    }
    taken
}
