//! What single steps do to a state.
//!
//! Each function here returns a set that contains every value that the meaning of the step (`loupe-engine`) allows, for all values that the state allows. What is not followed
//! (floating point numbers, memory of programs with pointer arithmetic) is [`Value::anything`].

use super::facts::{Order, Variable};
use super::range::Range;
use super::state::State;
use super::value::{Field, Object, Value};
use super::{Lost, Shared};
use crate::analysis::location::Location;
use crate::check::Predicate;
use crate::program::{
    Base, BinaryOp, CompareOp, Const, Function, FunctionId, Initial, Instruction, InstructionKind,
    LocalId, Operand, Place, Program, Projection, Rvalue, Storage, UnaryOp,
};
use crate::types::{IntType, Tag, Type, TypeId};
use loupe_integer::Integer;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Walks over the steps of a block.
pub(super) struct Stepper<'s, 'p> {
    pub(super) program: &'p Program,
    pub(super) shared: &'s mut Shared,
    pub(super) id: FunctionId,
    pub(super) function: &'p Function,
    pub(super) state: State,
    /// How registers were computed in this block, as long as that is still so: what is learnt of a register holds of what it was computed from.
    origins: BTreeMap<LocalId, &'p Rvalue>,
}

/// What is known at the end of a block.
#[derive(Clone)]
pub(super) struct End<'p> {
    pub(super) state: State,
    origins: BTreeMap<LocalId, &'p Rvalue>,
}

impl<'p> End<'p> {
    /// Goes on from there.
    pub(super) fn stepper<'s>(
        self,
        program: &'p Program,
        shared: &'s mut Shared,
        id: FunctionId,
    ) -> Stepper<'s, 'p> {
        Stepper { origins: self.origins, ..Stepper::new(program, shared, id, self.state) }
    }
}

/// Whether anybody comes behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goes {
    On,
    Nowhere,
}

type Stepped = Result<Goes, Lost>;

impl<'s, 'p> Stepper<'s, 'p> {
    pub(super) fn new(
        program: &'p Program,
        shared: &'s mut Shared,
        id: FunctionId,
        state: State,
    ) -> Self {
        let function = program.function(id);
        Stepper { program, shared, id, function, state, origins: BTreeMap::new() }
    }

