//! Whether the recursion that a call begins comes to an end.
//!
//! The chain of nested calls of a function is a loop: its variables are the parameters, and each way from the start of the function to a call of itself is a path. If that
//! loop has a ranking, every chain of nested calls is finite; each activation makes finitely many calls, because it has no loops and all other functions that it calls come to an
//! end; so the tree of calls is finite (Kőnig), and the call returns. On the way, nested calls are not executed: their results are arbitrary. That is sound because such functions write no
//! memory, so a nested call changes nothing but its result.
//!
//! What is not looked at: functions with loops, with effects on memory, with parameters or results that are no integers, and other functions that call themselves on the way.

use crate::domain::{Feasible, Outcome, Symbolic};
use crate::halt::Halt;
use crate::loops::Loops;
use crate::path::Path;
use crate::value::{Bool, Int, SymbolicValue};
use loupe_engine::semantics::{Control, Event, Machine};
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{
    Block, BlockId, Const, FunctionId, InstructionKind, Operand, Program, Rvalue, Storage,
    TerminatorKind,
};
use loupe_ir::types::{IntType, Type};
use loupe_loops::{Effort, End, Fresh, FreshKind, Loop, Precision, Variable};
use loupe_term::{Node, SymbolId, Term};
use std::collections::BTreeSet;

/// More ways through a function are not looked at.
const MAX_PATHS: usize = 64;

/// Nor longer ones.
const MAX_STEPS: u64 = 50_000;

/// The functions that are called directly.
fn callees(program: &Program, function: FunctionId) -> Option<BTreeSet<FunctionId>> {
    let mut found = BTreeSet::new();
    let instructions = program.function(function).blocks.iter().flat_map(|b| &b.instructions);
    for instruction in instructions {
        let InstructionKind::Call { callee, .. } = &instruction.kind else { continue };
        let Operand::Const(Const::Function(callee)) = callee else { return None };
        found.insert(*callee);
    }
    Some(found)
}

/// All functions that calls of these lead to, but not through `except`.
fn reached(
    program: &Program,
    from: BTreeSet<FunctionId>,
    except: FunctionId,
) -> Option<BTreeSet<FunctionId>> {
    let mut open: Vec<FunctionId> = from.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(function) = open.pop() {
        if found.insert(function) && function != except {
            open.extend(callees(program, function)?);
        }
    }
    Some(found)
}

/// Whether a function changes nothing but its registers, and has no loops.
fn is_quiet(program: &Program, loops: &Loops, function: FunctionId) -> bool {
    let code = program.function(function);
    let forest = loops.of(function);
    let is_quiet = |kind: &InstructionKind| match kind {
        InstructionKind::Assign { value, .. } => matches!(
            value,
            Rvalue::Use(_)
                | Rvalue::Load(_)
                | Rvalue::Unary(..)
                | Rvalue::Binary(..)
                | Rvalue::Compare(..)
                | Rvalue::Convert(..)
                | Rvalue::Input(_)
                | Rvalue::Undefined(_)
        ),
        InstructionKind::Call { .. } | InstructionKind::Check(_) | InstructionKind::Assume(_) => {
            true
        }
        _ => false,
    };
    // Whoever ends without the value that it promises is a matter of a check at the call.
    let promises = code.result.is_some();
    let keeps = |block: &Block| !promises || block.terminator.kind != TerminatorKind::Return(None);
    forest.loops.is_empty()
        && code.blocks.iter().all(keeps)
        && forest.is_reducible()
        && code.locals.iter().all(|local| local.storage == Storage::Register)
        && code.blocks.iter().flat_map(|b| &b.instructions).all(|i| is_quiet(&i.kind))
}

/// Whether a function may be looked at: it calls itself, perhaps through others, and everything that it calls is quiet and calls itself in no other way.
fn is_simple(program: &Program, loops: &Loops, function: FunctionId) -> Option<bool> {
    let all = reached(program, callees(program, function)?, function)?;
    if !all.contains(&function) {
        return Some(false);
    }
    for other in &all {
        let inner = reached(program, callees(program, *other)?, function)?;
        if !is_quiet(program, loops, *other) || *other != function && inner.contains(other) {
            return Some(false);
        }
    }
    Some(is_quiet(program, loops, function))
}

/// Decides what is known.
struct Known;

impl Control<Symbolic> for Known {
    fn decide(&mut self, condition: &Bool) -> Option<bool> {
        match condition {
            Bool::Known(truth) => Some(*truth),
            Bool::Term(_) => None,
        }
    }

    fn edge(&mut self, _: FunctionId, _: BlockId, _: BlockId) {}

    fn stops(&mut self, _: FunctionId, _: BlockId, _: BlockId) -> bool {
        false
    }
}

