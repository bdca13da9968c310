//! Reading and writing at places that depend on inputs.

use super::access::{Spot, What};
use super::lists::{CHANGED, Target};
use super::{Body, Memory, ObjectId, Written};
use crate::domain::{Outcome, Symbolic, SymbolicIndex};
use crate::halt::{Halt, internal, unsupported};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::domain::Access;
use loupe_engine::layout::Kind;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::CompareOp;
use loupe_ir::types::{IntType, Types};
use loupe_ir::validate::ValueType;
use loupe_term::Term;

/// An access to more places becomes one to an array, where values are numbers.
pub(crate) const MAX_CHOICES: usize = 32;

/// Where an access goes.
enum Place {
    /// To one spot.
    One(Spot),
    /// To one of these, each under its condition; together the conditions are all that is possible.
    Many(Vec<(Term, Spot)>),
    /// Into an object that is an array.
    Array(ObjectId),
}

impl Symbolic {
    /// Where an access of `size` units goes. It has been checked to lie in the object.
    fn place(
        &mut self,
        memory: &mut Memory,
        types: &Types,
        pointer: &Pointer,
        what: What,
    ) -> Outcome<Place> {
        let size = what.size(types);
        let Some(id) = pointer.object else {
            return Err(internal("an access to no object without a check before it"));
        };
        let object = memory.object(id)?;
        let is_array = matches!(object.body, Body::Array(_));
        let (kind, extent) = (object.kind, object.size.clone());
        if is_array {
            return Ok(Place::Array(id));
        }
        let spot = |offset: &Integer| -> Outcome<Spot> {
            let offset = offset.to_usize().ok_or_else(|| internal("an access before an object"))?;
            Ok(Spot { object: id, offset: offset as u64, size })
        };
        if let Some(offset) = self.settled(&pointer.offset) {
            return Ok(Place::One(spot(&offset)?));
        }
        if self.symbolic_index == SymbolicIndex::Fork {
            let offset = self.one_number(&pointer.offset)?;
            return Ok(Place::One(spot(&offset)?));
        }
        let is_number = matches!(what.ty, ValueType::Int(IntType::Machine { .. }));
        let term = self.term(&pointer.offset);
        let step = self.step(term, size)?;
        let choices = match (self.settled(&extent), step) {
            (Some(extent), Some(step)) => self.choices(term, &extent, (size, step)),
            _ => None,
        };
        match choices {
            Some(choices) if choices.len() <= self.most_choices || kind == Kind::Cells => {
                self.has_chosen |= choices.len() > 1;
                let mut many = Vec::with_capacity(choices.len());
                for offset in choices {
                    let constant = self.terms.int(offset.clone());
                    many.push((self.terms.eq(term, constant), spot(&offset)?));
                }
                Ok(Place::Many(many))
            }
            _ if is_number && what.first_bit.is_none() && !memory.object(id)?.has_pointers() => {
                let ValueType::Int(int) = what.ty else { return Err(internal("a number")) };
                match self.make_array(types, memory, id, (size, int)) {
                    Ok(()) => Ok(Place::Array(id)),
                    // What cannot become an array is accessed at one place.
                    Err(halt) if matches!(*halt, Halt::Unsupported(_)) => {
                        let offset = self.one_number(&pointer.offset)?;
                        Ok(Place::One(spot(&offset)?))
                    }
                    Err(halt) => Err(halt),
                }
            }
            _ => {
                let offset = self.one_number(&pointer.offset)?;
                Ok(Place::One(spot(&offset)?))
            }
        }
    }

    /// A step that leads from each offset that a term can be to the next, and one of them: what divides all
    /// coefficients of the term, or the size of the access if all others are refuted. `None` if places could
    /// overlap: then writing to one of them would change others.
    fn step(&mut self, term: Term, size: u64) -> Outcome<Option<(Integer, Integer)>> {
        let step = self.terms.polynomial(term).content();
        let size = Integer::from(size);
        if step >= size {
            let residue = self.constant_part(term);
            return Ok(Some((step, residue)));
        }
        let residue = self.only_residue(term, &size)?;
        Ok(residue.map(|residue| (size, residue)))
    }

    /// The offsets that a term can be, as far as its form tells: multiples of a step from a residue on. `None`
    /// if there are very many.
    fn choices(
        &mut self,
        term: Term,
        extent: &Integer,
        (size, (step, residue)): (u64, (Integer, Integer)),
    ) -> Option<Vec<Integer>> {
        let range = self.range_everywhere(term);
        let last = extent.sub(&Integer::from(size));
        let last = range.high.map_or(last.clone(), |high| high.min(last));
        let first = range.low.map_or(Integer::ZERO, |low| low.max(Integer::ZERO));
        let rest = residue.sub(&first).rem_euclidean(&step)?;
        let mut at = first.add(&rest);
        let mut found = Vec::new();
        while at <= last {
            if found.len() > 1 << 12 {
                return None;
            }
            found.push(at.clone());
            at = at.add(&step);
        }
        Some(found)
    }

