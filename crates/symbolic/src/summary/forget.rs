//! Calls whose outcome is forgotten: a function in a loop that calls itself (GUIDE 4: recursion is `over`), and one on the way to a target where a necessary condition is looked for.
//!
//! The call is not executed. Its result is any number of its type, and so is every global variable that it may write afterwards; each check in it
//! may fail. That holds all executions of the call that return or fail, if it does nothing else: all that it calls writes registers and such globals, takes no inputs, puts
//! nothing out, and ends in no other way. It may run for ever, so this is nothing for those who ask whether a loop ends.

use super::body::{Body, Run};
use super::recursion::any_result;
use super::solve::Question;
use super::{ExitKind, WhyNot};
use crate::domain::{Outcome, Symbolic};
use crate::value::Int;
use loupe_engine::domain::{Access, Domain};
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{
    Base, Const, Function, FunctionId, GlobalId, InstructionKind, Operand, Program, Rvalue,
    Storage, TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type};
use loupe_ir::validate::ValueType;
use loupe_loops::{Fresh, FreshKind, Precision};
use loupe_term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// What a call may do.
#[derive(Default)]
struct Effects {
    /// What may fail, and where first.
    failures: BTreeMap<CheckKind, Span>,
    globals: BTreeMap<GlobalId, IntType>,
}

impl Effects {
    /// What a call of a function may do; none if that is more than can be forgotten.
    fn of(program: &Program, function: FunctionId) -> Option<Self> {
        let mut effects = Effects::default();
        let (mut open, mut seen) = (vec![function], BTreeSet::new());
        while let Some(function) = open.pop() {
            if seen.insert(function) {
                open.extend(effects.add(program, program.function(function))?);
            }
        }
        Some(effects)
    }

    /// What a function does itself, and whom it calls.
    fn add(&mut self, program: &Program, function: &Function) -> Option<Vec<FunctionId>> {
        let mut calls = Vec::new();
        if function.locals.iter().any(|local| local.storage != Storage::Register) {
            return None;
        }
        for block in &function.blocks {
            for instruction in &block.instructions {
                match &instruction.kind {
                    InstructionKind::Assign {
                        value:
                            Rvalue::Use(_)
                            | Rvalue::Load(_)
                            | Rvalue::Unary(..)
                            | Rvalue::Binary(..)
                            | Rvalue::Compare(..)
                            | Rvalue::Convert(..),
                        ..
                    }
                    | InstructionKind::Assume(_) => {}
                    InstructionKind::Store { place, .. } => {
                        let Base::Global(global) = place.base else { return None };
                        let ty = program.types.get(program.globals.get(global.index())?.ty);
                        match ty {
                            Type::Int(ty) if place.projections.is_empty() => {
                                self.globals.insert(global, *ty);
                            }
                            _ => return None,
                        }
                    }
                    InstructionKind::Call { callee, .. } => {
                        let Operand::Const(Const::Function(callee)) = callee else { return None };
                        calls.push(*callee);
                    }
                    InstructionKind::Check(check) if check.kind != CheckKind::Unsupported => {
                        self.failures.entry(check.kind).or_insert(instruction.span);
                    }
                    _ => return None,
                }
            }
            match block.terminator.kind {
                TerminatorKind::Goto(_)
                | TerminatorKind::Branch { .. }
                | TerminatorKind::Switch { .. }
                | TerminatorKind::Unreachable => {}
                TerminatorKind::Return(None) if function.result.is_some() => return None,
                TerminatorKind::Return(_) => {}
                TerminatorKind::Exit(_) | TerminatorKind::Abort => return None,
            }
        }
        Some(calls)
    }
}

