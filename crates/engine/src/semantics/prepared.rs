//! Instructions with their operands looked up beforehand.
//!
//! Hot loops consist of arithmetic, comparisons, copies and branches over registers and constants.
//! For these, everything that does not depend on the state is worked out once: the constants of a
//! function are values of the domain in extra slots behind its locals, operands are slots, types of
//! integers are at hand. The steps of all blocks of a function lie in one list. Every step stands
//! for the instruction or terminator at the same position of its block, and does the same by the
//! same operations of the domain; only a comparison directly before the branch that depends on it
//! does both.

use super::{Control, Machine, broken};
use crate::domain::Domain;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::Predicate;
use loupe_ir::program::{
    Base, BinaryOp, BlockId, CompareOp, Const, Function, InstructionKind, Operand, Place, Rvalue,
    Storage, TerminatorKind,
};
use loupe_ir::types::IntType;
use std::collections::HashMap;

/// A place in the registers of a frame, or a constant behind them.
type Slot = u32;

/// A function, prepared.
pub(super) struct Prepared<D: Domain> {
    pub(super) steps: Vec<Step>,
    /// By block.
    pub(super) heads: Vec<Head>,
    /// Blocks that consist of a comparison and a branch on its result.
    pub(super) tests: Vec<Test>,
    /// The values of the slots behind the locals.
    pub(super) constants: Vec<Value<D>>,
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

/// How a block was left.
pub(super) enum Left {
    /// To another one.
    To(BlockId),
    /// Through the block of a [`Test`], to another one.
    Through(BlockId, BlockId),
}

/// An instruction or terminator.
#[derive(Clone)]
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
    /// A check that `a` is not 0; `zero` is.
    NonZero { a: Slot, zero: Slot },
    /// A check that `a` has a value.
    Initialised(Slot),
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
}

/// Executes steps from `at` to the end of the block, and says which one is next.
#[inline(always)]
pub(super) fn run_block<D: Domain>(
    domain: &mut D,
    control: &mut impl Control<D>,
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
                let holds = domain.compare(CompareOp::Ne, a, zero);
                if control.decide(&holds) != Some(true) {
                    return Err(Stopped::General);
                }
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
        }
        *at += 1;
    }
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
        let (a, b) = self.numbers(locals)?;
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
        let (a, b) = self.numbers(locals)?;
        let truth = domain.compare(op, a, b);
        self.put_bool(locals, truth.clone());
        Ok(truth)
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

impl<D: Domain> Prepared<D> {
    pub(super) fn new(machine: &mut Machine<'_, D>, function: &Function) -> Self {
        let mut slots =
            Preparation { machine, function, constants: Vec::new(), slots: HashMap::new() };
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
        Prepared { steps, heads, tests, constants: slots.constants }
    }
}

/// Lets jumps to a test do the test as well. The two steps of the test are added to what the block of
/// the jump costs.
fn join_tests(steps: &mut [Step], heads: &mut [Head]) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut known: HashMap<BlockId, u32> = HashMap::new();
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
    slots: HashMap<Const, Slot>,
}

impl<D: Domain> Preparation<'_, '_, '_, D> {
    fn instruction(&mut self, kind: &InstructionKind) -> Step {
        let step = match kind {
            InstructionKind::Assign { target, value } => self.assignment(target.0, value),
            InstructionKind::Check(check) => self.check(&check.predicate),
            _ => None,
        };
        step.unwrap_or(Step::General)
    }

    fn assignment(&mut self, target: Slot, value: &Rvalue) -> Option<Step> {
        Some(match value {
            Rvalue::Binary(BinaryOp::And, a, b) => Step::And(self.slots(target, a, b)?),
            Rvalue::Binary(BinaryOp::Or, a, b) => Step::Or(self.slots(target, a, b)?),
            Rvalue::Binary(op, a, b) => {
                let ty = self.int_type(a)?;
                self.int_type(b)?;
                let slots = self.slots(target, a, b)?;
                match op {
                    BinaryOp::Add => Step::Add(ty, slots),
                    BinaryOp::Sub => Step::Sub(ty, slots),
                    BinaryOp::Mul => Step::Mul(ty, slots),
                    other => Step::Arithmetic(*other, ty, slots),
                }
            }
            Rvalue::Compare(op, a, b) => {
                self.int_type(a)?;
                self.int_type(b)?;
                Step::Compare(*op, self.slots(target, a, b)?)
            }
            Rvalue::Use(a) => Step::Copy { target, a: self.slot(a)? },
            _ => return None,
        })
    }

    fn check(&mut self, predicate: &Predicate) -> Option<Step> {
        match predicate {
            Predicate::NonZero(a) => {
                let zero = Operand::Const(Const::Int(Integer::ZERO, self.int_type(a)?));
                Some(Step::NonZero { a: self.slot(a)?, zero: self.slot(&zero)? })
            }
            Predicate::Initialised(Place { base: Base::Local(local), projections })
                if projections.is_empty()
                    && self.function.local(*local).storage == Storage::Register =>
            {
                Some(Step::Initialised(local.0))
            }
            _ => None,
        }
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
