//! The meaning of instructions, once for all domains.
//!
//! [`Machine::advance`] executes instructions of a [`State`] up to an [`Event`]. It decides nothing:
//! conditions of checks, assumptions and branches are truth values of the domain, and a [`Control`]
//! says what they are, if that can be said. A concrete driver knows all of them; for a symbolic one
//! the event says what is open, and it forks.

mod call;
mod convert;
mod leak;
mod operand;
mod place;
mod predicate;
mod prepared;
mod rvalue;

use crate::domain::{Access, Contents, Domain, InternalError, NewObject, Origin, World};
use crate::state::{Frame, State};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::check::Check;
use loupe_ir::program::{
    BlockId, Function, FunctionId, Global, GlobalAccess, GlobalId, Instruction, InstructionKind,
    Intrinsic, LocalId, Operand, Program, TerminatorKind,
};
use loupe_ir::types::Type;
use loupe_ir::validate::const_type;
use prepared::{Left, Prepared, Stopped, run_block};
use std::collections::BTreeMap;

/// What stopped the execution, and what the driver has to decide.
#[derive(Debug)]
pub enum Event<'p, D: Domain> {
    /// So many instructions as allowed have been executed.
    Paused,
    /// The state stands at the start of a block where [`Control::stops`].
    Entered,
    /// A check does not hold, or nobody knows. If it holds, execution can go on; if not, it ends in
    /// an error.
    Checked {
        /// The check.
        check: &'p Check,
        /// Whether it holds.
        holds: D::Bool,
        /// The instruction, for its place.
        instruction: &'p Instruction,
    },
    /// The same for an assumption; if it does not hold, execution ends harmlessly.
    Assumed(D::Bool),
    /// A number was put out.
    Output(D::Int),
    /// Bytes were written to the outside; the domain has them.
    Written,
    /// The driver must [`Machine::enter`] one of two blocks.
    Branch {
        /// The condition.
        condition: D::Bool,
        /// The block if it is true.
        then: BlockId,
        /// The block if it is false.
        otherwise: BlockId,
    },
    /// The driver must [`Machine::enter`] the block of a value.
    Switch {
        /// The value.
        value: D::Int,
        /// Values and their blocks.
        cases: &'p [(Integer, BlockId)],
        /// The block of any other value.
        default: BlockId,
    },
    /// A function was entered.
    Called,
    /// A function returned to its caller.
    Returned,
    /// The entry function returned.
    Finished(Option<Value<D>>),
    /// The program ended with this status.
    Exited(D::Int),
    /// The program ended abnormally, which is no error.
    Aborted,
}

/// Decisions that need no look at the whole state.
pub trait Control<D: Domain> {
    /// The condition, if it is known.
    fn decide(&mut self, condition: &D::Bool) -> Option<bool>;
    /// `function` goes from one block to another.
    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId);
    /// Whether execution stops there, before the first instruction of the other block.
    #[inline]
    fn stops(&mut self, _function: FunctionId, _from: BlockId, _to: BlockId) -> bool {
        false
    }
}

/// What global variables hold in a new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Globals {
    /// What they hold when the program starts.
    Initial,
    /// Nothing, but for those that nobody may write to.
    Uninitialised,
}

/// Executes a program over a domain.
pub struct Machine<'p, D: Domain> {
    /// The program.
    pub program: &'p Program,
    /// The domain.
    pub domain: D,
    prepared: Vec<Prepared<D>>,
    /// The live registers of functions that somebody has asked for.
    liveness: BTreeMap<FunctionId, Liveness<'p>>,
}

pub(crate) fn broken<D: Domain>(what: impl Into<String>) -> D::Halt {
    D::Halt::from(InternalError(what.into()))
}

/// What is not prepared.
enum General {
    Instruction,
    Terminator,
    /// The control wants to stop at the start of a block.
    Stop,
}

impl<'p, D: Domain> Machine<'p, D> {
    /// A machine for `program`, which must be valid.
    pub fn new(program: &'p Program, domain: D) -> Self {
        let mut machine =
            Machine { program, domain, prepared: Vec::new(), liveness: BTreeMap::new() };
        machine.prepared =
            program.functions.iter().map(|f| Prepared::new(&mut machine, f)).collect();
        machine
    }

