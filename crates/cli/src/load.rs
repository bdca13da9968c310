//! Reading programs.

use crate::args::{self, Arrays, ExtraCheck, Language, Source};
use crate::compile_commands;
use crate::console::Console;
use crate::status::{Failed, Status};
use loupe_c::front::{DataModel, Files, Standard};
use loupe_c::{Rejected, lower};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::{ArrayKind, Program};
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_ir::types::IntType;
use loupe_microc::{Dialect, ast};
use loupe_report::message::{Message, Severity};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Larger files are no programs.
const MAX_BYTES: u64 = 256 << 20;

/// The numbers of the dialect of microc that the user chose.
pub(crate) fn numbers(source: &Source) -> IntType {
    source.int_width.map_or(IntType::Unbounded, IntType::signed)
}

/// Whether the user wrote the flowgraph by hand, and is to blame for what is wrong with it.
pub(crate) fn is_handwritten(source: &Source) -> bool {
    language(source).is_ok_and(|language| language == Language::Ir)
}

/// Whether the program is C.
pub(crate) fn is_c(source: &Source) -> bool {
    language(source).is_ok_and(|language| language == Language::C)
}

/// What a program is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It is executed: it must start somewhere.
    Execute,
    /// It is looked at.
    Show,
}

/// A program, and what its front end has assumed.
pub(crate) struct Loaded {
    pub(crate) program: Program,
    pub(crate) assumptions: Vec<String>,
    /// Whether the line or label that somebody wants to reach is in code that can never be executed.
    pub(crate) is_target_dead: bool,
}

/// What a property needs of a flowgraph, beyond what the user wants.
#[derive(Default)]
pub(crate) struct Demands {
    pub(crate) checks: &'static [ExtraCheck],
    pub(crate) needs: lower::Needs,
}

/// The flowgraph of the program that the user named; what is assumed is said at once.
pub(crate) fn program(
    source: &Source,
    purpose: Purpose,
    console: &Console,
) -> Result<Program, Failed> {
    let loaded = checked_program(source, purpose, &Demands::default(), console)?;
    for assumption in &loaded.assumptions {
        console.note(&format!("note: {assumption}"));
    }
    Ok(loaded.program)
}

/// The flowgraph of the program that the user named, with checks beyond those that the user wants.
pub(crate) fn checked_program(
    source: &Source,
    purpose: Purpose,
    demands: &Demands,
    console: &Console,
) -> Result<Loaded, Failed> {
    let language = language(source)?;
    let mut assumptions = Vec::new();
    let mut is_target_dead = false;
    let program = match language {
        Language::C => {
            let lowered = compile_c(source, purpose, demands, console)?;
            assumptions = lowered.assumptions;
            is_target_dead = lowered.is_target_dead;
            lowered.program
        }
        Language::Ir => parse_ir(read(source)?, console)?,
        Language::Microc => {
            let sources = read(source)?;
            let ast = parse_microc(&sources, console)?;
            let resolution = loupe_microc::resolve(&ast);
            let resolution = resolution.map_err(|errors| refuse(console, &sources, &errors))?;
            if let Some(width) = source.int_width {
                loupe_microc::check_literals(&ast, width)
                    .map_err(|errors| refuse(console, &sources, &errors))?;
            }
            let numbers = numbers(source);
            let arrays = match source.arrays {
                Arrays::Reference => ArrayKind::Reference,
                Arrays::Value => {
                    loupe_microc::check_value_arrays(&ast)
                        .map_err(|errors| refuse(console, &sources, &errors))?;
                    ArrayKind::Value
                }
            };
            loupe_microc::lower(&ast, &resolution, sources, Dialect { numbers, arrays })
        }
    };
    match loupe_ir::validate::validate(&program) {
        Ok(()) => Ok(Loaded { program, assumptions, is_target_dead }),
        Err(violation) if language == Language::Ir => {
            let name = source.files[0].display();
            Err(Failed::bad_input(format!("{name}: not a well-formed flowgraph: {violation}")))
        }
        Err(violation) => Err(Failed::internal(format!("malformed flowgraph: {violation}"))),
    }
}

