//! Where a loop is left: what a state is like there, over the variables of the loop.
//!
//! What matters behind an exit, but is no variable at the header (a register that is written before it is read, a variable that is
//! declared in the body, what is returned), becomes an extra variable: an exit sets it, and an iteration leaves it as it is, which is right
//! because nobody reads it at the header.

use super::body::{Done, Ending};
use super::cells::{self, Root, Spot};
use super::values::{Rewrite, is_same};
use super::{ExitKind, Site, cells::changed_locals};
use crate::domain::{Outcome, Symbolic, Unknown};
use crate::halt::internal;
use crate::memory::{ArrayElements, Change, Held, Memory, ObjectId};
use crate::value::{Pointer, SymbolicValue};
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::program::{LocalId, Storage};
use loupe_term::{Node, Origin, Sort, SymbolId, Term};
use rustc_hash::FxHashSet;

/// The state at an exit, as far as it differs from the one at the header. Its terms are over the variables' values *afterwards*.
#[derive(Clone, Debug)]
pub(crate) struct ExitState {
    pub(crate) kind: ExitKind,
    pub(crate) site: Site,
    pub(crate) writes: Vec<Write>,
    /// What is returned, or the status.
    pub(crate) result: Option<SymbolicValue>,
    pub(crate) released: Vec<ObjectId>,
    /// Objects that were made in the last iteration, if one of them can still be used.
    pub(crate) created: Option<Memory>,
    /// Uninitialised values that were looked at.
    pub(crate) looked_at: Vec<((u64, u64), Unknown)>,
}

/// What is another one.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    Register(LocalId, SymbolicValue),
    Entry((ObjectId, u64, u64), Held),
    Elements(ObjectId, ArrayElements),
}

impl Write {
    fn is_same(&self, other: &Write) -> bool {
        match (self, other) {
            (Write::Register(a, x), Write::Register(b, y)) => a == b && is_same(x, y),
            (Write::Entry(a, x), Write::Entry(b, y)) => {
                a == b && x.written == y.written && is_same(&x.value, &y.value)
            }
            (Write::Elements(a, x), Write::Elements(b, y)) => {
                a == b && x.elements == y.elements && x.written == y.written
            }
            _ => false,
        }
    }
}

impl ExitState {
    fn is_same(&self, other: &ExitState) -> bool {
        let result = match (&self.result, &other.result) {
            (Some(a), Some(b)) => is_same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        result
            && self.kind == other.kind
            && self.site == other.site
            && self.released == other.released
            && self.created.is_none()
            && other.created.is_none()
            && self.writes.len() == other.writes.len()
            && self.writes.iter().zip(&other.writes).all(|(a, b)| a.is_same(b))
    }
}

/// The exits of a loop while they are found.
pub(super) struct Exits<'x, 'p> {
    pub(super) machine: &'x mut Machine<'p, Symbolic>,
    start: &'x State<Symbolic>,
    spots: &'x [(Spot, Term)],
    /// Variables of which nothing is known behind the loop.
    forgotten: &'x [Spot],
    depth: usize,
    states: Vec<ExitState>,
    extra: Vec<(Term, String)>,
    /// The values of the extra variables on each path.
    set: Vec<Vec<Term>>,
}

/// What becomes of constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constants {
    Stay,
    Vary,
}

impl Constants {
    fn of(value: &SymbolicValue) -> Self {
        if matches!(value, Value::Int(_)) { Constants::Vary } else { Constants::Stay }
    }
}

/// How terms become variables at one exit.
struct Lift<'l> {
    /// Values of variables on this path.
    updates: &'l [(Root, Term, Term)],
    /// Symbols whose meaning changes from iteration to iteration.
    moving: &'l FxHashSet<SymbolId>,
    extra: &'l mut Vec<(Term, String)>,
    set: &'l mut Vec<Term>,
}

