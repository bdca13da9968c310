//! Programs of numbers only, as C programs: gcc knows how 32-bit numbers wrap around.
//!
//! Every operation becomes a statement of its own, so that C evaluates in the order of microc. Many
//! programs become one C file, for the sake of time.

use crate::interpreter::{Behaviour, End};
use crate::{compile, execute};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::ArrayKind;
use loupe_ir::types::IntType;
use loupe_microc::Dialect;
use loupe_microc::ast::{BinaryOp, ExprId, ExprKind, Function, Program, Stmt, StmtKind};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const PROGRAMS: usize = 250;

const DIALECT: Dialect = Dialect { numbers: IntType::signed(32), arrays: ArrayKind::Reference };

/// What all programs read.
const INPUTS: [i32; 6] = [7, -1, i32::MAX, 0, i32::MIN, 65_536];

/// How every C file starts. With `-fwrapv`, the negation of the least number is that number.
const PRELUDE: &str = r#"
#include <setjmp.h>
#include <stdio.h>
static jmp_buf end;
static int position;
static int input(void) {
    return position < INPUTS ? inputs[position++] : -1;
}
static int divide(int a, int b, int line, int column) {
    if (b == 0) {
        printf("division-by-zero %d:%d\n", line, column);
        longjmp(end, 1);
    }
    return b == -1 ? -a : a / b;
}
"#;

fn number(depth: u32) -> BoxedStrategy<String> {
    let small = (-3i32..10).prop_map(|value| value.to_string());
    let large = select(vec![i32::MAX, i32::MIN, i32::MAX - 1, 46_341, 65_536, -65_536, 1 << 30]);
    let leaf = prop_oneof![
        4 => small,
        2 => large.prop_map(|value| value.to_string()),
        6 => select(vec!["x", "y", "z", "p"]).prop_map(str::to_owned),
        1 => Just("input".to_owned()),
    ];
    let Some(depth) = depth.checked_sub(1) else { return leaf.boxed() };
    let operators = ["+", "-", "*", "/", "+", "-", "*", "/"];
    let relations = ["==", "!=", "<", "<=", ">", ">=", "&&", "||"];
    let operator = select([operators, relations].concat());
    let inner = number(depth);
    prop_oneof![
        1 => leaf,
        4 => (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
        1 => inner.prop_map(|a| format!("!{a}")),
    ]
    .boxed()
}

fn statement(depth: u32, calls: &'static [&'static str]) -> BoxedStrategy<String> {
    let place = || select(vec!["x", "y", "z"]);
    let simple = prop_oneof![
        4 => (place(), number(3)).prop_map(|(place, value)| format!("{place} = {value};")),
        1 => number(2).prop_map(|value| format!("output {value};")),
        1 => (place(), number(1), number(2), select(calls.to_vec())).prop_map(
            |(place, left, right, call)| format!("{place} = {left} - {call}({right});")
        ),
    ];
    let Some(depth) = depth.checked_sub(1) else { return simple.boxed() };
    let inner = statement(depth, calls);
    let several = vec(inner.clone(), 1..4).prop_map(|stmts| stmts.join(" "));
    prop_oneof![
        4 => simple,
        1 => (number(2), inner.clone(), several.clone())
            .prop_map(|(guard, a, b)| format!("if ({guard}) {{ {a} }} else {{ {b} }}")),
        1 => (number(2), inner).prop_map(|(guard, a)| format!("if ({guard}) {a}")),
        1 => (0..4, several).prop_map(move |(times, body)| format!(
            "c{depth} = {times}; while (c{depth} > 0) {{ c{depth} = c{depth} - 1; {body} }}"
        )),
    ]
    .boxed()
}

/// Programs of numbers only that end.
fn programs() -> impl Strategy<Value = String> {
    let body = |calls| (vec(statement(2, calls), 1..6).prop_map(|s| s.join("\n    ")), number(2));
    (body(&["f"]), body(&["f", "g"])).prop_map(|((g, g_result), (main, main_result))| {
        let start = "var x, y, z, c0, c1;\n    x = 1; y = p; z = -1; c0 = 0; c1 = 0;";
        format!(
            "f(p) {{ return p / 2 + 3 * p; }}\n\
             g(p) {{\n    {start}\n    {g}\n    return {g_result};\n}}\n\
             main(p) {{\n    {start}\n    {main}\n    return {main_result};\n}}\n"
        )
    })
}

/// A C program in the making. Recursive, like what it translates is: a few levels.
struct Translation<'a> {
    program: &'a Program,
    /// What the names of its functions start with.
    prefix: String,
    temporaries: usize,
    c: String,
}

