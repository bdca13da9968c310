//! A small set of inputs that covers as much as all of them together.
//!
//! The greedy algorithm for set cover, which is at most a factor of ln n worse than the best set (Johnson 1974),
//! and then a pass that drops inputs whose points all others cover together. The same candidates give the
//! same set.

use crate::explore::{Model, Plan};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;

/// An input, and what it covers.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) model: Model,
    /// The iterations that its run goes over.
    pub(super) plan: Plan,
    pub(super) points: FixedBitSet,
    /// The smaller, the better its run ends.
    pub(super) rank: u32,
}

/// The indices of candidates that cover, together with the sets in `fixed`, what all candidates do. The first
/// `ways` points are the ones that matter most.
pub(super) fn choose(candidates: &[Candidate], fixed: &[FixedBitSet], ways: usize) -> Vec<usize> {
    let mut covered = FixedBitSet::new();
    for points in fixed {
        covered.grow(points.len());
        covered.union_with(points);
    }
    let mut chosen = Vec::new();
    while let Some(best) = best(candidates, &covered, ways) {
        let points = &candidates[best].points;
        covered.grow(points.len());
        covered.union_with(points);
        chosen.push(best);
    }
    drop_superfluous(candidates, fixed, &mut chosen);
    chosen
}

/// The candidate that covers most of what is not covered yet, if one covers any of it.
fn best(candidates: &[Candidate], covered: &FixedBitSet, ways: usize) -> Option<usize> {
    let gain = |candidate: &Candidate| {
        let (mut new_ways, mut new_points) = (0_usize, 0_usize);
        for point in candidate.points.difference(covered) {
            new_ways += usize::from(point < ways);
            new_points += 1;
        }
        (new_ways, new_points)
    };
    let rated = candidates.iter().enumerate().map(|(index, candidate)| {
        let length = candidate.model.inputs.len() + candidate.model.undefined.len();
        let preference = (candidate.rank, length, index);
        (gain(candidate), Reverse(preference))
    });
    let useful = rated.filter(|((_, points), _)| *points > 0);
    useful.max().map(|(_, Reverse((_, _, index)))| index)
}

/// Drops what the others cover; the ones that end worst are tried first.
fn drop_superfluous(candidates: &[Candidate], fixed: &[FixedBitSet], chosen: &mut Vec<usize>) {
    let sets = || chosen.iter().map(|index| &candidates[*index].points).chain(fixed);
    let mut times = vec![0_u32; sets().map(FixedBitSet::len).max().unwrap_or(0)];
    for point in sets().flat_map(FixedBitSet::ones) {
        times[point] += 1;
    }
    let mut order: Vec<usize> = chosen.clone();
    order.sort_by_key(|index| Reverse(candidates[*index].rank));
    for index in order {
        let points = &candidates[index].points;
        if points.ones().all(|point| times[point] > 1) {
            points.ones().for_each(|point| times[point] -= 1);
            chosen.retain(|kept| *kept != index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(points: u32, rank: u32) -> Candidate {
        let bits = (0..16).filter(|bit| points >> bit & 1 == 1);
        let mut set = FixedBitSet::with_capacity(16);
        bits.for_each(|bit| set.insert(bit as usize));
        Candidate { model: Model::default(), plan: Plan::default(), points: set, rank }
    }

    fn union<'a>(sets: impl IntoIterator<Item = &'a FixedBitSet>) -> Vec<usize> {
        let mut all = FixedBitSet::with_capacity(16);
        sets.into_iter().for_each(|set| all.union_with(set));
        all.ones().collect()
    }

    #[test]
    fn the_first_choice_is_dropped_if_later_ones_make_it_superfluous() {
        // The first one covers most, but the other two are needed anyway.
        let candidates = [0b01_1110, 0b00_0111, 0b11_1000].map(|points| candidate(points, 0));
        assert_eq!(choose(&candidates, &[], 6), [1, 2]);
    }

    #[test]
    fn better_ends_are_preferred() {
        let candidates = [candidate(0b11, 4), candidate(0b11, 0), candidate(0b11, 2)];
        assert_eq!(choose(&candidates, &[], 2), [1]);
    }

    proptest! {
        #[test]
        fn a_choice_covers_everything_and_needs_each_of_its_members(
            sets in prop::collection::vec((0_u32..1 << 12, 0_u32..5), 0..12),
            fixed in prop::collection::vec(0_u32..1 << 12, 0..3),
            ways in 0_usize..12,
        ) {
            let candidates: Vec<Candidate> = sets.iter().map(|(p, r)| candidate(*p, *r)).collect();
            let fixed: Vec<FixedBitSet> = fixed.iter().map(|p| candidate(*p, 0).points).collect();
            let chosen = choose(&candidates, &fixed, ways);
            let points = |index: &usize| &candidates[*index].points;
            let all = union(candidates.iter().map(|c| &c.points).chain(&fixed));
            prop_assert_eq!(union(chosen.iter().map(points).chain(&fixed)), all.clone());
            for dropped in &chosen {
                let others = chosen.iter().filter(|kept| *kept != dropped);
                prop_assert!(union(others.map(points).chain(&fixed)) != all);
            }
            prop_assert_eq!(choose(&candidates, &fixed, ways), chosen);
        }
    }
}
