//! Arguments of the commands that execute programs symbolically.

use super::{Emit, Format, Source};
use crate::properties::PropertyArgument;
use clap::{Args, ValueEnum};
use loupe_solver::LinkName;
use loupe_symbolic::explore::{Draft, Merge, MergeStrategy, Subsumed, Subsuming};
use loupe_symbolic::search::Strategy;
use loupe_verify::Member;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How many instances of what must hold in all iterations are looked at first, as in the paper.
pub(crate) const INSTANCES: u32 = 25;

/// How the tree of executions is explored.
#[derive(Args, Clone)]
#[command(next_help_heading = "Exploration")]
pub(crate) struct Exploring {
    /// What is done about loops [default: several ways race in `verify`, see --members; unroll otherwise]
    #[arg(long, value_enum)]
    pub(crate) loops: Option<Loops>,
    /// Look for a condition first that is necessary for errors, and let it guide the exploration: states that contradict it are dropped, and those
    /// that a candidate goes through come first. (In one thread.)
    #[arg(long)]
    pub(crate) guide: bool,
    /// Stop states that are like others from which nothing went wrong: places get annotations, conditions under which nothing goes wrong from there,
    /// by induction for loops. With `auto`, if the program turns out to be worth it, which is said. (Not for termination and leaks. In `verify`, the member `execution` does it where nothing is said about loops.)
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) subsume: Option<Subsume>,
    /// Execute so many iterations of a loop before it is tried to say something of all of them, with --subsume
    #[arg(long, value_name = "N", default_value_t = 1, requires = "subsume")]
    pub(crate) subsume_depth: u64,
    /// Which template is applied where several cyclic paths begin, with `--loops compact`
    #[arg(long, value_enum, default_value_t = Templates::Turns)]
    pub(crate) templates: Templates,
    /// What counts as an error [default: unreach-call for C, no-errors otherwise]
    ///
    /// The name of a property: unreach-call, no-errors, no-overflow, valid-memsafety, valid-deref, valid-free, valid-memtrack, valid-memcleanup, def-behavior,
    /// termination; or a property file of SV-COMP (.prp). `verify` takes several, between commas or one by one, and shares its time among them.
    #[arg(long, value_name = "PROPERTY", value_delimiter = ',')]
    pub(crate) property: Vec<PropertyArgument>,
    /// Which state is executed next: bfs, dfs, random, tree, coverage, klee or target [default: klee for
    /// tests, bfs otherwise]
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) search: Option<Strategy>,
    /// The line that the search `target` is after
    #[arg(long, value_name = "LINE", required_if_eq("search", "target"))]
    pub(crate) target: Option<u32>,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Explore in so many threads [default: 1; for the members of `verify`: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Which states that come to the same place become one: none, aggressive (all that can), lattice or recursive (where few
    /// questions to come depend on what differs, by data flow or by recursion), dynamic (as lattice, and states wait for others
    /// that can come to them), auto (none or dynamic, by the estimates, which is said). In `verify`, the members `execution` and `unrolling` do it where nothing is said about loops [default: none]
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) merge: Option<MergeStrategy>,
    /// States are merged where fewer questions than this are to come about what differs [default: 10; 1 with --thesis]
    #[arg(long, value_name = "N", requires = "merge")]
    pub(crate) limit_cost: Option<u64>,
    /// How many iterations of each loop `--merge recursive` counts questions in
    #[arg(long, value_name = "N", default_value_t = 1, requires = "merge")]
    pub(crate) kappa: u32,
    /// What an access at an index that depends on inputs becomes
    #[arg(long, value_enum, default_value_t = Index::Ite)]
    pub(crate) symbolic_index: Index,
    /// Assume that nothing undefined happens, instead of giving up on paths where it does
    #[arg(long)]
    pub(crate) assume_defined: bool,
    /// Stop after so many paths
    #[arg(long, value_name = "N")]
    pub(crate) max_paths: Option<u64>,
    /// Leave paths whose calls nest deeper
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_depth: usize,
    /// Leave paths that repeat a loop more often
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) timeout: f64,
    /// Stop when the process has more megabytes of memory
    #[arg(long, value_name = "MB", default_value_t = 4_096)]
    pub(crate) max_memory: u64,
    /// Leave links out of the chain of solvers: quantifiers, split, cache, linear, simplify, ranges, algebra
    #[arg(long, value_name = "LINKS", value_delimiter = ',')]
    pub(crate) without: Vec<LinkName>,
}

