//! Values of registers and memory as variables of a loop: what differs between two of them, and putting terms into them.

use crate::domain::{Outcome, Symbolic};
use crate::halt::{internal, unsupported};
use crate::memory::ObjectId;
use crate::value::{Bool, Float, Int, Pointer, SymbolicValue};
use loupe_engine::value::{Record, Sequence, Value};
use loupe_term::{Substitution, Term};
use std::rc::Rc;

/// Records in records in records: deeper ones are no variables.
const MAX_DEPTH: usize = 16;

/// What kind of scalar a part of a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A number.
    Int,
    /// A truth value, as 1 or 0.
    Bool,
    /// The offset of a pointer into this object.
    Offset(ObjectId),
    /// A floating point number: of one that changes nothing is known.
    Float,
}

/// A scalar in a value: the numbers of the fields that lead there, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    pub(crate) path: Vec<u32>,
    pub(crate) kind: Kind,
}

impl Part {
    /// Whether it is a number, and all of the value.
    pub(crate) fn is_number(&self) -> bool {
        self.path.is_empty() && self.kind == Kind::Int
    }
}

/// Whether two values are the same, whatever symbols stand for.
pub(crate) fn is_same(a: &SymbolicValue, b: &SymbolicValue) -> bool {
    let mut open = vec![(a.clone(), b.clone())];
    while let Some((a, b)) = open.pop() {
        let same = match (&a, &b) {
            (Value::Uninitialised, Value::Uninitialised) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::LongFloat(a), Value::LongFloat(b)) => a == b,
            (Value::Pointer(a), Value::Pointer(b)) | (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Aggregate(a), Value::Aggregate(b)) => a.is_same(b),
            (Value::Record(a), Value::Record(b)) => {
                let names = a.fields.iter().map(|field| field.0);
                if !Rc::ptr_eq(a, b) {
                    if !names.eq(b.fields.iter().map(|field| field.0)) {
                        return false;
                    }
                    let pairs = a.fields.iter().zip(&b.fields);
                    open.extend(pairs.map(|(a, b)| (a.1.clone(), b.1.clone())));
                }
                true
            }
            (Value::Sequence(a), Value::Sequence(b)) => {
                if a.values.len() != b.values.len() {
                    return false;
                }
                if !Rc::ptr_eq(a, b) {
                    open.extend(a.values.iter().cloned().zip(b.values.iter().cloned()));
                }
                true
            }
            _ => false,
        };
        if !same {
            return false;
        }
    }
    true
}

/// The scalars in which two values differ, or why they cannot be told by scalars.
pub(crate) fn differences(old: &SymbolicValue, new: &SymbolicValue) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut open = vec![(old.clone(), new.clone(), Vec::new())];
    while let Some((old, new, path)) = open.pop() {
        if path.len() > MAX_DEPTH {
            return Err("a record is nested too deeply".to_owned());
        }
        let kind = match (&old, &new) {
            (a, b) if is_same(a, b) => continue,
            (Value::Int(_), Value::Int(_)) => Kind::Int,
            (Value::Bool(_), Value::Bool(_)) => Kind::Bool,
            (Value::Float(_), Value::Float(_)) | (Value::LongFloat(_), Value::LongFloat(_)) => {
                Kind::Float
            }
            (Value::Pointer(a), Value::Pointer(b)) => match (a.object, b.object) {
                (Some(a), Some(b)) if a == b => Kind::Offset(a),
                _ => return Err("a pointer changes what it points to".to_owned()),
            },
            (Value::Record(a), Value::Record(b)) => {
                let names = a.fields.iter().map(|field| field.0);
                if !names.eq(b.fields.iter().map(|field| field.0)) {
                    return Err("a record becomes one with other fields".to_owned());
                }
                for (number, (a, b)) in (0..).zip(a.fields.iter().zip(&b.fields)) {
                    open.push((a.1.clone(), b.1.clone(), [&path[..], &[number]].concat()));
                }
                continue;
            }
            (Value::Sequence(a), Value::Sequence(b)) if a.values.len() == b.values.len() => {
                for (number, (a, b)) in (0..).zip(a.values.iter().zip(&b.values)) {
                    open.push((a.clone(), b.clone(), [&path[..], &[number]].concat()));
                }
                continue;
            }
            (Value::Uninitialised, _) | (_, Value::Uninitialised) => {
                return Err("a variable may be without a value".to_owned());
            }
            (Value::Aggregate(_), Value::Aggregate(_)) => {
                return Err("a struct or array is copied as a whole".to_owned());
            }
            _ => return Err("a variable changes its kind of value".to_owned()),
        };
        parts.push(Part { path, kind });
    }
    parts.sort();
    Ok(parts)
}

