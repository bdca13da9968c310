//! Counts the operations of a program that could fail if their operands were others.

use crate::tree::{Expr, Operator, Place, Program, Stmt};

/// How many there are: divisions by what is no constant, computed indices, pointers that are followed, assertions.
pub(crate) fn places(program: &Program) -> u64 {
    program.functions.iter().map(|f| in_block(&f.body) + in_expr(&f.result)).sum()
}

fn in_block(block: &[Stmt]) -> u64 {
    block.iter().map(in_stmt).sum()
}

fn in_stmt(stmt: &Stmt) -> u64 {
    match stmt {
        Stmt::Declare(_, _, value) => value.as_ref().map_or(0, in_expr),
        Stmt::Assign(to, value) => in_place(to) + in_expr(value),
        Stmt::Output(value, _) | Stmt::Assume(value) => in_expr(value),
        Stmt::If(guard, then, otherwise) => in_expr(guard) + in_block(then) + in_block(otherwise),
        Stmt::While(guard, body) | Stmt::DoWhile(body, guard) => in_expr(guard) + in_block(body),
        Stmt::For { start, guard, body, .. } => in_expr(start) + in_expr(guard) + in_block(body),
        Stmt::Block(body) => in_block(body),
        Stmt::Assert(_, holds) => 1 + in_expr(holds),
        Stmt::Break | Stmt::Continue | Stmt::Exit => 0,
    }
}

fn in_place(place: &Place) -> u64 {
    match place {
        Place::Element(_, index) => computed(index) + in_expr(index),
        Place::Target(_) | Place::Through(..) => 1,
        Place::Planted(_, inner) => in_place(inner),
        Place::Variable(_) | Place::Field(..) => 0,
    }
}

fn in_expr(expr: &Expr) -> u64 {
    let all = |exprs: &[Expr]| exprs.iter().map(in_expr).sum();
    match expr {
        Expr::Read(place) => in_place(place),
        Expr::Binary(operator, left, right) => {
            let divides = matches!(operator, Operator::Div | Operator::Rem);
            let itself = if divides { computed(right) } else { 0 };
            itself + in_expr(left) + in_expr(right)
        }
        Expr::Not(inner) | Expr::Alloc(inner) | Expr::Planted(_, inner) => in_expr(inner),
        Expr::Node(value, next) => in_expr(value) + in_expr(next),
        Expr::Call(_, exprs) | Expr::Array(exprs) | Expr::Record(exprs) => all(exprs),
        Expr::Number(_) | Expr::Input(_) | Expr::Null | Expr::AddressOf(_) => 0,
    }
}

/// 1 for what is no constant.
fn computed(expr: &Expr) -> u64 {
    u64::from(!matches!(expr.bare(), Expr::Number(_)))
}
