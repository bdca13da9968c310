//! Programs as C, by the conventions of SV-COMP: inputs are `__VERIFIER_nondet_…()`, an error is a failed
//! assertion or a call of `reach_error`, results are printed.

use crate::parameters::ErrorKind;
use crate::text::{Lines, binary, mark, with_marks_first};
use crate::tree::{
    Assertion, Expr, FIELDS, Function, Number, Operator, Place, Program, Stmt, Type,
};

pub(crate) fn print(program: &Program) -> String {
    let mut functions = Lines::default();
    for function in &program.functions {
        functions.line("");
        print_function(function, &mut functions);
    }
    let functions = functions.finish();
    prelude(&functions) + &functions
}

/// What comes before the functions, as far as they need it.
fn prelude(functions: &str) -> String {
    let uses = |name: &str| functions.contains(name);
    let mut lines = Lines::default();
    let reaches = uses("reach_error(") || uses("__VERIFIER_assert(");
    for (needed, header) in [
        (reaches || uses("assert("), "assert"),
        (true, "stdio"),
        (uses("exit(") || uses("new_node("), "stdlib"),
    ] {
        if needed {
            lines.line(&format!("#include <{header}.h>"));
        }
    }
    lines.line("");
    for number in [Number::Int, Number::Unsigned, Number::Byte] {
        let name = input(number);
        if uses(name) {
            lines.line(&format!("extern {} {name}(void);", type_name(number)));
        }
    }
    if uses("__VERIFIER_assume(") {
        lines.line("extern void __VERIFIER_assume(int condition);");
    }
    for (needed, text) in [
        (reaches, "\nvoid reach_error(void) {\n    assert(0);\n}\n"),
        (uses("__VERIFIER_assert("), ASSERT),
        (uses("struct record"), "\nstruct record {\n    int first;\n    int second;\n};\n"),
        (uses("struct node"), "\nstruct node {\n    int value;\n    struct node *next;\n};\n"),
        (uses("new_node("), NEW_NODE),
    ] {
        if needed {
            lines.line(text.trim_end());
        }
    }
    lines.finish()
}

const ASSERT: &str = "
void __VERIFIER_assert(int condition) {
    if (!condition) {
        reach_error();
    }
}
";

const NEW_NODE: &str = "
struct node *new_node(int value, struct node *next) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL) {
        exit(0);
    }
    node->value = value;
    node->next = next;
    return node;
}
";

const fn type_name(number: Number) -> &'static str {
    match number {
        Number::Int => "int",
        Number::Unsigned => "unsigned int",
        Number::Byte => "unsigned char",
    }
}

const fn input(number: Number) -> &'static str {
    match number {
        Number::Int => "__VERIFIER_nondet_int",
        Number::Unsigned => "__VERIFIER_nondet_uint",
        Number::Byte => "__VERIFIER_nondet_uchar",
    }
}

fn declarator(name: &str, of: Type) -> String {
    match of {
        Type::Number(number) => format!("{} {name}", type_name(number)),
        Type::Array(length) => format!("int {name}[{length}]"),
        Type::Record => format!("struct record {name}"),
        Type::Pointer => format!("int *{name}"),
        Type::List => format!("struct node *{name}"),
    }
}

fn print_function(function: &Function, lines: &mut Lines) {
    let parameter = |(name, of): &(String, Type)| declarator(name, *of);
    let parameters: Vec<_> = function.parameters.iter().map(parameter).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    lines.open(&format!("int {}({parameters}) {{", function.name));
    statements(&function.body, lines);
    lines.line(&format!("return {};", expr(&function.result)));
    lines.close("}");
}

fn statements(block: &[Stmt], lines: &mut Lines) {
    for stmt in block {
        statement(stmt, lines);
    }
}

fn statement(stmt: &Stmt, lines: &mut Lines) {
    match stmt {
        Stmt::Declare(name, of, None) => lines.line(&format!("{};", declarator(name, *of))),
        Stmt::Declare(name, of, Some(value)) => {
            lines.line(&format!("{} = {};", declarator(name, *of), expr(value)));
        }
        Stmt::Assign(to, value) => lines.line(&format!("{};", assignment(to, value))),
        Stmt::Output(value, number) => {
            let format = if *number == Number::Unsigned { "%u" } else { "%d" };
            lines.line(&format!("printf(\"{format}\\n\", {});", expr(value)));
        }
        Stmt::If(guard, then, otherwise) => {
            lines.open(&format!("if ({}) {{", expr(guard)));
            statements(then, lines);
            if !otherwise.is_empty() {
                lines.between("} else {");
                statements(otherwise, lines);
            }
            lines.close("}");
        }
        Stmt::Block(body) => {
            lines.open("{");
            statements(body, lines);
            lines.close("}");
        }
        Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For { .. } => loop_statement(stmt, lines),
        Stmt::Break => lines.line("break;"),
        Stmt::Continue => lines.line("continue;"),
        Stmt::Assert(way, holds) => assert_statement(*way, holds, lines),
        Stmt::Assume(holds) => lines.line(&format!("__VERIFIER_assume({});", expr(holds))),
        Stmt::Exit => lines.line("exit(0);"),
    }
}

