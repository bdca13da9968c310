//! A small generator of random numbers, so that a seed means the same program on every machine and
//! with every version of every library.

use crate::parameters::Probability;

/// SplitMix64, after Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % (limit as u64).max(1)) as usize
    }

    /// A number in a range, both ends included; `low` if the range is empty.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = i128::from(high) - i128::from(low) + 1;
        let offset = if count > 0 { i128::from(self.next()) % count } else { 0 };
        i64::try_from(i128::from(low) + offset).unwrap_or(low)
    }

    /// True in one of `count` cases.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn chance(&mut self, probability: Probability) -> bool {
        self.next() % u64::from(Probability::ONE) < u64::from(probability.millionths())
    }

    /// One of several; nothing if there are none.
    pub(crate) fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }
}
