//! The errors of one run, bounded in number.

use loupe_ir::diagnostic::Diagnostic;

/// How many errors one run reports: nobody reads more, and a file that is no program at all must
/// not cost more than a glance.
const LIMIT: usize = 20;

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    list: Vec<Diagnostic>,
    stopped: bool,
}

impl Errors {
    /// Adds an error; the one beyond the limit is replaced by the remark that there are more.
    pub(crate) fn push(&mut self, error: Diagnostic) {
        if self.stopped {
            return;
        }
        if self.list.len() < LIMIT {
            self.list.push(error);
            return;
        }
        let message = format!("too many errors: only the first {LIMIT} are shown");
        self.list.push(Diagnostic { span: error.span, ..Diagnostic::whole_file(message) });
        self.stopped = true;
    }

    /// Adds an error after which nothing sensible can be said about the rest.
    pub(crate) fn stop(&mut self, error: Diagnostic) {
        self.push(error);
        self.stopped = true;
    }

    /// Whether further errors are dropped, so that there is no point in looking for them.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// `value`, if there were no errors; otherwise these in the order of the source, what concerns
    /// the whole file last.
    pub(crate) fn finish<T>(mut self, value: T) -> Result<T, Vec<Diagnostic>> {
        if self.list.is_empty() {
            return Ok(value);
        }
        // The lexer runs a few tokens ahead of the parser. The remark on the limit stays last.
        let shown = self.list.len().min(LIMIT);
        self.list[..shown]
            .sort_by_key(|error| (error.span.is_none(), error.span.map(|span| span.start)));
        Err(self.list)
    }
}

/// `text` in backticks, shortened if a user would not want to read all of it.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