impl Exploring {
    /// Whether nothing is said that only a single exploration understands.
    pub(crate) fn leaves_open_how(&self) -> bool {
        self.loops.is_none()
            && self.search.is_none()
            && self.max_paths.is_none()
            && self.max_iterations.is_none()
    }

    /// Which states stop that are like others, if any shall.
    pub(crate) fn subsume(&self, who: Subsumed) -> Option<loupe_symbolic::explore::Subsume> {
        let when = match self.subsume? {
            Subsume::Always => Subsuming::Always,
            Subsume::Auto => Subsuming::Auto,
            Subsume::Never => return None,
        };
        Some(loupe_symbolic::explore::Subsume { depth: self.subsume_depth, who, when })
    }

    /// Which states are merged, with a limit for costs where nobody says.
    pub(crate) fn merge(&self, usual_limit: u64) -> Merge {
        Merge {
            strategy: self.merge.unwrap_or_default(),
            limit_cost: self.limit_cost.unwrap_or(usual_limit),
            kappa: self.kappa,
            credit: Merge::CREDIT,
        }
    }

    /// How many members of a race run at once.
    pub(crate) fn jobs_of_members(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(cores, NonZeroUsize::get)
    }
}

/// Whether states stop that are like others.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subsume {
    /// They do
    Always,
    /// If the program turns out to be worth it
    Auto,
    /// They do not
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Index {
    /// A choice between the values at all places, or an array
    Ite,
    /// A state for each place
    Fork,
}

