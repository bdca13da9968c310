//! From programs to text.
//!
//! Printing never fails, not even for a malformed program: what refers to something that does not
//! exist is printed in `<>`, which cannot be read back. A malformed program is what one most wants
//! to see printed.

use super::MAX_TYPE_NESTING;
use super::words::{Name, Quoted, Word};
use crate::check::{Check, Predicate};
use crate::program::{
    Base, BlockId, Const, Function, FunctionId, Global, GlobalAccess, GlobalId, Initial,
    Instruction, InstructionKind, Local, LocalId, Operand, Place, Program, Projection, Region,
    Rvalue, Storage, Symbol, Terminator, TerminatorKind,
};
use crate::types::{IntType, RecordType, Type, TypeId};
use std::fmt::{self, Display, Formatter};

/// The textual form of a program.
pub fn print(program: &Program) -> String {
    Context { program, locals: &[] }.show(program).to_string()
}

/// The textual form of an instruction of `function`, without its span and statement.
pub fn print_instruction(
    program: &Program,
    function: &Function,
    instruction: &Instruction,
) -> String {
    Context { program, locals: &function.locals }.show(&instruction.kind).to_string()
}

/// The textual form of a terminator of `function`, without its span and statement.
pub fn print_terminator(program: &Program, function: &Function, terminator: &Terminator) -> String {
    Context { program, locals: &function.locals }.show(&terminator.kind).to_string()
}

/// The textual form of an operand in `function`.
pub fn print_operand(program: &Program, function: &Function, operand: &Operand) -> String {
    Context { program, locals: &function.locals }.show(operand).to_string()
}

/// The textual form of a type.
pub fn print_type(program: &Program, id: TypeId) -> String {
    Context { program, locals: &[] }.show(&id).to_string()
}

/// What names are looked up in.
#[derive(Clone, Copy)]
struct Context<'a> {
    program: &'a Program,
    locals: &'a [Local],
}

impl<'a> Context<'a> {
    /// `node`, to be printed.
    fn show<T: ?Sized>(self, node: &'a T) -> Show<'a, T> {
        Show { cx: self, node }
    }
}

/// A part of a program, to be printed.
struct Show<'a, T: ?Sized> {
    cx: Context<'a>,
    node: &'a T,
}

/// Writes the items with `, ` between them.
fn separated<T>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}

impl Display for Show<'_, Program> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Show { cx, node: program } = self;
        if program.types.pointer_size() != 1 {
            writeln!(f, "pointer-size {}", program.types.pointer_size())?;
        }
        for (id, file) in program.sources.iter() {
            writeln!(f, "source {} {}", id.0, Quoted(&file.name))?;
        }
        for (i, record) in program.types.records().iter().enumerate() {
            writeln!(f, "record {i} {}", cx.show(record))?;
        }
        for (i, global) in program.globals.iter().enumerate() {
            writeln!(f, "global {}%{i}: {}", Name(&global.name), cx.show(global))?;
        }
        writeln!(f, "entry {}", cx.show(&program.entry))?;
        for function in &program.functions {
            writeln!(f)?;
            Context { program, locals: &function.locals }.show(function).fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Show<'_, RecordType> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Show { cx, node: record } = self;
        write!(f, "{} size {} {{ ", Quoted(&record.name), record.size)?;
        separated(f, &record.fields, |f, field| {
            write!(f, "{}: {} at {}", Quoted(&field.name), cx.show(&field.ty), field.offset)?;
            field.first_bit.map_or(Ok(()), |bit| write!(f, " bit {bit}"))
        })?;
        f.write_str(if record.fields.is_empty() { "}" } else { " }" })
    }
}

/// All but the name.
impl Display for Show<'_, Global> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Show { cx, node: global } = self;
        cx.show(&global.ty).fmt(f)?;
        if global.access == GlobalAccess::ReadOnly {
            f.write_str(" constant")?;
        }
        if !global.initial.is_empty() {
            f.write_str(" = { ")?;
            separated(f, &global.initial, |f, (offset, value)| {
                write!(f, "{offset}: {}", cx.show(value))
            })?;
            f.write_str(" }")?;
        }
        write!(f, " @{}", global.span)
    }
}

