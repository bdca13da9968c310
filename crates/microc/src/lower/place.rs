//! The left sides of assignments.
//!
//! Their parts are evaluated before the right side; whether they lead to a place is checked after it,
//! directly before the assignment, because a call on the right side may change that.

use super::stmt::Lowering;
use crate::ast::{ExprId, ExprKind};
use crate::resolve::{Binding, LocalIndex};
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{self as ir, LocalId, Operand, Projection, Storage};
use loupe_ir::source::Span;
use loupe_ir::types::{Tag, TypeId};

/// The left side of an assignment, evaluated but not yet checked.
pub(super) enum Place {
    /// A variable to which nothing points.
    Register(LocalId),
    /// Anything else.
    Path(Path),
}

/// A place with the checks that it needs: one list before each projection, and one at the end.
pub(super) struct Path {
    base: ir::Base,
    steps: Vec<(Vec<Requirement>, Projection)>,
}

/// What must hold of the place reached so far before the next step is taken.
enum Requirement {
    /// It has this tag; first of all, it holds something. Both have their own place in the source.
    Is(Tag, Span, Span),
    NonNull(Operand, Span),
    HasField(ir::Symbol, Span),
    InBounds(Operand, Span),
}

impl Lowering<'_, '_> {
    /// Evaluates the parts of the left side of an assignment.
    pub(super) fn place(&mut self, root: ExprId) -> Place {
        // From the outside in: fields and elements, down to a variable, a pointer or an array.
        let mut outer = Vec::new();
        let mut id = root;
        loop {
            match self.expr(id).kind {
                ExprKind::Field { record, .. } => {
                    outer.push(id);
                    id = record;
                }
                ExprKind::Index { array, .. } => {
                    outer.push(id);
                    id = array;
                }
                _ => break,
            }
        }
        let mut path = match self.base(id) {
            Place::Register(local) if outer.is_empty() => return Place::Register(local),
            Place::Register(local) => Path { base: ir::Base::Local(local), steps: Vec::new() },
            Place::Path(path) => path,
        };
        while let Some(id) = outer.pop() {
            path.steps.push(self.step(id));
        }
        Place::Path(path)
    }

    fn base(&mut self, id: ExprId) -> Place {
        match &self.expr(id).kind {
            ExprKind::Name(_) => {
                if let Binding::Local(LocalIndex(local)) = self.context.resolution.binding(id) {
                    let local = LocalId(local);
                    return match self.builder.locals[local.index()].storage {
                        Storage::Register => Place::Register(local),
                        Storage::Memory => {
                            let base = ir::Base::Local(local);
                            Place::Path(Path { base, steps: Vec::new() })
                        }
                    };
                }
            }
            ExprKind::Deref(pointer) => {
                let pointer = *pointer;
                let value = self.value(pointer);
                let span = value.span;
                let operand = self.as_tagged(value, Tag::Pointer, TypeId::POINTER, span);
                let local = self.in_local(operand.clone(), TypeId::POINTER, span);
                let needs = vec![Requirement::NonNull(operand, span)];
                let steps = vec![(needs, Projection::Deref)];
                return Place::Path(Path { base: ir::Base::Local(local), steps });
            }
            _ => {}
        }
        // An array that some other expression gives.
        let value = self.value(id);
        let span = value.span;
        let operand = self.as_type(value, TypeId::ANY);
        let local = self.in_local(operand, TypeId::ANY, span);
        Place::Path(Path { base: ir::Base::Local(local), steps: Vec::new() })
    }

    /// The step that a field access or an element adds to a place.
    fn step(&mut self, id: ExprId) -> (Vec<Requirement>, Projection) {
        let ast = self.context.ast;
        let expr = ast.exprs.get(id);
        let anchor = expr.anchor;
        match &expr.kind {
            ExprKind::Field { record, field } => {
                let container = ast.exprs.get(*record).span;
                let name = self.context.symbols.intern(&field.name);
                let needs = vec![
                    Requirement::Is(Tag::Record, anchor, container),
                    Requirement::HasField(name, anchor),
                ];
                (needs, Projection::Named(name))
            }
            ExprKind::Index { array, index } => {
                let container = ast.exprs.get(*array).span;
                let index = self.value(*index);
                let index = self.as_number(index, anchor);
                let needs = vec![
                    Requirement::Is(Tag::Array, anchor, container),
                    Requirement::InBounds(index.clone(), anchor),
                ];
                (needs, Projection::Index(index))
            }
            _ => (Vec::new(), Projection::Deref),
        }
    }

    /// The place of an assignment, after all its checks.
    pub(super) fn checked(&mut self, path: Path) -> ir::Place {
        let mut place = ir::Place { base: path.base, projections: Vec::new() };
        for (needs, projection) in path.steps {
            for need in needs {
                let here = place.clone();
                let (kind, predicate, span) = match need {
                    Requirement::Is(tag, span, container) => {
                        self.initialised(&here, container);
                        if let (ir::Base::Local(local), []) = (here.base, &here.projections[..])
                            && self.builder.locals[local.index()].storage == Storage::Register
                        {
                            // A variable that never holds what has parts has another type than
                            // `any`; the check will fail on its value, as it should.
                            let any = self.in_local(Operand::Local(local), TypeId::ANY, span);
                            place = ir::Place::local(any);
                        }
                        (CheckKind::TypeError, Predicate::Is(place.clone(), tag), span)
                    }
                    Requirement::NonNull(pointer, span) => {
                        (CheckKind::NullDereference, Predicate::NonNull(pointer), span)
                    }
                    Requirement::HasField(name, span) => {
                        (CheckKind::MissingField, Predicate::HasField(here, name), span)
                    }
                    Requirement::InBounds(index, span) => {
                        let inside = Predicate::InBounds { array: here, index };
                        (CheckKind::IndexOutOfBounds, inside, span)
                    }
                };
                self.builder.check(kind, predicate, span);
            }
            place = place.project(projection);
        }
        place
    }

    /// A part of a variable is written: the variable must hold something that has parts. Fields and
    /// elements always hold something.
    fn initialised(&mut self, place: &ir::Place, span: Span) {
        let inside = |p: &Projection| matches!(p, Projection::Named(_) | Projection::Index(_));
        if place.projections.iter().any(inside) {
            return;
        }
        if !place.projections.is_empty() && !self.context.cells_start_empty {
            return;
        }
        let initialised = Predicate::Initialised(place.clone());
        self.builder.check(CheckKind::Uninitialised, initialised, span);
    }
}
