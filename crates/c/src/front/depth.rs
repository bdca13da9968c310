//! How deeply a program nests, before anything recurses over it.
//!
//! A sum of a hundred thousand terms is a tree of that height, and C has no limit. The tokens give an
//! upper bound that costs one pass: no tree of an expression or statement is higher than the number of
//! its operators, brackets and keywords, and a chain of `else` has one level for each. From that
//! follows the size of the stack; what would need too much of it is refused.

use loupe_ir::diagnostic::Diagnostic;
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};

use super::places::Places;

/// How many operators, brackets and keywords a statement may have.
pub(super) const LIMIT: usize = 200_000;

/// Bytes of stack for one level: four times what was measured for the worst of sums, chains of `&&`,
/// `->`, `?:`, `=`, unary operators, casts, `else`, labels and statements in expressions (2.1 kB).
const BYTES_PER_LEVEL: usize = 8 << 10;

/// Bytes of stack for a program of no depth.
const BASE: usize = 64 << 20;

/// An upper bound of the depth of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nesting(usize);

/// A statement that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDeep(Span);

impl TooDeep {
    pub(super) fn message(self, places: &mut Places<'_>) -> Diagnostic {
        let message = format!("a statement has more than {LIMIT} operators and brackets");
        let error = match places.span(self.0) {
            Some(span) => Diagnostic::error(span, message).label("here the limit is reached"),
            None => Diagnostic::whole_file(message),
        };
        error.help("split it into several statements")
    }
}

/// What is counted between two braces.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Operators, brackets and keywords of the statement so far.
    operators: usize,
    /// The statement's `else`s so far.
    branches: usize,
    /// Open parentheses and brackets.
    open: usize,
    /// Whether the braces hold an initialiser, whose commas separate.
    is_initializer: bool,
}

impl Level {
    fn depth(&self) -> usize {
        self.operators + self.branches
    }

    fn end_statement(&mut self, next: TokenKind) {
        self.operators = 0;
        if next != TokenKind::Keyword(Keyword::Else) {
            self.branches = 0;
        }
    }
}

impl Nesting {
    /// The depth of these tokens, or where it exceeds what is accepted.
    pub(super) fn of(tokens: &Tokens) -> Result<Nesting, TooDeep> {
        let mut deepest = 0;
        let mut outer: Vec<Level> = Vec::new();
        let mut level = Level::default();
        // The levels around the innermost braces.
        let mut around = 0;
        let mut before = TokenKind::Eof;
        let kinds = tokens.tokens.iter().map(|token| token.kind).skip(1);
        for (token, next) in tokens.tokens.iter().zip(kinds.chain([TokenKind::Eof])) {
            match token.kind {
                TokenKind::Punct(Punct::LBrace) => around += level.depth(),
                TokenKind::Punct(Punct::RBrace) => {
                    around -= outer.last().map_or(0, |outer: &Level| outer.depth());
                }
                _ => {}
            }
            step(token, before, next, &mut level, &mut outer);
            let depth = around + level.depth();
            if depth > LIMIT {
                return Err(TooDeep(token.span));
            }
            deepest = deepest.max(depth);
            before = token.kind;
        }
        Ok(Nesting(deepest))
    }

    /// How large a stack the program needs.
    pub(super) fn stack(self) -> usize {
        BASE + self.0 * BYTES_PER_LEVEL
    }
}

fn step(
    token: &Token,
    before: TokenKind,
    next: TokenKind,
    level: &mut Level,
    outer: &mut Vec<Level>,
) {
    match token.kind {
        TokenKind::Punct(Punct::LBrace) => {
            let starts_value = matches!(before, TokenKind::Punct(Punct::Eq | Punct::Comma));
            let is_initializer = starts_value || level.is_initializer;
            outer.push(*level);
            *level = Level { is_initializer, ..Level::default() };
        }
        TokenKind::Punct(Punct::RBrace) => {
            *level = outer.pop().unwrap_or_default();
            // An operator behind a brace goes on with the statement: `(struct s){1}.a + …`.
            let goes_on = level.open > 0 || level.is_initializer || continues(next);
            if !goes_on {
                level.end_statement(next);
            }
        }
        TokenKind::Punct(Punct::Semi) => level.end_statement(next),
        TokenKind::Punct(Punct::Comma) if level.is_initializer && level.open == 0 => {
            level.operators = 0;
        }
        TokenKind::Punct(punct) => {
            match punct {
                Punct::LParen | Punct::LBracket => level.open += 1,
                Punct::RParen | Punct::RBracket => level.open = level.open.saturating_sub(1),
                _ => {}
            }
            level.operators += 1;
        }
        TokenKind::Keyword(word) => {
            level.operators += 1;
            if word == Keyword::Else {
                level.branches += 1;
            }
        }
        _ => {}
    }
}

/// Whether a token behind a closing brace may belong to the same expression.
fn continues(next: TokenKind) -> bool {
    matches!(next, TokenKind::Punct(punct) if !matches!(punct, Punct::LBrace | Punct::RBrace | Punct::Semi))
}
