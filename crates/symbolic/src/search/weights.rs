//! Weighted choice: weights that change, and which of them a point on their line falls into.

use super::work;

/// A list of weights with their sums, as a complete binary tree: node i has the children 2i and 2i + 1, and
/// holds what they sum up to; the weights are the leaves.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    sums: Vec<u64>,
}

impl Weights {
    pub(super) fn new() -> Self {
        Weights { sums: vec![0; 2] }
    }

    fn capacity(&self) -> usize {
        self.sums.len() / 2
    }

    /// The sum of all.
    pub(super) fn total(&self) -> u64 {
        self.sums[1]
    }

    /// Changes a weight; all are 0 at first. The sum must stay below 2⁶⁴.
    pub(super) fn set(&mut self, index: usize, weight: u64) {
        while index >= self.capacity() {
            self.grow();
        }
        let mut node = self.capacity() + index;
        self.sums[node] = weight;
        while node > 1 {
            work::tick();
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    /// Twice as many leaves. That costs what they cost so far, so it is constant for each of them.
    fn grow(&mut self) {
        let capacity = self.capacity();
        let mut sums = vec![0; 4 * capacity];
        sums[2 * capacity..3 * capacity].copy_from_slice(&self.sums[capacity..]);
        for node in (1..2 * capacity).rev() {
            work::tick();
            sums[node] = sums[2 * node] + sums[2 * node + 1];
        }
        self.sums = sums;
    }

    /// If the weights lie one behind the other on a line, the one that `point` is in, and how far in.
    /// `point` must be below the sum.
    pub(super) fn find(&self, mut point: u64) -> (usize, u64) {
        debug_assert!(point < self.total(), "a point on the line");
        let mut node = 1;
        while node < self.capacity() {
            work::tick();
            node *= 2;
            if point >= self.sums[node] {
                point -= self.sums[node];
                node += 1;
            }
        }
        (node - self.capacity(), point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_point_is_in_the_weight_that_covers_it(
            changes in prop::collection::vec((0..20_usize, 0..5_u64), 0..40),
        ) {
            let mut weights = Weights::new();
            let mut list = [0; 20];
            for (index, weight) in changes {
                weights.set(index, weight);
                list[index] = weight;
            }
            let line: Vec<(usize, u64)> =
                (0..20).flat_map(|index| (0..list[index]).map(move |at| (index, at))).collect();
            prop_assert_eq!(weights.total(), line.len() as u64);
            for (point, expected) in line.into_iter().enumerate() {
                prop_assert_eq!(weights.find(point as u64), expected);
            }
        }
    }
}