/// The integer type of a function's result, if it is one; `Ok(None)` if there is no result.
fn result_type(program: &Program, function: FunctionId) -> Result<Option<IntType>, ()> {
    match program.function(function).result.map(|ty| program.types.get(ty)) {
        None => Ok(None),
        Some(Type::Int(ty)) => Ok(Some(*ty)),
        Some(_) => Err(()),
    }
}

/// Any result of a call.
pub(crate) fn any_result(
    machine: &mut Machine<'_, Symbolic>,
    function: FunctionId,
) -> Option<SymbolicValue> {
    let ty = result_type(machine.program, function).ok().flatten()?;
    let domain = &mut machine.domain;
    let symbol = domain.typed_symbol("result", ty);
    for condition in domain.range_conditions(ty, symbol) {
        domain.assume_harmless(condition);
    }
    Some(Value::Int(Int::Term(symbol)))
}

/// Whether the call that a state has just begun comes to an end, whatever it reads. `is_end` says where a failing check simply ends an execution.
pub(crate) fn returns(
    machine: &mut Machine<'_, Symbolic>,
    loops: &Loops,
    state: &State<Symbolic>,
    is_end: &dyn Fn(CheckKind) -> bool,
) -> Outcome<bool> {
    let Some(frame) = state.frames.last() else { return Ok(false) };
    let function = frame.function;
    if is_simple(machine.program, loops, function) != Some(true)
        || result_type(machine.program, function).is_err()
    {
        return Ok(false);
    }
    let path = std::mem::take(&mut machine.domain.path);
    let decided = std::mem::take(&mut machine.domain.decided);
    let guide = machine.domain.guide.take();
    let written = std::mem::take(&mut machine.domain.written);
    let mut chain = Chain {
        function,
        depth: state.depth(),
        parameters: Vec::new(),
        is_end,
        open: Vec::new(),
        paths: Vec::new(),
        steps: MAX_STEPS,
    };
    let known = path.conditions();
    let problem = chain.problem(machine, state, &known);
    let domain = &mut machine.domain;
    (domain.path, domain.decided, domain.guide) = (path, decided, guide);
    domain.written = written;
    let Some(problem) = problem? else { return Ok(false) };
    let mut effort = Effort { questions: 600, ..Effort::default() };
    effort.limits.interrupt = domain.limits.interrupt.clone();
    let (terms, solver) = domain.solver();
    Ok(loupe_loops::rank(terms, solver, &problem, &effort)?.is_some())
}

/// A chain of nested calls, as a loop.
struct Chain<'c> {
    function: FunctionId,
    depth: usize,
    /// The parameters: their symbols, and the values of the first call.
    parameters: Vec<(Term, Term)>,
    is_end: &'c dyn Fn(CheckKind) -> bool,
    open: Vec<(State<Symbolic>, Path)>,
    /// What holds where a nested call begins, and its arguments.
    paths: Vec<(Vec<Term>, Vec<Term>)>,
    steps: u64,
}

