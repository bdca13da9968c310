//! Functions and statements.

use super::Context;
use super::block::Builder;
use super::expr::Lowered;
use super::place::Place;
use crate::ast::{ExprId, Ident, Stmt, StmtKind};
use crate::resolve::FunctionIndex;
use loupe_ir::program::{
    Function, InstructionKind, Local, LocalId, Operand, Storage, TerminatorKind,
};
use loupe_ir::types::TypeId;

/// A function being lowered.
pub(super) struct Lowering<'c, 'a> {
    pub(super) context: &'c mut Context<'a>,
    pub(super) builder: Builder,
}

pub(super) fn lower_function(context: &mut Context<'_>, index: FunctionIndex) -> Function {
    let function = &context.ast.functions[index.0 as usize];
    let local = |(position, ident): (usize, &Ident)| {
        let pointed_to = context.tags.is_pointed_to(index, position);
        Local {
            name: Some(ident.name.clone()),
            ty: context.local_type(index, position),
            storage: if pointed_to { Storage::Memory } else { Storage::Register },
            span: ident.span,
        }
    };
    let locals = context.resolution.locals(index).iter().enumerate().map(local).collect();
    let result_type = context.result_type(index);
    let mut lowering = Lowering { context, builder: Builder::new(locals) };
    let mut variable = function.params.len();
    for declaration in &function.vars {
        lowering.builder.statement(declaration.span);
        for name in &declaration.names {
            // The object of a variable that pointers can reach begins here.
            if lowering.builder.locals[variable].storage == Storage::Memory {
                let live = InstructionKind::Live(LocalId(variable as u32));
                lowering.builder.push(live, name.span);
            }
            variable += 1;
        }
    }
    for stmt in &function.body {
        lowering.stmt(stmt);
    }
    lowering.builder.statement(function.return_span);
    let result = lowering.value(function.result);
    let result = lowering.as_type(result, result_type);
    let builder =
        lowering.builder.complete(TerminatorKind::Return(Some(result)), function.return_span);
    let (locals, statements, blocks) = builder.into_parts();
    Function {
        name: function.name.name.clone(),
        params: function.params.len(),
        result: Some(result_type),
        locals,
        statements,
        blocks,
        span: function.span,
    }
}

impl Lowering<'_, '_> {
    /// Statements nest only as deep as the parser allows, so recursion is bounded.
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::Output(value) => {
                self.builder.statement(stmt.span);
                let span = self.context.ast.exprs.get(*value).span;
                let value = self.value(*value);
                let number = self.as_number(value, span);
                self.builder.push(InstructionKind::Output(number), stmt.span);
            }
            StmtKind::Assign { place, value } => {
                self.builder.statement(stmt.span);
                self.assignment(*place, *value, stmt);
            }
            StmtKind::If { guard, then, otherwise } => {
                self.conditional(*guard, then, otherwise.as_deref());
            }
            StmtKind::While { guard, body } => self.repetition(*guard, body),
        }
    }

    fn assignment(&mut self, place: ExprId, value: ExprId, stmt: &Stmt) {
        match self.place(place) {
            Place::Register(local) => {
                let value = self.value(value);
                let ty = self.builder.locals[local.index()].ty;
                let operand = self.as_type(value, ty);
                if !self.builder.retarget(&operand, local) {
                    let value = loupe_ir::program::Rvalue::Use(operand);
                    self.builder.push(InstructionKind::Assign { target: local, value }, stmt.span);
                }
            }
            Place::Path(path) => {
                let value = self.value(value);
                let value = self.as_type(value, TypeId::ANY);
                let place = self.checked(path);
                self.builder.push(InstructionKind::Store { place, value }, stmt.span);
            }
        }
    }

    fn conditional(&mut self, guard: ExprId, then: &Stmt, otherwise: Option<&Stmt>) {
        let span = self.context.ast.exprs.get(guard).span;
        self.builder.statement(span);
        let condition = self.guard(guard);
        let then_block = self.builder.new_block();
        let else_block = otherwise.map(|_| self.builder.new_block());
        let join = self.builder.new_block();
        let branch = TerminatorKind::Branch {
            condition,
            then: then_block,
            otherwise: else_block.unwrap_or(join),
        };
        self.builder.finish(branch, span, then_block);
        self.stmt(then);
        self.builder.finish(TerminatorKind::Goto(join), then.span, else_block.unwrap_or(join));
        if let Some(otherwise) = otherwise {
            self.stmt(otherwise);
            self.builder.finish(TerminatorKind::Goto(join), otherwise.span, join);
        }
    }

    fn repetition(&mut self, guard: ExprId, body: &Stmt) {
        let span = self.context.ast.exprs.get(guard).span;
        let header = self.builder.new_block();
        self.builder.statement(span);
        self.builder.finish(TerminatorKind::Goto(header), span, header);
        let condition = self.guard(guard);
        let first = self.builder.new_block();
        let after = self.builder.new_block();
        let branch = TerminatorKind::Branch { condition, then: first, otherwise: after };
        self.builder.finish(branch, span, first);
        self.stmt(body);
        self.builder.finish(TerminatorKind::Goto(header), body.span, after);
    }

    fn guard(&mut self, guard: ExprId) -> Operand {
        let span = self.context.ast.exprs.get(guard).span;
        let value: Lowered = self.value(guard);
        self.as_truth(value, span)
    }
}
