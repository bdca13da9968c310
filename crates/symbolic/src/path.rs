//! What is known on a path.

use loupe_integer::Integer;
use loupe_term::{Assignment, Term};
use rpds::HashTrieMap;
use std::rc::Rc;

/// The path condition: what inputs must be like for an execution to come this way, in the order in which
/// it grew. Clones share all that they have in common.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The newest condition, which knows the others.
    newest: Option<Rc<Link>>,
    known: Known,
    /// Values of symbols for which all conditions hold, if some are at hand.
    model: Option<Rc<Assignment>>,
}

/// A condition, and what there was before it.
#[derive(Debug)]
struct Link {
    condition: Term,
    before: Option<Rc<Link>>,
    /// What was known then: whoever merges two paths goes back there.
    known: Known,
    length: usize,
}

/// What is known besides the conditions.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Conditions that are known to hold, or not to.
    truths: HashTrieMap<Term, bool>,
    /// Terms that have only one value on this path.
    values: HashTrieMap<Term, Integer>,
}

/// What two paths have in common, and what each of them has beyond that, the oldest first.
#[derive(Debug)]
pub(crate) struct Parted {
    pub(crate) common: Path,
    pub(crate) then: Vec<Term>,
    pub(crate) otherwise: Vec<Term>,
}

impl Path {
    /// How many conditions there are.
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |link| link.length)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    fn links(&self) -> impl Iterator<Item = &Rc<Link>> {
        std::iter::successors(self.newest.as_ref(), |link| link.before.as_ref())
    }

    /// The conditions, the oldest first.
    pub fn conditions(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.links().map(|link| link.condition).collect();
        all.reverse();
        all
    }

    /// Adds a condition; `negation` is its opposite. The model stays only if it is one of the new
    /// condition too.
    pub fn assume(&mut self, condition: Term, negation: Term, model: Option<Rc<Assignment>>) {
        let length = self.len() + 1;
        let (before, known) = (self.newest.take(), self.known.clone());
        self.newest = Some(Rc::new(Link { condition, before, known, length }));
        self.known.truths.insert_mut(condition, true);
        self.known.truths.insert_mut(negation, false);
        self.model = model;
    }

    /// Remembers that a condition follows from the others.
    pub fn note(&mut self, condition: Term) {
        self.known.truths.insert_mut(condition, true);
    }

    /// Remembers the only value of a term.
    pub fn learn(&mut self, term: Term, value: Integer) {
        self.known.values.insert_mut(term, value);
    }

    /// Whether a condition holds, if that was assumed before.
    #[inline]
    pub fn truth(&self, condition: Term) -> Option<bool> {
        self.known.truths.get(&condition).copied()
    }

    /// The only value of a term, if that is known.
    pub fn value(&self, term: Term) -> Option<&Integer> {
        self.known.values.get(&term)
    }

    /// The path as it was when it had so many conditions; values for it are not known.
    pub(crate) fn first(&self, count: usize) -> Path {
        let mut path = Path { model: None, ..self.clone() };
        while path.len() > count
            && let Some(link) = path.newest.take()
        {
            path = Path { newest: link.before.clone(), known: link.known.clone(), model: None };
        }
        path
    }

    /// Goes back to where two paths have parted. The cost is that of what they do not have in common.
    pub(crate) fn parted(&self, other: &Path) -> Parted {
        let (mut a, mut b) = (self.newest.as_ref(), other.newest.as_ref());
        let (mut then, mut otherwise): (Vec<&Rc<Link>>, Vec<&Rc<Link>>) = (Vec::new(), Vec::new());
        let length = |link: Option<&Rc<Link>>| link.map_or(0, |link| link.length);
        let is_same = |a: Option<&Rc<Link>>, b: Option<&Rc<Link>>| match (a, b) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        while !is_same(a, b) {
            let (shortens_a, shortens_b) = (length(a) >= length(b), length(b) >= length(a));
            if shortens_a && let Some(link) = a {
                then.push(link);
                a = link.before.as_ref();
            }
            if shortens_b && let Some(link) = b {
                otherwise.push(link);
                b = link.before.as_ref();
            }
        }
        // What is noted without a condition follows from those before.
        let known = match (then.last(), otherwise.last()) {
            (Some(first), _) | (None, Some(first)) => first.known.clone(),
            (None, None) => self.known.clone(),
        };
        let common = Path { newest: a.cloned(), known, model: None };
        let terms = |links: Vec<&Rc<Link>>| links.iter().rev().map(|link| link.condition).collect();
        Parted { common, then: terms(then), otherwise: terms(otherwise) }
    }

    /// Values for which all conditions hold.
    pub fn model(&self) -> Option<&Rc<Assignment>> {
        self.model.as_ref()
    }

    /// Sets values for which all conditions hold, if some are known.
    pub(crate) fn set_model_of(&mut self, model: Option<Rc<Assignment>>) {
        self.model = model;
    }

    /// Sets values for which all conditions hold.
    pub fn set_model(&mut self, model: Rc<Assignment>) {
        self.model = Some(model);
    }
}

/// One link after the other instead of one inside the other: paths are long.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;
    use loupe_term::{Origin, Sort, Term, Terms};

    fn formula(terms: &mut Terms, name: &str) -> [Term; 2] {
        let term = terms.fresh(name, Sort::Bool, Origin::default());
        [term, terms.not(term)]
    }

    #[test]
    fn paths_part_where_their_conditions_do() {
        let mut terms = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| formula(&mut terms, name));
        let mut path = Path::default();
        path.assume(a[0], a[1], None);
        let (mut left, mut right) = (path.clone(), path.clone());
        left.assume(b[0], b[1], None);
        left.note(d[0]);
        left.assume(c[0], c[1], None);
        right.assume(b[1], b[0], None);
        let parted = left.parted(&right);
        assert_eq!(parted.then, [b[0], c[0]]);
        assert_eq!(parted.otherwise, [b[1]]);
        assert_eq!(parted.common.conditions(), [a[0]]);
        assert_eq!(parted.common.truth(a[0]), Some(true));
        assert_eq!(parted.common.truth(b[0]), None, "known on one of them only");
        assert_eq!(parted.common.truth(d[0]), None, "noted on one of them only");
        let parted = left.parted(&path);
        assert_eq!((parted.then.len(), parted.otherwise.len()), (2, 0));
        assert_eq!(left.parted(&left.clone()).common.len(), 3);
    }

    #[test]
    fn long_paths_need_no_stack() {
        let mut terms = Terms::new();
        let [yes, no] = formula(&mut terms, "a");
        let mut path = Path::default();
        (0..200_000).for_each(|_| path.assume(yes, no, None));
        assert_eq!(path.conditions().len(), 200_000);
    }
}
