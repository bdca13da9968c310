//! Nodes: what is the same whenever a state comes to the header of a loop, and what is not.
//!
//! A node has a state, in which what may differ from visit to visit is a symbol of its own. A state that comes to the header *fits* if it has the same
//! calls and objects and if everything else is the very same term: then it is the state of the node for some values of symbols, and going on from the
//! state of the node goes on from all states that fit. What else differs is left open the next time; so nodes are found by iteration, and
//! what counts in the end is that in the last round everything fits.

use super::slots::{Slot, hard_arrays, hard_parts};
use crate::domain::{Feasible, Outcome, Symbolic};
use crate::memory::{Change, SpellOut};
use crate::summary::{Kind, Part, Root, differences, is_same};
use crate::value::{Pointer, SymbolicValue};
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::analysis::location::Location;
use loupe_ir::program::{BlockId, FunctionId, LocalId, Program, Storage};
use loupe_ir::types::IntType;
use loupe_term::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a state stands in all of its calls, the outermost first.
pub(crate) type Place = Vec<(FunctionId, BlockId, usize)>;

/// Where a state stands in all of its calls.
pub(crate) fn place_of(state: &State<Symbolic>) -> Place {
    state.frames.iter().map(|frame| (frame.function, frame.block, frame.next)).collect()
}

/// What earlier rounds have found out about a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    /// What must be spelled out.
    spelled_out: Vec<SpellOut>,
    /// What is left open, with the types that its values have.
    slots: Vec<(Slot, Option<IntType>)>,
}

/// A value that a node leaves open.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) slot: Slot,
    /// Its symbol.
    pub(crate) symbol: Term,
    pub(crate) ty: Option<IntType>,
    pub(crate) name: String,
}

/// A header, as all states see it that fit.
pub(crate) struct Node {
    /// The state with symbols for what is left open.
    pub(crate) state: State<Symbolic>,
    /// What is left open and has symbols.
    pub(crate) arguments: Vec<Argument>,
    /// What is left open without any.
    forgotten: Vec<Slot>,
    /// What holds of the symbols: the ranges of their types.
    pub(crate) facts: Vec<Term>,
}

/// What a node leaves open even if it is the same whenever it was come to so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOpen {
    /// Whatever is more than a sum of symbols: so it is said once.
    Hard,
    /// Whatever is no constant: so the node speaks of no symbols but its own, and executions that came another way may fit.
    Terms,
}

/// What becomes of a state that comes to a node.
pub(crate) enum Fit {
    /// It fits, with these values for what is left open.
    Yes(Vec<Term>),
    /// It would if more was left open, which is noted.
    Later,
    /// It has other objects.
    No,
}

/// What differs between a node and a state.
struct Different {
    slots: Vec<Slot>,
    /// What the node must have in pieces before more can be said.
    spelled_out: Vec<SpellOut>,
}

/// Which registers matter where.
#[derive(Default)]
pub(crate) struct Live {
    known: BTreeMap<(FunctionId, BlockId, usize), Rc<BTreeSet<LocalId>>>,
}

impl Live {
    pub(crate) fn at(
        &mut self,
        program: &Program,
        place: (FunctionId, BlockId, usize),
    ) -> Rc<BTreeSet<LocalId>> {
        let (id, block, next) = place;
        let live = self.known.entry(place).or_insert_with(|| {
            let function = program.function(id);
            let liveness = Liveness::new(function, &FlowGraph::new(function));
            let index = u32::try_from(next).unwrap_or(u32::MAX);
            Rc::new(liveness.live_before(Location::new(block, index)))
        });
        Rc::clone(live)
    }

    /// The registers of each call that matter, the outermost first. What a call returns is written where it returns, so it does not matter before.
    fn of(&mut self, program: &Program, state: &State<Symbolic>) -> Vec<BTreeSet<LocalId>> {
        let mut all = Vec::with_capacity(state.frames.len());
        for (level, place) in place_of(state).into_iter().enumerate() {
            let mut live = (*self.at(program, place)).clone();
            if let Some(target) = state.frames.get(level + 1).and_then(|above| above.target) {
                live.remove(&target);
            }
            all.push(live);
        }
        all
    }

