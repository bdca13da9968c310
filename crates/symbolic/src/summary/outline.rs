//! Outlines of loops: what their control variables do, whatever else they do.
//!
//! A bound needs little of a loop. Where its whole body has no model, too many paths or too much in it, this is what is left: the variables that
//! decide about its exits, followed along one iteration over the flowgraph; all else is forgotten. So there is an outline of every loop.
//!
//! *What is followed* are registers that conditions of exits are computed from, and memory at fixed places (`n`, `p->n`). Whatever else is loaded,
//! returned by a call, or left behind by a loop inside, is any value. Branches that depend on nothing of that kind go both ways, and ways that agree in what is followed are one,
//! with the conditions that they have in common. So the paths of an outline are more than those of the loop, never less, and a bound that holds for
//! all of them ([`loupe_loops::bounds`]) holds for the loop. A pointer is its address, a number without bounds: an execution whose pointers leave the range of addresses is
//! undefined, as elsewhere.
//!
//! *What is believed* (`Trust`). With nothing believed, a store through a pointer or a call forgets all memory that it may reach, which is all but what provably lies elsewhere.
//! Such a bound assumes nothing. If there is none, the same is tried with beliefs, and the bound says which: that memory that the loop compares with is changed only
//! where the loop does it by the same way or through a field of the same kind, and that numbers do not overflow.
//!
//! *Sizes* (`measure.rs`). Where no expression over numbers bounds a loop, perhaps what it walks along does: the nodes of a list, the elements up to a zero, the rest of a
//! stream. Such a bound assumes that this has an end.

mod effects;
mod measure;
mod memory;
mod probe;
mod walk;

use crate::domain::{Outcome, Symbolic};
use crate::loops::{LoopKey, Loops};
use crate::value::Bool;
pub(crate) use effects::Writes;
use loupe_engine::semantics::Machine;
use loupe_integer::Integer;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::program::{LocalId, Program, TerminatorKind};
use loupe_ir::types::TypeId;
use loupe_loops::{End, Fresh, FreshKind, Loop, Path, Precision, Variable};
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term, Terms};
pub(crate) use measure::size;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use walk::{Run, Value, Walk};

/// What is believed without proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing.
    Nothing,
    /// Memory that the loop compares with is changed only where one sees it.
    Memory,
    /// And numbers do not overflow.
    Numbers,
    /// And nothing else leads to such memory: no other pointer, no call.
    Apart,
}

impl Trust {
    /// Whether numbers are believed not to overflow.
    fn believes_numbers(self) -> bool {
        matches!(self, Trust::Numbers | Trust::Apart)
    }

    /// What is assumed, in words.
    pub(crate) fn assumptions(self) -> Vec<String> {
        let memory = "what the loop compares with is not changed through pointers to things of other kinds, or by functions that are not there";
        let apart = "no other pointer and no call changes what the loop compares with";
        let numbers = "numbers do not overflow, what counts towards something by steps meets it, and what is multiplied is positive";
        match self {
            Trust::Nothing => Vec::new(),
            Trust::Memory => vec![memory.to_owned()],
            Trust::Numbers => vec![memory.to_owned(), numbers.to_owned()],
            Trust::Apart => vec![apart.to_owned(), numbers.to_owned()],
        }
    }
}

/// So many paths are kept apart.
const MOST_RUNS: usize = 48;
/// So many that agree in what is followed are kept apart by what holds on them, as behind `a || b`.
const MOST_AGREEING: usize = 3;
/// So often what the loop changes in memory is looked for.
const MOST_ROUNDS: usize = 6;

/// Where a value comes from that is new in every iteration.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// It is what stands at this address at the start of the iteration.
    Load(Term),
    /// A call of this function has returned it.
    Call(String),
}

/// A place in memory that is followed.
pub(crate) type Cell = (Term, TypeId);

/// A loop reduced to what decides when it is left.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Its paths back to the header; those that leave it are not described.
    pub(crate) problem: Loop,
    /// Names of symbols.
    pub(crate) names: BTreeMap<SymbolId, String>,
    /// Where new values come from.
    pub(crate) sources: BTreeMap<Term, Source>,
    /// The variables that are pointers, and the sizes of what they point to.
    pub(crate) pointers: BTreeMap<Term, u64>,
}

