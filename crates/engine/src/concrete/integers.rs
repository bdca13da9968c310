//! Integers.

use super::ConcreteValue;
use super::domain::Concrete;
use super::halt::{Halt, Limit, internal};
use crate::domain::Domain;
use crate::value::Value;
use loupe_integer::{Integer, Signedness};
use loupe_ir::program::{BinaryOp, CompareOp};
use loupe_ir::types::IntType;
use std::cmp::Ordering;

impl Concrete {
    /// Operations whose operands or result may not be small.
    #[cold]
    #[inline(never)]
    pub(super) fn large(
        &mut self,
        op: BinaryOp,
        ty: IntType,
        a: &Integer,
        b: &Integer,
    ) -> Result<Integer, Box<Halt>> {
        let limit = || Box::new(Halt::Limit(Limit::Bits { bits: self.max_bits }));
        // Before it is computed: that alone could take all time and memory.
        let expected = match op {
            BinaryOp::Mul => a.bits() + b.bits(),
            BinaryOp::Shl => u64::from(shift_count(b)?) + a.bits(),
            _ => 0,
        };
        if expected > self.max_bits + 1 {
            return Err(limit());
        }
        // A product of two long numbers takes about as long as writing so many cells.
        let words = |bits: u64| usize::try_from(bits / 64 + 1).unwrap_or(usize::MAX);
        self.spend(words(a.bits()).saturating_mul(words(b.bits()).min(64)))?;
        let limit = || Box::new(Halt::Limit(Limit::Bits { bits: self.max_bits }));
        let result = ty.wrap(exact(op, a, b)?);
        if result.bits() > self.max_bits { Err(limit()) } else { Ok(result) }
    }
}

fn shift_count(count: &Integer) -> Result<u32, Box<Halt>> {
    let count = count.to_i64().and_then(|count| u32::try_from(count).ok());
    count.ok_or_else(|| internal("a shift count out of range"))
}

/// The mathematical result of an operation.
#[inline]
pub fn exact(op: BinaryOp, a: &Integer, b: &Integer) -> Result<Integer, Box<Halt>> {
    let no_divisor = || internal("a division by zero without a check before it");
    Ok(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => a.div_truncated(b).ok_or_else(no_divisor)?,
        BinaryOp::Rem => a.rem_truncated(b).ok_or_else(no_divisor)?,
        BinaryOp::BitAnd => a.bit_and(b),
        BinaryOp::BitOr => a.bit_or(b),
        BinaryOp::BitXor => a.bit_xor(b),
        BinaryOp::Shl => a.shift_left(shift_count(b)?),
        BinaryOp::Shr => a.shift_right(shift_count(b)?),
        BinaryOp::And | BinaryOp::Or => return Err(internal("numbers have no truth value")),
    })
}

/// By operator: bit 0 says whether it holds for equal numbers, bit 1 for a greater one on the left, bit
/// 2 for a less one.
const HOLDS: [u8; 6] = {
    let mut holds = [0; 6];
    holds[CompareOp::Eq as usize] = 0b001;
    holds[CompareOp::Ne as usize] = 0b110;
    holds[CompareOp::Lt as usize] = 0b100;
    holds[CompareOp::Le as usize] = 0b101;
    holds[CompareOp::Gt as usize] = 0b010;
    holds[CompareOp::Ge as usize] = 0b011;
    holds
};

/// A comparison.
#[inline(always)]
pub fn compare(op: CompareOp, a: &Integer, b: &Integer) -> bool {
    match (a.to_i64(), b.to_i64()) {
        (Some(a), Some(b)) => compare_small(op, a, b),
        _ => ordered(op, a.cmp(b)),
    }
}

/// The same for small numbers.
#[inline(always)]
pub(super) fn compare_small(op: CompareOp, a: i64, b: i64) -> bool {
    // Without a branch on the operator, which a hot loop would have to predict.
    let order = u8::from(a > b) | u8::from(a < b) << 1;
    (HOLDS[op as usize] >> order) & 1 == 1
}

/// The number that a value is, if it is a small one.
#[inline(always)]
pub(super) fn small(value: &ConcreteValue) -> Option<i64> {
    match value {
        Value::Int(number) => number.to_i64(),
        _ => None,
    }
}

/// What a comparison gives for things in this order.
pub fn ordered(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Eq => order == Ordering::Equal,
        CompareOp::Ne => order != Ordering::Equal,
        CompareOp::Lt => order == Ordering::Less,
        CompareOp::Le => order != Ordering::Greater,
        CompareOp::Gt => order == Ordering::Greater,
        CompareOp::Ge => order != Ordering::Less,
    }
}

/// The operations of hot loops, where all numbers are small.
#[inline(always)]
pub fn quick(op: BinaryOp, ty: IntType, a: i64, b: i64) -> Option<Integer> {
    match ty {
        IntType::Unbounded => unbounded(op, a, b).map(Integer::from),
        IntType::Machine { width, signedness } => wrap_small(machine(op, a, b)?, width, signedness),
    }
}

/// The value of the low bits of a small number in a type of at most 64 bits.
#[inline(always)]
pub fn wrap_small(value: i64, width: u32, signedness: Signedness) -> Option<Integer> {
    let unused = 64u32.checked_sub(width)?;
    match signedness {
        Signedness::Signed => Some(Integer::from((value << unused) >> unused)),
        Signedness::Unsigned => {
            let value = ((value as u64) << unused) >> unused;
            // Where the sign would be, there is mostly nothing.
            Some(i64::try_from(value).map_or_else(|_| Integer::from(value), Integer::from))
        }
    }
}

/// The exact result, if it is small.
#[inline(always)]
fn unbounded(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        _ => None,
    }
}

/// The low 64 bits of the result: `wrap_small` looks at no others.
#[inline(always)]
fn machine(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => Some(a.wrapping_add(b)),
        BinaryOp::Sub => Some(a.wrapping_sub(b)),
        BinaryOp::Mul => Some(a.wrapping_mul(b)),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok()?),
        BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok()?),
        BinaryOp::And | BinaryOp::Or => None,
    }
}
