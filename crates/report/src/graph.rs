//! The control flow graph of a program, for people and for other tools.
//!
//! The same graph in two details (sections 3.1 and 5.2 of the thesis): with the statements of the
//! source, in which blocks that only lead on are left out, and normalised, which is the flowgraph
//! language itself with its temporaries and checks. Loops are marked in all forms; they and their
//! numbers are those of [`LoopForest`](loupe_ir::analysis::loops::LoopForest) in both details.
//!
//! The program must obey the rules of [`validate`](loupe_ir::validate). Nothing here fails or
//! writes anything.
//!
//! ```
//! use loupe_ir::source::Sources;
//! use loupe_microc::Dialect;
//! use loupe_report::graph::{self, Detail};
//!
//! let source = "main() { var x; x = input; while (x > 0) x = x - 1; return x; }";
//! let mut sources = Sources::new();
//! let file = sources.add("count.uc", source);
//! let tree = loupe_microc::parse(file, source).unwrap();
//! let resolution = loupe_microc::resolve(&tree).unwrap();
//! let program = loupe_microc::lower(&tree, &resolution, sources, Dialect::default());
//! let text = graph::text(&program, Detail::Statements);
//! assert!(text.contains("b1: loop 0, depth 1, line 1\n  1  x > 0 ?\n     true -> b2; false -> b3"));
//! assert!(graph::dot(&program, Detail::Normalised).starts_with("digraph"));
//! assert_eq!(graph::json(&program, Detail::Statements)["functions"][0]["loops"][0]["header"], 1);
//! ```

mod dot;
mod json;
mod statements;
mod text;
mod view;

#[cfg(test)]
mod tests;

use loupe_ir::program::{Function, FunctionId, Program};

/// The functions that are shown: normalised, the whole program, so that it can be read back; in terms of
/// the source, what the user wrote, and not what Loupe put around it.
fn shown(program: &Program, detail: Detail) -> impl Iterator<Item = (FunctionId, &Function)> {
    program.functions().filter(move |(_, function)| match detail {
        Detail::Normalised => true,
        Detail::Statements => {
            program.sources.is_users(function.span) && !function.name.starts_with("loupe.")
        }
    })
}

/// How closely one looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Detail {
    /// The statements of the source. Where its text is not known, the instructions.
    #[default]
    Statements,
    /// Every instruction, with temporaries and checks.
    Normalised,
}

/// The graph as text: a paragraph per function, and in it the blocks with their statements.
///
/// Normalised it is what [`loupe_ir::text::print`] prints, with loops marked in comments;
/// [`loupe_ir::text::parse`] reads it back.
pub fn text(program: &Program, detail: Detail) -> String {
    match detail {
        Detail::Statements => text::statements(program),
        Detail::Normalised => text::normalised(program),
    }
}

/// The graph as JSON: the functions with their locals, blocks, loops and irreducible regions.
///
/// Blocks, loops and locals are named by their numbers, files by their place in `files`. Lines and
/// columns count from 1; a span ends before its `end_column`.
pub fn json(program: &Program, detail: Detail) -> serde_json::Value {
    json::program(program, detail)
}

/// The graph as input for Graphviz, with one cluster per function.
///
/// Headers of loops are filled, edges that go back are dashed.
pub fn dot(program: &Program, detail: Detail) -> String {
    dot::program(program, detail)
}
