//! Expressions, by precedence climbing with an explicit stack.
//!
//! The parser alternates between two states: it *wants* an operand or it *has* one. What waits for
//! an operand (a prefix operator, the left side of a binary one, an open bracket) lies on a stack
//! of [`Frame`]s. So neither long chains nor deep nesting grow the machine's stack, and a node is
//! created when its last part is complete, which is the post-order that [`Exprs`] asks for.
//!
//! [`Exprs`]: crate::ast::Exprs

use super::{Open, Parsed, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, Ident};
use crate::errors::quote;
use crate::lexer::{Token, TokenKind};
use loupe_integer::Integer;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Span;
use std::collections::HashMap;

/// A complete expression, and its span with the parentheses around it.
#[derive(Clone, Copy, Debug)]
struct Operand {
    id: ExprId,
    span: Span,
}

/// What waits for an operand.
#[derive(Debug)]
enum Frame {
    /// A prefix operator.
    Prefix { op: Prefix, start: Span },
    /// The left side of a binary operator.
    Binary { op: BinaryOp, op_span: Span, left: Operand },
    /// `(`
    Paren { open: Span },
    /// `callee(args,`
    Call { callee: Operand, open: Span, args: Vec<ExprId> },
    /// `array[`
    Index { array: Operand, open: Span },
    /// `[items,`
    Array { open: Span, items: Vec<ExprId> },
    /// `{fields, name:`
    Record { open: Span, fields: Vec<(Ident, ExprId)>, name: Ident },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    Deref,
    Not,
    Alloc,
    /// The sign of what is no literal; reported.
    Minus,
}

/// The state of the parser.
enum State {
    Want,
    Have(Operand),
    Done(Operand),
}

