//! Programs through the front ends.

use loupe_c::front::DataModel;
use loupe_c::testing::{ALL_CHECKS, compile_text};
use loupe_gen::{Language, Parameters};
use loupe_ir::program::Program;
use loupe_ir::source::{FileId, Sources};

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
    let lowered = compile_text(text, DataModel::Lp64, ALL_CHECKS);
    assert!(lowered.warnings.is_empty(), "{:?}\n{text}", lowered.warnings);
    assert!(lowered.assumptions.is_empty(), "{:?}\n{text}", lowered.assumptions);
    lowered.program
}