    /// The state before the first instruction of the entry function.
    pub fn start(
        &mut self,
        memory: D::Memory,
        streams: D::Streams,
        arguments: Vec<Value<D>>,
    ) -> Result<State<D>, D::Halt> {
        let mut state = self.stage(memory, streams, Globals::Initial)?;
        self.call_entry(&mut state, arguments)?;
        Ok(state)
    }

    /// A state with all global variables and no call.
    ///
    /// # Errors
    ///
    /// If the domain cannot make the objects.
    pub fn stage(
        &mut self,
        memory: D::Memory,
        streams: D::Streams,
        globals: Globals,
    ) -> Result<State<D>, D::Halt> {
        let mut state = State { frames: Vec::new(), below: None, memory, streams };
        let is_open = |global: &Global| {
            globals == Globals::Uninitialised && global.access == GlobalAccess::ReadWrite
        };
        // All of them before their values, which may point to any of them.
        for (number, global) in (0..).zip(&self.program.globals) {
            let object = NewObject {
                element: global.ty,
                count: self.domain.int(&Integer::ONE),
                contents: if is_open(global) { Contents::Uninitialised } else { Contents::Zero },
                origin: Origin::Global(GlobalId(number)),
                access: global.access,
            };
            self.allocate(&mut state, object)?;
        }
        for (number, global) in (0..).zip(&self.program.globals) {
            if !is_open(global) {
                self.initialise(&mut state, GlobalId(number), global)?;
            }
        }
        Ok(state)
    }

    fn initialise(
        &mut self,
        state: &mut State<D>,
        number: GlobalId,
        global: &Global,
    ) -> Result<(), D::Halt> {
        for (offset, constant) in &global.initial {
            let start = self.domain.global(number);
            let pointer = self.advance_by(&state.memory, &start, *offset)?;
            let value = self.constant(constant)?;
            let access = Access { pointer, ty: const_type(constant), first_bit: None };
            self.domain.store(&self.program.types, &mut state.memory, &access, value)?;
        }
        Ok(())
    }

