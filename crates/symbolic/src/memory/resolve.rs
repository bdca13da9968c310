//! Objects of a merged state where it is known which of the merged ones it is.

use super::arrays::Array;
use super::{Aggregate, Background, Body, Entry, Memory, Object, Written};
use crate::merge::Resolver;
use std::rc::Rc;

impl Resolver<'_> {
    /// All objects; what does not change is shared.
    pub(crate) fn memory(&mut self, memory: &Memory) -> Memory {
        let mut resolved = memory.clone();
        for (number, object) in memory.objects.iter().enumerate() {
            if !object.is_alive {
                continue;
            }
            if let Some(now) = self.object(object) {
                resolved.objects.set_mut(number, Rc::new(now));
            }
        }
        resolved
    }

    /// An object, if it changes.
    fn object(&mut self, object: &Object) -> Option<Object> {
        let body = self.body(&object.body);
        let background = match &object.background {
            Background::Unknown { occasion, position } => {
                let now = self.int(position);
                let occasion = *occasion;
                (now != *position).then_some(Background::Unknown { occasion, position: now })
            }
            Background::Zero | Background::Nothing => None,
        };
        let size = self.int(&object.size);
        if body.is_none() && background.is_none() && size == object.size {
            return None;
        }
        let mut now = object.clone();
        now.size = size;
        now.body = body.unwrap_or(now.body);
        now.background = background.unwrap_or(now.background);
        Some(now)
    }

    fn body(&mut self, body: &Body) -> Option<Body> {
        match body {
            Body::Entries(entries) => {
                let mut now = entries.clone();
                let mut has_changed = false;
                for (at, entry) in entries {
                    let resolved = self.entry_resolved(entry);
                    if !resolved.is_same(entry) {
                        now.insert_mut(*at, resolved);
                        has_changed = true;
                    }
                }
                has_changed.then_some(Body::Entries(now))
            }
            Body::Array(array) => {
                let elements = self.term(array.elements);
                let written = array.written.map(|written| self.term(written));
                let is_same = (elements, written) == (array.elements, array.written);
                (!is_same).then(|| Body::Array(Array { elements, written, ..array.clone() }))
            }
        }
    }

    fn entry_resolved(&mut self, entry: &Entry) -> Entry {
        let written = match &entry.written {
            Written::If(truth) => Written::If(self.truth(*truth)),
            Written::Mixed(truth) => Written::Mixed(self.truth(*truth)),
            Written::Bits(bits) => Written::Bits(bits.clone()),
        };
        Entry { size: entry.size, value: self.value(&entry.value), written }
    }

    /// Contents as one value.
    pub(crate) fn aggregate(&mut self, aggregate: &Aggregate) -> Aggregate {
        let entries = aggregate.entries.iter();
        let entries = entries.map(|(at, entry)| (*at, self.entry_resolved(entry))).collect();
        Aggregate { size: aggregate.size, entries }
    }
}
