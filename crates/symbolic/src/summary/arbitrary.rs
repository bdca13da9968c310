//! A state at the header of a loop in which everything is arbitrary: what `loupe loops` looks at loops in.
//!
//! Numbers are symbols with the ranges of their types. A pointer to numbers points somewhere into an object of its own, whose length is a
//! symbol; one to a record points to one such record. No two pointers point to the same object, and none to a variable; that is an
//! assumption, which is said. Contents are arbitrary, named after the variable as far as they are few.
//!
//! What has no such value (functions, dynamic values, pointers behind pointers) is left without one if the loop does not use it, and
//! refused otherwise.

use super::WhyNot;
use crate::domain::Streams;
use crate::domain::{Outcome, Symbolic};
use crate::loops::{LoopKey, Loops};
use crate::memory::Memory;
use crate::path::Path;
use crate::value::{Bool, Float, Int, Pointer, SymbolicValue};
use loupe_engine::domain::{Access, Contents, Domain, NewList, NewObject, Origin, World};
use loupe_engine::semantics::{Globals, Machine};
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::analysis::uses::Effects;
use loupe_ir::program::{
    Function, GlobalAccess, GlobalId, InstructionKind, LocalId, Program, Storage,
};
use loupe_ir::types::{FloatType, IntType, Type, TypeId, Types};
use loupe_ir::validate::ValueType;
use loupe_term::{Origin as SymbolOrigin, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// So many scalars of an object have symbols of their own.
const MOST_SCALARS: usize = 24;
/// So deep pointers in objects have objects of their own.
const DEEPEST: usize = 2;
/// So many units an object of arbitrary length has at most, as a power of 2.
const LARGEST: u32 = 24;

/// A state at the header of a loop in which everything is arbitrary.
pub struct Arbitrary {
    /// The state.
    pub state: State<Symbolic>,
    /// What is known of its symbols beside the ranges of types.
    pub facts: Vec<Term>,
    /// The variables that are not plain numbers in registers have symbols that were named here: in the order of
    /// declaration, globals first.
    pub declared: Vec<Declared>,
    /// Objects with contents that have no names of their own.
    pub unnamed: Vec<Unnamed>,
    /// What was assumed.
    pub assumptions: BTreeSet<String>,
}

/// A symbol of a variable of the program.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Its name: `n`, `p.len`, `s.f`.
    pub name: String,
    /// Its value.
    pub symbol: Term,
    /// The local it belongs to; none for globals.
    pub local: Option<LocalId>,
}

/// An object whose contents have no names of their own.
#[derive(Clone, Debug)]
pub struct Unnamed {
    /// The variable that it is, or that points to it.
    pub name: String,
    /// The local it belongs to; none for globals.
    pub local: Option<LocalId>,
}

/// The globals of a program, arbitrary, for all of its loops.
pub struct Stage {
    state: State<Symbolic>,
    facts: Vec<Term>,
    declared: Vec<Declared>,
    unnamed: Vec<Unnamed>,
    assumptions: BTreeSet<String>,
}

impl Stage {
    /// The globals of the program of a machine.
    ///
    /// # Errors
    ///
    /// If they cannot be made.
    pub fn new(machine: &mut Machine<'_, Symbolic>) -> Outcome<Self> {
        let streams = Streams::default();
        let state = machine.stage(Memory::default(), streams, Globals::Uninitialised)?;
        let program = machine.program;
        let mut maker = Maker::new(machine, state);
        let globals = (0..).map(GlobalId).zip(&program.globals);
        let writable = globals.filter(|(_, global)| global.access == GlobalAccess::ReadWrite);
        // Those without values took the first numbers.
        let mut occasion = 0;
        for (number, global) in writable {
            let start = maker.machine.domain.global(number);
            if !maker.fill(&start, global.ty, &global.name, 0)? {
                maker.note_unnamed(occasion, &global.name);
            }
            occasion += u64::from(has_layout(&program.types, global.ty));
        }
        let Maker { state, facts, declared, unnamed, assumptions, machine, .. } = maker;
        machine.domain.path = Path::default();
        Ok(Stage { state, facts, declared, unnamed, assumptions })
    }