    /// Executes instructions until something must be decided, or `budget` is used up; terminators
    /// count as instructions.
    pub fn advance(
        &mut self,
        state: &mut State<D>,
        control: &mut impl Control<D>,
        budget: &mut u64,
    ) -> Result<Event<'p, D>, D::Halt> {
        let program = self.program;
        loop {
            let Some(general) = self.advance_prepared(state, control, budget)? else {
                return Ok(Event::Paused);
            };
            if let General::Stop = general {
                return Ok(Event::Entered);
            }
            *budget -= 1;
            let frame = Self::frame(state)?;
            let function = program.function(frame.function);
            let block = function.block(frame.block);
            let event = match general {
                General::Terminator => {
                    self.terminate(state, control, function, &block.terminator.kind)?
                }
                General::Instruction => {
                    let instruction = &block.instructions[frame.next];
                    frame.next += 1;
                    self.execute(state, control, function, instruction)?
                }
                General::Stop => Some(Event::Entered),
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Executes prepared steps of the innermost call up to one that is not prepared, or that is too
    /// close to the end of the budget; `None` if the budget is used up.
    #[inline(never)] // alone, its loop fits in the machine's registers
    fn advance_prepared(
        &mut self,
        state: &mut State<D>,
        control: &mut impl Control<D>,
        budget: &mut u64,
    ) -> Result<Option<General>, D::Halt> {
        if *budget == 0 {
            return Ok(None);
        }
        let State { frames, memory, .. } = state;
        let Some(frame) = frames.last_mut() else {
            return Err(broken::<D>("no active call"));
        };
        let Machine { domain, prepared, .. } = self;
        let code = &prepared[frame.function.index()];
        let locals = &mut frame.locals[..];
        let mut block = frame.block;
        let mut head = code.heads[block.index()];
        let mut at = head.start as usize + frame.next;
        // The budget as it was, or would have been, at the start of the block.
        let mut left = *budget + frame.next as u64;
        let stopped = loop {
            // The budget is settled block by block.
            if left <= u64::from(head.reserve) {
                break Stopped::General;
            }
            let target = match run_block(domain, control, memory, locals, code, &mut at) {
                Ok(Left::To(target)) => target,
                Ok(Left::Through(test, target)) => {
                    control.edge(frame.function, block, test);
                    if control.stops(frame.function, block, test) {
                        // The comparison was made already; made again, it gives the same.
                        break Stopped::At(test);
                    }
                    left -= 2;
                    block = test;
                    // What the block itself costs is subtracted below.
                    target
                }
                Err(stopped) => break stopped,
            };
            control.edge(frame.function, block, target);
            if control.stops(frame.function, block, target) {
                break Stopped::At(target);
            }
            left -= u64::from(head.cost);
            block = target;
            head = code.heads[block.index()];
            at = head.start as usize;
        };
        if let Stopped::At(target) = stopped {
            *budget = left - u64::from(head.cost);
            (frame.block, frame.next) = (target, 0);
            return Ok(Some(General::Stop));
        }
        frame.block = block;
        frame.next = at - head.start as usize;
        *budget = left - frame.next as u64;
        match stopped {
            Stopped::General if frame.next as u32 + 1 == head.cost => Ok(Some(General::Terminator)),
            Stopped::General => Ok(Some(General::Instruction)),
            Stopped::Halt(halt) => {
                // Like other instructions, this one has been passed when it fails.
                frame.next += 1;
                *budget -= 1;
                Err(halt)
            }
            Stopped::At(_) => Ok(Some(General::Stop)),
        }
    }

    /// Executes an instruction that is not prepared.
    fn execute(
        &mut self,
        state: &mut State<D>,
        control: &mut impl Control<D>,
        function: &'p Function,
        instruction: &'p Instruction,
    ) -> Result<Option<Event<'p, D>>, D::Halt> {
        match &instruction.kind {
            InstructionKind::Assign { target, value } => {
                let value = self.rvalue(state, function, value)?;
                Self::frame(state)?.locals[target.index()] = value;
                Ok(None)
            }
            InstructionKind::Check(check) => {
                let holds = self.predicate(state, function, &check.predicate)?;
                let decided = control.decide(&holds) == Some(true);
                Ok((!decided).then_some(Event::Checked { check, holds, instruction }))
            }
            InstructionKind::Assume(condition) => {
                let holds = self.bool_operand(Self::frame(state)?, condition)?;
                let decided = control.decide(&holds) == Some(true);
                Ok((!decided).then_some(Event::Assumed(holds)))
            }
            InstructionKind::Store { place, value } => {
                let value = self.operand(Self::frame(state)?, value)?;
                self.store(state, function, place, value)?;
                Ok(None)
            }
            other => self.execute_rare(state, function, other),
        }
    }

    /// The instructions that are neither assignments nor conditions.
    fn execute_rare(
        &mut self,
        state: &mut State<D>,
        function: &'p Function,
        kind: &'p InstructionKind,
    ) -> Result<Option<Event<'p, D>>, D::Halt> {
        let frame = Self::frame(state)?;
        match kind {
            InstructionKind::Call { target, callee, arguments } => {
                self.call_operand(state, *target, callee, arguments)?;
                Ok(Some(Event::Called))
            }
            InstructionKind::Output(value) => {
                Ok(Some(Event::Output(self.int_operand(frame, value)?.into_owned())))
            }
            InstructionKind::Live(local) => {
                self.declare(state, function, *local)?;
                Ok(None)
            }
            InstructionKind::Dead(local) => {
                if let Value::Pointer(object) = frame.locals[local.index()].clone() {
                    self.domain.release(&mut state.memory, &object)?;
                }
                Ok(None)
            }
            InstructionKind::Free(pointer) => {
                let pointer = self.pointer_operand(frame, pointer)?;
                self.domain.release(&mut state.memory, &pointer)?;
                Ok(None)
            }
            InstructionKind::Copy { to, from, count } => {
                let to = self.pointer_operand(frame, to)?;
                let from = self.pointer_operand(frame, from)?;
                let count = self.int_operand(frame, count)?.into_owned();
                let types = &self.program.types;
                self.domain.copy(types, &mut state.memory, (&to, &from), &count)?;
                Ok(None)
            }
            InstructionKind::Fill { to, byte, count } => {
                let to = self.pointer_operand(frame, to)?;
                let byte = self.int_operand(frame, byte)?.into_owned();
                let count = self.int_operand(frame, count)?.into_owned();
                self.domain.fill(&self.program.types, &mut state.memory, &to, &byte, &count)?;
                Ok(None)
            }
            InstructionKind::Intrinsic { target, intrinsic, arguments } => {
                self.intrinsic(state, function, *target, *intrinsic, arguments)
            }
            InstructionKind::Assign { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::Assume(_)
            | InstructionKind::Check(_) => {
                Err(broken::<D>("an instruction that is executed elsewhere"))
            }
        }
    }

    fn intrinsic(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        target: Option<LocalId>,
        intrinsic: Intrinsic,
        arguments: &[Operand],
    ) -> Result<Option<Event<'p, D>>, D::Halt> {
        let frame = Self::frame(state)?;
        let arguments = arguments.iter().map(|argument| self.operand(frame, argument));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let State { memory, streams, .. } = &mut *state;
        let world = World { types: &self.program.types, memory, streams };
        let result = self.domain.intrinsic(world, intrinsic, &arguments)?;
        if let Some(target) = target {
            let result = result.ok_or_else(|| broken::<D>("a result where there is none"))?;
            let ty = self.program.types.get(function.local(target).ty);
            let result = match (result, ty) {
                (Value::Int(number), Type::Int(ty)) => Value::Int(self.domain.wrap(*ty, &number)),
                (other, _) => other,
            };
            Self::frame(state)?.locals[target.index()] = result;
        }
        let written = matches!(intrinsic, Intrinsic::PutByte | Intrinsic::Print);
        Ok(written.then_some(Event::Written))
    }

