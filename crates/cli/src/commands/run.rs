//! `loupe run`

use super::explore::errors_end;
use crate::args::{Format, Run};
use crate::console::{Console, SharedWriter, write_result};
use crate::input::{Inputs, StandardBytes};
use crate::load::{self, Purpose};
use crate::properties::{self, Task};
use crate::status::{Failed, Status};
use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{
    self, End, Halt, Interpreter, Limit, Options, Stream, Supervisor, Unobserved,
};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_report::run as report;
use loupe_symbolic::property::{Judgement, Property};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) fn execute(run: &Run, console: &Console) -> Result<ExitCode, Failed> {
    let task = properties::of_run(&run.source, run.property.as_ref(), console)?;
    let program = match &task {
        None => load::program(&run.source, Purpose::Execute, console)?,
        Some(task) => for_task(task, run, console)?,
    };
    check_arguments(run, &program)?;
    let out = SharedWriter::standard_output();
    let inputs = Inputs::of(run, &out)?;
    let options = Options {
        arguments: run.args.clone(),
        input: inputs.input,
        undefined: inputs.undefined,
        standard_input: Box::new(StandardBytes::new(&out)),
        command_line: command_line(run),
        end_of_input: Integer::from(if load::is_c(&run.source) { 0 } else { -1 }),
        max_steps: run.max_steps,
        max_depth: run.max_depth,
        max_cells: run.max_cells,
        supervisor: Some(supervisor(run.max_memory)?),
        ..Options::default()
    };
    let mut profile = run.profile.then(|| Profile::new(&program));
    let ascii = run.ascii || load::is_c(&run.source);
    let mut output = match run.format {
        Format::Text => Output::Printed { out: out.clone(), ascii },
        Format::Json => Output::Collected { numbers: Vec::new(), text: ascii.then(Vec::new) },
    };
    let start = Instant::now();
    let interpreter = Interpreter::new(&program, options);
    let outcome = match &mut profile {
        Some(profile) => {
            let outcome = interpreter.run(&mut output, profile);
            profile.finish(&outcome);
            outcome
        }
        None => interpreter.run(&mut output, &mut Unobserved),
    };
    let elapsed = start.elapsed();
    let report = Report { run, program: &program, outcome: &outcome, profile, elapsed };
    match output.finish() {
        Ok(Some(output)) => write_result(&format!("{:#}", report.json(output)), None)?,
        Ok(None) => report.print(console),
        Err(lost) => {
            report.print(console);
            return Err(lost);
        }
    }
    if let End::Halted(Halt::Internal(error)) = &outcome.end {
        if load::is_handwritten(&run.source) {
            let message = format!("the flowgraph does what a check should exclude: {error}");
            return Err(Failed::bad_input(message));
        }
        return Err(Failed::internal(error.to_string()));
    }
    Ok(exit_code(run, task.as_ref(), &outcome.end))
}

/// The program with the checks of what is asked, as it is verified.
fn for_task(task: &Task, run: &Run, console: &Console) -> Result<Program, Failed> {
    let source = task.source(&run.source)?;
    let loaded = load::checked_program(&source, Purpose::Execute, &task.demands(), console)?;
    for assumption in &loaded.assumptions {
        console.note(&format!("note: {assumption}"));
    }
    task.with_checks(loaded.program)
}

/// What a C program finds in `argv`.
fn command_line(run: &Run) -> Vec<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt;
    let name = run.source.files.first().map(|file| file.as_os_str());
    let arguments = run.program_arguments.iter().map(|argument| argument.as_os_str());
    name.into_iter().chain(arguments).map(|argument| argument.as_bytes().to_vec()).collect()
}

fn check_arguments(run: &Run, program: &Program) -> Result<(), Failed> {
    let main = program.function(program.entry);
    if main.params != run.args.len() {
        return Err(Failed::bad_input(format!(
            "`{}` takes {}, {} given; use `--args`",
            main.name,
            report::count(main.params as u64, "argument"),
            run.args.len()
        )));
    }
    let numbers = load::numbers(&run.source);
    for (local, argument) in main.locals.iter().zip(&run.args) {
        // A parameter that may also hold something else has no type of its own.
        let ty = program.types.as_int(local.ty).unwrap_or(numbers);
        if !ty.contains(argument) {
            return Err(Failed::bad_input(format!("--args: {argument} does not fit in type {ty}")));
        }
    }
    Ok(())
}

/// Ends a run on Ctrl-C, and when the process grows beyond its limit.
fn supervisor(megabytes: u64) -> Result<Supervisor, Failed> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&interrupted);
    let installed = ctrlc::set_handler(move || {
        set.store(true, Ordering::Relaxed);
        // If the run does not see it soon, because it waits for input, this ends it too.
        std::thread::sleep(Duration::from_millis(500));
        eprintln!("error: stopped: interrupted");
        std::process::exit(Status::Unknown as i32);
    });
    installed.map_err(|error| Failed::internal(format!("no handler for Ctrl-C: {error}")))?;
    Ok(Box::new(move || {
        if interrupted.load(Ordering::Relaxed) {
            return Some(Limit::Interrupted);
        }
        (memory_in_use()? > megabytes << 20).then_some(Limit::Process { megabytes })
    }))
}

