//! The command line.

mod bench;
mod exploring;
mod generating;
mod source;

use crate::properties::PropertyArgument;
pub(crate) use bench::*;
use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use exploring::*;
pub(crate) use generating::*;
use loupe_integer::Integer;
use loupe_ir::analysis::costs::Method;
use loupe_solver::{LinkName, SolverCommand};
pub(crate) use source::*;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Options that may stand alone, with the values that they may have: `--subsume auto` means the same as `--subsume=auto`.
const MAY_STAND_ALONE: [(&str, &[&str]); 1] = [("--subsume", &["auto", "always", "never"])];

/// The command line with such values joined to their options: clap would take the name of a file for one.
pub(crate) fn with_values(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut is_over = false;
    for argument in arguments {
        let option = joined.last().and_then(|last| {
            let known = MAY_STAND_ALONE.iter().find(|(option, _)| last == option)?;
            known.1.iter().any(|value| argument == *value).then_some(known.0)
        });
        match option.filter(|_| !is_over) {
            Some(option) => {
                let with_value = format!("{option}={}", argument.to_string_lossy());
                joined.pop();
                joined.push(with_value.into());
            }
            None => {
                is_over |= argument == "--";
                joined.push(argument);
            }
        }
    }
    joined
}

const EXIT_STATUS: &str = "Exit status: 0 safe or done, 1 a violation found (run: a run-time error), \
                           2 unknown or cut short by a limit, 3 bad usage or input that cannot be \
                           read, 4 internal error.";

/// A symbolic executor for C and microc that solves loops instead of unrolling them.
#[derive(Parser)]
#[command(name = "loupe", version = VERSION.as_str(), after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// Colour of messages
    #[arg(long, value_enum, default_value_t = Colour::Auto, global = true)]
    pub(crate) color: Colour,
    #[command(subcommand)]
    pub(crate) command: Command,
}

static VERSION: LazyLock<String> = LazyLock::new(|| match loupe_solver::check_library() {
    Ok(library) => format!("{} (Z3 {library})", env!("CARGO_PKG_VERSION")),
    Err(mismatch) => {
        let (found, needed) = (mismatch.found, mismatch.needed);
        format!("{} (Z3 {found}, which should be {needed})", env!("CARGO_PKG_VERSION"))
    }
});

/// The version of Loupe and of its solver.
pub(crate) fn version() -> &'static str {
    &VERSION
}

/// Colour of messages.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    // The structs say what they do; a text here would hide theirs.
    Run(Run),
    Cfg(Cfg),
    Ast(Ast),
    Costs(Costs),
    Explore(Explore),
    Verify(Verify),
    Reach(Reach),
    Test(Test),
    Gen(Gen),
    Solve(Solve),
    Loops(Survey),
    Bench(Box<Bench>),
}

/// Solve the loops of programs: types, summaries and bounds.
///
/// Each loop is looked at alone, with arbitrary values at its entry. Its type is the one of Proteus: 1 and 2 if all conditions
/// change by constant steps, 1 and 3 if the paths through it follow each other in phases or periods. A bound is the number of
/// steps back to its start, over the values at entry. Files are programs of their own; folders are searched for
/// programs, and a table of totals stands at the end.
#[derive(Args)]
pub(crate) struct Survey {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Print the paths, exits and cases of each loop
    #[arg(long)]
    pub(crate) summary: bool,
    /// Print each summary as a relation between the values at entry and at exit
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) emit: Option<Emit>,
    /// Print the path dependency automaton of each loop as a graph
    #[arg(long, conflicts_with = "emit")]
    pub(crate) dot: bool,
    /// Show the values of these variables only
    #[arg(long, value_name = "VARIABLES", value_delimiter = ',')]
    pub(crate) interest: Vec<String>,
    /// Only the loops in this function
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) function: Option<String>,
    /// How much work a loop may be, in percent of the usual; types and most bounds need little
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) effort: u32,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    pub(crate) timeout: f64,
    /// Stop when the process has more megabytes of memory
    #[arg(long, value_name = "MB", default_value_t = 4_096)]
    pub(crate) max_memory: u64,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// What relations are printed as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// SMT-LIB 2.6
    Smt2,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object on standard output and nothing else
    Json,
}

