//! Values for eliminated variables, from the last one to the first.

use super::problem::Disequality;
use super::row::{Row, div_ceil, div_floor, is_unit};
use loupe_integer::Integer;

/// How a variable was eliminated.
#[derive(Debug)]
pub(super) enum Step {
    /// The row is 0, and the variable has a unit coefficient in it.
    Defined { variable: u32, row: Row },
    /// The variable is anywhere between its bounds.
    Between(Between),
}

/// A variable that was eliminated by combining its bounds.
#[derive(Debug)]
pub(super) struct Between {
    pub(super) variable: u32,
    /// The constant bounds.
    pub(super) lower: Option<Integer>,
    pub(super) upper: Option<Integer>,
    /// Rows that are at most 0, and in which the variable occurs.
    pub(super) rows: Vec<Row>,
    /// Rows that are not 0, and in which the variable occurs.
    pub(super) disequalities: Vec<Disequality>,
}

/// Why the values of the later variables leave none for an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// No integer is between the bounds of this variable, which were combined inexactly.
    NoInteger(u32),
    /// The disequality of this constraint excludes the value that is left.
    Excluded(usize),
}

/// The values of all variables.
pub(super) fn back_substitute(steps: &[Step], count: usize) -> Result<Vec<Integer>, Failure> {
    let mut values = vec![Integer::ZERO; count];
    for step in steps.iter().rev() {
        let (variable, value) = match step {
            Step::Defined { variable, row } => (*variable, defined(*variable, row, &values)),
            Step::Between(between) => (between.variable, between.choose(&values)?),
        };
        if let Some(slot) = values.get_mut(variable as usize) {
            *slot = value;
        }
    }
    Ok(values)
}

fn defined(variable: u32, row: &Row, values: &[Integer]) -> Integer {
    let rest = row.value_without(variable, values);
    // u·x + rest = 0 with u = ±1.
    if row.coefficient(variable).is_some_and(Integer::is_negative) { rest } else { rest.neg() }
}

impl Between {
    /// The value nearest to 0 that fits.
    fn choose(&self, values: &[Integer]) -> Result<Integer, Failure> {
        let (lower, upper) = self.interval(values);
        let mut nearest = Integer::ZERO;
        if let Some(lower) = lower.as_ref().filter(|lower| **lower > nearest) {
            nearest = lower.clone();
        }
        if let Some(upper) = upper.as_ref().filter(|upper| **upper < nearest) {
            nearest = upper.clone();
        }
        if lower.as_ref().is_some_and(|lower| *lower > nearest) {
            return Err(Failure::NoInteger(self.variable));
        }
        let excluded = self.excluded(values);
        let Some(&(_, input)) = excluded.iter().find(|(value, _)| *value == nearest) else {
            return Ok(nearest);
        };
        // One of the values up to a distance of as many as are excluded is not, unless they end.
        for distance in 1..=excluded.len() {
            let distance = Integer::from(distance);
            for candidate in [nearest.add(&distance), nearest.sub(&distance)] {
                let fits = lower.as_ref().is_none_or(|lower| *lower <= candidate)
                    && upper.as_ref().is_none_or(|upper| candidate <= *upper);
                if fits && excluded.iter().all(|(value, _)| *value != candidate) {
                    return Ok(candidate);
                }
            }
        }
        Err(Failure::Excluded(input))
    }

    fn interval(&self, values: &[Integer]) -> (Option<Integer>, Option<Integer>) {
        let (mut lower, mut upper) = (self.lower.clone(), self.upper.clone());
        for row in &self.rows {
            let Some(coefficient) = row.coefficient(self.variable) else {
                continue;
            };
            // coefficient · x ≤ -rest
            let rest = row.value_without(self.variable, values);
            if coefficient.is_negative() {
                let bound = div_ceil(&rest, &coefficient.neg());
                if lower.as_ref().is_none_or(|known| *known < bound) {
                    lower = Some(bound);
                }
            } else {
                let bound = div_floor(&rest.neg(), coefficient);
                if upper.as_ref().is_none_or(|known| *known > bound) {
                    upper = Some(bound);
                }
            }
        }
        (lower, upper)
    }

    /// The values that disequalities exclude, with the numbers of their constraints.
    fn excluded(&self, values: &[Integer]) -> Vec<(Integer, usize)> {
        let mut excluded = Vec::new();
        for Disequality { row, input } in &self.disequalities {
            let Some(coefficient) = row.coefficient(self.variable) else {
                continue;
            };
            let rest = row.value_without(self.variable, values).neg();
            let exact = is_unit(coefficient)
                || rest.rem_euclidean(coefficient).is_some_and(|left| left.is_zero());
            if exact {
                excluded.push((div_floor(&rest, coefficient), *input));
            }
        }
        excluded
    }
}
