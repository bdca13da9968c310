//! The rules about types, globals, functions and the graphs of blocks.

use super::MAX_WIDTH;
use super::instruction::Checker;
use super::rules::{Rule, Violation};
use super::typing::{const_type, type_exists};
use crate::program::{BlockId, Const, Function, Global, Program};
use crate::source::{Position, Sources, Span};
use crate::text::{MAX_TYPE_NESTING, print_instruction, print_terminator};
use crate::types::{FloatType, IntType, RecordField, RecordType, Type, TypeId, Types};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::HashSet;

/// Checks everything.
pub(super) fn program(program: &Program) -> Result<(), Violation> {
    types(&program.types)?;
    records(&program.types)?;
    for variable in &program.globals {
        global(program, variable)?;
    }
    if program.entry.index() >= program.functions.len() {
        let message = format!("there is no function number {}", program.entry.0);
        return Err(Violation::new(Rule::EntryExists, message));
    }
    let mut names = HashSet::new();
    for f in &program.functions {
        if !names.insert(&f.name) {
            let message = format!("there are two functions `{}`", f.name);
            return Err(Violation::new(Rule::FunctionNames, message));
        }
    }
    for f in &program.functions {
        function(program, f)
            .and_then(|()| graph(f))
            .and_then(|()| blocks(program, f))
            .map_err(|violation| Violation { function: Some(f.name.clone()), ..violation })?;
    }
    Ok(())
}

/// The rules about single types. Together they let everybody else recurse over types.
fn types(types: &Types) -> Result<(), Violation> {
    let mut depths: Vec<usize> = Vec::new();
    for id in (0..).map(TypeId).take_while(|id| types.contains(*id)) {
        let depth = match types.get(id) {
            Type::Any | Type::Bool | Type::Function | Type::Float(_) => 0,
            Type::Int(int) => {
                integer_width(*int)?;
                0
            }
            Type::Record(record) => {
                if record.0 as usize >= types.records().len() {
                    let message = format!("there is no record {}", record.0);
                    return Err(Violation::new(Rule::RecordExists, message));
                }
                0
            }
            Type::Pointer(part) | Type::Array { element: part, .. } => {
                type_exists(types, *part)?;
                let depth = depths.get(part.0 as usize).ok_or_else(|| {
                    let message = format!("type {} is made of type {}", id.0, part.0);
                    Violation::new(Rule::TypeOrder, message)
                })?;
                depth + 1
            }
        };
        if depth > MAX_TYPE_NESTING {
            let message = format!("type {} is nested {depth} deep", id.0);
            return Err(Violation::new(Rule::TypeNesting, message));
        }
        depths.push(depth);
    }
    Ok(())
}

/// That a machine integer is neither empty nor absurdly wide.
fn integer_width(int: IntType) -> Result<(), Violation> {
    match int {
        IntType::Machine { width, .. } if !(1..=MAX_WIDTH).contains(&width) => {
            Err(Violation::new(Rule::IntegerWidth, format!("`{int}` has {width} bits")))
        }
        _ => Ok(()),
    }
}

/// The layout of records.
fn records(types: &Types) -> Result<(), Violation> {
    let mut contains = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = types.records().iter().map(|_| contains.add_node(())).collect();
    for (record, node) in types.records().iter().zip(&nodes) {
        for field in &record.fields {
            type_exists(types, field.ty)?;
            let end = field_end(types, record, field)?;
            if end.is_none_or(|end| end > record.size) {
                let message = format!("`{}` does not fit in `{}`", field.name, record.name);
                return Err(Violation::new(Rule::RecordLayout, message));
            }
            let mut part = field.ty;
            while let Type::Array { element, .. } = types.get(part) {
                part = *element;
            }
            if let Type::Record(inner) = types.get(part) {
                contains.add_edge(*node, nodes[inner.0 as usize], ());
            }
        }
    }
    let recursive = kosaraju_scc(&contains).into_iter().find(|component| {
        component.len() > 1 || contains.contains_edge(component[0], component[0])
    });
    match recursive.and_then(|component| component.into_iter().min()) {
        Some(node) => {
            let name = &types.records()[node.index()].name;
            Err(Violation::new(Rule::RecordRecursion, format!("`{name}` contains itself")))
        }
        None => Ok(()),
    }
}

/// One past the last unit of memory that a field takes, if that is a number at all.
fn field_end(
    types: &Types,
    record: &RecordType,
    field: &RecordField,
) -> Result<Option<u64>, Violation> {
    let Some(first) = field.first_bit else {
        return Ok(field.offset.checked_add(types.size_of(field.ty)));
    };
    let Some(IntType::Machine { width, .. }) = types.as_int(field.ty) else {
        let message = format!("the bit-field `{}` of `{}` is no integer", field.name, record.name);
        return Err(Violation::new(Rule::RecordLayout, message));
    };
    let bits = u64::from(first) + u64::from(width);
    Ok(field.offset.checked_add(bits.div_ceil(8)))
}

/// A global and its initial value.
fn global(program: &Program, global: &Global) -> Result<(), Violation> {
    span(&program.sources, global.span)?;
    type_exists(&program.types, global.ty)?;
    let size = program.types.size_of(global.ty);
    for (offset, value) in &global.initial {
        constant(program, value)?;
        let end = offset.checked_add(const_size(&program.types, value));
        if end.is_none_or(|end| end > size) {
            let message = format!("the value at {offset} is outside of `{}`", global.name);
            return Err(Violation::new(Rule::GlobalInitialiser, message));
        }
    }
    Ok(())
}

