//! What a loop changes: where its variables are, how they are set and read, and what people call them.

use super::values::{Kind, Part, differences, is_same};
use super::{CellPlace, WhyNot};
use crate::domain::{Outcome, Symbolic};
use crate::halt::internal;
use crate::memory::{ArrayElements, Change, Held, ObjectId};
use crate::value::{Int, Pointer, SymbolicValue};
use loupe_engine::domain::Origin;
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::program::{
    BinaryOp, BlockId, Function, InstructionKind, LocalId, Operand, Program, Rvalue, Storage,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type, TypeId};
use loupe_term::{Node, Origin as SymbolOrigin, Sort, Term};
use std::collections::BTreeSet;

/// A value that a loop changes, or changes a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// A register of the loop's call.
    Register(LocalId),
    /// What stands at an offset of an object.
    Entry(ObjectId, u64),
    /// Whether that has been written.
    Written(ObjectId, u64),
    /// The elements of an object that is an array.
    Elements(ObjectId),
    /// Which of them have been written.
    Flags(ObjectId),
}

/// Where a variable is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) root: Root,
    pub(crate) part: Part,
}

/// The numbers that offsets of pointers are.
const OFFSETS: IntType = IntType::signed(32);

impl Spot {
    fn whole(root: Root, kind: Kind) -> Self {
        Spot { root, part: Part { path: Vec::new(), kind } }
    }

    /// All of what a root holds, for people.
    pub(crate) fn of(root: Root) -> Self {
        Spot::whole(root, Kind::Int)
    }

    /// What kind of place that is.
    pub(crate) fn place(&self) -> CellPlace {
        match self.root {
            Root::Register(local) => CellPlace::Register(local),
            Root::Entry(..) | Root::Written(..) => CellPlace::Memory,
            Root::Elements(_) | Root::Flags(_) => CellPlace::Elements,
        }
    }

    /// The type that its numbers have by declaration.
    pub(crate) fn declared(&self, program: &Program, state: &State<Symbolic>) -> Option<IntType> {
        match (self.part.kind, self.root) {
            (Kind::Bool, _) | (_, Root::Written(..)) => Some(IntType::unsigned(1)),
            (Kind::Offset(object), _) => {
                let far = state.memory.far_offsets(object, program.types.pointer_size());
                let nodes = state.memory.node_numbers(object);
                Some(far.or(nodes).unwrap_or(OFFSETS))
            }
            (Kind::Int, Root::Register(local)) if self.part.path.is_empty() => {
                let frame = state.frames.last()?;
                program.types.as_int(program.function(frame.function).local(local).ty)
            }
            (Kind::Int, Root::Entry(object, offset)) if self.part.path.is_empty() => {
                let (_, element) = state.memory.origin(object)?;
                scalar_at(program, element, offset)
            }
            _ => None,
        }
    }

    /// The value that a state has there, as a term.
    pub(crate) fn read(&self, domain: &mut Symbolic, state: &State<Symbolic>) -> Option<Term> {
        match self.root {
            Root::Register(local) => {
                let value = state.frames.last()?.locals.get(local.index())?;
                match (value, self.part.kind) {
                    // Null lies behind the last node of every list.
                    (Value::Pointer(pointer), Kind::Offset(object))
                        if *pointer == Pointer::NULL =>
                    {
                        let null = state.memory.null_in(object)?;
                        Some(domain.term(&null))
                    }
                    _ => domain.part_of(value, &self.part),
                }
            }
            Root::Entry(object, offset) => {
                let held = state.memory.held(object, offset)?;
                domain.part_of(&held.value, &self.part)
            }
            Root::Written(object, offset) => {
                let held = state.memory.held(object, offset)?;
                let condition = domain.condition(held.written);
                Some(domain.bit(condition))
            }
            Root::Elements(object) => Some(state.memory.elements(object)?.elements),
            Root::Flags(object) => state.memory.elements(object)?.written,
        }
    }

