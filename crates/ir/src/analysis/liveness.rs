//! Which registers are live.
//!
//! A register is *live* at a place if some path from there reads it before it is written or declared
//! anew (Aho, Lam, Sethi and Ullman, *Compilers*, 2nd edition, section 9.2.5). To ask whether a
//! register has been initialised is to read it. Memory locals are left out, for pointers read and
//! write them.

use super::dataflow::{self, Analysis, Direction};
use super::graph::FlowGraph;
use super::location::{Location, Step, steps};
use super::registers::{Exposed, RegisterAccess, visit_registers};
use crate::program::{BlockId, Function, LocalId};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// The live registers of a function. In blocks that cannot be reached from the entry, only what
/// the same block reads is live.
#[derive(Clone, Debug)]
pub struct Liveness<'f> {
    function: &'f Function,
    exposed: Exposed,
    starts: Vec<FixedBitSet>,
    ends: Vec<FixedBitSet>,
}

impl<'f> Liveness<'f> {
    /// The live registers of `function`, whose graph is `graph`.
    pub fn new(function: &'f Function, graph: &FlowGraph) -> Self {
        let exposed = Exposed::new(function);
        let problem = Problem { function, exposed: &exposed };
        let ends = dataflow::solve(&problem, function, graph);
        let mut starts = ends.clone();
        for (block, fact) in (0..).map(BlockId).zip(&mut starts) {
            dataflow::transfer_block(&problem, function, block, fact);
        }
        Liveness { function, exposed, starts, ends }
    }

    /// Whether `register` is live at the start of `block`.
    pub fn is_live_in(&self, block: BlockId, register: LocalId) -> bool {
        self.contains(&self.starts[block.index()], register)
    }

    /// Whether `register` is live at the end of `block`, behind its terminator.
    pub fn is_live_out(&self, block: BlockId, register: LocalId) -> bool {
        self.contains(&self.ends[block.index()], register)
    }

    /// The registers that are live at the start of `block`, by number.
    pub fn live_in(&self, block: BlockId) -> impl Iterator<Item = LocalId> + '_ {
        self.starts[block.index()].ones().map(|number| self.exposed.register(number))
    }

    /// The registers that are live at the end of `block`, by number.
    pub fn live_out(&self, block: BlockId) -> impl Iterator<Item = LocalId> + '_ {
        self.ends[block.index()].ones().map(|number| self.exposed.register(number))
    }

    /// The registers that are live before the step at `location`. This walks back from the end of
    /// the block; [`walk_back`](Self::walk_back) gives the sets of a whole block in one walk.
    pub fn live_before(&self, location: Location) -> BTreeSet<LocalId> {
        let mut live = self.live_out(location.block).collect();
        for (place, step) in steps(self.function, location.block).rev() {
            if place < location {
                break;
            }
            self.step_back(step, &mut live);
        }
        live
    }

    /// Calls `visit` for every step of `block`, the last first, with the registers that are live
    /// behind it.
    pub fn walk_back(
        &self,
        block: BlockId,
        mut visit: impl FnMut(Location, Step<'f>, &BTreeSet<LocalId>),
    ) {
        let mut live = self.live_out(block).collect();
        for (location, step) in steps(self.function, block).rev() {
            visit(location, step, &live);
            self.step_back(step, &mut live);
        }
    }

    fn step_back(&self, step: Step<'_>, live: &mut BTreeSet<LocalId>) {
        let effect = Effect::of(self.function, step);
        for register in &effect.written {
            live.remove(register);
        }
        live.extend(effect.read);
    }

    fn contains(&self, set: &FixedBitSet, register: LocalId) -> bool {
        self.exposed.number(register).is_some_and(|number| set.contains(number))
    }
}

struct Problem<'f> {
    function: &'f Function,
    exposed: &'f Exposed,
}

impl Analysis for Problem<'_> {
    type Fact = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.exposed.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.bottom()
    }

    fn join(&self, into: &mut FixedBitSet, from: &FixedBitSet) -> bool {
        dataflow::unite(into, from)
    }

    fn transfer(&self, _: Location, step: Step<'_>, live: &mut FixedBitSet) {
        let effect = Effect::of(self.function, step);
        for number in effect.written.iter().filter_map(|local| self.exposed.number(*local)) {
            live.remove(number);
        }
        for number in effect.read.iter().filter_map(|local| self.exposed.number(*local)) {
            live.insert(number);
        }
    }
}

/// The registers that a step writes and reads. Backward, the writes come first.
#[derive(Default)]
struct Effect {
    written: Vec<LocalId>,
    read: Vec<LocalId>,
}

impl Effect {
    fn of(function: &Function, step: Step<'_>) -> Self {
        let mut effect = Effect::default();
        visit_registers(function, step, &mut |access| match access {
            RegisterAccess::Read(local) | RegisterAccess::Update(local) => effect.read.push(local),
            RegisterAccess::Write(local) | RegisterAccess::Clear(local) => {
                effect.written.push(local);
            }
        });
        effect
    }
}

#[cfg(test)]
mod tests;
