//! One function: its parameters, variables and body.

use super::builder::Builder;
use super::link::{Linker, Shape, UnitIndex};
use super::scope::{ScopeId, Scopes};
use super::tidy;
use super::types::{float_type, int_type, pointer_width};
use super::{ErrorFunctions, Pointers};
use crate::tree::{self, ExprId, Length, More, ObjectId, Storage as TreeStorage, TypeKind, Unit};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::{
    BlockId, Const, Function, FunctionId, GlobalId, InstructionKind, Local, LocalId, Operand,
    Place, Rvalue, Storage, TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type, TypeId};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Where an object is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In a register.
    Register(LocalId),
    /// In a memory local.
    Memory(LocalId),
    /// In a global.
    Global(GlobalId),
    /// In an object that this register points to: an array of variable length.
    Variable(LocalId),
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    pub(super) leave: BlockId,
    /// `None` in a `switch`.
    pub(super) repeat: Option<BlockId>,
    pub(super) scope: ScopeId,
}

/// A function being lowered.
pub(super) struct Lowering<'c, 'l> {
    pub(super) linker: &'c mut Linker<'l>,
    pub(super) index: UnitIndex,
    pub(super) unit: Rc<Unit>,
    pub(super) function: tree::FunctionId,
    pub(super) builder: Builder,
    pub(super) scopes: Rc<Scopes>,
    /// The block that the current statement stands in.
    pub(super) scope: ScopeId,
    homes: HashMap<ObjectId, Home>,
    address_taken: Rc<HashSet<ObjectId>>,
    pub(super) jumps: Vec<Jump>,
    pub(super) labels: HashMap<tree::LabelId, BlockId>,
    /// How many objects were waiting for their cleanup where a label stands.
    pub(super) cleanups_before: HashMap<tree::LabelId, usize>,
    pub(super) cases: HashMap<tree::StmtId, BlockId>,
    /// The values of lengths of arrays, in registers.
    pub(super) lengths: HashMap<ExprId, LocalId>,
    /// The lengths that a `typedef` has computed.
    settled_lengths: HashSet<ExprId>,
    /// A pointer to the arguments behind the declared ones.
    pub(super) more_arguments: Option<LocalId>,
    /// Objects that have been declared and want a function to be called when they end.
    pub(super) cleanups: Vec<(ScopeId, ObjectId)>,
    /// Objects that end with the current full expression.
    pub(super) temporaries: Vec<LocalId>,
    pub(super) result: Option<TypeId>,
}

/// The functions that stand for an error when they are called, whatever they do.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

impl<'c, 'l> Lowering<'c, 'l> {
    /// The flowgraph of a function.
    pub(super) fn function(
        linker: &'c mut Linker<'l>,
        id: FunctionId,
        index: UnitIndex,
        function: tree::FunctionId,
    ) -> Function {
        let unit = linker.unit(index);
        let source = unit.function(function);
        let signature = unit.signature(source.signature);
        let result = match unit.ty(signature.result).kind {
            TypeKind::Void => None,
            _ => Some(linker.ty(index, signature.result)),
        };
        let address_taken = linker.address_taken(index);
        let mut lowering = Lowering {
            index,
            function,
            builder: Builder::new(source.name_span),
            scopes: Rc::new(Scopes::of_function(&unit, function)),
            scope: ScopeId::FUNCTION,
            homes: HashMap::new(),
            address_taken,
            jumps: Vec::new(),
            labels: HashMap::new(),
            cleanups_before: HashMap::new(),
            cases: HashMap::new(),
            lengths: HashMap::new(),
            settled_lengths: HashSet::new(),
            more_arguments: None,
            cleanups: Vec::new(),
            temporaries: Vec::new(),
            result,
            unit: Rc::clone(&unit),
            linker,
        };
        let params = lowering.parameters(signature.more);
        let is_error = ERROR_FUNCTIONS.contains(&source.link_name.as_str())
            && lowering.linker.options.needs.error_functions == ErrorFunctions::Fail
            && !lowering.linker.is_library(index);
        if is_error {
            lowering.never(CheckKind::ErrorReached, "the function is called", source.name_span);
        } else {
            lowering.body();
        }
        let linker = lowering.linker;
        let shape = Shape { params, result, span: source.span };
        let function = linker.assemble(id, shape, lowering.builder);
        if tidy::may_return_nothing(&function) {
            linker.may_fall_off.insert(id);
        }
        function
    }

