//! From source text to the typed tree.
//!
//! This module alone names the `rucc` crates.

use std::path::{Path, PathBuf};

/// Sizes of the integer types and of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

/// The edition of C, always with the GNU extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// C89, with implicit declarations.
    Gnu89,
    /// C99.
    Gnu99,
    /// C11.
    Gnu11,
    /// C17.
    Gnu17,
    /// C23.
    Gnu23,
}

/// How a translation unit is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of types.
    pub data_model: DataModel,
    /// The edition of C.
    pub standard: Standard,
    /// `-D` and `-U` in their order: a name with a replacement, or `None` to forget the name.
    pub macros: Vec<(String, Option<String>)>,
    /// `-I`: where included files are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// Where the machine's own headers are; empty for the headers that Loupe brings.
    pub system_dirs: Vec<PathBuf>,
}

/// Reads files. Only the command line touches the file system, so it is told what to use.
pub trait Files: std::fmt::Debug + Send + Sync {
    /// The contents of a file, or why it cannot be read.
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;
    /// Whether there is a file of this name.
    fn is_file(&self, path: &Path) -> bool;
}