impl Lift<'_> {
    /// The variable that a term is afterwards.
    fn variable(&mut self, domain: &mut Symbolic, term: Term, name: &str) -> Term {
        let number = self.set.len();
        self.set.push(term);
        let sort = domain.terms.sort(term);
        if let Some((symbol, _)) = self.extra.get(number)
            && domain.terms.sort(*symbol) == sort
        {
            return *symbol;
        }
        // One of another sort stands there: fill up with what nobody needs.
        while self.extra.len() < number {
            let filler = domain.terms.fresh("unused", Sort::Int, Origin::default());
            self.extra.push((filler, "unused".to_owned()));
        }
        let symbol = domain.terms.fresh(name, sort, Origin::default());
        match self.extra.len() == number {
            true => self.extra.push((symbol, name.to_owned())),
            false => {
                // The place is taken: put it at the end instead.
                self.set.pop();
                while self.set.len() < self.extra.len() {
                    let (known, _) = self.extra[self.set.len()];
                    self.set.push(known);
                }
                self.set.push(term);
                self.extra.push((symbol, name.to_owned()));
            }
        }
        symbol
    }

    fn is_moving(&self, domain: &Symbolic, term: Term) -> bool {
        domain.terms.free_symbols(term).iter().any(|symbol| self.moving.contains(symbol))
    }

    /// Terms in what a root holds: its variables are themselves, everything else is an extra one.
    ///
    /// Constants in records stay: exits at one place differ in whole numbers often, in parts of records seldom.
    fn root(
        &mut self,
        domain: &mut Symbolic,
        at: (Option<Root>, Constants),
        name: &str,
        term: Term,
    ) -> Term {
        let (root, constants) = at;
        let own = self.updates.iter().find(|(of, update, _)| Some(*of) == root && *update == term);
        match own {
            Some((_, _, symbol)) => *symbol,
            None if constants == Constants::Stay && domain.terms.as_int(term).is_some() => term,
            None => self.variable(domain, term, name),
        }
    }
}

/// The updates of a path, and its exit if it has one.
type Left = (Vec<Term>, Option<usize>);

impl<'x, 'p> Exits<'x, 'p> {
    pub(super) fn new(
        machine: &'x mut Machine<'p, Symbolic>,
        start: &'x State<Symbolic>,
        spots: &'x [(Spot, Term)],
        forgotten: &'x [Spot],
        depth: usize,
    ) -> Self {
        let (states, extra, set) = (Vec::new(), Vec::new(), Vec::new());
        Exits { machine, start, spots, forgotten, depth, states, extra, set }
    }

    /// What a path makes of the variables, and where it leaves.
    pub(super) fn leave(
        &mut self,
        done: &Done,
        fresh: &FxHashSet<Term>,
    ) -> Outcome<Result<Left, String>> {
        let (kind, site, value) = match &done.ending {
            Ending::Again => {
                let mut updates = Vec::with_capacity(self.spots.len());
                for (spot, _) in self.spots {
                    let term = spot.read(&mut self.machine.domain, &done.run.state);
                    let Some(term) = term else {
                        return Ok(Err("a variable is not where it was".to_owned()));
                    };
                    updates.push(term);
                }
                self.set.push(Vec::new());
                return Ok(Ok((updates, None)));
            }
            Ending::Exit(kind, site, value) => (kind.clone(), *site, value.clone()),
        };
        let domain = &mut self.machine.domain;
        let end = own_call(&done.run.state, self.depth);
        let mut updates = Vec::with_capacity(self.spots.len());
        for (spot, symbol) in self.spots {
            let term = match (&end, spot.root) {
                (Some(end), _) => spot.read(domain, end),
                (None, Root::Register(_)) => None,
                (None, _) => spot.read(domain, &done.run.state),
            };
            // What is not there any more matters to nobody.
            updates.push(term.unwrap_or(*symbol));
        }
        let mut state = ExitState {
            kind,
            site,
            writes: Vec::new(),
            result: None,
            released: Vec::new(),
            created: None,
            looked_at: done.run.state.memory.looked_at_since(&self.start.memory),
        };
        let mut set = Vec::new();
        let goes_on = matches!(
            state.kind,
            ExitKind::Block(_) | ExitKind::Returned | ExitKind::Finished | ExitKind::Exited
        );
        if goes_on
            && let Err(what) = self.fill(done, value, &updates, fresh, &mut state, &mut set)?
        {
            return Ok(Err(what));
        }
        self.set.push(set);
        let known = self.states.iter().position(|known| known.is_same(&state));
        let exit = known.unwrap_or(self.states.len());
        if known.is_none() {
            self.states.push(state);
        }
        Ok(Ok((updates, Some(exit))))
    }

