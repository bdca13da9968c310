//! Instructions with their operands looked up beforehand.
//!
//! Hot loops consist of arithmetic, comparisons, copies and branches over registers and constants, and of
//! accesses to memory through a pointer with an index. For these, everything that does not depend on the state is worked out once: the constants of a
//! function are values of the domain in extra slots behind its locals, operands are slots, types of
//! integers are at hand. The steps of all blocks of a function lie in one list. Every step stands
//! for the instruction or terminator at the same position of its block, and does the same by the
//! same operations of the domain; only a comparison directly before the branch that depends on it
//! does both.

mod build;
mod memory;
mod step;

use super::{Control, broken};
use crate::domain::{Domain, Right};
use crate::value::Value;
use loupe_ir::program::{BinaryOp, BlockId, CompareOp};
use loupe_ir::types::{FloatType, IntType};
use loupe_ir::validate::ValueType;
use step::run_steps;

/// A place in the registers of a frame, or a constant behind them.
type Slot = u32;

/// A function, prepared.
pub(super) struct Prepared<D: Domain> {
    pub(super) steps: Vec<Step>,
    /// By block.
    pub(super) heads: Vec<Head>,
    /// Blocks that consist of a comparison and a branch on its result.
    pub(super) tests: Vec<Test>,
    /// Places in memory.
    places: Vec<Spot>,
    /// The values of the slots behind the locals.
    pub(super) constants: Vec<Value<D>>,
    /// Registers of calls that have ended, without values but for the constants behind them.
    pub(super) spare: Vec<Vec<Value<D>>>,
}

/// Where a block lies among the steps.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) start: u32,
    /// How many instructions and terminators it consists of.
    pub(super) cost: u32,
    /// How many may be executed in one go: these, and those of a test that its jump includes.
    pub(super) reserve: u32,
}

/// A block that consists of a comparison and a branch on its result, as headers of loops do.
#[derive(Clone)]
pub(super) struct Test {
    pub(super) block: BlockId,
    op: CompareOp,
    slots: Slots,
    then: BlockId,
    otherwise: BlockId,
}

/// A place in memory that one pointer leads to.
#[derive(Clone)]
struct Spot {
    /// Where the pointer is.
    base: Slot,
    /// How far from there, in units of memory.
    offset: u64,
    /// Where an index is, and how many units of memory its elements take.
    index: Option<(Slot, u64)>,
    /// What stands there.
    ty: ValueType,
}

/// How a block was left.
pub(super) enum Left {
    /// To another one.
    To(BlockId),
    /// Through the block of a [`Test`], to another one.
    Through(BlockId, BlockId),
}

/// An instruction or terminator. With a number of its own for each, which is faster to look at than what
/// the compiler would hide in the other parts.
#[derive(Clone)]
#[repr(u8)]
pub(super) enum Step {
    /// `target = a + b`
    Add(IntType, Slots),
    /// `target = a - b`
    Sub(IntType, Slots),
    /// `target = a * b`
    Mul(IntType, Slots),
    /// `target = a op b` on integers.
    Arithmetic(BinaryOp, IntType, Slots),
    /// `target = a op b`, where `a` and `b` are integers.
    Compare(CompareOp, Slots),
    /// `target = a ∧ b` on truth values.
    And(Slots),
    /// `target = a ∨ b` on truth values.
    Or(Slots),
    /// `target = a`
    Copy { target: Slot, a: Slot },
    /// `target = a` as an integer of another type.
    Convert { to: IntType, target: Slot, a: Slot },
    /// `target = a` as an integer, where `a` is a truth value.
    ConvertBool { to: IntType, target: Slot, a: Slot },
    /// `target = ¬a` on truth values.
    Not { target: Slot, a: Slot },
    /// `target = a op b` on floating point numbers.
    FloatArithmetic(BinaryOp, FloatType, Slots),
    /// The same for comparisons.
    FloatCompare(CompareOp, FloatType, Slots),
    /// `target = a op b` on pointers.
    ComparePointers(CompareOp, Slots),
    /// The value at a place, which is an index into [`Prepared::places`].
    Load { target: Slot, place: u32 },
    /// `place = a`
    Store { place: u32, a: Slot },
    /// The pointer to a place.
    AddressOf { target: Slot, place: u32 },
    /// A check that the truth value is true.
    Holds(Slot),
    /// A check that `a` is not 0; `zero` is.
    NonZero { a: Slot, zero: Slot },
    /// A check that a pointer is not null.
    NonNull(Slot),
    /// A check that `a` has a value.
    Initialised(Slot),
    /// A check that something has been written to a place.
    InitialisedAt(u32),
    /// A check that `size` units of memory can be used in this way.
    Accessible { right: Right, pointer: Slot, size: Slot },
    /// A check that the index is at least `zero` and less than the length.
    InRange { index: Slot, length: Slot, zero: Slot },
    /// A check that the mathematical result fits in the type.
    Fits(BinaryOp, IntType, Slots),
    /// To another block.
    Goto(BlockId),
    /// To another block that consists of a comparison and a branch on its result; both are done as
    /// well. An index into [`Prepared::tests`].
    GotoTest(u32),
    /// To one of two blocks.
    Branch { condition: Slot, then: BlockId, otherwise: BlockId },
    /// A comparison, and the branch on its result that follows it.
    CompareAndBranch { op: CompareOp, slots: Slots, then: BlockId, otherwise: BlockId },
    /// Anything else.
    General,
}