/// Explore the executions of a program symbolically.
///
/// Inputs are symbols. Where the program branches, both sides are followed as far as inputs exist for
/// them. Every error is replayed with concrete inputs.
#[derive(Args, Clone)]
pub(crate) struct Explore {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    /// Stop at the first error
    #[arg(long)]
    pub(crate) first_error: bool,
    /// Explore with each technique on and off, and print a table: each file is a program of its own, --timeout is for each exploration, and what
    /// else is said here is what techniques are changed from
    #[arg(long, conflicts_with_all = ["tree", "output", "annotations", "profile", "thesis", "compile_commands"])]
    pub(crate) ablate: bool,
    /// Say which loops cost how many states, queries and seconds
    #[arg(long)]
    pub(crate) profile: bool,
    /// Print the annotations: for each place, conditions under which nothing goes wrong from there
    #[arg(long, requires = "subsume")]
    pub(crate) annotations: bool,
    /// Write the tree of executions to a file: as a graph (.dot) or as JSON (.json)
    #[arg(long, value_name = "FILE", conflicts_with = "jobs")]
    pub(crate) tree: Option<PathBuf>,
    /// Write the number of explored paths, the milliseconds and the number of errors to the files
    /// coverage.txt, time.txt and error.txt in a folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// As the microc executor of the master's thesis: breadth first, 30 seconds, up to the first error
    #[arg(long, conflicts_with_all = ["search", "timeout", "first_error"])]
    pub(crate) thesis: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// A member of the race for a verdict.
fn member_for_verdicts(text: &str) -> Result<Member, String> {
    let members = Member::for_verdicts();
    let named = members.iter().find(|member| member.name() == text);
    named.copied().ok_or_else(|| {
        let names: Vec<&str> = members.iter().map(|member| member.name()).collect();
        format!("there is no member `{text}`; the members are {}", names.join(", "))
    })
}

/// Prove that a program is safe, or find inputs that show that it is not.
///
/// Safe: every execution was covered. Unsafe: inputs were found, and the program was run on them up to the
/// error. Unknown: anything else, with the reasons.
#[derive(Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    /// Who races for the verdict, where nothing is said about loops: execution, necessary, invariants, unrolling, compact, approximation [default: all]
    #[arg(long, value_name = "MEMBERS", value_delimiter = ',', value_parser = member_for_verdicts, conflicts_with_all = ["loops", "guide", "all_errors"])]
    pub(crate) members: Vec<Member>,
    /// Go on after the first error
    #[arg(long)]
    pub(crate) all_errors: bool,
    /// Say how the verdict came about: who decided, what was proved for each loop, what each member came to
    #[arg(long)]
    pub(crate) explain: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// Find out whether a place of a program is reached, and what is necessary for that.
///
/// Loops on the ways to it are passed by conditions on how often their paths are taken (abstract path conditions). What they say together is necessary for
/// coming there; if it cannot hold, nobody does. Otherwise it gives candidates for inputs, which are run, and then the program is searched as by `verify`. Status 1 means reached, 0 unreachable.
#[derive(Args)]
pub(crate) struct Reach {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) goal: Goal,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    /// Look at the first so many instances of what must hold in all iterations; more where that is not enough
    #[arg(long = "k", value_name = "N", default_value_t = INSTANCES)]
    pub(crate) instances: u32,
    /// Give the necessary condition up and search instead if there are more ways through the program
    #[arg(long, value_name = "N", default_value_t = Draft::WAYS, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_ways: u64,
    /// Who races for the answer, where nothing is said about loops or the search: guided, execution, necessary, invariants, unrolling, compact, approximation
    /// [default: guided, which looks for the necessary condition, and all others but necessary a moment later]
    #[arg(long, value_name = "MEMBERS", value_delimiter = ',', conflicts_with_all = ["loops", "search"])]
    pub(crate) members: Vec<Member>,
    /// Search as if nothing were known, where the necessary condition does not tell
    #[arg(long, conflicts_with = "guide")]
    pub(crate) no_guide: bool,
    /// Print the necessary condition for a solver instead: all ways are looked for, whether or not one is known to be gone. With `--format json` it is a field of the report
    #[arg(long, value_enum)]
    pub(crate) emit: Option<Emit>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// The number of a line.
fn line_number(text: &str) -> Result<u32, String> {
    let why = if text.starts_with('-') { "lines are numbered from 1" } else { "not a number" };
    text.parse().map_err(|_| why.to_owned())
}

/// What is to be reached.
#[derive(Args)]
#[group(required = true, multiple = false)]
#[command(next_help_heading = "Target")]
pub(crate) struct Goal {
    /// Something in this line of the first file
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = line_number)]
    pub(crate) line: Option<u32>,
    /// C: what this label stands before
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,
    /// The beginning of a function
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// A return of this number from the function where execution starts (`main`, or what `--entry` names)
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) returns: Option<i64>,
    /// A call of an error function, or a failing assertion; in microc, anything that goes wrong
    #[arg(long)]
    pub(crate) error: bool,
}

/// Generate tests: a small set of inputs that covers the branches of a program.
///
/// The folder gets `tests.json` with all that is known, and for each test a file `001.in` that `loupe run
/// --input-file` takes. Every input is run, and what counts as covered is what was executed then. Inputs that lead to
/// errors are tests too, one for each place.
#[derive(Args)]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The folder that the tests are written to
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Write to the folder even if it is not empty; tests that are there from before are deleted
    #[arg(long)]
    pub(crate) force: bool,
    /// C: write a folder `harness` too, where `make check` runs the tests on the program as gcc compiles it
    #[arg(long)]
    pub(crate) harness: bool,
    /// Stop the run of a test after so many instructions
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_steps: u64,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Loops {
    /// They are executed, iteration by iteration
    Unroll,
    /// They are passed by their summaries, approximations included; those that have none are executed
    Summary,
    /// At the entry of a cyclic path, all of its iterations are passed at once by a template; where there is none, a step is executed
    Compact,
    /// Conditions that every execution satisfies, with a counter for each path
    Necessary,
    /// Short ones are executed, others are passed by their summaries if these are exact, the rest is executed
    Auto,
    /// `verify` only: what holds whenever a loop is come to is looked for, as a proof; no errors are found
    Invariants,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Templates {
    /// At headers of loops, one that can make an iteration and that was not taken for longest
    Turns,
    /// At any entry, any
    Random,
}
