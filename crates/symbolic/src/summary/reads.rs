//! What the iterations of a loop read and do not change: who goes over iterations must find the same there.

use crate::domain::Symbolic;
use crate::loops::{LoopKey, Loops};
use crate::value::Int;
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::analysis::location::steps;
use loupe_ir::analysis::uses::{Access, visit_accesses};
use loupe_ir::program::{
    Base, BlockId, Const, Function, FunctionId, InstructionKind, LocalId, Operand, Place,
    Projection, Storage,
};
use std::collections::BTreeSet;

/// What the iterations of a loop read, as far as it can be looked up at the header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// Places in memory, and the numbers there at entry.
    pub(crate) places: Vec<(Place, Int)>,
    /// Registers of the function.
    pub(crate) registers: BTreeSet<LocalId>,
}

impl Reads {
    /// What the iterations from a state on read; none if they go through pointers, or read something else than numbers.
    pub(super) fn new(
        machine: &mut Machine<'_, Symbolic>,
        loops: &Loops,
        key: LoopKey,
        state: &State<Symbolic>,
    ) -> Option<Self> {
        let program = machine.program;
        let mut scan = Scan::default();
        let function = program.function(key.0);
        for block in loops.of(key.0).blocks(key.1) {
            scan.block(function, *block, Whose::Loop)?;
        }
        let mut seen = BTreeSet::new();
        while let Some(callee) = scan.calls.pop() {
            if seen.insert(callee) {
                let function = program.function(callee);
                for (block, _) in function.blocks() {
                    scan.block(function, block, Whose::Callee)?;
                }
            }
        }
        // To look at memory may change what is known of it.
        let mut state = state.clone();
        let mut places: Vec<(Place, Int)> = Vec::new();
        for place in scan.places {
            if places.iter().any(|(known, _)| *known == place) {
                continue;
            }
            let Ok(Value::Int(value)) = machine.load(&mut state, function, &place) else {
                return None;
            };
            places.push((place, value));
        }
        Some(Reads { places, registers: scan.registers })
    }
}

/// Whose code it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Loop,
    Callee,
}

#[derive(Default)]
struct Scan {
    places: Vec<Place>,
    registers: BTreeSet<LocalId>,
    calls: Vec<FunctionId>,
}

impl Scan {
    /// What a block reads; none if it cannot be looked up.
    fn block(&mut self, function: &Function, block: BlockId, whose: Whose) -> Option<()> {
        for instruction in &function.block(block).instructions {
            if let InstructionKind::Call { callee, .. } = &instruction.kind {
                let Operand::Const(Const::Function(callee)) = callee else { return None };
                self.calls.push(*callee);
            }
        }
        let mut is_known = true;
        for (_, step) in steps(function, block) {
            visit_accesses(step, &mut |access| match access {
                Access::Read(Operand::Local(local)) if whose == Whose::Loop => {
                    self.registers.insert(*local);
                }
                Access::Load(place) | Access::Probe(place) => {
                    is_known &= self.place(function, place, whose);
                }
                Access::LoadRange | Access::Examine => is_known = false,
                _ => {}
            });
        }
        is_known.then_some(())
    }

    /// Whether a place is the same wherever it is looked at.
    fn place(&mut self, function: &Function, place: &Place, whose: Whose) -> bool {
        let is_fixed = place.projections.iter().all(|projection| match projection {
            Projection::Field(_) => true,
            Projection::Index(index) => matches!(index, Operand::Const(_)),
            _ => false,
        });
        match place.base {
            Base::Local(local) if function.local(local).storage == Storage::Register => {
                if whose == Whose::Loop {
                    self.registers.insert(local);
                }
                place.projections.is_empty()
            }
            // Each call has its own.
            Base::Local(_) if whose == Whose::Callee => is_fixed,
            Base::Local(_) | Base::Global(_) => {
                if is_fixed {
                    self.places.push(place.clone());
                }
                is_fixed
            }
        }
    }
}
