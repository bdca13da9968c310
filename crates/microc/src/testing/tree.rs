//! Programs before names are given out, and how they become syntax trees.

use super::{NOWHERE, ident};
use crate::ast::{
    BinaryOp, ExprId, ExprKind, Exprs, Function, Ident, Program, Stmt, StmtKind, VarStmt,
};
use loupe_integer::Integer;

/// An expression. Numbers in place of names count around what there is.
#[derive(Clone, Debug)]
pub(super) enum ETree {
    Number(Integer),
    Null,
    Input,
    /// Any local or function.
    Name(u8),
    /// The local of this very name.
    Local(&'static str),
    AddressOf(u8),
    AddressOfLocal(&'static str),
    Deref(Box<ETree>),
    Alloc(Box<ETree>),
    Not(Box<ETree>),
    Binary(BinaryOp, Box<ETree>, Box<ETree>),
    Call(Box<ETree>, Vec<ETree>),
    /// A call of a function that stands before this one, or a number if there is none.
    CallEarlier(u8, Vec<ETree>),
    Array(Vec<ETree>),
    Record(Vec<(u8, ETree)>),
    Field(Box<ETree>, u8),
    Index(Box<ETree>, Box<ETree>),
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum STree {
    Assign(PTree, ETree),
    Output(ETree),
    If(ETree, Box<STree>, Option<Box<STree>>),
    While(ETree, Box<STree>),
    /// A loop that runs as often as the number says, with a counter of its own; where loops nest
    /// deeper than there are counters, the body alone.
    Repeat(u8, Box<STree>),
    Block(Vec<STree>),
}

/// What an assignment may have on its left.
#[derive(Clone, Debug)]
pub(super) enum PTree {
    AnyLocal(u8),
    Local(&'static str),
    Deref(ETree),
    Index(ETree, ETree),
    Field(Box<PTree>, u8),
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct FTree {
    pub(super) params: u8,
    pub(super) vars: Vec<Vec<String>>,
    pub(super) body: Vec<STree>,
    pub(super) result: ETree,
}

/// The counters of [`STree::Repeat`], by depth.
pub(super) const COUNTERS: [&str; 2] = ["c0", "c1"];

/// The names of the fields.
const FIELDS: [&str; 3] = ["f", "g", "next"];

/// Makes a program of functions, the last of which is `main`.
pub(super) fn build(functions: &[FTree]) -> Program {
    let last = functions.len().saturating_sub(1);
    let names: Vec<String> = (0..functions.len())
        .map(|i| if i == last { "main".to_owned() } else { format!("f{i}") })
        .collect();
    let mut program = Program::default();
    for (index, function) in functions.iter().enumerate() {
        let params: Vec<String> = (0..function.params).map(|i| format!("p{i}")).collect();
        let locals = params.iter().chain(function.vars.iter().flatten()).cloned().collect();
        let mut builder = Builder {
            exprs: std::mem::take(&mut program.exprs),
            names: &names,
            arities: functions.iter().map(|function| function.params as usize).collect(),
            index,
            locals,
            loops: 0,
        };
        let body = function.body.iter().map(|stmt| builder.stmt(stmt)).collect();
        let result = builder.expr(&function.result);
        program.exprs = builder.exprs;
        let vars =
            function.vars.iter().map(|names| VarStmt { names: idents(names), span: NOWHERE });
        program.functions.push(Function {
            name: ident(&names[index]),
            params: idents(&params),
            vars: vars.collect(),
            body,
            result,
            return_span: NOWHERE,
            span: NOWHERE,
        });
    }
    program
}

fn idents(names: &[String]) -> Vec<Ident> {
    names.iter().map(ident).collect()
}

struct Builder<'a> {
    exprs: Exprs,
    /// The functions, and how many parameters each has.
    names: &'a [String],
    arities: Vec<usize>,
    /// The function that is being built.
    index: usize,
    locals: Vec<String>,
    /// How many counted loops are open.
    loops: usize,
}

// Recursive throughout: what is drawn here is a few levels deep.
impl Builder<'_> {
    fn stmt(&mut self, stmt: &STree) -> Stmt {
        let kind = match stmt {
            STree::Assign(place, value) => {
                let place = self.place(place);
                StmtKind::Assign { place, value: self.expr(value) }
            }
            STree::Output(value) => StmtKind::Output(self.expr(value)),
            STree::If(guard, then, otherwise) => {
                let guard = self.expr(guard);
                let mut then = self.stmt(then);
                // An inner `if` would take the `else`.
                if otherwise.is_some() && !matches!(then.kind, StmtKind::Block(_)) {
                    then = block(vec![then]);
                }
                let otherwise = otherwise.as_ref().map(|stmt| Box::new(self.stmt(stmt)));
                StmtKind::If { guard, then: Box::new(then), otherwise }
            }
            STree::While(guard, body) => {
                let guard = self.expr(guard);
                StmtKind::While { guard, body: Box::new(self.stmt(body)) }
            }
            STree::Repeat(times, body) => return self.repeat(*times, body),
            STree::Block(stmts) => StmtKind::Block(stmts.iter().map(|s| self.stmt(s)).collect()),
        };
        Stmt { kind, span: NOWHERE }
    }

    fn repeat(&mut self, times: u8, body: &STree) -> Stmt {
        let Some(counter) = COUNTERS.get(self.loops) else {
            return self.stmt(body);
        };
        let number = |value: u8| Box::new(ETree::Number(Integer::from(value)));
        let local = || Box::new(ETree::Local(counter));
        let start = STree::Assign(PTree::Local(counter), *number(times));
        let guard = ETree::Binary(BinaryOp::Gt, local(), number(0));
        let less = ETree::Binary(BinaryOp::Sub, local(), number(1));
        let step = STree::Assign(PTree::Local(counter), less);
        let start = self.stmt(&start);
        let guard = self.expr(&guard);
        let step = self.stmt(&step);
        self.loops += 1;
        let body = self.stmt(body);
        self.loops -= 1;
        let kind = StmtKind::While { guard, body: Box::new(block(vec![step, body])) };
        block(vec![start, Stmt { kind, span: NOWHERE }])
    }

    fn place(&mut self, place: &PTree) -> ExprId {
        match place {
            PTree::AnyLocal(number) => match cycle(&self.locals, *number).cloned() {
                Some(name) => self.leaf(ExprKind::Name(name)),
                None => self.expr(&ETree::Deref(Box::new(ETree::Null))),
            },
            PTree::Local(name) => self.expr(&ETree::Local(name)),
            PTree::Deref(pointer) => {
                let pointer = self.expr(pointer);
                self.node(ExprKind::Deref(pointer), pointer)
            }
            PTree::Index(array, index) => self.index(array, index),
            PTree::Field(record, number) => {
                let record = self.place(record);
                self.field(record, *number)
            }
        }
    }

    fn expr(&mut self, tree: &ETree) -> ExprId {
        match tree {
            ETree::Number(value) => self.leaf(ExprKind::Number(value.clone())),
            ETree::Null => self.leaf(ExprKind::Null),
            ETree::Input => self.leaf(ExprKind::Input),
            ETree::Name(number) => {
                let all: Vec<&String> = self.locals.iter().chain(self.names).collect();
                let name = cycle(&all, *number).map_or_else(String::new, |name| (*name).clone());
                self.leaf(ExprKind::Name(name))
            }
            ETree::Local(name) => self.leaf(ExprKind::Name((*name).to_owned())),
            ETree::AddressOf(number) => match cycle(&self.locals, *number) {
                Some(name) => self.leaf(ExprKind::AddressOf(ident(name))),
                None => self.leaf(ExprKind::Null),
            },
            ETree::AddressOfLocal(name) => self.leaf(ExprKind::AddressOf(ident(*name))),
            ETree::Deref(operand) => {
                let operand = self.expr(operand);
                self.node(ExprKind::Deref(operand), operand)
            }
            ETree::Alloc(operand) => {
                let operand = self.expr(operand);
                self.node(ExprKind::Alloc(operand), operand)
            }
            ETree::Not(operand) => {
                let operand = self.expr(operand);
                self.node(ExprKind::Not(operand), operand)
            }
            ETree::Binary(op, left, right) => {
                let left = self.expr(left);
                let right = self.expr(right);
                self.node(ExprKind::Binary { op: *op, left, right }, left)
            }
            ETree::Call(callee, args) => {
                let callee = self.expr(callee);
                self.call(callee, args)
            }
            ETree::CallEarlier(number, args) => {
                match cycle(&self.names[..self.index], *number).cloned() {
                    Some(name) => {
                        let callee = self.leaf(ExprKind::Name(name));
                        self.call(callee, args)
                    }
                    None => self.leaf(ExprKind::Number(Integer::from(*number))),
                }
            }
            ETree::Array(items) => {
                let items: Vec<ExprId> = items.iter().map(|item| self.expr(item)).collect();
                let first = items.first().copied();
                self.exprs.push(ExprKind::Array(items), NOWHERE, NOWHERE, first)
            }
            ETree::Record(fields) => self.record(fields),
            ETree::Field(record, number) => {
                let record = self.expr(record);
                self.field(record, *number)
            }
            ETree::Index(array, index) => self.index(array, index),
        }
    }

    /// A call, with the right number of arguments if it is plain which function is called.
    fn call(&mut self, callee: ExprId, args: &[ETree]) -> ExprId {
        let function = match &self.exprs.get(callee).kind {
            ExprKind::Name(name) if !self.locals.contains(name) => {
                self.names.iter().position(|other| other == name)
            }
            _ => None,
        };
        let count = function.map_or(args.len(), |index| self.arities[index]);
        let given = args.iter().cloned().chain(std::iter::repeat(ETree::Input));
        let args = given.take(count).map(|arg| self.expr(&arg)).collect();
        self.node(ExprKind::Call { callee, args }, callee)
    }

    fn record(&mut self, fields: &[(u8, ETree)]) -> ExprId {
        let mut built: Vec<(Ident, ExprId)> = Vec::new();
        for (number, value) in fields {
            let name = FIELDS[*number as usize % FIELDS.len()];
            if built.iter().all(|(other, _)| other.name != name) {
                built.push((ident(name), self.expr(value)));
            }
        }
        let first = built.first().map(|(_, value)| *value);
        self.exprs.push(ExprKind::Record(built), NOWHERE, NOWHERE, first)
    }

    fn field(&mut self, record: ExprId, number: u8) -> ExprId {
        let field = ident(FIELDS[number as usize % FIELDS.len()]);
        self.node(ExprKind::Field { record, field }, record)
    }

    fn index(&mut self, array: &ETree, index: &ETree) -> ExprId {
        let array = self.expr(array);
        let index = self.expr(index);
        self.node(ExprKind::Index { array, index }, array)
    }

    fn leaf(&mut self, kind: ExprKind) -> ExprId {
        self.exprs.push(kind, NOWHERE, NOWHERE, None)
    }

    fn node(&mut self, kind: ExprKind, first: ExprId) -> ExprId {
        self.exprs.push(kind, NOWHERE, NOWHERE, Some(first))
    }
}

fn block(stmts: Vec<Stmt>) -> Stmt {
    Stmt { kind: StmtKind::Block(stmts), span: NOWHERE }
}

fn cycle<T>(items: &[T], number: u8) -> Option<&T> {
    (!items.is_empty()).then(|| &items[number as usize % items.len()])
}
