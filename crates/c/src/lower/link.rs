//! Linking: which name means what, and the list of what is still to be lowered.

use super::builder::Builder;
use super::function::Lowering;
use super::scope::address_taken;
use super::types::{Shared, UnitTypes, pointer_width};
use super::{Entry, Library, Lowered, Options, constant, dead, tidy};
use crate::tree::{self, Definition, ObjectId, Storage, StringId, TopLevel, Unit};
use loupe_integer::Integer;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::{
    Block, Const, Function, FunctionId, Global, GlobalAccess, GlobalId, Program, StatementId,
    Symbols, Terminator, TerminatorKind,
};
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_ir::types::{FloatType, IntType, Type, TypeId, Types};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// A unit, as an index into [`Linker::units`].
pub(super) type UnitIndex = usize;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Function(UnitIndex, tree::FunctionId),
    Object(UnitIndex, ObjectId),
}

/// What is still to be lowered.
enum Work {
    Function(FunctionId, UnitIndex, tree::FunctionId),
    Global(GlobalId, UnitIndex, ObjectId),
}

/// A unit with what is known about it.
struct Linked {
    unit: Rc<Unit>,
    types: UnitTypes,
    address_taken: Rc<HashSet<ObjectId>>,
    is_library: bool,
}

/// The program under construction.
pub(super) struct Linker<'l> {
    pub(super) options: &'l Options,
    library: &'l mut dyn Library,
    units: Vec<Linked>,
    pub(super) shared: Shared,
    pub(super) symbols: Symbols,
    sources: Sources,
    pub(super) globals: Vec<Global>,
    functions: Vec<Function>,
    /// What external names stand for; the library's only where the units say nothing.
    meanings: BTreeMap<String, Meaning>,
    library_meanings: BTreeMap<String, Meaning>,
    external_functions: HashMap<String, FunctionId>,
    external_objects: HashMap<String, GlobalId>,
    static_functions: HashMap<(UnitIndex, tree::FunctionId), FunctionId>,
    static_objects: HashMap<(UnitIndex, ObjectId), GlobalId>,
    strings: HashMap<(UnitIndex, StringId), GlobalId>,
    /// For functions whose labels have addresses: a global with a byte for each label.
    labels: HashMap<(UnitIndex, tree::FunctionId), GlobalId>,
    function_names: HashSet<String>,
    work: VecDeque<Work>,
    /// Functions that may end without the value that they promise.
    pub(super) may_fall_off: HashSet<FunctionId>,
    /// Objects that no unit defines.
    pub(super) undefined_objects: Vec<(GlobalId, (UnitIndex, tree::TypeId))>,
    pub(super) assumptions: Vec<String>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) unsupported: Vec<Diagnostic>,
    errors: Vec<Diagnostic>,
}