    pub(super) fn end(self) -> End<'p> {
        End { state: self.state, origins: self.origins }
    }

    pub(super) fn instruction(&mut self, at: Location, instruction: &'p Instruction) -> Stepped {
        match &instruction.kind {
            InstructionKind::Assign { target, value } => {
                let result = self.rvalue(at, *target, value)?;
                if result.is_empty() {
                    return Ok(Goes::Nowhere);
                }
                let source = self.source(value);
                self.assign(*target, result, source);
                // What a register was computed from itself is gone.
                if !reads(value, *target) {
                    self.origins.insert(*target, value);
                }
            }
            InstructionKind::Store { place, value } => {
                let source = self.source_of(value);
                let value = self.operand(value);
                self.store(place, value, source)?;
            }
            InstructionKind::Call { target, callee, arguments } => {
                return self.call(*target, callee, arguments);
            }
            InstructionKind::Check(check) => return Ok(self.assume(&check.predicate)),
            InstructionKind::Assume(condition) => return Ok(self.learn_truth(condition, true)),
            InstructionKind::Live(local) | InstructionKind::Dead(local) => self.clear(*local)?,
            InstructionKind::Intrinsic { target, .. } => {
                self.loses_memory()?;
                if let Some(target) = target {
                    let value = self.any_of(self.function.local(*target).ty);
                    self.assign(*target, value, None);
                }
            }
            InstructionKind::Copy { .. } | InstructionKind::Fill { .. } => self.loses_memory()?,
            // Whoever reads behind that has failed a check.
            InstructionKind::Free(_) | InstructionKind::Output(_) => {}
        }
        Ok(Goes::On)
    }

    /// Something is written that is not followed.
    fn loses_memory(&self) -> Result<(), Lost> {
        if self.shared.follows_memory { Err(Lost) } else { Ok(()) }
    }

    /// Any value of a type.
    pub(super) fn any_of(&self, ty: TypeId) -> Value {
        match self.program.types.get(ty) {
            Type::Int(ty) => Value::numbers(Range::of(*ty)),
            Type::Bool => Value::numbers(Range::truth()),
            _ => Value::anything(),
        }
    }

    fn type_of(&self, operand: &Operand) -> Option<IntType> {
        match operand {
            Operand::Const(Const::Int(_, ty)) => Some(*ty),
            Operand::Const(_) => None,
            Operand::Local(local) => match self.program.types.get(self.function.local(*local).ty) {
                Type::Int(ty) => Some(*ty),
                _ => None,
            },
        }
    }

    fn is_truth(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Const(constant) => matches!(constant, Const::Bool(_)),
            Operand::Local(local) => self.function.local(*local).ty == TypeId::BOOL,
        }
    }

    pub(super) fn operand(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Local(local) => {
                let value = self.state.register(*local);
                // Nobody says what stands where nothing was written.
                if value.nothing {
                    self.any_of(self.function.local(*local).ty)
                } else {
                    Value::clone(&value)
                }
            }
            Operand::Const(constant) => match constant {
                Const::Int(number, _) => Value::numbers(Range::exactly(number.clone())),
                Const::Bool(truth) => {
                    let number = if *truth { Integer::ONE } else { Integer::ZERO };
                    Value::numbers(Range::exactly(number))
                }
                Const::Null => Value { null: true, ..Value::default() },
                Const::Function(function) => {
                    Value { functions: BTreeSet::from([*function]), ..Value::default() }
                }
                Const::Float(..) | Const::Address(..) => Value::anything(),
            },
        }
    }

    fn numbers_of(&self, operand: &Operand) -> Option<Range> {
        self.operand(operand).as_numbers()
    }

    /// The variable that an operand has the value of.
    fn variable(&self, operand: &Operand) -> Option<Variable> {
        let mut operand = operand;
        // Each step goes to what was computed before, in the same block.
        loop {
            let Operand::Local(local) = operand else { return None };
            match self.origins.get(local) {
                Some(
                    Rvalue::Use(from @ Operand::Local(_))
                    | Rvalue::Downcast(from @ Operand::Local(_), _),
                ) => operand = from,
                Some(Rvalue::Load(place)) if place.projections.is_empty() => {
                    return self.variable_at(place).or(Some(Variable::Register(*local)));
                }
                _ => return Some(Variable::Register(*local)),
            }
        }
    }

    /// The variable that is a place as a whole.
    fn variable_at(&self, place: &Place) -> Option<Variable> {
        let Base::Local(local) = place.base else { return None };
        let object = Object::Local(self.id, local);
        match self.function.local(local).storage {
            Storage::Register => Some(Variable::Register(local)),
            Storage::Memory if self.shared.follows_memory && self.shared.exists_once(object) => {
                Some(Variable::Cell(object))
            }
            Storage::Memory => None,
        }
    }

    /// What is computed, as a variable and how much more.
    fn source(&self, rvalue: &Rvalue) -> Option<(Variable, Integer)> {
        match rvalue {
            Rvalue::Use(operand) | Rvalue::Downcast(operand, _) => self.source_of(operand),
            Rvalue::Load(place) if place.projections.is_empty() => {
                Some((self.variable_at(place)?, Integer::ZERO))
            }
            Rvalue::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let Operand::Const(Const::Int(number, ty)) = right else { return None };
                let more = if *op == BinaryOp::Add { number.clone() } else { number.neg() };
                let sum = self.numbers_of(left)?.add(&Range::exactly(more.clone()));
                // Behind a wrap-around it is less, not more.
                let variable = self.variable(left).filter(|_| Range::of(*ty).contains(&sum));
                Some((variable?, more))
            }
            _ => None,
        }
    }

    fn source_of(&self, operand: &Operand) -> Option<(Variable, Integer)> {
        let Operand::Local(local) = operand else { return None };
        let origin = self.origins.get(local).and_then(|rvalue| self.source(rvalue));
        origin.or_else(|| Some((self.variable(operand)?, Integer::ZERO)))
    }

    /// A variable has another value, of which the source is known or nothing.
    fn note_source(&mut self, target: Variable, source: Option<(Variable, Integer)>) {
        match source {
            Some((source, more)) => self.state.facts.assign(target, source, &more),
            None => self.state.facts.forget(target),
        }
    }

    /// Sets a register.
    fn assign(&mut self, target: LocalId, value: Value, source: Option<(Variable, Integer)>) {
        self.note_source(Variable::Register(target), source);
        self.forget_origins(|rvalue| reads(rvalue, target));
        self.origins.remove(&target);
        self.state.registers.insert(target, Rc::new(value));
    }

    fn forget_origins(&mut self, is_gone: impl Fn(&Rvalue) -> bool) {
        self.origins.retain(|_, rvalue| !is_gone(rvalue));
    }

    fn clear(&mut self, local: LocalId) -> Result<(), Lost> {
        match self.function.local(local).storage {
            Storage::Register => {
                self.assign(local, Value::nothing(), None);
                self.state.registers.remove(&local);
                Ok(())
            }
            Storage::Memory => self.put(Object::Local(self.id, local), Value::nothing(), true),
        }
    }

    /// Writes a value to an object: instead of what is there if `is_all`, or else perhaps.
    fn put(&mut self, object: Object, value: Value, is_all: bool) -> Result<(), Lost> {
        if !self.shared.follows_memory {
            return Ok(());
        }
        self.forget_origins(|rvalue| matches!(rvalue, Rvalue::Load(_)));
        let value = value.shallow();
        if self.shared.exists_once(object) {
            let is_own = matches!(object, Object::Local(function, _) if function == self.id);
            if is_own {
                self.state.facts.forget(Variable::Cell(object));
                let value = match is_all {
                    true => Rc::new(value.clone()),
                    false => Rc::new(self.state.cell(object).join(&value)),
                };
                self.state.cells.insert(object, value);
            }
            self.shared.note_ever(object, &value);
            if !is_own {
                self.shared.note_foreign(object, &value);
            }
        } else {
            self.shared.note_ever(object, &value);
        }
        Ok(())
    }

    /// What an object may hold.
    fn content(&self, object: Object) -> Value {
        match object {
            Object::Local(function, _)
                if function == self.id && self.shared.exists_once(object) =>
            {
                Value::clone(&self.state.cell(object))
            }
            _ => self.shared.ever(object),
        }
    }

    /// What may stand at a place, as it is: perhaps nothing.
    fn look(&self, place: &Place) -> Value {
        let mut value = match place.base {
            Base::Local(local) => match self.function.local(local).storage {
                Storage::Register => Value::clone(&self.state.register(local)),
                Storage::Memory if self.shared.follows_memory => {
                    self.content(Object::Local(self.id, local))
                }
                Storage::Memory => Value { nothing: true, ..Value::anything() },
            },
            Base::Global(_) => Value { nothing: true, ..Value::anything() },
        };
        for projection in &place.projections {
            value = self.part(&value, projection);
        }
        value
    }

    fn part(&self, value: &Value, projection: &Projection) -> Value {
        if value.anything || !self.shared.follows_memory {
            return Value { nothing: true, ..Value::anything() };
        }
        let mut part = Value::default();
        match projection {
            Projection::Deref => {
                for object in &value.pointers {
                    part = part.join(&self.content(*object));
                }
            }
            Projection::Index(_) => {
                for object in &value.arrays {
                    part = part.join(&self.shared.ever(*object));
                }
            }
            Projection::Named(name) => {
                let field = value.record.as_ref().and_then(|fields| fields.get(name));
                part = field.map_or(Value::default(), |field| field.value.clone());
            }
            Projection::Field(_) => part = Value { nothing: true, ..Value::anything() },
        }
        part
    }

    /// The places that a way leads to: the objects of its last step through a pointer or into an array, and the fields from there.
    fn store(
        &mut self,
        place: &Place,
        value: Value,
        source: Option<(Variable, Integer)>,
    ) -> Result<(), Lost> {
        let follows = |projection: &Projection| !matches!(projection, Projection::Named(_));
        let last = place.projections.iter().rposition(follows);
        let (way, fields) = place.projections.split_at(last.map_or(0, |last| last + 1));
        let Some((step, way)) = way.split_last() else {
            let Base::Local(local) = place.base else { return Ok(()) };
            let whole = self.look(&Place { base: place.base, projections: Vec::new() });
            let whole = with_field(&whole, fields, value);
            let source = source.filter(|_| fields.is_empty());
            match self.function.local(local).storage {
                Storage::Register => self.assign(local, whole.shallow(), source),
                Storage::Memory => {
                    let object = Object::Local(self.id, local);
                    let mut facts = self.state.facts.clone();
                    self.put(object, whole, true)?;
                    if let (Some((source, more)), Some(target)) = (source, self.variable_at(place))
                    {
                        facts.assign(target, source, &more);
                        self.state.facts = facts;
                    }
                }
            }
            return Ok(());
        };
        if !self.shared.follows_memory {
            // A part of a register of which nobody knows what it is.
            if let Base::Local(local) = place.base
                && self.function.local(local).storage == Storage::Register
                && !place.projections.contains(&Projection::Deref)
            {
                self.assign(local, Value { nothing: true, ..Value::anything() }, None);
            }
            return Ok(());
        }
        let container = self.look(&Place { base: place.base, projections: way.to_vec() });
        if container.anything {
            return Err(Lost);
        }
        let objects = match step {
            Projection::Deref => container.pointers,
            _ => container.arrays,
        };
        let is_only = objects.len() == 1 && *step == Projection::Deref;
        for object in objects {
            let whole = with_field(&self.content(object), fields, value.clone());
            self.put(object, whole, is_only)?;
        }
        Ok(())
    }

    fn call(
        &mut self,
        target: Option<LocalId>,
        callee: &Operand,
        arguments: &[Operand],
    ) -> Stepped {
        let mut callee = self.operand(callee);
        if callee.anything {
            callee.functions.clone_from(&self.shared.pointed_to);
        }
        let arguments: Vec<Value> = arguments.iter().map(|operand| self.operand(operand)).collect();
        let mut result = Value::default();
        let mut returns = false;
        for function in &callee.functions {
            let known = self.program.function(*function);
            // A check stands before calls that do not fit.
            if known.params != arguments.len() {
                continue;
            }
            self.shared.note_call(*function, &arguments);
            if let Some(value) = self.shared.result(*function) {
                returns = true;
                result = result.join(value);
            }
        }
        if !returns {
            return Ok(Goes::Nowhere);
        }
        self.forget_origins(|rvalue| matches!(rvalue, Rvalue::Load(_)));
        for (object, value) in self.shared.foreign() {
            if matches!(object, Object::Local(function, _) if *function == self.id) {
                self.state.facts.forget(Variable::Cell(*object));
                let joined = self.state.cell(*object).join(value);
                self.state.cells.insert(*object, Rc::new(joined));
            }
        }
        if let Some(target) = target {
            let result = match result.nothing || result.is_empty() {
                true => self.any_of(self.function.local(target).ty),
                false => result,
            };
            self.assign(target, result, None);
        }
        Ok(Goes::On)
    }

    fn rvalue(&mut self, at: Location, target: LocalId, rvalue: &Rvalue) -> Result<Value, Lost> {
        let ty = self.function.local(target).ty;
        Ok(match rvalue {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Load(place) => {
                let value = self.look(place);
                if value.nothing || value.anything { self.any_of(ty) } else { value }
            }
            Rvalue::Unary(op, operand) => self.unary(*op, operand, ty),
            Rvalue::Binary(op, left, right) => self.binary(*op, (left, right), ty),
            Rvalue::Compare(op, left, right) => self.compare(*op, left, right),
            Rvalue::Convert(operand, to) => match (self.program.types.get(*to), operand) {
                (Type::Int(to), operand)
                    if self.type_of(operand).is_some() || self.is_truth(operand) =>
                {
                    fitted(self.numbers_of(operand), *to)
                }
                _ => self.any_of(*to),
            },
            Rvalue::Downcast(operand, to) => {
                let value = self.operand(operand);
                match self.program.types.get(*to) {
                    Type::Int(_) => value.of_tag(Tag::Number),
                    Type::Pointer(_) => value.of_tag(Tag::Pointer),
                    Type::Function => value.of_tag(Tag::Function),
                    _ => value,
                }
            }
            Rvalue::AddressOf(place) => match place.base {
                Base::Local(local)
                    if self.shared.follows_memory && place.projections.is_empty() =>
                {
                    let object = Object::Local(self.id, local);
                    Value { pointers: BTreeSet::from([object]), ..Value::default() }
                }
                _ => Value::anything(),
            },
            Rvalue::Allocate { initial: Initial::Value(initial), .. }
                if self.shared.follows_memory =>
            {
                let object = Object::Made(self.id, at);
                let initial = self.operand(initial);
                self.put(object, initial, false)?;
                Value { pointers: BTreeSet::from([object]), ..Value::default() }
            }
            Rvalue::Array(_, elements) if self.shared.follows_memory => {
                let object = Object::Made(self.id, at);
                for element in elements {
                    let element = self.operand(element);
                    self.put(object, element, false)?;
                }
                Value { arrays: BTreeSet::from([object]), ..Value::default() }
            }
            Rvalue::Record(fields) if self.shared.follows_memory => {
                let field =
                    |operand: &Operand| Field { value: self.operand(operand), is_everywhere: true };
                let fields = fields.iter().map(|(name, operand)| (*name, field(operand)));
                let record = Some(fields.collect());
                Value { record, ..Value::default() }.shallow()
            }
            Rvalue::Input(ty) | Rvalue::Undefined(ty) => self.any_of(*ty),
            Rvalue::Offset { .. }
            | Rvalue::Difference { .. }
            | Rvalue::ObjectSize { .. }
            | Rvalue::Allocate { .. }
            | Rvalue::Array(..)
            | Rvalue::Record(_) => self.any_of(ty),
        })
    }

    fn unary(&self, op: UnaryOp, operand: &Operand, ty: TypeId) -> Value {
        let (Some(range), Type::Int(int)) = (self.numbers_of(operand), self.program.types.get(ty))
        else {
            return match (op, self.numbers_of(operand)) {
                (UnaryOp::Not, Some(range)) => Value::numbers(opposite(&range)),
                _ => self.any_of(ty),
            };
        };
        match op {
            UnaryOp::Neg => fitted(Some(range.neg()), *int),
            UnaryOp::BitNot | UnaryOp::Not => self.any_of(ty),
        }
    }

    fn binary(&self, op: BinaryOp, (left, right): (&Operand, &Operand), ty: TypeId) -> Value {
        let ranges = self.numbers_of(left).zip(self.numbers_of(right));
        let (Some((left, right)), Type::Int(int)) = (ranges, self.program.types.get(ty)) else {
            return self.any_of(ty);
        };
        let range = match op {
            BinaryOp::Add => left.add(&right),
            BinaryOp::Sub => left.sub(&right),
            BinaryOp::Mul => left.mul(&right),
            BinaryOp::Div => left.div(&right),
            BinaryOp::Rem => left.rem(&right),
            BinaryOp::BitAnd => match left.low().is_some_and(|low| !low.is_negative()) {
                // No bit is there that was not there before.
                true => match Range::between(Some(Integer::ZERO), left.high().cloned()) {
                    Some(range) => range,
                    None => return self.any_of(ty),
                },
                false => return self.any_of(ty),
            },
            _ => return self.any_of(ty),
        };
        fitted(Some(range), *int)
    }

    fn compare(&self, op: CompareOp, left: &Operand, right: &Operand) -> Value {
        let truth = |truth: bool| {
            let number = if truth { Integer::ONE } else { Integer::ZERO };
            Value::numbers(Range::exactly(number))
        };
        match (self.may_compare(op, left, right), self.may_compare(negated(op), left, right)) {
            (true, false) => truth(true),
            (false, true) => truth(false),
            _ => Value::numbers(Range::truth()),
        }
    }

    /// Whether values of these operands may compare so.
    fn may_compare(&self, op: CompareOp, left: &Operand, right: &Operand) -> bool {
        if let (Some(one), Some(other)) = (self.variable(left), self.variable(right))
            && !self.state.facts.order(one, other).allows(op)
        {
            return false;
        }
        let (left, right) = (self.operand(left), self.operand(right));
        let is_number = |value: &Value| !value.anything && value.has_tag(Tag::Number) == Some(true);
        if is_number(&left) && is_number(&right) {
            let ranges = left.numbers.as_ref().zip(right.numbers.as_ref());
            return ranges.is_none_or(|(left, right)| left.comparing(op, right).is_some());
        }
        let is_known = |value: &Value| !value.anything && !value.nothing;
        let is_null = |value: &Value| {
            value.null && value.of_other_tags(Tag::Pointer).is_empty() && value.pointers.is_empty()
        };
        if self.shared.follows_memory && is_known(&left) && is_known(&right) {
            // An object is not at address null.
            let are_different = is_null(&left) && !right.null || is_null(&right) && !left.null;
            let are_equal = is_null(&left) && is_null(&right);
            return match op {
                CompareOp::Eq => !are_different,
                CompareOp::Ne => !are_equal,
                _ => true,
            };
        }
        true
    }

    /// What is known behind a check that was passed.
    fn assume(&mut self, predicate: &'p Predicate) -> Goes {
        if self.holds(predicate) == Some(false) {
            return Goes::Nowhere;
        }
        match predicate {
            Predicate::Holds(condition) => self.learn_truth(condition, true),
            Predicate::NonZero(operand) => {
                let numbers = self.numbers_of(operand).and_then(|range| range.without_zero());
                self.learn_numbers(operand, numbers)
            }
            Predicate::NonNull(operand) => {
                let value = self.operand(operand);
                self.learn(operand, Value { null: false, ..value })
            }
            Predicate::Initialised(place) => {
                let value = self.look(place);
                // Of what nothing is known, that it is there is all.
                self.learn_place(place, Value { nothing: false, ..value })
            }
            Predicate::Is(place, tag) => {
                let value = self.look(place);
                self.learn_place(place, value.of_tag(*tag))
            }
            Predicate::IsNot(place, tag) => {
                let value = self.look(place);
                self.learn_place(place, value.of_other_tags(*tag))
            }
            Predicate::HasField(place, name) => {
                let mut value = self.look(place);
                if let Some(field) = value.record.as_mut().and_then(|record| record.get_mut(name)) {
                    field.is_everywhere = true;
                    return self.learn_place(place, value);
                }
                Goes::On
            }
            Predicate::InRange { index, length } => match self.numbers_of(length) {
                Some(length) => self.learn_index(index, &length),
                None => Goes::On,
            },
            Predicate::InBounds { array, index } => match self.lengths(array) {
                Some((_, longest)) => {
                    self.learn_index(index, &Range::exactly(Integer::from(longest)))
                }
                None => Goes::On,
            },
            _ => Goes::On,
        }
    }

    /// Goes on where an index is at least 0 and less than a length.
    fn learn_index(&mut self, index: &Operand, length: &Range) -> Goes {
        let zero = Range::exactly(Integer::ZERO);
        let numbers = self.numbers_of(index);
        let numbers = numbers.and_then(|range| range.comparing(CompareOp::Lt, length));
        let numbers = numbers.and_then(|range| range.comparing(CompareOp::Ge, &zero));
        self.learn_numbers(index, numbers)
    }

    /// The least and the greatest length of the arrays at a place, if it holds arrays that are known and nothing else.
    fn lengths(&self, place: &Place) -> Option<(usize, usize)> {
        let value = self.look(place);
        if value.has_tag(Tag::Array) != Some(true) {
            return None;
        }
        let lengths: Option<Vec<usize>> =
            value.arrays.iter().map(|object| self.length(*object)).collect();
        let lengths = lengths?;
        Some((*lengths.iter().min()?, *lengths.iter().max()?))
    }

    fn length(&self, object: Object) -> Option<usize> {
        let Object::Made(function, at) = object else { return None };
        let block = self.program.function(function).block(at.block);
        match &block.instructions.get(at.index as usize)?.kind {
            InstructionKind::Assign { value: Rvalue::Array(_, elements), .. } => {
                Some(elements.len())
            }
            _ => None,
        }
    }

    /// Whether a predicate holds for all values, or for none; nothing if neither is known.
    pub(super) fn holds(&self, predicate: &Predicate) -> Option<bool> {
        match predicate {
            Predicate::Never(_) => Some(false),
            Predicate::Holds(condition) => self.truth(condition),
            Predicate::NonZero(operand) => {
                let range = self.numbers_of(operand)?;
                match range.has_zero() {
                    false => Some(true),
                    true => range.only().map(|_| false),
                }
            }
            Predicate::NonNull(operand) => {
                let value = self.operand(operand);
                match value.anything || value.nothing {
                    true => None,
                    false if !value.null => Some(true),
                    false => {
                        let others = Value { null: false, ..value };
                        others.is_empty().then_some(false)
                    }
                }
            }
            Predicate::Initialised(place) => {
                let value = self.look(place);
                match value.nothing {
                    false => Some(true),
                    true => (Value { nothing: false, ..value }).is_empty().then_some(false),
                }
            }
            Predicate::Is(place, tag) => self.look(place).has_tag(*tag),
            Predicate::IsNot(place, tag) => self.look(place).has_tag(*tag).map(|is| !is),
            Predicate::HasField(place, name) => {
                let value = self.look(place);
                if value.has_tag(Tag::Record) != Some(true) {
                    return None;
                }
                match value.record.as_ref()?.get(name) {
                    Some(field) => field.is_everywhere.then_some(true),
                    None => Some(false),
                }
            }
            Predicate::InBounds { array, index } => {
                let (shortest, longest) = self.lengths(array)?;
                // Within the shortest it is within all, and behind the longest behind all.
                let within =
                    |length: usize| self.is_between(index, &Range::exactly(Integer::from(length)));
                within(shortest).filter(|is| *is).or_else(|| within(longest).filter(|is| !is))
            }
            Predicate::InRange { index, length } => {
                let is_up = self.numbers_of(index)?.low().is_some_and(|low| !low.is_negative());
                match is_up && !self.may_compare(CompareOp::Ge, index, length) {
                    true => Some(true),
                    false => self.is_between(index, &self.numbers_of(length)?),
                }
            }
            Predicate::Takes(operand, count) => {
                let value = self.operand(operand);
                if value.has_tag(Tag::Function) != Some(true) {
                    return None;
                }
                let takes = |id: &FunctionId| self.program.function(*id).params == *count as usize;
                let fitting = value.functions.iter().filter(|id| takes(id)).count();
                match fitting {
                    0 => Some(false),
                    _ => (fitting == value.functions.len()).then_some(true),
                }
            }
            Predicate::Comparable(left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                let tag = |tag: Tag| Some((left.has_tag(tag)?, right.has_tag(tag)?));
                let is_of = [tag(Tag::Number), tag(Tag::Pointer)];
                is_of.contains(&Some((true, true))).then_some(true)
            }
            Predicate::Fits(op, left, right) => {
                let ty = self.type_of(left)?;
                let (left, right) = (self.numbers_of(left)?, self.numbers_of(right)?);
                let result = match op {
                    BinaryOp::Add => left.add(&right),
                    BinaryOp::Sub => left.sub(&right),
                    BinaryOp::Mul => left.mul(&right),
                    _ => return None,
                };
                Range::of(ty).contains(&result).then_some(true)
            }
            _ => None,
        }
    }

    /// Whether an index is at least 0 and less than a length.
    fn is_between(&self, index: &Operand, length: &Range) -> Option<bool> {
        let index = self.numbers_of(index)?;
        let zero = Range::exactly(Integer::ZERO);
        let below = index.comparing(CompareOp::Lt, length).is_none();
        let above = index.comparing(CompareOp::Ge, &zero).is_none();
        if below || above {
            return Some(false);
        }
        let is_up = index.comparing(CompareOp::Lt, &zero).is_none();
        let is_low = index.comparing(CompareOp::Ge, length).is_none();
        (is_up && is_low).then_some(true)
    }

    pub(super) fn truth(&self, condition: &Operand) -> Option<bool> {
        let range = self.numbers_of(condition)?;
        range.only().map(|number| !number.is_zero())
    }

    /// Goes on where a condition is so.
    pub(super) fn learn_truth(&mut self, condition: &Operand, truth: bool) -> Goes {
        if self.truth(condition) == Some(!truth) {
            return Goes::Nowhere;
        }
        let number = if truth { Integer::ONE } else { Integer::ZERO };
        self.learn_numbers(condition, Some(Range::exactly(number)))
    }

    /// Goes on where a number is one of these.
    pub(super) fn learn_numbers(&mut self, operand: &Operand, range: Option<Range>) -> Goes {
        let Some(range) = range else { return Goes::Nowhere };
        let known = self.numbers_of(operand);
        let Some(range) = known.and_then(|known| known.meet(&range)) else { return Goes::Nowhere };
        let value = self.operand(operand);
        self.learn(operand, Value { anything: false, numbers: Some(range), ..value })
    }

    /// Goes on where an operand is one of these, which are among its values.
    fn learn(&mut self, operand: &Operand, value: Value) -> Goes {
        let mut open = vec![(operand.clone(), value)];
        // Each step goes to what was computed before, in the same block.
        while let Some((operand, value)) = open.pop() {
            if value.is_empty() {
                return Goes::Nowhere;
            }
            let Operand::Local(local) = operand else { continue };
            if value == *self.state.register(local) {
                continue;
            }
            let origin = self.origins.get(&local).copied();
            self.state.registers.insert(local, Rc::new(value.clone()));
            let more = match origin {
                Some(Rvalue::Use(from)) => self.narrowed(from, &value),
                Some(Rvalue::Downcast(from, _)) => self.narrowed(from, &value),
                Some(Rvalue::Load(place)) => {
                    let known = self.look(place);
                    let known = Value { nothing: false, ..known };
                    if self.learn_place(place, intersection(&known, &value)) == Goes::Nowhere {
                        return Goes::Nowhere;
                    }
                    None
                }
                Some(Rvalue::Convert(from, _)) if self.is_truth(from) => {
                    let range = value.numbers.as_ref();
                    range.and_then(|range| self.narrowed(from, &Value::numbers(range.clone())))
                }
                Some(Rvalue::Unary(UnaryOp::Not, from)) => {
                    let range = value.numbers.as_ref().map(opposite);
                    range.and_then(|range| self.narrowed(from, &Value::numbers(range)))
                }
                Some(Rvalue::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)) => {
                    // Both are true, or both are false, or nothing is known.
                    let decides = Range::exactly(match op {
                        BinaryOp::And => Integer::ONE,
                        _ => Integer::ZERO,
                    });
                    if value.numbers.as_ref() == Some(&decides) {
                        let value = Value::numbers(decides);
                        open.extend(self.narrowed(left, &value));
                        open.extend(self.narrowed(right, &value));
                    }
                    None
                }
                Some(Rvalue::Compare(op, left, right)) => {
                    let range = value.numbers.as_ref();
                    let Some(truth) = range.and_then(Range::only).map(|only| !only.is_zero())
                    else {
                        continue;
                    };
                    let op = if truth { *op } else { negated(*op) };
                    // Of floating point numbers, neither may hold.
                    let ty = self.type_of(left).or_else(|| self.type_of(right));
                    if let (Some(one), Some(other)) = (self.variable(left), self.variable(right))
                        && ty.is_some()
                        && !self.state.facts.learn(one, other, Order::of(op)).is_possible()
                    {
                        return Goes::Nowhere;
                    }
                    match self.compared(op, left, right) {
                        Some(both) => {
                            open.extend(both);
                            None
                        }
                        None => return Goes::Nowhere,
                    }
                }
                _ => None,
            };
            open.extend(more);
        }
        Goes::On
    }

    fn narrowed(&self, operand: &Operand, value: &Value) -> Option<(Operand, Value)> {
        let known = self.operand(operand);
        Some((operand.clone(), intersection(&known, value)))
    }

    /// What both sides of a comparison are where it holds; nothing if it cannot.
    fn compared(
        &self,
        op: CompareOp,
        left: &Operand,
        right: &Operand,
    ) -> Option<Vec<(Operand, Value)>> {
        if !self.may_compare(op, left, right) {
            return None;
        }
        let (one, other) = (self.operand(left), self.operand(right));
        let is_number = |value: &Value| value.has_tag(Tag::Number) == Some(true);
        if is_number(&one) && is_number(&other) {
            let (Some(low), Some(high)) = (&one.numbers, &other.numbers) else {
                return Some(Vec::new());
            };
            let (new_left, new_right) =
                (low.comparing(op, high)?, high.comparing(mirrored(op), low)?);
            return Some(vec![
                (left.clone(), Value::numbers(new_left)),
                (right.clone(), Value::numbers(new_right)),
            ]);
        }
        let is_null = |operand: &Operand| matches!(operand, Operand::Const(Const::Null));
        let learnt = |operand: &Operand, value: Value| match op {
            CompareOp::Ne if !value.anything && !value.nothing => {
                Some(vec![(operand.clone(), Value { null: false, ..value })])
            }
            _ => Some(Vec::new()),
        };
        match (is_null(left), is_null(right)) {
            (false, true) => learnt(left, one),
            (true, false) => learnt(right, other),
            _ => Some(Vec::new()),
        }
    }

    /// Goes on where a place holds one of these values, which are among those that it may hold.
    fn learn_place(&mut self, place: &Place, value: Value) -> Goes {
        if value.is_empty() {
            return Goes::Nowhere;
        }
        // Elsewhere a place stands for several, of which this is said of one.
        let object = match (place.base, place.projections.as_slice()) {
            (Base::Local(local), []) => match self.function.local(local).storage {
                Storage::Register => return self.learn(&Operand::Local(local), value),
                Storage::Memory => Some(Object::Local(self.id, local)),
            },
            (Base::Local(local), [Projection::Deref])
                if self.function.local(local).storage == Storage::Register =>
            {
                let pointer = self.state.register(local);
                let only = pointer.pointers.iter().next().copied();
                only.filter(|_| pointer.pointers.len() == 1 && !pointer.anything)
            }
            _ => None,
        };
        if let Some(object @ Object::Local(function, _)) = object
            && function == self.id
            && self.shared.follows_memory
            && self.shared.exists_once(object)
        {
            self.state.cells.insert(object, Rc::new(value));
        }
        Goes::On
    }
}

