//! Where the values of registers in a loop come from, as far as there is one way only.

use super::super::location::{Location, Step, steps};
use super::super::loops::{LoopForest, LoopId};
use super::super::registers::visit_registers;
use super::super::use_def::{Definition, UseDef};
use crate::program::{
    Base, CompareOp, Const, Function, InstructionKind, LocalId, Operand, Place, Rvalue, Storage,
    UnaryOp,
};
use crate::types::{IntType, Type, TypeId, Types};
use loupe_integer::Signedness;
use std::collections::BTreeMap;

/// Copies and conversions that are looked through before the search gives up.
const MOST_COPIES: usize = 32;

/// When in an iteration a cursor is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before it moves.
    BeforeStep,
    /// After that.
    AfterStep,
}

/// A value is compared with zero or null.
pub(super) struct Comparison {
    pub(super) operator: CompareOp,
    pub(super) value: Operand,
    pub(super) zero: Const,
}

/// The definitions in one loop.
pub(super) struct Values<'a> {
    types: &'a Types,
    function: &'a Function,
    chains: &'a UseDef,
    forest: &'a LoopForest,
    id: LoopId,
    /// By register, the steps of the loop that define it.
    inside: BTreeMap<LocalId, Vec<Location>>,
}

impl<'a> Values<'a> {
    pub(super) fn new(
        types: &'a Types,
        function: &'a Function,
        chains: &'a UseDef,
        forest: &'a LoopForest,
        id: LoopId,
    ) -> Self {
        let mut inside: BTreeMap<LocalId, Vec<Location>> = BTreeMap::new();
        for block in forest.blocks(id) {
            for (location, step) in steps(function, *block) {
                visit_registers(function, step, &mut |access| {
                    if access.writes() {
                        inside.entry(access.register()).or_default().push(location);
                    }
                });
            }
        }
        Values { types, function, chains, forest, id, inside }
    }