/// What is known of the flowgraph of a loop.
pub(crate) struct Ground<'p> {
    key: LoopKey,
    /// Which registers of its function are live where.
    liveness: Rc<Liveness<'p>>,
    /// Registers that conditions of exits depend on.
    followed: BTreeSet<LocalId>,
    /// Registers that the loop writes.
    written: BTreeSet<LocalId>,
    /// Variables in memory of the function to which there are pointers.
    exposed: BTreeSet<LocalId>,
    /// Variables in memory of the function whose addresses are in registers.
    handed: BTreeMap<LocalId, BTreeSet<LocalId>>,
}

impl<'p> Ground<'p> {
    pub(crate) fn new(
        program: &'p Program,
        loops: &Loops,
        key: LoopKey,
        liveness: Rc<Liveness<'p>>,
    ) -> Self {
        let exposed = effects::exposed_locals(program.function(key.0));
        let handed = effects::handed(program.function(key.0));
        let (followed, written) = effects::followed(program, loops, key);
        Ground { key, liveness, followed, written, exposed, handed }
    }
}

/// Makes outlines of the loops of a program.
pub(crate) struct Outliner<'o, 'p> {
    pub(crate) machine: &'o mut Machine<'p, Symbolic>,
    pub(crate) loops: &'o Loops,
    pub(crate) writes: &'o Writes,
    key: LoopKey,
    trust: Trust,
    ground: &'o Ground<'p>,
    /// Values at the header.
    header: BTreeMap<LocalId, Value>,
    cells: BTreeMap<Cell, Value>,
    /// Cells that iterations change.
    changing: BTreeSet<Cell>,
    /// What is loaded from elsewhere, before anything is stored.
    loads: BTreeMap<(Term, TypeId, u32), Value>,
    objects: BTreeMap<memory::Object, Term>,
    names: BTreeMap<SymbolId, String>,
    sources: BTreeMap<Term, Source>,
    /// Symbols that iterations change, or that are new in each.
    moving: BTreeSet<SymbolId>,
    pointees: BTreeMap<Term, u64>,
    versions: u32,
    /// What stores to cells look like.
    kinds: BTreeMap<Cell, effects::Kind>,
}

impl<'o, 'p> Outliner<'o, 'p> {
    pub(crate) fn new(
        machine: &'o mut Machine<'p, Symbolic>,
        loops: &'o Loops,
        writes: &'o Writes,
        ground: &'o Ground<'p>,
        trust: Trust,
    ) -> Self {
        Outliner {
            machine,
            loops,
            writes,
            key: ground.key,
            trust,
            ground,
            header: BTreeMap::new(),
            cells: BTreeMap::new(),
            changing: BTreeSet::new(),
            loads: BTreeMap::new(),
            objects: BTreeMap::new(),
            names: BTreeMap::new(),
            sources: BTreeMap::new(),
            moving: BTreeSet::new(),
            pointees: BTreeMap::new(),
            versions: 0,
            kinds: BTreeMap::new(),
        }
    }