    /// A state at the header of a loop.
    ///
    /// # Errors
    ///
    /// If the loop uses something that has no arbitrary value.
    pub fn at(
        &self,
        machine: &mut Machine<'_, Symbolic>,
        loops: &Loops,
        (function, id): LoopKey,
    ) -> Outcome<Result<Arbitrary, WhyNot>> {
        let program = machine.program;
        let code = program.function(function);
        let forest = loops.of(function);
        let header = forest.get(id).header;
        let used = used_in(program, code, forest.blocks(id));
        let live = super::cells::live_registers(code, header);
        // The same variable has other symbols in other loops.
        let mut state = self.state.clone();
        state.streams.occasions = machine.domain.start_apart();
        let mut maker = Maker::new(machine, state);
        maker.facts = self.facts.clone();
        maker.declared = self.declared.clone();
        maker.unnamed = self.unnamed.clone();
        maker.assumptions = self.assumptions.clone();
        let mut values = Vec::with_capacity(code.locals.len());
        for (number, local) in code.locals() {
            maker.local = Some(number);
            let name = local.name.clone().unwrap_or_else(|| format!("t{}", number.0));
            let value = match local.storage {
                Storage::Register if !live.contains(&number) => Some(Value::Uninitialised),
                Storage::Register => {
                    let others = maker.assumptions.clone();
                    let value = maker.value(local.ty, &name, 0)?;
                    // What is assumed of a register says nothing of a loop that does not touch it.
                    if !used.contains(&number) {
                        maker.assumptions = others;
                    }
                    value
                }
                Storage::Memory => {
                    let origin = Origin::Local(function, number);
                    let occasion = maker.state.streams.occasions;
                    let object = maker.object(local.ty, Int::Known(Integer::ONE), origin)?;
                    let is_inner = is_declared_in(code, forest.blocks(id), number);
                    if !is_inner && !maker.fill(&object, local.ty, &name, 0)? {
                        maker.note_unnamed(occasion, &name);
                    }
                    values.push(Value::Pointer(object));
                    continue;
                }
            };
            match value {
                Some(value) => values.push(value),
                None if !used.contains(&number) => values.push(Value::Uninitialised),
                None => {
                    let what = format!("nothing is known of `{name}`, which is no number");
                    maker.machine.domain.path = Path::default();
                    return Ok(Err(WhyNot { what, span: forest.get(id).span(code) }));
                }
            }
        }
        let Maker { mut state, facts, declared, unnamed, assumptions, machine, .. } = maker;
        machine.domain.path = Path::default();
        machine.stand(&mut state, function, header, values)?;
        Ok(Ok(Arbitrary { state, facts, declared, unnamed, assumptions }))
    }
}

/// The locals that blocks read or write.
fn used_in(
    program: &Program,
    function: &Function,
    blocks: &[loupe_ir::program::BlockId],
) -> BTreeSet<LocalId> {
    let effects = Effects::of_blocks(program, function, blocks);
    effects.reads.into_iter().chain(effects.writes).collect()
}

/// Whether a variable in memory is made anew in some of these blocks.
fn is_declared_in(
    function: &Function,
    blocks: &[loupe_ir::program::BlockId],
    local: LocalId,
) -> bool {
    let mut all = blocks.iter().flat_map(|block| &function.block(*block).instructions);
    all.any(|instruction| matches!(instruction.kind, InstructionKind::Live(own) if own == local))
}

/// Makes values.
struct Maker<'m, 'p> {
    machine: &'m mut Machine<'p, Symbolic>,
    state: State<Symbolic>,
    facts: Vec<Term>,
    declared: Vec<Declared>,
    unnamed: Vec<Unnamed>,
    assumptions: BTreeSet<String>,
    local: Option<LocalId>,
}

impl<'m, 'p> Maker<'m, 'p> {
    fn new(machine: &'m mut Machine<'p, Symbolic>, state: State<Symbolic>) -> Self {
        Maker {
            machine,
            state,
            facts: Vec::new(),
            declared: Vec::new(),
            unnamed: Vec::new(),
            assumptions: BTreeSet::new(),
            local: None,
        }
    }

