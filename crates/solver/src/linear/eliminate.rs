//! Variables are eliminated by combining their lower bounds with their upper bounds (Fourier and
//! Motzkin), as in Pugh's *Omega test* (1991).
//!
//! From `a·x ≥ L` and `b·x ≤ U` follows `b·L ≤ a·U`, the *real shadow*. If `a` or `b` is 1, an integer
//! `x` exists exactly where it holds. In general, one exists where `a·U - b·L ≥ (a-1)·(b-1)` for all
//! pairs, the *dark shadow*; and a solution outside of that is so close to some lower bound that
//! `a·x = L + i` for one of a few `i`, a *splinter*.

use super::equality::take_if;
use super::model::{Between, Step};
use super::origin::{Effort, Origin, Stop};
use super::problem::{Edge, Problem, Range};
use super::row::{Row, absolute, div_floor, is_unit};
use loupe_integer::Integer;

/// Which consequences of the bounds of a variable take their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shadow {
    /// Those that every real solution has.
    Real,
    /// Those under which there is an integer solution, and the assumption that they hold.
    Dark(Origin),
}

/// A variable to be eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) variable: u32,
    /// Whether the real shadow is also the dark one.
    pub(super) exact: bool,
}

/// The bounds of a variable, counted.
#[derive(Clone, Default)]
struct Tally {
    lower: u32,
    upper: u32,
    lower_units: u32,
    upper_units: u32,
    /// How many bits the largest coefficient on either side has.
    lower_bits: u64,
    upper_bits: u64,
}

impl Tally {
    fn exact(&self) -> bool {
        self.lower == self.lower_units || self.upper == self.upper_units
    }

    /// The smaller, the better: exact ones first, then those that make few rows.
    fn rank(&self) -> (bool, u64, i64) {
        let (lower, upper) = (i64::from(self.lower), i64::from(self.upper));
        let made = lower * upper - lower - upper;
        let bits = if self.exact() { 0 } else { self.lower_bits.min(self.upper_bits) };
        (!self.exact(), bits, made)
    }
}

impl Problem {
    /// The variable that is best eliminated next; none if no inequality is left.
    pub(super) fn choose(&self, effort: &mut Effort) -> Result<Option<Choice>, Stop> {
        if self.inequalities.is_empty() {
            return Ok(None);
        }
        effort.spend(self.inequalities.len())?;
        let mut tallies = vec![Tally::default(); self.ranges.len()];
        for (variable, coefficient) in self.inequalities.iter().flat_map(|row| &row.terms) {
            let Some(tally) = tallies.get_mut(*variable as usize) else {
                continue;
            };
            let unit = u32::from(is_unit(coefficient));
            if coefficient.is_negative() {
                tally.lower += 1;
                tally.lower_units += unit;
                tally.lower_bits = tally.lower_bits.max(coefficient.bits());
            } else {
                tally.upper += 1;
                tally.upper_units += unit;
                tally.upper_bits = tally.upper_bits.max(coefficient.bits());
            }
        }
        let mut best: Option<(u32, (bool, u64, i64))> = None;
        for (variable, tally) in tallies.iter_mut().enumerate() {
            if tally.lower + tally.upper == 0 {
                continue;
            }
            let range = &self.ranges[variable];
            let edges = (u32::from(range.lower.is_some()), u32::from(range.upper.is_some()));
            tally.lower += edges.0;
            tally.lower_units += edges.0;
            tally.upper += edges.1;
            tally.upper_units += edges.1;
            let rank = tally.rank();
            if best.is_none_or(|(_, known)| rank < known) {
                best = Some((variable as u32, rank));
            }
        }
        Ok(best.map(|(variable, (inexact, ..))| Choice { variable, exact: !inexact }))
    }

