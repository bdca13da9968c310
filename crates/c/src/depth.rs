//! How deep a typed tree is: lowering and printing recurse over it, and C sets no limit.

use crate::lower;
use crate::tree::{ExprKind, ObjectId, StmtKind, Type, TypeId, TypeKind, Unit};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Span;
use loupe_ir::text::MAX_TYPE_NESTING;

/// How large a stack is needed to recurse over these units.
pub(crate) fn stack_for(units: &[Unit]) -> usize {
    const BASE: usize = 16 << 20;
    // Twice what was measured for a build without optimisation.
    const PER_LEVEL: usize = 4 << 10;
    let deepest = units.iter().map(|unit| Depths::of(unit).deepest()).max().unwrap_or(0);
    BASE + deepest * PER_LEVEL
}

/// The depths of expressions, and behind them those of statements; 0 while it is not known.
struct Depths<'u> {
    unit: &'u Unit,
    depths: Vec<u32>,
}

impl<'u> Depths<'u> {
    fn of(unit: &'u Unit) -> Self {
        let count = unit.exprs.len() + unit.stmts.len();
        let mut this = Depths { unit, depths: vec![0; count] };
        for start in 0..count {
            this.settle(start);
        }
        this
    }

    fn deepest(&self) -> usize {
        self.depths.iter().max().map_or(0, |deepest| *deepest as usize)
    }

    /// Computes the depth of a node, those below it first.
    fn settle(&mut self, start: usize) {
        let mut open = vec![(start, false)];
        while let Some((node, done)) = open.pop() {
            if self.depths[node] != 0 {
                continue;
            }
            if done {
                let mut below = 0;
                self.children(node, &mut |child| below = below.max(self.depths[child]));
                self.depths[node] = below + 1;
            } else {
                open.push((node, true));
                self.children(node, &mut |child| open.push((child, false)));
            }
        }
    }

    fn children(&self, node: usize, visit: &mut impl FnMut(usize)) {
        let statements = self.unit.exprs.len();
        match node.checked_sub(statements) {
            None => self.below_expr(node, visit),
            Some(statement) => self.below_stmt(&self.unit.stmts[statement].kind, visit),
        }
    }

    fn below_expr(&self, expr: usize, visit: &mut impl FnMut(usize)) {
        let kind = &self.unit.exprs[expr].kind;
        match kind {
            ExprKind::ArrayLength(length) => visit(length.index()),
            ExprKind::Statement(stmt) => visit(self.unit.exprs.len() + stmt.index()),
            ExprKind::CompoundLiteral(object) => self.below_object(*object, visit),
            _ => lower::children(kind, &mut |child| visit(child.index())),
        }
    }

    fn below_object(&self, object: ObjectId, visit: &mut impl FnMut(usize)) {
        let initial = self.unit.object(object).initial.iter().flatten();
        initial.for_each(|initial| visit(initial.value.index()));
    }

    fn below_stmt(&self, kind: &StmtKind, visit: &mut impl FnMut(usize)) {
        let statements = self.unit.exprs.len();
        match kind {
            StmtKind::Empty
            | StmtKind::Lengths(_)
            | StmtKind::Goto(_)
            | StmtKind::Asm { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None) => {}
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) | StmtKind::Return(Some(expr)) => {
                visit(expr.index());
            }
            StmtKind::Block(parts) => parts.iter().for_each(|s| visit(statements + s.index())),
            StmtKind::Declare(objects) => {
                objects.iter().for_each(|object| self.below_object(*object, visit));
            }
            StmtKind::If { condition, then, otherwise } => {
                visit(condition.index());
                visit(statements + then.index());
                otherwise.iter().for_each(|s| visit(statements + s.index()));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                visit(condition.index());
                visit(statements + body.index());
            }
            StmtKind::For { initial, condition, step, body } => {
                initial.iter().for_each(|s| visit(statements + s.index()));
                condition.iter().chain(step).for_each(|expr| visit(expr.index()));
                visit(statements + body.index());
            }
            StmtKind::Switch { value, body, .. } => {
                visit(value.index());
                visit(statements + body.index());
            }
            StmtKind::Case(body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                visit(statements + body.index());
            }
        }
    }
}

/// Pointers to pointers and arrays of arrays may nest so deep; lowering adds a few levels of its own.
const DEEPEST_TYPE: usize = MAX_TYPE_NESTING - 6;

/// An error about a type that is nested deeper than the flowgraph language allows.
pub(crate) fn refuse_deep_types(unit: &Unit) -> Option<Diagnostic> {
    let mut depths = vec![None; unit.types.len()];
    for start in 0..unit.types.len() {
        // Every type is walked once: the walk stops at what is known.
        let mut path = Vec::new();
        let mut at = start;
        let mut depth = loop {
            if let Some(known) = depths[at] {
                break known + 1;
            }
            path.push(at);
            match part(&unit.types[at]) {
                Some(part) if path.len() <= unit.types.len() => at = part.index(),
                _ => break 0,
            }
        };
        for ty in path.into_iter().rev() {
            depths[ty] = Some(depth);
            depth += 1;
        }
    }
    let is_deep = |ty: TypeId| depths[ty.index()].is_some_and(|depth| depth > DEEPEST_TYPE);
    if depths.iter().flatten().all(|depth| *depth <= DEEPEST_TYPE) {
        return None;
    }
    let object = unit.objects.iter().find(|object| is_deep(object.ty)).map(|object| object.span);
    let expr = || unit.exprs.iter().find(|expr| is_deep(expr.ty)).map(|expr| expr.span);
    let message = format!("pointers and arrays are nested more than {DEEPEST_TYPE} deep");
    let place: Option<Span> = object.or_else(expr);
    Some(match place {
        Some(span) => Diagnostic::error(span, message).label("in this type"),
        None => Diagnostic::whole_file(message),
    })
}

fn part(ty: &Type) -> Option<TypeId> {
    match ty.kind {
        TypeKind::Pointer(part) | TypeKind::Array { element: part, .. } => Some(part),
        _ => None,
    }
}
