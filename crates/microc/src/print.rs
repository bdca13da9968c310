//! From the syntax tree back to source, with as few parentheses as the grammar allows.
//!
//! What is printed parses to the same tree again, places aside. The one exception no parser
//! produces: an `if` without `else` as the branch of an `if` with one would take that `else`, so it
//! is printed in a block.

use crate::ast::{ExprId, ExprKind, Exprs, Function, Ident, Program, Stmt, StmtKind};
use loupe_integer::Integer;
use std::fmt::Write;

/// The program as source, four spaces per level.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { exprs: &program.exprs, out: String::new() };
    for (i, function) in program.functions.iter().enumerate() {
        if i > 0 {
            printer.out.push('\n');
        }
        printer.function(function);
    }
    printer.out
}

/// One expression as source.
pub fn print_expr(exprs: &Exprs, expr: ExprId) -> String {
    let mut printer = Printer { exprs, out: String::new() };
    printer.expr(expr);
    printer.out
}

struct Printer<'a> {
    exprs: &'a Exprs,
    out: String,
}

/// A piece of an expression.
enum Piece<'a> {
    Text(&'a str),
    Number(&'a Integer),
    Expr(ExprId),
}

/// Where an expression stands in another one.
#[derive(Clone, Copy)]
enum Context {
    /// Between brackets or commas, or after `alloc`: anything goes.
    Free,
    /// Left of an operator of this precedence.
    Left(u8),
    /// Right of an operator of this precedence.
    Right(u8),
    /// After `*` or `!`.
    Prefix,
    /// Before `.field`, `[index]` or `(args)`.
    Postfix,
}

impl Printer<'_> {
    fn function(&mut self, function: &Function) {
        self.out.push_str(&function.name.name);
        self.out.push('(');
        self.names(&function.params);
        self.out.push_str(") {\n");
        for stmt in &function.vars {
            self.indent(1);
            self.out.push_str("var ");
            self.names(&stmt.names);
            self.out.push_str(";\n");
        }
        for stmt in &function.body {
            self.line(stmt, 1);
        }
        self.indent(1);
        self.out.push_str("return ");
        self.expr(function.result);
        self.out.push_str(";\n}\n");
    }

    fn names(&mut self, names: &[Ident]) {
        for (i, ident) in names.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(&ident.name);
        }
    }

    fn indent(&mut self, level: usize) {
        self.out.extend(std::iter::repeat_n("    ", level));
    }

    /// A statement on lines of its own.
    fn line(&mut self, stmt: &Stmt, level: usize) {
        self.indent(level);
        self.stmt(stmt, level);
        self.out.push('\n');
    }

    /// A statement, the first line of which is indented already. Recursive: the parser bounds how
    /// deep statements nest.
    fn stmt(&mut self, stmt: &Stmt, level: usize) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let start = self.out.len();
                self.expr(*place);
                // At the start of a statement, `{}` is a block.
                if self.out[start..].starts_with("{}") {
                    self.out.replace_range(start..start + 2, "({})");
                }
                self.out.push_str(" = ");
                self.expr(*value);
                self.out.push(';');
            }
            StmtKind::Output(value) => {
                self.out.push_str("output ");
                self.expr(*value);
                self.out.push(';');
            }
            StmtKind::If { guard, then, otherwise } => {
                self.guard("if", *guard);
                match otherwise {
                    Some(otherwise) if takes_else(then) => {
                        self.block(std::slice::from_ref(then), level);
                        self.otherwise(otherwise, level, " else");
                    }
                    Some(otherwise) => {
                        self.branch(then, level);
                        if matches!(then.kind, StmtKind::Block(_)) {
                            self.otherwise(otherwise, level, " else");
                        } else {
                            self.out.push('\n');
                            self.indent(level);
                            self.otherwise(otherwise, level, "else");
                        }
                    }
                    None => self.branch(then, level),
                }
            }
            StmtKind::While { guard, body } => {
                self.guard("while", *guard);
                self.branch(body, level);
            }
            StmtKind::Block(stmts) => self.block(stmts, level),
        }
    }

    fn guard(&mut self, keyword: &str, guard: ExprId) {
        self.out.push_str(keyword);
        self.out.push_str(" (");
        self.expr(guard);
        self.out.push(')');
    }

    fn otherwise(&mut self, stmt: &Stmt, level: usize, keyword: &str) {
        self.out.push_str(keyword);
        if let StmtKind::If { .. } = stmt.kind {
            self.out.push(' ');
            self.stmt(stmt, level);
        } else {
            self.branch(stmt, level);
        }
    }

    /// A statement inside another: a block on the same line, anything else on the next.
    fn branch(&mut self, stmt: &Stmt, level: usize) {
        if let StmtKind::Block(_) = stmt.kind {
            self.out.push(' ');
            self.stmt(stmt, level);
        } else {
            self.out.push('\n');
            self.indent(level + 1);
            self.stmt(stmt, level + 1);
        }
    }

    fn block(&mut self, stmts: &[Stmt], level: usize) {
        if stmts.is_empty() {
            self.out.push_str("{}");
            return;
        }
        self.out.push_str("{\n");
        for stmt in stmts {
            self.line(stmt, level + 1);
        }
        self.indent(level);
        self.out.push('}');
    }

    fn expr(&mut self, root: ExprId) {
        let mut pieces =
            Pieces { exprs: self.exprs, open: open_tails(self.exprs, root), list: Vec::new() };
        pieces.expr(Context::Free, root);
        while let Some(piece) = pieces.list.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                // Writing to a string does not fail.
                Piece::Number(value) => _ = write!(self.out, "{value}"),
                Piece::Expr(id) => pieces.take_apart(id),
            }
        }
    }
}

