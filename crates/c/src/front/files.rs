//! Where included files come from.

use std::io;
use std::path::{Path, PathBuf};

use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, SearchPath, runtime};

use super::{Files, Options, bounds, headers};

/// Files of the caller, and the headers that Loupe brings.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) files: &'a dyn Files,
}

impl FileSystem for Reader<'_> {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Ok(name) = path.strip_prefix(headers::DIRECTORY) {
            let text = name.to_str().and_then(headers::text);
            return text.map(SourceBytes::new).ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        if !self.files.is_file(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let text = self.files.read(path)?;
        match bounds::excess(&text) {
            Some(excess) => Err(io::Error::other(excess.sentence())),
            None => Ok(SourceBytes::new(ended(text))),
        }
    }
}

/// A text that ends with the end of a line, which a backslash does not join with nothing: the lexer
/// stumbles over that.
pub(super) fn ended(mut text: Vec<u8>) -> Vec<u8> {
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    if text.trim_ascii_end().ends_with(b"\\") {
        text.push(b'\n');
    }
    text
}

/// The directories in which headers are looked for, behind that of the including file: `-I`, then the
/// standard ones.
pub(super) fn search_path(options: &Options) -> SearchPath {
    let mut search = SearchPath::new();
    for directory in &options.include_dirs {
        search.push_bracket(directory);
    }
    if options.system_dirs.is_empty() {
        // Loupe's headers come first: they may include the compiler's under the same name.
        search.push_system(headers::DIRECTORY);
        search.push_system(runtime::DIR);
    } else {
        search.push_system(runtime::DIR);
        for directory in &options.system_dirs {
            search.push_system(directory);
        }
    }
    search
}

/// A directory of [`search_path`] in words.
pub(super) fn directory_name(directory: &str) -> String {
    match directory {
        headers::DIRECTORY => "the headers that Loupe brings".to_owned(),
        runtime::DIR => "the headers of the compiler".to_owned(),
        "" => "the current directory".to_owned(),
        _ => format!("`{}`", PathBuf::from(directory).display()),
    }
}
