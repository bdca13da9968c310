//! Tests of the front end.

mod declarations;
mod dump;
mod expressions;
mod layout;
mod limits;
mod messages;
mod places;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Sources;

use super::{Checked, DataModel, Files, Options, read};

/// Files of a test.
#[derive(Debug, Default)]
struct Memory(BTreeMap<PathBuf, Vec<u8>>);

impl Files for Memory {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }
}

fn memory(files: &[(&str, &str)]) -> Memory {
    let files = files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec()));
    Memory(files.collect())
}

fn lp64() -> Options {
    Options::new(DataModel::Lp64)
}

/// Reads a program, and says what is wrong with it.
fn try_read(
    text: &[u8],
    options: &Options,
    files: &Memory,
) -> (Result<Checked, Vec<Diagnostic>>, Sources) {
    let mut sources = Sources::new();
    let result = read("test.c", text, options, files, &mut sources);
    (result, sources)
}

/// Reads a program that is right.
fn accept_with(text: &str, options: &Options) -> (Checked, Sources) {
    let (result, sources) = try_read(text.as_bytes(), options, &Memory::default());
    match result {
        Ok(checked) => (checked, sources),
        Err(errors) => panic!("{}", shown(&errors, &sources)),
    }
}

fn accept(text: &str) -> Checked {
    accept_with(text, &lp64()).0
}

/// What is wrong with a program.
fn refuse(text: &str) -> String {
    refuse_with(text.as_bytes(), &lp64(), &Memory::default())
}

fn refuse_with(text: &[u8], options: &Options, files: &Memory) -> String {
    match try_read(text, options, files) {
        (Err(errors), sources) => shown(&errors, &sources),
        (Ok(_), _) => panic!("this was accepted"),
    }
}

/// Messages with their places and the text there.
fn shown(messages: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    let mut place = |span: Option<loupe_ir::source::Span>, words: &str| {
        let excerpt = span.and_then(|span| sources.excerpt(span)).unwrap_or_default();
        match span {
            Some(span) => {
                let name = sources.name(span.file);
                text += &format!("{name}:{}-{} `{excerpt}`: {words}\n", span.start, span.end);
            }
            None => text += &format!("{words}\n"),
        }
    };
    for message in messages {
        place(message.span, &message.message);
        if !message.label.is_empty() {
            place(message.span, &format!("  {}", message.label));
        }
        for (span, words) in &message.related {
            place(Some(*span), &format!("  {words}"));
        }
        if let Some(help) = &message.help {
            place(None, &format!("  help: {help}"));
        }
    }
    text
}
