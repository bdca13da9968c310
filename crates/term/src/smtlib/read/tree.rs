//! S-expressions: a text as a flat tree.

use super::error::{Position, ReadError, ReadErrorKind};

/// Longer words are not read: a number takes time that grows with the square of its length.
const MAX_WORD: usize = 200_000;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    /// A symbol as it stands, which may be a reserved word.
    Symbol,
    /// A symbol in bars.
    Quoted,
    Numeral,
    /// A literal of another sort: a decimal, or bits.
    Literal,
    String,
    Keyword,
}

/// A node, as a number in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(u32);

struct Node {
    kind: Kind,
    /// Its text, without quotes: for lists, from the opening to the closing parenthesis.
    start: usize,
    end: usize,
    /// The node behind it and all that is in it.
    next: u32,
}

/// The nodes of a text, wholes before parts, from left to right.
pub(super) struct Tree<'s> {
    text: &'s str,
    nodes: Vec<Node>,
}

impl<'s> Tree<'s> {
    pub(super) fn parse(text: &'s str) -> Result<Self, ReadError> {
        let mut tree = Tree { text, nodes: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            match first {
                ';' => at += text[at..].find(['\n', '\r']).unwrap_or(text.len() - at),
                '(' => {
                    open.push(tree.nodes.len());
                    tree.push(Kind::List, at, at)?;
                    at += 1;
                }
                ')' => {
                    let Some(list) = open.pop() else {
                        return Err(tree.unexpected(at, "a command", ")"));
                    };
                    at += 1;
                    tree.close(list, at);
                }
                _ if first.is_whitespace() => at += first.len_utf8(),
                _ => at = tree.atom(at, first)?,
            }
        }
        match open.pop() {
            Some(list) => {
                let start = tree.nodes.get(list).map_or(0, |node| node.start);
                Err(tree.missing(start, "a closing parenthesis for this one"))
            }
            None => Ok(tree),
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), ReadError> {
        match u32::try_from(self.nodes.len() + 1) {
            Ok(next) => self.nodes.push(Node { kind, start, end, next }),
            Err(_) => return Err(self.error(start, ReadErrorKind::TooLarge)),
        }
        Ok(())
    }

    fn close(&mut self, list: usize, end: usize) {
        let next = self.nodes.len() as u32; // `push` has checked it
        if let Some(node) = self.nodes.get_mut(list) {
            (node.end, node.next) = (end, next);
        }
    }

    /// Adds the atom that starts here, and gives the place behind it.
    fn atom(&mut self, at: usize, first: char) -> Result<usize, ReadError> {
        let rest = &self.text[at..];
        match first {
            '|' => match rest[1..].find('|') {
                Some(length) => {
                    let end = at + 1 + length;
                    if self.text[at + 1..end].contains('\\') {
                        return Err(self.unexpected(at, "a symbol", "one with a backslash"));
                    }
                    self.push(Kind::Quoted, at + 1, end)?;
                    Ok(end + 1)
                }
                None => Err(self.missing(at, "a closing bar for this one")),
            },
            '"' => {
                // A quotation mark in a string is written twice.
                let mut end = at + 1;
                loop {
                    let Some(length) = self.text[end..].find('"') else {
                        return Err(self.missing(at, "a closing quotation mark"));
                    };
                    end += length;
                    if !self.text[end + 1..].starts_with('"') {
                        break;
                    }
                    end += 2;
                }
                self.push(Kind::String, at + 1, end)?;
                Ok(end + 1)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '|' | '"');
                let length = rest.find(ends).unwrap_or(rest.len());
                let Some(kind) = kind(&rest[..length]) else {
                    return Err(self.unexpected(at, "a symbol or literal", &rest[..length]));
                };
                if length > MAX_WORD {
                    return Err(self.error(at, ReadErrorKind::TooLarge));
                }
                self.push(kind, at, at + length)?;
                Ok(at + length)
            }
        }
    }

    fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that are in no other.
    pub(super) fn roots(&self) -> impl Iterator<Item = Id> + '_ {
        self.siblings(0, self.nodes.len() as u32)
    }

    /// The parts of a list, none of an atom.
    pub(super) fn parts(&self, id: Id) -> Vec<Id> {
        let end = self.node(id).map_or(0, |node| node.next);
        self.siblings(id.0 + 1, end).collect()
    }

    fn siblings(&self, first: u32, end: u32) -> impl Iterator<Item = Id> + '_ {
        let inside = move |id: &Id| id.0 < end;
        let next = move |id: &Id| self.node(*id).map(|node| Id(node.next)).filter(inside);
        std::iter::successors(Some(Id(first)).filter(inside), next)
    }

    pub(super) fn kind(&self, id: Id) -> Kind {
        self.node(id).map_or(Kind::List, |node| node.kind)
    }

    /// The text of an atom without quotes, or of a list.
    pub(super) fn text(&self, id: Id) -> &'s str {
        self.node(id).and_then(|node| self.text.get(node.start..node.end)).unwrap_or("")
    }

    /// The name that an atom is, if it is one.
    pub(super) fn symbol(&self, id: Id) -> Option<&'s str> {
        matches!(self.kind(id), Kind::Symbol | Kind::Quoted).then(|| self.text(id))
    }

    /// Whether a node is this reserved word.
    pub(super) fn is_word(&self, id: Id, word: &str) -> bool {
        self.kind(id) == Kind::Symbol && self.text(id) == word
    }

    /// Whether a node is this symbol, quoted or not.
    pub(super) fn is_symbol(&self, id: Id, name: &str) -> bool {
        self.symbol(id) == Some(name)
    }

    /// Whether two nodes, perhaps of different trees, are the same but for spaces.
    pub(super) fn same(&self, id: Id, other: &Tree<'_>, other_id: Id) -> bool {
        let range = |tree: &Tree<'_>, id: Id| {
            let next = tree.node(id).map_or(0, |node| node.next);
            (id.0..next).map(Id).collect::<Vec<_>>()
        };
        let (a, b) = (range(self, id), range(other, other_id));
        let length = |tree: &Tree<'_>, id: Id| tree.node(id).map(|node| node.next - id.0);
        a.len() == b.len()
            && a.iter().zip(&b).all(|(a, b)| {
                self.kind(*a) == other.kind(*b)
                    && length(self, *a) == length(other, *b)
                    && (self.kind(*a) == Kind::List || self.text(*a) == other.text(*b))
            })
    }

    pub(super) fn position(&self, id: Id) -> Position {
        Position { line: 1, column: 1 }.moved_over(self.text.get(..self.start(id)).unwrap_or(""))
    }

    /// The positions of nodes in the order of the text, which is gone through once.
    pub(super) fn positions(&self, ids: impl Iterator<Item = Id>) -> Vec<Position> {
        let (mut at, mut position) = (0, Position { line: 1, column: 1 });
        let mut positions = Vec::new();
        for id in ids {
            let start = self.start(id);
            position = position.moved_over(self.text.get(at..start).unwrap_or(""));
            at = start;
            positions.push(position);
        }
        positions
    }

    /// Where a node starts, with its quotes.
    fn start(&self, id: Id) -> usize {
        self.node(id).map_or(self.text.len(), |node| match node.kind {
            Kind::Quoted | Kind::String => node.start.saturating_sub(1),
            _ => node.start,
        })
    }

    fn error(&self, at: usize, kind: ReadErrorKind) -> ReadError {
        let start = Position { line: 1, column: 1 };
        ReadError { position: start.moved_over(self.text.get(..at).unwrap_or("")), kind }
    }

    fn missing(&self, at: usize, expected: &'static str) -> ReadError {
        self.error(at, ReadErrorKind::Unexpected { expected, found: "none".to_owned() })
    }

    fn unexpected(&self, at: usize, expected: &'static str, found: &str) -> ReadError {
        self.error(at, ReadErrorKind::Unexpected { expected, found: shortened(found) })
    }
}

/// The kind of a word that is in no quotes.
fn kind(word: &str) -> Option<Kind> {
    let first = word.chars().next()?;
    let special = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if first.is_ascii_digit() {
        let decimal = word.chars().all(|c| c.is_ascii_digit() || c == '.');
        return match word.contains('.') {
            true => decimal.then_some(Kind::Literal),
            false => decimal.then_some(Kind::Numeral),
        };
    }
    match first {
        '#' => word.chars().skip(1).all(|c| c.is_ascii_alphanumeric()).then_some(Kind::Literal),
        ':' => word.chars().skip(1).all(special).then_some(Kind::Keyword),
        _ => word.chars().all(special).then_some(Kind::Symbol),
    }
}

/// A text as it is shown in a message.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(LONGEST).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    format!("`{shown}`")
}
