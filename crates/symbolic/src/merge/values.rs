//! Values of registers and memory as choices between two.

use super::{Apart, Merged, Merging, merged};
use crate::domain::Symbolic;
use crate::memory::Memory;
use crate::summary::is_same;
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::value::{Record, Sequence, Value};
use loupe_term::Term;
use std::rc::Rc;

/// Records in records are followed so far.
const MAX_DEPTH: u32 = 64;

/// More values are not chosen between in one merge.
const MAX_VALUES: usize = 1 << 14;

/// Makes choices between values.
pub(crate) struct Merger<'m> {
    pub(crate) domain: &'m mut Symbolic,
    pub(crate) selector: Term,
    /// The memory of the merged state, as far as it is there.
    pub(crate) memory: &'m Memory,
    done: usize,
}

impl<'m> Merger<'m> {
    pub(crate) fn new(
        domain: &'m mut Symbolic,
        Merging { selector, .. }: Merging<'m>,
        memory: &'m Memory,
    ) -> Self {
        Merger { domain, selector, memory, done: 0 }
    }

    /// A number that is one of two.
    pub(crate) fn int(&mut self, a: &Int, b: &Int) -> Int {
        if a == b {
            return a.clone();
        }
        let (a, b) = (self.domain.term(a), self.domain.term(b));
        let choice = self.domain.chosen_number(self.selector, a, b);
        self.domain.int_of(choice)
    }

    pub(crate) fn truth(&mut self, a: Bool, b: Bool) -> Bool {
        let (a, b) = (self.domain.condition(a), self.domain.condition(b));
        let choice = self.domain.chosen_truth(self.selector, a, b);
        self.domain.truth_of(choice)
    }

    fn pointer(&mut self, a: &Pointer, b: &Pointer) -> Result<Pointer, Apart> {
        if a.object == b.object {
            return Ok(Pointer { object: a.object, offset: self.int(&a.offset, &b.offset) });
        }
        self.domain.choose_pointer(self.memory, self.selector, (a, b))
    }

    pub(crate) fn value(&mut self, a: &SymbolicValue, b: &SymbolicValue) -> Merged<SymbolicValue> {
        self.value_within(a, b, MAX_DEPTH)
    }

    fn value_within(
        &mut self,
        a: &SymbolicValue,
        b: &SymbolicValue,
        depth: u32,
    ) -> Merged<SymbolicValue> {
        if is_same(a, b) {
            return Ok(Ok(a.clone()));
        }
        self.done += 1;
        if depth == 0 || self.done > MAX_VALUES {
            return Ok(Err(Apart::Large));
        }
        let merged = match (a, b) {
            (Value::Int(a), Value::Int(b)) => Value::Int(self.int(a, b)),
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.truth(*a, *b)),
            (Value::Pointer(a), Value::Pointer(b)) => match self.pointer(a, b) {
                Ok(pointer) => Value::Pointer(pointer),
                Err(apart) => return Ok(Err(apart)),
            },
            (Value::Array(a), Value::Array(b)) => match self.pointer(a, b) {
                Ok(pointer) => Value::Array(pointer),
                Err(apart) => return Ok(Err(apart)),
            },
            (Value::Record(a), Value::Record(b)) => {
                let names = a.fields.iter().map(|field| field.0);
                if !names.eq(b.fields.iter().map(|field| field.0)) {
                    return Ok(Err(Apart::Kinds));
                }
                let mut fields = Vec::with_capacity(a.fields.len());
                for ((name, a), (_, b)) in a.fields.iter().zip(&b.fields) {
                    fields.push((*name, merged!(self.value_within(a, b, depth - 1))));
                }
                Value::Record(Rc::new(Record { fields }))
            }
            (Value::Sequence(a), Value::Sequence(b)) if a.values.len() == b.values.len() => {
                let mut values = Vec::with_capacity(a.values.len());
                for (a, b) in a.values.iter().zip(&b.values) {
                    values.push(merged!(self.value_within(a, b, depth - 1)));
                }
                Value::Sequence(Rc::new(Sequence { values }))
            }
            (Value::Aggregate(a), Value::Aggregate(b)) => {
                Value::Aggregate(merged!(self.aggregate(a, b)))
            }
            _ => return Ok(Err(Apart::Kinds)),
        };
        Ok(Ok(merged))
    }
}
