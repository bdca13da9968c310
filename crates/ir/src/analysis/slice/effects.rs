//! What a step of the loop depends on and changes, in terms of *resources*.
//!
//! A resource is a local, a global, or one of four things that have no name: the memory that only
//! pointers lead to, the streams of inputs and of standard input, and the numbers that objects have as
//! addresses. Resources are numbered as far as the loop has to do with them.
//!
//! **Aliasing.** A pointer may lead to nameless memory, to a global whose address is taken anywhere in the
//! program, and to a local of this function whose address is taken in it; to nothing else, for registers
//! and other locals have no address that anybody could hold. Types and fields make no difference: a cast
//! pointer means in C what its bytes say. Locals of other calls count as nameless memory.
//!
//! **Lifetimes.** That an object ends is no dependence: where a program uses an object after its end, a
//! check fails, and slices speak of executions without failures.

use super::super::location::{Step, steps};
use super::super::uses::{Access, Hops, visit_accesses};
use super::calls::{Calls, all_blocks, callee};
use super::{Inputs, Variable};
use crate::program::{
    Base, BlockId, Const, Function, GlobalAccess, GlobalId, InstructionKind, Intrinsic, LocalId,
    Operand, Place, Program, Projection, Rvalue, Storage,
};
use crate::validate::{ValueType, operand_type};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};

/// The globals whose address is taken anywhere in `program`.
pub(in crate::analysis) fn exposed_globals(program: &Program) -> BTreeSet<GlobalId> {
    let mut exposed = BTreeSet::new();
    for global in &program.globals {
        exposed.extend(global.initial.iter().filter_map(|(_, constant)| address_of(constant)));
    }
    for (block, function) in all_blocks(program) {
        for (_, step) in steps(function, block) {
            visit_accesses(step, &mut |access| match access {
                Access::Read(Operand::Const(constant)) => exposed.extend(address_of(constant)),
                Access::Address(place) if !follows_pointer(place) => {
                    if let Base::Global(global) = place.base {
                        exposed.insert(global);
                    }
                }
                _ => {}
            });
        }
    }
    exposed
}

fn address_of(constant: &Const) -> Option<GlobalId> {
    match constant {
        Const::Address(global, _) => Some(*global),
        _ => None,
    }
}

/// The locals whose address is taken in `function`.
pub(in crate::analysis) fn exposed_locals(function: &Function) -> BTreeSet<LocalId> {
    let mut exposed = BTreeSet::new();
    for (block, _) in function.blocks() {
        for (_, step) in steps(function, block) {
            visit_accesses(step, &mut |access| {
                if let Access::Address(place) = access
                    && let Base::Local(local) = place.base
                    && !follows_pointer(place)
                {
                    exposed.insert(local);
                }
            });
        }
    }
    exposed
}

fn follows_pointer(place: &Place) -> bool {
    place.projections.contains(&Projection::Deref)
}

/// Whether a step takes an input.
pub(super) fn takes_input(step: Step<'_>) -> bool {
    matches!(rvalue(step), Some(Rvalue::Input(_)))
}

/// Whether a step reads the standard input or asks for its end.
pub(super) fn reads_standard_input(step: Step<'_>) -> bool {
    let Step::Instruction(instruction) = step else { return false };
    let InstructionKind::Intrinsic { intrinsic, .. } = &instruction.kind else { return false };
    matches!(intrinsic, Intrinsic::GetByte | Intrinsic::AtEnd | Intrinsic::Scan)
}

/// Whether a step makes a number of a pointer. Objects get their numbers in the order of such questions.
pub(super) fn asks_for_address(program: &Program, function: &Function, step: Step<'_>) -> bool {
    let Some(Rvalue::Convert(operand, to)) = rvalue(step) else { return false };
    let is_pointer =
        |ty| matches!(ty, ValueType::Pointer(_) | ValueType::Address | ValueType::Function);
    program.types.as_int(*to).is_some()
        && operand_type(program, function, operand).is_ok_and(is_pointer)
}

fn rvalue(step: Step<'_>) -> Option<&Rvalue> {
    match step {
        Step::Instruction(instruction) => match &instruction.kind {
            InstructionKind::Assign { value, .. } => Some(value),
            _ => None,
        },
        Step::Terminator(_) => None,
    }
}

/// A resource, by its number.
pub(super) type Resource = usize;

const MEMORY: Resource = 0;
const INPUT: Resource = 1;
const STANDARD_INPUT: Resource = 2;
const ADDRESSES: Resource = 3;
const NAMELESS: usize = 4;

