//! Arguments of `loupe bench`.

use super::Format;
use clap::{Args, Subcommand};
use loupe_bench::Shard;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How long a run takes at most where nobody says.
pub(crate) const BENCH_SECONDS: f64 = 10.0;
/// How many megabytes a run has where nobody says.
pub(crate) const BENCH_MEGABYTES: u64 = 4_096;

/// Run experiments: programs in configurations, with tables and plots.
///
/// Each run is a process of its own, with limits of time and memory; one that crashes is a row of the tables. What comes of a run is written to a journal at once, so that a campaign that was
/// interrupted goes on with --resume where it stopped. The folder gets the journal, tables (results.md, results.csv, results.json), a page with plots (report.html),
/// and the plots as files (plots/). Status 1 means that an answer is wrong, 2 that runs are missing.
///
/// Right answers are known from a file (--expect), from task files of SV-COMP (.yml) beside programs, from a `manifest.tsv` in a folder above them, or from a line `// loupe: verify safe` in them.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) action: Option<BenchAction>,
    /// Programs, and folders that are searched for programs
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<PathBuf>,
    /// A campaign that is known beforehand: thesis, thesis-merging, thesis-search, proteus, proteus-projects, rudla or apc, each with the figures of its document beside ours
    #[arg(long, value_name = "NAME", conflicts_with = "programs")]
    pub(crate) suite: Option<String>,
    /// The programs that suites are about [default: ../shared/corpus; for proteus-projects target/corpus-real/build]
    #[arg(long, value_name = "FOLDER", requires = "suite")]
    pub(crate) corpus: Option<PathBuf>,
    /// So many times the usual number of generated programs in each set of a suite
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "suite")]
    pub(crate) scale: f64,
    /// A configuration: `name: key=value,…`, where keys are options of `verify` (or of `explore`, `reach`, `test`, `loops` with the key `command`), and `+` stands between several values
    /// [default: `verify` as it is; for suites, their own]
    #[arg(long = "config", value_name = "CONFIGURATION")]
    pub(crate) configurations: Vec<String>,
    /// A file with configurations (TOML)
    #[arg(long = "configs", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// A table with right answers: columns `path` and `expected`, perhaps `property`, `data_model`, `note`, with tabs between them
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    pub(crate) expect: Option<PathBuf>,
    /// Ask for this property only
    #[arg(long, value_name = "PROPERTY", conflicts_with = "suite")]
    pub(crate) property: Option<String>,
    /// Stop each run after so many seconds [default: 10, or what the suite or the file says]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Stop a run when it has more megabytes of memory [default: 4096, or what the suite or the file says]
    #[arg(long, value_name = "MB")]
    pub(crate) max_memory: Option<u64>,
    /// Make so many runs at once [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Where chance begins, in generated programs and in runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The folder for all that comes of it
    #[arg(short, long, value_name = "FOLDER", default_value = "loupe-bench")]
    pub(crate) output: PathBuf,
    /// Go on where an earlier call with the same folder stopped
    #[arg(long)]
    pub(crate) resume: bool,
    /// Make only a part of the runs: `2/5` is the second of five; see `loupe bench merge`
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub(crate) shard: Shard,
    /// The form of what is written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Subcommand)]
pub(crate) enum BenchAction {
    // The structs say what they do.
    Compare(Compare),
    Merge(Merge),
}

/// Say what has changed from one campaign to another.
///
/// Status 1 means that an answer is wrong, that both contradict each other, or that an answer was lost.
#[derive(Args)]
pub(crate) struct Compare {
    /// The old results: results.json, a journal, or the folder that they are in
    pub(crate) old: PathBuf,
    /// The new results
    pub(crate) new: PathBuf,
    /// The form of the comparison
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// Put the parts of a campaign together, and write its tables and plots.
#[derive(Args)]
pub(crate) struct Merge {
    /// The parts: results.json, journals, or the folders that they are in
    #[arg(required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// The folder for the tables and plots
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// The form of what is written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}