fn assert_statement(way: Assertion, holds: &Expr, lines: &mut Lines) {
    let (mark, holds) = match holds {
        Expr::Planted(ErrorKind::Assertion, holds) => (mark(ErrorKind::Assertion), expr(holds)),
        holds => (String::new(), expr(holds)),
    };
    match way {
        Assertion::Standard => {
            let (inner, holds) = with_marks_first(&holds);
            lines.line(&format!("{mark}{inner}assert({holds});"));
        }
        Assertion::Verifier => lines.line(&format!("{mark}__VERIFIER_assert({holds});")),
        Assertion::Reach => {
            lines.open(&format!("if (!({holds})) {{"));
            lines.line(&format!("{mark}reach_error();"));
            lines.close("}");
        }
    }
}

fn loop_statement(stmt: &Stmt, lines: &mut Lines) {
    match stmt {
        Stmt::While(guard, body) => {
            lines.open(&format!("while ({}) {{", expr(guard)));
            statements(body, lines);
            lines.close("}");
        }
        Stmt::DoWhile(body, guard) => {
            lines.open("do {");
            statements(body, lines);
            lines.close(&format!("}} while ({});", expr(guard)));
        }
        Stmt::For { counter, start, guard, step, body } => {
            let amount = Expr::Number(*step);
            let step = Expr::binary(Operator::Add, Expr::variable(counter), amount);
            let step = assignment(&Place::Variable(counter.clone()), &step);
            let (start, guard) = (expr(start), expr(guard));
            lines.open(&format!("for (int {counter} = {start}; {guard}; {step}) {{"));
            statements(body, lines);
            lines.close("}");
        }
        other => statement(other, lines),
    }
}

/// `x = x + 1` is `x++` and `x = x + y` is `x += y`.
fn assignment(to: &Place, value: &Expr) -> String {
    let target = place(to);
    if let Expr::Binary(operator, left, right) = value
        && matches!(left.as_ref(), Expr::Read(from) if from == to)
        && !matches!(to, Place::Element(_, index) if !matches!(index.as_ref(), Expr::Number(_) | Expr::Read(_)))
    {
        let step =
            if matches!(to, Place::Target(_)) { format!("({target})") } else { target.clone() };
        match (operator, right.as_ref()) {
            (Operator::Add, Expr::Number(1)) => return format!("{step}++"),
            (Operator::Sub, Expr::Number(1)) => return format!("{step}--"),
            (Operator::Add | Operator::Sub, right) => {
                return format!("{target} {}= {}", operator.symbol(), expr(right));
            }
            _ => {}
        }
    }
    // An array cannot be assigned, and a record only as a whole.
    format!("{target} = {}", expr(value))
}

fn place(place: &Place) -> String {
    match place {
        Place::Variable(name) => name.clone(),
        Place::Element(array, index) => format!("{array}[{}]", expr(index)),
        Place::Field(record, field) => format!("{record}.{field}"),
        Place::Target(pointer) => format!("*{pointer}"),
        Place::Through(pointer, field) => format!("{pointer}->{field}"),
        Place::Planted(kind, inner) => mark(*kind) + &self::place(inner),
    }
}

fn list(items: &[Expr]) -> String {
    let items: Vec<_> = items.iter().map(expr).collect();
    items.join(", ")
}

fn expr(value: &Expr) -> String {
    match value {
        // There is no literal for the least number.
        Expr::Number(number) if *number == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        Expr::Number(number) => number.to_string(),
        Expr::Read(from) => place(from),
        Expr::Binary(operator, left, right) => binary((*operator, left, right), "", expr),
        Expr::Not(inner) => format!("!({})", expr(inner)),
        Expr::Call(function, arguments) => format!("{function}({})", list(arguments)),
        Expr::Input(number) => format!("{}()", input(*number)),
        Expr::Null => "NULL".to_owned(),
        Expr::AddressOf(name) => format!("&{name}"),
        Expr::Array(elements) => format!("{{{}}}", list(elements)),
        Expr::Record(fields) => {
            let fields = FIELDS.iter().zip(fields);
            let fields: Vec<_> =
                fields.map(|(f, value)| format!(".{f} = {}", expr(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Expr::Node(value, next) => format!("new_node({}, {})", expr(value), expr(next)),
        // Only programs like those of the thesis have it, which are no C.
        Expr::Alloc(_) => "NULL".to_owned(),
        Expr::Planted(kind, inner) => mark(*kind) + &expr(inner),
    }
}
