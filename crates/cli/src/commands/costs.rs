//! `loupe costs`

use crate::args::{CostMethod, Costs as Wanted, Format};
use crate::console::{Console, write_result};
use crate::load::{self, Purpose};
use crate::status::{Failed, Status};
use loupe_ir::analysis::costs::{Costs, Method};
use loupe_report::costs::{self, Estimated};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub(crate) fn execute(command: &Wanted, console: &Console) -> Result<ExitCode, Failed> {
    let timeout = Duration::try_from_secs_f64(command.timeout)
        .map_err(|_| Failed::bad_input("--timeout: not a number of seconds"))?;
    let program = load::program(&command.source, Purpose::Show, console)?;
    let method = match command.method {
        CostMethod::Lattice => Method::Lattice { cap: command.cap },
        CostMethod::Recursive => Method::Recursive { kappa: command.kappa },
    };
    let start = Instant::now();
    let found = Costs::compute(&program, method, &mut || start.elapsed() < timeout).ok();
    let estimated = Estimated {
        program: &program,
        method,
        costs: found.as_ref(),
        seconds: start.elapsed().as_secs_f64(),
    };
    let text = match command.format {
        Format::Text => costs::text(&estimated),
        Format::Json => format!("{:#}", costs::json(&estimated)),
    };
    write_result(&text, command.output.as_deref())?;
    Ok(if found.is_some() { Status::Done } else { Status::Unknown }.into())
}
