//! What a single step reads and writes.
//!
//! [`visit_accesses`] is the one place that knows which parts of an instruction are read and which
//! are written; everything else in [`analysis`](super) asks it. [`Effects`] sums it up for a step, a
//! block or a loop. What a called function does is not included: [`Effects::calls`] says that there
//! is more.

use super::location::{Step, steps};
use crate::check::Predicate;
use crate::program::{
    ArrayKind, Base, BlockId, Function, GlobalId, Initial, InstructionKind, Intrinsic, LocalId,
    Operand, Place, Program, Projection, Rvalue, TerminatorKind,
};
use crate::types::{Type, TypeId};
use std::collections::BTreeSet;

/// One thing that a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access<'f> {
    /// The value of an operand is read.
    Read(&'f Operand),
    /// The value at a place is read, or a property of it: its tag, its fields.
    Load(&'f Place),
    /// A value is written to a place.
    Store(&'f Place),
    /// A pointer to a place is made; the place itself is neither read nor written.
    Address(&'f Place),
    /// It is asked whether a place has been written; its value does not matter.
    Probe(&'f Place),
    /// It is asked whether an object still exists, or how long it is. What refers to it has been
    /// read before.
    Examine,
    /// A register is written.
    Assign(LocalId),
    /// A declaration is executed.
    Live(LocalId),
    /// The object of a memory local ends.
    Dead(LocalId),
    /// Memory is read through a pointer that has been read before.
    LoadRange,
    /// Memory is written through a pointer that has been read before.
    StoreRange,
    /// A new object is made.
    Allocate,
    /// An object is given back.
    Free,
    /// Another function is called.
    Call,
    /// The next input is taken.
    Input,
    /// Something is written to the output.
    Output,
    /// The next uninitialised value is taken.
    Undefined,
}

/// Calls `visit` for everything that `step` does: first for what it reads, then for what it writes.
/// The indices in a place are [read](Access::Read) before the place is accessed.
pub fn visit_accesses<'f>(step: Step<'f>, visit: &mut impl FnMut(Access<'f>)) {
    match step {
        Step::Instruction(instruction) => visit_instruction(&instruction.kind, visit),
        Step::Terminator(terminator) => visit_terminator(&terminator.kind, visit),
    }
}

fn visit_instruction<'f>(kind: &'f InstructionKind, visit: &mut impl FnMut(Access<'f>)) {
    match kind {
        InstructionKind::Assign { target, value } => {
            visit_rvalue(value, visit);
            visit(Access::Assign(*target));
        }
        InstructionKind::Store { place, value } => {
            visit(Access::Read(value));
            visit_indices(place, visit);
            visit(Access::Store(place));
        }
        InstructionKind::Call { target, callee, arguments } => {
            visit(Access::Read(callee));
            for argument in arguments {
                visit(Access::Read(argument));
            }
            visit(Access::Call);
            if let Some(target) = target {
                visit(Access::Assign(*target));
            }
        }
        InstructionKind::Check(check) => visit_predicate(&check.predicate, visit),
        InstructionKind::Assume(condition) => visit(Access::Read(condition)),
        InstructionKind::Output(value) => {
            visit(Access::Read(value));
            visit(Access::Output);
        }
        InstructionKind::Live(local) => visit(Access::Live(*local)),
        InstructionKind::Dead(local) => visit(Access::Dead(*local)),
        InstructionKind::Free(pointer) => {
            visit(Access::Read(pointer));
            visit(Access::Free);
        }
        InstructionKind::Copy { to, from, count } => {
            for operand in [to, from, count] {
                visit(Access::Read(operand));
            }
            visit(Access::LoadRange);
            visit(Access::StoreRange);
        }
        InstructionKind::Fill { to, byte, count } => {
            for operand in [to, byte, count] {
                visit(Access::Read(operand));
            }
            visit(Access::StoreRange);
        }
        InstructionKind::Intrinsic { target, intrinsic, arguments } => {
            for argument in arguments {
                visit(Access::Read(argument));
            }
            visit_intrinsic(*intrinsic, visit);
            if let Some(target) = target {
                visit(Access::Assign(*target));
            }
        }
    }
}

fn visit_intrinsic<'f>(intrinsic: Intrinsic, visit: &mut impl FnMut(Access<'f>)) {
    match intrinsic {
        Intrinsic::PutByte => visit(Access::Output),
        Intrinsic::GetByte
        | Intrinsic::AtEnd
        | Intrinsic::ArgumentCount
        | Intrinsic::ArgumentByte => {
            visit(Access::Input);
        }
        Intrinsic::Print => {
            visit(Access::LoadRange);
            // `%n`
            visit(Access::StoreRange);
            visit(Access::Output);
        }
        Intrinsic::Format | Intrinsic::ScanText | Intrinsic::ParseFloat => {
            visit(Access::LoadRange);
            visit(Access::StoreRange);
        }
        Intrinsic::Scan => {
            visit(Access::LoadRange);
            visit(Access::Input);
            visit(Access::StoreRange);
        }
        Intrinsic::Math | Intrinsic::Math2 => {}
    }
}

fn visit_terminator<'f>(kind: &'f TerminatorKind, visit: &mut impl FnMut(Access<'f>)) {
    match kind {
        TerminatorKind::Branch { condition: operand, .. }
        | TerminatorKind::Switch { value: operand, .. }
        | TerminatorKind::Return(Some(operand))
        | TerminatorKind::Exit(operand) => visit(Access::Read(operand)),
        TerminatorKind::Goto(_)
        | TerminatorKind::Return(None)
        | TerminatorKind::Abort
        | TerminatorKind::Unreachable => {}
    }
}

/// The same as [`visit_accesses`] for what an assignment computes.
pub fn visit_rvalue<'f>(value: &'f Rvalue, visit: &mut impl FnMut(Access<'f>)) {
    match value {
        Rvalue::Use(operand)
        | Rvalue::Unary(_, operand)
        | Rvalue::Convert(operand, _)
        | Rvalue::Downcast(operand, _) => visit(Access::Read(operand)),
        Rvalue::Binary(_, left, right) | Rvalue::Compare(_, left, right) => {
            visit(Access::Read(left));
            visit(Access::Read(right));
        }
        Rvalue::Load(place) => {
            visit_indices(place, visit);
            visit(Access::Load(place));
        }
        Rvalue::AddressOf(place) => {
            visit_indices(place, visit);
            visit(Access::Address(place));
        }
        Rvalue::Offset { pointer, index, .. } => {
            visit(Access::Read(pointer));
            visit(Access::Read(index));
        }
        Rvalue::Difference { left, right, .. } => {
            visit(Access::Read(left));
            visit(Access::Read(right));
        }
        Rvalue::ObjectSize { pointer, .. } => {
            visit(Access::Read(pointer));
            visit(Access::Examine);
        }
        Rvalue::Allocate { count, initial, .. } => {
            visit(Access::Read(count));
            match initial {
                Initial::Uninitialised | Initial::Linked { .. } => visit(Access::Undefined),
                Initial::Zero => {}
                Initial::Value(operand) => visit(Access::Read(operand)),
            }
            visit(Access::Allocate);
        }
        Rvalue::Array(kind, elements) => {
            for element in elements {
                visit(Access::Read(element));
            }
            if *kind == ArrayKind::Reference {
                visit(Access::Allocate);
            }
        }
        Rvalue::Record(fields) => {
            for (_, field) in fields {
                visit(Access::Read(field));
            }
        }
        Rvalue::Input(_) => visit(Access::Input),
        Rvalue::Undefined(_) => visit(Access::Undefined),
    }
}

/// The same as [`visit_accesses`] for what a check demands.
pub fn visit_predicate<'f>(predicate: &'f Predicate, visit: &mut impl FnMut(Access<'f>)) {
    match predicate {
        Predicate::Never(_) => {}
        Predicate::Tracked(_) | Predicate::AllFreed => visit(Access::Examine),
        Predicate::Holds(operand)
        | Predicate::NonZero(operand)
        | Predicate::NonNull(operand)
        | Predicate::Takes(operand, _)
        | Predicate::Representable(operand, _)
        | Predicate::Accepts { function: operand, .. } => visit(Access::Read(operand)),
        Predicate::Comparable(left, right)
        | Predicate::Fits(_, left, right)
        | Predicate::SameObject(left, right) => {
            visit(Access::Read(left));
            visit(Access::Read(right));
        }
        Predicate::InRange { index, length } => {
            visit(Access::Read(index));
            visit(Access::Read(length));
        }
        Predicate::Is(place, _) | Predicate::IsNot(place, _) | Predicate::HasField(place, _) => {
            visit_indices(place, visit);
            visit(Access::Load(place));
        }
        Predicate::InBounds { array, index } => {
            visit(Access::Read(index));
            visit_indices(array, visit);
            visit(Access::Load(array));
            visit(Access::Examine);
        }
        Predicate::Accessible(pointer, _)
        | Predicate::Writable(pointer, _)
        | Predicate::Freeable(pointer) => {
            visit(Access::Read(pointer));
            visit(Access::Examine);
        }
        Predicate::AccessibleRange { pointer, count: operand }
        | Predicate::WritableRange { pointer, count: operand }
        | Predicate::InObject { pointer, index: operand, .. } => {
            visit(Access::Read(pointer));
            visit(Access::Read(operand));
            visit(Access::Examine);
        }
        Predicate::Disjoint { left, right, count } => {
            for operand in [left, right, count] {
                visit(Access::Read(operand));
            }
        }
        Predicate::Initialised(place) => {
            visit_indices(place, visit);
            visit(Access::Probe(place));
        }
    }
}

fn visit_indices<'f>(place: &'f Place, visit: &mut impl FnMut(Access<'f>)) {
    for projection in &place.projections {
        if let Projection::Index(index) = projection {
            visit(Access::Read(index));
        }
    }
}

/// Calls `visit` for the operands of `step`, those in its places included.
pub fn visit_operands<'f>(step: Step<'f>, visit: &mut impl FnMut(&'f Operand)) {
    visit_accesses(step, &mut |access| {
        if let Access::Read(operand) = access {
            visit(operand);
        }
    });
}

/// Calls `visit` for the places of `step`.
pub fn visit_places<'f>(step: Step<'f>, visit: &mut impl FnMut(&'f Place)) {
    visit_accesses(step, &mut |access| match access {
        Access::Load(place)
        | Access::Store(place)
        | Access::Address(place)
        | Access::Probe(place) => visit(place),
        _ => {}
    });
}

/// What a step, or a set of steps, may do.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Effects {
    /// The locals that are read by name, in registers or in memory.
    pub reads: BTreeSet<LocalId>,
    /// The locals that are written by name, in registers or in memory. A declaration and the end of
    /// an object write; a write to a part of a local reads it as well, for the rest stays.
    pub writes: BTreeSet<LocalId>,
    /// The globals that are read by name.
    pub reads_globals: BTreeSet<GlobalId>,
    /// The globals that are written by name.
    pub writes_globals: BTreeSet<GlobalId>,
    /// Whether memory is read through a pointer, or asked for its length or lifetime.
    pub reads_memory: bool,
    /// Whether memory is written through a pointer, or given back.
    pub writes_memory: bool,
    /// Whether new objects are made.
    pub allocates: bool,
    /// Whether a function is called, whose own effects come on top of these.
    pub calls: bool,
    /// Whether inputs are taken.
    pub takes_input: bool,
    /// Whether uninitialised values may be taken: declarations and allocations do that, too.
    pub takes_undefined: bool,
    /// Whether there is output.
    pub outputs: bool,
}

impl Effects {
    /// What `step` of `function` may do.
    pub fn of_step(program: &Program, function: &Function, step: Step<'_>) -> Self {
        let mut effects = Effects::default();
        visit_accesses(step, &mut |access| effects.add(program, function, access));
        effects
    }

    /// What the steps of `blocks` may do together.
    pub fn of_blocks(program: &Program, function: &Function, blocks: &[BlockId]) -> Self {
        let mut effects = Effects::default();
        for (_, step) in blocks.iter().flat_map(|block| steps(function, *block)) {
            visit_accesses(step, &mut |access| effects.add(program, function, access));
        }
        effects
    }

    fn add(&mut self, program: &Program, function: &Function, access: Access<'_>) {
        match access {
            Access::Read(Operand::Local(local)) => {
                self.reads.insert(*local);
            }
            Access::Read(Operand::Const(_)) => {}
            Access::Load(place) | Access::Probe(place) => {
                self.read(place.base);
                self.reads_memory |= Hops::of(program, function, place).most >= 1;
            }
            Access::Store(place) => self.store(place, Hops::of(program, function, place)),
            Access::Address(place) => {
                let hops = Hops::of(program, function, place);
                if hops.most >= 1 {
                    self.read(place.base);
                }
                self.reads_memory |= hops.most >= 2;
            }
            Access::Examine | Access::LoadRange => self.reads_memory = true,
            Access::StoreRange => self.writes_memory = true,
            Access::Assign(local) | Access::Dead(local) => {
                self.writes.insert(local);
            }
            Access::Live(local) => {
                self.writes.insert(local);
                self.takes_undefined = true;
            }
            Access::Allocate => self.allocates = true,
            Access::Free => self.writes_memory = true,
            Access::Call => self.calls = true,
            Access::Input => self.takes_input = true,
            Access::Output => self.outputs = true,
            Access::Undefined => self.takes_undefined = true,
        }
    }

    fn store(&mut self, place: &Place, hops: Hops) {
        if !place.projections.is_empty() {
            self.read(place.base);
        }
        if hops.fewest == 0 {
            match place.base {
                Base::Local(local) => self.writes.insert(local),
                Base::Global(global) => self.writes_globals.insert(global),
            };
        }
        self.writes_memory |= hops.most >= 1;
        self.reads_memory |= hops.most >= 2;
    }

    fn read(&mut self, base: Base) {
        match base {
            Base::Local(local) => self.reads.insert(local),
            Base::Global(global) => self.reads_globals.insert(global),
        };
    }
}

/// How many references are followed on the way to a place. An element of a value of type `any` is
/// one reference away if that value is a reference to an array, and part of it otherwise.
#[derive(Clone, Copy)]
pub(super) struct Hops {
    pub(super) fewest: usize,
    pub(super) most: usize,
}

impl Hops {
    pub(super) fn of(program: &Program, function: &Function, place: &Place) -> Self {
        let types = &program.types;
        let mut ty = match place.base {
            Base::Local(local) => function.local(local).ty,
            Base::Global(global) => program.globals[global.index()].ty,
        };
        let mut hops = Hops { fewest: 0, most: 0 };
        for projection in &place.projections {
            ty = match (projection, types.get(ty)) {
                (Projection::Deref, known) => {
                    hops.fewest += 1;
                    hops.most += 1;
                    if let Type::Pointer(target) = known { *target } else { TypeId::ANY }
                }
                (Projection::Field(field), Type::Record(record)) => {
                    let fields = &types.record(*record).fields;
                    fields.get(*field as usize).map_or(TypeId::ANY, |field| field.ty)
                }
                (Projection::Index(_), Type::Array { element, .. }) => *element,
                (Projection::Index(_), _) => {
                    hops.most += 1;
                    TypeId::ANY
                }
                (Projection::Field(_) | Projection::Named(_), _) => TypeId::ANY,
            };
        }
        hops
    }
}

#[cfg(test)]
mod tests;
