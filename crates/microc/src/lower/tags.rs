//! Which kinds of values expressions and variables can have.
//!
//! A flow-insensitive analysis with one set of tags for each expression, variable, function result
//! and field name, one for everything that pointers lead to and one for the elements of all arrays.
//! Values flow along the edges of a graph; a set is what reaches its node.
//!
//! Sound because every way in which a value can get from one place to another has an edge: a read of
//! `*p` may give whatever any `alloc`, any write through a pointer or any variable whose address is
//! taken put there, a read of `.f` whatever any literal or assignment put into a field `f`, and an
//! indirect call may reach every function of that arity whose name is used as a value.

use crate::ast::{ExprId, ExprKind, Function, Program, Stmt, StmtKind};
use crate::resolve::{Binding, FunctionIndex, Resolution};
use loupe_ir::types::Tag;
use std::collections::{HashMap, HashSet};

/// A set of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct TagSet(u8);

impl TagSet {
    pub(super) const NUMBER: TagSet = TagSet::of(Tag::Number);
    pub(super) const POINTER: TagSet = TagSet::of(Tag::Pointer);
    pub(super) const FUNCTION: TagSet = TagSet::of(Tag::Function);

    pub(super) const fn of(tag: Tag) -> TagSet {
        TagSet(1 << tag as u8)
    }

    /// Whether every value with these tags has the tag `tag`.
    pub(super) fn only(self, tag: Tag) -> bool {
        self.0 & !TagSet::of(tag).0 == 0
    }

    /// Whether no value with these tags has the tag `tag`.
    pub(super) fn never(self, tag: Tag) -> bool {
        self.0 & TagSet::of(tag).0 == 0
    }
}

/// A node of the flow of values.
type Node = usize;

/// The result of the analysis.
pub(super) struct Tags {
    sets: Vec<TagSet>,
    numbering: Numbering,
    /// By function and local: whether its address is taken.
    pointed_to: Vec<Vec<bool>>,
}

/// Which node stands for what. Expressions come first.
struct Numbering {
    /// The first local of each function.
    locals: Vec<Node>,
    /// The result of the first function; the others follow.
    results: Node,
    cells: Node,
    elements: Node,
}

struct Inference<'a> {
    program: &'a Program,
    resolution: &'a Resolution,
    numbering: Numbering,
    sets: Vec<TagSet>,
    edges: Vec<Vec<Node>>,
    fields: HashMap<&'a str, Node>,
    /// By arity: the parameters and, last, the result of all functions used as values.
    indirect: HashMap<usize, Node>,
    pointed_to: Vec<Vec<bool>>,
    /// By function: whether its name is used other than to call it.
    is_value: Vec<bool>,
    changed: Vec<Node>,
}

impl Tags {
    pub(super) fn infer(program: &Program, resolution: &Resolution) -> Tags {
        let mut inference = Inference::new(program, resolution);
        for index in 0..program.exprs.len() {
            inference.expression(ExprId(index as u32));
        }
        for (index, function) in program.functions.iter().enumerate() {
            inference.function(FunctionIndex(index as u32), function);
        }
        inference.solve();
        let Inference { sets, numbering, pointed_to, .. } = inference;
        Tags { sets, numbering, pointed_to }
    }

    pub(super) fn expression(&self, id: ExprId) -> TagSet {
        self.sets[id.0 as usize]
    }

    pub(super) fn local(&self, function: FunctionIndex, local: usize) -> TagSet {
        self.sets[self.numbering.locals[function.0 as usize] + local]
    }

    pub(super) fn result(&self, function: FunctionIndex) -> TagSet {
        self.sets[self.numbering.results + function.0 as usize]
    }

    pub(super) fn is_pointed_to(&self, function: FunctionIndex, local: usize) -> bool {
        self.pointed_to[function.0 as usize][local]
    }
}

