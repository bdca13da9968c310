//! A conjunction that is being solved.
//!
//! Inequalities with one variable are kept as bounds of that variable, the others as rows with
//! coprime coefficients. Of rows that differ in the constant only, the strongest is kept; two opposite
//! ones that leave one value are an equality.

use super::origin::{Effort, Origin, Stop};
use super::row::{Likeness, Row, absolute, div_ceil, div_floor};
use loupe_integer::Integer;

/// An end of the range of a variable.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) value: Integer,
    pub(super) origin: Origin,
}

/// What is known of one variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Range {
    pub(super) lower: Option<Edge>,
    pub(super) upper: Option<Edge>,
    /// Whether the variable has been eliminated: it occurs nowhere any more.
    pub(super) gone: bool,
}

/// `row ≠ 0`, with the number of the constraint that says so.
#[derive(Clone, Debug)]
pub(super) struct Disequality {
    pub(super) row: Row,
    pub(super) input: usize,
}

/// A conjunction over the variables `0..ranges.len()`.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    /// Rows that are 0 and have not been used yet.
    pub(super) equalities: Vec<Row>,
    /// Rows that are at most 0, each with at least two variables.
    pub(super) inequalities: Vec<Row>,
    pub(super) disequalities: Vec<Disequality>,
    pub(super) ranges: Vec<Range>,
}

impl Problem {
    pub(super) fn fresh_variable(&mut self) -> u32 {
        self.ranges.push(Range::default());
        (self.ranges.len() - 1) as u32
    }

    /// A copy, to come back to.
    pub(super) fn copy(&self, effort: &mut Effort) -> Result<Problem, Stop> {
        let rows = self.equalities.len() + self.inequalities.len() + self.disequalities.len();
        effort.spend(1 + rows + self.ranges.len() / 2)?;
        Ok(self.clone())
    }

    pub(super) fn range_mut(&mut self, variable: u32) -> &mut Range {
        &mut self.ranges[variable as usize]
    }

    pub(super) fn range(&self, variable: u32) -> &Range {
        &self.ranges[variable as usize]
    }

    /// Adds `row ≤ 0`.
    pub(super) fn add_inequality(&mut self, mut row: Row, effort: &mut Effort) -> Result<(), Stop> {
        match &row.terms[..] {
            [] if row.constant > Integer::ZERO => Err(Stop::Conflict(row.origin)),
            [] => Ok(()),
            [(variable, coefficient)] => {
                let variable = *variable;
                if coefficient.is_negative() {
                    let value = div_ceil(&row.constant, &coefficient.neg());
                    self.raise_lower(variable, Edge { value, origin: row.origin }, effort)?;
                } else {
                    let value = div_floor(&row.constant.neg(), coefficient);
                    self.reduce_upper(variable, Edge { value, origin: row.origin }, effort)?;
                }
                Ok(())
            }
            _ => {
                row.tighten();
                self.add_long_inequality(row, effort)
            }
        }
    }

    fn add_long_inequality(&mut self, row: Row, effort: &mut Effort) -> Result<(), Stop> {
        effort.spend(1 + self.inequalities.len() / 8)?;
        let mut opposite = None;
        for (index, known) in self.inequalities.iter_mut().enumerate() {
            match known.likeness(&row) {
                Likeness::Different => {}
                Likeness::Same if known.constant >= row.constant => return Ok(()),
                Likeness::Same => {
                    // The opposite, if there is one, is looked for with the stronger row.
                    self.inequalities.swap_remove(index);
                    return self.add_long_inequality(row, effort);
                }
                Likeness::Opposite => opposite = Some(index),
            }
        }
        if let Some(index) = opposite {
            // p + c ≤ 0 and -p + d ≤ 0: p is in d..=-c.
            let known = &self.inequalities[index];
            let gap = known.constant.add(&row.constant);
            if gap > Integer::ZERO {
                return Err(effort.conflict(known.origin, row.origin));
            }
            if gap.is_zero() {
                let known = self.inequalities.swap_remove(index);
                let origin = effort.join(known.origin, row.origin);
                self.equalities.push(Row { origin, ..row });
                return Ok(());
            }
        }
        self.inequalities.push(row);
        Ok(())
    }