impl Symbolic {
    /// The scalar in a value as a term; `None` if there is none of this kind.
    pub(crate) fn part_of(&mut self, value: &SymbolicValue, part: &Part) -> Option<Term> {
        let mut value = value;
        for step in &part.path {
            value = match value {
                Value::Record(record) => &record.fields.get(*step as usize)?.1,
                Value::Sequence(sequence) => sequence.values.get(*step as usize)?,
                _ => return None,
            };
        }
        match (value, part.kind) {
            (Value::Int(int), Kind::Int) => Some(self.term(int)),
            (Value::Bool(truth), Kind::Bool) => {
                let truth = self.condition(*truth);
                Some(self.bit(truth))
            }
            (Value::Pointer(pointer), Kind::Offset(object)) if pointer.object == Some(object) => {
                Some(self.term(&pointer.offset))
            }
            _ => None,
        }
    }

    /// 1 if a condition holds, else 0.
    pub(crate) fn bit(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.terms.int(1), self.terms.int(0));
        self.terms.ite(condition, one, zero)
    }

    /// The truth value that a bit is.
    pub(crate) fn truth_of_bit(&mut self, bit: Term) -> Bool {
        let zero = self.terms.int(0);
        let condition = self.terms.ne(bit, zero);
        self.plain_truth(condition)
    }

    /// The value with another scalar in it.
    pub(crate) fn with_part(
        &mut self,
        value: &SymbolicValue,
        part: &Part,
        term: Term,
    ) -> Outcome<SymbolicValue> {
        let lost = || internal("a variable that is not where it was");
        let mut around = Vec::new();
        let mut inner = value.clone();
        for step in &part.path {
            let next = match &inner {
                Value::Record(record) => record.fields.get(*step as usize).map(|f| f.1.clone()),
                Value::Sequence(sequence) => sequence.values.get(*step as usize).cloned(),
                _ => None,
            };
            around.push((std::mem::replace(&mut inner, next.ok_or_else(lost)?), *step as usize));
        }
        let mut new = match (inner, part.kind) {
            (Value::Int(_), Kind::Int) => Value::Int(self.int_of(term)),
            (Value::Bool(_), Kind::Bool) => Value::Bool(self.truth_of_bit(term)),
            (Value::Pointer(_), Kind::Offset(object)) => {
                Value::Pointer(Pointer { object: Some(object), offset: self.int_of(term) })
            }
            (Value::Float(_), Kind::Float) => Value::Float(Float::Unknown),
            (Value::LongFloat(_), Kind::Float) => Value::LongFloat(Float::Unknown),
            _ => return Err(lost()),
        };
        for (outer, step) in around.into_iter().rev() {
            new = match outer {
                Value::Record(record) => {
                    let mut fields = record.fields.clone();
                    fields.get_mut(step).ok_or_else(lost)?.1 = new;
                    Value::Record(Rc::new(Record { fields }))
                }
                Value::Sequence(sequence) => {
                    let mut values = sequence.values.clone();
                    *values.get_mut(step).ok_or_else(lost)? = new;
                    Value::Sequence(Rc::new(Sequence { values }))
                }
                _ => return Err(lost()),
            };
        }
        Ok(new)
    }
}

/// What terms in values become.
enum Terms<'r> {
    /// What a substitution makes of them.
    Substituted(&'r Substitution),
    /// What somebody says.
    Replaced(&'r mut dyn FnMut(&mut Symbolic, Term) -> Term),
}

/// Rewrites values: terms, objects that were made in the body of a loop, and occasions of uninitialised values.
pub(crate) struct Rewrite<'r> {
    domain: &'r mut Symbolic,
    terms: Terms<'r>,
    /// Objects from this number on have so much higher numbers.
    objects: (u32, u32),
    /// Occasions from the first number on start at the second.
    occasions: (u64, u64),
}

