//! Which blocks there are in a function, what is declared in them, and where labels stand.
//!
//! An object lives from the entry of its block to its end, whichever way control goes: through `goto` into
//! the block or out of it as well. So every jump has to know which blocks it enters and leaves.

use crate::tree::{
    Expr, ExprId, ExprKind, FunctionId, LabelId, Length, ObjectId, StmtId, StmtKind, Storage,
    TypeId, TypeKind, Unit,
};
use std::collections::{HashMap, HashSet};

/// A block of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    /// The whole function.
    pub(super) const FUNCTION: ScopeId = ScopeId(0);
}

#[derive(Debug)]
struct Scope {
    parent: Option<ScopeId>,
    depth: u32,
    /// Objects with automatic storage, in the order of their declarations.
    objects: Vec<ObjectId>,
}

/// The blocks of a function.
#[derive(Debug)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    of_stmt: HashMap<StmtId, ScopeId>,
    of_label: HashMap<LabelId, ScopeId>,
    /// Where the statements behind `case` and `default` stand.
    of_case: HashMap<StmtId, ScopeId>,
    /// The labels whose address is taken, in the order in which they are.
    addresses: Vec<LabelId>,
}

impl Scopes {
    pub(super) fn of_function(unit: &Unit, function: FunctionId) -> Self {
        let mut scopes = Scopes {
            scopes: vec![Scope { parent: None, depth: 0, objects: Vec::new() }],
            of_stmt: HashMap::new(),
            of_label: HashMap::new(),
            of_case: HashMap::new(),
            addresses: Vec::new(),
        };
        if let Some(body) = unit.function(function).body {
            scopes.stmt(unit, body, ScopeId::FUNCTION);
        }
        scopes
    }

    /// The block that a statement is, or that a `for` opens.
    pub(super) fn opened_by(&self, stmt: StmtId) -> Option<ScopeId> {
        self.of_stmt.get(&stmt).copied()
    }

    pub(super) fn of_label(&self, label: LabelId) -> Option<ScopeId> {
        self.of_label.get(&label).copied()
    }

    pub(super) fn of_case(&self, stmt: StmtId) -> Option<ScopeId> {
        self.of_case.get(&stmt).copied()
    }

    pub(super) fn objects(&self, scope: ScopeId) -> &[ObjectId] {
        &self.scopes[scope.0 as usize].objects
    }

    /// The labels whose address is taken.
    pub(super) fn addresses(&self) -> &[LabelId] {
        &self.addresses
    }

