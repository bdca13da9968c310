//! Random programs, for property tests here and (with the feature `testing`) elsewhere.
//!
//! A program is first drawn as a loose tree in which names are numbers, and then built with
//! names that are declared and calls that have the right number of arguments. Spans are all alike;
//! who needs places prints the program and parses it.

mod strategies;
mod tree;

use crate::ast::{Expr, Exprs, Ident, Program, Stmt, StmtKind, VarStmt};
use crate::ast::{ExprKind, Function};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Span};
pub use strategies::{programs, terminating_programs};

/// The span of everything that has none.
const NOWHERE: Span = Span::new(FileId(0), Position::new(1, 1), Position::new(1, 1));

fn ident(name: impl Into<String>) -> Ident {
    Ident { name: name.into(), span: NOWHERE }
}

/// Errors as tests want to see them: `line:column message | label | help`, the empty parts left out,
/// and other places below.
pub fn render(errors: &[Diagnostic]) -> String {
    let mut out = String::new();
    for error in errors {
        let place = error.span.map(|span| format!("{} ", span.start)).unwrap_or_default();
        out += &format!("{place}{}", error.message);
        for part in [Some(&error.label), error.help.as_ref()].into_iter().flatten() {
            if !part.is_empty() {
                out += &format!(" | {part}");
            }
        }
        out.push('\n');
        for (span, text) in &error.related {
            out += &format!("    {} {text}\n", span.start);
        }
    }
    out
}

/// The program with all spans alike, so that two programs have the same structure if and only if
/// their `Debug` outputs are the same.
pub fn without_spans(program: &Program) -> Program {
    let mut exprs = Exprs::default();
    for Expr { kind, first, .. } in program.exprs.iter() {
        let leaf = first.0 as usize == exprs.len();
        exprs.push(kind_without_spans(kind), NOWHERE, NOWHERE, (!leaf).then_some(*first));
    }
    let idents = |idents: &[Ident]| idents.iter().map(|i| ident(&i.name)).collect();
    let function = |function: &Function| Function {
        name: ident(&function.name.name),
        params: idents(&function.params),
        vars: (function.vars.iter())
            .map(|stmt| VarStmt { names: idents(&stmt.names), span: NOWHERE })
            .collect(),
        body: function.body.iter().map(stmt_without_spans).collect(),
        result: function.result,
        return_span: NOWHERE,
        span: NOWHERE,
    };
    Program { functions: program.functions.iter().map(function).collect(), exprs }
}

fn kind_without_spans(kind: &ExprKind) -> ExprKind {
    match kind {
        ExprKind::AddressOf(name) => ExprKind::AddressOf(ident(&name.name)),
        ExprKind::Record(fields) => ExprKind::Record(
            fields.iter().map(|(name, value)| (ident(&name.name), *value)).collect(),
        ),
        ExprKind::Field { record, field } => {
            ExprKind::Field { record: *record, field: ident(&field.name) }
        }
        other => other.clone(),
    }
}

/// Recursive: the parser bounds how deep statements nest.
fn stmt_without_spans(stmt: &Stmt) -> Stmt {
    let boxed = |stmt: &Stmt| Box::new(stmt_without_spans(stmt));
    let kind = match &stmt.kind {
        StmtKind::If { guard, then, otherwise } => StmtKind::If {
            guard: *guard,
            then: boxed(then),
            otherwise: otherwise.as_deref().map(boxed),
        },
        StmtKind::While { guard, body } => StmtKind::While { guard: *guard, body: boxed(body) },
        StmtKind::Block(stmts) => StmtKind::Block(stmts.iter().map(stmt_without_spans).collect()),
        other => other.clone(),
    };
    Stmt { kind, span: NOWHERE }
}