/// A syntax tree.
pub(crate) enum Tree {
    Microc(ast::Program),
    C(loupe_c::Units),
}

/// The syntax tree of the program that the user named.
pub(crate) fn syntax_tree(source: &Source, console: &Console) -> Result<Tree, Failed> {
    match language(source)? {
        Language::Microc => parse_microc(&read(source)?, console).map(Tree::Microc),
        Language::Ir => Err(Failed::bad_input("a flowgraph has no syntax tree")),
        Language::C => {
            let files = c_sources(source)?;
            let units = loupe_c::read(&files, &Disk);
            let units = units.map_err(|rejected| refuse_c(console, rejected))?;
            warn(console, &units.sources, &units.warnings);
            Ok(Tree::C(units))
        }
    }
}

/// The files of this machine.
#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// Where the headers of this machine usually are.
const SYSTEM_HEADERS: [&str; 4] = [
    "/usr/local/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include/i386-linux-gnu",
    "/usr/include",
];

/// The sizes of types that all files have.
fn data_model(files: &[loupe_c::Source]) -> Result<DataModel, Failed> {
    let mut models = files.iter().map(|file| file.options.data_model);
    let model = models.next().unwrap_or(DataModel::Lp64);
    if models.all(|other| other == model) {
        return Ok(model);
    }
    let text = "the compilation database builds some files with `-m32` and some without";
    Err(Failed::bad_input(format!("{text}; choose with `--data-model`")))
}

/// The C files that the user named, with their options.
pub(crate) fn c_sources(source: &Source) -> Result<Vec<loupe_c::Source>, Failed> {
    let options = &source.c;
    let database = options.compile_commands.as_deref().map(compile_commands::read).transpose()?;
    let names: Vec<PathBuf> = match &database {
        Some(database) if source.files.is_empty() => database.files().collect(),
        _ => source.files.clone(),
    };
    if names.is_empty() {
        return Err(Failed::bad_input("the compilation database names no C file"));
    }
    let mut files = Vec::new();
    for name in names {
        let mut front = loupe_c::front::Options::new(DataModel::Lp64);
        if let Some(database) = &database {
            database.apply(&name, &mut front)?;
        }
        match options.data_model {
            Some(args::DataModel::Ilp32) => front.data_model = DataModel::Ilp32,
            Some(args::DataModel::Lp64) => front.data_model = DataModel::Lp64,
            None => {}
        }
        if let Some(standard) = options.std {
            front.standard = match standard {
                args::Standard::Gnu89 => Standard::Gnu89,
                args::Standard::Gnu99 => Standard::Gnu99,
                args::Standard::Gnu11 => Standard::Gnu11,
                args::Standard::Gnu17 => Standard::Gnu17,
                args::Standard::Gnu23 => Standard::Gnu23,
            };
        }
        front.include_dirs.extend(options.include.iter().cloned());
        for define in &options.define {
            let (name, text) = define.split_once('=').unwrap_or((define, "1"));
            front.macros.push((name.to_owned(), Some(text.to_owned())));
        }
        front.macros.extend(options.undefine.iter().map(|name| (name.clone(), None)));
        if options.system_headers {
            front.system_dirs = SYSTEM_HEADERS.iter().map(PathBuf::from).collect();
        }
        files.push(loupe_c::Source {
            text: read_bytes(&name)?,
            name: name.display().to_string(),
            options: front,
        });
    }
    Ok(files)
}

