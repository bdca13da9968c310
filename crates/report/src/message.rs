//! Messages with an excerpt of the source.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{Position, SourceFile, Sources, Span};
use std::ops::Range;

/// Whether messages may be coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For files, pipes and tests.
    Plain,
    /// For a terminal.
    Coloured,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// It cannot go on.
    #[default]
    Error,
    /// It goes on, but somebody should know.
    Warning,
}

/// A message with its places.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub title: String,
    /// Where, with what stands there (may be empty).
    pub place: Option<(Span, String)>,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl From<&Diagnostic> for Message {
    fn from(diagnostic: &Diagnostic) -> Self {
        Message {
            severity: Severity::Error,
            title: diagnostic.message.clone(),
            place: diagnostic.span.map(|span| (span, diagnostic.label.clone())),
            related: diagnostic.related.clone(),
            notes: Vec::new(),
            help: diagnostic.help.clone(),
        }
    }
}

/// Longer lines are not shown.
const MAX_LINE: usize = 2_000;
/// Two places so many lines apart get an excerpt each.
const MAX_DISTANCE: u32 = 20;

impl Message {
    /// The message as text, without a line end.
    pub fn render(&self, sources: &Sources, style: Style) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = level.primary_title(self.title.as_str()).elements(None::<Origin<'_>>);
        if let Some((span, label)) = &self.place {
            let near = |other: &&(Span, String)| {
                other.0.file == span.file
                    && other.0.start.line.abs_diff(span.start.line) <= MAX_DISTANCE
            };
            let together = self.related.iter().filter(near);
            group = add_excerpt(group, sources, (*span, label), together);
            for (span, label) in self.related.iter().filter(|other| !near(other)) {
                group = add_excerpt(group, sources, (*span, label), [].iter());
            }
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        renderer.render(&[group])
    }
}

/// Adds an excerpt with the place of the message and other places near it.
fn add_excerpt<'a>(
    group: Group<'a>,
    sources: &'a Sources,
    (span, label): (Span, &'a str),
    near: impl Iterator<Item = &'a (Span, String)> + Clone,
) -> Group<'a> {
    let name = sources.name(span.file);
    let spans = near.clone().map(|(span, _)| *span).chain([span]);
    let excerpt = sources.get(span.file).and_then(|file| Excerpt::around(file, spans));
    let Some(excerpt) = excerpt else {
        let origin = Origin::path(name)
            .line(span.start.line as usize)
            .char_column(span.start.column as usize);
        let group = group.element(origin);
        return if label.is_empty() { group } else { group.element(Level::NOTE.message(label)) };
    };
    let mut primary = AnnotationKind::Primary.span(excerpt.range(span));
    if !label.is_empty() {
        primary = primary.label(label);
    }
    let mut annotations = vec![primary];
    for (span, label) in near {
        annotations.push(AnnotationKind::Context.span(excerpt.range(*span)).label(label.as_str()));
    }
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line as usize).path(name);
    group.element(snippet.annotations(annotations))
}

/// A few lines of a file.
struct Excerpt {
    first_line: u32,
    text: String,
    /// Where each line starts in `text`.
    starts: Vec<usize>,
}

impl Excerpt {
    /// The lines from the first to the last of `spans`, if all of them are there and short enough.
    fn around(file: &SourceFile, spans: impl Iterator<Item = Span> + Clone) -> Option<Self> {
        let first_line = spans.clone().map(|span| span.start.line).min()?;
        let last_line = spans.map(|span| span.start.line).max()?;
        let mut text = String::new();
        let mut starts = Vec::new();
        for number in first_line..=last_line {
            let line = file.line(number)?;
            if line.len() > MAX_LINE {
                return None;
            }
            starts.push(text.len());
            text.push_str(line);
            text.push('\n');
        }
        Some(Excerpt { first_line, text, starts })
    }

    /// The part of a span on its first line, as a range of bytes; never empty, so that there is
    /// something to point to.
    fn range(&self, span: Span) -> Range<usize> {
        let start = self.offset(span.start);
        let end_of_line = self.offset(Position::new(span.start.line, u32::MAX));
        let end =
            if span.end.line == span.start.line { self.offset(span.end) } else { end_of_line };
        start..end.max(start + 1).min(self.text.len())
    }

    fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get((position.line - self.first_line) as usize) else {
            return self.text.len();
        };
        let line = self.text[*start..].split('\n').next().unwrap_or_default();
        let before = line.char_indices().nth(position.column as usize - 1);
        start + before.map_or(line.len(), |(offset, _)| offset)
    }
}
