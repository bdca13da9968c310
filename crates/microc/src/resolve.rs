//! What the names of a program mean, and the errors that need no execution to be seen.
//!
//! A name is a local (a parameter or a variable) of its function or else a function. Types are not
//! checked here: a value's kind is a matter of execution in microc.

mod similar;

use crate::ast::{
    Expr, ExprId, ExprKind, Exprs, Function, Ident, MAX_NESTING, Program, Stmt, StmtKind,
};
use crate::errors::{Errors, quote};
use loupe_integer::Integer;
use loupe_ir::diagnostic::Diagnostic;
use similar::most_similar;
use std::collections::HashMap;

/// A local of a function: parameters first, then variables, both in the order of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalIndex(pub u32);

/// A function of a program, in the order of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionIndex(pub u32);

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// A parameter or variable of the function in which the name stands.
    Local(LocalIndex),
    /// A function.
    Function(FunctionIndex),
}

/// The meaning of all names of a program.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// Indexed by expression; `None` for what is no name.
    bindings: Vec<Option<Binding>>,
    locals: Vec<Vec<Ident>>,
    functions: HashMap<String, FunctionIndex>,
    main: FunctionIndex,
}

impl Resolution {
    /// The meaning of a name or of the name in `&name`.
    ///
    /// # Panics
    ///
    /// If the expression is neither.
    pub fn binding(&self, expr: ExprId) -> Binding {
        match self.bindings.get(expr.0 as usize) {
            Some(Some(binding)) => *binding,
            _ => panic!("internal error: expression {} is no name", expr.0),
        }
    }

    /// The locals of a function, to be indexed by [`LocalIndex`].
    pub fn locals(&self, function: FunctionIndex) -> &[Ident] {
        &self.locals[function.0 as usize]
    }

    /// The function of this name, if there is one.
    pub fn function(&self, name: &str) -> Option<FunctionIndex> {
        self.functions.get(name).copied()
    }

    /// Where execution starts.
    pub fn main(&self) -> FunctionIndex {
        self.main
    }
}

/// Finds the meaning of all names.
///
/// # Errors
///
/// Undeclared and doubly declared names, calls of a function with a wrong number of arguments,
/// assignments to what is no place or a function, addresses of functions, a missing `main`; in the
/// order of the source, at most twenty and a remark if there are more.
pub fn resolve(program: &Program) -> Result<Resolution, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        program,
        functions: HashMap::new(),
        bindings: vec![None; program.exprs.len()],
        errors: Errors::default(),
    };
    resolver.declare_functions();
    let main = resolver.functions.get("main").copied();
    if main.is_none() {
        resolver.errors.push(
            Diagnostic::whole_file("the program has no function `main`")
                .help("execution starts there: add `main() { return 0; }`"),
        );
    }
    let locals = program.functions.iter().map(|function| resolver.function(function)).collect();
    let functions =
        resolver.functions.iter().map(|(name, index)| ((*name).to_owned(), *index)).collect();
    let main = main.unwrap_or(FunctionIndex(0));
    resolver.errors.finish(Resolution { bindings: resolver.bindings, locals, functions, main })
}

/// Checks that every literal is a signed number of `width` bits.
///
/// # Errors
///
/// The literals that are not, at most twenty and a remark if there are more.
pub fn check_literals(program: &Program, width: u32) -> Result<(), Vec<Diagnostic>> {
    let bound = Integer::power_of_two(width.saturating_sub(1));
    let lowest = bound.neg();
    let mut errors = Errors::default();
    for expr in program.exprs.iter() {
        if let ExprKind::Number(value) = &expr.kind
            && (*value < lowest || *value >= bound)
        {
            let message = format!("{} does not fit in {width} bits", quote(&value.to_string()));
            let help = format!("the numbers go from {lowest} to {}", bound.sub(&Integer::ONE));
            errors.push(Diagnostic::error(expr.span, message).help(help));
        }
    }
    errors.finish(())
}

struct Resolver<'a> {
    program: &'a Program,
    functions: HashMap<&'a str, FunctionIndex>,
    bindings: Vec<Option<Binding>>,
    errors: Errors,
}

/// The names of one function.
type Scope<'a> = HashMap<&'a str, LocalIndex>;