    /// Sets what a state has there.
    pub(crate) fn write(
        &self,
        domain: &mut Symbolic,
        state: &mut State<Symbolic>,
        term: Term,
    ) -> Outcome<()> {
        let lost = || internal("a variable of a loop that is not there");
        match self.root {
            Root::Register(local) => {
                let frame = state.frames.last_mut().ok_or_else(lost)?;
                let value = frame.locals.get_mut(local.index()).ok_or_else(lost)?;
                *value = domain.with_part(value, &self.part, term)?;
            }
            Root::Entry(object, offset) => {
                let mut held = state.memory.held(object, offset).ok_or_else(lost)?;
                held.value = domain.with_part(&held.value, &self.part, term)?;
                state.memory.hold(object, offset, held)?;
            }
            Root::Written(object, offset) => {
                let held = state.memory.held(object, offset).ok_or_else(lost)?;
                let written = domain.truth_of_bit(term);
                state.memory.hold(object, offset, Held { written, ..held })?;
            }
            Root::Elements(object) => {
                let old = state.memory.elements(object).ok_or_else(lost)?;
                state.memory.set_elements(object, ArrayElements { elements: term, ..old })?;
            }
            Root::Flags(object) => {
                let old = state.memory.elements(object).ok_or_else(lost)?;
                let written = old.written.map(|_| term);
                state.memory.set_elements(object, ArrayElements { written, ..old })?;
            }
        }
        Ok(())
    }

    /// A symbol for any value that it may have.
    pub(crate) fn symbol(&self, domain: &mut Symbolic, name: &str, ty: Option<IntType>) -> Term {
        match (self.root, ty) {
            (Root::Elements(_) | Root::Flags(_), _) => {
                domain.terms.fresh(name, Sort::Array(1), SymbolOrigin::default())
            }
            (_, Some(ty)) => domain.typed_symbol(name, ty),
            (_, None) => domain.terms.fresh(name, Sort::Int, SymbolOrigin::default()),
        }
    }

    /// Whether it is a number that has no symbol: of floating point numbers nothing is known.
    pub(crate) fn is_forgotten(&self) -> bool {
        self.part.kind == Kind::Float
    }
}

/// What must be done to a header state before it can be compared.
pub(crate) enum Found {
    /// These variables are new.
    Spots(Vec<Spot>),
    /// The header state was spelled out in more detail.
    Prepared,
}

/// The end of an iteration, compared with its start.
pub(crate) struct Comparison<'c> {
    /// At the header, with symbols for variables.
    pub(crate) start: &'c State<Symbolic>,
    /// At the end.
    pub(crate) end: &'c State<Symbolic>,
    /// The registers that matter there.
    pub(crate) live: &'c [LocalId],
    /// Where the loop is, for people.
    pub(crate) span: Span,
}

