//! What values are made of.

use super::Value;
use crate::domain::Domain;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The parts of values that are neither records nor sequences; what several share is looked into once.
///
/// Values nest to any depth, so this is no recursion.
#[derive(Debug)]
pub struct Leaves<'v, D: Domain> {
    open: Vec<&'v Value<D>>,
    seen: FxHashSet<*const ()>,
}

impl<D: Domain> Default for Leaves<'_, D> {
    fn default() -> Self {
        Leaves { open: Vec::new(), seen: FxHashSet::default() }
    }
}

impl<'v, D: Domain> Leaves<'v, D> {
    /// The parts of a value.
    pub fn of(value: &'v Value<D>) -> Self {
        let mut leaves = Leaves::default();
        leaves.open.push(value);
        leaves
    }
}

impl<'v, D: Domain> Extend<&'v Value<D>> for Leaves<'v, D> {
    fn extend<I: IntoIterator<Item = &'v Value<D>>>(&mut self, values: I) {
        self.open.extend(values);
    }
}

impl<'v, D: Domain> Iterator for Leaves<'v, D> {
    type Item = &'v Value<D>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(value) = self.open.pop() {
            match value {
                Value::Record(record) => {
                    if self.seen.insert(Rc::as_ptr(record).cast()) {
                        self.open.extend(record.fields.iter().map(|(_, value)| value));
                    }
                }
                Value::Sequence(sequence) => {
                    if self.seen.insert(Rc::as_ptr(sequence).cast()) {
                        self.open.extend(&sequence.values);
                    }
                }
                leaf => return Some(leaf),
            }
        }
        None
    }
}
