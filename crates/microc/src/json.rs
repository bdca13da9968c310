//! The syntax tree as JSON.
//!
//! Every node is an object: `kind` first, then its parts in the order of the source, `span` last:
//!
//! ```json
//! {"kind":"name","name":"x","span":{"start":{"line":1,"column":5},"end":{"line":1,"column":6}}}
//! ```
//!
//! Lines and columns count from 1, `end` is one past the last character. A number is a JSON number
//! if every reader can hold it exactly (its absolute value is at most 2^53), otherwise a string of
//! its digits. The keys and their order are the same in every run.
//!
//! Sums of a hundred thousand terms nest as deep, so the tree is written with an explicit stack,
//! and the indentation stops growing at [`MAX_INDENTED`] levels: whitespace would otherwise take
//! the square of the size of the tree.

use crate::ast::{
    Expr, ExprId, ExprKind, Exprs, Function, Ident, Program, Stmt, StmtKind, VarStmt,
};
use loupe_integer::Integer;
use loupe_ir::source::Span;
use std::fmt::Write;

/// The level after which lines are not indented any further.
pub const MAX_INDENTED: usize = 40;

/// The program as JSON: `indent` spaces per level, or everything on one line.
pub fn to_json(program: &Program, indent: Option<usize>) -> String {
    let mut writer = Writer { out: String::new(), indent, level: 0, before: Before::Nothing };
    let mut work = vec![Work::Program(program)];
    let mut parts = Vec::new();
    while let Some(next) = work.pop() {
        expand(next, &program.exprs, &mut writer, &mut parts);
        work.extend(parts.drain(..).rev());
    }
    writer.out
}

