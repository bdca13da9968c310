//! From text to tokens.

use super::SyntaxError;
use super::words::{continues_identifier, starts_identifier};
use crate::source::{FileId, Position, Span};
use crate::types::IntType;
use std::borrow::Cow;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A keyword or a name: letters, digits, `_`, and `-` before a letter.
    Word(&'t str),
    /// A name in quotes.
    Text(Cow<'t, str>),
    /// A decimal integer, with the type that follows it.
    Number(&'t str, Option<IntType>),
    /// `name%3` or `%3`
    Local(Option<Cow<'t, str>>, u32),
    /// `@name`
    Function(Cow<'t, str>),
    /// `@1:2-3:4`
    Span(Span),
    /// `#3`
    Hash(u32),
    /// `->`
    Arrow,
    /// Any other character with a meaning.
    Sign(char),
    /// The end of a line that has tokens.
    EndOfLine,
    /// The end of the text.
    End,
}

/// A token with its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Lexeme<'t> {
    pub(super) token: Token<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Longer words are shown cut off in messages.
const SHOWN: usize = 40;

/// The error that `expected` was expected where `text[start..end]` was found.
pub(super) fn error_at(
    text: &str,
    (start, end): (usize, usize),
    expected: impl Into<String>,
) -> SyntaxError {
    let found = match text.get(start..end) {
        None | Some("") => "the end of the text".to_owned(),
        Some("\n") => "the end of the line".to_owned(),
        Some(found) if found.chars().nth(SHOWN).is_none() => format!("`{found}`"),
        Some(long) => format!("`{}…`", long.chars().take(SHOWN).collect::<String>()),
    };
    let before = text.get(..start).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    SyntaxError { line: clamp(line), column: clamp(column), found, expected: expected.into() }
}

/// The tokens of `text`; the last one is [`Token::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Lexeme<'_>>, SyntaxError> {
    let mut lexer = Lexer { text, offset: 0 };
    let mut lexemes: Vec<Lexeme> = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.offset;
        let token = lexer.token()?;
        let blank = lexemes.last().is_none_or(|last| last.token == Token::EndOfLine);
        if token == Token::EndOfLine && blank {
            continue;
        }
        let end = token == Token::End;
        lexemes.push(Lexeme { token, start, end: lexer.offset });
        if end {
            return Ok(lexemes);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.offset += c.len_utf8();
        }
        found
    }

    /// Takes characters as long as they are good.
    fn take(&mut self, good: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !good(c)).unwrap_or(rest.len());
        self.offset += length;
        &rest[..length]
    }

    /// The error that `expected` was expected where the text from `start` was found.
    fn error<T>(&self, start: usize, expected: &str) -> Result<T, SyntaxError> {
        Err(error_at(self.text, (start, self.offset), expected))
    }

    fn skip_blanks(&mut self) {
        self.take(|c| matches!(c, ' ' | '\t' | '\r'));
        if self.rest().starts_with("//") {
            self.take(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token<'t>, SyntaxError> {
        let start = self.offset;
        let Some(c) = self.peek() else {
            return Ok(Token::End);
        };
        match c {
            '0'..='9' => self.number(start),
            '"' => {
                let name = self.quoted()?;
                if self.at_local() { self.local(Some(name)) } else { Ok(Token::Text(name)) }
            }
            '@' => self.at_sign(),
            '%' => self.local(None),
            '#' => {
                self.offset += 1;
                self.decimal().map(Token::Hash)
            }
            c if starts_identifier(c) => self.word(),
            _ => {
                self.offset += c.len_utf8();
                match c {
                    '\n' => Ok(Token::EndOfLine),
                    '-' if self.eat('>') => Ok(Token::Arrow),
                    '-' if self.peek().is_some_and(|c| c.is_ascii_digit()) => self.number(start),
                    ':' | ',' | '.' | '*' | '=' | ';' | '[' | ']' | '{' | '}' | '(' | ')' => {
                        Ok(Token::Sign(c))
                    }
                    _ => self.error(start, "a word, number, name or sign"),
                }
            }
        }
    }

    fn word(&mut self) -> Result<Token<'t>, SyntaxError> {
        let start = self.offset;
        self.take(continues_identifier);
        if self.at_local() {
            return self.local(Some(Cow::Borrowed(&self.text[start..self.offset])));
        }
        while let Some(more) = self.rest().strip_prefix('-')
            && more.starts_with(starts_identifier)
        {
            self.offset += 1;
            self.take(continues_identifier);
        }
        Ok(Token::Word(&self.text[start..self.offset]))
    }

    /// Whether what was just read is the name of a local, as a number follows.
    fn at_local(&self) -> bool {
        self.rest().starts_with('%')
    }

    fn local(&mut self, name: Option<Cow<'t, str>>) -> Result<Token<'t>, SyntaxError> {
        self.offset += 1;
        Ok(Token::Local(name, self.decimal()?))
    }

    /// A number of 32 bits.
    fn decimal(&mut self) -> Result<u32, SyntaxError> {
        let start = self.offset;
        match self.take(|c| c.is_ascii_digit()).parse() {
            Ok(number) => Ok(number),
            Err(_) if start == self.offset => {
                self.take(|c| !c.is_whitespace());
                self.error(start, "a number")
            }
            Err(_) => self.error(start, "a number of at most 32 bits"),
        }
    }

    /// The rest of a number that starts at `start`, after its sign.
    fn number(&mut self, start: usize) -> Result<Token<'t>, SyntaxError> {
        self.take(|c| c.is_ascii_digit());
        let digits = &self.text[start..self.offset];
        let suffix = self.take(continues_identifier);
        if suffix.is_empty() {
            return Ok(Token::Number(digits, None));
        }
        match machine_int(suffix) {
            Some(int) => Ok(Token::Number(digits, Some(int))),
            None => self.error(start, "an integer, possibly followed by its type"),
        }
    }

    fn at_sign(&mut self) -> Result<Token<'t>, SyntaxError> {
        let start = self.offset;
        self.offset += 1;
        if let Some((span, length)) = leading_span(self.rest()) {
            self.offset += length;
            return Ok(Token::Span(span));
        }
        match self.peek() {
            Some('"') => self.quoted().map(Token::Function),
            Some(c) if starts_identifier(c) => {
                Ok(Token::Function(Cow::Borrowed(self.take(continues_identifier))))
            }
            _ => {
                self.take(|c| !c.is_whitespace());
                self.error(start, "a function or a span")
            }
        }
    }

    /// A name in quotes, which stand at the offset.
    fn quoted(&mut self) -> Result<Cow<'t, str>, SyntaxError> {
        let start = self.offset;
        self.offset += 1;
        let mut name = Cow::Borrowed("");
        loop {
            let plain = self.take(|c| !matches!(c, '"' | '\\' | '\n'));
            if name.is_empty() {
                name = Cow::Borrowed(plain);
            } else {
                name.to_mut().push_str(plain);
            }
            if self.eat('"') {
                return Ok(name);
            }
            if !self.eat('\\') {
                return self.error(start, "a name that ends with `\"` on the same line");
            }
            name.to_mut().push(self.escaped()?);
        }
    }

    /// What follows a backslash.
    fn escaped(&mut self) -> Result<char, SyntaxError> {
        let start = self.offset - 1;
        let kind = self.peek();
        self.offset += kind.map_or(0, char::len_utf8);
        let found = match kind {
            Some(c @ ('"' | '\\')) => Some(c),
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('u') if self.eat('{') => {
                let digits = self.take(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok();
                code.and_then(char::from_u32).filter(|_| self.eat('}'))
            }
            _ => None,
        };
        match found {
            Some(c) => Ok(c),
            None => self.error(start, "an escape sequence"),
        }
    }
}

/// The machine integers that `word` names: `i32`, `u8`.
pub(super) fn machine_int(word: &str) -> Option<IntType> {
    let (digits, make): (_, fn(u32) -> IntType) = match word.strip_prefix('i') {
        Some(digits) => (digits, IntType::signed),
        None => (word.strip_prefix('u')?, IntType::unsigned),
    };
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok().map(make))?
}

/// The span that `text` starts with, and its length: `1:2-3:4`, `f1:1:2-3:4`.
fn leading_span(text: &str) -> Option<(Span, usize)> {
    let mut lexer = Lexer { text, offset: 0 };
    let number = |lexer: &mut Lexer, end: Option<char>| {
        let number = lexer.take(|c| c.is_ascii_digit()).parse().ok()?;
        end.is_none_or(|end| lexer.eat(end)).then_some(number)
    };
    let file = if lexer.eat('f') { number(&mut lexer, Some(':'))? } else { 0 };
    let start = Position::new(number(&mut lexer, Some(':'))?, number(&mut lexer, Some('-'))?);
    let end = Position::new(number(&mut lexer, Some(':'))?, number(&mut lexer, None)?);
    Some((Span::new(FileId(file), start, end), lexer.offset))
}