impl Parser<'_> {
    /// An expression. If it fails, the brackets that it left open are in `self.open`.
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let depth = self.depth;
        let mut stack = Vec::new();
        let result = self.run(&mut stack);
        self.depth = depth;
        if result.is_err() {
            self.open = open_brackets(&stack);
        }
        result
    }

    fn run(&mut self, stack: &mut Vec<Frame>) -> Parsed<ExprId> {
        let mut state = State::Want;
        loop {
            state = match state {
                State::Want => self.operand(stack)?,
                State::Have(operand) => self.after_operand(stack, operand)?,
                State::Done(operand) => return Ok(operand.id),
            };
        }
    }

    /// Reads an operand, or what comes before one.
    fn operand(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        let token = self.token();
        let leaf = match token.kind {
            TokenKind::Number | TokenKind::MalformedNumber => self.number("", token),
            TokenKind::Ident => ExprKind::Name(token.text(self.lexer.text()).to_owned()),
            TokenKind::Null => ExprKind::Null,
            TokenKind::Input => ExprKind::Input,
            TokenKind::Ampersand => return self.address_of(),
            TokenKind::Minus => return self.minus(stack),
            TokenKind::Star => return self.prefix(stack, Prefix::Deref),
            TokenKind::Bang => return self.prefix(stack, Prefix::Not),
            TokenKind::Alloc => return self.prefix(stack, Prefix::Alloc),
            TokenKind::LeftParen => {
                self.enter()?;
                let open = self.bump().span;
                stack.push(Frame::Paren { open });
                return Ok(State::Want);
            }
            TokenKind::LeftBracket => return self.array(stack),
            TokenKind::LeftBrace => return self.record(stack),
            _ => {
                let error = self.no_expression();
                return Err(self.error(error));
            }
        };
        self.bump();
        Ok(self.node(leaf, token.span, token.span, None))
    }

    fn number(&self, sign: &str, token: Token) -> ExprKind {
        let literal = format!("{sign}{}", token.text(self.lexer.text()));
        // A malformed one has been reported.
        let value = match token.kind {
            TokenKind::Number => literal.parse().unwrap_or(Integer::ZERO),
            _ => Integer::ZERO,
        };
        ExprKind::Number(value)
    }

    fn minus(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        let literal = self.peek(1);
        if matches!(literal.kind, TokenKind::Number | TokenKind::MalformedNumber) {
            let span = self.bump().span.to(literal.span);
            self.bump();
            let number = self.number("-", literal);
            return Ok(self.node(number, span, span, None));
        }
        // Said once for `--x`.
        if !matches!(stack.last(), Some(Frame::Prefix { op: Prefix::Minus, .. })) {
            let error = self.negation();
            self.error(error);
        }
        self.prefix(stack, Prefix::Minus)
    }

    fn prefix(&mut self, stack: &mut Vec<Frame>, op: Prefix) -> Parsed<State> {
        self.enter()?;
        let start = self.bump().span;
        stack.push(Frame::Prefix { op, start });
        Ok(State::Want)
    }

    fn address_of(&mut self) -> Parsed<State> {
        let start = self.bump().span;
        let name = self.ident("a variable name")?;
        let span = start.to(name.span);
        if matches!(self.kind(), TokenKind::Dot | TokenKind::LeftBracket | TokenKind::LeftParen) {
            let found = self.token().describe(self.lexer.text());
            let message = format!("{found} cannot follow {}", quote(&format!("&{}", name.name)));
            let error = Diagnostic::error(self.token().span, message)
                .help("`&` takes the address of a variable, not of a part of it");
            return Err(self.error(error));
        }
        Ok(self.node(ExprKind::AddressOf(name), span, span, None))
    }

    fn array(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        self.enter()?;
        let open = self.bump().span;
        if self.kind() == TokenKind::RightBracket {
            self.depth -= 1;
            let span = open.to(self.bump().span);
            return Ok(self.node(ExprKind::Array(Vec::new()), span, span, None));
        }
        stack.push(Frame::Array { open, items: Vec::new() });
        Ok(State::Want)
    }

    fn record(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        self.enter()?;
        let open = self.bump().span;
        if self.kind() == TokenKind::RightBrace {
            self.depth -= 1;
            let span = open.to(self.bump().span);
            return Ok(self.node(ExprKind::Record(Vec::new()), span, span, None));
        }
        // The brace is open, should the field's name be wrong.
        let unnamed = Ident { name: String::new(), span: open };
        stack.push(Frame::Record { open, fields: Vec::new(), name: unnamed });
        let first = self.field_name()?;
        if let Some(Frame::Record { name, .. }) = stack.last_mut() {
            *name = first;
        }
        Ok(State::Want)
    }

    /// `name:` in a record.
    fn field_name(&mut self) -> Parsed<Ident> {
        let name = self.ident("a field name")?;
        self.expect(TokenKind::Colon, "`:`")?;
        Ok(name)
    }

    /// Reads what may come after an operand.
    fn after_operand(&mut self, stack: &mut Vec<Frame>, operand: Operand) -> Parsed<State> {
        let token = self.token();
        match token.kind {
            TokenKind::Dot => return self.field(operand),
            TokenKind::LeftBracket => {
                self.enter()?;
                self.bump();
                stack.push(Frame::Index { array: operand, open: token.span });
                return Ok(State::Want);
            }
            TokenKind::LeftParen => return self.call(stack, operand),
            _ => {}
        }
        let Some(op) = binary_operator(token.kind) else {
            return self.close(stack, operand);
        };
        if let Some(error) = self.compound_operator(operand.id) {
            return Err(self.error(error));
        }
        if token.kind == TokenKind::Percent {
            let error = self.remainder();
            self.error(error);
        }
        self.bump();
        let left = self.reduce(stack, operand, op.precedence());
        stack.push(Frame::Binary { op, op_span: token.span, left });
        Ok(State::Want)
    }

    fn field(&mut self, record: Operand) -> Parsed<State> {
        let dot = self.bump().span;
        if self.kind() == TokenKind::Number {
            let error = self.unexpected("a field name").help("microc has only whole numbers");
            return Err(self.error(error));
        }
        let field = self.ident("a field name")?;
        let anchor = dot.to(field.span);
        let kind = ExprKind::Field { record: record.id, field };
        Ok(self.node(kind, record.span.to(anchor), anchor, Some(record.id)))
    }

    fn call(&mut self, stack: &mut Vec<Frame>, callee: Operand) -> Parsed<State> {
        self.enter()?;
        let open = self.bump().span;
        if self.kind() == TokenKind::RightParen {
            self.depth -= 1;
            let anchor = open.to(self.bump().span);
            let kind = ExprKind::Call { callee: callee.id, args: Vec::new() };
            return Ok(self.node(kind, callee.span.to(anchor), anchor, Some(callee.id)));
        }
        stack.push(Frame::Call { callee, open, args: Vec::new() });
        Ok(State::Want)
    }

    /// Completes the operators on top of the stack that bind at least as tightly as `precedence`.
    /// `alloc` takes everything to its right, so no operator completes it.
    fn reduce(&mut self, stack: &mut Vec<Frame>, mut operand: Operand, precedence: u8) -> Operand {
        while let Some(frame) = stack.pop_if(|frame| match frame {
            Frame::Prefix { op, .. } => *op != Prefix::Alloc || precedence == 0,
            Frame::Binary { op, .. } => op.precedence() >= precedence,
            _ => false,
        }) {
            operand = match frame {
                Frame::Prefix { op, start } => self.complete_prefix(op, start, operand),
                Frame::Binary { op, op_span, left } => {
                    let kind = ExprKind::Binary { op, left: left.id, right: operand.id };
                    let span = left.span.to(operand.span);
                    Operand { id: self.exprs.push(kind, span, op_span, Some(left.id)), span }
                }
                _ => operand,
            };
        }
        operand
    }

    fn complete_prefix(&mut self, op: Prefix, start: Span, operand: Operand) -> Operand {
        self.depth -= 1;
        let kind = match op {
            Prefix::Deref => ExprKind::Deref(operand.id),
            Prefix::Alloc => ExprKind::Alloc(operand.id),
            Prefix::Not | Prefix::Minus => ExprKind::Not(operand.id),
        };
        let span = start.to(operand.span);
        Operand { id: self.exprs.push(kind, span, span, Some(operand.id)), span }
    }

    /// Nothing continues the operand: it is complete, and so is what only waited for it.
    fn close(&mut self, stack: &mut Vec<Frame>, operand: Operand) -> Parsed<State> {
        let operand = self.reduce(stack, operand, 0);
        let Some(frame) = stack.last_mut() else {
            return Ok(State::Done(operand));
        };
        let (closing, expected, open) = match frame {
            Frame::Paren { open } => (TokenKind::RightParen, "`)`", *open),
            Frame::Index { open, .. } => (TokenKind::RightBracket, "`]`", *open),
            Frame::Call { open, args, .. } => {
                args.push(operand.id);
                (TokenKind::RightParen, "`,` or `)`", *open)
            }
            Frame::Array { open, items } => {
                items.push(operand.id);
                (TokenKind::RightBracket, "`,` or `]`", *open)
            }
            Frame::Record { open, fields, name } => {
                fields.push((name.clone(), operand.id));
                (TokenKind::RightBrace, "`,` or `}`", *open)
            }
            Frame::Prefix { .. } | Frame::Binary { .. } => {
                unreachable!("internal error: an operator is left after everything was reduced")
            }
        };
        let list = matches!(frame, Frame::Call { .. } | Frame::Array { .. } | Frame::Record { .. });
        if list && self.eat(TokenKind::Comma) {
            if let Some(Frame::Record { name, .. }) = stack.last_mut() {
                *name = self.field_name()?;
            }
            return Ok(State::Want);
        }
        if self.kind() != closing {
            let mut error = self.unexpected(expected);
            if open.start.line != self.token().span.start.line {
                error = error.related(open, "opened here");
            }
            return Err(self.error(error));
        }
        let end = self.bump().span;
        self.depth -= 1;
        match stack.pop() {
            Some(frame) => Ok(self.complete_bracket(frame, operand, end)),
            None => Ok(State::Have(operand)),
        }
    }

    /// The node of a bracket whose last part and closing end have been read.
    fn complete_bracket(&mut self, frame: Frame, last: Operand, end: Span) -> State {
        match frame {
            Frame::Call { callee, open, args } => {
                let anchor = open.to(end);
                let kind = ExprKind::Call { callee: callee.id, args };
                self.node(kind, callee.span.to(end), anchor, Some(callee.id))
            }
            Frame::Index { array, open } => {
                let kind = ExprKind::Index { array: array.id, index: last.id };
                self.node(kind, array.span.to(end), open.to(end), Some(array.id))
            }
            Frame::Array { open, items } => {
                let first = items.first().copied();
                let span = open.to(end);
                self.node(ExprKind::Array(items), span, span, first)
            }
            Frame::Record { open, fields, .. } => {
                self.check_fields(&fields);
                let first = fields.first().map(|(_, value)| *value);
                let span = open.to(end);
                self.node(ExprKind::Record(fields), span, span, first)
            }
            Frame::Paren { open } => State::Have(Operand { span: open.to(end), ..last }),
            Frame::Prefix { .. } | Frame::Binary { .. } => State::Have(last),
        }
    }

    fn check_fields(&mut self, fields: &[(Ident, ExprId)]) {
        let mut seen = HashMap::new();
        for (field, _) in fields {
            let first = *seen.entry(&field.name).or_insert(field.span);
            if first != field.span {
                let message = format!("field {} is given twice", quote(&field.name));
                self.errors.push(
                    Diagnostic::error(field.span, message).related(first, "first given here"),
                );
            }
        }
    }

    fn node(&mut self, kind: ExprKind, span: Span, anchor: Span, first: Option<ExprId>) -> State {
        State::Have(Operand { id: self.exprs.push(kind, span, anchor, first), span })
    }
}

fn binary_operator(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Sub,
        // `%` is reported and read like `*`.
        TokenKind::Star | TokenKind::Percent => BinaryOp::Mul,
        TokenKind::Slash => BinaryOp::Div,
        TokenKind::Equal => BinaryOp::Eq,
        TokenKind::NotEqual => BinaryOp::Ne,
        TokenKind::Less => BinaryOp::Lt,
        TokenKind::LessEqual => BinaryOp::Le,
        TokenKind::Greater => BinaryOp::Gt,
        TokenKind::GreaterEqual => BinaryOp::Ge,
        TokenKind::AndAnd => BinaryOp::And,
        TokenKind::OrOr => BinaryOp::Or,
        _ => return None,
    })
}

fn open_brackets(stack: &[Frame]) -> Open {
    let count = |is: fn(&Frame) -> bool| stack.iter().filter(|frame| is(frame)).count();
    Open {
        parens: count(|frame| matches!(frame, Frame::Paren { .. } | Frame::Call { .. })),
        records: count(|frame| matches!(frame, Frame::Record { .. })),
    }
}
