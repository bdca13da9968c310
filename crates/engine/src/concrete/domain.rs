//! Numbers are numbers, memory is memory.

use super::input::{BadInput, InputSource};
use super::interpreter::Supervisor;
use super::memory::{Address, Memory};
use crate::domain::{Domain, InternalError, NewObject};
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{BinaryOp, CompareOp, UnaryOp};
use loupe_ir::types::{IntType, TypeId, Types};
use std::cmp::Ordering;

/// A limit that ended an execution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// Too many instructions.
    #[error("the limit of {steps} steps was reached")]
    Steps {
        /// The limit.
        steps: u64,
    },
    /// Calls nested too deeply.
    #[error("the limit of {depth} nested calls was reached")]
    Depth {
        /// The limit.
        depth: usize,
    },
    /// Too much memory.
    #[error("the limit of {cells} memory cells was reached")]
    Memory {
        /// The limit.
        cells: u64,
    },
    /// A number too large.
    #[error("a number with more than {bits} bits was computed")]
    Bits {
        /// The limit.
        bits: u64,
    },
    /// The process as a whole has become too large.
    #[error("the limit of {megabytes} MB of memory was reached")]
    Process {
        /// The limit.
        megabytes: u64,
    },
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// Nobody reads the output any more.
    #[error("the output was closed")]
    OutputClosed,
}

/// Why an operation could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// A limit was reached.
    #[error(transparent)]
    Limit(#[from] Limit),
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] BadInput),
    /// The program does something that has no model.
    #[error("not modelled: {0}")]
    Unsupported(&'static str),
    /// Loupe is broken.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

/// How many inputs and uninitialised values have been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Inputs.
    pub input: u64,
    /// Uninitialised values.
    pub undefined: u64,
}

/// The domain of concrete values.
pub struct Concrete {
    pub(super) input: Box<dyn InputSource>,
    pub(super) undefined: Box<dyn InputSource>,
    pub(super) end_of_input: Integer,
    pub(super) max_cells: u64,
    pub(super) max_bits: u64,
    pub(super) supervisor: Option<Supervisor>,
    /// How many cells have been written in single steps since the supervisor was asked.
    pub(super) spent: usize,
}

/// So many cells may be written between two questions to the supervisor: some tens of megabytes.
const CELLS_BETWEEN_QUESTIONS: usize = 1 << 21;

impl std::fmt::Debug for Concrete {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Concrete")
    }
}

impl Concrete {
    /// Whether somebody outside wants the run to end.
    pub(super) fn ask_supervisor(&mut self) -> Result<(), Box<Halt>> {
        match self.supervisor.as_mut().and_then(|ask| ask()) {
            Some(limit) => Err(Box::new(Halt::Limit(limit))),
            None => Ok(()),
        }
    }

    /// Operations whose operands or result may not be small.
    #[cold]
    #[inline(never)]
    fn large(
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

impl From<InternalError> for Box<Halt> {
    fn from(error: InternalError) -> Self {
        Box::new(Halt::Internal(error))
    }
}

fn internal(what: &str) -> Box<Halt> {
    InternalError(what.to_owned()).into()
}

fn unsupported(what: &'static str) -> Box<Halt> {
    Box::new(Halt::Unsupported(what))
}

fn shift_count(count: &Integer) -> Result<u32, Box<Halt>> {
    let count = count.to_i64().and_then(|count| u32::try_from(count).ok());
    count.ok_or_else(|| internal("a shift count out of range"))
}

/// The mathematical result of an operation.
#[inline]
fn exact(op: BinaryOp, a: &Integer, b: &Integer) -> Result<Integer, Box<Halt>> {
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

fn ordered(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Eq => order == Ordering::Equal,
        CompareOp::Ne => order != Ordering::Equal,
        CompareOp::Lt => order == Ordering::Less,
        CompareOp::Le => order != Ordering::Greater,
        CompareOp::Gt => order == Ordering::Greater,
        CompareOp::Ge => order != Ordering::Less,
    }
}

fn next(
    source: &mut dyn InputSource,
    position: &mut u64,
    ty: IntType,
    at_end: &Integer,
) -> Result<Integer, Box<Halt>> {
    let Some(value) = source.get(*position).map_err(Halt::Input)? else {
        *position += 1;
        return Ok(ty.wrap(at_end.clone()));
    };
    if !ty.contains(&value) {
        let error = BadInput::OutOfRange { position: *position, value, ty };
        return Err(Box::new(Halt::Input(error)));
    }
    *position += 1;
    Ok(value)
}

impl Domain for Concrete {
    type Int = Integer;
    type Bool = bool;
    type Pointer = Option<Address>;
    type Memory = Memory;
    type Streams = Positions;
    type Halt = Box<Halt>;

    #[inline]
    fn int(&mut self, value: &Integer) -> Integer {
        value.clone()
    }

    #[inline]
    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn unary(&mut self, op: UnaryOp, ty: IntType, a: &Integer) -> Result<Integer, Box<Halt>> {
        match op {
            UnaryOp::Neg => Ok(ty.wrap(a.neg())),
            UnaryOp::BitNot => Ok(ty.wrap(a.neg().sub(&Integer::ONE))),
            UnaryOp::Not => Err(internal("numbers have no truth value")),
        }
    }

    #[inline(always)]
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: IntType,
        a: &Integer,
        b: &Integer,
    ) -> Result<Integer, Box<Halt>> {
        match Self::quick_binary(op, ty, a, b) {
            Some(result) => Ok(result),
            None => self.large(op, ty, a, b),
        }
    }

    /// The operations of hot loops, where all numbers are small.
    #[inline(always)]
    fn quick_binary(op: BinaryOp, ty: IntType, a: &Integer, b: &Integer) -> Option<Integer> {
        let (a, b) = (a.to_i64()?, b.to_i64()?);
        let result = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div => a.checked_div(b),
            BinaryOp::Rem => a.checked_rem(b),
            _ => None,
        };
        match ty {
            IntType::Unbounded => result.map(Integer::from),
            IntType::Machine { width, signedness } => {
                Integer::wrap_small(result?, width, signedness)
            }
        }
    }

