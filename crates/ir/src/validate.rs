//! The rules that every program obeys.
//!
//! Front ends produce programs that obey them, and everything else relies on that; a program that
//! breaks one is an error of Loupe itself, and the [`Violation`] names the [`Rule`]. The types of
//! operands, places and results are of use to everybody, so they can be asked for by themselves:
//! [`operand_type`], [`place_type`], [`rvalue_type`].
//!
//! Not a rule, as it depends on values: that a check precedes every instruction that needs one.

mod instruction;
mod predicate;
mod program;
mod rules;
mod typing;

#[cfg(test)]
mod tests;

pub use rules::{Rule, Violation};
pub use typing::{
    ValueType, base_type, const_type, operand_type, place_type, projected_type, rvalue_type,
};

use crate::program::Program;

/// How many bits the widest machine integer has.
pub const MAX_WIDTH: u32 = 65_535;

/// Whether the program obeys all rules.
///
/// # Errors
///
/// The first violation, if there is one.
pub fn validate(program: &Program) -> Result<(), Violation> {
    program::program(program)
}
