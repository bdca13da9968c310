//! What the bounds of variables say about each other.
//!
//! The least value of a row under the bounds of its variables contradicts it, or bounds one variable
//! by the others; its greatest value may show that the row says nothing. A bound that is derived is a
//! constraint like any other, so a row that bounds imply may be dropped: the bounds stay.

use super::equality::take_if;
use super::model::Step;
use super::origin::{Effort, Origin, Stop};
use super::problem::{Edge, Problem};
use super::row::{Likeness, Row, div_ceil, div_floor};
use loupe_integer::Integer;

/// Bounds may creep toward each other forever, as in `x < y ∧ y < x` from a large range.
const ROUNDS: usize = 4;

/// The least value that the terms of a row can have.
struct Least {
    /// The sum for the variables with a bound.
    sum: Integer,
    /// How many variables have none.
    unbounded: usize,
}

impl Problem {
    /// Uses up all equalities and propagates bounds.
    pub(super) fn simplify(
        &mut self,
        steps: &mut Vec<Step>,
        effort: &mut Effort,
    ) -> Result<(), Stop> {
        let mut rounds = 0;
        loop {
            self.solve_equalities(steps, effort)?;
            rounds += 1;
            let mut news = self.tighten_by_disequalities(effort)?;
            news |= self.propagate_bounds(effort)?;
            if self.equalities.is_empty() && (!news || rounds >= ROUNDS) {
                return Ok(());
            }
        }
    }

    fn propagate_bounds(&mut self, effort: &mut Effort) -> Result<bool, Stop> {
        let mut news = false;
        let mut rows = std::mem::take(&mut self.inequalities);
        let mut index = 0;
        while index < rows.len() {
            effort.spend(rows[index].terms.len())?;
            if self.greatest_is_at_most_zero(&rows[index]) {
                rows.swap_remove(index);
                continue;
            }
            news |= self.propagate_row(&rows[index], effort)?;
            index += 1;
        }
        self.inequalities = rows;
        Ok(news)
    }

    /// The bound of a variable at which `coefficient · variable` is least.
    fn least_edge(&self, variable: u32, coefficient: &Integer) -> Option<&Edge> {
        let range = self.range(variable);
        if coefficient.is_negative() { range.upper.as_ref() } else { range.lower.as_ref() }
    }

    fn greatest_is_at_most_zero(&self, row: &Row) -> bool {
        let mut sum = row.constant.clone();
        for (variable, coefficient) in &row.terms {
            let range = self.range(*variable);
            let edge = if coefficient.is_negative() { &range.lower } else { &range.upper };
            let Some(edge) = edge else {
                return false;
            };
            sum = sum.add(&coefficient.mul(&edge.value));
        }
        sum <= Integer::ZERO
    }

    fn least(&self, row: &Row) -> Least {
        let mut least = Least { sum: row.constant.clone(), unbounded: 0 };
        for (variable, coefficient) in &row.terms {
            match self.least_edge(*variable, coefficient) {
                Some(edge) => least.sum = least.sum.add(&coefficient.mul(&edge.value)),
                None => least.unbounded += 1,
            }
        }
        least
    }

    fn propagate_row(&mut self, row: &Row, effort: &mut Effort) -> Result<bool, Stop> {
        let least = self.least(row);
        if least.unbounded > 1 {
            return Ok(false);
        }
        if least.unbounded == 0 && least.sum > Integer::ZERO {
            let origin = self.least_origin(row, None, effort);
            return Err(Stop::Conflict(origin));
        }
        let mut news = false;
        for (variable, coefficient) in &row.terms {
            let own = self.least_edge(*variable, coefficient);
            // The least value of the others. This loop moves only the other ends of the ranges.
            let others = match own {
                Some(_) if least.unbounded > 0 => continue,
                Some(edge) => least.sum.sub(&coefficient.mul(&edge.value)),
                None => least.sum.clone(),
            };
            // coefficient · variable ≤ -others
            let range = self.range(*variable);
            let (value, better) = if coefficient.is_negative() {
                let value = div_ceil(&others, &coefficient.neg());
                let better = range.lower.as_ref().is_none_or(|edge| edge.value < value);
                (value, better)
            } else {
                let value = div_floor(&others.neg(), coefficient);
                let better = range.upper.as_ref().is_none_or(|edge| edge.value > value);
                (value, better)
            };
            if better {
                let origin = self.least_origin(row, Some(*variable), effort);
                let edge = Edge { value, origin };
                news |= if coefficient.is_negative() {
                    self.raise_lower(*variable, edge, effort)?
                } else {
                    self.reduce_upper(*variable, edge, effort)?
                };
            }
        }
        Ok(news)
    }

    /// The origin of a row and of the bounds that make it least, but for one variable.
    fn least_origin(&self, row: &Row, but: Option<u32>, effort: &mut Effort) -> Origin {
        let mut origin = row.origin;
        for (variable, coefficient) in row.terms.iter().filter(|(v, _)| Some(*v) != but) {
            if let Some(edge) = self.least_edge(*variable, coefficient) {
                origin = effort.join(origin, edge.origin);
            }
        }
        origin
    }

    /// An inequality that holds with equality only where a disequality does not hold is strict.
    fn tighten_by_disequalities(&mut self, effort: &mut Effort) -> Result<bool, Stop> {
        let mut news = false;
        let disequalities = std::mem::take(&mut self.disequalities);
        for known in &disequalities {
            effort.spend(1 + self.inequalities.len() / 8)?;
            news |= match &known.row.terms[..] {
                [(variable, _)] => self.tighten_range(*variable, &known.row, effort)?,
                _ => self.tighten_rows(&known.row, effort)?,
            };
        }
        self.disequalities = disequalities;
        Ok(news)
    }

    /// `x ≠ v`; coefficients are coprime, so that of `x` is ±1.
    fn tighten_range(
        &mut self,
        variable: u32,
        row: &Row,
        effort: &mut Effort,
    ) -> Result<bool, Stop> {
        let negative = row.terms.first().is_some_and(|(_, coefficient)| coefficient.is_negative());
        let excluded = if negative { row.constant.clone() } else { row.constant.neg() };
        let range = self.range(variable);
        let at = |edge: &Option<Edge>| match edge {
            Some(edge) if edge.value == excluded => Some(edge.origin),
            _ => None,
        };
        match (at(&range.lower), at(&range.upper)) {
            (Some(origin), _) => {
                let origin = effort.join(origin, row.origin);
                let value = excluded.add(&Integer::ONE);
                self.raise_lower(variable, Edge { value, origin }, effort)
            }
            (None, Some(origin)) => {
                let origin = effort.join(origin, row.origin);
                let value = excluded.sub(&Integer::ONE);
                self.reduce_upper(variable, Edge { value, origin }, effort)
            }
            (None, None) => Ok(false),
        }
    }

    fn tighten_rows(&mut self, row: &Row, effort: &mut Effort) -> Result<bool, Stop> {
        let touches = |known: &Row| match known.likeness(row) {
            Likeness::Same => known.constant == row.constant,
            Likeness::Opposite => known.constant.add(&row.constant).is_zero(),
            Likeness::Different => false,
        };
        let touched = take_if(&mut self.inequalities, touches);
        let news = !touched.is_empty();
        for mut known in touched {
            known.constant = known.constant.add(&Integer::ONE);
            known.origin = effort.join(known.origin, row.origin);
            self.add_inequality(known, effort)?;
        }
        Ok(news)
    }
}