    fn parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes[scope.0 as usize].parent
    }

    /// The blocks that are left on the way from one to the other, innermost first, and those that are
    /// entered, outermost first.
    pub(super) fn way(&self, from: ScopeId, to: ScopeId) -> (Vec<ScopeId>, Vec<ScopeId>) {
        let depth = |scope: ScopeId| self.scopes[scope.0 as usize].depth;
        let (mut left, mut entered) = (Vec::new(), Vec::new());
        let (mut from, mut to) = (from, to);
        while from != to {
            if depth(from) >= depth(to) {
                left.push(from);
                from = self.parent(from).unwrap_or(ScopeId::FUNCTION);
            } else {
                entered.push(to);
                to = self.parent(to).unwrap_or(ScopeId::FUNCTION);
            }
        }
        entered.reverse();
        (left, entered)
    }

    fn open(&mut self, stmt: StmtId, parent: ScopeId) -> ScopeId {
        let depth = self.scopes[parent.0 as usize].depth + 1;
        self.scopes.push(Scope { parent: Some(parent), depth, objects: Vec::new() });
        let id = ScopeId((self.scopes.len() - 1) as u32);
        self.of_stmt.insert(stmt, id);
        id
    }

    fn declare(&mut self, unit: &Unit, object: ObjectId, scope: ScopeId) {
        let declared = unit.object(object);
        if declared.storage == Storage::Automatic {
            self.scopes[scope.0 as usize].objects.push(object);
        }
        for initial in declared.initial.iter().flatten() {
            self.expr(unit, initial.value, scope);
        }
        self.lengths(unit, declared.ty, scope);
    }

    /// Expressions in the lengths of a type.
    fn lengths(&mut self, unit: &Unit, ty: TypeId, scope: ScopeId) {
        let mut ty = ty;
        loop {
            match &unit.ty(ty).kind {
                TypeKind::Array { element, length } => {
                    if let Length::Variable(length) = length {
                        self.expr(unit, *length, scope);
                    }
                    ty = *element;
                }
                TypeKind::Pointer(target) => ty = *target,
                _ => return,
            }
        }
    }

    fn stmt(&mut self, unit: &Unit, id: StmtId, scope: ScopeId) {
        match &unit.stmt(id).kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Asm { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None) => {}
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) | StmtKind::Return(Some(expr)) => {
                self.expr(unit, *expr, scope);
            }
            StmtKind::Block(stmts) => {
                let inner = self.open(id, scope);
                stmts.iter().for_each(|stmt| self.stmt(unit, *stmt, inner));
            }
            StmtKind::Lengths(types) => {
                types.iter().for_each(|ty| self.lengths(unit, *ty, scope));
            }
            StmtKind::Declare(objects) => {
                objects.iter().for_each(|object| self.declare(unit, *object, scope));
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(unit, *condition, scope);
                self.stmt(unit, *then, scope);
                otherwise.iter().for_each(|stmt| self.stmt(unit, *stmt, scope));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.expr(unit, *condition, scope);
                self.stmt(unit, *body, scope);
            }
            StmtKind::For { initial, condition, step, body } => {
                let inner = self.open(id, scope);
                initial.iter().for_each(|stmt| self.stmt(unit, *stmt, inner));
                condition.iter().chain(step).for_each(|expr| self.expr(unit, *expr, inner));
                self.stmt(unit, *body, inner);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(unit, *value, scope);
                self.stmt(unit, *body, scope);
            }
            StmtKind::Case(body) | StmtKind::Default(body) => {
                self.of_case.insert(id, scope);
                self.stmt(unit, *body, scope);
            }
            StmtKind::Label(label, body) => {
                self.of_label.insert(*label, scope);
                self.stmt(unit, *body, scope);
            }
        }
    }

    fn expr(&mut self, unit: &Unit, id: ExprId, scope: ScopeId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Expr { kind, ty, .. } = unit.expr(id);
            match kind {
                ExprKind::CompoundLiteral(object) => self.declare(unit, *object, scope),
                ExprKind::Statement(stmt) => self.stmt(unit, *stmt, scope),
                ExprKind::LabelAddress(label) if !self.addresses.contains(label) => {
                    self.addresses.push(*label);
                }
                ExprKind::ArrayLength(length) => open.push(*length),
                ExprKind::Convert(_) => self.lengths(unit, *ty, scope),
                _ => {}
            }
            let start = open.len();
            children(kind, &mut |child| open.push(child));
            open[start..].reverse();
        }
    }
}

/// Calls `visit` for the parts of an expression, in the order in which they are evaluated.
pub(crate) fn children(kind: &ExprKind, visit: &mut impl FnMut(ExprId)) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Object(_)
        | ExprKind::CompoundLiteral(_)
        | ExprKind::Function(_)
        | ExprKind::Statement(_)
        | ExprKind::ArrayLength(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Member { base: part, .. }
        | ExprKind::Deref(part)
        | ExprKind::Load { place: part, .. }
        | ExprKind::Decay(part)
        | ExprKind::AddressOf(part)
        | ExprKind::Unary(_, part)
        | ExprKind::Step { place: part, .. }
        | ExprKind::Convert(part) => visit(*part),
        ExprKind::Subscript { base: first, index: second }
        | ExprKind::Binary { left: first, right: second, .. }
        | ExprKind::PointerAdd { pointer: first, index: second, .. }
        | ExprKind::PointerDifference { left: first, right: second }
        | ExprKind::And(first, second)
        | ExprKind::Or(first, second)
        | ExprKind::Assign { place: first, value: second }
        | ExprKind::Update { place: first, value: second, .. }
        | ExprKind::Comma(first, second) => {
            visit(*first);
            visit(*second);
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            visit(*condition);
            then.iter().for_each(|then| visit(*then));
            visit(*otherwise);
        }
        ExprKind::Call { callee, arguments } => {
            visit(*callee);
            arguments.iter().for_each(|argument| visit(*argument));
        }
        ExprKind::Builtin(_, arguments) => arguments.iter().for_each(|argument| visit(*argument)),
    }
}

/// The objects of a unit whose address is taken somewhere: those in registers cannot be among them.
pub(super) fn address_taken(unit: &Unit) -> HashSet<ObjectId> {
    let mut taken = HashSet::new();
    for expr in &unit.exprs {
        let (ExprKind::AddressOf(place) | ExprKind::Decay(place)) = &expr.kind else { continue };
        let mut place = *place;
        loop {
            match &unit.expr(place).kind {
                ExprKind::Member { base, .. } => place = *base,
                ExprKind::Object(object) | ExprKind::CompoundLiteral(object) => {
                    taken.insert(*object);
                    break;
                }
                _ => break,
            }
        }
    }
    taken
}