    /// The only step of the loop that changes a register.
    pub(super) fn only_definition(&self, register: LocalId) -> Option<Location> {
        match self.inside.get(&register)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// What the assignment at a place computes.
    pub(super) fn assigned(&self, at: Location) -> Option<&'a Rvalue> {
        let Step::Instruction(instruction) = Step::at(self.function, at)? else { return None };
        match &instruction.kind {
            InstructionKind::Assign { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The assignment in the loop that an operand used at `at` has its value from, if it is the only one.
    pub(super) fn definition(
        &self,
        operand: &Operand,
        at: Location,
    ) -> Option<(&'a Rvalue, Location)> {
        let Operand::Local(local) = operand else { return None };
        let [Definition::At(only)] = self.chains.definitions(at, *local) else { return None };
        if !self.forest.contains(self.id, only.block) {
            return None;
        }
        Some((self.assigned(*only)?, *only))
    }

    /// The variable that an operand is a copy of, and where it was read. Conversions between pointers,
    /// and of integers to types that have them all, count as copies.
    pub(super) fn origin(&self, operand: &Operand, at: Location) -> Option<(LocalId, Location)> {
        let (mut operand, mut at) = (operand, at);
        for _ in 0..MOST_COPIES {
            let Operand::Local(local) = operand else { return None };
            let inner = match self.definition(operand, at) {
                Some((
                    Rvalue::Use(from) | Rvalue::Convert(from, _) | Rvalue::Downcast(from, _),
                    inner,
                )) if self.keeps_value(from, *local) => Some((from, inner)),
                _ => None,
            };
            match inner {
                Some(inner) => (operand, at) = inner,
                None => return Some((*local, at)),
            }
        }
        None
    }

    /// Whether `to` has the value of `from` after a copy or conversion.
    fn keeps_value(&self, from: &Operand, to: LocalId) -> bool {
        let Operand::Local(from) = from else { return false };
        let (from, to) = (self.function.local(*from).ty, self.function.local(to).ty);
        match (self.types.get(from), self.types.get(to)) {
            (Type::Int(from), Type::Int(to)) => contains(*to, *from),
            (Type::Pointer(_) | Type::Any, Type::Pointer(_) | Type::Any) => true,
            (same, other) => same == other,
        }
    }

    /// The place that an operand was loaded from.
    pub(super) fn load(&self, operand: &Operand, at: Location) -> Option<(&'a Place, Location)> {
        let (mut operand, mut at) = (operand, at);
        for _ in 0..MOST_COPIES {
            let Operand::Local(local) = operand else { return None };
            match self.definition(operand, at)? {
                (Rvalue::Load(place), inner) => return Some((place, inner)),
                (
                    Rvalue::Use(from) | Rvalue::Convert(from, _) | Rvalue::Downcast(from, _),
                    inner,
                ) if self.keeps_value(from, *local) => {
                    (operand, at) = (from, inner);
                }
                _ => return None,
            }
        }
        None
    }

    /// The place that the assignment at `step` loads from, itself or through copies.
    pub(super) fn loaded(&self, target: LocalId, step: Location) -> Option<(&'a Place, Location)> {
        match self.assigned(step)? {
            Rvalue::Load(place) => Some((place, step)),
            Rvalue::Use(from) | Rvalue::Convert(from, _) | Rvalue::Downcast(from, _) => {
                let (place, at) = self.load(from, step)?;
                self.keeps_value(from, target).then_some((place, at))
            }
            _ => None,
        }
    }

    /// Whether an operand at `at` is the cursor as it was before it moved.
    pub(super) fn is_before_step(&self, operand: &Operand, cursor: LocalId, at: Location) -> bool {
        let origin = self.origin(operand, at);
        origin.is_some_and(|(local, at)| {
            local == cursor && self.moment(cursor, at) == Some(Moment::BeforeStep)
        })
    }

    /// The comparison with zero or null that decides about a condition, as if it were the condition itself.
    pub(super) fn comparison(
        &self,
        condition: &Operand,
        at: Location,
    ) -> Option<(Comparison, Location)> {
        let (mut condition, mut at) = (condition, at);
        let mut negated = false;
        for _ in 0..MOST_COPIES {
            let (rvalue, inner) = self.definition(condition, at)?;
            match rvalue {
                Rvalue::Use(from) => condition = from,
                Rvalue::Unary(UnaryOp::Not, from) => {
                    negated = !negated;
                    condition = from;
                }
                Rvalue::Compare(operator @ (CompareOp::Eq | CompareOp::Ne), left, right) => {
                    let (value, zero) = match (is_zero(left), is_zero(right)) {
                        (None, Some(zero)) => (left, zero),
                        (Some(zero), None) => (right, zero),
                        _ => return None,
                    };
                    match self.truth_value(value, inner) {
                        // A truth value as a number: `(p != NULL) != 0`.
                        Some((truth, before)) => {
                            negated ^= *operator == CompareOp::Eq;
                            (condition, at) = (truth, before);
                            continue;
                        }
                        None => {
                            let operator = if negated { opposite(*operator) } else { *operator };
                            let comparison = Comparison { operator, value: value.clone(), zero };
                            return Some((comparison, inner));
                        }
                    }
                }
                _ => return None,
            }
            at = inner;
        }
        None
    }

    fn truth_value(&self, number: &Operand, at: Location) -> Option<(&'a Operand, Location)> {
        let (Rvalue::Convert(from @ Operand::Local(local), _), inner) =
            self.definition(number, at)?
        else {
            return None;
        };
        (self.function.local(*local).ty == TypeId::BOOL).then_some((from, inner))
    }

    /// The variable that an operand is a copy of, if the loop does not change it.
    pub(super) fn fixed(&self, operand: &Operand, at: Location) -> Option<(LocalId, Location)> {
        let (local, at) = self.origin(operand, at)?;
        self.is_fixed(Base::Local(local)).then_some((local, at))
    }

    /// Whether the loop leaves a variable alone for sure: a register that it does not define.
    pub(super) fn is_fixed(&self, base: Base) -> bool {
        match base {
            Base::Local(local) => {
                let is_register = self.function.local(local).storage == Storage::Register;
                is_register && !self.inside.contains_key(&local)
            }
            Base::Global(_) => false,
        }
    }

    /// Whether a register with one definition in the loop is read before or after it in an iteration, for
    /// reads that are part of every iteration.
    pub(super) fn moment(&self, cursor: LocalId, at: Location) -> Option<Moment> {
        let step = self.only_definition(cursor)?;
        let definitions = self.chains.definitions(at, cursor);
        match definitions {
            [] => None,
            [Definition::At(only)] if *only == step => Some(Moment::AfterStep),
            // The value from outside comes as far as this, so no step of this iteration lies between.
            several if several.contains(&Definition::At(step)) => Some(Moment::BeforeStep),
            _ => None,
        }
    }
}

fn is_zero(operand: &Operand) -> Option<Const> {
    match operand {
        Operand::Const(Const::Null) => Some(Const::Null),
        Operand::Const(Const::Int(number, ty)) if *number == loupe_integer::Integer::ZERO => {
            Some(Const::Int(number.clone(), *ty))
        }
        _ => None,
    }
}

fn opposite(operator: CompareOp) -> CompareOp {
    match operator {
        CompareOp::Eq => CompareOp::Ne,
        _ => CompareOp::Eq,
    }
}

/// Whether all integers of one type are among those of another.
fn contains(large: IntType, small: IntType) -> bool {
    let (IntType::Machine { width, signedness }, IntType::Machine { width: w, signedness: s }) =
        (large, small)
    else {
        return large == IntType::Unbounded;
    };
    match (signedness, s) {
        (Signedness::Signed, Signedness::Unsigned) => width > w,
        (Signedness::Unsigned, Signedness::Signed) => false,
        (Signedness::Signed, Signedness::Signed) | (Signedness::Unsigned, Signedness::Unsigned) => {
            width >= w
        }
    }
}