/// The truth values that are left by these.
fn opposite(range: &Range) -> Range {
    Range::exactly(Integer::ONE).sub(range).meet(&Range::truth()).unwrap_or_else(Range::truth)
}

/// At least those values that are in both.
fn intersection(known: &Value, value: &Value) -> Value {
    if known.anything {
        return value.clone();
    }
    if value.anything {
        return known.clone();
    }
    let numbers = known.numbers.as_ref().zip(value.numbers.as_ref());
    Value {
        anything: false,
        numbers: numbers.and_then(|(one, other)| one.meet(other)),
        null: known.null && value.null,
        pointers: &known.pointers & &value.pointers,
        arrays: &known.arrays & &value.arrays,
        record: value.record.as_ref().and(known.record.clone()),
        functions: &known.functions & &value.functions,
        nothing: known.nothing && value.nothing,
    }
}

/// A number of a type: as it is if it fits, or else any.
fn fitted(range: Option<Range>, ty: IntType) -> Value {
    let all = Range::of(ty);
    Value::numbers(range.filter(|range| all.contains(range)).unwrap_or(all))
}

/// A value with another one in a field of a field.
fn with_field(whole: &Value, fields: &[Projection], value: Value) -> Value {
    let Some((Projection::Named(name), rest)) = fields.split_first() else { return value };
    let mut whole = whole.clone();
    if let Some(record) = &mut whole.record
        && let Some(field) = record.get_mut(name)
    {
        // The way has as many steps as the place.
        field.value = with_field(&field.value, rest, value);
    }
    whole
}

fn reads(rvalue: &Rvalue, local: LocalId) -> bool {
    let is_it = |operand: &Operand| *operand == Operand::Local(local);
    match rvalue {
        Rvalue::Use(operand)
        | Rvalue::Unary(_, operand)
        | Rvalue::Convert(operand, _)
        | Rvalue::Downcast(operand, _) => is_it(operand),
        Rvalue::Binary(_, left, right) | Rvalue::Compare(_, left, right) => {
            is_it(left) || is_it(right)
        }
        Rvalue::Load(place) => {
            place.base == Base::Local(local)
                || place.projections.iter().any(
                    |projection| matches!(projection, Projection::Index(index) if is_it(index)),
                )
        }
        // Nothing is learnt through these.
        _ => false,
    }
}

fn negated(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Ge => CompareOp::Lt,
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        same => same,
    }
}