impl<'a> Resolver<'a> {
    fn declare_functions(&mut self) {
        for (index, function) in self.program.functions.iter().enumerate() {
            let name = function.name.name.as_str();
            match self.functions.get(name) {
                Some(first) => {
                    let first = &self.program.functions[first.0 as usize].name;
                    self.errors.push(declared_twice("function", &function.name, first));
                }
                None => {
                    self.functions.insert(name, FunctionIndex(index as u32));
                }
            }
        }
    }

    /// Resolves the names of a function and returns its locals.
    fn function(&mut self, function: &'a Function) -> Vec<Ident> {
        let mut locals: Vec<(&'a Ident, &'static str)> = Vec::new();
        let mut scope = Scope::new();
        let params = function.params.iter().map(|ident| (ident, "parameter"));
        let vars = function.vars.iter().flat_map(|stmt| &stmt.names);
        for (ident, kind) in params.chain(vars.map(|ident| (ident, "variable"))) {
            let next = LocalIndex(locals.len() as u32);
            let index = *scope.entry(&ident.name).or_insert(next);
            if index == next {
                locals.push((ident, kind));
            } else {
                let (first, kind) = locals[index.0 as usize];
                self.errors.push(declared_twice(kind, ident, first));
            }
        }
        // A worklist: statements nest. What comes later in the source lies deeper in it.
        let mut work: Vec<&'a Stmt> = function.body.iter().rev().collect();
        while let Some(stmt) = work.pop() {
            self.statement(stmt, &scope, &mut work);
        }
        self.expr(function.result, &scope);
        locals.into_iter().map(|(ident, _)| ident.clone()).collect()
    }

    fn statement(&mut self, stmt: &'a Stmt, scope: &Scope<'a>, work: &mut Vec<&'a Stmt>) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                self.expr(*place, scope);
                self.check_place(*place);
                self.expr(*value, scope);
            }
            StmtKind::Output(value) => self.expr(*value, scope),
            StmtKind::If { guard, then, otherwise } => {
                self.expr(*guard, scope);
                work.extend(otherwise.as_deref());
                work.push(then);
            }
            StmtKind::While { guard, body } => {
                self.expr(*guard, scope);
                work.push(body);
            }
            StmtKind::Block(stmts) => work.extend(stmts.iter().rev()),
        }
    }

    fn expr(&mut self, root: ExprId, scope: &Scope<'a>) {
        for id in self.program.exprs.nodes_of(root) {
            let expr = self.program.exprs.get(id);
            match &expr.kind {
                ExprKind::Name(name) => {
                    self.bindings[id.0 as usize] = self.name(name, expr, scope);
                }
                ExprKind::AddressOf(ident) => {
                    let binding = self.name(&ident.name, expr, scope);
                    self.bindings[id.0 as usize] = binding;
                    if let Some(Binding::Function(function)) = binding {
                        let error =
                            Diagnostic::error(expr.span, "cannot take the address of a function")
                                .help(format!(
                                    "a function is a value: write {}",
                                    quote(&ident.name)
                                ));
                        self.errors.push(self.declared_here(error, function));
                    }
                }
                ExprKind::Call { callee, args } => self.check_arity(expr, *callee, args.len()),
                _ => {}
            }
        }
    }

    fn name(&mut self, name: &'a str, expr: &Expr, scope: &Scope<'a>) -> Option<Binding> {
        if let Some(local) = scope.get(name) {
            return Some(Binding::Local(*local));
        }
        if let Some(function) = self.functions.get(name) {
            return Some(Binding::Function(*function));
        }
        if self.errors.stopped() {
            return None;
        }
        let mut error = Diagnostic::error(expr.span, format!("{} is not declared", quote(name)));
        let known = scope.keys().chain(self.functions.keys()).copied();
        error.help = match (name, most_similar(name, known)) {
            ("NULL" | "nullptr", _) => Some("the null pointer is `null`".to_owned()),
            ("true" | "false", _) => Some("truth values are numbers: 1 and 0".to_owned()),
            (_, Some(similar)) => Some(format!("did you mean `{similar}`?")),
            _ => None,
        };
        self.errors.push(error);
        None
    }

    fn check_arity(&mut self, call: &Expr, callee: ExprId, given: usize) {
        // Parts come before the whole, so the callee has its meaning already.
        let Some(Binding::Function(index)) = self.bindings[callee.0 as usize] else { return };
        let function = &self.program.functions[index.0 as usize];
        let takes = function.params.len();
        if takes != given {
            let plural = if takes == 1 { "" } else { "s" };
            let message = format!(
                "{} takes {takes} argument{plural}, {given} given",
                quote(&function.name.name)
            );
            let error = Diagnostic::error(call.anchor, message);
            self.errors.push(self.declared_here(error, index));
        }
    }

    /// Checks that the left side of an assignment is a place: a local, a dereference, an element,
    /// or a field of a place. Arrays are references, so that an element of any array is a place;
    /// records are values, so that a field of a temporary record would be lost.
    fn check_place(&mut self, place: ExprId) {
        let mut root = place;
        let exprs = &self.program.exprs;
        let depth = path(exprs, place).count();
        if depth > MAX_NESTING {
            let message = format!("the left side goes {depth} fields and elements deep");
            let help = format!("at most {MAX_NESTING} are supported; use a pointer or a variable");
            self.errors.push(Diagnostic::error(exprs.get(place).anchor, message).help(help));
            return;
        }
        while let ExprKind::Field { record, .. } = &exprs.get(root).kind {
            root = *record;
        }
        let expr = exprs.get(root);
        let of_field = if root == place { "" } else { "a field of " };
        let error = match &expr.kind {
            ExprKind::Deref(_) | ExprKind::Index { .. } => return,
            ExprKind::Name(_) => match self.bindings[root.0 as usize] {
                Some(Binding::Function(function)) => {
                    let message = format!("cannot assign to {of_field}a function");
                    self.declared_here(Diagnostic::error(expr.span, message), function)
                }
                _ => return,
            },
            kind => Diagnostic::error(
                expr.span,
                format!("cannot assign to {of_field}{}", noun(kind)),
            )
            .help("the left side is a variable, `*pointer`, `array[index]` or a field of these"),
        };
        self.errors.push(error);
    }

    fn declared_here(&self, error: Diagnostic, function: FunctionIndex) -> Diagnostic {
        let name = &self.program.functions[function.0 as usize].name;
        error.related(name.span, format!("{} is declared here", quote(&name.name)))
    }
}

