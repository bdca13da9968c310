//! Instructions with their operands looked up beforehand.
//!
//! Hot loops consist of arithmetic, comparisons, copies and branches over registers and constants.
//! For these, everything that does not depend on the state is worked out once: the constants of a
//! function are values of the domain in extra slots behind its locals, operands are slots, types of
//! integers are at hand. Every prepared instruction stands for the instruction at the same position
//! of its block, and does the same by the same operations of the domain.

use super::{Machine, broken};
use crate::domain::Domain;
use crate::value::Value;
use loupe_ir::program::{
    BinaryOp, Block, BlockId, CompareOp, Const, Function, InstructionKind, Operand, Rvalue,
    TerminatorKind,
};
use loupe_ir::types::{IntType, Types};

/// A place in the registers of a frame, or a constant behind them.
pub(super) type Slot = u32;

/// A function, prepared.
pub(super) struct Prepared<D: Domain> {
    pub(super) blocks: Vec<PreparedBlock>,
    /// The values of the slots behind the locals.
    pub(super) constants: Vec<Value<D>>,
}

pub(super) struct PreparedBlock {
    pub(super) steps: Vec<Step>,
    /// How many of them come before the jump and the comparison that may be a part of it.
    pub(super) straight: usize,
    pub(super) jump: Jump,
}

/// An instruction.
pub(super) enum Step {
    /// `target = a + b`
    Add(IntType, Slots),
    /// `target = a - b`
    Sub(IntType, Slots),
    /// `target = a op b` on integers.
    Arithmetic(BinaryOp, IntType, Slots),
    /// `target = a op b`, where `a` and `b` are integers.
    Compare(CompareOp, Slots),
    /// `target = a`
    Copy { target: Slot, a: Slot },
    /// Anything else.
    General,
}

/// The slots of an instruction with two operands.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    pub(super) target: Slot,
    a: Slot,
    b: Slot,
}

/// The end of a block.
pub(super) enum Jump {
    To(BlockId),
    Branch { condition: Slot, then: BlockId, otherwise: BlockId },
    /// A branch whose condition is computed by the last instruction of the block.
    CompareAndBranch { op: CompareOp, slots: Slots, then: BlockId, otherwise: BlockId },
    /// Anything else.
    General,
}

/// Why a list of prepared instructions was not executed to its end.
pub(super) enum Stopped<D: Domain> {
    /// The next one is not prepared.
    General,
    /// The next one could not be carried out.
    Halt(D::Halt),
}

/// Executes prepared instructions; if not all, says how many.
#[inline]
pub(super) fn run_steps<D: Domain>(
    domain: &mut D,
    locals: &mut [Value<D>],
    steps: &[Step],
) -> Result<(), (usize, Stopped<D>)> {
    let mut rest = steps.iter();
    while let Some(step) = rest.next() {
        let done = steps.len() - rest.len() - 1;
        let halt = |halt| (done, Stopped::Halt(halt));
        match step {
            Step::Add(ty, slots) => {
                let (a, b) = slots.numbers(locals).map_err(halt)?;
                let sum = domain.binary(BinaryOp::Add, *ty, a, b).map_err(halt)?;
                put_int(&mut locals[slots.target as usize], sum);
            }
            Step::Sub(ty, slots) => {
                let (a, b) = slots.numbers(locals).map_err(halt)?;
                let difference = domain.binary(BinaryOp::Sub, *ty, a, b).map_err(halt)?;
                put_int(&mut locals[slots.target as usize], difference);
            }
            Step::Arithmetic(op, ty, slots) => {
                let (a, b) = slots.numbers(locals).map_err(halt)?;
                let result = domain.binary(*op, *ty, a, b).map_err(halt)?;
                put_int(&mut locals[slots.target as usize], result);
            }
            Step::Compare(op, slots) => {
                let (a, b) = slots.numbers(locals).map_err(halt)?;
                let result = domain.compare(*op, a, b);
                slots.put_bool(locals, result);
            }
            Step::Copy { target, a } => {
                locals[*target as usize] = locals[*a as usize].clone();
            }
            Step::General => return Err((done, Stopped::General)),
        }
    }
    Ok(())
}

/// Writes a number; most often there was one before, which is cheaper to replace.
#[inline]
fn put_int<D: Domain>(slot: &mut Value<D>, number: D::Int) {
    match slot {
        Value::Int(old) => *old = number,
        other => *other = Value::Int(number),
    }
}

