//! Statements.

use super::function::{Home, Jump, Lowering};
use super::scope::ScopeId;
use super::types::int_type;
use crate::tree::{Case, ExprId, LabelId, ObjectId, StmtId, StmtKind, Storage};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{
    BlockId, CompareOp, Const, InstructionKind, Operand, Place, Rvalue, TerminatorKind,
};
use loupe_ir::source::{FileId, Span};
use loupe_ir::types::IntType;
use std::rc::Rc;

/// A range of cases with more values than this becomes a comparison.
const MAX_LISTED: i128 = 256;

/// The statement that declares an object: all of it, unless it declares several.
fn declaration_span(name: Span, objects: &[ObjectId], stmt: Span) -> Span {
    if objects.len() == 1 { stmt } else { name }
}

impl Lowering<'_, '_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        let unit = Rc::clone(&self.unit);
        let stmt = unit.stmt(id);
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => self.mark_jump(span),
            StmtKind::Expr(expr) => {
                self.builder.statement(span);
                self.effect(*expr);
                self.end_temporaries(span);
            }
            StmtKind::Block(stmts) => {
                let Some(scope) = self.scopes.opened_by(id) else { return };
                self.begin_with(stmts);
                let outer = self.enter_scope(scope, span);
                stmts.iter().for_each(|stmt| self.stmt(*stmt));
                self.leave_scope(outer, span);
            }
            StmtKind::Declare(objects) => {
                for object in objects {
                    let declared = unit.object(*object);
                    if declared.storage == Storage::Automatic {
                        self.builder.statement(declaration_span(declared.span, objects, span));
                        self.declare(*object);
                        self.end_temporaries(span);
                    }
                }
            }
            StmtKind::Lengths(types) => {
                self.builder.statement(span);
                types.iter().for_each(|ty| self.settle_lengths(*ty, span));
            }
            StmtKind::If { condition, then, otherwise } => {
                self.choice(*condition, *then, *otherwise, span);
            }
            StmtKind::While { condition, body } => {
                self.repetition(Some(*condition), None, *body, span);
            }
            StmtKind::DoWhile { body, condition } => self.do_while(*body, *condition, span),
            StmtKind::For { initial, condition, step, body } => {
                let Some(scope) = self.scopes.opened_by(id) else { return };
                let outer = self.enter_scope(scope, span);
                initial.iter().for_each(|stmt| self.stmt(*stmt));
                self.repetition(*condition, *step, *body, span);
                self.leave_scope(outer, span);
            }
            StmtKind::Switch { value, body, cases, default } => {
                self.switch(*value, *body, cases, *default, span);
            }
            StmtKind::Case(body) | StmtKind::Default(body) => {
                if let Some(block) = self.cases.get(&id).copied() {
                    self.builder.flow_into(block, span);
                }
                self.stmt(*body);
            }
            StmtKind::Label(label, body) => {
                self.place_label(*label, span);
                self.mark_label(*label, span);
                self.stmt(*body);
            }
            StmtKind::Goto(label) => {
                self.mark_jump(span);
                self.builder.statement(span);
                self.goto(*label, span);
            }
            StmtKind::ComputedGoto(pointer) => self.computed_goto(*pointer, span),
            StmtKind::Asm { is_empty } => {
                if !is_empty {
                    self.builder.statement(span);
                    self.unsupported("inline assembly", span);
                }
            }
            StmtKind::Break => {
                self.mark_jump(span);
                self.jump(span, |jump| Some(jump.leave));
            }
            StmtKind::Continue => {
                self.mark_jump(span);
                self.jump(span, |jump| jump.repeat);
            }
            StmtKind::Return(value) => self.give_back(*value, span),
        }
    }

    /// What begins with a block belongs to the first statement in it.
    fn begin_with(&mut self, stmts: &[StmtId]) {
        let mut first = stmts.first().copied();
        while let Some(id) = first {
            let stmt = self.unit.stmt(id);
            let span = match &stmt.kind {
                StmtKind::Expr(_) | StmtKind::Return(_) => stmt.span,
                StmtKind::Declare(objects) => match objects.first() {
                    Some(object) => {
                        declaration_span(self.unit.object(*object).span, objects, stmt.span)
                    }
                    None => return,
                },
                StmtKind::If { condition, .. }
                | StmtKind::While { condition, .. }
                | StmtKind::Switch { value: condition, .. } => self.unit.expr(*condition).span,
                StmtKind::For { initial: Some(inner), .. } => {
                    first = Some(*inner);
                    continue;
                }
                StmtKind::Block(inner) => {
                    first = inner.first().copied();
                    continue;
                }
                _ => return,
            };
            self.builder.statement(span);
            return;
        }
    }

    /// A statement whose end was left open goes on nowhere; what follows is dropped unless a label
    /// stands there.
    fn after_jump(&mut self) {
        let next = self.builder.new_block();
        // Nothing leads there: it is removed if no label follows.
        self.builder.go_on(next);
    }

    fn choice(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>, span: Span) {
        let condition_span = self.unit.expr(condition).span;
        self.builder.statement(condition_span);
        let yes = self.builder.new_block();
        let join = self.builder.new_block();
        let no = otherwise.map_or(join, |_| self.builder.new_block());
        self.condition(condition, yes, no);
        self.builder.go_on(yes);
        self.stmt(then);
        self.builder.end(TerminatorKind::Goto(join), span);
        if let Some(otherwise) = otherwise {
            self.builder.go_on(no);
            self.stmt(otherwise);
            self.builder.end(TerminatorKind::Goto(join), span);
        }
        self.builder.go_on(join);
    }

    /// A condition as a full expression.
    fn condition(&mut self, id: ExprId, then: BlockId, otherwise: BlockId) {
        let before = self.temporaries.len();
        self.branch(id, then, otherwise);
        // Objects that end with the condition end on both ways.
        for object in self.temporaries.split_off(before) {
            for block in [then, otherwise] {
                self.builder.go_on(block);
                let span = self.unit.expr(id).span;
                self.builder.push(InstructionKind::Dead(object), span);
            }
        }
    }

    fn repetition(
        &mut self,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        span: Span,
    ) {
        let header = self.builder.new_block();
        let first = self.builder.new_block();
        let after = self.builder.new_block();
        let repeat = step.map_or(header, |_| self.builder.new_block());
        self.builder.flow_into(header, span);
        match condition {
            Some(condition) => {
                self.builder.statement(self.unit.expr(condition).span);
                self.condition(condition, first, after);
            }
            None => self.builder.end(TerminatorKind::Goto(first), span),
        }
        self.builder.go_on(first);
        self.jumps.push(Jump { leave: after, repeat: Some(repeat), scope: self.scope });
        self.stmt(body);
        self.jumps.pop();
        if let Some(step) = step {
            self.builder.flow_into(repeat, span);
            let step_span = self.unit.expr(step).span;
            self.builder.statement(step_span);
            self.effect(step);
            self.end_temporaries(step_span);
        }
        self.builder.end(TerminatorKind::Goto(header), span);
        self.builder.go_on(after);
    }

    fn do_while(&mut self, body: StmtId, condition: ExprId, span: Span) {
        let first = self.builder.new_block();
        let test = self.builder.new_block();
        let again = self.builder.new_block();
        let after = self.builder.new_block();
        self.builder.flow_into(first, span);
        self.jumps.push(Jump { leave: after, repeat: Some(test), scope: self.scope });
        self.stmt(body);
        self.jumps.pop();
        self.builder.flow_into(test, span);
        self.builder.statement(self.unit.expr(condition).span);
        // What ends with the condition ends on the way back: the first block of the body is full.
        self.condition(condition, again, after);
        self.builder.go_on(again);
        self.builder.end(TerminatorKind::Goto(first), span);
        self.builder.go_on(after);
    }

    fn switch(
        &mut self,
        value: ExprId,
        body: StmtId,
        cases: &[Case],
        default: Option<StmtId>,
        span: Span,
    ) {
        let (ty, value_span) = (self.unit.expr(value).ty, self.unit.expr(value).span);
        self.builder.statement(value_span);
        let operand = self.value(value);
        self.end_temporaries(value_span);
        let after = self.builder.new_block();
        let Some(int) = int_type(&self.unit, ty) else {
            self.unsupported("a `switch` on something that is no integer", span);
            return;
        };
        let target = |lowering: &mut Self, stmt: StmtId| {
            let inside = lowering.builder.new_block();
            lowering.cases.insert(stmt, inside);
            // On the way into blocks inside of the body, their objects begin.
            let scope = lowering.scopes.of_case(stmt).unwrap_or(lowering.scope);
            let (_, entered) = lowering.scopes.way(lowering.scope, scope);
            if entered.is_empty() { inside } else { lowering.builder.new_block() }
        };
        let mut ways: Vec<(BlockId, StmtId)> = Vec::new();
        let mut listed = Vec::new();
        let mut ranges = Vec::new();
        for case in cases {
            let block = target(self, case.stmt);
            ways.push((block, case.stmt));
            if case.low > case.high {
                continue;
            }
            if case.high - case.low < MAX_LISTED {
                let values = (case.low..=case.high).map(|value| int.wrap(Integer::from(value)));
                listed.extend(values.map(|value| (value, block)));
            } else {
                ranges.push((case, block));
            }
        }
        let default_block = match default {
            Some(stmt) => {
                let block = target(self, stmt);
                ways.push((block, stmt));
                block
            }
            None => after,
        };
        self.dispatch(&operand, int, listed, &ranges, default_block, value_span);
        for (block, stmt) in ways {
            self.enter_case(block, stmt, span);
        }
        let dead = self.builder.new_block();
        self.builder.go_on(dead);
        self.jumps.push(Jump { leave: after, repeat: None, scope: self.scope });
        self.stmt(body);
        self.jumps.pop();
        self.builder.flow_into(after, span);
    }

    /// Fills the block on the way to a case inside of inner blocks.
    fn enter_case(&mut self, way: BlockId, stmt: StmtId, span: Span) {
        let Some(inside) = self.cases.get(&stmt).copied().filter(|inside| *inside != way) else {
            return;
        };
        self.builder.go_on(way);
        let scope = self.scopes.of_case(stmt).unwrap_or(self.scope);
        let (_, entered) = self.scopes.way(self.scope, scope);
        for scope in entered {
            self.begin_objects(scope, span);
        }
        self.builder.end(TerminatorKind::Goto(inside), span);
    }

    /// Goes to the block of a value.
    fn dispatch(
        &mut self,
        value: &Operand,
        int: IntType,
        listed: Vec<(Integer, BlockId)>,
        ranges: &[(&Case, BlockId)],
        default: BlockId,
        span: Span,
    ) {
        let mut default = default;
        let start = self.builder.new_block();
        let first = std::mem::replace(&mut default, start);
        // The list first, then the ranges one by one.
        if listed.is_empty() {
            self.builder.end(TerminatorKind::Goto(default), span);
        } else {
            let mut seen = std::collections::BTreeSet::new();
            let cases =
                listed.into_iter().filter(|(value, _)| seen.insert(value.clone())).collect();
            let kind = TerminatorKind::Switch { value: value.clone(), cases, default };
            self.builder.end(kind, span);
        }
        self.builder.go_on(start);
        for (case, block) in ranges {
            let bound =
                |value: i128| Operand::Const(Const::Int(int.wrap(Integer::from(value)), int));
            let above = self.compared(CompareOp::Ge, value.clone(), bound(case.low), span);
            let below = self.compared(CompareOp::Le, value.clone(), bound(case.high), span);
            let both = Rvalue::Binary(loupe_ir::program::BinaryOp::And, above, below);
            let condition = self.builder.assign(loupe_ir::types::TypeId::BOOL, both, span);
            let next = self.builder.new_block();
            let kind = TerminatorKind::Branch { condition, then: *block, otherwise: next };
            self.builder.end(kind, span);
            self.builder.go_on(next);
        }
        self.builder.end(TerminatorKind::Goto(first), span);
    }

    /// The block of a label starts here.
    pub(super) fn place_label(&mut self, label: LabelId, span: Span) {
        if let Some(block) = self.labels.get(&label).copied() {
            self.builder.flow_into(block, span);
            self.cleanups_before.insert(label, self.cleanups.len());
        }
    }

    /// Puts a check behind a label that stands for an error; what follows is lowered, but never executed.
    fn mark_label(&mut self, label: LabelId, span: Span) {
        let name = &self.unit.label(label).name;
        let is_marked = self.linker.options.needs.error_label.as_ref() == Some(name);
        if is_marked && !self.linker.is_library(self.index) {
            self.mark("the label is here", span);
        }
    }

    /// Puts a check before a statement that leaves nothing in the flowgraph but edges, if somebody wants to reach its line.
    fn mark_jump(&mut self, span: Span) {
        let line = self.linker.options.needs.target_line;
        if line == Some(span.start.line) && span.file == FileId(0) {
            self.mark("the target is here", span);
        }
    }

    fn mark(&mut self, what: &'static str, span: Span) {
        self.builder.statement(span);
        self.never(CheckKind::TargetReached, what, span);
        let next = self.builder.new_block();
        self.builder.go_on(next);
    }

    fn goto(&mut self, label: LabelId, span: Span) {
        let (Some(block), Some(scope)) =
            (self.labels.get(&label).copied(), self.scopes.of_label(label))
        else {
            self.unsupported("a jump to an unknown label", span);
            return;
        };
        let (left, entered) = self.scopes.way(self.scope, scope);
        left.iter().for_each(|scope| self.end_objects(*scope, span));
        // A jump back leaves the range of what is declared in the same block behind the label.
        if let Some(before) = self.cleanups_before.get(&label).copied() {
            let behind = self.cleanups.iter().skip(before).rev();
            let behind: Vec<_> = behind.filter(|(known, _)| *known == scope).copied().collect();
            behind.iter().for_each(|(_, object)| self.clean_up(*object, span));
        }
        entered.iter().for_each(|scope| self.begin_objects(*scope, span));
        self.builder.end(TerminatorKind::Goto(block), span);
        self.after_jump();
    }

    /// `goto *pointer`: compares with the addresses of all labels whose address is taken.
    fn computed_goto(&mut self, pointer: ExprId, span: Span) {
        self.builder.statement(span);
        let value = self.value(pointer);
        let scopes = Rc::clone(&self.scopes);
        for label in scopes.addresses() {
            let Some((global, offset)) = self.linker.label_address(self.index, *label) else {
                continue;
            };
            let address = Operand::Const(Const::Address(global, offset));
            let same = self.compared(CompareOp::Eq, value.clone(), address, span);
            let yes = self.builder.new_block();
            let no = self.builder.new_block();
            let kind = TerminatorKind::Branch { condition: same, then: yes, otherwise: no };
            self.builder.end(kind, span);
            self.builder.go_on(yes);
            self.goto(*label, span);
            self.builder.go_on(no);
        }
        let kind = loupe_ir::check::CheckKind::InvalidAccess;
        self.never(kind, "a jump to something that is no label of the function", span);
        self.after_jump();
    }

    fn jump(&mut self, span: Span, target: impl Fn(&Jump) -> Option<BlockId>) {
        self.builder.statement(span);
        let found = self.jumps.iter().rev().find_map(|jump| Some((target(jump)?, jump.scope)));
        let Some((block, scope)) = found else {
            self.unsupported("a jump out of nothing", span);
            return;
        };
        let (left, _) = self.scopes.way(self.scope, scope);
        left.iter().for_each(|scope| self.end_objects(*scope, span));
        self.builder.end(TerminatorKind::Goto(block), span);
        self.after_jump();
    }

    fn give_back(&mut self, value: Option<ExprId>, span: Span) {
        self.builder.statement(span);
        let result = self.result;
        let value = match (value, result) {
            (Some(value), Some(ty)) => {
                let operand = self.value(value);
                let is_pointer = matches!(
                    self.linker.shared.types.get(ty),
                    loupe_ir::types::Type::Pointer(_) | loupe_ir::types::Type::Function
                );
                let operand = if is_pointer { self.as_pointer(operand, ty, span) } else { operand };
                Some(operand)
            }
            (Some(value), None) => {
                self.effect(value);
                None
            }
            (None, Some(ty)) => {
                let nothing = self.builder.temporary(ty, span);
                self.builder.push(InstructionKind::Live(nothing), span);
                Some(Operand::Local(nothing))
            }
            (None, None) => None,
        };
        self.end_temporaries(span);
        self.leave_function(span);
        self.builder.end(TerminatorKind::Return(value), span);
        self.after_jump();
    }

    /// Ends everything that ends with the function.
    pub(super) fn leave_function(&mut self, span: Span) {
        let (left, _) = self.scopes.way(self.scope, ScopeId::FUNCTION);
        for scope in left {
            self.end_objects(scope, span);
        }
        let unit = Rc::clone(&self.unit);
        for param in &unit.function(self.function).params {
            if let Home::Memory(local) = self.home(*param) {
                self.builder.push(InstructionKind::Dead(local), span);
            }
        }
    }

    /// Enters a block; the one that it stands in.
    pub(super) fn enter_scope(&mut self, scope: ScopeId, span: Span) -> ScopeId {
        self.begin_objects(scope, span);
        std::mem::replace(&mut self.scope, scope)
    }

    /// Leaves the current block.
    pub(super) fn leave_scope(&mut self, outer: ScopeId, span: Span) {
        if self.builder.is_open() {
            self.end_objects(self.scope, span);
        }
        self.cleanups.retain(|(known, _)| *known != self.scope);
        self.scope = outer;
    }

    /// The objects of a block begin to live.
    fn begin_objects(&mut self, scope: ScopeId, _span: Span) {
        let scopes = Rc::clone(&self.scopes);
        for object in scopes.objects(scope) {
            let span = self.unit.object(*object).span;
            match self.home(*object) {
                Home::Memory(local) => self.builder.push(InstructionKind::Live(local), span),
                Home::Register(local) => self.forget(local, span),
                Home::Variable(pointer) => {
                    let null = Operand::Const(Const::Null);
                    self.builder.set(pointer, Rvalue::Use(null), span);
                }
                Home::Global(_) => {}
            }
        }
    }

    /// The objects of a block end, the last one first.
    fn end_objects(&mut self, scope: ScopeId, span: Span) {
        let scopes = Rc::clone(&self.scopes);
        let objects = scopes.objects(scope);
        // Only what has been declared on the way here.
        let declared: Vec<_> =
            self.cleanups.iter().rev().filter(|(known, _)| *known == scope).copied().collect();
        for (_, object) in declared {
            self.clean_up(object, span);
        }
        for object in objects.iter().rev() {
            match self.home(*object) {
                Home::Memory(local) => self.builder.push(InstructionKind::Dead(local), span),
                Home::Variable(pointer) => {
                    self.builder.push(InstructionKind::Free(Operand::Local(pointer)), span);
                }
                Home::Register(_) | Home::Global(_) => {}
            }
        }
    }

    /// Calls what `__attribute__((cleanup))` names.
    fn clean_up(&mut self, object: ObjectId, span: Span) {
        let Some(function) = self.unit.object(object).cleanup else { return };
        let Home::Memory(local) = self.home(object) else { return };
        let argument = self.address_of_place(&Place::local(local), span);
        let id = self.linker.function(self.index, function);
        let unit = Rc::clone(&self.unit);
        let signature = unit.signature(unit.function(function).signature);
        let argument = match signature.params.first() {
            Some(ty) => self.retyped(argument, *ty, span),
            None => argument,
        };
        let callee = Operand::Const(Const::Function(id));
        let call = InstructionKind::Call { target: None, callee, arguments: vec![argument] };
        self.builder.push(call, span);
    }
}
