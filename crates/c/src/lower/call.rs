//! Calls.
//!
//! A variadic function takes one more argument in the flowgraph: a pointer to the values behind the
//! declared ones, each at the next multiple of the size of a register. A list of arguments (`va_list`) holds
//! that pointer.

use super::function::Lowering;
use super::place::{Access, Purpose};
use crate::tree::{ExprId, ExprKind, More, Signature, TypeId, TypeKind};
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    Const, FunctionId, InstructionKind, Operand, Place, Projection, Rvalue, TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::types::{RecordField, RecordType, Type, TypeId as IrType};
use std::rc::Rc;

/// What is called.
enum Callee {
    Known(FunctionId),
    Pointer(Operand),
}

impl Lowering<'_, '_> {
    /// A call; its result, if there is one and it is wanted.
    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        arguments: &[ExprId],
        is_used: bool,
    ) -> Option<Operand> {
        let unit = Rc::clone(&self.unit);
        let (span, ty) = (unit.expr(id).span, unit.expr(id).ty);
        let designated = self.designated(callee);
        if let Some(function) = designated
            && let Some(intrinsic) = super::intrinsic::lookup(&unit.function(function).link_name)
        {
            return self.intrinsic(intrinsic, arguments, ty, span);
        }
        let signature = self.signature_of(callee)?.clone();
        let target = match designated {
            Some(function) => Callee::Known(self.linker.function(self.index, function)),
            None => {
                let value = self.value(callee);
                let predicate = Predicate::NonNull(value.clone());
                self.builder.check(CheckKind::NullDereference, predicate, span);
                Callee::Pointer(value)
            }
        };
        let mut values = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            let ty = unit.expr(*argument).ty;
            let mut value = self.value(*argument);
            if arguments[number + 1..].iter().any(|later| self.has_effects(*later)) {
                value = self.settled(value, ty, unit.expr(*argument).span);
            }
            values.push((value, ty));
        }
        match (target, designated) {
            (Callee::Known(function), Some(declared)) => {
                self.known_call(function, declared, values, (ty, is_used), span)
            }
            (Callee::Known(_), None) => None,
            (Callee::Pointer(pointer), _) => {
                self.pointer_call(pointer, &signature, values, (ty, is_used), span)
            }
        }
    }

    /// Whether evaluating an expression may change a variable.
    fn has_effects(&self, id: ExprId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let kind = &self.unit.expr(id).kind;
            match kind {
                ExprKind::Assign { .. }
                | ExprKind::Update { .. }
                | ExprKind::Step { .. }
                | ExprKind::Statement(_) => return true,
                _ => super::scope::children(kind, &mut |child| open.push(child)),
            }
        }
        false
    }

    /// A value that does not change any more: that of a variable is copied.
    fn settled(&mut self, value: Operand, ty: TypeId, span: Span) -> Operand {
        match &value {
            Operand::Local(local) if self.builder.locals[local.index()].name.is_some() => {
                let ty = match self.kind(ty) {
                    TypeKind::Pointer(_) => self.builder.locals[local.index()].ty,
                    _ => self.ty(ty),
                };
                self.builder.assign(ty, Rvalue::Use(value), span)
            }
            _ => value,
        }
    }

    /// The function that is called by name.
    fn designated(&self, callee: ExprId) -> Option<crate::tree::FunctionId> {
        let mut id = callee;
        loop {
            match &self.unit.expr(id).kind {
                ExprKind::Decay(inner) | ExprKind::AddressOf(inner) => id = *inner,
                ExprKind::Deref(inner) => id = *inner,
                ExprKind::Function(function) => {
                    // Only if the way there did not change its type.
                    return Some(*function);
                }
                _ => return None,
            }
        }
    }

    /// The type of what is called.
    fn signature_of(&self, callee: ExprId) -> Option<&Signature> {
        let mut ty = self.unit.expr(callee).ty;
        loop {
            match self.kind(ty) {
                TypeKind::Pointer(target) => ty = *target,
                TypeKind::Function(signature) => return Some(self.unit.signature(*signature)),
                _ => return None,
            }
        }
    }

    /// A call of a function that is known by name.
    fn known_call(
        &mut self,
        function: FunctionId,
        declared: crate::tree::FunctionId,
        values: Vec<(Operand, TypeId)>,
        (ty, is_used): (TypeId, bool),
        span: Span,
    ) -> Option<Operand> {
        let unit = Rc::clone(&self.unit);
        let source = unit.function(declared);
        let name = source.link_name.clone();
        let definition = match source.is_external {
            true => self.linker.definition(&name),
            false => Some((self.index, declared)),
        };
        let Some((owner, defined)) = definition else {
            // Nobody defines it: it is what the declaration says.
            return self.plain_call(function, values, (ty, is_used), span);
        };
        let owner_unit = self.linker.unit(owner);
        let passed = self.linker.parameter_types(owner, defined);
        let defined = owner_unit.function(defined);
        let wanted = owner_unit.signature(defined.signature);
        let params: Vec<IrType> = match defined.body {
            Some(_) => passed,
            None => wanted.params.iter().map(|param| self.linker.ty(owner, *param)).collect(),
        };
        let result = match owner_unit.ty(wanted.result).kind {
            TypeKind::Void => None,
            _ => Some(self.linker.ty(owner, wanted.result)),
        };
        let is_variadic = wanted.more == More::Variadic;
        let mut arguments = Vec::new();
        let mut rest = Vec::new();
        for (number, (value, from)) in values.into_iter().enumerate() {
            match params.get(number) {
                Some(param) => match self.fitting(value, from, *param, span) {
                    Some(value) => arguments.push(value),
                    None => return self.wrong_call(&name, ty, span),
                },
                None if is_variadic => rest.push((value, from)),
                // More arguments than parameters, possible without a prototype: nobody looks at them.
                None => {}
            }
        }
        if arguments.len() < params.len() {
            return self.wrong_call(&name, ty, span);
        }
        let block = is_variadic.then(|| self.argument_block(rest, span));
        if let Some(pointer) = &block {
            arguments.push(pointer.clone());
        }
        let wanted_result = match self.kind(ty) {
            TypeKind::Void => None,
            _ => Some(self.ty(ty)),
        };
        let is_noreturn = source.is_noreturn || defined.is_noreturn;
        let outcome = match (result, wanted_result) {
            (Some(result), Some(wanted)) if is_used => {
                let target = self.builder.temporary(result, span);
                self.push_call(
                    Some(target),
                    Operand::Const(Const::Function(function)),
                    arguments,
                    span,
                );
                let place = Place::local(target);
                self.builder.check(CheckKind::MissingReturn, Predicate::Initialised(place), span);
                self.fitting_result(Operand::Local(target), result, wanted, span)
            }
            (None, Some(_)) if is_used => return self.wrong_call(&name, ty, span),
            _ => {
                self.push_call(None, Operand::Const(Const::Function(function)), arguments, span);
                None
            }
        };
        if is_noreturn {
            self.never(CheckKind::UnreachableReached, "a function returned that must not", span);
            let next = self.builder.new_block();
            self.builder.go_on(next);
        }
        outcome
    }

    /// A call of a function without a definition: nobody looks at the arguments. Units may declare it in
    /// different ways, and the flowgraph has the first of them.
    fn plain_call(
        &mut self,
        function: FunctionId,
        values: Vec<(Operand, TypeId)>,
        (ty, is_used): (TypeId, bool),
        span: Span,
    ) -> Option<Operand> {
        let (params, result) = self.linker.shape_of(function);
        let mut values = values.into_iter();
        let mut arguments = Vec::with_capacity(params.len());
        for param in params {
            let given = values.next().and_then(|(v, from)| self.fitting(v, from, param, span));
            arguments.push(given.unwrap_or_else(|| self.nothing_of(param, span)));
        }
        let wanted = match self.kind(ty) {
            TypeKind::Void => None,
            _ => Some(self.ty(ty)),
        };
        let is_known = |ty: IrType| self.linker.shared.types.as_int(ty).is_some();
        let is_unknown = !wanted.is_none_or(is_known) || !result.is_none_or(is_known);
        let callee = Operand::Const(Const::Function(function));
        match (wanted, result) {
            (Some(wanted), Some(result)) if is_used && !is_unknown => {
                let target = self.builder.temporary(result, span);
                self.push_call(Some(target), callee, arguments, span);
                self.fitting_result(Operand::Local(target), result, wanted, span)
            }
            (Some(_), _) if is_used => {
                self.push_call(None, callee, arguments, span);
                let name = self.linker.function_name(function).to_owned();
                let what = format!("the result of `{name}`, which is not defined");
                self.unsupported(&what, span);
                Some(self.placeholder(ty, span))
            }
            _ => {
                self.push_call(None, callee, arguments, span);
                None
            }
        }
    }

    /// A value of this type that nobody looks at.
    fn nothing_of(&mut self, ty: IrType, span: Span) -> Operand {
        match *self.linker.shared.types.get(ty) {
            Type::Int(int) => self.int_const(0, int),
            Type::Float(format) => Operand::Const(Const::Float(0, format)),
            Type::Pointer(_) | Type::Function => Operand::Const(Const::Null),
            _ => {
                let nothing = self.builder.temporary(ty, span);
                self.builder.push(InstructionKind::Live(nothing), span);
                Operand::Local(nothing)
            }
        }
    }

    fn pointer_call(
        &mut self,
        pointer: Operand,
        signature: &Signature,
        values: Vec<(Operand, TypeId)>,
        (ty, is_used): (TypeId, bool),
        span: Span,
    ) -> Option<Operand> {
        let declared = match signature.more {
            More::Unspecified => values.len(),
            _ => signature.params.len(),
        };
        let mut arguments = Vec::new();
        let mut types = Vec::new();
        let mut rest = Vec::new();
        for (number, (value, from)) in values.into_iter().enumerate() {
            if number < declared {
                types.push(self.ty(from));
                arguments.push(value);
            } else {
                rest.push((value, from));
            }
        }
        if signature.more == More::Variadic {
            arguments.push(self.argument_block(rest, span));
            types.push(self.byte_pointer());
        }
        let result = match self.kind(ty) {
            TypeKind::Void => None,
            _ => Some(self.ty(ty)),
        };
        let used = result.filter(|_| is_used);
        let predicate =
            Predicate::Accepts { function: pointer.clone(), arguments: types, result: used };
        self.builder.check(CheckKind::InvalidCall, predicate, span);
        let target = used.map(|ty| self.builder.temporary(ty, span));
        self.push_call(target, pointer, arguments, span);
        let target = target?;
        let place = Place::local(target);
        self.builder.check(CheckKind::MissingReturn, Predicate::Initialised(place), span);
        Some(Operand::Local(target))
    }

    fn push_call(
        &mut self,
        target: Option<loupe_ir::program::LocalId>,
        callee: Operand,
        arguments: Vec<Operand>,
        span: Span,
    ) {
        self.builder.push(InstructionKind::Call { target, callee, arguments }, span);
    }

    /// A call that passes or expects something else than the function has.
    fn wrong_call(&mut self, name: &str, ty: TypeId, span: Span) -> Option<Operand> {
        let what = format!("`{name}` is called with arguments or a result that it does not have");
        self.never(CheckKind::InvalidCall, &what, span);
        let next = self.builder.new_block();
        self.builder.go_on(next);
        match self.kind(ty) {
            TypeKind::Void => None,
            _ => Some(self.placeholder(ty, span)),
        }
    }

    /// An argument as the parameter wants it, if that makes sense: without a prototype, the types may
    /// differ.
    fn fitting(
        &mut self,
        value: Operand,
        from: TypeId,
        param: IrType,
        span: Span,
    ) -> Option<Operand> {
        let given = self.ty(from);
        if given == param {
            return Some(value);
        }
        match (
            self.linker.shared.types.get(given).clone(),
            self.linker.shared.types.get(param).clone(),
        ) {
            (Type::Int(from), Type::Int(to)) => Some(self.as_int(value, from, to, span)),
            (Type::Float(_), Type::Float(_)) => {
                Some(self.builder.assign(param, Rvalue::Convert(value, param), span))
            }
            (Type::Pointer(_) | Type::Function, Type::Pointer(_) | Type::Function) => {
                Some(self.as_pointer(value, param, span))
            }
            (Type::Int(from), Type::Pointer(_)) => {
                let value = self.as_int(value, from, self.size_type(), span);
                Some(self.builder.assign(param, Rvalue::Convert(value, param), span))
            }
            // Structs of two units that are the same for both.
            (Type::Record(a), Type::Record(b))
                if self.linker.shared.types.record(a).size
                    == self.linker.shared.types.record(b).size =>
            {
                let object = self.materialise(value, from, span);
                let pointer = self.address_of_place(&Place::local(object), span);
                let wanted = self.linker.shared.types.intern(Type::Pointer(param));
                let register = self.builder.temporary(wanted, span);
                self.builder.set(register, Rvalue::Convert(pointer, wanted), span);
                let place = Place::local(register).project(Projection::Deref);
                Some(self.builder.assign(param, Rvalue::Load(place), span))
            }
            _ => None,
        }
    }

    fn fitting_result(
        &mut self,
        value: Operand,
        result: IrType,
        wanted: IrType,
        span: Span,
    ) -> Option<Operand> {
        if result == wanted {
            return Some(value);
        }
        match (
            self.linker.shared.types.get(result).clone(),
            self.linker.shared.types.get(wanted).clone(),
        ) {
            (Type::Int(from), Type::Int(to)) => Some(self.as_int(value, from, to, span)),
            (Type::Pointer(_) | Type::Function, Type::Pointer(_) | Type::Function) => {
                Some(self.as_pointer(value, wanted, span))
            }
            (Type::Record(a), Type::Record(b))
                if self.linker.shared.types.record(a).size
                    == self.linker.shared.types.record(b).size =>
            {
                let object = self.builder.temporary_object(result, span);
                self.builder.push(InstructionKind::Live(object), span);
                let place = Place::local(object);
                self.builder.push(InstructionKind::Store { place, value }, span);
                self.temporaries.push(object);
                let pointer = self.address_of_place(&Place::local(object), span);
                let pointed = self.linker.shared.types.intern(Type::Pointer(wanted));
                let register = self.builder.temporary(pointed, span);
                self.builder.set(register, Rvalue::Convert(pointer, pointed), span);
                let place = Place::local(register).project(Projection::Deref);
                Some(self.builder.assign(wanted, Rvalue::Load(place), span))
            }
            _ => {
                self.never(CheckKind::InvalidCall, "the function has another result", span);
                let next = self.builder.new_block();
                self.builder.go_on(next);
                let nothing = self.builder.temporary(wanted, span);
                self.builder.push(InstructionKind::Live(nothing), span);
                Some(Operand::Local(nothing))
            }
        }
    }

    /// An object with the arguments behind the declared ones, and a pointer to it. Each starts at a
    /// multiple of a word and of nothing more, so that the next one can be found from a list alone.
    fn argument_block(&mut self, values: Vec<(Operand, TypeId)>, span: Span) -> Operand {
        if values.is_empty() {
            return Operand::Const(Const::Null);
        }
        let word = self.linker.shared.types.pointer_size();
        let mut fields = Vec::new();
        let mut offset = 0u64;
        for (number, (_, ty)) in values.iter().enumerate() {
            let ty = self.ty(*ty);
            let name = format!("argument {}", number + 1);
            fields.push(RecordField { name, ty, offset, first_bit: None });
            offset += self.linker.shared.types.size_of(ty).next_multiple_of(word);
        }
        let record = RecordType { name: "arguments".to_owned(), fields, size: offset };
        let record = self.linker.shared.types.add_record(record);
        let ty = self.linker.shared.types.intern(Type::Record(record));
        let object = self.builder.temporary_object(ty, span);
        self.builder.push(InstructionKind::Live(object), span);
        for (number, (value, ty)) in values.into_iter().enumerate() {
            let value = match self.kind(ty) {
                TypeKind::Pointer(_) => self.retyped(value, ty, span),
                _ => value,
            };
            let place = Place::local(object).project(Projection::Field(number as u32));
            self.builder.push(InstructionKind::Store { place, value }, span);
        }
        self.temporaries.push(object);
        let pointer = self.address_of_place(&Place::local(object), span);
        let bytes = self.byte_pointer();
        self.as_pointer(pointer, bytes, span)
    }

    /// The place where a list of arguments keeps its pointer; `list` points to the list.
    fn list_place(&mut self, list: ExprId, span: Span) -> super::place::Spot {
        let value = self.value(list);
        let predicate = Predicate::NonNull(value.clone());
        self.builder.check(CheckKind::NullDereference, predicate, span);
        let bytes = self.byte_pointer();
        let pointers = self.linker.shared.types.intern(Type::Pointer(bytes));
        let register = self.builder.temporary(pointers, span);
        let value = match value {
            Operand::Const(_) => Rvalue::Use(value),
            value => Rvalue::Convert(value, pointers),
        };
        self.builder.set(register, value, span);
        let predicate = Predicate::Writable(Operand::Local(register), bytes);
        self.builder.check(CheckKind::InvalidAccess, predicate, span);
        Self::spot_at(Place::local(register).project(Projection::Deref), self.unit.expr(list).ty)
    }

    /// `va_start`
    pub(super) fn start_list(&mut self, list: ExprId, span: Span) {
        let Some(more) = self.more_arguments else {
            self.unsupported("`va_start` in a function without `...`", span);
            return;
        };
        let place = self.list_place(list, span).place;
        let value = Operand::Local(more);
        self.builder.push(InstructionKind::Store { place, value }, span);
    }

    /// `va_copy`
    pub(super) fn copy_list(&mut self, to: ExprId, from: ExprId, span: Span) {
        let to = self.list_place(to, span).place;
        let from = self.list_place(from, span).place;
        let bytes = self.byte_pointer();
        let value = self.builder.assign(bytes, Rvalue::Load(from), span);
        self.builder.push(InstructionKind::Store { place: to, value }, span);
    }

    /// `va_arg`: the next argument, and the list goes on behind it.
    pub(super) fn next_argument(&mut self, list: ExprId, ty: TypeId, span: Span) -> Operand {
        let place = self.list_place(list, span).place;
        let bytes = self.byte_pointer();
        let at = self.builder.assign(bytes, Rvalue::Load(place.clone()), span);
        let ir = self.ty(ty);
        let word = self.linker.shared.types.pointer_size();
        let size = self.linker.shared.types.size_of(ir).next_multiple_of(word);
        let index = self.int_const(size, self.offset_type());
        let element = self.byte();
        let next = Rvalue::Offset { pointer: at.clone(), index, element };
        let next = self.builder.assign(bytes, next, span);
        self.builder.push(InstructionKind::Store { place, value: next }, span);
        let spot = self.followed(at, ty, Purpose::Access, span);
        self.check_access(&spot, Access::Read, span);
        self.builder.assign(ir, Rvalue::Load(spot.place), span)
    }

    /// The pointer that a list of arguments holds, for an intrinsic: the argument of type `va_list`.
    pub(super) fn list_pointer(&mut self, list: ExprId, span: Span) -> Operand {
        let ty = self.unit.expr(list).ty;
        let is_array = match self.kind(ty) {
            TypeKind::Pointer(target) => matches!(self.kind(*target), TypeKind::Record(_)),
            _ => false,
        };
        if !is_array {
            let value = self.value(list);
            let bytes = self.byte_pointer();
            return self.as_pointer(value, bytes, span);
        }
        let place = self.list_place(list, span).place;
        let bytes = self.byte_pointer();
        self.builder.assign(bytes, Rvalue::Load(place), span)
    }

    /// Ends the program.
    pub(super) fn end_program(&mut self, kind: TerminatorKind, span: Span) {
        self.builder.end(kind, span);
        let next = self.builder.new_block();
        self.builder.go_on(next);
    }
}
