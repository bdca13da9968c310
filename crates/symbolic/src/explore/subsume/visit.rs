//! Which states come of which: visits to places.
//!
//! A visit is over when no state is left that came of it. States hold the last visit of their path, and visits hold those before; so nothing has to be told where states
//! become several or end.

use crate::path::Path;
use loupe_term::Term;
use rpds::HashTrieMap;
use std::cell::RefCell;
use std::rc::Rc;

/// So far back it is looked for a visit to the same node.
const MAX_BACK: usize = 256;

/// A state as it was at a place.
#[derive(Clone)]
pub(super) struct Ended {
    pub(super) node: usize,
    /// The values for what the node leaves open.
    pub(super) values: Vec<Term>,
    pub(super) path: Path,
    /// How often its path has been there by now.
    pub(super) times: u64,
    /// The values when it was there last.
    pub(super) before: Option<Vec<Term>>,
}

/// Visits that are over, the latest last.
pub(super) type Queue = Rc<RefCell<Vec<Ended>>>;

/// A path was at a place.
pub(in crate::explore) struct Visit {
    /// The last ones before it: several where several paths have become one.
    before: Vec<Rc<Visit>>,
    /// Where; nowhere where paths have become one.
    at: Option<Ended>,
    /// How often the path has been at each node.
    times: HashTrieMap<usize, u64>,
    over: Queue,
}

impl Visit {
    /// A visit that has just begun; what came before it is noted in it.
    pub(super) fn new(parent: Option<Rc<Visit>>, mut at: Ended, over: &Queue) -> Rc<Visit> {
        at.before = parent.as_ref().and_then(|parent| parent.values_at(at.node));
        let times = parent.as_ref().map(|parent| parent.times.clone()).unwrap_or_default();
        let now = times.get(&at.node).copied().unwrap_or(0) + 1;
        let times = times.insert(at.node, now);
        at.times = now;
        let before = parent.into_iter().collect();
        Rc::new(Visit { before, at: Some(at), times, over: Rc::clone(over) })
    }

    /// For a state that two states have become: what they come of is over when it is.
    pub(in crate::explore) fn merged(
        one: Option<Rc<Visit>>,
        other: Option<Rc<Visit>>,
    ) -> Option<Rc<Visit>> {
        let (one, other) = match (one, other) {
            (Some(one), Some(other)) => (one, other),
            (only, None) | (None, only) => return only,
        };
        if Rc::ptr_eq(&one, &other) {
            return Some(one);
        }
        let mut times = one.times.clone();
        for (node, more) in other.times.iter() {
            let most = times.get(node).copied().unwrap_or(0).max(*more);
            times.insert_mut(*node, most);
        }
        let over = Rc::clone(&one.over);
        Some(Rc::new(Visit { before: vec![one, other], at: None, times, over }))
    }

    /// The state that was there.
    pub(super) fn at(&self) -> Option<&Ended> {
        self.at.as_ref()
    }

    /// The values when the path was at a node last.
    fn values_at(self: &Rc<Self>, node: usize) -> Option<Vec<Term>> {
        let mut next = Some(self);
        for _ in 0..MAX_BACK {
            let visit = next?;
            if let Some(at) = visit.at.as_ref().filter(|at| at.node == node) {
                return Some(at.values.clone());
            }
            next = visit.before.first();
        }
        None
    }
}

/// One after the other instead of one inside the other: paths can be long.
impl Drop for Visit {
    fn drop(&mut self) {
        self.over.borrow_mut().extend(self.at.take());
        let mut open = std::mem::take(&mut self.before);
        while let Some(visit) = open.pop() {
            if let Some(mut visit) = Rc::into_inner(visit) {
                open.append(&mut visit.before);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(node: usize) -> Ended {
        Ended { node, values: Vec::new(), path: Path::default(), times: 0, before: None }
    }

    #[test]
    fn a_visit_is_over_when_all_that_came_of_it_is() {
        let over = Queue::default();
        let root = Visit::new(None, at(0), &over);
        let one = Visit::new(Some(Rc::clone(&root)), at(1), &over);
        let other = Visit::new(Some(root), at(2), &over);
        let nodes = || over.borrow().iter().map(|at| at.node).collect::<Vec<_>>();
        let both = Visit::merged(Some(one), Some(other));
        let again = Visit::new(both, at(1), &over);
        assert_eq!(again.at().map(|at| at.times), Some(2));
        assert!(nodes().is_empty());
        drop(again);
        let mut over = nodes();
        over.sort_unstable();
        assert_eq!(over, [0, 1, 1, 2]);
    }

    #[test]
    fn long_paths_need_no_stack() {
        let over = Queue::default();
        let mut last = None;
        for node in 0..200_000 {
            last = Some(Visit::new(last, at(node % 7), &over));
        }
        drop(last);
        assert_eq!(over.borrow().len(), 200_000);
    }
}
