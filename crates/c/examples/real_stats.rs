//! Lowers every file of a compilation database, each as a unit of its own or all as one program, and says
//! function by function what came of it: one line of JSON for each program.
//!
//! `real_stats [--system-headers] [--together] compile_commands.json`; `scripts/corpus-real.py` calls it.

use loupe_c::front::{self, DataModel, Files, Standard};
use loupe_c::{Source, lower};
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{Function, InstructionKind, Program};
use loupe_ir::source::Sources;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, io};

/// Where the headers of this machine usually are.
const SYSTEM_HEADERS: [&str; 3] =
    ["/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"];

/// A command that compiles a file.
#[derive(Deserialize)]
struct Command {
    directory: PathBuf,
    file: PathBuf,
    arguments: Vec<String>,
}

/// What came of a file, or of all.
#[derive(Serialize)]
struct Outcome {
    file: PathBuf,
    seconds: f64,
    /// The most memory that was ever in use, as far as the system says.
    megabytes: u64,
    /// Why no function of the file is in a program.
    rejected: Option<String>,
    /// Each function of the program, and what in it is not modelled.
    functions: BTreeMap<String, Vec<String>>,
}

#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut system_dirs = Vec::new();
    let mut database = None;
    let mut at_once = 1;
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--system-headers" => system_dirs = SYSTEM_HEADERS.map(PathBuf::from).to_vec(),
            "--together" => at_once = usize::MAX,
            _ => database = Some(argument),
        }
    }
    let database = database.ok_or("which compilation database?")?;
    let commands: Vec<Command> = serde_json::from_slice(&fs::read(database)?)?;
    for commands in commands.chunks(at_once) {
        let outcome = lower(commands, &system_dirs)?;
        println!("{}", serde_json::to_string(&outcome)?);
    }
    Ok(())
}

/// Compiles files into one program.
fn lower(commands: &[Command], system_dirs: &[PathBuf]) -> Result<Outcome, Box<dyn Error>> {
    let mut sources = Vec::new();
    for command in commands {
        let file = command.directory.join(&command.file);
        let mut options = front_options(command);
        options.system_dirs = system_dirs.to_vec();
        let text = fs::read(&file)?;
        sources.push(Source { name: file.display().to_string(), text, options });
    }
    let file = sources.first().map(|source| PathBuf::from(&source.name)).unwrap_or_default();
    let lowering = lower::Options {
        data_model: DataModel::Lp64,
        checks: lower::Checks::default(),
        volatile: lower::Volatile::Memory,
        entry: if commands.len() == 1 { lower::Entry::Any } else { lower::Entry::Main },
        needs: lower::Needs::default(),
    };
    let start = Instant::now();
    let compiled = loupe_c::compile(sources, None, &Disk, &lowering);
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = peak_megabytes().unwrap_or_default();
    let functions_of = BTreeMap::new();
    let mut outcome = Outcome { file, seconds, megabytes, rejected: None, functions: functions_of };
    match compiled {
        Ok(lowered) => match loupe_ir::validate::validate(&lowered.program) {
            Ok(()) => outcome.functions = functions(&lowered.program),
            Err(error) => outcome.rejected = Some(format!("invalid program: {error}")),
        },
        Err(rejected) => {
            let first = rejected.errors.first();
            let words = first.map_or_else(String::new, |error| error.message.clone());
            let span = first.and_then(|error| error.span);
            let place = span.map(|span| place(&rejected.sources, span));
            outcome.rejected = Some(format!("{words}{}", place.unwrap_or_default()));
        }
    }
    Ok(outcome)
}

/// The most memory that this process ever used, where the system tells.
fn peak_megabytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn place(sources: &Sources, span: loupe_ir::source::Span) -> String {
    format!(" (at {}:{})", sources.name(span.file), span.start.line)
}

/// The functions, each with what in it ends a path as not modelled.
fn functions(program: &Program) -> BTreeMap<String, Vec<String>> {
    let named = |function: &Function| (function.name.clone(), not_modelled(program, function));
    program.functions.iter().map(named).collect()
}

fn not_modelled(program: &Program, function: &Function) -> Vec<String> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let reasons = instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::Check(check) if check.kind == CheckKind::Unsupported => {
            let words = match check.predicate {
                Predicate::Never(reason) => program.symbols.name(reason),
                _ => "something that only some runs meet",
            };
            Some(format!("{words}{}", place(&program.sources, instruction.span)))
        }
        _ => None,
    });
    reasons.collect()
}

/// How the file is read, as the flags of the command say.
fn front_options(command: &Command) -> front::Options {
    let mut options = front::Options::new(DataModel::Lp64);
    options.standard = Standard::Gnu17;
    let mut arguments = command.arguments.iter().skip(1).map(String::as_str);
    while let Some(argument) = arguments.next() {
        let mut value = |flag: &str| {
            let rest = argument.strip_prefix(flag)?;
            if rest.is_empty() { arguments.next() } else { Some(rest) }
        };
        if let Some(folder) = value("-I").or_else(|| value("-isystem")) {
            options.include_dirs.push(command.directory.join(folder));
        } else if let Some(name) = value("-include") {
            options.includes.push(command.directory.join(name));
        } else if let Some(define) = value("-D") {
            let (name, text) = define.split_once('=').unwrap_or((define, "1"));
            options.macros.push((name.to_owned(), Some(text.to_owned())));
        } else if let Some(name) = value("-U") {
            options.macros.push((name.to_owned(), None));
        } else if let Some(edition) = argument.strip_prefix("-std=") {
            options.standard = match edition.trim_start_matches(|c: char| c.is_alphabetic()) {
                "89" | "90" => Standard::Gnu89,
                "99" | "9x" => Standard::Gnu99,
                "11" | "1x" => Standard::Gnu11,
                _ => Standard::Gnu17,
            };
        }
    }
    options
}