    fn note_unnamed(&mut self, occasion: u64, name: &str) {
        self.machine.domain.name_unknowns(occasion, name);
        self.unnamed.push(Unnamed { name: name.to_owned(), local: self.local });
    }

    fn number(&mut self, name: &str, ty: IntType) -> Term {
        let symbol = self.machine.domain.typed_symbol(name, ty);
        self.declared.push(Declared { name: name.to_owned(), symbol, local: self.local });
        symbol
    }

    /// An arbitrary value of a type; none if there are none.
    fn value(&mut self, ty: TypeId, name: &str, depth: usize) -> Outcome<Option<SymbolicValue>> {
        Ok(match self.machine.program.types.get(ty).clone() {
            Type::Int(int) => Some(Value::Int(Int::Term(self.number(name, int)))),
            Type::Bool => {
                let terms = &mut self.machine.domain.terms;
                let symbol = terms.fresh(name, Sort::Bool, SymbolOrigin::default());
                Some(Value::Bool(Bool::Term(symbol)))
            }
            Type::Float(FloatType::F80) => Some(Value::LongFloat(Float::Unknown)),
            Type::Float(_) => Some(Value::Float(Float::Unknown)),
            Type::Pointer(target) => self.pointer(target, name, depth)?.map(Value::Pointer),
            Type::Any | Type::Function | Type::Array { .. } | Type::Record(_) => None,
        })
    }

    /// A pointer to an object of its own.
    fn pointer(&mut self, target: TypeId, name: &str, depth: usize) -> Outcome<Option<Pointer>> {
        let types = &self.machine.program.types;
        let size = types.size_of(target);
        if depth >= DEEPEST || size == 0 || !has_layout(types, target) {
            return Ok(None);
        }
        if let Some(link) = types.link_of(target) {
            return self.list((target, link), name).map(Some);
        }
        let what = "pointers point into objects of their own: no two to the same, and none is null";
        self.assumptions.insert(what.to_owned());
        if matches!(types.get(target), Type::Record(_)) {
            self.assumptions.insert(format!("`{name}` points to one record"));
            let object = self.object(target, Int::Known(Integer::ONE), Origin::Heap)?;
            self.fill(&object, target, &format!("{name}->"), depth + 1)?;
            return Ok(Some(object));
        }
        let most = 1_u64 << LARGEST;
        self.assumptions.insert(format!("objects have at most {most} bytes"));
        let bits = size.next_power_of_two().trailing_zeros();
        let small = IntType::unsigned(LARGEST.saturating_sub(bits).max(1));
        let length = self.number(&format!("{name}.len"), small);
        let first = self.number(&format!("{name}.off"), small);
        let terms = &mut self.machine.domain.terms;
        let inside = terms.le(first, length);
        self.facts.push(inside);
        let occasion = self.state.streams.occasions;
        let mut object = self.object(target, Int::Term(length), Origin::Heap)?;
        self.note_unnamed(occasion, name);
        let offset = self.machine.domain.terms.scale(first, &Integer::from(size));
        object.offset = self.machine.domain.int_of(offset);
        Ok(Some(object))
    }

    /// A pointer to a node of a list of its own, or null behind the last.
    fn list(&mut self, (node, link): (TypeId, u32), name: &str) -> Outcome<Pointer> {
        self.assumptions.insert("lists end, and no two pointers lead into the same".to_owned());
        let numbers = IntType::unsigned(31);
        let length = self.number(&format!("{name}.len"), numbers);
        let first = self.number(&format!("{name}.off"), numbers);
        let inside = self.machine.domain.terms.le(first, length);
        self.facts.push(inside);
        let occasion = self.state.streams.occasions;
        let Machine { program, domain, .. } = &mut *self.machine;
        let State { memory, streams, .. } = &mut self.state;
        let world = World { types: &program.types, memory, streams };
        let (count, origin) = (Int::Term(length), Origin::Stack);
        let mut pointer = domain.allocate_list(world, NewList { node, link, count, origin })?;
        pointer.offset = domain.int_of(first);
        let shape = program.types.node(node, link);
        let columns = shape.iter().flat_map(|shape| shape.columns());
        let names = scalars(&program.types, node, &format!("{name}->")).unwrap_or_default();
        let named: Vec<Option<String>> = columns
            .map(|(place, _)| {
                let scalar = names.iter().find(|scalar| scalar.offset == place);
                scalar.map(|scalar| scalar.name.clone())
            })
            .collect();
        for (occasion, name) in (occasion..).zip(named) {
            if let Some(name) = name {
                self.note_unnamed(occasion, &name);
            }
        }
        Ok(pointer)
    }

