//! Random programs, microc and C, after section 6.1 of Rozhoň's thesis.
//!
//! Programs are small and made for symbolic execution: they read a few inputs, branch on them, loop as
//! often as they or constants say, use arrays, records, pointers, lists and functions, and on some paths
//! something goes wrong. The same [`Parameters`] give the same text, byte by byte, on every machine.
//!
//! Where the thesis avoids computed indices and calls because random ones fail nearly always, this
//! generator keeps a range for every value (`grow/range.rs`) and *plans* errors: an operation that can fail is
//! protected by its range unless chance decides otherwise. Besides these errors, a C program has no undefined
//! behaviour, signed overflow included, and every loop is known to end, if that is asked for. [`program`] tells where errors
//! were planted, and [`sample_inputs`] which inputs are worth trying to meet them.
//!
//! [`Style::Thesis`] is the generator of the thesis as far as its text tells, for experiments that are to be compared with
//! its tables; [`ThesisSet::ALL`] are its sets of programs. `docs/generator.md` describes both distributions.
//!
//! Not generated: floating point, casts, bit operations, unions, arrays of arrays, function pointers, `goto`.
//! Programs that test a front end are another matter; those are in the tests of the whole tool.
//!
//! ```
//! use loupe_gen::{Language, Parameters, generate};
//!
//! let parameters = Parameters { language: Language::C, seed: 7, ..Parameters::default() };
//! let program = generate(&parameters)?;
//! assert!(program.starts_with("// loupe gen --language c --seed 7\n"));
//! assert_eq!(program, generate(&parameters)?);
//! # Ok::<(), loupe_gen::BadParameters>(())
//! ```

mod c;
mod census;
mod grow;
mod microc;
mod parameters;
mod plant;
mod random;
mod samples;
mod text;
mod thesis;
mod tree;

pub use parameters::{
    BadParameters, ErrorKind, ErrorKinds, InputRange, Language, LoopShape, LoopShapes, Nesting,
    Parameters, Probability, Style, Termination,
};
pub use samples::sample_inputs;
pub use thesis::ThesisSet;

/// A random program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The program. Its first line is a comment with the command that generates it again.
    pub text: String,
    /// The errors in it, in the order of the text.
    pub planted: Vec<Planted>,
    /// How many operations could fail if their operands were others: divisions by what is no constant, computed
    /// indices, pointers that are followed, assertions.
    pub places: u64,
}

/// An operation that fails for some values of its operands, or always. Whether an execution gets to it with such values is
/// another matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// How it fails.
    pub kind: ErrorKind,
    /// The line, from 1, where the front ends report it: of the call, where it is in a function like `reach_error`.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The text of a random program. Its first line is a comment with the command that generates it again.
///
/// # Errors
///
/// If the parameters make no sense.
pub fn generate(parameters: &Parameters) -> Result<String, BadParameters> {
    program(parameters).map(|program| program.text)
}

/// A random program and the errors that were planted in it.
///
/// # Errors
///
/// If the parameters make no sense.
pub fn program(parameters: &Parameters) -> Result<Generated, BadParameters> {
    parameters.check()?;
    let program = match parameters.style {
        Style::Usual => grow::program(parameters),
        Style::Thesis => thesis::program(parameters),
    };
    let text = match parameters.language {
        Language::Microc => microc::print(&program),
        Language::C => c::print(&program),
    };
    let (text, planted) = text::take_marks(&format!("// {}\n{text}", parameters.command_line()));
    Ok(Generated { text, planted, places: census::places(&program) })
}
