//! Floating point numbers: those that are known are computed, others are just unknown.

use super::{Outcome, Symbolic};
use crate::halt::{internal, unsupported};
use crate::value::{Float, SymbolicValue};
use loupe_engine::concrete::float::{self, LongFloat, Number};
use loupe_engine::value::Value;
use loupe_ir::types::FloatType;
use std::rc::Rc;

/// Why a path ends that depends on an unknown floating point number.
pub(super) const UNKNOWN: &str = "a floating point number that depends on inputs";

impl Symbolic {
    /// The number that a value is; `None` if it is unknown.
    pub(super) fn number(value: &SymbolicValue, ty: FloatType) -> Outcome<Option<Number>> {
        match value {
            Value::Float(Float::Known(bits)) => Ok(Some(Number::from_bits(u128::from(bits.0), ty))),
            Value::LongFloat(Float::Known(bits)) => Ok(Some(Number::from_bits(*bits.0, ty))),
            Value::Float(Float::Unknown) | Value::LongFloat(Float::Unknown) => Ok(None),
            _ => Err(internal("a floating point number was expected")),
        }
    }

    /// A number as a value of the program.
    pub(super) fn float_value(number: Option<Number>, ty: FloatType) -> SymbolicValue {
        let bits = number.map(Number::bits);
        match ty {
            FloatType::F80 => Value::LongFloat(match bits {
                Some(bits) => Float::Known(LongFloat(Rc::new(bits))),
                None => Float::Unknown,
            }),
            FloatType::F32 | FloatType::F64 => Value::Float(match bits {
                Some(bits) => Float::Known(float::Float(bits as u64)),
                None => Float::Unknown,
            }),
        }
    }

    /// Two numbers that must be known.
    pub(super) fn two_numbers(
        ty: FloatType,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Outcome<(Number, Number)> {
        match (Self::number(a, ty)?, Self::number(b, ty)?) {
            (Some(a), Some(b)) => Ok((a, b)),
            _ => Err(unsupported(UNKNOWN)),
        }
    }
}
