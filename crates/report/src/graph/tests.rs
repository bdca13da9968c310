//! The graph of small programs in every form, and of the corpus in none that is malformed.

mod corpus;
mod shapes;
mod snapshots;

use loupe_ir::program::Program;
use loupe_ir::source::Sources;
use loupe_microc::Dialect;

/// The flowgraph of a microc program without errors.
fn lower(source: &str) -> Program {
    try_lower(source).expect("a program without errors")
}

fn try_lower(source: &str) -> Option<Program> {
    let mut sources = Sources::new();
    let file = sources.add("test.uc", source);
    let tree = loupe_microc::parse(file, source).ok()?;
    let resolution = loupe_microc::resolve(&tree).ok()?;
    Some(loupe_microc::lower(&tree, &resolution, sources, Dialect::default()))
}

/// The flowgraph of a text in the flowgraph language.
fn parse(text: &str) -> Program {
    let program = loupe_ir::text::parse(text).expect("a text without errors");
    loupe_ir::validate::validate(&program).expect("well-formed");
    program
}
