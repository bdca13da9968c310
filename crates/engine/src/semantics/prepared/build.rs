//! From instructions to prepared steps.

use super::{Head, Prepared, Slot, Slots, Spot, Step, Test};
use crate::domain::{Domain, Right};
use crate::semantics::Machine;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::Predicate;
use loupe_ir::program::{
    Base, BinaryOp, BlockId, CompareOp, Const, Function, InstructionKind, Operand, Place,
    Projection, Rvalue, Storage, TerminatorKind, UnaryOp,
};
use loupe_ir::types::{IntType, Type, TypeId};
use loupe_ir::validate::{ValueType, operand_type};
use rustc_hash::FxHashMap;

impl<D: Domain> Prepared<D> {
    pub(in crate::semantics) fn new(machine: &mut Machine<'_, D>, function: &Function) -> Self {
        let mut slots = Preparation {
            machine,
            function,
            constants: Vec::new(),
            slots: FxHashMap::default(),
            places: Vec::new(),
        };
        let mut steps: Vec<Step> = Vec::new();
        let mut heads = Vec::with_capacity(function.blocks.len());
        for block in &function.blocks {
            let cost = block.instructions.len() as u32 + 1;
            heads.push(Head { start: steps.len() as u32, cost, reserve: cost });
            let kinds = block.instructions.iter().map(|instruction| &instruction.kind);
            steps.extend(kinds.map(|kind| slots.instruction(kind)));
            let last = slots.terminator(&block.terminator.kind);
            if cost > 1
                && let Some(step) = steps.last_mut()
                && let Some(both) = fuse(step, &last)
            {
                *step = both;
            }
            steps.push(last);
        }
        let tests = join_tests(&mut steps, &mut heads);
        Prepared {
            steps,
            heads,
            tests,
            places: slots.places,
            constants: slots.constants,
            spare: Vec::new(),
        }
    }
}

/// Lets jumps to a test do the test as well. The two steps of the test are added to what the block of
/// the jump costs.
fn join_tests(steps: &mut [Step], heads: &mut [Head]) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut known: FxHashMap<BlockId, u32> = FxHashMap::default();
    for block in 0..heads.len() {
        let last = (heads[block].start + heads[block].cost) as usize - 1;
        let Step::Goto(target) = steps[last] else {
            continue;
        };
        let start = heads[target.index()].start as usize;
        let Step::CompareAndBranch { op, slots, then, otherwise } = steps[start] else {
            continue;
        };
        let index = *known.entry(target).or_insert_with(|| {
            tests.push(Test { block: target, op, slots, then, otherwise });
            tests.len() as u32 - 1
        });
        steps[last] = Step::GotoTest(index);
        heads[block].reserve = heads[block].cost + 2;
    }
    tests
}

/// A comparison and the branch on its result as one step.
fn fuse(step: &Step, last: &Step) -> Option<Step> {
    match (step, last) {
        (Step::Compare(op, slots), Step::Branch { condition, then, otherwise })
            if slots.target == *condition =>
        {
            let (then, otherwise) = (*then, *otherwise);
            Some(Step::CompareAndBranch { op: *op, slots: *slots, then, otherwise })
        }
        _ => None,
    }
}

struct Preparation<'m, 'p, 'f, D: Domain> {
    machine: &'m mut Machine<'p, D>,
    function: &'f Function,
    constants: Vec<Value<D>>,
    /// The slots of the constants, each once.
    slots: FxHashMap<Const, Slot>,
    places: Vec<Spot>,
}

