//! What a case of a summary makes of a state at the header.

use super::cells::Root;
use super::exits::{ExitState, Write};
use super::passage::Passage;
use super::solve::Solution;
use super::values::Rewrite;
use super::{ExitKind, Extraction, Site};
use crate::domain::{Feasible, Outcome, Symbolic, Unknown};
use crate::halt::internal;
use crate::memory::{ArrayElements, Held, ObjectId};
use crate::output::Output;
use crate::value::{Int, SymbolicValue};
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_ir::program::BlockId;
use loupe_ir::source::Span;
use loupe_loops::{Fresh, FreshKind};
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term, Value};
use std::rc::Rc;

/// A state behind a loop. What must hold for it has been added to the path.
pub(crate) struct Applied {
    pub(crate) state: State<Symbolic>,
    /// The counters of this instance.
    pub(crate) counters: Vec<Term>,
    /// What is read in the last iteration.
    pub(crate) inputs: Vec<Term>,
    /// What comes next.
    pub(crate) then: Continuation,
    /// What the loop has put out.
    pub(crate) outputs: Option<Output>,
    /// Whether it may be a state that no execution has.
    pub(crate) is_over: bool,
    /// What the symbols of the problem and of the case stand for.
    pub(crate) substitution: Substitution,
}

impl Applied {
    /// What the extraction could not follow. The executor may get further, because it knows more: then the loop is executed.
    pub(crate) fn lost(&self) -> Option<&str> {
        match &self.then {
            Continuation::End(ExitKind::Lost(what), ..) => Some(what),
            _ => None,
        }
    }
}

/// What comes behind a loop.
pub(crate) enum Continuation {
    /// A block of the same function is entered.
    Enter(BlockId),
    /// The function has returned to its caller.
    Returned(Span),
    /// The program ends.
    End(ExitKind, Site, Option<SymbolicValue>),
}

/// The symbol that a term is.
pub(crate) fn symbol_of(domain: &Symbolic, term: Term) -> Option<SymbolId> {
    match domain.terms.node(term) {
        Node::Symbol(id) => Some(*id),
        _ => None,
    }
}

/// A case for a state, while it is built.
struct Instance<'i, 'm, 'p> {
    machine: &'m mut Machine<'p, Symbolic>,
    solution: &'i Rc<Solution>,
    case: usize,
    /// Entry values for header symbols, and symbols of this instance.
    substitution: Substitution,
    counters: Vec<Term>,
    inputs: Vec<Term>,
    is_over: bool,
}

/// What a case makes of a state; `None` if that is impossible on this path.
pub(crate) fn apply(
    machine: &mut Machine<'_, Symbolic>,
    solution: &Rc<Solution>,
    case: usize,
    state: &State<Symbolic>,
) -> Outcome<Option<Applied>> {
    let is_over = solution.summary.tag == loupe_loops::Tag::Over;
    let (substitution, counters, inputs) = (Substitution::default(), Vec::new(), Vec::new());
    let mut instance =
        Instance { machine, solution, case, substitution, counters, inputs, is_over };
    instance.build(state.clone())
}

/// Spells out what the loop changes, as its extraction did.
pub(super) fn prepare(
    machine: &mut Machine<'_, Symbolic>,
    extraction: &Extraction,
    state: &mut State<Symbolic>,
) -> Outcome<()> {
    let types = &machine.program.types;
    let plain = &extraction.plain.memory;
    let roots = extraction.cells.iter().filter_map(|cell| cell.spot.as_ref().map(|spot| spot.root));
    for root in roots {
        match root {
            Root::Register(_) => {}
            Root::Entry(object, offset) | Root::Written(object, offset) => {
                if state.memory.held(object, offset).is_some() {
                    continue;
                }
                let known = plain.held(object, offset).zip(plain.held_size(object, offset));
                let (held, size) = known.ok_or_else(|| internal("a variable without a value"))?;
                let at = (object, offset, size);
                machine.domain.spell_out(types, &mut state.memory, at, &held.value)?;
            }
            // With all other arrays.
            Root::Elements(_) | Root::Flags(_) => {}
        }
    }
    for (key, unknown) in plain.single_looked_at_since(&state.memory) {
        state.memory.look_at(key, unknown);
    }
    // What is only read there, too: what the loop leaves elsewhere may be its elements.
    for object in (0..plain.object_count() as u32).map(ObjectId) {
        if let Some((stride, int)) = plain.element_type(object) {
            let what = (object, stride, int);
            machine.domain.spell_out_array(types, &mut state.memory, what)?;
        }
    }
    Ok(())
}

