//! The meaning of instructions, once for all domains.
//!
//! [`Machine::advance`] executes instructions of a [`State`] up to an [`Event`]. It decides nothing:
//! conditions of checks, assumptions and branches are truth values of the domain, and a [`Control`]
//! says what they are, if that can be said. A concrete driver knows all of them; for a symbolic one
//! the event says what is open, and it forks.

mod place;
mod predicate;
mod prepared;
mod rvalue;

use crate::domain::{Contents, Domain, InternalError, NewObject, Origin};
use crate::state::{Frame, State};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::Check;
use loupe_ir::program::{
    BlockId, Const, Function, FunctionId, Instruction, InstructionKind, LocalId, Operand, Program,
    Storage, TerminatorKind,
};
use loupe_ir::types::{IntType, Type, TypeId};
use prepared::{Left, Prepared, Stopped, run_block};
use std::borrow::Cow;

/// What stopped the execution, and what the driver has to decide.
#[derive(Debug)]
pub enum Event<'p, D: Domain> {
    /// So many instructions as allowed have been executed.
    Paused,
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
}

/// Executes a program over a domain.
pub struct Machine<'p, D: Domain> {
    /// The program.
    pub program: &'p Program,
    /// The domain.
    pub domain: D,
    prepared: Vec<Prepared<D>>,
    /// Room for the registers of calls to come.
    spare: Vec<Vec<Value<D>>>,
}

/// So much room is kept.
const MAX_SPARE: usize = 64;

pub(crate) fn broken<D: Domain>(what: impl Into<String>) -> D::Halt {
    D::Halt::from(InternalError(what.into()))
}

/// What is not prepared.
enum General {
    Instruction,
    Terminator,
}

impl<'p, D: Domain> Machine<'p, D> {
    /// A machine for `program`, which must be valid.
    pub fn new(program: &'p Program, domain: D) -> Self {
        let mut machine = Machine { program, domain, prepared: Vec::new(), spare: Vec::new() };
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
        let mut state = State { frames: Vec::new(), memory, globals: Vec::new(), streams };
        for global in &self.program.globals {
            let pointer =
                self.allocate_one(&mut state, global.ty, Origin::Global, Contents::Zero)?;
            for (offset, value) in &global.initial {
                let place = self.advance_by(&pointer, *offset)?;
                let value = self.constant(value);
                let ty = match value {
                    Value::Pointer(_) => TypeId::POINTER,
                    Value::Function(_) => TypeId::FUNCTION,
                    _ => TypeId::ANY,
                };
                let types = &self.program.types;
                self.domain.store(types, &mut state.memory, &place, ty, value)?;
            }
            state.globals.push(pointer);
        }
        self.call(&mut state, self.program.entry, arguments, None)?;
        Ok(state)
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
            let frame = Self::frame(state)?;
            let Some(general) = self.advance_prepared(frame, control, budget)? else {
                return Ok(Event::Paused);
            };
            *budget -= 1;
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
        frame: &mut Frame<D>,
        control: &mut impl Control<D>,
        budget: &mut u64,
    ) -> Result<Option<General>, D::Halt> {
        if *budget == 0 {
            return Ok(None);
        }
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
            let target = match run_block(domain, control, locals, code, &mut at) {
                Ok(Left::To(target)) => target,
                Ok(Left::Through(test, target)) => {
                    control.edge(frame.function, block, test);
                    left -= 2;
                    block = test;
                    // What the block itself costs is subtracted below.
                    target
                }
                Err(stopped) => break stopped,
            };
            left -= u64::from(head.cost);
            control.edge(frame.function, block, target);
            block = target;
            head = code.heads[block.index()];
            at = head.start as usize;
        };
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
                let value = self.operand(Self::frame(state)?, value);
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
                let Value::Function(callee) = self.operand(frame, callee) else {
                    return Err(broken::<D>("a call of something that is no function"));
                };
                let mut locals = self.spare.pop().unwrap_or_default();
                locals.extend(arguments.iter().map(|a| self.operand(frame, a)));
                self.call(state, callee, locals, *target)?;
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
            InstructionKind::Assign { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::Assume(_)
            | InstructionKind::Check(_) => {
                Err(broken::<D>("an instruction that is executed elsewhere"))
            }
        }
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
                control.edge(frame.function, frame.block, *next);
                Self::enter(state, *next);
                return Ok(None);
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
                let value = value.as_ref().map(|value| self.operand(frame, value));
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

