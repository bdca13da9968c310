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
        Some(path) => std::fs::write(path, format!("{text}{newline}")).map_err(|error| {
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