impl Instance<'_, '_, '_> {
    fn build(&mut self, mut state: State<Symbolic>) -> Outcome<Option<Applied>> {
        let is_over = self.is_over;
        let solution = Rc::clone(self.solution);
        let extraction = &solution.extraction;
        let Some(case) = solution.summary.cases.get(self.case) else {
            return Err(internal("a case that there is none of"));
        };
        let exit = extraction.states.get(case.exit);
        let exit = exit.ok_or_else(|| internal("an exit that there is none of"))?;
        prepare(self.machine, extraction, &mut state)?;
        self.entry_values(extraction, &state)?;
        let occasions = (extraction.apart, state.streams.occasions);
        self.own_symbols(case, exit, occasions)?;
        if !self.assume(case.condition)? {
            return Ok(None);
        }
        // What is only necessary leaves counters open, and asking costs more than it is worth.
        if !is_over {
            self.settle()?;
        }
        let values = self.values(case)?;
        let passage = self.pass(&mut state);
        let objects = (extraction.plain.memory.object_count() as u32, &state);
        let objects = (objects.0, objects.1.memory.object_count() as u32 - objects.0);
        let mut after = self.substitution.clone();
        for (cell, value) in extraction.cells.iter().zip(&values) {
            if let Some(symbol) = symbol_of(&self.machine.domain, cell.symbol) {
                after.insert(symbol, *value);
            }
        }
        let result = {
            let domain = &mut self.machine.domain;
            let mut rewrite = Rewrite::substitute(domain, &after, objects, occasions);
            change(&mut state, exit, &mut rewrite, extraction.apart)?
        };
        let used = extraction.ways.iter().map(|way| way.occasions).max().unwrap_or(0);
        state.streams.occasions += used;
        let then = match &exit.kind {
            ExitKind::Block(block) => Continuation::Enter(*block),
            ExitKind::Returned => {
                self.machine.leave(&mut state, result)?;
                Continuation::Returned(exit.site.span)
            }
            kind => Continuation::End(kind.clone(), exit.site, result),
        };
        let puts_out = extraction.ways.iter().any(|way| !way.outputs.is_empty());
        Ok(Some(Applied {
            state,
            counters: std::mem::take(&mut self.counters),
            inputs: std::mem::take(&mut self.inputs),
            then,
            outputs: passage.filter(|_| puts_out).map(Output::Loop),
            is_over: self.is_over,
            substitution: std::mem::take(&mut self.substitution),
        }))
    }

    /// The values of the state for header symbols.
    fn entry_values(&mut self, extraction: &Extraction, state: &State<Symbolic>) -> Outcome<()> {
        let domain = &mut self.machine.domain;
        for cell in &extraction.cells {
            let Some(spot) = &cell.spot else { continue };
            let value = spot.read(domain, state);
            let value = value.ok_or_else(|| internal("a variable of a loop that is not there"))?;
            if let Some(symbol) = symbol_of(domain, cell.symbol) {
                self.substitution.insert(symbol, value);
            }
        }
        Ok(())
    }

    /// Symbols for counters and for what the last iteration reads.
    fn own_symbols(
        &mut self,
        case: &loupe_loops::Case,
        exit: &ExitState,
        (first, start): (u64, u64),
    ) -> Outcome<()> {
        let domain = &mut self.machine.domain;
        for counter in &case.counters {
            // What an approximation forgets may be an array.
            let sort = domain.terms.sort(*counter);
            let known = symbol_of(domain, *counter).map(|id| domain.terms.symbol(id));
            let known = known.map(|symbol| (symbol.name.clone(), symbol.origin.clone()));
            let (name, origin) = known.unwrap_or_else(|| ("k".to_owned(), Origin::default()));
            let own = domain.terms.fresh(&name, sort, origin);
            self.counters.push(own);
            if let Some(symbol) = symbol_of(domain, *counter) {
                self.substitution.insert(symbol, own);
            }
        }
        // Uninitialised values in objects that stay have the symbols that their new occasions have.
        for ((occasion, number), unknown) in &exit.looked_at {
            if *occasion >= first
                && let Some(ty) = domain.type_of_symbol(unknown.symbol)
                && let Some(symbol) = symbol_of(domain, unknown.symbol)
            {
                let own = domain.unknown_symbol((start + (occasion - first), *number), ty);
                self.inputs.push(own);
                self.substitution.insert(symbol, own);
            }
        }
        // The symbols of the case stand for those of the last path, in their order.
        let last = self.solution.extraction.problem.paths.get(case.last);
        let fresh: &[Fresh] = last.map_or(&[], |path| &path.fresh);
        let same_length = fresh.len() == case.inputs.len();
        for (number, input) in case.inputs.iter().enumerate() {
            let original = if same_length { fresh[number].symbol } else { *input };
            let is_counter = same_length && fresh[number].kind == FreshKind::Counter;
            let (Some(symbol), Some(of_path)) =
                (symbol_of(domain, *input), symbol_of(domain, original))
            else {
                continue;
            };
            let own = match self.substitution.get(&of_path) {
                Some(own) => *own,
                None => {
                    let own = match domain.type_of_symbol(original) {
                        Some(ty) => {
                            let own = domain.typed_symbol("in", ty);
                            for condition in domain.range_conditions(ty, own) {
                                domain.assume_harmless(condition);
                            }
                            own
                        }
                        None => {
                            let sort = domain.terms.sort(original);
                            let known = domain.terms.symbol(of_path);
                            let (name, origin) = (known.name.clone(), known.origin.clone());
                            domain.terms.fresh(&name, sort, origin)
                        }
                    };
                    // What is only necessary leaves all counters open, those of loops inside as well.
                    match self.is_over && is_counter {
                        true => self.counters.push(own),
                        false => self.inputs.push(own),
                    }
                    own
                }
            };
            self.substitution.insert(symbol, own);
            self.substitution.insert(of_path, own);
        }
        Ok(())
    }

    /// Adds the condition of the case to the path, if it is possible.
    fn assume(&mut self, condition: Term) -> Outcome<bool> {
        let domain = &mut self.machine.domain;
        let condition = domain.terms.substitute(condition, &self.substitution);
        let model = match domain.feasible(condition)? {
            Feasible::No => return Ok(false),
            Feasible::Yes(model) => Some(model),
            Feasible::Unknown(_) => None,
        };
        let parts: Vec<Term> = match domain.terms.node(condition) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![condition],
        };
        for part in parts {
            if domain.path.truth(part) != Some(true) && domain.terms.as_bool(part) != Some(true) {
                domain.assume(part, model.clone());
            }
        }
        if let Some(model) = model {
            domain.path.set_model(model);
        }
        Ok(true)
    }

    /// Where nothing but the counters decides, they mostly have one value each.
    fn settle(&mut self) -> Outcome<()> {
        for counter in self.counters.clone() {
            let domain = &mut self.machine.domain;
            let Some(model) = domain.path.model().cloned() else { return Ok(()) };
            let Ok(Value::Int(number)) = domain.terms.evaluate(counter, &model) else { continue };
            let constant = domain.terms.int(number);
            let others = domain.terms.ne(counter, constant);
            if !matches!(domain.feasible(others)?, Feasible::No) {
                continue;
            }
            let Some(own) = symbol_of(domain, counter) else { continue };
            let known = Substitution::from_iter([(own, constant)]);
            let mut all: Vec<(SymbolId, Term)> =
                self.substitution.iter().map(|(symbol, term)| (*symbol, *term)).collect();
            all.sort_unstable();
            for (symbol, term) in all {
                let term = domain.terms.substitute(term, &known);
                self.substitution.insert(symbol, term);
            }
        }
        Ok(())
    }

    /// The values of the variables afterwards.
    fn values(&mut self, case: &loupe_loops::Case) -> Outcome<Vec<Term>> {
        let domain = &mut self.machine.domain;
        let mut values = Vec::with_capacity(case.values.len());
        for (cell, value) in self.solution.extraction.cells.iter().zip(&case.values) {
            let mut value = domain.terms.substitute(*value, &self.substitution);
            if domain.terms.is_starred(value) {
                self.is_over = true;
                value = match (domain.terms.sort(value), cell.ty) {
                    (Sort::Int, Some(ty)) => {
                        let any = domain.typed_symbol(&cell.name, ty);
                        for condition in domain.range_conditions(ty, any) {
                            domain.assume_harmless(condition);
                        }
                        any
                    }
                    (sort, _) => {
                        domain.terms.fresh(&cell.name, sort, loupe_term::Origin::default())
                    }
                };
            }
            values.push(value);
        }
        Ok(values)
    }

    /// Notes what the loop reads, if it does.
    fn pass(&mut self, state: &mut State<Symbolic>) -> Option<Rc<Passage>> {
        let extraction = &self.solution.extraction;
        let domain = &mut self.machine.domain;
        let takes = |way: &super::extract::Way| {
            !way.unknowns.is_empty() || way.undefined != Int::Term(extraction.undefined)
        };
        let takes_undefined = extraction.ways.iter().any(takes);
        let reads = takes_undefined || extraction.ways.iter().any(|way| !way.readings.is_empty());
        let puts_out = extraction.ways.iter().any(|way| !way.outputs.is_empty());
        if !reads && !puts_out {
            return None;
        }
        let (last, after) =
            (domain.terms.int_symbol("undefined"), domain.terms.int_symbol("undefined"));
        if let Some(symbol) = symbol_of(domain, extraction.undefined) {
            self.substitution.insert(symbol, last);
        }
        let passage = Rc::new(Passage {
            solution: Rc::clone(self.solution),
            case: self.case,
            substitution: self.substitution.clone(),
            before: state.streams.undefined.clone(),
            last,
            after,
        });
        if takes_undefined {
            state.streams.undefined = Int::Term(after);
        }
        if reads {
            state.streams.pass(Rc::clone(&passage));
        }
        Some(passage)
    }
}

