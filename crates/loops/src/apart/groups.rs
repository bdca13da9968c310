//! Which variables have something to do with each other.

use crate::logic::Logic;
use crate::problem::Loop;
use loupe_term::{SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Whether iterations change a variable at all. What they do not change is no part of anything.
pub(super) fn changes(problem: &Loop, variable: usize) -> bool {
    let symbol = problem.variables[variable].symbol;
    problem.iterations().any(|(_, path)| path.updates[variable] != symbol)
}

/// Which variables, of those that change, the updates of each variable read.
pub(super) struct Reads {
    pub(super) numbers: BTreeMap<SymbolId, usize>,
    by: Vec<BTreeSet<usize>>,
}

impl Reads {
    pub(super) fn of(logic: &Logic<'_>, problem: &Loop) -> Option<Self> {
        let mut reads = Reads { numbers: BTreeMap::new(), by: Vec::new() };
        for (number, variable) in problem.variables.iter().enumerate() {
            let symbol = logic.symbol_of(variable.symbol)?;
            if changes(problem, number) {
                reads.numbers.insert(symbol, number);
            }
        }
        for variable in 0..problem.variables.len() {
            let updates = problem.iterations().map(|(_, path)| path.updates[variable]);
            let read = updates.flat_map(|update| reads.in_term(logic, update)).collect();
            reads.by.push(read);
        }
        Some(reads)
    }

    pub(super) fn in_term(&self, logic: &Logic<'_>, term: Term) -> BTreeSet<usize> {
        let free = logic.terms.free_symbols(term);
        free.iter().filter_map(|symbol| self.numbers.get(symbol)).copied().collect()
    }

    /// With all that they depend on.
    pub(super) fn closed(&self, mut variables: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut open: Vec<usize> = variables.iter().copied().collect();
        while let Some(variable) = open.pop() {
            for read in &self.by[variable] {
                if variables.insert(*read) {
                    open.push(*read);
                }
            }
        }
        variables
    }
}

/// Variables that depend on each other. The last number stands for conditions on the core alone, by which paths differ.
pub(super) struct Groups<'g> {
    pub(super) parents: Vec<usize>,
    pub(super) core: &'g BTreeSet<usize>,
    /// For each iteration path, the conditions that not all share, with the variables in each.
    pub(super) conditions: Vec<Vec<(Term, BTreeSet<usize>)>>,
}

impl Groups<'_> {
    pub(super) fn root(&self, mut of: usize) -> usize {
        while self.parents[of] != of {
            of = self.parents[of];
        }
        of
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// The group of a condition.
    fn of_condition(&self, variables: &BTreeSet<usize>) -> usize {
        let own = variables.iter().find(|variable| !self.core.contains(variable));
        self.root(own.copied().unwrap_or(self.parents.len() - 1))
    }

    /// Variables that are read together belong together.
    pub(super) fn join(&mut self, reads: &Reads) {
        let conditions = self.conditions.iter().flatten().map(|(_, variables)| variables.clone());
        let updates = reads.by.iter().enumerate().map(|(own, read)| {
            let own = BTreeSet::from([own]);
            &own | read
        });
        for together in conditions.chain(updates).collect::<Vec<_>>() {
            let mut own = together.iter().filter(|variable| !self.core.contains(variable));
            if let Some(first) = own.next() {
                own.for_each(|other| self.unite(*first, *other));
            }
        }
    }

    /// What a path says of some groups.
    pub(super) fn key(&self, path: usize, groups: &[usize]) -> BTreeSet<Term> {
        let own = self.conditions[path].iter();
        own.filter(|(_, variables)| groups.contains(&self.of_condition(variables)))
            .map(|(condition, _)| *condition)
            .collect()
    }

    /// Whether what paths say of some groups determines a variable's update.
    fn is_determined(&self, groups: &[usize], updates: &[Term]) -> bool {
        let mut known: BTreeMap<BTreeSet<Term>, Term> = BTreeMap::new();
        updates.iter().enumerate().all(|(path, update)| {
            *known.entry(self.key(path, groups)).or_insert(*update) == *update
        })
    }

    /// Unites a variable with the groups that determine its update: with as few as possible.
    pub(super) fn determine(&mut self, variable: usize, updates: &[Term]) -> Option<()> {
        let own = self.root(variable);
        if self.is_determined(&[own], updates) {
            return Some(());
        }
        let all: BTreeSet<usize> = self
            .conditions
            .iter()
            .flatten()
            .map(|(_, variables)| self.of_condition(variables))
            .collect();
        if let Some(one) = all.iter().find(|other| self.is_determined(&[own, **other], updates)) {
            self.unite(own, *one);
            return Some(());
        }
        let everything: Vec<usize> = all.iter().copied().chain([own]).collect();
        if !self.is_determined(&everything, updates) {
            return None;
        }
        all.iter().for_each(|other| self.unite(own, *other));
        Some(())
    }
}
