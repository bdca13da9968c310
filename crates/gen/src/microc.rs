//! Programs as microc.
//!
//! All variables are declared at the start of their function. A `for` is an assignment and a `while` whose
//! last statement is the step, which is why there is no `continue` in microc programs.

use crate::text::{Lines, binary, mark};
use crate::tree::{Expr, FIELDS, Function, Operator, Place, Program, Stmt};

pub(crate) fn print(program: &Program) -> String {
    let mut lines = Lines::default();
    for (number, function) in program.functions.iter().enumerate() {
        if number > 0 {
            lines.line("");
        }
        print_function(function, &mut lines);
    }
    lines.finish()
}

fn print_function(function: &Function, lines: &mut Lines) {
    let parameters: Vec<_> = function.parameters.iter().map(|(name, _)| name.as_str()).collect();
    lines.open(&format!("{}({}) {{", function.name, parameters.join(", ")));
    let mut names = Vec::new();
    declared(&function.body, &mut names);
    if !names.is_empty() {
        lines.line(&format!("var {};", names.join(", ")));
    }
    statements(&function.body, lines);
    lines.line(&format!("return {};", expr(&function.result)));
    lines.close("}");
}

/// The variables of a block, in the order of the text.
fn declared<'p>(block: &'p [Stmt], names: &mut Vec<&'p str>) {
    for stmt in block {
        match stmt {
            Stmt::Declare(name, ..) => names.push(name),
            Stmt::For { counter, body, .. } => {
                names.push(counter);
                declared(body, names);
            }
            Stmt::If(_, then, otherwise) => {
                declared(then, names);
                declared(otherwise, names);
            }
            Stmt::While(_, body) | Stmt::DoWhile(body, _) | Stmt::Block(body) => {
                declared(body, names);
            }
            _ => {}
        }
    }
}

fn statements(block: &[Stmt], lines: &mut Lines) {
    for stmt in block {
        statement(stmt, lines);
    }
}

fn statement(stmt: &Stmt, lines: &mut Lines) {
    match stmt {
        Stmt::Declare(name, _, Some(value)) => lines.line(&format!("{name} = {};", expr(value))),
        Stmt::Assign(to, value) => lines.line(&format!("{} = {};", place(to), expr(value))),
        Stmt::Output(value, _) => lines.line(&format!("output {};", expr(value))),
        Stmt::If(guard, then, otherwise) => {
            lines.open(&format!("if ({}) {{", expr(guard)));
            statements(then, lines);
            if !otherwise.is_empty() {
                lines.between("} else {");
                statements(otherwise, lines);
            }
            lines.close("}");
        }
        Stmt::While(guard, body) => {
            lines.open(&format!("while ({}) {{", expr(guard)));
            statements(body, lines);
            lines.close("}");
        }
        Stmt::For { counter, start, guard, step, body } => {
            lines.line(&format!("{counter} = {};", expr(start)));
            lines.open(&format!("while ({}) {{", expr(guard)));
            statements(body, lines);
            lines.line(&format!("{counter} = {counter} + {step};"));
            lines.close("}");
        }
        Stmt::Block(body) => {
            lines.open("{");
            statements(body, lines);
            lines.close("}");
        }
        // The rest is C only, or nothing to do.
        Stmt::Declare(..)
        | Stmt::DoWhile(..)
        | Stmt::Break
        | Stmt::Continue
        | Stmt::Assert(..)
        | Stmt::Assume(_)
        | Stmt::Exit => {}
    }
}

fn place(place: &Place) -> String {
    let (mark, place) = match place {
        Place::Planted(kind, inner) => (mark(*kind), inner.as_ref()),
        place => (String::new(), place),
    };
    match place {
        Place::Variable(name) => format!("{mark}{name}"),
        Place::Element(array, index) => format!("{array}{mark}[{}]", expr(index)),
        Place::Field(record, field) => format!("{record}.{field}"),
        Place::Target(pointer) => format!("*{mark}{pointer}"),
        Place::Through(pointer, field) => format!("(*{mark}{pointer}).{field}"),
        Place::Planted(_, inner) => self::place(inner),
    }
}

fn list(items: &[Expr]) -> String {
    let items: Vec<_> = items.iter().map(expr).collect();
    items.join(", ")
}

fn expr(value: &Expr) -> String {
    match value {
        Expr::Number(number) => number.to_string(),
        Expr::Read(from) => place(from),
        Expr::Binary(operator, left, right) => operation((*operator, left, right), ""),
        Expr::Not(inner) => format!("!({})", expr(inner)),
        Expr::Call(function, arguments) => format!("{function}({})", list(arguments)),
        Expr::Input(_) => "input".to_owned(),
        Expr::Null => "null".to_owned(),
        Expr::AddressOf(name) => format!("&{name}"),
        Expr::Array(elements) => format!("[{}]", list(elements)),
        Expr::Record(fields) => {
            let fields = FIELDS.iter().zip(fields);
            let fields: Vec<_> = fields.map(|(f, value)| format!("{f}: {}", expr(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Expr::Node(value, next) => {
            format!("alloc {{value: {}, next: {}}}", expr(value), expr(next))
        }
        Expr::Alloc(value) => format!("alloc {}", operand(value)),
        Expr::Planted(kind, inner) => match inner.as_ref() {
            Expr::Binary(operator, left, right) => {
                operation((*operator, left, right), &mark(*kind))
            }
            other => expr(other),
        },
    }
}

/// What binds more tightly than any operator.
fn operand(value: &Expr) -> String {
    match value.bare() {
        Expr::Binary(..) => format!("({})", expr(value)),
        _ => expr(value),
    }
}

/// microc has no `%`; what stands on its left can be written twice.
fn operation((operator, left, right): (Operator, &Expr, &Expr), mark: &str) -> String {
    if operator == Operator::Rem {
        let quotient = Expr::binary(Operator::Div, left.clone(), right.clone());
        let multiple = Expr::binary(Operator::Mul, quotient, right.clone());
        return binary((Operator::Sub, left, &multiple), mark, expr);
    }
    binary((operator, left, right), mark, expr)
}
