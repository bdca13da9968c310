//! The address space: which numbers pointers are when somebody asks.
//!
//! An object has no address until the program asks for one. Then it gets the next free one, at a multiple of
//! [`ALIGNMENT`] and with a gap behind it, for good. Functions have theirs from the start. All domains give
//! the same addresses in the same order, so that an execution can be repeated in another one.

use loupe_ir::program::FunctionId;

/// Every object and function starts at a multiple of this.
pub const ALIGNMENT: u64 = 16;
const FIRST_FUNCTION: u64 = 0x40_0000;
const FIRST_OBJECT: u64 = 0x800_0000;

/// The address of a function.
pub fn of_function(function: FunctionId) -> u64 {
    FIRST_FUNCTION + ALIGNMENT * u64::from(function.0)
}

/// The function at an address, in a program with so many.
pub fn function_at(address: u64, functions: u64) -> Option<FunctionId> {
    let distance = address.checked_sub(FIRST_FUNCTION)?;
    let number = distance / ALIGNMENT;
    let is_one = distance.is_multiple_of(ALIGNMENT) && number < functions;
    is_one.then_some(FunctionId(u32::try_from(number).ok()?))
}

/// The first addresses that are those of functions, and the first behind them.
pub fn functions(functions: u64) -> (u64, u64) {
    (FIRST_FUNCTION, FIRST_FUNCTION + ALIGNMENT * functions)
}

/// Where the first object starts, in a program with so many functions.
pub fn first_object(functions: u64) -> u64 {
    FIRST_OBJECT.max(FIRST_FUNCTION + ALIGNMENT * functions)
}

/// Where the next object starts behind one of `size` units.
pub fn behind(start: u64, size: u64) -> u64 {
    (start + size + ALIGNMENT).next_multiple_of(ALIGNMENT)
}
