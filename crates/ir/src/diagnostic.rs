//! What a front end has to say about a program that it cannot accept.

use crate::source::Span;

/// An error in the source program, with its place and advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where; `None` for what concerns a whole file (a missing `main`).
    pub span: Option<Span>,
    /// What stands at the place, said under the caret; may be empty.
    pub label: String,
    /// Other places that matter (the first declaration), each with a text.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// An error that concerns a file as a whole.
    pub fn whole_file(message: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            span: None,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// Says what stands at the place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Points to another place that matters.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