    #[inline(always)]
    fn compare(&mut self, op: CompareOp, a: &Integer, b: &Integer) -> bool {
        let (Some(small_a), Some(small_b)) = (a.to_i64(), b.to_i64()) else {
            return ordered(op, a.cmp(b));
        };
        // Without a branch on the operator, which a hot loop would have to predict.
        let order = u8::from(small_a > small_b) | u8::from(small_a < small_b) << 1;
        (HOLDS[op as usize] >> order) & 1 == 1
    }

    fn wrap(&mut self, ty: IntType, a: &Integer) -> Integer {
        ty.wrap(a.clone())
    }

    fn fits(&mut self, op: BinaryOp, ty: IntType, a: &Integer, b: &Integer) -> bool {
        exact(op, a, b).is_ok_and(|result| ty.contains(&result))
    }

    fn not(&mut self, a: &bool) -> bool {
        !a
    }

    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }

    fn or(&mut self, a: &bool, b: &bool) -> bool {
        *a || *b
    }

    fn int_of_bool(&mut self, a: &bool) -> Integer {
        Integer::from(*a)
    }

    fn null(&mut self) -> Option<Address> {
        None
    }

    fn is_null(&mut self, pointer: &Option<Address>) -> bool {
        pointer.is_none()
    }

    fn compare_pointers(
        &mut self,
        op: CompareOp,
        a: &Option<Address>,
        b: &Option<Address>,
    ) -> Result<bool, Box<Halt>> {
        match (op, a, b) {
            (CompareOp::Eq, a, b) => Ok(a == b),
            (CompareOp::Ne, a, b) => Ok(a != b),
            (op, Some(a), Some(b)) if a.object == b.object => {
                Ok(ordered(op, a.offset.cmp(&b.offset)))
            }
            _ => Err(unsupported("the order of pointers into different objects")),
        }
    }

    fn advance(
        &mut self,
        pointer: &Option<Address>,
        units: &Integer,
    ) -> Result<Option<Address>, Box<Halt>> {
        let Some(address) = pointer else {
            return if units.is_zero() {
                Ok(None)
            } else {
                Err(unsupported("arithmetic on the null pointer"))
            };
        };
        let units = units.to_i64().and_then(|units| i32::try_from(units).ok());
        let offset = units.and_then(|units| address.offset.checked_add(units));
        let offset = offset.ok_or_else(|| unsupported("a pointer beyond the address space"))?;
        Ok(Some(Address { offset, ..*address }))
    }

    fn allocate(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        object: NewObject<Self>,
    ) -> Result<Option<Address>, Box<Halt>> {
        memory.allocate(types, object, self.max_cells).map(Some)
    }

    fn release(&mut self, memory: &mut Memory, pointer: &Option<Address>) -> Result<(), Box<Halt>> {
        if let Some(address) = pointer {
            memory.release(address.object);
        }
        Ok(())
    }

    #[inline]
    fn load(
        &mut self,
        types: &Types,
        memory: &Memory,
        pointer: &Option<Address>,
        ty: TypeId,
    ) -> Result<Value<Self>, Box<Halt>> {
        let address = pointer.ok_or_else(|| internal("a null pointer is followed unchecked"))?;
        memory.load(types, address, ty)
    }

    #[inline]
    fn store(
        &mut self,
        types: &Types,
        memory: &mut Memory,
        pointer: &Option<Address>,
        ty: TypeId,
        value: Value<Self>,
    ) -> Result<(), Box<Halt>> {
        let address = pointer.ok_or_else(|| internal("a null pointer is followed unchecked"))?;
        memory.store(types, address, ty, value)
    }

    fn length(&mut self, memory: &Memory, pointer: &Option<Address>) -> Integer {
        Integer::from(pointer.map_or(0, |address| memory.length(address.object)))
    }

    fn accessible(
        &mut self,
        types: &Types,
        memory: &Memory,
        pointer: &Option<Address>,
        ty: TypeId,
    ) -> bool {
        pointer.is_some_and(|address| memory.accessible(address, types.size_of(ty)))
    }

    fn freeable(&mut self, memory: &Memory, pointer: &Option<Address>) -> bool {
        pointer.is_none_or(|address| memory.freeable(address))
    }

    #[inline]
    fn spend(&mut self, cells: usize) -> Result<(), Box<Halt>> {
        self.spent = self.spent.saturating_add(cells);
        if self.spent < CELLS_BETWEEN_QUESTIONS {
            return Ok(());
        }
        self.spent = 0;
        self.ask_supervisor()
    }

    fn position(&mut self, index: &Integer, length: usize) -> Result<usize, Box<Halt>> {
        let index = index.to_usize().filter(|index| *index < length);
        index.ok_or_else(|| internal("an index out of range without a check before it"))
    }

    fn input(&mut self, streams: &mut Positions, ty: IntType) -> Result<Integer, Box<Halt>> {
        next(&mut *self.input, &mut streams.input, ty, &self.end_of_input)
    }

    fn undefined(&mut self, streams: &mut Positions, ty: IntType) -> Result<Integer, Box<Halt>> {
        next(&mut *self.undefined, &mut streams.undefined, ty, &Integer::ZERO)
    }
}
