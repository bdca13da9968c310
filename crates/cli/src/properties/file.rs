//! Property files of SV-COMP: `CHECK( init(main()), LTL(G ! call(reach_error())) )`, as often as there are things to hold.
//!
//! Of linear temporal logic there is what the rules of the competition name, and nothing else.

use super::Mark;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_symbolic::property::Property;

/// What is accepted, for people.
const ACCEPTED: &str = "formulas are `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-free`, `G valid-deref`, `G valid-memtrack`, \
                        `G valid-memcleanup`, `G def-behavior` and `F end`, each in `CHECK( init(main()), LTL(…) )`";

/// The functions whose call is an error by itself.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// What must hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Formula {
    Property(Property),
    Never(Mark),
}

/// A line of a property file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The function where execution starts.
    pub(super) entry: String,
    pub(super) formula: Formula,
}

/// A word or a sign, and where it stands.
#[derive(Clone, Debug)]
struct Token<'t> {
    text: &'t str,
    start: Position,
    end: Position,
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    /// Where the text ends.
    end: Position,
}

type Parsed<T> = Result<T, Diagnostic>;

/// The lines of a property file; all start in the same function.
pub(super) fn parse(name: &str, text: &str) -> Result<Vec<Line>, Box<(Sources, Diagnostic)>> {
    let mut sources = Sources::new();
    let id = sources.add(name.to_owned(), text.to_owned());
    debug_assert_eq!(id, FileId(0));
    lines(text).map_err(|error| Box::new((sources, error)))
}

fn lines(text: &str) -> Parsed<Vec<Line>> {
    let (tokens, end) = tokens(text);
    let mut parser = Parser { tokens, next: 0, end };
    let mut lines: Vec<Line> = Vec::new();
    while lines.is_empty() || parser.next < parser.tokens.len() {
        parser.word("CHECK")?;
        parser.words(&["(", "init", "("])?;
        let at = parser.next;
        let entry = parser.call("the function where execution starts")?;
        if lines.first().is_some_and(|first| first.entry != entry) {
            return Err(parser.wrong(at, "all lines of a property file start in the same function"));
        }
        parser.words(&[")", ",", "LTL", "("])?;
        let formula = parser.formula()?;
        parser.words(&[")", ")"])?;
        lines.push(Line { entry, formula });
    }
    Ok(lines)
}

/// The words and signs of a text, and where it ends.
fn tokens(text: &str) -> (Vec<Token<'_>>, Position) {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let mut found: Vec<Token<'_>> = Vec::new();
    let (mut line, mut column) = (1, 1);
    // A word that has begun: where in the text, and its place.
    let mut word: Option<(usize, Position)> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let here = Position::new(line, column);
        if let Some((from, start)) = word
            && !is_part(c)
        {
            found.push(Token { text: &text[from..at], start, end: here });
            word = None;
        }
        if is_part(c) {
            word.get_or_insert((at, here));
        } else if !c.is_whitespace() {
            let text = &text[at..at + c.len_utf8()];
            found.push(Token { text, start: here, end: Position::new(line, column + 1) });
        }
        match c {
            '\n' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
    }
    let end = found.last().map_or(Position::new(1, 1), |last| last.end);
    (found, end)
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.next).map(|token| token.text)
    }

    /// An error at a word.
    fn wrong(&self, at: usize, message: impl Into<String>) -> Diagnostic {
        let (start, end) = match self.tokens.get(at) {
            Some(token) => (token.start, token.end),
            None => (self.end, Position::new(self.end.line, self.end.column + 1)),
        };
        Diagnostic::error(Span::new(FileId(0), start, end), message).help(ACCEPTED)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found =
            self.peek().map_or("the end of the file".to_owned(), |text| format!("`{text}`"));
        self.wrong(self.next, format!("expected {what}, found {found}"))
    }

    fn word(&mut self, wanted: &str) -> Parsed<()> {
        if self.peek() != Some(wanted) {
            return Err(self.expected(&format!("`{wanted}`")));
        }
        self.next += 1;
        Ok(())
    }

    fn words(&mut self, wanted: &[&str]) -> Parsed<()> {
        wanted.iter().try_for_each(|word| self.word(word))
    }

    /// The name of something in a program.
    fn name(&mut self, what: &str) -> Parsed<String> {
        let is_name = |text: &str| {
            text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
                && !text.contains('-')
        };
        let name = self.peek().filter(|text| is_name(text));
        let name = name.ok_or_else(|| self.expected(what))?;
        self.next += 1;
        Ok(name.to_owned())
    }

    /// `f()`
    fn call(&mut self, what: &str) -> Parsed<String> {
        let name = self.name(what)?;
        self.words(&["(", ")"])?;
        Ok(name)
    }

    fn formula(&mut self) -> Parsed<Formula> {
        match self.peek() {
            Some("F") => {
                self.next += 1;
                self.word("end")?;
                Ok(Formula::Property(Property::Termination))
            }
            Some("G") => {
                self.next += 1;
                self.always()
            }
            _ => Err(self.expected("`G` or `F end`")),
        }
    }

    /// What stands behind `G`.
    fn always(&mut self) -> Parsed<Formula> {
        let held = [
            Property::ValidFree,
            Property::ValidDeref,
            Property::ValidMemtrack,
            Property::ValidMemcleanup,
            Property::DefBehavior,
        ];
        let known = self.peek().and_then(|text| held.iter().find(|held| held.name() == text));
        if let Some(property) = known {
            self.next += 1;
            return Ok(Formula::Property(*property));
        }
        if self.peek() != Some("!") {
            return Err(self.expected("`!` or the name of a property"));
        }
        self.next += 1;
        match self.peek() {
            Some("overflow") => {
                self.next += 1;
                Ok(Formula::Property(Property::NoOverflow))
            }
            Some("call") => {
                self.next += 1;
                self.word("(")?;
                let name = self.call("the name of a function")?;
                self.word(")")?;
                Ok(match ERROR_FUNCTIONS.contains(&name.as_str()) {
                    true => Formula::Property(Property::UnreachCall),
                    false => Formula::Never(Mark::Call(name)),
                })
            }
            Some("label") => {
                self.next += 1;
                self.word("(")?;
                let name = self.name("the name of a label")?;
                self.word(")")?;
                Ok(Formula::Never(Mark::Label(name)))
            }
            _ => Err(self.expected("`call(f())`, `label(L)` or `overflow`")),
        }
    }
}

#[cfg(test)]
mod tests;
