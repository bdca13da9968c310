//! The values of a variable, iteration by iteration: a few first ones, then classes that repeat.
//!
//! After `first.len() + period·n + r` iterations the value is the r-th class at n. With this, one loop
//! counter serves values that start late (`x := y` holds from the first iteration on), alternate
//! (`x := 1 - x`) and grow.

use super::exponential::{Exponential, Move};
use crate::arena::Terms;
use crate::node::{Node, Term};
use crate::traverse::Substitution;
use loupe_integer::Integer;

/// Longer periods are not followed.
pub(super) const MAX_PERIOD: usize = 60;
/// Longer beginnings are not followed.
pub(super) const MAX_FIRST: usize = 200;

/// How many first values there are, and how many classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) first: usize,
    pub(super) period: usize,
}

impl Shape {
    /// One class from the beginning.
    pub(super) const PLAIN: Shape = Shape { first: 0, period: 1 };

    /// The smallest shape that both fit in; `None` if it is too large.
    pub(super) fn join(self, other: Shape) -> Option<Shape> {
        let period = least_common_multiple(self.period, other.period);
        let first = self.first.max(other.first);
        (period <= MAX_PERIOD && first <= MAX_FIRST).then_some(Shape { first, period })
    }

    /// How many values and classes there are.
    pub(super) fn positions(self) -> usize {
        self.first + self.period
    }

    /// The value or class of iteration `iteration`, and the n of the class.
    pub(super) fn position(self, iteration: usize) -> (usize, usize) {
        match iteration.checked_sub(self.first) {
            None => (iteration, 0),
            Some(later) => (self.first + later % self.period, later / self.period),
        }
    }
}

/// The least common multiple of positive numbers.
fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x.max(1) * b
}

/// Something with a counter.
pub(super) trait Counted: Clone + PartialEq {
    /// With `factor · n + offset` for the counter n.
    fn with_counter(&self, terms: &mut Terms, counter: Term, by: Move) -> Self;
}

impl Counted for Exponential {
    fn with_counter(&self, _: &mut Terms, _: Term, by: Move) -> Self {
        self.moved(by)
    }
}

impl Counted for Term {
    fn with_counter(&self, terms: &mut Terms, counter: Term, by: Move) -> Self {
        let Node::Symbol(symbol) = *terms.node(counter) else { return *self };
        let offset = terms.int(by.offset);
        let moved = terms.add_scaled(offset, counter, &Integer::from(by.factor));
        if moved == counter {
            return *self;
        }
        terms.substitute(*self, &Substitution::from_iter([(symbol, moved)]))
    }
}

/// First values and classes; there is at least one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sequence<T> {
    first: Vec<T>,
    classes: Vec<T>,
}

impl<T: Counted> Sequence<T> {
    /// The same value always.
    pub(super) fn constant(value: T) -> Self {
        Sequence { first: Vec::new(), classes: vec![value] }
    }

    /// From the values of all positions; `None` if there are too few.
    pub(super) fn new(shape: Shape, mut values: Vec<T>) -> Option<Self> {
        if values.len() != shape.positions() || shape.period == 0 {
            return None;
        }
        let classes = values.split_off(shape.first);
        Some(Sequence { first: values, classes })
    }

    pub(super) fn shape(&self) -> Shape {
        Shape { first: self.first.len(), period: self.classes.len() }
    }

    pub(super) fn first(&self) -> &[T] {
        &self.first
    }

    pub(super) fn classes(&self) -> &[T] {
        &self.classes
    }

    /// First values and classes, in order.
    pub(super) fn positions(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.classes)
    }

    /// First values and classes in another shape, which is a join of this one's with others.
    pub(super) fn reshaped(&self, terms: &mut Terms, counter: Term, shape: Shape) -> Vec<T> {
        let own = self.shape();
        let rounds = (shape.period / own.period) as u32;
        let values = (0..shape.positions()).map(|iteration| {
            let (position, n) = own.position(iteration);
            // Before the new classes begin, n is a number; in them, it counts new rounds.
            let factor = if iteration < shape.first { 0 } else { rounds };
            let value = self.first.get(position).cloned();
            value.or_else(|| {
                let class = self.classes.get(position - own.first)?;
                Some(class.with_counter(terms, counter, Move { factor, offset: n as i64 }))
            })
        });
        values.flatten().collect()
    }

    /// The value before the first iteration.
    pub(super) fn start(&self, terms: &mut Terms, counter: Term) -> Option<T> {
        let start = Move { factor: 0, offset: 0 };
        let class = || self.classes.first().map(|class| class.with_counter(terms, counter, start));
        self.first.first().cloned().or_else(class)
    }

    /// The sequence with something else in every position.
    pub(super) fn map<U: Counted>(&self, mut each: impl FnMut(&T) -> U) -> Sequence<U> {
        let first = self.first.iter().map(&mut each).collect();
        Sequence { first, classes: self.classes.iter().map(&mut each).collect() }
    }

    /// The value one iteration later.
    pub(super) fn next(&self, terms: &mut Terms, counter: Term) -> Self {
        let (mut first, mut classes) = (self.first.clone(), self.classes.clone());
        if first.is_empty() {
            let later = classes.remove(0);
            classes.push(later.with_counter(terms, counter, Move { factor: 1, offset: 1 }));
        } else {
            first.remove(0);
        }
        Sequence { first, classes }
    }

    /// One iteration later than this, with `start` at the beginning.
    pub(super) fn delayed(mut self, start: T) -> Self {
        self.first.insert(0, start);
        self
    }
}

impl Sequence<Exponential> {
    /// The same values in a small shape.
    pub(super) fn compact(mut self, terms: &mut Terms, counter: Term) -> Self {
        let shape = self.shape();
        for period in (1..shape.period).filter(|period| shape.period.is_multiple_of(*period)) {
            let rounds = (shape.period / period) as u32;
            let classes = self.classes.iter().take(period);
            if !classes.clone().all(Exponential::is_polynomial) {
                continue;
            }
            let first = self.first.clone();
            let classes = classes.map(|class| class.stretched(rounds)).collect();
            let shorter = Sequence { first, classes };
            // The same on the classes of the long period: the same sequence.
            let values = shorter.reshaped(terms, counter, shape);
            if values.iter().eq(self.positions()) {
                self = shorter;
                break;
            }
        }
        // The last first value may be what the classes would be one iteration earlier.
        while let (Some(last), Some(class)) = (self.first.last(), self.classes.last()) {
            let earlier = class.moved(Move { factor: 1, offset: -1 });
            if earlier.moved(Move { factor: 0, offset: 0 }) != *last {
                break;
            }
            self.first.pop();
            self.classes.pop();
            self.classes.insert(0, earlier);
        }
        self
    }
}

impl Sequence<Term> {
    /// The same values in a small shape, where that is plain: classes without counter that are all the
    /// same, and first values that are as well.
    pub(super) fn compact(mut self, terms: &Terms, counter: Term) -> Self {
        let Some(&class) = self.classes.first() else { return self };
        if self.classes.iter().any(|other| *other != class)
            || terms.post_order(class).contains(&counter)
        {
            return self;
        }
        self.classes.truncate(1);
        while self.first.last() == Some(&class) {
            self.first.pop();
        }
        self
    }
}
