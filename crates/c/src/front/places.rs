//! From places of the C front end to ours.
//!
//! There a place is an offset into all files laid end to end; `#line` and the markers of preprocessed
//! files say which file and line a physical line *presumably* is. Ours are lines and columns of
//! presumed files: a message about a preprocessed file points into the original. A presumed file whose
//! text we never see is put together from the physical lines that claim to be from it, each at its
//! presumed number; columns are those of the physical line.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use loupe_ir::source::{FileId, Position, Sources, Span};
use rucc_diag::{BytePos, SourceFile, SourceMap};

use super::preprocess::Preprocessed;

/// How the file is called that a precondition stands in.
const PRECONDITION: &str = "--assume";

/// Finds places. Files are added to the sources when the first place in them is asked for.
#[derive(Debug)]
pub(super) struct Places<'a> {
    map: &'a SourceMap,
    sources: &'a mut Sources,
    /// What has to be known of each physical file.
    physical: Vec<Physical>,
    /// The presumed files that are known to `sources`.
    known: HashMap<String, FileId>,
    /// The lines of presumed files that are put together, collected at the first need.
    collected: Option<HashMap<String, String>>,
    main: FileId,
    main_name: String,
    /// The last presumed file, since most questions are about the same one.
    last: Option<(String, FileId)>,
}

/// What has to be known of a physical file.
#[derive(Debug)]
struct Physical {
    /// Whether it has `#line` directives or line markers.
    is_remapped: bool,
    /// Offsets of bytes that are not the first of their character; `None` until asked for.
    continuations: Option<Arc<[BytePos]>>,
}

impl<'a> Places<'a> {
    /// The places of a unit. Its own file, called `name`, becomes known at once.
    pub(super) fn new(
        preprocessed: &'a Preprocessed,
        name: &str,
        sources: &'a mut Sources,
    ) -> Self {
        let map = &preprocessed.map;
        let mut physical: Vec<Physical> = map
            .files()
            .iter()
            .map(|_| Physical { is_remapped: false, continuations: None })
            .collect();
        for directive in &preprocessed.line_directives {
            let file = map.lookup_file(directive.lo);
            if let Some(file) = file.and_then(|file| physical.get_mut(file.index())) {
                file.is_remapped = true;
            }
        }
        let mut places = Places {
            map,
            sources,
            physical,
            known: HashMap::new(),
            collected: None,
            main: FileId(0),
            main_name: name.to_owned(),
            last: None,
        };
        places.main = places.file(name);
        places
    }

    /// The place of `span`; `None` if it stands nowhere.
    pub(super) fn span(&mut self, span: rucc_diag::Span) -> Option<Span> {
        if span.is_dummy() {
            return None;
        }
        let (file, start) = self.position(span.lo)?;
        let end = self.position(span.hi).filter(|(other, end)| *other == file && *end > start);
        // A span over several files, or none at all, is shown by its first character.
        let end = end.map_or(Position::new(start.line, start.column + 1), |(_, end)| end);
        Some(Span::new(file, start, end))
    }

    /// The place of `span`, or the start of the unit's own file.
    pub(super) fn span_or_start(&mut self, span: rucc_diag::Span) -> Span {
        self.span(span)
            .unwrap_or_else(|| Span::new(self.main, Position::new(1, 1), Position::new(1, 1)))
    }

    /// The place of a message. The front end points at the `#` of a directive; all of it is meant.
    pub(super) fn message_span(&mut self, span: rucc_diag::Span) -> Option<Span> {
        let whole = self.directive(span).unwrap_or(span);
        self.span(whole)
    }

    fn directive(&self, span: rucc_diag::Span) -> Option<rucc_diag::Span> {
        let file = self.map.file(self.map.lookup_file(span.lo)?);
        let line = file.line_span(span.lo)?;
        let text =
            file.bytes().get((span.lo - file.start) as usize..(line.hi - file.start) as usize)?;
        let is_hash = span.len() == 1 && text.first() == Some(&b'#');
        let length = text.trim_ascii_end().len() as u32;
        is_hash.then(|| rucc_diag::Span::new(span.lo, span.lo + length))
    }

    /// Whether a place is in a file of a system directory.
    pub(super) fn is_system(&self, span: rucc_diag::Span) -> bool {
        !span.is_dummy() && self.map.is_system(span.lo)
    }

    /// The `#include`s that led to a place, the innermost first.
    pub(super) fn includes(&mut self, span: rucc_diag::Span) -> Vec<Span> {
        if span.is_dummy() {
            return Vec::new();
        }
        let stack = self.map.include_stack(span.lo);
        stack.into_iter().filter_map(|include| self.message_span(include)).collect()
    }

