//! What happened on the way to a state, the newest first, where the way may be one of several.
//!
//! A trail is a persistent list: clones share what they have in common. Where two states were merged, it goes
//! two ways up to the place where these had parted, and a *selector* says which of them an execution has gone:
//! a formula that holds on the one and not on the other.

use loupe_term::Term;
use std::fmt;
use std::rc::Rc;

/// What happened on the way to a state.
pub struct Trail<T> {
    newest: Option<Rc<Link<T>>>,
}

struct Link<T> {
    item: Item<T>,
    before: Trail<T>,
    /// How many things have happened up to here, on the longest of the ways.
    length: u64,
    /// How many links there are up to here.
    depth: usize,
}

enum Item<T> {
    One(T),
    /// One of two ways, both of which begin behind `before`.
    Either {
        selector: Term,
        then: Trail<T>,
        otherwise: Trail<T>,
    },
}

/// What somebody comes to who walks along a trail.
pub enum Stop<'t, T> {
    /// Something that happened.
    Item(&'t T),
    /// The trail goes the one way if this holds, and the other way if not; the answer says which one is walked.
    Fork(Term),
}

impl<T> Trail<T> {
    /// Something has happened.
    pub(crate) fn push(&mut self, item: T) {
        let before = std::mem::take(self);
        let length = before.len() + 1;
        let depth = before.depth() + 1;
        self.newest = Some(Rc::new(Link { item: Item::One(item), before, length, depth }));
    }