impl<'r> Rewrite<'r> {
    /// Puts terms in for symbols, and moves new objects and occasions.
    pub(crate) fn substitute(
        domain: &'r mut Symbolic,
        substitution: &'r Substitution,
        objects: (u32, u32),
        occasions: (u64, u64),
    ) -> Self {
        Rewrite { domain, terms: Terms::Substituted(substitution), objects, occasions }
    }

    /// Puts other terms in, and leaves the rest as it is.
    pub(crate) fn replace(
        domain: &'r mut Symbolic,
        replace: &'r mut dyn FnMut(&mut Symbolic, Term) -> Term,
    ) -> Self {
        let terms = Terms::Replaced(replace);
        Rewrite { domain, terms, objects: (u32::MAX, 0), occasions: (u64::MAX, 0) }
    }

    pub(crate) fn term(&mut self, term: Term) -> Term {
        match &mut self.terms {
            Terms::Substituted(substitution) => self.domain.terms.substitute(term, substitution),
            Terms::Replaced(replace) => replace(self.domain, term),
        }
    }

    pub(crate) fn int(&mut self, int: &Int) -> Int {
        // What is known is asked for as well: it may be known on one path only.
        let replaced = match (int, &self.terms) {
            (Int::Known(_), Terms::Substituted(_)) => return int.clone(),
            _ => self.domain.term(int),
        };
        let term = self.term(replaced);
        self.domain.int_of(term)
    }

    pub(crate) fn bool(&mut self, truth: Bool) -> Bool {
        match (truth, &self.terms) {
            (Bool::Known(_), Terms::Substituted(_)) => truth,
            (Bool::Term(term), Terms::Substituted(_)) => {
                let term = self.term(term);
                self.domain.plain_truth(term)
            }
            (truth, Terms::Replaced(_)) => {
                let condition = self.domain.condition(truth);
                let bit = self.domain.bit(condition);
                let bit = self.term(bit);
                self.domain.truth_of_bit(bit)
            }
        }
    }

    pub(crate) fn object(&self, object: ObjectId) -> ObjectId {
        let (first, more) = self.objects;
        if object.0 >= first && !object.is_choice() { ObjectId(object.0 + more) } else { object }
    }

    pub(crate) fn occasion(&self, occasion: u64) -> u64 {
        let (first, start) = self.occasions;
        if occasion >= first { start + (occasion - first) } else { occasion }
    }

    fn pointer(&mut self, pointer: &Pointer) -> Pointer {
        let offset = match pointer.object {
            Some(_) => self.int(&pointer.offset),
            // Null and other addresses are what they are.
            None if pointer.offset.known().is_some() => pointer.offset.clone(),
            None => self.int(&pointer.offset),
        };
        Pointer { object: pointer.object.map(|object| self.object(object)), offset }
    }

    pub(crate) fn value(&mut self, value: &SymbolicValue) -> Outcome<SymbolicValue> {
        self.nested(value, MAX_DEPTH)
    }

    /// The nesting is limited, so recursion is.
    fn nested(&mut self, value: &SymbolicValue, depth: usize) -> Outcome<SymbolicValue> {
        let deeper = depth.checked_sub(1).ok_or_else(|| unsupported("a deeply nested record"))?;
        Ok(match value {
            Value::Int(int) => Value::Int(self.int(int)),
            Value::Bool(truth) => Value::Bool(self.bool(*truth)),
            Value::Pointer(pointer) => Value::Pointer(self.pointer(pointer)),
            Value::Array(pointer) => {
                let object = pointer.object.map(|object| self.object(object));
                Value::Array(Pointer { object, offset: pointer.offset.clone() })
            }
            Value::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|(name, value)| Ok((*name, self.nested(value, deeper)?)));
                Value::Record(Rc::new(Record { fields: fields.collect::<Outcome<_>>()? }))
            }
            Value::Sequence(sequence) => {
                let values = sequence.values.iter().map(|value| self.nested(value, deeper));
                Value::Sequence(Rc::new(Sequence { values: values.collect::<Outcome<_>>()? }))
            }
            Value::Aggregate(aggregate) => Value::Aggregate(aggregate.rewritten(self)?),
            other => other.clone(),
        })
    }
}
