//! How far it is to the nearest of some points of a program: how many steps a state executes until it has
//! executed the first one there. So the distance of a state that stands at such a point is 1.
//!
//! Goals may be dropped, and then only what was near them is computed again (Ramalingam and Reps 1996, the
//! case of an increase): first the points are found all of whose shortest ways lead to a dropped goal, then
//! Dijkstra's algorithm runs on these alone.

use super::Location;
use super::flow::{Flow, Point, UNREACHABLE};
use super::work;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Distances to goals.
#[derive(Debug)]
pub(super) struct Distances {
    flow: Flow,
    is_goal: Vec<bool>,
    /// Without returning from the function of the point.
    ahead: Vec<u64>,
    /// Goals that are none any more, but are still in `ahead`.
    dropped: Vec<Point>,
    /// False everywhere, except during an update: clearing it would cost more than most updates.
    is_longer: Vec<bool>,
}

impl Distances {
    pub(super) fn new(flow: Flow, goals: impl Iterator<Item = Point>) -> Self {
        let mut is_goal = vec![false; flow.len()];
        for goal in goals {
            is_goal[goal] = true;
        }
        let ahead = vec![UNREACHABLE; flow.len()];
        let is_longer = vec![false; flow.len()];
        let mut distances = Distances { flow, is_goal, ahead, dropped: Vec::new(), is_longer };
        let all = vec![true; distances.flow.len()];
        let goals: Vec<Point> = (0..all.len()).filter(|at| distances.is_goal[*at]).collect();
        for goal in &goals {
            distances.ahead[*goal] = 1;
        }
        distances.shorten(&goals, &all);
        distances
    }

    pub(super) fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The distance of a state with a call that goes on at `place`, if its distance after the return of this
    /// call is `outside`.
    pub(super) fn of_call(&self, place: Location, outside: u64) -> u64 {
        let Some((point, steps)) = self.flow.point(place) else { return UNREACHABLE };
        let returning = self.flow.back(point).saturating_add(outside);
        self.ahead[point].min(returning).saturating_add(steps)
    }

    /// A point is no goal any more. Distances stay as they are until [`Self::update`].
    pub(super) fn drop_goal(&mut self, point: Point) {
        if std::mem::replace(&mut self.is_goal[point], false) {
            self.dropped.push(point);
        }
    }

    /// Accounts for dropped goals. Gives the points whose distances grew.
    pub(super) fn update(&mut self) -> Vec<Point> {
        let mut is_longer = std::mem::take(&mut self.is_longer);
        let longer = self.find_longer(&mut is_longer);
        for point in &longer {
            let rest = self.flow.ahead(*point).iter().filter(|(to, _)| !is_longer[*to]);
            let ways = rest.map(|(to, cost)| self.ahead[*to].saturating_add(*cost));
            self.ahead[*point] = ways.min().unwrap_or(UNREACHABLE);
        }
        self.shorten(&longer, &is_longer);
        for point in &longer {
            is_longer[*point] = false;
        }
        self.is_longer = is_longer;
        longer
    }

    /// The points all of whose shortest ways lead to dropped goals.
    ///
    /// Each point is looked at whenever one that a shortest way from it leads to is found. Shortest ways
    /// have no cycles, because no cycle is free, so the last look sees all that matters. No edge from a goal is
    /// free, so its distance of 1 comes from itself alone, and it is looked at only if it is dropped.
    fn find_longer(&mut self, is_longer: &mut [bool]) -> Vec<Point> {
        let mut longer = Vec::new();
        let mut open = std::mem::take(&mut self.dropped);
        while let Some(point) = open.pop() {
            work::tick();
            let distance = self.ahead[point];
            let keeps = |(to, cost): &(Point, u64)| {
                !is_longer[*to] && self.ahead[*to].saturating_add(*cost) == distance
            };
            if is_longer[point] || self.flow.ahead(point).iter().any(keeps) {
                continue;
            }
            is_longer[point] = true;
            longer.push(point);
            let before = self.flow.before(point).iter();
            open.extend(before.filter_map(|(from, cost)| {
                (self.ahead[*from] == distance.saturating_add(*cost)).then_some(*from)
            }));
        }
        longer
    }

    /// Dijkstra's algorithm: finds the shorter ways that lead to `from`, for points in `within` only.
    fn shorten(&mut self, from: &[Point], within: &[bool]) {
        let reached = from.iter().filter(|point| self.ahead[**point] != UNREACHABLE);
        let mut open: BinaryHeap<_> =
            reached.map(|point| Reverse((self.ahead[*point], *point))).collect();
        while let Some(Reverse((distance, point))) = open.pop() {
            work::tick();
            if distance > self.ahead[point] {
                continue;
            }
            for (before, cost) in self.flow.before(point) {
                let longer = distance.saturating_add(*cost);
                if within[*before] && longer < self.ahead[*before] {
                    self.ahead[*before] = longer;
                    open.push(Reverse((longer, *before)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