impl Comparison<'_> {
    /// What differs, as variables; `plain` is the state as it came, which is spelled out where that is needed.
    pub(crate) fn find(
        &self,
        machine: &mut Machine<'_, Symbolic>,
        plain: &mut State<Symbolic>,
    ) -> Outcome<Result<Found, WhyNot>> {
        let why = |what: String| Ok(Err(WhyNot { what, span: self.span }));
        let count = self.start.memory.object_count();
        if self.end.memory.lives_since(count) {
            return why("memory is allocated in the loop".to_owned());
        }
        let mut spots = Vec::new();
        let mut prepared = false;
        let (Some(old), Some(new)) = (self.start.frames.last(), self.end.frames.last()) else {
            return Err(internal("no active call"));
        };
        for local in self.live {
            let (old, new) = (&old.locals[local.index()], &new.locals[local.index()]);
            if let Some(null) = null_in_list_of(self, old, new) {
                let frame = plain.frames.last_mut();
                let frame = frame.ok_or_else(|| internal("no active call"))?;
                frame.locals[local.index()] = null;
                prepared = true;
                continue;
            }
            match differences(old, new) {
                Ok(parts) => spots.extend(
                    parts.into_iter().map(|part| Spot { root: Root::Register(*local), part }),
                ),
                Err(what) => {
                    let name = local_name(machine.program.function(self.function()), *local);
                    return why(format!("{what}: `{name}`"));
                }
            }
        }
        let changes = match self.end.memory.changes(&self.start.memory) {
            Ok(changes) => changes,
            Err(what) => return why(what),
        };
        for change in changes {
            match self.change(machine, plain, &change)? {
                Ok(Found::Spots(more)) => spots.extend(more),
                Ok(Found::Prepared) => prepared = true,
                Err(what) => return why(what),
            }
        }
        Ok(Ok(if prepared { Found::Prepared } else { Found::Spots(spots) }))
    }

    fn function(&self) -> loupe_ir::program::FunctionId {
        self.start.frames.last().map_or(loupe_ir::program::FunctionId(0), |frame| frame.function)
    }

    fn change(
        &self,
        machine: &mut Machine<'_, Symbolic>,
        plain: &mut State<Symbolic>,
        change: &Change,
    ) -> Outcome<Result<Found, String>> {
        let types = &machine.program.types;
        let domain = &mut machine.domain;
        Ok(match *change {
            Change::Released(_) => Err("memory is given back in the loop".to_owned()),
            Change::Added(object, offset, size) => {
                let Some(held) = self.end.memory.held(object, offset) else {
                    return Ok(Err("memory is written in part".to_owned()));
                };
                let place = (object, offset, size);
                match domain.spell_out(types, &mut plain.memory, place, &held.value)? {
                    true => Ok(Found::Prepared),
                    false => Err("a variable may be without a value".to_owned()),
                }
            }
            Change::Array(object, stride, int) => {
                match domain.spell_out_array(types, &mut plain.memory, (object, stride, int)) {
                    Ok(()) => Ok(Found::Prepared),
                    Err(halt) => Err(halt.to_string()),
                }
            }
            Change::Elements(object) => {
                let (old, new) =
                    (self.start.memory.elements(object), self.end.memory.elements(object));
                let (Some(old), Some(new)) = (old, new) else {
                    return Err(internal("an array that is none"));
                };
                let mut spots = Vec::new();
                if old.elements != new.elements {
                    spots.push(Spot::whole(Root::Elements(object), Kind::Int));
                }
                if old.written != new.written {
                    spots.push(Spot::whole(Root::Flags(object), Kind::Int));
                }
                Ok(Found::Spots(spots))
            }
            Change::Entry(object, offset) => {
                let (old, new) =
                    (self.start.memory.held(object, offset), self.end.memory.held(object, offset));
                let (Some(old), Some(new)) = (old, new) else {
                    return Ok(Err("memory is written in part".to_owned()));
                };
                let root = Root::Entry(object, offset);
                let parts = match differences(&old.value, &new.value) {
                    Ok(parts) => parts,
                    Err(what) => return Ok(Err(what)),
                };
                let mut spots: Vec<Spot> =
                    parts.into_iter().map(|part| Spot { root, part }).collect();
                if old.written != new.written {
                    spots.push(Spot::whole(Root::Written(object, offset), Kind::Bool));
                }
                Ok(Found::Spots(spots))
            }
        })
    }
}

/// Null as a pointer into the list that a register points into later: behind its last node. So the register is a variable like any other.
fn null_in_list_of(
    comparison: &Comparison<'_>,
    old: &SymbolicValue,
    new: &SymbolicValue,
) -> Option<SymbolicValue> {
    let (Value::Pointer(old), Value::Pointer(new)) = (old, new) else { return None };
    let offset = comparison.start.memory.null_in(new.object?)?;
    (*old == Pointer::NULL).then_some(Value::Pointer(Pointer { object: new.object, offset }))
}

/// The registers that matter at the start of a block. What is in memory has a pointer to it there, which matters as far as the block is
/// in its scope: nobody can say that here, so that is left out; the pointer itself is never changed but by a declaration.
pub(crate) fn live_registers(function: &Function, block: BlockId) -> Vec<LocalId> {
    use loupe_ir::analysis::graph::FlowGraph;
    use loupe_ir::analysis::liveness::Liveness;
    Liveness::new(function, &FlowGraph::new(function)).live_in(block).collect()
}

/// The registers to which some of these blocks add a number.
pub(crate) fn counting_registers(function: &Function, blocks: &[BlockId]) -> BTreeSet<LocalId> {
    let instructions = blocks.iter().flat_map(|id| &function.block(*id).instructions);
    let counted = instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::Assign { target, value: Rvalue::Binary(op, a, b) } => {
            let is_step = match (a, b) {
                (Operand::Local(own), Operand::Const(_)) => own == target,
                (Operand::Const(_), Operand::Local(own)) => own == target && *op == BinaryOp::Add,
                _ => false,
            };
            (is_step && matches!(op, BinaryOp::Add | BinaryOp::Sub)).then_some(*target)
        }
        _ => None,
    });
    counted.collect()
}