    /// Reads a value.
    pub(crate) fn load_value(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        access: &Access<Symbolic>,
    ) -> Outcome<SymbolicValue> {
        let pointer = &match self.in_node(types, memory, access)? {
            Some(Target::Column(pointer)) => pointer,
            Some(Target::Link(next)) => return Ok(Value::Pointer(next)),
            None => self.resolved(memory, &access.pointer)?,
        };
        let what = What { ty: access.ty, first_bit: access.first_bit };
        let many = match self.place(memory, types, pointer, what)? {
            Place::One(spot) => return self.load_at(types, memory, spot, what),
            Place::Array(_) if matches!(what.ty, ValueType::Aggregate(_)) => {
                let spot = self.known_spot(memory, pointer, what.size(types))?;
                return self.load_at(types, memory, spot, what);
            }
            Place::Array(id) => {
                return self.load_element(types, memory, id, &pointer.offset, what);
            }
            Place::Many(many) => many,
        };
        let mut numbers = Vec::with_capacity(many.len());
        // Looking at a pointer that is not meant must not give its object an address.
        let mut copy = memory.clone();
        for (condition, spot) in many {
            match self.load_at(types, &mut copy, spot, what)? {
                Value::Int(number) if !copy.has_more_addresses(memory) => {
                    numbers.push((condition, number));
                }
                // There are no choices between other values.
                _ => {
                    let offset = self.one_number(&pointer.offset)?;
                    let offset = offset.to_usize().ok_or_else(|| internal("an offset"))? as u64;
                    return self.load_at(types, memory, Spot { offset, ..spot }, what);
                }
            }
        }
        *memory = copy;
        let Some((_, mut result)) = numbers.pop() else {
            return Err(internal("an access to nothing"));
        };
        for (condition, number) in numbers.into_iter().rev() {
            result = self.choice(condition, &number, &result);
        }
        Ok(Value::Int(result))
    }

    /// Writes a value.
    pub(crate) fn store_value(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        access: &Access<Symbolic>,
        value: SymbolicValue,
    ) -> Outcome<()> {
        let pointer = &match self.in_node(types, memory, access)? {
            Some(Target::Column(pointer)) => pointer,
            Some(Target::Link(_)) => return Err(unsupported(CHANGED)),
            None => self.resolved(memory, &access.pointer)?,
        };
        let what = What { ty: access.ty, first_bit: access.first_bit };
        let many = match self.place(memory, types, pointer, what)? {
            Place::One(spot) => {
                return self.store_at(types, memory, spot, what, (value, Written::ALL));
            }
            Place::Array(_) if matches!(what.ty, ValueType::Aggregate(_)) => {
                let spot = self.known_spot(memory, pointer, what.size(types))?;
                return self.store_at(types, memory, spot, what, (value, Written::ALL));
            }
            Place::Array(id) => {
                return self.store_element(types, memory, id, (&pointer.offset, what), value);
            }
            Place::Many(many) => many,
        };
        let Some(changes) = self.choices_to_write(types, memory, &many, what, &value)? else {
            let offset = self.one_number(&pointer.offset)?;
            let offset = offset.to_usize().ok_or_else(|| internal("an offset"))? as u64;
            let Some((_, first)) = many.first() else { return Err(internal("no place")) };
            let spot = Spot { offset, ..*first };
            return self.store_at(types, memory, spot, what, (value, Written::ALL));
        };
        for (spot, number, written) in changes {
            self.store_at(types, memory, spot, what, (Value::Int(number), written))?;
        }
        Ok(())
    }

    /// What a number at one of many places makes of each of them; `None` if there are other values.
    fn choices_to_write(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        many: &[(Term, Spot)],
        what: What,
        value: &SymbolicValue,
    ) -> Outcome<Option<Vec<(Spot, Int, Written)>>> {
        let Value::Int(new) = value else { return Ok(None) };
        let mut changes = Vec::with_capacity(many.len());
        let mut copy = memory.clone();
        for (condition, spot) in many {
            let Value::Int(old) = self.load_at(types, &mut copy, *spot, what)? else {
                return Ok(None);
            };
            if copy.has_more_addresses(memory) {
                return Ok(None);
            }
            // What is written in part stays so where it is not meant: there is no term for that.
            let Some(before) = self.written_as_whole(types, memory, *spot, what)? else {
                return Ok(None);
            };
            let written = self.either(Bool::Term(*condition), before);
            changes.push((*spot, self.choice(*condition, new, &old), Written::If(written)));
        }
        *memory = copy;
        Ok(Some(changes))
    }

