//! Prints trees as C or microc, in many ways that mean the same.

use crate::tree::{
    Condition, Dice, Expr, HIGH, Kind, LENGTH, LOW, Operator, Program, Relation, Stmt,
};
use std::fmt::Write;

/// How loops are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    While,
    For,
    Endless,
    Goto,
    DoWhile,
}

/// Where variables live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Local,
    Global,
}

/// How a program is written.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) loops: Loops,
    pub(crate) scope: Scope,
    pub(crate) names: [&'static str; 3],
    /// Code that is never executed, and code that nobody reads.
    pub(crate) dead_code: Option<u64>,
}

impl Style {
    pub(crate) const USUAL: Style =
        Style { loops: Loops::While, scope: Scope::Local, names: ["x", "y", "z"], dead_code: None };
}

struct Printer<'s> {
    style: &'s Style,
    text: String,
    labels: usize,
    /// Where `goto` leaves the loops around a statement to.
    exits: Vec<usize>,
    dead: Option<Dice>,
    is_microc: bool,
}

const C_HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__); extern void free(void *);
";

/// The program as C.
pub(crate) fn c(program: &Program, style: &Style) -> String {
    let mut printer = Printer::new(style, false);
    let declared = program.variables.iter().zip(style.names);
    let declared = declared.map(|(kind, name)| format!("{} {name} = 0; ", type_name(*kind)));
    let declared =
        declared.collect::<String>() + &format!("int cells[{LENGTH}] = {{0}}; int *p = 0; ");
    let (global, local) = match style.scope {
        Scope::Local => ("", declared.as_str()),
        Scope::Global => (declared.as_str(), ""),
    };
    printer.block(&program.body);
    let input = format!(
        "static int in(void) {{ int v = __VERIFIER_nondet_int(); return v < {LOW} ? {LOW} : v > {HIGH} ? {HIGH} : v; }}"
    );
    let unused = match style.dead_code {
        Some(_) => "int unused(int n) { int s = 0; while (n != 0) s += n--; return s; }\n",
        None => "",
    };
    format!(
        "{C_HEAD}{input}\n{unused}{global}\nint main(void) {{ {local}\n{}return 0; }}\n",
        printer.text
    )
}

/// The program as microc.
pub(crate) fn microc(program: &Program, style: &Style) -> String {
    let mut printer = Printer::new(style, true);
    printer.block(&program.body);
    let names = style.names.join(", ");
    let zeros: String = style.names.iter().map(|name| format!("{name} = 0; ")).collect();
    let unused = match style.dead_code {
        Some(_) => "unused(n) { var s; s = 0; while (n) { s = s + n; n = n - 1; } return s; }\n",
        None => "",
    };
    let array = vec!["0"; LENGTH as usize].join(", ");
    format!(
        "{unused}main() {{ var {names}, cells, dead; {zeros} dead = 0; cells = [{array}];\n{}return 0; }}\n",
        printer.text
    )
}

const fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Byte => "unsigned char",
        Kind::Short => "short",
        Kind::Int | Kind::Unbounded => "int",
        Kind::Unsigned => "unsigned",
        Kind::Long => "long",
    }
}