/// The slots of an instruction with two operands.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    target: Slot,
    a: Slot,
    b: Slot,
}

/// Why prepared steps were not executed to the end of the block.
pub(super) enum Stopped<D: Domain> {
    /// The next one is not prepared, or cannot be decided.
    General,
    /// The next one could not be carried out.
    Halt(D::Halt),
    /// The control wants to stop at the start of this block.
    At(BlockId),
}

/// Executes steps from `at` to the end of the block, and says which one is next.
#[inline(always)]
pub(super) fn run_block<D: Domain>(
    domain: &mut D,
    control: &mut impl Control<D>,
    memory: &mut D::Memory,
    locals: &mut [Value<D>],
    code: &Prepared<D>,
    at: &mut usize,
) -> Result<Left, Stopped<D>> {
    let steps = &code.steps[..];
    loop {
        match &steps[*at] {
            Step::Add(ty, slots) => slots.binary(domain, locals, BinaryOp::Add, *ty)?,
            Step::Sub(ty, slots) => slots.binary(domain, locals, BinaryOp::Sub, *ty)?,
            Step::Mul(ty, slots) => slots.binary(domain, locals, BinaryOp::Mul, *ty)?,
            Step::Arithmetic(op, ty, slots) => slots.binary(domain, locals, *op, *ty)?,
            Step::Compare(op, slots) => {
                slots.compare(domain, locals, *op)?;
            }
            Step::And(slots) => {
                let (a, b) = slots.truths(locals)?;
                let truth = domain.and(a, b);
                slots.put_bool(locals, truth);
            }
            Step::Or(slots) => {
                let (a, b) = slots.truths(locals)?;
                let truth = domain.or(a, b);
                slots.put_bool(locals, truth);
            }
            Step::Copy { target, a } => match &locals[*a as usize] {
                Value::Int(number) => {
                    let number = number.clone();
                    put_int(&mut locals[*target as usize], number);
                }
                other => locals[*target as usize] = other.clone(),
            },
            // A check that is not known to hold is left to those who report it.
            Step::NonZero { a, zero } => {
                let slots = Slots { target: *a, a: *a, b: *zero };
                let (a, zero) = slots.numbers(locals)?;
                demand(control, &domain.compare(CompareOp::Ne, a, zero))?;
            }
            Step::Initialised(a) => {
                if matches!(locals[*a as usize], Value::Uninitialised) {
                    return Err(Stopped::General);
                }
            }
            Step::Goto(target) => return Ok(Left::To(*target)),
            Step::GotoTest(index) => {
                let test = &code.tests[*index as usize];
                let condition = test.slots.compare(domain, locals, test.op)?;
                let next = match control.decide(&condition) {
                    Some(true) => test.then,
                    Some(false) => test.otherwise,
                    // To be decided when the test is executed as a block of its own.
                    None => return Ok(Left::To(test.block)),
                };
                return Ok(Left::Through(test.block, next));
            }
            Step::Branch { condition, then, otherwise } => {
                let Value::Bool(condition) = &locals[*condition as usize] else {
                    return Err(Stopped::General);
                };
                let decision = control.decide(condition).ok_or(Stopped::General)?;
                return Ok(Left::To(if decision { *then } else { *otherwise }));
            }
            Step::CompareAndBranch { op, slots, then, otherwise } => {
                let condition = slots.compare(domain, locals, *op)?;
                match control.decide(&condition) {
                    Some(true) => return Ok(Left::To(*then)),
                    Some(false) => return Ok(Left::To(*otherwise)),
                    // The comparison is done, the branch is not.
                    None => {
                        *at += 1;
                        return Err(Stopped::General);
                    }
                }
            }
            Step::General => return Err(Stopped::General),
            _ => {
                // A copy, so that the position itself can stay in a register of the machine.
                let mut there = *at;
                let done = run_steps(domain, control, memory, locals, code, &mut there);
                *at = there;
                done?;
                continue;
            }
        }
        *at += 1;
    }
}