/// What a step does to resources.
#[derive(Clone, Debug, Default)]
pub(super) struct StepEffects {
    /// What it depends on, if it is needed.
    pub(super) uses: Vec<Resource>,
    /// What it may change.
    pub(super) changes: Vec<Resource>,
    /// What it changes for sure, and in whole.
    pub(super) replaces: Option<Resource>,
    /// The memory local that it names.
    pub(super) names: Option<LocalId>,
}

/// What is known of a program and a function before a loop is looked at.
pub(super) struct Surroundings<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) calls: &'a Calls,
    pub(super) exposed_globals: &'a BTreeSet<GlobalId>,
    pub(super) inputs: Inputs,
}

/// The resources of a loop, numbered.
pub(super) struct Resources<'a> {
    around: &'a Surroundings<'a>,
    exposed_locals: BTreeSet<LocalId>,
    numbers: BTreeMap<Variable, Resource>,
    variables: Vec<Variable>,
    /// What a pointer may lead to, and of that what may be written.
    reachable: Vec<Resource>,
    writable: Vec<Resource>,
}

impl<'a> Resources<'a> {
    /// The resources of the steps in `blocks`, and `wanted`.
    pub(super) fn new(
        around: &'a Surroundings<'a>,
        blocks: &[BlockId],
        wanted: &[Variable],
    ) -> Self {
        let mut all = Resources {
            around,
            exposed_locals: exposed_locals(around.function),
            numbers: BTreeMap::new(),
            variables: Vec::new(),
            reachable: vec![MEMORY],
            writable: vec![MEMORY],
        };
        for variable in wanted {
            all.number(*variable);
        }
        for (_, step) in blocks.iter().flat_map(|block| steps(around.function, *block)) {
            all.number_step(step);
        }
        for (variable, number) in &all.numbers {
            match variable {
                Variable::Local(local) if all.exposed_locals.contains(local) => {
                    all.reachable.push(*number);
                    all.writable.push(*number);
                }
                Variable::Global(global) if around.exposed_globals.contains(global) => {
                    all.reachable.push(*number);
                    // A check fails before anything is written to what is read-only.
                    let known = around.program.globals.get(global.index());
                    if known.is_none_or(|global| global.access == GlobalAccess::ReadWrite) {
                        all.writable.push(*number);
                    }
                }
                Variable::Local(_) | Variable::Global(_) => {}
            }
        }
        all
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        NAMELESS + self.variables.len()
    }

    /// The variables in a set.
    pub(super) fn variables(&self, set: &FixedBitSet) -> BTreeSet<Variable> {
        let named = set.ones().filter_map(|number| number.checked_sub(NAMELESS));
        named.filter_map(|index| self.variables.get(index).copied()).collect()
    }

    /// Whether nameless memory is in a set.
    pub(super) fn has_memory(set: &FixedBitSet) -> bool {
        set.contains(MEMORY)
    }

    /// The number of a variable.
    fn number(&mut self, variable: Variable) -> Resource {
        let next = NAMELESS + self.variables.len();
        let number = *self.numbers.entry(variable).or_insert(next);
        if number == next {
            self.variables.push(variable);
        }
        number
    }

    fn number_step(&mut self, step: Step<'_>) {
        visit_accesses(step, &mut |access| {
            let variable = match access {
                Access::Read(Operand::Local(local)) => Some(Variable::Local(*local)),
                Access::Assign(local) | Access::Live(local) | Access::Dead(local) => {
                    Some(Variable::Local(local))
                }
                Access::Load(place)
                | Access::Probe(place)
                | Access::Store(place)
                | Access::Address(place) => Some(place.base.into()),
                _ => None,
            };
            if let Some(variable) = variable {
                self.number(variable);
            }
        });
        if let Some(callee) = callee(step) {
            let calls = self.around.calls;
            let effects = calls.of(callee);
            for global in effects.reads.iter().chain(&effects.writes) {
                self.number(Variable::Global(*global));
            }
        }
    }

    /// The number of a variable of the loop.
    pub(super) fn known(&self, variable: Variable) -> Resource {
        // All variables of the loop were numbered; any other is no dependence of it.
        self.numbers.get(&variable).copied().unwrap_or(MEMORY)
    }

    fn is_memory(&self, local: LocalId) -> bool {
        let local = self.around.function.locals.get(local.index());
        local.is_some_and(|local| local.storage == Storage::Memory)
    }

