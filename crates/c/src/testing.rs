//! Programs of one file, for the tests of other crates.

use crate::front::{self, DataModel, Files};
use crate::lower::{self, Checks, Entry, Lowered, Volatile};
use crate::{Source, compile};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// No file but the program.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &Path) -> std::io::Result<Vec<u8>> {
        Err(Error::from(ErrorKind::NotFound))
    }

    fn is_file(&self, _path: &Path) -> bool {
        false
    }
}

/// All checks that are made on request.
pub const ALL_CHECKS: Checks =
    Checks { signed_overflow: true, uninitialised: true, pointer_arithmetic: true };

/// The flowgraph of a program that starts in `main`.
///
/// # Panics
///
/// If the text is no such program.
pub fn compile_text(text: &str, data_model: DataModel, checks: Checks) -> Lowered {
    compile_from(text, data_model, checks, Entry::Main)
}

/// The flowgraph of a program that starts in this function, with arbitrary arguments.
///
/// # Panics
///
/// If the text is no such program.
pub fn compile_entry(text: &str, data_model: DataModel, checks: Checks, entry: &str) -> Lowered {
    compile_from(text, data_model, checks, Entry::Function(entry.to_owned(), None))
}

fn compile_from(text: &str, data_model: DataModel, checks: Checks, entry: Entry) -> Lowered {
    let file = Source {
        name: "test.c".to_owned(),
        text: text.as_bytes().to_vec(),
        options: front::Options::new(data_model),
    };
    let (volatile, needs) = (Volatile::Memory, lower::Needs::default());
    let options = lower::Options { data_model, checks, volatile, entry, needs };
    let lowered = compile(vec![file], None, &NoFiles, &options);
    lowered.unwrap_or_else(|rejected| panic!("{:?}\n{text}", rejected.errors))
}
