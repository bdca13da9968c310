//! What a file may ask of the preprocessor, decided before it starts.
//!
//! The preprocessor remembers for every token by which macros it must not be replaced any more, and
//! expands arguments before it inserts them. So macros inside macros, and calls of macros inside calls,
//! cost time and memory that grow with the square of their nesting. Nothing that people or their tools
//! write comes near these limits; how *long* expansions get is limited by the preprocessor itself. Every
//! file is looked at by itself: a chain of macros that winds through many headers is not found.

use std::collections::HashMap;

use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Span};

/// How deep brackets may nest. The parser takes fewer, but behind the preprocessor.
const BRACKETS: usize = 1_000;

/// How many macros may be needed to replace one.
const MACROS: usize = 2_000;

/// Something in a file that asks too much: what, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excess {
    what: String,
    at: usize,
}

impl Excess {
    /// The message, about a file with this text.
    pub(super) fn message(self, text: &[u8], file: FileId) -> Diagnostic {
        let before = String::from_utf8_lossy(&text[..self.at]);
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
        let (start, end) = (Position::new(line, column), Position::new(line, column + 1));
        Diagnostic::error(Span::new(file, start, end), self.what).label("here the limit is reached")
    }

    /// The message where only a sentence can be told.
    pub(super) fn sentence(self) -> String {
        self.what
    }
}

/// What in a file asks too much, if anything does.
pub(super) fn excess(text: &[u8]) -> Option<Excess> {
    brackets(text).or_else(|| macros(text))
}

fn brackets(text: &[u8]) -> Option<Excess> {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => at = literal_end(text, at),
            b'/' => at = comment_end(text, at),
            _ => {}
        }
        if depth > BRACKETS {
            let what = format!("brackets are nested more than {BRACKETS} deep");
            return Some(Excess { what, at });
        }
        at += 1;
    }
    None
}

/// The last byte of a literal that starts at `start`; it ends with its line at the latest.
fn literal_end(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if *byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The last byte of a comment that starts at `start`, or `start` if none does.
fn comment_end(text: &[u8], start: usize) -> usize {
    let rest = &text[start..];
    let length = match rest.get(1) {
        Some(b'/') => rest.iter().position(|byte| *byte == b'\n'),
        Some(b'*') => rest.windows(2).skip(2).position(|two| two == b"*/").map(|at| at + 3),
        _ => Some(0),
    };
    length.map_or(text.len(), |length| start + length)
}

/// A macro whose replacement needs too many others.
fn macros(text: &[u8]) -> Option<Excess> {
    let definitions = definitions(text);
    // A chain is not longer than there are macros, so most files need no closer look.
    if definitions.len() <= MACROS {
        return None;
    }
    let numbers =
        definitions.iter().enumerate().map(|(number, definition)| (definition.name, number));
    let numbers: HashMap<&[u8], usize> = numbers.collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); definitions.len()];
    let mut waits_for = vec![0usize; definitions.len()];
    for (user, definition) in definitions.iter().enumerate() {
        for used in words(definition.body).filter_map(|word| numbers.get(word)) {
            if *used != user {
                users[*used].push(user);
                waits_for[user] += 1;
            }
        }
    }
    // Levels from the bottom up. What is part of a circle, or needs one, never gets one: it is rare and
    // counts as a chain by itself.
    let mut levels = vec![1usize; definitions.len()];
    let mut ready: Vec<usize> = (0..definitions.len()).filter(|n| waits_for[*n] == 0).collect();
    let mut settled = 0;
    while let Some(used) = ready.pop() {
        settled += 1;
        if levels[used] > MACROS {
            return Some(too_many(&definitions[used]));
        }
        for user in std::mem::take(&mut users[used]) {
            levels[user] = levels[user].max(levels[used] + 1);
            waits_for[user] -= 1;
            if waits_for[user] == 0 {
                ready.push(user);
            }
        }
    }
    let circular = (0..definitions.len()).find(|n| waits_for[*n] > 0);
    let most = definitions.len() - settled;
    circular.filter(|_| most > MACROS).map(|n| too_many(&definitions[n]))
}

fn too_many(definition: &Definition<'_>) -> Excess {
    let name = String::from_utf8_lossy(definition.name);
    let what =
        format!("the macro `{name}` is made of more than {MACROS} others, one inside the other");
    Excess { what, at: definition.at }
}

/// `#define name body`
struct Definition<'t> {
    name: &'t [u8],
    body: &'t [u8],
    at: usize,
}

fn definitions(text: &[u8]) -> Vec<Definition<'_>> {
    let mut definitions = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = line_end(text, start);
        if let Some(definition) = definition(text, start, end) {
            definitions.push(definition);
        }
        start = end + 1;
    }
    definitions
}

/// The end of a line with those that a backslash joins to it.
fn line_end(text: &[u8], start: usize) -> usize {
    let mut from = start;
    loop {
        let Some(length) = text[from..].iter().position(|byte| *byte == b'\n') else {
            return text.len();
        };
        let end = from + length;
        if !text[from..end].trim_ascii_end().ends_with(b"\\") {
            return end;
        }
        from = end + 1;
    }
}

fn definition(text: &[u8], start: usize, end: usize) -> Option<Definition<'_>> {
    let line = text[start..end].trim_ascii_start();
    let rest = line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    let name = words(rest).next()?;
    // A part of a text: where it starts in there says where it ends.
    let at = rest.windows(name.len()).position(|part| part == name)?;
    let body = &rest[at + name.len()..];
    Some(Definition { name, body, at: end - rest.len() + at })
}

/// The identifiers and numbers of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    text.split(move |byte| !is_part(byte)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(excess(text.as_bytes()).map(Excess::sentence).as_deref(), expected);
    }

    #[test]
    fn brackets_are_counted_outside_of_literals_and_comments() {
        let deep = |n| "(".repeat(n);
        check(&deep(BRACKETS), None);
        check(&deep(BRACKETS + 1), Some("brackets are nested more than 1000 deep"));
        check(&format!("\"{}\" /* {} */ // {}\n'('", deep(2000), deep(2000), deep(2000)), None);
        check(&"() [] {}".repeat(2000), None);
        check(
            &format!("\" /*\n{}", deep(BRACKETS + 1)),
            Some("brackets are nested more than 1000 deep"),
        );
    }

    #[test]
    fn chains_of_macros_are_found() {
        let chain = |n: usize| -> String {
            (1..=n).map(|i| format!("#define M{i}(x) \\\n (M{}(x))\n", i - 1)).collect()
        };
        check(&chain(MACROS), None);
        let message = "the macro `M2001` is made of more than 2000 others, one inside the other";
        check(&chain(MACROS + 1), Some(message));
        let flat: String = (0..5000).map(|i| format!("# define N{i} (M1 + N{i})\n")).collect();
        check(&format!("{}{flat}", chain(10)), None);
    }

    #[test]
    fn the_place_of_an_excess_is_that_of_the_name() {
        let text: String = (1..=3000).map(|i| format!(" #define M{i} M{}\n", i - 1)).collect();
        let span = excess(text.as_bytes()).map(|excess| excess.message(text.as_bytes(), FileId(0)));
        let span =
            span.and_then(|error| error.span).map(|span| (span.start.line, span.start.column));
        assert_eq!(span, Some((2001, 10)));
    }
}