    /// Executes a terminator that is not prepared, or that needs a decision.
    fn terminate(
        &mut self,
        state: &mut State<D>,
        control: &mut impl Control<D>,
        function: &'p Function,
        kind: &'p TerminatorKind,
    ) -> Result<Option<Event<'p, D>>, D::Halt> {
        let frame = Self::frame(state)?;
        let event = match kind {
            TerminatorKind::Goto(next) => {
                let (function, from) = (frame.function, frame.block);
                control.edge(function, from, *next);
                Self::enter(state, *next);
                return Ok(control.stops(function, from, *next).then_some(Event::Entered));
            }
            TerminatorKind::Branch { condition, then, otherwise } => Event::Branch {
                condition: self.bool_operand(frame, condition)?,
                then: *then,
                otherwise: *otherwise,
            },
            TerminatorKind::Switch { value, cases, default } => Event::Switch {
                value: self.int_operand(frame, value)?.into_owned(),
                cases,
                default: *default,
            },
            TerminatorKind::Return(value) => {
                let value = value.as_ref().map(|value| self.operand(frame, value)).transpose()?;
                self.leave(state, value)?
            }
            TerminatorKind::Exit(status) => {
                Event::Exited(self.int_operand(frame, status)?.into_owned())
            }
            TerminatorKind::Abort => Event::Aborted,
            TerminatorKind::Unreachable => {
                let name = &function.name;
                return Err(broken::<D>(format!("an unreachable place was reached in `{name}`")));
            }
        };
        Ok(Some(event))
    }

    /// Goes to the start of a block of the innermost function.
    #[inline]
    pub fn enter(state: &mut State<D>, block: BlockId) {
        if let Some(frame) = state.frames.last_mut() {
            frame.block = block;
            frame.next = 0;
        }
    }

    #[inline]
    fn frame(state: &mut State<D>) -> Result<&mut Frame<D>, D::Halt> {
        state.frames.last_mut().ok_or_else(|| broken::<D>("no active call"))
    }
}
