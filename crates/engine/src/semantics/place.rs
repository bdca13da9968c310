//! Reading and writing places.
//!
//! A place leads to a register or to memory, and from there possibly into a dynamic record or array
//! that is a value there. Parts of arrays and structs with a layout are places in memory themselves.

use super::{Machine, broken};
use crate::domain::{Access, Domain};
use crate::state::State;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{
    Base, BinaryOp, Function, LocalId, Operand, Place, Projection, Storage, Symbol,
};
use loupe_ir::types::{IntType, Type, TypeId};
use loupe_ir::validate::ValueType;
use std::rc::Rc;

/// Where a place is.
struct Location<D: Domain> {
    root: Root<D>,
    /// The type of what stands at the root.
    ty: TypeId,
    /// If that is a bit-field: its first bit.
    first_bit: Option<u32>,
    /// The way into the dynamic value at the root.
    steps: Vec<Step>,
}

enum Root<D: Domain> {
    Register(LocalId),
    Memory(D::Pointer),
}

#[derive(Clone, Copy)]
enum Step {
    Field(Symbol),
    Element(usize),
}

impl<D: Domain> Location<D> {
    fn memory(pointer: D::Pointer, ty: TypeId) -> Self {
        Location { root: Root::Memory(pointer), ty, first_bit: None, steps: Vec::new() }
    }
}

