//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use loupe_integer::Integer;
use loupe_solver::{LinkName, SolverCommand};
use std::path::PathBuf;
use std::sync::LazyLock;

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
    Solve(Solve),
}

/// The program, and how it is read.
#[derive(Args)]
pub(crate) struct Source {
    /// The program: microc (.uc, .microc) or a flowgraph in textual form (.lir)
    pub(crate) file: PathBuf,
    /// The language, whatever the file is called
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) lang: Option<Language>,
    /// microc: numbers of so many bits that wrap around, instead of mathematical integers
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(2..=64))]
    pub(crate) int_width: Option<u32>,
    /// microc: what the assignment of an array does
    #[arg(long, value_enum, default_value_t = Arrays::Reference)]
    pub(crate) arrays: Arrays,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// microc
    Microc,
    /// The flowgraph language, as `cfg --norm` prints it
    Ir,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Arrays {
    /// Both names mean the same array
    Reference,
    /// The array is copied; records may hold records
    Value,
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
/// the end of the input, microc reads -1.
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

/// Put a query to the chain of solvers, for debugging.
///
/// The file is SMT-LIB 2.6: linear and nonlinear integer arithmetic, arrays and functions of integers,
/// bounded quantifiers, `push` and `pop`. Every `check-sat` is answered with values, or with the
/// assertions that contradict each other. What `--log` writes can be read back.
#[derive(Args)]
pub(crate) struct Solve {
    /// The query (.smt2)
    pub(crate) file: PathBuf,
    /// Leave links out of the chain: quantifiers, split, cache, linear, simplify, ranges
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