    /// Takes the values away that nobody reads again: they would be differences.
    pub(crate) fn clear_others(&mut self, program: &Program, state: &mut State<Symbolic>) {
        let live = self.of(program, state);
        for (frame, live) in state.frames.iter_mut().zip(live) {
            for (local, declared) in program.function(frame.function).locals() {
                if declared.storage == Storage::Register && !live.contains(&local) {
                    frame.locals[local.index()] = Value::Uninitialised;
                }
            }
        }
    }
}

/// Makes a node of a state that has come to a header, with what is known of the node. With it come the values that the state has for what is left open.
pub(crate) fn make(
    machine: &mut Machine<'_, Symbolic>,
    mut state: State<Symbolic>,
    known: &mut Open,
    left_open: LeftOpen,
) -> Outcome<(Node, Vec<Term>)> {
    let program = machine.program;
    for missing in &known.spelled_out {
        // Where that is not possible, the states that need it do not fit.
        spell_out(machine, &mut state, missing)?;
    }
    for slot in hard_slots(machine, &state, left_open) {
        known.add(program, &state, slot);
    }
    let domain = &mut machine.domain;
    let mut values = Vec::new();
    let (mut arguments, mut forgotten) = (Vec::new(), Vec::new());
    let before = state.clone();
    for (slot, ty) in &mut known.slots {
        if slot.is_forgotten() {
            let nothing = domain.terms.int(0);
            let mut written = state.clone();
            // It was found in another state, and may not be there in this one.
            if slot.write(domain, &mut written, nothing).is_ok() {
                state = written;
                forgotten.push(slot.clone());
            }
            continue;
        }
        let Some(value) = slot.read(domain, &before) else { continue };
        if let Some(declared) = *ty
            && !is_of(domain, declared, value)?
        {
            *ty = None;
        }
        let name = slot.name(program, &before);
        let symbol = slot.spot.symbol(domain, &name, *ty);
        slot.write(domain, &mut state, symbol)?;
        values.push(value);
        arguments.push(Argument { slot: slot.clone(), symbol, ty: *ty, name });
    }
    let apart = domain.start_apart();
    let undefined = domain.terms.int_symbol("undefined");
    state.streams = state.streams.apart(apart, undefined);
    let mut facts = Vec::new();
    for symbol in symbols_of(domain, &state) {
        if let Some(ty) = domain.type_of_symbol(symbol) {
            facts.extend(domain.range_conditions(ty, symbol));
        }
    }
    Ok((Node { state, arguments, forgotten, facts }, values))
}

/// The symbols that a state speaks of, in the order in which they were made.
pub(crate) fn symbols_of(domain: &mut Symbolic, state: &State<Symbolic>) -> Vec<Term> {
    let mut all = Vec::new();
    for frame in &state.frames {
        frame.locals.iter().for_each(|value| crate::memory::terms_of_value(value, &mut all));
    }
    state.memory.living_terms(&mut all);
    let mut symbols = BTreeSet::new();
    for term in all {
        symbols.extend(domain.terms.free_symbols(term));
    }
    symbols.into_iter().map(|symbol| domain.terms.symbol_term(symbol)).collect()
}

impl Open {
    fn add(&mut self, program: &Program, state: &State<Symbolic>, slot: Slot) {
        if !self.slots.iter().any(|(known, _)| *known == slot) {
            let ty = slot.declared(program, state);
            self.slots.push((slot, ty));
        }
    }
}