impl<'l> Linker<'l> {
    pub(super) fn new(
        units: Vec<Unit>,
        library: &'l mut dyn Library,
        sources: Sources,
        options: &'l Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut linker = Linker {
            options,
            library,
            units: Vec::new(),
            shared: Shared::new(Types::new(u64::from(pointer_width(options.data_model) / 8))),
            symbols: Symbols::default(),
            sources,
            globals: Vec::new(),
            functions: Vec::new(),
            meanings: BTreeMap::new(),
            library_meanings: BTreeMap::new(),
            external_functions: HashMap::new(),
            external_objects: HashMap::new(),
            static_functions: HashMap::new(),
            static_objects: HashMap::new(),
            strings: HashMap::new(),
            labels: HashMap::new(),
            function_names: HashSet::new(),
            work: VecDeque::new(),
            may_fall_off: HashSet::new(),
            undefined_objects: Vec::new(),
            assumptions: Vec::new(),
            warnings: Vec::new(),
            unsupported: Vec::new(),
            errors: Vec::new(),
        };
        for unit in units {
            let index = linker.add_unit(unit, false);
            linker.define_all(index);
        }
        if linker.errors.is_empty() { Ok(linker) } else { Err(linker.errors) }
    }

    /// Lowers everything.
    pub(super) fn run(mut self) -> Result<Lowered, Vec<Diagnostic>> {
        for index in 0..self.units.len() {
            let unit = self.unit(index);
            for (number, function) in unit.functions.iter().enumerate() {
                if function.body.is_some() {
                    self.function(index, tree::FunctionId(number as u32));
                }
            }
        }
        let entry = self.entry();
        self.work_off();
        let (Some(entry), true) = (entry, self.errors.is_empty()) else {
            return Err(self.errors);
        };
        let entry = self.with_unknown_objects(entry);
        let mut functions = std::mem::take(&mut self.functions);
        let is_target_dead = dead::is_target_dead(&self.options.needs, &functions);
        for function in &mut functions {
            tidy::drop_needless_result_checks(function, &self.may_fall_off);
            tidy::tidy(function);
        }
        let program = Program {
            sources: self.sources,
            types: self.shared.types,
            symbols: self.symbols,
            globals: self.globals,
            functions,
            entry,
        };
        Ok(Lowered {
            program,
            assumptions: self.assumptions,
            warnings: self.warnings,
            unsupported: self.unsupported,
            is_target_dead,
        })
    }

    /// Lowers what is waiting, and what that needs.
    fn work_off(&mut self) {
        while let Some(work) = self.work.pop_front() {
            match work {
                Work::Function(id, unit, function) => {
                    let lowered = Lowering::function(self, id, unit, function);
                    self.functions[id.index()] = lowered;
                }
                Work::Global(id, unit, object) => self.initialise(id, unit, object),
            }
        }
    }

    pub(super) fn unit(&self, index: UnitIndex) -> Rc<Unit> {
        Rc::clone(&self.units[index].unit)
    }

    pub(super) fn unit_count(&self) -> usize {
        self.units.len()
    }

    pub(super) fn is_library(&self, index: UnitIndex) -> bool {
        self.units[index].is_library
    }

    pub(super) fn address_taken(&self, index: UnitIndex) -> Rc<HashSet<ObjectId>> {
        Rc::clone(&self.units[index].address_taken)
    }

    pub(super) fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// The type in the flowgraph.
    pub(super) fn ty(&mut self, index: UnitIndex, ty: tree::TypeId) -> TypeId {
        let Linked { unit, types, .. } = &mut self.units[index];
        types.get(unit, &mut self.shared, ty)
    }

    /// The number of a member in the flowgraph.
    pub(super) fn field(
        &mut self,
        index: UnitIndex,
        record: tree::RecordId,
        field: u32,
    ) -> Option<u32> {
        let Linked { unit, types, .. } = &mut self.units[index];
        types.field(unit, &mut self.shared, record, field)
    }

    fn add_unit(&mut self, unit: Unit, is_library: bool) -> UnitIndex {
        let address_taken = Rc::new(address_taken(&unit));
        let types = UnitTypes::default();
        self.units.push(Linked { unit: Rc::new(unit), types, address_taken, is_library });
        self.units.len() - 1
    }

    /// Notes what the external names that a unit defines stand for.
    fn define_all(&mut self, index: UnitIndex) {
        let unit = self.unit(index);
        for top_level in &unit.top_level {
            match top_level {
                TopLevel::Function(id) => {
                    let function = unit.function(*id);
                    let defined = function.body.is_some() || function.alias.is_some();
                    if function.is_external && defined {
                        let meaning = Meaning::Function(index, *id);
                        self.define(&function.link_name, meaning, function.name_span);
                    }
                }
                TopLevel::Object(id) => {
                    let object = unit.object(*id);
                    let defined = object.state != Definition::Declared || object.alias.is_some();
                    if let (Storage::External, Some(name)) = (object.storage, link_name(object))
                        && defined
                    {
                        self.define(name, Meaning::Object(index, *id), object.span);
                    }
                }
            }
        }
    }

    /// How strongly a definition wants to be the one: 0 for what anything may replace.
    fn strength(&self, meaning: Meaning) -> u32 {
        match meaning {
            Meaning::Function(unit, id) => {
                let function = self.units[unit].unit.function(id);
                if function.is_inline_only { 0 } else { 1 + u32::from(!function.is_weak) }
            }
            Meaning::Object(unit, id) => {
                let object = self.units[unit].unit.object(id);
                let is_strong = object.state == Definition::Defined && !object.is_weak;
                1 + u32::from(is_strong)
            }
        }
    }

    /// How many bytes a tentative definition wants: the largest of them is the one.
    fn extent(&self, meaning: Meaning) -> u64 {
        match meaning {
            Meaning::Object(unit, id) => {
                let unit = &self.units[unit].unit;
                let object = unit.object(id);
                let is_tentative = object.state == Definition::Tentative && !object.is_weak;
                unit.ty(object.ty).size.filter(|_| is_tentative).unwrap_or(0)
            }
            Meaning::Function(..) => 0,
        }
    }

    fn define(&mut self, name: &str, meaning: Meaning, span: Span) {
        let index = match meaning {
            Meaning::Function(index, _) | Meaning::Object(index, _) => index,
        };
        if self.units[index].is_library {
            self.library_meanings.entry(name.to_owned()).or_insert(meaning);
            return;
        }
        let Some(known) = self.meanings.get(name).copied() else {
            self.meanings.insert(name.to_owned(), meaning);
            return;
        };
        let (old, new) = (self.strength(known), self.strength(meaning));
        if old == 2 && new == 2 {
            let first = match known {
                Meaning::Function(unit, id) => self.units[unit].unit.function(id).name_span,
                Meaning::Object(unit, id) => self.units[unit].unit.object(id).span,
            };
            let error = Diagnostic::error(span, format!("`{name}` is defined twice"))
                .label("defined again here")
                .related(first, "first defined here");
            self.errors.push(error);
        } else if new > old || (new == old && self.extent(meaning) > self.extent(known)) {
            self.meanings.insert(name.to_owned(), meaning);
        }
    }

    /// What an external name stands for, with the library asked last.
    fn meaning(&mut self, name: &str) -> Option<Meaning> {
        let name = called(name);
        if let Some(known) = self.meanings.get(name).or_else(|| self.library_meanings.get(name)) {
            return Some(*known);
        }
        match self.library.unit(name, &mut self.sources) {
            Ok(Some(unit)) => {
                let index = self.add_unit(unit, true);
                self.define_all(index);
            }
            Ok(None) => {}
            Err(errors) => self.errors.extend(errors),
        }
        self.library_meanings.get(name).copied()
    }

    /// The function that is defined under an external name.
    pub(super) fn function_named(&mut self, name: &str) -> Option<FunctionId> {
        match self.meaning(name)? {
            Meaning::Function(unit, function) => Some(self.function(unit, function)),
            Meaning::Object(..) => None,
        }
    }

    /// Whether nobody has to define a function, and nobody does: its address is null.
    pub(super) fn is_absent(&mut self, index: UnitIndex, id: tree::FunctionId) -> bool {
        let unit = self.unit(index);
        let function = unit.function(id);
        function.is_weak
            && function.is_external
            && function.alias.is_none()
            && self.meaning(&function.link_name).is_none()
    }

    /// The definition of an external function.
    pub(super) fn definition(&mut self, name: &str) -> Option<(UnitIndex, tree::FunctionId)> {
        match self.meaning(name)? {
            Meaning::Function(unit, function) => Some((unit, function)),
            Meaning::Object(..) => None,
        }
    }

    /// The function in the flowgraph.
    pub(super) fn function(&mut self, index: UnitIndex, id: tree::FunctionId) -> FunctionId {
        let unit = self.unit(index);
        let function = unit.function(id);
        if let Some(target) = &function.alias {
            return self.aliased(index, target, id);
        }
        if !function.is_external {
            if let Some(known) = self.static_functions.get(&(index, id)) {
                return *known;
            }
            let made = self.reserve_function(&function.name, function.span);
            self.static_functions.insert((index, id), made);
            self.work.push_back(Work::Function(made, index, id));
            return made;
        }
        let name = called(&function.link_name).to_owned();
        if let Some(known) = self.external_functions.get(&name) {
            return *known;
        }
        match self.meaning(&name) {
            Some(Meaning::Function(unit, definition)) => {
                if let Some(target) = self.units[unit].unit.function(definition).alias.clone() {
                    return self.aliased(unit, &target, definition);
                }
                let made = self.reserve_function(&name, function.span);
                self.external_functions.insert(name, made);
                self.work.push_back(Work::Function(made, unit, definition));
                made
            }
            _ if name == DESTRUCTORS => {
                let made = self.reserve_function(&name, function.span);
                self.external_functions.insert(name, made);
                self.destructors(made, function.span);
                made
            }
            _ => {
                let made = self.reserve_function(&name, function.span);
                self.external_functions.insert(name, made);
                self.functions[made.index()] = self.external(made, index, id);
                made
            }
        }
    }

    /// The types in which a function that has a body is passed its parameters. A definition in the old
    /// style is passed promoted values, as callers that see no prototype pass them.
    pub(super) fn parameter_types(
        &mut self,
        index: UnitIndex,
        id: tree::FunctionId,
    ) -> Vec<TypeId> {
        let unit = self.unit(index);
        let function = unit.function(id);
        let is_old = unit.signature(function.signature).more == tree::More::Unspecified;
        let mut types = Vec::with_capacity(function.params.len());
        for param in &function.params {
            let ty = self.ty(index, unit.object(*param).ty);
            types.push(if is_old { self.promoted(ty) } else { ty });
        }
        types
    }

    /// The type that a value has after the default argument promotions.
    fn promoted(&mut self, ty: TypeId) -> TypeId {
        match *self.shared.types.get(ty) {
            Type::Int(IntType::Machine { width, .. }) if width < 32 => {
                self.shared.types.int(IntType::signed(32))
            }
            Type::Float(FloatType::F32) => self.shared.types.intern(Type::Float(FloatType::F64)),
            _ => ty,
        }
    }

    /// The function that another name of the same unit, or of any unit, stands for.
    fn aliased(&mut self, index: UnitIndex, target: &str, from: tree::FunctionId) -> FunctionId {
        let unit = self.unit(index);
        let found = unit.functions.iter().position(|function| {
            function.link_name == target && function.body.is_some() && function.alias.is_none()
        });
        if let Some(number) = found {
            return self.function(index, tree::FunctionId(number as u32));
        }
        if let Some(id) = self.external_functions.get(target) {
            return *id;
        }
        match self.meaning(target) {
            Some(Meaning::Function(unit, id)) if (unit, id) != (index, from) => {
                self.function(unit, id)
            }
            _ => {
                let span = unit.function(from).span;
                let made = self.reserve_function(target, span);
                self.external_functions.insert(target.to_owned(), made);
                self.functions[made.index()] = self.external(made, index, from);
                made
            }
        }
    }

    /// A number for a function whose body comes later.
    pub(super) fn reserve_function(&mut self, name: &str, span: Span) -> FunctionId {
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.function_names.insert(unique.clone()) {
            unique = format!("{name}#{number}");
            number += 1;
        }
        let terminator =
            Terminator { kind: TerminatorKind::Unreachable, span, statement: StatementId(0) };
        self.functions.push(Function {
            name: unique,
            params: 0,
            result: None,
            locals: Vec::new(),
            statements: vec![span],
            blocks: vec![Block { instructions: Vec::new(), terminator }],
            span,
        });
        FunctionId((self.functions.len() - 1) as u32)
    }

    /// The name that was given to a function.
    pub(super) fn function_name(&self, id: FunctionId) -> &str {
        &self.functions[id.index()].name
    }

    /// Gives a function another name.
    pub(super) fn rename(&mut self, id: FunctionId, name: &str) {
        name.clone_into(&mut self.functions[id.index()].name);
    }

    /// Where a function stands.
    pub(super) fn function_span(&self, id: FunctionId) -> Span {
        self.functions[id.index()].span
    }

    /// The types of the parameters and of the result of a function that is complete.
    pub(super) fn shape_of(&self, id: FunctionId) -> (Vec<TypeId>, Option<TypeId>) {
        let function = &self.functions[id.index()];
        (function.locals[..function.params].iter().map(|param| param.ty).collect(), function.result)
    }

    /// Gives a function that was reserved its body.
    pub(super) fn complete_function(&mut self, id: FunctionId, shape: Shape, builder: Builder) {
        self.functions[id.index()] = self.assemble(id, shape, builder);
    }

    /// A function from its parts, under the name that was reserved.
    pub(super) fn assemble(&self, id: FunctionId, shape: Shape, builder: Builder) -> Function {
        let (locals, statements, blocks) = builder.into_parts();
        Function {
            name: self.function_name(id).to_owned(),
            params: shape.params,
            result: shape.result,
            locals,
            statements,
            blocks,
            span: shape.span,
        }
    }

    /// The global in the flowgraph that an object with static storage is.
    pub(super) fn global(&mut self, index: UnitIndex, id: ObjectId) -> GlobalId {
        let unit = self.unit(index);
        let object = unit.object(id);
        let target = object.alias.as_ref().and_then(|target| {
            unit.objects.iter().position(|other| {
                other.alias.is_none() && link_name(other) == Some(target.as_str())
            })
        });
        if let Some(target) = target {
            return self.global(index, ObjectId(target as u32));
        }
        let name = link_name(object).unwrap_or("literal").to_owned();
        if object.storage != Storage::External {
            if let Some(known) = self.static_objects.get(&(index, id)) {
                return *known;
            }
            let made = self.reserve_global(name, index, id);
            self.static_objects.insert((index, id), made);
            self.work.push_back(Work::Global(made, index, id));
            return made;
        }
        if let Some(known) = self.external_objects.get(&name) {
            return *known;
        }
        let made = match self.meaning(&name) {
            Some(Meaning::Object(unit, definition)) => {
                let made = self.reserve_global(name.clone(), unit, definition);
                self.work.push_back(Work::Global(made, unit, definition));
                made
            }
            _ => {
                let made = self.reserve_global(name.clone(), index, id);
                self.undefined_objects.push((made, (index, object.ty)));
                made
            }
        };
        self.external_objects.insert(name, made);
        made
    }

    fn reserve_global(&mut self, name: String, index: UnitIndex, id: ObjectId) -> GlobalId {
        let unit = self.unit(index);
        let object = unit.object(id);
        let mut ty = self.ty(index, object.ty);
        // A flexible array member at the end may make the object larger than its type.
        if let Some(size) = object.extent.filter(|size| *size > self.shared.types.size_of(ty)) {
            ty = self.with_longer_end(ty, size);
        }
        let access = match object.is_const {
            true => GlobalAccess::ReadOnly,
            false => GlobalAccess::ReadWrite,
        };
        self.globals.push(Global { name, ty, initial: Vec::new(), access, span: object.span });
        GlobalId((self.globals.len() - 1) as u32)
    }

    fn initialise(&mut self, id: GlobalId, index: UnitIndex, object: ObjectId) {
        let unit = self.unit(index);
        let object = unit.object(object);
        let Some(entries) = &object.initial else { return };
        self.globals[id.index()].initial = constant::initial(self, index, entries);
    }

    /// The struct with so many elements in its last member that it takes `size` bytes.
    fn with_longer_end(&mut self, ty: TypeId, size: u64) -> TypeId {
        let Type::Record(record) = self.shared.types.get(ty) else { return ty };
        let mut record = self.shared.types.record(*record).clone();
        let Some(last) = record.fields.last_mut() else { return ty };
        let Type::Array { element, .. } = *self.shared.types.get(last.ty) else { return ty };
        let length = (size - last.offset).div_ceil(self.shared.types.size_of(element).max(1));
        last.ty = self.shared.types.intern(Type::Array { element, length });
        record.size = record.size.max(last.offset + self.shared.types.size_of(last.ty));
        let record = self.shared.types.add_record(record);
        self.shared.types.intern(Type::Record(record))
    }

    /// The global that a string literal is.
    pub(super) fn string(&mut self, index: UnitIndex, id: StringId, span: Span) -> GlobalId {
        if let Some(known) = self.strings.get(&(index, id)) {
            return *known;
        }
        let unit = self.unit(index);
        let literal = unit.string(id);
        let int = IntType::unsigned(literal.unit * 8);
        let int = if literal.unit == 1 { IntType::signed(8) } else { int };
        let element = self.shared.types.int(int);
        let length = literal.elements.len() as u64;
        let ty = self.shared.types.intern(Type::Array { element, length });
        let elements = literal.elements.iter().enumerate().filter(|(_, value)| **value != 0);
        let initial = elements.map(|(at, value)| {
            let value = int.wrap(Integer::from(i64::from(*value)));
            (at as u64 * u64::from(literal.unit), Const::Int(value, int))
        });
        let initial = initial.collect();
        let name = format!("string.{}", self.globals.len());
        let access = GlobalAccess::ReadOnly;
        self.globals.push(Global { name, ty, initial, access, span });
        let made = GlobalId((self.globals.len() - 1) as u32);
        self.strings.insert((index, id), made);
        made
    }

    /// The address of a label: a byte of an object that stands for the labels of its function.
    pub(super) fn label_address(
        &mut self,
        index: UnitIndex,
        label: tree::LabelId,
    ) -> Option<(GlobalId, i64)> {
        let unit = self.unit(index);
        let mut functions = unit.functions.iter().enumerate();
        let (number, offset) = functions.find_map(|(number, function)| {
            let offset = function.labels.iter().position(|known| *known == label)?;
            Some((number, offset))
        })?;
        let function = &unit.functions[number];
        let key = (index, tree::FunctionId(number as u32));
        let global = match self.labels.get(&key) {
            Some(known) => *known,
            None => {
                let element = self.shared.types.int(super::types::BYTE);
                let length = function.labels.len() as u64;
                let ty = self.shared.types.intern(Type::Array { element, length });
                let name = format!("labels of {}", function.name);
                let access = GlobalAccess::ReadOnly;
                let span = function.name_span;
                self.globals.push(Global { name, ty, initial: Vec::new(), access, span });
                let made = GlobalId((self.globals.len() - 1) as u32);
                self.labels.insert(key, made);
                made
            }
        };
        Some((global, offset as i64))
    }

    /// Where execution starts; `None` after an error.
    fn entry(&mut self) -> Option<FunctionId> {
        let options = self.options;
        match &options.entry {
            Entry::Main => self.main(),
            Entry::Function(name, precondition) => self.entry_at(name, precondition.as_deref()),
            Entry::Any if self.user_definition("main").is_some() => self.main(),
            Entry::Any if self.functions.is_empty() => {
                // Objects alone are a program that does nothing.
                let start = Position::new(1, 1);
                let span = Span::new(FileId(0), start, start);
                let id = self.reserve_function(Program::START, span);
                let mut builder = Builder::new(span);
                builder.end(TerminatorKind::Return(None), span);
                self.complete_function(id, Shape { params: 0, result: None, span }, builder);
                Some(id)
            }
            Entry::Any => Some(FunctionId(0)),
        }
    }
}

/// What the library calls at the end of the program.
const DESTRUCTORS: &str = "__loupe_destructors";

/// The name of a function as the program has it: the start code of the library knows `main` by how many
/// parameters it has.
fn called(name: &str) -> &str {
    if name.starts_with("__loupe_main") { "main" } else { name }
}

/// The name that other units know an object by.
fn link_name(object: &tree::Object) -> Option<&str> {
    object.link_name.as_deref().or(object.name.as_deref())
}

/// The outside of a function.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) params: usize,
    pub(super) result: Option<TypeId>,
    pub(super) span: Span,
}