impl<D: Domain> Preparation<'_, '_, '_, D> {
    fn instruction(&mut self, kind: &InstructionKind) -> Step {
        let step = match kind {
            InstructionKind::Assign { target, value } => self.assignment(target.0, value),
            InstructionKind::Check(check) => self.check(&check.predicate),
            InstructionKind::Store { place, value } => self.store(place, value),
            _ => None,
        };
        step.unwrap_or(Step::General)
    }

    fn assignment(&mut self, target: Slot, value: &Rvalue) -> Option<Step> {
        Some(match value {
            Rvalue::Binary(op, a, b) => self.binary(target, *op, a, b)?,
            Rvalue::Unary(UnaryOp::Not, a) => Step::Not { target, a: self.slot(a)? },
            // `-a` is `0 - a`, and `~a` is `-1 - a`, wrapped to the type.
            Rvalue::Unary(op, a) => {
                let ty = self.int_type(a)?;
                let from = if *op == UnaryOp::Neg { Integer::ZERO } else { Integer::from(-1) };
                let from = Operand::Const(Const::Int(from, ty));
                Step::Sub(ty, self.slots(target, &from, a)?)
            }
            Rvalue::Compare(op, a, b) => self.compare(target, *op, a, b)?,
            Rvalue::Convert(a, to) => self.convert(target, a, *to)?,
            Rvalue::Use(a) | Rvalue::Downcast(a, _) => Step::Copy { target, a: self.slot(a)? },
            Rvalue::Load(place) => Step::Load { target, place: self.scalar(place)? },
            Rvalue::AddressOf(place) => Step::AddressOf { target, place: self.place(place)? },
            Rvalue::Offset { pointer, index, element } => {
                let base = self.slot(pointer)?;
                let size = self.machine.program.types.size_of(*element);
                let index = Some((self.slot(index)?, size));
                Step::AddressOf { target, place: self.add_place(base, 0, index, *element) }
            }
            _ => return None,
        })
    }

    fn binary(&mut self, target: Slot, op: BinaryOp, a: &Operand, b: &Operand) -> Option<Step> {
        let slots = self.slots(target, a, b)?;
        match op {
            BinaryOp::And => return Some(Step::And(slots)),
            BinaryOp::Or => return Some(Step::Or(slots)),
            _ => {}
        }
        if let Some(ValueType::Float(ty)) = self.value_type(a) {
            return Some(Step::FloatArithmetic(op, ty, slots));
        }
        let ty = self.int_type(a)?;
        self.int_type(b)?;
        Some(match op {
            BinaryOp::Add => Step::Add(ty, slots),
            BinaryOp::Sub => Step::Sub(ty, slots),
            BinaryOp::Mul => Step::Mul(ty, slots),
            other => Step::Arithmetic(other, ty, slots),
        })
    }

    fn compare(&mut self, target: Slot, op: CompareOp, a: &Operand, b: &Operand) -> Option<Step> {
        let slots = self.slots(target, a, b)?;
        match (self.value_type(a)?, self.value_type(b)?) {
            (ValueType::Int(_), ValueType::Int(_)) => Some(Step::Compare(op, slots)),
            (ValueType::Float(ty), ValueType::Float(_)) => Some(Step::FloatCompare(op, ty, slots)),
            (a, b) if a.is_pointer() && b.is_pointer() => Some(Step::ComparePointers(op, slots)),
            _ => None,
        }
    }

    fn convert(&mut self, target: Slot, a: &Operand, to: TypeId) -> Option<Step> {
        let from = self.value_type(a)?;
        let slot = self.slot(a)?;
        match (from, self.machine.program.types.get(to)) {
            (ValueType::Int(_), Type::Int(to)) => Some(Step::Convert { to: *to, target, a: slot }),
            (ValueType::Bool, Type::Int(to)) => {
                Some(Step::ConvertBool { to: *to, target, a: slot })
            }
            (ValueType::Int(ty), Type::Bool) => {
                let zero = self.slot(&Operand::Const(Const::Int(Integer::ZERO, ty)))?;
                Some(Step::Compare(CompareOp::Ne, Slots { target, a: slot, b: zero }))
            }
            (from, Type::Pointer(_)) if from.is_pointer() => Some(Step::Copy { target, a: slot }),
            _ => None,
        }
    }

    fn store(&mut self, place: &Place, value: &Operand) -> Option<Step> {
        let a = self.slot(value)?;
        Some(Step::Store { place: self.scalar(place)?, a })
    }

    /// A [`place`](Self::place) of a machine type; no other can be read or written at once.
    fn scalar(&mut self, place: &Place) -> Option<u32> {
        let number = self.place(place)?;
        match self.places[number as usize].ty {
            ValueType::Int(IntType::Machine { .. })
            | ValueType::Float(_)
            | ValueType::Pointer(_) => Some(number),
            _ => None,
        }
    }

    /// A place that one pointer leads to, over fields and at most one index.
    fn place(&mut self, place: &Place) -> Option<u32> {
        let types = &self.machine.program.types;
        let mut projections = place.projections.iter();
        let (base, mut ty) = match place.base {
            Base::Global(global) => {
                let ty = self.machine.program.globals[global.index()].ty;
                (self.slot(&Operand::Const(Const::Address(global, 0)))?, ty)
            }
            Base::Local(local) => {
                let declared = self.function.local(local);
                match declared.storage {
                    Storage::Memory => (local.0, declared.ty),
                    // A register that is no pointer has parts elsewhere.
                    Storage::Register => match (projections.next()?, types.get(declared.ty)) {
                        (Projection::Deref, Type::Pointer(target)) => (local.0, *target),
                        _ => return None,
                    },
                }
            }
        };
        let (mut offset, mut index) = (0u64, None);
        for projection in projections {
            match (projection, types.get(ty)) {
                (Projection::Field(field), Type::Record(record)) => {
                    let field = types.record(*record).fields.get(*field as usize)?;
                    if field.first_bit.is_some() {
                        return None;
                    }
                    offset = offset.checked_add(field.offset)?;
                    ty = field.ty;
                }
                (Projection::Index(at), Type::Array { element, .. }) if index.is_none() => {
                    index = Some((at, types.size_of(*element)));
                    ty = *element;
                }
                _ => return None,
            }
        }
        let index = match index {
            Some((at, size)) => Some((self.slot(at)?, size)),
            None => None,
        };
        Some(self.add_place(base, offset, index, ty))
    }

    fn add_place(
        &mut self,
        base: Slot,
        offset: u64,
        index: Option<(Slot, u64)>,
        ty: TypeId,
    ) -> u32 {
        let ty = ValueType::of(&self.machine.program.types, ty);
        self.places.push(Spot { base, offset, index, ty });
        self.places.len() as u32 - 1
    }

    fn check(&mut self, predicate: &Predicate) -> Option<Step> {
        match predicate {
            Predicate::Holds(a) => Some(Step::Holds(self.slot(a)?)),
            Predicate::NonZero(a) => {
                let zero = Operand::Const(Const::Int(Integer::ZERO, self.int_type(a)?));
                Some(Step::NonZero { a: self.slot(a)?, zero: self.slot(&zero)? })
            }
            Predicate::NonNull(a) => Some(Step::NonNull(self.slot(a)?)),
            Predicate::Initialised(Place { base: Base::Local(local), projections })
                if projections.is_empty()
                    && self.function.local(*local).storage == Storage::Register =>
            {
                Some(Step::Initialised(local.0))
            }
            Predicate::Initialised(place) => Some(Step::InitialisedAt(self.scalar(place)?)),
            Predicate::Accessible(pointer, ty) => self.accessible(Right::Read, pointer, *ty),
            Predicate::Writable(pointer, ty) => self.accessible(Right::Write, pointer, *ty),
            Predicate::InRange { index, length } => {
                let zero = Operand::Const(Const::Int(Integer::ZERO, IntType::Unbounded));
                let (index, length) = (self.slot(index)?, self.slot(length)?);
                Some(Step::InRange { index, length, zero: self.slot(&zero)? })
            }
            Predicate::Fits(op, a, b) => {
                let ty = self.int_type(a)?;
                Some(Step::Fits(*op, ty, self.slots(0, a, b)?))
            }
            _ => None,
        }
    }

    fn accessible(&mut self, right: Right, pointer: &Operand, ty: TypeId) -> Option<Step> {
        let size = Integer::from(self.machine.program.types.size_of(ty));
        let size = self.slot(&Operand::Const(Const::Int(size, IntType::Unbounded)))?;
        Some(Step::Accessible { right, pointer: self.slot(pointer)?, size })
    }

    fn terminator(&mut self, kind: &TerminatorKind) -> Step {
        let step = match kind {
            TerminatorKind::Goto(next) => Some(Step::Goto(*next)),
            TerminatorKind::Branch { condition, then, otherwise } => self
                .slot(condition)
                .map(|condition| Step::Branch { condition, then: *then, otherwise: *otherwise }),
            _ => None,
        };
        step.unwrap_or(Step::General)
    }

    /// The integers that an operand is one of, if it is an integer.
    fn int_type(&self, operand: &Operand) -> Option<IntType> {
        match operand {
            Operand::Const(Const::Int(_, ty)) => Some(*ty),
            Operand::Local(local) => {
                self.machine.program.types.as_int(self.function.local(*local).ty)
            }
            Operand::Const(_) => None,
        }
    }

    fn value_type(&self, operand: &Operand) -> Option<ValueType> {
        operand_type(self.machine.program, self.function, operand).ok()
    }

    fn slots(&mut self, target: Slot, a: &Operand, b: &Operand) -> Option<Slots> {
        Some(Slots { target, a: self.slot(a)?, b: self.slot(b)? })
    }

    /// Where an operand is found. A constant that the domain cannot make has no slot, and halts the
    /// execution where it is used.
    fn slot(&mut self, operand: &Operand) -> Option<Slot> {
        match operand {
            Operand::Local(local) => Some(local.0),
            Operand::Const(constant) => {
                if let Some(slot) = self.slots.get(constant) {
                    return Some(*slot);
                }
                let value = self.machine.constant(constant).ok()?;
                let slot = (self.function.locals.len() + self.constants.len()) as Slot;
                self.constants.push(value);
                self.slots.insert(constant.clone(), slot);
                Some(slot)
            }
        }
    }
}
