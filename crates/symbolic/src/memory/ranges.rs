//! As many units of memory as an input says: copied or filled at once, in objects that are arrays.
//!
//! An array behind a copy is a λ of the index, as it would be behind a loop that copies element by element. Whoever asks for it has checked that the units are there, so what the λ says of
//! indices outside of an object is never looked at.

use super::arrays::Array;
use super::{Body, Memory, ObjectId};
use crate::domain::{Outcome, Symbolic, width};
use crate::halt::internal;
use crate::value::{Int, Pointer};
use loupe_engine::domain::Domain;
use loupe_integer::Integer;
use loupe_ir::types::{IntType, Types};
use loupe_term::{Origin, Sort, Term};

/// Elements of what nothing else is known of.
const BYTES: (u64, IntType) = (1, IntType::unsigned(8));

/// Whether an object is an array, or of a size that depends on inputs. In others few numbers of units are possible, and each of them by itself is simpler.
fn is_open(memory: &Memory, id: ObjectId) -> Outcome<bool> {
    let object = memory.object(id)?;
    Ok(matches!(object.body, Body::Array(_)) || object.size.known().is_none())
}

/// Elements from an index on.
#[derive(Clone, Copy)]
struct Stretch {
    start: Term,
    count: Term,
}

impl Symbolic {
    /// Copies so many units from one array to another, or within one. `None` if they are no whole elements of arrays that are alike; then nothing has changed.
    pub(super) fn copy_stretch(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        (to, from): (&Pointer, &Pointer),
        count: &Int,
    ) -> Outcome<Option<()>> {
        let (Some(target), Some(source)) = (to.object, from.object) else { return Ok(None) };
        if !is_open(memory, target)? && !is_open(memory, source)? {
            return Ok(None);
        }
        let shape = match (&memory.object(source)?.body, &memory.object(target)?.body) {
            (Body::Array(array), _) | (_, Body::Array(array)) => (array.stride, array.int),
            (Body::Entries(_), Body::Entries(_)) => BYTES,
        };
        let Some((goal, origin)) = self.stretches(shape.0, (to, from), count)? else {
            return Ok(None);
        };
        let before = memory.clone();
        let Some((into, out)) = self.both_arrays(types, memory, (target, source), shape)? else {
            *memory = before;
            return Ok(None);
        };
        let wraps = (into.int != out.int).then_some(into.int);
        let elements = self.moved((into.elements, out.elements), (goal, origin), wraps)?;
        let written = match (into.written, out.written) {
            (None, None) => None,
            (into, out) => {
                let one = self.terms.int(Integer::ONE);
                let all = self.terms.constant_array(1, one)?;
                let pair = (into.unwrap_or(all), out.unwrap_or(all));
                Some(self.moved(pair, (goal, origin), None)?)
            }
        };
        let is_unknown = into.is_unknown || out.is_unknown;
        memory.object_mut(target)?.body =
            Body::Array(Array { elements, written, is_unknown, ..into });
        Ok(Some(()))
    }

    /// Writes a byte so many times into an array of bytes. `None` if it is none; then nothing has changed.
    pub(super) fn fill_stretch(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        to: &Pointer,
        (byte, count): (&Int, &Int),
    ) -> Outcome<Option<()>> {
        let Some(target) = to.object else { return Ok(None) };
        if !is_open(memory, target)? {
            return Ok(None);
        }
        let before = memory.clone();
        let array = match self.both_arrays(types, memory, (target, target), BYTES)? {
            Some((array, _)) if array.stride == 1 => array,
            _ => {
                *memory = before;
                return Ok(None);
            }
        };
        let byte = self.wrap(array.int, byte);
        let goal = Stretch { start: self.term(&to.offset), count: self.term(count) };
        let value = self.term(&byte);
        let same = self.terms.constant_array(1, value)?;
        let elements = self.moved((array.elements, same), (goal, goal.start), None)?;
        let written = match array.written {
            None => None,
            Some(flags) => {
                let one = self.terms.int(Integer::ONE);
                let all = self.terms.constant_array(1, one)?;
                Some(self.moved((flags, all), (goal, goal.start), None)?)
            }
        };
        memory.object_mut(target)?.body = Body::Array(Array { elements, written, ..array });
        Ok(Some(()))
    }

    /// Makes arrays of two objects, if they can be arrays of this shape.
    fn both_arrays(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        (target, source): (ObjectId, ObjectId),
        (stride, int): (u64, IntType),
    ) -> Outcome<Option<(Array, Array)>> {
        for id in [target, source] {
            if matches!(memory.object(id)?.body, Body::Entries(_))
                && self.make_array(types, memory, id, (stride, int)).is_err()
            {
                return Ok(None);
            }
        }
        let (into, out) = (self.array(memory, target)?, self.array(memory, source)?);
        Ok((into.stride == out.stride).then_some((into, out)))
    }

    /// Which elements are written, and from which index on others are read.
    fn stretches(
        &mut self,
        stride: u64,
        (to, from): (&Pointer, &Pointer),
        count: &Int,
    ) -> Outcome<Option<(Stretch, Term)>> {
        let mut indices = Vec::with_capacity(3);
        for units in [&to.offset, &from.offset, count] {
            match self.element_at(units, stride)? {
                (index, 0) => indices.push(index),
                _ => return Ok(None),
            }
        }
        let [start, origin, count] = indices[..] else { return Err(internal("three numbers")) };
        Ok(Some((Stretch { start, count }, origin)))
    }

    /// The first array with elements of the second in a stretch.
    fn moved(
        &mut self,
        (into, out): (Term, Term),
        (goal, origin): (Stretch, Term),
        wraps: Option<IntType>,
    ) -> Outcome<Term> {
        let terms = &mut self.terms;
        let place = terms.fresh("x", Sort::Int, Origin::default());
        let end = terms.add(goal.start, goal.count);
        let within = [terms.le(goal.start, place), terms.lt(place, end)];
        let within = terms.and(within);
        let distance = terms.sub(origin, goal.start);
        let there = terms.add(place, distance);
        let mut moved = terms.select(out, there)?;
        if let Some(width) = wraps.and_then(width) {
            moved = terms.wrap(width, moved);
        }
        let old = terms.select(into, place)?;
        let value = terms.ite(within, moved, old);
        Ok(terms.lambda(place, value)?)
    }
}
