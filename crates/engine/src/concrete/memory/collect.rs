//! Forgetting objects that have ended.
//!
//! Of an object that has ended, its name and size are kept, so that a pointer to it can be told from others
//! and explained. A program that calls a function ten million times leaves as many of them behind. Now and
//! then those to which there is no pointer any more are given up: nobody can tell the difference.

use super::{Aggregate, Block, Body, Life, Memory, ObjectId};
use crate::concrete::{Concrete, ConcreteValue};
use crate::domain::Origin;
use crate::state::Frame;
use crate::value::{Leaves, Value};

/// Fewer ended objects are not worth the time.
const MIN_ENDED: usize = 1 << 20;

/// The objects that somebody points to.
struct Marks<'v> {
    marked: Vec<bool>,
    leaves: Leaves<'v, Concrete>,
}

impl<'v> Marks<'v> {
    fn mark(&mut self, object: Option<ObjectId>) {
        if let Some(marked) = object.and_then(|object| self.marked.get_mut(object.index())) {
            *marked = true;
        }
    }

    fn mark_block(&mut self, block: &Block) {
        block.targets().for_each(|object| self.mark(Some(object)));
    }

    fn mark_value(&mut self, value: &'v ConcreteValue) {
        self.leaves.extend([value]);
        while let Some(leaf) = self.leaves.next() {
            match leaf {
                Value::Pointer(address) | Value::Array(address) => self.mark(address.object),
                Value::Aggregate(aggregate) => match &**aggregate {
                    Aggregate::Bytes(block) => self.mark_block(block),
                    Aggregate::Cells(cells) => self.leaves.extend(cells),
                },
                _ => {}
            }
        }
    }
}

impl Memory {
    /// Whether there are many objects that have ended.
    pub(in crate::concrete) fn is_cluttered(&self) -> bool {
        self.ended > self.bearable.max(MIN_ENDED)
    }

    /// Forgets the objects that have ended and that nothing points to. All pointers of the program are
    /// in memory or in these calls; an object that has an address is kept, because a number may be one.
    pub(in crate::concrete) fn collect(&mut self, frames: &[Frame<Concrete>]) {
        let marked = vec![false; self.objects.len()];
        let mut marks = Marks { marked, leaves: Leaves::default() };
        for value in frames.iter().flat_map(|frame| &frame.locals) {
            marks.mark_value(value);
        }
        for body in &self.bodies {
            match body {
                Body::Bytes(block) => marks.mark_block(block),
                Body::Cells(cells) => cells.values().iter().for_each(|v| marks.mark_value(v)),
            }
        }
        let marked = marks.marked;
        for (index, (object, marked)) in self.objects.iter_mut().zip(marked).enumerate() {
            let Some(id) = ObjectId::new(index) else {
                break;
            };
            let global = matches!(object.origin, Origin::Global(_));
            let known = marked || global || self.addresses.known(id).is_some();
            if object.life == Life::Over && !known {
                object.life = Life::Unused;
                self.unused.push(id);
                self.ended -= 1;
            }
        }
        self.bearable = 2 * self.ended;
    }
}