impl Printer<'_> {
    fn new(style: &Style, is_microc: bool) -> Printer<'_> {
        let dead = style.dead_code.map(Dice);
        Printer { style, text: String::new(), labels: 0, exits: Vec::new(), dead, is_microc }
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.dead_code();
            self.stmt(stmt);
        }
    }

    fn dead_code(&mut self) {
        let name = self.style.names[0];
        let Some(dice) = &mut self.dead else { return };
        let line = match (dice.below(4), self.is_microc) {
            (0, false) => format!("if ({name} != {name}) reach_error();"),
            (1, false) => format!("{{ int dead = 5; if (dead > 6) {name} = 77; dead = {name}; }}"),
            (2, false) => format!("if (0) {{ {name} = 1 / 0; }}"),
            (0, true) => format!("if ({name} != {name}) {{ output 1 / 0; }}"),
            (1, true) => format!("dead = {name} + 5; if (dead < {name}) {{ {name} = 77; }}"),
            (2, true) => "if (0) { output 1 / 0; }".to_owned(),
            _ => return,
        };
        self.line(&line);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let names = self.style.names;
        match stmt {
            Stmt::Set(variable, value) => {
                let value = self.expr(value);
                self.line(&format!("{} = {value};", names[*variable]));
            }
            Stmt::Input(variable) if self.is_microc => {
                let name = names[*variable];
                self.line(&format!(
                    "{name} = input; if ({name} < {LOW}) {{ {name} = {LOW}; }} if ({name} > {HIGH}) {{ {name} = {HIGH}; }}"
                ));
            }
            Stmt::Input(variable) => self.line(&format!("{} = in();", names[*variable])),
            Stmt::StoreElement(index, value) => {
                let line = format!("cells[{}] = {};", self.expr(index), self.expr(value));
                self.line(&line);
            }
            Stmt::StoreCell(index, value) => {
                let line = format!("p[{}] = {};", self.expr(index), self.expr(value));
                self.line(&line);
            }
            Stmt::Allocate(cells) => self.line(&format!("p = calloc({cells}, sizeof(int));")),
            Stmt::Free { forgets } => {
                self.line(if *forgets { "free(p); p = 0;" } else { "free(p);" });
            }
            Stmt::Claim(claim) => {
                let claim = self.condition(claim);
                self.line(&match self.is_microc {
                    true => format!("if (!({claim})) {{ output 1 / 0; }}"),
                    false => format!("if (!({claim})) reach_error();"),
                });
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                self.line(&format!("if ({condition}) {{"));
                self.block(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.block(otherwise);
                }
                self.line("}");
            }
            Stmt::While(condition, body) => self.repeat(condition, body),
            Stmt::LeaveIf(condition) => {
                let condition = self.condition(condition);
                let leave = match self.style.loops {
                    Loops::Goto => {
                        format!("goto out{}", self.exits.last().copied().unwrap_or_default())
                    }
                    _ => "break".to_owned(),
                };
                self.line(&format!("if ({condition}) {leave};"));
            }
        }
    }

    fn repeat(&mut self, condition: &Condition, body: &[Stmt]) {
        let condition = self.condition(condition);
        let loops = if self.is_microc { Loops::While } else { self.style.loops };
        let label = self.labels;
        self.labels += 1;
        let (head, tail) = match loops {
            Loops::While => (format!("while ({condition}) {{"), "}".to_owned()),
            Loops::For => (format!("for (; {condition}; ) {{"), "}".to_owned()),
            Loops::Endless => (format!("for (;;) {{ if (!({condition})) break;"), "}".to_owned()),
            Loops::DoWhile => {
                (format!("if ({condition}) do {{"), format!("}} while ({condition});"))
            }
            Loops::Goto => (
                format!("top{label}: if (!({condition})) goto out{label};"),
                format!("goto top{label}; out{label}: ;"),
            ),
        };
        self.exits.push(label);
        self.line(&head);
        self.block(body);
        self.line(&tail);
        self.exits.pop();
    }

    fn condition(&self, condition: &Condition) -> String {
        let relation = match condition.relation {
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Greater => ">",
        };
        format!("{} {relation} {}", self.expr(&condition.left), self.expr(&condition.right))
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Constant(number) if *number < 0 => format!("({number})"),
            Expr::Constant(number) => number.to_string(),
            Expr::Variable(variable) => self.style.names[*variable].to_owned(),
            Expr::Element(index) => format!("cells[{}]", self.expr(index)),
            Expr::Cell(index) => format!("p[{}]", self.expr(index)),
            Expr::Binary(operator, left, right) => {
                let operator = match operator {
                    Operator::Add => "+",
                    Operator::Subtract => "-",
                    Operator::Multiply => "*",
                };
                let mut text = String::new();
                // Writing to a string does not fail.
                let _ = write!(text, "({} {operator} {})", self.expr(left), self.expr(right));
                text
            }
        }
    }
}