/// The values of registers that differ, whatever they are.
pub(crate) fn changed_locals(
    function: &Function,
    live: &[LocalId],
    start: &[SymbolicValue],
    end: &[SymbolicValue],
) -> Vec<LocalId> {
    let matters =
        |local: &LocalId| live.contains(local) || function.local(*local).storage == Storage::Memory;
    let all = function.locals().map(|(local, _)| local).filter(matters);
    all.filter(|local| !is_same(&start[local.index()], &end[local.index()])).collect()
}

fn local_name(function: &Function, local: LocalId) -> String {
    let named = function.locals.get(local.index()).and_then(|local| local.name.clone());
    named.unwrap_or_else(|| format!("t{}", local.0))
}

/// The integer type of the scalar at an offset of an array of elements.
fn scalar_at(program: &Program, element: TypeId, offset: u64) -> Option<IntType> {
    let (mut ty, mut offset) = (element, offset);
    let size = program.types.size_of(ty).max(1);
    offset %= size;
    loop {
        match program.types.get(ty) {
            Type::Int(int) => return (offset == 0).then_some(*int),
            Type::Array { element, .. } => {
                offset %= program.types.size_of(*element).max(1);
                ty = *element;
            }
            Type::Record(record) => {
                let fields = &program.types.record(*record).fields;
                let field = fields.iter().find(|field| {
                    field.first_bit.is_none()
                        && field.offset <= offset
                        && offset < field.offset + program.types.size_of(field.ty).max(1)
                })?;
                offset -= field.offset;
                ty = field.ty;
            }
            _ => return None,
        }
    }
}

/// What a user would write for a variable.
pub(crate) fn name(program: &Program, state: &State<Symbolic>, spot: &Spot) -> String {
    let Some(frame) = state.frames.last() else { return "?".to_owned() };
    let function = program.function(frame.function);
    let mut name = match spot.root {
        Root::Register(local) => {
            let value = frame.locals.get(local.index());
            let mut name = local_name(function, local);
            name += &fields_of(program, value, &spot.part.path);
            return name;
        }
        Root::Entry(object, offset) => object_name(program, state, object, Some(offset)),
        Root::Written(object, offset) => {
            format!("written({})", object_name(program, state, object, Some(offset)))
        }
        Root::Elements(object) => object_name(program, state, object, None),
        Root::Flags(object) => format!("written({})", object_name(program, state, object, None)),
    };
    if let Root::Entry(object, offset) = spot.root {
        let held = state.memory.held(object, offset);
        name += &fields_of(program, held.as_ref().map(|held| &held.value), &spot.part.path);
    }
    name
}

fn fields_of(program: &Program, value: Option<&SymbolicValue>, path: &[u32]) -> String {
    let mut text = String::new();
    let mut value = value;
    for step in path {
        value = match value {
            Some(Value::Record(record)) => {
                let field = record.fields.get(*step as usize);
                text += &field.map_or(String::new(), |f| format!(".{}", program.symbols.name(f.0)));
                field.map(|field| &field.1)
            }
            Some(Value::Sequence(sequence)) => {
                text += &format!("[{step}]");
                sequence.values.get(*step as usize)
            }
            _ => None,
        };
    }
    text
}

/// What a user would write for something in an object: by the variable that it is, or by a pointer to it.
fn object_name(
    program: &Program,
    state: &State<Symbolic>,
    object: ObjectId,
    offset: Option<u64>,
) -> String {
    if let Some(name) = name_in_node(program, state, object, offset) {
        return name;
    }
    let Some((origin, element)) = state.memory.origin(object) else { return "?".to_owned() };
    let named = match origin {
        Origin::Global(global) => program.globals.get(global.index()).map(|g| g.name.clone()),
        Origin::Local(function, local) => Some(local_name(program.function(function), local)),
        Origin::Heap | Origin::Stack => None,
    };
    let Some(offset) = offset else {
        return named
            .or_else(|| Some(pointer_to(program, state, object)?.0))
            .unwrap_or_else(|| "memory".into());
    };
    if let Some(name) = named {
        return name + &place_in(program, element, offset);
    }
    let Some((pointer, refers)) = pointer_to(program, state, object) else {
        return format!("memory[{offset}]");
    };
    let size = program.types.size_of(element).max(1);
    let (number, inside) = (offset / size, place_in(program, element, offset % size));
    match (number, inside.strip_prefix('.')) {
        (0, Some(field)) => format!("{pointer}->{field}"),
        (0, None) if inside.is_empty() && refers == Refers::ToObject => format!("*{pointer}"),
        _ => format!("{pointer}[{number}]{inside}"),
    }
}

