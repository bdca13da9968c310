//! Arguments that say what program is meant, and how it is read.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The program, and how it is read.
#[derive(Args, Clone)]
pub(crate) struct Source {
    /// The program: C (.c, .i; several files are linked), microc (.uc, .microc) or a flowgraph in
    /// textual form (.lir)
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The language, whatever the file is called
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) lang: Option<Language>,
    /// microc: numbers of so many bits that wrap around, instead of mathematical integers
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(2..=64))]
    pub(crate) int_width: Option<u32>,
    /// microc: what the assignment of an array does
    #[arg(long, value_enum, default_value_t = Arrays::Reference)]
    pub(crate) arrays: Arrays,
    #[command(flatten)]
    pub(crate) c: COptions,
}

/// How C files are read.
#[derive(Args, Clone)]
#[command(next_help_heading = "C")]
pub(crate) struct COptions {
    /// The sizes of integer types and pointers [default: LP64]
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL")]
    pub(crate) data_model: Option<DataModel>,
    /// Look for included files in this folder too
    #[arg(short = 'I', value_name = "FOLDER")]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=TEXT]")]
    pub(crate) define: Vec<String>,
    /// Forget a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub(crate) undefine: Vec<String>,
    /// The edition of C [default: gnu11]
    #[arg(long, value_enum, value_name = "EDITION")]
    pub(crate) std: Option<Standard>,
    /// Use the headers of this machine instead of Loupe's own
    #[arg(long)]
    pub(crate) system_headers: bool,
    /// A compilation database (compile_commands.json): flags for the files, and all files if none is
    /// named
    #[arg(long, value_name = "FILE")]
    pub(crate) compile_commands: Option<PathBuf>,
    /// Start in this function, with arbitrary arguments, instead of `main`
    ///
    /// Its arguments are inputs, from left to right: a number for a number; for a pointer 0 if it is null,
    /// or 1 and then how many elements it points to, whose contents are uninitialised; for a pointer to a
    /// struct that is linked to others of its kind, how many nodes the list has. Before them come
    /// the values of variables that are declared but defined nowhere.
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// Assume that this expression holds at the start; it may mention parameters and global variables
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) assume: Option<String>,
    /// Look for failures that are otherwise no errors
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KINDS")]
    pub(crate) check: Vec<ExtraCheck>,
    /// What reading a `volatile` object gives
    #[arg(long, value_enum, default_value_t = Volatile::Memory, value_name = "WHAT")]
    pub(crate) volatile: Volatile,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataModel {
    /// `int`, `long` and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64
    #[value(name = "LP64")]
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Standard {
    /// C89 with GNU extensions
    #[value(alias = "c89", alias = "c90", alias = "gnu90", alias = "ansi")]
    Gnu89,
    /// C99 with GNU extensions
    #[value(alias = "c99", alias = "gnu9x", alias = "c9x")]
    Gnu99,
    /// C11 with GNU extensions
    #[value(alias = "c11", alias = "gnu1x", alias = "c1x")]
    Gnu11,
    /// C17 with GNU extensions
    #[value(alias = "c17", alias = "c18", alias = "gnu18")]
    Gnu17,
    /// C23 with GNU extensions
    #[value(alias = "c23", alias = "gnu2x", alias = "c2x")]
    Gnu23,
}

/// Failures that are errors only on request.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtraCheck {
    /// Results of signed operations that do not fit; otherwise they wrap around
    SignedOverflow,
    /// Reading what was never written; otherwise it is an arbitrary value
    UninitialisedValue,
    /// Pointers that leave their object, even if they are not followed
    PointerArithmetic,
    /// All of these
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Volatile {
    /// What was written to it
    Memory,
    /// An input
    Input,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// C
    C,
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