    fn program(&self) -> &'p Program {
        self.machine.program
    }

    /// The outline; none where a cycle inside is entered at several places, or too much would have to be kept apart.
    pub(crate) fn outline(mut self) -> Outcome<Option<Outline>> {
        let forest = self.loops.of(self.key.0);
        if forest.irreducible_in(self.key.1).next().is_some() {
            return Ok(None);
        }
        for _ in 0..MOST_ROUNDS {
            let known = self.cells.len();
            let Some(ends) = Walk::new(&mut self).run()? else { return Ok(None) };
            let before = (self.changing.len(), known);
            for run in &ends {
                for (cell, value) in &run.cells {
                    if self.cells.get(cell) != Some(value) {
                        self.changing.insert(*cell);
                    }
                }
            }
            // Places that were met late were not looked after by stores before.
            if (self.changing.len(), self.cells.len()) == before {
                return Ok(Some(self.finish(ends)));
            }
            for cell in &self.changing {
                let value = self.cells.get(cell).copied();
                let symbol = value.and_then(|value| value.term());
                if let Some(symbol) = symbol.and_then(|term| self.symbol_of(term)) {
                    self.moving.insert(symbol);
                }
            }
            self.loads.clear();
        }
        Ok(None)
    }

    fn symbol_of(&self, term: Term) -> Option<SymbolId> {
        match self.machine.domain.terms.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    /// Whether a term is the same in all iterations.
    fn is_fixed(&self, term: Term) -> bool {
        let symbols = self.machine.domain.terms.free_symbols(term);
        symbols.is_disjoint(&self.moving)
    }

    /// A symbol for a value of a type; none if it is no number, truth value or address.
    fn symbol(&mut self, ty: TypeId, name: &str) -> Value {
        use loupe_ir::types::Type;
        let value = match self.program().types.get(ty) {
            Type::Int(int) => Value::Int(self.machine.domain.typed_symbol(name, *int)),
            Type::Bool => {
                let terms = &mut self.machine.domain.terms;
                Value::Bool(terms.fresh(name, Sort::Bool, Origin::default()))
            }
            Type::Pointer(target) => {
                let size = self.program().types.size_of(*target);
                let term = self.machine.domain.terms.int_symbol(name);
                self.pointees.insert(term, size);
                Value::Address(term)
            }
            Type::Function => Value::Address(self.machine.domain.terms.int_symbol(name)),
            _ => Value::Nothing,
        };
        if let Some(symbol) = value.term().and_then(|term| self.symbol_of(term)) {
            self.names.insert(symbol, name.to_owned());
        }
        value
    }

    /// A value that is new in every iteration.
    fn fresh(&mut self, ty: TypeId, name: &str, source: Option<Source>) -> Value {
        let value = self.symbol(ty, name);
        if let Some(term) = value.term() {
            self.moving.extend(self.symbol_of(term));
            if let Some(source) = source {
                self.sources.insert(term, source);
            }
        }
        value
    }

    /// The value of a register at the header.
    fn at_header(&mut self, local: LocalId) -> Value {
        if let Some(known) = self.header.get(&local) {
            return *known;
        }
        let own = self.program().function(self.key.0).local(local);
        let name = own.name.clone().unwrap_or_else(|| format!("t{}", local.0));
        let value = self.symbol(own.ty, &name);
        if self.ground.written.contains(&local)
            && let Some(symbol) = value.term().and_then(|term| self.symbol_of(term))
        {
            self.moving.insert(symbol);
        }
        self.header.insert(local, value);
        value
    }

    fn finish(mut self, ends: Vec<Run>) -> Outline {
        let mut symbols: Vec<(Term, Option<LocalId>, Option<Cell>)> = Vec::new();
        let header = self.loops.of(self.key.0).get(self.key.1).header;
        for (local, value) in &self.header {
            // What nobody reads at the header is no variable of the loop.
            let is_own = self.ground.written.contains(local)
                && self.ground.liveness.is_live_in(header, *local);
            if let (true, Some(term)) = (is_own, value.term()) {
                symbols.push((term, Some(*local), None));
            }
        }
        for cell in &self.changing {
            // What is elsewhere in every iteration is no variable.
            if !self.is_fixed(cell.0) {
                continue;
            }
            if let Some(term) = self.cells.get(cell).and_then(|value| value.term()) {
                symbols.push((term, None, Some(*cell)));
            }
        }
        let name = |term: Term| {
            let symbol = self.symbol_of(term);
            symbol.and_then(|symbol| self.names.get(&symbol)).cloned().unwrap_or_default()
        };
        let variables: Vec<Variable> = symbols
            .iter()
            .map(|(symbol, ..)| Variable { symbol: *symbol, name: name(*symbol) })
            .collect();
        let mut pointers = BTreeMap::new();
        for (symbol, ..) in &symbols {
            if let Some(size) = self.pointees.get(symbol) {
                pointers.insert(*symbol, *size);
            }
        }
        let mut paths = Vec::new();
        for run in ends {
            let mut updates = Vec::new();
            for (symbol, local, cell) in &symbols {
                let value = match (local, cell) {
                    (Some(local), _) => run.registers.get(local).copied(),
                    (None, Some(cell)) => run.cells.get(cell).copied(),
                    (None, None) => None,
                };
                // What was not touched is as it was.
                let after = match value {
                    None => Some(*symbol),
                    Some(value) => value.term(),
                };
                let sort = self.machine.domain.terms.sort(*symbol);
                let after = after.filter(|after| self.machine.domain.terms.sort(*after) == sort);
                updates.push(after.unwrap_or_else(|| {
                    let symbol = self.machine.domain.terms.fresh("any", sort, Origin::default());
                    self.moving.extend(self.symbol_of(symbol));
                    symbol
                }));
            }
            let guard = self.machine.domain.terms.and(run.guard.iter().copied());
            paths.push((guard, updates));
        }
        if self.trust.believes_numbers() {
            self.believe_hits(
                &symbols.iter().map(|(symbol, ..)| *symbol).collect::<Vec<_>>(),
                &mut paths,
            );
        }
        let own: BTreeSet<SymbolId> =
            symbols.iter().filter_map(|(symbol, ..)| self.symbol_of(*symbol)).collect();
        let mut facts = Vec::new();
        let mut all = Vec::new();
        let mut seen = BTreeSet::new();
        for (guard, updates) in paths {
            let domain = &mut self.machine.domain;
            let mut fresh = Vec::new();
            let mut here: BTreeSet<SymbolId> = domain.terms.free_symbols(guard);
            for update in &updates {
                here.extend(domain.terms.free_symbols(*update));
            }
            for symbol in here {
                let term = domain.terms.symbol_term(symbol);
                if self.moving.contains(&symbol) && !own.contains(&symbol) {
                    fresh.push(Fresh { symbol: term, kind: FreshKind::Input });
                }
                if seen.insert(symbol)
                    && let Some(ty) = domain.type_of_symbol(term)
                {
                    facts.extend(domain.range_conditions(ty, term));
                }
            }
            all.push(Path {
                guard,
                updates,
                fresh,
                end: End::Again,
                precision: Precision::Over,
                label: String::new(),
            });
        }
        for symbol in own {
            let domain = &mut self.machine.domain;
            let term = domain.terms.symbol_term(symbol);
            if seen.insert(symbol)
                && let Some(ty) = domain.type_of_symbol(term)
            {
                facts.extend(domain.range_conditions(ty, term));
            }
        }
        let problem = Loop { variables, paths: all, facts, exits: 0, ..Loop::default() };
        let Outliner { names, sources, .. } = self;
        Outline { problem, names, sources, pointers }
    }

    /// What is compared by `≠` and goes one way is believed to come from the other side, and to hit; what is multiplied by a constant, to be positive.
    fn believe_hits(&mut self, symbols: &[Term], paths: &mut [(Term, Vec<Term>)]) {
        let ids: Vec<Option<SymbolId>> =
            symbols.iter().map(|symbol| self.symbol_of(*symbol)).collect();
        let steps: Vec<Substitution> = paths
            .iter()
            .map(|(_, updates)| {
                let pairs = ids.iter().zip(updates);
                pairs.filter_map(|(id, update)| Some(((*id)?, *update))).collect()
            })
            .collect();
        let terms = &mut self.machine.domain.terms;
        for (number, symbol) in symbols.iter().enumerate() {
            let growth = |update: Term, terms: &mut Terms| {
                (2..=16).any(|factor: i64| terms.scale(*symbol, &Integer::from(factor)) == update)
            };
            if terms.sort(*symbol) != Sort::Int {
                continue;
            }
            let updates: Vec<Term> = paths.iter().map(|(_, updates)| updates[number]).collect();
            let grows: Vec<bool> = updates.iter().map(|update| growth(*update, terms)).collect();
            let stays =
                updates.iter().zip(&grows).all(|(update, grows)| *grows || update == symbol);
            if stays && grows.contains(&true) {
                let one = terms.int(1);
                let positive = terms.le(one, *symbol);
                for (guard, _) in paths.iter_mut() {
                    *guard = terms.and([*guard, positive]);
                }
            }
        }
        for number in 0..paths.len() {
            let guard = paths[number].0;
            let literals = match terms.node(guard).clone() {
                Node::And(parts) => parts.to_vec(),
                _ => vec![guard],
            };
            for literal in literals {
                let Node::Not(inner) = *terms.node(literal) else { continue };
                let Node::Zero(compared) = *terms.node(inner) else { continue };
                let mut changes = Vec::with_capacity(steps.len());
                for step in &steps {
                    let after = terms.substitute(compared, step);
                    let change = terms.sub(after, compared);
                    changes.push(terms.as_int(change).cloned());
                }
                let Some(changes) = changes.into_iter().collect::<Option<Vec<_>>>() else {
                    continue;
                };
                if changes.iter().all(Integer::is_zero) {
                    continue;
                }
                let one = terms.int(1);
                let side = if changes.iter().all(|change| *change <= Integer::ZERO) {
                    terms.le(one, compared)
                } else if changes.iter().all(|change| *change >= Integer::ZERO) {
                    let opposite = terms.neg(compared);
                    terms.le(one, opposite)
                } else {
                    continue;
                };
                paths[number].0 = terms.and([paths[number].0, side]);
            }
        }
    }

    /// The condition of a truth value, and its opposite.
    fn sides(&mut self, condition: Term) -> [Bool; 2] {
        let terms = &mut self.machine.domain.terms;
        let opposite = terms.not(condition);
        [condition, opposite].map(|term| self.machine.domain.truth_of(term))
    }
}

/// Whether a branch decides about leaving a loop: the operands that do.
fn leaves(kind: &TerminatorKind, is_inside: impl Fn(loupe_ir::program::BlockId) -> bool) -> bool {
    kind.successors().any(|next| !is_inside(next))
}