impl Display for Show<'_, Function> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Show { cx, node: function } = self;
        write!(f, "fn @{}(", Name(&function.name))?;
        separated(f, function.locals().take(function.params), |f, (id, local)| {
            if local.storage == Storage::Memory {
                f.write_str("memory ")?;
            }
            write!(f, "{}: {} @{}", cx.show(&id), cx.show(&local.ty), local.span)
        })?;
        f.write_str(")")?;
        if let Some(result) = &function.result {
            write!(f, " -> {}", cx.show(result))?;
        }
        writeln!(f, " @{} {{", function.span)?;
        for (id, local) in function.locals().skip(function.params) {
            let memory = if local.storage == Storage::Memory { "memory " } else { "" };
            let (name, ty) = (cx.show(&id), cx.show(&local.ty));
            writeln!(f, "  let {memory}{name}: {ty} @{}", local.span)?;
        }
        for (i, span) in function.statements.iter().enumerate() {
            writeln!(f, "  stmt #{i} @{span}")?;
        }
        for (id, block) in function.blocks() {
            writeln!(f, "{}:", cx.show(&id))?;
            for Instruction { kind, span, statement } in &block.instructions {
                writeln!(f, "  {} @{span} #{}", cx.show(kind), statement.0)?;
            }
            let Terminator { kind, span, statement } = &block.terminator;
            writeln!(f, "  {} @{span} #{}", cx.show(kind), statement.0)?;
        }
        writeln!(f, "}}")
    }
}

impl Display for Show<'_, InstructionKind> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cx = self.cx;
        match self.node {
            InstructionKind::Assign { target, value } => {
                write!(f, "{} = {}", cx.show(target), cx.show(value))
            }
            InstructionKind::Store { place, value } => {
                write!(f, "store {}, {}", cx.show(place), cx.show(value))
            }
            InstructionKind::Call { target, callee, arguments } => {
                if let Some(target) = target {
                    write!(f, "{} = ", cx.show(target))?;
                }
                write!(f, "call {}({})", cx.show(callee), cx.show(arguments.as_slice()))
            }
            InstructionKind::Check(Check { kind, predicate }) => {
                write!(f, "check {} {}", kind.word(), cx.show(predicate))
            }
            InstructionKind::Assume(condition) => write!(f, "assume {}", cx.show(condition)),
            InstructionKind::Output(value) => write!(f, "output {}", cx.show(value)),
            InstructionKind::Live(local) => write!(f, "live {}", cx.show(local)),
            InstructionKind::Dead(local) => write!(f, "dead {}", cx.show(local)),
            InstructionKind::Free(pointer) => write!(f, "free {}", cx.show(pointer)),
            InstructionKind::Copy { to, from, count } => {
                write!(f, "copy {}, {}, {}", cx.show(to), cx.show(from), cx.show(count))
            }
            InstructionKind::Fill { to, byte, count } => {
                write!(f, "fill {}, {}, {}", cx.show(to), cx.show(byte), cx.show(count))
            }
            InstructionKind::Intrinsic { target, intrinsic, arguments } => {
                if let Some(target) = target {
                    write!(f, "{} = ", cx.show(target))?;
                }
                let arguments = cx.show(arguments.as_slice());
                write!(f, "intrinsic {}({arguments})", intrinsic.word())
            }
        }
    }
}

impl Display for Show<'_, TerminatorKind> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cx = self.cx;
        match self.node {
            TerminatorKind::Goto(next) => write!(f, "goto {}", cx.show(next)),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let (then, otherwise) = (cx.show(then), cx.show(otherwise));
                write!(f, "branch {}, {then}, {otherwise}", cx.show(condition))
            }
            TerminatorKind::Switch { value, cases, default } => {
                write!(f, "switch {} [", cx.show(value))?;
                separated(f, cases, |f, (value, next)| write!(f, "{value}: {}", cx.show(next)))?;
                write!(f, "] {}", cx.show(default))
            }
            TerminatorKind::Return(None) => f.write_str("return"),
            TerminatorKind::Return(Some(value)) => write!(f, "return {}", cx.show(value)),
            TerminatorKind::Exit(status) => write!(f, "exit {}", cx.show(status)),
            TerminatorKind::Abort => f.write_str("abort"),
            TerminatorKind::Unreachable => f.write_str("unreachable"),
        }
    }
}

