//! `loupe run`

use crate::args::{Format, Run};
use crate::console::{Console, write_result};
use crate::input::Inputs;
use crate::load;
use crate::status::{Failed, Status};
use loupe_engine::concrete::{self, End, Halt, Interpreter, Limit, Options, Unobserved};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::types::Type;
use loupe_report::run as report;
use serde_json::{Value as Json, json};
use std::io::{self, BufWriter, Stdout, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) fn execute(run: &Run, console: &Console) -> Result<ExitCode, Failed> {
    let program = load::program(&run.source, console)?;
    check_arguments(&program, &run.args)?;
    let inputs = Inputs::of(run)?;
    let options = Options {
        arguments: run.args.clone(),
        input: inputs.input,
        undefined: inputs.undefined,
        max_steps: run.max_steps,
        max_depth: run.max_depth,
        max_cells: run.max_cells,
        interrupt: Some(interrupt_flag()?),
        ..Options::default()
    };
    let start = Instant::now();
    let (outcome, output) = match run.format {
        Format::Text => {
            let mut output = Printed::new(run.ascii);
            let outcome = Interpreter::new(&program, options).run(&mut output, &mut Unobserved);
            output.finish();
            (outcome, None)
        }
        Format::Json => {
            let mut output = Collected { numbers: Vec::new(), ascii: run.ascii };
            let outcome = Interpreter::new(&program, options).run(&mut output, &mut Unobserved);
            (outcome, Some(output.json()))
        }
    };
    let elapsed = start.elapsed();
    match output {
        None => print_outcome(run, &program, &outcome, elapsed, console),
        Some(output) => {
            let mut object = report::json(&program, &outcome);
            object["output"] = output;
            if run.time {
                object["seconds"] = json!(elapsed.as_secs_f64());
            }
            write_result(&format!("{object:#}"), None)?;
        }
    }
    if let End::Halted(Halt::Internal(error)) = &outcome.end {
        return Err(Failed::internal(error.to_string()));
    }
    Ok(exit_code(run, &outcome.end))
}

fn check_arguments(program: &Program, arguments: &[Integer]) -> Result<(), Failed> {
    let main = program.function(program.entry);
    if main.params != arguments.len() {
        return Err(Failed::bad_input(format!(
            "`{}` takes {} arguments, {} given; use `--args`",
            main.name,
            main.params,
            arguments.len()
        )));
    }
    for (local, argument) in main.locals.iter().zip(arguments) {
        if let Type::Int(int) = program.types.get(local.ty)
            && !int.contains(argument)
        {
            return Err(Failed::bad_input(format!(
                "--args: {argument} does not fit in type {int}"
            )));
        }
    }
    Ok(())
}

/// Set by Ctrl-C. If the run does not see it soon, because it waits for input, that ends it too.
fn interrupt_flag() -> Result<Arc<AtomicBool>, Failed> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let installed = ctrlc::set_handler(move || {
        set.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(500));
        eprintln!("error: stopped: interrupted");
        std::process::exit(Status::Unknown as i32);
    });
    installed.map_err(|error| Failed::internal(format!("no handler for Ctrl-C: {error}")))?;
    Ok(flag)
}

fn print_outcome(
    run: &Run,
    program: &Program,
    outcome: &concrete::Run,
    elapsed: Duration,
    console: &Console,
) {
    if let Some(message) = report::message(program, outcome) {
        console.message(&message, &program.sources);
    }
    if let Some(result) = report::result(outcome) {
        console.note(&result);
    }
    if run.time {
        console.note(&format!("time: {:.3} s, {} steps", elapsed.as_secs_f64(), outcome.steps));
    }
}

fn exit_code(run: &Run, end: &End) -> ExitCode {
    let own = match end {
        End::Returned(Some(Value::Int(status))) | End::Exited(status) => Some(status),
        _ => None,
    };
    if let (true, Some(status)) = (run.pass_status, own) {
        let low = status.bit_and(&Integer::from(255));
        return ExitCode::from(low.to_usize().unwrap_or(0) as u8);
    }
    match end {
        End::Returned(_) | End::Exited(_) | End::Aborted | End::AssumptionFailed => {
            Status::Done.into()
        }
        End::Failed(_) => Status::Violation.into(),
        // Whoever closed the output has what they wanted.
        End::Halted(Halt::Limit(Limit::OutputClosed)) => Status::Done.into(),
        End::Halted(Halt::Limit(_) | Halt::Unsupported(_)) => Status::Unknown.into(),
        End::Halted(Halt::Input(_)) => Status::BadInput.into(),
        End::Halted(Halt::Internal(_)) => Status::Internal.into(),
    }
}

/// A number as the character that it stands for.
fn character(value: &Integer) -> char {
    let code = value.to_i64().and_then(|code| u32::try_from(code).ok());
    code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Output that is written at once.
struct Printed {
    out: BufWriter<Stdout>,
    ascii: bool,
}

impl Printed {
    fn new(ascii: bool) -> Self {
        Printed { out: BufWriter::new(io::stdout()), ascii }
    }

    fn finish(&mut self) {
        // A reader that has gone away is not the program's fault.
        let _ = self.out.flush();
    }
}

impl concrete::Output for Printed {
    fn number(&mut self, value: &Integer) -> bool {
        let written = if self.ascii {
            write!(self.out, "{}", character(value))
        } else {
            writeln!(self.out, "{value}")
        };
        written.is_ok()
    }
}

/// Output that becomes part of a JSON object.
struct Collected {
    numbers: Vec<Integer>,
    ascii: bool,
}

impl Collected {
    fn json(&self) -> Json {
        if self.ascii {
            return Json::from(self.numbers.iter().map(character).collect::<String>());
        }
        self.numbers.iter().map(|number| report::integer(&number.to_string())).collect()
    }
}

impl concrete::Output for Collected {
    fn number(&mut self, value: &Integer) -> bool {
        self.numbers.push(value.clone());
        true
    }
}
