//! Changing which locals instructions mention.

use crate::check::Predicate;
use crate::program::{
    Base, Initial, InstructionKind, LocalId, Operand, Place, Projection, Rvalue, TerminatorKind,
};

impl InstructionKind {
    /// Calls `visit` for every local that the instruction mentions.
    pub fn visit_locals_mut(&mut self, visit: &mut impl FnMut(&mut LocalId)) {
        match self {
            InstructionKind::Assign { target, value } => {
                visit(target);
                rvalue(value, visit);
            }
            InstructionKind::Store { place: at, value } => {
                place(at, visit);
                operand(value, visit);
            }
            InstructionKind::Call { target, callee, arguments } => {
                target.iter_mut().for_each(&mut *visit);
                operand(callee, visit);
                arguments.iter_mut().for_each(|argument| operand(argument, visit));
            }
            InstructionKind::Intrinsic { target, arguments, .. } => {
                target.iter_mut().for_each(&mut *visit);
                arguments.iter_mut().for_each(|argument| operand(argument, visit));
            }
            InstructionKind::Check(check) => predicate(&mut check.predicate, visit),
            InstructionKind::Assume(value)
            | InstructionKind::Output(value)
            | InstructionKind::Free(value) => operand(value, visit),
            InstructionKind::Live(local) | InstructionKind::Dead(local) => visit(local),
            InstructionKind::Copy { to: a, from: b, count: c }
            | InstructionKind::Fill { to: a, byte: b, count: c } => {
                [a, b, c].into_iter().for_each(|value| operand(value, visit));
            }
        }
    }
}

impl TerminatorKind {
    /// Calls `visit` for every local that the terminator mentions.
    pub fn visit_locals_mut(&mut self, visit: &mut impl FnMut(&mut LocalId)) {
        match self {
            TerminatorKind::Branch { condition: value, .. }
            | TerminatorKind::Switch { value, .. }
            | TerminatorKind::Return(Some(value))
            | TerminatorKind::Exit(value) => operand(value, visit),
            TerminatorKind::Goto(_)
            | TerminatorKind::Return(None)
            | TerminatorKind::Abort
            | TerminatorKind::Unreachable => {}
        }
    }
}

fn operand(value: &mut Operand, visit: &mut impl FnMut(&mut LocalId)) {
    if let Operand::Local(local) = value {
        visit(local);
    }
}

fn place(at: &mut Place, visit: &mut impl FnMut(&mut LocalId)) {
    if let Base::Local(local) = &mut at.base {
        visit(local);
    }
    for projection in &mut at.projections {
        if let Projection::Index(index) = projection {
            operand(index, visit);
        }
    }
}

fn rvalue(value: &mut Rvalue, visit: &mut impl FnMut(&mut LocalId)) {
    match value {
        Rvalue::Use(a)
        | Rvalue::Unary(_, a)
        | Rvalue::Convert(a, _)
        | Rvalue::Downcast(a, _)
        | Rvalue::ObjectSize { pointer: a, .. } => operand(a, visit),
        Rvalue::Binary(_, a, b)
        | Rvalue::Compare(_, a, b)
        | Rvalue::Offset { pointer: a, index: b, .. }
        | Rvalue::Difference { left: a, right: b, .. } => {
            operand(a, visit);
            operand(b, visit);
        }
        Rvalue::Load(at) | Rvalue::AddressOf(at) => place(at, visit),
        Rvalue::Allocate { count, initial, .. } => {
            operand(count, visit);
            if let Initial::Value(value) = initial {
                operand(value, visit);
            }
        }
        Rvalue::Array(_, elements) => elements.iter_mut().for_each(|e| operand(e, visit)),
        Rvalue::Record(fields) => fields.iter_mut().for_each(|(_, e)| operand(e, visit)),
        Rvalue::Input(_) | Rvalue::Undefined(_) => {}
    }
}

fn predicate(predicate: &mut Predicate, visit: &mut impl FnMut(&mut LocalId)) {
    match predicate {
        Predicate::Never(_) | Predicate::Tracked(_) | Predicate::AllFreed => {}
        Predicate::Holds(a)
        | Predicate::NonZero(a)
        | Predicate::NonNull(a)
        | Predicate::Takes(a, _)
        | Predicate::Accessible(a, _)
        | Predicate::Writable(a, _)
        | Predicate::Freeable(a)
        | Predicate::Representable(a, _)
        | Predicate::Accepts { function: a, .. } => operand(a, visit),
        Predicate::Comparable(a, b)
        | Predicate::Fits(_, a, b)
        | Predicate::SameObject(a, b)
        | Predicate::InRange { index: a, length: b }
        | Predicate::AccessibleRange { pointer: a, count: b }
        | Predicate::WritableRange { pointer: a, count: b }
        | Predicate::InObject { pointer: a, index: b, .. } => {
            operand(a, visit);
            operand(b, visit);
        }
        Predicate::Disjoint { left, right, count } => {
            [left, right, count].into_iter().for_each(|value| operand(value, visit));
        }
        Predicate::Initialised(at)
        | Predicate::Is(at, _)
        | Predicate::IsNot(at, _)
        | Predicate::HasField(at, _) => place(at, visit),
        Predicate::InBounds { array, index } => {
            place(array, visit);
            operand(index, visit);
        }
    }
}
