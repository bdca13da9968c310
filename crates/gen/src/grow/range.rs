//! Ranges of values: what the generator knows about every expression.
//!
//! A range is sound for all inputs. It is what protects an index or a divisor, shows that a signed operation
//! fits, and bounds how often a loop iterates.

use crate::tree::Operator;

/// All numbers from `low` to `high`, both included. The ends of [`Range::ANY`] stand for infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// Larger than anything that is counted.
const INFINITY: i64 = 1 << 62;

impl Range {
    pub(crate) const ANY: Range = Range { low: -INFINITY, high: INFINITY };
    pub(crate) const INT: Range = Range { low: i32::MIN as i64, high: i32::MAX as i64 };
    pub(crate) const UNSIGNED: Range = Range { low: 0, high: u32::MAX as i64 };
    pub(crate) const BYTE: Range = Range { low: 0, high: 255 };
    pub(crate) const TRUTH: Range = Range { low: 0, high: 1 };

    pub(crate) const fn new(low: i64, high: i64) -> Self {
        Range { low, high }
    }

    /// From `-size` to `size`.
    pub(crate) const fn around_zero(size: i64) -> Self {
        Range { low: -size, high: size }
    }

    pub(crate) const fn constant(value: i64) -> Self {
        Range { low: value, high: value }
    }

    pub(crate) const fn is_constant(self) -> bool {
        self.low == self.high
    }

    pub(crate) const fn has(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    pub(crate) const fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The greatest absolute value.
    pub(crate) fn size(self) -> i64 {
        self.low.abs().max(self.high.abs())
    }

    pub(crate) fn hull(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// By so much wider at both ends.
    pub(crate) fn widened(self, by: i64) -> Range {
        Range::clamped(
            i128::from(self.low) - i128::from(by),
            i128::from(self.high) + i128::from(by),
        )
    }

    /// What an arithmetic operator makes of two ranges, in mathematical integers. A divisor is taken not to
    /// be 0: that is an error and ends the run.
    pub(crate) fn combine(operator: Operator, left: Range, right: Range) -> Range {
        let (a, b) = (i128::from(left.low), i128::from(left.high));
        let (c, d) = (i128::from(right.low), i128::from(right.high));
        match operator {
            Operator::Add => Range::clamped(a + c, b + d),
            Operator::Sub => Range::clamped(a - d, b - c),
            Operator::Mul => {
                let products = [a * c, a * d, b * c, b * d];
                let low = products.iter().min().copied().unwrap_or_default();
                Range::clamped(low, products.iter().max().copied().unwrap_or_default())
            }
            // Toward zero, by a number whose absolute value is at least 1.
            Operator::Div if left.low >= 0 && right.low >= 0 => {
                let high = left.high / right.low.max(1);
                Range::new(0, if left.high == INFINITY { INFINITY } else { high })
            }
            Operator::Div => Range::around_zero(left.size()),
            // The sign is that of the left side.
            Operator::Rem => {
                let size = left.size().min(right.size() - 1).max(0);
                Range {
                    low: if left.low >= 0 { 0 } else { -size },
                    high: if left.high <= 0 { 0 } else { size },
                }
            }
            _ => Range::TRUTH,
        }
    }

    fn clamped(low: i128, high: i128) -> Range {
        let infinity = i128::from(INFINITY);
        // What is nearly infinite was infinite, and something was subtracted.
        let clamp = |value: i128| match value {
            value if value >= infinity / 2 => INFINITY,
            value if value <= -infinity / 2 => -INFINITY,
            value => value as i64,
        };
        Range { low: clamp(low), high: clamp(high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value that operands of small ranges can give is in the range of the result, and for all but
    /// quotients and remainders both ends are reached.
    #[test]
    fn ranges_are_sound() {
        use Operator::{Add, Div, Mul, Rem, Sub};
        let ranges: Vec<Range> =
            (-4..=4).flat_map(|low| (low..=4).map(move |high| Range::new(low, high))).collect();
        for operator in [Add, Sub, Mul, Div, Rem] {
            for (left, right) in ranges.iter().flat_map(|l| ranges.iter().map(move |r| (*l, *r))) {
                let result = Range::combine(operator, left, right);
                let pairs = (left.low..=left.high)
                    .flat_map(|a| (right.low..=right.high).map(move |b| (a, b)));
                let values: Vec<i64> = pairs
                    .filter_map(|(a, b)| match operator {
                        Add => Some(a + b),
                        Sub => Some(a - b),
                        Mul => Some(a * b),
                        Div => a.checked_div(b),
                        _ => a.checked_rem(b),
                    })
                    .collect();
                let context = format!("{left:?} {} {right:?}: {result:?}", operator.symbol());
                assert!(values.iter().all(|value| result.has(*value)), "{context}");
                if !matches!(operator, Div | Rem) {
                    assert!(
                        values.contains(&result.low) && values.contains(&result.high),
                        "{context}"
                    );
                }
            }
        }
    }

    #[test]
    fn infinity_stays() {
        let more = Range::combine(Operator::Add, Range::ANY, Range::constant(1));
        assert_eq!(more, Range::ANY);
        assert_eq!(Range::combine(Operator::Mul, Range::ANY, Range::ANY), Range::ANY);
        assert_eq!(Range::ANY.widened(i64::MAX), Range::ANY);
    }
}