impl Slots {
    /// The operands.
    #[inline]
    pub(super) fn numbers<D: Domain>(self, locals: &[Value<D>]) -> Result<(&D::Int, &D::Int), D::Halt> {
        match (&locals[self.a as usize], &locals[self.b as usize]) {
            (Value::Int(a), Value::Int(b)) => Ok((a, b)),
            (a, b) => Err(no_numbers(a, b)),
        }
    }

    /// Writes a truth value to the target.
    #[inline]
    pub(super) fn put_bool<D: Domain>(self, locals: &mut [Value<D>], truth: D::Bool) {
        match &mut locals[self.target as usize] {
            Value::Bool(old) => *old = truth,
            other => *other = Value::Bool(truth),
        }
    }
}

#[cold]
fn no_numbers<D: Domain>(a: &Value<D>, b: &Value<D>) -> D::Halt {
    broken::<D>(format!("numbers were expected, not {a:?} and {b:?}"))
}

impl<D: Domain> Prepared<D> {
    pub(super) fn new(machine: &mut Machine<'_, D>, function: &Function) -> Self {
        let mut slots = Preparation { machine, function, constants: Vec::new() };
        let blocks = function.blocks.iter().map(|block| slots.block(block)).collect();
        Prepared { blocks, constants: slots.constants }
    }
}

struct Preparation<'m, 'p, 'f, D: Domain> {
    machine: &'m mut Machine<'p, D>,
    function: &'f Function,
    constants: Vec<Value<D>>,
}

impl<D: Domain> Preparation<'_, '_, '_, D> {
    fn block(&mut self, block: &Block) -> PreparedBlock {
        let steps = block.instructions.iter().map(|instruction| self.step(&instruction.kind));
        let steps: Vec<Step> = steps.collect();
        let jump = self.jump(&block.terminator.kind);
        match (steps.last(), &jump) {
            (Some(Step::Compare(op, slots)), Jump::Branch { condition, then, otherwise })
                if slots.target == *condition =>
            {
                let (op, slots) = (*op, *slots);
                let jump =
                    Jump::CompareAndBranch { op, slots, then: *then, otherwise: *otherwise };
                PreparedBlock { straight: steps.len() - 1, steps, jump }
            }
            _ => PreparedBlock { straight: steps.len(), steps, jump },
        }
    }

    fn step(&mut self, kind: &InstructionKind) -> Step {
        let InstructionKind::Assign { target, value } = kind else {
            return Step::General;
        };
        let target = target.0;
        match value {
            Rvalue::Binary(op, a, b) => match (self.int_type(a), self.int_type(b)) {
                (Some(ty), Some(_)) => {
                    let slots = Slots { target, a: self.slot(a), b: self.slot(b) };
                    match op {
                        BinaryOp::Add => Step::Add(ty, slots),
                        BinaryOp::Sub => Step::Sub(ty, slots),
                        other => Step::Arithmetic(*other, ty, slots),
                    }
                }
                _ => Step::General,
            },
            Rvalue::Compare(op, a, b) => match (self.int_type(a), self.int_type(b)) {
                (Some(_), Some(_)) => {
                    Step::Compare(*op, Slots { target, a: self.slot(a), b: self.slot(b) })
                }
                _ => Step::General,
            },
            Rvalue::Use(a) => Step::Copy { target, a: self.slot(a) },
            _ => Step::General,
        }
    }

    fn jump(&mut self, kind: &TerminatorKind) -> Jump {
        match kind {
            TerminatorKind::Goto(next) => Jump::To(*next),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.slot(condition);
                Jump::Branch { condition, then: *then, otherwise: *otherwise }
            }
            _ => Jump::General,
        }
    }

    /// The integers that an operand is one of, if it is an integer.
    fn int_type(&self, operand: &Operand) -> Option<IntType> {
        operand_int_type(&self.machine.program.types, self.function, operand)
    }

    fn slot(&mut self, operand: &Operand) -> Slot {
        match operand {
            Operand::Local(local) => local.0,
            Operand::Const(constant) => {
                let value = self.machine.constant(constant);
                self.constants.push(value);
                (self.function.locals.len() + self.constants.len() - 1) as Slot
            }
        }
    }
}

fn operand_int_type(types: &Types, function: &Function, operand: &Operand) -> Option<IntType> {
    match operand {
        Operand::Const(Const::Int(_, ty)) => Some(*ty),
        Operand::Local(local) => types.as_int(function.local(*local).ty),
        Operand::Const(_) => None,
    }
}