    /// Says that a variable is at least so large. Gives whether that is news.
    pub(super) fn raise_lower(
        &mut self,
        variable: u32,
        edge: Edge,
        effort: &mut Effort,
    ) -> Result<bool, Stop> {
        let range = self.range_mut(variable);
        if range.lower.as_ref().is_some_and(|known| known.value >= edge.value) {
            return Ok(false);
        }
        range.lower = Some(edge);
        self.meet(variable, effort)?;
        Ok(true)
    }

    /// Says that a variable is at most so large. Gives whether that is news.
    pub(super) fn reduce_upper(
        &mut self,
        variable: u32,
        edge: Edge,
        effort: &mut Effort,
    ) -> Result<bool, Stop> {
        let range = self.range_mut(variable);
        if range.upper.as_ref().is_some_and(|known| known.value <= edge.value) {
            return Ok(false);
        }
        range.upper = Some(edge);
        self.meet(variable, effort)?;
        Ok(true)
    }

    /// Compares the ends of a range: none, one or more values are left.
    fn meet(&mut self, variable: u32, effort: &mut Effort) -> Result<(), Stop> {
        effort.spend(1)?;
        let Range { lower: Some(lower), upper: Some(upper), .. } = self.range(variable) else {
            return Ok(());
        };
        if lower.value < upper.value {
            return Ok(());
        }
        let (origins, met) = ((lower.origin, upper.origin), lower.value == upper.value);
        if !met {
            return Err(effort.conflict(origins.0, origins.1));
        }
        let constant = upper.value.neg();
        let origin = effort.join(origins.0, origins.1);
        self.equalities.push(Row::single(variable, 1, constant, origin));
        Ok(())
    }

    /// Adds `row ≠ 0`.
    pub(super) fn add_disequality(&mut self, mut disequality: Disequality) -> Result<(), Stop> {
        let Disequality { row, .. } = &mut disequality;
        if row.terms.is_empty() {
            return if row.constant.is_zero() { Err(Stop::Conflict(row.origin)) } else { Ok(()) };
        }
        // What is never 0 need not be kept.
        if row.divide_exactly().is_some() {
            self.disequalities.push(disequality);
        }
        Ok(())
    }

    /// Adds that `divisor` divides `row`: the quotient is a fresh variable.
    pub(super) fn add_divisible(&mut self, mut row: Row, divisor: &Integer) {
        let quotient = self.fresh_variable();
        if !divisor.is_zero() {
            row.terms.push((quotient, divisor.neg()));
        }
        self.equalities.push(row);
    }

    /// Adds that `divisor`, which is not 0, does not divide `row`: the quotient is a fresh variable
    /// and the remainder is not 0.
    pub(super) fn add_indivisible(
        &mut self,
        mut row: Row,
        divisor: &Integer,
        effort: &mut Effort,
    ) -> Result<(), Stop> {
        // Only coefficients that the divisor does not divide matter, and small ones are better.
        let divisor = absolute(divisor);
        let modulo = |value: &Integer| value.rem_euclidean(&divisor).unwrap_or(Integer::ZERO);
        row.constant = modulo(&row.constant);
        row.terms.iter_mut().for_each(|(_, coefficient)| *coefficient = modulo(coefficient));
        row.terms.retain(|(_, coefficient)| !coefficient.is_zero());
        let quotient = self.fresh_variable();
        row.terms.push((quotient, divisor.neg()));
        // 1 ≤ row and row ≤ divisor - 1.
        let mut negated = row.clone();
        negated.negate();
        negated.constant = negated.constant.add(&Integer::ONE);
        row.constant = row.constant.add(&Integer::ONE).sub(&divisor);
        self.add_inequality(negated, effort)?;
        self.add_inequality(row, effort)
    }
}
