//! From text to the syntax tree.
//!
//! Statements are parsed by recursive descent, expressions with an explicit stack of operators
//! (`expr`), so that the machine's stack only sees nested statements, which [`MAX_NESTING`]
//! bounds. An error inside a statement ends that statement and no other: the parser reports it,
//! skips to the next place where it knows where it is, and goes on. It never reports two errors at
//! one token.
//!
//! Functions that nested statements do not run through are `#[inline(never)]`: inlined, their
//! locals would be part of every level's stack frame.

mod expr;
mod slips;
mod stmt;

use crate::ast::{ExprId, ExprKind, Exprs, Function, Ident, MAX_NESTING, Program, VarStmt};
use crate::errors::{Errors, quote};
use crate::lexer::{Lexer, Token, TokenKind};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Span};
use std::collections::VecDeque;

/// Parses a program.
///
/// An empty text is a program without functions; that it has no `main` is for
/// [`resolve`](crate::resolve::resolve) to say.
///
/// # Errors
///
/// The errors of the text in its order, at most twenty and a remark if there are more.
pub fn parse(file: FileId, text: &str) -> Result<Program, Vec<Diagnostic>> {
    // Offsets, lines and columns are 32 bits wide.
    if u32::try_from(text.len()).is_err() {
        return Err(vec![Diagnostic::whole_file("the file is larger than 4 GiB")]);
    }
    Parser::new(file, text).program()
}

