//! Calls, and the objects of local variables.

use super::prepared::Prepared;
use super::{Event, Machine, broken};
use crate::domain::{Contents, Domain, NewObject, Origin, World};
use crate::state::{CallerKnows, Frame, State};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{
    BlockId, Const, Function, FunctionId, GlobalAccess, LocalId, Operand, Storage,
};
use loupe_ir::types::{Type, TypeId};

/// The registers of so many calls of a function are kept for calls to come.
const MAX_SPARE: usize = 64;

impl<'p, D: Domain> Machine<'p, D> {
    /// Calls what an operand is.
    pub(super) fn call_operand(
        &mut self,
        state: &mut State<D>,
        target: Option<LocalId>,
        callee: &Operand,
        arguments: &[Operand],
    ) -> Result<(), D::Halt> {
        let frame = Self::frame(state)?;
        let (callee, caller_knows) = match callee {
            Operand::Const(Const::Function(callee)) => (*callee, CallerKnows::Function),
            operand => match self.operand(frame, operand)? {
                Value::Function(callee) => (callee, CallerKnows::Value),
                _ => return Err(broken::<D>("a call of something that is no function")),
            },
        };
        let mut locals = self.room(callee, arguments.len())?;
        for (slot, argument) in locals.iter_mut().zip(arguments) {
            *slot = self.operand(frame, argument)?;
        }
        if caller_knows == CallerKnows::Value {
            // The types need only be alike, so that numbers may be of the other signedness.
            let parameters = &self.program.function(callee).locals[..arguments.len()];
            for (value, parameter) in locals.iter_mut().zip(parameters) {
                self.adapt(value, parameter.ty);
            }
        }
        let call = Frame::enter(callee, locals, target, caller_knows);
        self.enter_function(state, call)
    }

    /// Calls the entry function.
    pub(super) fn call_entry(
        &mut self,
        state: &mut State<D>,
        arguments: Vec<Value<D>>,
    ) -> Result<(), D::Halt> {
        let function = self.program.entry;
        let mut locals = self.room(function, arguments.len())?;
        for (slot, argument) in locals.iter_mut().zip(arguments) {
            *slot = argument;
        }
        let call = Frame::enter(function, locals, None, CallerKnows::Function);
        self.enter_function(state, call)
    }

    /// Puts a call on top of a state, in the middle of a function: its locals have these values, and it is about to
    /// execute a block.
    ///
    /// # Errors
    ///
    /// If there are more values than locals.
    pub fn stand(
        &mut self,
        state: &mut State<D>,
        function: FunctionId,
        block: BlockId,
        values: Vec<Value<D>>,
    ) -> Result<(), D::Halt> {
        let known = self.program.function(function);
        if values.len() > known.locals.len() || block.index() >= known.blocks.len() {
            return Err(broken::<D>("a call of another function"));
        }
        let mut locals = self.room(function, known.params)?;
        for (slot, value) in locals.iter_mut().zip(values) {
            *slot = value;
        }
        let mut call = Frame::enter(function, locals, None, CallerKnows::Function);
        call.block = block;
        state.frames.push(call);
        Ok(())
    }

    /// Locals without values and the constants behind them, for a call with so many arguments.
    fn room(&mut self, callee: FunctionId, arguments: usize) -> Result<Vec<Value<D>>, D::Halt> {
        let function = self.program.function(callee);
        if arguments != function.params {
            return Err(broken::<D>(format!("`{}` is called with a wrong arity", function.name)));
        }
        let Prepared { constants, spare, .. } = &mut self.prepared[callee.index()];
        self.domain.spend(function.locals.len() + constants.len())?;
        if let Some(locals) = spare.pop() {
            return Ok(locals);
        }
        let mut locals = Vec::with_capacity(function.locals.len() + constants.len());
        locals.resize_with(function.locals.len(), || Value::Uninitialised);
        locals.extend_from_slice(constants);
        Ok(locals)
    }

    /// Gives the parameters in memory their objects.
    fn enter_function(&mut self, state: &mut State<D>, mut call: Frame<D>) -> Result<(), D::Halt> {
        let function = self.program.function(call.function);
        for (number, local) in function.locals().take(function.params) {
            if local.storage == Storage::Memory {
                let value = &mut call.locals[number.index()];
                let held = match std::mem::replace(value, Value::Uninitialised) {
                    Value::Uninitialised => Contents::Uninitialised,
                    value => Contents::Repeat(value),
                };
                let origin = Origin::Local(call.function, number);
                let object = self.allocate_variable(state, local.ty, origin, held)?;
                call.locals[number.index()] = Value::Pointer(object);
            }
        }
        state.frames.push(call);
        Ok(())
    }

    /// Returns from the innermost call with a value, and keeps the room of its registers for the next one.
    ///
    /// # Errors
    ///
    /// If there is no call, or no value where one is wanted.
    pub fn leave(
        &mut self,
        state: &mut State<D>,
        value: Option<Value<D>>,
    ) -> Result<Event<'p, D>, D::Halt> {
        let Some(mut frame) = state.frames.pop() else {
            return Err(broken::<D>("no active call"));
        };
        for object in frame.stack.drain(..) {
            self.domain.release(&mut state.memory, &object)?;
        }
        let Prepared { constants, spare, .. } = &mut self.prepared[frame.function.index()];
        if spare.len() < MAX_SPARE {
            // The constants behind them stay.
            let registers = frame.locals.len() - constants.len();
            for value in &mut frame.locals[..registers] {
                *value = Value::Uninitialised;
            }
            spare.push(frame.locals);
        }
        if state.frames.is_empty() {
            state.unshare_one();
        }
        let Some(caller) = state.frames.last_mut() else {
            return Ok(Event::Finished(value));
        };
        if let Some(target) = frame.target {
            let mut value = value.ok_or_else(|| broken::<D>("a result where there is none"))?;
            if frame.caller_knows == CallerKnows::Value {
                let ty = self.program.function(caller.function).local(target).ty;
                self.adapt(&mut value, ty);
            }
            caller.locals[target.index()] = value;
        }
        Ok(Event::Returned)
    }

    /// A number that goes from one function to another that knows it by a type of the same width.
    fn adapt(&mut self, value: &mut Value<D>, ty: TypeId) {
        if let (Value::Int(number), Type::Int(int)) = (&value, self.program.types.get(ty)) {
            *value = Value::Int(self.domain.wrap(*int, number));
        }
    }

    pub(super) fn declare(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        local: LocalId,
    ) -> Result<(), D::Halt> {
        let declaration = function.local(local);
        let value = match declaration.storage {
            Storage::Register => Value::Uninitialised,
            Storage::Memory => {
                let origin = Origin::Local(Self::frame(state)?.function, local);
                let nothing = Contents::Uninitialised;
                let object = self.allocate_variable(state, declaration.ty, origin, nothing)?;
                Value::Pointer(object)
            }
        };
        Self::frame(state)?.locals[local.index()] = value;
        Ok(())
    }

    fn allocate_variable(
        &mut self,
        state: &mut State<D>,
        element: TypeId,
        origin: Origin,
        contents: Contents<D>,
    ) -> Result<D::Pointer, D::Halt> {
        let count = self.domain.int(&Integer::ONE);
        let access = GlobalAccess::ReadWrite;
        self.allocate(state, NewObject { element, count, contents, origin, access })
    }

    pub(super) fn allocate(
        &mut self,
        state: &mut State<D>,
        object: NewObject<D>,
    ) -> Result<D::Pointer, D::Halt> {
        let State { memory, streams, .. } = state;
        let world = World { types: &self.program.types, memory, streams };
        self.domain.allocate(world, object)
    }
}
