//! Which definitions of a register may reach a use, and the other way round.
//!
//! The definitions of a register are the steps that write it and its value at the entry of the
//! function: the argument, or nothing yet. A declaration defines it too, namely to hold no value. A
//! write to a part of a register is a use of the old value and a definition of the new one. Memory
//! locals are left out: pointers define and use them without a name.
//!
//! The classical problem of reaching definitions (Aho, Lam, Sethi and Ullman, *Compilers*, 2nd
//! edition, section 9.2.4), restricted to registers that outlive a block and to the last definition
//! of each in a block; the rest is seen in the block itself. It takes one bit per block and such
//! definition.

use super::dataflow::{self, Analysis, Direction};
use super::graph::FlowGraph;
use super::location::{Location, Step, steps};
use super::registers::{Exposed, visit_registers};
use crate::program::{Function, LocalId};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Where a register gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Definition {
    /// At the entry of the function.
    Entry,
    /// By this step.
    At(Location),
}

/// The definitions of every use of a register, and the uses of every definition. A use in a block
/// that cannot be reached from the entry has only definitions in the same block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseDef {
    definitions: BTreeMap<(Location, LocalId), Vec<Definition>>,
    uses: BTreeMap<(LocalId, Definition), Vec<Location>>,
}

impl UseDef {
    /// The chains of `function`, whose graph is `graph`.
    pub fn new(function: &Function, graph: &FlowGraph) -> Self {
        let problem = Problem::new(function);
        let starts = dataflow::solve(&problem, function, graph);
        let mut chains = UseDef { definitions: BTreeMap::new(), uses: BTreeMap::new() };
        let mut last: Vec<Option<Location>> = vec![None; function.locals.len()];
        for (block, _) in function.blocks() {
            for (location, step) in steps(function, block) {
                let access = Accesses::of(function, step);
                for register in access.used {
                    let definitions = match last[register.index()] {
                        Some(inside) if inside.block == block => vec![Definition::At(inside)],
                        _ => problem.definitions(&starts[block.index()], register),
                    };
                    chains.add(location, register, definitions);
                }
                for register in access.defined {
                    last[register.index()] = Some(location);
                }
            }
        }
        chains
    }

    /// The definitions of `register` that may reach the step at `location`, which uses it, in
    /// order; none if it does not use it.
    pub fn definitions(&self, location: Location, register: LocalId) -> &[Definition] {
        self.definitions.get(&(location, register)).map_or(&[], Vec::as_slice)
    }

    /// The steps that may use the value that `register` gets at `definition`, in order.
    pub fn uses(&self, register: LocalId, definition: Definition) -> &[Location] {
        self.uses.get(&(register, definition)).map_or(&[], Vec::as_slice)
    }

    /// All uses with their definitions, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Location, LocalId, &[Definition])> {
        self.definitions.iter().map(|((location, register), definitions)| {
            (*location, *register, definitions.as_slice())
        })
    }

    fn add(&mut self, location: Location, register: LocalId, definitions: Vec<Definition>) {
        for definition in &definitions {
            self.uses.entry((register, *definition)).or_default().push(location);
        }
        self.definitions.insert((location, register), definitions);
    }
}

/// The registers that a step uses and defines, each once.
#[derive(Default)]
struct Accesses {
    used: BTreeSet<LocalId>,
    defined: BTreeSet<LocalId>,
}

impl Accesses {
    fn of(function: &Function, step: Step<'_>) -> Self {
        let mut all = Accesses::default();
        visit_registers(function, step, &mut |access| {
            if access.reads() {
                all.used.insert(access.register());
            }
            if access.writes() {
                all.defined.insert(access.register());
            }
        });
        all
    }
}

/// Facts are sets of numbers of definitions.
struct Problem<'f> {
    function: &'f Function,
    exposed: Exposed,
    /// The definitions that reach the end of their block, register by register, each time with the
    /// entry of the function first.
    definitions: Vec<Definition>,
    /// Where a register's definitions stand in that list, by its number.
    ranges: Vec<Range<usize>>,
}

impl<'f> Problem<'f> {
    fn new(function: &'f Function) -> Self {
        let exposed = Exposed::new(function);
        let mut found: Vec<Vec<Location>> = vec![Vec::new(); exposed.len()];
        for (block, _) in function.blocks() {
            for (location, step) in steps(function, block) {
                for register in Accesses::of(function, step).defined {
                    if let Some(number) = exposed.number(register) {
                        let list = &mut found[number];
                        list.pop_if(|last| last.block == block);
                        list.push(location);
                    }
                }
            }
        }
        let mut definitions = Vec::new();
        let mut ranges = Vec::with_capacity(found.len());
        for list in found {
            let first = definitions.len();
            definitions.push(Definition::Entry);
            definitions.extend(list.into_iter().map(Definition::At));
            ranges.push(first..definitions.len());
        }
        Problem { function, exposed, definitions, ranges }
    }

    /// The definitions of `register` among `fact`.
    fn definitions(&self, fact: &FixedBitSet, register: LocalId) -> Vec<Definition> {
        let Some(number) = self.exposed.number(register) else { return Vec::new() };
        let range = self.ranges[number].clone();
        range.filter(|index| fact.contains(*index)).map(|index| self.definitions[index]).collect()
    }
}

impl Analysis for Problem<'_> {
    type Fact = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.definitions.len())
    }

    fn boundary(&self) -> FixedBitSet {
        let mut entry = self.bottom();
        entry.extend(self.ranges.iter().map(|range| range.start));
        entry
    }

    fn join(&self, into: &mut FixedBitSet, from: &FixedBitSet) -> bool {
        dataflow::unite(into, from)
    }

    fn transfer(&self, location: Location, step: Step<'_>, fact: &mut FixedBitSet) {
        for register in Accesses::of(self.function, step).defined {
            let Some(number) = self.exposed.number(register) else { continue };
            let range = self.ranges[number].clone();
            fact.remove_range(range.clone());
            let this = Definition::At(location);
            // A definition that another one follows in its block has no number.
            if let Ok(index) = self.definitions[range.clone()].binary_search(&this) {
                fact.insert(range.start + index);
            }
        }
    }
}

#[cfg(test)]
mod tests;
