//! Where execution starts.

use super::builder::Builder;
use super::link::{Linker, Shape, UnitIndex};
use crate::tree::{self, TypeKind};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::{
    Base, CompareOp, Const, FunctionId, Initial, InstructionKind, Operand, Place, Program, Region,
    Rvalue, TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type, TypeId};

impl Linker<'_> {
    /// `main`, or what calls it.
    pub(super) fn main(&mut self) -> Option<FunctionId> {
        let Some((index, main)) = self.user_definition("main") else {
            let error = Diagnostic::whole_file("there is no function `main`")
                .help("say with `--entry f` where to start");
            self.error(error);
            return None;
        };
        let unit = self.unit(index);
        let function = unit.function(main);
        let direct = self.function(index, main);
        let (before, after) = self.startup_functions();
        let needs_start = !function.params.is_empty()
            || !before.is_empty()
            || !after.is_empty()
            || self.is_mentioned("atexit");
        let is_used = |param: &tree::ObjectId| {
            let mentions = |expr: &tree::Expr| expr.kind == tree::ExprKind::Object(*param);
            unit.exprs.iter().any(mentions)
        };
        let used: Vec<bool> = function.params.iter().map(is_used).collect();
        let start = match used[..] {
            [] => "__loupe_start0",
            [false] => "__loupe_bare1",
            [true] => "__loupe_start1",
            [false, false] => "__loupe_bare2",
            [true, false] => "__loupe_counted2",
            [_, true] => "__loupe_start2",
            [false, false, false] => "__loupe_bare3",
            [true, false, false] => "__loupe_counted3",
            _ => "__loupe_start3",
        };
        let span = function.name_span;
        let target =
            if needs_start { self.function_named(start).unwrap_or(direct) } else { direct };
        if before.is_empty() {
            return Some(target);
        }
        let id = self.reserve_function(Program::START, span);
        let mut builder = Builder::new(span);
        for function in before {
            push_call(&mut builder, function, Vec::new(), span);
        }
        // The start code of the library does not return, `main` does.
        let signature = unit.signature(function.signature);
        let result = match unit.ty(signature.result).kind {
            TypeKind::Void => None,
            _ if target != direct => None,
            _ => Some(self.ty(index, signature.result)),
        };
        let value = result.map(|ty| builder.temporary(ty, span));
        let callee = Operand::Const(Const::Function(target));
        let call = InstructionKind::Call { target: value, callee, arguments: Vec::new() };
        builder.push(call, span);
        builder.end(TerminatorKind::Return(value.map(Operand::Local)), span);
        self.complete_function(id, Shape { params: 0, result, span }, builder);
        Some(id)
    }

    /// A function that calls what runs after `main`.
    pub(super) fn destructors(&mut self, id: FunctionId, span: Span) {
        let mut builder = Builder::new(span);
        for function in self.startup_functions().1 {
            push_call(&mut builder, function, Vec::new(), span);
        }
        builder.end(TerminatorKind::Return(None), span);
        self.complete_function(id, Shape { params: 0, result: None, span }, builder);
    }

    /// Where a name of the user is defined.
    pub(super) fn user_definition(&mut self, name: &str) -> Option<(usize, tree::FunctionId)> {
        let (index, id) = self.definition(name)?;
        (!self.is_library(index)).then_some((index, id))
    }

    /// Whether a unit of the user calls a function of this name.
    fn is_mentioned(&self, name: &str) -> bool {
        (0..self.unit_count()).filter(|index| !self.is_library(*index)).any(|index| {
            self.unit(index).functions.iter().any(|function| function.link_name == name)
        })
    }

    /// The functions that run before and after `main`, in their order.
    fn startup_functions(&mut self) -> (Vec<FunctionId>, Vec<FunctionId>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for index in 0..self.unit_count() {
            let unit = self.unit(index);
            for (number, function) in unit.functions.iter().enumerate() {
                let id = tree::FunctionId(number as u32);
                if let Some(priority) = function.constructor {
                    before.push((priority, index, id));
                }
                if let Some(priority) = function.destructor {
                    after.push((std::cmp::Reverse(priority), index, id));
                }
            }
        }
        before.sort_by_key(|(priority, ..)| *priority);
        after.sort_by_key(|(priority, ..)| *priority);
        let before = before.into_iter().map(|(_, index, id)| self.function(index, id)).collect();
        let after = after.into_iter().map(|(_, index, id)| self.function(index, id)).collect();
        (before, after)
    }

    /// Where execution starts if there are objects that no unit defines: they hold arbitrary numbers. Which
    /// ones there are is known only when everything else is lowered.
    pub(super) fn with_unknown_objects(&mut self, entry: FunctionId) -> FunctionId {
        let (params, result) = self.shape_of(entry);
        // A function with parameters stands for the start of a unit that has none: nobody runs it.
        if self.undefined_objects.is_empty() || !params.is_empty() {
            return entry;
        }
        let span = self.function_span(entry);
        if self.function_name(entry) == Program::START {
            self.rename(entry, &format!("{}.inner", Program::START));
        }
        let id = self.reserve_function(Program::START, span);
        let mut builder = Builder::new(span);
        for (global, declared) in std::mem::take(&mut self.undefined_objects) {
            let what = match self.arbitrary(&mut builder, declared, span) {
                Some(value) => {
                    let place = Place { base: Base::Global(global), projections: Vec::new() };
                    builder.push(InstructionKind::Store { place, value }, span);
                    "hold any value at the start"
                }
                None => "be zero at the start",
            };
            let name = &self.globals[global.index()].name;
            self.assumptions.push(format!("`{name}` is not defined; it is assumed to {what}"));
        }
        let value = result.map(|ty| builder.temporary(ty, span));
        let callee = Operand::Const(Const::Function(entry));
        let call = InstructionKind::Call { target: value, callee, arguments: Vec::new() };
        builder.push(call, span);
        builder.end(TerminatorKind::Return(value.map(Operand::Local)), span);
        self.complete_function(id, Shape { params: 0, result, span }, builder);
        id
    }

    /// The next input as a number of this type, if it is a type of numbers.
    pub(super) fn arbitrary(
        &mut self,
        builder: &mut Builder,
        (index, ty): (UnitIndex, tree::TypeId),
        span: Span,
    ) -> Option<Operand> {
        let is_bool = matches!(self.unit(index).ty(ty).kind, TypeKind::Bool);
        let ty = self.ty(index, ty);
        let int = self.shared.types.as_int(ty)?;
        // A `_Bool` takes a byte, and holds nothing but 0 and 1.
        let input = if is_bool { IntType::unsigned(1) } else { int };
        Some(self.input(builder, input, ty, span))
    }

    /// The next input as one of `input`, in a register of type `ty`.
    pub(super) fn input(
        &mut self,
        builder: &mut Builder,
        input: IntType,
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let narrow = self.shared.types.int(input);
        let value = builder.assign(narrow, Rvalue::Input(narrow), span);
        if narrow == ty {
            return value;
        }
        builder.assign(ty, Rvalue::Convert(value, ty), span)
    }

    /// A function that calls another one with arbitrary arguments.
    pub(super) fn entry_at(
        &mut self,
        name: &str,
        precondition: Option<&str>,
    ) -> Option<FunctionId> {
        let found = self.find_function(name);
        let Some((index, function)) = found else {
            let error =
                Diagnostic::whole_file(format!("there is no function `{name}` to start at"))
                    .help("functions that the given files define can be named with `--entry`");
            self.error(error);
            return None;
        };
        let unit = self.unit(index);
        let source = unit.function(function);
        let span = source.name_span;
        let target = self.function(index, function);
        let id = self.reserve_function(Program::START, span);
        let mut builder = Builder::new(span);
        let mut arguments = Vec::new();
        let (mut pointers, mut lists) = (false, false);
        let passed = self.parameter_types(index, function);
        for (param, ty) in source.params.iter().zip(passed) {
            let object = unit.object(*param);
            let argument = match &unit.ty(object.ty).kind {
                TypeKind::Pointer(element) => {
                    let node = self.ty(index, *element);
                    match self.shared.types.link_of(node) {
                        Some(link) => {
                            lists = true;
                            self.arbitrary_list(&mut builder, (node, link), object.span)
                        }
                        None => {
                            pointers = true;
                            self.arbitrary_pointer(&mut builder, node, ty, object.span)
                        }
                    }
                }
                _ => {
                    let at = object.span;
                    if let Some(number) = self.arbitrary(&mut builder, (index, object.ty), at) {
                        arguments.push(self.as_passed(&mut builder, number, ty, at));
                        continue;
                    }
                    let reason = self.symbols.intern("an arbitrary argument of this type");
                    let predicate = Predicate::Never(reason);
                    builder.check(CheckKind::Unsupported, predicate, object.span);
                    builder.end(TerminatorKind::Unreachable, object.span);
                    Operand::Const(Const::Null)
                }
            };
            arguments.push(argument);
        }
        if pointers {
            self.assumptions.push(format!(
                "each pointer that `{name}` is called with is null or points to an object of its own, of at most 2,147,483,647 bytes"
            ));
        }
        if lists {
            self.assumptions.push(format!(
                "each list that `{name}` is called with has fewer than 2^31 nodes, which are objects of their own, and ends"
            ));
        }
        if let Some(condition) = precondition
            && let Some((unit, condition)) = self.find_function(condition)
        {
            let function = self.function(unit, condition);
            let int = IntType::signed(32);
            let ty = self.shared.types.int(int);
            let result = builder.temporary(ty, span);
            let callee = Operand::Const(Const::Function(function));
            let call = InstructionKind::Call {
                target: Some(result),
                callee,
                arguments: arguments.clone(),
            };
            builder.push(call, span);
            let zero = Operand::Const(Const::Int(Integer::ZERO, int));
            let holds = Rvalue::Compare(CompareOp::Ne, Operand::Local(result), zero);
            let holds = builder.assign(TypeId::BOOL, holds, span);
            builder.push(InstructionKind::Assume(holds), span);
        }
        if source.signature_is_variadic(&unit) {
            arguments.push(Operand::Const(Const::Null));
        }
        // Numbers are shown; of other results there is nothing to show.
        let result = unit.signature(source.signature).result;
        let is_number = matches!(unit.ty(result).kind, TypeKind::Int { .. } | TypeKind::Bool);
        let result = is_number.then(|| self.ty(index, result));
        let value = result.map(|ty| builder.temporary(ty, span));
        let callee = Operand::Const(Const::Function(target));
        builder.push(InstructionKind::Call { target: value, callee, arguments }, span);
        builder.end(TerminatorKind::Return(value.map(Operand::Local)), span);
        self.complete_function(id, Shape { params: 0, result, span }, builder);
        Some(id)
    }

    /// A number as a parameter is passed it, which may be wider.
    fn as_passed(&self, builder: &mut Builder, number: Operand, ty: TypeId, span: Span) -> Operand {
        match &number {
            Operand::Local(local) if builder.locals[local.index()].ty != ty => {
                builder.assign(ty, Rvalue::Convert(number, ty), span)
            }
            _ => number,
        }
    }

    /// A function of the user, by its name in the source.
    fn find_function(&mut self, name: &str) -> Option<(usize, tree::FunctionId)> {
        (0..self.unit_count()).filter(|index| !self.is_library(*index)).find_map(|index| {
            let unit = self.unit(index);
            let number = unit
                .functions
                .iter()
                .position(|function| function.name == name && function.body.is_some())?;
            Some((index, tree::FunctionId(number as u32)))
        })
    }

    /// Null, or a pointer to a new object of arbitrary length and contents.
    fn arbitrary_pointer(
        &mut self,
        builder: &mut Builder,
        element: TypeId,
        ty: TypeId,
        span: Span,
    ) -> Operand {
        let pointer = builder.temporary(ty, span);
        builder.set(pointer, Rvalue::Use(Operand::Const(Const::Null)), span);
        if !matches!(self.shared.types.get(ty), Type::Pointer(_)) {
            return Operand::Local(pointer);
        }
        let bit = self.shared.types.int(IntType::unsigned(1));
        let choice = builder.assign(bit, Rvalue::Input(bit), span);
        let zero = Operand::Const(Const::Int(Integer::ZERO, IntType::unsigned(1)));
        let exists = Rvalue::Compare(CompareOp::Ne, choice, zero);
        let condition = builder.assign(TypeId::BOOL, exists, span);
        let (yes, join) = (builder.new_block(), builder.new_block());
        builder.end(TerminatorKind::Branch { condition, then: yes, otherwise: join }, span);
        builder.go_on(yes);
        let length = IntType::unsigned(31);
        let length_ty = self.shared.types.int(length);
        let count = builder.assign(length_ty, Rvalue::Input(length_ty), span);
        let zero = Operand::Const(Const::Int(Integer::ZERO, length));
        let some = Rvalue::Compare(CompareOp::Gt, count.clone(), zero);
        let some = builder.assign(TypeId::BOOL, some, span);
        builder.push(InstructionKind::Assume(some), span);
        // Objects that are larger have no model.
        let most = i64::from(i32::MAX) / self.shared.types.size_of(element).max(1) as i64;
        let most = Operand::Const(Const::Int(Integer::from(most), length));
        let fits = Rvalue::Compare(CompareOp::Le, count.clone(), most);
        let fits = builder.assign(TypeId::BOOL, fits, span);
        builder.push(InstructionKind::Assume(fits), span);
        let (region, initial) = (Region::Stack, Initial::Uninitialised);
        builder.set(pointer, Rvalue::Allocate { region, element, count, initial }, span);
        builder.flow_into(join, span);
        Operand::Local(pointer)
    }

    /// A list of any number of nodes with arbitrary contents: a pointer to the first one, or null.
    fn arbitrary_list(
        &mut self,
        builder: &mut Builder,
        (node, link): (TypeId, u32),
        span: Span,
    ) -> Operand {
        let length = self.shared.types.int(IntType::unsigned(31));
        let count = builder.assign(length, Rvalue::Input(length), span);
        let (region, initial) = (Region::Stack, Initial::Linked { link });
        let ty = self.shared.types.intern(Type::Pointer(node));
        builder.assign(ty, Rvalue::Allocate { region, element: node, count, initial }, span)
    }
}

fn push_call(builder: &mut Builder, function: FunctionId, arguments: Vec<Operand>, span: Span) {
    let callee = Operand::Const(Const::Function(function));
    builder.push(InstructionKind::Call { target: None, callee, arguments }, span);
}