impl Translation<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.c, "{line}").expect("strings can be written to");
    }

    fn function(&mut self, function: &Function) {
        let params: Vec<String> =
            function.params.iter().map(|param| format!("int {}", param.name)).collect();
        let (prefix, name) = (self.prefix.clone(), &function.name.name);
        self.line(format_args!("static int {prefix}{name}({}) {{", params.join(", ")));
        for variable in function.vars.iter().flat_map(|stmt| &stmt.names) {
            self.line(format_args!("int {};", variable.name));
        }
        function.body.iter().for_each(|stmt| self.statement(stmt));
        let result = self.expr(function.result);
        self.line(format_args!("return {result};\n}}"));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let ExprKind::Name(name) = &self.program.exprs.get(*place).kind else {
                    panic!("only variables are assigned to");
                };
                let value = self.expr(*value);
                self.line(format_args!("{name} = {value};"));
            }
            StmtKind::Output(value) => {
                let value = self.expr(*value);
                self.line(format_args!("printf(\"%d\\n\", {value});"));
            }
            StmtKind::If { guard, then, otherwise } => {
                let guard = self.expr(*guard);
                self.line(format_args!("if ({guard}) {{"));
                self.statement(then);
                self.line(format_args!("}} else {{"));
                otherwise.iter().for_each(|stmt| self.statement(stmt));
                self.line(format_args!("}}"));
            }
            StmtKind::While { guard, body } => {
                self.line(format_args!("for (;;) {{"));
                let guard = self.expr(*guard);
                self.line(format_args!("if (!{guard}) break;"));
                self.statement(body);
                self.line(format_args!("}}"));
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.statement(stmt)),
        }
    }

    /// The temporary that holds the value of an expression.
    fn expr(&mut self, id: ExprId) -> String {
        let program = self.program;
        let expr = program.exprs.get(id);
        let value = match &expr.kind {
            ExprKind::Number(value) if value.to_i64() == Some(i32::MIN.into()) => {
                "-2147483647 - 1".to_owned()
            }
            ExprKind::Number(value) => value.to_string(),
            ExprKind::Input => "input()".to_owned(),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Not(operand) => format!("!{}", self.expr(*operand)),
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(*left), self.expr(*right));
                let at = expr.anchor.start;
                match op {
                    BinaryOp::Div => format!("divide({left}, {right}, {}, {})", at.line, at.column),
                    _ => format!("{left} {} {right}", op.symbol()),
                }
            }
            ExprKind::Call { callee, args } => {
                let ExprKind::Name(name) = &program.exprs.get(*callee).kind else {
                    panic!("only names are called");
                };
                let args: Vec<String> = args.iter().map(|arg| self.expr(*arg)).collect();
                format!("{}{name}({})", self.prefix, args.join(", "))
            }
            other => panic!("no expression of numbers: {other:?}"),
        };
        self.temporaries += 1;
        let name = format!("t{}", self.temporaries);
        self.line(format_args!("int {name} = {value};"));
        name
    }
}

/// A C file that runs all programs one after the other.
fn translate(programs: &[Program]) -> String {
    let inputs = INPUTS.map(|value| {
        if value == i32::MIN { "-2147483647 - 1".to_owned() } else { value.to_string() }
    });
    let mut c = format!(
        "#define INPUTS {}\nstatic const int inputs[] = {{{}}};\n{PRELUDE}",
        INPUTS.len(),
        inputs.join(", ")
    );
    let mut main = "int main(void) {\n".to_owned();
    for (number, program) in programs.iter().enumerate() {
        let prefix = format!("p{number}_");
        main += &format!(
            "puts(\"program\"); position = 0;\nif (!setjmp(end)) printf(\"returned %d\\n\", {prefix}main(5));\n"
        );
        let mut translation = Translation { program, prefix, temporaries: 0, c };
        program.functions.iter().for_each(|function| translation.function(function));
        c = translation.c;
    }
    c + &main + "return 0;\n}\n"
}

/// Compiles and runs a C file; what it prints.
fn output_of(c: &str) -> String {
    let name = format!("numbers-{}", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = path.with_extension("c");
    std::fs::write(&source, c).expect("a file can be written");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-fwrapv", "-w", "-o"]).arg(&path).arg(&source);
    assert!(gcc.status().expect("gcc starts").success(), "gcc rejects {}", source.display());
    let run = Command::new(&path).output().expect("the program starts");
    assert!(run.status.success(), "{} ends with {}", path.display(), run.status);
    // Kept if anything went wrong before.
    for file in [path, source] {
        std::fs::remove_file(file).expect("the file is there");
    }
    String::from_utf8(run.stdout).expect("numbers and words")
}

/// A behaviour as the C programs print it.
fn printed(behaviour: &Behaviour) -> String {
    let mut text = "\n".to_owned();
    for output in &behaviour.outputs {
        text += &format!("{output}\n");
    }
    text += &match &behaviour.end {
        End::Returned(value) => format!("returned {value}\n"),
        End::Failed(CheckKind::DivisionByZero, span) => {
            format!("division-by-zero {}\n", span.start)
        }
        other => panic!("no end of a program of numbers: {other:?}"),
    };
    text
}

#[test]
fn gcc_agrees() {
    if Command::new("gcc").arg("--version").output().is_err() {
        // Not `eprintln`, which tests that pass keep to themselves.
        writeln!(std::io::stderr(), "SKIPPED: there is no gcc to compare with").ok();
        return;
    }
    let mut runner = TestRunner::default();
    let strategy = programs();
    let texts: Vec<String> = (0..PROGRAMS)
        .map(|_| strategy.new_tree(&mut runner).expect("no filters").current())
        .collect();
    let compiled: Vec<_> = texts.iter().map(|text| compile(text, DIALECT)).collect();
    let trees: Vec<Program> = compiled.iter().map(|compiled| compiled.tree.clone()).collect();
    let output = output_of(&translate(&trees));
    let expected: Vec<&str> = output.split("program").skip(1).collect();
    assert_eq!(expected.len(), PROGRAMS);
    let returned = output.matches("returned").count();
    assert!((PROGRAMS / 4..PROGRAMS).contains(&returned), "{returned} programs return");
    let inputs = INPUTS.map(Integer::from);
    for ((text, compiled), expected) in texts.iter().zip(&compiled).zip(expected) {
        let found = execute(&compiled.graph, &[Integer::from(5)], &inputs, 10_000_000);
        assert_eq!(printed(&found), expected, "the engine on the left, gcc on the right:\n{text}");
    }
}
