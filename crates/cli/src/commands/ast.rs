//! `loupe ast`

use crate::args::{Ast, TreeFormat};
use crate::console::{Console, write_result};
use crate::load::{self, Tree};
use crate::status::{Failed, Status};
use std::process::ExitCode;

pub(crate) fn execute(ast: &Ast, console: &Console) -> Result<ExitCode, Failed> {
    let tree = load::syntax_tree(&ast.source, console)?;
    let text = match (tree, ast.format) {
        (Tree::Microc(tree), TreeFormat::Json) => {
            loupe_microc::to_json(&tree, ast.indent.map(usize::from))
        }
        (Tree::Microc(tree), TreeFormat::Text) => loupe_microc::print(&tree),
        (Tree::C(units), TreeFormat::Json) => {
            loupe_c::json::print(&units, ast.indent.map(usize::from))
                .map_err(|error| Failed::bad_input(error.message))?
        }
        (Tree::C(_), TreeFormat::Text) => {
            return Err(Failed::bad_input("a C program can be shown as JSON only"));
        }
    };
    write_result(&text, ast.output.as_deref())?;
    Ok(Status::Done.into())
}