/// Run a program on concrete inputs.
///
/// The program's output alone goes to standard output; its result, errors and times go to standard
/// error. Inputs are numbers between spaces, commas or line ends; `7 x3` stands for `7 7 7`. Behind
/// the end of the input, microc reads -1 and C 0. A C program reads its inputs with `__VERIFIER_nondet_int()` and
/// its relatives; what `getchar` and `scanf` read is standard input, unless inputs are given.
///
/// Whatever a C program does that C leaves undefined ends the run with a message, except that signed
/// numbers wrap around and uninitialised ones are arbitrary; see --check.
#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The inputs [default: standard input]
    #[arg(long, value_name = "NUMBERS", conflicts_with = "input_file", allow_hyphen_values = true)]
    pub(crate) input: Option<String>,
    /// A file with the inputs, and after a line `uninitialised:` the values of uninitialised variables
    #[arg(long, value_name = "FILE")]
    pub(crate) input_file: Option<PathBuf>,
    /// The values of uninitialised variables, in the order in which they come to be [default: 0]
    #[arg(long, value_name = "NUMBERS", conflicts_with = "input_file", allow_hyphen_values = true)]
    pub(crate) uninitialised: Option<String>,
    /// Look for what violates this property, as `verify` does, and for nothing else: exit status 1 means that it is violated
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) property: Option<PropertyArgument>,
    /// The arguments of `main`
    #[arg(long, value_name = "NUMBER", num_args = 0.., allow_negative_numbers = true)]
    pub(crate) args: Vec<Integer>,
    /// Say how long it took
    #[arg(long)]
    pub(crate) time: bool,
    /// Write numbers as characters (below 256: bytes), and read standard input or the input file as
    /// bytes
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Stop after so many steps
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// Stop when calls nest deeper
    #[arg(long, value_name = "N", default_value_t = 250_000)]
    pub(crate) max_depth: usize,
    /// Stop when objects have more memory cells in all; microc never gives any back
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub(crate) max_cells: u64,
    /// Stop when the process has more megabytes of memory, for whatever reason
    #[arg(long, value_name = "MB", default_value_t = 4_096)]
    pub(crate) max_memory: u64,
    /// Exit with the result of the program, modulo 256
    #[arg(long)]
    pub(crate) pass_status: bool,
    /// Command line arguments of a C program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) program_arguments: Vec<std::ffi::OsString>,
    /// Count iterations of loops and their paths, and what was covered
    #[arg(long)]
    pub(crate) profile: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// For people; with --norm it can be read back
    Text,
    /// JSON
    Json,
    /// Graphviz
    Dot,
}

/// Print the flowgraph of a program.
///
/// Its nodes show the statements of the program. With --norm it is the graph that Loupe works on:
/// expressions split into temporaries, and every possible failure an explicit check.
#[derive(Args)]
pub(crate) struct Cfg {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Show the normalised graph
    #[arg(long)]
    pub(crate) norm: bool,
    /// The form of the graph
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub(crate) format: GraphFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// The tree
    Json,
    /// The program, laid out anew and without comments
    Text,
}

/// Print the syntax tree of a program as JSON.
#[derive(Args)]
pub(crate) struct Ast {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The form of the tree
    #[arg(long, value_enum, default_value_t = TreeFormat::Json)]
    pub(crate) format: TreeFormat,
    /// Indent by so many spaces [default: everything on one line]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=64))]
    pub(crate) indent: Option<u16>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The ways to count queries.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostMethod {
    /// On the path with most of them, up to a limit (--cap)
    Lattice,
    /// On all paths, with at most so many iterations of each loop (--kappa)
    Recursive,
}

/// Estimate how many queries each variable will be in.
///
/// For each statement and variable: how many branches and checks from there on depend on the value that the variable has there. That
/// is what merging two states costs that differ in the variable. Calls are followed; memory that pointers lead to is one
/// variable, of which those are part whose address is taken.
#[derive(Args)]
pub(crate) struct Costs {
    #[command(flatten)]
    pub(crate) source: Source,
    /// How queries are counted
    #[arg(long, value_enum, default_value_t = CostMethod::Lattice)]
    pub(crate) method: CostMethod,
    /// recursive: so many iterations of each loop, and so many nested calls of a function by itself
    #[arg(long, value_name = "N", default_value_t = Method::KAPPA,
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) kappa: u32,
    /// lattice: no estimate is larger
    #[arg(long, value_name = "N", default_value_t = Method::CAP,
          value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub(crate) cap: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) timeout: f64,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Put a query to the chain of solvers, for debugging.
///
/// The file is SMT-LIB 2.6: linear and nonlinear integer arithmetic, arrays and functions of integers,
/// bounded quantifiers, `push` and `pop`. Every `check-sat` is answered with values, or with the
/// assertions that contradict each other. What `--log` writes can be read back.
#[derive(Args)]
pub(crate) struct Solve {
    /// The query (.smt2)
    pub(crate) file: PathBuf,
    /// Leave links out of the chain: quantifiers, split, cache, linear, simplify, ranges, algebra
    #[arg(long, value_name = "LINKS", value_delimiter = ',')]
    pub(crate) without: Vec<LinkName>,
    /// Another solver that reads SMT-LIB from its standard input; it is asked when Z3 does not know
    #[arg(long, value_name = "COMMAND", value_parser = SolverCommand::parse)]
    pub(crate) solver_cmd: Option<SolverCommand>,
    /// Ask the other solver always, and report a contradiction
    #[arg(long, requires = "solver_cmd")]
    pub(crate) cross_check: bool,
    /// Write every query with its answer and time to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Stop a query after so much work, in units of Z3; a million is about a second
    #[arg(long, value_name = "UNITS", default_value_t = 20_000_000)]
    pub(crate) work: u64,
    /// Stop a query after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) timeout: f64,
    /// Stop a query when Z3 has more megabytes of memory
    #[arg(long, value_name = "MB", default_value_t = 2_048)]
    pub(crate) max_memory: u64,
    /// Say what each link has done
    #[arg(long)]
    pub(crate) stats: bool,
    /// The form of the answers
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
