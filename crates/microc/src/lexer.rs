//! Tokens of microc, one at a time.
//!
//! Columns count characters, a tab being one. What is no token comes out as
//! [`TokenKind::Unknown`], already reported, so that the parser knows that something stood there
//! and stays silent about it.

use crate::errors::{Errors, quote};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Span};

/// How many digits a number literal may have. Reading a number is quadratic in its length, and
/// nobody writes longer ones by hand.
pub(crate) const MAX_DIGITS: usize = 1_000;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Ident,
    Number,
    /// Stands where a number should; reported.
    MalformedNumber,
    /// Stands where anything might; reported.
    Unknown,
    Eof,
    // Keywords.
    Var,
    Return,
    Output,
    While,
    If,
    Else,
    Input,
    Alloc,
    Null,
    // Brackets and separators.
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Comma,
    Semicolon,
    Colon,
    Dot,
    // Operators.
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    /// No operator of microc, but a token, so that `a % b` is one error and not three.
    Percent,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    AndAnd,
    OrOr,
    Ampersand,
    Bang,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    start: u32,
    end: u32,
}

impl Token {
    /// The token as it stands in `text`.
    pub(crate) fn text(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// The token as an error message names it.
    pub(crate) fn describe(self, text: &str) -> String {
        match self.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            _ => quote(self.text(text)),
        }
    }
}

/// Cuts a text into tokens.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    offset: usize,
    position: Position,
}

impl<'a> Lexer<'a> {
    /// A lexer for `text`, which must be shorter than 4 GiB.
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        // A byte order mark is no character of the first line.
        let offset = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { file, text, offset, position: Position::new(1, 1) }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The end of the file as a token, wherever the lexer stands.
    pub(crate) fn end_here(&mut self) -> Token {
        self.take(0)
    }

    /// The next token; at the end of the text [`TokenKind::Eof`], again and again.
    pub(crate) fn next(&mut self, errors: &mut Errors) -> Token {
        loop {
            let white = self.run(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c));
            self.take(white);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.take(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.comment(errors);
            } else {
                return self.token(errors);
            }
        }
    }

    fn comment(&mut self, errors: &mut Errors) {
        let rest = self.rest();
        match rest[2..].find("*/") {
            Some(length) => {
                self.take(length + 4);
            }
            None => {
                let opening = self.take(2).span;
                errors.push(
                    Diagnostic::error(opening, "this comment is never closed")
                        .help("end it with `*/`"),
                );
                self.take(rest.len() - 2);
            }
        }
    }

    fn token(&mut self, errors: &mut Errors) -> Token {
        let Some(first) = self.rest().bytes().next() else {
            return self.take(0);
        };
        if first.is_ascii_digit() {
            return self.number(errors);
        }
        if is_name(first) {
            let mut token = self.take(self.run(is_name));
            token.kind = keyword(token.text(self.text));
            return token;
        }
        match symbol(self.rest()) {
            Some((kind, length)) => Token { kind, ..self.take(length) },
            None => self.unknown(errors),
        }
    }

    fn number(&mut self, errors: &mut Errors) -> Token {
        let digits = self.run(|b| b.is_ascii_digit());
        // No valid program has a name right after a number: `0x10`, `5u`, `1e9` are one mistake.
        let token = self.take(self.run(is_name));
        let text = token.text(self.text);
        let error = if text.len() > digits {
            Diagnostic::error(token.span, format!("{} is not a number", quote(text)))
                .help("numbers are decimal digits; names start with a letter or `_`")
        } else if digits > MAX_DIGITS {
            let message =
                format!("number literal has {digits} digits; at most {MAX_DIGITS} are supported");
            Diagnostic::error(token.span, message)
        } else {
            return Token { kind: TokenKind::Number, ..token };
        };
        errors.push(error);
        Token { kind: TokenKind::MalformedNumber, ..token }
    }

    /// A run of characters of which none can start a token.
    fn unknown(&mut self, errors: &mut Errors) -> Token {
        let rest = self.rest();
        if let Some(length) = string_literal(rest) {
            let token = self.take(length);
            errors.push(
                Diagnostic::error(token.span, "microc has no strings or characters")
                    .help("use numbers: the codes of the characters"),
            );
            return Token { kind: TokenKind::Unknown, ..token };
        }
        // A word of another alphabet is one mistake, its ASCII letters included.
        let word = rest.starts_with(char::is_alphabetic);
        let ends = |i: usize, c: char| match c {
            '\x0b' => true,
            c if !c.is_ascii() => false,
            c if is_name(c as u8) => !word,
            c => c.is_ascii_whitespace() || symbol(&rest[i..]).is_some(),
        };
        let end = rest.char_indices().skip(1).find(|&(i, c)| ends(i, c));
        let run = &rest[..end.map_or(rest.len(), |(i, _)| i)];
        let token = self.take(run.len());
        let characters = if run.chars().nth(1).is_some() { "characters" } else { "character" };
        let what = quote(&run.chars().take(100).map(visible).collect::<String>());
        let mut error = Diagnostic::error(token.span, format!("unknown {characters} {what}"));
        error.help = unknown_help(run).map(str::to_owned);
        errors.push(error);
        Token { kind: TokenKind::Unknown, ..token }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// How many bytes from here satisfy `accept`, which must only accept ASCII.
    fn run(&self, accept: impl Fn(u8) -> bool) -> usize {
        let rest = self.rest();
        rest.bytes().position(|b| !accept(b)).unwrap_or(rest.len())
    }

    /// Moves on by `length` bytes, which become a token; [`TokenKind::Eof`] until told otherwise.
    fn take(&mut self, length: usize) -> Token {
        let from = self.offset;
        let start = self.position;
        for byte in self.text.as_bytes()[from..from + length].iter().copied() {
            if byte == b'\n' {
                self.position = Position::new(self.position.line + 1, 1);
            } else if byte & 0xc0 != 0x80 {
                // The other bytes continue a character that has been counted.
                self.position.column += 1;
            }
        }
        self.offset += length;
        let span = Span::new(self.file, start, self.position);
        Token { kind: TokenKind::Eof, span, start: from as u32, end: self.offset as u32 }
    }
}

fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn keyword(name: &str) -> TokenKind {
    match name {
        "var" => TokenKind::Var,
        "return" => TokenKind::Return,
        "output" => TokenKind::Output,
        "while" => TokenKind::While,
        "if" => TokenKind::If,
        "else" => TokenKind::Else,
        "input" => TokenKind::Input,
        "alloc" => TokenKind::Alloc,
        "null" => TokenKind::Null,
        _ => TokenKind::Ident,
    }
}

/// The symbol at the start of `text`, with its length.
fn symbol(text: &str) -> Option<(TokenKind, usize)> {
    let bytes = text.as_bytes();
    let double = match bytes.get(..2) {
        Some(b"==") => Some(TokenKind::Equal),
        Some(b"!=") => Some(TokenKind::NotEqual),
        Some(b"<=") => Some(TokenKind::LessEqual),
        Some(b">=") => Some(TokenKind::GreaterEqual),
        Some(b"&&") => Some(TokenKind::AndAnd),
        Some(b"||") => Some(TokenKind::OrOr),
        _ => None,
    };
    if let Some(kind) = double {
        return Some((kind, 2));
    }
    let kind = match bytes.first()? {
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b'[' => TokenKind::LeftBracket,
        b']' => TokenKind::RightBracket,
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semicolon,
        b':' => TokenKind::Colon,
        b'.' => TokenKind::Dot,
        b'=' => TokenKind::Assign,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'*' => TokenKind::Star,
        b'/' => TokenKind::Slash,
        b'%' => TokenKind::Percent,
        b'<' => TokenKind::Less,
        b'>' => TokenKind::Greater,
        b'&' => TokenKind::Ampersand,
        b'!' => TokenKind::Bang,
        _ => return None,
    };
    Some((kind, 1))
}

/// The length of the C string or character literal at the start of `text`, if it ends on its line.
fn string_literal(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let line = text.find('\n').map_or(text, |end| &text[..end]);
    let length = line[1..].find(quote)?;
    Some(length + 2)
}

/// The character, or an escape if a reader would not see it.
fn visible(c: char) -> String {
    if c.is_ascii_graphic() { c.to_string() } else { c.escape_debug().to_string() }
}

fn unknown_help(run: &str) -> Option<&'static str> {
    match run.chars().next()? {
        '|' => Some("the logical or is `||`"),
        '?' => Some("microc has no conditional expression: use `if`"),
        '#' => Some("microc has no preprocessor"),
        c if c.is_alphabetic() => Some("names consist of ASCII letters, digits and `_`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