/// The same for a part of the nodes of a list: by a variable that points to one of them, with the number of the node if it is known.
fn name_in_node(
    program: &Program,
    state: &State<Symbolic>,
    object: ObjectId,
    offset: Option<u64>,
) -> Option<String> {
    let (spine, place) = state.memory.place_in_node(object)?;
    let (_, node) = state.memory.origin(spine)?;
    let (_, scalar) = state.memory.origin(object)?;
    let frame = state.frames.last()?;
    let function = program.function(frame.function);
    let mut locals = function.locals().filter(|(_, local)| local.name.is_some());
    let pointer = locals.find(|(id, _)| {
        let value = frame.locals.get(id.index());
        matches!(value, Some(Value::Pointer(pointer)) if pointer.object == Some(spine))
    });
    let list = pointer.map_or_else(|| "list".to_owned(), |(id, _)| local_name(function, id));
    let inside = place_in(program, node, place);
    let inside = inside.strip_prefix('.').unwrap_or(&inside);
    let number = offset.map(|offset| offset / program.types.size_of(scalar).max(1));
    let number = number.map(|number| format!("[{number}]")).unwrap_or_default();
    Some(format!("{list}->{inside}{number}"))
}

/// What a variable refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refers {
    /// An object, as a pointer.
    ToObject,
    /// The elements of an array, as their name.
    ToElements,
}

/// A variable that points to the start of an object.
fn pointer_to(
    program: &Program,
    state: &State<Symbolic>,
    object: ObjectId,
) -> Option<(String, Refers)> {
    let frame = state.frames.last()?;
    let function = program.function(frame.function);
    let mut all = function.locals().filter(|(_, local)| local.name.is_some());
    all.find_map(|(id, _)| match frame.locals.get(id.index())? {
        Value::Pointer(pointer) | Value::Array(pointer)
            if pointer.object == Some(object) && pointer.offset == Int::ZERO =>
        {
            let is_array = matches!(frame.locals.get(id.index())?, Value::Array(_));
            let refers = if is_array { Refers::ToElements } else { Refers::ToObject };
            Some((local_name(function, id), refers))
        }
        Value::Pointer(slot) => {
            // A variable in memory, which holds the pointer.
            match state.memory.held(slot.object?, 0)?.value {
                Value::Pointer(pointer)
                    if pointer.object == Some(object) && pointer.offset == Int::ZERO =>
                {
                    Some((local_name(function, id), Refers::ToObject))
                }
                _ => None,
            }
        }
        _ => None,
    })
}

/// Fields and indices that lead to an offset.
fn place_in(program: &Program, ty: TypeId, offset: u64) -> String {
    let (mut ty, mut offset, mut text) = (ty, offset, String::new());
    loop {
        match program.types.get(ty) {
            Type::Array { element, .. } => {
                let size = program.types.size_of(*element).max(1);
                text += &format!("[{}]", offset / size);
                (ty, offset) = (*element, offset % size);
            }
            Type::Record(record) => {
                let fields = &program.types.record(*record).fields;
                let field = fields.iter().find(|field| {
                    field.offset <= offset
                        && offset < field.offset + program.types.size_of(field.ty).max(1)
                });
                let Some(field) = field else { return text };
                text += &format!(".{}", field.name);
                (ty, offset) = (field.ty, offset - field.offset);
            }
            _ => {
                let size = program.types.size_of(ty).max(1);
                if offset > 0 {
                    text += &format!("[{}]", offset / size);
                }
                return text;
            }
        }
    }
}

/// The machine type that the values of a term have because of its form.
pub(crate) fn type_by_form(domain: &Symbolic, term: Term) -> Option<IntType> {
    match domain.terms.node(term) {
        Node::Wrap(width, _) => {
            Some(IntType::Machine { width: width.bits, signedness: width.signedness })
        }
        _ => None,
    }
}