    /// The map of the C front end.
    pub(super) fn map(&self) -> &'a SourceMap {
        self.map
    }

    fn position(&mut self, at: BytePos) -> Option<(FileId, Position)> {
        let map = self.map;
        let at = map.real(at);
        let (file, presumed, line) = map.presumed_line(at)?;
        let column = self.column(map.file(file), line.lo, at);
        // Lines of a file from another preprocessor may be counted from zero.
        let position = Position::new(presumed.line.max(1), column);
        Some((self.file(presumed.name), position))
    }

    /// The number of a presumed file.
    fn file(&mut self, name: &str) -> FileId {
        if let Some((last, file)) = &self.last
            && last == name
        {
            return *file;
        }
        let file = match self.known.get(name) {
            Some(file) => *file,
            None => {
                let mut text = self.text(name);
                // The parenthesis behind a precondition is not the user's.
                if name == PRECONDITION && text.trim_end().ends_with(')') {
                    text.truncate(text.trim_end().len() - 1);
                }
                // Headers are often read by several units.
                let same = self.sources.iter().find(|(_, file)| {
                    file.name == name && name != self.main_name && *file.text == *text
                });
                let same = same.map(|(file, _)| file);
                let file = same.unwrap_or_else(|| self.sources.add(name, text));
                self.known.insert(name.to_owned(), file);
                file
            }
        };
        self.last = Some((name.to_owned(), file));
        file
    }

    /// The text of a presumed file.
    fn text(&mut self, name: &str) -> String {
        let whole = |(file, physical): (&SourceFile, &Physical)| {
            (file.name == name && !physical.is_remapped)
                .then(|| String::from_utf8_lossy(file.bytes()).into_owned())
        };
        let physical = self.map.files().iter().zip(&self.physical);
        if let Some(text) = physical.clone().find_map(whole) {
            return text;
        }
        let collected = self.collected.get_or_insert_with(|| {
            let remapped = physical.filter(|(_, physical)| physical.is_remapped);
            collect(remapped.map(|(file, _)| file))
        });
        // Only lines before the first marker are left for the name of a preprocessed file; its own
        // text says more than nothing.
        let text = collected.remove(name).filter(|text| !text.trim().is_empty());
        text.unwrap_or_else(|| {
            let main = self
                .map
                .files()
                .iter()
                .find(|file| name == self.main_name && file.name == self.main_name);
            main.map_or_else(String::new, |file| String::from_utf8_lossy(file.bytes()).into_owned())
        })
    }

    /// The column of a byte in its line, in characters.
    fn column(&mut self, file: &SourceFile, line: BytePos, at: BytePos) -> u32 {
        let bytes = at - line;
        let Some(physical) = self.physical.get_mut(file.id.index()) else { return bytes + 1 };
        let continuations =
            physical.continuations.get_or_insert_with(|| continuations(file).into());
        if continuations.is_empty() {
            return bytes + 1;
        }
        let before = |at: BytePos| continuations.partition_point(|other| *other < at);
        bytes + 1 - (before(at) - before(line)) as u32
    }
}

/// The bytes of a file that are not the first of their character. What is not UTF-8 is read as the
/// standard library reads it: a maximal wrong sequence is one character.
fn continuations(file: &SourceFile) -> Vec<BytePos> {
    let mut found = Vec::new();
    if file.bytes().is_ascii() {
        return found;
    }
    let mut at = file.start;
    for chunk in file.bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            let next = at + character.len_utf8() as u32;
            found.extend(at + 1..next);
            at = next;
        }
        let next = at + chunk.invalid().len() as u32;
        found.extend((at + 1).min(next)..next);
        at = next;
    }
    found
}

/// The texts of the presumed files in these physical files.
fn collect<'a>(files: impl Iterator<Item = &'a SourceFile>) -> HashMap<String, String> {
    let mut lines: HashMap<&str, BTreeMap<u32, String>> = HashMap::new();
    for file in files {
        let mut start = file.start;
        for line in file.bytes().split_inclusive(|byte| *byte == b'\n') {
            let presumed = file.presumed_position(start);
            start += line.len() as u32;
            let Some(presumed) = presumed else { continue };
            if !is_marker(line) && !line.trim_ascii().is_empty() {
                let slot =
                    lines.entry(presumed.name).or_default().entry(presumed.line).or_default();
                overlay(slot, &String::from_utf8_lossy(line));
            }
        }
    }
    let joined = lines.into_iter().map(|(name, lines)| (name.to_owned(), join(&lines)));
    joined.collect()
}

/// Puts a piece of a line on top of it. A preprocessor breaks a line where a macro of a system header
/// was, and indents the pieces to the columns that they had.
fn overlay(line: &mut String, piece: &str) {
    let piece = piece.trim_end();
    let indent = piece.len() - piece.trim_start_matches(' ').len();
    let kept = line.char_indices().nth(indent).map_or(line.len(), |(at, _)| at);
    line.truncate(kept);
    let length = line.chars().count();
    line.extend(std::iter::repeat_n(' ', indent.saturating_sub(length)));
    line.push_str(&piece[indent..]);
}

/// How many lines a text may be given that a marker places far down: such a file is a joke.
const LONGEST: u32 = 10_000_000;

fn join(lines: &BTreeMap<u32, String>) -> String {
    let mut text = String::new();
    let mut next = 1;
    for (number, line) in lines.range(1..=LONGEST) {
        for _ in next..*number {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        next = number + 1;
    }
    text
}

fn is_marker(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.strip_prefix(b"#").is_some_and(|rest| {
        let rest = rest.trim_ascii_start();
        rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"line")
    })
}