impl<'a> Inference<'a> {
    fn new(program: &'a Program, resolution: &'a Resolution) -> Self {
        let mut next = program.exprs.len();
        let mut locals = Vec::new();
        let mut pointed_to = Vec::new();
        for index in 0..program.functions.len() {
            let count = resolution.locals(FunctionIndex(index as u32)).len();
            locals.push(next);
            pointed_to.push(vec![false; count]);
            next += count;
        }
        let results = next;
        let cells = results + program.functions.len();
        let elements = cells + 1;
        let nodes = elements + 1;
        Inference {
            program,
            resolution,
            numbering: Numbering { locals, results, cells, elements },
            sets: vec![TagSet::default(); nodes],
            edges: vec![Vec::new(); nodes],
            fields: HashMap::new(),
            indirect: HashMap::new(),
            pointed_to,
            is_value: vec![false; program.functions.len()],
            changed: Vec::new(),
        }
    }

    fn fresh(&mut self) -> Node {
        self.sets.push(TagSet::default());
        self.edges.push(Vec::new());
        self.sets.len() - 1
    }

    fn add(&mut self, node: Node, tags: TagSet) {
        let joined = TagSet(self.sets[node].0 | tags.0);
        if joined != self.sets[node] {
            self.sets[node] = joined;
            self.changed.push(node);
        }
    }

    fn flow(&mut self, from: Node, to: Node) {
        self.edges[from].push(to);
        self.add(to, self.sets[from]);
    }

    fn solve(&mut self) {
        while let Some(node) = self.changed.pop() {
            for next in 0..self.edges[node].len() {
                self.add(self.edges[node][next], self.sets[node]);
            }
        }
    }

    fn local(&self, function: FunctionIndex, local: usize) -> Node {
        self.numbering.locals[function.0 as usize] + local
    }

    fn result(&self, function: FunctionIndex) -> Node {
        self.numbering.results + function.0 as usize
    }

    fn field(&mut self, name: &'a str) -> Node {
        if let Some(node) = self.fields.get(name) {
            return *node;
        }
        let node = self.fresh();
        self.fields.insert(name, node);
        node
    }

    /// The first of `arity` parameter nodes, followed by the result node.
    fn indirect(&mut self, arity: usize) -> Node {
        if let Some(node) = self.indirect.get(&arity) {
            return *node;
        }
        let first = self.fresh();
        (0..arity).for_each(|_| {
            self.fresh();
        });
        self.indirect.insert(arity, first);
        first
    }

    fn expression(&mut self, id: ExprId) {
        let node = id.0 as usize;
        let program = self.program;
        match &program.exprs.get(id).kind {
            ExprKind::Number(_) | ExprKind::Input | ExprKind::Binary { .. } | ExprKind::Not(_) => {
                self.add(node, TagSet::NUMBER);
            }
            ExprKind::Null | ExprKind::AddressOf(_) => self.add(node, TagSet::POINTER),
            ExprKind::Alloc(value) => {
                self.add(node, TagSet::POINTER);
                self.flow(value.0 as usize, self.numbering.cells);
            }
            ExprKind::Deref(_) => self.flow(self.numbering.cells, node),
            ExprKind::Array(elements) => {
                self.add(node, TagSet::of(Tag::Array));
                for element in elements {
                    self.flow(element.0 as usize, self.numbering.elements);
                }
            }
            ExprKind::Index { .. } => self.flow(self.numbering.elements, node),
            ExprKind::Record(fields) => {
                self.add(node, TagSet::of(Tag::Record));
                for (name, value) in fields {
                    let field = self.field(&name.name);
                    self.flow(value.0 as usize, field);
                }
            }
            ExprKind::Field { field, .. } => {
                let field = self.field(&field.name);
                self.flow(field, node);
            }
            // Names are bound per function; calls need to know what their callee is bound to.
            ExprKind::Name(_) | ExprKind::Call { .. } => {}
        }
    }