impl Node {
    /// Whether a state that has come to the header fits. What it needs to be left open besides is noted in `known`.
    pub(crate) fn fit(
        &self,
        machine: &mut Machine<'_, Symbolic>,
        mut state: State<Symbolic>,
        known: &mut Open,
    ) -> Outcome<Fit> {
        let same_stack = self.state.frames.iter().zip(&state.frames).all(|(own, other)| {
            own.stack == other.stack
                && own.target == other.target
                && own.caller_knows == other.caller_knows
        });
        if !same_stack || !state.memory.has_objects_of(&self.state.memory) {
            return Ok(Fit::No);
        }
        for missing in state.memory.missing(&self.state.memory) {
            if !spell_out(machine, &mut state, &missing)? {
                return Ok(Fit::No);
            }
        }
        let program = machine.program;
        let Ok(different) = self.differing(program, &state) else { return Ok(Fit::No) };
        let mut is_new = !different.spelled_out.is_empty();
        known.spelled_out.extend(different.spelled_out);
        for slot in different.slots {
            let is_open = self.arguments.iter().map(|argument| &argument.slot);
            if !is_open.chain(&self.forgotten).any(|open| *open == slot) {
                known.add(program, &self.state, slot);
                is_new = true;
            }
        }
        let domain = &mut machine.domain;
        let mut values = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            let Some(value) = argument.slot.read(domain, &state) else { return Ok(Fit::No) };
            // The ranges of symbols are taken for granted behind the header: so everyone who comes there must keep to them.
            if let Some(ty) = argument.ty
                && !is_of(domain, ty, value)?
            {
                for (slot, ty) in &mut known.slots {
                    if *slot == argument.slot {
                        *ty = None;
                    }
                }
                is_new = true;
            }
            values.push(value);
        }
        Ok(if is_new { Fit::Later } else { Fit::Yes(values) })
    }

    /// What differs in a state.
    fn differing(&self, program: &Program, state: &State<Symbolic>) -> Result<Different, String> {
        let mut slots = Vec::new();
        for (level, (own, other)) in self.state.frames.iter().zip(&state.frames).enumerate() {
            for (local, declared) in program.function(own.function).locals() {
                let (old, new) = (&own.locals[local.index()], &other.locals[local.index()]);
                if declared.storage == Storage::Memory {
                    if !self.is_same_variable(state, old, new) {
                        return Err("a variable is another object".to_owned());
                    }
                    continue;
                }
                let parts = differences(old, new)?.into_iter();
                slots.extend(parts.map(|part| Slot::register(level, local, part)));
            }
        }
        let mut spelled_out = Vec::new();
        for change in state.memory.changes(&self.state.memory)? {
            match change {
                Change::Released(object) if self.state.memory.is_living(object) => {
                    return Err("memory is given back".to_owned());
                }
                Change::Released(_) => {}
                Change::Added(object, offset, size) => {
                    let Some(held) = state.memory.held(object, offset) else {
                        return Err("memory is written in part".to_owned());
                    };
                    spelled_out.push(SpellOut::Entry(object, offset, size, held.value));
                }
                Change::Array(object, stride, int) => {
                    spelled_out.push(SpellOut::Array(object, stride, int));
                }
                Change::Elements(object) => {
                    let (old, new) =
                        (self.state.memory.elements(object), state.memory.elements(object));
                    let Some((old, new)) = old.zip(new) else {
                        return Err("an array is none any more".to_owned());
                    };
                    if old.written.is_some() != new.written.is_some() {
                        return Err("an array is written in another way".to_owned());
                    }
                    let whole = Part { path: Vec::new(), kind: Kind::Int };
                    if old.elements != new.elements {
                        slots.push(Slot::memory(Root::Elements(object), whole.clone()));
                    }
                    if old.written != new.written {
                        slots.push(Slot::memory(Root::Flags(object), whole));
                    }
                }
                Change::Entry(object, offset) => {
                    let (old, new) =
                        (self.state.memory.held(object, offset), state.memory.held(object, offset));
                    let Some((old, new)) = old.zip(new) else {
                        return Err("memory is written in part".to_owned());
                    };
                    let root = Root::Entry(object, offset);
                    let parts = differences(&old.value, &new.value)?.into_iter();
                    slots.extend(parts.map(|part| Slot::memory(root, part)));
                    if old.written != new.written {
                        let bit = Part { path: Vec::new(), kind: Kind::Bool };
                        slots.push(Slot::memory(Root::Written(object, offset), bit));
                    }
                }
            }
        }
        // What is not spelled out is not compared, so there may be more to find.
        Ok(Different { slots, spelled_out })
    }

    /// Whether a variable in memory is the same object; one that has ended does not matter.
    fn is_same_variable(
        &self,
        state: &State<Symbolic>,
        old: &SymbolicValue,
        new: &SymbolicValue,
    ) -> bool {
        let has_ended = |state: &State<Symbolic>, value: &SymbolicValue| match value {
            Value::Pointer(Pointer { object: Some(object), .. }) => {
                !state.memory.is_living(*object)
            }
            Value::Uninitialised => true,
            _ => false,
        };
        is_same(old, new) || has_ended(&self.state, old) && has_ended(state, new)
    }
}

