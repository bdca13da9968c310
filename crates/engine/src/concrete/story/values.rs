//! What variables hold where a run ends, in the names of the user.

use super::super::{Concrete, ConcreteState, ConcreteValue};
use crate::semantics::Machine;
use crate::value::Value;
use loupe_ir::program::{
    Base, Const, Function, GlobalAccess, GlobalId, LocalId, Operand, Place, Program, Projection,
    Storage,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type, TypeId};
use std::collections::BTreeMap;

/// So many variables are shown.
const MOST: usize = 24;
/// So many elements or fields of each.
const ELEMENTS: usize = 8;

/// A variable and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// The name in the source.
    pub name: String,
    /// The value, as the user would write it.
    pub value: String,
}

/// What the variables of the innermost function of the user hold, and the global variables.
///
/// The state is at its end: calls of library functions are taken off its stack. Variables that are lost, at some depth of calls, are left out.
pub(super) fn values(
    machine: &mut Machine<'_, Concrete>,
    state: &mut ConcreteState,
    lost: &[(usize, LocalId)],
) -> Vec<NamedValue> {
    let program = machine.program;
    let is_users = |function: &Function| {
        program.sources.is_users(function.span) && !function.name.starts_with(Program::START)
    };
    while state.frames.last().is_some_and(|frame| !is_users(program.function(frame.function))) {
        state.frames.pop();
    }
    let mut found = Vec::new();
    if let Some(frame) = state.frames.last() {
        let function = program.function(frame.function);
        let block = function.block(frame.block);
        let at = block.instructions.get(frame.next.saturating_sub(1));
        let here = at.map_or(block.terminator.span, |instruction| instruction.span);
        let depth = state.frames.len();
        for local in visible(function, here) {
            if lost.contains(&(depth, local)) {
                continue;
            }
            let text = local_text(machine, state, function, local);
            if let (Some(name), Some(value)) = (&function.local(local).name, text) {
                found.push(NamedValue { name: name.clone(), value });
            }
        }
        for (number, global) in program.globals.iter().enumerate() {
            if global.access == GlobalAccess::ReadOnly || !program.sources.is_users(global.span) {
                continue;
            }
            let place =
                Place { base: Base::Global(GlobalId(number as u32)), projections: Vec::new() };
            if let Some(value) = place_text(machine, state, function, &place, global.ty) {
                found.push(NamedValue { name: global.name.clone(), value });
            }
        }
    }
    found.truncate(MOST);
    found
}

/// The variables that are declared before a place, of those with one name the last.
fn visible(function: &Function, here: Span) -> Vec<LocalId> {
    let mut by_name: BTreeMap<&str, LocalId> = BTreeMap::new();
    for (id, local) in function.locals() {
        let is_before = local.span.file != here.file || local.span.start <= here.start;
        if let Some(name) = local.name.as_deref().filter(|_| is_before) {
            by_name.insert(name, id);
        }
    }
    let mut all: Vec<LocalId> = by_name.into_values().collect();
    all.sort_unstable();
    all
}

fn local_text(
    machine: &mut Machine<'_, Concrete>,
    state: &mut ConcreteState,
    function: &Function,
    local: LocalId,
) -> Option<String> {
    let declared = function.local(local);
    let value = state.frames.last()?.locals.get(local.index())?;
    match declared.storage {
        Storage::Register => text(machine.program, value),
        // Before its declaration is executed there is no object.
        Storage::Memory if matches!(value, Value::Pointer(_)) => {
            place_text(machine, state, function, &Place::local(local), declared.ty)
        }
        Storage::Memory => None,
    }
}

/// What stands at a place in memory, as far as it is simple.
fn place_text(
    machine: &mut Machine<'_, Concrete>,
    state: &mut ConcreteState,
    function: &Function,
    place: &Place,
    ty: TypeId,
) -> Option<String> {
    let program = machine.program;
    match program.types.get(ty) {
        Type::Array { element, length } if program.types.is_scalar(*element) => {
            let mut parts = Vec::new();
            for at in 0..(*length).min(ELEMENTS as u64) {
                let index = Operand::Const(Const::Int(at.into(), IntType::signed(64)));
                let element = place.clone().project(Projection::Index(index));
                let value = machine.load(state, function, &element).ok()?;
                parts.push(text(program, &value)?);
            }
            if *length > ELEMENTS as u64 {
                parts.push("…".to_owned());
            }
            Some(format!("{{{}}}", parts.join(", ")))
        }
        _ if program.types.is_scalar(ty) => {
            let value = machine.load(state, function, place).ok()?;
            text(program, &value)
        }
        _ => None,
    }
}

/// A value as the user would write it; nothing if it is none, or not simple.
fn text(program: &Program, value: &ConcreteValue) -> Option<String> {
    Some(match value {
        Value::Int(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Pointer(address) if address.is_null() => "null".to_owned(),
        Value::Pointer(_) => "a pointer".to_owned(),
        Value::Function(function) => program.function(*function).name.clone(),
        Value::Array(_) => "an array".to_owned(),
        Value::Record(record) => {
            let field = |(name, value): &(_, ConcreteValue)| {
                let value = match value {
                    Value::Record(_) => "a record".to_owned(),
                    other => text(program, other).unwrap_or_else(|| "nothing".to_owned()),
                };
                format!("{}: {value}", program.symbols.name(*name))
            };
            let fields: Vec<String> = record.fields.iter().take(ELEMENTS).map(field).collect();
            let more = if record.fields.len() > ELEMENTS { ", …" } else { "" };
            format!("{{{}{more}}}", fields.join(", "))
        }
        Value::Float(_) | Value::LongFloat(_) => return None,
        Value::Uninitialised | Value::Sequence(_) | Value::Aggregate(_) => return None,
    })
}
