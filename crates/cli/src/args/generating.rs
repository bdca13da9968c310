//! Arguments of `loupe gen`.

use clap::{Args, ValueEnum};
use loupe_gen::{ErrorKinds, LoopShapes, Probability};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The languages that programs are generated in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GenLanguage {
    /// microc
    Microc,
    /// C, by the conventions of SV-COMP
    C,
}

/// Whose idea of a random program it is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Like {
    /// What can fail is protected, unless an error is planned
    Usual,
    /// As in Rozhoň's thesis (section 6.1): one function, all kinds of statements and expressions equally likely, nothing
    /// protected, loops that may never end
    Thesis,
}

/// A range of inputs, or any.
#[derive(Clone, Copy)]
pub(crate) struct InputRange(pub(crate) Option<loupe_gen::InputRange>);

impl InputRange {
    fn usual() -> Self {
        InputRange(usual().input_range)
    }
}

impl FromStr for InputRange {
    type Err = loupe_gen::BadParameters;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = if text == "any" { None } else { Some(text.parse()?) };
        Ok(InputRange(range))
    }
}

impl fmt::Display for InputRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(range) => write!(f, "{range}"),
            None => f.write_str("any"),
        }
    }
}

/// The parameters of a program that nobody has chosen.
fn usual() -> loupe_gen::Parameters {
    loupe_gen::Parameters::default()
}

/// Generate a random program.
///
/// Programs are small and made for symbolic execution: they read a few inputs, branch on them, loop, use
/// arrays, records, pointers and functions, and on some paths something goes wrong. The first line is a comment
/// with the command that generates the program again. Numbers below are upper limits; the program has a random
/// number of each up to them. With --count, a manifest says which errors there are, and which inputs lead to them.
#[derive(Args)]
pub(crate) struct Gen {
    /// The language
    #[arg(long, visible_alias = "lang", value_enum, default_value_t = GenLanguage::Microc)]
    pub(crate) language: GenLanguage,
    /// Where chance begins: the same seed and options give the same program
    #[arg(long, value_name = "N", default_value_t = usual().seed)]
    pub(crate) seed: u64,
    /// Write to a file, or with --count to files in a folder, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Generate so many programs, with this seed and those that follow, and `manifest.json`
    #[arg(long, value_name = "N", requires = "output")]
    pub(crate) count: Option<u64>,
    /// Whose idea of a random program it is
    #[arg(long, value_enum, default_value_t = Like::Usual)]
    pub(crate) like: Like,
    /// How many statements are loops with a counter
    #[arg(long, value_name = "PROBABILITY", default_value_t = usual().for_loop_probability)]
    pub(crate) for_loop_probability: Probability,
    /// How many statements are loops of other shapes
    #[arg(long, value_name = "PROBABILITY", default_value_t = usual().while_loop_probability)]
    pub(crate) while_loop_probability: Probability,
    /// How deep blocks nest
    #[arg(long, value_name = "N", default_value_t = usual().max_block_depth)]
    pub(crate) max_block_depth: u32,
    /// How many statements `main` has, without declarations and the output of results
    #[arg(long, value_name = "N", default_value_t = usual().max_top_level_statements)]
    pub(crate) max_top_level_statements: u32,
    /// How many statements a nested block has
    #[arg(long, value_name = "N", default_value_t = usual().max_block_statements)]
    pub(crate) max_block_statements: u32,
    /// Put a statement that certainly fails at a random place, in whatever block or function, which may be out of reach
    #[arg(long)]
    pub(crate) guaranteed_error: bool,
    /// Leave out divisions
    #[arg(long)]
    pub(crate) no_divisions: bool,
    /// How many inputs a run reads
    #[arg(long, value_name = "N", default_value_t = usual().max_inputs)]
    pub(crate) max_inputs: u32,
    /// The inputs that make a difference, as in `-1..3`, or `any`; with a range, programs turn other inputs
    /// into one of these, or end
    #[arg(long, value_name = "RANGE", default_value_t = InputRange::usual(), allow_hyphen_values = true)]
    pub(crate) input_range: InputRange,
    /// Allow loops that run for long or for ever
    #[arg(long, visible_alias = "endless")]
    pub(crate) may_diverge: bool,
    /// How often a loop iterates, unless it may be endless
    #[arg(long, value_name = "N", default_value_t = usual().max_iterations)]
    pub(crate) max_iterations: u32,
    /// How deep loops nest
    #[arg(long, value_name = "N", default_value_t = usual().max_loop_depth)]
    pub(crate) max_loop_depth: u32,
    /// What loops look like: `any`, or some of sequential, periodic, irregular (how the paths through a loop follow each
    /// other) and nested
    #[arg(long, value_name = "SHAPES", default_value_t = usual().loops)]
    pub(crate) loops: LoopShapes,
    /// How many statements there are in all, roughly
    #[arg(long, value_name = "N", default_value_t = usual().max_statements)]
    pub(crate) max_statements: u32,
    /// How many variables for numbers `main` has, inputs and counters excluded
    #[arg(long, value_name = "N", default_value_t = usual().max_variables)]
    pub(crate) max_variables: u32,
    /// How many arrays
    #[arg(long, value_name = "N", default_value_t = usual().max_arrays)]
    pub(crate) max_arrays: u32,
    /// How many records or structs
    #[arg(long, value_name = "N", default_value_t = usual().max_records)]
    pub(crate) max_records: u32,
    /// How many pointers to numbers
    #[arg(long, value_name = "N", default_value_t = usual().max_pointers)]
    pub(crate) max_pointers: u32,
    /// How many linked lists
    #[arg(long, value_name = "N", default_value_t = usual().max_lists)]
    pub(crate) max_lists: u32,
    /// How many functions besides `main`
    #[arg(long, value_name = "N", default_value_t = usual().max_functions)]
    pub(crate) max_functions: u32,
    /// How deep expressions nest
    #[arg(long, value_name = "N", default_value_t = usual().max_expression_depth)]
    pub(crate) max_expression_depth: u32,
    /// What may go wrong: division, bounds, null, uninitialised (microc), assertion, overflow (C); or all, none
    #[arg(long, value_name = "KINDS", default_value_t = usual().errors)]
    pub(crate) errors: ErrorKinds,
    /// How many of the operations that can fail are left without protection
    #[arg(long, value_name = "PROBABILITY", default_value_t = usual().error_probability)]
    pub(crate) error_probability: Probability,
    /// Many operations that can fail, with computed divisors and indices, of which so many are left without protection
    /// [default: few operations, and --error-probability]
    #[arg(long, value_name = "PROBABILITY", conflicts_with = "error_probability")]
    pub(crate) error_rate: Option<Probability>,
}
