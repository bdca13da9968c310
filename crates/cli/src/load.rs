//! Reading programs.

use crate::args::{Arrays, Language, Source};
use crate::console::Console;
use crate::status::{Failed, Status};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::{ArrayKind, Program};
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_ir::types::IntType;
use loupe_microc::{Dialect, ast};
use loupe_report::message::Message;
use std::fs;
use std::io::Read;
use std::path::Path;

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

/// The flowgraph of the program that the user named.
pub(crate) fn program(source: &Source, console: &Console) -> Result<Program, Failed> {
    let (language, sources) = read(source)?;
    let program = match language {
        Language::Ir => parse_ir(sources, console)?,
        Language::Microc => {
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
        Ok(()) => Ok(program),
        Err(violation) if language == Language::Ir => {
            let name = source.file.display();
            Err(Failed::bad_input(format!("{name}: not a well-formed flowgraph: {violation}")))
        }
        Err(violation) => Err(Failed::internal(format!("malformed flowgraph: {violation}"))),
    }
}

/// The syntax tree of the program that the user named.
pub(crate) fn syntax_tree(source: &Source, console: &Console) -> Result<ast::Program, Failed> {
    match read(source)? {
        (Language::Microc, sources) => parse_microc(&sources, console),
        (Language::Ir, _) => Err(Failed::bad_input("a flowgraph has no syntax tree")),
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

fn refuse(console: &Console, sources: &Sources, errors: &[Diagnostic]) -> Failed {
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

fn read(source: &Source) -> Result<(Language, Sources), Failed> {
    let path = &source.file;
    let language = language(source)?;
    let mut sources = Sources::new();
    sources.add(path.display().to_string(), read_text(path)?);
    Ok((language, sources))
}

fn language(source: &Source) -> Result<Language, Failed> {
    if let Some(language) = source.lang {
        return Ok(language);
    }
    let path = &source.file;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("uc" | "microc") => Ok(Language::Microc),
        Some("lir") => Ok(Language::Ir),
        Some("c" | "i" | "h") => Err(Failed::bad_input(format!(
            "`{}`: C programs are not supported yet",
            path.display()
        ))),
        _ if path.is_dir() => {
            Err(Failed::bad_input(format!("`{}` is a directory, not a program", path.display())))
        }
        _ => Err(Failed::bad_input(format!(
            "cannot tell the language of `{}` by its name; use `--lang microc` or `--lang ir`",
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