/// An error that has been reported; whoever gets it recovers.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// The brackets that were open where an expression failed.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    parens: usize,
    records: usize,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Tokens that have been looked at but not consumed.
    ahead: VecDeque<Token>,
    /// The last consumed token.
    previous: Span,
    errors: Errors,
    /// Where the parser stood at its last error.
    last_error: Option<Position>,
    exprs: Exprs,
    /// How many nested constructs are open, see [`MAX_NESTING`].
    depth: usize,
    open: Open,
    /// Where the current function starts.
    function: Position,
    /// Whether the current function has a `return` in a wrong place.
    misplaced_return: bool,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str) -> Self {
        let start = Position::new(1, 1);
        Parser {
            lexer: Lexer::new(file, text),
            ahead: VecDeque::new(),
            previous: Span::new(file, start, start),
            errors: Errors::default(),
            last_error: None,
            exprs: Exprs::default(),
            depth: 0,
            open: Open::default(),
            function: start,
            misplaced_return: false,
        }
    }

    fn program(mut self) -> Result<Program, Vec<Diagnostic>> {
        let mut functions = Vec::new();
        while self.kind() != TokenKind::Eof {
            let start = self.token().span;
            match self.function() {
                Ok(function) => functions.push(function),
                Err(Failed) => {
                    if self.token().span == start {
                        self.bump();
                    }
                    self.skip_to_function();
                }
            }
        }
        self.errors.finish(Program { functions, exprs: self.exprs })
    }

    fn function(&mut self) -> Parsed<Function> {
        self.function = self.token().span.start;
        self.misplaced_return = false;
        if self.kind() == TokenKind::Ident && self.peek(1).kind == TokenKind::Ident {
            let error = self.typed_function();
            self.error(error);
            self.bump();
        }
        if self.kind() == TokenKind::Var {
            let error = Diagnostic::error(self.token().span, "expected a function, found `var`")
                .help("variables are declared at the start of a function");
            return Err(self.error(error));
        }
        let name = self.ident("a function")?;
        self.expect(TokenKind::LeftParen, "`(`")?;
        let params = self.params()?;
        let open = self.expect(TokenKind::LeftBrace, "`{`")?.span;
        let mut vars = Vec::new();
        let mut body = Vec::new();
        let mut result = None;
        loop {
            let start = self.token().span;
            match self.kind() {
                TokenKind::RightBrace | TokenKind::Eof => break,
                _ if self.starts_function() => break,
                TokenKind::Var => {
                    let stmt = self.var_stmt();
                    if !body.is_empty() {
                        self.late_declaration(start);
                    }
                    vars.extend(stmt);
                }
                TokenKind::Return => {
                    let (value, span) = self.return_stmt();
                    if self.ends_function() {
                        result = Some((value, span));
                    } else {
                        self.misplaced_return(start);
                    }
                }
                _ => {
                    let stmt = self.statement();
                    body.push(stmt);
                    self.ensure_progress(start);
                }
            }
        }
        let close = self.close_block(open);
        if result.is_none() && !self.misplaced_return && close.is_ok() {
            self.missing_return(&name);
        }
        let (result, return_span) = result.unwrap_or_else(|| (self.placeholder(), self.previous));
        let span = name.span.to(self.previous);
        Ok(Function { name, params, vars, body, result, return_span, span })
    }

    /// The parameters and the `)` after them. If they are wrong but the body is there, it is worth
    /// reading.
    fn params(&mut self) -> Parsed<Vec<Ident>> {
        let mut params = Vec::new();
        if self.eat(TokenKind::RightParen) {
            return Ok(params);
        }
        while let Ok(param) = self.ident("a parameter name") {
            params.push(param);
            if self.eat(TokenKind::Comma) {
                continue;
            }
            if self.eat(TokenKind::RightParen) {
                return Ok(params);
            }
            let mut error = self.unexpected("`,` or `)`");
            if self.kind() == TokenKind::Ident {
                error = error.help("microc has no types: write the names of the parameters only");
            }
            self.error(error);
            break;
        }
        while !matches!(
            self.kind(),
            TokenKind::RightParen
                | TokenKind::LeftBrace
                | TokenKind::RightBrace
                | TokenKind::Semicolon
                | TokenKind::Eof
        ) {
            self.bump();
        }
        self.eat(TokenKind::RightParen);
        if self.kind() == TokenKind::LeftBrace { Ok(params) } else { Err(Failed) }
    }

    /// `var a, b;`
    #[inline(never)]
    fn var_stmt(&mut self) -> Option<VarStmt> {
        let start = self.bump().span;
        match self.var_names() {
            Ok(names) => Some(VarStmt { names, span: start.to(self.previous) }),
            Err(Failed) => {
                self.synchronize();
                None
            }
        }
    }

    fn var_names(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = Vec::new();
        loop {
            names.push(self.ident("a variable name")?);
            if self.kind() == TokenKind::Assign {
                let error = self
                    .unexpected("`,` or `;`")
                    .help("declarations take no value: assign it in a statement of its own");
                self.error(error);
                self.bump();
                self.expression()?;
            }
            if !self.eat(TokenKind::Comma) {
                self.semicolon()?;
                return Ok(names);
            }
        }
    }

    /// `return value;`. Its value is a placeholder if that is wrong.
    #[inline(never)]
    fn return_stmt(&mut self) -> (ExprId, Span) {
        let start = self.bump().span;
        let value = self.return_value();
        let value = value.unwrap_or_else(|Failed| {
            self.synchronize();
            self.placeholder()
        });
        (value, start.to(self.previous))
    }

    fn return_value(&mut self) -> Parsed<ExprId> {
        if self.kind() == TokenKind::Semicolon {
            let error = self
                .unexpected("an expression")
                .help("every function returns a value, for example `return 0;`");
            return Err(self.error(error));
        }
        let value = self.expression()?;
        self.semicolon()?;
        Ok(value)
    }

    /// The `}` that belongs to `open`.
    #[inline(never)]
    fn close_block(&mut self, open: Span) -> Parsed<()> {
        if self.eat(TokenKind::RightBrace) {
            return Ok(());
        }
        let error = self.unexpected("`}`").related(open, "to close this `{`");
        Err(self.error(error))
    }

    fn ends_function(&mut self) -> bool {
        matches!(self.kind(), TokenKind::RightBrace | TokenKind::Eof) || self.starts_function()
    }

    /// Whether the header of another function comes next, not further right than this one's: then
    /// a `}` is missing.
    #[inline(never)]
    fn starts_function(&mut self) -> bool {
        let name = self.token();
        if name.kind != TokenKind::Ident
            || name.span.start.column > self.function.column
            || name.span.start == self.function
            || self.peek(1).kind != TokenKind::LeftParen
            || matches!(name.text(self.lexer.text()), "for" | "elif" | "switch")
        {
            return false;
        }
        let list = |kind| matches!(kind, TokenKind::Ident | TokenKind::Comma);
        let mut next = 2;
        while list(self.peek(next).kind) {
            next += 1;
        }
        self.peek(next).kind == TokenKind::RightParen
            && self.peek(next + 1).kind == TokenKind::LeftBrace
    }

    /// Skips what is no function, bodies without a header included.
    fn skip_to_function(&mut self) {
        let mut braces = 0usize;
        loop {
            match self.kind() {
                TokenKind::Eof => return,
                TokenKind::LeftBrace => braces += 1,
                TokenKind::RightBrace => braces = braces.saturating_sub(1),
                TokenKind::Ident
                    if self.peek(1).kind == TokenKind::LeftParen
                        && (braces == 0 || self.starts_function()) =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    // The helpers of all parts of the parser.

    /// The token `n` places ahead. Once there is nothing more to report, the text is over.
    #[inline(never)]
    fn peek(&mut self, n: usize) -> Token {
        while self.ahead.len() <= n && !self.errors.stopped() {
            let token = self.lexer.next(&mut self.errors);
            self.ahead.push_back(token);
        }
        if self.errors.stopped() {
            return self.lexer.end_here();
        }
        self.ahead[n]
    }

    fn token(&mut self) -> Token {
        self.peek(0)
    }

    fn kind(&mut self) -> TokenKind {
        self.peek(0).kind
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        self.ahead.pop_front();
        self.previous = token.span;
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.kind() == kind {
            return Ok(self.bump());
        }
        let error = self.unexpected(what);
        Err(self.error(error))
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let token = self.expect(TokenKind::Ident, what)?;
        Ok(Ident { name: token.text(self.lexer.text()).to_owned(), span: token.span })
    }

    /// The error that the next token is not what was expected.
    fn unexpected(&mut self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = token.describe(self.lexer.text());
        let error = Diagnostic::error(token.span, format!("expected {what}, found {found}"));
        match slips::help(token.kind) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    /// Reports an error that concerns the next token, unless something has been said there.
    fn error(&mut self, error: Diagnostic) -> Failed {
        let token = self.token();
        let reported = matches!(token.kind, TokenKind::Unknown | TokenKind::MalformedNumber);
        if !reported && self.last_error != Some(token.span.start) {
            self.errors.push(error);
        }
        self.last_error = Some(token.span.start);
        Failed
    }

    /// Opens a nested construct that starts with the next token.
    fn enter(&mut self) -> Parsed<()> {
        if self.depth == MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) -> Failed {
        let message = format!("nesting is deeper than {MAX_NESTING} levels");
        let error = Diagnostic::error(self.token().span, message)
            .help("name parts of it: variables for expressions, functions for statements");
        self.errors.stop(error);
        Failed
    }

    /// Stands for an expression that could not be read; the tree is thrown away in the end.
    fn placeholder(&mut self) -> ExprId {
        self.exprs.push(ExprKind::Null, self.previous, self.previous, None)
    }

    #[inline(never)]
    fn late_declaration(&mut self, var: Span) {
        self.errors.push(
            Diagnostic::error(var, "declarations come first")
                .label("this `var` follows a statement")
                .help("move it to the start of the function"),
        );
    }

    #[inline(never)]
    fn misplaced_return(&mut self, keyword: Span) {
        self.misplaced_return = true;
        self.errors.push(
            Diagnostic::error(
                keyword,
                "`return` is only allowed as the last statement of a function",
            )
            .help("keep the result in a variable and return that at the end"),
        );
    }

    fn missing_return(&mut self, name: &Ident) {
        let message = format!("function {} does not end with `return`", quote(&name.name));
        self.errors.push(
            Diagnostic::error(self.previous, message)
                .label("expected `return` before this")
                .help("every function returns a value, for example `return 0;`"),
        );
    }
}

#[cfg(test)]
mod tests;