    /// Declares the parameters; how many there are in the flowgraph.
    fn parameters(&mut self, more: More) -> usize {
        let unit = Rc::clone(&self.unit);
        let source = unit.function(self.function);
        let mut copied = Vec::new();
        let passed = self.linker.parameter_types(self.index, self.function);
        for (param, ty) in source.params.iter().zip(passed) {
            let object = unit.object(*param);
            let register = Local {
                name: object.name.clone(),
                ty,
                storage: Storage::Register,
                span: object.span,
            };
            let register = self.builder.add_local(register);
            if self.fits_register(*param) && self.ty(object.ty) == ty {
                self.homes.insert(*param, Home::Register(register));
            } else {
                copied.push((*param, register));
            }
        }
        let mut count = source.params.len();
        if more == More::Variadic {
            let ty = self.byte_pointer();
            let name = Some("...".to_owned());
            let local = Local { name, ty, storage: Storage::Register, span: source.name_span };
            self.more_arguments = Some(self.builder.add_local(local));
            count += 1;
        }
        for (param, register) in copied {
            self.copy_parameter(param, register);
        }
        for param in &source.params {
            let ty = unit.object(*param).ty;
            self.evaluate_lengths(ty, unit.object(*param).span);
        }
        count
    }

    /// Gives a parameter that lives in memory, or that is passed as another type, its value.
    fn copy_parameter(&mut self, param: ObjectId, passed: LocalId) {
        let unit = Rc::clone(&self.unit);
        let object = unit.object(param);
        let ty = self.ty(object.ty);
        let (given, span) = (self.builder.locals[passed.index()].ty, object.span);
        let value = match given == ty {
            true => Rvalue::Use(Operand::Local(passed)),
            false => Rvalue::Convert(Operand::Local(passed), ty),
        };
        let storage = match self.fits_register(param) {
            true => Storage::Register,
            false => Storage::Memory,
        };
        let local = Local { name: object.name.clone(), ty, storage, span };
        let local = self.builder.add_local(local);
        if storage == Storage::Register {
            self.homes.insert(param, Home::Register(local));
            self.builder.set(local, value, span);
            return;
        }
        self.homes.insert(param, Home::Memory(local));
        self.builder.push(InstructionKind::Live(local), span);
        let value = match value {
            Rvalue::Use(value) => value,
            value => self.builder.assign(ty, value, span),
        };
        let place = Place::local(local);
        self.builder.push(InstructionKind::Store { place, value }, span);
    }

    fn body(&mut self) {
        let unit = Rc::clone(&self.unit);
        let source = unit.function(self.function);
        let Some(body) = source.body else { return };
        for label in &source.labels {
            let block = self.builder.new_block();
            self.labels.insert(*label, block);
        }
        self.stmt(body);
        // The closing brace.
        let end = Span::new(source.span.file, source.span.end, source.span.end);
        let end = Span {
            start: loupe_ir::source::Position::new(end.start.line, end.start.column.max(2) - 1),
            ..end
        };
        if !self.builder.is_open() {
            return;
        }
        self.builder.statement(end);
        self.leave_function(end);
        let Some(result) = self.result else {
            self.builder.end(TerminatorKind::Return(None), end);
            return;
        };
        let is_main = source.name == "main" && source.is_external;
        let value = match self.linker.shared.types.as_int(result) {
            Some(int) if is_main => Operand::Const(Const::Int(Integer::ZERO, int)),
            _ => {
                // No value: whoever uses it is told by a check.
                let nothing = self.builder.temporary(result, end);
                self.builder.push(InstructionKind::Live(nothing), end);
                Operand::Local(nothing)
            }
        };
        self.builder.end(TerminatorKind::Return(Some(value)), end);
    }

    /// The type in the flowgraph.
    pub(super) fn ty(&mut self, ty: tree::TypeId) -> TypeId {
        self.linker.ty(self.index, ty)
    }

    pub(super) fn byte_pointer(&mut self) -> TypeId {
        let byte = self.linker.shared.types.int(super::types::BYTE);
        self.linker.shared.types.intern(Type::Pointer(byte))
    }

    pub(super) fn kind(&self, ty: tree::TypeId) -> &TypeKind {
        &self.unit.ty(ty).kind
    }

    /// Integers as wide as pointers, with a sign.
    pub(super) fn offset_type(&self) -> IntType {
        IntType::signed(pointer_width(self.linker.options.data_model))
    }

    /// Integers as wide as pointers, without a sign.
    pub(super) fn size_type(&self) -> IntType {
        IntType::unsigned(pointer_width(self.linker.options.data_model))
    }