/// That a check is known to hold.
#[inline(always)]
fn demand<D: Domain>(control: &mut impl Control<D>, holds: &D::Bool) -> Result<(), Stopped<D>> {
    if control.decide(holds) == Some(true) { Ok(()) } else { Err(Stopped::General) }
}

/// Writes a number; most often there was one before, which is cheaper to replace.
#[inline(always)]
fn put_int<D: Domain>(slot: &mut Value<D>, number: D::Int) {
    match slot {
        Value::Int(old) => *old = number,
        other => *other = Value::Int(number),
    }
}

impl Slots {
    /// `target = a op b`
    #[inline(always)]
    fn binary<D: Domain>(
        &self,
        domain: &mut D,
        locals: &mut [Value<D>],
        op: BinaryOp,
        ty: IntType,
    ) -> Result<(), Stopped<D>> {
        let (a, b) = (&locals[self.a as usize], &locals[self.b as usize]);
        if let Some(result) = D::quick_binary(op, ty, a, b) {
            put_int(&mut locals[self.target as usize], result);
            return Ok(());
        }
        self.binary_slow(domain, locals, op, ty)
    }

    /// Apart, so that what it needs does not burden the fast way.
    #[cold]
    #[inline(never)]
    fn binary_slow<D: Domain>(
        &self,
        domain: &mut D,
        locals: &mut [Value<D>],
        op: BinaryOp,
        ty: IntType,
    ) -> Result<(), Stopped<D>> {
        let (a, b) = self.numbers(locals)?;
        let result = domain.binary(op, ty, a, b).map_err(Stopped::Halt)?;
        put_int(&mut locals[self.target as usize], result);
        Ok(())
    }

    /// `target = a op b`
    #[inline(always)]
    fn compare<D: Domain>(
        &self,
        domain: &mut D,
        locals: &mut [Value<D>],
        op: CompareOp,
    ) -> Result<D::Bool, Stopped<D>> {
        let (a, b) = (&locals[self.a as usize], &locals[self.b as usize]);
        let truth = match D::quick_compare(op, a, b) {
            Some(truth) => truth,
            None => self.compare_slow(domain, locals, op)?,
        };
        self.put_bool(locals, truth.clone());
        Ok(truth)
    }

    #[cold]
    #[inline(never)]
    fn compare_slow<D: Domain>(
        &self,
        domain: &mut D,
        locals: &[Value<D>],
        op: CompareOp,
    ) -> Result<D::Bool, Stopped<D>> {
        let (a, b) = self.numbers(locals)?;
        Ok(domain.compare(op, a, b))
    }

    #[inline(always)]
    fn put_bool<D: Domain>(&self, locals: &mut [Value<D>], truth: D::Bool) {
        match &mut locals[self.target as usize] {
            Value::Bool(old) => *old = truth,
            other => *other = Value::Bool(truth),
        }
    }

    /// The operands, if they are truth values.
    #[inline(always)]
    fn truths<'v, D: Domain>(
        &self,
        locals: &'v [Value<D>],
    ) -> Result<(&'v D::Bool, &'v D::Bool), Stopped<D>> {
        match (&locals[self.a as usize], &locals[self.b as usize]) {
            (Value::Bool(a), Value::Bool(b)) => Ok((a, b)),
            _ => Err(Stopped::General),
        }
    }

    /// The operands, if they are numbers.
    #[inline(always)]
    fn numbers<'v, D: Domain>(
        &self,
        locals: &'v [Value<D>],
    ) -> Result<(&'v D::Int, &'v D::Int), Stopped<D>> {
        match (&locals[self.a as usize], &locals[self.b as usize]) {
            (Value::Int(a), Value::Int(b)) => Ok((a, b)),
            (a, b) => Err(no_numbers(a, b)),
        }
    }
}

#[cold]
fn no_numbers<D: Domain>(a: &Value<D>, b: &Value<D>) -> Stopped<D> {
    Stopped::Halt(broken::<D>(format!("numbers were expected, not {a:?} and {b:?}")))
}
