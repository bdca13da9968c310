//! `loupe ast`

use crate::args::Ast;
use crate::console::{Console, write_result};
use crate::load;
use crate::status::{Failed, Status};
use std::process::ExitCode;

pub(crate) fn execute(ast: &Ast, console: &Console) -> Result<ExitCode, Failed> {
    let tree = load::syntax_tree(&ast.source, console)?;
    let json = loupe_microc::to_json(&tree, ast.indent.map(usize::from));
    write_result(&json, ast.output.as_deref())?;
    Ok(Status::Done.into())
}
