//! Statements. [`Parser::statement`] always returns one: what is wrong inside has been reported,
//! and an empty block stands for it.

use super::{Failed, Parsed, Parser, slips};
use crate::ast::{ExprId, Stmt, StmtKind};
use crate::lexer::TokenKind;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Span;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Stmt {
        let start = self.token().span;
        let kind = match self.kind() {
            TokenKind::If => self.if_stmt(),
            TokenKind::While => self.while_stmt(),
            TokenKind::LeftBrace if !self.at_record() => self.block(),
            TokenKind::Output => self.output(),
            TokenKind::Return => {
                self.return_stmt();
                self.misplaced_return(start);
                Ok(nothing())
            }
            TokenKind::Var => {
                self.var_stmt();
                self.late_declaration(start);
                Ok(nothing())
            }
            TokenKind::Ident if self.at_for() => self.for_loop(),
            _ => self.assignment(),
        };
        let kind = kind.unwrap_or_else(|Failed| {
            self.synchronize();
            nothing()
        });
        // Where nothing was consumed, there is nothing to span.
        let end = if self.previous.end > start.start { self.previous } else { start };
        Stmt { kind, span: start.to(end) }
    }

    fn if_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let guard = self.guard();
        let then = Box::new(self.branch()?);
        let otherwise =
            if self.eat(TokenKind::Else) { Some(Box::new(self.branch()?)) } else { None };
        Ok(StmtKind::If { guard, then, otherwise })
    }

    fn while_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let guard = self.guard();
        let body = Box::new(self.branch()?);
        Ok(StmtKind::While { guard, body })
    }

    /// A statement inside another. A block counts as a level by itself.
    fn branch(&mut self) -> Parsed<Stmt> {
        if self.kind() == TokenKind::LeftBrace {
            return Ok(self.statement());
        }
        self.enter()?;
        let stmt = self.statement();
        self.depth -= 1;
        Ok(stmt)
    }

    fn block(&mut self) -> Parsed<StmtKind> {
        self.enter()?;
        let open = self.bump().span;
        let mut stmts = Vec::new();
        loop {
            let start = self.token().span;
            if self.ends_function() {
                break;
            }
            stmts.push(self.statement());
            self.ensure_progress(start);
        }
        self.depth -= 1;
        // Without the `}`, the caller finds itself at the same token and knows what to do.
        let _ = self.close_block(open);
        Ok(StmtKind::Block(stmts))
    }

    /// The guard of `if` and `while`, with its parentheses. Whatever is wrong with it, a statement
    /// comes next.
    #[inline(never)]
    fn guard(&mut self) -> ExprId {
        let parens = usize::from(self.eat(TokenKind::LeftParen));
        if parens == 0 {
            let error = self.unexpected("`(`");
            self.error(error);
        }
        let Ok(guard) = self.expression() else {
            let open = std::mem::take(&mut self.open);
            self.skip_guard(parens + open.parens);
            return self.placeholder();
        };
        if self.kind() == TokenKind::Assign {
            let error = Diagnostic::error(self.token().span, "`=` is not a comparison")
                .help("compare with `==`");
            self.error(error);
            self.bump();
            if self.expression().is_err() {
                let open = std::mem::take(&mut self.open);
                self.skip_guard(parens + open.parens);
                return guard;
            }
        }
        if !self.eat(TokenKind::RightParen) && parens > 0 {
            let error = self.unexpected("`)`");
            self.error(error);
            self.skip_guard(parens);
        }
        guard
    }

    /// Skips the rest of a guard of which `parens` parentheses are open.
    fn skip_guard(&mut self, mut parens: usize) {
        loop {
            match self.kind() {
                TokenKind::LeftParen => parens += 1,
                TokenKind::RightParen if parens <= 1 => {
                    self.bump();
                    return;
                }
                TokenKind::RightParen => parens -= 1,
                TokenKind::LeftBrace if !self.at_record() => return,
                TokenKind::RightBrace
                | TokenKind::Semicolon
                | TokenKind::If
                | TokenKind::While
                | TokenKind::Output
                | TokenKind::Else
                | TokenKind::Return
                | TokenKind::Var
                | TokenKind::Eof => return,
                _ => {}
            }
            self.bump();
        }
    }

    #[inline(never)]
    fn output(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let value = self.expression()?;
        self.semicolon()?;
        Ok(StmtKind::Output(value))
    }

    #[inline(never)]
    fn assignment(&mut self) -> Parsed<StmtKind> {
        if let Some(error) = self.no_statement() {
            return Err(self.error(error));
        }
        let place = self.expression()?;
        if !self.eat(TokenKind::Assign) {
            let error = self.no_assignment(place);
            return Err(self.error(error));
        }
        let value = self.expression()?;
        self.semicolon()?;
        Ok(StmtKind::Assign { place, value })
    }

    /// A loop of C: said once, its body is read all the same.
    #[inline(never)]
    fn for_loop(&mut self) -> Parsed<StmtKind> {
        let error = Diagnostic::error(self.token().span, "microc has no `for`").help("use `while`");
        self.error(error);
        self.bump();
        let mut parens = 0usize;
        loop {
            match self.kind() {
                TokenKind::LeftParen => parens += 1,
                TokenKind::RightParen => parens = parens.saturating_sub(1),
                TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::Eof => break,
                _ => {}
            }
            self.bump();
            if parens == 0 {
                break;
            }
        }
        self.branch()?;
        Ok(nothing())
    }

    /// The `;` after a statement. If another line starts where it should be, it was forgotten, and
    /// that line is worth reading.
    pub(super) fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let end = self.previous.end;
        let next = self.token();
        let mut error = self.unexpected("`;`");
        if error.help.is_none() {
            // That token may be fine; what is missing is missing before it.
            error.span = Some(Span { start: end, end, ..self.previous });
        }
        self.error(error);
        let forgotten = next.span.start.line > end.line || slips::ends_statement(next.kind);
        if forgotten { Ok(()) } else { Err(Failed) }
    }

    /// Skips the rest of a statement in which something is wrong.
    #[inline(never)]
    pub(super) fn synchronize(&mut self) {
        let mut records = std::mem::take(&mut self.open).records;
        loop {
            match self.kind() {
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::RightBrace if records > 0 => records -= 1,
                TokenKind::LeftBrace if self.at_record() => records += 1,
                TokenKind::LeftBrace => return,
                kind if slips::ends_statement(kind) => return,
                _ if self.starts_function() => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the `{` that comes next opens a record rather than a block.
    fn at_record(&mut self) -> bool {
        self.kind() == TokenKind::LeftBrace
            && self.peek(1).kind == TokenKind::Ident
            && self.peek(2).kind == TokenKind::Colon
    }

    /// Skips the next token if it is still the one at `start`: a list of statements always gets
    /// shorter.
    pub(super) fn ensure_progress(&mut self, start: Span) {
        if self.token().span == start && self.kind() != TokenKind::Eof {
            self.bump();
        }
    }
}

/// Stands for a statement that could not be read; the tree is thrown away in the end.
fn nothing() -> StmtKind {
    StmtKind::Block(Vec::new())
}