/// What the fields and elements of the left side of an assignment are parts of, from the outside in.
fn path(exprs: &Exprs, place: ExprId) -> impl Iterator<Item = ExprId> + '_ {
    std::iter::successors(Some(place), |id| match exprs.get(*id).kind {
        ExprKind::Field { record, .. } => Some(record),
        ExprKind::Index { array, .. } => Some(array),
        _ => None,
    })
    .skip(1)
}

/// Every assignment changes something that lasts, also where arrays are values: an element of an array
/// that some expression has just made would be lost.
///
/// # Errors
///
/// If there are others.
pub fn check_value_arrays(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let mut open: Vec<&Stmt> = program.functions.iter().flat_map(|f| &f.body).collect();
    while let Some(stmt) = open.pop() {
        match &stmt.kind {
            StmtKind::Assign { place, .. } => {
                let Some(root) = path(&program.exprs, *place).last() else {
                    continue;
                };
                let expr = program.exprs.get(root);
                if !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Deref(_)) {
                    let message = format!("cannot assign to a part of {}", noun(&expr.kind));
                    let help = "arrays are values here: put it into a variable first";
                    errors.push(Diagnostic::error(expr.span, message).help(help));
                }
            }
            StmtKind::If { then, otherwise, .. } => {
                open.push(then);
                open.extend(otherwise.as_deref());
            }
            StmtKind::While { body, .. } => open.push(body),
            StmtKind::Block(stmts) => open.extend(stmts),
            StmtKind::Output(_) => {}
        }
    }
    errors.finish(())
}

fn declared_twice(kind: &str, again: &Ident, first: &Ident) -> Diagnostic {
    let message = format!("{} is already declared", quote(&again.name));
    Diagnostic::error(again.span, message).related(first.span, format!("as a {kind} here"))
}

/// What an expression that is no place is called.
fn noun(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Number(_) => "a number",
        ExprKind::Null => "`null`",
        ExprKind::Input => "`input`",
        ExprKind::Call { .. } => "the result of a call",
        ExprKind::Array(_) => "an array literal",
        ExprKind::Record(_) => "a record literal",
        ExprKind::AddressOf(_) => "an address",
        ExprKind::Alloc(_) => "an allocation",
        _ => "the result of an operation",
    }
}

#[cfg(test)]
mod tests;
