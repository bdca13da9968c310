//! Calls, and the objects of local variables.

use super::{Event, Machine, broken};
use crate::domain::{Contents, Domain, NewObject, Origin, World};
use crate::state::{Frame, State};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{
    BlockId, Const, Function, FunctionId, GlobalAccess, LocalId, Operand, Storage,
};
use loupe_ir::types::{Type, TypeId};

/// So much room for registers is kept.
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
        let known = matches!(callee, Operand::Const(Const::Function(_)));
        let Value::Function(callee) = self.operand(frame, callee)? else {
            return Err(broken::<D>("a call of something that is no function"));
        };
        let mut locals = self.spare.pop().unwrap_or_default();
        for argument in arguments {
            locals.push(self.operand(frame, argument)?);
        }
        if !known {
            // The types need only be alike, so that numbers may be of the other signedness.
            let parameters = &self.program.function(callee).locals;
            for (value, parameter) in locals.iter_mut().zip(parameters) {
                self.adapt(value, parameter.ty);
            }
        }
        self.call(state, callee, locals, target)
    }

    pub(super) fn call(
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
        for (number, local) in function.locals().take(function.params) {
            if local.storage == Storage::Memory {
                let value = &mut locals[number.index()];
                let held = match std::mem::replace(value, Value::Uninitialised) {
                    Value::Uninitialised => Contents::Uninitialised,
                    value => Contents::Repeat(value),
                };
                let origin = Origin::Local(callee, number);
                let object = self.allocate_variable(state, local.ty, origin, held)?;
                locals[number.index()] = Value::Pointer(object);
            }
        }
        let (block, stack) = (BlockId(0), Vec::new());
        let frame = Frame { function: callee, block, next: 0, locals, target, stack };
        state.frames.push(frame);
        Ok(())
    }

    /// Returns from the innermost call, and keeps the room of its registers for the next one.
    pub(super) fn leave(
        &mut self,
        state: &mut State<D>,
        value: Option<Value<D>>,
    ) -> Result<Event<'p, D>, D::Halt> {
        let Some(mut frame) = state.frames.pop() else {
            return Err(broken::<D>("no active call"));
        };
        for object in &frame.stack {
            self.domain.release(&mut state.memory, object)?;
        }
        if self.spare.len() < MAX_SPARE {
            frame.locals.clear();
            self.spare.push(frame.locals);
        }
        let Some(caller) = state.frames.last_mut() else {
            return Ok(Event::Finished(value));
        };
        if let Some(target) = frame.target {
            let mut value = value.ok_or_else(|| broken::<D>("a result where there is none"))?;
            let ty = self.program.function(caller.function).local(target).ty;
            if self.program.function(frame.function).result != Some(ty) {
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
