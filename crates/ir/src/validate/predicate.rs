//! The rule about the operands of checks.

use super::instruction::Checker;
use super::rules::{Rule, Violation};
use super::typing::ValueType;
use crate::check::Predicate;
use crate::program::{Operand, Place};
use crate::types::IntType;

impl Checker<'_> {
    /// Checks the operands of a predicate.
    pub(super) fn predicate(&self, predicate: &Predicate) -> Result<(), Violation> {
        match predicate {
            Predicate::Never(reason) => self.symbol(*reason),
            Predicate::Holds(value) => {
                self.demand(value, "a truth value", |ty| ty == ValueType::Bool)
            }
            Predicate::NonZero(value) => self.demand(value, "an integer", is_integer),
            Predicate::NonNull(value) => self.demand(value, "a pointer or function", |ty| {
                ty.is_pointer() || is_function_or_any(ty)
            }),
            Predicate::Initialised(place) => self.place(place).map(|_| ()),
            Predicate::Is(place, _) | Predicate::IsNot(place, _) => self.dynamic(place),
            Predicate::HasField(place, name) => {
                self.symbol(*name)?;
                self.dynamic(place)
            }
            Predicate::InBounds { array, index } => {
                self.dynamic(array)?;
                self.demand(index, "an integer", is_integer)
            }
            Predicate::InRange { index, length } => {
                self.demand(index, "an integer", is_integer)?;
                self.demand(length, "an integer", is_integer)
            }
            Predicate::Takes(value, _) => self.demand(value, "a function", is_function_or_any),
            Predicate::Comparable(left, right) => {
                let scalar = |ty: ValueType| ty.fits(ValueType::Any);
                self.demand(left, "something that fits in `any`", scalar)?;
                self.demand(right, "something that fits in `any`", scalar)
            }
            Predicate::Fits(op, left, right) => {
                let machine = |ty| matches!(ty, ValueType::Int(IntType::Machine { .. }));
                self.demand(left, "a machine integer", machine)?;
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                self.binary(Rule::PredicateOperands, *op, left, right)
            }
            Predicate::Accessible(pointer, ty) => {
                self.values(*ty)?;
                self.demand(pointer, "a pointer", ValueType::is_pointer)
            }
            Predicate::Writable(pointer, ty) => {
                self.values(*ty)?;
                self.demand(pointer, "a pointer", ValueType::is_pointer)
            }
            Predicate::AccessibleRange { pointer, count }
            | Predicate::WritableRange { pointer, count } => {
                self.demand(pointer, "a pointer", ValueType::is_pointer)?;
                self.demand(count, "an integer", is_integer)
            }
            Predicate::Disjoint { left, right, count } => {
                self.demand(left, "a pointer", ValueType::is_pointer)?;
                self.demand(right, "a pointer", ValueType::is_pointer)?;
                self.demand(count, "an integer", is_integer)
            }
            Predicate::SameObject(left, right) => {
                self.demand(left, "a pointer", ValueType::is_pointer)?;
                self.demand(right, "a pointer", ValueType::is_pointer)
            }
            Predicate::InObject { pointer, index, element } => {
                self.values(*element)?;
                self.demand(pointer, "a pointer", ValueType::is_pointer)?;
                self.demand(index, "an integer", is_integer)
            }
            Predicate::Representable(value, ty) => {
                let float = |ty| matches!(ty, ValueType::Float(_));
                self.demand(value, "a floating point number", float)?;
                match self.values(*ty)? {
                    ValueType::Int(_) => Ok(()),
                    ty => {
                        Err(self.wrong(Rule::PredicateOperands, "integers are needed, not", [ty]))
                    }
                }
            }
            Predicate::Accepts { function, arguments, result } => {
                for ty in arguments.iter().chain(result) {
                    self.values(*ty)?;
                }
                self.demand(function, "a function", is_function_or_any)
            }
            Predicate::Tracked(_) | Predicate::AllFreed => Ok(()),
            Predicate::Freeable(pointer) => {
                self.demand(pointer, "a pointer", ValueType::is_pointer)
            }
        }
    }

    /// That a dynamic value stands at the place.
    fn dynamic(&self, place: &Place) -> Result<(), Violation> {
        match self.values(self.place(place)?)? {
            ValueType::Any => Ok(()),
            ty => Err(self.wrong(Rule::PredicateOperands, "a dynamic value is needed, not", [ty])),
        }
    }

    /// That the type of `operand` is as demanded.
    fn demand(
        &self,
        operand: &Operand,
        what: &str,
        good: impl FnOnce(ValueType) -> bool,
    ) -> Result<(), Violation> {
        let ty = self.operand(operand)?;
        if good(ty) {
            return Ok(());
        }
        Err(self.wrong(Rule::PredicateOperands, &format!("{what} is needed, not"), [ty]))
    }
}

fn is_integer(ty: ValueType) -> bool {
    ty.as_int().is_some()
}

fn is_function_or_any(ty: ValueType) -> bool {
    ty == ValueType::Any || ty.fits(ValueType::Function)
}