    /// Replaces all constraints on a variable by a shadow of them.
    pub(super) fn eliminate(
        &mut self,
        variable: u32,
        shadow: Shadow,
        effort: &mut Effort,
    ) -> Result<Step, Stop> {
        effort.spend(1 + (self.inequalities.len() + self.disequalities.len()) / 8)?;
        let gone = Range { gone: true, ..Range::default() };
        let range = std::mem::replace(self.range_mut(variable), gone);
        let occurs = |row: &Row| row.coefficient(variable).is_some();
        let rows = take_if(&mut self.inequalities, occurs);
        let disequalities = take_if(&mut self.disequalities, |known| occurs(&known.row));
        let constants = edges(variable, &range);
        // Constant bounds among themselves are known to leave values.
        for (index, row) in rows.iter().enumerate() {
            for other in rows[index + 1..].iter().chain(&constants) {
                if let Some(combined) = combine(variable, shadow, [row, other], effort)? {
                    self.add_inequality(combined, effort)?;
                }
            }
        }
        let value = |edge: Option<Edge>| edge.map(|edge| edge.value);
        let (lower, upper) = (value(range.lower), value(range.upper));
        Ok(Step::Between(Between { variable, lower, upper, rows, disequalities }))
    }

    /// All rows that bound a variable.
    fn rows_of(&self, variable: u32) -> Vec<Row> {
        let rows = self.inequalities.iter().filter(|row| row.coefficient(variable).is_some());
        rows.cloned().chain(edges(variable, self.range(variable))).collect()
    }

    /// The rows of a variable that have splinters, with the number of these: those that bound it from
    /// the side with fewer.
    pub(super) fn splinters(&self, variable: u32) -> Vec<(Row, Integer)> {
        let rows = self.rows_of(variable);
        let (from_below, from_above) = (
            splinters_from(variable, &rows, Side::Lower),
            splinters_from(variable, &rows, Side::Upper),
        );
        let total = |splinters: &[(Row, Integer)]| {
            splinters.iter().fold(Integer::ZERO, |sum, (_, count)| sum.add(count))
        };
        if total(&from_above) < total(&from_below) { from_above } else { from_below }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

fn side_of(coefficient: &Integer) -> Side {
    if coefficient.is_negative() { Side::Lower } else { Side::Upper }
}

/// A solution with `a·x ≥ L`, `b·x ≤ U` and `a·U - b·L ≤ a·b - a - b` has
/// `b·(a·x - L) ≤ a·b - a - b`, so `a·x - L` is at most `⌊(a·b - a - b) / b⌋`, which grows with `b`: the
/// largest `b` covers all. The same with both sides exchanged.
fn splinters_from(variable: u32, rows: &[Row], side: Side) -> Vec<(Row, Integer)> {
    let (mut near, mut largest) = (Vec::new(), Integer::ONE);
    for row in rows {
        let Some(coefficient) = row.coefficient(variable) else {
            continue;
        };
        let size = absolute(coefficient);
        if side_of(coefficient) == side {
            near.push((row, size));
        } else if size > largest {
            largest = size;
        }
    }
    let splinters = near.into_iter().map(|(row, size)| {
        let most = size.mul(&largest).sub(&size).sub(&largest);
        (row.clone(), div_floor(&most, &largest).add(&Integer::ONE))
    });
    splinters.filter(|(_, count)| *count > Integer::ZERO).collect()
}

/// The constant bounds of a variable as rows.
fn edges(variable: u32, range: &Range) -> Vec<Row> {
    let lower = range.lower.iter().map(|edge| (-1, edge.value.clone(), edge.origin));
    let upper = range.upper.iter().map(|edge| (1, edge.value.neg(), edge.origin));
    let rows = lower.chain(upper);
    rows.map(|(sign, constant, origin)| Row::single(variable, sign, constant, origin)).collect()
}

/// What follows from a lower and an upper bound of a variable; nothing if both are of one kind.
fn combine(
    variable: u32,
    shadow: Shadow,
    [row, other]: [&Row; 2],
    effort: &mut Effort,
) -> Result<Option<Row>, Stop> {
    let (Some(a), Some(b)) = (row.coefficient(variable), other.coefficient(variable)) else {
        return Ok(None);
    };
    if a.is_negative() == b.is_negative() {
        return Ok(None);
    }
    let (a, b) = (absolute(a), absolute(b));
    let mut combined = row.combine(&b, other, &a, effort)?;
    if let Shadow::Dark(assumption) = shadow {
        let slack = a.sub(&Integer::ONE).mul(&b.sub(&Integer::ONE));
        combined.constant = combined.constant.add(&slack);
        combined.origin = effort.join(combined.origin, assumption);
    }
    Ok(Some(combined))
}
