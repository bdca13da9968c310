//! `loupe ast`

use crate::args::{Ast, TreeFormat};
use crate::console::{Console, write_result};
use crate::load;
use crate::status::{Failed, Status};
use std::process::ExitCode;

pub(crate) fn execute(ast: &Ast, console: &Console) -> Result<ExitCode, Failed> {
    let tree = load::syntax_tree(&ast.source, console)?;
    let text = match ast.format {
        TreeFormat::Json => loupe_microc::to_json(&tree, ast.indent.map(usize::from)),
        TreeFormat::Text => loupe_microc::print(&tree),
    };
    write_result(&text, ast.output.as_deref())?;
    Ok(Status::Done.into())
}
