//! Programs through the front ends.

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_gen::Language;
use loupe_ir::program::Program;
use loupe_ir::source::Sources;

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
    let checks = Checks { signed_overflow: true, ..Checks::default() };
    compile_text(text, DataModel::Lp64, checks).program
}