/// Makes a state what it is at an exit, and gives what is returned.
fn change(
    state: &mut State<Symbolic>,
    exit: &ExitState,
    rewrite: &mut Rewrite<'_>,
    apart: u64,
) -> Outcome<Option<SymbolicValue>> {
    for write in &exit.writes {
        match write {
            Write::Register(local, value) => {
                let value = rewrite.value(value)?;
                let frame = state.frames.last_mut().ok_or_else(|| internal("no active call"))?;
                if let Some(slot) = frame.locals.get_mut(local.index()) {
                    *slot = value;
                }
            }
            Write::Entry(at, held) => {
                let (value, written) = (rewrite.value(&held.value)?, rewrite.bool(held.written));
                state.memory.put_held(*at, Held { value, written })?;
            }
            Write::Elements(object, held) => {
                let elements = rewrite.term(held.elements);
                let written = held.written.map(|term| rewrite.term(term));
                state.memory.set_elements(*object, ArrayElements { elements, written })?;
            }
        }
    }
    if let Some(created) = &exit.created {
        state.memory.add_rewritten(created, 0, rewrite)?;
    }
    for ((occasion, number), unknown) in &exit.looked_at {
        if *occasion >= apart && exit.created.is_none() {
            continue;
        }
        let unknown = Unknown {
            position: rewrite.int(&unknown.position),
            symbol: rewrite.term(unknown.symbol),
            count: unknown.count.clone(),
            when: None,
        };
        state.memory.look_at((rewrite.occasion(*occasion), *number), unknown);
    }
    for object in &exit.released {
        state.memory.release(ObjectId(object.0))?;
    }
    exit.result.as_ref().map(|value| rewrite.value(value)).transpose()
}
