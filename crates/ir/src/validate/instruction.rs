//! The rules about single instructions and terminators.

use super::program::constant;
use super::rules::{Rule, Violation};
use super::typing::{
    ValueType, base_type, local, operand_type, place_type, projected_type, rvalue_type, type_exists,
};
use crate::program::{
    Base, BinaryOp, CompareOp, Const, Function, Initial, InstructionKind, Intrinsic, LocalId,
    Operand, Place, Program, Projection, Region, Rvalue, StatementId, Storage, Symbol,
    TerminatorKind, UnaryOp,
};
use crate::types::{FloatType, Type, TypeId};
use loupe_integer::Integer;
use std::collections::HashSet;

/// What an intrinsic takes or gives.
#[derive(Clone, Copy)]
enum Argument {
    Int,
    Pointer,
    Double,
}

/// Checks what stands in a function whose declarations are in order.
pub(super) struct Checker<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
}

impl Checker<'_> {
    /// A violation that names types.
    pub(super) fn wrong<const N: usize>(
        &self,
        rule: Rule,
        what: &str,
        types: [ValueType; N],
    ) -> Violation {
        let types = types.map(|ty| format!("`{}`", ty.print(self.program)));
        Violation::new(rule, format!("{what} {}", types.join(" and ")))
    }

    /// That a statement exists.
    pub(super) fn statement(&self, id: StatementId) -> Result<(), Violation> {
        if id.index() < self.function.statements.len() {
            return Ok(());
        }
        Err(Violation::new(Rule::StatementExists, format!("there is no statement #{}", id.0)))
    }

    /// That a symbol exists.
    pub(super) fn symbol(&self, symbol: Symbol) -> Result<(), Violation> {
        if symbol.index() < self.program.symbols.len() {
            return Ok(());
        }
        Err(Violation::new(Rule::SymbolExists, format!("there is no symbol {}", symbol.0)))
    }

    /// The values of a type, which must exist.
    pub(super) fn values(&self, id: TypeId) -> Result<ValueType, Violation> {
        type_exists(&self.program.types, id)?;
        Ok(ValueType::of(&self.program.types, id))
    }

    /// The type of an operand that is in order.
    pub(super) fn operand(&self, operand: &Operand) -> Result<ValueType, Violation> {
        match operand {
            Operand::Local(id) if local(self.function, *id)?.storage == Storage::Memory => {
                let message = format!("%{} is in memory", id.0);
                return Err(Violation::new(Rule::OperandIsRegister, message));
            }
            Operand::Local(_) => {}
            Operand::Const(value) => constant(self.program, value)?,
        }
        operand_type(self.program, self.function, operand)
    }

    /// The type of an operand that must be an integer.
    fn integer(&self, operand: &Operand, rule: Rule) -> Result<ValueType, Violation> {
        let ty = self.operand(operand)?;
        if ty.as_int().is_some() { Ok(ty) } else { Err(self.wrong(rule, "no integer but", [ty])) }
    }

    /// The type of what stands at a place that is in order.
    pub(super) fn place(&self, place: &Place) -> Result<TypeId, Violation> {
        for projection in &place.projections {
            match projection {
                Projection::Index(index) => {
                    self.integer(index, Rule::IndexIsInteger)?;
                }
                Projection::Named(symbol) => self.symbol(*symbol)?,
                Projection::Deref | Projection::Field(_) => {}
            }
        }
        place_type(self.program, self.function, place)
    }

    /// That a place has an address.
    fn address(&self, place: &Place) -> Result<(), Violation> {
        self.place(place)?;
        let in_memory = match place.base {
            Base::Local(id) => local(self.function, id)?.storage == Storage::Memory,
            Base::Global(_) => true,
        };
        if !in_memory && !place.projections.contains(&Projection::Deref) {
            return Err(Violation::new(Rule::AddressOfMemory, "a register has no address"));
        }
        // Only dynamic parts lead on from a dynamic part, so one of them anywhere is enough.
        let mut ty = base_type(self.program, self.function, place.base)?;
        for projection in &place.projections {
            if ty == TypeId::ANY {
                let message = "a part of a dynamic value has no address";
                return Err(Violation::new(Rule::AddressOfDynamic, message));
            }
            if let (Projection::Field(field), Type::Record(record)) =
                (projection, self.program.types.get(ty))
                && let Some(record) = self.program.types.records().get(record.0 as usize)
                && record.fields.get(*field as usize).is_some_and(|f| f.first_bit.is_some())
            {
                return Err(Violation::new(Rule::AddressOfBits, "a bit-field has no address"));
            }
            ty = projected_type(self.program, ty, projection)?;
        }
        Ok(())
    }

    /// The type of a register that takes a result.
    fn target(&self, id: LocalId) -> Result<ValueType, Violation> {
        let local = local(self.function, id)?;
        if local.storage == Storage::Memory {
            let message = format!("%{} is in memory", id.0);
            return Err(Violation::new(Rule::TargetIsRegister, message));
        }
        self.values(local.ty)
    }

    /// That a value fits where it is put.
    fn fits(&self, rule: Rule, value: ValueType, target: ValueType) -> Result<(), Violation> {
        if value.fits(target) {
            return Ok(());
        }
        let (value, target) = (value.print(self.program), target.print(self.program));
        Err(Violation::new(rule, format!("`{value}` does not fit in `{target}`")))
    }

    /// Checks an instruction.
    pub(super) fn instruction(&self, kind: &InstructionKind) -> Result<(), Violation> {
        match kind {
            InstructionKind::Assign { target, value } => {
                let target = self.target(*target)?;
                self.rvalue(value)?;
                let value = rvalue_type(self.program, self.function, value)?;
                self.fits(Rule::AssignType, value, target)
            }
            InstructionKind::Store { place, value } => {
                let place = self.place(place)?;
                let value = self.operand(value)?;
                self.fits(Rule::StoreType, value, self.values(place)?)
            }
            InstructionKind::Call { target, callee, arguments } => {
                self.call(*target, callee, arguments)
            }
            InstructionKind::Check(check) => self.predicate(&check.predicate),
            InstructionKind::Assume(condition) => self.condition(condition),
            InstructionKind::Output(value) => {
                self.integer(value, Rule::OutputIsInteger)?;
                Ok(())
            }
            InstructionKind::Live(id) => {
                local(self.function, *id)?;
                Ok(())
            }
            InstructionKind::Dead(id) => match local(self.function, *id)?.storage {
                Storage::Memory => Ok(()),
                Storage::Register => {
                    let message = format!("%{} is a register", id.0);
                    Err(Violation::new(Rule::DeadIsMemory, message))
                }
            },
            InstructionKind::Free(pointer) => {
                let ty = self.operand(pointer)?;
                if ty.is_pointer() {
                    return Ok(());
                }
                Err(self.wrong(Rule::FreeIsPointer, "no pointer but", [ty]))
            }
            InstructionKind::Copy { to, from, count } => {
                let (to, from) = (self.operand(to)?, self.operand(from)?);
                self.integer(count, Rule::RangeOperands)?;
                if to.is_pointer() && from.is_pointer() {
                    return Ok(());
                }
                Err(self.wrong(Rule::RangeOperands, "two pointers are needed, not", [to, from]))
            }
            InstructionKind::Fill { to, byte, count } => {
                let to = self.operand(to)?;
                self.integer(byte, Rule::RangeOperands)?;
                self.integer(count, Rule::RangeOperands)?;
                if to.is_pointer() {
                    return Ok(());
                }
                Err(self.wrong(Rule::RangeOperands, "no pointer but", [to]))
            }
            InstructionKind::Intrinsic { target, intrinsic, arguments } => {
                self.intrinsic(*target, *intrinsic, arguments)
            }
        }
    }

    /// Checks a terminator; that the blocks exist is known.
    pub(super) fn terminator(&self, kind: &TerminatorKind) -> Result<(), Violation> {
        match kind {
            TerminatorKind::Branch { condition, .. } => self.condition(condition),
            TerminatorKind::Switch { value, cases, .. } => {
                self.switch(value, cases.iter().map(|(case, _)| case))
            }
            TerminatorKind::Return(value) => self.result(value.as_ref()),
            TerminatorKind::Exit(status) => {
                self.integer(status, Rule::ExitIsInteger)?;
                Ok(())
            }
            TerminatorKind::Goto(_) | TerminatorKind::Abort | TerminatorKind::Unreachable => Ok(()),
        }
    }

    fn condition(&self, condition: &Operand) -> Result<(), Violation> {
        match self.operand(condition)? {
            ValueType::Bool => Ok(()),
            ty => Err(self.wrong(Rule::ConditionIsBool, "no truth value but", [ty])),
        }
    }

    fn switch<'c>(
        &self,
        value: &Operand,
        cases: impl Iterator<Item = &'c Integer>,
    ) -> Result<(), Violation> {
        let ty = self.integer(value, Rule::SwitchValue)?;
        let mut seen = HashSet::new();
        for case in cases {
            if ty.as_int().is_some_and(|int| !int.contains(case)) {
                let message = format!("{case} is no `{}`", ty.print(self.program));
                return Err(Violation::new(Rule::SwitchCases, message));
            }
            if !seen.insert(case) {
                let message = format!("there are two cases for {case}");
                return Err(Violation::new(Rule::SwitchCases, message));
            }
        }
        Ok(())
    }

    fn result(&self, value: Option<&Operand>) -> Result<(), Violation> {
        match (value, self.function.result) {
            (None, None) => Ok(()),
            (Some(value), Some(result)) => {
                let value = self.operand(value)?;
                self.fits(Rule::ReturnValue, value, self.values(result)?)
            }
            (Some(_), None) => Err(Violation::new(Rule::ReturnValue, "the function has no result")),
            (None, Some(_)) => Err(Violation::new(Rule::ReturnValue, "the result is missing")),
        }
    }

    fn call(
        &self,
        target: Option<LocalId>,
        callee: &Operand,
        arguments: &[Operand],
    ) -> Result<(), Violation> {
        let ty = self.operand(callee)?;
        let given = arguments.iter().map(|a| self.operand(a)).collect::<Result<Vec<_>, _>>()?;
        let target = target.map(|id| self.target(id)).transpose()?;
        if let Operand::Const(Const::Function(id)) = callee {
            return self.known_call(target, self.program.function(*id), &given);
        }
        if !ty.fits(ValueType::Function) && ty != ValueType::Any {
            return Err(self.wrong(Rule::CallCallee, "no function but", [ty]));
        }
        let is_array = |ty: &ValueType| match ty {
            ValueType::Aggregate(id) => {
                matches!(self.program.types.get(*id), Type::Array { .. })
            }
            _ => false,
        };
        match given.into_iter().find(is_array) {
            Some(ty) => Err(self.wrong(Rule::CallArguments, "an array cannot be passed:", [ty])),
            None => Ok(()),
        }
    }

    fn intrinsic(
        &self,
        target: Option<LocalId>,
        intrinsic: Intrinsic,
        arguments: &[Operand],
    ) -> Result<(), Violation> {
        let given = arguments.iter().map(|a| self.operand(a)).collect::<Result<Vec<_>, _>>()?;
        let (wanted, result): (&[Argument], _) = match intrinsic {
            Intrinsic::PutByte => (&[Argument::Int, Argument::Int], None),
            Intrinsic::GetByte | Intrinsic::AtEnd | Intrinsic::ArgumentCount => {
                (&[], Some(Argument::Int))
            }
            Intrinsic::Print => {
                (&[Argument::Int, Argument::Pointer, Argument::Pointer], Some(Argument::Int))
            }
            Intrinsic::Format => (
                &[Argument::Pointer, Argument::Int, Argument::Pointer, Argument::Pointer],
                Some(Argument::Int),
            ),
            Intrinsic::Scan => (&[Argument::Pointer, Argument::Pointer], Some(Argument::Int)),
            Intrinsic::ScanText => {
                (&[Argument::Pointer, Argument::Pointer, Argument::Pointer], Some(Argument::Int))
            }
            Intrinsic::ArgumentByte => (&[Argument::Int, Argument::Int], Some(Argument::Int)),
            Intrinsic::ParseFloat => {
                (&[Argument::Pointer, Argument::Pointer], Some(Argument::Double))
            }
            Intrinsic::Math => (&[Argument::Int, Argument::Double], Some(Argument::Double)),
            Intrinsic::Math2 => {
                (&[Argument::Int, Argument::Double, Argument::Double], Some(Argument::Double))
            }
        };
        let good = |ty: &ValueType, wanted: Argument| match wanted {
            Argument::Int => ty.as_int().is_some(),
            Argument::Pointer => ty.is_pointer(),
            Argument::Double => *ty == ValueType::Float(FloatType::F64),
        };
        let all = given.len() == wanted.len()
            && given.iter().zip(wanted).all(|(ty, wanted)| good(ty, *wanted));
        let target = target.map(|id| self.target(id)).transpose()?;
        let fits = match (target, result) {
            (None, _) => true,
            (Some(target), Some(result)) => good(&target, result),
            (Some(_), None) => false,
        };
        if all && fits {
            return Ok(());
        }
        let message = format!("`{}` has other operands or another result", intrinsic.name());
        Err(Violation::new(Rule::IntrinsicOperands, message))
    }

    fn known_call(
        &self,
        target: Option<ValueType>,
        callee: &Function,
        given: &[ValueType],
    ) -> Result<(), Violation> {
        if given.len() != callee.params {
            let (count, name, params) = (given.len(), &callee.name, callee.params);
            let message = format!("{count} arguments for the {params} parameters of `{name}`");
            return Err(Violation::new(Rule::CallArguments, message));
        }
        for (value, parameter) in given.iter().zip(&callee.locals) {
            self.fits(Rule::CallArguments, *value, self.values(parameter.ty)?)?;
        }
        match (target, callee.result) {
            (None, _) => Ok(()),
            (Some(target), Some(result)) => {
                self.fits(Rule::CallResult, self.values(result)?, target)
            }
            (Some(_), None) => {
                let message = format!("`{}` has no result", callee.name);
                Err(Violation::new(Rule::CallResult, message))
            }
        }
    }

    /// Checks what an assignment computes, but not its type.
    fn rvalue(&self, value: &Rvalue) -> Result<(), Violation> {
        match value {
            Rvalue::Use(value) => self.operand(value).map(|_| ()),
            Rvalue::Load(place) => self.place(place).map(|_| ()),
            Rvalue::Unary(op, value) => self.unary(*op, self.operand(value)?),
            Rvalue::Binary(op, left, right) => {
                self.binary(Rule::BinaryOperands, *op, self.operand(left)?, self.operand(right)?)
            }
            Rvalue::Compare(op, left, right) => {
                self.compare(*op, self.operand(left)?, self.operand(right)?)
            }
            Rvalue::Convert(value, to) => self.convert(self.operand(value)?, self.values(*to)?),
            Rvalue::Downcast(value, to) => self.downcast(self.operand(value)?, self.values(*to)?),
            Rvalue::AddressOf(place) => self.address(place),
            Rvalue::Offset { pointer, index, element } => {
                self.values(*element)?;
                let (pointer, index) = (self.operand(pointer)?, self.operand(index)?);
                if pointer.is_pointer() && index.as_int().is_some() {
                    return Ok(());
                }
                let what = "a pointer and an integer are needed, not";
                Err(self.wrong(Rule::OffsetOperands, what, [pointer, index]))
            }
            Rvalue::Difference { left, right, element, result } => {
                self.values(*element)?;
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                let result = self.values(*result)?;
                if left.is_pointer() && right.is_pointer() && result.as_int().is_some() {
                    return Ok(());
                }
                let what = "no difference of pointers:";
                Err(self.wrong(Rule::PointerOperands, what, [left, right, result]))
            }
            Rvalue::ObjectSize { pointer, result } => {
                let (pointer, result) = (self.operand(pointer)?, self.values(*result)?);
                if pointer.is_pointer() && result.as_int().is_some() {
                    return Ok(());
                }
                let what = "no size of an object:";
                Err(self.wrong(Rule::PointerOperands, what, [pointer, result]))
            }
            Rvalue::Allocate { region, element, count, initial } => {
                let ty = *element;
                let element = self.values(ty)?;
                self.integer(count, Rule::AllocateOperands)?;
                match initial {
                    Initial::Uninitialised | Initial::Zero => Ok(()),
                    Initial::Linked { .. } if *region != Region::Stack => {
                        let message = "linked nodes are on the stack";
                        Err(Violation::new(Rule::AllocateOperands, message))
                    }
                    Initial::Linked { link } if self.program.types.node(ty, *link).is_none() => {
                        let what = format!("field {link} is no link between nodes of type");
                        Err(self.wrong(Rule::AllocateOperands, &what, [element]))
                    }
                    Initial::Linked { .. } => Ok(()),
                    Initial::Value(value) => {
                        self.fits(Rule::AllocateOperands, self.operand(value)?, element)
                    }
                }
            }
            Rvalue::Array(_, elements) => elements.iter().try_for_each(|e| self.dynamic_part(e)),
            Rvalue::Record(fields) => fields.iter().try_for_each(|(name, value)| {
                self.symbol(*name)?;
                self.dynamic_part(value)
            }),
            Rvalue::Input(ty) | Rvalue::Undefined(ty) => match self.values(*ty)? {
                ty if ty.is_scalar() => Ok(()),
                ty => Err(self.wrong(Rule::InputType, "no scalar but", [ty])),
            },
        }
    }

    fn dynamic_part(&self, value: &Operand) -> Result<(), Violation> {
        self.fits(Rule::DynamicParts, self.operand(value)?, ValueType::Any)
    }

    fn unary(&self, op: UnaryOp, value: ValueType) -> Result<(), Violation> {
        let right = match op {
            UnaryOp::Neg => value.as_int().is_some() || matches!(value, ValueType::Float(_)),
            UnaryOp::BitNot => value.as_int().is_some(),
            UnaryOp::Not => value == ValueType::Bool,
        };
        if right { Ok(()) } else { Err(self.wrong(Rule::UnaryOperand, "not for", [value])) }
    }

    /// Checks the operands of an operation.
    pub(super) fn binary(
        &self,
        rule: Rule,
        op: BinaryOp,
        left: ValueType,
        right: ValueType,
    ) -> Result<(), Violation> {
        let integers = left.as_int().is_some() && right.as_int().is_some();
        let floats = matches!(left, ValueType::Float(_)) && left == right;
        let good = match op {
            BinaryOp::And | BinaryOp::Or => left == ValueType::Bool && right == ValueType::Bool,
            BinaryOp::Shl | BinaryOp::Shr => integers,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                floats || (integers && left == right)
            }
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                integers && left == right
            }
        };
        if good { Ok(()) } else { Err(self.wrong(rule, "not for", [left, right])) }
    }

    fn compare(&self, op: CompareOp, left: ValueType, right: ValueType) -> Result<(), Violation> {
        let either_any = left == ValueType::Any || right == ValueType::Any;
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let good = match (left, right) {
            (ValueType::Int(left), ValueType::Int(right)) => left == right,
            (ValueType::Float(left), ValueType::Float(right)) => left == right,
            _ if left.is_pointer() && right.is_pointer() => true,
            (ValueType::Bool, ValueType::Bool) => equality,
            _ if either_any => equality && left.fits(ValueType::Any) && right.fits(ValueType::Any),
            _ => equality && left.fits(ValueType::Function) && right.fits(ValueType::Function),
        };
        if good {
            return Ok(());
        }
        Err(self.wrong(Rule::CompareOperands, "no such comparison of", [left, right]))
    }

    fn convert(&self, from: ValueType, to: ValueType) -> Result<(), Violation> {
        let convertible = |ty| !matches!(ty, ValueType::Any | ValueType::Aggregate(_));
        if convertible(from) && convertible(to) {
            return Ok(());
        }
        Err(self.wrong(Rule::ConvertTypes, "no conversion between", [from, to]))
    }

    fn downcast(&self, from: ValueType, to: ValueType) -> Result<(), Violation> {
        let narrower = to != ValueType::Any && to.fits(ValueType::Any);
        if from == ValueType::Any && narrower {
            return Ok(());
        }
        Err(self.wrong(Rule::DowncastTypes, "no downcast between", [from, to]))
    }
}
