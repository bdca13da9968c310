//! Programs from their texts.

use loupe_c::front::{self, DataModel, Files};
use loupe_c::{Source, lower};
use loupe_ir::program::Program;
use loupe_ir::source::{FileId, Sources};
use loupe_microc::Dialect;
use std::path::Path;
use std::{fs, io};

#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// A C file.
pub(crate) fn c(name: &str, text: Vec<u8>) -> Result<Program, String> {
    c_for(DataModel::Lp64, name, text)
}

/// A C file for a data model.
pub(crate) fn c_for(data_model: DataModel, name: &str, text: Vec<u8>) -> Result<Program, String> {
    let source = Source { name: name.to_owned(), text, options: front::Options::new(data_model) };
    let options = lower::Options {
        data_model,
        checks: lower::Checks::default(),
        volatile: lower::Volatile::Memory,
        entry: lower::Entry::Any,
        needs: lower::Needs::default(),
    };
    let lowered = loupe_c::compile(vec![source], None, &Disk, &options);
    lowered.map(|lowered| lowered.program).map_err(|rejected| {
        rejected.errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("; ")
    })
}

/// A microc program.
pub(crate) fn microc(text: &str) -> Result<Program, String> {
    let tree = loupe_microc::parse(FileId(0), text).map_err(|error| format!("{error:?}"))?;
    let resolution = loupe_microc::resolve(&tree).map_err(|error| format!("{error:?}"))?;
    let mut sources = Sources::new();
    sources.add("program.uc".to_owned(), text.to_owned());
    Ok(loupe_microc::lower(&tree, &resolution, sources, Dialect::default()))
}