    /// How many things have happened, on the longest of the ways.
    pub fn len(&self) -> u64 {
        self.newest.as_ref().map_or(0, |link| link.length)
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// The trail of a state that two others were merged to: that of the first where the selector holds.
    pub(crate) fn merged(selector: Term, then: &Trail<T>, otherwise: &Trail<T>) -> Trail<T> {
        if then.is_same(otherwise) {
            return then.clone();
        }
        let length = then.len().max(otherwise.len());
        let before = then.common(otherwise);
        let (then, otherwise) = (then.clone(), otherwise.clone());
        let item = Item::Either { selector, then, otherwise };
        let depth = before.depth() + 1;
        Trail { newest: Some(Rc::new(Link { item, before, length, depth })) }
    }

    /// Whether it is the very same trail.
    fn is_same(&self, other: &Trail<T>) -> bool {
        match (&self.newest, &other.newest) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn depth(&self) -> usize {
        self.newest.as_ref().map_or(0, |link| link.depth)
    }

    fn links(&self) -> impl Iterator<Item = &Rc<Link<T>>> {
        std::iter::successors(self.newest.as_ref(), |link| link.before.newest.as_ref())
    }

    /// The beginning that two trails share.
    fn common(&self, other: &Trail<T>) -> Trail<T> {
        let (mut a, mut b) = (self, other);
        while !a.is_same(b) {
            let (shortens_a, shortens_b) = (a.depth() >= b.depth(), b.depth() >= a.depth());
            if shortens_a && let Some(link) = &a.newest {
                a = &link.before;
            }
            if shortens_b && let Some(link) = &b.newest {
                b = &link.before;
            }
        }
        a.clone()
    }

    /// Walks along the trail, from its beginning on.
    pub fn walk(&self, mut visit: impl FnMut(Stop<'_, T>) -> bool) {
        let mut open: Vec<&Link<T>> = self.links().map(|link| &**link).collect();
        while let Some(link) = open.pop() {
            match &link.item {
                Item::One(item) => {
                    visit(Stop::Item(item));
                }
                Item::Either { selector, then, otherwise } => {
                    let way = if visit(Stop::Fork(*selector)) { then } else { otherwise };
                    let until = link.before.newest.as_ref();
                    let ours = way
                        .links()
                        .take_while(|link| !until.is_some_and(|until| Rc::ptr_eq(link, until)));
                    open.extend(ours.map(|link| &**link));
                }
            }
        }
    }

    /// What has happened where selectors are as somebody says, the oldest first.
    pub fn along(&self, mut holds: impl FnMut(Term) -> bool) -> Vec<T>
    where
        T: Clone,
    {
        let mut found = Vec::new();
        self.walk(|stop| match stop {
            Stop::Item(item) => {
                found.push(item.clone());
                true
            }
            Stop::Fork(selector) => holds(selector),
        });
        found
    }

    /// Everything that has happened on any of the ways, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &T> {
        // Parts of trails: from a link on, up to another one.
        type Part<'t, T> = (Option<&'t Rc<Link<T>>>, Option<&'t Rc<Link<T>>>);
        let mut open: Vec<Part<'_, T>> = vec![(self.newest.as_ref(), None)];
        std::iter::from_fn(move || {
            while let Some((at, until)) = open.pop() {
                let is_end = |link: &Rc<Link<T>>| until.is_some_and(|end| Rc::ptr_eq(link, end));
                let Some(link) = at.filter(|link| !is_end(link)) else { continue };
                let before = link.before.newest.as_ref();
                open.push((before, until));
                match &link.item {
                    Item::One(item) => return Some(item),
                    Item::Either { then, otherwise, .. } => {
                        open.push((otherwise.newest.as_ref(), before));
                        open.push((then.newest.as_ref(), before));
                    }
                }
            }
            None
        })
    }

    /// The same, the oldest first.
    pub fn oldest_first(&self) -> impl Iterator<Item = &T> {
        let mut all: Vec<&T> = self.newest_first().collect();
        all.reverse();
        all.into_iter()
    }
}

impl<T> Default for Trail<T> {
    fn default() -> Self {
        Trail { newest: None }
    }
}

impl<T> Clone for Trail<T> {
    fn clone(&self) -> Self {
        Trail { newest: self.newest.clone() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Trail<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.oldest_first()).finish()
    }
}

/// One link after the other instead of one inside the other: trails are long.
impl<T> Drop for Trail<T> {
    fn drop(&mut self) {
        let mut open: Vec<Rc<Link<T>>> = self.newest.take().into_iter().collect();
        while let Some(link) = open.pop() {
            let Some(mut link) = Rc::into_inner(link) else { continue };
            open.extend(link.before.newest.take());
            if let Item::Either { then, otherwise, .. } = &mut link.item {
                open.extend(then.newest.take());
                open.extend(otherwise.newest.take());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stop, Trail};
    use loupe_term::Terms;

    fn trail(start: &Trail<u32>, items: &[u32]) -> Trail<u32> {
        let mut trail = start.clone();
        items.iter().for_each(|item| trail.push(*item));
        trail
    }

    #[test]
    fn ways_are_told_apart_by_selectors() {
        let mut terms = Terms::new();
        let selector = |terms: &mut Terms, name: &str| {
            terms.fresh(name, loupe_term::Sort::Bool, loupe_term::Origin::default())
        };
        let (s, t) = (selector(&mut terms, "s"), selector(&mut terms, "t"));
        let start = trail(&Trail::default(), &[1, 2]);
        let (a, b) = (trail(&start, &[3, 4]), trail(&start, &[5]));
        let merged = trail(&Trail::merged(s, &a, &b), &[6]);
        assert_eq!(merged.len(), 5);
        assert_eq!(merged.along(|_| true), [1, 2, 3, 4, 6]);
        assert_eq!(merged.along(|_| false), [1, 2, 5, 6]);
        assert_eq!(merged.newest_first().copied().collect::<Vec<_>>(), [6, 4, 3, 5, 2, 1]);

        // A way that has nothing of its own, and ways within ways.
        let other = trail(&start, &[]);
        let both = trail(&Trail::merged(t, &merged, &other), &[7]);
        assert_eq!(both.along(|_| false), [1, 2, 7]);
        assert_eq!(both.along(|selector| selector == t), [1, 2, 5, 6, 7]);
        let mut seen = Vec::new();
        both.walk(|stop| match stop {
            Stop::Item(item) => {
                seen.push(*item);
                true
            }
            Stop::Fork(_) => true,
        });
        assert_eq!(seen, [1, 2, 3, 4, 6, 7]);
        assert!(Trail::merged(t, &both, &both).is_same(&both));
    }

    #[test]
    fn long_trails_need_no_stack() {
        let all: Vec<u32> = (0..200_000).collect();
        let long = trail(&Trail::default(), &all);
        assert_eq!(long.len(), 200_000);
        assert_eq!(long.along(|_| true).len(), 200_000);
        drop(long);
    }
}