/// What is still to be printed of an expression, the next piece last.
struct Pieces<'a> {
    exprs: &'a Exprs,
    open: OpenTails,
    list: Vec<Piece<'a>>,
}

impl<'a> Pieces<'a> {
    fn text(&mut self, text: &'a str) {
        self.list.push(Piece::Text(text));
    }

    fn expr(&mut self, context: Context, id: ExprId) {
        if needs_parens(self.exprs, &self.open, context, id) {
            self.list.extend([Piece::Text("("), Piece::Expr(id), Piece::Text(")")]);
        } else {
            self.list.push(Piece::Expr(id));
        }
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        for (i, id) in ids.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.expr(Context::Free, *id);
        }
    }

    /// Replaces an expression by its pieces.
    fn take_apart(&mut self, id: ExprId) {
        let start = self.list.len();
        match &self.exprs.get(id).kind {
            ExprKind::Number(value) => self.list.push(Piece::Number(value)),
            ExprKind::Null => self.text("null"),
            ExprKind::Input => self.text("input"),
            ExprKind::Name(name) => self.text(name),
            ExprKind::AddressOf(ident) => {
                self.text("&");
                self.text(&ident.name);
            }
            ExprKind::Deref(operand) => {
                self.text("*");
                self.expr(Context::Prefix, *operand);
            }
            ExprKind::Not(operand) => {
                self.text("!");
                self.expr(Context::Prefix, *operand);
            }
            ExprKind::Alloc(operand) => {
                self.text("alloc ");
                self.expr(Context::Free, *operand);
            }
            ExprKind::Binary { op, left, right } => {
                self.expr(Context::Left(op.precedence()), *left);
                self.list.extend([" ", op.symbol(), " "].map(Piece::Text));
                self.expr(Context::Right(op.precedence()), *right);
            }
            ExprKind::Call { callee, args } => {
                self.expr(Context::Postfix, *callee);
                self.text("(");
                self.exprs(args);
                self.text(")");
            }
            ExprKind::Array(items) => {
                self.text("[");
                self.exprs(items);
                self.text("]");
            }
            ExprKind::Record(fields) => {
                self.text("{");
                for (i, (field, value)) in fields.iter().enumerate() {
                    self.text(if i > 0 { ", " } else { "" });
                    self.text(&field.name);
                    self.text(": ");
                    self.expr(Context::Free, *value);
                }
                self.text("}");
            }
            ExprKind::Field { record, field } => {
                self.expr(Context::Postfix, *record);
                self.text(".");
                self.text(&field.name);
            }
            ExprKind::Index { array, index } => {
                self.expr(Context::Postfix, *array);
                self.text("[");
                self.expr(Context::Free, *index);
                self.text("]");
            }
        }
        self.list[start..].reverse();
    }
}

/// For the nodes of an expression: whether the node as printed ends in an `alloc` that would take
/// an operator behind it for its own.
struct OpenTails {
    first: ExprId,
    open: Vec<bool>,
}

impl OpenTails {
    fn get(&self, id: ExprId) -> bool {
        self.open[(id.0 - self.first.0) as usize]
    }
}

fn open_tails(exprs: &Exprs, root: ExprId) -> OpenTails {
    let mut tails = OpenTails { first: exprs.get(root).first, open: Vec::new() };
    for id in exprs.nodes_of(root) {
        let last = match &exprs.get(id).kind {
            ExprKind::Deref(operand) | ExprKind::Not(operand) => Some((Context::Prefix, *operand)),
            ExprKind::Binary { op, right, .. } => Some((Context::Right(op.precedence()), *right)),
            _ => None,
        };
        let open = match last {
            Some((context, part)) => tails.get(part) && !needs_parens(exprs, &tails, context, part),
            None => matches!(exprs.get(id).kind, ExprKind::Alloc(_)),
        };
        tails.open.push(open);
    }
    tails
}

fn needs_parens(exprs: &Exprs, tails: &OpenTails, context: Context, id: ExprId) -> bool {
    let kind = &exprs.get(id).kind;
    let precedence = match kind {
        ExprKind::Binary { op, .. } => op.precedence(),
        _ => u8::MAX,
    };
    match context {
        Context::Free => false,
        Context::Left(outer) => precedence < outer || tails.get(id),
        Context::Right(outer) => precedence <= outer,
        Context::Prefix => precedence < u8::MAX,
        Context::Postfix => matches!(
            kind,
            ExprKind::Binary { .. }
                | ExprKind::AddressOf(_)
                | ExprKind::Deref(_)
                | ExprKind::Not(_)
                | ExprKind::Alloc(_)
        ),
    }
}

/// Whether an `else` behind this statement would become its own.
fn takes_else(mut stmt: &Stmt) -> bool {
    loop {
        stmt = match &stmt.kind {
            StmtKind::If { otherwise: None, .. } => return true,
            StmtKind::If { otherwise: Some(otherwise), .. } => otherwise,
            StmtKind::While { body, .. } => body,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests;