    fn function(&mut self, index: FunctionIndex, function: &'a Function) {
        if index == self.resolution.main() {
            // The arguments on the command line.
            for parameter in 0..function.params.len() {
                self.add(self.local(index, parameter), TagSet::NUMBER);
            }
        }
        let mut open: Vec<&Stmt> = function.body.iter().collect();
        while let Some(stmt) = open.pop() {
            match &stmt.kind {
                StmtKind::Assign { place, value } => {
                    self.bind(index, *place);
                    self.bind(index, *value);
                    self.assignment(index, *place, *value);
                }
                StmtKind::Output(value) => self.bind(index, *value),
                StmtKind::If { guard, then, otherwise } => {
                    self.bind(index, *guard);
                    open.push(then);
                    open.extend(otherwise.as_deref());
                }
                StmtKind::While { guard, body } => {
                    self.bind(index, *guard);
                    open.push(body);
                }
                StmtKind::Block(stmts) => open.extend(stmts),
            }
        }
        self.bind(index, function.result);
        if index == self.resolution.main() {
            // It checks that it returns a number, whatever its expression may be.
            self.add(self.result(index), TagSet::NUMBER);
        } else {
            self.flow(function.result.0 as usize, self.result(index));
        }
    }

    fn assignment(&mut self, function: FunctionIndex, place: ExprId, value: ExprId) {
        let program = self.program;
        let target = match &program.exprs.get(place).kind {
            ExprKind::Name(_) => match self.resolution.binding(place) {
                Binding::Local(local) => self.local(function, local.0 as usize),
                Binding::Function(_) => return,
            },
            ExprKind::Field { field, .. } => self.field(&field.name),
            ExprKind::Index { .. } => self.numbering.elements,
            _ => self.numbering.cells,
        };
        self.flow(value.0 as usize, target);
    }

    /// The names and calls of an expression of `function`.
    fn bind(&mut self, function: FunctionIndex, root: ExprId) {
        let program = self.program;
        let callee = |id| match &program.exprs.get(id).kind {
            ExprKind::Call { callee, .. } => Some(*callee),
            _ => None,
        };
        let callees: HashSet<ExprId> = program.exprs.nodes_of(root).filter_map(callee).collect();
        for id in program.exprs.nodes_of(root) {
            match &program.exprs.get(id).kind {
                ExprKind::Name(_) => match self.resolution.binding(id) {
                    Binding::Local(local) => {
                        self.flow(self.local(function, local.0 as usize), id.0 as usize);
                    }
                    Binding::Function(named) => {
                        self.add(id.0 as usize, TagSet::FUNCTION);
                        if !callees.contains(&id) {
                            self.used_as_value(named);
                        }
                    }
                },
                ExprKind::AddressOf(_) => {
                    if let Binding::Local(local) = self.resolution.binding(id) {
                        self.pointed_to[function.0 as usize][local.0 as usize] = true;
                        let variable = self.local(function, local.0 as usize);
                        self.flow(variable, self.numbering.cells);
                        self.flow(self.numbering.cells, variable);
                    }
                }
                ExprKind::Call { callee, args } => self.call(id, *callee, args),
                _ => {}
            }
        }
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) {
        let direct = match self.program.exprs.get(callee).kind {
            ExprKind::Name(_) => match self.resolution.binding(callee) {
                Binding::Function(function) => Some(function),
                Binding::Local(_) => None,
            },
            _ => None,
        };
        let (params, result) = match direct {
            Some(function) => (self.local(function, 0), self.result(function)),
            None => {
                let first = self.indirect(args.len());
                (first, first + args.len())
            }
        };
        for (position, argument) in args.iter().enumerate() {
            self.flow(argument.0 as usize, params + position);
        }
        self.flow(result, id.0 as usize);
    }

    /// Indirect calls of its arity may reach `function`.
    fn used_as_value(&mut self, function: FunctionIndex) {
        if std::mem::replace(&mut self.is_value[function.0 as usize], true) {
            return;
        }
        let arity = self.program.functions[function.0 as usize].params.len();
        let indirect = self.indirect(arity);
        for position in 0..arity {
            self.flow(indirect + position, self.local(function, position));
        }
        self.flow(self.result(function), indirect + arity);
    }
}