    /// A new object with nothing known in it.
    fn object(&mut self, element: TypeId, count: Int, origin: Origin) -> Outcome<Pointer> {
        let Machine { program, domain, .. } = &mut *self.machine;
        if let Int::Term(count) = &count {
            // Objects of this size exist: the domain would otherwise split here.
            let size = program.types.size_of(element);
            let size = domain.terms.scale(*count, &Integer::from(size));
            let most = domain.terms.int(1_i64 << LARGEST);
            let fits = domain.terms.le(size, most);
            domain.assume(fits, None);
        }
        let State { memory, streams, .. } = &mut self.state;
        let world = World { types: &program.types, memory, streams };
        let contents = Contents::Uninitialised;
        let access = GlobalAccess::ReadWrite;
        domain.allocate(world, NewObject { element, count, contents, origin, access })
    }

    /// Gives the scalars of an object names and values, if they are few; whether they are.
    fn fill(&mut self, start: &Pointer, ty: TypeId, name: &str, depth: usize) -> Outcome<bool> {
        let types = &self.machine.program.types;
        let Some(scalars) = scalars(types, ty, name) else { return Ok(false) };
        for Scalar { offset, ty, name } in scalars {
            let Some(value) = self.value(ty, &name, depth)? else { continue };
            let Machine { program, domain, .. } = &mut *self.machine;
            let pointer =
                Pointer { object: start.object, offset: Int::Known(Integer::from(offset)) };
            let access = Access { pointer, ty: ValueType::of(&program.types, ty), first_bit: None };
            domain.store(&program.types, &mut self.state.memory, &access, value)?;
        }
        Ok(true)
    }
}

/// A number or pointer in an object.
struct Scalar {
    offset: u64,
    ty: TypeId,
    name: String,
}

/// Whether values of a type are bytes.
fn has_layout(types: &Types, ty: TypeId) -> bool {
    !matches!(types.get(ty), Type::Any | Type::Int(IntType::Unbounded) | Type::Bool)
}

/// The scalars of a type, by name; none if they are many, overlap or are parts of bytes. A name that ends in `->` is a
/// pointer's.
fn scalars(types: &Types, ty: TypeId, name: &str) -> Option<Vec<Scalar>> {
    let mut found: BTreeMap<u64, Scalar> = BTreeMap::new();
    let mut open = vec![(0_u64, ty, name.to_owned())];
    while let Some((offset, ty, name)) = open.pop() {
        match types.get(ty) {
            Type::Array { element, length } => {
                if *length > MOST_SCALARS as u64 {
                    return None;
                }
                let size = types.size_of(*element);
                let part = |at: u64| (offset + at * size, *element, format!("{name}[{at}]"));
                open.extend((0..*length).map(part));
            }
            Type::Record(record) => {
                for field in &types.record(*record).fields {
                    if field.first_bit.is_some() {
                        return None;
                    }
                    let name = match name.ends_with("->") {
                        true => format!("{name}{}", field.name),
                        false => format!("{name}.{}", field.name),
                    };
                    open.push((offset + field.offset, field.ty, name));
                }
            }
            _ => {
                if found.insert(offset, Scalar { offset, ty, name }).is_some() {
                    return None; // a union
                }
            }
        }
        if found.len() + open.len() > MOST_SCALARS {
            return None;
        }
    }
    let overlap = found.values().zip(found.values().skip(1));
    let mut overlap = overlap.filter(|(a, b)| a.offset + types.size_of(a.ty) > b.offset);
    overlap.next().is_none().then(|| found.into_values().collect())
}