/// What is still to be written.
enum Work<'a> {
    Program(&'a Program),
    Function(&'a Function),
    Var(&'a VarStmt),
    Return(&'a Function),
    Stmt(&'a Stmt),
    Expr(ExprId),
    FieldValue(&'a Ident, ExprId),
    Ident(&'a Ident),
    /// The key of the next value.
    Key(&'static str),
    Text(&'a str),
    Number(&'a Integer),
    OpenList,
    CloseList,
    /// The end of an object, with its place.
    Close(Option<Span>),
}

/// Writes the beginning of something and says what the rest of it is.
fn expand<'a>(work: Work<'a>, exprs: &'a Exprs, writer: &mut Writer, parts: &mut Vec<Work<'a>>) {
    match work {
        Work::Program(program) => {
            writer.object("program");
            list(parts, "functions", program.functions.iter().map(Work::Function));
            parts.push(Work::Close(None));
        }
        Work::Function(function) => {
            writer.object("function");
            parts.extend([Work::Key("name"), Work::Ident(&function.name)]);
            list(parts, "params", function.params.iter().map(Work::Ident));
            list(parts, "vars", function.vars.iter().map(Work::Var));
            list(parts, "body", function.body.iter().map(Work::Stmt));
            parts.extend([Work::Key("return"), Work::Return(function)]);
            parts.push(Work::Close(Some(function.span)));
        }
        Work::Var(stmt) => {
            writer.object("var");
            list(parts, "names", stmt.names.iter().map(Work::Ident));
            parts.push(Work::Close(Some(stmt.span)));
        }
        Work::Return(function) => {
            writer.object("return");
            parts.extend([Work::Key("value"), Work::Expr(function.result)]);
            parts.push(Work::Close(Some(function.return_span)));
        }
        Work::Stmt(stmt) => expand_stmt(stmt, writer, parts),
        Work::Expr(id) => expand_expr(exprs.get(id), writer, parts),
        Work::FieldValue(name, value) => {
            writer.object("field_value");
            parts.extend([Work::Key("name"), Work::Ident(name)]);
            parts.extend([Work::Key("value"), Work::Expr(value)]);
            parts.push(Work::Close(Some(name.span.to(exprs.get(value).span))));
        }
        Work::Ident(ident) => {
            writer.object("identifier");
            parts.extend([Work::Key("name"), Work::Text(&ident.name)]);
            parts.push(Work::Close(Some(ident.span)));
        }
        Work::Key(key) => writer.key(key),
        Work::Text(text) => writer.text(text),
        Work::Number(value) => writer.number(value),
        Work::OpenList => writer.open('['),
        Work::CloseList => writer.close(']'),
        Work::Close(span) => {
            if let Some(span) = span {
                writer.key("span");
                writer.span(span);
            }
            writer.close('}');
        }
    }
}

fn expand_stmt<'a>(stmt: &'a Stmt, writer: &mut Writer, parts: &mut Vec<Work<'a>>) {
    match &stmt.kind {
        StmtKind::Assign { place, value } => {
            writer.object("assign");
            parts.extend([Work::Key("place"), Work::Expr(*place)]);
            parts.extend([Work::Key("value"), Work::Expr(*value)]);
        }
        StmtKind::Output(value) => {
            writer.object("output");
            parts.extend([Work::Key("value"), Work::Expr(*value)]);
        }
        StmtKind::If { guard, then, otherwise } => {
            writer.object("if");
            parts.extend([Work::Key("guard"), Work::Expr(*guard)]);
            parts.extend([Work::Key("then"), Work::Stmt(then)]);
            if let Some(otherwise) = otherwise {
                parts.extend([Work::Key("else"), Work::Stmt(otherwise)]);
            }
        }
        StmtKind::While { guard, body } => {
            writer.object("while");
            parts.extend([Work::Key("guard"), Work::Expr(*guard)]);
            parts.extend([Work::Key("body"), Work::Stmt(body)]);
        }
        StmtKind::Block(stmts) => {
            writer.object("block");
            list(parts, "body", stmts.iter().map(Work::Stmt));
        }
    }
    parts.push(Work::Close(Some(stmt.span)));
}

fn expand_expr<'a>(expr: &'a Expr, writer: &mut Writer, parts: &mut Vec<Work<'a>>) {
    writer.object(expr_kind(&expr.kind));
    match &expr.kind {
        ExprKind::Number(value) => parts.extend([Work::Key("value"), Work::Number(value)]),
        ExprKind::Null | ExprKind::Input => {}
        ExprKind::Name(name) => parts.extend([Work::Key("name"), Work::Text(name)]),
        ExprKind::AddressOf(name) => parts.extend([Work::Key("name"), Work::Ident(name)]),
        ExprKind::Deref(operand) | ExprKind::Alloc(operand) | ExprKind::Not(operand) => {
            parts.extend([Work::Key("operand"), Work::Expr(*operand)]);
        }
        ExprKind::Binary { op, left, right } => {
            parts.extend([Work::Key("op"), Work::Text(op.symbol())]);
            parts.extend([Work::Key("left"), Work::Expr(*left)]);
            parts.extend([Work::Key("right"), Work::Expr(*right)]);
        }
        ExprKind::Call { callee, args } => {
            parts.extend([Work::Key("callee"), Work::Expr(*callee)]);
            list(parts, "args", args.iter().copied().map(Work::Expr));
        }
        ExprKind::Array(items) => list(parts, "items", items.iter().copied().map(Work::Expr)),
        ExprKind::Record(fields) => {
            let values = fields.iter().map(|(name, value)| Work::FieldValue(name, *value));
            list(parts, "fields", values);
        }
        ExprKind::Field { record, field } => {
            parts.extend([Work::Key("record"), Work::Expr(*record)]);
            parts.extend([Work::Key("field"), Work::Ident(field)]);
        }
        ExprKind::Index { array, index } => {
            parts.extend([Work::Key("array"), Work::Expr(*array)]);
            parts.extend([Work::Key("index"), Work::Expr(*index)]);
        }
    }
    parts.push(Work::Close(Some(expr.span)));
}

fn expr_kind(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Number(_) => "number",
        ExprKind::Null => "null",
        ExprKind::Input => "input",
        ExprKind::Name(_) => "name",
        ExprKind::AddressOf(_) => "address_of",
        ExprKind::Deref(_) => "deref",
        ExprKind::Alloc(_) => "alloc",
        ExprKind::Not(_) => "not",
        ExprKind::Binary { .. } => "binary",
        ExprKind::Call { .. } => "call",
        ExprKind::Array(_) => "array",
        ExprKind::Record(_) => "record",
        ExprKind::Field { .. } => "field",
        ExprKind::Index { .. } => "index",
    }
}

fn list<'a>(parts: &mut Vec<Work<'a>>, key: &'static str, items: impl Iterator<Item = Work<'a>>) {
    parts.extend([Work::Key(key), Work::OpenList]);
    for item in items {
        parts.push(item);
    }
    parts.push(Work::CloseList);
}

/// Writes JSON with commas and indentation in their places.
struct Writer {
    out: String,
    indent: Option<usize>,
    level: usize,
    before: Before,
}

/// What stands before the next item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or the key of this value.
    Nothing,
    /// The opening bracket of its list or object.
    Bracket,
    /// Another item.
    Item,
}

impl Writer {
    /// Starts an item of a list or of an object.
    fn item(&mut self) {
        if self.before == Before::Item {
            self.out.push(',');
        }
        if self.before != Before::Nothing {
            self.new_line();
        }
        self.before = Before::Item;
    }

    fn new_line(&mut self) {
        if let Some(spaces) = self.indent {
            self.out.push('\n');
            for _ in 0..self.level.min(MAX_INDENTED) {
                self.out.extend(std::iter::repeat_n(" ", spaces));
            }
        }
    }

    fn open(&mut self, bracket: char) {
        self.item();
        self.out.push(bracket);
        self.level += 1;
        self.before = Before::Bracket;
    }

    fn close(&mut self, bracket: char) {
        self.level -= 1;
        if self.before == Before::Item {
            self.new_line();
        }
        self.out.push(bracket);
        self.before = Before::Item;
    }

    /// The start of a node of this kind.
    fn object(&mut self, kind: &str) {
        self.open('{');
        self.key("kind");
        self.text(kind);
    }

    /// A key; none of ours has characters that JSON would escape.
    fn key(&mut self, key: &str) {
        self.item();
        self.out.push('"');
        self.out.push_str(key);
        self.out.push('"');
        self.out.push_str(self.colon());
        self.before = Before::Nothing;
    }

    fn colon(&self) -> &'static str {
        if self.indent.is_some() { ": " } else { ":" }
    }

    fn text(&mut self, text: &str) {
        self.item();
        self.out.push_str(&serde_json::Value::from(text).to_string());
    }

    fn number(&mut self, value: &Integer) {
        const EXACT: u64 = 1 << 53;
        match value.to_i64() {
            Some(small) if small.unsigned_abs() <= EXACT => {
                self.item();
                // Writing to a string does not fail.
                let _ = write!(self.out, "{small}");
            }
            _ => self.text(&value.to_string()),
        }
    }

    /// A place, on one line even where the rest is indented: nobody reads it on ten.
    fn span(&mut self, span: Span) {
        self.item();
        let (comma, colon) = (if self.indent.is_some() { ", " } else { "," }, self.colon());
        let Span { start, end, .. } = span;
        // Writing to a string does not fail.
        let _ = write!(
            self.out,
            "{{\"start\"{colon}{{\"line\"{colon}{}{comma}\"column\"{colon}{}}}{comma}\
             \"end\"{colon}{{\"line\"{colon}{}{comma}\"column\"{colon}{}}}}}",
            start.line, start.column, end.line, end.column
        );
    }
}

#[cfg(test)]
mod tests;
