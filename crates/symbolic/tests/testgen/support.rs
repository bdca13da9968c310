//! Programs through the front ends.

use loupe_c::front::{DataModel, Files};
use loupe_gen::Language;
use loupe_ir::program::Program;
use loupe_ir::source::Sources;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// No file but the program.
#[derive(Debug)]
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &Path) -> std::io::Result<Vec<u8>> {
        Err(Error::from(ErrorKind::NotFound))
    }

    fn is_file(&self, _path: &Path) -> bool {
        false
    }
}

/// The flowgraph of a program.
pub(crate) fn compile(language: Language, text: &str) -> Program {
    match language {
        Language::Microc => microc(text),
        Language::C => c(text),
    }
}

fn microc(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", text);
    let tree = loupe_microc::parse(file, text);
    let tree = tree.unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let resolution = loupe_microc::resolve(&tree);
    let resolution = resolution.unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    loupe_microc::lower(&tree, &resolution, sources, loupe_microc::Dialect::default())
}

fn c(text: &str) -> Program {
    let file = loupe_c::Source {
        name: "test.c".to_owned(),
        text: text.as_bytes().to_vec(),
        options: loupe_c::front::Options::new(DataModel::Lp64),
    };
    let options = loupe_c::lower::Options {
        data_model: DataModel::Lp64,
        checks: loupe_c::lower::Checks {
            signed_overflow: true,
            uninitialised: false,
            pointer_arithmetic: false,
        },
        volatile: loupe_c::lower::Volatile::Memory,
        entry: loupe_c::lower::Entry::Main,
    };
    let lowered = loupe_c::compile(vec![file], None, &NoFiles, &options);
    lowered.unwrap_or_else(|rejected| panic!("{:?}\n{text}", rejected.errors)).program
}