    /// Returns from the innermost call, and keeps the room of its registers for the next one.
    fn leave(
        &mut self,
        state: &mut State<D>,
        value: Option<Value<D>>,
    ) -> Result<Event<'p, D>, D::Halt> {
        let Some(mut frame) = state.frames.pop() else {
            return Err(broken::<D>("no active call"));
        };
        if self.spare.len() < MAX_SPARE {
            frame.locals.clear();
            self.spare.push(frame.locals);
        }
        let Some(caller) = state.frames.last_mut() else {
            return Ok(Event::Finished(value));
        };
        if let Some(target) = frame.target {
            caller.locals[target.index()] =
                value.ok_or_else(|| broken::<D>("a result where there is none"))?;
        }
        Ok(Event::Returned)
    }

    /// Goes to the start of a block of the innermost function.
    #[inline]
    pub fn enter(state: &mut State<D>, block: BlockId) {
        if let Some(frame) = state.frames.last_mut() {
            frame.block = block;
            frame.next = 0;
        }
    }

    fn call(
        &mut self,
        state: &mut State<D>,
        callee: FunctionId,
        arguments: Vec<Value<D>>,
        target: Option<LocalId>,
    ) -> Result<(), D::Halt> {
        let function = self.program.function(callee);
        if arguments.len() != function.params {
            return Err(broken::<D>(format!("`{}` is called with a wrong arity", function.name)));
        }
        let constants = &self.prepared[callee.index()].constants;
        self.domain.spend(function.locals.len() + constants.len())?;
        let mut locals = arguments;
        locals.reserve(function.locals.len() + constants.len() - function.params);
        locals.resize_with(function.locals.len(), || Value::Uninitialised);
        locals.extend_from_slice(constants);
        for (local, value) in function.locals.iter().zip(&mut locals).take(function.params) {
            if local.storage == Storage::Memory {
                let held = Contents::Repeat(std::mem::replace(value, Value::Uninitialised));
                let object = self.allocate_one(state, local.ty, Origin::Local, held)?;
                *value = Value::Pointer(object);
            }
        }
        let frame = Frame { function: callee, block: BlockId(0), next: 0, locals, target };
        state.frames.push(frame);
        Ok(())
    }

    fn declare(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        local: LocalId,
    ) -> Result<(), D::Halt> {
        let declaration = function.local(local);
        let value = match declaration.storage {
            Storage::Register => Value::Uninitialised,
            Storage::Memory => {
                let nothing = Contents::Uninitialised;
                let object = self.allocate_one(state, declaration.ty, Origin::Local, nothing)?;
                Value::Pointer(object)
            }
        };
        Self::frame(state)?.locals[local.index()] = value;
        Ok(())
    }

    fn allocate_one(
        &mut self,
        state: &mut State<D>,
        element: TypeId,
        origin: Origin,
        contents: Contents<D>,
    ) -> Result<D::Pointer, D::Halt> {
        let count = self.domain.int(&Integer::ONE);
        let object = NewObject { element, count, contents, origin };
        self.domain.allocate(&self.program.types, &mut state.memory, object)
    }

    fn advance_by(&mut self, pointer: &D::Pointer, units: u64) -> Result<D::Pointer, D::Halt> {
        let units = self.domain.int(&Integer::from(units));
        self.domain.advance(pointer, &units)
    }

    #[inline]
    fn frame(state: &mut State<D>) -> Result<&mut Frame<D>, D::Halt> {
        state.frames.last_mut().ok_or_else(|| broken::<D>("no active call"))
    }

    /// The value of an operand.
    #[inline]
    pub fn operand(&mut self, frame: &Frame<D>, operand: &Operand) -> Value<D> {
        match operand {
            Operand::Local(local) => frame.locals[local.index()].clone(),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    fn constant(&mut self, constant: &Const) -> Value<D> {
        match constant {
            Const::Int(value, _) => Value::Int(self.domain.int(value)),
            Const::Bool(value) => Value::Bool(self.domain.bool(*value)),
            Const::Null => Value::Pointer(self.domain.null()),
            Const::Function(function) => Value::Function(*function),
        }
    }

    #[inline]
    fn int_operand<'f>(
        &mut self,
        frame: &'f Frame<D>,
        operand: &Operand,
    ) -> Result<Cow<'f, D::Int>, D::Halt> {
        match operand {
            Operand::Local(local) => match &frame.locals[local.index()] {
                Value::Int(value) => Ok(Cow::Borrowed(value)),
                other => Err(broken::<D>(format!("a number was expected, not {other:?}"))),
            },
            Operand::Const(Const::Int(value, _)) => Ok(Cow::Owned(self.domain.int(value))),
            Operand::Const(other) => {
                Err(broken::<D>(format!("a number was expected, not {other:?}")))
            }
        }
    }

    #[inline]
    fn bool_operand(&mut self, frame: &Frame<D>, operand: &Operand) -> Result<D::Bool, D::Halt> {
        match operand {
            Operand::Local(local) => match &frame.locals[local.index()] {
                Value::Bool(value) => Ok(value.clone()),
                other => Err(broken::<D>(format!("a truth value was expected, not {other:?}"))),
            },
            Operand::Const(Const::Bool(value)) => Ok(self.domain.bool(*value)),
            Operand::Const(other) => {
                Err(broken::<D>(format!("a truth value was expected, not {other:?}")))
            }
        }
    }

    fn pointer_operand(
        &mut self,
        frame: &Frame<D>,
        operand: &Operand,
    ) -> Result<D::Pointer, D::Halt> {
        match self.operand(frame, operand) {
            Value::Pointer(pointer) => Ok(pointer),
            other => Err(broken::<D>(format!("a pointer was expected, not {other:?}"))),
        }
    }

    /// The integers that an operand is one of.
    #[inline]
    fn int_type(&self, function: &Function, operand: &Operand) -> Result<IntType, D::Halt> {
        match operand {
            Operand::Const(Const::Int(_, ty)) => Ok(*ty),
            Operand::Local(local) => self.int_type_of(function.local(*local).ty),
            Operand::Const(other) => Err(broken::<D>(format!("{other:?} is no integer"))),
        }
    }

    #[inline]
    fn int_type_of(&self, ty: TypeId) -> Result<IntType, D::Halt> {
        match self.program.types.get(ty) {
            Type::Int(int) => Ok(*int),
            other => Err(broken::<D>(format!("{other:?} is no type of integers"))),
        }
    }
}
