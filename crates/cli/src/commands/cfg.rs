//! `loupe cfg`

use crate::args::{Cfg, GraphFormat};
use crate::console::{Console, write_result};
use crate::load::{self, Purpose};
use crate::status::{Failed, Status};
use loupe_report::graph::{self, Detail};
use std::process::ExitCode;

pub(crate) fn execute(cfg: &Cfg, console: &Console) -> Result<ExitCode, Failed> {
    let program = load::program(&cfg.source, Purpose::Show, console)?;
    let detail = if cfg.norm { Detail::Normalised } else { Detail::Statements };
    let text = match cfg.format {
        GraphFormat::Text => graph::text(&program, detail),
        GraphFormat::Dot => graph::dot(&program, detail),
        GraphFormat::Json => format!("{:#}", graph::json(&program, detail)),
    };
    write_result(&text, cfg.output.as_deref())?;
    Ok(Status::Done.into())
}
