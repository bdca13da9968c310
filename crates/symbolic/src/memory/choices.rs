//! Pointers that lead to one object or to another, depending on which of two merged ways was gone.
//!
//! Such a pointer has an object of its own kind, which is no object of any memory: a *choice*. It can be moved,
//! copied and asked without being decided; whoever goes where it leads asks for one side, which splits the state.

use super::{Memory, ObjectId};
use crate::domain::{Outcome, Symbolic};
use crate::merge::Apart;
use crate::value::{Bool, Int, Pointer};
use loupe_term::Term;
use rustc_hash::FxHashMap;

/// Where the numbers of choices start: no memory has so many objects.
const FIRST: u32 = 1 << 31;
/// A pointer has no more sides than this.
const MAX_SIDES: usize = 32;

/// All choices between pointers that there are. They are the same in all states.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    all: Vec<Choice>,
    known: FxHashMap<(Term, Side, Side), ObjectId>,
}

/// A pointer, with its offset as a term.
type Side = (Option<ObjectId>, Term);

#[derive(Debug)]
struct Choice {
    selector: Term,
    then: Pointer,
    otherwise: Pointer,
    sides: usize,
}

impl ObjectId {
    /// Whether it stands for a choice.
    #[inline]
    pub(crate) fn is_choice(self) -> bool {
        self.0 >= FIRST
    }
}

impl Pointer {
    /// Whether it leads to one of several objects.
    #[inline]
    pub(crate) fn is_choice(&self) -> bool {
        self.object.is_some_and(ObjectId::is_choice)
    }
}

impl Choices {
    fn of(&self, pointer: &Pointer) -> Option<&Choice> {
        self.all.get(pointer.object?.0.checked_sub(FIRST)? as usize)
    }

    fn sides(&self, pointer: &Pointer) -> usize {
        self.of(pointer).map_or(1, |choice| choice.sides)
    }
}

impl Symbolic {
    /// The pointer that is one where the selector holds, and the other elsewhere.
    pub(crate) fn choose_pointer(
        &mut self,
        memory: &Memory,
        selector: Term,
        (then, otherwise): (&Pointer, &Pointer),
    ) -> Result<Pointer, Apart> {
        if !self.chooses_pointers || memory.is_in_list(then) || memory.is_in_list(otherwise) {
            return Err(Apart::Kinds);
        }
        let sides = self.choices.sides(then) + self.choices.sides(otherwise);
        if sides > MAX_SIDES {
            return Err(Apart::Large);
        }
        let mut side = |pointer: &Pointer| (pointer.object, self.term(&pointer.offset));
        let key = (selector, side(then), side(otherwise));
        if let Some(object) = self.choices.known.get(&key) {
            return Ok(Pointer::to(*object));
        }
        let number = u32::try_from(self.choices.all.len()).ok().and_then(|n| n.checked_add(FIRST));
        let object = ObjectId(number.ok_or(Apart::Large)?);
        let (then, otherwise) = (then.clone(), otherwise.clone());
        self.choices.all.push(Choice { selector, then, otherwise, sides });
        self.choices.known.insert(key, object);
        Ok(Pointer::to(object))
    }

    /// Both sides of a choice, as far on as the pointer itself.
    fn sides_of(&mut self, pointer: &Pointer) -> Option<(Term, Pointer, Pointer)> {
        let Choice { selector, then, otherwise, .. } = self.choices.of(pointer)?;
        let (selector, mut then, mut otherwise) = (*selector, then.clone(), otherwise.clone());
        then.offset = self.sum(&then.offset, &pointer.offset);
        otherwise.offset = self.sum(&otherwise.offset, &pointer.offset);
        Some((selector, then, otherwise))
    }

    /// The pointer without choices, which splits the state if both sides are possible.
    pub(crate) fn plain(&mut self, pointer: &Pointer) -> Outcome<Pointer> {
        let mut plain = pointer.clone();
        while let Some((selector, then, otherwise)) = self.sides_of(&plain) {
            let holds = self.truth_of(selector);
            plain = if self.one_truth(holds)? { then } else { otherwise };
        }
        Ok(plain)
    }

    /// The pointers that a choice may be, each with when it is that.
    pub(super) fn all_sides(&mut self, pointer: &Pointer) -> Vec<(Term, Pointer)> {
        let mut open = vec![(self.terms.bool(true), pointer.clone())];
        let mut found = Vec::new();
        while let Some((here, pointer)) = open.pop() {
            match self.sides_of(&pointer) {
                Some((selector, then, otherwise)) => {
                    let negation = self.terms.not(selector);
                    open.push((self.terms.and([here, negation]), otherwise));
                    open.push((self.terms.and([here, selector]), then));
                }
                None => found.push((here, pointer)),
            }
        }
        found
    }

    /// What is true of a pointer that is a choice: what is true of the side that it is. `None` if it is none.
    pub(crate) fn on_sides(
        &mut self,
        pointer: &Pointer,
        mut ask: impl FnMut(&mut Symbolic, &Pointer) -> Bool,
    ) -> Option<Bool> {
        if !pointer.is_choice() {
            return None;
        }
        let mut parts = Vec::new();
        for (here, side) in self.all_sides(pointer) {
            let truth = ask(self, &side);
            let truth = self.condition(truth);
            parts.push(self.terms.and([here, truth]));
        }
        let truth = self.terms.or(parts);
        Some(self.truth_of(truth))
    }

    /// The same for a number.
    pub(crate) fn number_on_sides(
        &mut self,
        pointer: &Pointer,
        mut ask: impl FnMut(&mut Symbolic, &Pointer) -> Int,
    ) -> Option<Int> {
        if !pointer.is_choice() {
            return None;
        }
        let mut sides = self.all_sides(pointer);
        let (_, last) = sides.pop()?;
        let number = ask(self, &last);
        let mut number = self.term(&number);
        for (here, side) in sides.into_iter().rev() {
            let other = ask(self, &side);
            let other = self.term(&other);
            number = self.terms.ite(here, other, number);
        }
        Some(self.int_of(number))
    }
}