    /// Whether a type is a scalar that lowering knows.
    pub(super) fn is_scalar(&self, ty: tree::TypeId) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float(_) | TypeKind::Pointer(_)
        )
    }

    fn fits_register(&self, object: ObjectId) -> bool {
        let declared = self.unit.object(object);
        let is_kept = self.linker.options.needs.pointers == Pointers::InMemory
            && matches!(self.kind(declared.ty), TypeKind::Pointer { .. })
            && !self.linker.is_library(self.index);
        self.is_scalar(declared.ty)
            && !is_kept
            && !self.address_taken.contains(&object)
            && declared.cleanup.is_none()
    }

    /// Where an object is.
    pub(super) fn home(&mut self, object: ObjectId) -> Home {
        if let Some(known) = self.homes.get(&object) {
            return *known;
        }
        let unit = Rc::clone(&self.unit);
        let declared = unit.object(object);
        let home = match declared.storage {
            TreeStorage::External | TreeStorage::Static => {
                Home::Global(self.linker.global(self.index, object))
            }
            TreeStorage::Automatic | TreeStorage::Parameter => {
                let is_variable = matches!(
                    self.kind(declared.ty),
                    TypeKind::Array { .. } if self.unit.ty(declared.ty).size.is_none()
                );
                let (ty, storage) = if is_variable {
                    let element = self.ty(declared.ty);
                    let element = self.innermost(element);
                    (self.linker.shared.types.intern(Type::Pointer(element)), Storage::Register)
                } else if self.fits_register(object) {
                    (self.ty(declared.ty), Storage::Register)
                } else {
                    (self.ty(declared.ty), Storage::Memory)
                };
                let local = Local { name: declared.name.clone(), ty, storage, span: declared.span };
                let local = self.builder.add_local(local);
                match storage {
                    Storage::Register if is_variable => Home::Variable(local),
                    Storage::Register => Home::Register(local),
                    Storage::Memory => Home::Memory(local),
                }
            }
        };
        self.homes.insert(object, home);
        home
    }

    /// The type of the elements of arrays of arrays.
    fn innermost(&self, ty: TypeId) -> TypeId {
        match self.linker.shared.types.get(ty) {
            Type::Array { element, length: 0 } => self.innermost(*element),
            _ => ty,
        }
    }

    /// Emits a check that always fails, and ends the block.
    pub(super) fn never(&mut self, kind: CheckKind, reason: &str, span: Span) {
        let reason = self.linker.symbols.intern(reason);
        self.builder.check(kind, Predicate::Never(reason), span);
        self.builder.end(TerminatorKind::Unreachable, span);
    }

    /// Ends the path because of something that is not modelled; what follows is lowered, but never
    /// executed.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        if self.builder.is_open() && !self.linker.is_library(self.index) {
            let message = format!("not modelled: {what}");
            self.linker.unsupported.push(Diagnostic::error(span, message));
        }
        self.never(CheckKind::Unsupported, what, span);
        let next = self.builder.new_block();
        self.builder.go_on(next);
    }

    /// A value of this type that is never used.
    pub(super) fn placeholder(&mut self, ty: tree::TypeId, span: Span) -> Operand {
        match *self.kind(ty) {
            TypeKind::Float(float) => Operand::Const(Const::Float(0, float_type(float))),
            TypeKind::Pointer(_) => Operand::Const(Const::Null),
            _ => match int_type(&self.unit, ty) {
                Some(int) => Operand::Const(Const::Int(Integer::ZERO, int)),
                None => {
                    let ty = self.ty(ty);
                    let nothing = self.builder.temporary(ty, span);
                    self.builder.push(InstructionKind::Live(nothing), span);
                    Operand::Local(nothing)
                }
            },
        }
    }

    /// The lengths of arrays in a type that are computed.
    fn variable_lengths(&self, ty: tree::TypeId) -> Vec<ExprId> {
        let mut ty = ty;
        let mut lengths = Vec::new();
        loop {
            match *self.kind(ty) {
                TypeKind::Array { element, length } => {
                    if let Length::Variable(length) = length {
                        lengths.push(length);
                    }
                    ty = element;
                }
                TypeKind::Pointer(target) => ty = target,
                _ => return lengths,
            }
        }
    }

    /// Computes the lengths of arrays in a type, as the execution of a declaration does.
    pub(super) fn evaluate_lengths(&mut self, ty: tree::TypeId, span: Span) {
        for length in self.variable_lengths(ty) {
            // A `typedef` has settled its lengths for all objects of the type.
            if !self.settled_lengths.contains(&length) {
                self.evaluate_length(length, span);
            }
        }
    }

    /// Computes the lengths in a `typedef`.
    pub(super) fn settle_lengths(&mut self, ty: tree::TypeId, span: Span) {
        for length in self.variable_lengths(ty) {
            self.evaluate_length(length, span);
            self.settled_lengths.insert(length);
        }
    }

    /// Computes a length anew.
    pub(super) fn evaluate_length(&mut self, length: ExprId, span: Span) -> LocalId {
        let value = self.value(length);
        let from = self.unit.expr(length).ty;
        let value = self.as_offset(value, from, span);
        let register = match self.lengths.get(&length) {
            Some(known) => *known,
            None => {
                let int = self.offset_type();
                let ty = self.linker.shared.types.int(int);
                let made = self.builder.temporary(ty, span);
                self.lengths.insert(length, made);
                made
            }
        };
        self.builder.set(register, Rvalue::Use(value), span);
        register
    }
}
