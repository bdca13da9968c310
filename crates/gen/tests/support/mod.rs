//! Programs through the front ends, and through gcc.

use loupe_c::front::{DataModel, Files};
use loupe_gen::{Language, Parameters};
use loupe_ir::program::Program;
use loupe_ir::source::{FileId, Sources};
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

/// The flowgraph of a program, in which a signed overflow of a C program is an error.
pub(crate) fn compile(parameters: &Parameters, text: &str) -> Program {
    let program = match parameters.language {
        Language::Microc => compile_microc(text),
        Language::C => compile_c(text),
    };
    loupe_ir::validate::validate(&program).expect("front ends make valid programs");
    program
}

fn compile_microc(text: &str) -> Program {
    let tree = loupe_microc::parse(FileId(0), text);
    let tree = tree.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let resolution = loupe_microc::resolve(&tree);
    let resolution = resolution.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut sources = Sources::new();
    sources.add("generated.uc".to_owned(), text.to_owned());
    loupe_microc::lower(&tree, &resolution, sources, loupe_microc::Dialect::default())
}

fn compile_c(text: &str) -> Program {
    let file = loupe_c::Source {
        name: "generated.c".to_owned(),
        text: text.as_bytes().to_vec(),
        options: loupe_c::front::Options::new(DataModel::Lp64),
    };
    let options = loupe_c::lower::Options {
        data_model: DataModel::Lp64,
        checks: loupe_c::lower::Checks {
            signed_overflow: true,
            uninitialised: true,
            pointer_arithmetic: true,
        },
        volatile: loupe_c::lower::Volatile::Memory,
        entry: loupe_c::lower::Entry::Main,
    };
    let lowered = loupe_c::compile(vec![file], None, &NoFiles, &options);
    let lowered = lowered.unwrap_or_else(|rejected| panic!("{:?}\n{text}", rejected.errors));
    assert!(lowered.warnings.is_empty(), "{:?}\n{text}", lowered.warnings);
    assert!(lowered.assumptions.is_empty(), "{:?}\n{text}", lowered.assumptions);
    lowered.program
}