/// How many units of memory a constant takes.
fn const_size(types: &Types, value: &Const) -> u64 {
    match value {
        Const::Bool(_) | Const::Int(_, IntType::Unbounded) => 1,
        Const::Int(_, IntType::Machine { width, .. }) => u64::from(width.div_ceil(8)),
        Const::Float(_, float) => match float {
            FloatType::F32 => 4,
            FloatType::F64 => 8,
            FloatType::F80 => 10,
        },
        Const::Null | Const::Function(_) | Const::Address(..) => types.pointer_size(),
    }
}

/// That a constant is a value of its type, and a function exists.
pub(super) fn constant(program: &Program, value: &Const) -> Result<(), Violation> {
    match value {
        Const::Int(number, int) => {
            integer_width(*int)?;
            if !int.contains(number) {
                let message = format!("{number} is no `{}`", const_type(value).print(program));
                return Err(Violation::new(Rule::ConstantInRange, message));
            }
        }
        Const::Function(id) if id.index() >= program.functions.len() => {
            let message = format!("there is no function number {}", id.0);
            return Err(Violation::new(Rule::FunctionExists, message));
        }
        Const::Address(id, _) if id.index() >= program.globals.len() => {
            let message = format!("there is no global number {}", id.0);
            return Err(Violation::new(Rule::GlobalExists, message));
        }
        Const::Float(bits, float) if bits.checked_shr(float.bits()).unwrap_or(0) != 0 => {
            let message = format!("{bits} has more bits than `{}`", float.name());
            return Err(Violation::new(Rule::ConstantInRange, message));
        }
        Const::Function(_)
        | Const::Bool(_)
        | Const::Null
        | Const::Address(..)
        | Const::Float(..) => {}
    }
    Ok(())
}

/// That a span makes sense.
fn span(sources: &Sources, span: Span) -> Result<(), Violation> {
    let from_one = |position: Position| position.line > 0 && position.column > 0;
    let in_file = sources.iter().next().is_none() || sources.get(span.file).is_some();
    if from_one(span.start) && span.start <= span.end && from_one(span.end) && in_file {
        return Ok(());
    }
    Err(Violation::new(Rule::SpanInSource, format!("@{span} is no span of the source")))
}

/// The declarations of a function.
fn function(program: &Program, function: &Function) -> Result<(), Violation> {
    let Function { params, result, locals, statements, blocks, .. } = function;
    span(&program.sources, function.span)?;
    if *params > locals.len() {
        let message = format!("{params} of {} locals are parameters", locals.len());
        return Err(Violation::new(Rule::ParametersAreLocals, message));
    }
    if let Some(result) = result {
        type_exists(&program.types, *result)?;
    }
    for local in locals {
        type_exists(&program.types, local.ty)?;
        span(&program.sources, local.span)?;
    }
    for statement in statements {
        span(&program.sources, *statement)?;
    }
    if blocks.is_empty() {
        return Err(Violation::new(Rule::EntryBlock, "it has no blocks"));
    }
    Ok(())
}

/// The edges between blocks, of which there is at least one.
fn graph(function: &Function) -> Result<(), Violation> {
    for (id, block) in function.blocks() {
        let at = |rule, message| Violation { block: Some(id), ..Violation::new(rule, message) };
        for next in block.terminator.kind.successors() {
            if next.index() >= function.blocks.len() {
                let message = format!("it goes to b{}, which does not exist", next.0);
                return Err(at(Rule::BlockExists, message));
            }
            if next.0 == 0 {
                let message = "it goes to the entry block".to_owned();
                return Err(at(Rule::EntryBlockPredecessors, message));
            }
        }
    }
    let mut reached = vec![false; function.blocks.len()];
    let mut open = vec![BlockId(0)];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut reached[id.index()], true) {
            open.extend(function.block(id).terminator.kind.successors());
        }
    }
    match reached.iter().position(|reached| !reached) {
        Some(block) => {
            let message = format!("b{block} cannot be reached");
            Err(Violation::new(Rule::BlockReachable, message))
        }
        None => Ok(()),
    }
}

/// What stands in the blocks.
fn blocks(program: &Program, function: &Function) -> Result<(), Violation> {
    let checker = Checker { program, function };
    for (id, block) in function.blocks() {
        let at = |violation: Violation, instruction: usize, text: String| Violation {
            block: Some(id),
            instruction: Some(instruction),
            message: format!("{}, in `{text}`", violation.message),
            ..violation
        };
        for (i, instruction) in block.instructions.iter().enumerate() {
            span(&program.sources, instruction.span)
                .and_then(|()| checker.statement(instruction.statement))
                .and_then(|()| checker.instruction(&instruction.kind))
                .map_err(|v| at(v, i, print_instruction(program, function, instruction)))?;
        }
        let (i, terminator) = (block.instructions.len(), &block.terminator);
        span(&program.sources, terminator.span)
            .and_then(|()| checker.statement(terminator.statement))
            .and_then(|()| checker.terminator(&terminator.kind))
            .map_err(|v| at(v, i, print_terminator(program, function, terminator)))?;
    }
    Ok(())
}
