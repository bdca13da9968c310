//! Whether allocated memory is lost.
//!
//! An allocated object is *tracked* if pointers lead to it, into whatever part of it, from variables: global ones, those in memory that live, and registers. What no pointer
//! leads to can never be given back, so it stays lost, and a look at the end of an execution finds all that was lost on the way.
//!
//! A register has no end: behind the scope of its variable it still holds what it held, and behind a loop that was passed by a summary it may hold
//! something else than the variable. So only those that are live are sure to be variables with these values; what only others with names lead to has no model (front ends
//! put variables into memory where that matters), and neither has an object whose address was made a number, since that number may be all that the program knows of it.

use super::Machine;
use crate::domain::{Domain, Targets};
use crate::state::{Frame, State};
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::analysis::location::Location;
use loupe_ir::check::Calls;
use loupe_ir::program::{LocalId, Storage};
use std::collections::BTreeSet;

impl<D: Domain> Machine<'_, D> {
    /// Whether pointers lead to all allocated objects that live.
    ///
    /// # Errors
    ///
    /// If that cannot be told.
    pub fn tracked(&mut self, state: &State<D>, calls: Calls) -> Result<D::Bool, D::Halt> {
        let allocated = self.domain.allocated(&state.memory);
        if allocated.is_empty() {
            return Ok(self.domain.bool(true));
        }
        let roots = self.roots(state, calls);
        let known = self.reached(state, roots.sure.clone(), Only::Sure);
        let others = || allocated.iter().filter(|object| !known.contains(object));
        if others().next().is_none() {
            return Ok(self.domain.bool(true));
        }
        let numbered = others().filter(|object| self.domain.has_address(&state.memory, **object));
        let all = roots.sure.into_iter().chain(roots.perhaps).chain(numbered.copied()).collect();
        let possible = self.reached(state, all, Only::Possible);
        match others().all(|object| possible.contains(object)) {
            // One that is lost for certain is enough.
            false => Ok(self.domain.bool(false)),
            true => {
                Err(D::not_modelled("whether the program still knows where allocated memory is"))
            }
        }
    }

    /// The objects that variables are and that registers point to.
    fn roots(&mut self, state: &State<D>, calls: Calls) -> Targets {
        let mut roots = Targets { sure: self.domain.variables(&state.memory), perhaps: Vec::new() };
        // The register that gets the result of the call above has no value until then.
        let mut awaited: Option<LocalId> = None;
        for (level, frame) in state.calls().enumerate() {
            if level == 0 && calls == Calls::Outer {
                let own = self.own_objects(frame);
                roots.sure.retain(|object| !own.contains(object));
            } else {
                self.add_registers(frame, awaited, &mut roots);
            }
            awaited = frame.target;
        }
        roots
    }

    /// The objects that end when a call returns.
    fn own_objects(&self, frame: &Frame<D>) -> BTreeSet<u32> {
        let function = self.program.function(frame.function);
        let in_memory = function.locals().zip(&frame.locals);
        let in_memory = in_memory.filter(|((_, local), _)| local.storage != Storage::Register);
        let mut own = Targets::default();
        in_memory.for_each(|(_, value)| self.domain.targets_of(value, &mut own));
        let stack = frame.stack.iter().filter_map(|pointer| self.domain.object_of(pointer));
        own.sure.into_iter().chain(stack).collect()
    }

    fn add_registers(&mut self, frame: &Frame<D>, awaited: Option<LocalId>, roots: &mut Targets) {
        let function = self.program.function(frame.function);
        let liveness = self.liveness.entry(frame.function);
        let liveness =
            liveness.or_insert_with(|| Liveness::new(function, &FlowGraph::new(function)));
        let live = liveness.live_before(Location::new(frame.block, frame.next as u32));
        for ((id, local), value) in function.locals().zip(&frame.locals) {
            // What a variable in memory is, is among the objects.
            if local.storage != Storage::Register {
                continue;
            }
            let mut found = Targets::default();
            self.domain.targets_of(value, &mut found);
            let is_sure = live.contains(&id) && Some(id) != awaited;
            if is_sure {
                roots.sure.append(&mut found.sure);
            }
            // What has no name and is not live is no variable of the program.
            if is_sure || local.name.is_some() {
                roots.perhaps.extend(found.sure.into_iter().chain(found.perhaps));
            }
        }
    }

    /// The objects that pointers lead to from these.
    fn reached(&self, state: &State<D>, mut open: Vec<u32>, only: Only) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        while let Some(object) = open.pop() {
            if reached.insert(object) {
                let mut found = Targets::default();
                self.domain.targets_in(&state.memory, object, &mut found);
                open.extend(found.sure);
                if only == Only::Possible {
                    open.extend(found.perhaps);
                }
            }
        }
        reached
    }
}

/// Which pointers are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    /// Those that are there for certain.
    Sure,
    /// All that may be there.
    Possible,
}
