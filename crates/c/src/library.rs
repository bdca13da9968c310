//! The model of the C library: C files that are part of Loupe.

use crate::front::{self, DataModel, Files};
use crate::headers::LIBRARY;
use crate::lower::Library;
use crate::tree::Unit;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{Author, FileId, Sources};
use std::io;
use std::path::Path;

/// Under this folder the files appear in messages.
pub const FOLDER: &str = "<C library>/";

/// The model for one program.
pub struct Model {
    options: front::Options,
    given: Vec<bool>,
}

impl Model {
    /// A model of which nothing was used yet.
    pub fn new(data_model: DataModel) -> Self {
        Model { options: front::Options::new(data_model), given: vec![false; LIBRARY.len()] }
    }
}

impl Library for Model {
    fn unit(&mut self, name: &str, sources: &mut Sources) -> Result<Option<Unit>, Vec<Diagnostic>> {
        let found = LIBRARY.iter().zip(&self.given).position(|((file, text), given)| {
            !given && file.ends_with(".c") && defines(text, name)
        });
        let Some(number) = found else { return Ok(None) };
        self.given[number] = true;
        let (file, text) = LIBRARY[number];
        let path = format!("{FOLDER}{file}");
        let before = sources.len();
        let checked = front::read(&path, text.as_bytes(), &self.options, &Own, sources);
        for added in before..sources.len() {
            sources.set_author(FileId(added as u32), Author::Loupe);
        }
        Ok(Some(checked?.unit))
    }
}

/// Whether the model has a function or object of this name.
pub fn has(name: &str) -> bool {
    LIBRARY.iter().any(|(file, text)| file.ends_with(".c") && defines(text, name))
}

/// Whether a file defines a function or object of this name. In these files, definitions start at the
/// beginning of a line and declarations end with one.
fn defines(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let rest = &text[at + name.len()..];
        let before = &text[..at];
        let is_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = &text[start..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let at_start = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let is_declaration = line.starts_with("extern") || line.starts_with("typedef");
        let is_function = rest.starts_with('(') && !line.trim_end().ends_with(';');
        let is_object = !rest.starts_with('(') && !text[start..at].contains('(');
        is_word && at_start && !is_declaration && (is_function || is_object)
    })
}

/// The files that the model includes are its own.
#[derive(Debug)]
struct Own;

impl Files for Own {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let name = path.strip_prefix(FOLDER).unwrap_or(path);
        let found = LIBRARY.iter().find(|(file, _)| Path::new(file) == name);
        found
            .map(|(_, text)| text.as_bytes().to_vec())
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.read(path).is_ok()
    }
}
