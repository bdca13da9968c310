//! Sets of values.

use super::range::{Landmarks, Range};
use crate::analysis::location::Location;
use crate::program::{FunctionId, LocalId, Symbol};
use crate::types::Tag;
use std::collections::{BTreeMap, BTreeSet};

/// Objects that the analysis does not tell apart: those of one memory local, or those that one instruction makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    Local(FunctionId, LocalId),
    Made(FunctionId, Location),
}

/// Records within records are told apart so far.
const MOST_DEPTH: usize = 4;

/// A field of a record that a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) value: Value,
    /// Whether all these records have it.
    pub(super) is_everywhere: bool,
}

/// A set of values, as the union of its parts. A truth value is 0 or 1 here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    /// Whatever its type allows.
    pub(super) anything: bool,
    /// Numbers.
    pub(super) numbers: Option<Range>,
    /// The null pointer.
    pub(super) null: bool,
    /// Pointers to these.
    pub(super) pointers: BTreeSet<Object>,
    /// References to arrays that these instructions make.
    pub(super) arrays: BTreeSet<Object>,
    /// Records.
    pub(super) record: Option<BTreeMap<Symbol, Field>>,
    /// Functions.
    pub(super) functions: BTreeSet<FunctionId>,
    /// No value yet.
    pub(super) nothing: bool,
}

impl Value {
    pub(super) fn anything() -> Self {
        Value { anything: true, ..Value::default() }
    }

    pub(super) fn nothing() -> Self {
        Value { nothing: true, ..Value::default() }
    }

    pub(super) fn numbers(range: Range) -> Self {
        Value { numbers: Some(range), ..Value::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Value::default()
    }

    /// The numbers among them, if there are any.
    pub(super) fn as_numbers(&self) -> Option<Range> {
        if self.anything { Some(Range::ALL) } else { self.numbers.clone() }
    }

    /// Whether it is known to be of this tag, whatever else is known; nothing if that differs.
    pub(super) fn has_tag(&self, tag: Tag) -> Option<bool> {
        if self.anything || self.nothing {
            return None;
        }
        let own = self.of_tag(tag);
        match (own.is_empty(), own == *self) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }

    /// Those of a tag.
    pub(super) fn of_tag(&self, tag: Tag) -> Value {
        let mut own = Value { anything: self.anything, ..Value::default() };
        match tag {
            Tag::Number if self.anything => own = Value::numbers(Range::ALL),
            Tag::Number => own.numbers = self.numbers.clone(),
            Tag::Pointer => {
                own.null = self.null;
                own.pointers = self.pointers.clone();
            }
            Tag::Array => own.arrays = self.arrays.clone(),
            Tag::Record => own.record = self.record.clone(),
            Tag::Function => own.functions = self.functions.clone(),
        }
        own
    }

    /// Those of all other tags.
    pub(super) fn of_other_tags(&self, tag: Tag) -> Value {
        let mut own = self.clone();
        match tag {
            Tag::Number => own.numbers = None,
            Tag::Pointer => {
                own.null = false;
                own.pointers.clear();
            }
            Tag::Array => own.arrays.clear(),
            Tag::Record => own.record = None,
            Tag::Function => own.functions.clear(),
        }
        own
    }

    fn depth(&self) -> usize {
        // Bounded, since nothing deeper is ever built.
        let fields = self.record.iter().flat_map(BTreeMap::values);
        fields.map(|field| 1 + field.value.depth()).max().unwrap_or(0)
    }

    /// The same, if records do not lie too deep in each other.
    pub(super) fn shallow(self) -> Value {
        if self.depth() > MOST_DEPTH { Value::anything() } else { self }
    }

    /// All values of either.
    pub(super) fn join(&self, other: &Value) -> Value {
        self.merged(other, &|one, other| one.join(other))
    }

    /// What contains both, in steps of which only so many are possible.
    pub(super) fn widened(&self, newer: &Value, landmarks: &Landmarks) -> Value {
        self.merged(newer, &|one, other| one.widened(other, landmarks))
    }

    fn merged(&self, other: &Value, ranges: &impl Fn(&Range, &Range) -> Range) -> Value {
        if self == other {
            return self.clone();
        }
        if self.anything || other.anything {
            return Value { nothing: self.nothing || other.nothing, ..Value::anything() };
        }
        let numbers = match (&self.numbers, &other.numbers) {
            (Some(one), Some(other)) => Some(ranges(one, other)),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        let record = match (&self.record, &other.record) {
            (Some(one), Some(other)) => Some(merged_fields(one, other, ranges)),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        Value {
            anything: false,
            numbers,
            null: self.null || other.null,
            pointers: &self.pointers | &other.pointers,
            arrays: &self.arrays | &other.arrays,
            record,
            functions: &self.functions | &other.functions,
            nothing: self.nothing || other.nothing,
        }
    }

    /// Whether all values of the other are among these.
    pub(super) fn contains(&self, other: &Value) -> bool {
        if self == other || (self.anything && (self.nothing || !other.nothing)) {
            return true;
        }
        let has_numbers = match (&self.numbers, &other.numbers) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own.contains(other),
        };
        let has_record = match (&self.record, &other.record) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => contains_fields(own, other),
        };
        has_numbers
            && has_record
            && !other.anything
            && self.null >= other.null
            && self.nothing >= other.nothing
            && self.pointers.is_superset(&other.pointers)
            && self.arrays.is_superset(&other.arrays)
            && self.functions.is_superset(&other.functions)
    }
}

fn merged_fields(
    one: &BTreeMap<Symbol, Field>,
    other: &BTreeMap<Symbol, Field>,
    ranges: &impl Fn(&Range, &Range) -> Range,
) -> BTreeMap<Symbol, Field> {
    let mut merged = BTreeMap::new();
    for name in one.keys().chain(other.keys()) {
        let field = match (one.get(name), other.get(name)) {
            (Some(one), Some(other)) => Field {
                value: one.value.merged(&other.value, ranges),
                is_everywhere: one.is_everywhere && other.is_everywhere,
            },
            (Some(field), None) | (None, Some(field)) => {
                Field { is_everywhere: false, ..field.clone() }
            }
            (None, None) => continue,
        };
        merged.insert(*name, field);
    }
    merged
}

fn contains_fields(own: &BTreeMap<Symbol, Field>, other: &BTreeMap<Symbol, Field>) -> bool {
    let has_all = other.iter().all(|(name, theirs)| {
        own.get(name).is_some_and(|field| {
            field.value.contains(&theirs.value) && field.is_everywhere <= theirs.is_everywhere
        })
    });
    has_all && own.iter().all(|(name, field)| !field.is_everywhere || other.contains_key(name))
}