    /// What differs at an exit behind which something goes on.
    fn fill(
        &mut self,
        done: &Done,
        value: Option<SymbolicValue>,
        updates: &[Term],
        fresh: &FxHashSet<Term>,
        state: &mut ExitState,
        set: &mut Vec<Term>,
    ) -> Outcome<Result<(), String>> {
        let program = self.machine.program;
        let end = &done.run.state;
        let count = self.start.memory.object_count();
        let raw = match self.differing(end, state)? {
            Ok(raw) => raw,
            Err(what) => return Ok(Err(what)),
        };
        let creates = end.memory.lives_since(count)
            || raw.iter().any(|write| !self.is_slot(write) && points_beyond(write, count))
            || value.as_ref().is_some_and(|value| value_points_beyond(value, count));
        let domain = &mut self.machine.domain;
        let mut moving = FxHashSet::default();
        for symbol in self.spots.iter().map(|(_, symbol)| symbol).chain(fresh) {
            if let Node::Symbol(id) = domain.terms.node(*symbol) {
                moving.insert(*id);
            }
        }
        let updates: Vec<(Root, Term, Term)> = self
            .spots
            .iter()
            .zip(updates)
            .map(|((spot, symbol), update)| (spot.root, *update, *symbol))
            .collect();
        let mut lift = Lift { updates: &updates, moving: &moving, extra: &mut self.extra, set };
        for write in raw {
            if !creates && points_beyond(&write, count) {
                continue;
            }
            let (root, whole) = match &write {
                Write::Register(local, _) => (Root::Register(*local), None),
                Write::Entry((object, offset, _), _) => (Root::Entry(*object, *offset), None),
                Write::Elements(object, _) => (Root::Elements(*object), Some(*object)),
            };
            let spot = Spot::of(root);
            let name = cells::name(program, self.start, &spot);
            let lifted = match write {
                Write::Register(local, value) => {
                    let at = (Some(root), Constants::of(&value));
                    let mut to = |domain: &mut Symbolic, term| lift.root(domain, at, &name, term);
                    Write::Register(local, Rewrite::replace(domain, &mut to).value(&value)?)
                }
                Write::Entry(place, held) => {
                    let at = (Some(root), Constants::of(&held.value));
                    let mut to = |domain: &mut Symbolic, term| lift.root(domain, at, &name, term);
                    let value = Rewrite::replace(domain, &mut to).value(&held.value)?;
                    let at = (Some(Root::Written(place.0, place.1)), Constants::Stay);
                    let mut to = |domain: &mut Symbolic, term| lift.root(domain, at, &name, term);
                    let written = Rewrite::replace(domain, &mut to).bool(held.written);
                    Write::Entry(place, Held { value, written })
                }
                Write::Elements(object, held) => {
                    let elements =
                        lift.root(domain, (Some(root), Constants::Vary), &name, held.elements);
                    let flags = whole.map(Root::Flags);
                    let written = held
                        .written
                        .map(|term| lift.root(domain, (flags, Constants::Vary), &name, term));
                    Write::Elements(object, ArrayElements { elements, written })
                }
            };
            state.writes.push(lifted);
        }
        if let Some(value) = value {
            let at = (None, Constants::of(&value));
            let mut to = |domain: &mut Symbolic, term| lift.root(domain, at, "result", term);
            state.result = Some(Rewrite::replace(domain, &mut to).value(&value)?);
        }
        if creates {
            let mut to = |domain: &mut Symbolic, term| match lift.is_moving(domain, term) {
                true => lift.variable(domain, term, "local"),
                false => term,
            };
            let mut created = Memory::default();
            let mut rewrite = Rewrite::replace(domain, &mut to);
            created.add_rewritten(&end.memory, count, &mut rewrite)?;
            state.created = Some(created);
        }
        Ok(Ok(()))
    }

    /// Whether a write says where a variable in memory is now.
    fn is_slot(&self, write: &Write) -> bool {
        let Some(frame) = self.start.frames.last() else { return false };
        let function = self.machine.program.function(frame.function);
        matches!(write, Write::Register(l, _) if function.local(*l).storage == Storage::Memory)
    }

    fn all_spots(&self) -> impl Iterator<Item = &'x Spot> + use<'x> {
        self.spots.iter().map(|(spot, _)| spot).chain(self.forgotten)
    }

