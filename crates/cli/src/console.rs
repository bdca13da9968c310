//! What Loupe says on standard error, and where results go.

use crate::args::Colour;
use crate::status::Failed;
use crate::supervise;
use loupe_ir::source::Sources;
use loupe_report::message::{Message, Style};
use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::rc::Rc;

/// Standard error, as people read it.
#[derive(Clone)]
pub(crate) struct Console {
    style: Style,
    /// That of results, which go to standard output.
    result_style: Style,
}

impl Console {
    pub(crate) fn new(colour: Colour) -> Self {
        let style = |is_terminal: bool| {
            let coloured = match colour {
                Colour::Always => true,
                Colour::Never => false,
                Colour::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none(),
            };
            if coloured { Style::Coloured } else { Style::Plain }
        };
        let (messages, results) =
            (supervise::has_terminal_for_messages(), supervise::writes_to_terminal());
        Console { style: style(messages), result_style: style(results) }
    }

    /// How results may look.
    pub(crate) fn result_style(&self) -> Style {
        self.result_style
    }

    /// A message with an excerpt.
    pub(crate) fn message(&self, message: &Message, sources: &Sources) {
        self.line(&message.render(sources, self.style));
    }

    /// An error that is about no place in a program.
    pub(crate) fn error(&self, text: &str) {
        let message = Message { title: text.to_owned(), ..Message::default() };
        self.message(&message, &Sources::new());
    }

    /// Something else worth knowing.
    pub(crate) fn note(&self, text: &str) {
        self.line(text);
    }

    fn line(&self, text: &str) {
        supervise::tell(&format!("{text}\n"));
    }
}

/// Writes a result to a file, or to standard output.
pub(crate) fn write_result(text: &str, file: Option<&Path>) -> Result<(), Failed> {
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match file {
        Some(path) => write_whole(path, format!("{text}{newline}")).map_err(|error| {
            Failed::bad_input(format!("cannot write `{}`: {error}", path.display()))
        }),
        None => {
            let mut out = io::stdout().lock();
            let written = out
                .write_all(text.as_bytes())
                .and_then(|()| out.write_all(newline.as_bytes()))
                .and_then(|()| out.flush());
            match written {
                // The reader has seen enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other.map_err(|error| {
                    Failed::bad_input(format!("cannot write to standard output: {error}"))
                }),
            }
        }
    }
}

/// Writes a file so that whoever looks at it sees what was there before or all of the new text, at whatever moment this process ends.
pub(crate) fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    // A link stays one; what is no file, such as /dev/stdout, and what may not be written, is not replaced.
    let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_other = std::fs::metadata(&place)
        .is_ok_and(|known| !known.is_file() || known.permissions().readonly());
    let Some(name) = place.file_name().filter(|_| !is_other) else {
        return std::fs::write(path, text);
    };
    let mut draft = std::ffi::OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}", std::process::id()));
    let draft = place.with_file_name(draft);
    let kept = std::fs::metadata(&place).map(|known| known.permissions());
    let written = std::fs::write(&draft, text)
        .and_then(|()| kept.map_or(Ok(()), |kept| std::fs::set_permissions(&draft, kept)))
        .and_then(|()| std::fs::rename(&draft, &place));
    written.inspect_err(|_| {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&draft);
    })
}

/// Standard output, written to by the program that is run and flushed by whoever waits for input.
#[derive(Clone)]
pub(crate) struct SharedWriter {
    out: Rc<RefCell<Box<dyn Write>>>,
    /// The first thing that went wrong.
    error: Rc<RefCell<Option<io::Error>>>,
}

impl SharedWriter {
    /// Line by line on a terminal, in larger pieces elsewhere.
    pub(crate) fn standard_output() -> Self {
        let stdout = io::stdout();
        let out: Box<dyn Write> =
            if stdout.is_terminal() { Box::new(stdout) } else { Box::new(BufWriter::new(stdout)) };
        SharedWriter { out: Rc::new(RefCell::new(out)), error: Rc::default() }
    }

    /// Whether the bytes could be written.
    pub(crate) fn write(&self, bytes: &[u8]) -> bool {
        let written = self.out.borrow_mut().write_all(bytes);
        self.keep_error(written)
    }

    pub(crate) fn flush(&self) {
        let flushed = self.out.borrow_mut().flush();
        self.keep_error(flushed);
    }

    fn keep_error(&self, done: io::Result<()>) -> bool {
        let Err(error) = done else {
            return true;
        };
        self.error.borrow_mut().get_or_insert(error);
        false
    }

    /// Writes what is left, and says whether something was lost. A reader that has gone away is
    /// none of our business.
    pub(crate) fn finish(&self) -> Result<(), Failed> {
        self.flush();
        match self.error.borrow().as_ref() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failed::bad_input(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_replaced_as_a_whole_and_links_stay() {
        let folder = std::env::temp_dir().join(format!("loupe-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (file, link) = (folder.join("file"), folder.join("link"));
        write_whole(&file, "first").expect("a new file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        write_whole(&link, "second").expect("an old file");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "second");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        assert!(write_whole(&folder, "a folder is no file").is_err());
        assert!(write_whole(&folder.join("nowhere/file"), "").is_err());
        write_whole(Path::new("/dev/null"), "gone").expect("no file, but it can be written");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2, "no drafts are left");
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