impl<D: Domain> Machine<'_, D> {
    /// What stands at a place of the function of the innermost call.
    ///
    /// # Errors
    ///
    /// If nothing can be read there.
    #[inline]
    pub fn load(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        place: &Place,
    ) -> Result<Value<D>, D::Halt> {
        let location = self.locate(state, function, place)?;
        self.read(state, &location)
    }

    /// Writes to a place.
    #[inline]
    pub(super) fn store(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        place: &Place,
        value: Value<D>,
    ) -> Result<(), D::Halt> {
        let location = self.locate(state, function, place)?;
        if location.steps.is_empty() {
            return self.write(state, &location, value);
        }
        // Taking the old value out first leaves it without a second owner, so that changing a part
        // of it copies nothing.
        let mut whole = self.read_root(state, &location)?;
        self.write(state, &location, Value::Uninitialised)?;
        let mut part = &mut whole;
        for step in &location.steps {
            part = self.part_mut(part, step)?;
        }
        *part = value;
        self.write(state, &location, whole)
    }

    /// What stands at a place of the innermost function.
    pub fn value_at(&mut self, state: &mut State<D>, place: &Place) -> Result<Value<D>, D::Halt> {
        let function = self.program.function(Self::frame(state)?.function);
        self.load(state, function, place)
    }

    /// A pointer to a place in memory.
    pub(super) fn address_of(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        place: &Place,
    ) -> Result<D::Pointer, D::Halt> {
        match self.locate(state, function, place)? {
            Location { root: Root::Memory(pointer), steps, first_bit: None, .. }
                if steps.is_empty() =>
            {
                Ok(pointer)
            }
            _ => Err(broken::<D>("the address of something that is not in memory")),
        }
    }

    /// Whether something has been written to a place.
    pub(super) fn initialised(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        place: &Place,
    ) -> Result<D::Bool, D::Halt> {
        let location = self.locate(state, function, place)?;
        if let (Root::Memory(_), []) = (&location.root, &location.steps[..]) {
            let access = self.access(&location)?;
            return self.domain.initialised(&self.program.types, &state.memory, &access);
        }
        let value = self.read(state, &location)?;
        Ok(self.domain.bool(!matches!(value, Value::Uninitialised)))
    }

    /// The pointer `index` elements of type `element` further on.
    pub(super) fn advance_elements(
        &mut self,
        memory: &D::Memory,
        pointer: &D::Pointer,
        (index, element): (&D::Int, TypeId),
    ) -> Result<D::Pointer, D::Halt> {
        if self.program.types.size_of(element) == 1 {
            return self.domain.advance(Some(memory), pointer, index);
        }
        let units = self.units(index, element)?;
        self.domain.advance(Some(memory), pointer, &units)
    }

    /// How many units of memory `index` elements of type `element` take.
    pub(super) fn units(&mut self, index: &D::Int, element: TypeId) -> Result<D::Int, D::Halt> {
        let size = self.domain.int(&Integer::from(self.program.types.size_of(element)));
        self.domain.binary(BinaryOp::Mul, IntType::Unbounded, index, &size)
    }

    pub(super) fn advance_by(
        &mut self,
        memory: &D::Memory,
        pointer: &D::Pointer,
        units: u64,
    ) -> Result<D::Pointer, D::Halt> {
        if units == 0 {
            return Ok(pointer.clone());
        }
        let units = self.domain.int(&Integer::from(units));
        self.domain.advance(Some(memory), pointer, &units)
    }

    fn locate(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        place: &Place,
    ) -> Result<Location<D>, D::Halt> {
        let mut location = self.locate_base(state, function, place.base)?;
        for projection in &place.projections {
            match projection {
                Projection::Deref => {
                    let pointer = match self.read(state, &location)? {
                        Value::Pointer(pointer) => pointer,
                        Value::Function(function) => self.domain.function(function),
                        _ => {
                            return Err(broken::<D>(
                                "a dereference of something that is no pointer",
                            ));
                        }
                    };
                    let Type::Pointer(ty) = self.program.types.get(location.ty) else {
                        return Err(broken::<D>("a dereference of another type than a pointer's"));
                    };
                    location = Location::memory(pointer, *ty);
                }
                Projection::Named(name) => location.steps.push(Step::Field(*name)),
                Projection::Index(index) => self.locate_element(state, &mut location, index)?,
                Projection::Field(field) => self.locate_field(state, &mut location, *field)?,
            }
        }
        Ok(location)
    }

    fn locate_base(
        &mut self,
        state: &mut State<D>,
        function: &Function,
        base: Base,
    ) -> Result<Location<D>, D::Halt> {
        let (root, ty) = match base {
            Base::Global(global) => {
                let pointer = self.domain.global(global);
                (Root::Memory(pointer), self.program.globals[global.index()].ty)
            }
            Base::Local(id) => {
                let local = function.local(id);
                match (local.storage, &Self::frame(state)?.locals[id.index()]) {
                    (Storage::Register, _) => (Root::Register(id), local.ty),
                    (Storage::Memory, Value::Pointer(object)) => {
                        (Root::Memory(object.clone()), local.ty)
                    }
                    (Storage::Memory, _) => {
                        return Err(broken::<D>("a variable before its declaration"));
                    }
                }
            }
        };
        Ok(Location { root, ty, first_bit: None, steps: Vec::new() })
    }

    fn locate_element(
        &mut self,
        state: &mut State<D>,
        location: &mut Location<D>,
        index: &Operand,
    ) -> Result<(), D::Halt> {
        let index = self.int_operand(Self::frame(state)?, index)?.into_owned();
        if let Type::Array { element, .. } = self.program.types.get(location.ty) {
            let Root::Memory(pointer) = &location.root else {
                return Err(broken::<D>("an element of an array in a register"));
            };
            location.root =
                Root::Memory(self.advance_elements(&state.memory, pointer, (&index, *element))?);
            location.ty = *element;
            return Ok(());
        }
        match self.read(state, location)? {
            Value::Array(first) => {
                let pointer =
                    self.advance_elements(&state.memory, &first, (&index, TypeId::ANY))?;
                *location = Location::memory(pointer, TypeId::ANY);
                Ok(())
            }
            Value::Sequence(elements) => {
                // Here, where nothing has been changed yet: the domain may not know the position.
                let position = self.domain.position(&index, elements.values.len())?;
                location.steps.push(Step::Element(position));
                Ok(())
            }
            other => Err(broken::<D>(format!("an element of {other:?}"))),
        }
    }

    fn locate_field(
        &mut self,
        state: &State<D>,
        location: &mut Location<D>,
        field: u32,
    ) -> Result<(), D::Halt> {
        let (Root::Memory(pointer), Type::Record(record)) =
            (&location.root, self.program.types.get(location.ty))
        else {
            return Err(broken::<D>("a field of something that is no struct in memory"));
        };
        let field = &self.program.types.record(*record).fields[field as usize];
        let pointer = self.advance_by(&state.memory, pointer, field.offset)?;
        location.root = Root::Memory(pointer);
        location.ty = field.ty;
        location.first_bit = field.first_bit;
        Ok(())
    }

    /// The access to the root of a location in memory.
    #[inline]
    fn access(&self, location: &Location<D>) -> Result<Access<D>, D::Halt> {
        let Root::Memory(pointer) = &location.root else {
            return Err(broken::<D>("an access to a register"));
        };
        let ty = ValueType::of(&self.program.types, location.ty);
        Ok(Access { pointer: pointer.clone(), ty, first_bit: location.first_bit })
    }

    #[inline]
    fn read_root(
        &mut self,
        state: &mut State<D>,
        location: &Location<D>,
    ) -> Result<Value<D>, D::Halt> {
        match &location.root {
            Root::Register(local) => Ok(Self::frame(state)?.locals[local.index()].clone()),
            Root::Memory(_) => {
                let access = self.access(location)?;
                self.domain.load(&self.program.types, &mut state.memory, &access)
            }
        }
    }

    fn read(&mut self, state: &mut State<D>, location: &Location<D>) -> Result<Value<D>, D::Halt> {
        let mut value = self.read_root(state, location)?;
        for step in &location.steps {
            value = match (&value, step) {
                (Value::Record(record), Step::Field(name)) => record
                    .position(*name)
                    .map(|at| record.fields[at].1.clone())
                    .ok_or_else(|| broken::<D>("a field that does not exist"))?,
                (Value::Sequence(elements), Step::Element(position)) => elements
                    .values
                    .get(*position)
                    .cloned()
                    .ok_or_else(|| broken::<D>("an element that does not exist"))?,
                (other, _) => return Err(broken::<D>(format!("a part of {other:?}"))),
            };
        }
        Ok(value)
    }

    fn part_mut<'v>(
        &mut self,
        value: &'v mut Value<D>,
        step: &Step,
    ) -> Result<&'v mut Value<D>, D::Halt> {
        match (value, step) {
            (Value::Record(record), Step::Field(name)) => {
                if Rc::strong_count(record) > 1 {
                    self.domain.spend(record.fields.len())?;
                }
                let record = Rc::make_mut(record);
                let at = record.position(*name);
                at.map(|at| &mut record.fields[at].1)
                    .ok_or_else(|| broken::<D>("a field that does not exist"))
            }
            (Value::Sequence(elements), Step::Element(position)) => {
                if Rc::strong_count(elements) > 1 {
                    self.domain.spend(elements.values.len())?;
                }
                let element = Rc::make_mut(elements).values.get_mut(*position);
                element.ok_or_else(|| broken::<D>("an element that does not exist"))
            }
            (other, _) => Err(broken::<D>(format!("a part of {other:?}"))),
        }
    }

    /// Writes to the root of a location.
    #[inline]
    fn write(
        &mut self,
        state: &mut State<D>,
        location: &Location<D>,
        value: Value<D>,
    ) -> Result<(), D::Halt> {
        match &location.root {
            Root::Register(local) => {
                Self::frame(state)?.locals[local.index()] = value;
                Ok(())
            }
            Root::Memory(_) => {
                let access = self.access(location)?;
                self.domain.store(&self.program.types, &mut state.memory, &access, value)
            }
        }
    }
}
