//! Random programs, microc and C, after section 6.1 of Rozhoň's thesis.
//!
//! Programs are small and made for symbolic execution: they read a few inputs, branch on them, loop as
//! often as they or constants say, use arrays, records, pointers, lists and functions, and on some paths
//! something goes wrong. The same [`Parameters`] give the same text, byte by byte, on every machine.
//!
//! Where the thesis avoids computed indices and calls because random ones fail nearly always, this
//! generator keeps a range for every value (`grow/range.rs`) and *plans* errors: an operation that can fail is
//! protected by its range unless chance decides otherwise. Besides these errors, a C program has no undefined
//! behaviour, signed overflow included, and every loop is known to end, if that is asked for.
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
mod grow;
mod microc;
mod parameters;
mod random;
mod text;
mod tree;

pub use parameters::{
    BadParameters, ErrorKind, ErrorKinds, InputRange, Language, Parameters, Probability,
    Termination,
};

/// A random program. Its first line is a comment with the command that generates it again.
///
/// # Errors
///
/// If the parameters make no sense.
pub fn generate(parameters: &Parameters) -> Result<String, BadParameters> {
    parameters.check()?;
    let program = grow::program(parameters);
    let text = match parameters.language {
        Language::Microc => microc::print(&program),
        Language::C => c::print(&program),
    };
    Ok(format!("// {}\n{text}", parameters.command_line()))
}
