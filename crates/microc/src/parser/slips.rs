//! What people write who think in C, and what to tell them.

use super::Parser;
use crate::ast::{BinaryOp, ExprId, ExprKind};
use crate::errors::quote;
use crate::lexer::{Token, TokenKind};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Span;

/// How much of the source advice repeats.
const LONGEST: usize = 40;

/// Advice about a token that stands where it cannot.
pub(super) fn help(kind: TokenKind) -> Option<&'static str> {
    match kind {
        TokenKind::Ampersand => Some("`&` stands before a variable; the logical and is `&&`"),
        TokenKind::Assign => Some("`=` only stands in assignments; compare with `==`"),
        _ => None,
    }
}

/// Whether a statement cannot go on with such a token.
pub(super) fn ends_statement(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::RightBrace
            | TokenKind::Output
            | TokenKind::While
            | TokenKind::If
            | TokenKind::Else
            | TokenKind::Return
            | TokenKind::Var
            | TokenKind::Eof
    )
}

impl Parser<'_> {
    pub(super) fn at_for(&mut self) -> bool {
        self.token().text(self.lexer.text()) == "for" && self.peek(1).kind == TokenKind::LeftParen
    }

    /// `int main()`
    pub(super) fn typed_function(&mut self) -> Diagnostic {
        let found = self.token().describe(self.lexer.text());
        Diagnostic::error(self.token().span, format!("expected a function, found {found}"))
            .help("microc has no types: a function starts with its name")
    }

    /// Why no statement starts here, as far as a look at it tells.
    pub(super) fn no_statement(&mut self) -> Option<Diagnostic> {
        let text = self.lexer.text();
        match (self.kind(), self.peek(1).kind) {
            (TokenKind::Ident, TokenKind::Ident) => {
                let (word, name) = (self.token().describe(text), self.peek(1).text(text));
                let help = format!(
                    "microc has no types: declare {} at the start of the function",
                    quote(&format!("var {name};"))
                );
                Some(
                    Diagnostic::error(self.token().span, format!("{word} starts no statement"))
                        .help(help),
                )
            }
            (TokenKind::Ident, TokenKind::Semicolon)
                if matches!(self.token().text(text), "break" | "continue") =>
            {
                let word = self.token().describe(text);
                Some(
                    Diagnostic::error(self.token().span, format!("microc has no {word}"))
                        .help("keep in a variable whether to go on, and test it in the guard"),
                )
            }
            (TokenKind::Semicolon, _) => {
                Some(self.unexpected("a statement").help("a statement that does nothing is `{}`"))
            }
            (TokenKind::Else, _) => Some(
                self.unexpected("a statement").help("`else` follows the statement of its `if`"),
            ),
            (TokenKind::Plus, TokenKind::Plus) | (TokenKind::Minus, TokenKind::Minus) => {
                Some(self.prefix_increment())
            }
            (kind, _) if starts_expression(kind) => None,
            _ => Some(self.unexpected("a statement")),
        }
    }

    /// Why the expression that has just been read is no statement.
    pub(super) fn no_assignment(&mut self, expr: ExprId) -> Diagnostic {
        if self.kind() != TokenKind::Semicolon {
            return self.unexpected("`=`");
        }
        let expr = self.exprs.get(expr);
        let span = expr.span;
        match expr.kind {
            ExprKind::Call { .. } => {
                let call = self.source_of(span);
                Diagnostic::error(span, "a call is not a statement")
                    .help(format!("a call's result must be assigned: `t = {call};`"))
            }
            ExprKind::Binary { op: BinaryOp::Eq, .. } => {
                Diagnostic::error(span, "a comparison is not a statement").help("assign with `=`")
            }
            _ => Diagnostic::error(span, "an expression is not a statement")
                .help("assign its value: `t = …;`, or write it: `output …;`"),
        }
    }

    /// `x++`, `i += 1` and their like, where an operator comes next.
    pub(super) fn compound_operator(&mut self, left: ExprId) -> Option<Diagnostic> {
        let (first, second) = (self.token(), self.peek(1));
        if first.span.end != second.span.start {
            return None;
        }
        let text = self.lexer.text();
        let symbol = first.text(text);
        let name = match &self.exprs.get(left).kind {
            ExprKind::Name(name) if name.len() <= LONGEST => name.as_str(),
            _ => "x",
        };
        let (operator, help) = match second.kind {
            TokenKind::Assign => {
                (format!("{symbol}="), format!("write `{name} = {name} {symbol} …;`"))
            }
            kind if kind == first.kind && matches!(symbol, "+" | "-") => {
                let help = format!("write `{name} = {name} {symbol} 1;`");
                let third = self.peek(2).kind;
                if !matches!(third, TokenKind::Semicolon | TokenKind::RightParen) {
                    return None;
                }
                (format!("{symbol}{symbol}"), help)
            }
            _ => return None,
        };
        let span = first.span.to(second.span);
        Some(Diagnostic::error(span, format!("microc has no `{operator}`")).help(help))
    }

    /// `++x` or `--x`, where that comes next.
    fn prefix_increment(&mut self) -> Diagnostic {
        let text = self.lexer.text();
        let (first, second, operand) = (self.token(), self.peek(1), self.peek(2));
        let symbol = first.text(text);
        let name = name_of(operand, text);
        Diagnostic::error(first.span.to(second.span), format!("microc has no `{symbol}{symbol}`"))
            .help(format!("write `{name} = {name} {symbol} 1;`"))
    }

    /// `a % b`, where `%` comes next. It is read like `*`.
    pub(super) fn remainder(&mut self) -> Diagnostic {
        Diagnostic::error(self.token().span, "microc has no `%`")
            .help("the remainder of `a` by `b` is `a - a / b * b`")
    }

    /// `-x`, where `-` comes next. It is read like `!x`.
    pub(super) fn negation(&mut self) -> Diagnostic {
        let name = name_of(self.peek(1), self.lexer.text());
        Diagnostic::error(self.token().span, "`-` is only a sign of number literals")
            .help(format!("write `0 - {name}`"))
    }

    /// Why no expression starts with the next token.
    pub(super) fn no_expression(&mut self) -> Diagnostic {
        let error = self.unexpected("an expression");
        if self.kind() == TokenKind::AndAnd && self.peek(1).kind == TokenKind::Ident {
            return error
                .help("microc has no address of an address: use a variable for the inner one");
        }
        error
    }

    /// A piece of the source, shortened if it is long or has several lines.
    fn source_of(&self, Span { start, end, .. }: Span) -> String {
        let line = self.lexer.text().lines().nth(start.line as usize - 1).unwrap_or_default();
        let from = start.column as usize - 1;
        let length = (end.column as usize).saturating_sub(start.column as usize);
        if start.line != end.line || length > LONGEST {
            return "…".to_owned();
        }
        line.trim_start_matches('\u{feff}').chars().skip(from).take(length).collect()
    }
}

/// The name in an example of what to write instead.
fn name_of(token: Token, text: &str) -> &str {
    match token.text(text) {
        name if token.kind == TokenKind::Ident && name.len() <= LONGEST => name,
        _ => "x",
    }
}

fn starts_expression(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Ident
            | TokenKind::Number
            | TokenKind::MalformedNumber
            | TokenKind::Input
            | TokenKind::Alloc
            | TokenKind::Null
            | TokenKind::LeftParen
            | TokenKind::LeftBracket
            | TokenKind::LeftBrace
            | TokenKind::Star
            | TokenKind::Minus
            | TokenKind::Ampersand
            | TokenKind::Bang
    )
}