    /// All that differs, or may have differed in an earlier iteration.
    fn differing(
        &mut self,
        end: &State<Symbolic>,
        state: &mut ExitState,
    ) -> Outcome<Result<Vec<Write>, String>> {
        let mut writes = Vec::new();
        if let ExitKind::Block(block) = state.kind {
            let (Some(old), Some(new)) = (self.start.frames.last(), end.frames.last()) else {
                return Err(internal("no active call"));
            };
            let function = self.machine.program.function(old.function);
            let live = cells::live_registers(function, block);
            let mut locals = changed_locals(function, &live, &old.locals, &new.locals);
            for spot in self.all_spots() {
                if let Root::Register(local) = spot.root
                    && live.contains(&local)
                {
                    locals.push(local);
                }
            }
            locals.sort_unstable();
            locals.dedup();
            for local in locals {
                writes.push(Write::Register(local, new.locals[local.index()].clone()));
            }
        }
        let changes = match end.memory.changes(&self.start.memory) {
            Ok(changes) => changes,
            Err(what) => return Ok(Err(what)),
        };
        let mut entries = Vec::new();
        let mut arrays = Vec::new();
        for change in changes {
            match change {
                Change::Entry(object, offset) => entries.push((object, offset)),
                Change::Added(object, offset, _) => entries.push((object, offset)),
                Change::Elements(object) => arrays.push(object),
                Change::Array(..) => {
                    return Ok(Err(
                        "an array is accessed at an unknown place, on the way out".into()
                    ));
                }
                Change::Released(object) => state.released.push(object),
            }
        }
        for spot in self.all_spots() {
            match spot.root {
                Root::Register(_) => {}
                Root::Entry(object, offset) | Root::Written(object, offset) => {
                    entries.push((object, offset));
                }
                Root::Elements(object) | Root::Flags(object) => arrays.push(object),
            }
        }
        entries.sort_unstable();
        entries.dedup();
        arrays.sort_unstable();
        arrays.dedup();
        for (object, offset) in entries.into_iter().filter(|(o, _)| !state.released.contains(o)) {
            let held = end.memory.held(object, offset);
            let size = end.memory.held_size(object, offset);
            let Some((held, size)) = held.zip(size) else {
                return Ok(Err("memory is written in part".to_owned()));
            };
            writes.push(Write::Entry((object, offset, size), held));
        }
        for object in arrays.into_iter().filter(|object| !state.released.contains(object)) {
            let Some(elements) = end.memory.elements(object) else {
                return Err(internal("an array that is none"));
            };
            writes.push(Write::Elements(object, elements));
        }
        Ok(Ok(writes))
    }

    /// Gives all paths values for the extra variables.
    pub(super) fn finish(
        self,
        paths: &mut [loupe_loops::Path],
    ) -> (Vec<(Term, String)>, Vec<ExitState>) {
        for (path, set) in paths.iter_mut().zip(self.set) {
            for (number, (symbol, _)) in self.extra.iter().enumerate() {
                path.updates.push(set.get(number).copied().unwrap_or(*symbol));
            }
        }
        (self.extra, self.states)
    }
}

/// The state as the call sees it that the loop runs in, if that is still active.
fn own_call(state: &State<Symbolic>, depth: usize) -> Option<State<Symbolic>> {
    let above = state.depth().checked_sub(depth)?;
    let mut copy = state.clone();
    let keep = copy.frames.len().checked_sub(above)?;
    copy.frames.truncate(keep);
    (!copy.frames.is_empty()).then_some(copy)
}

fn points_beyond(write: &Write, count: usize) -> bool {
    match write {
        Write::Register(_, value) => value_points_beyond(value, count),
        Write::Entry(_, held) => value_points_beyond(&held.value, count),
        Write::Elements(..) => false,
    }
}

/// Whether a value has a pointer to an object with at least this number. Of what has a layout nobody knows.
fn value_points_beyond(value: &SymbolicValue, count: usize) -> bool {
    let mut open = vec![value.clone()];
    while let Some(value) = open.pop() {
        match &value {
            Value::Pointer(Pointer { object: Some(object), .. })
            | Value::Array(Pointer { object: Some(object), .. })
                if object.0 as usize >= count =>
            {
                return true;
            }
            Value::Record(record) => open.extend(record.fields.iter().map(|f| f.1.clone())),
            Value::Sequence(sequence) => open.extend(sequence.values.iter().cloned()),
            Value::Aggregate(_) => return true,
            _ => {}
        }
    }
    false
}