/// Puts any number into a global; the symbol that stands for it.
fn overwrite(
    machine: &mut Machine<'_, Symbolic>,
    state: &mut State<Symbolic>,
    (global, ty): (GlobalId, IntType),
) -> Outcome<Term> {
    let domain = &mut machine.domain;
    let symbol = domain.typed_symbol("written", ty);
    for condition in domain.range_conditions(ty, symbol) {
        domain.assume_harmless(condition);
    }
    let access = Access { pointer: domain.global(global), ty: ValueType::Int(ty), first_bit: None };
    let (types, memory) = (&machine.program.types, &mut state.memory);
    domain.store(types, memory, &access, Value::Int(Int::Term(symbol)))?;
    Ok(symbol)
}

/// What may fail in the call that a state has just begun, if the call can be forgotten.
pub(crate) fn failures(
    program: &Program,
    state: &State<Symbolic>,
) -> Option<BTreeMap<CheckKind, Span>> {
    let function = state.frames.last()?.function;
    let has_result = program.function(function).result.is_some();
    let effects = Effects::of(program, function)?;
    (!has_result || is_number(program, function)).then_some(effects.failures)
}

/// Whether the result of a function is a number.
fn is_number(program: &Program, function: FunctionId) -> bool {
    let result = program.function(function).result;
    result.is_some_and(|ty| matches!(program.types.get(ty), Type::Int(_)))
}

/// Takes a state that has just begun a call that can be forgotten to where it returns, in whatever way.
pub(crate) fn pass_by(
    machine: &mut Machine<'_, Symbolic>,
    state: &mut State<Symbolic>,
) -> Outcome<()> {
    let Some(function) = state.frames.last().map(|frame| frame.function) else { return Ok(()) };
    let effects = Effects::of(machine.program, function).unwrap_or_default();
    for global in effects.globals {
        overwrite(machine, state, global)?;
    }
    let result = any_result(machine, function);
    machine.leave(state, result)?;
    Ok(())
}

impl Body<'_, '_> {
    /// A call has begun whose outcome is forgotten: the execution goes on behind it, and may fail in it.
    pub(super) fn forget(&mut self, mut run: Run, span: Span) -> Outcome<Result<Run, WhyNot>> {
        let why = |more: &str| WhyNot {
            what: format!("a function in the loop calls itself{more}"),
            span,
        };
        if self.solutions.question == Question::Termination {
            return Ok(Err(why("")));
        }
        let program = self.machine.program;
        let Some(function) = run.state.frames.last().map(|frame| frame.function) else {
            return Ok(Err(why("")));
        };
        let Some(effects) = Effects::of(program, function) else {
            return Ok(Err(why(", and does more than compute numbers")));
        };
        run.precision = Precision::Over;
        let mut fresh = Vec::new();
        // Which of the ways it goes is as if it was read.
        let domain = &mut self.machine.domain;
        let way = domain.terms.int_symbol("way");
        for (number, (kind, at)) in effects.failures.iter().enumerate() {
            let passed = self.machine.domain.path.clone();
            let domain = &mut self.machine.domain;
            let number = domain.terms.int(number as i64 + 1);
            let goes = domain.terms.eq(way, number);
            domain.assume(goes, None);
            let mut failing = run.clone();
            failing.fresh.push(Fresh { symbol: way, kind: FreshKind::Input });
            self.finish(failing, ExitKind::Failed(*kind), *at, None);
            self.machine.domain.path = passed;
        }
        if !effects.failures.is_empty() {
            let domain = &mut self.machine.domain;
            let zero = domain.terms.int(0);
            let goes = domain.terms.eq(way, zero);
            domain.assume(goes, None);
            fresh.push(way);
        }
        for global in effects.globals {
            fresh.push(overwrite(self.machine, &mut run.state, global)?);
        }
        let result = any_result(self.machine, function);
        if program.function(function).result.is_some() && result.is_none() {
            return Ok(Err(why(", and its result is no number")));
        }
        if let Some(Value::Int(Int::Term(symbol))) = &result {
            fresh.push(*symbol);
        }
        run.fresh
            .extend(fresh.iter().map(|symbol| Fresh { symbol: *symbol, kind: FreshKind::Input }));
        self.machine.leave(&mut run.state, result)?;
        Ok(Ok(run))
    }
}
