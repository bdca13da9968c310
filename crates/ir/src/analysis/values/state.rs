//! What is known at a place: a set of values for each register that matters there, and for each object that exists once.

use super::facts::Facts;
use super::range::Landmarks;
use super::value::{Object, Value};
use crate::program::LocalId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known at a place. Of what is not there, nobody has written anything yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) registers: BTreeMap<LocalId, Rc<Value>>,
    /// Objects that exist once. All others are described for the whole program at once.
    pub(super) cells: BTreeMap<Object, Rc<Value>>,
    /// How these compare with each other.
    pub(super) facts: Facts,
}

impl State {
    pub(super) fn register(&self, local: LocalId) -> Rc<Value> {
        self.registers.get(&local).cloned().unwrap_or_else(|| Rc::new(Value::nothing()))
    }

    pub(super) fn cell(&self, object: Object) -> Rc<Value> {
        self.cells.get(&object).cloned().unwrap_or_else(|| Rc::new(Value::nothing()))
    }

    /// All states of either; with landmarks, something larger, so that only so many steps are possible.
    pub(super) fn merged(&self, newer: &State, landmarks: Option<&Landmarks>) -> State {
        State {
            registers: merged(&self.registers, &newer.registers, landmarks),
            cells: merged(&self.cells, &newer.cells, landmarks),
            facts: self.facts.merged(&newer.facts),
        }
    }

    /// Whether all states of the other are among these.
    pub(super) fn contains(&self, other: &State) -> bool {
        contains(&self.registers, &other.registers)
            && contains(&self.cells, &other.cells)
            && self.facts.contains(&other.facts)
    }
}

fn merged<K: Ord + Copy>(
    one: &BTreeMap<K, Rc<Value>>,
    newer: &BTreeMap<K, Rc<Value>>,
    landmarks: Option<&Landmarks>,
) -> BTreeMap<K, Rc<Value>> {
    let nothing = Rc::new(Value::nothing());
    let mut all = one.clone();
    for key in one.keys().chain(newer.keys()) {
        let older = one.get(key).unwrap_or(&nothing);
        let newer = newer.get(key).unwrap_or(&nothing);
        if Rc::ptr_eq(older, newer) {
            continue;
        }
        let value = match landmarks {
            Some(landmarks) => older.widened(newer, landmarks),
            None => older.join(newer),
        };
        if value != **older || !one.contains_key(key) {
            all.insert(*key, Rc::new(value));
        }
    }
    all
}

fn contains<K: Ord>(own: &BTreeMap<K, Rc<Value>>, other: &BTreeMap<K, Rc<Value>>) -> bool {
    let nothing = Rc::new(Value::nothing());
    let holds = |one: &Rc<Value>, other: &Rc<Value>| Rc::ptr_eq(one, other) || one.contains(other);
    own.iter().all(|(key, value)| holds(value, other.get(key).unwrap_or(&nothing)))
        && other.iter().all(|(key, value)| own.contains_key(key) || holds(&nothing, value))
}
