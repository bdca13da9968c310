//! Terms that go from one arena to another, as between threads.
//!
//! [`Terms::export`] gives plain data, [`Terms::import`] builds the terms anew. Which symbols and
//! functions of the two arenas are the same is kept in a [`Mapping`], which lives as long as the
//! exchange: a symbol that has come once is the same symbol when it comes again.

use crate::arena::{ArenaId, Function, Symbol, Terms};
use crate::misuse::Misuse;
use crate::node::{FunctionId, Node, SymbolId, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms without an arena.
#[derive(Clone, Debug)]
pub struct Portable {
    source: ArenaId,
    /// Parts before wholes, with the numbers that they have at home.
    nodes: Vec<(Term, Node)>,
    symbols: Vec<(SymbolId, Symbol)>,
    functions: Vec<(FunctionId, Function)>,
    roots: Vec<Term>,
}

impl Portable {
    /// The arena that the terms come from.
    pub fn source(&self) -> &ArenaId {
        &self.source
    }

    /// The symbols that occur, in ascending order.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().map(|(id, symbol)| (*id, symbol))
    }

    /// The functions that occur, in ascending order.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.functions.iter().map(|(id, function)| (*id, function))
    }

    /// How many different terms there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }
}

/// Which symbols and functions of other arenas are which of one arena.
#[derive(Clone, Debug)]
pub struct Mapping {
    target: ArenaId,
    sources: Vec<(ArenaId, Correspondence)>,
}

#[derive(Clone, Debug, Default)]
struct Correspondence {
    symbols: FxHashMap<SymbolId, SymbolId>,
    functions: FxHashMap<FunctionId, FunctionId>,
}

impl Mapping {
    /// A mapping into an arena, in which nothing corresponds yet.
    pub fn into_arena(terms: &Terms) -> Self {
        Mapping { target: terms.identity(), sources: Vec::new() }
    }

    /// Says that a symbol of another arena is one of this.
    pub fn same_symbol(&mut self, source: &ArenaId, theirs: SymbolId, ours: SymbolId) {
        self.from(source).symbols.insert(theirs, ours);
    }

    /// Says that a function of another arena is one of this.
    pub fn same_function(&mut self, source: &ArenaId, theirs: FunctionId, ours: FunctionId) {
        self.from(source).functions.insert(theirs, ours);
    }

    /// The symbol of this arena that a symbol of another is, if it has come or has been said.
    pub fn symbol(&self, source: &ArenaId, theirs: SymbolId) -> Option<SymbolId> {
        let (_, known) = self.sources.iter().find(|(id, _)| id == source)?;
        known.symbols.get(&theirs).copied()
    }

    /// The function of this arena that a function of another is, if it has come or has been said.
    pub fn function(&self, source: &ArenaId, theirs: FunctionId) -> Option<FunctionId> {
        let (_, known) = self.sources.iter().find(|(id, _)| id == source)?;
        known.functions.get(&theirs).copied()
    }

    fn from(&mut self, source: &ArenaId) -> &mut Correspondence {
        let known = self.sources.iter().position(|(id, _)| id == source);
        let at = known.unwrap_or_else(|| {
            self.sources.push((source.clone(), Correspondence::default()));
            self.sources.len() - 1
        });
        &mut self.sources[at].1
    }
}

impl Terms {
    /// The terms as data. A term of another arena, as far as that can be seen, goes as ★.
    pub fn export(&self, roots: &[Term]) -> Portable {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        for root in roots {
            self.post_order_into(*root, &mut seen, &mut order);
        }
        let (mut symbols, mut functions) = (Vec::new(), Vec::new());
        for term in &order {
            match self.node(*term) {
                Node::Symbol(id) => symbols.push(*id),
                Node::Apply(id, _) => functions.push(*id),
                _ => {}
            }
        }
        symbols.sort_unstable();
        functions.sort_unstable();
        functions.dedup();
        Portable {
            source: self.identity(),
            nodes: order.into_iter().map(|term| (term, self.node(term).clone())).collect(),
            symbols: symbols.into_iter().map(|id| (id, self.symbol(id).clone())).collect(),
            functions: functions
                .into_iter()
                .map(|id| (id, self.function_info(id).clone()))
                .collect(),
            roots: roots.to_vec(),
        }
    }

    /// The terms, built anew in this arena. Symbols and functions that the mapping does not know yet
    /// become new ones, and it knows them from then on.
    ///
    /// # Errors
    ///
    /// If the mapping is one into another arena, or says that symbols of different sorts or
    /// functions of different arities are the same.
    pub fn import(
        &mut self,
        portable: &Portable,
        mapping: &mut Mapping,
    ) -> Result<Vec<Term>, Misuse> {
        if mapping.target != self.identity() {
            return Err(Misuse::Foreign);
        }
        let known = mapping.from(&portable.source);
        self.import_names(portable, known)?;
        let height = portable.nodes.iter().map(|(_, node)| match node {
            Node::Lambda(binder, _) | Node::Quantified(_, binder, _) => binder.0,
            _ => 0,
        });
        let scope = self.enter(height.max().unwrap_or(0));
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for (theirs, node) in &portable.nodes {
            let part = |old: Term| new.get(&old).copied().unwrap_or(old);
            let ours = match node {
                Node::Bool(_) | Node::Int(_) | Node::Star(_) => self.intern(node.clone()),
                Node::Symbol(id) => {
                    let id = *known.symbols.get(id).ok_or(Misuse::Foreign)?;
                    self.intern(Node::Symbol(id))
                }
                Node::Apply(id, arguments) => {
                    let id = *known.functions.get(id).ok_or(Misuse::Foreign)?;
                    self.make(Node::Apply(id, arguments.iter().map(|old| part(*old)).collect()))
                }
                Node::Bound(_) => {
                    let as_it_is = self.intern(node.clone());
                    self.rebuild_node(as_it_is, node.clone(), &scope, part)
                }
                node => self.rebuild_node(*theirs, node.clone(), &scope, part),
            };
            new.insert(*theirs, ours);
        }
        self.leave(scope);
        let ours = |root| new.get(root).copied().ok_or(Misuse::Foreign);
        portable.roots.iter().map(ours).collect()
    }

    /// Makes what is missing and checks what is there, before anything is built.
    fn import_names(
        &mut self,
        portable: &Portable,
        known: &mut Correspondence,
    ) -> Result<(), Misuse> {
        for (theirs, symbol) in &portable.symbols {
            match known.symbols.get(theirs) {
                Some(ours) => {
                    let ours = self.own_symbol(*ours).ok_or(Misuse::Foreign)?;
                    if ours.sort != symbol.sort {
                        return Err(Misuse::Sort { needed: symbol.sort, found: ours.sort });
                    }
                }
                None => {
                    let term = self.fresh(&symbol.name, symbol.sort, symbol.origin.clone());
                    if let Node::Symbol(ours) = self.node(term) {
                        known.symbols.insert(*theirs, *ours);
                    }
                }
            }
        }
        for (theirs, function) in &portable.functions {
            match known.functions.get(theirs) {
                Some(ours) => {
                    let ours = self.own_function(*ours).ok_or(Misuse::Foreign)?;
                    if ours.arity != function.arity {
                        let (needed, found) = (function.arity, ours.arity);
                        return Err(Misuse::Arity { needed, found });
                    }
                }
                None => {
                    let ours = self.function(&function.name, function.arity);
                    known.functions.insert(*theirs, ours);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
