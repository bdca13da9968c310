//! From typed trees to the flowgraph language.
//!
//! Every expression is split into steps, left to right where C leaves the order open, and everything that
//! could go wrong becomes a check before the step. Scalars whose address nobody takes live in registers;
//! all other objects live in memory, from the entry of their block to its end.
//!
//! Units are linked by name. What the units do not define is looked for in the model of the C library,
//! which is C itself and is lowered as far as it is used. What is not there either returns an arbitrary
//! value, and is said in [`Lowered::assumptions`].
//!
//! Recursion goes as deep as expressions and blocks nest; whoever calls this provides the stack for what
//! the front end has accepted.

mod arithmetic;
mod assign;
mod builder;
mod builtin;
mod call;
mod constant;
mod dead;
mod entry;
mod expr;
mod external;
mod function;
mod initial;
mod intrinsic;
mod link;
mod place;
mod scope;
mod stmt;
mod tidy;
mod types;

use crate::front::DataModel;
use crate::tree::Unit;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::Program;
use loupe_ir::source::Sources;

pub(crate) use scope::children;

/// What lowering may be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of types.
    pub data_model: DataModel,
    /// The checks that are made only on request.
    pub checks: Checks,
    /// What reading a `volatile` object gives.
    pub volatile: Volatile,
    /// Where execution starts.
    pub entry: Entry,
    /// What somebody needs who asks for a certain property.
    pub needs: Needs,
}

/// What a property needs of the flowgraph beside checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// What a call of an error function is that the program defines itself.
    pub error_functions: ErrorFunctions,
    /// A label that stands for an error: a check that never holds stands behind it.
    pub error_label: Option<String>,
    /// A line of the first file that somebody wants to reach: a check that never holds stands before each statement that begins there and is no instruction of the flowgraph, such as `break` and `goto`.
    pub target_line: Option<u32>,
    /// Where variables are that hold pointers.
    pub pointers: Pointers,
}

/// Where variables are that hold pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pointers {
    /// In registers, like other scalars.
    #[default]
    InRegisters,
    /// In memory, where they end with their scope: whoever asks which allocated objects the program still knows must not see what a register still holds. (The
    /// variables of the library stay where they are.)
    InMemory,
}

/// The checks that are made only on request; all others are always there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Results of signed operations that do not fit; without it they wrap around. Division of the least
    /// number by -1 is always checked.
    pub signed_overflow: bool,
    /// Reading what was never written; without it such a value is arbitrary.
    pub uninitialised: bool,
    /// Pointers that leave their object without being followed.
    pub pointer_arithmetic: bool,
}

/// What reading a `volatile` object gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatile {
    /// What was written to it.
    Memory,
    /// An input.
    Input,
}

/// What a call of an error function (`reach_error`, `__VERIFIER_error`) is that the program defines itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorFunctions {
    /// An error, whatever the function does.
    #[default]
    Fail,
    /// A call like any other: somebody asks for something else, which may happen in it or behind it.
    AreExecuted,
}

/// Where execution starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// In `main`.
    Main,
    /// In this function, with arbitrary arguments; the second is a function of the same parameters that
    /// must return something else than 0.
    Function(String, Option<String>),
    /// Anywhere: the program is only looked at.
    Any,
}

/// Gives the units of the C library's model.
pub trait Library {
    /// The unit that defines a function or object of this name, if there is one and it was not given
    /// before.
    fn unit(&mut self, name: &str, sources: &mut Sources) -> Result<Option<Unit>, Vec<Diagnostic>>;
}

/// A lowered program.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What was assumed about what is not there.
    pub assumptions: Vec<String>,
    /// What users should know.
    pub warnings: Vec<Diagnostic>,
    /// What cannot be modelled, wherever it stands: in words, and where.
    pub unsupported: Vec<Diagnostic>,
    /// Whether the line or label that somebody wants to reach is in code that can never be executed.
    pub is_target_dead: bool,
}

/// The flowgraph of the units together.
///
/// # Errors
///
/// What makes it impossible to link them.
pub fn lower(
    units: Vec<Unit>,
    library: &mut dyn Library,
    sources: Sources,
    options: &Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    link::Linker::new(units, library, sources, options)?.run()
}