    /// Whether a value has been written.
    pub(crate) fn is_written(
        &mut self,
        types: &Types,
        memory: &Memory,
        access: &Access<Symbolic>,
    ) -> Outcome<Bool> {
        let pointer = &match self.in_node(types, memory, access)? {
            Some(Target::Column(pointer)) => pointer,
            Some(Target::Link(_)) => return Ok(Bool::Known(true)),
            None => self.resolved(memory, &access.pointer)?,
        };
        let what = What { ty: access.ty, first_bit: access.first_bit };
        // Where an object becomes an array on the way, that is forgotten: the access itself does it again.
        let mut copy = memory.clone();
        let many = match self.place(&mut copy, types, pointer, what)? {
            Place::One(spot) => return self.written_at(types, memory, spot, what),
            Place::Array(id) => {
                return self.element_written(types, &copy, id, &pointer.offset, what);
            }
            Place::Many(many) => many,
        };
        let mut result = Bool::Known(true);
        for (condition, spot) in many {
            let written = self.written_at(types, memory, spot, what)?;
            let elsewhere = self.terms.not(condition);
            let fine = self.either(self.truth_of(elsewhere), written);
            result = self.both(result, fine);
        }
        Ok(result)
    }

    /// Some units at a known place.
    fn known_spot(&mut self, memory: &Memory, pointer: &Pointer, size: u64) -> Outcome<Spot> {
        let pointer = self.resolved(memory, pointer)?;
        let Some(object) = pointer.object else {
            return Err(internal("an access to no object without a check before it"));
        };
        let offset = self.one_number(&pointer.offset)?;
        let offset = offset.to_usize().ok_or_else(|| internal("an access before an object"))?;
        Ok(Spot { object, offset: offset as u64, size })
    }

    /// The object that some units are all of, if they are on all of this path.
    fn whole(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
        count: &Int,
    ) -> Outcome<Option<ObjectId>> {
        let Some(id) = pointer.object else { return Ok(None) };
        let object = memory.object(id)?;
        let size = object.size.clone();
        if object.kind != Kind::Bytes || pointer.offset != Int::ZERO {
            return Ok(None);
        }
        let is_whole = match self.compared(CompareOp::Ne, &size, count) {
            Bool::Known(differs) => !differs,
            Bool::Term(differs) => self.refuted(differs)?,
        };
        Ok(is_whole.then_some(id))
    }

    /// A number of units, which must be one of a few.
    fn known_count(&mut self, count: &Int) -> Outcome<u64> {
        let count = match self.one_of(count, MAX_COUNTS) {
            Err(halt) if matches!(*halt, Halt::Unsupported(_)) => {
                return Err(unsupported("as many units of memory as an input says"));
            }
            count => count?,
        };
        let count = count.to_usize().ok_or_else(|| internal("a range of impossible size"))?;
        Ok(count as u64)
    }

    /// Copies units of memory.
    pub(crate) fn copy_units(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        (to, from): (&Pointer, &Pointer),
        count: &Int,
    ) -> Outcome<()> {
        if self.settled(count) != Some(Integer::ZERO) {
            Self::refuse_list(memory, to)?;
            Self::refuse_list(memory, from)?;
        }
        let (to, from) = (&self.resolved(memory, to)?, &self.resolved(memory, from)?);
        if self.settled(count).is_none()
            && let Some(source) = self.whole(memory, from, count)?
            && let Some(target) = self.whole(memory, to, count)?
        {
            // All of it is what the other one is, whatever nobody has written included.
            let source = memory.object(source)?.clone();
            let target = memory.object_mut(target)?;
            target.body = source.body;
            target.background = source.background;
            target.element = source.element;
            return Ok(());
        }
        if self.settled(count).is_none()
            && self.copy_stretch(types, memory, (to, from), count)?.is_some()
        {
            return Ok(());
        }
        let size = self.known_count(count)?;
        if size == 0 {
            return Ok(());
        }
        let from = self.known_spot(memory, from, size)?;
        let to = self.known_spot(memory, to, size)?;
        let held = self.copy_out(types, memory, from)?;
        self.copy_in(types, memory, to, held)
    }

    /// Writes a byte many times.
    pub(crate) fn fill_units(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        to: &Pointer,
        (byte, count): (&Int, &Int),
    ) -> Outcome<()> {
        if self.settled(count) != Some(Integer::ZERO) {
            Self::refuse_list(memory, to)?;
        }
        let to = &self.resolved(memory, to)?;
        let is_array = match to.object {
            Some(object) => matches!(memory.object(object)?.body, Body::Array(_)),
            None => false,
        };
        // Zeros everywhere are a background, which costs nothing however large the object is.
        if (is_array || *byte == Int::ZERO || self.settled(count).is_none())
            && let Some(target) = self.whole(memory, to, count)?
        {
            return self.fill_whole(memory, target, byte);
        }
        if self.settled(count).is_none()
            && self.fill_stretch(types, memory, to, (byte, count))?.is_some()
        {
            return Ok(());
        }
        let size = self.known_count(count)?;
        if size == 0 {
            return Ok(());
        }
        let to = self.known_spot(memory, to, size)?;
        self.fill_at(memory, to, byte)
    }
}

/// So many different numbers of units to be copied or filled are told apart.
const MAX_COUNTS: usize = 64;