/// How many bytes of memory this process has, where the system tells.
fn memory_in_use() -> Option<u64> {
    const PAGE: u64 = 4_096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(PAGE)
}

/// All that there is to say about a run.
struct Report<'a> {
    run: &'a Run,
    program: &'a Program,
    outcome: &'a concrete::Run,
    profile: Option<Profile<'a>>,
    elapsed: Duration,
}

impl Report<'_> {
    fn print(&self, console: &Console) {
        if let Some(message) = report::message(self.program, self.outcome) {
            console.message(&message, &self.program.sources);
        }
        if let Some(result) = report::result(self.outcome) {
            console.note(&result);
        }
        if let Some(profile) = &self.profile {
            console.note(&loupe_report::profile::text(self.program, profile));
        }
        if self.run.time {
            let (seconds, steps) = (self.elapsed.as_secs_f64(), self.outcome.steps);
            console.note(&format!("time: {seconds:.3} s, {steps} steps"));
        }
    }

    fn json(&self, output: Json) -> Json {
        let mut object = report::json(self.program, self.outcome);
        object["output"] = output;
        if let Some(profile) = &self.profile {
            object["profile"] = loupe_report::profile::json(self.program, profile);
        }
        if self.run.time {
            object["seconds"] = json!(self.elapsed.as_secs_f64());
        }
        object
    }
}

fn exit_code(run: &Run, task: Option<&Task>, end: &End) -> ExitCode {
    let own = match end {
        End::Returned(Some(Value::Int(status))) | End::Exited(status) => Some(status),
        _ => None,
    };
    if let (true, Some(status)) = (run.pass_status, own) {
        let low = status.bit_and(&Integer::from(255));
        return ExitCode::from(low.to_usize().unwrap_or(0) as u8);
    }
    // As a shell reports a program that was aborted.
    if run.pass_status && matches!(end, End::Aborted) {
        return ExitCode::from(134);
    }
    match end {
        End::Returned(_) | End::Exited(_) | End::Aborted | End::AssumptionFailed => {
            Status::Done.into()
        }
        End::Failed(failure) => failed(run, task, failure.kind).into(),
        // Whoever closed the output has what they wanted.
        End::Halted(Halt::Limit(Limit::OutputClosed)) => Status::Done.into(),
        End::Halted(Halt::Limit(_) | Halt::Unsupported(_)) => Status::Unknown.into(),
        End::Halted(Halt::Input(_)) => Status::BadInput.into(),
        End::Halted(Halt::Failed { kind, .. }) => failed(run, task, *kind).into(),
        End::Halted(Halt::Internal(_)) => Status::Internal.into(),
    }
}

/// What it means that a check failed: without a property, any of them is what is looked for.
fn failed(run: &Run, task: Option<&Task>, kind: CheckKind) -> Status {
    let property = task.map_or(Property::NoErrors, |task| task.property);
    match property.judge(kind) {
        Judgement::Error => Status::Violation,
        // It violates nothing, but it is what a run ends with.
        Judgement::Undefined if errors_end(property, &run.source) => Status::Violation,
        Judgement::Ends => Status::Done,
        Judgement::Undefined | Judgement::NotModelled => Status::Unknown,
    }
}

/// A number as the character that it stands for.
fn character(value: &Integer) -> char {
    let code = value.to_i64().and_then(|code| u32::try_from(code).ok());
    code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// What becomes of the numbers that the program puts out.
enum Output {
    /// They are written at once.
    Printed { out: SharedWriter, ascii: bool },
    /// They become part of a JSON object: as a text, if there is one, otherwise as a list.
    Collected { numbers: Vec<Integer>, text: Option<Vec<u8>> },
}

impl Output {
    /// Writes what is still to be written, or gives what was collected.
    fn finish(self) -> Result<Option<Json>, Failed> {
        match self {
            Output::Printed { out, .. } => out.finish().map(|()| None),
            // JSON has no bytes: what is not UTF-8 is replaced.
            Output::Collected { text: Some(text), .. } => {
                Ok(Some(Json::from(String::from_utf8_lossy(&text))))
            }
            Output::Collected { numbers, text: None } => {
                let numbers = numbers.iter().map(|number| report::integer(&number.to_string()));
                Ok(Some(numbers.collect()))
            }
        }
    }
}

impl concrete::Output for Output {
    fn number(&mut self, value: &Integer) -> bool {
        match self {
            Output::Printed { out, ascii: true } => match value.to_i64().map(u8::try_from) {
                Some(Ok(byte)) => out.write(&[byte]),
                _ => out.write(character(value).to_string().as_bytes()),
            },
            Output::Printed { out, ascii: false } => out.write(format!("{value}\n").as_bytes()),
            Output::Collected { text: Some(text), .. } => {
                text.extend(character(value).to_string().bytes());
                true
            }
            Output::Collected { numbers, text: None } => {
                numbers.push(value.clone());
                true
            }
        }
    }

    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> bool {
        match (self, stream) {
            (_, Stream::Error) => io::stderr().write_all(bytes).is_ok(),
            (Output::Printed { out, .. }, Stream::Output) => out.write(bytes),
            (Output::Collected { text, .. }, Stream::Output) => {
                text.get_or_insert_default().extend_from_slice(bytes);
                true
            }
        }
    }
}