    /// What a step does.
    pub(super) fn effects(&self, step: Step<'_>) -> StepEffects {
        let Surroundings { program, function, inputs, .. } = *self.around;
        let mut effects = StepEffects::default();
        visit_accesses(step, &mut |access| self.access(access, &mut effects));
        if takes_input(step) && inputs == Inputs::Positions {
            effects.advance(INPUT);
        }
        if reads_standard_input(step) {
            effects.advance(STANDARD_INPUT);
        }
        if asks_for_address(program, function, step) {
            effects.advance(ADDRESSES);
        }
        if let Some(callee) = callee(step) {
            self.call(callee, &mut effects);
        }
        effects
    }

    fn call(&self, callee: &Operand, effects: &mut StepEffects) {
        let call = self.around.calls.of(callee);
        let globals = |set: &BTreeSet<GlobalId>| -> Vec<Resource> {
            set.iter().map(|global| self.known(Variable::Global(*global))).collect()
        };
        effects.uses.extend(globals(&call.reads));
        effects.changes.extend(globals(&call.writes));
        if call.reads_memory {
            effects.uses.extend(&self.reachable);
        }
        if call.writes_memory {
            effects.changes.extend(&self.writable);
        }
        if call.takes_input && self.around.inputs == Inputs::Positions {
            effects.advance(INPUT);
        }
        if call.reads_standard_input {
            effects.advance(STANDARD_INPUT);
        }
        if call.asks_for_address {
            effects.advance(ADDRESSES);
        }
    }

    fn access(&self, access: Access<'_>, effects: &mut StepEffects) {
        let Surroundings { program, function, .. } = *self.around;
        match access {
            Access::Read(Operand::Local(local)) => {
                effects.uses.push(self.known(Variable::Local(*local)));
            }
            Access::Load(place) | Access::Probe(place) => {
                self.name(place, effects);
                effects.uses.push(self.known(place.base.into()));
                if Hops::of(program, function, place).most >= 1 {
                    effects.uses.extend(&self.reachable);
                }
            }
            Access::Address(place) => {
                self.name(place, effects);
                self.follow(place, Hops::of(program, function, place), effects);
            }
            Access::Store(place) => self.store(place, effects),
            Access::Assign(local) => effects.replace(self.known(Variable::Local(local))),
            Access::Live(local) => {
                if self.is_memory(local) {
                    effects.names = Some(local);
                }
                self.renew(Variable::Local(local), effects);
            }
            Access::Dead(local) => effects.names = Some(local),
            Access::LoadRange => effects.uses.extend(&self.reachable),
            Access::StoreRange => effects.changes.extend(&self.writable),
            Access::Read(Operand::Const(_))
            | Access::Examine
            | Access::Allocate
            | Access::Free
            | Access::Call
            | Access::Input
            | Access::Output
            | Access::Undefined => {}
        }
    }

    fn store(&self, place: &Place, effects: &mut StepEffects) {
        self.name(place, effects);
        let variable = place.base.into();
        if place.projections.is_empty() {
            self.renew(variable, effects);
            return;
        }
        let hops = Hops::of(self.around.program, self.around.function, place);
        self.follow(place, hops, effects);
        if hops.fewest == 0 {
            // The rest of the variable stays, so what it was before stays relevant.
            effects.changes.push(self.known(variable));
        }
        if hops.most >= 1 {
            effects.changes.extend(&self.writable);
        }
    }

    /// What is read on the way to a place.
    fn follow(&self, place: &Place, hops: Hops, effects: &mut StepEffects) {
        if hops.most >= 1 {
            effects.uses.push(self.known(place.base.into()));
        }
        if hops.most >= 2 {
            effects.uses.extend(&self.reachable);
        }
    }

    /// A variable gets a new value. The name of an exposed local may stand for several objects, of which
    /// pointers still reach the older ones; then nothing is replaced for sure.
    fn renew(&self, variable: Variable, effects: &mut StepEffects) {
        let resource = self.known(variable);
        match variable {
            Variable::Local(local) if self.exposed_locals.contains(&local) => {
                effects.changes.push(resource);
            }
            Variable::Local(_) | Variable::Global(_) => effects.replace(resource),
        }
    }

    fn name(&self, place: &Place, effects: &mut StepEffects) {
        if let Base::Local(local) = place.base
            && self.is_memory(local)
        {
            effects.names = Some(local);
        }
    }
}

impl StepEffects {
    fn replace(&mut self, resource: Resource) {
        self.changes.push(resource);
        self.replaces = Some(resource);
    }

    fn advance(&mut self, stream: Resource) {
        self.uses.push(stream);
        self.changes.push(stream);
    }
}