impl Chain<'_> {
    /// `None` if something is not understood.
    fn problem(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        state: &State<Symbolic>,
        known: &[Term],
    ) -> Outcome<Option<Loop>> {
        let program = machine.program;
        let domain = &mut machine.domain;
        let mut start = state.clone();
        let mut facts = known.to_vec();
        let code = program.function(self.function);
        let Some(frame) = start.frames.last_mut() else { return Ok(None) };
        for (local, slot) in code.locals.iter().zip(&mut frame.locals).take(code.params) {
            let (Type::Int(ty), Value::Int(value)) = (program.types.get(local.ty), &*slot) else {
                return Ok(None);
            };
            let value = domain.term(value);
            let symbol = domain.typed_symbol(local.name.as_deref().unwrap_or("argument"), *ty);
            facts.extend(domain.range_conditions(*ty, symbol));
            *slot = Value::Int(Int::Term(symbol));
            self.parameters.push((symbol, value));
        }
        let apart = domain.start_apart();
        let undefined = domain.terms.int_symbol("undefined");
        start.streams = state.streams.apart(apart, undefined);
        let mut path = Path::default();
        for fact in &facts {
            let negation = domain.terms.not(*fact);
            path.assume(*fact, negation, None);
        }
        self.open.push((start, path));
        while let Some((state, path)) = self.open.pop() {
            machine.domain.path = path;
            if !self.walk(machine, state)? || self.open.len() + self.paths.len() > MAX_PATHS {
                return Ok(None);
            }
        }
        Ok(Some(self.build(machine, facts)))
    }

    fn build(&mut self, machine: &mut Machine<'_, Symbolic>, facts: Vec<Term>) -> Loop {
        let domain = &mut machine.domain;
        // All that is neither a parameter nor known before is another in every call.
        let mut fixed: BTreeSet<SymbolId> = BTreeSet::new();
        for term in facts.iter().chain(self.parameters.iter().map(|(symbol, _)| symbol)) {
            fixed.extend(domain.terms.free_symbols(*term));
        }
        let mut paths = Vec::new();
        for (guard, updates) in std::mem::take(&mut self.paths) {
            let mut symbols: BTreeSet<SymbolId> = BTreeSet::new();
            for term in guard.iter().chain(&updates) {
                symbols.extend(domain.terms.free_symbols(*term));
            }
            let fresh = symbols.difference(&fixed).map(|symbol| Fresh {
                symbol: domain.terms.symbol_term(*symbol),
                kind: FreshKind::Input,
            });
            let fresh = fresh.collect();
            paths.push(loupe_loops::Path {
                guard: domain.terms.and(guard),
                updates,
                fresh,
                end: End::Again,
                precision: Precision::Over,
                label: String::new(),
            });
        }
        let variable = |(symbol, _): &(Term, Term)| Variable {
            symbol: *symbol,
            name: match domain.terms.node(*symbol) {
                Node::Symbol(id) => domain.terms.symbol(*id).name.clone(),
                _ => String::new(),
            },
        };
        let variables = self.parameters.iter().map(variable).collect();
        let mut entry = Vec::new();
        for (symbol, value) in &self.parameters {
            entry.push(domain.terms.eq(*symbol, *value));
        }
        Loop {
            variables,
            paths,
            facts,
            entry,
            exits: 0,
            is_partial: None,
            ways: loupe_loops::Ways::One,
            counted: Vec::new(),
        }
    }

    /// Executes up to the next decision, and makes it. `false` if something is not understood.
    fn walk(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        mut state: State<Symbolic>,
    ) -> Outcome<bool> {
        loop {
            let event = match machine.advance(&mut state, &mut Known, &mut self.steps) {
                Ok(event) => event,
                Err(halt) if matches!(*halt, Halt::Again) => {
                    if let Some(frame) = state.frames.last_mut() {
                        frame.next -= 1;
                    }
                    continue;
                }
                Err(halt) => match *halt {
                    Halt::Internal(error) => return Err(error.into()),
                    _ => return Ok(false),
                },
            };
            match event {
                Event::Called => {
                    let Some(frame) = state.frames.last() else { return Ok(false) };
                    if frame.function != self.function {
                        continue;
                    }
                    let mut arguments = Vec::new();
                    for slot in frame.locals.iter().take(self.parameters.len()) {
                        let Value::Int(value) = slot else { return Ok(false) };
                        arguments.push(machine.domain.term(value));
                    }
                    self.paths.push((machine.domain.path.conditions(), arguments));
                    let result = any_result(machine, self.function);
                    machine.leave(&mut state, result)?;
                }
                Event::Returned if state.depth() < self.depth => return Ok(true),
                Event::Returned | Event::Written | Event::Output(_) => {}
                Event::Checked { check, holds, .. } => {
                    let holds = machine.domain.condition(holds);
                    let fails = machine.domain.terms.not(holds);
                    let can_fail = !matches!(machine.domain.feasible(fails)?, Feasible::No);
                    if can_fail && !(self.is_end)(check.kind) {
                        return Ok(false);
                    }
                    if let Feasible::No = machine.domain.feasible(holds)? {
                        return Ok(true);
                    }
                    machine.domain.assume(holds, None);
                }
                Event::Assumed(holds) => {
                    let holds = machine.domain.condition(holds);
                    if let Feasible::No = machine.domain.feasible(holds)? {
                        return Ok(true);
                    }
                    machine.domain.assume(holds, None);
                }
                Event::Branch { condition, then, otherwise } => {
                    let condition = machine.domain.condition(condition);
                    let negation = machine.domain.terms.not(condition);
                    self.fork(machine, &state, &[(condition, then), (negation, otherwise)])?;
                    return Ok(true);
                }
                Event::Switch { value, cases, default } => {
                    let sides = machine.domain.sides(&value, cases, default);
                    self.fork(machine, &state, &sides)?;
                    return Ok(true);
                }
                Event::Finished(_) | Event::Exited(_) | Event::Aborted => return Ok(true),
                Event::Paused | Event::Entered => return Ok(false),
            }
        }
    }

    fn fork(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        state: &State<Symbolic>,
        sides: &[(Term, BlockId)],
    ) -> Outcome<()> {
        let path = std::mem::take(&mut machine.domain.path);
        for (condition, block) in sides {
            machine.domain.path = path.clone();
            if matches!(machine.domain.feasible(*condition)?, Feasible::No) {
                continue;
            }
            machine.domain.assume(*condition, None);
            let mut child = state.clone();
            Machine::<Symbolic>::enter(&mut child, *block);
            self.open.push((child, std::mem::take(&mut machine.domain.path)));
        }
        Ok(())
    }
}
