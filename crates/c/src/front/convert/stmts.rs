//! Statements.

use rucc_sema::{DeclKind, Stmt as From};

use super::{Converter, Entity};
use crate::tree::{Case, Label, LabelId, StmtId, StmtKind, Storage};

impl Converter<'_, '_> {
    pub(super) fn stmt(&mut self, id: rucc_sema::StmtId) -> StmtId {
        let tast = self.tast;
        let from_span = tast.stmt_span(id);
        let span = self.places.span_or_start(from_span);
        let kind = match tast[id] {
            From::Error => {
                self.lost(from_span, "statement");
                StmtKind::Empty
            }
            From::Empty => StmtKind::Empty,
            From::Expr(value) => StmtKind::Expr(self.expr(value)),
            From::Block(list) => StmtKind::Block(self.block(&tast[list], from_span.lo)),
            From::Decls(list) => self.declarations(list),
            From::If { cond, then, otherwise } => {
                let condition = self.condition(cond);
                let then = self.stmt(then);
                StmtKind::If { condition, then, otherwise: otherwise.map(|stmt| self.stmt(stmt)) }
            }
            From::While { cond, body } => {
                let condition = self.condition(cond);
                StmtKind::While { condition, body: self.stmt(body) }
            }
            From::DoWhile { body, cond } => {
                let body = self.stmt(body);
                StmtKind::DoWhile { body, condition: self.condition(cond) }
            }
            From::For { init, cond, step, body } => StmtKind::For {
                initial: init.map(|stmt| self.stmt(stmt)),
                condition: cond.map(|cond| self.condition(cond)),
                step: step.map(|step| self.expr(step)),
                body: self.stmt(body),
            },
            From::Switch { cond, body, cases, .. } => self.switch(cond, body, cases),
            From::Case { case, body } => {
                let body = self.stmt(body);
                let stmt = self.push_stmt(StmtKind::Case(body), span);
                self.cases.insert(case, stmt);
                return stmt;
            }
            From::Default { body } => {
                let body = self.stmt(body);
                let stmt = self.push_stmt(StmtKind::Default(body), span);
                if let Some(default) = self.defaults.last_mut() {
                    *default = Some(stmt);
                }
                return stmt;
            }
            From::Label { label, body } => {
                let label = self.label(label);
                let body = self.stmt(body);
                let stmt = self.push_stmt(StmtKind::Label(label, body), span);
                self.unit.labels[label.index()].stmt = Some(stmt);
                if let Some(function) = self.function {
                    self.unit.functions[function.index()].labels.push(label);
                }
                return stmt;
            }
            From::Goto(label) => StmtKind::Goto(self.label(label)),
            From::IndirectGoto(target) => StmtKind::ComputedGoto(self.expr(target)),
            From::Asm(id) => {
                let asm = tast[id];
                let is_empty = tast[asm.template].elements.is_empty()
                    && tast[asm.outputs].is_empty()
                    && tast[asm.labels].is_empty();
                StmtKind::Asm { is_empty }
            }
            From::Break => StmtKind::Break,
            From::Continue => StmtKind::Continue,
            From::Return(value) => StmtKind::Return(value.map(|value| self.expr(value))),
        };
        self.push_stmt(kind, span)
    }

    /// The statements of a block that starts at `start`. Where the parser was not shown the braces of
    /// a block inside, which reaches to the end of this one, there is a block again.
    fn block(&mut self, stmts: &[rucc_sema::StmtId], start: rucc_diag::BytePos) -> Vec<StmtId> {
        let tast = self.tast;
        let mut done = Vec::with_capacity(stmts.len());
        let mut behind = start;
        for (at, stmt) in stmts.iter().enumerate() {
            let span = tast.stmt_span(*stmt);
            let next = self.removed.partition_point(|braces| braces.open <= behind);
            if let Some(braces) = self.removed.get(next).copied()
                && braces.open < span.lo
            {
                let inner = self.block(&stmts[at..], braces.open);
                let span = rucc_diag::Span::new(braces.open, braces.close);
                let span = self.places.span_or_start(span);
                done.push(self.push_stmt(StmtKind::Block(inner), span));
                return done;
            }
            done.push(self.stmt(*stmt));
            behind = span.hi.max(behind);
        }
        done
    }

    fn switch(
        &mut self,
        cond: rucc_sema::ExprId,
        body: rucc_sema::StmtId,
        table: rucc_sema::CaseList,
    ) -> StmtKind {
        let value = self.expr(cond);
        self.defaults.push(None);
        let body = self.stmt(body);
        let default = self.defaults.pop().flatten();
        let mut cases = Vec::with_capacity(table.len());
        for id in table.iter() {
            let case = self.tast[id];
            match self.cases.get(&id) {
                Some(stmt) => cases.push(Case { low: case.low, high: case.high, stmt: *stmt }),
                None => self.lost(self.tast.stmt_span(case.body), "case"),
            }
        }
        StmtKind::Switch { value, body, cases, default }
    }

    /// What a declaration does where it stands. Functions and `extern` objects do nothing.
    fn declarations(&mut self, list: rucc_sema::DeclList) -> StmtKind {
        let tast = self.tast;
        let mut objects = Vec::new();
        let mut types = Vec::new();
        for decl in &tast[list] {
            if tast[*decl].kind == DeclKind::Type {
                types.push(self.ty(tast[*decl].ty));
                continue;
            }
            if let Entity::Object(object) = self.entity(*decl)
                && self.unit.objects[object.index()].storage != Storage::External
            {
                objects.push(object);
            }
        }
        match (objects.is_empty(), types.is_empty()) {
            (true, true) => StmtKind::Empty,
            (true, false) => StmtKind::Lengths(types),
            (false, _) => StmtKind::Declare(objects),
        }
    }

    /// The label, known or not.
    pub(super) fn label(&mut self, id: rucc_sema::LabelId) -> LabelId {
        if let Some(known) = self.labels.get(&id) {
            return *known;
        }
        let label = LabelId(self.unit.labels.len() as u32);
        let name = self.text(self.tast[id].name);
        self.unit.labels.push(Label { name, stmt: None });
        self.labels.insert(id, label);
        label
    }
}
