//! Where things stand in the source: files, positions, spans.
//!
//! Positions are lines and columns rather than byte offsets: every report needs them, the textual
//! form of the flowgraph can carry them without the source beside it, and line markers of a
//! preprocessor fit in.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file of the program, as an index into [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The position at `line` and `column`, both from 1.
    pub const fn new(line: u32, column: u32) -> Self {
        Position { line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A piece of a source file, from `start` up to, but not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}

impl Span {
    /// The span of `file` from `start` up to, but not including, `end`.
    pub const fn new(file: FileId, start: Position, end: Position) -> Self {
        Span { file, start, end }
    }

    /// The smallest span that contains both; `other` must be of the same file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file, "a span lies in one file");
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file.0 != 0 {
            write!(f, "f{}:", self.file.0)?;
        }
        write!(f, "{}-{}", self.start, self.end)
    }
}

/// Who wrote a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Author {
    /// The user.
    #[default]
    User,
    /// Loupe: a model of a library function. Users want to see where they called it.
    Loupe,
}

/// One source file: its name as the user wrote it, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Who wrote it.
    pub author: Author,
    /// The name, as the user gave it.
    pub name: String,
    /// The whole text; empty where only the flowgraph is known.
    pub text: Arc<str>,
    index: TextIndex,
}

impl SourceFile {
    /// The line with this number, from 1, without its end.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.text.get(self.index.line(&self.text, number)?)
    }

    /// The part of a line between two columns, both from 1, as far as the line has them.
    fn part(&self, line: u32, from: u32, to: u32) -> Option<&str> {
        let bytes = self.index.line(&self.text, line)?;
        let offset = |column| self.index.offset(&self.text, line, column).min(bytes.end);
        self.text.get(offset(from)..offset(to))
    }
}

/// Finds lines and columns in a text without reading it from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TextIndex {
    /// Where each line starts, as a number of bytes and as a number of characters.
    lines: Vec<(usize, usize)>,
    /// Where every [`Self::STRIDE`]th character starts, in bytes. A line may be as long as a file.
    marks: Vec<usize>,
}

impl TextIndex {
    const STRIDE: usize = 128;

    fn new(text: &str) -> Self {
        let mut index = TextIndex { lines: vec![(0, 0)], marks: Vec::new() };
        for (number, (at, c)) in text.char_indices().enumerate() {
            if number % Self::STRIDE == 0 {
                index.marks.push(at);
            }
            if c == '\n' {
                index.lines.push((at + 1, number + 1));
            }
        }
        // What follows the last end of a line is a line only if it is something.
        index.lines.pop_if(|(start, _)| *start == text.len());
        index
    }

    /// The bytes of a line, without its end.
    fn line(&self, text: &str, number: u32) -> Option<Range<usize>> {
        let line = number.checked_sub(1)? as usize;
        let (start, _) = *self.lines.get(line)?;
        let end = self.lines.get(line + 1).map_or(text.len(), |(next, _)| *next);
        let line = &text[start..end];
        let line = line.strip_suffix('\n').map_or(line, |l| l.strip_suffix('\r').unwrap_or(l));
        Some(start..start + line.len())
    }

    /// The byte at which a column of an existing line starts; that of a later line, or the end of
    /// the text, if the line is shorter.
    fn offset(&self, text: &str, line: u32, column: u32) -> usize {
        let (_, first) = self.lines[line as usize - 1];
        let character = first + column.saturating_sub(1) as usize;
        let Some(mark) = self.marks.get(character / Self::STRIDE) else { return text.len() };
        let mut rest = text[*mark..].char_indices();
        rest.nth(character % Self::STRIDE).map_or(text.len(), |(at, _)| mark + at)
    }
}

/// The files of a program, in the order in which they were read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let text = text.into();
        let index = TextIndex::new(&text);
        self.files.push(SourceFile { author: Author::User, name: name.into(), text, index });
        FileId((self.files.len() - 1) as u32)
    }

    /// Says that Loupe wrote a file.
    pub fn set_author(&mut self, file: FileId, author: Author) {
        if let Some(file) = self.files.get_mut(file.0 as usize) {
            file.author = author;
        }
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether the user wrote the file that a span lies in.
    pub fn is_users(&self, span: Span) -> bool {
        self.get(span.file).is_none_or(|file| file.author == Author::User)
    }

    /// The file with this number, if there is one.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// The file's name, or `<unknown>`.
    pub fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("<unknown>", |f| &f.name)
    }

    /// All files with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The lines of `span`, the first and the last one cut to it, as far as the text is known.
    pub fn lines(&self, span: Span) -> impl Iterator<Item = &str> {
        let file = self.get(span.file).into_iter();
        file.flat_map(move |file| {
            let lines = span.start.line..=span.end.line;
            lines.map_while(move |line| {
                let from = if line == span.start.line { span.start.column } else { 1 };
                let to = if line == span.end.line { span.end.column } else { u32::MAX };
                file.part(line, from, to)
            })
        })
    }

    /// The text of `span`, if its file's text is known.
    pub fn excerpt(&self, span: Span) -> Option<String> {
        let lines: Vec<&str> = self.lines(span).collect();
        let text = lines.join("\n");
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, span: [u32; 4]) -> Option<String> {
        let mut sources = Sources::new();
        let file = sources.add("test", text);
        let [line, column, end_line, end_column] = span;
        let start = Position::new(line, column);
        sources.excerpt(Span::new(file, start, Position::new(end_line, end_column)))
    }

    #[test]
    fn excerpts_have_the_lines_and_columns_of_their_span() {
        let text = "a = 1;\r\nčau = 2;\n\nlast";
        assert_eq!(excerpt(text, [1, 1, 1, 7]).as_deref(), Some("a = 1;"));
        assert_eq!(excerpt(text, [2, 1, 2, 4]).as_deref(), Some("čau"));
        assert_eq!(excerpt(text, [2, 7, 4, 3]).as_deref(), Some("2;\n\nla"));
        assert_eq!(excerpt(text, [1, 5, 2, 2]).as_deref(), Some("1;\nč"));
    }

    #[test]
    fn what_lies_outside_of_the_text_is_left_out() {
        let text = "ab\ncd\n";
        assert_eq!(excerpt(text, [1, 2, 1, 9]).as_deref(), Some("b"));
        assert_eq!(excerpt(text, [2, 1, 7, 1]).as_deref(), Some("cd"));
        for nowhere in [[3, 1, 3, 2], [1, 8, 1, 9], [0, 0, 0, 0], [2, 2, 1, 1], [1, 2, 1, 1]] {
            assert_eq!(excerpt(text, nowhere), None, "{nowhere:?}");
        }
        assert_eq!(excerpt("", [1, 1, 1, 2]), None);
    }

    #[test]
    fn columns_of_a_long_line_are_found() {
        let text: String = (0..1000).map(|i| char::from_u32(0x100 + i).unwrap()).collect();
        for column in [1u32, 127, 128, 129, 130, 256, 257, 999, 1000] {
            let expected = char::from_u32(0xff + column).unwrap().to_string();
            assert_eq!(excerpt(&text, [1, column, 1, column + 1]), Some(expected));
        }
    }

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "\n", "a", "a\n", "a\r\nb\r", "\n\nx\n\n", "é\r\n\r\n"] {
            let mut sources = Sources::new();
            let file = sources.add("test", text);
            let file = sources.get(file).unwrap();
            let lines: Vec<_> = (1..).map_while(|number| file.line(number)).collect();
            assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