impl Display for Show<'_, Rvalue> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cx = self.cx;
        match self.node {
            Rvalue::Use(value) => cx.show(value).fmt(f),
            Rvalue::Load(place) => write!(f, "load {}", cx.show(place)),
            Rvalue::Unary(op, value) => write!(f, "{} {}", op.word(), cx.show(value)),
            Rvalue::Binary(op, left, right) => {
                write!(f, "{} {}, {}", op.word(), cx.show(left), cx.show(right))
            }
            Rvalue::Compare(op, left, right) => {
                write!(f, "{} {}, {}", op.word(), cx.show(left), cx.show(right))
            }
            Rvalue::Convert(value, to) => {
                write!(f, "convert {} to {}", cx.show(value), cx.show(to))
            }
            Rvalue::Downcast(value, to) => {
                write!(f, "downcast {} to {}", cx.show(value), cx.show(to))
            }
            Rvalue::AddressOf(place) => write!(f, "addr {}", cx.show(place)),
            Rvalue::Offset { pointer, index, element } => {
                let (pointer, index) = (cx.show(pointer), cx.show(index));
                write!(f, "offset {pointer}, {index} of {}", cx.show(element))
            }
            Rvalue::Difference { left, right, element, result } => {
                let (left, right) = (cx.show(left), cx.show(right));
                let (element, result) = (cx.show(element), cx.show(result));
                write!(f, "difference {left}, {right} of {element} as {result}")
            }
            Rvalue::ObjectSize { pointer, result } => {
                write!(f, "object-size {} as {}", cx.show(pointer), cx.show(result))
            }
            Rvalue::Allocate { region, element, count, initial } => {
                let (element, count) = (cx.show(element), cx.show(count));
                let region = match region {
                    Region::Heap => "",
                    Region::Stack => "stack ",
                    Region::Call => "call ",
                };
                write!(f, "allocate {region}{element} x {count} = {}", cx.show(initial))
            }
            Rvalue::Array(kind, elements) => {
                write!(f, "array {} [{}]", kind.word(), cx.show(elements.as_slice()))
            }
            Rvalue::Record(fields) => {
                f.write_str("record {")?;
                separated(f, fields, |f, (name, value)| {
                    write!(f, "{}: {}", cx.show(name), cx.show(value))
                })?;
                f.write_str("}")
            }
            Rvalue::Input(ty) => write!(f, "input {}", cx.show(ty)),
            Rvalue::Undefined(ty) => write!(f, "undefined {}", cx.show(ty)),
        }
    }
}

impl Display for Show<'_, Initial> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.node {
            Initial::Uninitialised => f.write_str("uninitialised"),
            Initial::Zero => f.write_str("zero"),
            Initial::Value(value) => self.cx.show(value).fmt(f),
            Initial::Linked { link } => write!(f, "linked {link}"),
        }
    }
}

impl Display for Show<'_, Predicate> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cx = self.cx;
        match self.node {
            Predicate::Never(reason) => write!(f, "never {}", cx.show(reason)),
            Predicate::Holds(value) => write!(f, "holds {}", cx.show(value)),
            Predicate::NonZero(value) => write!(f, "nonzero {}", cx.show(value)),
            Predicate::NonNull(value) => write!(f, "nonnull {}", cx.show(value)),
            Predicate::Initialised(place) => write!(f, "initialised {}", cx.show(place)),
            Predicate::Is(place, tag) => write!(f, "is {} {}", cx.show(place), tag.word()),
            Predicate::IsNot(place, tag) => write!(f, "is-not {} {}", cx.show(place), tag.word()),
            Predicate::HasField(place, name) => {
                write!(f, "has-field {} {}", cx.show(place), cx.show(name))
            }
            Predicate::InBounds { array, index } => {
                write!(f, "in-bounds {}, {}", cx.show(array), cx.show(index))
            }
            Predicate::InRange { index, length } => {
                write!(f, "in-range {}, {}", cx.show(index), cx.show(length))
            }
            Predicate::Takes(value, count) => write!(f, "takes {} {count}", cx.show(value)),
            Predicate::Comparable(left, right) => {
                write!(f, "comparable {}, {}", cx.show(left), cx.show(right))
            }
            Predicate::Fits(op, left, right) => {
                write!(f, "fits {} {}, {}", op.word(), cx.show(left), cx.show(right))
            }
            Predicate::Accessible(pointer, ty) => {
                write!(f, "accessible {} {}", cx.show(pointer), cx.show(ty))
            }
            Predicate::Writable(pointer, ty) => {
                write!(f, "writable {} {}", cx.show(pointer), cx.show(ty))
            }
            Predicate::AccessibleRange { pointer, count } => {
                write!(f, "accessible-range {}, {}", cx.show(pointer), cx.show(count))
            }
            Predicate::WritableRange { pointer, count } => {
                write!(f, "writable-range {}, {}", cx.show(pointer), cx.show(count))
            }
            Predicate::Disjoint { left, right, count } => {
                write!(f, "disjoint {}, {}, {}", cx.show(left), cx.show(right), cx.show(count))
            }
            Predicate::SameObject(left, right) => {
                write!(f, "same-object {}, {}", cx.show(left), cx.show(right))
            }
            Predicate::InObject { pointer, index, element } => {
                let (pointer, index) = (cx.show(pointer), cx.show(index));
                write!(f, "in-object {pointer}, {index} of {}", cx.show(element))
            }
            Predicate::Representable(value, ty) => {
                write!(f, "representable {} {}", cx.show(value), cx.show(ty))
            }
            Predicate::Accepts { function, arguments, result } => {
                write!(f, "accepts {} (", cx.show(function))?;
                separated(f, arguments, |f, ty| cx.show(ty).fmt(f))?;
                f.write_str(")")?;
                result.as_ref().map_or(Ok(()), |ty| write!(f, " -> {}", cx.show(ty)))
            }
            Predicate::Freeable(pointer) => write!(f, "freeable {}", cx.show(pointer)),
            Predicate::Tracked(calls) => write!(f, "tracked-by-{}", calls.name()),
            Predicate::AllFreed => f.write_str("all-freed"),
        }
    }
}