fn compile_c(
    source: &Source,
    purpose: Purpose,
    demands: &Demands,
    console: &Console,
) -> Result<lower::Lowered, Failed> {
    let files = c_sources(source)?;
    let options = &source.c;
    let asks = |kind| {
        let mut all = options.check.iter().chain(demands.checks);
        all.any(|check| *check == kind || *check == ExtraCheck::All)
    };
    let lowering = lower::Options {
        data_model: data_model(&files)?,
        checks: lower::Checks {
            signed_overflow: asks(ExtraCheck::SignedOverflow),
            uninitialised: asks(ExtraCheck::UninitialisedValue),
            pointer_arithmetic: asks(ExtraCheck::PointerArithmetic),
        },
        volatile: match options.volatile {
            args::Volatile::Memory => lower::Volatile::Memory,
            args::Volatile::Input => lower::Volatile::Input,
        },
        entry: match (&options.entry, purpose) {
            (Some(name), _) => lower::Entry::Function(name.clone(), None),
            (None, Purpose::Execute) => lower::Entry::Main,
            (None, Purpose::Show) => lower::Entry::Any,
        },
        needs: demands.needs.clone(),
    };
    let lowered = loupe_c::compile(files, options.assume.as_deref(), &Disk, &lowering);
    let lowered = lowered.map_err(|rejected| refuse_c(console, rejected))?;
    warn(console, &lowered.program.sources, &lowered.warnings);
    Ok(lowered)
}

fn refuse_c(console: &Console, rejected: Rejected) -> Failed {
    refuse(console, &rejected.sources, &rejected.errors)
}

fn warn(console: &Console, sources: &Sources, warnings: &[Diagnostic]) {
    for warning in warnings {
        let message = Message { severity: Severity::Warning, ..Message::from(warning) };
        console.message(&message, sources);
    }
}

fn parse_microc(sources: &Sources, console: &Console) -> Result<ast::Program, Failed> {
    let text = sources.get(FileId(0)).map_or("", |file| &file.text);
    loupe_microc::parse(FileId(0), text).map_err(|errors| refuse(console, sources, &errors))
}

fn parse_ir(sources: Sources, console: &Console) -> Result<Program, Failed> {
    let text = sources.get(FileId(0)).map_or("", |file| &file.text);
    loupe_ir::text::parse(text).map_err(|error| {
        let message = format!("expected {}, found {}", error.expected, error.found);
        let start = Position::new(error.line, error.column);
        let end = Position::new(error.line, error.column + 1);
        let diagnostic = Diagnostic::error(Span::new(FileId(0), start, end), message);
        refuse(console, &sources, &[diagnostic])
    })
}

pub(crate) fn refuse(console: &Console, sources: &Sources, errors: &[Diagnostic]) -> Failed {
    for (number, error) in errors.iter().enumerate() {
        if number > 0 {
            console.note("");
        }
        let mut message = Message::from(error);
        if message.place.is_none() {
            message.title = format!("{}: {}", sources.name(FileId(0)), message.title);
        }
        console.message(&message, sources);
    }
    Failed::Reported(Status::BadInput)
}

/// The one file of a program that is no C.
fn read(source: &Source) -> Result<Sources, Failed> {
    let [path] = source.files.as_slice() else {
        return Err(Failed::bad_input("only C programs may consist of several files"));
    };
    let mut sources = Sources::new();
    sources.add(path.display().to_string(), read_text(path)?);
    Ok(sources)
}

fn language(source: &Source) -> Result<Language, Failed> {
    if let Some(language) = source.lang {
        return Ok(language);
    }
    let Some(path) = source.files.first() else {
        return Ok(Language::C); // a compilation database
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("uc" | "microc") => Ok(Language::Microc),
        Some("lir") => Ok(Language::Ir),
        Some("c" | "i" | "h") => Ok(Language::C),
        _ if path.is_dir() => {
            Err(Failed::bad_input(format!("`{}` is a directory, not a program", path.display())))
        }
        _ => Err(Failed::bad_input(format!(
            "cannot tell the language of `{}` by its name; use `--lang c`, `--lang microc` or `--lang ir`",
            path.display()
        ))),
    }
}

/// The bytes of a file, or what is wrong with it.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failed> {
    let name = path.display();
    let unreadable = |error: std::io::Error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
            _ => error.to_string(),
        };
        Failed::bad_input(format!("cannot read `{name}`: {reason}"))
    };
    let file = fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failed::bad_input(format!("`{name}` has more than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

/// The text of a file, or what is wrong with it.
pub(crate) fn read_text(path: &Path) -> Result<String, Failed> {
    let name = path.display();
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = valid.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&valid[start..]).chars().count() + 1;
        Failed::bad_input(format!("{name}:{line}:{column}: this is not UTF-8 text"))
    })
}