/// Everything in a state that is better left open.
fn hard_slots(
    machine: &Machine<'_, Symbolic>,
    state: &State<Symbolic>,
    left_open: LeftOpen,
) -> Vec<Slot> {
    let terms = &machine.domain.terms;
    let mut slots = Vec::new();
    for (level, frame) in state.frames.iter().enumerate() {
        for (local, declared) in machine.program.function(frame.function).locals() {
            if declared.storage == Storage::Register {
                let parts = hard_parts(terms, &frame.locals[local.index()], left_open);
                slots.extend(parts.into_iter().map(|part| Slot::register(level, local, part)));
            }
        }
    }
    for (object, offset, value) in state.memory.living_entries() {
        // What is written in part has no place of its own.
        if state.memory.held(object, offset).is_some() {
            let root = Root::Entry(object, offset);
            let parts = hard_parts(terms, value, left_open);
            slots.extend(parts.into_iter().map(|part| Slot::memory(root, part)));
        }
    }
    for object in state.memory.living_arrays() {
        let whole = Part { path: Vec::new(), kind: Kind::Int };
        let roots = hard_arrays(terms, state, object, left_open).into_iter();
        slots.extend(roots.map(|root| Slot::memory(root, whole.clone())));
    }
    slots
}

/// Spells something out, if that is possible.
fn spell_out(
    machine: &mut Machine<'_, Symbolic>,
    state: &mut State<Symbolic>,
    missing: &SpellOut,
) -> Outcome<bool> {
    let types = &machine.program.types;
    let domain = &mut machine.domain;
    let memory = &mut state.memory;
    let done = match missing {
        SpellOut::Entry(object, offset, size, like) => {
            if memory.held(*object, *offset).is_some() {
                return Ok(true);
            }
            if !memory.is_free(*object, *offset, *size) {
                return Ok(false);
            }
            domain.spell_out(types, memory, (*object, *offset, *size), like)
        }
        SpellOut::Array(object, ..) if !memory.is_living(*object) => return Ok(false),
        SpellOut::Array(object, stride, int) => {
            domain.spell_out_array(types, memory, (*object, *stride, *int)).map(|()| true)
        }
    };
    match done {
        Ok(done) => Ok(done),
        Err(halt) => match *halt {
            crate::halt::Halt::Internal(_) => Err(halt),
            _ => Ok(false),
        },
    }
}

/// Whether a value is of a type on the path that is executed.
fn is_of(domain: &mut Symbolic, ty: IntType, value: Term) -> Outcome<bool> {
    let int = domain.int_of(value);
    if domain.is_everywhere_of(ty, &int) {
        return Ok(true);
    }
    let inside = domain.range_conditions(ty, value);
    let inside = domain.terms.and(inside);
    let outside = domain.terms.not(inside);
    Ok(matches!(domain.feasible(outside)?, Feasible::No))
}