impl Display for Show<'_, Place> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Show { cx, node: place } = self;
        match &place.base {
            Base::Local(local) => cx.show(local).fmt(f)?,
            Base::Global(global) => cx.show(global).fmt(f)?,
        }
        for projection in &place.projections {
            match projection {
                Projection::Deref => f.write_str(".*")?,
                Projection::Field(field) => write!(f, ".#{field}")?,
                Projection::Index(index) => write!(f, "[{}]", cx.show(index))?,
                Projection::Named(name) => write!(f, ".{}", cx.show(name))?,
            }
        }
        Ok(())
    }
}

impl Display for Show<'_, [Operand]> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        separated(f, self.node, |f, operand| self.cx.show(operand).fmt(f))
    }
}

impl Display for Show<'_, Operand> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.node {
            Operand::Local(local) => self.cx.show(local).fmt(f),
            Operand::Const(value) => self.cx.show(value).fmt(f),
        }
    }
}

impl Display for Show<'_, Const> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.node {
            Const::Int(value, IntType::Unbounded) => value.fmt(f),
            Const::Int(value, machine) => write!(f, "{value}{machine}"),
            Const::Bool(value) => value.fmt(f),
            Const::Float(bits, float) => write!(f, "float {bits} {}", float.word()),
            Const::Null => f.write_str("null"),
            Const::Address(global, offset) => {
                write!(f, "address {} {offset}", self.cx.show(global))
            }
            Const::Function(function) => self.cx.show(function).fmt(f),
        }
    }
}

impl Display for Show<'_, FunctionId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.cx.program.functions.get(self.node.index()) {
            Some(function) => write!(f, "@{}", Name(&function.name)),
            None => write!(f, "<function {}>", self.node.0),
        }
    }
}

impl Display for Show<'_, LocalId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Local { name: Some(name), .. }) = self.cx.locals.get(self.node.index()) {
            Name(name).fmt(f)?;
        }
        write!(f, "%{}", self.node.0)
    }
}

impl Display for Show<'_, GlobalId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("global ")?;
        if let Some(global) = self.cx.program.globals.get(self.node.index()) {
            Name(&global.name).fmt(f)?;
        }
        write!(f, "%{}", self.node.0)
    }
}

impl Display for Show<'_, BlockId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.node.0)
    }
}

impl Display for Show<'_, Symbol> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let symbols = &self.cx.program.symbols;
        if self.node.index() < symbols.len() {
            Name(symbols.name(*self.node)).fmt(f)
        } else {
            write!(f, "<symbol {}>", self.node.0)
        }
    }
}

impl Display for Show<'_, TypeId> {
    /// Goes down to the innermost type and then writes the ends of the arrays around it; not
    /// recursive, as the type may be malformed.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let types = &self.cx.program.types;
        let mut lengths = Vec::new();
        let mut id = *self.node;
        for _ in 0..=MAX_TYPE_NESTING {
            if !types.contains(id) {
                break;
            }
            match types.get(id) {
                Type::Pointer(target) => {
                    f.write_str("ptr ")?;
                    id = *target;
                    continue;
                }
                Type::Array { element, length } => {
                    f.write_str("[")?;
                    lengths.push(length);
                    id = *element;
                    continue;
                }
                Type::Any => f.write_str("any")?,
                Type::Bool => f.write_str("bool")?,
                Type::Int(int) => int.fmt(f)?,
                Type::Float(float) => f.write_str(float.word())?,
                Type::Function => f.write_str("fn")?,
                Type::Record(record) => write!(f, "record {}", record.0)?,
            }
            return lengths.iter().rev().try_for_each(|length| write!(f, "; {length}]"));
        }
        write!(f, "<type {}>", id.0)
    }
}
